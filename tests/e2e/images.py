"""A program that is stored while it runs, and restored more than once from the same image: as a virtual
machine's snapshot, or by CRIU. `scripts/check-images` makes what they need.
"""

import os
import select
import shutil
import socket
import subprocess
from pathlib import Path

from driver import HANG_S, REPOSITORY

# The program, and the kernel of virtual machines.
IMAGES = Path(os.environ["SNOWMINT_IMAGES"])
# Releases of Debian (scripts/debian). trixie's CRIU cannot store sockets of later kernels.
DEBIAN = REPOSITORY / "target/debian/trixie"
CRIU = REPOSITORY / "target/debian/sid"
MODULES = ("net/core/failover", "drivers/net/net_failover", "drivers/net/virtio_net")
INIT = """#!/bin/busybox sh
for command in mount insmod ifconfig ls; do alias $command="/bin/busybox $command"; done
mount -t devtmpfs dev /dev
mount -t proc proc /proc
for module in failover net_failover virtio_net; do insmod /$module.ko; done
ifconfig lo 127.0.0.1 up
ifconfig eth0 10.0.2.15 netmask 255.255.255.0 up
exec /mint <>$(ls /dev/vport*) >&0
"""


def command_of(release, program):
    """Runs a program of another release in this one, with its own libraries."""
    libraries = release / "usr/lib/x86_64-linux-gnu"
    return [release / "lib64/ld-linux-x86-64.so.2", "--library-path", libraries, release / program]


class Program:
    """tests/e2e/clients/images/mint.c in a process, or what runs it, with its input and output."""

    def __init__(self, process, input, output):
        self.process, self.input, self.output = process, input, output

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.input.close()
        self.output.close()

    def tell(self, request):
        os.write(self.input.fileno(), f"{request}\n".encode())

    def answer(self):
        """Returns the lines of the answer to a request."""
        text = b"\n"
        while not text.endswith(b"\nend\n"):
            ready, _, _ = select.select([self.output], [], [], HANG_S)
            some = os.read(self.output.fileno(), 1 << 16) if ready else b""
            assert some, f"it hangs or has ended: {text[-500:]}"
            text += some
        return text.decode().split("\n")[1:-2]

    def ask(self, request):
        self.tell(request)
        return self.answer()


class Machines:
    """Virtual machines that run the program. Their processor is emulated."""

    host = "10.0.2.2"  # this machine, for them

    def __init__(self, directory):
        self.directory = Path(directory)
        self.image = self.directory / "image"
        self.state = Path("/data/state")  # within them
        root = self.directory / "root"
        for folder in ("bin", "dev", "proc"):
            (root / folder).mkdir(parents=True)
        (root / "init").write_text(INIT)
        (root / "init").chmod(0o755)
        shutil.copy(DEBIAN / "bin/busybox", root / "bin")
        shutil.copy(IMAGES / "mint", root)
        listed = subprocess.run(["ldd", IMAGES / "mint"], capture_output=True, text=True, check=True)
        for library in (word for word in listed.stdout.split() if word.startswith("/")):
            (root / library[1:]).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(library, root / library[1:])
        for name in MODULES:
            (packed,) = (IMAGES / "kernel").glob(f"usr/lib/modules/*/kernel/{name}.ko.xz")
            module = root / f"{Path(name).name}.ko"
            with module.open("wb") as file:
                subprocess.run(["xz", "-dc", packed], stdout=file, check=True)
        with (self.directory / "initrd").open("wb") as file:
            names = subprocess.run(["find", "."], cwd=root, stdout=subprocess.PIPE, check=True).stdout
            pack = [DEBIAN / "bin/busybox", "cpio", "-o", "-H", "newc"]
            subprocess.run(pack, cwd=root, input=names, stdout=file, stderr=subprocess.DEVNULL, check=True)

    def start(self, *arguments):
        ours, theirs = socket.socketpair()
        (kernel,) = (IMAGES / "kernel/boot").glob("vmlinuz-*")
        shared = DEBIAN / "usr/share"
        command = [
            *command_of(DEBIAN, "usr/bin/qemu-system-x86_64"), "-L", shared / "qemu", "-L", shared / "seabios",
            "-nodefaults", "-no-user-config", "-no-reboot", "-display", "none",
            "-machine", "pc,accel=tcg", "-cpu", "max", "-m", "256",
            "-kernel", kernel, "-initrd", self.directory / "initrd",
            # A busy machine is slower than the kernel's checks of its timers allow.
            "-append", "console=ttyS0 panic=-1 no_timer_check cryptomgr.notests",
            "-serial", f"file:{self.directory}/console.log", "-monitor", "stdio",
            "-netdev", "user,id=net", "-device", "virtio-net-pci,netdev=net,romfile=",
            "-chardev", f"socket,id=io,fd={theirs.fileno()}",
            "-device", "virtio-serial-pci", "-device", "virtserialport,chardev=io", *arguments,
        ]  # fmt: skip
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL}
        process = subprocess.Popen(command, pass_fds=[theirs.fileno()], **pipes)
        theirs.close()
        return Program(process, ours, ours)

    def store(self, program):
        """Writes the image of a running program."""
        program.process.communicate(f"migrate file:{self.image}\nquit\n".encode(), HANG_S)

    def restore(self, _name):
        return self.start("-incoming", f"file:{self.image}")


class Processes:
    """Processes of the program that CRIU stores. Twins have the same process ID and share the files of
    this machine, except the directory of fixed worker IDs, which each has for itself."""

    host = "127.0.0.1"

    def __init__(self, directory):
        self.directory = Path(directory)
        self.image = self.directory / "image"
        self.state = self.directory / "state"

    def start(self):
        self.state.mkdir(exist_ok=True)
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        process = subprocess.Popen([IMAGES / "mint"], **pipes, start_new_session=True)
        return Program(process, process.stdin, process.stdout)

    def store(self, program):
        """Writes the image of a running program."""
        shutil.rmtree(self.image, ignore_errors=True)
        self.image.mkdir()
        pid = program.process.pid
        self.pipes = [os.readlink(f"/proc/{pid}/fd/{number}") for number in (0, 1)]
        subprocess.run(self.criu("dump", "--tree", str(pid)), check=True)

    def restore(self, name):
        own = self.directory / name
        shutil.rmtree(own, ignore_errors=True)
        shutil.copytree(self.state, own)
        alone = ["unshare", "--pid", "--fork", "--kill-child", "--mount", "--mount-proc"]
        with_state = ["sh", "-c", 'mount --bind "$0" "$1" && shift && exec "$@"', own, self.state]
        (its_input, our_input), (our_output, its_output) = os.pipe(), os.pipe()
        inherited = [f"fd[{its_input}]:{self.pipes[0]}", f"fd[{its_output}]:{self.pipes[1]}"]
        criu = self.criu("restore", *(word for pipe in inherited for word in ("--inherit-fd", pipe)))
        process = subprocess.Popen([*alone, *with_state, *criu], pass_fds=[its_input, its_output])
        os.close(its_input)
        os.close(its_output)
        return Program(process, open(our_input, "wb"), open(our_output, "rb"))

    def criu(self, command, *arguments):
        kept = ["--images-dir", self.image, "--shell-job", "--file-locks", "--tcp-close"]
        log = ["--log-file", self.directory / f"{command}.log"]
        return [*command_of(CRIU, "usr/sbin/criu"), command, *kept, *log, *arguments]

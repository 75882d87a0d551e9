"""The container image of target/packages/image, run by buildah in a chroot."""

import contextlib
import json
import os
import platform
import signal
import subprocess
import time
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
IMAGES = ROOT / "target/packages/image"
ADDRESS = "127.64.0.1:8064"  # the container has the network of this machine
SETTINGS = {"HTTP": ADDRESS, "RESP": "127.64.0.1:6064", "ADMIN": "127.64.0.1:8065"}


@pytest.fixture
def buildah(tmp_path):
    def run(*arguments, start=subprocess.check_output, **options):
        storage = ["--root", tmp_path / "storage", "--runroot", tmp_path / "run", "--storage-driver", "vfs"]
        return start(["buildah", *storage, *arguments], text=True, **options)

    yield run
    run("rm", "--all")


@pytest.fixture
def container(buildah):
    machine = {"x86_64": "amd64", "aarch64": "arm64"}[platform.machine()]
    (archive,) = IMAGES.glob(f"*-{machine}.oci.tar")
    return buildah("from", f"oci-archive:{archive}").strip()


def ask(path, method="GET"):
    """Asks until the service answers."""
    request = urllib.request.Request(f"http://{ADDRESS}{path}", method=method)
    ends = time.monotonic() + 60
    while True:
        try:
            with urllib.request.urlopen(request) as answer:
                return answer.read().decode()
        except OSError:
            assert time.monotonic() < ends
            time.sleep(0.05)


def test_the_image_serves_and_stops(buildah, container, tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    os.chown(data, 10001, 10001)
    config = json.loads(buildah("inspect", container))["OCIv1"]["config"]
    listen = [f"--env=SNOWMINT_SERVE_{name}_LISTEN={address}" for name, address in SETTINGS.items()]
    command = [*config["Entrypoint"], *config["Cmd"]]
    service = buildah(
        "run", "--isolation=chroot", f"--volume={data}:/var/lib/snowmint", *listen, container, "--", *command,
        start=subprocess.Popen, start_new_session=True,
    )  # fmt: skip
    try:
        assert ask("/healthz").strip() == "ok"
        assert len(json.loads(ask("/v1/ids/ids", "POST"))["ids"]) == 1
        assert (data / "ids.db").stat().st_uid == 10001
        # The program alone: a signal to buildah would kill it.
        subprocess.run(["pkill", f"--signal={config['StopSignal']}", f"--session={service.pid}", "snowmint"], check=True)
        assert service.wait(timeout=60) == 0
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(service.pid, signal.SIGKILL)


def test_two_images_of_one_build_are_equal():
    before = {file.name: file.read_bytes() for file in IMAGES.iterdir()}
    subprocess.run([ROOT / "scripts/package-image"], check=True, capture_output=True)
    assert len(before) == 1
    assert before == {file.name: file.read_bytes() for file in IMAGES.iterdir()}

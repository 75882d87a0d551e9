"""Three servers that are one cluster, any of which may be killed."""

import subprocess
from concurrent.futures import ThreadPoolExecutor

from driver import REPOSITORY
from ports import free_ports


def settings_of(kind):
    """Returns the settings of each of three servers."""
    peers = free_ports(6)
    if kind == "etcd":
        named = [f"m{at}=http://127.0.0.1:{port}" for at, port in enumerate(peers[:3])]
        return [
            [
                f"name=m{at}",
                f"listen-peer-urls={url}",
                f"initial-advertise-peer-urls={url}",
                f"initial-cluster={','.join(named)}",
            ]
            for at, url in enumerate(one.partition("=")[2] for one in named)
        ]
    places = [f"server.{at + 1}=127.0.0.1:{peers[at]}:{peers[at + 3]}" for at in range(3)]
    return [[f"myid={at + 1}", *places] for at in range(3)]


class Member:
    def __init__(self, kind, settings):
        command = [REPOSITORY / "scripts/servers", "run", kind, *settings]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self.process = subprocess.Popen(command, **pipes)
        self.address = self.process.stdout.readline().strip().partition("://")[2]

    def restart(self):
        """Ends it as a crash would, and starts it again."""
        for what in ("end", "start"):
            self.process.stdin.write(f"{what}\n")
            self.process.stdin.flush()
            assert self.process.stdout.readline() == "ready\n"

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Members:
    """Three servers of etcd or ZooKeeper. None answers before most are there."""

    def __init__(self, kind):
        self.kind = kind

    def __enter__(self):
        with ThreadPoolExecutor() as pool:
            starting = pool.map(lambda settings: Member(self.kind, settings), settings_of(self.kind))
            self.members = list(starting)
        return self.members

    def __exit__(self, *_):
        for member in self.members:
            member.close()

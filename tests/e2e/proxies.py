"""nginx and HAProxy with the configurations that are shipped, on ports of their own."""

import os
import re
import shutil
import signal
import socket
import subprocess

from driver import REPOSITORY
from ports import free_ports
from services import eventually

SHIPPED = REPOSITORY / "packages/service/cluster"


def program(name):
    """Returns the path where Debian has it, which the path of an ordinary user leaves out."""
    return shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin") or name


def here(text, servers, own):
    """A shipped configuration, its servers and own addresses replaced by those of a test."""
    for at, (http, resp) in enumerate(servers):
        for port, shipped in ((http, 8064), (resp, 6064)):
            text = text.replace(f"10.0.0.{7 + at}:{shipped}", f"127.0.0.1:{port}")
            text = re.sub(rf"(127\.0\.0\.1:{resp}) port 8064", rf"\1 port {http}", text)
    for shipped, port in own.items():
        assert shipped in text, shipped
        text = text.replace(shipped, port)
    assert "10.0.0." not in text, text
    return text


class Proxy:
    """A proxy in front of servers, at `http`, of HAProxy also at `resp`; ends with the block."""

    def __init__(self, directory, kind, servers, extra=""):
        http, resp = free_ports(2)
        self.http, self.resp = ("127.0.0.1", http), ("127.0.0.1", resp)
        start = {"nginx": self._nginx, "haproxy": self._haproxy}[kind]
        self.process = subprocess.Popen(start(directory, servers, extra))
        eventually(self._listens)

    def _listens(self):
        assert self.process.poll() is None, "the proxy ended"
        try:
            socket.create_connection(self.http, 1).close()
        except ConnectionRefusedError:
            return False
        return True

    def _nginx(self, directory, servers, extra):
        shipped = (SHIPPED / "nginx.conf").read_text()
        # In place of its lines of TLS, which test_cluster_guide.py has.
        (secured,) = re.findall(r"listen 8443 ssl;\n(?:    ssl_.*\n)+", shipped)
        own = {secured: f"listen 127.0.0.1:{self.http[1]};{extra}\n"}
        (directory / "snowmint.conf").write_text(here(shipped, servers, own))
        temporary = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        paths = "".join(f"{name}_temp_path {directory}/{name};" for name in temporary)
        main = directory / "nginx.conf"
        main.write_text(
            f"user root; daemon off; worker_processes 1; pid {directory}/nginx.pid; error_log {directory}/log;"
            f"events {{}} http {{ access_log off; {paths}"
            f"proxy_cache_path {directory}/cache keys_zone=all:1m; include {directory}/snowmint.conf; }}"
        )
        return [program("nginx"), "-p", str(directory), "-c", str(main)]

    def _haproxy(self, directory, servers, extra):
        shipped = (SHIPPED / "haproxy.cfg").read_text()
        own = {
            "bind :8080": f"bind 127.0.0.1:{self.http[1]}",
            "bind :6379": f"bind 127.0.0.1:{self.resp[1]}",
        }
        path = directory / "haproxy.cfg"
        path.write_text(here(shipped, servers, own))
        checked = subprocess.run([program("haproxy"), "-c", "-f", str(path)], capture_output=True, text=True)
        assert checked.returncode == 0 and "WARNING" not in checked.stderr, checked.stderr
        return [program("haproxy"), "-f", str(path), "-db"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)

"""The Debian and RPM packages of target/packages/linux, in the release of Debian that scripts/test-linux
made. RPM's own program installs there too; only the names of what it depends on are unknown."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PACKAGES = ROOT / "target/packages/linux"
LINES = (ROOT / "examples/linux/packages.sh").read_text()
VERSION = re.search(r'^version = "(.*?)"', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)[1]
UNIT = "/usr/lib/systemd/system/snowmint.service"
# No init runs here, so no service does. The command is run as the unit runs it.
STAND_INS = f"unit={UNIT}" + """
apt() { apt-get --yes --quiet "$@"; }
dnf() {
    case $1 in
        install) rpm --force-debian --install --nodeps "$2" ;;
        remove) rpm --force-debian --erase "$2" ;;
    esac
}
as_service() { runuser -u "$(sed -n s/^User=//p $unit)" -- env XDG_STATE_HOME=/var/lib "$@"; }
cd target/packages/linux
"""


def debian(commands):
    """Runs commands in the release, and returns what they print."""
    run = [ROOT / "scripts/debian", "run", "bookworm", "bash", "-euc", STAND_INS + commands]
    done = subprocess.run(run, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 0, f"{commands}\n{done.stdout}{done.stderr}"
    return done.stdout


def section(name):
    """Returns lines that the documentation shows."""
    return re.search(rf"\[start:{name}\]\n(.*?)# --8<-- \[end:{name}\]", LINES, re.DOTALL)[1]


@pytest.fixture(params=["deb", "rpm"])
def installed(request):
    clean = "rm -rf /var/lib/snowmint /etc/snowmint; if id snowmint >/dev/null 2>&1; then userdel snowmint; fi"
    debian(f"dpkg --purge snowmint; rpm --force-debian --erase snowmint || true; {clean}")
    debian(section(request.param))
    return request.param


def test_the_command_and_its_unit(installed):
    assert debian("snowmint --version") == f"snowmint {VERSION}\n"
    assert debian("systemd-analyze verify snowmint.service 2>&1") == ""
    assert "disabled" in debian("systemctl --root=/ is-enabled snowmint || true")
    start = re.search("^ExecStart=(.*)", debian(f"cat {UNIT}"), re.MULTILINE)[1]
    assert "127.0.0.1:8064" in debian(f"as_service {start} --print-config")
    assert debian("gzip --test /usr/share/man/man1/snowmint.1.gz; echo ok") == "ok\n"
    assert "Apache License" in debian("cat /usr/share/{doc/snowmint/copyright,licenses/snowmint/LICENSE} || true")


def test_only_the_service_reads_its_files(installed):
    modes = debian("stat --format='%a %U:%G' /usr/bin/snowmint /etc/snowmint /var/lib/snowmint")
    assert modes.splitlines() == ["755 root:root", "750 root:snowmint", "750 snowmint:snowmint"]
    debian("as_service test -r /etc/snowmint/serve.toml")


def test_a_removal_leaves_the_data(installed):
    first = int(debian("as_service snowmint id"))
    debian("echo '# changed' >>/etc/snowmint/serve.toml")
    debian(section(f"{installed}-removal"))
    assert debian(f"ls /usr/bin/snowmint {UNIT} 2>/dev/null || true") == ""
    debian("grep -q changed /etc/snowmint/serve.toml*")
    debian(section(installed))
    assert int(debian("as_service snowmint id")) > first
    rows = debian(section("data").replace("sudo -u snowmint", "as_service"))
    assert len(rows.splitlines()) > 1, rows


def test_two_packages_of_one_build_are_equal():
    before = {file.name: file.read_bytes() for file in PACKAGES.iterdir()}
    subprocess.run([ROOT / "scripts/package-linux"], check=True, capture_output=True)
    assert len(before) == 2
    assert before == {file.name: file.read_bytes() for file in PACKAGES.iterdir()}

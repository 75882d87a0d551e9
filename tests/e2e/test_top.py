"""`snowmint top`: on the screen of a terminal, and as tables."""

import re
import signal
import socket
import sqlite3
import termios
from contextlib import closing
from pathlib import Path

import pytest
from certificates import Authority
from driver import INPUT, STORE
from ports import free_ports
from services import eventually
from terminals import Terminal

MANY = 2_000
ORDERS = ("--source", "orders=segment+sqlite:ids.db?tag=orders")


@pytest.fixture
def orders(snowmint):
    snowmint.run("segment", "create", "sqlite:ids.db?create=true", "orders").must_succeed()


@pytest.fixture
def many(snowmint, orders, start_service):
    """A service with thousands of tags."""
    names = [f"tag-{number:04}" for number in range(MANY)]
    with closing(sqlite3.connect(snowmint.directory / "ids.db")) as database:
        columns = [column[1] for column in database.execute("PRAGMA table_info(snowmint_segment)")]
        rest = ", ".join(column for column in columns if column != "tag")
        copied = f"SELECT ?, {rest} FROM snowmint_segment WHERE tag = 'orders'"
        insert = f"INSERT INTO snowmint_segment (tag, {rest}) {copied}"
        with database:
            database.executemany(insert, [(name,) for name in names])
    lines = [f"'{name}' = 'segment+sqlite:ids.db?tag={name}&step=10'" for name in names]
    (snowmint.directory / "serve.toml").write_text("[sources]\n" + "\n".join(lines))
    return start_service("--config", "serve.toml")


@pytest.fixture
def top(snowmint):
    """Starts it in a terminal."""
    running = []

    def start(*arguments, **size):
        command = [str(snowmint.binary), "top", *arguments, "--interval", "0.2"]
        environment = {**snowmint.environment, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
        terminal = Terminal(command, environment, snowmint.directory, **size)
        running.append(terminal)
        return terminal

    yield start
    for terminal in running:
        terminal.__exit__()


def url(service, scheme="http"):
    return f"{scheme}://{service.admin[0]}:{service.admin[1]}"


def names(lines):
    """The names of the rows on a screen, from the top down."""
    return [line.split()[0] for line in lines[3:-1] if line]


def test_thousands_of_tags_are_sorted_and_searched(many, top):
    terminal = top(url(many))
    terminal.shows(f"sources {MANY}")
    terminal.shows("NAME", "KIND", "IDS/S")
    terminal.until(lambda lines: names(lines)[:2] == ["tag-0000", "tag-0001"])
    terminal.press("end")
    terminal.until(lambda lines: names(lines)[-1:] == [f"tag-{MANY - 1}"])
    terminal.press("home", "r")
    terminal.until(lambda lines: names(lines)[:1] == [f"tag-{MANY - 1}"])
    # A name is searched for letter by letter; the found rows stay with Enter, and go with Escape.
    terminal.press("/", "tag-123")
    found = [f"tag-123{digit}" for digit in range(10)]
    terminal.until(lambda lines: sorted(names(lines)) == found)
    terminal.press("enter")
    terminal.shows("/tag-123: 10 of 2000", "q quit")
    terminal.press("escape")
    terminal.until(lambda lines: len(names(lines)) > 20)
    terminal.press("/", "nothing has this")
    terminal.until(lambda lines: not names(lines))
    # Before the next key, which would be one with Alt.
    terminal.press("escape")
    terminal.until(lambda lines: len(names(lines)) > 20)
    # Sorted by GIVEN, the tag that gave most is first.
    assert many.mint("tag-1321", count=25).status == 200
    terminal.press(*"ssssssss")
    terminal.until(lambda lines: names(lines)[:1] == ["tag-1321"])
    assert " 25 " in terminal.shows("tag-1321")
    terminal.press("q")
    assert terminal.ended() == 0


def test_a_row_that_is_open_is_shown_whole_on_a_small_terminal(many, top):
    terminal = top(url(many), columns=40, lines=20)
    terminal.until(lambda lines: names(lines)[:1] == ["tag-0000"])
    assert all(len(line) <= 40 for line in terminal.lines)
    terminal.press("down", "down", "enter")
    assert terminal.shows("NAME", "tag-0002") and terminal.shows("KIND", "segment")
    terminal.shows("STEP", "10")
    terminal.press("escape")
    terminal.resize(160, 50)
    terminal.until(lambda lines: len(names(lines)) == 46)
    terminal.resize(10, 3)
    terminal.until(lambda lines: any("NAME" in line or "http" in line for line in lines))
    terminal.resize(160, 30)
    terminal.until(lambda lines: len(names(lines)) == 26)


def test_all_tables_of_a_service_with_little_in_it(start_service, orders, create_token, top):
    create_token("shop", "--sources", "orders")
    service = start_service(*ORDERS, "--tokens-file", "tokens.toml")
    service.mint("orders").must_refuse(401, "store_denied")
    terminal = top(url(service))
    for digit, words in enumerate(
        (
            ("orders", "segment", "ready"),
            ("SOURCE", "WORKER"),
            ("sqlite:", "ids.db", "up"),
            ("shop", "orders"),
            ("store_denied",),
            ("ADDRESS", "TURNS"),
        ),
        start=1,
    ):
        terminal.press(str(digit))
        terminal.shows(*words)
    terminal.press("tab")
    terminal.shows("NAME", "RUNWAY")
    terminal.press("p")
    terminal.shows("paused")


def test_a_service_without_tags(start_service, top):
    """Such a service has only what every service has: a worker ID."""
    service = start_service()
    terminal = top(url(service))
    terminal.shows("ids", "snowflake", "ready")
    assert service.mint("ids", count=30).ids
    terminal.until(lambda lines: any(re.search(r"ids .* 30 ", line) for line in lines))
    terminal.press("2")
    row = re.split(r"  +", terminal.shows("ids", "sequence:12"))
    # Its worker ID, how long it is held, how much time is reserved and by the last renewal.
    assert row[1].isdigit() and all(cell.endswith(" s") for cell in row[2:5]), row
    terminal.press("/", "none")
    terminal.until(lambda lines: not names(lines))


def test_a_service_that_dies_is_told_and_one_that_is_back_goes_on(start_service, orders, top):
    (port,) = free_ports(1)
    more = {"admin": f"127.0.0.1:{port}"}
    service = start_service(*ORDERS, **more)
    terminal = top(url(service))
    terminal.shows("orders", "ready")
    service.kill()
    terminal.shows("cannot be reached")
    # The last known rows stay to be seen.
    assert names(terminal.lines) == ["orders"]
    service = start_service(*ORDERS, **more)
    terminal.until(lambda lines: not any("cannot be reached" in line for line in lines))
    assert service.mint("orders", count=7).ids
    terminal.until(lambda lines: any(re.search(r"orders .* 7 ", line) for line in lines))


def test_a_service_that_is_silent_is_told_before_it_is_given_up(start_service, orders, top):
    service = start_service(*ORDERS)
    terminal = top(url(service))
    terminal.shows("orders", "ready")
    service.process.send_signal(signal.SIGSTOP)
    terminal.shows("has not answered for")
    service.process.send_signal(signal.SIGCONT)
    terminal.until(lambda lines: not any("has not answered" in line for line in lines))


def echoes(terminal):
    return bool(termios.tcgetattr(terminal.file)[3] & termios.ECHO)


def is_stopped(terminal):
    return Path(f"/proc/{terminal.pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"


@pytest.mark.parametrize("stop", ["\x1a", signal.SIGTSTP])
def test_it_gives_the_terminal_back_while_it_is_stopped(start_service, orders, top, stop):
    terminal = top(url(start_service(*ORDERS)))
    terminal.shows("orders", "ready")
    terminal.press(stop) if isinstance(stop, str) else terminal.signal(stop)
    eventually(lambda: is_stopped(terminal))
    assert echoes(terminal)
    terminal.signal(signal.SIGCONT)
    terminal.shows("orders", "ready")
    eventually(lambda: not echoes(terminal))
    # As after a stop that nobody is told of, during which a shell has put the terminal right.
    terminal.signal(signal.SIGSTOP)
    eventually(lambda: is_stopped(terminal))
    modes = termios.tcgetattr(terminal.file)
    modes[3] |= termios.ECHO | termios.ICANON
    termios.tcsetattr(terminal.file, termios.TCSANOW, modes)
    terminal.signal(signal.SIGCONT)
    eventually(lambda: not echoes(terminal))
    terminal.press("q")
    assert terminal.ended() == 0 and echoes(terminal)


@pytest.mark.parametrize("ending", ["q", "\x03", signal.SIGTERM, signal.SIGHUP])
def test_the_terminal_is_as_it_was(start_service, orders, top, ending):
    terminal = top(url(start_service(*ORDERS)))
    terminal.shows("orders")
    assert not termios.tcgetattr(terminal.file)[3] & termios.ECHO
    terminal.press(ending) if isinstance(ending, str) else terminal.signal(ending)
    assert terminal.ended() == 0
    assert termios.tcgetattr(terminal.file)[3] & termios.ECHO
    # Back from its own screen, with a cursor.
    assert terminal.written.count(b"\x1b[?1049h") == terminal.written.count(b"\x1b[?1049l") == 1
    assert terminal.written.rfind(b"\x1b[?25h") > terminal.written.rfind(b"\x1b[?25l")


def test_without_a_terminal_tables_are_printed_once(many, snowmint, top):
    done = snowmint.run("top", url(many)).must_succeed()
    assert "\x1b" not in done.output and not done.errors
    rows = re.findall(r"^(tag-\d{4})  segment ", done.output, re.MULTILINE)
    assert rows == [f"tag-{number:04}" for number in range(MANY)]
    assert re.search(r"^stores\nSTORE ", done.output, re.MULTILINE)
    terminal = top(url(many), "--once")
    assert terminal.ended() == 0
    assert b"tag-0000" in terminal.written and b"\x1b[?1049h" not in terminal.written


def test_over_a_unix_socket(start_service, orders, snowmint):
    start_service(*ORDERS, admin="unix:admin.sock,127.0.0.1:0")
    done = snowmint.run("top", "unix:admin.sock").must_succeed()
    assert "orders  segment  ready" in done.output


@pytest.mark.parametrize(
    "wrong, words",
    [
        ("127.0.0.1:8065", "write http://HOST:PORT"),
        ("ftp://127.0.0.1", "write http://HOST:PORT"),
        ("http://127.0.0.1/metrics", "no path"),
        ("http://me:secret@127.0.0.1", "no user"),
        ("https://127.0.0.1?cafile=nowhere.pem", "nowhere.pem"),
        ("https://127.0.0.1?token=secret", "takes cafile"),
    ],
)
def test_a_wrong_url_is_refused_with_what_to_write(snowmint, wrong, words):
    done = snowmint.run("top", wrong).must_refuse(INPUT, saying=words)
    assert "secret" not in done.errors


@pytest.mark.parametrize("seconds", ["0", "0.09", "3601", "-1", "nan", "often"])
def test_a_wrong_interval_is_refused(snowmint, seconds):
    done = snowmint.run("top", f"--interval={seconds}")
    assert done.status == INPUT and "seconds from 0.1 to 3600" in done.errors, done


def test_an_address_that_cannot_be_watched_is_told(snowmint, start_service, orders):
    (port,) = free_ports(1)
    nobody = snowmint.run("top", f"http://127.0.0.1:{port}")
    nobody.must_refuse(STORE, saying=[f"http://127.0.0.1:{port} cannot be reached", "refused"])
    snowmint.run("top", "unix:nowhere.sock").must_refuse(STORE, saying="cannot be reached")
    service = start_service(*ORDERS)
    clients = f"http://127.0.0.1:{service.http[1]}"
    snowmint.run("top", clients).must_refuse(INPUT, saying=["no operators' address", "8065"])
    snowmint.run("top", url(service, "https")).must_refuse(STORE, saying="it speaks no TLS")
    # Nobody listens at this address any more.
    with socket.create_server(("127.0.0.1", 0)) as silent:
        place = f"http://127.0.0.1:{silent.getsockname()[1]}"
        silent.close()
        snowmint.run("top", place).must_refuse(STORE, saying="cannot be reached")


def test_by_tls(snowmint, start_service, orders, tmp_path):
    authority = Authority(tmp_path / "authority")
    certificate, key = authority.issue("server")
    words = (*ORDERS, "--tls-certificate", certificate, "--tls-key", key)
    words += ("--tls-client-ca", authority.file)
    own = authority.issue("client")
    service = start_service(*words, tls=authority.context(own))
    secured = f"{url(service, 'https')}?cafile={authority.file}"
    shown = f"{secured}&certfile={own[0]}&keyfile={own[1]}"
    assert "orders  segment  ready" in snowmint.run("top", shown).must_succeed().output
    snowmint.run("top", secured).must_refuse(STORE, saying="ertificate")
    other = f"{url(service, 'https')}?certfile={own[0]}&keyfile={own[1]}"
    snowmint.run("top", other).must_refuse(STORE, saying="its certificate is not good")
    snowmint.run("top", url(service)).must_refuse(saying="TLS")
    snowmint.run("top", f"{secured}&certfile={own[0]}").must_refuse(INPUT, saying="keyfile")


def test_its_help_has_examples_that_are_read(snowmint):
    text = snowmint.run("top", "--help").must_succeed().output
    lines = [line.strip() for line in text.split("Examples:\n")[1].splitlines() if line.strip()]
    assert len(lines) >= 4
    for line in lines:
        # To addresses that nobody has here: what is read is refused later, and not as wrong usage.
        done = snowmint.shell(line.split(" | ")[0].replace("10.0.0.7", "127.0.0.1"))
        assert done.status in (INPUT, STORE) and "error[" in done.errors, done

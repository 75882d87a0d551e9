"""Disks that fail and files that are damaged: a typed error, and no ID twice afterwards
(laws L2, L6, L8)."""

import os
import shutil
import sqlite3
import sys
import tempfile
from pathlib import Path

import pytest
from driver import INPUT, NO_ID, STORE, Snowmint, assert_disjoint, assert_rising, rounds

FIXED = "snowflake:?worker_id=7&layout=twitter"
LEASED = "snowflake+sqlite:ids.db?create=true&layout=twitter"
ORDERS = "segment+sqlite:ids.db?tag=orders"
# More calls to the system than any of these commands makes: a fault that is not reached ends it.
FAULTS_MAX = 200


def prepare(snowmint, source):
    """Creates what the source needs, and returns the IDs of a first process, which was killed."""
    if source == ORDERS:
        snowmint.run("segment", "create", "sqlite:ids.db?create=true", "orders").must_succeed()
    with snowmint.stream(source) as stream:
        stream.read(1_000)
        stream.kill()
        return stream.ids


def inject(snowmint, strace, source, file, fault, when):
    """Runs one command while the disk fails; also whether it came to that."""
    log = snowmint.directory / "strace.log"
    call = fault.split(":")[0]
    tracing = [strace, "-f", "-qq", "-o", log, "-P", file, "-e", f"trace={call}"]
    tracing += ["-e", f"inject={fault}:when={when}"]
    done = snowmint.run("id", source, "-n", 500, before=tracing)
    return done, "(INJECTED)" in log.read_text()


@pytest.mark.parametrize("lasting", ["", "+"], ids=["once", "from-then-on"])
@pytest.mark.parametrize("fault", ["fdatasync:error=EIO", "write:error=ENOSPC", "write:error=EIO"])
def test_a_disk_that_fails_under_the_mark_file(snowmint, strace, fault, lasting):
    source = FIXED + "&reserve_ms=100&max_ahead_ms=0"
    issued = prepare(snowmint, source)
    mark = snowmint.mark(7)
    for when in range(1, FAULTS_MAX):
        done, met = inject(snowmint, strace, source, mark, fault, f"{when}{lasting}")
        if not met:
            done.must_succeed()
            break
        if done.must_be_typed().status != 0:
            done.must_refuse(STORE, saying=[str(mark), "of worker 7"])
            word = "No space left" if "ENOSPC" in fault else "Input/output error"
            assert word in done.errors
        issued += done.ids
        issued += snowmint.mint(source, "-n", 20)
        assert_rising(issued)
    assert 4 < when < FAULTS_MAX - 1, "the disk never failed"


@pytest.mark.parametrize("lasting", ["", "+"], ids=["once", "from-then-on"])
@pytest.mark.parametrize("source", [ORDERS, LEASED], ids=["segment", "leased"])
@pytest.mark.parametrize(
    ("fault", "file"),
    [
        ("fsync:error=EIO", "ids.db"),
        ("fsync:error=EIO", "ids.db-journal"),
        ("pwrite64:error=ENOSPC", "ids.db"),
        ("pwrite64:error=ENOSPC", "ids.db-journal"),
        ("pwrite64:error=EIO", "ids.db"),
        ("pread64:error=EIO", "ids.db"),
    ],
)
def test_a_disk_that_fails_under_a_database(snowmint, strace, source, file, fault, lasting):
    """Once: a segment may try again and get its range; from then on: an error, sooner or later."""
    issued = [prepare(snowmint, source)]
    path = snowmint.directory / file
    refused = 0
    for when in range(1, FAULTS_MAX):
        for wait_ms in (50, 500, 5_000):  # a busy machine may need longer to meet the fault
            impatient = f"{source}&wait_ms={wait_ms}"
            done, met = inject(snowmint, strace, impatient, path, fault, f"{when}{lasting}")
            if "error[wait_timeout]" not in done.errors:
                break
        if not met:
            done.must_succeed()
            break
        if done.must_be_typed().status != 0:
            done.must_refuse(NO_ID, STORE, saying="ids.db")
            refused += 1
        assert done.ids == [] or len(done.ids) == 500
        issued += [done.ids, snowmint.mint(source, "-n", 20)]
    assert 2 <= when < FAULTS_MAX - 1, "the disk never failed"
    assert refused or not lasting
    assert_disjoint(*issued)
    if source == ORDERS:
        assert_rising([one for ids in issued for one in ids])


def test_a_disk_that_is_full(snowmint):
    """A file system of 64 KB, filled up: refused, and gone on with once there is room."""
    small = snowmint.directory / "small"
    small.mkdir()
    script = f"""
        mount -t tmpfs -o size=64k none {small} || exit 77
        cd {small}
        snowmint segment create 'sqlite:ids.db?create=true' orders
        snowmint id '{ORDERS}' && snowmint id 'snowflake:?worker_id=7&state={small}'
        head -c 1000000 /dev/zero > ballast 2> /dev/null
        for source in '{ORDERS}' 'snowflake:?worker_id=8&state={small}' 'snowflake+sqlite:other.db?create=true'; do
            snowmint id "$source"; echo "status $?"
        done
        for file in 'public-ids keygen keys.toml' 'token create --name a --file tokens.toml' 'man pages'; do
            snowmint $file; echo "status $?"
        done
        rm ballast
        snowmint id '{ORDERS}' && snowmint id 'snowflake:?worker_id=8&state={small}'
    """
    done = snowmint.command(["unshare", "-m", "bash", "-c", script])
    if done.status == 77 or "unshare failed" in done.errors:
        pytest.skip(f"no file system can be mounted here: {done.errors.strip()}")
    lines = done.output.splitlines()
    assert done.status == 0, done
    assert lines.count("status 4") == 6, done
    assert done.errors.count("error[") == done.errors.count("hint: ") == 6, done
    assert done.errors.count("error[store_full]") == done.errors.count("hint: make room") == 6, done
    assert "panicked" not in done.errors
    ids = [int(line) for line in lines if line.isdigit()]
    assert len(ids) == 4 and len(set(ids)) == 4, done
    assert (ids[0], ids[2]) == (1, 2)


def test_a_file_that_is_mounted_by_itself(snowmint):
    """A crash leaves its journal beside one of the two names."""
    snowmint.run("segment", "create", "sqlite:ids.db?create=true", "orders").must_succeed()
    at = snowmint.directory / "volume"
    at.mkdir()
    script = f"""
        touch {at}/file.db && mount --bind ids.db {at}/file.db || exit 77
        snowmint id 'segment+sqlite:{at}/file.db?tag=orders'; echo "status $?"
        snowmint doctor {at}/file.db; echo "status $?"
        mkdir {at}/whole && mount --bind . {at}/whole
        snowmint id 'segment+sqlite:{at}/whole/ids.db?tag=orders'
    """
    done = snowmint.command(["unshare", "-m", "bash", "-c", script])
    if done.status == 77 or "unshare failed" in done.errors:
        pytest.skip(f"nothing can be mounted here: {done.errors.strip()}")
    assert done.status == 0, done
    assert done.output.count("status 4") == 2 and done.output.splitlines()[-1] == "1", done
    assert "error[unsafe_setting]" in done.errors and "Mount its directory" in done.errors


@pytest.mark.parametrize("source", [ORDERS, LEASED, FIXED], ids=["segment", "leased", "fixed"])
def test_a_file_that_may_not_grow(snowmint, source):
    """Writes that stop in the middle, at the limit on the size of files."""
    issued = [prepare(snowmint, source)]
    for limit in (0, 1, 63, 512, 600, 4_096, 4_097, 4_150, 4_700, 8_192, 8_700):
        # As a shell's `trap '' XFSZ; ulimit -f`, to the byte.
        script = (
            "import os, resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
            f"resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, resource.RLIM_INFINITY)); "
            "os.execv(sys.argv[1], sys.argv[1:])"
        )
        limited = [sys.executable, "-c", script]
        done = snowmint.run("id", source + "&wait_ms=50", "-n", 50, before=limited)
        if done.must_be_typed().status != 0:
            done.must_refuse(NO_ID, STORE)
        issued += [done.ids, snowmint.mint(source, "-n", 20)]
    assert_disjoint(*issued)


@pytest.mark.parametrize("source", [ORDERS, LEASED, FIXED], ids=["segment", "leased", "fixed"])
def test_a_process_that_may_open_little(snowmint, source):
    """The file, its lock and its journal: what cannot be opened is told, and takes nothing."""
    issued = [prepare(snowmint, source)]
    for limit in range(4, 9):
        script = (
            "import os, resource, sys; "
            f"resource.setrlimit(resource.RLIMIT_NOFILE, ({limit}, {limit})); "
            "os.execv(sys.argv[1], sys.argv[1:])"
        )
        # If it is to succeed, it has as long as a busy machine needs.
        wait_ms = 50 if limit < 8 else 60_000
        limited = [sys.executable, "-c", script]
        done = snowmint.run("id", f"{source}&wait_ms={wait_ms}", "-n", 50, before=limited)
        if done.must_be_typed().status != 0:
            done.must_refuse(NO_ID, STORE)
        issued += [done.ids, snowmint.mint(source, "-n", 20)]
    assert len(issued[-2]) == 50, "eight are enough"
    assert_disjoint(*issued)


def cut_lengths(size, used):
    """Returns the lengths to which to cut a file: all in what is used of it, some in the rest."""
    if rounds(0) >= 200:
        return range(size)
    return sorted({at for at in range(size) if any(at in part for part in used) or at % 211 == 0})


def test_a_mark_file_cut_short_at_every_byte(snowmint):
    issued = prepare(snowmint, FIXED)
    mark = snowmint.mark(7)
    whole = mark.read_bytes()
    assert len(whole) == 4_160
    for length in cut_lengths(4_160, [range(72), range(4_092, 4_160)]):
        mark.write_bytes(whole[:length])
        done = snowmint.run("id", FIXED)
        if length == 0:
            issued += done.must_be_typed().ids  # as good as a missing one
            assert_rising(issued)
        else:
            done.must_refuse(NO_ID, saying=["worker 7", "damaged", f"{length} bytes long"])
            assert mark.read_bytes() == whole[:length], "a damaged file was changed"
    mark.write_bytes(whole)
    assert_rising(issued + snowmint.mint(FIXED))


@pytest.mark.parametrize(
    ("source", "file"),
    [(FIXED, "state/snowmint/worker-7.mark"), (LEASED, "ids.db")],
    ids=["fixed", "leased"],
)
def test_an_emptied_file_does_not_bring_a_burst_back(snowmint, source, file):
    """The burst ran ahead of the clock, as its policy allows; refused, or above it."""
    mint = f"snowmint id '{source}' -n"
    line = f"{mint} 3500000 > burst; : | tee {file}; {mint} 50000 > again"
    snowmint.shell(line).must_be_typed()
    burst, again = ((snowmint.directory / name).read_text().split() for name in ("burst", "again"))
    assert len(burst) == 3_500_000
    duplicates = len(set(again) & set(burst))
    assert duplicates == 0, f"{duplicates} of {len(again)} IDs came twice"


def test_a_mark_file_with_one_wrong_byte(snowmint):
    issued = prepare(snowmint, FIXED)
    mark = snowmint.mark(7)
    for at in [*range(0, 64), *range(4_096, 4_160)]:
        content = bytearray(mark.read_bytes())
        content[at] ^= 0x41
        mark.write_bytes(content)
        done = snowmint.run("id", FIXED).must_be_typed()
        if done.status != 0:
            done.must_refuse(NO_ID, saying="worker 7")
            content[at] ^= 0x41
            mark.write_bytes(content)
        issued += done.ids
    assert_rising(issued)
    mark.write_bytes(b"\x00" * 40 + os.urandom(4_120))
    snowmint.run("id", FIXED).must_refuse(NO_ID, saying=["damaged", "neither of its records"])


def test_another_workers_mark_file(snowmint):
    snowmint.mint("snowflake:?worker_id=1"), snowmint.mint("snowflake:?worker_id=2")
    shutil.copy(snowmint.mark(1), snowmint.mark(2))
    refused = snowmint.run("id", "snowflake:?worker_id=2")
    refused.must_refuse(NO_ID, saying=["belongs to worker 1", "not to worker 2"])


@pytest.mark.parametrize("source", [ORDERS, LEASED], ids=["segment", "leased"])
def test_a_database_cut_short(snowmint, source):
    prepare(snowmint, source)
    issued = [snowmint.mint(source, "-n", 100)]
    path = snowmint.directory / "ids.db"
    whole = path.read_bytes()
    edges = {edge + by for edge in range(0, len(whole), 4_096) for by in (-1, 1, 99, 100, 513)}
    for length in sorted(edges - {-1}):
        path.write_bytes(whole[:length])
        snowmint.run("id", source).must_refuse(STORE, saying="ids.db")
    path.write_bytes(whole)
    issued.append(snowmint.mint(source, "-n", 100))
    assert_disjoint(*issued)


def test_a_database_with_noise_in_it(snowmint):
    issued = prepare(snowmint, ORDERS)
    path = snowmint.directory / "ids.db"
    whole = path.read_bytes()
    for at in range(0, len(whole), 97):
        path.write_bytes(whole[:at] + os.urandom(64) + whole[at + 64 :])
        done = snowmint.run("id", ORDERS).must_be_typed()
        if done.status != 0:
            done.must_refuse(INPUT, STORE)  # a tag whose name was hit is not there
    path.write_bytes(os.urandom(len(whole)))
    snowmint.run("id", ORDERS).must_refuse(STORE, saying="no database")
    path.write_bytes(whole)
    assert snowmint.mint(ORDERS)[0] > issued[-1]


def sql(path, *statements):
    connection = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        connection.execute(statement)
    return connection


def test_a_database_that_is_locked(snowmint):
    prepare(snowmint, ORDERS)
    path = snowmint.directory / "ids.db"
    holder = sql(path, "BEGIN EXCLUSIVE")
    waiting = [snowmint.stream(source, count=1) for source in (ORDERS, LEASED)]
    for stream in waiting:
        done = stream.finish().must_refuse(STORE, saying=[str(path), "locked by another program"])
        assert done.ids == []
    holder.execute("ROLLBACK")
    snowmint.mint(ORDERS), snowmint.mint(LEASED)


def test_a_database_that_is_locked_for_a_moment_is_waited_for(snowmint):
    issued = prepare(snowmint, ORDERS)
    holder = sql(snowmint.directory / "ids.db", "BEGIN EXCLUSIVE")
    with snowmint.stream(ORDERS, count=3) as waiting:
        waiting.read_for(0.5)
        assert waiting.ids == []
        holder.execute("ROLLBACK")
        done = waiting.finish().must_succeed()
    assert_rising(issued + done.ids)


def test_databases_of_something_else(snowmint):
    sql(snowmint.directory / "other.db", "CREATE TABLE customer (name TEXT)").close()
    before = (snowmint.directory / "other.db").read_bytes()
    for kind in ("snowflake+sqlite:other.db", "segment+sqlite:other.db?tag=orders"):
        snowmint.run("id", kind).must_refuse(STORE, saying="belongs to something else")
    snowmint.run("worker", "list", "other.db").must_refuse(STORE)
    snowmint.run("segment", "create", "other.db", "orders").must_refuse(STORE)
    assert (snowmint.directory / "other.db").read_bytes() == before

    prepare(snowmint, ORDERS)
    path = snowmint.directory / "ids.db"
    sql(path, "PRAGMA user_version = 99").close()
    snowmint.run("id", ORDERS).must_refuse(STORE, saying="schema is version 99")
    sql(path, "PRAGMA user_version = 1", "DROP TABLE snowmint_worker").close()
    snowmint.run("id", ORDERS).must_refuse(STORE, saying="snowmint_worker")


def test_a_name_that_is_longer_than_any_of_ours(snowmint):
    """Whoever may write the file can drop its checks: nothing of it is drawn."""
    snowmint.mint(LEASED)
    path = snowmint.directory / "ids.db"
    for length in (300, 64_000, 50_000_000):
        sql(
            path,
            "PRAGMA ignore_check_constraints = ON",
            f"UPDATE snowmint_worker SET owner = printf('%.*c', {length}, 'x')",
        ).close()
        for command in (("worker", "list", path), ("id", LEASED)):
            refused = snowmint.run(*command).must_refuse(STORE, saying="ids.db")
            assert len(refused.errors) < 1_000


def test_a_file_that_is_not_there_is_made_only_on_request(snowmint):
    for command in (
        ("id", "snowflake+sqlite:ids.db"),
        ("id", ORDERS),
        ("id", "daily+sqlite:ids.db?tag=orders"),
        ("segment", "create", "ids.db", "orders"),
        ("segment", "create", "sqlite:ids.db", "orders"),
    ):
        refused = snowmint.run(*command)
        refused.must_refuse(STORE, saying=["store_missing", "create=true", "key space"])
        assert not (snowmint.directory / "ids.db").exists()
    for command in (("segment", "list", "ids.db"), ("worker", "list", "ids.db")):
        refused = snowmint.run(*command)
        refused.must_refuse(STORE, saying=["store_missing", "no file ids.db"])
        assert "create=true" not in refused.errors
        assert not (snowmint.directory / "ids.db").exists()
    prepare(snowmint, ORDERS)
    snowmint.mint("snowflake+sqlite:ids.db"), snowmint.mint(ORDERS)


def test_paths_that_are_no_files(snowmint):
    (snowmint.directory / "folder").mkdir()
    snowmint.run("id", "segment+sqlite:missing.db?tag=a").must_refuse(STORE)
    snowmint.run("id", "snowflake+sqlite:folder").must_refuse(INPUT, saying="directory")
    snowmint.run("id", "snowflake+sqlite:").must_refuse(INPUT, saying="names no file")
    assert not (snowmint.directory / "missing.db").exists()


@pytest.fixture
def ordinary_user():
    """The command as a user whom permissions stop, in a directory that this user can reach."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        place.chmod(0o755)
        snowmint = Snowmint(place)
        wrapper = []
        if os.geteuid() == 0:
            shutil.copy(snowmint.binary, place / "snowmint")
            snowmint.binary = place / "snowmint"
            wrapper = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        for folder in ("home", "state", "open"):
            (place / folder).mkdir()
            if wrapper:
                os.chown(place / folder, 65534, 65534)
        yield snowmint, lambda *arguments: snowmint.run(*arguments, before=wrapper)


def test_files_and_directories_that_may_not_be_written(ordinary_user):
    snowmint, run = ordinary_user
    place = snowmint.directory
    database = place / "open/ids.db"
    source = f"segment+sqlite:{database}?tag=orders"
    run("segment", "create", f"sqlite:{database}?create=true", "orders").must_succeed()
    assert run("id", source).must_succeed().ids == [1]
    run("id", "snowflake:?worker_id=7").must_succeed()

    def refused(*arguments):
        return run(*arguments).must_refuse(STORE)

    database.chmod(0o444)
    refused("id", source)
    # To look at it takes no right to write.
    assert "orders" in run("segment", "list", database).must_succeed().output
    run("worker", "list", database).must_succeed()
    database.chmod(0o600)
    (place / "open").chmod(0o555)  # the journal cannot be made
    refused("id", source)
    refused("id", f"snowflake+sqlite:{place}/open/new.db?create=true")
    refused("id", f"snowflake:?worker_id=7&state={place}/open")
    (place / "open").chmod(0o755)
    assert run("id", source).must_succeed().ids == [2]

    mark = snowmint.mark(7)
    mark.chmod(0o444)
    refused("id", "snowflake:?worker_id=7")
    mark.chmod(0o600)
    run("id", "snowflake:?worker_id=7").must_succeed()

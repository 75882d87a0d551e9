"""The cost of operators who look at a server: 5,000 tags that all change between two looks.

`scripts/bench service --page` runs it.
Prints the share of a core that the process used by its own account (/proc), while nobody looked and
while one, and eight, followed /admin/events.
"""

import http.client
import os
import re
import socket
import sqlite3
import subprocess
import tempfile
import threading
import time
from pathlib import Path

TAGS = 5_000
# Together they have the store asked for many tags at once.
CLIENTS = 50
WINDOW_S = float(os.environ.get("WINDOW_S", "10"))
TICK = os.sysconf("SC_CLK_TCK")


def prepare(snowmint, folder):
    """A store with all the tags, and the configuration of a server that has each as a source."""
    url = "sqlite:ids.db?create=true"
    subprocess.run([snowmint, "segment", "create", url, "tag-0000"], cwd=folder, check=True)
    store = sqlite3.connect(folder / "ids.db")
    columns = "(tag, previous, next, step, stride, updated_ms)"
    rows = [(f"tag-{at:04}",) for at in range(1, TAGS)]
    store.executemany(f"INSERT INTO snowmint_segment {columns} VALUES (?,1,1,100000,1,0)", rows)
    store.commit()
    store.close()
    lines = [f"tag-{at:04} = 'segment+sqlite:ids.db?tag=tag-{at:04}'\n" for at in range(TAGS)]
    (folder / "serve.toml").write_text("[sources]\n" + "".join(lines))


def mint(address, tags, stop, ready):
    """Each of those tags gives a number, twice a second, by pipelines of the Redis protocol."""
    with socket.create_connection(address) as connection:
        batch = b"".join(b"*2\r\n$4\r\nINCR\r\n$8\r\ntag-%04d\r\n" % at for at in tags)
        while not stop.is_set():
            began = time.monotonic()
            connection.sendall(batch)
            left = len(tags)
            while left > 0:
                left -= connection.recv(1 << 20).count(b"\n")
            # Each has its first range by now.
            ready.release()
            stop.wait(max(0, 0.45 - (time.monotonic() - began)))


def follow(address, stop, seen):
    connection = http.client.HTTPConnection(*address, timeout=60)
    connection.request("GET", "/admin/events")
    answer = connection.getresponse()
    while not stop.is_set():
        line = answer.readline()
        if line.startswith(b"data: "):
            seen.append(len(line))
    connection.close()


def cpu_s(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def share(pid):
    before, began = cpu_s(pid), time.monotonic()
    time.sleep(WINDOW_S)
    return (cpu_s(pid) - before) / (time.monotonic() - began)


def measure(pid, resp, admin):
    ends, ready = threading.Event(), threading.Semaphore(0)
    parts = [range(at, TAGS, CLIENTS) for at in range(CLIENTS)]
    minting = [threading.Thread(target=mint, args=(resp, part, ends, ready)) for part in parts]
    for thread in minting:
        thread.start()
    for _ in minting:
        ready.acquire()
    time.sleep(5)
    base = None
    for looking in (0, 1, 8):
        stop, seen = threading.Event(), []
        threads = [threading.Thread(target=follow, args=(admin, stop, seen)) for _ in range(looking)]
        for thread in threads:
            thread.start()
        time.sleep(1.5)
        seen.clear()
        used = share(pid)
        base = used if base is None else base
        size = sum(seen) // max(1, len(seen))
        print(
            f"{looking} looking: {used:.1%} of a core, {used - base:.1%} for them, "
            f"{len(seen)} events of {size} bytes"
        )
        stop.set()
        for thread in threads:
            thread.join()
    ends.set()
    for thread in minting:
        thread.join()


def main():
    snowmint = Path(os.environ.get("SNOWMINT", "target/release/snowmint")).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare(snowmint, folder)
        free = "127.0.0.1:0"
        command = [snowmint, "serve", "--config", "serve.toml", "--http-listen", "", "--resp-listen"]
        command += [free, "--admin-listen", free]
        process = subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True)
        found = {}
        for line in process.stderr:
            if match := re.search(r"(redis|operators on http)://([\d.]+):(\d+)", line):
                found[match[1].split()[-1]] = (match[2], int(match[3]))
            if len(found) == 2:
                break
        threading.Thread(target=process.stderr.read, daemon=True).start()
        try:
            measure(process.pid, found["redis"], found["http"])
        finally:
            process.terminate()
            process.wait()


if __name__ == "__main__":
    main()

"""What many do, and what must not pass for ours: a worker ID leased for a time, which its holder
believes to be its own until its clock says that the time is over.

usage: ttl_lease.py TTL_MS NOW CLIENT...: mints in the layout time:41,worker:2,sequence:12. CLIENT runs
the SQL that is appended to it; NOW is that database's clock in milliseconds; its table
`ttl_lease (worker_id, owner, expires_ms)` has a row for each worker ID."""

import select
import subprocess
import sys
import time
import uuid

TTL_MS, NOW, CLIENT = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
OWNER = uuid.uuid4().hex


def now_ms():
    return time.time_ns() // 1_000_000


def lease(worker_id):
    """Takes or renews it; when that ends."""
    sql = f"""
        UPDATE ttl_lease SET owner = '{OWNER}', expires_ms = {NOW} + {TTL_MS}
        WHERE worker_id = {worker_id} AND (owner = '{OWNER}' OR expires_ms < {NOW});
        SELECT count(*) FROM ttl_lease WHERE worker_id = {worker_id} AND owner = '{OWNER}'"""
    asked_ms = now_ms()
    answer = subprocess.run([*CLIENT, sql], check=True, capture_output=True, text=True).stdout
    return asked_ms + TTL_MS if "1" in answer.split() else None


def mint_under(worker_id, ends_ms, last_ms):
    """Mints until the lease is lost; the last millisecond in which it did."""
    while True:
        now = now_ms()
        if now > ends_ms - TTL_MS // 2:
            ends_ms = lease(worker_id)
            if not ends_ms:
                return last_ms
        elif now > last_ms:
            first = (now << 2 | worker_id) << 12
            print("\n".join(str(first | sequence) for sequence in range(16)), flush=True)
            last_ms = now
        else:
            select.select([], [], [], 0.001)


last_ms = 0
while True:
    for worker_id in range(4):
        if ends_ms := lease(worker_id):
            last_ms = mint_under(worker_id, ends_ms, last_ms)
    select.select([], [], [], 0.1)

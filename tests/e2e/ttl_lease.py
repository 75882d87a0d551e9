"""What many do, and what must not pass for ours: a worker ID leased for a time, which its holder
believes to be its own until its clock says that the time is over.

usage: ttl_lease.py TTL_MS KIND CLIENT...: mints in the layout time:41,worker:2,sequence:12. CLIENT asks
a server of that KIND what is appended to it; of etcd it is what all URLs of its gateway begin with.
Databases have a table `ttl_lease (worker_id, owner, expires_ms)` with a row for each worker ID."""

import base64
import json
import os
import select
import subprocess
import sys
import time
import uuid

TTL_MS, KIND, CLIENT = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
# A client does not go by the clock that was made for us: redis-cli stands still under it.
AS_IT_IS = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
OWNER = uuid.uuid4().hex
NOW = {
    "postgres": "CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS bigint)",
    "mariadb": "CAST(unix_timestamp(sysdate(3)) * 1000 AS SIGNED)",
}
SCRIPT = """
    local owner = redis.call('GET', KEYS[1])
    if owner and owner ~= ARGV[1] then return 0 end
    redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
    return 1"""


def now_ms():
    return time.time_ns() // 1_000_000


def encoded(text):
    return base64.b64encode(text.encode()).decode()


def etcd(path, question):
    """Returns the answer of its gateway."""
    command = ["curl", "-sSf", "--max-time", "10", f"{CLIENT[0]}/v3/{path}", "-d", json.dumps(question)]
    answer = subprocess.run(command, env=AS_IT_IS, check=True, capture_output=True, text=True).stdout
    return json.loads(answer)


def lease_of_etcd(worker_id):
    """Puts the key under a lease of its own, where it is there no more or was ours; for how long, which
    may be longer than what was asked for."""
    key = encoded(f"ttl_lease/{worker_id}")
    granted = etcd("lease/grant", {"TTL": str(TTL_MS // 1_000)})
    put = {"request_put": {"key": key, "value": encoded(OWNER), "lease": granted["ID"]}}
    is_free = {"key": key, "target": "VERSION", "version": "0", "result": "EQUAL"}
    is_ours = {"key": key, "target": "VALUE", "value": encoded(OWNER), "result": "EQUAL"}
    tries = ({"compare": [condition], "success": [put]} for condition in (is_ours, is_free))
    is_put = any(etcd("kv/txn", one).get("succeeded") for one in tries)
    return int(granted["TTL"]) * 1_000 if is_put else None


def statement(worker_id):
    """Returns a command that takes a worker ID or renews it, and answers 1 if that was done."""
    if KIND == "redis":
        return ["EVAL", SCRIPT, "1", f"ttl_lease:{worker_id}", OWNER, str(TTL_MS)]
    sql = f"""
        UPDATE ttl_lease SET owner = '{OWNER}', expires_ms = {NOW[KIND]} + {TTL_MS}
        WHERE worker_id = {worker_id} AND (owner = '{OWNER}' OR expires_ms < {NOW[KIND]});
        SELECT count(*) FROM ttl_lease WHERE worker_id = {worker_id} AND owner = '{OWNER}'"""
    return [sql]


def lease(worker_id):
    """Takes or renews it; when that ends."""
    asked_ms = now_ms()
    if KIND == "etcd":
        ttl_ms = lease_of_etcd(worker_id)
        return ttl_ms and asked_ms + ttl_ms
    command = [*CLIENT, *statement(worker_id)]
    answer = subprocess.run(command, env=AS_IT_IS, check=True, capture_output=True, text=True).stdout
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

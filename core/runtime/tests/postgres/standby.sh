# A standby of a PostgreSQL, `copy` by name: by bash -c, with the URL of its primary, and a port. Prints
# "ready" once it answers, and ends with its standard input.
set -eu
directory=$(mktemp -d "${TMPDIR:-/tmp}/snowmint-standby.XXXXXX")
trap 'rm -rf "$directory"' EXIT
PATH=$PATH:$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1)
cd "$directory"
pg_basebackup -d "$1" -D "$directory/data" -R -X stream -c fast
postgres -D "$directory/data" -h 127.0.0.1 -p "$2" -k "$directory" -c cluster_name=copy \
    </dev/null >"$directory/log" 2>&1 &
for tried in $(seq 600); do
    if pg_isready -q -h 127.0.0.1 -p "$2"; then echo ready; break; fi
    kill -0 $! || { cat "$directory/log" >&2; exit 1; }
    sleep 0.1
done
read -r line || true
kill -QUIT $!
wait $! || true

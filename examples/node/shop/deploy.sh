# Checks snowmint's tables, applies migrations, and starts a process.
set -eu
cd "$(dirname "$0")"
. ./settings.sh
npx snowmint migrate "$IDS_STORE"
npx drizzle-kit migrate
exec node "$1"

# Checks snowmint's tables, applies migrations, and starts a process for each core.
set -eu
. ./settings.sh
npx snowmint migrate "$IDS_STORE"
npx drizzle-kit migrate
exec node cluster.js "$1"

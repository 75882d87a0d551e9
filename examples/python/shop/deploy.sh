# Prepares both databases for this version, and starts it. The settings come from the environment.
set -eu
cd "$(dirname "$0")"
case "$IDS_STORE" in
    *key_space=*) ;;
    *) echo "add to IDS_STORE the key_space=… that 'python -m snowmint migrate' prints" >&2; exit 1 ;;
esac
python -m snowmint migrate "$IDS_STORE"   # with key_space= it only checks
python tags.py
alembic upgrade head
exec uvicorn main:app --workers 2

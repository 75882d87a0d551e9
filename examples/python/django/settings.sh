# The variables of settings.py. Read them into each new shell: . ./settings.sh
export IDS_STORE="sqlite:$PWD/ids.db"
export SNOWMINT_PUBLIC_ID_KEYS="$(cat keys.toml)"

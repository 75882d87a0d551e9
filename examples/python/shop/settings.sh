# --8<-- [start:urls]
# The settings of this application. Read them into each new shell: . ./settings.sh
export IDS_STORE="sqlite:$PWD/ids.db"            # snowmint's
export DATABASE_URL="sqlite:///$PWD/shop.db"     # SQLAlchemy's
# --8<-- [end:urls]
export SNOWMINT_PUBLIC_ID_KEYS="$(cat keys.toml)"

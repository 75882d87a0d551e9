# --8<-- [start:install]
python -m pip install fastapi 'uvicorn[standard]' sqlalchemy alembic pytest httpx2
# --8<-- [end:install]
# --8<-- [start:settings]
export IDS_STORE="sqlite:$PWD/ids.db"     # snowmint's
export DATABASE_URL="sqlite:///shop.db"   # SQLAlchemy's
python -m snowmint migrate "$IDS_STORE"   # creates the tables of IDS_STORE
# --8<-- [end:settings]
# --8<-- [start:keys]
(umask 077; python -c 'import snowmint; print(snowmint.PublicIdKeys.generate().to_toml())' >keys.toml)
export SNOWMINT_PUBLIC_ID_KEYS="$(cat keys.toml)"
# --8<-- [end:keys]
# --8<-- [start:migrations]
mkdir -p migrations/versions
alembic revision --autogenerate -m "Create orders and lines"
alembic upgrade head
# --8<-- [end:migrations]
# --8<-- [start:tests]
python -m pytest
# --8<-- [end:tests]
# --8<-- [start:serve]
uvicorn main:app --workers 2
# --8<-- [end:serve]

# --8<-- [start:install]
python -m pip install fastapi 'uvicorn[standard]' sqlalchemy alembic 'psycopg[binary]' pytest httpx2
# --8<-- [end:install]
# --8<-- [start:install-sqlalchemy]
python -m pip install sqlalchemy alembic 'psycopg[binary]' pytest
# --8<-- [end:install-sqlalchemy]
# --8<-- [start:keys]
(umask 077; set -C; python -c 'import snowmint; print(snowmint.PublicIdKeys.generate().to_toml())' >keys.toml)
# --8<-- [end:keys]
# --8<-- [start:create]
. ./settings.sh
python -m snowmint migrate "$IDS_STORE"   # creates snowmint's tables
python tags.py
# --8<-- [end:create]
# --8<-- [start:migrations]
mkdir -p migrations/versions
alembic revision --autogenerate -m "Create orders and lines"
alembic upgrade head
# --8<-- [end:migrations]
# --8<-- [start:tests]
python -m pytest
# --8<-- [end:tests]
# --8<-- [start:serve]
uvicorn main:app --reload
# --8<-- [end:serve]
# --8<-- [start:pin]
pin=$(python -m snowmint migrate "$IDS_STORE") &&
    export IDS_STORE="$IDS_STORE?key_space=${pin##*key_space=}"
# --8<-- [end:pin]
# --8<-- [start:deploy]
sh deploy.sh
# --8<-- [end:deploy]
# --8<-- [start:gunicorn]
gunicorn main:app --worker-class asgi --workers 2
# --8<-- [end:gunicorn]
# --8<-- [start:install-celery]
python -m pip install celery
# --8<-- [end:install-celery]
# --8<-- [start:worker]
celery --app tasks worker --loglevel INFO
# --8<-- [end:worker]
# --8<-- [start:install-async]
python -m pip install 'sqlalchemy[asyncio]' aiosqlite
# --8<-- [end:install-async]

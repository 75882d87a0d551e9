# --8<-- [start:install]
python -m pip install django djangorestframework 'psycopg[binary]' gunicorn
# --8<-- [end:install]
# --8<-- [start:keys]
(umask 077; set -C; python -c 'import snowmint; print(snowmint.PublicIdKeys.generate().to_toml())' >keys.toml)
# --8<-- [end:keys]
# --8<-- [start:create]
. ./settings.sh
python -m snowmint migrate "$IDS_STORE"   # creates snowmint's tables
python tags.py
# --8<-- [end:create]
# --8<-- [start:migrations]
python manage.py makemigrations shop
python manage.py migrate
# --8<-- [end:migrations]
# --8<-- [start:tests]
python manage.py test --settings test_settings
# --8<-- [end:tests]
# --8<-- [start:pin]
pin=$(python -m snowmint migrate "$IDS_STORE") &&
    export IDS_STORE="$IDS_STORE?key_space=${pin##*key_space=}"
# --8<-- [end:pin]
# --8<-- [start:deploy]
sh deploy.sh
# --8<-- [end:deploy]

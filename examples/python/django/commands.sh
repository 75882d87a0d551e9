# --8<-- [start:install]
python -m pip install django djangorestframework gunicorn
# --8<-- [end:install]
# --8<-- [start:settings]
export IDS_STORE="sqlite:$PWD/ids.db"
python -m snowmint migrate "$IDS_STORE"
python -c "import os, snowmint; snowmint.Store.open(os.environ['IDS_STORE']).ensure_tag('tickets')"
# --8<-- [end:settings]
# --8<-- [start:keys]
(umask 077; python -c 'import snowmint; print(snowmint.PublicIdKeys.generate().to_toml())' >keys.toml)
export SNOWMINT_PUBLIC_ID_KEYS="$(cat keys.toml)"
# --8<-- [end:keys]
# --8<-- [start:migrations]
python manage.py makemigrations shop
python manage.py migrate
# --8<-- [end:migrations]
# --8<-- [start:tests]
python manage.py test --settings test_settings
# --8<-- [end:tests]
# --8<-- [start:serve]
gunicorn wsgi --workers 2
# --8<-- [end:serve]

# --8<-- [start:install]
python -m pip install celery pytest
# --8<-- [end:install]
# --8<-- [start:settings]
export IDS_STORE="sqlite:$PWD/ids.db"
python -m snowmint migrate "$IDS_STORE"
# --8<-- [end:settings]
# --8<-- [start:tests]
python -m pytest
# --8<-- [end:tests]
# --8<-- [start:worker]
celery --app tasks worker --loglevel INFO
# --8<-- [end:worker]

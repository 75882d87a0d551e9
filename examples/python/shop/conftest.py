"""Sets the places of the tests before a test imports the application."""
import os
import uuid

from snowmint import PublicIdKeys

os.environ["IDS_STORE"] = f"memory:{uuid.uuid4()}"
# Each process of pytest-xdist has a store and a database of its own.
os.environ["DATABASE_URL"] = f"sqlite:///test-{os.environ.get('PYTEST_XDIST_WORKER', 'main')}.db"
os.environ["BROKER_URL"] = "memory://"
os.environ["SNOWMINT_PUBLIC_ID_KEYS"] = PublicIdKeys.generate().to_toml()

"""Sets the places of the tests before a test imports the application."""
import os
import uuid

from snowmint import PublicIdKeys

os.environ["IDS_STORE"] = f"memory:{uuid.uuid4()}"
os.environ["DATABASE_URL"] = "sqlite:///test.db"
os.environ["SNOWMINT_PUBLIC_ID_KEYS"] = PublicIdKeys.generate().to_toml()

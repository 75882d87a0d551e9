import os
import uuid

from snowmint import PublicIdKeys

os.environ["IDS_STORE"] = f"memory:{uuid.uuid4()}"
os.environ["SNOWMINT_PUBLIC_ID_KEYS"] = PublicIdKeys.generate().to_toml()

from settings import *  # noqa: E402, F403

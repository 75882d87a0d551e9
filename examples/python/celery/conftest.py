import os
import uuid

os.environ["IDS_STORE"] = f"memory:{uuid.uuid4()}"

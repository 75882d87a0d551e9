import os
from pathlib import Path

BASE_DIR = Path(__file__).resolve().parent
SECRET_KEY = os.environ.get("SECRET_KEY", "for development")
ALLOWED_HOSTS = ["localhost", "127.0.0.1"]
ROOT_URLCONF = "urls"
INSTALLED_APPS = ["rest_framework", "shop"]
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "UNAUTHENTICATED_USER": None,
    "EXCEPTION_HANDLER": "shop.errors.answer",
}
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": BASE_DIR / "shop.db"}}
USE_TZ = True
# The logger "snowmint" reports outages.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"console": {"class": "logging.StreamHandler"}},
    "root": {"handlers": ["console"], "level": "INFO"},
}

IDS_STORE = os.environ["IDS_STORE"]
AND = "&" if "?" in IDS_STORE else "?"
SNOWMINT = f"snowflake+{IDS_STORE}"               # what IdField() and NewId() use
TICKETS = f"segment+{IDS_STORE}{AND}tag=tickets"  # what NewId("TICKETS") uses

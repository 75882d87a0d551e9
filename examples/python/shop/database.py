import os

from sqlalchemy import create_engine
from sqlalchemy.orm import Session, sessionmaker

engine = create_engine(os.environ["DATABASE_URL"], pool_pre_ping=True)
# Rows keep their values after the commit, so an answer needs no connection.
new_session = sessionmaker(engine, class_=Session, expire_on_commit=False)

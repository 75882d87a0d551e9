from alembic import context

import models
from database import engine

with engine.connect() as connection:
    context.configure(connection=connection, target_metadata=models.Base.metadata)
    with context.begin_transaction():
        context.run_migrations()

"""A part of Alembic's env.py, which leaves the schema of snowmint's tables alone."""


# --8<-- [start:include]
def include_name(name, type_, parent_names):
    return not (type_ == "schema" and name == "snowmint")
# --8<-- [end:include]


assert not include_name("snowmint", "schema", {})
assert include_name("public", "schema", {}) and include_name("snowmint", "table", {})

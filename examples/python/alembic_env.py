"""A part of Alembic's env.py, which leaves snowmint's tables alone, wherever they are."""


# --8<-- [start:include]
def include_name(name, type_, parent_names):
    return not (type_ == "table" and name.startswith("snowmint_"))
# --8<-- [end:include]


assert not include_name("snowmint_segment", "table", {})
assert include_name("orders", "table", {}) and include_name(None, "schema", {})

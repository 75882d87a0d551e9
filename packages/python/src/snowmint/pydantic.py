"""IDs, public IDs and parts as fields of Pydantic's models (version 2)::

    class Order(BaseModel):
        id: Id                                     # an int here, and a string in JSON; or Id | None
        basket: Annotated[int, PublicId(baskets)]  # an int here, and basket_1… outside; or int | None
        parts: Parts                               # by itself: what Parts.asdict gives, outside
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, SupportsIndex, get_args

from pydantic_core import PydanticCustomError, core_schema

if TYPE_CHECKING:
    from pydantic import (
        GetCoreSchemaHandler,
        GetJsonSchemaHandler,
        SerializationInfo,
        ValidatorFunctionWrapHandler,
    )
    from pydantic.json_schema import JsonSchemaValue
    from pydantic_core import CoreSchema

    from snowmint import PublicIds

from snowmint._fastapi import validated
from snowmint._native import Parts
from snowmint._public_ids import checked
from snowmint._raw_ids import of_json

__all__ = ["Id", "PublicId", "UnsignedId"]

_NOT_AN_INTEGER = (
    "a public ID is required, not an integer: a model that only the application fills in takes IDs "
    "with PublicId(ids, take_ids=True)"
)

_NO_ID = "an ID is an integer from 0 to {max}, or a string of its digits"

# The largest integer that JavaScript keeps.
_EXACT_MAX = (1 << 53) - 1
_ROUNDED = "an ID above 9007199254740991 is a string in JSON, because JavaScript rounds such integers"

# The years 1 to 9999, so that every accepted time can be written.
_FIRST_MS, _LAST_MS = -62_135_596_800_000, 253_402_300_799_999


class _Id:
    """Reads and writes IDs of at most this many bits."""

    def __init__(self, bits: int) -> None:
        self.max = (1 << bits) - 1

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.json_or_python_schema(
            core_schema.no_info_plain_validator_function(self._of_json),
            core_schema.no_info_plain_validator_function(
                lambda value: (self._of_json if validated() == "validation" else self._of)(value)
            ),
            serialization=core_schema.plain_serializer_function_ser_schema(str, when_used="json"),
        )

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        pattern = f"^(0|[1-9][0-9]{{0,{len(str(self.max)) - 1}}})$"
        return {"type": "string", "pattern": pattern, "examples": ["1541815603606036480"]}

    def _of(self, value: Any) -> int:
        try:
            id = of_json(value)
        except (TypeError, ValueError):
            id = -1
        if not 0 <= id <= self.max:
            raise PydanticCustomError("id", _NO_ID, {"max": str(self.max)})
        return id

    def _of_json(self, value: Any) -> int:
        id = self._of(value)
        if id > _EXACT_MAX and not isinstance(value, str):
            raise PydanticCustomError("id", _ROUNDED)
        return id


_UNSIGNED = _Id(64)

Id = Annotated[int, _Id(63)]
"""An ID that fits into a ``BIGINT``: an ``int`` in Python, and a string of decimal digits in JSON.

JavaScript rounds integers above 2**53, so an ID in JSON is a string. As input, strings of decimal
digits are accepted, and integers. An integer above 2**53 is refused in JSON and in FastAPI's
requests, because a client may have rounded it. The JSON schema is that of a string.

IDs of 2**63 and above are refused, because a signed column has no such numbers.
``layout.fits(63)`` says whether a layout has them.
"""

UnsignedId = Annotated[int, _UNSIGNED]
"""Like ``Id``, for all IDs of 64 bits. Use it with layouts that have IDs of 2**63 and above."""


class PublicId:
    """An annotation that reads an ``int`` from a public ID, and writes it as a public ID in JSON.

    Integers are refused, so that nobody can ask by the ID itself: a framework reads a body before
    the model sees it. FastAPI's answers take them: one model can be a body and a ``response_model``
    that is filled from rows. Where your own code makes a model of IDs, as ``Order(id=row.id)``, use
    a model of its own with ``take_ids=True``.

    In a collection, annotate the elements: ``list[Annotated[int, PublicId(orders)]]``. Anything
    except ``int`` and ``int | None`` is a ``TypeError`` when the model is defined.

    Args:
        ids: the result of ``PublicIdKeys.public_ids``.
        take_ids: true to accept integers everywhere. Never set it in a model that a client fills
            in: a client could then ask by the ID itself.

    Raises:
        TypeError: if ``ids`` are something else.
    """

    def __init__(self, ids: PublicIds, *, take_ids: bool = False) -> None:
        self.ids = checked(ids, "PublicId")
        self.take_ids = take_ids

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        annotated = handler.resolve_ref_schema(handler(source))
        # For example Annotated[int | None, PublicId(orders)].
        nullable = annotated["type"] == "nullable"
        if (annotated["schema"] if nullable else annotated)["type"] != "int":
            raise TypeError(_not_an_int(source))
        text = core_schema.no_info_after_validator_function(
            self.ids.decode, core_schema.str_schema(strict=True)
        )
        schema = core_schema.json_or_python_schema(
            text,
            core_schema.no_info_wrap_validator_function(self._read, text),
            serialization=core_schema.plain_serializer_function_ser_schema(
                self._written, info_arg=True
            ),
        )
        return core_schema.nullable_schema(schema) if nullable else schema

    def _read(self, value: Any, text: ValidatorFunctionWrapHandler) -> Any:
        if not isinstance(value, SupportsIndex):
            return text(value)
        if self.take_ids or validated() == "serialization":
            return _UNSIGNED._of(value)
        raise PydanticCustomError("public_id", _NOT_AN_INTEGER)

    def _written(self, id: int, info: SerializationInfo) -> int | str:
        return self.ids.encode(id) if info.mode == "json" else id

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        text: JsonSchemaValue = {"type": "string", "examples": [self.ids.encode(0)]}
        return {"anyOf": [text, {"type": "null"}]} if schema["type"] == "nullable" else text


def _not_an_int(source: Any) -> str:
    kind = source.__name__ if isinstance(source, type) and not get_args(source) else str(source)
    return (
        f"PublicId annotates int or int | None, before any validator, and not {kind}: of a collection "
        "it annotates the elements, as list[Annotated[int, PublicId(orders)]]"
    )


def _dated(parts: Parts) -> Parts:
    """Returns the parts. Fails if they cannot be written because no ``datetime`` has their time."""
    if not _FIRST_MS <= parts.unix_ms <= _LAST_MS:
        raise ValueError(f"the time {parts.unix_ms} ms is not in the years 1 to 9999")
    return parts


def _parts_schema() -> CoreSchema:
    """Returns the schema for ``Parts``, or for the ``dict`` of ``asdict``, whose time may be Unix
    milliseconds."""
    number = core_schema.int_schema(strict=True, ge=0, lt=1 << 32)
    aware = core_schema.datetime_schema(tz_constraint="aware")
    # Pydantic would take other numbers for seconds.
    text = core_schema.chain_schema([core_schema.str_schema(strict=True), aware])
    time = core_schema.union_schema(
        [
            (core_schema.datetime_schema(tz_constraint="aware", strict=True), "datetime"),
            (core_schema.int_schema(strict=True, ge=_FIRST_MS, le=_LAST_MS), "milliseconds"),
            (text, "text"),
        ],
        mode="left_to_right",
    )
    fields = {"time": core_schema.typed_dict_field(time)}
    for name in ("worker_id", "sequence", "rollback"):
        fields[name] = core_schema.typed_dict_field(number, required=False)
    written = core_schema.typed_dict_schema(fields, extra_behavior="forbid")
    itself = core_schema.no_info_after_validator_function(
        _dated, core_schema.is_instance_schema(Parts)
    )
    made = core_schema.no_info_after_validator_function(lambda parts: Parts(**parts), written)
    return core_schema.json_or_python_schema(
        made,
        core_schema.union_schema([(itself, "Parts"), (made, "dict")]),
        serialization=core_schema.plain_serializer_function_ser_schema(
            Parts.asdict, return_schema=written
        ),
    )

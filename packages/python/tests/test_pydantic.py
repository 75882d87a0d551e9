"""IDs in Pydantic's models and in FastAPI: strings in JSON, which JavaScript does not round."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import pydantic
import pytest
from fastapi import Body
from pydantic import (
    BaseModel,
    TypeAdapter,
    ValidationError,
    ValidatorFunctionWrapHandler,
    field_validator,
)
from snowmint import PublicIdKeys
from snowmint.pydantic import Id, PublicId, UnsignedId

PATTERN = "^(0|[1-9][0-9]{0,18})$"
ORDERS = PublicIdKeys.generate().public_ids("order")
ID = 1541815603606036481


class Order(BaseModel):
    id: Id
    parent: Id | None = None
    parts: list[Id] = []


class Asked(BaseModel):
    id: Annotated[int, PublicId(ORDERS)]


class Answered(BaseModel):
    id: Annotated[int, PublicId(ORDERS, take_ids=True)]


@dataclass
class Row:
    """As an ORM gives one."""

    id: int


@pytest.mark.filterwarnings("error")
def test_ids_are_strings_in_json() -> None:
    order = Order(id=ID, parent=2**63 - 1, parts=[0, 7])
    assert order.model_dump() == {"id": ID, "parent": 2**63 - 1, "parts": [0, 7]}
    written = {"id": str(ID), "parent": str(2**63 - 1), "parts": ["0", "7"]}
    assert json.loads(order.model_dump_json()) == order.model_dump(mode="json") == written
    text = order.model_dump_json()
    # As Pydantic reads a body, and as it gets one that a framework has read.
    assert Order.model_validate_json(text) == Order.model_validate(json.loads(text)) == order
    plain = {"id": ID, "parent": 2**63 - 1, "parts": [0, 7]}
    assert Order.model_validate(plain) == order
    with pytest.raises(ValidationError, match="is a string in JSON, because JavaScript rounds"):
        Order.model_validate_json(json.dumps(plain))
    assert Order.model_validate_json('{"id": 9007199254740991}').id == 2**53 - 1
    assert type(Order(id=np.uint64(ID)).id) is int  # type: ignore[arg-type]
    assert json.loads(Order(id=7).model_dump_json()) == {"id": "7", "parent": None, "parts": []}
    named = TypeAdapter(dict[Id, str])
    assert named.validate_json(named.dump_json({ID: "tea"})) == {ID: "tea"}


def test_what_is_no_id_is_refused() -> None:
    wrong: list[Any] = [
        -1, 2**64, 7.0, 1e18, 2**63, str(2**63), True, None, [7], {}, "", "-1", "+7", "07", " 7", "7\n", "7.0", "1e3", "٧", "0x7", str(2**64),
        "9" * 20, "1" + "0" * 5000,
    ]
    for value in wrong:
        for validate in (Order.model_validate, lambda body: Order.model_validate_json(json.dumps(body))):
            with pytest.raises(ValidationError, match="an ID is an integer from 0 to 9223372036854775807, or") as raised:
                validate({"id": value})
            assert [error["loc"] for error in raised.value.errors()] == [("id",)]


def test_an_unsigned_id_has_64_bits() -> None:
    adapter = TypeAdapter(UnsignedId)
    assert adapter.validate_json(adapter.dump_json(2**64 - 1)) == 2**64 - 1
    assert adapter.json_schema()["pattern"] == "^(0|[1-9][0-9]{0,19})$"
    for value in (2**64, -1, "tea"):
        with pytest.raises(ValidationError, match="an ID is an integer from 0 to 18446744073709551615, or"):
            adapter.validate_python(value)


def test_the_schema_of_an_id_is_a_string() -> None:
    text = {"type": "string", "pattern": PATTERN, "examples": ["1541815603606036480"]}
    for mode in ("validation", "serialization"):
        schema = Order.model_json_schema(mode=mode)["properties"]  # type: ignore[arg-type]
        assert schema["id"] == {**text, "title": "Id"}
        assert schema["parent"]["anyOf"] == [text, {"type": "null"}]
        assert schema["parts"]["items"] == text


def test_ids_in_fastapi() -> None:
    from fastapi import FastAPI
    from fastapi.testclient import TestClient

    app = FastAPI()

    @app.get("/orders/{id}", response_model=Order)
    def shown(id: Id, after: Id = 0) -> Any:
        assert type(id) is int and type(after) is int
        return Row(id + after)

    @app.post("/orders")
    def added(order: Order) -> Order:
        return order

    client = TestClient(app)
    assert client.get(f"/orders/{ID}").json()["id"] == str(ID)
    assert client.get(f"/orders/{ID}", params={"after": 1}).json()["id"] == str(ID + 1)
    for wrong in ("tea", "-1", str(2**63)):
        assert client.get(f"/orders/{wrong}").status_code == 422
    for id in (7, 2**53 - 1, str(ID)):
        assert client.post("/orders", json={"id": id}).json()["id"] == str(id)
    # A client may have rounded it.
    assert client.post("/orders", json={"id": ID}).status_code == 422
    assert client.post("/orders", json={"id": "7", "parts": [ID]}).status_code == 422
    assert client.post("/orders", json={"id": 7.5}).status_code == 422
    openapi = client.get("/openapi.json").json()
    [id, _] = openapi["paths"]["/orders/{id}"]["get"]["parameters"]
    assert (id["schema"]["type"], id["schema"]["pattern"]) == ("string", PATTERN)


def test_one_model_of_public_ids_is_body_and_answer_in_fastapi() -> None:
    from fastapi import FastAPI
    from fastapi.testclient import TestClient

    app = FastAPI()
    given: list[int] = []

    @app.post("/orders", response_model=Asked)
    def added(asked: Asked) -> Any:
        given.append(asked.id)
        return Row(asked.id)

    @app.post("/many")
    async def many(bodies: list[Asked], one: Annotated[Asked, Body()]) -> list[Asked]:
        return [one, *bodies]

    @app.get("/read", response_model=dict[str, list[Asked] | None])
    async def read(id: Annotated[int, PublicId(ORDERS)]) -> Any:
        return {"rows": [{"id": id}, {"id": np.uint64(id)}, {"id": ORDERS.encode(id)}], "none": None}

    client = TestClient(app)
    own = {"id": ORDERS.encode(ID)}
    assert client.post("/orders", json=own).json() == own and given == [ID]
    assert client.post("/many", json={"bodies": [own], "one": own}).json() == [own, own]
    assert client.get("/read", params=own).json() == {"rows": [own, own, own], "none": None}
    # A client never asks by the ID itself.
    raw = {"id": ID}
    assert client.post("/orders", json=raw).status_code == 422 and given == [ID]
    for body in ({"bodies": [raw], "one": own}, {"bodies": [own], "one": raw}):
        assert client.post("/many", json=body).status_code == 422
    assert client.get("/read", params={"id": str(ID)}).status_code == 422


def test_what_a_client_sent_is_read_as_such_in_an_answer_too() -> None:
    from fastapi import FastAPI
    from fastapi.exceptions import ResponseValidationError
    from fastapi.testclient import TestClient

    @pydantic.dataclasses.dataclass
    class Made:
        id: Annotated[int, PublicId(ORDERS)]

    readers: dict[str, Any] = {
        "model": Asked.model_validate,
        "adapter": TypeAdapter(Asked).validate_python,
        "dataclass": lambda sent: Made(**sent),
    }

    class Answer(BaseModel):
        order: Asked

        @field_validator("order", mode="wrap")
        @classmethod
        def past(cls, value: Any, read: ValidatorFunctionWrapHandler) -> Any:
            return readers.get(value.pop("by"), read)(value)

    app = FastAPI()

    @app.get("/{by}", response_model=Answer)
    def answered(by: str) -> Any:
        return {"order": {"id": ID, "by": by}}

    client = TestClient(app)
    assert client.get("/own").json() == {"order": {"id": ORDERS.encode(ID)}}
    for by in readers:
        with pytest.raises(ResponseValidationError, match=r"PublicId\(ids, take_ids=True\)"):
            client.get(f"/{by}")


class Own:
    """Like a field of FastAPI that validates answers."""

    mode = "serialization"

    def validate(self, value: Any) -> Asked:
        return TypeAdapter(Asked).validate_python(value)


def test_an_integer_in_place_of_a_public_id_says_who_takes_one() -> None:
    for value in (ID, True, np.int64(ID)):
        for read in (Asked.model_validate, TypeAdapter(Asked).validate_python, Own().validate):
            with pytest.raises(ValidationError, match=r"with PublicId\(ids, take_ids=True\)"):
                read({"id": value})
    with pytest.raises(ValidationError):
        Asked.model_validate_json(json.dumps({"id": ID}))
    assert Answered.model_validate(Row(ID), from_attributes=True).id == Answered(id=ID).id == ID
    for wrong in (-1, 2**64, True):
        with pytest.raises(ValidationError, match="an ID is an integer from 0 to 18446"):
            Answered(id=wrong)

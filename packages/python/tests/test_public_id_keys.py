"""Public IDs: the shared vectors, and what Python adds to them."""

from __future__ import annotations

import copy
import json
import os
import pickle
import threading
import uuid
from array import array
from pathlib import Path
from typing import Any

import pytest
from vectors import document, judge, known, wide

import snowmint
from snowmint import PublicIdKeys, PublicIds

KEYS = b"[keys]\n1 = '2b7e151628aed2a6abf7158809cf4f3c'\n"
ID = 1541815603606036480
WIDTHS = (64, 63, 53)


@pytest.fixture
def orders() -> PublicIds:
    return PublicIdKeys.from_bytes(KEYS).public_ids("order")


def keyring(name: str, current: str | None = None) -> PublicIdKeys:
    rings = {ring["name"]: ring for ring in document("opaque.json")["keyrings"]}
    ring = known(rings[name], "name realm current numbers keys")
    given = {key: value for key, value in ring.items() if key != "name"}
    return PublicIdKeys.from_bytes(json.dumps({**given, "current": current or ring["current"]}).encode())


def test_the_ids_of_the_vectors() -> None:
    cases = known(document("opaque.json"), "aes ff1 keyrings ids refused refused_keys")
    assert len(cases["ids"]) == 500
    for row in cases["ids"]:
        known(row, "keyring key type id token base64url uuid number_64 number_63 number_53")
        id, kind = wide(row["id"]), row["type"]
        texts = {"token": row["token"], "base64url": row["base64url"]}
        texts["uuid"] = str(uuid.UUID(row["uuid"]))
        texts |= {f"number{bits}": row[f"number_{bits}"] for bits in WIDTHS if row[f"number_{bits}"]}
        for form, text in texts.items():
            assert keyring(row["keyring"], row["key"]).public_ids(kind, form).encode(id) == text
            # Read under the keyring's own current key, whichever made it.
            assert keyring(row["keyring"]).public_ids(kind, form).decode(text) == id


def test_the_refusals_of_the_vectors() -> None:
    cases = document("opaque.json")
    for row in cases["refused"]:
        text, form = row["text"], row["form"]
        text = str(uuid.UUID(text)) if form == "uuid" else text
        ids = keyring(row["keyring"]).public_ids(row["type"], form)
        judge(row, lambda: ids.decode(text), lambda: None)
    for row in cases["refused_keys"]:
        judge(row, lambda: PublicIdKeys.from_bytes(row["document"].encode()), lambda: None)


def test_a_token_there_and_back(orders: PublicIds) -> None:
    token = orders.encode(ID)
    assert token.startswith("order_1") and len(token) == 33
    assert orders.decode(token) == ID
    assert (orders.type, orders.form) == ("order", "token")
    other = orders.encode_uuid(ID)
    assert other.version == 8 and orders.decode_uuid(other) == ID
    for bits in WIDTHS:
        number = orders.encode_number(7, bits)
        assert number < 2**bits and orders.decode_number(number, bits) == 7


def test_a_refused_text_tells_only_what_everybody_sees(orders: PublicIds) -> None:
    token = orders.encode(ID)
    users = PublicIdKeys.from_bytes(KEYS).public_ids("user")
    refused = {
        token[:-1] + ("0" if token[-1] != "0" else "1"): "not_found",
        token.replace("order_1", "order_2"): "not_found",
        "order_100000000000000000000000000": "not_found",
        users.encode(ID): "wrong_type",
        token[:-1]: "text_length",
        token.upper(): "text_not_canonical",
        token[:-1] + "u": "invalid_text",
        "": "wrong_type",
        "\ud800" * 33: "wrong_type",
        "order_1\udcff" + "0" * 25: "text_length",
    }
    for text, code in refused.items():
        with pytest.raises(snowmint.TextError) as raised:
            orders.decode(text)
        assert isinstance(raised.value, ValueError) and raised.value.code == code, text
    messages = set()
    for text in [text for text, code in refused.items() if code == "not_found"]:
        with pytest.raises(snowmint.TextError) as raised:
            orders.decode(text)
        messages.add((str(raised.value), repr(raised.value.__cause__)))
    assert messages == {("there is no such ID", "None")}


@pytest.mark.parametrize("wrong", [7, b"order_1", None, 1.5, ["order_1"]], ids=repr)
def test_texts_of_a_wrong_type(orders: PublicIds, wrong: Any) -> None:
    with pytest.raises(TypeError):
        orders.decode(wrong)
    with pytest.raises(TypeError):
        orders.decode_many([wrong])
    with pytest.raises(TypeError):
        orders.decode_uuid(wrong)


@pytest.mark.parametrize("wrong", [True, 1.0, "7", None], ids=repr)
def test_integers_of_a_wrong_type(orders: PublicIds, wrong: Any) -> None:
    for call in (orders.encode, orders.encode_uuid, orders.encode_number, orders.decode_number):
        with pytest.raises(TypeError):
            call(wrong)
    with pytest.raises(TypeError):
        orders.encode_many([wrong])


@pytest.mark.parametrize("wrong", [-1, 2**64], ids=hex)
def test_integers_out_of_range(orders: PublicIds, wrong: int) -> None:
    for call in (orders.encode, orders.encode_uuid, orders.encode_number, orders.decode_number):
        with pytest.raises(snowmint.ParameterError):
            call(wrong)


def test_numbers_have_three_widths(orders: PublicIds) -> None:
    for bits in (0, 52, 128):
        with pytest.raises(snowmint.ParameterError, match="64, 63 or 53"):
            orders.encode_number(7, bits)
    with pytest.raises(snowmint.ParameterError, match="more than 53 bits"):
        orders.encode_number(2**53, 53)


@pytest.mark.parametrize("wrong", [-1, 2**53, 2**70])
def test_a_number_of_a_user_is_better_read_as_text(orders: PublicIds, wrong: int) -> None:
    with pytest.raises(snowmint.TextError):
        PublicIdKeys.from_bytes(KEYS).public_ids("order", "number53").decode(str(wrong))
    # An integer is no text; both are a ValueError.
    with pytest.raises(snowmint.ParameterError) as raised:
        orders.decode_number(wrong, 53)
    assert isinstance(raised.value, ValueError) and raised.value.code == "invalid_parameter"


def test_columns(orders: PublicIds) -> None:
    ids = [ID + n for n in range(5000)]
    tokens = [orders.encode(id) for id in ids]
    for column in (ids, tuple(ids), iter(ids), array("Q", ids), array("q", ids), range(ID, ID + 5000)):
        assert orders.encode_many(column) == tokens
    for texts in (tokens, tuple(tokens), iter(tokens)):
        again = orders.decode_many(texts)
        assert again == array("Q", ids)
    assert orders.encode_many([]) == [] and len(orders.decode_many([])) == 0
    assert orders.encode_many(array("q", [-1])) == [orders.encode(2**64 - 1)]
    tokens[4321] = "order_1"
    with pytest.raises(snowmint.TextError, match="at index 4321: ") as raised:
        orders.decode_many(tokens)
    assert raised.value.code == "text_length"
    numbers = PublicIdKeys.from_bytes(KEYS).public_ids("order", "number53")
    with pytest.raises(snowmint.ParameterError, match="at index 3000: "):
        numbers.encode_many([*range(3000), 2**53])


def test_columns_of_a_wrong_type(orders: PublicIds) -> None:
    wrong: list[Any] = [7, None, b"bytes", bytearray(16), array("d", [1.0]), array("I", [1]), "12"]
    for column in wrong:
        with pytest.raises((TypeError, snowmint.ParameterError)):
            orders.encode_many(column)
    with pytest.raises(TypeError, match="use decode"):
        orders.decode_many(orders.encode(7))
    with pytest.raises(TypeError):
        orders.decode_many(7)  # type: ignore[arg-type]


def test_keys_are_opened_from_a_file_a_variable_or_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, orders: PublicIds
) -> None:
    path = tmp_path / "keys.toml"
    path.write_bytes(KEYS)
    path.chmod(0o600)
    monkeypatch.setenv("SNOWMINT_PUBLIC_ID_KEYS", KEYS.decode())
    monkeypatch.setenv("SHOP_KEYS", '{"keys":{"1":"2b7e151628aed2a6abf7158809cf4f3c"}}')
    for source in (str(path), path, "env:", "env:SHOP_KEYS"):
        assert PublicIdKeys.open(source).public_ids("order").encode(ID) == orders.encode(ID)
    new = PublicIdKeys.generate()
    again = PublicIdKeys.from_bytes(new.to_toml().encode())
    assert again.public_ids("order").encode(ID) == new.public_ids("order").encode(ID) != orders.encode(ID)
    assert (new.realm, new.symbols, new.current, new.numbers) == ("", ["1"], "1", "1")


def test_keys_that_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "keys.toml"
    path.write_bytes(KEYS)
    path.chmod(0o604)
    sources: list[tuple[Any, str]] = [
        (path, "keys_exposed"),
        (tmp_path / "none.toml", "invalid_keys"),
        ("env:SNOWMINT_NOT_SET", "invalid_keys"),
    ]
    for source, code in sources:
        with pytest.raises(snowmint.ParameterError) as raised:
            PublicIdKeys.open(source)
        assert raised.value.code == code
    with pytest.raises(TypeError):
        PublicIdKeys.open(7)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        PublicIdKeys.from_bytes("text")  # type: ignore[arg-type]
    secret = "2b7e151628aed2a6abf7158809cf4f"
    with pytest.raises(snowmint.ParameterError) as raised:
        PublicIdKeys.from_bytes(f"[keys]\n1 = '{secret}'".encode())
    assert raised.value.code == "invalid_keys" and secret[:8] not in str(raised.value)


def test_types_and_forms_that_are_none() -> None:
    keys = PublicIdKeys.from_bytes(KEYS)
    for kind in ("", "Order", "order_", "a" * 33):
        with pytest.raises(snowmint.ParameterError):
            keys.public_ids(kind)
    with pytest.raises(snowmint.TextError, match="token, base64url, uuid, number64") as raised:
        keys.public_ids("order", "crockford")
    assert raised.value.code == "unknown_text_form"


def test_rotations_leave_what_is_old() -> None:
    """As `snowmint public-ids rotate` writes the file: two more keys, then the first is gone."""
    first, second, third = (f"{n}" * 2 + "7e151628aed2a6abf7158809cf4f3c" for n in (1, 2, 3))
    before = PublicIdKeys.from_bytes(f"[keys]\n1 = '{first}'".encode()).public_ids("order")
    keys = f"[keys]\n1 = '{first}'\n2 = '{second}'\n3 = '{third}'\n"
    after = PublicIdKeys.from_bytes(f"current = '3'\nnumbers = '1'\n{keys}".encode())
    orders, token = after.public_ids("order"), before.encode(ID)
    assert orders.decode(token) == ID and orders.encode(ID).startswith("order_3")
    assert after.symbols == ["1", "2", "3"] and after.current == "3" and after.numbers == "1"
    gone = PublicIdKeys.from_bytes(f"current = '3'\n[keys]\n2 = '{second}'\n3 = '{third}'\n".encode())
    assert gone.numbers is None
    with pytest.raises(snowmint.TextError) as raised:
        gone.public_ids("order").decode(token)
    assert (raised.value.code, str(raised.value)) == ("not_found", "there is no such ID")
    with pytest.raises(snowmint.ParameterError, match="numbers"):
        gone.public_ids("order").encode_number(7)


def test_objects_show_and_give_away_no_key(orders: PublicIds) -> None:
    keys = PublicIdKeys.from_bytes(KEYS)
    assert repr(keys) == "<snowmint.PublicIdKeys of keys 1>"
    assert repr(orders) == "<snowmint.PublicIds of type 'order', form 'token'>"
    for thing in (keys, orders):
        with pytest.raises(TypeError, match="it has keys"):
            pickle.dumps(thing)
        assert copy.copy(thing) is thing and copy.deepcopy(thing) is thing


def test_threads_and_forks_share_one(orders: PublicIds) -> None:
    tokens = orders.encode_many(range(20_000))
    found: list[array[int]] = []
    threads = [
        threading.Thread(target=lambda: found.append(orders.decode_many(tokens))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    child = os.fork()
    if child == 0:
        os._exit(0 if orders.encode_many(range(20_000)) == tokens else 1)
    for thread in threads:
        thread.join()
    assert os.waitpid(child, 0)[1] == 0
    assert found == [array("Q", range(20_000))] * 4

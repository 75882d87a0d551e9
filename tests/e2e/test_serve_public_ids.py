"""`snowmint serve` with keys of public IDs: who may have them made and read, and what is told."""

import functools
import json

import pytest
from driver import INPUT
from services import eventually
from test_serve_openapi import schemathesis
from test_serve_tokens import bearer, reload

ID = 1541815603606036480
WARNING = "WARN public_ids.keys does not read what was given out until now"
SETTINGS = (
    *("--tokens-file", "tokens.toml", "--public-ids-keys", "keys.toml"),
    *("--public-ids-types", "order,user"),
)


@pytest.fixture
def serve(snowmint, start_service):
    """Starts services that have keys; they end with the test."""
    snowmint.run("public-ids", "keygen", "keys.toml").must_succeed()
    return functools.partial(start_service, *SETTINGS)


def ask(service, token, path, **body):
    headers = {"Content-Type": "application/json", **(bearer(token) if token else {})}
    return service.ask("POST", f"/v1/public-ids/{path}", json.dumps(body), headers)


def encode(service, token, *ids, path="order/encode"):
    answer = ask(service, token, path, ids=list(map(str, ids)))
    assert answer.status == 200, answer
    return answer.json["public"]


def decode(service, token, *texts, path="order/decode"):
    answer = ask(service, token, path, public=list(texts))
    assert answer.status == 200, answer
    assert answer.headers["cache-control"] == "no-store", answer
    return [None if id is None else int(id) for id in answer.json["ids"]]


def test_refused_ids_are_not_counted(serve, create_token):
    token = create_token("web", "--public-ids", "order", "--rate", 1, "--burst", 100)
    service = serve()
    for _ in range(3):
        wrong = ask(service, token, "order/encode", ids=["1"] * 99 + ["x"])
        assert "at index 99" in wrong.must_refuse(400, "invalid_text").json["detail"]
    assert len(encode(service, token, *range(100))) == 100
    ask(service, token, "order/encode", ids=["1"] * 100).must_refuse(429, "overloaded")


@pytest.mark.parametrize(
    "form", ["token", "base64url", "uuid", "number64", "number63", "number53"]
)
def test_each_form_is_that_of_the_command_line(snowmint, serve, create_token, form):
    token = create_token("web", "--public-ids", "order")
    service = serve()
    ids = [7, 8, ID if form != "number53" else 9]
    public = encode(service, token, *ids, path=f"order/encode?form={form}")
    assert decode(service, token, *public, path=f"order/decode?form={form}") == ids
    options = ["--form", form]
    if form.startswith("number"):
        options = ["--form", "number", "--bits", form.removeprefix("number")]
    line = ["public-ids", "encode", "--keys", "keys.toml", "--type", "order", *options, *ids]
    assert snowmint.run(*line).must_succeed().output.split() == public


def test_a_wrong_text_is_null_whatever_is_wrong(snowmint, serve, create_token):
    token = create_token("web", "--public-ids", "*")
    service = serve()
    [good] = encode(service, token, ID)
    [user] = encode(service, token, ID, path="user/encode")
    other = "a" if good[-1] != "a" else "b"
    wrong = [
        *(good[:-1] + other, "order_1" + "0" * 26, good.replace("order_1", "order_2")),
        *(user, good[:-1], good + "0", good.upper(), "", "7", "é" * 33, "\x00"),
    ]
    assert decode(service, token, *wrong, good) == [None] * len(wrong) + [ID]
    answers = [ask(service, token, "order/decode", public=[text]) for text in wrong]
    told = {(answer.status, answer.body, answer.headers["content-length"]) for answer in answers}
    assert told == {(200, b'{"ids":[null]}\n', "15")}
    assert decode(service, token, "7", path="order/decode?form=number53") != [None]
    for wrong in (str(2**53), "07", "-7", ""):
        assert decode(service, token, wrong, path="order/decode?form=number53") == [None]
    # Half of a surrogate pair, which no text has.
    body = json.dumps({"public": ["\ud800", good, "\udfff" + good[1:]]})
    assert "\\ud800" in body
    headers = {"Content-Type": "application/json", **bearer(token)}
    answer = service.ask("POST", "/v1/public-ids/order/decode", body, headers)
    assert answer.json == {"ids": [None, str(ID), None]}, answer
    assert good not in service.said and good.removeprefix("order_") not in service.said


def test_numbers_without_a_key_are_refused_both_ways(snowmint, serve, create_token):
    token = create_token("web", "--public-ids", "order")
    keys = snowmint.directory / "keys.toml"
    snowmint.run("public-ids", "rotate", "keys.toml").must_succeed()
    keys.write_text(keys.read_text().replace('numbers = "1"\n', ""))
    service = serve()
    eventually(lambda: "WARN public_ids.keys has several keys and names none" in service.said)
    for path, body in (("encode", {"ids": ["7"]}), ("decode", {"public": ["7", "07", "x"]})):
        refused = ask(service, token, f"order/{path}?form=number63", **body)
        told = refused.must_refuse(400, "invalid_keys").json["detail"]
        assert "rotate FILE --numbers SYMBOL" in told, told
    assert decode(service, token, *encode(service, token, ID)) == [ID]
    snowmint.run("public-ids", "rotate", "keys.toml", "--numbers", "1").must_succeed()
    assert reload(service).status == 200
    number = encode(service, token, 7, path="order/encode?form=number63")
    assert decode(service, token, *number, path="order/decode?form=number63") == [7]


def test_a_token_may_have_its_own_types(serve, create_token):
    web = create_token("web", "--public-ids", "order")
    everything, none = create_token("all", "--public-ids", "*"), create_token("none", "--sources", "*")
    service = serve()
    [public] = encode(service, web, ID)
    for path in ("order/encode", "order/decode"):
        ask(service, None, path, ids=["7"]).must_refuse(401, "store_denied")
        ask(service, "smt_wrong", path, ids=["7"]).must_refuse(401, "store_denied")
        ask(service, none, path, ids=["7"]).must_refuse(403, "store_denied")
    # Only those who may ask for a type are told if it exists.
    for kind in ("user", "none", "Order"):
        for verb in ("encode", "decode"):
            ask(service, web, f"{kind}/{verb}").must_refuse(403, "store_denied")
    ask(service, everything, "none/encode", ids=["7"]).must_refuse(404, "unsupported")
    assert decode(service, everything, public, path="user/decode") == [None]
    ask(service, web, "order/rotate").must_refuse(404, "unsupported")
    service.ask("GET", "/v1/public-ids/order/decode", headers=bearer(web)).must_refuse(405, "unsupported")


def test_a_list_of_tokens_shows_their_public_ids(snowmint, create_token):
    create_token("web", "--public-ids", "user,order")
    create_token("none")
    entries = snowmint.run("token", "list", "--file", "tokens.toml", "--json").must_succeed()
    rows = [json.loads(line) for line in entries.output.splitlines()]
    assert [row["public_ids"] for row in rows] == [["order", "user"], []]
    shown = snowmint.run("token", "list", "--file", "tokens.toml").must_succeed().output
    assert "PUBLIC IDS" in shown and "order,user" in shown
    wrong = ("token", "create", "--file", "tokens.toml", "--name", "x", "--public-ids", "Order")
    snowmint.run(*wrong).must_refuse(INPUT, saying='public_ids: "Order": a type is 1 to 32')


def test_counts_have_limits(serve, create_token):
    plain = create_token("plain", "--public-ids", "order")
    few = create_token("few", "--public-ids", "order", "--max-count", 10)
    # As slow as can be: what was taken does not come back while the test runs.
    slow = create_token("slow", "--public-ids", "order", "--rate", 1, "--burst", 40)
    service = serve("--public-ids-count", 500)
    public = encode(service, plain, *range(500))
    assert decode(service, plain, *public) == list(range(500))
    for token, count in ((plain, 501), (few, 11), (slow, 41)):
        ids = list(map(str, range(count)))
        refused = ask(service, token, "order/encode", ids=ids)
        refused.must_refuse(400, "count_out_of_range")
        refused = ask(service, token, "order/decode", public=ids)
        refused.must_refuse(400, "count_out_of_range")
    ask(service, plain, "order/encode", ids=[]).must_refuse(400, "count_out_of_range")
    assert decode(service, slow, *["x"] * 40) == [None] * 40
    ask(service, slow, "order/decode", public=["x"] * 30).must_refuse(429, "overloaded")
    large = ask(service, plain, "order/decode", public=["x" * 100_000])
    large.must_refuse(413, "invalid_parameter")


@pytest.mark.parametrize(
    ("path", "body", "code"),
    [
        ("order/encode", {"ids": ["7", "-1"]}, "invalid_text"),
        ("order/encode", {"ids": [str(2**64)]}, "text_overflow"),
        ("order/encode", {"ids": [7]}, "invalid_parameter"),
        ("order/encode", {"ids": "7"}, "invalid_parameter"),
        ("order/encode", {}, "invalid_parameter"),
        ("order/encode", {"ids": ["7"], "form": "uuid"}, "invalid_parameter"),
        ("order/encode", {"public": ["7"]}, "invalid_parameter"),
        ("order/decode", {"public": [None]}, "invalid_parameter"),
        ("order/decode?form=crockford", {"public": ["x"]}, "unknown_text_form"),
        ("order/decode?type=user", {"public": ["x"]}, "unknown_parameter"),
        ("order/encode?form=number53", {"ids": ["7", str(2**53)]}, "invalid_parameter"),
    ],
    ids=str,
)
def test_a_malformed_request_is_refused_by_its_code(serve, create_token, path, body, code):
    token = create_token("web", "--public-ids", "order")
    ask(serve(), token, path, **body).must_refuse(400, code)


def test_a_reload_takes_rotated_keys_or_leaves_all_as_it_is(snowmint, serve, create_token):
    token = create_token("web", "--public-ids", "*")
    service = serve()
    reload(service)
    [first] = encode(service, token, ID)
    for symbol in "23":
        snowmint.run("public-ids", "rotate", "keys.toml").must_succeed()
        assert encode(service, token, ID)[0][6] == str(int(symbol) - 1), "before the reload"
        assert reload(service).status == 200
        assert encode(service, token, ID)[0].startswith(f"order_{symbol}")
        assert decode(service, token, first) == [ID]
    keys = snowmint.directory / "keys.toml"
    document = keys.read_text()
    for broken in (lambda: keys.write_text("nonsense"), lambda: keys.chmod(0o644), keys.unlink):
        broken()
        refused = reload(service)
        assert refused.status == 400 and refused.json["code"] in ("invalid_keys", "keys_exposed")
        assert decode(service, token, first) == [ID]
        keys.write_text(document)
        keys.chmod(0o600)
    # Numbers have the first key: taken away, it is by hand.
    lines = document.replace('numbers = "1"', 'numbers = "2"').splitlines(keepends=True)
    keys.write_text("".join(line for line in lines if not line.startswith("1 = ")))
    assert WARNING not in service.said, "what the current key made was read by all"
    assert reload(service).status == 200
    assert decode(service, token, first) == [None]
    lost = "as number64, number63, number53: "
    eventually(lambda: f"{WARNING} {lost}" in service.said)


def test_keys_that_replace_all_others_are_told(snowmint, serve, create_token):
    token = create_token("web", "--public-ids", "*")
    service = serve()
    [first] = encode(service, token, ID)
    keys = snowmint.directory / "keys.toml"
    document = keys.read_text()
    lost = "as token, base64url, uuid, number64, number63, number53: "
    # Other keys under the same symbol, or those of another realm.
    for changed in (
        lambda: keys.unlink() or snowmint.run("public-ids", "keygen", keys).must_succeed(),
        lambda: keys.write_text('realm = "other"\n' + document),
    ):
        told = service.said.count(WARNING)
        changed()
        assert reload(service).status == 200
        assert decode(service, token, first) == [None]
        eventually(lambda: service.said.count(f"{WARNING} {lost}") == told + 1)
        keys.write_text(document)
        assert reload(service).status == 200
        eventually(lambda: service.said.count(f"{WARNING} {lost}") == told + 2)
        assert decode(service, token, first) == [ID]
        assert reload(service).status == 200
        assert service.said.count(WARNING) == told + 2, "the same keys are no change"


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (("--public-ids-keys", "keys.toml"), "public_ids.types is empty"),
        (("--public-ids-types", "order"), "public_ids.keys is not set"),
        (SETTINGS[2:], "tokens.file is not: everybody could read every public ID"),
        ((*SETTINGS[:4], "--public-ids-types", "order,Order"), 'public_ids.types: "Order": a type is'),
        ((*SETTINGS[:4], "--public-ids-types", ",".join(f"t{n}" for n in range(257))), "256 at most"),
        ((*SETTINGS[:2], "--public-ids-keys", "none.toml", *SETTINGS[4:]), "none.toml: cannot be read"),
        ((*SETTINGS[:2], "--public-ids-keys", "open.toml", *SETTINGS[4:]), "chmod 600"),
        ((*SETTINGS[:2], "--public-ids-keys", "env:SHOP_KEYS", *SETTINGS[4:]), "SHOP_KEYS has no keys"),
    ],
)
def test_settings_that_are_refused(snowmint, create_token, settings, said):
    create_token("web")
    for name in ("keys.toml", "open.toml"):
        snowmint.run("public-ids", "keygen", name).must_succeed()
    (snowmint.directory / "open.toml").chmod(0o644)
    snowmint.run("serve", *settings).must_refuse(INPUT, saying=said)


@pytest.mark.parametrize("place", ["environment", "flag", "file", "types"])
def test_keys_in_the_place_of_their_source_are_not_shown(snowmint, create_token, place):
    create_token("web")
    key = "2b7e151628aed2a6abf7158809cf4f3c"
    for document in (json.dumps({"keys": {"1": key}}), f'[keys]\n1 = "{key}"', key, f"env:{key}"):
        environment, settings = {}, [*SETTINGS[:2], *SETTINGS[4:]]
        if place == "environment":
            environment["SNOWMINT_SERVE_PUBLIC_IDS_KEYS"] = document
        elif place == "flag":
            settings += ["--public-ids-keys", document]
        elif place == "types":
            settings[-1] = document
            settings += ["--public-ids-keys", "keys.toml"]
        else:
            file = snowmint.directory / "serve.toml"
            file.write_text(f"[public_ids]\nkeys = {json.dumps(document)}\n")
            settings += ["--config", "serve.toml"]
        for more in ([], ["--print-config"]):
            said = "public_ids.types" if place == "types" else "it may be the keys themselves"
            told = snowmint.run("serve", *settings, *more, environment=environment)
            told.must_refuse(INPUT, saying=said)
            assert key[:8] not in told.output + told.errors


def test_keys_come_from_the_environment_and_are_not_shown(snowmint, start_service, create_token):
    document = {"keys": {"1": "2b7e151628aed2a6abf7158809cf4f3c"}}
    environment = {"SHOP_KEYS": json.dumps(document)}
    settings = (*SETTINGS[:2], "--public-ids-keys", "env:SHOP_KEYS", *SETTINGS[4:])
    token = create_token("web", "--public-ids", "order")
    service = start_service(*settings, environment=environment)
    [public] = encode(service, token, ID)
    assert decode(service, token, public) == [ID]
    config = service.ask_as_operator("GET", "/admin/config").body
    assert b"env:SHOP_KEYS" in config and b"2b7e" not in config


def test_there_is_nothing_where_no_keys_are(start_service):
    service = start_service()
    ask(service, None, "order/encode", ids=["7"]).must_refuse(404, "unsupported")
    paths = service.ask("GET", "/v1/openapi.json").json["paths"]
    assert not [path for path in paths if "public-ids" in path]


def test_requests_go_on_while_keys_are_read_again(snowmint, serve, create_token):
    token = create_token("web", "--public-ids", "order")
    service = serve()
    [first] = encode(service, token, ID)
    for _ in range(5):
        snowmint.run("public-ids", "rotate", "keys.toml").must_succeed()
        connection = service.connect()
        body = json.dumps({"public": [first] * 1000})
        headers = {"Content-Type": "application/json", **bearer(token)}
        # Half of the body before the reload, half after it.
        connection.putrequest("POST", "/v1/public-ids/order/decode")
        for name, value in {**headers, "Content-Length": len(body)}.items():
            connection.putheader(name, value)
        connection.endheaders()
        connection.send(body[:5000].encode())
        assert reload(service).status == 200
        connection.send(body[5000:].encode())
        answer = json.loads(connection.getresponse().read())
        assert answer == {"ids": [str(ID)] * 1000}
        connection.close()


def test_anything_is_answered_as_the_document_says(serve, create_token, tmp_path):
    token = create_token("web", "--public-ids", "order")
    rules = f"""
[[operations]]
include-tag = "public-ids"
headers = {{ Authorization = "Bearer {token}" }}
parameters = {{ "path.type" = "order" }}
"""
    schemathesis(serve().http, tmp_path, rules, "public-ids")

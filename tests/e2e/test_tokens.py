"""`snowmint token`: what is printed, what is kept, and what a file of tokens may not be."""

import json
import os
import re

from driver import INPUT, STORE
from services import FREE


def test_a_token_is_shown_once(snowmint, create_token):
    token = create_token("shop", "--sources", "orders,bills", "--max-count", 5, "--rate", 6, "--reads")
    assert re.fullmatch(r"smt_[0-9A-Za-z]{22}", token)
    text = (snowmint.directory / "tokens.toml").read_text()
    assert token not in text and token[4:] not in text
    assert (snowmint.directory / "tokens.toml").stat().st_mode & 0o777 == 0o600
    listed = snowmint.run("token", "list", "--file", "tokens.toml", "--json").must_succeed().output
    assert json.loads(listed) == {
        "name": "shop",
        "sources": ["bills", "orders"],
        "max_count": 5,
        "rate": 6,
        "burst": 6,
        "leases": False,
        "reads": True,
        "public_ids": [],
    }
    assert "shop" in snowmint.run("token", "list", "--file", "tokens.toml").must_succeed().output


def test_the_file_is_the_one_of_the_service(snowmint):
    environment = {"SNOWMINT_SERVE_TOKENS_FILE": "mine.toml"}
    snowmint.run("token", "create", "--name", "a", environment=environment).must_succeed()
    assert (snowmint.directory / "mine.toml").exists()
    printed = snowmint.run("serve", "--print-config", environment=environment).must_succeed().output
    assert 'file = "mine.toml"' in printed
    usual = snowmint.state / "tokens.toml"
    told = f"`snowmint serve --tokens-file {usual}`"
    assert told in snowmint.run("token", "create", "--name", "a").must_succeed().errors
    assert usual.exists()
    named = snowmint.run("token", "create", "--name", "b", environment=environment).must_succeed()
    assert "--tokens-file" not in named.errors


def test_a_service_says_where_nobody_needs_a_token(snowmint, create_token, start_service):
    create_token("shop")
    said = "nobody needs a token"
    assert said in start_service("--source", "a=uuid:").said
    assert said not in start_service("--source", "a=uuid:", "--tokens-file", "tokens.toml").said


def test_a_token_of_wrong_words_is_refused(snowmint, create_token):
    create_token("shop")
    command = ("token", "create", "--file", "tokens.toml")
    for words, said in (
        (("--name", "shop"), "a token is called shop already: revoke it first"),
        (("--name", "a b"), "a b"),
        (("--name", "smt_secret"), "a token stands in place of a name"),
        (("--name", "a", "--sources", "a b"), "a b"),
    ):
        snowmint.run(*command, *words).must_refuse(INPUT, saying=said)
    for words in (("--max-count", 0), ("--rate", 1 << 31), ("--burst", 5)):
        done = snowmint.run(*command, "--name", "a", *words)
        assert done.status == INPUT and "error: " in done.errors, done
    for text in ("", "\n", "a b c\nd", " a", "x" * 257):
        done = snowmint.run(*command, "--name", "a", "--text-from-stdin", input=text)
        done.must_refuse(INPUT, saying="standard input has")
    listed = snowmint.run("token", "list", "--file", "tokens.toml", "--json").must_succeed()
    assert len(listed.output.splitlines()) == 1


def test_the_maker_of_a_token_is_told_what_it_may_not_do(snowmint):
    def told(name, *words):
        command = ("token", "create", "--file", "tokens.toml", "--name", name)
        done = snowmint.run(*command, *words).must_succeed()
        assert done.output.startswith("smt_"), done
        return done.errors

    assert "a may do nothing, as it has no source" in told("a")
    assert "b sees none, as it has no source" in told("b", "--reads")
    assert told("c", "--sources", "orders", "--rate", 50, "--max-count", 50) == ""
    assert told("d", "--leases") == ""
    few = told("e", "--sources", "orders", "--rate", 50, "--max-count", 51)
    assert "e may ask for 50 IDs at once, and not for 51" in few


def test_hints_say_where_to_look(snowmint):
    snowmint.run("token", "list").must_refuse(INPUT, saying="name the file with --file")
    snowmint.run("token", "create", "--file", "t.toml", "--name", "a", "--sources", "*").must_succeed()
    unknown = ("token", "revoke", "--file", "t.toml", "q")
    snowmint.run(*unknown).must_refuse(INPUT, saying="`snowmint token list` lists")


def test_a_file_that_is_not_as_it_should_be(snowmint, create_token):
    path = snowmint.directory / "tokens.toml"
    serve = ("serve", "--tokens-file", "tokens.toml", "--http-listen", FREE, "--resp-listen", "")
    snowmint.run(*serve).must_refuse(INPUT, saying="`snowmint token create` begins a file")
    create_token("shop", "--sources", "orders")
    text = path.read_text()
    path.write_text(text + "colour = 'smt_secret'\n")
    done = snowmint.run(*serve).must_refuse(INPUT, saying=["line 5", "unknown field `colour`"])
    assert "smt_secret" not in done.errors
    snowmint.run("token", "list", "--file", "tokens.toml").must_refuse(INPUT, saying="line 5")
    again = ("token", "create", "--file", "tokens.toml", "--name", "b")
    snowmint.run(*again).must_refuse(INPUT, saying="line 5")
    assert path.read_text().endswith("colour = 'smt_secret'\n")
    path.write_text(text)
    for mode in (0o620, 0o602, 0o666):
        os.chmod(path, mode)
        for words in (serve, again):
            done = snowmint.run(*words).must_refuse(STORE, saying="may be written by others")
            assert "error[unsafe_setting]" in done.errors


def test_a_token_that_may_do_nothing_is_told_and_one_for_public_ids_is_not(snowmint):
    create = ("token", "create", "--file", "tokens.toml", "--name")
    assert "may do nothing" in snowmint.run(*create, "idle").must_succeed().errors
    assert not snowmint.run(*create, "site", "--public-ids", "order").must_succeed().errors

"""Public IDs at the command line, and the examples of the help."""

import re

from test_readme import examples

import pytest


LINES = """\
snowmint public-ids keygen keys.toml
snowmint public-ids encode --keys keys.toml --type order 1541815603606036480
snowmint public-ids encode --keys keys.toml --type order --form uuid 1541815603606036480
snowmint id -n 3 | snowmint public-ids encode --keys keys.toml --type order - > tokens
snowmint public-ids decode --keys keys.toml --type order - < tokens
snowmint public-ids rotate keys.toml
"""


def test_public_ids_are_read_after_a_rotation(snowmint):
    printed = []
    for line in LINES.splitlines():
        done = snowmint.shell(line).must_succeed()
        assert not done.errors, done
        printed.append(done.output)
    made, token, uuid, none, ids, rotated = printed
    assert re.fullmatch(r"order_1[0-7][0-9a-hjkmnp-tv-z]{25}\n", token)
    assert re.fullmatch(r"[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\n", uuid)
    assert "keys.toml" in made and none == "" and "1, 2" in rotated
    assert re.fullmatch(r"(\d+\n){3}", ids)
    again = snowmint.shell("snowmint public-ids decode --keys keys.toml --type order - < tokens")
    assert again.must_succeed().output == ids, "after the rotation"


@pytest.mark.parametrize("command", [(), ("keygen",), ("rotate",)], ids=" ".join)
def test_the_examples_of_help(snowmint, command):
    lines = examples(snowmint, ("public-ids", *command))
    assert len(lines) >= 2
    if not any("keygen" in line for line in lines):
        snowmint.run("public-ids", "keygen", "keys.toml").must_succeed()
    for line in lines:
        assert not snowmint.shell(line).must_succeed().errors, line

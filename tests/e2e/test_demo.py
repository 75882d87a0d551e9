"""scripts/demo: the README's first command shows what it says."""

import os
import re
import subprocess

from driver import HANG_S, REPOSITORY, binary


def test_the_demo():
    """The demo runs the binary under test: that it builds is seen before these tests run."""
    done = subprocess.run(
        [REPOSITORY / "scripts/demo"],
        env={**os.environ, "SNOWMINT": str(binary())},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=HANG_S,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    after = shown(done.stdout)
    assert re.fullmatch(r"\d+\n", after["snowmint id"])
    assert re.fullmatch(r"([0-9A-Z]{13}\n){3}", after["snowmint id -n 3 --format base32"])
    assert "2022-06-28T16:07:40.105Z" in after["snowmint decode 1541815603606036480"]
    bits = after["snowmint decode 1541815603606036480 --bits --layout twitter"]
    assert f"{1541815603606036480:064b}" in re.sub(r"[^01]", "", bits.split("id")[1])
    assert re.search(r"t{41} d{5} w{5} s{12}", bits)
    assert after["cat one.txt two.txt | wc -l"].strip() == "40000"
    assert after["sort one.txt two.txt | uniq -d | wc -l"].strip() == "0"
    segment = "snowmint id 'segment+sqlite:ids.db?tag=orders' -n 5"
    # Shown twice: the second process goes on where the first one stopped.
    assert done.stdout.count(f"$ {segment}\n") == 2
    assert after[segment] == "6\n7\n8\n9\n10\n"
    assert f"$ {segment}\n1\n2\n3\n4\n5\n" in done.stdout
    assert re.search(r"orders +11 ", after["snowmint segment list sqlite:ids.db"])
    assert re.search("free|resting", after["snowmint worker list sqlite:ids.db"])
    asked = {line.split()[0]: output for line, output in after.items()}
    number = int(re.fullmatch(r'{"ids":\["(\d+)"\]}\n', asked["curl"])[1])
    assert (number, asked["redis-cli"].split()[0]) == (11, str(number + 1))


def shown(text):
    """Returns the output of the demo after each command line."""
    parts = re.split(r"^\$ (.*)\n", text, flags=re.MULTILINE)[1:]
    outputs = [re.split(r"^# ", part, flags=re.MULTILINE)[0] for part in parts[1::2]]
    return {line: output.rstrip("\n") + "\n" for line, output in zip(parts[::2], outputs)}

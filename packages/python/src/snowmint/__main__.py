"""``python -m snowmint``: mints and reads IDs, and makes the tables of a store, with the package
alone. The binary ``snowmint`` has more commands."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from typing import Any

import snowmint

ABOUT = """\
Mints and reads IDs, and makes the tables of a store, with what the package has. Without a command it
is id, of a URL too.

examples:
  python -m snowmint
  python -m snowmint -n 3 "snowflake+sqlite:ids.db?create=true"
  python -m snowmint decode 175928847299117063 --beside guild_id
  python -m snowmint migrate postgres://owner@host/database

The binary snowmint has more commands, such as segment create, which makes a tag."""
COMMANDS = ("id", "decode", "migrate")
ABOUT_ITSELF = ("-h", "--help", "-V", "--version")
BLOCK = 4096
# The exit status of an error by the hundreds of its number, and the codes that differ, as in the
# binary.
STATUSES = {1: 2, 2: 3, 3: 2, 4: 2, 5: 3, 6: 4, 7: 2, 8: 2}
STATUSES_OF = {
    "epoch_in_future": 3,
    "layout_expired": 3,
    "count_out_of_range": 2,
    "range_regressed": 4,
    "tag_exhausted": 3,
    "tag_moved": 4,
    "no_resource": 4,
}
# Hints for errors whose message only names commands of the binary.
HINTS = {
    "unknown_tag": "`segment create` is the binary's; here a program makes a tag: "
    'snowmint.Store.open("sqlite:ids.db").ensure_tag("orders")',
}


class Misused(Exception):
    """The source cannot do what the command requests."""


def count(text: str) -> int:
    if text.isdecimal() and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError(f"a whole number from 1 on, as 1500, and not {text!r}")


def add_minting(parser: argparse.ArgumentParser) -> None:
    """Adds the options of ``id``, which also work without its name. An option that is not given
    keeps its earlier value."""
    kept = argparse.SUPPRESS
    parser.add_argument("-n", "--count", type=count, default=kept, help="how many: 1 unless given")
    parser.add_argument("--format", default=kept, metavar="FORM", help=f"dec unless given: {forms()}")


def forms() -> str:
    return ", ".join(form.name for form in snowmint.text_forms())


def parser() -> argparse.ArgumentParser:
    about, _, more = ABOUT.partition("\n\n")
    parser = argparse.ArgumentParser(
        prog="python -m snowmint",
        usage="%(prog)s [-h] [-V] [-n COUNT] [--format FORM] [COMMAND | URL] ...",
        description=about,
        epilog=more,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("-V", "--version", action="version", version=f"snowmint {snowmint.version}")
    add_minting(parser)
    parser.set_defaults(run=run_id, url=None, count=1, format=None)
    commands = parser.add_subparsers(prog=parser.prog, metavar="COMMAND")
    mint = commands.add_parser("id", help="mint IDs, one a line")
    mint.add_argument("url", nargs="?", metavar="URL", help="a source; your own ids.db unless named")
    add_minting(mint)
    mint.set_defaults(run=run_id)
    decode = commands.add_parser("decode", help="say what IDs may be, likeliest first")
    decode.add_argument("ids", nargs="+", metavar="ID")
    decode.add_argument("--layout", help="a preset's name, or fields as time:41,worker:10,sequence:12")
    decode.add_argument("--beside", default="", help="what stood beside them, as guild_id or a link")
    looks = f"told by their looks unless given: {forms()}"
    decode.add_argument("--format", metavar="FORM", help=looks)
    decode.set_defaults(run=run_decode)
    make = "make the tables of a store, or begin its key space, where there are none"
    migrate = commands.add_parser("migrate", help=make, description=make.capitalize() + ".")
    where = "a store, as sqlite:ids.db or postgres://owner@host/database"
    migrate.add_argument("url", metavar="URL", help=where)
    dry = "print the SQL that would run, and change nothing"
    migrate.add_argument("--dry-run", action="store_true", help=dry)
    as_json = "print the place, its state and the SQL as a JSON object"
    migrate.add_argument("--json", action="store_true", help=as_json)
    migrate.set_defaults(run=run_migrate)
    return parser


def run_id(asked: argparse.Namespace) -> int:
    source = snowmint.Snowflake() if asked.url is None else snowmint.open(asked.url)
    with source:
        if isinstance(source, snowmint.Sequences):
            raise Misused("each key has a sequence: there is no next ID of all")
        if isinstance(source, snowmint.UuidSource) and asked.format is not None:
            raise Misused("a UUID has one text form: leave --format out")
        left = asked.count
        while left > 0:
            now = min(left, BLOCK)
            if isinstance(source, snowmint.UuidSource):
                lines = [str(source.next_uuid()) for _ in range(now)]
            else:
                lines = [snowmint.format(id, asked.format or "dec") for id in block(source, now)]
            print("\n".join(lines))
            left -= len(lines)
    return 0


def block(source: Any, at_most: int) -> Sequence[int]:
    """Returns the IDs available at once, or else the next ID. The IDs taken before an error are
    thus printed, because nobody else gets them."""
    ids, _ = source._poll_block(at_most)
    return [source.next_id()] if ids is None else ids


def shown(parts: snowmint.Parts) -> str:
    """Returns the time; beyond the year 9999, in milliseconds."""
    try:
        return parts.time.isoformat()
    except snowmint.ParameterError:
        return f"{parts.unix_ms} ms"


def run_decode(asked: argparse.Namespace) -> int:
    layout = None if asked.layout is None else snowmint.Layout.named(asked.layout)
    status = 0
    for text in asked.ids:
        try:
            decode(snowmint.parse(text, asked.format), layout, asked.beside)
        except snowmint.SnowmintError as error:  # the other IDs may be right
            status = failed(error, of=f"{text}: ")
    return status


def decode(id: int, layout: snowmint.Layout | None, beside: str) -> None:
    if layout is not None:
        parts = layout.decode(id)
        print(id, shown(parts), f"worker_id={parts.worker_id} sequence={parts.sequence}")
        return
    guesses = snowmint.guess(id, beside=beside)
    if not guesses:
        snowmint.decode(id, beside=beside)  # raises the reason
    likely = guesses[0].doubt is None
    print(id, "may be, likeliest first:" if likely else "is likely of none, but may be:")
    for guess in guesses:
        doubt = f"  ({guess.doubt})" if guess.doubt else ""
        print(f"  {guess.preset.name:<18}  {shown(guess.parts)}  {guess.fields}{doubt}")


def run_migrate(asked: argparse.Namespace) -> int:
    done = snowmint.migrate(asked.url, dry_run=asked.dry_run)
    if asked.json:
        row = {name: getattr(done, name) for name in ("place", "state", "key_space", "statements")}
        print(json.dumps(row, separators=(",", ":")))
    else:
        print(done.report)
    return 0


def failed(error: snowmint.SnowmintError, of: str = "") -> int:
    """Prints the error, and returns its exit status."""
    print(f"error[{error.code}]: {of}{error}", file=sys.stderr)
    if hint := HINTS.get(error.code):
        print(f"hint: {hint}", file=sys.stderr)
    return STATUSES_OF.get(error.code, STATUSES.get(error.number // 100, 1))


def read(words: list[str]) -> argparse.Namespace:
    first = next(iter(words), "-")
    if not first.startswith("-") and ":" not in first and first not in COMMANDS:
        known = ", ".join(COMMANDS)
        parser().error(f"{first!r} is neither a command ({known}) nor a source's URL")
    if not any(word in COMMANDS or word in ABOUT_ITSELF for word in words):
        words = ["id", *words]  # so that the error of a misspelt option names the option
    return parser().parse_args(words)


def main() -> int:
    asked = read(sys.argv[1:])
    if sys.stdout is None:  # nobody would get the IDs
        print("error: cannot write to standard output: it is closed", file=sys.stderr)
        return 1
    try:
        status: int = asked.run(asked)
        sys.stdout.flush()
    except snowmint.SnowmintError as error:
        return failed(error)
    except OSError as error:
        # The rest of the buffer is thrown away.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):  # the reader left
            print(f"error: cannot write to standard output: {error.strerror}", file=sys.stderr)
            return 1
        return 0
    except UnicodeEncodeError as error:
        print(f"error[invalid_text]: {error.object!r} is no UTF-8", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130  # the status that shells give after this signal
    except Misused as error:
        print(f"error[unsupported]: {error}", file=sys.stderr)
        return 2
    return status


if __name__ == "__main__":
    sys.exit(main())

"""The sources, as a user meets them."""

from __future__ import annotations

import asyncio
import itertools
import subprocess
import sys
import time
from array import array
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

import snowmint
from snowmint import Layout, MemoryStore, Parts, Segment, Snowflake


def rises(ids: array[int] | list[int]) -> bool:
    return all(a < b for a, b in itertools.pairwise(ids))


def test_every_way_to_mint_gives_rising_ids(flake: Snowflake) -> None:
    ids = [flake.next_id(), next(flake), flake.next_id_within(1000), *itertools.islice(flake, 3)]
    ids += flake.next_ids(5000)
    buffer = array("Q", bytes(8 * 3000))
    flake.fill(buffer)
    ids += buffer
    assert len(ids) == 8006 and rises(ids)
    assert {flake.layout.decode(id).worker_id for id in ids} == {7}


def test_a_signed_buffer_gets_the_same_bits(store: snowmint.Store) -> None:
    with Segment("orders", store=store) as segment:
        buffer = array("q", bytes(8 * 4))
        segment.fill(buffer)
        assert list(buffer) == [1, 2, 3, 4]
        segment.fill(memoryview(buffer)[1:3])
        assert list(buffer) == [1, 5, 6, 4]
        segment.fill(array("Q"))
        assert segment.next_id() == 7


def test_try_next_id_waits_for_nothing(store: snowmint.Store) -> None:
    with Segment("orders", store=store) as segment:
        # The missing numbers are fetched meanwhile.
        first, deadline = segment.try_next_id(), time.monotonic() + 60
        while first is None:
            assert time.monotonic() < deadline
            first = segment.try_next_id()
        assert (first, segment.try_next_id(), segment.next_id()) == (1, 2, 3)


def test_a_snowflake_with_a_leased_worker_id(store: snowmint.Store) -> None:
    with Snowflake(store=store) as a, Snowflake(store=store, layout="twitter") as b:
        ids = [a.next_id(), b.next_id()]
        workers = {a.layout.decode(id).worker_id for id in ids}
        rows = store.workers()
        assert {row.worker_id for row in rows} == workers and len(workers) == 2
        assert [row.held for row in rows] == [True, True]
        assert not store.evict(rows[0].realm, min({0, 1, 2} - workers))
    await_release(store)
    assert store.evict(rows[0].realm, rows[0].worker_id)


def await_release(store: snowmint.Store) -> None:
    """The end of a generator waits for nothing: the store hears of it a little later."""
    deadline = time.monotonic() + 60
    while any(row.held for row in store.workers()):
        assert time.monotonic() < deadline
        time.sleep(0.001)


def test_the_end_of_a_generator_may_wait_for_the_store(store: snowmint.Store) -> None:
    flake = Snowflake(store=store)
    flake.next_id()
    flake.close(wait_ms=60_000)
    assert [row.held for row in store.workers()] == [False]
    flake.close(0)
    for wrong in (-1, 2**64):
        with pytest.raises(snowmint.ParameterError):
            flake.close(wrong)
    with pytest.raises(TypeError):
        flake.close(1.5)  # type: ignore[arg-type]


def test_presets_layouts_and_policies_by_name(tmp_path: Path) -> None:
    leaf = Snowflake(preset="leaf", worker_id=1, state_directory=tmp_path / "leaf")
    assert leaf.layout == Layout.LEAF
    own = Snowflake(
        layout="time:41,worker:10,sequence:12",
        policy="twitter",
        start="zero",
        max_ahead_ms=0,
        reserve_ms=1000,
        worker_id="2",
        state_directory=str(tmp_path / "own"),
    )
    assert own.layout.decode(own.next_id()).worker_id == 2


def test_no_id_is_dated_ahead_where_nothing_is_borrowed(tmp_path: Path) -> None:
    """As many IDs as 244 ticks have: borrowed, the last would be that far ahead."""
    with Snowflake(worker_id=7, max_ahead_ms=0, state_directory=tmp_path) as flake:
        last = flake.next_ids(1_000_000)[-1]
        assert last <= flake.layout.max_id(time.time_ns() // 1_000_000 + 100)


def test_a_worker_id_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(snowmint.WorkerError) as raised:
        Snowflake(worker_id="env:NODE", state_directory=tmp_path)
    assert raised.value.code == "worker_not_configured"
    monkeypatch.setenv("NODE", "5")
    flake = Snowflake(worker_id="env:NODE", state_directory=tmp_path)
    assert flake.layout.decode(flake.next_id()).worker_id == 5


def test_daily_numbers(store: snowmint.Store) -> None:
    with snowmint.Daily("invoice", store=store, zone="UTC", digits=4) as daily:
        today = datetime.now(timezone.utc)
        first = daily.next_id()
        days = {(today + timedelta(days=days)).strftime("%Y%m%d") for days in (0, 1)}
        assert str(first)[:-4] in days and str(first).endswith("0001")
        assert list(daily.next_ids(3)) == [first + 1, first + 2, first + 3]


def test_a_sequence_for_each_key() -> None:
    with snowmint.Sequences("chat", store=MemoryStore(), keys_per_section=10) as chat:
        assert [chat.next(key) for key in (1, 2, 1)] == [1, 1, 2]
        assert chat.next_within(1, wait_ms=0) == 3
        assert chat.keys_per_section == 10 and chat.tag == "chat"


def test_uuids() -> None:
    ids = list(itertools.islice(snowmint.UuidSource(), 100))
    assert ids == sorted(ids) and {id.version for id in ids} == {7}
    assert snowmint.open("uuid:?version=4").next_uuid().version == 4


def test_the_end_of_a_store(store: snowmint.SqliteStore, tmp_path: Path) -> None:
    orders = Segment("orders", store=store)
    store.close()
    store.close()
    for call in (store.tags, lambda: store.create_tag("a"), lambda: Snowflake(store=store)):
        with pytest.raises(snowmint.ClosedError) as raised:
            call()
        assert (raised.value.code, "store is closed" in str(raised.value)) == ("closed", True)
    assert orders.next_id() == 1
    assert repr(store) == f"<snowmint.SqliteStore of '{tmp_path / 'ids.db'}'>"
    url = f"sqlite:{tmp_path}/ids.db"
    with snowmint.Store.open(url) as other:
        assert repr(other) == f"<snowmint.Store of '{url}'>"
        assert other.tag("orders")
    with pytest.raises(snowmint.ClosedError):
        other.tag("orders")


def test_tags_of_a_store() -> None:
    store = snowmint.Store.open("memory:")
    store.create_tag("a", start=10, step=5, stride=2)
    assert not store.ensure_tag("a", start=99)
    row = store.tag("a")
    assert row and (row.tag, row.next, row.step, row.stride) == ("a", 10, 5, 2)
    taken = store.allocate("a", 3)
    assert list(taken.numbers()) == [10, 12, 14]
    assert store.change_tag("a", next=100, step=7).step == 7
    assert store.change_tag("a", max=200).max == 200
    with pytest.raises(snowmint.SegmentError, match="a max of 50 is too low, as its next number is 100: use 99 or more"):
        store.change_tag("a", max=50)
    assert [row.next for row in store.tags()] == [100]
    assert store.tag("b") is None


def once_it_goes_on(source: snowmint.Segment) -> int:
    """The next number; a segment asks for a range again a moment after a refusal."""
    deadline = time.monotonic() + 60
    while True:
        try:
            return source.next_id()
        except snowmint.SegmentError as error:
            assert error.code == "tag_exhausted" and time.monotonic() < deadline
            time.sleep(0.01)


def test_a_max_ends_a_tag_until_it_is_widened() -> None:
    store = MemoryStore()
    store.create_tag("small", start=5, step=10, max=7)
    with snowmint.Segment("small", store=store) as small:
        assert list(small.next_ids(3)) == [5, 6, 7]
        with pytest.raises(snowmint.SegmentError) as ended:
            small.next_id()
        assert ended.value.code == "tag_exhausted"
        for change in ({"max": 6}, {"next": 9}):
            with pytest.raises(snowmint.SegmentError) as refused:
                store.change_tag("small", **change)
            assert refused.value.code == "invalid_range"
        assert "max=9" in repr(store.change_tag("small", max=9))
        assert [once_it_goes_on(small), small.next_id()] == [8, 9]
    for wrong in ({"start": 10, "max": 9}, {"max": 2**63}):
        with pytest.raises(snowmint.SegmentError) as refused:
            store.create_tag("none", **wrong)
        assert refused.value.code == "invalid_range"
    store.create_tag("usual")
    usual = store.tag("usual")
    assert usual and usual.max == 2**63 - 2


def test_tags_of_one_name_in_two_namespaces() -> None:
    store = MemoryStore()
    names = ["orders", "mall/orders", "shop/orders"]
    for at, name in enumerate(names):
        store.create_tag(name, start=100 * at, max=100 * at + 99)
        with snowmint.Segment(name, store=store) as orders:
            assert (orders.tag, orders.next_id()) == (name, 100 * at)
        with snowmint.Daily(name, store=store) as daily:
            assert daily.next_id() % 1_000_000 == 1
        with snowmint.Sequences(name.replace("orders", "chat"), store=store) as chat:
            assert chat.next(7) == 1
    assert [row.tag for row in store.tags() if row.tag in names] == sorted(names)
    for wrong in ("/orders", "shop/", "a/b/c", "shop/" + "x" * 60):
        with pytest.raises(snowmint.ParameterError, match="namespace|tag") as refused:
            store.create_tag(wrong)
        assert refused.value.code == "invalid_tag"


def test_layouts_decode_encode_and_page_by_time() -> None:
    id = 1541815603606036480
    parts = Layout.TWITTER.decode(id)
    moment = datetime(2022, 6, 28, 16, 7, 40, 105000, tzinfo=timezone.utc)
    assert parts == Parts(time=moment, worker_id=378)
    assert parts.time == moment and parts.unix_ms == 1656432460105
    assert Layout.TWITTER.encode(parts) == id
    local = moment.astimezone(timezone(timedelta(hours=8)))
    assert Layout.TWITTER.min_id(local) <= id <= Layout.TWITTER.max_id(local)
    assert Layout.TWITTER.min_id(moment + timedelta(microseconds=999)) <= id
    fields = [(field.kind, field.bits, field.shift) for field in Layout.TWITTER.fields]
    assert fields[1:3] == [("time", 41, 22), ("datacenter", 5, 17)]
    own = Layout("time:41,worker:10,sequence:12", epoch=moment, tick_ms=10)
    assert own.epoch == moment and own.expires == moment + timedelta(milliseconds=2**41 * 10) - timedelta(
        milliseconds=moment.microsecond // 1000 % 10
    )


def test_worker_ids_and_their_parts() -> None:
    assert list(Layout.TWITTER.worker_parts(378).items()) == [("datacenter", 11), ("worker", 26)]
    assert Layout.TWITTER.worker_id(datacenter=11, worker=26) == 378
    worker_id = Layout.DISCORD.decode("175928847299117063").worker_id
    assert list(Layout.DISCORD.worker_parts(worker_id).items()) == [("worker", 1), ("process", 0)]
    assert Layout.MASTODON.worker_parts(0) == {}
    assert Layout.DISCORD.worker_id(**Layout.DISCORD.worker_parts(1023)) == 1023
    for layout, wrong in ((Layout.DISCORD, 1024), (Layout.MASTODON, 1)):
        with pytest.raises(snowmint.LayoutError, match=f"^worker ID {wrong} does not") as raised:
            layout.worker_parts(wrong)
        assert raised.value.code == "field_out_of_range"
    for beyond in (-1, 2**32):
        with pytest.raises(snowmint.ParameterError, match="^worker_id is out of range: use "):
            Layout.DISCORD.worker_parts(beyond)


def test_the_tick_of_a_time() -> None:
    epoch = datetime(2026, 1, 1, tzinfo=timezone.utc)
    own = Layout("time:41,worker:10,sequence:12", epoch=epoch, tick_ms=10)
    assert own.tick_at(epoch + timedelta(milliseconds=129)) == 12
    with pytest.raises(snowmint.LayoutError) as raised:
        own.tick_at(epoch - timedelta(milliseconds=1))
    assert raised.value.code == "time_out_of_range"


def test_times_before_1970_and_past_datetime() -> None:
    old = Layout("time:62,sequence:1", epoch=datetime(1, 1, 1, tzinfo=timezone.utc))
    assert old.decode(0).time == datetime(1, 1, 1, tzinfo=timezone.utc)
    late = old.decode(2**63 - 1)
    assert late.unix_ms > 0
    with pytest.raises(snowmint.ParameterError) as raised:
        late.time
    assert raised.value.code == "invalid_time"


def test_many_ids_are_decoded_in_one_call(flake: Snowflake) -> None:
    ids = flake.next_ids(5000)
    columns = flake.layout.decode_many(ids)
    assert len(columns) == 5000
    assert [c.typecode for c in (columns.unix_ms, columns.worker_id)] == ["q", "I"]
    rows = zip(columns.unix_ms, columns.worker_id, columns.sequence, columns.rollback)
    for id, (unix_ms, worker_id, sequence, rollback) in zip(ids, rows):
        expected = Parts(
            time=unix_ms, worker_id=worker_id, sequence=sequence, rollback=rollback
        )
        assert flake.layout.decode(id) == expected


def test_a_wrong_id_among_many_is_told_by_its_index() -> None:
    with pytest.raises(snowmint.LayoutError, match="index 700") as raised:
        Layout.TWITTER.decode_many(array("Q", [1] * 700 + [2**63] + [1] * 10))
    assert raised.value.code == "id_not_in_layout"


def test_guesses() -> None:
    guesses = snowmint.guess(1541815603606036480, now=datetime(2026, 1, 1, tzinfo=timezone.utc))
    assert guesses[0].preset.name == "twitter"
    assert guesses[0].parts == Layout.TWITTER.decode(1541815603606036480)
    assert snowmint.guess("1541815603606036480")
    with pytest.raises(snowmint.TextError, match="a ULID, of 128 bits"):
        snowmint.guess("01ARZ3NDEKTSV4RRFFQ69G5FAV")


DISCORD = "175928847299117063"  # of its documentation
NOW = datetime(2026, 11, 21, tzinfo=timezone.utc)


def test_a_guess_is_called_one() -> None:
    doubts = {guess.preset.name: guess.doubt for guess in snowmint.guess(DISCORD, now=NOW)}
    assert (doubts["discord"], doubts["twitter"]) == (None, "unlikely")
    likeliest = snowmint.decode(DISCORD, now=NOW)
    assert isinstance(likeliest, snowmint.Guess)
    assert not likeliest.named
    parts = snowmint.decode(DISCORD, "discord")
    assert isinstance(parts, snowmint.Parts)
    assert parts == Layout.DISCORD.decode(DISCORD) == Layout.DISCORD.decode(int(DISCORD))
    assert parts.time.isoformat() == "2016-04-30T11:18:25.796000+00:00"


@pytest.mark.parametrize("beside", ["guild_id", "guildId", "https://discord.com/channels/1"])
def test_a_word_beside_an_id_decides_the_guess(beside: str) -> None:
    guess = snowmint.decode(int(DISCORD), now=NOW, beside=beside)
    assert guess.preset.name == "discord"
    assert guess.named
    assert guess.fields == {"worker": 1, "process": 0, "sequence": 7}


@pytest.mark.parametrize("id", [0, 12345, "12345", 1_700_000_000])
def test_small_numbers_are_not_dated(id: int | str) -> None:
    assert snowmint.guess(id, now=NOW) == []
    with pytest.raises(snowmint.LayoutError) as raised:
        snowmint.decode(id, now=NOW)
    assert raised.value.code == "unknown_layout"
    assert "name its layout" in str(raised.value)


def test_an_id_as_text_is_its_digits() -> None:
    for call in (snowmint.guess, snowmint.decode):
        with pytest.raises(snowmint.TextError):
            call("hello")


def test_text_forms() -> None:
    id = 1541815603606036480
    for form in snowmint.text_forms():
        assert snowmint.parse(snowmint.format(id, form.name), form.name) == id
    assert snowmint.parse(snowmint.format(id, "base32")) == id
    assert snowmint.detect("~") is None


def test_versions_agree() -> None:
    from importlib.metadata import version

    assert snowmint.version == snowmint.__version__ == version("snowmint")


def test_the_licences_are_in_the_wheel() -> None:
    from importlib.metadata import files

    names = {path.name for path in files("snowmint") or []}
    assert {"LICENSE-MIT", "LICENSE-APACHE", "LICENSE-THIRD-PARTY"} <= names


def test_without_a_word_a_worker_id_is_leased_from_the_users_own_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    with snowmint.Snowflake() as one, snowmint.Snowflake() as two:
        assert one.file == two.file == str(tmp_path / "snowmint/ids.db")
        workers = {flake.layout.decode(flake.next_id()).worker_id for flake in (one, two)}
    assert len(workers) == 2
    with snowmint.Snowflake(worker_id=7) as fixed:
        assert fixed.file is None


def test_the_package_brings_the_deterministic_form() -> None:
    code = "import snowmint; print(snowmint.engine.MAX_STEP)"
    ended = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True)
    assert ended.stdout == "1073741824\n", ended.stderr


def test_async_loops_and_blocks(store: snowmint.SqliteStore) -> None:
    async def main() -> list[int]:
        numbers = []
        async with Segment("orders", store=store) as orders:
            async for number in orders:
                numbers.append(number)
                if len(numbers) == 5:
                    break
        with pytest.raises(snowmint.ClosedError):
            await orders.next_id_async()
        return numbers

    assert asyncio.run(main()) == [1, 2, 3, 4, 5]

"""The coroutines of sources. They sleep and ask again until there is an answer. No thread waits, so
any number of tasks can wait, and a cancelled task stops waiting."""

from __future__ import annotations

import asyncio
import time
from array import array
from collections.abc import Callable
from typing import Protocol, TypeVar

_SHORTEST_LOOK = 0.001
_LONGEST_LOOK = 0.05  # An old task finds an answer nearly as soon as a new one.
_LONGEST = 0.5  # Asking reads the clocks, which must not go unread for longer.


class _Source(Protocol):
    def next_id_within(self, wait_ms: int) -> int: ...
    def _poll_id(self) -> tuple[int | None, float]: ...
    def _poll_block(self, at_most: int) -> tuple[array[int] | None, float]: ...


class _Sequences(Protocol):
    def next_within(self, key: int, *, wait_ms: int) -> int: ...
    def _poll_of(self, key: int) -> tuple[int | None, float]: ...


class _Closing(Protocol):
    def close(self) -> None: ...


_T = TypeVar("_T")


async def _asked(poll: Callable[[], tuple[_T | None, float]], wait: float) -> _T | None:
    """Returns the answer of ``poll``, or ``None`` if none comes within ``wait`` seconds. Without an
    answer, ``poll`` returns how many seconds to sleep, or 0 if that is not known. Then this sleeps
    an eighth of the wait so far, within bounds, so that many tasks can wait for a store."""
    begun = time.monotonic()
    while True:
        answer, pause = poll()
        waited = time.monotonic() - begun
        left = wait - waited
        if answer is not None or left <= 0 or pause > left:
            return answer
        look = min(max(waited / 8, _SHORTEST_LOOK), _LONGEST_LOOK)
        await asyncio.sleep(min(pause or look, left, _LONGEST))


async def next_id(source: _Source, wait: float) -> int:
    id = await _asked(source._poll_id, wait)
    # This call raises the reason why there was no ID.
    return source.next_id_within(0) if id is None else id


async def next_ids(source: _Source, count: int, wait: float, day: int | None) -> array[int]:
    """Returns ``count`` IDs. ``day`` is the distance between two days if numbers of different days
    must not be mixed."""
    ids = array("Q")
    while (left := count - len(ids)) > 0:
        block = await _asked(lambda: source._poll_block(left), wait)
        if block is None:
            block = array("Q", [source.next_id_within(0)])
        if day is not None and ids and ids[0] // day != block[0] // day:
            del ids[:]
        ids.extend(block)
        if len(ids) < count:
            await asyncio.sleep(0)
    return ids


async def next_of_key(sequences: _Sequences, key: int, wait: float) -> int:
    number = await _asked(lambda: sequences._poll_of(key), wait)
    return sequences.next_within(key, wait_ms=0) if number is None else number


_C = TypeVar("_C", bound=_Closing)


async def entered(source: _C) -> _C:
    return source


async def exited(source: _Closing) -> None:
    """Closes the source, which does not wait for a store."""
    source.close()

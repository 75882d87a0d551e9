"""The coroutines of sources. What must be waited for is asked for again between sleeps: no thread waits,
so that any number of tasks can, and a task that is cancelled waits no more."""

from __future__ import annotations

import asyncio
import time
from array import array
from collections.abc import Callable
from typing import Protocol, TypeVar

_FIRST_LOOK = 0.001  # What is fetched is there a moment later.
_LAST_LOOK = 0.016  # Many tasks may wait while a store is down.
_LONGEST = 0.5  # Asking looks at the clocks: it waits no longer than they may go unseen.


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
    """What ``poll`` gives, once it does; ``None`` if that would not be within ``wait``. Until then it
    says how long to sleep. Seconds, all of them."""
    until = time.monotonic() + wait
    look = _FIRST_LOOK
    while True:
        answer, pause = poll()
        left = until - time.monotonic()
        if answer is not None or left <= 0 or pause > left:
            return answer
        await asyncio.sleep(min(max(pause, look), left, _LONGEST))
        look = min(2 * look, _LAST_LOOK)


async def next_id(source: _Source, wait: float) -> int:
    id = await _asked(source._poll_id, wait)
    # It tells why there was none.
    return source.next_id_within(0) if id is None else id


async def next_ids(source: _Source, count: int, wait: float, day: int | None) -> array[int]:
    """``day``: how far the days are apart whose numbers may not be mixed."""
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
    """Closing waits for no store."""
    source.close()

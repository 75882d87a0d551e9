"""The coroutines of sources. What must be waited for is waited for on a thread of asyncio's."""

from __future__ import annotations

import asyncio
from array import array
from typing import Protocol, TypeVar


class _Source(Protocol):
    def try_next_id(self) -> int | None: ...
    def next_id(self) -> int: ...
    def next_ids(self, count: int) -> array[int]: ...
    def close(self) -> None: ...


class _Sequences(Protocol):
    def next(self, key: int) -> int: ...


async def next_id(source: _Source) -> int:
    ready = source.try_next_id()
    return await asyncio.to_thread(source.next_id) if ready is None else ready


async def next_ids(source: _Source, count: int) -> array[int]:
    return await asyncio.to_thread(source.next_ids, count)


async def next_of_key(sequences: _Sequences, key: int) -> int:
    return await asyncio.to_thread(sequences.next, key)


_T = TypeVar("_T", bound=_Source)


async def entered(source: _T) -> _T:
    return source


async def exited(source: _Source) -> None:
    """Closing waits for no store."""
    source.close()

"""What ``snowmint`` and ``snowmint.engine`` are made of. Import those."""

from array import array
from collections.abc import Callable, Coroutine, Iterable
from datetime import datetime
from os import PathLike
from typing import Any, ClassVar, Final, Protocol, SupportsIndex, final, overload
from uuid import UUID

from typing_extensions import Buffer, Self, disjoint_base

__all__ = [
    "Snowflake",
    "Segment",
    "Daily",
    "Sequences",
    "UuidSource",
    "Ring",
    "Layout",
    "Field",
    "Fit",
    "Preset",
    "Parts",
    "Guess",
    "Columns",
    "TextForm",
    "PublicIdKeys",
    "PublicIds",
    "Store",
    "SqliteStore",
    "MemoryStore",
    "TagRow",
    "WorkerRow",
    "Stats",
    "Bucket",
    "Failure",
    "Lease",
    "LeaseRequest",
    "ErrorCode",
    "on_restore",
    "open",
    "decode",
    "guess",
    "format",
    "parse",
    "detect",
    "text_forms",
    "error_codes",
    "MAX_COUNT",
    "version",
    "EngineSnowflake",
    "SegmentBuffer",
    "Range",
    "Prefetch",
    "Step",
    "ClockPolicy",
    "SequenceStart",
    "MAX_NUMBER",
    "MAX_STEP",
    "MAX_DISTANCE",
]

MAX_COUNT: Final[int]
MAX_NUMBER: Final[int]
MAX_STEP: Final[int]
MAX_DISTANCE: Final[int]
version: Final[str]

class _Array(Protocol):
    """An array of numpy's, which are buffers to type checkers from Python 3.12 on alone."""

    @property
    def __array_interface__(self) -> dict[str, Any]: ...

class _WorkerStore(Protocol):
    def acquire(self, request: LeaseRequest, /) -> Lease: ...
    def renew(self, lease: Lease, token: bytes, reserve_ms: int, /) -> Lease: ...
    def release(self, lease: Lease, /) -> object: ...

class _Stall(Protocol):
    @property
    def number(self) -> int: ...
    @property
    def wait_ms(self) -> int | None: ...

def open(url: str) -> Any:
    """Opens a source by its URL.

    - ``snowflake:?worker_id=7``: a ``Snowflake`` with a fixed worker ID; also ``env``, ``env:NAME``,
      ``ordinal``, ``ordinal:NAME``, ``ip:NETWORK``
    - ``snowflake+sqlite:ids.db?create=true``: a ``Snowflake`` with a worker ID leased from the file
    - ``segment+sqlite:ids.db?tag=orders``: a ``Segment``
    - ``daily+sqlite:ids.db?tag=orders&zone=UTC``: a ``Daily``
    - ``sequences+sqlite:ids.db?tag=chat``: ``Sequences``, whose ``next(key)`` mints
    - ``uuid:?version=7``: a ``UuidSource``
    - ``snowflake:?worker_id=7&ring=1024``, and the same with other snowflakes, segments and daily
      numbers: a ``Ring`` of IDs made ahead

    A type checker cannot read a URL: it knows what is opened where the class does it, by
    ``Snowflake.open(url)``, ``Segment.open(url)`` and so on.

    Most parameters have the names of the classes' keywords; ``worker`` is ``worker_id``, ``state`` is
    ``state_directory``, and ``require_state``, ``ring``, ``ring_refill`` and ``ring_every_ms`` are of
    URLs alone. A path is taken as it stands, up to the ``?``; values may be percent-encoded. Opening
    takes as long as the store does; ``wait_ms`` bounds the calls on the source. A signal handler that
    raises, as of Ctrl-C, ends the wait, and what is open later is closed.

    Raises:
        UrlError: the URL cannot be read, or has an unknown scheme or parameter.
        ParameterError: a value that is not possible.
        SnowmintError: of the source.
    """
def on_restore() -> None:
    """Tells this process that it is an image restored or cloned: from a snapshot of its virtual
    machine, by SnapStart or CRIU. Another process may have the same leases and numbers; so every
    source drops what it has and starts over at its next call, as in a forked child.

    Call it before the first ID after each restore: nothing in a process tells that it was restored.
    Until then the twins of an image can issue the same IDs, for as long as the time that was
    reserved when the image was made: a reservation, a minute unless set, or what was left of a range.

    Leased worker IDs and segments go on under another lease, with another range. Fixed worker IDs
    and ``MemoryStore``s are in every image: they fail with the codes ``forked`` and
    ``store_unavailable``, and have to be opened anew. Any thread may call it; a call that another
    thread had begun may still return an ID of before.
    """
def guess(
    id: SupportsIndex | str, *, now: int | datetime | None = None, beside: str = ""
) -> list[Guess]:
    """The presets that an ID may come from, likeliest first: those whose constant bits agree and whose
    time is not more than a day after ``now``, the present unless given, not before their system had
    such IDs, and not in the layout's first month, where every small number is. It is a guess: many
    layouts share their bits. What stood ``beside`` it counts: the key of its value (``guild_id``),
    its link, a column's name.

    Raises:
        TextError: the digits are none.
    """
@overload
def decode(id: SupportsIndex | str, layout: Layout | str) -> Parts:
    """What an ID says in a layout, its parts; without one the likeliest ``Guess``, of which
    ``guess`` has all.

    Raises:
        LayoutError: ``id_not_in_layout``, or ``unknown_layout`` where no preset's system has such an
            ID.
        TextError: the digits are none.
        TypeError: a layout, and what tells layouts apart.
    """
@overload
def decode(
    id: SupportsIndex | str,
    layout: None = None,
    *,
    now: int | datetime | None = None,
    beside: str = "",
) -> Guess:
    """What an ID says in a layout, its parts; without one the likeliest ``Guess``, of which
    ``guess`` has all.

    Raises:
        LayoutError: ``id_not_in_layout``, or ``unknown_layout`` where no preset's system has such an
            ID.
        TextError: the digits are none.
        TypeError: a layout, and what tells layouts apart.
    """
def format(id: SupportsIndex, form: str) -> str:
    """An ID as text, in the form of that name: see ``text_forms()``.

    Raises:
        TextError: ``unknown_text_form``.
        ParameterError: not a number of 64 bits.
    """
def parse(text: str, form: str | None = None) -> int:
    """The ID that a text in the form of that name means. Besides what ``format`` writes, spellings are
    taken that can mean only one ID: padded with zeros, and in the other case where the form has one.
    Without a form it is detected, as by ``detect``.

    Raises:
        TextError: what is wrong with the text, ``unknown_text_form``, or no form detected.
    """
def detect(text: str) -> str | None:
    """The name of the form that a bare text most likely has, or ``None``. A guess: z-base-32, base 36
    and base 58 are never guessed, nor base 62 where base 58 writes the same text.
    """
def text_forms() -> list[TextForm]:
    """Every form that IDs are written in."""
def error_codes() -> list[ErrorCode]:
    """Every error code, by rising number."""

@final
class Snowflake:
    """Mints snowflake IDs: time, worker ID and sequence in 64 bits.

    It needs a worker ID: a fixed one (``worker_id=7``, or ``"env"``, ``"env:NAME"``,
    ``"ordinal"``, ``"ordinal:NAME"``, ``"ip:10.0.4.0/22"``), whose time is reserved in a file
    of ``state_directory``, or one leased from a ``store``. The file keeps a second generator
    with that file from using a fixed one; that no other has it is your word. Where neither is
    written it leases one from ``ids.db`` in your state directory, which ``file`` names
    (``None`` for either is refused): all programs of a user on a machine then differ, and other
    users, machines and containers have a key space of their own. Times are in milliseconds.

    - Order: IDs rise strictly in issue order, across threads, clock steps and leases, if time is the
      top field and the policy neither changes workers nor counts rollbacks.
    - Overflow: a full tick borrows from the future up to the policy's ``max_ahead_ms``, then waits
      without spinning, up to ``wait_ms`` (5000 unless given).
    - Clock rollback: as the policy says; the default goes on, and never repeats an ID.
    - Threads: share it; minting takes no lock.
    - Fork: a child takes a worker ID of its own at its first call; with a fixed one it fails with
      ``forked``.
    - Crash: the next holder of the worker ID begins above everything issued.

    Args:
        worker_id: a fixed one, or where to find it.
        store: a ``Store``, or an object with ``acquire``, ``renew`` and ``release``.
        preset: the layout, policy and start of a system, by its name; the next three override it.
        layout: a ``Layout``, a preset's name, or fields as ``time:41,worker:10,sequence:12``.
        policy: a clock policy, or its name.
        start: where a fresh tick's sequence begins: ``zero``, ``vibrate:MAX``, ``random:BELOW`` or
            ``rotate``.
        max_ahead_ms: how far to borrow from the future, in place of the policy's: up to 3600000.
        reserve_ms: how much time a renewal reserves, 100 to 3600000: of a fixed worker ID always (1000
            unless given), of a leased one at most (60000), once it has lived as long. At least
            twice ``max_ahead_ms``, and four ticks.
        wait_ms: how long a call waits for an ID.
        state_directory: where a fixed worker ID's state file lies, to be kept over restarts.

    Raises:
        ParameterError: no worker ID, ``None``, two of them, or a value that is not possible.
        LayoutError: ``layout_expired`` or ``epoch_in_future``.
        WorkerError: the worker ID is in use, or none is free.
        StoreError: of the store.
    """
    def __new__(
        cls,
        *,
        worker_id: SupportsIndex | str = ...,
        store: Store | _WorkerStore = ...,
        preset: str | None = None,
        layout: Layout | str | None = None,
        policy: ClockPolicy | str | None = None,
        start: SequenceStart | str | None = None,
        max_ahead_ms: SupportsIndex | None = None,
        reserve_ms: SupportsIndex | None = None,
        wait_ms: SupportsIndex | None = None,
        state_directory: str | PathLike[str] | None = None,
    ) -> Snowflake: ...
    @staticmethod
    def open(url: str) -> Snowflake:
        """Opens one by its URL, as ``snowmint.open`` does; a type checker knows what it is.

        Raises:
            ParameterError: the URL opens a source of another class.
            SnowmintError: as ``snowmint.open``.
        """
    @property
    def layout(self) -> Layout:
        """The layout of its IDs."""
    @property
    def file(self) -> str | None:
        """The user's own database, where it leases its worker ID from that; else ``None``."""
    def next_id(self) -> int:
        """The next ID, waiting up to the source's bound with the interpreter's lock released.

        Raises:
            StallError: none could be had within the bound; ``wait_ms`` says when, if known.
            ClosedError: after ``close()``.
            SnowmintError: of the store or the worker ID.
        """
    def try_next_id(self) -> int | None:
        """The next ID if it can be had at once, else ``None``: never waits, and calls no store.
        What is missing is fetched meanwhile, so that asking again is of use.

        Raises:
            ClosedError: after ``close()``.
            SnowmintError: ``forked``, ``state_missing``, ``store_unavailable`` of a
                ``MemoryStore`` of another process, or ``range_regressed`` unless the tag is
                raised: the source has to be opened anew; ``tag_exhausted`` until it is raised.
        """
    def next_id_within(self, wait_ms: SupportsIndex) -> int:
        """The next ID, waiting up to ``wait_ms`` milliseconds; 0 never waits.

        Raises:
            SnowmintError: as ``next_id``.
        """
    def next_ids(self, count: SupportsIndex) -> array[int]:
        """The next ``count`` IDs, rising, as an ``array('Q')``; at most ``MAX_COUNT``. Each block
        of them waits up to the source's bound.

        Raises:
            ParameterError: ``count_out_of_range`` for 0 or too many.
            SnowmintError: as ``next_id``; IDs minted before the failure are a gap.
        """
    def fill(self, buffer: Buffer | _Array) -> None:
        """Fills a writable buffer of 64-bit integers (``array('Q')``, numpy, memoryview) with
        rising IDs, one of several dimensions as its memory lies, row by row. In a signed one,
        IDs from 2**63 on are negative. Each block of them waits up to the source's bound.

        Raises:
            TypeError: not a buffer.
            ParameterError: items of another size, read-only, or not contiguous.
            SnowmintError: as ``next_id``; what the buffer then holds is given up, a gap.
        """
    def next_id_async(
        self, *, wait_ms: SupportsIndex | None = None
    ) -> Coroutine[Any, Any, int]:
        """``await``: the next ID, within ``wait_ms`` milliseconds, or the source's bound. It is
        there at once as a rule; what is not is asked for again until it is, on no thread, and
        the event loop goes on. A task that is cancelled has taken nothing.

        Raises:
            SnowmintError: as ``next_id``.
        """
    def next_ids_async(
        self, count: SupportsIndex, *, wait_ms: SupportsIndex | None = None
    ) -> Coroutine[Any, Any, array[int]]:
        """``await``: the next ``count`` IDs, as ``next_ids``, waited for as ``next_id_async``
        waits: each block of them within the bound. What a task had that is cancelled is a
        gap.

        Raises:
            SnowmintError: as ``next_ids``.
        """
    def stats(self) -> Stats:
        """What it is doing: a ``Stats``. Asking changes nothing, calls no store and never waits
        for one.
        """
    def close(self, wait_ms: SupportsIndex | None = None) -> None:
        """Stops minting and gives the worker ID up. A leased one without waiting for the store, which
        a thread of snowmint's tells; ``wait_ms`` waits up to so many milliseconds until it knows. A
        process that ends before that leaves the worker ID to the end of its lease, two seconds to a
        minute. Closing twice is no error.

        Raises:
            WorkerError: of a fixed worker ID's state file.
            StoreError: of the store, if ``wait_ms`` is given.
            StallError: ``wait_timeout``: it did not answer within ``wait_ms``.

        The generator is closed all the same.
        """
    def __iter__(self) -> Snowflake: ...
    def __next__(self) -> int: ...
    def __enter__(self) -> Snowflake: ...
    def __exit__(self, *_exception: object) -> None: ...
    def __aiter__(self) -> Snowflake: ...
    def __anext__(self) -> Coroutine[Any, Any, int]: ...
    def __aenter__(self) -> Coroutine[Any, Any, Snowflake]: ...
    def __aexit__(self, *_exception: object) -> Coroutine[Any, Any, None]: ...

@final
class Segment:
    """Mints the numbers of a tag, from ranges reserved in a store and fetched ahead.

    - Order: numbers rise strictly in issue order, across threads and ranges. Other processes on the
      same tag mint from ranges of their own: between processes there is no order.
    - Gaps: what is fetched and not minted when a process ends is lost.
    - Threads: share it; minting takes no lock while fetched numbers last.
    - Fork: a child fetches ranges of its own.
    - Store down: the fetched numbers are minted to the end, then calls fail within their bound, and
      go on by themselves when the store is back.

    Args:
        tag: the name of the sequence: 1 to 64 of ``A-Z a-z 0-9 _ . : -``, or such a name in a
            namespace: ``shop/orders``.
        store: a ``Store`` that has the tag.
        allocate: in place of a store, ``allocate(tag, count)``, which reserves about ``count``
            numbers and returns ``(start, end)`` or ``(start, end, stride)``, ``end`` not included.
            It is called from a thread of snowmint's, one call at a time, and may take its time.
            Nonsense is refused (``invalid_range``), as is a range of far more numbers than were asked
            for (``invalid_answer``), and what it raises is the ``__cause__`` of a
            ``store_unavailable``; it is asked again either way. A range at or below the last one ends
            the source (``range_regressed``): others may have what is at hand, too. Open it anew
            when what reserves the ranges is above all that was ever issued: nobody can raise the tag
            of a callable, and the next segment over one does not know which numbers this one had.
        step: how many numbers a range has. Unless given, the tag's step (1000 with ``allocate``),
            doubled up to a million for as long as ranges last less than 15 minutes.
        runway_ms: in place of ``step``: how long the numbers at hand are to last, up to a day, so that
            the store may be away for as long: ranges double from the tag's step on until they do.
        prefetch: percent of a range used when the next is fetched: 10 unless given.
        wait_ms: how long a call waits for a number: 5000 unless given.

    Raises:
        ParameterError: a value that is not possible.
        SegmentError: ``unknown_tag``. An ID service tells it with the first range, which is fetched
            at once; one that does not answer within ``wait_ms``, or is none, is told of by the
            first call.
        StoreError: of the store.
    """
    def __new__(
        cls,
        tag: str,
        *,
        store: Store | None = None,
        allocate: Callable[[str, int], Range | tuple[int, int] | tuple[int, int, int]] | None = None,
        step: Step | SupportsIndex | None = None,
        runway_ms: SupportsIndex | None = None,
        prefetch: Prefetch | SupportsIndex | None = None,
        wait_ms: SupportsIndex | None = None,
    ) -> Segment: ...
    @staticmethod
    def open(url: str) -> Segment:
        """Opens one by its URL, as ``snowmint.open`` does; a type checker knows what it is.

        Raises:
            ParameterError: the URL opens a source of another class.
            SnowmintError: as ``snowmint.open``.
        """
    @property
    def tag(self) -> str:
        """The tag."""
    def next_id(self) -> int:
        """The next ID, waiting up to the source's bound with the interpreter's lock released.

        Raises:
            StallError: none could be had within the bound; ``wait_ms`` says when, if known.
            ClosedError: after ``close()``.
            SnowmintError: of the store or the worker ID.
        """
    def try_next_id(self) -> int | None:
        """The next ID if it can be had at once, else ``None``: never waits, and calls no store.
        What is missing is fetched meanwhile, so that asking again is of use.

        Raises:
            ClosedError: after ``close()``.
            SnowmintError: ``forked``, ``state_missing``, ``store_unavailable`` of a
                ``MemoryStore`` of another process, or ``range_regressed`` unless the tag is
                raised: the source has to be opened anew; ``tag_exhausted`` until it is raised.
        """
    def next_id_within(self, wait_ms: SupportsIndex) -> int:
        """The next ID, waiting up to ``wait_ms`` milliseconds; 0 never waits.

        Raises:
            SnowmintError: as ``next_id``.
        """
    def next_ids(self, count: SupportsIndex) -> array[int]:
        """The next ``count`` IDs, rising, as an ``array('Q')``; at most ``MAX_COUNT``. Each block
        of them waits up to the source's bound.

        Raises:
            ParameterError: ``count_out_of_range`` for 0 or too many.
            SnowmintError: as ``next_id``; IDs minted before the failure are a gap.
        """
    def fill(self, buffer: Buffer | _Array) -> None:
        """Fills a writable buffer of 64-bit integers (``array('Q')``, numpy, memoryview) with
        rising IDs, one of several dimensions as its memory lies, row by row. In a signed one,
        IDs from 2**63 on are negative. Each block of them waits up to the source's bound.

        Raises:
            TypeError: not a buffer.
            ParameterError: items of another size, read-only, or not contiguous.
            SnowmintError: as ``next_id``; what the buffer then holds is given up, a gap.
        """
    def next_id_async(
        self, *, wait_ms: SupportsIndex | None = None
    ) -> Coroutine[Any, Any, int]:
        """``await``: the next ID, within ``wait_ms`` milliseconds, or the source's bound. It is
        there at once as a rule; what is not is asked for again until it is, on no thread, and
        the event loop goes on. A task that is cancelled has taken nothing.

        Raises:
            SnowmintError: as ``next_id``.
        """
    def next_ids_async(
        self, count: SupportsIndex, *, wait_ms: SupportsIndex | None = None
    ) -> Coroutine[Any, Any, array[int]]:
        """``await``: the next ``count`` IDs, as ``next_ids``, waited for as ``next_id_async``
        waits: each block of them within the bound. What a task had that is cancelled is a
        gap.

        Raises:
            SnowmintError: as ``next_ids``.
        """
    def stats(self) -> Stats:
        """What it is doing: a ``Stats``. Asking changes nothing, calls no store and never waits
        for one.
        """
    def close(self, wait_ms: SupportsIndex | None = None) -> None:
        """Stops minting; fetched numbers are lost. Closing twice is no error. ``wait_ms`` is there
        because every source has it: no store has to know.
        """
    def __iter__(self) -> Segment: ...
    def __next__(self) -> int: ...
    def __enter__(self) -> Segment: ...
    def __exit__(self, *_exception: object) -> None: ...
    def __aiter__(self) -> Segment: ...
    def __anext__(self) -> Coroutine[Any, Any, int]: ...
    def __aenter__(self) -> Coroutine[Any, Any, Segment]: ...
    def __aexit__(self, *_exception: object) -> Coroutine[Any, Any, None]: ...

@final
class Daily:
    """Mints numbers that begin with the date: with 6 digits the 42nd of 21 August 2026 is
    ``20260821000042``.

    Each day has a tag of its own, ``tag:yyyymmdd``, created at its first use, with numbers from 1.

    - Order: numbers rise strictly in issue order, across threads, ranges and days; between
      processes there is no order within a day.
    - Gaps: what is fetched and not minted when the day or the process ends is lost.
    - Overflow: when a day's numbers are used up calls fail with ``tag_exhausted``, and the next day
      goes on.
    - Clock: it says only which day to mint for; nothing is ever issued twice.
    - Threads: share it. Fork: a child fetches ranges of its own.

    Args:
        tag: the name of the sequence; in a namespace ``shop/invoice``.
        store: a ``Store``.
        zone: whose days count: ``UTC`` unless given, an offset as ``+08:00``, or an IANA name.
        digits: how many follow the date, 1 to 10; 6 unless given.
        step: how many numbers a range has; a thousandth of a day's unless given.
        prefetch: percent of a range used when the next is fetched: 50 unless given.
        wait_ms: how long a call waits for a number: 5000 unless given.

    Raises:
        ParameterError: an unknown zone, or a value that is not possible.
        StoreError: of the store.
    """
    def __new__(
        cls,
        tag: str,
        *,
        store: Store,
        zone: str | None = None,
        digits: SupportsIndex | None = None,
        step: SupportsIndex | None = None,
        prefetch: Prefetch | SupportsIndex | None = None,
        wait_ms: SupportsIndex | None = None,
    ) -> Daily: ...
    @staticmethod
    def open(url: str) -> Daily:
        """Opens one by its URL, as ``snowmint.open`` does; a type checker knows what it is.

        Raises:
            ParameterError: the URL opens a source of another class.
            SnowmintError: as ``snowmint.open``.
        """
    @property
    def tag(self) -> str:
        """The tag, without a day."""
    def next_id(self) -> int:
        """The next ID, waiting up to the source's bound with the interpreter's lock released.

        Raises:
            StallError: none could be had within the bound; ``wait_ms`` says when, if known.
            ClosedError: after ``close()``.
            SnowmintError: of the store or the worker ID.
        """
    def try_next_id(self) -> int | None:
        """The next ID if it can be had at once, else ``None``: never waits, and calls no store.
        What is missing is fetched meanwhile, so that asking again is of use.

        Raises:
            ClosedError: after ``close()``.
            SnowmintError: ``forked``, ``state_missing``, ``store_unavailable`` of a
                ``MemoryStore`` of another process, or ``range_regressed`` unless the tag is
                raised: the source has to be opened anew; ``tag_exhausted`` until it is raised.
        """
    def next_id_within(self, wait_ms: SupportsIndex) -> int:
        """The next ID, waiting up to ``wait_ms`` milliseconds; 0 never waits.

        Raises:
            SnowmintError: as ``next_id``.
        """
    def next_ids(self, count: SupportsIndex) -> array[int]:
        """The next ``count`` IDs, rising, as an ``array('Q')``; at most ``MAX_COUNT``. Each block
        of them waits up to the source's bound.

        Raises:
            ParameterError: ``count_out_of_range`` for 0 or too many.
            SnowmintError: as ``next_id``; IDs minted before the failure are a gap.
        """
    def fill(self, buffer: Buffer | _Array) -> None:
        """Fills a writable buffer of 64-bit integers (``array('Q')``, numpy, memoryview) with
        rising IDs, one of several dimensions as its memory lies, row by row. In a signed one,
        IDs from 2**63 on are negative. Each block of them waits up to the source's bound.

        Raises:
            TypeError: not a buffer.
            ParameterError: items of another size, read-only, or not contiguous.
            SnowmintError: as ``next_id``; what the buffer then holds is given up, a gap.
        """
    def next_id_async(
        self, *, wait_ms: SupportsIndex | None = None
    ) -> Coroutine[Any, Any, int]:
        """``await``: the next ID, within ``wait_ms`` milliseconds, or the source's bound. It is
        there at once as a rule; what is not is asked for again until it is, on no thread, and
        the event loop goes on. A task that is cancelled has taken nothing.

        Raises:
            SnowmintError: as ``next_id``.
        """
    def next_ids_async(
        self, count: SupportsIndex, *, wait_ms: SupportsIndex | None = None
    ) -> Coroutine[Any, Any, array[int]]:
        """``await``: the next ``count`` IDs, as ``next_ids``, waited for as ``next_id_async``
        waits: each block of them within the bound. What a task had that is cancelled is a
        gap.

        Raises:
            SnowmintError: as ``next_ids``.
        """
    def stats(self) -> Stats:
        """What it is doing: a ``Stats``. Asking changes nothing, calls no store and never waits
        for one.
        """
    def close(self, wait_ms: SupportsIndex | None = None) -> None:
        """Stops minting; fetched numbers are lost. Closing twice is no error. ``wait_ms`` is there
        because every source has it: no store has to know.
        """
    def __iter__(self) -> Daily: ...
    def __next__(self) -> int: ...
    def __enter__(self) -> Daily: ...
    def __exit__(self, *_exception: object) -> None: ...
    def __aiter__(self) -> Daily: ...
    def __anext__(self) -> Coroutine[Any, Any, int]: ...
    def __aenter__(self) -> Coroutine[Any, Any, Daily]: ...
    def __aexit__(self, *_exception: object) -> Coroutine[Any, Any, None]: ...

@final
class Sequences:
    """Mints a sequence for each of many keys, with little to persist: keys are grouped in sections,
    and only a section's maximum is in the store. Keys that are counted lie close together; of those
    far apart, as snowflakes, each has a section, and a row, of its own.

    - Order: the numbers of a key rise strictly in issue order, across threads, ranges and restarts;
      between processes that use a key at once there is no order. No key has a number twice; two
      keys can have the same number.
    - Gaps: a restart begins at the section's maximum: each of its keys leaps by up to two steps.
    - Threads: share it; those whose keys lie in different sections do not wait for each other.
    - Store down: numbers of fetched ranges are minted to the end, then calls fail within their
      bound, and go on by themselves when the store is back.
    - Fork: a child fetches ranges of its own. No clock takes part.

    Args:
        tag: the name of the sequences; in a namespace ``shop/chat``.
        store: a ``Store``.
        keys_per_section: how many keys share a persisted maximum: 100,000 unless given. It can
            never be changed for a tag.
        step: by how much a section's maximum is raised at a time: 10,000 unless given.
        wait_ms: how long a call waits for a number: 5000 unless given.

    Raises:
        ParameterError: a value that is not possible, or other keys per section than recorded.
        StoreError: of the store.
    """
    def __new__(
        cls,
        tag: str,
        *,
        store: Store,
        keys_per_section: SupportsIndex | None = None,
        step: SupportsIndex | None = None,
        wait_ms: SupportsIndex | None = None,
    ) -> Sequences: ...
    @staticmethod
    def open(url: str) -> Sequences:
        """Opens one by its URL, as ``snowmint.open`` does; a type checker knows what it is.

        Raises:
            ParameterError: the URL opens a source of another class.
            SnowmintError: as ``snowmint.open``.
        """
    @property
    def tag(self) -> str:
        """The tag, without a section."""
    @property
    def keys_per_section(self) -> int:
        """How many keys share a persisted maximum."""
    def next(self, key: SupportsIndex) -> int:
        """The next number of ``key``, an integer from 0 on, waiting up to the sequences' bound.

        Raises:
            StallError: none could be fetched in time.
            ParameterError: ``invalid_key`` for a key whose section's tag would be too long.
            ClosedError: after ``close()``.
            SnowmintError: of the store.
        """
    def next_within(self, key: SupportsIndex, *, wait_ms: SupportsIndex) -> int:
        """The next number of ``key``, waiting up to ``wait_ms`` milliseconds; 0 takes a fetched one or
        fails.

        Raises:
            SnowmintError: as ``next``.
        """
    def next_async(
        self, key: SupportsIndex, *, wait_ms: SupportsIndex | None = None
    ) -> Coroutine[Any, Any, int]:
        """``await``: the next number of ``key``, within ``wait_ms`` milliseconds, or the sequences'
        bound. It waits on no thread, and the event loop goes on.

        Raises:
            SnowmintError: as ``next``.
        """
    def stats(self) -> Stats:
        """What they are doing: a ``Stats``; of single sections nothing is told. Asking changes nothing,
        calls no store and never waits for one.
        """
    def close(self, wait_ms: SupportsIndex | None = None) -> None:
        """Stops minting; what is left of the fetched ranges is lost. Closing twice is no error.
        ``wait_ms`` is there because every source has it: no store has to know.
        """
    def __enter__(self) -> Sequences: ...
    def __exit__(self, *_exception: object) -> None: ...
    def __aenter__(self) -> Coroutine[Any, Any, Sequences]: ...
    def __aexit__(self, *_exception: object) -> Coroutine[Any, Any, None]: ...

@final
class UuidSource:
    """Makes UUIDs of one version, 4 or 7 (RFC 9562), as ``uuid.UUID``.

    - Unique: by 122 random bits (version 4), or 58 beside a counter that begins at random in each
      millisecond (version 7); nothing is reserved. A forked child's differ.
    - Order: version 7 rises within a process, also when the clock goes back; version 4 has none.
    - Threads: any number.

    Raises:
        ParameterError: another version.
    """
    def __new__(cls, version: SupportsIndex = 7) -> UuidSource: ...
    @staticmethod
    def open(url: str) -> UuidSource:
        """Opens one by its URL, as ``snowmint.open`` does; a type checker knows what it is.

        Raises:
            ParameterError: the URL opens a source of another class.
            SnowmintError: as ``snowmint.open``.
        """
    @property
    def version(self) -> int:
        """The version, 4 or 7."""
    def next_uuid(self) -> UUID:
        """The next UUID."""
    def stats(self) -> Stats:
        """What it is doing: a ``Stats``, of which only ``kind`` says something. It is there because every
        source has it.
        """
    def close(self, wait_ms: SupportsIndex | None = None) -> None:
        """Does nothing: there is nothing to give up. It is there because every source has it, and
        ``wait_ms`` with it.
        """
    def __iter__(self) -> UuidSource: ...
    def __next__(self) -> UUID: ...
    def __enter__(self) -> UuidSource: ...
    def __exit__(self, *_exception: object) -> None: ...
    def __aenter__(self) -> Coroutine[Any, Any, UuidSource]: ...
    def __aexit__(self, *_exception: object) -> Coroutine[Any, Any, None]: ...
    def __getnewargs__(self) -> tuple[int]: ...

@final
class Ring:
    """IDs of a snowflake, a segment or a source of daily numbers, made ahead by a thread of the ring's
    own: a call takes what is ready, whatever the clock, the store or a full tick are at. It is
    opened by URL alone: ``open("snowflake:?worker_id=7&ring=1024")``.

    - Measures: ``ring`` is how many IDs can be ready, a power of two up to 1048576. The ring is
      filled up when fewer than ``ring_refill`` percent of it are ready, 30 unless given, and every
      ``ring_every_ms`` while IDs are taken, 1000 unless given.
    - Order: IDs rise strictly in issue order, as the source's do.
    - Age: a snowflake that has been ready for ``ring_every_ms`` is thrown away: by so much its time
      can be older than that of one made at once; by twice that where the clock is set back
      meanwhile. Daily numbers are thrown away when their day ends. A segment's numbers have no age.
    - Empty: a call waits up to its bound, and fails with ``empty``, or with what keeps the source
      from making more. The ring is empty before the first call, and when nobody has taken from it
      for a while.
    - Gaps: what is thrown away, and what is ready when the ring is closed.
    - Threads: share it; taking what is ready takes no lock. Fork: a child begins with an empty
      ring.
    - Stats: the source's, the ring first among the buckets.
    """
    @staticmethod
    def open(url: str) -> Ring:
        """Opens one by its URL, as ``snowmint.open`` does; a type checker knows what it is.

        Raises:
            ParameterError: the URL opens a source of another class.
            SnowmintError: as ``snowmint.open``.
        """
    @property
    def layout(self) -> Layout | None:
        """The layout of its IDs, if they are snowflakes."""
    def next_id(self) -> int:
        """The next ID, waiting up to the source's bound with the interpreter's lock released.

        Raises:
            StallError: none could be had within the bound; ``wait_ms`` says when, if known.
            ClosedError: after ``close()``.
            SnowmintError: of the store or the worker ID.
        """
    def try_next_id(self) -> int | None:
        """The next ID if it can be had at once, else ``None``: never waits, and calls no store.
        What is missing is fetched meanwhile, so that asking again is of use.

        Raises:
            ClosedError: after ``close()``.
            SnowmintError: ``forked``, ``state_missing``, ``store_unavailable`` of a
                ``MemoryStore`` of another process, or ``range_regressed`` unless the tag is
                raised: the source has to be opened anew; ``tag_exhausted`` until it is raised.
        """
    def next_id_within(self, wait_ms: SupportsIndex) -> int:
        """The next ID, waiting up to ``wait_ms`` milliseconds; 0 never waits.

        Raises:
            SnowmintError: as ``next_id``.
        """
    def next_ids(self, count: SupportsIndex) -> array[int]:
        """The next ``count`` IDs, rising, as an ``array('Q')``; at most ``MAX_COUNT``. Each block
        of them waits up to the source's bound.

        Raises:
            ParameterError: ``count_out_of_range`` for 0 or too many.
            SnowmintError: as ``next_id``; IDs minted before the failure are a gap.
        """
    def fill(self, buffer: Buffer | _Array) -> None:
        """Fills a writable buffer of 64-bit integers (``array('Q')``, numpy, memoryview) with
        rising IDs, one of several dimensions as its memory lies, row by row. In a signed one,
        IDs from 2**63 on are negative. Each block of them waits up to the source's bound.

        Raises:
            TypeError: not a buffer.
            ParameterError: items of another size, read-only, or not contiguous.
            SnowmintError: as ``next_id``; what the buffer then holds is given up, a gap.
        """
    def next_id_async(
        self, *, wait_ms: SupportsIndex | None = None
    ) -> Coroutine[Any, Any, int]:
        """``await``: the next ID, within ``wait_ms`` milliseconds, or the source's bound. It is
        there at once as a rule; what is not is asked for again until it is, on no thread, and
        the event loop goes on. A task that is cancelled has taken nothing.

        Raises:
            SnowmintError: as ``next_id``.
        """
    def next_ids_async(
        self, count: SupportsIndex, *, wait_ms: SupportsIndex | None = None
    ) -> Coroutine[Any, Any, array[int]]:
        """``await``: the next ``count`` IDs, as ``next_ids``, waited for as ``next_id_async``
        waits: each block of them within the bound. What a task had that is cancelled is a
        gap.

        Raises:
            SnowmintError: as ``next_ids``.
        """
    def stats(self) -> Stats:
        """What it is doing: a ``Stats``. Asking changes nothing, calls no store and never waits
        for one.
        """
    def close(self, wait_ms: SupportsIndex | None = None) -> None:
        """Stops minting, and closes the source; what is ready is lost. ``wait_ms`` waits up to so many
        milliseconds until the store has a leased worker ID back. Closing twice is no error.

        Raises:
            SnowmintError: as ``Snowflake.close``; it is closed all the same.
        """
    def __iter__(self) -> Ring: ...
    def __next__(self) -> int: ...
    def __enter__(self) -> Ring: ...
    def __exit__(self, *_exception: object) -> None: ...
    def __aiter__(self) -> Ring: ...
    def __anext__(self) -> Coroutine[Any, Any, int]: ...
    def __aenter__(self) -> Coroutine[Any, Any, Ring]: ...
    def __aexit__(self, *_exception: object) -> Coroutine[Any, Any, None]: ...

@final
class Layout:
    """A division of 64 bits into fields: time, worker ID, sequence. Checked when built; immutable,
    hashable, picklable.

    Every preset is an attribute: ``Layout.TWITTER``, ``Layout.DISCORD``, …; ``presets()`` lists
    them.

    Args:
        fields: from the top bit down, as ``time:41,worker:10,sequence:12``; ``zero:N`` and
            ``constant:N=V`` are constants, and bits left over are zeros on top. Names of fields are
            ``time``, ``datacenter``, ``worker``, ``process``, ``shard``, ``sequence``, ``rollback``.
        epoch: where time begins, Unix milliseconds or an aware ``datetime``.
        tick_ms: the unit of time in milliseconds.

    Raises:
        LayoutError: ``invalid_layout``, with what is wrong.
    """
    TWITTER: ClassVar[Layout]
    DISCORD: ClassVar[Layout]
    INSTAGRAM: ClassVar[Layout]
    MASTODON: ClassVar[Layout]
    LEAF: ClassVar[Layout]
    BWMARRIN: ClassVar[Layout]
    SHARDINGSPHERE: ClassVar[Layout]
    SHARDINGSPHERE_CST: ClassVar[Layout]
    SONYFLAKE_V2: ClassVar[Layout]
    SONYFLAKE_V1: ClassVar[Layout]
    COSID_MS: ClassVar[Layout]
    BAIDU_README: ClassVar[Layout]
    BAIDU_DEFAULT: ClassVar[Layout]
    YITTER: ClassVar[Layout]
    NETEASE: ClassVar[Layout]
    SEATA: ClassVar[Layout]
    HAZELCAST: ClassVar[Layout]
    COSID_S: ClassVar[Layout]
    COSID_JS_MS: ClassVar[Layout]
    COSID_JS_S: ClassVar[Layout]
    LINGDU: ClassVar[Layout]
    INFLUX: ClassVar[Layout]
    ROLLBACK_BITS: ClassVar[Layout]
    def __new__(
        cls, fields: str, *, epoch: int | datetime = 0, tick_ms: SupportsIndex = 1
    ) -> Layout: ...
    @staticmethod
    def named(text: str) -> Layout:
        """The layout of a preset's name (``twitter``), of fields, with ticks of 1 ms since 1970, or of a
        layout's ``str``, which has epoch and tick.

        Raises:
            LayoutError: ``unknown_layout`` or ``invalid_layout``.
        """
    @staticmethod
    def presets() -> list[Preset]:
        """Every preset: the layouts of known systems, and how those use them."""
    @property
    def text(self) -> str:
        """The fields as the constructor reads them: ``zero:1,time:41,worker:10,sequence:12``."""
    @property
    def fields(self) -> tuple[Field, ...]:
        """The fields, from the top bit down."""
    @property
    def epoch_ms(self) -> int:
        """Where time begins, Unix milliseconds."""
    @property
    def epoch(self) -> datetime:
        """Where time begins, an aware ``datetime`` in UTC.

        Raises:
            ParameterError: ``invalid_time`` outside the years 1 to 9999.
        """
    @property
    def tick_ms(self) -> int:
        """The unit of time in milliseconds."""
    @property
    def ticks(self) -> int:
        """How many ticks the time field counts."""
    @property
    def worker_bits(self) -> int:
        """Width of the worker ID: all worker fields side by side, the upper first."""
    @property
    def max_worker_id(self) -> int:
        """The largest worker ID."""
    @property
    def ids_per_tick(self) -> int:
        """The IDs one worker can mint in a tick."""
    @property
    def ids_per_second(self) -> int:
        """The IDs one worker can mint in a second, over a long time."""
    @property
    def expires_ms(self) -> int:
        """The first moment the layout cannot express, Unix milliseconds."""
    @property
    def expires(self) -> datetime:
        """The first moment the layout cannot express, an aware ``datetime`` in UTC.

        Raises:
            ParameterError: ``invalid_time`` after the year 9999.
        """
    def fits(self, bits: SupportsIndex) -> Fit:
        """Whether all IDs fit so many bits: 63 for a signed integer, 53 for a JavaScript number."""
    def decode(self, id: SupportsIndex | str) -> Parts:
        """Takes an ID apart: an integer, or its decimal digits.

        Raises:
            LayoutError: ``id_not_in_layout`` where constant bits differ.
            ParameterError: not a number of 64 bits.
            TextError: the digits are none.
        """
    def decode_many(self, ids: Buffer | Iterable[SupportsIndex]) -> Columns:
        """Takes many IDs apart at once, with the interpreter's lock released: of a buffer of 64-bit
        integers (``array('Q')``, numpy, memoryview), where signed ones are taken bit by bit, of a
        column of pandas or pyarrow, or of any integers.

        Raises:
            LayoutError: ``id_not_in_layout``, with the index of the first such ID.
            TypeError: neither a buffer nor integers, with the index of what is none, is missing or is
                masked.
            ParameterError: more than 64 bits, with the index; items of another size, or
                no one column, as a frame or an array of two dimensions is.
        """
    def encode(self, parts: Parts) -> int:
        """Puts an ID together; the time is rounded down to its tick.

        Raises:
            LayoutError: ``time_out_of_range``, or ``field_out_of_range`` for a value that does not
                fit.
        """
    def min_id(self, time: int | datetime) -> int:
        """The smallest ID with the tick of a time: where paging by time begins. One minted later can be
        below that of the present by up to 10 ms: minting reads Linux's coarse clock.

        Raises:
            LayoutError: ``time_out_of_range``.
        """
    def max_id(self, time: int | datetime) -> int:
        """The largest ID with the tick of a time. That of the present does not bound what has been
        minted: an ID's time may run ahead of the clock by its generator's ``max_ahead_ms``.

        Raises:
            LayoutError: ``time_out_of_range``.
        """
    def tick_at(self, time: int | datetime) -> int:
        """The tick of a time, counted from the epoch's.

        Raises:
            LayoutError: ``time_out_of_range``.
        """
    def worker_id(self, **parts: SupportsIndex) -> int:
        """The worker ID of its parts: ``worker_id(datacenter=11, worker=26)`` is 378 in Twitter's
        layout. Parts left out are 0.

        Raises:
            LayoutError: ``field_out_of_range`` for a value that does not fit, or of a field that the
                layout does not have.
            TypeError: no layout has a field of that name.
        """
    def worker_parts(self, worker_id: SupportsIndex) -> dict[str, int]:
        """Splits a worker ID into its parts, the upper first: 378 is
        ``{"datacenter": 11, "worker": 26}`` in Twitter's layout.

        Raises:
            LayoutError: ``field_out_of_range`` above ``max_worker_id``.
            ParameterError: not a number of 32 bits.
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, int]]: ...

@final
class Field:
    """A run of bits in an ID."""
    @property
    def kind(self) -> str:
        """What it holds: ``time``, ``worker``, ``sequence``, ``constant``, …"""
    @property
    def bits(self) -> int:
        """Its width."""
    @property
    def shift(self) -> int:
        """How many bits lie below it."""
    @property
    def max(self) -> int:
        """The largest value it holds."""
    def of(self, id: SupportsIndex) -> int:
        """Its value in an ID."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Fit:
    """Whether all IDs of a layout fit a number of bits."""
    @property
    def kind(self) -> str:
        """``always``, ``until`` (then ``until_ms`` says when) or ``never``."""
    @property
    def until_ms(self) -> int | None:
        """IDs minted before this fit, Unix milliseconds; ``None`` unless ``kind`` is ``until``."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Preset:
    """A named layout, and how its system uses it."""
    @property
    def name(self) -> str:
        """The name in URLs and at the command line."""
    @property
    def note(self) -> str:
        """One line on where it comes from and what to know of it."""
    @property
    def layout(self) -> Layout:
        """The layout."""
    @property
    def policy(self) -> ClockPolicy:
        """What its system does when the clock goes back or a tick is full."""
    @property
    def start(self) -> SequenceStart:
        """Where its system begins the sequence of a fresh tick."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Parts:
    """What an ID says. Immutable, hashable, picklable.

    Args:
        time: Unix milliseconds or an aware ``datetime``.
        worker_id: all worker fields side by side, the upper first.
        sequence: the number in its tick.
        rollback: the rollback counter.
    """
    def __new__(
        cls,
        *,
        time: int | datetime,
        worker_id: SupportsIndex = 0,
        sequence: SupportsIndex = 0,
        rollback: SupportsIndex = 0,
    ) -> Parts: ...
    @property
    def unix_ms(self) -> int:
        """Start of the ID's tick, Unix milliseconds."""
    @property
    def time(self) -> datetime:
        """Start of the ID's tick, an aware ``datetime`` in UTC.

        Raises:
            ParameterError: ``invalid_time`` outside the years 1 to 9999; ``unix_ms`` has it.
        """
    @property
    def worker_id(self) -> int:
        """The worker ID: all worker fields side by side, the upper first. 0 where there is none."""
    @property
    def sequence(self) -> int:
        """The sequence number in its tick."""
    @property
    def rollback(self) -> int:
        """The rollback counter; 0 where there is none."""
    def asdict(self) -> dict[str, Any]:
        """The same as a ``dict``, of which ``Parts(**…)`` makes it again.

        Raises:
            ParameterError: ``invalid_time``, as ``time``.
        """
    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, _handler: Any) -> Any: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __getnewargs_ex__(self) -> tuple[tuple[()], dict[str, int]]: ...

@final
class Guess:
    """A preset that an ID may come from, and what the ID says there."""
    @property
    def preset(self) -> Preset:
        """The preset."""
    @property
    def parts(self) -> Parts:
        """The ID's parts in its layout."""
    @property
    def named(self) -> bool:
        """Whether what stood beside the ID names the system: else many may have such an ID."""
    @property
    def fields(self) -> dict[str, int]:
        """What its fields hold, by the layout's own names: Discord's ``worker`` and ``process``."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Columns:
    """What many IDs say: an ``array.array`` for each part, in the order of the IDs. ``numpy.asarray``
    takes them without a copy.
    """
    @property
    def unix_ms(self) -> array[int]:
        """Starts of the IDs' ticks, Unix milliseconds: ``array('q')``."""
    @property
    def worker_id(self) -> array[int]:
        """Worker IDs: ``array('I')``."""
    @property
    def sequence(self) -> array[int]:
        """Sequence numbers: ``array('I')``."""
    @property
    def rollback(self) -> array[int]:
        """Rollback counters: ``array('I')``."""
    def __len__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class TextForm:
    """A way to write IDs as text."""
    @property
    def name(self) -> str:
        """The name, the same in every language."""
    @property
    def alphabet(self) -> str:
        """The digits' symbols, that of 0 first."""
    @property
    def width(self) -> int | None:
        """The number of symbols, where every text of the form has the same; else ``None``."""
    @property
    def sortable(self) -> bool:
        """Whether texts in byte order are IDs in numeric order."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class PublicIdKeys:
    """The keys of public IDs, by which IDs get forms that show neither order nor number nor time.
    ``public_ids("order")`` gives those of one type.

    Keys are 16 to 32 random bytes, made and rotated by the binary's ``snowmint public-ids keygen`` and
    ``rotate``, or made by ``generate()`` and kept by ``to_toml()``. Who has them reads every public ID
    ever made. Keep them for as long as links should be read.

    - Threads, forks: any; it does not change. Open it once, at import, and let forked workers
      inherit it.
    - It is not pickled, and its ``repr`` shows no key.
    """
    @staticmethod
    def open(source: str | PathLike[str]) -> PublicIdKeys:
        """The keys of a file, or of an environment variable by ``env:NAME`` (``env:`` is
        ``SNOWMINT_PUBLIC_ID_KEYS``). The document is TOML, or JSON on one line. A file has to be its
        owner's alone.

        Raises:
            ParameterError: ``invalid_keys``, ``keys_exposed``; no message shows a part of a key.
        """
    @staticmethod
    def from_bytes(document: bytes) -> PublicIdKeys:
        """The keys of the same document in memory, where another keeper of secrets put it.

        Raises:
            ParameterError: ``invalid_keys``.
        """
    @staticmethod
    def generate() -> PublicIdKeys:
        """One new random key: for tests, or to be kept by ``to_toml()``.

        Raises:
            StoreError: ``no_resource``, if the system gives no random numbers.
        """
    def to_toml(self) -> str:
        """The document of these keys, as ``open`` and ``from_bytes`` read it. It has the keys: write it
        to a file for its owner alone.
        """
    def public_ids(self, type: str, form: str = "token") -> PublicIds:
        """The public IDs of one type, as ``order``: small letters, digits and underscores. What is of
        another type is refused.

        Args:
            form: ``token`` (``order_1…``), ``base64url`` (the same in 22 symbols for 26), ``uuid``
                (of version 8), or ``number64``, ``number63`` and ``number53``, which are not checked.

        Raises:
            ParameterError: no type.
            TextError: ``unknown_text_form``.
        """
    @property
    def realm(self) -> str:
        """What keeps these IDs apart from others under the same keys; empty if none was said."""
    @property
    def symbols(self) -> list[str]:
        """The symbols of all keys, which are read."""
    @property
    def current(self) -> str:
        """The symbol of the key that makes what is new."""
    @property
    def numbers(self) -> str | None:
        """The symbol of the key that numbers have; ``None`` if there are several and none is named."""
    def __copy__(self) -> PublicIdKeys: ...
    def __deepcopy__(self, _memo: object, /) -> PublicIdKeys: ...

@final
class PublicIds:
    """The public IDs of one type, in one form: ``PublicIdKeys.public_ids`` gives it.

    - Deterministic: an ID has one public ID for each key, by which it is recognised.
    - No permission: ask who may see the order, as ever.
    - Refused: a token that was altered or made up, but for one in 2**64 (a UUID, one in 2**58 a key);
      numbers never. All that are not found are refused alike, in the same time as each other, and why
      is not told. A good one takes less: no exception is made.
    - Threads, forks: any; it does not change.
    """
    def encode(self, id: SupportsIndex) -> str:
        """The public form of an ID.

        Raises:
            ParameterError: not a number of 64 bits; of a number, more bits than the form has.
        """
    def decode(self, text: str) -> int:
        """The ID of a public form.

        Raises:
            TextError: ``wrong_type``, ``text_length``, ``invalid_text``, ``text_not_canonical`` and, of
                numbers, ``text_overflow`` say what everybody sees in the text, ``not_found`` does not
                tell more: it was altered, made up, or is of a key or realm that is not here. It is a
                ``ValueError``.
        """
    def encode_many(self, ids: Buffer | Iterable[SupportsIndex]) -> list[str]:
        """The public forms of many IDs, as a list of texts: of a buffer of 64-bit integers
        (``array('Q')``, numpy), where signed ones are taken bit by bit, of a pandas Series, or of
        any integers.

        Raises:
            TypeError: neither a buffer nor integers, with the index of what is none, is missing or is
                masked.
            ParameterError: as ``encode``, with the index; items of another size, or no
                one column, as a frame or an array of two dimensions is.
        """
    def decode_many(self, texts: Iterable[str]) -> array[int]:
        """The IDs of many public forms, as an ``array('Q')``, which numpy takes without a copy: of a
        list, a numpy array, a pandas Series, or of any texts. A column of ``int64`` has them by
        ``numpy.asarray(ids).view("int64")``: ``uint64`` beside it would become ``float64``, which loses
        digits.

        Raises:
            TypeError: what is no text, as a missing value of a column is, with its index.
            TextError: as ``decode``, of the first that is refused, with its index.
            ParameterError: no one column, as a frame or an array of two dimensions is.
        """
    def encode_uuid(self, id: SupportsIndex) -> UUID:
        """The ID as a ``uuid.UUID`` of version 8, whatever the form."""
    def decode_uuid(self, uuid: UUID) -> int:
        """The ID of a ``uuid.UUID``.

        Raises:
            TypeError: no UUID.
            TextError: ``not_found``.
        """
    def encode_number(self, id: SupportsIndex, bits: SupportsIndex = 64) -> int:
        """The ID as another number of so many bits: 64, 63 or 53.

        Raises:
            ParameterError: more bits, another width, or no key that numbers have.
        """
    def decode_number(self, number: SupportsIndex, bits: SupportsIndex = 64) -> int:
        """The ID of such a number. Each number has one, made-up ones too. One that a user sent is better
        read as text, by ``decode`` of the form ``number53``: whatever is wrong with it is a
        ``TextError``.

        Raises:
            ParameterError: as ``encode_number``; it is a ``ValueError``.
        """
    @property
    def type(self) -> str:
        """The type."""
    @property
    def form(self) -> str:
        """The name of the form."""
    def __copy__(self) -> PublicIds: ...
    def __deepcopy__(self, _memo: object, /) -> PublicIds: ...

@disjoint_base
class Store:
    """Reserves worker IDs and the numbers of tags, durably, in one place. Opened by ``Store.open(url)``,
    or one of its subclasses, closed by ``close()`` or a ``with`` block. Threads may share it; a forked
    child may go on using it.
    """
    @staticmethod
    def open(url: str) -> Store:
        """Opens a store: ``sqlite:ids.db``, made where there is none by ``sqlite:ids.db?create=true``,
        ``postgres://user@host/database``, ``mysql://user@host/database``,
        ``redis://host:6379/0``, ``etcd://host:2379``, ``zookeeper://host:2181``, or ``memory:``
        for one that ends with the process.

        Raises:
            UrlError: the URL cannot be read, or has an unknown scheme.
            StoreError: of the store.
        """
    def close(self) -> None:
        """Lets the store go: further calls are ``ClosedError``s. Sources over it that are open go on, and
        its file or its connections are closed with the last of them. Closing twice is no error.
        """
    def __enter__(self) -> Self: ...
    def __exit__(self, *_exception: object) -> None: ...
    def create_tag(
        self,
        tag: str,
        *,
        start: SupportsIndex | None = None,
        step: SupportsIndex | None = None,
        stride: SupportsIndex | None = None,
        max: SupportsIndex | None = None,
    ) -> None:
        """Adds a tag, whose first number is ``start`` (1), whose ranges have ``step`` numbers (1000),
        whose numbers lie ``stride`` (1) apart, and of which none is above ``max``, as of the column
        that they are for. A tag may have a namespace: ``shop/orders``.

        Raises:
            SegmentError: ``tag_exists``, ``invalid_range``.
            ParameterError: ``invalid_tag``, ``invalid_step``.
            StoreError: of the store.
        """
    def ensure_tag(
        self,
        tag: str,
        *,
        start: SupportsIndex | None = None,
        step: SupportsIndex | None = None,
        stride: SupportsIndex | None = None,
        max: SupportsIndex | None = None,
    ) -> bool:
        """Adds a tag that may be there already, and is then left as it is, with options of its own.
        Whether it was added.

        Raises:
            SegmentError: ``invalid_range``.
            ParameterError: ``invalid_tag``, ``invalid_step``.
            StoreError: of the store.
        """
    def change_tag(
        self,
        tag: str,
        *,
        next: SupportsIndex | None = None,
        step: SupportsIndex | None = None,
        max: SupportsIndex | None = None,
    ) -> TagRow:
        """Changes a tag's step or its largest number, or raises the first number not yet reserved;
        returns its row.

        Raises:
            SegmentError: ``unknown_tag``, ``range_regressed`` for a ``next`` below the present, or
                ``invalid_range`` for a ``max`` below what was given.
            ParameterError: ``invalid_tag``, ``invalid_step``.
            StoreError: of the store.
        """
    def vouch(
        self,
        server: str,
        *,
        raise_by_steps: SupportsIndex,
        new_from: SupportsIndex | None = None,
    ) -> list[TagRow]:
        """Has a server that took another's place go on with all it has, on an operator's
        word that this is all that was given. It is named as its refusals name it; another one
        refuses the word. Each tag whose ranges may be lost is raised first by so many steps, each
        as long as the tag's last range where that was longer; returns their rows. Tags that are made
        from now on begin at ``new_from`` if not above, where tags may be lost: the largest one that
        was given holds until 0, which is safe once each lost tag is there again, or never comes.

        Raises:
            ParameterError: ``invalid_parameter``, ``invalid_range``, ``unsupported`` by other
                stores.
            StoreError: ``incarnation_changed`` by another server; of the store.
        """
    def tag(self, tag: str) -> TagRow | None:
        """The row of a tag; ``None`` if there is none.

        Raises:
            ParameterError: ``invalid_tag``.
            StoreError: of the store.
        """
    def tags(self) -> list[TagRow]:
        """Every tag's row, by tag.

        Raises:
            StoreError: of the store.
        """
    def allocate(self, tag: str, count: SupportsIndex | None = None) -> Range:
        """Reserves the next ``count`` numbers of a tag, or its step; near the largest number fewer.
        They are the caller's alone.

        Raises:
            SegmentError: ``unknown_tag``, ``tag_exhausted``.
            ParameterError: ``invalid_tag``, ``invalid_step``.
            StoreError: of the store.
        """
    def workers(self) -> list[WorkerRow]:
        """Every row of the worker table, by realm and worker ID.

        Raises:
            StoreError: of the store.
        """
    def evict(self, realm: str, worker_id: SupportsIndex) -> bool:
        """Ends whatever lease a worker ID has, for an operator who knows that its holder is gone; its
        reserved time stays reserved. ``False`` if there is no such row.

        Raises:
            StoreError: of the store.
        """

@final
class SqliteStore(Store):
    """A store in one SQLite file: one key space, for one machine. ``create=True`` makes it where there is
    none; ``shared_file=True`` goes on with one in which an application has made tables, and which no
    other copy of SQLite in this process may open. ``key_space`` is which one it has to be, by its 32
    hexadecimal digits. Not for network drives.

    Raises:
        StoreError: the file cannot be opened, or is no store.
    """
    def __new__(
        cls,
        path: str | PathLike[str],
        *,
        create: bool = False,
        shared_file: bool = False,
        key_space: str | None = None,
    ) -> SqliteStore: ...

@final
class MemoryStore(Store):
    """A store that ends with the process, and that no other process sees: for tests."""
    def __new__(cls) -> MemoryStore: ...

@final
class TagRow:
    """A row of the segment table."""
    @property
    def tag(self) -> str:
        """The tag."""
    @property
    def next(self) -> int:
        """The first number not yet reserved by anybody."""
    @property
    def step(self) -> int:
        """How many numbers a range has unless the client asks for more."""
    @property
    def stride(self) -> int:
        """The distance of two numbers."""
    @property
    def max(self) -> int:
        """The largest number that may be given."""
    @property
    def updated_ms(self) -> int:
        """When a range was last taken or the row changed, by the store's clock, Unix milliseconds."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class WorkerRow:
    """A row of the worker table."""
    @property
    def realm(self) -> str:
        """The realm: a layout's canonical text."""
    @property
    def worker_id(self) -> int:
        """The worker ID."""
    @property
    def owner(self) -> str:
        """Its present or last holder."""
    @property
    def epoch(self) -> int:
        """Counts its acquisitions."""
    @property
    def reserved_ms(self) -> int:
        """First Unix millisecond not reserved."""
    @property
    def expires_ms(self) -> int:
        """When the lease ends if it is not renewed, Unix milliseconds."""
    @property
    def held(self) -> bool:
        """Whether it is held, by the store's clock."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Stats:
    """What a source is doing, at one moment: ``source.stats()``. Asking changes nothing, calls no store
    and never waits for one. What does not apply to a source is ``None``, or empty.
    """
    @property
    def kind(self) -> str:
        """``snowflake``, ``segment``, ``daily``, ``sequences`` or ``uuid``; of a ring that of its source."""
    @property
    def is_closed(self) -> bool:
        """Whether it was closed."""
    @property
    def worker_id(self) -> int | None:
        """The worker ID that IDs are minted under."""
    @property
    def lease_age_ms(self) -> int | None:
        """How long this process has had the worker ID, in milliseconds."""
    @property
    def reserved_ms(self) -> int | None:
        """How much time is reserved ahead of the clock, in milliseconds: without the store, IDs can be
        minted for as long. 0 or less when it is used up.
        """
    @property
    def reserve_ms(self) -> int | None:
        """How much time the lease's last renewal reserved, in milliseconds; ``None`` of a fixed worker ID.
        The next renewal is due once a third of it is used.
        """
    @property
    def clock_offset_ms(self) -> int | None:
        """What is added to the wall clock, in milliseconds: how far it is off from the store's clock, or
        a step of it that is not followed.
        """
    @property
    def borrowed_ms(self) -> int | None:
        """How far the last ID's time is ahead of the clock, in milliseconds."""
    @property
    def rollbacks(self) -> int:
        """How often the clock went back and was counted in the layout's rollback bits."""
    @property
    def buckets(self) -> tuple[Bucket, ...]:
        """The numbers at hand, the range in use first, and before it what is ready in a ring: a tuple
        of ``Bucket``.
        """
    @property
    def step(self) -> int | None:
        """How many numbers the next range will have."""
    @property
    def rate(self) -> float | None:
        """Numbers a second between the last two ranges, or since the last one if that is longer;
        ``None`` before there were two.
        """
    @property
    def runway_ms(self) -> int | None:
        """How long what is at hand lasts at that rate, or what is reserved, in milliseconds."""
    @property
    def last_failure(self) -> Failure | None:
        """The last thing that went wrong with the store."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Bucket:
    """A range of numbers at hand."""
    @property
    def left(self) -> int:
        """How many of its numbers are left."""
    @property
    def size(self) -> int:
        """How many it had."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Failure:
    """Something that went wrong with a store."""
    @property
    def code(self) -> str:
        """The name of its code, as exceptions carry it."""
    @property
    def message(self) -> str:
        """What it said."""
    @property
    def unix_ms(self) -> int:
        """When, by this machine's clock, Unix milliseconds."""
    @property
    def time(self) -> datetime:
        """When, by this machine's clock, an aware ``datetime`` in UTC.

        Raises:
            ParameterError: ``invalid_time`` outside the years 1 to 9999; ``unix_ms`` has it.
        """
    @property
    def is_over(self) -> bool:
        """Whether the store has answered since."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Lease:
    """A worker ID with the time reserved for it: the holder may issue IDs whose time lies in
    ``[floor_ms, reserved_ms)``, and nobody else ever may under that worker ID. Times are Unix
    milliseconds. Immutable, hashable, picklable.

    A store of your own keeps to this:

    - ``acquire(request)`` takes a worker ID that nobody holds, at most ``max_worker_id`` and not
      ``avoid``. The lease has the request's token, and its floor is at or above every
      ``reserved_ms`` that the worker ID ever had. Each call takes another one, even with the same
      token, which copies of a process have alike. Without a free one
      ``raise WorkerError("all are held", "workers_exhausted")``.
    - ``renew(lease, token, reserve_ms)`` reserves ``reserve_ms`` from the store's clock on, and none less
      than before; ``token`` replaces the lease's. A repeat with the same token succeeds again. Of
      a lease that is no longer its holder's
      ``raise WorkerError("another has it", "lease_lost")``: the source takes another worker ID.
    - ``release(lease)`` ends it: the worker ID can be taken above its reserved time, once that is near
      enough. One that is lost already is no error.
    """
    def __new__(
        cls,
        *,
        realm: str,
        worker_id: SupportsIndex,
        epoch: SupportsIndex,
        owner: str,
        token: bytes,
        floor_ms: int | datetime,
        reserved_ms: int | datetime,
        now_ms: int | datetime,
    ) -> Lease: ...
    @property
    def realm(self) -> str:
        """The realm: the layout's canonical text."""
    @property
    def worker_id(self) -> int:
        """The worker ID."""
    @property
    def epoch(self) -> int:
        """Counts the acquisitions of this worker ID."""
    @property
    def owner(self) -> str:
        """Names the holder to operators, and to the store."""
    @property
    def token(self) -> bytes:
        """Changes at every renewal: of two copies of a process only one can renew. 16 bytes."""
    @property
    def floor_ms(self) -> int:
        """First Unix millisecond the holder may use."""
    @property
    def reserved_ms(self) -> int:
        """First Unix millisecond it may not use."""
    @property
    def now_ms(self) -> int:
        """The store's clock when it granted this."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __getnewargs_ex__(self) -> tuple[tuple[()], dict[str, int | str | bytes]]: ...

@final
class LeaseRequest:
    """What a lease is asked for with. Immutable, hashable, picklable."""
    @property
    def realm(self) -> str:
        """The realm: the layout's canonical text."""
    @property
    def max_worker_id(self) -> int:
        """The largest worker ID of the layout."""
    @property
    def owner(self) -> str:
        """Names the holder: host, process and a random part."""
    @property
    def token(self) -> bytes:
        """The lease's first token, 16 bytes."""
    @property
    def reserve_ms(self) -> int:
        """How much time to reserve ahead of the store's clock, and how long the lease lives without
        renewal, in milliseconds: up to an hour, and a day more where the store's clock was set back.
        """
    @property
    def max_ahead_ms(self) -> int:
        """How far ahead of the store's clock the generator can use time, in milliseconds. The floor may
        lie only ``reach_ms`` ahead.
        """
    @property
    def reach_ms(self) -> int:
        """How far ahead of the store's clock the floor may lie, in milliseconds: a worker ID whose
        reserved time goes further is not taken. At most ``max_ahead_ms``, and at least a quarter of
        the reservation is left.
        """
    @property
    def avoid(self) -> int | None:
        """A worker ID not to take: the one just left because of the clock; or ``None``."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class ErrorCode:
    """One row of the table of error codes, the same in every language."""
    @property
    def number(self) -> int:
        """The frozen number."""
    @property
    def name(self) -> str:
        """The frozen name, as exceptions carry it in ``code``."""
    @property
    def summary(self) -> str:
        """One sentence on what it means."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class EngineSnowflake:
    """A snowflake generator without a clock: the caller brings the time, and an ID that cannot be had
    yet is a ``StallError`` that says when to ask again. The same calls give the same IDs in every
    language.

    It issues the ticks from ``floor`` to before ``reserved``. That nobody else has them is the
    caller's business: only ``snowmint.Snowflake`` reserves.

    - Order: IDs rise strictly in issue order if the time field is above worker and sequence.
    - Overflow: a full tick carries into the next, up to ``max_ahead_ms`` ahead, then stalls.
    - Clock rollback: goes on above the last ID, within ``max_ahead_ms``; beyond, stalls.
    - Threads: one call at a time. Fork: a copy repeats IDs.

    Args:
        layout: a ``Layout``, a preset's name, or fields.
        worker_id: the worker ID.
        rollback: the rollback counter.
        floor: the first tick it may issue.
        reserved: the first tick it may not issue; all are its own unless given.
        max_ahead_ms: how far an ID's time may run ahead of the clock.
        start: where a fresh tick's sequence begins.

    Raises:
        LayoutError: ``field_out_of_range``.
    """
    def __new__(
        cls,
        layout: Layout | str,
        *,
        worker_id: SupportsIndex,
        rollback: SupportsIndex = 0,
        floor: SupportsIndex = 0,
        reserved: SupportsIndex = 18446744073709551615,
        max_ahead_ms: SupportsIndex = 0,
        start: SequenceStart | str | None = None,
    ) -> EngineSnowflake: ...
    @property
    def layout(self) -> Layout:
        """The layout."""
    def next_id(self, now: int | datetime) -> int:
        """One ID at a time.

        Raises:
            StallError: it cannot be had now; ``wait_ms`` says when.
            LayoutError: ``epoch_in_future``, ``layout_expired``.
        """
    def issue(self, n: SupportsIndex, *, now: int | datetime) -> array[int]:
        """``n`` IDs at a time, in contiguous slots, all or none, as an ``array('Q')``.

        Raises:
            ParameterError: ``count_out_of_range`` for 0, or more than can ever be had at once.
            SnowmintError: as ``next_id``.
        """
    def extend(self, reserved: SupportsIndex) -> None:
        """Moves the end of the grant up; a lower one than before changes nothing."""
    def open(
        self,
        *,
        worker_id: SupportsIndex,
        rollback: SupportsIndex = 0,
        floor: SupportsIndex = 0,
        reserved: SupportsIndex = 18446744073709551615,
    ) -> None:
        """Goes on in another lane: a new lease or worker ID. It begins at the grant's floor or in a
        tick after the last ID's, whichever is later, so that IDs keep rising.

        Raises:
            LayoutError: ``field_out_of_range``; the old lane then stays.
        """
    def jump(
        self,
        *,
        worker_id: SupportsIndex,
        rollback: SupportsIndex = 0,
        floor: SupportsIndex = 0,
        reserved: SupportsIndex = 18446744073709551615,
    ) -> None:
        """Goes on in another lane without regard to the times of IDs issued before: what
        ``change_worker`` and ``count_rollback`` do. IDs may go down here. Coming back to a worker ID
        needs ticks disjoint from those it had.

        Raises:
            LayoutError: ``field_out_of_range``; the old lane then stays.
        """

@final
class SegmentBuffer:
    """Ready ranges of one tag, in the order they were supplied, and the decision when to get more:
    the machine behind ``snowmint.Segment``, without a clock or a store.

    Numbers rise strictly: a range that does not lie above everything supplied before is refused.
    Times are any milliseconds that rise.

    Args:
        prefetch: when the next range is asked for.
        step: how many numbers a range has: an integer, or a ``Step`` that adapts.
        above: refuses every range that begins below it.
    """
    def __new__(
        cls,
        *,
        prefetch: Prefetch | SupportsIndex,
        step: Step | SupportsIndex,
        above: SupportsIndex = 0,
    ) -> SegmentBuffer: ...
    @property
    def remaining(self) -> int:
        """How many numbers are ready."""
    @property
    def step(self) -> int:
        """The step of the last range supplied."""
    @property
    def floor(self) -> int:
        """The lowest number a further range may begin with."""
    def wants(self, now: int | datetime) -> int | None:
        """How many numbers to ask the store for now, or ``None``. It asks once: until ``supply`` or
        ``failed`` there is no other request.
        """
    def take(self, n: SupportsIndex) -> Range | None:
        """Takes up to ``n`` numbers that lie together; ``None`` if the buffer is empty or ``n`` is 0."""
    def take_until_request(self) -> Range | None:
        """Takes the numbers up to where the buffer next wants to be asked."""
    def supply(self, range: Range, *, now: int | datetime) -> None:
        """Adds a range.

        Raises:
            SegmentError: ``range_regressed``; the range is not used, and the buffer may ask again.
            ParameterError: ``count_out_of_range`` if nobody asked and the buffer is full.
        """
    def failed(self) -> None:
        """The request came to nothing; the buffer may ask again."""
    def resize(self, step: Step | SupportsIndex) -> None:
        """Goes by another step from the next request on."""

@final
class Range:
    """Reserved numbers: ``start``, ``start + stride``, … below ``end``. Immutable, hashable, picklable.

    Raises:
        SegmentError: ``invalid_range`` if it has no number or passes the limits.
    """
    def __new__(
        cls, start: SupportsIndex, end: SupportsIndex, stride: SupportsIndex = 1
    ) -> Range: ...
    @property
    def start(self) -> int:
        """The first number."""
    @property
    def end(self) -> int:
        """The first number past the range."""
    @property
    def stride(self) -> int:
        """The distance of two numbers."""
    @property
    def count(self) -> int:
        """How many numbers it has: at least 1."""
    def numbers(self) -> array[int]:
        """Its numbers, rising, as an ``array('Q')``."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __getnewargs__(self) -> tuple[int, int, int]: ...

@final
class Prefetch:
    """When the next range is asked for."""
    @staticmethod
    def double_bucket(used_percent: SupportsIndex) -> Prefetch:
        """One range beside the current, asked for once so many percent of the current are used.

        Raises:
            ParameterError: more than 100.
        """
    @staticmethod
    def chain(distance: SupportsIndex) -> Prefetch:
        """``distance`` ranges behind the current, 1 to ``MAX_DISTANCE``; what is outside means the nearest
        of these. It doubles when the chain runs dry within 5 s of a supply, and halves, down to the one
        given, when it does not.
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Step:
    """How many numbers a range has: between ``min`` and ``max``, by Leaf's rule. A range that lasted
    less than 15 minutes doubles it, less than 30 keeps it, longer halves it. Immutable, hashable,
    picklable.

    Raises:
        ParameterError: ``invalid_step``.
    """
    def __new__(cls, min: SupportsIndex, max: SupportsIndex | None = None) -> Step: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __getnewargs__(self) -> tuple[int, int]: ...

@final
class ClockPolicy:
    """What a caller does with a stall: fail, wait, change something and ask again. No policy decides
    whether IDs are unique; all are. Immutable, hashable, picklable.

    Args:
        max_ahead_ms: how far an ID's time may run ahead of the clock, in milliseconds.
        when_behind: what to do when the clock is further behind than that: ``fail``, ``wait N``,
            ``count_rollback`` or ``change_worker N``, N being the longest wait in milliseconds.
        when_full: what to do when the tick is full: ``wait`` or ``fail``.

    Raises:
        ParameterError: a value that is not possible.
    """
    def __new__(
        cls, *, max_ahead_ms: SupportsIndex, when_behind: str, when_full: str = "wait"
    ) -> ClockPolicy: ...
    @staticmethod
    def named(name: str) -> ClockPolicy:
        """The policy of a name.

        Raises:
            ParameterError: there is none of that name.
        """
    @staticmethod
    def all() -> dict[str, ClockPolicy]:
        """Every named policy: a ``dict`` by name."""
    @property
    def max_ahead_ms(self) -> int:
        """How far an ID's time may run ahead of the clock, in milliseconds."""
    @property
    def when_behind(self) -> str:
        """What to do when the clock is further behind than that."""
    @property
    def when_full(self) -> str:
        """What to do when the tick is full."""
    def action(self, stall: _Stall) -> str:
        """What to do with a stall of ``engine.Snowflake``: ``fail``, ``wait N`` (milliseconds),
        ``count_rollback``, ``change_worker`` or ``extend_grant``; then ask again.

        Raises:
            ParameterError: another error than a stall.
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __getnewargs_ex__(self) -> tuple[tuple[()], dict[str, int | str]]: ...

@final
class SequenceStart:
    """Where the sequence of a fresh tick begins."""
    @staticmethod
    def zero() -> SequenceStart:
        """At 0: one ID a tick gives even IDs for ever."""
    @staticmethod
    def vibrate(max_offset: SupportsIndex) -> SequenceStart:
        """One above the last sequence number, modulo ``max_offset + 1``: ShardingSphere."""
    @staticmethod
    def random(*, below: SupportsIndex, seed: SupportsIndex) -> SequenceStart:
        """Pseudo-random below a bound, different for each tick and seed: Leaf takes 100."""
    @staticmethod
    def rotate() -> SequenceStart:
        """One above the last sequence number, back to 0 from half the sequence on: CosId."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

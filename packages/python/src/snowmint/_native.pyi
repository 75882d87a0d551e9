"""The native parts of ``snowmint`` and ``snowmint.engine``. Import those modules instead."""

from array import array
from collections.abc import Callable, Coroutine, Iterable
from datetime import datetime
from os import PathLike
from typing import Any, ClassVar, Final, Literal, Protocol, SupportsIndex, final, overload
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
    "Migration",
    "TagRow",
    "WorkerRow",
    "Stats",
    "Bucket",
    "Failure",
    "TagNext",
    "Lease",
    "LeaseRequest",
    "ErrorCode",
    "on_restore",
    "open",
    "decode",
    "guess",
    "migrate",
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
    """An array of numpy, which type checkers only take for a buffer from Python 3.12 on."""

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

def open(url: str, *, lazy: bool = False) -> Any:
    """Opens a source by its URL.

    - ``snowflake:?worker_id=7``: a ``Snowflake`` with a fixed worker ID; also ``env``,
      ``env:NAME``, ``ordinal``, ``ordinal:NAME``, ``ip:NETWORK``
    - ``snowflake+sqlite:ids.db?create=true``: a ``Snowflake`` with a worker ID leased from the file
    - ``segment+sqlite:ids.db?tag=orders``: a ``Segment``
    - ``daily+sqlite:ids.db?tag=orders&zone=UTC``: a ``Daily``
    - ``sequences+sqlite:ids.db?tag=chat``: ``Sequences``, whose ``next(key)`` mints
    - ``uuid:?version=7``: a ``UuidSource``
    - ``snowflake:?worker_id=7&ring=1024``, and the same with other snowflakes, segments and daily
      numbers: a ``Ring`` of IDs made ahead

    A type checker cannot read a URL. It knows the class of the source if you call
    ``Snowflake.open(url)``, ``Segment.open(url)`` and so on.

    Most parameters have the names of the classes' keywords, but ``state`` is ``state_directory``.
    Only URLs have ``require_state``, ``ring``, ``ring_refill`` and ``ring_every_ms``. A path is
    taken as it stands, up to the ``?``; values may be percent-encoded. Opening takes as long as the
    store does; ``wait_ms`` bounds the calls on the source. If a signal handler raises an exception,
    for example after Ctrl-C, the wait ends, and a source that opens later is closed.

    Args:
        url: the URL.
        lazy: if true, only the URL is read, and the source is opened by its first use. Then a
            module can be imported without its store. If opening fails, that use raises the error,
            and the next use tries again, after at most half a second. ``check()`` opens the source
            as well. Threads may use it first at the same time. A child that is forked before the
            first use opens its own.

    Raises:
        UrlError: if the URL cannot be read, or has an unknown scheme or parameter.
        ParameterError: if a value is not possible.
        SnowmintError: an error of the source.
    """
def on_restore() -> None:
    """Tells this process that it is a restored or cloned image: from a snapshot of its virtual
    machine, by SnapStart or CRIU. Another process may have the same leases and numbers, so every
    source drops what it has and starts over at its next call, as in a forked child.

    Call it after each restore, before the first ID: a process cannot detect that it was restored.
    Until then the twins of an image can issue the same IDs, up to the end of the reservations in
    the image. These are a lease's time (a minute by default), or the rest of a range.

    Leased worker IDs and segments go on with another lease and another range. Fixed worker IDs and
    ``MemoryStore``s are in every image: they fail with the codes ``forked`` and
    ``store_unavailable``, and you have to open them again. Any thread may call it. A call that
    another thread had begun may still return an ID from before.
    """
def migrate(url: str, *, dry_run: bool = False) -> Migration:
    """Creates the tables of a store, as ``create=true`` in its URL does, or begins its key space.
    Tables that exist and are right stay as they are.

    Args:
        url: the store, for example ``postgres://owner@host/database``.
        dry_run: if true, nothing is changed, and the result has the statements that would run.

    Raises:
        UrlError: if the URL cannot be read, or has an unknown scheme.
        ParameterError: ``unsupported`` for ``memory:``.
        StoreError: ``store_schema`` if only some of the tables exist, or if they differ from what
            they should be, and nothing is changed; or another error of the store.
    """
def guess(
    id: SupportsIndex | str, *, now: int | datetime | None = None, beside: str = ""
) -> list[Guess]:
    """Returns the presets that an ID may come from. Likely guesses come first, and the others have a
    ``doubt``. If the first guess has one, or the list is empty, no preset is likely.

    A preset is plausible if its constant bits match, and the decoded time passes three checks. It
    is at most a day after ``now`` (default: the present), not before the system made such IDs, and
    not in the layout's first day, where every small number is. A plausible preset is likely if its
    system is common, the ID's bits are as usual there, and no other system explains them nearly as
    well with another time.

    ``beside`` is a text found beside the ID: for example the key of its value (``guild_id``), its
    link or a column's name. A system that it names is likely.

    Raises:
        TextError: if the text is not decimal digits.
    """
@overload
def decode(id: SupportsIndex | str, layout: Layout | str) -> Parts:
    """Returns the parts of an ID in a layout. Without a layout it returns the likeliest ``Guess``;
    ``guess`` returns all of them.

    Raises:
        LayoutError: ``id_not_in_layout``, or ``unknown_layout`` with the reason if no preset is
            likely.
        TextError: if the text is not decimal digits.
        TypeError: if ``now`` or ``beside`` is given together with a layout.
    """
@overload
def decode(
    id: SupportsIndex | str,
    layout: None = None,
    *,
    now: int | datetime | None = None,
    beside: str = "",
) -> Guess:
    """Returns the parts of an ID in a layout. Without a layout it returns the likeliest ``Guess``;
    ``guess`` returns all of them.

    Raises:
        LayoutError: ``id_not_in_layout``, or ``unknown_layout`` with the reason if no preset is
            likely.
        TextError: if the text is not decimal digits.
        TypeError: if ``now`` or ``beside`` is given together with a layout.
    """
def format(id: SupportsIndex, form: str) -> str:
    """Returns an ID as text, in the form with this name: see ``text_forms()``.

    Raises:
        TextError: ``unknown_text_form``.
        ParameterError: if it is not a number of 64 bits.
    """
def parse(text: str, form: str | None = None) -> int:
    """Returns the ID that a text means in the form with this name. It reads the texts that
    ``format`` writes, and other spellings that can mean only one ID. These are leading zeros, and
    letters of the other case if the form has only one case. Without a form it detects the form,
    like ``detect``.

    Raises:
        TextError: if the text is not an ID in the form, ``unknown_text_form``, or if no form is
            detected.
    """
def detect(text: str) -> str | None:
    """Returns the name of the form that a bare text most likely has, or ``None``. It is a guess:
    z-base-32, base 36 and base 58 are never guessed, nor base 62 if base 58 writes the same text.
    """
def text_forms() -> list[TextForm]:
    """Returns every text form of IDs."""
def error_codes() -> list[ErrorCode]:
    """Returns every error code, by rising number."""

@final
class Snowflake:
    """Mints snowflake IDs: time, worker ID and sequence in 64 bits. Times are in milliseconds.

    The arguments decide which worker ID it has:

    - ``worker_id``: a fixed worker ID (``7``, ``"env"``, ``"env:NAME"``, ``"ordinal"``,
      ``"ordinal:NAME"``, ``"ip:10.0.4.0/22"``). Its time is reserved in a file of
      ``state_directory``. The file keeps a second generator with that file from using it. You have
      to make sure that no other generator has it.
    - ``store``: a worker ID leased from the store.
    - Neither: a worker ID leased from ``ids.db`` in your state directory, which ``file`` names. All
      programs of a user on a machine then differ. Other users, machines and containers each have a
      separate key space. ``None`` for either argument is refused.

    Properties:

    - Order: IDs rise strictly in issue order, across threads, clock steps and leases, if time is
      the top field and the policy neither changes workers nor counts rollbacks.
    - Overflow: a full tick borrows from the future up to the policy's ``max_ahead_ms``, then waits
      without spinning, up to ``wait_ms`` (default 5000).
    - Clock rollback: as the policy says. The default goes on; no policy repeats an ID.
    - Threads: share it; minting takes no lock.
    - Fork: a child leases its own worker ID at its first call. With a fixed worker ID it fails with
      ``forked``.
    - Crash: the next holder of the worker ID begins above everything issued.

    Args:
        worker_id: a fixed worker ID, or the place to find it.
        store: a ``Store``, or an object with ``acquire``, ``renew`` and ``release``.
        preset: the name of a system, whose layout, policy and start are used. The next three
            arguments override it.
        layout: a ``Layout``, a preset's name, or fields such as ``time:41,worker:10,sequence:12``.
        policy: a clock policy, or its name.
        start: the start of a fresh tick's sequence: ``zero``, ``vibrate:MAX``, ``random:BELOW`` or
            ``rotate``.
        max_ahead_ms: the most time to borrow from the future, instead of the policy's, up to
            3600000.
        reserve_ms: the time that a renewal reserves, 100 to 3600000. For a fixed worker ID it is
            always that long (default 1000). For a leased worker ID it is at most that long (default
            60000), once the lease has lived so long. It must be at least twice ``max_ahead_ms``,
            and four ticks.
        wait_ms: the longest time that a call waits for an ID.
        state_directory: the directory of a fixed worker ID's state file. Keep it across restarts.

    Raises:
        ParameterError: if ``worker_id`` or ``store`` is ``None``, both are given, there is no
            worker ID, or a value is not possible.
        LayoutError: ``layout_expired`` or ``epoch_in_future``.
        WorkerError: if the worker ID is in use, or no worker ID is free.
        StoreError: an error of the store.
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
    def open(url: str, *, lazy: bool = False) -> Snowflake:
        """Opens a source by its URL, like ``snowmint.open``, with a type that a type
        checker knows.

        Raises:
            ParameterError: if the URL opens a source of another class.
            SnowmintError: like ``snowmint.open``.
        """
    def check(self) -> None:
        """Opens the source if it was opened with ``lazy=True`` and nothing has used it.
        Waits up to the source's bound.

        Raises:
            SnowmintError: like ``snowmint.open``; the next use tries again.
            ClosedError: after ``close()``.
        """
    @property
    def layout(self) -> Layout:
        """The layout of its IDs."""
    @property
    def file(self) -> str | None:
        """The path of the user's own database if the worker ID is leased from it; otherwise
        ``None``.
        """
    def next_id(self) -> int:
        """Returns the next ID. Waits up to the source's bound, with the interpreter's lock
        released.

        Raises:
            StallError: if no ID was available within the bound; ``wait_ms`` says when, if
                known.
            ClosedError: after ``close()``.
            SnowmintError: an error of the store or the worker ID.
        """
    def try_next_id(self) -> int | None:
        """Returns the next ID if it is available at once, otherwise ``None``. Never waits,
        and calls no store. The source meanwhile fetches IDs, so that you can ask again.

        Raises:
            ClosedError: after ``close()``.
            SnowmintError: ``forked``, ``state_missing``, ``store_unavailable`` of another
                process's ``MemoryStore``, or ``range_regressed`` unless the tag is raised:
                open the source again. ``tag_exhausted`` until the tag is raised.
        """
    def next_id_within(self, wait_ms: SupportsIndex) -> int:
        """Returns the next ID, waiting up to ``wait_ms`` milliseconds; 0 never waits.

        Raises:
            SnowmintError: like ``next_id``.
        """
    def next_ids(self, count: SupportsIndex) -> array[int]:
        """Returns the next ``count`` IDs, rising, as an ``array('Q')``; at most
        ``MAX_COUNT``. Waits for each block up to the source's bound.

        Raises:
            ParameterError: ``count_out_of_range`` for 0 or too many.
            SnowmintError: like ``next_id``. IDs minted before the failure are a gap.
        """
    def fill(self, buffer: Buffer | _Array) -> None:
        """Fills a writable buffer of 64-bit integers (``array('Q')``, numpy, memoryview)
        with rising IDs. A buffer of several dimensions is filled as its memory lies, row by
        row. In a signed buffer, IDs from 2**63 on are negative. Waits for each block up to
        the source's bound.

        Raises:
            TypeError: if the object is not a buffer.
            ParameterError: if items have another size, or the buffer is read-only or not
                contiguous.
            SnowmintError: like ``next_id``. The IDs then in the buffer are given up, a gap.
        """
    def next_id_async(
        self, *, wait_ms: SupportsIndex | None = None
    ) -> Coroutine[Any, Any, int]:
        """Returns a coroutine for the next ID, within ``wait_ms`` milliseconds or the
        source's bound. Usually the ID is available at once; otherwise the coroutine asks
        again until it is. No thread waits, and the event loop goes on. A cancelled task has
        taken no ID.

        Raises:
            SnowmintError: like ``next_id``.
        """
    def next_ids_async(
        self, count: SupportsIndex, *, wait_ms: SupportsIndex | None = None
    ) -> Coroutine[Any, Any, array[int]]:
        """Returns a coroutine for the next ``count`` IDs, like ``next_ids``. It waits like
        ``next_id_async``, for each block within the bound. The IDs that a cancelled task
        had are a gap.

        Raises:
            SnowmintError: like ``next_ids``.
        """
    def stats(self) -> Stats:
        """Returns the state of the source. Changes nothing, calls no store and never waits
        for one.
        """
    def close(self, wait_ms: SupportsIndex | None = None) -> None:
        """Stops minting and gives up the worker ID. The call does not wait for the store of a
        leased worker ID; a thread of snowmint tells the store. With ``wait_ms`` it waits up to so
        many milliseconds until the store knows. If the process ends before that, the worker ID is
        free at the end of its lease, after two seconds to a minute. Closing twice is no error. The
        generator is closed even if this raises an error.

        Raises:
            WorkerError: an error of a fixed worker ID's state file.
            StoreError: an error of the store, if ``wait_ms`` is given.
            StallError: ``wait_timeout`` if the store did not answer within ``wait_ms``.
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
    """Mints the numbers of a tag, from ranges that are reserved in a store and fetched ahead.

    - Order: numbers rise strictly in issue order, across threads and ranges. Other processes on the
      same tag mint from their own ranges, so there is no order between processes.
    - Gaps: numbers that were fetched and not minted when a process ends are lost.
    - Threads: share it. Minting takes no lock while fetched numbers last.
    - Fork: a child fetches its own ranges.
    - Store down: the fetched numbers are minted to the end. Then calls fail within their bound, and
      succeed again by themselves once the store is back.

    Args:
        tag: the name of the sequence: 1 to 64 of ``A-Z a-z 0-9 _ . : -``, or such a name in a
            namespace: ``shop/orders``.
        store: a ``Store`` that has the tag.
        allocate: a function to use instead of a store. ``allocate(tag, count)`` reserves about
            ``count`` numbers and returns ``(start, end)`` or ``(start, end, stride)``, ``end`` not
            included. A thread of snowmint calls it, one call at a time, and it may take its time.

            An impossible range is refused (``invalid_range``), and so is a range of far more
            numbers than requested (``invalid_answer``). An exception becomes the ``__cause__`` of a
            ``store_unavailable``. After each of these errors snowmint calls it again.

            A range at or below the last one ends the source (``range_regressed``), because
            others may have the numbers at hand too. Open it again once the function reserves
            only ranges above everything ever issued. Nobody can raise the tag of a function, and
            the next segment over it does not know which numbers this segment had.
        step: the count of numbers in a range. The default is the tag's step (1000 with
            ``allocate``), doubled up to a million while ranges last less than 15 minutes.
        runway_ms: the time that the numbers at hand should last while the store is away, up to a
            day. Use it instead of ``step``: ranges double from the tag's step on until they last so
            long.
        prefetch: the percentage of a range that is used when the next is fetched (default 10).
        wait_ms: the longest time that a call waits for a number (default 5000).

    Raises:
        ParameterError: if a value is not possible.
        SegmentError: ``unknown_tag``. An ID service reports it with the first range, which is
            fetched at once. If the service does not answer within ``wait_ms``, or is not an ID
            service, the first call reports that.
        StoreError: an error of the store.
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
    def open(url: str, *, lazy: bool = False) -> Segment:
        """Opens a source by its URL, like ``snowmint.open``, with a type that a type
        checker knows.

        Raises:
            ParameterError: if the URL opens a source of another class.
            SnowmintError: like ``snowmint.open``.
        """
    def check(self) -> None:
        """Opens the source if it was opened with ``lazy=True`` and nothing has used it.
        Waits up to the source's bound.

        Raises:
            SnowmintError: like ``snowmint.open``; the next use tries again.
            ClosedError: after ``close()``.
        """
    @property
    def tag(self) -> str:
        """The tag."""
    def next_id(self) -> int:
        """Returns the next ID. Waits up to the source's bound, with the interpreter's lock
        released.

        Raises:
            StallError: if no ID was available within the bound; ``wait_ms`` says when, if
                known.
            ClosedError: after ``close()``.
            SnowmintError: an error of the store or the worker ID.
        """
    def try_next_id(self) -> int | None:
        """Returns the next ID if it is available at once, otherwise ``None``. Never waits,
        and calls no store. The source meanwhile fetches IDs, so that you can ask again.

        Raises:
            ClosedError: after ``close()``.
            SnowmintError: ``forked``, ``state_missing``, ``store_unavailable`` of another
                process's ``MemoryStore``, or ``range_regressed`` unless the tag is raised:
                open the source again. ``tag_exhausted`` until the tag is raised.
        """
    def next_id_within(self, wait_ms: SupportsIndex) -> int:
        """Returns the next ID, waiting up to ``wait_ms`` milliseconds; 0 never waits.

        Raises:
            SnowmintError: like ``next_id``.
        """
    def next_ids(self, count: SupportsIndex) -> array[int]:
        """Returns the next ``count`` IDs, rising, as an ``array('Q')``; at most
        ``MAX_COUNT``. Waits for each block up to the source's bound.

        Raises:
            ParameterError: ``count_out_of_range`` for 0 or too many.
            SnowmintError: like ``next_id``. IDs minted before the failure are a gap.
        """
    def fill(self, buffer: Buffer | _Array) -> None:
        """Fills a writable buffer of 64-bit integers (``array('Q')``, numpy, memoryview)
        with rising IDs. A buffer of several dimensions is filled as its memory lies, row by
        row. In a signed buffer, IDs from 2**63 on are negative. Waits for each block up to
        the source's bound.

        Raises:
            TypeError: if the object is not a buffer.
            ParameterError: if items have another size, or the buffer is read-only or not
                contiguous.
            SnowmintError: like ``next_id``. The IDs then in the buffer are given up, a gap.
        """
    def next_id_async(
        self, *, wait_ms: SupportsIndex | None = None
    ) -> Coroutine[Any, Any, int]:
        """Returns a coroutine for the next ID, within ``wait_ms`` milliseconds or the
        source's bound. Usually the ID is available at once; otherwise the coroutine asks
        again until it is. No thread waits, and the event loop goes on. A cancelled task has
        taken no ID.

        Raises:
            SnowmintError: like ``next_id``.
        """
    def next_ids_async(
        self, count: SupportsIndex, *, wait_ms: SupportsIndex | None = None
    ) -> Coroutine[Any, Any, array[int]]:
        """Returns a coroutine for the next ``count`` IDs, like ``next_ids``. It waits like
        ``next_id_async``, for each block within the bound. The IDs that a cancelled task
        had are a gap.

        Raises:
            SnowmintError: like ``next_ids``.
        """
    def stats(self) -> Stats:
        """Returns the state of the source. Changes nothing, calls no store and never waits
        for one.
        """
    def close(self, wait_ms: SupportsIndex | None = None) -> None:
        """Stops minting. Fetched numbers are lost. Closing twice is no error. ``wait_ms`` has no
        effect, because no store has to know; every source has this parameter.
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

    Each day has its own tag, ``tag:yyyymmdd``, created at its first use, with numbers from 1.

    - Order: numbers rise strictly in issue order, across threads, ranges and days. Between
      processes there is no order within a day.
    - Gaps: numbers that were fetched and not minted when the day or the process ends are lost.
    - Overflow: when a day's numbers are used up, calls fail with ``tag_exhausted`` until the next
      day.
    - Clock: it only decides for which day to mint. Nothing is ever issued twice.
    - Threads: share it. Fork: a child fetches its own ranges.

    Args:
        tag: the name of the sequence; in a namespace ``shop/invoice``.
        store: a ``Store``.
        zone: the time zone of the days: ``UTC`` (default), an offset such as ``+08:00``, or an IANA
            name.
        digits: the number of digits after the date, 1 to 10 (default 6).
        step: the count of numbers in a range (default: a thousandth of a day's).
        prefetch: the percentage of a range that is used when the next is fetched (default 50).
        wait_ms: the longest time that a call waits for a number (default 5000).

    Raises:
        ParameterError: for an unknown zone, or if a value is not possible.
        StoreError: an error of the store.
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
    def open(url: str, *, lazy: bool = False) -> Daily:
        """Opens a source by its URL, like ``snowmint.open``, with a type that a type
        checker knows.

        Raises:
            ParameterError: if the URL opens a source of another class.
            SnowmintError: like ``snowmint.open``.
        """
    def check(self) -> None:
        """Opens the source if it was opened with ``lazy=True`` and nothing has used it.
        Waits up to the source's bound.

        Raises:
            SnowmintError: like ``snowmint.open``; the next use tries again.
            ClosedError: after ``close()``.
        """
    @property
    def tag(self) -> str:
        """The tag, without a day."""
    def next_id(self) -> int:
        """Returns the next ID. Waits up to the source's bound, with the interpreter's lock
        released.

        Raises:
            StallError: if no ID was available within the bound; ``wait_ms`` says when, if
                known.
            ClosedError: after ``close()``.
            SnowmintError: an error of the store or the worker ID.
        """
    def try_next_id(self) -> int | None:
        """Returns the next ID if it is available at once, otherwise ``None``. Never waits,
        and calls no store. The source meanwhile fetches IDs, so that you can ask again.

        Raises:
            ClosedError: after ``close()``.
            SnowmintError: ``forked``, ``state_missing``, ``store_unavailable`` of another
                process's ``MemoryStore``, or ``range_regressed`` unless the tag is raised:
                open the source again. ``tag_exhausted`` until the tag is raised.
        """
    def next_id_within(self, wait_ms: SupportsIndex) -> int:
        """Returns the next ID, waiting up to ``wait_ms`` milliseconds; 0 never waits.

        Raises:
            SnowmintError: like ``next_id``.
        """
    def next_ids(self, count: SupportsIndex) -> array[int]:
        """Returns the next ``count`` IDs, rising, as an ``array('Q')``; at most
        ``MAX_COUNT``. Waits for each block up to the source's bound.

        Raises:
            ParameterError: ``count_out_of_range`` for 0 or too many.
            SnowmintError: like ``next_id``. IDs minted before the failure are a gap.
        """
    def fill(self, buffer: Buffer | _Array) -> None:
        """Fills a writable buffer of 64-bit integers (``array('Q')``, numpy, memoryview)
        with rising IDs. A buffer of several dimensions is filled as its memory lies, row by
        row. In a signed buffer, IDs from 2**63 on are negative. Waits for each block up to
        the source's bound.

        Raises:
            TypeError: if the object is not a buffer.
            ParameterError: if items have another size, or the buffer is read-only or not
                contiguous.
            SnowmintError: like ``next_id``. The IDs then in the buffer are given up, a gap.
        """
    def next_id_async(
        self, *, wait_ms: SupportsIndex | None = None
    ) -> Coroutine[Any, Any, int]:
        """Returns a coroutine for the next ID, within ``wait_ms`` milliseconds or the
        source's bound. Usually the ID is available at once; otherwise the coroutine asks
        again until it is. No thread waits, and the event loop goes on. A cancelled task has
        taken no ID.

        Raises:
            SnowmintError: like ``next_id``.
        """
    def next_ids_async(
        self, count: SupportsIndex, *, wait_ms: SupportsIndex | None = None
    ) -> Coroutine[Any, Any, array[int]]:
        """Returns a coroutine for the next ``count`` IDs, like ``next_ids``. It waits like
        ``next_id_async``, for each block within the bound. The IDs that a cancelled task
        had are a gap.

        Raises:
            SnowmintError: like ``next_ids``.
        """
    def stats(self) -> Stats:
        """Returns the state of the source. Changes nothing, calls no store and never waits
        for one.
        """
    def close(self, wait_ms: SupportsIndex | None = None) -> None:
        """Stops minting. Fetched numbers are lost. Closing twice is no error. ``wait_ms`` has no
        effect, because no store has to know; every source has this parameter.
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
    """Mints a sequence for each of many keys, and persists little: keys are grouped in sections,
    and only a section's maximum is in the store. Use keys that are counted and so lie close
    together. Keys that lie far apart, such as snowflakes, each need a separate section and row.

    - Order: the numbers of a key rise strictly in issue order, across threads, ranges and restarts.
      Between processes that use a key at once there is no order. No key gets a number twice; two
      keys can have the same number.
    - Gaps: a restart begins at the section's maximum, so each of its keys skips up to two steps.
    - Threads: share it. Threads whose keys lie in different sections do not wait for each other.
    - Store down: numbers of fetched ranges are minted to the end. Then calls fail within their
      bound, and succeed again by themselves once the store is back.
    - Fork: a child fetches its own ranges.
    - Clock: not used.

    Args:
        tag: the name of the sequences; in a namespace ``shop/chat``.
        store: a ``Store``.
        keys_per_section: the number of keys that share a persisted maximum (default 100,000). It
            can never be changed for a tag.
        step: the amount by which a section's maximum is raised at a time (default 10,000).
        wait_ms: the longest time that a call waits for a number (default 5000).

    Raises:
        ParameterError: if a value is not possible, or the tag has another ``keys_per_section``.
        StoreError: an error of the store.
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
    def open(url: str, *, lazy: bool = False) -> Sequences:
        """Opens a source by its URL, like ``snowmint.open``, with a type that a type checker knows.

        Raises:
            ParameterError: if the URL opens a source of another class.
            SnowmintError: like ``snowmint.open``.
        """
    def check(self) -> None:
        """Opens the source if it was opened with ``lazy=True`` and nothing has used it. Waits up to
        the sequences' bound.

        Raises:
            SnowmintError: like ``snowmint.open``; the next use tries again.
            ClosedError: after ``close()``.
        """
    @property
    def tag(self) -> str:
        """The tag, without a section."""
    @property
    def keys_per_section(self) -> int:
        """The number of keys that share a persisted maximum.

        Raises:
            SnowmintError: like ``check``.
        """
    def next(self, key: SupportsIndex) -> int:
        """Returns the next number of ``key``, an integer from 0 on, waiting up to the sequences'
        bound.

        Raises:
            StallError: if no number could be fetched in time.
            ParameterError: ``invalid_key`` for a key whose section's tag would be too long.
            ClosedError: after ``close()``.
            SnowmintError: an error of the store.
        """
    def next_within(self, key: SupportsIndex, *, wait_ms: SupportsIndex) -> int:
        """Returns the next number of ``key``, waiting up to ``wait_ms`` milliseconds; 0 takes a
        fetched number or fails.

        Raises:
            SnowmintError: like ``next``.
        """
    def next_async(
        self, key: SupportsIndex, *, wait_ms: SupportsIndex | None = None
    ) -> Coroutine[Any, Any, int]:
        """Returns a coroutine for the next number of ``key``, within ``wait_ms`` milliseconds or
        the sequences' bound. No thread waits, and the event loop goes on.

        Raises:
            SnowmintError: like ``next``.
        """
    def stats(self) -> Stats:
        """Returns the state of the sequences, without that of single sections. Changes nothing,
        calls no store and never waits for one.
        """
    def close(self, wait_ms: SupportsIndex | None = None) -> None:
        """Stops minting. The rest of the fetched ranges is lost. Closing twice is no error.
        ``wait_ms`` has no effect, because no store has to know; every source has this parameter.
        """
    def __enter__(self) -> Sequences: ...
    def __exit__(self, *_exception: object) -> None: ...
    def __aenter__(self) -> Coroutine[Any, Any, Sequences]: ...
    def __aexit__(self, *_exception: object) -> Coroutine[Any, Any, None]: ...

@final
class UuidSource:
    """Makes UUIDs of one version, 4 or 7 (RFC 9562), as ``uuid.UUID``.

    - Unique: by 122 random bits (version 4), or by 58 beside a counter that begins at random in
      each millisecond (version 7). Nothing is reserved. A forked child makes different UUIDs.
    - Order: version 7 rises within a process, even if the clock goes back. Version 4 has no order.
    - Threads: any number.

    Raises:
        ParameterError: for another version.
    """
    def __new__(cls, version: SupportsIndex = 7) -> UuidSource: ...
    @staticmethod
    def open(url: str, *, lazy: bool = False) -> UuidSource:
        """Opens a source by its URL, like ``snowmint.open``, with a type that a type checker knows.
        ``lazy`` has no effect, because no store is opened; every source has it.

        Raises:
            ParameterError: if the URL opens a source of another class.
            SnowmintError: like ``snowmint.open``.
        """
    def check(self) -> None:
        """Does nothing, because there is nothing to open. Every source has this method."""
    @property
    def version(self) -> int:
        """The version, 4 or 7."""
    def next_uuid(self) -> UUID:
        """Returns the next UUID."""
    def stats(self) -> Stats:
        """Returns the state of the source, in which only ``kind`` applies. Every source has this
        method.
        """
    def close(self, wait_ms: SupportsIndex | None = None) -> None:
        """Does nothing, because there is nothing to give up. Every source has this method and
        ``wait_ms``.
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
    """A buffer of IDs of a snowflake, a segment or a source of daily numbers. A thread of the ring
    makes them ahead, so a call takes a ready ID whatever the clock and the store do, and even
    during a full tick. You can only open it by URL: ``open("snowflake:?worker_id=7&ring=1024")``.

    - Size: ``ring`` is the number of IDs that can be ready, a power of two up to 1048576. The ring
      is refilled when fewer than ``ring_refill`` percent of it are ready (default 30), and every
      ``ring_every_ms`` while IDs are taken (default 1000).
    - Order: IDs rise strictly in issue order, as the source's do.
    - Age: a snowflake is discarded once it has been ready for ``ring_every_ms``. Its time can be
      older by that much than the time of an ID made at once, or by twice that if the clock is set
      back meanwhile. Daily numbers are discarded at the end of their day. A segment's numbers do
      not age.
    - Empty: a call waits up to its bound. Then it fails with ``empty``, or with the error that
      keeps the source from making more. The ring is empty before the first call, and when nobody
      has taken from it for a while.
    - Gaps: discarded IDs, and IDs that are ready when the ring is closed.
    - Threads: share it; taking a ready ID takes no lock. Fork: a child begins with an empty ring.
    - Stats: those of the source; the ring is the first bucket.
    """
    @staticmethod
    def open(url: str, *, lazy: bool = False) -> Ring:
        """Opens a source by its URL, like ``snowmint.open``, with a type that a type
        checker knows.

        Raises:
            ParameterError: if the URL opens a source of another class.
            SnowmintError: like ``snowmint.open``.
        """
    def check(self) -> None:
        """Opens the source if it was opened with ``lazy=True`` and nothing has used it.
        Waits up to the source's bound.

        Raises:
            SnowmintError: like ``snowmint.open``; the next use tries again.
            ClosedError: after ``close()``.
        """
    @property
    def layout(self) -> Layout | None:
        """The layout of its IDs, if they are snowflakes."""
    def next_id(self) -> int:
        """Returns the next ID. Waits up to the source's bound, with the interpreter's lock
        released.

        Raises:
            StallError: if no ID was available within the bound; ``wait_ms`` says when, if
                known.
            ClosedError: after ``close()``.
            SnowmintError: an error of the store or the worker ID.
        """
    def try_next_id(self) -> int | None:
        """Returns the next ID if it is available at once, otherwise ``None``. Never waits,
        and calls no store. The source meanwhile fetches IDs, so that you can ask again.

        Raises:
            ClosedError: after ``close()``.
            SnowmintError: ``forked``, ``state_missing``, ``store_unavailable`` of another
                process's ``MemoryStore``, or ``range_regressed`` unless the tag is raised:
                open the source again. ``tag_exhausted`` until the tag is raised.
        """
    def next_id_within(self, wait_ms: SupportsIndex) -> int:
        """Returns the next ID, waiting up to ``wait_ms`` milliseconds; 0 never waits.

        Raises:
            SnowmintError: like ``next_id``.
        """
    def next_ids(self, count: SupportsIndex) -> array[int]:
        """Returns the next ``count`` IDs, rising, as an ``array('Q')``; at most
        ``MAX_COUNT``. Waits for each block up to the source's bound.

        Raises:
            ParameterError: ``count_out_of_range`` for 0 or too many.
            SnowmintError: like ``next_id``. IDs minted before the failure are a gap.
        """
    def fill(self, buffer: Buffer | _Array) -> None:
        """Fills a writable buffer of 64-bit integers (``array('Q')``, numpy, memoryview)
        with rising IDs. A buffer of several dimensions is filled as its memory lies, row by
        row. In a signed buffer, IDs from 2**63 on are negative. Waits for each block up to
        the source's bound.

        Raises:
            TypeError: if the object is not a buffer.
            ParameterError: if items have another size, or the buffer is read-only or not
                contiguous.
            SnowmintError: like ``next_id``. The IDs then in the buffer are given up, a gap.
        """
    def next_id_async(
        self, *, wait_ms: SupportsIndex | None = None
    ) -> Coroutine[Any, Any, int]:
        """Returns a coroutine for the next ID, within ``wait_ms`` milliseconds or the
        source's bound. Usually the ID is available at once; otherwise the coroutine asks
        again until it is. No thread waits, and the event loop goes on. A cancelled task has
        taken no ID.

        Raises:
            SnowmintError: like ``next_id``.
        """
    def next_ids_async(
        self, count: SupportsIndex, *, wait_ms: SupportsIndex | None = None
    ) -> Coroutine[Any, Any, array[int]]:
        """Returns a coroutine for the next ``count`` IDs, like ``next_ids``. It waits like
        ``next_id_async``, for each block within the bound. The IDs that a cancelled task
        had are a gap.

        Raises:
            SnowmintError: like ``next_ids``.
        """
    def stats(self) -> Stats:
        """Returns the state of the source. Changes nothing, calls no store and never waits
        for one.
        """
    def close(self, wait_ms: SupportsIndex | None = None) -> None:
        """Stops minting and closes the source. Ready IDs are lost. ``wait_ms`` waits up to so many
        milliseconds until the store has a leased worker ID back. Closing twice is no error. The
        ring is closed even if this raises an error.

        Raises:
            SnowmintError: like ``Snowflake.close``.
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
    """A division of 64 bits into fields: time, worker ID, sequence. It is checked when it is built.
    Immutable, hashable, picklable.

    Every preset is an attribute: ``Layout.TWITTER``, ``Layout.DISCORD``, …; ``presets()`` lists
    them.

    Args:
        fields: the fields from the top bit down, such as ``time:41,worker:10,sequence:12``.
            ``zero:N`` and ``constant:N=V`` are constants. Bits left over are zeros at the top.
            Names of fields are ``time``, ``datacenter``, ``worker``, ``process``, ``shard``,
            ``sequence``, ``rollback``.
        epoch: the epoch, in Unix milliseconds or as an aware ``datetime``.
        tick_ms: the length of a tick, in milliseconds.

    Raises:
        LayoutError: ``invalid_layout``, with the reason.
    """
    TWITTER: ClassVar[Layout]
    DISCORD: ClassVar[Layout]
    INSTAGRAM: ClassVar[Layout]
    MASTODON: ClassVar[Layout]
    UNIX_MS: ClassVar[Layout]
    TIKTOK: ClassVar[Layout]
    WEIBO: ClassVar[Layout]
    BILIBILI: ClassVar[Layout]
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
        """Returns the layout of a text: a preset's name (``twitter``), fields, or a layout's
        ``str``. A ``str`` has epoch and tick; fields alone have ticks of 1 ms since 1970.

        Raises:
            LayoutError: ``unknown_layout`` or ``invalid_layout``.
        """
    @staticmethod
    def presets() -> list[Preset]:
        """Returns every preset: the layouts of known systems, and how these systems use them."""
    @property
    def text(self) -> str:
        """The fields in the form that the constructor reads:
        ``zero:1,time:41,worker:10,sequence:12``.
        """
    @property
    def fields(self) -> tuple[Field, ...]:
        """The fields, from the top bit down."""
    @property
    def epoch_ms(self) -> int:
        """The epoch, in Unix milliseconds."""
    @property
    def epoch(self) -> datetime:
        """The epoch, as an aware ``datetime`` in UTC.

        Raises:
            ParameterError: ``invalid_time`` outside the years 1 to 9999.
        """
    @property
    def tick_ms(self) -> int:
        """The length of a tick, in milliseconds."""
    @property
    def ticks(self) -> int:
        """The number of ticks that the time field counts."""
    @property
    def worker_bits(self) -> int:
        """The width of the worker ID in bits: all worker fields side by side, the upper first."""
    @property
    def max_worker_id(self) -> int:
        """The largest worker ID."""
    @property
    def ids_per_tick(self) -> int:
        """The number of IDs that one worker can mint in a tick."""
    @property
    def ids_per_second(self) -> int:
        """The number of IDs that one worker can mint in a second, on average."""
    @property
    def expires_ms(self) -> int:
        """The first moment that the layout cannot express, in Unix milliseconds."""
    @property
    def expires(self) -> datetime:
        """The first moment that the layout cannot express, as an aware ``datetime`` in UTC.

        Raises:
            ParameterError: ``invalid_time`` after the year 9999.
        """
    def fits(self, bits: SupportsIndex) -> Fit:
        """Returns which of its IDs fit ``bits`` bits: 63 for a signed integer, 53 for a JavaScript
        number.
        """
    def decode(self, id: SupportsIndex | str) -> Parts:
        """Splits an ID into its parts. The ID is an integer, or its decimal digits.

        Raises:
            LayoutError: ``id_not_in_layout`` if constant bits differ.
            ParameterError: if it is not a number of 64 bits.
            TextError: if the text is not decimal digits.
        """
    def decode_many(self, ids: Buffer | Iterable[SupportsIndex]) -> Columns:
        """Splits many IDs into their parts at once, with the interpreter's lock released. ``ids``
        is a buffer of 64-bit integers (``array('Q')``, numpy, memoryview), a column of pandas or
        pyarrow, or any integers. Signed integers of a buffer are taken bit by bit.

        Raises:
            LayoutError: ``id_not_in_layout``, with the index of the first such ID.
            TypeError: for neither a buffer nor integers, with the index of the value that is not an
                integer, is missing or is masked.
            ParameterError: for more than 64 bits, with the index; for items of another size; or for
                anything but one column, such as a frame or an array of two dimensions.
        """
    def encode(self, parts: Parts) -> int:
        """Builds an ID from its parts; the time is rounded down to its tick.

        Raises:
            LayoutError: ``time_out_of_range``, or ``field_out_of_range`` for a value that does not
                fit.
        """
    def min_id(self, time: int | datetime) -> int:
        """Returns the smallest ID with the tick of a time: the start of a page by time. An ID
        minted later can be below the smallest ID of the present by up to 10 ms, because minting
        reads Linux's coarse clock.

        Raises:
            LayoutError: ``time_out_of_range``.
        """
    def max_id(self, time: int | datetime) -> int:
        """Returns the largest ID with the tick of a time. The largest ID of the present does not
        bound the IDs minted so far, whose time may be ahead of the clock by their generator's
        ``max_ahead_ms``.

        Raises:
            LayoutError: ``time_out_of_range``.
        """
    def tick_at(self, time: int | datetime) -> int:
        """Returns the tick of a time, counted from the tick of the epoch.

        Raises:
            LayoutError: ``time_out_of_range``.
        """
    def worker_id(self, **parts: SupportsIndex) -> int:
        """Builds a worker ID from its parts: ``worker_id(datacenter=11, worker=26)`` is 378 in
        Twitter's layout. Missing parts are 0.

        Raises:
            LayoutError: ``field_out_of_range`` for a value that does not fit, or for a field that
                the layout does not have.
            TypeError: if no layout has a field of that name.
        """
    def worker_parts(self, worker_id: SupportsIndex) -> dict[str, int]:
        """Splits a worker ID into its parts, the upper first: 378 is
        ``{"datacenter": 11, "worker": 26}`` in Twitter's layout.

        Raises:
            LayoutError: ``field_out_of_range`` above ``max_worker_id``.
            ParameterError: if it is not a number of 32 bits.
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
        """The kind of its content: ``time``, ``worker``, ``sequence``, ``constant``, …"""
    @property
    def bits(self) -> int:
        """Its width in bits."""
    @property
    def shift(self) -> int:
        """The number of bits below it."""
    @property
    def max(self) -> int:
        """The largest value that it holds."""
    def of(self, id: SupportsIndex) -> int:
        """Returns its value in an ID."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Fit:
    """The IDs of a layout that fit a number of bits."""
    @property
    def kind(self) -> str:
        """``always``, ``until`` (then ``until_ms`` says when) or ``never``."""
    @property
    def until_ms(self) -> int | None:
        """IDs fit if they are minted before this time, in Unix milliseconds; ``None`` unless
        ``kind`` is ``until``.
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Preset:
    """A named layout, with the rules of its system."""
    @property
    def name(self) -> str:
        """The name in URLs and on the command line."""
    @property
    def note(self) -> str:
        """One line about its origin and peculiarities."""
    @property
    def layout(self) -> Layout:
        """The layout."""
    @property
    def policy(self) -> ClockPolicy:
        """The reaction of its system when the clock goes back or a tick is full."""
    @property
    def start(self) -> SequenceStart:
        """The start of a fresh tick's sequence in its system."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Parts:
    """The parts of an ID. Immutable, hashable, picklable.

    Args:
        time: Unix milliseconds or an aware ``datetime``.
        worker_id: all worker fields side by side, the upper first.
        sequence: the sequence number in its tick.
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
        """The start of the ID's tick, Unix milliseconds."""
    @property
    def time(self) -> datetime:
        """The start of the ID's tick, an aware ``datetime`` in UTC.

        Raises:
            ParameterError: ``invalid_time`` outside the years 1 to 9999; use ``unix_ms``
                then.
        """
    @property
    def worker_id(self) -> int:
        """The worker ID: all worker fields side by side, the upper first. 0 if there is none."""
    @property
    def sequence(self) -> int:
        """The sequence number in its tick."""
    @property
    def rollback(self) -> int:
        """The rollback counter; 0 if there is none."""
    def asdict(self) -> dict[str, Any]:
        """Returns the parts as a ``dict``, from which ``Parts(**…)`` makes them again.

        Raises:
            ParameterError: ``invalid_time``, like ``time``.
        """
    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, _handler: Any) -> Any: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __getnewargs_ex__(self) -> tuple[tuple[()], dict[str, int]]: ...

@final
class Guess:
    """A preset that an ID may come from, and the ID's parts in its layout."""
    @property
    def preset(self) -> Preset:
        """The preset."""
    @property
    def parts(self) -> Parts:
        """The ID's parts in its layout."""
    @property
    def named(self) -> bool:
        """True if the text beside the ID names the system. Otherwise many systems may have such an
        ID.
        """
    @property
    def doubt(self) -> Literal["ambiguous", "unlikely", "rare", "expired", "young"] | None:
        """``None`` if the guess is likely. All likely guesses of an ID have the same time. Otherwise the
        reason why it is not likely:

        - ``"ambiguous"``: other systems that would give it another time fit as well.
        - ``"unlikely"``: its bits are unusual there, or another system is far likelier.
        - ``"rare"`` or ``"expired"``: the preset is.
        - ``"young"``: it would be of the layout's first month.
        """
    @property
    def fields(self) -> dict[str, int]:
        """The values of its fields by the layout's own names, for example Discord's ``worker`` and
        ``process``.
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Columns:
    """The parts of many IDs: an ``array.array`` for each part, in the order of the IDs.
    ``numpy.asarray`` takes them without a copy.
    """
    @property
    def unix_ms(self) -> array[int]:
        """The starts of the IDs' ticks, in Unix milliseconds: ``array('q')``."""
    @property
    def worker_id(self) -> array[int]:
        """The worker IDs: ``array('I')``."""
    @property
    def sequence(self) -> array[int]:
        """The sequence numbers: ``array('I')``."""
    @property
    def rollback(self) -> array[int]:
        """The rollback counters: ``array('I')``."""
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
        """The symbols of the digits, beginning with 0."""
    @property
    def width(self) -> int | None:
        """The number of symbols if every text of the form has the same number; otherwise
        ``None``.
        """
    @property
    def sortable(self) -> bool:
        """True if texts in byte order are IDs in numeric order."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class PublicIdKeys:
    """The keys of public IDs, which are forms of IDs that reveal neither order nor number nor time.
    ``public_ids("order")`` returns the public IDs of one type.

    Keys are 16 to 32 random bytes. The binary makes and rotates them with
    ``snowmint public-ids keygen`` and ``rotate``; or ``generate()`` makes them and ``to_toml()``
    stores them. Anybody who has the keys can read every public ID ever made. Keep them as long as
    links should work.

    - Threads, forks: any; it does not change. Open it once, at import, and let forked workers
      inherit it.
    - It cannot be pickled, and its ``repr`` shows no key.
    """
    @staticmethod
    def open(source: str | PathLike[str]) -> PublicIdKeys:
        """Reads the keys of a file, or of an environment variable by ``env:NAME`` (``env:`` is
        ``SNOWMINT_PUBLIC_ID_KEYS``). The document is TOML, or JSON on one line. Only the owner may
        have access to the file.

        Raises:
            ParameterError: ``invalid_keys``, ``keys_exposed``; no message shows a part of a key.
        """
    @staticmethod
    def from_bytes(document: bytes) -> PublicIdKeys:
        """Reads the same document from memory, for example from a secret manager.

        Raises:
            ParameterError: ``invalid_keys``.
        """
    @staticmethod
    def generate() -> PublicIdKeys:
        """Makes one new random key, for tests or to be stored with ``to_toml()``.

        Raises:
            StoreError: ``no_resource``, if the system gives no random numbers.
        """
    def to_toml(self) -> str:
        """Returns the document of these keys, which ``open`` and ``from_bytes`` read. It contains
        the keys, so write it to a file that only its owner may read.
        """
    def public_ids(self, type: str, form: str = "token") -> PublicIds:
        """Returns the public IDs of one type, such as ``order``: small letters, digits and
        underscores. They refuse the public IDs of other types.

        Args:
            form: ``token`` (``order_1…``), ``base64url`` (the same in 22 symbols instead of 26),
                ``uuid`` (version 8), or ``number64``, ``number63`` and ``number53``, which are not
                checked.

        Raises:
            ParameterError: if it is not a type.
            TextError: ``unknown_text_form``.
        """
    @property
    def realm(self) -> str:
        """The realm, which separates these IDs from others under the same keys; empty by
        default.
        """
    @property
    def symbols(self) -> list[str]:
        """The symbols of all keys. Each key can read public IDs."""
    @property
    def current(self) -> str:
        """The symbol of the key that makes new public IDs."""
    @property
    def numbers(self) -> str | None:
        """The symbol of the key for numbers; ``None`` if there are several and none is named."""
    def __copy__(self) -> PublicIdKeys: ...
    def __deepcopy__(self, _memo: object, /) -> PublicIdKeys: ...

@final
class PublicIds:
    """The public IDs of one type, in one form. ``PublicIdKeys.public_ids`` returns them.

    - Deterministic: an ID has one public ID for each key, so the same ID can be recognised.
    - Not a permission: still check who may see the order.
    - Refused: a token that was altered or made up, except one in 2**64 (one in 2**58 for a UUID and
      each key). Numbers are never refused. All ``not_found`` are alike and take the same time, and
      do not tell the reason. Reading a good one takes less time, because there is no exception.
    - Threads, forks: any; it does not change.
    """
    def encode(self, id: SupportsIndex) -> str:
        """Returns the public form of an ID.

        Raises:
            ParameterError: if it is not a number of 64 bits, or has more bits than the form
                (``number63``, ``number53``).
        """
    def decode(self, text: str) -> int:
        """Returns the ID of a public form.

        Raises:
            TextError: ``wrong_type``, ``text_length``, ``invalid_text``, ``text_not_canonical``
                and, for numbers, ``text_overflow`` name a fault that anybody can see in the text.
                ``not_found`` does not tell more: the text was altered or made up, or is of another
                realm or a missing key. The exception is a ``ValueError``.
        """
    def encode_many(self, ids: Buffer | Iterable[SupportsIndex]) -> list[str]:
        """Returns the public forms of many IDs as a list of texts. ``ids`` is a buffer of 64-bit
        integers (``array('Q')``, numpy), a pandas Series, or any integers. Signed integers of a
        buffer are taken bit by bit.

        Raises:
            TypeError: for neither a buffer nor integers, with the index of the value that is not an
                integer, is missing or is masked.
            ParameterError: like ``encode``, with the index; for items of another size; or for
                anything but one column, such as a frame or an array of two dimensions.
        """
    def decode_many(self, texts: Iterable[str]) -> array[int]:
        """Returns the IDs of many public forms as an ``array('Q')``, which numpy takes without a
        copy. ``texts`` is a list, a numpy array, a pandas Series, or any texts. For a column of
        ``int64``, use ``numpy.asarray(ids).view("int64")``: ``uint64`` beside it would become
        ``float64``, which loses digits.

        Raises:
            TypeError: for a value that is not a text, such as a missing value of a column, with its
                index.
            TextError: like ``decode``, for the first text that is refused, with its index.
            ParameterError: for anything but one column, such as a frame or an array of two
                dimensions.
        """
    def encode_uuid(self, id: SupportsIndex) -> UUID:
        """Returns the ID as a ``uuid.UUID`` of version 8, whatever the form."""
    def decode_uuid(self, uuid: UUID) -> int:
        """Returns the ID of a ``uuid.UUID``.

        Raises:
            TypeError: if it is not a UUID.
            TextError: ``not_found``.
        """
    def encode_number(self, id: SupportsIndex, bits: SupportsIndex = 64) -> int:
        """Returns the ID as another number of so many bits: 64, 63 or 53.

        Raises:
            ParameterError: for more bits, for another width, or if no key is for numbers.
        """
    def decode_number(self, number: SupportsIndex, bits: SupportsIndex = 64) -> int:
        """Returns the ID of such a number. Every number has an ID, so a made-up number is not
        detected. It is better to read a number from a user as text, by ``decode`` of the form
        ``number53``: any fault is then a ``TextError``.

        Raises:
            ParameterError: like ``encode_number``; it is a ``ValueError``.
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
    """A store, which reserves worker IDs and the numbers of tags durably, in one place. Open it by
    ``Store.open(url)`` or a subclass, and close it by ``close()`` or a ``with`` block. Threads may
    share it, and a forked child may go on using it.
    """
    @staticmethod
    def open(url: str) -> Store:
        """Opens a store: ``sqlite:ids.db`` (``sqlite:ids.db?create=true`` creates the file if it is
        missing), ``postgres://user@host/database``, ``mysql://user@host/database``,
        ``redis://host:6379/0``, ``etcd://host:2379``, or ``zookeeper://host:2181``. For tests,
        ``memory:NAME`` is the store of that name in this process, and ``memory:`` another one each
        time.

        Raises:
            UrlError: if the URL cannot be read, or has an unknown scheme.
            StoreError: an error of the store.
        """
    def close(self) -> None:
        """Closes the store: further calls raise a ``ClosedError``. Open sources over it go on, and
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
        """Adds a tag. Its first number is ``start`` (default 1), its ranges have ``step`` numbers
        (default 1000), and its numbers lie ``stride`` apart (default 1). No number is above
        ``max``, for example the largest value of the column for which they are. A tag may have a
        namespace: ``shop/orders``.

        Raises:
            SegmentError: ``tag_exists``, ``invalid_range``.
            ParameterError: ``invalid_tag``, ``invalid_step``.
            StoreError: an error of the store.
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
        """Adds a tag unless it exists, and returns ``True`` if it was added. An existing tag stays
        as it is, with its own options.

        Raises:
            SegmentError: ``invalid_range``.
            ParameterError: ``invalid_tag``, ``invalid_step``.
            StoreError: an error of the store.
        """
    def change_tag(
        self,
        tag: str,
        *,
        next: SupportsIndex | None = None,
        step: SupportsIndex | None = None,
        max: SupportsIndex | None = None,
    ) -> TagRow:
        """Changes a tag's step or its largest number, or raises the first number not yet reserved.
        Returns its row.

        Raises:
            SegmentError: ``unknown_tag``, ``range_regressed`` for a ``next`` below the present one,
                or ``invalid_range`` for a ``max`` below a number already given.
            ParameterError: ``invalid_tag``, ``invalid_step``.
            StoreError: an error of the store.
        """
    def vouch(
        self,
        server: str,
        *,
        raise_by_steps: SupportsIndex,
        new_from: SupportsIndex | None = None,
    ) -> list[TagRow]:
        """Lets a server that took another's place continue with all its rows, after an operator has
        confirmed that they contain everything that was given. Name the server as its refusals name
        it; any other server refuses.

        Each tag whose ranges may be lost is first raised by so many steps. A step counts as the
        tag's last range if that was longer. Returns the rows of these tags.

        If tags may be lost, tags created from now on begin at ``new_from`` or above. A lower value
        than the present one changes nothing, and 0 ends it. Reset it to 0 once each lost tag is
        there again or is gone for good.

        Raises:
            ParameterError: ``invalid_parameter``, ``invalid_range``, or ``unsupported`` from other
                stores.
            StoreError: ``incarnation_changed`` if another server answers; or an error of the store.
        """
    def tag(self, tag: str) -> TagRow | None:
        """Returns the row of a tag, or ``None`` if there is none.

        Raises:
            ParameterError: ``invalid_tag``.
            StoreError: an error of the store.
        """
    def tags(self) -> list[TagRow]:
        """Returns every tag's row, ordered by tag.

        Raises:
            StoreError: an error of the store.
        """
    def allocate(self, tag: str, count: SupportsIndex | None = None) -> Range:
        """Reserves the next ``count`` numbers of a tag (default: its step), or fewer near the
        largest number. Only the caller has them.

        Raises:
            SegmentError: ``unknown_tag``, ``tag_exhausted``.
            ParameterError: ``invalid_tag``, ``invalid_step``.
            StoreError: an error of the store.
        """
    def workers(self) -> list[WorkerRow]:
        """Returns every row of the worker table, ordered by realm and worker ID.

        Raises:
            StoreError: an error of the store.
        """
    def evict(self, realm: str, worker_id: SupportsIndex) -> bool:
        """Ends the lease of a worker ID, if it has one, for an operator who knows that its holder
        is gone. Its reserved time stays reserved. Returns ``False`` if there is no such row.

        Raises:
            StoreError: an error of the store.
        """

@final
class SqliteStore(Store):
    """A store in one SQLite file: one key space, for one machine. Do not use it on network drives.

    Args:
        path: the path of the file.
        create: true to create the file if it is missing.
        shared_file: true to continue with a file in which an application has made tables. No other
            copy of SQLite in this process may open it.
        key_space: the identity that the key space must have, as 32 hexadecimal digits.

    Raises:
        StoreError: if the file cannot be opened, or is not a store.
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
    """A store that ends with the process, and that no other process sees. It is for tests."""
    def __new__(cls) -> MemoryStore: ...

@final
class Migration:
    """The statements that a store needed, or would need: the result of ``migrate(url)``."""
    @property
    def place(self) -> str:
        """The place of the tables: the file, or the server and its database."""
    @property
    def state(self) -> Literal["made", "there", "missing"]:
        """``made``; ``there`` if nothing was missing; or ``missing``, with ``dry_run=True``."""
    @property
    def key_space(self) -> str | None:
        """The identity of the key space, for ``key_space=`` in a URL; ``None`` after a dry run, and for
        a copy that is not yet confirmed.
        """
    @property
    def statements(self) -> tuple[str, ...]:
        """The statements that create what was missing, in order, as a tuple. It is empty if nothing
        was.
        """
    @property
    def report(self) -> str:
        """The text that ``python -m snowmint migrate`` prints. With ``dry_run=True`` it is a script
        for the store's own client.
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class TagRow:
    """A row of the segment table."""
    @property
    def tag(self) -> str:
        """The tag."""
    @property
    def next(self) -> int:
        """The first number that is not reserved yet."""
    @property
    def step(self) -> int:
        """The count of numbers in a range, unless the client requests more."""
    @property
    def stride(self) -> int:
        """The distance between two numbers."""
    @property
    def max(self) -> int:
        """The largest number that may be given."""
    @property
    def updated_ms(self) -> int:
        """The time when a range was last taken or the row changed, by the store's clock, in Unix
        milliseconds.
        """
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
        """The count of its acquisitions."""
    @property
    def reserved_ms(self) -> int:
        """The first Unix millisecond that is not reserved."""
    @property
    def expires_ms(self) -> int:
        """The time when the lease ends if it is not renewed, in Unix milliseconds."""
    @property
    def held(self) -> bool:
        """True if it is held, by the store's clock."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Stats:
    """The state of a source at one moment: ``source.stats()``. Reading it changes nothing, calls no
    store and never waits for one. A value that does not apply to a source is ``None`` or empty.
    """
    @property
    def kind(self) -> str:
        """``snowflake``, ``segment``, ``daily``, ``sequences`` or ``uuid``; for a ring, the kind of
        its source.
        """
    @property
    def is_closed(self) -> bool:
        """True once the source was closed."""
    @property
    def worker_id(self) -> int | None:
        """The worker ID that IDs are minted under."""
    @property
    def lease_age_ms(self) -> int | None:
        """The time that this process has had the worker ID, in milliseconds."""
    @property
    def reserved_ms(self) -> int | None:
        """The time reserved ahead of the clock, in milliseconds: IDs can be minted that long
        without the store. 0 or less when it is used up.
        """
    @property
    def reserve_ms(self) -> int | None:
        """The time that the lease's last renewal reserved, in milliseconds; ``None`` for a fixed
        worker ID. The next renewal is due once a third of it is used.
        """
    @property
    def clock_offset_ms(self) -> int | None:
        """The milliseconds added to the wall clock: its distance from the store's clock, or a step
        of it that is not followed.
        """
    @property
    def borrowed_ms(self) -> int | None:
        """The lead of the last ID's time over the clock, in milliseconds."""
    @property
    def rollbacks(self) -> int:
        """The number of times that the clock went back and was counted in the layout's rollback
        bits.
        """
    @property
    def buckets(self) -> tuple[Bucket, ...]:
        """The ranges at hand as a tuple of ``Bucket``, beginning with the range in use. For a ring,
        its ready IDs come first.
        """
    @property
    def step(self) -> int | None:
        """The count of numbers that the next range will have."""
    @property
    def rate(self) -> float | None:
        """Numbers used per second between the last two ranges, or since the last one if that is
        longer; ``None`` before there were two.
        """
    @property
    def runway_ms(self) -> int | None:
        """The time that the numbers at hand last at that rate, or the reserved time, in
        milliseconds.
        """
    @property
    def last_failure(self) -> Failure | None:
        """The last failure of the store."""
    @property
    def tag_next(self) -> TagNext | None:
        """The tag's next number after the last range that this process reserved; ``None`` before
        there was one.
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Bucket:
    """A range of numbers at hand."""
    @property
    def left(self) -> int:
        """The count of its numbers that are left."""
    @property
    def size(self) -> int:
        """The count of numbers that it had."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class TagNext:
    """A tag with the first number that no range of this process had."""
    @property
    def tag(self) -> str:
        """The tag, with its date if its numbers are of a day."""
    @property
    def next(self) -> int:
        """The number. Other processes may have reserved higher ones since."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Failure:
    """A failure of a store."""
    @property
    def code(self) -> str:
        """The name of its code, which an exception has as ``code``."""
    @property
    def message(self) -> str:
        """Its message."""
    @property
    def unix_ms(self) -> int:
        """The time of the failure by this machine's clock, Unix milliseconds."""
    @property
    def time(self) -> datetime:
        """The time of the failure by this machine's clock, an aware ``datetime`` in UTC.

        Raises:
            ParameterError: ``invalid_time`` outside the years 1 to 9999; use ``unix_ms``
                then.
        """
    @property
    def is_over(self) -> bool:
        """True if the store has answered since."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Lease:
    """A worker ID with the time reserved for it. The holder may issue IDs whose time lies in
    ``[floor_ms, reserved_ms)``, and nobody else ever may under that worker ID. Times are Unix
    milliseconds. Immutable, hashable, picklable.

    A store of your own must follow these rules:

    - ``acquire(request)`` takes a worker ID that nobody holds, at most ``max_worker_id`` and not
      ``avoid``. The lease has the request's token, and its floor is at or above every
      ``reserved_ms`` that the worker ID ever had. Each call takes another worker ID, even with the
      same token, because copies of a process have the same token. If no worker ID is free,
      ``raise WorkerError("all are held", "workers_exhausted")``.
    - ``renew(lease, token, reserve_ms)`` reserves ``reserve_ms`` from the store's clock on, and
      never less than before. ``token`` replaces the lease's. A repeat with the same token succeeds
      again. If the lease is no longer its holder's,
      ``raise WorkerError("another has it", "lease_lost")``: the source takes another worker ID.
    - ``release(lease)`` ends it. The worker ID can then be taken above its reserved time, once that
      is near enough. Releasing a lease that is already lost is no error.
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
        """The count of acquisitions of this worker ID."""
    @property
    def owner(self) -> str:
        """The name of the holder for operators, and for the store."""
    @property
    def token(self) -> bytes:
        """The token, 16 bytes. It changes at every renewal, so only one of two copies of a process
        can renew.
        """
    @property
    def floor_ms(self) -> int:
        """The first Unix millisecond that the holder may use."""
    @property
    def reserved_ms(self) -> int:
        """The first Unix millisecond that the holder may not use."""
    @property
    def now_ms(self) -> int:
        """The store's clock when it granted the lease."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __getnewargs_ex__(self) -> tuple[tuple[()], dict[str, int | str | bytes]]: ...

@final
class LeaseRequest:
    """The request for a lease. Immutable, hashable, picklable."""
    @property
    def realm(self) -> str:
        """The realm: the layout's canonical text."""
    @property
    def max_worker_id(self) -> int:
        """The largest worker ID of the layout."""
    @property
    def owner(self) -> str:
        """The name of the holder: host, process and a random part."""
    @property
    def token(self) -> bytes:
        """The lease's first token, 16 bytes."""
    @property
    def reserve_ms(self) -> int:
        """The time to reserve ahead of the store's clock, in milliseconds. The lease lives as long
        without renewal. It is at most an hour, and a day more if the store's clock was set back.
        """
    @property
    def max_ahead_ms(self) -> int:
        """The most that the generator's time can be ahead of the store's clock, in milliseconds.
        The floor may lie only ``reach_ms`` ahead.
        """
    @property
    def reach_ms(self) -> int:
        """The most that the floor may lie ahead of the store's clock, in milliseconds. A worker ID
        whose reserved time goes further is not taken. It is at most ``max_ahead_ms``, and leaves at
        least a quarter of the reservation.
        """
    @property
    def avoid(self) -> int | None:
        """A worker ID not to take, which the source just left because of the clock; or ``None``."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class ErrorCode:
    """A row of the table of error codes, the same in every language."""
    @property
    def number(self) -> int:
        """The frozen number."""
    @property
    def name(self) -> str:
        """The frozen name, which exceptions have as ``code``."""
    @property
    def summary(self) -> str:
        """One sentence about its meaning."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class EngineSnowflake:
    """A snowflake generator without a clock: the caller passes the time. If an ID is not available
    yet, it raises a ``StallError`` that says when to ask again. The same calls give the same IDs in
    every language.

    It issues the ticks from ``floor`` to before ``reserved``. You have to make sure that nobody
    else has them: only ``snowmint.Snowflake`` reserves.

    - Order: IDs rise strictly in issue order if the time field is above worker and sequence.
    - Overflow: a full tick carries into the next, up to ``max_ahead_ms`` ahead, then stalls.
    - Clock rollback: goes on above the last ID, within ``max_ahead_ms``; beyond that, stalls.
    - Threads: one call at a time. Fork: a copy repeats IDs.

    Args:
        layout: a ``Layout``, a preset's name, or fields.
        worker_id: the worker ID.
        rollback: the rollback counter.
        floor: the first tick that it may issue.
        reserved: the first tick that it may not issue. By default it may issue all ticks.
        max_ahead_ms: the most that an ID's time may run ahead of the clock.
        start: the start of a fresh tick's sequence.

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
        """Issues one ID at the time ``now``.

        Raises:
            StallError: if the ID is not available now; ``wait_ms`` says when.
            LayoutError: ``epoch_in_future``, ``layout_expired``.
        """
    def issue(self, n: SupportsIndex, *, now: int | datetime) -> array[int]:
        """Issues ``n`` IDs at the time ``now``, in contiguous slots, all or none, as an
        ``array('Q')``.

        Raises:
            ParameterError: ``count_out_of_range`` for 0, or for more than can ever be available at
                once.
            SnowmintError: like ``next_id``.
        """
    def extend(self, reserved: SupportsIndex) -> None:
        """Moves the end of the grant up; a lower end changes nothing."""
    def open(
        self,
        *,
        worker_id: SupportsIndex,
        rollback: SupportsIndex = 0,
        floor: SupportsIndex = 0,
        reserved: SupportsIndex = 18446744073709551615,
    ) -> None:
        """Changes to another lane: a new lease or worker ID. It begins at the grant's floor or in a
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
        """Changes to another lane regardless of the times of IDs issued before, as
        ``change_worker`` and ``count_rollback`` do. IDs may go down here. Coming back to a worker
        ID needs ticks disjoint from those it had.

        Raises:
            LayoutError: ``field_out_of_range``; the old lane then stays.
        """

@final
class SegmentBuffer:
    """The ready ranges of one tag, in the order in which they were supplied, and the decision when
    to get more. It is the machine behind ``snowmint.Segment``, without a clock or a store.

    Numbers rise strictly: a range that does not lie above everything supplied before is refused.
    Times are any milliseconds that rise.

    Args:
        prefetch: the rule for requesting the next range.
        step: the count of numbers in a range: an integer, or a ``Step`` that adapts.
        above: the lowest number of any range; a range that begins below it is refused.
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
        """The count of numbers that are ready."""
    @property
    def step(self) -> int:
        """The step of the last range supplied."""
    @property
    def floor(self) -> int:
        """The lowest number with which a further range may begin."""
    def wants(self, now: int | datetime) -> int | None:
        """Returns the count of numbers to request from the store now, or ``None``. It requests
        once: the next request comes only after ``supply`` or ``failed``.
        """
    def take(self, n: SupportsIndex) -> Range | None:
        """Takes up to ``n`` numbers of one range; ``None`` if the buffer is empty or ``n`` is 0."""
    def take_until_request(self) -> Range | None:
        """Takes the numbers up to the point where the next request is due."""
    def supply(self, range: Range, *, now: int | datetime) -> None:
        """Adds a range.

        Raises:
            SegmentError: ``range_regressed``; the range is not used, and the buffer may ask again.
            ParameterError: ``count_out_of_range`` if there was no request and the buffer is full.
        """
    def failed(self) -> None:
        """Reports that the request failed; the buffer may ask again."""
    def resize(self, step: Step | SupportsIndex) -> None:
        """Uses another step from the next request on."""

@final
class Range:
    """A range of reserved numbers: ``start``, ``start + stride``, … below ``end``. Immutable,
    hashable, picklable.

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
        """The distance between two numbers."""
    @property
    def count(self) -> int:
        """The count of its numbers: at least 1."""
    def numbers(self) -> array[int]:
        """Returns its numbers, rising, as an ``array('Q')``."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __getnewargs__(self) -> tuple[int, int, int]: ...

@final
class Prefetch:
    """The rule for requesting the next range."""
    @staticmethod
    def double_bucket(used_percent: SupportsIndex) -> Prefetch:
        """Keeps one range beside the current one, requested once ``used_percent`` of the current is
        used.

        Raises:
            ParameterError: for more than 100.
        """
    @staticmethod
    def chain(distance: SupportsIndex) -> Prefetch:
        """Keeps ``distance`` ranges behind the current one, 1 to ``MAX_DISTANCE``; values outside
        are clamped. The distance doubles when the chain runs dry within 5 s of a supply. Otherwise
        it halves, down to the given distance.
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Step:
    """The size of ranges, between ``min`` and ``max`` numbers, by Leaf's rule. A range that lasted
    less than 15 minutes doubles the size, and a range that lasted 30 minutes or more halves it.
    Immutable, hashable, picklable.

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
    """The reaction of a caller to a stall: fail, wait, or change something and ask again. IDs are
    unique under every policy. Immutable, hashable, picklable.

    Args:
        max_ahead_ms: the most that an ID's time may run ahead of the clock, in milliseconds.
        when_behind: the reaction to a clock that is further behind than that: ``fail``, ``wait N``,
            ``count_rollback`` or ``change_worker N``. N is the longest wait in milliseconds.
        when_full: the reaction to a full tick: ``wait`` or ``fail``.

    Raises:
        ParameterError: if a value is not possible.
    """
    def __new__(
        cls, *, max_ahead_ms: SupportsIndex, when_behind: str, when_full: str = "wait"
    ) -> ClockPolicy: ...
    @staticmethod
    def named(name: str) -> ClockPolicy:
        """Returns the policy with this name.

        Raises:
            ParameterError: if no policy has that name.
        """
    @staticmethod
    def all() -> dict[str, ClockPolicy]:
        """Returns every named policy: a ``dict`` by name."""
    @property
    def max_ahead_ms(self) -> int:
        """The most that an ID's time may run ahead of the clock, in milliseconds."""
    @property
    def when_behind(self) -> str:
        """The reaction to a clock that is further behind than that."""
    @property
    def when_full(self) -> str:
        """The reaction to a full tick."""
    def action(self, stall: _Stall) -> str:
        """Returns the next step after a stall of ``engine.Snowflake``: ``fail``, ``wait N``
        (milliseconds), ``count_rollback``, ``change_worker`` or ``extend_grant``; then ask again.

        Raises:
            ParameterError: if the error is not a stall.
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __getnewargs_ex__(self) -> tuple[tuple[()], dict[str, int | str]]: ...

@final
class SequenceStart:
    """The start of the sequence in a fresh tick."""
    @staticmethod
    def zero() -> SequenceStart:
        """Begins at 0. At one ID a tick, all IDs are then even for ever."""
    @staticmethod
    def vibrate(max_offset: SupportsIndex) -> SequenceStart:
        """Begins one above the last sequence number, modulo ``max_offset + 1``, like
        ShardingSphere.
        """
    @staticmethod
    def random(*, below: SupportsIndex, seed: SupportsIndex) -> SequenceStart:
        """Begins at a pseudo-random number below a bound, different for each tick and seed. Leaf
        uses 100.
        """
    @staticmethod
    def rotate() -> SequenceStart:
        """Begins one above the last sequence number, back to 0 from half the sequence on, like
        CosId.
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

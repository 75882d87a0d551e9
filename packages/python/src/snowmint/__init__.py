"""Unique 64-bit IDs, minted anywhere.

snowmint issues only what it has reserved before, durably, in one place. A ``Snowflake`` issues the
time that its worker ID has reserved, and a ``Segment`` the numbers that its tag has reserved. So
pauses, crashes, forks, lost messages and clock steps cannot repeat an ID. The clock only decides
how true an ID's time is.

    flake = snowmint.open("snowflake+sqlite:ids.db?create=true")
    id = flake.next_id()
    parts = flake.layout.decode(id)
    print(id, "was minted by worker", parts.worker_id, "at", parts.time)
    flake.close()

Open sources by URL (``open``) or by their classes. Threads may share them, and a forked child may
go on using them. They release the interpreter's lock while they wait. ``snowmint.engine`` is the
deterministic form, in which time is an argument.
"""

def _load() -> None:
    """Loads the native module. In a subinterpreter the error says where to import it instead,
    because CPython's message does not."""
    try:
        import snowmint._native
    except ImportError as error:
        if "subinterpreter" not in str(error):
            raise
        raise ImportError(
            "snowmint works in the main interpreter of a process, and this is a subinterpreter: "
            "import it there (mod_wsgi: `WSGIApplicationGroup %{GLOBAL}`)"
        ) from error


_load()

from snowmint import engine as engine
from snowmint._errors import (
    ClosedError as ClosedError,
    LayoutError as LayoutError,
    ParameterError as ParameterError,
    SegmentError as SegmentError,
    SnowmintError as SnowmintError,
    StallError as StallError,
    StoreError as StoreError,
    TextError as TextError,
    UrlError as UrlError,
    WorkerError as WorkerError,
)
from snowmint._native import (
    MAX_COUNT as MAX_COUNT,
    Bucket as Bucket,
    Columns as Columns,
    Daily as Daily,
    ErrorCode as ErrorCode,
    Failure as Failure,
    Field as Field,
    Fit as Fit,
    Guess as Guess,
    Layout as Layout,
    Lease as Lease,
    LeaseRequest as LeaseRequest,
    MemoryStore as MemoryStore,
    Migration as Migration,
    Parts as Parts,
    Preset as Preset,
    PublicIdKeys as PublicIdKeys,
    PublicIds as PublicIds,
    Ring as Ring,
    Segment as Segment,
    Sequences as Sequences,
    Snowflake as Snowflake,
    SqliteStore as SqliteStore,
    Stats as Stats,
    Store as Store,
    TagNext as TagNext,
    TagRow as TagRow,
    TextForm as TextForm,
    UuidSource as UuidSource,
    WorkerRow as WorkerRow,
    decode as decode,
    detect as detect,
    error_codes as error_codes,
    format as format,
    guess as guess,
    migrate as migrate,
    on_restore as on_restore,
    open as open,
    parse as parse,
    text_forms as text_forms,
    version as version,
)

__version__ = version

Source = Snowflake | Segment | Daily | Ring
"""Any source of 64-bit IDs, for annotations. ``open`` returns such a source, ``Sequences`` or a
``UuidSource``."""

# It leaves out `format` and `open`, which would replace builtins, and the module `engine`.
__all__ = [
    "MAX_COUNT",
    "Bucket",
    "ClosedError",
    "Columns",
    "Daily",
    "ErrorCode",
    "Failure",
    "Field",
    "Fit",
    "Guess",
    "Layout",
    "LayoutError",
    "Lease",
    "LeaseRequest",
    "MemoryStore",
    "Migration",
    "ParameterError",
    "Parts",
    "Preset",
    "PublicIdKeys",
    "PublicIds",
    "Ring",
    "Segment",
    "SegmentError",
    "Sequences",
    "Snowflake",
    "SnowmintError",
    "Source",
    "SqliteStore",
    "StallError",
    "Stats",
    "Store",
    "StoreError",
    "TagNext",
    "TagRow",
    "TextError",
    "TextForm",
    "UrlError",
    "UuidSource",
    "WorkerError",
    "WorkerRow",
    "decode",
    "detect",
    "error_codes",
    "guess",
    "migrate",
    "on_restore",
    "parse",
    "text_forms",
    "version",
]

"""The deterministic form: time is an argument, waiting is a result.

Nothing here reads a clock, sleeps or calls a store. The same calls give the same IDs in every
language, which ``tests/vectors`` checks. Use it to simulate, to test, or to mint under a clock and
a reservation of your own.

    flake = engine.Snowflake(Layout.TWITTER, worker_id=378)
    assert flake.next_id(1656432460105) == 1541815603606036480

If an ID is not available yet, the call raises a ``StallError``. Its ``wait_ms`` says when to ask
again, and a ``ClockPolicy`` says what to do meanwhile.
"""

from snowmint._native import (
    MAX_DISTANCE as MAX_DISTANCE,
    MAX_NUMBER as MAX_NUMBER,
    MAX_STEP as MAX_STEP,
    ClockPolicy as ClockPolicy,
    EngineSnowflake as Snowflake,
    Prefetch as Prefetch,
    Range as Range,
    SegmentBuffer as SegmentBuffer,
    SequenceStart as SequenceStart,
    Step as Step,
)

__all__ = [
    "MAX_DISTANCE",
    "MAX_NUMBER",
    "MAX_STEP",
    "ClockPolicy",
    "Prefetch",
    "Range",
    "SegmentBuffer",
    "SequenceStart",
    "Snowflake",
    "Step",
]

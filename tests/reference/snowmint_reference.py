"""A second implementation of what snowmint computes: plain Python, naive arithmetic, no care for speed.

It was written from the design and the documentation of the rules, not from the Rust code, so that
an error of the engine does not become the contract unseen. Integers here have no width: where the
engine is careful with 64 bits, this is simply right. `check.py` judges the test vectors with it.
"""

import datetime

WIDEST = {"constant": 63, "time": 62, "sequence": 32, "rollback": 2,
          "datacenter": 32, "worker": 32, "process": 32, "shard": 32}
WORKERS = ("datacenter", "worker", "process", "shard")
LARGEST = {"max_number": 2**63 - 1, "max_step": 2**30, "max_distance": 16}
U32_MAX, U64_MAX, MINUTE_MS = 2**32 - 1, 2**64 - 1, 60_000


class Refused(Exception):
    """An error code by its name, with the wait in milliseconds if it is a stall."""

    def __init__(self, code, wait_ms=None):
        super().__init__(code)
        self.code, self.wait_ms = code, wait_ms


def require(condition, code):
    if not condition:
        raise Refused(code)


def rfc3339(unix_ms):
    days, ms = divmod(unix_ms, 86_400_000)
    cycles, days = divmod(days - 10_957, 146_097)  # the calendar repeats every 400 years
    date = datetime.date(2000, 1, 1) + datetime.timedelta(days)
    year = date.year + 400 * cycles
    year = f"{year:04}" if 0 <= year <= 9999 else f"{year:+05}"
    clock = f"{ms // 3_600_000:02}:{ms // 60_000 % 60:02}:{ms // 1000 % 60:02}.{ms % 1000:03}"
    return f"{year}-{date.month:02}-{date.day:02}T{clock}Z"


class Layout:
    def __init__(self, text, epoch_ms, tick_ms):
        self.fields = []  # (kind, bits, constant), from the top bit down
        for part in text.split(","):
            name, _, width = part.partition(":")
            require(name in ("zero", *WIDEST) and (name == "constant") == ("=" in width),
                    "invalid_layout")
            bits, _, constant = width.partition("=")
            require(bits.isdigit() and (constant or "0").isdigit(), "invalid_layout")
            kind, bits, constant = name.replace("zero", "constant"), int(bits), int(constant or 0)
            require(1 <= bits <= WIDEST[kind] and constant < 2**bits, "invalid_layout")
            self.fields.append((kind, bits, constant))
        kinds = [kind for kind, _, _ in self.fields if kind != "constant"]
        total = sum(bits for _, bits, _ in self.fields)
        on_top = self.fields[0][0] == "constant" and self.fields[0][2] == 0  # does not count
        require(len(self.fields) <= 9 + on_top and total <= 64 and tick_ms > 0, "invalid_layout")
        require("time" in kinds and len(set(kinds)) == len(kinds), "invalid_layout")
        if total < 64:
            self.fields.insert(0, ("constant", 64 - total, 0))
        self.bits = {kind: bits for kind, bits, _ in self.fields}
        self.worker_bits = sum(self.bits.get(kind, 0) for kind in WORKERS)
        require(self.worker_bits <= 32, "invalid_layout")
        self.ticks, self.per_tick = 2 ** self.bits["time"], 2 ** self.bits.get("sequence", 0)
        self.rollbacks = 2 ** self.bits.get("rollback", 0)
        self.epoch_tick, self.tick_ms = epoch_ms // tick_ms, tick_ms
        self.expires_ms = self.start_of(self.ticks)
        require(-(2**63) <= self.start_of(0) and self.expires_ms < 2**63, "invalid_layout")

    def start_of(self, tick):
        return (self.epoch_tick + tick) * self.tick_ms

    def tick_at(self, unix_ms):
        tick = unix_ms // self.tick_ms - self.epoch_tick
        require(0 <= tick < self.ticks, "time_out_of_range")
        return tick

    def join(self, values, constants=True):
        """An ID of field values; a kind that is not given is 0."""
        id = 0
        for kind, bits, constant in self.fields:
            value = (constant if constants else 0) if kind == "constant" else values.get(kind, 0)
            id = id * 2**bits + value
        return id

    def split(self, id):
        values = {}
        for kind, bits, constant in reversed(self.fields):
            id, value = divmod(id, 2**bits)
            require(kind != "constant" or value == constant, "id_not_in_layout")
            values[kind] = value
        return values

    def worker_values(self, worker_id):
        require(worker_id < 2**self.worker_bits, "field_out_of_range")
        values = {}
        for kind, bits, _ in reversed(self.fields):
            if kind in WORKERS:
                worker_id, values[kind] = divmod(worker_id, 2**bits)
        return values

    def worker_id(self, parts):
        worker_id = 0
        for kind, value in parts.items():
            require(kind in WORKERS and value < 2 ** self.bits.get(kind, 0), "field_out_of_range")
        for kind, bits, _ in self.fields:
            worker_id = worker_id * 2**bits + parts.get(kind, 0) if kind in WORKERS else worker_id
        return worker_id

    def encode(self, unix_ms, worker_id, sequence, rollback):
        tick, values = self.tick_at(unix_ms), self.worker_values(worker_id)
        require(sequence < self.per_tick and rollback < self.rollbacks, "field_out_of_range")
        return self.join({**values, "time": tick, "sequence": sequence, "rollback": rollback})

    def decode(self, id):
        values = self.split(id)
        return {"unix_ms": self.start_of(values["time"]), "worker_id": self.worker_id(
                    {kind: value for kind, value in values.items() if kind in WORKERS}),
                "sequence": values.get("sequence", 0), "rollback": values.get("rollback", 0)}

    def bounds(self, unix_ms):
        most = {kind: 2**bits - 1 for kind, bits in self.bits.items()}
        tick = self.tick_at(unix_ms)
        return self.join({"time": tick}), self.join({**most, "time": tick})

    def fits(self, bits):
        """The largest ID of each tick decides, and it grows with the tick."""
        def fit(tick):
            return self.bounds(self.start_of(tick))[1] < 2**bits
        if not fit(0):
            return "never"
        if fit(self.ticks - 1):
            return "always"
        low, high = 0, self.ticks - 1
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if fit(middle) else (low, middle)
        return f"until {self.start_of(high)}"


def mix(seed, counter):
    """SplitMix64's output function."""
    z = (seed + (counter + 1) * 0x9E3779B97F4A7C15) & U64_MAX
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & U64_MAX
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & U64_MAX
    return z ^ (z >> 31)


class Snowflake:
    def __init__(self, layout, lane, max_ahead_ms, start):
        self.layout, self.start = layout, start
        self.ahead = max_ahead_ms // layout.tick_ms
        self.window = (self.ahead + 1) * layout.per_tick
        # If time and sequence take all 64 bits, the last two slots are not used.
        self.end = min(layout.ticks * layout.per_tick, U64_MAX - 1)
        self.lane, self.left = None, {}
        self.enter(lane, 0)

    def enter(self, lane, reached):
        """Begins at the floor, or in a tick of which nothing below `reached` is part."""
        values = self.layout.worker_values(lane["worker_id"])
        require(lane["rollback"] < self.layout.rollbacks, "field_out_of_range")
        self.values = {**values, "rollback": lane["rollback"]}
        per_tick = self.layout.per_tick
        fresh = -(-reached // per_tick)
        self.lane, self.reserved = lane, lane["reserved"]
        self.next = max(min(lane["floor"], self.layout.ticks), fresh) * per_tick

    def change(self, lane, keeps_rising):
        """`open` goes on above the last ID, `jump` above those of the same worker and count."""
        old, reached, left = self.lane, self.next + 1, {}
        if old["worker_id"] == lane["worker_id"]:
            left = {**self.left, old["rollback"]: reached}
        resumed = left.get(lane["rollback"], 0)
        self.enter(lane, max(reached, resumed) if keeps_rising else resumed)
        self.left = left

    def extend(self, reserved):
        self.reserved = max(self.reserved, reserved)

    def offset(self, tick):
        following = (self.next - 1) % self.layout.per_tick + 1
        kind = self.start["kind"]
        if kind == "vibrate":
            offset = following % (self.start["max_offset"] + 1)
        elif kind == "random":
            below = self.start["below"]
            offset = mix(int(self.start["seed"]), tick) % below if below else 0
        elif kind == "rotate":
            offset = 0 if 2 * following >= self.layout.per_tick else following
        else:
            offset = {"zero": 0}[kind]
        return min(offset, self.layout.per_tick - 1)

    def issue(self, now_ms, n):
        layout, per_tick = self.layout, self.layout.per_tick
        require(1 <= n <= min(self.window, U32_MAX), "count_out_of_range")
        require(now_ms >= layout.start_of(0), "epoch_in_future")
        require(now_ms < layout.expires_ms, "layout_expired")
        base = layout.tick_at(now_ms) * per_tick
        slot = max(self.next, base)
        if slot % per_tick == 0:
            slot += min(self.offset(slot // per_tick), self.window - n)
        past, limit = slot + n, base + self.window
        if past > limit:
            due = min((past - 1) // per_tick - self.ahead, layout.ticks)
            wait_ms = max(layout.start_of(due) - now_ms, 1)
            raise Refused("clock_behind" if self.next > limit else "sequence_exhausted", wait_ms)
        require(past <= self.end, "layout_expired")
        if (past - 1) // per_tick >= self.reserved:
            raise Refused("grant_exhausted", 0)
        self.next = past
        return slot, past

    def id(self, slot):
        tick, sequence = divmod(slot, self.layout.per_tick)
        return self.layout.join({**self.values, "time": tick, "sequence": sequence})


def action(policy, code, wait_ms):
    if code == "grant_exhausted":
        return "extend_grant"
    if code == "sequence_exhausted":
        return f"wait {wait_ms}" if policy["when_full"] == "wait" else "fail"
    name, _, bound = policy["when_behind"].partition(" ")
    if bound and wait_ms <= int(bound):
        return f"wait {wait_ms}"
    return "fail" if name == "wait" else name


def check_step(minimum, maximum):
    require(1 <= minimum <= maximum <= LARGEST["max_step"], "invalid_step")


def numbers(start, end, stride):
    ok = start < end <= LARGEST["max_number"] and 1 <= stride <= LARGEST["max_step"]
    require(ok, "invalid_range")
    return range(start, end, stride)


class SegmentBuffer:
    def __init__(self, prefetch, minimum, maximum, floor):
        self.prefetch, self.minimum, self.maximum = prefetch, minimum, maximum
        self.floor, self.step, self.ready, self.used = floor, minimum, [], 0
        self.least = min(max(prefetch.get("distance", 1), 1), LARGEST["max_distance"])
        self.distance, self.supplies, self.supplied_ms = self.least, 0, None
        self.asked = minimum  # what the last request asked for; `step` is what was supplied so
        self.loading = self.ran_dry = self.tried = False

    def due(self):
        """Returns how many numbers of the current range are used when the next range is asked for."""
        count = self.used + len(self.ready[0])
        return -(-count * self.prefetch.get("used_percent", 0) // 100)

    def wants(self, now_ms):
        if self.loading or self.ready and (
                len(self.ready) > self.distance or self.used < self.due()):
            return None
        lasted_ms = 0 if self.supplied_ms is None else now_ms - self.supplied_ms
        self.asked = self.step
        if self.supplies >= 2:
            self.asked *= 2 if lasted_ms < 15 * MINUTE_MS else 1
            self.asked //= 2 if lasted_ms >= 30 * MINUTE_MS else 1
        self.asked = min(max(self.asked, self.minimum), self.maximum)
        if self.prefetch["kind"] == "chain" and self.tried:
            hungry = self.ran_dry and self.supplies > 0 and lasted_ms < 5000
            distance = self.distance * 2 if hungry else self.distance // 2
            self.distance = min(max(distance, self.least), LARGEST["max_distance"])
        self.loading, self.ran_dry, self.tried = True, False, False
        return self.asked

    def take(self, n):
        self.tried = self.tried or n > 0
        if not self.ready or n == 0:
            self.ran_dry = self.ran_dry or not self.ready
            return None
        current = self.ready.pop(0)
        taken, rest = current[:n], current[n:]
        self.used += len(taken)
        if rest:
            self.ready.insert(0, rest)
        else:
            self.used = 0
        return taken

    def take_until_request(self):
        if not self.ready:
            return self.take(1)
        return self.take(self.due() - self.used if self.due() > self.used else len(self.ready[0]))

    def supply(self, supplied, end, now_ms):
        self.loading = False
        require(supplied.start >= self.floor, "range_regressed")
        require(len(self.ready) <= LARGEST["max_distance"], "count_out_of_range")
        self.ready.append(supplied)
        self.step = self.asked
        self.floor, self.supplied_ms, self.supplies = end, now_ms, self.supplies + 1

    def failed(self):
        self.loading = False

    def resize(self, minimum, maximum):
        if (minimum, maximum) != (self.minimum, self.maximum):
            self.minimum, self.maximum, self.step = minimum, maximum, minimum


DIGITS, LOWER = "0123456789", "abcdefghijklmnopqrstuvwxyz"
CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
BITCOIN = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
FORMS = {  # alphabet, fixed number of digits or None
    "dec": (DIGITS, None),
    "hex": (DIGITS + "abcdef", 16),
    "base32": (CROCKFORD, 13),
    "base32-check": (CROCKFORD, 13),
    "z-base32": ("ybndrfg8ejkmcpqxot1uwisza345h769", None),
    "base36": (DIGITS + LOWER, None),
    "base58": (BITCOIN, None),
    "base58-flickr": (DIGITS[1:] + BITCOIN[33:] + BITCOIN[9:33], None),
    "base62": (DIGITS + LOWER.upper() + LOWER, 11),
}
CHECKS = CROCKFORD + "*~$=U"


def format_text(form, id):
    alphabet, width = FORMS[form]
    text, rest = "", id
    while rest or len(text) < (width or 1):
        rest, digit = divmod(rest, len(alphabet))
        text = alphabet[digit] + text
    return text + CHECKS[id % 37] if form == "base32-check" else text


def canonical_symbol(form, symbol):
    """The symbol that a lax reader takes another for; one without a meaning stays."""
    if form.startswith("base32") and symbol in CROCKFORD + LOWER + "ILO":
        upper = symbol.upper()
        return {"I": "1", "L": "1", "O": "0"}.get(upper, upper)
    if form in ("hex", "base36") and symbol.isascii():
        return symbol.lower()
    return symbol


def parse_text(form, text):
    alphabet, width = FORMS[form]
    most = len(format_text(form, U64_MAX))
    length = len(text.encode())
    require(length == most if width else 1 <= length <= most, "text_length")
    symbols = [canonical_symbol(form, symbol) for symbol in text]
    body, check = (symbols[:13], symbols[13:]) if form == "base32-check" else (symbols, [])
    require(all(symbol in alphabet for symbol in body), "invalid_text")
    number = 0
    for symbol in body:
        number = number * len(alphabet) + alphabet.index(symbol)
    require(number <= U64_MAX, "text_overflow")
    if check:
        require(check[0] in CHECKS, "invalid_text")
        require(check[0] == CHECKS[number % 37], "text_check")
    return number


def detect(text):
    if 1 <= len(text) <= 20 and all(symbol in DIGITS for symbol in text):
        if text == "0" or text[0] != "0":
            return "dec"
    for form, (_, width) in FORMS.items():
        if width and writes(form, text):
            alike = ("base58", "base58-flickr") if form == "base62" else ()
            return None if any(writes(other, text) for other in alike) else form
    return None


def writes(form, text):
    try:
        return format_text(form, parse_text(form, text)) == text
    except Refused:
        return False

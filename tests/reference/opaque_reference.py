"""Public forms of IDs, a second time: from NIST's and the RFCs' text, over AES, HMAC and HKDF of the
Python package `cryptography`. What is wrong with a key is judged here as the documentation says it.
"""

import base64
import json
import re

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from snowmint_reference import require

SYMBOLS = "0123456789abcdefghjkmnpqrstvwxyz"
LABEL = b"snowmint opaque 1"
# The number of characters that follow a type and an underscore.
BODY = {"token": 27, "base64url": 23}


def aes(key, block, decrypt=False):
    cipher = Cipher(algorithms.AES(key), modes.ECB())
    machine = cipher.decryptor() if decrypt else cipher.encryptor()
    return machine.update(block) + machine.finalize()


def number_of(numerals, radix):
    number = 0
    for numeral in numerals:
        number = number * radix + numeral
    return number


def numerals_of(number, radix, count):
    numerals = []
    for _ in range(count):
        number, numeral = divmod(number, radix)
        numerals.append(numeral)
    assert number == 0
    return numerals[::-1]


def ff1(key, radix, tweak, x, decrypt=False):
    """Algorithms 7 and 8 of SP 800-38G, step by step."""
    n, t = len(x), len(tweak)
    u = n // 2
    v = n - u
    a, b = x[:u], x[u:]
    width = -(-(radix**v - 1).bit_length() // 8)
    d = 4 * -(-width // 4) + 4
    p = (bytes([1, 2, 1]) + radix.to_bytes(3, "big") + bytes([10, u % 256])
         + n.to_bytes(4, "big") + t.to_bytes(4, "big"))
    for i in reversed(range(10)) if decrypt else range(10):
        q = (tweak + bytes((-t - width - 1) % 16) + bytes([i])
             + number_of(a if decrypt else b, radix).to_bytes(width, "big"))
        r = bytes(16)
        for at in range(0, len(p + q), 16):
            r = aes(key, bytes(x ^ y for x, y in zip(r, (p + q)[at:at + 16])))
        s = r
        for j in range(1, -(-d // 16)):
            s += aes(key, bytes(x ^ y for x, y in zip(r, j.to_bytes(16, "big"))))
        y = int.from_bytes(s[:d], "big")
        m = u if i % 2 == 0 else v
        if decrypt:
            c = (number_of(b, radix) - y) % radix**m
            b, a = a, numerals_of(c, radix, m)
        else:
            c = (number_of(a, radix) + y) % radix**m
            a, b = b, numerals_of(c, radix, m)
    return a + b


class Keyring:
    def __init__(self, realm, current, numbers, keys):
        self.realm, self.current, self.numbers = realm, current, numbers
        self.keys = {symbol: bytes.fromhex(key) for symbol, key in keys.items()}

    def derive(self, symbol, form, kind):
        info = b"\0".join([LABEL, form.encode(), self.realm.encode(), kind.encode()])
        hkdf = HKDF(algorithm=hashes.SHA256(), length=16, salt=None, info=info)
        return hkdf.derive(self.keys[symbol])

    def token(self, kind, id, symbol):
        block = aes(self.derive(symbol, "token", kind), id.to_bytes(8, "big") + bytes(8))
        bits = int.from_bytes(block, "big")
        text = "".join(SYMBOLS[bits >> 5 * place & 31] for place in reversed(range(26)))
        return f"{kind}_{symbol}{text}"

    def base64url(self, kind, id, symbol):
        block = aes(self.derive(symbol, "token", kind), id.to_bytes(8, "big") + bytes(8))
        return f"{kind}_{symbol}{base64.urlsafe_b64encode(block).decode().rstrip('=')}"

    def read_token(self, kind, form, text):
        symbol, block = read_text(kind, form, text)
        require(symbol in self.keys, "not_found")
        plain = aes(self.derive(symbol, "token", kind), block, decrypt=True)
        require(plain[8:] == bytes(8), "not_found")
        return int.from_bytes(plain[:8], "big")

    def uuid(self, kind, id, symbol):
        """122 bits with the ID in front, between the marks of version 8; then once round."""
        bits = f"{id:064b}" + "0" * 58
        bits = bits[:48] + "1000" + bits[48:60] + "10" + bits[60:]
        block = int(bits, 2).to_bytes(16, "big")
        key = self.derive(symbol, "uuid", kind)
        while True:
            block = aes(key, block)
            if is_uuid(block):
                return block.hex()

    def read_uuid(self, kind, text):
        uuid = bytes.fromhex(text)
        require(is_uuid(uuid), "not_found")
        for symbol in self.keys:
            key, block = self.derive(symbol, "uuid", kind), uuid
            while True:
                block = aes(key, block, decrypt=True)
                if is_uuid(block):
                    break
            bits = f"{int.from_bytes(block, 'big'):0128b}"
            bits = bits[:48] + bits[52:64] + bits[66:]
            if int(bits[64:], 2) == 0:
                return int(bits[:64], 2)
        require(False, "not_found")

    def number(self, kind, id, width, decrypt=False):
        if id >= 2**width:
            return None
        key = self.derive(self.numbers, "number", kind)
        return number_of(ff1(key, 2, b"", numerals_of(id, 2, width), decrypt), 2)


def is_uuid(block):
    return block[6] >> 4 == 8 and block[8] >> 6 == 2


def read_text(kind, form, text):
    """The key's symbol and the block, if the text is well-formed."""
    prefix, size = f"{kind}_", BODY[form]
    raw = text.encode()
    name, body = raw[:-size].decode(errors="replace"), raw[-size:]
    if not text.startswith(prefix) or (name != prefix and is_prefix(name)):
        same = len(raw) == len(prefix) + size and text.lower().startswith(prefix)
        require(False, "text_not_canonical" if same else "wrong_type")
    require(len(raw) == len(prefix) + size, "text_length")
    body = body.decode(errors="replace")
    if form == "base64url":
        require(re.fullmatch(f"[{SYMBOLS}][A-Za-z0-9_-]{{21}}[AQgw]", body), "invalid_text")
        return body[0], base64.urlsafe_b64decode(body[1:] + "==")
    aliases = "ABCDEFGHJKMNPQRSTVWXYZIiLlOo"
    require(all(symbol in SYMBOLS + aliases for symbol in body), "invalid_text")
    require(all(symbol in SYMBOLS for symbol in body), "text_not_canonical")
    require(body[1] in "01234567", "invalid_text")
    return body[0], number_of([SYMBOLS.index(one) for one in body[1:]], 32).to_bytes(16, "big")


def is_prefix(name):
    return bool(re.fullmatch("[a-z]([a-z0-9_]{0,30}[a-z0-9])?_", name))


def read_keys(document):
    """Refuses a document of keys as the library does."""
    try:
        pairs = json.loads(document, object_pairs_hook=list)
        fields = dict(pairs)
        keys = fields["keys"]
    except (ValueError, KeyError):
        require(False, "invalid_keys")
    known = ("realm", "current", "numbers", "keys")
    require(len(fields) == len(pairs) and all(name in known for name in fields), "invalid_keys")
    require(re.fullmatch("[A-Za-z0-9_.:-]{0,64}", fields.get("realm", "")), "invalid_parameter")
    symbols, secrets = [symbol for symbol, _ in keys], [key.lower() for _, key in keys]
    require(keys and len(set(symbols)) == len(set(secrets)) == len(keys), "invalid_keys")
    require(all(len(one) == 1 and one in SYMBOLS for one in symbols), "invalid_keys")
    for secret in secrets:
        require(re.fullmatch("([0-9a-f]{2}){16,32}", secret), "invalid_keys")
        require(not is_weak(bytes.fromhex(secret)), "invalid_keys")
    for role in ("current", "numbers"):
        require(fields.get(role, symbols[0]) in symbols, "invalid_keys")
    require("current" in fields or len(keys) == 1, "invalid_keys")


def is_weak(key):
    """A text, few different bytes, or each a constant above the last."""
    try:
        text = key.decode()
        is_text = all(one.isprintable() or one.isspace() for one in text)
    except UnicodeDecodeError:
        is_text = False
    steps = {(after - before) % 256 for before, after in zip(key, key[1:])}
    return is_text or len(set(key)) < 9 or len(steps) == 1

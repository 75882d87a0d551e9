"""A server that wants to be shown the password, under TLS. It listens at the address given, and prints
its port, and what it was shown."""

import socket
import ssl
import struct
import sys


def packet(number, payload):
    return struct.pack("<I", len(payload))[:3] + bytes([number]) + payload


def heard(link):
    head = b""
    while len(head) < 4:
        part = link.recv(4 - len(head))
        if not part:
            return b""
        head += part
    length = int.from_bytes(head[:3], "little")
    body = b""
    while len(body) < length:
        body += link.recv(length - len(body))
    return body


listener = socket.create_server((sys.argv[1], 0))
listener.settimeout(60)
print(listener.getsockname()[1], flush=True)
link, _ = listener.accept()
link.settimeout(60)
hello = b"\x0a8.0.0\0" + bytes(4) + b"12345678\0\xff\xff\x2d\x02\0\xff\xde\x15" + bytes(10)
link.sendall(packet(0, hello + b"123456789012\0" + b"caching_sha2_password\0"))
heard(link)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain("server.pem", "server.key")
link = context.wrap_socket(link, server_side=True)
heard(link)
link.sendall(packet(3, b"\x01\x04"))
try:
    print(heard(link).rstrip(b"\0").decode(), flush=True)
except OSError:
    print(flush=True)

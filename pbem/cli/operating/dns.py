"""Query a name server for TXT, MX and PTR records, which the standard library cannot do."""

from __future__ import annotations

import ipaddress
import re
import secrets
import socket
import struct
from pathlib import Path

PATIENCE = 5.0
KINDS = {"PTR": 12, "MX": 15, "TXT": 16}
NO_SUCH_NAME = 3


class Unanswered(Exception):
    """No name server has answered."""


def servers(file: Path = Path("/etc/resolv.conf")) -> list[tuple[str, int]]:
    """The name servers of this machine."""
    found = re.findall(r"^\s*nameserver\s+(\S+)", file.read_text() if file.exists() else "", re.MULTILINE)
    return [(address, 53) for address in found] or [("127.0.0.1", 53)]


def ask(name: str, kind: str, at: list[tuple[str, int]] | None = None) -> list[str]:
    """Return the records of a kind for a name, or an empty list."""
    problem: Exception = Unanswered("there is no name server")
    for server in at or servers():
        try:
            return _ask(name, kind, server)
        except (OSError, ValueError, struct.error, IndexError) as trouble:
            problem = trouble
    raise Unanswered(f"no name server answers: {problem}")


def reverse_name(address: str) -> str:
    """The DNS name of the PTR record for an address."""
    return ipaddress.ip_address(address).reverse_pointer


def _ask(name: str, kind: str, server: tuple[str, int]) -> list[str]:
    number = secrets.randbits(16)
    question = b"".join(bytes([len(label)]) + label.encode("idna") for label in name.rstrip(".").split(".")) + b"\0"
    query = struct.pack(">HHHHHH", number, 0x0100, 1, 0, 0, 0) + question + struct.pack(">HH", KINDS[kind], 1)
    with socket.socket(socket.AF_INET6 if ":" in server[0] else socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.settimeout(PATIENCE)
        line.sendto(query, server)
        answer = line.recv(4096)
        if answer[2] & 2:  # truncated: ask again over TCP
            answer = _by_tcp(query, server)
    if struct.unpack(">H", answer[:2])[0] != number:
        raise ValueError("the answer is to another question")
    return _records(answer, kind)


def _by_tcp(query: bytes, server: tuple[str, int]) -> bytes:
    with socket.create_connection(server, PATIENCE) as line, line.makefile("rb") as stream:
        line.sendall(struct.pack(">H", len(query)) + query)
        return stream.read(struct.unpack(">H", stream.read(2))[0])


def _records(answer: bytes, kind: str) -> list[str]:
    _, flags, questions, answers, _, _ = struct.unpack(">HHHHHH", answer[:12])
    if flags & 15 not in (0, NO_SUCH_NAME):
        raise ValueError(f"the name server fails with code {flags & 15}")
    place, found = 12, []
    for _ in range(questions):
        place = _name(answer, place)[1] + 4
    for _ in range(answers):
        place = _name(answer, place)[1]
        type, _, _, length = struct.unpack(">HHIH", answer[place : place + 10])
        place += 10
        if type == KINDS[kind]:
            found.append(_value(answer, place, length, kind))
        place += length
    return found


def _value(answer: bytes, place: int, length: int, kind: str) -> str:
    if kind == "TXT":
        pieces, end = [], place + length
        while place < end:
            pieces.append(answer[place + 1 : place + 1 + answer[place]])
            place += 1 + answer[place]
        return b"".join(pieces).decode("utf-8", "replace")
    return _name(answer, place + (2 if kind == "MX" else 0))[0]


def _name(answer: bytes, place: int, depth: int = 0) -> tuple[str, int]:
    """Return the name at a position and where it ends; parts of it may be elsewhere in the answer."""
    labels: list[str] = []
    while length := answer[place]:
        if length >= 192:
            if depth > 10:
                raise ValueError("a name that never ends")
            rest = _name(answer, struct.unpack(">H", answer[place : place + 2])[0] & 0x3FFF, depth + 1)[0]
            return ".".join([*labels, rest]), place + 2
        labels.append(answer[place + 1 : place + 1 + length].decode("ascii", "replace"))
        place += 1 + length
    return ".".join(labels), place + 1

"""Forge exports as a server could with its own key, so that the chain, the trailer and every commitment fit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from eventstore import Event, NewEvent, canonical, event_hash
from pbem.matches.history.export import Export, export, read_export
from pbem.matches.server import Server

Lines = list[dict[str, Any]]


def lines_of(content: bytes) -> Lines:
    return [msgspec.json.decode(line) for line in content.splitlines()]


def joined(lines: Lines) -> bytes:
    return b"".join(canonical(line) + b"\n" for line in lines)


def events_of(lines: Lines) -> list[dict[str, Any]]:
    return [line["event"] for line in lines if "event" in line]


def rechained(lines: Lines) -> Lines:
    """Recompute versions, previous hashes and hashes, so that the chain fits."""
    previous = ""
    for version, body in enumerate(events_of(lines), 1):
        body["version"] = version
        body["previous"] = previous or body["previous"]
        body["hash"] = event_hash(msgspec.convert(body, Event))
        previous = body["hash"]
    return lines


def signed_anew(server: Server, lines: Lines) -> bytes:
    """Sign a changed log with the server's own key."""
    rechained(lines)
    body = {name: value for name, value in lines[-1]["trailer"].items() if name != "signature"}
    body["hashes"] = [event["hash"] for event in events_of(lines)]
    body["count"] = len(body["hashes"])
    lines[-1] = {"trailer": {**body, "signature": server.signer.sign(body)}}
    return joined(lines)


def forged(server: Server, match: str, change: Callable[[Lines], None], viewer: str = "red") -> bytes:
    """Return an export whose lines were changed and signed again."""
    lines = lines_of(export(server, match, viewer))
    change(lines)
    return signed_anew(server, lines)


def read_forged(server: Server, match: str, change: Callable[[Lines], None], viewer: str = "red") -> Export:
    return read_export(forged(server, match, change, viewer))


def first(lines: Lines, type: str, **payload: Any) -> dict[str, Any]:
    """Return the first event of a type whose payload has these values."""
    wanted = payload.items()
    return next(e for e in events_of(lines) if e["type"] == type and wanted <= _flat(e["payload"]).items())


def _flat(payload: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in payload.items() if isinstance(value, str | int)}


def insert_before(lines: Lines, event: dict[str, Any], type: str, **payload: Any) -> dict[str, Any]:
    """Insert an event without parts before another event, and adjust the versions that closings cite; return it."""
    new = {**msgspec.json.decode(canonical(event)), "type": type, "schema": 1, "payload": payload, "parts": []}
    at = next(index for index, line in enumerate(lines) if line.get("event") is event)
    lines.insert(at, {"event": new})
    _renumber(lines, event["version"], 1)
    return new


def remove(lines: Lines, event: dict[str, Any]) -> None:
    """Remove an event, and adjust the versions that closings cite."""
    at = next(index for index, line in enumerate(lines) if line.get("event") is event)
    del lines[at]
    _renumber(lines, event["version"], -1)


def _renumber(lines: Lines, since: int, by: int) -> None:
    for event in events_of(lines):
        if event["type"] == "exchange.closed":
            counts = event["payload"]["counts"]
            event["payload"]["counts"] = {
                seat: version + by if version >= since else version for seat, version in counts.items()
            }


UNENTITLED: dict[str, tuple[list[tuple[str, dict[str, Any]]], str]] = {
    "an even panel": ([("panel.named", {"number": 1, "members": ["a", "b"], "by": "GM"})], "panel"),
    "a panel named by nobody": ([("panel.named", {"number": 1, "members": ["a"], "by": "RED"})], "by-nobody"),
    "a panel that plays": ([("panel.named", {"number": 1, "members": ["RED"], "by": "GM"})], "panel"),
    "a vote without a panel": (
        [("dispute.voted", {"number": 1, "by": "a", "verdict": "upheld", "answer": "x"})],
        "panel",
    ),
    "a decision without votes": (
        [
            ("panel.named", {"number": 1, "members": ["a", "b", "c"], "by": "GM"}),
            ("dispute.voted", {"number": 1, "by": "a", "verdict": "upheld", "answer": "x"}),
            ("dispute.settled", {"number": 1, "answer": "x", "by": "panel", "verdict": "upheld"}),
        ],
        "panel",
    ),
    "a game master over the panel": (
        [
            ("panel.named", {"number": 1, "members": ["a"], "by": "GM"}),
            ("dispute.settled", {"number": 1, "answer": "x", "by": "GM", "verdict": "upheld"}),
        ],
        "panel",
    ),
    "an auditor of one side": (
        [
            ("auditor.proposed", {"seat": "red", "account": "a"}),
            ("auditor.named", {"account": "a", "by": "sides"}),
        ],
        "auditor",
    ),
    "an auditor of a director without a tournament": ([("auditor.named", {"account": "a", "by": "d"})], "auditor"),
    "a look by nobody": ([("master.looked", {"by": "a", "what": "everything"})], "by-nobody"),
}
"""Acts of judges and auditors that nobody was entitled to, on a match whose dispute 1 is open, with the code."""


def append_unentitled(server: Server, match: str, forgery: str, who: dict[str, str]) -> None:
    """Append acts by people who lack the power for them, as a server that forges its own log could.

    `who` has the accounts of GM and RED.
    """
    for type, payload in UNENTITLED[forgery][0]:
        said = {name: who.get(value, value) if isinstance(value, str) else value for name, value in payload.items()}
        if "members" in said:
            said["members"] = [who.get(one, one) for one in said["members"]]
        stream = f"match/{match}"
        server.store.append(stream, [NewEvent(type, said)], expected=server.store.version(stream))

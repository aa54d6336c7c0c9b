"""Exports: the whole chain of a match with the parts that a viewer may see, closed by a signed trailer.

One JSON object a line: a header, the events, the parts, the blobs that the match is played with, the trailer. The
trailer signs the hash of every event, so that whatever was changed is found and located.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from eventstore import Event, Part, PartRef, canonical
from pbem.engine.rules.findings import MASTER, PUBLIC
from pbem.engine.rules.refusals import Objection, Unreadable
from pbem.matches.history.record import Record, fold, side_audience
from pbem.matches.history.replay import SERVER, stream_of
from pbem.matches.server import Server

FORMAT = 1


class Export(msgspec.Struct):
    """An export as read from a file. Nothing in it is believed before it is verified."""

    server: str
    match: str
    viewer: str
    events: list[Event]
    parts: dict[str, Part]
    blobs: dict[str, bytes]
    trailer: dict[str, Any]
    format: int = FORMAT

    @property
    def stream(self) -> str:
        return stream_of(self.match)


def may_read(record: Record, event: Event, ref: PartRef, viewer: str) -> bool:
    """Own and public parts always; once the match is open everything that was played.

    A superseded order never counted and stays closed, unless its author has disputed the exchange. What belongs to
    an account alone stays with the account.
    """
    if ref.audience in (viewer, PUBLIC) or ref.audience in allied_audiences(record, viewer):
        return True
    in_play = ref.audience in (*record.seats, *map(side_audience, record.sides.values()), SERVER, MASTER)
    if viewer == MASTER:
        return in_play
    if ref.name == "order" and event.version not in record.counting:
        disputed = (event.payload["seat"], event.payload["exchange"]) in record.disputed
        return disputed and record.opened is not None
    return in_play and record.opened is not None


def allied_audiences(record: Record, viewer: str) -> list[str]:
    """The audience of a seat's side, where the side has several seats."""
    return [side_audience(record.sides[viewer])] if viewer in record.sides else []


def readable(record: Record, viewer: str) -> list[str]:
    """The commitments of all parts that a viewer may read."""
    refs = ((event, ref) for event in record.events for ref in event.parts)
    return [ref.commitment for event, ref in refs if may_read(record, event, ref, viewer)]


def export(server: Server, match: str, viewer: str) -> bytes:
    events = server.store.read(stream_of(match))
    record = fold(events)
    wanted = readable(record, viewer)
    parts = server.store.parts(wanted)
    body = {
        "match": match,
        "viewer": viewer,
        "count": len(events),
        "hashes": [event.hash for event in events],
        "erased": sorted(set(wanted) - set(parts)),
    }
    lines: list[dict[str, Any]] = [
        {"header": {"format": FORMAT, "server": server.id, "match": match, "viewer": viewer}}
    ]
    lines += [{"event": _plain(event)} for event in events]
    for commitment, part in sorted(parts.items()):
        content = base64.b64encode(part.content).decode()
        lines.append({"part": {"commitment": commitment, "salt": part.salt.hex(), "content": content}})
    for digest in sorted(set(record.created["blobs"].values())):
        lines.append({"blob": {"digest": digest, "content": base64.b64encode(server.blob(digest)).decode()}})
    lines.append({"trailer": {**body, "signature": server.signer.sign(body)}})
    return b"".join(canonical(line) + b"\n" for line in lines)


def _plain(event: Event) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(event)
    plain.pop("position")
    return plain


def read_export(content: bytes) -> Export:
    """Read a file into an export; a refusal names the first line that cannot be read."""
    export: Export | None = None
    for number, (kind, body) in enumerate(_lines(content), 1):
        try:
            if kind == "header" and export is None:
                number_of_format = int(body["format"])
                export = Export(body["server"], body["match"], body["viewer"], [], {}, {}, {}, number_of_format)
            elif export is None:
                raise ValueError("the file does not begin with a header")
            elif export.trailer:
                raise ValueError("something follows the trailer")
            elif kind == "event":
                export.events.append(msgspec.convert({**body, "position": 0}, Event))
            elif kind == "part":
                salt, text = bytes.fromhex(body["salt"]), base64.b64decode(body["content"], validate=True)
                _once(export.parts, body["commitment"])
                export.parts[body["commitment"]] = Part(body["commitment"], salt, text)
            elif kind == "blob":
                _once(export.blobs, body["digest"])
                export.blobs[body["digest"]] = base64.b64decode(body["content"], validate=True)
            elif kind == "trailer":
                export.trailer = {**body}
            else:
                raise ValueError(f"{kind} is no kind of line")
        except (KeyError, TypeError, ValueError, msgspec.ValidationError) as problem:
            raise _unreadable(number, str(problem)) from problem
    if export is None or not export.events:
        raise _unreadable(1, "there is no export in this file")
    return export


def _once(kept: Mapping[str, object], name: str) -> None:
    if name in kept:
        raise ValueError(f"{name} is there twice")


def _lines(content: bytes) -> Iterator[tuple[str, Any]]:
    for number, line in enumerate(content.splitlines(), 1):
        try:
            [(kind, body)] = msgspec.json.decode(line).items()
        except (ValueError, AttributeError, msgspec.DecodeError) as problem:
            raise _unreadable(number, "it is cut off or is no line of an export") from problem
        yield kind, body


def _unreadable(number: int, why: str) -> Unreadable:
    return Unreadable(f"line {number}", [Objection("pbem/export", why)])


def archive(server: Server, content: bytes) -> str:
    """Keep a verified export of another server for reading; it can be shown and verified, not played on."""
    export = read_export(content)
    digest = hashlib.sha256(content).hexdigest()
    with server.store.transaction("import") as transaction:
        transaction.database.execute(
            "INSERT OR IGNORE INTO archives VALUES (?, ?, ?, ?, ?)",
            (digest, export.server, export.match, export.viewer, content),
        )
    return digest


def archives(server: Server) -> list[tuple[str, str, str, str]]:
    """Digest, server, match and viewer of the exports kept here."""
    rows = server.database.execute("SELECT digest, server, match, viewer FROM archives ORDER BY match, digest")
    return [(str(digest), str(server), str(match), str(viewer)) for digest, server, match, viewer in rows]


def archived(server: Server, digest: str) -> bytes:
    row = server.database.execute("SELECT content FROM archives WHERE digest = ?", (digest,)).fetchone()
    if row is None:
        raise KeyError(f"no archive {digest}")
    return bytes(row[0])

"""Exports: the whole chain of a match with the parts that a viewer may see, closed by a signed trailer.

One JSON object per line: a header, the events, the parts, the blobs that the match is played with, the trailer. The
trailer signs the hash of every event, so that any change is found and located.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from eventstore import Event, Part, PartRef, canonical
from pbem.engine.rules.findings import MASTER, PUBLIC
from pbem.engine.rules.refusals import Illegal, Objection, Unreadable
from pbem.engine.text.messages import Message, say
from pbem.matches.events import OrderSealed, content_as
from pbem.matches.history.record import Record, fold, side_audience
from pbem.matches.history.replay import SERVER, stream_of
from pbem.matches.server import Server

FORMAT = 1


class Export(msgspec.Struct):
    """An export as read from a file. Nothing in it is trusted until it is verified."""

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

    def at(self, version: int) -> Event | None:
        """The event with this version, if the export has it; it need not begin with the match's first event."""
        place = version - self.events[0].version if self.events else -1
        return self.events[place] if 0 <= place < len(self.events) else None


def may_read(record: Record, event: Event, ref: PartRef, viewer: str) -> bool:
    """Whether a viewer may read a part: public and own parts always, and other seats' parts once the match is open.

    A superseded order never counted and stays closed, unless its author has disputed the exchange. Parts that belong
    to an account alone stay with the account.
    """
    if ref.audience in (viewer, PUBLIC) or ref.audience in allied_audiences(record, viewer):
        return True
    in_play = ref.audience in (*record.seats, *map(side_audience, record.sides.values()), SERVER, MASTER)
    if viewer == MASTER:
        # Sealed orders of an open exchange are closed to everyone, even the game master.
        return in_play and not (ref.name == "order" and content_as(event, OrderSealed).exchange > record.last)
    if ref.name == "order" and event.version not in record.counting:
        sealed = content_as(event, OrderSealed)
        disputed = (sealed.seat, sealed.exchange) in record.disputed
        return disputed and record.opened is not None
    return in_play and record.opened is not None


def allied_audiences(record: Record, viewer: str) -> list[str]:
    """The audience of the viewer's side, if the side has several seats."""
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
    lines += lines_of(events, parts, {digest: server.blob(digest) for digest in record.created.blobs.values()})
    lines.append({"trailer": {**body, "signature": server.signer.sign(body)}})
    return b"".join(canonical(line) + b"\n" for line in lines)


def lines_of(
    events: Sequence[Event], parts: Mapping[str, Part], blobs: Mapping[str, bytes]
) -> Iterator[dict[str, Any]]:
    """Write the events, parts and blobs of a file, one object per line."""
    for event in events:
        yield {"event": _plain(event)}
    for commitment, part in sorted(parts.items()):
        content = base64.b64encode(part.content).decode()
        yield {"part": {"commitment": commitment, "salt": part.salt.hex(), "content": content}}
    for digest, blob in sorted(blobs.items()):
        yield {"blob": {"digest": digest, "content": base64.b64encode(blob).decode()}}


def _plain(event: Event) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(event)
    return plain


def read_export(content: bytes) -> Export:
    """Read a file into an export; a refusal names the first unreadable line."""
    export: Export | None = None
    for number, (kind, body) in enumerate(each_line(content), 1):
        try:
            if export is None:
                export = _header(kind, body)
            elif export.trailer:
                raise ValueError("something follows the trailer")
            else:
                take_line(export, kind, body, _Trailer)
        except (KeyError, TypeError, ValueError, AttributeError, msgspec.ValidationError) as problem:
            raise _unreadable(number, str(problem)) from problem
    if export is None or not export.events:
        raise _unreadable(1, say("this file does not contain an export"))
    return export


class _Header(msgspec.Struct, forbid_unknown_fields=True):
    format: int
    server: str
    match: str
    viewer: str


class _Trailer(msgspec.Struct, forbid_unknown_fields=True):
    match: str
    viewer: str
    count: int
    hashes: list[str]
    erased: list[str]
    signature: str


class _Content(msgspec.Struct, forbid_unknown_fields=True):
    """The content of a part, or of a blob, which has no salt."""

    content: str
    commitment: str = ""
    salt: str = ""
    digest: str = ""

    def decode(self) -> bytes:
        found = base64.b64decode(self.content, validate=True)
        if base64.b64encode(found).decode() != self.content:
            raise ValueError("the content is not canonical base64")
        return found


def _header(kind: str, body: Any) -> Export:
    if kind != "header":
        raise ValueError("the file does not begin with a header")
    said = msgspec.convert(body, _Header)
    return Export(said.server, said.match, said.viewer, [], {}, {}, {}, said.format)


def _read_event(export: Export, body: Any) -> None:
    event = msgspec.convert(body, Event)
    if canonical(_plain(event)) != canonical(body):
        raise ValueError("an event has other fields")
    export.events.append(event)


def _read_part(export: Export, body: Any) -> None:
    said = msgspec.convert(body, _Content)
    salt = bytes.fromhex(said.salt)
    if set(body) != {"commitment", "salt", "content"} or salt.hex() != said.salt:
        raise ValueError("a part has other fields")
    _once(export.parts, said.commitment)
    export.parts[said.commitment] = Part(said.commitment, salt, said.decode())


def _read_blob(export: Export, body: Any) -> None:
    said = msgspec.convert(body, _Content)
    if set(body) != {"digest", "content"}:
        raise ValueError("a blob has other fields")
    _once(export.blobs, said.digest)
    export.blobs[said.digest] = said.decode()


_READERS = {"event": _read_event, "part": _read_part, "blob": _read_blob}


def take_line(export: Export, kind: str, body: Any, trailer: type) -> None:
    """Read one line of a file into the export."""
    if kind == "trailer":
        msgspec.convert(body, trailer)
        export.trailer = {**body}
    else:
        _READERS[kind](export, body)


def _once(kept: Mapping[str, object], name: str) -> None:
    if name in kept:
        raise ValueError(f"{name} is there twice")


def each_line(content: bytes) -> Iterator[tuple[str, Any]]:
    """Yield the lines; each must be the canonical JSON of an object with one key, so each export has one spelling."""
    *lines, rest = content.split(b"\n")
    for number, line in enumerate([*lines, rest] if rest else lines, 1):
        try:
            value = msgspec.json.decode(line)
            [(kind, body)] = value.items()
            whole = canonical(value) == line and number <= len(lines)
        except (ValueError, AttributeError, RecursionError, msgspec.DecodeError) as problem:
            raise _unreadable(number, say("the line is cut off or does not belong in an export")) from problem
        if not whole:
            raise _unreadable(number, say("the line is cut off or is not canonical JSON"))
        yield kind, body


def _unreadable(number: int, why: Message | str) -> Unreadable:
    return Unreadable(f"line {number}", [Objection("pbem/export", why)])


def archive(server: Server, content: bytes) -> str:
    """Store a verified export from another server, which can be shown and verified, but not continued."""
    export = read_export(content)
    digest = hashlib.sha256(content).hexdigest()
    with server.store.transaction("import") as transaction:
        transaction.database.execute(
            "INSERT INTO archives (digest, server, match, viewer, content) VALUES (?, ?, ?, ?, ?) "
            "ON CONFLICT DO NOTHING",
            (digest, export.server, export.match, export.viewer, content),
        )
    return digest


def archives(server: Server) -> list[tuple[str, str, str, str]]:
    """The digest, server, match and viewer of each export stored here."""
    rows = server.database.execute("SELECT digest, server, match, viewer FROM archives ORDER BY match, digest")
    return [(str(digest), str(server), str(match), str(viewer)) for digest, server, match, viewer in rows]


def read_archive(server: Server, name: str) -> bytes:
    """Return the stored export whose digest begins with these characters."""
    found = [digest for digest, *_ in archives(server) if digest.startswith(name)]
    if not found:
        raise Illegal("import", [Objection("pbem/import", say("no import is kept under {name}", name=name))])
    if len(found) > 1:
        raise Illegal("import", [Objection("pbem/import", say("several imports begin with {name}", name=name))])
    row = server.database.execute("SELECT content FROM archives WHERE digest = ?", (found[0],)).fetchone()
    return bytes(row[0])

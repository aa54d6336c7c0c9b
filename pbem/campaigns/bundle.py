"""A bundle: the export of a campaign with the exports of its battles.

One JSON object per line: a header, the campaign's export, the export of each battle, and a trailer that signs the
digests of all of them. `pbem.campaigns.bundle_check` verifies one.
"""

from __future__ import annotations

import base64
import hashlib
from typing import Any

import msgspec

from eventstore import canonical
from pbem.engine.rules.findings import PUBLIC
from pbem.engine.rules.refusals import Objection, Unreadable
from pbem.engine.text.messages import say
from pbem.matches.history import export as exports
from pbem.matches.server import Server

FORMAT = 1


class Bundle(msgspec.Struct):
    """A bundle as read. Nothing in it is trusted until it is verified."""

    server: str
    campaign: str
    viewer: str
    export: bytes
    battles: dict[str, bytes]
    trailer: dict[str, Any]
    format: int = FORMAT


class _Header(msgspec.Struct, forbid_unknown_fields=True):
    format: int
    server: str
    campaign: str
    viewer: str


class _Content(msgspec.Struct, forbid_unknown_fields=True):
    id: str
    content: str

    def decode(self) -> bytes:
        found = base64.b64decode(self.content, validate=True)
        if base64.b64encode(found).decode() != self.content:
            raise ValueError("the content is not canonical base64")
        return found


class _Trailer(msgspec.Struct, forbid_unknown_fields=True):
    campaign: str
    viewer: str
    digests: dict[str, str]
    signature: str


def write(server: Server, campaign: str, viewer: str = PUBLIC) -> bytes:
    """The bundle of a campaign as a viewer may see it. The battles are exported in their public form."""
    query = "SELECT match FROM campaign_battles WHERE campaign = ? ORDER BY cast(battle AS INTEGER)"
    matches = [match for (match,) in server.database.execute(query, (campaign,)).fetchall()]
    content = exports.export(server, campaign, viewer)
    lines: list[dict[str, Any]] = [
        {"header": {"format": FORMAT, "server": server.id, "campaign": campaign, "viewer": viewer}},
        {"export": {"id": campaign, "content": _pack(content)}},
    ]
    digests = {campaign: hashlib.sha256(content).hexdigest()}
    for match in matches if is_open(server, campaign) else ():
        content = exports.export(server, match, PUBLIC)
        digests[match] = hashlib.sha256(content).hexdigest()
        lines.append({"battle": {"id": match, "content": _pack(content)}})
    body = {"campaign": campaign, "viewer": viewer, "digests": digests}
    lines.append({"trailer": {**body, "signature": server.signer.sign(body)}})
    return b"".join(canonical(line) + b"\n" for line in lines)


def is_open(server: Server, campaign: str) -> bool:
    """Whether the campaign's battles are open; while it is running, only their commanders can see them."""
    return server.record(f"match/{campaign}").opened is not None


def _pack(content: bytes) -> str:
    return base64.b64encode(content).decode()


def read_bundle(content: bytes) -> Bundle:
    """Read a bundle; a refusal names the first line that cannot be read."""
    bundle: Bundle | None = None
    for number, (kind, body) in enumerate(exports.each_line(content), 1):
        try:
            if bundle is None:
                bundle = _begin(kind, body)
            else:
                _take(bundle, kind, body)
        except (KeyError, TypeError, ValueError, AttributeError, msgspec.MsgspecError) as problem:
            raise _unreadable(number, problem) from problem
    if bundle is None or not bundle.export:
        raise Unreadable("line 1", [Objection("C9", say("this file does not contain a campaign"))])
    return bundle


def _unreadable(number: int, problem: Exception) -> Unreadable:
    return Unreadable(
        f"line {number}",
        [Objection("C9", say("this line does not belong in a campaign bundle ({problem})", problem=problem))],
    )


def _begin(kind: str, body: Any) -> Bundle:
    if kind != "header":
        raise ValueError("the file does not begin with a header")
    said = msgspec.convert(body, _Header)
    return Bundle(said.server, said.campaign, said.viewer, b"", {}, {}, said.format)


def _take(bundle: Bundle, kind: str, body: Any) -> None:
    if bundle.trailer:
        raise ValueError("something follows the trailer")
    if kind == "export":
        said = msgspec.convert(body, _Content)
        if bundle.export or said.id != bundle.campaign:
            raise ValueError("this is not the campaign named in the header")
        bundle.export = said.decode()
    elif kind == "battle":
        said = msgspec.convert(body, _Content)
        if said.id in bundle.battles or said.id == bundle.campaign:
            raise ValueError(f"{said.id} appears twice")
        bundle.battles[said.id] = said.decode()
    elif kind == "trailer":
        msgspec.convert(body, _Trailer)
        bundle.trailer = {**body}
    else:
        raise ValueError(f"unknown kind of line: {kind}")

"""Answers as stored bytes, packed once and sent often. What they are made from says how long they hold."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable

import msgspec
from flask import Response, current_app, g, request, session
from flask.typing import ResponseReturnValue

from pbem.web.looking import Kept, the_house

MOST_PAGES = 256


class Stored(msgspec.Struct, frozen=True):
    """Content in both forms in which a browser may want it. `tag` names it in caches; without one none keeps it."""

    plain: bytes
    packed: bytes
    tag: str


def store(content: bytes, tag: str = "") -> Stored:
    return Stored(content, gzip.compress(content, 6, mtime=0), tag)


def send(stored: Stored, kind: str) -> ResponseReturnValue:
    """The stored bytes, packed if the browser can unpack; only a header if it has them already."""
    packed = "gzip" in request.headers.get("Accept-Encoding", "")
    response = Response(stored.packed if packed else stored.plain, mimetype=kind)
    if packed:
        response.headers["Content-Encoding"] = "gzip"
    response.headers["Vary"] = "Accept-Encoding"
    if stored.tag:
        response.set_etag(stored.tag + ("-gz" if packed else ""))
    return response.make_conditional(request) if "If-None-Match" in request.headers else response


class Page(msgspec.Struct, frozen=True):
    """A page and the streams of events that it was made from, each with its length then."""

    stored: Stored
    made_from: tuple[tuple[str, int], ...]


def page(streams: Callable[[], Iterable[str]], render: Callable[[], str]) -> ResponseReturnValue:
    """A page for one session: the stored one if no event was added to the streams that it tells of.

    A page carries the session's token against forged forms, so nobody gets that of another.
    """
    pages: Kept[Page] = current_app.extensions["pbem"]["pages"]
    account = g.account.id if g.account is not None else ""
    key = (request.full_path, account, session.get("csrf_token"))
    found = None if "_flashes" in session else pages.get(key)
    if found is None or any(the_house().store.version(stream) != length for stream, length in found.made_from):
        has_news = "_flashes" in session
        lengths = tuple((stream, the_house().store.version(stream)) for stream in streams())
        found = Page(store(render().encode()), lengths)
        if not has_news:
            pages.put((request.full_path, account, session.get("csrf_token")), found)
    return send(found.stored, "text/html")

"""Responses as stored bytes, compressed once and sent often.

They stay valid as long as their sources do not change.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

import msgspec
from flask import Response, current_app, g, request, session
from flask.typing import ResponseReturnValue

from pbem.web.http.viewer import Kept, the_server

T = TypeVar("T")

MOST_PAGES = 256
MOST_SCENARIOS = 4096


class Stored(msgspec.Struct, frozen=True):
    """Content in compressed form. `tag` identifies it in caches; without a tag it is not cached."""

    packed: bytes
    tag: str

    @property
    def plain(self) -> bytes:
        """The content, decompressed each time, because many pages are stored and few are ever sent in this form."""
        return gzip.decompress(self.packed)


def store(content: bytes, tag: str = "") -> Stored:
    return Stored(gzip.compress(content, 5, mtime=0), tag)


def send(stored: Stored, kind: str) -> ResponseReturnValue:
    """Send the stored bytes, compressed if the browser accepts that, or only a header if it already has them."""
    packed = "gzip" in request.headers.get("Accept-Encoding", "")
    response = Response(stored.packed if packed else stored.plain, mimetype=kind)
    if packed:
        response.headers["Content-Encoding"] = "gzip"
    response.headers["Vary"] = "Accept-Encoding"
    if stored.tag:
        response.set_etag(stored.tag + ("-gz" if packed else ""))
    return response.make_conditional(request) if "If-None-Match" in request.headers else response


class Made(msgspec.Struct, Generic[T], frozen=True):
    """A value made from event streams, with the length that each stream had at that time."""

    value: T
    streams: tuple[str, ...]
    lengths: list[int]

    def holds(self) -> bool:
        """Whether no event has been added to any of the streams since the page was built."""
        return the_server().store.versions(self.streams) == self.lengths


def build_page(streams: Iterable[str], make: Callable[[], T]) -> Made[T]:
    """Build a page; the streams' lengths are noted first, so that events added in the meantime are noticed.

    The names may come from a record that was read before, and loading a match can take seconds. So everything is
    read again after the lengths; otherwise the page could show an older state and pass for the newest one.
    """
    names, server = tuple(streams), the_server()
    lengths = server.store.versions(names)
    server.look_again()
    return Made(make(), names, lengths)


def page(
    streams: Callable[[], Iterable[str]], render: Callable[[], str], besides: object = None
) -> ResponseReturnValue:
    """Return a page for one session: the stored one if no event was added to its streams.

    A page carries the session's CSRF token, so it is never given to another session. `besides` identifies the
    state of everything else that the page shows.
    """
    pages: Kept[Made[Stored]] = current_app.extensions["pbem"]["pages"]
    has_news = "_flashes" in session
    found = None if has_news else pages.get((*_key(), besides))
    if found is None or not found.holds():
        found = build_page(streams(), lambda: store(render().encode()))
        if not has_news:
            pages.put((*_key(), besides), found)  # the session may have got its token only now
    return send(found.value, "text/html")


def _key() -> tuple[str, str, str | None]:
    account = g.account.id if g.account is not None else ""
    return (request.full_path, account, session.get("csrf_token"))

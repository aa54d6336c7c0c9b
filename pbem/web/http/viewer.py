"""Find out who is looking at a match, and whose view of it they get: a seat's, the game master's or the public's.

Everything that leaves the server is made from a viewer's view.
"""

from __future__ import annotations

import hashlib
import logging
import threading
from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from typing import Any, Generic, NoReturn, ParamSpec, TypeVar

import msgspec
from flask import abort, current_app, g, redirect, request, url_for
from flask.typing import ResponseReturnValue

from eventstore import StoreTrouble
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import MASTER, PUBLIC
from pbem.engine.text.messages import Message, say
from pbem.matches.accounts.accounts import Account
from pbem.matches.history import final_views
from pbem.matches.history.final_views import KeptRules
from pbem.matches.history.record import Record
from pbem.matches.history.replay import Position, fingerprint_of, load, record_of, stream_of
from pbem.matches.server import Server

P = ParamSpec("P")
T = TypeVar("T")

log = logging.getLogger("pbem.web")

KEPT_LOOKS = 128


def the_server() -> Server:
    server: Server = current_app.extensions["pbem"]["server"]
    return server


def not_found(what: Message) -> NoReturn:
    abort(404, what)


class Kept(Generic[T]):
    """A cache shared by all threads; the least recently used entry is dropped first."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._kept: OrderedDict[Any, T] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Any) -> T | None:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def put(self, key: Any, value: T) -> T:
        with self._lock:
            self._kept[key] = value
            while len(self._kept) > self.most:
                self._kept.popitem(last=False)
        return value


class Look(msgspec.Struct, frozen=True):
    """What a viewer sees of a match, now or after an earlier exchange.

    `seat` is empty for visitors without one. `viewer` is the seat or the public; once the match is over its parts
    are open and everyone sees what the game master sees, unless they choose another viewpoint."""

    match: str
    seat: str
    seats: list[str]
    viewer: str
    position: Position
    view: Any
    mark: str
    """The hash of the view: it identifies what this viewer sees, and nothing else."""
    over: bool = False

    @property
    def ask(self) -> Ask | None:
        """Return the open ask of the viewer's seat."""
        return self.position.run.ask_of(self.seat) if self.seat in self.position.asked else None

    @property
    def is_own(self) -> bool:
        """Whether the viewpoint is a seat of the reader, who may be called “you”."""
        return self.viewer in self.seats

    @property
    def others(self) -> list[str]:
        """Return the viewpoints from which an ended match can be seen."""
        return [MASTER, *self.position.record.seats, PUBLIC] if self.over else []


def look(match: str, *, after: int | None = None, live: bool = False) -> Look:
    """The match as the signed-in account may see it; `after` an exchange, or now.

    An ended match is shown as it was stored, unless a `live` position is wanted.
    """
    now = position_of(match, live=live)
    seats = own_seats(now, g.account)
    check_closed(now.record, seats)
    wanted = request.values.get("seat", "")
    seat = wanted if wanted in seats else seats[0] if seats else ""
    viewer = viewer_of(now, seat)
    position = now if after is None else position_of(match, resolved_version(now, after))
    view, mark = view_of(position, viewer)
    return Look(match, seat, seats, viewer, position, view, mark, now.record.opened is not None)


def check_closed(record: Record, seats: list[str]) -> None:
    """Refuse the page of a running campaign's battle to anyone but its players and its game master."""
    account = g.account.id if g.account else ""
    if record.is_closed and not seats and account != (record.created.master or None):
        abort(
            403,
            say("This battle belongs to a running campaign. Everyone can read it when the campaign is over."),
        )


def viewer_of(position: Position, seat: str) -> str:
    if position.record.opened is None:
        return seat or PUBLIC
    wanted = request.args.get("as", MASTER)
    return wanted if wanted in (*position.record.seats, PUBLIC) else MASTER


def position_of(match: str, version: int | None = None, *, live: bool = False) -> Position:
    """The position of a match, now or after an earlier event; cached until an event is appended."""
    server, kept = the_server(), current_app.extensions["pbem"]["positions"]
    newest = server.store.version(stream_of(match))
    if not newest:
        not_found(say("No match has this name."))
    live = live or version is not None
    found: Position | None = kept.get((match, newest if version is None else version, live))
    if found is None:
        found = load_unless_halted(match, version) if live else ended_position(match) or load_unless_halted(match)
        kept.put((match, found.record.version, live), found)  # an event may have been appended in the meantime
    return found


def ended_position(match: str) -> Position | None:
    """Return the stored final position; None if the match is running, or nothing is stored and it can be replayed."""
    server = the_server()
    record = record_of(server, match)
    found = final_views.kept_position(server, match, record)
    if found is not None or record.ended is None:
        return found
    try:
        return load(server, match)
    except (StoreTrouble, OSError):
        raise
    except Exception:
        log.warning("match %s has ended and no longer replays; its reports are shown without a map", match)
        return final_views.bare_position(server, match, record)


def load_unless_halted(match: str, version: int | None = None) -> Position:
    """Return the position; a match whose past cannot be replayed has no position to show."""
    server = the_server()
    try:
        return load(server, match, upto=version)
    except (StoreTrouble, OSError):
        raise
    except Exception:
        record = record_of(server, match)
        title = record.created.title
        if record.ended is not None:
            abort(503, say("The turns of this match can no longer be replayed. Its reports can still be read."))
        if title not in server.titles:
            abort(
                503,
                say(
                    "The title {title} is not available on this server at the moment. Orders and dice are safe.",
                    title=title,
                ),
            )
        if not record.halted:
            raise
        abort(503, say("This match is halted until its rules are fixed. Orders and dice are safe."))


def view_of(position: Position, viewer: str) -> tuple[Any, str]:
    """A viewer's view of a position, and the hash that identifies it."""
    kept = current_app.extensions["pbem"]["views"]
    is_kept = isinstance(position.rules, KeptRules)
    key = (position.match, position.record.version, viewer, is_kept)
    found: tuple[Any, str] | None = kept.get(key)
    if found is None:
        view = position.run.view(viewer)
        found = kept.put(key, (view, view_mark(the_server(), position, viewer, view)))
    return found


def own_seats(position: Position, account: Account | None) -> list[str]:
    """The seats of an account, in the order in which the title lists them."""
    if account is None:
        return []
    taken = position.record.occupants
    return [seat for seat in position.record.seats if taken.get(seat, {}).get("account") == account.id]


def resolved_version(position: Position, exchange: int) -> int:
    entry = position.record.exchange(exchange)
    if entry is None or entry.resolved is None:
        not_found(say("No resolved exchange has this number."))
    return entry.resolved.version


def view_mark(server: Server, position: Position, viewer: str, view: Any) -> str:
    """The hash of a view and of the code that draws it; it identifies pictures and answers in caches."""
    code = "kept" if isinstance(position.rules, KeptRules) else fingerprint_of(server, position.record)
    content = msgspec.json.encode([code, viewer, view], order="deterministic")
    return hashlib.sha256(content).hexdigest()[:32]


def signed_in(act: Callable[P, ResponseReturnValue]) -> Callable[P, ResponseReturnValue]:
    """Require an account; other visitors are sent to the sign-in page."""

    @wraps(act)
    def checked(*args: P.args, **kwargs: P.kwargs) -> ResponseReturnValue:
        if g.account is None:
            return redirect(url_for("door.sign_in"), 303)
        return act(*args, **kwargs)

    return checked


def seat_required(act: Callable[[Look], ResponseReturnValue]) -> Callable[[str], ResponseReturnValue]:
    """Require a player of the match; the function gets the match as they see it."""

    @wraps(act)
    def checked(match: str) -> ResponseReturnValue:
        found = look(match)
        if not found.seat:
            abort(403, say("Only players of this match may do that."))
        return act(found)

    return checked

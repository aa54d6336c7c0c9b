"""Who looks at a match, and as which viewer. Everything that leaves the server is made from a viewer's view."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import wraps
from typing import Any, NoReturn, ParamSpec, TypeVar

import msgspec
from flask import abort, current_app, g, redirect, request, url_for
from flask.typing import ResponseReturnValue

from pbem.engine.findings import PUBLIC
from pbem.matches.accounts import Account
from pbem.matches.house import House
from pbem.matches.position import Position, fingerprint_of, load

P = ParamSpec("P")
T = TypeVar("T")


def the_house() -> House:
    house: House = current_app.extensions["pbem"]["house"]
    return house


def not_found(what: str) -> NoReturn:
    abort(404, f"There is no {what} here.")


class Look(msgspec.Struct, frozen=True):
    """One viewer's look at a match, now or after an earlier exchange. `seat` is empty for the public."""

    match: str
    seat: str
    seats: list[str]
    position: Position
    view: Any
    mark: str
    """The hash of the view: names what this viewer sees, and nothing that he does not."""

    @property
    def viewer(self) -> str:
        return self.seat or PUBLIC


def look(match: str, *, after: int | None = None) -> Look:
    """The match as the signed-in account may see it; `after` an exchange, or now."""
    house = the_house()
    try:
        position = load(house, match)
    except KeyError:
        not_found("match of this name")
    seats = own_seats(position, g.account)
    wanted = request.values.get("seat", "")
    seat = wanted if wanted in seats else seats[0] if seats else ""
    if after is not None:
        position = load(house, match, upto=resolved_version(position, after))
    view = position.run.view(seat or PUBLIC)
    return Look(match, seat, seats, position, view, view_mark(house, position, seat or PUBLIC, view))


def own_seats(position: Position, account: Account | None) -> list[str]:
    """The seats of an account, in the order of the title."""
    if account is None:
        return []
    taken = position.record.occupants
    return [seat for seat in position.record.seats if taken.get(seat, {}).get("account") == account.id]


def resolved_version(position: Position, exchange: int) -> int:
    entry = position.record.exchange(exchange)
    if entry is None or entry.resolved is None:
        not_found("resolved exchange of this number")
    return entry.resolved.version


def view_mark(house: House, position: Position, viewer: str, view: Any) -> str:
    """The hash of a view, under the code that draws it: names pictures and answers in caches."""
    content = msgspec.json.encode([fingerprint_of(house, position.record), viewer, view], order="deterministic")
    return hashlib.sha256(content).hexdigest()[:32]


def signed_in(act: Callable[P, ResponseReturnValue]) -> Callable[P, ResponseReturnValue]:
    """Only for somebody with an account; others are led to the door."""

    @wraps(act)
    def checked(*args: P.args, **kwargs: P.kwargs) -> ResponseReturnValue:
        if g.account is None:
            return redirect(url_for("door.sign_in"), 303)
        return act(*args, **kwargs)

    return checked


def seat_required(act: Callable[[Look], ResponseReturnValue]) -> Callable[[str], ResponseReturnValue]:
    """Only for an occupant of the match; the act gets his look."""

    @wraps(act)
    def checked(match: str) -> ResponseReturnValue:
        found = look(match)
        if not found.seat:
            abort(403, "Only somebody who sits in this match may do that.")
        return act(found)

    return checked

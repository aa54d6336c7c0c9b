"""Privilege on record: the acts of operators, directors and game masters beyond playing, in a separate stream.

Their sign-ins (never those of players), exports with hidden parts and restores are events of the stream `privilege`;
appointments of operators, and holds of the whole server, are in the server's own stream. The players of a match can
read what concerns it; what a game master looks at and does is in the log of the match itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from pbem.matches import health, summaries
from pbem.matches.clock import deadlines
from pbem.matches.events import OperatorActed, OperatorDismissed, OperatorNamed, PrivilegeUsed, each
from pbem.matches.history.record import Record
from pbem.matches.server import Server

STREAM = "privilege"
OPERATOR, DIRECTOR, MASTER = "operator", "director", "game master"


class Use(msgspec.Struct, frozen=True):
    """One use of a privilege. `match` is the match concerned, or empty for all matches."""

    at: int
    by: str
    role: str
    what: str
    match: str = ""


def note(server: Server, by: str, role: str, what: str, match: str = "") -> None:
    """Record the use of a privilege."""
    with server.store.transaction("privilege") as transaction:
        transaction.append(STREAM, [PrivilegeUsed(by, role, what, match).new()], expected=transaction.version(STREAM))


def note_sign_in(server: Server, account: str, roles: Iterable[str] = ()) -> None:
    """Record the sign-in of a privileged account; `roles` are further roles that the caller knows of."""
    found = [*roles]
    if account in health.operators(server):
        found.append(OPERATOR)
    if summaries.mastered_matches(server, account):
        found.append(MASTER)
    for role in found:
        note(server, account, role, "signed in")


def uses(server: Server, record: Record) -> list[Use]:
    """Return the uses that concern a match, newest first: operators' acts, and sign-ins of its game master."""
    match, master = record.stream.removeprefix("match/"), record.created["master"]
    found = list(_on_the_server(server))
    for event, said in each(server.store.read(STREAM), PrivilegeUsed):
        mine = said.match == match or (not said.match and said.role != MASTER)
        if mine or (said.role == MASTER and said.by == master):
            found.append(Use(event.recorded_at, said.by, said.role, said.what, said.match))
    return sorted(found, key=lambda use: use.at)[::-1]


ACTS = {"hold": "held the server", "release": "released the server"}


def _on_the_server(server: Server) -> Iterator[Use]:
    """Yield the uses that concern all matches: changes of operators, and operators' acts on the whole server."""
    for event, said in each(deadlines.server_events(server), OperatorNamed, OperatorDismissed, OperatorActed):
        match said:
            case OperatorNamed():
                yield Use(event.recorded_at, said.account, OPERATOR, "became an operator")
            case OperatorDismissed():
                yield Use(event.recorded_at, said.account, OPERATOR, "is no longer an operator")
            case OperatorActed():
                what = f"{ACTS.get(said.act, said.act)}: {said.why}".removesuffix(": ")
                yield Use(event.recorded_at, said.by, OPERATOR, what)

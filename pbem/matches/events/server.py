"""The server itself: holds, outages, backups, operators."""

from __future__ import annotations

from pbem.matches.events.base import PrivilegeEvent, ServerEvent, event


@event("server.held")
class ServerHeld(ServerEvent, frozen=True):
    """Nothing closes in any match until the release."""

    why: str


@event("server.released")
class ServerReleased(ServerEvent, frozen=True, forbid_unknown_fields=False):
    """Exchanges close again, and deadlines have moved by the time since the hold."""

    since: int = 0


@event("server.outage")
class ServerOutage(ServerEvent, frozen=True, omit_defaults=True):
    """The server was down or its clock was changed between two heartbeats, so deadlines are moved.

    `jump` is how far the clock was changed, and `gap` is how long nobody watched it. If neither is given, nobody
    watched the clock from `since` to `until`.
    """

    since: int
    until: int
    why: str
    jump: int | None = None
    gap: int | None = None


@event("backup.made")
class BackupMade(ServerEvent, frozen=True):
    """A backup was made."""


@event("operator.named")
class OperatorNamed(ServerEvent, frozen=True):
    """An account became an operator of the server."""

    account: str


@event("operator.dismissed")
class OperatorDismissed(ServerEvent, frozen=True):
    """An account is no longer an operator of the server."""

    account: str


@event("operator.acted")
class OperatorActed(ServerEvent, frozen=True, omit_defaults=True):
    """An operator acted on the whole server."""

    by: str
    act: str
    why: str = ""


@event("press.reported")
class PressReported(ServerEvent, frozen=True):
    """A player reported a message to the operators. `letter` is its version in the match, `seat` the reader's."""

    match: str
    letter: int
    by: str
    sender: str
    seat: str
    why: str


@event("report.closed")
class ReportClosed(ServerEvent, frozen=True):
    """An operator dealt with a report."""

    report: int
    by: str
    why: str


@event("press.banned")
class PressBanned(ServerEvent, frozen=True):
    """An operator barred an account from sending messages."""

    account: str
    by: str
    why: str


@event("press.allowed")
class PressAllowed(ServerEvent, frozen=True):
    """An account may send messages again."""

    account: str
    by: str
    why: str


@event("privilege.used")
class PrivilegeUsed(PrivilegeEvent, frozen=True, omit_defaults=True):
    """An operator, a director or a game master used a privilege; `match` is the match concerned, if it is one."""

    by: str
    role: str
    what: str
    match: str = ""

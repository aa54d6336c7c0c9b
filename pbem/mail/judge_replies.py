"""Replies of judges: the members of a panel vote on its dispute with one line, `rule 1: upheld: why`.

Every email to a member carries a code for the match, the dispute, the panel and the member. It is valid as long
as that panel decides, and only in an email from one of the member's own addresses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from pbem.engine.rules.refusals import Objection, Refusal, Unreadable
from pbem.engine.text.messages import Message, say
from pbem.mail.master_replies import DECISION, paragraph, verdict_in
from pbem.matches.accounts import accounts
from pbem.matches.events import PanelNamed, each
from pbem.matches.history.record import Record
from pbem.matches.history.replay import record_of
from pbem.matches.post import inbox, reply_tokens
from pbem.matches.post.reply_tokens import Token
from pbem.matches.rulings import panels
from pbem.matches.server import Server

if TYPE_CHECKING:
    from pbem.mail.inbound.handle import Case

PLACES = 16
"""The number of members that a code can distinguish; a panel has fewer."""
PANELS = 2**16


class Named(msgspec.Struct, frozen=True):
    """The panel of a dispute, and the event that named it."""

    version: int
    members: list[str]


def panel_of(record: Record, number: int) -> Named | None:
    """Return the newest panel of a dispute."""
    found = [(event, one) for event, one in each(record.events, PanelNamed) if one.number == number]
    return Named(found[-1][0].version, found[-1][1].members) if found else None


def token_for(server: Server, match: str, number: int, account: str) -> str:
    """Return the code with which a member votes by reply; empty for an account that is not on the panel."""
    named = panel_of(record_of(server, match), number)
    if named is None or account not in named.members:
        return ""
    place = number * PLACES + named.members.index(account)
    return reply_tokens.make(server, use="judge", match=match, number=place, occupancy=named.version % PANELS)


def member_of(record: Record, token: Token) -> tuple[int, str]:
    """Return the dispute and member that a code names; the member is empty if the panel has changed since."""
    number, place = divmod(token.number, PLACES)
    named = panel_of(record, number)
    if named is None or named.version % PANELS != token.occupancy or place >= len(named.members):
        return number, ""
    return number, named.members[place]


def cast_vote(server: Server, match: str, number: int, by: str, text: str) -> Message:
    """Vote as the first line of a reply says; return what was done, in words."""
    lines = [line.strip() for line in text.splitlines()]
    while lines and not lines[0]:
        lines.pop(0)
    found = DECISION.match(lines[0]) if lines else None
    example = f"rule {number}: upheld: why"
    if found is None or found["word"].lower() != "rule" or int(found["number"]) != number:
        why = say("write your vote on one line that begins in one of these ways")
        raise Unreadable((lines or [""])[0][:60], [Objection("pbem/panel", why)], [example])
    verdict, reasons = verdict_in("\n".join([found["text"], *paragraph(lines[1:])]).strip(), example)
    decided = panels.vote(server, match, number, verdict, reasons, by=by)
    if not decided:
        return say(
            "Your vote on dispute {number} has been counted. You will get an email when the panel has decided.",
            number=number,
        )
    if verdict == "upheld":
        return say(
            "Your vote has been counted, and dispute {number} is decided: upheld. All players are notified.",
            number=number,
        )
    return say(
        "Your vote has been counted, and dispute {number} is decided: dismissed. All players are notified.",
        number=number,
    )


def reply(case: Case, token: Token) -> None:
    """Handle a judge's reply: count or refuse its one vote, and answer it."""
    from pbem.mail.inbound import handle

    server, match = case.server, token.match
    number, member = member_of(record_of(server, match), token)
    if not member:
        return handle.without_token(case)
    account = accounts.account(server, member)
    if inbox.is_repeated(server, case.mail.id, account.id, case.letter.message_id, case.letter.digest):
        return handle.finish(case, inbox.REPEATED, "the same mail came before", account=account.id)
    about: dict[str, Any] = {"judge": number}
    if doubt := handle.foreign(case.letter, account):
        about["text"] = say(
            "Nothing was done: {doubt}. Write from your own address, or vote on the page of the dispute.", doubt=doubt
        )
        return handle.answer(case, "master-answer", inbox.REFUSED, str(doubt), account, about, match=match)
    try:
        about["text"], state = cast_vote(server, match, number, account.id, case.letter.text), inbox.APPLIED
    except Refusal as refusal:
        about["text"], state = say("Nothing has changed: {problem}", problem=refusal.message), inbox.REFUSED
    return handle.answer(case, "master-answer", state, "", account, about, match=match)

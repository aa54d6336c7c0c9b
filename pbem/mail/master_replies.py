"""Replies from game masters, with one request in the first line.

The requests are grant, extend, pause, go on, hold, release, answer and rule. The reply address of every email to a
game master carries a token for the match. It is valid for the account that is game master when the reply arrives,
from one of its own addresses; everything it does is recorded as their act.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from pbem.engine.rules.refusals import Objection, Refusal, Unreadable
from pbem.engine.text.messages import Message, say, say_n
from pbem.matches.accounts import accounts
from pbem.matches.clock import extensions
from pbem.matches.history.replay import record_of
from pbem.matches.post import inbox, reply_tokens
from pbem.matches.post.reply_tokens import Token
from pbem.matches.rulings import powers
from pbem.matches.server import Server

if TYPE_CHECKING:
    from pbem.mail.inbound.handle import Case

REQUESTS = (
    "grant",
    "extend 24 hours",
    "pause 3 days",
    "go on",
    "answer 1: the shot was legal",
    "rule 1: dismissed: why",
)
USUAL_PAUSE = 7
BY_MAIL = "by email"


def token_for(server: Server, match: str) -> str:
    """Return the token that lets the game master of a match answer emails about it."""
    return reply_tokens.make(server, use="master", match=match)


def carry_out(server: Server, match: str, by: str, text: str) -> Message:
    """Carry out the first line of a reply; return what was done, in words."""
    lines = [line.strip() for line in text.splitlines()]
    while lines and not lines[0]:
        lines.pop(0)
    first = lines[0] if lines else ""
    for pattern, act in ACTS:
        if found := pattern.fullmatch(first.rstrip(".!")):
            return act(server, match, by, found)
    if found := DECISION.match(first):
        rest = "\n".join([found["text"], *paragraph(lines[1:])]).strip()
        return _decide(server, match, by, int(found["number"]), rest, ruled=found["word"].lower() == "rule")
    raise Unreadable(
        first[:60], [Objection("pbem/master", say("this is not a request that the server understands"))], REQUESTS
    )


def paragraph(lines: list[str]) -> list[str]:
    """The lines up to the first empty one; anything after it is a signature or a quotation."""
    return lines[: lines.index("")] if "" in lines else lines


def _grant(server: Server, match: str, by: str, found: re.Match[str]) -> Message:
    asked = extensions.standing(record_of(server, match))
    if not asked:
        raise Unreadable("grant", [Objection("pbem/master", say("no player has asked for more time"))], REQUESTS[1:3])
    hours = max(one.hours for one in asked)
    powers.extend(server, match, hours=hours, why="granted by email", by=by)
    return more_time(hours)


def _extend(server: Server, match: str, by: str, found: re.Match[str]) -> Message:
    hours = int(found["number"]) * (24 if found["unit"].lower().startswith("d") else 1)
    powers.extend(server, match, hours=hours, why=BY_MAIL, by=by)
    return more_time(hours)


def more_time(hours: int) -> Message:
    return say_n("All players have {n} more hour.", "All players have {n} more hours.", n=hours)


def _pause(server: Server, match: str, by: str, found: re.Match[str]) -> Message:
    days = int(found["number"] or USUAL_PAUSE)
    powers.pause(server, match, days=days, why=BY_MAIL, by=by)
    return say_n(
        'The clock is stopped for {n} day, or until you send "go on".',
        'The clock is stopped for {n} days, or until you send "go on".',
        n=days,
    )


def _go_on(server: Server, match: str, by: str, found: re.Match[str]) -> Message:
    powers.go_on(server, match, why=BY_MAIL, by=by)
    return say("The clock is running again.")


def _hold(server: Server, match: str, by: str, found: re.Match[str]) -> Message:
    powers.hold(server, match, why=BY_MAIL, by=by)
    return say('The match is on hold: no turn is played until you send "release".')


def _release(server: Server, match: str, by: str, found: re.Match[str]) -> Message:
    powers.release(server, match, why=BY_MAIL, by=by)
    return say("The match continues; its deadline has been postponed by the length of the hold.")


def _decide(server: Server, match: str, by: str, number: int, text: str, *, ruled: bool) -> Message:
    verdict, text = verdict_in(text, REQUESTS[-1]) if ruled else ("", text)
    powers.settle(server, match, number=number, answer=text, verdict=verdict, by=by)
    if not verdict:
        return say("Dispute {number} is decided. All players are notified.", number=number)
    if verdict == "upheld":
        return say("Dispute {number} is decided: upheld. All players are notified.", number=number)
    return say("Dispute {number} is decided: dismissed. All players are notified.", number=number)


def verdict_in(text: str, example: str) -> tuple[str, str]:
    """Split `dismissed: why` into the verdict and the reasons; if there are no reasons, repeat the verdict."""
    word, _, rest = text.partition(":" if ":" in text.split("\n")[0] else " ")
    verdict = word.strip().lower()
    if verdict not in ("dismissed", "upheld"):
        why = say("begin with `dismissed` or `upheld`; to correct the position, use the match's page")
        raise Unreadable(word[:40], [Objection("pbem/master", why)], [example])
    return verdict, rest.strip() or word.strip()


Act = Callable[[Server, str, str, re.Match[str]], Message]
DECISION = re.compile(r"(?P<word>answer|rule)\s+(?P<number>\d{1,4})\s*:\s*(?P<text>.*)", re.IGNORECASE)
ACTS: tuple[tuple[re.Pattern[str], Act], ...] = (
    (re.compile(r"grant(ed)?( it)?", re.IGNORECASE), _grant),
    (re.compile(r"extend( by)? (?P<number>\d{1,4}) ?(?P<unit>h|hours?|d|days?)", re.IGNORECASE), _extend),
    (re.compile(r"pause( for)?( (?P<number>\d{1,3}) days?)?", re.IGNORECASE), _pause),
    (re.compile(r"(go on|continue)", re.IGNORECASE), _go_on),
    (re.compile(r"hold", re.IGNORECASE), _hold),
    (re.compile(r"release", re.IGNORECASE), _release),
)


def reply(case: Case, token: Token) -> None:
    """Handle a reply: carry out or refuse its one request, and answer it."""
    from pbem.mail.inbound import handle

    server, match = case.server, token.match
    master = record_of(server, match).created.master
    if not master:
        return handle.without_token(case)
    account = accounts.account(server, master)
    if inbox.is_repeated(server, case.mail.id, account.id, case.letter.message_id, case.letter.digest):
        return handle.finish(case, inbox.REPEATED, "the same mail came before", account=account.id)
    if doubt := handle.foreign(case.letter, account):
        text = say(
            "Nothing was done: {doubt}. Write from your own address, or use the page of the match.", doubt=doubt
        )
        return handle.answer(case, "master-answer", inbox.REFUSED, str(doubt), account, {"text": text}, match=match)
    try:
        done, state = carry_out(server, match, account.id, case.letter.text), inbox.APPLIED
    except Refusal as refusal:
        done, state = say("Nothing has changed: {problem}", problem=refusal.message), inbox.REFUSED
    return handle.answer(case, "master-answer", state, "", account, {"text": done}, match=match)

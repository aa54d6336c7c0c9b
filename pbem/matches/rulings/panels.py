"""A panel decides a dispute by votes: an odd number of accounts that do not play.

    name      the game master names a panel, in a tournament the director; one member is a judge
    vote      a member votes, with reasons; the majority decides, and the deciding vote records the decision
    is_member, may_rule

While a dispute has a panel, only the panel decides it. Once it has upheld the claim, a member or the game master
makes the ruling that puts things right.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.engine.rules.refusals import Illegal, Objection, Unreadable
from pbem.engine.text.messages import Message, say
from pbem.matches import unit_of_work
from pbem.matches.accounts import accounts
from pbem.matches.events import DisputeSettled, DisputeVoted, PanelNamed
from pbem.matches.history.record import Record
from pbem.matches.history.replay import record_of
from pbem.matches.rulings import disputes
from pbem.matches.rulings.disputes import MOST_ANSWER, VERDICTS, Dispute
from pbem.matches.server import Server

PANEL = "panel"
"""The author of a decision made by votes."""
MOST_MEMBERS = 9


def name(server: Server, match: str, number: int, members: Sequence[str], *, by: str, director: bool = False) -> None:
    """Name the panel of an open dispute, or replace it before the first vote."""
    wanted = list(dict.fromkeys(members))

    def act() -> None:
        record = record_of(server, match)
        if not director:
            _check_master(record, by)
        found = _open(record, number)
        if found.votes:
            raise _refuse(say("the panel has already begun to vote"))
        if len(wanted) % 2 == 0 or len(wanted) > MOST_MEMBERS:
            raise _refuse(
                say("a panel must have an odd number of members, at most {most_members}", most_members=MOST_MEMBERS)
            )
        for account in wanted:
            if not accounts.exists(server, account):
                raise _refuse(say("no account is called {account}", account=account))
            if is_seated(record, account):
                raise _refuse(say("{account} plays in this match", account=accounts.account(server, account).name))
        unit_of_work.append(server, record, [PanelNamed(number, wanted, by)], "panel")

    unit_of_work.retry(act)


def vote(server: Server, match: str, number: int, verdict: str, answer: str, *, by: str, rule: str = "") -> bool:
    """Vote on a dispute; return whether this vote decided it."""

    def act() -> bool:
        record = record_of(server, match)
        found = _open(record, number)
        if by not in found.panel:
            raise _refuse(say("only members of its panel can vote on this dispute"))
        if is_seated(record, by):
            raise _refuse(say("you now play in this match; another account must vote"))
        if by in dict(found.votes):
            raise _refuse(say("you have already voted on this dispute"))
        if verdict not in VERDICTS:
            raise Unreadable(
                verdict, [Objection("pbem/panel", say("a dispute is either dismissed or upheld"))], VERDICTS
            )
        if not answer.strip() or len(answer) > MOST_ANSWER:
            why = say("give your reasons in at most {most_answer} characters", most_answer=MOST_ANSWER)
            raise Unreadable("vote", [Objection("pbem/panel", why)])
        votes = [*found.votes, (by, verdict)]
        events: list[Any] = [DisputeVoted(number, by, verdict, answer.strip(), rule.strip())]
        same = [one for _, one in votes if one == verdict]
        decided = 2 * len(same) > len(found.panel)
        if decided:
            against = len(votes) - len(same)
            counted = f"{len(same)} of {len(found.panel)} votes ({against} against)"
            said = f"{verdict.capitalize()} by {counted}. {answer.strip()}"
            rule_of_it = rule.strip() or found.rule
            events.append(DisputeSettled(number, said, PANEL, verdict, rule_of_it))
            events += disputes.time_back(server, record)
        unit_of_work.append(server, record, events, "vote")
        return decided

    return unit_of_work.retry(act)


def is_seated(record: Record, account: str) -> bool:
    """Whether an account plays in the match."""
    return any(taken["account"] == account for taken in record.occupants.values())


def is_member(record: Record, account: str) -> bool:
    """Whether an account is on a panel of this match."""
    return bool(account) and any(account in one.panel for one in disputes.disputes(record))


def may_rule(record: Record, account: str, number: int) -> bool:
    """Whether a panel member may rule: the only member, or any member once the panel has upheld the claim."""
    found = next((one for one in disputes.disputes(record) if one.number == number), None)
    if found is None or account not in found.panel:
        return False
    return len(found.panel) == 1 or found.verdict == "upheld"


def _open(record: Record, number: int) -> Dispute:
    waiting = {one.number: one for one in disputes.disputes(record) if not one.answer}
    if number not in waiting:
        why = [Objection("pbem/panel", say("no dispute with that number is open"))]
        raise Unreadable(str(number), why, [str(one) for one in waiting])
    return waiting[number]


def _check_master(record: Record, by: str) -> None:
    if not by or record.created.master != by or is_seated(record, by):
        raise _refuse(say("only a game master who does not play can name a panel; in a tournament the director does"))


def _refuse(why: Message | str) -> Illegal:
    return Illegal(PANEL, [Objection("pbem/panel", why)])

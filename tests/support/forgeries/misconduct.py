"""Forgeries by a server that signs them with its own key: unauthorised acts, contradictory times and events.

Each forgery changes one of three logs: `disputed` (see `support.forgeries.conduct`), the same log as a tournament
match, or a match that was played to its end. The table gives the log for each forgery, and the code under which both
verifiers must report it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from support.forgeries.conduct import HOUR
from support.forgeries.forging import Lines, events_of, first, insert_before

Forge = Callable[[Lines], None]


# The parties -------------------------------------------------------------------------------------------------


def account(lines: Lines, seat: str) -> str:
    return str(first(lines, "seat.taken", seat=seat)["payload"]["account"])


def master(lines: Lines) -> str:
    return str(events_of(lines)[0]["payload"]["master"])


def last(lines: Lines, type: str) -> dict[str, Any]:
    return [event for event in events_of(lines) if event["type"] == type][-1]


def before(type: str, new: str, **payload: Any) -> Forge:
    """Return a forgery that inserts an event before the last event of a type; functions among the values are
    called."""

    def forge(lines: Lines) -> None:
        said = {name: value(lines) if callable(value) else value for name, value in payload.items()}
        insert_before(lines, last(lines, type), new, **said)

    return forge


def changed(type: str, **payload: Any) -> Forge:
    """Return a forgery that changes the last event of a type."""

    def forge(lines: Lines) -> None:
        said = {name: value(lines) if callable(value) else value for name, value in payload.items()}
        last(lines, type)["payload"].update(said)

    return forge


def then(*steps: Forge) -> Forge:
    def forge(lines: Lines) -> None:
        for step in steps:
            step(lines)

    return forge


def red(lines: Lines) -> str:
    return account(lines, "red")


def deadline(hours: int, **more: Any) -> Forge:
    """Return a forgery that announces the last deadline again before the dispute, this many hours later."""

    def forge(lines: Lines) -> None:
        said = {**last(lines, "deadline.set")["payload"], **more}
        insert_before(
            lines, last(lines, "dispute.opened"), "deadline.set", **{**said, "at": said["at"] + hours * HOUR}
        )

    return forge


# Games with the clock ----------------------------------------------------------------------------------------


def by_way_of_another_exchange(lines: Lines) -> None:
    """Announce a deadline for exchange 99, so that a verifier forgets that of exchange 3, which is then shortened."""
    deadline(0, exchange=99)(lines)
    said = {**first(lines, "deadline.set", exchange=3)["payload"]}
    insert_before(lines, last(lines, "dispute.opened"), "deadline.set", **{**said, "at": said["at"] - 20 * HOUR})


def with_more_grace(lines: Lines) -> None:
    """Move the deadline to an earlier time for players who have sealed; with the grace period it ends as before."""
    deadline(-6, grace=6 * HOUR)(lines)


def without_a_pause(lines: Lines) -> None:
    before("dispute.opened", "master.acted", by=master, act="go on", why="", exchange=3)(lines)
    deadline(-6, cause="pause")(lines)


def longer_than_granted(lines: Lines) -> None:
    last(lines, "deadline.set")["payload"]["at"] += 100 * HOUR


def too_short(lines: Lines) -> None:
    """Set the first deadline of exchange 3 after two hours, although a day was agreed; later deadlines follow it."""
    for event in events_of(lines):
        if event["type"] == "deadline.set" and event["payload"]["exchange"] == 3:
            event["payload"]["at"] -= 22 * HOUR


def accepted_before_it_was_asked(lines: Lines) -> None:
    order = first(lines, "order.sealed", exchange=2)
    order["payload"]["accepted"] = events_of(lines)[0]["recorded_at"] - 1


# Ends --------------------------------------------------------------------------------------------------------


def never_opened(lines: Lines) -> None:
    del last(lines, "match.ended")["payload"]["opened"]


def opened_before_its_round(lines: Lines) -> None:
    events_of(lines)[0]["payload"]["opens"] = "round"


def ended_while_it_asks(lines: Lines) -> None:
    """End the match after exchange 2, although the rules still wait for answers."""
    resolved = first(lines, "exchange.resolved", exchange=2)
    following = events_of(lines)[resolved["version"]]
    outcome = {"winner": "blue", "rule": "1", "why": "because"}
    events_of(lines)[0]["payload"]["opens"] = "round"
    insert_before(lines, following, "match.ended", outcome=outcome, exchange=2)


def won_by_who_gave_up(lines: Lines) -> None:
    """Record red, who resigns, as the winner."""
    seat = {"seat": "red", "account": red(lines), "occupancy": 1, "exchange": 3}
    outcome = {"winner": "red", "rule": "pbem/resigned", "why": "red has resigned"}
    insert_before(lines, last(lines, "dispute.opened"), "seat.resigned", **seat)
    events_of(lines)[0]["payload"]["opens"] = "round"
    insert_before(lines, last(lines, "dispute.opened"), "match.ended", outcome=outcome, exchange=2)


def drawn_by_one(lines: Lines) -> None:
    seat = {"seat": "red", "account": red(lines), "occupancy": 1, "exchange": 3}
    outcome = {"winner": None, "rule": "pbem/drawn", "why": "all players have agreed on a draw"}
    insert_before(lines, last(lines, "dispute.opened"), "draw.offered", **seat)
    events_of(lines)[0]["payload"]["opens"] = "round"
    insert_before(lines, last(lines, "dispute.opened"), "match.ended", outcome=outcome, exchange=2)


def withheld(name: str) -> Forge:
    """Return a forgery that claims a part was erased, although nobody could have erased it."""

    def forge(lines: Lines) -> None:
        refs = [ref["commitment"] for event in events_of(lines) for ref in event["parts"] if ref["name"] == name]
        there = [line for line in lines if line.get("part", {}).get("commitment") == refs[0]]
        lines.remove(there[0])
        lines[-1]["trailer"]["erased"] = [refs[0]]

    return forge


def read_by_the_other_side(lines: Lines) -> None:
    """Make red's sealed orders readable by blue."""
    first(lines, "order.sealed", seat="red")["parts"][0]["audience"] = "blue"


def a_part_too_many(lines: Lines) -> None:
    order = first(lines, "order.sealed", seat="red")
    order["parts"].append({"name": "hint", "audience": "blue", "commitment": "00" * 32})


def reopened_before_the_result(lines: Lines) -> None:
    """Reopen a closed exchange before its result is recorded, as if its dice did not please the server."""
    resolved = first(lines, "exchange.resolved", exchange=3)
    insert_before(lines, resolved, "ruling.reopened", after=2, reason="because", by=master(lines))
    remove_after(lines, resolved)


def remove_after(lines: Lines, event: dict[str, Any]) -> None:
    """Cut the log off before this event."""
    at = next(index for index, line in enumerate(lines) if line.get("event") is event)
    gone = [line for line in lines[at:] if "event" in line]
    refs = {ref["commitment"] for line in gone for ref in line["event"]["parts"]}
    lines[:] = [line for line in lines if line not in gone and line.get("part", {}).get("commitment", "") not in refs]


def ladder_without_asking_again(lines: Lines) -> None:
    ladder = {**events_of(lines)[0]["payload"]["ladder"], "base": 2}
    insert_before(lines, last(lines, "dispute.opened"), "ladder.started", ladder=ladder, why="restored")


def panelled(verdict: str = "upheld", member: str = "pat") -> Forge:
    """Return a forgery in which a panel of one decides the dispute instead of the game master."""

    def forge(lines: Lines) -> None:
        settled = last(lines, "dispute.settled")
        insert_before(lines, settled, "panel.named", number=1, members=[member], by=master(lines))
        insert_before(lines, settled, "dispute.voted", number=1, by=member, verdict=verdict, answer="x")
        settled["payload"].update(by="panel", verdict=verdict)

    return forge


def judge_sits_down(lines: Lines) -> None:
    """Let a member of the panel take a seat, and then vote on their own match."""
    panelled()(lines)
    voted = last(lines, "dispute.voted")
    insert_before(lines, voted, "substitute.named", account="pat")
    insert_before(lines, voted, "seat.left", seat="red", why="handed over", by=red(lines))
    insert_before(lines, voted, "seat.taken", seat="red", account="pat")


def master_sits_down(lines: Lines) -> None:
    """Let the game master take a seat in the running match, and then decide the dispute."""
    settled = last(lines, "dispute.settled")
    insert_before(lines, settled, "substitute.named", account=master(lines))
    insert_before(lines, settled, "seat.left", seat="blue", why="handed over", by=account(lines, "blue"))
    insert_before(lines, settled, "seat.taken", seat="blue", account=master(lines))


def master_looks_and_plays(lines: Lines) -> None:
    master_sits_down(lines)
    insert_before(lines, last(lines, "dispute.settled"), "master.looked", by=master(lines), what="everything")


def proposal_of_who_has_left(lines: Lines) -> None:
    """Let the proposal of an auditor stand, although red's new occupant has not agreed to it."""
    opened = last(lines, "dispute.opened")
    insert_before(lines, opened, "auditor.proposed", seat="red", account="eve")
    insert_before(lines, opened, "substitute.named", account="cid")
    insert_before(lines, opened, "seat.left", seat="red", why="handed over", by=red(lines))
    insert_before(lines, opened, "seat.taken", seat="red", account="cid")
    insert_before(lines, opened, "auditor.proposed", seat="blue", account="eve")
    insert_before(lines, opened, "auditor.named", account="eve", by="sides")


def doctrine(seat: str, *parts: str) -> Forge:
    """Return a forgery that sets standing orders for a seat."""

    def forge(lines: Lines) -> None:
        new = insert_before(lines, last(lines, "dispute.opened"), "doctrine.set", seat=seat)
        new["parts"] = [{"name": name, "audience": seat, "commitment": "00" * 32} for name in parts]

    return forge


def given_up_elsewhere(lines: Lines) -> None:
    settled = last(lines, "dispute.settled")
    seat = {"seat": "red", "account": red(lines), "occupancy": 1, "exchange": 9}
    insert_before(lines, settled, "seat.resigned", **seat)


DISPUTED: dict[str, tuple[Forge, str]] = {
    "a deadline moved by way of another exchange": (by_way_of_another_exchange, "deadline-moved"),
    "a deadline for an exchange that is not open": (deadline(0, exchange=99), "deadline-moved"),
    "a deadline that falls earlier, with more grace": (with_more_grace, "deadline-moved"),
    "a clock that goes on without a pause": (without_a_pause, "deadline-moved"),
    "more time than was granted": (longer_than_granted, "deadline-moved"),
    "less time than was agreed on": (too_short, "deadline-moved"),
    "a deadline moved for a whim": (deadline(5, cause="whim"), "deadline-moved"),
    "a deadline moved for a halt that never was": (deadline(5, cause="halt"), "deadline-moved"),
    "a newcomer where there is no campaign": (deadline(5, cause="newcomer"), "deadline-moved"),
    "more time for an empty seat": (
        before("dispute.opened", "extension.granted", seat="green", exchange=3, hours=1, by="right"),
        "deadline-moved",
    ),
    "more time by nobody's word": (
        before("dispute.opened", "extension.granted", seat="blue", exchange=3, hours=1, by="whim"),
        "deadline-moved",
    ),
    "an order accepted before it was asked for": (accepted_before_it_was_asked, "dated"),
    "a deadline missed before it has fallen": (
        before("dispute.opened", "deadline.missed", exchange=3, seats=["red"]),
        "missed",
    ),
    "standing orders for an empty seat": (doctrine("green", "doctrine"), "order-place"),
    "standing orders without a word": (doctrine("red"), "unreadable"),
    "a field that the event does not have": (changed("order.final", hint="x"), "unreadable"),
    "a field of another type": (changed("order.final", seat=["red"]), "unreadable"),
    "an end while the rules still ask": (ended_while_it_asks, "end"),
    "a seat that wins by giving up": (won_by_who_gave_up, "end"),
    "a draw on which one has agreed": (drawn_by_one, "end"),
    "a seat given up in another exchange": (given_up_elsewhere, "end"),
    "a match resumed that was not halted": (before("dispute.opened", "match.resumed"), "sequence"),
    "an act that is none": (
        before("dispute.opened", "master.acted", by=master, act="bribe", why="x"),
        "by-nobody",
    ),
    "an exchange played at once that is not open": (
        before("dispute.opened", "master.acted", by=master, act="process", why="x", exchange=7),
        "by-nobody",
    ),
    "a game master who plays decides a dispute": (master_sits_down, "by-nobody"),
    "a game master who plays looks at hidden things": (master_looks_and_plays, "by-nobody"),
    "a judge who plays": (judge_sits_down, "panel"),
    "an auditor proposed by who has left": (proposal_of_who_has_left, "auditor"),
    "an auditor dismissed who was none": (
        before("dispute.opened", "auditor.dismissed", account="eve", by=red),
        "auditor",
    ),
    "a substitute who plays": (before("dispute.opened", "substitute.named", account=red), "seat"),
    "a dispute about an exchange that was not played": (changed("dispute.opened", exchange=7), "dispute"),
    "a statement on one's own dispute": (
        before("dispute.settled", "dispute.heard", number=1, seat="red"),
        "dispute",
    ),
    "a decision that names a ruling which is none": (changed("dispute.settled", ruling=2), "dispute"),
    "a decision with a verdict of its own": (changed("dispute.settled", verdict="perhaps"), "dispute"),
    "a precedent departed from without a reason": (changed("dispute.settled", departs=["x"]), "dispute"),
    "a ruling after an exchange that was not played": (
        before("dispute.opened", "ruling.reopened", after=7, reason="x", by=master),
        "sequence",
    ),
    "a letter delivered that was never sent": (
        before("dispute.opened", "press.delivered", exchange=3, letter=2),
        "letter",
    ),
    "orders that the other side may read": (read_by_the_other_side, "audience"),
    "a part that the event does not have": (a_part_too_many, "audience"),
    "new dice without asking again": (ladder_without_asking_again, "voided"),
}
"""Forgeries of the disputed match by description, each with the code under which it is named."""

AGAINST_THE_SCORE = {"by": "rule", "winner": "red", "reason": "x", "score": {"red": 1, "blue": 5}, "exchange": 2}

TOURNAMENT: dict[str, tuple[Forge, str]] = {
    "a panel named by a player": (
        before("dispute.settled", "panel.named", number=1, members=["pat"], by=red),
        "by-nobody",
    ),
    "an auditor named by a player": (before("dispute.opened", "auditor.named", account="eve", by=red), "auditor"),
    "an adjudication by a player": (
        before("dispute.opened", "match.adjudicated", by=red, winner="red", reason="x", score={}, exchange=2),
        "by-nobody",
    ),
    "an adjudication against its own score": (
        before("dispute.opened", "match.adjudicated", **AGAINST_THE_SCORE),
        "by-nobody",
    ),
}
"""Forgeries of a tournament's match by description: claims to a director's powers, and a wrong adjudication."""

PLAYED: dict[str, tuple[Forge, str]] = {
    "secrets that are never opened": (never_opened, "end"),
    "secrets opened before their round": (opened_before_its_round, "end"),
    "an end of another exchange": (changed("match.ended", exchange=1), "end"),
    "hidden rolls that are said to be erased": (withheld("secret-rolls"), "part"),
    "an order that counts and is said to be erased": (withheld("order"), "part"),
    "an answer that is said to be erased": (withheld("answer/red"), "part"),
    "an exchange asked again when the server knows its dice": (reopened_before_the_result, "sequence"),
}
"""Forgeries of a match that was played to its end, by description, each with its code."""


def as_tournament(lines: Lines) -> None:
    """Record the match as part of a tournament."""
    events_of(lines)[0]["payload"]["origin"] = {"tournament": "t", "round": 1}


def honest(lines: Lines) -> None:
    """Change nothing."""

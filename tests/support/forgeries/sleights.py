"""Forgeries by a server that signs them with its own key: omissions, missing consequences, and extra time.

The forgeries in `DISPUTED` change the log of `support.forgeries.conduct.disputed`, those in `PLAYED` a match that was
played to its end, and those in `MISSED` a match in which red missed a deadline. Each table gives the code under which
both verifiers report the forgery.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from support.forgeries.conduct import HOUR
from support.forgeries.forging import Lines, events_of, insert_before
from support.forgeries.misconduct import Forge, account, before, changed, deadline, last, master, red, then
from support.seated import Table

from pbem.matches.players import substitutes


def without_part(type: str, name: str, audience: str = "") -> Forge:
    """Return a forgery that removes a part of the last event of a type, for one audience or for all."""

    def forge(lines: Lines) -> None:
        event = last(lines, type)
        for ref in [one for one in event["parts"] if one["name"] == name and audience in ("", one["audience"])]:
            event["parts"].remove(ref)
            lines[:] = [line for line in lines if line.get("part", {}).get("commitment") != ref["commitment"]]

    return forge


def blue(lines: Lines) -> str:
    return account(lines, "blue")


def announced(**more: int) -> Forge:
    """Return a forgery that announces the last deadline again before the dispute, with these amounts added to its
    times."""

    def forge(lines: Lines) -> None:
        said = {**last(lines, "deadline.set")["payload"]}
        changes = {
            name: said.get(name, 0) + value if isinstance(value, int) else value for name, value in more.items()
        }
        insert_before(lines, last(lines, "dispute.opened"), "deadline.set", **{**said, **changes})

    return forge


def act(name: str, **more: Any) -> Forge:
    return before("dispute.opened", "master.acted", by=master, act=name, why="x", **more)


def in_three_days(lines: Lines) -> int:
    return int(last(lines, "dispute.opened")["recorded_at"]) + 72 * HOUR


def letter_before_its_time(lines: Lines) -> None:
    opened = last(lines, "dispute.opened")
    sent = insert_before(lines, opened, "press.sent", exchange=3, arrives=99)
    at = next(number for number, event in enumerate(events_of(lines), 1) if event is sent)
    insert_before(lines, opened, "press.delivered", exchange=3, letter=at)


def voted_otherwise(lines: Lines) -> None:
    """Add a third vote that names no option, besides the two votes that decide."""
    settled = last(lines, "dispute.settled")
    insert_before(lines, settled, "panel.named", number=1, members=["p", "q", "r"], by=master(lines))
    for who, verdict in (("p", "perhaps"), ("q", "dismissed"), ("r", "dismissed")):
        insert_before(lines, settled, "dispute.voted", number=1, by=who, verdict=verdict, answer="x")
    settled["payload"].update(by="panel", verdict="dismissed")


def time_for_a_dispute(lines: Lines) -> None:
    """Move the deadline because of a dispute, although the match does not wait for disputes."""
    settled = last(lines, "dispute.settled")
    said = {**last(lines, "deadline.set")["payload"]}
    new = insert_before(lines, settled, "deadline.set", **{**said, "at": said["at"] + HOUR, "cause": "pause"})
    first = next(index for index, line in enumerate(lines) if line.get("event") is new)
    lines[first], lines[first + 1] = lines[first + 1], lines[first]


def asks_somebody(seat: str) -> Forge:
    def forge(lines: Lines) -> None:
        asks = last(lines, "exchange.resolved")["payload"]["asks"]
        asks.append({**asks[0], "seat": seat})

    return forge


HEAD = {"exchange": 1, "event": "0", "signature": "0"}
RED = {"seat": "red", "account": red, "occupancy": 1, "exchange": 3}
BLUE = {"seat": "blue", "account": blue, "occupancy": 2, "exchange": 3}

DISPUTED: dict[str, tuple[Forge, str]] = {
    "a claim that nobody can read": (without_part("dispute.opened", "dispute"), "audience"),
    "a claim kept from the game master": (without_part("dispute.opened", "dispute", "master"), "audience"),
    "a statement without a word": (before("dispute.settled", "dispute.heard", number=1, seat="blue"), "audience"),
    "more grace by way of an extension": (changed("deadline.set", grace=50 * HOUR), "deadline-moved"),
    "a deadline that takes time from its grace": (announced(at=2 * HOUR, grace=-2 * HOUR), "deadline-moved"),
    "more time than a pause took": (
        then(act("pause", exchange=3, until=in_three_days), deadline(1000, cause="pause")),
        "deadline-moved",
    ),
    "time back for a hold that never was": (then(act("release"), deadline(50, cause="pause")), "deadline-moved"),
    "time back for a dispute that nobody waited for": (time_for_a_dispute, "deadline-moved"),
    "an extension of no hours": (
        before("dispute.opened", "extension.granted", seat="blue", exchange=3, hours=-5, by="right"),
        "deadline-moved",
    ),
    "other settings that say nothing": (act("settings"), "unreadable"),
    "a pause without an end": (act("pause"), "unreadable"),
    "an extension by the game master without hours": (act("extend"), "unreadable"),
    "other rules that are not named": (act("rules"), "unreadable"),
    "a seat replaced that the match does not have": (act("replace", seat="green"), "by-nobody"),
    "letters stopped of a seat that the match does not have": (act("silence", seat="green"), "by-nobody"),
    "a resignation after which play goes on": (before("dispute.opened", "seat.resigned", **RED), "end"),
    "a concession after which play goes on": (before("dispute.opened", "seat.conceded", **BLUE), "end"),
    "an agreed draw after which play goes on": (
        then(before("dispute.opened", "draw.offered", **RED), before("dispute.opened", "draw.offered", **BLUE)),
        "end",
    ),
    "rules changed in a halt of no exchange": (
        then(
            before("dispute.opened", "match.halted", exchange=3),
            before("dispute.opened", "rules.moved", switches=[]),
            before("dispute.opened", "match.resumed"),
        ),
        "sequence",
    ),
    "a match halted twice": (
        then(
            before("dispute.opened", "match.halted", exchange=2),
            before("dispute.opened", "match.halted", exchange=2),
        ),
        "sequence",
    ),
    "a vote for nothing": (voted_otherwise, "panel"),
    "an invitation declined that was never sent": (
        before("dispute.opened", "seat.declined", seat="red", number=7),
        "seat",
    ),
    "an invitation to no seat": (before("dispute.opened", "seat.invited", seat="green", number=7), "seat"),
    "a dispute of a sentence before the first": (changed("dispute.opened", sentence=-3), "dispute"),
    "a letter delivered before its time": (letter_before_its_time, "letter"),
    "a battle reported to a match": (
        before(
            "dispute.opened",
            "battle.reported",
            seat="battle 1",
            exchange=3,
            match="x",
            head=HEAD,
            outcome={"rule": "1", "winner": None},
        ),
        "order-place",
    ),
    "a battle that changes without a report": (
        before("dispute.opened", "battle.changed", seat="battle 1", match="x", head=HEAD),
        "order-place",
    ),
    "a question to a seat that the match does not have": (asks_somebody("green"), "order"),
    "a seat asked twice": (asks_somebody("red"), "order"),
    "a turn that goes back": (changed("exchange.resolved", turn=-4), "sequence"),
}


PLAYED: dict[str, tuple[Forge, str]] = {
    "a report kept from a player": (without_part("exchange.resolved", "findings", "red"), "audience"),
    "a report kept from everybody": (without_part("exchange.resolved", "findings", "public"), "audience"),
    "hidden rolls that are not kept": (without_part("exchange.resolved", "secret-rolls"), "audience"),
    "automatic answers that are not kept": (without_part("exchange.resolved", "autos"), "audience"),
    "an order without a word": (without_part("order.sealed", "order"), "audience"),
}


def missed(folder: Path, policy: str) -> Table:
    """Return a match with one day per exchange in which red misses a deadline."""
    table = Table(folder)
    table.begin(24, master=True, scenario="small", missed="default", patience=1)
    if policy == "substitute":
        substitutes.stand_by(table.server, table.match, table.account("sue"))
    table.say("blue", "", final=True)
    table.wait(25)
    assert table.events("exchange.closed")[-1].payload["why"] == "deadline"
    return table


def spared(policy: str) -> Forge:
    """Return a forgery that spares red the consequence on which the match had agreed."""

    def forge(lines: Lines) -> None:
        events_of(lines)[0]["payload"]["timing"]["missed"] = policy

    return forge


MISSED: dict[str, tuple[str, str]] = {
    "a player who does not forfeit": ("forfeit", "missed"),
    "a player who is not replaced": ("substitute", "missed"),
}

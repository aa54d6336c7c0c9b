"""Forgeries about judges, secrets and rewound play, by a server that signs them with its own key.

The forgeries in `TRIED` change the log of `tried`, in which a panel has upheld a dispute, a member has reopened the
turn, and the match was on hold for a while. Those in `SEALED` change the log of `sealed`, whose players agreed that
secrets stay sealed. Each table gives the code under which both verifiers report the forgery.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from support.forgeries.conduct import HOUR
from support.forgeries.forging import Lines, events_of, first, insert_before, remove
from support.forgeries.misconduct import Forge, account, before, changed, last, master, red, then
from support.seated import Table

from pbem.matches.players import substitutes
from pbem.matches.rulings import auditors, panels, powers, rulings

JUDGES = ("pat", "per", "pia")


def tried(folder: Path) -> Table:
    """Return a match that waits for disputes, with an auditor, a dispute, a panel, a rewound turn, a hold and more
    time."""
    table = Table(folder)
    table.begin(24, master=True, scenario="small", bank=12, disputes="wait", missed="default")
    for _ in range(2):
        table.play()
    who = [table.account(name) for name in JUDGES]
    eve = table.account("eve")
    for seat in ("red", "blue"):
        auditors.propose(table.server, table.match, seat, eve, by=table.who[seat])
    powers.everything(table.server, table.match, by=eve)
    table.say("red", "dispute 1.0.1 (rule 4.2): wrong")
    table.say("blue", "statement 1: it was not")
    panels.name(table.server, table.match, 1, who, by=table.master)
    for member in who[:2]:
        panels.vote(table.server, table.match, 1, "upheld", "Yes.", by=member)
    rulings.reopen(table.server, table.match, after=2, reason="a wrong hex", by=who[0], dispute=1)
    table.wait(1)
    powers.hold(table.server, table.match, why="a storm", by=table.master)
    table.wait(5)
    powers.release(table.server, table.match, by=table.master)
    table.say("red", "r1 ambush")
    table.say("red", "extend 6 hours")
    table.play()
    substitutes.stand_by(table.server, table.match, table.account("sue"))
    table.say("blue", "dispute 2: why?")
    return table


def sealed(folder: Path) -> Table:
    """Return a match that ended by resignation, after its players agreed that secrets stay sealed."""
    table = Table(folder)
    table.begin(master=True)
    table.play()
    for seat in ("red", "blue"):
        table.say(seat, "keep secrets")
    table.say("blue", "resign")
    assert table.record.ended is not None and table.record.opened is None
    return table


# The judges --------------------------------------------------------------------------------------------------


def eve(lines: Lines) -> str:
    return str(last(lines, "auditor.named")["payload"]["account"])


def voter(lines: Lines) -> str:
    return str(first(lines, "dispute.voted")["payload"]["by"])


def voted_twice(lines: Lines) -> None:
    """Let the second vote of the majority repeat the voter of the first."""
    first, second = (event for event in events_of(lines) if event["type"] == "dispute.voted")
    second["payload"]["by"] = first["payload"]["by"]


def panel_named_after_a_vote(lines: Lines) -> None:
    """Put a friend of the game master on the panel after the first votes."""
    settled = last(lines, "dispute.settled")
    insert_before(lines, settled, "panel.named", number=1, members=["x"], by=master(lines))
    insert_before(lines, settled, "dispute.voted", number=1, by="x", verdict="upheld", answer="x")


def dismissed_and_ruled(lines: Lines) -> None:
    """Let the panel dismiss the dispute, although a member reopens the turn."""
    for event in events_of(lines):
        if event["type"] in ("dispute.voted", "dispute.settled"):
            event["payload"]["verdict"] = "dismissed"


def votes_before_the_appeal(lines: Lines) -> None:
    """Let the old votes decide again after an appeal."""
    ruling = last(lines, "ruling.reopened")
    said = {**last(lines, "dispute.settled")["payload"]}
    appeal = insert_before(lines, ruling, "dispute.appealed", number=1, seat="blue")
    appeal["parts"] = [{**one, "name": "appeal"} for one in last(lines, "dispute.heard")["parts"]]
    insert_before(lines, ruling, "dispute.settled", **said)


def heard_late(lines: Lines) -> None:
    """Submit a statement after the panel has voted, so that no member had read it."""
    heard, ruling = last(lines, "dispute.heard"), last(lines, "ruling.reopened")
    new = insert_before(lines, ruling, "dispute.heard", **heard["payload"])
    new["parts"] = heard["parts"]
    remove(lines, heard)


def auditor_dismissed_and_looks(lines: Lines) -> None:
    opened = first(lines, "dispute.opened")
    insert_before(lines, opened, "auditor.dismissed", account=eve(lines), by=red(lines))
    insert_before(lines, opened, "master.looked", by=eve(lines), what="everything")


def auditor_sits_down(lines: Lines) -> None:
    """Let an auditor, who has read everything, take over a seat."""
    opened = last(lines, "dispute.opened")
    insert_before(lines, opened, "substitute.named", account=eve(lines))
    insert_before(lines, opened, "seat.left", seat="red", why="handed over", by=red(lines))
    insert_before(lines, opened, "seat.taken", seat="red", account=eve(lines))


# Time --------------------------------------------------------------------------------------------------------


def closed_during_the_hold(lines: Lines) -> None:
    """Release the hold only after the exchange has closed."""
    release = [e for e in events_of(lines) if e["type"] == "master.acted" and e["payload"]["act"] == "release"][-1]
    said = {**release["payload"]}
    remove(lines, release)
    insert_before(lines, last(lines, "substitute.named"), "master.acted", **said)


def time_of_the_hold_twice(lines: Lines) -> None:
    """Give the time of a hold back a second time, long after its release."""
    set_ = [event for event in events_of(lines) if event["type"] == "deadline.set"]
    at = first(lines, "extension.granted")
    said = {**[e for e in set_ if e["version"] < at["version"]][-1]["payload"]}
    insert_before(lines, at, "deadline.set", **{**said, "at": said["at"] + 5 * HOUR, "cause": "pause"})


def overdrawn(lines: Lines) -> None:
    """Let blue draw more hours from its time bank than it has."""
    at = last(lines, "exchange.closed")
    announced = [one for one in events_of(lines) if one["type"] == "deadline.set" and one["version"] < at["version"]]
    said = {**announced[-1]["payload"]}
    for hours in (8, 8):
        said["at"] += hours * HOUR
        insert_before(lines, at, "extension.granted", seat="blue", exchange=said["exchange"], hours=hours, by="bank")
        insert_before(lines, at, "deadline.set", **{**said, "cause": "extension"})


def granted_when_closed(lines: Lines) -> None:
    """Grant red more time for an exchange that is already closed."""
    granted = last(lines, "extension.granted")
    said = {**granted["payload"]}
    insert_before(lines, last(lines, "substitute.named"), "extension.granted", **said)


def swapped(one: str, other: str) -> Forge:
    """Return a forgery that swaps the last event of one type with the next event of another; their times stay in
    place."""

    def forge(lines: Lines) -> None:
        earlier = last(lines, one)
        later = next(
            event for event in events_of(lines) if event["type"] == other and event["version"] > earlier["version"]
        )
        first_, second = (
            next(index for index, line in enumerate(lines) if line.get("event") is event)
            for event in (earlier, later)
        )
        earlier["recorded_at"], later["recorded_at"] = later["recorded_at"], earlier["recorded_at"]
        lines[first_], lines[second] = lines[second], lines[first_]

    return forge


# Rewound play ------------------------------------------------------------------------------------------------


def counts_again(lines: Lines) -> None:
    """Let an order from the overruled line of play count in the new line."""
    old = first(lines, "order.sealed", seat="blue", exchange=3)
    last(lines, "exchange.closed")["payload"]["counts"]["blue"] = old["version"]


def number_used_again(lines: Lines) -> None:
    """Close the overruled exchange again under its old number, with dice that everyone has seen."""
    ruling = last(lines, "ruling.reopened")["version"]
    for event in events_of(lines):
        if event["version"] > ruling and event["payload"].get("exchange", 0) > 3:
            event["payload"]["exchange"] = 3


def kept_in_the_line(lines: Lines) -> None:
    """Let the ruling claim that the disputed turn remains valid."""
    last(lines, "ruling.reopened")["payload"]["after"] = 3


def lost_on_the_way(lines: Lines) -> None:
    """Ignore an order in the new line of play, although the exchange was closed because all orders were final."""
    del last(lines, "exchange.closed")["payload"]["counts"]["red"]


# More of the same --------------------------------------------------------------------------------------------


def act(name: str, **more: Any) -> Forge:
    return before("dispute.opened", "master.acted", by=master, act=name, why="x", **more)


def later(lines: Lines) -> int:
    return int(last(lines, "dispute.opened")["recorded_at"]) + 48 * HOUR


def delivered_twice(lines: Lines) -> None:
    at = last(lines, "substitute.named")
    sent = insert_before(lines, at, "press.sent", exchange=6, arrives=1)
    version = next(number for number, event in enumerate(events_of(lines), 1) if event is sent)
    for _ in range(2):
        insert_before(lines, at, "press.delivered", exchange=6, letter=version)


def auditor_plays(lines: Lines) -> None:
    for event in events_of(lines):
        if event["type"].startswith("auditor."):
            event["payload"]["account"] = red(lines)
    last(lines, "master.looked")["payload"]["by"] = red(lines)


def too_much_back(lines: Lines) -> None:
    said = {**first(lines, "deadline.set", exchange=4)["payload"], "cause": "pause"}
    said["at"] += 9 * HOUR
    insert_before(lines, last(lines, "ruling.reopened"), "deadline.set", **said)


def asked_before(lines: Lines) -> None:
    """Grant more time for exchange 6, although both sides had asked for it in exchange 5."""
    insert_before(lines, last(lines, "exchange.closed"), "extension.asked", seat="blue", exchange=5, hours=6)
    at, said = last(lines, "substitute.named"), {**last(lines, "deadline.set")["payload"], "cause": "extension"}
    said["at"] += 6 * HOUR
    insert_before(lines, at, "extension.granted", seat="red", exchange=6, hours=6, by="agreement")
    insert_before(lines, at, "deadline.set", **said)


def closed_while_disputed(lines: Lines) -> None:
    """Open the dispute before the exchange closes, so that the match should have waited."""
    opened = last(lines, "dispute.opened")
    new = insert_before(
        lines, first(lines, "order.sealed", exchange=5), "dispute.opened", **{**opened["payload"], "exchange": 2}
    )
    new["parts"] = opened["parts"]
    remove(lines, opened)


def short_after_the_ruling(lines: Lines) -> None:
    for event in events_of(lines):
        if event["type"] == "deadline.set" and event["payload"]["exchange"] == 5:
            event["payload"]["at"] -= 20 * HOUR


TRIED: dict[str, tuple[Forge, str]] = {
    "a ruling by an auditor": (changed("ruling.reopened", by=eve), "by-nobody"),
    "a vote counted twice": (voted_twice, "panel"),
    "a panel changed when the vote had begun": (panel_named_after_a_vote, "panel"),
    "a ruling on a dispute that its panel dismissed": (dismissed_and_ruled, "by-nobody"),
    "votes that an appeal had made void": (votes_before_the_appeal, "panel"),
    "a statement after the decision": (heard_late, "dispute"),
    "a look by an auditor who was dismissed": (auditor_dismissed_and_looks, "by-nobody"),
    "an auditor who takes a seat": (auditor_sits_down, "seat"),
    "an exchange closed during a hold": (closed_during_the_hold, "closed-held"),
    "time given back twice for one hold": (time_of_the_hold_twice, "deadline-moved"),
    "a time bank overdrawn": (overdrawn, "deadline-moved"),
    "more time for a closed exchange": (granted_when_closed, "deadline-moved"),
    "a deadline announced before its extension": (swapped("extension.granted", "deadline.set"), "deadline-moved"),
    "an order sealed after it was final": (swapped("order.sealed", "order.final"), "order-place"),
    "an order of a line that was taken back": (counts_again, "order"),
    "dice that everybody had seen": (number_used_again, "sequence"),
    "an order of the new line that is lost": (lost_on_the_way, "order"),
    "a dispute up to an exchange that was not played": (changed("dispute.opened", until=99), "dispute"),
    "a disputed sentence of another report": (changed("dispute.opened", sentences=["2.1", "77.1"]), "dispute"),
    "a disputed sentence that is none": (changed("dispute.opened", sentences=["2.1.1"]), "dispute"),
    "a hold of a match that is on hold": (then(act("hold"), act("hold")), "by-nobody"),
    "the release of a match that was not on hold": (act("release"), "by-nobody"),
    "a clock that goes on without having stopped": (act("go on", exchange=6), "by-nobody"),
    "a pause within a pause": (then(*[act("pause", exchange=6, until=later)] * 2), "by-nobody"),
    "the game master resumes what was not halted": (act("resume"), "by-nobody"),
    "a substitute who goes and never came": (
        before("dispute.opened", "substitute.gone", account="zed"),
        "seat",
    ),
    "a letter that arrives twice": (delivered_twice, "letter"),
    "a player as auditor": (auditor_plays, "auditor"),
    "time back for a dispute, longer than it was open": (too_much_back, "deadline-moved"),
    "an agreement on more time that an exchange had used up": (asked_before, "deadline-moved"),
    "rules changed twice by one act": (
        then(act("rules", switches=["a"]), *[before("dispute.opened", "rules.moved", switches=["a"])] * 2),
        "by-nobody",
    ),
    "an exchange closed while a dispute is open": (closed_while_disputed, "closed-held"),
    "less time than agreed on after a ruling": (short_after_the_ruling, "deadline-moved"),
    "settings changed by an auditor": (
        before("dispute.opened", "master.acted", by=eve, act="settings", why="x", timing={"hours": 1}),
        "by-nobody",
    ),
}

BY_THE_RULES: dict[str, Forge] = {"a ruling that takes back less": kept_in_the_line}
"""Forgeries that only the rules can show: exchanges are played from another position than the ruling leaves."""


# Secrets -----------------------------------------------------------------------------------------------------


def one_agreement(lines: Lines) -> None:
    """End the match with sealed secrets, although blue had not agreed."""
    remove(lines, last(lines, "secrets.kept"))


def opened_all_the_same(lines: Lines) -> None:
    last(lines, "match.ended")["payload"]["opened"] = []


def opened_later(lines: Lines) -> None:
    """Publish secrets that the players had agreed to keep."""
    trailer = lines.pop()
    ended = last(lines, "match.ended")
    new = {**ended, "type": "match.opened", "payload": {"opened": []}, "parts": []}
    at = next(index for index, line in enumerate(lines) if line.get("event") is ended)
    lines.insert(at + 1, {"event": new})
    lines.append(trailer)


def agreed_for_a_successor(lines: Lines) -> None:
    """Let red's agreement stand after a handover, although red's new occupant has not agreed."""
    at = last(lines, "secrets.kept")
    insert_before(lines, at, "substitute.named", account="cid")
    insert_before(lines, at, "seat.left", seat="red", why="handed over", by=red(lines))
    insert_before(lines, at, "seat.taken", seat="red", account="cid")


def agreed_after_the_end(lines: Lines) -> None:
    kept, ended = last(lines, "secrets.kept"), last(lines, "match.ended")
    first_, second = (
        next(index for index, line in enumerate(lines) if line.get("event") is one) for one in (kept, ended)
    )
    lines.insert(second + 1, lines[first_])
    del lines[first_]


def blue(lines: Lines) -> str:
    return account(lines, "blue")


SEALED: dict[str, tuple[Forge, str]] = {
    "secrets sealed though one player has not agreed": (one_agreement, "end"),
    "secrets opened though all had agreed otherwise": (opened_all_the_same, "end"),
    "secrets opened later though all had agreed otherwise": (opened_later, "end"),
    "an agreement in the name of another": (changed("secrets.kept", account=red), "end"),
    "an agreement of an earlier occupancy": (changed("secrets.kept", occupancy=1), "end"),
    "an agreement that a successor never made": (agreed_for_a_successor, "end"),
    "an agreement after the end": (agreed_after_the_end, "end"),
    "an agreement where another time was agreed on": (
        lambda lines: events_of(lines)[0]["payload"].update(opens="round"),
        "end",
    ),
}


# Spelling ----------------------------------------------------------------------------------------------------

HEX: tuple[tuple[str, tuple[Any, ...]], ...] = (
    ("exchange.resolved", ("rung",)),
    ("match.ended", ("opened", 0, "key")),
    ("match.ended", ("opened", 0, "secret")),
)
"""Fields with hex digits, which have to be lower case."""


def in_capitals(type: str, *path: Any) -> Forge:
    """Return a forgery that writes a field in the last event of a type in capitals."""

    def forge(lines: Lines) -> None:
        said = last(lines, type)["payload"]
        for step in path[:-1]:
            said = said[step]
        said[path[-1]] = said[path[-1]].upper()

    return forge

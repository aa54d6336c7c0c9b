"""Forgeries about the conduct of a match, by a server that signs them with its own key.

The server grants extra time, rules on disputes, changes the rules, or ends a match without a valid reason.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from support.forgeries.forging import Lines, events_of, first, insert_before, remove
from support.seated import Table

from pbem.matches.rulings import powers

HOUR = 3_600_000


def disputed(folder: Path) -> Table:
    """Return a match with deadlines in which red took an extension by right, and a dispute was decided."""
    table = Table(folder)
    table.begin(24, master=True, scenario="small")
    table.play()
    table.say("red", "extend 12 hours")
    table.say("red", "dispute 1 (rule 4.2): wrong")
    powers.settle(table.server, table.match, number=1, answer="No.", rule="4.2", by=table.master)
    return table


def later(lines: Lines) -> None:
    """Let the deadline move without an extension."""
    remove(lines, first(lines, "extension.granted"))


def again_by_right(lines: Lines) -> None:
    """Grant red a second extension by right, although the match allows only one."""
    granted, asked = first(lines, "extension.granted")["payload"], first(lines, "dispute.opened")
    until = [event for event in events_of(lines) if event["type"] == "deadline.set"][-1]["payload"]
    insert_before(lines, asked, "extension.granted", **granted)
    insert_before(lines, asked, "deadline.set", **{**until, "at": until["at"] + 12 * HOUR})


def as_all_agreed(lines: Lines) -> None:
    """Record an extension as agreed by all, although only red asked for it."""
    first(lines, "extension.granted")["payload"]["by"] = "agreement"


def from_an_empty_bank(lines: Lines) -> None:
    first(lines, "extension.granted")["payload"]["by"] = "bank"


def decided_again(lines: Lines) -> None:
    """Replace the decision on a dispute by another one, without an appeal."""
    settled = first(lines, "dispute.settled")
    insert_before(lines, settled, "dispute.settled", **{**settled["payload"], "answer": "Yes."})


def appealed_before_the_decision(lines: Lines) -> None:
    insert_before(lines, first(lines, "dispute.settled"), "dispute.appealed", number=1, seat="blue")


def disputed_by_nobody(lines: Lines) -> None:
    first(lines, "dispute.opened")["payload"]["seat"] = "green"


def ruling_on_no_dispute(lines: Lines) -> None:
    by = first(lines, "dispute.settled")["payload"]["by"]
    said = {"after": 2, "reason": "x", "by": by, "dispute": 7}
    insert_before(lines, first(lines, "dispute.opened"), "ruling.reopened", **said)


def other_rules(lines: Lines) -> None:
    insert_before(lines, first(lines, "dispute.opened"), "rules.moved", switches=[])


def over_at_once(lines: Lines) -> None:
    outcome = {"winner": "blue", "rule": "1", "why": "because"}
    insert_before(lines, first(lines, "dispute.opened"), "match.ended", outcome=outcome, exchange=2)


def opened_early(lines: Lines) -> None:
    insert_before(lines, first(lines, "dispute.opened"), "match.opened", opened=[])


def erased_but_there(lines: Lines) -> None:
    """Drop one of red's orders before closing, and claim that red had it erased."""
    said = {"seat": "red", "exchange": 2, "why": "erased"}
    insert_before(lines, first(lines, "exchange.closed", exchange=2), "order.withdrawn", **said)


EXPECTED: dict[Callable[[Lines], None], str] = {
    later: "deadline-moved",
    again_by_right: "deadline-moved",
    as_all_agreed: "deadline-moved",
    from_an_empty_bank: "deadline-moved",
    decided_again: "dispute",
    appealed_before_the_decision: "dispute",
    disputed_by_nobody: "dispute",
    ruling_on_no_dispute: "dispute",
    other_rules: "by-nobody",
    over_at_once: "end",
    opened_early: "end",
    erased_but_there: "order",
}

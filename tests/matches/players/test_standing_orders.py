"""Standing orders as lines of text, and trials of them against past turns."""

from __future__ import annotations

from typing import Any

import pytest
from support.seated import Table

from pbem.engine.rules.refusals import Refusal
from pbem.matches import views
from pbem.matches.players import standing_orders
from pbem.matches.players.standing_orders import trial


def test_standing_orders_are_lines_and_can_be_read_back(table: Table) -> None:
    table.begin()
    assert standing_orders.set_doctrine_text(table.server, table.match, "red", "ambush\n\n card \n") == [
        "ambush",
        "card",
    ]
    assert standing_orders.doctrine_text(table.server, table.match, "red") == "ambush\ncard"
    assert standing_orders.doctrine_text(table.server, table.match, "blue") == ""
    with pytest.raises(Refusal, match="doctrine says"):
        standing_orders.set_doctrine_text(table.server, table.match, "red", "fly")


def play_into_an_ambush(table: Table) -> None:
    """Play a turn in which red waits in ambush and blue moves past."""
    table.begin(scenario="tiny")
    table.play(("red", "r1 ambush\nr2 ambush"), ("blue", "b1 go5\nb2 go5"))


def test_a_trial_says_what_the_clauses_would_have_answered(table: Table) -> None:
    play_into_an_ambush(table)
    before = table.record.version
    tried = trial(table.server, table.match, "red", "card\nambush")
    assert {one.kind for one in tried} >= {"card"}
    card = next(one for one in tried if one.kind == "card")
    assert (card.exchange, card.clause, card.source, card.instead_of) == (2, "card", "default", None)
    assert card.differs and card.answer is not None
    assert table.record.version == before, "nothing is kept"


def test_a_trial_agrees_with_what_doctrine_did_when_it_was_set(table: Table) -> None:
    table.begin(scenario="small")
    for seat in ("red", "blue"):
        table.say(seat, "doctrine: ambush\ndoctrine: card")
    for _ in range(3):
        table.play(("red", "r1 ambush\nr2 go2"), ("blue", "b1 ambush\nb2 go5"))
    for seat in ("red", "blue"):
        tried = trial(table.server, table.match, seat, ["ambush", "card"])
        assert tried and all(one.source == "doctrine" and not one.differs for one in tried)
        told = [line for k in (2, 3, 4) for line in views.report(table.server, table.match, seat, k).told]
        used = [line for line in told if line.rule == "pbem/answered" and "by your standing orders" in str(line.text)]
        assert len(used) == len(tried), "each use was a finding that named its clause"


def test_a_trial_is_refused_like_the_clauses_themselves(table: Table) -> None:
    play_into_an_ambush(table)
    with pytest.raises(Refusal, match="doctrine says"):
        trial(table.server, table.match, "red", "fly")


def test_a_trial_sees_nothing_but_the_seat_s_view(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    play_into_an_ambush(table)
    seen: list[Any] = []
    rules = type(table.server.rules("ambush", table.record.created.blobs))
    from_standing_orders = rules.from_standing_orders

    def watched(self: Any, view: Any, ask: Any, clauses: Any) -> Any:
        seen.append((ask.seat, view))
        return from_standing_orders(self, view, ask, clauses)

    monkeypatch.setattr(rules, "from_standing_orders", watched)
    trial(table.server, table.match, "blue", "ambush")
    assert seen and {seat for seat, _ in seen} == {"blue"}
    hidden = [unit["order"] for _, view in seen for name, unit in view["units"].items() if name.startswith("r")]
    assert "ambush" not in hidden

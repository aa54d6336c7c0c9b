"""Films are checked from exchange to exchange: a fight may be shown late, but not after its turn."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Appear, Area, Battle, Change, Control, Fail, Lose, Move, Shot
from pbem.titles.nato.title import NatoRules
from pbem.tools.film_checks import Films, exchange_flaws, unproved

EVIDENCE = {**NatoRules.evidence, "continue": ("6.5.1.8",), "dig": ("6.6.8",)}


def the_rules() -> Any:
    """Return fake rules, in which a view maps each unit to its place."""
    return SimpleNamespace(
        tells_happenings=True,
        stands=lambda view: [SimpleNamespace(id=id, at=at) for id, at in view.items()],
        markers=lambda view: {},
        holders=lambda view: {},
    )


BEGIN, HIT, END = {"a": "A1", "b": "B1"}, {"a": "A1"}, {"a": "A2"}
LOST = Finding("1", shows=(Lose("b", "B1", "destroyed"),))
WENT = Finding("2", shows=(Move("a", (("A1", 1), ("A2", 1))),))


def everybody(view: dict[str, str]) -> dict[str, Any]:
    return dict.fromkeys(("red", "public"), view)


def flaws(films: Films, before: Any, after: Any, *findings: Finding, between_turns: bool = False) -> list[str]:
    return list(films.flaws(everybody(before), everybody(after), findings, between_turns=between_turns))


def test_a_loss_may_be_shown_once_the_fight_is_over() -> None:
    films = Films(the_rules())
    assert flaws(films, BEGIN, HIT) == []
    assert flaws(films, HIT, END, LOST, WENT, between_turns=True) == []


def test_a_loss_that_is_not_shown_by_the_end_of_the_turn_is_a_flaw() -> None:
    films = Films(the_rules())
    assert flaws(films, BEGIN, HIT) == []
    found = flaws(films, HIT, END, WENT, between_turns=True)
    assert found == [f"film of {viewer}: b is in None, and the happenings say B1" for viewer in ("red", "public")]


def test_a_unit_that_its_viewer_has_never_seen_is_named_by_no_film() -> None:
    films = Films(the_rules())
    assert flaws(films, HIT, HIT) == []
    assert "film of red: Lose names b" in flaws(films, HIT, HIT, LOST)


def test_a_fight_that_is_reported_late_may_name_a_unit_that_was_seen_to_be_lost() -> None:
    films, shot = Films(the_rules()), Finding("3", shows=(Shot("a", "b", "A1", "B1"),))
    assert flaws(films, BEGIN, HIT, LOST) == []
    assert flaws(films, HIT, HIT, shot) == []
    assert "film of red: Shot names b" in flaws(Films(the_rules()), HIT, HIT, shot)


def test_a_move_begins_where_its_viewer_had_seen_the_unit() -> None:
    """A unit's shown move begins where the viewer last saw it; a unit that was hidden has to appear first."""
    seen, hidden = {"red": BEGIN, "blue": {"a": "A1"}}, {"red": {**BEGIN, "b": "B2"}, "blue": {"a": "A1", "b": "B2"}}
    came = Finding("4", shows=(Move("b", (("B1", 1), ("B2", 1))),))
    found = list(Films(the_rules()).flaws(seen, hidden, [came], between_turns=True))
    assert found == ["film of blue: b moves from B1, where it was hidden"]
    shown = Finding("4", shows=(Appear("b", "B1"),))
    assert list(Films(the_rules()).flaws(seen, hidden, [shown, came], between_turns=True)) == []
    jumped = Finding("4", shows=(Move("a", (("A7", 1), ("A2", 1))),))
    assert "film of red: a moves from A7, and was shown in A1" in flaws(Films(the_rules()), HIT, END, jumped)


def test_a_unit_that_comes_onto_the_map_may_move_without_having_been_seen() -> None:
    entered = Finding("4", shows=(Move("c", (("Z9", 1), ("Z8", 1))),))
    assert flaws(Films(the_rules()), HIT, {**HIT, "c": "Z8"}, entered, between_turns=True) == []


def test_battles_and_dust_name_no_hidden_unit_either() -> None:
    fought, dust = (
        Finding("4", shows=(Battle(("a",), "B1", ("b",)),)),
        Finding("4", shows=(Area("dust", ("B1",), "b"),)),
    )
    both = {"red": BEGIN, "blue": HIT}
    found = [list(Films(the_rules()).flaws(both, both, [one], between_turns=True)) for one in (fought, dust)]
    assert found == [["film of blue: Battle names b"], ["film of blue: Area names b"]]


def test_an_exchange_that_is_looked_at_alone_shows_everything() -> None:
    assert list(exchange_flaws(the_rules(), everybody(BEGIN), everybody(HIT), [LOST])) == []
    assert list(exchange_flaws(the_rules(), everybody(BEGIN), everybody(HIT), []))


def test_a_place_that_changes_hands_without_a_word_is_a_flaw() -> None:
    rules = the_rules()
    rules.holders = lambda view: {"K5": "red"} if view is END else {}
    taken = Finding("4", shows=(Control("K5", "red"),))
    assert flaws(Films(rules), HIT, END, WENT, taken, between_turns=True) == []
    found = flaws(Films(rules), HIT, END, WENT, between_turns=True)
    assert found[0] == "film of red: K5 is held by red, and the happenings say None"


def test_a_marker_that_changes_without_a_word_is_a_flaw() -> None:
    rules = the_rules()
    rules.markers = lambda view: {("a", "stun"): "STUN"} if view is END else {}
    told = Finding("4", shows=(Change("a", "stun", "STUN"),))
    assert flaws(Films(rules), HIT, END, WENT, told, between_turns=True) == []
    assert flaws(Films(rules), HIT, END, WENT, between_turns=True)


@pytest.mark.parametrize(
    ("line", "findings"),
    [
        ("mark 3117 2615", [Finding("25.0", result=["3117", "2615"])]),
        ("mark 3117", [Finding("7.2", shows=(Fail("3117", "mark 3117", "too late"),))]),
        ("deep 3", [Finding("23.7", inputs={"points": 3}, result=1)]),
        ("nuke airfield", [Finding("21.3", result=1)]),
        ("m1 continue gp", [Finding("6.5.1", children=(Finding("6.5.1.8", inputs={"mission": "m1"}),))]),
        ("m1 continue gp", [Finding("4.2.1", shows=(Fail("m1", "continue gp", "its observer is lost"),))]),
        ("r1 no digging", []),
    ],
)
def test_an_order_that_the_map_does_not_show_needs_a_finding_or_a_reason(line: str, findings: list[Finding]) -> None:
    assert not list(unproved([line], findings, EVIDENCE))


@pytest.mark.parametrize(
    ("line", "findings"),
    [
        ("mark 3117 2615", [Finding("25.0", result=["3117"])]),
        ("deep 3", []),
        ("nuke airfield", []),
        ("m1 continue gp", [Finding("6.5.1.8", inputs={"mission": "m2"})]),
        ("m1 continue gp", [Finding("6.5.1", inputs={"mission": "m1"})]),
        ("r1 dig", [Finding("4.2.1", shows=(Fail("r1", "pivot 3", "the unit is lost"),))]),
    ],
)
def test_an_order_without_evidence_is_found(line: str, findings: list[Finding]) -> None:
    assert list(unproved([line], findings, EVIDENCE)) == [line]

"""Corrections name a unit, one of its states and a value; only operators may use raw paths."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.seated import Table

from pbem.engine.geometry.hexes import hex_name
from pbem.engine.rules.refusals import Refusal, Unreadable
from pbem.matches.history.replay import load
from pbem.matches.rulings import corrections, previews
from pbem.matches.rulings.previews import Ruling
from pbem.titles.panzer.title import Panzer


@pytest.fixture
def table(folders: Callable[[], Path]) -> Table:
    found = Table(folders())
    found.begin(master=True)
    return found


def corrected(table: Table, text: str) -> previews.Trial:
    changes = corrections.read_changes(table.server, table.match, text)
    ruling = Ruling(kind="correct", changes=changes, reason="a slip")
    return previews.trial(table.server, table.match, ruling, by=table.master)


def test_a_unit_its_state_and_a_value_are_enough(table: Table) -> None:
    found = corrected(table, "r1 hex 1.3\nr2 shown yes\nturn 2\nremove b2")
    assert {change.path for change in found.changes} >= {"units/r1/hex", "turn", "units/b2"}
    assert any("unit r1: hex" in said and "becomes 1/3" in said for said in found.by_viewer["red"])
    assert not any("r2" in said for said in found.by_viewer["red"] if "hex" in said)


@pytest.mark.parametrize(
    ("line", "why", "instead"),
    [
        ("r9 hex 1.3", "nothing in the position", "r1"),
        ("r1 nonsense 3", "no state with that name", "r1 order"),
        ("r1 shown perhaps", "must be yes, no", ""),
        ("r1 hex nowhere", "must be a hex", ""),
        ("turn soon", "must be a whole number", ""),
        ("units/r1/hex = [1, 3]", "for operators", ""),
        ("nonsense = 3", "for operators", ""),
        ("", "write the corrections", ""),
    ],
)
def test_what_does_not_fit_is_refused_with_what_would(table: Table, line: str, why: str, instead: str) -> None:
    with pytest.raises(Unreadable, match=why) as refused:
        corrections.read_changes(table.server, table.match, line)
    assert not instead or instead in refused.value.instead


def test_a_correction_must_keep_the_invariants_of_the_title(table: Table) -> None:
    with pytest.raises(Refusal, match="off the map"):
        corrected(table, "r1 hex 90.90")


def test_only_an_operator_names_raw_places_and_only_places_that_exist(table: Table) -> None:
    raw = corrections.read_changes(table.server, table.match, "units/r1/hex = [1, 3]", raw=True)
    assert raw == ({"path": ["units", "r1", "hex"], "value": [1, 3]},)
    with pytest.raises(Unreadable, match="no entry with that name"):
        corrections.read_changes(table.server, table.match, "units/r9/hex = [1, 3]", raw=True)


def test_everything_that_can_be_pointed_at_is_listed_with_its_states_and_choices(table: Table) -> None:
    found = {one.id: one for one in corrections.things(table.server, table.match)}
    assert sorted(found) == ["b1", "b2", "r1", "r2"]
    assert found["r1"].choices["shown"] == ("yes", "no")
    for one in found.values():
        lines = [f"{one.id} {name} {value}" for name, value in one.states.items()]
        changes = corrections.read_changes(table.server, table.match, "\n".join(lines))
        assert len(changes) == len(lines), "what is shown can be said"


def test_a_ruling_names_only_an_open_dispute(table: Table) -> None:
    changes = corrections.read_changes(table.server, table.match, "turn 2")
    ruling = Ruling(kind="correct", changes=changes, reason="x", dispute=1)
    with pytest.raises(Refusal, match="no dispute with that number is open"):
        previews.trial(table.server, table.match, ruling, by=table.master)


def test_hexes_of_panzer_are_named_as_printed(folders: Callable[[], Path]) -> None:
    table = Table(folders(), {"panzer": Panzer()})
    table.who = {seat: table.account(seat) for seat in ("german", "british")}
    table.begin(master=True, scenario="duel")
    state = load(table.server, table.match).run.state
    here = next(
        one for one in corrections.things(table.server, table.match) if one.states.get("hex", "nothing") != "nothing"
    )
    assert here.states["hex"] == hex_name(state.vehicles[here.id].hex)
    [change] = corrections.read_changes(table.server, table.match, f"{here.id} facing 4")
    assert change == {"path": ["vehicles", here.id, "facing"], "value": 4}
    assert "suppression" in here.choices and "nothing" in here.choices["suppression"]

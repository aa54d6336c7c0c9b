"""Weapons that are lost while others are broken, and objectives under hidden counters."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule
from titles.panzer.advanced.builders import a_leg, a_tank, an_advanced_table
from titles.panzer.builders import a_board, a_hex

from pbem.engine.rules.findings import seen_by
from pbem.engine.rules.state import to_bytes
from pbem.engine.rules.table import Table
from pbem.titles.panzer.air.air_attacks import is_hidden
from pbem.titles.panzer.cards.weapons import weapons_of
from pbem.titles.panzer.close_combat.close_assault import support_needed
from pbem.titles.panzer.command.morale import is_sheltered
from pbem.titles.panzer.damage.damage_detail import lose_step_and_weapons
from pbem.titles.panzer.end_of_turn.adjustment import end_turn
from pbem.titles.panzer.end_of_turn.victory import note_occupants
from pbem.titles.panzer.fire.special_fire import is_less_in_the_open, repair_weapons
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.setup.scenario_file import Objective
from pbem.titles.panzer.sighting.hidden_units import make_counter
from pbem.titles.panzer.sighting.terrain import place_of
from pbem.titles.panzer.state import Command, Feature, Inside, PanzerState, Unit
from pbem.titles.panzer.state import Objective as Control
from pbem.titles.panzer.view import view_of

SQUAD, SOVIET = "german_rifle_squad", "soviet_rifle_squad"

# --- 7.17, 7.25 a squad that loses one weapon while another is broken ----------------------------------------------


@pytest.mark.rule("7.17", editions=("2016",))
@pytest.mark.parametrize(
    ("flags", "dice", "weapons", "left"),
    [
        (("jammed-2",), [1, 1, 10], ("", "german_grw36"), ("jammed-2",)),
        (("jammed-1",), [1, 1, 10], ("", "german_grw36"), ()),
        (("ruined-1", "jammed-2"), [2, 1, 10], ("german_hmg", ""), ("ruined-1",)),
        (("jammed-0", "jammed-2"), [1, 1, 10], ("", "german_grw36"), ("jammed-0", "jammed-2")),
        (("jammed-2",), [1, 10, 10], ("german_hmg", "german_grw36"), ("jammed-2",)),
        (("jammed-1", "jammed-2"), [1, 1, 1], ("", ""), ()),
    ],
)
def test_7_17_a_broken_weapon_stays_the_same_weapon_when_another_is_lost(
    flags: tuple[str, ...], dice: list[int], weapons: tuple[str, ...], left: tuple[str, ...]
):
    """The first die decides which weapon is rolled for first; next turn's repair still refers to the same weapon."""
    squad = a_leg("g1", "C5", SQUAD, weapons=("german_hmg", "german_grw36"), flags=flags)
    rules = {"rules": (*ADVANCED_RULES, "weapon_loss", "malfunction")}
    table = an_advanced_table(
        squad, a_tank("s1", "K9", "t34_76"), edition="2016", scenario=rules, dice=[*dice, *([5] * 3)]
    )
    assert_rule(lose_step_and_weapons(table, squad, "6.5.4.4.3"), "7.17", inputs={"unit": "g1"})
    assert squad.weapons == weapons
    assert squad.flags == left
    repair_weapons(table)


# --- 3.6, 7.2 objectives under hidden counters ---------------------------------------------------------------------


def a_hill(real: bool, turn: int) -> Any:
    """A counter lies on the objective C5, over a squad or as a dummy; in the second case the squad is elsewhere."""
    hill = Objective(
        id="hill", name="hill", hexes=(a_hex("C5"),), vp={"german": 5, "soviet": 5}, taken="held", controller="soviet"
    )
    scenario = {"rules": (*ADVANCED_RULES, "hidden_units"), "objectives": (hill,), "turns": 3}
    squad = a_leg("g1", "C5" if real else "C6", SQUAD, command=Command.NO_COMMAND)
    table = an_advanced_table(
        squad, a_leg("s1", "T18", SOVIET, command=Command.NO_COMMAND), edition="2016", scenario=scenario, turn=turn,
        objectives={"hill": Control(controller="soviet")}, sides=("german", "soviet"),
    )  # fmt: skip
    state: PanzerState = table.state
    for hex, units in (("C5", ["g1"] if real else []), ("C6", [] if real else ["g1"])):
        make_counter(state, "german", a_hex(hex), units)
    note_occupants(table)
    end_turn(table)
    return table


@pytest.mark.parametrize("turn", [1, 3])
@pytest.mark.parametrize("viewer", ["soviet", ""])
def test_3_6_a_counter_on_an_objective_does_not_tell_whether_it_is_real(viewer: str, turn: int):
    """Hidden units take no objective, so control never reveals what is under a counter, not even at the end."""
    real, dummy = a_hill(True, turn), a_hill(False, turn)
    assert seen_by(real.findings, viewer) == seen_by(dummy.findings, viewer)
    assert to_bytes(view_of(real.state, viewer)) == to_bytes(view_of(dummy.state, viewer))


# --- where a unit is: floors, alleys, rubble and positions ----------------------------------------------------------

HOUSE = {"signs": {"C5": "B"}, "storeys": {"C5": 3}}
PLACES: dict[str, dict[str, Any]] = {
    "ground floor": {},
    "upstairs": {"inside": Inside.UP},
    "open": {"hex": "C7"},
    "rubble": {"rubble": True},
    "position": {"hex": "C7", "position": "p1"},
}


def a_place(name: str, kind: str = "leg", **more: Any) -> tuple[Table[PanzerState], Unit]:
    """Return a German unit in one of these places."""
    given = {**PLACES[name], **more}
    hex, rubble = given.pop("hex", "C5"), given.pop("rubble", False)
    unit = a_leg("g1", hex, SQUAD, **given) if kind == "leg" else a_tank("g1", hex, "pz4h", **given)
    rules = {"rules": (*ADVANCED_RULES, "hollow_charge_gp")}
    table = an_advanced_table(
        unit, a_leg("s1", "C9", SOVIET), edition="2016", scenario=rules, board=a_board(**HOUSE),
        features={"p1": Feature(id="p1", type="improved_position", hex=a_hex("C7"), known=("german", "soviet"))},
    )  # fmt: skip
    if rubble:
        table.state.features["r1"] = Feature(
            id="r1", type="brick_rubble", hex=a_hex("C5"), of="brick_building", known=("german", "soviet")
        )
    return table, unit


@pytest.mark.parametrize(
    ("place", "less"),
    [("ground floor", False), ("upstairs", False), ("open", True), ("rubble", True), ("position", False)],
)
def test_7_15_a_hollow_charge_is_less_effective_where_there_is_neither_house_nor_position(place: str, less: bool):
    """A hollow charge has its usual effect only against buildings and positions; rubble is no longer a building."""
    table, squad = a_place(place)
    rocket = next(
        arm
        for name in ("german_panzerfaust", "us_bazooka")
        for arm in weapons_of(table.data, a_leg("u1", "C9", "us_rifle_squad", weapons=(name,)))
        if arm.fixed
    )
    assert is_less_in_the_open(table, rocket, squad) is less


@pytest.mark.parametrize(
    ("place", "kind", "hidden"),
    [
        ("ground floor", "leg", True),
        ("upstairs", "leg", True),
        ("ground floor", "vehicle", False),
        ("rubble", "leg", False),
        ("position", "leg", True),
        ("open", "leg", False),
    ],
)
def test_6_7_3_1_1_aircraft_need_an_fo_for_units_inside_but_not_in_the_alley_or_among_rubble(
    place: str, kind: str, hidden: bool
):
    """A vehicle in a building hex is in the alley unless it went inside."""
    table, unit = a_place(place, kind)
    assert is_hidden(table, unit) is hidden


@pytest.mark.parametrize(("place", "sheltered"), [("ground floor", True), ("upstairs", True), ("rubble", False)])
def test_7_1_3_an_overrun_in_a_house_forces_no_check_and_among_its_rubble_it_does(place: str, sheltered: bool):
    table, squad = a_place(place)
    assert is_sheltered(table, squad) is sheltered


@pytest.mark.parametrize(
    ("place", "needed"), [("ground floor", True), ("rubble", True), ("open", False), ("position", False)]
)
def test_6_6_1_1_2_a_vehicle_needs_support_in_a_building_hex_before_and_after_it_falls(place: str, needed: bool):
    table, tank = a_place(place, "vehicle")
    assert support_needed(table, place_of(tank)) is needed

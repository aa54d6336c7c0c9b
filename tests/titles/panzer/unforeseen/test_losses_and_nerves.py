"""7.1.2, 7.1.3 Every cause of loss makes the right units check: crashes, leaks, flames, walls and bridges."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule, every
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank, an_advanced_table
from titles.panzer.advanced.marching import a_field, moves
from titles.panzer.air.flights import a_table as an_air_table
from titles.panzer.air.flights import fly, plot
from titles.panzer.builders import a_hex, run_step

from pbem.engine.rules.table import Table
from pbem.titles.panzer.close_combat.close_combat import close_combat_step
from pbem.titles.panzer.command.morale import COHESION
from pbem.titles.panzer.end_of_turn.adjustment import burn
from pbem.titles.panzer.fire.special_fire import repair_weapons
from pbem.titles.panzer.obstacles.demolition import demolition
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.state import Command, Damage, Feature, PanzerState, Status, Unit

SQUAD, SOVIET = "german_rifle_squad", "soviet_rifle_squad"
BREAKING = {COHESION: {"german": 1, "soviet": 9}}
"""The German formation has one Cohesion Point, so a single loss (`fallen`) makes it break."""
HOLDING = {COHESION: {"german": 9, "soviet": 9}}


def with_morale(*rules: str) -> dict[str, Any]:
    return {"rules": (*ADVANCED_RULES, "morale", *rules)}


def fallen() -> Unit:
    return a_leg("g9", "K9", SQUAD, status=Status.ELIMINATED)


def reasons(table: Table[PanzerState], rule: str) -> dict[str, list[str]]:
    """The units that checked under a rule, and why."""
    found = (one for one in every(table.findings) if one.rule == rule and "reasons" in one.inputs)  # type: ignore[union-attr]
    return {str(one.inputs["unit"]): list(one.inputs["reasons"]) for one in found}  # type: ignore[union-attr]


@pytest.mark.rule("7.1.2")
@pytest.mark.parametrize("edition", ["2024", "2016"])
def test_6_7_4_2_1_those_on_whom_an_aircraft_crashes_check_their_morale(edition: Any):
    """A crash attacks every unit in its hex, of either side, but not the gun that shot the aircraft down."""
    gun = a_gun("g2", "C6", "flak36", facing=1, command=Command.OVERWATCH)
    under_it = a_leg("g1", "C4", SQUAD, command=Command.NO_COMMAND)
    table = an_air_table(
        gun, under_it, fallen(), dice=[97, 6, 1, 99], edition=edition, scenario=with_morale(), notes=dict(BREAKING)
    )
    fly(table, plot(), **{"anti-aircraft": [[["g2", 0]]]})
    assert table.state.aircraft["a1"].shot_down
    assert reasons(table, "7.1.2") == {"g1": ["attacked"]}
    assert_rule(table.findings, "7.1.2", inputs={"unit": "g1"})


@pytest.mark.rule("7.1.2", editions=("2016",))
def test_7_23_4_a_vehicle_that_burns_by_its_own_fuel_shakes_its_comrades_in_the_hex():
    """7.1.2 item 4: units check if a vehicle of their formation brews up in their hex, even by its own fuel."""
    tank, squad = a_tank("g1", "C5", "pz4h", flags=("fuel-leak",)), a_leg("g2", "C5", SQUAD)
    away = a_leg("g3", "C6", SQUAD)
    table = an_advanced_table(
        tank, squad, away, fallen(), a_tank("s1", "K9", "t34_76"), dice=[2, 99], edition="2016",
        scenario=with_morale("collateral_damage"), notes=dict(BREAKING), stage=9,
    )  # fmt: skip
    run_step(table, close_combat_step(table, "german"))
    assert reasons(table, "7.1.2") == {"g2": ["brew-up"]}
    assert_rule(table.findings, "7.1.2", inputs={"unit": "g2", "reasons": ["brew-up"]})


@pytest.mark.parametrize(("labels", "checks"), [(("chq",), {"g2": ["command-unit-lost"]}), ((), {})])
def test_7_23_4_a_headquarters_that_burns_by_its_own_fuel_is_missed(labels: Any, checks: dict[str, list[str]]):
    tank, squad = a_tank("g1", "C5", "pz4h", flags=("fuel-leak",), labels=labels), a_leg("g2", "C6", SQUAD)
    table = an_advanced_table(
        tank, squad, a_tank("s1", "K9", "t34_76"), dice=[2, 99], edition="2016",
        scenario=with_morale("collateral_damage"), notes=dict(HOLDING), stage=9,
    )  # fmt: skip
    run_step(table, close_combat_step(table, "german"))
    assert reasons(table, "7.1.3") == checks
    assert not tank.alive


@pytest.mark.rule("7.1.3", editions=("2016",))
def test_7_35_2_a_headquarters_lost_in_the_flames_is_missed():
    """The headquarters counts as lost (7.1.1.2), so a unit in range checks; a squad two hexes away does not check."""
    chief, near, far = a_tank("g1", "C5", labels=("chq",)), a_leg("g2", "C6", SQUAD), a_leg("g3", "C7", SQUAD)
    table = an_advanced_table(
        chief, near, far, a_tank("s1", "K9", "t34_76"), dice=[99], edition="2016", scenario=with_morale("fires"),
        notes=dict(HOLDING), turn=2,
    )  # fmt: skip
    table.state.features["f1"] = Feature(id="f1", type="on_fire", hex=a_hex("C5"), turn=1, known=table.state.sides)
    burn(table)
    assert reasons(table, "7.1.3") == {"g2": ["command-unit-lost"]}
    assert_rule(table.findings, "7.1.3", inputs={"unit": "g2"})
    assert_rule(table.findings, "7.1.1.2", inputs={"formation": "german", "losses": 1}, result="holds")


@pytest.mark.rule("7.1.1.1/delayed", editions=("2016",))
def test_7_35_2_a_unit_lost_in_the_flames_is_a_first_loss():
    """Variant 4: cohesion points are rolled for at the first loss, whatever caused it."""
    table = an_advanced_table(
        a_leg("g1", "C5", SQUAD), a_leg("g2", "C9", SQUAD), a_tank("s1", "K9", "t34_76"), dice=[50], edition="2016",
        scenario=with_morale("fires", "delayed_cohesion"), turn=2,
    )  # fmt: skip
    table.state.features["f1"] = Feature(id="f1", type="on_fire", hex=a_hex("C5"), turn=1, known=table.state.sides)
    burn(table)
    assert_rule(table.findings, "7.1.1.1/delayed", inputs={"formation": "german"})


@pytest.mark.rule("7.1.3", editions=("2016",))
def test_7_19_who_was_on_a_bridge_that_engineers_blow_up_is_missed():
    """6.5.4.4.3: the units on a bridge are lost with it, and 7.1.3 requires no other condition."""
    engineers = a_leg("g1", "C5", "german_pioneer_squad", command=Command.MOVE)
    chief, squad = a_tank("s1", "C4", "t34_76", labels=("chq",)), a_leg("s2", "C3", SOVIET)
    bridge = Feature(id="f1", type="bridge", hex=a_hex("C4"), defence=4, known=("german", "soviet"))
    table = an_advanced_table(
        engineers, chief, squad, dice=[99, 99, 99], edition="2016", scenario=with_morale("engineers_and_terrain"),
        notes=dict(HOLDING), features={"f1": bridge},
    )  # fmt: skip
    run_step(table, demolition(table, "german"), {"demolish": [{"feature": "f1", "attackers": ["g1"]}]})
    assert not chief.alive
    assert reasons(table, "7.1.3") == {"s2": ["command-unit-lost"]}
    assert_rule(table.findings, "7.1.3", inputs={"unit": "s2"})


@pytest.mark.rule("7.1.3", editions=("2016",))
def test_6_6_3_a_headquarters_that_is_wrecked_by_a_wall_is_missed():
    """A second damage from a wall knocks the headquarters out (6.5.2.2.4), and its squad in the next hex checks."""
    chief = a_tank("g1", "C9", "pz4h", facing=1, labels=("chq",), damage=Damage.WHOLE)
    table = a_field(
        chief, a_leg("g2", "C10", SQUAD), dice=[1, 100, 99], edition="2016", signs={"C8": "B"},
        scenario=with_morale(), notes=dict(HOLDING),
    )  # fmt: skip
    moves(table, "g1", "f-in")
    assert not chief.alive
    assert reasons(table, "7.1.3") == {"g2": ["command-unit-lost"]}
    assert_rule(table.findings, "7.1.3", inputs={"unit": "g2"})


# --- 7.25 a weapon that stays broken -------------------------------------------------------------------------------


def broken_down(edition: Any, *units: Unit, **more: Any) -> Table[PanzerState]:
    table = an_advanced_table(
        *units, a_tank("s1", "K9", "t34_76"), edition=edition, scenario={"rules": (*ADVANCED_RULES, "malfunction")},
        **more,
    )  # fmt: skip
    repair_weapons(table)
    return table


@pytest.mark.rule("7.25/repair")
@pytest.mark.parametrize(
    ("labels", "after"),
    [((), Command.NO_COMMAND), (("fo",), Command.OVERWATCH), (("recon",), Command.OVERWATCH)],
)
def test_7_25_an_observer_needs_no_weapon_for_its_overwatch(labels: Any, after: Command):
    """6.5.1, 6.7.3.1.2: an observer uses its Overwatch to call fire or spot for aircraft, not to fire."""
    section = a_leg("g1", "C5", "german_section", labels=labels, command=Command.OVERWATCH, flags=("jammed-0",))
    table = broken_down("2016", section, dice=[5])
    assert_rule(table.findings, "7.25/repair", inputs={"unit": "g1"}, result="malfunction")
    assert section.command is after


@pytest.mark.rule("7.25/repair")
@pytest.mark.parametrize(
    ("passenger", "after"),
    [
        (lambda: a_leg("g2", "C5", SQUAD, aboard="g1"), Command.FIRE),
        (lambda: a_leg("g2", "C5", SQUAD, aboard="g1", flags=("ruined-0",)), Command.NO_COMMAND),
        (lambda: a_leg("g2", "C5", SQUAD), Command.NO_COMMAND),
        (lambda: a_gun("g2", "C5", "pak36", aboard="g1"), Command.NO_COMMAND),
    ],
)
def test_7_25_passengers_still_fire_under_the_command_of_their_carrier(passenger: Any, after: Command):
    """6.6.7.2: the small arms of passengers can carry out the command of a carrier without a weapon; a gun cannot."""
    carrier = a_tank("g1", "C5", "spw251", command=Command.FIRE, flags=("jammed-0",))
    table = broken_down("2016", carrier, passenger(), dice=[5])
    assert_rule(table.findings, "7.25/repair", inputs={"unit": "g1"}, result="malfunction")
    assert carrier.command is after

"""5.0-7.0 Rules that interact: situations worked out by hand from the book."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from support.rules import assert_rule, every
from titles.panzer.advanced.builders import a_leg, a_tank, advanced_data, an_advanced_state
from titles.panzer.air.flights import a_table, fly, plot
from titles.panzer.builders import a_hex
from titles.panzer.movement.test_movement_advanced import a_field, moves

from pbem.titles.panzer.ap.ap_fire import first_findings
from pbem.titles.panzer.ap.ap_modifiers import an_ap_shot, hit_modifiers
from pbem.titles.panzer.cards.weapons import weapons_of
from pbem.titles.panzer.command.command_control import bears
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.fire.aiming import reach_objections
from pbem.titles.panzer.fire.gp_modifiers import counter_of
from pbem.titles.panzer.fire.turrets import LOCKED
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, PanzerState, Status, Unit

AHEAD, BEHIND = "C5", "C15"


def a_duel(*rules: str, **more: object) -> tuple[PanzerData, PanzerState, Unit]:
    """A tank in C10 that faces north, with enemies in front of and behind it."""
    data = advanced_data(edition="2016", rules=(*ADVANCED_RULES, *rules))
    firer = a_tank("g1", "C10", "pz4h", facing=1, command=Command.FIRE, **more)
    state = an_advanced_state(firer, a_tank("s1", AHEAD, "t34_76"), a_tank("s2", BEHIND, "t34_76"))
    return data, state, firer


# --- 7.23.2 a turret that is locked ------------------------------------------------------------------------------


@pytest.mark.rule("4.4.3.1.4")
def test_7_23_2_without_7_8_a_locked_turret_fires_ahead_only() -> None:
    """The turret ring has been hit: from then on the vehicle can fire only forward."""
    data, state, firer = a_duel("collateral_damage", flags=(LOCKED,))
    arm = weapons_of(data, firer)[0]
    assert bears(Situation(data, state), firer, arm, a_hex(AHEAD)) and not bears(
        Situation(data, state), firer, arm, a_hex(BEHIND)
    )
    assert list(reach_objections(Situation(data, state), firer, arm, "ap", state.vehicles["s1"])) == []
    assert_rule(list(reach_objections(Situation(data, state), firer, arm, "ap", state.vehicles["s2"])), "4.4.3.1.4")
    data, state, firer = a_duel("collateral_damage")
    arm = weapons_of(data, firer)[0]
    assert bears(Situation(data, state), firer, arm, a_hex(BEHIND)), "a turret that is not locked fires all round"


def test_7_23_2_on_overwatch_a_locked_turret_is_not_turned() -> None:
    data, state, firer = a_duel("collateral_damage", flags=(LOCKED,))
    arm = weapons_of(data, firer)[0]
    assert not bears(Situation(data, state), firer, arm, a_hex(BEHIND), turning=True)


def test_7_8_7_23_2_a_turret_that_is_locked_astern_fires_astern() -> None:
    """With 7.8 the turret is locked in its present position relative to the hull."""
    data, state, firer = a_duel("turrets", "collateral_damage", turret=3, flags=(LOCKED,))
    arm = weapons_of(data, firer)[0]
    assert bears(Situation(data, state), firer, arm, a_hex(BEHIND)) and not bears(
        Situation(data, state), firer, arm, a_hex(AHEAD)
    )
    assert not bears(Situation(data, state), firer, arm, a_hex(AHEAD), turning=True)
    firer.facing = 4
    assert bears(Situation(data, state), firer, arm, a_hex(AHEAD)), "it turns with the hull"


# --- 4.4.3.1 what a finding says of the field of fire ------------------------------------------------------------


def field_of(data: PanzerData, state: PanzerState, firer: Unit, target: str) -> object:
    arm = weapons_of(data, firer)[0]
    shot = an_ap_shot(Situation(data, state), firer, arm, "ap", state.vehicles[target])
    return assert_rule(list(first_findings(shot)), "4.4.3.1").result


@pytest.mark.rule("4.4.3.1")
@pytest.mark.parametrize(("command", "bears_now"), [(Command.FIRE, False), (Command.OVERWATCH, True)])
def test_7_8_4_a_turret_is_turned_for_overwatch_but_not_for_fire(command: Command, bears_now: bool) -> None:
    """The turret turns by two hexsides, so from offset 1 both the front and the rear are in reach."""
    data, state, firer = a_duel("turrets", turret=1)
    firer.command = command
    assert (field_of(data, state, firer, "s1"), field_of(data, state, firer, "s2")) == (
        bears_now,
        bears_now,
    )


@pytest.mark.rule("4.4.3.1.4", "7.8")
def test_7_8_only_a_gun_in_a_turret_is_refused_by_the_rule_on_turrets() -> None:
    data = advanced_data(edition="2016", rules=(*ADVANCED_RULES, "turrets"))
    fixed = next(
        id
        for id, card in sorted(data.book.vehicles.items())
        if card.mounts
        and not card.mounts[0].weapon.turreted
        and card.mounts[0].weapon.field == "front"
        and weapons_of(data, a_tank("g1", "C10", id))[0].reach("ap") >= 2
    )
    for card, rule in (("pz4h", "7.8"), (fixed, "4.4.3.1.4")):
        firer = a_tank("g1", "C10", card, facing=1, command=Command.FIRE)
        state = an_advanced_state(firer, a_tank("s2", "C12", "t34_76"))
        arm = weapons_of(data, firer)[0]
        assert_rule(list(reach_objections(Situation(data, state), firer, arm, "ap", state.vehicles["s2"])), rule)


@pytest.mark.rule("4.4.3.1.5")
def test_7_8_a_gun_that_points_to_the_rear_is_refused_by_its_own_rule() -> None:
    data = advanced_data(edition="2016", rules=(*ADVANCED_RULES, "turrets"))
    card = data.book.vehicles["pz4h"]
    mount = card.mounts[0]
    rear = replace(mount, weapon=replace(mount.weapon, turret=0, field="rear"))
    book = replace(data.book, vehicles={**data.book.vehicles, "pz4h": replace(card, mounts=(rear,))})
    data = advanced_data(edition="2016", rules=(*ADVANCED_RULES, "turrets"), book=book)
    firer = a_tank("g1", "C10", "pz4h", facing=1, command=Command.FIRE)
    state = an_advanced_state(firer, a_tank("s1", "C8", "t34_76"))
    arm = weapons_of(data, firer)[0]
    assert_rule(list(reach_objections(Situation(data, state), firer, arm, "ap", state.vehicles["s1"])), "4.4.3.1.5")


@pytest.mark.rule("4.4.3.1")
def test_7_8_the_finding_of_a_field_of_fire_is_that_of_the_turret() -> None:
    data, state, firer = a_duel("turrets", turret=3)
    assert (field_of(data, state, firer, "s1"), field_of(data, state, firer, "s2")) == (False, True)


# --- 5.15, 6.7.4 a gun whose crew has just left ------------------------------------------------------------------


def test_5_15_a_gun_that_its_crew_has_left_does_not_answer_the_attack() -> None:
    """The aircraft attacks the flak vehicle, which declares return fire; its crew bails out before it can fire."""
    data = advanced_data()
    card, number = next(
        (card, number)
        for card, row in sorted(data.book.vehicles.items())
        for number, mount in enumerate(row.mounts)
        if mount.gun.aa is not None and row.nation == "german"
    )
    gun = a_tank("g2", "C12", card, facing=1, command=Command.OVERWATCH)
    table = a_table(gun, dice=[1] * 40)

    def leave_and_answer(ask):
        if not ask.about["answering"]:
            return None
        table.state.vehicles["g2"].bailed_out = True  # the later effect of the attack
        return [["g2", number]]

    played = fly(table, plot(("g2", "strafing")), **{"anti-aircraft": leave_and_answer})
    assert "6.7.3" in [finding.rule for finding in played.findings], "it was attacked"
    assert "6.7.4" not in [finding.rule for finding in played.findings]


# --- 4.5.1.1.9, 6.2.1.1.3 the unit with the counter leaves the map -----------------------------------------------


@pytest.mark.rule("6.2.1.1.3", effect=True)
def test_6_2_1_1_3_those_who_share_a_move_keep_it_when_its_holder_leaves_the_map() -> None:
    field = a_field(
        a_tank("g1", "C1", "pz4h", facing=1, command=Command.MOVE),
        a_tank("g2", "C2", "pz4h", facing=1, command=Command.MOVE, shares="g1"),
        a_tank("g3", "D2", "pz4h", facing=1, command=Command.MOVE, shares="g1"),
    )
    moves(field, "g1", "exit")
    units = field.state.vehicles
    assert units["g1"].status is Status.EXITED
    assert [units[id].shares for id in ("g2", "g3")] == ["", "g2"]
    assert [counter_of(field.state, units[id]).command for id in ("g2", "g3")] == [Command.MOVE] * 2
    moves(field, "g2", "f exit")
    assert units["g2"].status is Status.EXITED and units["g3"].shares == ""


# --- 6.6.7.2 passengers fire under their carrier's counter -------------------------------------------------------


@pytest.mark.rule("4.4.3.2.2/short-halt")
def test_6_6_7_2_a_short_halt_costs_the_carrier_but_not_its_passengers() -> None:
    data = advanced_data()
    name = next(
        name
        for name in sorted(data.book.attached)
        if any(
            "ap" in arm.hows for arm in weapons_of(data, a_leg("g2", "C10", "german_rifle_squad", weapons=(name,)))
        )
    )
    carrier = a_tank("g1", "C10", "pz4h", facing=1, command=Command.SHORT_HALT, revealed=True)
    rider = a_leg("g2", "C10", "german_rifle_squad", weapons=(name,), aboard="g1")
    state = an_advanced_state(carrier, rider, a_tank("s1", "C9", "t34_76"))
    rows = {}
    for unit in (carrier, rider):
        arm = next(arm for arm in weapons_of(data, unit) if "ap" in arm.hows)
        rows[unit.id] = hit_modifiers(an_ap_shot(Situation(data, state), unit, arm, "ap", state.vehicles["s1"]))
    assert_rule(rows["g1"], "4.4.3.2.2/short-halt", result=-4)
    assert "4.4.3.2.2/short-halt" not in [found.rule for found in every(rows["g2"])]

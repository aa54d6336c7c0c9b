"""Orders that come to nothing: only their owner reads which line failed and why."""

from __future__ import annotations

import pytest
from support.rules import failures
from titles.aslsk.builders import a_table, driving, moving_in
from titles.aslsk.ground.building import a_ground

from pbem.engine.rules.findings import PUBLIC, seen_by
from pbem.titles.aslsk.close_combat.phase import close_combat_phase
from pbem.titles.aslsk.fire.phases import turn_guns
from pbem.titles.aslsk.movement.expenditures import expend
from pbem.titles.aslsk.orders import Assault, Attempt, CombatOrder, FireOrder, Leg, Orders, RallyOrders, RoutOrder
from pbem.titles.aslsk.rally.phase import rally_phase
from pbem.titles.aslsk.rout.phase import rout_end
from pbem.titles.aslsk.sequence import tell_left_out
from pbem.titles.aslsk.tabletop import AslskTable
from pbem.titles.aslsk.vehicles.devices import use_device
from pbem.titles.aslsk.vehicles.reactions import try_motion

BROKEN = {"broken": True}


def told(table: AslskTable, seat: str = "russian") -> list[tuple[str, str]]:
    """Return the failed orders in the findings for a seat, each with its line and rule."""
    assert not failures(seen_by(table.findings, PUBLIC))
    return [(order, rule) for _, order, rule in failures(seen_by(table.findings, seat))]


def run(step: object) -> None:
    assert not list(step)  # type: ignore[call-overload]


@pytest.mark.parametrize(("dice", "failed"), [([1, 2], False), ([6, 5], True)])
def test_3_1_a_unit_that_was_ordered_to_rally_and_did_not(dice: list[int], failed: bool) -> None:
    units = {"r1": ("447", "Q6"), "rl": ("r 8-1", "Q6")}
    table = a_table(units, attacker="russian", states={"r1": BROKEN}, dice={"3.1/f-rally": dice})
    table.state.sealed = {"russian": Orders(rally=RallyOrders(rally=(Attempt("r1", "rl"),)))}
    run(rally_phase(table))
    assert told(table) == ([("rally r1 by rl", "3.1/f-rally")] if failed else [])


def test_3_1_rally_orders_for_which_there_was_no_attempt() -> None:
    units = {"r1": ("447", "Q6"), "r2": ("447", "Q7"), "r3": ("447", "Q8")}
    table = a_table(units, attacker="german", states={"r1": BROKEN, "r3": BROKEN})
    wanted = RallyOrders(rally=(Attempt("r1"), Attempt("r2")), extra="r3")
    table.state.sealed = {"russian": Orders(rally=wanted)}
    run(rally_phase(table))
    assert sorted(told(table)) == [
        ("rally r1", "3.1/f-rally"), ("rally r2", "3.1/f-rally"), ("self rally r3", "3.1/e-self-rally"),
    ]  # fmt: skip
    needless = [fail.who for found in table.findings for fail in found.shows if getattr(fail, "needless", False)]
    assert needless == ["r2"], "it is not broken"


def test_3_1_an_order_about_dm_that_the_rules_override() -> None:
    units = {"r1": ("447", "K5"), "r2": ("447", "K1"), "g1": ("467", "K6")}
    shaken = {"broken": True, "dm": True}
    table = a_table(
        units, ground=a_ground({"woods": "K1"}), attacker="german", states={"r1": shaken, "r2": shaken},
        dice={"3.1/e-self-rally": [6, 5] * 2},
    )  # fmt: skip
    table.state.sealed = {"russian": Orders(rally=RallyOrders(shed_dm=("r1",), keep_dm=("r2",)))}
    run(rally_phase(table))
    assert told(table) == [("drop dm r1", "3.1/h-dm-removal"), ("keep dm r2", "3.1/h-dm-removal")]


def test_3_1_a_weapon_that_was_not_recovered() -> None:
    table = a_table(
        {"r1": ("447", "K5")}, weapons={"rw": ("russian-lmg", "K5")}, attacker="russian", dice={"3.1/b-recovery": [6]}
    )
    table.state.sealed = {"russian": Orders(rally=RallyOrders(recover=(Attempt("r1", "rw"),)))}
    run(rally_phase(table))
    assert told(table) == [("r1 recover rw", "3.1/b-recovery")]


@pytest.mark.parametrize(("die", "lines"), [(1, []), (5, [("g1 smoke I5", "3.3.1/smoke-grenades")])])
def test_3_3_1_smoke_grenades_that_place_no_smoke(die: int, lines: list[tuple[str, str]]) -> None:
    table = a_table({"g1": ("548", "I4")}, phase="movement", dice={"3.3.1/smoke-grenades": [die]})
    moving_in(table, ["g1"], spent=0)
    expend(table, [table.state.units["g1"]], Leg("smoke", "I5"))
    assert told(table, "german") == lines


def test_7_5_a_smoke_device_that_places_no_smoke() -> None:
    table = a_table({}, vehicles={"g1": ("german-pz3n", "E8", 1)}, phase="movement", dice={"7.5": [6, 6]})
    assert not use_device(table, table.state.vehicles["g1"])
    assert told(table, "german") == [("g1 device", "7.5")]


def test_3_3_2_1_a_vehicle_that_does_not_get_into_motion() -> None:
    vehicles = {"g1": ("german-pz3n", "E8", 1), "r1": ("russian-t34-85", "E5", 1)}
    table = a_table({}, vehicles=vehicles, phase="movement", attacker="russian", dice={"3.3.2.1": [6]})
    driving(table, "r1", ("E5", 2))
    try_motion(table, table.state.vehicles["g1"])
    assert told(table, "german") == [("g1 motion", "3.3.2.1")]


def test_3_2_4_a_gun_that_was_to_turn_and_is_gone() -> None:
    table = a_table({"r1": ("447", "K5")}, phase="prep", attacker="russian")
    turn_guns(table, "russian", [FireOrder(("rg",), (), face="K6"), FireOrder(("r1",), ("K6",))])
    assert told(table) == [("rg face K6", "3.2.4/covered-arc")]


def test_3_6_a_rout_for_which_there_was_no_reason() -> None:
    table = a_table({"r1": ("447", "K5")}, phase="rout", attacker="german")
    table.state.sealed = {"russian": Orders(routs=(RoutOrder("r1", ("K6",)),))}
    run(rout_end(table))
    assert told(table) == [("r1 rout K6", "3.6/may-rout")]


@pytest.mark.rule("3.8", effect=True)
def test_3_8_an_attack_where_there_is_no_close_combat() -> None:
    table = a_table({"r1": ("447", "K5"), "g1": ("467", "K7")}, phase="advance", attacker="russian")
    table.state.sealed = {"russian": Orders(combats=(CombatOrder("K6", (Assault(("r1",), ("g1",)),)),))}
    run(close_combat_phase(table))
    assert told(table) == [("combat K6 r1 against g1", "3.8")]


@pytest.mark.rule("3.4", effect=True)
def test_by_mail_an_order_given_in_advance_and_left_out_later_is_withdrawn() -> None:
    table = a_table({"r1": ("447", "K5"), "r2": ("447", "K6")}, attacker="german")
    before = Orders(final=(FireOrder(("r1",), ("K7",)), FireOrder(("r2",), ("K8",))))
    tell_left_out(table, "russian", before, Orders(final=(FireOrder(("r2",), ("K9",)),)))
    assert told(table) == [("r1 fire at K7", "3.4")]

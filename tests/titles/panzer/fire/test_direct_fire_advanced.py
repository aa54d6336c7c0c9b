"""4.4.1, 5.14, 6.2.1.1.4, 6.6.7.2 The Direct Fire Step of the advanced game."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule, every, failures
from titles.panzer.advanced.builders import (
    a_gun,
    a_leg,
    a_tank,
    advanced_data,
    an_advanced_state,
    an_advanced_table,
    both_editions,
)
from titles.panzer.builders import a_hex, run_step, run_steps

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import PUBLIC, seen_by
from pbem.engine.rules.refusals import Illegal, Refusal, Refusals, Unreadable, each
from pbem.titles.panzer.fire.aiming import Entry, Occasion, best_first, legal_shots, still_obliged
from pbem.titles.panzer.fire.declarations import beside_of, check_fire, default_fire, fire_options
from pbem.titles.panzer.fire.direct_fire import direct_fire_step
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.sequence import SEQUENCE
from pbem.titles.panzer.sighting.line_of_sight import LineOfSightTable, sight_table
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, Marker, Spot

FIRST = next(number for number, stage in enumerate(SEQUENCE) if stage.step == "direct_fire_step")
FIRE = {"command": Command.FIRE}


def fire(target: str, *firers: list[Any]) -> dict[str, Any]:
    """Build a declaration; a firer is [unit, weapon, how], optionally followed by another target."""
    return {"target": target, "firers": [list(firer) for firer in firers]}


def about(**more: Any) -> Ask:
    return Ask("german", "fire", "4.4.1", about={"engaged": [], "aimed": {}, **more})


def a_game(*units: Any, dice: Any = (), **more: Any) -> Any:
    return an_advanced_table(*units, dice=dice, sides=("german", "british"), stage=FIRST, **more)


def refusals(data: Any, state: Any, answer: Any, **more: Any) -> Refusal:
    with pytest.raises(Refusal) as refused:
        check_fire(Situation(data, state), about(**more), answer)
    return refused.value


def step(table: Any, answers: Any = (), **more: Any) -> Any:
    return run_step(table, direct_fire_step(table, side="german", **more), answers)


# --- 4.4.1 declaring and resolving -----------------------------------------------------------------------------


@both_editions("4.4", "4.4.1", "4.2.1/secrecy", "4.4.1/spot-fire", "5.7", "6.5", "6.5.4")
def test_4_4_1_every_kind_of_unit_fires_ap_or_gp_and_is_marked(edition):
    """L2406, L1406-1412: a gun fires at a tank and a squad at a squad; small arms leave only Spot/Fire SA."""
    gun, squad = a_gun("g1", "C3", "pak38", facing=4, **FIRE), a_leg("g2", "C4", "german_rifle_squad", **FIRE)
    enemies = a_tank("b1", "C6", "crusader1"), a_leg("b2", "C7", "british_rifle_squad")
    table = a_game(gun, squad, *enemies, dice=[100, 1], edition=edition)
    played = step(table, {"fire": [fire("b1", ["g1", 0, "ap"])]})
    assert_rule(played.findings, "6.5", inputs={"side": "german", "step": "direct fire"})
    assert_rule(played.findings, "4.4", inputs={"side": "german", "player": "first"})
    assert_rule(played.findings, "4.4.1", inputs={"target": "b1", "firers": ["g1"]}, result="miss")
    assert_rule(played.findings, ledger_row(edition, "4.2.1/secrecy"), result="revealed")
    assert table.state.next.args["engaged"] == ["b1"]
    played = step(table, {"fire": [fire("b2", ["g2", 0, "gp"])]}, engaged=["b1"])
    assert_rule(played.findings, "6.5.4")
    assert_rule(played.findings, "5.7", result=True, inputs={"weapon": "small arms"})
    assert_rule(played.findings, ledger_row(edition, "4.4.1/spot-fire"), result="fire-sa")
    assert (gun.pending, gun.pending_small_arms, squad.pending_small_arms) == (Spot.FIRE, False, True)
    assert gun.fired and squad.fired and gun.revealed


@pytest.mark.rule("6.2.1.1.4", effect=True)
def test_6_2_1_1_4_whoever_cannot_fire_because_of_its_group_is_told_so():
    """A unit that cannot fire because its group has fired at a target too far from its own is told so."""
    firers = [
        a_leg("g1", "C4", "german_rifle_squad", fired=True, **FIRE),
        a_leg("g2", "C4", "german_rifle_squad", shares="g1"),
    ]
    targets = [a_leg("b1", "C7", "british_rifle_squad"), a_leg("b2", "A5", "british_rifle_squad")]
    table = a_game(*firers, *targets, spotted={"g2": ["b2"]})
    already = {"engaged": ["b1"], "aimed": {"g1": ["b1"]}, "begun": True}
    played = run_step(table, direct_fire_step(table, side="german", **already), {"fire": [None]})
    assert failures(played.findings) == [("g2", "fire", "6.2.1.1.4/fire")]


@both_editions("4.4.1/must-fire")
def test_4_4_1_silence_is_refused_while_somebody_can_fire(edition):
    """A side may not pass while any unit, of whatever kind, can still fire."""
    squad = a_leg("g1", "C4", "german_rifle_squad", **FIRE)
    table = a_game(squad, a_leg("b1", "C7", "british_rifle_squad"), edition=edition)
    refused = refusals(table.data, table.state, None)
    assert_rule(refused, ledger_row(edition, "4.4.1/must-fire"))
    assert each(refused)[0].instead == ("g1 fire b1 with 1 gp",)
    table.state.vehicles["g1"].fired = True
    assert check_fire(table, about(), None) is None


@pytest.mark.rule("4.4.1/declare-per-target", effect=True)
@pytest.mark.rule("4.2.1/binding")
def test_4_4_1_whoever_has_no_target_shows_its_command_at_the_end():
    """A-38: a unit on Fire that has no target reveals its command at the end of the step."""
    gun = a_gun("g1", "C3", "pak38", facing=1, **FIRE)  # it looks away
    table = a_game(gun, a_tank("b1", "C6", "crusader1"))
    played = step(table, {"fire": [None]})
    assert_rule(played.findings, "4.2.1/binding", inputs={"unit": "g1"}, result="no-target")
    assert failures(seen_by(played.findings, "german")) == [("g1", "fire", "4.4.1")]
    assert not failures(seen_by(played.findings, PUBLIC))
    assert gun.revealed and not gun.fired
    assert table.state.next.name == "direct_fire_step" and table.state.stage == FIRST + 1


@both_editions("4.4.1/spotted-before", "4.4.1/one-shot", "4.4.1/declare-per-target", "4.4.1", "3.1", "4.4.3")
def test_4_4_1_what_a_declaration_is_refused_for(edition):
    units = a_tank("g1", "C3", "pz3j", **FIRE), a_tank("g2", "C3", "pz3j", fired=True, **FIRE)
    more = a_tank("g3", "C3", "pz3j", command=Command.OVERWATCH), a_tank("b1", "C6", "crusader1")
    waiting = a_tank("b3", None, "crusader1"), a_tank("g4", None, "pz4h", **FIRE)
    state = an_advanced_state(*units, *more, *waiting, a_tank("b2", "C7", "crusader1"), spotted={"g1": ["b2"]})
    data = advanced_data(edition=edition, sides=state.sides)

    def refused(answer: Any, **more: Any) -> Refusal:
        return refusals(data, state, answer, **more)

    assert_rule(refused(fire("b1", ["g1", 0, "ap"])), ledger_row(edition, "4.4.1/spotted-before"))
    assert_rule(refused(fire("b2", ["g2", 0, "ap"])), ledger_row(edition, "4.4.1/one-shot"))
    assert_rule(refused(fire("b2", ["g3", 0, "ap"])), "4.4.1")
    assert_rule(refused(fire("b2", ["g1", 0, "ap"]), engaged=["b2"]), ledger_row(edition, "4.4.1/declare-per-target"))
    assert_rule(refused(fire("b2", ["b1", 0, "ap"])), "3.1")
    assert_rule(refused(fire("x9", ["g1", 0, "ap"])), "4.4.3")
    assert_rule(refused(fire("b3", ["g1", 0, "ap"])), "4.4.3")  # not on the map yet
    assert_rule(refused(fire("C8", ["g4", 0, "smoke"])), "3.1")
    assert_rule(refused(fire("b2", ["g1", 7, "ap"])), "4.4.3")
    assert isinstance(refused({"target": "b2"}), Unreadable)
    assert isinstance(refused(fire("b2", ["g1"])), Unreadable)
    assert isinstance(refused(fire("b2", ["g2", 0, "ap"], ["g3", 0, "ap"])), Refusals)


def test_4_4_1_what_is_left_out_is_the_usual_way_to_fire():
    """Unless the order says otherwise, fire is AP at vehicles and GP at all other targets."""
    tank = a_tank("g1", "C3", "pz3j", **FIRE)
    state = an_advanced_state(tank, a_tank("b1", "C6", "crusader1"), a_leg("b2", "C7", "british_rifle_squad"))
    data = advanced_data(sides=state.sides)
    assert check_fire(Situation(data, state), about(), fire("b1", ["g1", 0])) == fire("b1", ["g1", 0, "ap"])
    assert check_fire(Situation(data, state), about(), fire("b2", ["g1", 0])) == fire("b2", ["g1", 0, "gp"])


def test_r_09_whoever_has_no_other_target_is_in_the_group():
    """R-09, 4.4.1 item 4: a unit with no other target joins the group, as its fire must be declared together."""
    tanks = a_tank("g1", "C3", "pz3j", **FIRE), a_tank("g2", "C4", "pz3j", **FIRE)
    state = an_advanced_state(
        *tanks,
        a_tank("b1", "C8", "crusader1"),
        a_tank("b2", "C9", "crusader1"),
        spotted={"g1": ["b1", "b2"], "g2": ["b1"]},
    )
    data = advanced_data(sides=state.sides)
    assert check_fire(Situation(data, state), about(), fire("b1", ["g1", 0, "ap"]))["firers"][1][0] == "g2"
    assert check_fire(Situation(data, state), about(), fire("b2", ["g1", 0, "ap"])) == fire("b2", ["g1", 0, "ap"])


@both_editions("4.4.1/declare-per-target")
def test_4_4_1_a_target_that_is_gone_is_still_fired_at(edition):
    tanks = a_tank("g1", "C3", "tiger1", **FIRE), a_tank("g2", "C4", "tiger1", **FIRE)
    table = a_game(*tanks, a_tank("b1", "C6", "crusader1"), dice=[1, 57], edition=edition)
    played = step(table, {"fire": [fire("b1", ["g1", 0, "ap"], ["g2", 0, "ap"])]})
    assert_rule(played.findings, ledger_row(edition, "4.4.1/declare-per-target"), result="too-late")
    assert tanks[1].fired and tanks[1].pending is Spot.FIRE


@both_editions("4.4.3.2.2/target-moving")
def test_4_4_3_2_2_the_owner_is_asked_once_for_ap_and_gp_together(edition):
    """6.5.4.3: a shown move counts for both kinds of fire; for a squad the owner is never asked."""
    units = a_tank("g1", "C3", "pz3j", **FIRE), a_leg("g2", "C3", "german_rifle_squad", **FIRE)
    truck = a_tank("b1", "C5", "bedford", command=Command.MOVE)
    table = a_game(*units, truck, dice=[100, 1], edition=edition)
    played = step(table, {"fire": [fire("b1", ["g1", 0, "ap"], ["g2", 0, "gp"])]})
    assert [ask.subject for ask in played.asked("show")] == ["b1"]
    assert_rule(played.findings, "4.4.3.2.2/target-moving", result="move")
    assert_rule(played.findings, "4.4.3.2.2/target-moving", result=-2)
    assert any(row["when"] == "target_vehicle_moving" for one in every(played.findings) for row in one.modifiers)


# --- R-05 ------------------------------------------------------------------------------------------------------


def test_r_05_the_default_is_the_most_promising_shot():
    """A gun fires AP at a tank it can penetrate, and a squad fires at a squad in the open; None means
    that all have fired."""
    gun, squad = a_gun("g1", "C3", "pak40", facing=4, **FIRE), a_leg("g2", "C4", "german_rifle_squad", **FIRE)
    enemies = a_tank("b1", "C7", "crusader1"), a_leg("b2", "C7", "british_rifle_squad")
    table = a_game(gun, squad, *enemies, a_tank("b3", "C9", "matilda2"))
    occasion = Occasion(table, "german")
    assert best_first(occasion, legal_shots(occasion, gun))[0][:4] == ("g1", 0, "ap", "b1")
    assert best_first(occasion, legal_shots(occasion, squad))[0][2:] == ("gp", "b2")
    answer = default_fire(occasion)
    assert check_fire(table, about(), answer) == answer
    for unit in (gun, squad):
        unit.fired = True
    assert default_fire(occasion) is None


def test_4_4_1_every_option_is_legal_and_the_default_is_among_the_groups():
    units = [a_tank(f"g{n}", f"C{n + 2}", "pz3j", **FIRE) for n in (1, 2)]
    enemies = a_tank("b1", "C8", "crusader1"), a_leg("b2", "D9", "british_rifle_squad")
    table = a_game(*units, a_leg("g3", "D4", "german_rifle_squad", weapons=("german_hmg",), **FIRE), *enemies)
    options = list(fire_options(table, about()))
    assert len(options) >= 4 and None not in options
    for option in options:
        assert check_fire(table, about(), option)["target"] == option["target"]


# --- 5.14 dual fire --------------------------------------------------------------------------------------------


@pytest.mark.rule("6.5.2.4/dual-fire")
@both_editions("5.14", "5.1.1", "5.1.2")
def test_5_14_several_weapons_of_one_unit(edition):
    """L1496-1508, L2633: only the attached weapon is modified; sections and suppressed units fire one weapon."""
    weapons = {"weapons": ("british_boys", "german_hmg"), **FIRE}
    squad = a_leg("g1", "C3", "german_rifle_squad", **weapons)
    state = an_advanced_state(
        squad,
        a_leg("g2", "C3", "german_section", **weapons),
        a_leg("g3", "C3", "german_rifle_squad", suppression=Marker.OFF, facing=4, **weapons),
        a_tank("b1", "C4", "crusader1"),
        a_tank("b2", "C5", "crusader1"),
    )
    data = advanced_data(edition=edition, sides=state.sides)
    both = fire("b1", ["g1", 0, "gp"], ["g1", 1, "ap"], ["g1", 2, "gp", "b2"])
    assert check_fire(Situation(data, state), about(), both)["firers"][:3] == both["firers"]
    for unit, rule in (("g2", "5.1.2"), ("g3", "5.1.1")):
        assert_rule(refusals(data, state, fire("b1", [unit, 0, "gp"], [unit, 1, "ap"])), rule)
    assert_rule(
        refusals(data, state, fire("b1", ["g1", 0, "gp"], ["g1", 0, "gp"])), ledger_row(edition, "4.4.1/one-shot")
    )
    table = a_game(state=state, data=data, dice=[1, 100, 1])
    played = step(table, {"fire": [both]})
    assert_rule(
        played.findings, "5.14", result={"small arms": "", "Boys anti-tank rifle": "same", "German HMG": "other"}
    )
    assert_rule(played.findings, "6.5.2.4/dual-fire", result=-1)
    assert table.state.next.args["engaged"] == ["b1", "b2"]


@both_editions("5.14")
def test_5_14_a_suppressed_tank_fires_one_weapon(edition):
    tank = a_tank("b1", "C3", "grant", facing=4, suppression=Marker.ON, **FIRE)
    state = an_advanced_state(tank, a_tank("g1", "C6", "pz3j"), sides=("british", "german"))
    data = advanced_data(edition=edition, sides=state.sides)
    with pytest.raises(Illegal) as refused:
        check_fire(
            Situation(data, state), Ask("british", "fire", "4.4.1"), fire("g1", ["b1", 0, "ap"], ["b1", 1, "ap"])
        )
    assert_rule(refused.value, "5.14")


# --- 6.2.1.1.4 shared commands ---------------------------------------------------------------------------------


def sharing(grade: str, edition: str = "2024", places: Any = ("F6", "G6", "F7", "F9")) -> Any:
    """Three units that share a Fire command, and their four targets."""
    own = [a_tank(f"g{n}", f"F{14 + n}", "pz3j", shares="" if n == 1 else "g1", **FIRE) for n in (1, 2, 3)]
    enemies = [a_tank(f"b{n}", place, "crusader1") for n, place in enumerate(places, start=1)]
    state = an_advanced_state(*own, *enemies, sides=("german", "british"))
    return advanced_data(edition=edition, sides=state.sides, grades={"german": grade}), state


def at(*targets: str) -> dict[str, Any]:
    """Declare fire of the first unit at the first target, and of the others at their own targets."""
    entries = [[f"g{n}", 0, "ap", target] for n, target in enumerate(targets, start=1)]
    return fire(targets[0], entries[0][:3], *entries[1:])


@pytest.mark.parametrize(
    ("grade", "targets", "legal"),
    [
        ("seasoned", ("b1", "b2", "b3"), True),
        ("seasoned", ("b1", "b2", "b4"), False),
        ("regulars", ("b1", "b2"), False),
        ("green", ("b1", "b1"), True),
        ("elite", ("b1", "b2", "b4"), False),
        ("elite", ("b2", "b3", "b4"), True),
    ],
)
@both_editions("6.2.1.1.4", "6.2.1.1.4/fire")
def test_6_2_1_1_4_targets_of_a_shared_command_lie_close_together(edition, grade, targets, legal):
    """L1995-1999, 2016:L2124-2126: the firers' grade limits how far apart the targets A1 to A4 may be."""
    data, state = sharing(grade, edition, ("F6", "G6", "F7", "G8"))
    if legal:
        assert check_fire(Situation(data, state), about(), at(*targets))["firers"]
    else:
        assert_rule(refusals(data, state, at(*targets)), "6.2.1.1.4/fire")
    table = a_game(state=state, data=data, dice=[100, 100, 100])
    played = step(table, {"fire": [at(*targets)]})  # how it looks when it is carried out
    assert_rule(played.findings, "6.2.1.1.4", inputs={"units": ["g1", "g2", "g3"]})
    assert_rule(played.findings, "6.2.1.1.4/fire", result=list(dict.fromkeys(targets)))
    assert table.state.next.args["aimed"] == {"g1": list(targets)}
    assert all(state.vehicles[id].revealed for id in ("g1", "g2", "g3"))


@pytest.mark.rule("6.2.1.1.4/fire")
def test_6_2_1_1_4_a_group_remembers_what_it_has_fired_at():
    """A group's range limit also binds later declarations; a unit without a target in it need not fire."""
    data, state = sharing("regulars")
    state.vehicles["g1"].fired = True
    refused = refusals(data, state, fire("b2", ["g2", 0, "ap"]), engaged=["b1"], aimed={"g1": ["b1"]})
    assert_rule(refused, "6.2.1.1.4/fire")
    assert check_fire(Situation(data, state), about(engaged=["b1"], aimed={"g1": ["b1"]}), None) is None


def test_6_2_1_1_4_with_a_command_of_its_own_a_unit_fires_at_what_it_likes():
    data, state = sharing("green")
    for id in ("g2", "g3"):
        state.vehicles[id].shares = ""
    assert check_fire(Situation(data, state), about(), at("b1", "b2", "b4"))


# --- 6.6.7.2 transported fire ----------------------------------------------------------------------------------


def a_lorry(*, command: Command = Command.FIRE, edition: str = "2024", card: str = "spw251", **squad: Any) -> Any:
    """A carrier with a squad and an anti-tank rifle aboard, facing an enemy tank and squad."""
    carrier = a_tank("g1", "C3", card, facing=4, command=command)
    rider = a_leg("g2", "C3", "german_rifle_squad", weapons=("british_boys",), aboard="g1", **squad)
    state = an_advanced_state(
        carrier,
        rider,
        a_tank("b1", "C5", "bedford"),
        a_leg("b2", "D5", "british_rifle_squad"),
        sides=("german", "british"),
    )
    return advanced_data(edition=edition, sides=state.sides), state


@pytest.mark.rule("6.5.2", effect=True)
@pytest.mark.rule("6.5.2.4/dual-fire")
@both_editions("6.6.7.2", "6.6.7.2/spot-marker", "6.5.2.4/transported-fire", "6.5.4.3/transported-fire")
def test_6_6_7_2_passengers_fire_with_their_carrier(edition):
    """L3674-3680: passengers have a target of their own, -10, and -10 for dual fire (for an ATR, -2 and -1).

    The carrier's Short Halt does not apply to them, and the carrier is marked.
    """
    data, state = a_lorry(command=Command.SHORT_HALT, edition=edition)
    answer = fire("b1", ["g1", 0, "gp"], ["g2", 1, "ap"], ["g2", 0, "gp", "b2"])
    assert check_fire(Situation(data, state), about(), answer) == answer
    table = a_game(state=state, data=data, dice=[1, 100, 1])
    played = step(table, {"fire": [answer]})
    carrier, rider = state.vehicles["g1"], state.vehicles["g2"]
    assert_rule(played.findings, "6.6.7.2", inputs={"unit": "g2", "carrier": "g1"})
    assert_rule(played.findings, ledger_row(edition, "6.6.7.2/spot-marker"), result="fire-sa")
    assert_rule(played.findings, "6.5.2.4/transported-fire", result=-2)
    assert_rule(played.findings, "6.5.4.3/transported-fire", result=-10)
    rifle = next(one for one in every(played.findings) if one.rule == "6.5.2")
    assert not [one for one in every(rifle) if one.rule == "4.4.3.2.2/short-halt"]
    assert_rule(rifle, "6.5.2.4/dual-fire", result=-1)
    assert (carrier.pending, carrier.pending_small_arms, rider.pending) == (Spot.FIRE, True, Spot.NONE)
    assert carrier.revealed and rider.fired


def test_6_6_7_2_the_short_halt_of_the_carrier_does_not_hinder_gp_fire_of_passengers():
    """L3678: passengers do not suffer from their carrier's Short Halt."""
    data, state = a_lorry(command=Command.SHORT_HALT)
    table = a_game(state=state, data=data, dice=[1, 1])
    played = step(table, {"fire": [fire("b2", ["g1", 0, "gp"], ["g2", 0, "gp"])]})
    halted = [one for one in every(played.findings) if one.rule == "6.5.4.3/short-halt"]
    assert len(halted) == 1  # of the carrier itself


@pytest.mark.parametrize("command", [Command.MOVE, Command.NO_COMMAND, Command.OVERWATCH])
@both_editions("6.6.7.2")
def test_6_6_7_2_only_fire_and_short_halt_of_the_carrier_let_passengers_fire_now(edition, command):
    data, state = a_lorry(command=command, edition=edition)
    assert_rule(refusals(data, state, fire("b2", ["g2", 0, "gp"])), "6.6.7.2")


@both_editions("6.6.7.2")
def test_6_6_7_2_neither_before_their_carrier_nor_after_it(edition):
    """A40: passengers' fire is declared with their carrier's."""
    data, state = a_lorry(edition=edition)
    assert_rule(refusals(data, state, fire("b2", ["g2", 0, "gp"])), "6.6.7.2")
    state.vehicles["g1"].fired = True
    assert_rule(refusals(data, state, fire("b2", ["g2", 0, "gp"])), "6.6.7.2")


def test_6_6_7_2_passengers_of_an_unarmed_carrier_fire_alone_and_need_not():
    data, state = a_lorry(card="opel")
    occasion = Occasion(Situation(data, state), "german")
    assert not still_obliged(occasion)
    assert check_fire(Situation(data, state), about(), None) is None
    answer = default_fire(occasion)
    assert answer["firers"][0][0] == "g2"  # but they do by default
    assert check_fire(Situation(data, state), about(), answer) == answer
    assert any(option and option["firers"][0][0] == "g2" for option in fire_options(Situation(data, state), about()))


def test_6_6_7_2_the_default_takes_passengers_along():
    data, state = a_lorry()
    assert [firer[0] for firer in default_fire(Occasion(Situation(data, state), "german"))["firers"]] == ["g1", "g2"]


# --- 5.1.3.4 hand-held weapons at passengers -------------------------------------------------------------------


@pytest.mark.rule("5.1.3.4", "6.5.4.2.3")
def test_5_1_3_4_fired_at_a_carrier_the_gp_factor_strikes_its_passengers():
    """2016:L1518: the GP factor also attacks the passengers of the carrier that was hit."""
    squad = a_leg("g1", "C3", "german_rifle_squad", weapons=("german_panzerfaust",), **FIRE)
    truck, rider = a_tank("b1", "C4", "bedford"), a_leg("b2", "C4", "british_rifle_squad", aboard="b1")
    table = a_game(squad, truck, rider, dice=[100, 100, 99], edition="2016")
    played = step(table, {"fire": [fire("b1", ["g1", 1, "ap"])]})
    assert_rule(played.findings, "5.1.3.4", inputs={"carrier": "b1"})
    assert_rule(played.findings, "6.5.4.2.3", inputs={"unit": "b2"})
    assert rider.card == "british_rifle_half_squad" and truck.alive


# --- 6.1.4.3.10 smoke ------------------------------------------------------------------------------------------


@both_editions("6.1.4.3.10", "5.16.2.3")
def test_6_1_4_3_10_direct_smoke_into_a_hex(edition):
    """L1818-1830: smoke needs no spotted target; without ammunition there is none, but the firer is marked."""
    units = a_tank("g1", "C3", "pz4h", **FIRE), a_tank("g2", "C4", "pz4h", **FIRE)
    table = a_game(*units, a_tank("b1", "C15", "crusader1"), spotted={}, dice=[4, 5], edition=edition)
    answer = fire("C8", ["g1", 0, "smoke"])
    assert check_fire(table, about(), answer) == answer
    played = step(table, {"fire": [answer]})
    assert_rule(played.findings, "6.1.4.3.10", inputs={"hex": "C8"}, result="smoke")
    assert [cloud.hexes for cloud in table.state.clouds.values()] == [(a_hex("C8"),)]
    played = step(table, {"fire": [fire("C9", ["g2", 0, "smoke"])]})
    assert_rule(played.findings, "5.16.2.3", result=False)
    assert_rule(played.findings, "6.1.4.3.10", result="no-smoke")
    assert len(table.state.clouds) == 1 and units[1].pending is Spot.FIRE
    assert table.state.next.args["engaged"] == []


@both_editions("6.1.4.3.10", "5.2")
def test_6_1_4_3_10_where_smoke_may_not_go(edition):
    gun = a_gun("g1", "C3", "pak40", facing=4, **FIRE)
    tank = a_tank("g2", "C5", "pz3j", **FIRE)
    table = a_game(gun, tank, a_tank("b1", "C15", "crusader1"), spotted={}, edition=edition)

    def refused(place: str, unit: str = "g1") -> Refusal:
        return refusals(table.data, table.state, fire(place, [unit, 0, "smoke"]))

    assert_rule(refused("C5"), "6.1.4.3.10")  # friends are there
    assert_rule(refused("C2"), "5.2")  # behind the gun
    assert_rule(refused("C8", "g2"), "6.1.4.3.10")  # no smoke ammunition
    assert isinstance(refused("nowhere"), Unreadable)
    assert isinstance(refused("b1"), Unreadable)  # a unit, not the hex B1


@pytest.mark.rule("6.1.4.3.10", effect=True)
def test_6_1_4_3_10_engineers_lay_smoke_by_hand():
    pioneers = a_leg("g1", "C3", "german_pioneer_squad", labels=("engineer",), **FIRE)
    table = a_game(pioneers, a_tank("b1", "C15", "crusader1"), spotted={})
    answer = fire("C4", ["g1", 0, "smoke"])
    assert check_fire(table, about(), answer) == answer
    step(table, {"fire": [answer]})
    assert table.state.clouds
    refusals(table.data, table.state, fire("C6", ["g1", 0, "smoke"]))


# --- 6.5.1 used up ---------------------------------------------------------------------------------------------


@both_editions("6.5.1")
def test_6_5_1_a_command_used_up_by_indirect_fire_fires_no_more(edition):
    gun = a_gun("g1", "C3", "leig18", facing=4, used_up=2, **FIRE)
    table = a_game(gun, a_leg("b1", "C6", "british_rifle_squad"), edition=edition, turn=2)
    assert_rule(refusals(table.data, table.state, fire("b1", ["g1", 0, "gp"])), "6.5.1")
    assert check_fire(table, about(), None) is None


# --- the whole step --------------------------------------------------------------------------------------------


def test_4_4_1_left_alone_both_players_fire_everything_and_the_turn_goes_on():
    own = [a_tank("g1", "C3", "pz3j", **FIRE), a_gun("g2", "D3", "pak38", facing=4, **FIRE)]
    own += [a_leg("g3", "E3", "german_rifle_squad", weapons=("german_hmg",), **FIRE)]
    enemies = [a_tank("b1", "C7", "crusader1", **FIRE), a_leg("b2", "D8", "british_rifle_squad", **FIRE)]
    table = a_game(*own, *enemies, dice=[99] * 40)
    table.state.next = None
    step(table)
    run_steps(table, {"direct_fire_step": direct_fire_step})
    assert all(unit.fired or not unit.alive for unit in table.state.vehicles.values())
    assert table.state.next.name == "overwatch_step"


def test_legality_of_shots_looks_at_no_line_of_sight(monkeypatch):
    """The Spotting Phase has filled `spotted`, so 40 units against 80 enemies need no further line of sight."""
    own = [a_tank(f"g{n:02}", f"{chr(65 + n % 15)}{2 + n // 15}", "pz4h", facing=4, **FIRE) for n in range(40)]
    enemies = [a_tank(f"b{n:02}", f"{chr(65 + n % 18)}{12 + n // 18}", "crusader1") for n in range(80)]
    table = a_game(*own, *enemies)
    for way in ("seen_from", "sees_from_above"):
        monkeypatch.setattr(LineOfSightTable, way, lambda *ends: pytest.fail("a line of sight"))
    occasion = Occasion(table, "german")
    monkeypatch.setattr(sight_table(table.data.board, table.data.charts), "sees", lambda *ends: pytest.fail("a line"))
    assert {shot.how for shot in legal_shots(occasion, own[0])} == {"ap", "ap:APCR", "ap:HEAT", "gp"}
    assert len(still_obliged(occasion)) == 40


@pytest.mark.rule("5.14", effect=True)
def test_5_14_same_or_other_is_told_by_the_target_of_the_primary_weapon():
    """L2629-2633: two attached weapons fire at one tank and the small arms at another, so both have that modifier."""
    weapons = {"weapons": ("british_boys", "german_hmg"), **FIRE}
    squad = a_leg("g1", "C3", "german_rifle_squad", **weapons)
    state = an_advanced_state(squad, a_tank("b1", "C4", "crusader1"), a_tank("b2", "C5", "crusader1"))
    data = advanced_data(sides=state.sides)
    small, rifle, gun = Entry("g1", 0, "gp", "b1"), Entry("g1", 1, "ap", "b2"), Entry("g1", 2, "gp", "b2")
    assert [beside_of(Situation(data, state), one, (small, rifle, gun)) for one in (small, rifle, gun)] == [
        "",
        "other",
        "other",
    ]
    assert [beside_of(Situation(data, state), one, (rifle, gun)) for one in (rifle, gun)] == ["same", "same"]


@pytest.mark.rule("6.5.2", "6.5.2.6", effect=True)
@pytest.mark.rule("5.1.3.4", "6.5.2.6.2/ko-bu", "6.5.4.2.3")
def test_5_1_3_4_passengers_of_a_carrier_that_the_shot_destroys_are_struck_too():
    """2016:L1518, 5.15: passengers of a destroyed vehicle are attacked before they bail out."""
    squad = a_leg("g1", "C3", "german_rifle_squad", weapons=("german_panzerfaust",), **FIRE)
    truck, rider = a_tank("b1", "C4", "bedford"), a_leg("b2", "C4", "british_rifle_squad", aboard="b1")
    table = a_game(squad, truck, rider, dice=[1, 59, 99, 99], edition="2016")
    played = step(table, {"fire": [fire("b1", ["g1", 1, "ap"])]})
    assert not truck.alive
    assert_rule(played.findings, "5.1.3.4", inputs={"carrier": "b1"})
    assert_rule(played.findings, "6.5.4.2.3", inputs={"unit": "b2"}, result="reduced")
    assert_rule(played.findings, "6.5.2.6.2/ko-bu", inputs={"unit": "b2"}, result="survives")


@pytest.mark.rule("6.2.1.1.4/fire", "6.5.2.1/spread-hits")
def test_6_5_2_1_extra_hits_are_not_bound_by_the_targets_of_a_shared_command():
    """house/spread-and-shared: 6.2.1.1.4 restricts declared targets only; elite guns spread hits two hexes."""
    gun = a_gun("g1", "C15", "flak36", facing=1, grade="elite", **FIRE)
    mate = a_gun("g2", "C15", "flak36", facing=1, shares="g1", **FIRE)
    near, far = a_tank("b1", "C6", "crusader1"), a_tank("b2", "C8", "crusader1")
    table = a_game(gun, mate, near, far, dice=[1, 5, 5, 99, 99, 99, 99, 100])
    apart = fire("b1", ["g1", 0, "ap"], ["g2", 0, "ap", "b2"])
    assert_rule(refusals(table.data, table.state, apart), "6.2.1.1.4/fire")
    both = fire("b1", ["g1", 0, "ap"], ["g2", 0, "ap"])
    played = step(table, {"fire": [both], "spread": [["b2"]], "show": False})
    assert_rule(played.findings, "6.5.2.1/spread-hits", result=["b1", "b2"])

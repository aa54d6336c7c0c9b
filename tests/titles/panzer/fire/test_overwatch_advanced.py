"""4.4.2, 4.5.1.1, 6.2.1.1.4, 6.5.3 Overwatch fire of all kinds of units."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank, an_advanced_state, an_advanced_table, both_editions
from titles.panzer.builders import brewed_up, run_step, run_steps

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal
from pbem.titles.panzer.fire.aiming import Entry
from pbem.titles.panzer.fire.overwatch import (
    check_overwatch,
    has_fired,
    is_window,
    overwatch_options,
    overwatch_step,
    overwatch_window,
    shared_watch_objections,
)
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.sequence import SEQUENCE
from pbem.titles.panzer.state import Cloud, Command, Spot

STAGE = next(number for number, stage in enumerate(SEQUENCE) if stage.step == "overwatch_step")
WATCH = {"command": Command.OVERWATCH}
FIRED = {"command": Command.FIRE, "revealed": True, "fired": True, "pending": Spot.FIRE}
MOVES = {"command": Command.MOVE, "revealed": True, "pending": Spot.MOVE}


def a_game(*units: Any, dice: Any = (), **more: Any) -> Any:
    return an_advanced_table(*units, dice=dice, sides=("german", "british"), stage=STAGE, **more)


def fire(target: str, *firers: list[Any]) -> dict[str, Any]:
    return {"target": target, "firers": [list(firer) for firer in firers]}


def about(*targets: str, phase: str = "combat") -> Ask:
    return Ask("german", "overwatch", "4.4.2", about={"targets": list(targets), "phase": phase})


def refused(table: Any, answer: Any, *targets: str) -> Refusal:
    with pytest.raises(Refusal) as refusal:
        check_overwatch(table, about(*targets), answer)
    return refusal.value


def window(table: Any, mover: str, answers: Any = ()) -> Any:
    return run_step(table, overwatch_window(table, table.state.vehicles[mover]), answers)


# --- 4.4.2 the Combat Phase ------------------------------------------------------------------------------------


@pytest.mark.rule("6.5.4.3/overwatch")
@both_editions("4.4.2", "4.4.2/eligible", "4.4.2/spotting", "6.5.3")
def test_4_4_2_a_squad_answers_fire_with_gp_fire(edition):
    """L2723: GP overwatch follows the same rules with its own modifiers; spotting is determined now."""
    squad = a_leg("g1", "C3", "german_rifle_squad", **WATCH)
    table = a_game(squad, a_leg("b1", "C6", "british_rifle_squad", **FIRED), dice=[1], edition=edition, spotted={})
    answer = fire("b1", ["g1", 0, "gp"])
    assert check_overwatch(table, about("b1"), answer) == answer
    played = run_step(table, overwatch_step(table, side="german"), {"overwatch": [answer]})
    assert played.asks[0].about == {"phase": "combat", "targets": ["b1"]}
    assert_rule(played.findings, "4.4.2", inputs={"target": "b1", "firers": ["g1"]})
    assert_rule(played.findings, ledger_row(edition, "4.4.2/eligible"), result="fired")
    assert_rule(played.findings, ledger_row(edition, "4.4.2/spotting"), result=True)
    assert_rule(played.findings, "6.5.3", inputs={"firer": "g1"})
    assert_rule(played.findings, "6.5.4.3/overwatch", result=-5)
    assert squad.fired and squad.revealed and squad.pending is Spot.FIRE


@both_editions("4.4.3.2.2/overwatch-adjust", "6.5.4.3/overwatch-adjust")
def test_4_4_2_only_vehicles_adjust(edition):
    """L2899-2903: leg and towed units never adjust."""
    tank = a_tank("g1", "C3", "pz3j", facing=1, **WATCH)
    units = tank, a_tank("b1", "C6", "crusader1", **FIRED), a_leg("b2", "C5", "british_rifle_squad", **FIRED)
    table = a_game(*units, dice=[100, 1], edition=edition)
    played = run_step(table, overwatch_step(table, side="german"), {"overwatch": [fire("b1", ["g1", 0, "ap"])]})
    assert_rule(played.findings, "4.4.3.2.2/overwatch-adjust", result=-3)
    tank.fired, tank.revealed = False, False
    played = run_step(table, overwatch_step(table, side="german"), {"overwatch": [fire("b2", ["g1", 0, "gp"])]})
    assert_rule(played.findings, "6.5.4.3/overwatch-adjust", result=-10)


def test_4_4_2_rounds_until_both_pass_then_smoke_counts_and_the_turn_goes_on():
    """A-19, A-24, A-55: when both sides have passed, new smoke takes effect and the next step begins."""
    table = a_game(a_tank("g1", "C3", "pz3j", **WATCH), a_tank("b1", "C6", "crusader1", **FIRED))
    table.state.wrecks["C4"] = brewed_up(fresh=True)
    table.state.clouds["c1"] = Cloud(id="c1", type="smoke", hexes=())
    run_step(table, overwatch_step(table, side="german"))
    played = run_steps(table, {"overwatch_step": overwatch_step})
    assert not played.asked(seat="british")  # no unit can fire at them in return
    assert not table.state.wrecks["C4"].fresh and not table.state.clouds["c1"].fresh
    assert table.state.next.name == "close_combat_step"


def test_4_4_2_passengers_that_fired_make_their_carrier_a_target():
    carrier, rider = a_tank("b1", "C6", "bedford"), a_leg("b2", "C6", "british_rifle_squad", aboard="b1", **FIRED)
    table = a_game(a_tank("g1", "C3", "pz3j", **WATCH), carrier, rider)
    assert has_fired(table.state, "british") == ["b1"]


@both_editions("4.4.2/chain")
def test_4_4_2_overwatch_fire_may_be_answered_by_overwatch_fire(edition):
    own = a_gun("g1", "C3", "pak38", facing=4, **WATCH), a_tank("g2", "D3", "pz3j", **FIRED)
    table = a_game(*own, a_tank("b1", "C6", "crusader1", **WATCH), dice=[100, 100], edition=edition)
    answers = {
        ("british", "overwatch"): [fire("g2", ["b1", 0, "ap"])],
        ("german", "overwatch"): [fire("b1", ["g1", 0, "ap"])],
    }
    run_step(table, overwatch_step(table, side="german"), {})
    played = run_steps(table, {"overwatch_step": overwatch_step}, answers)
    assert_rule(played.findings, ledger_row(edition, "4.4.2/chain"), inputs={"target": "b1"})
    assert own[0].fired


# --- permissions -----------------------------------------------------------------------------------------------


@both_editions("4.4.2", "4.4.2/eligible", "4.4.2/spotting", "4.4.1/one-shot", "6.5.1", "6.6.7.2")
def test_4_4_2_what_a_declaration_is_refused_for(edition):
    units = [
        a_tank("g1", "C3", "pz3j", command=Command.FIRE),
        a_tank("g2", "C3", "pz3j", fired=True, **WATCH),
        a_tank("g3", "C3", "pz3j", used_up=2, **WATCH),
        a_tank("g4", "C3", "pz3j", **WATCH),
        a_tank("g5", "C3", "opel", command=Command.MOVE),
        a_leg("g6", "C3", "german_rifle_squad", aboard="g5"),
        a_tank("g7", "C3", "pz3j", revealed=True, **WATCH),
    ]
    far = a_leg("b2", "C20", "british_rifle_squad", command=Command.FIRE, revealed=True, fired=True)
    table = a_game(*units, a_tank("b1", "C6", "crusader1", **FIRED), far, edition=edition, turn=2)

    def why(unit: str, how: str = "ap", target: str = "b1", targets: Any = ("b1", "b2")) -> Refusal:
        return refused(table, fire(target, [unit, 0, how]), *targets)

    assert_rule(why("g1"), "4.4.2")
    assert_rule(why("g2"), ledger_row(edition, "4.4.1/one-shot"))
    assert_rule(why("g3"), "6.5.1")
    assert_rule(why("g4", targets=("b2",)), ledger_row(edition, "4.4.2/eligible"))
    assert_rule(why("g4", "gp", "b2"), ledger_row(edition, "4.4.2/spotting"))
    assert_rule(why("g6", "gp"), "6.6.7.2")
    assert_rule(why("g7"), "4.4.2")
    assert check_overwatch(table, about("b1"), None) is None
    refused(table, fire("C5", ["g4", 0, "smoke"]), "b1")  # smoke needs Fire or Short Halt


def test_4_4_2_options_hold_fire_first_and_all_are_legal():
    units = a_tank("g1", "C3", "pz3j", **WATCH), a_leg("g2", "C4", "german_rifle_squad", **WATCH)
    table = a_game(*units, a_tank("b1", "C6", "bedford", **FIRED))
    options = list(overwatch_options(table, about("b1")))
    assert options[0] is None and len(options) == 4  # each alone, or both together
    for option in options:
        check_overwatch(table, about("b1"), option)


# --- R-12 windows ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("unit", "asked"),
    [
        ({"command": Command.NO_COMMAND}, True),  # it might be Overwatch
        ({"command": Command.MOVE}, True),
        ({"command": Command.MOVE, "shown": True}, False),
        ({"command": Command.FIRE, "revealed": True}, False),
        ({"command": Command.OVERWATCH, "fired": True, "revealed": True}, False),
        ({"command": Command.OVERWATCH, "bailed_out": True}, False),
    ],
)
def test_r_12_who_is_asked_depends_on_nothing_but_what_everybody_sees(unit, asked):
    table = a_game(a_tank("g1", "C3", "pz3j", **unit), a_leg("b1", "C6", "british_rifle_squad", **MOVES))
    assert is_window(table, "german", ["b1"]) is asked


def test_r_12_a_passenger_could_fire_under_the_counter_of_its_carrier():
    carrier, rider = a_tank("g1", "C3", "opel", **WATCH), a_leg("g2", "C3", "german_rifle_squad", aboard="g1")
    table = a_game(carrier, rider, a_leg("b1", "C6", "british_rifle_squad", **MOVES), dice=[1])
    assert is_window(table, "german", ["b1"])
    played = window(table, "b1", {"overwatch": [fire("b1", ["g2", 0, "gp"])]})
    assert played.result is True
    assert carrier.revealed and carrier.pending is Spot.FIRE and carrier.pending_small_arms


def test_r_12_nobody_is_asked_if_nothing_reaches_the_target():
    table = a_game(a_leg("g1", "C3", "german_rifle_squad", **WATCH), a_tank("b1", "C18", "crusader1", **MOVES))
    assert not is_window(table, "german", ["b1"])
    assert window(table, "b1").result is False


@pytest.mark.rule("4.5.1.1", effect=True)
@both_editions("4.5/overwatch", "4.4.3.2.2/target-moving")
def test_4_5_1_1_fire_at_a_mover_and_the_answer_to_it(edition):
    """R-12: the mover's side may fire back at units that fired; a moving target is known to be moving."""
    gun = a_gun("g1", "C3", "pak38", facing=4, **WATCH)
    units = gun, a_tank("b1", "C6", "crusader1", **MOVES), a_leg("b2", "D5", "british_rifle_squad", **WATCH)
    table = a_game(*units, dice=[100, 1], edition=edition)
    answers = {
        ("german", "overwatch"): [fire("b1", ["g1", 0, "ap"])],
        ("british", "overwatch"): [fire("g1", ["b2", 0, "gp"])],
    }
    played = window(table, "b1", answers)
    assert played.result is True
    assert [ask.seat for ask in played.asked("overwatch")][:2] == ["german", "british"]
    assert played.asked("overwatch")[1].about["targets"] == ["g1"]
    assert_rule(played.findings, ledger_row(edition, "4.5/overwatch"), result="moves")
    assert_rule(played.findings, "4.4.3.2.2/target-moving", result=-2)


# --- 6.2.1.1.4 shared Overwatch --------------------------------------------------------------------------------


@both_editions("6.2.1.1.4", "6.2.1.1.4/overwatch")
def test_6_2_1_1_4_who_shares_an_overwatch_fires_now_or_not_at_all(edition):
    """L2005-2011, A-62: all units fire at one moment and at one target; a unit that holds its fire has
    used its command."""
    units = [a_tank(f"g{n}", "C3", "pz3j", shares="" if n == 1 else "g1", **WATCH) for n in (1, 2, 3)]
    enemies = a_tank("b1", "C6", "crusader1", **FIRED), a_tank("b2", "C7", "crusader1", **FIRED)
    table = a_game(*units, *enemies, dice=[100, 100], edition=edition)
    apart = fire("b1", ["g1", 0, "ap"], ["g2", 0, "ap", "b2"])
    assert_rule(refused(table, apart, "b1", "b2"), "6.2.1.1.4/overwatch")
    alone = an_advanced_state(a_tank("g1", "C3", "pz3j", **WATCH), *enemies)
    both = [Entry("g1", 0, "ap", "b1"), Entry("g1", 1, "gp", "b2")]
    assert list(shared_watch_objections(alone, both)) == [], "5.14: one unit may fire its weapons at two targets"
    answer = fire("b1", ["g1", 0, "ap"], ["g2", 0, "ap"])
    played = run_step(table, overwatch_step(table, side="german"), {"overwatch": [answer]})
    assert_rule(played.findings, "6.2.1.1.4", inputs={"units": ["g1", "g2", "g3"]})
    assert_rule(played.findings, "6.2.1.1.4/overwatch", result=["b1"])
    assert not units[2].fired and units[2].revealed
    assert_rule(refused(table, fire("b2", ["g3", 0, "ap"]), "b2"), "6.2.1.1.4/overwatch")
    assert not is_window(table, "german", ["b2"])


@pytest.mark.rule("6.5.2.1", effect=True)
def test_6_5_2_1_extra_hits_on_overwatch_go_only_to_what_may_be_fired_at():
    gun = a_gun("g1", "K12", "flak36", facing=1, grade="elite", **WATCH)
    units = gun, a_tank("b1", "K6", "crusader1", **MOVES), a_tank("b2", "K6", "crusader1")
    table = a_game(*units, dice=[1, 5, 5, 99])
    played = window(table, "b1", {"overwatch": [fire("b1", ["g1", 0, "ap"])]})
    assert not played.asked("spread") and table.state.vehicles["b1"].track_hit

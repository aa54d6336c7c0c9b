"""7.2 Hidden units: counters, dummies, finding them, and secrecy."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule, every
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank, advanced_data, an_advanced_table
from titles.panzer.asking import answer_form
from titles.panzer.builders import a_board, a_hex, run_step

from pbem.engine.geometry.hexes import hex_name
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import PUBLIC, happenings_in, seen_by
from pbem.engine.rules.happenings import Fail
from pbem.engine.rules.refusals import Illegal, Refusal, Refusals
from pbem.engine.rules.state import copy, to_bytes
from pbem.engine.rules.table import Table
from pbem.engine.text.forms import form_text
from pbem.titles.panzer.artillery.barrage import attack_pattern
from pbem.titles.panzer.command.commands import place_commands
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.end_of_turn.adjustment import adjustment_phase
from pbem.titles.panzer.fire.direct_fire import direct_fire_step
from pbem.titles.panzer.fire.overwatch import is_window
from pbem.titles.panzer.movement.movement_step import move_objections, movement_step, no_move_step
from pbem.titles.panzer.player import forms
from pbem.titles.panzer.player.prospects import suggested_groups
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.setup.scenario import Conditions
from pbem.titles.panzer.sighting.hidden_orders import (
    check_hide,
    check_sneak,
    hide_options,
    hiding_step,
    is_fast,
    place_counters,
    sneak,
    sneak_options,
)
from pbem.titles.panzer.sighting.hidden_units import (
    check_unveil,
    look_around,
    make_counter,
    marks_of,
    spotting_phase,
    unveil_options,
    veil,
)
from pbem.titles.panzer.sighting.spotting import with_light
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Cloud, Command, Feature, HiddenCounter, Landed, Mission, PanzerState, Spot
from pbem.titles.panzer.view import view_of

SQUAD, SOVIET = "german_rifle_squad", "soviet_rifle_squad"
WATCHING = ("german", "soviet", PUBLIC)
IN_USE = (*ADVANCED_RULES, "hidden_units")


def a_fight(
    *units: Any, limit: int = 6, edition: str = "2016", rules: Any = IN_USE, **more: Any
) -> Table[PanzerState]:
    scenario = {"rules": rules, "conditions": Conditions(hidden_counters={"german": limit})}
    return an_advanced_table(*units, edition=edition, scenario=scenario, sides=("german", "soviet"), **more)


def range_of_counter(data: PanzerData, state: PanzerState, counter: HiddenCounter) -> int:
    """7.2.2.1 Return the range at which a counter is spotted, which is that of the most visible unit under it."""
    marks = marks_of(Situation(data, state), counter)
    return max(data.charts.spotting_range(with_light(mark.rows, mark.lit), mark.column) for mark in marks)


def under(table: Table[PanzerState], hex: str, *ids: str) -> str:
    """A German counter in a hex, over these units or as a dummy."""
    return make_counter(table.state, "german", a_hex(hex), ids).id


def refusal_of(check: Any, *args: Any) -> Refusal:
    with pytest.raises((Illegal, Refusals)) as refused:
        check(*args)
    return refused.value


# --- 7.2.1, 7.2.2 placing --------------------------------------------------------------------------------------


@pytest.mark.rule("7.2", "7.2.1", "7.2.2", editions=("2016",))
@pytest.mark.parametrize("edition", ["2016", "2024"])
def test_7_2_2_units_that_begin_hidden_are_put_under_counters(edition):
    """L4398-4414: by default there is one counter for each hex and formation, and its contents are secret."""
    units = [a_leg("g1", "C3", SQUAD, flags=("hidden",)), a_leg("g2", "C4", SQUAD, flags=("hidden",))]
    table = a_fight(*units, a_gun("g3", "C4", "pak38", flags=("hidden",)), a_leg("s1", "P9", SOVIET), edition=edition)
    played = run_step(table, hiding_step(table), {"hide": [{"counters": [["C3", ["g1", "g2"]]], "dummies": ["E6"]}]})

    assert [(ask.seat, ask.kind, ask.grade == "order") for ask in played.asks] == [("german", "hide", True)]
    counters = {hex_name(one.hex): one.units for one in table.state.hidden_counters.values()}
    assert counters == {"C3": ("g1", "g2"), "C4": ("g3",), "E6": ()}
    assert table.state.vehicles["g2"].hex == a_hex("C3")
    assert_rule(table.findings, "7.2", inputs={"side": "german"}, result=3)
    assert_rule(table.findings, "7.2.1", result=3)
    assert_rule(table.findings, "7.2.2", result=["g1", "g2"])
    for viewer in ("soviet", PUBLIC):
        heard = list(every(seen_by(table.findings, viewer)))
        assert [finding.rule for finding in heard] == ["7.2", "7.2.1"]


@pytest.mark.rule("7.2.1", "7.2.2", "7.2.3", editions=("2016",))
def test_7_2_2_what_no_counter_may_stand_for():
    """L4398-4414, L4442: a counter covers one formation, within command range, in a hex of its units.

    There are no more counters than the limit.
    """
    data_of = a_fight(
        a_leg("g1", "C3", SQUAD, flags=("hidden",)),
        a_leg("g2", "C6", SQUAD, flags=("hidden",)),
        a_leg("g3", "C4", SQUAD),
        a_leg("s1", "K9", SOVIET),
        limit=2,
    )
    data, view = data_of.data, data_of.state
    start, later = (
        Ask("german", "hide", "7.2.2", about={"start": True}),
        Ask("german", "hide", "7.2.3", about={"start": False}),
    )

    def told(ask: Ask, **answer: Any) -> Refusal:
        return refusal_of(check_hide, Situation(data, view), ask, answer)

    assert_rule(told(start, counters=[["C3", ["g1", "g2"]]]), "7.2.2")
    assert_rule(told(start, counters=[["C4", ["g1"]]]), "7.2.2")
    assert_rule(told(start, counters=[["C4", ["g3"]]]), "7.2.1")
    assert_rule(told(start, dummies=["D4"]), "7.2.2")
    assert_rule(told(later, dummies=["K8"]), "7.2.3")
    assert_rule(told(later, counters=[["C3", ["g1"]]]), "7.2.3")
    assert check_hide(Situation(data, view), start, {"counters": [["C3", ["g1"]]]}) == {"counters": [["C3", ["g1"]]]}
    view.vehicles["g1"].formation = "soviet"
    view.vehicles["g2"].hex = a_hex("C3")
    assert_rule(told(start, counters=[["C3", ["g1", "g2"]]]), "7.2.1")
    for ask in (start, later):
        for option in hide_options(Situation(data, view), ask):
            assert check_hide(Situation(data, view), ask, option) == option


# --- 7.2.2.1 spotting ------------------------------------------------------------------------------------------


@pytest.mark.rule("7.2.2")
def test_7_2_2_who_began_with_more_counters_than_there_are_may_leave_them_and_add_none():
    """Units that start hidden may be in any number of hexes, and their owner need not change that a turn later."""
    table = a_fight(a_leg("g1", "C3", "german_section"), a_leg("g2", "K9", "german_section"), limit=1)
    under(table, "C3", "g1")
    under(table, "K9", "g2")
    ask = Ask("german", "hide", "7.2.3", about={"start": False}, default={})
    assert check_hide(table, ask, ask.silence) == {}
    refused = refusal_of(check_hide, table, ask, {"dummies": ["D9"]})
    assert_rule(refused, "7.2.2", why="there are only 2 counters, but 3 would be on the map")


@pytest.mark.rule("7.2.2.3", editions=("2016",))
@pytest.mark.rule("7.2.2.1", editions=("2016",))
def test_7_2_2_1_a_counter_is_seen_as_the_unit_that_is_seen_most_easily():
    """L4424: a counter over a vehicle and ten leg units is seen at the range of the vehicle. All are then placed."""
    legs = [a_leg(f"g{number}", "C3", SQUAD) for number in range(10)]
    table = a_fight(a_tank("gv", "C3"), *legs, a_leg("s1", "C14", SOVIET))
    id = under(table, "C3", "gv", *(unit.id for unit in legs))
    data, state = table.data, table.state
    with_tank = range_of_counter(data, state, state.hidden_counters[id])
    state.hidden_counters[id].units = tuple(unit.id for unit in legs)
    on_foot = range_of_counter(data, state, state.hidden_counters[id])
    assert with_tank > on_foot == data.charts.spotting_range(0, "S")
    assert with_tank == data.charts.spotting_range(0, "V")

    state.hidden_counters[id].units = ("gv", *(unit.id for unit in legs))
    run_step(table, spotting_phase(table))

    assert_rule(table.findings, "7.2.2.1", inputs={"counter": id, "by": ["s1"], "seen_as": "V"}, result="spotted")
    assert_rule(table.findings, "7.2.2.3", inputs={"counter": id}, result="revealed")
    assert not state.hidden_counters and not any(unit.hidden for unit in state.vehicles.values())
    assert "gv" in state.spotted["s1"]


@pytest.mark.rule("7.2.2.1/dummies", editions=("2016",))
def test_7_2_2_1_a_dummy_is_removed_when_a_leg_unit_would_be_seen():
    """L4426: a dummy is not removed earlier; a dummy that moved like a vehicle is seen like a vehicle."""
    table = a_fight(a_leg("g1", "P15", SQUAD), a_leg("s1", "C3", SOVIET))
    far = table.data.charts.spotting_range(0, "S")
    near, away = under(table, f"C{3 + far}"), under(table, f"C{3 + far + 1}")
    run_step(table, look_around(table))
    assert_rule(table.findings, "7.2.2.1/dummies", inputs={"counter": near}, result="removed")
    assert list(table.state.hidden_counters) == [away]

    table.state.hidden_counters[away].fast = True
    run_step(table, look_around(table))
    assert_rule(table.findings, "7.2.2.1/dummies", inputs={"counter": away, "seen_as": "V"}, result="spotted")


def test_7_2_2_1_next_to_an_enemy_nothing_stays_hidden_and_moving_is_seen_farther():
    table = a_fight(a_leg("g1", "C3", SQUAD, full_cover=True), a_tank("s1", "C4", "zis5"))
    id = under(table, "C3", "g1")
    counter = table.state.hidden_counters[id]
    still = range_of_counter(table.data, table.state, counter)
    counter.marker = True
    assert range_of_counter(table.data, table.state, counter) > still
    run_step(table, look_around(table))
    assert not table.state.hidden_counters and table.state.vehicles["g1"].pending is Spot.MOVE


@pytest.mark.rule("7.2.2.1", "7.2.2.3", editions=("2016",))
def test_7_2_2_1_the_owner_places_what_was_hidden():
    """L4420: units are placed within command range by an open path; a spotted unit is placed in the counter's hex."""
    table = a_fight(
        a_tank("g1", "E5"), a_leg("g2", "E5", SQUAD), a_leg("s1", "P9", SOVIET), board=a_board(signs={"E6": "~"})
    )
    about = {"hex": "E5", "units": ["g1", "g2"], "seen": ["g1"], "fixed": []}
    ask = Ask("german", "unveil", "7.2.2.1", about=about)

    def told(places: Any, **more: Any) -> Refusal:
        return refusal_of(check_unveil, table, Ask("german", "unveil", "7.2.2.1", about={**about, **more}), places)

    assert check_unveil(table, ask, {"g2": ["e4", 2]}) == {"g2": ["E4", 2]}
    assert_rule(told({"g1": ["E4", 2]}), "7.2.2.1")
    assert_rule(told({"g2": ["E8", 2]}), "7.2.2.1")
    assert_rule(told({"g2": ["E4", 2]}, fixed=["g2"]), "7.2.2.3")
    for option in unveil_options(table, ask):
        assert check_unveil(table, ask, option) == option


# --- 7.2.2.2 moving --------------------------------------------------------------------------------------------


@pytest.mark.rule("7.2.2.2", editions=("2016",))
def test_7_2_2_2_a_counter_moves_as_one_unit_at_the_rate_of_its_slowest():
    """L4428-4434: all units under the counter need a Move; the counter gets Spot/Move, and the units do
    not move separately."""
    tank, squad = a_tank("g1", "C3", command=Command.MOVE), a_leg("g2", "C3", SQUAD, command=Command.MOVE)
    table = a_fight(tank, squad, a_tank("s1", "T19", "zis5", command=Command.NO_COMMAND))
    id = under(table, "C3", "g1", "g2")
    state = table.state
    ask = Ask("german", "sneak", "7.2.2.2")
    assert_rule(refusal_of(check_sneak, table, ask, {"move": {id: ["C4", "C5", "C6", "C7"]}}), "7.2.2.2")
    assert_rule(list(move_objections(state, tank)), "7.2.2.2")
    for option in sneak_options(table, ask):
        assert check_sneak(table, ask, option) == option

    state.first = "soviet"
    run_step(table, movement_step(table, side="german"), {"sneak": [{"move": {id: ["C4"]}}], "move": [None]})

    assert_rule(table.findings, "7.2.2.2", inputs={"counter": id, "path": ["C3", "C4"]}, result="C4")
    counter = state.hidden_counters[id]
    assert counter.marker and not counter.fast and tank.hex == squad.hex == counter.hex == a_hex("C4")
    squad.command = Command.OVERWATCH
    tank.moved = squad.moved = False
    assert_rule(refusal_of(check_sneak, table, ask, {"move": {id: ["C5"]}}), "7.2.2.2")


def test_4_5_1_a_unit_that_was_told_to_move_and_stays_under_its_counter_has_a_fate():
    """A unit told to move that stays under its counter is reported, although its side answers every ask itself."""
    for path, fails in ((None, [("g1", "move", "7.2.2.2")]), (["C4"], [])):
        table = a_fight(a_tank("g1", "C3", command=Command.MOVE), a_tank("s1", "T19", "zis5"))
        id = under(table, "C3", "g1")
        sneaking = {"move": {id: path}} if path else {}
        run_step(table, movement_step(table, side="german"), {"sneak": [sneaking], "move": [None]})
        run_step(table, no_move_step(table, side="german"), {})
        told = {
            who: [one for one in happenings_in(seen_by(table.findings, who)) if isinstance(one, Fail)]
            for who in WATCHING
        }
        assert [(one.who, one.order, one.rule) for one in told["german"]] == fails
        assert not told["soviet"] and not told[PUBLIC]


@pytest.mark.rule("7.2.2.2", "7.2.2.3", editions=("2016",))
def test_7_2_2_2_dummies_move_as_anything_and_what_is_seen_on_the_way_is_revealed():
    tank = a_tank("g1", "C3", command=Command.MOVE)
    table = a_fight(tank, a_tank("s1", "H16", "zis5", command=Command.NO_COMMAND))
    real, dummy, third = under(table, "C3", "g1"), under(table, "E5"), under(table, "A1")
    state = table.state
    path = ["E6", "E7", "E8", "E9"]
    assert is_fast(table, state.hidden_counters[dummy], [a_hex(hex) for hex in ("E5", *path)])
    assert_rule(refusal_of(check_sneak, table, Ask("german", "sneak", ""), {"move": {dummy: ["F9"]}}), "7.2.2.2")
    moves = {"reveal": [third], "move": {dummy: path, real: ["C4", "C5", "C6"]}}
    run_step(table, sneak(table, "german"), {"sneak": [moves]})
    assert_rule(table.findings, "7.2.2.3", inputs={"counter": third}, result="by its owner")
    assert_rule(table.findings, "7.2.2.2", inputs={"counter": dummy, "fast": True}, result="spot-move")
    assert third not in state.hidden_counters

    table = a_fight(a_tank("g1", "C3", command=Command.MOVE), a_leg("s1", "K9", SOVIET), dice=[100],
                    features={"x": Feature(id="x", type="hasty_mines", hex=a_hex("C4"))},
                    rules=(*IN_USE, "minefields"))  # fmt: skip
    id = under(table, "C3", "g1")
    run_step(table, sneak(table, "german"), {"sneak": [{"move": {id: ["C4", "C5"]}}]})
    assert_rule(table.findings, "7.2.2.3", inputs={"counter": id}, result="mines")
    assert table.state.vehicles["g1"].hex == a_hex("C4")


@pytest.mark.rule("7.32", editions=("2016",))
@pytest.mark.rule("7.2.2.2", editions=("2016",))
def test_7_2_2_2_what_closes_a_hex_to_a_unit_closes_it_to_its_counter():
    """7.32: the bridge in C4 bears 10 tons; 7.30: a pushed vehicle cannot move; both restrict a counter as well."""
    rules = (*IN_USE, "weight_limits", "narrow_roads")
    given = Conditions(hidden_counters={"german": 6}, bridges=10, narrow_hexes=("C5",))
    board = a_board(signs={"C4": "="}, legend={"=": ["gully", "bridge"]}, links={"road": ["C3-C4-C5-C6"]})
    table = a_fight(a_tank("g1", "C3", command=Command.MOVE), a_tank("s1", "T19", "zis5"), rules=rules)
    table.data = advanced_data(board, edition="2016", sides=("german", "soviet"), rules=rules, conditions=given)
    id, ask = under(table, "C3", "g1"), Ask("german", "sneak", "")
    assert_rule(refusal_of(check_sneak, table, ask, {"move": {id: ["C4"]}}), "7.32")
    table.state.vehicles["g1"].flags = ("hidden", "pushed")
    assert_rule(refusal_of(check_sneak, table, ask, {"move": {id: ["D3"]}}), "7.2.2.2")


@pytest.mark.parametrize(("unit", "board"), [
    (a_leg("g1", "C3", "german_section", weapons=("german_hmg",), command=Command.MOVE), {"C4": "^"}),
    (a_tank("g1", "C3", "pz4h", command=Command.MOVE), None),
])  # fmt: skip
def test_7_2_2_2_a_counter_moves_one_hex_whatever_it_costs(unit: Any, board: Any):
    """4.5.1.1.3, 6.6.4.1: a section with a machine gun has 1 point, and rough ground costs 2; the
    hedgerow takes the whole allowance."""
    field = a_board(signs=board) if board else a_board(hexsides={"hedgerow": ["C3:4"]})
    table = a_fight(unit, a_tank("s1", "T19", "zis5"), board=field)
    id, ask = under(table, "C3", "g1"), Ask("german", "sneak", "7.2.2.2")
    assert check_sneak(table, ask, {"move": {id: ["C4"]}})
    assert_rule(refusal_of(check_sneak, table, ask, {"move": {id: ["C4", "C5"]}}), "7.2.2.2")


def across_mines(owner: str) -> tuple[Table[PanzerState], str]:
    """A counter over a tank moves from C3 through mines in C4 to C5; only an unarmed enemy truck is near."""
    mines = {"x": Feature(id="x", type="hasty_mines", hex=a_hex("C4"), side=owner, known=(owner,))}
    tank, rules = a_tank("g1", "C3", command=Command.MOVE), (*IN_USE, "minefields")
    table = a_fight(tank, a_tank("s1", "T19", "zis5"), features=mines, rules=rules, dice=[100])
    id = under(table, "C3", "g1")
    run_step(table, sneak(table, "german"), {"sneak": [{"move": {id: ["C4", "C5"]}}]})
    return table, id


@pytest.mark.rule("7.2.2.1", editions=("2016",))
def test_7_2_2_1_a_counter_in_the_light_is_seen_farther():
    """7.27, 7.36.1: in the dark, an illuminated counter is read two rows higher, but never above the usual row."""
    rules, night = (*IN_USE, "weather", "illumination"), Conditions(spotting=-3, hidden_counters={"german": 6})
    table = a_fight(a_leg("g1", "C3", SQUAD), a_leg("s1", "T19", SOVIET), rules=rules)
    table.data = advanced_data(edition="2016", sides=("german", "soviet"), rules=rules, conditions=night)
    counter = table.state.hidden_counters[under(table, "C3", "g1")]
    dark = range_of_counter(table.data, table.state, counter)
    table.state.vehicles["s1"].hex = a_hex(f"C{3 + dark + 1}")
    run_step(table, look_around(table))
    assert counter.id in table.state.hidden_counters
    table.state.clouds = {"c1": Cloud(id="c1", type="light", hexes=(a_hex("C3"),), owner="soviet", fresh=False)}
    run_step(table, look_around(table))
    assert_rule(table.findings, "7.2.2.1", inputs={"counter": counter.id, "by": ["s1"]}, result="spotted")


@pytest.mark.rule("7.2.2.3", "7.31.2", editions=("2016",))
def test_7_2_2_2_a_counter_that_comes_into_mines_is_revealed_and_attacked():
    """7.31.2: the owner of the minefield must declare its attack."""
    table, id = across_mines("soviet")
    assert not table.state.hidden_counters and table.state.vehicles["g1"].hex == a_hex("C4")
    assert_rule(table.findings, "7.31.2", inputs={"unit": "g1", "hex": "C4"}, result="none")
    assert_rule(table.findings, "7.2.2.3", inputs={"counter": id}, result="mines")


def test_7_2_2_2_a_counter_passes_through_mines_of_its_own_side():
    """7.31.2: units know the minefields of their own side."""
    table, id = across_mines("german")
    assert id in table.state.hidden_counters and table.state.vehicles["g1"].hex == a_hex("C5")


@pytest.mark.rule("6.6.6", editions=("2016",))
@pytest.mark.rule("7.2.2.3", editions=("2016",))
def test_7_2_2_2_a_counter_that_comes_into_a_barrage_is_revealed_and_attacked():
    """L4438, 6.6.6: a barrage attacks a counter that enters it; units placed in other hexes are not attacked."""
    squad = a_leg("g1", "C3", SQUAD, command=Command.MOVE)
    table = a_fight(squad, a_leg("s1", "K19", SOVIET), dice=[1], turn=1)
    id = under(table, "C3", "g1")
    landed = Landed(firer="s1", point=a_hex("C4"), hexes=(a_hex("C4"),), factor=5, column="M")
    table.state.missions = {"m1": Mission(id="m1", side="soviet", point=a_hex("C4"), landed=(landed,), done_in=1)}
    run_step(table, sneak(table, "german"), {"sneak": [{"move": {id: ["C4"]}}]})
    assert_rule(table.findings, "7.2.2.3", inputs={"counter": id}, result="barrage")
    assert_rule(table.findings, "6.6.6", inputs={"unit": "g1", "hex": "C4"})


# --- 7.2.2.3 revealing -----------------------------------------------------------------------------------------


@pytest.mark.rule("7.2.2.3", editions=("2016",))
@pytest.mark.parametrize("edition", ["2016", "2024"])
def test_7_2_2_3_whoever_fires_is_revealed(edition):
    """L4436: the firer and all units under the same counter are revealed before the fire is resolved."""
    gun, squad = a_gun("g1", "C3", "pak38", facing=4, command=Command.FIRE), a_leg("g2", "C3", SQUAD)
    table = a_fight(gun, squad, a_tank("s1", "C9", "t34_76", command=Command.NO_COMMAND), dice=[100], edition=edition)
    id = under(table, "C3", "g1", "g2")
    fire = [{"target": "s1", "firers": [["g1", 0, "ap"]]}, None]
    played = run_step(table, direct_fire_step(table, side="german"), {"fire": fire})
    assert_rule(table.findings, "7.2.2.3", inputs={"counter": id, "unit": "g1"}, result="fights")
    assert not gun.hidden and not squad.hidden and not table.state.hidden_counters
    unveiled = next(ask for ask in played.asks if ask.kind == "unveil")
    assert unveiled.about["fixed"] == ["g1"]


@pytest.mark.rule("7.2.2.3", "7.2.2.1/dummies", editions=("2016",))
def test_7_2_2_3_fire_that_falls_on_a_counter_reveals_it_and_only_the_pattern_is_hit():
    squad = a_leg("g1", "C3", SQUAD)
    table = a_fight(squad, a_leg("s1", "P9", SOVIET), dice=[1])
    real, dummy, far = under(table, "C3", "g1"), under(table, "D3"), under(table, "H9")
    landed = Landed(firer="s1", point=a_hex("C3"), hexes=(a_hex("C3"), a_hex("D3")), factor=5, column="M")
    mission = Mission(id="m1", side="soviet", point=a_hex("C3"), landed=(landed,))
    run_step(table, attack_pattern(table, mission, landed), {"unveil": [{"g1": ["C2", 1]}]})
    assert_rule(table.findings, "7.2.2.3", inputs={"counter": real}, result="struck")
    assert_rule(table.findings, "7.2.2.1/dummies", inputs={"counter": dummy}, result="removed")
    assert list(table.state.hidden_counters) == [far] and squad.hex == a_hex("C2") and not squad.under_fire


def test_7_2_2_3_an_enemy_that_comes_near_reveals_a_counter_and_may_think_again():
    walker = a_leg("s1", "C6", SOVIET, command=Command.MOVE)
    wood = a_board(signs={"C3": "W"})
    table = a_fight(a_leg("g1", "C3", SQUAD, full_cover=True), walker, board=wood, first="german")
    id = under(table, "C3", "g1")
    moves = {"move": [{"unit": "s1", "mode": "cross", "steps": ["1"]}]}
    played = run_step(table, movement_step(table, side="soviet"), moves)
    revealed = id not in table.state.hidden_counters
    assert revealed and {"unveil", "reroute"} <= {ask.kind for ask in played.asks}


# --- 7.2.3 -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("7.2.3", editions=("2016",))
def test_7_2_3_units_that_nobody_spots_go_back_under_counters():
    """L4442: at the end of the turn unspotted units go under counters, and their Spot markers are removed."""
    squad = a_leg("g1", "C3", SQUAD, spot=Spot.MOVE)
    seen = {"s1": ["g1", "g2"]}  # in the Spotting Phase, before it got away
    table = a_fight(squad, a_leg("g2", "S18", SQUAD), a_leg("s1", "T19", SOVIET), spotted=seen)
    later = Ask("german", "hide", "7.2.3", about={"start": False})
    assert_rule(refusal_of(check_hide, table, later, {"counters": [["S18", ["g2"]]]}), "7.2.3")
    run_step(table, adjustment_phase(table), {"hide": [{"counters": [["C3", ["g1"]]], "dummies": ["B5"]}]})
    assert_rule(table.findings, "7.2.3", inputs={"side": "german"}, result=2)
    assert squad.hidden and squad.spot is Spot.NONE and len(table.state.hidden_counters) == 2
    assert table.state.spotted == {"s1": ["g2"]}


# --- 7.2 secrets -----------------------------------------------------------------------------------------------


def two_worlds() -> tuple[Table[PanzerState], Table[PanzerState]]:
    """Two worlds with two counters, one of which covers a gun and a squad while the other is a dummy;
    the worlds swap the contents."""
    worlds = []
    for real in ("C3", "F5"):
        units = [a_gun("g1", real, "pak38"), a_leg("g2", real, SQUAD, labels=("fo",)), a_leg("g3", "A1", SQUAD)]
        table = a_fight(*units, a_leg("s1", "T18", SOVIET), spotted={"g2": ["s1"]}, dice=[3])
        state = table.state
        dummy = "F5" if real == "C3" else "C3"
        place_counters(table, "german", {"counters": [[real, ["g1", "g2"]]], "dummies": [dummy]}, start=False)
        state.missions["m1"] = Mission(id="m1", side="german", observer="g2", firers=("g1",), point=a_hex("T18"))
        worlds.append(table)
    return worlds[0], worlds[1]


@pytest.mark.parametrize("viewer", ["soviet", PUBLIC])
def test_7_2_two_worlds_that_differ_under_their_counters_look_the_same(viewer):
    """A counter's contents are not in a view, a report or an ask."""
    one, other = two_worlds()
    for table in (one, other):
        run_step(table, spotting_phase(table))
        run_step(table, place_commands(table), {"commands": [{"g1": "overwatch", "g2": "overwatch"}, {}]})
    assert seen_by(one.findings, viewer) == seen_by(other.findings, viewer)
    assert to_bytes(view_of(one.state, viewer)) == to_bytes(view_of(other.state, viewer))
    assert to_bytes(view_of(one.state, "german")) != to_bytes(view_of(other.state, "german"))
    seen = view_of(one.state, viewer)
    assert len(seen.hidden_counters) == 2 and not any(counter.units for counter in seen.hidden_counters.values())
    for table in (one, other):
        assert is_window(table, "german", ["s1"])
        table.findings.clear()
        state = table.state
        where = {unit.id: hex_name(unit.hex) for unit in state.vehicles.values() if unit.hex}
        table.find("6.5.1.7", inputs={"observer": "g2", "firers": ["g1"]}, result=["g1"])
        veil(table, 0)
        assert where
    for heard in (seen_by(one.findings, viewer), seen_by(other.findings, viewer)):
        assert len(heard) == 1 and heard[0].inputs["observer"] == "hidden"
    assert seen_by(one.findings, "german")[0].inputs == {"observer": "g2", "firers": ["g1"]}


def test_7_2_without_the_rule_there_is_nothing_to_place():
    table = a_fight(a_leg("g1", "C3", SQUAD), a_leg("s1", "K9", SOVIET), rules=ADVANCED_RULES)
    played = run_step(table, adjustment_phase(table))
    assert {ask.kind for ask in played.asks} == {"adjust"}
    assert copy(table.state).hidden_counters == {} and advanced_data().plays("hidden_units") is False


# --- 7.2 forms -------------------------------------------------------------------------------------------------


def test_7_2_the_forms_tell_a_player_his_counters_and_what_is_under_them():
    """L4410-4444: the form lists the counters, their contents, and how many are left for dummies."""
    flags = {"flags": ("hidden",)}
    table = a_fight(a_leg("g1", "C3", SQUAD, **flags), a_leg("g10", "C3", SQUAD, **flags), a_leg("s1", "T18", SOVIET))
    data, state = table.data, table.state
    asked = answer_form(data, state, Ask("german", "hide", "7.2.2", about={"start": True}, default={}))
    assert "# C3: g1 g10" in asked and "# 5 more for dummies" in asked
    place_counters(table, "german", {"dummies": ["D5"]}, start=True)
    orders = form_text(forms.command_form(table, "german"))
    assert "# h1 C3: g1 g10" in orders and "# h2 D5: a dummy" in orders
    assert "4 counters left" in " ".join(orders.replace("#", " ").split())
    assert "C3 facing 1, hidden" in orders
    assert "== Hidden counters" not in form_text(
        forms.command_form(Situation(data, view_of(state, "soviet")), "soviet")
    )


def test_7_2_2_2_the_forms_propose_only_groups_that_may_share():
    near = [a_leg(f"g{number}", hex, SQUAD) for number, hex in enumerate(("C3", "C3", "C4", "C4"), start=1)]
    table = a_fight(*near, a_leg("s1", "T18", SOVIET))
    under(table, "C3", "g1", "g2")
    proposed = suggested_groups(table, near)
    assert [[unit.id for unit in group] for group in proposed] == [["g1", "g2"], ["g3", "g4"]]


def test_7_2_1_no_counter_has_the_name_of_a_unit():
    table = a_fight(a_leg("g1", "C3", SQUAD), a_leg("s1", "T18", SOVIET))
    table.state.vehicles["h1"] = table.state.vehicles.pop("s1")
    assert under(table, "C3", "g1") == "hu1"

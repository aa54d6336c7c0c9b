"""7.30 Narrow roads, pushing wrecks and other things off them, and sunken roads."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule, every
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank
from titles.panzer.advanced.marching import SECTION, a_field, moves, refused, where
from titles.panzer.asking import restate
from titles.panzer.builders import a_hex

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.table import Table
from pbem.titles.data_files import DataError
from pbem.titles.panzer.cards.board import read_board
from pbem.titles.panzer.cards.files import packaged
from pbem.titles.panzer.damage.bail_out import get_out
from pbem.titles.panzer.damage.effects import knock_out
from pbem.titles.panzer.movement.steps.unit_steps import mover_of
from pbem.titles.panzer.obstacles.pushing import push_modifier
from pbem.titles.panzer.player.plan import read_plan
from pbem.titles.panzer.reading.reader import read_orders
from pbem.titles.panzer.routes.move_options import move_choices
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.setup.scenario import AdvancedScenario, Conditions
from pbem.titles.panzer.setup.scenario_file import packaged_boards
from pbem.titles.panzer.setup.scenario_reader import load_advanced
from pbem.titles.panzer.state import Command, PanzerState, Unit
from pbem.titles.panzer.telling.sentences import tell
from pbem.titles.panzer.telling.unit_words import condition


def lane(
    *units: Unit, narrow: tuple[str, ...] = ("C9",), edition: str = "2016", wrecks: Any = (), **more: Any
) -> Table[PanzerState]:
    """A road from C12 north to C6 that is narrow in C9, where the wrecks of these vehicles are."""
    given = more.pop("conditions", {"narrow_hexes": narrow})
    scenario = {"rules": (*ADVANCED_RULES, "narrow_roads", *more.pop("rules", ())), "conditions": Conditions(**given)}
    board = {"links": {"road": ["C12-C11-C10-C9-C8-C7-C6", "C10-D10"]}} | more.pop("board", {})
    lost = [a_tank(f"g9{number}", "C9", card) for number, card in enumerate(wrecks)]
    table = a_field(*units, *lost, edition=edition, scenario=scenario, board=board, **more)
    for unit in lost:
        knock_out(table, unit)
    return table


# --- 7.30 ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("7.30", editions=("2016",))
def test_7_30_nobody_enters_a_narrow_hex_with_an_enemy_vehicle() -> None:
    """L4889: vehicles and towed units may not enter a narrow hex with an enemy vehicle; elsewhere they may pass."""
    table = lane(a_tank("g1", "C10"), a_tank("s1", "C9", "t34_76"))
    assert_rule(refused(table, "g1", "f f"), "7.30")
    assert where(lane_after(lane(a_tank("g1", "C10"), a_tank("s1", "C9", "t34_76"), narrow=()), "f f"), "g1") == "C8"
    gun = lane(a_gun("g1", "C10", "pak38"), a_tank("s1", "C9", "t34_76"))
    assert_rule(refused(gun, "g1", "1"), "7.30")


def lane_after(table: Table[PanzerState], steps: str) -> Table[PanzerState]:
    moves(table, "g1", steps)
    return table


@pytest.mark.rule("6.6.10", editions=("2016",))
@pytest.mark.rule("7.30", editions=("2016",))
def test_7_30_past_men_and_guns_of_the_enemy_only_by_an_overrun() -> None:
    """L4891: a vehicle must overrun enemy leg or towed units in a narrow hex, or stay out of it."""
    squad = lane(a_tank("g1", "C10"), a_leg("s1", "C9", "soviet_section"))
    assert_rule(refused(squad, "g1", "f f"), "7.30")
    found = moves(lane(a_tank("g1", "C10"), a_leg("s1", "C9", "soviet_section"), dice=[1]), "g1", "overrun:s1 f")
    assert_rule(found.findings, "6.6.10")


@pytest.mark.rule("7.30", editions=("2016",))
def test_7_30_men_on_foot_go_where_they_like() -> None:
    """L4893: friends and wrecks on the road do not restrict units on foot."""
    table = lane(a_leg("g1", "C10", SECTION), a_tank("g2", "C9"), wrecks=["pz4h"])
    moves(table, "g1", "1 1")
    assert where(table, "g1") == "C8"
    assert_rule(refused(lane(a_tank("g1", "C10"), a_tank("g2", "C9"), wrecks=["pz4h"]), "g1", "f f"), "7.30")


@pytest.mark.rule("7.30", editions=("2016",))
@pytest.mark.parametrize("steps", ["f f", "f l f", "f r f"])
def test_7_30_it_may_join_friends_but_not_pass_them(steps: str) -> None:
    """L4891: a unit may enter a hex with friends, but leave it only by the side through which it came."""
    table = lane(a_tank("g1", "C10"), a_tank("g2", "C9"))
    assert_rule(refused(table, "g1", steps), "7.30")
    moves(table, "g1", "f b")
    assert where(table, "g1") == "C10"


@pytest.mark.rule("7.30", editions=("2016",))
def test_7_30_who_came_first_leaves_first() -> None:
    """L4895: units leave a narrow hex in the order in which they arrived."""
    table = lane(a_tank("g1", "C10"), a_tank("g2", "C10"))
    assert_rule(moves(table, "g2", "f").findings, "7.30", inputs={"unit": "g2", "hex": "C9"}, result=[])
    assert_rule(moves(table, "g1", "f").findings, "7.30", inputs={"unit": "g1"}, result=["g2"])
    for unit in table.state.vehicles.values():
        unit.moved, unit.spent, unit.revealed = False, 0, False
    assert_rule(refused(table, "g1", "f"), "7.30")
    moves(table, "g2", "f")
    moves(table, "g1", "f")
    assert (where(table, "g1"), where(table, "g2")) == ("C8", "C8")


@pytest.mark.rule("7.30", editions=("2016",))
def test_7_30_a_wreck_holds_up_those_behind_it_only() -> None:
    """L4891: units ahead of a wreck on a narrow road may drive on, but those behind it cannot pass."""
    table = lane(a_tank("g1", "C10"), a_tank("g2", "C10"), a_tank("g3", "C10"))
    moves(table, "g1", "f")
    moves(table, "g2", "f")
    knock_out(table, table.state.vehicles["g2"])
    assert_rule(refused(table, "g3", "f f"), "7.30")
    front = table.state.vehicles["g1"]
    front.moved, front.spent, front.revealed = False, 0, False
    moves(table, "g1", "f")
    assert where(table, "g1") == "C8"


@pytest.mark.rule("7.30", editions=("2016",))
def test_7_30_stacking_limits_are_not_exceeded() -> None:
    """L4895, 5.13: a sixth vehicle or gun cannot enter, nor can a gun be unlimbered as the sixth."""
    five = [a_tank(f"g{number}", "C9") for number in range(3, 8)]
    assert_rule(refused(lane(a_tank("g1", "C10"), *five), "g1", "f"), "7.30")
    moves(lane(a_tank("g1", "C10"), *five[:4]), "g1", "f")
    full = lane(a_tank("g1", "C9", "sdkfz10"), a_gun("g2", "C9", "pak38", aboard="g1"), *five[:4])
    assert_rule(refused(full, "g1", "dismount:g2:C9:1"), "7.30")


@pytest.mark.rule("7.30", editions=("2016",))
def test_7_30_an_unlimbered_gun_stands_behind_its_vehicle_and_before_those_who_come_later() -> None:
    table = lane(a_tank("g5", "C10", "sdkfz10"), a_gun("g2", "C10", "pak38", aboard="g5"), a_tank("g9", "C10"))
    moves(table, "g5", "f dismount:g2:C9:1")
    assert_rule(refused(table, "g9", "f f"), "7.30")
    assert "g5, g2" in str(refused(table, "g9", "f f")) or "g2, g5" in str(refused(table, "g9", "f f"))
    truck = table.state.vehicles["g5"]
    truck.moved, truck.spent, truck.revealed = False, 0, False
    moves(table, "g5", "f")
    assert where(table, "g5") == "C8"
    assert_rule(refused(table, "g9", "f f"), "7.30")


@pytest.mark.rule("7.30", editions=("2016",))
def test_7_30_so_does_a_gun_whose_vehicle_is_destroyed() -> None:
    """6.5.2.6.2: the gun takes its vehicle's place in the queue, ahead of later arrivals."""
    table = lane(a_tank("g5", "C10", "sdkfz10"), a_gun("g2", "C10", "pak38", aboard="g5"), a_tank("g9", "C10"))
    moves(table, "g5", "f")
    get_out(table, table.state.vehicles["g2"], "6.5.2.6.1", "out")
    assert_rule(refused(table, "g9", "f f"), "7.30")
    assert "g2" in str(refused(table, "g9", "f f"))


@pytest.mark.rule("7.30", editions=("2016",))
@pytest.mark.parametrize(("sign", "narrow"), [("w", "woods"), ("W", "woods"), ("X", "woods"), ("B", "buildings")])
def test_7_30_a_scenario_calls_whole_kinds_of_places_narrow(sign: str, narrow: str) -> None:
    """L4887: a scenario may declare roads through buildings or woods, or bridges, narrow; other roads stay wide."""
    pair = a_tank("g1", "C10"), a_tank("g2", "C9")
    table = lane(*pair, conditions={"narrow": (narrow,)}, signs={"C9": sign})
    assert_rule(refused(table, "g1", "f f", "road"), "7.30")
    moves(lane(*pair, conditions={}, signs={"C9": sign}), "g1", "f f", "road")


@pytest.mark.rule("7.30", editions=("2016",))
def test_7_30_bridges_may_be_narrow() -> None:
    """L4887: a scenario may declare bridges narrow."""
    more = {"signs": {"C9": "="}, "board": {"legend": {"=": ["gully", "bridge"]}}}
    table = lane(a_tank("g1", "C10"), a_tank("g2", "C9"), conditions={"narrow": ("bridges",)}, **more)
    assert_rule(refused(table, "g1", "f f"), "7.30")


@pytest.mark.rule("7.30")
def test_7_30_a_scenario_of_2024_reads_grove_for_woods() -> None:
    """Edition switch 3: in a 2024 scenario groves count as the woods of the 2016 book."""
    pair = a_tank("g1", "C10"), a_tank("g2", "C9")
    table = lane(*pair, conditions={"narrow": ("woods",)}, signs={"C9": "m"}, edition="2024")
    assert_rule(refused(table, "g1", "f f", "road"), "7.30")


# --- 7.30 pushing --------------------------------------------------------------------------------------------


@pytest.mark.rule("7.30/pushing", editions=("2016",))
@pytest.mark.parametrize(("roll", "result", "place"), [(11, "cleared", "C9"), (10, "stuck", "C10")])
def test_7_30_a_wreck_ahead_is_pushed_aside_on_51_with_the_weight(roll: int, result: str, place: str) -> None:
    """L4897: a push needs 51, with 5 per full 5 tons; a Tiger II weighs 44.8 tons more than a PzKpfw IV."""
    table = lane(a_tank("g1", "C10", "tiger2"), wrecks=["pz4h"], dice=[roll])
    played = moves(table, "g1", "push:wreck:f")

    found = assert_rule(played.findings, "7.30/pushing", result=result, dice=(roll,), cell=51)
    assert found.inputs["total"] == roll + 40  # type: ignore[union-attr]
    assert where(table, "g1") == place
    assert table.state.vehicles["g1"].spent == table.data.vehicle(table.state.vehicles["g1"]).card.cross_country
    assert str(tell(found)).endswith(f"(rolled {roll}, total {roll + 40} against 51).")  # type: ignore[arg-type]


@pytest.mark.rule("4.5.1.1.5", "7.30", editions=("2016",))
@pytest.mark.rule("7.30/pushing", editions=("2016",))
def test_7_30_a_pushed_wreck_obstructs_nobody_any_more() -> None:
    """L4897: the wreck stays in the hex but no longer obstructs the road, until another vehicle is lost there."""
    table = lane(a_tank("g1", "C10", "tiger2"), a_tank("g2", "C11"), wrecks=["pz4h"], dice=[99])
    assert_rule(refused(table, "g2", "f f f", "road"), "4.5.1.1.5")
    assert_rule(moves(table, "g1", "push:wreck:f").findings, "7.30/pushing", result="cleared")
    pusher = table.state.vehicles["g1"]
    pusher.moved, pusher.spent, pusher.revealed = False, 0, False
    moves(table, "g1", "f f")
    moves(table, "g2", "f f f", "road")
    assert (where(table, "g2"), list(table.state.wrecks)) == ("C8", ["C9"])
    again = lane(a_tank("g1", "C10", "tiger2"), a_tank("g2", "C9"), a_tank("g3", "C10"), wrecks=["pz4h"], dice=[99])
    moves(again, "g1", "push:wreck:f")
    knock_out(again, again.state.vehicles["g2"])
    assert_rule(refused(again, "g3", "f f"), "7.30")


@pytest.mark.rule("7.30/pushing", editions=("2016",))
def test_7_30_there_is_nothing_to_push_beyond_the_edge_of_the_map() -> None:
    edge = lane(a_tank("g1", "A9", facing=5), wrecks=["pz4h"])
    why = "the hex ahead is off the map"
    assert_rule(refused(edge, "g1", "push:wreck:f"), "7.30/pushing", why=why)


@pytest.mark.rule("7.30/pushing", editions=("2016",))
def test_7_30_pushing_takes_the_whole_movement_of_a_tracked_vehicle_with_a_move() -> None:
    """L4897: wheeled vehicles and those on Short Halt, towing a gun, or doing anything else in the turn cannot push.

    Nothing heavier than the vehicle can be pushed.
    """
    assert_rule(refused(lane(a_tank("g1", "C9", "opel"), wrecks=["pz4h"]), "g1", "push:wreck"), "7.30/pushing")
    halt = a_tank("g1", "C10", "tiger2", command=Command.SHORT_HALT)
    assert_rule(refused(lane(halt, wrecks=["pz4h"]), "g1", "push:wreck:f"), "7.30/pushing")
    far = lane(a_tank("g1", "C11", "tiger2"), wrecks=["pz4h"])
    assert_rule(refused(far, "g1", "f push:wreck:f"), "7.30/pushing")
    near = lane(a_tank("g1", "C10", "tiger2"), wrecks=["pz4h"])
    assert_rule(refused(near, "g1", "push:wreck:f f"), "7.30/pushing")
    small = lane(a_tank("g1", "C10", "pz4h"), wrecks=["tiger2"])
    assert_rule(refused(small, "g1", "push:wreck:f"), "7.30/pushing")
    wide = lane(a_tank("g1", "C10", "tiger2"), wrecks=["pz4h"], narrow=())
    assert_rule(refused(wide, "g1", "push:wreck:f"), "7.30/pushing")
    towing = lane(a_tank("g1", "C10", "sdkfz10"), a_gun("g2", "C10", "pak38", aboard="g1"), wrecks=["sdkfz10"])
    assert_rule(refused(towing, "g1", "push:wreck:f"), "7.30/pushing")


@pytest.mark.rule("7.30/pushing", editions=("2016",))
def test_7_30_immobile_units_are_pushed_and_never_move_again() -> None:
    """L4897: track-hit friends, unlimbered guns and abandoned vehicles can be pushed; units that can drive cannot."""
    table = lane(a_tank("g1", "C9", "tiger2"), a_tank("g2", "C9", track_hit=True), dice=[60])
    moves(table, "g1", "push:g2")
    pushed = table.state.vehicles["g2"]
    assert pushed.flags == ("pushed",) and "pushed off the road" in map(str, condition(table.state, pushed))
    pushed.track_hit = False
    assert_rule(refused(table, "g2", "f"), "7.30/pushing")
    gun = lane(a_tank("g1", "C10", "tiger2"), a_gun("g2", "C9", "pak38"), dice=[60])
    moves(gun, "g1", "push:g2:f")
    assert_rule(refused(gun, "g2", "1"), "7.30/pushing")
    whole = lane(a_tank("g1", "C9", "tiger2"), a_tank("g2", "C9"))
    assert_rule(refused(whole, "g1", "push:g2"), "7.30/pushing")


@pytest.mark.rule("7.30", editions=("2016",))
@pytest.mark.rule("7.30/pushing", editions=("2016",))
def test_7_30_an_abandoned_vehicle_of_the_enemy_is_pushed_out_of_the_way() -> None:
    """L4897: an abandoned enemy vehicle had closed the hex; once it is pushed aside, others can pass."""
    enemy = a_tank("s1", "C9", "t34_76", bailed_out=True)
    table = lane(a_tank("g1", "C10", "tiger2"), a_tank("g2", "C11"), enemy, dice=[60])
    assert_rule(refused(table, "g2", "f f"), "7.30")
    assert_rule(moves(table, "g1", "push:s1:f").findings, "7.30/pushing", inputs={"pushed": "s1"}, result="cleared")
    assert where(table, "g1") == "C9"
    moves(table, "g2", "f f")
    assert where(table, "g2") == "C9"


@pytest.mark.rule("7.30/pushing", editions=("2016",))
def test_7_30_five_for_each_full_five_tons() -> None:
    """L4897: a push by a vehicle 4.9 tons heavier has no modifier; 5 tons more give +5, and 34.9 tons
    more give +30."""
    table = lane(a_tank("g1", "C9"))
    found = [push_modifier(table.data, pusher, 250) for pusher in (250, 299, 300, 599)]
    assert found == [0, 0, 5, 30]
    played = moves(lane(a_tank("g1", "C9", "pz4h"), wrecks=["pz4h"], dice=[51]), "g1", "push:wreck")
    assert_rule(played.findings, "7.30/pushing", result="cleared", modifiers=[])


def test_7_30_pushing_is_among_the_choices() -> None:
    """Everything that can be pushed, in this hex or ahead, is listed with the other moves."""
    table = lane(a_tank("g1", "C10", "tiger2"), a_tank("g2", "C9", track_hit=True), wrecks=["pz4h"])
    mover = mover_of(table, table.state.vehicles["g1"])
    steps = [steps for _, steps in move_choices(mover) if steps and steps[0].startswith("push:")]
    assert steps == [("push:wreck:f",), ("push:g2:f",)]


# --- 7.30 sunken roads ---------------------------------------------------------------------------------------


@pytest.mark.rule("7.30/sunken-road", editions=("2016",))
def test_7_30_a_sunken_road_is_narrow_too() -> None:
    """L4900: the rules for narrow roads apply, and findings and refusals name the sunken road."""
    table = lane(a_tank("g1", "C10"), a_tank("g2", "C9"), conditions={"sunken_roads": ("C9",)})
    assert_rule(refused(table, "g1", "f f"), "7.30/sunken-road")
    assert_rule(moves(table, "g1", "f").findings, "7.30/sunken-road", result=["g2"])
    assert [item for item in every(table.findings) if item.rule == "7.30"] == []


@pytest.mark.rule("7.30/sunken-road", editions=("2016",))
def test_7_30_a_sunken_road_lies_one_level_lower() -> None:
    """L4900: for sight the hex is like a gully, but only where there is a road, and only with the rule."""
    text = packaged("scenarios/collision.toml").decode()

    def collision(rules: str, hexes: str) -> AdvancedScenario:
        sunken = f'[conditions]\nsunken_roads = ["{hexes}"]\n[victory]'
        changed = text.replace("date =", f"rules = [{rules}]\ndate =", 1).replace("[victory]", sunken, 1)
        return load_advanced(changed, packaged_boards(), file="mine.toml")

    flat, sunken = read_board(packaged_boards()["crossroads"].decode()), collision('"narrow_roads"', "M11").board
    assert sunken.ground(a_hex("M11")) == flat.ground(a_hex("M11")) - 1
    assert sunken.ground(a_hex("M12")) == flat.ground(a_hex("M12"))
    with pytest.raises(DataError, match="no road or path in A1"):
        collision('"narrow_roads"', "A1")
    with pytest.raises(DataError, match="needs the rule narrow_roads"):
        collision('"weather"', "M11")
    table = lane(a_tank("g1", "C10"), a_tank("g2", "C9"), conditions={"sunken_roads": ("C9",)})
    assert_rule(refused(table, "g1", "f f"), "7.30/sunken-road")


# --- orders --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "acts"),
    [
        ("g1 push wreck ahead", ["push:wreck:f"]),
        ("g1 push aside the wreck ahead", ["push:wreck:f"]),
        ("g1 push g2", ["push:g2"]),
        ("g1 face 2 push s1 ahead", ["turn:2", "push:s1:f"]),
    ],
)
def test_7_30_pushing_is_written_and_said_back(line: str, acts: list[str]) -> None:
    """The order is restated in words; a free turn of one hexside may precede the push."""
    units = a_tank("g1", "C10", "tiger2"), a_tank("g2", "C10", track_hit=True)
    enemy = a_tank("s1", "D10", "t34_76", bailed_out=True)
    table = lane(*units, enemy, wrecks=["pz4h"], narrow=("C9", "C10", "D10"), available={"german": 6, "soviet": 6})
    for unit in table.state.vehicles.values():
        unit.command = None
    ask = Ask("german", "commands", "4.2.1", default={}, grade="order")
    read = read_orders(table, ask, line)
    assert read_plan(read.plan).move["g1"].acts == acts
    again = read_orders(table, ask, restate("commands", read))
    assert read_plan(again.plan).move["g1"].acts == acts

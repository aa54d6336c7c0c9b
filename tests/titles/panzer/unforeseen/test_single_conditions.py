"""Single conditions of rules, each with the case on either side of it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank, advanced_data, an_advanced_state, an_advanced_table
from titles.panzer.advanced.marching import a_field, refused
from titles.panzer.builders import a_board, a_hex
from titles.panzer.combinations.turns import at_commands, read
from titles.panzer.whole.test_editions_advanced import desert, load

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal
from pbem.titles.data_files import DataError
from pbem.titles.panzer.ap.ap_damage import check_angle
from pbem.titles.panzer.ap.shot_basics import smokes
from pbem.titles.panzer.artillery.observers import called_by, observer_of
from pbem.titles.panzer.cards.basic_rows import Modifier
from pbem.titles.panzer.cards.charts import charts, with_switches
from pbem.titles.panzer.cards.weapons import weapons_of
from pbem.titles.panzer.command.commands import can_attack
from pbem.titles.panzer.command.initiative import initiative_phase
from pbem.titles.panzer.end_of_turn import digging
from pbem.titles.panzer.movement.placing import crush_wire
from pbem.titles.panzer.movement.steps.unit_steps import mover_of
from pbem.titles.panzer.movement.unfinished import why_ended
from pbem.titles.panzer.obstacles.positions import lay_dust
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.setup.checking import crowded_hexes
from pbem.titles.panzer.setup.deployment import damage_of, occupy
from pbem.titles.panzer.sighting.line_of_sight import Ends, Obstacle, _explain_height, _explain_obstacle, judge
from pbem.titles.panzer.sighting.spotting import _explain_rows, spots
from pbem.titles.panzer.sighting.terrain import ENTRENCHMENT, IMPROVED_POSITION, _after, cover_of, is_entrenched
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Cloud, Damage, Feature, Marker, Status, Unit, Wreck
from pbem.titles.panzer.view import knows_feature

SQUAD = "german_rifle_squad"
FREE = tuple(rule for rule in ADVANCED_RULES if rule != "command_control")


@pytest.mark.rule("3.3", "4.5.1.1.9", effect=True)
@pytest.mark.parametrize(("hex", "step", "word"), [("C1", "f", "exit"), ("C20", "b", "exit-b")])
def test_3_3_a_step_off_the_map_is_answered_with_the_word_that_leaves_it(hex: str, step: str, word: str):
    refusal = refused(a_field(a_tank("g1", hex, "pz4h", facing=1)), "g1", step)
    assert f"use {word} to leave" in str(refusal)


@pytest.mark.rule("4.1.4.1.9", effect=True)
@pytest.mark.parametrize(
    ("brewed_up", "fresh", "smoke"), [(True, False, True), (True, True, False), (False, False, False)]
)
def test_4_1_4_1_9_a_wreck_smokes_once_it_has_brewed_up_in_an_earlier_step(brewed_up: bool, fresh: bool, smoke: bool):
    assert smokes(Wreck(brewed_up=brewed_up, fresh=fresh)) is smoke


@pytest.mark.rule("4.1", "4.1.1", effect=True)
@pytest.mark.parametrize(("status", "seen"), [(Status.ON_MAP, True), (Status.ELIMINATED, False)])
def test_4_1_1_a_unit_that_was_lost_spots_nothing(status: Status, seen: bool):
    spotter, target = a_tank("g1", "C5", "pz4h", status=status), a_tank("s1", "C7", "t34_76")
    situation = Situation(advanced_data(), an_advanced_state(spotter, target))
    assert spots(situation, spotter, target).result is seen


@pytest.mark.rule("4.1.3/spot-move", "4.1.3/spot-fire", effect=True)
def test_4_1_3_each_row_of_the_spotting_chart_is_explained_under_its_rule():
    """Rows for the cover and size of the target are in the chart itself and are not explained again."""
    names = [
        "target_spot_move",
        "target_spot_fire",
        "target_spot_fire_small_arms",
        "spotter_suppressed",
        "visibility",
    ]
    rows = [Modifier(when=name, value=1, rule="6.1.3.1", source="", text="") for name in [*names, "target_size"]]
    found = list(_explain_rows(advanced_data(), rows))
    told = ["4.1.3/spot-move", "4.1.3/spot-fire", "6.1.3/spot-fire-sa", "6.1.3.1", "6.1.3.1"]
    assert [one.rule for one in found] == told


@pytest.mark.rule("4.1.4.2.1", effect=True)
@pytest.mark.parametrize(("away", "blocked"), [(3, True), (4, False)])
def test_4_1_4_2_1_an_obstacle_between_both_heights_hides_what_is_in_its_blind_zone(away: int, blocked: bool):
    """From height 3 over an obstacle of height 2 at 2 hexes: 2/2 = 1 hex behind the obstacle is hidden."""
    here = a_hex("C10")
    place = a_hex("C8")
    ends = Ends(here, a_hex(f"C{10 - away}"), away, (3, 0), here)
    said = judge(charts("2016"), ends, Obstacle("4.1.4.1.7", "woods", (place,), 0, 2))
    assert (said.rule, said.blocks) == ("4.1.4.2.4", blocked)
    higher = judge(charts("2016"), ends, Obstacle("4.1.4.1.7", "woods", (place,), 0, 4))
    assert (higher.rule, higher.blocks) == ("4.1.4.2.1", True)


@pytest.mark.rule("3.8", "5.13", effect=True)
def test_5_13_only_vehicles_and_guns_that_start_on_the_map_crowd_a_hex():
    def row(**more: Any) -> Any:
        return SimpleNamespace(**{"hex": a_hex("C5"), "turn": 0, "aboard": "", "card": "pz4h"} | more)

    data = advanced_data()
    full: Any = [row() for _ in range(20)]
    others = [row(hex=None), row(turn=3), row(aboard="g1"), row(card=SQUAD)]

    def told(rows: Any) -> list[str]:
        scenario: Any = SimpleNamespace(units=rows)
        return list(crowded_hexes(scenario, data.book))

    assert told(full) and "20 vehicles" in told([*full, *others])[0]
    for other in others:
        assert told([other] * 20) == []


@pytest.mark.rule("4.5.1.1", effect=True)
@pytest.mark.parametrize(
    ("over", "slowed", "rule"),
    [("6.6.6", (), "6.6.6"), ("", ("hull",), "6.6.2"), ("", (), "4.5.1.1.5")],
)
def test_4_5_1_1_the_reason_why_a_move_ended(over: str, slowed: tuple[str, ...], rule: str):
    march: Any = SimpleNamespace(over=over, slowed=slowed)
    assert why_ended(a_tank("g1", "C5"), march).rule == rule


@pytest.mark.rule("4.5.1.1.7", effect=True)
def test_4_5_1_1_7_reverse_costs_double_and_a_vehicle_that_tows_cannot_reverse():
    truck, gun = a_tank("g1", "C5", "opel"), a_gun("g2", "C5", "pak40", aboard="g1")
    for units, times in (((truck,), 2), ((truck, gun), 0)):
        assert mover_of(Situation(advanced_data(), an_advanced_state(*units)), truck).reverse_times == times


@pytest.mark.rule("6.1.4.3", effect=True)
def test_6_1_4_3_a_bridge_that_falls_leaves_what_was_below_it():
    assert _after(charts("2016"), ("stream", "bridge"), "bridge_rubble") == ("stream",)
    assert _after(charts("2016"), ("bridge",), "bridge_rubble") == ("clear",)


@pytest.mark.rule("6.1.4.3.6", effect=True)
@pytest.mark.parametrize(
    ("type", "stage", "entrenched"),
    [(ENTRENCHMENT, 4, True), (ENTRENCHMENT, 3, False), (IMPROVED_POSITION, 4, False)],
)
def test_6_1_4_3_6_only_a_finished_entrenchment_entrenches(type: str, stage: int, entrenched: bool):
    squad = a_leg("g1", "C5", SQUAD, position="f1")
    feature = Feature(id="f1", type=type, hex=a_hex("C5"), holder="g1", stage=stage)
    state = an_advanced_state(squad, features={"f1": feature})
    assert is_entrenched(Situation(advanced_data(), state), squad) is entrenched


@pytest.mark.rule("6.1.4.3.8", effect=True)
@pytest.mark.parametrize(
    ("known", "viewer", "knows"),
    [
        (("german",), "german", True),
        (("german",), "soviet", False),
        (("german",), "", False),
        (("german", "soviet"), "", True),
        ((), "", True),
    ],
)
def test_6_1_4_3_8_spectators_learn_of_mines_once_both_sides_know_them(known: Any, viewer: str, knows: bool):
    feature = Feature(id="f1", type="mines", hex=a_hex("C5"), known=known)
    assert knows_feature(feature, viewer, ("german", "soviet")) is knows


@pytest.mark.rule("6.1.4.1", effect=True)
@pytest.mark.parametrize(
    ("words", "act"),
    [("search", "search:hd"), ("search reverse", "search:hd:2:b"), ("search face 3 reverse", "search:hd:3:b")],
)
def test_6_1_4_1_a_search_in_reverse_keeps_the_facing(words: str, act: str):
    tank = a_tank("g1", "C9", "pz4h", facing=2)
    data = advanced_data(a_board(signs={"C9": "^"}), rules=FREE)
    run = at_commands(data, an_advanced_state(tank, a_tank("s9", "T20", "t34_76"), turn=1), {})
    assert read(run, "german", f"g1 {words}").plan["move"]["g1"]["acts"] == [act]


@pytest.mark.rule("6.1.4.3.12", effect=True)
def test_6_1_4_3_12_smoke_in_a_hex_is_not_taken_for_its_dust():
    smoke = Cloud(id="c99", type="smoke", hexes=(a_hex("C5"),), owner="g1", marker=Marker.OFF)
    state = an_advanced_state(a_tank("g1", "C5"), clouds={"c99": smoke})
    for _ in range(2):  # the second time, the dust is there
        lay_dust(state, a_hex("C5"), "g1")
    assert [(cloud.type, cloud.marker) for cloud in state.clouds.values()] == [
        ("smoke", Marker.OFF), ("dust", Marker.ON),
    ]  # fmt: skip


@pytest.mark.rule("6.1.4.3.9", effect=True)
@pytest.mark.parametrize(
    ("type", "unit", "covered"),
    [
        ("brick_rubble", a_gun("g1", "C5", "pak40"), True),
        ("block", a_gun("g1", "C5", "pak40"), False),
        ("block", a_leg("g1", "C5", SQUAD), True),
    ],
)
def test_6_1_4_3_9_rubble_covers_guns_and_a_block_only_men(type: str, unit: Unit, covered: bool):
    feature = Feature(id="f1", type=type, hex=a_hex("C5"), of="brick_building")
    situation = Situation(advanced_data(), an_advanced_state(unit, features={"f1": feature}))
    without = Situation(advanced_data(), an_advanced_state(unit))
    assert (cover_of(situation, unit, "gp") != cover_of(without, unit, "gp")) is covered


@pytest.mark.rule("3.5", effect=True)
@pytest.mark.parametrize(
    ("enemy", "able"),
    [
        (a_leg("s1", "C8", "soviet_rifle_squad"), True),
        (a_tank("s1", "C8", "zis5"), True),
        (a_leg("s1", "C20", "soviet_rifle_squad"), False),
        (a_leg("s1", "C5", "soviet_rifle_squad"), False),
    ],
    ids=["on foot", "a truck", "out of range", "in the same hex"],
)
def test_3_5_small_arms_attack_what_is_in_range_on_foot_or_on_wheels(enemy: Any, able: bool):
    """Small arms have no AP row, so all their fire is GP."""
    squad, data = a_leg("g1", "C5", SQUAD), advanced_data()
    situation = Situation(data, an_advanced_state(squad, enemy))
    assert can_attack(situation, squad, weapons_of(data, squad)[0], enemy) is able


HOUSE, WOODS = (Obstacle(rule, "obstacle", (a_hex("C8"),), 0, 2) for rule in ("4.1.4.1.3", "4.1.4.1.7"))


@pytest.mark.rule("4.1.4.1.3", effect=True)
@pytest.mark.parametrize(
    ("obstacle", "desert", "roof"), [(HOUSE, True, True), (HOUSE, False, False), (WOODS, True, False)]
)
def test_4_1_4_1_3_only_buildings_of_the_desert_have_flat_roofs(obstacle: Obstacle, desert: bool, roof: bool):
    told = _explain_height(with_switches(charts("2024"), {"desert_buildings": desert}), obstacle)
    assert bool(told.children) is roof


@pytest.mark.rule("4.1.4.2.6", effect=True)
def test_4_1_4_2_6_the_blind_zone_of_an_obstacle_is_told_with_its_distance():
    here = a_hex("C10")
    ends = Ends(here, a_hex("C6"), 4, (3, 0), here)
    told = _explain_obstacle(charts("2016"), ends, WOODS, frozenset())
    assert {"distance": 2, "zone": 1, "range": 4}.items() <= told.inputs.items()


@pytest.mark.rule("4.3.1", effect=True)
def test_4_3_1_initiative_is_rolled_in_its_own_phase():
    table = an_advanced_table(a_tank("g1", "C5"), a_tank("s1", "T20", "t34_76"), dice=[90, 10])
    next(initiative_phase(table), None)
    assert table.state.phase == "initiative"


@pytest.mark.rule("4.5.1.1.2", effect=True)
def test_4_5_1_1_2_a_wall_that_stops_horses_does_not_stop_men_on_foot():
    data = advanced_data(edition="2016")
    riders = next(id for id, card in sorted(data.book.legs.items()) if card.mount == "cavalry")
    costs = []
    for card in (SQUAD, riders):
        unit = a_leg("g1", "C5", card)
        costs.append(mover_of(Situation(data, an_advanced_state(unit)), unit).land.crossing("wall"))
    assert costs[0] != "P" and costs[1] == "P"


@pytest.mark.rule("6.1.4.3.7", effect=True)
@pytest.mark.parametrize(("facing", "rear"), [(1, 4), (4, 1), (6, 3)])
def test_6_1_4_3_7_an_improved_position_is_open_to_the_rear_of_its_first_unit(facing: int, rear: int):
    tank = a_tank("g1", "C5", facing=facing)
    feature = Feature(id="f1", type=IMPROVED_POSITION, hex=a_hex("C5"), side="german")
    state = an_advanced_state(tank, features={"f1": feature})
    occupy(state, tank, "f1")
    assert (tank.position, tank.open_angle, state.features["f1"].holder) == ("f1", rear, "g1")


@pytest.mark.rule("6.5.2.5/dm", effect=True)
def test_6_5_2_5_without_hit_locations_there_is_one_kind_of_damage():
    row: Any = SimpleNamespace(damaged=True)
    plain = tuple(rule for rule in ADVANCED_RULES if rule != "hit_location")
    assert damage_of(advanced_data(edition="2024"), row) is Damage.HULL
    assert damage_of(advanced_data(edition="2024", rules=plain), row) is Damage.WHOLE


@pytest.mark.rule("6.5.1.1.2/command-fo", effect=True)
@pytest.mark.parametrize(("labels", "ruled"), [(("fo",), False), (("chq",), False), (("chq", "fo"), True)])
def test_6_5_1_1_2_the_ruling_on_a_command_fo_is_told_for_no_other_observer(labels: Any, ruled: bool):
    data = advanced_data(edition="2024")
    observer = observer_of(data, a_leg("g1", "C5", "german_section", labels=labels))
    assert observer is not None
    assert any(one.rule == "house/A-64" for one in called_by(data, observer).children) is ruled
    told = [one.rule for one in called_by(advanced_data(edition="2016"), observer).children]
    assert ("6.5.1.1.1/other-fo" in told, "6.5.1.1.1/us-fo" in told) == ("fo" in labels, False)


@pytest.mark.rule("6.1.4.3.6", effect=True)
def test_6_1_4_3_6_whoever_leaves_an_entrenchment_needs_no_other():
    squad = a_leg("g1", "C5", SQUAD, position="f1")
    feature = Feature(id="f1", type=ENTRENCHMENT, hex=a_hex("C5"), holder="g1", stage=4)
    table = an_advanced_table(squad, features={"f1": feature})
    digging.occupy(table, squad, "")
    assert (squad.position, table.state.features["f1"].holder) == ("", "")


@pytest.mark.rule("1.6", effect=True)
@pytest.mark.parametrize(("card", "other_book"), [("soviet_cavalry_squad", True), ("no_such_squad", False)])
def test_1_6_a_card_of_neither_book_is_not_looked_for_in_the_other(card: str, other_book: bool):
    text = desert("2024").replace('card = "italian_bersaglieri_squad"', f'card = "{card}"')
    with pytest.raises(DataError) as error:
        load(text)
    assert any("book has no" in mistake.what for mistake in error.value.mistakes) is other_book


@pytest.mark.rule("6.1.4.3.11", effect=True)
@pytest.mark.parametrize(
    ("unit", "left"),
    [(a_tank("g1", "C5"), ["f2", "f3"]), (a_leg("g1", "C5", SQUAD), ["f1", "f2", "f3"])],
    ids=["a tank", "a squad"],
)
def test_6_1_4_3_11_a_vehicle_crushes_the_wire_in_its_hex_and_nothing_else(unit: Unit, left: list[str]):
    places = {"f1": ("wire", "C5"), "f2": ("block", "C5"), "f3": ("wire", "C6")}
    features = {id: Feature(id=id, type=type, hex=a_hex(hex)) for id, (type, hex) in places.items()}
    state = an_advanced_state(unit, features=features)
    crush_wire(state, unit)
    assert list(state.features) == left


@pytest.mark.rule("6.5.2.2/dividing-line", effect=True)
@pytest.mark.parametrize(("dropped", "rule"), [("", "6.5.2.2/dividing-line"), ("hit_location", "4.4.3.2.4")])
def test_6_5_2_2_a_third_angle_is_refused_by_the_rule_for_hits_in_use(dropped: str, rule: str):
    data = advanced_data(rules=tuple(one for one in ADVANCED_RULES if one != dropped))
    situation = Situation(data, an_advanced_state(a_tank("g1", "C5")))
    ask = Ask("german", "angle", "6.5.2.2", about={"angles": ["front", "front_side"]})
    assert check_angle(situation, ask, "front") == "front"
    with pytest.raises(Refusal) as refusal:
        check_angle(situation, ask, "rear")
    assert [one.rule for one in refusal.value.objections] == [rule]

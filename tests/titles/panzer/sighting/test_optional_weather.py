"""7.32-7.34, 7.36 Weather, weight limits, dual driving controls, streams and water."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from support.rules import assert_rule, every
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank, advanced_data, an_advanced_state
from titles.panzer.advanced.marching import SECTION, SQUAD, a_field, moves, refused, tried, where
from titles.panzer.builders import packaged_scenario, run_step

from pbem.engine.rules.table import Table
from pbem.titles.data_files import DataError
from pbem.titles.panzer.cards.advanced_cards import AdvancedCards, advanced_cards
from pbem.titles.panzer.cards.files import packaged
from pbem.titles.panzer.damage.effects import brew_up, damage_vehicle, hit_track, knock_out
from pbem.titles.panzer.movement.steps.unit_steps import unit_allowances
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.setup.scenario import Conditions
from pbem.titles.panzer.setup.scenario_file import packaged_boards
from pbem.titles.panzer.setup.scenario_reader import load_advanced
from pbem.titles.panzer.sighting.spotting import explain_range, spotting_phase, spotting_range
from pbem.titles.panzer.sighting.weather import caution_objections
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, PanzerState, Status, Unit


def with_rules(*rules: str, **conditions: Any) -> dict[str, Any]:
    return {"rules": (*ADVANCED_RULES, *rules), "conditions": Conditions(**conditions)}


def noted(card: str, *notes: str) -> AdvancedCards:
    """The 2016 cards, with notes on one card that the printed card does not have."""
    book = advanced_cards("2016")
    vehicle = book.vehicles[card]
    more = dict.fromkeys(notes, "test")
    changed = msgspec.structs.replace(vehicle, notes=vehicle.notes | more)
    return msgspec.structs.replace(book, vehicles={**book.vehicles, card: changed})


def a_wet_field(*units: Unit, rules: tuple[str, ...] = (), edition: str = "2016", **more: Any) -> Table[PanzerState]:
    conditions = more.pop("conditions", {})
    scenario = with_rules(*rules, **conditions) | more.pop("scenario", {})
    return a_field(*units, edition=edition, scenario=scenario, **more)


# --- 7.36.1 sight ----------------------------------------------------------------------------------------------


@pytest.mark.rule("7.36.1", editions=("2016",))
def test_7_36_1_the_scenario_moves_everybody_down_the_spotting_table() -> None:
    """A vehicle in the open is three rows harder to see for every spotter."""
    g1, s1 = a_tank("g1", "C3"), a_tank("s1", "C9", "t34_76")
    state = an_advanced_state(g1, s1)
    day = advanced_data(edition="2016", **with_rules("weather"))
    night = advanced_data(edition="2016", **with_rules("weather", spotting=-3))

    assert day.charts.spotting_range(-3, "L") < day.charts.spotting_range(0, "L")
    assert spotting_range(Situation(night, state), g1, s1) < spotting_range(Situation(day, state), g1, s1)
    found = explain_range(Situation(night, state), s1, spotter=g1)
    assert_rule(found, "7.36.1", result=-3)
    assert found.result == spotting_range(Situation(night, state), g1, s1)
    assert "7.36.1" not in [item.rule for item in every(explain_range(Situation(day, state), s1, spotter=g1))]


@pytest.mark.rule("7.36", editions=("2016",))
def test_7_36_without_words_of_the_scenario_it_is_a_fine_day() -> None:
    """The first turn reports clear weather; without the rule nothing is reported."""
    for conditions, told in (({}, "fair"), ({"caution": "limited"}, "adverse")):
        table = a_wet_field(a_tank("g1", "C3"), rules=("weather",), conditions=conditions, turn=1)
        played = run_step(table, spotting_phase(table))
        assert_rule(played.findings, "7.36", result=told)
    table = a_wet_field(a_tank("g1", "C3"), turn=1)
    assert not [item for item in every(run_step(table, spotting_phase(table)).findings) if item.rule == "7.36"]


def test_7_36_a_night_of_2024_is_played_with_the_rule_of_2016() -> None:
    """The scenario `darkness` is from the 2024 book: all vehicles drive at half speed and spot three rows lower."""
    scenario = packaged_scenario("darkness")
    data = advanced_data(scenario.board, edition="2024", **with_rules("weather", spotting=-3, caution="limited"))
    tank = a_tank("ge1", "S9", "pz4f2", command=Command.MOVE)
    state = an_advanced_state(tank)
    printed = data.vehicle(tank).card

    assert "weather" in scenario.rules and scenario.edition == "2024"  # type: ignore[attr-defined]
    assert unit_allowances(Situation(data, state), tank).cross == printed.cross_country // 2


# --- 7.36.2 caution --------------------------------------------------------------------------------------------


@pytest.mark.rule("7.36.2", editions=("2016",))
def test_7_36_2_caution_halves_vehicles_and_forbids_the_quickmarch() -> None:
    """In limited visibility all three rates are halved, and again by Short Halt; leg units cannot quickmarch."""
    tank, squad, section = a_tank("g1", "C9"), a_leg("g2", "D9", SQUAD), a_leg("g3", "E9", SECTION)
    table = a_wet_field(tank, squad, section, rules=("weather",), conditions={"caution": "limited"})
    card = table.data.vehicle(tank).card

    usable = unit_allowances(table, tank)
    assert (usable.cross, usable.path, usable.road) == (card.cross_country // 2, card.path // 2, card.road // 2)
    assert_rule(moves(table, "g1", "f").findings, "7.36.2", inputs={"unit": "g1", "caution": "limited"})
    tank.command = Command.SHORT_HALT
    assert unit_allowances(table, tank).cross == card.cross_country // 4
    assert_rule(refused(table, "g2", "1", "quick"), "7.36.2")
    assert unit_allowances(table, squad).cross == 2
    assert "7.36.2" not in [item.rule for item in every(list(caution_objections(table.data, section, "quick")))]


@pytest.mark.rule("7.36.2", editions=("2016",))
def test_7_36_2_in_extreme_darkness_there_is_no_road_rate() -> None:
    """In extreme darkness a road hex costs 1 of the halved cross-country allowance, and there is no road rate."""
    links = {"road": ["C9-C8-C7-C6-C5-C4-C3-C2"]}
    tank = a_tank("g1", "C9")
    table = a_wet_field(tank, rules=("weather",), conditions={"caution": "extreme"}, board={"links": links})
    far = table.data.vehicle(tank).card.cross_country // 2

    assert_rule(refused(table, "g1", "f", "road"), "7.36.2")
    assert tried(table, "g1", "f " * far).spent == far


# --- 7.36.3 snow and mud ---------------------------------------------------------------------------------------


@pytest.mark.rule("7.36.3/snow", "7.36.3", editions=("2016",))
def test_7_36_3_snow_makes_every_hex_dearer_but_not_the_road() -> None:
    """In the named part of the map every hex costs one more, across country, on foot and on named roads."""
    links = {"road": ["C9-C8-C7"]}
    units = [a_tank("g1", "D9"), a_tank("g2", "C9"), a_leg("g3", "E9", SQUAD)]
    table = a_wet_field(*units, rules=("weather",), conditions={"ground": "snow"}, board={"links": links})

    assert_rule(moves(table, "g1", "f").findings, "7.36.3/snow", result=1)
    assert table.state.vehicles["g1"].spent == 2
    assert tried(table, "g2", "f").spent == 1
    assert tried(table, "g3", "1").spent == 2
    partly = {"ground": "snow", "ground_hexes": ("D9",), "ground_terrain": ("clear", "road")}
    pair = a_tank("g1", "D9"), a_tank("g2", "C9")
    table = a_wet_field(*pair, rules=("weather",), conditions=partly, board={"links": links})
    assert tried(table, "g1", "f").spent == 1
    partly = {"ground": "snow", "ground_terrain": ("road",)}
    pair = a_tank("g1", "D9"), a_tank("g2", "C9")
    table = a_wet_field(*pair, rules=("weather",), conditions=partly, board={"links": links})
    assert (tried(table, "g1", "f").spent, tried(table, "g2", "f").spent) == (1, 2)
    flooded = a_wet_field(
        a_tank("g1", "C9"), a_leg("g2", "D9", SQUAD), rules=("weather",),
        conditions={"streams": "flooded"}, signs={"C8": "~", "D8": "~"},
    )  # fmt: skip
    assert_rule(refused(flooded, "g1", "f"), "7.36.3")
    assert tried(flooded, "g2", "1").hex is not None
    closed = a_wet_field(
        a_tank("g1", "C9"), a_leg("g2", "D9", SQUAD), rules=("weather",),
        conditions={"streams": "impassable"}, signs={"C8": "f", "D8": "~"},
    )  # fmt: skip
    assert_rule(refused(closed, "g1", "f"), "7.36.3")
    assert_rule(refused(closed, "g2", "1"), "7.36.3")


# --- 7.32 weight -----------------------------------------------------------------------------------------------


@pytest.mark.rule("7.32", editions=("2016",))
def test_7_32_a_bridge_bears_what_the_scenario_says() -> None:
    """A PzKpfw IV of 23 tons crosses a bridge that bears 30 tons, but not a bridge that bears 20;
    limits may be given by hex."""
    board = {"links": {"road": ["C9-C8-C7", "E9-E8-E7"]}, "legend": {"B": ["stream", "bridge"]}}
    signs = {"C8": "B", "E8": "B"}

    def field(**conditions: Any) -> Table[PanzerState]:
        units = a_tank("g1", "C9"), a_tank("g2", "E9"), a_leg("g3", "C9", SQUAD)
        return a_wet_field(*units, rules=("weight_limits",), conditions=conditions, board=board, signs=signs)

    assert_rule(refused(field(bridges=20), "g1", "f"), "7.32")
    assert tried(field(bridges=30), "g1", "f").entered == 1
    assert tried(field(bridges=1), "g3", "1").entered == 1
    named = field(bridges=30, bridge_limits={"E8": 12})
    assert tried(named, "g1", "f").entered == 1
    assert_rule(refused(named, "g2", "f"), "7.32")


@pytest.mark.rule("7.32/ice", editions=("2016",))
def test_7_32_ice_is_clear_ground_for_whom_it_bears() -> None:
    """On ice that bears 10 tons a half-track and a squad cross as in the open; but a tank may only ford."""
    units = a_tank("g1", "C9"), a_tank("g2", "D9", "sdkfz10"), a_leg("g3", "E9", SQUAD), a_tank("g4", "F9")
    signs = {"C8": "~", "D8": "~", "E8": "~", "F8": "f"}
    table = a_wet_field(
        *units, rules=("weight_limits",), conditions={"streams": "frozen", "ice": 10}, signs=signs
    )  # fmt: skip

    assert_rule(refused(table, "g1", "f"), "7.32/ice")
    assert_rule(moves(table, "g2", "f").findings, "7.32/ice", result=1)
    assert tried(table, "g3", "1").spent == 1
    assert tried(table, "g4", "f").entered == 1
    without = a_wet_field(a_tank("g1", "C9"), conditions={"streams": "frozen", "ice": 10}, signs=signs)
    assert tried(without, "g1", "f").spent == 5


# --- 7.33, 7.34 ------------------------------------------------------------------------------------------------


@pytest.mark.rule("7.33", editions=("2016",))
def test_7_33_dual_driving_controls_cost_nothing_in_reverse() -> None:
    """A vehicle with dual controls pays one point per hex in reverse, the same as forwards; others pay two."""
    book = noted("sdkfz10", "dual_controls")
    for rules, cost in ((("dual_controls",), 1), ((), 2)):
        table = a_wet_field(
            a_tank("g1", "C9", "sdkfz10"), a_tank("g2", "D9"), rules=rules, scenario={"book": book}
        )  # fmt: skip
        assert (tried(table, "g1", "b").spent, tried(table, "g2", "b").spent) == (cost, 2)
    table = a_wet_field(a_tank("g1", "C9", "sdkfz10"), rules=("dual_controls",), scenario={"book": book})
    assert_rule(moves(table, "g1", "b").findings, "7.33", result=0)


def a_swimmer(*passengers: Unit, hex: str = "C9", **more: Any) -> Table[PanzerState]:
    book = noted("sdkfz10", "amphibious")
    return a_wet_field(
        a_tank("g1", hex, "sdkfz10"), *passengers, a_tank("g9", "E9", "sdkfz10"),
        rules=("amphibious",), signs={"C8": "o", "C7": "o", "E8": "~"}, scenario={"book": book}, **more,
    )  # fmt: skip


@pytest.mark.rule("4.5.1.1.3", editions=("2016",))
@pytest.mark.rule("7.34", editions=("2016",))
def test_7_34_an_amphibious_vehicle_spends_all_to_enter_water() -> None:
    """An amphibious vehicle crosses one water hex per turn and cannot tow; other vehicles cannot enter water."""
    table = a_swimmer()
    assert_rule(refused(table, "g1", "f f"), "4.5.1.1.3")
    assert_rule(moves(table, "g1", "f").findings, "7.34", result="whole")
    assert where(table, "g1") == "C8"
    towing = a_swimmer(a_gun("g2", "C9", "pak38", aboard="g1"))
    assert_rule(refused(towing, "g1", "f"), "7.34")
    plain = a_wet_field(a_tank("g1", "C9", "sdkfz10"), rules=("amphibious",), signs={"C8": "o"})
    assert "7.34" not in [item.rule for item in every(refused(plain, "g1", "f"))]


@pytest.mark.rule("7.34", editions=("2016",))
@pytest.mark.parametrize("hit", [hit_track, damage_vehicle, knock_out, brew_up])
def test_7_34_any_hit_that_stops_it_afloat_sinks_it(hit: Any) -> None:
    """An amphibious vehicle that is stopped afloat sinks with its passengers; on land it would not be lost."""
    table = a_swimmer(a_leg("g2", "C8", SECTION, aboard="g1"), hex="C8")
    units = table.state.vehicles
    assert_rule(hit(table, units["g1"]), "7.34", result="sunk")
    assert [units[id].status for id in ("g1", "g2")] == [Status.ELIMINATED] * 2
    assert not table.state.wrecks
    ashore = a_swimmer()
    assert "7.34" not in [item.rule for item in every(hit(ashore, ashore.state.vehicles["g1"]))]


@pytest.mark.rule("7.33", "7.34", editions=("2016",))
def test_7_33_7_34_which_cards_have_dual_controls_or_swim() -> None:
    """Armoured cars with a second steering wheel have dual controls; the amphibious jeep can swim."""
    for car in ("ab41", "daimler"):
        back = a_wet_field(a_tank("g1", "C9", car), rules=("dual_controls",))
        assert_rule(moves(back, "g1", "b").findings, "7.33", result=0)
    swim = a_wet_field(a_tank("g1", "C9", "gpa"), rules=("amphibious",), signs={"C8": "o"})
    assert_rule(moves(swim, "g1", "f").findings, "7.34", result="whole")


# --- scenario files ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "rule", "word"),
    [
        ('ground = "mud"', "7.0", "needs the rule weather"),
        ("bridges = 20", "7.0", "needs the rule weight_limits"),
        ('ground_terrain = ["swamp"]', "7.36.3", "no terrain 'swamp'"),
        ("bridge_limits = {A1 = 3}", "7.32", "there is no bridge in A1"),
        ('narrow_hexes = ["A1"]', "7.30", "there is no road or path in A1"),
        ("spotting = -9", "7.36.1", "1 to 5 rows"),
    ],
)
def test_7_36_a_scenario_is_told_what_its_conditions_lack(line: str, rule: str, word: str) -> None:
    text = packaged("scenarios/desert.toml").decode().replace("[[side]]", f"[conditions]\n{line}\n\n[[side]]", 1)
    with pytest.raises(DataError) as error:
        load_advanced(text, packaged_boards())
    assert [mistake for mistake in error.value.mistakes if mistake.rule == rule and word in mistake.what]

"""Rules of the two books that meet each other; each answer was worked out from the text before it was played."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank, advanced_data, an_advanced_state
from titles.panzer.air.flights import a_table, over
from titles.panzer.builders import a_board, a_hex
from titles.panzer.combinations.turns import a_turn
from titles.panzer.editions.pairs import at, modifiers, tell
from titles.panzer.editions.test_more_editions import InTurn

from pbem.engine.rules.findings import happenings_in
from pbem.engine.rules.happenings import Fail
from pbem.engine.rules.refusals import Refusal
from pbem.titles.panzer.air.anti_aircraft import count_tracking, fire_rows, hexes_to_track, public_objections
from pbem.titles.panzer.cards.basic_rows import Edition
from pbem.titles.panzer.cards.weapons import weapons_of
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import AircraftState, Battery, Command, Flight, Marker, Spot, Status

SQUAD, SOVIET = "german_rifle_squad", "soviet_rifle_squad"


# --- 6.7.4 fire at aircraft ----------------------------------------------------------------------------------------


def test_6_7_4_1_1_a_gun_that_loses_sight_tracks_afresh_for_twice_the_distance():
    """In the 2016 book the hexes tracked before the suppression are not doubled, but losing sight loses them too."""
    gun = a_gun("g1", "C12", "flak36", facing=1, suppression=Marker.ON)
    table = a_table(gun, edition="2016", board=a_board(signs={"C11": "W"}))
    flight = over(table, "C2", speed="fast", tracked={"g1": 4}, trackers_suppressed_at={"g1": 4})
    before = hexes_to_track(table, flight, gun)
    count_tracking(table, table.state.aircraft["a1"], ["g1"])  # the woods mask it
    assert "g1" not in flight.tracked
    assert hexes_to_track(table, flight, gun) == before + 4


def in_the_air(unit: Any, flags: tuple[str, ...], *rules: str, at: str = "C13", **more: Any) -> Any:
    data = advanced_data(rules=(*ADVANCED_RULES, *rules))
    number = next(arm.index for arm in weapons_of(data, unit) if arm.aa)
    flight = Flight(hex=a_hex(at), facing=4, altitude="low", speed="slow", tracked={unit.id: 99})
    plane = AircraftState(id="a1", name="a1", side="soviet", card=next(iter(data.book.aircraft)), flight=flight)
    gun = type(unit)(**{field: getattr(unit, field) for field in unit.__struct_fields__} | {"flags": flags, **more})
    state = an_advanced_state(gun, sides=("german", "soviet"), aircraft={"a1": plane})
    return Situation(data, state), plane, gun, number


@pytest.mark.parametrize(("at_hex", "refused"), [("C13", False), ("C7", True)])
def test_7_8_a_suppressed_tank_fires_at_aircraft_where_its_turret_points(at_hex: str, refused: bool):
    """Chapter 57: with turrets, a suppressed vehicle looks to the front of its turret, here turned astern."""
    tank = a_tank("g1", "C10", "ab41", facing=1, command=Command.OVERWATCH)
    situation, plane, gun, number = in_the_air(
        tank, (), "turrets", at=at_hex, turret=3, suppression=Marker.ON
    )  # fmt: skip
    found = list(public_objections(situation, plane, gun, number))
    assert [one.rule for one in found] == (["6.1.3.1"] if refused else [])


def test_7_23_1_damaged_optics_spoil_fire_at_aircraft():
    """7.23.1: GP -5 for the rest of the scenario; 6.7.4.2 adds the other modifiers of GP fire."""
    tank = a_tank("g1", "C10", "ab41", command=Command.OVERWATCH)
    for flags, expected in (((), 0), (("optics-damaged",), -5)):
        situation, plane, gun, number = in_the_air(tank, flags, "collateral_damage")
        rows = fire_rows(
            situation.data, gun, weapons_of(situation.data, gun)[number], plane.flight, "S", limited=False
        )
        assert sum(row.value * times for row, times in rows if row.when == "optics_damaged") == expected


# --- 6.6.10 overruns -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("edition", "rule"), [("2024", "6.6.10/declaration"), ("2016", "6.6.10")])
def test_6_6_10_what_keeps_a_tank_from_overrunning_across_a_hedgerow(edition: Edition, rule: str):
    """4.5.1.1.2: the tank could pay for the hedgerow, but cannot see the unit behind it (4.1.4.2.5)."""
    units = a_tank("g1", "C10", "pz4h", facing=1), a_leg("s1", "C9", SOVIET, spot=Spot.FIRE)
    data = advanced_data(a_board(hexsides={"hedgerow": ["C10:1"]}), edition=edition)
    with pytest.raises(Refusal) as refusal:
        a_turn(data, an_advanced_state(*units, turn=1), german="g1 overrun s1")
    assert [one.rule for one in refusal.value.objections] == [rule]
    assert "does not spot s1" in str(refusal.value)


def test_6_6_10_1_the_railroad_protects_from_an_overrun():
    """6.6.10.1: all modifiers of direct fire apply except Short Halt, so also the -5 of a railroad hex."""
    units = a_tank("g1", "C10", "pz4h", facing=1), a_leg("s1", "C9", SOVIET, spot=Spot.FIRE)
    rows = tell(
        "2016", "g1 overrun s1", *units, of=modifiers("6.5.4.3", "target_on_railroad", "overrun"),
        board={"signs": {"C9": "%"}},
    )  # fmt: skip
    assert rows == {"target_on_railroad": -5, "overrun": 20}


# --- 7.29 soft ground ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "place"), [(("bogging_down",), "C9"), (("bogging_down", "amphibious"), "C9")])
def test_7_29_an_amphibious_vehicle_bogs_down_on_land_like_any_other(rules: Any, place: str):
    found = tell(
        "2016", "s1 move f", a_tank("s1", "C9", "gpa", facing=1), a_tank("g9", "T20", "opel"), of=at("s1"),
        board={"signs": {"C9": "^"}}, dice={"7.29": 1}, rules=rules, sides=("soviet", "german"), complete=False,
    )  # fmt: skip
    assert found == place


# --- 6.5.1 fire that lands on its own side -------------------------------------------------------------------------


@pytest.mark.parametrize(("edition", "trees"), [("2024", "m"), ("2016", "W")])
def test_6_5_1_13_a_mortar_that_a_stray_shell_destroys_does_not_fire(edition: Edition, trees: str):
    """6.5.1.12: a natural 1 brings the battery's shells onto a mortar that answered the same call.

    4.4.1: results apply at once, so the mortar's own bombs do not land.
    """
    observer = a_leg("g1", "C8", "german_section", labels=("fo",))
    mortar = a_leg("g2", "G14", "german_section", weapons=("german_grw34",))
    near = a_leg("s2", "G16", SOVIET)  # it spots the mortar, which woods hide from the target
    board = {"signs": dict.fromkeys(("D13", "D14", "E12", "E13", "E14", "E15", "F12", "F13", "F14", "F15"), trees)}
    battery = Battery(id="gb1", name="gb1", side="german", card="german_medium", formation="german")
    dice: Any = InTurn({"6.5.1.12": [1, 10], "6.5.4": 99})
    turn = tell(
        edition, "g1 overwatch\ng2 fire\ng1 call gb1 g2 at C14 closed", observer, mortar, near,
        a_tank("s1", "C14", "t34_76", spot=Spot.FIRE), of=lambda turn: turn, board=board, dice=dice,
        batteries={"gb1": battery}, complete=False,
    )  # fmt: skip
    assert turn.state.vehicles["g2"].status is Status.ELIMINATED
    landed = [one.inputs["firer"] for one in turn.of("6.5.1.13") if "type" in one.inputs]
    assert landed == ["gb1"]
    assert not turn.state.vehicles["s1"].under_fire and turn.state.vehicles["s1"].suppression is Marker.NONE


# --- 7.8.4 overwatch of vehicles with guns in turret and hull ------------------------------------------------------


@pytest.mark.parametrize(
    ("turret", "weapon", "rows", "after"),
    [(2, "75mm M3", {"overwatch": -1}, 2), (0, "75mm M3", {"overwatch": -1}, 0)],
)
@pytest.mark.parametrize("edition", ["2024", "2016"])
def test_7_8_4_a_gun_in_the_hull_neither_turns_the_turret_nor_waits_for_it(
    edition: Edition, turret: int, weapon: str, rows: dict[str, int], after: int
):
    """7.8: weapons with an underlined entry stay bound to the hull, so the target ahead is in their field of fire."""
    grant = a_tank("b1", "C9", "grant", facing=1, turret=turret)
    enemy = a_tank("i1", "C5", "m13_40", facing=1)
    data = advanced_data(edition=edition, rules=(*ADVANCED_RULES, "turrets"), sides=("british", "italian"))
    turn = a_turn(
        data, an_advanced_state(grant, enemy, sides=("british", "italian"), turn=1), british="b1 overwatch",
        italian="i1 move r", standing={"british": ["overwatch: hit >= 1"]},
    )  # fmt: skip
    assert weapon in [one.inputs.get("weapon") for one in turn.of("5.7")]
    assert modifiers("6.5.2.4", "overwatch", "overwatch_adjust")(turn) == rows
    assert turn.state.vehicles["b1"].turret == after


# --- 7.6 tank fright -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("orders", "aboard"),
    [("g2 assault s1", ""), ("g2 assault s1 from C8", ""), ("g1 move f dismount g2 C7 assault s1", "g1")],
)
def test_7_6_the_owner_is_told_that_an_attack_was_not_made_for_fright(orders: str, aboard: str):
    target = a_tank("s1", "C8" if orders.endswith("s1") and not aboard else "C7" if not aboard else "C6", "zis5")
    carrier = a_tank("g1", "C9", "spw251", facing=1)
    squad = a_leg("g2", "C9", SQUAD, grade="green", aboard=aboard)
    turn = tell(
        "2016", orders, carrier, squad, target, of=lambda turn: turn, rules=("tank_fright",), dice={"7.1.4": 1},
        complete=False,
    )  # fmt: skip
    assert_rule(turn.findings, "7.6", inputs={"unit": "g2"}, result="suppressed")
    told = [one for one in happenings_in(turn.findings) if isinstance(one, Fail) and one.who == "g2"]
    assert [(one.order, one.rule) for one in told] == [("assault s1", "7.6")]

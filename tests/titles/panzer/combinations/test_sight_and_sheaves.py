"""Sight, sheaves and hidden counters together, with orders as players send them; worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank, advanced_data, an_advanced_state
from titles.panzer.builders import a_board, a_hex
from titles.panzer.combinations.turns import Turn, a_turn

from pbem.engine.rules.findings import happenings_in, seen_by
from pbem.engine.rules.happenings import Appear, Move
from pbem.engine.rules.refusals import Refusal
from pbem.titles.panzer.cards.basic_rows import Edition
from pbem.titles.panzer.cards.board import Board
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.sighting.hidden_orders import counter_objections
from pbem.titles.panzer.sighting.hidden_units import placing_objections
from pbem.titles.panzer.sighting.terrain import hindrances
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Battery, Cloud, Feature, HiddenCounter, Inside, Marker, Spot, Status, Unit

SQUAD, SOVIET, SECTION = "german_rifle_squad", "soviet_rifle_squad", "german_section"


def others(side: str = "g", hex: str = "A19") -> list[Unit]:
    """Return a dozen more units of a side, so that it does not run out of commands (6.2.1.1.1)."""
    card = SQUAD if side == "g" else SOVIET
    return [a_leg(f"{side}{number}", hex, card) for number in range(50, 62)]


def refused(rule: str, play: Any) -> None:
    with pytest.raises(Refusal) as refusal:
        play()
    assert_rule(refusal.value, rule)


# --- 6.1.4 sight -----------------------------------------------------------------------------------------------


@pytest.mark.rule("4.1.4.2.4", effect=True)
@pytest.mark.parametrize(
    ("inside", "target", "rule"),
    [
        (Inside.UP, "s1", ""),
        (Inside.UP, "s2", "4.4.1/spotted-before"),
        (Inside.NO, "s1", "4.2.1/impossible"),
    ],
)
def test_4_1_4_2_4_from_the_third_floor_over_the_next_house(inside: Inside, target: str, rule: str):
    """Seen from height 2, a house of height 1 next door hides one hex; from the ground it blocks all sight."""
    board = a_board(columns=9, rows=12, signs={"E8": "B", "E7": "B"}, storeys={"E8": 3, "E7": 1})
    squad = a_leg("g1", "E8", SQUAD, inside=inside)
    enemies = a_leg("s1", "E5", SOVIET, spot=Spot.FIRE), a_leg("s2", "E6", SOVIET, spot=Spot.FIRE)
    state = an_advanced_state(squad, *enemies)

    def play() -> Turn:
        return a_turn(advanced_data(board), state, german=f"g1 fire {target}")

    if rule:
        refused(rule, play)
        return
    turn = play()
    assert [one.inputs["target"] for one in turn.of("6.5.4")] == ["s1"] and turn.fails == []


@pytest.mark.rule("6.1.4.3.9", effect=True)
@pytest.mark.parametrize(("die", "fires"), [(99, True), (1, False)])
def test_6_1_4_3_9_overwatch_looks_over_the_house_that_fell_in_the_same_turn(die: int, fires: bool):
    """R-06: the house stood in the Spotting Phase, but overwatch spots anew after its collapse."""
    board = a_board(columns=12, rows=20, signs={"E8": "b"})
    units = (
        a_gun("g1", "E10", "pak40", facing=1), a_leg("g2", "D8", SECTION, labels=("fo",)), *others(),
        a_tank("s1", "E5", "t34_76", facing=4), a_leg("s3", "E8", SOVIET, spot=Spot.FIRE), *others("s", "L1"),
    )  # fmt: skip
    battery = Battery(id="gb1", name="gb1", side="german", card="german_heavy", formation="german")
    turn = a_turn(
        advanced_data(board), an_advanced_state(*units, batteries={"gb1": battery}),
        german="g2 call gb1 at E8 closed\ng1 overwatch hit>=1", soviet="s1 move E4",
        dice={"6.5.1.12": 9, "6.5.4.4": die},
    )  # fmt: skip
    assert [one.inputs["firer"] for one in turn.of("6.5.2")] == (["g1"] if fires else [])


@pytest.mark.rule("6.1.4.3.10", effect=True)
@pytest.mark.parametrize(("kind", "rule"), [("crest", "6.1.4.3.10"), ("wall", "")])
def test_6_1_4_3_10_engineers_see_the_hex_into_which_they_throw_smoke(kind: str, rule: str):
    """A unit that lays smoke must see the target hex; a crest between adjacent hexes blocks it (4.1.4.1.5)."""
    board = a_board(columns=9, rows=9, hexsides={kind: ["E5:1"]})
    state = an_advanced_state(a_leg("g1", "E5", "german_pioneer_squad"), a_leg("s1", "H8", SOVIET))

    def play() -> Turn:
        return a_turn(advanced_data(board), state, german="g1 smoke at E4")

    if rule:
        refused(rule, play)
    else:
        assert [cloud.hexes for cloud in play().state.clouds.values()] == [(a_hex("E4"),)]


# --- 5.6, 6.5.1.13 the ranges of a call -------------------------------------------------------------------------


@pytest.mark.rule("5.6", effect=True)
@pytest.mark.parametrize(("hex", "legal"), [("E6", True), ("E5", False)])
def test_5_6_a_distant_observer_does_not_shorten_the_minimum_range_of_a_mortar(hex: str, legal: bool):
    """The 8cm GrW 34 is marked `min-2`: the call uses the observer's range (6.5.1.13), but the mortar
    cannot fire at one hex."""
    board = a_board(columns=12, rows=20, signs=dict.fromkeys(("D5", "E5", "F5") if legal else (), "m"))
    units = (
        a_leg("g1", hex, SECTION, weapons=("german_grw34",)), a_leg("g2", "H4", SECTION, labels=("fo",)),
        a_leg("s1", "E4", SOVIET, spot=Spot.FIRE), *others(),
    )  # fmt: skip

    def play() -> Turn:
        return a_turn(
            advanced_data(board), an_advanced_state(*units), german="g2 call g1 at E4", dice={"6.5.1.12": 9}
        )

    if legal:
        assert_rule(play().findings, "6.5.1.12", result="responds")
    else:
        refused("5.6", play)


# --- 6.1.4.3.10 patterns of one mission --------------------------------------------------------------------------


@pytest.mark.rule("6.1.4.3.10", effect=True)
@pytest.mark.parametrize("firers", ["gb1 g1", "g1 gb1"])
def test_6_1_4_3_10_an_open_sheaf_stays_open_when_a_mortar_fires_with_it(firers: str):
    """The battery's sheaf is open and the mortar's single hex is closed, whichever of them the call names first."""
    trees = dict.fromkeys(("F15", "F14", "E14", "F16", "G14", "G15"), "m")
    units = (
        a_leg("g1", "E15", SECTION, weapons=("german_grw34",)), a_leg("g2", "K15", SECTION, labels=("fo",)),
        a_leg("s1", "K9", SOVIET, spot=Spot.FIRE), *others(),
    )  # fmt: skip
    battery = Battery(id="gb1", name="gb1", side="german", card="german_heavy", formation="german")
    data = advanced_data(a_board(columns=20, rows=20, signs=trees))
    state = an_advanced_state(*units, batteries={"gb1": battery})
    turn = a_turn(data, state, german=f"g2 call {firers} at K9 open", dice={"6.5.1.12": 9})
    assert sorted((cloud.open, len(cloud.hexes)) for cloud in turn.state.clouds.values()) == [(False, 1), (True, 19)]
    for ends, kinds in ((("K15", "K3"), ["barrage_closed"]), (("H9", "N10"), ["barrage_closed"]),
                        (("H8", "N8"), ["barrage_open"])):  # fmt: skip
        met = hindrances(Situation(data, turn.state), a_hex(ends[0]), a_hex(ends[1]))
        assert [one.kind for one in met] == kinds, (
            "one mission is one occurrence (A-77), the larger where both are met"
        )


@pytest.mark.rule("5.11", effect=True)
def test_5_11_smoke_of_two_missions_counts_twice():
    clouds = {
        id: Cloud(id=id, type="smoke", hexes=(a_hex(hex),), fresh=False, mission=mission)
        for id, hex, mission in (("c1", "E5", "m1"), ("c2", "E6", "m2"), ("c3", "E7", ""), ("c4", "E8", ""))
    }
    state = an_advanced_state(a_leg("g1", "A1", SQUAD), clouds=clouds)
    met = hindrances(Situation(advanced_data(), state), a_hex("E4"), a_hex("E9"))
    assert [one.source for one in met] == ["c1", "c2", "c3", "c4"]


# --- 6.6.5 manhandled guns and hedgerows -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edition", "kind", "crosses"),
    [("2024", "hedgerow", True), ("2016", "hedgerow", False), ("2024", "wall", False), ("2016", "wall", False)],
)
def test_6_6_5_only_the_2016_book_closes_hedgerows_to_manhandled_guns(edition: Edition, kind: str, crosses: bool):
    """L3598: guns cannot cross walls and defilades; 2016:L3673: they cannot cross hedgerows and walls."""
    data = advanced_data(a_board(columns=9, rows=9, hexsides={kind: ["E5:1"]}), edition=edition)
    state = an_advanced_state(a_gun("g1", "E5", "pak38", facing=1), a_leg("s1", "I9", SOVIET), *others(hex="A1"))

    def play() -> Turn:
        return a_turn(data, state, german="g1 move E4")

    if crosses:
        assert play().state.vehicles["g1"].hex == a_hex("E4")
    else:
        refused("6.6.5", play)


# --- 7.2.2.2 hidden counters ask what movement asks --------------------------------------------------------------

HOUSE = a_board(columns=30, rows=30, signs={"E5": "B"}, storeys={"E5": 3})
FAR = a_board(columns=30, rows=30)


def sneaking(unit: Unit, order: str, board: Board = FAR) -> Turn:
    unit.flags = ("hidden",)
    counter = HiddenCounter(id="h1", side="german", hex=unit.hex or a_hex("E5"), units=("g1",))
    state = an_advanced_state(unit, a_leg("s1", "DD30", SOVIET), *others(), hidden_counters={"h1": counter})
    data = advanced_data(board, edition="2016", rules=(*ADVANCED_RULES, "hidden_units"))
    return a_turn(data, state, german=order)


@pytest.mark.parametrize(
    ("unit", "path", "board", "rule"),
    [
        (a_leg("g1", "E5", SQUAD, inside=Inside.UP), "E4", HOUSE, "6.6.4.1"),
        (a_tank("g1", "E5", "pz4h", inside=Inside.BUILDING), "E4", HOUSE, "6.6.3"),
        (a_leg("g1", "E5", SQUAD, full_cover=True), "E4 E3", FAR, "6.6.4.3"),
        (a_gun("g1", "E5", "pak38"), "E4 E3", FAR, "6.6.5"),
        (a_gun("g1", "E5", "flak36"), "E4", FAR, "6.6.5"),
    ],
)
def test_7_2_2_2_a_counter_moves_as_its_units_could(unit: Unit, path: str, board: Board, rule: str):
    """Counters move like their units, so an upper floor, a building, full cover or a heavy gun restricts them."""
    refused(rule, lambda: sneaking(unit, f"h1 sneak {path}", board))


def test_6_6_4_3_a_counter_whose_squad_lies_in_full_cover_crawls_one_hex():
    turn = sneaking(a_leg("g1", "E5", SQUAD, full_cover=True), "h1 sneak E4")
    squad = turn.state.vehicles["g1"]
    assert squad.hex == a_hex("E4") and squad.full_cover and turn.fails == []


def test_7_2_2_2_the_film_of_a_counter_found_on_its_way_ends_where_its_units_appear():
    """The owner of a revealed counter decides where its units appear, and the film of its move ends there."""
    unit = a_leg("g1", "E5", SQUAD, flags=("hidden",))
    counter = HiddenCounter(id="h1", side="german", hex=a_hex("E5"), units=("g1",))
    data = advanced_data(a_board(columns=9, rows=30), edition="2016", rules=(*ADVANCED_RULES, "hidden_units"))
    enemy = a_leg("s1", "E20", SOVIET)
    state = an_advanced_state(unit, enemy, *others(hex="A29"), hidden_counters={"h1": counter})
    enemy.hex = a_hex("E3")
    enemy.facing, enemy.suppression = 1, Marker.ON  # it looks the other way, but notices what comes next to it
    turn = a_turn(data, state, german="h1 sneak E4")
    film = [one for one in happenings_in(seen_by(turn.findings, "german")) if getattr(one, "who", "") == "g1"]
    appears = next(number for number, one in enumerate(film) if isinstance(one, Appear))
    assert film[appears].place == "E4"
    assert not [one for one in film[appears:] if isinstance(one, Move)]


@pytest.mark.parametrize(
    ("unit", "legal"),
    [
        (a_tank("g2", "E6", "pz4h"), True),
        (a_tank("g2", "E6", "pz4h", track_hit=True), False),
        (a_tank("g2", "E6", "pz4h", bailed_out=True), False),
        (a_gun("g2", "E6", "pak38"), True),
        (a_gun("g2", "E6", "flak36"), False),
    ],
)
def test_7_2_2_1_who_cannot_move_is_carried_nowhere_by_a_counter(unit: Unit, legal: bool):
    """A counter's units are where they could have gone; a heavy gun or a track-hit vehicle cannot move."""
    data = advanced_data(FAR, edition="2016", rules=(*ADVANCED_RULES, "hidden_units"))
    state = an_advanced_state(a_leg("g1", "E5", SQUAD), unit, a_leg("s1", "DD30", SOVIET), spotted={})
    hidden = list(
        counter_objections(Situation(data, state), "german", a_hex("E5"), ["g1", "g2"], "7.2.3", start=False)
    )
    placed = list(placing_objections(Situation(data, state), unit, a_hex("E6"), a_hex("E5")))
    assert (not hidden, not placed) == (legal, legal)


def test_1_7_2_a_counter_has_one_order():
    for orders in ("h1 sneak E4\nh1 sneak D5", "h1 sneak E4\nh1 reveal"):
        refused("1.7.2", lambda orders=orders: sneaking(a_leg("g1", "E5", SQUAD), orders))


# --- 6.6.1.1 targets that are not on the map ---------------------------------------------------------------------


def test_6_6_1_1_a_reinforcement_that_has_not_come_is_not_assaulted():
    """The check used to crash, because it measured the distance to a unit without a hex."""
    late = a_leg("s1", None, SOVIET)
    state = an_advanced_state(a_leg("g1", "E5", SQUAD), late, a_leg("s2", "E9", SOVIET))
    refused("6.6.1.2", lambda: a_turn(advanced_data(), state, german="g1 assault s1"))


def test_6_6_1_1_nobody_dismounts_to_attack_a_vehicle_that_has_left_the_map():
    """The Second Player moves first and drives off the map; the passengers of the First Player stay aboard."""
    units = a_tank("g1", "C3", "spw251", facing=1), a_leg("g2", "C3", SQUAD, aboard="g1")
    enemy = a_tank("s1", "C1", "zis5", facing=1)
    board = a_board(columns=9, rows=9)
    state = an_advanced_state(*units, enemy, *others(hex="A9"), *others("s", "I9"))
    orders = {"german": "first\ng1 dismount g2 C2 face 1 assault s1", "soviet": "second\ns1 exit"}
    turn = a_turn(advanced_data(board), state, **orders)
    assert turn.state.vehicles["s1"].status is Status.EXITED and turn.state.vehicles["g2"].aboard == "g1"
    assert ["s1 is not an enemy on the map" in told for told in turn.fails] == [True]


@pytest.mark.rule("6.1.4.3", effect=True)
def test_6_1_4_3_new_works_leave_the_names_of_the_scenario_alone():
    """6.6.8: a newly dug work takes the next free name; it used to overwrite the scenario's own `f1`."""
    wire = Feature(id="f1", type="wire", hex=a_hex("C9"), known=("german", "soviet"))
    digger = a_leg("g1", "E5", SQUAD, full_cover=True)
    state = an_advanced_state(digger, a_leg("s1", "DD30", SOVIET), features={"f1": wire})
    turn = a_turn(advanced_data(FAR), state, german="g1 hold")
    assert {id: one.type for id, one in turn.state.features.items()} == {"f1": "wire", "f2": "hasty_entrenchment"}

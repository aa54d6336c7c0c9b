"""5.1-5.9, 6.1 The properties of units, spotting, and the Spotting Phase of the advanced game."""

from random import Random

import pytest
from support.rules import assert_rule
from titles.panzer.advanced.builders import (
    a_gun,
    a_leg,
    a_tank,
    advanced_data,
    an_advanced_state,
    an_advanced_table,
)
from titles.panzer.builders import a_board, a_hex, run_step

from pbem.engine.geometry.hexes import hex_name
from pbem.titles.panzer.cards.basic_rows import EDITIONS
from pbem.titles.panzer.cards.units import describe, is_command, is_engineer, is_forward_observer, is_recon
from pbem.titles.panzer.fire.actions import mark_fire
from pbem.titles.panzer.sequence import SEQUENCE
from pbem.titles.panzer.sighting import spotting
from pbem.titles.panzer.sighting.spotting import (
    can_spot,
    explain_range,
    spots,
    spots_now,
    spotters_of,
    spotting_phase,
    spotting_range,
)
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Inside, Marker, Spot, Status

both_editions = pytest.mark.parametrize("edition", EDITIONS)
SQUAD, RUSSIANS = "german_rifle_squad", "soviet_rifle_squad"


# --- 5.1 to 5.9 units ------------------------------------------------------------------------------------------


@pytest.mark.rule("5.1.2", effect=True)
@both_editions
@pytest.mark.rule("5.1", "5.1.1", "5.5")
def test_5_1_1_a_squad_fires_all_its_weapons_all_round_until_it_is_suppressed(edition):
    """L1288-1298: a suppressed squad fires only one weapon, and only to its front."""
    data = advanced_data(edition=edition)
    squad = a_leg("g1", "C3", SQUAD, weapons=("german_hmg",), facing=2)

    fresh = describe(data, squad)
    squad.suppression = Marker.ON
    shaken = describe(data, squad)

    assert_rule(fresh, "5.1", inputs={"kind": "leg"}, result=True)
    for found, most, field in ((fresh, 2, "all round"), (shaken, 1, "front")):
        weapons = assert_rule(found, "5.1.1", inputs={"size": "squad"}, result=most).inputs["weapons"]
        assert len(weapons) == 2
        assert set(weapons.values()) == {field}
    assert_rule(fresh, "5.5", inputs={"moves": "in any direction"}, result=2)


@both_editions
@pytest.mark.rule("5.1.2")
def test_5_1_2_a_section_fires_one_weapon(edition):
    """L1300-1306: a section fires either its small arms or its attached weapon."""
    data = advanced_data(edition=edition)
    section = a_leg("g1", "C3", "german_section", weapons=("german_hmg",))
    assert_rule(describe(data, section), "5.1.2", inputs={"size": "section"}, result=1)


@both_editions
@pytest.mark.rule("5.2", "5.5")
def test_5_2_a_gun_is_one_unit_with_its_crew_and_faces_a_hexside(edition):
    gun = a_gun("g1", "C3", "pak38", facing=4)
    finding = describe(advanced_data(edition=edition), gun)
    assert_rule(finding, "5.2", inputs={"kind": "towed"}, result=True)
    assert_rule(finding, "5.5", result=4)


@both_editions
@pytest.mark.rule("5.8", "5.8.1", "5.8.2", "5.8.3")
def test_5_8_force_formation_and_unit_have_grades_of_their_own(edition):
    """L1414-1438: the grades of a force, a formation and a unit may differ."""
    data = advanced_data(
        edition=edition, grades={"german": "veteran"}, force_grades={"german": "regulars", "soviet": "green"}
    )
    finding = describe(data, a_leg("g1", "C3", SQUAD, grade="elite"))

    assert_rule(finding, "5.8", result="elite")
    assert_rule(finding, "5.8.1", inputs={"side": "german"}, result="regulars")
    assert_rule(finding, "5.8.2", inputs={"formation": "german"}, result="veteran")
    assert_rule(finding, "5.8.3", inputs={"own": True}, result="elite")


@both_editions
@pytest.mark.rule("5.9", "5.9.1", "5.9.2", "5.9.3", "5.9.4")
def test_5_9_a_unit_may_have_several_labels_and_engineers_work_on_foot(edition):
    """L1440-1462, 2016:L1618: engineers work only when dismounted."""
    data = advanced_data(edition=edition)
    unit = a_leg("g1", "C3", "german_pioneer_squad", labels=("chq", "recon", "engineer", "fo"))

    finding = describe(data, unit)

    assert_rule(finding, "5.9", result=["chq", "recon", "engineer", "fo"])
    assert_rule(finding, "5.9.1", inputs={"label": "chq"}, result=True)
    for rule in ("5.9.2", "5.9.3", "5.9.4"):
        assert_rule(finding, rule, result=True)
    assert is_command(unit)
    assert is_recon(unit)
    assert is_forward_observer(unit)
    unit.aboard = "g2"
    assert_rule(describe(data, unit), "5.9.3", result=False)
    assert not is_engineer(data, unit)


# --- 6.1.1 who can spot ----------------------------------------------------------------------------------------


@both_editions
@pytest.mark.rule("6.1", "6.1.1")
def test_6_1_1_legs_guns_and_passengers_spot_and_unarmed_vehicles_do_not(edition):
    """L1614-1616, 4.1.1: an unarmed vehicle spots only if it has an observer's label (edition switches, table 2)."""
    data = advanced_data(edition=edition)
    truck, labelled = a_tank("g1", "C3", "opel"), a_tank("g2", "C3", "opel", labels=("fo",))
    others = [
        a_leg("g3", "C3", SQUAD),
        a_gun("g4", "C3", "pak38"),
        a_leg("g5", "C3", SQUAD, aboard="g1"),
        a_tank("g6", "C3"),
        a_tank("g7", "C3", bailed_out=True),
    ]
    state = an_advanced_state(truck, labelled, *others, a_tank("s1", "C8", "t34_76"))
    target = state.vehicles["s1"]

    able = {id: can_spot(data, unit) for id, unit in state.vehicles.items() if unit.side == "german"}
    assert able == {"g1": False, "g2": True, "g3": True, "g4": True, "g5": True, "g6": True, "g7": False}
    assert_rule(
        spots(Situation(data, state), others[2], target), "6.1", inputs={"range": 5, "limit": 20}, result=True
    )
    assert_rule(spots(Situation(data, state), truck, target), "6.1.1", result=False)
    assert [unit.id for unit in spotters_of(Situation(data, state), target)] == ["g2", "g3", "g4", "g5", "g6"]


# --- 6.1.2 direction -------------------------------------------------------------------------------------------


@both_editions
@pytest.mark.rule("6.1.2", "6.1.3.1")
def test_6_1_3_1_a_suppressed_unit_spots_ahead_only_and_two_rows_less(edition):
    """L1642-1646: a suppressed unit spots only ahead, even with a turret; 20 hexes in the open become 7."""
    data = advanced_data(a_board(columns=20, rows=30), edition=edition)
    tank = a_tank("g1", "H15", facing=1, suppression=Marker.OFF)
    ahead, behind = a_tank("s1", "H8", "t34_76"), a_tank("s2", "H20", "t34_76")
    far = a_tank("s3", "H7", "t34_76")
    state = an_advanced_state(tank, ahead, behind, far)

    finding = spots(Situation(data, state), tank, ahead)
    assert_rule(finding, "6.1.3.1", result=-2)
    assert_rule(finding, "6.1.2", inputs={"suppressed": True, "direction": 1}, result=True)
    assert_rule(spots(Situation(data, state), tank, behind), "6.1.2", result=False)
    assert [spots_now(Situation(data, state), tank, unit) for unit in (ahead, behind, far)] == [True, False, False]
    tank.suppression = Marker.NONE
    assert all(spots_now(Situation(data, state), tank, unit) for unit in (ahead, behind, far))


@pytest.mark.rule("6.1.3.1", effect=True)
def test_6_1_3_1_a_gun_that_points_back_looks_back_when_it_is_suppressed():
    """L1642-1646: a rear-mounted weapon has a rear field, so a suppressed vehicle spots to the rear."""
    data = advanced_data()
    vehicles = data.book.vehicles
    rear = next((id for id, card in vehicles.items() if card.mounts and card.mounts[0].weapon.field == "rear"), None)
    if rear is None:
        pytest.skip("no vehicle with a rear-mounted gun among the cards")
    tank = a_tank("g1", "H10", rear, facing=1, suppression=Marker.ON)
    state = an_advanced_state(tank, a_tank("s1", "H12", "t34_76"), a_tank("s2", "H8", "t34_76"))
    assert [spots_now(Situation(data, state), tank, state.vehicles[id]) for id in ("s1", "s2")] == [True, False]


# --- 6.1.3 range -----------------------------------------------------------------------------------------------


@both_editions
@pytest.mark.rule("6.1.3")
def test_6_1_3_the_88_is_large_and_leg_units_are_small(edition):
    """L1628-1630, 2016:L1782: the 88 uses column L with 15 hexes, leg units column S with 10."""
    data = advanced_data(edition=edition)
    flak, squad, tank = a_gun("g1", "C3", "flak36"), a_leg("g2", "C3", SQUAD), a_tank("g3", "C3")
    state = an_advanced_state(flak, squad, tank, a_tank("s1", "C5", "t34_76"))

    ranges = [explain_range(Situation(data, state), unit) for unit in (flak, squad, tank)]
    assert [(found.cell[0], found.result) for found in ranges] == [("L", 15), ("S", 10), ("V", 20)]
    assert_rule(ranges[0], "6.1.3", cell=["L", 0], result=15)


@pytest.mark.rule("6.1.3", effect=True)
@both_editions
def test_6_1_3_a_small_target_in_scrub_is_spotted_up_to_five_hexes(edition):
    """L3135: the target has light cover and uses column S."""
    data = advanced_data(a_board(signs={"C8": ";"}), edition=edition)
    squad, tank = a_leg("g1", "C8", SQUAD), a_tank("s1", "C3", "t34_76")
    state = an_advanced_state(squad, tank)

    assert spots_now(Situation(data, state), tank, squad)
    tank.hex = a_hex("C2")
    assert not spots_now(Situation(data, state), tank, squad)


@pytest.mark.rule("6.1.3", "4.1.3", "4.1.3/spot-fire", effect=True)
@pytest.mark.parametrize(
    ("edition", "rule"),
    [
        pytest.param("2024", "6.1.3/spot-fire-sa", marks=pytest.mark.rule("6.1.3/spot-fire-sa", editions=("2024",))),
        pytest.param("2016", "6.1.3/small-arms", marks=pytest.mark.rule("6.1.3/small-arms", editions=("2016",))),
    ],
)
def test_6_1_3_small_arms_add_one_row_and_other_weapons_three(edition, rule):
    """L1622-1640: small arms alone add 1, and with other weapons 3, even if only small arms are fired later."""
    data = advanced_data(edition=edition)
    squad = a_leg("g1", "C3", SQUAD)
    state = an_advanced_state(squad, a_tank("s1", "C5", "t34_76"))

    mark_fire(an_advanced_state(squad), squad, small_arms=True)
    assert_rule(explain_range(Situation(data, state), squad), rule, result=1)
    assert explain_range(Situation(data, state), squad).result == 15
    assert mark_fire(an_advanced_state(squad), squad, small_arms=False).result == "fire"
    assert mark_fire(an_advanced_state(squad), squad, small_arms=True).result == "fire"
    assert explain_range(Situation(data, state), squad).cell == ["S", 3]
    later = a_leg("g2", "C3", SQUAD, spot=Spot.FIRE)
    assert mark_fire(an_advanced_state(later), later, small_arms=True).result == "fire"  # the old marker persists
    again = a_leg("g3", "C3", SQUAD, spot=Spot.FIRE, small_arms=True)
    assert mark_fire(an_advanced_state(again), again, small_arms=True).result == "fire-sa"


@both_editions
@pytest.mark.rule("6.1.3.2")
def test_6_1_3_2_full_cover_helps_the_target_and_hinders_the_spotter(edition):
    """2016:L1804-1806, A-47: the target's cover is -2 and the spotter's -4; both apply if both are in full cover."""
    data = advanced_data(edition=edition)
    squad = a_leg("g1", "C3", SQUAD, full_cover=True)
    other = a_leg("s1", "C5", RUSSIANS)
    state = an_advanced_state(squad, other)

    assert_rule(
        spots(Situation(data, state), other, squad), "6.1.3.2", inputs={"when": "target_full_cover"}, result=-2
    )
    assert_rule(
        spots(Situation(data, state), squad, other), "6.1.3.2", inputs={"when": "spotter_full_cover"}, result=-4
    )
    assert spotting_range(Situation(data, state), other, squad) == 4
    assert spotting_range(Situation(data, state), squad, other) == 2
    other.full_cover = True
    assert spotting_range(Situation(data, state), squad, other) == 1  # -6 is held at -5


@both_editions
@pytest.mark.rule("6.1.3")
def test_6_1_3_passengers_are_spotted_with_their_carrier(edition):
    """L1636: passengers count as part of their carrier."""
    data = advanced_data(a_board(columns=5, rows=30), edition=edition)
    truck = a_tank("g1", "C20", "opel")
    squad = a_leg("g2", "C20", SQUAD, aboard="g1", full_cover=True)
    spotter = a_tank("s1", "C1", "t34_76")
    state = an_advanced_state(truck, squad, spotter)

    assert spots_now(Situation(data, state), spotter, squad)  # 19 hexes: a vehicle in the open
    finding = spots(Situation(data, state), spotter, squad)
    assert_rule(finding, "6.1.3", inputs={"passengers": ["g2"]}, result="spotted with their carrier")
    assert finding.inputs["target"] == "g1"
    assert spotters_of(Situation(data, state), squad)


@pytest.mark.rule("6.1.4.3.1", effect=True)
@both_editions
def test_6_1_4_3_1_a_unit_on_the_upper_floor_looks_over_a_building(edition):
    data = advanced_data(a_board("B.B....", storeys={"A1": 3}), edition=edition)
    up = a_leg("g1", "A1", SQUAD, inside=Inside.UP)
    state = an_advanced_state(up, a_leg("g2", "A1", SQUAD), a_tank("s1", "G1", "t34_76"))
    assert [unit.id for unit in spotters_of(Situation(data, state), state.vehicles["s1"])] == ["g1"]


# --- 6.1 the phase ---------------------------------------------------------------------------------------------


@both_editions
@pytest.mark.rule("6.1", "4.1.5")
def test_6_1_the_phase_makes_the_matrix_and_takes_markers_of_unspotted_units(edition):
    """4.1.5, A-05: markers are removed only after all pairs have been checked."""
    board = a_board(columns=5, rows=40)
    seen = a_leg("g1", "C15", SQUAD, spot=Spot.FIRE, small_arms=True)  # S +1: 15 hexes
    unseen = a_leg("g2", "C17", SQUAD, spot=Spot.FIRE, small_arms=True)
    aboard = a_leg("s3", "C1", RUSSIANS, aboard="s1")
    units = (seen, unseen, a_tank("s1", "C1", "t34_76"), a_tank("s2", "C1", "zis5"), aboard)
    table = an_advanced_table(*units, board=board, edition=edition, spotted={}, stage=0)

    played = run_step(table, spotting_phase(table))

    assert table.state.spotted == {"g1": ["s1", "s2"], "g2": ["s1", "s2"], "s1": ["g1"], "s2": [], "s3": ["g1"]}
    assert_rule(played.findings, "6.1", inputs={"target": "g1", "by": ["s1", "s3"], "limit": 15}, result="spotted")
    assert_rule(played.findings, "4.1.5", inputs={"vehicle": "g2"}, result="removed")
    assert (unseen.spot, unseen.small_arms) == (Spot.NONE, False)
    assert (seen.spot, seen.small_arms) == (Spot.FIRE, True)
    assert table.state.next.name == SEQUENCE[1].step == "place_commands"


def test_6_1_the_matrix_is_what_each_pair_says_for_itself():
    """The fast method for the whole phase agrees with the one for a single pair, in every state that matters."""
    chance = Random(61)
    board = a_board(columns=16, rows=16, signs=dict.fromkeys(("C3", "D7", "H8", "K2", "M12"), ";"))
    data = advanced_data(board)
    hexes = [hex_name(hex) for hex in board.hexes]
    units = []
    for number in range(24):
        side = "gs"[number % 2]
        given = {"facing": chance.randint(1, 6), "suppression": chance.choice((Marker.NONE, Marker.ON, Marker.OFF))}
        spot = chance.choice((Spot.NONE, Spot.MOVE, Spot.FIRE))
        given |= {"spot": spot, "small_arms": chance.random() < 0.5, "full_cover": number % 3 == 0}
        card = SQUAD if side == "g" else RUSSIANS
        units.append(a_leg(f"{side}{number}", chance.choice(hexes), card, **given))
    table = an_advanced_table(*units, data=data)
    before = an_advanced_state(*units)

    wanted = {
        one.id: sorted(
            other.id
            for other in units
            if other.side != one.side and spots_now(Situation(data, before), one, other, "earlier")
        )
        for one in units
    }
    run_step(table, spotting_phase(table))

    assert table.state.spotted == wanted


def test_6_1_every_unit_of_two_battalions_is_looked_at_once(monkeypatch):
    """There is a battalion on each side: targets and spotters are computed one by one, not pair by pair."""
    looked_at: list[str] = []
    monkeypatch.setattr(spotting, "mark_of", counting(spotting.mark_of, looked_at))
    monkeypatch.setattr(spotting, "eye_of", counting(spotting.eye_of, looked_at))
    chance = Random(80)
    groves = {f"{letter}{row}": "m" for letter in "CGKOSW" for row in (4, 9, 14, 19)}
    board = a_board(columns=40, rows=30, signs=groves)
    hexes = [hex_name(hex) for hex in board.hexes]
    cards = {"g": SQUAD, "s": RUSSIANS}
    units = [a_leg(f"{side}{n}", chance.choice(hexes), cards[side]) for side in "gs" for n in range(80)]
    table = an_advanced_table(*units, board=board)

    run_step(table, spotting_phase(table))

    assert sorted(looked_at) == sorted(2 * [unit.id for unit in units])


def counting(function, calls):
    """Wrap a function so that it records the unit for which it is called."""

    def counted(situation, unit, *more):
        calls.append(unit.id)
        return function(situation, unit, *more)

    return counted


@both_editions
def test_6_1_the_explanation_agrees_with_the_answer_whatever_stands_in_the_way(edition):
    """Cases: 6.1.1 an unarmed lorry, 6.1.3.1 a suppressed squad facing away, 4.1.3 too far, 4.1.4 behind a grove."""
    board = a_board(signs={"C5": "m", "C6": "m"})
    data = advanced_data(board, edition=edition)
    target = a_leg("s1", "C9", RUSSIANS)
    sees = a_leg("g1", "G9", SQUAD)
    blind = [
        a_tank("g1", "C12", "opel"),
        a_leg("g1", "C12", SQUAD, facing=4, suppression=Marker.ON),
        a_leg("g1", "C20", SQUAD),
        a_leg("g1", "C2", SQUAD),
        a_leg("g1", "C12", SQUAD, status=Status.ELIMINATED),
    ]
    for watcher, expected in [(sees, True), *((unit, False) for unit in blind)]:
        state = an_advanced_state(target, watcher)
        assert spots_now(Situation(data, state), watcher, target) is expected
        assert spots(Situation(data, state), watcher, target).result is expected

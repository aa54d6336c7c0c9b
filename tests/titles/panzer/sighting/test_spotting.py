"""4.1 Spotting: the worked examples of both books, the Spotting Phase, and general properties."""

from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.rules import assert_rule, every
from titles.panzer.builders import a_board, a_data_set, a_state, a_table, a_vehicle, brewed_up, run_step

from pbem.engine.rules.state import to_bytes
from pbem.titles.panzer.cards.basic_rows import EDITIONS, Cover
from pbem.titles.panzer.sighting.spotting import (
    Target,
    explain_range,
    net_of,
    spots,
    spots_now,
    spotters_of,
    spotting_phase,
    target_modifiers,
)
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Spot, Status

both_editions = pytest.mark.parametrize("edition", EDITIONS)


def rule_in(edition: str, in_2024: str, in_2016: str) -> str:
    return in_2024 if edition == "2024" else in_2016


def a_pair(signs: str, edition="2024", *, away: int = 1, **target):
    """A German tank in A1 and a Soviet one `away` hexes down the column, on the terrain of the drawing."""
    board = a_board("\n".join(signs.ljust(away + 1, ".")))
    spotter, seen = a_vehicle("g1", "A1"), a_vehicle("s1", f"A{1 + away}", **target)
    return a_data_set(board, edition=edition), a_state(spotter, seen), spotter, seen


def at_last_hex(sign: str, away: int) -> str:
    return "." * away + sign


# --- 4.1.1, 4.1.2 who can spot -------------------------------------------------------------------------------


@both_editions
@pytest.mark.rule("4.1", "4.1.1", "4.1.2")
def test_4_1_1_combat_vehicles_spot_in_every_direction(edition):
    """L488, L514: combat vehicles spot whatever their facing, and any number of targets."""
    data = a_data_set(a_board(columns=9, rows=9), edition=edition)
    around = [a_vehicle(f"s{number}", hex) for number, hex in enumerate(("E1", "I5", "E9", "A5"))]
    spotter = a_vehicle("g1", "E5", facing=2)
    state = a_state(spotter, *around)

    for target in around:
        finding = spots(Situation(data, state), spotter, target)
        assert_rule(finding, "4.1", inputs={"target": target.id, "range": 4, "limit": 20}, result=True)
        assert_rule(finding, "4.1.1", inputs={"spotter": "g1"}, result=True)
        assert_rule(finding, "4.1.2", inputs={"facing": 2}, result="all round")


@both_editions
@pytest.mark.rule("4.1", "4.1.1")
def test_4_1_1_unarmed_vehicles_spot_nobody(edition):
    """L490: trucks can be spotted but do not spot, not even in their own hex."""
    truck = next(card.id for card in a_data_set().cards.values() if not card.armed and card.nation == "soviet")
    for away in (0, 1):
        data, state, spotter, target = a_pair("..", edition, away=away, card=truck)

        finding = spots(Situation(data, state), target, spotter)
        assert_rule(finding, "4.1.1", result=False)
        assert_rule(finding, "4.1", result=False)
        assert not spots_now(Situation(data, state), target, spotter)
        assert spots_now(Situation(data, state), spotter, target)


@both_editions
@pytest.mark.rule("4.1")
def test_4_1_only_vehicles_on_the_map_spot_or_are_spotted(edition):
    data, state, spotter, target = a_pair("..", edition)
    target.status = Status.ELIMINATED

    assert_rule(spots(Situation(data, state), spotter, target), "4.1", result=False)
    assert not spots_now(Situation(data, state), spotter, target)
    assert not spots_now(Situation(data, state), target, spotter)
    assert spotters_of(Situation(data, state), target) == []


@pytest.mark.rule("3.5.1", effect=True)
@both_editions
@pytest.mark.rule("4.1")
def test_3_5_1_in_the_same_hex_spotting_is_automatic(edition):
    """A-01: enemies in the same hex spot each other automatically."""
    data, state, spotter, target = a_pair("m", edition, away=0)

    assert_rule(spots(Situation(data, state), spotter, target), "4.1", inputs={"range": 0}, result=True)
    assert spots_now(Situation(data, state), spotter, target)


def behind_a_grove(edition, c_marker=Spot.NONE, a="A1", b="C1"):
    """C fires from a medium grove in A9; the Soviet A sees it along the column, and B is behind groves."""
    rows = ["...", "..."] + [".mm"] * 5 + ["...", "m.."]
    data = a_data_set(a_board("\n".join(rows)), edition=edition)
    vehicles = [a_vehicle("s1", a), a_vehicle("s2", b), a_vehicle("g3", "A9", spot=c_marker)]
    return data, a_state(*vehicles), *vehicles


@pytest.mark.rule("4.1.1", effect=True)
@both_editions
def test_4_1_1_hand_over_keeps_the_target_spotted(edition):
    """L502, 2016:L653: A leaves and B comes into line of sight; C still has Spot/Fire and stays spotted, now by B."""
    data, state, a, b, c = behind_a_grove(edition, Spot.FIRE)
    assert [vehicle.id for vehicle in spotters_of(Situation(data, state), c)] == ["s1"]

    a.hex, b.hex = b.hex, a.hex
    assert [vehicle.id for vehicle in spotters_of(Situation(data, state), c)] == ["s2"]


@pytest.mark.rule("4.1.1", effect=True)
@both_editions
def test_4_1_1_the_marker_of_this_turn_counts_in_later_phases(edition):
    """L508, 2016:L659: C eliminates A and gets Spot/Fire; B moves into line of sight in the same turn and spots C."""
    data, state, a, b, c = behind_a_grove(edition)
    a.status, c.pending, b.hex = Status.ELIMINATED, Spot.FIRE, a.hex

    assert [vehicle.id for vehicle in spotters_of(Situation(data, state), c, "current")] == ["s2"]
    assert spotters_of(Situation(data, state), c, "earlier") == []  # 8 hexes, medium cover: only 7 without the marker


@pytest.mark.rule("4.1.1", effect=True)
@both_editions
def test_4_1_1_what_a_friend_spots_does_not_help_the_firer(edition):
    """L498: each firer must itself have the target in range and in line of sight."""
    data, state, _, b, c = behind_a_grove(edition, Spot.FIRE)
    finding = spots(Situation(data, state), b, c)

    assert finding.result is False
    assert_rule(finding, rule_in(edition, "4.1.1/individual", "4.1.1"), inputs={"spotted_by": ["s1"]}, result=False)


@pytest.mark.rule("4.1.1", effect=True)
@pytest.mark.rule("4.1.1/individual", editions=("2024",))
def test_4_1_1_individual_is_explained():
    data, state, a, b, c = behind_a_grove("2024", Spot.FIRE)

    assert_rule(spots(Situation(data, state), b, c), "4.1.1/individual", inputs={"spotted_by": ["s1"]}, result=False)
    assert "4.1.1/individual" not in {item.rule for item in every(spots(Situation(data, state), a, c))}


# --- 4.1.3 range ---------------------------------------------------------------------------------------------


@both_editions
@pytest.mark.rule("4.1.3")
@pytest.mark.parametrize(("marker", "row", "hexes"), [(Spot.NONE, -2, 7), (Spot.MOVE, 0, 20), (Spot.FIRE, 1, 30)])
def test_4_1_3_a_tank_in_a_medium_grove(edition, marker, row, hexes):
    """L530, L536, L502; 2016:L684, L690, L695: a vehicle is spotted at 7 hexes at rest, at 20 after
    moving and at 30 after firing."""
    for sign in "mW":
        data, state, _, target = a_pair(at_last_hex(sign, 1), edition, spot=marker)
        finding = explain_range(Situation(data, state), target)

        assert_rule(finding, "4.1.3", inputs={"marker": marker.value}, cell=["V", row], result=hexes)
        assert finding.inputs["cover"] == "medium"
        assert sum(modifier["value"] for modifier in finding.modifiers) == row


@both_editions
@pytest.mark.rule("4.1.3")
def test_4_1_3_in_the_open_the_base_range_is_20(edition):
    """L526: a target without cover and marker uses row 0."""
    data, state, _, target = a_pair("..", edition)

    assert_rule(explain_range(Situation(data, state), target), "4.1.3", cell=["V", 0], result=20)


@pytest.mark.rule("4.1.3", effect=True)
@both_editions
@pytest.mark.rule("4.1.3/spot-move", "4.1.3/spot-fire")
def test_4_1_3_markers_move_the_row(edition):
    """L536, L502: the markers add +2 and +3; beyond +2 the last row is used."""
    data, state, _, target = a_pair("..", edition, spot=Spot.MOVE)
    moved = explain_range(Situation(data, state), target)
    assert_rule(moved, "4.1.3/spot-move", result=2)
    assert moved.result == 40

    target.spot = Spot.FIRE
    fired = explain_range(Situation(data, state), target)
    assert_rule(fired, "4.1.3/spot-fire", result=3)
    assert fired.result == 40
    assert "4.1.3/spot-move" not in {item.rule for item in every(fired)}


@pytest.mark.rule("4.1.3", "4.1.3/cover", "4.1.3/spot-move", effect=True)
@both_editions
def test_4_1_3_cover_moves_the_row(edition):
    """L518: cover moves the row by 0 for none, -1 for Light, -2 for Medium and -3 for Heavy."""
    data = a_data_set(edition=edition)
    covers = (Cover.NONE, Cover.LIGHT, Cover.MEDIUM, Cover.HEAVY)

    targets = [Target("V", cover, Spot.NONE, False, False) for cover in covers]
    nets = [net_of(target_modifiers(data, target)) for target in targets]
    assert [data.charts.spotting_range(net) for net in nets] == [20, 12, 7, 5]


@pytest.mark.rule("4.1.3", effect=True)
@pytest.mark.rule("4.1.3/cover", editions=("2024",))
def test_4_1_3_cover_is_explained():
    """L518: the finding names the cover of the target's hex."""
    data, state, _, target = a_pair(".;")
    finding = explain_range(Situation(data, state), target)

    assert_rule(finding, "4.1.3/cover", inputs={"hex": "A2", "terrain": {"scrub": "light"}}, result="light")
    assert finding.result == 12


def on_terrain(edition, types, links=None):
    """Return the explained spotting range of a tank in a hex with these types of terrain."""
    board = a_board(".\n?\n.", legend={"?": types}, links=links or {})
    target = a_vehicle("s1", "A2")
    return explain_range(Situation(a_data_set(board, edition=edition), a_state(target)), target)


@pytest.mark.rule("4.1.3", "4.1.3/cover", effect=True)
@pytest.mark.rule("4.1.3/other-cover", editions=("2024",))
def test_4_1_3_cover_other_and_several_types_2024():
    """L544: a vehicle on a path in a brush hex has Light cover; A-06: the best of several types applies."""
    path = on_terrain("2024", ["brush"], {"path": ["A1-A2-A3"]})
    assert_rule(path, "4.1.3/other-cover", inputs={"terrain": {"brush": "light"}}, result="light")

    several = on_terrain("2024", ["scrub", "medium_grove"])
    assert_rule(several, "4.1.3/other-cover", result="medium")
    assert several.result == 7
    assert "4.1.3/other-cover" not in {item.rule for item in every(on_terrain("2024", ["brush"]))}


@pytest.mark.rule("4.1.3/cover", effect=True)
@pytest.mark.rule("4.1.3/cover-other", "4.1.3/several-terrain-types", editions=("2016",))
def test_4_1_3_cover_other_and_several_types_2016():
    """2016:L703: a path in scrub has Light cover; 2016:L697: only the best of several types applies."""
    path = on_terrain("2016", ["scrub"], {"path": ["A1-A2-A3"]})
    assert_rule(path, "4.1.3/cover-other", inputs={"terrain": {"scrub": "light"}}, result="light")

    assert_rule(on_terrain("2016", ["woods", "heavy_woods"]), "4.1.3/several-terrain-types", result="heavy")
    assert_rule(on_terrain("2016", ["railroad", "crops"]), "4.1.3/cover-other", result="medium")


@pytest.mark.rule("4.1.3/cover", effect=True)
def test_4_1_3_an_improved_position_in_woods_is_heavy_cover_2016():
    """2016:L697: the improved position is Heavy and the woods are only Medium; shellholes stand in for
    the position here."""
    board = a_board(".\n?\n.", legend={"?": ["woods", "shellhole"]})
    data = a_data_set(board, edition="2016")
    position = msgspec.structs.replace(data.charts.terrain("shellhole"), spotting_cover=Cover.HEAVY)
    charts = msgspec.structs.replace(data.charts, terrains={**data.charts.terrains, "shellhole": position})

    assert charts.spotting_cover(board.terrain(board.hexes[1])) is Cover.HEAVY


@both_editions
@pytest.mark.rule("4.1.3.1")
def test_4_1_3_1_size_never_matters(edition):
    """L546: the target's size does not affect spotting."""
    for card in ("t70", "is2m"):
        data, state, _, target = a_pair(".;", edition, card=card)
        finding = explain_range(Situation(data, state), target)

        assert_rule(finding, "4.1.3.1", inputs={"size": data.cards[card].size}, result=0)
        assert finding.result == 12


@both_editions
@pytest.mark.rule("4.1.3.2", "3.8")
def test_4_1_3_2_an_overstacked_hex_gives_no_cover(edition):
    """L550: a sixth vehicle, of either side, removes the cover; wrecks do not count (A-02)."""
    data, state, spotter, target = a_pair(at_last_hex("m", 10), edition, away=10)
    for number in range(2, 6):
        state.vehicles[f"s{number}"] = a_vehicle(f"s{number}", "A11")
    wreck = state.vehicles["s9"] = a_vehicle("s9", "A11", status=Status.ELIMINATED)
    assert not spots_now(Situation(data, state), spotter, target)
    assert explain_range(Situation(data, state), target).result == 7

    state.vehicles["g2"] = a_vehicle("g2", "A11")
    finding = explain_range(Situation(data, state), target)
    assert_rule(finding, "4.1.3.2", inputs={"hex": "A11", "units": 6}, result="none")
    assert_rule(finding, "3.8", result=True)
    assert finding.result == 20
    assert spots_now(Situation(data, state), spotter, target)
    assert not wreck.alive


@both_editions
def test_4_1_3_the_range_is_a_limit_that_counts(edition):
    """L526: in the open, with a clear line of sight, the target is spotted at 20 hexes but not at 21."""
    for away, seen in ((20, True), (21, False)):
        data, state, spotter, target = a_pair("." * 22, edition, away=away)
        assert spots_now(Situation(data, state), spotter, target) is seen
        assert spots(Situation(data, state), spotter, target).result is seen


@both_editions
@pytest.mark.rule("4.1.3")
def test_4_1_3_only_the_target_counts(edition):
    """L518: the spotter's own terrain and marker have no effect, so spotting is not always mutual."""
    data, state, hidden, open_ground = a_pair("m" + "." * 10, edition, away=10)
    hidden.spot = Spot.NONE

    assert_rule(spots(Situation(data, state), hidden, open_ground), "4.1.3", result=20)
    assert spots_now(Situation(data, state), hidden, open_ground)
    assert not spots_now(Situation(data, state), open_ground, hidden)


@both_editions
@pytest.mark.rule("4.1.3")
def test_4_1_3_the_duel_of_the_book(edition):
    """L1062, L1083, 2016:L1237: a range of 3 is within the 7 hexes of the grove and the 20 of the open.

    A marker of this turn is not yet in effect in the Spotting Phase.
    """
    data, state, in_clear, in_grove = a_pair(at_last_hex("m", 3), edition, away=3)
    in_clear.pending = Spot.FIRE

    assert_rule(spots(Situation(data, state), in_clear, in_grove), "4.1.3", result=7)
    assert_rule(explain_range(Situation(data, state), in_clear, "earlier"), "4.1.3", inputs={"marker": ""}, result=20)
    assert_rule(
        explain_range(Situation(data, state), in_clear, "current"), "4.1.3", inputs={"marker": "fire"}, result=40
    )
    assert spots_now(Situation(data, state), in_clear, in_grove)


@both_editions
@pytest.mark.rule("4.1.4", "4.1.4.1.9")
def test_4_1_4_spotting_explains_its_line(edition):
    """A grove within range blocks the line, and the wrecks on the line are named."""
    data, state, spotter, target = a_pair("..m..", edition, away=4)

    assert_rule(
        spots(Situation(data, state), spotter, target), "4.1.4", inputs={"from": "A1", "to": "A5"}, result="blocked"
    )
    assert not spots_now(Situation(data, state), spotter, target)

    data, state, spotter, target = a_pair(".....", edition, away=4)
    state.wrecks["A3"] = brewed_up()
    assert_rule(spots(Situation(data, state), spotter, target), "4.1.4.1.9", inputs={"hex": "A3"}, result="open")
    assert spots_now(Situation(data, state), spotter, target)


# --- 4.1 the phase -------------------------------------------------------------------------------------------


def play(*vehicles, edition="2024", board=None, spotted=None):
    """Play the Spotting Phase with these vehicles; by default no unit was spotted before."""
    table = a_table(*vehicles, edition=edition, board=board, spotted=spotted or {})
    return table, run_step(table, spotting_phase(table)).findings[1:]  # after 4.0


@both_editions
@pytest.mark.rule("4.1")
def test_4_1_the_phase_finds_who_spots_whom_and_leads_to_the_commands(edition):
    """L476: the matrix lists, for each vehicle, the enemies that it spots itself."""
    board = a_board("\n".join(["..", ".m", ".m", "..", ".."]))
    truck = next(card.id for card in a_data_set().cards.values() if not card.armed and card.nation == "german")
    table, findings = play(
        a_vehicle("s1", "A1"),
        a_vehicle("s2", "B1"),
        a_vehicle("g1", "A5"),
        a_vehicle("g2", "B5", truck),
        a_vehicle("g3", None),
        edition=edition,
        board=board,
    )

    assert table.state.spotted == {"s1": ["g1"], "s2": [], "g1": ["s1"], "g2": []}
    assert_rule(findings, "4.1", inputs={"target": "g1", "by": ["s1"], "limit": 20}, cell=["V", 0], result="spotted")
    assert sorted(finding.inputs["target"] for finding in findings) == ["g1", "s1"]
    assert all(not finding.to for finding in findings)
    assert table.state.next is not None
    assert table.state.next.name == "place_commands"
    assert table.state.phase == "spotting"


@both_editions
@pytest.mark.rule("4.1.5")
def test_4_1_5_an_unspotted_vehicle_loses_its_marker(edition):
    """L741: a vehicle out of sight of every enemy loses its Spot/Fire or Spot/Move marker."""
    board = a_board("\n".join(".m."))
    for marker in (Spot.FIRE, Spot.MOVE):
        table, findings = play(
            a_vehicle("s1", "A1", spot=marker), a_vehicle("g1", "A3"), edition=edition, board=board
        )

        assert_rule(findings, "4.1.5", inputs={"vehicle": "s1", "marker": marker.value}, result="removed")
        assert table.state.vehicles["s1"].spot is Spot.NONE
        assert len(findings) == 1


@both_editions
def test_4_1_5_a_vehicle_spotted_with_its_marker_keeps_it(edition):
    """L741: in a grove 8 hexes away the vehicle is spotted only because of its Spot/Fire, turn after turn."""
    board = a_board("\n".join("m........"))
    table, findings = play(a_vehicle("s1", "A1", spot=Spot.FIRE), a_vehicle("g1", "A9"), edition=edition, board=board)

    assert table.state.spotted == {"s1": ["g1"], "g1": ["s1"]}
    assert table.state.vehicles["s1"].spot is Spot.FIRE
    by_target = {finding.inputs["target"]: finding for finding in findings}
    assert [row["when"] for row in by_target["s1"].modifiers] == ["target_medium_cover", "target_spot_fire"]
    assert by_target["s1"].cell == ["V", 1]

    again = run_step(table, spotting_phase(table)).findings[1:]  # after 4.0
    assert table.state.vehicles["s1"].spot is Spot.FIRE
    assert {finding.result for finding in again} == {"still spotted"}


@pytest.mark.rule("4.1.1", effect=True)
@pytest.mark.rule("4.1", editions=("2024",))
@pytest.mark.rule("4.1.1/continuous", editions=("2024",))
def test_4_1_1_the_phase_tells_who_stays_spotted_and_who_is_lost():
    """L494: a unit stays spotted while at least one enemy meets the conditions; otherwise the unit is
    lost from sight."""
    board = a_board("\n".join(["..m.", "...."]))
    table, findings = play(
        a_vehicle("s1", "A1", spot=Spot.MOVE),
        a_vehicle("s2", "D1"),
        a_vehicle("g1", "A2"),
        a_vehicle("g2", "B1"),
        board=board,
        spotted={"g1": ["s1", "s2"], "s1": ["g1"]},
    )

    assert_rule(findings, "4.1.1/continuous", inputs={"target": "s1", "by": ["g1", "g2"]}, result="still spotted")
    assert_rule(findings, "4.1.1/continuous", inputs={"target": "g1"}, result="still spotted")
    assert_rule(findings, "4.1", inputs={"target": "g2"}, result="spotted")
    assert table.state.vehicles["s1"].spot is Spot.MOVE


@pytest.mark.rule("4.1.1/continuous", effect=True)
@pytest.mark.rule("4.1.1", editions=("2016",))
def test_4_1_1_the_phase_tells_who_is_lost_2016():
    """2016:L649: a unit stays spotted until every spotter loses it; then its marker is removed too."""
    table, findings = play(
        a_vehicle("s1", "A1", spot=Spot.FIRE),
        a_vehicle("g1", "A3"),
        edition="2016",
        board=a_board("\n".join(".W.")),
        spotted={"g1": ["s1"]},
    )

    assert_rule(findings, "4.1.1", inputs={"target": "s1"}, result="lost")
    assert table.state.vehicles["s1"].spot is Spot.NONE
    assert table.state.spotted == {"g1": [], "s1": []}


@pytest.mark.rule("4.1", effect=True)
@both_editions
def test_4_1_the_phase_goes_by_the_markers_of_earlier_turns(edition):
    """A-04: a marker placed this turn does not count in the Spotting Phase."""
    board = a_board("\n".join("m........"))
    table, _ = play(a_vehicle("s1", "A1", pending=Spot.FIRE), a_vehicle("g1", "A9"), edition=edition, board=board)

    assert table.state.spotted == {"s1": ["g1"], "g1": []}
    assert spots_now(table, table.state.vehicles["g1"], table.state.vehicles["s1"])


# --- properties ----------------------------------------------------------------------------------------------


def a_melee(seed: int):
    """Place vehicles of two sides at random on a map of groves, houses and scrub."""
    random = Random(seed)
    rows = "\n".join("".join(random.choice("....;mB") for _ in range(14)) for _ in range(12))
    vehicles = [
        a_vehicle(
            f"{side}{number}",
            f"{random.choice('ABCDEFGHIJKLMN')}{random.randint(1, 12)}",
            spot=random.choice(list(Spot)),
            pending=random.choice(list(Spot)),
        )
        for side in "gs"
        for number in range(5)
    ]
    return random, a_board(rows), vehicles


@given(seed=st.integers(0, 2**32), edition=st.sampled_from(EDITIONS))
def test_4_1_phase_explanation_and_quick_answer_agree(seed, edition):
    _, board, vehicles = a_melee(seed)
    table = a_table(*vehicles, edition=edition, board=board)
    state = table.state
    expected = {
        one.id: [
            other.id
            for other in sorted(vehicles, key=lambda vehicle: vehicle.id)
            if other.side != one.side and spots(table, one, other, "earlier").result
        ]
        for one in vehicles
    }
    for one in vehicles:
        for other in vehicles:
            if one.side != other.side:
                for markers in ("earlier", "current"):
                    finding = spots(table, one, other, markers)
                    assert finding.result is spots_now(table, one, other, markers)
                    assert finding.result is (one in spotters_of(table, other, markers))
    run_step(table, spotting_phase(table))
    assert state.spotted == expected
    for vehicle in vehicles:
        if not any(vehicle.id in seen for seen in expected.values()):
            assert vehicle.spot is Spot.NONE


@given(seed=st.integers(0, 2**32))
def test_4_1_the_order_of_the_vehicles_does_not_matter(seed):
    random, board, vehicles = a_melee(seed)
    shuffled = [msgspec.structs.replace(vehicle) for vehicle in vehicles]
    random.shuffle(shuffled)
    one, other = (a_table(*listed, board=board, sides=("german", "soviet")) for listed in (vehicles, shuffled))
    other.state.vehicles = {vehicle.id: vehicle for vehicle in shuffled}

    findings = [run_step(table, spotting_phase(table)).findings for table in (one, other)]
    assert findings[0] == findings[1]
    assert to_bytes(one.state) == to_bytes(other.state)

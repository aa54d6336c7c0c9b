"""6.6.4, 6.6.5 Movement on foot."""

import dataclasses

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.rules import assert_rule
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank, advanced_data, an_advanced_state, both_editions
from titles.panzer.advanced.marching import (
    CYCLISTS,
    HALF_SQUAD,
    SECTION,
    SQUAD,
    a_feature,
    a_field,
    moves,
    refused,
    rule,
    tried,
    where,
)
from titles.panzer.builders import brewed_up
from titles.panzer.moving import levels

from pbem.engine.geometry.hexes import distance, hexside, parse_hex
from pbem.titles.panzer.cards.advanced_cards import advanced_cards
from pbem.titles.panzer.command.commands import command_objections
from pbem.titles.panzer.movement.steps.route_following import follow
from pbem.titles.panzer.movement.steps.terrain_costs import gait_of, movement_of
from pbem.titles.panzer.movement.steps.unit_steps import allowance_finding, mover_of, start, unit_allowances
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.routes.move_options import walks_from
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, Inside, Marker, Spot

CAVALRY = "soviet_cavalry_squad"

# --- 6.6.4.1 movement factors ----------------------------------------------------------------------------------


@both_editions("6.6.4.1")
def test_6_6_4_1_leg_movement_factor(edition):
    """L3529, 2016:L3590: 2L 3 means two points across country and three on a quickmarch."""
    data = advanced_data(edition=edition)
    squad = a_leg("g1", "C5", SQUAD, command=Command.MOVE)
    factor = movement_of(data, squad)

    assert (factor.cross_country, factor.mode, factor.quickmarch) == (2, "L", 3)
    found = allowance_finding(Situation(data, an_advanced_state(squad)), squad)
    assert_rule(found, "6.6.4.1", result={"cross": 2, "path": 0, "road": 0}, inputs={"quickmarch": 3})


@pytest.mark.rule("5.1.2", effect=True)
def test_5_1_2_sections_move_slower_with_an_attached_weapon():
    """5.1.2: a section's factor is 2L 3 without an attached weapon and 1L 0 with one."""
    data = advanced_data()

    assert movement_of(data, a_leg("g1", "C5", SECTION)).cross_country == 2
    loaded = movement_of(data, a_leg("g1", "C5", SECTION, weapons=("german_hmg",)))
    assert (loaded.cross_country, loaded.quickmarch) == (1, 0)
    assert movement_of(data, a_leg("g1", "C5", SQUAD, weapons=("german_hmg",))).cross_country == 2


@pytest.mark.rule("6.6.4.1")
@both_editions("6.6.4")
def test_6_6_4_squads_half_squads_sections_and_guns_move_on_foot(edition):
    """L3523: squads, half-squads, sections and guns pay by column L and do not have to turn."""
    units = [a_leg("g1", "C5", SQUAD), a_leg("g2", "C5", HALF_SQUAD), a_leg("g3", "C5", SECTION)]
    table = a_field(*units, a_gun("g4", "C5", "pak38"), edition=edition, dice=())

    for id in ("g1", "g2", "g3", "g4"):
        assert tried(table, id, "4").facing == table.state.vehicles[id].facing
    assert gait_of(table.data, table.state.vehicles["g4"]) == "towed"
    assert_rule(refused(table, "g1", "f"), "6.6.4.1")
    moves(table, "g1", "3")
    assert_rule(table.findings, "6.6.4", result="leg")


@both_editions("6.6.4.1")
def test_6_6_4_1_any_direction_and_no_turning_cost(edition):
    """L3537: a leg unit pays for terrain but not for turning, and may face in any direction."""
    table = a_field(a_leg("g1", "C9", SQUAD, facing=4), edition=edition)

    played = moves(table, "g1", "1 1 face:2")

    assert where(table, "g1") == "C7"
    assert table.state.vehicles["g1"].facing == 2
    assert_rule(played.findings, "6.6.4.1", inputs={"unit": "g1", "hex": "C8", "spent": 1}, result=1)
    assert table.state.vehicles["g1"].pending is Spot.MOVE


def test_6_6_4_1_terrain_smoke_and_roads_are_paid_by_column_l():
    """R-14: on foot a medium grove costs 2, brew-up smoke 1 more, and a hex along a road 1."""
    table = a_field(a_leg("g1", "C9", SQUAD), signs={"C8": "m", "D9": "."}, wrecks={"D9": brewed_up()})
    by_road = a_field(a_leg("g1", "C9", SQUAD), signs={"C8": "m"}, board={"links": {"road": ["C9-C8"]}})

    assert tried(table, "g1", "1").spent == 2
    assert tried(table, "g1", "2").spent == 2
    assert tried(by_road, "g1", "1").spent == 1


@pytest.mark.rule("4.5.1.1.11", effect=True)
@pytest.mark.rule("6.6.4.1")
def test_4_5_1_1_11_who_leaves_a_track_on_foot_pays_for_its_hex():
    """L1248-1256, A-34: only hexes entered and left along the track cost less; rough ground costs 2 on foot."""
    table = a_field(a_leg("g1", "C9", SQUAD), signs={"C8": "^"}, board={"links": {"path": ["C9-C8-C7"]}})
    track = [hexside(parse_hex(hex), 1) for hex in ("C9", "C8")]
    table.data = dataclasses.replace(table.data, board=table.data.board.with_tracks(track))

    assert tried(table, "g1", "1 1").spent == 2
    assert tried(table, "g1", "1").spent == 1
    assert_rule(refused(table, "g1", "1 2"), "6.6.4.1")
    tired = a_field(a_leg("g1", "C9", SQUAD, suppression=Marker.ON), signs={"C8": "^"}, board={"links": {"path": []}})
    assert_rule(refused(tired, "g1", "1 1"), "6.6.4.1")


@both_editions("6.6.4.1")
def test_6_6_4_1_one_legal_hex_is_always_possible_otherwise_the_allowance_is_the_limit(edition):
    """L3539: a leg unit may always move one legal hex; any further move must be within its allowance."""
    weak = {"suppression": Marker.ON}
    table = a_field(a_leg("g1", "C9", SQUAD, **weak), signs={"C8": "m"}, edition=edition)

    assert tried(table, "g1", "1").spent == 2  # its allowance is 1
    assert_rule(refused(table, "g1", "1 1"), "6.6.4.1")
    fit = a_field(a_leg("g1", "C9", SQUAD), signs={"C8": "m"}, edition=edition)
    assert_rule(refused(fit, "g1", "4 1 1"), "6.6.4.1")
    assert_rule(refused(fit, "g1", "2 1 1"), "6.6.4.1")


@both_editions("6.6.4.1/height")
def test_6_6_4_1_one_level_in_a_hex_at_most(edition):
    """L3543, ruling A34: leg units may not climb two or more levels in a hex, whatever the surcharge."""
    table = a_field(a_leg("g1", "C3", SQUAD), board=levels("2", "2", "0", "1", "1"), edition=edition)

    assert_rule(refused(table, "g1", "1"), rule(table, "6.6.4.1/height"))
    assert tried(table, "g1", "4").spent == 2  # one level costs 1 more


@both_editions("6.6.4.1")
def test_6_6_4_1_no_leg_unit_passes_enemy_infantry_or_stops_with_an_enemy(edition):
    """Ruling: leg units cannot pass enemy leg or towed units; leg units may pass a vehicle, but not
    stop in its hex."""
    table = a_field(
        a_leg("g1", "C9", SQUAD),
        a_leg("s1", "C8", "soviet_rifle_squad"),
        a_tank("s2", "D9", "t34_76"),
        edition=edition,
    )

    assert_rule(refused(table, "g1", "1"), "6.6.4.1")
    assert_rule(refused(table, "g1", "2"), "6.6.4.1")
    assert tried(table, "g1", "2 3").spent == 2


@both_editions("6.6.4.1/short-halt")
def test_6_6_4_1_short_halt_halves_and_is_not_for_loaded_sections(edition):
    """L3545: Short Halt halves the movement; a section with a weapon cannot be given it."""
    data = advanced_data(edition=edition)
    halting = a_leg("g1", "C5", SQUAD, command=Command.SHORT_HALT)
    loaded = a_leg("g2", "C5", SECTION, weapons=("german_hmg",))
    state = an_advanced_state(halting, loaded)

    assert unit_allowances(Situation(data, state), halting).cross == 1
    against = list(command_objections(Situation(data, state), loaded, Command.SHORT_HALT))
    table = a_field(edition=edition)
    assert_rule(against, rule(table, "6.6.4.1/short-halt"))


@both_editions("6.6.4.1/roads")
def test_6_6_4_1_guns_and_motorcycles_deny_the_road_rate_men_on_foot_do_not(edition):
    """L3535: guns and motorcycles in a road hex deny the road rate to others; units on foot do not."""
    road = {"links": {"road": ["C9-C8-C7-C6-C5"]}}

    def column(*others):
        return a_field(a_tank("g1", "C9", "pz4h"), *others, board=road, edition=edition)

    assert_rule(refused(column(a_gun("g2", "C7", "pak38")), "g1", "f f", "road"), rule(column(), "6.6.4.1/roads"))
    assert_rule(refused(column(a_leg("g2", "C7", CYCLISTS)), "g1", "f f", "road"), rule(column(), "6.6.4.1/roads"))
    assert tried(column(a_leg("g2", "C7", SQUAD)), "g1", "f f f f", "road").spent == 4
    assert tried(column(a_gun("g2", "C7", "pak38")), "g1", "f f").spent == 2


@pytest.mark.rule("6.6.4.1")
def test_6_6_4_1_cavalry_and_bicycles_deny_the_road_rate_in_2016():
    """2016:L3586-3608: the 2016 book adds cavalry and bicycles to the units that deny the road rate."""
    road = {"links": {"road": ["C9-C8-C7-C6-C5"]}}
    for card in (CAVALRY, "german_bicycle_squad"):
        table = a_field(a_tank("g1", "C9", "pz4h"), a_leg("g2", "C7", card), board=road, edition="2016")
        assert_rule(refused(table, "g1", "f f", "road"), "6.6.4.1")


# --- floors ----------------------------------------------------------------------------------------------------


@both_editions("6.6.4.1/floors", "6.1.4.3.1")
def test_6_6_4_1_up_and_down_in_a_building_cost_one_each(edition):
    """L3541, 6.1.4.3.1: units go up or down for 1 each if there is an upper floor, and come down to leave."""
    table = a_field(
        a_leg("g1", "C9", SQUAD), signs={"C9": "B", "D9": "B"}, board={"storeys": {"C9": 2}}, edition=edition
    )

    played = moves(table, "g1", "up")
    assert table.state.vehicles["g1"].inside is Inside.UP
    assert_rule(played.findings, rule(table, "6.6.4.1/floors"), result=1)
    table.state.vehicles["g1"].moved = False
    table.state.vehicles["g1"].spent = 0
    assert_rule(refused(table, "g1", "4"), rule(table, "6.6.4.1/floors"))
    assert tried(table, "g1", "down 4").spent == 2
    low = a_field(a_leg("g1", "D9", SQUAD), signs={"D9": "B"}, edition=edition)
    assert_rule(refused(low, "g1", "up"), "6.1.4.3.1")
    assert_rule(
        refused(a_field(a_gun("g1", "C9", "pak38"), signs={"C9": "B"}, board={"storeys": {"C9": 2}}), "g1", "up"),
        "6.1.4.3.1",
    )


@pytest.mark.rule("6.1.4.3.1", effect=True)
def test_6_1_4_3_1_desert_roofs_can_be_reached_from_one_storey():
    """L1712-1738: in a desert building of one storey the roof can be reached if the scenario says so."""
    table = a_field(a_leg("g1", "C9", SQUAD), signs={"C9": "B"}, scenario={"desert_buildings": True})

    moves(table, "g1", "up")

    assert table.state.vehicles["g1"].inside is Inside.UP


# --- 6.6.4.2 quickmarch ------------------------------------------------------------------------------------------


@both_editions("6.6.4.2", "6.6.4.2/suppression-roll")
def test_6_6_4_2_quickmarch_and_its_roll(edition):
    """L3551-3565: the squad moves three hexes over clear ground; a Veteran is suppressed on 01-40."""
    for roll, marker in ((40, Marker.ON), (41, Marker.NONE)):
        table = a_field(a_leg("g1", "C9", SQUAD, grade="veteran"), dice=[roll], edition=edition)

        played = moves(table, "g1", "1 1 1", "quick")

        assert where(table, "g1") == "C6"
        assert table.state.vehicles["g1"].suppression is marker
        found = assert_rule(played.findings, rule(table, "6.6.4.2/suppression-roll"), dice=(roll,), cell=40)
        assert found.result == ("suppressed" if roll == 40 else "fresh")
    assert_rule(refused(table_of_quick(edition, signs={"C8": ";"}), "g1", "1", "quick"), "6.6.4.2")


def table_of_quick(edition="2024", **more):
    return a_field(a_leg("g1", "C9", SQUAD), edition=edition, **more)


@pytest.mark.rule("6.6.4.2")
def test_6_6_4_2_it_may_begin_anywhere_but_goes_through_clear_ground_paths_and_roads():
    """L3555 lists the terrain open to a quickmarch; 2016:L3610-3622 adds brush and crops."""
    road = {"links": {"path": ["C9-C8-C7"]}}
    assert tried(table_of_quick(signs={"C9": "m"}), "g1", "1 1 1", "quick").spent == 3
    assert tried(table_of_quick(signs={"C8": "m"}, board=road), "g1", "1 1", "quick").spent == 2
    assert_rule(refused(table_of_quick(signs={"C8": ","}), "g1", "1", "quick"), "6.6.4.2")
    assert tried(table_of_quick("2016", signs={"C8": ","}), "g1", "1", "quick").spent == 1


@pytest.mark.rule("6.6.4.2")
def test_6_6_4_2_one_level_in_the_whole_move():
    """L3555, ruling A35: a quickmarch may change level only once."""
    table = a_field(a_leg("g1", "C4", SQUAD), board=levels("2", "1", "0", "0", "0"))

    assert tried(table, "g1", "1 1", "quick").spent == 3
    assert_rule(refused(table, "g1", "1 1 1", "quick"), "6.6.4.2")


@both_editions("6.6.4.2")
def test_6_6_4_2_who_may_quickmarch(edition):
    """L3551-3553: dismounted, unsuppressed units with a Move may quickmarch; sections only without a weapon."""
    unable = [
        a_leg("g1", "C9", SQUAD, suppression=Marker.OFF),
        a_leg("g1", "C9", SQUAD, command=Command.SHORT_HALT),
        a_leg("g1", "C9", SQUAD, flags=("hesitating-on",)),
        a_leg("g1", "C9", SECTION, weapons=("german_hmg",)),
        a_gun("g1", "C9", "pak38"),
    ]
    for unit in unable:
        assert_rule(refused(a_field(unit, edition=edition), "g1", "1", "quick"), "6.6.4.2")
    armed = a_field(a_leg("g1", "C9", SQUAD, weapons=("german_hmg",)), edition=edition)
    assert tried(armed, "g1", "1 1 1", "quick").spent == 3


# --- 6.6.4.3 crawling --------------------------------------------------------------------------------------------


@both_editions("6.6.4.3", "6.6.4.3/not-moving")
def test_6_6_4_3_crawling_keeps_full_cover_and_is_no_movement(edition):
    """L3569-3578: a crawling unit goes one hex, gets no marker, and draws no overwatch fire."""
    watcher = a_tank("s1", "C5", "t34_76", facing=4, command=Command.OVERWATCH)
    table = a_field(a_leg("g1", "C9", SQUAD, full_cover=True), watcher, edition=edition, spotted={})

    played = moves(table, "g1", "1", "crawl")

    unit = table.state.vehicles["g1"]
    assert (where(table, "g1"), unit.full_cover, unit.crawling, unit.pending) == ("C8", True, True, Spot.NONE)
    assert not played.asked("overwatch")
    assert_rule(played.findings, rule(table, "6.6.4.3/not-moving"), result="crawling")
    again = a_field(a_leg("g1", "C9", SQUAD, full_cover=True), edition=edition)
    assert_rule(refused(again, "g1", "1 1", "crawl"), "6.6.4.3")
    assert_rule(refused(again, "g1", "1"), "6.6.4.3")


@pytest.mark.rule("6.1.4.2")
@both_editions("6.6.4.3")
def test_6_6_4_3_who_may_not_crawl_and_where(edition):
    """L3573-3576: a unit that crawls must be unsuppressed, in full cover and on Move."""
    for unit in (
        a_leg("g1", "C9", SQUAD),
        a_leg("g1", "C9", SQUAD, full_cover=True, suppression=Marker.ON),
        a_leg("g1", "C9", SECTION, full_cover=True, weapons=("german_hmg",)),
        a_leg("g1", "C9", SQUAD, full_cover=True, command=Command.SHORT_HALT),
    ):
        assert_rule(refused(a_field(unit, edition=edition), "g1", "1", "crawl"), "6.6.4.3")
    hidden = {"full_cover": True}
    hill = a_field(a_leg("g1", "C3", SQUAD, **hidden), board=levels("1", "1", "0", "0", "0"), edition=edition)
    assert_rule(refused(hill, "g1", "1", "crawl"), "6.6.4.3")
    house = a_field(
        a_leg("g1", "C9", SQUAD, **hidden), signs={"C9": "B"}, board={"storeys": {"C9": 2}}, edition=edition
    )
    assert_rule(refused(house, "g1", "up", "crawl"), "6.6.4.3")
    ford = a_field(a_leg("g1", "C9", SQUAD, **hidden), signs={"C8": "f"}, edition=edition)
    assert_rule(refused(ford, "g1", "1", "crawl"), "6.1.4.2")  # no full cover there
    near = a_field(a_leg("g1", "C9", SQUAD, **hidden), a_tank("s1", "C7", "t34_76"), edition=edition)
    assert_rule(refused(near, "g1", "1", "crawl"), "6.6.4.3")
    assert tried(near, "g1", "4", "crawl").spent == 1


# --- 6.6.4.4 motorcycles and bicycles, 6.6.4.5 cavalry -----------------------------------------------------------


@pytest.mark.rule("6.6.4.1")
@both_editions("6.6.4.4")
def test_6_6_4_4_motorcycles_drive_like_wheeled_vehicles(edition):
    """L3582-3588: motorcycles have a W factor, turn, reverse and use road rates.

    They neither cross walls nor overrun.
    """
    road = {"links": {"road": ["C9-C8-C7-C6-C5-C4-C3"]}}
    table = a_field(a_leg("g1", "C9", CYCLISTS), board=road, edition=edition)

    assert tried(table, "g1", "f f f f f f", "road").spent == 6
    assert tried(table, "g1", "b").spent == 2
    played = moves(table, "g1", "r f")
    assert_rule(played.findings, "6.6.4.4", inputs={"unit": "g1"}, result=1)
    walls = a_field(a_leg("g1", "C9", CYCLISTS), board={"hexsides": {"wall": ["C9:1"]}}, edition=edition)
    assert_rule(refused(walls, "g1", "f"), "6.6.4.4")
    hill = a_field(a_leg("g1", "C3", CYCLISTS), board=levels("2", "2", "0", "0", "0"), edition=edition)
    assert refused(hill, "g1", "f")
    enemy = a_field(a_leg("g1", "C9", CYCLISTS), a_leg("s1", "C8", "soviet_rifle_squad"), edition=edition)
    assert_rule(refused(enemy, "g1", "f"), "6.6.4.1")


@pytest.mark.rule("6.6.4.4")
def test_6_6_4_4_defilade_stops_motorcycles_in_2024_and_hedgerows_in_2016():
    """L3586: defilades stop motorcycles in 2024; 2016:L3637-3645: hedgerows stop them and bicycles in 2016."""
    low = a_field(a_leg("g1", "C9", CYCLISTS), board={"hexsides": {"defilade": ["C9:1"]}})
    hedge = a_field(
        a_leg("g1", "C9", "german_bicycle_squad"), board={"hexsides": {"hedgerow": ["C9:1"]}}, edition="2016"
    )

    assert_rule(refused(low, "g1", "f"), "6.6.4.4")
    assert_rule(refused(hedge, "g1", "f"), "6.6.4.4")


@pytest.mark.rule("6.6.4.2", editions=("2016",))
@pytest.mark.rule("6.6.4.5", editions=("2016",))
def test_6_6_4_5_cavalry():
    """2016:L3647-3663: cavalry has its own factor, pays leg costs, climbs two levels and cannot cross walls.

    Its roll after a quickmarch has +20.
    """
    hill = a_field(a_leg("g1", "C3", CAVALRY), board=levels("2", "2", "0", "0", "0"), edition="2016")
    steep = a_field(a_leg("g1", "C3", CAVALRY), board=levels("3", "3", "0", "0", "0"), edition="2016")
    wall = a_field(a_leg("g1", "C9", CAVALRY), board={"hexsides": {"wall": ["C9:1"]}}, edition="2016")

    assert tried(hill, "g1", "1").spent == 3
    assert_rule(refused(steep, "g1", "1"), "6.6.4.5")
    assert_rule(refused(wall, "g1", "1"), "6.6.4.5")
    table = a_field(a_leg("g1", "C9", CAVALRY, grade="veteran"), dice=[21], edition="2016")
    played = moves(table, "g1", "1 1 1 1 1", "quick")
    assert_rule(played.findings, "6.6.4.5", result={"cross": 6, "path": 0, "road": 0})
    assert_rule(played.findings, "6.6.4.2", inputs={"total": 41}, result="fresh")
    armed = a_field(a_leg("g1", "C9", CAVALRY, weapons=("soviet_hmg",)), edition="2016")
    assert tried(armed, "g1", "1 1 1 1").spent == 4


# --- 6.6.5 manhandling -------------------------------------------------------------------------------------------


@pytest.mark.rule("6.6.4.1")
def test_6_6_4_5_a_cavalry_section_with_a_weapon_rides_and_halts_as_the_others_do():
    """Ruling on 6.6.4.5: the section uses the cavalry factor, not 1L 0, and may Short Halt and quickmarch."""
    book = advanced_cards("2016")
    horse = msgspec.structs.replace(book.legs[CAVALRY], id="troopers", size="section", reduced="")
    data = advanced_data(edition="2016", book=msgspec.structs.replace(book, legs={**book.legs, "troopers": horse}))
    unit = a_leg("s1", "C9", "troopers", weapons=("soviet_hmg",))
    view = an_advanced_state(unit, a_tank("g1", "C7", "pz4h"))

    assert (movement_of(data, unit).cross_country, movement_of(data, unit).quickmarch) == (4, 6)
    assert not list(command_objections(Situation(data, view), unit, Command.SHORT_HALT))
    on_foot = a_leg("s1", "C9", "soviet_section", weapons=("soviet_hmg",))
    rule = ledger_row("2016", "6.6.4.1/short-halt")
    situation = Situation(data, an_advanced_state(on_foot, a_tank("g1", "C7", "pz4h")))
    assert_rule(list(command_objections(situation, on_foot, Command.SHORT_HALT)), rule)


@both_editions("6.6.5")
def test_6_6_5_a_gun_is_manhandled_one_hex_and_faces_as_its_owner_likes(edition):
    """L3592-3600: a gun can be moved one hex by its crew, and may then face in any direction."""
    table = a_field(a_gun("g1", "C9", "pak38", facing=1), edition=edition)

    played = moves(table, "g1", "4 face:2")

    assert (where(table, "g1"), table.state.vehicles["g1"].facing) == ("C10", 2)
    assert_rule(played.findings, "6.6.5", inputs={"unit": "g1"}, result={"cross": 1, "path": 0, "road": 0})
    assert_rule(refused(a_field(a_gun("g1", "C9", "pak38"), edition=edition), "g1", "1 1"), "6.6.5")
    assert tried(a_field(a_gun("g1", "C9", "pak38"), signs={"C8": "m"}, edition=edition), "g1", "1").spent == 2


@pytest.mark.rule("6.1.4.2")
@both_editions("6.6.5")
def test_6_6_5_what_stops_a_gun(edition):
    """L3598: walls, two levels and prohibited terrain stop a gun, and it can neither quickmarch nor Short Halt.

    The largest guns cannot be moved at all.
    """
    wall = a_field(a_gun("g1", "C9", "pak38"), board={"hexsides": {"wall": ["C9:1"]}}, edition=edition)
    hill = a_field(a_gun("g1", "C3", "pak38"), board=levels("2", "2", "0", "0", "0"), edition=edition)
    water = a_field(a_gun("g1", "C9", "pak38"), signs={"C8": "o"}, edition=edition)
    large = a_field(a_gun("g1", "C9", "flak36"), edition=edition)

    assert_rule(refused(wall, "g1", "1"), "6.6.5")
    assert_rule(refused(hill, "g1", "1"), "6.6.5")
    assert_rule(refused(water, "g1", "1"), "6.6.5")
    assert_rule(refused(large, "g1", "1"), "6.6.5")
    gun = large.state.vehicles["g1"]
    assert_rule(list(command_objections(Situation(large.data, large.state), gun, Command.SHORT_HALT)), "6.6.5")
    covered = a_gun("g2", "C9", "pak38", full_cover=True)
    assert_rule(
        list(command_objections(Situation(large.data, an_advanced_state(covered)), covered, Command.MOVE)), "6.1.4.2"
    )


@pytest.mark.rule("6.1.4.3.1")
def test_6_1_4_3_1_a_gun_set_up_inside_a_building_does_not_move():
    """L1712-1738: a gun set up inside a building cannot move."""
    table = a_field(a_gun("g1", "C9", "pak38", inside=Inside.BUILDING), signs={"C9": "B"})

    assert_rule(refused(table, "g1", "1"), "6.1.4.3.1")


# --- properties --------------------------------------------------------------------------------------------------

SIGNS = st.dictionaries(
    st.sampled_from(["C8", "C7", "B8", "D8", "D7", "C10", "B9", "D9"]), st.sampled_from(";m,^o"), max_size=6
)


@settings(max_examples=25, deadline=None)
@given(signs=SIGNS, quick=st.booleans(), suppressed=st.booleans())
def test_6_6_4_1_every_walk_found_is_legal_and_its_cost_is_the_sum_of_its_steps(signs, quick, suppressed):
    """6.6.4.1: the costs add up, and a unit may exceed its allowance only with its first hex."""
    unit = a_leg("g1", "C9", SQUAD, suppression=Marker.ON if suppressed else Marker.NONE)
    table = a_field(unit, signs=signs)
    mover = mover_of(table, unit, quick)
    begun = start(mover, "quick" if quick else "cross")

    for steps in walks_from(mover, begun):
        strides, objections = follow(mover, begun, steps)
        assert not objections
        end = strides[-1].progress if strides else begun
        assert end.spent == sum(int(stride.price.total) for stride in strides)
        assert end.spent <= end.limit or len(strides) == 1
        assert distance(parse_hex("C9"), end.hex) <= len(strides)


@pytest.mark.rule("6.1.4.3.11", "6.1.4.3.5")
def test_6_6_4_1_features_close_hexes():
    """6.1.4.3.11, 6.1.4.3.5: leg units cannot enter a hex with wire or a fire."""
    table = a_field(
        a_leg("g1", "C9", SQUAD),
        features=[a_feature("wire", "C8"), a_feature("on_fire", "D9"), a_feature("block", "B9")],
    )

    assert_rule(refused(table, "g1", "1"), "6.1.4.3.11")
    assert_rule(refused(table, "g1", "2"), "6.1.4.3.5")
    assert tried(table, "g1", "6").spent == 2

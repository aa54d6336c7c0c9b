"""4.5.1.1 Moves step by step: obstructions, bridges, map edges, occupied hexes, tracks and damage."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.rules import assert_rule
from titles.panzer.builders import a_board, a_card, a_vehicle, brewed_up, knocked_out
from titles.panzer.movement.drives import ROAD, both_editions
from titles.panzer.moving import a_mover, a_strip, driven, start

from pbem.engine.geometry.hexes import hexside, parse_hex
from pbem.titles.panzer.cards.basic_rows import EDITIONS
from pbem.titles.panzer.movement.steps.driving import after_damage, entry_facings, spelled_out, steps_back
from pbem.titles.panzer.movement.steps.route_following import as_far_as_legal
from pbem.titles.panzer.state import Command

# --- 4.5.1.1.5 obstructions ----------------------------------------------------------------------------------


@pytest.mark.rule("4.5.1.1.5/obstructed", editions=("2024",))
@pytest.mark.parametrize(
    "blocked",
    [
        {"wrecks": {"C7": knocked_out()}},
        {"wrecks": {"C7": brewed_up()}},
        {"others": [a_vehicle("s1", "C7")]},
        {"others": [a_vehicle(f"g{number}", "C7") for number in range(2, 7)]},
    ],
    ids=["wreck", "burning wreck", "enemy", "overstacked"],
)
def test_4_5_1_1_5_an_obstructed_road_has_no_rate(blocked):
    """L1210-L1212: a wreck, an enemy or a sixth vehicle obstructs the road; cross-country movement goes on."""
    mover = a_mover(board=a_strip(links=ROAD), **blocked)

    assert_rule(driven(mover, "f f f", "road").objections, "4.5.1.1.5/obstructed")
    assert driven(mover, "f f f").legal


@pytest.mark.rule("4.5.1.1.5", editions=("2016",))
def test_4_5_1_1_5_an_enemy_on_the_road_in_2016():
    """2016: a route past an enemy vehicle does not get the road rate."""
    mover = a_mover(board=a_strip(links=ROAD), others=[a_vehicle("s1", "C7")], edition="2016")

    assert_rule(driven(mover, "f f f", "road").objections, "4.5.1.1.5")


def test_4_5_1_1_5_friends_and_the_start_hex_do_not_obstruct():
    """L1212, R-17: four friendly vehicles are not an obstacle, and the start hex does not matter."""
    friends = [a_vehicle(f"g{number}", "C8") for number in range(2, 6)]
    crowd = [a_vehicle(f"g{number}", "C9") for number in range(12, 19)]
    mover = a_mover(board=a_strip(links=ROAD), others=friends + crowd, wrecks={"C9": knocked_out()})

    assert driven(mover, "f f", "road").legal


# --- 4.5.1.1.6 bridges ---------------------------------------------------------------------------------------

BRIDGE = {"legend": {"=": ["water", "bridge"]}, "links": {"path": ["C9-C8"], "road": ["C8-C7-C6"]}}


@both_editions
@pytest.mark.rule("4.5.1.1.6")
def test_4_5_1_1_6_a_bridge_is_entered_and_left_along_its_road(edition):
    """L1220-1222: a bridge is entered and left only through the connected hexes; crossing the water costs 1."""
    board = a_strip("=", **BRIDGE)
    mover = a_mover(board=board, edition=edition)

    assert driven(mover, "f f").costs == [1, 1]
    assert_rule(driven(a_mover("B9", facing=2, board=board, edition=edition), "f").objections, "4.5.1.1.6")
    assert_rule(driven(mover, "f r f").objections, "4.5.1.1.6")


@pytest.mark.rule("4.5.1.1.6", effect=True)
def test_4_5_1_1_6_a_bridge_between_path_and_road_counts_as_road():
    """L1222: the bridge hex counts as a road hex though entered by path; without a bridge it is a path hex (A-80)."""
    bridge = driven(a_mover(board=a_strip("=", **BRIDGE)), "f", "road").progress
    plain = driven(a_mover(board=a_strip(".", **BRIDGE)), "f", "road").progress

    assert (bridge.roads, bridge.paths) == (1, 0)
    assert (plain.roads, plain.paths) == (0, 1)


# --- 4.5.1.1.9 the edge of the map ---------------------------------------------------------------------------


@both_editions
@pytest.mark.rule("4.5.1.1.9")
@pytest.mark.parametrize(("facing", "step", "cost"), [(1, "exit", 2), (4, "exit-b", 4)])
def test_4_5_1_1_9_leaving_costs_the_terrain_of_the_last_hex(edition, facing, step, cost):
    """L1232-1238, A-32: leaving from scrub costs 2, or 4 in reverse, through the front or rear hexside."""
    board = a_board(signs={"C1": ";"}, columns=6, rows=6)
    mover = a_mover("C1", facing=facing, board=board, edition=edition)

    route = driven(mover, step)

    assert route.legal
    assert_rule(route.findings, "4.5.1.1.9", inputs={"edge": "north", "spent": cost}, result=cost)
    assert_rule(driven(mover, f"{step} f").objections, "4.5.1.1.9")
    assert_rule(driven(mover, "exit-b" if step == "exit" else "exit").objections, "4.5.1.1.9")
    assert_rule(driven(mover, "f" if step == "exit" else "b").objections, "4.5.1.1.9")


@pytest.mark.rule("4.5.1.1.9", effect=True)
def test_4_5_1_1_9_along_a_road_at_its_rate():
    """A-32: a unit that leaves along a path or road has its rate; elsewhere the rate is lost."""
    links = {"road": ["off1-C1-C2-C3-C4-C5-C6-C7"]}
    board = a_board(signs={"C1": "m"}, columns=6, rows=8, links=links)

    assert driven(a_mover("C7", board=board), "f f f f f f exit", "road").costs == [1] * 7
    assert not driven(a_mover("C7", board=board), "f f f f f f l exit", "road").legal


@pytest.mark.rule("4.5.1.1.9", effect=True)
def test_4_5_1_1_9_the_one_hex_beyond_the_allowance_may_lead_off_the_map():
    """A-37: the one hex that may be entered at any cost may also lead off the map."""
    board = a_board(signs={"C1": "^"}, columns=6, rows=6)

    assert driven(a_mover("C1", board=board, command=Command.SHORT_HALT), "exit").legal
    assert not driven(a_mover("C2", board=board), "f exit").legal


# --- 4.5.1.1.10 company --------------------------------------------------------------------------------------


@both_editions
@pytest.mark.rule("4.5.1.1.10")
def test_4_5_1_1_10_vehicles_and_wrecks_are_passed_for_the_terrain_alone(edition):
    """L1240-1246: passing through a friend, an enemy or a wreck costs only the terrain, here 1 each."""
    others = [a_vehicle("g2", "C8"), a_vehicle("s1", "C7")]
    mover = a_mover(others=others, wrecks={"C6": knocked_out()}, edition=edition)

    route = driven(mover, "f f f f")

    assert route.legal
    assert route.costs == [1, 1, 1, 1]
    assert_rule(route.findings, "4.5.1.1.10", result=0)


@pytest.mark.rule("4.5.1.1.10/end", editions=("2024",))
def test_4_5_1_1_10_no_move_ends_with_an_enemy():
    """L1242: a vehicle may pass through an enemy's hex, but not end its move there."""
    mover = a_mover(others=[a_vehicle("s1", "C8")])

    assert_rule(driven(mover, "f").objections, "4.5.1.1.10/end")
    assert driven(mover, "f f").legal


@pytest.mark.rule("4.5.1.1.10", editions=("2016",))
def test_4_5_1_1_10_no_move_ends_with_an_enemy_in_2016():
    """2016: a unit may not end its movement in an enemy vehicle's hex."""
    mover = a_mover(others=[a_vehicle("s1", "C8")], edition="2016")

    assert_rule(driven(mover, "f").objections, "4.5.1.1.10")


def test_4_5_1_1_10_back_to_the_last_hex_without_an_enemy():
    """A-33: after passing two enemies, the vehicle goes back to where it started."""
    mover = a_mover(others=[a_vehicle("s1", "C8"), a_vehicle("s2", "C7")])

    assert steps_back(mover, driven(mover, "f f").progress) == parse_hex("C9")
    assert steps_back(mover, driven(mover, "f f f f").progress) == parse_hex("C6")


# --- 4.5.1.1.11 tracks ---------------------------------------------------------------------------------------


def a_track(*signs: str):
    """Open ground whose path from C9 up to C6 is declared a track."""
    board = a_strip(*signs, links={"path": ["C9-C8-C7-C6"]})
    return board.with_tracks(hexside(parse_hex(name), 1) for name in ("C9", "C8", "C7"))


@pytest.mark.rule("4.5.1.1.11", editions=("2024",))
def test_4_5_1_1_11_a_track_hex_costs_one_whatever_its_terrain():
    """L1252: the vehicle need not start or stay on the track, and uses its cross-country allowance (A-34)."""
    mover = a_mover("C10", board=a_track("^", "^"))

    route = driven(mover, "f f f")

    assert route.legal
    assert route.costs == [1, 1, 1]
    assert_rule(route.findings, "4.5.1.1.11", inputs={"what": "Track"}, result=1)
    assert driven(mover, "f b").costs == [1, 2]
    backwards = a_mover("C9", facing=4, board=a_track("^", "^"))
    assert driven(backwards, "b").costs == [2]


@pytest.mark.rule("4.5.1.1.11", editions=("2024",))
def test_4_5_1_1_11_the_benefit_is_lost_where_the_track_is_left_sideways():
    """L1254, A-34: a hex must be entered and left through track hexsides; the last hex need only be so entered."""
    scrub = a_mover(board=a_track(";"), card="t34_76")

    assert driven(scrub, "f").costs == [1]
    left = driven(scrub, "f r f")
    assert left.costs == [1, 0, 2]
    assert_rule(left.findings, "4.5.1.1.11", inputs={"what": "leaving the track"}, result=1)
    assert_rule(driven(a_mover(board=a_track("o")), "f r f").objections, "4.5.1.1.11")


@pytest.mark.rule("4.5.1.1.11", editions=("2024",))
def test_4_5_1_1_11_a_track_has_no_rate():
    """L1256: a route that combines a track with a path or road is moved at track speed."""
    assert_rule(driven(a_mover(board=a_track()), "f", "road").objections, "4.5.1.1.11")


@pytest.mark.rule("4.5.1.1.11", effect=True)
def test_4_5_1_1_11_a_paid_turn_on_the_track_is_owed_too():
    """A-34: in a grove a turn costs 1 on the track; a vehicle that leaves it owes 2 for the turn, 3 for the hex."""
    mover = a_mover(board=a_track("m"), card="fast", cards=[a_card("fast", cross_country=9)])

    assert driven(mover, "f r r f").costs == [1, 0, 1, 1 + 2 + 1]


# --- 2.0 reinforcements --------------------------------------------------------------------------------------


@both_editions
@pytest.mark.rule("2.0")
def test_2_0_a_reinforcement_pays_for_its_entry_hex(edition):
    """R-02: entering scrub at the edge costs 2; the vehicle faces into the map and drives on."""
    board = a_board(signs={"C6": ";"}, columns=6, rows=6)
    mover = a_mover(None, board=board, edition=edition, entry=["C6"])

    route = driven(mover, "enter:C6:1 f")

    assert route.legal
    assert route.costs == [2, 1]
    assert_rule(route.findings, "2.0", inputs={"step": "enter:C6:1", "hex": "C6", "facing": 1}, result=2)


@pytest.mark.rule("2.0")
@pytest.mark.parametrize("step", ["f", "", "enter:C5:1", "enter:C6:4", "enter:C6:9", "enter:Q9"])
def test_2_0_it_enters_by_its_entry_hexes_facing_into_the_map(step):
    """R-02: a reinforcement enters the map only through its entry hexes, facing into the map."""
    mover = a_mover(None, board=a_board(columns=6, rows=6), entry=["C6"])

    assert_rule(driven(mover, step).objections, "2.0")


@pytest.mark.rule("2.0", effect=True)
def test_2_0_entry_along_a_road_counts_as_having_started_on_it():
    """R-02: the vehicle has the road rate from the edge onwards, but only if the road leaves the map there."""
    links = {"road": ["off4-C6-C5-C4-C3-C2-C1"]}
    board = a_board(columns=6, rows=6, links=links, signs={"C6": "m"})
    mover = a_mover(None, board=board, entry=["C6", "D6"])

    assert driven(mover, "enter:C6:1 f f f f f", "road").costs == [1] * 6
    assert not driven(mover, "enter:C6:2", "road").legal
    assert not driven(mover, "enter:D6:1", "road").legal


@pytest.mark.rule("2.0", effect=True)
def test_2_0_an_entry_without_facing_follows_the_road():
    """R-02: an omitted facing is filled in along the road that enters the map there."""
    board = a_board(columns=6, rows=6, links={"road": ["off3-C6-C5"]})
    mover = a_mover(None, board=board, entry=["C6"])

    assert entry_facings(board, parse_hex("C6")) == [6, 1, 2]
    assert spelled_out(mover, "enter:C6") == "enter:C6:6"
    assert spelled_out(mover, "f") == "f"


@pytest.mark.rule("2.0", effect=True)
def test_2_0_whoever_is_on_the_map_does_not_enter():
    mover = a_mover("C6", board=a_board(columns=6, rows=6), entry=["C6"])

    assert driven(mover, "enter:C6:1").objections[0].rule == "2.0"


# --- damage and what is left ---------------------------------------------------------------------------------


@pytest.mark.rule("4.5.1.1.1", effect=True)
def test_4_5_1_1_1_damage_halves_what_is_left():
    """A-36: with 1 of 4 points spent, 3 are left, halved to 1; with 3 spent, 1 is left, halved to 0."""
    mover = a_mover()
    after_one = after_damage(driven(mover, "f").progress)
    after_three = after_damage(driven(mover, "f f f").progress)

    assert (after_one.left, after_three.left) == (1, 0)
    assert after_damage(start(mover, "cross")).left == 2


@pytest.mark.rule("4.5.1.1.1", effect=True)
def test_4_5_1_1_1_damage_before_anything_is_spent_leaves_one_point_and_the_one_hex_move():
    """A-36: the whole allowance is halved, to at least 1, and the one-hex move of 4.5.1.1.3 stays available."""
    mover = a_mover(board=a_strip("^"), card="slow", cards=[a_card("slow", cross_country=1)])
    begun = after_damage(start(mover, "cross"))

    assert begun.left == 1
    assert driven(mover, "f", begun=begun).legal


def test_4_5_1_1_5_damage_on_the_road_halves_the_rest_of_its_rate():
    """R-17: the points spent are taken from the road allowance: 3 of 9 spent leave 6, halved to 3."""
    mover = a_mover("C12", board=a_strip(links=ROAD))
    begun = after_damage(driven(mover, "f f f", "road").progress)

    assert driven(mover, "f f f", begun=begun).legal
    assert not driven(mover, "f f f f", begun=begun).legal


def test_4_5_1_1_5_a_route_goes_on_as_far_as_it_is_legal():
    """R-17: after damage two of four steps remain; the one that would end in an enemy's hex is dropped."""
    mover = a_mover("C10")
    begun = after_damage(driven(mover, "f").progress)

    assert as_far_as_legal(mover, begun, ["f", "f", "f"]) == ("f",)
    held = a_mover("C10", others=[a_vehicle("s1", "C8")])
    assert as_far_as_legal(held, begun, ["f", "f", "f"]) == ()


def test_4_5_1_1_5_a_move_cut_short_is_not_computed_again():
    """R-17: three path and three road hexes already moved at the road rate stay legal if the move stops there."""
    links = {"path": ["C12-C11-C10-C9-C8"], "road": ["C8-C7-C6-C5-C4-C3-C2"]}
    mover = a_mover("C12", "pzjgr1", board=a_strip(links=links))
    begun = after_damage(driven(mover, "f f f f f f f", "road").progress)

    assert begun.spent > begun.rate
    assert as_far_as_legal(mover, begun, ["f", "f"]) == ("f",)


# --- properties ----------------------------------------------------------------------------------------------

STEP = st.sampled_from(["f", "f", "f", "b", "l", "r"])


@given(
    steps=st.lists(STEP, max_size=12),
    card=st.sampled_from(["t34_76", "spw251", "daimler"]),
    edition=st.sampled_from(EDITIONS),
    mode=st.sampled_from(["cross", "road"]),
    command=st.sampled_from([Command.MOVE, Command.SHORT_HALT]),
    damaged=st.booleans(),
)
def test_4_5_1_1_3_only_one_hex_goes_beyond_the_allowance(steps, card, edition, mode, command, damaged):
    """Costs are never negative, and their sum exceeds the allowance only if a unit enters one hex and stops."""
    board = a_board(
        "..;^m.\n.m^;..\n...l..\n.;..^.\n......\n..m...",
        levels="......\n.1....\n.12...\n.11...\n......\n......",
        hill_edges="slope",
        links={"road": ["C6-C5-C4-C3"], "path": ["C5-D5-E4"]},
    )
    mover = a_mover("C5", card, board=board, edition=edition, command=command, damaged=damaged)

    route = driven(mover, " ".join(steps), mode)

    costs = [cost for cost in route.costs if isinstance(cost, int)]
    assert all(cost >= 0 for cost in costs)
    assert route.progress.spent == sum(costs)
    if route.progress.spent > route.progress.limit:
        assert route.progress.ended
        assert route.progress.entered == 1
        assert all(cost == 0 for stride, cost in zip(route.strides, costs, strict=True) if stride.step in "lr")

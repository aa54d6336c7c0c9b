"""5.2.1, 6.6.7 Transport: capacity, mounting and dismounting, emergency bail-out, portee guns."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.rules import assert_rule
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank, advanced_data, both_editions
from titles.panzer.advanced.marching import (
    HALF_SQUAD,
    SECTION,
    SQUAD,
    a_feature,
    a_field,
    an_answer,
    ask_of,
    moves,
    refused,
    rule,
    tried,
    where,
)
from titles.panzer.builders import run_step
from titles.panzer.moving import levels

from pbem.titles.panzer.cards.basic_rows import EDITIONS
from pbem.titles.panzer.end_of_turn.digging import had_command
from pbem.titles.panzer.movement.movement_step import check_move, move_options, movement_step
from pbem.titles.panzer.movement.steps.route_following import follow
from pbem.titles.panzer.movement.steps.unit_steps import halvings, mover_of, start, unit_allowances
from pbem.titles.panzer.obstacles.transport import Space, capacity, portee_parts, room_objections, space
from pbem.titles.panzer.state import Command, Damage, Inside, Landed, Marker, Mission, Spot, Status

TRUCK = "opel"  # 2-3
TRACTOR = "sdkfz10"  # 1-2
CARRIER = "spw251"  # 1-2


# --- 6.6.7.1 capacity --------------------------------------------------------------------------------------------


@both_editions("6.6.7.1")
def test_6_6_7_1_capacities_of_the_cards(edition):
    """L3626-3634, 2016:L3697-3705: an SdKfz 10 carries 1-2; a section needs 0-1 and an 8.8cm FlaK 36 needs 3-3."""
    data = advanced_data(edition=edition)

    assert capacity(data, a_tank("g1", "C5", TRACTOR)) == Space(1, 2)
    assert space(data, a_leg("g2", "C5", SECTION)) == Space(0, 1)
    assert space(data, a_gun("g3", "C5", "flak36")) == Space(3, 3)
    large = list(room_objections(data, a_tank("g1", "C5", TRACTOR), [], a_gun("g3", "C5", "flak36")))
    assert_rule(large, "6.6.7.1")
    assert not list(room_objections(data, a_tank("g1", "C5", "sdkfz7"), [], a_gun("g3", "C5", "flak36")))


@both_editions("6.6.7.1")
def test_6_6_7_1_guns_or_leg_units_never_both_and_one_gun_only(edition):
    """L3622-3636: a vehicle carries leg units or a single gun, never both."""
    data = advanced_data(edition=edition)
    truck, gun, squad, section = (
        a_tank("g1", "C5", TRUCK),
        a_gun("g2", "C5", "pak38"),
        a_leg("g3", "C5", SQUAD),
        a_leg("g4", "C5", SECTION),
    )

    assert not list(room_objections(data, truck, [squad], section))  # 2 + 1 of 3
    assert_rule(list(room_objections(data, truck, [squad, section], section)), "6.6.7.1")
    assert_rule(list(room_objections(data, truck, [gun], section)), "6.6.7.1")
    assert_rule(list(room_objections(data, truck, [section], gun)), "6.6.7.1")
    assert_rule(list(room_objections(data, truck, [gun], gun)), "6.6.7.1")
    tank = a_tank("g1", "C5", "pz4h")  # 0-2: leg only
    assert_rule(list(room_objections(data, tank, [], gun)), "6.6.7.1")
    assert not list(room_objections(data, tank, [], squad))
    none = a_tank("g1", "C5", "marder3m")
    assert_rule(list(room_objections(data, none, [], section)), "6.6.7.1")


@pytest.mark.rule("6.6.7.1")
def test_6_6_4_5_cavalry_and_riders_mount_no_vehicle():
    """2016:L3647-3663: riders are never separated from their mounts."""
    data = advanced_data(edition="2016")
    for card in ("soviet_cavalry_squad", "german_bicycle_squad", "german_motorcycle_squad"):
        unit = a_leg("s1", "C5", card)
        assert_rule(list(room_objections(data, a_tank("s2", "C5", "zis5"), [], unit)), "6.6.7.1")


@settings(max_examples=30, deadline=None)
@given(cards=st.lists(st.sampled_from([SQUAD, HALF_SQUAD, SECTION]), max_size=5))
def test_6_6_7_1_a_load_never_exceeds_the_capacity(cards):
    data = advanced_data()
    truck, aboard = a_tank("g1", "C5", TRUCK), []
    for number, card in enumerate(cards):
        unit = a_leg(f"g{number + 2}", "C5", card)
        if not list(room_objections(data, truck, aboard, unit)):
            aboard.append(unit)
    assert sum(space(data, unit).leg for unit in aboard) <= capacity(data, truck).leg


@both_editions("6.6.7.1/no-reverse")
def test_6_6_7_1_no_reverse_with_a_gun_in_tow(edition):
    """L3632: a vehicle that tows a gun cannot reverse."""
    table = a_field(a_tank("g1", "C9", TRACTOR), a_gun("g2", "C9", "pak38", aboard="g1"), edition=edition)

    assert_rule(refused(table, "g1", "b"), rule(table, "6.6.7.1/no-reverse"))
    assert tried(table, "g1", "f").spent == 1
    assert tried(a_field(a_tank("g1", "C9", TRACTOR), edition=edition), "g1", "b").spent == 2


# --- 6.6.7.1.1 mounting ------------------------------------------------------------------------------------------


@both_editions("6.6.7", "6.6.7.1.1/passengers-mounting", "6.6.7.1.1/vehicle")
def test_6_6_7_1_1_a_squad_gets_on_and_rides_along(edition):
    """L3640-3660: the squad needs a Move and all its movement; the vehicle pays half of its own, then moves on."""
    table = a_field(a_tank("g1", "C9", CARRIER), a_leg("g2", "C8", SQUAD, spot=Spot.FIRE), edition=edition)

    played = moves(table, "g1", "mount:g2 r f")

    squad = table.state.vehicles["g2"]
    assert (squad.aboard, where(table, "g2"), squad.command) == ("g1", "D9", None)
    assert (squad.moved, squad.marker) == (True, Spot.NONE)
    assert_rule(played.findings, rule(table, "6.6.7.1.1/passengers-mounting"), inputs={"unit": "g2"}, result="aboard")
    assert_rule(played.findings, "6.6.7", inputs={"unit": "g2"}, result="passenger")
    assert_rule(played.findings, "6.6.7.1.1/vehicle", result=2)  # half of 4
    assert tried(a_field(a_tank("g1", "C9", CARRIER), a_leg("g2", "C8", SQUAD)), "g1", "mount:g2").spent == 2


@both_editions("6.6.7.1.1/passengers-mounting")
def test_6_6_7_1_1_who_gets_on_from_the_next_hex_and_who_does_not(edition):
    """L3640-3652: only unsuppressed squads, half-squads and unencumbered sections mount from the next hex."""
    mounting = rule(a_field(edition=edition), "6.6.7.1.1/passengers-mounting")

    def beside(unit):
        return a_field(a_tank("g1", "C9", TRUCK), unit, edition=edition)

    for near in (a_leg("g2", "C8", SQUAD), a_leg("g2", "C8", HALF_SQUAD), a_leg("g2", "C8", SECTION)):
        assert tried(beside(near), "g1", "mount:g2").spent == 1
    slow = [
        a_leg("g2", "C8", SQUAD, suppression=Marker.ON),
        a_leg("g2", "C8", SECTION, weapons=("german_hmg",)),
        a_leg("g2", "C8", SECTION, suppression=Marker.OFF),
        a_leg("g2", "C8", SQUAD, full_cover=True),
        a_gun("g2", "C8", "pak38"),
    ]
    for unit in slow:
        assert_rule(refused(beside(unit), "g1", "mount:g2"), mounting)
        unit.hex = beside(unit).state.vehicles["g1"].hex
        assert tried(beside(unit), "g1", "mount:g2").spent == 1
    assert_rule(refused(beside(a_leg("g2", "C7", SQUAD)), "g1", "mount:g2"), mounting)


@both_editions("6.6.7.1.1/passengers-mounting")
def test_6_6_7_1_1_who_cannot_get_on(edition):
    """L3640: a unit cannot mount without a Move, after moving or fighting, from an upper floor, or across a cliff."""
    mounting = rule(a_field(edition=edition), "6.6.7.1.1/passengers-mounting")
    for unit in (
        a_leg("g2", "C9", SQUAD, command=Command.FIRE),
        a_leg("g2", "C9", SQUAD, command=Command.SHORT_HALT),
        a_leg("g2", "C9", SQUAD, moved=True),
        a_leg("g2", "C9", SQUAD, assaulted=True),
        a_leg("g2", "C9", SQUAD, inside=Inside.UP),
    ):
        assert_rule(refused(a_field(a_tank("g1", "C9", TRUCK), unit, edition=edition), "g1", "mount:g2"), mounting)
    steep = a_field(
        a_tank("g1", "C3", CARRIER), a_leg("g2", "C2", SQUAD), board=levels("2", "2", "0", "0", "0"), edition=edition
    )
    assert_rule(refused(steep, "g1", "mount:g2"), mounting)


@pytest.mark.parametrize("edition", EDITIONS)
def test_6_8_3_1_1_who_got_on_under_its_own_move_had_a_command(edition):
    """L4109: the unit had a command other than N/C this turn, so +20 applies although its carrier is stationary."""
    table = a_field(
        a_tank("g1", "C9", TRUCK, command=Command.NO_COMMAND),
        a_gun("g2", "C9", "pak38", suppression=Marker.OFF),
        a_leg("g3", "C9", SECTION, command=Command.NO_COMMAND, suppression=Marker.OFF),
        edition=edition,
    )

    moves(table, "g1", "mount:g2", "stay")

    assert table.state.vehicles["g2"].aboard == "g1"
    assert had_command(table.state, table.state.vehicles["g2"])
    assert not had_command(table.state, table.state.vehicles["g3"])


def test_6_6_7_1_1_mounting_is_seen_the_unit_first_then_its_vehicle():
    """Ruling: one window opens against the mounting unit, and one against the carrier once the unit is aboard."""
    watcher = a_tank("s1", "C5", "t34_76", facing=4, command=Command.OVERWATCH)
    table = a_field(a_tank("g1", "C9", CARRIER), a_leg("g2", "C8", SQUAD), watcher)

    played = moves(table, "g1", "mount:g2")

    assert [ask.subject for ask in played.asked("overwatch")] == ["g1", "g2", "g1"]


# --- 6.6.7.1.1 the vehicle ---------------------------------------------------------------------------------------


@both_editions("6.6.7.1.1/vehicle")
def test_6_6_7_1_1_once_in_each_hex_for_any_number_at_any_point(edition):
    """L3656-3660, ruling A39: the vehicle pays half its reduced movement, rounded down, and must have it left."""
    aboard = [a_leg("g2", "C9", SECTION, aboard="g1"), a_leg("g3", "C9", SECTION, aboard="g1")]
    table = a_field(a_tank("g1", "C9", CARRIER), *aboard, a_leg("g4", "C9", SECTION), edition=edition)

    assert tried(table, "g1", "dismount:g2:C9:1 dismount:g3:C9:1 mount:g4").spent == 2
    assert tried(table, "g1", "f dismount:g2:C8:1 f").spent == 4
    assert tried(table, "g1", "f dismount:g2:C8:1").handled
    assert_rule(refused(table, "g1", "f f f dismount:g2:C6:1"), "6.6.7.1.1/vehicle")
    assert_rule(refused(table, "g1", "f dismount:g2:C8:1 f dismount:g3:C7:1"), "6.6.7.1.1/vehicle")
    slow = a_field(
        a_tank("g1", "C9", CARRIER, suppression=Marker.ON, damage=Damage.HULL),
        a_leg("g2", "C9", SECTION, aboard="g1"),
        edition=edition,
    )
    assert tried(slow, "g1", "dismount:g2:C9:1").spent == 1


@pytest.mark.parametrize(("kind", "half"), [("path", 3), ("road", 5)])
def test_6_6_7_1_1_half_of_the_rate_at_which_it_moves(kind, half):
    """L3656-3660, ruling A39: the vehicle pays half its movement; along a path, the payment is half the path rate."""
    table = a_field(
        a_tank("g1", "C9", TRUCK),
        a_leg("g2", "C9", SECTION, aboard="g1"),
        board={"links": {kind: ["C9-C8-C7-C6-C5"]}},
    )
    allowances = unit_allowances(table, table.state.vehicles["g1"])

    assert (allowances.path, allowances.road) == (7, 11)
    assert tried(table, "g1", "f dismount:g2:C8:1", "road").spent == 1 + half
    assert tried(table, "g1", "dismount:g2:C9:1 f", "road").spent == 1 + half


@pytest.mark.rule("6.6.7.1.1/vehicle")
@both_editions("6.6.7.1.1")
def test_6_6_7_1_1_passengers_of_a_vehicle_that_stays_get_off_for_nothing(edition):
    """Ruling A39: a vehicle on Fire, Overwatch or No Command stays unrevealed and pays nothing."""
    table = a_field(
        a_tank("g1", "C9", CARRIER, command=Command.OVERWATCH),
        a_leg("g2", "C9", SQUAD, aboard="g1"),
        edition=edition,
    )

    played = moves(table, "g1", "dismount:g2:C8:2", "stay")

    squad, carrier = table.state.vehicles["g2"], table.state.vehicles["g1"]
    assert (where(table, "g2"), squad.facing, squad.pending, squad.moved) == ("C8", 2, Spot.MOVE, True)
    assert (carrier.revealed, carrier.moved, carrier.pending) == (False, False, Spot.NONE)
    assert_rule(played.findings, "6.6.7.1.1/vehicle", result=0)
    assert_rule(refused(table, "g1", "f", "stay"), "6.6.7.1.1")
    moving = a_field(a_tank("g1", "C9", CARRIER), a_leg("g2", "C9", SQUAD, aboard="g1"), edition=edition)
    assert_rule(refused(moving, "g1", "dismount:g2:C8:2", "stay"), "6.6.7.1.1/vehicle")


# --- 6.6.7.1.1 dismounting ---------------------------------------------------------------------------------------


@both_editions("6.6.7.1.1/passengers-dismounting", "6.6.7")
def test_6_6_7_1_1_where_passengers_get_off(edition):
    """L3644-3654: agile units may dismount next to the vehicle, but other units only in its hex.

    They get Spot/Move and may face in any direction.
    """
    dismounting = rule(a_field(edition=edition), "6.6.7.1.1/passengers-dismounting")
    table = a_field(a_tank("g1", "C9", TRUCK), a_leg("g2", "C9", SQUAD, aboard="g1"), edition=edition)
    played = moves(table, "g1", "f dismount:g2:D8:5")
    squad = table.state.vehicles["g2"]
    assert (where(table, "g2"), squad.facing, squad.pending, squad.aboard) == ("D8", 5, Spot.MOVE, "")
    assert_rule(played.findings, dismounting, inputs={"unit": "g2", "hex": "D8"}, result="move")
    assert_rule(played.findings, "6.6.7", inputs={"unit": "g2"}, result="dismounted")
    for unit in (
        a_leg("g2", "C9", SQUAD, aboard="g1", suppression=Marker.ON),
        a_leg("g2", "C9", SECTION, aboard="g1", weapons=("german_hmg",)),
        a_gun("g2", "C9", "pak38", aboard="g1"),
    ):
        other = a_field(a_tank("g1", "C9", TRUCK), unit, edition=edition)
        assert_rule(refused(other, "g1", "dismount:g2:C8:1"), dismounting)
        assert tried(other, "g1", "dismount:g2:C9:4").spent == 1


@both_editions("6.6.7.1.1/passengers-dismounting")
def test_6_6_7_1_1_where_nobody_gets_off(edition):
    """Ruling: passengers cannot dismount with an enemy, in closed terrain, off the map, or over too many levels."""
    dismounting = rule(a_field(edition=edition), "6.6.7.1.1/passengers-dismounting")

    def off(hex, *others, **more):
        table = a_field(
            a_tank("g1", "A9", CARRIER), a_leg("g2", "A9", SQUAD, aboard="g1"), *others, edition=edition, **more
        )
        return refused(table, "g1", f"dismount:g2:{hex}:1")

    assert_rule(off("A8", a_leg("s1", "A8", "soviet_rifle_squad")), dismounting)
    assert_rule(off("A8", signs={"A8": "o"}), dismounting)
    assert_rule(off("A8", features=[a_feature("wire", "A8")]), dismounting)
    assert_rule(off("A7"), dismounting)
    both = a_field(a_tank("g1", "C9", CARRIER), a_leg("g2", "C9", SQUAD), edition=edition)
    assert_rule(refused(both, "g1", "mount:g2 dismount:g2:C9:1"), dismounting)
    assert_rule(refused(both, "g1", "dismount:g2:C9:1"), dismounting)


def test_6_6_7_1_1_getting_off_opens_no_window():
    """L3183: the vehicle may be fired at while it moves, but dismounting opens no window."""
    watcher = a_tank("s1", "C5", "t34_76", facing=4, command=Command.OVERWATCH)
    table = a_field(a_tank("g1", "C9", CARRIER), a_leg("g2", "C9", SQUAD, aboard="g1"), watcher)

    played = moves(table, "g1", "dismount:g2:C8:1")

    assert [ask.subject for ask in played.asked("overwatch")] == ["g1"]


@pytest.mark.rule("6.6.7")
def test_6_6_7_passengers_have_no_move_of_their_own():
    """L3616: passengers move only with their carrier."""
    table = a_field(a_tank("g1", "C9", CARRIER), a_leg("g2", "C9", SQUAD, aboard="g1"))

    assert_rule(refused(table, "g2", "1"), "6.6.7")


# --- 6.6.7.1.2 emergency bail out --------------------------------------------------------------------------------


@both_editions("6.6.7.1.2")
def test_6_6_7_1_2_an_unsuppressed_passenger_jumps_off_at_any_point_for_nothing(edition):
    """L3664-3668: the passenger lands suppressed in the vehicle's hex, with Spot/Move."""
    table = a_field(a_tank("g1", "C9", CARRIER), a_leg("g2", "C9", SQUAD, aboard="g1"), edition=edition)

    played = moves(table, "g1", "f bail:g2:3 f f f")

    squad = table.state.vehicles["g2"]
    assert (where(table, "g2"), squad.facing, squad.suppression) == ("C8", 3, Marker.ON)
    assert squad.pending is Spot.MOVE
    assert where(table, "g1") == "C5"
    assert_rule(played.findings, "6.6.7.1.2", inputs={"unit": "g2", "hex": "C8"})
    shaken = a_field(
        a_tank("g1", "C9", CARRIER), a_leg("g2", "C9", SQUAD, aboard="g1", suppression=Marker.OFF), edition=edition
    )
    assert_rule(refused(shaken, "g1", "bail:g2:3"), "6.6.7.1.2")


def test_6_6_7_1_2_after_fire_the_owner_may_let_them_jump():
    """L3668: passengers may not jump off to avoid fire already declared, but they may do so right after it."""
    watcher = a_leg("s1", "C6", "soviet_rifle_squad", facing=4, command=Command.OVERWATCH)
    table = a_field(a_tank("g1", "C9", TRUCK), a_leg("g2", "C9", SQUAD, aboard="g1"), watcher, dice=[1] * 6)
    shot = {"target": "g1", "firers": [["s1", 0, "gp"]]}

    played = moves(table, "g1", "f", answers={"overwatch": [shot], "reroute": [{"steps": ["bail:g2:4"]}]})

    assert played.asked("reroute")
    assert table.state.vehicles["g2"].suppression is Marker.ON
    assert where(table, "g2") == "C9"


# --- reinforcements and exits ------------------------------------------------------------------------------------


def test_2_0_reinforcements_come_in_with_their_passengers_and_leave_with_them():
    """2.0 R-02, 4.5.1.1.9: passengers enter and leave the map with their vehicle."""
    from titles.panzer.movement.test_movement_advanced import with_entry

    table = with_entry(a_tank("g1", None, TRUCK), a_leg("g2", None, SQUAD, aboard="g1"), hex="A9")
    moves(table, "g1", "enter:A9")
    assert (where(table, "g1"), where(table, "g2")) == ("A9", "A9")
    assert table.state.vehicles["g2"].status is Status.ON_MAP

    out = a_field(a_tank("g1", "C1", TRUCK, facing=1), a_leg("g2", "C1", SQUAD, aboard="g1"))
    moves(out, "g1", "exit")
    assert [unit.status for unit in out.state.vehicles.values()][:2] == [Status.EXITED] * 2
    assert out.state.vehicles["g2"].exit_edge == "north"


# --- 6.6.6 and 6.6.1.1 -------------------------------------------------------------------------------------------


def a_barrage(*hexes: str) -> Mission:
    from titles.panzer.builders import a_hex

    places = tuple(map(a_hex, hexes))
    landed = Landed(firer="bat", point=places[0], hexes=places, factor=1, column="M", effectiveness=1)
    return Mission(id="m1", side="soviet", point=places[0], landed=(landed,), done_in=1)


@pytest.mark.rule("6.6.6")
def test_6_6_6_getting_off_into_a_barrage_is_moving_into_it():
    """Ruling: dismounting into another hex counts as entering it; bailing out in the vehicle's hex does not."""

    def field():
        return a_field(
            a_tank("g1", "C9", CARRIER),
            a_leg("g2", "C9", SQUAD, aboard="g1"),
            dice=[1] * 4,
            missions={"m1": a_barrage("C8")},
        )

    assert_rule(moves(field(), "g1", "dismount:g2:C8:1").findings, "6.6.6", inputs={"unit": "g2"})
    calm = moves(field(), "g1", "bail:g2:1")
    assert not [finding for finding in calm.findings if finding.rule == "6.6.6"]


@both_editions("6.6.1.1/dismount-attack")
def test_6_6_1_1_a_dismount_attack_is_declared_with_the_move(edition):
    """L3177-3183: the target must be spotted before the vehicle moves; the attack follows right after dismounting."""
    enemy = a_tank("s1", "C6", "t34_76", facing=1)
    table = a_field(
        a_tank("g1", "C9", CARRIER), a_leg("g2", "C9", SQUAD, aboard="g1"), enemy, dice=[1, 1, 1], edition=edition
    )

    played = moves(table, "g1", "f dismount:g2:C7:1:s1")

    assert_rule(played.findings, "6.6.1.1/dismount-attack", inputs={"unit": "g2", "target": "s1"})
    assert table.state.vehicles["g2"].assaulted


# --- 5.2.1 portee ------------------------------------------------------------------------------------------------


@pytest.mark.rule("5.2.1", editions=("2024",))
def test_5_2_1_a_portee_gun_comes_off_and_is_taken_up_again():
    """L1372-1380: truck and gun are in the hex, with any facing; remounting takes all the truck's movement."""
    table = a_field(a_tank("g1", "C9", "portee_2pdr", facing=2))
    assert portee_parts(table.data, "portee_2pdr") == ("bedford", "atg_2pdr")

    played = moves(table, "g1", "unload:5 f")
    truck, gun = table.state.vehicles["g1"], table.state.vehicles["g1-gun"]
    assert (truck.card, gun.card, gun.kind, gun.facing) == ("bedford", "atg_2pdr", "towed", 5)
    assert (where(table, "g1"), where(table, "g1-gun"), gun.pending) == ("D9", "C9", Spot.MOVE)
    assert_rule(played.findings, "5.2.1", inputs={"truck": "g1", "gun": "g1-gun"}, result="unloaded")

    truck.hex, truck.moved, truck.spent = gun.hex, False, 0
    gun.moved, gun.command, gun.pending = False, Command.MOVE, Spot.NONE
    assert_rule(refused(table, "g1", "f b mount:g1-gun"), "5.2.1")
    assert_rule(refused(table, "g1", "mount:g1-gun f"), "5.2.1")
    played = moves(table, "g1", "mount:g1-gun")
    assert table.state.vehicles["g1"].card == "portee_2pdr"
    assert "g1-gun" not in table.state.vehicles
    assert_rule(played.findings, "5.2.1", inputs={"gun": "g1-gun"}, result="loaded")


@pytest.mark.rule("5.5")
def test_5_2_1_truck_and_gun_face_as_their_owner_likes():
    """L1372-1380: truck and gun may face in any direction, even if the portee does not move."""
    for mode, command in (("cross", Command.MOVE), ("stay", Command.OVERWATCH)):
        table = a_field(a_tank("g1", "C9", "portee_2pdr", facing=2, command=command))
        moves(table, "g1", "unload:5:4", mode)
        truck, gun = table.state.vehicles["g1"], table.state.vehicles["g1-gun"]
        assert (truck.facing, gun.facing, where(table, "g1")) == (4, 5, "C9")
    assert_rule(refused(a_field(a_tank("g1", "C9", "portee_2pdr")), "g1", "unload:5:9"), "5.5")


@pytest.mark.rule("5.2.1")
def test_5_2_1_there_are_no_portees_in_2016():
    """Edition switch 12: only the 2024 book has portee guns."""
    table = a_field(a_tank("g1", "C9", "portee_2pdr"), edition="2016")

    assert_rule(refused(table, "g1", "unload:5"), "5.2.1")


# --- options -----------------------------------------------------------------------------------------------------


def test_6_6_7_1_1_options_hold_what_passengers_can_do():
    table = a_field(
        a_tank("g1", "C9", CARRIER),
        a_leg("g2", "C9", SQUAD, aboard="g1"),
        a_tank("g3", "F9", TRUCK, command=Command.NO_COMMAND),
        a_leg("g4", "F8", SQUAD),
    )
    ask = ask_of(table)

    listed = list(move_options(table, ask))

    assert an_answer("g1", "dismount:g2:C9:1") in listed
    assert an_answer("g3", "mount:g4", "stay") in listed
    for answer in listed:
        assert check_move(table, ask, answer) == answer
    for answer in listed[:20]:
        fresh = a_field(
            a_tank("g1", "C9", CARRIER),
            a_leg("g2", "C9", SQUAD, aboard="g1"),
            a_leg("g4", "F8", SQUAD),
            a_tank("g3", "F9", TRUCK, command=Command.NO_COMMAND),
            dice=[50] * 5,
        )
        run_step(fresh, movement_step(fresh, side="german", begun=True), {"move": [answer]})


def test_6_6_2_halvings_of_a_carrier_are_counted_once():
    """6.6.2: each condition halves a carrier's movement only once."""
    table = a_field(a_tank("g1", "C9", CARRIER, suppression=Marker.OFF, damage=Damage.TURRET))
    unit = table.state.vehicles["g1"]
    mover = mover_of(table, unit)

    assert halvings(table.state, unit) == ["Suppressed"]
    assert follow(mover, start(mover, "cross"), ["f", "f"]).strides[-1].progress.spent == 2

"""A twelfth set of questions, with written orders: odds, retreats and lines of supply, counted by hand."""

from __future__ import annotations

from typing import Any

import pytest
from titles.nato.together.test_lawyer_fourth import ALL
from titles.nato.turns.at_the_table import Game, a_game
from titles.nato.turns.test_under_pressure import MINDEN, PASSIVE, cells, fighting

from pbem.titles.nato.cards.units import Side

WP, NATO = Side.WP, Side.NATO
NEAR = {"3018": "NEGF", "3023": "BR-I"}
"""Staffs that supply both sides around 3020, a clear hex west of the Weser."""
FLAGS = {"!": {"disrupted": True}, "?": {"cs_out": True}, "%": {"train": "entrained"}, "&": {"ms_out": True}}


def placed(units: dict[str, str]) -> tuple[dict[str, str], dict[str, dict[str, Any]]]:
    """Return units by hex without their flags, and the markers that the flags stand for."""
    bare: dict[str, str] = {}
    marks: dict[str, dict[str, Any]] = {}
    for hex, names in units.items():
        ids = []
        for name in names.split():
            id = name.rstrip("".join(FLAGS))
            ids.append(id)
            for flag in name[len(id.rstrip("*")) :].replace("*", ""):
                marks.setdefault(id.rstrip("*"), {}).update(FLAGS[flag])
        bare[hex] = " ".join(ids)
    return bare, marks


def fight(units: dict[str, str], order: str, die: int, side: Side = WP, **more: Any) -> Game:
    """Fight by written orders, with one die for each battle, and return the game after the Combat Phase."""
    bare, marks = placed({**NEAR, **units})
    dice = {"25.5.2": [die], **more.pop("dice", {})}
    game = fighting(bare, side, marks=marks, dice=dice, **more)
    orders = {"wp": order, "nato": PASSIVE} if side is WP else {"wp": PASSIVE, "nato": order}
    return game.say(**orders)


# --- 25.3, 26 odds --------------------------------------------------------------------------------------------

BOTH = {"3019": "16GT", "2920": "21"}
RING = {"3019": "16GT", "2921": "21", "3121": "94G"}
"""Every hex beside 3020 holds one of them or lies in their zones of control."""
TAKEN = {"conquered": {MINDEN: WP}}


@pytest.mark.rule("25.3", effect=True)
@pytest.mark.parametrize(
    ("units", "order", "column", "state"),
    [
        ({"3019": "16GT!", "2920": "21", "3020": "22/1A"}, "3020 with 16GT, 21", "4:1", {}),  # 5 + 8 to 3
        ({"3019": "16GT!?", "2920": "21", "3020": "22/1A"}, "3020 with 16GT, 21", "3:1", {}),  # 2½ + 8 is 10 to 3
        ({**BOTH, "3020": "22/1A!?"}, "3020 with 16GT", "10:1", {}),  # ¾ is 1
        ({**BOTH, "3020": "22/1A 12/1A!"}, "3020 with 16GT, 21", "3:1", {}),  # 18 to 4½, which is 5
        ({**BOTH, "3020": "22/1A 1/1PZ BE-1/1"}, "3020 with 16GT, 21", "3:1", {}),  # two of three nations: 18 to 6
        ({**BOTH, "3020": "22/1A BR-I"}, "3020 with 16GT", "3:1", {}),  # a staff with a brigade adds nothing
        ({**BOTH, "3020": "22/1A%  12/1A"}, "3020 with 16GT, 21", "6:1", {}),  # nor does a train: 18 to 3
        ({"2920": "16GT", "2921": "WG-61"}, "2921 with 16GT", "10:1", {}),  # marsh hides nobody: 10 to 1
        ({"3021": "16GT", "3022": "WG-61"}, "3022 with 16GT", "4:1", {}),  # a forest does: 10 to 2, less a column
        ({"3121": "21", MINDEN: "22/1A%"}, "3120 with 21", "7:1", {}),  # 8 to the city's 1, less a column
        ({"3121": "16GT", MINDEN: "22/1A"}, "3120 with 16GT", "1:2", {}),  # armor: 5 to 4, less a column
        ({"3018": "16GT NEGF", "3019": "22/1A"}, "3019 with 16GT", "2:1", {}),  # over the Leine: 7½ to 3
        ({"3018": "16GT NEGF", "2919": "21", "3019": "22/1A"}, "3019 with 16GT, 21", "5:1", {}),  # 15½ to 3
        ({"2918": "16GT E8", "2919": "22/1A"}, "2919 with 16GT, E8", "2:1", {}),  # over the Weser: 8 to 3
        ({**BOTH, "3020": "22/1A"}, "3020 with 16GT support NEGF", "4:1", {}),  # 10 to 3, and a column
        ({**BOTH, "2921": "97", "3020": "22/1A"}, "3020 with 16GT, 97", "4:1", {}),  # independents join any front
        ({**RING, "3020": "22/1A"}, "3020 with 16GT", "4:1", {}),  # Minden is beside it: a flank attack
        ({**RING, "3020": "22/1A"}, "3020 with 16GT", "5:1", TAKEN),  # nobody is: concentric
        ({**RING, "3020": "22/1A"}, "3020 with 16GT", "5:1", {"nuclear": {MINDEN: WP}}),  # 30.2.4: nor is a ruin
        ({**RING, "3020": "22/1A", "3021": "BR-I"}, "3020 with 16GT", "4:1", TAKEN),  # a staff is
        ({**RING, "3020": "22/1A", "3021": "7/1A%"}, "3020 with 16GT", "4:1", TAKEN),  # and so is a train
        ({**RING, "3020": "22/1A"}, "3020 with 16GT", "5:1", {**TAKEN, "sites": {"3/2A": "3021"}}),  # a site is not
        ({**RING, "3020": "22/1A"}, "3020 with 16GT support NEGF", "5:1", TAKEN),  # two columns at most
        (
            {"3019": "16GT", "3020": "22/1A"},
            "3020 with 16GT",
            "2:1",
            {"chemical": {"3020": {NATO: False}}},
        ),  # 5 to 1½
        ({"3019": "16GT", "3020": "22/1A"}, "3020 with 16GT", "1:1", {"chemical": {"3019": {NATO: False}}}),  # 5 to 3
    ],
)
def test_25_3_odds_counted_by_hand(units: dict[str, str], order: str, column: str, state: dict[str, Any]) -> None:
    game = fight(units, f"attack {order}\nadvance: never", 1, **state)
    assert cells(game) == [[column, 1]]


# --- 25.7 retreats --------------------------------------------------------------------------------------------

WEST = {"3020": "22/1A", **BOTH}
"""16GT and 21 to the east and northeast: 3021 and 3121 are open, 2921 and Minden lie in zones of control."""
WESTERN = {"conquered": {"3122": WP}}
"""Paratroops in Osnabrück, which they have taken, cover 3021 and 3121 as well, and close the ring."""


def driven_back(units: dict[str, str], die: int, **state: Any) -> Game:
    """Attack 3020 and stop when NATO must choose how to retreat."""
    bare, marks = placed({**NEAR, **units})
    game = fighting(bare, WP, marks=marks, dice={"25.5.2": [die]}, asks=["retreat"], **state)
    return game.say(wp="attack 3020 with 16GT, 21\nadvance: never", nato=PASSIVE)


def ends(game: Game) -> set[str]:
    """Return the last hexes of the paths that are legal without giving up a step."""
    ask = game.run.ask_of("nato")
    assert ask is not None
    found = set()
    for hex in ("2920", "2921", "2922", "3021", "3022", "3120", "3121", "3122", "3220", "3221", "3222", "2822"):
        for way in (f"22/1A {hex}", *(f"22/1A {first} {hex}" for first in ("2921", "3021", "3121", "3120"))):
            if game.refused("nato", way) == set():
                found.add(hex)
    return found


@pytest.mark.rule("25.7.4", effect=True)
@pytest.mark.parametrize(
    ("units", "open_to", "state"),
    [
        ({}, {"3021", "3121"}, {}),
        ({"3122": "97"}, {"3120"}, WESTERN),  # a friendly city negates the zone, although it lies to the southeast
        ({"3122": "97", "3121": "7/1A"}, {"3121"}, WESTERN),  # so does a friend, who stands to the rear
        ({"3021": "7/1A 4/3A 11/4A 20/4A"}, {"3121"}, {}),  # no fifth step in 3021
        ({}, {"3021"}, {"chemical": {"3121": {NATO: False}}}),
        ({}, {"3021", "3121"}, {"chemical": {"3021": {NATO: False}, "3121": {NATO: False}}}),
        ({"3221": "Gr1"}, {"3021"}, {}),  # border troops have no zone, but 3121 is beside them
        ({"3121": "LJ"}, {"3021", "3121"}, {}),  # there is room beside a staff
    ],
)
def test_25_7_4_where_a_beaten_brigade_may_go(
    units: dict[str, str], open_to: set[str], state: dict[str, Any]
) -> None:
    """18 to 3 and 3 is 3:1, and a 6 gives -/D1R1; if the ring is closed, the odds are 4:1 and a 5 gives the same
    result.

    12/1A is lost, and 22/1A goes back one hex.
    """
    game = driven_back({**WEST, **units, "3020": "22/1A 12/1A"}, 5 if state is WESTERN else 6, **state)
    assert cells(game) == [["4:1", 5] if state is WESTERN else ["3:1", 6]] and ends(game) == open_to


@pytest.mark.rule("25.7.3", effect=True)
@pytest.mark.parametrize(
    ("units", "open_to"),
    [
        ({}, {"2922", "3022", "3122", "3221"}),  # exactly two hexes, west or southwest of the objective
        ({"3021": "7/1A"}, {"3021", "3122", "3221"}),  # a friend ends the retreat in the first hex
        ({"3122": "7/1A"}, {"2922", "3022", "3122", "3221"}),  # one in the second hex does not
    ],
)
def test_25_7_3_two_hexes_back(units: dict[str, str], open_to: set[str]) -> None:
    """28 to 3 and 3 is 4:1, and a 6 gives -/D1R2."""
    bare = {**NEAR, **WEST, "3019": "16GT 12GT", **units, "3020": "22/1A 12/1A"}
    game = fighting(bare, WP, dice={"25.5.2": [6]}, asks=["retreat"])
    game.say(wp="attack 3020 with 16GT, 12GT, 21\nadvance: never", nato=PASSIVE)
    assert cells(game) == [["4:1", 6]] and ends(game) == open_to


# --- 10, 30 lines of supply through cities that change hands ---------------------------------------------------

POCKET = {
    "3018": "NEGF",
    "2920": "16GT",
    "3022": "97",
    "3221": "E8",
    "3219": "94G",
    "3020": "1/1PZ 2/1PZ",
}
"""German brigades without a staff: only Minden beside it, and Bielefeld behind that, are open to them."""


@pytest.mark.rule("10.3.3.3", effect=True)
@pytest.mark.parametrize(("first", "cut_off"), [(MINDEN, True), ("3020", False)])
def test_10_3_3_3_a_city_that_has_just_fallen_supplies_nobody(first: str, cut_off: bool) -> None:
    """94G takes Minden at 8 to 1 less a column with a 6; 16GT attacks the brigade with a 1, which moves no unit."""
    orders = {MINDEN: f"attack {MINDEN} with 94G", "3020": "attack 3020 with 16GT"}
    dice = {MINDEN: 6, "3020": 1}
    order = [first, *({MINDEN, "3020"} - {first})]
    game = fighting(POCKET, WP, dice={"25.5.2": [dice[hex] for hex in order]})
    game.say(wp="\n".join(orders[hex] for hex in order), nato=PASSIVE).over()
    assert game.at("94G") == MINDEN and game.at("1/1PZ") == "3020"
    assert game.piece("1/1PZ").cs_out is cut_off


@pytest.mark.rule("10.1.7", effect=True)
@pytest.mark.parametrize(
    ("units", "cut_off"),
    [
        ({"3023": "US-V"}, False),  # three hexes: within range
        ({"3024": "US-V"}, True),  # four
        ({"3023": "US-V!"}, False),  # 10.4.2.1: a suppressed staff supplies
        ({"3023": "US-V%"}, True),  # 13.4.6: one on a train does not
        ({"3023": "BR-I"}, True),  # nor does one of another nation
        ({"3023": "US-V", "3120": "221T", "3021": "97"}, True),  # 10.2.3: 97 stands on the way
    ],
)
def test_10_1_7_abroad_an_american_brigade_needs_its_staff(units: dict[str, str], cut_off: bool) -> None:
    """10 to 6 is 1:1, or at most 3:1 if a ring is closed, and a 1 moves nobody."""
    bare, marks = placed({"3018": "NEGF", "3019": "16GT", "3020": "US-2/1 US-3/1", **units})
    game = fighting(bare, WP, marks=marks, dice={"25.5.2": [1]}, conquered={MINDEN: WP})
    game.say(wp="attack 3020 with 16GT\nadvance: never", nato=PASSIVE)
    assert game.piece("US-2/1").cs_out is cut_off


# --- 13, 23.8 trains that are held up --------------------------------------------------------------------------


@pytest.mark.rule("13.2", effect=True)
@pytest.mark.parametrize(
    ("zone", "order", "refused"),
    [
        ({}, "P5T 3203 rail", set()),
        ({NATO: ["3203"]}, "P5T 3203 rail", {"13.2"}),  # into the zone
        ({NATO: ["3207"]}, "P5T 3203 rail", {"13.2"}),  # out of it
        ({NATO: ["3205"]}, "P5T 3203 rail", set()),  # around it
        ({NATO: ["3207"]}, "P5T detrain\nP5T 3206 march", {"12.4"}),
        ({NATO: ["3207"]}, "P5T detrain\nP5T 3206 tactical", set()),
        ({WP: ["3207"]}, "P5T 3203 rail", set()),  # the side's own zone
    ],
)
def test_13_2_interdiction_holds_up_a_train(zone: dict[Side, list[str]], order: str, refused: set[str]) -> None:
    marks = {"P5T": {"train": "entrained"}}
    game = a_game({"3208": "P5T", "3210": "POF"}, ALL, marks=marks, interdiction=zone)
    assert game.refused("wp", order) == refused


# --- 25.1.2, 26.2.9 responses ----------------------------------------------------------------------------------


@pytest.mark.rule("25.1.2", effect=True)
@pytest.mark.parametrize(
    ("units", "unit", "refused"),
    [
        ({"3021": "7/1A"}, "7/1A", set()),  # no enemy zone reaches 3021
        ({"3021": "7/1A", "2922": "94G"}, "7/1A", {"25.1.2.5"}),  # alone in a zone of control
        ({"3021": "7/1A 12/1A%", "2922": "94G"}, "7/1A", set()),  # a train is another unit
        ({"3021": "7/1A BR-I", "2922": "94G"}, "7/1A", {"25.1.2.5"}),  # a staff is none: it is no maneuver unit
        ({"3021": "7/1A!"}, "7/1A", {"25.1.2"}),
        ({"3021": "7/1A?"}, "7/1A", {"25.1.2"}),
        ({"3021": "7/1A&"}, "7/1A", {"25.1.2"}),
        ({"3021": "1/1PZ"}, "1/1PZ", {"26.2.9"}),
        ({"3020": "22/1A LJ", "3021": "7/1A"}, "7/1A", {"26.2.9"}),  # a German staff stands in the hex
        ({"3020": "22/1A 4/3A 11/4A 20/4A", "3021": "7/1A"}, "7/1A", {"9.1.1"}),
        ({"2921": "7/1A"}, "7/1A", {"25.1.2.5"}),  # 2921 lies in the zone of 21
    ],
)
def test_25_1_2_who_may_come_to_the_help_of_a_brigade(units: dict[str, str], unit: str, refused: set[str]) -> None:
    bare, marks = placed({"3018": "NEGF", "3024": "BR-I", **WEST, **units})
    if "BR-I" in units.get("3021", ""):
        bare.pop("3024")
    game = fighting(bare, WP, marks=marks, dice={"25.5.2": [1]}, asks=["respond"])
    game.say(wp="attack 3020 with 16GT\nadvance: never", nato=PASSIVE)
    ask = game.run.ask_of("nato")
    if ask is None or ask.kind != "respond":
        assert refused
    else:
        assert game.refused("nato", unit) == refused


@pytest.mark.rule("28.1", effect=True)
@pytest.mark.parametrize(
    ("units", "refused"),
    [
        ({}, set()),
        ({"3021": "Gr1"}, {"28.1"}),  # border troops have no zone, but the brigade stands beside them
        ({"3122": "97"}, {"12.6"}),  # an enemy zone
        ({"3122": "NEGF%"}, {"28.1"}),  # a train has no zone either
    ],
)
def test_28_1_no_reserve_beside_an_enemy_without_a_zone(units: dict[str, str], refused: set[str]) -> None:
    bare, marks = placed({"3023": "BR-I", "3022": "22/1A", **units})
    game = a_game(bare, ALL, side=NATO, marks=marks, **WESTERN)
    assert bool(game.refused("nato", "22/1A reserve")) is bool(refused)


@pytest.mark.rule("23.1.3", effect=True)
@pytest.mark.parametrize(
    ("units", "refused"),
    [
        ({"3111": "1/1PZ", "3112": "WG-I"}, set()),  # five hexes from the target
        ({"3112": "1/1PZ", "3113": "WG-I"}, {"23.1.3"}),  # six
        ({"3111": "1/1PZ!", "3112": "WG-I!"}, set()),  # the shaken still look up
        ({"3111": "1/1PZ", "3117": "WG-I"}, {"23.1.3"}),  # without supply nobody does
        ({"3111": "1/1PZ", "3112": "WG-I%"}, {"23.1.3"}),  # 13.4.6
    ],
)
def test_23_1_3_how_far_tactical_aircraft_reach(units: dict[str, str], refused: set[str]) -> None:
    bare, marks = placed({"3106": "16GT", **units})
    game = fighting(bare, NATO, marks=marks, tactical={NATO: 2})
    assert game.refused("nato", "air 3106") == refused

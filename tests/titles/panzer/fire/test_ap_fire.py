"""4.4.3 AP fire: the worked examples of both books, every modifier, angle and result, and properties."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.rules import assert_rule, every
from titles.panzer.basic import a_shot, aim_objections, fire_group, preview, resolve_shot
from titles.panzer.builders import (
    a_board,
    a_card,
    a_data_set,
    a_state,
    a_table,
    a_vehicle,
    a_weapon,
    brewed_up,
    knocked_out,
    packaged_cards,
    run_step,
    run_steps,
    shoot,
)

from pbem.engine.geometry.hexes import Hex, distance, hex_name, parse_hex, ring
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Illegal, Unreadable
from pbem.titles.panzer.ap.ap_damage import angle_options, check_angle
from pbem.titles.panzer.ap.ap_shots import CONDITIONS
from pbem.titles.panzer.ap.shots import aspect_of, check_show, in_field, show_options
from pbem.titles.panzer.cards.basic_rows import EDITIONS, RANGE_FACTORS
from pbem.titles.panzer.cards.charts import charts
from pbem.titles.panzer.fire.direct_fire import direct_fire_step
from pbem.titles.panzer.fire.overwatch import overwatch_step
from pbem.titles.panzer.sighting.spotting import explain_range
from pbem.titles.panzer.state import Command, Spot, Status, Wreck
from pbem.titles.panzer.view import view_of

both_editions = pytest.mark.parametrize("edition", EDITIONS)
STEPS = {"direct_fire_step": direct_fire_step, "overwatch_step": overwatch_step}


def one_shot(table: Any, firer: str, target: str, answers: Any = (), weapon: int = 0) -> Finding:
    """Resolve one shot; its finding."""
    state = table.state
    shot = a_shot(table.data, state, state.vehicles[firer], weapon, state.vehicles[target])
    return run_step(table, resolve_shot(table, shot), answers).result


def seen(table: Any, firer: str, target: str, command: Command | None = None, weapon: int = 0) -> Finding:
    """The preview of a shot."""
    vehicles = table.state.vehicles
    return preview(table.data, table.state, vehicles[firer], weapon, vehicles[target], command)


def modifiers(finding: Finding) -> dict[str, int]:
    found = assert_rule(finding, "4.4.3.2.2")
    return {row["when"]: row["value"] * row["times"] for row in found.modifiers}


# --- worked examples -------------------------------------------------------------------------------------------


@pytest.mark.rule(
    "4.4", "4.4.1", "4.4.1/immediate", "4.4.1/spot-fire", "3.4", "3.5", "4.4.3.1", "4.4.3.1.1", "4.4.3.2",
    "4.4.3.2.1", "4.4.3.2.2", "4.4.3.2.2/target-cover", "4.4.3.2.2/short-halt", "4.4.3.2.2/target-moving",
    "4.4.3.2.2/shooter-damaged", "4.4.3.2.3", "4.4.3.2.4", "4.4.3.2.5", "4.4.3.2.6", "4.4.3.2.6/damaged",
    "4.4.3.2.6/ko",
    editions=("2024",),
)  # fmt: skip
def test_4_4_3_2_6_crusader_against_pzkpfw_iiij():
    """L1056-1098: 21 needed, 12 rolled, damaged by +1; then 35 needed, 35 rolled, knocked out by +4."""
    crusader = a_vehicle("b1", "E5", "crusader1", facing=4, command=Command.SHORT_HALT)
    panzer = a_vehicle("g1", "E2", "pz3j", facing=4, command=Command.FIRE)
    table = a_table(crusader, panzer, board=a_board(signs={"E2": "m"}), dice=[12, 35])
    assert explain_range(table.data, table.state, panzer).result == 7
    assert explain_range(table.data, table.state, crusader).result == 20

    first = run_step(table, direct_fire_step(table, side="british"), [shoot("g1", "b1"), False]).findings

    assert_rule(first, "4.4", inputs={"player": "first"})
    assert_rule(first, "4.4.1", inputs={"target": "g1", "firers": ["b1"]}, result="damaged")
    assert_rule(first, "3.4", inputs={"unit": "b1"}, result="fire-half")
    assert_rule(first, "3.5", result=3)
    assert_rule(first, "4.4.3.1", result=True)
    assert_rule(first, "4.4.3.1.1", result=True)
    assert_rule(first, "4.4.3.2.1", result="S")
    assert_rule(first, "4.4.3.2.2/target-cover", result=-3)
    assert_rule(first, "4.4.3.2.2/short-halt", result=-4)
    assert_rule(first, "4.4.3.2.2", result=-7)
    assert_rule(first, "4.4.3.2.3", inputs={"hit_number": 21}, cell=["S", -7], dice=(12,), result="hit")
    assert_rule(first, "4.4.3.2.4", result="front")
    assert_rule(first, "4.4.3.2.5", inputs={"penetration": 12, "armour": 11}, result=True)
    assert_rule(first, "4.4.3.2.6", inputs={"difference": 1}, result="damaged")
    assert_rule(first, "4.4.3.2.6/damaged", inputs={"unit": "g1", "damaged_before": False}, result="damaged")
    assert_rule(first, "4.4.1/immediate", inputs={"unit": "g1"}, result="on-map")
    assert_rule(first, "4.4.1/spot-fire", inputs={"unit": "b1"}, result="fire")
    assert (crusader.spot, crusader.pending) == (Spot.NONE, Spot.FIRE)

    second = run_step(table, direct_fire_step(table, side="german"), [shoot("b1", "g1")]).findings

    assert_rule(second, "4.4", inputs={"player": "second"})
    assert_rule(second, "4.4.3.2", inputs={"firer": "g1", "target": "b1"}, result="ko")
    assert_rule(second, "4.4.3.2.1", result="S")
    assert_rule(second, "4.4.3.2.2/target-moving", result=-2)
    assert_rule(second, "4.4.3.2.2/shooter-damaged", result=-3)
    assert_rule(second, "4.4.3.2.3", inputs={"net": -5, "hit_number": 35}, dice=(35,), result="hit")
    assert_rule(second, "4.4.3.2.4", result="rear")
    assert_rule(second, "4.4.3.2.5", inputs={"penetration": 11, "armour": 7})
    assert_rule(second, "4.4.3.2.6", inputs={"difference": 4}, result="ko")
    assert_rule(second, "4.4.3.2.6/ko", inputs={"unit": "b1", "hex": "E5"}, result="ko-wreck")
    assert crusader.status is Status.ELIMINATED
    assert table.chance.rolled == [("4.4.3.2.3", ("b1", "g1")), ("4.4.3.2.3", ("g1", "b1"))]


@pytest.mark.rule(
    "4.4", "4.4.1", "3.4", "3.5", "4.4.3.1", "4.4.3.1.1", "4.4.3.2", "4.4.3.2.1", "4.4.3.2.2",
    "4.4.3.2.2/target-cover", "4.4.3.2.2/short-halt", "4.4.3.2.2/target-moving", "4.4.3.2.2/shooter-damaged",
    "4.4.3.2.3", "4.4.3.2.4", "4.4.3.2.5", "4.4.3.2.6", "4.4.3.2.6/damaged", "4.4.3.2.6/ko",
    editions=("2016",),
)  # fmt: skip
def test_4_4_3_2_6_t34_against_pzkpfw_ivh():
    """2016:L1222-1256: 27 needed, 12 rolled, damaged by +1; then 45 needed, 45 rolled: a hit (+7, a KO)."""
    soviet = a_vehicle("s1", "E5", "t34_76", facing=1, command=Command.SHORT_HALT)
    german = a_vehicle("g1", "E2", "pz4h", facing=4, command=Command.FIRE)
    table = a_table(soviet, german, board=a_board(signs={"E2": "W"}), dice=[12, 45], edition="2016")
    assert explain_range(table.data, table.state, german).result == 7
    assert explain_range(table.data, table.state, soviet).result == 20

    first = run_step(table, direct_fire_step(table, side="soviet"), [shoot("g1", "s1"), False]).findings

    assert_rule(first, "4.4", inputs={"side": "soviet"})
    assert_rule(first, "4.4.1", inputs={"target": "g1"}, result="damaged")
    assert_rule(first, "3.4", result="fire-half")
    assert_rule(first, "3.5", result=3)
    assert_rule(first, "4.4.3.1", result=True)
    assert_rule(first, "4.4.3.1.1", result=True)
    assert_rule(first, "4.4.3.2.1", result="P")
    assert_rule(first, "4.4.3.2.2/target-cover", result=-3)
    assert_rule(first, "4.4.3.2.2/short-halt", result=-4)
    assert_rule(first, "4.4.3.2.3", inputs={"net": -7, "hit_number": 27}, dice=(12,), result="hit")
    assert_rule(first, "4.4.3.2.4", result="front")
    assert_rule(first, "4.4.3.2.5", inputs={"penetration": 19, "armour": 18}, result=True)
    assert_rule(first, "4.4.3.2.6", inputs={"difference": 1}, result="damaged")
    assert_rule(first, "4.4.3.2.6/damaged", result="damaged")

    second = run_step(table, direct_fire_step(table, side="german"), [shoot("s1", "g1")]).findings

    assert_rule(second, "4.4.3.2", result="ko")
    assert_rule(second, "4.4.3.2.2/target-moving", result=-2)
    assert_rule(second, "4.4.3.2.2/shooter-damaged", result=-3)
    assert_rule(second, "4.4.3.2.2", result=-5)
    assert_rule(second, "4.4.3.2.3", inputs={"hit_number": 45}, dice=(45,), result="hit")
    assert_rule(second, "4.4.3.2.6/ko", inputs={"unit": "s1"})
    assert german.pending is Spot.FIRE


@pytest.mark.rule("4.4.3.2.1", "4.4.3.2.5")
@pytest.mark.parametrize(
    ("card", "armour", "penetration"),
    [("pzjgr1", (3, 2), 10), ("su76m", (11, 3), 15)],
)
@both_editions
def test_4_4_3_2_1_nine_hexes_are_medium_range(edition, card, armour, penetration):
    """L917, L1005, L1009; 2016:L1083, L1173, L1179: range 9 is M, and what is penetrated at that range."""
    enemy = "soviet" if packaged_cards()[card].nation == "german" else "german"

    def fire(facing: int) -> Finding:
        target = a_vehicle("y1", "E5", card, side=enemy, facing=facing)
        table = a_table(a_vehicle("x1", "E14", card, facing=1), target, dice=[1], edition=edition)
        return one_shot(table, "x1", "y1")

    assert_rule(fire(4), "4.4.3.2.1", inputs={"range": 9}, result="M")
    assert_rule(fire(4), "4.4.3.2.5", inputs={"penetration": penetration, "aspect": "front", "armour": armour[0]})
    assert_rule(fire(1), "4.4.3.2.5", inputs={"penetration": penetration, "aspect": "rear", "armour": armour[1]})


@pytest.mark.rule("3.5.2")
@pytest.mark.parametrize(("card", "reach"), [("pzjgr1", 14), ("su76m", 17)])
@both_editions
def test_3_5_2_the_last_column_is_the_maximum_range(edition, card, reach):
    """L434: the Panzerjaeger I fires 14 hexes far; the SU-76M, whose number 2016:L585 lost, 17."""
    side = packaged_cards()[card].nation
    enemy = "soviet" if side == "german" else "german"
    near = a_vehicle("y1", f"E{19 - reach}", "opel", side=enemy)
    far = a_vehicle("y2", f"E{18 - reach}", "opel", side=enemy)
    table = a_table(a_vehicle("x1", "E19", card, facing=1), near, far, edition=edition)
    firer = table.state.vehicles["x1"]

    assert not list(aim_objections(table.data, table.state, firer, 0, near))
    assert_rule(aim_objections(table.data, table.state, firer, 0, far), "3.5.2")


@pytest.mark.rule("4.4.3.2.2")
@both_editions
def test_4_4_3_2_2_light_cover_and_short_halt_make_minus_5(edition):
    """2016:L1091."""
    firer = a_vehicle("s1", "E5", command=Command.SHORT_HALT)
    table = a_table(firer, a_vehicle("g1", "E2"), board=a_board(signs={"E2": ";"}), edition=edition)

    assert_rule(seen(table, "s1", "g1"), "4.4.3.2.2", result=-5)


@pytest.mark.parametrize(
    ("factor", "net", "number"),
    [
        ("S", -2, 56),
        ("P", -6, 36),
        ("S", -7, 21),
        ("S", -5, 35),
        ("P", -7, 27),
        ("P", -5, 45),
        ("P", 9, 100),
        ("L", -14, 1),
    ],
)
@both_editions
def test_4_4_3_2_3_printed_hit_numbers(edition, factor, net, number):
    """L987, L1071, L1092, 2016:L1153, L1237, L1252; beyond +5 and -10 the last row applies."""
    assert charts(edition).hit_number(factor, net) == number


# --- 4.4.3 who can fire at what --------------------------------------------------------------------------------


@pytest.mark.rule("4.4.3", "3.5.1")
@both_editions
def test_4_4_3_what_no_weapon_can_do(edition):
    """L847-853, A-01: no AP row, no such weapon, a friend, a wreck, the same hex."""
    table = a_table(
        a_vehicle("g1", "E5", "spw251"), a_vehicle("g2", "E6"), a_vehicle("s1", "E2"),
        a_vehicle("s2", "E3", status=Status.ELIMINATED), a_vehicle("s3", "E6"), edition=edition,
    )  # fmt: skip
    units = table.state.vehicles

    def found(firer: str, target: str, weapon: int = 0) -> list[Any]:
        return list(aim_objections(table.data, table.state, units[firer], weapon, units[target]))

    assert_rule(found("g1", "s1"), "4.4.3", why="its MMG has no AP row")
    assert_rule(found("g2", "s1", 1), "4.4.3", why="it has no weapon number 1")
    assert_rule(found("g2", "g1"), "4.4.3", why="g1 is not an enemy on the map")
    assert_rule(found("g2", "s2"), "4.4.3", why="s2 is not an enemy on the map")
    assert_rule(found("g2", "s3"), "3.5.1")
    assert not found("g2", "s1")


# --- 4.4.3.1 fields of fire ------------------------------------------------------------------------------------


def field_hexes(turret: int, field: Any, facing: int, radius: int) -> list[str]:
    """The hexes at a range into which a gun in the middle of the map can fire."""
    card = a_card("gun", weapons=(a_weapon(turret=turret, field=field),))
    firer = a_vehicle("g1", "J10", "gun", side="german", facing=facing)
    found = []
    for hex in ring(parse_hex("J10"), radius):
        table = a_table(firer, a_vehicle("s1", hex), cards=[card])
        if in_field(a_shot(table.data, table.state, firer, 0, table.state.vehicles["s1"])):
            found.append(hex_name(hex))
    return found


@pytest.mark.parametrize(("radius", "hexes"), [(1, 1), (2, 3), (3, 3), (4, 5), (5, 5)])
@pytest.mark.parametrize("facing", range(1, 7))
def test_4_4_3_1_4_the_front_field_widens_every_second_hex(radius, hexes, facing):
    """L855-891: a wedge of 60 degrees, hexes cut by its edges included."""
    assert len(field_hexes(0, "front", facing, radius)) == hexes


@pytest.mark.rule("4.4.3.1.1", "4.4.3.1.2", "4.4.3.1.3", "4.4.3.1.4", "4.4.3.1.5")
@both_editions
def test_4_4_3_1_each_mount_has_its_field(edition):
    """L855-891, 2016:L1049: turrets and pivots fire all round, fixed guns ahead or behind."""
    mounts = {"turret": (2, "all"), "pivot": (360, "all"), "front": (0, "front"), "rear": (0, "rear")}
    cards = [a_card(name, weapons=(a_weapon(turret=mount[0], field=mount[1]),)) for name, mount in mounts.items()]
    firers = [a_vehicle(f"g{number}", "E8", name, side="german", facing=1) for number, name in enumerate(mounts)]
    ahead, behind = a_vehicle("s1", "E5"), a_vehicle("s2", "E11")
    table = a_table(*firers, ahead, behind, cards=cards, edition=edition)

    assert_rule(seen(table, "g0", "s2"), "4.4.3.1.1", result=True)
    assert_rule(seen(table, "g1", "s2"), "4.4.3.1.2", result=True)
    assert_rule(seen(table, "g2", "s1"), "4.4.3.1.3", result=True)
    assert_rule(seen(table, "g2", "s1"), "4.4.3.1.4", result=True)
    assert_rule(seen(table, "g2", "s2"), "4.4.3.1.4", result=False)
    assert_rule(seen(table, "g3", "s2"), "4.4.3.1.5", result=True)
    assert_rule(aim_objections(table.data, table.state, firers[3], 0, ahead), "4.4.3.1.5")
    assert packaged_cards()["su76m"].weapons[0].field == "front"


def test_4_4_3_1_5_the_rear_field_mirrors_the_front_field():
    """L855-891."""
    for radius in (1, 2, 3, 4):
        assert field_hexes(0, "rear", 1, radius) and sorted(field_hexes(0, "rear", 1, radius)) == sorted(
            field_hexes(0, "front", 4, radius)
        )


# --- 4.4.3.2.2 modifiers ---------------------------------------------------------------------------------------


def test_4_4_3_2_2_every_row_of_the_chart_has_its_condition():
    for edition in EDITIONS:
        assert all(row.when in CONDITIONS for row in charts(edition).ap_hit_modifiers)


@pytest.mark.rule("4.4.3.2.2/target-size", "4.4.3.2.2")
@both_editions
def test_4_4_3_2_2_the_size_on_the_targets_card(edition):
    """L919-979: the Panzerjaeger I is -1, a KV-1S +1, and most are 0 and need no row."""
    small, large = a_vehicle("g1", "E5", "pzjgr1", facing=1), a_vehicle("s1", "E2", "kv1s")
    table = a_table(small, large, a_vehicle("s2", "E3"), edition=edition)

    assert_rule(seen(table, "s1", "g1"), "4.4.3.2.2/target-size", result=-1)
    assert_rule(seen(table, "g1", "s1"), "4.4.3.2.2/target-size", result=1)
    assert modifiers(seen(table, "g1", "s2")) == {}


@pytest.mark.rule("4.4.3.2.2/target-cover", "4.4.3.2.2")
@pytest.mark.parametrize(
    ("sign", "value"), [(".", 0), (",", 0), (";", -1), ("l", -1), ("m", -3), ("W", -3), ("X", -5)]
)
@both_editions
def test_4_4_3_2_2_cover_of_the_targets_hex(edition, sign, value):
    """L919-979: light -1, medium -3, heavy -5; brush hides from spotters only (6.5.4.2.2)."""
    table = a_table(
        a_vehicle("s1", "E5"), a_vehicle("g1", "E2"), a_vehicle("g2", "F8"),
        board=a_board(signs={"E2": sign, "F8": ";"}), edition=edition,
    )  # fmt: skip

    assert sum(modifiers(seen(table, "s1", "g1")).values()) == value
    assert_rule(seen(table, "s1", "g2"), "4.4.3.2.2/target-cover", result=-1)


@pytest.mark.rule("4.4.3.2.2")
def test_4_4_3_2_2_the_firers_own_terrain_and_marker_play_no_part():
    """4.4.1 item 3."""
    table = a_table(a_vehicle("s1", "E5", spot=Spot.FIRE), a_vehicle("g1", "E2"), board=a_board(signs={"E5": "m"}))

    assert modifiers(seen(table, "s1", "g1")) == {}


@pytest.mark.rule("3.8", "4.4.3.2.2")
@both_editions
def test_3_8_an_overstacked_hex_has_no_cover(edition):
    """L462-466: six vehicles, counting both sides (A-02); wrecks do not count."""
    crowd = [a_vehicle(f"g{number}", "E2") for number in range(1, 6)]
    board = a_board(signs={"E2": "m"})
    five = a_table(a_vehicle("s1", "E5"), *crowd, board=board, wrecks={"E2": knocked_out()}, edition=edition)
    six = a_table(a_vehicle("s1", "E5"), a_vehicle("s2", "E2"), *crowd, board=board, edition=edition)

    assert modifiers(seen(five, "s1", "g1")) == {"target_medium_cover": -3}
    assert modifiers(seen(six, "s1", "g1")) == {}
    assert_rule(seen(six, "s1", "g1"), "3.8", inputs={"units": 6}, result=True)


@pytest.mark.rule("4.4.3.2.2/brew-up-smoke", "4.4.3.2.2")
@both_editions
def test_4_4_3_2_2_each_source_of_smoke_on_the_line_counts(edition):
    """L919-979: -2 each, at the firer, on the way and at the target; KO wrecks do not smoke."""
    wrecks = {"E5": brewed_up(), "E4": knocked_out(), "E3": brewed_up(), "E2": brewed_up(), "F3": brewed_up()}
    table = a_table(a_vehicle("s1", "E5"), a_vehicle("g1", "E2"), wrecks=wrecks, edition=edition)

    assert_rule(seen(table, "s1", "g1"), "4.4.3.2.2/brew-up-smoke", result=-6)
    assert_rule(seen(table, "s1", "g1"), "4.4.3.2.2", inputs={"smoke": ["E5", "E3", "E2"]})


@pytest.mark.rule("4.4.3.2.2")
def test_4_4_3_2_2_smoke_beside_a_line_that_follows_its_hexside_counts():
    """A-24: both hexes along whose common side the line runs."""
    table = a_table(a_vehicle("s1", "D5"), a_vehicle("g1", "F5"), wrecks={"E4": brewed_up(), "E5": brewed_up()})

    assert modifiers(seen(table, "s1", "g1")) == {"brew_up_smoke": -4}


@pytest.mark.rule("4.4.3.2.2/brew-up-smoke")
@both_editions
def test_4_4_3_2_2_smoke_made_in_the_direct_fire_step_counts_from_the_next_step_on(edition):
    """A-24: neither the rest of the step nor its overwatch is hindered, but the movement after it is."""
    vehicles = [
        a_vehicle("g1", "E5", facing=1, command=Command.FIRE),
        a_vehicle("g2", "E5", facing=1, command=Command.FIRE),
        a_vehicle("s1", "E3", "zis5", command=Command.NO_COMMAND),
        a_vehicle("s2", "E2", facing=4, command=Command.FIRE),
        a_vehicle("g3", "E6", facing=1, command=Command.OVERWATCH),
    ]
    table = a_table(*vehicles, dice=[1, 100, 100, 100], edition=edition)
    table.then("direct_fire_step", side="german")
    fire = {("german", "fire"): [shoot("s1", "g1"), shoot("s2", "g2"), None], "overwatch": [shoot("s2", "g3")]}

    played = run_steps(table, STEPS, fire)

    assert table.state.wrecks["E3"] == Wreck(brewed_up=True, fresh=False)
    fired = [finding for finding in every(played.findings) if finding.rule == "4.4.3.2"]
    assert [finding.inputs["firer"] for finding in fired] == ["g1", "g2", "s2", "g3"]
    assert not [finding for finding in every(fired) if finding.rule == "4.4.3.2.2/brew-up-smoke"]
    assert_rule(seen(table, "g3", "s2"), "4.4.3.2.2/brew-up-smoke", result=-2)


@pytest.mark.rule("4.4.3.2.2/overwatch", "4.4.3.2.2/overwatch-adjust", "4.4.3.2.2")
@both_editions
def test_4_4_3_2_2_overwatch_ahead_costs_1_and_elsewhere_3_not_both(edition):
    """A-25: the field is that of the hull, and for a rear-mounted gun the one behind."""
    rear = a_card("rear", weapons=(a_weapon(turret=0, field="rear"),))
    table = a_table(
        a_vehicle("g1", "E8", facing=1), a_vehicle("g2", "E8", "rear", side="german", facing=4),
        a_vehicle("s1", "E5"), a_vehicle("s2", "E11"), cards=[rear], edition=edition,
    )  # fmt: skip

    assert_rule(seen(table, "g1", "s1", Command.OVERWATCH), "4.4.3.2.2/overwatch", result=-1)
    assert_rule(seen(table, "g1", "s2", Command.OVERWATCH), "4.4.3.2.2/overwatch-adjust", result=-3)
    assert modifiers(seen(table, "g1", "s1", Command.OVERWATCH)) == {"overwatch": -1}
    assert modifiers(seen(table, "g1", "s2", Command.OVERWATCH)) == {"overwatch_adjust": -3}
    assert modifiers(seen(table, "g2", "s1", Command.OVERWATCH)) == {"overwatch": -1}
    assert modifiers(seen(table, "g1", "s1", Command.FIRE)) == {}


# --- 4.4.3.2.2 target moving -----------------------------------------------------------------------------------


def shown_group(command: Command, answers: Any, roll: int = 91, edition: Any = "2024", **more: Any) -> Any:
    """A T-34 fires at a German vehicle with a command; its owner answers the show ask."""
    target = a_vehicle("g1", "E2", facing=4, command=command, **more)
    table = a_table(a_vehicle("s1", "E5", command=Command.FIRE), target, dice=[roll], edition=edition)
    return table, target, run_step(table, fire_group(table, "4.4.1", shoot("g1", "s1")), answers)


@pytest.mark.rule("4.4.3.2.2/target-moving")
@pytest.mark.parametrize("command", [Command.MOVE, Command.SHORT_HALT])
@both_editions
def test_4_4_3_2_2_the_owner_shows_a_move_or_short_halt_and_it_stays_face_down(edition, command):
    """L919-979: shown for the modifier, then turned back, not yet executed."""
    table, target, played = shown_group(command, [True], 72, edition)

    assert_rule(played.findings, "4.4.3.2.2/target-moving", inputs={"unit": "g1"}, result=command.value)
    assert_rule(played.findings, "4.4.3.2.2/target-moving", result=-2)
    assert (target.shown, target.revealed, target.face_down) == (True, False, True)
    assert view_of(table.state, "soviet").vehicles["g1"].command is command


@pytest.mark.rule("4.4.3.2.2/target-moving")
@pytest.mark.parametrize("command", list(Command))
def test_4_4_3_2_2_a_declined_claim_looks_like_nothing_to_claim(command):
    """L919-979: the answer 'no effect' is the same for every command."""
    _, target, played = shown_group(command, [False])

    assert (len(played.asked("show", "german")), target.shown) == (1, False)
    assert assert_rule(played.findings, "4.4.3.2.2/target-moving", result="no-effect")
    reference = shown_group(Command.NO_COMMAND, [False])[2]
    assert played.findings == reference.findings
    assert [ask.about for ask in played.asks] == [ask.about for ask in reference.asks]


@pytest.mark.parametrize("command", list(Command))
def test_r_05_the_modifier_is_claimed_whenever_it_lowers_a_hit_number(command):
    """R-05: 90 becomes 72."""
    default = command in (Command.MOVE, Command.SHORT_HALT)
    _, target, played = shown_group(command, [])

    assert [(ask.default, ask.about["hit_numbers"]) for ask in played.asked("show")] == [(default, [[90, 72]])]
    assert target.shown is default


def test_r_05_the_modifier_is_not_claimed_where_it_changes_nothing():
    """R-05: at net -10 and worse the row stays the last one."""
    target = a_vehicle("g1", "E10", command=Command.MOVE)
    smoke = {f"E{row}": brewed_up() for row in range(5, 11)}
    table = a_table(a_vehicle("s1", "E5", command=Command.FIRE), target, wrecks=smoke, dice=[2])

    played = run_step(table, fire_group(table, "4.4.1", shoot("g1", "s1")))

    assert played.asked("show")[0].about["hit_numbers"] == [[1, 1]]
    assert not target.shown


@pytest.mark.rule("4.4.3.2.2/target-moving")
def test_4_4_3_2_2_nothing_is_asked_once_shown_or_revealed():
    """L919-979: an order once shown applies to all later fire of the turn; a revealed one always."""
    for known in ({"shown": True}, {"revealed": True}):
        _, _, played = shown_group(Command.MOVE, [], **known)
        assert played.asks == []
        assert assert_rule(played.findings, "4.4.3.2.2/target-moving", result=-2)
    _, _, played = shown_group(Command.FIRE, [], revealed=True)
    assert played.asks == []


@pytest.mark.rule("4.4.3.2.2/target-moving")
@both_editions
def test_4_4_3_2_2_only_move_and_short_halt_can_be_shown(edition):
    table, _, _ = shown_group(Command.OVERWATCH, [False], edition=edition)
    ask = Ask("german", "show", "4.4.3.2.2", subject="g1")

    assert list(show_options(table.state, ask)) == [False]
    with pytest.raises(Illegal) as caught:
        check_show(table.state, ask, True)
    assert_rule(caught.value, "4.4.3.2.2/target-moving")
    with pytest.raises(Unreadable):
        check_show(table.state, ask, "yes")
    table.state.vehicles["g1"].command = Command.SHORT_HALT
    assert [check_show(table.state, ask, option) for option in show_options(table.state, ask)] == [True, False]


def test_4_4_3_2_2_a_hidden_move_changes_no_preview():
    """4.2.1: the odds must not reveal a face-down command."""
    numbers = set()
    for command in Command:
        table = a_table(a_vehicle("s1", "E5", command=Command.FIRE), a_vehicle("g1", "E2", command=command))
        numbers.add(seen(table, "s1", "g1").result)
    assert numbers == {90}


# --- 4.4.3.2.3 hit number --------------------------------------------------------------------------------------


def extreme(edition: Any, card: str = "pz4h", **more: Any) -> Any:
    """A damaged T-70 on Short Halt at extreme range, the target in medium cover: net -10 before its size."""
    target = a_vehicle("g1", "B14", card, **more)
    firer = a_vehicle("s1", "B2", "t70", damaged=True, command=Command.SHORT_HALT)
    return a_table(firer, target, board=a_board(signs={"B14": "m"}), dice=[1], edition=edition)


@pytest.mark.rule("4.4.3.2.3")
@both_editions
def test_4_4_3_2_3_no_attack_at_extreme_range_with_minus_10(edition):
    """2016:L1151, A-22: -3 cover, -4 Short Halt, -3 damaged are -10; at E the target cannot be attacked."""
    table = extreme(edition)
    firer, target = table.state.vehicles["s1"], table.state.vehicles["g1"]

    found = list(aim_objections(table.data, table.state, firer, 0, target))

    assert_rule(found, "4.4.3.2.3", why="at extreme range with a net modifier of -10 there is no attack")
    assert_rule(seen(table, "s1", "g1"), "4.4.3.2.3", cell=["E", -10], result=0)


@pytest.mark.rule("4.4.3.2.3")
@both_editions
def test_4_4_3_2_3_a_claim_that_leaves_no_attack_makes_the_declared_shot_miss(edition):
    """A-22: it counts as fired, and no die is rolled."""
    table = extreme(edition, "tiger1", command=Command.MOVE)
    assert seen(table, "s1", "g1").result == 1

    played = run_step(table, fire_group(table, "4.4.1", shoot("g1", "s1")), {"show": True})

    assert_rule(played.findings, "4.4.3.2.3", inputs={"hit_number": 0}, dice=(), result="miss")
    assert table.state.vehicles["s1"].fired
    assert table.chance.rolled == []


@pytest.mark.rule("4.4.3.2.3")
@pytest.mark.parametrize(("roll", "result"), [(90, "hit"), (91, "miss"), (1, "hit"), (100, "miss")])
def test_4_4_3_2_3_up_to_the_hit_number_is_a_hit(roll, result):
    """L981-989."""
    table = a_table(a_vehicle("s1", "E5"), a_vehicle("g1", "E2"), dice=[roll])

    assert assert_rule(one_shot(table, "s1", "g1"), "4.4.3.2.3", result=result)


@given(
    st.sampled_from(EDITIONS),
    st.sampled_from(RANGE_FACTORS),
    st.sampled_from(RANGE_FACTORS),
    st.integers(-15, 10),
    st.integers(-15, 10),
)
def test_4_4_3_2_3_a_better_net_or_range_never_hits_less(edition, factor, other, net, more):
    table = charts(edition)
    if RANGE_FACTORS.index(factor) <= RANGE_FACTORS.index(other) and net >= more:
        assert table.hit_number(factor, net) >= table.hit_number(other, more)
    assert 0 <= table.hit_number(factor, net) <= 100


# --- 4.4.3.2.4 hit angle ---------------------------------------------------------------------------------------


@pytest.mark.rule("4.4.3.2.4")
@both_editions
def test_4_4_3_2_4_the_owner_chooses_on_the_dividing_hexside(edition):
    """L991-997: exactly abeam the target's owner chooses front or rear; the default is the stronger."""

    def fire(answers: Any) -> Any:
        table = a_table(
            a_vehicle("s1", "D5"), a_vehicle("g1", "F5", facing=1, command=Command.FIRE), dice=[1], edition=edition
        )
        shot = a_shot(table.data, table.state, table.state.vehicles["s1"], 0, table.state.vehicles["g1"])
        return run_step(table, resolve_shot(table, shot), answers)

    played = fire(["rear"])
    ask = played.asked("angle")[0]
    assert (ask.seat, ask.subject, ask.default) == ("german", "g1", "front")
    assert ask.about == {
        "firer": "s1", "weapon": "76.2mm L43", "how": "ap", "target": "g1", "roll": [1], "penetration": 19,
        "front": 18, "rear": 6, "angles": ["front", "rear"],
    }  # fmt: skip
    assert_rule(played.result, "4.4.3.2.4", inputs={"chosen_by": "german"}, result="rear")
    assert played.result.result == "bu"
    assert fire([]).result.result == "damaged"


@pytest.mark.rule("4.4.3.2.4")
def test_4_4_3_2_4_a_stronger_rear_is_the_default():
    """R-05."""
    odd = a_card("odd", front=2, rear=30)
    target = a_vehicle("g1", "F5", "odd", side="german", facing=1)
    table = a_table(a_vehicle("s1", "D5"), target, cards=[odd], dice=[1])

    assert assert_rule(one_shot(table, "s1", "g1"), "4.4.3.2.4", result="rear")


@pytest.mark.rule("4.4.3.2.4")
def test_4_4_3_2_4_a_choice_is_front_or_rear():
    data, view = a_data_set(), a_state()
    ask = Ask("german", "angle", "4.4.3.2.4", about={"angles": ["front", "rear"]})
    assert [check_angle(data, view, ask, option) for option in angle_options(data, view, ask)] == ["front", "rear"]
    with pytest.raises(Illegal) as caught:
        check_angle(data, view, ask, "side")
    assert_rule(caught.value, "4.4.3.2.4")


@given(st.integers(1, 6), st.integers(1, 8), st.integers(0, 47))
def test_4_4_3_2_4_front_and_rear_are_halves_and_the_line_between_needs_an_even_range(facing, radius, place):
    """L991-997: turned round, front becomes rear; abeam happens at even ranges only."""
    around = ring(parse_hex("J10"), radius)
    firer = a_vehicle("s1", around[place % len(around)])
    aspects = []
    for way in (facing, (facing + 2) % 6 + 1):
        table = a_table(firer, a_vehicle("g1", "J10", facing=way))
        aspects.append(aspect_of(a_shot(table.data, table.state, firer, 0, table.state.vehicles["g1"])))
    if None in aspects:
        assert aspects == [None, None] and radius % 2 == 0
    else:
        assert sorted(aspects) == ["front", "rear"]


# --- 4.4.3.2.5 penetration, 4.4.3.2.6 damage -------------------------------------------------------------------


def damaged_by(difference: int, edition: Any = "2024", **target: Any) -> Any:
    """A hit with penetration exceeding the armour by this much."""
    card = a_card("target", front=19 - difference)
    vehicle = a_vehicle("g1", "E2", "target", side="german", facing=4, **target)
    table = a_table(a_vehicle("s1", "E5"), vehicle, cards=[card], dice=[1], edition=edition)
    return table, vehicle, one_shot(table, "s1", "g1")


@pytest.mark.rule("4.4.3.2.5", "4.4.3.2.6")
@pytest.mark.parametrize(
    ("difference", "effect"),
    [(-1, "no-effect"), (0, "damaged"), (1, "damaged"), (3, "damaged"), (4, "ko"), (9, "ko"), (10, "bu"), (17, "bu")],
)
@both_editions
def test_4_4_3_2_6_penetration_minus_armour(edition, difference, effect):
    """L999-1054, 2016:L1189: 0 to 3 damaged (A-23), 4 to 9 KO, 10 and more BU."""
    _, _, finding = damaged_by(difference, edition)

    assert_rule(finding, "4.4.3.2.5", result=difference >= 0)
    assert_rule(finding, "4.4.3.2.6", inputs={"difference": difference}, result=effect)
    assert finding.result == effect


@pytest.mark.rule("4.4.3.2.6/damaged")
@pytest.mark.parametrize("difference", range(4))
@both_editions
def test_4_4_3_2_6_a_second_damaged_result_is_a_ko(edition, difference):
    """L1013-1054."""
    table, vehicle, finding = damaged_by(difference, edition, damaged=True)

    assert_rule(finding, "4.4.3.2.6/damaged", inputs={"damaged_before": True}, result="ko")
    assert (vehicle.status, table.state.wrecks["E2"].brewed_up) == (Status.ELIMINATED, False)


@pytest.mark.rule("4.4.3.2.6/bu", "4.4.3.2.6/ko")
@both_editions
def test_4_4_3_2_6_one_wreck_a_hex_and_bu_replaces_ko(edition):
    """L1013-1054, A-14: a KO next to a BU wreck adds nothing, a BU on a KO wreck is a new source of smoke."""

    def kill(card: str, before: Wreck | None) -> tuple[Any, Any]:
        table = a_table(
            a_vehicle("s1", "E5", "su100", facing=1), a_vehicle("g1", "E2", card, facing=4),
            wrecks={"E2": before} if before else {}, dice=[1], edition=edition,
        )  # fmt: skip
        return one_shot(table, "s1", "g1"), table.state.wrecks["E2"]

    finding, wreck = kill("opel", None)
    assert_rule(finding, "4.4.3.2.6/bu", inputs={"unit": "g1", "hex": "E2"}, result="bu-wreck")
    assert wreck == Wreck(brewed_up=True, fresh=True)
    assert kill("opel", knocked_out())[1] == Wreck(brewed_up=True, fresh=True)
    assert kill("opel", brewed_up())[1] == Wreck(brewed_up=True, fresh=False)

    tough = a_card("tough", front=40)
    table = a_table(
        a_vehicle("s1", "E5", "su100", facing=1), a_vehicle("g1", "E2", "tough", side="german", facing=4),
        cards=[tough], wrecks={"E2": brewed_up()}, dice=[1], edition=edition,
    )  # fmt: skip
    assert_rule(one_shot(table, "s1", "g1"), "4.4.3.2.6/ko", result="bu-wreck")
    assert table.state.wrecks["E2"] == Wreck(brewed_up=True, fresh=False)


def test_r_10_the_command_of_an_eliminated_vehicle_is_never_shown():
    """R-10: its counters are removed unseen; the findings do not depend on the command."""
    findings = []
    for command in Command:
        target = a_vehicle("g1", "E2", "opel", facing=4, command=command, spot=Spot.MOVE)
        table = a_table(a_vehicle("s1", "E5", command=Command.FIRE), target, dice=[1])
        findings.append(run_step(table, fire_group(table, "4.4.1", shoot("g1", "s1")), {"show": False}).findings)
        assert (target.command, target.marker, target.revealed) == (None, Spot.NONE, False)
    assert all(found == findings[0] for found in findings)


def test_4_4_3_2_6_damage_leaves_command_marker_and_place_alone():
    """L1013-1054."""
    _, vehicle, _ = damaged_by(1, command=Command.MOVE, spot=Spot.FIRE)

    assert (vehicle.command, vehicle.spot, vehicle.alive, vehicle.damaged) == (Command.MOVE, Spot.FIRE, True, True)


@given(
    rolls=st.lists(st.integers(1, 100), min_size=6, max_size=6),
    cards=st.lists(st.sampled_from(["t34_76", "su76m", "t70", "su85"]), min_size=6, max_size=6),
    place=st.integers(0, 35),
    facing=st.integers(1, 6),
)
def test_4_4_3_2_6_shots_only_ever_make_things_worse(rolls, cards, place, facing):
    """A vehicle goes from sound to damaged to eliminated and never back; a second damage kills."""
    hex: Hex = ring(parse_hex("J10"), 6)[place]
    target = a_vehicle("g1", "J10", facing=facing)
    firers = [a_vehicle(f"s{i}", hex, card, command=Command.FIRE) for i, card in enumerate(cards)]
    table = a_table(target, *firers, dice=rolls)
    assert distance(hex, parse_hex("J10")) == 6

    played = run_step(table, fire_group(table, "4.4.1", shoot("g1", *[firer.id for firer in firers])))

    effects = [finding.result for finding in every(played.findings) if finding.rule == "4.4.3.2.6"]
    assert effects.count("damaged") <= 1
    assert ("ko" in effects or "bu" in effects) == (target.status is Status.ELIMINATED)
    assert all(effect in ("ko", "bu") for effect in effects[-1:]) or target.alive
    assert all(firer.fired and firer.pending is Spot.FIRE for firer in firers)


# --- previews --------------------------------------------------------------------------------------------------


@pytest.mark.rule("4.4.3.2", "4.4.3.2.3", "4.4.3.2.4", "4.4.3.2.6")
@both_editions
def test_4_4_3_2_a_preview_tells_the_odds_and_what_a_hit_would_do(edition):
    """Nothing is rolled and nothing changes."""
    table = a_table(a_vehicle("s1", "E5"), a_vehicle("g1", "E2", facing=4, damaged=True), edition=edition)

    finding = seen(table, "s1", "g1", Command.SHORT_HALT)

    assert_rule(finding, "4.4.3.2", inputs={"firer": "s1", "weapon": "76.2mm L43", "target": "g1"}, result=54)
    assert_rule(finding, "4.4.3.2.3", cell=["P", -4], result=54)
    assert_rule(finding, "4.4.3.2.4", result="front")
    assert_rule(finding, "4.4.3.2.6", result="ko")
    assert table.chance.rolled == []


@pytest.mark.rule("4.4.3.2.5", "4.4.3.2.6")
@both_editions
@pytest.mark.parametrize(
    ("facing", "aspect", "armour", "effect"), [(4, "front", 18, "no-effect"), (1, "rear", 12, "damaged")]
)
def test_4_4_3_2_a_preview_goes_by_the_side_that_will_be_hit(edition, facing, aspect, armour, effect):
    """L1023-1054: a shot stopped by the T-34's front penetrates its rear."""
    target = a_vehicle("s1", "E2", "t34_76", facing=facing)
    finding = seen(a_table(a_vehicle("g1", "E5", "pz3j_lang"), target, edition=edition), "g1", "s1")

    assert_rule(finding, "4.4.3.2.5", inputs={"aspect": aspect, "armour": armour})
    assert_rule(finding, "4.4.3.2.6", result=effect)


@pytest.mark.rule("4.4.3.2.1")
def test_4_4_3_2_a_preview_out_of_range_is_no_attack():
    table = a_table(a_vehicle("s1", "E1"), a_vehicle("g1", "E20"))

    assert seen(table, "s1", "g1").result == 0
    assert assert_rule(seen(table, "s1", "g1"), "4.4.3.2.1", result=None)


def test_a_81_each_weapon_has_its_own_odds():
    """A-81: one weapon per fire action, chosen by the owner."""
    table = a_table(a_vehicle("b1", "E8", "grant", facing=1), a_vehicle("g1", "E5", facing=4))

    assert [seen(table, "b1", "g1", weapon=weapon).result for weapon in (0, 1)] == [90, 70]

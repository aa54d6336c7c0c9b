"""4.4.3 AP fire: the worked examples of both books, fields of fire and modifiers."""

from typing import Any

import pytest
from support.rules import assert_rule, every
from titles.panzer.ap.ap_shots import both_editions, one_shot, seen
from titles.panzer.basic import a_shot, aim_objections
from titles.panzer.builders import (
    a_board,
    a_card,
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

from pbem.engine.geometry.hexes import hex_name, parse_hex, ring
from pbem.engine.rules.findings import Finding
from pbem.titles.panzer.ap.ap_modifiers import CONDITIONS
from pbem.titles.panzer.ap.shot_basics import in_field
from pbem.titles.panzer.cards.basic_rows import EDITIONS
from pbem.titles.panzer.cards.charts import charts
from pbem.titles.panzer.fire.direct_fire import direct_fire_step
from pbem.titles.panzer.fire.overwatch import overwatch_step
from pbem.titles.panzer.sighting.spotting import explain_range
from pbem.titles.panzer.state import Command, Spot, Status, Wreck

STEPS = {"direct_fire_step": direct_fire_step, "overwatch_step": overwatch_step}


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
    """L1056-1098: a roll of 12 hits (21 or less needed), and penetration 1 above armour damages; then a 35 hits (35
    or less needed), and penetration 4 above armour knocks out.
    """
    crusader = a_vehicle("b1", "E5", "crusader1", facing=4, command=Command.SHORT_HALT)
    panzer = a_vehicle("g1", "E2", "pz3j", facing=4, command=Command.FIRE)
    table = a_table(crusader, panzer, board=a_board(signs={"E2": "m"}), dice=[12, 35])
    assert explain_range(table, panzer).result == 7
    assert explain_range(table, crusader).result == 20

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
    """2016:L1222-1256: a roll of 12 hits (27 needed) and damages by +1; then a 45 hits (45 needed)
    and knocks out by +7.
    """
    soviet = a_vehicle("s1", "E5", "t34_76", facing=1, command=Command.SHORT_HALT)
    german = a_vehicle("g1", "E2", "pz4h", facing=4, command=Command.FIRE)
    table = a_table(soviet, german, board=a_board(signs={"E2": "W"}), dice=[12, 45], edition="2016")
    assert explain_range(table, german).result == 7
    assert explain_range(table, soviet).result == 20

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
    """L917, L1005, L1009; 2016:L1083, L1173, L1179: range 9 is M, with the penetration of that column."""
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
    """L434: the Panzerjaeger I has a range of 14 hexes; the SU-76M (its number is missing in 2016:L585) has 17."""
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
    """2016:L1091: light cover is -1 and Short Halt is -4, which makes -5."""
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
    """Quoted numbers: L987, L1071, L1092, 2016:L1153, L1237, L1252; beyond +5 and -10 the last row applies."""
    assert charts(edition).hit_number(factor, net) == number


# --- 4.4.3 who can fire at what --------------------------------------------------------------------------------


@pytest.mark.rule("4.4.3", "3.5.1")
@both_editions
def test_4_4_3_what_no_weapon_can_do(edition):
    """L847-853, A-01: a unit needs an AP row and the weapon; friends, wrecks and its own hex are
    not legal targets.
    """
    table = a_table(
        a_vehicle("g1", "E5", "spw251"), a_vehicle("g2", "E6"), a_vehicle("s1", "E2"),
        a_vehicle("s2", "E3", status=Status.ELIMINATED), a_vehicle("s3", "E6"), edition=edition,
    )  # fmt: skip
    units = table.state.vehicles

    def found(firer: str, target: str, weapon: int = 0) -> list[Any]:
        return list(aim_objections(table.data, table.state, units[firer], weapon, units[target]))

    assert_rule(found("g1", "s1"), "4.4.3", why="the unit's MMG has no AP row")
    assert_rule(found("g2", "s1", 1), "4.4.3", why="the unit has no weapon number 1")
    assert_rule(found("g2", "g1"), "4.4.3", why="g1 is not an enemy on the map")
    assert_rule(found("g2", "s2"), "4.4.3", why="s2 is not an enemy on the map")
    assert_rule(found("g2", "s3"), "3.5.1")
    assert not found("g2", "s1")


# --- 4.4.3.1 fields of fire ------------------------------------------------------------------------------------


def field_hexes(turret: int, field: Any, facing: int, radius: int) -> list[str]:
    """Return the hexes at a range into which a gun in the middle of the map can fire."""
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
    """L855-891: the field of fire is a wedge of 60 degrees, including the hexes cut by its edges."""
    assert len(field_hexes(0, "front", facing, radius)) == hexes


@pytest.mark.rule("4.4.3.1.1", "4.4.3.1.2", "4.4.3.1.3", "4.4.3.1.4", "4.4.3.1.5")
@both_editions
def test_4_4_3_1_each_mount_has_its_field(edition):
    """L855-891, 2016:L1049: turrets and pivots fire all round, fixed guns only ahead or behind."""
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
    """L855-891: the rear field of fire has the same shape as the front field."""
    for radius in (1, 2, 3, 4):
        assert field_hexes(0, "rear", 1, radius) and sorted(field_hexes(0, "rear", 1, radius)) == sorted(
            field_hexes(0, "front", 4, radius)
        )


# --- 4.4.3.2.2 modifiers ---------------------------------------------------------------------------------------


@pytest.mark.rule("4.4.3.2.2", effect=True)
def test_4_4_3_2_2_every_row_of_the_chart_has_its_condition():
    for edition in EDITIONS:
        assert all(row.when in CONDITIONS for row in charts(edition).ap_hit_modifiers)


@pytest.mark.rule("4.4.3.2.2/target-moving", effect=True)
@pytest.mark.rule("4.4.3.2.2/target-size", "4.4.3.2.2")
@both_editions
def test_4_4_3_2_2_the_size_on_the_targets_card(edition):
    """L919-979: the Panzerjaeger I has -1 for its size and the KV-1S +1; most vehicles have 0, which needs no row."""
    small, large = a_vehicle("g1", "E5", "pzjgr1", facing=1), a_vehicle("s1", "E2", "kv1s")
    table = a_table(small, large, a_vehicle("s2", "E3"), edition=edition)

    assert_rule(seen(table, "s1", "g1"), "4.4.3.2.2/target-size", result=-1)
    assert_rule(seen(table, "g1", "s1"), "4.4.3.2.2/target-size", result=1)
    assert modifiers(seen(table, "g1", "s2")) == {}


@pytest.mark.rule("4.4.3.2.2/target-moving", effect=True)
@pytest.mark.rule("4.4.3.2.2/target-cover", "4.4.3.2.2")
@pytest.mark.parametrize(
    ("sign", "value"), [(".", 0), (",", 0), (";", -1), ("l", -1), ("m", -3), ("W", -3), ("X", -5)]
)
@both_editions
def test_4_4_3_2_2_cover_of_the_targets_hex(edition, sign, value):
    """L919-979: light cover is -1, medium -3 and heavy -5; brush only makes spotting harder (6.5.4.2.2)."""
    table = a_table(
        a_vehicle("s1", "E5"), a_vehicle("g1", "E2"), a_vehicle("g2", "F8"),
        board=a_board(signs={"E2": sign, "F8": ";"}), edition=edition,
    )  # fmt: skip

    assert sum(modifiers(seen(table, "s1", "g1")).values()) == value
    assert_rule(seen(table, "s1", "g2"), "4.4.3.2.2/target-cover", result=-1)


@pytest.mark.rule("4.4.3.2.2")
def test_4_4_3_2_2_the_firers_own_terrain_and_marker_play_no_part():
    """4.4.1 item 3: neither the firer's terrain nor its marker changes the modifiers."""
    table = a_table(a_vehicle("s1", "E5", spot=Spot.FIRE), a_vehicle("g1", "E2"), board=a_board(signs={"E5": "m"}))

    assert modifiers(seen(table, "s1", "g1")) == {}


@pytest.mark.rule("3.8", "4.4.3.2.2")
@both_editions
def test_3_8_an_overstacked_hex_has_no_cover(edition):
    """L462-466: six vehicles of both sides together overstack a hex (A-02); wrecks do not count."""
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
    """L919-979: smoke costs -2 each at the firer, along the line and at the target; KO wrecks do not smoke."""
    wrecks = {"E5": brewed_up(), "E4": knocked_out(), "E3": brewed_up(), "E2": brewed_up(), "F3": brewed_up()}
    table = a_table(a_vehicle("s1", "E5"), a_vehicle("g1", "E2"), wrecks=wrecks, edition=edition)

    assert_rule(seen(table, "s1", "g1"), "4.4.3.2.2/brew-up-smoke", result=-6)
    assert_rule(seen(table, "s1", "g1"), "4.4.3.2.2", inputs={"smoke": ["E5", "E3", "E2"]})


@pytest.mark.rule("4.4.3.2.2")
def test_4_4_3_2_2_smoke_beside_a_line_that_follows_its_hexside_counts():
    """A-24: if the line runs along a hexside, smoke in either of the two hexes counts."""
    table = a_table(a_vehicle("s1", "D5"), a_vehicle("g1", "F5"), wrecks={"E4": brewed_up(), "E5": brewed_up()})

    assert modifiers(seen(table, "s1", "g1")) == {"brew_up_smoke": -4}


@pytest.mark.rule("4.4.3.2.2", effect=True)
@pytest.mark.rule("4.4.3.2.2/brew-up-smoke")
@both_editions
def test_4_4_3_2_2_smoke_made_in_the_direct_fire_step_counts_from_the_next_step_on(edition):
    """A-24: new smoke does not hinder the rest of the step or its overwatch fire, but it hinders the
    movement that follows."""
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
    """A-25: the front field is that of the hull; for a rear-mounted gun it is the field behind the vehicle."""
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

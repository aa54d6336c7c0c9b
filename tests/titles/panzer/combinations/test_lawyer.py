"""Pairs of rules in a state that neither author foresaw; each answer was worked out by hand from the book."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from support.rules import assert_rule
from titles.panzer.advanced.builders import a_leg, a_tank, advanced_data, an_advanced_state, an_advanced_table
from titles.panzer.advanced.marching import a_field, moves
from titles.panzer.advanced.marching import refused as move_refused
from titles.panzer.artillery.test_observers import mortar
from titles.panzer.builders import a_hex
from titles.panzer.close_combat.melees import assault, play
from titles.panzer.combinations.turns import a_turn
from titles.panzer.movement.test_second_roads import a_barrage

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal
from pbem.titles.panzer.artillery.observers import firer_objections as indirect_objections
from pbem.titles.panzer.artillery.observers import firer_of, sources_of
from pbem.titles.panzer.cards.advanced_cards import AdvancedCards, advanced_cards
from pbem.titles.panzer.close_combat.close_combat import assault_objections
from pbem.titles.panzer.close_combat.overrun import overrun_objections
from pbem.titles.panzer.command import morale
from pbem.titles.panzer.command.morale import COHESION
from pbem.titles.panzer.damage.effects import brew_up
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.end_of_turn.victory import is_over
from pbem.titles.panzer.fire.declarations import check_fire
from pbem.titles.panzer.fire.turrets import LOCKED
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, Feature, Marker, Spot, Status, Unit

SQUAD, SOVIET, SECTION = "german_rifle_squad", "soviet_rifle_squad", "german_section"
MOVE: dict[str, Any] = {"command": Command.MOVE}


def with_rules(*names: str) -> tuple[str, ...]:
    return (*ADVANCED_RULES, *names)


# --- 7.1.5.2, 7.4.2 the command range of those who share a command ------------------------------------------------


@pytest.mark.parametrize(("flags", "refused"), [((), False), (("broken-off",), True)])
def test_7_1_5_2_who_shares_a_move_with_a_broken_unit_ends_in_its_hex(flags: tuple[str, ...], refused: bool):
    """Seasoned units end within one hex of each other, but a broken unit's range of 0 binds both of them."""
    units = [a_leg("g1", "C9", SQUAD, **MOVE), a_leg("g2", "C9", SQUAD, **MOVE, shares="g1", moved=True, flags=flags)]
    table = a_field(*units, edition="2016", scenario={"rules": with_rules("morale")})
    if refused:
        assert_rule(move_refused(table, "g1", "1"), "6.2.1.1.4/move")
    else:
        moves(table, "g1", "1")


@pytest.mark.parametrize(("other", "refused"), [("pz4h", False), ("no radio", True)])
def test_7_4_2_a_tank_with_a_radio_keeps_to_the_hex_of_one_without(other: str, refused: bool):
    """The command range between tanks with and without a radio is 0, whichever of them moves last."""
    data = advanced_data(edition="2016")
    silent = next(id for id, card in sorted(data.book.vehicles.items()) if card.has("no_radio"))
    second = silent if other == "no radio" else other
    units = [
        a_tank("g1", "C9", "pz4h", facing=1, **MOVE),
        a_tank("g2", "C9", second, **MOVE, shares="g1", moved=True),
    ]
    table = a_field(*units, edition="2016", scenario={"rules": with_rules("radios")})
    if refused:
        assert_rule(move_refused(table, "g1", "f"), "6.2.1.1.4/move")
    else:
        moves(table, "g1", "f")


@pytest.mark.parametrize(("flags", "refused"), [((), False), (("broken-on",), True)])
def test_7_1_5_2_a_broken_unit_and_who_shares_its_fire_have_targets_in_one_hex(flags: tuple[str, ...], refused: bool):
    one = a_leg("g1", "C5", SQUAD, command=Command.FIRE, flags=flags)
    other = a_leg("g2", "C5", SQUAD, command=Command.FIRE, shares="g1")
    enemies = a_leg("s1", "C7", SOVIET, spot=Spot.FIRE), a_leg("s2", "C8", SOVIET, spot=Spot.FIRE)
    table = an_advanced_table(one, other, *enemies, edition="2016", scenario={"rules": with_rules("morale")})
    ask = Ask("german", "fire", "4.4.1", about={"engaged": [], "aimed": {}})
    answer = {"target": "s1", "firers": [["g1", 0, "gp"], ["g2", 0, "gp", "s2"]]}
    if refused:
        with pytest.raises(Exception, match="hexes from s1"):
            check_fire(table, ask, answer)
    else:
        check_fire(table, ask, answer)


@pytest.mark.parametrize(("flags", "sources"), [((), 1), (("broken-on",), 2)])
def test_7_1_5_2_a_broken_mortar_is_one_source_only_with_one_in_its_hex(flags: tuple[str, ...], sources: int):
    data = advanced_data(edition="2016", rules=with_rules("morale"))
    one, other = mortar(data, "g1", "C4"), mortar(data, "g2", "C5")
    other.flags = flags
    state = an_advanced_state(one, other, a_tank("s1", "C10", "t34_76"))
    called = [firer for firer in (firer_of(Situation(data, state), id) for id in ("g1", "g2")) if firer is not None]
    assert sources_of(data, called) == sources


# --- 7.23.2, 7.8 indirect fire out of a turret --------------------------------------------------------------------


def a_howitzer_tank(*rules: str, **more: Any) -> tuple[PanzerData, Unit]:
    """Build an owner's card for a tank whose turret gun can also fire indirectly."""
    book: AdvancedCards = advanced_cards("2016")
    tank = book.vehicles["pz4h"]
    indirect = next(gun.indirect for gun in book.guns.values() if gun.indirect)
    gun = msgspec.structs.replace(tank.mounts[0].gun, indirect=indirect)
    mounts = (msgspec.structs.replace(tank.mounts[0], gun=gun), *tank.mounts[1:])
    owned = msgspec.structs.replace(
        book, vehicles={**book.vehicles, "pz4h": msgspec.structs.replace(tank, mounts=mounts)}
    )
    data = advanced_data(edition="2016", rules=with_rules(*rules), book=owned)
    return data, a_tank("g1", "C10", "pz4h", facing=1, command=Command.FIRE, **more)


@pytest.mark.rule("4.4.3.1")
@pytest.mark.parametrize(
    ("rules", "more", "ahead", "behind"),
    [
        ((), {}, True, True),
        (("collateral_damage",), {"flags": (LOCKED,)}, True, False),
        (("turrets",), {"turret": 0}, True, False),
        (("turrets",), {"turret": 3}, False, True),
        (("turrets", "collateral_damage"), {"turret": 3, "flags": (LOCKED,)}, False, True),
    ],
)
def test_7_23_2_indirect_fire_comes_from_where_the_turret_points(
    rules: tuple[str, ...], more: dict[str, Any], ahead: bool, behind: bool
):
    """7.8: indirect fire reaches only the turret's field of fire, which 7.23.2 fixes for a locked turret."""
    data, tank = a_howitzer_tank(*rules, **more)
    state = an_advanced_state(tank, a_tank("s1", "C5", "t34_76"), spotted={})
    firer = firer_of(Situation(data, state), "g1")
    assert firer is not None
    for hex, bears in (("C5", ahead), ("C15", behind)):
        found = list(indirect_objections(Situation(data, state), firer, a_hex(hex)))
        assert ([one.rule for one in found] == []) is bears, (hex, found)
        if not bears:
            assert_rule(found, "4.4.3.1")
    if ahead and behind:
        tank.flags = (LOCKED,)
        assert_rule(list(indirect_objections(Situation(data, state), firer, a_hex("C15"))), "4.4.3.1")


# --- 6.6.11 a passenger that has attacked ------------------------------------------------------------------------


@pytest.mark.rule("6.6.11")
def test_6_6_11_a_passenger_that_got_off_and_attacked_still_binds_its_group():
    """L3821: the passenger attacked under its carrier's Move, so its group must overrun the same target."""
    truck = a_tank("g1", "C9", "opel", facing=1, **MOVE)
    squad = a_leg("g2", "C9", SQUAD, aboard="g1")
    tank = a_tank("g3", "C9", "pz4h", facing=1, **MOVE, shares="g1")
    enemies = (
        a_leg("s1", "C6", SOVIET, command=Command.NO_COMMAND, spot=Spot.FIRE),
        a_leg("s2", "D7", SOVIET, command=Command.NO_COMMAND, spot=Spot.FIRE),
    )
    table = a_field(truck, squad, tank, *enemies, dice=[90, 10, 90, 10, 50, 50])
    moves(table, "g1", "f dismount:g2:C7:1:s1")
    assert squad.dismounted and squad.attacking == "s1"
    assert_rule(list(overrun_objections(table, tank, table.state.vehicles["s2"])), "6.6.11")
    allowed = a_leg("s1", "C6", SOVIET, command=Command.NO_COMMAND, spot=Spot.FIRE)
    assert not [one for one in overrun_objections(table, tank, allowed) if one.rule == "6.6.11"]


@pytest.mark.rule("6.6.11")
def test_6_6_11_an_attacker_that_was_lost_still_binds_those_who_share_its_move():
    """The loss of the attacker in hand-to-hand combat does not free the units that share its Move."""
    first, second = a_leg("g1", "C7", SQUAD, **MOVE), a_leg("g2", "C7", SQUAD, **MOVE, shares="g1")
    enemies = a_leg("s1", "C6", SOVIET, spot=Spot.FIRE), a_leg("s2", "D7", SOVIET, spot=Spot.FIRE)
    table = an_advanced_table(first, second, *enemies, dice=[1, 99, 1, 99, 1, 99])
    play(table, assault("s1", "g1"))
    assert not table.state.vehicles["g1"].alive
    squad = table.state.vehicles["g2"]
    assert_rule(list(assault_objections(table, squad, table.state.vehicles["s2"])), "6.6.11")


# --- 5.2.1 what a portee counter carries over to truck and gun ----------------------------------------------------


def a_portee(**more: Any) -> Any:
    portee = a_tank("b1", "C9", "portee_2pdr", facing=1, **{**MOVE, **more})
    rules = {"rules": with_rules("malfunction", "morale")}
    return an_advanced_table(portee, a_tank("i1", "H9", "m13_40"), sides=("italian", "british"), scenario=rules)


@pytest.mark.parametrize(
    ("more", "flags", "marker"),
    [
        ({"suppression": Marker.ON}, (), Marker.ON),
        ({"suppression": Marker.OFF}, (), Marker.OFF),
        ({"flags": ("jammed-0",)}, ("jammed-0",), Marker.NONE),
        ({"flags": ("ruined-0",)}, ("ruined-0",), Marker.NONE),
        ({"flags": ("broken-on",)}, ("broken-on",), Marker.NONE),
        ({"flags": ("hesitating-off",)}, ("hesitating-off",), Marker.NONE),
    ],
)
def test_5_2_1_a_gun_comes_off_its_truck_in_the_state_in_which_the_portee_was(
    more: dict[str, Any], flags: tuple[str, ...], marker: Marker
):
    """A portee becomes a truck and a gun, and both keep its suppression (5.10), morale (7.1) and jam (7.25)."""
    table = a_portee(**more)
    moves(table, "b1", "unload:1")
    gun, truck = table.state.vehicles["b1-gun"], table.state.vehicles["b1"]
    assert gun.suppression is marker and truck.suppression is marker
    assert tuple(flag for flag in gun.flags if flag in flags) == flags
    assert not any(flag.startswith(("jammed", "ruined")) for flag in truck.flags), "the truck has no weapon to repair"


@pytest.mark.parametrize(
    ("gun_state", "truck_state", "suppressed", "flags"),
    [
        ({"suppression": Marker.ON}, {}, Marker.ON, ()),
        ({}, {"suppression": Marker.OFF}, Marker.OFF, ()),
        ({"suppression": Marker.ON}, {"suppression": Marker.OFF}, Marker.ON, ()),
        ({"flags": ("jammed-0",)}, {}, Marker.NONE, ("jammed-0",)),
        ({"flags": ("broken-off",)}, {}, Marker.NONE, ("broken-off",)),
    ],
)
def test_5_2_1_a_gun_that_is_taken_up_brings_its_state_along(
    gun_state: dict[str, Any], truck_state: dict[str, Any], suppressed: Marker, flags: tuple[str, ...]
):
    table = a_portee()
    moves(table, "b1", "unload:1")
    gun, truck = table.state.vehicles["b1-gun"], table.state.vehicles["b1"]
    for unit in (gun, truck):
        unit.moved = unit.revealed = False
        unit.spent = 0
        unit.command = Command.MOVE
    for unit, given in ((gun, gun_state), (truck, truck_state)):
        for name, value in given.items():
            setattr(unit, name, (*unit.flags, *value) if name == "flags" else value)
    moves(table, "b1", "mount:b1-gun")
    portee = table.state.vehicles["b1"]
    assert "b1-gun" not in table.state.vehicles
    assert portee.suppression is suppressed
    assert tuple(flag for flag in portee.flags if flag in flags) == flags


# --- 5.15 vehicles that their crews have left --------------------------------------------------------------------


@pytest.mark.parametrize(("left", "over"), [(False, False), (True, True)])
def test_4_6_2_a_side_with_nothing_but_abandoned_vehicles_is_gone(left: bool, over: bool):
    """R-18, 5.15: a vehicle without its crew is useless for the rest of the scenario, and counts as lost (R-04)."""
    data = advanced_data(early_end="side_gone")
    state = an_advanced_state(a_tank("g1", "C5", "pz4h", bailed_out=left), a_tank("s1", "C9", "t34_76"), turn=1)
    assert is_over(Situation(data, state)) is over


@pytest.mark.rule("7.1.2", editions=("2016",))
@pytest.mark.parametrize("abandoned", [False, True])
def test_7_1_2_an_abandoned_vehicle_that_brews_up_shakes_those_in_its_hex(abandoned: bool):
    """7.1.2 item 4 counts any vehicle of the unit's own formation in the hex, even one that was abandoned."""
    wreck = a_tank("g1", "C5", "pz4h", bailed_out=abandoned)
    squad, gone = a_leg("g2", "C5", SQUAD), a_leg("g9", "K9", SQUAD, status=Status.ELIMINATED)
    table = an_advanced_table(
        wreck, squad, gone, a_tank("s1", "C9", "t34_76"), edition="2016", dice=[99] * 4,
        scenario={"rules": with_rules("morale")}, notes={COHESION: {"german": 1, "soviet": 9}},
    )  # fmt: skip
    event = morale.begin(table)
    table.findings.append(brew_up(table, wreck))
    morale.finish(table, event)
    assert_rule(table.findings, "7.1.2", inputs={"unit": "g2", "reasons": ["brew-up"]})


# --- 7.1.5 nerves in the middle of a move -----------------------------------------------------------------------


@pytest.mark.parametrize(("flag", "overruns"), [("", True), ("hesitating-on", False), ("broken-on", False)])
def test_7_1_5_a_vehicle_that_loses_heart_on_the_way_overruns_nobody(flag: str, overruns: bool):
    """6.6.10: the vehicle must not be hesitating or broken; it checks after the fire or barrage on its way."""
    tank = a_tank("g1", "C9", "pz4h", facing=1, **MOVE)
    enemies = (
        a_leg("s1", "C7", SOVIET, command=Command.NO_COMMAND, spot=Spot.FIRE),
        a_leg("s2", "D5", SOVIET, command=Command.OVERWATCH),
    )
    table = a_field(tank, *enemies, dice=[50] * 6, edition="2016", scenario={"rules": with_rules("morale")})

    def lose_heart(ask: Ask) -> None:
        tank.flags = (flag,) if flag and tank.hex == a_hex("C8") else tank.flags

    played = moves(table, "g1", "f overrun:s1", answers={"overwatch": lose_heart})
    assert bool([one for one in played.findings if one.rule == "6.6.10" and "vehicle" in one.inputs]) is overruns


@pytest.mark.rule("7.1.2", editions=("2016",))
def test_7_1_2_who_dismounts_attacks_and_goes_into_the_empty_hex_has_moved_out_of_its_own():
    """6.6.1.1.3: the unit dismounted in its vehicle's hex, so only the advance after combat moved it elsewhere."""
    truck = a_tank("g1", "C9", "opel", facing=1, **MOVE)
    squad, gone = a_leg("g2", "C9", SQUAD, aboard="g1"), a_leg("g9", "K9", SQUAD, status=Status.ELIMINATED)
    target = a_leg("s1", "C8", "soviet_rifle_half_squad", command=Command.NO_COMMAND, spot=Spot.FIRE)
    table = a_field(
        truck, squad, gone, target, dice=[99, 1, 99, 99, 99], edition="2016",
        scenario={"rules": with_rules("morale")}, notes={COHESION: {"german": 1, "soviet": 9}},
    )  # fmt: skip
    moves(table, "g1", "dismount:g2:C9:1:s1", answers={"advance": [["g2"]]})
    assert squad.hex == a_hex("C8")
    assert_rule(table.findings, "7.1.2", inputs={"unit": "g2", "reasons": ["moved"]})


# --- 6.6.6, 7.31.2 boarding a vehicle in another hex ---------------------------------------------------------------


@pytest.mark.parametrize(("start", "attacked"), [("C9", ["g2"]), ("C8", [])])
@pytest.mark.parametrize(("roll", "aboard"), [(1, True), (99, False)])
def test_6_6_6_who_runs_to_a_vehicle_in_a_barrage_is_attacked_there(
    start: str, attacked: list[str], roll: int, aboard: bool
):
    """Every move into a hex of a barrage counts; a unit that boards in its own hex has not changed hexes."""
    truck, section = a_tank("g1", "C8", "opel", command=Command.NO_COMMAND), a_leg("g2", start, SECTION, **MOVE)
    table = a_field(truck, section, missions=a_barrage("C8"), turn=1, dice=[roll])
    moves(table, "g1", "mount:g2", "stay")
    hit = [str(one.inputs["unit"]) for one in table.findings if one.rule == "6.6.6"]
    assert hit == attacked
    assert bool(section.aboard) is (aboard or not attacked)


@pytest.mark.rule("7.31.2")
def test_7_31_2_who_boards_a_vehicle_in_a_minefield_is_not_attacked_and_who_gets_off_is():
    mines = Feature(id="f1", type="hasty_mines", hex=a_hex("C8"), side="soviet", of="personnel", known=("soviet",))
    truck, squad = a_tank("g1", "C8", "opel", command=Command.NO_COMMAND), a_leg("g2", "C9", SQUAD, **MOVE)
    scenario = {"rules": with_rules("minefields")}
    table = a_field(truck, squad, features=[mines], dice=[50], scenario=scenario)
    moves(table, "g1", "mount:g2", "stay")
    assert squad.aboard and not squad.suppressed
    squad.moved = False
    moves(table, "g1", "dismount:g2:C8:1", "stay")
    assert_rule(table.findings, "7.31.2", inputs={"unit": "g2", "hex": "C8"})


# --- 5.1.1, 5.1.2, 5.14 orders for more weapons than a unit fires --------------------------------------------------


@pytest.mark.rule("5.14", effect=True)
@pytest.mark.parametrize(
    ("card", "suppression", "order", "rule"),
    [
        (SQUAD, Marker.NONE, "g1 fire s1 with 1 and s1 with 2", ""),
        (SQUAD, Marker.OFF, "g1 fire s1 with 1 and s1 with 2", "5.1.1"),
        (SQUAD, Marker.OFF, "g1 fire s1 with 1 and s2 with 2", "5.1.1"),
        (SECTION, Marker.NONE, "g1 fire s1 with 1 and s2 with 2", "5.1.2"),
        (SQUAD, Marker.NONE, "g1 fire s1 with 1 and s2 with 1", "4.4.1/one-shot"),
    ],
)
def test_5_14_what_a_unit_cannot_fire_at_once_is_refused_when_it_is_ordered(
    card: str, suppression: Marker, order: str, rule: str
):
    """The order is refused at once, so that the turn is played exactly as the receipt restated it."""
    squad = a_leg("g1", "C5", card, weapons=("german_hmg",), suppression=suppression, facing=4)
    enemies = a_leg("s1", "C8", SOVIET, spot=Spot.FIRE), a_leg("s2", "D8", SOVIET, spot=Spot.FIRE)
    data, state = advanced_data(), an_advanced_state(squad, *enemies)
    if rule:
        with pytest.raises(Refusal) as refusal:
            a_turn(data, state, german=order)
        assert_rule(refusal.value, rule)
        return
    turn = a_turn(data, state, german=order)
    assert turn.fails == [] and len(turn.of("6.5.4")) == 2


def test_5_1_1_who_is_suppressed_before_it_fires_is_told_that_the_second_weapon_stays_silent():
    """5.10: the enemy, as First Player, suppresses the squad, which then may fire only one weapon."""
    squad = a_leg("g1", "C5", SQUAD, weapons=("german_hmg",), facing=4)
    enemy = a_leg("s1", "C7", SOVIET, spot=Spot.FIRE)
    state = an_advanced_state(squad, enemy, a_leg("s2", "D7", SOVIET, spot=Spot.FIRE))
    orders = {"german": "second\ng1 fire s2 with 1 and s1 with 2", "soviet": "first\ns1 fire g1"}
    turn = a_turn(advanced_data(), state, dice={"6.5.4": 65}, **orders)
    attacks = [one.inputs["firer"] for one in turn.of("6.5.4")]
    assert attacks == ["s1", "g1"]
    assert turn.fails == ["g1 fire s1 with 2: a suppressed unit can fire only 1 weapon at a time"]

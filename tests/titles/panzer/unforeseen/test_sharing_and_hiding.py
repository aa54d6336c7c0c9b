"""Rules that meet under one counter: engineers who share a Move, hidden units among works, priorities, smoke."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from support.rules import assert_rule
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank, advanced_data, an_advanced_state, an_advanced_table
from titles.panzer.air.flights import a_table as an_air_table
from titles.panzer.air.flights import over
from titles.panzer.builders import a_hex, run_step, run_steps
from titles.panzer.close_combat.melees import STEPS, assault
from titles.panzer.combinations.turns import a_turn
from titles.panzer.sighting.test_optional_hidden import IN_USE, a_fight, under

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.table import Table
from pbem.titles.panzer.air import anti_aircraft
from pbem.titles.panzer.cards.advanced_cards import advanced_cards
from pbem.titles.panzer.close_combat.overrun import overrun_objections
from pbem.titles.panzer.obstacles.demolition import check_demolish, demolition, demolition_objections
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.sighting.hidden_orders import sneak
from pbem.titles.panzer.state import Command, Feature, PanzerState

SQUAD, SOVIET, PIONEERS = "german_rifle_squad", "soviet_rifle_squad", "german_pioneer_squad"
FREE = tuple(rule for rule in ADVANCED_RULES if rule != "command_control")
MOVE: dict[str, Any] = {"command": Command.MOVE}

# --- 6.6.11, 7.19 one Move, one target -----------------------------------------------------------------------------


def at_a_block(*units: Any, **more: Any) -> Table[PanzerState]:
    block = Feature(id="f1", type="block", hex=a_hex("C4"), defence=4, known=("german", "soviet"))
    rules = {"rules": (*ADVANCED_RULES, "engineers_and_terrain")}
    return an_advanced_table(*units, edition="2016", scenario=rules, features={"f1": block}, **more)


@pytest.mark.rule("6.6.11")
@pytest.mark.parametrize(("shares", "legal"), [("g2", False), ("", True)])
def test_6_6_11_engineers_attack_no_terrain_while_those_who_share_their_move_attack_a_unit(shares: str, legal: bool):
    """7.19 works like a close assault, and units under one Move attack one target."""
    engineers, squad = a_leg("g1", "C5", PIONEERS, **MOVE, shares=shares), a_leg("g2", "C5", SQUAD, **MOVE)
    table = at_a_block(engineers, squad, a_leg("s1", "D5", SOVIET), dice=[99, 1, 99, 1])
    table.then("close_combat_step", side="german")
    run_steps(table, STEPS, {"assault": [assault("s1", "g2"), None], "demolish": [None]})
    found = list(demolition_objections(table, "german", "f1", ("g1",)))
    assert (found == []) is legal
    if not legal:
        assert_rule(found, "6.6.11")
    else:
        engineers.shares = "g2"
        assert_rule(list(demolition_objections(table, "german", "f1", ("g1",))), "6.6.11")


@pytest.mark.rule("6.6.11")
def test_6_6_11_a_tank_overruns_nobody_after_the_engineers_who_share_its_move_have_attacked_terrain():
    tank = a_tank("g2", "C5", "pz4h", facing=2, **MOVE, shares="g1")
    alone = a_tank("g3", "C5", "pz4h", facing=2, **MOVE)
    table = at_a_block(a_leg("g1", "C5", PIONEERS, **MOVE), tank, alone, a_leg("s1", "D5", SOVIET), dice=[1])
    table.state.phase = "movement"
    run_step(table, demolition(table, "german"), {"demolish": [{"feature": "f1", "attackers": ["g1"]}]})
    enemy = table.state.vehicles["s1"]
    enemy.command = Command.NO_COMMAND
    assert_rule(list(overrun_objections(table, tank, enemy)), "6.6.11")
    assert not list(overrun_objections(table, alone, enemy))


@pytest.mark.rule("6.6.11")
def test_6_6_11_engineers_under_one_move_attack_one_piece_of_terrain():
    """The engineers are in two hexes under one counter: the second group attacks either the same block
    or no target."""
    one, other = a_leg("g1", "C5", PIONEERS, **MOVE), a_leg("g2", "C3", PIONEERS, **MOVE, shares="g1")
    table = at_a_block(one, other, dice=[1])
    table.state.features["f2"] = Feature(
        id="f2", type="block", hex=a_hex("C2"), defence=4, known=("german", "soviet")
    )
    run_step(table, demolition(table, "german"), {"demolish": [{"feature": "f1", "attackers": ["g1"]}]})
    ask = Ask("german", "demolish", "7.19")
    with pytest.raises(Refusal) as refusal:
        check_demolish(table, ask, {"feature": "f2", "attackers": ["g2"]})
    assert_rule(refusal.value, "6.6.11")
    assert check_demolish(table, ask, {"feature": "f1", "attackers": ["g2"]})


# --- 7.2.2.2 counters among mines and wire -------------------------------------------------------------------------


def a_counter_goes(features: list[Feature], *rules: str, card: str = "pz4h", squad: bool = False) -> Any:
    """A counter over a tank or a squad moves from C3 through C4 to C5, and no enemy can see it."""
    unit = a_leg("g1", "C3", SQUAD, **MOVE) if squad else a_tank("g1", "C3", card, **MOVE)
    placed = {feature.id: feature for feature in features}
    table = a_fight(unit, a_tank("s1", "T19", "zis5"), features=placed, rules=(*IN_USE, *rules), dice=[100] * 4)
    id = under(table, "C3", "g1")
    run_step(table, sneak(table, "german"), {"sneak": [{"move": {id: ["C4", "C5"]}}]})
    return table, id in table.state.hidden_counters


def field(of: str = "", hex: str = "C4") -> Feature:
    return Feature(id="x", type="hasty_mines", hex=a_hex(hex), side="soviet", known=("soviet",), of=of)


@pytest.mark.parametrize(
    ("of", "squad", "rules", "hidden"),
    [
        ("", False, ("minefields",), False),
        ("personnel", False, ("minefields",), True),
        ("vehicles", False, ("minefields",), False),
        ("vehicles", True, ("minefields",), True),
        ("personnel", True, ("minefields",), False),
        ("", False, (), True),
    ],
)
def test_7_31_2_only_mines_that_attack_reveal_a_counter(of: str, squad: bool, rules: tuple[str, ...], hidden: bool):
    """A field that does not attack need not be declared, and without 7.31 mines do not attack at all."""
    table, still_hidden = a_counter_goes([field(of)], *rules, squad=squad)
    assert still_hidden is hidden
    assert (table.state.features["x"].known == ("soviet",)) is hidden


@pytest.mark.rule("7.31.2", editions=("2016",))
@pytest.mark.parametrize("start", ["C3", "C4"])
def test_7_31_2_a_counter_that_sets_out_from_a_field_is_attacked_there(start: str):
    """A unit that moves on from a mined hex is attacked again, whether it is under a counter or not."""
    table, hidden = a_counter_goes([field(hex=start)], "minefields")
    assert not hidden
    assert_rule(table.findings, "7.31.2", inputs={"unit": "g1", "hex": start})


@pytest.mark.rule("6.1.4.3.11")
def test_6_1_4_3_11_a_hidden_tank_crushes_the_wire_that_it_drives_over():
    """Everyone sees that the wire is gone; the counter that went there is named, but not the tank."""
    wire = Feature(id="w", type="wire", hex=a_hex("C4"), known=("german", "soviet"))
    table, hidden = a_counter_goes([wire])
    assert hidden and "w" not in table.state.features
    found = assert_rule(table.findings, "6.1.4.3.11", inputs={"hex": "C4"}, result="removed")
    assert found.inputs["unit"] != "g1"  # type: ignore[union-attr]


# --- 7.14 fire priority and smoke ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("near", "refused"), [("t34_76", True), ("zis5", False)])
def test_7_14_a_tank_that_has_to_fire_at_a_tank_lays_no_smoke(near: str, refused: bool):
    """A vehicle must fire at the nearest enemy combat vehicle; only a vehicle without such a target lays smoke."""
    book = advanced_cards("2016")
    card = next(
        id for id, row in sorted(book.vehicles.items())
        if row.nation == "german" and any(mount.gun.smoke for mount in row.mounts)
    )  # fmt: skip
    data = advanced_data(edition="2016", rules=(*FREE, "fire_priority"))
    state = an_advanced_state(a_tank("g1", "C5", card, facing=4), a_tank("s1", "C9", near), turn=1)
    if refused:
        with pytest.raises(Refusal) as refusal:
            a_turn(data, state, german="g1 smoke C10")
        assert_rule(refusal.value, "7.14")
        return
    assert a_turn(data, state, dice={"5.16": 1}, german="g1 smoke C10").of("6.1.4.3.10")


# --- 5.6, 6.7.4 the minimum range of an anti-aircraft gun ---------------------------------------------------------


@pytest.mark.rule("5.6", effect=True)
@pytest.mark.parametrize(("hex", "reaches"), [("C8", False), ("C7", False), ("C6", True)])
def test_5_6_the_minimum_range_of_a_gun_holds_against_aircraft_too(hex: str, reaches: bool):
    """The gun of an owner's card cannot fire at less than two hexes; an aircraft straight above is at range one."""
    book = advanced_cards("2024")
    gun_id = book.towed["flak36"].gun
    gun = book.guns[gun_id]
    far = msgspec.structs.replace(gun, minimum=msgspec.structs.replace(gun.minimum, value=2))
    owned = msgspec.structs.replace(book, guns={**book.guns, gun_id: far})
    flak = a_gun("g2", "C8", "flak36", facing=1, command=Command.OVERWATCH)
    table = an_air_table(flak, scenario={"book": owned})
    over(table, hex, tracked={"g2": 99})
    found = list(anti_aircraft.objections(table, table.state.aircraft["a1"], flak, 0))
    assert [one.rule for one in found] == ([] if reaches else ["6.7.4.2"])

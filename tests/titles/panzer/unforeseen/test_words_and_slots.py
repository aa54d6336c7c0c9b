"""Every word of an accepted order is carried out with the weapon that it names, or it is refused."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank, advanced_data, an_advanced_state
from titles.panzer.combinations.turns import a_turn

from pbem.engine.rules.refusals import Refusal
from pbem.titles.panzer.binding import PanzerRules
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.state import Spot

SQUAD, SOVIET, PIONEERS = "german_rifle_squad", "soviet_rifle_squad", "german_pioneer_squad"
FREE = tuple(rule for rule in ADVANCED_RULES if rule != "command_control")


def smoking(orders: str, card: str = SQUAD, weapon: str = "german_grw34") -> Any:
    """A squad with a weapon in C5, an enemy four hexes away."""
    squad = a_leg("g1", "C5", card, weapons=(weapon,), facing=4)
    enemies = a_leg("s1", "C9", SOVIET, spot=Spot.FIRE), a_tank("s9", "T19", "zis5")
    data = advanced_data(edition="2016", rules=(*FREE, "infantry_smoke"))
    return a_turn(data, an_advanced_state(squad, *enemies, turn=1), dice={"7.22": 1, "5.16": 1}, german=orders)


@pytest.mark.rule("7.22.1", editions=("2016",))
@pytest.mark.parametrize("weapon", ["german_grw34", "german_hmg"])
def test_7_22_1_attached_weapons_fire_beside_smoke_in_the_own_hex(weapon: str):
    """The smoke takes the place of the small arms, also in a squad whose mortar could fire smoke elsewhere."""
    turn = smoking("g1 fire smoke C5 and s1 with 2", weapon=weapon)
    assert turn.fails == []
    assert len(turn.of("6.5.4")) == 1
    assert_rule(turn.findings, "7.22.1", inputs={"unit": "g1", "hex": "C5"}, result="smoke")


@pytest.mark.rule("4.4.1", editions=("2016",))
@pytest.mark.parametrize(
    ("orders", "card"),
    [
        ("g1 fire smoke C5 and s1 with 1", SQUAD),
        ("g1 fire s1 with 1 and smoke C5", SQUAD),
        ("g1 fire smoke C6 and s1 with 1", PIONEERS),
    ],
)
def test_7_22_1_small_arms_do_not_fire_beside_smoke_that_is_thrown(orders: str, card: str):
    """6.1.4.3.10: engineers throw it into the next hex, in the place of their small arms too."""
    with pytest.raises(Refusal) as refusal:
        smoking(orders, card, "german_hmg")
    assert_rule(refusal.value, "4.4.1", why="each weapon can be fired only once")


# --- 7.18 pinning fire on overwatch --------------------------------------------------------------------------------


def watching(orders: str, target: str = "squad") -> Any:
    """A squad watches an enemy that moves up from C9."""
    squad = a_leg("g1", "C5", SQUAD, facing=4)
    enemy = a_leg("s1", "C9", SOVIET) if target == "squad" else a_tank("s1", "C9", "zis5", facing=1)
    data = advanced_data(edition="2016", rules=(*FREE, "pinning_fire"))
    state = an_advanced_state(squad, enemy, a_tank("s9", "T19", "zis5"), turn=1)
    return a_turn(data, state, dice={"6.5.4.4": 99}, german=orders, soviet="s1 move C8")


@pytest.mark.rule("7.18", editions=("2016",))
def test_7_18_a_watching_squad_may_be_told_to_pin():
    """Declared before the roll, under Fire, Short Halt or Overwatch: an effective result only suppresses."""
    turn = watching("g1 overwatch hit >= 0 pin")
    assert turn.receipts["german"].splitlines()[0] == "g1 overwatch hit >= 0 pin"
    assert turn.fails == [] and turn.state.vehicles["s1"].card == SOVIET
    assert_rule(turn.findings, "7.18", inputs={"unit": "s1"}, result="suppressed")
    plain = watching("g1 overwatch hit >= 0")
    assert plain.state.vehicles["s1"].card != SOVIET and not plain.of("7.18")


def test_7_18_a_vehicle_is_fired_at_as_usual():
    """Only leg and towed units can be pinned."""
    turn = watching("g1 overwatch hit >= 0 pin", "truck")
    assert turn.of("6.5.4") and not turn.of("7.18")


@pytest.mark.parametrize(("orders", "rules"), [("g1 overwatch pin", ()), ("g2 overwatch pin", ("pinning_fire",))])
def test_7_18_pinning_that_could_not_be_is_refused(orders: str, rules: tuple[str, ...]):
    """Without the rule, or by a gun without small arms."""
    data = advanced_data(edition="2016", rules=(*FREE, *rules))
    units = a_leg("g1", "C5", SQUAD), a_gun("g2", "C6", "pak38"), a_leg("s1", "C9", SOVIET)
    with pytest.raises(Refusal) as refusal:
        a_turn(data, an_advanced_state(*units, turn=1), german=orders)
    assert_rule(refusal.value, "7.18")


def test_7_18_standing_orders_do_not_pin():
    with pytest.raises(Refusal) as refusal:
        PanzerRules(advanced_data()).check_doctrine(["overwatch: hit >= 20 pin"])
    assert_rule(refusal.value, "7.18")

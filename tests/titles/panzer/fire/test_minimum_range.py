"""5.6 The minimum range belongs to the weapon and applies to every kind of fire."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank, advanced_data, an_advanced_state
from titles.panzer.builders import a_hex

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal, Refusals
from pbem.titles.panzer.cards.advanced_cards import advanced_cards, with_minimum
from pbem.titles.panzer.cards.basic_rows import EDITIONS, IntCell
from pbem.titles.panzer.cards.card_rows import AttachedWeapon, FireRow, Gun
from pbem.titles.panzer.cards.cards import RowCell
from pbem.titles.panzer.cards.weapons import weapons_of
from pbem.titles.panzer.close_combat.overrun import contributing, overrun_factor, vehicle_objections
from pbem.titles.panzer.fire.declarations import check_fire
from pbem.titles.panzer.fire.overwatch import check_overwatch
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, PanzerState, Unit

BOOK = advanced_cards("2024")
ATTACHED = sorted(id for id, row in BOOK.attached.items() if row.minimum.value > 1)
CARRIERS = sorted(
    id for id, card in BOOK.vehicles.items() if any(mount.gun.minimum.value > 1 for mount in card.mounts)
)


def carrying(weapon: str, **more: Any) -> Unit:
    """Return a squad of the weapon's nation that carries the weapon."""
    nation = BOOK.attached[weapon].nation
    squad = next(id for id, card in sorted(BOOK.legs.items()) if card.nation == nation and card.size == "squad")
    return a_leg("g1", "C3", squad, weapons=(weapon,), **more)


def refusal(check: Any, firer: Unit, firers: list[Any], away: str, target: str = "s1", **about: Any) -> Any:
    """Return the objections to this fire at a unit at this distance, or None."""
    state = an_advanced_state(firer, a_leg("s1", away, "soviet_rifle_squad"))
    ask = Ask("german", "fire", "4.4.1", about=about)
    try:
        check(Situation(advanced_data(), state), ask, {"target": target, "firers": firers})
    except (Refusal, Refusals) as error:
        return getattr(error, "refusals", [error])
    return None


@pytest.mark.rule("5.6")
@pytest.mark.parametrize("weapon", ATTACHED)
def test_5_6_no_direct_fire_below_the_minimum_of_a_mortar(weapon):
    firer = carrying(weapon, command=Command.FIRE)
    assert_rule(refusal(check_fire, firer, [["g1", 1, "gp"]], "C4"), "5.6")
    assert refusal(check_fire, firer, [["g1", 1, "gp"]], "C5") is None


@pytest.mark.rule("5.6")
@pytest.mark.parametrize("weapon", [id for id in ATTACHED if BOOK.attached[id].smoke.value])
def test_5_6_no_smoke_below_the_minimum_of_a_mortar(weapon):
    firer = carrying(weapon, command=Command.FIRE)
    assert_rule(refusal(check_fire, firer, [["g1", 1, "smoke"]], "C9", "C4"), "5.6")
    assert refusal(check_fire, firer, [["g1", 1, "smoke"]], "C9", "C5") is None


@pytest.mark.rule("5.6")
@pytest.mark.parametrize("weapon", ATTACHED)
def test_5_6_no_overwatch_fire_below_the_minimum_of_a_mortar(weapon):
    firer = carrying(weapon, command=Command.OVERWATCH)
    assert_rule(refusal(check_overwatch, firer, [["g1", 1, "gp"]], "C4", targets=["s1"]), "5.6")


@pytest.mark.rule("6.6.10.1")
@pytest.mark.parametrize("card", CARRIERS)
def test_6_6_10_1_a_mortar_carrier_does_not_overrun_with_its_mortar(card):
    data, carrier = advanced_data(), a_tank("g1", "C3", card, command=Command.MOVE)
    state: PanzerState = an_advanced_state(carrier, a_leg("s1", "C4", "soviet_rifle_squad"))
    short = {arm.name for arm in weapons_of(data, carrier) if arm.minimum > 1}
    assert short and not short & {
        arm.name for arm in contributing(Situation(data, an_advanced_state(carrier)), carrier)
    }
    assert_rule(overrun_factor(Situation(data, state), carrier), "6.6.10.1", inputs={"vehicle": "g1"})
    others = [arm for arm in weapons_of(data, carrier) if arm.gp is not None and arm.minimum == 1]
    assert bool(others) is not any(
        one.rule == "6.6.10" for one in vehicle_objections(Situation(data, state), carrier)
    )


@pytest.mark.rule("5.6", effect=True)
def test_5_6_a_minimum_that_one_row_prints_holds_for_all_rows_of_the_weapon():
    ranges, factors = RowCell((3, 5, 8, 12, 14), "test"), RowCell((5, 4, 3, 3, 2), "test")
    row = FireRow(ranges, factors)
    printed = FireRow(ranges, factors, minimum=IntCell(2, "test"))
    gun = with_minimum(Gun(id="mortar", gp=row, indirect=printed))
    assert (gun.minimum.value, gun.gp.minimum.value, gun.indirect.minimum.value) == (2, 2, 2)


@pytest.mark.rule("5.6", effect=True)
@pytest.mark.parametrize("edition", EDITIONS)
def test_5_6_every_row_of_every_weapon_has_the_minimum_of_the_weapon(edition):
    book = advanced_cards(edition)
    weapons: list[Gun | AttachedWeapon] = [*book.guns.values(), *book.attached.values()]
    for weapon in weapons:
        assert {row.minimum for row in (weapon.gp, weapon.indirect) if row} <= {weapon.minimum}, weapon.id
    assert book.attached["german_grw34"].minimum.value == 2
    assert any(weapon.minimum.value > 1 for weapon in book.guns.values())


@pytest.mark.rule("5.6", effect=True)
def test_5_6_a_gun_without_a_printed_minimum_fires_at_one_hex():
    """L1400-1404: without a printed value the minimum range is 1."""
    gun = a_gun("g1", "C3", next(id for id, card in BOOK.towed.items() if card.gun == "75mm leIG 18"), facing=4)
    gun.command = Command.FIRE
    assert a_hex("C4") and refusal(check_fire, gun, [["g1", 0, "gp"]], "C4") is None

"""5.16 Ammunition: availability, limits and supply."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule
from titles.panzer.advanced.builders import (
    a_gun,
    a_leg,
    a_tank,
    advanced_data,
    an_advanced_state,
    an_advanced_table,
    both_editions,
)

from pbem.titles.panzer.cards.ammunition import ammo_objections, check_ammo, check_smoke, is_available, supply
from pbem.titles.panzer.cards.charts import with_switches
from pbem.titles.panzer.cards.weapons import weapons_of
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.setup.scenario import Conditions
from pbem.titles.panzer.situation import Situation


def loads(unit: Any, how: str, *dice: int, others: Any = (), **more: Any) -> tuple[Any, Any]:
    """Return the ammunition a unit fires, and the table."""
    table = an_advanced_table(unit, *others, dice=dice, **more)
    return check_ammo(table, unit, weapons_of(table.data, unit)[0], how), table


# --- 5.16.1 availability ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "how", "date", "there"),
    [
        ("pzjgr1", "ap:APCR", "1940-12", False),  # early 1941
        ("pzjgr1", "ap:APCR", "1941-01", True),
        ("su76m", "ap:HVAP", "1943-08", False),  # 2016:L1704: late 1943 to the end
        ("su76m", "ap:HVAP", "1945-04", True),
        ("pz4h", "ap:APCR", "1939-09", True),  # no date on the card
        ("su76m", "ap:HVAP", "", True),  # the scenario has none
    ],
)
@both_editions("5.16.1")
def test_5_16_1_special_ammunition_comes_with_its_date(edition, card, how, date, there):
    data = advanced_data(edition=edition, date=date)
    unit = a_tank("g1", "A1", card, formation="german")
    arm = weapons_of(data, unit)[0]
    assert is_available(data, arm.ammo_of(how)) is there
    assert (not list(ammo_objections(data, unit, arm, how))) is there
    early = advanced_data(edition=edition, date="1940-01")
    gun = weapons_of(early, a_tank("g1", "A1", "pzjgr1"))[0]
    assert_rule(list(ammo_objections(early, a_tank("g1", "C3", "pzjgr1"), gun, "ap:APCR")), "5.16.1")


# --- 5.16.2 limits ---------------------------------------------------------------------------------------------


@pytest.mark.rule("5.16.2", effect=True)
@pytest.mark.parametrize(
    ("unit", "limits"),
    [
        (a_tank("g1", "A1", "pzjgr1"), {"A": 4}),  # L1562
        (a_tank("b1", "A1", "a10cs"), {"basic": 3}),  # L1564
        (a_gun("g1", "A1", "pak40"), {"basic": 6, "S": 4, "A": 4}),  # L1566, 2016:L1720
        (a_tank("s1", "A1", "su76m"), {"A": 3}),  # 2016:L1720
        (a_tank("s1", "A1", "su152"), {"basic": 5}),  # 2016:L1720
    ],
)
def test_5_16_2_limits_of_the_cards(unit, limits):
    printed = weapons_of(advanced_data(), unit)[0].limits
    assert printed.items() >= limits.items() and printed.get("basic") == limits.get("basic")


@pytest.mark.parametrize(("card", "how", "limit"), [("pzjgr1", "ap:APCR", 4), ("su76m", "ap:HVAP", 3)])
@both_editions("5.16", "5.16.2", "5.16.2.1", "5.16.2.2")
def test_5_16_2_2_short_of_special_ammunition_it_fires_basic_ammunition(edition, card, how, limit):
    """L1584, 2016:L1738: with limit 4 (3 in 2016), a 7 means that AP is fired instead, at rate N and with one -3."""
    loaded, _ = loads(a_tank("g1", "C3", card), how, 7, edition=edition)
    assert (loaded.how, loaded.rate, loaded.short) == ("ap", "N", 1)
    assert_rule(loaded.findings, "5.16", result="ap", inputs={"declared": how})
    assert_rule(loaded.findings, "5.16.2", dice=(7,), inputs={"limit": limit, "ammunition": "A"}, result="short")
    assert_rule(loaded.findings, "5.16.2.2", result="ap")
    assert_rule(loaded.findings, "5.16.2.1", inputs={"rate": "N"}, result=1)


@pytest.mark.rule("5.16.2")
def test_5_16_2_at_the_limit_there_is_enough():
    loaded, _ = loads(a_tank("g1", "C3", "pzjgr1"), "ap:APCR", 4)
    assert (loaded.how, loaded.short) == ("ap:APCR", 0)
    assert_rule(loaded.findings, "5.16.2", result="enough")


def test_5_16_2_1_basic_ammunition_of_vehicles_is_always_checked_for_ap_and_gp():
    assert loads(a_tank("s1", "C3", "su152"), "ap", 6)[0].short == 1
    assert loads(a_tank("s1", "C3", "su152"), "gp", 6)[0].short == 1
    assert loads(a_tank("s1", "C3", "su152"), "gp", 5)[0].short == 0
    assert loads(a_tank("g1", "C3", "pz3j"), "ap")[0].findings == ()  # it has no basic limit


@pytest.mark.rule("5.16.2.2", effect=True)
@pytest.mark.rule("5.16.2.1")
def test_5_16_2_2_special_and_basic_ammunition_short_count_twice():
    """Out of supply, the limits of special and basic ammunition both apply, which makes -6."""
    loaded, _ = loads(a_gun("g1", "C3", "pak40"), "ap:APCR", 5, 7)
    assert (loaded.how, loaded.short) == ("ap", 2)
    assert_rule(loaded.findings, "5.16.2.1", result=2)


def test_5_16_2_1_a_weapon_with_hollow_charges_alone_keeps_to_them():
    """L1578: for a weapon without an AP row, the basic procedure uses the limit of its HEAT."""
    loaded, _ = loads(a_gun("g1", "C3", "leig18"), "ap:HEAT", 4)
    assert (loaded.how, loaded.rate, loaded.short) == ("ap:HEAT", "N", 1)


def test_5_16_without_the_rule_nothing_is_rolled():
    rules = tuple(rule for rule in ADVANCED_RULES if rule != "ammo_limits")
    loaded, table = loads(a_tank("g1", "C3", "pzjgr1"), "ap:APCR", scenario={"rules": rules})
    assert loaded.how == "ap:APCR"
    assert check_smoke(table, "g1", {"S": 1}) == (True, [])


@both_editions("5.16.2.3")
def test_5_16_2_3_under_its_limit_no_smoke_is_fired(edition):
    table = an_advanced_table(dice=[5, 4], edition=edition)
    there, found = check_smoke(table, "g1", {"S": 4})
    assert not there
    assert_rule(found, "5.16.2.3", result=False)
    assert check_smoke(table, "g1", {"S": 4})[0]
    assert check_smoke(table, "g1", {}) == (True, [])


# --- 5.16.2.4 supply -------------------------------------------------------------------------------------------


@both_editions("5.16.2.4")
def test_5_16_2_4_a_gun_near_its_transport_has_basic_ammunition(edition):
    """L1590-1600: the gun must be within 1 hex of its own transport, which must not be lost or abandoned (A-46)."""

    def supplied(truck_at: str, **truck: Any) -> Any:
        gun = a_gun("g1", "C3", "pak40", transport="g2")
        state = an_advanced_state(gun, a_tank("g2", truck_at, "sdkfz10", **truck), a_tank("g3", "C3", "opel"))
        return supply(Situation(advanced_data(edition=edition), state), gun)

    assert_rule(supplied("C4"), "5.16.2.4", result=True)
    assert not supplied("C5").result
    assert not supplied("C4", status="eliminated").result
    assert not supplied("C4", bailed_out=True).result


def test_5_16_2_4_the_hex_where_it_began_is_its_dump_and_special_limits_always_hold():
    gun = a_gun("g1", "C3", "pak40")
    gun.dump = gun.hex
    assert loads(gun, "gp")[0].short == 0
    assert loads(gun, "ap:APCR", 5)[0].short == 1  # and no roll for basic ammunition
    moved = a_gun("g1", "C4", "pak40", dump=gun.hex)
    assert loads(moved, "gp", 7)[0].short == 1


def test_5_16_2_4_small_arms_have_no_limit():
    assert loads(a_leg("g1", "C3", "german_rifle_squad"), "gp")[0].findings == ()


# --- 5.16.2.7 tungsten -----------------------------------------------------------------------------------------


@pytest.mark.rule("5.16.2.7", editions=("2016",))
def test_5_16_2_7_a_tungsten_shortage_adds_to_the_die_for_german_apcr():
    """The tungsten shortage applies from late 1943, if the players agree to it."""

    def short(date: str, switch: bool, roll: int, unit: Any) -> Any:
        table = an_advanced_table(unit, dice=[roll], edition="2016", scenario={"date": date})
        charts = with_switches(table.data.charts, {"tungsten_shortage": switch})
        object.__setattr__(table.data, "charts", charts)
        return check_ammo(table, unit, weapons_of(table.data, unit)[0], "ap:APCR")

    german = a_tank("g1", "C3", "pz4h")
    assert_rule(short("1944-03", True, 3, german).findings, "5.16.2.7", result=1)
    assert short("1944-03", True, 3, german).short == 1
    assert short("1944-03", False, 3, german).short == 0
    assert short("1943-07", True, 3, german).short == 0
    assert short("1944-03", True, 5, a_tank("s1", "C3", "t70")).short == 0


@pytest.mark.rule("5.16.2.7", editions=("2016",))
def test_5_16_2_7_a_scenario_says_how_scarce_tungsten_is():
    """A20: scarcity is +1 or +2 on the die, or no APCR at all; the switch without a value means +1."""
    tank = a_tank("g1", "C3", "pz4h")

    def at(agreed: str, roll: int) -> tuple[Any, Any]:
        scenario = {"date": "1944-03", "conditions": Conditions(tungsten=agreed)}
        table = an_advanced_table(tank, dice=[roll], edition="2016", scenario=scenario)
        arm = weapons_of(table.data, tank)[0]
        return list(ammo_objections(table.data, tank, arm, "ap:APCR")), check_ammo(table, tank, arm, "ap:APCR")

    limit = weapons_of(advanced_data(edition="2016"), tank)[0].limits["A"]
    for agreed, added in (("off", 0), ("+1", 1), ("+2", 2)):
        objections, loaded = at(agreed, limit - added)
        assert (objections, loaded.short) == ([], 0)
        assert at(agreed, limit - added + 1)[1].short == 1
    assert_rule(at("+2", 1)[1].findings, "5.16.2.7", result=2)
    assert_rule(at("banned", 1)[0], "5.16.2.7")

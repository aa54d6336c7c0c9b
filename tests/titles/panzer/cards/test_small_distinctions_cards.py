"""1.2 - 5.16 Fine distinctions of maps, overlays, cards and ammunition that a faulty rule would miss."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from titles.panzer.advanced.builders import a_gun, a_tank, advanced_data, an_advanced_table
from titles.panzer.air.flights import an_aircraft
from titles.panzer.builders import a_board, a_hex
from titles.panzer.cards.test_overlays import placed

from pbem.titles.data_files import DataError
from pbem.titles.panzer.air.air_attacks import attacks_left
from pbem.titles.panzer.artillery.observers import _direct_reach
from pbem.titles.panzer.cards.advanced_cards import _battery_fire, advanced_cards
from pbem.titles.panzer.cards.advanced_charts import advanced_charts
from pbem.titles.panzer.cards.ammunition import check_ammo
from pbem.titles.panzer.cards.basic_rows import EDITIONS
from pbem.titles.panzer.cards.board import sides_of_chain
from pbem.titles.panzer.cards.card_rows import ColumnRow
from pbem.titles.panzer.cards.cards import RowCell, _gun_mistakes
from pbem.titles.panzer.cards.charts import charts
from pbem.titles.panzer.cards.overlays import Overlay, lay
from pbem.titles.panzer.cards.weapons import _is_small, weapons_of
from pbem.titles.panzer.state import Command

CHARTS = charts("2024")
both = pytest.mark.parametrize("edition", EDITIONS)


# --- maps and overlays --------------------------------------------------------------------------------------------


@pytest.mark.rule("1.2", effect=True)
def test_1_2_a_chain_may_begin_or_end_off_the_map():
    hexes = a_board(columns=5, rows=6).level_map
    out, into = sides_of_chain("B3-A3-off5", hexes), sides_of_chain("off5-A3-B3", hexes)
    assert out == into[::-1] and len(out) == 2


@pytest.mark.rule("4.1.4.1.4", effect=True)
@pytest.mark.parametrize(("drawn", "lacking"), [("...\n...", "levels"), ("...\n...\n...\n...", "terrain")])
def test_4_1_4_1_4_the_drawing_that_lacks_a_hex_is_named(drawn: str, lacking: str):
    with pytest.raises(DataError) as caught:
        a_board(columns=3, rows=3, levels=drawn)
    assert {str(one).partition(", ")[0].rpartition(" ")[2] for one in caught.value.mistakes} == {lacking}


@pytest.mark.rule("1.3", effect=True)
def test_1_3_a_gully_on_an_overlay_lies_one_level_below_it_and_a_bridge_does_not():
    gully = next(name for name, row in sorted(CHARTS.terrains.items()) if row.sunken)
    sunken = Overlay(terrain={"id": (gully,), "1": (gully, "bridge")}, levels={"id": 1, "1": 1})
    board = lay(a_board(columns=9, rows=9), CHARTS, sunken, placed("E5(1)"))
    assert [board.ground(a_hex(hex)) for hex in ("E5", "E4", "E6")] == [0, 1, 0]


@pytest.mark.rule("4.1.4.1.5", effect=True)
def test_4_1_4_1_5_flat_ground_on_an_overlay_has_no_edges():
    board = lay(a_board(columns=9, rows=9), CHARTS, Overlay(terrain={"id": ("clear",)}), placed("E5(1)"))
    assert not board.feature_map


# --- cards --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1.5", effect=True)
def test_1_5_ranges_may_begin_at_one_hex():
    gun = next(gun for gun in advanced_cards("2024").guns.values() if gun.ranges and gun.penetration)
    assert gun.ranges is not None

    def mistakes(*ranges: int) -> list[Any]:
        return list(_gun_mistakes([replace(gun, ranges=replace(gun.ranges, value=ranges))]))  # type: ignore[type-var]

    assert not mistakes(1, 2, 3, 4, 5)
    assert len(mistakes(0, 2, 3, 4, 5)) == len(mistakes(1, 2, 2, 4, 5)) == 1


@pytest.mark.rule("5.2", effect=True)
@both
def test_5_2_a_towed_gun_is_the_first_and_only_weapon_and_has_no_turret(edition: Any):
    book, data = advanced_cards(edition), advanced_data(edition=edition)
    for card in book.towed:
        [arm] = weapons_of(data, a_gun("g1", "C3", card))
        assert (arm.index, arm.weapon.turret, arm.weapon.field) == (0, 0, "front"), card


@pytest.mark.rule("5.7", effect=True)
@both
def test_5_7_small_arms_are_a_matter_of_the_card_or_of_the_gp_row(edition: Any):
    guns = advanced_cards(edition).guns.values()
    assert any(gun.gp is None for gun in guns), "a gun without a GP row is asked too"
    assert all(_is_small(gun) == (gun.small_arms or (gun.gp is not None and gun.gp.small_arms)) for gun in guns)


@pytest.mark.rule("5.3", effect=True)
@both
def test_5_3_the_factor_of_a_battery_stays_within_the_table(edition: Any):
    row = next(iter(advanced_cards(edition).batteries.values())).row
    columns = ColumnRow(
        edition=edition, ranges=RowCell((1, 2, 3, 4, 5), "test"), steps=RowCell((1, 0, -1, -20, 0), "test")
    )
    fire = _battery_fire(replace(row, factor=replace(row.factor, value=15)), columns)
    assert fire.factors.value == (15, 15, 14, 1, 15)


@pytest.mark.rule("6.2.1.1.1", effect=True)
@both
def test_6_2_1_1_1_ten_units_use_the_last_column_alone(edition: Any):
    table = advanced_charts(edition)
    for grade, row in table.commands.items():
        found = [table.available_commands(grade, active) for active in (10, 11, 20)]
        assert found == [row[9], row[9] + row[0], 2 * row[9]]


# --- 5.16 ammunition ----------------------------------------------------------------------------------------------


@pytest.mark.rule("5.16.2.2", effect=True)
@both
@pytest.mark.parametrize(("die", "how", "short"), [(4, "ap:APCR", 0), (5, "ap", 1)])
def test_5_16_2_2_enough_special_ammunition_is_fired_without_a_reduction(
    edition: Any, die: int, how: str, short: int
):
    """The PaK 38 has the limit A4, and a roll within the limit brings no reduction."""
    table = an_advanced_table(a_gun("g1", "C3", "pak38"), dice=[die], edition=edition)
    unit = table.state.vehicles["g1"]
    [arm] = weapons_of(table.data, unit)
    loaded = check_ammo(table, unit, arm, "ap:APCR")
    assert (loaded.how, loaded.short) == (how, short) and (loaded.rate == arm.rate) is (not short)


@pytest.mark.rule("5.16.2.6", effect=True)
@both
def test_5_16_2_6_a_fresh_aircraft_has_all_its_attacks_and_none_of_what_it_does_not_carry(edition: Any):
    data = advanced_data(edition=edition)
    for card, row in data.book.aircraft.items():
        aircraft = an_aircraft(card)
        for name in ("strafing", "bombs", "rockets"):
            weapon = getattr(row, name)
            assert attacks_left(data, aircraft, name) == (weapon.attacks.value if weapon else 0), (card, name)


@pytest.mark.rule("5.6", effect=True)
@both
def test_5_6_whoever_has_no_weapon_for_indirect_fire_has_nothing_to_fire_directly_instead(edition: Any):
    data = advanced_data(edition=edition)
    tank = a_tank("g1", "C3", "pz4h", command=Command.FIRE)
    assert _direct_reach(data, tank) == (1, 0)
    carrier = next(id for id, row in sorted(data.book.vehicles.items()) if any(m.gun.indirect for m in row.mounts))
    least, most = _direct_reach(data, a_tank("g2", "C3", carrier))
    guns = [mount.gun.gp for mount in data.book.vehicles[carrier].mounts if mount.gun.indirect]
    assert (least, most) == (guns[0].minimum.value, guns[0].ranges.value[-1])  # type: ignore[union-attr]

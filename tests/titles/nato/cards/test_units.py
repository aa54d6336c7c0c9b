"""3.0 The counter mix has every value that the rulebook mentions."""

from collections import Counter

import pytest

from pbem.titles.data_files import DataError
from pbem.titles.nato.cards.files import packaged
from pbem.titles.nato.cards.units import UNIT_FILE, YEARS, Nation, Size, Symbol, UnitType, read_units, roster
from pbem.titles.nato.map.ground import Country, Side


@pytest.fixture(scope="module")
def units() -> dict[str, UnitType]:
    return roster(1983)


PRINTED = {
    "16GT": "10-6-6",
    "21": "8-6-5",
    "94G": "8-6-5",
    "E8": "6-5-5",
    "97": "2-2-4",
    "108": "2-2-4",
    "119": "2-2-4",
    "34N": "1-1-5",
    "WG-63": "1-1-5",
    "1/1PZ": "3-3-6",
    "3/1PZ": "5-3-6",
    "7/1A": "4-3-5",
    "NEGF": "6-1-4",
    "BR-I": "3-1-4",
    "Gr20": "0-1-4",
    "CPS1": "0-1-4",
    "3ACR": "5-4-5",
    "1DB": "6-5-5",
}


@pytest.mark.parametrize("id", PRINTED)
def test_3_2_printed_values(units: dict[str, UnitType], id: str) -> None:
    assert str(units[id].full) == PRINTED[id]


def test_3_4_2_published_support_ranges(units: dict[str, UnitType]) -> None:
    """L1627, L1628: the support ranges agree with the examples."""
    assert (units["BR-I"].support_range, units["NEGF"].support_range, units["16GT"].support_range) == (3, 6, 0)


def test_3_2_10_steps(units: dict[str, UnitType]) -> None:
    for unit in units.values():
        two = unit.reduced is not None
        if unit.hq or unit.artillery:
            assert unit.steps == 1
        elif unit.side is Side.WP:
            assert two == (unit.size is Size.DIVISION), unit.id
        elif two:
            assert unit.symbol in (Symbol.ARMOR, Symbol.CAVALRY) and unit.nation in (Nation.FR, Nation.US), unit.id
    assert units["3ACR"].steps == units["1DB"].steps == 2
    assert units["16GT"].strength(1) == units["16GT"].reduced and units["16GT"].strength(2) == units["16GT"].full


def test_3_2_10_4_a_reduced_side_is_never_stronger(units: dict[str, UnitType]) -> None:
    for unit in units.values():
        if unit.reduced is not None:
            assert unit.reduced.attack < unit.full.attack and unit.reduced.defense < unit.full.defense
            assert unit.reduced.move == unit.full.move


def test_3_3_1_only_the_warsaw_pact_has_artillery_with_one_point_each(units: dict[str, UnitType]) -> None:
    guns = [unit for unit in units.values() if unit.artillery]
    assert len(guns) == 7 and {unit.side for unit in guns} == {Side.WP}
    assert {(unit.full.attack, unit.full.defense) for unit in guns} == {(1, 1)}


def test_3_5_hard_and_soft(units: dict[str, UnitType]) -> None:
    assert units["16GT"].armor and units["16GT"].hard and not units["16GT"].soft
    assert units["21"].mechanized and units["21"].hard and not units["21"].armor
    assert units["WG-63"].soft and units["27LL"].soft
    assert units["97"].hard and units["97"].airborne and units["97"].a_unit
    assert not units["NEGF"].maneuver and not units["34N"].maneuver and not units["34N"].soft
    for unit in units.values():
        assert unit.hard + unit.soft + unit.hq + unit.artillery == 1


def test_3_2_8_airborne_airmobile_and_marine_units(units: dict[str, UnitType]) -> None:
    assert units["37"].airmobile and not units["37"].airborne
    assert units["BC"].marine and units["BC"].hq and not units["138T"].marine
    assert units["336G"].marine and units["P7"].marine


@pytest.mark.rule("3.2.6.1", effect=True)
def test_3_2_6_1_independent_units_have_no_front(units: dict[str, UnitType]) -> None:
    own = {unit.id for unit in units.values() if unit.independent}
    assert {"97", "108", "119", "104", "234", "237", "38G", "Gr20", "CPS3"} <= own
    assert not any(units[id].side is Side.NATO for id in own)
    assert units["Gr20"].home_bound and units["Gr20"].home is Country.EG and not units["Gr20"].territorial


def test_3_2_6_a_front_has_its_headquarters_and_8_to_16_divisions(units: dict[str, UnitType]) -> None:
    divisions = Counter(unit.formation for unit in units.values() if unit.size is Size.DIVISION and unit.maneuver)
    assert {front: divisions[front] for front in ("NEGF", "SEGF", "CZF", "POF")} == {
        "NEGF": 15,
        "SEGF": 15,
        "CZF": 20,
        "POF": 17,
    }


def test_3_2_6_2_the_baltic_corps(units: dict[str, UnitType]) -> None:
    assert {unit.id for unit in units.values() if unit.formation == "BC"} == {"BC", "138T", "336G", "P7"}
    assert {unit.id for unit in units.values() if unit.baltic} == {"138T", "336G", "P7", "37"}


def test_3_10_counter_errata() -> None:
    units, later = roster(1983), roster(1988)
    assert {unit.formation for unit in units.values() if unit.id in ("193T", "28T", "6GT", "3GT")} == {"BEF"}
    assert {units[id].size for id in ("97", "108", "119", "104", "234", "237")} == {Size.REGIMENT}
    assert "P10T" in units and "P10" not in units
    assert "US-2/9" in units and "US-2/9" not in later


def test_3_7_pools_of_the_years() -> None:
    units, later = roster(1983), roster(1988)
    assert "83" not in units and later["83"].airmobile and later["83"].formation == "NEGF"
    assert (units["6G"].formation, later["6G"].formation) == ("NEGF", "POF")
    assert (units["90GT"].formation, later["90GT"].formation) == ("POF", "NEGF")
    assert (str(units["22/1A"].full), str(later["22/1A"].full)) == ("3-3-5", "4-4-5")
    assert later["24/2"].airmobile and not units["24/2"].airmobile


YEARLY = {
    "2ACR": ("5-4-5", "6-4-5"),
    "1/3A": ("4-4-5", "6-4-5"),
    "US-2/3": ("3-3-5", "5-3-5"),
    "US-3/8": ("3-3-5", "4-3-5"),
    "14/5PZ": ("4-3-6", "5-3-6"),
    "NL-51/5": ("3-3-5", "4-3-5"),
    "1/11P": ("1-2-5", "2-2-5"),
    "16GT": ("10-6-6", "10-6-6"),
}


@pytest.mark.parametrize("id", YEARLY)
def test_3_7_strengths_of_1983_and_1988(id: str) -> None:
    assert (str(roster(1983)[id].full), str(roster(1988)[id].full)) == YEARLY[id]


def test_3_7_the_french_rapid_action_force_exists_only_in_1988() -> None:
    assert "FAR" not in roster(1983)
    force = {unit.id for unit in roster(1988).values() if unit.formation == "FAR"}
    assert force == {"FAR", "2DB", "10DB", "FR-8/3", "1/11P", "2/11P", "1/27Alp", "2/27Alp", "6DLB", "9Mar"}
    assert "4DB" not in roster(1988) and "FR-107BZ" not in roster(1983)


def test_3_9_1_1_canadian_units_are_us_units() -> None:
    canadians = [unit for unit in roster(1988).values() if unit.canadian]
    assert [unit.id for unit in canadians] == ["4CMBG", "5CMBG"]
    assert {unit.nation for unit in canadians} == {Nation.US}


def test_10_1_5_home_countries(units: dict[str, UnitType]) -> None:
    assert units["NL-11/1"].home is Country.NL and units["P12"].home is Country.PL
    assert units["16GT"].home is None and units["11ACR"].home is None and units["7/1A"].home is None


def test_31_0_the_garrison_of_west_berlin(units: dict[str, UnitType]) -> None:
    assert [unit.nation for unit in units.values() if unit.berlin] == [Nation.US, Nation.UK, Nation.FR]


@pytest.mark.parametrize("year", YEARS)
def test_3_0_every_unit_has_a_name_and_an_origin(year: int) -> None:
    titles = Counter(unit.title for unit in roster(year).values())
    assert [title for title, times in titles.items() if times > 1] == []
    for unit in roster(year).values():
        assert unit.origin in ("public", "house") or unit.origin.startswith("rulebook ")
        assert 1 <= unit.full.move <= 6 and unit.full.defense >= 1


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("16GT,16GT,", "12GT,16GT,", "two units of 1983 have this id"),
        (",armor,division,10,6,6", ",armour,division,10,6,6", "cannot be read"),
        (",10,6,6,5-4-6,", ",ten,6,6,5-4-6,", "cannot be read"),
        ("Division,SU,NEGF,2GT", "Division,SU,NEGFX,2GT", "is not an HQ of its side"),
        (",common,territorial,", ",common,territoriel,", "is none of territorial"),
    ],
)
def test_3_0_a_mistake_in_the_unit_file_is_named(old: str, new: str, said: str) -> None:
    text = packaged(UNIT_FILE).decode()
    assert old in text
    with pytest.raises(DataError, match=said):
        read_units(text.replace(old, new, 1).encode(), 1983)

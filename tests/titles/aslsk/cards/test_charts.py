"""3.2.4, 7.9 The ordnance charts are compared with every value that the rulebook quotes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.titles.aslsk.cards.charts import CHART_FILES, charts, read_charts
from pbem.titles.aslsk.cards.deck import deck
from pbem.titles.aslsk.cards.files import packaged
from pbem.titles.data_files import DataError

CHARTS = charts()


@pytest.mark.parametrize(
    ("target", "red", "range_", "number"),
    [
        ("infantry", False, 2, 9),
        ("infantry", False, 4, 8),
        ("infantry", False, 3, 8),
        ("infantry", True, 7, 6),
        ("infantry", False, 0, 8),
        ("infantry", True, 1, 10),
        ("area", True, 2, 7),
        ("area", True, 3, 7),
        ("vehicle", True, 3, 10),
        ("vehicle", False, 1, 12),
    ],
)
def test_3_2_4_to_hit_numbers_of_the_worked_examples(target, red, range_, number):
    assert CHARTS.to_hit(target, red, range_) == number


def test_3_2_4_motion_takes_point_blank_away():
    assert CHARTS.to_hit("vehicle", False, 1, point_blank=False) == 10
    assert CHARTS.to_hit("infantry", False, 2, point_blank=False) == 8


@pytest.mark.parametrize(("number", "critical"), [(9, 4), (8, 3), (6, 2)])
def test_6_1_critical_hit_numbers_are_below_half_the_to_hit_number(number, critical):
    assert CHARTS.critical(number) == critical


@given(st.sampled_from(["infantry", "vehicle"]), st.booleans(), st.integers(1, 80))
def test_3_2_4_to_hit_never_grows_with_range_and_red_is_never_better(target, red, range_):
    assert CHARTS.to_hit(target, red, range_) >= CHARTS.to_hit(target, red, range_ + 1)
    assert CHARTS.to_hit(target, True, range_) <= CHARTS.to_hit(target, False, range_)


def test_3_2_4_changes_by_gun_and_ammunition():
    assert CHARTS.gun_change(75, "L", "AP", 13) == 1 and CHARTS.gun_change(75, "LL", "AP", 25) == 2
    assert CHARTS.gun_change(37, "L", "AP", 13) == -1  # long barrel, small calibre, very small calibre
    assert CHARTS.gun_change(75, "*", "s", 6) == 2
    assert CHARTS.gun_change(88, "L", "A", 20) == 0


@pytest.mark.parametrize(
    ("shell", "calibre", "length", "nation", "number"),
    [
        ("AP", 76, "L", "russian", 12),
        ("AP", 76, "L", "american", 17),
        ("H", 75, "*", "german", 13),
        ("HE", 75, "*", "german", 7),
        ("AP", 88, "LL", "german", 27),
        ("A", 76, "L", "american", 22),
        ("D", 57, "L", "british", 18),
        ("A", 75, "LL", "german", None),
    ],
)
def test_7_9_basic_to_kill_numbers(shell, calibre, length, nation, number):
    assert CHARTS.basic_kill(shell, calibre, length, nation) == number


def test_7_9_machine_guns_and_anti_tank_rifles_have_rows_of_their_own():
    assert CHARTS.basic_kill("AP", 0, "", "german", "MG") == 4
    assert CHARTS.basic_kill("AP", 0, "", "german", "ATR") == 5
    assert CHARTS.basic_kill("AP", 0, "", "russian", "ATR") == 6


def test_7_9_range_changes():
    assert [CHARTS.kill_range_change("AP", 76, range_) for range_ in (1, 3, 19, 78, 79)] == [1, 0, -1, -5, None]
    assert [CHARTS.kill_range_change("AP", 20, range_) for range_ in (0, 3, 7, 49)] == [2, 1, 0, None]
    assert CHARTS.kill_range_change("A", 50, 31) is None and CHARTS.kill_range_change("H", 75, 40) == 0


def test_7_9_every_gun_and_vehicle_has_a_number_for_the_ammunition_it_carries():
    for card in (*deck().guns.values(), *deck().vehicles.values()):
        shells = {supply.kind for supply in card.supplies} - {"s", "WP"}
        shells |= {"AP"} if card.ap else set()
        shells |= {"HE"} if card.he else set()
        for shell in sorted(shells) if card.calibre else []:
            assert CHARTS.basic_kill(shell, card.calibre, card.length, card.nation) is not None, (card.id, shell)


@pytest.mark.parametrize(
    ("calibre", "column"), [(50, 6), (75, 12), (80, 16), (88, 16), (100, 20), (105, 20), (15, 0), (240, 36)]
)
def test_3_2_4_he_equivalents(calibre, column):
    assert CHARTS.he_column(calibre) == column


def test_3_2_4_known_modifiers():
    assert (CHARTS.modifier("arc NT").first, CHARTS.modifier("arc NT").further) == (3, 1)
    assert CHARTS.modifier("intensive fire").case == 9
    assert (CHARTS.bog("woods for half of its MP"), CHARTS.manhandling("road hexside")) == (3, -2)
    assert [CHARTS.charge_position(roll) for roll in (2, 5, 6, 9, 12)] == [
        "optimal",
        "optimal",
        "normal",
        "crew",
        "none",
    ]
    assert CHARTS.charge("immobile") == -2


def test_3_2_4_a_row_of_the_wrong_length_is_refused():
    files = {file: packaged(file) for file in CHART_FILES}
    spoilt = files["to_hit.toml"].replace(b"numbers = [10, 9, 8, 7, 6, 6, 5, 4, 3, 2]", b"numbers = [10, 9]")

    with pytest.raises(DataError, match="2 numbers for 10 columns"):
        read_charts(files | {"to_hit.toml": spoilt})

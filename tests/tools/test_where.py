"""`pbem rules where` shows the code, the data, the ledger and the tests of a rule."""

from __future__ import annotations

from pbem.titles.registry import TITLES
from pbem.tools.where import citation_pattern, where


def test_a_rule_is_found_in_code_ledger_and_tests() -> None:
    [found] = where("6.5.2.3", sorted(TITLES))
    assert found.title == "panzer"
    assert any(row.startswith("6.5.2.3 (2024)") for row in found.rows)
    assert any("armour_of" in place.text for place in found.code)
    assert any("6_5_2_3" in place.text for place in found.tests)
    assert all(place.line > 0 for place in (*found.code, *found.data, *found.tests))


def test_a_number_is_not_found_inside_another() -> None:
    pattern = citation_pattern("6.5.2")
    assert pattern.search("6.5.2, 6.6") and pattern.search("(6.5.2)")
    assert not pattern.search("6.5.2.1") and not pattern.search("16.5.2") and not pattern.search("6.5.21")


def test_a_rule_that_no_title_has_is_found_nowhere() -> None:
    assert where("99.9.9", sorted(TITLES)) == []

"""A short soak: bots of every kind play both editions, and nothing goes wrong. `pbem soak` does it at length."""

from __future__ import annotations

from pbem.soaking import occurrence, soak
from pbem.titles.panzer.title import OPTIONS, Panzer

USUAL = {"commands", "initiative", "fire", "show", "overwatch", "move"}
"""What is asked in any few duels."""


def test_a_few_duels_between_bots_of_every_kind() -> None:
    result = soak(Panzer(), 6, 3, lambda text: None, scenarios=("duel",))
    assert result["matches"] == 6
    assert (result["failures"], result["flaws"], result["endless"]) == ([], [], [])
    assert result["played"].items() >= {"duel": 6, "2024": 3, "2016": 3}.items()
    assert {"reactions plan", "reactions ask", "steady", "reckless", "random"} <= set(result["played"])
    assert set(result["asks"]) >= USUAL and set(result["asks"]) | set(result["asks_missing"]) == set(OPTIONS)
    assert result["rules"]["share"] > 50 and result["rules"]["unexpected"] == []
    assert len(result["invariants"]) >= 5 and all(line[0].isdigit() for line in result["invariants"])


def test_rules_that_only_refuse_are_not_expected_in_findings() -> None:
    """The ledger says which they are; a finding that carries one of them would give it the lie."""
    counted = occurrence(Panzer(), set(), "basic")
    assert counted["share"] == 0 and len(counted["missing"]) == counted["wanted"]
    assert "2024 4.4.1/must-fire" not in counted["missing"] and "2024 4.4.1" in counted["missing"]
    assert occurrence(Panzer(), {("2024", "4.4.1/must-fire")}, "basic")["unexpected"] == ["2024 4.4.1/must-fire"]

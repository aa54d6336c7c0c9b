"""A short soak: bots of every kind play both editions without errors. `pbem soak` runs a long one."""

from __future__ import annotations

from typing import Any

import pytest
from titles.panzer.asking import OPTIONS

from pbem.engine.play.bots import Choice
from pbem.titles.panzer.rules_in_use import any_rules
from pbem.titles.panzer.title import Panzer
from pbem.tools.simulate import play
from pbem.tools.soak.matches import occurrence, sets, soak

ADVANCED = ("desert", "collision", "darkness", "delay")

USUAL = {"commands", "initiative", "fire", "show", "overwatch", "move"}
"""The asks that occur in any few duels."""


def test_a_few_duels_between_bots_of_every_kind() -> None:
    result = soak(Panzer(), 6, 3, lambda text: None, scenarios=("duel",))
    assert result["matches"] == 6
    assert (result["failures"], result["flaws"], result["endless"]) == ([], [], [])
    assert result["played"].items() >= {"duel": 6, "2024": 3, "2016": 3}.items()
    assert {"reactions plan", "reactions ask", "steady", "reckless", "random"} <= set(result["played"])
    assert set(result["asks"]) >= USUAL and set(result["asks"]) | set(result["asks_missing"]) == set(OPTIONS)
    assert list(result["rules"]) == ["basic"]
    assert result["rules"]["basic"]["share"] > 50 and result["rules"]["basic"]["unexpected"] == []
    assert len(result["invariants"]) >= 5 and all(line[0].isdigit() for line in result["invariants"])


def test_rules_that_only_refuse_are_not_expected_in_findings() -> None:
    """The ledger lists rules that only refuse orders; a finding that cites such a rule would contradict
    the ledger."""
    counted = occurrence(Panzer(), set(), "basic")
    assert counted["share"] == 0 and len(counted["missing"]) == counted["wanted"]
    assert "2024 4.4.1/must-fire" not in counted["missing"] and "2024 4.4.1" in counted["missing"]
    assert occurrence(Panzer(), {("2024", "4.4.1/must-fire")}, "basic")["unexpected"] == ["2024 4.4.1/must-fire"]


def test_an_optional_rule_that_one_book_has_borrowed_counts_for_the_other() -> None:
    """Only the 2016 book prints 7.12; the 2024 book names it and plays it as printed there."""
    counted = occurrence(Panzer(), {("2024", "7.12")}, "optional")
    assert counted["seen"] == 1 and "2016 7.12" not in counted["missing"]
    own = occurrence(Panzer(), {("2024", "6.5.1")}, "advanced")
    assert own["seen"] == 1 and "2016 6.5.1" in own["missing"], "what both books have each must show"


def test_the_advanced_game_has_its_share_of_the_matches_with_all_kinds_of_rules() -> None:
    given = list(sets(Panzer(), ("duel", *ADVANCED), 5, 24))
    advanced = [item for item in given if item.scenario in ADVANCED]
    assert len(advanced) == 12 and {item.scenario for item in advanced} == set(ADVANCED)
    assert {item.varied for item in advanced} == {True, False}
    added = [len(item.options["rules"]) for item in advanced]
    assert min(added) == 0 and max(added) > 40 and any(0 < number < 30 for number in added)
    assert all("rules" not in item.options for item in given if item not in advanced)


@pytest.mark.parametrize("seed", [3, 4])
def test_a_skirmish_of_the_advanced_game_is_played_to_its_end(seed: int) -> None:
    """Two nations fight at close quarters for a few turns, with random optional rules."""
    title = Panzer()
    choice = Choice("skirmish", seed)
    options: dict[str, Any] = {"edition": ("2024", "2016")[seed % 2]}
    options |= title.any_choice("desert", options, choice)
    played = play(title, "desert", seed, options=options, varied=True)
    assert played.ended and played.flaws == []
    assert set(played.asks) >= {"commands", "fire", "move", "adjust"}


def test_a_skirmish_has_no_mistake_whatever_the_rules() -> None:
    title = Panzer()
    for seed in range(2):
        choice = Choice("set-up", seed)
        blobs = title.freeze("collision", {"edition": "2016", "rules": any_rules("2016", choice)})
        units = title.rules(title.vary(blobs, choice)).data.scenario.units
        assert {unit.side for unit in units} == {"axis", "allied"} and len(units) > 16
        assert title.vary(blobs, Choice("x")) == title.vary(blobs, Choice("x"))
    basic = title.freeze("duel", {})
    assert title.vary(basic, Choice("x")) == basic

"""Balance provisions change the data of a scenario and nothing else."""

from __future__ import annotations

import pytest

from pbem.engine.rules.balance import Balance, Provision, apply_handicap, change, read_balances, wilson
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.title import Title
from pbem.titles.registry import TITLES

SCENARIO = b"""
text = "Two patrols meet."

[[objective]]
id = "well"
vp = {german = 6, british = 2}
"""
FILE = b"""
[duel]
matches = 40
won = {german = 18, british = 22}

[[duel.provision]]
side = "german"
words = "The well is worth 5 points to the Germans."
changes = {"objective.well.vp.german" = 5}
"""


def test_a_provision_changes_its_place_and_says_so_in_the_briefing() -> None:
    [provision] = read_balances(FILE)["duel"].of("german")
    changed = apply_handicap({"scenario": SCENARIO, "map": b"map"}, provision)
    text = changed["scenario"].decode()
    assert "german = 5" in text and "british = 2" in text
    assert "Handicap: The well is worth 5 points to the Germans." in text
    assert changed["map"] == b"map"


@pytest.mark.parametrize("path", ["objective.pump.vp", "objective.well.vp.us", "victory.levels", "objective.1.vp"])
def test_a_provision_cannot_name_a_place_that_is_not_there(path: str) -> None:
    document = {"text": "", "objective": [{"id": "well", "vp": {"german": 6, "british": 2}}]}
    with pytest.raises(Refusal, match="no entry at that path"):
        change(document, path.split("."), 1)


def every_provision() -> list[tuple[Title, str, Provision]]:
    return [
        (title, scenario, provision)
        for title in TITLES.values()
        for scenario in title.scenarios
        for provision in title.balance(scenario).provision
    ]


def test_every_packaged_provision_gives_a_scenario_that_can_be_played() -> None:
    """Each step of a packaged provision names a side of its scenario, and the changed scenario can be played."""
    found = every_provision()
    assert {title.name for title, _, _ in found} == {"panzer", "tanks", "aslsk", "nato"}
    for title, scenario, provision in found:
        whole = title.freeze(scenario, {})
        blobs = apply_handicap(whole, provision)
        rules = title.rules(blobs)
        assert provision.side in rules.sides.values(), (scenario, provision.words)
        assert rules.setup(tuple(title.switches)), (scenario, provision.words)


def test_a_handicap_is_a_side_and_a_step() -> None:
    title = TITLES["panzer"]
    assert b"vp" in title.freeze_with("duel", {}, "german 2")["scenario"]
    assert title.freeze_with("duel", {}) == title.freeze("duel", {})
    for wrong in ("german 9", "german", "martian 1", "german 0"):
        with pytest.raises(Refusal, match="no handicap with that name"):
            title.freeze_with("duel", {}, wrong)


def test_a_title_without_a_file_has_no_provisions() -> None:
    class Plain(Title):
        name = "plain"
        freeze = rules = None  # type: ignore[assignment]

    Plain.__module__ = "pbem.engine.rules"
    assert Plain().balance("any") == Balance()


def test_the_balance_in_words_names_the_favoured_side_only_beyond_doubt() -> None:
    even = Balance(200, {"german": 96, "british": 104})
    assert even.favours() == ""
    assert str(even.sentence()) == (
        "German scored 48% in 200 matches between equal bots (95% confidence interval 41 to 55%): "
        "no side is clearly favoured"
    )
    lopsided = Balance(40, {"axis": 36, "british": 3})
    assert lopsided.draws == 1 and lopsided.favours() == "axis"
    assert Balance(40, {"axis": 3, "british": 36}).favours() == "british"
    assert Balance(10, {"axis": 7, "british": 3}).favours() == "", "ten matches say little"


def test_an_interval_above_one_half_that_touches_the_even_range_is_called_probable():
    found = Balance(50, {"german": 34, "soviet": 16})
    assert found.favours() == "" and found.leans_to() == "german"
    assert str(found.sentence()).endswith("(95% confidence interval 54 to 80%): the scenario probably favours German")
    assert Balance(10, {"axis": 7, "british": 3}).leans_to() == "" and Balance().leans_to() == ""
    assert Balance().sentence() is None


def test_the_interval_is_wilsons() -> None:
    """For 8 of 10, Wilson's formula gives 0.490 to 0.943."""
    low, high = wilson(800, 10_000)
    assert (low, high) == (490, 944) or (low, high) == (490, 943)

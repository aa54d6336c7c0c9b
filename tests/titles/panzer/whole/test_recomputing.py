"""4.0-7.0 Results are recomputed from the numbers in their findings."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from pbem.engine.rules.findings import Finding
from pbem.titles.panzer.binding import PanzerRules
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.telling.recomputing import RECIPES, recipes_of
from pbem.titles.panzer.title import Panzer
from pbem.tools import simulate

TITLE = Panzer()


def played(scenario: str, seed: str, **options: object) -> tuple[PanzerRules, list[Finding]]:
    """Play one match of random bots and return all its findings."""
    rules = TITLE.rules(TITLE.freeze(scenario, options))
    match = simulate.Playing(rules, tuple(TITLE.switches), seed, simulate.as_the_rules_say)
    players = {seat: simulate.bots_of(rules)["random"](f"{seed}/{seat}") for seat in rules.seats}
    found: list[Finding] = []
    count = match.count

    def keep(resolution: simulate.Resolution, marks: object) -> None:
        found.extend(resolution.findings)
        count(resolution, [])

    match.count = keep  # type: ignore[method-assign]
    match.go_on({})
    while not match.run.over and match.exchange < 120:
        match.go_on(match.answered(players))
    assert isinstance(rules, PanzerRules)
    return rules, found


def every(findings: list[Finding] | tuple[Finding, ...]) -> Iterator[Finding]:
    for finding in findings:
        yield finding
        yield from every(finding.children)


@pytest.mark.parametrize(("scenario", "edition"), [("duel", "2016"), ("desert", "2024")])
def test_a_match_by_chance_explains_every_result_and_a_changed_number_is_found(scenario: str, edition: str) -> None:
    rules, findings = played(scenario, f"explained/{scenario}", edition=edition)
    assert list(rules.find_unexplained(findings)) == []
    rolled = [finding for finding in every(findings) if finding.dice or finding.modifiers]
    assert len(rolled) > 20
    for finding in rolled:
        if isinstance(finding.result, int) and finding.modifiers and not finding.dice:
            other = msgspec.structs.replace(finding, result=finding.result + 1)
            assert list(rules.find_unexplained([other])), finding


def test_every_recipe_is_found_under_the_number_of_either_edition() -> None:
    for edition in ("2024", "2016"):
        recipes = recipes_of(edition)
        assert {ledger_row(edition, rule) for rule in RECIPES} <= set(recipes)


CHANGED: list[tuple[Finding, str]] = [
    (
        Finding(
            "4.4.3.2.3",
            inputs={"factor": "M", "net": 0, "hit_number": 50},
            cell=["M", 0],
            dice=(51,),
            result="hit",
        ),
        "miss",
    ),
    (Finding("4.4.3.2.5", inputs={"penetration": 7, "armour": 8}, result=True), "False"),
    (Finding("6.5.2.2.4", inputs={"unit": "g1", "part": "hull", "turret_upto": 5}, dice=(5,)), "turret"),
    (Finding("6.5.2.5/ko", inputs={"brews_up_to": 4}, dice=(4,), result="ko"), "bu"),
    (
        Finding(
            "6.5.2.6.1", inputs={"test": "bail-out", "number": 30, "total": 30}, dice=(30,), result="stays"
        ),
        "bails-out",
    ),
    (Finding("5.16.2", inputs={"limit": 4, "added": 2}, dice=(3,), result="enough"), "short"),
    (Finding("5.16.2.3", inputs={"limit": 4}, dice=(5,), result="available"), "limited"),
    (Finding("6.8.3", inputs={}, cell=["seasoned", 60], dice=(61,), result="recovered"), "still-suppressed"),
    (Finding("7.1.6.2", inputs={"total": 61}, cell=["seasoned", 60], dice=(61,), result="recovered"), "still-broken"),
    (Finding("7.29", inputs={"total": 20}, cell=20, dice=(20,), result="firm"), "bogged"),
    (Finding("6.6.3", inputs={"total": 31, "added": 30}, cell=[40, 50], dice=(1, 50), result="damaged"), "track"),
    (Finding("7.1.4", inputs={"net": 0, "total": 50}, cell=["british", 50, 70], dice=(50,), result="none"), "broken"),
    (Finding("7.7.1", inputs={"chance": 50}, cell=["seasoned", 50], dice=(51,), result=True), "False"),
    (Finding("7.9", inputs={"limit": 6}, dice=(7,), result="smoke"), "no-smoke"),
    (Finding("7.17", inputs={"modifier": -2, "upto": 5}, dice=(7,), result="kept"), "lost"),
    (Finding("7.22.2", inputs={"limit": 6}, dice=(7,), result=True), "False"),
    (Finding("7.23.4", inputs={"dry_upto": 2, "burns_upto": 4}, dice=(3,), result="track"), "bu"),
    (Finding("7.24", inputs={"range": 3}, dice=(4,), result="found"), "overlooked"),
    (Finding("7.25", inputs={"die": 99, "malfunctions_on": 100}, result="malfunction"), "100"),
    (Finding("7.25/repair", inputs={"total": 3}, cell=[3, 8], dice=(3,), result="malfunction"), "repaired"),
    (
        Finding("7.31.2.2", inputs={"total": 31, "quickmarch": 0}, cell=["hasty", 30], dice=(31,), result="reduced"),
        "none",
    ),
    (Finding("7.28.2", inputs={"limit": 20, "net": 0}, dice=(21,), result="located"), "missed"),
    (Finding("7.28.2", inputs={"upto": 50}, dice=(51,), result="recovered"), "still-suppressed"),
]  # fmt: skip


@pytest.mark.parametrize(("finding", "gives"), CHANGED, ids=[f"{finding.rule}-{gives}" for finding, gives in CHANGED])
def test_a_result_that_its_numbers_do_not_give_is_named(finding: Finding, gives: str) -> None:
    rules = TITLE.rules(TITLE.freeze("desert", {"edition": "2024"}))
    [flaw] = rules.find_unexplained([finding])
    assert flaw.partition(":")[0].endswith(f"but its numbers give {gives!r}") or flaw.partition(":")[0].endswith(
        f"but its numbers give {gives}"
    )

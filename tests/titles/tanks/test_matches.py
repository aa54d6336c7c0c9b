"""Whole matches between bots end, violate no invariant, seldom make a player wait, and replay to the same bytes."""

from __future__ import annotations

import csv
import hashlib
import re
from collections import Counter
from importlib import resources
from pathlib import Path
from statistics import median

import pytest

from pbem.engine.play.bots import random_bot
from pbem.engine.play.dice import Dice
from pbem.engine.play.resolve import Mind, always_asked, by_minds, by_record, resolve
from pbem.engine.play.run import Run
from pbem.engine.rules.findings import PUBLIC, seen_by
from pbem.engine.rules.state import to_bytes
from pbem.titles.tanks.bots.players import reckless_bot, steady_bot
from pbem.titles.tanks.title import Tanks

SCENARIOS = Tanks().scenarios


def dice(seed: object, exchange: int) -> Dice:
    rungs = [hashlib.sha256(f"{seed}/{exchange}/{what}".encode()).digest() for what in ("open", "secret")]
    return Dice(rungs[0], rungs[1], f"{seed}/{exchange}")


def played_by(scenario: str, seed: object, make=reckless_bot, **more):
    """Play a match in memory; return (answers, resolution) for each exchange, and the run at the end."""
    title = Tanks()
    rules = title.rules(title.freeze(scenario, more))
    run, log, given, waits = Run(rules, rules.setup(())), [], {}, Counter()
    bots = {seat: make(f"{seed}/{seat}") for seat in rules.seats}
    while not run.over:
        answers = {seat: submission.answer for seat, submission in given.items()}
        found = resolve(run, answers, dice(seed, len(log)), by_minds({}))
        log.append((answers, found))
        assert list(rules.flaws(run.state)) == []
        waits[run.state.turn] += not run.over
        given = {ask.seat: bots[ask.seat](rules, run.view(ask.seat), ask) for ask in run.asks}
        for ask in run.asks:
            rules.check(run.view(ask.seat), ask, given[ask.seat].answer)
        assert len(log) < 200
    return rules, run, log, waits


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_T8_2_a_match_of_bots_ends_without_flaws_and_with_few_waits(scenario):
    _, run, _, waits = played_by(scenario, "match", steady_bot)
    assert run.state.outcome.rule == "T8.2"
    assert median(count for turn, count in waits.items() if turn) <= 3


@pytest.mark.parametrize("scenario, seed", [("village", 1), ("open-battle", 2), ("bridgehead", 3)])
def test_any_legal_play_breaks_nothing_and_replays_to_the_same_bytes(scenario, seed):
    rules, run, log, _ = played_by(scenario, seed)
    again = Run(rules, rules.setup(()))
    for number, (answers, found) in enumerate(log):
        resolve(again, answers, dice(seed, number), by_record(found.autos))
    assert to_bytes(again.state) == to_bytes(run.state)


def test_every_finding_can_be_told():
    rules, _, log, _ = played_by("open-battle", 4)
    for _, found in log:
        for finding in found.findings:
            for line in rules.tell_tree(finding):
                assert re.match(r"\s*(T\d\.\d+ )?\S.*\.$", line), line
        assert all(not finding.to for finding in seen_by(found.findings, PUBLIC))


def test_defaults_and_options_of_every_ask_are_legal():
    """In a match in which each window waits, the default of every ask and its first options are accepted."""
    title = Tanks()
    rules = title.rules(title.freeze("crossroads", {}))
    run, number = Run(rules, rules.setup(())), 0
    kinds: set[str] = set()
    bots = {seat: random_bot(seat) for seat in rules.seats}
    resolve(run, {}, dice("windows", 0), by_minds({}), always_asked)
    while not run.over and number < 400 and run.state.turn < 4:
        number += 1
        assert list(rules.flaws(run.state)) == []  # in the middle of a shot too
        answers = {}
        for ask in run.asks:
            view = run.view(ask.seat)
            kinds.add(ask.kind)
            for option in (
                ask.default,
                *[option for option, _ in zip(rules.options(view, ask), range(4), strict=False)],
            ):
                assert rules.check(view, ask, rules.check(view, ask, option)) == rules.check(view, ask, option)
            assert rules.form(view, ask).endswith("\n")
            answers[ask.seat] = rules.check(view, ask, bots[ask.seat](rules, view, ask).answer)
        resolve(run, answers, dice("windows", number), by_minds({}), always_asked)
    assert kinds >= {
        "role",
        "deploy",
        "movement",
        "initiative",
        "shooting",
        "aim",
        "ward",
        "reroll",
        "save",
        "cancel",
        "convert",
        "stop",
        "sharpen",
        "cure",
        "again",
        "command",
    }


def test_T1_1_a_match_at_the_pace_of_tanks_ends_too():
    _, run, log, _ = played_by("crossroads", 5, random_bot, pace="tank")
    assert run.state.outcome.rule == "T8.2" and len(log) > 30


def test_what_bravo_holds_changes_nothing_for_alpha_until_it_is_used():
    """Two matches differ only in bravo's face-down cards of equal cost.

    Alpha's views and asks are the same until a card is turned up.
    """
    title = Tanks()
    seen = []
    for swap in (False, True):
        blobs = title.freeze("crossroads", {})
        if swap:
            blobs["scenario"] = blobs["scenario"].replace(
                b'"precise-commander", "tungsten"', b'"precise-loader", "improvised-armour"'
            )
        rules = title.rules(blobs)
        run = Run(rules, rules.setup(()))
        views = []
        for number in range(4):  # roles, deployment, movement, up to shooting
            minds = {"bravo": Mind(doctrine=["cards: never"]), "alpha": Mind(doctrine=["cards: never"])}
            found = resolve(run, {}, Dice(b"0" * 32, b"1" * 32, str(number)), by_minds(minds))
            views.append((to_bytes(run.view("alpha")), run.asks, seen_by(found.findings, "alpha")))
        seen.append(views)
    assert seen[0] == seen[1]


# --- the ledger ----------------------------------------------------------------------------------------------


def test_the_ledger_has_every_rule_once_and_a_marked_test_for_each():
    """All 50 rows are covered, each by a test that is marked with its rule and asserts on a finding of it."""
    text = resources.files("pbem.titles.tanks").joinpath("ledger.csv").read_text("utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    assert list(rows[0]) == ["id", "title", "tier", "edition", "engine", "status", "reason"]
    assert len({row["id"] for row in rows}) == len(rows) == 50
    marked = {
        rule
        for file in Path(__file__).parent.rglob("test_*.py")
        for mark in re.findall(r"pytest\.mark\.rule\(([^)]*)\)", file.read_text())
        for rule in re.findall(r'"([^"]+)"', mark)
    }
    assert {row["id"] for row in rows if row["status"] == "covered"} == {row["id"] for row in rows} == marked

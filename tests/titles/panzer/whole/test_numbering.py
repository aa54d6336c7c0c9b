"""Every finding and every refusal carries a rule number that is in its edition's ledger."""

from __future__ import annotations

import ast
import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.rules import every
from titles.panzer.builders import a_table, a_vehicle, run_step, shoot
from titles.panzer.playing import play

from pbem.engine.play.resolve import ANSWERED, FAILED
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Refusal
from pbem.titles import panzer
from pbem.titles.panzer.bots.bot import reckless_bot
from pbem.titles.panzer.cards.basic_rows import EDITIONS, Edition
from pbem.titles.panzer.command.commands import check_commands
from pbem.titles.panzer.fire.declarations import check_fire
from pbem.titles.panzer.fire.direct_fire import direct_fire_step
from pbem.titles.panzer.fire.overwatch import check_overwatch, overwatch_window
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.state import Command
from pbem.titles.panzer.telling.sentences import tell_tree

PACKAGE = Path(panzer.__file__).parent
BASIC = [
    file
    for name in (
        *(
            "cards/board.py",
            "cards/cards.py",
            "cards/charts.py",
            "setup/scenario_file.py",
            "sighting/line_of_sight.py",
        ),
        *("movement/steps/costs.py", "movement/steps/driving.py", "routes/route_search.py"),
        *("ap/shot_basics.py", "end_of_turn/victory.py", "telling/basic_sentences.py", "routes/rest_of_move.py"),
    )
    for file in [PACKAGE / name]
]


def ledger(edition: Edition) -> set[str]:
    with (PACKAGE / "ledger.csv").open(newline="") as file:
        return {row["id"] for row in csv.DictReader(file) if row["edition"] == edition}


def rules_in_code() -> Iterator[str]:
    """Return every string in the basic game's code that is the number of a rule."""
    for file in BASIC:
        for node in ast.walk(ast.parse(file.read_text())):
            said = node.value if isinstance(node, ast.Constant) else None
            if isinstance(said, str) and re.fullmatch(r"[0-6](\.\d+)+(/[a-z0-9-]+)?", said):
                yield said


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_rule_named_in_the_code_is_a_row_of_the_ledger(edition: Edition) -> None:
    """Only rules that are missing from the edition's book (such as tracks in 2016) have no row there."""
    rows = ledger(edition)
    in_this_book = [rule for rule in rules_in_code() if rule.partition("/")[0] in rows]
    assert len(in_this_book) > 120
    assert sorted({rule for rule in in_this_book if ledger_row(edition, rule) not in rows}) == []


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("scenario", ["duel", "crossroads"])
def test_every_finding_of_a_match_carries_a_row_of_its_book(scenario: str, edition: Edition) -> None:
    match = play(scenario, edition, "numbers", reckless_bot)
    carried = {finding.rule for finding in every(match.findings)} - {ANSWERED, FAILED}
    assert len(carried) > 40
    assert sorted(carried - ledger(edition)) == []


def combat(edition: Edition) -> list[Finding]:
    """The findings for a group that comes too late, an unused command, overwatch at a mover, and the reply."""
    table = a_table(
        a_vehicle("g1", "C6", facing=1, command=Command.FIRE),
        a_vehicle("g2", "D6", facing=1, command=Command.FIRE),
        a_vehicle("g3", "F6", facing=1, command=Command.OVERWATCH),
        a_vehicle("s1", "C4", facing=4, command=Command.NO_COMMAND),
        a_vehicle("s2", "D3", facing=4, command=Command.MOVE),
        a_vehicle("s3", "F3", facing=4, command=Command.OVERWATCH),
        a_vehicle("s4", "I3", facing=4, command=Command.FIRE),
        spotted={"g1": ["s1"], "g2": ["s1"], "s4": []},
        dice=[1, 1, 1],
        edition=edition,
    )
    played = [
        *run_step(table, direct_fire_step(table, "german"), [shoot("s1", "g1", "g2")]).findings,
        *run_step(table, direct_fire_step(table, "german"), [None]).findings,
        *run_step(table, direct_fire_step(table, "soviet"), [None]).findings,
    ]
    table.state.vehicles["s2"].revealed = True
    answers = {"overwatch": [shoot("s2", "g3"), shoot("g3", "s3")]}
    return played + run_step(table, overwatch_window(table, table.state.vehicles["s2"]), answers).findings


@pytest.mark.parametrize("edition", EDITIONS)
def test_fire_and_overwatch_carry_rows_of_their_book(edition: Edition) -> None:
    carried = {finding.rule for finding in every(combat(edition))}
    assert ledger_row(edition, "4.2.1/binding") in carried
    assert sorted(carried - ledger(edition)) == [FAILED], "only the reason why an order failed has no row"


def test_fire_and_overwatch_are_told_alike_by_both_books() -> None:
    """The ledger rows differ; the sentences and the paragraph numbers do not."""
    told = [[line for finding in combat(edition) for line in tell_tree(finding)] for edition in EDITIONS]
    assert told[0] == told[1]
    assert any("too late" in line for line in told[0])
    assert any("has fired on overwatch itself" in line for line in told[0])
    assert any("gets a Spot/Fire marker" in line for line in told[0])


@pytest.mark.parametrize("edition", EDITIONS)
def test_refusals_of_the_combat_phase_carry_rows_of_their_book(edition: Edition) -> None:
    table = a_table(
        a_vehicle("g1", "C6", facing=1, command=Command.FIRE),
        a_vehicle("g2", "D6", facing=1, command=Command.FIRE, fired=True),
        a_vehicle("g3", "F6", facing=1, command=Command.MOVE),
        a_vehicle("s1", "C4"),
        a_vehicle("s2", "D20"),
        spotted={"g1": ["s1"]},
        edition=edition,
    )
    fire = Ask("german", "fire", "4.4.1", about={"engaged": ["s2"]})
    watch = Ask("german", "overwatch", "4.4.2", about={"targets": []})

    def refused(check: Any, ask: Ask, answer: Any) -> Refusal:
        with pytest.raises(Refusal) as refusal:
            check(table, ask, answer)
        return refusal.value

    refusals = [
        refused(check_fire, fire, None),
        refused(check_fire, fire, shoot("s2", "g1", "g1", "g2", "g3")),
        refused(check_overwatch, watch, shoot("s2", "g1", "g2")),
        refused(check_overwatch, Ask("german", "overwatch", "4.4.2", about={"targets": ["s2"]}), shoot("s2", "g3")),
        refused(check_commands, Ask("german", "commands", "4.2.1"), {"g2": "fire"}),
    ]
    found = {objection.rule for refusal in refusals for objection in refusal.objections}
    assert len(found) >= 3
    assert sorted(found - ledger(edition)) == []

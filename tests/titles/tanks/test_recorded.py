"""Recorded matches, rule by rule: played again with the same orders and dice, they give the same findings.

Eight golden matches show every rule at work, among other rules and with many cards. Breaking a rule in play changes
the findings of at least one of them, so each rule that they show is tested by all of them.
"""

from __future__ import annotations

import csv
import lzma
from collections.abc import Iterator
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec
import pytest
from support.rules import assert_rule

from pbem.engine.rules.findings import Finding
from pbem.matches.audit.verify import verify_export
from pbem.matches.history.export import read_export
from pbem.titles.tanks.title import Tanks

NAMES = (
    "bridgehead-forms-plan",
    "bridgehead-tank-plan",
    "both-gone-draw",
    "elimination-alpha",
    "points-draw",
    "crossroads-forms-ask",
    "village-forms-plan",
    "open-battle-forms-plan",
)
FOLDER = Path(__file__).parents[2] / "golden" / "tanks"
LEDGER = resources.files("pbem.titles.tanks").joinpath("ledger.csv").read_text("utf-8").splitlines()
SHOWN = [row["id"] for row in csv.DictReader(LEDGER) if row["reason"] != "refusal only"]


def files() -> list[Path]:
    return [FOLDER / f"{name}.jsonl.xz" for name in NAMES]


@cache
def problems() -> tuple[str, ...]:
    """Replay all recorded matches and return the differences."""
    matches = (read_export(lzma.decompress(file.read_bytes())) for file in files())
    return tuple(problem for match in matches for problem in verify_export(match, {"tanks": Tanks()}).problems)


@cache
def findings() -> dict[str, Finding]:
    """Return one recorded finding of each rule."""
    found: dict[str, Finding] = {}
    for file in files():
        for part in read_export(lzma.decompress(file.read_bytes())).parts.values():
            for one in nested(msgspec.json.decode(part.content)):
                found.setdefault(one["rule"], Finding(one["rule"], result=one.get("result")))
    return found


def nested(given: Any) -> Iterator[dict[str, Any]]:
    """Yield every finding in nested plain data."""
    if isinstance(given, dict):
        if isinstance(given.get("rule"), str):
            yield given
        given = list(given.values())
    if isinstance(given, list):
        for inner in given:
            yield from nested(inner)


@pytest.mark.rule(
    "T1.1",
    "T1.2",
    "T1.3",
    "T1.4",
    "T2.1",
    "T2.2",
    "T2.3",
    "T2.4",
    "T2.5",
    "T3.1",
    "T3.2",
    "T3.3",
    "T4.1",
    "T4.2",
    "T4.3",
    "T5.1",
    "T5.2",
    "T5.3",
    "T5.4",
    "T5.5",
    "T6.1",
    "T6.2",
    "T6.3",
    "T6.4",
    "T6.5",
    "T7.1",
    "T7.2",
    "T7.3",
    "T7.4",
    "T7.5",
    "T7.6",
    "T7.7",
    "T7.8",
    "T7.9",
    "T7.10",
    "T7.11",
    "T7.12",
    "T8.1",
    "T8.2",
    "T8.3",
    "T8.4",
    "T9.1",
    "T9.2",
    "T9.3",
    "T9.4",
    "T9.5",
    "T9.6",
)
def test_recorded_matches_find_the_same_again():
    shown = list(findings().values())
    for rule in SHOWN:
        assert_rule(shown, rule)
    assert problems() == ()

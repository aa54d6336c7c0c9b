"""Recorded matches, rule by rule: played again with the same orders and dice they give the same findings.

Six golden matches show every rule at work, among other rules and with many cards. Whatever breaks a rule in play
changes what one of them finds; so each rule that they show is tested by all of them.
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
    "bridgehead-tank-plan",
    "both-gone-draw",
    "elimination-alpha",
    "points-draw",
    "crossroads-forms-ask",
    "village-forms-plan",
)
FOLDER = Path(__file__).parents[2] / "golden" / "tanks"
LEDGER = resources.files("pbem.titles.tanks").joinpath("ledger.csv").read_text("utf-8").splitlines()
SHOWN = [row["id"] for row in csv.DictReader(LEDGER) if row["reason"] != "refusal only"]


def files() -> list[Path]:
    return [FOLDER / f"{name}.jsonl.xz" for name in NAMES]


@cache
def problems() -> tuple[str, ...]:
    """Return what differs when all recorded matches are played again."""
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
    """Yield every finding in a nest of plain data."""
    if isinstance(given, dict):
        if isinstance(given.get("rule"), str):
            yield given
        given = list(given.values())
    if isinstance(given, list):
        for inner in given:
            yield from nested(inner)


@pytest.mark.parametrize("rule", [pytest.param(rule, marks=pytest.mark.rule(rule)) for rule in SHOWN])
def test_recorded_matches_find_the_same_again(rule):
    assert_rule(list(findings().values()), rule)
    assert problems() == ()

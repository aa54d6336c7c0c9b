"""Every rule number that a finding can carry leads to a text in plain words."""

from __future__ import annotations

import lzma
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from pbem.engine.play.resolve import ANSWERED, FAILED
from pbem.engine.rules.findings import Finding
from pbem.matches.history.export import read_export
from pbem.titles.panzer.seats.asking import RULE as SEATS
from pbem.titles.registry import TITLES
from pbem.titles.rule_texts import rule_text

ROOT = Path(__file__).parents[2]
WITH_TEXTS = ("aslsk", "nato", "panzer", "tanks")


def findings_in(value: object) -> Iterator[str]:
    """Return the rule numbers in the stored findings of a part, at any depth."""
    if isinstance(value, dict):
        if {"rule", "inputs"} & set(value) == {"rule", "inputs"} or ("rule" in value and "result" in value):
            yield str(value["rule"])
        for inner in value.values():
            yield from findings_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from findings_in(inner)


def rules_in_golden_matches(title: str) -> set[str]:
    found: set[str] = set()
    for file in sorted((ROOT / "tests" / "golden" / title).glob("*.xz")):
        export = read_export(lzma.decompress(file.read_bytes()))
        names = {ref.commitment: ref.name for event in export.events for ref in event.parts}
        for commitment, part in export.parts.items():
            if names[commitment] == "findings":
                found |= set(findings_in(msgspec.json.decode(part.content)))
    return {rule for rule in found if not rule.startswith("pbem/")}


def rules_in_code(title: str) -> set[str]:
    """Return the rule numbers that are written out where a finding is made."""
    found: set[str] = set()
    for file in sorted((ROOT / "pbem" / "titles" / title).rglob("*.py")):
        found |= set(re.findall(r'\.find\(\s*"([A-Z]?\d[\w./-]*)"', file.read_text()))
    return found


@pytest.mark.parametrize("title", WITH_TEXTS)
def test_every_rule_number_in_a_finding_has_a_text(title: str) -> None:
    assert title in TITLES
    wanted = rules_in_golden_matches(title) | rules_in_code(title)
    assert wanted
    missing = sorted(rule for rule in wanted if rule_text(title, rule) is None)
    assert missing == []


def test_a_sub_rule_without_a_text_has_its_heading_and_the_text_above_it() -> None:
    found = rule_text("panzer", "6.5.2.1/n-rate", "2024")
    assert found is not None
    assert str(found.heading).startswith("N rate of fire")
    assert found.of == "6.5.2.1"
    assert rule_text("panzer", "99.9") is None
    assert rule_text("ambush", "1") is None


def test_a_finding_is_what_the_walk_takes_for_one() -> None:
    plain = msgspec.to_builtins(Finding(rule="1.2", inputs={"unit": "r1"}))
    assert "1.2" in set(findings_in(plain))


def test_the_rules_of_the_server_have_a_text_in_every_title() -> None:
    for rule in (ANSWERED, FAILED, SEATS):
        found = [rule_text(title, rule) for title in ("panzer", "tanks", "aslsk", "nato", "campaign")]
        assert all(one is not None and str(one.text).endswith(".") for one in found), rule

"""Every finding of a golden match has a message in its title, and its words are in the catalogue."""

from __future__ import annotations

import ast
import lzma
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pbem.cli import messages
from pbem.engine.play.resolve import ANSWERED
from pbem.engine.rules.findings import Finding
from pbem.engine.text.messages import Message, Several
from pbem.engine.text.sentences import Telling, plain
from pbem.matches.history.export import read_export
from pbem.titles.aslsk.telling.sentences import TELLING as ASLSK
from pbem.titles.nato.player.sentences import TELLING as NATO
from pbem.titles.panzer.telling.sentences import TELLING as PANZER
from pbem.titles.tanks.telling.sentences import TELLING as TANKS

ROOT = Path(__file__).parents[2]
TELLINGS = {"aslsk": ASLSK, "nato": NATO, "panzer": PANZER, "tanks": TANKS}
MOST_PLAIN = {"aslsk": 0, "nato": 0, "panzer": 30, "tanks": 0}
"""Findings that no sentence fits, of one golden match per scenario. The numbers may only fall."""
MODULES = (
    "phrases.py",
    "vehicles.py",
    "words.py",
    "wording.py",
    "names.py",
    "term_names.py",
    "base.py",
    "basic_moves.py",
)
MOST_STRINGS = 2
"""F-strings with words in the modules that tell findings: order lines and ids."""
WORDING = [
    file
    for title in TELLINGS
    for file in sorted((ROOT / "pbem/titles" / title).glob("*/*.py"))
    + sorted((ROOT / "pbem/titles" / title).glob("telling/*/*.py"))
    if file.parent.name in ("telling", "words") or (file.parent.name == "player" and title == "nato")
    if "sentences" in file.name or file.parent.name == "words" or file.name in MODULES
]
"""The modules that tell findings."""
OPEN = {"", "modifier", "panzer optional rule"}
"""Contexts whose words may come from a match's own data or from an earlier record."""


@cache
def findings(title: str) -> tuple[Finding, ...]:
    """Return the findings of one golden match for each scenario, without repetitions."""
    files = {file.name.partition("-")[0]: file for file in sorted((ROOT / "tests/golden" / title).glob("*.xz"))}
    found: dict[bytes, None] = {}
    for file in files.values():
        export = read_export(lzma.decompress(file.read_bytes()))
        names = {ref.commitment: ref.name for event in export.events for ref in event.parts}
        for commitment, part in export.parts.items():
            if names[commitment] == "findings":
                found |= dict.fromkeys(map(msgspec.json.encode, stored(msgspec.json.decode(part.content))))
    decoder = msgspec.json.Decoder(Finding)
    return tuple(finding for finding in map(decoder.decode, found) if finding.rule != ANSWERED)


def stored(value: Any) -> Iterator[dict[str, Any]]:
    """Return the findings in a part, at any depth."""
    if isinstance(value, list):
        for inner in value:
            yield from stored(inner)
    elif isinstance(value, dict) and "rule" in value and {"inputs", "result", "dice"} & set(value):
        yield {name: found for name, found in value.items() if name != "to"}
        yield from stored(value.get("children", []))
    elif isinstance(value, dict):
        for inner in value.values():
            yield from stored(inner)


def parts(value: object) -> Iterator[Message]:
    """Return a message and all messages in it."""
    if isinstance(value, Message):
        yield value
        for inner in value.args.values():
            yield from parts(inner)
    elif isinstance(value, Several):
        for inner in value.items:
            yield from parts(inner)


@pytest.mark.parametrize("title", TELLINGS)
def test_every_finding_of_a_golden_match_has_a_sentence_of_its_own(title: str) -> None:
    telling: Telling = TELLINGS[title]
    untold = [finding for finding in findings(title) if telling.sentence(finding) == plain(finding)]
    assert len(findings(title)) > 300
    assert len(untold) <= MOST_PLAIN[title], [
        (finding.rule, finding.inputs, finding.result) for finding in untold[:5]
    ]


@pytest.mark.parametrize("title", TELLINGS)
def test_a_sentence_begins_with_a_capital_or_an_id_and_ends_with_a_full_stop(title: str) -> None:
    for finding in findings(title):
        said = str(TELLINGS[title].sentence(finding))
        assert said.endswith((".", "!")) and "{" not in said and "  " not in said, said
        first = said.split()[0]
        assert not first.isalpha() or not first.islower() or "ordered" in finding.inputs, said


def test_the_catalogue_has_every_sentence_and_term_of_golden_matches() -> None:
    files = [*(ROOT / "pbem/engine/text").glob("*.py"), *WORDING]
    found = [*messages.found_in(files), *messages.found_in_data()]
    catalogue = {(message.context, message.texts[0]) for message in found}
    missing = {
        (said.context, said.text)
        for title, telling in TELLINGS.items()
        for finding in findings(title)
        for said in parts(telling.tell(finding))
        if (said.args or said.context) and (said.context, said.text) not in catalogue and said.context not in OPEN
    }
    assert missing == set()


def test_modules_that_tell_findings_build_no_sentences_from_pieces() -> None:
    built = []
    for file in WORDING:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.JoinedStr):
                said = "".join(part.value for part in node.values if isinstance(part, ast.Constant))
                if any(len(word) > 2 and word.isalpha() for word in said.split()):
                    built.append(f"{file.name}:{node.lineno} {said}")
    assert len(built) <= MOST_STRINGS, built

"""In replies written by mail programs around the world, exactly the new lines are found."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from programs import write_messages

from pbem.mail.inbound.message import Letter, read_letter
from pbem.mail.settings import Settings
from pbem.matches.post.inbox import WAITING, Inbound

FOLDER = Path(__file__).parents[1] / "messages"
EXPECTED: dict[str, dict[str, Any]] = tomllib.loads((FOLDER / "expected.toml").read_text("utf-8"))
SETTINGS = Settings(domain="pbem.test")
TOKEN = "abqw3e5rt7yuioplkjhgfdsazxcvbnm23456"


def read(name: str) -> Letter:
    raw = (FOLDER / f"{name}.eml").read_bytes()
    envelope = {"sender": None, "recipients": []}
    return read_letter(Inbound(1, "", "", "", "", "", 0, 0, envelope, raw, WAITING, "", {}), SETTINGS)


@pytest.mark.parametrize("name", sorted(name for name, wanted in EXPECTED.items() if "lines" in wanted))
def test_exactly_the_new_lines_count(name: str) -> None:
    letter = read(name)
    assert [line for line in letter.text.splitlines() if line] == EXPECTED[name]["lines"]
    assert letter.machine == "" and letter.tokens[:1] == [TOKEN]


@pytest.mark.parametrize("name", sorted(name for name, wanted in EXPECTED.items() if "machine" in wanted))
def test_programs_are_known(name: str) -> None:
    assert read(name).machine == EXPECTED[name]["machine"]


def test_there_are_enough_of_them_and_each_has_an_expectation() -> None:
    files = {file.stem for file in FOLDER.glob("*.eml")}
    assert files == set(EXPECTED)
    assert len([name for name, wanted in EXPECTED.items() if "lines" in wanted]) >= 80


def test_the_files_are_what_the_script_writes() -> None:
    """The message files are exactly what the script writes, so that each one is changed together with its
    description."""
    write_messages.everything()
    assert {name: (FOLDER / f"{name}.eml").read_bytes() for name in write_messages.written} == write_messages.written
    assert (FOLDER / "expected.toml").read_text("utf-8") == write_messages.expectations()

"""A title's introduction for newcomers: a glossary, how it works in ten minutes, and a guided first game.

The texts are in the title's `data/primer.toml`; pages and emails show them without naming any title.

    compass         the meaning of facings and directions
    difficulty      of each scenario, from 1 (a first game) to 4 (hard)
    abbreviations   short forms in reports and on counters, spelled out
    glossary        terms of the game, each in a sentence
    section         the page "how this game works in ten minutes", part by part
    lesson          a scenario, a seat, and steps that each point at one part of the page
"""

from __future__ import annotations

from functools import cache
from typing import Literal

import msgspec

from pbem.engine.text.messages import Message, Translator, named, say
from pbem.engine.text.toml_text import parse_toml

Point = Literal["map", "units", "sheet", "many", "lines", "check", "submit", "summary", "film", "talk", "stand"]
"""Parts of the match page that a lesson step can point at."""

POINTS: dict[str, Message] = {
    "stand": say("The situation"),
    "map": say("The map"),
    "units": say("Your units"),
    "sheet": say("The unit sheet"),
    "many": say("Orders for many units"),
    "lines": say("The order text"),
    "check": say("The check"),
    "submit": say("Sealing"),
    "summary": say("The turn summary"),
    "film": say("The film of the turn"),
    "talk": say("Messages"),
}
"""The headings of these parts of the page."""


class Section(msgspec.Struct, frozen=True):
    """A part of the ten-minute page: plain paragraphs, with the rules they summarise."""

    title: str
    text: str
    rules: tuple[str, ...] = ()


class LessonStep(msgspec.Struct, frozen=True):
    """A step of the guided game: its turn, the part it points at, what to read and do, and the rule behind it."""

    turn: int
    point: Point
    say: str
    rule: str = ""
    line: str = ""
    """An order line that the player may use."""
    kind: str = ""
    """The kind of ask at which it is shown; by default the first of the turn."""


class Lesson(msgspec.Struct, frozen=True):
    """A guided game of a few turns against a bot."""

    scenario: str
    seat: str
    steps: tuple[LessonStep, ...]

    def of(self, turn: int, kind: str) -> list[LessonStep]:
        """Return the steps of a turn for this kind of ask, or for any."""
        return [step for step in self.steps if step.turn == turn and step.kind in ("", kind)]

    @property
    def turns(self) -> int:
        """How many turns are guided."""
        return max(step.turn for step in self.steps)


class Primer(msgspec.Struct, frozen=True):
    """A title's introduction for newcomers; empty if the title has no such file."""

    compass: str = ""
    difficulty: dict[str, int] = {}
    abbreviations: dict[str, str] = {}
    glossary: dict[str, str] = {}
    section: tuple[Section, ...] = ()
    lesson: Lesson | None = None

    def translate(self, translator: Translator) -> Primer:
        """Return the primer in a reader's language."""

        def put(text: str) -> str:
            return translator(named("primer", text)) if text else ""

        lesson = self.lesson
        if lesson is not None:
            steps = tuple(msgspec.structs.replace(step, say=put(step.say)) for step in lesson.steps)
            lesson = msgspec.structs.replace(lesson, steps=steps)
        return Primer(
            compass=put(self.compass),
            difficulty=self.difficulty,
            abbreviations={put(short): put(words) for short, words in self.abbreviations.items()},
            glossary={put(word): put(words) for word, words in self.glossary.items()},
            section=tuple(Section(put(part.title), put(part.text), part.rules) for part in self.section),
            lesson=lesson,
        )


@cache
def packaged_primer(package: str) -> Primer:
    """Return the primer of a title's package."""
    from importlib import resources  # loads much that the engine does not need

    file = resources.files(package).joinpath("data").joinpath("primer.toml")
    return read_primer(file.read_bytes()) if file.is_file() else Primer()


def read_primer(content: bytes) -> Primer:
    """Read a title's primer."""
    return msgspec.convert(parse_toml(content.decode()), Primer)

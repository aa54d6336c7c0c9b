"""Findings as trees of sentences: each unfolds to its rule, inputs, modifiers, table cell, dice and result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from pbem.matches.desk import Told


class Sentence(msgspec.Struct):
    """A finding as told, with the findings that it rests on."""

    told: Told
    rests_on: list[Sentence] = []

    @property
    def explained(self) -> bool:
        """Whether there is more to say than the sentence."""
        finding = self.told.finding
        return bool(finding.inputs or finding.modifiers or finding.dice or self.rests_on or finding.cell is not None)


def story(told: Sequence[Told]) -> list[Sentence]:
    """The sentences of a report as trees, by their depth."""
    trunk: list[Sentence] = []
    branch: list[Sentence] = []
    for each in told:
        sentence = Sentence(each)
        del branch[each.depth :]
        (branch[-1].rests_on if branch else trunk).append(sentence)
        branch.append(sentence)
    return trunk


def in_words(value: Any) -> str:
    """A value of a finding for a reader."""
    match value:
        case None:
            return "nothing"
        case bool():
            return "yes" if value else "no"
        case dict():
            return ", ".join(f"{name} {in_words(part)}" for name, part in value.items()) or "none"
        case list() | tuple():
            return ", ".join(map(in_words, value)) or "none"
        case _:
            return str(value)

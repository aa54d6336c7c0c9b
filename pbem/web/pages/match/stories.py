"""Findings as trees of sentences: each unfolds to its rule, inputs, modifiers, table cell, dice and result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from pbem.engine.play.dice import Roll
from pbem.engine.rules.findings import Finding, happenings_in
from pbem.engine.text.messages import Message, Value, say
from pbem.matches.history.final_views import plain
from pbem.matches.views import Told


class Sentence(msgspec.Struct):
    """A finding's sentence, with the findings that it rests on, and its number in the report for links to it.

    `rolls` holds the indices of its dice in the rolls of the report.
    """

    told: Told
    number: int = 0
    rests_on: list[Sentence] = []
    rolls: Sequence[int] = ()

    @property
    def explained(self) -> bool:
        """Whether there is more to show than the sentence itself: at least the text of its rule."""
        finding = self.told.finding
        more = finding.inputs or finding.modifiers or finding.dice or self.rests_on or finding.cell is not None
        return bool(finding.rule or more)

    @property
    def shows(self) -> bool:
        """Whether the sentence shows something on the map; sentences about procedure have no scene."""
        return next(happenings_in([self.told.finding]), None) is not None


def story(told: Sequence[Told], rolls: Sequence[Roll] = ()) -> list[Sentence]:
    """Arrange a report's sentences as trees by depth, and match their dice to the rolls, in the same order."""
    trunk: list[Sentence] = []
    branch: list[Sentence] = []
    passed = 0
    for number, each in enumerate(told, start=1):
        found = rolls_behind(each.finding, rolls, passed)
        passed = max(passed, found.stop)
        sentence = Sentence(each, number, rolls=found)
        del branch[each.depth :]
        (branch[-1].rests_on if branch else trunk).append(sentence)
        branch.append(sentence)
    return trunk


def to_dispute(told: Sequence[Told]) -> list[tuple[str, Message]]:
    """The places that a reader of a report can dispute: each scene as a whole, and each of its sentences."""
    found: dict[str, Message] = {}
    for one in told:
        if one.place and one.depth == 0:
            found.setdefault(one.place.rpartition(".")[0], say("(the whole scene)"))
            found[one.place] = one.text
    return list(found.items())


def rolls_behind(finding: Finding, rolls: Sequence[Roll], since: int) -> range:
    """The rolls of a finding's dice: the next consecutive ones for its rule, or for its subjects."""
    count, about = len(finding.dice), {str(value) for value in finding.inputs.values()}
    for start in range(since, len(rolls) - count + 1) if count else ():
        wanted = rolls[start : start + count]
        of_it = all(roll.rule == finding.rule or about.issuperset(roll.subjects) for roll in wanted)
        if of_it and tuple(roll.result for roll in wanted) == finding.dice:
            return range(start, start + count)
    return range(0)


def in_words(value: Any) -> Value:
    """A value of a finding, in a form for readers."""
    return plain(value)

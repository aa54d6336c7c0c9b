"""Findings as sentences, each with its rule and dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import ClassVar, Protocol

import msgspec

from pbem.engine.play.resolve import ANSWERED
from pbem.engine.rules.findings import Finding
from pbem.engine.text.messages import Message, Name, Value, as_message, recorded, say, say_n, several
from pbem.engine.text.sentences import data


class Telling(Protocol):
    """Anything that puts a finding into words: the rules of a title, or the sentences stored for an ended match."""

    def tell(self, finding: Finding) -> str | Message: ...


MOST_KEPT = 2000


class Remembering:
    """The rules of a title as a teller that keeps its last sentences, as all seats read the same public findings.

    Findings are recognised by object identity (see `read_findings`); the rules are those of one title and its data.
    """

    _kept: ClassVar[dict[int, tuple[Finding, Telling, Message]]] = {}

    def __init__(self, rules: Telling) -> None:
        self._rules = rules

    def tell(self, finding: Finding) -> Message:
        known = self._kept.get(id(finding))
        if known is not None and known[0] is finding and known[1] is self._rules:
            return known[2]
        text = as_message(self._rules.tell(finding))
        self._kept[id(finding)] = finding, self._rules, text
        while len(self._kept) > MOST_KEPT:
            self._kept.pop(next(iter(self._kept)), None)
        return text


class Told(msgspec.Struct, frozen=True):
    """A finding as a sentence; `depth` is its level of nesting under other findings.

    `place` is its number as players see it, `4.7.2`, if the caller asked for it.
    """

    rule: str
    text: Message
    dice: tuple[int, ...]
    depth: int
    finding: Finding
    place: str = ""

    @property
    def numbered(self) -> bool:
        """Whether the sentence begins with its rule number."""
        return self.body is not self.text

    @property
    def number(self) -> str:
        """The rule number as printed in the sentence."""
        printed = self.text.args.get("rule") if self.text.text == "{rule} {sentence}" else None
        return printed.text if isinstance(printed, Name) else self.rule.partition("/")[0]

    @property
    def body(self) -> Message:
        """The sentence without its rule number."""
        sentence, number = self.text.args.get("sentence"), self.rule.partition("/")[0]
        if self.text.text == "{rule} {sentence}" and isinstance(sentence, Message):
            return sentence
        plain = self.text.args.get("text")
        if self.text.text == "{text}" and isinstance(plain, Name) and plain.text.startswith(number):
            return as_message(plain.text.removeprefix(number).strip())
        return self.text

    @property
    def heading(self) -> bool:
        """Whether the sentence only announces a phase; it is a heading in a record, and is left out of a summary."""
        found = self.finding
        return isinstance(found.inputs.get("phase"), str) and not (found.dice or found.shows or found.children)


def sentences_of(rules: Telling, findings: Sequence[Finding]) -> list[Told]:
    """Return a sentence for each finding; repeated passes of a seat for the same reason share one sentence."""
    return [
        Told(
            finding.rule,
            as_message(answer_in_words(finding, times) if finding.rule == ANSWERED else rules.tell(finding)),
            finding.dice,
            depth,
            finding,
        )
        for finding, depth, times in in_order(findings)
    ]


def in_order(findings: Sequence[Finding], depth: int = 0) -> Iterator[tuple[Finding, int, int]]:
    """Yield the findings that have a sentence, each with its depth and how often its seat passed for that reason."""
    idle = Counter(why_idle(finding) for finding in findings if finding.rule == ANSWERED)
    for finding in findings:
        reason = why_idle(finding)
        if reason and not idle[reason]:
            continue
        yield finding, depth, idle.pop(reason) if reason else 1
        if finding.children:
            yield from in_order(finding.children, depth + 1)


def why_idle(finding: Finding) -> tuple[str, ...]:
    """Return the kind of ask on which a seat passed, and the clause that passed; empty for anything else."""
    if finding.rule != ANSWERED or finding.result is not None or finding.inputs["passed"]:
        return ()
    return tuple(finding.inputs[what] for what in ("kind", "rule", "source", "clause"))


def answer_in_words(finding: Finding, times: int = 1) -> Message:
    """Say how an ask was answered for a seat, and why no earlier clause answered; `times` counts all such asks."""
    said = finding.inputs
    if times > 1:
        about: Value = say_n("{kind}, {n} time", "{kind}, {n} times", n=times, kind=said["kind"])
    else:
        about = Name(" ".join(filter(None, (said["kind"], said["subject"]))))
    how = _how(said["source"], said["clause"], [recorded(why) for why in said["passed"]])
    if isinstance(finding.result, dict | list):  # orders of several words, which the clause already contains
        return say("{about} ({rule}): answered {how}.", about=about, rule=said["rule"], how=how)
    answer = data(finding.result)
    return say("{about} ({rule}): answered {how}: {answer}.", about=about, rule=said["rule"], how=how, answer=answer)


def _how(source: str, clause: str, passed: Sequence[Value] = ()) -> Message:
    """Say what gave an automatic answer, and what was skipped."""
    if passed:
        return say("{how} (not by {passed})", how=_how(source, clause), passed=several(passed, "clauses"))
    match source:
        case "default":
            return say("by default")
        case "plan":
            return say("by your plan “{clause}”", clause=clause)
        case "doctrine":
            return say("by your standing orders “{clause}”", clause=clause)
        case _:
            return say("by your {source} “{clause}”", source=source, clause=clause)

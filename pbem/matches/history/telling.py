"""Findings as sentences, each with its rule and dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

import msgspec

from pbem.engine.play.resolve import ANSWERED
from pbem.engine.rules.findings import Finding


class Telling(Protocol):
    """Whatever has a sentence for a finding: the rules of a title, or the sentences kept of an ended match."""

    def tell(self, finding: Finding) -> str: ...


class Told(msgspec.Struct, frozen=True):
    """A finding as a sentence; `depth` says under which other one it stands."""

    rule: str
    text: str
    dice: tuple[int, ...]
    depth: int
    finding: Finding

    @property
    def heading(self) -> bool:
        """Whether it only says that a phase begins: a record is divided by such lines, a summary leaves them out."""
        found = self.finding
        return isinstance(found.inputs.get("phase"), str) and not (found.dice or found.shows or found.children)


def told(rules: Telling, findings: Sequence[Finding], depth: int = 0) -> list[Told]:
    """Return a sentence for each finding; repeated passes of a seat for the same reason are told once."""
    sentences: list[Told] = []
    idle = Counter(map(why_idle, findings))
    for finding in findings:
        reason = why_idle(finding)
        if reason and not idle[reason]:
            continue
        times = idle.pop(reason) if reason else 1
        text = answered(finding, times) if finding.rule == ANSWERED else rules.tell(finding)
        sentences.append(Told(finding.rule, text, finding.dice, depth, finding))
        sentences += told(rules, finding.children, depth + 1)
    return sentences


def why_idle(finding: Finding) -> tuple[str, ...]:
    """Return the kind of ask that a seat passed on, and by which clause; empty for anything else."""
    if finding.rule != ANSWERED or finding.result is not None or finding.inputs["passed"]:
        return ()
    return tuple(finding.inputs[what] for what in ("kind", "rule", "source", "clause"))


def answered(finding: Finding, times: int = 1) -> str:
    """Say how an ask was answered for a seat, and why not by an earlier clause; `times` counts all asks like it."""
    said = finding.inputs
    about = f"{said['kind']}, {times} times" if times > 1 else " ".join(filter(None, (said["kind"], said["subject"])))
    source = f"by your {said['source']} «{said['clause']}»" if said["source"] != "default" else "by default"
    passed = f" (not by {'; '.join(said['passed'])})" if said["passed"] else ""
    # Orders of several words are already in the clause.
    plain = {True: ": yes", False: ": no", None: ": nothing"}
    result = "" if isinstance(finding.result, dict | list) else plain.get(finding.result, f": {finding.result}")
    return f"{about} ({said['rule']}): answered {source}{passed}{result}."

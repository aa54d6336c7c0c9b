"""How a report describes the answers of a seat."""

from __future__ import annotations

from typing import Any

from pbem.engine.play.resolve import ANSWERED
from pbem.engine.rules.findings import Finding
from pbem.matches.views import sentences_of


class Plainly:
    """Rules that describe a finding by its rule number alone."""

    def tell(self, finding: Finding) -> str:
        return finding.rule


def answer(clause: str, result: Any = None, **more: Any) -> Finding:
    inputs = {"kind": "ambush", "subject": "r1", "rule": "4.2", "source": "doctrine", "clause": clause, "passed": []}
    return Finding(ANSWERED, inputs=inputs | more, result=result)


def sentences(*findings: Finding) -> list[str]:
    return [str(one.text) for one in sentences_of(Plainly(), findings)]  # type: ignore[arg-type]


def test_that_a_seat_did_nothing_again_is_told_once() -> None:
    never = answer("ambush: never")
    assert sentences(never, Finding("1"), never, answer("ambush: never", subject="r2"), Finding("2")) == [
        "ambush, 3 times (4.2): answered by your standing orders “ambush: never”: nothing.",
        "1",
        "2",
    ]
    assert sentences(never) == ["ambush r1 (4.2): answered by your standing orders “ambush: never”: nothing."]


def test_what_a_seat_did_and_why_it_could_not_do_as_it_was_told_is_told_every_time() -> None:
    fired, failed = answer("ambush", "b1"), answer("ambush: never", passed=["plan “b2”: it is gone"])
    assert len(sentences(fired, fired, failed, failed, answer("card: never"), answer("ambush: never"))) == 6

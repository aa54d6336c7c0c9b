"""Scores: each side's points, as the title counts them.

A title that counts points has `Rules.score(state)`: whole numbers by side, at any start of a step. The end of a match
reports them, tournaments add them up, and an unfinished match may be decided by them.
"""

from __future__ import annotations

from typing import Any

import msgspec

from pbem.engine.rules.state import Outcome
from pbem.engine.rules.title import Rules


def with_scores(rules: Rules, state: Any, outcome: Outcome) -> Outcome:
    """Return the outcome with the sides' scores, if the title keeps scores."""
    scores = rules.score(state)
    return msgspec.structs.replace(outcome, score=scores) if scores else outcome

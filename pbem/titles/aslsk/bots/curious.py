"""A bot that tries everything: it gives random legal orders, all about equally likely."""

from __future__ import annotations

from typing import Any

from pbem.engine.play.bots import Bot
from pbem.engine.play.choice import Choice
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.title import Rules, Submission


def curious_bot(seed: object) -> Bot:
    """Return a bot that gives a random legal answer to every ask."""

    def answer(rules: Rules, view: Any, ask: Ask) -> Submission:
        decision = rules.decide(view, ask)  # type: ignore[attr-defined]
        choice = Choice(seed, ask.seat, ask.kind, ask.subject, view.turn, view.attacker)
        return Submission(rules.check(view, ask, decision.plain(decision.sample(choice))))

    return answer

"""Bots play like people: from a seat's view, never from the state, with random choices that are not recorded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from pbem.engine.play.choice import Choice
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.title import Rules, Submission

Bot: TypeAlias = Callable[[Rules, Any, Ask], Submission]


def random_bot(seed: object, most: int = 200) -> Bot:
    """Return a bot that picks any legal answer with equal chances (among the first `most`)."""

    def answer(rules: Rules, view: Any, ask: Ask) -> Submission:
        choice = Choice(seed, ask.seat, ask.kind, ask.subject, ask.about)
        options = [option for option, _ in zip(rules.options(view, ask), range(most), strict=False)]
        return Submission(choice.one_of(options) if options else rules.default(lambda: view, ask))

    return answer


def own_bot(rules: Rules) -> Callable[[object], Bot]:
    """Return a function that makes the title's own bot to stand in for a player, or a random bot if it has none."""
    return lambda seed: rules.bot(seed) or random_bot(seed)


__all__ = ["Bot", "Choice", "own_bot", "random_bot"]

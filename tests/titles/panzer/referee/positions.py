"""Positions taken from real matches between bots, for the referee."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from titles.panzer.playing import Match, turns

from pbem.engine.play.bots import Choice
from pbem.engine.play.run import Run
from pbem.titles.panzer.bots.bot import reckless_bot
from pbem.titles.panzer.title import Panzer


def positions(
    scenario: str, seed: int, most: int = 100, exchanges: int = 60, edition: str = "2024"
) -> Iterator[tuple[Any, Any]]:
    """Return states spread over a match of the advanced game without optional rules, and the match's data."""
    title = Panzer()
    blobs = title.vary(title.freeze(scenario, {"edition": edition, "rules": []}), Choice(seed, "set-up"))
    rules = title.rules(blobs)
    match = Match(rules, str(seed), Run(rules, rules.setup(())))
    match.go_on()
    bots = {seat: reckless_bot(f"{seed}/{seat}") for seat in rules.seats}
    for _ in turns(match, bots, exchanges):
        pass
    kept = [state for state in match.states if state.turn > 0]
    step = max(1, len(kept) // most)
    yield from ((rules.data, state) for state in kept[::step][:most])

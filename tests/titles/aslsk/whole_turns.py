"""Play a player turn by written orders, with the DEFENDER's fire given in each of the three `reactions` modes.

    plan     the fire plan is sealed with the orders of the turn
    mover    it is sent before the first stack moves
    ask      the DEFENDER is asked at every expenditure and answers with a line of the window

Asks without a written answer get the default.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.engine.play.resolve import Mind, Thinking
from pbem.engine.play.run import Run
from pbem.titles.aslsk.tabletop import AslskTable
from pbem.titles.aslsk.title import AslskRules

REACTIONS = ("plan", "mover", "ask")
SILENT = ["hold all until 0"]
"""Standing orders that keep all units from firing, unlike the stock ones."""


class WholeTurn:
    """The written orders of both seats, and the match in which they are used."""

    def __init__(
        self,
        table: AslskTable,
        reactions: str,
        moves: Sequence[str] = (),
        plan: Sequence[str] = (),
        shots: Mapping[str, Sequence[str]] | None = None,
        later: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        rules = AslskRules(table.situation.data)
        table.then("turn_start")
        self.run = Run(rules, table.state)
        self.run.deal(table.chance)
        self.reactions, self.moves, self.plan, self.later = reactions, moves, plan, dict(later or {})
        self.shots = {hex: list(lines) for hex, lines in (shots or {}).items()}
        self.asked: list[str] = []

    def text_for(self, ask: Any) -> Sequence[str] | None:
        """Return the written answer to an ask, or None for the default."""
        if ask.kind == "orders":
            return self.moves
        if ask.kind == ("wave_defence" if self.reactions == "mover" else "defence"):
            return self.plan if self.reactions != "ask" else None
        if ask.kind == "window" and self.reactions == "ask":
            waiting = self.shots.get(str(ask.about["at"]), [])
            return [waiting.pop(0)] if waiting else ["pass"]
        return self.later.get(f"{ask.kind} {ask.subject}".strip()) or self.later.get(ask.kind)

    def play(self, until: str = "turn_end") -> Any:
        """Play until the next player turn begins; return the table with all findings."""
        run, rules = self.run, self.run.rules
        run.proceed()
        begun = (run.state.turn, run.state.attacker)
        minds = {seat: Thinking(run, Mind(doctrine=SILENT)) for seat in rules.seats}
        while run.asks and (run.state.turn, run.state.attacker) == begun:
            answers = {}
            for ask in run.asks:
                self.asked.append(f"{ask.kind} {ask.subject}".strip())
                text = self.text_for(ask)
                if text is None:
                    answers[ask.seat] = minds[ask.seat].answer(run, ask).answer
                else:
                    view = run.view(ask.seat)
                    answers[ask.seat] = rules.check(view, ask, rules.read(view, ask, "\n".join(text)).answer)
            run.proceed(answers)
            assert list(rules.flaws(run.state)) == []
        return run.table

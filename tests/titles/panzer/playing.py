"""Play whole matches in memory with the kernel, the title and bots, without a database."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pbem.engine.play.bots import Bot
from pbem.engine.play.dice import Dice
from pbem.engine.play.resolve import Mind, Resolution, as_the_rules_say, by_minds, resolve
from pbem.engine.play.run import Mark, Run
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.state import from_bytes
from pbem.titles.panzer.binding import PanzerRules
from pbem.titles.panzer.state import PanzerState
from pbem.titles.panzer.title import Panzer


def rules_of(scenario: str = "duel", edition: str = "2024") -> PanzerRules:
    title = Panzer()
    return title.rules(title.freeze(scenario, {"edition": edition}))


@dataclass
class Match:
    """A match in progress: its run, all findings so far, and the state at the start of every step."""

    rules: PanzerRules
    seed: str
    run: Run
    waits: Callable[[Ask], bool] = as_the_rules_say
    exchange: int = 0
    findings: list[Finding] = field(default_factory=list)
    states: list[PanzerState] = field(default_factory=list)
    minds: dict[str, Mind] = field(default_factory=dict)

    def go_on(self, answers: Mapping[str, Any] | None = None) -> Resolution:
        """Continue with these answers until the next ask for a player."""
        self.exchange += 1
        dice = Dice(self._rung("open"), self._rung("secret"), f"{self.seed}/{self.exchange}")
        marks: list[Mark] = []
        resolution = resolve(self.run, answers or {}, dice, by_minds(self.minds), self.waits, on_mark=marks.append)
        self.findings += resolution.findings
        self.states += [from_bytes(mark.state, self.rules.state_type) for mark in marks]
        return resolution

    def _rung(self, what: str) -> bytes:
        return hashlib.sha256(f"{self.seed}/{what}/{self.exchange}".encode()).digest()

    def order(self, **texts: str) -> None:
        """Send lines for both sides; a side without lines sends no orders."""
        answers = {}
        for seat, text in texts.items():
            ask = self.run.ask_of(seat)
            assert ask is not None, f"nothing is asked of {seat}"
            view = self.run.view(seat)
            submission = self.rules.read(view, ask, text)
            answers[seat] = self.rules.check(view, ask, submission.answer)
            self.minds[seat] = Mind(self.rules.check_plan(view, ask, submission.plan), self.doctrine(seat))
        self.go_on(answers)

    def doctrine(self, seat: str) -> list[Any]:
        return self.minds[seat].doctrine if seat in self.minds else []


def begin(scenario: str = "duel", edition: str = "2024", seed: str = "1", **more: Any) -> Match:
    """Play a match up to its first ask."""
    rules = rules_of(scenario, edition)
    match = Match(rules, seed, Run(rules, rules.setup(())), **more)
    match.go_on()
    return match


def turns(match: Match, bots: Mapping[str, Bot], most: int = 100_000) -> Iterator[Resolution]:
    """Let bots play on, exchange by exchange, to the end of the match."""
    while not match.run.over and match.exchange < most:
        answers = {}
        for ask in match.run.asks:
            view = match.run.view(ask.seat)
            submission = bots[ask.seat](match.rules, view, ask)
            answers[ask.seat] = match.rules.check(view, ask, submission.answer)
            match.minds[ask.seat] = Mind(match.rules.check_plan(view, ask, submission.plan), match.doctrine(ask.seat))
        yield match.go_on(answers)


def play(scenario: str, edition: str, seed: str, bot: Callable[[object], Bot], **more: Any) -> Match:
    """Play a whole match between two bots of a kind."""
    match = begin(scenario, edition, seed, **more)
    bots = {seat: bot(f"{seed}/{seat}") for seat in match.rules.seats}
    for _ in turns(match, bots):
        pass
    return match

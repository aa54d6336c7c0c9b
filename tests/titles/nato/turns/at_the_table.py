"""Play whole player turns by written orders: the orders of both sides go in, and the position comes out.

    game = a_game({"3116": "16GT NEGF", "3218": "22/1A"}, dice={"25.5.2": [6]})
    game.say(wp="16GT 3117")
    game.say(wp="attack 3218 with 16GT", nato="none")
    assert game.at("16GT") == "3218"

Orders are read, checked and carried out as on a server. Dice are given by the rule they are rolled under; a roll
without a die fails the test, and so does a die that is left when `game.over()` is called. The die of the Air Campaign
is a 3 unless given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from titles.nato.builders import a_data, a_state

from pbem.engine.play.resolve import Mind, as_the_rules_say, by_minds, resolve
from pbem.engine.play.run import Run
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Fail
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.state import NextStep
from pbem.titles.nato.board import Board, board_of
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.data_set import NatoData
from pbem.titles.nato.state import NatoState, Piece
from pbem.titles.nato.title import NatoRules


class ByRule:
    """Dice listed by the rule under which they are rolled, in the order of the rolls."""

    def __init__(self, dice: Mapping[str, Sequence[int]]) -> None:
        self.left = {rule: list(rolls) for rule, rolls in dice.items()}
        self.ordinals: dict[str, int] = {}

    def roll(self, sides: int, rule: str, subjects: tuple[str, ...], *, secret: bool) -> int:
        if rule == "23.1.1" and not self.left.get(rule):
            return 3
        assert self.left.get(rule), f"no die is left for {rule} {subjects}"
        return self.left[rule].pop(0)


class Game:
    """A match in progress, played exchange by exchange."""

    def __init__(
        self, data: NatoData, state: NatoState, dice: Mapping[str, Sequence[int]], asks: Sequence[str] = ()
    ) -> None:
        self.rules, self.dice, self.asks = NatoRules(data), ByRule(dice), asks
        self.run, self.minds, self.findings = Run(self.rules, state), dict[str, Mind](), list[Finding]()
        self._go_on({})

    @property
    def state(self) -> NatoState:
        found: NatoState = self.run.state
        return found

    @property
    def board(self) -> Board:
        return board_of(self.rules.data, self.state)

    def say(self, **texts: str) -> Game:
        """Answer the open exchange with orders by seat; write underscores for the dashes in a seat's name."""
        answers: dict[str, Any] = {}
        for seat, text in texts.items():
            ask = self.run.ask_of(name := seat.replace("_", "-"))
            assert ask is not None, f"{name} is not asked: {[str(ask) for ask in self.run.asks]}"
            read = self.rules.read(self.state, ask, text)
            answers[name] = self.rules.check(self.state, ask, read.answer)
            self.minds[name] = Mind(plan=self.rules.check_plan(self.state, ask, read.plan))
        self._go_on(answers)
        return self

    def refused(self, seat: str, text: str) -> set[str]:
        """Return the rules under which orders are refused; there are none if they are accepted."""
        ask = self.run.ask_of(seat)
        assert ask is not None
        try:
            read = self.rules.read(self.state, ask, text)
            self.rules.check(self.state, ask, read.answer)
            self.rules.check_plan(self.state, ask, read.plan)
        except Refusal as refusal:
            return {objection.rule for objection in refusal.objections}
        return set()

    def _go_on(self, answers: Mapping[str, Any]) -> None:
        found = resolve(self.run, answers, self.dice, by_minds(self.minds), self._waits)  # type: ignore[arg-type]
        self.findings += found.findings
        assert list(self.rules.flaws(self.state)) == []

    def _waits(self, ask: Ask) -> bool:
        return ask.kind in self.asks or as_the_rules_say(ask)

    # --- looking ---------------------------------------------------------------------------------------------

    def at(self, id: str) -> str:
        """Return the place of a unit, or `lost`."""
        return self.state.pieces[id].at if id in self.state.pieces else "lost"

    def places(self, ids: str) -> str:
        return " ".join(self.at(id) for id in ids.split())

    def piece(self, id: str) -> Piece:
        return self.state.pieces[id]

    def told(self, rule: str) -> list[Any]:
        """Return the results of the findings under a rule."""
        return [found.result for found in self.findings if found.rule == rule]

    def why_not(self, id: str) -> list[str]:
        """Return why the orders for a unit were not carried out."""
        missed = [found for found in self.findings if found.result == "passed over"]
        return [str(why) for found in missed if found.inputs.get("unit") == id for why in found.inputs["why"]]

    def failed(self) -> dict[str, str]:
        """Return each line that was not carried out, with its reason, or the last of several reasons."""
        told = [shown for found in self.findings for shown in found.shows if isinstance(shown, Fail)]
        return {fail.order: str(fail.why) for fail in told}

    def over(self) -> Game:
        """Check that every die was rolled."""
        assert not any(self.dice.left.values()), f"dice are left: {self.dice.left}"
        return self


def a_game(
    units: Mapping[str, str],
    data: NatoData | None = None,
    *,
    side: Side = Side.WP,
    step: str = "movement",
    dice: Mapping[str, Sequence[int]] | None = None,
    marks: Mapping[str, Mapping[str, Any]] | None = None,
    asks: Sequence[str] = (),
    **state: Any,
) -> Game:
    """Return a match that waits for the orders of a phase.

    `marks` sets fields of units, and `asks` names windows that wait for their player.
    """
    start = a_state(units, side=side, **state)
    for id, fields in (marks or {}).items():
        for name, value in fields.items():
            setattr(start.pieces[id], name, value)
    start.next = NextStep(step, {"side": side} if step == "movement" else {})
    return Game(data or a_data(), start, dice or {}, asks)

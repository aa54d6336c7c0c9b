"""The common base of Panzer's decisions.

PanzerDecision    an ask with this turn's orders, standing orders, and refusals with tested proposals
SmallAsk          the answer is one line: a word, or the names of units
ActionAsk         lines like those of orders: the first that can be done now is the answer
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final

from pbem.engine.rules.ask import Answer
from pbem.engine.rules.decision import Decision
from pbem.engine.rules.happenings import Fail
from pbem.engine.rules.refusals import Illegal, Objection, Unreadable
from pbem.engine.rules.title import Plan, Submission
from pbem.engine.text.forms import FormLine
from pbem.engine.text.grammar import Line, Words, lines
from pbem.engine.text.messages import say, several
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.player.plan import AdvancedPlan, enemies_in, own_in, plain, read_plan
from pbem.titles.panzer.player.standing_orders import Clause
from pbem.titles.panzer.reading.language import parse
from pbem.titles.panzer.reading.naming import raise_all, refuse_strangers
from pbem.titles.panzer.reading.reader import Reader
from pbem.titles.panzer.reading.remarks import remark
from pbem.titles.panzer.reading.vocabulary import RULE
from pbem.titles.panzer.state import PanzerState
from pbem.titles.proposals import read_with_proposals

NO_ANSWER: Final = object()
"""Marks a line that does not answer the ask."""


def check_plan(view: PanzerState, seat: str, given: Any) -> dict[str, Any]:
    """Return the plan in canonical form, or refuse everything in it that names the wrong units.

    The order lines were checked when they were read; whether a wish can be fulfilled is decided when its time comes.
    """
    if not isinstance(given, dict):
        raise Unreadable(
            "plan", [Objection("4.2.1", say("a plan must be a JSON object"))], AdvancedPlan.__struct_fields__
        )
    plan = read_plan(given)
    own = [unit.id for unit in view.vehicles.values() if unit.side == seat]
    enemies = [unit.id for unit in view.vehicles.values() if unit.side != seat]
    raise_all(
        [
            *refuse_strangers(own_in(plan), own, say("that is not your unit")),
            *refuse_strangers(enemies_in(plan), enemies, say("that is not an enemy")),
        ]
    )
    return plain(plan)


class PanzerDecision(Decision[Any]):
    """An ask of Panzer. Answers are plain data: the rules check them and carry them out unchanged."""

    data: PanzerData
    view: PanzerState

    def default(self) -> Any:
        return self.ask.silence

    def plain(self, answer: Any) -> Answer:
        return answer

    def decode(self, given: Any) -> Any:
        return given

    def check(self, given: Any) -> Answer:
        """Return the canonical answer, or raise a refusal with everything wrong in it."""
        raise NotImplementedError

    # --- reading and restating

    def read_text(self, text: str) -> Submission:
        """Read lines; the proposals in a refusal are whole lines that have been tested."""
        return read_with_proposals(self.attempt, text)

    def attempt(self, text: str) -> Submission:
        """Read and check lines, without looking for alternatives to propose."""
        said = self.take(text)
        self.check(said.answer)
        check_plan(self.view, self.seat, said.plan)
        return said

    def take(self, text: str) -> Submission:
        """Return the submission in these lines, or refuse every line that cannot be carried out."""
        raise NotImplementedError

    def reader(self) -> Reader:
        return Reader(self.situation, self.ask)

    def sentence(self, answer: Any) -> Iterator[str]:
        """Yield the lines that would be read as this answer."""
        yield "done" if answer is None else str(answer).replace("_", "-")

    def restate(self, submission: Submission) -> Iterator[str]:
        """Yield the lines that would be read as this submission."""
        yield from self.sentence(submission.answer)

    def form(self) -> Iterator[FormLine]:
        """Yield the question, the possible answers, and the default ready to send."""
        about = f"{self.kind} {self.ask.subject}".strip()
        yield from remark(
            say(
                "Turn {turn}, {side}: {about} ({rule})",
                turn=self.view.turn,
                side=self.seat,
                about=about,
                rule=self.ask.rule,
            )
        )
        yield from self.may_say()

    def may_say(self) -> Iterator[FormLine]:
        """Yield the possible answers and the default."""
        yield from self.sentence(self.default())

    # --- plan and standing orders

    def from_plan(self, plan: Plan) -> Iterator[tuple[Any, str]]:
        yield from self.by_plan(read_plan(plan))

    def by_plan(self, plan: AdvancedPlan) -> Iterator[tuple[Any, str]]:
        """Yield the answers from this turn's orders, best first, each with its clause."""
        yield from ()

    def from_standing_orders(self, orders: Sequence[Clause]) -> Iterator[tuple[Any, str]]:
        for clause in orders:
            for answer in self.by_clause(clause):
                yield answer, clause.text

    def by_clause(self, clause: Clause) -> Iterator[Any]:
        """Yield the answers from one standing order."""
        yield from ()

    def failing(self, answer: Any, plan: AdvancedPlan, used: Mapping[str, int]) -> Iterator[Fail]:
        """Yield the orders of this turn that an answer does not fulfil."""
        yield from ()


class SmallAsk(PanzerDecision):
    """A decision answered in one line. `says` are examples of that line, for refusals and forms."""

    says: ClassVar[tuple[str, ...]] = ()

    def take(self, text: str) -> Submission:
        said = lines(text)
        if len(said) != 1:
            raise Unreadable(
                self.kind, [Objection(RULE, say("send one line, not {said} lines", said=len(said)))], self.says
            )
        reader = self.reader()
        with reader.at(said[0]):
            return Submission(self.read_line(reader, said[0]))
        raise_all(reader.refusals)
        raise AssertionError("a refusal was raised")

    def read_line(self, reader: Reader, line: Line) -> Any:
        """Return the answer in a line, or refuse it."""
        words = parse(line, "full_choice")
        meant = self.ask.silence if words.data == "by_default" else self.read_answer(reader, words)
        if meant is NO_ANSWER:
            raise Unreadable(
                line.written, [Objection(RULE, say("that does not answer this question"))], self.says, line.written
            )
        return meant

    def read_answer(self, reader: Reader, words: Words) -> Any:
        """Return the answer that a line means, or `NO_ANSWER`."""
        return NO_ANSWER

    def legal(self) -> Sequence[str]:
        """Return the words that answer this particular ask."""
        return self.says

    def may_say(self) -> Iterator[FormLine]:
        yield from remark(say("answer {words}", words=several(self.legal() or self.says, "or")))
        yield from self.sentence(self.ask.silence)


class ActionAsk(PanzerDecision):
    """A decision answered with lines like those of orders, or `done`."""

    def take(self, text: str) -> Submission:
        reader = self.reader()
        reader.take_all(text)
        reader.settle()
        raise_all(reader.refusals)
        return self.take_orders(reader, reader.plan())

    def take_orders(self, reader: Reader, plan: AdvancedPlan) -> Submission:
        """Return the first of these orders that can be carried out now; the others become the plan."""
        answer = next((answer for answer, _ in self.by_plan(plan) if answer is not None), None)
        if answer is None and (reader.line_of or reader.missions or reader.flights):
            raise Illegal(self.kind, [Objection(self.ask.rule, say("none of these can be done now"))], ["done"])
        return Submission(answer, plain(plan))

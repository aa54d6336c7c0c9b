"""Decisions: everything about one kind of ask in one class, and the loops common to all titles.

    Decision         one kind of ask, bound to its seat's view: options or a sampler, objections, reading,
                     form, sentence, and answers from plan and standing orders
    Said             the content of a player's lines so far, and the line of each part
    DecisionRules    the part of `Rules` that is the same for every title with decisions
    by_kind          a title's decisions by the name of their kind

Imports go one way: prospects import rules, decisions import prospects, and a step imports the decisions that it
asks for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, ClassVar, Generic, TypeVar

import msgspec

from pbem.engine.play.choice import Choice
from pbem.engine.rules.ask import Answer, Ask, Grade
from pbem.engine.rules.refusals import Illegal, Objection, Path, Refusal, Unreadable, each, raise_all
from pbem.engine.rules.situation import Outlook, Situation
from pbem.engine.rules.title import Plan, Reply, Rules, Submission
from pbem.engine.text.forms import FormLine, form_text
from pbem.engine.text.grammar import Language, Line, Words, lines, tokens
from pbem.engine.text.messages import Message, say

A = TypeVar("A")

MOST_CHOICES = 20
"""A small ask offers at most this many numbered choices."""

MOST_SAMPLES = 10
"""Where options cannot be listed, this many are drawn."""


class Said:
    """An answer under construction: the content of the lines so far, the plan, and the line of each part."""

    def __init__(self) -> None:
        self.answer: Any = None
        self.plan: dict[str, Any] = {}
        self.line: Line | None = None
        self.lines: dict[Path, Line] = {}

    def put(self, at: Path, value: Any) -> None:
        """Set a part of the answer; `()` is the whole."""
        if at:
            self._around(at)[at[-1]] = value
        else:
            self.answer = value
        self._note(at)

    def add(self, at: Path, value: Any) -> None:
        """Append to a list in the answer."""
        items = self._around(at).setdefault(at[-1], [])
        items.append(value)
        self._note((*at, len(items) - 1))

    def has(self, at: Path) -> bool:
        """Return whether a line has set this part, or something within it."""
        return any(path[: len(at)] == at for path in self.lines)

    def get(self, at: Path, otherwise: Any = None) -> Any:
        """Return the content of this part so far."""
        if not self.has(at):
            return otherwise
        found = self.answer
        for key in at:
            found = found[key]
        return found

    def line_of(self, at: Path) -> Line | None:
        """Return the line that set this part, or the nearest part around or within it."""
        for length in range(len(at), -1, -1):
            for path, line in self.lines.items():
                if path[:length] == at[:length] and (length or not path):
                    return line
        return None

    def _around(self, at: Path) -> Any:
        if self.answer is None:
            self.answer = {}
        found = self.answer
        for key in at[:-1]:
            found = found.setdefault(key, {})
        return found

    def _note(self, at: Path) -> None:
        if self.line is not None:
            self.lines[at] = self.line


class Decision(Generic[A]):
    """One kind of ask, bound to its seat's view. A title subclasses it with `kind` and `rule`.

    `Answer` and `About` are types that msgspec can convert to. `nothing` is the word for an answer of None; `shapes`
    holds the message for values that cannot be converted, by their place in the answer ("" for the whole). `language`
    is the title's grammar and `start` the rule of the grammar that reads one line.
    """

    kind: ClassVar[str]
    rule: ClassVar[str]
    grade: ClassVar[Grade] = "reaction"
    Answer: ClassVar[Any] = Any
    About: ClassVar[Any] = dict[str, Any]
    nothing: ClassVar[Any] = None
    shapes: ClassVar[Mapping[str, str | Message]] = {}
    language: ClassVar[Language]
    start: ClassVar[str] = "choice"

    def __init_subclass__(cls, kind: str = "", rule: str = "", **more: Any) -> None:
        super().__init_subclass__(**more)
        if kind:
            cls.kind, cls.rule = kind, rule

    def __init__(self, data: Any, view: Any, ask: Ask) -> None:
        self.data, self.ask, self.seat = data, ask, ask.seat
        self.given = view

    @cached_property
    def view(self) -> Any:
        """The seat's view, built when first needed."""
        return self.given() if callable(self.given) else self.given

    @cached_property
    def situation(self) -> Situation[Any, Any]:
        """The match as the seat sees it."""
        return Outlook(self.data, self.view)

    @cached_property
    def about(self) -> Any:
        """The ask's `about`, converted to its type."""
        return msgspec.convert(self.ask.about, self.About)

    @classmethod
    def make_ask(
        cls,
        seat: str,
        *,
        subject: str = "",
        about: Any = None,
        default: Any = None,
        grade: Grade | None = None,
        rule: str = "",
    ) -> Ask:
        """Return this decision's ask, for a step to yield."""
        return Ask(
            seat,
            cls.kind,
            rule or cls.rule,
            subject=subject,
            about={} if about is None else msgspec.to_builtins(about),
            default=None if default is None else msgspec.to_builtins(default),
            grade=grade or cls.grade,
        )

    # --- provided by a title ------------------------------------------------------------------------------------

    def options(self) -> Iterator[A]:
        """Yield legal answers, lazily: all of them, or the default and a fair sample where they cannot be listed."""
        yield self.default()
        for number in range(MOST_SAMPLES):
            yield self.sample(Choice(self.kind, self.ask.subject, self.seat, number))

    def sample(self, choice: Choice) -> A:
        """Draw one legal answer, each about equally likely."""
        return choice.one_of(list(islice(self.options(), 200)))

    def default(self) -> A:
        """Return the default answer. It is computed only when it is used."""
        return self.decode(self.ask.silence)

    def canonical(self, answer: A) -> A:
        """Return the same answer in canonical form, before any objections."""
        return answer

    def objections(self, answer: A) -> Iterator[Objection]:
        """Yield every objection to an answer, with its place in the answer."""
        yield from ()

    def name(self, at: Path, answer: A) -> str:
        """Return the name that players use for this part of an answer."""
        return str(at[-1]) if at else self.ask.subject or self.kind

    def instead(self, at: Path, answer: A) -> Sequence[str]:
        """Return whole lines that would be legal instead; called only if something is refused."""
        return ()

    def read(self, words: Words, said: Said) -> None:
        """Read one line, which by default is the number of a choice or `none`."""
        legal = self.choices()
        number = int("".join(tokens(words, "NUMBER")) or 0)
        if words.data != "none" and not 1 <= number <= len(legal):
            assert said.line is not None
            why = (
                say("choose a number from 1 to {legal}, or send `none`", legal=len(legal))
                if legal
                else say("there is nothing to choose; send `none`")
            )
            raise Unreadable(said.line.written, [Objection(self.language.rule, why)], ["none"])
        said.put((), legal[number - 1] if number else self.plain(self.default()))

    def form(self) -> Iterator[FormLine]:
        """Yield lines ready to edit and send back; a message becomes a comment.

        By default, these are the numbered choices as comments, and `none`.
        """
        about = ", ".join(f"{name} {value}" for name, value in self.ask.about.items())
        yield f"# {self.kind} {self.ask.subject}: {about}".rstrip(": ")
        for number, option in enumerate(self.choices(), start=1):
            yield f"# {number}: {option}"
        yield "none"

    def sentence(self, answer: A) -> Iterator[str]:
        """Yield the lines that would be read as this answer. No view is used, since a receipt must stay the same."""
        plain = self.plain(answer)
        yield "none" if plain == self.ask.silence else f"# {plain}"

    def from_plan(self, plan: Plan) -> Iterator[tuple[A, str]]:
        """Yield the plan's answers, best first, each with its clause."""
        yield from ()

    def from_standing_orders(self, orders: Any) -> Iterator[tuple[A, str]]:
        """Yield the compiled standing orders' answers, in the player's order, each with its clause."""
        yield from ()

    def parse(self, line: Line) -> Words:
        """Return the words of a line, or refuse it."""
        return self.language.parse(line, self.start)

    def comes_last(self, line: Line) -> bool:
        """Return whether a line is about everything not covered by other lines, such as `rest hold`."""
        return False

    # --- common to all decisions --------------------------------------------------------------------------------

    def plain(self, answer: A) -> Answer:
        """Return an answer as canonical JSON data."""
        return msgspec.json.decode(msgspec.json.encode(answer))

    def choices(self) -> list[Answer]:
        """Return the choices of a small ask other than its default, as data."""
        silence = self.plain(self.default())
        return [option for option in map(self.plain, islice(self.options(), MOST_CHOICES)) if option != silence]

    def decode(self, given: Any) -> A:
        """Return an answer in its type, or refuse it and explain what is in the wrong place."""
        try:
            found: A = msgspec.convert(self.nothing if given is None else given, self.Answer)
        except msgspec.ValidationError as error:
            raise self.refusal_of_type(str(error)) from error
        return self.canonical(found)

    def refusal_of_type(self, error: str) -> Unreadable:
        """Return the refusal of data of the wrong type."""
        why, _, where = error.partition(" - at ")
        place = "key" if where.startswith("`key`") else re.sub(r"\d+", "...", where.strip("`$."))
        sentence = self.shapes.get(place) or self.shapes.get("")
        rule = self.rule if sentence else self.language.rule if hasattr(self, "language") else self.rule
        return Unreadable(
            place or self.kind, [Objection(rule, sentence or say("this cannot be read: {why}", why=why))]
        )

    def check(self, given: Any) -> Answer:
        """Return the canonical answer, or raise every objection to it."""
        answer = self.decode(given)
        raise_all(self.refusals(answer))
        return self.plain(answer)

    def refusals(self, answer: A, said: Said | None = None) -> list[Refusal]:
        """Return one refusal for each part with objections, with the line that set it."""
        by_part: dict[Path, list[Objection]] = {}
        for objection in self.objections(answer):
            by_part.setdefault(objection.at, []).append(objection)
        found: list[Refusal] = []
        for at, objections in by_part.items():
            line = said.line_of(at) if said is not None else None
            written = line.written if line is not None else ""
            found.append(Illegal(self.name(at, answer), objections, self.instead(at, answer), written))
        return found

    def read_text(self, text: str) -> Submission:
        """Read a player's lines and check them as a whole; every failing line is refused, in order."""
        said, refused = Said(), list[tuple[int, Refusal]]()
        found = sorted(lines(text), key=self.comes_last)
        for line in found:
            said.line = line
            try:
                self.read(self.parse(line), said)
            except Refusal as refusal:
                refused += [(line.number, with_line(single, line)) for single in each(refusal)]
        said.line = None
        if self.start == "choice" and len(found) != 1:
            why = say("send one line, not {found}", found=len(found))
            raise Unreadable(self.kind, [Objection(self.language.rule, why)], ["none"])
        answer = self.decode(said.answer)
        numbers = {line.written: line.number for line in found}
        refused += [(numbers.get(one.line, 0), one) for one in self.refusals(answer, said)]
        raise_all([refusal for _, refusal in sorted(refused, key=lambda pair: pair[0])])
        return Submission(self.plain(answer), self.plain_plan(said.plan))

    def plain_plan(self, plan: dict[str, Any]) -> dict[str, Any]:
        """Return a plan as canonical JSON data."""
        found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(plan))
        return found


def with_line(refusal: Refusal, line: Line) -> Refusal:
    """Return the refusal with its line."""
    return type(refusal)(refusal.part, refusal.objections, refusal.instead, refusal.line or line.written)


def by_kind(*decisions: type[Decision[Any]]) -> dict[str, type[Decision[Any]]]:
    """Return a title's decisions by the name of their kind."""
    return {decision.kind: decision for decision in decisions}


class DecisionRules(Rules):
    """The common behaviour of titles with decisions. A title provides `decisions` and reads its plan.

    A title in transition may have decisions for some kinds only: it overrides a method, checks `has_decision`, and
    calls this implementation or its own.
    """

    decisions: Mapping[str, type[Decision[Any]]] = {}

    def has_decision(self, ask: Ask) -> bool:
        return ask.kind in self.decisions

    def decide(self, view: Any, ask: Ask) -> Decision[Any]:
        """Return an ask's decision, bound to a view or to a function that builds one."""
        return self.decisions[ask.kind](self.data, view, ask)

    def options(self, view: Any, ask: Ask) -> Iterator[Answer]:
        decision = self.decide(view, ask)
        return map(decision.plain, decision.options())

    def check(self, view: Any, ask: Ask, answer: Answer) -> Answer:
        return self.decide(view, ask).check(answer)

    def read(self, view: Any, ask: Ask, text: str) -> Submission:
        return self.decide(view, ask).read_text(text)

    def form(self, view: Any, ask: Ask) -> str:
        return form_text(self.form_lines(view, ask), self.comment_width)

    def form_lines(self, view: Any, ask: Ask) -> Sequence[FormLine]:
        return list(self.decide(view, ask).form())

    def default(self, view: Callable[[], Any], ask: Ask) -> Answer:
        decision = self.decide(view, ask)
        return decision.plain(decision.default())

    def decode_answer(self, ask: Ask, answer: Answer) -> Any:
        decision = self.decisions[ask.kind]
        return msgspec.convert(decision.nothing if answer is None else answer, decision.Answer)

    def restate(self, ask: Ask, submission: Submission) -> str:
        decision = self.decide(None, ask)
        said = [*decision.sentence(decision.decode(submission.answer)), *self.plan_lines(submission.plan)]
        return "\n".join(said) + "\n"

    def plan_lines(self, plan: Mapping[str, Any]) -> Sequence[str]:
        """Return the lines that would be read as this plan."""
        return ()

    def from_plan(self, view: Any, ask: Ask, plan: Plan) -> Iterator[Reply]:
        decision = self.decide(view, ask)
        for answer, clause in decision.from_plan(plan):
            yield Reply(decision.plain(answer), clause)

    def from_standing_orders(self, view: Any, ask: Ask, orders: Any) -> Iterator[Reply]:
        decision = self.decide(view, ask)
        for answer, clause in decision.from_standing_orders(orders):
            yield Reply(decision.plain(answer), clause)

"""Properties that every title must have; a title's tests inherit `TitleContract` and name the matches to play.

`not_yet` names the tests that a title does not pass yet; the list may only shrink.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, ClassVar

import msgspec
import pytest

from pbem.engine.play.bots import Bot, random_bot
from pbem.engine.play.choice import Choice
from pbem.engine.play.dice import Dice
from pbem.engine.play.resolve import Mind, Replies, Resolution, by_minds, by_record, resolve, resume, waits_for
from pbem.engine.play.run import Mark, Run
from pbem.engine.rules.ask import GRADES, Ask
from pbem.engine.rules.findings import MASTER, PUBLIC, Finding, happenings_in, seen_by
from pbem.engine.rules.happenings import Appear
from pbem.engine.rules.refusals import Refusal, each
from pbem.engine.rules.state import from_bytes, to_bytes
from pbem.engine.rules.title import Rules, Submission, Title, Wish
from pbem.engine.text.messages import Message
from pbem.engine.text.sheets import Advising
from pbem.tools.film_checks import exchange_flaws, failed_units, fate_flaws, fates, fold

MOST_OPTIONS = 40
MOST_EXCHANGES = 200
MOST_SHEETS = 4
"""The number of exchanges of a match in which all unit sheets are tried."""


class Stop(msgspec.Struct):
    """One exchange of a played match: its asks, answers and results."""

    asks: tuple[Ask, ...]
    views: dict[str, Any]
    given: dict[str, Submission]
    resolution: Resolution
    marks: list[Mark]
    after: dict[str, Any]
    dice: Callable[[], Dice]
    state: bytes


def settled(ask: Ask) -> Ask:
    """Return an ask with its default computed now, before the state changes."""
    return msgspec.structs.replace(ask, default=ask.silence)


def dice_for(seed: object, exchange: int) -> Callable[[], Dice]:
    """Return a function that gives fresh dice for an exchange, the same at each call."""
    rungs = [hashlib.sha256(f"{seed}/{exchange}/{which}".encode()).digest() for which in ("open", "secret")]
    return lambda: Dice(rungs[0], rungs[1], f"{seed}/{exchange}")


def every(findings: Any) -> Iterator[Finding]:
    """Yield all findings in trees of findings."""
    for finding in findings:
        yield finding
        yield from every(finding.children)


class TitleContract:
    """The contract of titles.

    A subclass gives `title`, `matches` (scenario and options) and, where it can, the hooks below.
    """

    title: ClassVar[Title]
    matches: ClassVar[tuple[tuple[str, Mapping[str, Any]], ...]]
    seeds: ClassVar[tuple[int, ...]] = (1, 2)
    most_exchanges: ClassVar[int] = MOST_EXCHANGES
    not_yet: ClassVar[frozenset[str]] = frozenset()

    # --- hooks ------------------------------------------------------------------------------------------------

    def bot(self, rules: Rules, seed: object) -> Bot:
        """Return a bot that plays legal orders of every kind."""
        return random_bot(seed)

    def board(self, view: Any) -> dict[str, Any]:
        """Return the place of each unit that a view shows, in the form that happenings use."""
        return {stand.id: stand.at for stand in self.rules_of(0).stands(view) if stand.at is not None}

    def ordered_units(self, ask: Ask, answer: Any) -> set[str]:
        """Return the units that an answer orders to do something that the map will show."""
        return set(self.rules_of(0).ordered_units(ask, answer))

    def other_worlds(self, rules: Rules, state: Any, viewer: str) -> Iterator[Any]:
        """Yield states that differ from this one only in data that the viewer may not see."""
        yield from ()

    def wishes(self, rules: Rules, view: Any, ask: Ask) -> Iterator[Wish]:
        """Yield orders for many units, which `propose` turns into lines."""
        yield from ()

    def wrong_lines(self, rules: Rules, view: Any, ask: Ask, choice: Choice) -> Iterator[str]:
        """Yield lines that are nearly legal: lines of the form with one wrong word."""
        for line in rules.form(view, ask).splitlines():
            words = line.split("#")[0].split()
            for place in range(len(words)):
                other = choice.one_of([*words, "x9", "7", "0"])
                yield " ".join([*words[:place], other, *words[place + 1 :]])

    may_wait_for_others: ClassVar[frozenset[str]] = frozenset()
    """Rules by which an order is refused only because other units have not been ordered to make room."""

    # --- playing ----------------------------------------------------------------------------------------------

    @classmethod
    @cache
    def rules_of(cls, number: int) -> Rules:
        scenario, options = cls.matches[number]
        return cls.title.rules(cls.title.freeze(scenario, options))

    def played(self, number: int, seed: int, mode: str) -> list[Stop]:
        """Return the exchanges of a match between bots; the same arguments give the same match."""
        kept: dict[Any, list[Stop]] = type(self).__dict__.get("_played") or {}
        type(self)._played = kept  # type: ignore[attr-defined]
        key = (number, seed, mode)
        if key not in kept:
            kept[key] = list(self._play(self.rules_of(number), seed, mode))
        return kept[key]

    def _play(self, rules: Rules, seed: int, mode: str) -> Iterator[Stop]:
        run = Run(rules, rules.setup(tuple(self.title.switches)))
        waits, bot, given = waits_for(rules.modes[mode]), self.bot(rules, seed), dict[str, Submission]()
        plans: dict[str, tuple[str, dict[str, Any]]] = {}
        for exchange in range(self.most_exchanges):
            asks, views = (
                tuple(map(settled, run.asks)),
                {viewer: self._copy(run.view(viewer)) for viewer in run.viewers()},
            )
            given = {ask.seat: bot(rules, run.view(ask.seat), ask) for ask in asks}
            period = rules.plan_period(run.state)
            for seat, said in given.items():
                if said.plan:
                    old = plans.get(seat, ("", {}))
                    plans[seat] = (period, rules.merge_plan(old[1] if old[0] == period else {}, said.plan))
            minds = {seat: Mind(plan) for seat, (of, plan) in plans.items() if of == period}
            dice, marks, state = dice_for(seed, exchange), list[Mark](), to_bytes(run.state)
            answers = {seat: said.answer for seat, said in given.items()}
            resolution = resolve(run, answers, dice(), by_minds(minds), waits, on_mark=marks.append)
            after = {viewer: self._copy(run.view(viewer)) for viewer in run.viewers()}
            yield Stop(asks, views, given, resolution, marks, after, dice, state)
            if not run.asks:
                return

    @staticmethod
    def _copy(view: Any) -> Any:
        """Return a copy of the view that later play does not change."""
        return msgspec.convert(msgspec.to_builtins(view), type(view)) if isinstance(view, msgspec.Struct) else view

    def cases(self, mode: str = "plan") -> Iterator[tuple[Rules, list[Stop]]]:
        for number in range(len(self.matches)):
            for seed in self.seeds:
                yield self.rules_of(number), self.played(number, seed, mode)

    @pytest.fixture(autouse=True)
    def _pass_over_what_is_not_there_yet(self, request: pytest.FixtureRequest) -> None:
        if request.node.originalname in self.not_yet:
            pytest.skip("this title does not promise it yet")

    # --- the contract -----------------------------------------------------------------------------------------

    def test_every_mode_names_grades_and_waits_for_orders(self) -> None:
        for number in range(len(self.matches)):
            modes = self.rules_of(number).modes
            assert "plan" in modes and modes["plan"] == {"order"}
            assert all(grades <= GRADES and "order" in grades for grades in modes.values())

    def test_a_match_is_played_in_every_mode_without_breaking_an_invariant(self) -> None:
        for mode in self.rules_of(0).modes:
            for rules, stops in self.cases(mode):
                for stop in stops:
                    for mark in stop.marks:
                        assert list(rules.flaws(from_bytes(mark.state, rules.state_type))) == []
                assert all(ask.seat in rules.seats for stop in stops for ask in stop.asks)

    def test_replay_gives_the_same_state_findings_and_dice(self) -> None:
        for rules, stops in self.cases():
            run = Run(rules, rules.setup(tuple(self.title.switches)))
            for stop in stops:
                assert to_bytes(run.state) == stop.state
                answers = {seat: said.answer for seat, said in stop.given.items()}
                waits = waits_for(rules.modes["plan"])
                again = resolve(run, answers, stop.dice(), by_record(stop.resolution.autos), waits)
                assert again.findings == stop.resolution.findings
                assert again.dice.rolls == stop.resolution.dice.rolls

    def test_a_strict_run_is_the_same(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A run that serialises the state and reads it back at each step gives the same play."""
        monkeypatch.setattr(Run, "strict", True)
        self.test_replay_gives_the_same_state_findings_and_dice()

    def test_exchanges_that_nobody_reads_lead_to_the_same_state_and_the_same_last_report(self) -> None:
        for rules, stops in self.cases():
            run = Run(rules, rules.setup(tuple(self.title.switches)))
            for stop in stops:
                last = stop is stops[-1]
                answers = {seat: said.answer for seat, said in stop.given.items()}
                replies, waits = by_record(stop.resolution.autos), waits_for(rules.modes["plan"])
                again = resolve(run, answers, stop.dice(), replies, waits, told=last)
                assert again.dice.rolls == stop.resolution.dice.rolls
                assert not last or again.findings == stop.resolution.findings

    def test_a_run_can_be_resumed_at_every_step_start(self) -> None:
        for rules, stops in self.cases():
            stop = max(stops, key=lambda stop: len(stop.marks))
            end = stops[stops.index(stop) + 1].state if stop is not stops[-1] else None
            for mark in stop.marks[:: max(1, len(stop.marks) // 8)]:
                run, dice = Run.resume(rules, mark), stop.dice()
                dice.ordinals = dict(mark.ordinals)
                resume(run, mark, dice, self._left(stop.resolution.autos), waits_for(rules.modes["plan"]))
                assert end is None or to_bytes(run.state) == end

    @staticmethod
    def _left(autos: list[Replies]) -> list[Replies]:
        return autos

    def test_defaults_and_options_are_legal(self) -> None:
        for mode in self.rules_of(0).modes:
            for rules, stops in self.cases(mode):
                for stop in stops:
                    for ask in stop.asks:
                        self._check_ask(rules, stop.views[ask.seat], ask)

    def _check_ask(self, rules: Rules, view: Any, ask: Ask) -> None:
        rules.check(view, ask, rules.default(lambda: view, ask))
        for option, _ in zip(rules.options(view, ask), range(MOST_OPTIONS), strict=False):
            canonical = rules.check(view, ask, option)
            assert rules.check(view, ask, canonical) == canonical

    def test_a_form_can_be_sent_back_as_it_is(self) -> None:
        for rules, stops in self.cases():
            for stop in stops:
                for ask in stop.asks:
                    view = stop.views[ask.seat]
                    rules.check(view, ask, rules.read(view, ask, rules.form(view, ask)).answer)

    def test_every_choice_on_a_sheet_is_an_order_that_is_accepted(self) -> None:
        for rules, stops in self.cases():
            for stop in stops[:MOST_SHEETS]:
                for ask in stop.asks:
                    for unit in rules.roll_call(stop.views[ask.seat], ask) if isinstance(rules, Advising) else ():
                        self._check_sheet(rules, stop.views[ask.seat], ask, unit)

    def _check_sheet(self, rules: Any, view: Any, ask: Ask, unit: str) -> None:
        """Check that the line that a sheet writes for a choice is accepted, alone or with the rest of the form."""
        sheet = rules.sheet(view, ask.seat, ask, unit)
        assert sheet is not None, f"{unit} has no sheet"
        form = [line for line in rules.form(view, ask).splitlines() if unit not in re.split(r"[\s+]+", line)]
        for choice in sheet.choices:
            if choice.against or "{x}" in choice.line:
                continue
            lines = list(choice.lines(unit))
            for line in dict.fromkeys([lines[0], lines[len(lines) // 2], lines[-1]]):
                against = self._against(rules, view, ask, line) and self._against(
                    rules, view, ask, "\n".join([*form, line])
                )
                assert against <= self.may_wait_for_others, f"“{line}” is offered and refused: {against}"

    def _against(self, rules: Rules, view: Any, ask: Ask, text: str) -> set[str]:
        """Return the rules by which a text is refused; there are none if it is accepted."""
        try:
            rules.read(view, ask, text)
        except Refusal as refusal:
            return {objection.rule for one in each(refusal) for objection in one.objections} or {"unreadable"}
        return set()

    def test_what_a_receipt_restates_is_what_is_played(self) -> None:
        for rules, stops in self.cases():
            for stop in stops:
                for ask in stop.asks:
                    said, view = stop.given[ask.seat], stop.views[ask.seat]
                    sealed = Submission(rules.check(view, ask, said.answer), rules.check_plan(view, ask, said.plan))
                    again = rules.read(view, ask, rules.restate(ask, sealed))
                    assert rules.check(view, ask, again.answer) == sealed.answer
                    assert rules.check_plan(view, ask, again.plan) == sealed.plan

    def test_every_proposal_of_a_refusal_is_a_whole_line_that_is_accepted(self) -> None:
        for rules, stops in self.cases():
            for stop in stops[:4]:
                for ask in stop.asks:
                    view, choice = stop.views[ask.seat], Choice("wrong", ask.seat, ask.kind)
                    for line in self.wrong_lines(rules, view, ask, choice):
                        self._check_proposals(rules, view, ask, line)

    def _check_proposals(self, rules: Rules, view: Any, ask: Ask, line: str) -> None:
        try:
            rules.read(view, ask, line)
        except Refusal as refusal:
            for one in each(refusal):
                for proposed in one.instead:
                    rules.read(view, ask, proposed)

    def test_every_finding_has_a_sentence(self) -> None:
        for rules, stops in self.cases("ask"):
            for stop in stops:
                assert all(str(rules.tell(finding)).strip() for finding in every(stop.resolution.findings))

    def test_a_map_that_is_drawn_is_told_in_messages(self) -> None:
        for rules, stops in self.cases():
            for stop in stops[:: max(1, len(stops) // 3)]:
                for viewer, view in stop.views.items():
                    if rules.picture(view, viewer) is not None:
                        lines = rules.describe(view, viewer)
                        assert lines and all(isinstance(line, Message) for line in lines)

    def test_the_score_is_by_side(self) -> None:
        for rules, stops in self.cases():
            sides = set(rules.sides.values())
            for stop in stops:
                for mark in stop.marks[-1:]:
                    score = rules.score(from_bytes(mark.state, rules.state_type))
                    assert set(score) == sides and all(isinstance(points, int) for points in score.values())

    def test_a_view_does_not_depend_on_what_is_hidden(self) -> None:
        for rules, stops in self.cases():
            for stop in stops:
                state = from_bytes(stop.state, rules.state_type)
                for viewer in (*rules.seats, PUBLIC):
                    view = msgspec.to_builtins(rules.view(state, viewer))
                    for other in self.other_worlds(rules, from_bytes(stop.state, rules.state_type), viewer):
                        assert msgspec.to_builtins(rules.view(other, viewer)) == view

    def test_the_public_knows_no_more_than_any_seat(self) -> None:
        for rules, stops in self.cases():
            for stop in stops:
                public = set(map(msgspec.json.encode, every(seen_by(stop.resolution.findings, PUBLIC))))
                for seat in (*rules.seats, MASTER):
                    assert public <= set(
                        map(msgspec.json.encode, every(_bare(stop.resolution.findings, seat, public)))
                    )

    def test_view_before_and_happenings_give_the_view_after(self) -> None:
        for rules, stops in self.cases():
            for stop in stops:
                for viewer in (*rules.seats, PUBLIC):
                    board = dict(self.board(stop.views[viewer]))
                    for happening in happenings_in(seen_by(stop.resolution.findings, viewer)):
                        fold(board, happening)
                    assert board == self.board(stop.after[viewer])

    def test_films_are_whole_and_tell_no_secrets_and_orders_have_fates(self) -> None:
        for rules, stops in self.cases():
            for stop in stops:
                before = {viewer: stop.views[viewer] for viewer in (*rules.seats, PUBLIC)}
                assert list(exchange_flaws(rules, before, stop.after, stop.resolution.findings)) == []
                for ask in stop.asks if rules.tells_happenings else ():
                    seen = seen_by(stop.resolution.findings, ask.seat)
                    assert list(fate_flaws(rules, ask, stop.given[ask.seat].answer, seen)) == []

    def test_happenings_name_nothing_that_the_viewer_may_not_know(self) -> None:
        for rules, stops in self.cases():
            for stop in stops:
                for viewer in (*rules.seats, PUBLIC):
                    known = {*self.board(stop.views[viewer]), *self.board(stop.after[viewer])}
                    for ask in stop.asks:  # own units that were told to come onto the map
                        known |= rules.ordered_units(ask, stop.given[viewer].answer) if ask.seat == viewer else set()
                    seen, public = (seen_by(stop.resolution.findings, one) for one in (viewer, PUBLIC))
                    known |= failed_units(seen) - failed_units(public)  # own units off the map, such as aircraft
                    for happening in happenings_in(seen):
                        if isinstance(happening, Appear):
                            known.add(happening.who)
                        assert getattr(happening, "who", None) in {*known, None}

    def test_every_order_ends_in_a_happening_or_a_reason(self) -> None:
        for _, stops in self.cases():
            for stop in stops:
                for ask in stop.asks:
                    findings = seen_by(stop.resolution.findings, ask.seat)
                    told = fates(findings)
                    assert self.ordered_units(ask, stop.given[ask.seat].answer) <= told

    def test_formations_and_proposals_for_many_units(self) -> None:
        for rules, stops in self.cases():
            asked: set[str] = set()
            for stop in stops:
                for ask in stop.asks:
                    view = stop.views[ask.seat]
                    assert rules.formations(view, ask.seat) or ask.seat in asked  # a seat may lose all of its units
                    asked.add(ask.seat)
                    for wish in self.wishes(rules, view, ask):
                        proposal = rules.propose(view, ask, wish)
                        for line in proposal.lines:
                            told = rules.preview(view, ask, line)
                            assert told or type(rules).preview is Rules.preview, f"no preview of {line}"
                        if proposal.lines:
                            rules.read(view, ask, "\n".join(proposal.lines))


def _bare(findings: Any, viewer: str, public: set[bytes]) -> Iterator[Finding]:
    """Yield a viewer's findings, and each of them again without the children that the public does not see."""
    for finding in every(seen_by(findings, viewer)):
        yield finding
        children = tuple(child for child in finding.children if msgspec.json.encode(child) in public)
        yield msgspec.structs.replace(finding, children=children)

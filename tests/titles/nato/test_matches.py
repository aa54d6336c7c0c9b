"""Whole matches between bots and random players: no errors, no violated invariants, three exchanges a player turn."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from pbem.engine.play.bots import Bot, random_bot
from pbem.engine.play.resolve import Mind, always_asked, as_the_rules_say, by_minds, resolve
from pbem.engine.play.run import Mark, Run
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.state import from_bytes
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.state import Battle
from pbem.titles.nato.title import Nato, NatoRules

SEEDS = range(3)


@cache
def introduction() -> NatoRules:
    title = Nato()
    return title.rules(title.freeze("leine", {}))


class Seeded:
    """Dice whose rolls follow from a seed."""

    def __init__(self, seed: object) -> None:
        self.seed, self.count = seed, 0
        self.ordinals: dict[str, int] = {}

    def roll(self, sides: int, rule: str, subjects: tuple[str, ...], *, secret: bool) -> int:
        self.count += 1
        found = hashlib.sha256(f"{self.seed}|{self.count}".encode()).digest()
        return int.from_bytes(found[:4], "big") % sides + 1


def play(
    rules: NatoRules,
    make: Callable[[object], Bot],
    seed: object,
    on_exchange: Callable[[Run], None],
    waits: Callable[[Ask], bool] = as_the_rules_say,
    on_mark: Callable[[Mark], None] | None = None,
) -> Run:
    """Play a match between bots, exchange by exchange."""
    run, dice, bots = Run(rules, rules.setup(())), Seeded(seed), {seat: make((seed, seat)) for seat in rules.seats}
    answers: dict[str, Any] = {}
    minds: dict[str, Mind] = {}
    for _ in range(200):
        resolve(run, answers, dice, by_minds(minds), waits, on_mark)  # type: ignore[arg-type]
        if run.over:
            return run
        on_exchange(run)
        answers = {}
        for ask in run.asks:
            view = run.view(ask.seat)
            given = bots[ask.seat](rules, view, ask)
            answers[ask.seat] = rules.check(view, ask, given.answer)
            minds[ask.seat] = Mind(plan=rules.check_plan(view, ask, given.plan))
    raise AssertionError("the match does not end")


def sound(run: Run) -> None:
    assert list(run.rules.flaws(run.state)) == []


@pytest.mark.parametrize("seed", SEEDS)
def test_a_match_of_steady_bots_ends_with_an_outcome_and_breaks_no_invariant(seed: int) -> None:
    rules = introduction()
    run = play(rules, rules.bot, seed, sound)

    assert run.state.outcome is not None and run.state.outcome.rule == "34.0"
    assert rules.score(run.state) == {"wp": run.state.outcome.score["wp"], "nato": run.state.outcome.score["nato"]}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_match_of_random_orders_breaks_no_invariant(seed: int) -> None:
    assert play(introduction(), random_bot, seed, sound).state.outcome is not None


@pytest.mark.parametrize("seed", SEEDS)
def test_25_1_a_battle_is_open_while_its_windows_wait_and_never_between_two_steps(seed: int) -> None:
    """With every window asked, a waiting state may hold an open battle; a state at the start of a step never does."""
    rules, bold = introduction(), introduction().bots["reckless"]((seed, ""))
    opened: list[bool] = []

    def bot(key: object) -> Bot:
        chance = random_bot(key)
        return lambda rules, view, ask: (bold if ask.grade == "order" else chance)(rules, view, ask)

    def on_exchange(run: Run) -> None:
        sound(run)
        opened.append(run.state.battle is not None)

    def on_mark(mark: Mark) -> None:
        state = from_bytes(mark.state, rules.state_type)
        assert state.battle is None and list(rules.flaws(state)) == []

    play(rules, bot, seed, on_exchange, always_asked, on_mark)
    assert any(opened)


def test_25_1_an_open_battle_must_be_the_last_one_declared() -> None:
    rules = introduction()
    state = rules.setup(())
    state.battle = Battle(objective="3218", side=Side.NATO)
    told = "\n".join(rules.flaws(state))
    assert "outside the Combat Phase" in told and "not the last one declared" in told


def test_a_player_turn_needs_at_most_three_exchanges() -> None:
    """Units move in the first exchange, fight in the second and follow up in the third; with `plan`, no
    window of a battle waits."""
    waits: list[tuple[int, str]] = []
    rules = introduction()
    play(rules, rules.bot, 1, lambda run: waits.append((run.state.turn, str(run.state.side))))

    assert max(waits.count(turn) for turn in set(waits)) <= 3


@pytest.mark.parametrize("seed", SEEDS)
def test_every_form_can_be_sent_back_as_it_is(seed: int) -> None:
    rules = introduction()

    def returned(run: Run) -> None:
        for ask in run.asks:
            view = run.view(ask.seat)
            read = rules.read(view, ask, rules.form(view, ask))
            assert rules.check(view, ask, read.answer) == rules.check(view, ask, rules.default(lambda: view, ask))  # noqa: B023

    play(rules, rules.bot, seed, returned)


def test_what_a_receipt_restates_is_read_as_the_same_submission() -> None:
    rules, bot = introduction(), introduction().bot(1)

    def restated(run: Run) -> None:
        for ask in run.asks:
            view = run.view(ask.seat)
            given = bot(rules, view, ask)
            lines = rules.restate(ask, given)
            try:
                read = rules.read(view, ask, lines)
            except Refusal as refusal:
                raise AssertionError(f"{lines}\n{refusal}") from refusal
            assert rules.check(view, ask, read.answer) == rules.check(view, ask, given.answer)
            assert rules.check_plan(view, ask, read.plan) == rules.check_plan(view, ask, given.plan)

    play(rules, rules.bot, 2, restated)

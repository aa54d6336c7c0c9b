"""Every line of a sealed form either shows an effect on the table, or its owner is told why it did not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from titles.tanks.builders import a_table, a_tank, run_phase

from pbem.engine.play.bots import Bot
from pbem.engine.play.choice import Choice
from pbem.engine.play.resolve import ANSWERED, waits_for
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import Finding, happenings_in, seen_by
from pbem.engine.rules.happenings import Change, Fail, Move, Shot
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.title import Submission
from pbem.titles.tanks.bots.players import reckless_bot
from pbem.titles.tanks.movement.phase import move_next, movement_phase
from pbem.titles.tanks.player.words import lines_followed
from pbem.titles.tanks.shooting.phase import shoot_next, shooting_phase
from pbem.titles.tanks.title import Tanks
from pbem.tools.simulate import Playing, checked_decision

MOVING = {"move_next": move_next}
SHOOTING = {"shoot_next": shoot_next}


def fails(findings: list[Finding], seat: str = "alpha") -> list[tuple[str, str]]:
    told = [happening for happening in happenings_in(seen_by(findings, seat)) if isinstance(happening, Fail)]
    return [(fail.order, f"{'not needed: ' if fail.needless else ''}{fail.why!s}") for fail in told]


def moved(forms: dict[str, Any], *tanks: Any, move: list[Any] | None = None, **more: Any) -> list[Finding]:
    table = a_table(*tanks, **more)
    answers = {f"movement {seat}": [{"orders": orders}] for seat, orders in forms.items()}
    return run_phase(table, movement_phase, MOVING, {**answers, "move": move or []}).findings


def fired(orders: dict[str, Any], *tanks: Any, shoot: list[Any] | None = None, dice: int = 0) -> list[Finding]:
    table = a_table(*tanks, dice=[1] * dice)
    answers = {"shooting alpha": [{"orders": orders}], "shoot": shoot or []}
    return run_phase(table, shooting_phase, SHOOTING, answers).findings


EAST = {"moves": [{"way": 90}]}
NORTH = {"moves": [{"way": 0}]}


def test_T1_1_an_owner_who_is_asked_again_and_says_something_else_is_told_so():
    findings = moved({"alpha": {"a1": [EAST]}}, a_tank("a1", 4000, 5000, 90), move=[{}])
    assert fails(findings) == [("a1: move 90", "it got another order when its turn came")]


@pytest.mark.parametrize("tactic", ["hunt", "hide", "rush"])
def test_T1_1_a_tank_with_a_tactic_that_stays_has_not_failed(tactic: str):
    findings = moved({"alpha": {"a1": [{"tactic": tactic}]}}, a_tank("a1", 4000, 5000, 90), move=[{}])
    assert fails(findings) == [(f"a1: {tactic}", "not needed: the tank stayed, since no other place was better")]


def test_T1_1_lines_that_were_not_needed_say_so_and_the_line_carried_out_does_not():
    hurt = {**NORTH, "when": [{"what": "hurt", "units": ["a1"]}]}
    findings = moved({"alpha": {"a1": [hurt, EAST, NORTH]}}, a_tank("a1", 4000, 5000, 90))
    assert fails(findings) == [
        ("a1: if a1 hurt: move 0", "not needed: its condition was not met"),
        ("a1: move 0", "not needed: an earlier line for this tank was carried out"),
    ]


def test_T7_1_an_owner_who_is_asked_again_and_holds_fire_is_told_so():
    tanks = a_tank("a1", 1000, 5000, 90), a_tank("b1", 8000, 5000, 270)
    findings = fired({"a1": [{"targets": ["b1"]}]}, *tanks, shoot=[None])
    assert fails(findings) == [("a1: shoot b1", "it got another order when its turn came")]
    assert fails(fired({"a1": [{"targets": ["best"]}]}, *tanks, shoot=[None])) == [
        ("a1: shoot best", "it got another order when its turn came")
    ]


def test_T7_12_a_crew_that_has_bailed_out_is_the_reason_for_every_kind_of_list():
    tanks = a_tank("a1", 1000, 5000, 90, criticals=["bailed-out"]), a_tank("b1", 8000, 5000, 270)
    assert fails(fired({"a1": [{"targets": ["best"]}]}, *tanks)) == [
        ("a1: shoot best", "Bailed Out prevents the tank from shooting")
    ]


def test_T1_3_an_order_of_equals_that_decides_nothing_says_so():
    table = a_table(a_tank("a1", 1000, 5000, 90), a_tank("a2", 1000, 7000, 90, "super-pershing"))
    findings = run_phase(table, movement_phase, MOVING, {"movement alpha": [{"sequence": ["a2", "a1"]}]}).findings
    assert fails(findings) == [
        ("order of a2, a1", "not needed: none of these tanks is tied with another in initiative")
    ]
    equal = a_table(a_tank("a1", 1000, 5000, 90), a_tank("a2", 1000, 7000, 90))
    findings = run_phase(equal, movement_phase, MOVING, {"movement alpha": [{"sequence": ["a2", "a1"]}]}).findings
    assert fails(findings) == []


def test_T5_3_a_critical_that_takes_the_speed_token_shows_it():
    table = a_table(a_tank("a1", 1000, 5000, 90), a_tank("b1", 8000, 5000, 270, speed=2, moved=True))
    takes = next(card.id for card in table.data.criticals.values() if card.effect.no_speed)
    table.state.deck = [takes]
    table.chance.left = [6, 1, 1, 1, 1, 1, 1, 1]  # type: ignore[attr-defined]
    run_phase(table, shooting_phase, SHOOTING, {"shooting alpha": [{"orders": {"a1": [{"targets": ["b1"]}]}}]})
    assert Change("b1", "speed", 0) in list(happenings_in(table.findings))


# --- random play -------------------------------------------------------------------------------------------------


def lines_without_a_fate(playing: Playing, asks: list[Ask], given: dict[str, Submission]) -> Iterator[str]:
    """Yield lines without a fate: they did not fail, and the tank carried out another line or did nothing."""
    for ask in asks:
        if ask.kind not in ("movement", "shooting"):
            continue
        happened = list(happenings_in(seen_by(playing.told, ask.seat)))
        quoted = [happening.order for happening in happened if isinstance(happening, Fail)]
        seen = {happening.who for happening in happened if isinstance(happening, Move | Shot)}
        left: dict[str, list[str]] = {}
        for line in playing.rules.restate(ask, given[ask.seat]).splitlines():
            if line in quoted:
                quoted.remove(line)
            elif not line.startswith("order of"):
                left.setdefault(line.partition(":")[0], []).append(line)
        for tank, lines in left.items():
            quiet = lines[0].endswith((" stay", " hold"))
            if len(lines) > 1 or not (quiet or tank in seen):
                yield f"{lines}, and {tank} {'did' if tank in seen else 'did not do'} something"


class Watched(Playing):
    """A match that keeps the findings since the last forms."""

    told: list[Finding]

    def count(self, resolution: Any, marks: Any) -> None:
        self.told = [*getattr(self, "told", []), *resolution.findings]


@pytest.mark.parametrize("mode, turns", [("plan", 8), ("ask", 2)])
def test_every_line_of_a_form_has_a_fate(mode: str, turns: int):
    title = Tanks()
    rules = title.rules(title.freeze("crossroads", {}))
    match = Watched(rules, title.switches, 1, waits_for(rules.modes[mode]))
    match.go_on({})
    form: tuple[list[Ask], dict[str, Submission]] = ([], {})
    while not match.run.over and match.run.state.turn <= turns:
        asks = list(match.run.asks)
        given = {ask.seat: checked_decision(rules, match.run, reckless_bot(ask.seat), ask.seat) for ask in asks}
        if any(ask.kind in ("movement", "shooting", "command") for ask in asks):
            assert list(lines_without_a_fate(match, *form)) == []
            form, match.told = (asks, given), []
        match.go_on(given)
    assert form[0]


# --- cards, dice and repairs ---------------------------------------------------------------------------------------


def some_plan(rules: Any, view: Any, ask: Ask, choice: Choice) -> dict[str, Any]:
    """Return lines about everything that a form of this phase accepts, including some useless ones."""
    own, enemies = list(view.of(ask.seat)), [tank.id for tank in view.enemies(ask.seat)]
    cards = [f"{tank.id}: {verb} {held.id}" for tank in own for held in tank.cards for verb in ("use", "keep")]
    dice = [f"{tank.id}: reroll {wish}" for tank in own for wish in ("always", "never", "below 2")]
    dice += [f"{tank.id}: repair {card}" for tank in own for card in rules.data.criticals]
    dice += [f"{tank.id}: again {enemy}" for tank in own for enemy in enemies]
    plan: dict[str, Any] = {}
    for _ in range(6):
        line = choice.one_of([*cards, *(dice if ask.kind == "shooting" else ())])
        with suppress(Refusal):
            plan = rules.merge_plan(plan, rules.read(view, ask, line).plan)
    return plan


def planning_bot(seed: object) -> Bot:
    """A reckless bot that also gives lines about cards and dice."""
    own = reckless_bot(seed)

    def decide(rules: Any, view: Any, ask: Ask) -> Submission:
        plans = ask.kind in ("movement", "shooting")
        plan = some_plan(rules, view, ask, Choice(seed, view.turn, ask.kind)) if plans else {}
        return Submission(own(rules, view, ask).answer, plan)

    return decide


@pytest.mark.parametrize("mode, turns", [("plan", 8), ("ask", 2)])
def test_every_line_about_cards_dice_and_repairs_is_followed_or_has_a_reason(mode: str, turns: int):
    title, told = Tanks(), Counter[str]()
    rules = title.rules(title.freeze("open-battle", {}))
    match = Watched(rules, title.switches, 1, waits_for(rules.modes[mode]))
    bots = {seat: planning_bot(seat) for seat in rules.seats}
    match.go_on({})
    while not match.run.over and match.run.state.turn <= turns:
        match.go_on(match.answered(bots))
        if not match.between_turns:
            continue
        for seat, plan in match.plans.items():
            findings = seen_by(match.told, seat)
            quoted = {order for order, _ in fails(findings, seat)}
            followed = lines_followed(one.inputs["clause"] for one in findings if one.rule == ANSWERED)
            for line in rules.plan_lines(plan):
                assert (line in followed) != (line in quoted), (line, seat)
                told["followed" if line in followed else "not needed"] += 1
        match.told = []
    assert told["not needed"] > 5 and (told["followed"] >= 5 or mode == "ask")

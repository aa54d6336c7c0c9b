"""Whole turns by lines as players send them: speed, cover, range, sides and cards, worked out by hand.

From its middle a Sherman 75 is 290 long and 130 wide, a Panzer IV 295 and 145; an arrow is 1500. The Sherman has 4
attack dice, a defence of 1 and Gung Ho, which takes one off its own speed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from titles.tanks.builders import a_data, a_piece, a_state, a_tank

from pbem.engine.play.resolve import Mind, by_minds, resolve
from pbem.engine.play.run import Run
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.state import NextStep
from pbem.titles.tanks.state import Piece, Tank
from pbem.titles.tanks.title import TanksRules


class Fixed:
    """Dice that show one number, unless a rule has its own list."""

    def __init__(self, dice: Mapping[str, int]) -> None:
        self.dice = dice
        self.ordinals: dict[str, int] = {}
        self.rolled: list[tuple[str, str]] = []

    def roll(self, sides: int, rule: str, subjects: tuple[str, ...], *, secret: bool) -> int:
        self.rolled.append((rule, subjects[0]))
        return min(sides, self.dice.get(rule, 1))


@dataclass
class Turn:
    tanks: dict[str, Tank]
    findings: list[Finding]
    rolled: list[tuple[str, str]]

    def dice(self, rule: str, who: str, key: str) -> list[Any]:
        """Return the numbers of attack or defence dice of a tank."""
        named = "shooter" if rule == "T7.4" else "target"
        found = (one for one in self.findings if one.rule == rule and one.inputs.get(named) == who)
        return [one.result for one in found if key in one.inputs]


def a_turn(
    *tanks: Tank, alpha: Sequence[str], bravo: Sequence[str] = (), pieces: Sequence[Piece] = (), **dice: int
) -> Turn:
    """Play a turn from the forms of both seats for its phases, in order; an empty form gives no orders."""
    state = a_state(*tanks, pieces=pieces, turn=1)
    state.next = NextStep("movement_phase")
    rules, fixed = TanksRules(a_data()), Fixed(dice)
    run, forms = Run(rules, state), {"alpha": list(alpha), "bravo": list(bravo)}
    plans: dict[str, Any] = {}

    def go_on(answers: dict[str, Any]) -> list[Finding]:
        minds = by_minds({seat: Mind(plan=plans.get(seat, {})) for seat in forms})
        return list(resolve(run, answers, fixed, minds).findings)  # type: ignore[arg-type]

    findings = go_on({})
    for _ in range(3):
        answers: dict[str, Any] = {}
        for ask in run.asks:
            text = forms[ask.seat].pop(0) if forms[ask.seat] else ""
            view = run.view(ask.seat)
            said = rules.read(view, ask, text) if text else None
            answers[ask.seat] = rules.check(view, ask, said.answer if said else ask.default)
            if said:
                plans[ask.seat] = rules.check_plan(view, ask, said.plan)
        findings += go_on(answers) if answers else []
    return Turn(run.state.tanks, findings, fixed.rolled)


def ours(y: int = 8000, x: int = 5000, heading: int = 0, model: str = "", **more: Any) -> Tank:
    return a_tank("a1", x, y, heading, model, **more)


def theirs(y: int = 1500, x: int = 5000, heading: int = 180, model: str = "", **more: Any) -> Tank:
    return a_tank("b1", x, y, heading, model, **more)


STAY, HOLD = "b1: stay", "b1: hold"


@pytest.mark.parametrize(
    ("tanks", "pieces", "alpha", "defence"),
    [
        ((ours(), theirs()), (), "a1: move n, n", 2),  # 1 + 2 - 1 for Gung Ho
        ((ours(), theirs(heading=0)), (), "a1: stay", 0),  # from behind
        ((ours(), theirs()), (a_piece("wood-1", 5000, 1500),), "a1: stay", 2),
        ((ours(model="comet"), theirs(x=2000, y=600)), (), "a1: move n, n", 3),  # no Gung Ho
        ((ours(y=3500), theirs()), (), "a1: stay", 0),  # 3500 - 290 - 1795 is less than an arrow
        ((ours(y=3586), theirs()), (), "a1: stay", 1),  # a tenth of a millimetre more than an arrow
    ],
)
def test_T7_6_defence_dice_of_a_whole_turn(tanks: Any, pieces: Any, alpha: str, defence: int):
    turn = a_turn(*tanks, pieces=pieces, alpha=[alpha, "a1: shoot b1"], bravo=[STAY, HOLD])
    assert turn.dice("T7.6", "b1", "defence") == [defence]


def test_T5_4_two_tanks_meet_and_the_second_stops_at_the_first():
    """The Panzer IV moves first, to 3590, with its front at 3885; the Sherman's second arrow ends there, at 4175.

    Both have speed: one rolls 1 + (2 - 1) + 1 - 1 dice at close range, and the other rolls 1 + 1 + 2 - 1.
    """
    turn = a_turn(
        ours(), theirs(), alpha=["a1: move n, n", "a1: shoot b1"], bravo=["b1: move s", "b1: shoot a1"]
    )  # fmt: skip
    assert (turn.tanks["b1"].at.y, turn.tanks["a1"].at.y) == (3590, 4175)
    assert turn.dice("T7.6", "b1", "defence") == [2] and turn.dice("T7.6", "a1", "defence") == [3]


@pytest.mark.parametrize(("gap", "target", "dice"), [(600, "b1", [4, 5]), (3300, "b1", [4, 4]), (600, "b2", [4, 4])])
def test_T9_3_coordinated_fire_of_two_t_34(gap: int, target: str, dice: list[int]):
    """The second T-34 has one more die if the first shot at the same target from less than an arrow away."""
    pair = (a_tank(id, x, 8000, 0, "t-34") for id, x in (("a1", 5000), ("a2", 5000 + gap)))
    enemies = theirs(), a_tank("b2", 6500, 1500, 180)
    orders = ["a1: stay\na2: stay", f"a1: shoot b1\na2: shoot {target}"]
    turn = a_turn(*pair, *enemies, alpha=orders, bravo=["rest stay", "rest hold"])
    assert sorted(turn.dice("T7.4", "a1", "attack") + turn.dice("T7.4", "a2", "attack")) == dice


@pytest.mark.parametrize(("wish", "rolled"), [("always", 8), ("never", 4), ("below 1", 8)])
def test_T7_5_a_tank_that_stands_still_rolls_again_as_told(wish: str, rolled: int):
    orders = ["a1: stay", f"a1: shoot b1\na1: reroll {wish}"]
    turn = a_turn(ours(), theirs(), alpha=orders, bravo=[STAY, HOLD])
    assert len([who for rule, who in turn.rolled if rule in ("T7.4", "T7.5") and who == "a1"]) == rolled


def test_T2_4_a_supercharger_gives_three_moves_and_is_turned_up():
    """The three moves lead to 8000 - 3 x (1500 + 580) = 1760."""
    order = "a1: use supercharger then move n then move n then move n"
    turn = a_turn(ours(cards=["supercharger"]), theirs(x=2000), alpha=[order], bravo=[STAY])
    assert turn.tanks["a1"].at.y == 1760 and turn.tanks["a1"].cards[0].up


def test_T9_2_a_panzer_iv_that_stood_still_moves_in_the_command_phase():
    """The Panzer moves from y 1500 by its own length and one arrow, to 1500 + 2 x 295 + 1500 = 3590."""
    turn = a_turn(ours(x=8000), theirs(), alpha=["a1: stay", "a1: hold"], bravo=[STAY, HOLD, "b1: blitz move s"])
    assert turn.tanks["b1"].at.y == 3590


def test_T2_2_nets_help_a_tank_that_stood_still():
    alpha = ["a1: stay", "a1: hold\na1: use camouflage"]
    turn = a_turn(ours(cards=["camouflage"]), theirs(), alpha=alpha, bravo=[STAY, "b1: shoot a1"])
    assert turn.dice("T7.6", "a1", "defence") == [2]


@pytest.mark.parametrize(
    ("tanks", "alpha", "bravo"),
    [
        ((ours(model="comet", cards=["improvised-armour"]), theirs(x=2000)), ["a1: move n, n, n"], []),
        ((ours(cards=["supercharger", "improvised-armour"]), theirs(x=2000)),
         ["a1: use supercharger then move n then move n then move n"], []),
        ((ours(model="su-85", heading=180), theirs()), ["a1: stay", "a1: shoot b1"], [STAY, HOLD]),
        ((ours(), theirs()), ["a1: stay", "a1: shoot b1, b1"], [STAY, HOLD]),
        ((ours(), theirs()), ["a1: move 10.5"], []),
        ((ours(), theirs()), ["a1: move 400"], []),
        ((ours(), theirs()), ["b1: move 0"], []),
        ((ours(), theirs()), ["a1: use sandbags"], []),
        ((ours(y=400), theirs(x=2000, y=5000)), ["a1: move n"], []),
        ((ours(cards=["coordinator"]), theirs()), ["a1: stay", "a1: use coordinator for a1"], [STAY, HOLD]),
        ((ours(x=8000), theirs(criticals=["busted-track"])), ["a1: stay", "a1: hold"],
         [STAY, HOLD, "b1: blitz move s\nb1: repair busted track"]),
    ],
)  # fmt: skip
def test_lines_that_two_rules_together_forbid(tanks: Any, alpha: list[str], bravo: list[str]):
    with pytest.raises(Refusal):
        a_turn(*tanks, alpha=alpha, bravo=bravo)

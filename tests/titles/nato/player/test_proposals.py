"""Orders for many units take account of the lines that are already written."""

from __future__ import annotations

import pytest
from titles.nato.builders import a_data, a_state

from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.title import Wish
from pbem.titles.nato.combat.orders import Fight
from pbem.titles.nato.movement.orders import MovePhase
from pbem.titles.nato.title import NatoRules


def test_9_1_1_moves_proposed_one_after_the_other_are_legal_together() -> None:
    rules, ask = NatoRules(a_data()), MovePhase.make_ask("wp")
    names = ("16GT", "21", "11GT", "12GT")
    state = a_state({"3114": "NEGF", "3118": "16GT 21", "3218": "11GT 12GT"})
    written: tuple[str, ...] = ()
    for name in names:
        written += rules.propose(state, ask, Wish((name,), "move", goal="2919", kept=written)).lines
    apart = [line for name in names for line in rules.propose(state, ask, Wish((name,), "move", goal="2919")).lines]
    assert len(written) == len(names) and len({line.split()[-1] for line in written}) > 1
    with pytest.raises(Refusal):
        rules.read(state, ask, "\n".join(apart))
    assert len(rules.read(state, ask, "\n".join(written)).answer["moves"]) == len(names)
    again = rules.propose(state, ask, Wish(names, "move", goal="2919", kept=written))
    assert again.lines == () and set(again.left_out) == set(names)
    assert [str(one) for one in again.remarks] == ["cannot be given a move now: 16GT, 21, 11GT, 12GT"]
    there = rules.propose(state, ask, Wish(("16GT",), "move", goal="3118"))
    assert [str(one) for one in there.remarks] == ["cannot get nearer to 3118: 16GT"]


def test_25_1_1_a_unit_of_one_battle_is_not_proposed_for_another() -> None:
    rules, ask = NatoRules(a_data()), Fight.make_ask("wp")
    around = {"3114": "NEGF", "3118": "16GT", "3218": "1/1PZ", "3119": "21", "3117": "2/1PZ"}
    state = a_state(around, battles=["3218", "3117"])
    [line] = rules.propose(state, ask, Wish(("16GT",), "attack", target="3218")).lines
    free = rules.propose(state, ask, Wish(("16GT",), "attack", target="3117"))
    taken = rules.propose(state, ask, Wish(("16GT",), "attack", target="3117", kept=(line,)))
    assert free.lines and taken.lines == () and taken.left_out == ("16GT",)

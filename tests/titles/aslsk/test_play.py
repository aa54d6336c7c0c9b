"""Whole matches: what the DEFENDER is shown, how bots play, and invariants of the state."""

from __future__ import annotations

import hashlib

import pytest

from pbem.engine.play.run import Run
from pbem.engine.rules.findings import PUBLIC, seen_by
from pbem.titles.aslsk.bots.curious import curious_bot
from pbem.titles.aslsk.bots.steady import steady_bot
from pbem.titles.aslsk.orders import Clause, Orders
from pbem.titles.aslsk.title import Aslsk
from pbem.tools import simulate

TITLE = Aslsk()
LARGE = ("two-roads", "river-2-village")
"""Scenarios that take long when everything is asked: `pbem soak aslsk` plays them."""


class SeededDice:
    """Dice whose rolls follow from a seed."""

    def __init__(self, seed: object) -> None:
        self.seed, self.count = seed, 0

    def roll(self, sides: int, rule: str, subjects: tuple[str, ...], *, secret: bool) -> int:
        self.count += 1
        digest = hashlib.sha256(f"{self.seed}|{rule}|{subjects}|{self.count}".encode()).digest()
        return int.from_bytes(digest[:8], "big") % sides + 1


class NamedDice(SeededDice):
    """Dice by name, as in a match: a roll depends on its rule, its subjects and how often they have been rolled."""

    def __init__(self, seed: object) -> None:
        super().__init__(seed)
        self.rolled: dict[tuple[str, ...], int] = {}

    def roll(self, sides: int, rule: str, subjects: tuple[str, ...], *, secret: bool) -> int:
        name = (rule, *subjects)
        self.rolled[name] = self.rolled.get(name, 0) + 1
        digest = hashlib.sha256(f"{self.seed}|{name}|{self.rolled[name]}".encode()).digest()
        return int.from_bytes(digest[:8], "big") % sides + 1


def play(scenario, seed, bots, *, all_asked=False, stop=None, change=None, **options):
    """Play until the end, or until `stop` says so; `change` may rewrite an answer before it is used."""
    rules = TITLE.rules(TITLE.freeze(scenario, options))
    run = Run(rules, rules.setup(()))
    run.deal(NamedDice(seed))
    run.proceed()
    windows = []
    while run.asks and not (stop and stop(run)):
        answers = {}
        for ask in run.asks:
            view = run.view(ask.seat)
            if ask.grade == "order" or all_asked:
                answer = rules.check(view, ask, bots(rules, view, ask).answer)
            else:
                answer = rules.check(view, ask, rules.default(lambda view=view: view, ask))
            if change is not None:
                answer = change(run, ask, answer)
            if ask.kind == "window":
                windows.append((ask.subject, ask.about, answer, run.state.turn))
            answers[ask.seat] = answer
        run.proceed(answers)
        flaws = list(rules.flaws(run.state))
        assert flaws == [], flaws
    return run, windows


MATCHES = [
    *((scenario, {}) for scenario in TITLE.scenarios),
    ("first-light", {"los": "open", "tempo": 1}),
    ("river-1-fields", {"los": "open", "tempo": 1}),
    ("river-1-fields", {"tempo": 4}),
]


@pytest.mark.parametrize(("scenario", "options"), MATCHES)
def test_bots_play_every_scenario_to_its_end(scenario, options):
    run, _ = play(scenario, 1, steady_bot(1), **options)
    assert run.state.outcome is not None and run.state.outcome.rule == "3.9"


@pytest.mark.parametrize("seed", [1])
@pytest.mark.parametrize("scenario", [name for name in TITLE.scenarios if name not in LARGE])
def test_curious_bots_break_no_invariant_when_everything_is_asked(scenario, seed):
    run, _ = play(scenario, seed, curious_bot(seed), all_asked=True)
    assert run.state.outcome is not None


@pytest.mark.parametrize("seed", range(3))
def test_the_defender_decides_without_knowing_the_rest_of_the_move(seed):
    """If movement orders are cut off after an expenditure, the DEFENDER's windows and answers up
    to it are the same.
    """

    def stop(run):
        return run.state.phase == "defensive" or run.asks[0].kind == "advancing_fire"

    whole, windows = play("first-light", seed, curious_bot(seed), stop=stop)
    moves = whole.state.sealed[whole.state.attacker].moves
    assert moves and windows
    for cut in range(1, len(moves)):

        def cut_off(run, ask, answer, cut=cut):
            return {**answer, "moves": answer["moves"][:cut]} if ask.kind == "orders" else answer

        _, fewer = play("first-light", seed, curious_bot(seed), stop=stop, change=cut_off)
        assert fewer == windows[: len(fewer)]


def test_nobody_sees_the_orders_of_the_other_side():
    run, _ = play("first-light", 1, steady_bot(1), stop=lambda run: run.state.phase == "movement")
    first, second = run.rules.seats
    run.state.sealed[second] = Orders(plan=(Clause("sff"),))
    assert run.state.sealed[first] != Orders()
    assert set(run.view(first).sealed) == {first} and not run.view(PUBLIC).sealed
    other = run.view(first)
    run.state.sealed[second] = Orders()
    assert run.view(first) == other


def test_failed_orders_are_told_to_their_owner_alone():
    run, _ = play("noon-in-the-orchards", 2, curious_bot(2))
    failures = [found for found in run.table.findings if "order" in found.inputs and "why" in found.inputs]
    assert failures and all(found.to for found in failures)
    assert not [found for found in seen_by(run.table.findings, PUBLIC) if found in failures]


def test_the_steady_bot_beats_the_curious_one():
    """With the Russians, who have to attack, a sensible bot wins about every second match; a random one wins none."""
    wins = 0
    for seed in range(7):
        steady, curious = steady_bot(seed), curious_bot(seed)

        def both(rules, view, ask, steady=steady, curious=curious):
            return (steady if ask.seat == "russian" else curious)(rules, view, ask)

        run, _ = play("first-light", seed, both)
        wins += run.state.outcome.winner == "russian"
    assert wins >= 2


def test_by_mail_a_move_that_is_withdrawn_before_a_wave_is_told_to_its_owner():
    from titles.aslsk.builders import a_table, enter

    from pbem.titles.aslsk.movement.phase import amend
    from pbem.titles.aslsk.orders import MoveOrder, Orders

    table = a_table({"g1": ("467", "K5"), "g2": ("467", "L5")}, phase="movement")
    table.state.sealed = {"german": Orders(moves=(MoveOrder(("g1",), enter("K6")), MoveOrder(("g2",), enter("L6"))))}
    amend(table, "german", Orders(moves=(MoveOrder(("g1",), enter("K4")),)), 0)
    (told,) = table.findings
    assert told.to == ("german",) and [fate.who for fate in told.shows] == ["g2"]


def test_by_mail_a_rewritten_order_that_lets_a_stack_stay_is_told_to_its_owner():
    from titles.aslsk.builders import a_table, enter

    from pbem.titles.aslsk.movement.phase import amend
    from pbem.titles.aslsk.orders import Leg, MoveOrder, Orders

    table = a_table({"g1": ("467", "K5")}, phase="movement")
    table.state.sealed = {"german": Orders(moves=(MoveOrder(("g1",), enter("K6")),))}
    amend(table, "german", Orders(moves=(MoveOrder(("g1",), (Leg("smoke", "K6"),)),)), 0)
    (told,) = table.findings
    (fate,) = told.shows
    assert (fate.who, fate.order, str(fate.why)) == ("g1", "g1 move K6", "your new order leaves g1 behind")


def test_by_mail_the_moving_stack_takes_nobody_along_who_did_not_start_with_it():
    from titles.aslsk.builders import a_table, enter, moving_in

    from pbem.titles.aslsk.movement.phase import amend_on_the_way
    from pbem.titles.aslsk.movement.waves import GoOn
    from pbem.titles.aslsk.orders import MoveOrder, Orders

    table = a_table({"g1": ("467", "K5"), "g2": ("467", "K5"), "g3": ("467", "L5")}, phase="movement")
    moving_in(table, ["g1"])
    both = Orders(moves=(MoveOrder(("g1", "g2"), enter("K6")),))
    asked = GoOn(table.situation.data, table.state, GoOn.make_ask("german"))
    assert [one.english for one in asked.objections(both)] == ["g2 is not in the stack that is moving now"]

    first, second = MoveOrder(("g2",), enter("K4")), MoveOrder(("g1",), enter("K6"))
    table.state.sealed = {"german": Orders(moves=(first, second, MoveOrder(("g2", "g3"), enter("L6"))))}
    table.state.mover.line = 1
    amend_on_the_way(table, Orders(moves=(second, MoveOrder(("g3",), enter("L6")))))
    (told,) = table.findings
    assert [fate.who for fate in told.shows] == ["g2"], "the order that has already been played does not help it"


def test_3_3_a_unit_that_never_entered_is_lost_without_anybody_seeing_it():
    from titles.aslsk.builders import a_table

    from pbem.titles.aslsk.fire.morale import eliminate

    table = a_table({"g1": ("467", "")}, phase="advance")
    eliminate(table, table.state.units["g1"], "3.3/entry-exit")
    assert table.findings[0].result == "eliminated" and not table.findings[0].shows


def test_by_mail_a_player_turn_waits_three_times_and_the_set_up_apart_from_it():
    match = simulate.play(TITLE, "first-light", "waits")
    assert match.set_up == 1 and match.ended and not match.flaws
    assert set(match.waits[:-1]) == {6} and match.waits[-1] <= 6, "two player turns in each turn"
    assert max(match.player_waits) == 3 and sum(match.player_waits) == sum(match.waits)

"""4.5.1.1, 6.6 Every move that is possible step by step can be ordered, and every proposal is accepted.

ends          every end of a move, found step by step without the title's search
test_6_6      each of them can be ordered by hex and facing
test_4_2_1    every option passes its check; every proposal in a refusal is a line accepted unchanged
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from heapq import heappop, heappush
from itertools import count, islice
from typing import Any

import pytest
from support.rules import assert_rule
from titles.panzer.playing import Match, turns

from pbem.engine.geometry.hexes import Hex, hex_name
from pbem.engine.play.bots import Choice
from pbem.engine.play.resolve import always_asked, as_the_rules_say
from pbem.engine.play.run import Run
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal, each
from pbem.titles.panzer.binding import PanzerRules
from pbem.titles.panzer.movement.movement_step import mode_objections
from pbem.titles.panzer.movement.steps.driving import Stride, entry_facings
from pbem.titles.panzer.movement.steps.on_foot import DIRECTIONS
from pbem.titles.panzer.movement.steps.terrain_costs import crawls
from pbem.titles.panzer.movement.steps.unit_steps import March, MoveMode, UnitMover, mover_of, start, take
from pbem.titles.panzer.player.prospects import as_ordered
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import PanzerState, Status, Unit
from pbem.titles.panzer.title import Panzer

MODES: dict[str, MoveMode] = {"move": "cross", "road": "road", "quick": "quick"}
TURNS = ("l", "r", *(f"face:{way}" for way in DIRECTIONS))
ROADS = ("narrow_roads", "weight_limits", "dual_controls")


def bound(scenario: str, edition: str, rules: tuple[str, ...] = ()) -> PanzerRules:
    title = Panzer()
    return title.rules(title.freeze(scenario, {"edition": edition, **({"rules": list(rules)} if rules else {})}))


@cache
def bare_duel() -> PanzerRules:
    """The scenario `duel` under the advanced rules, without any rule that can be left out."""
    title = Panzer()
    blobs = dict(title.freeze("desert", {"edition": "2024"}))
    setup = title.freeze("duel", {"edition": "2024"})["scenario"].decode()
    left_out = ", ".join(f'"{rule}"' for rule in ADVANCED_RULES)
    setup = re.sub(r'id = "([gb])(\d)"', r'id = "\1\2", formation = "\1"', setup)
    table = f'[advanced]\nforce_grades = {{german = "veteran", british = "veteran"}}\nwithout = [{left_out}]\n\n'
    setup = setup.replace("[[side]]", table + "[[side]]", 1)
    for id, side in (("g", "german"), ("b", "british")):
        row = {"id": id, "side": side, "name": side, "nation": side, "grade": "veteran"}
        setup += "\n[[formation]]\n" + "".join(f'{key} = "{value}"\n' for key, value in row.items())
    return title.rules({**blobs, "scenario": setup.encode()})


def positions(rules: PanzerRules, seed: str, most: int, waits: Any = as_the_rules_say) -> Iterator[tuple[Any, Ask]]:
    """Return the asks during a match between bots that try everything."""
    match = Match(rules, seed, Run(rules, rules.setup(())), waits)
    match.go_on()
    bots = {seat: rules.bots["curious"](f"{seed}/{seat}") for seat in rules.seats}
    for _ in turns(match, bots, most):
        for ask in match.run.asks:
            yield match.run.view(ask.seat), ask


# --- every end -----------------------------------------------------------------------------------------------


def ends(mover: UnitMover, mode: MoveMode) -> dict[tuple[Hex, int], tuple[str, ...]]:
    """6.6 Return every hex and facing in which a move may end, with the cheapest steps, tried one by one."""
    found: dict[tuple[Hex, int], tuple[str, ...]] = {}
    seen: set[tuple[Any, ...]] = set()
    begun = start(mover, mode)
    number = count()
    waiting: list[tuple[int, int, March]] = [(begun.spent, next(number), begun)]
    while waiting:
        _, _, here = heappop(waiting)
        if here.turned > 6 or (known := remembered(here)) in seen:
            continue
        seen.add(known)
        place = (here.hex, here.facing) if here.hex is not None else None
        if place and place not in found and not any(mover.finish_objections(here)):
            found[place] = here.steps
        for step in steps_from(mover, here):
            stride = take(mover, here, step)
            if isinstance(stride, Stride) and isinstance(stride.progress, March):
                heappush(waiting, (stride.progress.spent, next(number), stride.progress))
    return found


def remembered(march: March) -> tuple[Any, ...]:
    """4.5.1.1 Everything except the cost that affects how a move can continue."""
    road = march.arrival, march.way, march.roads, march.paths
    turned = march.turned, march.turn_paid
    return (march.hex, march.facing, march.link, road, turned, march.owed, march.ended, march.levels, march.inside)


def steps_from(mover: UnitMover, march: March) -> list[str]:
    if march.hex is None:
        board = mover.land.board
        return [f"enter:{hex_name(hex)}:{way}" for hex in mover.entry for way in entry_facings(board, hex)]
    return ["down", *DIRECTIONS, *(f"face:{way}" for way in DIRECTIONS)] if mover.on_foot else list("fblr")


def can_move(view: PanzerState, unit: Unit) -> bool:
    waits = unit.status is Status.RESERVE and unit.entry_turn <= view.turn
    return (unit.alive or waits) and not unit.aboard and not unit.hidden and not crawls(unit) and not unit.track_hit


def unordered_ends(rules: PanzerRules, seed: str, most: int, sample: int) -> tuple[int, list[str]]:
    """Return how many ends of moves were ordered by hex and facing, and which of them were refused."""
    assert isinstance(rules, PanzerRules)
    choice, tried, wrong = Choice(seed), 0, []
    for view, ask in positions(rules, seed, most):
        if ask.kind != "commands":
            continue
        own = [unit for unit in view.of(ask.seat) if can_move(view, unit)]
        for unit in own:
            if choice.below(sample) or refusal_of(rules, view, ask, f"{unit.id} move"):
                continue
            for verb, mode in MODES.items():
                for line in reported_ends(rules, view, ask, unit, verb, mode):
                    if choice.below(3) == 0:
                        tried += 1
                        wrong += [f"{line}: {refused}" for refused in refusal_of(rules, view, ask, line)]
    return tried, wrong


def reported_ends(
    rules: PanzerRules, view: PanzerState, ask: Ask, unit: Unit, verb: str, mode: MoveMode
) -> Iterator[str]:
    ordered = as_ordered(view, ask.seat, {unit.id: "move"})
    mover = mover_of(Situation(rules.data, ordered), ordered.vehicles[unit.id], mode == "quick")
    if any(mode_objections(mover, mode)):
        return
    for (hex, facing), steps in ends(mover, mode).items():
        if mode == "cross" or any(step not in TURNS for step in steps):
            yield f"{unit.id} {verb} {hex_name(hex)} face {facing}"


def refusal_of(rules: PanzerRules, view: Any, ask: Ask, text: str) -> list[str]:
    """Return why a text is refused, or an empty text if it is accepted."""
    try:
        said = rules.read(view, ask, text)
        rules.check(view, ask, said.answer)
        rules.check_plan(view, ask, said.plan)
    except Refusal as refusal:
        return [str(refusal)]
    return []


@pytest.mark.parametrize(
    ("scenario", "edition", "rules", "most", "sample"),
    [
        ("desert", "2024", (), 6, 5),
        ("collision", "2016", (), 5, 8),
        ("combined", "2024", ROADS, 5, 12),
        ("delay", "2016", ROADS, 4, 10),
        ("darkness", "2024", (), 4, 9),
    ],
)
def test_6_6_every_end_that_can_be_reached_step_by_step_can_be_ordered(
    scenario: str, edition: str, rules: tuple[str, ...], most: int, sample: int
) -> None:
    tried, wrong = unordered_ends(bound(scenario, edition, rules), "e", most, sample)
    assert tried > 40
    assert wrong == []


def test_4_5_1_1_every_end_can_be_ordered_where_only_the_rules_of_the_basic_game_are_in_use() -> None:
    tried, wrong = unordered_ends(bare_duel(), "e", 3, 2)
    assert tried > 40
    assert wrong == []


@pytest.mark.rule("4.5.1.1.4")
def test_4_5_1_1_4_a_facing_that_the_cheapest_way_does_not_leave_can_be_ordered_all_the_same() -> None:
    rules = bare_duel()
    view, ask = next(at for at in positions(rules, "1", 3) if at[1].seat == "british" and at[1].kind == "commands")
    assert refusal_of(rules, view, ask, "br4 move M6 face 5") == []
    with pytest.raises(Refusal) as refused:
        rules.read(view, ask, "br4 move K7 face 2")
    assert_rule(refused.value, "4.5.1.1.4", why="in K7 the unit can only face 1 or 5 or 6")
    assert refused.value.instead == tuple(f"br4 move K7 face {facing}" for facing in (1, 5, 6))


@pytest.mark.rule("4.5.1.1.1")
def test_4_5_1_1_1_a_proposal_names_the_hexes_of_the_order_and_not_the_steps_between_them() -> None:
    rules = bare_duel()
    view, ask = next(at for at in positions(rules, "1", 3) if at[1].seat == "german" and at[1].kind == "commands")
    with pytest.raises(Refusal) as refused:
        rules.read(view, ask, "ge4 move F6 face 3 move T13")
    assert_rule(refused.value, "4.5.1.1.1", why="the unit cannot end its move in T13 this turn")
    assert refused.value.instead == tuple(f"ge4 move F6 face 3 move {hex}" for hex in ("G6", "F7", "E5"))


@pytest.mark.parametrize(
    ("said", "instead"),
    [
        ("move ge4 G6", "ge4 move G6"),
        ("ge4 G6", "ge4 move G6"),
        ("ge4 goto G6", "ge4 move G6"),
        ("ge1 br1", "ge1 fire br1"),
        ("ge1 dance", "ge1 hold"),
    ],
)
def test_4_2_1_a_line_in_another_order_or_without_its_verb_is_proposed_as_it_was_meant(
    said: str, instead: str
) -> None:
    rules = bare_duel()
    view, ask = next(at for at in positions(rules, "1", 3) if at[1].seat == "german" and at[1].kind == "commands")
    with pytest.raises(Refusal) as refused:
        rules.read(view, ask, said)
    assert refused.value.instead == (instead,)


# --- options and proposals -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scenario", "edition"), [("duel", "2024"), ("desert", "2024"), ("collision", "2016"), ("breach", "2024")]
)
def test_4_2_1_every_option_is_accepted_by_its_check(scenario: str, edition: str) -> None:
    rules, kinds = bound(scenario, edition), set()
    for view, ask in positions(rules, "o", 60, always_asked):
        kinds.add(ask.kind)
        for option in islice(rules.options(view, ask), 25):
            rules.check(view, ask, option)
    assert len(kinds) > 3


WORDS = (
    "hold", "fire", "short-halt", "move", "overwatch", "road", "quick", "crawl", "reverse", "exit", "enter",
    "assault", "mount", "dismount", "bail", "unload", "search", "overrun", "up", "down", "in", "out", "smoke",
    "pivot", "cover", "dig", "occupy", "call", "continue", "check", "sneak", "hide", "keep", "demolish", "turret",
    "with",
)  # fmt: skip


def slip(choice: Choice, rules: PanzerRules, view: Any, ask: Ask, said: str) -> str:
    """Return a line as a careless player might write it."""
    own = [unit.id for unit in view.vehicles.values() if unit.side == ask.seat]
    foe = [unit.id for unit in view.vehicles.values() if unit.side != ask.seat]
    hexes = [hex_name(hex) for hex in rules.data.board.hexes]
    unit, enemy, hex = choice.one_of(own), choice.one_of(foe), choice.one_of(hexes)
    words = choice.one_of(said.splitlines() or [f"{unit} hold"]).split() or ["done"]
    number = choice.below(len(words))
    wrong = choice.one_of((unit, enemy, hex, choice.one_of(WORDS), "zz", words[number] + "x", words[number][:-1]))
    return choice.one_of(
        (
            f"{unit} move {hex}",
            f"{unit} move {hex} face {1 + choice.below(6)}",
            f"{unit} road {hex}",
            f"{unit} move {' '.join(choice.one_of('fblr') for _ in range(1 + choice.below(8)))}",
            f"{unit} fire {enemy}",
            f"{unit} fire {enemy} with {1 + choice.below(5)}",
            f"{unit} short-halt {enemy} move {hex}",
            f"{unit} {choice.one_of(WORDS)} {choice.one_of((unit, enemy, hex))}",
            f"{unit} exit {choice.one_of(('north', 'east', 'south', 'west'))}",
            f"{unit[:1]} fire {enemy}",
            " ".join([*words[:number], wrong, *words[number + 1 :]]),
        )
    )


@pytest.mark.parametrize(
    ("scenario", "edition", "most", "slips", "waits"),
    [
        ("duel", "2024", 4, 20, as_the_rules_say),
        ("duel", "2016", 40, 2, always_asked),
        ("desert", "2024", 4, 24, as_the_rules_say),
        ("desert", "2024", 90, 2, always_asked),
        ("collision", "2016", 4, 20, as_the_rules_say),
        ("delay", "2016", 60, 2, always_asked),
    ],
)
def test_4_2_1_every_proposal_is_a_whole_line_that_is_accepted_as_proposed(
    scenario: str, edition: str, most: int, slips: int, waits: Any
) -> None:
    rules, choice, refused, proposed, wrong = bound(scenario, edition), Choice(scenario), 0, 0, []
    bots = {seat: rules.bots["curious"](seat) for seat in rules.seats}
    for view, ask in positions(rules, "p", most, waits):
        said = rules.restate(ask, bots[ask.seat](rules, view, ask))
        for _ in range(slips):
            line = slip(choice, rules, view, ask, said)
            try:
                rules.read(view, ask, line)
            except Refusal as refusal:
                refused += 1
                for proposal in (proposal for single in each(refusal) for proposal in single.instead):
                    proposed += 1
                    why = refusal_of(rules, view, ask, proposal)
                    wrong += [f"{line} -> {proposal}: {why[0]}"] if why else []
    assert refused > 20
    assert proposed > refused // 2
    assert wrong == []

"""The program and the referee judge the same positions of real matches and must agree.

`cd tests && PYTHONPATH=.. python -m programs.referee 10-30 desert,collision 12 2016` runs a long comparison.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
import pytest
from titles.panzer.referee.judge import Referee
from titles.panzer.referee.positions import positions

from pbem.engine.geometry.hexes import distance, neighbour
from pbem.titles.panzer.ap.ap_modifiers import an_ap_shot
from pbem.titles.panzer.cards.weapons import weapons_of
from pbem.titles.panzer.command.command_control import command_range
from pbem.titles.panzer.fire.gp_fire import direct_attack
from pbem.titles.panzer.fire.gp_modifiers import Case, gp_modifiers
from pbem.titles.panzer.movement.steps.unit_steps import mover_of
from pbem.titles.panzer.sighting.spotting import spots_now
from pbem.titles.panzer.sighting.terrain import place_of
from pbem.titles.panzer.situation import Situation

MATCHES = [("desert", 1, "2024"), ("collision", 2, "2024"), ("darkness", 2, "2016"), ("desert", 3, "2016")]


def compared(data: Any, state: Any) -> tuple[Counter[str], list[str]]:
    """Return how many questions of each kind were compared, and where the answers differ."""
    judge = Referee(msgspec.to_builtins(state), data.board, data.book, data.scenario, data.edition)
    asked: Counter[str] = Counter()
    wrong: list[str] = []

    def agree(kind: str, what: str, program: Any, referee: Any) -> None:
        asked[kind] += 1
        if program != referee:
            wrong.append(f"{kind} {what}: the program says {program}, the referee {referee}")

    units = [unit for unit in state.vehicles.values() if unit.alive]
    for unit in units:
        plain = judge.units[unit.id]
        agree(
            "command range", unit.formation, command_range(data, unit.formation), judge.command_range(unit.formation)
        )
        for enemy in (one for one in units if one.side != unit.side):
            seen = spots_now(Situation(data, state), unit, enemy, "earlier") if not enemy.aboard else False
            agree("spotting", f"{unit.id} {enemy.id}", seen, judge.spots(plain, judge.units[enemy.id]))
            if not enemy.aboard and judge.counter(plain)["command"] in ("fire", "short-halt"):
                compare_fire(data, state, unit, enemy, judge, agree)
        if not unit.aboard and unit.hex is not None and not unit.suppressed:
            compare_steps(data, state, unit, judge, agree)
    return asked, wrong


def compare_fire(data: Any, state: Any, unit: Any, enemy: Any, judge: Referee, agree: Any) -> None:
    away = distance(place_of(unit), place_of(enemy))
    if not away:
        return
    firer, target = judge.units[unit.id], judge.units[enemy.id]
    for arm in weapons_of(data, unit):
        if arm.weapon.has_ap and enemy.kind == "vehicle" and away <= arm.weapon.ranges[-1]:
            shot = an_ap_shot(Situation(data, state), unit, arm, "ap", enemy)
            agree("AP", f"{unit.id} {enemy.id}", shot.net, judge.ap_net(firer, target, shot.factor))
        found = arm.gp_at(away)
        if found and not (arm.fixed and enemy.kind == "vehicle"):
            attack = direct_attack(Situation(data, state), unit, arm, enemy)
            net = gp_modifiers(Case(Situation(data, state), attack, place_of(enemy), enemy)).result
            agree("GP", f"{unit.id} {enemy.id}", net, judge.gp_net(firer, target, found[0]))


def compare_steps(data: Any, state: Any, unit: Any, judge: Referee, agree: Any) -> None:
    if unit.kind == "leg" and data.leg(unit).mount != "foot":
        return
    land = mover_of(Situation(data, state), unit).land
    for direction in range(1, 7):
        if data.board.is_on_map(neighbour(unit.hex, direction)):
            price = land.entering(unit.hex, direction).total
            agree("steps", f"{unit.id} {direction}", price, judge.cost(judge.units[unit.id], direction))


@pytest.mark.parametrize(("scenario", "seed", "edition"), MATCHES)
def test_the_referee_agrees_with_the_program(scenario, seed, edition):
    total: Counter[str] = Counter()
    for data, state in positions(scenario, seed, most=3, edition=edition):
        asked, wrong = compared(data, state)
        assert wrong[:10] == []
        total += asked
    assert all(total[kind] for kind in ("command range", "spotting", "steps"))

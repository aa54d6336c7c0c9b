"""6.6.1, 7.19 Decisions about attacks by adjacent units.

6.6.1    Assault       all units that were ordered to attack a target and can
7.19     Demolition    engineers against terrain
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.engine.geometry.hexes import hex_name, parse_hex
from pbem.engine.rules.happenings import Fail
from pbem.titles.panzer.close_combat.close_combat import (
    assault_objections,
    assault_options,
    check_assault,
    legal_attacks,
)
from pbem.titles.panzer.decisions.base import ActionAsk
from pbem.titles.panzer.obstacles.demolition import check_demolish, demolish_options, engineers, grounds
from pbem.titles.panzer.player.fates import assault_fates, demolition_fates
from pbem.titles.panzer.player.plan import AdvancedPlan, AssaultWish
from pbem.titles.panzer.player.restating import write_assault, write_origin
from pbem.titles.panzer.player.shot_texts import SHOWN
from pbem.titles.panzer.player.standing_orders import Clause
from pbem.titles.panzer.sighting.terrain import place_of
from pbem.titles.panzer.state import Unit


class Assault(ActionAsk, kind="assault", rule="6.6.1"):
    """6.6.1 All attacks on one target, or no more."""

    def options(self) -> Iterator[Any]:
        return assault_options(self.situation, self.ask)

    def check(self, given: Any) -> Any:
        return check_assault(self.situation, self.ask, given)

    def sentence(self, answer: Any) -> Iterator[str]:
        if answer is None:
            yield "done"
            return
        for unit, hex in answer["attackers"]:
            yield f"{unit} {write_assault(AssaultWish(answer['target'], hex))}"

    def may_say(self) -> Iterator[str]:
        """6.6.1.1 The attacks that can be made."""
        for number, (unit, target, hex) in enumerate(legal_attacks(self.situation, self.ask)):
            if number < 4 * SHOWN:
                yield f"# {unit.id} assault {target.id}{f' from {hex_name(hex)}' if hex else ''}"
        yield from self.sentence(self.ask.silence)

    def by_plan(self, plan: AdvancedPlan) -> Iterator[tuple[Any, str]]:
        """6.6.1.1 Attack with all units that were ordered to attack a target and still can."""
        for target in dict.fromkeys(wish.target for wish in plan.assault.values()):
            enemy = self.view.vehicles.get(target)
            if target in self.ask.about.get("engaged", ()) or enemy is None or not enemy.alive:
                continue
            wishes = {id: wish for id, wish in plan.assault.items() if wish.target == target}
            attackers = [[id, wish.hex] for id, wish in wishes.items() if self.can(id, enemy, wish.hex)]
            if attackers:
                yield {"target": target, "attackers": attackers}, f"assault {target}"
            if here := [named for named in attackers if not named[1]]:  # 6.6.11: without those who would go too far
                yield {"target": target, "attackers": here}, f"assault {target}"

    def can(self, id: str, target: Unit, hex: str) -> bool:
        """6.6.1.1 Whether an attack that was ordered can still be made."""
        unit, place = self.view.vehicles[id], parse_hex(hex) if hex else None
        engaged = self.ask.about.get("engaged", ())
        return unit.alive and not any(assault_objections(self.situation, unit, target, place, engaged))

    def by_clause(self, clause: Clause) -> Iterator[Any]:
        """6.6.1 Never attack, or attack when the clause's number of units can do so from their present hexes."""
        if clause.kind != self.kind:
            return
        together: dict[str, list[list[str]]] = {}
        for unit, target, hex in legal_attacks(self.situation, self.ask) if clause.word != "never" else ():
            if hex is None:
                together.setdefault(target.id, []).append([unit.id, ""])
        for target_id, attackers in sorted(together.items(), key=lambda pair: -len(pair[1])):
            if len(attackers) >= clause.number:
                yield {"target": target_id, "attackers": attackers}
        yield None

    def failing(self, answer: Any, plan: AdvancedPlan, used: Mapping[str, int]) -> Iterator[Fail]:
        return assault_fates(self.situation, self.ask, answer, plan, used)


class Demolition(ActionAsk, kind="demolish", rule="7.19"):
    """7.19 One attack by engineers on terrain, or no more."""

    def options(self) -> Iterator[Any]:
        return demolish_options(self.situation, self.ask)

    def check(self, given: Any) -> Any:
        return check_demolish(self.situation, self.ask, given)

    def sentence(self, answer: Any) -> Iterator[str]:
        if answer is None:
            yield "done"
            return
        start = answer.get("advance", {})
        for unit in answer["attackers"]:
            yield f"{unit} demolish {answer['feature']}{write_origin(start.get(unit, ''))}"

    def may_say(self) -> Iterator[str]:
        """7.19 The targets that engineers can attack."""
        for unit in engineers(self.situation, self.seat):
            for name in grounds(self.situation, unit):
                yield f"# {unit.id} demolish {name}"
        yield from self.sentence(self.ask.silence)

    def by_plan(self, plan: AdvancedPlan) -> Iterator[tuple[Any, str]]:
        """7.19 The engineers in one hex that were ordered to attack the same work, together."""
        together: dict[tuple[str, str], list[str]] = {}
        for id, feature in plan.demolish.items():
            unit = self.view.vehicles[id]
            if unit.alive and not unit.assaulted:
                here = plan.demolish_from.get(id) or hex_name(place_of(unit))
                together.setdefault((feature, here), []).append(id)
        for (feature, _), units in together.items():
            advance = {id: plan.demolish_from[id] for id in units if id in plan.demolish_from}
            answer = {"feature": feature, "attackers": units} | ({"advance": advance} if advance else {})
            yield answer, f"demolish {feature}"

    def failing(self, answer: Any, plan: AdvancedPlan, used: Mapping[str, int]) -> Iterator[Fail]:
        return demolition_fates(self.situation, self.ask, answer, plan, used)

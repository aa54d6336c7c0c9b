"""6.8 Adjustments at the end of a turn: facings, full cover, digging, turrets, hatches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from pbem.engine.rules.happenings import Fail
from pbem.engine.rules.title import Submission
from pbem.titles.panzer.decisions.base import ActionAsk
from pbem.titles.panzer.end_of_turn.adjustment import (
    adjust_options,
    check_adjust,
    cover_objections,
    objections_to,
    pivot_objections,
)
from pbem.titles.panzer.fire.turrets import SHUT, has_turret, hatch_objections
from pbem.titles.panzer.player.fates import adjustment_fates
from pbem.titles.panzer.player.plan import Adjustments, AdvancedPlan
from pbem.titles.panzer.player.restating import write_adjustments
from pbem.titles.panzer.player.standing_orders import Clause
from pbem.titles.panzer.player.towards import enemies_of, facing_to, turrets_to, wants_cover
from pbem.titles.panzer.reading.reader import Reader


class Adjusting(ActionAsk, kind="adjust", rule="6.8"):
    """6.8 All adjustments of a side at once."""

    def options(self) -> Iterator[Any]:
        return adjust_options(self.situation, self.ask)

    def check(self, given: Any) -> Any:
        return check_adjust(self.situation, self.ask, given)

    def take_orders(self, reader: Reader, plan: AdvancedPlan) -> Submission:
        return Submission(self.check(msgspec.to_builtins(plan.adjust)))

    def sentence(self, answer: Any) -> Iterator[str]:
        yield from write_adjustments(msgspec.convert(answer, Adjustments)) or ["done"]

    def may_say(self) -> Iterator[str]:
        """6.8 List the leg units and guns that can turn or take cover, and turrets and hatches that can be set."""
        for unit in self.view.of(self.seat) if not self.ask.about.get("start") else ():
            if unit.kind != "vehicle" and not unit.aboard:
                yield f"# {unit.id} pivot {unit.facing} {'uncover' if unit.full_cover else 'cover'}"
        for unit in self.view.of(self.seat):  # 7.8
            if not any(hatch_objections(self.data, unit)):
                yield f"# {unit.id} {'unshut' if SHUT in unit.flags else 'shut'}"
            if has_turret(self.data, unit):
                yield f"# {unit.id} turret {unit.turret}"
        yield from self.sentence(self.ask.silence)

    def by_plan(self, plan: AdvancedPlan) -> Iterator[tuple[Any, str]]:
        """6.8 The planned adjustments that are possible; nothing else is adjusted, even by standing orders."""
        wished = msgspec.to_builtins(plan.adjust)
        found: dict[str, dict[str, Any]] = {}
        for part, units in wished.items():
            for id, value in units.items():
                unit = self.view.vehicles.get(id)
                if unit is None or not unit.alive:
                    continue
                if not any(objections_to(self.situation, part, unit, value)):
                    found.setdefault(part, {})[id] = value
        if wished:
            yield found, "adjustments as ordered"

    def from_standing_orders(self, orders: Sequence[Clause]) -> Iterator[tuple[Any, str]]:
        """6.8 Answer with pivots and cover, following the first clause of each kind."""
        if found := self.usual(orders):
            yield found, "pivot and cover"

    def usual(self, orders: Sequence[Clause]) -> dict[str, dict[str, Any]]:
        """6.8 Leg units and guns turn to the nearest enemy and take cover; explicitly ordered facings stay."""
        pivot = next((clause.word for clause in orders if clause.kind == "pivot"), "never")
        cover = next((clause.word for clause in orders if clause.kind == "cover"), "never")
        units = [unit for unit in self.view.of(self.seat) if unit.kind != "vehicle" and not unit.aboard]
        enemies = enemies_of(self.view, self.seat)
        turned = {
            unit.id: facing
            for unit in (units if pivot == "nearest" else ())
            if not unit.faced
            and not any(pivot_objections(unit))
            and (facing := facing_to(unit, enemies)) not in (0, unit.facing)
        }
        covered = {
            unit.id: True
            for unit in units
            if wants_cover(self.view, unit, cover)
            and not unit.full_cover
            and not any(cover_objections(self.situation, unit, True))
        }
        swung = turrets_to(self.situation, self.seat, enemies) if pivot == "nearest" else {}  # 7.8.1
        parts = (("pivot", turned), ("cover", covered), ("turret", swung))
        return {part: found for part, found in parts if found}

    def failing(self, answer: Any, plan: AdvancedPlan, used: Mapping[str, int]) -> Iterator[Fail]:
        return adjustment_fates(self.situation, self.ask, answer, plan, used)

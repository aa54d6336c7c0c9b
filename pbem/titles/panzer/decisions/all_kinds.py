"""Every kind of ask with its decision."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, cast

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.decision import by_kind
from pbem.engine.rules.title import Reply
from pbem.titles.panzer.decisions import choices
from pbem.titles.panzer.decisions.adjusting import Adjusting
from pbem.titles.panzer.decisions.base import PanzerDecision
from pbem.titles.panzer.decisions.close_combat import Assault, Demolition
from pbem.titles.panzer.decisions.commands import Commands
from pbem.titles.panzer.decisions.fire import AntiAircraft, DirectFire, Overwatch
from pbem.titles.panzer.decisions.hiding import Hide, Keep, Sneak, Unveil
from pbem.titles.panzer.decisions.movement import Moves, Reroute
from pbem.titles.panzer.decisions.setup import Deploy, PlotInSecret
from pbem.titles.panzer.decisions.support import Flights, Missions
from pbem.titles.panzer.player.plan import AdvancedPlan
from pbem.titles.panzer.player.standing_orders import compile_clauses
from pbem.titles.panzer.situation import Situation

DECISIONS: Final = cast(
    dict[str, type[PanzerDecision]],
    by_kind(
        PlotInSecret,
        Deploy,
        Commands,
        choices.Initiative,
        Flights,
        choices.AirAttack,
        AntiAircraft,
        Missions,
        choices.Danger,
        choices.CounterBattery,
        choices.Dischargers,
        Demolition,
        DirectFire,
        Overwatch,
        choices.ShowCounter,
        choices.Spread,
        choices.AngleOfHit,
        choices.Facing,
        Assault,
        choices.Primary,
        choices.AdvanceAfterCombat,
        Moves,
        Reroute,
        Adjusting,
        choices.FormationNext,
        Hide,
        Keep,
        Unveil,
        Sneak,
    ),
)
"""All kinds of decisions, in turn order."""


def from_plan(situation: Situation, ask: Ask, plan: AdvancedPlan) -> Iterator[Reply]:
    """The answers to an ask from this turn's orders, best first."""
    for answer, clause in DECISIONS[ask.kind](situation.data, situation.state, ask).by_plan(plan):
        yield Reply(answer, clause)


def from_standing_orders(situation: Situation, ask: Ask, clauses: Sequence[str]) -> Iterator[Reply]:
    """The answers to an ask from standing orders, clause by clause; by default, from the stock orders."""
    for answer, clause in DECISIONS[ask.kind](situation.data, situation.state, ask).from_standing_orders(
        compile_clauses(clauses)
    ):
        yield Reply(answer, clause)

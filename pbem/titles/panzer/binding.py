"""The rules bound to a match: its steps, asks and checks.

    4.0, 6.0    STEPS: the sequence of play (their order is in `sequence`)
    6.0         OPTIONS, CHECKS: legal answers and the canonical answer by kind of ask
    5.0         PanzerRules

The basic game is a match that plays none of the rules of chapters 5 to 7.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from pbem.engine.play.bots import Bot, Choice
from pbem.engine.rules import recompute
from pbem.engine.rules.ask import Answer, Ask, Step
from pbem.engine.rules.decision import DecisionRules
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Fail, Place
from pbem.engine.rules.title import Formation, Plan, Proposal, Stand, Submission, Wish, Wording
from pbem.engine.text.compass import COMPASS
from pbem.engine.text.messages import Message, term
from pbem.engine.text.sheets import Sheet, Sight
from pbem.titles.panzer import campaign, rules_in_use
from pbem.titles.panzer.air.air import air_phase
from pbem.titles.panzer.artillery.indirect_fire import (
    indirect_fire_step,
)
from pbem.titles.panzer.bots import bot, probes
from pbem.titles.panzer.close_combat.close_combat import (
    close_combat_step,
)
from pbem.titles.panzer.command.commands import place_commands
from pbem.titles.panzer.command.initiative import initiative_phase
from pbem.titles.panzer.command.staggered_initiative import (
    staggered_fire_step,
    staggered_initiative_phase,
    staggered_move_step,
)
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.decisions.all_kinds import DECISIONS
from pbem.titles.panzer.decisions.base import PanzerDecision, check_plan
from pbem.titles.panzer.end_of_turn.adjustment import adjustment_phase
from pbem.titles.panzer.end_of_turn.victory import score
from pbem.titles.panzer.fire.direct_fire import direct_fire_step
from pbem.titles.panzer.fire.overwatch import overwatch_step
from pbem.titles.panzer.fire.turrets import turrets_step
from pbem.titles.panzer.invariants import flaws, invariants
from pbem.titles.panzer.movement.movement_step import (
    movement_step,
    no_move_step,
)
from pbem.titles.panzer.picture import scene, vehicles
from pbem.titles.panzer.player import clauses, fates, forms, many, sheets, standing_orders
from pbem.titles.panzer.player.plan import read_plan
from pbem.titles.panzer.setup import briefing
from pbem.titles.panzer.setup.deployment import DEPLOYMENT, deployment_step, initial_state
from pbem.titles.panzer.setup.plotting import plot_step
from pbem.titles.panzer.sighting.hidden_orders import (
    hiding_step,
)
from pbem.titles.panzer.sighting.hidden_units import spotting_phase
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import PanzerState
from pbem.titles.panzer.telling import sentences, unit_words, watching
from pbem.titles.panzer.telling.recomputing import recipes_of
from pbem.titles.panzer.view import view_of

STEPS: Final[Mapping[str, Callable[..., Step]]] = {
    step.__name__: watching.watch_step(step)
    for step in (
        plot_step,  # 6.5.1.4, 6.5.1.11, 6.7.1
        deployment_step,  # 2.0
        turrets_step,  # 7.8
        hiding_step,  # 7.2.2
        spotting_phase,  # 6.1
        place_commands,  # 6.2
        initiative_phase,  # 6.3
        staggered_initiative_phase,  # 7.42.1
        air_phase,  # 6.4, 6.7
        indirect_fire_step,  # 6.5.1
        direct_fire_step,  # 6.5.2, 6.5.4
        staggered_fire_step,  # 7.42.1.1
        overwatch_step,  # 6.5.3
        close_combat_step,  # 6.6.1
        movement_step,  # 6.6
        no_move_step,  # 4.5.1.1.8
        staggered_move_step,  # 7.42.2
        adjustment_phase,  # 6.8
    )
}
"""6.0 The functions that play the steps, by name."""


DAMAGED: Final[Mapping[str, Message]] = {
    "": term("marker", "no longer damaged"),
    **{str(damage): words for damage, words in unit_words.DAMAGE.items()},
}
"""6.5.2.2.4 The states of damage in words."""


class PanzerRules(DecisionRules):
    """The rules bound to one match in which every seat commands a side."""

    data: PanzerData
    state_type: type[PanzerState] = PanzerState
    steps = STEPS
    comment_width = 40
    tells_happenings = True
    tells_before_orders = True
    decisions = DECISIONS
    kinds = tuple(DECISIONS)
    bots: Mapping[str, Callable[[object], Bot]] = {
        "steady": bot.steady_bot,
        "reckless": bot.reckless_bot,
        "curious": bot.curious_bot,
    }

    def __init__(self, data: PanzerData) -> None:
        self.data = data
        self._last: PanzerDecision | None = None
        self.seats = tuple(side.id for side in data.scenario.sides)
        self.sides: Mapping[str, str] = {seat: seat for seat in self.seats}
        self.tiers = ("basic",) if data.basic else ("advanced", "optional")
        """The tiers of the ledger whose rules can come up in this match."""

    def decide(self, view: Any, ask: Ask) -> PanzerDecision:
        """The decision about an ask; the last decision is kept because checking and judging its answer needs it."""
        last = self._last
        if last is None or last.ask is not ask or last.given is not view:
            last = self._last = DECISIONS[ask.kind](self.data, view, ask)
        return last

    def setup(self, switches: tuple[str, ...]) -> PanzerState:
        """2.0 The state before the first step."""
        return initial_state(self.data, switches)

    def view(self, state: PanzerState, viewer: str) -> PanzerState:
        """4.2.1, 5.0 Everything a viewer may see."""
        return view_of(state, viewer)

    def find_unexplained(self, findings: Iterable[Finding]) -> Iterator[str]:
        """4.0-7.0 Report findings whose result does not follow from their own numbers."""
        return recompute.find_unexplained(recipes_of(self.data.edition), self.data, findings)

    def recompute_values(self, finding: Finding) -> Mapping[str, Any] | None:
        """4.0-7.0 The values recomputed from a finding's own numbers."""
        return recompute.recompute_values(recipes_of(self.data.edition), self.data, finding)

    def explain_sight(self, view: PanzerState, seeing: str, seen: str) -> tuple[Finding, ...]:
        """4.1, 6.1 Why a unit does or does not spot another; 4.1.4 whether it has a line of sight to a hex."""
        return sheets.explain_sight(Situation(self.data, view), seeing, seen)

    def plan_period(self, state: PanzerState) -> str:
        """7.9 The turn that plans are for: the previous turn while smoke dischargers fire, before the commands."""
        before_commands = state.phase == "spotting" and self.data.plays("smoke_dischargers")
        return str(state.turn - 1 if before_commands else state.turn)

    def check_plan(self, view: PanzerState, ask: Ask, plan: Any) -> dict[str, Any]:
        """The canonical plan, or a refusal."""
        return check_plan(view, ask.seat, plan)

    def check_doctrine(self, given: Any) -> list[Any]:
        """Standing orders in canonical form, or a refusal."""
        return list(standing_orders.check_standing_orders(given))

    def compile_standing_orders(self, clauses: list[Any]) -> list[standing_orders.Clause]:
        """4.4.2 Standing orders in the form decisions use; by default, the stock orders."""
        return standing_orders.compile_clauses(clauses)

    def restate(self, ask: Ask, submission: Submission) -> str:
        """The canonical lines of a submission, for receipts."""
        decision = DECISIONS[ask.kind](self.data, None, ask)
        return "\n".join(decision.restate(submission)) + "\n"

    def unfulfilled_orders(self, view: PanzerState, ask: Ask, answer: Answer, plan: Plan) -> Iterator[Fail]:
        """The orders of this turn that an automatic answer does not fulfil."""
        return self.decide(view, ask).failing(answer, read_plan(plan), plan.used)

    def attempt(self, view: PanzerState, ask: Ask, text: str) -> Submission:
        """Read and check a player's lines, without looking for alternatives to propose."""
        return DECISIONS[ask.kind](self.data, view, ask).attempt(text)

    def help(self) -> Wording:
        """The order language on one screen."""
        return forms.BASIC_HELP if self.data.basic else forms.HELP

    def standing_orders(self) -> Wording:
        """The possible standing orders, on one screen."""
        return clauses.HELP if self.data.basic else standing_orders.HELP

    def briefing(self, seat: str) -> Wording:
        """2.0 The situation and victory conditions, for a new occupant."""
        return briefing.briefing(self.data.scenario, seat)

    def tell(self, finding: Finding) -> str | Message:
        """A finding as one sentence for a reader."""
        return sentences.tell(finding)

    def tell_tree(self, finding: Finding) -> list[str]:
        """A finding and all its children, indented."""
        return sentences.tell_tree(finding)

    def score(self, state: PanzerState) -> dict[str, int]:
        """3.6 R-04 Each side's victory points so far."""
        return {side: score(Situation(self.data, state), side).total for side in state.sides}

    def stands(self, view: PanzerState) -> tuple[Stand, ...]:
        """3.4, 4.1 The units on the map with their markers, by formation."""
        return tuple(unit_words.stands(Situation(self.data, view)))

    def markers(self, view: PanzerState) -> dict[tuple[str, str], Any]:
        """3.4 The markers of every piece on the map."""
        return watching.markers(view)

    def objectives(self, view: PanzerState) -> dict[str, str]:
        """3.6 The objectives, each with the side that controls it."""
        return {hex: objective.controller for hex, objective in view.objectives.items()}

    def ordered_units(self, ask: Ask, answer: Answer) -> frozenset[str]:
        """4.2 The units that are ordered to move."""
        return fates.units_to_move(answer) if ask.kind == "commands" else frozenset()

    def change_in_words(self, what: str, now: Any) -> str | Message:
        """6.5.2.2.4 A change in words; for damage, whether to the whole vehicle, its turret or its hull."""
        if what == "damage" and now is not True:
            return DAMAGED[now]
        return super().change_in_words(what, now)

    def place_in_words(self, at: Place) -> str:
        """3.6 The name of an objective as it stands within a sentence, or of a hex."""
        named = {objective.id: objective.name for objective in self.data.scenario.objectives}
        return re.sub(r"^The\b", "the", named.get(str(at), str(at)))

    def facing_in_words(self, facing: int) -> Message:
        """4.5.1 A facing as a compass point."""
        return COMPASS[vehicles.DIRECTIONS[facing]]

    def aftermath(self, state: PanzerState) -> dict[str, dict[str, Any]]:
        """C3 The fate of every vehicle on each side."""
        return campaign.fates(state)

    def deeds(self, findings: Iterable[Finding]) -> Iterator[tuple[str, str]]:
        """C4 Pairs of a unit and the unit that it destroyed."""
        return campaign.deeds(findings)

    def turns(self, state: PanzerState) -> int:
        """4.6.2 R-18 The last turn of the scenario."""
        return self.data.scenario.turns

    def flaws(self, state: PanzerState) -> Iterator[str]:
        """Invariants that this state violates; a correct engine never violates any."""
        return flaws(Situation(self.data, state))

    def invariants(self) -> list[str]:
        """The invariants that are checked."""
        return invariants()

    def in_preparation(self, state: PanzerState) -> bool:
        """2.0 Whether the match is still being set up."""
        return state.phase == DEPLOYMENT

    def contests(self) -> Mapping[str, tuple[Callable[[], object], Callable[[], object]]]:
        """Lines of sight in plain Python and by this engine, to compare in `pbem bench`."""
        return probes.contests(self.data)

    def bot(self, seed: object) -> Bot:
        """A bot that plays to win."""
        return bot.steady_bot(seed)

    def questions(self, view: PanzerState, seat: str, choice: Choice) -> Iterator[Finding]:
        """Questions that the seat's occupant could ask now."""
        return bot.questions(Situation(self.data, view), seat, choice)

    def picture(self, view: PanzerState, viewer: str = "public") -> str | None:
        """1.2 The map as a viewer may see it."""
        return scene.svg(Situation(self.data, view), viewer=viewer)

    def describe(self, view: PanzerState, viewer: str = "public") -> list[Message]:
        """1.2 The map as a viewer may see it, in words."""
        return unit_words.describe(Situation(self.data, view), viewer=viewer)

    def roll_call(self, view: PanzerState, ask: Ask) -> dict[str, str]:
        """4.2.1 The units that can be ordered in answer to this ask, with their names."""
        return forms.roll_call(Situation(self.data, view), ask)

    def sheet(self, view: PanzerState, viewer: str, ask: Ask | None, unit: str) -> Sheet | None:
        """1.6 One unit as a viewer may see it, with its possible orders if the viewer is asked for them."""
        return sheets.unit_sheet(Situation(self.data, view), viewer, ask, unit)

    def formations(self, view: PanzerState, seat: str) -> tuple[Formation, ...]:
        """6.2.1 A seat's units by formation, with the commands each formation has."""
        return many.formations(Situation(self.data, view), seat)

    def verbs(self, ask: Ask) -> tuple[str, ...]:
        """4.2 The commands that many units can be given at once."""
        return ("move", "fire", "overwatch", "hold") if ask.kind == "commands" else ()

    def count_commands(self, view: PanzerState, ask: Ask, submission: Submission) -> dict[str, int]:
        """6.2.1.1.3 The unique commands that a submission places, by formation."""
        return many.commands_spent(Situation(self.data, view), ask, submission)

    def propose(self, view: PanzerState, ask: Ask, wish: Wish) -> Proposal:
        """6.2.1.1.3 Lines that order many units to do one thing."""
        return many.propose(Situation(self.data, view), ask, wish, lambda text: self.attempt(view, ask, text))

    def preview(self, view: PanzerState, ask: Ask, line: str) -> dict[str, Any]:
        """4.2.1 Where a line would take each unit, and what the unit would fire at."""
        return many.preview(Situation(self.data, view), ask, line, lambda text: self.read(view, ask, text))

    def sight(self, view: PanzerState, start: str, end: str = "") -> Sight | None:
        """4.1.4 The hexes visible from a hex."""
        return sheets.sight(Situation(self.data, view), start, end)

    def rules_in_use(self) -> list[str]:
        """AG, 7.0 The rules left out or added, in words; the basic game offers no choice."""
        if self.data.basic:
            return []
        in_use = self.data.scenario.rules
        added = [rules_in_use.words(rule) for rule in in_use if rule not in rules_in_use.ADVANCED_RULES]
        left_out = [rule for rule in rules_in_use.ADVANCED_RULES if rule not in in_use]
        return [*added, *(f"without {rules_in_use.words(rule)}" for rule in left_out)]

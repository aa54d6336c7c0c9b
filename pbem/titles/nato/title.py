"""NATO: The Cold War Goes Hot as a title, and its rules bound to the data of a match."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final

import msgspec

from pbem.engine.play.bots import Bot
from pbem.engine.rules import recompute
from pbem.engine.rules.ask import GRADES, Ask, Grade
from pbem.engine.rules.decision import DecisionRules, by_kind
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Fail, Place
from pbem.engine.rules.refusals import Illegal, Objection, Unreadable, raise_all
from pbem.engine.rules.title import Formation, Proposal, Stand, Submission, Title, Wish, Wording
from pbem.engine.rules.title import Plan as EnginePlan
from pbem.engine.text.messages import Message, say
from pbem.engine.text.sheets import Sheet, Sight
from pbem.titles.nato.air.resolution import Victim
from pbem.titles.nato.air.strike_decisions import AirDefense, Targets
from pbem.titles.nato.artillery.strike_decision import NextGun
from pbem.titles.nato.board import board_of
from pbem.titles.nato.bots import steady
from pbem.titles.nato.cards.scenario_files import check_scenario, packaged_scenario, scenario_format
from pbem.titles.nato.combat.aftermath import FallBack, GoForward
from pbem.titles.nato.combat.battle_decisions import (
    Brigade,
    Counterattack,
    Counterattackers,
    Defenders,
    Loss,
    OwnLoss,
    Respond,
)
from pbem.titles.nato.combat.orders import Defend, Fight, NextBattle
from pbem.titles.nato.commands.powers import commands
from pbem.titles.nato.data_set import NatoData, data_set, freeze, playable_scenarios
from pbem.titles.nato.explain.recomputing import RECIPES
from pbem.titles.nato.invariants import INVARIANTS, flaws
from pbem.titles.nato.movement.deployment import GdpMove
from pbem.titles.nato.movement.orders import MovePhase
from pbem.titles.nato.nerves.peace import Prepare
from pbem.titles.nato.nuclear.defense_decision import NuclearDefense
from pbem.titles.nato.player import formations, forms, sentences, sheets
from pbem.titles.nato.player.battle_sentences import describe_proposals
from pbem.titles.nato.player.drawing.situation import Situation
from pbem.titles.nato.player.drawing.story import story
from pbem.titles.nato.player.map import Clash, Track, describe, situation_of, svg
from pbem.titles.nato.player.orders import Plan, plan_lines, read_plan, write_battle, write_gun_strike
from pbem.titles.nato.player.standing_orders import HELP, StandingOrders, check_standing_orders, compile_orders
from pbem.titles.nato.player.words import PLACES
from pbem.titles.nato.probes import probes
from pbem.titles.nato.reinforcements.joint import JointChoice
from pbem.titles.nato.reserve.orders import ReservePhase
from pbem.titles.nato.sequence import STEPS
from pbem.titles.nato.setup import initial_state
from pbem.titles.nato.state import NatoState
from pbem.titles.nato.supply.points import PaySupply
from pbem.titles.nato.victory import points_of, prizes
from pbem.titles.nato.view import view_of

DECISIONS: Final = by_kind(
    MovePhase,
    Fight,
    Defend,
    ReservePhase,
    GdpMove,
    Prepare,
    JointChoice,
    PaySupply,
    NextBattle,
    NextGun,
    Targets,
    Victim,
    Respond,
    AirDefense,
    NuclearDefense,
    Brigade,
    Defenders,
    Counterattackers,
    Counterattack,
    Loss,
    OwnLoss,
    FallBack,
    GoForward,
)
"""One class for each kind of ask."""

DRAWN: Final = {
    "march": "march",
    "rail": "rail",
    **dict.fromkeys(("ferry", "lift", "drop"), "air"),
    **dict.fromkeys(("fly", "extract"), "helicopter"),
    **dict.fromkeys(("land", "withdraw"), "sea"),
}
"""How the map draws each mode of movement."""

MODES: Final[Mapping[str, frozenset[Grade]]] = {
    "plan": frozenset({"order"}),
    "battle": frozenset({"order", "reaction"}),
    "ask": GRADES,
}
"""The asks that wait for an answer: orders only, the defender's windows too, or every choice."""


class NatoRules(DecisionRules):
    """The rules bound to one match."""

    state_type = NatoState
    steps = STEPS
    comment_width = 38
    decisions = DECISIONS
    tells_happenings = True
    evidence: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "mark": ("25.0",),
        "resupply": ("10.7.1",),
        "chemical": ("22.2.3", "22.4"),
        "nuke": ("21.1.1", "21.3", "21.4"),
        "deep": ("23.7",),
        "interdict": ("23.8",),
    }
    modes: Mapping[str, frozenset[Grade]] = MODES
    is_open = True
    shares_orders = True
    kinds = tuple(sorted(DECISIONS))
    bots: Mapping[str, Callable[[object], Bot]] = {
        "steady": steady.steady_bot,
        "reckless": steady.reckless_bot,
    }

    def __init__(self, data: NatoData) -> None:
        self.data: NatoData = data
        self.seats = tuple(data.sides)
        self.sides: Mapping[str, str] = {seat: str(side) for seat, side in data.sides.items()}

    def setup(self, switches: tuple[str, ...]) -> NatoState:
        """35.9 Return the state before the first step."""
        return initial_state(self.data, switches)

    def view(self, state: NatoState, viewer: str) -> NatoState:
        """9.0 Return the whole state, because nothing is hidden."""
        return view_of(state, viewer)

    # --- plans and standing orders ---------------------------------------------------------------------------

    def plan_period(self, state: NatoState) -> str:
        """Return the period for which a plan is valid: the present player turn."""
        return f"{state.turn} {state.side}"

    def check_plan(self, view: NatoState, ask: Ask, plan: Any) -> dict[str, Any]:
        """Return the plan in canonical form, or refuse it and name every battle that cannot be fought."""
        try:
            found = read_plan(plan)
        except (msgspec.ValidationError, TypeError, ValueError) as error:
            raise Unreadable(
                "plan", [Objection("7.2", say("the plan could not be read: {error}", error=error))]
            ) from error
        compile_orders(found.clauses)
        decision = self.decide(view, ask)
        if isinstance(decision, Fight):
            raise_all(list(self.plan_refusals(decision, found)))
        plain: dict[str, Any] = msgspec.to_builtins(found)
        return plain

    def plan_refusals(self, decision: Fight, plan: Plan) -> Iterator[Illegal]:
        for number, commit in enumerate(plan.battles):
            against = [found for found in decision.plan_objections(plan) if found.at[1] == number]
            if against:
                yield Illegal(write_battle(commit), against)
        for number, gun in enumerate(plan.guns):
            against = [found for found in decision.gun_objections(plan) if found.at[1] == number]
            if against:
                yield Illegal(write_gun_strike(gun), against)

    def restate(self, ask: Ask, submission: Submission) -> str:
        """Return a submission as canonical lines, or `none` if it is empty."""
        said = super().restate(ask, submission)
        return said if said.strip() else "none\n"

    def plan_lines(self, plan: Mapping[str, Any]) -> Sequence[str]:
        return plan_lines(read_plan(plan))

    def check_doctrine(self, given: Any) -> list[Any]:
        """Return standing orders in canonical form, or refuse them."""
        return list(check_standing_orders(given, self.data.units))

    def compile_standing_orders(self, clauses: list[Any]) -> StandingOrders:
        return compile_orders(tuple(clauses))

    # --- words -----------------------------------------------------------------------------------------------

    def help(self) -> Wording:
        """Return the order language on one screen."""
        return forms.HELP

    def standing_orders(self) -> Wording:
        """Return the syntax of standing orders, on one screen."""
        return HELP

    def briefing(self, seat: str) -> Wording:
        """35.9 The situation and the victory conditions, for a new player."""
        return forms.briefing(self.data, seat)

    def tell(self, finding: Finding) -> str | Message:
        """Put a finding into one sentence."""
        return sentences.tell(finding)

    def tell_tree(self, finding: Finding) -> list[str]:
        """Return a finding and everything it is based on, as indented sentences."""
        return sentences.tell_tree(finding)

    # --- looking ---------------------------------------------------------------------------------------------

    def flaws(self, state: NatoState) -> Iterator[str]:
        """Yield the invariants that this state breaks."""
        return flaws(self.data, state)

    def invariants(self) -> tuple[str, ...]:
        return INVARIANTS

    def find_unexplained(self, findings: Iterable[Finding]) -> Iterator[str]:
        """Yield findings whose result does not follow from the numbers in them."""
        return recompute.find_unexplained(RECIPES, self.data, findings)

    def score(self, state: NatoState) -> dict[str, int]:
        """34.2, 34.3 Return the victory points that each side would have if the match ended now."""
        return points_of(board_of(self.data, state))

    def turns(self, state: NatoState) -> int:
        """35.1 Return the number of turns in the scenario."""
        return self.data.scenario.turns

    def stands(self, view: NatoState) -> tuple[Stand, ...]:
        """3.2.10 The units in play with their markers, grouped by headquarters."""
        return tuple(formations.stand_of(self.data, view.pieces[id]) for id in sorted(view.pieces))

    def markers(self, view: NatoState) -> dict[tuple[str, str], Any]:
        """4.2 The markers of every unit in play."""
        return formations.markers(view)

    def change_in_words(self, what: str, now: Any) -> str | Message:
        """4.2 Describe a marker that a unit has received or lost."""
        return formations.change_in_words(what, now) or super().change_in_words(what, now)

    def objectives(self, view: NatoState) -> dict[str, str]:
        """34.2 The NATO cities that score, by the side that holds them; if there are many, only those conquered."""
        board, found = board_of(self.data, view), prizes(self.data)
        held = {hex: str(board.controller(hex)) for hex in found}
        return held if len(held) <= forms.MOST_CITIES else {hex: by for hex, by in held.items() if by == "wp"}

    def holders(self, view: NatoState) -> dict[str, str]:
        """30.1 The side that controls each city."""
        board = board_of(self.data, view)
        held = {hex: board.controller(hex) for hex in board.atlas.cities}
        return {hex: str(side) for hex, side in held.items() if side is not None}

    def unfulfilled_orders(self, view: NatoState, ask: Ask, answer: Any, plan: EnginePlan) -> Iterator[Fail]:
        """24.1, 25.1 Report planned artillery strikes and battles that were not carried out, or not by all units."""
        decision = self.decide(view, ask)
        if isinstance(decision, NextBattle):
            yield from decision.unfulfilled_orders(decision.decode(answer), read_plan(plan))
        elif isinstance(decision, NextGun):
            yield from decision.unfulfilled_orders(read_plan(plan))

    def ordered_units(self, ask: Ask, answer: Any) -> frozenset[str]:
        """12.0 The units that are ordered to move."""
        moves = answer.get("moves", ()) if isinstance(answer, dict) else ()
        return frozenset(move["unit"] for move in moves if move.get("path"))

    def formations(self, view: NatoState, seat: str) -> tuple[Formation, ...]:
        """3.2.5 Return the units that a seat commands, grouped by headquarters."""
        return formations.formations(self.data, view, seat)

    def verbs(self, ask: Ask) -> tuple[str, ...]:
        """12.0, 25.0 The orders that can be given to many units in this exchange."""
        return {"move": ("move",), "reserve": ("move",), "fight": ("attack",)}.get(ask.kind, ())

    def propose(self, view: NatoState, ask: Ask, wish: Wish) -> Proposal:
        """Return lines for many units at once."""
        return formations.propose(self.decide(view, ask), wish)

    def preview(self, view: NatoState, ask: Ask, line: str) -> dict[str, Any]:
        """Return the effect of one line."""
        return formations.preview(self.decide(view, ask), line)

    def picture(self, view: NatoState, viewer: str = "public") -> str | None:
        """2.2 The public map; the viewer's own units can be given orders on it."""
        mine = viewer in self.data.sides
        board = board_of(self.data, view)
        own = {id for id in view.pieces if mine and commands(board, viewer, self.data.units[id])}
        shown = self.situation(view, own=own, verbs="{hex};{hex} march;hold")
        return svg(self.data.atlas, self.data.units, shown)

    def describe(self, view: NatoState, viewer: str = "public") -> list[Message]:
        """2.2 The public map in words."""
        return describe(self.data.atlas, self.data.units, self.situation(view))

    def situation(self, view: NatoState, own: Collection[str] = (), verbs: str = "") -> Situation:
        """2.2 Everything that the map shows: units, markers, and the moves and battles of this player turn."""
        units = self.data.units
        tracks = tuple(
            Track(
                unit,
                units[unit].side,
                tuple(hex for hex in path if hex in self.data.atlas.places),
                DRAWN.get(mode, ""),
            )
            for unit, mode, path in view.tracks
        )
        fought = tuple(Clash(objective, side, origins, result) for objective, side, result, origins in view.clashes)
        name = self.data.scenario.name
        return situation_of(view, name, own=set(own), verbs=verbs, tracks=tracks, clashes=fought)

    def story(self, before: NatoState, after: NatoState) -> list[Message]:
        """7.2 Return the operational story between two states: the front, cities, losses, arrivals and supply.

        An open ceasefire proposal comes first (35.1.2).
        """
        told = story(self.data.atlas, self.data.units, self.situation(before), self.situation(after))
        return [*describe_proposals(after), *told]

    def place_in_words(self, at: Place) -> str:
        """2.2 Return a hex with the name of its city, where it has one, or the name of a box beside the map."""
        if isinstance(at, str) and at in self.data.atlas.places:
            return self.data.atlas.name(at)
        return str(PLACES.get(str(at), at))

    def bot(self, seed: object) -> Bot:
        """Return a bot that plays to win."""
        return steady.steady_bot(seed)

    def probes(self) -> Mapping[str, Callable[[], object]]:
        """The benchmarks of this title, for `pbem bench`."""
        return probes(self.data, self)

    def roll_call(self, view: NatoState, ask: Ask) -> dict[str, str]:
        """The units that can be given orders now, with their names."""
        return sheets.roll_call(self.decide(view, ask))

    def sheet(self, view: NatoState, viewer: str, ask: Ask | None, unit: str) -> Sheet | None:
        """3.2 The sheet of one unit, with its possible orders."""
        decision = self.decide(view, ask) if ask is not None else None
        return sheets.unit_sheet(self.data, view, viewer, decision, unit)

    def sight(self, view: NatoState, start: str, end: str = "") -> Sight | None:
        """8.0, 10.0 Describe a hex: its zones of control, airspace and supply."""
        return sheets.outlook(self.data, view, start, end)


class Nato(Title):
    """NATO as a title: its scenarios, its options, and the rules for each match."""

    name = "nato"
    full_name = "NATO: The Cold War Goes Hot"
    seat_names: Mapping[str, str] = {
        "nato": "NATO",
        "wp": "Warsaw Pact",
        "afcent": "AFCENT",
        "baltap": "BALTAP",
        "northag": "NORTHAG",
        "centag": "CENTAG",
    }
    switches: tuple[str, ...] = ()
    option_names: Mapping[str, Message] = {"table": say("Players"), "integrity": say("Integrity of command")}
    choices: Mapping[str, Mapping[str, str]] = {
        "table": {
            "two": "two players",
            "commands": "several seats on a side, a command each",
            "nations": "several seats on a side, a nation each (theatre scenarios)",
        },
        "integrity": {
            "off": "Offensive Support for any attack of a front or corps",
            "on": "Offensive Support only for one army, or for US units alone (25.4.5)",
        },
    }

    @property
    def scenarios(self) -> tuple[str, ...]:
        return playable_scenarios()

    def choices_for(self, scenario: str) -> Mapping[str, Mapping[str, str]]:
        """35.8 The options for a scenario, which offer only the tables that it has seats for."""
        tables: Sequence[str] = packaged_scenario(scenario).tables
        seats = {table: words for table, words in self.choices["table"].items() if table in tables}
        return {**self.choices, "table": seats}

    def freeze(self, scenario: str, options: Mapping[str, Any]) -> dict[str, bytes]:
        """35.9 Return all files that a match is played with."""
        return freeze(scenario, options)

    def rules(self, blobs: Mapping[str, bytes]) -> NatoRules:
        """Return the rules bound to these blobs."""
        return NatoRules(data_set(blobs))

    def scenario_format(self) -> str:
        """35.9 Return instructions for writing a scenario, with an example."""
        return scenario_format()

    def check_scenario(self, setup: bytes, maps: dict[str, bytes], edition: str = "") -> list[str]:
        """35.9 Describe a scenario in lines, or refuse it with every mistake."""
        return check_scenario(setup, edition)

"""TANKS as a title, bound to the data of a match.

    Tanks         the title
    TanksRules    the title bound to a match

The steps are in `sequence`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from pbem.engine.play.bots import Bot
from pbem.engine.rules import recompute
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.decision import DecisionRules
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Fail, Place
from pbem.engine.rules.title import Formation, Page, Plan, Proposal, Stand, Title, Wish, Wording
from pbem.engine.text.compass import COMPASS
from pbem.engine.text.messages import Message, fill, named, pattern, prose, say, several
from pbem.engine.text.sheets import Sheet, Sight
from pbem.titles.tanks.bots import players
from pbem.titles.tanks.command.repairs import points_lost
from pbem.titles.tanks.data_files import packaged_names
from pbem.titles.tanks.data_set import OTHER, SEATS, TanksData, chooses, data_set, freeze
from pbem.titles.tanks.decisions import DECISIONS
from pbem.titles.tanks.decisions.base import TankLines
from pbem.titles.tanks.decisions.command import Unused
from pbem.titles.tanks.invariants import flaws
from pbem.titles.tanks.movement.moves import STANDSTILL
from pbem.titles.tanks.picture import example
from pbem.titles.tanks.picture.scene import describe, svg
from pbem.titles.tanks.player import foresight, proposals, sheets, standing_orders, unused
from pbem.titles.tanks.player.help import HELP
from pbem.titles.tanks.player.orders import plain, read_plan
from pbem.titles.tanks.player.plan import check_plan, merge_plans, write_plan
from pbem.titles.tanks.sequence import STEPS
from pbem.titles.tanks.setup.builder import PlatoonBuilder, query_of_match
from pbem.titles.tanks.setup.scenario_files import check_scenario, scenario_format
from pbem.titles.tanks.setup.steps import initial_state
from pbem.titles.tanks.situation import Situation
from pbem.titles.tanks.state import HAPPENINGS, UNUSED, TanksState
from pbem.titles.tanks.telling import sentences, stands
from pbem.titles.tanks.telling.names import SIDES
from pbem.titles.tanks.telling.recomputing import RECIPES
from pbem.titles.tanks.view import view_of

TOKENS: Final = {"damage": pattern("damage {now}"), "speed": pattern("speed {now}")}
"""T2.3 The tokens of a tank that are counted."""


class TanksRules(DecisionRules):
    """The rules bound to one match. Every seat commands a platoon."""

    data: TanksData
    state_type = TanksState
    steps = STEPS
    comment_width = 38
    seats = SEATS
    decisions = DECISIONS
    tells_happenings = True
    foresees = True
    kinds = tuple(sorted(DECISIONS))
    bots: Mapping[str, Callable[[object], Bot]] = {"steady": players.steady_bot, "reckless": players.reckless_bot}

    def __init__(self, data: TanksData) -> None:
        self.data = data
        self.sides: Mapping[str, str] = {seat: seat for seat in SEATS}

    def setup(self, switches: tuple[str, ...]) -> TanksState:
        """T3 The state before the first step."""
        return initial_state(self.data, switches)

    def view(self, state: TanksState, viewer: str) -> TanksState:
        """T2.4 Everything that the viewer may see."""
        return view_of(state, viewer)

    def find_unexplained(self, findings: Iterable[Finding]) -> Iterator[str]:
        """T1-T9 Return the findings whose results do not follow from their own numbers."""
        return recompute.find_unexplained(RECIPES, self.data, findings)

    def check_plan(self, view: TanksState, ask: Ask, plan: Any) -> dict[str, Any]:
        """Return the canonical plan, or refuse it."""
        return check_plan(Situation(self.data, view), ask.seat, plan, ask.kind)

    def plan_lines(self, plan: Mapping[str, Any]) -> Sequence[str]:
        """Return the lines that would be read as this plan."""
        return write_plan(read_plan(plan))

    def merge_plan(self, earlier: Mapping[str, Any], later: Mapping[str, Any]) -> dict[str, Any]:
        """T2.4 Return the plan of a turn after its next form."""
        found = plain(merge_plans(read_plan(earlier), read_plan(later)))
        return {section: said for section, said in found.items() if said}

    def unfulfilled_orders(self, view: TanksState, ask: Ask, answer: Any, plan: Plan) -> Iterator[Fail]:
        """T1.4 At the end of a turn, yield the lines about cards, dice and repairs that were not needed."""
        if ask.kind == Unused.kind:
            yield from unused.fails(Situation(self.data, view), read_plan(plan), plan.used)

    def check_doctrine(self, doctrine: Any) -> list[Any]:
        """Return standing orders in canonical form, or refuse them."""
        return list(standing_orders.check_doctrine(doctrine, self.data.criticals))

    def compile_standing_orders(self, clauses: list[Any]) -> standing_orders.StandingOrders:
        """Prepare the clauses for use; a seat without any uses the stock orders."""
        return standing_orders.compile_orders(tuple(clauses))

    def help(self) -> Wording:
        """The order language on one screen."""
        return HELP

    def standing_orders(self) -> Wording:
        """The clauses of standing orders, on one screen."""
        return standing_orders.HELP

    def briefing(self, seat: str) -> Wording:
        """T3 The situation and the goal, for a player who takes a seat."""
        scenario = self.data.scenario
        length = say("{turns} turns.", turns=scenario.turns)
        return several([scenario.name, prose(scenario.text), "", length], "lines")

    def tell(self, finding: Finding) -> str | Message:
        """A finding as one sentence for the reader."""
        return sentences.tell(finding)

    def tell_tree(self, finding: Finding) -> list[str]:
        """A finding and its children as indented sentences."""
        return sentences.tell_tree(finding)

    def score(self, state: TanksState) -> dict[str, int]:
        """T8.2 Each side's score: the points of the enemy's wrecks."""
        return {seat: points_lost(Situation(self.data, state), OTHER[seat]) for seat in SEATS}

    def turns(self, state: TanksState) -> int:
        """T8.2 The number of the scenario's last turn."""
        return self.data.scenario.turns

    def stands(self, view: TanksState) -> tuple[Stand, ...]:
        """T2.5 The tanks on the table with their tokens."""
        return tuple(stands.stand_of(self.data, tank) for tank in view.live)

    def markers(self, view: TanksState) -> dict[tuple[str, str], Any]:
        """T2.5 Damage and speed tokens, and critical cards that stay."""
        return stands.markers(view)

    def objectives(self, view: TanksState) -> dict[str, str]:
        """T8.2 The objectives, each with the side that alone holds it."""
        return {id: holding.seat for id, holding in view.holdings.items()}

    def ordered_units(self, ask: Ask, answer: Any) -> frozenset[str]:
        """T1.1, T1.2 The tanks that are ordered to move or to shoot."""
        return stands.ordered_tanks(ask, answer)

    def place_in_words(self, at: Place) -> str:
        """T3 A point in centimetres from the north-west corner."""
        return stands.place_in_words(at)

    def change_in_words(self, what: str, now: Any) -> str | Message:
        """T2.3, T2.5 Describe the new state of a token or a critical card."""
        if what in TOKENS and now is not True:
            return fill(TOKENS[what], {"now": now})
        critical = self.data.criticals.get(what)
        if critical is None:
            return super().change_in_words(what, now)
        name = named("tanks critical", critical.name)
        return name if now else say("{critical} repaired", critical=name)

    def facing_in_words(self, facing: int) -> Message:
        """T5.1 A bearing as a compass point."""
        return COMPASS[stands.compass(facing)]

    def formations(self, view: TanksState, seat: str) -> tuple[Formation, ...]:
        """T4 The platoon of a seat, and its tanks by model."""
        return proposals.formations(Situation(self.data, view), seat)

    def verbs(self, ask: Ask) -> tuple[str, ...]:
        """T1 The orders that can be given to many tanks at once in this phase."""
        return proposals.verbs(self.data, ask)

    def propose(self, view: TanksState, ask: Ask, wish: Wish) -> Proposal:
        """T5.1, T7.1, T8.3 Propose lines for many tanks at once."""
        decision = self.decide(view, ask)
        return proposals.propose(decision, wish) if isinstance(decision, TankLines) else Proposal(left_out=wish.units)

    def preview(self, view: TanksState, ask: Ask, line: str) -> dict[str, Any]:
        """T5.1, T5.4 Preview lines: where moves would end, what would stop them, and the shots from there."""
        return foresight.preview(Situation(self.data, view), self.decide(view, ask), line)

    def page_query(self, page: str, seat: str) -> Mapping[str, str]:
        """T4.1 Open the platoon builder with the points of the match and the platoon proposed to the seat."""
        return query_of_match(self.data, seat) if page == "platoon" else {}

    def flaws(self, state: TanksState) -> Iterator[str]:
        """The invariants that this state breaks, of which there should be none."""
        return flaws(Situation(self.data, state))

    def bot(self, seed: object) -> Bot:
        """A bot that plays to win."""
        return players.steady_bot(seed)

    def example(self, view: TanksState) -> TanksState:
        """T3 The table as it might look once terrain and platoons have been chosen."""
        return example.fill_example(Situation(self.data, view))

    def picture(self, view: TanksState, viewer: str = "public") -> str | None:
        """T3.1 A picture of the table as a viewer may see it."""
        return svg(Situation(self.data, view), viewer=viewer)

    def describe(self, view: TanksState, viewer: str = "public") -> list[Message]:
        """T3.1 The table as a viewer may see it, in words."""
        return describe(Situation(self.data, view))

    def roll_call(self, view: TanksState, ask: Ask) -> dict[str, str]:
        """The tanks that can be given orders now, with their names."""
        return sheets.roll_call(Situation(self.data, view), ask)

    def sheet(self, view: TanksState, viewer: str, ask: Ask | None, unit: str) -> Sheet | None:
        """T2.1 One tank as the viewer knows it, with the orders that the viewer may give it."""
        return sheets.tank_sheet(Situation(self.data, view), viewer, ask, unit)

    def explain_sight(self, view: TanksState, seeing: str, seen: str) -> tuple[Finding, ...]:
        """T7.2 Explain why one tank sees or does not see another."""
        return sheets.explain_sight(Situation(self.data, view), seeing, seen)

    def sight(self, view: TanksState, start: str, end: str = "") -> Sight | None:
        """T7.2 The targets of a tank, and the reasons why other tanks are not targets."""
        return sheets.sight(Situation(self.data, view), start, end)


class Tanks(Title):
    """The title. `own` holds files of an owner of the game that replace the packaged ones.

    They are named without `.toml`: tanks, crew_and_upgrades, criticals, terrain, defence_modifiers.
    """

    name = "tanks"
    full_name = "TANKS"
    seat_names: Mapping[str, str] = {seat: name.text for seat, name in SIDES.items()}
    switches: tuple[str, ...] = (STANDSTILL, HAPPENINGS, UNUSED)
    pages: Mapping[str, Page] = {"platoon": PlatoonBuilder()}
    option_names: Mapping[str, Message] = {
        "points": say("Points for a platoon"),
        "arrow_mm": say("Length of the measuring arrow"),
        "pace": say("Orders"),
    }
    choices: Mapping[str, Mapping[Any, str]] = {
        "points": {limit: f"{limit} points for a platoon" for limit in (40, 60, 80, 100, 120, 150)},
        "arrow_mm": {
            150: "an arrow of 150 mm, for a table of 90 cm",
            120: "an arrow of 120 mm: shorter moves, more of them",
            100: "an arrow of 100 mm",
        },
        "pace": {
            "forms": "one sealed form for each phase: two or three exchanges a turn",
            "tank": "every tank is asked when its turn comes, as at the table: many exchanges",
        },
    }

    def __init__(self, own: Mapping[str, bytes] | None = None) -> None:
        self.own = dict(own or {})

    def choices_for(self, scenario: str) -> Mapping[str, Mapping[Any, str]]:
        """T4.1 The options of a scenario: points are among them only where platoons are chosen."""
        fixed = () if chooses(scenario) else ("points",)
        return {name: values for name, values in self.choices.items() if name not in fixed}

    @property
    def scenarios(self) -> tuple[str, ...]:
        return packaged_names("scenarios")

    def freeze(self, scenario: str, options: Mapping[str, Any]) -> dict[str, bytes]:
        """T3 All data that a match is played with; the options are `points`, `arrow_mm` and `pace`."""
        return freeze(scenario, options, self.own)

    def scenario_format(self) -> str:
        """T3 The scenario file format, and the ids that can be used in it."""
        return scenario_format()

    def check_scenario(self, setup: bytes, maps: dict[str, bytes], edition: str = "") -> list[str]:
        """T3 Describe a scenario in a few lines; a refusal lists every mistake in it and in its card files."""
        return check_scenario(setup, maps, edition)

    def rules(self, blobs: Mapping[str, bytes]) -> TanksRules:
        """The rules bound to these blobs."""
        return TanksRules(data_set(blobs))

"""Panzer as a title: the basic game in both editions, bound to the data of a match.

    4.0     STEPS: the sequence of play; begin_turn
    4.0     Panzer (the title), PanzerRules (the title bound to a match)

The steps say which comes next. Fire goes First Player, Second Player, overwatch; movement Second, then First.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from pbem.engine.play.bots import Bot, Choice
from pbem.engine.rules.ask import Answer, Ask, Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.table import Table
from pbem.engine.rules.title import Reply, Rules, Submission, Title
from pbem.engine.text.sheets import Sheet, Sight
from pbem.titles.panzer import bot, briefing, doctrine, forms, orders, sheets, tell
from pbem.titles.panzer.adjustment import adjustment_phase
from pbem.titles.panzer.advanced.rules_in_use import (
    ADVANCED_RULES,
    RULES,
    WITHOUT,
    any_rules,
    optional_rules,
    words,
)
from pbem.titles.panzer.ap_fire import aspect_options, check_aspect, check_show, show_options
from pbem.titles.panzer.charts import DataError, read_toml
from pbem.titles.panzer.commands import check_commands, command_options, place_commands
from pbem.titles.panzer.data_set import PanzerData, data_set, freeze, options_of
from pbem.titles.panzer.deployment import (
    DEPLOYMENT,
    check_deploy,
    deploy_options,
    deployment_step,
    initial_state,
)
from pbem.titles.panzer.direct_fire import check_fire, direct_fire_step, fire_options
from pbem.titles.panzer.flaws import flaws, invariants
from pbem.titles.panzer.initiative import check_initiative, initiative_options, initiative_phase
from pbem.titles.panzer.movement import (
    check_move,
    check_reroute,
    move_options,
    movement_step,
    no_move_step,
    reroute_options,
)
from pbem.titles.panzer.overwatch import check_overwatch, overwatch_options, overwatch_step
from pbem.titles.panzer.picture import svg
from pbem.titles.panzer.plan import read_plan
from pbem.titles.panzer.proposals import proposing
from pbem.titles.panzer.scenario import is_advanced, packaged_scenarios
from pbem.titles.panzer.spotting import spotting_phase
from pbem.titles.panzer.state import PanzerState
from pbem.titles.panzer.view import view_of

PHASES: Final = ("spotting", "command", "initiative", "combat", "movement", "adjustment")
"""4.0 The phases of a turn in the basic game."""


def begin_turn(table: Table[PanzerState]) -> Step:
    """4.0 A turn is a fixed list of phases, played in the printed order; the first is the Spotting Phase."""
    state = table.state
    table.find("4.0", inputs={"turn": state.turn, "of": table.data.scenario.turns}, result=list(PHASES))
    yield from spotting_phase(table)


STEPS: Final[Mapping[str, Callable[..., Step]]] = {
    spotting_phase.__name__: begin_turn,  # 4.0, 4.1
} | {
    step.__name__: step
    for step in (
        deployment_step,  # 2.0
        place_commands,  # 4.2.1
        initiative_phase,  # 4.3
        direct_fire_step,  # 4.4.1
        overwatch_step,  # 4.4.2
        movement_step,  # 4.5
        no_move_step,  # 4.5.1.1.8
        adjustment_phase,  # 4.6
    )
}
"""4.0 The sequence of play."""

Options = Callable[[PanzerData, PanzerState, Ask], Iterator[Answer]]
Check = Callable[[PanzerData, PanzerState, Ask, Answer], Answer]

OPTIONS: Final[Mapping[str, Options]] = {
    "deploy": deploy_options,
    "commands": command_options,
    "initiative": lambda data, view, ask: initiative_options(),
    "fire": fire_options,
    "show": lambda data, view, ask: show_options(view, ask),
    "aspect": lambda data, view, ask: aspect_options(),
    "overwatch": overwatch_options,
    "move": move_options,
    "reroute": reroute_options,
}
"""Legal answers by kind of ask."""

CHECKS: Final[Mapping[str, Check]] = {
    "deploy": check_deploy,
    "commands": check_commands,
    "initiative": lambda data, view, ask, answer: check_initiative(answer),
    "fire": check_fire,
    "show": lambda data, view, ask, answer: check_show(view, ask, answer),
    "aspect": lambda data, view, ask, answer: check_aspect(answer),
    "overwatch": check_overwatch,
    "move": check_move,
    "reroute": check_reroute,
}
"""The canonical answer by kind of ask, or a refusal."""


class PanzerRules(Rules):
    """The rules bound to one match. Every seat commands a side."""

    data: PanzerData
    state_type: type[PanzerState] = PanzerState
    steps = STEPS
    kinds = tuple(OPTIONS)
    tiers: tuple[str, ...] = ("basic",)
    """The tiers of the ledger whose rules it can show."""
    bots: Mapping[str, Callable[[object], Bot]] = {
        "steady": bot.steady_bot,
        "reckless": bot.reckless_bot,
        "curious": bot.curious_bot,
    }

    def __init__(self, data: PanzerData) -> None:
        self.data = data
        self.seats = tuple(side.id for side in data.scenario.sides)
        self.sides: Mapping[str, str] = {seat: seat for seat in self.seats}

    def setup(self, switches: tuple[str, ...]) -> PanzerState:
        """2.0 The state before the first step."""
        return initial_state(self.data, switches)

    def view(self, state: PanzerState, viewer: str) -> PanzerState:
        """4.2.1 All that a viewer may know."""
        return view_of(state, viewer)

    def options(self, view: PanzerState, ask: Ask) -> Iterator[Answer]:
        """Legal answers, lazily."""
        return OPTIONS[ask.kind](self.data, view, ask)

    def check(self, view: PanzerState, ask: Ask, answer: Answer) -> Answer:
        """The canonical answer, or a refusal with every objection."""
        return CHECKS[ask.kind](self.data, view, ask, answer)

    def check_plan(self, view: PanzerState, ask: Ask, plan: Any) -> dict[str, Any]:
        """The canonical plan, or a refusal."""
        return orders.check_plan(view, ask.seat, plan)

    def check_doctrine(self, given: Any) -> list[Any]:
        """Standing orders in canonical form, or a refusal."""
        return list(doctrine.check_doctrine(given))

    def planned(self, view: PanzerState, ask: Ask, plan: Mapping[str, Any]) -> Iterator[Reply]:
        """What the plan says about this ask, best first."""
        return doctrine.planned(self.data, view, ask, read_plan(plan))

    def instructed(self, view: PanzerState, ask: Ask, given: list[Any]) -> Iterator[Reply]:
        """What the standing orders say about this ask; without any the stock ones hold."""
        return doctrine.instructed(self.data, view, ask, given)

    def read(self, view: PanzerState, ask: Ask, text: str) -> Submission:
        """Read a player's lines; a refusal names every line that cannot be carried out, and lines that could."""

        def attempt(lines: str) -> Submission:
            said = self.read_lines(view, ask, lines)
            self.check(view, ask, said.answer)
            self.check_plan(view, ask, said.plan)
            return said

        return proposing(attempt, text)

    def read_lines(self, view: PanzerState, ask: Ask, text: str) -> Submission:
        """What a player's lines say, or a refusal of every line that cannot be carried out."""
        if ask.kind == "commands":
            return orders.read_orders(self.data, view, ask.seat, text)
        if ask.kind == "deploy":
            return orders.read_placing(view, ask.seat, text)
        return orders.read_answer(self.data, view, ask, text)

    def restate(self, ask: Ask, submission: Submission) -> str:
        """The canonical lines of a submission, for receipts."""
        return orders.restate(ask.kind, submission)

    def form(self, view: PanzerState, ask: Ask) -> str:
        """Lines ready to edit and send back."""
        if ask.kind == "commands":
            return forms.command_form(self.data, view, ask.seat)
        if ask.kind == "deploy":
            return forms.placing_form(self.data, view, ask.seat)
        return forms.answer_form(self.data, view, ask)

    def help(self) -> str:
        """The order language on one screen."""
        return forms.HELP

    def standing_orders(self) -> str:
        """What standing orders can say, on one screen."""
        return doctrine.HELP

    def briefing(self, seat: str) -> str:
        """2.0 The situation and what counts, for who sits down."""
        return briefing.briefing(self.data.scenario, seat)

    def tell(self, finding: Finding) -> str:
        """One sentence for a reader."""
        return tell.tell(finding)

    def tell_tree(self, finding: Finding) -> list[str]:
        """A finding and all that it rests on, indented."""
        return tell.tell_tree(finding)

    def flaws(self, state: PanzerState) -> Iterator[str]:
        """Invariants that this state breaks; none in a sound engine."""
        return flaws(self.data, state)

    def invariants(self) -> list[str]:
        """What is looked at for flaws."""
        return invariants()

    def in_preparation(self, state: PanzerState) -> bool:
        """2.0 Whether the match is still being set up."""
        return state.phase == DEPLOYMENT

    def bot(self, seed: object) -> Bot:
        """A bot that plays to win."""
        return bot.steady_bot(seed)

    def questions(self, view: PanzerState, seat: str, choice: Choice) -> Iterator[Finding]:
        """What somebody in this seat could look up now."""
        return bot.questions(self.data, view, seat, choice)

    def picture(self, view: PanzerState, viewer: str = "public") -> str | None:
        """1.2 The map as a viewer may see it."""
        return svg(self.data, view, viewer=viewer)

    def roll_call(self, view: PanzerState, ask: Ask) -> dict[str, str]:
        """4.2.1 The units that may be told something in answer to this ask, with their names."""
        return sheets.roll_call(self.data, view, ask)

    def sheet(self, view: PanzerState, viewer: str, ask: Ask | None, unit: str) -> Sheet | None:
        """1.6 One unit as a viewer may know it, with its orders if he is asked for them."""
        return sheets.unit_sheet(self.data, view, viewer, ask, unit)

    def sight(self, view: PanzerState, start: str, end: str = "") -> Sight | None:
        """4.1.4 What can be seen from a hex."""
        return sheets.sight(self.data, view, start, end)


class Panzer(Title):
    """The title: scenarios of the basic game, and of the advanced game with its optional rules."""

    name = "panzer"
    switches: tuple[str, ...] = ()
    several: tuple[str, ...] = (RULES, WITHOUT)
    """The choices that take more than one value."""

    @property
    def choices(self) -> Mapping[str, Mapping[str, str]]:
        """What the maker of a match may choose; without a choice a scenario is played by its own book."""
        return {
            "edition": {
                "2024": "North Africa, living rules of 2024",
                "2016": "Panzer, rules of 2016",
            },
            RULES: {id: words(id) for id in optional_rules()},
            WITHOUT: {id: words(id) for id in ADVANCED_RULES},
        }

    def choices_for(self, scenario: str) -> Mapping[str, Mapping[str, str]]:
        """1.0, 7.0 What can be chosen for a scenario: only the advanced game has rules to add and to leave out."""
        return {name: values for name, values in self.choices.items() if name in options_of(scenario)}

    @property
    def scenarios(self) -> tuple[str, ...]:
        return packaged_scenarios()

    def freeze(self, scenario: str, options: Mapping[str, Any]) -> dict[str, bytes]:
        """1.0 Everything a match is played with; the options are `edition`, `rules` and `without`."""
        blobs = freeze(scenario, options)
        self.rules(blobs)  # 7.0: a choice of rules that cannot be played
        return blobs

    def rules(self, blobs: Mapping[str, bytes]) -> PanzerRules:
        """The rules bound to such blobs."""
        if is_advanced(blobs["scenario"]):
            from pbem.titles.panzer.advanced.data_set import advanced_data_set  # which build upon this module
            from pbem.titles.panzer.advanced.title import AdvancedRules

            return AdvancedRules(advanced_data_set(blobs))
        return PanzerRules(data_set(blobs))

    def any_choice(self, scenario: str, options: Mapping[str, Any], choice: Choice) -> dict[str, list[str]]:
        """7.0 Rules to add and to leave out by chance, such as can be played together: for trying them out."""
        if RULES not in options_of(scenario):
            return {}
        found = {RULES: any_rules(options["edition"], choice)}
        without = [rule for rule in ADVANCED_RULES if choice.below(6) == 0] if choice.below(6) == 0 else []
        try:
            self.freeze(scenario, {**options, **found, WITHOUT: without})
        except DataError:  # it has units that need such a rule
            return found
        return found | ({WITHOUT: without} if without else {})

    def varied(self, blobs: Mapping[str, bytes], choice: Choice) -> Mapping[str, bytes]:
        """2.0 Another set-up on the same map, by the same rules, by chance; the basic game has none."""
        if not is_advanced(blobs["scenario"]):
            return blobs
        from pbem.titles.panzer.advanced.skirmish import skirmish
        from pbem.titles.panzer.advanced.title import AdvancedRules

        bound = self.rules(blobs)
        assert isinstance(bound, AdvancedRules)
        where = read_toml(blobs["scenario"], "scenario")["map"]
        setup = skirmish(bound.data, where, choice, lambda content: self.rules({**blobs, "scenario": content}))
        return {**blobs, "scenario": setup}

    def scenario_format(self) -> str:
        """2.0 How a scenario is written, for players, and everything that it can be made of."""
        from pbem.titles.panzer.advanced.catalogue import scenario_format

        return scenario_format()

    def check_scenario(self, setup: bytes, maps: dict[str, bytes], edition: str = "") -> list[str]:
        """2.0 What a scenario is, in lines; a refusal names every mistake in it."""
        from pbem.titles.panzer.advanced.checking import check_scenario

        return check_scenario(setup, maps, edition)

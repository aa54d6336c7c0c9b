"""ASL Starter Kit #3 as a title, bound to the data of a match.

3.0    STEPS: set-up, then player turns of eight phases
----   Aslsk (the title), AslskRules (the title bound to a match)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from pbem.engine.play.bots import Bot
from pbem.engine.play.choice import Choice
from pbem.engine.rules import recompute
from pbem.engine.rules.ask import Ask, Grade, Step
from pbem.engine.rules.decision import DecisionRules, by_kind
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Place
from pbem.engine.rules.refusals import Objection, Refusal, Unreadable
from pbem.engine.rules.state import NextStep
from pbem.engine.rules.title import Formation, Proposal, Stand, Title, Wish, Wording
from pbem.engine.rules.watching import watch_markers, watch_step
from pbem.engine.text.compass import COMPASS
from pbem.engine.text.messages import Message, say
from pbem.engine.text.sheets import Sheet, Sight
from pbem.titles.aslsk import campaign, sequence
from pbem.titles.aslsk.bots.curious import curious_bot
from pbem.titles.aslsk.bots.probes import contests, probes
from pbem.titles.aslsk.bots.steady import steady_bot
from pbem.titles.aslsk.bots.variation import vary
from pbem.titles.aslsk.cards.scenario_files import check_scenario, own_scenarios, scenario_format
from pbem.titles.aslsk.close_combat.decision import CloseCombat
from pbem.titles.aslsk.close_combat.phase import close_combat_end, close_combat_phase, combat_hex
from pbem.titles.aslsk.data_set import AslskData, data_set, freeze, playable_scenarios, vehicle_arms
from pbem.titles.aslsk.fire.components import IFE
from pbem.titles.aslsk.fire.phases import advancing_fire_phase, defensive_fire_phase, prep_fire_phase
from pbem.titles.aslsk.ground import lattice
from pbem.titles.aslsk.ground.explained_sight import finding as sight_finding
from pbem.titles.aslsk.invariants import broken_invariants
from pbem.titles.aslsk.movement.advance import advance_phase
from pbem.titles.aslsk.movement.first_fire_window import Window
from pbem.titles.aslsk.movement.phase import end_movement, expenditure, movement_phase, next_mover
from pbem.titles.aslsk.movement.waves import GoOn, Wave, WaveDefence
from pbem.titles.aslsk.orders import NO_ORDERS, Clause, Orders
from pbem.titles.aslsk.ordnance.panzerfaust import stock
from pbem.titles.aslsk.player import exchanges
from pbem.titles.aslsk.player.help import HELP, STANDING_ORDERS, briefing, building_words
from pbem.titles.aslsk.player.map import map_in_words, picture
from pbem.titles.aslsk.player.placing import SetUp
from pbem.titles.aslsk.player.proposals import propose, refused_preview, ways_ahead
from pbem.titles.aslsk.player.standing_orders import check_standing_orders, clauses_of, stock_orders
from pbem.titles.aslsk.rally.phase import rally_phase
from pbem.titles.aslsk.rout.decision import Rout
from pbem.titles.aslsk.rout.phase import rout_end, rout_next, rout_phase
from pbem.titles.aslsk.sheets import unit_sheets
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import AslskState, Unit, Vehicle, Weapon, pieces
from pbem.titles.aslsk.telling.markers import MARKERS, change_in_words, marks_of, public_markers
from pbem.titles.aslsk.telling.recomputing import RECIPES
from pbem.titles.aslsk.telling.sentences import TELLING
from pbem.titles.aslsk.telling.words import SIDES
from pbem.titles.aslsk.victory import ControlWatch, objectives, score_of
from pbem.titles.aslsk.view import view_of

STEPS: Final[Mapping[str, Callable[..., Step]]] = {
    step.__name__: watch_step(watch_markers(step, MARKERS, public_markers, "1.2"), ControlWatch)
    for step in (
        sequence.setup_step,  # 11 A
        sequence.turn_start,  # 3.0
        rally_phase,  # 3.1
        prep_fire_phase,  # 3.2.5
        sequence.before_movement,
        movement_phase,  # 3.3
        next_mover,
        expenditure,
        end_movement,
        sequence.fire_orders,
        defensive_fire_phase,  # 3.4
        advancing_fire_phase,  # 3.5
        sequence.close_orders,
        rout_phase,  # 3.6
        rout_next,
        rout_end,
        advance_phase,  # 3.7
        close_combat_phase,  # 3.8
        combat_hex,
        close_combat_end,
        sequence.turn_end,  # 3.9
    )
}
"""3.0 The sequence of play."""

DECISIONS: Final = by_kind(
    SetUp,
    exchanges.TurnOrders,
    exchanges.Defence,
    exchanges.RallyPrep,
    exchanges.RallyChoices,
    exchanges.FinalFire,
    exchanges.AdvancingFire,
    exchanges.Close,
    exchanges.CloseDefence,
    Wave,
    WaveDefence,
    Window,
    GoOn,
    Rout,
    CloseCombat,
)
"""One class for each kind of ask."""


class AslskRules(DecisionRules):
    """The rules bound to one match. Each side is one seat."""

    state_type = AslskState
    steps = STEPS
    comment_width = 50
    decisions = DECISIONS
    keeps_order = True
    tells_happenings = True
    modes: Mapping[str, frozenset[Grade]] = {
        "plan": frozenset({"order"}),
        "mover": frozenset({"order", "detail"}),
        "ask": frozenset({"order", "reaction"}),
    }
    """by-mail `plan`: fire plans and standing orders answer; `mover`: both seats are asked before each stack moves;
    `ask`: the DEFENDER is asked at every expenditure."""
    kinds = tuple(sorted(DECISIONS))
    tiers = ("general", "basic", "advanced", "scenario")
    """The tiers of the rules ledger that this title can show."""
    bots: Mapping[str, Callable[[object], Bot]] = {"steady": steady_bot, "curious": curious_bot}

    def __init__(self, data: AslskData) -> None:
        self.data = data
        self.roster: dict[str, str] = {}
        self.seats = data.seats
        self.sides: Mapping[str, str] = {seat: seat for seat in data.seats}

    def find_unexplained(self, findings: Iterable[Finding]) -> Iterator[str]:
        """3.0-7.12 Return the findings whose results do not follow from their own numbers."""
        return recompute.find_unexplained(RECIPES, self.data, findings)

    def questions(self, view: AslskState, seat: str, choice: Choice) -> Iterator[Finding]:
        """3.2.1 A random line of sight that a player might look up, if the match allows it."""
        own = sorted({piece.at for piece in pieces(view) if piece.seat == seat and piece.at})
        if own and self.data.options.los == "open":
            ends = choice.one_of(own), choice.one_of(list(self.data.ground.hexes))
            yield sight_finding(Situation(self.data, view).sight(*ends))

    def setup(self, switches: tuple[str, ...]) -> AslskState:
        """1.3 The state before the first step, with every unit off the board; the side that the scenario names
        sets up first.
        """
        scenario = self.data.scenario
        units = {
            piece.id: Unit(id=piece.id, seat=group.side, card=piece.card, group=group.id)
            for group in scenario.groups
            for piece in group.units
        }
        guns = {
            piece.id: Weapon(id=piece.id, card=piece.card, facing=self.data.ready_facing(piece.id))
            for group in scenario.groups
            for piece in group.guns
        }
        weapons = {
            piece.id: Weapon(id=piece.id, card=piece.card) for group in scenario.groups for piece in group.weapons
        }
        vehicles, arms = self.armour()
        first = scenario.setup_first
        order = [first, next(seat for seat in self.seats if seat != first)]
        start = NextStep("setup_step", {"seats": order})
        control = {
            place: self.data.starting_control(place)
            for goal in scenario.victory
            for place in (*goal.buildings, *goal.hexes)
        }
        return AslskState(
            next=start,
            switches=switches,
            units=units,
            weapons={**weapons, **guns, **arms},
            vehicles=vehicles,
            pf_left={seat: count for seat in self.seats if (count := stock(self.data, seat))},
            attacker=scenario.first,
            control={place: seat for place, seat in control.items() if seat},
        )

    def armour(self) -> tuple[dict[str, Vehicle], dict[str, Weapon]]:
        """7.0 The vehicles of the scenario and their weapons; those that enter later are in Motion."""
        vehicles: dict[str, Vehicle] = {}
        arms: dict[str, Weapon] = {}
        for group in self.data.scenario.groups:
            for piece in group.vehicles:
                facing = self.data.ready_facing(piece.id)
                vehicles[piece.id] = Vehicle(
                    id=piece.id, seat=group.side, card=piece.card, group=group.id, vca=facing, tca=facing,
                    motion=bool(group.entry),
                )  # fmt: skip
                for card in vehicle_arms(self.data.deck.vehicles[piece.card]):
                    id = f"{piece.id}{card.partition(':')[2]}"
                    arms[id] = Weapon(id=id, card=card, holder=piece.id)
        return vehicles, arms

    def view(self, state: AslskState, viewer: str) -> AslskState:
        """11 F Everything the viewer may see."""
        return view_of(state, viewer)

    def check_plan(self, view: Any, ask: Ask, plan: Any) -> dict[str, Any]:
        """Refuse any separate plan: all orders are in the answer itself."""
        if plan:
            raise Unreadable(
                "plan", [Objection("11/orders", say("this title takes no separate plan: send everything as orders"))]
            )
        return {}

    def check_doctrine(self, doctrine: Any) -> list[Any]:
        """Return standing orders in canonical form, or refuse them."""
        return check_standing_orders(doctrine)

    def compile_standing_orders(self, clauses: list[Any]) -> tuple[Clause, ...]:
        """11 G0 Prepare standing orders for use; a seat without any uses the stock orders."""
        return clauses_of(self.data.ground, tuple(clauses)) if clauses else stock_orders(self.data.ground)

    def plan_period(self, state: AslskState) -> str:
        """3.0 The period for which a plan is valid: one player turn."""
        return f"{state.turn} {state.attacker}"

    def help(self) -> Wording:
        """A one-screen summary of the order language."""
        return HELP

    def standing_orders(self) -> Wording:
        """A one-screen summary of the standing orders language."""
        return STANDING_ORDERS

    def briefing(self, seat: str) -> Wording:
        """1.3 The situation and victory conditions, for a player who takes a seat."""
        return briefing(self.data, seat)

    def tell(self, finding: Finding) -> str | Message:
        """One finding as a sentence for a reader."""
        return TELLING.tell(finding)

    def tell_tree(self, finding: Finding) -> list[str]:
        """A finding with its children, indented."""
        return TELLING.tell_tree(finding)

    def flaws(self, state: AslskState) -> Iterator[str]:
        """The invariants that this state breaks."""
        return broken_invariants(Situation(self.data, state))

    def facing_in_words(self, facing: int) -> Message:
        """3.2.4 A facing in words; facings are counted anticlockwise from the east."""
        return COMPASS[lattice.SPINES[facing % 6]]

    def stands(self, view: AslskState) -> tuple[Stand, ...]:
        """1.2 The units on the map with their markers, grouped as in the scenario."""
        return tuple(unit_sheets.stands(Situation(self.data, view)))

    def markers(self, view: AslskState) -> dict[tuple[str, str], Any]:
        """11 C The markers of every unit and vehicle on the map."""
        found = {key: now for piece in pieces(view) if piece.at for key, now in marks_of(piece)}
        situation, known = Situation(self.data, view), self.data.cards_at_start
        others = [unit for unit in view.units.values() if unit.at and unit.card != known.get(unit.id)]
        return found | {(unit.id, "name"): situation.name(unit) for unit in others}

    def change_in_words(self, what: str, now: Any) -> str | Message:
        """11 C Return the words for a marker that a piece has received or lost."""
        return change_in_words(what, now) or super().change_in_words(what, now)

    def objectives(self, view: AslskState) -> dict[str, str]:
        """2 def/control The places in the victory conditions, each with the side that controls it."""
        return objectives(Situation(self.data, view))

    def carriers(self, view: AslskState) -> dict[str, str]:
        """1.2.4, 6.8 The unit or vehicle that has each weapon, including the IFE of Guns."""
        held = {weapon.id: weapon.holder for weapon in view.weapons.values() if weapon.holder}
        return held | {id.removesuffix("ma") + IFE: holder for id, holder in held.items()}

    def shows_sights(self) -> bool:
        """3.2.1 Whether players may look up lines of sight before a shot, which `los = printed` forbids."""
        return str(self.data.options.los) == "open"

    def place_in_words(self, at: Place) -> str | Message:
        """1.3 A building by its name and hexes; any other place by its name."""
        named = isinstance(at, str) and at in self.data.ground.buildings
        return building_words(self.data, str(at)) if named else super().place_in_words(at)

    def ordered_units(self, ask: Ask, answer: Any) -> frozenset[str]:
        """3.3 The units that are ordered to enter a hex."""
        moves = answer.get("moves", []) if ask.kind == "orders" else []
        going = [move for move in moves if any(leg["do"] == "enter" for leg in move["legs"])]
        return frozenset(id for move in going for id in move["units"])

    def formations(self, view: AslskState, seat: str) -> tuple[Formation, ...]:
        """1.3 The groups of the scenario that a seat commands."""
        found = []
        for group in self.data.scenario.groups:
            units = tuple(unit.id for unit in pieces(view) if (unit.group, unit.seat) == (group.id, seat))
            if units:
                found.append(Formation(group.id, group.name or group.id, units))
        return tuple(found)

    def verbs(self, ask: Ask) -> tuple[str, ...]:
        """3.0 The orders that can be given to many units at once in this exchange."""
        return {
            "orders": ("move", "fire", "advance"),
            "final_fire": ("fire",),
            "advancing_fire": ("fire", "advance"),
            "close": ("advance",),
        }.get(ask.kind, ())

    def propose(self, view: AslskState, ask: Ask, wish: Wish) -> Proposal:
        """Return order lines for many units at once."""
        try:
            written = self.read(view, ask, "\n".join(wish.kept)).answer if wish.kept else {}
            kept = msgspec.convert(written, Orders)
        except (Refusal, msgspec.ValidationError):  # refused already, or not orders for a phase
            kept = NO_ORDERS
        return propose(Situation(self.data, view), ask, wish, kept)

    def preview(self, view: AslskState, ask: Ask, line: str) -> dict[str, Any]:
        """3.3.1 Describe where each stack in a line would go and how many MF it may spend, or why the line is
        refused.
        """
        try:
            said = self.read(view, ask, line)
        except Refusal as refusal:
            return refused_preview(refusal)
        return {"accepted": True, "moves": list(ways_ahead(Situation(self.data, view), said.answer))}

    def turns(self, state: AslskState) -> int:
        """3.9 The number of game turns."""
        return int(self.data.scenario.turns)

    def score(self, state: AslskState) -> dict[str, int]:
        """1.3 The points of each seat so far."""
        return score_of(Situation(self.data, state))

    def picture(self, view: AslskState, viewer: str = "public") -> str | None:
        """1.1 The map as a viewer may see it."""
        return picture(Situation(self.data, view), viewer)

    def describe(self, view: AslskState, viewer: str = "public") -> list[Message]:
        """1.1 The map as a viewer may see it, in words."""
        return map_in_words(Situation(self.data, view), viewer)

    def roll_call(self, view: AslskState, ask: Ask) -> dict[str, str]:
        """The units that can be given orders now, with their names."""
        return unit_sheets.roll_call(Situation(self.data, view), ask)

    def sheet(self, view: AslskState, viewer: str, ask: Ask | None, unit: str) -> Sheet | None:
        """1.2 The sheet of one unit as a viewer may see it."""
        return unit_sheets.unit_sheet(Situation(self.data, view), viewer, ask, unit)

    def explain_sight(self, view: AslskState, seeing: str, seen: str) -> tuple[Finding, ...]:
        """3.2.1 The line of sight between two pieces or hexes."""
        return unit_sheets.explain_sight(Situation(self.data, view), seeing, seen)

    def sight(self, view: AslskState, start: str, end: str = "") -> Sight | None:
        """3.2.1 The lines of sight from a hex, if they are open information in this match."""
        return unit_sheets.sight(Situation(self.data, view), start, end)

    def in_preparation(self, state: AslskState) -> bool:
        """11 A Whether the match is still in set-up, before the first player turn."""
        return state.phase == "setup"

    def aftermath(self, state: AslskState) -> dict[str, dict[str, Any]]:
        """C3 The fate of every squad and leader from a roster."""
        sides = {piece.id: group.side for group in self.data.scenario.groups for piece in group.units}
        return campaign.fates(state, self.roster, sides)

    def perimeter(self, state: AslskState) -> dict[str, list[str]]:
        """C5 The hexes that each side controls at the end of a battle."""
        return campaign.perimeter(Situation(self.data, state)) if self.roster else {}

    def probes(self) -> Mapping[str, Callable[[], object]]:
        """The expensive operations of this title, for `pbem bench`."""
        return probes(self)

    def contests(self) -> Mapping[str, tuple[Callable[[], object], Callable[[], object]]]:
        """Compare computing lines of sight with looking up cached ones."""
        return contests(self)

    def bot(self, seed: object) -> Bot:
        """A bot that plays to win."""
        return steady_bot(seed)


class Aslsk(Title):
    """The title. `own` holds files of an owner of the game that replace packaged ones."""

    name = "aslsk"
    full_name = "ASL Starter Kit #3"
    measured = "two-roads"
    seat_names: Mapping[str, str] = {side: name.text for side, name in SIDES.items()}
    switches: tuple[str, ...] = ()
    option_names: Mapping[str, Message] = {
        "los": say("Lines of sight"),
        "tempo": say("Order forms in a player turn"),
        "waves": say("Stops in the Movement Phase"),
    }
    choices: Mapping[str, Mapping[str, str]] = {
        "los": {
            "printed": "lines of sight are unknown until a shot is declared, so a shot can be wasted",
            "open": "lines of sight are open information: a shot without one is refused",
        },
        "tempo": {
            "3": "three exchanges a player turn: move, fire, close",
            "1": "one exchange a player turn: everything is ordered beforehand",
            "4": "four exchanges: rally and Prep Fire before the movement orders",
        },
        "waves": {
            "each": "with reactions by mover, both sides are asked before each stack moves",
            "2": "both sides are asked twice in a Movement Phase, before each half of the stacks",
            "3": "both sides are asked three times in a Movement Phase",
            "4": "both sides are asked four times in a Movement Phase",
        },
    }

    def __init__(self, own: Mapping[str, bytes] | None = None) -> None:
        self.own = dict(own or {})

    @property
    def scenarios(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*playable_scenarios(), *own_scenarios(self.own))))

    def scenario_format(self) -> str:
        """1.3 Describe the scenario and board file formats, with all ids."""
        return scenario_format()

    def check_scenario(self, setup: bytes, maps: dict[str, bytes], edition: str = "") -> list[str]:
        """1.3 Describe an author's scenario in a few lines; a refusal lists every mistake in it."""
        return check_scenario(setup, maps, edition)

    def freeze(self, scenario: str, options: Mapping[str, Any]) -> dict[str, bytes]:
        """1.3 Everything a match is played with; options are `los`, `tempo` and `waves`."""
        return freeze(scenario, options, self.own)

    def vary(self, blobs: Mapping[str, bytes], choice: Choice) -> Mapping[str, bytes]:
        """1.3 The same scenario with other counters of the same nations."""
        deck = data_set(blobs).deck
        scenario = vary(blobs["scenario"], deck, choice, lambda content: data_set({**blobs, "scenario": content}))
        return {**blobs, "scenario": scenario}

    def rules(self, blobs: Mapping[str, bytes]) -> AslskRules:
        """The rules bound to frozen blobs."""
        bound = AslskRules(data_set(blobs))
        bound.roster = msgspec.json.decode(blobs.get(campaign.ROSTER, b"{}"), type=dict[str, str])
        return bound

    @property
    def battles(self) -> tuple[str, ...]:
        """C1 The linked scenarios, whose groups have slots for rosters."""
        return campaign.BATTLES

    def battle(self, scenario: str, options: Mapping[str, Any]) -> dict[str, bytes]:
        """C1 Everything needed to play a campaign battle, with the printed units still in its slots."""
        return freeze(scenario, options, self.own)

    def cards(self) -> Mapping[str, str]:
        """C2 The names of all squads and leaders."""
        return campaign.names()

    def room(self, blobs: Mapping[str, bytes]) -> dict[str, int]:
        """C2 How many units of each side fit into its slot."""
        return campaign.room(blobs)

    def on_ground(self, blobs: Mapping[str, bytes], ground: Mapping[str, Sequence[str]]) -> dict[str, bytes]:
        """C6 The scenario with both sides' perimeters as their set-up areas."""
        return campaign.on_ground(blobs, ground)

    def muster(self, blobs: Mapping[str, bytes], rosters: Mapping[str, Sequence[Any]]) -> dict[str, bytes]:
        """C2 The scenario with squads and leaders from the rosters in its slots."""
        filled = campaign.muster(blobs, rosters)
        self.rules(filled)
        return filled

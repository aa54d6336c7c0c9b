"""T3, T4 Decisions during set-up: the platoon, terrain, roles and deployment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, Final, Literal

import msgspec

from pbem.engine.play.choice import Choice
from pbem.engine.rules.decision import MOST_SAMPLES, Said
from pbem.engine.rules.refusals import Illegal, Objection, Path, locate_objections
from pbem.engine.rules.title import Submission
from pbem.engine.text.forms import FormLine
from pbem.engine.text.grammar import Words, part, tokens
from pbem.engine.text.messages import Message, named, say, several, term
from pbem.titles.data_files import close_to
from pbem.titles.tanks.cards.crew_and_upgrades import held_cards
from pbem.titles.tanks.data_set import EDGES, GLOBAL, Card, Model
from pbem.titles.tanks.data_set import Platoon as PlatoonList
from pbem.titles.tanks.decisions.base import TanksDecision
from pbem.titles.tanks.ground.geometry import Corners, shares_ground
from pbem.titles.tanks.movement.moves import shape_objections
from pbem.titles.tanks.player.orders import RULE, DeployForm
from pbem.titles.tanks.player.words import in_cm, leg_of, mm, named_in, spot_of, unit_named, write_leg
from pbem.titles.tanks.setup.placing import (
    INWARD,
    Spot,
    default_spots,
    deploy_objections,
    free_spots,
    place_objections,
    random_spot,
    spot_corners,
)
from pbem.titles.tanks.setup.platoon import answer_of, buy_platoon, cost, platoon_objections, read_list, write_list
from pbem.titles.tanks.state import Tank
from pbem.titles.tanks.telling.names import edge as edge_name

ROLES: Final = ("attacker", "defender")
KINDS: Final = ("wood", "building")
Kind = Literal["wood", "building"]
Wishes = dict[Kind, list[Spot]]


class Platoon(TanksDecision[PlatoonList], kind="platoon", rule="T4.1"):
    """T4 The choice of a seat's tanks and cards."""

    Answer = PlatoonList
    grade = "order"

    def plain(self, answer: PlatoonList) -> Any:
        return answer_of(answer)

    def options(self) -> Iterator[PlatoonList]:
        """T4 Yield the scenario's platoon, then some random platoons of each country."""
        yield self.default()
        for country in self.data.countries:
            for number in range(5):
                platoon = buy_platoon(self.data, country, Choice("platoon", country, number))
                if platoon.tanks:
                    yield platoon

    def objections(self, answer: PlatoonList) -> Iterator[Objection]:
        unknown = [fielded.tank for fielded in answer.tanks if fielded.tank not in self.data.models]
        unknown += [card for fielded in answer.tanks for card in fielded.cards if card not in self.data.cards]
        if unknown:
            yield Objection(RULE, say("no tank or card has that id"), (unknown[0],))
        else:
            yield from platoon_objections(self.data, answer)

    def take(self, text: str) -> Submission:
        """T4 Read a platoon list, which has its own format and is not part of the order language."""
        return Submission(self.check(self.plain(read_list(self.data, text))))

    def form(self) -> Iterator[FormLine]:
        """T4 Yield a form with the scenario's platoon, and with everything that can be bought."""
        data, platoon = self.data, self.default()
        yield from self.remark(
            say(
                "Your platoon, up to {limit} points (this one costs {points}).",
                limit=data.scenario.points,
                points=cost(data, platoon),
            )
        )
        yield from write_list(data, platoon).splitlines()
        yield from self.remark(
            say("The values after the points are initiative, attack, defence, hull, crew slots and keywords.")
        )
        for country in data.countries:
            own = [describe_model(model) for model in data.models.values() if model.country == country]
            yield from self.remark(say("{country}: {models}", country=country, models=several(own, "unit")))
        yield from self.remark(
            say("Cards with their points, type and effect; a tank may have one card of each type:")
        )
        for card in data.cards.values():
            yield from self.remark(describe_card(card))

    def sentence(self, answer: PlatoonList) -> Iterator[str]:
        yield from write_list(self.data, answer).splitlines()


def describe_model(model: Model) -> str:
    """T2.1 Describe a tank card in one short line."""
    values = (model.initiative, model.attack, model.defence, model.hull, model.slots)
    keywords = f" {' '.join(model.keywords)}" if model.keywords else ""
    return f"{model.name} {model.points} ({'/'.join(map(str, values))}){keywords}"


def describe_card(card: Card) -> Message:
    """T2.2 Describe a crew or upgrade card: its points, its type, which tanks may have it, and what it does."""
    kinds: list[object] = [term("tanks card type", "hero")] if card.hero else []
    kinds += [named("tanks card type", card.type), *([card.country] if card.country != GLOBAL else [])]
    return say(
        "{card} {points} ({kinds}): {text}",
        card=named("tanks card", card.name),
        points=card.points,
        kinds=several(kinds, "unit"),
        text=named("card", card.text),
    )


def write_spot(what: str, spot: Spot) -> str:
    """T3 Return a place as a player would write it."""
    return f"{what} {mm(spot[0])} {mm(spot[1])} face {spot[2]}"


class Terrain(TanksDecision[Wishes], kind="terrain", rule="T3.1"):
    """T3.1 A seat's preferred places for woods and buildings, most wanted first."""

    Answer = Wishes
    nothing: ClassVar[Any] = {}
    grade = "order"
    start = "placing"
    shapes: ClassVar[Mapping[str, str]] = {"key": "only woods and buildings can be placed"}

    def options(self) -> Iterator[Wishes]:
        """T3.1 Yield the answer without wishes, then random wishes."""
        yield {}
        for number in range(MOST_SAMPLES):
            yield self.sample(Choice("terrain", self.seat, number))

    def sample(self, choice: Choice) -> Wishes:
        kinds: list[Kind] = ["building", "wood"]
        return {kind: [random_spot(self.situation, kind, choice) for _ in range(8)] for kind in kinds}

    def canonical(self, answer: Wishes) -> Wishes:
        return dict(sorted(answer.items()))

    def objections(self, answer: Wishes) -> Iterator[Objection]:
        for kind, spots in answer.items():
            for number, spot in enumerate(spots):
                yield from locate_objections((kind, number), place_objections(self.situation, kind, spot))

    def name(self, at: Path, answer: Wishes) -> str:
        x, y, _ = answer[at[0]][int(at[1])]  # type: ignore[index]
        return f"{at[0]} {mm(x)} {mm(y)}"

    def instead(self, at: Path, answer: Wishes) -> Sequence[str]:
        return [f"{at[0]} 450 450"]

    def read(self, words: Words, said: Said) -> None:
        """T3.1 Read a wish such as `wood 300 400 face 45`."""
        if words.data != "place":
            raise Illegal("first move", [Objection("T3.1", say("only woods and buildings can be placed"))])
        kind = named_in(tokens(words, "NAME")[0].rstrip("s"), {kind: kind for kind in KINDS}, "terrain")
        x, y, heading = spot_of(words, self.data.scenario.arrow)
        said.add((kind,), (x, y, heading or 0))

    def form(self) -> Iterator[FormLine]:
        yield from self.remark(
            say(
                "List places in order of preference. On your turn, the piece goes to the first legal place that "
                "leaves room for the remaining pieces. x and y are in mm; 30/40 cm is understood as well."
            )
        )
        yield from (write_spot(kind, next(default_spots(self.data, kind))) for kind in KINDS)

    def sentence(self, answer: Wishes) -> Iterator[str]:
        yield from (write_spot(kind, spot) for kind, spots in answer.items() for spot in spots)


class Wanted(msgspec.Struct, frozen=True):
    """T3.2 A seat's choice of role or edge, if it makes one."""

    edge: Literal["north", "east", "south", "west"] = "north"
    role: Literal["attacker", "defender"] = "attacker"


class Role(TanksDecision[Wanted], kind="role", rule="T3.2"):
    """T3.2 The choice of a role by the winner of the roll, and of an edge by the defender."""

    Answer = Wanted
    grade = "order"
    start = "role"
    nothing: ClassVar[Any] = {}
    shapes: ClassVar[Mapping[str, str]] = {
        "role": "the role must be attacker or defender",
        "edge": "the edge must be north, east, south or west",
    }

    def options(self) -> Iterator[Wanted]:
        yield from (msgspec.convert({"edge": edge, "role": role}, Wanted) for role in ROLES for edge in EDGES)

    def read(self, words: Words, said: Said) -> None:
        """T3.2 Read a choice such as `defender north`: the role if the seat may choose it, the edge if it defends."""
        roles = ["defender"] * bool(tokens(words, "DEFENDER")) + ["attacker"] * bool(tokens(words, "ATTACKER"))
        for part_of, word in [("role", role) for role in roles] + [("edge", edge) for edge in tokens(words, "EDGE")]:
            if said.has((part_of,)):
                raise Illegal(word, [Objection(RULE, say("the {part_of} is given twice", part_of=part_of))])
            said.put((part_of,), word.split()[-1])

    def form(self) -> Iterator[FormLine]:
        yield from self.remark(
            say(
                "Write attacker or defender, in case you win the roll, and north, east, south or west, in case you "
                "defend."
            )
        )
        yield from self.sentence(self.default())

    def sentence(self, answer: Wanted) -> Iterator[str]:
        yield f"{answer.role} {answer.edge}"


class Deploy(TanksDecision[DeployForm], kind="deploy", rule="T3.3"):
    """T3.3 The choice of where the tanks start, and of the early moves that cards allow before the first turn."""

    Answer = DeployForm
    grade = "order"
    start = "placing"
    nothing: ClassVar[Any] = {}

    @cached_property
    def mine(self) -> dict[str, Tank]:
        return {tank.id: tank for tank in self.view.tanks.values() if tank.seat == self.seat}

    @cached_property
    def to_place(self) -> dict[str, Tank]:
        """The tanks to be placed: all of them, or only one if the pace is `tank`."""
        return {id: tank for id, tank in self.mine.items() if self.ask.subject in ("", id)}

    @cached_property
    def legal(self) -> dict[str, list[tuple[Spot, Corners]]]:
        """T3.3 The free places for each tank to be placed."""
        return {
            tank.id: [
                (spot, spot_corners(self.data, tank, spot))
                for spot in free_spots(self.situation, tank, ())
                if not any(deploy_objections(self.situation, tank, spot))
            ]
            for tank in self.to_place.values()
        }

    def options(self) -> Iterator[DeployForm]:
        """T3.3 Yield the usual places, then random ones."""
        yield DeployForm()
        for number in range(MOST_SAMPLES):
            yield self.sample(Choice("deploy", self.seat, number))

    def sample(self, choice: Choice) -> DeployForm:
        places: dict[str, Spot] = {}
        taken: list[Corners] = []
        for tank, spots in self.legal.items():
            free = [(spot, at) for spot, at in spots if not any(shares_ground(at, other) for other in taken)]
            if free:
                places[tank], at = choice.one_of(free)
                taken.append(at)
        return DeployForm(places)

    def objections(self, answer: DeployForm) -> Iterator[Objection]:
        taken: list[tuple[str, Corners]] = []
        for tank, spot in sorted(answer.places.items()):
            if tank not in self.mine:
                yield Objection("T3.3", say("that is not your tank"), ("places", tank))
                continue
            hull = spot_corners(self.data, self.mine[tank], spot)
            yield from locate_objections(("places", tank), deploy_objections(self.situation, self.mine[tank], spot))
            for other, at in taken:
                if shares_ground(hull, at):
                    yield Objection("T3.3", say("the tank would overlap {other}", other=other), ("places", tank))
            taken.append((tank, hull))
        yield from self.early_objections(answer)

    def early_objections(self, answer: DeployForm) -> Iterator[Objection]:
        """T2.2 The objections to a move before the first turn, which a card must allow."""
        for tank, move in sorted(answer.early.items()):
            yield from locate_objections(("early", tank), shape_objections(self.situation, [move]))
            if tank not in self.mine:
                yield Objection("T3.3", say("that is not your tank"), ("early", tank))
            elif not self.may_move_early(tank):
                yield Objection("T2.2", say("no card lets this tank move before the others"), ("early", tank))

    def may_move_early(self, tank: str) -> bool:
        """T2.2 Whether a card lets a tank move early: its own card, or a friend's card that is for two tanks."""
        return any(
            card.effect.early_move == "pair" or (card.effect.early_move == "self" and other.id == tank)
            for other in self.mine.values()
            for _, card in held_cards(self.data, other)
        )

    def instead(self, at: Path, answer: DeployForm) -> Sequence[str]:
        tank = str(at[1])
        if tank not in self.mine:
            return close_to(tank, self.mine)
        if at[0] != "places":
            return []
        spot = self.propose_spots(answer).get(tank) or self.free_spot(tank, list(self.outlines(answer)))
        return [write_spot(f"{tank} at", spot)] if spot else []

    def outlines(self, answer: DeployForm) -> Iterator[Corners]:
        """T3.3 The outlines of the tanks at the places that the answer gives them."""
        return (spot_corners(self.data, self.mine[id], spot) for id, spot in answer.places.items() if id in self.mine)

    def propose_spots(self, answer: DeployForm) -> dict[str, Spot]:
        """T3.3 Free places, none overlapping, for all tanks that cannot be put where the answer wants them."""
        taken, found = list(self.outlines(answer)), dict[str, Spot]()
        for id, spot in answer.places.items():
            wrong = id in self.mine and any(deploy_objections(self.situation, self.mine[id], spot))
            if wrong and (free := self.free_spot(id, taken)):
                found[id] = free
                taken.append(spot_corners(self.data, self.mine[id], free))
        return found

    def free_spot(self, tank: str, taken: Sequence[Corners]) -> Spot | None:
        """T3.3 The first place where a tank may be put."""
        free = free_spots(self.situation, self.mine[tank], taken)
        return next((s for s in free if not any(deploy_objections(self.situation, self.mine[tank], s))), None)

    def read(self, words: Words, said: Said) -> None:
        """T3.3 Read a place such as `a1 at 450 60 face 180`; without a facing, the tank faces the enemy."""
        tank = unit_named(tokens(words, "NAME")[0], self.to_place.values(), self.situation)
        section = "early" if words.data == "early_place" else "places"
        if said.has((section, tank.id)):
            raise Illegal(tank.id, [Objection(RULE, say("{tank} has already been placed", tank=tank.id))])
        if section == "early":
            leg = part(words, "leg")
            assert leg is not None
            said.put(("early", tank.id), leg_of(leg, self.goal(tank)))
            return
        x, y, heading = spot_of(words, self.data.scenario.arrow)
        inward = INWARD[self.view.edges[self.seat]]
        said.put(("places", tank.id), (x, y, inward if heading is None else heading))

    def form(self) -> Iterator[FormLine]:
        """T3.3 Yield a form with each of the seat's tanks at a free place."""
        arrow, edge = self.data.scenario.arrow_mm, self.view.edges[self.seat]
        yield from self.remark(
            say(
                "Within {arrow} cm of the {edge} edge. x and y are in mm from the north-west corner; 45/78 cm is "
                "understood as well.",
                arrow=in_cm(arrow),
                edge=edge_name(edge),
            )
        )
        taken: list[Corners] = []
        for tank in self.to_place.values():
            free = free_spots(self.situation, tank, taken)
            spot = next(spot for spot in free if not any(deploy_objections(self.situation, tank, spot)))
            taken.append(spot_corners(self.data, tank, spot))
            yield f"{write_spot(f'{tank.id} at', spot)} # {self.data.models[tank.model].name}"

    def sentence(self, answer: DeployForm) -> Iterator[str]:
        yield from (write_spot(f"{tank} at", spot) for tank, spot in answer.places.items())
        yield from (f"{tank} first move {write_leg(move)}" for tank, move in answer.early.items())

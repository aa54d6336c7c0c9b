"""Ambush: a toy title that tests the kernel and serves title authors as an example.

Two seats play on a small hex map. Each turn both seal an order for each unit (1). The server draws from each seat's
deck a card that the other seat may not see (2), and both roll for initiative and may play a card (3). Units move one
by one; after each move the other seat may spring an ambush with a unit that waits in hiding (4). An order stays
secret until it acts. A side without units loses (5).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import msgspec

from pbem.engine.geometry.hexes import Hex, distance, neighbour
from pbem.engine.rules.ask import Answer, Ask, Step, Together
from pbem.engine.rules.balance import Balance, Provision
from pbem.engine.rules.findings import MASTER, Finding
from pbem.engine.rules.happenings import Happening, Lose, Move, Shot
from pbem.engine.rules.refusals import Illegal, Objection, Refusal, Refusals, Unreadable
from pbem.engine.rules.state import NextStep, State
from pbem.engine.rules.table import Table
from pbem.engine.rules.title import Formation, Page, Proposal, Reply, Rules, Submission, Title, Wish

SEATS = ("red", "blue")
OTHER = {"red": "blue", "blue": "red"}
SHOWS = "ambush/2026-11-happenings"
"""The switch that made findings say what they change on the map."""

ORDERS = ("hold", "ambush", "go1", "go2", "go3", "go4", "go5", "go6")


class Unit(msgspec.Struct):
    seat: str
    hex: Hex
    order: str = ""
    shown: bool = False


class Ambush(State, kw_only=True):
    turns: int
    units: dict[str, Unit]
    decks: dict[str, list[int]]
    hands: dict[str, list[int]]
    first: str = ""


class Data(msgspec.Struct):
    """The frozen scenario: width of the map, units per side, turns, and the deck."""

    width: int
    units: int
    turns: int
    deck: list[int]


# 1 Orders ----------------------------------------------------------------------------------------------------


def orders(table: Table[Ambush]) -> Step:
    """1 Ask both seats for an order for every unit, sealed from the other seat."""
    asks = tuple(Ask(seat, "orders", "1", default={}, grade="order") for seat in SEATS)
    for ask, answer in zip(asks, (yield Together(asks)), strict=True):
        for name, unit in units_of(table.state.units, ask.seat).items():
            unit.order = answer.get(name, "hold")
            table.find("1", to=(ask.seat,), inputs={"unit": name}, result=unit.order)
    table.then("cards")


def units_of(units: Mapping[str, Unit], seat: str) -> dict[str, Unit]:
    return {name: unit for name, unit in sorted(units.items()) if unit.seat == seat}


def order_objections(width: int, unit: Unit, order: str) -> Iterator[Objection]:
    """1.1 Yield the objection to an order that would lead a unit off the map."""
    if order.startswith("go") and not on_map(width, neighbour(unit.hex, int(order[2]))):
        yield Objection("1.1", "that leaves the map")


def on_map(width: int, hex: Hex) -> bool:
    return 0 <= hex.x < width and 0 <= hex.y < 2 * width


# 2 Cards -----------------------------------------------------------------------------------------------------


def cards(table: Table[Ambush]) -> Step:
    """2 Draw for each seat a card that only this seat may see; the deck is never shuffled beforehand."""
    for seat, deck in table.state.decks.items():
        if deck:
            card = deck.pop(table.roll(len(deck), "2", seat, secret=True) - 1)
            table.state.hands[seat].append(card)
            table.find("2", to=(seat,), result=card)
    table.then("initiative")
    return
    yield


# 3 Initiative ------------------------------------------------------------------------------------------------


def initiative(table: Table[Ambush]) -> Step:
    """3 Roll for initiative; each side may add a card, and a tie is rolled again."""
    asks = tuple(Ask(seat, "card", "3.1") for seat in SEATS)
    played = yield Together(asks)
    for seat, card in zip(SEATS, played, strict=True):
        if card is not None:
            table.state.hands[seat].remove(card)
    red = blue = 0
    while red == blue:
        dice = [table.roll(6, "3", seat) for seat in SEATS]
        red, blue = (die + (card or 0) for die, card in zip(dice, played, strict=True))
    table.state.first = "red" if red > blue else "blue"
    table.find("3", inputs={"cards": list(played)}, dice=dice, result=table.state.first)
    table.then("moves", seats=[table.state.first, OTHER[table.state.first]])


# 4 Moves and ambushes ----------------------------------------------------------------------------------------


def moves(table: Table[Ambush], seats: list[str]) -> Step:
    """4 Move the units of the first seat one by one, then those of the other seat."""
    seat, *rest = seats
    for name in units_of(table.state.units, seat):
        unit = table.state.units.get(name)
        if unit is not None and unit.order.startswith("go"):
            yield from move(table, name, unit)
    if rest:
        table.then("moves", seats=rest)
    else:
        table.then("turn_end")


def move(table: Table[Ambush], name: str, unit: Unit) -> Step:
    """4.1 Reveal the order and move the unit; then the enemy may spring an ambush."""
    before = unit.hex
    unit.shown, unit.hex = True, neighbour(unit.hex, int(unit.order[2]))
    moved = Move(name, ((before, None), (unit.hex, None)))
    table.find("4.1", inputs={"unit": name}, result=list(unit.hex), shows=showing(table, moved))
    enemy = OTHER[unit.seat]
    # Always ask: asking only if a unit lies in wait would reveal it to the mover.
    hunter = yield Ask(enemy, "ambush", "4.2", subject=name)
    if hunter is not None:
        table.state.units[hunter].shown = True
        shot = table.roll(6, "4.2", hunter, name)
        fired = Shot(hunter, name, needed=3, rolled=(shot,), result="hit" if shot >= 3 else "miss")
        shows = showing(table, fired, *([Lose(name, unit.hex, "ambushed")] if shot >= 3 else []))
        table.find("4.2", inputs={"hunter": hunter, "target": name}, dice=[shot], result=shot >= 3, shows=shows)
        if shot >= 3:
            del table.state.units[name]


def showing(table: Table[Ambush], *happenings: Happening) -> tuple[Happening, ...]:
    """Return the happenings of a finding; in matches begun before findings had happenings there are none."""
    return happenings if table.rule(SHOWS) else ()


def ambush_objections(hunter: Unit | None, target: Unit | None, seat: str) -> Iterator[Objection]:
    """4.2 Yield the objections to an ambush: only a unit with a hidden ambush order within two hexes may spring
    it."""
    if hunter is None or hunter.seat != seat:
        yield Objection("4.2", "it is not one of your units")
    elif hunter.order != "ambush" or hunter.shown:
        yield Objection("4.2", "it does not lie in wait")
    elif target is not None and distance(hunter.hex, target.hex) > 2:
        yield Objection("4.2", "the target is more than two hexes away")


# 5 End of the turn -------------------------------------------------------------------------------------------


def turn_end(table: Table[Ambush]) -> Step:
    """5 Discard orders that were never revealed; a side without units loses, and after the last turn the larger side
    wins."""
    state = table.state
    for unit in state.units.values():
        unit.order, unit.shown = "", False
    left = {seat: len(units_of(state.units, seat)) for seat in SEATS}
    if min(left.values()) == 0 or state.turn >= state.turns:
        best = max(SEATS, key=lambda seat: left[seat])
        table.end("5", None if left["red"] == left["blue"] else best, f"{left['red']} to {left['blue']}")
        table.find("5", inputs=left, result=state.outcome.winner if state.outcome else None)
    else:
        state.turn += 1
        table.then("orders")
    return
    yield


# The title ---------------------------------------------------------------------------------------------------


class AmbushRules(Rules):
    seats = SEATS
    sides: ClassVar = {seat: seat for seat in SEATS}
    state_type = Ambush
    steps: ClassVar = {f.__name__: f for f in (orders, cards, initiative, moves, turn_end)}

    def __init__(self, data: Data) -> None:
        self.data = data

    def setup(self, switches: tuple[str, ...]) -> Ambush:
        """Place red at the left edge of the map and blue at the right."""
        units = {
            f"{seat[0]}{number}": Unit(seat, Hex(x, 2 * number + x % 2))
            for seat, x in (("red", 0), ("blue", self.data.width - 1))
            for number in range(1, self.data.units + 1)
        }
        return Ambush(
            turns=self.data.turns,
            units=units,
            decks={seat: list(self.data.deck) for seat in SEATS},
            hands={seat: [] for seat in SEATS},
            next=NextStep("orders"),
            switches=switches,
        )

    def view(self, state: Ambush, viewer: str) -> dict[str, Any]:
        """Return the units with the orders that the viewer may see, the viewer's hand, and the numbers of cards."""
        units = {
            name: {
                "seat": unit.seat,
                "hex": list(unit.hex),
                "order": unit.order if unit.shown or viewer in (unit.seat, MASTER) else "?" if unit.order else "",
                "shown": unit.shown,
            }
            for name, unit in sorted(state.units.items())
        }
        hands = {seat: hand if viewer in (seat, MASTER) else len(hand) for seat, hand in state.hands.items()}
        decks = {seat: len(deck) for seat, deck in state.decks.items()}
        return {"turn": state.turn, "units": units, "hands": hands, "decks": decks, "first": state.first}

    def options(self, view: Any, ask: Ask) -> Iterator[Answer]:
        if ask.kind == "card":
            yield from (None, *view["hands"][ask.seat])
        elif ask.kind == "ambush":
            yield None
            for name in view["units"]:
                if not any(self._ambush_objections(view, ask, name)):
                    yield name
        else:
            yield {}
            for name, unit in self._own(view, ask.seat).items():
                for order in ORDERS:
                    if not any(order_objections(self.data.width, unit, order)):
                        yield {name: order}

    def _own(self, view: Any, seat: str) -> dict[str, Unit]:
        return units_of(msgspec.convert(view["units"], dict[str, Unit]), seat)

    def _ambush_objections(self, view: Any, ask: Ask, name: str) -> Iterator[Objection]:
        units = msgspec.convert(view["units"], dict[str, Unit])
        return ambush_objections(units.get(name), units.get(ask.subject), ask.seat)

    def check(self, view: Any, ask: Ask, answer: Answer) -> Answer:
        if ask.kind == "orders":
            return self._check_orders(view, ask, answer)
        if ask.kind == "ambush" and answer is not None:
            if objections := list(self._ambush_objections(view, ask, str(answer))):
                raise Illegal(str(answer), objections, [str(o) for o in self.options(view, ask) if o])
        elif answer is not None and answer not in view["hands"][ask.seat]:
            raise Illegal(str(answer), [Objection("3.1", "you do not hold that card")])
        return answer

    def _check_orders(self, view: Any, ask: Ask, answer: Answer) -> Answer:
        if not isinstance(answer, dict):
            raise Unreadable("orders", [Objection("1", "an order names a unit and what it does")])
        own, refusals = self._own(view, ask.seat), list[Refusal]()
        for name, order in sorted(answer.items()):
            if name not in own:
                refusals.append(Illegal(name, [Objection("1", "it is not one of your units")], list(own)))
            elif order not in ORDERS:
                refusals.append(Unreadable(name, [Objection("1", f"{order} is no order")], ORDERS))
            elif objections := list(order_objections(self.data.width, own[name], order)):
                refusals.append(Illegal(f"{name} {order}", objections))
        if refusals:
            raise Refusals(refusals)
        return answer

    def check_plan(self, view: Any, ask: Ask, plan: Any) -> dict[str, Any]:
        if not isinstance(plan, dict) or set(plan) - {"ambush", "card"}:
            raise Unreadable("plan", [Objection("3.1", "a plan says ambush or card")], ["ambush", "card"])
        return plan

    def check_doctrine(self, doctrine: Any) -> list[Any]:
        if not isinstance(doctrine, list) or set(map(str, doctrine)) - {"ambush", "card"}:
            raise Unreadable("doctrine", [Objection("4.2", "doctrine says ambush or card")], ["ambush", "card"])
        return doctrine

    def from_plan(self, view: Any, ask: Ask, plan: Mapping[str, Any]) -> Iterator[Reply]:
        """Answer from a plan, which names the ambushing unit for each target, or the card to play."""
        wish = plan.get("ambush", {}).get(ask.subject) if ask.kind == "ambush" else plan.get(ask.kind)
        if wish is not None:
            yield Reply(wish, f"{ask.kind} {wish}")

    def from_standing_orders(self, view: Any, ask: Ask, doctrine: list[Any]) -> Iterator[Reply]:
        """Answer from standing orders: with `ambush` a unit springs any ambush that it can, with `card` the highest
        card is played."""
        if ask.kind in doctrine:
            options = [option for option in self.options(view, ask) if option is not None]
            if options:
                yield Reply(max(options), ask.kind)

    def read(self, view: Any, ask: Ask, text: str) -> Submission:
        """Read lines such as `r1 go3`, `card 2` or `ambush b1 r2` (target, then ambushing unit)."""
        answer: dict[str, str] = {}
        plan: dict[str, Any] = {}
        for line in filter(None, (line.split("#")[0].strip().lower() for line in text.splitlines())):
            match line.split():
                case ["card", number] if number.isdigit():
                    plan["card"] = int(number)
                case ["ambush", target, hunter]:
                    plan.setdefault("ambush", {})[target] = hunter
                case [name, order]:
                    answer[name] = order
                case _:
                    raise Unreadable(line, [Objection("1", "a line is a unit and its order")], ["r1 go3"])
        return Submission(answer, plan)

    def form(self, view: Any, ask: Ask) -> str:
        return "\n".join(f"{name} hold    # {', '.join(ORDERS)}" for name in self._own(view, ask.seat))

    def restate(self, ask: Ask, submission: Submission) -> str:
        """Return the lines that `read` would turn into this submission."""
        if ask.kind != "orders":
            return f"{submission.answer}"
        ambushes = submission.plan.get("ambush", {})
        said = [f"{name} {order}" for name, order in submission.answer.items()]
        said += [f"card {submission.plan['card']}"] if "card" in submission.plan else []
        return "\n".join([*said, *(f"ambush {target} {hunter}" for target, hunter in ambushes.items())])

    def formations(self, view: Any, seat: str) -> tuple[Formation, ...]:
        return (Formation(seat, f"The {seat} units", tuple(self._own(view, seat))),)

    def propose(self, view: Any, ask: Ask, wish: Wish) -> Proposal:
        """Propose the same order for many units, without those that it would lead off the map."""
        order, own = f"{wish.verb}{wish.goal}", self._own(view, ask.seat)
        known = [name for name in wish.units if name in own]
        fits = [name for name in known if not any(order_objections(self.data.width, own[name], order))]
        return Proposal(tuple(f"{name} {order}" for name in fits), tuple(set(wish.units) - set(fits)))

    def tell(self, finding: Finding) -> str:
        return f"{finding.rule} {finding.inputs} {list(finding.dice)}: {finding.result}"

    def score(self, state: Ambush) -> dict[str, int]:
        """5 Return the number of units that each side has left."""
        return {seat: len(units_of(state.units, seat)) for seat in SEATS}

    def turns(self, state: Ambush) -> int:
        return state.turns

    def flaws(self, state: Ambush) -> Iterator[str]:
        if not all(on_map(self.data.width, unit.hex) for unit in state.units.values()):
            yield "a unit is off the map"
        if any(len(state.decks[seat]) + len(state.hands[seat]) > len(self.data.deck) for seat in SEATS):
            yield "there are more cards than the deck had"


class Rosters(Page):
    """The toy's own page, which lists the units of a match."""

    label = "Rosters"
    about = "see who is in the platoons."

    def template(self) -> str:
        return (
            '{% extends "web/base.html" %}{% block title %}Rosters{% endblock %}'
            '{% block main %}<h1>Rosters of {{ side }}</h1><a href="{{ address }}">again</a>{% endblock %}'
        )

    def facts(self, query: Mapping[str, str]) -> dict[str, Any]:
        return {"side": query.get("side", "all")}

    def data(self, query: Mapping[str, str]) -> dict[str, Any]:
        return self.facts(query)


class AmbushTitle(Title):
    pages: ClassVar = {"rosters": Rosters()}
    name = "ambush"
    switches: tuple[str, ...] = (SHOWS,)
    scenarios = ("small", "tiny", "close")

    def freeze(self, scenario: str, options: Mapping[str, Any]) -> dict[str, bytes]:
        sizes = {
            "small": Data(6, 3, 5, [1, 1, 2, 2, 3, 3]),
            "tiny": Data(4, 2, 2, [1, 2, 3]),
            "close": Data(3, 2, 8, [1, 2, 3]),
        }
        return {"scenario": msgspec.json.encode(sizes[scenario])}

    def balance(self, scenario: str) -> Balance:
        steps = tuple(Provision("red", f"There are {turns} turns.", {"turns": turns}) for turns in (4, 3, 1))
        return Balance(40, {"red": 24, "blue": 16}, (*steps, Provision("blue", "There are 9 turns.", {"turns": 9})))

    def rules(self, blobs: Mapping[str, bytes]) -> AmbushRules:
        return AmbushRules(msgspec.json.decode(blobs["scenario"], type=Data))

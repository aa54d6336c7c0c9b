"""10.8, 10.9 The Warsaw Pact's Supply Points, and the sea supply of the Baltic Corps.

10.8.1   income
10.8.2   PaySupply: which front headquarters are paid for
10.9.2   sea_supply
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.rules.ask import Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.map.ground import Country
from pbem.titles.nato.player.deciding import Choosing
from pbem.titles.nato.player.standing_orders import StandingOrders
from pbem.titles.nato.state import NatoState
from pbem.titles.nato.supply.headquarters import BALTIC_CORPS, headquarters, hq_traces, superior
from pbem.titles.nato.supply.resupply import interception_value


def income(table: Table[NatoState], board: Board) -> None:
    """10.8.1 Receive two points a turn, or one after a strike on the Vistula, less the cost of deep interdiction."""
    state, plan = table.state, board.data.scenario.supply
    base = plan.income - int(state.vistula and plan.income > 0)
    found, deep = max(0, base - state.deep), state.deep
    state.deep = 0
    state.supply_points += found  # 4.3.3
    if plan.income:
        table.find("10.8.1", inputs={"base": base, "deep": deep, "stock": state.supply_points}, result=found)


def needs_points(board: Board) -> bool:
    """10.8 Return whether front headquarters need Supply Points this turn."""
    return board.data.plays("supply_points") and board.state.turn > board.data.scenario.supply.automatic_until


def fronts(board: Board) -> list[Unit]:
    """10.8.2 The front headquarters that can trace a line of supply, those with the strongest units first."""
    hqs = [hq for hq in headquarters(board, Side.WP) if hq.id != BALTIC_CORPS and hq_traces(board, hq)]  # 10.9.1

    def strength(hq: Unit) -> int:
        return sum(unit.attack for unit in board.on_map(Side.WP) if superior(board, unit, hq.card))

    return sorted(hqs, key=lambda hq: (-strength(hq), hq.id))


class PaySupply(Choosing[tuple[str, ...]], kind="supply points", rule="10.8.2"):
    """10.8.2 The choice of the front headquarters that receive a Supply Point."""

    Answer = tuple[str, ...]
    nothing = ()
    grade = "detail"

    def default(self) -> tuple[str, ...]:
        return tuple(hq.id for hq in fronts(self.board)[: self.view.supply_points])

    def from_standing_orders(self, orders: StandingOrders) -> Iterator[tuple[tuple[str, ...], str]]:
        """Answer by a clause: `pay: NEGF POF` pays these first, then the others in default order; `pay: NEGF only`
        pays no others.
        """
        for clause in orders.on("pay"):
            able = [hq.id for hq in fronts(self.board)]
            named = [id for word in clause.units for id in able if id.lower() == word]
            rest = [] if "only" in clause.units else [id for id in able if id not in named]
            yield tuple([*named, *rest][: self.view.supply_points]), clause.text

    def options(self) -> Iterator[tuple[str, ...]]:
        yield self.default()
        yield ()
        yield from ((hq.id,) for hq in fronts(self.board) if self.view.supply_points)

    def objections(self, answer: tuple[str, ...]) -> Iterator[Objection]:
        able = [hq.id for hq in fronts(self.board)]
        if any(id not in able for id in answer) or len(set(answer)) < len(answer):
            yield Objection("10.8.2", say("a point can be spent only on a front headquarters with a line of supply"))
        if len(answer) > self.view.supply_points:
            yield Objection(
                "10.8.2", say("only {supply_points} Supply Points are left", supply_points=self.view.supply_points)
            )


def pay(table: Table[NatoState], board: Board) -> Step:
    """10.8.2 Spend Supply Points; a front headquarters that receives none is unsupplied."""
    if not needs_points(board):
        return
    paid = yield PaySupply.make_ask(board.data.seat_of(Side.WP))
    table.state.supply_points -= len(paid)
    for hq in fronts(board):
        hq.piece.supplied = hq.id in paid
        hq.piece.unpaid = hq.id not in paid
        if hq.piece.unpaid and hq.piece.train:  # 10.4.3, 13.5
            hq.piece.train = ""
            board.refresh(hq)
    board.forget_facts()  # 11.6.2
    due = [Finding("10.4.1", inputs={"turn": table.state.turn}, result=[hq.id for hq in fronts(board)])]
    table.find("10.8.2", inputs={"left": table.state.supply_points}, result=list(paid), children=due)


def sea_supply(table: Table[NatoState], board: Board) -> None:
    """10.9.2, 10.9.2.1, 29.6.2 Supply the Baltic Corps on the coast by sea, unless the ships are intercepted."""
    hq = board.units.get(BALTIC_CORPS)
    place = board.atlas.places.get(hq.at) if hq is not None else None
    if hq is None or place is None or hq.piece.supplied or not place.is_coastal:
        return
    danish = [hex for hex in board.atlas.cities_of(Country.DK) if board.controller(hex) is Side.NATO]
    north = "DK" in board.state.surrendered and not danish
    if place.sea_area != "baltic" and not north:
        return
    value, zone = interception_value(board, Side.WP, hq.at), int(board.ezoc(hq.at, Side.WP))
    dice = [table.roll(6, "10.9.2", hq.at) for _ in range(2)]
    hq.piece.supplied = value is None or sum(dice) - zone > value
    board.forget_facts()  # 10.9.3
    inputs = {"hex": hq.at, "value": value, "zone": zone}
    far = [Finding("10.9.2.1", inputs={"hex": hq.at}, result=north)] if place.sea_area != "baltic" else []
    result = "supplied" if hq.piece.supplied else "intercepted"
    table.find("10.9.2", inputs=inputs, dice=dice, result=result, children=far)

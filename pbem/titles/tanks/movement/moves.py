"""T5 Movement: the arrow, the number of moves, and obstacles.

T5.1    resolve_way, resolve_turn, journey
T5.2    allowance, order_objections
T5.3    speed token
T5.4, T5.5    a move stops at the obstacle that the arrow reaches
T2.2    early_moves: moves that a card gives before all others
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from pbem.engine.geometry.plane import Point, overlap
from pbem.engine.play.bots import Choice
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Change
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import Message, say, several
from pbem.titles.tanks.cards.crew_and_upgrades import carries, held_cards, spend, turn_up
from pbem.titles.tanks.cards.criticals import cannot_move, lasting
from pbem.titles.tanks.cards.keywords import is_fast
from pbem.titles.tanks.data_set import SEATS, TanksData
from pbem.titles.tanks.ground.arrow import Arrival, Obstacle, advance, half_breadth, half_shadow
from pbem.titles.tanks.ground.geometry import Body, bearing_to, corners, is_bearing, near, on_table, unit
from pbem.titles.tanks.ground.terrain import hull, obstacles, piece_corners
from pbem.titles.tanks.phases.initiative import (
    in_sequence,
)
from pbem.titles.tanks.player.orders import Flank, Move, MoveOrder, plain, read_as
from pbem.titles.tanks.player.words import POINT, mm, write_leg
from pbem.titles.tanks.situation import Situation
from pbem.titles.tanks.state import Tank, TanksState, explaining_numbers
from pbem.titles.tanks.telling.happenings import report_failure, show_move, write_moves

MOVES: Final = 2
FAST_MOVES: Final = 3


# --- T5.1 a move ---------------------------------------------------------------------------------------------


def resolve_way(view: TanksState, at: Point, way: int | str) -> int:
    """T5.1 The direction of the arrow as a bearing."""
    if isinstance(way, int):
        return way % 360
    word, goal = way.split()
    bearing = bearing_to(at, point_of(view, goal))
    return bearing if word == "toward" else (bearing + 180) % 360


def point_of(view: TanksState, goal: str) -> Point:
    """T5.1 Where a goal is now: a tank, a piece of terrain, or a point."""
    if goal in view.tanks:
        return view.tanks[goal].at
    for piece in view.pieces:
        if piece.id == goal:
            return piece.at
    x, _, y = goal.partition(",")
    return Point(int(x), int(y))


STANDSTILL = "tanks/2026-11-standstill"
"""T5.3 A rules correction: a move that goes nowhere does not count. In matches begun without it, such moves count."""


def resolve_turn(view: TanksState, at: Point, way: int, face: int | str) -> int:
    """T5.1 The facing measured from the arrow, one of four; `toward` and `bearing` become the nearest of these."""
    if isinstance(face, int):
        return face
    word, what = face.split()
    goal = bearing_to(at, point_of(view, what)) if word == "toward" else int(what)
    wanted = unit(goal)

    def likeness(turn: int) -> tuple[int, int]:
        facing = unit(way + turn)
        return facing.x * wanted.x + facing.y * wanted.y, -turn

    return max((0, 90, 180, 270), key=likeness)


def widest(body: Body, heading: int, way: int, turn: int) -> tuple[int, int]:
    """T5.1 How far from the hull's middle the arrow may start, and how far from it the hull's middle may end."""
    return half_shadow(body, way - heading), half_breadth(body, turn)


def resolve_touch(body: Body, heading: int, way: int, turn: int, move: Move) -> tuple[int, int]:
    """T5.1 Where the arrow touches the hull at either end, in tenths of a millimetre to the right of the middle."""
    leave, shift = widest(body, heading, way, turn)
    return flank(move.leave, leave), flank(move.shift, shift)


def flank(wanted: int | Flank, most: int) -> int:
    """T5.1 Return the offset in tenths of a millimetre, limited to the hull; `left` and `right` mean the limits."""
    if isinstance(wanted, str):
        return most if wanted == "right" else -most
    return max(-most, min(most, wanted))


def journey(situation: Situation, tank: Tank, moves: Sequence[Move]) -> list[Arrival]:
    """T5.1 The places where a tank's moves would end, one by one, in the present position."""
    data, view = situation.data, situation.state
    in_the_way = obstacles(situation, tank.id)
    body = data.bodies[tank.model]
    at, heading, found = tank.at, tank.heading, []
    for move in moves:
        way = resolve_way(view, at, move.way)
        turn = resolve_turn(view, at, way, move.face)
        touch = resolve_touch(body, heading, way, turn, move)
        arrival = advance(body, at, heading, way, turn, data.scenario.arrow, in_the_way, touch)
        found.append(arrival)
        at, heading = arrival.at, arrival.heading
    return found


def carry_out(table: Table[TanksState], tank: Tank, order: MoveOrder, *, free: bool = False) -> None:
    """T5.1 to T5.3 Make a tank's moves and set its speed token. A tank is `free` if a tactic chooses its moves."""
    for card in order.use:
        spend(table, tank, card)
    arrivals = [make_move(table, tank, move) for move in order.moves]
    made = [arrival.moved for arrival in arrivals]
    if not free:
        tell_stops(table, tank, arrivals, write_moves(tank.id, order))
    tank.speed = sum(made) if table.rule(STANDSTILL) else len(made)
    tank.moved = tank.speed > 0
    children = list(token_details(tank)) if tank.speed else []
    counted = [bool(one) or not table.rule(STANDSTILL) for one in made]
    inputs = {"tank": tank.id, "stationary": tank.stationary, **explaining_numbers(table, made=counted)}
    shows = [Change(tank.id, "speed", tank.speed)]
    table.find("T5.3", inputs=inputs, result=tank.speed, children=children, shows=shows)


def token_details(tank: Tank) -> Iterator[Finding]:
    """T5.2, T9.4, T2.5 How many moves the rules allow, and the speed token for the moves made.

    A tank that made two moves might have been allowed three by a face-down card, which must not be revealed.
    """
    fast = tank.speed > MOVES
    yield Finding("T5.2", inputs={"tank": tank.id, "moves": tank.speed}, result=FAST_MOVES if fast else MOVES)
    if fast:
        yield Finding("T9.4", inputs={"tank": tank.id}, result=tank.speed)
    yield Finding("T2.5", inputs={"tank": tank.id, "token": "speed"}, result=tank.speed)


class Made(NamedTuple):
    """T5.1 The result of a move: whether the tank's position has changed, and what stopped it."""

    moved: bool
    stopped: Obstacle | None


def make_move(table: Table[TanksState], tank: Tank, move: Move) -> Made:
    """T5.1 Make one move and report what stopped it."""
    (arrival,) = journey(table, tank, [move])
    inputs = {**arrow_layout(table, tank, move), "heading": arrival.heading}
    children = []
    if arrival.stopped is not None:
        stopped = {"tank": tank.id, "by": arrival.stopped.name}
        reached = Finding(arrival.stopped.rule, inputs=stopped, result="impassable")
        rule = "T5.5" if arrival.stopped.rule in ("T6.1", "T6.4") else "T5.4"
        children = [Finding(rule, inputs=stopped, result=list(arrival.at), children=(reached,))]
    children += set_beside(table, tank, move, arrival)
    made = Made(arrival.at != tank.at, arrival.stopped)
    shows = [show_move(tank, arrival.at, arrival.heading)]
    tank.at, tank.heading = arrival.at, arrival.heading
    children += woods_entered(table, tank)
    table.find("T5.1", inputs=inputs, result=list(arrival.at), children=children, shows=shows)
    return made


def tell_stops(table: Table[TanksState], tank: Tank, moves: Sequence[Made], ordered: str) -> None:
    """T5.4 Report what stopped the moves of an order, each obstacle only once."""
    stops = [(number, made, made.stopped) for number, made in enumerate(moves, start=1) if made.stopped is not None]
    if not stops:
        return
    whys = [why_stopped(by, moved=made.moved) for _, made, by in stops]
    if len(moves) > 1:
        whys = [say("move {number}: {why}", number=stop[0], why=why) for stop, why in zip(stops, whys, strict=True)]
    report_failure(table, tank, ordered, whys[0] if len(whys) == 1 else several(whys, "clauses"), stops[0][2].rule)


def why_stopped(by: Obstacle, *, moved: bool) -> Message:
    """T5.4 Return a sentence that says why a move was shortened."""
    if moved:
        return say("{obstacle} is in the way, so the tank stopped there", obstacle=by.name)
    return say("{obstacle} is in the way, so the tank did not move", obstacle=by.name)


def set_beside(table: Table[TanksState], tank: Tank, move: Move, arrival: Arrival) -> Iterator[Finding]:
    """T5.4 Report that a hull was set down slightly to one side because otherwise it would graze something."""
    lie = arrow_layout(table, tank, move)
    if arrival.stopped is not None or "turn" not in lie:
        return
    body, (leave, shift) = table.data.bodies[tank.model], lie["aside"]
    free = advance(
        body, tank.at, tank.heading, lie["way"], lie["turn"], table.data.scenario.arrow, (), (leave, shift)
    )
    if free.at != arrival.at:
        by = [arrival.at.x - free.at.x, arrival.at.y - free.at.y]
        yield Finding("T5.4", inputs={"tank": tank.id, "aside": by}, result="set down beside it")


def arrow_layout(table: Table[TanksState], tank: Tank, move: Move) -> dict[str, Any]:
    """T5.1 Return how the arrow is laid, and how the tank is to be set down at its end."""
    way = resolve_way(table.state, tank.at, move.way)
    turn = resolve_turn(table.state, tank.at, way, move.face)
    aside = resolve_touch(table.data.bodies[tank.model], tank.heading, way, turn, move)
    more = explaining_numbers(table, model=tank.model, was=tank.heading, turn=turn, aside=list(aside))
    return {"tank": tank.id, "from": list(tank.at), "way": way, **more}


def woods_entered(table: Table[TanksState], tank: Tank) -> Iterator[Finding]:
    """T6.2 Report the woods that the tank has entered; a wood does not hinder a move."""
    for piece in table.state.pieces:
        if piece.kind == "wood" and overlap(hull(table.data, tank), piece_corners(table.data, piece)):
            yield Finding("T6.2", inputs={"tank": tank.id, "wood": piece.id}, result="free to move")


# --- T5.2 legality -------------------------------------------------------------------------------------------


def allowance(data: TanksData, tank: Tank, *, charged: bool = False) -> int:
    """T5.2 The number of moves a tank may make: two a turn, T9.4 three for a Fast tank; criticals may reduce this."""
    if cannot_move(data, tank) is not None:
        return 0
    most = FAST_MOVES if is_fast(data, tank, charged=charged) else MOVES
    return min([most, *(effect.most_moves for effect in lasting(data, tank))])


def charging(data: TanksData, order: MoveOrder) -> bool:
    return any(card in data.cards and data.cards[card].effect.fast for card in order.use)


def order_objections(situation: Situation, tank: Tank, order: MoveOrder) -> Iterator[Objection]:
    """T5 Every objection to a tank's moves, in printed order."""
    data = situation.data
    aboard = {card.id for _, card in held_cards(data, tank)}
    for card in order.use:
        if card not in aboard or not data.cards[card].effect.fast:
            yield Objection("T2.4", say("{card} is not a card that helps {tank} to move", card=card, tank=tank.id))
    yield from number_objections(data, tank, len(order.moves), charged=charging(data, order))
    yield from touch_objections(situation, tank, order.moves)
    yield from table_objections(situation, tank, order.moves)


def waste_objections(data: TanksData, tank: Tank, order: MoveOrder) -> Iterator[Objection]:
    """T2.2 Object to spending a card on moves that need none. Only lines of text are refused for this."""
    if charging(data, order) and len(order.moves) <= allowance(data, tank):
        moves = allowance(data, tank)
        yield Objection("T2.2", say("the tank can make {moves} moves without that card", moves=moves))


def number_objections(data: TanksData, tank: Tank, moves: int, *, charged: bool) -> Iterator[Objection]:
    """T5.2 The objection to more moves than a tank may make."""
    critical = cannot_move(data, tank)
    if moves and critical is not None:
        yield Objection("T2.3", say("{critical} prevents the tank from moving", critical=critical.name))
    elif moves > (most := allowance(data, tank, charged=charged)):
        yield Objection("T5.2", say("the order has {moves} moves; the tank can make {most}", moves=moves, most=most))
        if moves == FAST_MOVES and not is_fast(data, tank, charged=charged):
            yield Objection("T9.4", say("only a Fast tank can make three moves"))


def touch_objections(situation: Situation, tank: Tank, moves: Sequence[Move]) -> Iterator[Objection]:
    """T5.1 The objections to an arrow that cannot touch the hull at the given points when it starts or ends."""
    view = situation.state
    body, at, heading = situation.data.bodies[tank.model], tank.at, tank.heading
    if all(isinstance(aside, str) or aside == 0 for move in moves for aside in (move.leave, move.shift)):
        return
    for number, (move, arrival) in enumerate(zip(moves, journey(situation, tank, moves), strict=True), start=1):
        way = resolve_way(view, at, move.way)
        most = widest(body, heading, way, resolve_turn(view, at, way, move.face))
        for word, aside, limit in (("from", move.leave, most[0]), ("set", move.shift, most[1])):
            if isinstance(aside, int) and abs(aside) > limit:
                side = "left" if aside < 0 else "right"
                why = say(
                    "move {number}: the arrow would not touch the hull; give at most `{word} {mm} mm {side}`",
                    number=number,
                    word=word,
                    mm=mm(limit),
                    side=side,
                )
                yield Objection("T5.1", why)
        at, heading = arrival.at, arrival.heading


def table_objections(situation: Situation, tank: Tank, moves: Sequence[Move]) -> Iterator[Objection]:
    """T5.4 The objection to a move that leaves the table."""
    data = situation.data
    body = data.bodies[tank.model]
    for number, arrival in enumerate(journey(situation, tank, moves), start=1):
        if not on_table(corners(body, arrival.at, arrival.heading), data.scenario.table):
            yield Objection("T5.4", say("move {number} would leave the table", number=number))
            return


def ways_on_table(situation: Situation, tank: Tank) -> list[int]:
    """T5.1 The directions, in steps of 45 degrees, in which a move stays on the table."""
    return [way for way in range(0, 360, 45) if not any(table_objections(situation, tank, [Move(way)]))]


# --- moves by a card -----------------------------------------------------------------------------------------


def early_moves(table: Table[TanksState], effect: str) -> None:
    """T2.2 Make the early moves that cards allow. They do not count for speed.

    Which tanks may move early is settled before any of them moves; a card for two covers its own tank and one
    friend.
    """
    state, data = table.state, table.data
    wished = {
        tank: read_as(move, Move, "early")
        for seat in SEATS
        for tank, move in state.orders.get(seat, {}).get("early", {}).items()
    }
    tanks = in_sequence(table, "moving", [state.tanks[tank] for tank in wished])
    holders = early_holders(table, tanks, effect)
    for tank in tanks:
        holder, said = holders.get(tank.id), f"{tank.id}: first move {write_leg(wished[tank.id])}"
        if holder is None or any(standing_objections(table, tank, wished[tank.id])):
            wish = {"tank": tank.id, "move": plain(wished[tank.id])}
            table.find("T2.2", to=(tank.seat,), inputs=wish, result="not possible")
            report_failure(
                table, tank, said, say("no card lets this tank move before the others, or it cannot move"), "T2.2"
            )
            continue
        held = carries(data, holder, effect)
        assert held is not None
        turn_up(table, holder, held)
        tell_stops(table, tank, [make_move(table, tank, wished[tank.id])], said)


def after_early(situation: Situation, early: Mapping[str, Move]) -> TanksState:
    """T2.2 The view as it would be after the early moves of a form."""
    data, view = situation.data, situation.state
    for id, move in early.items():
        tank = view.tanks[id]
        (arrival,) = journey(Situation(data, view), tank, [move])
        there = msgspec.structs.replace(tank, at=arrival.at, heading=arrival.heading)
        view = msgspec.structs.replace(view, tanks={**view.tanks, id: there})
    return view


def early_holders(situation: Situation, tanks: Sequence[Tank], effect: str) -> dict[str, Tank]:
    """T2.2 For each tank, the tank whose card lets it move early; a card helps at most one friend."""
    found: dict[str, Tank] = {}
    for tank in tanks:
        holder = early_holder(situation, tank, effect)
        helping = [other.id for id, other in found.items() if id != other.id]
        if holder is not None and (holder.id == tank.id or holder.id not in helping):
            found[tank.id] = holder
    return found


def early_holder(situation: Situation, tank: Tank, effect: str) -> Tank | None:
    """T2.2 The tank whose card lets this one move early: itself, or a nearby friend whose card is for two."""
    data = situation.data
    if carries(data, tank, effect) is not None:
        return tank
    for friend in situation.state.of(tank.seat):
        held = carries(data, friend, effect)
        for_two = held is not None and data.cards[held.id].effect.early_move == "pair"
        if for_two and near(hull(data, tank), hull(data, friend), data.scenario.arrow):
            return friend
    return None


def early_objections(situation: Situation, tank: Tank, move: Move, effect: str) -> Iterator[Objection]:
    """T2.2 The objections to an early move, which a card must allow."""
    if early_holder(situation, tank, effect) is None:
        yield Objection("T2.2", say("no card lets this tank move before the others"))
    yield from standing_objections(situation, tank, move)


def standing_objections(situation: Situation, tank: Tank, move: Move) -> Iterator[Objection]:
    """T2.3, T5.4 The objections to a single move of a tank."""
    if (critical := cannot_move(situation.data, tank)) is not None:
        yield Objection("T2.3", say("{critical} prevents the tank from moving", critical=critical.name))
    yield from touch_objections(situation, tank, [move])
    yield from table_objections(situation, tank, [move])


# --- proposals and shapes of orders ---------------------------------------------------------------------------------


def instead_of(situation: Situation, tank: Tank) -> list[str]:
    """T5 Legal orders to propose instead of one that is refused."""
    if allowance(situation.data, tank) == 0:
        return [f"{tank.id}: stay"]
    return [f"{tank.id}: move {way}" for way in ways_on_table(situation, tank)[:4]] or [f"{tank.id}: stay"]


def shape_objections(situation: Situation, moves: Sequence[Move]) -> Iterator[Objection]:
    """T5.1 Object to directions that are neither whole degrees nor goals, and to facings not square to the arrow."""
    data, view = situation.data, situation.state
    for move in moves:
        if isinstance(move.way, int) and not is_bearing(move.way):
            yield Objection("T5.1", say("{way} is not a direction", way=move.way))
        if isinstance(move.way, str) and not _to_goal(view, move.way, ("toward", "away")):
            yield Objection("T5.1", say("{way} is not a direction", way=f"{move.way!r}"))
        yield from point_objections(data, (move.way, move.face))
        if isinstance(move.face, int) and move.face not in (0, 90, 180, 270):
            yield Objection(
                "T5.1", say("a facing must be square to the arrow (0, 90, 180 or 270), not {face}", face=move.face)
            )
        if isinstance(move.face, str) and not _to_goal(view, move.face, ("toward",)):
            word, _, number = move.face.partition(" ")
            if word != "bearing" or not number.isdecimal() or not is_bearing(int(number)):
                yield Objection("T5.1", say("{face} is not a facing", face=f"{move.face!r}"))


def point_objections(data: TanksData, said: Sequence[int | str]) -> Iterator[Objection]:
    """T5.1 The objection to a goal that is a point off the table."""
    size = data.scenario.table_mm
    for found in (POINT.search(words) for words in said if isinstance(words, str)):
        if found and max(int(found[1]), int(found[2])) > data.scenario.table:
            point = f"{mm(int(found[1]))}/{mm(int(found[2]))}"
            yield Objection(
                "T5.1", say("{point} is not on the table, which measures {size} mm", point=point, size=size)
            )


def tactic_objections(view: TanksState, seat: str, order: MoveOrder) -> Iterator[Objection]:
    """T1.1 Object to an order with both moves and a tactic, and to a tactic aimed at anything but an enemy."""
    if order.tactic is not None and (order.moves or order.use):
        yield Objection("T1.1", say("an order to {tactic} cannot also name moves", tactic=order.tactic))
    if order.prey and (order.prey not in view.tanks or view.tanks[order.prey].seat == seat):
        yield Objection("T1.1", say("{prey} is not an enemy", prey=f"{order.prey!r}"))


def _to_goal(view: TanksState, said: str, words: Sequence[str]) -> bool:
    word, _, goal = said.partition(" ")
    known = goal in view.tanks or any(piece.id == goal for piece in view.pieces)
    return word in words and (known or re.fullmatch(r"\d{1,6},\d{1,6}", goal) is not None)


def random_order(situation: Situation, tank: Tank, choice: Choice) -> MoveOrder:
    """T5 Random legal moves for a tank."""
    moves: list[Move] = []
    for _ in range(choice.below(allowance(situation.data, tank) + 1)):
        step = Move(choice.below(360), choice.one_of((0, 90, 180, 270)))
        if choice.below(4) == 0:  # T5.1 anywhere along the hull
            leave, shift = choice.below(261) - 130, choice.one_of(("left", "right", 0))
            step = msgspec.structs.replace(step, leave=leave, shift=shift)
        if not any(order_objections(situation, tank, MoveOrder([*moves, step]))):
            moves.append(step)
    return MoveOrder(moves=moves)

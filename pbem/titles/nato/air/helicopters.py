"""18.4, 19 Attack helicopter brigades and flak.

18.4     brigade_objections: which HQ may send its brigade to a battle
18.4.1   targets of a brigade: the objective, or for a US defender a hex with an attacker
19.1     flak_in, fly: a die for each enemy zone of control entered
25.1.4   flight: the path with the fewest flak rolls
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.cards.units import Nation, Side
from pbem.titles.nato.map.grid import HexId
from pbem.titles.nato.phases import segment
from pbem.titles.nato.state import ENEMY, Battle, NatoState
from pbem.titles.nato.supply.headquarters import superior

READY, RECOVERY, LOST = "ready", "recovery", "lost"


def brigade_objections(board: Board, hq_id: str, battle: Battle, side: Side) -> Iterator[Objection]:
    """18.4, 25.1.4 Yield the reasons why an HQ cannot send its brigade to a battle."""
    if board.state.brigades.get(hq_id) != READY:  # 3.6, 3.6.1
        used = board.state.brigades.get(hq_id) == RECOVERY
        yield Objection(
            "18.4.4.2" if used else "18.4", say("no attack helicopter brigade of {hq_id} is ready", hq_id=hq_id)
        )
        return
    hq = board.units.get(hq_id)
    if hq is None or hq.at not in board.atlas.places or hq.side is not side:
        yield Objection("29.8.1", say("{hq_id} is not on the map", hq_id=hq_id))
        return
    if not hq.piece.supplied or not hq.piece.active:
        yield Objection("18.4.5", say("{hq_id} is out of supply or not activated", hq_id=hq_id))
    if side is not battle.side and side is Side.WP:
        yield Objection("25.1.4", say("the Warsaw Pact cannot use attack helicopters in defense"))
    if not any(superior(board, unit, hq.card) for unit in participants(board, battle, side)):
        yield Objection("18.4", say("no unit of {hq_id} is in the battle", hq_id=hq_id))
    if all(flight(board, side, hq.at, hex) is None for hex in helicopter_targets(board, battle, side)):
        yield Objection("18.4.1", say("the battle is out of reach of {hq_id}", hq_id=hq_id))


def participants(board: Board, battle: Battle, side: Side) -> list[Unit]:
    """18.4 The units of a side that take part in a battle; for a NATO defender, only US units count."""
    if side is battle.side:
        return [board.units[id] for id in battle.attackers if id in board.units]
    return [unit for unit in board.at(battle.objective, side) if unit.card.nation is Nation.US]


def helicopter_targets(board: Board, battle: Battle, side: Side) -> list[HexId]:
    """18.4.1, 18.4.2 Return the hexes a brigade may fly to: the objective or, in defense, any attacker's hex."""
    if side is battle.side:
        return [battle.objective]
    return sorted({board.units[id].at for id in battle.attackers if id in board.units})


def possible_brigades(board: Board, battle: Battle, side: Side) -> list[str]:
    """25.1.4 The HQs that may send their brigades to a battle."""
    return [hq for hq in sorted(board.state.brigades) if not any(brigade_objections(board, hq, battle, side))]


def flak_in(board: Board, hex: HexId, side: Side, passenger: str = "") -> int:
    """19.1, 19.1.1, 19.1.5 The highest die roll that hits a helicopter entering a hex; 0 if there is no flak."""
    enemy = ENEMY[side]
    assaulted = any(unit.id in board.assaulting for unit in board.at(hex)) and board.holds(hex, enemy)
    covered = board.free_city(hex, side) or any(unit.id != passenger for unit in board.at(hex, side))
    if not assaulted and (covered or not board.ezoc(hex, side)):
        return 0
    return 2 if board.free_city(hex, enemy) else 1


def flight(
    board: Board, side: Side, start: HexId, end: HexId, limit: int = 0, passenger: str = ""
) -> tuple[HexId, ...] | None:
    """25.1.4, 25.1.8, 18.1.1 The path within range that has the fewest flak rolls; of several such paths, the
    shortest.
    """
    found = flights(board, side, start, limit or board.data.charts.number("ahb_range"), passenger)
    return found[end][2] if end in found else None


Flight: TypeAlias = tuple[int, int, tuple[HexId, ...]]
"""The flak rolls, the length in hexes and the path of a leg."""


def flights(
    board: Board, side: Side, start: HexId, limit: int, passenger: str = "", *, inward: bool = False
) -> dict[HexId, Flight]:
    """18.1.1 The best paths from a hex to all others within range or, if `inward`, from all others to this hex."""
    found: dict[HexId, Flight] = {start: (0, 0, ())}
    edge = dict(found)
    for _ in range(limit):
        further: dict[HexId, Flight] = {}
        for hex, (flak, length, path) in edge.items():
            for near in board.atlas.neighbours[hex]:
                entered = hex if inward else near
                way = (hex, *path) if inward else (*path, near)
                leg = flak + (flak_in(board, entered, side, passenger) > 0), length + 1, way
                if leg < min(found.get(near, (99, 0, ())), further.get(near, (99, 0, ()))):
                    further[near] = leg
        found.update(further)
        edge = further
    return found


def fly(table: Table[NatoState], board: Board, hq: str, side: Side, path: tuple[HexId, ...]) -> bool:
    """19.1 Fly an attack helicopter brigade hex by hex; return whether it survives."""
    if through_flak(table, board, side, path, f"brigade of {hq}", board.data.scenario.ahb_defense[side]):
        return True
    table.state.brigades[hq] = LOST
    return False


def through_flak(
    table: Table[NatoState],
    board: Board,
    side: Side,
    path: tuple[HexId, ...],
    who: str,
    defense: int,
    passenger: str = "",
) -> bool:
    """19.1 Fly hex by hex, rolling a die for each enemy zone of control entered; return whether the helicopters
    survive.
    """
    for hex in path:
        limit = flak_in(board, hex, side, passenger)
        if not limit:
            if board.ezoc(hex, side):
                table.find("19.1.4", inputs={"brigade": who, "hex": hex}, result="covered by a friend")
            continue
        die = table.roll(6, "19.1", who, hex)
        hit = die <= limit
        second = table.roll(6, "19.1/second", who, hex) if hit else 0
        down = hit and second > defense  # 3.6.3, 18.4.7
        table.find(
            "19.1",
            inputs={"brigade": who, "hex": hex, "hits_on": limit, "defense": defense},
            dice=[die, second] if hit else [die],
            result="shot down" if down else "hit" if hit else "missed",
            children=flak_reasons(board, hex, side, who, limit),
        )
        if down:
            return False
    return True


def flak_reasons(board: Board, hex: HexId, side: Side, who: str, limit: int) -> list[Finding]:
    """19.1.1, 19.1.2, 19.1.5 Explain why there is flak in a hex, and which die rolls hit."""
    reasons = [
        Finding("6.0/flak", inputs={"hex": hex}, result=limit),
        Finding("19.1.2", inputs={"hex": hex}, result="enemy zone of control"),
        Finding("19.1.3", inputs={"hex": hex}, result="in the hex entered"),
        Finding("8.1.5", inputs={"hex": hex}, result="no extra cost, but flak"),
    ]
    if limit > 1:
        reasons.append(Finding("19.1.1", inputs={"hex": hex}, result=limit))
    if any(unit.id in board.assaulting for unit in board.at(hex)):
        reasons.append(Finding("19.1.5", inputs={"hex": hex}, result="always"))
    if who.startswith("brigade of"):
        reasons.append(Finding("18.4.3", inputs={"brigade": who}, result=limit))
    return reasons


def send(table: Table[NatoState], board: Board, battle: Battle, side: Side, hq_id: str) -> bool:
    """25.1.4 Fly a brigade to a battle, where it shifts the odds; return whether it arrives."""
    hq = board.units[hq_id]
    ways = [flight(board, side, hq.at, hex) for hex in helicopter_targets(board, battle, side)]
    path = min(
        (way for way in ways if way is not None), key=lambda way: (flak_rolls(board, side, way), len(way), way)
    )
    if fly(table, board, hq_id, side, path):
        battle.helicopters = {**battle.helicopters, side: hq_id}
        battle.flown = {**battle.flown, hq_id: path[-1] if path else hq.at}
    where = [segment("attack helicopters", battle.side)]
    if side is not battle.side:
        where.append(Finding("18.4.2", inputs={"hq": hq_id}, result=path[-1] if path else hq.at))
    arrives = side in battle.helicopters
    table.find("25.1.4", inputs={"hq": hq_id, "path": list(path)}, result=arrives, children=where)
    return arrives


def flak_rolls(board: Board, side: Side, path: tuple[HexId, ...]) -> int:
    return sum(flak_in(board, hex, side) > 0 for hex in path)


def fly_home(table: Table[NatoState], board: Board, battle: Battle) -> None:
    """25.1.8 Fly each brigade back to its HQ and put it in Recovery."""
    for hq_id, hex in battle.flown.items():
        side, hq = board.data.units[hq_id].side, board.units.get(hq_id)
        path = flight(board, side, hex, hq.at) if hq is not None else ()
        if fly(table, board, hq_id, side, path or ()):
            table.state.brigades[hq_id] = RECOVERY
        where = [segment("return", battle.side), Finding("25.1.8/default-path", result=list(path or ()))]
        inputs = {"hq": hq_id, "path": list(path or ())}
        table.find("25.1.8", inputs=inputs, result=table.state.brigades[hq_id], children=where)

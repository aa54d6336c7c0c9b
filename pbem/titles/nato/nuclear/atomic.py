"""21 Nuclear warfare: strikes, Armageddon, airfields and the Vistula.

21.1.1   strike_hex: a die for each step
21.2     armageddon: the striker may lose the match
21.3     airfields: a strike costs the enemy air points; it is possible only when nuclear weapons are first used
21.4     the Vistula: a strike reduces the supply of the Warsaw Pact
34.4     war_crime: points for the owner of a city
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Lose
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.losses import disrupt, forget, lose_step
from pbem.titles.nato.map.grid import HexId
from pbem.titles.nato.player.orders import AIRFIELD, VISTULA
from pbem.titles.nato.state import ENEMY, NatoState
from pbem.titles.nato.victory import city_value, points_of

VISTULA_COUNTS = 3
"""21.4 The Vistula counts as three strikes."""


def nuclear_objections(board: Board, side: Side, target: str, earlier: Sequence[str]) -> Iterator[Objection]:
    """21.0 to 21.4 Yield the reasons why a side cannot make a nuclear strike in its Nuclear Strike Segment."""
    state = board.state
    if not board.data.plays("nuclear"):
        yield Objection("21.0", say("the scenario has no nuclear weapons"))
        return
    if target == AIRFIELD:
        if state.first_nuclear or any(state.nuclear_count.values()):
            yield Objection("21.3", say("airfields can be struck only when nuclear weapons are first used"))
    elif target == VISTULA:
        if side is not Side.NATO or state.vistula or VISTULA in earlier:
            yield Objection("21.4", say("only NATO can strike the Vistula crossings, and only once"))
    else:
        yield from hex_objections(board, side, target, earlier)


def hex_objections(board: Board, side: Side, hex: HexId, earlier: Sequence[str]) -> Iterator[Objection]:
    """21.1.1, 27.2 Yield the reasons why a hex cannot be struck by a nuclear weapon."""
    if hex not in board.atlas.places or board.atlas.places[hex].is_sea:
        yield Objection("21.1.1", say("{hex} is not a land hex on the map", hex=hex))
        return
    if hex in earlier:
        yield Objection("21.1.1", say("{hex} can be struck only once in a segment", hex=hex))
    if any(unit.id in board.assaulting for unit in board.at(hex)):
        yield Objection("27.2", say("your own units are assaulting {hex}", hex=hex))


def strike_target(table: Table[NatoState], board: Board, side: Side, target: str) -> bool:
    """21 Make one nuclear strike of any kind and its Armageddon roll; return whether the match continues."""
    state = table.state
    state.first_nuclear = state.first_nuclear or state.turn
    weight = 1
    if target == AIRFIELD:
        state.airfields[ENEMY[side]] = state.airfields.get(ENEMY[side], 0) + 1
        table.find("21.3", inputs={"side": side}, result=state.airfields[ENEMY[side]])
    elif target == VISTULA:
        state.vistula, weight = True, VISTULA_COUNTS
        table.find("21.4", inputs={"side": side}, result=1)
    else:
        strike_hex(table, board, side, target)
    return armageddon(table, board, side, weight)


def strike_hex(table: Table[NatoState], board: Board, side: Side, hex: HexId) -> None:
    """21.1.1 Destroy trains, roll for every step of the other units, and place the marker."""
    war_crime(table, board, side, hex)
    for unit in board.at(hex, ENEMY[side]):
        if unit.piece.train:
            board.remove(unit)
            forget(table, unit)
            table.find(
                "13.4.3", inputs={"unit": unit.id}, result=[unit.id], shows=[Lose(unit.id, hex, "nuclear strike")]
            )
        else:
            strike_unit(table, board, side, unit)
    for id in [id for id, where in sorted(table.state.sites.items()) if where == hex]:  # 33.3.3.3
        del table.state.sites[id]
        table.state.lost[id] = table.state.turn
        table.find("33.3.3.3", inputs={"unit": id, "hex": hex}, result="eliminated")
    if hex not in table.state.nuclear:  # 4.1.2
        table.state.nuclear.append(hex)
    board.forget_facts()
    table.find("21.1.1", inputs={"side": side}, result=hex)


def strike_unit(table: Table[NatoState], board: Board, side: Side, unit: Unit) -> None:
    """21.1.1, 21.1.2 Roll one die for each step of a unit; headquarters are suppressed at worst."""
    rows = list(modifiers(board, side, unit.at))
    for step in range(unit.steps):
        die = table.roll(6, "21.1.1", unit.id, str(step + 1))
        total = die + sum(value for _, value in rows)
        result = board.data.charts.nuclear(total)
        table.find(
            "21.1.1/step",
            inputs={"unit": unit.id, "hex": unit.at},
            modifiers=[{"text": text, "value": value} for text, value in rows],
            cell=total,
            dice=[die],
            result=result or "no effect",
            children=[Finding("21.1.2", result="suppressed at most")] if unit.card.hq else [],
        )
        if result and not (result == "D" and not unit.card.hq and lost(table, board, unit)):
            disrupt(table, board, [unit], "25.6.4")
        if unit.id not in board.units:
            return


def lost(table: Table[NatoState], board: Board, unit: Unit) -> bool:
    lose_step(table, board, unit, "21.1.1/loss", "nuclear strike")
    return unit.id not in board.units


def modifiers(board: Board, side: Side, hex: HexId) -> Iterator[tuple[str, int]]:
    """30.4.3, 35.7 Yield the modifiers of a nuclear strike."""
    ground = board.atlas.places[hex].ground
    if value := board.data.charts.terrain(ground).nuclear:
        yield ground.replace("_", " "), value
    if side is Side.WP and board.surprise():
        yield "surprise", board.data.charts.modifier("surprise")


def war_crime(table: Table[NatoState], board: Board, side: Side, hex: HexId, rule: str = "21.6") -> None:
    """34.4 Score points for the controller of a city hex when the enemy makes the first strike ever on it."""
    if not board.is_city(hex) or hex in table.state.crimes:
        return
    table.state.crimes.append(hex)
    if board.controller(hex) is ENEMY[side]:
        value = city_value(board, hex)
        table.state.points[ENEMY[side]] = table.state.points.get(ENEMY[side], 0) + value  # 4.3.4
        table.find(
            "34.4", inputs={"side": ENEMY[side], "hex": hex}, result=value, children=[Finding(rule, result=value)]
        )


def armageddon(table: Table[NatoState], board: Board, side: Side, weight: int) -> bool:
    """21.2, 21.2.1 Roll against the number of the striker's strikes, unless the enemy has made as many; return
    whether play goes on.
    """
    state = table.state
    count = state.nuclear_count[side] = state.nuclear_count.get(side, 0) + weight
    if count <= state.nuclear_count.get(ENEMY[side], 0):
        table.find("21.2.1", inputs={"side": side, "strikes": count}, result="no roll")
        return True
    die = table.roll(6, "21.2", side, str(count))
    ends = die <= count
    result = "Armageddon" if ends else "no Armageddon"
    end = [Finding("34.1.3", inputs={"winner": ENEMY[side]}, result="decisive")] if ends else []
    table.find("21.2", inputs={"side": side, "strikes": count}, dice=[die], result=result, children=end)
    if ends:
        table.end("34.1.3", ENEMY[side], "Armageddon", score=points_of(board), level="decisive")
    return not ends

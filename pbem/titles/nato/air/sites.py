"""33.3.3 Strikes on Reforger sites.

33.3.3.1   strike_site: one strike on one site; a damaged site is lost at the next hit
33.3.5     the 3rd Armored Cavalry loses one step at a time
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.nato.air.resolution import shown_strike
from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.map.grid import HexId
from pbem.titles.nato.player.orders import AirStrike
from pbem.titles.nato.state import NatoState
from pbem.titles.nato.zones.airspace import airspace

MOST = 2
"""23.1.5 The most points that may be spent on one hex."""


def site_of(state: NatoState, targets: Sequence[str]) -> str:
    """33.3.3.1 Return the site among the targets of a strike, or an empty string."""
    return next((id for id in targets if id in state.sites), "")


def site_at(board: Board, hex: HexId, targets: Sequence[str], struck: Sequence[str]) -> str:
    """33.3.3.1 Return the site that artillery strikes: the site named, or the site in a hex without combat units."""
    fresh = [id for id, where in sorted(board.state.sites.items()) if where == hex and id not in struck]  # 20.0
    named = [id for id in targets if id in fresh]
    if not named and any(not unit.card.hq for unit in board.at(hex, Side.NATO)):
        return ""
    return next(iter(named or fresh), "")


def site_objections(board: Board, side: Side, strikes: Sequence[AirStrike]) -> Iterator[Objection]:
    """33.3.3.1 Yield the objections to strikes on sites."""
    state = board.state
    chosen = [(site_of(state, strike.targets), strike) for strike in strikes]
    sites = [id for id, _ in chosen if id]
    if sites and side is not Side.WP:
        yield Objection("33.3.3.1", say("only the Warsaw Pact can strike Reforger sites"))
    for id, strike in chosen:
        if id and (len(strike.targets) > 1 or state.sites[id] != strike.hex):
            yield Objection(
                "33.3.3.1", say("a strike in {hex} can target one site there and nothing else", hex=strike.hex)
            )
    if len(set(sites)) < len(sites):
        yield Objection("33.3.3.1", say("a site can be struck only once per segment"))
    for hex in dict.fromkeys(strike.hex for id, strike in chosen if id):
        if sum(strike.hex == hex for strike in strikes) > MOST:
            yield Objection("33.3.3.1", say("at most {most} points can be spent on {hex}", most=MOST, hex=hex))


def site_modifiers(board: Board, hex: str, side: Side, *, air: bool = True) -> Iterator[tuple[str, int]]:
    """33.3.3.1 Yield the modifiers of a strike on a site: terrain never counts, and airspace counts only for air
    strikes.
    """
    status = airspace(board, hex, side)
    if air and status != "contested":
        yield f"{status} airspace", board.data.charts.modifier(f"{status}_airspace")
    if board.surprise():
        yield "surprise", board.data.charts.modifier("surprise")


def strike_site(table: Table[NatoState], board: Board, id: str, by: str = "") -> None:
    """33.3.3.1, 33.3.5 Strike a site from the air or by artillery: a second hit, or a D1, takes a step."""
    state = table.state
    hex = state.sites[id]
    rows = list(site_modifiers(board, hex, Side.WP, air=not by))
    column = column_of(board, board.units[by]) if by else 1
    die = table.roll(6, "33.3.3.1", id)
    total = die + sum(value for _, value in rows)
    result = board.data.charts.strike(column, total)
    before = {"damaged": id in state.damaged, "steps": steps_of(state, id)}
    hit = result == "D1" or (result == "*" and id in state.damaged)
    told = "damaged" if result == "*" else "no effect"
    if hit:
        told = lose_site_step(state, id, damage=result == "*")
    elif result == "*":  # 4.2.8
        state.damaged.append(id)
    table.find(
        "33.3.3.1",
        inputs={"unit": id, "hex": hex, **before},
        modifiers=[{"text": text, "value": value} for text, value in rows],
        cell=[column, total],
        dice=[die],
        result=told,
        shows=[shown_strike(board, Side.WP, by, hex, die, told)],
    )


def column_of(board: Board, unit: Unit) -> int:
    """24.1.4 Return the column for an artillery strike: 0 if the unit is suppressed or in a strike hex."""
    return 0 if unit.piece.disrupted or board.is_contaminated(unit.at) else 1


def steps_of(state: NatoState, id: str) -> int:
    """33.3.5 Return the steps of a site: the 3rd Armored Cavalry has two until it is reduced."""
    return 2 if id == "3ACR" and id not in state.reduced_sites else 1


def lose_site_step(state: NatoState, id: str, *, damage: bool) -> str:
    """33.3.5 Remove a step from a site; the 3rd Armored Cavalry has two steps, and other sites have one."""
    if damage:
        state.damaged.remove(id)
    if steps_of(state, id) > 1:
        state.reduced_sites.append(id)
        return "reduced"
    del state.sites[id]
    state.lost[id] = state.turn
    return "eliminated"

"""33.3 Reforger: US equipment in Europe waits for its crews.

33.3.1   call_up: the Reforger steps of a turn activate sites
33.3.2   overrun_sites: sites in hexes that the Warsaw Pact occupies are removed
33.3.5   the 3rd Armored Cavalry needs two steps at once
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Appear
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.map.grid import distance
from pbem.titles.nato.phases import segment
from pbem.titles.nato.state import NatoState, Piece
from pbem.titles.nato.zones.stacking import room


def steps_needed(board: Board, id: str) -> int:
    """33.3.5 Return the number of steps needed to activate a site."""
    return 1 if id in board.state.reduced_sites else board.data.units[id].steps


def waiting_sites(board: Board) -> list[str]:
    """33.3.1, 9.1.1 Return the sites that can be activated; those with room come first, then those nearest to the
    enemy.
    """
    sites = board.state.sites
    enemies = [unit.at for unit in board.on_map(Side.WP)]
    able = [id for id, hex in sites.items() if not board.holds(hex, Side.WP)]

    def rank(id: str) -> tuple[bool, int, str]:
        crowded = board.data.units[id].steps > room(board, sites[id], Side.NATO)
        return crowded, min((distance(sites[id], at) for at in enemies), default=0), id

    return sorted(able, key=rank)


def default_sites(board: Board, steps: int, wanted: Sequence[str] = ()) -> tuple[str, ...]:
    """33.3.1 Return the sites to activate: the wanted ones first, then those nearest to the enemy, as long as
    steps last.
    """
    chosen: list[str] = []
    able = waiting_sites(board)
    for id in sorted(able, key=lambda id: wanted.index(id.lower()) if id.lower() in wanted else len(wanted)):
        if sum(steps_needed(board, one) for one in (*chosen, id)) <= steps:
            chosen.append(id)
    return tuple(chosen)


def site_objections(board: Board, steps: int, chosen: Sequence[str]) -> Iterator[Objection]:
    """33.3.1 Yield the reasons why sites cannot be activated."""
    able = waiting_sites(board)
    if len(set(chosen)) < len(chosen) or any(id not in able for id in chosen):
        yield Objection(
            "33.3.1",
            say("only sites that are not yet active and not occupied by the enemy can be activated, each once"),
        )
    elif sum(steps_needed(board, id) for id in chosen) > steps:
        yield Objection("33.3.1", say("only {steps} Reforger steps arrive this turn", steps=steps))


def call_up(table: Table[NatoState], board: Board, chosen: Sequence[str]) -> None:
    """33.3.1 Activate the chosen sites, one for each Reforger step; unused steps are not saved."""
    state = table.state
    steps = board.data.scenario.reforger_steps.get(state.turn, 0)
    if steps and not state.sites:
        table.find("33.3.4", inputs={"turn": state.turn}, result=steps)
    for id in chosen:
        hex = state.sites.pop(id)
        hurt = id in state.damaged
        board.arrive(Piece(id=id, at=hex, reduced=id in state.reduced_sites, disrupted=hurt))  # 33.3.3.1
        state.damaged = [other for other in state.damaged if other != id]
        notes = [Finding("33.3", result=hex), Finding("6.0/reforger", result=id)]
        if board.data.units[id].steps > 1:
            notes.append(Finding("33.3.5", inputs={"unit": id}, result=board.units[id].steps))
        if hex in state.chemical:
            notes.append(Finding("33.3.3.2", inputs={"unit": id}, result="not struck"))
        table.find("33.3.1", inputs={"unit": id}, result=hex, shows=[Appear(id, hex)], children=notes)


def overrun_sites(table: Table[NatoState], board: Board) -> None:
    """33.3.2 Remove the sites in hexes that the Warsaw Pact occupies."""
    state = table.state
    for id, hex in sorted(state.sites.items()):
        if board.holds(hex, Side.WP):  # 4.1.7
            del state.sites[id]
            state.lost[id] = state.turn
            table.find("33.3.2", inputs={"unit": id, "hex": hex}, result="removed", children=[segment("sites")])

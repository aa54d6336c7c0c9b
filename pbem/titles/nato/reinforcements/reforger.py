"""33.3 Reforger: US equipment in Europe waits for its crews.

33.3.1   call_up: steps of a turn activate sites
33.3.2   overrun_sites: sites in hexes that the Warsaw Pact occupies are removed
33.3.5   the 3rd Armored Cavalry needs two steps at once
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from pbem.engine.rules.ask import Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Appear
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.map.grid import distance
from pbem.titles.nato.phases import segment
from pbem.titles.nato.player.deciding import Choosing
from pbem.titles.nato.state import NatoState, Piece


class SitesAbout(msgspec.Struct, frozen=True):
    """33.3.1 The steps that arrive."""

    steps: int


class CallUp(Choosing[tuple[str, ...]], kind="reforger", rule="33.3.1"):
    """33.3.1 The sites that are activated."""

    Answer = tuple[str, ...]
    About = SitesAbout
    nothing = ()
    grade = "detail"

    def needed(self, id: str) -> int:
        """33.3.5 The steps that a site needs."""
        return 1 if id in self.view.reduced_sites else self.data.units[id].steps

    def waiting(self) -> list[str]:
        """The sites that can be activated, nearest to the enemy first."""
        enemies = [unit.at for unit in self.board.on_map(Side.WP)]
        sites = [id for id, hex in self.view.sites.items() if not self.board.holds(hex, Side.WP)]
        return sorted(
            sites, key=lambda id: (min((distance(self.view.sites[id], at) for at in enemies), default=0), id)
        )

    def default(self) -> tuple[str, ...]:
        chosen: list[str] = []
        for id in self.waiting():
            if sum(map(self.needed, [*chosen, id])) <= self.about.steps:
                chosen.append(id)
        return tuple(chosen)

    def options(self) -> Iterator[tuple[str, ...]]:
        yield self.default()
        yield from ((id,) for id in self.waiting() if self.needed(id) <= self.about.steps)

    def objections(self, answer: tuple[str, ...]) -> Iterator[Objection]:
        if len(set(answer)) < len(answer) or any(id not in self.waiting() for id in answer):
            yield Objection("33.3.1", "only waiting sites that the enemy does not occupy are activated")
        elif sum(map(self.needed, answer)) > self.about.steps:
            yield Objection("33.3.1", f"{self.about.steps} Reforger steps arrive this turn")


def call_up(table: Table[NatoState], board: Board) -> Step:
    """33.3.1 Each Reforger step flips a site; steps are not saved."""
    state = table.state
    steps = board.data.scenario.reforger_steps.get(state.turn, 0)
    if steps and not state.sites:
        table.find("33.3.4", inputs={"turn": state.turn}, result=steps)
    if not steps or not state.sites:
        return
    chosen = yield CallUp.asked(board.data.seat_of(Side.NATO), about=SitesAbout(steps))
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
    """33.3.2 The Warsaw Pact removes the sites in hexes that it occupies."""
    state = table.state
    for id, hex in sorted(state.sites.items()):
        if board.holds(hex, Side.WP):
            del state.sites[id]
            state.lost[id] = state.turn
            table.find("33.3.2", inputs={"unit": id, "hex": hex}, result="removed", children=[segment("sites")])

"""39 Peace turns: the Warsaw Pact's preparations, NATO's alert, and the outbreak of war.

39.2   Prepare: one measure each turn, or nothing, or war
39.4   alert_roll
39.7   advance_clocks
39.8   the units that measures and alert activate
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say, several
from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.cards.units import Nation, Side
from pbem.titles.nato.map.atlas import WEST_BERLIN
from pbem.titles.nato.map.ground import alliance
from pbem.titles.nato.nerves.markers import AIR, ALLIES, CLOCKS, MEASURES, NATO, SOVIET, clock_of, due, upgrades
from pbem.titles.nato.phases import begins
from pbem.titles.nato.player.deciding import Choosing
from pbem.titles.nato.reinforcements.activation import activate
from pbem.titles.nato.reinforcements.arrivals import bring_in
from pbem.titles.nato.state import NatoState

WAR = "war"
GDP_ALERT, CLOCK_ALERT, MOST_ALERT = 4, 3, 6
"""39.4 Alert levels that start the general deployment plan and the NATO clock, and the highest one."""


class Prepare(Choosing[str | None], kind="prepare", rule="39.2"):
    """39.2 The choice of one measure not yet taken, of `war`, or of nothing."""

    Answer = str | None
    grade = "order"

    def options(self) -> Iterator[str | None]:
        yield None
        yield from (name for name in (*MEASURES, WAR) if not any(self.objections(name)))

    def default(self) -> str | None:
        return None

    def objections(self, answer: str | None) -> Iterator[Objection]:
        if answer is None or answer == WAR:
            return
        if answer not in MEASURES:
            yield Objection(
                "4.5.1",
                say(
                    "“{answer}” is not a measure: choose {measures}, war or none",
                    answer=answer,
                    measures=several(MEASURES, "unit"),
                ),
            )
        elif answer in self.view.measures:
            yield Objection(
                "4.5.1",
                say(
                    "{measures} cannot be chosen again: it was chosen in peace turn {measures2}",
                    measures=MEASURES[answer],
                    measures2=self.view.measures[answer],
                ),
            )
        elif answer == AIR[1] and not upgrades(self.board):
            yield Objection("4.5.4", say("the first expansion of air operations must be in effect before the second"))


def advance_clocks(table: Table[NatoState], board: Board) -> None:
    """7.2 I.A.2, 39.7 Advance every running clock by one turn; the outbreak of war starts the other clocks."""
    state = table.state
    if not board.data.plays("nerves"):
        return
    for name in CLOCKS:
        if name in state.clocks or state.turn:
            state.clocks[name] = state.clocks.get(name, 0) + 1
    shown = [Finding(rule, result=state.clocks.get(name, 0)) for name, rule in CLOCK_RULES.items()]
    begins(table, "mobilization", result=dict(state.clocks))
    inputs = {"peace": state.peace, "turn": state.turn}
    table.find("4.5.3", inputs=inputs, result=dict(state.clocks), children=shown)


CLOCK_RULES = {SOVIET: "4.5.3.1", ALLIES: "4.5.3.2", NATO: "4.5.3.3"}


def arrive_in_peace(table: Table[NatoState], board: Board) -> None:
    """33.2.7 Place the reinforcements that are due before the war; they wait until they are activated."""
    early, called = list[str](), active_nations(board)
    for arrival in board.data.scenario.arrivals:
        if arrival.unit in table.state.awaited and due(board, arrival):
            bring_in(table, board, arrival, {})
            if arrival.unit in board.units:
                board.units[arrival.unit].piece.active = board.data.units[arrival.unit].nation in called
                early.append(arrival.unit)
    if early:
        waits = [id for id in early if not board.units[id].piece.active]
        table.find("33.2.7", inputs={"peace": table.state.peace, "arrived": early}, result=waits)


def active_nations(board: Board) -> set[Nation]:
    """39.8 Return the nations that have been activated."""
    return {unit.card.nation for unit in board.units.values() if unit.piece.active}


def prepare(table: Table[NatoState], board: Board, measure: str) -> None:
    """39.2 Take a measure, which raises tension and takes effect; air operations take effect only three turns
    later.
    """
    state = table.state
    rise = board.data.charts.number(f"tension_{measure}")
    state.measures[measure] = state.peace
    state.tension += rise
    notes = [
        Finding("4.5.1", inputs={"measure": measure}, result=MEASURES[measure]),
        Finding("4.5.2", inputs={"rise": rise}, result=state.tension),
    ]
    if measure in AIR:
        effect = state.peace + board.data.charts.number("air_delay")
        notes.append(Finding("4.5.4", inputs={"measure": measure}, result=effect))
    table.find("4.5", inputs={"peace": state.peace, "measure": measure}, result=state.tension, children=notes)
    if measure == "mobilization":
        state.clocks[SOVIET] = 0
    elif measure == "allies":
        state.clocks[ALLIES] = 0
    if called := CALLED.get(measure):
        activate(table, board, "35.2", lambda unit: unit.side is Side.WP and called(board, unit))


def at_home(board: Board, unit: Unit) -> bool:
    """39.2 Return whether a Soviet unit is in a Warsaw Pact country."""
    place = board.atlas.places.get(unit.at)
    return place is not None and place.country is not None and alliance(place.country) is Side.WP


CALLED: dict[str, Callable[[Board, Unit], bool]] = {
    "allies": lambda board, unit: unit.card.nation in (Nation.CS, Nation.PL),
    "german": lambda board, unit: unit.card.nation is Nation.EG,
    "bloc": lambda board, unit: unit.card.nation is Nation.SU and at_home(board, unit),
}
"""39.2 The units on the map that a measure activates."""


def alert_roll(table: Table[NatoState], board: Board) -> None:
    """39.4 Roll for alert: the die plus half the tension may raise NATO's level by one or two."""
    state = table.state
    die = table.roll(6, "39.4", str(state.peace))
    total = die + state.tension // 2
    rise = (
        2 if total >= board.data.charts.number("alert_two") else int(total >= board.data.charts.number("alert_one"))
    )
    before, state.alert = state.alert, min(MOST_ALERT, state.alert + rise)
    inputs = {"tension": state.tension, "peace": state.peace, "before": before}
    table.find("4.5.5", inputs=inputs, dice=[die], cell=total, result=state.alert)
    if state.alert >= CLOCK_ALERT and NATO not in state.clocks:
        state.clocks[NATO] = 0
    woken = [nation for level, nation in WOKEN if before < level <= state.alert]
    if woken:
        activate(table, board, "35.2", lambda unit: unit.card.nation in woken and unit.at != WEST_BERLIN)


WOKEN = ((5, Nation.DK), (5, Nation.NL), (5, Nation.BE), (6, Nation.FR))
"""39.4 Nations that an alert level activates."""


def outbreak(table: Table[NatoState], board: Board) -> None:
    """40 Start the war, with surprise if NATO's alert level is low, and activate all units except the French."""
    state = table.state
    lost = [name for name in AIR if name in state.measures and not in_effect(board, name)]
    state.turn, state.side = 1, Side.WP
    inputs = {"peace": state.peace, "alert": state.alert, "tension": state.tension, "lost": lost}
    table.find("35.7", inputs=inputs, result=board.surprise())
    activate(table, board, "35.2", lambda unit: unit.card.nation is not Nation.FR)
    for unit in board.units.values():
        unit.piece.moved = unit.piece.reserve = False
    board.recount()


def in_effect(board: Board, name: str) -> bool:
    """4.5.4 Return whether an expansion of air operations is in effect."""
    return board.state.measures[name] + board.data.charts.number("air_delay") <= board.state.peace


__all__ = ["CLOCKS", "Prepare", "advance_clocks", "alert_roll", "arrive_in_peace", "clock_of", "outbreak", "prepare"]

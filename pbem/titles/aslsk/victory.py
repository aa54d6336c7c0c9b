"""1.3, 2 def/control, 3.9 Control of hexes and buildings, and victory.

2 def/control    update_control, holders, ControlWatch
1.3              goal_is_met, winner
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.engine.rules.findings import happenings_in
from pbem.engine.rules.happenings import Control
from pbem.engine.rules.table import Table
from pbem.titles.aslsk.cards.scenario import Goal
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import AslskState, pieces
from pbem.titles.aslsk.tabletop import AslskTable, as_aslsk_table

VEHICLE_POINTS = 3


def update_control(table: AslskTable) -> None:
    """2 def/control Update control: a Good Order MMC controls its hex and its building if no enemy is there."""
    situation, state = table.situation, table.state
    held = occupied_hexes(situation)
    done: set[tuple[str, str]] = set()
    for unit in state.units.values():
        place = (unit.at, unit.seat)
        if place in done or not unit.at or unit.hidden:
            continue
        if not situation.is_mmc(unit) or not situation.good_order(unit):
            continue
        done.add(place)
        foes = held[situation.other(unit.seat)]
        if unit.at not in foes:
            take(table, unit.at, unit.seat)
        building = situation.ground[unit.at].building
        if building and foes.isdisjoint(situation.ground.building_hexes(building)):
            take(table, building, unit.seat)


def occupied_hexes(situation: Situation) -> dict[str, set[str]]:
    """2 def/control The hexes where each side has a unit or vehicle that is not hidden (6.4)."""
    found: dict[str, set[str]] = {seat: set() for seat in situation.data.seats}
    for piece in pieces(situation.state):
        if piece.at and not piece.hidden:
            found[piece.seat].add(piece.at)
    return found


def is_contested(situation: Situation, hex: str, seat: str) -> bool:
    """2 def/control Whether an enemy unit or vehicle is in a hex."""
    return bool(situation.enemies_at(hex, seat) or situation.enemy_vehicles(hex, seat))


def holder_of(situation: Situation, place: str) -> str:
    """2 def/control The side that controls a place; an AFV alone in a hex controls it while it stays there."""
    for vehicle in situation.state.vehicles.values():
        if vehicle.at == place and not is_contested(situation, place, vehicle.seat):
            return vehicle.seat
    return situation.state.control.get(place, "")


def take(table: AslskTable, place: str, seat: str) -> None:
    """2 def/control Give a side control of a place, and report it if the victory conditions name the place."""
    if table.state.control.get(place, "") == seat:
        return
    before = holder_of(table.situation, place)
    table.state.control[place] = seat
    if any(place in (*goal.buildings, *goal.hexes) for goal in table.situation.data.scenario.victory):
        shown = [] if before == seat else [Control(place, seat, before)]
        table.find("def/control", inputs={"place": place}, result=seat, shows=shown)


def objectives(situation: Situation) -> dict[str, str]:
    """2 def/control The places in the victory conditions, each with the side that controls it, if any."""
    named = {place for goal in situation.data.scenario.victory for place in (*goal.buildings, *goal.hexes)}
    return {place: holder_of(situation, place) for place in sorted(named)}


def holders(situation: Situation) -> dict[str, str]:
    """2 def/control The side that controls each place in the victory conditions; places that no side controls are
    left out.
    """
    return {place: side for place, side in objectives(situation).items() if side}


class ControlWatch:
    """2 def/control Watches which side holds each place during part of a step, since AFVs change it in many ways."""

    def __init__(self, table: Table[AslskState]) -> None:
        self.table = as_aslsk_table(table)
        self.shown = holders(self.table.situation)
        self.begin()

    def begin(self) -> None:
        """Record the holders at the beginning of part of a step."""
        self.findings, self.told = self.table.findings, len(self.table.findings)

    def tell(self, *, last: bool) -> None:
        """Report the places whose holder has changed, except those that a finding in this part has already shown."""
        now = holders(self.table.situation)
        new = happenings_in(self.findings[self.told :])
        self.shown |= {one.what: one.side for one in new if isinstance(one, Control)}
        for place in sorted({*now, *self.shown}):
            before, side = self.shown.get(place, ""), now.get(place, "")
            if before != side:
                own = self.table.state.control.get(place, "") == side
                result = side or "nobody"
                self.table.find(
                    "def/control",
                    inputs={"place": place, "temporary": not own},
                    result=result,
                    shows=[Control(place, side, before)],
                )
        self.shown = now


def points_of(situation: Situation, card_id: str) -> int:
    """1.3 The points for a unit: vehicle 3, squad 2, half-squad and crew 1, leader 1 plus leadership."""
    if card_id in situation.data.deck.vehicles:
        return VEHICLE_POINTS
    card = situation.data.deck.units[card_id]
    if card.kind == "leader":
        return 1 + max(0, -card.leadership)
    return 2 if card.kind == "squad" else 1


def exit_points(situation: Situation, seat: str) -> int:
    return sum(points_of(situation, card) for card, owner in pairs(situation.state.exited) if owner == seat)


def casualty_points(situation: Situation, seat: str) -> int:
    """1.3 The points for all enemies that a side has eliminated; each casualty reduction counts as half a squad."""
    return sum(points_of(situation, card) for card, owner in pairs(situation.state.lost) if owner != seat)


def pairs(entries: Sequence[str]) -> list[tuple[str, str]]:
    return [(card, owner) for card, _, owner in (entry.rpartition("@") for entry in entries)]


def count_controlled(situation: Situation, goal: Goal, seat: str) -> int:
    """2 def/control How many of a goal's hexes and buildings a side controls."""
    return sum(holder_of(situation, place) == seat for place in (*goal.buildings, *goal.hexes))


def progress(situation: Situation, goal: Goal) -> int:
    """1.3 A side's progress towards a goal."""
    if goal.kind == "control":
        return count_controlled(situation, goal, goal.side)
    if goal.kind == "exit":
        return exit_points(situation, goal.side)
    own = casualty_points(situation, goal.side)
    return own - casualty_points(situation, situation.other(goal.side)) if goal.margin else own


def goal_is_met(situation: Situation, goal: Goal) -> bool:
    return progress(situation, goal) >= (goal.margin or goal.number)


def goal_words(situation: Situation, goal: Goal) -> str:
    """A side's progress in words, such as `Soviet: 6 of 8 places controlled, 4 needed`."""
    have, need = progress(situation, goal), goal.margin or goal.number
    name = situation.data.scenario.side(goal.side).name
    if goal.kind == "control":
        listed = len(goal.buildings) + len(goal.hexes)
        return f"{name}: {have} of {listed} places controlled, {need} needed"
    if goal.kind == "exit":
        return f"{name}: {have} exit {points_word(have)}, {need} needed"
    if goal.margin:
        lead = (
            f"{have} more casualty {points_word(have)} than the enemy" if have > 0 else "no lead in casualty points"
        )
        return f"{name}: {lead}, a lead of {need} needed"
    return f"{name}: {have} casualty {points_word(have)}, {need} needed"


def points_word(number: int) -> str:
    return "point" if number == 1 else "points"


def winner(situation: Situation) -> tuple[str | None, str]:
    """1.3, 3.9 The winner at the end, with the reasons: the side that meets its goals, otherwise the other side."""
    goals = situation.data.scenario.victory
    said = "; ".join(goal_words(situation, goal) for goal in goals)
    sides = list(dict.fromkeys(goal.side for goal in goals))
    met = [side for side in sides if all(goal_is_met(situation, goal) for goal in goals if goal.side == side)]
    if len(met) == 1:
        return met[0], said
    if not met and len(sides) == 1:
        return situation.other(sides[0]), said
    return None, said


def score_of(situation: Situation) -> dict[str, int]:
    """The points of each seat: progress towards its goals, or otherwise casualties inflicted."""
    goals = situation.data.scenario.victory
    found: dict[str, int] = {}
    for seat in situation.data.seats:
        own = [goal for goal in goals if goal.side == seat]
        found[seat] = sum(progress(situation, goal) for goal in own) if own else casualty_points(situation, seat)
    return found


def side_is_gone(state: AslskState, seat: str) -> bool:
    """3.9 Whether a side has no unit left, on the board or still to enter."""
    return not any(unit.seat == seat for unit in pieces(state))

"""6.2.1.1.4, 6.6.11 Moving with a shared command.

    6.2.1.1.3    keeps_column: a road column keeps its order instead
    6.2.1.1.4    companions, group_objections: units that share a Move end it within command range; stragglers
                 group_findings: whether they did
    6.6.11       same_target_objections: they attack the same unit

The test falls due when the last unit of a group has moved (A-87). Until then every unit must leave the others a way
to comply: units that have moved are fixed, the others can come as close as their allowance permits. The impossible is
not required: a vehicle with a track hit is left behind (6.5.2.2.1), a slowed one only as far as necessary
(6.5.2.2.4).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.engine.geometry.hexes import Hex, distance, hex_name
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say, say_n
from pbem.titles.panzer.command.command_control import group_of, is_broken, range_among
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.fire.gp_modifiers import counter_of
from pbem.titles.panzer.movement.steps.costs import halve
from pbem.titles.panzer.movement.steps.terrain_costs import movement_of
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.sighting.terrain import place_of
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import BOUND, MOVING, Command, PanzerState, Unit


def command_of(view: PanzerState, unit: Unit) -> Command | None:
    """6.2.1.1.3 The command under which a unit moves: its own, or the shared counter's."""
    return counter_of(view, unit).command


def group_on_ground(view: PanzerState, unit: Unit) -> list[Unit]:
    """6.2.1.1.3 All units on the ground that share a counter, including this one; empty if it has its own."""
    members = [other for other in group_of(view, unit) if not other.aboard]
    return members if len(members) > 1 else []


def has_moved(unit: Unit) -> bool:
    """6.6.1.1 Whether the unit has carried out its Move, by moving or by attacking."""
    return unit.moved or unit.assaulted


def is_left_behind(unit: Unit) -> bool:
    """6.5.2.2.1 Whether a unit cannot move at all and therefore does not hold up the others."""
    return unit.track_hit or unit.bailed_out


def is_slowed(unit: Unit) -> bool:
    """6.5.2.2.4, 7.29 Whether the unit is slowed: the others should end their move in range of it, but need not."""
    return unit.hull_damaged or "bogged" in unit.flags


def reach(data: PanzerData, unit: Unit) -> int:
    """4.5.1.1.1 The most hexes the unit can move, because a hex costs at least 1; one hex is always possible.

    6.6.4.3 In full cover that is one hex, if the unit can crawl at all; 6.6.5 the largest guns cannot be manhandled.
    """
    factor = movement_of(data, unit)
    most = max(factor.cross_country, factor.path, factor.road, factor.quickmarch)
    if unit.kind != "vehicle" and unit.full_cover:
        return int(unit.kind == "leg" and not unit.suppressed)
    times = (unit.command is Command.SHORT_HALT) + unit.suppressed + unit.hull_damaged + is_broken(unit)  # 6.6.2
    return halve(most, times) if most else 0


# --- 6.2.1.1.4 the end of a shared move ------------------------------------------------------------------------


def companions(view: PanzerState, unit: Unit) -> list[Unit]:
    """6.2.1.1.4 The units that share this unit's command and must keep together with it."""
    if is_left_behind(unit):
        return []
    return [other for other in group_on_ground(view, unit) if other.id != unit.id and not is_left_behind(other)]


def group_objections(
    data: PanzerData, group: Sequence[Unit], unit: Unit, hex: Hex, road: bool = False
) -> Iterator[Objection]:
    """6.2.1.1.4 Why a unit's companions could not end within command range if it ended in this hex."""
    if not group:
        return
    if road and unit.kind == "vehicle" and keeps_column(data, group, unit, hex):
        return
    for other in group:
        place, within = place_of(other), range_among(data, (unit, other))
        apart = distance(hex, place)
        if apart <= within:
            continue
        slack = 0 if has_moved(other) else reach(data, other)
        possible = unit.hex is None or distance(unit.hex, place) <= within + slack + reach(data, unit)
        if apart > within + slack and possible:
            yield parted(data, hex, apart, other, within)


def parted(data: PanzerData, hex: Hex, apart: int, other: Unit, within: int) -> Objection:
    """6.2.1.1.4 Object to an end of a move that is too far from a unit under the same command."""
    return Objection(
        ledger_row(data.edition, "6.2.1.1.4/movement"),
        say_n(
            "{hex} is {n} hex from {other}, which shares the unit's command; the limit is {within}",
            "{hex} is {n} hexes from {other}, which shares the unit's command; the limit is {within}",
            n=apart,
            hex=hex_name(hex),
            other=other.id,
            within=within,
        ),
    )


def keeps_column(data: PanzerData, group: Sequence[Unit], unit: Unit, hex: Hex) -> bool:
    """6.2.1.1.3 Whether a unit keeps its place in a road column.

    The first unit leads, and the others end next to a unit ahead.
    """
    ahead = [place_of(other) for other in group if has_moved(other)]
    if not ahead:
        return all(distance(hex, place_of(other)) <= reach(data, other) + len(group) for other in group)
    came = distance(unit.hex, hex) if unit.hex is not None else 0
    behind = unit.hex is None or came <= max(distance(unit.hex, other) for other in ahead)
    return behind and any(distance(hex, other) <= 1 for other in ahead)


def stragglers(situation: Situation, side: str) -> list[Unit]:
    """6.2.1.1.4 Units yet to move that are out of command range of units that have moved under the same command."""
    data, view = situation.data, situation.state
    own = list(view.of(side))
    begun = {unit.shares or unit.id for unit in own if has_moved(unit)}
    return [
        unit
        for unit in own
        if (unit.shares or unit.id) in begun  # no unit is behind before one has moved
        and not has_moved(unit)
        and not unit.aboard
        and command_of(view, unit) in MOVING
        and is_behind(data, companions(view, unit), unit)
    ]


def is_behind(data: PanzerData, group: Sequence[Unit], unit: Unit) -> bool:
    """6.2.1.1.4 Whether some of a unit's companions have moved out of its command range."""
    moved = [other for other in group if has_moved(other)]
    return bool(moved) and unit.hex is not None and any(group_objections(data, group, unit, unit.hex, road=True))


def group_findings(situation: Situation, side: str) -> Iterator[Finding]:
    """6.2.1.1.4 Report at the end of the step whether every group that moved has kept together (A-87)."""
    data, state = situation.data, situation.state
    for holder in state.of(side):
        group = group_on_ground(state, holder)
        if holder.shares or not group or holder.command not in MOVING:
            continue
        members = [unit for unit in group if not is_left_behind(unit) and not is_slowed(unit)]
        within = range_among(data, group)
        apart = max((distance(a.hex, b.hex) for a in members for b in members if a.hex and b.hex), default=0)
        inputs = {"units": [unit.id for unit in group], "range": within, "apart": apart}
        test = Finding(ledger_row(data.edition, "6.2.1.1.4/movement"), inputs=inputs, result=apart <= within)
        children = (test, *left_behind(data, group))
        yield Finding("6.2.1.1.4", inputs={"counter": holder.id}, result=holder.command.value, children=children)


def left_behind(data: PanzerData, group: Sequence[Unit]) -> Iterator[Finding]:
    """6.5.2.2.1, 6.5.2.2.4 Units that need not keep together: with a track hit, or too slow to keep up."""
    for unit in group:
        if unit.track_hit or is_slowed(unit):
            rule = "6.5.2.2.1/shared-command" if unit.track_hit else "6.5.2.2.4/shared-command"
            yield Finding(ledger_row(data.edition, rule), inputs={"unit": unit.id}, result="left-behind")


# --- 6.6.11 attacks --------------------------------------------------------------------------------------------


def bind(state: PanzerState, unit: Unit, target: str) -> None:
    """6.6.11 Bind all units under the same Move, the attacker's own or its carrier's, to one target."""
    state.notes.setdefault(BOUND, {})[f"{counter_of(state, unit).id} {target}"] = state.turn


def bound_to(view: PanzerState, unit: Unit) -> str:
    """6.6.11 This turn's target of the units under a unit's counter, even if the attackers have since been lost."""
    holder = f"{counter_of(view, unit).id} "
    return next((key.removeprefix(holder) for key in view.notes.get(BOUND, {}) if key.startswith(holder)), "")


def same_target_objections(view: PanzerState, unit: Unit, target: str) -> Iterator[Objection]:
    """6.6.11 All units under one Move, including passengers, attack one target, even if attackers have been lost."""
    bound = bound_to(view, unit)
    if bound and bound != target and not unit.attacking:
        yield Objection("6.6.11", say("the units that share this unit's command attack {bound}", bound=bound))


def forget_attacks(state: PanzerState) -> None:
    """6.6.11 Forget this turn's attacks, so that they no longer commit units."""
    state.notes.pop(BOUND, None)
    for unit in state.vehicles.values():
        unit.attacking = ""

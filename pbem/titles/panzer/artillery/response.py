"""6.5.1.12 Whether called firers respond, and where their fire lands; 6.5.1.10 fire that falls on friendly units.

6.5.1.12     response; 6.5.1.12.1 response_modifiers
6.5.1.4      is_registered
6.5.1.10     friends_in_danger; the ask `danger`: check_danger, danger_options
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from pbem.engine.geometry.hexes import Hex, distance, hex_name
from pbem.engine.rules.ask import Answer, Ask, Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Illegal, Objection
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.panzer.artillery.artillery_options import (
    scatter,
)
from pbem.titles.panzer.artillery.calls import (
    Call,
    sheaf_finding,
    spotted_at,
)
from pbem.titles.panzer.artillery.observers import (
    Firer,
    Observer,
    attachment,
    attachment_of,
)
from pbem.titles.panzer.cards.chart_rows import AdvancedModifier
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.rulings import ruling_finding
from pbem.titles.panzer.sighting.terrain import heat_haze, hindrances
from pbem.titles.panzer.situation import Situated, Situation
from pbem.titles.panzer.state import (
    Damage,
    Mission,
    PanzerState,
    Unit,
)

# --- 6.5.1.12 response ----------------------------------------------------------------


@dataclass(frozen=True)
class Responding(Situated):
    """6.5.1.12.1 Everything the modifiers of a response depend on."""

    situation: Situation
    mission: Mission
    observer: Observer
    firer: Firer
    point: Hex
    again: bool


CONDITIONS: Final[Mapping[str, Callable[[Responding], int]]] = {
    "pre_registered": lambda one: is_registered(one.firer, one.point),
    "command_recon_observer": lambda one: one.observer.command_recon,
    "adjusted_fire": lambda one: one.again,
    "observer_suppressed": lambda one: one.observer.unit.suppressed,
    "observer_damaged": lambda one: one.observer.unit.damage is not Damage.NONE,
    "observer_hindered": lambda one: len(observer_hindered(one)),
    "heat_haze": lambda one: observer_haze(one),
    "observer_hesitating": lambda one: _flagged(one.observer.unit, "hesitating"),
    "observer_broken": lambda one: _flagged(one.observer.unit, "broken"),
    "battery_damaged": lambda one: one.firer.battery is not None and one.firer.battery.damaged,
    "reconnaissance_by_fire": lambda one: one.mission.reconnaissance,
    "observer_grade": lambda one: one.data.advanced.grades[one.observer.unit.grade].response.value,
    "soviet_1941": lambda one: soviet_communications(one, "1941"),
    "soviet_1942": lambda one: soviet_communications(one, "1942"),
}
"""6.5.1.12.1 How often each row of the chart applies. Optional rules add theirs."""

RULES: Final[Mapping[str, str]] = {
    "pre_registered": "preregistered-point",
    "command_recon_observer": "command-recon-observer",
    "adjusted_fire": "adjusted-fire",
    "observer_suppressed": "observer-suppressed",
    "observer_damaged": "observer-damaged",
    "observer_hindered": "observer-hindered",
    "heat_haze": "heat-haze",
    "observer_hesitating": "observer-hesitating",
    "observer_broken": "observer-broken",
    "observer_grade": "observer-grade",
}


def soviet_communications(one: Responding, year: str) -> bool:
    """7.5 Whether the modifier for Soviet observers in 1941 and 1942 applies; planned fire needs no response."""
    soviet = one.observer.nation == "soviet" and one.data.scenario.date.startswith(year)
    return soviet and one.data.plays("soviet_communications")


def _flagged(unit: Unit, word: str) -> bool:
    return any(flag.startswith(word) for flag in unit.flags)


def is_registered(firer: Firer, point: Hex) -> bool:
    """6.5.1.4 Whether the point is one of this battery's pre-registered points."""
    return firer.battery is not None and hex_name(point) in firer.battery.registered


def observer_hindered(one: Responding) -> list[str]:
    """6.5.1.12.1 Each smoke, barrage and fire on the observer's line, including the mission's own old one (A-77)."""
    assert one.observer.unit.hex is not None
    met = hindrances(one.situation, one.observer.unit.hex, one.point, fresh=True)
    return [hindrance.where for hindrance in met if hindrance.kind != "dust"]


def observer_haze(one: Responding) -> bool:
    """6.5.1.12.1 Whether heat haze applies, given the sizes of the units on which the fire is called."""
    assert one.observer.unit.hex is not None
    hexes = distance(one.observer.unit.hex, one.point)
    targets = spotted_at(one.state, one.observer.unit, one.point)
    return bool(targets) and all(heat_haze(one.data, target, hexes) for target in targets)


def registered_point(firer: Firer, point: Hex) -> Iterator[Finding]:
    """6.5.1.4 If the point is one of the battery's registered points, report it."""
    if is_registered(firer, point):
        yield Finding("6.5.1.4", inputs={"firer": firer.id, "point": hex_name(point)}, result=True)


def response_modifiers(one: Responding) -> list[tuple[AdvancedModifier, int]]:
    """6.5.1.12.1 Every row that applies, in the order of the chart, and how often."""
    rows = (
        (row, int(CONDITIONS[row.when](one)))
        for row in one.data.advanced.modifiers["response"]
        if row.when in CONDITIONS
    )
    return [(row, times) for row, times in rows if times]


def response(
    table: Table[PanzerState], mission: Mission, observer: Observer, firer: Firer, called: Call, again: bool
) -> Step:
    """6.5.1.12 Roll whether one firer responds; return the finding and the point where its fire lands, or None."""
    data: PanzerData = table.data
    one = Responding(table, mission, observer, firer, called.point, again)
    rows = response_modifiers(one)
    net = sum(row.value * times for row, times in rows)
    factor = data.advanced.response_factor(observer.row, attachment_of(data, firer, observer))
    die = table.roll(10, "6.5.1.12", mission.id, firer.known_as)
    point: Hex | None = called.point if die + net >= factor else None
    scattered: Finding | None = None
    if point is not None and die != 1:
        point, scattered = scatter(table, firer.id, firer.known_as, called.point, die + net - factor)  # 7.26
    children = [
        attachment(data, firer, observer),
        modifiers_finding(data, rows, net),
        sheaf_finding(data, firer, called),
    ]
    children += [*registered_point(firer, called.point), *([scattered] if scattered else [])]
    if die == 1:
        reached = die + net >= factor
        point, danger = yield from natural_one(table, mission, firer, called.point, reached)
        children.append(danger)
    inputs = {"firer": firer.id, "observer": observer.unit.id, "row": observer.row, "factor": factor, "net": net}
    lost = scattered is not None and point is None  # 7.26: beyond the map
    result = "responds" if point is not None or lost else "no-response"
    finding = Finding("6.5.1.12", inputs=inputs, dice=(die,), result=result, children=tuple(children))
    return finding, point


def modifiers_finding(data: PanzerData, rows: list[tuple[AdvancedModifier, int]], net: int) -> Finding:
    """6.5.1.12.1 The modifiers of a response, each with its own paragraph."""
    children = [
        Finding(
            ledger_row(data.edition, f"6.5.1.12.1/{RULES[row.when]}"),
            inputs={"times": times},
            result=row.value * times,
        )
        for row, times in rows
        if row.when in RULES
    ]
    told = [{"when": row.when, "text": row.text, "value": row.value * times, "rule": row.rule} for row, times in rows]
    return Finding("6.5.1.12.1", modifiers=tuple(told), result=net, children=(*children, *early_war_findings(rows)))


def early_war_findings(rows: list[tuple[AdvancedModifier, int]]) -> list[Finding]:
    """7.5 The modifiers of Soviet observers in the early war."""
    return [Finding("7.5", result=row.value) for row, _ in rows if row.rule == "7.5"]


# --- 6.5.1.10 danger close ----------------------------------------------------------------


def friends_in_danger(situation: Situation, side: str, point: Hex) -> list[str]:
    """6.5.1.10, A-69 Units of the firing side near the point that an enemy on the map has spotted."""
    state = situation.state
    enemies = (enemy for enemy in state.of(state.enemy(side)) if not enemy.hidden)  # 7.2
    seen = {id for enemy in enemies for id in state.spotted.get(enemy.id, ())}
    reach = situation.data.advanced.number("danger_close")
    return [
        unit.id
        for unit in state.of(side)
        if unit.id in seen and unit.hex is not None and not unit.aboard and distance(unit.hex, point) <= reach
    ]


def natural_one(table: Table[PanzerState], mission: Mission, firer: Firer, point: Hex, reached: bool = False) -> Step:
    """6.5.1.12 Resolve a natural 1: the opponent directs the fire onto a friendly unit in danger, or nothing lands.

    By ruling house/A-70 it does not matter whether the modified roll has `reached` the response factor.
    """
    state: PanzerState = table.state
    friends = friends_in_danger(table, mission.side, point)
    if not friends:
        return None, Finding("6.5.1.10", inputs={"firer": firer.id, "friends": []}, result="no-response")
    ruling = ruling_finding(table.data, "stray_needs_response")
    if ruling.result == "other-reading" and not reached:
        inputs = {"firer": firer.id, "friends": friends}
        return None, Finding("6.5.1.10", inputs=inputs, result="no-response", children=(ruling,))
    about = {"firer": firer.id, "mission": mission.id, "friends": friends}
    opponent = state.enemy(mission.side)
    chosen = yield Ask(opponent, "danger", "6.5.1.12", subject=firer.id, about=about, default=friends[0])
    mission.danger_close = True
    inputs = {"firer": firer.id, "friends": friends, "chosen_by": opponent}
    return state.vehicles[chosen].hex, Finding("6.5.1.10", inputs=inputs, result=chosen, children=(ruling,))


def danger_options(situation: Situation, ask: Ask) -> Iterator[Answer]:
    """6.5.1.12 The friendly units on which the fire may be directed."""
    yield from ask.about["friends"]


def check_danger(situation: Situation, ask: Ask, answer: Answer) -> Answer:
    """6.5.1.12 Accept one of the friendly units in danger."""
    if answer not in ask.about["friends"]:
        raise Illegal(
            str(answer), [Objection("6.5.1.12", say("that is not one of the units in danger"))], ask.about["friends"]
        )
    return answer

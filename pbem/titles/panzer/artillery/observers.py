"""6.5.1.1 Observers, the firers they may call, and their level of attachment.

6.5.1.1          Observer, observer_of, observers
6.5.1.1.1        an FO calls several sources
6.5.1.1.2        Command observers; Command FO
6.5.1.1.3        Recon observers; Command Recon observers
6.5.1.1.4        sources_of: two units on the map that are one source
6.5.1.2          Firer, firer_of: batteries, and units on the map with a GP-IF row
6.5.1.3          attachment_of
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pbem.engine.geometry.hexes import Hex, distance
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.panzer.cards.card_rows import FireRow
from pbem.titles.panzer.cards.chart_rows import Attachment
from pbem.titles.panzer.cards.chart_rows import Observer as ObserverRow
from pbem.titles.panzer.cards.units import formations_above
from pbem.titles.panzer.cards.weapons import Armament, weapons_of
from pbem.titles.panzer.command.command_control import bears, is_watch_used, range_among
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.fire.aiming import place_objections
from pbem.titles.panzer.rulings import ruling_finding
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Battery, Command, PanzerState, Unit

COMMAND_LEVELS: tuple[ObserverRow, ...] = ("rhq", "bhq", "chq")
"""5.9.1 The labels of Command units, highest first."""


# --- 6.5.1.1 observers ----------------------------------------------------------------


@dataclass(frozen=True)
class Observer:
    """6.5.1.1 A unit that may call fire, with its row of the response table and its other roles."""

    unit: Unit
    row: ObserverRow
    command: bool
    recon: bool
    nation: str

    @property
    def command_recon(self) -> bool:
        """6.5.1.1.3 Whether this is a Recon unit that commands a company or more."""
        return self.command and self.recon and self.row != "fo"

    @property
    def rule(self) -> str:
        """The paragraph that allows the unit to call."""
        if self.row == "fo":
            return "6.5.1.1.2/command-fo" if self.command else "6.5.1.1.1"
        if self.command:
            return "6.5.1.1.3/command-recon" if self.recon else "6.5.1.1.2"
        return "6.5.1.1.3"


def observer_of(data: PanzerData, unit: Unit) -> Observer | None:
    """6.5.1.1 Only FO, Command and Recon units observe; the FO role takes precedence (A-64)."""
    level = next((label for label in COMMAND_LEVELS if label in unit.labels), None)
    row: ObserverRow | None = "fo" if "fo" in unit.labels else level or ("recon" if "recon" in unit.labels else None)
    if row is None:
        return None
    nation = data.scenario.formations[unit.formation].nation
    return Observer(unit, row, level is not None, "recon" in unit.labels, nation)


def observers(situation: Situation, side: str) -> Iterator[Observer]:
    """6.5.1.1 A side's observers on the map."""
    data = situation.data
    for unit in situation.state.of(side):
        if found := observer_of(data, unit):
            yield found


def observer_objections(view: PanzerState, observer: Observer) -> Iterator[Objection]:
    """6.5.1 Object unless the observer has an Overwatch command and has done nothing else with it."""
    unit = observer.unit
    if unit.bailed_out:
        yield Objection("5.15", say("the observer's crew has bailed out"))
    if view.order_of(unit) is not Command.OVERWATCH:
        yield Objection("6.5.1", say("an observer needs an Overwatch command"))
    if unit.fired or unit.used_up == view.turn:
        yield Objection("6.5.1", say("the observer has already used its Overwatch command"))
    if unit.checked_in == view.turn:
        yield Objection("6.5.1.9", say("the observer's mission has already been handled this turn"))
    if unit.aboard and view.vehicles[unit.aboard].used_up == view.turn:
        yield Objection("6.6.7.2", say("the observer's carrier {carrier} has used its command", carrier=unit.aboard))
    elif is_watch_used(view, unit):
        yield Objection("6.2.1.1.4/overwatch", say("the unit's shared Overwatch command has already been used"))


def most_sources(data: PanzerData, observer: Observer) -> int:
    """6.5.1.1 How many sources an observer may call at once; a Command FO calls as many as an FO (house/A-64)."""
    if observer.row == "fo" and observer.command and data.charts.switch("command_fo_calls_one"):
        return 1
    return data.advanced.fire_sources(observer.row, observer.nation)


def called_by(data: PanzerData, observer: Observer) -> Finding:
    """6.5.1.1 Explain why an observer may call, and how many sources."""
    sources = most_sources(data, observer)
    children = [ruling_finding(data, "command_fo_calls_one")] if observer.rule == "6.5.1.1.2/command-fo" else []
    if observer.row == "fo" and data.edition == "2016":
        rule = "6.5.1.1.1/us-fo" if observer.nation == "us" else "6.5.1.1.1/other-fo"
        children.append(Finding(rule, inputs={"nation": observer.nation}, result=sources))
    inputs = {"observer": observer.unit.id, "row": observer.row}
    return Finding(observer.rule, inputs=inputs, result=sources, children=tuple(children))


# --- 6.5.1.2 firers ----------------------------------------------------------------


@dataclass(frozen=True)
class Firer:
    """6.5.1.2 An off-map battery or a unit on the map, with the GP-IF row it fires with."""

    id: str
    side: str
    formation: str
    fire: FireRow
    smoke: bool
    illumination: bool
    limits: dict[str, int]
    unit: Unit | None = None
    battery: Battery | None = None
    small_arms: bool = False
    weapon: str = ""

    @property
    def off_map(self) -> bool:
        return self.battery is not None

    @property
    def known_as(self) -> str:
        """7.2 The name shown with the firer's dice; it does not give away a hidden unit."""
        return "hidden" if self.unit is not None and self.unit.hidden else self.id


def firer_of(situation: Situation, id: str) -> Firer | None:
    """6.5.1.2 The battery or unit with this id, if it can fire indirectly."""
    data, view = situation.data, situation.state
    if battery := view.batteries.get(id):
        return _battery(data, battery)
    unit = view.vehicles.get(id)
    return _on_map(data, unit) if unit is not None else None


def _battery(data: PanzerData, battery: Battery) -> Firer:
    card = data.book.batteries[battery.card]
    limits = {str(letter): cell.value for letter, cell in card.row.limits.items()}
    return Firer(
        id=battery.id,
        side=battery.side,
        formation=battery.formation,
        fire=card.fire,
        smoke="S" in limits,
        illumination="I" in limits,
        limits=limits,
        battery=battery,
    )


def _on_map(data: PanzerData, unit: Unit) -> Firer | None:
    """5.1.3.1, 5.2 The unit's first weapon with a GP-IF row."""
    match unit.kind:
        case "vehicle":
            for mount in data.vehicle(unit).mounts:
                if mount.gun.indirect:
                    limits = {str(letter): value for letter, value in mount.limits.items()}
                    gun, small = mount.gun, mount.gun.small_arms
                    return _unit_firer(unit, mount.gun.indirect, gun.smoke, limits, gun.id, small_arms=small)
        case "towed":
            gun = data.book.guns[data.towed(unit).gun]
            if gun.indirect:
                limits = {str(letter): cell.value for letter, cell in data.towed(unit).limits.items()}
                small = gun.small_arms
                return _unit_firer(unit, gun.indirect, gun.smoke, limits, gun.id, small_arms=small)
        case "leg":
            for name in unit.attached:
                weapon = data.book.attached[name]
                if weapon.indirect:
                    limits = {str(letter): cell.value for letter, cell in weapon.limits.items()}
                    smoke, small = weapon.smoke.value, weapon.small_arms
                    return _unit_firer(unit, weapon.indirect, smoke, limits, name, small_arms=small)
    return None


def _unit_firer(
    unit: Unit, fire: FireRow, smoke: bool, limits: dict[str, int], weapon: str, *, small_arms: bool
) -> Firer:
    return Firer(
        id=unit.id,
        side=unit.side,
        formation=unit.formation,
        fire=fire,
        smoke=smoke,
        illumination="I" in limits,
        limits=limits,
        unit=unit,
        small_arms=small_arms,
        weapon=weapon,
    )


def firers(situation: Situation, side: str) -> list[Firer]:
    """6.5.1.2 All of a side's batteries and units that can fire indirectly."""
    own = (battery for battery in situation.state.batteries.values() if battery.side == side)
    batteries = [battery.id for battery in own if not battery.counter and not battery.knocked_out]
    found = (firer_of(situation, id) for id in [*batteries, *(unit.id for unit in situation.state.of(side))])
    return [firer for firer in found if firer is not None]


def firer_objections(situation: Situation, firer: Firer, point: Hex) -> Iterator[Objection]:
    """6.5.1 Reasons why a battery or unit cannot fire indirectly at a point this turn."""
    view = situation.state
    if firer.battery is not None:
        if firer.battery.counter or firer.battery.knocked_out:
            yield Objection("7.28", say("the battery is knocked out, or can only fire at enemy batteries"))
        if firer.battery.available_from > view.turn:
            why = say(
                "the battery is not available before turn {available_from}",
                available_from=firer.battery.available_from,
            )
            yield Objection("6.5.1.11.1", why)
        if firer.battery.fired_in == view.turn:
            yield Objection("6.5.1", say("the battery has already been used this turn"))
        return
    unit = firer.unit
    assert unit is not None and unit.hex is not None
    arm = arm_of(situation.data, firer)
    if unit.command is not Command.FIRE or unit.aboard:
        yield Objection("6.5.1", say("a unit on the map needs a Fire command of its own"))
    if unit.fired or unit.used_up == view.turn:
        yield Objection("6.5.1", say("the unit has already used its command this turn"))
    if unit.checked_in == view.turn:
        yield Objection(
            "6.5.1.9", say("the unit's mission has already been handled this turn, so it can only fire directly")
        )
    yield from place_objections(situation, unit, arm)
    if not bears(situation, unit, arm, point):
        yield Objection("4.4.3.1", say("the point is outside the unit's field of fire"))
    if target := next((id for id in sees_itself(situation, unit, point)), None):
        yield Objection(
            "6.5.1", say("the unit spots {target} itself, so it must fire directly", target=target)
        )


def arm_of(data: PanzerData, firer: Firer) -> Armament:
    """5.1.3.1, 5.2 The weapon with which a unit on the map fires indirectly."""
    assert firer.unit is not None
    return next(arm for arm in weapons_of(data, firer.unit) if arm.indirect == firer.fire)


def sees_itself(situation: Situation, unit: Unit, point: Hex) -> list[str]:
    """A-76 The units in the target hex that the firer itself has spotted and could fire at directly."""
    view = situation.state
    assert unit.hex is not None
    reach = _direct_reach(situation.data, unit)
    if not reach[0] <= distance(unit.hex, point) <= reach[1]:
        return []
    return [id for id in view.spotted.get(unit.id, ()) if view.vehicles[id].alive and view.vehicles[id].hex == point]


def _direct_reach(data: PanzerData, unit: Unit) -> tuple[int, int]:
    """5.6 The shortest and longest direct GP ranges of the weapons that would fire indirectly."""
    match unit.kind:
        case "vehicle":
            rows = [mount.gun.gp for mount in data.vehicle(unit).mounts if mount.gun.indirect]
        case "towed":
            rows = [data.book.guns[data.towed(unit).gun].gp]
        case _:
            rows = [data.book.attached[name].gp for name in unit.attached if data.book.attached[name].indirect]
    found = [(row.minimum.value, row.ranges.value[-1]) for row in rows if row]
    return min((least for least, _ in found), default=1), max((most for _, most in found), default=0)


# --- 6.5.1.1.4 sources ----------------------------------------------------------------


def sources_of(data: PanzerData, called: Sequence[Firer]) -> int:
    """6.5.1.1.4 How many sources these firers are; two on the map in command range of each other count as one."""
    on_map = [firer for firer in called if not firer.off_map]
    return len(called) - _pairs(data, on_map)


def _pairs(data: PanzerData, units: Sequence[Firer]) -> int:
    """The largest number of pairs of units that may count as one source."""
    if len(units) < 2:
        return 0
    first, rest = units[0], units[1:]
    alone = _pairs(data, rest)
    paired = (
        1 + _pairs(data, [*rest[:number], *rest[number + 1 :]])
        for number, other in enumerate(rest)
        if are_one_source(data, first, other)
    )
    return max(alone, max(paired, default=0))


def are_one_source(data: PanzerData, one: Firer, other: Firer) -> bool:
    """6.5.1.1.4, A-65 Whether both units are in the same formation and within its command range of each other."""
    if one.unit is None or other.unit is None or one.formation != other.formation:
        return False
    assert one.unit.hex is not None and other.unit.hex is not None
    return distance(one.unit.hex, other.unit.hex) <= range_among(data, (one.unit, other.unit))


# --- 6.5.1.3 attachment ----------------------------------------------------------------


def attachment_of(data: PanzerData, firer: Firer, observer: Observer) -> Attachment:
    """6.5.1.3 The firing unit's attachment to the observer's formation."""
    if firer.battery is None:
        return "attached" if firer.formation == observer.unit.formation else "unattached"  # 6.5.1.3.1
    if firer.formation in formations_above(data, observer.unit.formation):
        return firer.battery.attachment
    return "unattached"  # 6.5.1.3.3


ATTACHMENT_RULES: dict[Attachment, str] = {
    "attached": "6.5.1.3.1",
    "organic": "6.5.1.3.2",
    "unattached": "6.5.1.3.3",
}


def attachment(data: PanzerData, firer: Firer, observer: Observer) -> Finding:
    """6.5.1.3 The level of attachment, with the paragraph that decides it."""
    level = attachment_of(data, firer, observer)
    inputs = {"firer": firer.id, "formation": firer.formation, "observer": observer.unit.id}
    return Finding("6.5.1.3", inputs=inputs, result=level, children=(Finding(ATTACHMENT_RULES[level], result=level),))


def nation_objections(data: PanzerData, observer: Observer, firer: Firer) -> Iterator[Objection]:
    """6.5.1.1.2, 6.5.1.1.3 Object if a Soviet observer (2016) other than an FO calls a firer not attached to it."""
    limited = data.charts.switch("soviet_observer_limits")
    soviet = limited and observer.nation == "soviet" and observer.row != "fo"
    if soviet and attachment_of(data, firer, observer) != "attached":
        rule = "6.5.1.1.2/soviet-command-observers" if observer.command else "6.5.1.1.3/soviet-recon"
        yield Objection(
            rule,
            say("a Soviet observer can only call units attached to its own formation, not {firer}", firer=firer.id),
        )

"""Helpers for tests of chapter 4: one vehicle, a weapon by its number, and a target.

shot_objections, aim_objections, watch_objections      reasons why a vehicle cannot fire
legal_shots, best_shot, still_obliged, default_fire    the shots available
a_shot, preview, resolve_shot, fire_group              one shot, and fire declared together
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from pbem.engine.rules.ask import Answer, Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.titles.panzer.ap import ap_fire
from pbem.titles.panzer.ap.ap_modifiers import ApShot, an_ap_shot
from pbem.titles.panzer.cards.weapons import weapons_of
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.fire import aiming, declarations, direct_fire
from pbem.titles.panzer.fire.aiming import Occasion
from pbem.titles.panzer.fire.overwatch import Watch
from pbem.titles.panzer.setup.scenario_file import is_advanced, packaged, packaged_scenarios
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, PanzerState, Unit


def basic_scenarios() -> tuple[str, ...]:
    """4.0 Return the data of the basic game."""
    return tuple(name for name in packaged_scenarios() if not is_advanced(packaged(f"scenarios/{name}.toml")))


class Possible(NamedTuple):
    """A legal shot with its numbers."""

    firer: str
    weapon: int
    target: str
    hit_number: int
    distance: int
    penetration: int


def occasion(data: PanzerData, view: PanzerState, side: str, engaged: Sequence[str] = ()) -> Occasion:
    return Occasion(Situation(data, view), side, engaged=tuple(engaged))


def possible(when: Occasion, shots: Iterable[aiming.Entry]) -> list[Possible]:
    found = []
    for shot in aiming.best_first(when, shots):
        aimed = aiming.aimed_by(when, shot)
        numbers = aimed.hit_number, aimed.range, aimed.penetration
        found.append(Possible(shot.unit, shot.weapon, shot.target, *numbers))
    return found


def legal_shots(data: PanzerData, view: PanzerState, firer: Unit, engaged: Sequence[str] = ()) -> list[Possible]:
    """4.4.1 The legal shots of a vehicle in its Direct Fire Step, best first."""
    when = occasion(data, view, firer.side, engaged)
    return possible(when, aiming.legal_shots(when, firer))


def best_shot(data: PanzerData, view: PanzerState, firer: Unit, engaged: Sequence[str] = ()) -> Possible | None:
    """R-05 The default shot of a vehicle."""
    return next(iter(legal_shots(data, view, firer, engaged)), None)


def still_obliged(
    data: PanzerData, view: PanzerState, side: str, engaged: Sequence[str] = ()
) -> dict[str, list[Possible]]:
    """4.4.1 The vehicles that must still fire, each with its legal shots, best first."""
    when = occasion(data, view, side, engaged)
    return {firer: possible(when, shots) for firer, shots in aiming.still_obliged(when).items()}


def default_fire(data: PanzerData, view: PanzerState, side: str, engaged: Sequence[str] = ()) -> Answer:
    """R-05 The default fire."""
    return declarations.default_fire(occasion(data, view, side, engaged))


def has_weapon(data: PanzerData, firer: Unit, weapon: int) -> Iterator[Objection]:
    if not 0 <= weapon < len(weapons_of(data, firer)):
        yield Objection("4.4.3", f"the unit has no weapon number {weapon}")


def shot_objections(
    data: PanzerData, view: PanzerState, firer: Unit, weapon: int, target: Unit, engaged: Sequence[str] = ()
) -> Iterator[Objection]:
    """4.4.1 Every reason why a vehicle cannot make this shot in its Direct Fire Step."""
    arm = weapons_of(data, firer)[weapon]
    return occasion(data, view, firer.side, engaged).objections(firer, arm, "ap", target)


def watch_objections(
    data: PanzerData, view: PanzerState, firer: Unit, weapon: int, target: Unit, targets: Sequence[str]
) -> Iterator[Objection]:
    """4.4.2 Every reason why a vehicle cannot make this overwatch shot."""
    arm = weapons_of(data, firer)[weapon]
    return Watch(Situation(data, view), firer.side, eligible=tuple(targets)).objections(firer, arm, "ap", target)


def aim_objections(
    data: PanzerData, view: PanzerState, firer: Unit, weapon: int, target: Unit, command: Command | None = None
) -> Iterator[Objection]:
    """4.4.3 Reasons why a weapon cannot fire at a target under any command."""
    missing = list(has_weapon(data, firer, weapon))
    yield from missing
    if not missing:
        arm = weapons_of(data, firer)[weapon]
        yield from aiming.aim_objections(Situation(data, view), firer, arm, "ap", target, command)


def a_shot(
    data: PanzerData, view: PanzerState, firer: Unit, weapon: int, target: Unit, command: Command | None = None
) -> ApShot:
    """A shot with a weapon by its number on the card, by default under the firer's own command."""
    return an_ap_shot(Situation(data, view), firer, weapons_of(data, firer)[weapon], "ap", target, command=command)


def preview(
    data: PanzerData, view: PanzerState, firer: Unit, weapon: int, target: Unit, command: Command | None = None
) -> Finding:
    """4.4.3.2 Preview a shot from the seat's knowledge."""
    return ap_fire.preview_ap(a_shot(data, view, firer, weapon, target, command))


def resolve_shot(table: Table[PanzerState], shot: ApShot) -> Step:
    """4.4.3.2 Resolve a shot: range factor, modifiers, roll, aspect, penetration, damage."""
    return (yield from ap_fire.resolve_ap(table, shot, lambda other: False))


def fire_group(table: Table[PanzerState], rule: str, declaration: Any, why: Iterable[Finding] = ()) -> Step:
    """4.4.1 Resolve all fire at one target: it is declared together and resolved shot by shot, and each
    result applies at once."""
    entries = declarations.read_entries(declaration)
    return (
        yield from direct_fire.fire_group(
            table, rule, declaration["target"], entries, lambda unit: direct_fire.legal_again(table, unit), why
        )
    )

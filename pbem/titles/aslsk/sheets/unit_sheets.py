"""Reference sheets for players: a unit with its numbers and orders, and lines of sight if the match allows it.

1.2      unit_sheet, facts
3.2.1    sight: only with `los = open`
----     roll_call: the units that an ask is about
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.title import Stand
from pbem.engine.text.sheets import Sheet, Sight
from pbem.titles.aslsk.fire.components import Attack, component
from pbem.titles.aslsk.ground.explained_sight import finding, words
from pbem.titles.aslsk.ground.lattice import SPINES
from pbem.titles.aslsk.movement.allowance import MF, allowance_of
from pbem.titles.aslsk.ordnance.to_hit import is_ordnance
from pbem.titles.aslsk.picture.words import printed_values
from pbem.titles.aslsk.player.checks import too_far
from pbem.titles.aslsk.player.map import markers
from pbem.titles.aslsk.sheets.choices import choices
from pbem.titles.aslsk.sheets.odds import fire_odds, gun_odds, vehicle_odds
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Piece, Unit, Vehicle, piece_of, pieces
from pbem.titles.aslsk.telling.markers import vehicle_markers
from pbem.titles.aslsk.vehicles.prospects import hit_chance, kill_chance

MOST_ODDS = 8


def roll_call(situation: Situation, ask: Ask) -> dict[str, str]:
    """The units that can get orders in answer to this ask, in their fixed order."""
    own = [unit for unit in pieces(situation.state) if unit.seat == ask.seat and is_here(situation, unit, ask)]
    if ask.kind in ("rout", "window", "close_combat", "wave", "wave_defence", "go_on"):
        own = [unit for unit in own if unit.id == ask.subject or ask.kind == "window"]
    return {unit.id: situation.name(unit) for unit in own}


def is_here(situation: Situation, piece: Piece, ask: Ask) -> bool:
    """1.3, 3.3/entry-exit Whether a unit is on the map, is being set up, or enters this turn."""
    if ask.kind == "setup":
        return bool(situation.data.area(piece))
    entering = ask.kind in ("orders", "close") and situation.data.may_enter(piece, situation.state.turn)
    return bool(piece.at) or entering


def stands(situation: Situation) -> Iterator[Stand]:
    """1.2 Every unit on the map, with its markers as words."""
    data, view = situation.data, situation.state
    names = {group.id: group.name or group.id for group in data.scenario.groups}
    for unit in view.units.values():
        if unit.at:
            marks = (*(("broken",) if unit.broken else ()), *markers(unit))
            group = names.get(unit.group, "")
            yield Stand(unit.id, situation.name(unit), unit.seat, unit.at, marks=marks, formation=group)
    for vehicle in view.vehicles.values():
        if vehicle.at:
            yield Stand(
                vehicle.id,
                situation.name(vehicle),
                vehicle.seat,
                vehicle.at,
                vehicle.vca,
                vehicle_markers(vehicle),
                names.get(vehicle.group, ""),
            )


def unit_sheet(situation: Situation, viewer: str, ask: Ask | None, id: str) -> Sheet | None:
    """1.2 The sheet of a unit as the viewer may see it, or None for an unknown name."""
    data, view = situation.data, situation.state
    unit = view.units.get(id)
    if unit is None:
        vehicle = view.vehicles.get(id)
        if vehicle is not None:
            return vehicle_sheet(situation, viewer, ask, vehicle)
        return weapon_sheet(situation, viewer, id)
    asked = ask is not None and ask.seat == unit.seat and id in roll_call(situation, ask)
    return Sheet(
        unit=id,
        name=str(printed_values(data.deck, unit.card)),
        side=unit.seat,
        at=unit.at,
        own=unit.seat == viewer,
        facts=(*facts(situation, unit), *(unit_odds(situation, unit, ask) if unit.seat == viewer else ())),
        choices=tuple(choices(situation, unit, ask)) if ask is not None and asked else (),
    )


def vehicle_sheet(situation: Situation, viewer: str, ask: Ask | None, vehicle: Vehicle) -> Sheet:
    """7.0 The sheet of a vehicle: armour, armament, movement, markers, and the odds of its possible shots."""
    card, own = situation.vehicle_card(vehicle), vehicle.seat == viewer
    told = [
        f"{card.mp} MP{' (red)' if card.unreliable else ''}, {'tracked' if card.tracked else 'armoured car'}",
        f"armour: hull {card.front}/{card.side}, turret {card.turret_front}/{card.turret_side}; size {card.size:+d}",
        f"facing {SPINES[vehicle.vca]}, turret {SPINES[vehicle.tca]}",
    ]
    if marked := vehicle_markers(vehicle):
        told.append(", ".join(marked))
    for weapon in situation.weapons(vehicle):
        arm = situation.weapon_card(weapon)
        strength = arm.name if not arm.fp else f"{arm.name} {arm.fp}-{arm.range}"
        told.append(f"{weapon.id}: {strength}{' (malfunctioned)' if weapon.malfunctioned else ''}")
    asked = ask is not None and ask.seat == vehicle.seat
    if own:
        told += shot_odds(situation, vehicle)
        told += vehicle_odds(situation, vehicle, ask.kind if ask is not None and asked else "")
    return Sheet(
        unit=vehicle.id,
        name=str(printed_values(situation.data.deck, vehicle.card)),
        side=vehicle.seat,
        at=vehicle.at,
        own=own,
        facts=tuple(told),
        choices=tuple(choices(situation, vehicle, ask)) if ask is not None and asked else (),
    )


def shot_odds(situation: Situation, piece: Piece) -> list[str]:
    """3.2.4, 7.9 The chance of each weapon of a unit or vehicle to hit and to destroy each enemy vehicle."""
    told: list[str] = []
    for weapon in situation.weapons(piece):
        one = component(situation, weapon.id)
        if one is None or weapon.malfunctioned or not is_ordnance(situation, one, "any") or not piece.at:
            continue
        if isinstance(piece, Vehicle) and weapon.card.endswith("mg") and not situation.vehicle_card(piece).mg_armed:
            continue  # 7.8
        for enemy in situation.state.vehicles.values():
            if enemy.seat == piece.seat or not enemy.at or len(told) >= MOST_ODDS:
                continue
            shot = Attack((weapon.id,), enemy.at, target=enemy.id)
            if situation.weapon_card(weapon).kind == "mortar" or too_far(situation, one, enemy.at):
                continue
            if situation.data.options.los == "open" and not situation.sees(piece.at, enemy.at):
                continue
            hit, kill = hit_chance(situation, one, shot), kill_chance(situation, one, shot)
            told.append(f"{weapon.id} at {enemy.id} in {enemy.at}: hit {hit}%, destroy {kill}%")
    return told


def weapon_sheet(situation: Situation, viewer: str, id: str) -> Sheet | None:
    """1.2.4 The sheet of a support weapon: its numbers and its holder."""
    weapon = situation.state.weapons.get(id)
    if weapon is None:
        return None
    holder = piece_of(situation.state, weapon.holder)
    said = [str(printed_values(situation.data.deck, weapon.card))]
    said.append(f"possessed by {holder.id}" if holder is not None else "unpossessed")
    said += ["malfunctioned"] if weapon.malfunctioned else []
    return Sheet(
        unit=id,
        name=situation.weapon_card(weapon).name,
        side=holder.seat if holder is not None else "",
        at=holder.at if holder is not None else weapon.at,
        own=holder is not None and holder.seat == viewer,
        facts=tuple(said),
    )


def facts(situation: Situation, unit: Unit) -> Iterator[str]:
    """1.2 The numbers, markers, weapons and movement of a unit."""
    yield f"morale {situation.morale(unit)}{' (broken)' if unit.broken else ''}"
    if marked := markers(unit):
        yield ", ".join(marked)
    for weapon in situation.weapons(unit):
        state = " (malfunctioned)" if weapon.malfunctioned else ""
        yield f"{weapon.id}: {situation.weapon_card(weapon).name}{state}"
    if not unit.broken:
        yield f"{allowance_of(situation, unit, [unit]) // MF} MF alone"
    if situation.is_inexperienced(unit):
        yield "inexperienced"


def unit_odds(situation: Situation, unit: Unit, ask: Ask | None) -> Iterator[str]:
    """3.2.3, 3.2.4 The odds of the shots that a unit could take now."""
    kind = ask.kind if ask is not None and ask.seat == unit.seat else ""
    yield from fire_odds(situation, unit, kind)
    yield from gun_odds(situation, unit, kind)
    yield from shot_odds(situation, unit)


def explain_sight(situation: Situation, seeing: str, seen: str) -> tuple[Finding, ...]:
    """3.2.1 Explain the line of sight between two pieces or hexes; not available before a shot with `los =
    printed`.
    """
    start, end = (_hex_of(situation, name) for name in (seeing, seen))
    if situation.data.options.los != "open" or not start or not end or start == end:
        return ()
    return (finding(situation.sight(start, end)),)


def _hex_of(situation: Situation, name: str) -> str:
    """The hex of a piece in the view, or the hex with that name; empty if there is neither."""
    piece = situation.state.units.get(name.lower()) or situation.state.vehicles.get(name.lower())
    if piece is not None:
        return piece.at
    return situation.data.ground.find(name) or ""


def sight(situation: Situation, start: str, end: str = "") -> Sight | None:
    """3.2.1 The hexes in sight of a hex; not available before a shot with `los = printed`."""
    data = situation.data
    start, end = data.ground.find(start) or "", data.ground.find(end) or ""
    if data.options.los != "open" or not start:
        return None
    seen = tuple(hex for hex in data.ground.hexes if hex != start and situation.sees(start, hex))
    if end not in data.ground:
        return Sight(start, seen)
    found = situation.sight(start, end)
    return Sight(start, seen, end, found.clear, (words(found),))

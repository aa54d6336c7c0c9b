"""Linked scenarios: squads and leaders from rosters fill the groups that have a slot, and their fates are recorded.

    C1  BATTLES    the three scenarios along the river, whose groups name the slots
    C2  muster     squads and leaders from a roster replace those in the slot; everything else stays
    C3  fates      one fate for every squad and leader that was sent
    C4  deeds      eliminations are not credited: a fire group has no single firer
    C5  perimeter  the hexes that each side holds at the end
    C6  on_ground  a second battle at the same place begins from these perimeters

Squads and leaders are numbered in the order of the group, so that the counters can be told apart; the blob `roster`
maps each counter to its unit in the roster.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

import msgspec

from pbem.engine.text.toml_text import parse_toml, to_toml
from pbem.titles.aslsk.cards.scenario_files import read_scenario, scenario_files
from pbem.titles.aslsk.ground.terrain import Ground
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import AslskState

BATTLES: Final = ("river-1-fields", "river-2-village", "river-3-bridge")
ROSTER: Final = "roster"
SMALLEST: Final = 12
"""C6 A perimeter with fewer set-up hexes is too small for a company: both sides then begin as printed."""
VETERAN: Final = "veteran"
"""C2 The grade at which a squad is replaced by the next better counter."""
PLACE: Final = re.compile(r"(?P<card>[a-z0-9-]+)(?: x(?P<count>\d+))?(?: @(?P<hex>[A-Z]+\d+))?(?P<rest>/\d)?")


@cache
def unit_cards() -> Mapping[str, Any]:
    """1.2 The cards of all squads and leaders."""
    deck = read_scenario(scenario_files(BATTLES[0])).deck
    return {id: card for id, card in deck.units.items() if card.kind in ("squad", "leader")}


def names() -> dict[str, str]:
    """C2 The names of all units that a roster can hold."""
    return {id: card.name for id, card in unit_cards().items()}


def slots(blobs: Mapping[str, bytes]) -> dict[str, dict[str, Any]]:
    """C2 The group of each side that has a slot."""
    tables = parse_toml(blobs["scenario"].decode())
    return {group["side"]: group for group in tables["group"] if group.get("slot")}


def room(blobs: Mapping[str, bytes]) -> dict[str, int]:
    """C2 How many squads and leaders of each side fit into its slot, which is twice the printed number."""
    return {side: 2 * len(_own_places(group)) for side, group in slots(blobs).items()}


def _own_places(group: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The kind and the hex of every squad and leader in a group, one entry for each counter."""
    found = []
    for text in group["units"]:
        read = PLACE.fullmatch(text)
        card = unit_cards().get(read["card"]) if read else None
        if read is not None and card is not None:
            found += [(card.kind, read["hex"] or "")] * int(read["count"] or 1)
    return found


def muster(blobs: Mapping[str, bytes], rosters: Mapping[str, Sequence[Any]]) -> dict[str, bytes]:
    """C2 Put the units of each side into its slot, with a table that maps counters to units."""
    tables = parse_toml(blobs["scenario"].decode())
    known: dict[str, str] = {}
    for group in tables["group"]:
        if group.get("slot"):
            known |= _fill(group, list(rosters.get(group["side"], ())))
    content = msgspec.json.encode(known, order="deterministic")
    return {**blobs, "scenario": to_toml(tables), ROSTER: content}


def _fill(group: dict[str, Any], units: list[Any]) -> dict[str, str]:
    """Put the units into the group; support weapons whose place is left empty go to the first unit."""
    places = {kind: [hex for own, hex in _own_places(group) if own == kind] for kind in ("squad", "leader")}
    taken: dict[str, int] = {"squad": 0, "leader": 0}
    rows, hexes = [], list[str]()
    for unit in units:
        card = card_of(unit)
        kind = "leader" if unit_cards()[unit["card"]].kind == "leader" else "squad"
        hex = places[kind][taken[kind] % len(places[kind])]
        taken[kind] += 1
        hexes.append(hex)
        rows.append(f"{card} @{hex}" if hex else card)
    others = [text for text in group["units"] if PLACE.fullmatch(text)["card"] not in unit_cards()]  # type: ignore[index]
    manned = {*hexes, *(PLACE.fullmatch(text)["hex"] for text in others)}  # type: ignore[index]
    group["units"] = [*rows, *others]
    group["weapons"] = [_into_manned_hex(text, manned, hexes) for text in group.get("weapons", [])]
    return {f"{group['id']}{number}": unit["id"] for number, unit in enumerate(units, 1)}


def _into_manned_hex(text: str, manned: set[str | None], hexes: list[str]) -> str:
    read = PLACE.fullmatch(text)
    if read is None or not read["hex"] or read["hex"] in manned or not hexes:
        return text
    return f"{read['card']} @{hexes[0]}"


def card_of(unit: Mapping[str, Any]) -> str:
    """C2 The card of a unit: a damaged squad is a half-squad; a veteran squad is the next better counter, if there
    is one.
    """
    card = unit_cards()[unit["card"]]
    if unit.get("damaged") and card.kind == "squad" and card.half:
        return str(card.half)
    if unit.get("grade") == VETERAN and card.kind == "squad":
        better = [id for id, other in unit_cards().items() if other.lower == card.id and other.kind == "squad"]
        return better[0] if better else str(card.id)
    return str(card.id)


def fates(state: AslskState, roster: Mapping[str, str], sides: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """C3 The fate of each unit; `sides` gives the side of each counter."""
    winner = state.outcome.winner if state.outcome else None
    found: dict[str, dict[str, Any]] = {side: {} for side in dict.fromkeys(sides.values())}
    exits = {side: sum(entry.endswith(f"@{side}") for entry in state.exited) for side in found}
    for counter, id in roster.items():
        side, unit = sides[counter], state.units.get(counter)
        if unit is None:
            gone = exits[side] > 0
            exits[side] -= gone
            found[side][id] = {"fate": "withdrawn"} if gone else {"fate": "lost"}
            continue
        hurt = unit.wounded or unit.card not in unit_cards()
        if not unit.at:
            found[side][id] = {"fate": "withdrawn"}
        elif unit.broken and winner not in (None, side):
            found[side][id] = {"fate": "missing"}
        else:
            found[side][id] = {"fate": "damaged", "damage": 1} if hurt else {"fate": "fit"}
    return found


def perimeter(situation: Situation) -> dict[str, list[str]]:
    """C5 The hexes of each side: those nearest to its Good Order squads, half-squads and crews; a hex equally near to
    both belongs to neither.

    Hidden units do not count, because a perimeter is public and must not give them away.
    """
    ground, holders = situation.ground, dict[str, set[str]]()
    for unit in situation.state.units.values():
        if unit.at and not unit.hidden and situation.is_mmc(unit) and situation.good_order(unit):
            holders.setdefault(unit.seat, set()).add(unit.at)
    if len(holders) < len(situation.data.seats):
        return {}
    found: dict[str, list[str]] = {seat: [] for seat in situation.data.seats}
    for hex in sorted(ground.hexes):
        reach = {seat: min(ground.distance(hex, at) for at in holders[seat]) for seat in found}
        best = min(reach.values())
        nearest = [seat for seat, distance in reach.items() if distance == best]
        if len(nearest) == 1:
            found[nearest[0]].append(hex)
    return found


def setup_areas(ground: Ground, held: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """C6 The areas where the sides set up: their perimeters, without the hexes next to an enemy hex. Empty if a
    perimeter is too small.
    """
    found = {}
    for side, hexes in held.items():
        enemy = {hex for other, theirs in held.items() if other != side for hex in theirs}
        found[side] = [hex for hex in hexes if not any(near in enemy for near in ground.neighbours(hex))]
    return found if found and min(map(len, found.values())) >= SMALLEST else {}


def on_ground(blobs: Mapping[str, bytes], held: Mapping[str, Sequence[str]]) -> dict[str, bytes]:
    """C6 The scenario: groups that set up or have a slot start in their perimeter, and others enter as printed."""
    areas = setup_areas(read_scenario(blobs).ground, held)
    tables = parse_toml(blobs["scenario"].decode())
    for group in tables["group"] if areas else ():
        if group.get("slot") or "area" in group:
            area = areas[group["side"]]
            group["area"] = area
            for printed in ("turn", "entry"):
                group.pop(printed, None)
            for kind in ("units", "weapons", "guns", "vehicles"):
                group[kind] = [_within(text, area) for text in group.get(kind, [])]
    return {**blobs, "scenario": to_toml(tables)}


def _within(text: str, area: Sequence[str]) -> str:
    """A counter in text form, without its proposed hex if that hex is no longer in the area."""
    read = PLACE.fullmatch(text)
    if read is None or not read["hex"] or read["hex"] in area:
        return text
    return f"{read['card']} x{read['count']}" if read["count"] else str(read["card"])

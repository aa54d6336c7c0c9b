"""The orders that a player can give by picking a unit and a hex.

1.3        setup_choices
3.2        fire_choices: a unit with its machine guns, and each of its other weapons
3.3        move_choices: the whole path to every hex within reach
3.3.3      watch_choices: lines of the DEFENDER's fire plan
3.4        final_choices: Final Fire, ordered in advance
3.7        advance_choices
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec.structs import replace

from pbem.engine.geometry.paths import cheapest, route
from pbem.engine.rules.ask import Ask
from pbem.engine.text.messages import Message, say
from pbem.engine.text.sheets import Choice
from pbem.titles.aslsk.fire.components import Component, components
from pbem.titles.aslsk.fire.firepower import range_of
from pbem.titles.aslsk.movement.allowance import MF, ROAD_BONUS, allowance_of
from pbem.titles.aslsk.orders import AdvanceOrder, Leg, MoveOrder
from pbem.titles.aslsk.ordnance.to_hit import ORDNANCE, SHAPED, SMALL
from pbem.titles.aslsk.player.checks import advance_order_objections, move_objections, too_far
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Piece, Unit, Vehicle, Weapon, pieces

VERBS: Mapping[str, tuple[str, ...]] = {
    "setup": ("at",),
    "orders": ("fire", "move"),
    "defence": ("watch", "final"),
    "final_fire": ("fire",),
    "advancing_fire": ("fire",),
    "close": ("advance",),
    "rally_prep": ("fire",),
}
"""The orders given by picking a unit and a hex, by the kind of ask."""
AGAINST_VEHICLES = (*SHAPED, "gun", "ma", "atr", "ft")
"""The kinds of weapon for which a shot at a vehicle is offered."""
FARTHEST_DRIVE = 4
"""The number of hexes in the longest path that is offered for a vehicle; its turns cost MP as well."""
WATCHED_RANGES = (2, 4, 8)
"""The distances that a fire plan offers: fire only at a mover that has come as near as this."""
GOOD_ODDS = "watch if clear chance 25"
"""The line of a fire plan that is offered for a unit or for all of them: fire if it will probably hurt the mover."""
OFF = ""
"""The start of a path that enters the map."""


def choices(situation: Situation, piece: Piece, ask: Ask) -> Iterator[Choice]:
    """The orders for one unit or vehicle, with the hexes that can be selected for them."""
    makers: dict[str, Callable[[Situation, Piece], Iterator[Choice]]] = {
        "at": setup_choices,
        "fire": fire_choices,
        "move": move_choices,
        "watch": watch_choices,
        "final": final_choices,
        "advance": advance_choices,
    }
    for verb in VERBS.get(ask.kind, ()):
        yield from makers[verb](situation, piece)


def pointable_hexes(hexes: Iterable[str]) -> dict[str, tuple[int, ...]]:
    """Hexes that can be selected on the map, without facings, since Infantry has none."""
    return dict.fromkeys(hexes, ())


def setup_choices(situation: Situation, piece: Piece) -> Iterator[Choice]:
    """1.3 The hexes where a unit may set up; none if it enters later."""
    if area := situation.data.area(piece):
        yield Choice(say("set up"), "at {hex}", hexes=pointable_hexes(area))


# --- 3.2 fire ----------------------------------------------------------------------------------------------------


def fire_choices(situation: Situation, piece: Piece) -> Iterator[Choice]:
    """3.2, 3.2.4 The fire orders: the unit with its machine guns, and each of its weapons that rolls To Hit."""
    if not piece.at or (isinstance(piece, Unit) and piece.broken):
        return
    working = [weapon for weapon in situation.weapons(piece) if not weapon.malfunctioned]
    if isinstance(piece, Unit) and situation.is_mmc(piece):
        yield from shot(situation, piece, [piece.id], say("fire"))
        guns = [weapon for weapon in working if kind_of(situation, weapon) in SMALL]
        for weapon in guns:
            name = say("fire with {weapon}", weapon=situation.weapon_card(weapon).name)
            yield from shot(situation, piece, [piece.id, weapon.id], name)
    for weapon in working:
        kind = kind_of(situation, weapon)
        if kind in (*ORDNANCE, "ft") or (isinstance(piece, Vehicle) and kind in SMALL):
            yield from shot(situation, piece, [weapon.id], situation.weapon_card(weapon).name)
        if kind in AGAINST_VEHICLES:
            yield from shot_at_vehicle(situation, piece, weapon)


def kind_of(situation: Situation, weapon: Weapon) -> str:
    return situation.weapon_card(weapon).kind


def shot(situation: Situation, piece: Piece, firing: list[str], name: str | Message) -> Iterator[Choice]:
    """3.2.2 An order to fire with these components at any enemy-held hex within range of all of them."""
    able = components(situation, firing)
    shells = any(one.weapon is not None and kind_of(situation, one.weapon) == "mortar" for one in able)
    hexes = [
        hex
        for hex in enemy_hexes(situation, piece.seat, buttoned=shells)
        if not any(too_far(situation, one, hex) for one in able)
    ]
    if situation.data.options.los == "open":
        hexes = [hex for hex in hexes if situation.sees(piece.at, hex)]
    if hexes and len(able) == len(firing):
        line = " ".join([*firing[1:], "fire {hex}"])
        yield Choice(name, line, hexes=pointable_hexes(hexes), who="" if firing[0] == piece.id else firing[0])


def shot_at_vehicle(situation: Situation, piece: Piece, weapon: Weapon) -> Iterator[Choice]:
    """3.2.4/vtt An order to fire at an enemy vehicle, which the line names, within range of the weapon."""
    (one,) = components(situation, [weapon.id])
    prey = {vehicle.at: vehicle.id for vehicle in situation.state.vehicles.values() if vehicle.seat != piece.seat}
    found = {
        hex: f"against {id}"
        for hex, id in sorted(prey.items())
        if hex and situation.ground.distance(piece.at, hex) <= reach_of(situation, one)
    }
    if situation.data.options.los == "open":
        found = {hex: words for hex, words in found.items() if situation.sees(piece.at, hex)}
    if found:
        name = say("{weapon} at a vehicle", weapon=situation.weapon_card(weapon).name)
        yield Choice(name, "fire {hex}", hexes=pointable_hexes(found), who=weapon.id, ways=found)


def reach_of(situation: Situation, one: Component) -> int:
    """4.2 The maximum range of a weapon against a vehicle: flame also reaches its long range."""
    return range_of(situation, one) * (2 if one.weapon is not None and kind_of(situation, one.weapon) == "ft" else 1)


def enemy_hexes(situation: Situation, seat: str, *, buttoned: bool = True) -> list[str]:
    """3.2 The hexes with enemies that the player can see; vehicles with BU crews count only if `buttoned`."""
    enemies = [enemy for enemy in pieces(situation.state) if enemy.seat != seat and enemy.at]
    return sorted({enemy.at for enemy in enemies if buttoned or isinstance(enemy, Unit) or enemy.ce})


# --- 3.3.3 the fire plan -----------------------------------------------------------------------------------------


def watch_choices(situation: Situation, piece: Piece) -> Iterator[Choice]:
    """3.3.3 The lines for Defensive First Fire: at a hex, within a distance, or at good odds. A fire plan replaces
    the stock standing orders, so a line for all units is offered as well.
    """
    able = components(situation, firing_parts(situation, piece))
    hexes = [hex for hex in situation.ground.hexes if not all(too_far(situation, one, hex) for one in able)]
    if situation.data.options.los == "open":
        hexes = [hex for hex in hexes if situation.sees(piece.at, hex)]
    if not able:
        return
    yield Choice(say("fire at movers in a hex"), "watch {hex}", hexes=pointable_hexes(hexes))
    for distance in WATCHED_RANGES:
        yield Choice(say("fire at movers within {distance} hexes", distance=distance), f"watch within {distance}")
    yield Choice(say("fire at good odds"), GOOD_ODDS)
    yield Choice(say("all units fire at good odds"), GOOD_ODDS, who="all")


def final_choices(situation: Situation, piece: Piece) -> Iterator[Choice]:
    """3.4 Final Fire orders, given before the enemy moves."""
    for choice in fire_choices(situation, piece):
        yield replace(choice, name=say("Final Fire: {order}", order=choice.name))


def firing_parts(situation: Situation, piece: Piece) -> Iterator[str]:
    """3.2.2 The working weapons of a unit or vehicle, and the unit itself if it is an MMC; none while it is
    broken.
    """
    if not piece.at or (isinstance(piece, Unit) and piece.broken):
        return
    if isinstance(piece, Unit) and situation.is_mmc(piece):
        yield piece.id
    yield from (weapon.id for weapon in situation.weapons(piece) if not weapon.malfunctioned)


# --- 3.3, 3.7 movement -------------------------------------------------------------------------------------------


def move_choices(situation: Situation, piece: Piece) -> Iterator[Choice]:
    """3.3 The hexes within reach, each with the cheapest path to it."""
    if isinstance(piece, Unit) and piece.broken:
        return
    found = {hex: way for hex, way in ways(situation, piece).items() if may_go(situation, piece, way)}
    if found:
        words = {hex: " ".join(way) for hex, way in found.items()}
        yield Choice(say("move"), "move {hex}", hexes=pointable_hexes(found), ways=words)


def ways(situation: Situation, piece: Piece) -> dict[str, tuple[str, ...]]:
    """3.3.1 The cheapest path to each hex within reach; reach is counted in MF on foot and in hexes for a vehicle."""
    ground, on_foot = situation.ground, isinstance(piece, Unit)

    def cost(start: str, end: str) -> int:
        if not on_foot:
            return 1
        road = ground.road_between(start, end) if start else bool(ground[end].road)
        return MF if road and not start else ground.infantry_cost(start or end, end, road)

    def edges(start: str) -> Iterator[tuple[str, int]]:
        for end in ground.neighbours(start) if start else situation.data.entry_hexes(piece):
            if not situation.enemies_at(end, piece.seat) and not situation.enemy_vehicles(end, piece.seat):
                yield end, cost(start, end)

    limit = allowance_of(situation, piece, [piece]) + ROAD_BONUS if isinstance(piece, Unit) else FARTHEST_DRIVE
    paths = cheapest(piece.at or OFF, None, edges, limit)
    found = {hex: route(paths, hex) for hex in paths.cost if hex != paths.start}
    return {hex: way[1:] for hex, way in found.items() if way is not None}


def may_go(situation: Situation, piece: Piece, way: Iterable[str]) -> bool:
    """3.3.1 Whether a unit may be ordered to move along a path."""
    order = MoveOrder((piece.id,), tuple(Leg("enter", hex) for hex in way))
    return not any(move_objections(situation, piece.seat, order, set()))


def advance_choices(situation: Situation, piece: Piece) -> Iterator[Choice]:
    """3.7 The neighbouring hexes into which Infantry may advance; if it is off the map, these are the hexes where it
    may enter.
    """
    if not isinstance(piece, Unit) or piece.broken:
        return
    able = [
        hex
        for hex in (situation.ground.neighbours(piece.at) if piece.at else situation.data.entry_hexes(piece))
        if not any(advance_order_objections(situation, piece.seat, AdvanceOrder((piece.id,), hex), now=True))
    ]
    if able:
        yield Choice(say("advance"), "advance {hex}", hexes=pointable_hexes(able))

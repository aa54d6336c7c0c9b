"""3.2.4/covered-arc The covered arc of a Gun or vehicular weapon: which facings cover a hex, and the cost of turning.

3.2.4/covered-arc      mount_of, facing_of, best_facing, spines_to, turn_to
3.2.4/known-th-drm     turn_modifier (No. 8)
3.2.4/rof-reduction    turning lowers the rate of fire of a weapon without a rotating mount
"""

from __future__ import annotations

from pbem.titles.aslsk.fire.drm import Modifier
from pbem.titles.aslsk.ground.lattice import front_sides, spines_turned
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Piece, Unit, Vehicle, Weapon

NO_ARC = -1
TURRET = ("ma", "cmg", "rmg")


def kind_of_weapon(weapon: Weapon) -> str:
    """7.2 The kind of a vehicle weapon: ma, bmg, cmg, aamg or rmg."""
    return weapon.card.partition(":")[2]


def mount_of(situation: Situation, weapon: Weapon) -> str:
    """3.2.4/covered-arc The mount of a weapon: NT, ST, T or 360. Bow weapons are NT; restricted and one-man
    turrets are ST.
    """
    gun = situation.gun_card(weapon)
    if gun is not None:
        return "360" if gun.turning else "NT"
    vehicle = situation.vehicle_of(weapon)
    if vehicle is None or not is_in_turret(situation, weapon):
        return "NT"
    return "T" if situation.vehicle_card(vehicle).turret == "T" else "ST"


def is_in_turret(situation: Situation, weapon: Weapon) -> bool:
    """7.2 Whether a vehicle weapon fires through the TCA."""
    vehicle = situation.vehicle_of(weapon)
    return vehicle is not None and kind_of_weapon(weapon) in TURRET and situation.vehicle_card(vehicle).turret != "NT"


def facing_of(situation: Situation, weapon: Weapon) -> int:
    """3.2.4/covered-arc The hexspine that a weapon faces; -1 if it has no arc."""
    vehicle = situation.vehicle_of(weapon)
    if vehicle is None:
        return weapon.facing
    kind = kind_of_weapon(weapon)
    if kind == "aamg":
        return NO_ARC
    if not is_in_turret(situation, weapon):
        return vehicle.vca
    return (vehicle.tca + 3) % 6 if kind == "rmg" else vehicle.tca


def entry_facings(situation: Situation, at: str) -> tuple[int, ...]:
    """3.2.4/covered-arc The facings that cover the hexside through which the mover has entered the weapon's hex."""
    mover = situation.state.mover
    vehicle = situation.state.vehicles.get(mover.stack[0]) if mover is not None and mover.stack else None
    going = vehicle.going if vehicle is not None else None
    if vehicle is None or going is None or not going.came_from or vehicle.at != at:
        return ()
    side = situation.ground.side(at, going.came_from)
    return tuple(spine for spine in range(6) if side in front_sides(spine))


def fitting_facings(situation: Situation, weapon: Weapon, at: str, target: str) -> tuple[int, ...]:
    """3.2.4/covered-arc Every facing from which a weapon can fire at a hex; there is a special rule for the weapon's
    own hex.
    """
    if at != target:
        return situation.ground.arcs_to(at, target)
    facing = facing_of(situation, weapon)
    turning = mount_of(situation, weapon) in ("T", "ST", "360") and kind_of_weapon(weapon) != "rmg"
    vehicle = situation.vehicle_of(weapon)
    if turning or facing == NO_ARC or (vehicle is not None and drives_now(situation, vehicle)):
        return (facing,)
    return entry_facings(situation, at)


def drives_now(situation: Situation, vehicle: Vehicle) -> bool:
    """3.2.4/covered-arc Whether a vehicle is Non-Stopped in its MPh, so that its own hex counts as within its VCA."""
    mover = situation.state.mover
    return mover is not None and vehicle.id in mover.stack and not vehicle.stopped


def best_facing(situation: Situation, weapon: Weapon, at: str, target: str) -> int:
    """3.2.4/covered-arc The facing that covers a hex with the smallest turn; in a tie, the clockwise one."""
    facing = facing_of(situation, weapon)
    if facing < 0:
        return facing
    fitting = fitting_facings(situation, weapon, at, target)
    if facing in fitting or not fitting:
        return facing
    return min(fitting, key=lambda spine: (spines_turned(facing, spine), (facing - spine) % 6))


def covers(situation: Situation, weapon: Weapon, at: str, target: str) -> bool:
    """3.2.4/covered-arc Whether a hex lies in the weapon's present arc."""
    facing = facing_of(situation, weapon)
    return facing < 0 or facing in fitting_facings(situation, weapon, at, target)


def spines_to(situation: Situation, weapon: Weapon, at: str, target: str) -> int:
    """3.2.4/covered-arc How many hexspines a weapon must turn to fire at a hex."""
    facing = facing_of(situation, weapon)
    return spines_turned(facing, best_facing(situation, weapon, at, target)) if facing >= 0 else 0


def turn_to(situation: Situation, weapon: Weapon, facing: int) -> None:
    """3.2.4/covered-arc Turn a weapon to face a hexspine; a bow weapon turns its vehicle, and the turret with it
    (7.8).
    """
    vehicle = situation.vehicle_of(weapon)
    if vehicle is None:
        weapon.facing = facing
    elif is_in_turret(situation, weapon):
        vehicle.tca = (facing + 3) % 6 if kind_of_weapon(weapon) == "rmg" else facing
    else:
        turn_vehicle(vehicle, facing)


def turn_to_fire(situation: Situation, weapon: Weapon, at: str, target: str) -> int:
    """3.2.4/covered-arc Turn as far as a shot needs; the turn also counts for other weapons in the turret or bow
    (7.8).
    """
    facing, spines = best_facing(situation, weapon, at, target), spines_to(situation, weapon, at, target)
    vehicle = situation.vehicle_of(weapon)
    turn_to(situation, weapon, facing)
    weapon.turned = True
    if vehicle is not None and is_in_turret(situation, weapon):
        vehicle.turret_turned = spines
    elif vehicle is not None:
        vehicle.hull_turned = spines
    return facing


def turn_inputs(situation: Situation, weapon: Weapon) -> dict[str, object]:
    """3.2.4/covered-arc The inputs of a finding about a turn: the weapon, its mount, and whether the whole vehicle
    turned.
    """
    found: dict[str, object] = {"weapon": weapon.id, "mount": mount_of(situation, weapon)}
    if situation.vehicle_of(weapon) is not None and not is_in_turret(situation, weapon):
        found["hull"] = True
    return found


def turn_vehicle(vehicle: Vehicle, facing: int) -> None:
    """7.8 Change a vehicle's VCA, and turn its TCA by the same number of hexspines."""
    vehicle.tca = (vehicle.tca + facing - vehicle.vca) % 6
    vehicle.vca = facing


def turn_modifier(situation: Situation, weapon: Weapon, at: str, target: str) -> Modifier | None:
    """3.2.4/known-th-drm The DRM for turning (No. 8), for the first hexspine and each further one, by mount; there is
    none in bounding fire.
    """
    spines = spines_to(situation, weapon, at, target) or shared_turn(situation, weapon)
    if not spines:
        return None
    row = situation.data.charts.modifier(f"arc {mount_of(situation, weapon)}")
    return Modifier("3.2.4/covered-arc", "changes CA", row.first + row.further * (spines - 1), True)


def shared_turn(situation: Situation, weapon: Weapon) -> int:
    """7.8 How far another weapon has turned this weapon's turret or bow this phase, which counts for its first
    shot too.
    """
    vehicle = situation.vehicle_of(weapon)
    if vehicle is None or weapon.turned or weapon.id in vehicle.used or facing_of(situation, weapon) == NO_ARC:
        return 0
    return vehicle.turret_turned if is_in_turret(situation, weapon) else vehicle.hull_turned


def rate_of(situation: Situation, weapon: Weapon, user: Piece, *, turns: bool, direct: bool = False) -> int:
    """3.2.4/rof-reduction The rate of fire of a weapon, reduced if it is captured, has a non-qualified user, fires
    by IFE or turns.
    """
    gun = situation.gun_card(weapon)
    rate = situation.weapon_card(weapon).rof - (1 if situation.is_captured(weapon) else 0) - (1 if direct else 0)
    if gun is None and situation.vehicle_of(weapon) is None:
        return rate
    rate -= 0 if is_qualified(situation, user) else 1
    fixed = mount_of(situation, weapon) == "NT" and not (gun is not None and gun.mortar)
    return rate - (1 if (turns or weapon.turned) and fixed else 0)


def is_qualified(situation: Situation, user: Piece) -> bool:
    """3.2.4/non-qualified Whether the user of a weapon is qualified: a Gun needs a crew."""
    return not isinstance(user, Unit) or situation.card(user).kind == "crew"

"""Invariants of the advanced game: states that are impossible whatever the players do and the dice show."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pbem.engine.geometry.hexes import hex_name, parse_hex
from pbem.titles.panzer.cards.units import is_recon
from pbem.titles.panzer.command.command_control import UNIQUE
from pbem.titles.panzer.command.platoons import PLATOONS
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.end_of_turn.victory import score
from pbem.titles.panzer.fire.turrets import has_turret
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import MOVING, Command, Damage, HullDown, Inside, PanzerState, Spot, Status, Unit

OUT_OF_PLAY: Final = (Status.ELIMINATED, Status.EXITED)
FIGHTING: Final = ("combat", "movement", "air")
"""5.15 The phases in which passengers may still be aboard a vehicle that has just been lost."""


def flaws(situation: Situation) -> Iterator[str]:
    """Every invariant that a state violates."""
    data, state = situation.data, situation.state
    if missing := sorted({unit.id for unit in data.scenario.units} - set(state.vehicles)):
        yield f"2.0 {', '.join(missing)} of the scenario are not in the match"
        return
    for unit in state.vehicles.values():
        yield from unit_flaws(situation, unit)
        yield from cover_flaws(data, unit)
        yield from passenger_flaws(situation, unit)
        yield from command_flaws(state, unit)
        yield from marker_flaws(data, unit)
    yield from counter_flaws(situation)
    yield from hidden_flaws(situation)
    yield from stacking_flaws(state)
    yield from matrix_flaws(state)
    yield from position_flaws(state)
    yield from feature_flaws(situation)
    yield from wreck_flaws(situation)
    yield from mission_flaws(situation)
    yield from battery_flaws(situation)
    yield from aircraft_flaws(situation)
    yield from turn_flaws(situation)


def invariants() -> list[str]:
    """The invariants that are checked, each with its rules."""
    looked = (
        unit_flaws,
        cover_flaws,
        passenger_flaws,
        command_flaws,
        marker_flaws,
        counter_flaws,
        hidden_flaws,
        stacking_flaws,
        matrix_flaws,
        position_flaws,
        feature_flaws,
        wreck_flaws,
        mission_flaws,
        battery_flaws,
        aircraft_flaws,
        turn_flaws,
    )
    return [(look.__doc__ or "").strip() for look in looked]


def unit_flaws(situation: Situation, unit: Unit) -> Iterator[str]:
    """3.3, 5.1, 5.2 The place, facing, card and markers of one unit."""
    data = situation.data
    if unit.alive and (unit.hex is None or not data.board.is_on_map(unit.hex)):
        yield f"{unit.id} is on the map, but not in one of its hexes"
    if unit.status in (Status.RESERVE, Status.EXITED) and unit.hex is not None:
        yield f"{unit.id} is {unit.status.value}, but in {hex_name(unit.hex)}"
    if not 1 <= unit.facing <= 6:
        yield f"3.3 {unit.id} faces {unit.facing}"
    cards = {"vehicle": list(data.book.vehicles), "towed": list(data.book.towed), "leg": list(data.book.legs)}
    if unit.card not in cards[unit.kind]:
        yield f"1.6 {unit.id} is a {unit.kind} unit, but has the card {unit.card}"
    if unit.status is Status.ON_MAP and unit.entry_turn > situation.state.turn:
        yield f"2.0 {unit.id} is on the map before its turn of entry"
    if unit.status is Status.EXITED and not unit.exit_edge:
        yield f"4.5.1.1.9 {unit.id} has left the map, but not by an edge"
    if unit.suppressed and unit.status in OUT_OF_PLAY:
        yield f"5.10 {unit.id} is out of play, but suppressed"
    if unit.kind != "vehicle" and (unit.damage is not Damage.NONE or unit.track_hit or unit.bailed_out):
        yield f"6.5.2.2 {unit.id} is not a vehicle, but is damaged, has a track hit or is abandoned"
    if unit.weapons and unit.kind != "leg":
        yield f"5.1.3 {unit.id} has attached weapons, but is not a leg unit"


def cover_flaws(data: PanzerData, unit: Unit) -> Iterator[str]:
    """6.1.4 Only units that can have full cover, hull down or a place in a building have them."""
    if not unit.alive:
        return
    if unit.full_cover and (unit.kind == "vehicle" or unit.aboard):
        yield f"6.1.4.2 {unit.id} is in full cover, but is a vehicle or a passenger"
    if unit.hull_down is not HullDown.NONE and unit.kind != "vehicle":
        yield f"6.1.4.1 {unit.id} is hull down, but is not a vehicle"
    if unit.inside is Inside.UP and unit.kind != "leg":
        yield f"6.1.4.3.1 {unit.id} is on an upper floor, but is not a leg unit"


def passenger_flaws(situation: Situation, unit: Unit) -> Iterator[str]:
    """6.6.7 A passenger is in its carrier's hex, has no command, and fits into the carrier."""
    if not unit.aboard or unit.status in OUT_OF_PLAY:
        return
    carrier = situation.state.vehicles.get(unit.aboard)
    if carrier is None or carrier.kind != "vehicle" or unit.kind == "vehicle":
        yield f"6.6.7 {unit.id} is aboard {unit.aboard}, which cannot carry it"
        return
    leaving = situation.state.phase in FIGHTING and (
        carrier.status is Status.ELIMINATED or carrier.bailed_out
    )  # 5.15
    if carrier.hex != unit.hex or (carrier.status is not unit.status and not leaving):
        yield f"6.6.7 {unit.id} is not with its carrier {carrier.id}"
    if carrier.aboard:
        yield f"6.6.7 {carrier.id} carries {unit.id} and is carried itself"
    if unit.command is not None:
        yield f"6.6.7 {unit.id} is a passenger, but has a command"
    if unit.position:
        yield f"6.6.7 {unit.id} is a passenger, but holds a position"
    if carrier.bailed_out and not leaving:
        yield f"5.15 {unit.id} is aboard {carrier.id}, which is abandoned"


def command_flaws(state: PanzerState, unit: Unit) -> Iterator[str]:
    """4.2.1, 6.2.1.1.3 Counters, how they are shared, and the actions under them."""
    if unit.status in OUT_OF_PLAY and unit.command is not None:
        yield f"4.4.3.2.6 {unit.id} is out of play, but has a command"
    if unit.fired and unit.alive and unit.command is not None and not (unit.revealed and unit.command in FIRES):
        yield f"4.4.1 {unit.id} has fired without a revealed command to fire"
    if unit.moved and unit.alive and not unit.aboard and unit.revealed and unit.command not in MOVING:
        yield f"4.5.1 {unit.id} has moved without a command to move"
    if unit.shown and unit.command not in MOVING:
        yield f"4.4.3.2.2 {unit.id} has shown a command that gives no modifier"
    if not unit.shares:
        return
    holder = state.vehicles.get(unit.shares)
    if holder is None or holder.side != unit.side or holder.id == unit.id:
        yield f"6.2.1.1.3 {unit.id} shares the counter of {unit.shares}"
    elif holder.shares:
        yield f"6.2.1.1.3 {unit.id} shares the counter of {holder.id}, which shares that of {holder.shares}"
    elif unit.alive and holder.alive and unit.command is not holder.command:
        yield f"6.2.1.1.3 {unit.id} and {holder.id} share a counter, but not its command"


def marker_flaws(data: PanzerData, unit: Unit) -> Iterator[str]:
    """7.1, 7.8, 7.29 Markers of optional rules: only on units that can have them, once each, with the rule in use."""
    if len(set(unit.flags)) < len(unit.flags):
        yield f"7.0 {unit.id} has a marker twice: {', '.join(unit.flags)}"
    shaken = [flag for flag in unit.flags if flag.partition("-")[0] in ("hesitating", "broken")]
    if len(shaken) > 1 or (shaken and not data.plays("morale")):
        yield f"7.1.4 {unit.id} is {' and '.join(shaken)}"
    if not 0 <= unit.turret <= 5 or (unit.turret and not has_turret(data, unit)):
        yield f"7.8 {unit.id} has turned a turret by {unit.turret}"
    if unit.kind != "vehicle" and "bogged" in unit.flags:
        yield f"7.29 {unit.id} is bogged, but is not a vehicle"
    if any(count < 0 for count in unit.loads.values()):
        yield f"5.16 {unit.id} has a negative count"


def counter_flaws(situation: Situation) -> Iterator[str]:
    """6.2.1.1.3 No formation has more unique counters on the map than commands; under 7.3, no side has."""
    data, state = situation.data, situation.state
    if not data.plays("command_control") or state.phase not in UNDER_COMMAND:
        return
    # 7.3 A company keeps the counter it shares with its battalion's headquarters when that is lost.
    whose = {id: row.side if data.plays(PLATOONS) else id for id, row in data.scenario.formations.items()}
    placed = dict.fromkeys(whose.values(), 0)
    commands = dict.fromkeys(whose.values(), 0)
    for formation, count in state.available.items():
        commands[whose[formation]] += count
    for unit in state.vehicles.values():
        if unit.command in UNIQUE and unit.alive and not unit.shares and not is_recon(unit):
            placed[whose[unit.formation]] += 1
    for name, count in placed.items():
        if count > commands[name]:
            yield f"6.2.1.1.3 {name} has {count} counters for {commands[name]} commands"


def hidden_flaws(situation: Situation) -> Iterator[str]:
    """7.2 The units under a counter are hidden, on its side and in its hex; a hidden unit is not spotted."""
    data, state = situation.data, situation.state
    under: dict[str, str] = {}
    for counter in state.hidden_counters.values():
        if not data.board.is_on_map(counter.hex) or counter.side not in state.sides:
            yield f"7.2.1 {counter.id} is off the map or without a side"
        for id in counter.units:
            unit = state.vehicles.get(id)
            if unit is None or not unit.hidden or unit.side != counter.side or unit.hex != counter.hex:
                yield f"7.2.1 {id} is under {counter.id}, but not hidden there"
            if id in under:
                yield f"7.2.1 {id} is under {under[id]} and {counter.id}"
            under[id] = counter.id
    for spotter, targets in state.spotted.items():
        for target in targets:
            if state.vehicles[target].hidden:
                yield f"7.2.3 {spotter} has spotted {target}, which is hidden"


def stacking_flaws(state: PanzerState) -> Iterator[str]:
    """4.5.1.1.10 Outside the Movement Phase no hex contains mobile vehicles of both sides."""
    if state.phase not in BETWEEN_MOVES:
        return
    holder: dict[str, Unit] = {}
    for unit in state.vehicles.values():
        if unit.alive and unit.hex is not None and goes_on(unit):
            other = holder.setdefault(hex_name(unit.hex), unit)
            if other.side != unit.side:
                yield f"4.5.1.1.10 {other.id} and {unit.id} share {hex_name(unit.hex)}"


def goes_on(unit: Unit) -> bool:
    """4.5.1.1.10 Whether this is a vehicle that can move on; passengers may get out in a hex it passes (5.15)."""
    return unit.kind == "vehicle" and not (unit.bailed_out or unit.track_hit or "bogged" in unit.flags)


def position_flaws(state: PanzerState) -> Iterator[str]:
    """6.1.4.3.6, 6.1.4.3.7 A position holds units in its hex, and no more than its capacity."""
    inside: dict[str, list[Unit]] = {}
    for unit in state.vehicles.values():
        if unit.position and unit.alive:
            inside.setdefault(unit.position, []).append(unit)
    for id, units in sorted(inside.items()):
        feature = state.features.get(id)
        names = ", ".join(unit.id for unit in units)
        if feature is None:
            yield f"6.1.4.3.7 {names} hold {id}, which is not there"
            continue
        if any(unit.hex != feature.hex for unit in units):
            yield f"6.1.4.3.7 {names} hold {id} from another hex"
        if len(units) > feature.capacity:
            yield f"6.1.4.3.7 {names} hold {id}, which has room for {feature.capacity}"


def feature_flaws(situation: Situation) -> Iterator[str]:
    """6.1.4.3 Features and clouds are on the map."""
    data, state = situation.data, situation.state
    for feature in state.features.values():
        if not data.board.is_on_map(feature.hex):
            yield f"6.1.4.3 {feature.id} is off the map in {hex_name(feature.hex)}"
        if set(feature.known) - set(state.sides):
            yield f"6.1.4.3.8 {feature.id} is known to an unknown side"
    for cloud in state.clouds.values():
        if not cloud.hexes or any(not data.board.is_on_map(hex) for hex in cloud.hexes):
            yield f"6.1.4.3.10 the {cloud.type} {cloud.id} is not in a hex on the map"


def wreck_flaws(situation: Situation) -> Iterator[str]:
    """4.1.4.1.8 A wreck is where a vehicle was eliminated."""
    data = situation.data
    lost = {
        hex_name(unit.hex)
        for unit in situation.state.vehicles.values()
        if unit.status is Status.ELIMINATED and unit.kind == "vehicle" and unit.hex is not None
    }
    for name in situation.state.wrecks:
        if name not in lost:
            yield f"4.1.4.1.8 {name} has a wreck, but no vehicle was lost there"
        if not data.board.is_on_map(parse_hex(name)):
            yield f"4.1.4.1.8 a wreck is off the map in {name}"


def mission_flaws(situation: Situation) -> Iterator[str]:
    """6.5.1 A mission has a point on the map, an observer unless it was planned, and firers of its own side."""
    data, state = situation.data, situation.state
    for mission in state.missions.values():
        if not data.board.is_on_map(mission.point):
            yield f"6.5.1.7 {mission.id} falls off the map"
        if not mission.planned and mission.observer not in state.vehicles:
            yield f"6.5.1.7 {mission.id} has no observer"
        for firer in mission.firers:
            unit, battery = state.vehicles.get(firer), state.batteries.get(firer)
            side = unit.side if unit else battery.side if battery else ""
            if side != mission.side:
                yield f"6.5.1.3 {firer} fires {mission.id} for the other side"
    for plan in state.planned.values():
        if plan.battery not in state.batteries or state.batteries[plan.battery].side != plan.side:
            yield f"6.5.1.11.1 {plan.id} is planned for a battery of another side"


def battery_flaws(situation: Situation) -> Iterator[str]:
    """6.5.1.3, 6.5.1.4, 7.28.2 A firer has one mission at a time, on the map, and is not knocked out."""
    data, state = situation.data, situation.state
    firing: dict[str, str] = {}
    for mission in state.missions.values():
        for firer in mission.firers:
            if mission.done_in == state.turn and firing.setdefault(firer, mission.id) != mission.id:
                yield f"6.5.1.3 {firer} fires {firing[firer]} and {mission.id}"
    for battery in state.batteries.values():
        if any(not data.board.is_on_map(parse_hex(name)) for name in battery.registered):
            yield f"6.5.1.4 {battery.id} is registered off the map"
        # A planned mission keeps its battery until it ends in the next turn.
        fired = firing.get(battery.id, "")
        if battery.knocked_out and fired and not state.missions[fired].planned and battery.landed_in == state.turn:
            yield f"7.28.2 {battery.id} is knocked out, but fires {fired}"


def aircraft_flaws(situation: Situation) -> Iterator[str]:
    """6.7 Only one side flies, and no aircraft flies after being shot down."""
    data = situation.data
    for aircraft in situation.state.aircraft.values():
        if aircraft.side != data.scenario.air_superiority:
            yield f"6.7 {aircraft.id} flies without air superiority"
        if aircraft.shot_down and aircraft.flight:
            yield f"6.7.4 {aircraft.id} was shot down and flies"


def turn_flaws(situation: Situation) -> Iterator[str]:
    """4.0, 3.6 The turn, players, counters, objectives and points."""
    data, state = situation.data, situation.state
    if not 1 <= state.turn <= data.scenario.turns:
        yield f"4.6.2 there is no turn {state.turn}"
    if state.first not in ("", *state.sides):
        yield f"4.3.1 {state.first} is not a side"
    for side in state.sides:
        most = sum(unit.vp for unit in data.scenario.units if unit.side != side)
        if score(situation, side).eliminated > most:
            yield f"R-04 {side} has more points than there are enemies"
    for id, objective in state.objectives.items():
        if objective.controller not in ("", *state.sides):
            yield f"3.6 {objective.controller} controls {id} but is not a side"
    if state.phase in UNDER_COMMAND:
        yield from units_without_counter(state)


def units_without_counter(state: PanzerState) -> Iterator[str]:
    """R-08 While orders are carried out, every unit on the ground that is not abandoned has a counter."""
    for unit in state.vehicles.values():
        if (
            unit.alive
            and not unit.aboard
            and not unit.bailed_out
            and unit.command is None
            and not just_dismounted(state, unit)
        ):
            yield f"R-08 {unit.id} has no counter"


def just_dismounted(state: PanzerState, unit: Unit) -> bool:
    """6.6.7.1.1 Whether a unit may be a passenger that dismounted this turn, and so has no counter."""
    return unit.kind != "vehicle" and (unit.pending is Spot.MOVE or unit.moved or unit.suppressed)


FIRES = (Command.FIRE, Command.SHORT_HALT, Command.OVERWATCH)


BETWEEN_MOVES = ("spotting", "command", "initiative", "combat", "adjustment")
"""4.5.1.1.10 The phases in which no vehicle is passing through a hex."""


UNDER_COMMAND = ("initiative", "combat", "movement")
"""4.2.1 The phases in which every vehicle has its counter."""


def matrix_flaws(state: PanzerState) -> Iterator[str]:
    """4.1 The spotting matrix lists only enemies of each unit."""
    for spotter, targets in state.spotted.items():
        for target in targets:
            if state.vehicles[target].side == state.vehicles[spotter].side:
                yield f"4.1 {spotter} has spotted its friend {target}"

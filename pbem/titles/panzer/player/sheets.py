"""1.6 A unit's sheet: the information a player needs to decide its orders in the advanced game.

    1.6          unit_sheet: the whole card, threats to the unit, and its possible orders
    2.0          places
    4.2.1, 6.2   command_choices: each command with targets and goals, or the objections to it; sharing
    6.5.1, 6.6   calls, boarding, overruns, assaults, hull-down positions
    6.8          adjustments
    3.5.2        range_bands

Everything comes from a view, and a sheet covers one unit only, so that it is quick even in the largest match.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from pbem.engine.geometry.hexes import Hex, distance, hex_name
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import Finding
from pbem.engine.text.sheets import Choice, Sheet, Sight
from pbem.titles.panzer.ap.ap_damage import basic_effect
from pbem.titles.panzer.ap.ap_fire import chance_to_damage
from pbem.titles.panzer.ap.ap_modifiers import an_ap_shot
from pbem.titles.panzer.ap.shot_basics import aspect_of, stronger_aspect
from pbem.titles.panzer.artillery.mission_answers import legal_calls
from pbem.titles.panzer.cards.basic_rows import RANGE_FACTORS
from pbem.titles.panzer.cards.board import on_map
from pbem.titles.panzer.cards.units import can_observe
from pbem.titles.panzer.cards.weapons import weapons_of
from pbem.titles.panzer.close_combat.close_combat import legal_attacks
from pbem.titles.panzer.command.command_control import UNIQUE, Group, commandable, gets_counter, group_objections
from pbem.titles.panzer.command.commands import command_objections
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.end_of_turn.adjustment import cover_objections, pivot_objections, turret_options
from pbem.titles.panzer.fire.aiming import Entry, Occasion, best_first, legal_shots
from pbem.titles.panzer.fire.declarations import occasion_of
from pbem.titles.panzer.fire.overwatch import watch_of
from pbem.titles.panzer.movement.movement_step import mode_objections, movable
from pbem.titles.panzer.movement.steps.acts import Dismount, Mount, Overrun, Push, Search, acts_of
from pbem.titles.panzer.movement.steps.unit_steps import MoveMode, mover_of, start
from pbem.titles.panzer.player.prospects import as_ordered, chance_of
from pbem.titles.panzer.player.shot_texts import PROMISES
from pbem.titles.panzer.routes.itineraries import places_from, walks, write_act
from pbem.titles.panzer.routes.move_options import move_choices, stay_choices
from pbem.titles.panzer.setup.deployment import hexes_of, placing_objections, to_place
from pbem.titles.panzer.setup.plotting import FACINGS
from pbem.titles.panzer.sighting.line_of_sight import OPEN
from pbem.titles.panzer.sighting.sight import Sight as Lines
from pbem.titles.panzer.sighting.sight import Station, line_of_sight, station_of
from pbem.titles.panzer.sighting.spotting import spots
from pbem.titles.panzer.sighting.terrain import place_of
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import WORD_OF, Command, Unit
from pbem.titles.panzer.telling.basic_sentences import tell_tree
from pbem.titles.panzer.telling.unit_words import card_lines, card_name, facts

MODES: Final[tuple[tuple[MoveMode, str], ...]] = (("cross", "move"), ("road", "road"), ("quick", "quick"))
"""6.6.4 The movement modes, with the word for each."""


def unit_sheet(situation: Situation, viewer: str, ask: Ask | None, id: str) -> Sheet | None:
    """1.6 A unit as the viewer may see it; None if no such unit is in play."""
    data, view = situation.data, situation.state
    unit = view.vehicles.get(id)
    if unit is None or (unit.hex is None and not gets_counter(view, unit) and not is_placed(data, ask, id)):
        return None
    asked = ask if ask is not None and ask.seat == unit.side else None
    return Sheet(
        unit=unit.id,
        name=f"{unit.name} · {card_name(data, unit)}",
        side=unit.side,
        at=hex_name(unit.hex) if unit.hex is not None else "",
        own=unit.side == viewer,
        facts=tuple(filter(None, (*facts(situation, unit, viewer), *card_lines(data, unit)))),
        choices=tuple(choices(situation, unit, asked)) if asked is not None else (),
        threats=threats(situation, unit),
        bands=range_bands(situation, unit),
        band_names=BAND_NAMES,
    )


def is_placed(data: PanzerData, ask: Ask | None, id: str) -> bool:
    """R-02 Whether the unit's owner is being asked to place it."""
    return ask is not None and ask.kind == "deploy" and any(row.id == id for row in to_place(data, ask.seat))


# --- 6.5 expected results --------------------------------------------------------------------------------------


def threats(situation: Situation, unit: Unit) -> dict[str, str]:
    """4.4.1 The enemies that spotted this unit and could fire at it with a Fire command."""
    view = situation.state
    if not unit.alive or unit.aboard:
        return {}
    enemies = [enemy for enemy in view.of(view.enemy(unit.side)) if unit.id in view.spotted.get(enemy.id, ())]
    ordered = as_ordered(view, view.enemy(unit.side), {enemy.id: Command.FIRE.value for enemy in enemies})
    occasion = Occasion(Situation(situation.data, ordered), view.enemy(unit.side))
    found = {}
    for enemy in enemies:
        shots = [shot for shot in legal_shots(occasion, ordered.vehicles[enemy.id]) if shot.target == unit.id]
        if shots:
            found[enemy.id] = expected_result(occasion, best_first(occasion, shots)[0])
    return found


def expected_result(occasion: Occasion, shot: Entry) -> str:
    """4.4.3.2, 6.5.4.4 The type of fire, the range, and the hit number or chance of an effect."""
    view = occasion.state
    firer, target = view.vehicles[shot.unit], view.vehicles[shot.target]
    away = distance(place_of(firer), place_of(target))
    chance = chance_of(occasion, shot)
    if not shot.how.startswith("ap"):
        return f"GP, range {away}, effect {chance}%"
    arm = weapons_of(occasion.data, firer)[shot.weapon]
    aimed = an_ap_shot(occasion.situation, firer, arm, shot.how, target, command=occasion.command)
    if not occasion.data.plays("hit_location"):
        effect = basic_effect(aimed, aspect_of(aimed) or stronger_aspect(aimed))
        return f"hit {chance}, range {away}, {PROMISES.get(effect, effect)}"
    ammunition = shot.how.removeprefix("ap:").upper()
    return f"{ammunition}, range {away}, hit {chance}, penetrates {chance_to_damage(aimed)} of 10"


def targets(occasion: Occasion, shots: Iterable[Entry]) -> dict[str, str]:
    """4.4.1 Each target with its best shot, most promising first."""
    found: dict[str, str] = {}
    for shot in best_first(occasion, shots):
        if shot.target not in found:
            found[shot.target] = expected_result(occasion, shot)
    return found


def range_bands(situation: Situation, unit: Unit) -> dict[str, int]:
    """3.5.2 The visible hexes within range of the unit's longest-ranged weapon, each with its range column."""
    if unit.hex is None or not unit.alive:
        return {}
    rows = [arm.weapon.ranges or (arm.gp.ranges.value if arm.gp else ()) for arm in weapons_of(situation.data, unit)]
    longest = max(rows, key=lambda row: max(row, default=0), default=())
    if not longest:
        return {}
    lines, place, found = Lines(situation), station_of(situation, unit), {}
    for hex in situation.data.board.hexes:
        away = distance(unit.hex, hex)
        if 0 < away <= max(longest) and lines.between(place, Station(hex)):
            found[hex_name(hex)] = next(number for number, limit in enumerate(longest) if away <= limit)
    return {name: min(band, len(RANGE_FACTORS) - 1) for name, band in found.items()}


# --- the orders of one unit --------------------------------------------------------------------------------------


def choices(situation: Situation, unit: Unit, ask: Ask) -> Iterator[Choice]:
    """The orders a unit can be given in answer to this ask."""
    match ask.kind:
        case "deploy":
            yield from places(situation, unit)
        case "commands":
            yield from command_choices(situation, unit)
        case "fire" | "overwatch":
            occasion = occasion_of(situation, ask) if ask.kind == "fire" else watch_of(situation, ask)
            if shots := legal_shots(occasion, unit):
                yield Choice("fire", "fire {unit}", units=targets(occasion, shots))
        case "move":
            if any(unit.id == other.id for other in movable(situation.state, ask.seat)):
                yield from moves(situation, unit)
        case "assault":
            yield from attacks(situation, unit, ask)
        case "adjust":
            yield from adjustments(situation, unit, start=bool(ask.about.get("start")))


def places(situation: Situation, unit: Unit) -> Iterator[Choice]:
    """2.0 Where the unit may be set up (R-02)."""
    data = situation.data
    row = data.rows[unit.id]
    if row in to_place(data, unit.side):
        legal = [hex for hex in hexes_of(data, row) if not any(placing_objections(situation, row, hex))]
        yield Choice("place", "{hex}", hexes=dict.fromkeys(map(hex_name, legal), tuple(FACINGS)), facing=row.facing)


def command_choices(situation: Situation, unit: Unit) -> Iterator[Choice]:
    """4.2.1 The five commands: the options under each, or every objection to it; then counters to share."""
    data, view = situation.data, situation.state
    if unit.aboard:
        yield from passenger_choices(situation, unit)
        return
    for command in Command:
        if against := tuple(command_objections(situation, unit, command)):
            yield Choice(WORD_OF[command], against=against)
        else:
            ordered = as_ordered(view, unit.side, {unit.id: command.value})
            yield from options_under(Situation(data, ordered), ordered.vehicles[unit.id], command)
    if mates := sharers(situation, unit):
        yield Choice("share", "with {unit}", units=mates)
    yield from calls(situation, unit)


def options_under(situation: Situation, unit: Unit, command: Command) -> Iterator[Choice]:
    """4.2 A unit's options under a legal command."""
    occasion = Occasion(situation, unit.side)
    match command:
        case Command.FIRE:
            yield Choice("fire", "fire {unit}", units=targets(occasion, legal_shots(occasion, unit)))
        case Command.SHORT_HALT:
            shots, goals = legal_shots(occasion, unit), goals_of(situation, unit, "cross")
            line = "short-halt {unit}, move {hex}" if goals else "short-halt {unit}"
            yield Choice("short-halt", line, units=targets(occasion, shots), hexes=goals)
        case Command.MOVE:
            yield from moves(situation, unit)
            yield from attacks(situation, unit, Ask(unit.side, "assault", "6.6.1"))
        case _:
            yield Choice(WORD_OF[command], WORD_OF[command])


def sharers(situation: Situation, unit: Unit) -> dict[str, str]:
    """6.2.1.1.3 Units that could share a counter with this one under some command."""
    if not situation.data.plays("command_control"):
        return {}
    others = (other for other in commandable(situation.state, unit.side) if other.id != unit.id)
    return {other.id: other.name for other in others if could_share(situation, unit, other)}


def could_share(situation: Situation, unit: Unit, other: Unit) -> bool:
    """6.2.1.1.3 Whether there is a command under which two units may share a counter."""
    return any(not any(group_objections(situation, Group(command, (unit, other)))) for command in UNIQUE)


def calls(situation: Situation, unit: Unit) -> Iterator[Choice]:
    """6.5.1.7 The firers that an observer could call, and the target hexes."""
    if not can_observe(unit) or not situation.data.plays("indirect_fire"):
        return
    ordered = as_ordered(situation.state, unit.side, {unit.id: Command.OVERWATCH.value})
    found: dict[str, Hexes] = {}
    for call in legal_calls(Situation(situation.data, ordered), unit.side):
        if call["observer"] == unit.id and call["type"] == "gp":
            pattern = "" if call["sheaf"] == "on_map" else f" {call['sheaf']}"
            found.setdefault(f"call {call['firers'][0]} at {{hex}}{pattern}", {})[call["point"]] = ()
    for line, hexes in found.items():
        yield Choice(line.replace(" at {hex}", ""), line, hexes=hexes)


def moves(situation: Situation, unit: Unit) -> Iterator[Choice]:
    """6.6 Where the unit can go in each mode, and other uses of its move."""
    view = situation.state
    for mode, word in MODES:
        if goals := goals_of(situation, unit, mode):
            yield Choice(word, f"{word} {{hex}}", hexes=goals)
    mover = mover_of(situation, unit)
    closed = tuple(mode for mode, _ in MODES if any(mode_objections(mover, mode)))
    special = [steps for _, steps in move_choices(mover, closed) if steps]
    last = [steps[-1] for steps in special]
    if overrun := {act.target: "overrun" for act in acts_of(Overrun, last)}:
        yield Choice("overrun", "overrun {unit}", units=overrun)
    if any(act.sought == "hd" for act in acts_of(Search, last)):
        yield Choice("search hull-down", "search hull-down")
        yield Choice("search partial", "search partial hull-down")
    for push in acts_of(Push, (steps[0] for steps in special)):
        yield Choice(write_act(str(push)), write_act(str(push)))  # 7.30
    if on := {act.unit: view.vehicles[act.unit].name for act in acts_of(Mount, last)}:
        yield Choice("take up", "mount {unit}", units=on)
    for off in acts_of(Dismount, (steps[0] for steps in special if len(steps) == 1)):
        yield Choice(f"drop {off.unit} in {off.hex}", f"dismount {off.unit} {off.hex} face {off.facing}")


def goals_of(situation: Situation, unit: Unit, mode: MoveMode) -> Hexes:
    """6.6 Where the unit's move may end, cheapest facing first."""
    mover = mover_of(situation, unit, mode == "quick")
    if any(mode_objections(mover, mode)) or (mode == "quick" and not mover.on_foot):
        return {}
    begun, found = start(mover, mode), Hexes()
    if mover.on_foot:
        return {hex_name(hex): () for hex, _ in walks(mover, begun) if hex != unit.hex}
    for hex, facing in places_from(mover, begun):
        if (hex, facing) != (unit.hex, unit.facing):
            found[hex_name(hex)] = (*found.get(hex_name(hex), ()), facing)
    return found


def passenger_choices(situation: Situation, unit: Unit) -> Iterator[Choice]:
    """6.6.7.1.1 Where a passenger could dismount while its vehicle is stationary."""
    carrier = situation.state.vehicles[unit.aboard]
    hexes: Hexes = {}
    alone = (steps[0] for steps in stay_choices(mover_of(situation, carrier)) if len(steps) == 1)
    for act in acts_of(Dismount, alone):
        if act.unit == unit.id:
            hexes[act.hex] = tuple(FACINGS)
    if hexes:
        yield Choice("dismount", "dismount {hex}", hexes=hexes)


def attacks(situation: Situation, unit: Unit, ask: Ask) -> Iterator[Choice]:
    """6.6.1 The enemies a leg unit could attack in close combat."""
    found = {}
    for attacker, target, hex in legal_attacks(situation, ask):
        if attacker.id == unit.id:
            found[target.id] = f"after an advance to {hex_name(hex)}" if hex is not None else "from its present hex"
    if found:
        yield Choice("assault", "assault {unit}", units=found)


def adjustments(situation: Situation, unit: Unit, start: bool = False) -> Iterator[Choice]:
    """6.8 Turning, and entering or leaving full cover; before the first turn only turrets and hatches (7.8)."""
    if not start and not any(pivot_objections(unit)):
        yield from (Choice(f"pivot {facing}", f"pivot {facing}") for facing in FACINGS if facing != unit.facing)
    for answer in turret_options(situation, unit, start=start):  # 7.8
        words = [f"turret {offset}" for offset in answer.get("turret", {}).values()]
        words += ["shut" if shut else "unshut" for shut in answer.get("hatch", {}).values()]
        yield from (Choice(word, word) for word in words)
    if start:
        return
    word = "uncover" if unit.full_cover else "cover"
    if not any(cover_objections(situation, unit, not unit.full_cover)):
        yield Choice(word, word)


BAND_NAMES: Final = ("point blank", "short", "medium", "long", "extreme")
"""4.4.3.2.1 The names of the columns of the R row."""


Hexes = dict[str, tuple[int, ...]]
"""Hexes by name, each with the possible facings."""


def explain_sight(situation: Situation, seeing: str, seen: str) -> tuple[Finding, ...]:
    """4.1, 6.1 Why a unit does or does not spot another; 4.1.4 whether it has a line of sight to a hex."""
    spotter, target = situation.state.vehicles.get(seeing.lower()), situation.state.vehicles.get(seen.lower())
    if spotter is None or spotter.hex is None:
        return ()
    if target is not None:
        return (spots(situation, spotter, target),) if target.hex is not None else ()
    try:
        there = on_map(seen, dict.fromkeys(situation.data.board.hexes))
    except ValueError:
        return ()
    return (line_of_sight(situation, spotter, there),)


def sight(situation: Situation, start: str, end: str = "") -> Sight | None:
    """4.1.4 The hexes visible from a hex; None if it is not on the map."""
    known: dict[Hex, None] = dict.fromkeys(situation.data.board.hexes)
    try:
        here = on_map(start, known)
        there = on_map(end, known) if end else None
    except ValueError:
        return None
    lines, place = Lines(situation), Station(here)
    seen = tuple(hex_name(hex) for hex in situation.data.board.hexes if lines.between(place, Station(hex)))
    if there is None:
        return Sight(hex_name(here), seen)
    finding = line_of_sight(situation, here, there)
    return Sight(hex_name(here), seen, hex_name(there), finding.result == OPEN, tuple(tell_tree(finding)))

"""Order forms of the advanced game: lines ready to edit and send back, readable on a telephone.

    4.2.1, 6.2   command_form: formation by formation with its commands, who could share, and each unit's orders
    2.0          placing_form, plot_form
    6.5 to 6.8   answer_form: the asks within a turn, when they are put to a person

A line that is left as it is says what would happen anyway. Everything after # is a remark.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from pbem.engine.geometry.hexes import hex_name
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.title import Submission
from pbem.titles.panzer.air.anti_aircraft import able
from pbem.titles.panzer.ap.ap_damage import basic_effect
from pbem.titles.panzer.ap.shots import aspect_of, stronger_aspect
from pbem.titles.panzer.artillery.calls import called
from pbem.titles.panzer.artillery.mission_answers import legal_calls
from pbem.titles.panzer.artillery.observers import observer_of
from pbem.titles.panzer.cards.units import is_recon
from pbem.titles.panzer.close_combat.close_combat import legal_attacks
from pbem.titles.panzer.command.command_control import commandable
from pbem.titles.panzer.command.commands import legal_commands
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.fire.aiming import Entry, Occasion, aimed_by, best_first, legal_shots, still_obliged
from pbem.titles.panzer.fire.declarations import occasion_of
from pbem.titles.panzer.fire.turrets import SHUT, has_turret, hatch_objections
from pbem.titles.panzer.movement.march import unit_allowances
from pbem.titles.panzer.movement.movement import movable
from pbem.titles.panzer.obstacles.demolition import engineers, grounds
from pbem.titles.panzer.player.doctrine import best_flights
from pbem.titles.panzer.player.orders import CHOICES, mission_said, said_of
from pbem.titles.panzer.player.plan import Declaration
from pbem.titles.panzer.player.prospects import as_ordered, chance_of, suggested_groups, watch_shots
from pbem.titles.panzer.setup.deployment import begins_hidden, default_place, to_place
from pbem.titles.panzer.setup.plotting import plots
from pbem.titles.panzer.setup.scenario import AdvancedUnit
from pbem.titles.panzer.sighting.camouflage import is_camouflaged
from pbem.titles.panzer.sighting.hidden_orders import by_hex, limit_of, to_hide
from pbem.titles.panzer.sighting.hidden_units import RULE as HIDING
from pbem.titles.panzer.sighting.hidden_units import counters_of
from pbem.titles.panzer.state import WORD_OF, Command, PanzerState, Unit
from pbem.titles.panzer.telling.unit_words import LABELS

HELP: Final = """\
g1 fire b2 b3     targets, best first
g1 fire b2 with 1     or apcr, gp
g1 fire b1 with 1 and b2 with 2
g1 smoke at D7
g1 short-halt b2, move D5 face 3
g1 move E7 face 2 / road / f f r b
g4 quick E7 / crawl E7 / move E7 up
g1 overwatch range<=8 hit>=40
g1 hold     no command
together g1 g2: fire b1     one counter
g2 with g1 move E8     the same
t1 move E7 dismount g4 E8 face 2
g4 mount t1 / g4 dismount E8
g1 search hull-down / partial
g1 overrun b3 / g4 assault b3 from D4
g9 call gb1 at E7 closed smoke
m1 continue / adjust E8 open / check
a1 fly A5 face 3 slow low strafe b1
g4 pivot 3 / cover / uncover
rest overwatch     all not named
first / second     if you win initiative
show g1 always / order of moves: g4, g1
"""
"""The order language on one screen."""

SHOWN: Final = 4
"""How many targets, calls and flights are listed for each unit."""


def command_form(data: PanzerData, view: PanzerState, seat: str) -> str:
    """4.2.1 Formation by formation: its commands, and every unit on hold with what else it may be told."""
    head = [*remark(f"Turn {view.turn} of {data.scenario.turns}, {seat}. Edit the lines; # is a remark.")]
    units = commandable(view, seat)
    firing = as_ordered(view, seat, {unit.id: Command.FIRE.value for unit in units})
    occasion = Occasion(data, firing, seat)
    body: list[str] = []
    for formation in dict.fromkeys(unit.formation for unit in units):
        own = sorted((unit for unit in units if unit.formation == formation), key=by_number)
        body += formation_lines(data, view, formation, own)
        body += unit_lines(data, view, occasion, own)
    foot = ["", *support_lines(data, view, seat), *counter_lines(data, view, seat)]
    also = "UNIT pivot 3, cover; " if not data.basic else ""
    shared = "together UNITS: order; " if data.plays("command_control") else ""
    foot += remark(f"Also: {shared}first or second; {also}order of moves: UNITS")
    return "\n".join([*head, *body, *foot]) + "\n"


def by_number(unit: Unit) -> tuple[str, int, str]:
    return numbered(unit.id)


def numbered(id: str) -> tuple[str, int, str]:
    """g2 before g10."""
    letters = id.rstrip("0123456789")
    return letters, int(id[len(letters) :] or 0), id


def formation_lines(data: PanzerData, view: PanzerState, formation: str, units: Sequence[Unit]) -> list[str]:
    """6.2.1.1 A formation, its commands, and who stands near enough to share one."""
    name = data.scenario.formations[formation].name if formation in data.scenario.formations else formation
    lines = ["", *(remark(f"== {name}, {len(units)} units") if name else ())]
    if not data.plays("command_control"):
        return lines
    recon = sum(is_recon(unit) for unit in units)
    scouts = f", {recon} recon have their own" if recon else ""
    lines += remark(f"{view.available.get(formation, 0)} commands this turn{scouts}")
    groups = [group for group in suggested_groups(data, view, units) if len(group) > 1]
    for group in groups:
        lines += remark(f"together {' '.join(unit.id for unit in group)}: …")
    return lines


def unit_lines(data: PanzerData, view: PanzerState, occasion: Occasion, units: Sequence[Unit]) -> Iterator[str]:
    """4.2.1 What units of a kind may be told, once for all; then each: where it is, and whom it can fire at."""
    for said, group in groupby(units, key=lambda unit: may_said(data, view, unit)):
        yield from remark(said)
        for unit in group:
            yield hold_line(data, unit)
            shots = best_by_target(best_first(occasion, legal_shots(occasion, occasion.view.vehicles[unit.id])))
            if shots:
                said = ", ".join(shot_said(occasion, shot) for shot in shots[:SHOWN])
                yield from remark(f"at {said}{f' and {len(shots) - SHOWN} more' if len(shots) > SHOWN else ''}")
            for one in view.passengers(unit):
                yield from remark(f"carries {one.id} {name_said(one)}")


def name_said(unit: Unit) -> str:
    """A name without the id that may end it."""
    return unit.name.removesuffix(f" {unit.id}")


def kind_said(data: PanzerData, view: PanzerState, unit: Unit) -> str:
    """What a unit is and how far it can go."""
    if unit.hex is None:
        return f"{name_said(unit)}, in reserve"
    usable = unit_allowances(data, view, unit)
    moves = f"{usable.cross}/{usable.path}/{usable.road}" if unit.kind == "vehicle" else f"{usable.cross}"
    return f"{name_said(unit)}, moves {moves}"


def may_said(data: PanzerData, view: PanzerState, unit: Unit) -> str:
    """4.2 What it is, and the commands that it may be given beside No Command."""
    words = [WORD_OF[command] for command in legal_commands(data, view, unit) if command is not Command.NO_COMMAND]
    return f"{kind_said(data, view, unit)}: may {', '.join(words) or 'only hold'}"


def hold_line(data: PanzerData, unit: Unit) -> str:
    """4.2.1 A line to edit, with where the unit is; no wider than a telephone."""
    line, place = f"{unit.id} hold", " ".join(["#", place_said(data, unit)])
    if data.basic:
        return "\n".join([*remark(f"{unit.id} {unit.name} {place[2:]}"), line])
    return f"{line} {place}" if len(line) + len(place) < WIDTH else "\n".join([*remark(place[2:]), line])


def place_said(data: PanzerData, unit: Unit) -> str:
    """Where a unit is, which way it faces, and what is the matter with it."""
    if unit.hex is None:
        entry = next((row.entry for row in data.scenario.units if row.id == unit.id), ())
        return f"enters {' or '.join(map(hex_name, entry)) or 'with its carrier'}"
    marks = [
        *(["suppressed"] if unit.suppressed else []),
        *([f"{unit.damage.value} damaged" if data.plays("hit_location") else "damaged"] if unit.damage else []),
        *(["track hit"] if unit.track_hit else []),
        *(["full cover"] if unit.full_cover else []),
        *([f"hull-down {unit.hull_down.value}"] if unit.hull_down else []),
        *([f"inside {unit.inside.value}"] if unit.inside else []),
        *(["observer"] if observer_of(data, unit) else []),
        *(["hidden"] if unit.hidden else []),
        *(["camouflaged"] if is_camouflaged(data, unit) else []),
    ]
    return ", ".join([f"{hex_name(unit.hex)} facing {unit.facing}", *marks])


def best_by_target(shots: Sequence[Entry]) -> list[Entry]:
    """The best shot at each target, best first."""
    found: dict[str, Entry] = {}
    for shot in shots:
        found.setdefault(shot.target, shot)
    return list(found.values())


def shot_said(occasion: Occasion, shot: Entry) -> str:
    """6.5 Target, way of firing and chance."""
    if occasion.data.basic:
        aimed = aimed_by(occasion, shot)
        effect = basic_effect(aimed, aspect_of(aimed) or stronger_aspect(aimed))
        return f"{shot.target} range {aimed.range} hit {aimed.hit_number} {effect}"
    how = shot.how.removeprefix("ap:").lower()
    return f"{shot.target} {how} {chance_of(occasion, shot)}"


def support_lines(data: PanzerData, view: PanzerState, seat: str) -> list[str]:
    """6.5.1, 6.7 Missions under way, planned fire, batteries with calls that could be made, and aircraft."""
    lines: list[str] = []
    for mission in called(view, seat):
        lines += remark(f"{mission.id} at {hex_name(mission.point)}: {mission.id} continue, adjust HEX, check")
    for plan in view.planned.values():
        if plan.side == seat and not plan.arrived:
            lines += remark(f"{plan.id} of {plan.battery}, planned for turn {plan.turn}: {plan.id} arrive")
    batteries = [battery.id for battery in view.batteries.values() if battery.side == seat]
    if batteries and data.plays("indirect_fire"):
        lines += remark(f"Batteries {', '.join(batteries)}: OBSERVER call BATTERY at HEX closed or open")
        watching = as_ordered(view, seat, {unit.id: Command.OVERWATCH.value for unit in commandable(view, seat)})
        first: dict[str, dict[str, Any]] = {}
        for call in legal_calls(data, watching, seat):
            if call["type"] == "gp" and call["firers"][0] in view.batteries:
                first.setdefault(call["observer"], call)
        lines += [f"# {mission_said(declaration_of(call))}" for call in list(first.values())[:SHOWN]]
    if any(craft.side == seat and not craft.shot_down for craft in view.aircraft.values()):
        lines += aircraft_lines(data, view, seat)
    return [*lines, ""] if lines else []


def counter_lines(data: PanzerData, view: PanzerState, seat: str) -> list[str]:
    """7.2.2.2, 7.2.3 The hidden counters with what is under them, and how they move, go and come."""
    own = counters_of(view, seat)
    free = limit_of(data, seat) - len(own)
    lines: list[str] = []
    for counter in sorted(own, key=lambda counter: numbered(counter.id)):
        under = sorted(counter.units, key=numbered)
        lines += remark(f"{counter.id} {hex_name(counter.hex)}: {' '.join(under) or 'a dummy'}")
    if own:
        lines += remark(f"{own[0].id} sneak HEX HEX moves a counter whose units all have Move; {own[0].id} reveal")
    if data.plays(HIDING) and free > 0:
        lines += remark(f"At the end of the turn, {free} counters left: hide UNITS at HEX; dummy HEX")
    return [*remark("== Hidden counters"), *lines, ""] if lines else []


def declaration_of(call: Mapping[str, Any]) -> Declaration:
    return Declaration(**call)


def aircraft_lines(data: PanzerData, view: PanzerState, seat: str) -> list[str]:
    """6.7 Each aircraft and one flight that it could make."""
    lines = []
    for craft in view.aircraft.values():
        if craft.side == seat and not craft.shot_down:
            lines += remark(f"{craft.id} {craft.name}, {craft.load or 'guns only'}")
            ask = Ask(seat, "flight", "6.7", about={"phase": 1, "aircraft": [craft.id]})
            lines += [f"# {said_of('flight', Submission(flight))[0]}" for flight in best_flights(data, view, ask)]
    return lines


def roll_call(data: PanzerData, view: PanzerState, ask: Ask) -> dict[str, str]:
    """4.2.1 The units that may be told something in answer to this ask, with their names."""
    match ask.kind:
        case "deploy":
            return {row.id: row.name for row in to_place(data, ask.seat)}
        case "commands":
            units = commandable(view, ask.seat)
        case "move":
            units = movable(view, ask.seat)
        case _:
            units = list(view.of(ask.seat))
    return {unit.id: unit.name for unit in units}


# --- before play -----------------------------------------------------------------------------------------------


def placing_form(data: PanzerData, view: PanzerState, seat: str) -> str:
    """2.0 Every unit to be placed, where the scenario has it, formation by formation."""
    units = to_place(data, seat)
    areas = dict.fromkeys(unit.area for unit in units if unit.area)
    how = "Edit lines, or send only those that you change; done leaves all as it is."
    lines = [*remark(f"Set-up, {seat}. Areas: {', '.join(areas)}. {how}")]
    for formation in dict.fromkeys(unit.formation for unit in units):
        name = data.scenario.formations[formation].name if formation in data.scenario.formations else formation
        lines += ["", *remark(f"== {name}")]
        own = sorted((unit for unit in units if unit.formation == formation), key=lambda unit: numbered(unit.id))
        for unit in own:
            if unit.aboard:
                said = f"{unit.id} aboard {unit.aboard}"
            else:
                said = f"{unit.id} {hex_name(default_place(data, view, unit))} face {unit.facing or 1}"
            called = ", ".join([unit.name.removesuffix(f" {unit.id}"), *set_up_words(data, unit)])
            both = f"{said} # {called}"
            lines += [both] if len(both) <= WIDTH else [*remark(called), said]
    return "\n".join(lines) + "\n"


def set_up_words(data: PanzerData, row: AdvancedUnit) -> Iterator[str]:
    """5.9, 5.1.3, 7.2 What one should know of a unit before placing it."""
    yield from (LABELS[label] for label in row.labels)
    yield from (data.book.attached[weapon].name for weapon in row.weapons)
    if begins_hidden(data, row):
        yield "hidden"
    if row.camouflaged and data.plays("camouflage"):
        yield "camouflaged"


def plot_form(data: PanzerData, view: PanzerState, seat: str) -> str:
    """6.5.1.4, 6.5.1.11.1, 6.7.1 What can be plotted, each with a line to take the # from."""
    may = plots(data, seat)
    lines = [*remark(f"Before play, {seat}: secret plots. Take away the # and edit; done plots nothing.")]
    for id, most in may.get("registered", {}).items():
        lines += [*remark(f"{id}: {most} registered points"), f"# register {id} HEX"]
    for id, most in may.get("planned", {}).items():
        lines += [*remark(f"{id}: {most} turns of planned fire"), f"# plan {id} turn 1: HEX closed gp 2"]
    lines += [f"# load {id} bombs, or rockets" for id in may.get("loads", ())]
    for id in may.get("features", ()):
        feature = view.features[id]
        lines += [*remark(f"{feature.type}"), f"{id} {hex_name(feature.hex)} face {feature.facing}"]
    lines += [f"# {field} both, or personnel, or vehicles" for field in may.get("mines", ())]
    return "\n".join([*lines, "done"]) + "\n"


# --- the asks within a turn ------------------------------------------------------------------------------------


def answer_form(data: PanzerData, view: PanzerState, ask: Ask) -> str:
    """6.5 to 6.8 What is asked, what can be said, and the default ready to send."""
    about = f"{ask.kind} {ask.subject}".strip()
    head = remark(f"Turn {view.turn}, {ask.seat}: {about} ({ask.rule})")
    if ask.kind in LINES:
        lines = LINES[ask.kind](data, view, ask)
    elif ask.kind in CHOICES:
        lines = [*choices(ask), *default_lines(ask)]
    else:
        lines = [*remark("say default, or give the answer in JSON"), "default"]
    return "\n".join([*head, *lines]) + "\n"


def choices(ask: Ask) -> list[str]:
    """What can be said to a small ask."""
    legal = {
        "angle": [angle.replace("_", "-") for angle in ask.about.get("angles", ())],
        "spread": ["done", *ask.about.get("targets", ())],
        "danger": list(ask.about.get("friends", ())),
        "primary": list(ask.about.get("units", ())),
        "advance": ["done", *ask.about.get("units", ())],
        "dischargers": ["done", *ask.about.get("units", ())],
        "formation": list(ask.about.get("formations", ())),
        "counter-battery": ["done", *ask.about.get("targets", ())],
    }
    return remark(f"say {' or '.join(legal.get(ask.kind) or CHOICES[ask.kind])}")


def default_lines(ask: Ask) -> list[str]:
    """The default in the order language."""
    return said_of(ask.kind, Submission(ask.default))


def fire_lines(data: PanzerData, view: PanzerState, ask: Ask) -> list[str]:
    """4.4.1 Each unit that must fire with its targets; the default is ready to send."""
    occasion = occasion_of(data, view, ask)
    lines = []
    for unit, shots in still_obliged(occasion).items():
        best = best_by_target(best_first(occasion, shots))[:SHOWN]
        lines += remark(f"{unit} at {', '.join(shot_said(occasion, shot) for shot in best)}")
    return [*lines, *default_lines(ask)]


def watch_lines(data: PanzerData, view: PanzerState, ask: Ask) -> list[str]:
    """4.4.2 The shots that are open; nobody fires unless told."""
    lines = []
    for unit, shots in watch_shots(data, view, ask).items():
        lines += [f"# {unit} fire {shot.target} with {shot.weapon + 1}" for shot in best_by_target(shots)[:SHOWN]]
    return [*lines, "done"]


def gun_lines(data: PanzerData, view: PanzerState, ask: Ask) -> list[str]:
    """6.7.4 The guns that can fire."""
    return [*(f"# {unit} fire with {weapon + 1}" for unit, weapon in able(data, view, ask)), "done"]


def move_lines(data: PanzerData, view: PanzerState, ask: Ask) -> list[str]:
    """6.6 Each unit that is still to move, a no-move unless edited."""
    lines = []
    for unit in movable(view, ask.seat):
        lines += [*remark(f"{unit.id} {kind_said(data, view, unit)}, {place_said(data, unit)}")]
        lines += [f"# {unit.id} move HEX"]
    return [*lines, *default_lines(ask)]


def mission_lines(data: PanzerData, view: PanzerState, ask: Ask) -> list[str]:
    """6.5.1.1 What can be called."""
    lines = []
    for number, call in enumerate(legal_calls(data, view, ask.seat)):
        if number < 2 * SHOWN:
            lines.append(f"# {mission_said(declaration_of(call))}")
    return [*lines, *default_lines(ask)]


def flight_lines(data: PanzerData, view: PanzerState, ask: Ask) -> list[str]:
    """6.7 A flight for each aircraft."""
    lines = [line for line in aircraft_lines(data, view, ask.seat) if line.startswith("#")]
    return [*lines, *default_lines(ask)]


def assault_lines(data: PanzerData, view: PanzerState, ask: Ask) -> list[str]:
    """6.6.1.1 The attacks that can be made."""
    lines = []
    for unit, target, hex in legal_attacks(data, view, ask):
        lines.append(f"# {unit.id} assault {target.id}{f' from {hex_name(hex)}' if hex else ''}")
    return [*lines[: 4 * SHOWN], *default_lines(ask)]


def adjust_lines(data: PanzerData, view: PanzerState, ask: Ask) -> list[str]:
    """6.8 The leg units and guns that can turn and take cover."""
    units = [unit for unit in view.of(ask.seat) if unit.kind != "vehicle" and not unit.aboard]
    lines = []
    for unit in units:
        cover = "uncover" if unit.full_cover else "cover"
        lines.append(f"# {unit.id} pivot {unit.facing} {cover}")
    lines = [] if ask.about.get("start") else lines
    return [*lines, *turret_lines(data, view, ask.seat), *default_lines(ask)]


def turret_lines(data: PanzerData, view: PanzerState, seat: str) -> Iterator[str]:
    """7.8 Turrets as they stand, and hatches the other way."""
    for unit in view.of(seat):
        if not any(hatch_objections(data, unit)):
            yield f"# {unit.id} {'unshut' if SHUT in unit.flags else 'shut'}"
        if has_turret(data, unit):
            yield f"# {unit.id} turret {unit.turret}"


def hide_lines(data: PanzerData, view: PanzerState, ask: Ask) -> list[str]:
    """7.2.2, 7.2.3 How units go under counters; those that begin hidden do so anyway."""
    if not ask.about.get("start"):
        free = limit_of(data, ask.seat) - len(counters_of(view, ask.seat))
        return [*remark(f"{free} counters left"), "# hide UNITS at HEX", "# dummy HEX", *default_lines(ask)]
    due = by_hex(to_hide(view, ask.seat))
    lines = remark(f"A counter for each hex with hidden units of a formation: {len(due)}") if due else []
    for hex, units in due:
        lines += remark(f"{hex_name(hex)}: {' '.join(sorted(units, key=numbered))}")
    free = max(0, limit_of(data, ask.seat) - len(due))
    lines += remark(f"{free} more for dummies: dummy HEX HEX. One counter for several hexes: hide UNITS at HEX.")
    return [*lines, "# dummy HEX", *default_lines(ask)]


def sneak_lines(data: PanzerData, view: PanzerState, ask: Ask) -> list[str]:
    """7.2.2.2 The counters of the seat, with what is under them."""
    lines = []
    for counter in view.hidden_counters.values():
        if counter.side == ask.seat:
            lines += remark(f"{counter.id} {hex_name(counter.hex)}: {', '.join(counter.units) or 'a dummy'}")
            lines += [f"# {counter.id} sneak HEX HEX"]
    return [*lines, *default_lines(ask)]


def keep_lines(data: PanzerData, view: PanzerState, ask: Ask) -> list[str]:
    """7.7.2 Who has spotted more than it can hold, and what it keeps unless told otherwise."""
    lines = []
    for unit, targets in ask.about["targets"].items():
        lines += remark(f"{unit} holds {ask.about['most'][unit]} of {', '.join(targets)}")
    return [*lines, *default_lines(ask)]


def demolish_lines(data: PanzerData, view: PanzerState, ask: Ask) -> list[str]:
    """7.19 What engineers can attack."""
    able = engineers(data, view, ask.seat)
    lines = [f"# {unit.id} demolish {name}" for unit in able for name in grounds(data, view, unit)]
    return [*lines, *default_lines(ask)]


def unveil_lines(data: PanzerData, view: PanzerState, ask: Ask) -> list[str]:
    """7.2.2.1 Units that are revealed, where the counter lies."""
    return [f"{id} {ask.about['hex']} face {view.vehicles[id].facing}" for id in ask.about["units"]]


LINES: Final[Mapping[str, Callable[[PanzerData, PanzerState, Ask], list[str]]]] = {
    "fire": fire_lines,
    "overwatch": watch_lines,
    "anti-aircraft": gun_lines,
    "move": move_lines,
    "mission": mission_lines,
    "flight": flight_lines,
    "assault": assault_lines,
    "adjust": adjust_lines,
    "hide": hide_lines,
    "sneak": sneak_lines,
    "unveil": unveil_lines,
    "keep": keep_lines,
    "demolish": demolish_lines,
}
"""What can be done, by kind of ask."""


WIDTH: Final = 40


def remark(text: str) -> list[str]:
    """A remark in lines no wider than a telephone."""
    return textwrap.wrap(text, WIDTH, initial_indent="# ", subsequent_indent="#   ", break_on_hyphens=False)


BASIC_HELP: Final = """\
g1 fire b2 b3     targets, best first
g1 fire b2 with 1     with weapon 1
g1 short-halt b2, move D5 face 3
g1 move E7 face 2     cheapest way
g1 move f f r b     step by step
g1 road K12     by path or road
g1 reverse 2 / g1 exit west
g9 enter A5 move C5     a reserve
g1 overwatch range<=8 hit>=40 only b2
g1 hold     no command
rest overwatch     all not named
first / second     if you win initiative
show g1 always / never / matters
order of moves: g4, g1
... stop when hit     ends a move line
"""
"""The order language on one screen."""

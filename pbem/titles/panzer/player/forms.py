"""Order forms of the advanced game: lines ready to edit and send back, readable on a phone.

    4.2.1, 6.2   command_form: by formation, with its commands, possible sharers, and each unit's orders
    2.0          placing_form, plot_form
    6.5 to 6.8   answer_form: the asks within a turn, when a person answers them

An unedited line has no effect beyond the default. Everything after # is a comment.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

import msgspec

from pbem.engine.geometry.hexes import hex_name
from pbem.engine.rules.ask import Ask
from pbem.engine.text.forms import FormLine, Remarked
from pbem.engine.text.messages import Message, Name, agree, say, say_n, several
from pbem.titles.panzer.air.air_attacks import Plot
from pbem.titles.panzer.artillery.calls import called_missions
from pbem.titles.panzer.artillery.mission_answers import legal_calls
from pbem.titles.panzer.artillery.observers import observer_of
from pbem.titles.panzer.cards.units import is_recon
from pbem.titles.panzer.command.command_control import commandable
from pbem.titles.panzer.command.commands import legal_commands
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.fire.aiming import Occasion, best_first, legal_shots
from pbem.titles.panzer.movement.movement_step import movable
from pbem.titles.panzer.movement.steps.unit_steps import unit_allowances
from pbem.titles.panzer.player.plan import Declaration
from pbem.titles.panzer.player.prospects import as_ordered, suggested_groups
from pbem.titles.panzer.player.restating import write_flight, write_mission
from pbem.titles.panzer.player.shot_texts import SHOWN, best_by_target, describe_shot
from pbem.titles.panzer.player.support_prospects import best_flights
from pbem.titles.panzer.reading.remarks import remark
from pbem.titles.panzer.setup.deployment import begins_hidden, default_place, to_place
from pbem.titles.panzer.setup.plotting import plots
from pbem.titles.panzer.setup.scenario import AdvancedUnit
from pbem.titles.panzer.sighting.camouflage import is_camouflaged
from pbem.titles.panzer.sighting.hidden_orders import limit_of
from pbem.titles.panzer.sighting.hidden_units import RULE as HIDING
from pbem.titles.panzer.sighting.hidden_units import counters_of
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import WORD_OF, Command, Unit
from pbem.titles.panzer.telling.unit_words import LABELS
from pbem.titles.panzer.telling.words.codes import word
from pbem.titles.panzer.telling.words.sides import side_term

HELP: Final = say(
    """\
ge1 fire br2 br3     targets, best first
ge1 fire br2 with 1     or apcr, gp
ge1 fire br1 with 1 and br2 with 2
ge1 smoke at D7
ge1 short-halt br2, move D5 face 3
ge1 move E7 face 2 / road / f f r b
ge4 quick E7 / crawl E7 / move E7 up
ge1 overwatch range<=8 hit>=40
ge1 hold     no command
together ge1 ge2: fire br1     one counter
ge2 with ge1 move E8     the same
tr1 move E7 dismount ge4 E8 face 2
ge4 mount tr1 / ge4 dismount E8
ge1 search hull-down / partial
ge1 overrun br3 / ge4 assault br3 from D4
ge9 call gb1 at E7 closed smoke
m1 continue / adjust E8 open / check
ac1 fly A5 face 3 slow low strafe br1
ge4 pivot 3 / cover / uncover
rest overwatch     all not named
first / second     if you win initiative
show ge1 always / order of moves: ge4, ge1
"""
)
"""Help on the order language, on one screen."""


def command_form(situation: Situation, seat: str, own: Collection[str] | None = None) -> list[FormLine]:
    """4.2.1 The order form: each formation's commands, and every unit on hold with its other possible commands.

    `own` are the units of one seat, where the side has several.
    """
    data, view = situation.data, situation.state
    said = say(
        "Turn {turn} of {turns}, {side}. Edit the lines; comments like this one are ignored.",
        turn=view.turn,
        turns=data.scenario.turns,
        side=side_term(seat),
    )
    head = remark(said)
    units = [unit for unit in commandable(view, seat) if own is None or unit.id in own]
    firing = as_ordered(view, seat, {unit.id: Command.FIRE.value for unit in units})
    occasion = Occasion(Situation(data, firing), seat)
    body: list[FormLine] = []
    for formation in dict.fromkeys(unit.formation for unit in units):
        members = sorted((unit for unit in units if unit.formation == formation), key=by_number)
        body += formation_lines(situation, formation, members)
        body += unit_lines(situation, occasion, members)
    foot: list[FormLine] = ["", *support_lines(situation, seat), *counter_lines(situation, seat)]
    also = "UNIT pivot 3, cover; " if not data.basic else ""
    shared = "together UNITS: order; " if data.plays("command_control") else ""
    foot += remark(say("Also: {orders}", orders=Name(f"{shared}first or second; {also}order of moves: UNITS")))
    return [*head, *body, *foot]


def by_number(unit: Unit) -> tuple[str, int, str]:
    return sort_key(unit.id)


def sort_key(id: str) -> tuple[str, int, str]:
    """A sort key that puts ge2 before ge10."""
    letters = id.rstrip("0123456789")
    return letters, int(id[len(letters) :] or 0), id


def formation_lines(situation: Situation, formation: str, units: Sequence[Unit]) -> list[FormLine]:
    """6.2.1.1 A formation, its commands, and the units close enough to share one."""
    data = situation.data
    name = data.scenario.formations[formation].name if formation in data.scenario.formations else formation
    lines: list[FormLine] = [
        "",
        *(remark(say_n("== {name}, {n} unit", "== {name}, {n} units", n=len(units), name=name)) if name else ()),
    ]
    if not data.plays("command_control"):
        return lines
    recon = sum(is_recon(unit) for unit in units)
    commands = situation.state.available.get(formation, 0)
    said = say_n("{n} command this turn", "{n} commands this turn", n=commands)
    if recon:
        said = agree(
            "{commands}; {count} recon unit has its own",
            "{commands}; {count} recon units have their own",
            n=recon,
            count=recon,
            commands=said,
        )
    lines += remark(said)
    groups = [group for group in suggested_groups(situation, units) if len(group) > 1]
    for group in groups:
        lines += remark(f"together {' '.join(unit.id for unit in group)}: …")
    return lines


def unit_lines(situation: Situation, occasion: Occasion, units: Sequence[Unit]) -> Iterator[FormLine]:
    """4.2.1 The possible commands, once for each kind of unit; then each unit's position and targets."""
    data, view = situation.data, situation.state
    for said, group in groupby(units, key=lambda unit: describe_choices(situation, unit)):
        yield from remark(said)
        for unit in group:
            yield hold_line(data, unit)
            shots = best_by_target(best_first(occasion, legal_shots(occasion, occasion.state.vehicles[unit.id])))
            if shots:
                best = several((describe_shot(occasion, shot) for shot in shots[:SHOWN]), "unit")
                more = len(shots) - SHOWN
                yield from remark(
                    say("at {shots} and {more} more", shots=best, more=more)
                    if more > 0
                    else say("at {shots}", shots=best)
                )
            for one in view.passengers(unit):
                yield from remark(say("carries {unit} {name}", unit=one.id, name=name_without_id(one)))


def name_without_id(unit: Unit) -> str:
    """A unit's name without its id at the end."""
    return unit.name.removesuffix(f" {unit.id}")


def describe_kind(situation: Situation, unit: Unit) -> Message:
    """A unit's kind and how far it can move."""
    if unit.hex is None:
        return say("{name}, in reserve", name=name_without_id(unit))
    usable = unit_allowances(situation, unit)
    moves = f"{usable.cross}/{usable.path}/{usable.road}" if unit.kind == "vehicle" else f"{usable.cross}"
    return say("{name}, moves {moves}", name=name_without_id(unit), moves=moves)


def describe_choices(situation: Situation, unit: Unit) -> Message:
    """4.2 A unit's kind, and its possible commands other than No Command."""
    words = [WORD_OF[command] for command in legal_commands(situation, unit) if command is not Command.NO_COMMAND]
    kind = describe_kind(situation, unit)
    if not words:
        return say("{kind}: may only hold", kind=kind)
    return say("{kind}: may {orders}", kind=kind, orders=several(words, "unit"))


def hold_line(data: PanzerData, unit: Unit) -> Remarked:
    """4.2.1 A line to edit, with the unit's position."""
    place = describe_place(data, unit)
    if data.basic:
        place = say("{unit} {name} {place}", unit=unit.id, name=unit.name, place=place)
    return Remarked(f"{unit.id} hold", place, above=data.basic)


def describe_place(data: PanzerData, unit: Unit) -> Message:
    """A unit's hex, facing and condition."""
    if unit.hex is None:
        entry = next((row.entry for row in data.scenario.units if row.id == unit.id), ())
        if not entry:
            return say("enters with its carrier")
        return say("enters {hexes}", hexes=several(map(hex_name, entry), "or"))
    where = say("{hex} facing {facing}", hex=hex_name(unit.hex), facing=unit.facing)
    marks = [*describe_condition(data, unit)]
    return say("{place}, {marks}", place=where, marks=several(marks, "unit")) if marks else where


def describe_condition(data: PanzerData, unit: Unit) -> Iterator[Message]:
    """A unit's markers."""
    if unit.suppressed:
        yield say("suppressed")
    if unit.damage:
        located = data.plays("hit_location")
        yield say("{part} damaged", part=word(unit.damage.value)) if located else say("damaged")
    if unit.track_hit:
        yield say("track hit")
    if unit.full_cover:
        yield say("full cover")
    if unit.hull_down:
        yield say("hull-down {side}", side=unit.hull_down.value)
    if unit.inside:
        yield say("inside {place}", place=word(unit.inside.value))
    if observer_of(data, unit):
        yield say("observer")
    if unit.hidden:
        yield say("hidden")
    if is_camouflaged(data, unit):
        yield say("camouflaged")


def support_lines(situation: Situation, seat: str) -> list[FormLine]:
    """6.5.1, 6.7 Current missions, planned fire, batteries with possible calls, and aircraft."""
    data, view = situation.data, situation.state
    lines: list[FormLine] = []
    for mission in called_missions(view, seat):
        lines += remark(
            say(
                "{mission} at {hex}: {orders}",
                mission=mission.id,
                hex=hex_name(mission.point),
                orders=Name(f"{mission.id} continue, adjust HEX, check"),
            )
        )
    for plan in view.planned.values():
        if plan.side == seat and not plan.arrived:
            lines += remark(
                say(
                    "{plan} of {battery}, planned for turn {turn}: {order}",
                    plan=plan.id,
                    battery=plan.battery,
                    turn=plan.turn,
                    order=Name(f"{plan.id} arrive"),
                )
            )
    batteries = [battery.id for battery in view.batteries.values() if battery.side == seat]
    if batteries and data.plays("indirect_fire"):
        lines += remark(
            say(
                "Batteries {batteries}: {order}",
                batteries=several(batteries, "unit"),
                order=Name("OBSERVER call BATTERY at HEX closed or open"),
            )
        )
        watching = as_ordered(view, seat, {unit.id: Command.OVERWATCH.value for unit in commandable(view, seat)})
        first: dict[str, dict[str, Any]] = {}
        for call in legal_calls(Situation(data, watching), seat):
            if call["type"] == "gp" and call["firers"][0] in view.batteries:
                first.setdefault(call["observer"], call)
        lines += [f"# {write_mission(declaration_of(call))}" for call in list(first.values())[:SHOWN]]
    if any(craft.side == seat and not craft.shot_down for craft in view.aircraft.values()):
        lines += aircraft_lines(situation, seat)
    return [*lines, ""] if lines else []


def counter_lines(situation: Situation, seat: str) -> list[FormLine]:
    """7.2.2.2, 7.2.3 The hidden counters and their contents, and how to move, remove and place them."""
    own = counters_of(situation.state, seat)
    free = limit_of(situation.data, seat) - len(own)
    lines: list[FormLine] = []
    for counter in sorted(own, key=lambda counter: sort_key(counter.id)):
        under = sorted(counter.units, key=sort_key)
        lines += remark(
            say("{counter} {hex}: {units}", counter=counter.id, hex=hex_name(counter.hex), units=" ".join(under))
            if under
            else say("{counter} {hex}: a dummy", counter=counter.id, hex=hex_name(counter.hex))
        )
    if own:
        lines += remark(
            say(
                "{order} moves a counter if all its units have a Move command; {other}",
                order=Name(f"{own[0].id} sneak HEX HEX"),
                other=Name(f"{own[0].id} reveal"),
            )
        )
    if situation.data.plays(HIDING) and free > 0:
        lines += remark(
            say_n(
                "At the end of the turn, {n} counter left: {orders}",
                "At the end of the turn, {n} counters left: {orders}",
                n=free,
                orders=Name("hide UNITS at HEX; dummy HEX"),
            )
        )
    return [*remark(say("== Hidden counters")), *lines, ""] if lines else []


def declaration_of(call: Mapping[str, Any]) -> Declaration:
    return Declaration(**call)


def aircraft_lines(situation: Situation, seat: str) -> list[FormLine]:
    """6.7 Each aircraft and one possible flight."""
    lines: list[FormLine] = []
    for craft in situation.state.aircraft.values():
        if craft.side == seat and not craft.shot_down:
            lines += remark(
                say("{aircraft} {name}, {load}", aircraft=craft.id, name=craft.name, load=word(craft.load))
                if craft.load
                else say("{aircraft} {name}, guns only", aircraft=craft.id, name=craft.name)
            )
            ask = Ask(seat, "flight", "6.7", about={"phase": 1, "aircraft": [craft.id]})
            lines += [f"# {write_flight(msgspec.convert(flight, Plot))}" for flight in best_flights(situation, ask)]
    return lines


def roll_call(situation: Situation, ask: Ask) -> dict[str, str]:
    """4.2.1 The units that can be ordered in answer to this ask, with their names."""
    view = situation.state
    match ask.kind:
        case "deploy":
            return {row.id: row.name for row in to_place(situation.data, ask.seat)}
        case "commands":
            units = commandable(view, ask.seat)
        case "move":
            units = movable(view, ask.seat)
        case _:
            units = list(view.of(ask.seat))
    return {unit.id: unit.name for unit in units}


# --- before play -----------------------------------------------------------------------------------------------


def placing_form(situation: Situation, seat: str, own: Collection[str] | None = None) -> list[FormLine]:
    """2.0 Every unit to be placed, with its scenario position, by formation; `own` as in `command_form`."""
    data = situation.data
    units = [unit for unit in to_place(data, seat) if own is None or unit.id in own]
    areas = dict.fromkeys(unit.area for unit in units if unit.area)
    head = say(
        "Set-up, {side}. Areas: {areas}. Edit the lines, or send only those that you change. Send `done` to "
        "change nothing.",
        side=side_term(seat),
        areas=several(areas, "unit"),
    )
    lines = remark(head)
    for formation in dict.fromkeys(unit.formation for unit in units):
        name = data.scenario.formations[formation].name if formation in data.scenario.formations else formation
        lines += ["", *remark(say("== {name}", name=name))]
        members = sorted((unit for unit in units if unit.formation == formation), key=lambda unit: sort_key(unit.id))
        for unit in members:
            if unit.aboard:
                said = f"{unit.id} aboard {unit.aboard}"
            else:
                said = f"{unit.id} {hex_name(default_place(situation, unit))} face {unit.facing or 1}"
            called = several([unit.name.removesuffix(f" {unit.id}"), *set_up_words(data, unit)], "unit")
            lines.append(Remarked(said, called))
    return lines


def set_up_words(data: PanzerData, row: AdvancedUnit) -> Iterator[Message | str]:
    """5.9, 5.1.3, 7.2 Describe what to know about a unit before placing it."""
    yield from (LABELS[label] for label in row.labels)
    yield from (data.book.attached[weapon].name for weapon in row.weapons)
    if begins_hidden(data, row):
        yield say("hidden")
    if row.camouflaged and data.plays("camouflage"):
        yield say("camouflaged")


def plot_form(situation: Situation, seat: str) -> list[FormLine]:
    """6.5.1.4, 6.5.1.11.1, 6.7.1 The possible plots, each as a commented-out line."""
    view = situation.state
    may = plots(situation.data, seat)
    said = say(
        "Before play, {side}: secret plots. Remove the # and edit the lines. Send `done` to plot nothing.",
        side=side_term(seat),
    )
    lines = remark(said)
    for id, most in may.get("registered", {}).items():
        lines += [
            *remark(say_n("{battery}: {n} registered point", "{battery}: {n} registered points", n=most, battery=id)),
            f"# register {id} HEX",
        ]
    for id, most in may.get("planned", {}).items():
        lines += [
            *remark(
                say_n(
                    "{battery}: {n} turn of planned fire", "{battery}: {n} turns of planned fire", n=most, battery=id
                )
            ),
            f"# plan {id} turn 1: HEX closed gp 2",
        ]
    lines += [f"# load {id} bombs, or rockets" for id in may.get("loads", ())]
    for id in may.get("features", ()):
        feature = view.features[id]
        lines += [
            *remark(say("{feature}", feature=word(feature.type))),
            f"{id} {hex_name(feature.hex)} face {feature.facing}",
        ]
    lines += [f"# {field} both, or personnel, or vehicles" for field in may.get("mines", ())]
    return [*lines, "done"]


# --- the asks within a turn ------------------------------------------------------------------------------------


BASIC_HELP: Final = say(
    """\
ge1 fire br2 br3     targets, best first
ge1 fire br2 with 1     with weapon 1
ge1 short-halt br2, move D5 face 3
ge1 move E7 face 2     cheapest route
ge1 move f f r b     step by step
ge1 road K12     by path or road
ge1 reverse 2 / ge1 exit west
ge9 enter A5 move C5     a reserve
ge1 overwatch range<=8 hit>=40 only br2
ge1 hold     no command
rest overwatch     all not named
first / second     if you win initiative
show ge1 always / never / matters
order of moves: ge4, ge1
... stop when hit     ends a move line
"""
)
"""Help on the order language of the basic game, on one screen."""

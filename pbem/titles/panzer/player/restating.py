"""4.2.1 Submissions in the order language: canonical lines for commands, plans and answers, for receipts.

Read again, the lines give the same submission.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from pbem.engine.rules.title import Submission
from pbem.titles.panzer.air.air_attacks import Plot
from pbem.titles.panzer.command.commands import WITH
from pbem.titles.panzer.movement.steps.acts import Act, Bail, Dismount, Mount, Unload, acts_of
from pbem.titles.panzer.player.clauses import conditions
from pbem.titles.panzer.player.plan import (
    ALL,
    STAY,
    Adjustments,
    AdvancedPlan,
    Aim,
    AssaultWish,
    Declaration,
    FireWish,
    MarchWish,
    hiding_of,
    read_plan,
)
from pbem.titles.panzer.reading.support import AIR_WORDS
from pbem.titles.panzer.routes.itineraries import write_acts, write_march
from pbem.titles.panzer.state import WORD_OF, Command, Sheaf

SHEAF_WORDS: Final[Mapping[Sheaf, str]] = {
    "closed": "closed", "open": "open", "closed_linear": "linear", "on_map": "",
}  # fmt: skip


def write_aim(aim: Aim) -> str:
    """5.14 One aim in the order language."""
    smoke = bool(aim.hex) or aim.how == "smoke"
    words = [f"smoke {aim.hex or aim.targets[0]}"] if smoke else list(aim.targets)
    words += [f"with {aim.weapon + 1}"] if aim.weapon is not None else []
    return " ".join([*words, *([aim.how.removeprefix("ap:").lower()] if aim.how and not smoke else [])])


def write_commands(submission: Submission) -> list[str]:
    """4.2.1 The canonical lines for commands and plan; reading them again gives the same submission."""
    plan = read_plan(submission.plan)
    commands: dict[str, str] = submission.answer
    listed = [*plan.order.fire, *plan.order.move]
    units = sorted(commands, key=lambda unit: (listed.index(unit) if unit in listed else len(listed), unit))
    boarding = {act.unit: unit for unit, wish in plan.move.items() for act in acts_of(Mount, wish.acts)}
    said = [line for unit in units for line in write_unit(unit, commands, plan, boarding)]
    said += [f"{unit} fire {write_aims(wish)}" for unit, wish in plan.fire.items() if unit not in commands]
    riders = (unit for unit in plan.overwatch if unit not in commands)
    said += [f"{unit} {WORD_OF[Command.OVERWATCH]} {conditions(plan.overwatch[unit])}" for unit in riders]
    for unit, wish in plan.move.items():
        if wish.mode == STAY:
            rest = (act for act in acts_of(Act, wish.acts) if not is_own_order(act, commands))
            said += [write_passenger(unit, act) for act in rest]
    said += [write_mission(call) for call in plan.missions]
    said += [f"{write_flight(plot)}{' late' if plot.aircraft in plan.late else ''}" for plot in plan.flights]
    said += write_adjustments(plan.adjust)
    said += write_hiding(hiding_of("hide", plan)) + write_hiding(hiding_of("sneak", plan))
    said += [f"{unit} discharge" for unit in plan.discharge]
    said += [f"formations {' '.join(plan.formations)}"] if plan.formations else []
    if plan.initiative:
        said.append(f"initiative {plan.initiative}")
    for word, table in (("show", plan.show), ("aspect", plan.aspect)):
        said += [f"{word} {unit} {what}".replace(f" {ALL} ", " ") for unit, what in table.items()]
    return said + write_sequence(plan, said)


def write_origin(hex: str) -> str:
    """6.6.1.1 The words for the hex a unit advances to before it attacks."""
    return f" from {hex}" if hex else ""


def write_hiding(answer: Mapping[str, Any]) -> list[str]:
    """7.2.2, 7.2.2.2 The orders for hidden unit counters."""
    said = [f"hide {' '.join(units)} at {hex}" for hex, units in answer.get("counters", ())]
    said += [f"dummy {' '.join(answer['dummies'])}"] if answer.get("dummies") else []
    said += [f"{id} reveal" for id in answer.get("reveal", ())]
    return said + [f"{id} sneak {' '.join(path)}" for id, path in answer.get("move", {}).items()]


def write_sequence(plan: AdvancedPlan, said: Sequence[str]) -> list[str]:
    """4.4.1, R-11 The order of fire and moves, if the lines above do not imply it."""
    first = [line.split()[0] for line in said]
    found = []
    for word, order, own in (("fire", plan.order.fire, plan.fire), ("moves", plan.order.move, plan.move)):
        if order and order != list(dict.fromkeys(unit for unit in first if unit in own)):
            found.append(f"order of {word}: {', '.join(order)}")
    return found


def write_unit(
    unit: str, commands: Mapping[str, str], plan: AdvancedPlan, boarding: Mapping[str, str]
) -> Iterator[str]:
    """4.2.1, 6.2.1.1.3 A unit's order in the order language, under its own counter or another unit's."""
    word = commands[unit]
    shared = word.startswith(WITH)
    given = commands.get(word.removeprefix(WITH), Command.NO_COMMAND.value) if shared else word
    line = f"{unit} {write_action(unit, Command(given), plan, boarding)}"
    nothing = line == f"{unit} {WORD_OF[Command(given)]}"
    yield line if not shared else f"{unit} {word}" if nothing else f"{unit} {word} {line.removeprefix(unit + ' ')}"


def write_action(unit: str, command: Command, plan: AdvancedPlan, boarding: Mapping[str, str]) -> str:
    """4.2.1 One unit's own action in the order language."""
    if unit in boarding and command is Command.MOVE:
        return f"mount {boarding[unit]}"
    if unit in plan.assault:
        return write_assault(plan.assault[unit])
    if unit in plan.demolish:
        return f"demolish {plan.demolish[unit]}{write_origin(plan.demolish_from.get(unit, ''))}"
    words = [WORD_OF[command]] if command is not Command.MOVE else []
    stays = unit in plan.move and plan.move[unit].mode == STAY
    unloads = [write_acts([str(act)]) for act in acts_of(Unload, plan.move[unit].acts)] if stays else []
    words += unloads if command is Command.NO_COMMAND else []
    if unit in plan.fire and command in (Command.FIRE, Command.SHORT_HALT):
        words.append(write_aims(plan.fire[unit]))
    march = plan.move.get(unit)
    if march is not None and march.mode != STAY and (command is Command.MOVE or march != MarchWish()):
        words.append(write_march(march))
    elif command is Command.MOVE:
        words.append(WORD_OF[command])
    if unit in plan.overwatch:
        words.append(conditions(plan.overwatch[unit]))
    words += unloads if command in (Command.FIRE, Command.OVERWATCH) else []
    return " ".join(words)


def is_own_order(act: Act, commands: Mapping[str, str]) -> bool:
    """6.6.7.1.1 Whether the line of a truck or of the mounting unit itself already covers this act."""
    return isinstance(act, Unload) or (isinstance(act, Mount) and act.unit in commands)


def write_assault(wish: AssaultWish) -> str:
    """6.6.1.1 An attack in the order language."""
    return f"assault {wish.target}{f' from {wish.hex}' if wish.hex else ''}"


def write_aims(wish: FireWish) -> str:
    return " and ".join(write_aim(aim) for aim in wish.aims)


def write_moves(unit: str, wish: MarchWish) -> list[str]:
    """6.6, 6.6.7.1.1 A move in the order language; for a stationary vehicle, its passengers' actions."""
    if wish.mode == STAY:
        return [write_passenger(unit, act) for act in acts_of(Act, wish.acts)]
    return [f"{unit} {write_march(wish)}"]


def write_passenger(carrier: str, act: Act) -> str:
    """6.6.7.1.1 Write an order to mount or dismount a stationary vehicle."""
    match act:
        case Mount(unit=unit):
            return f"{unit} mount {carrier}"
        case Dismount(unit=unit) | Bail(unit=unit):
            return f"{unit} {write_acts([str(act)]).replace(f'{act.code} {unit}', act.code, 1)}"
    return f"{carrier} {write_acts([str(act)])}"


def write_mission(call: Declaration) -> str:
    """6.5.1.1 A declaration of indirect fire in the order language."""
    type = "" if call.type == "gp" else f" {call.type}"
    sheaf = " ".join([SHEAF_WORDS[call.sheaf], *([str(call.direction)] if call.direction else [])]).strip()
    pattern = f" {sheaf}" if sheaf else ""
    firers = f" with {' '.join(call.firers)}" if call.firers else ""
    match call.do:
        case "call" | "recon":
            return f"{call.observer} {call.do} {' '.join(call.firers)} at {call.point}{pattern}{type}"
        case "adjust":
            return f"{call.mission} adjust {call.point}{pattern} {call.type}{firers}"
        case "continue":
            return f"{call.mission} continue {call.type}{firers}"
        case "check":
            return f"{call.mission} check"
    return f"{call.plan} arrive"


def write_flight(plot: Plot) -> str:
    """6.7.2 A flight in the order language."""
    verbs = {weapon: word for word, weapon in AIR_WORDS.items()}
    attacks = [f"{verbs[attack.weapon]} {attack.target}" for attack in plot.attacks]
    turn = [f"turn {'left' if plot.turn < 0 else 'right'} after {plot.turn_after}"] if plot.turn else []
    head = f"{plot.aircraft} fly {plot.hex} face {plot.facing} {plot.speed} {plot.altitude}"
    return " ".join([head, *attacks, *turn])


def write_adjustments(adjust: Adjustments) -> list[str]:
    """6.8 Write the adjustments as order lines, one for each."""
    return [
        *(f"{unit} pivot {facing}" for unit, facing in adjust.pivot.items()),
        *(f"{unit} {'cover' if covered else 'uncover'}" for unit, covered in adjust.cover.items()),
        *(f"{unit} occupy {place}" if place else f"{unit} vacate" for unit, place in adjust.occupy.items()),
        *(f"{unit} {'dig' if digs else 'no digging'}" for unit, digs in adjust.dig.items()),
        *(f"{unit} turret {offset}" for unit, offset in adjust.turret.items()),
        *(f"{unit} {'shut' if shut else 'unshut'}" for unit, shut in adjust.hatch.items()),
        *(f"{unit} {'partial ' if partial else ''}hull-down" for unit, partial in adjust.partial.items()),
    ]


def write_plot(answer: Mapping[str, Any]) -> list[str]:
    """6.5.1.4, 6.5.1.11.1, 6.7.1 A plot in the order language."""
    said = [f"register {id} {' '.join(hexes)}" for id, hexes in answer.get("registered", {}).items()]
    for mission in answer.get("planned", ()):
        legs = []
        for hex, type, sheaf, way in mission["legs"]:
            legs.append(" ".join([hex, SHEAF_WORDS[sheaf], *([str(way)] if way else []), type]))
        said.append(f"plan {mission['battery']} turn {mission['turn']}: {', '.join(legs)}")
    said += [f"load {id} {load}" for id, load in answer.get("loads", {}).items()]
    said += [f"{id} {hex} face {facing}" for id, (hex, facing) in answer.get("features", {}).items()]
    said += [f"{id} {kind}" for id, kind in answer.get("mines", {}).items()]
    return said

"""4.4.1, 5.14 Declarations of fire: legal answers, required firers, and the default.

    5.14         beside_of: which fire takes the dual-fire modifier; weapons_objections
    answers      check_fire, fire_options, occasion_of; check_entries and grouped (also for overwatch), read_entries
    R-05         default_fire

An answer is {"target": a unit, or a hex for smoke, "firers": [[unit, weapon, how], …]}, in the order of resolution;
an entry may name its own target as its fourth word. `how` is ap, ap:APCR and the like, gp or smoke.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from pbem.engine.geometry.hexes import Hex, hex_name, parse_hex
from pbem.engine.rules.ask import Answer, Ask
from pbem.engine.rules.refusals import Illegal, Objection, Refusal, Refusals, Unreadable
from pbem.engine.text.messages import say, say_n
from pbem.titles.data_files import close_to
from pbem.titles.panzer.ap.ap_modifiers import Beside
from pbem.titles.panzer.cards.units import is_engineer
from pbem.titles.panzer.cards.weapons import SMALL_ARMS, How, has_weapon, most_weapons, weapons_of
from pbem.titles.panzer.command.command_control import bears
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.fire.aiming import (
    SMOKE,
    Entry,
    Occasion,
    after_fire,
    best_first,
    field_rule,
    firer_objections,
    is_shared,
    last_chances,
    legal_shots,
    place_objections,
    sharing_objections,
    still_obliged,
    willing_passengers,
)
from pbem.titles.panzer.fire.direct_smoke import smoke_objections
from pbem.titles.panzer.fire.gp_modifiers import counter_of
from pbem.titles.panzer.fire.special_fire import priority_objections
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.sighting.terrain import place_of
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, Unit

# --- R-05 the default --------------------------------------------------------------------------------------------


def default_fire(occasion: Occasion) -> Answer:
    """R-05 The best shot of the first obliged unit, with all others that prefer or need that target.

    Passengers join their carrier's group, or fire on their own when no unit is obliged any longer.
    """
    obliged = still_obliged(occasion)
    wishes = obliged or willing_passengers(occasion)
    if not wishes:
        return None
    best = {unit: best_first(occasion, shots)[0] for unit, shots in wishes.items()}
    target = next(iter(best.values())).target
    needed = {unit: best_first(occasion, shots)[0] for unit, shots in last_chances(obliged, [target]).items()}
    members = {unit: shot for unit, shot in best.items() if shot.target == target} | needed
    return declaration_of(target, with_passenger_shots(occasion, members.values()))


def with_passenger_shots(occasion: Occasion, shots: Iterable[Entry]) -> list[Entry]:
    """6.6.7.2 Add the shots of passengers at the same target; each unit appears once."""
    found = {shot.unit: shot for shot in shots}
    for unit, legal in willing_passengers(occasion).items():
        carrier = occasion.state.vehicles[unit].aboard
        if carrier in found and unit not in found:
            same = [shot for shot in legal if shot.target == found[carrier].target]
            found |= {unit: best_first(occasion, same)[0]} if same else {}
    return list(found.values())


def declaration_of(target: str, shots: Iterable[Entry]) -> dict[str, Any]:
    """An answer with these shots; a shot at another target names that target."""
    return {"target": target, "firers": [shot.as_answer(target) for shot in shots]}


def fire_options(situation: Situation, ask: Ask) -> Iterator[Answer]:
    """4.4.1 Groups to choose from: for each target every firer alone, then all together, respecting R-09."""
    occasion = occasion_of(situation, ask)
    obliged, free = still_obliged(occasion), willing_passengers(occasion)
    if not obliged:
        yield None
    yield from group_options(occasion, [*obliged.values(), *free.values()], obliged)


def occasion_of(situation: Situation, ask: Ask) -> Occasion:
    """4.4.1 The occasion that an ask is about."""
    about = ask.about
    return Occasion(situation, ask.seat, engaged=tuple(about.get("engaged", ())), aimed=about.get("aimed", {}))


def group_options(
    occasion: Occasion, shots: Iterable[Iterable[Entry]], obliged: Mapping[str, list[Entry]]
) -> Iterator[Answer]:
    """Declarations from these firers' shots: each firer alone with its best shot, and all that can fire together."""
    by_target: dict[str, dict[str, list[Entry]]] = {}
    for shot in (shot for legal in shots for shot in legal):
        by_target.setdefault(shot.target, {}).setdefault(shot.unit, []).append(shot)
    for target, firers in sorted(by_target.items()):
        best = {unit: best_first(occasion, legal)[0] for unit, legal in firers.items()}
        needed = [best[unit] for unit in last_chances(obliged, [target]) if unit in best]
        alone = [_together(occasion, [shot, *needed]) for shot in best.values()]
        possible = (*alone, _together(occasion, list(best.values())))
        groups = [declaration_of(target, group) for group in possible if group]
        for number, group in enumerate(groups):
            if group not in groups[:number]:
                yield group


def _together(occasion: Occasion, shots: Sequence[Entry]) -> list[Entry]:
    """One shot per unit, without passengers whose carrier must still fire (6.6.7.2); the list may be empty."""
    found = {shot.unit: shot for shot in shots}
    view = occasion.state
    return [
        shot
        for shot in found.values()
        if not view.vehicles[shot.unit].aboard
        or view.vehicles[shot.unit].aboard in found
        or not legal_shots(occasion, view.vehicles[view.vehicles[shot.unit].aboard])
    ]


# --- 5.14 dual fire --------------------------------------------------------------------------------------------


def beside_of(situation: Situation, entry: Entry, entries: Sequence[Entry]) -> Beside:
    """5.14, 6.6.7.2 Whether the dual-fire modifier applies to a weapon, and whether for the same or another target.

    Among a unit's weapons it applies to those printed in reverse on the card and those attached to a leg unit: for
    the target of the primary weapon, or of each other if that does not fire. It applies to passengers when their
    carrier fires too.
    """
    unit = situation.state.vehicles[entry.unit]
    arms = weapons_of(situation.data, unit)
    own = [other for other in entries if other.unit == entry.unit and other.weapon != entry.weapon]
    primary = [other for other in own if not arms[other.weapon].dual] or own
    carrier = [other for other in entries if unit.aboard and other.unit == unit.aboard]
    beside = [*(primary if arms[entry.weapon].dual else ()), *carrier]
    if not beside:
        return ""
    return "same" if any(other.target == entry.target for other in beside) else "other"


def weapons_objections(data: PanzerData, unit: Unit, own: Sequence[Entry]) -> Iterator[Objection]:
    """5.1.1, 5.1.2, 5.14 Object if a unit fires too many weapons at a time, or one of them twice."""
    if len({entry.weapon for entry in own}) < len(own):
        yield Objection(ledger_row(data.edition, "4.4.1/one-shot"), say("each weapon can be fired only once"))
    most = most_weapons(data, unit)
    if len(own) > most:
        section = unit.kind == "leg" and data.leg(unit).size == "section"
        rule = "5.1.2" if section else "5.1.1" if unit.kind == "leg" and unit.suppressed else "5.14"
        yield Objection(
            rule,
            say_n(
                "a section can fire only {n} weapon at a time",
                "a section can fire only {n} weapons at a time",
                n=most,
            )
            if section
            else say_n(
                "a suppressed unit can fire only {n} weapon at a time",
                "a suppressed unit can fire only {n} weapons at a time",
                n=most,
            )
            if unit.suppressed
            else say_n(
                "the unit can fire only {n} weapon at a time", "the unit can fire only {n} weapons at a time", n=most
            ),
        )


# --- answers ---------------------------------------------------------------------------------------------------


def check_fire(situation: Situation, ask: Ask, answer: Answer) -> Answer:
    """4.4.1 Return the declaration, completed with the units that must be in it (R-09), or refuse it."""
    data = situation.data
    occasion = occasion_of(situation, ask)
    obliged = still_obliged(occasion)
    if answer is None:
        if obliged:
            raise Refusals([must_fire(data, firer, shots) for firer, shots in obliged.items()])
        return None
    entries = check_entries(occasion, answer, lambda unit: obliged.get(unit, []))
    target, named = answer["target"], {entry.unit for entry in entries}
    check_passengers(occasion, entries, obliged)
    targets = [entry.target for entry in entries]
    then = after_fire(occasion, ((entry.unit, entry.target) for entry in entries))  # 7.14
    bound = obliged if then is occasion else still_obliged(then)
    added = [
        best_first(occasion, shots)[0] for unit, shots in last_chances(bound, targets).items() if unit not in named
    ]
    allowed = [entry for entry in added if not any(group_objections(occasion, [*entries, entry]))]
    return {"target": target, "firers": [entry.as_answer(target) for entry in (*entries, *allowed)]}


def must_fire(data: PanzerData, firer: str, shots: Sequence[Entry]) -> Refusal:
    """4.4.1 The refusal of an empty answer while a unit can still fire."""
    rule = ledger_row(data.edition, "4.4.1/must-fire")
    why = Objection(rule, say("the unit has a Fire or Short Halt command and can still fire"))
    return Illegal(firer, [why], [shot_line(shot) for shot in shots])


def shot_line(shot: Entry) -> str:
    """5.14 A shot as an order line."""
    return f"{shot.unit} fire {shot.target} with {shot.weapon + 1} {shot.how.removeprefix('ap:').lower()}"


def check_passengers(occasion: Occasion, entries: Sequence[Entry], obliged: Mapping[str, list[Entry]]) -> None:
    """6.6.7.2 Refuse passengers that fire before their carrier while it still has to fire."""
    named = {entry.unit for entry in entries}
    for unit in (occasion.state.vehicles[id] for id in sorted(named)):
        if unit.aboard in obliged and unit.aboard not in named:
            why = Objection(
                "6.6.7.2",
                say("the unit fires together with its carrier {aboard}, which still has to fire", aboard=unit.aboard),
            )
            raise Illegal(unit.id, [why], [shot_line(shot) for shot in obliged[unit.aboard]])


def check_entries(occasion: Occasion, answer: Answer, instead: Callable[[str], Sequence[Entry]]) -> list[Entry]:
    """4.4.1 Return a declaration's entries, or refuse them with everything that is wrong."""
    view = occasion.state
    entries = complete(occasion, answer)
    own = [unit.id for unit in view.of(occasion.side)]
    enemies = [unit.id for unit in view.of(view.enemy(occasion.side))]
    refusals: list[Refusal] = []
    for entry in entries:
        unit = view.vehicles.get(entry.unit)
        if unit is None or unit.side != occasion.side or not unit.alive:
            why = Objection("3.1", say("you have no such unit on the map"))
            refusals.append(Illegal(entry.unit, [why], close_to(entry.unit, own)))
        elif not has_weapon(occasion.data, unit, entry.weapon):
            refusals.append(
                Illegal(
                    entry.unit,
                    [Objection("4.4.3", say("the unit has no weapon number {weapon}", weapon=entry.weapon + 1))],
                )
            )
        elif entry.how == SMOKE:
            refusals += smoke_refusals(occasion, unit, entry)
        elif entry.target not in view.vehicles or not view.vehicles[entry.target].alive:
            why = Objection("4.4.3", say("there is no such unit on the map"))
            refusals.append(Illegal(entry.target, [why], close_to(entry.target, enemies)))
        else:
            arm = weapons_of(occasion.data, unit)[entry.weapon]
            found = list(occasion.objections(unit, arm, entry.how, view.vehicles[entry.target]))
            if found:
                part = f"{entry.unit} {entry.how} at {entry.target}"
                refusals.append(Illegal(part, found, [shot_line(shot) for shot in instead(entry.unit)]))
    refusals += [] if refusals else group_refusals(occasion, entries)
    if refusals:
        raise refusals[0] if len(refusals) == 1 else Refusals(refusals)
    return entries


def complete(occasion: Occasion, answer: Answer) -> list[Entry]:
    """An answer's entries; where it does not say how to fire, AP at vehicles if possible, otherwise GP."""
    said = (entry if entry.how else entry._replace(how=_usual(occasion, entry)) for entry in read_entries(answer))
    return [entry._replace(weapon=SMALL_ARMS) if is_thrown(occasion, entry) else entry for entry in said]


def is_thrown(occasion: Occasion, entry: Entry) -> bool:
    """6.1.4.3.10, 7.22.1 Whether smoke is thrown by hand, into its own hex or by engineers, instead of small arms."""
    unit, hex = occasion.state.vehicles.get(entry.unit), named_hex(entry.target)
    if entry.how != SMOKE or unit is None or unit.kind != "leg" or not unit.alive:
        return False
    arms = weapons_of(occasion.data, unit)
    armed = 0 <= entry.weapon < len(arms) and arms[entry.weapon].smoke
    return hex == place_of(unit) or (is_engineer(occasion.data, unit) and not armed)


def _usual(occasion: Occasion, entry: Entry) -> How:
    view = occasion.state
    unit, target = view.vehicles.get(entry.unit), view.vehicles.get(entry.target)
    arms = weapons_of(occasion.data, unit) if unit else ()
    hows = arms[entry.weapon].hows if 0 <= entry.weapon < len(arms) else ()
    if target is None:
        return SMOKE
    at_vehicle = [how for how in hows if how.startswith("ap")] if target.kind == "vehicle" else []
    return at_vehicle[0] if at_vehicle else "gp"


def smoke_refusals(occasion: Occasion, unit: Unit, entry: Entry) -> Iterator[Refusal]:
    """6.1.4.3.10 Refusals of a smoke entry; it needs no spotted target."""
    data = occasion.data
    arm = weapons_of(data, unit)[entry.weapon]
    objections = list(firer_objections(occasion.situation, unit))
    if occasion.command is Command.OVERWATCH:
        objections.append(Objection("6.1.4.3.10", say("smoke needs a Fire or Short Halt command")))
    hex = named_hex(entry.target)
    if hex is None:
        why = Objection("6.1.4.3.10", say("name the hex for the smoke"))
        yield Unreadable(entry.target, [why], [hex_name(place_of(unit))])
        return
    objections += smoke_objections(occasion.situation, unit, arm, hex)
    objections += place_objections(occasion.situation, unit, arm)
    objections += priority_objections(
        occasion.situation, unit, None, lambda prey: occasion.reaches(unit, prey)
    )  # 7.14
    if hex != place_of(unit) and not bears(occasion.situation, unit, arm, hex):
        objections.append(
            Objection(
                field_rule(data, unit, arm), say("{target} is outside the unit's field of fire", target=entry.target)
            )
        )
    if objections:
        yield Illegal(f"{entry.unit} smoke at {entry.target}", objections)


def named_hex(word: str) -> Hex | None:
    """The hex with this name, in the map's spelling, or None for a unit."""
    try:
        hex = parse_hex(word)
    except ValueError:
        return None
    return hex if hex_name(hex) == word else None


def group_refusals(occasion: Occasion, entries: Sequence[Entry]) -> list[Refusal]:
    """5.14, 6.2.1.1.4 Mistakes in a combination of entries that are legal one by one."""
    data, view, refusals = occasion.data, occasion.state, list[Refusal]()
    for id in dict.fromkeys(entry.unit for entry in entries):
        own = [entry for entry in entries if entry.unit == id]
        if found := list(weapons_objections(data, view.vehicles[id], own)):
            refusals.append(Illegal(id, found))
    if found := list(group_objections(occasion, entries)):
        refusals.append(Illegal("fire", found))
    return refusals


def group_objections(occasion: Occasion, entries: Sequence[Entry]) -> Iterator[Objection]:
    """6.2.1.1.4 Objections to the targets of one shared counter, each target checked against those before it."""
    view, aimed = occasion.state, dict[str, list[str]]()
    for entry in entries:
        unit = view.vehicles[entry.unit]
        counter = counter_of(view, unit)
        if entry.how == SMOKE or not is_shared(view, counter):
            continue
        before = aimed.setdefault(counter.id, [])
        yield from sharing_objections(occasion.situation, unit, view.vehicles[entry.target], before)
        before.append(entry.target)


def read_entries(answer: Answer) -> list[Entry]:
    """The structure of a declaration: a target, and the units that fire at it, with weapon and way of firing."""
    try:
        read = msgspec.convert(answer, _Declaration)
        return [_entry(read.target, words) for words in read.firers]
    except (msgspec.ValidationError, ValueError) as error:
        why = Objection("4.4.1", say("a declaration must name a target and its firers: {error}", error=error))
        raise Unreadable("fire", [why], ['{"target": "g1", "firers": [["b1", 0, "ap"]]}']) from error


def _entry(target: str, words: list[str | int]) -> Entry:
    match words:
        case [str(unit), int(weapon)]:
            return Entry(unit, weapon, "", target)
        case [str(unit), int(weapon), str(how)]:
            return Entry(unit, weapon, how, target)
        case [str(unit), int(weapon), str(how), str(other)]:
            return Entry(unit, weapon, how, other)
    raise ValueError(f"{words} is not unit, weapon, how, and perhaps another target")


class _Declaration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    target: str
    firers: list[list[str | int]]

    def __post_init__(self) -> None:
        if not self.firers:
            raise ValueError("nobody fires")

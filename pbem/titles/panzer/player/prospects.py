"""A seat's possible orders and their prospects in the advanced game, from its own knowledge.

    4.2.1       as_ordered: the view with commands placed; own_units
    4.4.1       wished_entries: the shots that fulfil a wish; check_fire_wish
    4.4.2       watch_shots, chance_of
    6.2.1.1.3   suggested_groups: units that could share a counter
    6.2.1.1.4   targets_apart: units of a group whose targets are too far from each other

Orders are checked against present positions. While the turn is carried out other units move and shoot, so a move is
recomputed when it is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from pbem.engine.geometry.hexes import distance
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Illegal, Objection, Refusal, Refusals
from pbem.engine.text.messages import say
from pbem.titles.panzer.ap.ap_modifiers import an_ap_shot
from pbem.titles.panzer.cards.units import is_recon
from pbem.titles.panzer.cards.weapons import SMALL_ARMS, has_weapon, most_weapons, weapons_left, weapons_of
from pbem.titles.panzer.command.command_control import commandable, hidden_under, in_command_range, in_play
from pbem.titles.panzer.command.commands import leader_of, resolve_sharing
from pbem.titles.panzer.fire.aiming import (
    Entry,
    Occasion,
    best_first,
    is_shared,
    kind_objections,
    legal_shots,
    sharing_objections,
    worth,
)
from pbem.titles.panzer.fire.declarations import is_thrown, smoke_refusals, weapons_objections
from pbem.titles.panzer.fire.gp_modifiers import counter_of
from pbem.titles.panzer.fire.overwatch import watch_of
from pbem.titles.panzer.fire.special_fire import PIN
from pbem.titles.panzer.player.plan import Aim, FireWish
from pbem.titles.panzer.sighting.terrain import place_of
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import WORD_OF, Command, PanzerState, Unit

SMOKE: Final = "smoke"
COMMANDS: Final = {command.value: command for command in Command}

# --- 4.2.1 commands ------------------------------------------------------------------------------------------


def own_units(view: PanzerState, seat: str) -> list[Unit]:
    """4.2.1 A seat's units in play, including passengers, ordered by id."""
    return [unit for unit in view.vehicles.values() if unit.side == seat and in_play(view, unit)]


def as_ordered(view: PanzerState, seat: str, commands: Mapping[str, str]) -> PanzerState:
    """4.2.1 The view with these commands placed; units without one hold."""
    units = dict(view.vehicles)
    for unit in commandable(view, seat):
        word = resolve_sharing(commands, unit.id) if unit.id in commands else ""
        shares = leader_of(commands, unit.id) and word.removeprefix("with ")
        given = commands.get(shares or unit.id, Command.NO_COMMAND.value)
        command = COMMANDS.get(given, Command.NO_COMMAND)
        units[unit.id] = msgspec.structs.replace(unit, command=command, shares=shares, revealed=False, shown=False)
    return msgspec.structs.replace(view, vehicles=units)


def suggested_groups(situation: Situation, units: Sequence[Unit]) -> list[list[Unit]]:
    """6.2.1.1.3 Units of one formation within command range of each other, added one by one."""
    data, view = situation.data, situation.state
    groups: list[list[Unit]] = []
    for unit in units:
        alone = is_recon(unit) or not data.plays("command_control")
        near = (
            group
            for group in groups
            if not alone
            and not is_recon(group[0])
            and group[0].kind == unit.kind
            and hidden_under(view, group[0]) == hidden_under(view, unit)  # 7.2.2.2
            and all(in_command_range(situation, unit, mate) for mate in group)
        )
        group = next(near, None)
        if group is None:
            groups.append([unit])
        else:
            group.append(unit)
    return groups


# --- 4.4 fire ------------------------------------------------------------------------------------------------


def fits(shot: Entry, aim: Aim) -> bool:
    """Whether a shot uses the weapon and the type of fire that an aim names."""
    return aim.weapon in (None, shot.weapon) and (not aim.how or shot.how == aim.how or shot.how == f"ap:{aim.how}")


def wished_shot(occasion: Occasion, shots: Iterable[Entry], aim: Aim) -> Entry | None:
    """4.4.1 The best shot at the first target in order of preference that can be fired at."""
    if aim.how == PIN:
        return pinning_shot(occasion, shots, aim)
    fitting = [shot for shot in shots if fits(shot, aim)]
    for target in aim.targets:
        if at := [shot for shot in fitting if shot.target == target]:
            return best_first(occasion, at)[0]
    return best_first(occasion, fitting)[0] if fitting and not aim.targets else None


def pinning_shot(occasion: Occasion, shots: Iterable[Entry], aim: Aim) -> Entry | None:
    """7.18 The best GP shot that may be fired to pin."""
    data, view = occasion.data, occasion.state

    def pins(shot: Entry) -> bool:
        arm = weapons_of(data, view.vehicles[shot.unit])[shot.weapon]
        return shot.how == "gp" and not any(kind_objections(data, arm, PIN, view.vehicles[shot.target]))

    best = wished_shot(occasion, filter(pins, shots), msgspec.structs.replace(aim, how="gp"))
    return None if best is None else Entry(best.unit, best.weapon, PIN, best.target)


def wished_entries(occasion: Occasion, unit: Unit, wish: FireWish) -> list[Entry]:
    """5.14 A unit's shots under its orders in the present situation; each weapon is used for one aim only.

    A unit that has been suppressed since it got its orders (5.1.1) fires one weapon, at the first aim that is still
    possible.
    """
    shots = legal_shots(occasion, unit)
    found: list[Entry] = []
    for aim in wish.aims:
        if aim.hex:
            entry = smoke_entry(occasion, unit, aim)
            found += [entry] if entry is not None and not any(smoke_refusals(occasion, unit, entry)) else []
            continue
        used = [entry.weapon for entry in found]
        shot = wished_shot(occasion, (shot for shot in shots if shot.weapon not in used), aim)
        found += [shot] if shot is not None else []
    return found[: most_weapons(occasion.data, unit)]


def smoke_entry(occasion: Occasion, unit: Unit, aim: Aim) -> Entry | None:
    """6.1.4.3.10 Smoke from the named weapon, or the first that has any; thrown by hand, it uses the first weapon."""
    arms = weapons_of(occasion.data, unit)
    able = [arm.index for arm in arms if SMOKE in arm.hows] or [arm.index for arm in arms[:1]]
    weapon = aim.weapon if aim.weapon is not None else next(iter(able), None)
    if weapon is None:
        return None
    entry = Entry(unit.id, weapon, SMOKE, aim.hex)
    return entry._replace(weapon=SMALL_ARMS) if is_thrown(occasion, entry) else entry  # 7.22.1


def check_fire_wish(occasion: Occasion, unit: Unit, wish: FireWish) -> None:
    """4.4.1 Refuse aims that are not possible for the unit in the present situation."""
    refusals: list[Refusal] = []
    for aim in wish.aims:
        if aim.weapon is not None and not has_weapon(occasion.data, unit, aim.weapon):
            refusals.append(no_such_weapon(occasion, unit, aim.weapon))
        elif aim.hex:
            refusals += against_smoke(occasion, unit, aim)
        else:
            refusals += [refusal for target in aim.targets for refusal in against_aim(occasion, unit, aim, target)]
    if not refusals and (found := too_many_weapons(occasion, unit, wish) or too_few_weapons(occasion, unit, wish)):
        first = next((target for aim in wish.aims for target in aim.targets), "")
        word = WORD_OF[occasion.state.order_of(unit) or Command.FIRE]
        refusals.append(Illegal(f"{unit.id} {word}", found, [f"{unit.id} {word} {first}"] if first else []))
    if refusals:
        raise refusals[0] if len(refusals) == 1 else Refusals(refusals)


def targets_apart(then: Situation, fire: Mapping[str, FireWish]) -> Iterator[tuple[str, Refusal]]:
    """6.2.1.1.4 The units of a group with no target near enough to those of the others, each with the refusal."""
    view = then.state
    aimed: dict[str, list[str]] = {}
    for id, wish in fire.items():
        unit = view.vehicles[id]
        counter = counter_of(view, unit)
        for targets in (aim.targets for aim in wish.aims if aim.targets and is_shared(view, counter)):
            before = aimed.setdefault(counter.id, [])
            found = {one: list(sharing_objections(then, unit, view.vehicles[one], before)) for one in targets}
            near = [target for target in targets if not found[target]]
            if not near:
                yield id, Illegal(f"{id} at {targets[0]}", found[targets[0]], before)
            before += near[:1]


def too_many_weapons(occasion: Occasion, unit: Unit, wish: FireWish) -> list[Objection]:
    """5.1.1, 5.1.2, 5.14 Objections to firing this many weapons at once, or one of them twice."""
    unnamed = len(weapons_of(occasion.data, unit))
    smoke = [smoke_entry(occasion, unit, aim) if aim.hex else None for aim in wish.aims]
    aimed = [entry.weapon if entry else aim.weapon for entry, aim in zip(smoke, wish.aims, strict=True)]
    named = [unnamed + number if weapon is None else weapon for number, weapon in enumerate(aimed)]
    return list(weapons_objections(occasion.data, unit, [Entry(unit.id, weapon, "", "") for weapon in named]))


def too_few_weapons(occasion: Occasion, unit: Unit, wish: FireWish) -> list[Objection]:
    """5.14 Object to a target for which no weapon is left once the aims before it have theirs."""
    for number, aim in enumerate(wish.aims[: most_weapons(occasion.data, unit)], start=1):
        if len(wished_entries(occasion, unit, FireWish(wish.aims[:number]))) < number and number > 1:
            meant = aim.hex or (aim.targets or [""])[0]
            return [Objection("5.14", say("the unit has no weapon left to fire at {target}", target=meant))]
    return []


def against_smoke(occasion: Occasion, unit: Unit, aim: Aim) -> Iterator[Refusal]:
    """6.1.4.3.10, 7.22.1 Objections to smoke in a hex; the named weapon does not lay smoke that is thrown by hand."""
    entry = smoke_entry(occasion, unit, aim)
    if entry is None:
        why = Objection("6.1.4.3.10", say("the unit has no weapon that fires smoke"))
        yield Illegal(f"{unit.id} smoke", [why])
    elif aim.weapon not in (None, entry.weapon):
        why = Objection("7.22.1", say("smoke thrown by hand takes the place of the unit's small arms"))
        yield Illegal(f"{unit.id} with {(aim.weapon or 0) + 1}", [why], [f"with {entry.weapon + 1}"])
    else:
        yield from smoke_refusals(occasion, unit, entry)


def no_such_weapon(occasion: Occasion, unit: Unit, weapon: int) -> Refusal:
    """3.5 The refusal of a weapon the unit does not have; it lists the unit's weapons, counted from 1."""
    legal = [f"with {arm.index + 1} ({arm.name})" for arm in weapons_left(occasion.data, unit)]
    return Illegal(
        f"{unit.id} with {weapon + 1}",
        [Objection("4.4.3", say("the unit has no weapon number {weapon}", weapon=weapon + 1))],
        legal,
    )


def against_aim(occasion: Occasion, unit: Unit, aim: Aim, target: str) -> Iterator[Refusal]:
    """4.4.1 Objections to a shot with the named weapon; if none is named, to the shot with the fewest objections."""
    enemy = occasion.state.vehicles[target]
    ways = [
        list(occasion.objections(unit, arm, how, enemy))
        for arm in weapons_of(occasion.data, unit)
        for how in (*arm.hows, *([PIN] if aim.how == PIN else []))  # 7.18
        if how != SMOKE and fits(Entry(unit.id, arm.index, how, target), aim)
    ]
    found = min(ways, key=len, default=[Objection("4.4.3", say("the unit has no weapon that can fire that way"))])
    if found:
        legal = dict.fromkeys(shot.target for shot in best_first(occasion, legal_shots(occasion, unit)))
        word = WORD_OF[occasion.state.order_of(unit) or Command.FIRE]
        instead = [f"{unit.id} {word} {' '.join(legal)}"] if legal else [f"{unit.id} hold"]
        yield Illegal(f"{unit.id} at {target}", found, instead)


def chance_of(occasion: Occasion, shot: Entry) -> int:
    """4.4.3.2.3, 6.5.4.4 The hit number of AP fire, or the chance of an effect of GP fire (suppression: half)."""
    view = occasion.state
    firer, target = view.vehicles[shot.unit], view.vehicles[shot.target]
    if not shot.how.startswith("ap"):
        return worth(occasion, shot, distance(place_of(firer), place_of(target))) // 10
    arm = weapons_of(occasion.data, firer)[shot.weapon]
    return int(an_ap_shot(occasion.situation, firer, arm, shot.how, target, command=occasion.command).hit_number)


def watch_shots(situation: Situation, ask: Ask) -> dict[str, list[Entry]]:
    """4.4.2 The overwatch shots that friendly units, or a seat's own, could take now, by unit, best first."""
    watch, own = watch_of(situation, ask), ask.about.get("own")
    units = (unit for unit in situation.state.of(ask.seat) if own is None or unit.id in own)
    shots = {unit.id: best_first(watch, legal_shots(watch, unit)) for unit in units}
    return {unit: legal for unit, legal in shots.items() if legal}

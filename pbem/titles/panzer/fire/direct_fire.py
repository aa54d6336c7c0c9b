"""4.4.1, 6.5.2, 6.5.4 The Direct Fire Step, in which AP, GP and smoke fire is declared, revealed and resolved.

    4.4.1        direct_fire_step, fire_group, reveal, reveal_without_fire
    5.7          mark_firers
    6.2.1.1.4    shared_fire
    6.5          resolve_entry: one weapon of one unit

Legal shots are in `aiming`, legal declarations in `declarations`. AP fire is resolved in `ap_fire`, GP fire and smoke
in `gp_fire`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from pbem.engine.geometry.hexes import parse_hex
from pbem.engine.rules.ask import Ask, Later, Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Fail
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.panzer.ap.ap_fire import claim_target_moving, resolve_ap
from pbem.titles.panzer.ap.ap_modifiers import ApShot, an_ap_shot, is_adjusted, with_ammunition
from pbem.titles.panzer.cards.ammunition import Loaded, check_ammo, check_smoke
from pbem.titles.panzer.cards.card_rows import Letter
from pbem.titles.panzer.cards.units import is_engineer
from pbem.titles.panzer.cards.weapons import TURRETS, Armament, weapons_of
from pbem.titles.panzer.command import command_control, morale
from pbem.titles.panzer.command.failed_orders import failed_command
from pbem.titles.panzer.damage.effects import give_up_positions
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.fire.actions import mark_fire, seen_firing, spend_fire
from pbem.titles.panzer.fire.aiming import (
    SMOKE,
    Entry,
    Occasion,
    aim_objections,
    bound_to_fire,
    is_shared,
    no_target,
)
from pbem.titles.panzer.fire.declarations import beside_of, default_fire, read_entries
from pbem.titles.panzer.fire.direct_smoke import lay_smoke
from pbem.titles.panzer.fire.gp_fire import direct_attack, resolve_gp
from pbem.titles.panzer.fire.gp_modifiers import counter_of
from pbem.titles.panzer.fire.special_fire import (
    PIN,
    is_less_in_the_open,
    jam,
    note_fire,
    smoke_limit,
    throw_infantry_smoke,
    turn_to,
)
from pbem.titles.panzer.fire.turrets import turn_for_overwatch
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.sequence import go_on
from pbem.titles.panzer.sighting import hidden_units
from pbem.titles.panzer.sighting.spotting import lose_camouflage_by_firing
from pbem.titles.panzer.sighting.terrain import place_of
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, PanzerState, Unit

EFFECTS: Final = (
    "miss",
    "too-late",
    "no-effect",
    "none",
    "no-smoke",
    "smoke",
    "suppressed",
    "track_again",
    "no_damage",
    "track",
    "damaged",
    "reduced",
    "eliminated",
    "ko",
    "bu",
)
"""6.5 The possible effects of fire, weakest first."""


# --- 4.4.1 the Direct Fire Step --------------------------------------------------------------------------------


def direct_fire_step(
    table: Table[PanzerState],
    side: str,
    engaged: Sequence[str] = (),
    aimed: Mapping[str, Sequence[str]] | None = None,
    begun: bool = False,
) -> Step:
    """4.4.1 One player declares and resolves all fire at one target, then at the next, until done (A-21).

    `engaged` are the targets already resolved in this player's part of the step (R-09), `aimed` the targets of each
    counter that several units share (6.2.1.1.4).
    """
    state = table.state
    state.phase = "combat"
    if not begun:
        inputs = {"side": side, "player": "first" if side == state.first else "second"}
        begin_fire(table, inputs)
    occasion = Occasion(table, side, engaged=tuple(engaged), aimed=dict(aimed or {}))
    about = {"engaged": list(engaged), "aimed": {unit: list(targets) for unit, targets in occasion.aimed.items()}}
    declaration = yield Ask(side, "fire", "4.4.1", about=about, default=Later(lambda: default_fire(occasion)))
    if declaration is None:
        table.findings += unfired_commands(occasion)
        reveal_without_fire(table, side)
        go_on(table)
        return
    entries = read_entries(declaration)
    yield from fire_group(table, "4.4.1", declaration["target"], entries, lambda unit: legal_again(table, unit))
    fired_at = [entry.target for entry in entries if entry.how != SMOKE]
    table.then(
        "direct_fire_step",
        side=side,
        engaged=list(dict.fromkeys([*engaged, *fired_at])),
        aimed=aimed_after(occasion, entries),
        begun=True,
    )


def begin_fire(table: Table[PanzerState], inputs: dict[str, Any]) -> None:
    """4.4, 6.5 Announce which side fires."""
    if table.data.basic:
        table.find("4.4", inputs=inputs)
    else:
        table.find("6.5", inputs={**inputs, "step": "direct fire"}, children=[Finding("4.4", inputs=inputs)])


def legal_again(table: Table[PanzerState], firer: Unit) -> Callable[[ApShot, Unit], bool]:
    """6.5.2.1 Whether another vehicle is a legal target for a shot that is being resolved."""
    spotted = table.state.spotted.get(firer.id, ())

    def legal(shot: ApShot, other: Unit) -> bool:
        aim = aim_objections(table, firer, shot.arm, shot.how, other, shot.command)
        return other.id in spotted and not any(aim)

    return legal


def aimed_after(occasion: Occasion, entries: Iterable[Entry]) -> dict[str, list[str]]:
    """6.2.1.1.4 The targets of shared counters after these entries."""
    aimed = {unit: list(targets) for unit, targets in occasion.aimed.items()}
    for entry in entries:
        counter = counter_of(occasion.state, occasion.state.vehicles[entry.unit])
        if entry.how != SMOKE and is_shared(occasion.state, counter):
            aimed.setdefault(counter.id, []).append(entry.target)
    return aimed


Judge = Callable[[Unit], Callable[[ApShot, Unit], bool]]
"""Given a firer, returns the test whether another vehicle would be a legal target for its shot."""


def fire_group(
    table: Table[PanzerState],
    rule: str,
    target: str,
    entries: Sequence[Entry],
    legal: Judge,
    why: Iterable[Finding] = (),
    command: Command | None = None,
) -> Step:
    """4.4.1 Resolve fire declared together: reveal it, then resolve shot by shot, each result at once."""
    state, event = table.state, morale.begin(table)
    firers = [state.vehicles[id] for id in dict.fromkeys(entry.unit for entry in entries)]
    yield from hidden_units.reveal_fighters(table, firers)  # 7.2.2.3
    children = [*why, *reveal(table, firers), *declaration_findings(table, entries)]
    for aimed_at in dict.fromkeys(entry.target for entry in entries if entry.how != SMOKE):
        children += yield from claim_moving(table, entries, state.vehicles[aimed_at], command)
    for firer in firers:
        spend_fire(state, firer)  # 4.4.1/one-shot
    for entry in entries:
        note_fire(table, state.vehicles[entry.unit], entry.target)  # 7.14
    results = []
    for entry in entries:
        found: Finding = yield from resolve_entry(table, entry, entries, legal, command)
        results.append(str(found.result))
        children.append(found)
    children += mark_firers(table, entries)
    children += turn_platforms(table, entries, command)
    shown = dict.fromkeys(seen_firing(state, firer).id for firer in firers)  # 6.6.7.2
    children += [lost for id in shown if (lost := lose_camouflage_by_firing(table, state.vehicles[id]))]  # 7.24
    table.find(
        rule,
        inputs={"side": firers[0].side, "target": target, "firers": [firer.id for firer in firers]},
        result=max(results, key=EFFECTS.index),
        children=children,
        shows=[no_smoke(entry) for entry, found in zip(entries, results, strict=True) if found == "no-smoke"],
    )
    morale.finish(table, event)  # 7.1.2


def no_smoke(entry: Entry) -> Fail:
    """5.16.2.3 An order for smoke that came to nothing, since the ammunition was short."""
    return Fail(
        entry.unit, f"smoke {entry.target}", say("the unit had no smoke ammunition left this turn"), "5.16.2.3"
    )


def claim_moving(table: Table[PanzerState], entries: Sequence[Entry], target: Unit, command: Command | None) -> Step:
    """4.4.3.2.2 Ask the target's owner whether to show that it is moving, once for all fire declared at it."""
    at_it = [entry for entry in entries if entry.target == target.id]
    shots = [shot_of(table, entry, entries, command) for entry in at_it if entry.how.startswith("ap")]
    others = [entry.unit for entry in at_it if not entry.how.startswith("ap")]
    return (yield from claim_target_moving(table, target, shots, others))


def shot_of(situation: Situation, entry: Entry, entries: Sequence[Entry], command: Command | None = None) -> ApShot:
    """6.5 The shot that an entry declares; it has no AP row for GP fire."""
    firer = situation.state.vehicles[entry.unit]
    arm = weapons_of(situation.data, firer)[entry.weapon]
    beside = beside_of(situation, entry, entries)
    return an_ap_shot(
        situation, firer, arm, entry.how, situation.state.vehicles[entry.target], command=command, beside=beside
    )


def resolve_entry(
    table: Table[PanzerState],
    entry: Entry,
    entries: Sequence[Entry],
    legal: Judge,
    command: Command | None = None,
) -> Step:
    """6.5 Resolve one weapon: ammunition, then AP, GP or smoke. It has fired even if the target is already gone."""
    state, data = table.state, table.data
    firer = state.vehicles[entry.unit]
    arm = weapons_of(data, firer)[entry.weapon]
    if entry.how == SMOKE:
        own = is_infantry_smoke(firer, entry)
        return throw_infantry_smoke(table, firer) if own else fire_smoke(table, firer, arm, entry.target)
    target = state.vehicles[entry.target]
    if not target.alive:
        return too_late(data, entry)
    ammunition = check_ammo(table, firer, arm, entry.how)  # 5.16
    if entry.how.startswith("ap"):
        return (yield from fire_ap(table, shot_of(table, entry, entries, command), ammunition, legal(firer)))
    return (yield from fire_gp(table, shot_of(table, entry, entries, command), ammunition))


def is_infantry_smoke(firer: Unit, entry: Entry) -> bool:
    """7.22 Whether this is smoke into the unit's own hex, which only leg units can lay."""
    return entry.how == SMOKE and parse_hex(entry.target) == place_of(firer)


def fire_ap(
    table: Table[PanzerState], shot: ApShot, ammunition: Loaded, legal: Callable[[ApShot, Unit], bool]
) -> Step:
    """6.5.2 Resolve AP fire, including a hand-held weapon's blast against the target's passengers (5.1.3.4)."""
    blast = None
    if shot.arm.fixed and table.state.passengers(shot.target):
        manner = manner_of(shot) | {"passengers_only": True}
        blast = direct_attack(table, shot.firer, shot.arm, shot.target, **manner)
    shot = with_ammunition(shot, ammunition)
    done: Finding = yield from resolve_ap(table, shot, lambda other: legal(shot, other), ammunition.findings, blast)
    die = next((finding.dice[0] for finding in walk(done) if finding.rule == "4.4.3.2.3" and finding.dice), 0)
    broken = jam(table, shot.firer, shot.arm, die, ap=True)  # 7.25
    return msgspec.structs.replace(done, children=(*done.children, broken)) if broken else done


def fire_gp(table: Table[PanzerState], shot: ApShot, ammunition: Loaded) -> Step:
    """6.5.4 Resolve GP fire with the ammunition available."""
    manner = manner_of(shot) | {"dual": shot.beside, "limited": ammunition.short > 0, "pinning": shot.how == PIN}
    manner["hollow_charge"] = is_less_in_the_open(table, shot.arm, shot.target)  # 7.15
    attack = direct_attack(table, shot.firer, shot.arm, shot.target, **manner)
    assert attack is not None  # in range when it was declared
    done: Finding = yield from resolve_gp(table, attack)
    die = next((finding.dice[0] for finding in walk(done) if finding.rule == "6.5.4.4" and finding.dice), 0)
    broken = jam(table, shot.firer, shot.arm, die, ap=False)  # 7.25
    after = [broken] if broken else []
    if attack.hollow_charge:
        row = next(row for row in table.data.advanced.modifiers["gp"] if row.when == "hollow_charge")
        after.append(Finding("7.15", inputs={"unit": shot.target.id, "weapon": shot.arm.name}, result=row.value))
    return msgspec.structs.replace(done, children=(*ammunition.findings, *done.children, *after))


def walk(finding: Finding) -> Iterator[Finding]:
    """A finding and all its descendants."""
    yield finding
    for child in finding.children:
        yield from walk(child)


def manner_of(shot: ApShot) -> dict[str, Any]:
    """6.5.3 How GP fire is made: direct, or on overwatch with or without adjusting."""
    watching = shot.command is Command.OVERWATCH
    return {"kind": "ow" if watching else "df", "adjust": watching and is_adjusted(shot), "asked": True}


def too_late(data: PanzerData, entry: Entry) -> Finding:
    """4.4.1 If the target is lost before a shot, the unit counts as having fired and may not switch targets."""
    rule = ledger_row(data.edition, "4.4.1/declare-per-target")
    return Finding(rule, inputs={"firer": entry.unit, "target": entry.target}, result="too-late")


def fire_smoke(table: Table[PanzerState], firer: Unit, arm: Armament, hex: str) -> Finding:
    """6.1.4.3.10 Fire smoke into a hex, if smoke ammunition is available (5.16.2.3)."""
    by_hand = is_engineer(table.data, firer) and not arm.smoke
    limits: dict[Letter, int] = arm.limits
    if by_hand:  # 7.22: the limit applies to engineers too
        limits = {"S": smoke_limit(table.data, firer)} if table.data.plays("infantry_smoke") else {}
    there, why = check_smoke(table, firer.id, limits)
    laid = [lay_smoke(table, firer, parse_hex(hex))] if there else []
    inputs = {"firer": firer.id, "weapon": arm.name, "hex": hex}
    result = "smoke" if there else "no-smoke"
    return Finding("6.1.4.3.10", inputs=inputs, result=result, children=(*why, *laid))


# --- revealing and marking -------------------------------------------------------------------------------------


def reveal(table: Table[PanzerState], firers: Iterable[Unit]) -> Iterator[Finding]:
    """4.2.1 Reveal the firers' counters, each once; a shared one for all units that share it."""
    for counter in _counters(table.state, firers):
        assert counter.command is not None
        group = command_control.reveal(table.state, counter)
        half = [Finding("3.4", inputs={"unit": counter.id}, result="fire-half")]
        yield Finding(
            ledger_row(table.data.edition, "4.2.1/secrecy"),
            inputs={
                "unit": counter.id,
                "command": counter.command.value,
                **({"shared": [member.id for member in group]} if len(group) > 1 else {}),
            },
            result="revealed",
            children=(
                *(half if counter.command is Command.SHORT_HALT else ()),
                *give_up_positions(table.data, group),
            ),
        )


def _counters(view: PanzerState, units: Iterable[Unit]) -> list[Unit]:
    """The counters of these units, each once."""
    return list({counter.id: counter for counter in (counter_of(view, unit) for unit in units)}.values())


def unfired_commands(occasion: Occasion) -> Iterator[Finding]:
    """4.4.1 The Fire and Short Halt commands that found no target, for their owner, each with the reason."""
    for unit in bound_to_fire(occasion.state, occasion.side):
        command = counter_of(occasion.state, unit).command
        assert command is not None
        yield failed_command(unit, command, no_target(occasion, unit))


def reveal_without_fire(table: Table[PanzerState], side: str) -> None:
    """A-38 Fire and Short Halt units with no target left reveal their command at the end of the step."""
    rule = ledger_row(table.data.edition, "4.2.1/binding")
    idle = [unit for unit in bound_to_fire(table.state, side) if not unit.revealed]
    for unit in idle:
        if not unit.revealed:  # not shown along with a unit that shares its counter
            shown = list(reveal(table, [unit]))
            table.find(rule, to=unit.audience, inputs={"unit": unit.id}, result="no-target", children=shown)


def declaration_findings(situation: Situation, entries: Sequence[Entry]) -> Iterator[Finding]:
    """5.14, 6.2.1.1.4, 6.6.7.2 Findings about dual fire, shared commands and passengers in a declaration."""
    data, view = situation.data, situation.state
    for id in dict.fromkeys(entry.unit for entry in entries):
        unit, own = view.vehicles[id], [entry for entry in entries if entry.unit == id]
        if len(own) > 1:
            beside = {arm_name(data, unit, entry): beside_of(situation, entry, entries) for entry in own}
            yield Finding("5.14", inputs={"unit": id}, result=beside)
        if unit.aboard:
            inputs = {"unit": id, "carrier": unit.aboard, "command": counter_of(view, unit).command}
            yield Finding("6.6.7.2", inputs=inputs, result=[entry.how for entry in own])
    for counter in _counters(view, [view.vehicles[entry.unit] for entry in entries]):
        if is_shared(view, counter):
            yield shared_fire(situation, counter, entries)


def arm_name(data: PanzerData, unit: Unit, entry: Entry) -> str:
    return weapons_of(data, unit)[entry.weapon].name


def shared_fire(situation: Situation, counter: Unit, entries: Sequence[Entry]) -> Finding:
    """6.2.1.1.4 The units of a shared command, their targets, and the command range that limits the targets."""
    group = command_control.group_of(situation.state, counter)
    members = {unit.id for unit in group}
    targets = [entry.target for entry in entries if entry.unit in members]
    watching = counter.command is Command.OVERWATCH
    part = Finding(
        "6.2.1.1.4/overwatch" if watching else "6.2.1.1.4/fire",
        inputs={"counter": counter.id, "range": command_control.range_among(situation.data, group)},
        result=list(dict.fromkeys(targets)),
    )
    inputs = {"counter": counter.id, "units": sorted(members)}
    return Finding("6.2.1.1.4", inputs=inputs, result=part.result, children=(part,))


def turn_platforms(table: Table[PanzerState], entries: Sequence[Entry], command: Command | None) -> Iterator[Finding]:
    """7.16 Guns on platforms face their target; 7.8.4 turrets stay where overwatch fire has turned them."""
    state = table.state
    for entry in entries:
        if entry.how != SMOKE:
            firer, target = state.vehicles[entry.unit], state.vehicles[entry.target]
            if not firer.alive or target.hex is None:
                continue
            if turned := turn_to(table.data, firer, target.hex):
                yield turned
            arm = weapons_of(table.data, firer)[entry.weapon]
            watching = (
                command is Command.OVERWATCH and arm.weapon.turret in TURRETS
            )  # 7.8: others point with the hull
            if watching and (swung := turn_for_overwatch(table, firer, target.hex)):
                yield swung


def mark_firers(table: Table[PanzerState], entries: Sequence[Entry]) -> Iterator[Finding]:
    """4.4.1, 5.7, 6.6.7.2 Mark each firer, or a passenger's carrier, with Spot/Fire, or Spot/Fire SA."""
    state, data = table.state, table.data
    for entry in entries:
        firer = state.vehicles[entry.unit]
        arm = weapons_of(data, firer)[entry.weapon]
        small = arm.small_arms and (entry.how != SMOKE or is_infantry_smoke(firer, entry))  # 7.22.1
        marked = seen_firing(state, firer)
        if not marked.alive:
            continue
        mark = mark_fire(state, firer, small_arms=small)
        rule = ledger_row(data.edition, "4.4.1/spot-fire")
        if data.basic:
            yield Finding(rule, inputs=mark.inputs, result=mark.result)
            continue
        spot = Finding(rule, inputs={"unit": marked.id}, result=mark.result, children=(mark,))
        if firer.aboard:
            rule = ledger_row(data.edition, "6.6.7.2/spot-marker")
            inputs = {"unit": firer.id, "carrier": marked.id}
            spot = Finding(rule, inputs=inputs, result=mark.result, children=(spot,))
        yield Finding("5.7", inputs={"weapon": arm.name}, result=small, children=(spot,))

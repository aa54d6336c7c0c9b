"""6.6.1 The Close Assault / Hand-to-Hand Step: declarations, advances, and the advance after combat.

    6.6.1            close_combat_step, attack_target
    6.6.1.1          attacker_objections, target_objections, reach_objections, assault_objections
    6.6.1.1          advance_objections, advance_to_attack (`advances`), still_able, groups_of_attackers
    6.6.1.1          dismount_attack, dismount_objections (in the Movement Step)
    6.6.1.1.3        advance_after_combat (ask `advance`), advance_options, check_advance
    6.6.11           same target for all units that share a Move
    answers          assault_options, check_assault

An answer to `assault` is None (no more attacks) or `{"target": "b1", "attackers": [["g1", ""], ["g2", "D4"]]}`: all
attacks on one target, in the order in which the hexes are resolved. The first unit of each hex is its primary
attacker; a hex after a unit is the one it advances to first. Close assault (6.6.1.1) is in `close_assault`,
hand-to-hand combat (6.6.1.2) in `hand_to_hand`. Rules common to both are cited by the number of the current combat.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

import msgspec

from pbem.engine.geometry.hexes import Hex, distance, hex_name, neighbours, parse_hex
from pbem.engine.rules.ask import Answer, Ask, Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Fail
from pbem.engine.rules.refusals import Illegal, Objection, Refusal, Refusals, Unreadable
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.panzer.artillery.fires import note_flames
from pbem.titles.panzer.close_combat.advances import (
    advance,
    entry_objections,
    is_fit,
    parting_objections,
    readiness_objections,
    settle_in,
)
from pbem.titles.panzer.close_combat.close_assault import Fight, close_assault, has_flamethrower
from pbem.titles.panzer.close_combat.hand_to_hand import hand_to_hand, name_primary
from pbem.titles.panzer.close_combat.tank_fright import frightened_units
from pbem.titles.panzer.command import morale
from pbem.titles.panzer.command.command_control import reveal
from pbem.titles.panzer.command.failed_orders import failed_order
from pbem.titles.panzer.damage.bail_out import bail_out_checks, face_outward
from pbem.titles.panzer.damage.damage_detail import is_leaking, leak_of_fuel
from pbem.titles.panzer.damage.effects import give_up_positions
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.fire.actions import mark_move
from pbem.titles.panzer.fire.gp_fire import show_moving
from pbem.titles.panzer.fire.gp_modifiers import counter_of, is_broken, is_hesitating
from pbem.titles.panzer.movement.arrivals import arrive
from pbem.titles.panzer.movement.placing import drive_to
from pbem.titles.panzer.movement.shared_moves import bind, same_target_objections
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.obstacles.demolition import demolition
from pbem.titles.panzer.sequence import go_on
from pbem.titles.panzer.sighting import hidden_units
from pbem.titles.panzer.sighting.camouflage import lose_camouflage
from pbem.titles.panzer.sighting.limited_spotting import has_noticed
from pbem.titles.panzer.sighting.terrain import board_now, place_of, settle
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, PanzerState, Unit

NOBODY: Final = "choose None, or {'target': unit, 'attackers': [[unit, ''], [unit, 'hex to advance to']]}"


class Declared(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """6.6.1.1 All attacks on one target, as given in an answer."""

    target: str
    attackers: tuple[tuple[str, str], ...]


class Attacker(NamedTuple):
    """6.6.1.1 One attacking unit and the hex it advances to first, if any."""

    unit: Unit
    advance: Hex | None


def paragraph(data: PanzerData, target: Unit, what: str = "") -> str:
    """6.6.1.1, 6.6.1.2 The rule number for the current combat; both combats follow the same procedure."""
    if target.kind == "vehicle":
        return ledger_row(data.edition, f"6.6.1.1/{what}" if what else "6.6.1.1")
    own = what if what in ("", "advancing-attack", "dismount-attack") else "declaration"
    return ledger_row(data.edition, f"6.6.1.2/{own}" if own else "6.6.1.2")


# --- 6.6.1 the step --------------------------------------------------------------------------------------------


def close_combat_step(table: Table[PanzerState], side: str, engaged: Sequence[str] = ()) -> Step:
    """6.6.1 One player declares and resolves all attacks on one target, then on the next, until done.

    `engaged` are the targets already attacked. The step comes before movement, so that no target can get away.
    """
    state = table.state
    state.phase = "movement"
    if not engaged:
        if side == state.first:
            yield from leaks_of_fuel(table)  # 7.23.4
        report_step(table, side)
    declaration = None
    if any(unit.kind == "leg" and (unit.dismounted or unit.hidden) for unit in state.of(side)):  # 7.2
        declaration = yield Ask(side, "assault", "6.6.1", about={"engaged": list(engaged)})
    if declaration is None:
        yield from demolition(table, side)  # 7.19
        settle(state)
        go_on(table)
        return
    declared = msgspec.convert(declaration, Declared)
    yield from attack_target(table, declared)
    table.then("close_combat_step", side=side, engaged=[*engaged, declared.target])


def leaks_of_fuel(table: Table[PanzerState]) -> Step:
    """7.23.4 At the start of the Movement Phase, vehicles that leak fuel run dry or burn; bail-outs may follow."""
    for unit in [unit for unit in table.state.vehicles.values() if is_leaking(unit)]:
        event = morale.begin(table)
        if leak := leak_of_fuel(table, unit):
            checks = bail_out_checks(table, unit, [leak.result]) if leak.result != "none" else []
            table.find(leak.rule, inputs=leak.inputs, dice=leak.dice, result=leak.result, children=(leak, *checks))
            yield from face_outward(table, checks)
        morale.finish(table, event)  # 7.1.2


def report_step(table: Table[PanzerState], side: str) -> None:
    """6.6, 6.6.1 The Movement Phase begins with close combat: First Player, then Second Player."""
    player = "first" if side == table.state.first else "second"
    if player == "first":
        table.find("6.6", inputs={"steps": ["close-combat", "movement"]}, result="close-combat")
    order = Finding(ledger_row(table.data.edition, "6.6.1/order"), inputs={"side": side}, result=player)
    table.find("6.6.1", inputs={"side": side, "player": player}, children=[order])


def attack_target(table: Table[PanzerState], declared: Declared) -> Step:
    """6.6.1.1 Resolve all attacks on one target: all declarations, then all advances, then hex by hex."""
    state = table.state
    target = state.vehicles[declared.target]
    attackers = [Attacker(state.vehicles[id], parse_hex(hex) if hex else None) for id, hex in declared.attackers]
    begun = {attacker.unit.id: attacker.unit.hex for attacker in attackers}
    yield from hidden_units.reveal_fighters(table, [attacker.unit for attacker in attackers])  # 7.2.2.3
    declare(table, target, attackers)
    frightened = frightened_units(table, [attacker.unit for attacker in attackers], target)  # 7.6
    for attacker in attackers:
        if attacker.advance is not None:
            yield from advance_to_attack(table, attacker.unit, attacker.advance, target)
    advanced = {attacker.unit.id for attacker in attackers if attacker.advance is not None}
    yield from claim_moving(table, target, [attacker.unit for attacker in attackers])
    fought: list[Unit] = []
    for group in groups_of_attackers(attackers):
        able = [unit for unit in group if unit.id not in frightened and still_able(table, unit, target)]
        if not target.alive:
            release_attackers(table, able, target)
        elif able:
            primary = group[0] if group[0] in able else (yield from replace_primary(table, target, able))
            others = tuple(unit for unit in able if unit is not primary)
            any_advanced = any(unit.id in advanced for unit in able)  # A25
            yield from resolve(table, Fight(table, primary, others, target, advanced=any_advanced))
            fought += able
    if not target.alive:
        yield from advance_after_combat(table, target, fought)
    gone_over = [attacker.unit for attacker in attackers if attacker.unit.hex != begun[attacker.unit.id]]
    settle_in(table, (unit for unit in gone_over if unit.moved))  # 6.6.8
    for unit in gone_over:
        morale.move_over(table, unit)  # 7.1.2


def declare(table: Table[PanzerState], target: Unit, attackers: Iterable[Attacker]) -> None:
    """6.6.1.1 Reveal the attackers' Move commands; no other unit may attack this target."""
    units = [attacker.unit for attacker in attackers]
    rule = ledger_row(table.data.edition, "4.2.1/secrecy")
    revealed = []
    for unit in units:
        unit.attacking = target.id
        bind(table.state, unit, target.id)  # 6.6.11
        if lost := lose_camouflage(table.data, unit, "moved"):  # 7.24
            revealed.append(lost)
        if unit.face_down:
            mates = reveal(table.state, unit)
            inputs = {"units": [mate.id for mate in mates], "command": Command.MOVE.value}
            lost_too = tuple(give_up_positions(table.data, mates))  # 6.6.9
            revealed.append(Finding(rule, inputs=inputs, result="revealed", children=lost_too))
    table.find(
        paragraph(table.data, target, "declaration"),
        inputs={"target": target.id, "attackers": [unit.id for unit in units]},
        result="declared",
        children=revealed,
    )


def groups_of_attackers(attackers: Iterable[Attacker]) -> list[list[Unit]]:
    """6.6.1.1 Units in one hex must combine; different hexes attack one after another, in the order declared."""
    groups: dict[Hex, list[Unit]] = {}
    for attacker in attackers:
        groups.setdefault(attacker.advance or place_of(attacker.unit), []).append(attacker.unit)
    return list(groups.values())


def still_able(table: Table[PanzerState], unit: Unit, target: Unit) -> bool:
    """6.6.1.1 Whether a unit can still attack; if suppressed, shaken (7.1.5) or lost on the way, it stays put."""
    if is_fit(unit):
        return True
    inputs = {"unit": unit.id, "target": target.id}
    rule = paragraph(table.data, target, "overwatch")
    heart = (
        say("the unit was suppressed on the way")
        if unit.suppressed
        else say("the unit failed a morale check on the way")
    )
    why = heart if unit.alive else say("the unit was lost on the way")
    table.find(rule, inputs=inputs, result="drops-out", shows=[Fail(unit.id, f"assault {target.id}", why, rule)])
    return False


def replace_primary(table: Table[PanzerState], target: Unit, able: Sequence[Unit]) -> Step:
    """6.6.1.1 When the primary attacker has dropped out, its owner names another unit in the hex."""
    return (yield from name_primary(table, target, able, rule=paragraph(table.data, target, "combining")))


def release_attackers(table: Table[PanzerState], units: Iterable[Unit], target: Unit) -> None:
    """6.6.1.1 If the target is lost before these units attack, let them move, but not attack another target."""
    for unit in units:
        unit.moved = False  # an advance's cost stays spent
        inputs, rule = {"unit": unit.id, "target": target.id}, paragraph(table.data, target, "declaration")
        gone = say("{target} has left play", target=target.id)
        why = Fail(unit.id, f"assault {target.id}", gone, rule)
        table.find(rule, inputs=inputs, result="may-move", shows=[why])


def claim_moving(table: Table[PanzerState], target: Unit, attackers: Sequence[Unit]) -> Step:
    """6.6.1.1.2 Ask the owner of a vehicle that is still to be attacked whether to show that it is moving."""
    if target.kind != "vehicle" or not target.alive or target.bailed_out or not any(map(is_fit, attackers)):
        return
    about = {"firers": [unit.id for unit in attackers], "attack": "close-assault"}
    for found in (yield from show_moving(table, target, "6.6.1.1.2", "6.6.1.1.2/moving-vehicle", about)):
        table.find(found.rule, inputs=found.inputs, result=found.result)


def resolve(table: Table[PanzerState], fight: Fight) -> Step:
    """6.6.1.1, 6.6.1.2 Resolve one combined attack; it uses the attackers' Moves and marks them Spot/Move."""
    event = morale.begin(table)
    flame = any(has_flamethrower(fight.data, unit) for unit in fight.attackers)
    note_flames(table, fight.target, flame)  # 7.35.1
    marks = [mark_attacker(unit) for unit in fight.attackers]
    combat = close_assault if fight.target.kind == "vehicle" else hand_to_hand
    found = yield from combat(table, fight)
    combined = Finding(
        paragraph(table.data, fight.target, "combining"),
        inputs={"primary": fight.primary.id, "others": [unit.id for unit in fight.others]},
        result=len(fight.attackers),
    )
    table.findings.append(msgspec.structs.replace(found, children=(*marks, combined, *found.children)))
    attack: morale.Attack = "close-assault" if fight.target.kind == "vehicle" else "hand-to-hand"
    morale.finish(table, event, attack, flame=flame)  # 7.1.2, 7.1.3


def mark_attacker(unit: Unit) -> Finding:
    """6.6.1.1 The attack is the unit's move this turn; the marker is Spot/Move, not Spot/Fire."""
    unit.assaulted = unit.moved = True
    mark_move(unit)
    return Finding("6.1.3", inputs={"unit": unit.id}, result=unit.pending.value)


# --- 6.6.1.1 the advancing attack ------------------------------------------------------------------------------


def advance_to_attack(table: Table[PanzerState], unit: Unit, hex: Hex, target: Unit) -> Step:
    """6.6.1.1 Advance one hex to become adjacent; overwatch fire at the unit comes before the assault."""
    data = table.data
    rules = paragraph(data, target, "advancing-attack"), paragraph(data, target, "overwatch")
    yield from advance(table, unit, hex, *rules)


# --- 6.6.1.1 eligibility ---------------------------------------------------------------------------------------


def assault_objections(
    situation: Situation,
    unit: Unit,
    target: Unit,
    advance: Hex | None = None,
    engaged: Sequence[str] = (),
) -> Iterator[Objection]:
    """6.6.1.1, 6.6.1.2 Every reason why a unit cannot attack a target, with or without an advance."""
    yield from target_objections(situation.data, target, unit.side, engaged)
    yield from attacker_objections(situation, unit, target)
    if unit.kind == "leg" and unit.alive and unit.dismounted and target.alive:
        yield from reach_objections(situation, unit, target, advance)
    yield from same_target_objections(situation.state, unit, target.id)  # 6.6.11


def target_objections(data: PanzerData, target: Unit, side: str, engaged: Sequence[str]) -> Iterator[Objection]:
    """6.6.1.1, 6.6.1.2 Object unless the target is an enemy on the ground that has not been attacked before."""
    if target.side == side or not target.alive:
        yield Objection(paragraph(data, target), say("{target} is not an enemy on the map", target=target.id))
    elif target.aboard:
        yield Objection(
            paragraph(data, target),
            say("{target} is a passenger; attack its vehicle instead", target=target.id),
        )
    if target.id in engaged:
        rule = paragraph(data, target, "declaration")
        yield Objection(rule, say("all attacks on {target} must be declared together", target=target.id))


def attacker_objections(situation: Situation, unit: Unit, target: Unit) -> Iterator[Objection]:
    """6.6.1.1 Object unless the attacker is a fit squad, half-squad or section on foot with a Move, once a turn."""
    data = situation.data
    rule = paragraph(data, target)
    if unit.kind != "leg":
        yield Objection(rule, say("only squads, half-squads and sections can attack"))
        return
    if not unit.alive:
        yield Objection(rule, say("the unit is not on the map"))
        return
    if unit.aboard:
        rule_aboard = paragraph(data, target, "dismount-attack")
        yield Objection(
            rule_aboard, say("the unit is aboard a vehicle; it can attack as it dismounts, in the Movement Step")
        )
    elif counter_of(situation.state, unit).command is not Command.MOVE:
        yield Objection(rule, say("the unit has no Move command"))
    yield from fitness_objections(rule, unit)
    yield from second_objections(data, unit, target)


def second_objections(data: PanzerData, unit: Unit, target: Unit) -> Iterator[Objection]:
    """6.6.1.1 Object to a second attack in a turn, or to a target other than the one declared."""
    if unit.attacking:
        yield Objection(
            paragraph(data, target, "declaration"),
            say("the unit has already been declared to attack {attacking}", attacking=unit.attacking),
        )


def fitness_objections(rule: str, unit: Unit) -> Iterator[Objection]:
    """6.6.1.1 Object to an attack by a suppressed, hesitating (7.1.5.1) or broken (7.1.5.2) unit."""
    if unit.suppressed:
        yield Objection(rule, say("the unit is suppressed"))
    if is_hesitating(unit):
        yield Objection(rule, say("the unit is hesitating"))
    if is_broken(unit):
        yield Objection(rule, say("the unit is broken"))


def reach_objections(situation: Situation, unit: Unit, target: Unit, advance: Hex | None) -> Iterator[Objection]:
    """6.6.1.1 Object unless the unit had spotted the target before moving and attacks from next to it (A25b)."""
    if not has_noticed(situation, unit, target):
        yield Objection(paragraph(situation.data, target), say("the unit has not spotted {target}", target=target.id))
    if advance is not None:
        yield from advance_objections(situation, unit, target, advance)
    yield from place_objections(situation, target, advance or place_of(unit))


def place_objections(situation: Situation, target: Unit, start: Hex) -> Iterator[Objection]:
    """6.6.1.1 Objections to attacking a target from a hex; walls, wire and water between them do not matter."""
    data = situation.data
    there = place_of(target)
    if distance(start, there) != 1:
        yield Objection(
            paragraph(data, target),
            say("{start} is not adjacent to {target}", start=hex_name(start), target=target.id),
        )
    board = board_now(situation)
    if abs(board.ground(start) - board.ground(there)) > data.advanced.number("close_combat_levels"):
        yield Objection(
            paragraph(data, target, "height"), say("{target} is two or more levels higher or lower", target=target.id)
        )


def advance_objections(situation: Situation, unit: Unit, target: Unit, hex: Hex) -> Iterator[Objection]:
    """6.6.1.1 Yield the objections to an advance: a closed or enemy hex, full cover, or a section with a weapon."""
    rule = paragraph(situation.data, target, "advancing-attack")
    yield from readiness_objections(situation.data, unit, rule)
    if distance(place_of(unit), place_of(target)) == 1:
        yield Objection(rule, say("the unit is already adjacent"))
    yield from entry_objections(situation, unit, hex, rule)


# --- 6.6.1.1 the dismount attack -------------------------------------------------------------------------------


def dismount_objections(situation: Situation, passenger: Unit, target: Unit, start: Hex) -> Iterator[Objection]:
    """6.6.1.1 Reasons why a passenger cannot attack as it dismounts in a hex; checked before its vehicle moves.

    The passenger or its carrier must have spotted the target by then. Sections with weapons attack from the carrier's
    hex.
    """
    data, view = situation.data, situation.state
    rule = paragraph(data, target, "dismount-attack")
    yield from target_objections(data, target, passenger.side, ())
    if passenger.kind != "leg" or not passenger.aboard:
        yield Objection(rule, say("only leg units aboard a vehicle can attack as they dismount"))
    if passenger.kind != "leg" or not passenger.aboard or not target.alive:
        return
    carrier = view.vehicles[passenger.aboard]
    yield from fitness_objections(rule, passenger)
    yield from second_objections(data, passenger, target)
    if not (has_noticed(situation, passenger, target) or has_noticed(situation, carrier, target)):
        yield Objection(rule, say("neither the unit nor its vehicle spots {target}", target=target.id))
    yield from place_objections(situation, target, start)
    yield from same_target_objections(view, passenger, target.id)  # 6.6.11


def dismount_attack(table: Table[PanzerState], carrier: Unit, unit: Unit, target: Unit) -> Step:
    """6.6.1.1 Attack in the Movement Step, right after dismounting: alone, and without overwatch fire at the unit."""
    if not target.alive:
        gone = Objection("6.6.1", say("{target} has left play", target=target.id))
        table.findings.append(failed_order(unit, f"assault {target.id}", gone))
    if not target.alive or not still_able(table, unit, target):
        return
    unit.attacking = target.id
    bind(table.state, carrier, target.id)  # 6.6.11
    inputs = {"unit": unit.id, "target": target.id}
    table.find(paragraph(table.data, target, "dismount-attack"), inputs=inputs, result="attacks")
    yield from claim_moving(table, target, [unit])
    yield from resolve(table, Fight(table, unit, (), target, dismounted=True))
    if not target.alive:
        yield from advance_after_combat(table, target, [unit])


# --- 6.6.1.1.3 advance after combat ----------------------------------------------------------------------------


def advance_after_combat(table: Table[PanzerState], target: Unit, fought: Iterable[Unit]) -> Step:
    """6.6.1.1.3, 6.6.1.2.3 Attackers may advance into the lost target's hex without drawing fire."""
    state, hex = table.state, place_of(target)
    units = [unit for unit in fought if unit.alive and not any(after_objections(table, unit, target))]
    if not units:
        return
    about = {"hex": hex_name(hex), "units": [unit.id for unit in units]}
    rule = after_combat(table.data, target)
    chosen = yield Ask(units[0].side, "advance", rule, subject=target.id, about=about, default=[])
    for unit in (state.vehicles[id] for id in chosen):
        inputs = {"unit": unit.id, "from": hex_name(place_of(unit))}
        drive_to(table, unit, hex)
        table.find(rule, inputs=inputs, result=hex_name(hex))
        yield from arrive(table, unit)


def after_combat(data: PanzerData, target: Unit) -> str:
    """6.6.1.1.3, 6.6.1.2.3 The paragraph on advance after combat for the current kind of combat."""
    combat = "6.6.1.1.3" if target.kind == "vehicle" else "6.6.1.2.3"
    return ledger_row(data.edition, f"{combat}/advance-after-combat")


def after_objections(situation: Situation, unit: Unit, target: Unit) -> Iterator[Objection]:
    """6.6.1.1.3 Object unless the unit could enter the hex, without other enemies; its allowance does not matter."""
    yield from entry_objections(situation, unit, place_of(target), after_combat(situation.data, target))


def advance_options(situation: Situation, ask: Ask) -> Iterator[Answer]:
    """6.6.1.1.3 Offer to advance no unit, all units, or any one of them."""
    units = list(ask.about["units"])
    yield []
    for chosen in (units, *([unit] for unit in units if len(units) > 1)):
        if not any(going_in_objections(situation, ask, chosen)):
            yield chosen


def going_in_objections(situation: Situation, ask: Ask, units: Sequence[str]) -> Iterator[Objection]:
    """6.6.11 Object to an advance after which units that share a Move would be out of command range."""
    hex = parse_hex(ask.about["hex"])
    for id in units:
        yield from parting_objections(situation, situation.state.vehicles[id], hex, dict.fromkeys(units, hex))


def check_advance(situation: Situation, ask: Ask, answer: Answer) -> Answer:
    """6.6.1.1.3 Accept some of the attackers, in the order in which they advance."""
    units = list(ask.about["units"])
    try:
        chosen = msgspec.convert(answer, list[str])
    except msgspec.ValidationError as error:
        raise Unreadable(
            "advance", [Objection(ask.rule, say("name the units that advance, or none"))], units
        ) from error
    for unit in chosen:
        if unit not in units:
            raise Illegal(
                unit, [Objection(ask.rule, say("the unit cannot advance into {hex}", hex=ask.about["hex"]))], units
            )
    if objections := list(going_in_objections(situation, ask, chosen)):
        raise Illegal(" ".join(chosen), objections, ["done"])
    return list(dict.fromkeys(chosen))


# --- answers ---------------------------------------------------------------------------------------------------


def legal_attacks(situation: Situation, ask: Ask) -> Iterator[tuple[Unit, Unit, Hex | None]]:
    """6.6.1.1 Every attack a single unit may make: the target and the advance."""
    data, view = situation.data, situation.state
    engaged = ask.about.get("engaged", ())
    attackers = [unit for unit in view.of(ask.seat) if unit.kind == "leg" and unit.dismounted]
    enemies = [unit for unit in view.of(view.enemy(ask.seat)) if unit.dismounted]
    for target in enemies:
        for unit in attackers:
            apart = distance(place_of(unit), place_of(target))
            if apart > 2:
                continue
            hexes = [None] if apart == 1 else advance_hexes(data, unit, target)
            for hex in hexes:
                if not any(assault_objections(situation, unit, target, hex, engaged)):
                    yield unit, target, hex


def advance_hexes(data: PanzerData, unit: Unit, target: Unit) -> list[Hex | None]:
    """6.6.1.1 The hexes adjacent to both units."""
    near = (hex for hex in neighbours(place_of(unit)) if data.board.is_on_map(hex))
    return [hex for hex in near if distance(hex, place_of(target)) == 1]


def assault_options(situation: Situation, ask: Ask) -> Iterator[Answer]:
    """6.6.1.1 Offer no attack, each unit alone, or all units adjacent to a target together."""
    yield None
    together: dict[str, list[list[str]]] = {}
    for unit, target, hex in legal_attacks(situation, ask):
        named = [unit.id, hex_name(hex) if hex else ""]
        yield {"target": target.id, "attackers": [named]}
        if hex is None:
            together.setdefault(target.id, []).append(named)
    for id, attackers in together.items():
        if len(attackers) > 1:
            yield {"target": id, "attackers": attackers}


def check_assault(situation: Situation, ask: Ask, answer: Answer) -> Answer:
    """6.6.1.1, 6.6.1.2 Accept all attacks on one target if each is legal; otherwise refuse, listing every mistake."""
    if answer is None:
        return None
    declared = _read(answer)
    target = situation.state.vehicles.get(declared.target)
    if target is None:
        raise Illegal(declared.target, [Objection("6.6.1.1", say("no unit has that name"))], _targets(situation, ask))
    refusals = list(_refusals(situation, ask, declared, target))
    if refusals:
        raise refusals[0] if len(refusals) == 1 else Refusals(refusals)
    attackers = [[id, hex_name(parse_hex(hex)) if hex else ""] for id, hex in declared.attackers]
    return {"target": declared.target, "attackers": attackers}


def _read(answer: Answer) -> Declared:
    try:
        declared = msgspec.convert(answer, Declared)
    except msgspec.ValidationError as error:
        raise Unreadable(
            "assault", [Objection("6.6.1.1", say("this attack could not be read: {error}", error=error))], [NOBODY]
        ) from error
    if not declared.attackers:
        raise Unreadable("assault", [Objection("6.6.1.1", say("name the attackers"))], [NOBODY])
    return declared


def _refusals(situation: Situation, ask: Ask, declared: Declared, target: Unit) -> Iterator[Refusal]:
    data, view = situation.data, situation.state
    legal = _targets(situation, ask)
    seen: set[str] = set()
    fighting = fighting_in(situation, declared)
    for id, name in declared.attackers:
        unit = view.vehicles.get(id)
        if unit is None or unit.side != ask.seat:
            yield Illegal(id, [Objection("6.6.1.1", say("that is not your unit"))], legal)
            continue
        try:
            advance = parse_hex(name) if name else None
        except ValueError:
            yield Unreadable(name, [Objection("6.6.1.1", say("that is not a hex"))], [NOBODY])
            continue
        objections = list(assault_objections(situation, unit, target, advance, ask.about.get("engaged", ())))
        if advance is not None and not objections:
            objections += parting_objections(situation, unit, advance, fighting)  # 6.6.11
        if id in seen:
            objections.append(Objection(paragraph(data, target), say("the unit is named twice")))
        seen.add(id)
        if objections:
            yield Illegal(id, objections, legal)


def fighting_in(situation: Situation, declared: Declared) -> dict[str, Hex]:
    """6.6.11 The hexes from which the declared attackers will fight."""
    hexes: dict[str, Hex] = {}
    for id, name in declared.attackers:
        unit = situation.state.vehicles.get(id)
        if unit is not None and unit.hex is not None:
            with suppress(ValueError):  # refused by itself
                hexes[id] = parse_hex(name) if name else unit.hex
    return hexes


def _targets(situation: Situation, ask: Ask) -> list[str]:
    """Legal attacks to suggest instead."""
    return list(dict.fromkeys(f"{unit.id} on {target.id}" for unit, target, _ in legal_attacks(situation, ask)))[:6]

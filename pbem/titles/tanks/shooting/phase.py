"""T7 Shooting: the sequence of tanks, attack dice, defence dice, cancelling and damage.

    T1.2     shooting_phase, shoot_next: one tank at a time, highest initiative first
    T7.1     attack: the parts of an attack in printed order
    T7.4     attack_dice, attack_roll
    T7.5     reroll_rule; T9.6 keeps_by_card
    T7.6     defence_modifiers, defence_roll
    T7.10    cancel
    T7.11    damage
    T7.12    Final Fury

Sight, arc and cover are in `sighting` and `line_of_sight`; the rows of T7.6 are in `data/defence_modifiers.toml`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Final

from pbem.engine.geometry.plane import root_up
from pbem.engine.rules.ask import Step, Together
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Change, Reason
from pbem.engine.rules.happenings import Shot as Fired
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import Message, as_message, named, say, several
from pbem.titles.tanks.cards.crew_and_upgrades import (
    AMMO,
    carries,
    spend,
    turn_up,
    usable,
)
from pbem.titles.tanks.cards.criticals import cannot_shoot, capacity, draw, full, hurt, lay_down
from pbem.titles.tanks.cards.keywords import (
    ASSAULT_GUN,
    BIG_GUN,
    GUNG_HO,
    HEAVY,
    counted_speed,
    has,
)
from pbem.titles.tanks.data_set import TanksData
from pbem.titles.tanks.decisions.cards import Aim, Convert, Cure, Sharpen, Stop, Ward
from pbem.titles.tanks.decisions.dice import STATIONARY, Again, Cancel, Cancelled, Pick, Reroll, Save, Saved
from pbem.titles.tanks.decisions.shooting import OneShot, SecondAttack
from pbem.titles.tanks.ground.geometry import gap
from pbem.titles.tanks.ground.line_of_sight import side_shot
from pbem.titles.tanks.ground.sighting import eye_of, target_objections, targets
from pbem.titles.tanks.ground.terrain import hull, stance
from pbem.titles.tanks.phases.conditions import hold
from pbem.titles.tanks.phases.forms import begin_phase, show_cards, take_forms, tell_sequence
from pbem.titles.tanks.phases.initiative import announce, next_to_act
from pbem.titles.tanks.player.orders import PREFERENCES, ShootingForm, ShootOrder, read_as
from pbem.titles.tanks.shooting.shots import (
    MOST_DEFENCE,
    Shot,
    attack_changes,
    base_defence,
    count_hits,
    defence_dice,
    defence_modifiers,
    hits_after,
    misses_below,
    ones_that_spoil,
    shot_at,
    usual_cancel,
)
from pbem.titles.tanks.situation import Situation
from pbem.titles.tanks.state import Tank, TanksState, explaining_numbers
from pbem.titles.tanks.telling.happenings import EARLIER, MISSED, OVERRULED, report_failure, show_shot, write_targets

SECOND_ATTACK_DICE: Final = 3
"""The number of dice in Woll's second attack."""


# --- T1.2 the phase ------------------------------------------------------------------------------------------


def shooting_phase(table: Table[TanksState]) -> Step:
    """T1.2 Take both seats' orders and their cards that change initiative; then the tanks shoot one by one."""
    state = table.state
    begin_phase(state, "shooting")
    state.shots = []
    yield from take_forms(table, "shooting")
    yield from show_cards(table, "shooting")
    announce(table, "shooting")
    tell_sequence(table, "shooting")
    table.then("shoot_next")


def shoot_next(table: Table[TanksState]) -> Step:
    """T1.2 Let the next tank shoot; after the last one, begin the Command Phase."""
    state = table.state
    shooter = next_to_act(table, "shooting")
    if shooter is None:
        table.then("command_phase")
        return
    target = yield from target_for(table, shooter)
    if target is not None:
        yield from attack(table, shooter, state.tanks[target])
    shooter.acted = True
    table.then("shoot_next")


def target_for(table: Table[TanksState], shooter: Tank) -> Step:
    """T7.1 Return the target: at the pace `tank` the owner is asked, otherwise the sealed list decides."""
    data = table.data
    legal = targets(table, shooter)
    if data.scenario.pace == "forms":
        return (yield from sealed_target(table, shooter, legal))
    return (yield OneShot.make_ask(shooter.seat, subject=shooter.id)) if legal else None


def sealed_target(table: Table[TanksState], shooter: Tank, legal: Sequence[str]) -> Step:
    """T7.1 Return the first legal target on the list; if all have become illegal, the owner is asked.

    A preference on the list is resolved now: this window opens for every tank that has a target, and makes no player
    wait.
    """
    order = sealed_shot(table, shooter)
    tell_passed(table, shooter, order, legal)
    if not legal:
        return None
    wished = wished_targets(table, order)
    chosen = next((target for target in wished if target in legal or target in PREFERENCES), None)
    if chosen is None and wished:
        table.find("T7.1", inputs={"tank": shooter.id}, result="not possible")
        inputs = {"tank": shooter.id, "targets": wished}
        table.find("T7.1", to=(shooter.seat,), inputs=inputs, result="not possible")
        return (yield OneShot.make_ask(shooter.seat, subject=shooter.id))
    found = chosen in PREFERENCES
    about, default = {"sealed": chosen if found else ""}, None if found else chosen
    target = yield OneShot.make_ask(shooter.seat, subject=shooter.id, about=about, default=default, grade="reaction")
    could = any(not full(table.data, table.state.tanks[enemy]) for enemy in legal)
    if (found and could and target is None) or (not found and chosen is not None and target != chosen):
        report_failure(table, shooter, write_targets(shooter.id, order), OVERRULED, "T7.1")
    return target


def sealed_shot(table: Table[TanksState], shooter: Tank) -> ShootOrder:
    """T1.2 Return the first alternative with true conditions, and report why the others were skipped."""
    orders = read_as(table.state.orders.get(shooter.seat, {}), ShootingForm, "shooting").orders.get(shooter.id, [])
    holding = [order for order in orders if hold(table, order.when)]
    chosen = holding[0] if holding else None
    for order in orders:
        if order is not chosen:
            missed = MISSED if chosen else say("the tank's condition was not met, so it held its fire")
            why = EARLIER if order in holding else missed
            said = write_targets(shooter.id, order)
            report_failure(table, shooter, said, why, "T1.2", needless=chosen is not None)
    return chosen or ShootOrder()


def tell_passed(table: Table[TanksState], shooter: Tank, order: ShootOrder, legal: Sequence[str]) -> None:
    """T7.1 Report why the first targets on a list are skipped, or why the tank holds its fire."""
    data, state = table.data, table.state
    living = [target for target in legal if not full(data, state.tanks[target])]
    passed = list(takewhile(lambda target: target not in living and target not in PREFERENCES, order.targets))
    critical = cannot_shoot(data, shooter)
    if not order.targets:
        return
    if critical is not None:
        why: Reason = say(
            "{critical} prevents the tank from shooting", critical=named("tanks critical", critical.name)
        )
    elif passed:
        why = several((why_not(table, shooter, target) for target in passed), "clauses")
    elif living:
        return
    else:
        why = say("the tank has no enemy that it can shoot at")
    needless = bool(passed) and critical is None and all(is_out(table, target) for target in passed)
    report_failure(table, shooter, write_targets(shooter.id, order), why, "T7.1", needless=needless)


def why_not(situation: Situation, shooter: Tank, target: str) -> Message:
    """T7.1 The reason why a tank does not shoot at a target on its list."""
    if is_out(situation, target):
        return say("{target} was already out of play", target=target)
    against = target_objections(situation, shooter, situation.state.tanks[target])
    why = several((as_message(objection.why) for objection in against), "unit")
    return say("{target}: {why}", target=target, why=why)


def is_out(situation: Situation, target: str) -> bool:
    """T7.1 Whether a target on a list is destroyed, or will be destroyed at the end of the phase."""
    return full(situation.data, situation.state.tanks[target]) or not situation.state.tanks[target].live


def wished_targets(situation: Situation, order: ShootOrder) -> list[str]:
    """T7.1 Return the list without targets that are already destroyed or will be."""
    data, state = situation.data, situation.state
    wished = dict.fromkeys(order.targets)
    return [target for target in wished if target in PREFERENCES or not full(data, state.tanks[target])]


# --- T7 an attack --------------------------------------------------------------------------------------------


def attack(table: Table[TanksState], shooter: Tank, target: Tank, *, dice: int = 0, second: bool = False) -> Step:
    """T7 Resolve one attack, in printed order. `dice` is the number of attack dice if a card sets it."""
    shot = shot_at(table, shooter, target)
    declare(table, shot)
    yield from declare_cards(table, shot, dice)
    number = attack_dice(table, shot, dice)  # T7.4
    table.state.shots.append((shooter.id, target.id))
    rolled = yield from attack_roll(table, shot, number)  # T7.4, T7.5
    hits, criticals = count_hits(shot, rolled)
    struck = hits + criticals
    saved = yield from defence_roll(table, shot, struck)  # T7.6
    keep_ammunition(table, shot, struck)
    hits, criticals = yield from cancel(table, shot, hits, criticals, saved)  # T7.10
    hits, criticals = yield from convert(table, shot, hits, criticals)
    shown = show_shot(shooter, target, misses_below(shot), rolled, (hits, criticals))
    yield from damage(table, shot, hits, criticals, shown)  # T7.11
    if not second:
        yield from attack_again(table, shot, hit=struck > 0)


def declare(table: Table[TanksState], shot: Shot) -> None:
    """T7.1 Announce the target, which is within line of sight and arc."""
    data, shooter = table.data, shot.shooter
    if full(data, shooter):
        table.find("T7.12", inputs={"tank": shooter.id, "damage": shooter.damage}, result="still shoots")
    gun = has(data, shooter, ASSAULT_GUN)
    children = [
        Finding("T7.2", inputs={"from": list(eye_of(data, shooter)), "front": gun}, result="seen"),
        Finding("T7.3", inputs={"arc": "forward" if gun else "any"}, result="in arc"),
    ]
    if gun:
        children.append(Finding("T9.1", inputs={"tank": shooter.id}, result="forward arc"))
    table.find("T7.1", inputs={"shooter": shooter.id, "target": shot.target.id}, result="target", children=children)


def declare_cards(table: Table[TanksState], shot: Shot, dice: int) -> Step:
    """T2.4 Let both seats use cards for this attack. Both are asked in every attack, regardless of their cards."""
    about = {"shooter": shot.shooter.id, "target": shot.target.id, "close": shot.close}
    about |= {"dice": dice} if dice else {}
    aim, ward = yield Together(
        (
            Aim.make_ask(shot.shooter.seat, subject=shot.shooter.id, about=about),
            Ward.make_ask(shot.target.seat, subject=shot.target.id, about=about),
        )
    )
    shot.aim += [spend(table, shot.shooter, card) for card in aim]
    shot.ward += [spend(table, shot.target, card) for card in ward]
    shot.rounds += [card for card in aim if table.data.cards[card].type == AMMO]


# --- T7.4 attack dice ----------------------------------------------------------------------------------------


def attack_dice(table: Table[TanksState], shot: Shot, given: int) -> int:
    """T7.4 The number of attack dice: the attack value modified by cards and keywords, or a card's own number."""
    base = given or table.data.models[shot.shooter.model].attack
    rows = [] if given else list(attack_changes(table, shot))
    number: int = max(0, base + sum(row["value"] for row in rows))
    children = [
        Finding("T9.3", inputs={"tank": shot.shooter.id, "text": row["text"]}, result=1)
        for row in rows
        if row["rule"] == "T9.3"
    ]
    inputs = {"shooter": shot.shooter.id, "attack": base}
    table.find("T7.4", inputs=inputs, modifiers=rows, result=number, children=children)
    return number


def attack_roll(table: Table[TanksState], shot: Shot, number: int) -> Step:
    """T7.4 Make the attack roll, then T7.5 any rerolls."""
    dice = [table.roll(6, "T7.4", shot.shooter.id, shot.target.id) for _ in range(number)]
    show_roll(table, shot, dice)
    used_all = False
    while dice:
        about = {"target": shot.target.id, "dice": list(dice), "again": used_all, "fours": misses_below(shot)}
        choice: Again | None = yield Reroll.make_ask(shot.shooter.seat, subject=shot.shooter.id, about=about)
        if choice is None:
            break
        used_all = used_all or choice.by == STATIONARY
        again = reroll_rule(table, shot, choice)
        for index in choice.dice:
            dice[index] = table.roll(6, again, shot.shooter.id, shot.target.id)
        show_roll(table, shot, dice)
    return dice


def reroll_rule(table: Table[TanksState], shot: Shot, choice: Again) -> str:
    """T7.5 Return the rule behind a reroll: T7.5 for a stationary tank, T9.6 if dice are kept, T2.2 for a card."""
    inputs = {"tank": shot.shooter.id, "dice": list(choice.dice)}
    if choice.by != STATIONARY:
        card = spend(table, shot.shooter, choice.by, limited=True)
        shot.rounds += [card.id] if card.type == AMMO else []
        table.find("T2.2", inputs={**inputs, "card": choice.by}, result="rolled again")
        return "T2.2"
    if choice.keeps:
        keeps_by_card(table, shot.shooter, choice.keeps)
        table.find("T9.6", inputs={**inputs, "kept": choice.keeps}, result="rolled again")
        return "T9.6"
    table.find("T7.5", inputs=inputs, result="rolled again")
    return "T7.5"


def keeps_by_card(table: Table[TanksState], tank: Tank, kept: int) -> None:
    """T9.6 Reveal the card that allows a second die to be kept."""
    held = carries(table.data, tank, "keep_dice")
    if kept > 1 and held is not None:
        turn_up(table, tank, held)


def show_roll(table: Table[TanksState], shot: Shot, dice: Sequence[int]) -> None:
    hits, criticals = count_hits(shot, dice)
    how = explaining_numbers(table, least=misses_below(shot), spoil=ones_that_spoil(shot))
    inputs = {"shooter": shot.shooter.id, "target": shot.target.id, **how}
    table.find("T7.4", inputs=inputs, dice=dice, result={"hits": hits, "criticals": criticals})


def keep_ammunition(table: Table[TanksState], shot: Shot, struck: int) -> None:
    """T2.2 Let a Clever Loader keep special ammunition that scored no hit."""
    loader = carries(table.data, shot.shooter, "keeps_ammo")
    gone = [held for held in shot.shooter.cards if held.id in shot.rounds and held.gone]
    if struck or not gone or loader is None:
        return
    turn_up(table, shot.shooter, loader)
    held = gone[0]
    held.gone = False
    table.find("T2.2", inputs={"tank": shot.shooter.id, "card": held.id}, result="kept")


# --- T7.6 defence dice ---------------------------------------------------------------------------------------


def defence_details(table: Table[TanksState], shot: Shot) -> Iterator[Finding]:
    """T7.7 to T7.9, T9.5 The facts behind the rows of the defence table."""
    data = table.data
    hidden = {"hidden": len(shot.hidden), **explaining_numbers(table, wood=shot.wood)}
    yield Finding("T7.7", inputs=hidden, result=shot.cover)
    if shot.wood:
        yield Finding("T6.2", inputs={"tank": shot.target.id}, result="cover")
    own, other = hull(data, shot.shooter), hull(data, shot.target)
    reach = {"arrow": data.scenario.arrow, **explaining_numbers(table, distance=root_up(gap(own, other)))}
    yield Finding("T7.8", inputs=reach, result=shot.close)
    behind = explaining_numbers(table, behind=side_shot(stance(data, shot.shooter), stance(data, shot.target)))
    yield Finding("T7.9", inputs={"heavy": has(data, shot.target, HEAVY), **behind}, result=shot.side)
    if has(data, shot.shooter, GUNG_HO) and shot.shooter.speed:
        speeds = {"speed": shot.shooter.speed, "counted": counted_speed(data, shot.shooter)}
        yield Finding("T9.5", inputs=speeds, result=speeds["counted"])


def defence_roll(table: Table[TanksState], shot: Shot, threats: int) -> Step:
    """T7.6 Make the defence roll and any rerolls with the target's cards; return the dice."""
    data = table.data
    number = defence_dice(data, shot)
    table.find(
        "T7.6",
        inputs={"target": shot.target.id, "defence": base_defence(data, shot), "most": MOST_DEFENCE},
        modifiers=defence_modifiers(data, shot),
        result=number,
        children=list(defence_details(table, shot)),
    )
    dice = [table.roll(6, "T7.6", shot.target.id, shot.shooter.id) for _ in range(number)]
    used: list[str] = []
    while True:
        about = {"shooter": shot.shooter.id, "dice": list(dice), "threats": threats, "used": list(used)}
        choice: Saved | None = yield Save.make_ask(shot.target.seat, subject=shot.target.id, about=about)
        if choice is None:
            break
        if not used:
            show_saves(table, shot, dice)
        spend(table, shot.target, choice.by)
        used.append(choice.by)
        for index in choice.dice:
            dice[index] = table.roll(6, "T2.2", shot.target.id, shot.shooter.id)
        inputs = {"tank": shot.target.id, "card": choice.by, "dice": list(choice.dice)}
        table.find("T2.2", inputs=inputs, result="rolled again")
    show_saves(table, shot, dice)
    return dice


def show_saves(table: Table[TanksState], shot: Shot, dice: Sequence[int]) -> None:
    """T7.6 Report how many hits the defence dice can cancel."""
    result = {"shooter cancels": sum(die in (4, 5) for die in dice), "target cancels": sum(die == 6 for die in dice)}
    table.find("T7.6", inputs={"target": shot.target.id}, dice=list(dice), result=result)


# --- T7.10 cancelling ----------------------------------------------------------------------------------------


def cancel(table: Table[TanksState], shot: Shot, hits: int, criticals: int, saved: Sequence[int]) -> Step:
    """T7.10 Cancel hits: first with the 4s and 5s, chosen by the shooter; then with the 6s, chosen by the target."""
    choices = (
        (shot.shooter, "shooter", sum(die in (4, 5) for die in saved), "hits"),
        (shot.target, "target", sum(die == 6 for die in saved), "criticals"),
    )
    children, struck = [], explaining_numbers(table, hits=hits, criticals=criticals)
    for tank, by, count, usual in choices:
        count = min(count, hits + criticals)
        default = usual_cancel(count, hits, criticals, usual)
        about = {"by": by, "cancel": count, "hits": hits, "criticals": criticals}
        gone: Cancelled = yield Cancel.make_ask(tank.seat, subject=tank.id, about=about, default=default)
        hits, criticals = hits - gone.hits, criticals - gone.criticals
        result = {"criticals": gone.criticals, "hits": gone.hits}
        children.append(Finding("T7.10", inputs={"by": tank.id, "cancels": count}, result=result))
    left = {"hits": hits, "criticals": criticals}
    table.find("T7.10", inputs={"target": shot.target.id, **struck}, result=left, children=children)
    return hits, criticals


# --- hits into criticals -------------------------------------------------------------------------------------


def convert(table: Table[TanksState], shot: Shot, hits: int, criticals: int) -> Step:
    """T2.2 Use cards and guns that convert uncancelled hits or criticals; then armour that may stop a critical."""
    about = {"target": shot.target.id, "hits": hits, "criticals": criticals}
    shooter, target = shot.shooter, shot.target
    chosen = yield Convert.make_ask(shooter.seat, subject=shooter.id, about=about)
    for use in chosen:
        hits, criticals = convert_by(table, shooter, use, hits, criticals)
    exposed = carries(table.data, target, "exposes")
    left = capacity(table.data, target) - target.damage
    if 0 < hits < left and exposed is not None:  # a critical is no better for the shooter where hits are enough
        turn_up(table, target, exposed)
        before = explaining_numbers(table, before={"hits": hits, "criticals": criticals})
        inputs = {"tank": target.id, "card": exposed.id, **before}
        hits, criticals = hits - 1, criticals + 1
        table.find("T2.2", inputs=inputs, result={"hits": hits, "criticals": criticals})
    about = {"shooter": shooter.id, "hits": hits, "criticals": criticals}
    stops = yield Stop.make_ask(target.seat, subject=target.id, about=about)
    for card in stops[:criticals]:
        spend(table, target, card)
        criticals -= 1
    return hits, criticals


def convert_by(table: Table[TanksState], shooter: Tank, use: str, hits: int, criticals: int) -> tuple[int, int]:
    """T2.2 Apply one card or keyword to the hits and criticals."""
    if use != BIG_GUN:
        spend(table, shooter, use)
    before = explaining_numbers(table, before={"hits": hits, "criticals": criticals})
    inputs = {"tank": shooter.id, "card": use, **before}
    hits, criticals = hits_after(table.data, use, hits, criticals)
    table.find("T2.2", inputs=inputs, result={"hits": hits, "criticals": criticals})
    return hits, criticals


# --- T7.11 damage --------------------------------------------------------------------------------------------


def damage(table: Table[TanksState], shot: Shot, hits: int, criticals: int, shown: Fired) -> Step:
    """T7.11 Apply one point of damage for each hit, and draw one critical card for each critical."""
    target = shot.target
    inputs = {"target": target.id, "hits": hits, "criticals": criticals}
    table.find("T7.11", inputs=inputs, result=hits, shows=[shown])
    hurt(table, target, hits)
    about = {"target": target.id, "criticals": criticals}
    sharp = yield Sharpen.make_ask(shot.shooter.seat, subject=shot.shooter.id, about=about)
    for number in range(criticals):
        card = draw(table, target)
        for by in sharp if number == 0 and card else ():
            card = yield from choose_critical(table, shot, card, by)
        if card:
            yield from suffer(table, target, card)
        else:
            hurt(table, target, 1)  # a deck without cards
    if full(table.data, target):
        table.find("T7.12", inputs={"tank": target.id, "damage": target.damage}, result="out at the end of the turn")


def choose_critical(table: Table[TanksState], shot: Shot, first: str, by: str) -> Step:
    """T2.2 Draw a second critical card; the shooter discards one of the two."""
    spend(table, shot.shooter, by)
    second = draw(table, shot.target)
    if not second:
        return first
    about = {"cards": [first, second], "target": shot.target.id}
    kept = yield Pick.make_ask(shot.shooter.seat, subject=shot.shooter.id, about=about, default=first)
    dropped = second if kept == first else first
    lay_down(table.state, dropped, table.state.discards)
    table.find("T2.2", inputs={"tank": shot.shooter.id, "card": by, "cards": [first, second]}, result=kept)
    return kept


# --- second attacks ------------------------------------------------------------------------------------------


def attack_again(table: Table[TanksState], shot: Shot, *, hit: bool) -> Step:
    """T2.2 Let a hero attack a second time. The seat is asked after every attack, whatever its cards."""
    about = {"target": shot.target.id, "hit": hit}
    target = yield SecondAttack.make_ask(shot.shooter.seat, subject=shot.shooter.id, about=about)
    if target is None:
        return
    card = usable(table, shot.shooter, "again", about)[0]
    spend(table, shot.shooter, card)
    dice = SECOND_ATTACK_DICE if hit else 0
    yield from attack(table, shot.shooter, table.state.tanks[target], dice=dice, second=True)


def lose_speed(table: Table[TanksState], tank: Tank) -> None:
    """T5.3 Remove the speed token because of a critical card."""
    if tank.speed and table.shows_happenings:
        gone = {"tank": tank.id, "token": "speed"}
        table.find("T2.5", inputs=gone, result=0, shows=[Change(tank.id, "speed", 0)])
    if tank.speed:
        tank.taken = tank.speed
    tank.speed = 0


def suffer(table: Table[TanksState], tank: Tank, card_id: str) -> Step:
    """T7.11 Apply a critical card: its damage and its immediate effect; a repairable card stays with the tank."""
    data: TanksData = table.data
    card = data.criticals[card_id]
    read = Finding(
        "T2.3",
        inputs={"name": card.name, "text": card.text, "repairable": card.repairable},
        result={"damage": card.damage, "stays": card.repairable},
    )
    table.find("T7.11", inputs={"tank": tank.id, "critical": card_id}, result="drawn", children=[read])
    about = {"critical": card_id}
    cures = yield Cure.make_ask(tank.seat, subject=tank.id, about=about)
    if cures:
        spend(table, tank, cures[0], limited=True)
        table.find("T2.3", inputs={"tank": tank.id, "critical": card_id, "by": cures[0]}, result="cancelled")
        lay_down(table.state, card_id, table.state.discards)
        return
    hurt(table, tank, card.damage)
    if card.effect.no_speed:
        lose_speed(table, tank)
    lay_down(table.state, card_id, tank.criticals if card.repairable else table.state.discards)
    if card.repairable and table.shows_happenings:
        stays = {"tank": tank.id, "critical": card_id}
        table.find("T7.11", inputs=stays, result="stays", shows=[Change(tank.id, card_id, True)])

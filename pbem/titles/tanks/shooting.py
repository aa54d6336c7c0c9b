"""T7 Shooting: who shoots, attack dice, defence dice, cancelling, damage.

    T1.2     shooting_phase, shoot_next: one tank at a time, highest initiative first
    T7.1     attack: the parts of an attack in printed order
    T7.4     attack_dice, attack_roll
    T7.5     reroll_window; T9.6 keeping some dice
    T7.6     defence_modifiers, defence_roll
    T7.10    cancel
    T7.11    damage
    T7.12    Final Fury

Sight, arc and cover are in `sighting` and `line_of_sight`; the rows of T7.6 are in `data/defence_modifiers.toml`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from pbem.engine.play.bots import Choice
from pbem.engine.rules.ask import Answer, Ask, Step, Together
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Illegal, Objection, Refusal, Unreadable
from pbem.engine.rules.table import Table
from pbem.titles.tanks.conditions import hold
from pbem.titles.tanks.crew_and_upgrades import (
    carries,
    open_effects,
    spend,
    turn_up,
    usable,
)
from pbem.titles.tanks.criticals import draw, full, hurt, lasting, lay_down, suffer
from pbem.titles.tanks.data_set import Card, TanksData, nearest
from pbem.titles.tanks.geometry import near
from pbem.titles.tanks.initiative import announce, next_to_act, show_cards
from pbem.titles.tanks.keywords import (
    ASSAULT_GUN,
    BIG_GUN,
    GUNG_HO,
    HEAVY,
    coordinating,
    counted_speed,
    dice_kept,
    has,
)
from pbem.titles.tanks.line_of_sight import close_range, hidden_corners, in_wood, side_shot
from pbem.titles.tanks.movement import (
    begin_phase,
    condition_objections,
    pace_refusals,
    raise_all,
    stranger,
    take_forms,
)
from pbem.titles.tanks.plan import PREFERENCES, ShootingForm, ShootOrder, plain, read_as
from pbem.titles.tanks.sighting import eye_of, target_objections, targets
from pbem.titles.tanks.state import Tank, TanksState
from pbem.titles.tanks.terrain import Screen, hull, screens

MOST_DEFENCE: Final = 6
COVER_CORNERS: Final = 3
SECOND_ATTACK_DICE: Final = 3
"""Woll's second attack."""
CHOICES: Final = 40


# --- T1.2 the phase ------------------------------------------------------------------------------------------


def shooting_phase(table: Table[TanksState]) -> Step:
    """T1.2 Orders from both, cards that change initiative, then tank by tank."""
    state = table.state
    begin_phase(state, "shooting")
    state.shots = []
    yield from take_forms(table, "shooting")
    yield from show_cards(table, "shooting")
    announce(table, "shooting")
    table.then("shoot_next")


def shoot_next(table: Table[TanksState]) -> Step:
    """T1.2 The next tank shoots; after the last the Command Phase begins."""
    state = table.state
    shooter = next_to_act(table.data, state, "shooting")
    if shooter is None:
        table.then("command_phase")
        return
    target = yield from target_for(table, shooter)
    if target is not None:
        yield from attack(table, shooter, state.tanks[target])
    shooter.acted = True
    table.then("shoot_next")


def target_for(table: Table[TanksState], shooter: Tank) -> Step:
    """T7.1 The first target on its list that it may shoot at; if all have become illegal its owner is asked.

    What the list leaves open is found out now: the window for it is open for every tank that has a target, and waits
    for nobody.
    """
    data, state = table.data, table.state
    legal = targets(data, state, shooter)
    if not legal:
        return None
    ask = Ask(shooter.seat, "shoot", "T7.1", subject=shooter.id, default=None, grade="order")
    if data.scenario.pace == "forms":
        wished = wished_targets(data, state, shooter)
        chosen = next((target for target in wished if target in legal or target in PREFERENCES), None)
        if chosen is None and wished:
            table.find("T7.1", inputs={"tank": shooter.id, "targets": wished}, result="not possible")
        else:
            left_open = {"sealed": chosen if chosen in PREFERENCES else ""}
            default = None if chosen in PREFERENCES else chosen
            ask = Ask(shooter.seat, "shoot", "T7.1", subject=shooter.id, about=left_open, default=default)
    return (yield ask)


def wished_targets(data: TanksData, state: TanksState, shooter: Tank) -> list[str]:
    """T7.1 The list that holds now, without those that are out already."""
    form = read_as(state.orders.get(shooter.seat, {}), ShootingForm, "shooting")
    standing = [order for order in form.orders.get(shooter.id, []) if hold(data, state, order.when)]
    wished = dict.fromkeys(target for order in standing[:1] for target in order.targets)
    return [target for target in wished if target in PREFERENCES or not full(data, state.tanks[target])]


# --- the shot ------------------------------------------------------------------------------------------------


class Shot(msgspec.Struct):
    """What an attack is about. Effects are those of open cards and of cards declared for it."""

    shooter: Tank
    target: Tank
    close: bool
    side: bool
    hidden: list[int] = []
    wood: bool = False
    aim: list[Card] = []
    ward: list[Card] = []

    @property
    def cover(self) -> bool:
        """T7.7, T6.2 Three corners hidden, or in a wood."""
        return len(self.hidden) >= COVER_CORNERS or self.wood


def shot_at(data: TanksData, view: TanksState, shooter: Tank, target: Tank) -> Shot:
    """T7.7 to T7.9 How the two lie to each other, with what may be between them."""
    return shot_through(data, shooter, target, screens(data, view, shooter.id, target.id))


def shot_through(data: TanksData, shooter: Tank, target: Tank, between: Sequence[Screen]) -> Shot:
    """T7.7, T6.2 What hides the target, or gives it cover."""
    own, other = hull(data, shooter), hull(data, target)
    shot = open_shot(data, shooter, target)
    shot.hidden = hidden_corners(eye_of(data, shooter), own, other, between)
    shot.wood = in_wood(other, between)
    return shot


def open_shot(data: TanksData, shooter: Tank, target: Tank) -> Shot:
    """T7.8, T7.9 How the two lie to each other if nothing is between them."""
    own, other = hull(data, shooter), hull(data, target)
    return Shot(
        shooter=shooter,
        target=target,
        close=close_range(own, other, data.scenario.arrow),
        side=side_shot(own, other) and not has(data, target, HEAVY),
        aim=[card for card, _ in open_effects(data, shooter)],
        ward=[card for card, _ in open_effects(data, target)],
    )


# --- T7 an attack --------------------------------------------------------------------------------------------


def attack(table: Table[TanksState], shooter: Tank, target: Tank, *, dice: int = 0, second: bool = False) -> Step:
    """T7 One attack, in printed order. `dice` is given where a card says how many."""
    shot = shot_at(table.data, table.state, shooter, target)
    declare(table, shot)
    yield from declare_cards(table, shot)
    number = dice or attack_dice(table, shot)  # T7.4
    table.state.shots.append((shooter.id, target.id))
    rolled = yield from attack_roll(table, shot, number)  # T7.4, T7.5
    hits, criticals = counted(shot, rolled)
    saved = yield from defence_roll(table, shot, hits + criticals)  # T7.6
    keep_ammunition(table, shot, hits + criticals)
    hits, criticals = yield from cancel(table, shot, hits, criticals, saved)  # T7.10
    hits, criticals = yield from convert(table, shot, hits, criticals)
    yield from damage(table, shot, hits, criticals)  # T7.11
    if not second:
        yield from attack_again(table, shot, hit=hits + criticals > 0)


def declare(table: Table[TanksState], shot: Shot) -> None:
    """T7.1 The target, in line of sight and arc."""
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


def declare_cards(table: Table[TanksState], shot: Shot) -> Step:
    """T2.4 Both may use cards for this attack. Asked of both in every attack, whatever they hold."""
    about = {"shooter": shot.shooter.id, "target": shot.target.id, "close": shot.close}
    aim, ward = yield Together(
        (
            Ask(shot.shooter.seat, "aim", "T2.4", subject=shot.shooter.id, about=about, default=[]),
            Ask(shot.target.seat, "ward", "T2.4", subject=shot.target.id, about=about, default=[]),
        )
    )
    shot.aim += [spend(table, shot.shooter, card) for card in aim]
    shot.ward += [spend(table, shot.target, card) for card in ward]


# --- T7.4 attack dice ----------------------------------------------------------------------------------------


def attack_changes(data: TanksData, view: TanksState, shot: Shot) -> Iterator[dict[str, Any]]:
    """T7.4 What changes the attack dice, as rows."""
    for card in shot.aim:
        gain = card.effect.attack + (card.effect.attack_close if shot.close else 0)
        if gain:
            yield {"rule": "T7.4", "text": card.name, "value": gain}
    hurt_by = sum(effect.attack for effect in lasting(data, shot.shooter))
    if hurt_by:
        yield {"rule": "T2.3", "text": "criticals", "value": hurt_by}
    friend = coordinating(data, view, shot.shooter, shot.target)
    if friend is not None:
        yield {"rule": "T9.3", "text": f"coordinated with {friend.id}", "value": 1}


def attack_dice(table: Table[TanksState], shot: Shot) -> int:
    """T7.4 The attack value, changed by cards and keywords."""
    base = table.data.models[shot.shooter.model].attack
    rows = list(attack_changes(table.data, table.state, shot))
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
    """T7.4 The roll, then T7.5 whatever is rolled again."""
    dice = [table.roll(6, "T7.4", shot.shooter.id, shot.target.id) for _ in range(number)]
    show_roll(table, shot, dice)
    used_all = False
    while dice:
        about = {"target": shot.target.id, "dice": list(dice), "again": used_all, "fours": misses_below(shot)}
        choice = yield Ask(shot.shooter.seat, "reroll", "T7.5", subject=shot.shooter.id, about=about, default=None)
        if choice is None:
            break
        used_all = used_all or choice["by"] == "stationary"
        again = reroll_rule(table, shot, choice)
        for index in choice["dice"]:
            dice[index] = table.roll(6, again, shot.shooter.id, shot.target.id)
        show_roll(table, shot, dice)
    return dice


def reroll_rule(table: Table[TanksState], shot: Shot, choice: Mapping[str, Any]) -> str:
    """T7.5 All dice of a stationary tank; T9.6 all but some; T2.2 a card."""
    inputs = {"tank": shot.shooter.id, "dice": list(choice["dice"])}
    if choice["by"] != "stationary":
        spend(table, shot.shooter, choice["by"], limited=True)
        table.find("T2.2", inputs={**inputs, "card": choice["by"]}, result="rolled again")
        return "T2.2"
    if choice["keeps"]:
        keeps_by_card(table, shot.shooter, choice["keeps"])
        table.find("T9.6", inputs={**inputs, "kept": choice["keeps"]}, result="rolled again")
        return "T9.6"
    table.find("T7.5", inputs=inputs, result="rolled again")
    return "T7.5"


def keeps_by_card(table: Table[TanksState], tank: Tank, kept: int) -> None:
    """T9.6 Keeping a second die shows the card that allows it."""
    held = carries(table.data, tank, "keep_dice")
    if kept > 1 and held is not None:
        turn_up(table, tank, held)


def misses_below(shot: Shot) -> int:
    """T7.4 The lowest die that hits."""
    return 5 if any(card.effect.fours_miss for card in shot.aim) else 4


def counted(shot: Shot, dice: Sequence[int]) -> tuple[int, int]:
    """T7.4 Each 4 or 5 a hit, each 6 a critical."""
    spoil = max((card.effect.ones_spoil for card in shot.aim), default=0)
    if spoil and list(dice).count(1) >= spoil:
        return 0, 0
    return sum(misses_below(shot) <= die <= 5 for die in dice), sum(die == 6 for die in dice)


def show_roll(table: Table[TanksState], shot: Shot, dice: Sequence[int]) -> None:
    hits, criticals = counted(shot, dice)
    inputs = {"shooter": shot.shooter.id, "target": shot.target.id}
    table.find("T7.4", inputs=inputs, dice=dice, result={"hits": hits, "criticals": criticals})


def keep_ammunition(table: Table[TanksState], shot: Shot, struck: int) -> None:
    """T2.2 A Clever Loader keeps special ammunition that hit nothing."""
    spent = [card for card in shot.aim if card.type == "ammo" and card.discard]
    loader = carries(table.data, shot.shooter, "keeps_ammo")
    if struck or not spent or loader is None:
        return
    turn_up(table, shot.shooter, loader)
    held = next(held for held in shot.shooter.cards if held.id == spent[0].id and held.gone)
    held.gone = False
    table.find("T2.2", inputs={"tank": shot.shooter.id, "card": held.id}, result="kept")


# --- T7.6 defence dice ---------------------------------------------------------------------------------------

Count = Callable[[TanksData, Shot], int]

COUNTS: Final[Mapping[str, Count]] = {
    "shooter_moved": lambda data, shot: counted_speed(data, shot.shooter),
    "target_moved": lambda data, shot: shot.target.speed,
    "in_cover": lambda data, shot: int(shot.cover),
    "close_range": lambda data, shot: int(shot.close),
    "side_shot": lambda data, shot: int(shot.side),
}
"""T7.6 How often each row counts."""


def defence_modifiers(data: TanksData, shot: Shot) -> list[dict[str, Any]]:
    """T7.6 Every row that applies, in printed order, then cards."""
    rows = []
    for modifier in data.modifiers:
        times = COUNTS[modifier.when](data, shot)
        if times:
            rows.append({"rule": modifier.rule, "text": modifier.text, "value": modifier.value * times})
    for card in shot.ward:
        gain = card.effect.defence if shot.target.stationary or not card.effect.only_stationary else 0
        gain += card.effect.defence_close if shot.close else 0
        if gain:
            rows.append({"rule": "T7.6", "text": card.name, "value": gain})
    for card in shot.aim:
        if card.effect.target_defence:
            rows.append({"rule": "T7.6", "text": card.name, "value": card.effect.target_defence})
    if hurt_by := sum(effect.defence for effect in lasting(data, shot.target)):
        rows.append({"rule": "T2.3", "text": "criticals", "value": hurt_by})
    return rows


def base_defence(data: TanksData, shot: Shot) -> int:
    """T7.6 The defence value; some drivers raise it while the tank moves."""
    value = data.models[shot.target.model].defence
    moving = [card.effect.defence_value for card in shot.ward] if shot.target.speed else []
    return max([value, *moving])


def defence_dice(data: TanksData, shot: Shot) -> int:
    """T7.6 Never more than six and never less than none."""
    total: int = base_defence(data, shot) + sum(row["value"] for row in defence_modifiers(data, shot))
    return max(0, min(MOST_DEFENCE, total))


def defence_details(data: TanksData, shot: Shot) -> Iterator[Finding]:
    """T7.7 to T7.9, T9.5 What the rows rest on."""
    yield Finding("T7.7", inputs={"hidden": len(shot.hidden)}, result=shot.cover)
    if shot.wood:
        yield Finding("T6.2", inputs={"tank": shot.target.id}, result="cover")
    yield Finding("T7.8", inputs={"arrow": data.scenario.arrow}, result=shot.close)
    yield Finding("T7.9", inputs={"heavy": has(data, shot.target, HEAVY)}, result=shot.side)
    if has(data, shot.shooter, GUNG_HO) and shot.shooter.speed:
        speeds = {"speed": shot.shooter.speed, "counted": counted_speed(data, shot.shooter)}
        yield Finding("T9.5", inputs=speeds, result=speeds["counted"])


def defence_roll(table: Table[TanksState], shot: Shot, threats: int) -> Step:
    """T7.6 The roll, then whatever cards let the target roll again. The result are the dice."""
    data = table.data
    number = defence_dice(data, shot)
    table.find(
        "T7.6",
        inputs={"target": shot.target.id, "defence": base_defence(data, shot), "most": MOST_DEFENCE},
        modifiers=defence_modifiers(data, shot),
        result=number,
        children=list(defence_details(data, shot)),
    )
    dice = [table.roll(6, "T7.6", shot.target.id, shot.shooter.id) for _ in range(number)]
    used: list[str] = []
    while True:
        about = {"shooter": shot.shooter.id, "dice": list(dice), "threats": threats, "used": list(used)}
        choice = yield Ask(shot.target.seat, "save", "T2.4", subject=shot.target.id, about=about, default=None)
        if choice is None:
            break
        spend(table, shot.target, choice["by"])
        used.append(choice["by"])
        for index in choice["dice"]:
            dice[index] = table.roll(6, "T2.2", shot.target.id, shot.shooter.id)
        inputs = {"tank": shot.target.id, "card": choice["by"], "dice": list(choice["dice"])}
        table.find("T2.2", inputs=inputs, result="rolled again")
    result = {"shooter cancels": sum(die in (4, 5) for die in dice), "target cancels": sum(die == 6 for die in dice)}
    table.find("T7.6", inputs={"target": shot.target.id}, dice=dice, result=result)
    return dice


# --- T7.10 cancelling ----------------------------------------------------------------------------------------


def cancel(table: Table[TanksState], shot: Shot, hits: int, criticals: int, saved: Sequence[int]) -> Step:
    """T7.10 First the 4s and 5s, chosen by the shooter; then the 6s, chosen by the target."""
    choices = (
        (shot.shooter, "shooter", sum(die in (4, 5) for die in saved), "hits"),
        (shot.target, "target", sum(die == 6 for die in saved), "criticals"),
    )
    children = []
    for tank, by, count, usual in choices:
        count = min(count, hits + criticals)
        default = usual_cancel(count, hits, criticals, usual)
        about = {"by": by, "cancel": count, "hits": hits, "criticals": criticals}
        ask = Ask(tank.seat, "cancel", "T7.10", subject=tank.id, about=about, default=default)
        gone = yield ask
        hits, criticals = hits - gone["hits"], criticals - gone["criticals"]
        children.append(Finding("T7.10", inputs={"by": tank.id, "cancels": count}, result=dict(gone)))
    left = {"hits": hits, "criticals": criticals}
    table.find("T7.10", inputs={"target": shot.target.id}, result=left, children=children)
    return hits, criticals


def usual_cancel(count: int, hits: int, criticals: int, first: str) -> dict[str, int]:
    """T7.10 The shooter gives up plain hits first; the target cancels criticals first."""
    if first == "hits":
        plain_ones = min(count, hits)
        return {"hits": plain_ones, "criticals": count - plain_ones}
    worst = min(count, criticals)
    return {"hits": count - worst, "criticals": worst}


def check_cancel(ask: Ask, answer: Answer) -> Answer:
    """T7.10 As many as there are to cancel, and no more of a kind than there are."""
    gone = read_as(answer, dict[str, int], "cancel")
    hits, criticals = gone.get("hits", 0), gone.get("criticals", 0)
    about = ask.about
    fits = 0 <= hits <= about["hits"] and 0 <= criticals <= about["criticals"]
    if not fits or hits + criticals != about["cancel"]:
        raise Illegal("cancel", [Objection("T7.10", f"exactly {about['cancel']} of them are cancelled")])
    return {"criticals": criticals, "hits": hits}


def cancel_options(ask: Ask) -> Iterator[Answer]:
    about = ask.about
    for hits in range(about["hits"] + 1):
        criticals = about["cancel"] - hits
        if 0 <= criticals <= about["criticals"]:
            yield {"criticals": criticals, "hits": hits}


# --- hits into criticals -------------------------------------------------------------------------------------


def convert(table: Table[TanksState], shot: Shot, hits: int, criticals: int) -> Step:
    """T2.2 Cards and guns that change what was not cancelled; then armour that stops a critical."""
    about = {"target": shot.target.id, "hits": hits, "criticals": criticals}
    shooter, target = shot.shooter, shot.target
    chosen = yield Ask(shooter.seat, "convert", "T2.4", subject=shooter.id, about=about, default=[])
    for use in chosen:
        hits, criticals = changed(table, shooter, use, hits, criticals)
    exposed = carries(table.data, target, "exposes")
    if hits and exposed is not None:  # what hurts counts, known or not
        turn_up(table, target, exposed)
        hits, criticals = hits - 1, criticals + 1
    about = {"shooter": shooter.id, "hits": hits, "criticals": criticals}
    stops = yield Ask(target.seat, "stop", "T2.4", subject=target.id, about=about, default=[])
    for card in stops[:criticals]:
        spend(table, target, card)
        criticals -= 1
    return hits, criticals


def changed(table: Table[TanksState], shooter: Tank, use: str, hits: int, criticals: int) -> tuple[int, int]:
    """T2.2 One card or keyword at work."""
    if use == BIG_GUN:
        better, split = min(1, hits), 0
    else:
        effect = spend(table, shooter, use).effect
        better, split = min(effect.hits_to_criticals, hits), min(effect.criticals_to_hits, criticals)
    hits, criticals = hits - better + 2 * split, criticals + better - split
    table.find("T2.2", inputs={"tank": shooter.id, "card": use}, result={"hits": hits, "criticals": criticals})
    return hits, criticals


def convert_uses(data: TanksData, view: TanksState, ask: Ask) -> list[str]:
    tank = view.tanks[ask.subject]
    cards = usable(data, view, tank, "convert", ask.about)
    return [*cards, BIG_GUN] if has(data, tank, BIG_GUN) and ask.about["hits"] else cards


def check_convert(data: TanksData, view: TanksState, ask: Ask, answer: Answer) -> Answer:
    legal = convert_uses(data, view, ask)
    for use in answer or []:
        if use not in legal:
            raise Illegal(str(use), [Objection("T2.4", f"{ask.subject} cannot use it now")], legal)
    return list(dict.fromkeys(answer or []))


# --- T7.11 damage --------------------------------------------------------------------------------------------


def damage(table: Table[TanksState], shot: Shot, hits: int, criticals: int) -> Step:
    """T7.11 One damage for each hit; one critical card for each critical."""
    target = shot.target
    inputs = {"target": target.id, "hits": hits, "criticals": criticals}
    table.find("T7.11", inputs=inputs, result=hits)
    hurt(table, target, hits)
    about = {"target": target.id, "criticals": criticals}
    sharp = yield Ask(shot.shooter.seat, "sharpen", "T2.4", subject=shot.shooter.id, about=about, default=[])
    for number in range(criticals):
        card = draw(table, target)
        if number == 0 and sharp and card:
            card = yield from choose_critical(table, shot, card, sharp[0])
        if card:
            yield from suffer(table, target, card)
        else:
            hurt(table, target, 1)  # a deck without cards
    if full(table.data, target):
        table.find("T7.12", inputs={"tank": target.id, "damage": target.damage}, result="out at the end of the turn")


def choose_critical(table: Table[TanksState], shot: Shot, first: str, by: str) -> Step:
    """T2.2 A second card is drawn, and the shooter drops one of the two."""
    spend(table, shot.shooter, by)
    second = draw(table, shot.target)
    if not second:
        return first
    about = {"cards": [first, second], "target": shot.target.id}
    kept = yield Ask(shot.shooter.seat, "pick", "T2.2", subject=shot.shooter.id, about=about, default=first)
    dropped = second if kept == first else first
    lay_down(table.state, dropped, table.state.discards)
    table.find("T2.2", inputs={"tank": shot.shooter.id, "card": by, "cards": [first, second]}, result=kept)
    return kept


def check_pick(ask: Ask, answer: Answer) -> Answer:
    if answer not in ask.about["cards"]:
        raise Unreadable("pick", [Objection("T2.2", "one of the two cards is kept")], ask.about["cards"])
    return answer


# --- second attacks ------------------------------------------------------------------------------------------


def attack_again(table: Table[TanksState], shot: Shot, *, hit: bool) -> Step:
    """T2.2 Some heroes attack a second time. Asked after every attack."""
    about = {"target": shot.target.id, "hit": hit}
    ask = Ask(shot.shooter.seat, "again", "T2.4", subject=shot.shooter.id, about=about, default=None)
    target = yield ask
    if target is None:
        return
    card = usable(table.data, table.state, shot.shooter, "again", about)[0]
    spend(table, shot.shooter, card)
    dice = SECOND_ATTACK_DICE if hit else 0
    yield from attack(table, shot.shooter, table.state.tanks[target], dice=dice, second=True)


def again_targets(data: TanksData, view: TanksState, ask: Ask) -> list[str]:
    """T2.2 After a hit another target within an arrow of the first; after a miss any target."""
    shooter, first = view.tanks[ask.subject], view.tanks[ask.about["target"]]
    if not usable(data, view, shooter, "again", ask.about):
        return []
    legal = targets(data, view, shooter)
    if not ask.about["hit"]:
        return legal
    reach, around = data.scenario.arrow, hull(data, first)
    return [enemy for enemy in legal if enemy != first.id and near(around, hull(data, view.tanks[enemy]), reach)]


def check_again(data: TanksData, view: TanksState, ask: Ask, answer: Answer) -> Answer:
    legal = again_targets(data, view, ask)
    if answer is not None and answer not in legal:
        raise Illegal(str(answer), [Objection("T2.2", f"{ask.subject} cannot attack it a second time")], legal)
    return answer


# --- answers -------------------------------------------------------------------------------------------------


def reroll_choices(data: TanksData, view: TanksState, ask: Ask) -> Iterator[dict[str, Any]]:
    """T7.5 All dice; T9.6 all but one; T2.2 by a card."""
    tank, dice = view.tanks[ask.subject], ask.about["dice"]
    everything = list(range(len(dice)))
    if tank.stationary and not ask.about["again"]:
        yield {"by": "stationary", "dice": everything, "keeps": 0}
        kept = dice_kept(data, tank)
        best = sorted(everything, key=lambda index: (-dice[index], index))
        for keeps in range(1, min(kept, len(dice) - 1) + 1):
            yield {"by": "stationary", "dice": sorted(best[keeps:]), "keeps": keeps}
    for card in usable(data, view, tank, "reroll", ask.about):
        if data.cards[card].effect.reroll_attack_all:
            yield {"by": card, "dice": everything, "keeps": 0}
        else:
            yield from ({"by": card, "dice": [index], "keeps": 0} for index in everything)


def check_reroll(data: TanksData, view: TanksState, ask: Ask, answer: Answer) -> Answer:
    """T7.5 All or none; T9.6 all but the dice kept; T2.2 as many as the card says."""
    if answer is None:
        return None
    shape = read_as(answer, dict[str, Any], "reroll")
    tank, count = view.tanks[ask.subject], len(ask.about["dice"])
    dice = sorted({int(index) for index in shape.get("dice", [])})
    by = shape.get("by", "stationary")
    if not dice or dice[0] < 0 or dice[-1] >= count:
        raise Unreadable("reroll", [Objection("T7.5", f"dice are numbered 0 to {count - 1}")])
    if objections := list(reroll_objections(data, view, ask, tank, by, dice)):
        raise Illegal("reroll", objections)
    keeps = count - len(dice) if by == "stationary" else 0
    return {"by": by, "dice": dice, "keeps": keeps}


def reroll_objections(
    data: TanksData, view: TanksState, ask: Ask, tank: Tank, by: str, dice: Sequence[int]
) -> Iterator[Objection]:
    """T7.5, T9.6, T2.2 Everything against rolling these dice again."""
    kept = len(ask.about["dice"]) - len(dice)
    if by != "stationary":
        if by not in usable(data, view, tank, "reroll", ask.about):
            yield Objection("T2.4", f"{tank.id} cannot use {by} now")
        elif len(dice) > max(data.cards[by].effect.reroll_attack, 0) and not data.cards[by].effect.reroll_attack_all:
            yield Objection("T2.2", "the card is for one die")
        return
    if not tank.stationary:
        yield Objection("T7.5", "it has moved in this turn")
    if ask.about["again"]:
        yield Objection("T7.5", "it has rolled again already")
    if kept and not dice_kept(data, tank):
        yield Objection("T7.5", "all dice are rolled again, or none")
    elif kept > dice_kept(data, tank):
        yield Objection("T9.6", f"it keeps {dice_kept(data, tank)} at most")


def reroll_options(data: TanksData, view: TanksState, ask: Ask) -> Iterator[Answer]:
    yield None
    yield from reroll_choices(data, view, ask)


def save_choices(data: TanksData, view: TanksState, ask: Ask) -> Iterator[dict[str, Any]]:
    """T2.2 Defence dice that a card lets the target roll again: the worst first."""
    tank, dice = view.tanks[ask.subject], ask.about["dice"]
    worst = sorted(range(len(dice)), key=lambda index: (dice[index], index))
    for card in usable(data, view, tank, "save", ask.about):
        most = save_number(data, tank, card, len(dice))
        if dice and card not in ask.about["used"] and most:
            yield {"by": card, "dice": sorted(worst[:most])}


def save_number(data: TanksData, tank: Tank, card: str, dice: int) -> int:
    effect = data.cards[card].effect
    if effect.reroll_defence_all:
        return dice
    return min(dice, effect.reroll_defence or (tank.speed if effect.reroll_defence_per_move else 0))


def check_save(data: TanksData, view: TanksState, ask: Ask, answer: Answer) -> Answer:
    if answer is None:
        return None
    shape = read_as(answer, dict[str, Any], "save")
    dice = sorted({int(index) for index in shape.get("dice", [])})
    legal = {choice["by"]: len(choice["dice"]) for choice in save_choices(data, view, ask)}
    by = shape.get("by")
    if by not in legal:
        raise Illegal(str(by), [Objection("T2.4", f"{ask.subject} cannot use it now")], sorted(legal))
    if not dice or len(dice) > legal[by] or dice[0] < 0 or dice[-1] >= len(ask.about["dice"]):
        raise Illegal("save", [Objection("T2.2", f"{legal[by]} of the dice may be rolled again")])
    return {"by": by, "dice": dice}


def save_options(data: TanksData, view: TanksState, ask: Ask) -> Iterator[Answer]:
    yield None
    yield from save_choices(data, view, ask)


def check_shooting(data: TanksData, view: TanksState, ask: Ask, answer: Answer) -> Answer:
    """T1.2 The form of the phase, or a refusal of every shot that is not possible."""
    form = read_as(answer, ShootingForm, "shooting")
    refusals: list[Refusal] = list(pace_refusals(data, form.orders))
    for tank_id, orders in sorted(form.orders.items()):
        for order in orders:
            refusals += shoot_refusals(data, view, ask.seat, tank_id, order)
    refusals += [refusal for tank_id in form.sequence for refusal in stranger(view, ask.seat, tank_id)]
    raise_all(refusals)
    return plain(form)


def shoot_refusals(
    data: TanksData, view: TanksState, seat: str, tank_id: str, order: ShootOrder
) -> Iterator[Refusal]:
    """T7.1 Why one tank cannot be given one order to shoot, and whom it could shoot at."""
    strangers = list(stranger(view, seat, tank_id))
    yield from strangers
    if strangers:
        return
    if objections := list(condition_objections(view, order.when)):
        yield Illegal(tank_id, objections)
    shooter = view.tanks[tank_id]
    legal = targets(data, view, shooter) if order.targets else []
    for target in order.targets:
        if target in legal or target in PREFERENCES:
            continue
        if target not in view.tanks:
            enemies = [enemy.id for enemy in view.enemies(seat)]
            yield Illegal(target, [Objection("T7.1", "there is no such tank")], nearest(target, enemies))
        else:
            objections = list(target_objections(data, view, shooter, view.tanks[target]))
            instead = [f"{tank_id}: shoot {other}" for other in legal] or [f"{tank_id}: hold"]
            yield Illegal(f"{tank_id} shoot {target}", objections, instead)


def shooting_options(data: TanksData, view: TanksState, ask: Ask) -> Iterator[Answer]:
    """T1.2 Nobody shoots; then a fair choice."""
    yield {}
    tanks = view.of(ask.seat) if data.scenario.pace == "forms" else ()
    legal = {tank.id: [*targets(data, view, tank), *PREFERENCES] for tank in tanks}
    for number in range(CHOICES):
        choice = Choice("shooting", ask.seat, view.turn, number)
        orders = {tank: [ShootOrder([choice.one_of(enemies)])] for tank, enemies in legal.items() if enemies}
        yield plain(ShootingForm(orders=orders))


def check_shoot(data: TanksData, view: TanksState, ask: Ask, answer: Answer) -> Answer:
    """T7.1 One target, or none."""
    if answer is not None:
        if answer in PREFERENCES:
            raise Unreadable(str(answer), [Objection("T7.1", "one target is named now")])
        order = ShootOrder([str(answer)])
        raise_all(list(shoot_refusals(data, view, ask.seat, ask.subject, order)))
    return answer


def shoot_options(data: TanksData, view: TanksState, ask: Ask) -> Iterator[Answer]:
    yield None
    yield from targets(data, view, view.tanks[ask.subject])

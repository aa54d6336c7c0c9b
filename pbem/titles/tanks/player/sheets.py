"""Reference sheets for players: a tank's sheet, its shots with their odds, and lines of sight.

    T2.1, T2.4   tank_sheet, facts: the card, tokens, cards as far as the viewer knows them
    T5           movement_choices
    T7.1         shooting_choices, shot_words, chance: the odds of a shot
    T8.3, T9.2   command_choices
    T3.3         place_choices
    T7.2, T7.7   sight: the targets of a tank, and the reasons why others are not targets
    ----         roll_call: the tanks that an ask is about

Everything comes from a view, so a sheet reveals nothing hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import comb
from typing import Final

from pbem.engine.geometry.plane import root_down
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import as_message, say
from pbem.engine.text.sheets import Choice, Sheet, Sight
from pbem.titles.tanks.bots.prospects import attack_strength, best_targets
from pbem.titles.tanks.cards.criticals import capacity
from pbem.titles.tanks.cards.keywords import BLITZKRIEG, has
from pbem.titles.tanks.command.repairs import command_objections
from pbem.titles.tanks.data_set import TanksData
from pbem.titles.tanks.decisions.base import describe_dice
from pbem.titles.tanks.ground.geometry import gap
from pbem.titles.tanks.ground.sighting import sight_objections, target_objections, targets
from pbem.titles.tanks.ground.terrain import hull
from pbem.titles.tanks.movement.moves import allowance, order_objections
from pbem.titles.tanks.phases.initiative import Phase, initiative
from pbem.titles.tanks.player.orders import CommandOrder, Move, MoveOrder
from pbem.titles.tanks.player.words import in_cm, write_place
from pbem.titles.tanks.setup.placing import INWARD
from pbem.titles.tanks.shooting.shots import Shot, defence_dice, misses_below, shot_at
from pbem.titles.tanks.situation import Situation
from pbem.titles.tanks.state import Status, Tank

SIDES: Final = 6
CANCELS: Final = 3
"""T7.10 The faces of a defence die that cancel: 4, 5 and 6."""
TACTICS: Final = ("hunt", "hide", "rush")
PHASES: Final[tuple[Phase, ...]] = ("moving", "shooting")
FORMS: Final = ("movement", "shooting")
"""Questions about all tanks at once, unless the tanks are asked about one by one."""


def roll_call(situation: Situation, ask: Ask) -> dict[str, str]:
    """The tanks that can be given orders in answer to this question, in the order of their tokens."""
    data = situation.data
    if ask.kind not in CHOICES or (ask.kind in FORMS and data.scenario.pace != "forms"):
        return {}
    own = [
        tank for tank in situation.state.tanks.values() if tank.seat == ask.seat and tank.status is not Status.WRECK
    ]
    return {tank.id: data.models[tank.model].name for tank in own if ask.subject in ("", tank.id)}


# --- one tank ------------------------------------------------------------------------------------------------


def tank_sheet(situation: Situation, viewer: str, ask: Ask | None, id: str) -> Sheet | None:
    """T2.1 A tank as the viewer knows it; None if no tank has that name."""
    tank = situation.state.tanks.get(id)
    if tank is None:
        return None
    asked = ask is not None and id in roll_call(situation, ask)
    return Sheet(
        unit=id,
        name=situation.data.models[tank.model].name,
        side=tank.seat,
        at="" if tank.status is Status.RESERVE else write_place(tank.at.x, tank.at.y),
        own=tank.seat == viewer,
        facts=tuple(facts(situation, tank)),
        choices=tuple(CHOICES[ask.kind](situation, tank)) if ask is not None and asked else (),
        threats={foe.id: shot_words(situation, foe, id) for foe in threats(situation, tank)},
    )


def facts(situation: Situation, tank: Tank) -> Iterator[str]:
    """T2.1 to T2.5 The facts that the tank's cards and tokens show."""
    data = situation.data
    model = data.models[tank.model]
    if tank.status is Status.WRECK:
        yield "wreck: no tank can pass it, and it blocks sight"
        return
    first = {phase: initiative(situation, tank, phase) for phase in PHASES}
    yield "initiative " + ", ".join(f"{rank} {phase}" for phase, rank in first.items())
    yield f"attack {model.attack}, defence {model.defence}, hull {model.hull}, up to {allowance(data, tank)} moves"
    if tank.live:
        yield f"heading {tank.heading}, damage {tank.damage} of {capacity(data, tank)}, speed {tank.speed}"
    if model.keywords:
        yield ", ".join(word.replace("-", " ") for word in model.keywords)
    for held in tank.cards:
        if not held.gone:
            up = "" if held.up else ", face down"
            card = data.cards.get(held.id)
            yield f"{card.name}{up}: {card.text}" if card is not None else f"a card of {held.points}{up}"
    for critical in (data.criticals[name] for name in tank.criticals):
        yield f"{critical.name}: {critical.text}" if critical.text else critical.name


def threats(situation: Situation, tank: Tank) -> list[Tank]:
    """T7.1 The enemies that could shoot at this tank now."""
    foes = situation.state.enemies(tank.seat) if tank.live else ()
    return [foe for foe in foes if not any(target_objections(situation, foe, tank))]


# --- T7 shots ------------------------------------------------------------------------------------------------


def shot_words(situation: Situation, tank: Tank, target: str) -> str:
    """T7.4, T7.6 The odds of a shot as far as the cards are known, and the reasons for them."""
    shot = shot_at(situation, tank, situation.state.tanks[target])
    dice = str(describe_dice(situation, tank, target))
    again = ", may roll again" if tank.stationary else ""
    away = apart(situation.data, tank, situation.state.tanks[target])
    return f"hit {chance(situation, shot)} % · {dice}, {in_cm(away)} cm{again}"


def apart(data: TanksData, one: Tank, other: Tank) -> int:
    """T7.8 The distance between two hulls in millimetres, rounded down."""
    return root_down(int(gap(hull(data, one), hull(data, other)))) // 10


def chance(situation: Situation, shot: Shot) -> int:
    """T7.4, T7.10 The percentage of rolls that leave at least one uncancelled hit, rounded down."""
    attack = spread(attack_strength(situation, shot), SIDES + 1 - misses_below(shot))
    defence = spread(defence_dice(situation.data, shot), CANCELS)
    through = sum(hits * saves for hit, hits in enumerate(attack) for save, saves in enumerate(defence) if hit > save)
    return 100 * through // (sum(attack) * sum(defence))


def spread(dice: int, faces: int) -> list[int]:
    """The number of combinations in which none, one, two and so on of the dice show one of these faces."""
    return [comb(dice, count) * faces**count * (SIDES - faces) ** (dice - count) for count in range(dice + 1)]


def shooting_choices(situation: Situation, tank: Tank) -> Iterator[Choice]:
    """T7.1 The tank's targets with their odds, or the objections to shooting at each enemy."""
    found = best_targets(situation, tank, "best")
    if found:
        yield Choice("shoot", "shoot {unit}", units={id: shot_words(situation, tank, id) for id in found})
        yield Choice("shoot best", "shoot best")
        yield Choice("shoot nearest", "shoot nearest")
    else:
        yield Choice("shoot", against=tuple(why_no_shot(situation, tank)))
    yield Choice("hold", "hold")


def one_shot_choices(situation: Situation, tank: Tank) -> Iterator[Choice]:
    """T7.1 The choices when a single tank's shot is asked for in its turn: a target by name, or none."""
    return (choice for choice in shooting_choices(situation, tank) if choice.name in ("shoot", "hold"))


def why_no_shot(situation: Situation, tank: Tank) -> Iterator[Objection]:
    """T7.1 Yield, for every enemy, the reason why the tank cannot shoot at it."""
    for foe in situation.state.enemies(tank.seat):
        for objection in target_objections(situation, tank, foe):
            yield Objection(objection.rule, say("{foe}: {why}", foe=foe.id, why=as_message(objection.why)))


# --- the other phases ----------------------------------------------------------------------------------------


def movement_choices(situation: Situation, tank: Tank) -> Iterator[Choice]:
    """T5 The choices in the form: stay, use a tactic, or point the arrow at an enemy or in a legal direction."""
    yield from move_choices(situation, tank)
    yield from (Choice(tactic, tactic) for tactic in TACTICS)


def move_choices(situation: Situation, tank: Tank) -> Iterator[Choice]:
    """T5.1 The choices when a single tank's move is asked for in its turn."""
    data = situation.data
    foes = list(situation.state.enemies(tank.seat))
    closed = tuple(order_objections(situation, tank, MoveOrder([Move(tank.heading)])))
    toward = {
        foe.id: f"{in_cm(apart(data, tank, foe))} cm away"
        for foe in foes
        if not any(order_objections(situation, tank, MoveOrder([Move(f"toward {foe.id}")])))
    }
    if toward:
        yield Choice("move toward", "move toward {unit}", units=toward)
    yield Choice("move ahead", against=closed) if closed else Choice("move ahead", f"move {tank.heading}")
    yield Choice("stay", "stay")


def command_choices(situation: Situation, tank: Tank) -> Iterator[Choice]:
    """T8.3, T9.2 The choices in the Command Phase: repair a critical, or move instead."""
    data = situation.data
    for id in tank.criticals:
        name = f"repair {data.criticals[id].name.lower()}"
        closed = tuple(command_objections(situation, tank, CommandOrder(repair=id)))
        yield Choice(name, against=closed) if closed else Choice(name, f"repair {id}")
    if has(data, tank, BLITZKRIEG):
        closed = tuple(command_objections(situation, tank, CommandOrder(move=Move(tank.heading))))
        yield Choice("blitz", against=closed) if closed else Choice("blitz", f"blitz move {tank.heading}")
    yield Choice("hold", "hold")


def place_choices(situation: Situation, tank: Tank) -> Iterator[Choice]:
    """T3.3 The choices of a place, made by pointing at the table; the tank faces away from the seat's edge."""
    yield Choice("place", f"at {{x}} {{y}} face {INWARD[situation.state.edges[tank.seat]]}")


CHOICES: Final[Mapping[str, Callable[[Situation, Tank], Iterator[Choice]]]] = {
    "deploy": place_choices,
    "movement": movement_choices,
    "move": move_choices,
    "shooting": shooting_choices,
    "shoot": one_shot_choices,
    "command": command_choices,
}
"""The orders for a tank, by kind of question."""


# --- T7.2 sight ----------------------------------------------------------------------------------------------


def explain_sight(situation: Situation, seeing: str, seen: str) -> tuple[Finding, ...]:
    """T7.2 Explain why one tank sees or does not see another."""
    shooter, target = situation.state.tanks.get(seeing.lower()), situation.state.tanks.get(seen.lower())
    if shooter is None or target is None or not shooter.live or not target.live:
        return ()
    wrong = tuple(sight_objections(situation, shooter, target))
    children = tuple(Finding(one.rule, inputs={"why": one.english}, result="hidden") for one in wrong[1:])
    why = f"{seeing} {'does not see any part of' if wrong else 'sees'} {seen}"
    inputs = {"shooter": shooter.id, "target": target.id, "why": why}
    return (Finding("T7.2", inputs=inputs, result="hidden" if wrong else "seen", children=children),)


def sight(situation: Situation, start: str, end: str = "") -> Sight | None:
    """T7.1 The targets of a tank; if another tank is named, the reasons for and against shooting at it."""
    shooter = situation.state.tanks.get(start.lower())
    if shooter is None or not shooter.live:
        return None
    seen, target = tuple(targets(situation, shooter)), situation.state.tanks.get(end.lower())
    if target is None:
        return Sight(shooter.id, seen)
    why: tuple[str, ...]
    if target.id in seen:
        why = (f"T7.1 {target.id} can be shot at.", f"T7.4, T7.6 {shot_words(situation, shooter, target.id)}")
    else:
        why = tuple(f"{found.rule} {found.english}." for found in target_objections(situation, shooter, target))
    return Sight(shooter.id, seen, target.id, target.id in seen, why)

"""The vocabulary of orders: tanks, cards, moves, places and conditions, read and written as players write them.

unit_named, card_named, named_in     find a tank or card by its id, its name, or the beginning of either
leg_of, write_leg                    T5.1 a move
spot_of, mm                          T3 a place
write_condition, write_conditions    conditions
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from pbem.engine.rules.refusals import Ambiguous, Illegal, Objection, Refusal, Unreadable
from pbem.engine.text.messages import say
from pbem.titles.data_files import close_to
from pbem.titles.tanks.cards.crew_and_upgrades import held_cards
from pbem.titles.tanks.data_set import TanksData
from pbem.titles.tanks.player.language import SIDES, Words, coordinate, degrees, part, parts, point, tokens, whole
from pbem.titles.tanks.player.orders import RULE, Condition, Flank, Move, Reroll
from pbem.titles.tanks.situation import Situation
from pbem.titles.tanks.state import Status, Tank

POINT: Final = re.compile(r"(-?\d+),(-?\d+)")
"""A point in tenths of a millimetre, in the form used in orders."""


def leg_of(words: Words, unit: Callable[[str], str]) -> Move:
    """T5.1 Read a move: `40`, `ne`, `toward b2` or `away from b2`, a facing, and where the arrow touches the hull."""
    way, face = part(words, "way"), part(words, "face")
    assert way is not None
    turn = facing(face, unit) if face is not None else 0
    return Move(direction(way, unit), turn, aside_of(part(words, "leave")), aside_of(part(words, "shift")))


def aside_of(words: Words | None) -> int | Flank:
    """T5.1 Read `from 8 mm left` or `set right` as an offset in tenths of a millimetre to the right of the middle."""
    said = part(words, "aside") if words is not None else None
    if said is None:
        return 0
    side: Flank = "left" if "left" in tokens(said, "FLANK") else "right"
    numbers = [number for one in parts(said, "coordinate") for number in tokens(one, "NUMBER", "DISTANCE")]
    if not numbers:
        return side
    if "arrow" in numbers[0]:
        raise Unreadable(
            numbers[0], [Objection(RULE, say("give millimetres or centimetres here, e.g. `from 8 mm left`"))]
        )
    return coordinate(numbers[0], 0) * (-1 if side == "left" else 1)


def direction(words: Words, unit: Callable[[str], str]) -> int | str:
    goal = part(words, "goal")
    for kind, word in (("TOWARD", "toward"), ("AWAY", "away")):
        if goal is not None and tokens(words, kind):
            return f"{word} {goal_of(goal, unit)}"
    return degrees(tokens(words, "NUMBER", "COMPASS")[0])


def facing(words: Words, unit: Callable[[str], str]) -> int | str:
    """T5.1 Read a facing, measured from the arrow; a goal or compass point gives the nearest square facing."""
    if (goal := part(words, "goal")) is not None:
        return f"toward {goal_of(goal, unit)}"
    (word,) = tokens(words, "NUMBER", "SIDE", "COMPASS")
    return SIDES[word] if word in SIDES else f"bearing {degrees(word)}"


def goal_of(words: Words, unit: Callable[[str], str]) -> str:
    """T5.1 Read a goal: a tank, a piece of terrain, an objective, or a point in millimetres."""
    names, numbers = tokens(words, "NAME"), tokens(words, "NUMBER", "DISTANCE")
    return unit(names[0]) if names else unit(" ".join(numbers))


def reroll_of(words: Words) -> Reroll:
    if tokens(words, "ALWAYS"):
        return "always"
    return "never" if tokens(words, "NEVER") else whole(tokens(words, "NUMBER")[0], "hits are whole")


def spot_of(words: Words, arrow: int) -> tuple[int, int, int | None]:
    """T3 Read a place, measured from the north-west corner, and a heading, given as a bearing."""
    first, second = (" ".join(tokens(one, "NUMBER", "DISTANCE")) for one in parts(words, "coordinate")[:2])
    x, y = point(first, second, arrow)
    face = part(words, "face")
    if face is None:
        return x, y, None
    said = tokens(face, "NUMBER", "COMPASS")
    if part(face, "goal") is not None or not said:
        raise Unreadable("face", [Objection(RULE, say("give a bearing here, e.g. `face 180` or `face s`"))])
    return x, y, degrees(said[0])


def unit_named(word: str, units: Iterable[Tank], situation: Situation) -> Tank:
    """The tank with this token, number or name, or the only one whose name begins with this word."""
    data = situation.data
    candidates = list(units)
    said = squash(word)
    for fits in (said.__eq__, lambda name: name.startswith(said)):
        found = [tank for tank in candidates if any(fits(name) for name in names_of(tank, data))]
        if len(found) == 1:
            return found[0]
        if found:
            meant = [tank.id for tank in found]
            raise Ambiguous(word, [Objection(RULE, say("this could mean {meant}", meant=" or ".join(meant)))], meant)
    raise unknown(word, candidates, situation)


def unknown(word: str, candidates: Sequence[Tank], situation: Situation) -> Refusal:
    """Return the refusal of a name, which may be an enemy tank, a tank out of play, or a typing error."""
    data = situation.data
    legal = [tank.id for tank in candidates]
    known = [tank for tank in situation.state.tanks.values() if squash(word) in names_of(tank, data)]
    if known:
        return Illegal(word, [not_to_be_named(known[0], candidates)], legal)
    names = {name: tank.id for tank in candidates for name in names_of(tank, data)}
    near = close_to(squash(word), names)
    meant = [names[near[0]]] if len(near) == 1 else legal
    return Unreadable(word, [Objection(RULE, say("no tank has that name"))], meant)


def not_to_be_named(tank: Tank, candidates: Sequence[Tank]) -> Objection:
    """T1.1 Why a tank cannot be named here: it is a wreck, it belongs to the other seat, or it is not its turn."""
    if tank.status is Status.WRECK:
        return Objection("T1.1", say("that tank is a wreck"))
    if candidates and all(other.seat != tank.seat for other in candidates):
        return Objection("T1.1", say("that tank belongs to {side}", side=tank.seat))
    return Objection("T1.1", say("that tank needs no orders now"))


def names_of(tank: Tank, data: TanksData) -> tuple[str, ...]:
    """The names that orders can use for a tank: `a2`, `tank-2` and `Sherman 75` may all mean the same one."""
    return squash(tank.id), squash(f"tank{tank.id[1:]}"), squash(data.models[tank.model].name)


def joined_names(words: Sequence[str], own: Sequence[Tank], data: TanksData) -> list[str]:
    """Join names that consist of several words, such as Panzer IV."""
    whole = squash("".join(words))
    if len(words) > 1 and any(whole in names_of(tank, data) for tank in own):
        return ["".join(words)]
    return list(words)


def card_named(data: TanksData, tank: Tank, words: str) -> str:
    """Find a card of a tank by its name or part of its name."""
    aboard = {card.name: card.id for _, card in held_cards(data, tank)}
    return named_in(words, aboard, f"card of {tank.id}")


def named_in(words: str, names: Mapping[str, str], what: str) -> str:
    """The id that a word refers to: an id, a name, or the beginning of either."""
    said = squash(words)
    known = {squash(key): id for name, id in names.items() for key in (name, id)}
    exact = {id for key, id in known.items() if key == said}
    found = sorted(exact or {id for key, id in known.items() if said in key})
    if len(found) == 1:
        return found[0]
    if found:
        raise Ambiguous(words, [Objection(RULE, say("this could mean {found}", found=" or ".join(found)))], found)
    raise Unreadable(words, [Objection(RULE, say("no {what} has that name", what=what))], list(names) or ["nothing"])


def squash(name: str) -> str:
    """A name in lower case without spaces and punctuation: T-34/85 becomes t3485."""
    return re.sub(r"[^a-zäöü0-9]", "", name.lower())


def mm(tenths_of: int) -> str:
    """Convert tenths of a millimetre to millimetres as players write them."""
    return f"{tenths_of // 10}.{tenths_of % 10}" if tenths_of % 10 else str(tenths_of // 10)


def in_cm(millimetres: int) -> str:
    """Convert millimetres to centimetres, in which reports, sheets and the axes of the table measure."""
    return mm(millimetres)


def write_place(x: int, y: int) -> str:
    """A place in whole centimetres from the north-west corner, like the axes of the table."""
    return f"{(x + 50) // 100}/{(y + 50) // 100} cm"


def write_leg(move: Move) -> str:
    face = str(move.face).removeprefix("bearing ")
    if isinstance(move.face, int):
        face = next((name for name, turn in SIDES.items() if turn == move.face), face)
    turned = f" face {write_goal(face)}" if move.face != 0 else ""
    leave, shift = (
        f" {word} {write_offset(at)}" if at else "" for word, at in (("from", move.leave), ("set", move.shift))
    )
    return f"{write_goal(str(move.way))}{leave}{turned}{shift}"


def write_offset(aside: int | Flank) -> str:
    """T5.1 A sideways offset as players write it."""
    if isinstance(aside, str):
        return aside
    return f"{mm(abs(aside))} mm {'left' if aside < 0 else 'right'}"


def write_goal(said: str) -> str:
    """T5.1 A direction as players write it; points are in millimetres."""
    return POINT.sub(lambda point: f"{mm(int(point[1]))} {mm(int(point[2]))}", said)


def write_conditions(conditions: Sequence[Condition]) -> str:
    """Return conditions as players write them."""
    return f"if {' and '.join(map(write_condition, conditions))}: " if conditions else ""


def write_condition(condition: Condition) -> str:
    no, units = "not " if condition.no else "", condition.units
    match condition.what:
        case "moved":
            return f"{units[0]} {'stayed' if condition.no else 'moved'}"
        case "sees":
            return f"{units[0]} {no}sees {units[1]}"
        case "near":
            return f"{units[0]} {no}within {mm(condition.within)} mm of {units[1]}"
        case "out":
            return f"{units[0]} {no}out"
        case "shot":
            return f"{units[0]} {no}shot at"
        case "hurt":
            return f"{units[0]} {no}hurt"


# --- lines of a plan -----------------------------------------------------------------------------------------------


def write_use(use: Sequence[str]) -> str:
    """T2.4 Return the order to use a card as players write it: the tank, its card, and any friend it helps."""
    return f"{use[0]}: use {use[1]}" + (f" for {use[2]}" if len(use) > 2 else "")


def write_keep(tank: str, card: str) -> str:
    """T2.4 Return the order to keep a card as players write it."""
    return f"{tank}: keep {card}"


def write_reroll(tank: str, wish: Reroll) -> str:
    """T7.5 Return the order to reroll dice as players write it."""
    return f"{tank}: reroll {wish if isinstance(wish, str) else f'below {wish}'}"


def write_second_attack(tank: str, targets: Sequence[str]) -> str:
    """T2.2 Return the order for a second attack as players write it."""
    return f"{tank}: again {', '.join(targets)}"


def write_repair(tank: str, card: str) -> str:
    """T8.3 Return the order to repair a critical as players write it."""
    return f"{tank}: repair {card}".rstrip()


BETWEEN: Final = "; "


def followed_clause(*lines: str) -> str:
    """Return the clause which says that these lines of a plan were followed."""
    return BETWEEN.join(lines)


def lines_followed(clauses: Iterable[str]) -> set[str]:
    """Return the plan lines that these clauses name as followed."""
    return {line for clause in clauses for line in clause.split(BETWEEN)}

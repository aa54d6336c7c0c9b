"""The summary of a turn: score, losses, objectives, and the fate of the viewer's own orders."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

import msgspec

from pbem.engine.rules.happenings import (
    Appear,
    Area,
    Battle,
    Change,
    Control,
    Fail,
    Happening,
    Lose,
    Move,
    Reason,
    Reveal,
    Shot,
    Vanish,
)
from pbem.engine.rules.title import Stand
from pbem.engine.text.messages import Message, Name, Value, recorded, say, say_n, several
from pbem.engine.text.sentences import why_failed
from pbem.matches.film.scenes import Scene
from pbem.matches.film.wording import TOO_LATE, Words, order_of, with_roll

MOST_OBJECTIVES = 6
"""The most objectives of one side that a summary names."""


class Loss(msgspec.Struct, frozen=True):
    """A unit that was lost, and the scene that shows it."""

    unit: str
    name: str
    side: str
    where: Value
    """The place with its preposition; empty if it is not known."""
    scene: int


class Fought(msgspec.Struct, frozen=True):
    """An attack with its odds and its result, and the scene that shows it."""

    said: Message
    scene: int


class Fate(msgspec.Struct, frozen=True):
    """The fate of one order. `failed` means that it was not carried out; `needless` that it was no longer needed.

    `done` is what was carried out of an order to fire and move, of which the other part failed.
    """

    order: str
    fate: Value
    rule: str = ""
    failed: bool = False
    needless: bool = False
    scene: int = 0
    done: Value | None = None


class Score(msgspec.Struct, frozen=True):
    """The points of one side, before the turn and after it."""

    side: str
    before: int
    after: int

    @property
    def change(self) -> int:
        return self.after - self.before


class Summary(msgspec.Struct, frozen=True):
    """A turn at a glance, for one viewer. `mine` is the viewer's side, empty for spectators."""

    turn: int
    mine: str
    headline: Value
    scores: tuple[Score, ...]
    destroyed: tuple[Loss, ...]
    lost: tuple[Loss, ...]
    captures: tuple[Message, ...]
    """The objectives that changed hands."""
    fates: tuple[Fate, ...]
    story: tuple[str | Message, ...] = ()
    """The title's own opening of the summary."""
    names: Mapping[str, str] = {}
    """The names of the sides as shown to players."""
    held: tuple[Message, ...] = ()
    """The objectives by their holders at the end of the turn."""
    battles: tuple[Fought, ...] = ()
    addressed: bool = True
    """Whether the reader is the viewer, to be called “you”, and not somebody who looks through the viewer's eyes."""

    @property
    def reader(self) -> str:
        """The side that is called “you”; empty if every side is called by its name."""
        return self.mine if self.addressed else ""

    def name(self, side: str) -> str:
        return self.names.get(side, side)

    @property
    def failed(self) -> tuple[Fate, ...]:
        return tuple(fate for fate in self.fates if fate.failed and not fate.needless)

    @property
    def needless(self) -> tuple[Fate, ...]:
        return tuple(fate for fate in self.fates if fate.needless)

    @property
    def needless_by_reason(self) -> list[tuple[Value, list[Fate]]]:
        """The orders that were not needed, grouped by the reason."""
        found: dict[str, tuple[Value, list[Fate]]] = {}
        for fate in self.needless:
            found.setdefault(str(fate.fate), (fate.fate, []))[1].append(fate)
        return list(found.values())


def losses(scenes: Sequence[Scene], stands: Mapping[str, Stand], words: Words) -> Iterator[Loss]:
    """Yield each unit that was lost."""
    for scene in scenes:
        for shown in scene.shows:
            if isinstance(shown, Lose):
                stand = stands.get(shown.who, Stand(shown.who, "", ""))
                at = shown.place if shown.place is not None else stand.at
                where = Name("") if at is None else words.where_lost(at, shown.how)
                yield Loss(shown.who, stand.name, stand.side, where, scene.number)


def captures(scenes: Sequence[Scene], words: Words) -> Iterator[Message]:
    """Yield each place that changed hands, with its owner at the end of the turn."""
    last: dict[str, Control] = {}
    first: dict[str, str] = {}
    for scene in scenes:
        for shown in scene.shows:
            if isinstance(shown, Control):
                first.setdefault(shown.what, shown.before)
                last[shown.what] = shown
    for what, shown in last.items():
        if shown.side != first[what]:
            yield words.control(Control(what, shown.side, first[what]))


def battles(scenes: Sequence[Scene], words: Words) -> Iterator[Fought]:
    """Yield each attack that was worked out at odds, in the order in which they were fought."""
    for scene in scenes:
        for shown in scene.shows:
            if isinstance(shown, Battle) and shown.odds and shown.result:
                yield Fought(attack_in_words(shown, words), scene.number)


def attack_in_words(battle: Battle, words: Words) -> Message:
    """Say who attacked which place, at which odds and with which result."""
    known = [words.stands[unit].side for unit in battle.units if unit in words.stands]
    side = known[0] if known else ""
    about = {"place": words.place(battle.place), "odds": battle.odds, "result": recorded(battle.result)}
    if side and side == words.mine and words.addressed:
        return say("You attacked {place} at {odds}: {result}.", **about)
    if not side:
        return say("{place} was attacked at {odds}: {result}.", **about)
    return say("The {side} side attacked {place} at {odds}: {result}.", side=words.side(side), **about)


def held_places(objectives: Mapping[str, str], words: Words) -> Iterator[Message]:
    """Yield the objectives of each side, the viewer's first, then those that nobody holds."""
    by_side: dict[str, list[str]] = {}
    for place, side in objectives.items():
        by_side.setdefault(side, []).append(place)
    for side in sorted(by_side, key=lambda side: (side != words.mine or not side, not side, side)):
        named = [words.place(place) for place in by_side[side]]
        places = several(named) if len(named) <= MOST_OBJECTIVES else words.first_items(named, MOST_OBJECTIVES)
        if not side:
            yield say("Nobody holds {places}.", places=places)
        elif side == words.mine and words.addressed:
            yield say("You hold {places}.", places=places)
        else:
            yield say("The {side} side holds {places}.", side=words.side(side), places=places)


class Given(msgspec.Struct, frozen=True):
    """The orders of one exchange, and its happenings, each with the number of its scene."""

    lines: Sequence[str]
    happened: Sequence[tuple[int, Happening]]


SHOOTING = frozenset({"fire", "shoot", "watch", "attack", "short-halt", "overwatch"})
FIGHTING = SHOOTING | {"demolish"}
PREPARING = frozenset({"use", "keep", "repair"})
"""Orders about cards and damage: the unit's other actions do not show whether these were carried out."""
WATCHING = frozenset({"overwatch", "watch"})
"""Orders that count as carried out even if nothing visible happens."""
IDLE = frozenset({"hold", "stay", "none", "done", "no-command"})
LED = frozenset({"attack", "rally", "fire"})
"""Orders that begin with the verb, followed by the units."""
LATER = "later "
"""Begins an order for a later exchange of the turn."""
PASSED = frozenset({"done", "none", "no"})
"""Answers by which a player who is asked unit by unit passes."""
STRIKING = frozenset({"air", "strike", "interdict"})
"""Orders aimed at places, which no unit on the map carries out."""
MISSIONS = STRIKING | {"fly"}
"""Orders carried out over the map by something that is not on it, such as an aircraft."""
MOVING = frozenset({"move", "advance", "enter", "hunt", "rush", "hide", "road", "blitz"})


ASSAULTING = frozenset({"assault"})
"""Orders that a unit carries out instead of its move."""


def fates(given: Sequence[Given], words: Words) -> Iterator[Fate]:
    """Yield the fate of each order line, then the failures that belong to no line."""
    fired = {shown.who for one in given for _, shown in one.happened if isinstance(shown, Shot)}
    told: set[tuple[str, Reason]] = set()
    for number, exchange in enumerate(given):
        happened = [*exchange.happened, *until_ordered_anew(given[number + 1 :], words)]
        found = list(fates_of(exchange.lines, happened, words, fired, told))
        yield from found
        if any(PASSED & set(line.split()) for later in given[number + 1 :] for line in later.lines):
            known = {fate.order for fate in found}
            yield from orders_not_repeated([line for line in exchange.lines if line not in known], words, fired)
        for scene, shown in exchange.happened:
            if isinstance(shown, Fail) and (shown.order, shown.why) not in told:
                told.add((shown.order, shown.why))
                yield failure_of(order_of(shown), scene, shown)


def orders_not_repeated(lines: Sequence[str], words: Words, fired: Collection[str]) -> Iterator[Fate]:
    """Yield the orders to fire that have no other fate and that the player did not repeat when asked again."""
    for line in lines:
        verbs, units = set(line.replace(":", " ").split()), units_named(line, words)
        aimed = verbs & SHOOTING and not verbs & WATCHING and last_word(line) not in SHOOTING
        if units and aimed and not units & set(fired):
            yield Fate(line, say("did not fire: the order to fire was not repeated when the unit was asked again"))


def until_ordered_anew(later: Sequence[Given], words: Words) -> Iterator[tuple[int, Happening]]:
    """Yield happenings of later exchanges in the turn, except for units that had a new order of the same kind."""
    anew: set[tuple[str, str]] = set()
    for exchange in later:
        anew |= {one for line in exchange.lines for one in ordered_by(line, words)}
        for scene, shown in exchange.happened:
            kind = "shoot" if isinstance(shown, Shot) else "move" if isinstance(shown, Move) else ""
            if not any((unit, kind) in anew for unit in who(shown)):
                yield scene, shown


def ordered_by(line: str, words: Words) -> set[tuple[str, str]]:
    """The units that a line is for, each with the kind of order: shoot, move or other."""
    return {(unit, kind) for unit in units_named(line, words) for kind in kinds_of(line)}


def kinds_of(line: str) -> list[str]:
    """The kinds of order in a line, in sequence: shoot and move, or other."""
    kinds = [
        kind
        for word in line.replace(":", " ").replace(",", " ").split()
        for kind, verbs in (("shoot", SHOOTING), ("move", MOVING | ASSAULTING))
        if word in verbs
    ]
    return [*dict.fromkeys(kinds)] or [""]


def replaced_by(line: str, words: Words) -> set[tuple[str, str]]:
    """The later orders that replace a line: of the same kinds, or just a move if the line moves and fires."""
    ordered = ordered_by(line, words)
    return {one for one in ordered if one[1] == "move"} if kinds_of(line)[0] == "move" else ordered


def lines_without_fate(given: Sequence[Given], words: Words) -> Iterator[str]:
    """Yield the lines for units on the map that have no fate in the summary and are not repeated by a later line."""
    told = {fate.order for fate in fates(given, words)}
    for number, exchange in enumerate(given):
        later = {one for after in given[number + 1 :] for line in after.lines for one in ordered_by(line, words)}
        for line in exchange.lines:
            wanted = replaced_by(line, words)
            verbs = set(line.replace(":", " ").split())
            expected = verbs & MISSIONS if not wanted else not wanted <= later and not IDLE & verbs
            if expected and line not in told:
                yield line


def fates_of(
    lines: Sequence[str],
    happened: Sequence[tuple[int, Happening]],
    words: Words,
    fired: Collection[str],
    told: set[tuple[str, Reason]],
) -> Iterator[Fate]:
    """Yield the fates of the orders of one exchange. `fired` are all units that fired during the turn."""
    for line in lines:
        units = units_named(line, words) or fliers(line, happened)
        known = [(number, shown) for number, shown in happened if units & set(who(shown)) or is_fail_of(line, shown)]
        fails = {
            (shown.order, shown.why): failure_of(line, number, shown)
            for number, shown in known
            if isinstance(shown, Fail) and tells_of(line, shown.order, lines)
        }
        told |= {(fate_of, why) for fate_of, why in fails}
        took_another = WATCHING & set(line.split()) and units & set(fired)
        if fails and not took_another:
            done = other_part(line, fails, known, words)
            for fate in most_telling(fails):
                yield in_part(fate) if was_fought(line, known) else msgspec.structs.replace(fate, done=done)
        elif units and came_too_late(line, known):
            yield Fate(line, say("its target was already gone"), needless=True, scene=known[-1][0])
        elif units and (said := outcome(line, known, words)):
            yield Fate(line, said, scene=known[-1][0])
        elif struck := [number for number, shown in happened if isinstance(shown, Area) and strikes(line, shown)]:
            yield Fate(line, say("carried out"), scene=struck[0])
        elif units and (WATCHING & set(line.split()) or last_word(line) in SHOOTING) and not units & set(fired):
            yield Fate(line, say("did not fire"))
        elif units and last_word(line) in MOVING:
            yield Fate(line, say("did not move"))
        elif units and not set(line.replace(":", " ").split()) & (SHOOTING | MOVING | IDLE):
            yield Fate(line, say("carried out"))


def came_too_late(line: str, known: Sequence[tuple[int, Happening]]) -> bool:
    """Whether an order to fire produced only shots at targets that had already been lost."""
    results = [shown.result for _, shown in known if isinstance(shown, Shot)]
    busy = set(line.replace(":", " ").split()) & MOVING or any(isinstance(one, Lose) for _, one in known)
    return not busy and set(results) == {TOO_LATE}


def was_fought(line: str, known: Sequence[tuple[int, Happening]]) -> bool:
    """Whether the attack that a line orders was made, if not as fully as the line says."""
    said = line.replace(",", " ").split()
    return any(isinstance(shown, Battle) and shown.place in said for _, shown in known)


def in_part(fate: Fate) -> Fate:
    """The failure of an order whose attack was made without something that the line names."""
    return msgspec.structs.replace(fate, fate=say("the attack was made, but {why}", why=fate.fate))


def other_part(
    line: str, fails: Collection[tuple[str, Reason]], known: Sequence[tuple[int, Happening]], words: Words
) -> Value | None:
    """Say what was carried out of an order to fire and move if only its shot, or only its move, failed."""
    failed = {kind for order, _ in fails for kind in kinds_of(order)}
    kept = {"shoot", "move"} - failed
    if len(kept) != 1 or {"shoot", "move"} - {*kinds_of(line)}:
        return None
    kind = Shot if kept == {"shoot"} else Move
    return outcome(line, [one for one in known if isinstance(one[1], kind)], words)


def most_telling(fails: Mapping[tuple[str, Reason], Fate]) -> list[Fate]:
    """The failures that quote more than the bare command, or all of them if none does; each reason once."""
    found = [fate for (order, _), fate in fails.items() if " " in order] or [*fails.values()]
    reasons = [fate.fate for fate in found]
    return [fate for number, fate in enumerate(found) if fate.fate not in reasons[:number]]


def last_word(line: str) -> str:
    """The last word of a line, which is its verb if the order names no destination and no target."""
    return line.split()[-1]


def is_fail_of(line: str, shown: Happening) -> bool:
    """Whether a happening is the failure of exactly this line."""
    return isinstance(shown, Fail) and shown.order == line.removeprefix(LATER)


def strikes(line: str, area: Area) -> bool:
    """Whether an order such as `air 3217` was aimed at these places."""
    verb, *words = line.replace(",", " ").split() or [""]
    return verb in STRIKING and any(place in words for place in area.places)


def who(shown: Happening) -> tuple[str, ...]:
    """The units that a happening concerns, and the weapons that fired or failed to fire.

    A weapon may change hands twice in a turn, so its holder may be unknown; a failed order begins with its name.
    """
    if isinstance(shown, Shot):
        return (shown.who, *shown.arms)
    if isinstance(shown, Fail):
        return (shown.who, shown.order.partition(" ")[0])
    return shown.units if isinstance(shown, Battle) else (getattr(shown, "who", ""),)


def units_named(line: str, names: Words) -> set[str]:
    """The units at the start of a line, or those that carry out an order such as `attack K5 with a1, a2`."""
    found = set()
    words = line.removeprefix(LATER).replace(",", " ").replace("+", " ").split()
    if words and words[0] in LED:
        end = words.index("at") if "at" in words else len(words)
        behind = words[words.index("with") :] if "with" in words else words[:end]
        return {unit for word in behind if (unit := names.unit(word))}
    for word in words:
        units = names.units(word.rstrip(":"))
        if not units:
            break
        found |= {*units, word.rstrip(":")}
    return found


def fliers(line: str, happened: Sequence[tuple[int, Happening]]) -> set[str]:
    """The aircraft that a line sends, if it was seen over the map, where it comes and goes within a turn."""
    first = line.partition(" ")[0]
    return {first} if "fly" in line.split() and any(first in who(shown) for _, shown in happened) else set()


def tells_of(line: str, order: str, lines: Sequence[str]) -> bool:
    """Whether a failure concerns this line. A failure that quotes a whole line concerns only that line."""
    return order == line if order in lines else same_order(line, order)


def same_order(line: str, order: str) -> bool:
    """Whether a failure concerns this line: the same words, or at least the same kind of order.

    A line such as `a2 with a1` has no command of its own, so every failure of its unit concerns it.
    """
    if line in order or order in line or line.split()[-2:-1] == ["with"]:
        return True
    said, failed = set(line.replace(":", " ").split()), set(order.replace(":", " ").split())
    return any(said & kind and failed & kind for kind in (SHOOTING, MOVING))


def failure_of(line: str, scene: int, fail: Fail) -> Fate:
    why, needless = why_failed(fail)
    return Fate(line, why, fail.rule, failed=True, needless=needless, scene=scene)


def outcome(line: str, known: Sequence[tuple[int, Happening]], words: Words) -> Value | None:
    """Say in a few words what an order achieved; None if no effect was seen."""
    said: list[Value] = []
    verbs = set(line.replace(":", " ").split())
    if verbs & PREPARING and not verbs & (SHOOTING | MOVING):
        return in_a_row([*preparation_results(known, words)])
    shots = [shown for _, shown in known if isinstance(shown, Shot)] if verbs & SHOOTING or not verbs & MOVING else []
    moves = [shown for _, shown in known if isinstance(shown, Move)] if verbs & MOVING or not verbs & SHOOTING else []
    said += [say("not needed") if shown.result == TOO_LATE else with_roll(shown) for shown in shots]
    said += [describe_battle(shown) for _, shown in known if isinstance(shown, Battle) and verbs & FIGHTING]
    arrivals = [shown for _, shown in known if isinstance(shown, Appear)] if verbs & MOVING else []
    if moves:
        said.append(say("ends {where}", where=words.where(moves[-1].path[-1][0])))
    elif arrivals:
        said.append(say("ends {where}", where=words.where(arrivals[-1].place)))
    elif any(isinstance(shown, Vanish) for _, shown in known) and verbs & MOVING:
        said.append(say("leaves the map"))
    lost = [shown.who for _, shown in known if isinstance(shown, Lose)]
    if lost:
        said.append(say("lost") if len(lost) == 1 else say("{count} lost", count=len(lost)))
    return in_a_row(said)


def describe_battle(battle: Battle) -> Value:
    """The odds and the result of a battle in words."""
    if not battle.odds:
        return recorded(battle.result)
    if not battle.result:
        return say("at {odds}", odds=battle.odds)
    return say("at {odds}: {result}", odds=battle.odds, result=recorded(battle.result))


def in_a_row(said: Sequence[Value]) -> Value | None:
    """Join the different results, separated by semicolons."""
    different = [*{str(one): one for one in said}.values()]
    if not different:
        return None
    first, *others = different
    for other in others:
        first = say("{first}; {second}", first=first, second=other)
    return first


def preparation_results(known: Sequence[tuple[int, Happening]], words: Words) -> Iterator[Value]:
    """Yield the visible results of using a card or of a repair."""
    for _, shown in known:
        if isinstance(shown, Reveal) and isinstance(shown.now, str):
            yield say("{card} was turned face up", card=shown.now)
        elif isinstance(shown, Change) and shown.now is False:
            yield words.news(shown)


def headline(
    mine: str,
    scores: Sequence[Score],
    lost: int,
    destroyed: int,
    names: Mapping[str, str] | None = None,
    *,
    addressed: bool = True,
) -> Value:
    """The turn in one line: which side leads, and the losses. If not `addressed`, the viewer's side is named."""
    known = names or {}
    leading = lead(mine if addressed else "", scores, known)
    cost = toll(mine, lost, destroyed) if addressed else toll_of(known.get(mine) or mine, lost, destroyed)
    return say("{lead}. {toll}", lead=leading, toll=cost) if leading else cost


def lead(mine: str, scores: Sequence[Score], names: Mapping[str, str]) -> Message | None:
    """Say which side leads."""
    if len(scores) < 2 or not any(score.after or score.before for score in scores):
        return None
    first, second = sorted(scores, key=lambda score: -score.after)[:2]
    if first.after == second.after:
        return say("{points} all", points=first.after)
    if mine == first.side:
        return say("You lead {more} to {less}", more=first.after, less=second.after)
    if mine == second.side:
        return say("You trail {less} to {more}", less=second.after, more=first.after)
    side = names.get(first.side) or first.side
    return say("The {side} side leads {more} to {less}", side=side, more=first.after, less=second.after)


def toll(mine: str, lost: int, destroyed: int) -> Message:
    """State the losses of the turn."""
    if not lost and not destroyed:
        return say("No units lost")
    if not mine:
        return say_n("{n} unit lost", "{n} units lost", n=lost + destroyed)
    if not lost:
        return say_n("You destroyed {n} unit", "You destroyed {n} units", n=destroyed)
    if not destroyed:
        return say_n("You lost {n} unit", "You lost {n} units", n=lost)
    return say_n(
        "You destroyed {n} unit and lost {lost}", "You destroyed {n} units and lost {lost}", n=destroyed, lost=lost
    )


def toll_of(side: str, lost: int, destroyed: int) -> Message:
    """State the losses of the turn from the viewpoint of a side that is not the reader's; empty for spectators."""
    if not side or not (lost or destroyed):
        return toll("", lost, destroyed)
    if not lost:
        return say_n(
            "The {side} side destroyed {n} unit", "The {side} side destroyed {n} units", n=destroyed, side=side
        )
    if not destroyed:
        return say_n("The {side} side lost {n} unit", "The {side} side lost {n} units", n=lost, side=side)
    return say_n(
        "The {side} side destroyed {n} unit and lost {lost}",
        "The {side} side destroyed {n} units and lost {lost}",
        n=destroyed,
        lost=lost,
        side=side,
    )

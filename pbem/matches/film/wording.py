"""Scenes in words: one sentence or two for each, with the names that the viewer knows."""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence

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
    Place,
    Reveal,
    Shot,
    Vanish,
)
from pbem.engine.rules.title import Rules, Stand
from pbem.engine.text.messages import Message, Name, Value, as_value, recorded, say, say_n, several
from pbem.engine.text.sentences import fate_of_order
from pbem.matches.film.scenes import Scene, is_silent, last_changes

HAND_TO_HAND: Mapping[str, Message] = {
    "attacker": say("won the hand-to-hand combat"),
    "defender": say("lost the hand-to-hand combat"),
}
"""The results of hand-to-hand combat, by the winner."""
SMOKE = "smoke"
"""The result of a shot that laid smoke."""
RESULTS: Mapping[str, Message] = {
    **HAND_TO_HAND,
    "": say("no effect"),
    "miss": say("missed"),
    "none": say("no effect"),
    "no-effect": say("no effect"),
    "no_damage": say("no damage"),
    "no-damage": say("no damage"),
    "damaged": say("damaged"),
    "suppressed": say("suppressed"),
    "eliminated": say("eliminated"),
    "ko": say("knocked out"),
    "bu": say("brewed up"),
    SMOKE: say("smoke"),
    "nmc": say("morale check"),
    "NMC": say("morale check"),
    "PTC": say("pin check"),
    **{f"{number}MC": say("morale check at +{number}", number=number) for number in range(1, 5)},
    **{
        f"K/{number}": say("casualty reduction and morale check at +{number}", number=number)
        for number in range(1, 5)
    },
}
"""Results that titles give as codes."""
HOW: Mapping[str, Message] = {
    "combat": say("its last step was lost in combat"),
    "strike": say("hit by a strike"),
    "interception": say("intercepted"),
    "overrun": say("overrun"),
    "assault": say("eliminated in an assault"),
}
"""The ways to lose a unit that titles give as codes."""
TOO_LATE = "too-late"
MOST_NAMED = 4
MOST_MOVES = 6


class Words:
    """Puts happenings into words for one viewer."""

    def __init__(
        self,
        rules: Rules,
        stands: Mapping[str, Stand],
        mine: str = "",
        names: Mapping[str, str] | None = None,
        carriers: Mapping[str, str] | None = None,
        later_carriers: Mapping[str, str] | None = None,
        known: Collection[str] | None = None,
        *,
        addressed: bool = True,
    ) -> None:
        self.addressed = addressed  # whether the viewer is the reader, whom sentences call “you”
        self.rules, self.stands, self.mine, self.known = rules, stands, mine, known
        self.names, self.carriers, self.later_carriers = names or {}, carriers or {}, later_carriers or {}

    def unit(self, word: str) -> str:
        """The unit that a word of an order stands for, if any."""
        return word if word in self.stands else self.carriers.get(word, "")

    def units(self, word: str) -> set[str]:
        """All units that a word of an order may stand for: a weapon can change hands within a turn."""
        found = {self.unit(word), self.later_carriers.get(word, "") if word not in self.stands else ""}
        return found - {""}

    def side(self, word: str) -> str:
        """A side's name as shown to players."""
        return self.names.get(word, word)

    def label(self, unit: str) -> Name:
        """A unit with its name, if the viewer knows it."""
        stand = self.stands.get(unit)
        return Name(f"{unit} ({stand.name})" if stand is not None and stand.name not in ("", unit) else unit)

    def place(self, at: Place | None) -> Value:
        return Name("") if at is None else as_value(self.rules.place_in_words(at))

    def where(self, at: Place) -> Message:
        """A place with its preposition: in a hex, at a point."""
        if isinstance(at, str):
            return say("in {place}", place=self.place(at))
        return say("at {place}", place=self.place(at))

    def where_lost(self, at: Place, how: str) -> Message:
        """The place of a loss with its preposition; a unit that was intercepted had left its place."""
        if how == "interception":
            return say("on the way from {place}", place=self.place(at))
        return self.where(at)

    def several(self, units: Sequence[str]) -> Value:
        """The first few units by name, and the number of others."""
        if len(units) <= MOST_NAMED:
            return several(map(self.label, units))
        named, n = several(units[: MOST_NAMED - 1], "unit"), len(units) - MOST_NAMED + 1
        return say_n("{units} and {n} other", "{units} and {n} others", n=n, units=named)

    def say(self, scene: Scene) -> Value | None:
        """The sentences of a scene, if it has any."""
        said = [*self.sentences(scene)]
        return several(said, "sentences") if said else None

    def sentences(self, scene: Scene) -> Iterator[Message]:
        shots = [shown for shown in scene.shows if isinstance(shown, Shot)]
        if shots:
            yield from self.shots(shots)
        battles = [shown for shown in scene.shows if isinstance(shown, Battle)]
        moves = [shown for shown in scene.shows if isinstance(shown, Move)]
        if battles:
            yield from self.battle(battles[0], moves)
        elif moves and not stays_at_its_entry(scene, moves):
            yield self.moves(moves)
        apart = Shot | Battle | Move | Change
        movers = {move.who for move in moves} if len(moves) > 1 else set()
        told = [
            shown
            for shown in scene.shows
            if not isinstance(shown, apart)
            and not is_silent(shown)
            and not (isinstance(shown, Appear) and shown.who in movers)
        ]
        crowds = list(self.crowds(told))
        yield from (self.crowd(crowd) for crowd in crowds)
        rest = [shown for shown in told if not any(shown in crowd for crowd in crowds)]
        yield from dict.fromkeys(said for said in map(self.one, rest) if said is not None)
        results = {(shot.at, str(result_of(shot))) for shot in shots}
        changed = [shown for shown in last_changes(scene) if not is_silent(shown, self.known)]
        yield from self.changes([one for one in changed if (one.who, str(self.news(one))) not in results])

    # --- many at once -----------------------------------------------------------------------------------------

    def crowds(self, told: Sequence[Happening]) -> Iterator[list[Appear | Vanish]]:
        """Yield groups of units of one side that appear or vanish together, if too many for a sentence each."""
        found: dict[tuple[type, str], list[Appear | Vanish]] = {}
        for shown in told:
            if isinstance(shown, Appear | Vanish):
                stand = self.stands.get(shown.who)
                found.setdefault((type(shown), stand.side if stand is not None else ""), []).append(shown)
        yield from (crowd for crowd in found.values() if len(crowd) > MOST_NAMED)

    def crowd(self, crowd: Sequence[Appear | Vanish]) -> Message:
        stand = self.stands.get(crowd[0].who)
        side = stand.side if stand is not None else ""
        named = self.first_items([self.spotted(one) for one in crowd], MOST_MOVES)
        units = self.units_of(side, len(crowd))
        if isinstance(crowd[0], Vanish) and self.rules.is_open:
            return say("{units} leave the map: {named}.", units=units, named=named)
        if isinstance(crowd[0], Vanish):
            return say("{units} go out of sight: {named}.", units=units, named=named)
        if self.arrives(side):
            return say("{units} arrive: {named}.", units=units, named=named)
        return say("{units} come into sight: {named}.", units=units, named=named)

    def arrives(self, side: str) -> bool:
        """Whether a unit that appears has entered the map; only the viewer's units have, unless nothing is hidden."""
        return (bool(side) and side == self.mine) or self.rules.is_open

    def spotted(self, one: Appear | Vanish) -> Value:
        if isinstance(one, Vanish):
            return Name(one.who)
        return say("{unit} {where}", unit=one.who, where=self.where(one.place))

    def units_of(self, side: str, count: int) -> Message:
        if not side:
            return say_n("{n} unit", "{n} units", n=count)
        return say_n("{n} {side} unit", "{n} {side} units", n=count, side=self.side(side))

    def first_items(self, items: Sequence[Value], most: int) -> Value:
        """The first items of a list, and how many more there are."""
        first = several(items[:most], "unit")
        return say("{first} and {more} more", first=first, more=len(items) - most) if len(items) > most else first

    # --- fire -------------------------------------------------------------------------------------------------

    def shots(self, shots: Sequence[Shot]) -> Iterator[Message]:
        fired = [shot for shot in shots if shot.result != TOO_LATE]
        late = list(dict.fromkeys(shot.who for shot in shots if shot.result == TOO_LATE))
        if len(fired) > MOST_NAMED:
            results = several(dict.fromkeys(result_of(shot) for shot in fired))
            firing = self.several(list(dict.fromkeys(shot.who for shot in fired)))
            target = self.target(fired[0])
            yield say("{units} fire at {target}: {results}.", units=firing, target=target, results=results)
        else:
            yield from map(self.volley, volleys(fired))
        if late:
            yield say("{units} did not need to fire.", units=self.several(late))

    def volley(self, volley: Sequence[Shot]) -> Message:
        """A shot, or several units that fire together with one roll."""
        shot = volley[0]
        unit, target, result = several([self.label(one.who) for one in volley]), self.target(shot), with_roll(shot)
        if shot.result in HAND_TO_HAND:
            return say("{unit} attacks {target}: {result}.", unit=unit, target=target, result=result)
        if shot.result == SMOKE:
            return say("{unit} lays smoke in {place}.", unit=unit, place=target)
        if len(volley) > 1:
            return say("{units} fire at {target}: {results}.", units=unit, target=target, results=result)
        return say("{unit} fires at {target}: {result}.", unit=unit, target=target, result=result)

    def target(self, shot: Shot) -> Value:
        if shot.at:
            return self.label(shot.at)
        return say("its target") if shot.goal is None else self.place(shot.goal)

    def battle(self, battle: Battle, moves: Sequence[Move]) -> Iterator[Message]:
        """Describe an attack with its odds and result, then the retreats and advances."""
        who: Value = (
            several(battle.units)
            if len(battle.units) <= MOST_MOVES
            else say_n("{n} unit", "{n} units", n=len(battle.units))
        )
        place, result = self.place(battle.place), rolled_for(recorded(battle.result), battle.rolled)
        if battle.odds:
            place = say("{place} at {odds}", place=place, odds=battle.odds)
        if len(battle.units) == 1:
            yield say("{unit} attacks {place}: {result}.", unit=who, place=place, result=result)
        else:
            yield say("{units} attack {place}: {result}.", units=who, place=place, result=result)
        back = [self.way(move) for move in moves if move.who in battle.against]
        forward = [self.way(move) for move in moves if move.who not in battle.against]
        if back:
            yield say("Falling back: {units}.", units=several(back, "unit"))
        if forward:
            yield say("Advancing: {units}.", units=several(forward, "unit"))

    # --- moves ------------------------------------------------------------------------------------------------

    def moves(self, moves: Sequence[Move]) -> Message:
        stand = self.stands.get(moves[0].who)
        if len(moves) == 1:
            return self.journey(moves[0])
        said = self.first_items([self.way(move) for move in moves], MOST_MOVES)
        if stand is not None and stand.formation:
            count = len(moves)
            return say("Moves of {formation} ({count}): {said}.", count=count, formation=stand.formation, said=said)
        units = self.units_of(stand.side if stand is not None else "", len(moves))
        return say("{units} move: {said}.", units=units, said=said)

    def way(self, move: Move) -> Message:
        return say("{unit} to {place}", unit=move.who, place=self.place(move.path[-1][0]))

    def journey(self, move: Move) -> Message:
        (start, _), (end, facing) = move.path[0], move.path[-1]
        unit, there = self.label(move.who), self.where(end)
        if start == end:
            if facing is None:
                return say("{unit} stays {where}.", unit=unit, where=there)
            towards = self.rules.facing_in_words(facing)
            return say("{unit} turns {where}, facing {facing}.", unit=unit, where=there, facing=towards)
        if facing is None:
            return say("{unit} moves from {start} to {end}.", unit=unit, start=self.place(start), end=self.place(end))
        return say(
            "{unit} moves from {start} to {end}, facing {facing}.",
            unit=unit,
            start=self.place(start),
            end=self.place(end),
            facing=self.rules.facing_in_words(facing),
        )

    # --- everything else --------------------------------------------------------------------------------------

    def one(self, shown: Happening) -> Message | None:
        match shown:
            case Lose():
                return self.lost(shown)
            case Area():
                return self.area(shown)
            case Control():
                return self.control(shown)
            case Appear():
                stand, unit, there = self.stands.get(shown.who), self.label(shown.who), self.where(shown.place)
                if self.arrives(stand.side if stand is not None else ""):
                    return say("{unit} arrives {where}.", unit=unit, where=there)
                return say("{unit} comes into sight {where}.", unit=unit, where=there)
            case Vanish():
                if self.rules.is_open:
                    return say("{unit} leaves the map.", unit=self.label(shown.who))
                return say("{unit} goes out of sight.", unit=self.label(shown.who))
            case Reveal():
                unit = self.label(shown.who)
                if shown.what == "hidden":
                    return say("{unit} is no longer hidden: {why}.", unit=unit, why=str(shown.now))
                if isinstance(shown.now, str | int) and shown.now:
                    return say("{unit} shows its {what}: {now}.", unit=unit, what=shown.what, now=str(shown.now))
                return say("{unit} shows its {what}.", unit=unit, what=shown.what)
            case Fail():
                return fate_of_order(order_of(shown), shown)
        return None

    def lost(self, shown: Lose) -> Message:
        unit, place = self.label(shown.who), shown.place
        tells = shown.how[:1].isalpha() and shown.how != "eliminated"
        how: Value = (HOW.get(shown.how) or Name(shown.how.replace("-", " "))) if tells else Name("")
        if place is None:
            return say("{unit} is lost: {how}.", unit=unit, how=how) if tells else say("{unit} is lost.", unit=unit)
        if tells:
            return say("{unit} is lost {where}: {how}.", unit=unit, where=self.where_lost(place, shown.how), how=how)
        return say("{unit} is lost {where}.", unit=unit, where=self.where_lost(place, shown.how))

    def area(self, shown: Area) -> Message:
        places: Value = several([self.place(place) for place in shown.places[:MOST_NAMED]], "unit")
        if len(shown.places) > MOST_NAMED:
            more = len(shown.places) - MOST_NAMED
            places = say_n("{places} and {n} more hex", "{places} and {n} more hexes", n=more, places=places)
        what = capital(shown.what.replace("-", " "))
        if shown.by:
            by = Name(self.side(shown.by)) if shown.by in self.names else self.label(shown.by)
            return say("{what} by {unit} on {places}.", what=what, unit=by, places=places)
        return say("{what} on {places}.", what=what, places=places)

    def control(self, shown: Control) -> Message:
        place = self.place(shown.what)
        if not shown.side:
            if not shown.before:
                return say("No side holds {place} any longer.", place=place)
            return say("The {side} side no longer holds {place}.", side=self.side(shown.before), place=place)
        side = self.side(shown.side)
        if shown.before:
            before = self.side(shown.before)
            return say(
                "The {side} side captured {place} from the {before} side.", side=side, place=place, before=before
            )
        return say("The {side} side captured {place}.", side=side, place=place)

    def news(self, change: Change) -> Value:
        return as_value(self.rules.change_in_words(change.what, change.now))

    def changes(self, changes: Sequence[Change]) -> Iterator[Message]:
        """Describe the last value of each marker; units with the same news share a sentence."""
        by_unit: dict[str, dict[str, Value]] = {}
        for change in changes:
            by_unit.setdefault(change.who, {})[change.what] = self.news(change)
        by_news: dict[str, tuple[Value, list[str]]] = {}
        for unit, told in by_unit.items():
            said = several(told.values())
            by_news.setdefault(str(said), (said, []))[1].append(unit)
        for news, units in by_news.values():
            yield say("{units}: {news}.", units=self.several(units), news=news)


def stays_at_its_entry(scene: Scene, moves: Sequence[Move]) -> bool:
    """Whether the only move of a scene is that of a unit which enters the map and goes no further."""
    (start, _), (end, _) = moves[0].path[0], moves[0].path[-1]
    entered = any(isinstance(shown, Appear) and shown.who == moves[0].who for shown in scene.shows)
    return len(moves) == 1 and start == end and entered


def volleys(shots: Sequence[Shot]) -> list[list[Shot]]:
    """Group the shots of a fire group, which are at a place, not at a unit, and share one roll and its result."""
    found: dict[Hashable, list[Shot]] = {}
    for number, shot in enumerate(shots):
        alone = bool(shot.at) or not shot.rolled or shot.result in HAND_TO_HAND
        found.setdefault(number if alone else (str(shot.goal), shot.rolled, shot.result), []).append(shot)
    return list(found.values())


def capital(word: str) -> str:
    """Capitalise the first letter of a word."""
    return word[:1].upper() + word[1:]


def order_of(fail: Fail) -> str:
    """The order that failed, with the name of its unit even where the record has only the command."""
    return fail.order if fail.who in re.split(r"[^\w/-]+", fail.order) else f"{fail.who} {fail.order}".strip()


def result_of(shot: Shot) -> Value:
    """The result of a shot in words."""
    return RESULTS.get(shot.result) or Name(shot.result.replace("-", " ").replace("_", " "))


def with_roll(shot: Shot) -> Value:
    """The result of a shot, with the roll and the number needed."""
    result = result_of(shot)
    if not shot.rolled or shot.needed is None:
        return rolled_for(result, shot.rolled)
    dice = several(shot.rolled, "unit")
    return say("{result} (rolled {dice}, needed {needed})", result=result, dice=dice, needed=shot.needed)


def rolled_for(result: Value, dice: Sequence[int]) -> Value:
    return say("{result} (rolled {dice})", result=result, dice=several(dice, "unit")) if dice else result

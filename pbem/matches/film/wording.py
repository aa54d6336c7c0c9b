"""Scenes in words: one sentence or two for each, with the names that the viewer knows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

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
from pbem.engine.text.sentences import listed
from pbem.matches.film.scenes import Scene, is_silent

RESULTS: Mapping[str, str] = {
    "": "no effect",
    "miss": "missed",
    "none": "no effect",
    "no-effect": "no effect",
    "no_damage": "no damage",
    "no-damage": "no damage",
    "ko": "knocked out",
    "bu": "brewed up",
    "nmc": "morale check",
    "NMC": "morale check",
    "PTC": "pin check",
    **{f"{number}MC": f"morale check at +{number}" for number in range(1, 5)},
}
"""Results that titles give as codes."""
TOO_LATE = "too-late"
MOST_NAMED = 4
MOST_MOVES = 6


class Words:
    """Puts happenings into words for one viewer."""

    def __init__(
        self, rules: Rules, stands: Mapping[str, Stand], mine: str = "", names: Mapping[str, str] | None = None
    ) -> None:
        self.rules, self.stands, self.mine, self.names = rules, stands, mine, names or {}

    def side(self, word: str) -> str:
        """A side as players read it."""
        return self.names.get(word, word)

    def label(self, unit: str) -> str:
        """A unit with its name, where the viewer knows one."""
        stand = self.stands.get(unit)
        return f"{unit} ({stand.name})" if stand is not None and stand.name not in ("", unit) else unit

    def place(self, at: Place | None) -> str:
        return "" if at is None else self.rules.place_in_words(at)

    def where(self, at: Place | None) -> str:
        """A place with its preposition: in a hex, at a point."""
        return "" if at is None else f" {'in' if isinstance(at, str) else 'at'} {self.place(at)}"

    def several(self, units: Sequence[str]) -> str:
        """Some units by name, and how many more."""
        if len(units) <= MOST_NAMED:
            return listed(map(self.label, units))
        return f"{', '.join(units[: MOST_NAMED - 1])} and {len(units) - MOST_NAMED + 1} others"

    def say(self, scene: Scene) -> str:
        """The sentences of a scene."""
        said = [*self.sentences(scene)]
        return " ".join(f"{one[0].upper() if one.split()[0].isalpha() else one[0]}{one[1:]}." for one in said)

    def sentences(self, scene: Scene) -> Iterator[str]:
        shots = [shown for shown in scene.shows if isinstance(shown, Shot)]
        if shots:
            yield from self.shots(shots)
        battles = [shown for shown in scene.shows if isinstance(shown, Battle)]
        moves = [shown for shown in scene.shows if isinstance(shown, Move)]
        if battles:
            yield from self.battle(battles[0], moves)
        elif moves:
            yield self.moves(moves)
        apart = Shot | Battle | Move | Change
        told = [shown for shown in scene.shows if not isinstance(shown, apart) and not is_silent(shown)]
        crowds = list(self.crowds(told))
        yield from (self.crowd(crowd) for crowd in crowds)
        rest = [shown for shown in told if not any(shown in crowd for crowd in crowds)]
        yield from dict.fromkeys(filter(None, map(self.one, rest)))
        results = {(shot.at, result_of(shot)) for shot in shots}
        changed = [shown for shown in scene.shows if isinstance(shown, Change) and not is_silent(shown)]
        yield from self.changes([one for one in changed if (one.who, self.news(one)) not in results])

    # --- many at once -----------------------------------------------------------------------------------------

    def crowds(self, told: Sequence[Happening]) -> Iterator[list[Appear | Vanish]]:
        """Units of one side that come or go together, if there are too many for a sentence each."""
        found: dict[tuple[type, str], list[Appear | Vanish]] = {}
        for shown in told:
            if isinstance(shown, Appear | Vanish):
                stand = self.stands.get(shown.who)
                found.setdefault((type(shown), stand.side if stand is not None else ""), []).append(shown)
        yield from (crowd for crowd in found.values() if len(crowd) > MOST_NAMED)

    def crowd(self, crowd: Sequence[Appear | Vanish]) -> str:
        stand = self.stands.get(crowd[0].who)
        side = stand.side if stand is not None else ""
        verb = "go out of sight" if isinstance(crowd[0], Vanish) else "come into sight"
        if side and side == self.mine and isinstance(crowd[0], Appear):
            verb = "arrive"
        named = [f"{one.who}{self.where(one.place) if isinstance(one, Appear) else ''}" for one in crowd[:MOST_MOVES]]
        more = f" and {len(crowd) - MOST_MOVES} more" if len(crowd) > MOST_MOVES else ""
        units = f"{self.side(side)} units" if side else "units"
        return f"{len(crowd)} {units} {verb}: {', '.join(named)}{more}"

    # --- fire -------------------------------------------------------------------------------------------------

    def shots(self, shots: Sequence[Shot]) -> Iterator[str]:
        fired = [shot for shot in shots if shot.result != TOO_LATE]
        late = list(dict.fromkeys(shot.who for shot in shots if shot.result == TOO_LATE))
        if len(fired) > MOST_NAMED:
            results = listed(dict.fromkeys(result_of(shot) for shot in fired))
            firing = self.several(list(dict.fromkeys(shot.who for shot in fired)))
            yield f"{firing} fire at {self.target(fired[0])}: {results}"
        else:
            yield from (
                f"{self.label(shot.who)} fires at {self.target(shot)}: {result_of(shot)}{rolled(shot)}"
                for shot in fired
            )
        if late:
            yield f"{self.several(late)} did not need to fire"

    def target(self, shot: Shot) -> str:
        return self.label(shot.at) if shot.at else self.place(shot.goal) or "its target"

    def battle(self, battle: Battle, moves: Sequence[Move]) -> Iterator[str]:
        """An attack with its odds and its result; then who retreats and who advances."""
        odds = f" at {battle.odds}" if battle.odds else ""
        rolled = f" (rolled {', '.join(map(str, battle.rolled))})" if battle.rolled else ""
        who = listed(battle.units) if len(battle.units) <= MOST_MOVES else f"{len(battle.units)} units"
        verb = "attacks" if len(battle.units) == 1 else "attack"
        yield f"{who} {verb} {self.place(battle.place)}{odds}: {battle.result}{rolled}"
        back = [self.way(move) for move in moves if move.who in battle.against]
        forward = [self.way(move) for move in moves if move.who not in battle.against]
        yield from [f"Falling back: {', '.join(back)}"] * bool(back)
        yield from [f"Advancing: {', '.join(forward)}"] * bool(forward)

    # --- moves ------------------------------------------------------------------------------------------------

    def moves(self, moves: Sequence[Move]) -> str:
        stand = self.stands.get(moves[0].who)
        said = [self.way(move) for move in moves[:MOST_MOVES]]
        if len(moves) == 1:
            return f"{self.label(moves[0].who)} {self.journey(moves[0])}"
        more = f" and {len(moves) - MOST_MOVES} more" if len(moves) > MOST_MOVES else ""
        whose = f"{self.side(stand.side)} units" if stand is not None and stand.side else "units"
        if stand is not None and stand.formation:
            whose = f"of {stand.formation}"
        return f"{len(moves)} {whose} move: {', '.join(said)}{more}"

    def way(self, move: Move) -> str:
        return f"{move.who} to {self.place(move.path[-1][0])}"

    def journey(self, move: Move) -> str:
        (start, _), (end, facing) = move.path[0], move.path[-1]
        towards = f", facing {self.rules.facing_in_words(facing)}" if facing is not None else ""
        if start == end:
            return f"turns{self.where(end)}{towards}"
        return f"moves from {self.place(start)} to {self.place(end)}{towards}"

    # --- everything else --------------------------------------------------------------------------------------

    def one(self, shown: Happening) -> str:
        match shown:
            case Lose():
                how = shown.how.replace("-", " ") if shown.how and shown.how[0].isalpha() else ""
                return f"{self.label(shown.who)} is lost{self.where(shown.place)}{': ' + how if how else ''}"
            case Area():
                by = f" by {self.label(shown.by)}" if shown.by else ""
                places = [self.place(place) for place in shown.places]
                more = f" and {len(places) - MOST_NAMED} more hexes" if len(places) > MOST_NAMED else ""
                return f"{shown.what.replace('-', ' ')}{by} on {', '.join(places[:MOST_NAMED])}{more}"
            case Control():
                before = f" from {self.side(shown.before)}" if shown.before and shown.side else ""
                if not shown.side:
                    return f"{self.side(shown.before) or 'nobody'} no longer holds {self.place(shown.what)}"
                return f"{self.side(shown.side)} takes {self.place(shown.what)}{before}"
            case Appear():
                stand = self.stands.get(shown.who)
                verb = "arrives" if stand is not None and stand.side == self.mine else "comes into sight"
                return f"{self.label(shown.who)} {verb}{self.where(shown.place)}"
            case Vanish():
                return f"{self.label(shown.who)} goes out of sight"
            case Reveal():
                now = f": {shown.now}" if isinstance(shown.now, str | int) and shown.now else ""
                return f"{self.label(shown.who)} shows its {shown.what}{now}"
            case Fail():
                named = shown.who in re.split(r"[^\w-]+", shown.order)
                order, why = shown.order if named else f"{shown.who} {shown.order}", shown.why
                needless = why.removeprefix("not needed: ")
                return f"{order} failed: {why}" if needless == why else f"{order} was not needed: {needless}"
        return ""

    def news(self, change: Change) -> str:
        return self.rules.change_in_words(change.what, change.now)

    def changes(self, changes: Sequence[Change]) -> Iterator[str]:
        """The last value of each marker; units with the same news share a sentence."""
        by_unit: dict[str, dict[str, str]] = {}
        for change in changes:
            by_unit.setdefault(change.who, {})[change.what] = self.news(change)
        by_news: dict[str, list[str]] = {}
        for unit, told in by_unit.items():
            by_news.setdefault(listed(told.values()), []).append(unit)
        for said, units in by_news.items():
            yield f"{self.several(units)}: {said}"


def result_of(shot: Shot) -> str:
    """The result of a shot in words."""
    return RESULTS.get(shot.result, shot.result.replace("-", " ").replace("_", " "))


def rolled(shot: Shot) -> str:
    """Say what was rolled and what was needed."""
    if not shot.rolled:
        return ""
    needed = f", needed {shot.needed}" if shot.needed is not None else ""
    return f" (rolled {', '.join(map(str, shot.rolled))}{needed})"

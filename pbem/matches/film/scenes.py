"""Scenes: the happenings of a turn, divided so that they can be watched and described one by one.

Fights come one at a time, quiet moves of one formation together. Moves may be reordered among themselves, but never
across a fight: a move that is shot at is cut into the parts before and after the shot. Scenes are made from
one viewer's findings alone, so a film reveals nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import msgspec

from pbem.engine.rules.findings import Finding, happenings_in
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
from pbem.engine.rules.title import Stand
from pbem.engine.text.messages import Value

TENTHS = {1: 18, 2: 18, 3: 26}
"""How long a scene is shown at speed 1, in tenths of a second, by its weight."""
LOUD = ("fight", "battle", "area", "loss", "capture")


class Spot(msgspec.Struct, frozen=True, array_like=True):
    """Where a finding is: its exchange, and its number among the findings of that exchange."""

    exchange: int
    index: int


class Scene(msgspec.Struct):
    """One scene. `weight` is 3 for a loss or a capture, 2 for fire, 1 for everything else."""

    kind: str
    shows: list[Happening] = []
    told: list[Spot] = []
    number: int = 0
    say: Value | None = None

    @property
    def weight(self) -> int:
        if any(isinstance(shown, Lose | Control) for shown in self.shows):
            return 3
        return 2 if self.kind in ("fight", "battle", "area") else 1

    @property
    def tenths(self) -> int:
        return TENTHS[self.weight]

    @property
    def units(self) -> list[str]:
        """Return the units that take part, in order of appearance."""
        found = [unit for shown in self.shows for unit in units_of(shown)]
        return list(dict.fromkeys(filter(None, found)))


def units_of(happening: Happening) -> tuple[str, ...]:
    """The units that a happening names."""
    if isinstance(happening, Shot):
        return happening.who, happening.at
    if isinstance(happening, Battle):
        return (*happening.units, *happening.against)
    return (getattr(happening, "by", "") or getattr(happening, "who", ""),)


def target_of(shot: Shot) -> str | Place | None:
    """Return the target of a shot: a unit, otherwise a place."""
    return shot.at or shot.goal


SILENT = frozenset({"speed", "spot marker", "turret", "command", "card", "moved", "fired", "aboard"})
"""Markers that are drawn on the map but are not worth a sentence."""
SILENT_AREAS = frozenset({"wreck", "burning wreck", "dust"})


def is_silent(happening: Happening, known: Collection[str] | None = None) -> bool:
    """Whether a happening is drawn on the map but gets no sentence.

    `known` are the units that the viewer knew when the turn began; a unit that first appears later already has its
    new name.
    """
    if isinstance(happening, Change) and happening.what == "name":
        return known is not None and happening.who not in known
    if isinstance(happening, Change | Reveal):
        return happening.what in SILENT or (happening.what == "damage" and not happening.now)
    return isinstance(happening, Area) and happening.what in SILENT_AREAS


def last_changes(scene: Scene) -> list[Change]:
    """Return the last change of each marker in a scene, without those of units that are lost."""
    lost = {shown.who for shown in scene.shows if isinstance(shown, Lose)}
    changes = [shown for shown in scene.shows if isinstance(shown, Change) and shown.who not in lost]
    return list({(shown.who, shown.what): shown for shown in changes}.values())


Newcomers: TypeAlias = Callable[[int], Iterable[Stand]]
"""Returns all units that the viewer knows of after an exchange."""


class Cutter:
    """Cuts findings into scenes, one after the other.

    Scenes cut after one exchange of a turn stay as they are when the next exchange is played: scenes only get longer,
    and new ones follow. So a number printed in an email keeps its meaning.
    """

    def __init__(self, stands: Mapping[str, Stand], newcomers: Newcomers = lambda exchange: ()) -> None:
        self.stands, self.known = dict(stands), frozenset(stands)
        self.newcomers = newcomers
        self.exchange = 0
        self.met = 0
        self.scenes: list[Scene] = []
        self.loud: Scene | None = None
        self.begun_by: Spot | None = None
        self.quiet: dict[tuple[str, ...], Scene] = {}
        self.waiting: list[Spot] = []
        self.silent: list[Happening] = []

    def take(self, spot: Spot, finding: Finding) -> None:
        """Put everything a finding shows into scenes; its sentence goes where its first happening went."""
        self.exchange = spot.exchange
        self.waiting.append(spot)
        shown = list(happenings_in([finding]))
        movers = {move.who for move in shown if isinstance(move, Move)}
        for happening in shown:
            if is_silent(happening, self.known):
                self.add_silent(happening)
                continue
            scene = (
                self.scene_of_entry(happening)
                if isinstance(happening, Appear) and happening.who in movers
                else self.scene_for(happening, spot)
            )
            scene.shows += [*self.silent, happening]
            self.silent = []
            scene.told += [spot for spot in self.waiting if spot not in scene.told]
            self.waiting = []

    def add_silent(self, happening: Happening) -> None:
        """Add a happening that is drawn but gets no sentence to the current scene, or otherwise to the next one."""
        open_scenes = [self.loud] if self.loud is not None else [*self.quiet.values()][-1:]
        (open_scenes[0].shows if open_scenes else self.silent).append(happening)

    def scene_for(self, happening: Happening, spot: Spot) -> Scene:
        match happening:
            case Shot():
                return self.fight(happening, spot)
            case Battle():
                return self.open_loud("battle", spot, joins=False)
            case Area():
                return self.open_loud("area", spot, joins=self.same_area(happening))
            case Move() if self.loud is not None and self.in_battle(happening):
                return self.loud
            case Control():
                return self.open_loud("capture", spot, joins=self.begun_by == spot or self.in_battle(happening))
            case Lose():
                return self.open_loud("loss", spot, joins=self.in_loud(happening, spot))
            case Fail():
                return self.quiet_scene("fail")
            case Change() | Reveal() if self.loud is not None and self.in_loud(happening, spot):
                return self.loud
            case Change():
                return self.quiet_scene("change")
            case Reveal():
                return self.quiet_scene("spot")
            case Move():
                return self.quiet_scene("move", *self.group(happening.who))
            case Appear() | Vanish():
                return self.quiet_scene("spot")
        raise TypeError(f"{type(happening).__name__} has no scene")

    def scene_of_entry(self, entry: Appear) -> Scene:
        """Return the scene of a unit that enters the map and moves in one finding, which is the scene of the move."""
        return self.quiet_scene("move", *self.group(entry.who))

    def group(self, unit: str) -> tuple[str, str]:
        """The side and formation of a unit, which the viewer may have discovered in this exchange."""
        if unit not in self.stands and self.met != self.exchange:
            self.stands = {stand.id: stand for stand in self.newcomers(self.exchange)} | self.stands
            self.met = self.exchange
        stand = self.stands.get(unit)
        return (stand.side, stand.formation) if stand is not None else ("", "")

    # --- loud scenes: one at a time ---------------------------------------------------------------------------

    def fight(self, shot: Shot, spot: Spot) -> Scene:
        """Return the scene that a shot belongs to; all fire at one target, or at one place, belongs to one fight."""
        targets = {target_of(shown) for shown in self.loud.shows if isinstance(shown, Shot)} if self.loud else set()
        joins = self.loud is not None and self.loud.kind == "fight" and target_of(shot) in targets
        return self.open_loud("fight", spot, joins=joins)

    def same_area(self, area: Area) -> bool:
        """Whether an area effect continues the current barrage."""
        shown = self.loud.shows if self.loud is not None else []
        return any(isinstance(one, Area) and (one.what, one.by) == (area.what, area.by) for one in shown)

    def in_battle(self, happening: Move | Control) -> bool:
        """Whether a retreat, an advance or a place that changes hands belongs to the current battle."""
        if self.loud is None or self.loud.kind != "battle":
            return False
        return isinstance(happening, Control) or happening.who in self.loud.units

    def in_loud(self, happening: Lose | Change | Reveal, spot: Spot) -> bool:
        """Whether a happening belongs to the current fight: its finding does, or it concerns one of the units."""
        if self.loud is None:
            return False
        return self.begun_by == spot or happening.who in self.loud.units or self.loud.kind == "area"

    def open_loud(self, kind: str, spot: Spot, *, joins: bool) -> Scene:
        if self.loud is not None and joins:
            return self.loud
        self.close()
        self.loud, self.begun_by = Scene(kind, [], []), spot
        return self.loud

    # --- quiet scenes: together until the next fight ----------------------------------------------------------

    def quiet_scene(self, kind: str, *about: str) -> Scene:
        if kind == "move":
            self.end_fight()
        return self.quiet.setdefault((kind, *about), Scene(kind, [], []))

    def end_fight(self) -> None:
        if self.loud is not None:
            self.scenes.append(self.loud)
            self.loud = None

    def close(self) -> None:
        """End the current fight, then the quiet scenes since the last fight."""
        self.end_fight()
        self.scenes += self.quiet.values()
        self.quiet = {}

    def end_exchange(self) -> None:
        """Add sentences that show nothing to the last scene so far; if there is none, they belong to no scene."""
        cut = [*self.scenes, *([self.loud] if self.loud is not None else []), *self.quiet.values()]
        if cut:
            cut[-1].told += self.waiting
        self.waiting = []

    def finish(self) -> list[Scene]:
        self.close()
        if self.scenes:
            self.scenes[-1].shows += self.silent
        for number, scene in enumerate(self.scenes, start=1):
            scene.number = number
            if scene.kind == "move":
                scene.shows = list(join_moves(scene.shows))
        return self.scenes


def join_moves(shows: Sequence[Happening]) -> Iterator[Happening]:
    """Yield the moves of a quiet scene, with all moves of a unit joined into one, after the entries of its units."""
    paths: dict[str, list[Any]] = {}
    for move in shows:
        if isinstance(move, Move):
            path = paths.setdefault(move.who, [])
            path += [step for step in move.path if not path or step != path[-1]]
    entries = [shown for shown in shows if isinstance(shown, Appear) and shown.who in paths]
    yield from entries
    yield from (Move(unit, tuple(path)) for unit, path in paths.items())
    yield from (shown for shown in shows if not isinstance(shown, Move) and shown not in entries)


def scenes(
    findings: Iterable[tuple[int, Sequence[Finding]]],
    stands: Mapping[str, Stand],
    newcomers: Newcomers = lambda exchange: (),
) -> list[Scene]:
    """Return the scenes of a turn, from a viewer's findings in its exchanges and their knowledge at its start."""
    cutter = Cutter(stands, newcomers)
    for exchange, known in findings:
        for index, finding in enumerate(known):
            cutter.take(Spot(exchange, index), finding)
        cutter.end_exchange()
    return cutter.finish()

"""The changes a step shows on the map: every change of state is attached to the finding that reports it.

    watch_step       a step with happenings attached to its findings
    Watch            the pieces before and after part of a step, and the audience of each change
    Piece            a unit, an aircraft over the map or a hidden counter, as shown on the map

The rules of movement attach the steps of a move to their findings; shots are read from the findings. Everything else
on the map is compared before and after each part of a step, so that no rule can change a piece without showing it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import wraps
from operator import attrgetter
from typing import Any, Final, NamedTuple

import msgspec

from pbem.engine.geometry.hexes import Hex, hex_name
from pbem.engine.rules.ask import Ask, Step, Together
from pbem.engine.rules.findings import Finding, happenings_in
from pbem.engine.rules.happenings import (
    Appear,
    Area,
    Change,
    Control,
    Happening,
    Lose,
    Move,
    Place,
    Reveal,
    Vanish,
)
from pbem.engine.rules.table import Table
from pbem.engine.rules.watching import words_of
from pbem.titles.panzer.sighting.camouflage import CAMOUFLAGED, DECLARED
from pbem.titles.panzer.state import (
    AircraftState,
    Command,
    Damage,
    HiddenCounter,
    HullDown,
    Inside,
    Marker,
    PanzerState,
    Spot,
    Status,
)
from pbem.titles.panzer.telling.shown_shots import loss_of, shots_in

SHOWN: Final = "3.4"
"""The rule cited for a change that no finding reports: markers and counters show a unit's state and actions."""

UNSEEN_FLAGS: Final = ("hidden", CAMOUFLAGED, DECLARED)
"""7.2, 7.24 A unit's flags that the enemy may not see."""


class Piece(NamedTuple):
    """The appearance of a piece on the map; `owner` is the only side that sees it, empty if all do."""

    place: str
    facing: int | None
    owner: str
    lost: bool
    marks: dict[str, Any]


NOTHING: Final = Piece("", None, "", False, {})


class Visible(NamedTuple):
    """The fields of a unit that affect its appearance on the map; none of the values can change in place."""

    status: Status
    hex: Hex | None
    facing: int
    side: str
    suppression: Marker
    damage: Damage
    track_hit: bool
    bailed_out: bool
    full_cover: bool
    crawling: bool
    hull_down: HullDown
    turret: int
    inside: Inside
    aboard: str
    pending: Spot
    spot: Spot
    card: str
    flags: tuple[str, ...]
    command: Command | None
    revealed: bool
    shown: bool


visible: Final = attrgetter(*Visible._fields)
"""Read a unit's visible fields in one call, as every part of a step examines every unit."""


def piece_of(unit: Visible) -> Piece:
    """3.4 A ground unit with its markers."""
    hex = unit.hex if unit.status is Status.ON_MAP else None
    owner = unit.side if "hidden" in unit.flags else ""
    lost = unit.status is Status.ELIMINATED
    if hex is None:
        return Piece("", unit.facing, owner, lost, {})
    marker = unit.pending if unit.pending is not Spot.NONE else unit.spot
    marks: dict[str, Any] = {
        "suppressed": unit.suppression is not Marker.NONE,
        "damage": unit.damage.value,
        "track hit": unit.track_hit,
        "abandoned": unit.bailed_out,
        "full cover": unit.full_cover,
        "crawling": unit.crawling,
        "hull down": unit.hull_down.value,
        "turret": unit.turret,
        "inside": unit.inside.value,
        "aboard": unit.aboard,
        "spot marker": marker.value,
        "card": unit.card,
    }
    marks.update(dict.fromkeys((flag for flag in unit.flags if flag not in UNSEEN_FLAGS), True))
    if unit.command is not None and (unit.revealed or unit.shown):
        marks["command"] = unit.command.value
    return Piece(hex_name(hex), unit.facing, owner, lost, marks)


def counter_piece(counter: HiddenCounter) -> Piece:
    """7.2.2 A hidden counter: its position and movement are public."""
    return Piece(hex_name(counter.hex), None, "", False, {"spot marker": "move" if counter.marker else ""})


def aircraft_piece(aircraft: AircraftState) -> Piece:
    """6.7.2 An aircraft, while it is over the map."""
    flight = aircraft.flight
    marks = {"suppressed": bool(aircraft.suppression), "damage": aircraft.damaged}
    if flight is None:
        return Piece("", None, "", aircraft.shot_down, {})
    return Piece(hex_name(flight.hex), flight.facing, "", aircraft.shot_down, marks)


class Look:
    """All pieces of a state at one moment. Few change between two moments, so a piece is made only on demand."""

    def __init__(self, state: PanzerState) -> None:
        units = state.vehicles
        self.units: dict[str, tuple[Any, ...]] = dict(zip(units, map(visible, units.values()), strict=True))
        self.others = {id: counter_piece(counter) for id, counter in state.hidden_counters.items()}
        self.others.update((id, aircraft_piece(aircraft)) for id, aircraft in state.aircraft.items())

    def ids(self) -> tuple[str, ...]:
        """The ids of everything that can have a position, whether or not it is on the map."""
        return (*self.units, *self.others)

    def piece(self, id: str) -> Piece:
        """Return a piece as it was at this moment, or `NOTHING` if there was none."""
        found = self.units.get(id)
        return self.others.get(id, NOTHING) if found is None else piece_of(Visible._make(found))

    def differing(self, before: Look) -> set[str]:
        """Return the ids of new and changed pieces."""
        were, others = before.units, before.others
        found = {id for id, fields in self.units.items() if fields != were.get(id)}
        return found | {id for id, piece in self.others.items() if piece != others.get(id)}


class Board(dict[str, Piece]):
    """The pieces as last recorded, with the changes reported since."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.look = look

    def __missing__(self, id: str) -> Piece:
        return self.look.piece(id)


def pieces(state: PanzerState) -> Board:
    """All pieces, whether or not they are on the map."""
    board = Board(Look(state))
    board.update((id, board[id]) for id in board.look.ids())
    return board


def markers(state: PanzerState) -> dict[tuple[str, str], Any]:
    """3.4 The markers of every piece on the map, by piece and marker; commands are counters, not markers."""
    return {
        (id, what): now
        for id, piece in pieces(state).items()
        for what, now in piece.marks.items()
        if piece.place and now and what != "command"
    }


# --- changes -----------------------------------------------------------------------------------------------------


class Shown(NamedTuple):
    """Something to show, its audience (empty for all), and the piece it concerns."""

    happening: Happening
    owner: str
    about: str


def changes(id: str, before: Piece, after: Piece) -> Iterator[Shown]:
    """The changes to one piece. A unit that goes under a hidden counter stays on its owner's map."""
    if before == after:
        return
    if after.owner and not before.owner and before.place:
        yield Shown(Vanish(id), "", id)
        before = NOTHING
    elif before.owner and not after.owner:  # 7.2.2.3: all viewers see it now, including its owner
        if after.lost and before.place:
            yield Shown(Appear(id, before.place, before.facing), "", id)
        else:
            yield from (Shown(one, before.owner, id) for one in cleared_markers(id, before.marks, after.marks))
            before = NOTHING
    yield from (Shown(happening, after.owner, id) for happening in movements(id, before, after))
    if after.place:
        yield from (Shown(happening, after.owner, id) for happening in markings(id, before.marks, after.marks))


def cleared_markers(id: str, before: dict[str, Any], after: dict[str, Any]) -> Iterator[Happening]:
    """7.2.2.3 The markers that a unit lost when it was revealed; only its owner knew of them."""
    for what in (what for what, was in before.items() if was and not after.get(what) and what != "command"):
        yield Change(id, what, UNMARKED.get(what, False))


def movements(id: str, before: Piece, after: Piece) -> Iterator[Happening]:
    """How a piece has moved, appeared or left the map."""
    if before.place and not after.place:
        yield Lose(id, before.place) if after.lost else Vanish(id)
    elif after.lost and not before.lost:
        yield Lose(id, before.place or None)
    elif after.place and not before.place:
        yield Appear(id, after.place, after.facing)
    elif after.place and (before[:2] != after[:2] or before.marks.get("aboard") != after.marks.get("aboard")):
        yield Move(id, ((before.place, before.facing), (after.place, after.facing)))


def markings(id: str, before: dict[str, Any], after: dict[str, Any]) -> Iterator[Happening]:
    """Markers gained or lost; a command turned face up is revealed."""
    for what in dict.fromkeys((*before, *after)):
        was, now = before.get(what, UNMARKED.get(what, False)), after.get(what, UNMARKED.get(what, False))
        if was == now:
            continue
        yield Reveal(id, "command", now) if what == "command" and now else Change(id, what, now)


UNMARKED: Final = {
    "damage": "",
    "hull down": "",
    "turret": 0,
    "inside": "",
    "aboard": "",
    "spot marker": "",
    "card": "",
}
"""The values of a piece without any markers."""


class Ground(NamedTuple):
    """The map apart from the pieces: control of objectives, wrecks, clouds."""

    held: dict[str, str]
    wrecks: dict[str, bool]
    clouds: tuple[str, ...]


def ground(state: PanzerState) -> Ground:
    """3.6, 4.1.4.1.8, 6.1.4.3.10 The map without the pieces."""
    held = {hex: objective.controller for hex, objective in state.objectives.items()}
    return Ground(held, {hex: wreck.brewed_up for hex, wreck in state.wrecks.items()}, tuple(state.clouds))


def ground_changes(before: Ground, state: PanzerState) -> Iterator[Shown]:
    """3.6, 6.1.4.3 Show objectives that changed hands, and new wrecks and clouds."""
    for hex, objective in state.objectives.items():
        if objective.controller != before.held.get(hex, ""):
            yield Shown(Control(hex, objective.controller, before.held.get(hex, "")), "", hex)
    for hex, wreck in state.wrecks.items():
        if before.wrecks.get(hex) != wreck.brewed_up:
            yield Shown(Area("burning wreck" if wreck.brewed_up else "wreck", (hex,)), "", hex)
    for id, cloud in state.clouds.items():
        if id not in before.clouds:
            hexes = tuple(map(hex_name, cloud.hexes))
            yield Shown(Area(cloud.type, hexes, cloud.owner), "", hexes[0])


# --- attaching changes to findings -------------------------------------------------------------------------------


class Watch:
    """The map before part of a step, to compare with the map after it."""

    def __init__(self, table: Table[PanzerState]) -> None:
        self.table = table
        self.kept: list[Shown] = []
        """The changes in a fight that is still going on: the fight's finding will report them."""
        self.before, self.ground = Look(table.state), ground(table.state)
        self.begin()

    def begin(self) -> None:
        """Begin part of a step. Nothing moves while the rules wait for an answer, so the last record is valid."""
        self.findings = self.table.findings
        self.told = len(self.findings)

    def tell(self, *, all_of_it: bool) -> None:
        """Attach the changes to the findings of this part that report them."""
        new = self.findings[self.told :]
        after = Look(self.table.state)
        found = list(self.changes(happenings_in(new), after))
        self.kept = without_revealed(self.kept, found)
        waiting = [] if all_of_it else unreported_losses(new, (*self.kept, *found))
        before = [shown for shown in self.kept if not isinstance(shown.happening, Lose)]
        losses = [shown for shown in self.kept if shown not in before and shown not in waiting]
        found = [shown for shown in found if shown not in waiting]
        first = happenings_by_finding(new, [*self.entering(new, after), *before], which=0)
        lost, last = happenings_by_finding(new, losses, which=0), happenings_by_finding(new, found, which=-1)
        for number, host in enumerate(new):
            shots = shots_in(host, self.place_of) if host.to is None else ()
            fight = (*host.shows, *shots, *lost.get(number, ()))  # a loss comes after its shot
            shows = (*first.get(number, ()), *fight, *last.get(number, ()))
            if shows != host.shows:
                self.findings[self.told + number] = msgspec.structs.replace(host, shows=shows)
        self.kept = [
            shown for shown in (*before, *losses, *found) if not findings_for_audience(new, shown.owner)
        ] + waiting
        self.before, self.ground = after, ground(self.table.state)
        if all_of_it:
            self.tell_the_rest()

    def entering(self, new: Iterable[Finding], after: Look) -> Iterator[Shown]:
        """2.0 Units that enter the map appear where their first move begins, before they may leave it or be lost."""
        moved = {one.who: one.path[0] for one in reversed([*happenings_in(new)]) if isinstance(one, Move)}
        for id, (place, facing) in sorted(moved.items()):
            if not self.before.piece(id).place:
                yield Shown(Appear(id, place, facing), after.piece(id).owner, id)

    def place_of(self, id: str) -> Place | None:
        """Return a piece's position at the start of this part, or where it was lost, if it was visible to all."""
        piece, unit = self.before.piece(id), self.table.state.vehicles.get(id)
        losses = {one.happening.who: one.happening for one in self.kept if isinstance(one.happening, Lose)}
        place = piece.place or (losses[id].place if id in losses else None)
        return place or None if unit is None or not unit.hidden else None

    def changes(self, told: Iterable[Happening], after: Look) -> Iterator[Shown]:
        """Everything on the map that has changed and is not covered by these happenings."""
        board = Board(self.before)
        for happening in told:
            apply_to_board(board, happening)
        differing = after.differing(self.before)
        for id in after.ids():
            if id in differing or id in board:
                yield from changes(id, board[id], after.piece(id))
        for id in dict.fromkeys((*self.before.ids(), *board)):
            if id not in after.units and id not in after.others and board[id].place:
                yield Shown(Vanish(id), board[id].owner, id)
        yield from ground_changes(self.ground, self.table.state)

    def tell_the_rest(self) -> None:
        """Report the changes that could not be attached to any finding of the step."""
        for owner in dict.fromkeys(shown.owner for shown in self.kept):
            shows = [shown.happening for shown in self.kept if shown.owner == owner]
            self.table.find(SHOWN, to=(owner,) if owner else None, result="shown", shows=shows)
        self.kept = []


def apply_to_board(board: Board, happening: Happening) -> None:
    """Apply a happening to a board."""
    if isinstance(happening, Move):
        place, facing = happening.path[-1]
        board[happening.who] = board[happening.who]._replace(place=str(place), facing=facing)
    elif isinstance(happening, Appear):
        piece = board[happening.who]
        board[happening.who] = piece._replace(place=str(happening.place), facing=happening.facing)
    elif isinstance(happening, Lose | Vanish):
        piece = board[happening.who]
        board[happening.who] = piece._replace(place="", lost=isinstance(happening, Lose), marks={})
    elif isinstance(happening, Change | Reveal):
        piece = board[happening.who]
        board[happening.who] = piece._replace(marks={**piece.marks, happening.what: happening.now})


def happenings_by_finding(
    findings: Sequence[Finding], changed: Sequence[Shown], which: int
) -> dict[int, list[Happening]]:
    """The happenings for each finding: the first or last that names the piece, or else the first or last of all."""
    found: dict[int, list[Happening]] = {}
    names = [frozenset(words_of(finding)) for finding in findings] if changed else []
    for shown in changed:
        numbers = findings_for_audience(findings, shown.owner)
        if numbers:
            about = [number for number in numbers if shown.about in names[number]]
            number = (about or numbers)[which]
            found.setdefault(number, []).append(with_cause(shown.happening, findings[number]))
    return found


def without_revealed(kept: Iterable[Shown], found: Iterable[Shown]) -> list[Shown]:
    """7.2.2.3 The changes kept for later, without those that only the owner of a newly revealed unit could see."""
    seen = {shown.about for shown in found if isinstance(shown.happening, Appear) and not shown.owner}
    return [shown for shown in kept if not (shown.owner and shown.about in seen)]


def unreported_losses(findings: Sequence[Finding], changed: Iterable[Shown]) -> list[Shown]:
    """The losses that no finding names yet, because an ask has interrupted the fight that explains them."""
    losses = [shown for shown in changed if isinstance(shown.happening, Lose)]
    named = frozenset(word for finding in findings for word in words_of(finding)) if losses else frozenset[str]()
    return [shown for shown in losses if shown.about not in named]


def with_cause(happening: Happening, finding: Finding) -> Happening:
    """Return a loss with its cause from its finding; any other happening unchanged."""
    if isinstance(happening, Lose) and (how := loss_of(finding, happening.who)):
        return msgspec.structs.replace(happening, how=how)
    return happening


def findings_for_audience(findings: Sequence[Finding], owner: str) -> list[int]:
    """The findings with exactly this audience: all viewers, or one side."""
    audience = (owner,) if owner else None
    return [number for number, finding in enumerate(findings) if finding.to == audience]


def watch_step(step: Callable[..., Step]) -> Callable[..., Step]:
    """Wrap a step so that its findings show everything it changes on the map.

    A fight is shown as a whole, even if players are asked questions in between: its losses follow its shots. All
    changes have been shown before orders are asked for, and at the end of the step. Between two orders nothing is
    watched if nothing is told.
    """

    @wraps(step)
    def play(table: Table[PanzerState], **args: Any) -> Step:
        watch = Watch(table) if table.told else None
        going, answer = step(table, **args), None
        while True:
            try:
                asked = going.send(answer)
            except StopIteration:
                if watch is not None:
                    watch.tell(all_of_it=True)
                return
            if watch is not None:
                watch.tell(all_of_it=is_between_fights(asked))
            answer = yield asked
            watch = watch_on(table, watch)

    return play


def watch_on(table: Table[PanzerState], watch: Watch | None) -> Watch | None:
    """Watch the next part of a step, if findings are being told."""
    if not table.told:
        return None
    if watch is None:
        return Watch(table)
    watch.begin()
    return watch


def is_between_fights(asked: Ask | Together) -> bool:
    """Whether the ask is for orders for a whole turn, or (7.7.2) for the targets that a unit keeps spotted."""
    asks = asked.asks if isinstance(asked, Together) else (asked,)
    return any(ask.grade == "order" or ask.kind == "keep" for ask in asks)

"""The film of one turn of a match for one viewer: its scenes and its summary, from stored findings.

Scenes are numbered through the turn, however many exchanges it had; `#turn-4.7` is scene 7 of turn 4.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from eventstore import StoreTrouble
from pbem.engine.rules.findings import MASTER, PUBLIC, Finding, happenings_in
from pbem.engine.rules.happenings import Area, Battle, Change, Fail, Happening, Lose, Move, Reveal, Shot, Vanish
from pbem.engine.rules.title import Rules, Stand, Submission
from pbem.engine.text.messages import ENGLISH, Message, Translator
from pbem.matches.film import summary as summing
from pbem.matches.film.scenes import Scene, scenes
from pbem.matches.film.summary import Fate, Given, Score, Summary
from pbem.matches.film.wording import Words
from pbem.matches.history.record import Entry, Record
from pbem.matches.history.replay import Position, answers_of, findings_seen, load, record_of
from pbem.matches.names import seat_name
from pbem.matches.server import Server

log = logging.getLogger("pbem.film")

FATED = (Move, Shot, Battle, Area, Lose, Fail, Change, Reveal, Vanish)


class Film(msgspec.Struct, frozen=True):
    """A turn for one viewer. `before` and `after` are the positions; `exchanges` are the exchanges of the turn."""

    match: str
    turn: int
    viewer: str
    exchanges: tuple[int, ...]
    scenes: tuple[Scene, ...]
    summary: Summary
    before: tuple[Stand, ...]
    after: tuple[Stand, ...]

    def address(self, scene: int) -> str:
        return f"turn-{self.turn}.{scene}"

    @property
    def tells(self) -> bool:
        """Whether a summary has anything to tell the viewer: scenes, fates of orders, or at least the positions."""
        return bool(self.scenes or self.summary.fates or self.after)


class Known(msgspec.Struct, frozen=True):
    """A viewer's knowledge at one moment."""

    stands: tuple[Stand, ...] = ()
    score: Mapping[str, int] = {}
    view: Any = None
    carriers: Mapping[str, str] = {}
    objectives: Mapping[str, str] = {}


def turns(record: Record) -> dict[int, list[Entry]]:
    """The resolved exchanges that are valid, by the turn in which they began."""
    found: dict[int, list[Entry]] = {}
    turn = 0
    for entry in record.resolved:
        if entry.kind == "exchange" and entry.resolved is not None:
            found.setdefault(turn, []).append(entry)
            turn = entry.result.turn
    return found


def latest(record: Record) -> int | None:
    """Return the last turn that can be shown; the time before the first orders is not a turn."""
    numbers = [turn for turn, entries in turns(record).items() if any(entry.exchange > 1 for entry in entries)]
    return numbers[-1] if numbers else None


def film(
    server: Server, match: str, viewer: str, turn: int, *, upto: int | None = None, addressed: bool = True
) -> Film | None:
    """Return the film of a turn, or of its exchanges up to `upto`; None if there is nothing to show.

    If `addressed` is false, the reader is not the viewer, and no sentence calls the viewer “you”.
    """
    record = record_of(server, match)
    entries = [one for one in turns(record).get(turn, []) if upto is None or one.exchange <= upto]
    if not entries or viewer not in (*record.seats, PUBLIC, MASTER) or record.created.title not in server.titles:
        return None
    key = ("film", match, viewer, turn, entries[-1].key, addressed)
    try:
        return server.once(key, lambda: _film(server, match, record, viewer, turn, entries, addressed=addressed))
    except (StoreTrouble, OSError):
        raise
    except Exception:
        log.exception("match %s: turn %s cannot be shown as a film", match, turn)
        return None


def film_until(server: Server, match: str, viewer: str, exchange: int) -> Film | None:
    """Return the film of a turn as of one of its exchanges; None if it would be empty."""
    found = film_with(server, match, viewer, exchange) if exchange > 1 else None
    return found if found is not None and found.tells else None


def film_with(server: Server, match: str, viewer: str, exchange: int) -> Film | None:
    """Return the film of an exchange's turn up to this exchange, including the set-up before the first orders."""
    by_turn = turns(record_of(server, match)).items()
    turn = next((turn for turn, entries in by_turn if exchange in [entry.exchange for entry in entries]), None)
    return film(server, match, viewer, turn, upto=exchange) if turn is not None else None


def _film(
    server: Server, match: str, record: Record, viewer: str, turn: int, entries: Sequence[Entry], *, addressed: bool
) -> Film:
    before, after = _before(server, match, record, entries[0]), _at(server, match, entries[-1])
    rules = after.rules
    first, last = known_position(rules, before, viewer), known_position(rules, after, viewer)
    stands = {stand.id: stand for stand in (*first.stands, *last.stands)}
    names = {side: seat_name(server, side) for side in dict.fromkeys(rules.sides.values())}
    carriers = {**last.carriers, **first.carriers}
    known = frozenset(stand.id for stand in first.stands)
    mine = rules.sides.get(viewer, "")
    words = Words(rules, stands, mine, names, carriers, last.carriers, known, addressed=addressed)
    cut = _cut(server, match, viewer, entries, (first, last))
    for scene in cut:
        scene.say = words.say(scene)
    orders = [
        Given(
            order_lines(server, match, record, entry, viewer),
            numbered_happenings(cut, findings_seen(server, entry, viewer)),
        )
        for entry in entries
    ]
    told = summarise(turn, (first, last), cut, orders, words)
    exchanges = tuple(entry.exchange for entry in entries)
    return Film(match, turn, viewer, exchanges, tuple(cut), told, first.stands, last.stands)


def _cut(server: Server, match: str, viewer: str, entries: Sequence[Entry], knew: tuple[Known, Known]) -> list[Scene]:
    """Cut a turn's exchanges into scenes, given the viewer's knowledge before and after them."""
    first, last = knew
    by_exchange = {entry.exchange: entry for entry in entries}

    def newcomers(exchange: int) -> tuple[Stand, ...]:
        if exchange == entries[-1].exchange:
            return last.stands
        position = _at(server, match, by_exchange[exchange])
        return known_position(position.rules, position, viewer).stands

    findings = [(entry.exchange, findings_seen(server, entry, viewer)) for entry in entries]
    return scenes(findings, {stand.id: stand for stand in first.stands}, newcomers)


def _at(server: Server, match: str, entry: Entry) -> Position:
    assert entry.resolved is not None
    version = entry.resolved.version
    return server.past_position(entry.key, lambda: load(server, match, upto=version))


def _before(server: Server, match: str, record: Record, entry: Entry) -> Position | None:
    """The position in which an exchange began; None for the first of all."""
    earlier = next((one for one in reversed(record.resolved) if one.exchange < entry.exchange), None)
    return _at(server, match, earlier) if earlier is not None else None


def known_position(rules: Rules, position: Position | None, viewer: str) -> Known:
    """Return a viewer's knowledge of a position; the score, too, is computed from the view."""
    if position is None:
        return Known()
    view = position.run.view(viewer)
    if not isinstance(view, rules.state_type):
        return Known(rules.stands(view), view=view)
    return Known(rules.stands(view), rules.score(view), view, rules.carriers(view), rules.objectives(view))


def order_lines(server: Server, match: str, record: Record, entry: Entry, viewer: str) -> list[str]:
    """A seat's orders that counted in an exchange, as the rules read them."""
    if viewer not in record.seats:
        return []
    given: Submission | None = answers_of(server, entry).get(viewer)
    before = _before(server, match, record, entry)
    ask = before.run.ask_of(viewer) if before is not None else None
    if given is None or before is None or ask is None:
        return []
    lines = before.rules.restate(ask, given).splitlines()
    return [line.split("#")[0].strip() for line in lines if line.split("#")[0].strip()]


def numbered_happenings(cut: Sequence[Scene], findings: Sequence[Finding]) -> list[tuple[int, Happening]]:
    """Return the happenings of an exchange, each with the number of its scene."""
    as_text = msgspec.json.encode  # a present value may be a list, which has no hash
    by_text = {as_text(shown): scene.number for scene in cut for shown in scene.shows if isinstance(shown, FATED)}
    found = [shown for shown in happenings_in(findings) if isinstance(shown, FATED)]
    moves = {unit: scene.number for scene in cut if scene.kind == "move" for unit in scene.units}
    return [(by_text.get(as_text(shown), moves.get(getattr(shown, "who", ""), 0)), shown) for shown in found]


def summarise(
    turn: int, knew: tuple[Known, Known], cut: Sequence[Scene], orders: Sequence[Given], words: Words
) -> Summary:
    """The summary of a turn."""
    first, last = knew
    mine = words.mine
    scores = tuple(Score(side, first.score.get(side, 0), points) for side, points in last.score.items())
    losses = tuple(summing.losses(cut, words.stands, words))
    lost = tuple(loss for loss in losses if loss.side == mine)
    destroyed = tuple(loss for loss in losses if loss.side != mine)
    fates: tuple[Fate, ...] = tuple(summing.fates(orders, words)) if mine else ()
    said = summing.headline(mine, scores, len(lost), len(destroyed), words.names, addressed=words.addressed)
    taken, story = tuple(summing.captures(cut, words)), story_between(words.rules, first, last)
    held = tuple(summing.held_places(last.objectives, words))
    told = (scores, destroyed, lost, taken, fates, story, words.names, held, tuple(summing.battles(cut, words)))
    return Summary(turn, mine, said, *told, addressed=words.addressed)


def story_between(rules: Rules, first: Known, last: Known) -> tuple[str | Message, ...]:
    """Return the title's account of the time between two views; empty if one of the views is not stored in full."""
    if not all(isinstance(known.view, rules.state_type) for known in (first, last)):
        return ()
    return tuple(rules.story(first.view, last.view))


def as_data(film: Film, speak: Translator = ENGLISH) -> dict[str, Any]:
    """A film as plain data, for scripts and programs."""
    names = {stand.id: stand for stand in (*film.before, *film.after)}
    return {
        "turn": film.turn,
        "viewer": film.viewer,
        "side": film.summary.mine,
        "units": {id: {"name": stand.name, "side": stand.side} for id, stand in names.items()},
        "before": {stand.id: [stand.at, stand.facing] for stand in film.before if stand.at is not None},
        "scenes": [
            {
                "number": scene.number,
                "kind": scene.kind,
                "weight": scene.weight,
                "seconds": scene.tenths / 10,
                "say": speak(scene.say) if scene.say is not None else "",
                "units": scene.units,
                "shows": msgspec.to_builtins(scene.shows),
            }
            for scene in film.scenes
        ],
    }

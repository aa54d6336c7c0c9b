"""Rulings tried before they are made: a game master sees what each would change, and then decides.

Ruling, read_changes   what is decided
trial                  the difference it would make; nothing is appended but the look
rule                   make it, if nothing has happened since
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from difflib import get_close_matches
from typing import Any

import msgspec

from pbem.engine.rules.findings import MASTER, PUBLIC
from pbem.engine.rules.refusals import Unreadable
from pbem.matches.exchange import advancing, resolving
from pbem.matches.exchange.checks import LOOKED
from pbem.matches.history import replay
from pbem.matches.history.record import Record
from pbem.matches.history.replay import Position, load, record_of
from pbem.matches.rulings import rulings
from pbem.matches.rulings.dry_run import NotOnPaper, on_paper
from pbem.matches.rulings.powers import check_impartial, note_look, objection, refuse
from pbem.matches.server import Server

EXAMPLES = ("turn = 2", "remove units/r1")


class Ruling(msgspec.Struct, frozen=True, kw_only=True):
    """A decision on a dispute. `kind` is `reopen` (all after `exchange`), `recompute` (from it on) or `correct`."""

    kind: str
    reason: str
    exchange: int = 0
    switches: tuple[str, ...] | None = None
    changes: tuple[dict[str, Any], ...] = ()
    dispute: int = 0
    """The dispute that the ruling is made on (0: none)."""


class Change(msgspec.Struct, frozen=True):
    """One place in the game master's view that a ruling would change."""

    path: str
    was: Any
    becomes: Any


class Trial(msgspec.Struct, frozen=True):
    """What a ruling would do. `seen` is the version of the log at which this was true."""

    changes: list[Change]
    stands: list[int]
    void: list[int]
    seen: int
    by_viewer: dict[str, list[str]] = {}
    """What changes in each seat's view, and in the public one, as sentences."""


def trial(server: Server, match: str, ruling: Ruling, *, by: str) -> Trial:
    """Try a ruling on paper, and show the difference. Nothing of it is kept but the look."""
    check_impartial(record_of(server, match), by)
    resolving.resolve(server, match)  # what is closed stands first, as for the ruling itself
    record = note_look(server, match, f"what a ruling would change ({ruling.kind})", by=by)
    before, paper = load(server, match), on_paper(server)
    with suppress(NotOnPaper):
        _make(paper, match, ruling, by)
    after = replay.replayed(paper, match, record_of(paper, match))
    stood, stands = _standing(before.record), _standing(after.record)
    changes = list(differences(_seen(before), _seen(after)))
    void = [exchange for exchange in stood if exchange not in stands]
    by_viewer = {
        viewer: [in_words(change) for change in differences(_seen(before, viewer), _seen(after, viewer))]
        for viewer in (*record.seats, PUBLIC)
    }
    return Trial(changes, stands, void, record.version, by_viewer)


def rule(server: Server, match: str, ruling: Ruling, *, seen: int, by: str) -> None:
    """Make a ruling whose difference was shown, unless something has happened since."""
    record = record_of(server, match)
    check_impartial(record, by)
    if any(event.version > seen and event.type != LOOKED for event in record.events):
        raise refuse("ruling", "something has happened since you saw the difference; look at it again")
    _make(server, match, ruling, by)
    advancing.go_on(server, match)


def _make(server: Server, match: str, ruling: Ruling, by: str) -> None:
    said: dict[str, Any] = {"reason": ruling.reason, "by": by, "dispute": ruling.dispute}
    if ruling.kind == "reopen":
        rulings.reopen(server, match, after=ruling.exchange, **said)
    elif ruling.kind == "recompute":
        rulings.recompute(server, match, exchange=ruling.exchange, switches=ruling.switches, **said)
    else:
        rulings.correct(server, match, list(ruling.changes), **said)


def _standing(record: Record) -> list[int]:
    return [entry.exchange for entry in record.resolved if entry.kind == "exchange"]


def _seen(here: Position, viewer: str = MASTER) -> Any:
    return msgspec.to_builtins(here.run.view(viewer))


def in_words(change: Change) -> str:
    """A change as a sentence: `unit r1: hex 3.4 becomes 3.5`."""
    *way, last = change.path.split("/")
    what = f"{_singular(way[0])} {' '.join(way[1:])}: {last}" if way else last
    if change.was is None:
        return f"{what} {_shown(change.becomes)} is new"
    if change.becomes is None:
        return f"{what} {_shown(change.was)} is gone"
    return f"{what} {_shown(change.was)} becomes {_shown(change.becomes)}"


def _singular(name: str) -> str:
    return name.removesuffix("s") if len(name) > 3 else name


def _shown(value: Any) -> str:
    if isinstance(value, list) and all(isinstance(one, int | str) for one in value):
        return ".".join(map(str, value))
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def differences(was: Any, becomes: Any, path: str = "") -> Iterator[Change]:
    """Where two pieces of plain data differ, each place with its path."""
    if isinstance(was, dict) and isinstance(becomes, dict):
        for name in dict.fromkeys((*was, *becomes)):
            yield from differences(was.get(name), becomes.get(name), f"{path}/{name}".strip("/"))
    elif was != becomes:
        yield Change(path, was, becomes)


def read_changes(server: Server, match: str, text: str) -> tuple[dict[str, Any], ...]:
    """Lines `units/r1/hex = [1, 2]` or `remove units/r1`: places in the state where the rules wait."""
    mark = load(server, match).mark
    if mark is None:
        raise refuse("correct", "the match has not begun")
    state, changes = msgspec.json.decode(mark.state), []
    for line in filter(None, (line.strip() for line in text.splitlines())):
        if line.startswith("remove "):
            changes.append({"path": _way(state, line.removeprefix("remove "), line)})
            continue
        place, sign, value = line.partition("=")
        try:
            changes.append({"path": _way(state, place, line), "value": msgspec.json.decode(value.strip())})
        except msgspec.DecodeError as problem:
            why = "a line is a place, = and a value in JSON" if not sign else "the value is no JSON"
            raise Unreadable(place.strip(), [objection(why)], EXAMPLES, line) from problem
    return tuple(changes)


def _way(state: Any, place: str, line: str) -> list[str | int]:
    """The path to a place of the state; only its last step may be new."""
    way: list[str | int] = []
    *steps, last = (step.strip() for step in place.strip().strip("/").split("/"))
    for step in steps:
        name: str | int = int(step) if isinstance(state, list) and step.isdigit() else step
        known = range(len(state)) if isinstance(state, list) else state if isinstance(state, dict) else ()
        if name not in known:
            near = get_close_matches(step, map(str, known), cutoff=0) or [str(each) for each in known][:10]
            raise Unreadable(step, [objection("the state has no such place")], near, line)
        way.append(name)
        state = state[name]
    return [*way, int(last) if isinstance(state, list) and last.isdigit() else last]

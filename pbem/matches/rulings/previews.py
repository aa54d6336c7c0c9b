"""Rulings tried before they are made: a game master sees what each would change, and then decides.

Ruling    the decision; `corrections` reads the changes of one that corrects the position
trial     the difference it would make, also for each viewer; the log records only the look
rule      make it, if nothing has happened since
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import msgspec

from pbem.engine.rules.findings import MASTER, PUBLIC
from pbem.engine.rules.happenings import Place
from pbem.engine.rules.refusals import Unreadable
from pbem.engine.text.messages import Message, say
from pbem.matches.exchange import advancing, resolving
from pbem.matches.exchange.checks import LOOKED
from pbem.matches.history import replay
from pbem.matches.history.record import Record
from pbem.matches.history.replay import Position, load, record_of
from pbem.matches.rulings import disputes, rulings
from pbem.matches.rulings.corrections import value_in_words
from pbem.matches.rulings.dry_run import NotInDryRun, dry_run_of
from pbem.matches.rulings.powers import check_judge, note_look, objection, refuse
from pbem.matches.server import Server

MOST_LETTERS = 120
"""The longest value shown in a sentence."""


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
    """The effect that a ruling would have. `seen` is the version of the log for which this holds."""

    changes: list[Change]
    stands: list[int]
    void: list[int]
    seen: int
    by_viewer: dict[str, list[str]] = {}
    """Changes in each seat's view and in the public one, as sentences."""


def trial(server: Server, match: str, ruling: Ruling, *, by: str) -> Trial:
    """Try a ruling and show the difference; nothing is stored except the record that the game master looked."""
    check_judge(record_of(server, match), by, ruling.dispute)
    _check_dispute(record_of(server, match), ruling.dispute)
    resolving.resolve(server, match)  # a closed exchange is resolved first, as for the ruling itself
    record = note_look(server, match, f"what a ruling would change ({ruling.kind})", by=by)
    before, trial_server = load(server, match), dry_run_of(server)
    with suppress(NotInDryRun):
        _make(trial_server, match, ruling, by)
    after = replay.position_of(trial_server, match, record_of(trial_server, match))
    stood, stands = _standing(before.record), _standing(after.record)
    changes = list(differences(_master_view(before), _master_view(after)))
    void = [exchange for exchange in stood if exchange not in stands]
    said = Words(before.rules.place_in_words)
    by_viewer = {}
    for viewer in (*record.seats, PUBLIC):
        was, becomes = (_with_types(here.run.view(viewer)) for here in (before, after))
        by_viewer[viewer] = [said.of(change) for change in differences(was, becomes)]
    return Trial(changes, stands, void, record.version, by_viewer)


def rule(server: Server, match: str, ruling: Ruling, *, seen: int, by: str) -> None:
    """Make a ruling whose difference was shown, unless something has happened since."""
    record = record_of(server, match)
    check_judge(record, by, ruling.dispute)
    if any(event.version > seen and event.type != LOOKED for event in record.events):
        raise refuse("ruling", say("something has happened since you saw this preview; look at it again"))
    _check_dispute(record, ruling.dispute)
    _make(server, match, ruling, by)
    advancing.go_on(server, match)


def _check_dispute(record: Record, number: int) -> None:
    """Refuse a ruling on a dispute unless it is open, or upheld and without a ruling so far."""
    known = disputes.disputes(record)
    waiting = [str(one.number) for one in known if not one.answer or (one.verdict == "upheld" and not one.ruling)]
    if number and str(number) not in waiting:
        raise Unreadable(f"dispute {number}", [objection(say("no dispute with that number is open"))], waiting)


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


def _master_view(here: Position) -> Any:
    return msgspec.to_builtins(here.run.view(MASTER))


def _with_types(view: Any) -> Any:
    """A view as plain data, except that hexes and points keep their types."""
    if isinstance(view, msgspec.Struct):
        return {name: _with_types(getattr(view, name)) for name in view.__struct_fields__}
    if isinstance(view, dict):
        return {str(name): _with_types(one) for name, one in view.items()}
    return [_with_types(one) for one in view] if isinstance(view, list) else view


class Words:
    """Puts changes into sentences: `unit r1: hex 3.4 becomes 3.5`. Places have the names that players see."""

    def __init__(self, place_in_words: Callable[[Place], str | Message]) -> None:
        self.place_in_words = place_in_words

    def of(self, change: Change) -> str:
        """Return a change as a sentence."""
        *way, last = change.path.split("/")
        what = f"{_singular(way[0])} {' '.join(way[1:])}: {last}" if way else last
        what = what.replace("_", " ")
        if change.was is None:
            return f"{what} {self._shown(change.becomes)} is new"
        if change.becomes is None:
            return f"{what} {self._shown(change.was)} is gone"
        if isinstance(change.was, list) and isinstance(change.becomes, list) and not self._is_place(change.was):
            return self._of_list(what, change.was, change.becomes)
        return f"{what} {self._shown(change.was)} becomes {self._shown(change.becomes)}"

    def _of_list(self, what: str, was: list[Any], becomes: list[Any]) -> str:
        """Say which items a list gains and loses."""
        gained = [self._shown(one) for one in becomes if one not in was]
        lost = [self._shown(one) for one in was if one not in becomes]
        if not gained and not lost:
            return f"{what} is in a different order"
        said = [f"{verb} {', '.join(some)}" for verb, some in (("loses", lost), ("gains", gained)) if some]
        return _short(f"{what} {' and '.join(said)}")

    def _is_place(self, value: Any) -> bool:
        return isinstance(value, list) and len(value) == 2 and all(isinstance(one, int) for one in value)

    def _shown(self, value: Any) -> str:
        if self._is_place(value):
            return str(self.place_in_words(tuple(value)))
        if isinstance(value, dict):
            inner = [f"{name} {self._shown(one)}" for name, one in value.items() if one not in (None, "", [], {})]
            return _short(f"({', '.join(inner)})")
        if isinstance(value, list):
            return _short(", ".join(map(self._shown, value)) or "nothing")
        return _short(value_in_words(value))


def _short(text: str) -> str:
    return text if len(text) <= MOST_LETTERS else f"{text[: MOST_LETTERS - 1]}…"


def _singular(name: str) -> str:
    return name.removesuffix("s") if len(name) > 3 else name


def differences(was: Any, becomes: Any, path: str = "") -> Iterator[Change]:
    """Yield each place where two pieces of plain data differ, with its path."""
    if isinstance(was, dict) and isinstance(becomes, dict):
        for name in dict.fromkeys((*was, *becomes)):
            yield from differences(was.get(name), becomes.get(name), f"{path}/{name}".strip("/"))
    elif was != becomes:
        yield Change(path, was, becomes)

"""The base of the line readers: what a player's lines have said so far, and the names that they may use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from pbem.engine.geometry.hexes import hex_name
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Ambiguous, Illegal, Objection, Refusal, Unreadable, each
from pbem.engine.text.grammar import Line, Words
from pbem.engine.text.messages import say
from pbem.titles.data_files import nearest
from pbem.titles.panzer.air.air_attacks import Plot
from pbem.titles.panzer.cards.board import OffMap, on_map
from pbem.titles.panzer.player.plan import (
    Adjustments,
    AssaultWish,
    Declaration,
    FireWish,
    MarchWish,
    Turn,
    WatchWish,
)
from pbem.titles.panzer.player.prospects import (
    own_units,
)
from pbem.titles.panzer.reading.naming import unit_named, with_line
from pbem.titles.panzer.reading.vocabulary import RULE, squash, tokens_of
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Unit


class ReaderBase:
    """The content of a player's lines so far, the mistakes in each line, and the names that orders may use."""

    def __init__(self, situation: Situation, ask: Ask) -> None:
        self.situation = situation
        data, view = situation.data, situation.state
        self.data, self.view, self.ask, self.seat = data, view, ask, ask.seat
        self.own = own_units(view, ask.seat)
        """The units that may be named."""
        seat_has = ask.about.get("own")
        self.mine = self.own if seat_has is None else [unit for unit in self.own if unit.id in seat_has]
        """The units that `rest` means: where a side has several seats, those of the seat."""
        self.enemies = [unit for unit in view.vehicles.values() if unit.side != ask.seat]
        self.commands: dict[str, str] = {}
        self.line_of: dict[str, Line] = {}
        self.fire: dict[str, FireWish] = {}
        self.move: dict[str, MarchWish] = {}
        self.overwatch: dict[str, WatchWish] = {}
        self.assault: dict[str, AssaultWish] = {}
        self.missions: list[tuple[Line, Declaration]] = []
        self.flights: list[tuple[Line, Plot]] = []
        self.late: list[str] = []
        self.sneak: dict[str, list[str]] = {}
        self.reveal: list[str] = []
        self.hide: list[tuple[str, list[str]]] = []
        self.dummies: list[str] = []
        self.adjust: dict[str, dict[str, Any]] = {part: {} for part in Adjustments.__struct_fields__}
        self.demolish: dict[str, str] = {}
        self.demolish_from: dict[str, str] = {}
        self.discharge: list[str] = []
        self.formations: list[str] = []
        self.keeps: dict[str, list[str]] = {}
        self.show: dict[str, Any] = {}
        self.aspect: dict[str, Any] = {}
        self.initiative: Turn | None = None
        self.sequence: dict[str, list[str]] = {}
        self.sequence_lines: list[tuple[Line, list[str], list[str]]] = []
        """4.4.1, R-11 The lines that set an order: for what (fire, move or both), and the units that they name."""
        self.settled: dict[str, Any] = {}
        """4.2.1 The matters that the lines so far have settled, so that no line contradicts another."""
        self.own_words: dict[str, str] = {}
        """6.2.1.1.3 The commands spelled out in lines of units with a shared counter."""
        self.at_will: list[str] = []
        """6.6.7.2 The passengers that are to fire without a target of their own."""
        self.carried: list[tuple[str, str]] = []
        """6.6.7 The orders for passengers, by carrier: `mount:g4`, `dismount:g4:E8:2`."""
        self.refusals: list[Refusal] = []

    def own_named(self, words: Words, name: str = "names") -> list[str]:
        return [self.own_unit(word).id for word in tokens_of(words, name, "NAME")]

    def own_unit(self, word: str) -> Unit:
        return unit_named(word, self.own, self.view)

    def enemy(self, word: str) -> str:
        if self.ask.kind == "anti-aircraft":
            return one_named(word, {id: craft.name for id, craft in self.view.aircraft.items()}, "aircraft")
        return unit_named(word, self.enemies, self.view).id

    def anybody(self, word: str) -> str:
        """7.30 The id of any unit, on either side."""
        return unit_named(word, [*self.own, *self.enemies], self.view).id

    def hex(self, word: str) -> str:
        """1.2 A hex as the map spells it."""
        try:
            return hex_name(on_map(word.upper(), dict.fromkeys(self.data.board.hexes)))
        except ValueError as error:
            near = [hex_name(error.near)] if isinstance(error, OffMap) else []
            raise Unreadable(word.upper(), [Objection("1.2", str(error).rstrip("."))], near) from error

    @contextmanager
    def at(self, line: Line | None) -> Iterator[None]:
        """Collect any refusal raised in the block, with its line."""
        try:
            yield
        except Refusal as refusal:
            self.refusals += [with_line(single, line) if line else single for single in each(refusal)]

    def claim(self, id: str, line: Line) -> None:
        """1.7.2 Allow only one order for each unit, and for each hidden counter (7.2.2.2)."""
        if id in self.line_of:
            raise Illegal(id, [Objection("1.7.2", say("this unit already has an order in a line above"))])
        self.line_of[id] = line


def one_named(word: str, names: Mapping[str, str], what: str) -> str:
    """The id that a word refers to: an id, a name, or the unambiguous beginning of one."""
    said = squash(word)
    for fits in (said.__eq__, lambda name: name.startswith(said)):
        found = [id for id, name in names.items() if fits(squash(id)) or (name and fits(squash(name)))]
        if len(found) == 1:
            return found[0]
        if found:
            raise Ambiguous(word, [Objection(RULE, say("this could mean {found}", found=" or ".join(found)))], found)
    near = nearest(said, list(names))
    raise Unreadable(
        word, [Objection(RULE, say("no {what} has that name", what=what))], [near] if near else sorted(names)
    )

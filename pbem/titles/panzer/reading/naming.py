"""1.6 Units by name, and refusals with their lines.

unit_named            the unit a word refers to: its id, its name, or the beginning of one
refuse_strangers      units that cannot be named there
raise_all             all refusals in one answer; with_line
refuse_unit_as_hex    a word that is a hex, but also a unit that is somewhere else
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from lark import Token

from pbem.engine.geometry.hexes import hex_name
from pbem.engine.rules.refusals import Ambiguous, Illegal, Objection, Refusal, Refusals, Unreadable
from pbem.engine.text.grammar import Line, Words
from pbem.engine.text.messages import Message, say
from pbem.titles.data_files import nearest
from pbem.titles.panzer.command.command_control import absent
from pbem.titles.panzer.reading.vocabulary import RULE, names_of, squash
from pbem.titles.panzer.state import PanzerState, Unit
from pbem.titles.panzer.telling.words.sides import display_name

DONE: Final = "done"
"""The line that ends an answer."""


def raise_all(refusals: list[Refusal]) -> None:
    """Raise all refusals as one."""
    if refusals:
        raise refusals[0] if len(refusals) == 1 else Refusals(refusals)


def with_line(refusal: Refusal, line: Line) -> Refusal:
    """The refusal with the line it refers to."""
    return type(refusal)(refusal.part, refusal.objections, refusal.instead, line.written)


def refuse_strangers(units: Iterable[str], legal: list[str], why: Message | str) -> Iterator[Refusal]:
    """Refuse the units that are not among the legal ones."""
    for unit in units:
        if unit not in legal:
            near = nearest(unit, legal)
            yield Illegal(unit, [Objection("3.1", why)], [near] if near else legal)


def unit_named(word: str, units: Iterable[Unit], view: PanzerState) -> Unit:
    """The unit a word refers to: its id, its name, or the unambiguous beginning of a name."""
    candidates = list(units)
    said = squash(word)
    known = [(vehicle, *names_of(vehicle)) for vehicle in candidates]
    found = [vehicle for vehicle, id, name in known if said in (id, name)]
    found = found or [vehicle for vehicle, id, name in known if id.startswith(said) or name.startswith(said)]
    if len(found) == 1:
        return found[0]
    if found:
        meant = [vehicle.id for vehicle in found]
        raise Ambiguous(word, [Objection(RULE, say("this could mean {meant}", meant=" or ".join(meant)))], meant)
    raise refuse_unknown(word, candidates, view)


def refuse_unit_as_hex(view: PanzerState, line: Line, words: Words) -> None:
    """1.2, 1.6 Refuse `s1` as a hex while a unit or counter of that name is elsewhere; capitals mean the hex."""
    for token in hexes_in(words):
        written = line.written[token.start_pos : token.end_pos]
        unit, counter = view.vehicles.get(written), view.hidden_counters.get(written)  # 7.2.1
        place = unit.hex if unit is not None and unit.alive else counter.hex if counter is not None else None
        if place is None or hex_name(place) == written.upper():
            continue
        before, after, there = line.written[: token.start_pos], line.written[token.end_pos :], hex_name(place)
        names = {"written": written, "there": there, "upper": written.upper()}
        if counter is not None:
            why = say("{written} is a counter in {there} and also a hex; write {upper} for the hex", **names)
        else:
            why = say("{written} is a unit in {there} and also a hex; write {upper} for the hex", **names)
        instead = [f"{before}{hex}{after}" for hex in (there, written.upper())]
        raise Ambiguous(written, [Objection(RULE, why)], instead)


def hexes_in(words: Words) -> Iterator[Token]:
    """Yield the words read as hexes, except after `dismount`, where the word may name a passenger."""
    for tree in words.iter_subtrees():
        if tree.data != "dismount":
            yield from (word for word in tree.children if isinstance(word, Token) and word.type == "HEX")


def refuse_unknown(word: str, candidates: list[Unit], view: PanzerState) -> Refusal:
    """Refuse a name that fits no unit here: the unit is on the wrong side or out of play, or it is a typo."""
    legal = [vehicle.id for vehicle in candidates]
    other = next((vehicle for vehicle in view.vehicles.values() if squash(word) in names_of(vehicle)), None)
    if other is not None:
        strange = all(vehicle.side != other.side for vehicle in candidates)
        why = (
            Objection("3.1", say("that unit belongs to the {side} side", side=display_name(other.side)))
            if strange
            else absent(other)
        )
        return Illegal(word, [why], legal)
    near = nearest(squash(word), [name for vehicle in candidates for name in names_of(vehicle)])
    meant = [vehicle.id for vehicle in candidates if near in names_of(vehicle)]
    return Unreadable(word, [Objection(RULE, say("no unit has that name"))], meant or legal)

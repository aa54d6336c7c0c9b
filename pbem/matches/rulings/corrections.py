"""Corrections of a position: each names a unit or another thing, one of its states, and the new value.

    r1 hex 1.3            a unit, one of its states, and the new value
    r1 suppression none
    remove r1
    turn 4                a number or word of the position itself

The words are checked against the title's own state, like those of a scenario, and the corrected position must satisfy
every invariant of the title. Operators may also name raw paths in the state: `units/r1/hex = [1, 3]`.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation
from difflib import get_close_matches
from typing import Any

import msgspec
from msgspec import inspect

from pbem.engine.geometry.hexes import Hex, hex_name, parse_hex
from pbem.engine.geometry.plane import Point
from pbem.engine.rules.refusals import Ambiguous, Objection, Unreadable
from pbem.engine.rules.state import State, from_bytes
from pbem.engine.text.messages import Message, say
from pbem.matches.history.replay import Position, load
from pbem.matches.server import Server

EXAMPLES = ("r1 hex 1.3", "remove r1", "turn 2")
RAW_EXAMPLES = ("turn = 2", "remove units/r1")
NOTHING = ("nothing", "none", "-")
WORDS = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}
FIXED = ("id",)
"""Fields that cannot be corrected: a thing's state can change, but not its identity."""


class Thing(msgspec.Struct, frozen=True):
    """Something that a correction can name: a unit, a gun, a wreck.

    `states` are the names of the states that can be corrected.
    """

    id: str
    group: str
    place: tuple[str | int, ...]
    states: dict[str, str]
    """Each state with its current value, in words."""
    choices: dict[str, tuple[str, ...]]
    """The possible values of the states that have a fixed list."""


# Things that can be corrected
# ----------------------------------------------------------------------------------------


def things(server: Server, match: str) -> list[Thing]:
    """Return everything in the position that a correction can name."""
    return list(_things(_state(load(server, match))))


def _state(here: Position) -> State:
    if here.mark is None:
        raise _unreadable("correct", say("the match has not started"))
    return from_bytes(here.mark.state, here.rules.state_type)


def _things(state: State) -> Iterator[Thing]:
    for group in type(state).__struct_fields__:
        held = getattr(state, group)
        if isinstance(held, Mapping):
            yield from (_thing(group, str(id), (group, str(id)), one) for id, one in held.items() if _is_struct(one))
        elif isinstance(held, list):
            named = [(index, one) for index, one in enumerate(held) if _is_struct(one) and hasattr(one, "id")]
            yield from (_thing(group, str(one.id), (group, index), one) for index, one in named)


def _is_struct(one: Any) -> bool:
    return isinstance(one, msgspec.Struct)


def _thing(group: str, id: str, place: tuple[str | int, ...], one: Any) -> Thing:
    kinds = {name: kind for name, kind in _fields(type(one)).items() if name not in FIXED and _is_plain(kind)}
    states = {name: value_in_words(getattr(one, name)) for name in kinds}
    listed = {name: tuple(value_in_words(value) for value in values(kind)) for name, kind in kinds.items()}
    return Thing(id, group, place, states, {name: found for name, found in listed.items() if found})


def _fields(kind: type[msgspec.Struct]) -> dict[str, inspect.Type]:
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return {field.name: field.type for field in info.fields}


PLAIN = (inspect.BoolType, inspect.IntType, inspect.StrType, inspect.EnumType, inspect.LiteralType)


def _is_plain(kind: inspect.Type) -> bool:
    """Whether a value of this type can be written as one word."""
    if isinstance(kind, inspect.UnionType):
        return all(isinstance(one, inspect.NoneType) or _is_plain(one) for one in kind.types)
    if isinstance(kind, inspect.NamedTupleType):
        return kind.cls in (Hex, Point)
    return isinstance(kind, PLAIN)


def values(kind: inspect.Type) -> list[Any]:
    """Return the possible values of a type; empty if it has no fixed list."""
    match kind:
        case inspect.BoolType():
            return [True, False]
        case inspect.EnumType():
            return [one.value for one in kind.cls]
        case inspect.LiteralType():
            return list(kind.values)
        case inspect.UnionType():
            found = [value for one in kind.types for value in values(one)]
            return [*found, None] if found else []
        case _:
            return []


def value_in_words(value: Any) -> str:
    """Return a value as it is written in a correction."""
    match value:
        case None | "":
            return "nothing"
        case bool():
            return "yes" if value else "no"
        case enum.Enum():
            return value_in_words(value.value)
        case Hex():
            return _hex(value)
        case Point():
            return "/".join(f"{part / 10:g}" for part in value)
        case tuple() | list():
            return ".".join(map(str, value))
        case _:
            return str(value)


def _hex(hex: Hex) -> str:
    """Name a hex by its printed name, or by its coordinates if it has none."""
    try:
        return hex_name(hex)
    except ValueError:
        return f"{hex.x}.{hex.y}"


# Reading -------------------------------------------------------------------------------------------------------


def read_changes(server: Server, match: str, text: str, *, raw: bool = False) -> tuple[dict[str, Any], ...]:
    """Read a correction, one change per line; `raw` allows paths in the state, for operators."""
    return changes_in(load(server, match), text, raw=raw)


def changes_in(here: Position, text: str, *, raw: bool = False) -> tuple[dict[str, Any], ...]:
    """Read changes to a position, one per line."""
    state = _state(here)
    known = list(_things(state))
    lines = [line for line in (line.strip() for line in text.splitlines()) if line]
    if not lines:
        raise _unreadable("correct", say("write the corrections, one per line"))
    return tuple(_change(here, state, known, line, raw) for line in lines)


def _change(here: Position, state: State, known: list[Thing], line: str, raw: bool) -> dict[str, Any]:
    said = line.removeprefix("remove ").strip()
    pointed = any(said == one.id or said.startswith((f"{one.id} ", f"{one.group} ")) for one in known)
    if "=" in line or ("/" in said.split()[0] and not pointed):
        if not raw:
            why = "raw places of the state are for operators; point at a unit, its state and the value"
            raise _unreadable(line, why, _examples(known))
        return _raw(msgspec.json.decode(here.mark.state if here.mark else b"{}"), line)
    if line.startswith("remove "):
        return {"path": [*_find_thing(known, line.removeprefix("remove "), line)[0].place]}
    word = line.split()[0]
    if word in _fields(type(state)) and word not in {one.group for one in known}:
        return _of_state(state, line)
    thing, rest = _find_thing(known, line, line)
    name, _, said = rest.partition(" ")
    name = name.replace("-", "_")
    if name not in thing.states:
        near = get_close_matches(name, thing.states, cutoff=0.3) or list(thing.states)[:8]
        raise _unreadable(
            name or thing.id,
            say("{thing} has no state with that name", thing=thing.id),
            [f"{thing.id} {one}" for one in near],
            line,
        )
    owner = getattr(state, str(thing.place[0]))
    kind = _fields(type(owner[thing.place[1]]))[name]
    return {"path": [*thing.place, name], "value": _value(kind, said.strip(), line)}


def _find_thing(known: list[Thing], said: str, line: str) -> tuple[Thing, str]:
    """Return the thing that a line begins with, by its id or by group and id, and the rest of the line."""
    said = said.strip()
    found = [
        (one, said[len(name) :].strip())
        for one in known
        for name in (one.id, f"{one.group} {one.id}")
        if said == name or said.startswith(f"{name} ")
    ]
    longest = [pair for pair in found if len(pair[1]) == min(len(rest) for _, rest in found)]
    if not longest:
        word = said.split()[0] if said else "correct"
        near = get_close_matches(word, [one.id for one in known], cutoff=0.3)
        raise _unreadable(word, say("nothing in the position has that name"), near or _examples(known), line)
    if len(longest) > 1:
        why = [Objection("pbem/ruling", say("several things have that name"))]
        raise Ambiguous(said, why, [f"{one.group} {one.id}" for one, _ in longest], line)
    return longest[0]


def _of_state(state: State, line: str) -> dict[str, Any]:
    """Read a change to a value of the position itself, or of one of its tracks: `turn 4`, `points wp 3`."""
    name, _, rest = line.partition(" ")
    kind = _fields(type(state))[name]
    if isinstance(kind, inspect.DictType) and _is_plain(kind.value_type):
        key, _, said = rest.partition(" ")
        held = {str(getattr(one, "value", one)) for one in getattr(state, name)}
        if key not in held:
            raise _unreadable(
                key or name,
                say("{name} has no entry with that name", name=name),
                [f"{name} {one}" for one in sorted(held)],
                line,
            )
        return {"path": [name, key], "value": _value(kind.value_type, said.strip(), line)}
    if not _is_plain(kind):
        raise _unreadable(name, say("only an operator can correct this"), EXAMPLES, line)
    return {"path": [name], "value": _value(kind, rest.strip(), line)}


def _value(kind: inspect.Type, said: str, line: str) -> Any:
    """Read a value of this type from its words."""
    match kind:
        case inspect.UnionType():
            if said in NOTHING:
                return None
            [inner] = [one for one in kind.types if not isinstance(one, inspect.NoneType)][:1]
            return _value(inner, said, line)
        case inspect.BoolType():
            if said.lower() in WORDS:
                return WORDS[said.lower()]
        case inspect.IntType():
            if said.removeprefix("-").isdigit():
                return int(said)
        case inspect.EnumType() | inspect.LiteralType():
            listed = values(kind)
            wanted = "" if said in NOTHING and "" in listed else said
            if wanted in map(str, listed):
                return next(one for one in listed if str(one) == wanted)
        case inspect.NamedTupleType():
            if (place := _place(kind.cls, said)) is not None:
                return place
        case inspect.StrType() if said:
            return "" if said in NOTHING else said
    listed_values = [value_in_words(one) for one in values(kind)]
    raise _unreadable(
        said or line,
        say("the value must be {listed_values}", listed_values=", ".join(listed_values) or _expected_value(kind)),
        (),
        line,
    )


def _expected_value(kind: inspect.Type) -> str:
    if isinstance(kind, inspect.NamedTupleType):
        return "millimetres from west and north, such as 120/45.5" if kind.cls is Point else "a hex, such as E9"
    return "a whole number" if isinstance(kind, inspect.IntType) else "a word"


def _place(kind: Any, said: str) -> list[int] | None:
    """A hex by its printed name or its coordinates, or a point in millimetres."""
    if kind is Point:
        try:
            parts = [Decimal(part) * 10 for part in said.split("/")]
        except InvalidOperation:
            return None
        whole = len(parts) == 2 and all(part == int(part) for part in parts)
        return [int(part) for part in parts] if whole else None
    halves = said.replace(",", ".").split(".")
    if len(halves) == 2 and all(half.strip().isdigit() for half in halves):
        return [int(half) for half in halves]
    try:
        return [*parse_hex(said)]
    except ValueError:
        return None


# Raw places, for operators -------------------------------------------------------------------------------------


def _raw(state: Any, line: str) -> dict[str, Any]:
    if line.startswith("remove "):
        return {"path": _way(state, line.removeprefix("remove "), line)}
    place, sign, value = line.partition("=")
    try:
        return {"path": _way(state, place, line), "value": msgspec.json.decode(value.strip())}
    except msgspec.DecodeError as problem:
        why = "the value is not JSON" if sign else "a line is a place, = and a value in JSON"
        raise _unreadable(place.strip(), why, RAW_EXAMPLES, line) from problem


def _way(state: Any, place: str, line: str) -> list[str | int]:
    """The path to a place in the state; only its last step may be new."""
    way: list[str | int] = []
    *steps, last = (step.strip() for step in place.strip().strip("/").split("/"))
    for step in steps:
        name: str | int = int(step) if isinstance(state, list) and step.isdigit() else step
        known = range(len(state)) if isinstance(state, list) else state if isinstance(state, dict) else ()
        if name not in known:
            near = get_close_matches(step, map(str, known), cutoff=0) or [str(each) for each in known][:10]
            raise _unreadable(step, say("the state has no entry with that name"), near, line)
        way.append(name)
        state = state[name]
    return [*way, int(last) if isinstance(state, list) and last.isdigit() else last]


def _examples(known: list[Thing]) -> tuple[str, ...]:
    first = next((one for one in known if one.states), None)
    return (f"{first.id} {next(iter(first.states))} {first.states[next(iter(first.states))]}",) if first else EXAMPLES


def _unreadable(part: str, why: Message | str, instead: Any = EXAMPLES, line: str = "") -> Unreadable:
    return Unreadable(part, [Objection("pbem/ruling", why)], tuple(instead), line)

"""The state between two steps: plain data with a canonical JSON form."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import Any, ClassVar, TypeVar

import msgspec
from msgspec import inspect

S = TypeVar("S", bound="State")


class NextStep(msgspec.Struct, frozen=True):
    """The next step and its arguments."""

    name: str
    args: dict[str, Any] = {}


class Outcome(msgspec.Struct, frozen=True):
    """How a match ended; the reason is data. No winner means a draw.

    `score` gives each side's points and `level` the level of victory, where the rules have them.
    """

    rule: str
    winner: str | None = None
    why: str = ""
    score: dict[str, int] | msgspec.UnsetType = msgspec.UNSET
    level: str | msgspec.UnsetType = msgspec.UNSET


class State(msgspec.Struct, kw_only=True):
    """The fields common to every title's state. A title adds its own."""

    happenings: ClassVar[str] = ""
    """The switch that introduced happenings to the title's findings; empty if they always had them."""

    turn: int = 1
    next: NextStep | None = None
    switches: tuple[str, ...] = ()
    outcome: Outcome | None = None


def to_bytes(state: State) -> bytes:
    """Return the state as canonical JSON: equal states give equal bytes."""
    return msgspec.json.encode(state, order="deterministic")


def in_order(state: State) -> bytes:
    """Return JSON with every dict in insertion order, so that the decoded data iterate in the same order."""
    return msgspec.json.encode(state)


def as_data(args: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a step as plain data, as a resumed run finds them in the state."""
    found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(args))
    return found


def from_bytes(content: bytes, kind: type[S]) -> S:
    return msgspec.json.decode(content, type=kind)


def copy(state: S) -> S:
    """A copy by round trip, many times faster than `copy.deepcopy`."""
    return from_bytes(to_bytes(state), type(state))


# --- the order of a round trip, without the trip -------------------------------------------------------------


def sort_dicts(state: State) -> None:
    """Put every dict of a state in the order that a round trip would give it, in place."""
    sort = _struct_sorter(type(state))
    assert sort is not None
    sort((state,))


Sorter = Callable[[Iterable[Any]], None]
"""Sorts all dicts in some values of one type."""


Known = dict[type, Sorter | None]
"""The sorters of structs; None for a struct that cannot contain dicts."""


def _sorter(kind: inspect.Type, known: Known) -> Sorter | None:
    """Return a function that sorts the dicts in values of this type; None if they cannot contain any."""
    if isinstance(kind, inspect.DictType):
        return _dict_sorter(_sorter(kind.value_type, known))
    if isinstance(kind, inspect.StructType):
        return _learn(kind.cls, known)
    if isinstance(kind, inspect.UnionType):
        return _sort_any if any(_sorter(one, known) for one in kind.types) else None
    if isinstance(kind, inspect.ListType | inspect.VarTupleType):
        return _list_sorter(_sorter(kind.item_type, known))
    return _sort_any if isinstance(kind, inspect.AnyType | inspect.TupleType) else None


def _dict_sorter(within: Sorter | None) -> Sorter:
    def sort(values: Iterable[dict[str, Any]]) -> None:
        for value in values:
            keys = list(value)
            if keys != (ordered := sorted(keys)):
                items = [(key, value[key]) for key in ordered]
                value.clear()
                value.update(items)
            if within is not None:
                within(value.values())

    return sort


def _list_sorter(within: Sorter | None) -> Sorter | None:
    def sort(values: Iterable[Any]) -> None:
        for value in values:
            within(value)  # type: ignore[misc]

    return None if within is None else sort


_of_structs: Known = {}


def _struct_sorter(kind: type) -> Sorter | None:
    """Return the sorter of a struct. Other threads that need it find it only when it is complete."""
    if kind not in _of_structs:
        known = dict(_of_structs)
        _learn(kind, known)
        _of_structs.update(known)
    return _of_structs[kind]


def _learn(kind: type, known: Known) -> Sorter | None:
    if kind not in known:
        known[kind] = _sort_any  # for a struct that can contain itself
        known[kind] = _new_struct_sorter(kind, known)
    return known[kind]


def _new_struct_sorter(kind: type, known: Known) -> Sorter | None:
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    within_each = ((field.name, _sorter(field.type, known)) for field in info.fields)
    found = [(attrgetter(name), within) for name, within in within_each if within is not None]

    def sort(values: Iterable[Any]) -> None:
        every = tuple(values)
        for read, within in found:
            within(filter(None, map(read, every)))  # most dicts are empty

    return sort if found else None


def _sort_any(values: Iterable[Any]) -> None:
    """Sort the dicts in values whose type does not say what they contain."""
    for value in values:
        if isinstance(value, dict):
            _dict_sorter(_sort_any)((value,))
        elif isinstance(value, list | tuple):
            _sort_any(value)
        elif isinstance(value, msgspec.Struct) and (sort := _struct_sorter(type(value))) is not None:
            sort((value,))

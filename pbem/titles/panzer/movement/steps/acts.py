"""6.6 The acts of a move: single steps, and goals that become steps when the move is made.

An act is stored in a short notation, a code and its arguments separated by colons: `dismount:g4:E8:2`. Only this
module knows the notation: `read_act` reads it and `str` writes it. An act without arguments is `Plain`: `f` and `b`
to drive, `l` and `r` to turn, `1` to `6` on foot, `up`, `down`, `in`, `out`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Annotated, ClassVar, Final, Literal, TypeVar

import msgspec

Facing = Annotated[int, msgspec.Meta(ge=1, le=6)]
"""5.5 A facing. In an act, 0 means that none is given."""
Sought = Literal["hd", "phd"]
"""6.6.9 The object of a search: a hull-down position, or a partial one."""


class Act(msgspec.Struct, frozen=True):
    """6.6 One act of a move. Its fields are its arguments in the order of the notation."""

    CODE: ClassVar[str] = ""

    @property
    def code(self) -> str:
        """The first word of the notation."""
        return self.CODE

    def __str__(self) -> str:
        given = [str(value) for value in msgspec.structs.astuple(self)]
        while given and given[-1] in ("", "0"):
            given.pop()
        return ":".join([self.CODE, *given])


class Plain(Act, frozen=True):
    """6.6 A step of one word; also any text that is not an act."""

    word: str

    @property
    def code(self) -> str:
        return self.word

    def __str__(self) -> str:
        return self.word


class Wrong(Act, frozen=True):
    """6.6 An act with arguments that are missing or cannot be read."""

    word: str
    text: str

    @property
    def code(self) -> str:
        return self.word

    def __str__(self) -> str:
        return self.text


class To(Act, frozen=True):
    """4.5.1.1 Go to a hex by the cheapest route."""

    CODE = "to"
    hex: str


class Turn(Act, frozen=True):
    """4.5.1.1.4 Turn to a facing, hexside by hexside for a vehicle."""

    CODE = "turn"
    facing: Facing


class Leave(Act, frozen=True):
    """4.5.1.1.9 Leave the map by an edge, by the shortest route."""

    CODE = "leave"
    edge: str


class Enter(Act, frozen=True):
    """R-02 Enter the map in a hex, facing into the map."""

    CODE = "enter"
    hex: str
    facing: int = 0


class Face(Act, frozen=True):
    """6.6.4.1 A unit on foot faces in a direction."""

    CODE = "face"
    facing: Facing


class Exit(Act, frozen=True):
    """4.5.1.1.9 Leave the map: a vehicle straight ahead, a unit on foot in a direction."""

    CODE = "exit"
    way: Facing = 0


class Mount(Act, frozen=True):
    """6.6.7.1.1 A unit mounts."""

    CODE = "mount"
    unit: str


class Dismount(Act, frozen=True):
    """6.6.7.1.1 A passenger dismounts in a hex with a facing, and may attack an enemy at once."""

    CODE = "dismount"
    unit: str
    hex: str = ""
    facing: Facing = 0
    target: str = ""


class Bail(Act, frozen=True):
    """6.6.7.1.2 A passenger jumps off."""

    CODE = "bail"
    unit: str
    facing: Facing = 0


class Unload(Act, frozen=True):
    """5.2.1 A truck unloads its portee gun; `truck` is the truck's own facing."""

    CODE = "unload"
    facing: Facing = 0
    truck: Facing = 0


class Search(Act, frozen=True):
    """6.6.9 Search for a hull-down or partial hull-down position; `back` takes it in reverse."""

    CODE = "search"
    sought: Sought
    facing: Facing = 0
    back: Literal["", "b"] = ""


class Overrun(Act, frozen=True):
    """6.6.10 Drive straight ahead over a unit."""

    CODE = "overrun"
    target: str


class Swing(Act, frozen=True):
    """7.8.1 Turn the turret to an offset from the hull."""

    CODE = "turret"
    offset: Annotated[int, msgspec.Meta(ge=0)]

    def __str__(self) -> str:
        return f"{self.CODE}:{self.offset}"


class Push(Act, frozen=True):
    """7.30 Push a wreck or a unit off a narrow road, in this hex or `ahead`."""

    CODE = "push"
    what: str
    ahead: Literal["", "f"] = ""


KINDS: Final[dict[str, type[Act]]] = {
    kind.CODE: kind
    for kind in (
        *(To, Turn, Leave, Enter, Face, Exit),
        *(Mount, Dismount, Bail, Unload, Search, Overrun, Swing, Push),
    )
}
SOUGHT: Final[tuple[Sought, ...]] = ("hd", "phd")
HANDLING: Final = (Mount, Dismount, Unload)
"""6.6.7.1.1 The acts with passengers, which are still possible with a bogged vehicle (7.29)."""

AnAct = TypeVar("AnAct", bound=Act)


@lru_cache(maxsize=1 << 14)
def read_act(text: str) -> Act:
    """6.6 The act that a notation describes."""
    code, *given = text.split(":")
    kind = KINDS.get(code)
    if kind is None:
        return Plain(text)
    if len(given) > len(kind.__struct_fields__) or "" in given:
        return Wrong(code, text)
    arguments = dict(zip(kind.__struct_fields__, given, strict=False))
    if "hex" in arguments:
        arguments["hex"] = arguments["hex"].upper()
    try:
        return msgspec.convert(arguments, kind, strict=False)
    except msgspec.ValidationError:
        return Wrong(code, text)


def acts_of(kind: type[AnAct], texts: Iterable[str]) -> Iterator[AnAct]:
    """6.6 The acts of one kind among several."""
    for text in texts:
        act = read_act(text)
        if isinstance(act, kind):
            yield act


def order_for(act: Overrun | Dismount | Bail) -> str:
    """6.6 An act as an order to the unit that overruns, dismounts or bails out."""
    match act:
        case Overrun(target=target):
            return f"overrun {target}"
        case Dismount(hex=hex):
            return f"dismount {hex}".strip()
    return "bail"


def attack_by(unit: str, target: str) -> str:
    """6.6.1.1 The notation for an attack that a passenger declares before its vehicle moves: `g5:b1`."""
    return f"{unit}:{target}"


def units_named(texts: Iterable[str]) -> Iterator[str]:
    """6.6 The passengers, targets and pushed units that acts name."""
    for text in texts:
        match read_act(text):
            case Mount(unit=unit) | Dismount(unit=unit) | Bail(unit=unit):
                yield unit
            case Overrun(target=target):
                yield target
            case Push(what=what):
                yield what

"""Turning the words of a line into parts of orders. Names are looked up in the seat's view.

Reader       units, weapons and hexes by name
fire_order, move_order, rout_order, advance_order, combat_order, clause
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lark import Token, Tree

from pbem.engine.rules.refusals import Illegal, Objection
from pbem.engine.text.grammar import Words, part, tokens
from pbem.engine.text.messages import say
from pbem.titles.aslsk.movement.eligibility import OFF_MAP
from pbem.titles.aslsk.orders import (
    AdvanceOrder,
    Assault,
    Attempt,
    Branch,
    Clause,
    CombatOrder,
    FireOrder,
    Hatch,
    Leg,
    MoveOrder,
    RoutOrder,
    Waiting,
)
from pbem.titles.aslsk.player.language import RULE
from pbem.titles.aslsk.state import AslskState


class Reader:
    """Resolves the names that a seat may use; without a view (receipts, standing orders), names are kept as
    written.
    """

    def __init__(self, ground: Any, view: AslskState | None, seat: str) -> None:
        self.ground, self.view, self.seat = ground, view, seat

    def hex(self, name: str) -> str:
        found = self.ground.find(name)
        if found is None:
            raise Illegal(name, [Objection("1.1", say("the map has no hex {upper}", upper=name.upper()))])
        return str(found)

    def thing(self, name: str) -> str:
        """Find a unit, vehicle or weapon by name; a Gun's direct fire has the Gun's id followed by `ife` (6.8)."""
        if self.view is None or name in self.view.units or name in self.view.weapons or name in self.view.vehicles:
            return name
        stem = name.removesuffix("ife")
        if stem != name and (stem in self.view.weapons or f"{stem}ma" in self.view.weapons):
            return name
        raise Illegal(name, [Objection(RULE, say("no unit or weapon in play is called {name}", name=name))])

    def things(self, names: Iterable[str]) -> tuple[str, ...]:
        return tuple(self.thing(name) for name in names)

    def hexes(self, names: Iterable[str]) -> tuple[str, ...]:
        return tuple(self.hex(name) for name in names)


def names_in(words: Words, rule: str, place: int = 0) -> list[str]:
    """The names in one child of a line: the one at position `place` (counted from 0) among those of the given grammar
    rule.
    """
    found = [child for child in words.children if isinstance(child, Tree) and child.data == rule]
    return tokens(found[place], "NAME") if len(found) > place else []


def own_names(words: Words) -> list[str]:
    """The names that are directly in a line rather than in one of its parts."""
    return [str(child) for child in words.children if isinstance(child, Token) and child.type == "NAME"]


def fire_order(reader: Reader, words: Words) -> FireOrder:
    leaders, aim = part(words, "directed"), part(words, "aim")
    assert aim is not None
    return FireOrder(
        reader.things(names_in(words, "names")),
        reader.hexes(names_in(aim, "hexes")),
        reader.things(tokens(leaders, "NAME")) if leaders is not None else (),
        unbroken=bool(tokens(words, "UNBROKEN")),
        once=bool(tokens(words, "ONCE")),
        how=shell_of(words),
        intensive=bool(tokens(words, "INTENSIVE")),
        against=reader.things(names_in(aim, "vehicles")),
        anyway=bool(tokens(words, "ANYWAY")),
        blast=bool(tokens(words, "BLAST")),
        unmarked=bool(tokens(words, "UNMARKED")),
    )


SHELLS = {
    "AREA": "area", "SMOKE": "smoke", "WP": "WP", "AP": "AP", "HE": "HE", "HEAT": "H", "APCR": "A", "APDS": "D",
    "PF": "pf",
}  # fmt: skip


def shell_of(words: Words) -> str:
    """Read the target type or ammunition that a line names for ordnance."""
    return next((how for token, how in SHELLS.items() if tokens(words, token)), "")


def face_order(reader: Reader, words: Words) -> FireOrder:
    weapon, hex = own_names(words)
    return FireOrder((reader.thing(weapon),), (), face=reader.hex(hex))


def destroy_order(reader: Reader, words: Words) -> FireOrder:
    return FireOrder((reader.thing(own_names(words)[0]),), (), destroy=True)


def detonate_order(reader: Reader, words: Words) -> FireOrder:
    """4.3/detonation Read `detonate gw2`, which says when a charge explodes during the AFPh."""
    return FireOrder((reader.thing(own_names(words)[0]),), (), detonate=True)


def gift_of(reader: Reader, words: Words) -> Attempt:
    """3.7 Read `give gw1 to gs2` or `drop gw1`, for the Advance Phase."""
    weapon, *taker = own_names(words)
    return Attempt(reader.thing(taker[0]) if taker else "", reader.thing(weapon))


def legs_of(reader: Reader, words: Words) -> tuple[Leg, ...]:
    """Read the legs of a path, one for each hex."""
    found: list[Leg] = []
    for leg in words.children:
        if not (isinstance(leg, Tree) and leg.data == "leg"):
            continue
        inner = leg.children[0]
        assert isinstance(inner, Tree)
        names = own_names(inner)
        if inner.data == "path":
            for hop in inner.children:
                assert isinstance(hop, Tree)
                hex = OFF_MAP if tokens(hop, "OFF") else reader.hex(tokens(hop, "NAME")[0])
                more = tokens(hop, "NUMBER")
                found.append(
                    Leg(
                        "enter",
                        hex,
                        cover=bool(tokens(hop, "COVER")),
                        whole=bool(tokens(hop, "WHOLE")),
                        extra=2 * int(more[0]) if more else 0,
                    )
                )
        elif inner.data in VEHICLE_LEGS:
            found.append(vehicle_leg(reader, inner))
        elif inner.data == "smoke":
            found.append(Leg("smoke", reader.hex(names[0]), by=reader.things(names_in(inner, "names"))))
        elif inner.data == "push":
            facing = tokens(inner, "NUMBER")
            number = int(facing[0]) % 6 if facing else -1
            found.append(Leg("push", reader.hex(names[1]), weapon=reader.thing(names[0]), number=number))
        elif inner.data == "set_charge":
            target = reader.thing(names[2]) if len(names) > 2 else ""
            found.append(Leg("place", reader.hex(names[1]), weapon=reader.thing(names[0]), target=target))
        else:
            found.append(Leg("recover" if inner.data == "pick_up" else "drop", weapon=reader.thing(names[0])))
    return tuple(found)


VEHICLE_LEGS = ("plain", "turn", "turret", "wait", "device", "fire_leg")


def vehicle_leg(reader: Reader, words: Words) -> Leg:
    """3.3.2 Read a leg of a kind that only vehicles have."""
    numbers, names = tokens(words, "NUMBER"), own_names(words)
    if words.data == "plain":
        return Leg(tokens(words, "PLAIN")[0])  # type: ignore[arg-type]
    if words.data == "wait":
        return Leg("delay", number=int(numbers[0]))
    if words.data in ("turn", "turret"):
        return Leg(str(words.data), number=int(numbers[0]) % 6)  # type: ignore[arg-type]
    if words.data == "device":
        return Leg("device", reader.hex(names[0]) if names else "")
    by = reader.things(names_in(words, "names"))
    hexes, vehicles = reader.hexes(names_in(words, "hexes")), reader.things(names_in(words, "vehicles"))
    return Leg("fire", hexes[0] if hexes else "", by=by, target=vehicles[0] if vehicles else "", how=shell_of(words))


def hatch_order(reader: Reader, words: Words) -> Hatch:
    return Hatch(reader.thing(own_names(words)[0]), tokens(words, "HATCH")[0] == "open")


def branch_of(reader: Reader, words: Words) -> Branch:
    """Read `if … stop`, `if … go` or `if … via …`."""
    then = str(words.data).removeprefix("branch_")
    condition = words.children[0]
    assert isinstance(condition, Tree)
    names, kind = tokens(condition, "NAME"), str(condition.data)
    numbers, hurt = tokens(condition, "NUMBER"), tokens(condition, "HURT")
    number = int(numbers[0]) if numbers else 0
    path = legs_of(reader, words)
    if kind in ("hurt_unit", "hurt_any"):
        return Branch(hurt[0], unit=reader.thing(names[0]) if names else "", then=then, path=path)  # type: ignore[arg-type]
    if kind in ("residual", "no_smoke"):
        return Branch(kind, hex=reader.hex(names[0]), number=number, then=then, path=path)  # type: ignore[arg-type]
    return Branch(kind, number=number, then=then, path=path)  # type: ignore[arg-type]


def move_order(reader: Reader, words: Words) -> MoveOrder:
    branches = [
        child for child in words.children if isinstance(child, Tree) and str(child.data).startswith("branch_")
    ]
    after = next((child for child in words.children if isinstance(child, Tree) and child.data == "after"), None)
    waiting = None
    if after is not None:
        unit, *hex = own_names(after)
        place = reader.hex(hex[0]) if hex else ""
        waiting = Waiting(reader.thing(unit), place, unhurt=bool(tokens(after, "UNHURT")))
    return MoveOrder(
        reader.things(names_in(words, "names")),
        legs_of(reader, words),
        assault=bool(tokens(words, "ASSAULT")),
        double=bool(tokens(words, "DOUBLE")),
        branches=tuple(branch_of(reader, branch) for branch in branches),
        after=waiting,
    )


def rout_order(reader: Reader, words: Words) -> RoutOrder:
    names = own_names(words)
    if words.data == "stay":
        return RoutOrder(reader.thing(names[0]))
    if words.data == "crawl":
        leader = reader.thing(names[2]) if len(names) > 2 else ""
        return RoutOrder(reader.thing(names[0]), (reader.hex(names[1]),), crawl=True, leader=leader)
    leader = reader.thing(names[1]) if len(names) > 1 else ""
    return RoutOrder(reader.thing(names[0]), reader.hexes(names_in(words, "names")), leader=leader)


def advance_order(reader: Reader, words: Words) -> AdvanceOrder:
    only = "empty" if tokens(words, "EMPTY") else "enemy" if tokens(words, "ENEMY") else ""
    return AdvanceOrder(reader.things(names_in(words, "names")), reader.hex(own_names(words)[0]), only)  # type: ignore[arg-type]


def combat_order(reader: Reader, words: Words) -> CombatOrder:
    hex = reader.hex(own_names(words)[0])
    if words.data == "no_combat":
        return CombatOrder(hex)
    how = "sn" if tokens(words, "DEFENCE") else ""
    attack = Assault(reader.things(names_in(words, "names")), reader.things(names_in(words, "names", 1)), how)
    return CombatOrder(hex, (attack,))


def stack_order(reader: Reader, words: Words) -> Attempt:
    """3.8/sequence-infantry Read `stack gl1 with gs2` or `stack gl1 alone`."""
    return Attempt(*reader.things(own_names(words)))


def number_in(words: Words, rule: str) -> int | None:
    found = part(words, rule)
    return int(tokens(found, "NUMBER")[0]) if found is not None else None


def clause_of(reader: Reader, words: Words, text: str) -> Clause:
    """Read one line of a fire plan or of standing orders."""
    kind = str(words.data)
    subjects = part(words, "subjects")
    units = reader.things(tokens(subjects, "NAME")) if subjects is not None else ()
    own = [int(str(child)) for child in words.children if isinstance(child, Token) and child.type == "NUMBER"]
    column = number_in(words, "column") or 0
    if kind == "watch":
        leaders = part(words, "with_leaders")
        return Clause(
            "fire",
            text,
            units,
            reader.things(tokens(leaders, "NAME")) if leaders is not None else (),
            reader.hexes(names_in(words, "hexes")),
            within=number_in(words, "within") or 0,
            column=column,
            drm=number_in(words, "drm"),
            squads=number_in(words, "squads") or 0,
            leader=bool(tokens(words, "LEADER")),
            seen=bool(tokens(words, "SEEN")),
            clear=bool(tokens(words, "CLEAR")),
            intensive=bool(tokens(words, "INTENSIVE")),
            chance=number_in(words, "chance") or 0,
            hit=number_in(words, "hit") or 0,
            kill=number_in(words, "kill") or 0,
            vehicles=bool(tokens(words, "TANKS")),
            infantry=bool(tokens(words, "MEN")),
            pf=bool(tokens(words, "PF")),
            once=bool(tokens(words, "ONCE")),
            unmarked=bool(tokens(words, "UNMARKED")),
            how=shell_of(words).replace("pf", ""),
        )
    if kind in ("motion_rule", "device_rule", "reaction_rule"):
        what, facing = kind.removesuffix("_rule"), number_in(words, "facing")
        turned = -1 if facing is None else facing
        return Clause(what, text, units, within=own[0] if own else 0, facing=turned)  # type: ignore[arg-type]
    if kind == "hold":
        return Clause("hold", text, units, within=own[0])
    if kind == "keep":
        names = reader.things(names_in(words, "names"))
        return Clause("keep", text, names, number=own[0], within=own[1] if len(own) > 1 else 0)
    if kind in ("rout_rule", "combat_rule"):
        how = tokens(words, "ROUT_HOW", "COMBAT_HOW")[0]
        return Clause("rout" if kind == "rout_rule" else "cc", text, how=how)
    if kind == "extra":
        return Clause("extra", text, reader.things(own_names(words)))
    return Clause("sff" if kind == "sff" else "fpf", text, units, column=column)

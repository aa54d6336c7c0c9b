"""by-mail The orders of an exchange: sealed lists for the phases to come.

X1    TurnOrders (ATTACKER), Defence (DEFENDER)
X2    AdvancingFire (ATTACKER), FinalFire (DEFENDER)
X3    Close (both)
----  SectionsDecision: reading, checking and restating sections of orders
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, TypeVar

import msgspec
from lark import Tree

from pbem.engine.play.choice import Choice
from pbem.engine.rules.ask import Grade
from pbem.engine.rules.decision import Said
from pbem.engine.rules.refusals import Illegal, Objection, Path
from pbem.engine.text.forms import FormLine
from pbem.engine.text.grammar import Words
from pbem.engine.text.messages import say
from pbem.titles.aslsk.bots.samples import sample_orders
from pbem.titles.aslsk.orders import NO_ORDERS, CombatOrder, Orders, merge_orders
from pbem.titles.aslsk.player.checks import section_objections
from pbem.titles.aslsk.player.decision import AslskDecision
from pbem.titles.aslsk.player.examples import Examples, connect_path
from pbem.titles.aslsk.player.language import RULE
from pbem.titles.aslsk.player.map import markers
from pbem.titles.aslsk.player.reading import (
    Reader,
    advance_order,
    clause_of,
    combat_order,
    destroy_order,
    detonate_order,
    face_order,
    fire_order,
    gift_of,
    hatch_order,
    move_order,
    own_names,
    rout_order,
    stack_order,
)
from pbem.titles.aslsk.player.wording import area_words, clause_line, move_line, order_lines, remarks
from pbem.titles.aslsk.state import orders_of, pieces
from pbem.titles.aslsk.telling.markers import vehicle_markers

A = TypeVar("A")
NOW: Mapping[str, str] = {"orders": "prep", "defence": "final", "final_fire": "final", "advancing_fire": "advancing"}
LATER: Mapping[str, str] = {"orders": "advancing", "defence": "final"}
"""The section that a `later … fire` line belongs to, by the kind of ask; `NOW` gives the same for plain `fire`."""
RALLY_WORDS = ("rally", "no_rally", "extra", "keep_dm", "shed_dm", "recover", "repair", "no_repair", "give")
BEFORE_MOVEMENT = ("rally", "prep")
CLAUSES = ("watch", "hold", "keep", "sff", "fpf", "motion_rule", "device_rule", "reaction_rule")


class SectionsDecision(AslskDecision[A]):
    """A decision about some sections of orders. Those for later exchanges may be sent in advance and stay until
    replaced.
    """

    grade: ClassVar[Grade] = "order"
    Answer: ClassVar[Any] = Orders
    nothing: ClassVar[Any] = {}
    start = "order_line"
    sections: ClassVar[tuple[str, ...]] = ()
    most_samples: ClassVar[int] = 8

    @cached_property
    def open_sections(self) -> tuple[str, ...]:
        """The sections whose phases are still to come; with `tempo = 4`, rally and Prep Fire are over before X1."""
        over = () if self.view.phase == "rally" else BEFORE_MOVEMENT
        return tuple(name for name in self.sections if name not in over)

    def usual(self) -> Any:
        """The orders for these sections from an earlier exchange of this player turn."""
        before = orders_of(self.view, self.seat)
        return msgspec.structs.replace(NO_ORDERS, **{name: getattr(before, name) for name in self.open_sections})

    def options(self) -> Iterator[Any]:
        yield self.usual()
        for number in range(self.most_samples):
            yield self.sample(Choice(self.kind, self.seat, self.ask.subject, str(self.view.turn), str(number)))

    def sample(self, choice: Choice) -> Any:
        drawn = sample_orders(self.situation, self.seat, self.kind, self.open_sections, choice)
        legal = self.without_mistakes(drawn)
        return legal if self.is_legal(legal) else self.usual()  # type: ignore[arg-type]

    def without_mistakes(self, orders: Orders) -> Orders:
        """The orders without the lines that would be refused."""
        wrong: dict[str, set[int]] = {}
        for objection in self.objections(orders):
            if len(objection.at) > 1 and isinstance(objection.at[1], int):
                wrong.setdefault(str(objection.at[0]), set()).add(objection.at[1])
        kept = {
            name: tuple(one for number, one in enumerate(getattr(orders, name)) if number not in places)
            for name, places in wrong.items()
        }
        return msgspec.structs.replace(orders, **kept)

    def canonical(self, answer: Any) -> Any:
        """Add the order line to every clause of a fire plan that lacks one."""
        if answer is None or not answer.plan:
            return answer
        plan = tuple(msgspec.structs.replace(one, text=one.text or clause_line(one)) for one in answer.plan)
        return msgspec.structs.replace(answer, plan=plan)

    def objections(self, answer: Any) -> Iterator[Objection]:
        for name in answer.__struct_fields__:
            if name not in self.open_sections and getattr(answer, name) != getattr(NO_ORDERS, name):
                yield Objection(RULE, say("{name} orders cannot be given now", name=name), (name,))
        yield from section_objections(self.situation, self.seat, self.kind, answer)

    def name(self, at: Path, answer: Any) -> str:
        """The order line for one part of the orders."""
        if len(at) > 1 and isinstance(at[1], int):
            alone = msgspec.structs.replace(NO_ORDERS, **{str(at[0]): (getattr(answer, str(at[0]))[at[1]],)})
            return next(order_lines(alone, self.kind), str(at[0]))
        return str(at[0]) if at else self.kind

    def instead(self, at: Path, answer: Any) -> Sequence[str]:
        """The move with the gaps in its path closed, if that makes it legal."""
        if len(at) < 2 or at[0] != "moves" or not isinstance(at[1], int):
            return ()
        whole = connect_path(self.situation, answer.moves[at[1]])
        alone = msgspec.structs.replace(answer, moves=(whole,)) if whole is not None else answer
        wrong = whole is None or any(one.at[:1] == ("moves",) for one in self.objections(alone))
        return () if wrong or whole is None or whole == answer.moves[at[1]] else (move_line(whole),)

    # --- reading -------------------------------------------------------------------------------------------------

    def read(self, words: Words, said: Said) -> None:
        inner = words.children[0]
        assert isinstance(inner, Tree)
        kind = str(inner.data)
        if kind == "nothing":
            return
        section, value = self.part_of(kind, inner, said)
        if section not in self.open_sections:
            raise Illegal(kind.replace("_", " "), [Objection(RULE, say("this order cannot be given now"))])
        if section == "rally":
            self.read_rally(kind, value, said)
        elif section == "combats":
            self.read_combat(value, said)
        else:
            said.add((section,), msgspec.to_builtins(value))

    def part_of(self, kind: str, words: Words, said: Said) -> tuple[str, Any]:
        """Return the section that a line belongs to, and what the line adds to it."""
        reader = Reader(self.data.ground, self.view, self.seat)
        text = said.line.written if said.line is not None else ""
        if kind in ("give", "lay_down") and (kind == "lay_down" or "rally" not in self.open_sections):
            return "gifts", gift_of(reader, words)
        if kind == "no_interdiction":
            return "spared", reader.thing(own_names(words)[0])
        if kind == "destroy":
            return NOW.get(self.kind, ""), destroy_order(reader, words)
        if kind == "detonate":
            return "advancing", detonate_order(reader, words)
        if kind in RALLY_WORDS:
            return "rally", reader.things(own_names(words))
        if kind in CLAUSES:
            return "plan", clause_of(reader, words, text)
        if kind == "fire":
            return NOW.get(self.kind, ""), fire_order(reader, words)
        if kind == "face":
            return NOW.get(self.kind, ""), face_order(reader, words)
        if kind == "later_fire":
            return LATER.get(self.kind, ""), fire_order(reader, words)
        if kind == "move":
            return "moves", move_order(reader, words)
        if kind in ("rout", "crawl", "stay"):
            return "routs", rout_order(reader, words)
        if kind == "hatch":
            return "hatches", hatch_order(reader, words)
        if kind in ("stack_with", "stack_alone"):
            return "stacks", stack_order(reader, words)
        if kind == "advance":
            return "advances", advance_order(reader, words)
        return "combats", combat_order(reader, words)

    def read_rally(self, kind: str, names: tuple[str, ...], said: Said) -> None:
        """3.1 Read one choice for the Rally Phase."""
        if kind == "extra":
            said.put(("rally", "extra"), names[0])
        elif kind in ("no_rally", "keep_dm", "shed_dm", "repair", "no_repair"):
            said.add(("rally", kind), names[0])
        else:
            unit, other = (names[1], names[0]) if kind == "give" else (names[0], names[1] if len(names) > 1 else "")
            field = "transfer" if kind == "give" else kind
            said.add(("rally", field), {"unit": unit, "other": other} if other else {"unit": unit})

    def read_combat(self, order: CombatOrder, said: Said) -> None:
        """3.8 Read a line of close combat, merging attacks in the same hex that come in several lines."""
        given = said.get(("combats",), [])
        place = next((number for number, one in enumerate(given) if one["hex"] == order.hex), None)
        if place is None:
            said.add(("combats",), msgspec.to_builtins(order))
        else:
            given[place]["attacks"] = [*given[place].get("attacks", ()), *msgspec.to_builtins(order.attacks)]

    # --- words ---------------------------------------------------------------------------------------------------

    def sentence(self, answer: Any) -> Iterator[str]:
        found = [*order_lines(answer, self.kind)]
        yield from found or ["none"]

    def form(self) -> Iterator[FormLine]:
        yield from self.sentence(self.default())
        if examples := list(Examples(self.situation, self.seat).lines(self.open_sections)):
            yield from remarks(say("for example:"))
        for line in examples:
            yield from remarks(line)
        yield from remarks(say("your units:"))
        yield from self.roll_call()
        yield from self.coming()

    def coming(self) -> Iterator[FormLine]:
        """3.3/entry-exit Describe, group by group, where and when the units off the map enter."""
        waiting = [piece for piece in pieces(self.view) if piece.seat == self.seat and not piece.at]
        for id in dict.fromkeys(piece.group for piece in waiting):
            group = [piece for piece in waiting if piece.group == id]
            names, hexes = " ".join(piece.id for piece in group), area_words(self.data.entry_hexes(group[0]))
            if self.data.may_enter(group[0], self.view.turn):
                yield from remarks(say("{units} enter the map now, in {hexes}:", units=names, hexes=hexes))
                verb = "move" if "moves" in self.open_sections else "advance"
                yield from remarks(f"{group[0].id} {verb} {self.data.entry_hexes(group[0])[0]}")
            elif (when := self.data.group_of(group[0])) is not None:
                yield from remarks(
                    say("{units} enter the map in turn {turn}, in {hexes}", units=names, turn=when.turn, hexes=hexes)
                )

    def roll_call(self) -> Iterator[FormLine]:
        """The units and vehicles of the seat, with their places, weapons and markers."""
        for unit in self.view.units.values():
            if unit.seat == self.seat:
                arms = [weapon.id for weapon in self.situation.weapons(unit)]
                state = [*(["broken"] if unit.broken else []), *markers(unit)]
                words = [unit.id, self.situation.name(unit), unit.at or "off the map", *arms, ", ".join(state)]
                yield from remarks(" ".join(filter(None, words)))
        for vehicle in self.view.vehicles.values():
            if vehicle.seat == self.seat:
                place = f"{vehicle.at} facing {vehicle.vca}" if vehicle.at else "off the map"
                arms = [weapon.id for weapon in self.situation.weapons(vehicle)]
                words = [vehicle.id, self.situation.name(vehicle), place, *arms, ", ".join(vehicle_markers(vehicle))]
                yield from remarks(" ".join(filter(None, words)))


class TurnOrders(SectionsDecision[Orders], kind="orders", rule="3.0"):
    """X1 The decision on the ATTACKER's rally choices, Prep Fire and movement."""

    sections = (
        "rally",
        "prep",
        "moves",
        "advancing",
        "routs",
        "advances",
        "hatches",
        "combats",
        "stacks",
        "gifts",
        "spared",
    )


class Defence(SectionsDecision[Orders], kind="defence", rule="3.3.3"):
    """X1 The decision on the DEFENDER's rally choices and fire plan."""

    sections = ("rally", "plan", "final", "routs", "combats", "stacks", "spared")


class RallyPrep(SectionsDecision[Orders], kind="rally_prep", rule="3.1"):
    """X0 (`tempo = 4`) The decision on the ATTACKER's rally choices and Prep Fire, before the movement orders."""

    sections = ("rally", "prep")


class RallyChoices(SectionsDecision[Orders], kind="rally_choices", rule="3.1"):
    """X0 (`tempo = 4`) The decision on the DEFENDER's rally choices."""

    sections = ("rally",)


class FinalFire(SectionsDecision[Orders], kind="final_fire", rule="3.4"):
    """X2 The decision on the DEFENDER's Final Fire."""

    sections = ("final", "routs", "combats", "stacks", "spared")


class AdvancingFire(SectionsDecision[Orders], kind="advancing_fire", rule="3.5"):
    """X2 The decision on the ATTACKER's Advancing Fire."""

    sections = ("advancing", "routs", "advances", "hatches", "combats", "stacks", "gifts", "spared")


class Close(SectionsDecision[Orders], kind="close", rule="3.6"):
    """X3 The decision on the ATTACKER's routs, advances and close combat."""

    sections = ("routs", "advances", "hatches", "combats", "stacks", "gifts", "spared")


class CloseDefence(SectionsDecision[Orders], kind="close_defence", rule="3.6"):
    """X3 The decision on the DEFENDER's routs and close combat."""

    sections = ("routs", "combats", "stacks", "spared")


def orders_after(before: Orders, answer: Any, sections: tuple[str, ...]) -> Orders:
    """The orders of a player turn after an exchange: its sections are replaced, even if they are empty."""
    new = answer if isinstance(answer, Orders) else NO_ORDERS
    kept = msgspec.structs.replace(before, **{name: getattr(NO_ORDERS, name) for name in sections})
    return merge_orders(kept, new)

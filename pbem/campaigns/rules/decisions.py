"""C2, C4 The decisions of a campaign: the orders of a stage, and the report of a battle.

StageOrders   the commander in chief: units, points, battlegroups, commanders
MoveOrders    a commander on the map: moves of the battlegroups under their command
BattleReport  answered by a match
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from pbem.campaigns.rules.book import Book
from pbem.campaigns.rules.file import Price
from pbem.campaigns.rules.state import CampaignState, Report, Unit, awaited_name
from pbem.campaigns.rules.telling import grade_word
from pbem.campaigns.rules.words import BATTLES, LANGUAGE
from pbem.engine.play.choice import Choice
from pbem.engine.rules.ask import Awaited, Grade
from pbem.engine.rules.decision import Decision, Said
from pbem.engine.rules.refusals import Objection, Path, locate_objections
from pbem.engine.text.forms import FormLine
from pbem.engine.text.grammar import Words, tokens
from pbem.engine.text.messages import Message, Name, Several, say, several, term

ALL = "all"


STATUS_WORDS = {
    "battle": term("campaign unit", "in battle"),
    "repair": term("campaign unit", "in repair"),
    "missing": term("campaign unit", "missing"),
}
IN_LINE = 8
"""The most units on one line of a form; a phone shows about fifty characters per line."""


class Orders(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """The orders of a commander in a stage. Without `send`, all units that can fight are sent."""

    send: list[str] = []
    repair: list[str] = []
    buy: dict[str, int] = {}
    assign: dict[str, str] = {}
    move: dict[str, str] = {}
    appoint: dict[str, str] = {}
    idle: bool = False
    """C3.6 Whether the side rests; otherwise it attacks."""


class CampaignDecision(Decision[Any]):
    """The common part of all decisions of a campaign."""

    language = LANGUAGE
    data: Book
    view: CampaignState

    @property
    def side(self) -> str:
        return self.data.seats[self.seat]

    @property
    def units(self) -> Mapping[str, Unit]:
        return self.view.sides[self.side].units


class MoveOrders(CampaignDecision, kind="moves", rule="C7.2"):
    """C7.2 Where the battlegroups of a commander go."""

    grade: ClassVar[Grade] = "order"
    Answer, nothing, start = Orders, {}, "orders"
    shapes: ClassVar[Mapping[str, str]] = {"": "orders are lines such as: move north to vodyanoye"}

    @property
    def may(self) -> tuple[str, ...]:
        """C1.2, C1.3 The orders allowed: a commander moves battlegroups; in a tree the battle leader sends units."""
        return ("move",) if self.on_map else ("send",)

    @property
    def on_map(self) -> bool:
        return self.data.campaign.shape == "map"

    def own_groups(self) -> list[str]:
        """The battlegroups to which this seat may give orders."""
        chief = self.data.is_chief(self.seat)
        groups = self.view.groups.items()
        return [id for id, group in groups if group.side == self.side and (chief or group.seat == self.seat)]

    def default(self) -> Orders:
        return Orders()

    def sample(self, choice: Choice) -> Orders:
        """Random orders: each battlegroup stays or goes to a neighbouring province; in a tree, one unit may stay."""
        if not self.on_map:
            able = [unit.id for unit in self.data.able(self.view, self.side)]
            return Orders(send=able[1 : 1 + self.data.campaign.room] if choice.below(2) else [])
        moves = {}
        for id in self.own_groups():
            goals = [goal for goal in self._neighbours(id) if not any(self.move_objections(id, goal))]
            if goals and choice.below(3):
                moves[id] = choice.one_of(goals)
        return Orders(move=moves)

    def _neighbours(self, group: str) -> Sequence[str]:
        return self.data.campaign.place(self.view.groups[group].province).to

    def objections(self, answer: Orders) -> Iterator[Objection]:
        for name in msgspec.structs.asdict(answer):
            if getattr(answer, name) and name not in self.may:
                yield Objection(
                    "C1.2", say('only the commander in chief may give the order "{name}"', name=name), at=(name,)
                )
        for id, goal in answer.move.items():
            yield from locate_objections(("move", id), self.move_objections(id, goal))
        for number, id in enumerate(answer.send):
            yield from locate_objections(("send", number), self._send_objections(id, answer))
        if len(answer.send) > self.data.campaign.room:
            yield Objection(
                "C2.1",
                say("at most {room} units can take part in the battle", room=self.data.campaign.room),
                at=("send",),
            )

    def move_objections(self, id: str, goal: str) -> Iterator[Objection]:
        """C7.2 Object to moving a battlegroup that is fighting, or to a province that is not a neighbour."""
        if id not in self.own_groups():
            yield Objection("C7.2", say("you do not command a battlegroup with that name"))
        elif self.view.groups[id].battle:
            yield Objection("C7.2", say("the battlegroup is fighting and cannot leave until its battle is over"))
        elif goal not in self._neighbours(id):
            near = ", ".join(self._neighbours(id))
            yield Objection(
                "C7.2",
                say(
                    "that province is not next to {province}; the battlegroup could go to {near}",
                    province=self.view.groups[id].province,
                    near=near,
                ),
            )

    def _send_objections(self, id: str, answer: Orders) -> Iterator[Objection]:
        """C2.1 Yield the objections to sending a unit: it is not ready, sent twice, or under repair."""
        unit = self.units.get(id)
        if self.on_map:
            yield Objection("C2.1", say("on the map battlegroups fight where they are; move them instead"))
        elif unit is None:
            yield Objection("C2.1", say("you have no unit with that name"))
        elif unit.status != "ready":
            yield Objection("C2.1", say("the unit is not ready: {status}", status=unit.status))
        elif id in answer.repair:
            yield Objection("C2.1", say("a unit cannot be sent and repaired in the same stage"))
        elif answer.send.count(id) > 1:
            yield Objection("C2.1", say("the unit is listed twice in the send line"))

    def canonical(self, answer: Orders) -> Orders:
        """Return the orders as stored, without `send all`, since all units go unless a `send` line says otherwise."""
        if self.given is None or answer.send != [ALL]:
            return answer
        return msgspec.structs.replace(answer, send=[])

    def name(self, at: Path, answer: Orders) -> str:
        if len(at) == 2 and at[0] in ("send", "repair"):
            return str(getattr(answer, str(at[0]))[int(at[1])])
        return str(at[-1]) if at else "orders"

    def instead(self, at: Path, answer: Orders) -> Sequence[str]:
        return [line for line in self.form() if isinstance(line, str)][:3]

    def read(self, words: Words, said: Said) -> None:
        names, order = tokens(words, "WORD"), str(words.data)
        if not said.has(()) and said.answer is None:
            said.answer = {}
        if order in ("send_all", "repair_all"):
            said.put((order.partition("_")[0],), [ALL])
        elif order in ("send", "repair"):
            for name in names:
                said.add((order,), name)
        elif order == "buy":
            number = int("".join(tokens(words, "NUMBER")) or 1)
            said.put(("buy", names[0]), said.get(("buy", names[0]), 0) + number)
        elif order == "assign":
            for name in names[:-1]:
                said.put(("assign", name), names[-1])
        elif order == "appoint":
            said.put(("appoint", names[1]), names[0])
        elif order == "move":
            said.put(("move", names[0]), names[1])
        elif order in ("attack", "idle"):
            said.put(("idle",), order == "idle")

    def form(self) -> Iterator[FormLine]:
        if not self.on_map:
            yield from self._battle_form()
            return
        for id in self.own_groups():
            group = self.view.groups[id]
            where = self.data.campaign.place(group.province).name
            yield say("{group} is in {place} ({province}).", group=id, place=where, province=group.province)
            yield say("Neighbouring provinces: {places}", places=several(self._neighbours(id), "unit"))
        yield "hold"

    def _battle_form(self) -> Iterator[FormLine]:
        """C1.3 The units that the battle leader can send."""
        for unit in self.units.values():
            yield self._in_words(unit)
        yield say("You lead the next battle: {battle}.", battle=self.data.campaign.node(self.view.node).name)
        yield from self._send_lines()

    def _send_lines(self) -> Iterator[str]:
        able = [unit.id for unit in self.data.able(self.view, self.side)][: self.data.campaign.room]
        for start in range(0, len(able), IN_LINE):
            yield f"send {' '.join(able[start : start + IN_LINE])}"
        if not able:
            yield "hold"

    def _in_words(self, unit: Unit) -> Several:
        grade = grade_word(self.data.campaign.grade_of(unit.experience))
        card = self.data.card_name(unit.card)
        name = unit.name if card in unit.name else f"{unit.name} ({card})"
        told = [say("{unit} {name}: {grade}", unit=unit.id, name=name, grade=grade)]
        if unit.damage:
            cost = self.data.repair_cost(self.side, unit)
            told.append(say("damage {damage} (repair costs {cost})", damage=unit.damage, cost=cost))
        if unit.status != "ready":
            status = STATUS_WORDS.get(unit.status) or Name(unit.status)
            until = say("{status} until stage {stage}", status=status, stage=unit.until)
            told.append(until if unit.until else say("{status}", status=status))
        if unit.group:
            told.append(say("in {group}", group=unit.group))
        return several(told, "unit")

    def sentence(self, answer: Orders) -> Iterator[str]:
        if answer.send:
            yield f"send {' '.join(answer.send)}"
        if answer.repair:
            yield f"repair {' '.join(answer.repair)}"
        yield from (f"buy {count} {card}" for card, count in answer.buy.items())
        yield from (f"assign {unit} to {group}" for unit, group in answer.assign.items())
        yield from (f"move {group} to {goal}" for group, goal in answer.move.items())
        yield from (f"appoint {seat} to {group}" for group, seat in answer.appoint.items())
        if answer.idle:
            yield "idle"
        if answer == Orders():
            yield "hold"


class StageOrders(MoveOrders, kind="stage", rule="C2"):
    """C2 The orders of the commander in chief in a stage."""

    @property
    def may(self) -> tuple[str, ...]:
        """C1.2 The commander in chief may give all orders."""
        return ("send", "repair", "buy", "assign", "move", "appoint", "idle")

    @property
    def points(self) -> int:
        return self.view.sides[self.side].points

    def canonical(self, answer: Orders) -> Orders:
        """Return the orders as stored: `send all` is left out, and `repair all` becomes the units' names."""
        answer = super().canonical(answer)
        if self.given is None:
            return answer
        fix = self.affordable_repairs() if answer.repair == [ALL] else answer.repair
        return msgspec.structs.replace(answer, repair=fix)

    def affordable_repairs(self) -> list[str]:
        """C5.2 The damaged units whose repair the side can afford, cheapest first."""
        hurt = [unit for unit in self.units.values() if unit.damage and unit.status == "ready"]
        left, found = self.points, list[str]()
        for unit in sorted(hurt, key=lambda unit: (self.data.repair_cost(self.side, unit), unit.id)):
            if (cost := self.data.repair_cost(self.side, unit)) <= left:
                left, found = left - cost, [*found, unit.id]
        return found

    def sample(self, choice: Choice) -> Orders:
        """Random orders: repairs, a purchase, and moves, each about half of the time."""
        answer = Orders(repair=self.affordable_repairs() if choice.below(2) else [])
        spent = sum(self.data.repair_cost(self.side, self.units[id]) for id in answer.repair)
        rows = [row for row in self.data.campaign.purchase if row.side == self.side]
        if rows and choice.below(2):
            row = choice.one_of(rows)
            bought = msgspec.structs.replace(answer, buy={row.card: 1})
            answer = bought if not any(self.objections(bought)) and row.cost <= self.points - spent else answer
        return msgspec.structs.replace(answer, move=super().sample(choice).move if self.on_map else {})

    def objections(self, answer: Orders) -> Iterator[Objection]:
        yield from super().objections(answer)
        for number, id in enumerate(answer.repair):
            yield from locate_objections(("repair", number), self._repair_objections(id, answer))
        for card, count in answer.buy.items():
            yield from locate_objections(("buy", card), self._buy_objections(card, count))
        yield from locate_objections(("buy",), self._purse_objections(answer))
        if answer.idle and not self.data.may_rest:
            yield Objection("C3.6", say("in this campaign a side cannot rest"), at=("idle",))
        for id, group in answer.assign.items():
            yield from locate_objections(("assign", id), self._assign_objections(id, group))
        for group, seat in answer.appoint.items():
            yield from locate_objections(("appoint", group), self._appoint_objections(group, seat))

    def _repair_objections(self, id: str, answer: Orders) -> Iterator[Objection]:
        """C5.2 Yield the objections to repairing a unit that is undamaged or fighting."""
        unit = self.units.get(id)
        if unit is None:
            yield Objection("C5.2", say("you have no unit with that name"))
        elif not unit.damage:
            yield Objection("C5.2", say("the unit is not damaged"))
        elif unit.status != "ready":
            yield Objection(
                "C5.2",
                say("the unit cannot be repaired now: {status}", status=STATUS_WORDS.get(unit.status, unit.status)),
            )
        elif answer.repair.count(id) > 1:
            yield Objection("C5.2", say("the unit is listed for repair twice"))

    def _buy_objections(self, card: str, count: int) -> Iterator[Objection]:
        """C5.3 Yield the objections to buying a card that is not for sale, or more of it than the stage allows."""
        rows = {row.card: row for row in self.data.campaign.purchase if row.side == self.side}
        if card not in rows:
            yield Objection(
                "C5.3",
                say("that is not for sale; you can buy {rows}", rows=several(rows, "unit"))
                if rows
                else say("nothing is for sale"),
            )
        elif not 1 <= count <= rows[card].most:
            yield Objection("C5.3", say("you can buy 1 to {most} of these per stage", most=rows[card].most))

    def _purse_objections(self, answer: Orders) -> Iterator[Objection]:
        """C5.1, C5.4 Object if the points do not suffice, or the army would exceed its limit."""
        side, campaign = self.side, self.data.campaign
        bought = sum(campaign.cost_of(side, card) * count for card, count in answer.buy.items())
        repairs = sum(self.data.repair_cost(side, self.units[id]) for id in answer.repair if id in self.units)
        if bought + repairs > self.points:
            yield Objection(
                "C5.1",
                say("that costs {bought} points, and you have {points}", bought=bought + repairs, points=self.points),
            )
        if bought and self.data.army(self.view, side) + bought > campaign.limits.army:
            has = self.data.army(self.view, side)
            yield Objection(
                "C5.4",
                say("an army can cost at most {army}; yours already costs {has}", army=campaign.limits.army, has=has),
            )

    def _assign_objections(self, id: str, group: str) -> Iterator[Objection]:
        """C7.6 Object if the unit, or the battlegroup that it joins, is fighting."""
        own = {name: row for name, row in self.view.groups.items() if row.side == self.side}
        if id not in self.units:
            yield Objection("C7.6", say("you have no unit with that name"))
        elif self.units[id].battle:
            yield Objection("C7.6", say("that unit is fighting a battle"))
        elif group not in own:
            yield Objection(
                "C7.6",
                say("you have no such battlegroup; yours are {own}", own=several(own, "unit"))
                if own
                else say("you have no battlegroup"),
            )
        elif own[group].battle:
            yield Objection("C7.6", say("that battlegroup is fighting a battle"))

    def _appoint_objections(self, group: str, seat: str) -> Iterator[Objection]:
        """C1.2 Objections to an appointment: a seat leads its side's battlegroups or, in a tree, its battles."""
        if not self.on_map and group != BATTLES:
            seat = next((one for one in self.data.seats_of(self.side) if one != self.side), "german2")
            yield Objection(
                "C1.3",
                say(
                    "in this campaign a commander leads the battles of a side; send: appoint {seat} to battles",
                    seat=seat,
                ),
            )
        elif self.on_map and group not in self.own_groups():
            yield Objection("C1.2", say("you have no such battlegroup"))
        elif seat not in self.data.seats_of(self.side):
            yield Objection(
                "C1.2", say("your commanders are {seats_of}", seats_of=", ".join(self.data.seats_of(self.side)))
            )

    def _offer(self, row: Price) -> Message:
        """C5.3 Describe one card that is for sale, with its price."""
        name = self.data.card_name(row.card)
        return say(
            "{card} ({name}): {cost} points, at most {most}", card=row.card, name=name, cost=row.cost, most=row.most
        )

    def form(self) -> Iterator[FormLine]:
        has = self.view.sides[self.side]
        yield say("Stage {stage}. You have {points} points.", stage=self.view.turn, points=has.points)
        for unit in has.units.values():
            yield self._in_words(unit)
        rows = [row for row in self.data.campaign.purchase if row.side == self.side]
        if rows:
            yield say("For sale:")
            yield from map(self._offer, rows)
        for row in has.coming:
            yield say("On its way: {card}", card=self.data.card_name(row.card))
        if self.on_map:
            yield from super().form()
            return
        yield say("The next battle: {battle}.", battle=self.data.campaign.node(self.view.node).name)
        if self.data.may_rest:
            rest = self.data.campaign.income.rest
            yield say('Attack, or send the line "idle" to rest and gain {points} points.', points=rest)
        leader = self.data.leader(self.view, self.side)
        if leader != self.seat:
            yield say("The commander in seat {seat} leads the battle and may choose other units.", seat=leader)
        yield from self._send_lines()


class BattleReport(Decision[Report | None], kind="battle", rule="C4.1"):
    """C4.1 The report of a match, or None if the battle is late and continues."""

    grade: ClassVar[Grade] = "order"
    Answer = Report | None

    def options(self) -> Iterator[Report | None]:
        yield None

    def default(self) -> None:
        return None


def await_battle(battle: str, rule: str = "C3.1") -> Awaited:
    """The ask that a battle's match answers."""
    return Awaited(awaited_name(battle), BattleReport.kind, rule, subject=battle)

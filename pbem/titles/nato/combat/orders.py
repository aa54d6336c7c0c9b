"""25.0, 25.1.1 The orders of the second exchange: one side's battles and strikes, and the other's battle orders.

7.2 II.D, II.E   Fight: Battle markers, air strikes and interdiction; artillery and battles go into the plan
25.1             Defend: clauses for the windows of the enemy's battles
25.1.1           NextBattle: which battle is fought next
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

import msgspec

from pbem.engine.play.choice import Choice
from pbem.engine.rules.decision import Said
from pbem.engine.rules.happenings import Fail
from pbem.engine.rules.refusals import Illegal, Objection, Path, Unreadable, locate_objections
from pbem.engine.rules.title import Plan as EnginePlan
from pbem.engine.text.forms import FormLine
from pbem.engine.text.grammar import Line, Words, part, tokens
from pbem.engine.text.messages import Name, say, several
from pbem.titles.nato.air.helicopters import brigade_objections, possible_brigades
from pbem.titles.nato.air.orders import random_strike, strike_objections
from pbem.titles.nato.air.strike_decisions import named_objections
from pbem.titles.nato.artillery.fire import fire_objections
from pbem.titles.nato.board import Unit
from pbem.titles.nato.cards.charts import ODDS
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.eligibility import (
    attacker_objections,
    commit_objections,
    may_be_marked,
    possible_attackers,
    possible_support,
    support_objections,
    together_objections,
    why_unsupported,
)
from pbem.titles.nato.combat.odds import odds_of
from pbem.titles.nato.combat.prospects import battle_of
from pbem.titles.nato.commands.dispositions import disposition_objections
from pbem.titles.nato.commands.language import command_lines, command_name, read_command
from pbem.titles.nato.commands.pools import purse
from pbem.titles.nato.commands.powers import commands, fights_with, may_order, theatre
from pbem.titles.nato.map.grid import HexId, is_number, neighbours
from pbem.titles.nato.player.deciding import Choosing, NatoDecision
from pbem.titles.nato.player.language import hex_named, proposing, unit_named
from pbem.titles.nato.player.orders import (
    AIRFIELD,
    OVER,
    VISTULA,
    AirStrike,
    Chemical,
    Commit,
    FightOrders,
    Gun,
    Plan,
    read_plan,
    write_battle,
    write_strike,
    write_strikes,
)
from pbem.titles.nato.player.standing_orders import BETWEEN_TURNS, check_names, read_clause

SAMPLED = 6
"""The number of strikes that a random order attempts."""


class Clauses(NatoDecision[FightOrders]):
    """An order form whose lines may include clauses for upcoming windows."""

    Answer = FightOrders
    nothing = FightOrders()
    grade = "order"
    start = "fighting"

    def default(self) -> FightOrders:
        return FightOrders()

    def objections(self, answer: FightOrders) -> Iterator[Objection]:
        yield from disposition_objections(self.board, self.seat, answer.command)

    def sentence(self, answer: FightOrders) -> Iterator[str]:
        yield from command_lines(answer.command)

    def read(self, words: Words, said: Said) -> None:
        """Read one line; a line with a colon is a clause."""
        if read_command(self.board, self.side, words, said):
            return
        if words.data == "clause":
            assert said.line is not None
            clause = check_names(read_clause(said.line.text), self.data.units)
            if clause.topic in BETWEEN_TURNS:
                told = Objection(
                    "7.2",
                    say("this line belongs in your standing orders, because battle orders end with the player turn"),
                )
                raise Illegal(clause.text, [told], ["respond: best", "none"])
            said.plan.setdefault("clauses", []).append(clause.text)
        elif words.data != "nothing":
            with proposing(lambda _: ["none"]):
                getattr(self, f"on_{words.data}", self.not_now)(words, said)

    def parse(self, line: Line) -> Words:
        """Parse a line; a line with a move is refused with a note that it belongs in another exchange."""
        try:
            return super().parse(line)
        except Unreadable as refusal:
            first = line.text.split()[0].lower()
            if first != "resupply" and first not in {unit.id.lower() for unit in self.board.of(self.side)}:
                raise
            told = Objection("7.2", say("units move and are resupplied in the first exchange of a player turn"))
            raise Unreadable(line.written, [told], ["none"]) from refusal

    def name(self, at: Path, answer: FightOrders) -> str:
        return command_name(at, answer.command) if at[:1] == ("command",) else super().name(at, answer)

    def not_now(self, words: Words, said: Said) -> None:
        told = Objection(
            "7.2",
            say("“{data}” does not belong in this phase: give only clauses such as `respond: best`", data=words.data),
        )
        raise Illegal(str(words.data), [told], ["respond: best", "none"])


class Defend(Clauses, kind="defend", rule="25.1"):
    """25.1 Battle orders of the side that is attacked; without any, its standing orders apply."""

    def options(self) -> Iterator[FightOrders]:
        yield FightOrders()

    def objections(self, answer: FightOrders) -> Iterator[Objection]:
        yield from super().objections(answer)
        if answer != FightOrders(command=answer.command):
            yield Objection("7.2", say("only the phasing side can plan battles and strikes"))

    def form(self) -> Iterator[FormLine]:
        yield from self.remark(
            say("Battle orders, turn {turn}: how you answer the enemy's attacks.", turn=self.view.turn)
        )
        yield from self.remark(
            say("for example {orders}", orders=Name("respond: best     air: 1 if odds 3:1     stand: 3218"))
        )
        yield from self.notices()
        yield "none"


class Fight(Clauses, kind="fight", rule="25.0"):
    """7.2 II.D, II.E The attacks and strikes of the phasing side."""

    @cached_property
    def targets(self) -> list[HexId]:
        """25.0 Return the hexes that could be attacked."""
        own = [unit for unit in self.board.on_map(self.side) if commands(self.board, self.seat, unit.card)]
        near = {hex for unit in own for hex in (unit.at, *neighbours(unit.at))}
        found = [hex for hex in sorted(near) if hex in self.board.atlas.places and self.may_mark(hex)]
        return [hex for hex in found if any(unit.attack for unit in self.able(hex))]

    def may_mark(self, hex: HexId) -> bool:
        """25.0, 35.8 Whether a hex can be attacked by a unit that the seat may order, even as a deputy."""
        if not may_be_marked(self.board, hex, self.side):
            return False
        able = possible_attackers(self.board, hex, self.side)
        return any(unit.attack and may_order(self.board, self.seat, unit.card) for unit in able)

    def able(self, hex: HexId) -> list[Unit]:
        """25.2, 35.8 The units of the seat's own command that may attack a hex."""
        found = possible_attackers(self.board, hex, self.side)
        return [unit for unit in found if commands(self.board, self.seat, unit.card)]

    def attackers(self) -> list[Unit]:
        """25.2 The units that the seat can send into a battle."""
        found = {unit.id: unit for hex in self.targets for unit in self.able(hex)}
        return [found[id] for id in sorted(found)]

    def attackable(self, unit: Unit) -> list[HexId]:
        """25.2 The hexes that a unit may attack."""
        return [hex for hex in self.targets if any(one.id == unit.id for one in self.able(hex))]

    def theatre_objections(self, answer: FightOrders) -> Iterator[Objection]:
        """35.8 Object if a seat orders what only the theatre decides, or more chemical strikes than its share."""
        if theatre(self.board, self.seat):
            return
        if answer.nuclear or answer.deep or (answer.chemical and not self.view.first_use):
            yield Objection("35.8/side-wide-choices", say("only the theatre command decides this for the whole side"))
        gas = purse(self.board, self.seat, "chemical")
        if len(answer.chemical) > gas:
            yield Objection("35.8.1", say("your share is only {gas} chemical points", gas=gas))

    def shares(self) -> dict[str, int] | None:
        """35.8.1 Return the air points that the seat may spend, or None for the theatre command."""
        if theatre(self.board, self.seat):
            return None
        return {kind: purse(self.board, self.seat, kind) for kind in ("tactical", "operational")}

    def sample(self, choice: Choice) -> FightOrders:
        """Return random markers and, for the theatre command, legal strikes of every kind."""
        marks = tuple(hex for hex in self.targets if choice.below(3) == 0) if self.side is Side.WP else ()
        orders = FightOrders(marks=marks)
        if self.seat != self.data.seat_of(self.side):
            return orders
        held = sorted({unit.at for unit in self.board.on_map(self.enemy)})
        for _ in range(SAMPLED if held else 0):
            tried = random_strike(orders, choice, choice.one_of(held), self.view.sites)
            orders = tried if not any(self.objections(tried)) else orders
        return orders

    def canonical(self, answer: FightOrders) -> FightOrders:
        marks = tuple(dict.fromkeys(answer.marks)) if self.side is Side.WP else ()
        return msgspec.structs.replace(answer, marks=marks, present=len(self.data.seats_of(self.side)) > 1)

    def objections(self, answer: FightOrders) -> Iterator[Objection]:
        for number, hex in enumerate(answer.marks):
            if not self.may_mark(hex):
                yield Objection(
                    "25.0",
                    say("{hex} cannot be attacked: no enemy is there, or none of your units can attack it", hex=hex),
                    ("marks", number),
                )
        yield from super().objections(answer)
        yield from self.theatre_objections(answer)
        yield from strike_objections(self.board, self.side, answer, self.shares())

    def plan_objections(self, plan: Plan) -> Iterator[Objection]:
        """25.1.1 Yield the objections to a plan's battles; lines for the same hex or with conditions may overlap."""
        sure: dict[str, HexId] = {}
        for number, commit in enumerate(plan.battles):
            yield from locate_objections(("battles", number), self.battle_objections(commit))
            for name, objection in resources_used(commit, self.side) if not commit.when else ():
                if sure.setdefault(name, commit.objective) != commit.objective:
                    yield from locate_objections(("battles", number), [objection])

    def gun_objections(self, plan: Plan) -> Iterator[Objection]:
        """24.1 Yield the objections to a plan's artillery strikes, each considered without those of other units."""
        yield from named_objections(self.board, self.side, plan.guns, name="guns")
        for number, gun in enumerate(plan.guns):
            unit = self.board.units.get(gun.unit)
            if unit is None or unit.side is not self.side:
                yield Objection("24.1", say("you have no such unit in play"), ("guns", number))
                continue
            if not may_order(self.board, self.seat, unit.card):
                yield Objection("35.8", say("another seat commands {unit}", unit=unit.id), ("guns", number))
            earlier = [(other.unit, other.hex) for other in plan.guns[:number] if other.unit == gun.unit]
            yield from locate_objections(("guns", number), fire_objections(self.board, unit, gun.hex, earlier))

    def battle_objections(self, commit: Commit) -> Iterator[Objection]:
        units = [self.board.units[id] for id in commit.units if id in self.board.units]
        foreign = [unit.id for unit in units if not may_order(self.board, self.seat, unit.card)]
        yield from (Objection("35.8", say("another seat commands {unit}", unit=id)) for id in foreign)
        if not self.may_mark(commit.objective):
            if not foreign:
                yield Objection("25.0", say("{objective} cannot be attacked", objective=commit.objective))
            return
        yield from self.condition_objections(commit)
        if not units or len(units) < len(commit.units):
            yield Objection("25.1.1", say("name units in play that are to attack"))
        for unit in units:
            yield from attacker_objections(self.board, unit, commit.objective, self.side)
        yield from together_objections(self.board, self.side, commit.objective, units)
        if commit.support and commit.support not in self.board.units:
            yield Objection("25.4", say("{support} is not in play", support=commit.support))
        elif commit.support:
            yield from support_objections(self.board, self.board.units[commit.support], units)
        if commit.helicopters:
            battle = battle_of(self.board, self.side, commit.objective, commit.units)
            yield from brigade_objections(self.board, commit.helicopters, battle, self.side)

    def condition_objections(self, commit: Commit) -> Iterator[Objection]:
        """25.1.1 Object to a condition with odds that are not on the table, or with a hex that cannot be attacked."""
        what, _, how = commit.when.partition(" ")
        if what == "odds" and how not in ODDS:
            yield Objection("25.5", say("{odds} is not a column of the Combat Results Table", odds=Name(how)))
        elif (
            what
            and what != "odds"
            and (
                how not in ("taken", "held")
                or what == commit.objective
                or not may_be_marked(self.board, what, self.side)
            )
        ):
            yield Objection(
                "25.1.1",
                say("the battle cannot depend on {hex}: it must be another hex that you can attack", hex=what),
            )

    # --- words -----------------------------------------------------------------------------------------------

    def name(self, at: Path, answer: FightOrders) -> str:
        """Return the order line that an objection is about."""
        match at:
            case ("marks", int(number)):
                return f"attack {answer.marks[number]}"
            case ("air" | "interdict" as verb, int(number)):
                return write_strike(verb, getattr(answer, verb)[number])
            case ("nuclear", int(number)):
                return f"nuke {answer.nuclear[number]}"
        return super().name(at, answer)

    def own(self, word: str) -> Unit:
        return unit_named(word, self.board.of(self.side))

    def on_attack(self, words: Words, said: Said) -> None:
        """Read an attack such as `attack 3218 with 16GT, 21 support NEGF helicopters NEGF`."""
        objective = hex_named(tokens(words, "NAME")[0], self.board)
        named, support, brigade = part(words, "names"), part(words, "support"), part(words, "brigade")
        units = [self.own(word).id for word in tokens(named, "NAME")] if named is not None else []
        if not units:
            units = [unit.id for unit in self.able(objective)]
        hq = self.own(tokens(support, "NAME")[0]).id if support is not None else ""
        when = self.condition_of(part(words, "condition"))
        battles: list[Commit] = said.plan.setdefault("battles", [])
        flown = self.brigade_of(brigade, objective, units, battles) if brigade is not None else ""
        battles.append(Commit(objective, tuple(units), hq, flown, when))
        if self.side is Side.WP:
            said.add(("marks",), objective)

    def on_join(self, words: Words, said: Said) -> None:
        """Read `16GT attack 3218`, which adds one unit to the attack on a hex."""
        word, goal = tokens(words, "NAME")
        unit, objective = self.own(word).id, hex_named(goal, self.board)
        battles: list[Commit] = said.plan.setdefault("battles", [])
        place = next((n for n, one in enumerate(battles) if one.objective == objective and not one.when), None)
        if place is None:
            battles.append(Commit(objective, (unit,)))
        elif unit not in battles[place].units:
            battles[place] = msgspec.structs.replace(battles[place], units=(*battles[place].units, unit))
        if self.side is Side.WP:
            said.add(("marks",), objective)

    def on_mark(self, words: Words, said: Said) -> None:
        """Read `mark 3218 3318`, which places Battle markers; the attackers are named when the battle is declared."""
        if self.side is Side.NATO:
            told = Objection("25.0", say("only the Warsaw Pact places Battle markers; name the hex in an attack"))
            raise Illegal("mark", [told], ["none"])
        for word in tokens(words, "NAME"):
            said.add(("marks",), hex_named(word, self.board))

    def condition_of(self, words: Words | None) -> str:
        """Return the condition in stored form, such as `if 3018 taken`, `if 3018 held` or `if odds 3:1`."""
        if words is None:
            return ""
        if ratio := tokens(words, "RATIO"):
            return f"odds {ratio[0]}"
        return f"{hex_named(tokens(words, 'NAME')[0], self.board)} {tokens(words, 'FATE')[0]}"

    def brigade_of(self, words: Words, objective: HexId, units: Sequence[str], battles: Sequence[Commit]) -> str:
        """18.4 Return the headquarters named, or one that can send attack helicopters that no other battle has."""
        if named := tokens(words, "NAME"):
            return self.own(named[0]).id
        able = possible_brigades(self.board, battle_of(self.board, self.side, objective, units), self.side)
        if not able:
            none = Objection("18.4", say("none of your attack helicopter brigades can take part in this battle"))
            raise Illegal("helicopters", [none], ["none"])
        taken = {commit.helicopters for commit in battles if commit.objective != objective}
        return min(able, key=lambda hq: (hq in taken, hq))

    def on_air(self, words: Words, said: Said) -> None:
        """Read `air 3218 at 7/1A`, which spends one air point."""
        targets = self.targets_in(part(words, "names"))
        hex = hex_named(tokens(words, "NAME")[0], self.board)
        said.add(("air",), AirStrike(hex, bool(tokens(words, "OPERATIONAL")), targets))

    def targets_in(self, named: Words | None) -> tuple[str, ...]:
        """Return the enemy units or sites that these words name."""
        enemies = list(self.board.of(self.enemy))
        sites = {id.lower(): id for id in self.view.sites}
        words_at = tokens(named, "NAME") if named is not None else []
        return tuple(sites.get(word.lower()) or unit_named(word, enemies, enemy=True).id for word in words_at)

    def on_interdict(self, words: Words, said: Said) -> None:
        hex = hex_named(tokens(words, "NAME")[0], self.board)
        said.add(("interdict",), AirStrike(hex, bool(tokens(words, "OPERATIONAL"))))

    def on_nuke(self, words: Words, said: Said) -> None:
        """Read a nuclear strike: `nuke 3218`, `nuke airfield` or `nuke vistula`."""
        said.add(("nuclear",), self.target_of(tokens(words, "NAME")[0]))

    def on_chemical(self, words: Words, said: Said) -> None:
        """Read a chemical strike such as `chemical 3218 persistent` or `chemical airfield operational`."""
        hex = self.target_of(tokens(words, "NAME")[0])
        usual = "operational" if hex == AIRFIELD else "tactical"
        delivery = next(iter(tokens(words, "OPERATIONAL", "ARTILLERY")), usual)
        said.add(("chemical",), Chemical(hex, delivery, bool(tokens(words, "PERSISTENT"))))

    def on_deep(self, words: Words, said: Said) -> None:
        """Read `deep 2`, which spends operational points on the single deep interdiction strike."""
        number = tokens(words, "NAME")[0]
        if not is_number(number) or not int(number):
            raise Illegal(number, [Objection("23.7", say("say how many operational points to spend"))], ["deep 1"])
        if said.has(("deep",)):
            raise Illegal(number, [Objection("23.7", say("only one deep strike can be made in a turn"))], ["deep 1"])
        said.put(("deep",), int(number))

    def target_of(self, word: str) -> str:
        return word if word in (AIRFIELD, VISTULA) else hex_named(word, self.board)

    def on_fire(self, words: Words, said: Said) -> None:
        """Read `fire 34N at 3218`, or `fire 34N at 3218 at 22/1A` with a target."""
        unit, hex = tokens(words, "NAME")[:2]
        gun = Gun(self.own(unit).id, hex_named(hex, self.board), self.targets_in(part(words, "names")))
        said.plan.setdefault("guns", []).append(gun)

    def sentence(self, answer: FightOrders) -> Iterator[str]:
        if answer.marks:
            yield f"mark {' '.join(answer.marks)}"
        yield from write_strikes(answer)
        yield from super().sentence(answer)

    def form(self) -> Iterator[FormLine]:
        turn = self.view.turn
        yield from self.remark(
            say("Battles and strikes, turn {turn}. Remove the # before each order that you want to give.", turn=turn)
        )
        for hex in self.targets:
            units = ", ".join(unit.id for unit in self.able(hex))
            yield f"# attack {hex}"
            yield from self.remark(say("units that can attack it: {units}", units=units))
        points = [purse(self.board, self.seat, kind, last=True) for kind in ("tactical", "operational")]
        yield from self.notices()
        yield from self.remark(
            say(
                "Air points: {tactical} tactical, {operational} operational: {orders}",
                tactical=points[0],
                operational=points[1],
                orders=Name("air 3218, interdict 3220"),
            )
        )
        yield "none"


def resources_used(commit: Commit, side: Side) -> Iterator[tuple[str, Objection]]:
    """18.4, 25.2, 25.4 Yield everything that a battle uses up for its phase, with the objection to using it twice."""
    for id in commit.units:
        yield id, Objection("25.2", say("{id} cannot attack twice", id=id))
    if commit.support:
        rule = "25.4.1" if side is Side.WP else "25.4.2"
        told = say("{hq} can support only one battle in this phase", hq=commit.support)
        yield f"support {commit.support}", Objection(rule, told)
    if commit.helicopters:
        told = say("the attack helicopters of {hq} can fly to only one battle in a turn", hq=commit.helicopters)
        yield f"helicopters {commit.helicopters}", Objection("18.4.4.2", told)


class NextBattle(Choosing[Commit | None], kind="commit", rule="25.1.1"):
    """25.1.1 The choice of the next battle, or None to end the Combat Phase."""

    Answer = Commit | None
    grade = "detail"

    @cached_property
    def open(self) -> list[HexId]:
        """The objectives that can be attacked now."""
        if self.side is Side.WP:
            return [*self.view.battles, *self.view.cleared]
        near = {hex for unit in self.board.on_map(self.side) for hex in (unit.at, *neighbours(unit.at))}
        return [hex for hex in sorted(near) if may_be_marked(self.board, hex, self.side)]

    def default(self) -> Commit | None:
        """The default: the WP theatre command must fight every marked battle; NATO and other seats stop."""
        if self.seat != self.data.seat_of(self.side):
            return None
        return next((self.everybody(hex) for hex in self.view.battles), None)

    def words_of(self, answer: Commit | None) -> list[str]:
        """Return the words for an answer: objective, units, supporting HQ and the HQ that sends helicopters."""
        if answer is None:
            return []
        support = ["support", answer.support] if answer.support else []
        flown = ["helicopters", answer.helicopters] if answer.helicopters else []
        return [answer.objective, *answer.units, *support, *flown]

    def from_words(self, words: list[str]) -> Any:
        names = {unit.id.lower(): unit.id for unit in self.board.of(self.side)}
        objective, *rest = [names.get(word.lower(), word) for word in words]
        found: dict[str, Any] = {"objective": objective, "units": []}
        for before, word in zip(["", *rest], rest, strict=False):
            if before in ("support", "helicopters"):
                found[before] = word
            elif word not in ("support", "helicopters"):
                found["units"].append(word)
        return found

    def everybody(self, objective: HexId) -> Commit | None:
        """All units that the seat may commit together against a hex, with support if available."""
        units: list[Unit] = []
        near = possible_attackers(self.board, objective, self.side)
        able = [unit for unit in near if self.may_commit(unit, objective)]
        for unit in sorted(able, key=lambda unit: (unit.at != objective, -unit.attack, unit.id)):
            if not any(together_objections(self.board, self.side, objective, [*units, unit])):
                units.append(unit)
        if not any(unit.attack for unit in units):
            return None
        support = next(iter(possible_support(self.board, self.side, units)), None)
        return Commit(objective, tuple(unit.id for unit in units), support.id if support else "")

    def options(self) -> Iterator[Commit | None]:
        if not self.view.battles or self.seat != self.data.seat_of(self.side):
            yield None
        yield from (found for hex in self.open if (found := self.everybody(hex)) is not None)

    def objections(self, answer: Commit | None) -> Iterator[Objection]:
        if answer is None:
            if self.view.battles and self.seat == self.data.seat_of(self.side):
                yield Objection(
                    "25.1.1.1",
                    say("you still have battles to fight: {battles}", battles=several(self.view.battles, "unit")),
                )
            return
        units = [self.board.units[id] for id in answer.units if id in self.board.units]
        if len(units) < len(answer.units):
            yield Objection("25.1.1", say("a unit is no longer in play"))
        for unit in units:
            for objection in attacker_objections(self.board, unit, answer.objective, self.side):
                yield Objection(objection.rule, say("{unit}: {why}", unit=unit.id, why=objection.english))
            if not self.may_commit(unit, answer.objective):
                yield Objection("35.8", say("another seat commands {unit}", unit=unit.id))
        yield from commit_objections(self.board, self.side, answer.objective, units)
        if answer.support:
            hq = self.board.units.get(answer.support)
            if hq is None:
                yield Objection("25.4", say("{support} is not in play", support=answer.support))
            else:
                yield from support_objections(self.board, hq, units)

    def may_commit(self, unit: Unit, objective: HexId) -> bool:
        """35.8, 25.1.1.1 Whether the seat may commit a unit; the theatre may commit any unit to a marked hex."""
        left_over = theatre(self.board, self.seat) and objective in self.view.battles
        return left_over or fights_with(self.board, self.seat, unit.card)

    def from_plan(self, plan: EnginePlan) -> Iterator[tuple[Commit | None, str]]:
        """Yield the planned battles in order, each with those of its units that can still attack."""
        for commit in read_plan(plan).battles:
            if commit.objective in self.view.fought or not self.holds(commit):
                continue
            units = [
                id
                for id in commit.units
                if id in self.board.units
                and fights_with(self.board, self.seat, self.board.units[id].card)
                and not any(attacker_objections(self.board, self.board.units[id], commit.objective, self.side))
            ]
            if units:
                yield Commit(commit.objective, tuple(units), commit.support, commit.helicopters), write_battle(commit)
                yield Commit(commit.objective, tuple(units), "", commit.helicopters), write_battle(commit)

    def unfulfilled_orders(self, answer: Commit | None, plan: Plan) -> Iterator[Fail]:
        """25.1.1 Report units that miss this battle and, at the end, planned battles that were not fought."""
        for commit in plan.battles:
            if self.ask.grade == "note" and not self.was_fought(commit):
                yield from self.fails(commit, commit.units)
            elif answer is not None and answer.objective == commit.objective:
                yield from self.fails(commit, [id for id in commit.units if id not in answer.units])
                if commit.support and not answer.support:
                    against = why_unsupported(self.board, commit.support, answer.units)
                    yield Fail(commit.support, write_battle(commit), against.why, against.rule)

    def was_fought(self, commit: Commit) -> bool:
        """25.1.1, 35.8 Return whether a planned battle was fought, and not only by other seats of the side."""
        pieces = [self.view.pieces[id] for id in commit.units if id in self.view.pieces]
        return commit.objective in self.view.fought and (not pieces or any(piece.fought for piece in pieces))

    def fails(self, commit: Commit, units: Iterable[str]) -> Iterator[Fail]:
        """25.1.1 Report why these units do not take part in a planned battle."""
        for id in units:
            against = next(iter(self.obstacles(commit, id)), Objection("25.1.1", say("the unit was not committed")))
            yield Fail(id, write_battle(commit), against.why, against.rule)

    def obstacles(self, commit: Commit, id: str) -> Iterator[Objection]:
        """25.0, 25.1.1 Yield the reasons why a unit cannot now take part in a planned battle."""
        unit, hex = self.board.units.get(id), commit.objective
        if self.view.outcome is not None:
            yield OVER
        if unit is None:
            yield Objection("25.1.1", say("the unit is no longer in play"))
            return
        if not fights_with(self.board, self.seat, unit.card):
            yield Objection("35.8", say("the seat that commands the unit has given orders of its own"))
        if not may_be_marked(self.board, hex, self.side) and hex not in self.view.cleared:
            yield Objection("25.0", say("{hex} can no longer be attacked", hex=hex))
        elif self.side is Side.WP and hex not in self.open:
            yield Objection("25.0", say("{hex} has no Battle marker", hex=hex))
        yield from attacker_objections(self.board, unit, hex, self.side)
        if commit.when and not self.holds(commit):
            yield Objection("25.1.1", say("the order's condition was not met: {when}", when=Name(commit.when)))
        yield from self.objections(Commit(hex, commit.units, commit.support, commit.helicopters))

    def holds(self, commit: Commit) -> bool:
        """Return whether the condition of a planned battle is true now."""
        what, _, how = commit.when.partition(" ")
        if what == "odds":
            units = [id for id in commit.units if id in self.board.units]
            battle = battle_of(self.board, self.side, commit.objective, units, commit.support)
            return ODDS.index(odds_of(self.board, battle).final) >= ODDS.index(how)
        if how:
            taken = self.board.holds(what, self.side)
            return taken if how == "taken" else what in self.view.fought and not taken
        return True

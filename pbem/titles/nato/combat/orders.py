"""25.0, 25.1.1 The orders of the second exchange: battles and strikes of one side, battle orders of the other.

7.2 II.D, II.E   Fight: Battle markers, air strikes and interdiction; artillery and battles go into the plan
25.1             Defend: clauses for the windows of the enemy's battles
25.1.1           NextBattle: which battle is fought next
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

import msgspec

from pbem.engine.play.choice import Choice
from pbem.engine.rules.decision import Said
from pbem.engine.rules.happenings import Fail
from pbem.engine.rules.refusals import Illegal, Objection, locate_objections
from pbem.engine.rules.title import Plan as EnginePlan
from pbem.engine.text.forms import FormLine
from pbem.engine.text.grammar import Words, part, tokens
from pbem.engine.text.messages import Name, say, several
from pbem.titles.nato.air.helicopters import READY, brigade_objections
from pbem.titles.nato.air.sites import site_objections, site_of
from pbem.titles.nato.air.strike_decisions import (
    hex_objections,
    named_objections,
    points_objections,
    reach_objections,
)
from pbem.titles.nato.artillery.fire import fire_objections
from pbem.titles.nato.board import Board, Unit
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
from pbem.titles.nato.commands.language import command_lines, read_command
from pbem.titles.nato.commands.pools import purse
from pbem.titles.nato.commands.powers import commands, fights_with, may_order, theatre
from pbem.titles.nato.map.grid import HexId, neighbours
from pbem.titles.nato.nuclear.atomic import nuclear_objections
from pbem.titles.nato.nuclear.chemicals import chemical_objections
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
    write_strikes,
)
from pbem.titles.nato.player.standing_orders import BETWEEN_TURNS, check_names, read_clause
from pbem.titles.nato.state import NatoState

SAMPLED = 6
"""The number of strikes that a random order attempts."""


def deep_objections(view: NatoState, side: Side, answer: FightOrders) -> Iterator[Objection]:
    """23.7 Object unless NATO spends one to three operational points that are left after its other strikes."""
    if not answer.deep:
        return
    if side is not Side.NATO:
        yield Objection("23.7", say("only NATO can make deep strikes"))
    spent = sum(strike.operational for strike in (*answer.air, *answer.interdict))
    if not 1 <= answer.deep <= 3 or answer.deep + spent > view.operational.get(side, 0):
        yield Objection("23.7", say("you cannot spend {deep} operational points on a deep strike", deep=answer.deep))


def random_strike(orders: FightOrders, choice: Choice, hex: HexId, sites: Mapping[str, HexId]) -> FightOrders:
    """Return the orders with one more strike of any kind on a hex, legal or not."""
    replace = msgspec.structs.replace
    match choice.below(6):
        case 0:
            return replace(orders, air=(*orders.air, AirStrike(hex, choice.below(2) == 0)))
        case 1:
            return replace(orders, interdict=(*orders.interdict, AirStrike(hex, choice.below(2) == 0)))
        case 2:
            target = choice.one_of([hex, hex, AIRFIELD, VISTULA])
            return replace(orders, nuclear=(*orders.nuclear, target)) if choice.below(12) == 0 else orders
        case 3:
            gas = Chemical(hex, choice.one_of(["tactical", "operational", "artillery"]), choice.below(2) == 0)
            return replace(orders, chemical=(*orders.chemical, gas))
        case 4 if sites:
            site = choice.one_of(sorted(sites))
            return replace(orders, air=(*orders.air, AirStrike(sites[site], choice.below(2) == 0, (site,))))
        case _:
            return replace(orders, deep=1 + choice.below(3))


def strike_objections(
    board: Board, side: Side, orders: FightOrders, shares: Mapping[str, int] | None = None
) -> Iterator[Objection]:
    """21 to 23 Yield all objections to the strikes of a side: those of one seat, or of all seats together."""
    strikes = [*orders.air, *orders.interdict]
    gas = sum(one.delivery == "tactical" for one in orders.chemical) if side is Side.NATO else 0
    yield from points_objections(board.state, side, strikes, besides=gas, shares=shares)  # 22.2.2
    for name, given in (("air", orders.air), ("interdict", orders.interdict)):
        for number, strike in enumerate(given):
            yield from locate_objections((name, number), reach_objections(board, side, strike))
    yield from site_objections(board, side, orders.air)
    yield from named_objections(board, side, orders.air)
    on_units = [strike for strike in orders.air if not site_of(board.state, strike.targets)]
    for hex in dict.fromkeys(strike.hex for strike in on_units):
        here = [strike for strike in on_units if strike.hex == hex]
        yield from hex_objections(board, side, hex, here)
    for number, target in enumerate(orders.nuclear):
        earlier = orders.nuclear[:number]
        yield from locate_objections(("nuclear", number), nuclear_objections(board, side, target, earlier))
    yield from chemical_objections(board, side, orders.chemical)
    yield from deep_objections(board.state, side, orders)
    marked = [strike.hex for strike in orders.interdict]
    if len(set(marked)) < len(marked):
        yield Objection("23.8", say("only one interdiction marker can be placed in a hex"))


class Clauses(NatoDecision[FightOrders]):
    """An order whose lines may be clauses for upcoming windows."""

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
                    "7.2", say("put this in your standing orders: battle orders end with this player turn")
                )
                raise Illegal(clause.text, [told], ["respond: best", "none"])
            said.plan.setdefault("clauses", []).append(clause.text)
        elif words.data != "nothing":
            with proposing(lambda _: ["none"]):
                getattr(self, f"on_{words.data}", self.not_now)(words, said)

    def not_now(self, words: Words, said: Said) -> None:
        why = say(
            "“{data}” does not belong in this phase: give only clauses such as `respond: best`", data=words.data
        )
        raise Illegal(str(words.data), [Objection("7.2", why)], ["respond: best", "none"])


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
        """25.0, 35.8 Whether a unit that the seat may order, if only as deputy of a silent seat, can attack a hex."""
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
        """35.8 Object if another seat than the theatre orders nuclear weapons, first use or deep interdiction."""
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
                why = say("{hex} cannot be attacked: no enemy is there, or none of your units can attack it", hex=hex)
                yield Objection("25.0", why, ("marks", number))
        yield from super().objections(answer)
        yield from self.theatre_objections(answer)
        yield from strike_objections(self.board, self.side, answer, self.shares())

    def plan_objections(self, plan: Plan) -> Iterator[Objection]:
        """25.1.1 Yield the objections to the battles of a plan; lines for one hex or with conditions may overlap."""
        sure: dict[str, HexId] = {}
        for number, commit in enumerate(plan.battles):
            yield from locate_objections(("battles", number), self.battle_objections(commit))
            for name, objection in resources_used(commit, self.side) if not commit.when else ():
                if sure.setdefault(name, commit.objective) != commit.objective:
                    yield from locate_objections(("battles", number), [objection])

    def gun_objections(self, plan: Plan) -> Iterator[Objection]:
        """24.1 Yield the objections to the artillery strikes of a plan, each judged without those of other units."""
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
        for unit in units:
            yield from attacker_objections(self.board, unit, commit.objective, self.side)
        yield from together_objections(self.board, self.side, commit.objective, units)
        if commit.support and commit.support in self.board.units:
            yield from support_objections(self.board, self.board.units[commit.support], units)
        if commit.helicopters:
            battle = battle_of(self.board, self.side, commit.objective, commit.units)
            yield from brigade_objections(self.board, commit.helicopters, battle, self.side)

    # --- words -----------------------------------------------------------------------------------------------

    def own(self, word: str) -> Unit:
        return unit_named(word, self.board.of(self.side))

    def on_attack(self, words: Words, said: Said) -> None:
        """Read `attack 3218 with 16GT, 21 support NEGF helicopters NEGF`."""
        objective = hex_named(tokens(words, "NAME")[0], self.board)
        named, support, brigade = part(words, "names"), part(words, "support"), part(words, "brigade")
        units = [self.own(word).id for word in tokens(named, "NAME")] if named is not None else []
        if not units:
            units = [unit.id for unit in self.able(objective)]
        hq = self.own(tokens(support, "NAME")[0]).id if support is not None else ""
        flown = self.brigade_of(brigade) if brigade is not None else ""
        when = self.condition_of(part(words, "condition"))
        said.plan.setdefault("battles", []).append(Commit(objective, tuple(units), hq, flown, when))
        if self.side is Side.WP:
            said.add(("marks",), objective)

    def on_join(self, words: Words, said: Said) -> None:
        """`16GT attack 3218`: one more unit for the attack on a hex."""
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
        """Read `mark 3218 3318`: Battle markers; the attackers are named when the battle is declared."""
        for word in tokens(words, "NAME"):
            said.add(("marks",), hex_named(word, self.board))

    def condition_of(self, words: Words | None) -> str:
        """Return the condition in stored form: `if 3018 taken`, `if 3018 held`, `if odds 3:1`."""
        if words is None:
            return ""
        if ratio := tokens(words, "RATIO"):
            return f"odds {ratio[0]}"
        return f"{hex_named(tokens(words, 'NAME')[0], self.board)} {tokens(words, 'FATE')[0]}"

    def brigade_of(self, words: Words) -> str:
        named = tokens(words, "NAME")
        ready = [hq for hq, state in sorted(self.view.brigades.items()) if state == READY]
        own = [hq for hq in ready if self.data.units[hq].side is self.side]
        return self.own(named[0]).id if named else next(iter(own), "")

    def on_air(self, words: Words, said: Said) -> None:
        """Read `air 3218 at 7/1A`: spend one air point."""
        targets = self.targets_in(part(words, "names"))
        hex = hex_named(tokens(words, "NAME")[0], self.board)
        said.add(("air",), AirStrike(hex, bool(tokens(words, "OPERATIONAL")), targets))

    def targets_in(self, named: Words | None) -> tuple[str, ...]:
        """Return the enemy units or sites that these words name."""
        enemies = list(self.board.of(self.enemy))
        sites = {id.lower(): id for id in self.view.sites}
        words_at = tokens(named, "NAME") if named is not None else []
        return tuple(sites.get(word.lower()) or unit_named(word, enemies).id for word in words_at)

    def on_interdict(self, words: Words, said: Said) -> None:
        hex = hex_named(tokens(words, "NAME")[0], self.board)
        said.add(("interdict",), AirStrike(hex, bool(tokens(words, "OPERATIONAL"))))

    def on_nuke(self, words: Words, said: Said) -> None:
        """Read `nuke 3218`, `nuke airfield`, `nuke vistula`."""
        said.add(("nuclear",), self.target_of(tokens(words, "NAME")[0]))

    def on_chemical(self, words: Words, said: Said) -> None:
        """Read `chemical 3218 persistent`, `chemical airfield operational`."""
        delivery = next(iter(tokens(words, "OPERATIONAL", "ARTILLERY")), "tactical")
        hex = self.target_of(tokens(words, "NAME")[0])
        delivery = "operational" if hex == AIRFIELD else delivery
        said.add(("chemical",), Chemical(hex, delivery, bool(tokens(words, "PERSISTENT"))))

    def on_deep(self, words: Words, said: Said) -> None:
        """Read `deep 2`: spend operational points on the deep interdiction strike, which is made once."""
        number = tokens(words, "NAME")[0]
        if not number.isdecimal():
            raise Illegal(number, [Objection("23.7", say("say how many operational points to spend"))], ["deep 1"])
        if said.has(("deep",)):
            raise Illegal(number, [Objection("23.7", say("only one deep strike can be made in a turn"))], ["deep 1"])
        said.put(("deep",), int(number))

    def target_of(self, word: str) -> str:
        return word if word in (AIRFIELD, VISTULA) else hex_named(word, self.board)

    def on_fire(self, words: Words, said: Said) -> None:
        """Read `fire 34N at 3218`, or `fire 34N at 3218 at 22/1A`."""
        unit, hex = tokens(words, "NAME")[:2]
        gun = Gun(self.own(unit).id, hex_named(hex, self.board), self.targets_in(part(words, "names")))
        said.plan.setdefault("guns", []).append(gun)

    def sentence(self, answer: FightOrders) -> Iterator[str]:
        if answer.marks:
            yield f"mark {' '.join(answer.marks)}"
        yield from write_strikes(answer)
        yield from super().sentence(answer)

    def form(self) -> Iterator[FormLine]:
        yield from self.remark(
            say("Battles and strikes, turn {turn}. Remove the # before the orders to give.", turn=self.view.turn)
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
    """25.2, 25.4 Yield the things that a battle uses up in its phase, with the objection to using them twice."""
    for id in commit.units:
        yield id, Objection("25.2", say("{id} cannot attack twice", id=id))
    if commit.support:
        rule = "25.4.1" if side is Side.WP else "25.4.2"
        yield (
            f"support {commit.support}",
            Objection(rule, say("{hq} can support only one battle in this phase", hq=commit.support)),
        )


class NextBattle(Choosing[Commit | None], kind="commit", rule="25.1.1"):
    """25.1.1 The next battle, or None to end the Combat Phase."""

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
        """The theatre command of the Warsaw Pact must fight every marked battle; NATO and other seats stop."""
        if self.seat != self.data.seat_of(self.side):
            return None
        return next((self.everybody(hex) for hex in self.view.battles), None)

    def words_of(self, answer: Commit | None) -> list[str]:
        """Return the objective, the units, the supporting HQ and the HQ that sends helicopters."""
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
        """All units that the seat may commit against a hex together, with support if available."""
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
        """35.8, 25.1.1.1 Whether the seat may commit a unit; the theatre command also for marked hexes."""
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
        """25.1.1, 35.8 Return whether a planned battle was fought, and not only by another seat of the side."""
        pieces = [self.view.pieces[id] for id in commit.units if id in self.view.pieces]
        return commit.objective in self.view.fought and (not pieces or any(piece.fought for piece in pieces))

    def fails(self, commit: Commit, units: Iterable[str]) -> Iterator[Fail]:
        """25.1.1 Report why these units take no part in a planned battle."""
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
        """Return whether the condition of a planned battle holds now."""
        what, _, how = commit.when.partition(" ")
        if what == "odds":
            units = [id for id in commit.units if id in self.board.units]
            battle = battle_of(self.board, self.side, commit.objective, units, commit.support)
            return ODDS.index(odds_of(self.board, battle).final) >= ODDS.index(how)
        if how:
            taken = self.board.holds(what, self.side)
            return taken if how == "taken" else what in self.view.fought and not taken
        return True

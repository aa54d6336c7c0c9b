"""The base of all decisions of TANKS: names, remarks, checked proposals, and order lines for tanks.

TanksDecision    an ask with its tank and its side
TankLines        a decision read from lines for tanks: `a1: if b2 moved: move 40`
SealedForm       T1.1, T1.2 the form of a phase
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, ClassVar, Final, TypeVar

from pbem.engine.geometry.plane import Point
from pbem.engine.rules.ask import Ask, Grade
from pbem.engine.rules.decision import Decision, Said
from pbem.engine.rules.refusals import (
    Illegal,
    Objection,
    Path,
    Refusal,
    Unreadable,
    each,
    raise_all,
)
from pbem.engine.rules.title import Plan as Beforehand
from pbem.engine.rules.title import Submission
from pbem.engine.text.forms import FormLine
from pbem.engine.text.grammar import Line, Words, part, parts, tokens
from pbem.engine.text.messages import Message, Several, named, say, several, term
from pbem.titles.data_files import close_to
from pbem.titles.proposals import is_accepted
from pbem.titles.tanks.bots.prospects import attack_strength
from pbem.titles.tanks.cards.crew_and_upgrades import held_cards, idle_objections, late_objections, lend_objections
from pbem.titles.tanks.cards.criticals import capacity
from pbem.titles.tanks.data_set import Objective, TanksData
from pbem.titles.tanks.phases.conditions import idle_condition_objections
from pbem.titles.tanks.player.language import LANGUAGE, distance, point
from pbem.titles.tanks.player.orders import (
    PHASES_LEFT,
    RULE,
    Condition,
    Move,
    MoveOrder,
    Plan,
    ShootOrder,
    never_reached,
    read_plan,
)
from pbem.titles.tanks.player.standing_orders import Clause, StandingOrders, compile_orders
from pbem.titles.tanks.player.words import (
    card_named,
    joined_names,
    leg_of,
    named_in,
    squash,
    unit_named,
    write_place,
)
from pbem.titles.tanks.shooting.shots import Shot, defence_dice, shot_at
from pbem.titles.tanks.situation import Situation
from pbem.titles.tanks.state import Tank, TanksState
from pbem.titles.tanks.telling.names import PHASES, side

A = TypeVar("A")
COORDINATE: Final = re.compile(r"[0-9]+(?:\.[0-9])?°?(?: ?(?:mm|cm|arrows?))?")
WIDTH: Final = 38
COVER, CLOSE, SIDE = term("tanks shot", "cover"), term("tanks shot", "close"), term("tanks shot", "side")
"""The terms for what affects the dice of a shot: cover, close range and a side shot."""
MOST_PROPOSALS: Final = 8
SAID: Final = {"moving": "move", "sequence": "order of", "early": "first move", "tactic": "hunt, hide, rush"}
"""Grammar verbs as players write them."""


class TanksDecision(Decision[A]):
    """A question (ask) of TANKS, with the tank it is about, that tank's side and the enemy."""

    data: TanksData
    view: TanksState
    language = LANGUAGE

    @classmethod
    def make_ask(
        cls,
        seat: str,
        *,
        subject: str = "",
        about: Any = None,
        default: Any = None,
        grade: Grade | None = None,
        rule: str = "",
    ) -> Ask:
        """Return the ask, with its default answer recorded in it."""
        silent = cls.nothing if default is None else default
        return super().make_ask(seat, subject=subject, about=about, default=silent, grade=grade, rule=rule)

    @cached_property
    def tank(self) -> Tank:
        """The tank that the question is about."""
        return self.view.tanks[self.ask.subject]

    @cached_property
    def own(self) -> list[Tank]:
        return list(self.view.of(self.seat))

    def own_named(self, word: str) -> Tank:
        return unit_named(word, self.own, self.situation)

    def enemy(self, word: str) -> str:
        return unit_named(word, list(self.view.enemies(self.seat)), self.situation).id

    def anyone(self, me: Tank) -> Callable[[str], str]:
        """Return a function that finds a tank by name, for use in the orders of the tank `me`."""

        def find(word: str) -> str:
            if word in ("me", "it", "itself", "self"):
                return me.id
            return unit_named(word, list(self.view.tanks.values()), self.situation).id

        return find

    def goal(self, me: Tank) -> Callable[[str], str]:
        """Return a function that finds a goal for the tank `me`: a tank, terrain, an objective, or a point."""
        marks = {objective.id: Point(10 * objective.at[0], 10 * objective.at[1]) for objective in self.objectives}
        pieces = {squash(piece.id): piece.id for piece in self.view.pieces}

        def find(words: str) -> str:
            if words[0].isdigit() and len(numbers := COORDINATE.findall(words)) == 2:
                x, y = point(numbers[0], numbers[1], self.data.scenario.arrow)
                return f"{x},{y}"
            if words in marks:
                return f"{marks[words].x},{marks[words].y}"
            try:
                found = pieces.get(squash(words)) or self.anyone(me)(words)
                if found == me.id:
                    raise Illegal(words, [Objection("T5.1", say("a tank cannot be named as its own target"))])
                return found
            except Unreadable as unknown:
                near = close_to(words, [*pieces.values(), *marks]) or list(unknown.instead)
                raise Unreadable(
                    words, [Objection(RULE, say("no tank, piece of terrain or objective has that name"))], near
                ) from None

        return find

    @property
    def objectives(self) -> Sequence[Objective]:
        return self.data.scenario.objective

    def strangers(self, tank_id: str) -> list[Objection]:
        """The objection to an order for a tank that is not one of the player's tanks in play."""
        known = tank_id in self.view.tanks and self.view.tanks[tank_id] in self.own
        return [] if known else [Objection("T1.1", say("you have no such tank in play"))]

    def near_own(self, tank_id: str) -> list[str]:
        return close_to(tank_id, [tank.id for tank in self.own])

    # --- plan and standing orders ----------------------------------------------------------------------------

    standing: StandingOrders = compile_orders(())
    """The seat's standing orders, which decide what the lines of its plan leave open."""

    def from_plan(self, plan: Beforehand) -> Iterator[tuple[A, str]]:
        self.standing = plan.standing or self.standing
        return self.by_plan(read_plan(plan))

    def by_plan(self, plan: Plan) -> Iterator[tuple[A, str]]:
        """Yield the answers that the turn's plan gives, best first, each with the plan line that it follows."""
        yield from ()

    def from_standing_orders(self, orders: StandingOrders) -> Iterator[tuple[A, str]]:
        for clause in orders.clauses:
            for answer in self.by_clause(clause, orders):
                yield answer, clause.text

    def by_clause(self, clause: Clause, orders: StandingOrders) -> Iterator[A]:
        """Yield the answers that one clause of the standing orders gives."""
        yield from ()

    # --- proposals -------------------------------------------------------------------------------------------

    def read_text(self, text: str) -> Submission:
        """Read lines; every proposal in a refusal is a whole line that would be accepted."""
        try:
            return self.take(text)
        except Refusal as refusal:
            raise_all([self.with_legal_proposals(single, text) for single in each(refusal)])
            raise

    def take(self, text: str) -> Submission:
        """Read lines with the engine's standard reader."""
        return super().read_text(text)

    def with_legal_proposals(self, refusal: Refusal, text: str) -> Refusal:
        """Return the refusal with only those proposals that would be accepted, alone and in place of the line."""
        found: dict[str, None] = {}
        for proposed in refusal.instead:
            lines = (proposed, put_right(refusal.line, refusal.part, proposed))
            good = (line for line in lines if self.accepts(line, text, refusal.line))
            found.update(dict.fromkeys(islice(good, 1)))
        return type(refusal)(refusal.part, refusal.objections, list(found)[:MOST_PROPOSALS], refusal.line)

    def accepts(self, line: str, text: str = "", refused: str = "") -> bool:
        """Return whether a line would be accepted, both alone and in place of the refused line in a text."""
        return bool(line) and is_accepted(self.take, text, refused, line)

    # --- remarks ---------------------------------------------------------------------------------------------

    def remark(self, said: Message | Several) -> list[FormLine]:
        """Return a remark; it is put into words when the form is sent."""
        return [said]

    def head(self, phase: str) -> list[FormLine]:
        args = {
            "phase": PHASES[phase.lower()],
            "turn": self.view.turn,
            "turns": self.data.scenario.turns,
            "side": side(self.seat),
        }
        if self.seat == self.view.attacker:
            return self.remark(
                say("{phase}, turn {turn} of {turns}, {side} (attacker). Comments like this one are ignored.", **args)
            )
        return self.remark(
            say("{phase}, turn {turn} of {turns}, {side} (defender). Comments like this one are ignored.", **args)
        )

    def describe_tank(self, tank: Tank) -> Several:
        """Describe a tank with its tokens and cards."""
        data, model = self.data, self.data.models[tank.model]
        place = say(
            "{tank} {model} at {place} facing {heading}, damage {damage}/{capacity}",
            tank=tank.id,
            model=model.name,
            place=write_place(tank.at.x, tank.at.y),
            heading=tank.heading,
            damage=tank.damage,
            capacity=capacity(data, tank),
        )
        troubles = [named("tanks critical", data.criticals[card].name) for card in tank.criticals]
        cards = [
            named("tanks card", card.name)
            if held.up
            else say("{card} (face down)", card=named("tanks card", card.name))
            for held, card in held_cards(data, tank)
        ]
        return several([place, *troubles, *cards], "unit")

    def describe_shots(self, tank: Tank, best: Sequence[str]) -> list[FormLine]:
        """T7.4, T7.6 Return the attack and defence dice against each target, as far as they are known."""
        said = (describe_shot(self.situation, tank, target) for target in best)
        shots = several(said, "clauses")
        return self.remark(shots if shots.items else say("no target"))


def describe_shot(situation: Situation, tank: Tank, target: str) -> Message:
    """T7.4, T7.6 Return the attack and defence dice against a target, as far as they are known."""
    shot = shot_at(situation, tank, situation.state.tanks[target])
    said = say(
        "{target}: {attack} against {defence}",
        target=target,
        attack=attack_strength(situation, shot),
        defence=defence_dice(situation.data, shot),
    )
    return with_facts(said, shot)


def describe_dice(situation: Situation, tank: Tank, target: str) -> Message:
    """T7.4, T7.6 Return the attack and defence dice for a tank's sheet."""
    shot = shot_at(situation, tank, situation.state.tanks[target])
    said = say(
        "{attack} dice against {defence}",
        attack=attack_strength(situation, shot),
        defence=defence_dice(situation.data, shot),
    )
    return with_facts(said, shot)


def with_facts(said: Message, shot: Shot) -> Message:
    """T7.7 to T7.9 Return the text with the facts that affect the number of dice added in brackets."""
    facts = [word for word, so in ((COVER, shot.cover), (CLOSE, shot.close), (SIDE, shot.side)) if so]
    return say("{shot} ({facts})", shot=said, facts=several(facts, "unit")) if facts else said


def raise_if(part: str, objections: Iterator[Objection]) -> None:
    """Refuse a part of a line if there are any objections to it."""
    if against := list(objections):
        raise Illegal(part, against)


def put_right(line: str, part: str, proposed: str) -> str:
    """Return an order line with one of its parts corrected."""
    return re.sub(rf"(?<!\w){re.escape(part)}(?!\w)", lambda _: proposed, line, count=1, flags=re.IGNORECASE)


class TankLines(TanksDecision[A]):
    """A decision whose answer is read from order lines for tanks.

    A subclass has a method `on_<verb>` for each verb that it accepts.
    """

    start = "order"
    told: ClassVar[Path] = ("orders",)
    """The path to the orders for tanks within the answer."""

    def parse(self, line: Line) -> Words:
        """Parse a line; if the question is about one tank, its name may be left out."""
        try:
            return super().parse(line)
        except Unreadable:
            if not self.ask.subject:
                raise
            return super().parse(line._replace(text=f"{self.ask.subject}: {line.text}"))

    def comes_last(self, line: Line) -> bool:
        return bool(re.match(r"(all|rest|others|everyone)\b", line.text))

    def read(self, words: Words, said: Said) -> None:
        """T1.1, T1.2, T8.3 Read one line and apply it to each tank that it names."""
        if words.data == "sequence":
            self.verb("sequence")([self.own_named(name).id for name in tokens(words, "NAME")], said)
        elif words.data == "unit_order":
            action: Any = words.children[-1]
            verb = self.verb(str(action.data))
            for tank in self.whom(words, said):
                verb(tank, action, self.conditions(tank, words), said)

    def verb(self, word: str) -> Callable[..., None]:
        """Return the method for a verb of the grammar; a refusal lists the verbs that this decision accepts."""
        found: Callable[..., None] | None = getattr(self, f"on_{word}", None)
        if found is None:
            what = SAID.get(word, word)
            raise Illegal(
                what,
                [
                    Objection(
                        RULE,
                        say(
                            "“{what}” is not an order of this phase; its orders are: {verbs}",
                            what=what,
                            verbs=self.verbs(),
                        ),
                    )
                ],
            )
        return found

    def verbs(self) -> str:
        """Return the verbs that are accepted here."""
        own = dict.fromkeys(name[3:] for kind in type(self).__mro__ for name in vars(kind) if name.startswith("on_"))
        return ", ".join(SAID.get(name, name) for name in own)

    def whom(self, words: Words, said: Said) -> list[Tank]:
        """Return the tanks that a line is for; `all`, `rest` and `others` mean the tanks without an order so far."""
        who = part(words, "who")
        assert who is not None
        if tokens(who, "ALL"):
            rest = [tank for tank in self.own if not said.has((*self.told, tank.id))]
            return [tank for tank in rest if self.ask.subject in ("", tank.id)]
        found = [self.own_named(name) for name in joined_names(tokens(who, "NAME"), self.own, self.data)]
        for tank in found:
            if self.ask.subject not in ("", tank.id):  # the line would be lost
                why = Objection("T1.1", say("these orders are for {subject}", subject=self.ask.subject))
                raise Illegal(tank.id, [why], [self.ask.subject, f"{self.ask.subject}: hold"])
        return found

    def legs(self, tank: Tank, words: Words) -> list[Move]:
        """T5.1 Return the moves that a line gives."""
        return [leg_of(leg, self.goal(tank)) for leg in parts(words, "leg")]

    def conditions(self, tank: Tank, words: Words) -> list[Condition]:
        found = part(words, "when")
        if found is None:
            return []
        given = [self.condition(tank, child) for child in found.children if hasattr(child, "data")]
        raise_if("if", idle_condition_objections(self.situation, given))
        return given

    def condition(self, tank: Tank, words: Any) -> Condition:
        """Return the condition that these words describe."""
        units = [self.anyone(tank)(name) for name in tokens(words, "NAME")]
        no = bool(tokens(words, "NOT")) is not (words.data == "stayed")
        within = sum(distance(word, self.data.scenario.arrow) for word in tokens(words, "DISTANCE"))
        what = "moved" if words.data == "stayed" else str(words.data)
        return Condition(what, units, within, no)  # type: ignore[arg-type]

    def unconditional(self, when: list[Condition], what: str) -> None:
        """Refuse conditions in an order that cannot have any."""
        if when:
            raise Illegal("if", [Objection(RULE, say("{what} cannot have a condition", what=what))])

    def once(self, said: Said, at: Path, value: Any, what: str) -> None:
        """Set a part of the answer; refuse it if another line has already set it."""
        if said.has(at):
            raise Illegal(what, [Objection(RULE, say("{what} is given twice", what=what))])
        said.put(at, value)

    def plan_once(self, said: Said, section: str, tank: Tank, value: Any) -> None:
        """Set a tank's part of the plan; refuse it if another line has already set it."""
        told = said.plan.setdefault(section, {})
        if tank.id in told:
            raise Illegal(f"{tank.id} {section}", [Objection(RULE, say("this line is given twice"))])
        told[tank.id] = value

    def not_both(self, tank: Tank, card: str, said: Said, *others: str) -> None:
        """T2.4 Refuse a form that both uses and keeps the same card."""
        moving = [used for order in said.get(("orders", tank.id), []) for used in getattr(order, "use", ())]
        named = [said.plan.get(other, {}).get(tank.id, ()) for other in others] + (
            [moving] if "use" in others else []
        )
        if any(card in cards for cards in named):
            raise Illegal(card, [Objection(RULE, say("this line contradicts another one"))])

    def card_of(self, tank: Tank, action: Words) -> str:
        said = part(action, "words")
        assert said is not None
        return card_named(self.data, tank, " ".join(tokens(said, "NAME")))

    def critical_of(self, tank: Tank, action: Words) -> str:
        """T8.3 Return the id of a critical card from its name; if the tank has only one, it need not be named."""
        known = {critical.name: critical.id for critical in self.data.criticals.values()}
        if words := tokens(action, "NAME"):
            return named_in(" ".join(words), known, "critical card")
        if len(held := sorted(set(tank.criticals))) == 1:
            return held[0]
        instead = [f"{tank.id}: repair {card}" for card in held]
        raise Illegal(tank.id, [Objection("T8.3", say("say which critical card to repair"))], instead)


class SealedForm(TankLines[A]):
    """T1.1, T1.2 The sealed form of a phase: orders for each tank, the order of tied tanks, and cards for later."""

    grade = "order"
    nothing: ClassVar[Any] = {}

    def against_order(self, tank: str, orders: Sequence[MoveOrder | ShootOrder]) -> Iterator[Objection]:
        """T1.1, T1.2 The objections to lines for a tank that can never be carried out."""
        for number in never_reached(orders):
            yield Objection(
                "T1.1",
                say("this can never be carried out: an earlier line for {tank} always comes first", tank=tank),
                ("orders", tank, number),
            )

    def on_sequence(self, tanks: list[str], said: Said) -> None:
        """T1.3 Read the order of tanks with equal initiative."""
        if len(set(tanks)) < len(tanks):
            raise Illegal("order of", [Objection("T1.3", say("a tank is named twice"))])
        self.once(said, ("sequence",), tanks, "order of")

    def on_keep(self, tank: Tank, action: Words, when: list[Condition], said: Said) -> None:
        """T2.4 Read an order to keep a card face down."""
        self.unconditional(when, "keeping a card")
        card = self.card_of(tank, action)
        self.not_both(tank, card, said, "use", "lend")
        self.not_twice(tank, card, said, "keep")
        said.plan.setdefault("keep", {}).setdefault(tank.id, []).append(card)

    def not_twice(self, tank: Tank, card: str, said: Said, section: str) -> None:
        """T2.4 Refuse a repeated line about a card, which would change nothing."""
        if card in said.plan.get(section, {}).get(tank.id, ()):
            raise Illegal(card, [Objection(RULE, say("this line is given twice"))])

    def on_use(self, tank: Tank, action: Words, when: list[Condition], said: Said) -> None:
        """T2.4 Read an order to use a card, for the tank itself or for a friend."""
        card, friend = self.card_of(tank, action), part(action, "friend")
        if part(action, "moving") is not None:  # the moves would be lost
            self.verb("moving")
        self.unconditional(when, "using a card")
        if friend is not None:
            raise_if(card, lend_objections(self.data, tank, card))
            helped = self.own_named(tokens(friend, "NAME")[0]).id
            if helped == tank.id:
                raise Illegal(helped, [Objection("T2.2", say("that card helps another tank"))])
            self.not_both(tank, card, said, "keep")
            self.not_twice(tank, card, said, "lend")
            said.plan.setdefault("lend", {}).setdefault(tank.id, {})[card] = helped
        else:
            raise_if(card, idle_objections(self.data, tank, card, PHASES_LEFT[self.kind]))
            if self.kind == "shooting":
                raise_if(card, late_objections(self.data, tank, card))
            self.not_both(tank, card, said, "keep")
            self.not_twice(tank, card, said, "use")
            said.plan.setdefault("use", {}).setdefault(tank.id, []).append(card)

    def pace_objections(self, orders: Any) -> Iterator[Objection]:
        """T1.1, T1.2 Object to orders in advance at the pace `tank`, where each tank gets its orders in its turn."""
        if orders and self.data.scenario.pace == "tank":
            why = say(
                "each tank gets its orders when its turn comes; in advance you can give only cards, first "
                "moves and the order of tanks with equal initiative"
            )
            yield Objection("T1.1", why, ("orders",))

    def write_sequence(self, sequence: Sequence[str]) -> list[str]:
        return [f"order of {', '.join(sequence)}"] if sequence else []

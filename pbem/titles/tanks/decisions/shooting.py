"""T1.2, T7.1 Decisions about targets: the sealed form of the phase, a single shot, a second attack."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, ClassVar, Final

from pbem.engine.play.choice import Choice
from pbem.engine.rules.decision import Said
from pbem.engine.rules.refusals import Illegal, Objection, Path, locate_objections
from pbem.engine.text.forms import FormLine
from pbem.engine.text.grammar import Words, tokens
from pbem.engine.text.messages import Name, say
from pbem.titles.data_files import close_to
from pbem.titles.tanks.bots.prospects import best_targets
from pbem.titles.tanks.cards.crew_and_upgrades import again_objections, reroll_objections, usable
from pbem.titles.tanks.decisions.base import A, SealedForm, TankLines, raise_if
from pbem.titles.tanks.decisions.cards import CardDecision
from pbem.titles.tanks.decisions.movement import BEFORE
from pbem.titles.tanks.ground.geometry import near
from pbem.titles.tanks.ground.sighting import target_objections, targets
from pbem.titles.tanks.ground.terrain import hull
from pbem.titles.tanks.phases.conditions import condition_objections
from pbem.titles.tanks.player.orders import PREFERENCES, Condition, Plan, ShootingForm, ShootOrder, Wish
from pbem.titles.tanks.player.standing_orders import Clause, StandingOrders
from pbem.titles.tanks.player.words import reroll_of, write_second_attack, write_use
from pbem.titles.tanks.state import Tank
from pbem.titles.tanks.telling.happenings import write_targets

CHOICES: Final = 40
"""How many of the possible combinations of a platoon's shots are listed."""


class ShotLines(TankLines[A]):
    """T7.1 The base of the shooting form and of the question about a single shot."""

    def tell(self, tank: Tank, order: ShootOrder, said: Said) -> None:
        raise NotImplementedError

    def on_hold(self, tank: Tank, action: Words, when: list[Condition], said: Said) -> None:
        self.tell(tank, ShootOrder([], when), said)

    def on_shoot(self, tank: Tank, action: Words, when: list[Condition], said: Said) -> None:
        words = tokens(action, "NAME", "PREFERENCE")
        named = [word if word in PREFERENCES else self.enemy(word) for word in words]
        if twice := [name for name in named if named.count(name) > 1]:
            raise Illegal(twice[0], [Objection("T7.1", say("the unit is named twice"))])
        self.tell(tank, ShootOrder(named, when), said)

    def against(self, tank_id: str, targeted: Sequence[str]) -> Iterator[Objection]:
        """T7.1 Every objection to a tank shooting at each of these targets."""
        legal = targets(self.situation, self.view.tanks[tank_id]) if targeted else []
        for target in targeted:
            if target in legal or target in PREFERENCES:
                continue
            if target not in self.view.tanks:
                yield Objection("T7.1", say("no tank has that name"), (target,))
            else:
                shooter, other = self.view.tanks[tank_id], self.view.tanks[target]
                yield from locate_objections((target,), target_objections(self.situation, shooter, other))

    def instead_of(self, tank_id: str, target: str) -> Sequence[str]:
        if target not in self.view.tanks:
            return close_to(target, [enemy.id for enemy in self.view.enemies(self.seat)])
        legal = targets(self.situation, self.view.tanks[tank_id])
        return [f"{tank_id}: shoot {other}" for other in legal] or [f"{tank_id}: hold"]


class Shooting(ShotLines[ShootingForm], SealedForm[ShootingForm], kind="shooting", rule="T1.2"):
    """T1.2 Sealed targets for all tanks of a seat, with orders about dice and repairs."""

    Answer = ShootingForm

    @cached_property
    def legal(self) -> dict[str, list[str]]:
        tanks = self.own if self.data.scenario.pace == "forms" else ()
        return {tank.id: [*targets(self.situation, tank), *PREFERENCES] for tank in tanks}

    def options(self) -> Iterator[ShootingForm]:
        """T1.2 Yield the form without shots, then a sample of possible shots."""
        yield ShootingForm()
        for number in range(CHOICES):
            yield self.sample(Choice("shooting", self.seat, self.view.turn, number))

    def sample(self, choice: Choice) -> ShootingForm:
        return ShootingForm({tank: [ShootOrder([choice.one_of(enemies)])] for tank, enemies in self.legal.items()})

    def objections(self, answer: ShootingForm) -> Iterator[Objection]:
        yield from self.pace_objections(answer.orders)
        for tank, orders in sorted(answer.orders.items()):
            if strangers := self.strangers(tank):
                yield from locate_objections(("orders", tank), strangers)
                continue
            for number, order in enumerate(orders):
                yield from locate_objections(("orders", tank, number), condition_objections(self.view, order.when))
                yield from locate_objections(("orders", tank, number), self.against(tank, order.targets))
                yield from locate_objections(("orders", tank, number), after_preference(order.targets))
            yield from self.against_order(tank, orders)
        for tank in answer.sequence:
            yield from locate_objections(("sequence", tank), self.strangers(tank))

    def name(self, at: Path, answer: ShootingForm) -> str:
        if len(at) == 4:
            return f"{at[1]} shoot {at[3]}" if at[3] in self.view.tanks else str(at[3])
        return str(at[1]) if len(at) > 1 else ", ".join(sorted(answer.orders))

    def instead(self, at: Path, answer: ShootingForm) -> Sequence[str]:
        if len(at) == 4:
            return self.instead_of(str(at[1]), str(at[3]))
        if len(at) == 1:
            return [f"order of {', '.join(tank.id for tank in self.own)}"]
        said = "order of {}" if at[0] == "sequence" else "{}: hold"
        return [said.format(other) for other in self.near_own(str(at[1]))]

    def tell(self, tank: Tank, order: ShootOrder, said: Said) -> None:
        said.add(("orders", tank.id), order)

    def on_reroll(self, tank: Tank, action: Words, when: list[Condition], said: Said) -> None:
        """T7.5 Read an order that says when the tank rerolls its dice."""
        self.unconditional(when, "a reroll")
        raise_if(tank.id, reroll_objections(tank))
        self.plan_once(said, "reroll", tank, reroll_of(action))

    def on_again(self, tank: Tank, action: Words, when: list[Condition], said: Said) -> None:
        """T2.2 Read the targets of a second attack."""
        self.unconditional(when, "a second attack")
        raise_if(tank.id, again_objections(self.data, tank))
        self.plan_once(said, "again", tank, [self.enemy(name) for name in tokens(action, "NAME")])

    def on_repair(self, tank: Tank, action: Words, when: list[Condition], said: Said) -> None:
        """T8.3 Read an order for a repair in the Command Phase."""
        self.unconditional(when, "a repair")
        self.plan_once(said, "repair", tank, self.critical_of(tank, action))

    def form(self) -> Iterator[FormLine]:
        """T1.2 Yield a form that lists each of the seat's tanks with its targets, most promising first."""
        forms = self.data.scenario.pace == "forms"
        yield from self.head("Shooting")
        for tank in self.own:
            yield from self.remark(self.describe_tank(tank))
            best = best_targets(self.situation, tank, "best")
            yield from self.describe_shots(tank, best)
            if forms:
                yield f"{tank.id}: shoot {', '.join(best)}" if best else f"{tank.id}: hold"
        yield from self.remark(
            say("or {order}, which picks the target when its turn comes", order=Name("a1: shoot best"))
            if forms
            else BEFORE
        )

    def sentence(self, answer: ShootingForm) -> Iterator[str]:
        for tank, orders in answer.orders.items():
            for order in orders:
                yield write_targets(tank, order)
        yield from self.write_sequence(answer.sequence)

    def by_clause(self, clause: Clause, orders: StandingOrders) -> Iterator[ShootingForm]:
        """T1.2 Yield a form in which every tank chooses its target by the clause's preference when its turn comes."""
        if clause.shoot:
            tanks = self.own if self.data.scenario.pace == "forms" else ()
            yield ShootingForm({tank.id: [ShootOrder([clause.shoot])] for tank in tanks})


def after_preference(targeted: Sequence[str]) -> Iterator[Objection]:
    """T7.1 The objection to targets listed after a preference: they would never be shot at."""
    found = [number for number, target in enumerate(targeted) if target in PREFERENCES]
    for target in targeted[found[0] + 1 :] if found else ():
        why = say(
            "nothing can follow “{first}”, which finds a target if there is one; name other targets before it",
            first=targeted[found[0]],
        )
        yield Objection("T7.1", why, (target,))


class OneShot(ShotLines[str | None], kind="shoot", rule="T7.1"):
    """T7.1 The choice of one tank's target, or of holding its fire."""

    class About(Wish, frozen=True):
        sealed: str | None = None

    Answer: ClassVar[Any] = str | None
    grade = "order"

    def options(self) -> Iterator[str | None]:
        yield None
        yield from targets(self.situation, self.tank)

    def objections(self, answer: str | None) -> Iterator[Objection]:
        if answer in PREFERENCES:
            yield Objection("T7.1", say("name exactly one target"))
        elif answer is not None:
            yield from self.strangers(self.ask.subject) or self.against(self.ask.subject, [answer])

    def name(self, at: Path, answer: str | None) -> str:
        return f"{self.ask.subject} shoot {answer}"

    def instead(self, at: Path, answer: str | None) -> Sequence[str]:
        if answer in self.view.tanks or answer in PREFERENCES:
            legal = targets(self.situation, self.tank)
            return [f"{self.ask.subject}: shoot {other}" for other in legal] or [f"{self.ask.subject}: hold"]
        return self.instead_of(self.ask.subject, str(answer))

    def tell(self, tank: Tank, order: ShootOrder, said: Said) -> None:
        self.unconditional(order.when, "the order for a single tank")
        if len(order.targets) > 1:
            one = f"{tank.id}: shoot {order.targets[0]}"
            raise Illegal(tank.id, [Objection("T7.1", say("name exactly one target"))], [one])
        self.once(said, (), order.targets[0] if order.targets else None, tank.id)

    def form(self) -> Iterator[FormLine]:
        best = best_targets(self.situation, self.tank, "best")
        yield from self.describe_shots(self.tank, best)
        yield f"{self.tank.id}: shoot {best[0]}" if best else f"{self.tank.id}: hold"

    def sentence(self, answer: str | None) -> Iterator[str]:
        yield f"{self.ask.subject}: shoot {answer}" if answer else f"{self.ask.subject}: hold"

    def by_plan(self, plan: Plan) -> Iterator[tuple[str | None, str]]:
        """T7.1 Yield the target that a sealed preference chooses now."""
        if sealed := self.about.sealed:
            for target in best_targets(self.situation, self.tank, sealed):
                yield target, f"{self.tank.id} shoot {sealed}"

    def by_clause(self, clause: Clause, orders: StandingOrders) -> Iterator[str | None]:
        if clause.shoot and self.about.sealed is None:
            yield from best_targets(self.situation, self.tank, clause.shoot)


class SecondAttack(CardDecision[str | None], kind="again", rule="T2.4"):
    """T2.2 The choice of the target of the second attack that some heroes may make."""

    Answer: ClassVar[Any] = str | None

    @cached_property
    def legal(self) -> list[str]:
        """T2.2 The legal targets: after a hit, another one within an arrow of the first; after a miss, any target."""
        first = self.view.tanks[self.ask.about["target"]]
        if not usable(self.situation, self.tank, "again", self.ask.about):
            return []
        legal = targets(self.situation, self.tank)
        if not self.ask.about["hit"]:
            return legal
        reach, around = self.data.scenario.arrow, hull(self.data, first)
        return [id for id in legal if id != first.id and near(around, hull(self.data, self.view.tanks[id]), reach)]

    @cached_property
    def best(self) -> list[str]:
        """T2.2 The possible targets of a second attack, best first."""
        found = best_targets(self.situation, self.tank, "best") if self.legal else []
        return [target for target in found if target in self.legal]

    def options(self) -> Iterator[str | None]:
        yield None
        yield from self.legal

    def objections(self, answer: str | None) -> Iterator[Objection]:
        if answer is not None and answer not in self.legal:
            yield Objection(
                "T2.2", say("{subject} cannot attack that tank a second time", subject=self.ask.subject), (answer,)
            )

    def instead(self, at: Path, answer: str | None) -> Sequence[str]:
        return [*(f"shoot {target}" for target in self.legal), "none"]

    def in_words(self, words: Words) -> str | None:
        """T2.2 Read a target such as `shoot b2`."""
        if words.data != "shoot_at":
            super().in_words(words)
        return self.enemy(tokens(words, "NAME")[0])

    def in_full(self, answer: str | None) -> Iterator[str]:
        yield f"shoot {answer}"

    def by_plan(self, plan: Plan) -> Iterator[tuple[str | None, str]]:
        subject = self.ask.subject
        if wanted := plan.again.get(subject):
            yield from ((target, write_second_attack(subject, wanted)) for target in wanted)
            yield None, f"{subject}: no other target"
        fitting = usable(self.situation, self.tank, "again", self.ask.about)
        for card in fitting[:1]:
            if card in plan.use.get(subject, []):
                yield from ((target, write_use([subject, card])) for target in self.best)

    def by_clause(self, clause: Clause, orders: StandingOrders) -> Iterator[str | None]:
        if self.care(clause, orders) in ("always", "sparingly"):
            yield from self.best

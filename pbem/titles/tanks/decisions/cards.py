"""T2.4 Decisions about crew and upgrade cards: a choice from the hidden hand. Both seats are asked every time.

T2.4    CardWindow: cards used now (aim, ward, convert, stop, sharpen, cure, mend, hold-out)
T2.4    Initiative: cards that change initiative in a phase
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, Final

from pbem.engine.rules.decision import Said
from pbem.engine.rules.refusals import Objection, Path, Unreadable
from pbem.engine.text.forms import FormLine
from pbem.engine.text.grammar import Words, part, tokens
from pbem.engine.text.messages import say
from pbem.titles.tanks.cards.crew_and_upgrades import usable
from pbem.titles.tanks.cards.criticals import capacity
from pbem.titles.tanks.cards.keywords import BIG_GUN, has
from pbem.titles.tanks.decisions.base import A, TanksDecision
from pbem.titles.tanks.phases.initiative import Phase, initiative_uses
from pbem.titles.tanks.player.orders import RULE, Plan, Wish, loans
from pbem.titles.tanks.player.standing_orders import Care, Clause, StandingOrders
from pbem.titles.tanks.player.words import card_named, followed_clause, named_in, write_keep, write_use
from pbem.titles.tanks.shooting.shots import hits_after


class Choosing(TanksDecision[A]):
    """A small question, answered with the number of a choice, with `none`, or in words."""

    def read(self, words: Words, said: Said) -> None:
        if words.data in ("number", "none"):
            super().read(words, said)
        else:
            said.put((), self.in_words(words))

    def in_words(self, words: Words) -> Any:
        """Return the answer that a line of text gives."""
        legal = [line for option in self.choices() for line in self.sentence(self.decode(option))]
        raise Unreadable(
            " ".join(tokens(words, *WORDS)),
            [Objection(RULE, say("that does not answer this question"))],
            [*legal, "none"],
        )

    def form(self) -> Iterator[FormLine]:
        """Yield the numbered choices as remarks; `none` is the default."""
        about = ", ".join(f"{name} {value}" for name, value in self.ask.about.items())
        yield from self.remark(say("{about}", about=f"{self.kind} {self.ask.subject}: {about}".rstrip(": ")))
        for number, option in enumerate(self.choices(), start=1):
            said = "; ".join(self.in_full(self.decode(option)))
            yield from self.remark(say("{number}: {order}", number=number, order=said))
        yield "none"

    def in_full(self, answer: A) -> Iterator[str]:
        """Yield the lines that give an answer, even if it is the default."""
        yield from ()

    def sentence(self, answer: A) -> Iterator[str]:
        if self.plain(answer) == self.ask.silence:
            yield "none"
        else:
            yield from self.in_full(answer)


WORDS: Final = ("USE", "REROLL", "CANCEL", "KEEP", "SHOOT", "NAME", "NUMBER", "HITS", "CRITICALS")


class CardDecision(Choosing[A]):
    """A decision in which cards may be turned up."""

    under_fire: ClassVar[bool] = False
    """Whether the target of a shot makes this decision: `when fired at: cards always`."""

    def care(self, clause: Clause, orders: StandingOrders) -> Care | None:
        """Return how sparingly cards are used, if this clause says so; otherwise None."""
        care = orders.care_under_fire if self.under_fire else orders.care
        return care if clause.cards == care and (self.under_fire or not clause.fired_at) else None

    @property
    def usual_care(self) -> Care:
        """Return how sparingly the seat's standing orders use cards that the plan does not name."""
        said = (self.care(clause, self.standing) for clause in self.standing.clauses)
        return next((care for care in said if care is not None), "never")


class CardWindow(CardDecision[list[str]]):
    """T2.4 The choice of the cards that a seat uses now."""

    Answer = list[str]
    nothing: ClassVar[Any] = []
    shapes: ClassVar[Mapping[str, str]] = {"": "give the cards as a list"}
    one_is_enough: ClassVar[bool] = False

    @cached_property
    def legal(self) -> list[str]:
        """The cards that can be used in this window."""
        found = usable(self.situation, self.tank, self.kind, self.ask.about)
        return [card for card in found if card not in self.ask.about.get("used", ())]

    def enough(self, cards: list[str]) -> list[str]:
        """Return as many of these cards as can be used at once."""
        return cards[:1] if self.one_is_enough else cards

    def pays(self, card: str) -> bool:
        """Return whether a card that can be used is worth using."""
        return True

    def options(self) -> Iterator[list[str]]:
        """T2.4 Yield the empty list, each single card, and all cards."""
        yield []
        yield from ([card] for card in self.legal)
        if len(self.legal) > 1 and not self.one_is_enough:
            yield self.legal

    def canonical(self, answer: list[str]) -> list[str]:
        return list(dict.fromkeys(answer))

    def objections(self, answer: list[str]) -> Iterator[Objection]:
        for card in answer:
            if card not in self.legal:
                yield Objection("T2.4", say("{subject} cannot use that card now", subject=self.ask.subject), (card,))
        for card in answer[1:] if self.one_is_enough else ():
            yield Objection("T2.2", say("give only one card"), (card,))

    def instead(self, at: Path, answer: list[str]) -> Sequence[str]:
        return [*(f"use {card}" for card in self.legal), "none"]

    def in_words(self, words: Words) -> list[str]:
        """T2.4 Read cards such as `use tungsten, use sandbags`."""
        if words.data != "use_cards":
            super().in_words(words)
        names = {self.data.cards[card].name if card in self.data.cards else card: card for card in self.legal}
        return [
            named_in(" ".join(tokens(name, "NAME")), names, "card that can be used now")
            for name in words.find_data("words")
        ]

    def in_full(self, answer: list[str]) -> Iterator[str]:
        yield ", ".join(f"use {card}" for card in answer)

    def by_plan(self, plan: Plan) -> Iterator[tuple[list[str], str]]:
        """T2.4 Yield an answer that uses and keeps cards as the plan says; standing orders decide the rest."""
        named, kept = plan.use.get(self.ask.subject, []), plan.keep.get(self.ask.subject, [])
        if not named and not kept:
            return
        wished = [card for card in self.legal if card in named]
        others = [card for card in self.usual(self.usual_care) if card not in kept]
        if wished:
            used = self.enough(list(dict.fromkeys([*wished, *others])))
            yield used, followed_clause(*(write_use([self.ask.subject, card]) for card in wished if card in used))
        elif spared := [card for card in self.legal if card in kept]:
            yield self.enough(others), followed_clause(*(write_keep(self.ask.subject, card) for card in spared))

    def by_clause(self, clause: Clause, orders: StandingOrders) -> Iterator[list[str]]:
        if used := self.usual(self.care(clause, orders) or "never"):
            yield self.enough(used)

    def usual(self, care: Care) -> list[str]:
        """Return the cards that standing orders with this care would use."""
        return [card for card in self.legal if care == "always" or (care == "sparingly" and self.pays(card))]


class Aim(CardWindow, kind="aim", rule="T2.4"):
    """T2.4 The choice of the cards that the shooter uses for an attack."""


class Ward(CardWindow, kind="ward", rule="T2.4"):
    """T2.4 The choice of the cards that the target uses against an attack."""

    under_fire = True


class Convert(CardWindow, kind="convert", rule="T2.4"):
    """T2.2 The choice of cards with which the shooter turns hits into criticals or criticals into hits."""

    @cached_property
    def legal(self) -> list[str]:
        """T2.2 The cards that turn hits into criticals, then those that split criticals, including new ones."""
        about = self.ask.about
        made = [use for use in self.fitting(about) if not self.splits(use)]
        more = {**about, "criticals": about["criticals"] + bool(made)}
        return [*made, *(use for use in self.fitting(more) if self.splits(use))]

    def fitting(self, about: Mapping[str, Any]) -> list[str]:
        cards = usable(self.situation, self.tank, "convert", about)
        return [*cards, BIG_GUN] if has(self.data, self.tank, BIG_GUN) and about["hits"] else cards

    def splits(self, use: str) -> bool:
        return use != BIG_GUN and bool(self.data.cards[use].effect.criticals_to_hits)

    def options(self) -> Iterator[list[str]]:
        yield []
        yield from ([use] for use in self.legal if self.enough([use]))
        if len(all_of_them := self.enough(self.legal)) > 1:
            yield all_of_them

    def enough(self, cards: list[str]) -> list[str]:
        """T2.4 Return the cards that change something when used one after the other; the others stay face down."""
        used, left = [], (self.ask.about["hits"], self.ask.about["criticals"])
        for card in sorted(cards, key=self.splits):
            after = hits_after(self.data, card, *left)
            if after != left:
                used.append(card)
                left = after
        return used

    def objections(self, answer: list[str]) -> Iterator[Objection]:
        yield from super().objections(answer)
        known = [card for card in answer if card in self.legal]
        for card in known:
            if card not in self.enough(known):
                yield Objection("T2.2", say("no hit or critical is left for that card"), (card,))

    def pays(self, card: str) -> bool:
        """Return whether a card is worth using: converting a hit is not, if plain hits already finish the target."""
        target = self.view.tanks[self.ask.about["target"]]
        left = capacity(self.data, target) - target.damage
        return self.splits(card) or self.ask.about["hits"] < left


class Sharpen(CardWindow, kind="sharpen", rule="T2.4"):
    """T2.2 The choice of whether the shooter uses a card to draw a second critical card and keep one of the two."""

    def pays(self, card: str) -> bool:
        return bool(self.ask.about["criticals"])


class Stop(Sharpen, kind="stop", rule="T2.4"):
    """T2.2 The choice of whether the target uses a card to stop a critical."""

    under_fire = True


class Cure(CardWindow, kind="cure", rule="T2.4"):
    """T2.2 The choice of whether a card cancels a critical card when it is drawn."""

    one_is_enough = True


class Mend(CardWindow, kind="mend", rule="T2.4"):
    """T8.3 The choice of whether a card is used to reroll a failed repair."""

    one_is_enough = True


class HoldOut(CardWindow, kind="hold-out", rule="T2.4"):
    """T8.1 The choice of whether a card keeps a tank with full damage from being destroyed."""


Use = list[str]
"""T2.4 A tank, its card, and the friend that the card is used for, if any."""


class Initiative(CardDecision[list[Use]], kind="initiative", rule="T2.4"):
    """T2.4 The choice of cards that change initiative in a phase."""

    class About(Wish, frozen=True):
        phase: Phase

    Answer = list[Use]
    nothing: ClassVar[Any] = []
    start = "turning"
    shapes: ClassVar[Mapping[str, str]] = {
        "": "give the cards to turn up as a list",
        "[...]": "that card cannot be used now",
    }

    @cached_property
    def legal(self) -> list[Use]:
        return list(initiative_uses(self.situation, self.seat, self.about.phase))

    def options(self) -> Iterator[list[Use]]:
        yield []
        yield from ([use] for use in self.legal)

    def canonical(self, answer: list[Use]) -> list[Use]:
        uses = {tuple(use[:2]): use for use in answer}
        return [uses[key] for key in sorted(uses)]

    def objections(self, answer: list[Use]) -> Iterator[Objection]:
        for number, use in enumerate(answer):
            if use not in self.legal:
                yield Objection("T2.4", say("that card cannot be used now"), (number,))

    def name(self, at: Path, answer: list[Use]) -> str:
        return " ".join(answer[int(at[0])])

    def instead(self, at: Path, answer: list[Use]) -> Sequence[str]:
        return [*map(write_use, self.legal), "none"]

    def read(self, words: Words, said: Said) -> None:
        """T2.4 Read a line such as `a1 use superb commander` or `a2 use coordinator for a3`, a number, or `none`."""
        if (said.answer is not None and words.data != "turn_up") or said.get((), None) == []:
            raise Unreadable("none", [Objection(RULE, say("name the cards, or answer with `none` or one number"))])
        if words.data != "turn_up":
            super().read(words, said)
            return
        tank, friend = self.own_named(tokens(words, "NAME")[0]), part(words, "friend")
        named = part(words, "words")
        assert named is not None
        use = [tank.id, card_named(self.data, tank, " ".join(tokens(named, "NAME")))]
        use += [self.own_named(tokens(friend, "NAME")[0]).id] if friend is not None else []
        said.put((), [*(said.answer or []), use])

    def in_full(self, answer: list[Use]) -> Iterator[str]:
        yield from map(write_use, answer)

    def by_plan(self, plan: Plan) -> Iterator[tuple[list[Use], str]]:
        """T2.4 Yield an answer that turns up and keeps cards as planned; standing orders decide the rest."""
        if plan.use or plan.keep or plan.lend:
            lent = [list(loan) for loan in loans(plan)]
            others = [] if self.usual_care == "never" else [use for use in self.legal if len(use) == 2]
            named = [
                use for use in self.legal if use in lent or (len(use) == 2 and use[1] in plan.use.get(use[0], []))
            ]
            chosen = {use[0] + use[1]: use for use in (*others, *named) if use[1] not in plan.keep.get(use[0], [])}
            named = [use for use in named if use in chosen.values()]
            spared = [use for use in self.legal if use[1] in plan.keep.get(use[0], [])]
            lines = (*map(write_use, named), *(write_keep(*use[:2]) for use in spared))
            yield list(chosen.values()), followed_clause(*lines) or "cards as usual"

    def by_clause(self, clause: Clause, orders: StandingOrders) -> Iterator[list[Use]]:
        if self.care(clause, orders) in ("always", "sparingly"):
            uses = [use for use in self.legal if len(use) == 2]
            yield from [uses] if uses else []

"""T7 Decisions about dice and hits: rerolling, saving, cancelling, and which critical card to keep."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, Literal

import msgspec

from pbem.engine.rules.refusals import Objection, Path
from pbem.engine.text.grammar import Words, tokens
from pbem.engine.text.messages import say
from pbem.titles.tanks.bots.prospects import successes
from pbem.titles.tanks.cards.crew_and_upgrades import usable
from pbem.titles.tanks.cards.keywords import dice_kept
from pbem.titles.tanks.decisions.base import A
from pbem.titles.tanks.decisions.cards import CardDecision, Choosing
from pbem.titles.tanks.player.orders import ALL, Plan
from pbem.titles.tanks.player.orders import Reroll as Wished
from pbem.titles.tanks.player.standing_orders import Care, Clause, StandingOrders
from pbem.titles.tanks.player.words import followed_clause, named_in, write_keep, write_reroll, write_use
from pbem.titles.tanks.shooting.shots import save_number, usual_cancel

STATIONARY = "stationary"


class Again(msgspec.Struct, frozen=True):
    """T7.5 Attack dice that are rerolled because the tank is stationary or a card allows it."""

    by: str = STATIONARY
    dice: list[int] = []
    keeps: int = 0


class Saved(msgspec.Struct, frozen=True):
    """T2.2 Defence dice that a card lets the target reroll."""

    by: str
    dice: list[int] = []


class RollAgain(CardDecision[A]):
    """A choice of dice to reroll. Dice are numbered by position, from 1: `reroll dice 1, 3 by sandbags`."""

    def in_words(self, words: Words) -> dict[str, Any]:
        if words.data != "dice":
            super().in_words(words)
        said = " ".join(tokens(words, "NAME"))
        names = {**{self.data.cards[card].name: card for card in self.cards}, STATIONARY: STATIONARY}
        by = named_in(said, names, "card that can be used now") if said else STATIONARY
        return {"by": by, "dice": [int(word.partition(".")[0]) - 1 for word in tokens(words, "NUMBER")]}

    @property
    def cards(self) -> list[str]:
        """The cards that can be used in this window."""
        return usable(self.situation, self.tank, self.kind, self.ask.about)

    def in_full(self, answer: Any) -> Iterator[str]:
        by = f" by {answer.by}" if answer.by != STATIONARY else ""
        yield f"reroll dice {', '.join(str(index + 1) for index in answer.dice)}{by}"


class Reroll(RollAgain[Again | None], kind="reroll", rule="T7.5"):
    """T7.5 The shooter rerolls all attack dice or none; T9.6 all but those kept; T2.2 as many as a card allows."""

    class About(msgspec.Struct, frozen=True, kw_only=True):
        target: str = ""
        dice: list[int]
        again: bool
        fours: int

    Answer: ClassVar[Any] = Again | None

    def options(self) -> Iterator[Again | None]:
        yield None
        yield from self.rolls()

    def rolls(self) -> Iterator[Again]:
        """T7.5 The possible rerolls: all dice; T9.6 all but the best ones kept; T2.2 the dice that a card allows."""
        dice = self.about.dice
        everything = list(range(len(dice)))
        if self.tank.stationary and not self.about.again:
            yield Again(dice=everything)
            best = sorted(everything, key=lambda index: (-dice[index], index))
            for keeps in range(1, min(dice_kept(self.data, self.tank), len(dice) - 1) + 1):
                yield Again(dice=sorted(best[keeps:]), keeps=keeps)
        for card in self.cards:
            if self.data.cards[card].effect.reroll_attack_all:
                yield Again(card, everything)
            else:
                yield from (Again(card, [index]) for index in everything)

    def canonical(self, answer: Again | None) -> Again | None:
        if answer is None:
            return None
        dice = sorted(set(answer.dice))
        return Again(answer.by, dice, len(self.about.dice) - len(dice) if answer.by == STATIONARY else 0)

    def objections(self, answer: Again | None) -> Iterator[Objection]:
        if answer is None:
            return
        count = len(self.about.dice)
        if not answer.dice or answer.dice[0] < 0 or answer.dice[-1] >= count:
            yield Objection("T7.5", say("dice are numbered 1 to {count}", count=count))
        elif answer.by == STATIONARY:
            yield from self.against_all(answer)
        elif answer.by not in self.cards:
            yield Objection("T2.4", say("{tank} cannot use {by} now", tank=self.tank.id, by=answer.by))
        else:
            effect = self.data.cards[answer.by].effect
            if effect.reroll_attack_all and len(answer.dice) != count:
                yield Objection("T2.2", say("that card rerolls all dice"))
            elif not effect.reroll_attack_all and len(answer.dice) > effect.reroll_attack:
                yield Objection("T2.2", say("that card rerolls one die"))

    def against_all(self, answer: Again) -> Iterator[Objection]:
        """T7.5, T9.6 Every objection to the reroll that a stationary tank may make."""
        most = dice_kept(self.data, self.tank)
        if not self.tank.stationary:
            yield Objection("T7.5", say("the tank has moved this turn"))
        if self.about.again:
            yield Objection("T7.5", say("the tank has already rerolled"))
        if answer.keeps and not most:
            yield Objection("T7.5", say("reroll all dice or none"))
        elif answer.keeps > most:
            yield Objection("T9.6", say("the tank may keep at most {most} of its dice", most=most))

    def instead(self, at: Path, answer: Again | None) -> Sequence[str]:
        return [*(line for roll in self.rolls() for line in self.in_full(roll)), "none"]

    def by_plan(self, plan: Plan) -> Iterator[tuple[Again | None, str]]:
        """T7.5 Yield the reroll ordered for this tank or for all tanks."""
        subject = self.ask.subject
        wish, kept = plan.reroll.get(subject, plan.reroll.get(ALL)), plan.keep.get(subject, [])
        named = [roll for roll in self.rolls() if roll.by in plan.use.get(subject, []) and self.missed(roll)]
        if wish is not None or kept or named:
            usual = self.usual_rolls() if wish is None else self.rolls_for(wish, self.usual_care)
            rolls = [roll for roll in (*usual, *named) if roll.by not in kept]
            roll = next(iter(rolls), None)
            lines = [write_reroll(subject, wish)] if wish is not None else []
            lines += [write_use([subject, roll.by])] if roll is not None and roll in named else []
            lines += [write_keep(subject, card) for card in kept if card in self.cards]
            yield roll, followed_clause(*lines) or f"{subject}: reroll as usual"

    def usual_rolls(self) -> Iterator[Again]:
        """T7.5 The rerolls that the standing orders choose."""
        for clause in self.standing.clauses:
            for roll in self.by_clause(clause, self.standing):
                if roll is not None:
                    yield roll

    def missed(self, roll: Again) -> bool:
        """T2.2 Whether some of the dice to be rerolled missed."""
        return any(self.about.dice[index] < self.about.fours for index in roll.dice)

    def by_clause(self, clause: Clause, orders: StandingOrders) -> Iterator[Again | None]:
        if clause.reroll is not None:
            yield from self.rolls_for(clause.reroll, orders.care)

    def rolls_for(self, wish: Wished | Literal["average"], care: Care) -> Iterator[Again]:
        """T7.5, T9.6 The rerolls that follow the player's wish, best first."""
        dice, least = self.about.dice, self.about.fours
        struck, rolls = successes(dice, least), list(self.rolls())
        if self.wants(wish, struck):
            steady = [roll for roll in rolls if roll.by == STATIONARY]
            good = [
                roll for roll in steady if all(dice[kept] >= least for kept in dice_not_rerolled(roll, len(dice)))
            ]
            yield from sorted(good, key=lambda roll: -roll.keeps)
        for roll in rolls if care != "never" else ():
            if roll.by != STATIONARY and self.helps(roll, struck):
                yield roll

    def wants(self, wish: Wished | Literal["average"], struck: int) -> bool:
        """T7.5 Whether the player wants a reroll after this number of hits."""
        if isinstance(wish, int):
            return struck < wish
        return wish == "always" or (wish == "average" and struck * 2 < len(self.about.dice))

    def helps(self, roll: Again, struck: int) -> bool:
        """T2.2 Whether a card is worth using: for a die that missed, or for all dice if few hit."""
        if self.data.cards[roll.by].effect.reroll_attack_all:
            return struck * 3 <= len(self.about.dice)
        return bool(self.about.dice[roll.dice[0]] < self.about.fours)


def dice_not_rerolled(roll: Again, count: int) -> list[int]:
    return [index for index in range(count) if index not in roll.dice]


class Save(RollAgain[Saved | None], kind="save", rule="T2.4"):
    """T2.2 The target's choice to reroll defence dice with a card."""

    class About(msgspec.Struct, frozen=True, kw_only=True):
        shooter: str = ""
        dice: list[int]
        threats: int
        used: list[str] = []

    Answer: ClassVar[Any] = Saved | None
    under_fire = True

    def options(self) -> Iterator[Saved | None]:
        yield None
        yield from self.rolls

    @cached_property
    def rolls(self) -> list[Saved]:
        """T2.2 The possible rerolls: for each card, as many dice as it can reroll, lowest first."""
        dice, found = self.about.dice, []
        worst = sorted(range(len(dice)), key=lambda index: (dice[index], index))
        for card in self.cards:
            most = save_number(self.data, self.tank, card, len(dice))
            if card not in self.about.used and most:
                found.append(Saved(card, sorted(worst[:most])))
        return found

    def canonical(self, answer: Saved | None) -> Saved | None:
        return Saved(answer.by, sorted(set(answer.dice))) if answer is not None else None

    def objections(self, answer: Saved | None) -> Iterator[Objection]:
        if answer is None:
            return
        most = {roll.by: len(roll.dice) for roll in self.rolls}
        if answer.by not in most:
            yield Objection("T2.4", say("{subject} cannot use that card now", subject=self.ask.subject), (answer.by,))
            return
        dice, whole = answer.dice, self.data.cards[answer.by].effect.reroll_defence_all
        if not 0 < len(dice) <= most[answer.by] or dice[0] < 0 or dice[-1] >= len(self.about.dice):
            yield Objection("T2.2", say("at most {most} of the dice can be rerolled", most=most[answer.by]))
        elif whole and len(dice) != len(self.about.dice):
            yield Objection("T2.2", say("that card rerolls all dice"))

    def instead(self, at: Path, answer: Saved | None) -> Sequence[str]:
        return [*(line for roll in self.rolls for line in self.in_full(roll)), "none"]

    def by_plan(self, plan: Plan) -> Iterator[tuple[Saved | None, str]]:
        subject = self.ask.subject
        for roll in self.rolls_for("always"):
            if roll.by in plan.use.get(subject, []):
                yield roll, write_use([subject, roll.by])
        if kept := plan.keep.get(subject, []):
            fitting = (roll for roll in self.rolls_for(self.usual_care) if roll.by not in kept)
            spared = [write_keep(subject, card) for card in kept if card in self.cards]
            yield next(fitting, None), followed_clause(*spared) or f"{subject}: cards as usual"

    def by_clause(self, clause: Clause, orders: StandingOrders) -> Iterator[Saved | None]:
        care = self.care(clause, orders)
        if care is not None:
            yield from self.rolls_for(care)

    def rolls_for(self, care: Care) -> Iterator[Saved]:
        """T2.2 Yield rerolls of failed dice, as long as there are more hits than saves."""
        dice = self.about.dice
        if care == "never" or successes(dice, 4) >= self.about.threats:
            return
        for roll in self.rolls:
            failed = [index for index in roll.dice if dice[index] < 4]
            whole = self.data.cards[roll.by].effect.reroll_defence_all
            if whole and (len(failed) * 2 > len(dice) or (care == "always" and failed)):
                yield roll
            elif not whole and failed:
                yield Saved(roll.by, failed)


class Cancelled(msgspec.Struct, frozen=True):
    """T7.10 How many hits and how many criticals are cancelled."""

    criticals: int = 0
    hits: int = 0


class Cancel(Choosing[Cancelled], kind="cancel", rule="T7.10"):
    """T7.10 The hits to cancel: the shooter chooses for each defence die of 4 or 5, the target for each 6."""

    class About(msgspec.Struct, frozen=True, kw_only=True):
        by: str = "shooter"
        cancel: int
        hits: int
        criticals: int

    Answer = Cancelled

    def first(self, what: str) -> Cancelled:
        return Cancelled(**usual_cancel(self.about.cancel, self.about.hits, self.about.criticals, what))

    def options(self) -> Iterator[Cancelled]:
        for hits in range(self.about.hits + 1):
            if 0 <= self.about.cancel - hits <= self.about.criticals:
                yield Cancelled(self.about.cancel - hits, hits)

    def objections(self, answer: Cancelled) -> Iterator[Objection]:
        fits = 0 <= answer.hits <= self.about.hits and 0 <= answer.criticals <= self.about.criticals
        if not fits or answer.hits + answer.criticals != self.about.cancel:
            yield Objection(
                "T7.10", say("cancel exactly {cancel} of the hits and criticals", cancel=self.about.cancel)
            )

    def name(self, at: Path, answer: Cancelled) -> str:
        return "cancel"

    def instead(self, at: Path, answer: Cancelled) -> Sequence[str]:
        return [line for option in self.options() for line in self.sentence(option)]

    def in_words(self, words: Words) -> dict[str, int]:
        """T7.10 Read an answer such as `cancel 1 hit 2 criticals`."""
        if words.data != "cancelling":
            super().in_words(words)
        count = {
            str(part.data): int(tokens(part, "NUMBER")[0].partition(".")[0])
            for part in words.find_pred(lambda tree: tree.data in ("hits", "criticals"))
        }
        return {"hits": count.get("hits", 0), "criticals": count.get("criticals", 0)}

    def in_full(self, answer: Cancelled) -> Iterator[str]:
        yield f"cancel {answer.hits} hits {answer.criticals} criticals"

    def by_clause(self, clause: Clause, orders: StandingOrders) -> Iterator[Cancelled]:
        if first := clause.concede if self.about.by == "shooter" else clause.strike:
            yield self.first(first)


class Pick(CardDecision[str], kind="pick", rule="T2.2"):
    """T2.2 The shooter's choice of which of two critical cards to keep."""

    Answer = str
    shapes: ClassVar[Mapping[str, str]] = {"": "name one of the two cards to keep"}

    def options(self) -> Iterator[str]:
        return iter(self.ask.about["cards"])

    def objections(self, answer: str) -> Iterator[Objection]:
        if answer not in self.ask.about["cards"]:
            yield Objection("T2.2", say("keep one of the two cards"))

    def instead(self, at: Path, answer: str) -> Sequence[str]:
        return [f"keep {card}" for card in self.ask.about["cards"]]

    def in_words(self, words: Words) -> str:
        """T2.2 Read an answer such as `keep busted track`."""
        if words.data != "keep_card":
            super().in_words(words)
        names = {self.data.criticals[card].name: card for card in self.ask.about["cards"]}
        return named_in(" ".join(tokens(words, "NAME")), names, "card that was drawn")

    def in_full(self, answer: str) -> Iterator[str]:
        yield f"keep {answer}"

    def by_clause(self, clause: Clause, orders: StandingOrders) -> Iterator[str]:
        if self.care(clause, orders) is not None:
            yield max(self.ask.about["cards"], key=lambda card: (self.data.criticals[card].damage, card))

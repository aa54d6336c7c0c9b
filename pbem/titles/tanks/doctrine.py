"""Answers given beforehand: what the plan of a turn says about its asks, and what standing orders say.

    T2.4     cards: used always, sparingly or never; a plan names cards to use and to keep
    T7.5     reroll: on less than the average, below a number of hits, always or never
    T5       move: by which tactic; a sealed tactic is worked out when the tank's turn comes
    T7.1     shoot: whom, if the orders say nothing or have become impossible
    T7.10    concede, strike: hits or criticals first
    T8.3     repair: which critical first
    ----     read_clause, check_doctrine, STOCK; planned, instructed

The plan comes first, then the standing orders clause by clause, then the default of the rules. Everything is worked
out from the seat's view.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, Literal

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Objection, Refusal, Refusals, Unreadable
from pbem.engine.rules.title import Reply
from pbem.titles.tanks.crew_and_upgrades import usable
from pbem.titles.tanks.criticals import capacity
from pbem.titles.tanks.data_set import TanksData, nearest
from pbem.titles.tanks.initiative import initiative_uses
from pbem.titles.tanks.keywords import BIG_GUN
from pbem.titles.tanks.plan import (
    ALL,
    PREFERENCES,
    RULE,
    MovementForm,
    MoveOrder,
    Plan,
    Preference,
    Reroll,
    ShootingForm,
    ShootOrder,
    Tactic,
    Wish,
    plain,
    read_as,
)
from pbem.titles.tanks.prospects import best_moves, best_targets, successes
from pbem.titles.tanks.shooting import again_targets, convert_uses, reroll_choices, save_choices, usual_cancel
from pbem.titles.tanks.state import TanksState

STOCK: Final = ("cards: sparingly", "reroll: average", "move: hunt", "shoot: best")
"""The standing orders of a seat that has none of its own."""

HELP: Final = """\
cards: sparingly     or always, never
when fired at: cards always     target
reroll: average     or below 2, never
move: hunt     or hide, rush, stay
shoot: best     or nearest, weakest
concede: hits     or criticals
strike: criticals     or hits
repair: engine-fire bailed-out
"""
"""Standing orders on one screen."""

Care = Literal["always", "sparingly", "never"]
Toll = Literal["hits", "criticals"]
CARD_WINDOWS: Final = ("aim", "ward", "convert", "sharpen", "stop", "cure", "mend", "hold-out")


class Clause(Wish, frozen=True):
    """One standing order; only one of its fields says something."""

    text: str
    cards: Care | None = None
    fired_at: bool = False
    """T2.4 Whether a clause about cards is only for the target of a shot."""
    reroll: Reroll | Literal["average"] | None = None
    move: Tactic | Literal["stay"] | None = None
    shoot: Preference | None = None
    concede: Toll | None = None
    strike: Toll | None = None
    repair: tuple[str, ...] = ()


# --- clauses -------------------------------------------------------------------------------------------------


def check_doctrine(doctrine: Any) -> list[str]:
    """Standing orders in canonical form; a refusal names every clause that cannot be read."""
    if not isinstance(doctrine, list | tuple) or not all(isinstance(clause, str) for clause in doctrine):
        raise Unreadable("doctrine", [Objection(RULE, "standing orders are lines of text")], STOCK)
    refusals: list[Refusal] = []
    checked = []
    for line in doctrine:
        said = line.split("#")[0].strip()
        try:
            checked += [read_clause(said).text] if said else []
        except Refusal as refusal:
            refusals.append(refusal)
    if refusals:
        raise refusals[0] if len(refusals) == 1 else Refusals(refusals)
    return checked


FIRED_AT: Final = re.compile(r"(?:when|if|once) (?:fired|shot)(?: (?:at|on|upon))?[\s:,]*(.*)", re.IGNORECASE)
UNDER_FIRE: Final = ("ward", "save", "stop")
"""T2.4 The windows in which the target of a shot may use cards."""

CLAUSES: Final[Mapping[str, tuple[str, ...]]] = {
    "cards": ("always", "sparingly", "never"),
    "reroll": ("average", "always", "never", "below 2"),
    "move": ("hunt", "hide", "rush", "stay"),
    "shoot": PREFERENCES,
    "concede": ("hits", "criticals"),
    "strike": ("criticals", "hits"),
    "repair": ("engine-fire bailed-out",),
}


@lru_cache(maxsize=1024)
def read_clause(text: str) -> Clause:
    """One standing order and its canonical text."""
    if fired_at := FIRED_AT.fullmatch(text.strip()):
        return fired_at_clause(text, fired_at[1])
    what, _, rest = text.lower().replace(":", " ").partition(" ")
    words = rest.replace(",", " ").split()
    said = " ".join(words)
    if what not in CLAUSES:
        raise Unreadable(text, [Objection(RULE, f"«{what}» is no standing order")], nearest(what, CLAUSES))
    if what == "repair" and words:
        return Clause(text=f"repair: {said}", repair=tuple(words))
    if what == "reroll" and len(words) == 2 and words[0] == "below" and words[1].isdecimal():
        return Clause(text=f"reroll: {said}", reroll=int(words[1]))
    if said not in CLAUSES[what]:
        objection = Objection(RULE, f"«{said}» cannot stand after {what} (position {len(what) + 2})")
        raise Unreadable(text, [objection], [f"{what}: {word}" for word in nearest(said, CLAUSES[what])])
    return Clause(text=f"{what}: {said}", **{what: said})  # type: ignore[arg-type]


def fired_at_clause(text: str, rest: str) -> Clause:
    """T2.4 `when fired at: cards never`: how the target of a shot uses its cards."""
    said = rest.lower().replace(":", " ").split()
    if said[:1] != ["cards"] or " ".join(said[1:]) not in CLAUSES["cards"]:
        objection = Objection(RULE, f"«{rest}» cannot stand after when fired at (position {text.find(rest) + 1})")
        raise Unreadable(text, [objection], [f"when fired at: cards {word}" for word in CLAUSES["cards"]])
    care: Care = said[1]  # type: ignore[assignment]
    return Clause(text=f"when fired at: cards {care}", cards=care, fired_at=True)


# --- what the plan says --------------------------------------------------------------------------------------


def planned(data: TanksData, view: TanksState, ask: Ask, plan: Plan) -> Iterator[Reply]:
    """What the orders of this turn say about an ask, best first; what a sealed one leaves open is worked out now."""
    if "sealed" in ask.about:
        yield from sealed_replies(data, view, ask)
    elif ask.kind == "initiative":
        yield from planned_initiative(data, view, ask, plan)
    elif ask.kind in CARD_WINDOWS:
        legal = window_uses(data, view, ask)
        wished = [card for card in legal if card in plan.use.get(ask.subject, [])]
        if wished:
            others = [card for card in sparing(data, view, ask, legal) if card not in plan.keep.get(ask.subject, [])]
            yield Reply(list(dict.fromkeys([*wished, *others])), f"{ask.subject} use {', '.join(wished)}")
        elif kept := [card for card in legal if card in plan.keep.get(ask.subject, [])]:
            others = [card for card in sparing(data, view, ask, legal) if card not in kept]
            yield Reply(others, f"{ask.subject} keep {', '.join(kept)}")
    elif ask.kind == "reroll":
        yield from planned_reroll(data, view, ask, plan)
    elif ask.kind == "save" and (kept := plan.keep.get(ask.subject, [])):
        choices = [choice for choice in saving(data, view, ask, "sparingly") if choice["by"] not in kept]
        yield Reply(choices[0] if choices else None, f"{ask.subject} keep {', '.join(kept)}")
    elif ask.kind == "again" and ask.subject in plan.again:
        for target in plan.again[ask.subject]:
            yield Reply(target, f"{ask.subject} again {target}")
    elif ask.kind == "command" and plan.repair:
        repairs = {
            tank.id: {"repair": plan.repair[tank.id]}
            for tank in view.of(ask.seat)
            if plan.repair.get(tank.id) in tank.criticals
        }
        yield Reply(repairs, "repairs as ordered")


def sealed_replies(data: TanksData, view: TanksState, ask: Ask) -> Iterator[Reply]:
    """T1.1, T7.1 What a sealed tactic or preference comes to now; without one the sealed order stands as it is."""
    sealed, tank = ask.about["sealed"], view.tanks[ask.subject]
    if ask.kind == "move" and sealed:
        order = read_as(sealed, MoveOrder, "move")
        if order.tactic is not None:
            moves = best_moves(data, view, tank, order.tactic, order.prey)
            yield Reply(plain(MoveOrder(moves=list(moves))), f"{tank.id} {order.tactic} {order.prey}".strip())
    elif ask.kind == "shoot" and sealed:
        yield from (Reply(target, f"{tank.id} shoot {sealed}") for target in best_targets(data, view, tank, sealed))


def planned_initiative(data: TanksData, view: TanksState, ask: Ask, plan: Plan) -> Iterator[Reply]:
    """T2.4 Cards named are turned up, cards to be kept stay down; the rest as stock orders have it."""
    if not (plan.use or plan.keep or plan.lend):
        return
    chosen = {
        use[0] + use[1]: use
        for use in initiative_uses(data, view, ask.seat, ask.about["phase"])
        if use[1] not in plan.keep.get(use[0], []) and (len(use) == 2 or plan.lend.get(use[0]) == use[1:])
    }
    yield Reply(list(chosen.values()), "cards as ordered")


def planned_reroll(data: TanksData, view: TanksState, ask: Ask, plan: Plan) -> Iterator[Reply]:
    """T7.5 As ordered for this tank or for all."""
    wish = plan.reroll.get(ask.subject, plan.reroll.get(ALL))
    kept = plan.keep.get(ask.subject, [])
    if wish is None and not kept:
        return
    choices = rerolling(data, view, ask, "average" if wish is None else wish, "sparingly")
    fitting = [choice for choice in choices if choice["by"] not in kept]
    yield Reply(fitting[0] if fitting else None, f"{ask.subject} reroll {wish if wish is not None else 'as usual'}")


# --- what standing orders say ----------------------------------------------------------------------------------


def instructed(data: TanksData, view: TanksState, ask: Ask, doctrine: Sequence[str]) -> Iterator[Reply]:
    """What the standing orders say about an ask, clause by clause; without any the stock ones hold.

    They do not overrule an order that was sealed.
    """
    if "sealed" in ask.about:
        return
    read = [read_clause(text) for text in doctrine or STOCK]
    clauses = [clause for clause in read if not clause.fired_at or ask.kind in UNDER_FIRE]
    care: Care = next((clause.cards for clause in clauses if clause.cards), "sparingly")
    for clause in clauses:
        for answer in answers_of(data, view, ask, clause, care):
            yield Reply(answer, clause.text)


def answers_of(data: TanksData, view: TanksState, ask: Ask, clause: Clause, care: Care) -> Iterator[Any]:
    """The answers that one clause gives."""
    if clause.cards == care:
        yield from card_answers(data, view, ask, care)
    if clause.reroll is not None and ask.kind == "reroll":
        yield from rerolling(data, view, ask, clause.reroll, care)
    if clause.move is not None and clause.move != "stay":
        yield from move_answers(data, view, ask, clause.move)
    if clause.shoot and ask.kind == "shooting":
        yield shooting_form(data, view, ask.seat, clause.shoot)
    if ask.kind == "cancel" and (first := clause.concede if ask.about["by"] == "shooter" else clause.strike):
        yield usual_cancel(ask.about["cancel"], ask.about["hits"], ask.about["criticals"], first)
    if clause.shoot and ask.kind == "shoot":
        yield from best_targets(data, view, view.tanks[ask.subject], clause.shoot)
    if clause.repair and ask.kind == "command":
        wanted = ((tank.id, card) for tank in view.of(ask.seat) for card in clause.repair if card in tank.criticals)
        yield {tank: {"repair": card} for tank, card in reversed(list(wanted))}


def move_answers(data: TanksData, view: TanksState, ask: Ask, tactic: Tactic) -> Iterator[Any]:
    """T5 Where tanks go without an order."""
    if ask.kind == "movement":
        yield movement_form(data, view, ask.seat, tactic)
    elif ask.kind == "move":
        yield plain(MoveOrder(moves=list(best_moves(data, view, view.tanks[ask.subject], tactic))))


def card_answers(data: TanksData, view: TanksState, ask: Ask, care: Care) -> Iterator[Any]:
    """T2.4 What the care for cards says about a window; nothing where no card is used."""
    if ask.kind in CARD_WINDOWS and care != "never":
        legal = window_uses(data, view, ask)
        if used := legal if care == "always" else sparing(data, view, ask, legal):
            yield used
    elif ask.kind == "initiative" and care != "never":
        uses = [use for use in initiative_uses(data, view, ask.seat, ask.about["phase"]) if len(use) == 2]
        if uses:
            yield uses
    elif ask.kind == "save":
        yield from saving(data, view, ask, care)
    elif ask.kind == "again" and care != "never":
        legal = again_targets(data, view, ask)
        yield from [target for target in best_targets(data, view, view.tanks[ask.subject], "best") if target in legal]
    elif ask.kind == "pick":
        yield max(ask.about["cards"], key=lambda card: (data.criticals[card].damage, card))


def window_uses(data: TanksData, view: TanksState, ask: Ask) -> list[str]:
    if ask.kind == "convert":
        return convert_uses(data, view, ask)
    return usable(data, view, view.tanks[ask.subject], ask.kind, ask.about)


def sparing(data: TanksData, view: TanksState, ask: Ask, legal: Sequence[str]) -> list[str]:
    """T2.4 The cards that are worth using now."""
    return [card for card in legal if pays(data, view, ask, card)]


def pays(data: TanksData, view: TanksState, ask: Ask, card: str) -> bool:
    """Whether a card that could be used should be."""
    about = ask.about
    if ask.kind == "convert":
        target = view.tanks[about["target"]]
        left = capacity(data, target) - target.damage
        splits = card != BIG_GUN and data.cards[card].effect.criticals_to_hits
        return bool(splits) or about["hits"] < left  # a plain hit is enough to finish it
    if ask.kind == "sharpen" or ask.kind == "stop":
        return bool(about["criticals"])
    return True


def rerolling(
    data: TanksData, view: TanksState, ask: Ask, wish: Reroll | Literal["average"], care: Care
) -> Iterator[dict[str, Any]]:
    """T7.5, T9.6 The choices that follow a wish, best first."""
    dice, least = ask.about["dice"], ask.about["fours"]
    struck = successes(dice, least)
    choices = list(reroll_choices(data, view, ask))
    average = struck * 2 < len(dice)
    wanted = {"always": True, "never": False, "average": average}.get(wish, isinstance(wish, int) and struck < wish)  # type: ignore[arg-type]
    if wanted:
        steady = [choice for choice in choices if choice["by"] == "stationary"]
        keeping = [choice for choice in steady if all(dice[kept] >= least for kept in kept_of(choice, dice))]
        yield from sorted(keeping, key=lambda choice: -choice["keeps"])
    if care != "never":
        yield from card_rerolls(data, choices, dice, least, struck)


def kept_of(choice: Mapping[str, Any], dice: Sequence[int]) -> list[int]:
    return [index for index in range(len(dice)) if index not in choice["dice"]]


def card_rerolls(
    data: TanksData, choices: Sequence[dict[str, Any]], dice: Sequence[int], least: int, struck: int
) -> Iterator[dict[str, Any]]:
    """T2.2 A single die that missed; all dice if few hit."""
    for choice in choices:
        if choice["by"] == "stationary":
            continue
        whole = data.cards[choice["by"]].effect.reroll_attack_all
        if (whole and struck * 3 <= len(dice)) or (not whole and dice[choice["dice"][0]] < least):
            yield choice


def saving(data: TanksData, view: TanksState, ask: Ask, care: Care) -> Iterator[dict[str, Any]]:
    """T2.2 Defence dice again, while more threatens than was saved and some die failed."""
    dice, threats = ask.about["dice"], ask.about["threats"]
    if care == "never" or successes(dice, 4) >= threats:
        return
    for choice in save_choices(data, view, ask):
        failed = [index for index in choice["dice"] if dice[index] < 4]
        whole = data.cards[choice["by"]].effect.reroll_defence_all
        if whole and len(failed) * 2 > len(dice):
            yield choice
        elif not whole and failed:
            yield {"by": choice["by"], "dice": failed}


def movement_form(data: TanksData, view: TanksState, seat: str, tactic: Tactic) -> Any:
    """T1.1 Every tank finds its own way when its turn comes."""
    tanks = view.of(seat) if data.scenario.pace == "forms" else ()
    return plain(MovementForm(orders={tank.id: [MoveOrder(tactic=tactic)] for tank in tanks}))


def shooting_form(data: TanksData, view: TanksState, seat: str, preference: Preference) -> Any:
    """T1.2 Everybody shoots as preferred, as things stand when its turn comes."""
    tanks = view.of(seat) if data.scenario.pace == "forms" else ()
    return plain(ShootingForm(orders={tank.id: [ShootOrder([preference])] for tank in tanks}))

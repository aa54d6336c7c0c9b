"""Standing orders: the clauses, their syntax, and the stock orders for seats without any.

    Clause, read_clause, check_doctrine    one standing order, and all of them in canonical form
    StandingOrders, compile_orders         the clauses of a seat, prepared once

Decisions interpret the clauses (`by_clause`); the player chooses their order.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, Literal

import msgspec

from pbem.engine.rules.refusals import Illegal, Objection, Refusal, Unreadable, raise_all
from pbem.engine.text.messages import say
from pbem.titles.data_files import close_to
from pbem.titles.tanks.data_set import Critical
from pbem.titles.tanks.player.orders import PREFERENCES, RULE, Preference, Reroll, Tactic, Wish
from pbem.titles.tanks.player.words import squash

STOCK: Final = ("cards: sparingly", "reroll: average", "move: hunt", "shoot: best")
"""The standing orders of a seat that has none of its own."""


HELP: Final = say(
    """\
cards: sparingly     or always, never
when fired at: cards always     target
reroll: average     or below 2, never
move: hunt     or hide, rush, stay
shoot: best     or nearest, weakest
concede: hits     or criticals
strike: criticals     or hits
repair: engine-fire bailed-out
"""
)
"""Standing orders on one screen."""


Care = Literal["always", "sparingly", "never"]


Toll = Literal["hits", "criticals"]


class Clause(Wish, frozen=True):
    """One standing order; only one of its fields is set."""

    text: str
    cards: Care | None = None
    fired_at: bool = False
    """T2.4 Whether a clause about cards applies only to the target of a shot."""
    reroll: Reroll | Literal["average"] | None = None
    move: Tactic | Literal["stay"] | None = None
    shoot: Preference | None = None
    concede: Toll | None = None
    strike: Toll | None = None
    repair: tuple[str, ...] = ()


def check_doctrine(doctrine: Any, criticals: Mapping[str, Critical]) -> list[str]:
    """Return standing orders in canonical form, or refuse them.

    Every clause is refused that cannot be read, repeats a matter already settled, or names an unknown critical card.
    """
    if not isinstance(doctrine, list | tuple) or not all(isinstance(clause, str) for clause in doctrine):
        raise Unreadable("doctrine", [Objection(RULE, say("standing orders must be lines of text"))], STOCK)
    refusals: list[Refusal] = []
    checked: dict[str, str] = {}
    for said in filter(None, (line.split("#")[0].strip() for line in doctrine)):
        try:
            text = in_canonical_form(read_clause(said), criticals)
            matter = text.partition(":")[0]
            if matter in checked:
                raise Illegal(said, [Objection(RULE, say("{what} is given twice", what=matter))])
            checked[matter] = text
        except Refusal as refusal:
            refusals.append(refusal)
    raise_all(refusals)
    return list(checked.values())


def in_canonical_form(clause: Clause, criticals: Mapping[str, Critical]) -> str:
    """T8.3 Return the text of a clause, with critical cards given by their ids."""
    if not clause.repair:
        return clause.text
    known = {squash(name): card.id for card in criticals.values() for name in (card.id, card.name)}
    found, rest = list[str](), list(clause.repair)
    while rest:
        length = next((many for many in range(len(rest), 0, -1) if squash("".join(rest[:many])) in known), 0)
        if not length:
            why = Objection("T8.3", say("no critical card has that name"))
            raise Unreadable(rest[0], [why], [f"repair: {id}" for id in close_to(rest[0], criticals)])
        found.append(known[squash("".join(rest[:length]))])
        del rest[:length]
    return f"repair: {' '.join(dict.fromkeys(found))}"


FIRED_AT: Final = re.compile(r"(?:when|if|once) (?:fired|shot)(?: (?:at|on|upon))?[\s:,]*(.*)", re.IGNORECASE)


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
    """Read one standing order; return it with its canonical text."""
    if fired_at := FIRED_AT.fullmatch(text.strip()):
        return fired_at_clause(text, fired_at[1])
    what, _, rest = text.lower().replace(":", " ").partition(" ")
    words = rest.replace(",", " ").split()
    said = " ".join(words)
    if what not in CLAUSES:
        raise Unreadable(
            text, [Objection(RULE, say("“{what}” is not a standing order", what=what))], close_to(what, CLAUSES)
        )
    if what == "repair" and words:
        return Clause(text=f"repair: {said}", repair=tuple(words))
    if what == "reroll" and len(words) == 2 and words[0] == "below" and words[1].isdecimal():
        return Clause(text=f"reroll: {said}", reroll=int(words[1]))
    if said not in CLAUSES[what]:
        objection = Objection(
            RULE,
            say("“{said}” cannot follow {what} (position {what2})", said=said, what=what, what2=len(what) + 2),
        )
        raise Unreadable(text, [objection], [f"{what}: {word}" for word in close_to(said, CLAUSES[what])])
    return Clause(text=f"{what}: {said}", **{what: said})  # type: ignore[arg-type]


def fired_at_clause(text: str, rest: str) -> Clause:
    """T2.4 Read a clause such as `when fired at: cards never`, which says how the target of a shot uses its cards."""
    said = rest.lower().replace(":", " ").split()
    if said[:1] != ["cards"] or " ".join(said[1:]) not in CLAUSES["cards"]:
        objection = Objection(
            RULE,
            say("“{rest}” cannot follow `when fired at` (position {find})", rest=rest, find=text.find(rest) + 1),
        )
        raise Unreadable(text, [objection], [f"when fired at: cards {word}" for word in CLAUSES["cards"]])
    care: Care = said[1]  # type: ignore[assignment]
    return Clause(text=f"when fired at: cards {care}", cards=care, fired_at=True)


class StandingOrders(msgspec.Struct, frozen=True):
    """A seat's clauses in order. `care` applies to cards in general, `care_under_fire` to the cards of a target."""

    clauses: tuple[Clause, ...]
    care: Care
    care_under_fire: Care


@lru_cache(maxsize=1024)
def compile_orders(lines: tuple[str, ...]) -> StandingOrders:
    """Prepare standing orders for use; a seat without any uses the stock orders."""
    clauses = tuple(read_clause(text) for text in lines or STOCK)
    return StandingOrders(
        clauses,
        care=next((clause.cards for clause in clauses if clause.cards and not clause.fired_at), "sparingly"),
        care_under_fire=next((clause.cards for clause in clauses if clause.cards), "sparingly"),
    )

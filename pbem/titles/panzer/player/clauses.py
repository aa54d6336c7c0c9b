"""4.4.2 Standing orders: the meaning and notation of clauses.

Clause, shared_clause    one standing order that both games have
check_clauses            all of them, in canonical form
conditions, meant        overwatch conditions in words; units by name
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, Literal

from pbem.engine.rules.refusals import Objection, Refusal, Refusals, Unreadable
from pbem.engine.text.grammar import Words, lines, part, tokens
from pbem.engine.text.messages import say
from pbem.titles.panzer.player.plan import Aspect, Show, Turn, WatchWish, Wish
from pbem.titles.panzer.reading.vocabulary import names_of, squash, watch_wish
from pbem.titles.panzer.state import PanzerState

HELP: Final = say(
    """\
initiative: first     or second
fire: best     or nearest, weakest
overwatch: range <= 8 and hit >= 40
ge5 overwatch: hit >= 60     one unit
overwatch: never
when fired at: stop     or go on
when fired at: show never     or always
show: matters     or always, never
aspect: stronger     or front, rear
move: go on     or stop when hit
"""
)
"""Help on standing orders, on one screen."""


Preference = Literal["best", "nearest", "weakest"]


FIRED_AT: Final = "when fired at:"
"""4.4.3 The prefix of a clause for a unit under fire; it is part of the clause's text: “when fired at: stop”."""


class Clause(Wish, frozen=True):
    """One standing order; only one of its fields is used."""

    text: str
    initiative: Turn | None = None
    fire: Preference | None = None
    overwatch: WatchWish | None = None
    units: tuple[str, ...] = ()
    """4.4.2 The vehicles an overwatch clause applies to; empty for all."""
    show: Show | None = None
    aspect: Aspect | None = None
    stop: bool | None = None
    never_watch: bool = False


def check_clauses(doctrine: Any, read: Callable[[str], Clause], stock: Sequence[str]) -> list[str]:
    """Check standing orders with the reader for one game; `stock` serves as examples in a refusal."""
    if not isinstance(doctrine, list | tuple) or not all(isinstance(clause, str) for clause in doctrine):
        raise Unreadable("doctrine", [Objection("4.4.2", say("standing orders must be lines of text"))], stock)
    refusals: list[Refusal] = []
    checked = []
    for line in lines("\n".join(doctrine)):
        try:
            checked.append(read(line.written).text)
        except Refusal as refusal:
            refusals.append(refusal)
    if refusals:
        raise refusals[0] if len(refusals) == 1 else Refusals(refusals)
    return checked


def shared_clause(words: Words) -> Clause:
    """A standing order common to both games: initiative, fire, overwatch, shown counters, moves."""
    match words.data:
        case "initiative_clause":
            turn: Turn = "first" if tokens(words, "FIRST") else "second"
            return Clause(text=f"initiative: {turn}", initiative=turn)
        case "fire_clause":
            preference = tokens(words, "PREFERENCE")[0]
            return Clause(text=f"fire: {preference}", fire=preference)  # type: ignore[arg-type]
        case "show_clause":
            show = word_of(words, "when")
            return Clause(text=clause_text(words, "show", show), show=show)  # type: ignore[arg-type]
        case "aspect_clause":
            aspect = word_of(words, "side")
            return Clause(text=clause_text(words, "aspect", aspect), aspect=aspect)  # type: ignore[arg-type]
        case "move_clause":
            stop = part(words, "stop") is not None
            if tokens(words, "FIRED_AT"):
                return Clause(text=f"{FIRED_AT} {'stop' if stop else 'go on'}", stop=stop)
            return Clause(text="move: stop when hit" if stop else "move: go on", stop=stop)
        case "never_watch":
            return Clause(text="overwatch: never", never_watch=True)
        case _:
            return watch_clause(words)


def clause_text(words: Words, what: str, word: str) -> str:
    """The canonical text of a clause that may begin with `when fired at`."""
    return f"{FIRED_AT} {what} {word}" if tokens(words, "FIRED_AT") else f"{what}: {word}"


def watch_clause(words: Words) -> Clause:
    """4.4.2 A clause such as `overwatch: range <= 8 and hit >= 40`, for all units or only for named ones."""
    overwatch = part(words, "overwatch")
    assert overwatch is not None
    wish = watch_wish(overwatch, str)
    if wish.pin:
        raise Unreadable(
            "pin",
            [
                Objection(
                    "7.18",
                    say("standing orders cannot ask for pinning fire; order it each turn, e.g. `g1 overwatch pin`"),
                )
            ],
        )
    named = [name for tree in words.children if getattr(tree, "data", "") == "names" for name in tokens(tree, "NAME")]
    return Clause(text=" ".join([*named, f"overwatch: {conditions(wish)}"]), overwatch=wish, units=tuple(named))


def word_of(words: Words, name: str) -> str:
    """The type of the single word in one part of a parse tree, in lower case."""
    found = part(words, name)
    assert found is not None
    return str(found.children[0].type).lower()  # type: ignore[union-attr]


def conditions(wish: WatchWish) -> str:
    """4.4.2 The overwatch conditions in the order language."""
    said = [f"range <= {wish.range}"] if wish.range else []
    said.append(f"hit >= {wish.hit}")
    said += [f"{word} {' '.join(units)}" for word, units in (("only", wish.only), ("not", wish.but_not)) if units]
    said += ["pin"] if wish.pin else []
    return " ".join(said)


def in_order(units: Iterable[str], order: Sequence[str]) -> list[str]:
    """The units in the requested order; those not named come last."""
    return sorted(units, key=lambda unit: order.index(unit) if unit in order else len(order))


def units_meant(view: PanzerState, names: Iterable[str]) -> list[str]:
    """The vehicles that the names in a standing order refer to."""
    wanted = [squash(name) for name in names]
    return [vehicle.id for name in wanted for vehicle in view.vehicles.values() if name in names_of(vehicle)]

"""Answers given beforehand: what the plan of a turn says about its asks, and what standing orders say.

    4.3.1       initiative
    4.4.1       fire: wished shots gathered into groups, one for each target (R-09)
    4.4.2       overwatch: conditions of range, hit number and target
    4.4.3.2.2   show: claim the target-moving modifier always, never, or if it matters (R-05)
    4.4.3.2.4   aspect
    4.5.1       move: unit by unit, to the goal as things stand then; R-17 reroute: whether it stops under fire
    clauses     read_clause, check_doctrine, STOCK

The plan comes first, then the standing orders clause by clause, then the default of the rules. Everything is worked
out from the seat's view. Where the orders of a turn set conditions for overwatch, they alone decide about
overwatch in that turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, Final, Literal

import msgspec

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Objection, Refusal, Refusals, Unreadable
from pbem.engine.rules.title import Reply
from pbem.engine.text.grammar import readable
from pbem.titles.panzer.ap_fire import MOVING
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.direct_fire import Possible, declaration_of, still_obliged
from pbem.titles.panzer.language import Line, Words, lines, names_of, parse, part, squashed, tokens, watch_wish
from pbem.titles.panzer.plan import ALL, Aspect, FireWish, Plan, Show, Turn, WatchWish, Wish
from pbem.titles.panzer.prospects import routes, watch_prospects, worth
from pbem.titles.panzer.state import PanzerState

STOCK: Final = (
    "initiative: first",
    "fire: best",
    "overwatch: hit >= 30",
    "show: matters",
    "aspect: stronger",
    "move: go on",
)
"""The standing orders of a seat that has none of its own."""

HELP: Final = """\
initiative: first     or second
fire: best     or nearest, weakest
overwatch: range <= 8 and hit >= 40
g5 overwatch: hit >= 60     one unit
overwatch: never
when fired at: stop     or go on
when fired at: show never     or always
show: matters     or always, never
aspect: stronger     or front, rear
move: go on     or stop when hit
"""
"""Standing orders on one screen."""


# --- clauses -------------------------------------------------------------------------------------------------

Preference = Literal["best", "nearest", "weakest"]
FIRED_AT: Final = "when fired at:"
"""4.4.3 The beginning of a clause for who is the target, and stays in its text: «when fired at: stop»."""


class Clause(Wish, frozen=True):
    """One standing order; only one of its fields says something."""

    text: str
    initiative: Turn | None = None
    fire: Preference | None = None
    overwatch: WatchWish | None = None
    units: tuple[str, ...] = ()
    """4.4.2 The own vehicles that an overwatch clause is for; none named is all."""
    show: Show | None = None
    aspect: Aspect | None = None
    stop: bool | None = None
    never_watch: bool = False


def check_doctrine(doctrine: Any) -> list[str]:
    """Standing orders in canonical form; a refusal names every clause that cannot be read."""
    return check_clauses(doctrine, read_clause, STOCK)


def check_clauses(doctrine: Any, read: Callable[[str], Clause], stock: Sequence[str]) -> list[str]:
    """Standing orders as one of the games reads them; `stock` shows what they look like."""
    if not isinstance(doctrine, list | tuple) or not all(isinstance(clause, str) for clause in doctrine):
        raise Unreadable("doctrine", [Objection("4.4.2", "standing orders are lines of text")], stock)
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


@lru_cache(maxsize=1024)
def read_clause(text: str) -> Clause:
    """One standing order and its canonical text."""
    words = parse(Line(1, text, readable(text)), "clause")
    match words.data:
        case "initiative_clause":
            turn: Turn = "first" if tokens(words, "FIRST") else "second"
            return Clause(text=f"initiative: {turn}", initiative=turn)
        case "fire_clause":
            preference = tokens(words, "PREFERENCE")[0]
            return Clause(text=f"fire: {preference}", fire=preference)  # type: ignore[arg-type]
        case "show_clause":
            show = word_of(words, "when")
            return Clause(text=worded(words, "show", show), show=show)  # type: ignore[arg-type]
        case "aspect_clause":
            aspect = word_of(words, "side")
            return Clause(text=worded(words, "aspect", aspect), aspect=aspect)  # type: ignore[arg-type]
        case "move_clause":
            stop = part(words, "stop") is not None
            if tokens(words, "FIRED_AT"):
                return Clause(text=f"{FIRED_AT} {'stop' if stop else 'go on'}", stop=stop)
            return Clause(text="move: stop when hit" if stop else "move: go on", stop=stop)
        case "never_watch":
            return Clause(text="overwatch: never", never_watch=True)
        case _:
            return watch_clause(words)


def worded(words: Words, what: str, word: str) -> str:
    """The canonical text of a clause that may begin with `when fired at`."""
    return f"{FIRED_AT} {what} {word}" if tokens(words, "FIRED_AT") else f"{what}: {word}"


def watch_clause(words: Words) -> Clause:
    """4.4.2 `overwatch: range <= 8 and hit >= 40`, or the same for some units only."""
    overwatch = part(words, "overwatch")
    assert overwatch is not None
    wish = watch_wish(overwatch, str)
    named = [name for tree in words.children if getattr(tree, "data", "") == "names" for name in tokens(tree, "NAME")]
    return Clause(text=" ".join([*named, f"overwatch: {conditions(wish)}"]), overwatch=wish, units=tuple(named))


def word_of(words: Words, name: str) -> str:
    """The kind of the single word in a part of a tree, as a word."""
    found = part(words, name)
    assert found is not None
    return str(found.children[0].type).lower()  # type: ignore[union-attr]


def conditions(wish: WatchWish) -> str:
    """4.4.2 The conditions of overwatch as they are written."""
    said = [f"range <= {wish.range}"] if wish.range else []
    said.append(f"hit >= {wish.hit}")
    said += [f"{word} {' '.join(units)}" for word, units in (("only", wish.only), ("not", wish.but_not)) if units]
    return " ".join(said)


# --- what the plan says --------------------------------------------------------------------------------------


def planned(data: PanzerData, view: PanzerState, ask: Ask, plan: Plan) -> Iterator[Reply]:
    """What the orders of this turn say about an ask, best first."""
    match ask.kind:
        case "initiative" if plan.initiative:
            yield Reply(plan.initiative, f"initiative {plan.initiative}")
        case "fire":
            yield from planned_fire(data, view, ask, plan)
        case "overwatch" if plan.overwatch:
            yield from planned_overwatch(data, view, ask, plan)
        case "show":
            if show := plan.show.get(ask.subject) or plan.show.get(ALL):
                yield Reply(claims(view, ask, show), f"show {ask.subject} {show}")
        case "aspect":
            if aspect := plan.aspect.get(ask.subject) or plan.aspect.get(ALL):
                yield Reply(chosen_aspect(ask, aspect), f"aspect {ask.subject} {aspect}")
        case "move" if plan.move:
            yield from planned_move(data, view, ask, plan)
        case "reroute":
            wish = plan.move.get(ask.subject)
            if wish is not None and wish.stop:
                yield Reply({"steps": []}, f"{ask.subject} stop when hit")


def planned_fire(data: PanzerData, view: PanzerState, ask: Ask, plan: Plan) -> Iterator[Reply]:
    """4.4.1 The first unit in order whose wish can be fulfilled, with all others that wish for the same target.

    Units without a wish join if that target is their best: it cannot be fired at again in this step (R-09).
    """
    obliged = still_obliged(data, view, ask.seat, ask.about.get("engaged", ()))
    wished = {
        unit: shot
        for unit in in_order(obliged, plan.order.fire)
        if unit in plan.fire and (shot := wished_shot(obliged[unit], plan.fire[unit])) is not None
    }
    for unit, shot in wished.items():
        members = [other for other in wished.values() if other.target == shot.target]
        others = [shots[0] for other, shots in obliged.items() if other not in wished]
        members += [other for other in others if other.target == shot.target]
        yield Reply(declaration_of(shot.target, members), f"{unit} fire {' '.join(plan.fire[unit].targets)}")


def wished_shot(shots: list[Possible], wish: FireWish) -> Possible | None:
    """4.4.1 The first target in order of preference that can be fired at, with the weapon named or the best."""
    fitting = [shot for shot in shots if wish.weapon in (None, shot.weapon)]
    by_preference = [shot for target in wish.targets for shot in fitting if shot.target == target]
    return next(iter(by_preference if wish.targets else fitting), None)


def in_order(units: Iterable[str], order: Sequence[str]) -> list[str]:
    """The units in the order wished; those not named come last."""
    return sorted(units, key=lambda unit: order.index(unit) if unit in order else len(order))


def planned_overwatch(data: PanzerData, view: PanzerState, ask: Ask, plan: Plan) -> Iterator[Reply]:
    """4.4.2 Whoever's conditions hold fires; nobody else does, whatever the standing orders say."""
    shots = [
        shot
        for unit, legal in watch_prospects(data, view, ask).items()
        for shot in fitting_shots(legal, plan.overwatch.get(unit, WatchWish()))
    ]
    yield from groups(shots, "overwatch as ordered")
    yield Reply(None, "the conditions ordered for overwatch do not hold")


def fitting_shots(shots: Iterable[Possible], wish: WatchWish) -> list[Possible]:
    """4.4.2 The shots that meet the conditions."""
    return [
        shot
        for shot in shots
        if (not wish.range or shot.distance <= wish.range)
        and shot.hit_number >= wish.hit
        and (not wish.only or shot.target in wish.only)
        and shot.target not in wish.but_not
    ]


def groups(shots: list[Possible], clause: str) -> Iterator[Reply]:
    """4.4.1 Declarations, one for each target, the target of the best shot first."""
    best = sorted(shots, key=lambda shot: shot.preference)
    for target in dict.fromkeys(shot.target for shot in best):
        yield Reply(declaration_of(target, [shot for shot in best if shot.target == target]), clause)


def claims(view: PanzerState, ask: Ask, show: Show) -> bool:
    """4.4.3.2.2 Whether to show the counter; it matters if a hit number falls (R-05)."""
    if view.vehicles[ask.subject].command not in MOVING:
        return False
    return show == "always" or (show == "matters" and any(then < now for now, then in ask.about["hit_numbers"]))


def chosen_aspect(ask: Ask, aspect: Aspect) -> str:
    """4.4.3.2.4 Front, rear, or whichever is stronger (R-05)."""
    return str(ask.default) if aspect == "stronger" else aspect


def planned_move(data: PanzerData, view: PanzerState, ask: Ask, plan: Plan) -> Iterator[Reply]:
    """4.5.1 The next unit in order, as near to what was wished as it can come now; then nobody else moves."""
    for unit in in_order(plan.move, plan.order.move):
        for route in routes(data, view, unit, plan.move[unit]):
            yield Reply(route, f"{unit} move")
    yield Reply(None, "all moves as ordered")


# --- what standing orders say ----------------------------------------------------------------------------------


def instructed(data: PanzerData, view: PanzerState, ask: Ask, doctrine: Sequence[str]) -> Iterator[Reply]:
    """What the standing orders say about an ask, clause by clause; without any the stock ones hold."""
    for text in doctrine or STOCK:
        clause = read_clause(text)
        for answer in answers_of(data, view, ask, clause):
            yield Reply(answer, clause.text)


def answers_of(data: PanzerData, view: PanzerState, ask: Ask, clause: Clause) -> Iterator[Any]:
    """The answers that one clause gives."""
    match ask.kind:
        case "initiative" if clause.initiative:
            yield clause.initiative
        case "fire" if clause.fire:
            yield from preferred_fire(data, view, ask, clause.fire)
        case "overwatch" if clause.never_watch:
            yield None
        case "overwatch" if clause.overwatch:
            yield from watched(data, view, ask, clause, clause.overwatch)
        case "show" if clause.show:
            yield claims(view, ask, clause.show)
        case "aspect" if clause.aspect:
            yield chosen_aspect(ask, clause.aspect)
        case "reroute" if clause.stop:
            yield {"steps": []}


def watched(data: PanzerData, view: PanzerState, ask: Ask, clause: Clause, wish: WatchWish) -> Iterator[Any]:
    """4.4.2 The fire that an overwatch clause calls for; names in it may be ids or names of vehicles."""
    units = meant(view, clause.units)
    shots = [
        shot for unit, own in watch_prospects(data, view, ask).items() if not units or unit in units for shot in own
    ]
    named = msgspec.structs.replace(wish, only=meant(view, wish.only), but_not=meant(view, wish.but_not))
    if len(units) == len(clause.units) and len(named.only) == len(wish.only):
        yield from (reply.answer for reply in groups(fitting_shots(shots, named), clause.text))


def meant(view: PanzerState, names: Iterable[str]) -> list[str]:
    """The vehicles that names in a standing order stand for."""
    wanted = [squashed(name) for name in names]
    return [vehicle.id for name in wanted for vehicle in view.vehicles.values() if name in names_of(vehicle)]


def preferred_fire(data: PanzerData, view: PanzerState, ask: Ask, preference: Preference) -> Iterator[Any]:
    """4.4.1 Everybody still obliged fires as preferred: the most promising shot, the nearest enemy, the weakest."""
    obliged = still_obliged(data, view, ask.seat, ask.about.get("engaged", ()))
    chosen = [min(shots, key=lambda shot: rank(data, view, shot, preference)) for shots in obliged.values()]
    yield from (reply.answer for reply in groups(chosen, preference))


def rank(data: PanzerData, view: PanzerState, shot: Possible, preference: Preference) -> tuple[Any, ...]:
    """What is preferred comes first."""
    if preference == "nearest":
        return shot.distance, *shot.preference
    if preference == "weakest":
        target = view.vehicles[shot.target]
        return not target.damaged, data.cards[target.card].front, *shot.preference
    return -worth(data, view, shot), *shot.preference

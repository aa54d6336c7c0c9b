"""Orders as the lines that a player would write."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from pbem.titles.aslsk.movement.eligibility import OFF_MAP
from pbem.titles.aslsk.orders import Branch, Clause, CombatOrder, FireOrder, Leg, MoveOrder, Orders, RoutOrder

SHELL_WORDS = {"area": "area", "smoke": "smoke", "WP": "wp", "AP": "ap", "H": "heat"}
WIDTH = 48
"""A phone shows so many characters of a line."""


def remarks(text: str) -> Iterator[str]:
    """A remark in lines that a phone shows."""
    return (f"# {line}" for line in wrap(text, WIDTH))


def order_lines(orders: Orders, kind: str) -> Iterator[str]:
    """Every line of some orders, for the exchange in which they are sent."""
    yield from rally_lines(orders)
    for order in orders.prep:
        yield fire_line(order)
    for move in orders.moves:
        yield move_line(move)
    yield from (clause.text or clause_line(clause) for clause in orders.plan)
    for order in orders.final:
        yield ("later " if kind == "defence" else "") + fire_line(order)
    for order in orders.advancing:
        yield ("later " if kind == "orders" else "") + fire_line(order)
    for rout in orders.routs:
        yield rout_line(rout)
    for advance in orders.advances:
        only = f" if {advance.only}" if advance.only else ""
        yield f"{' '.join(advance.units)} advance {advance.to}{only}"
    for combat in orders.combats:
        yield from combat_lines(combat)


def combat_lines(combat: CombatOrder) -> Iterator[str]:
    """The attacks in one hex."""
    if not combat.attacks:
        yield f"combat {combat.hex} none"
    for attack in combat.attacks:
        yield f"combat {combat.hex} {' '.join(attack.units)} against {' '.join(attack.targets)}"


def rally_lines(orders: Orders) -> Iterator[str]:
    rally = orders.rally
    for attempt in rally.recover:
        yield f"{attempt.unit} recover {attempt.other}"
    yield from (f"no repair {id}" for id in rally.no_repair)
    for attempt in rally.transfer:
        yield f"give {attempt.other} to {attempt.unit}"
    if rally.extra:
        yield f"self rally {rally.extra}"
    for attempt in rally.rally:
        yield f"rally {attempt.unit}{f' by {attempt.other}' if attempt.other else ''}"
    yield from (f"no rally {id}" for id in rally.no_rally)
    yield from (f"keep dm {id}" for id in rally.keep_dm)
    yield from (f"drop dm {id}" for id in rally.shed_dm)


def fire_line(order: FireOrder) -> str:
    if order.face:
        return f"{order.components[0]} face {order.face}"
    leaders = f" with {' '.join(order.leaders)}" if order.leaders else ""
    flags = (" if unbroken" if order.unbroken else "") + (" once" if order.once else "")
    flags += f" {SHELL_WORDS[order.how]}" if order.how else ""
    flags += " intensive" if order.intensive else ""
    return f"{' '.join(order.components)} fire at {' or '.join(order.at)}{leaders}{flags}"


def leg_words(legs: tuple[Leg, ...]) -> str:
    """Hexes stand together, everything else between commas."""
    parts: list[str] = []
    path: list[str] = []
    for leg in legs:
        if leg.do == "enter":
            path.append("off" if leg.hex == OFF_MAP else f"{'cover ' if leg.cover else ''}{leg.hex}")
            continue
        if path:
            parts.append(" ".join(path))
            path = []
        if leg.do == "smoke":
            parts.append(f"smoke {leg.hex}{f' by {chr(32).join(leg.by)}' if leg.by else ''}")
        elif leg.do == "push":
            parts.append(f"push {leg.weapon} to {leg.hex}")
        elif leg.do == "place":
            parts.append(f"place {leg.weapon} in {leg.hex}")
        else:
            parts.append(f"{leg.do} {leg.weapon}")
    return ", ".join([*parts, *([" ".join(path)] if path else [])])


def branch_words(branch: Branch) -> str:
    condition = {
        "lost": "leader lost",
        "residual": f"residual {branch.hex}{f' {branch.number}' if branch.number else ''}",
        "no_smoke": f"no smoke {branch.hex}",
        "enemy_within": f"enemy within {branch.number}",
    }.get(branch.when, f"{branch.unit} {branch.when}".strip())
    then = f"via {leg_words(branch.path)}" if branch.then == "via" else branch.then
    return f"if {condition} {then}"


def move_line(order: MoveOrder) -> str:
    gait = ("double " if order.double else "") + ("assault " if order.assault else "")
    parts = [f"{' '.join(order.units)} move {gait}{leg_words(order.legs)}", *map(branch_words, order.branches)]
    if order.after is not None:
        place = f" in {order.after.hex}" if order.after.hex else ""
        parts.append(f"after {order.after.unit}{place}{' unhurt' if order.after.unhurt else ''}")
    return "; ".join(parts)


def rout_line(order: RoutOrder) -> str:
    leader = f" with {order.leader}" if order.leader else ""
    if not order.path:
        return f"{order.unit} stay"
    return f"{order.unit} {'crawl' if order.crawl else 'rout'} {' '.join(order.path)}{leader}"


def clause_line(clause: Clause) -> str:
    """A clause that no line was written for."""
    units = " ".join(clause.units) or "all"
    if clause.do == "fire":
        flags = [" or ".join(clause.hexes)] if clause.hexes else []
        flags += [f"within {clause.within}"] if clause.within else []
        flags += [f"column {clause.column}"] if clause.column else []
        flags += [f"drm {clause.drm}"] if clause.drm is not None else []
        flags += [f"squads {clause.squads}"] if clause.squads else []
        flags += [f"with {' '.join(clause.leaders)}"] if clause.leaders else []
        flags += ["leaders"] if clause.leader else []
        flags += ["if seen"] if clause.seen else []
        flags += ["intensive"] if clause.intensive else []
        return " ".join([units, "watch", *flags])
    if clause.do == "hold":
        return f"hold {units} until {clause.within}"
    if clause.do == "keep":
        return f"keep {clause.number} of {units}{f' until {clause.within}' if clause.within else ''}"
    if clause.do in ("rout", "cc"):
        return f"{'rout' if clause.do == 'rout' else 'combat'} {clause.how}"
    if clause.do == "extra":
        return f"self rally {units}"
    return f"{clause.do} {units}{f' column {clause.column}' if clause.column else ''}"

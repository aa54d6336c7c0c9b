"""Orders in words: the lines that a player would write."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from pbem.engine.text.forms import FormLine, comment
from pbem.engine.text.messages import Message
from pbem.titles.aslsk.ground.lattice import parse
from pbem.titles.aslsk.movement.eligibility import OFF_MAP
from pbem.titles.aslsk.orders import (
    Attempt,
    Branch,
    Clause,
    CombatOrder,
    FireOrder,
    Leg,
    MoveOrder,
    Orders,
    RoutOrder,
)

SHELL_WORDS = {
    "area": "area", "smoke": "smoke", "WP": "wp", "AP": "ap", "HE": "he", "H": "heat", "A": "apcr", "D": "apds",
    "pf": "pf",
}  # fmt: skip
HEX = re.compile(r"([a-z]*)([A-Z]+)(\d+)")
"""A hex name: the letter of the board, the column and the row."""
WIDTH = 48
"""The number of characters per line that fit on a phone."""


def remarks(said: str | Message) -> list[FormLine]:
    """Return comment lines for a form; a message is put into words when the form is sent."""
    return [said] if isinstance(said, Message) else [*comment(said, WIDTH)]


def area_words(hexes: Iterable[str]) -> str:
    """Hexes in short form: blocks of whole columns as in scenario files (aM1..aCC9), other hexes one by one."""
    columns: dict[tuple[str, str], list[int]] = {}
    for hex in hexes:
        found = HEX.fullmatch(hex)
        assert found is not None
        columns.setdefault((found[1], found[2]), []).append(int(found[3]))
    blocks, last = list[tuple[str, list[str], list[int]]](), -1
    for (board, letters), rows in sorted(columns.items(), key=lambda one: (one[0][0], len(one[0][1]), one[0][1])):
        rows.sort()
        if blocks and blocks[-1][0] == board and blocks[-1][2] == rows and parse(letters + "1").q == last + 1:
            blocks[-1][1].append(letters)
        else:
            blocks.append((board, [letters], rows))
        last = parse(letters + "1").q
    return " ".join(block_words(*block) for block in blocks)


def block_words(board: str, letters: Sequence[str], rows: Sequence[int]) -> str:
    """A block of columns with the same rows, in short form."""
    if len(rows) > 1 and rows[-1] - rows[0] == len(rows) - 1:
        return f"{board}{letters[0]}{rows[0]}..{board}{letters[-1]}{rows[-1]}"
    return " ".join(f"{board}{letter}{row}" for letter in letters for row in rows)


def order_lines(orders: Orders, kind: str) -> Iterator[str]:
    """All lines of some orders, worded for the exchange in which they are sent."""
    yield from rally_lines(orders)
    for order in orders.prep:
        yield fire_line(order)
    for move in orders.moves:
        yield move_line(move)
    yield from (clause.text or clause_line(clause) for clause in orders.plan)
    for order in orders.final:
        yield ("later " if kind == "defence" and order.at + order.against else "") + fire_line(order)
    for order in orders.advancing:
        yield ("later " if kind == "orders" and order.at + order.against else "") + fire_line(order)
    for rout in orders.routs:
        yield rout_line(rout)
    for advance in orders.advances:
        only = f" if {advance.only}" if advance.only else ""
        yield f"{' '.join(advance.units)} advance {advance.to}{only}"
    for hatch in orders.hatches:
        yield f"{hatch.unit} {'open' if hatch.open else 'close'}"
    for gift in orders.gifts:
        yield f"give {gift.other} to {gift.unit}" if gift.unit else f"drop {gift.other}"
    yield from (f"no interdiction {id}" for id in orders.spared)
    yield from map(stack_line, orders.stacks)
    for combat in orders.combats:
        yield from combat_lines(combat)


def stack_line(order: Attempt) -> str:
    return f"stack {order.unit} with {order.other}" if order.other else f"stack {order.unit} alone"


def combat_lines(combat: CombatOrder) -> Iterator[str]:
    """The lines for the attacks in one hex."""
    if not combat.attacks:
        yield f"combat {combat.hex} none"
    for attack in combat.attacks:
        end = "sn" if attack.how == "sn" else f"against {' '.join(attack.targets)}"
        yield f"combat {combat.hex} {' '.join(attack.units)} {end}"


def rally_lines(orders: Orders) -> Iterator[str]:
    rally = orders.rally
    for attempt in rally.recover:
        yield f"{attempt.unit} recover {attempt.other}"
    yield from (f"repair {id}" for id in rally.repair)
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
    if order.destroy:
        return f"destroy {order.components[0]}"
    if order.detonate:
        return f"detonate {order.components[0]}"
    leaders = f" with {' '.join(order.leaders)}" if order.leaders else ""
    flags = (" if unbroken" if order.unbroken else "") + (" once" if order.once else "")
    flags += f" {SHELL_WORDS[order.how]}" if order.how else ""
    flags += " intensive" if order.intensive else ""
    flags += (" anyway" if order.anyway else "") + (" backblast" if order.blast else "")
    flags += " no acquisition" if order.unmarked else ""
    goal = f"against {' or '.join(order.against)}" if order.against else f"at {' or '.join(order.at)}"
    return f"{' '.join(order.components)} fire {goal}{leaders}{flags}"


def leg_words(legs: tuple[Leg, ...]) -> str:
    """The legs as text: consecutive hexes are separated by spaces, everything else by commas."""
    parts: list[str] = []
    path: list[str] = []
    for leg in legs:
        if leg.do == "enter":
            path.append("off" if leg.hex == OFF_MAP else hop_words(leg))
            continue
        if path:
            parts.append(" ".join(path))
            path = []
        if leg.do == "smoke":
            parts.append(f"smoke {leg.hex}{f' by {chr(32).join(leg.by)}' if leg.by else ''}")
        elif leg.do == "push":
            parts.append(f"push {leg.weapon} to {leg.hex}{f' face {leg.number}' if leg.number >= 0 else ''}")
        elif leg.do == "place":
            parts.append(f"place {leg.weapon} in {leg.hex}{f' on {leg.target}' if leg.target else ''}")
        elif leg.do not in ("recover", "drop"):
            parts.append(vehicle_words(leg))
        else:
            parts.append(f"{leg.do} {leg.weapon}")
    return ", ".join([*parts, *([" ".join(path)] if path else [])])


def hop_words(leg: Leg) -> str:
    """One hex of a path in words, including the way in which it is entered."""
    manner = ("cover " if leg.cover else "") + ("whole " if leg.whole else "")
    return f"{manner}{leg.hex}{f' for {leg.extra // 2}' if leg.extra else ''}"


def vehicle_words(leg: Leg) -> str:
    """3.3.2 The text of a leg that only vehicles have."""
    if leg.do == "delay":
        return f"wait {leg.number}"
    if leg.do in ("turn", "turret"):
        return f"{leg.do} {leg.number}"
    if leg.do == "device":
        return f"device {leg.hex}".strip()
    if leg.do == "fire":
        goal = f"against {leg.target}" if leg.target else f"at {leg.hex}"
        return f"fire {' '.join(leg.by)} {goal}{f' {SHELL_WORDS[leg.how]}' if leg.how else ''}"
    return leg.do


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
    """The order line that expresses a clause for which the player wrote none."""
    units = " ".join(clause.units) or "all"
    if clause.do == "fire":
        flags = [" or ".join(clause.hexes)] if clause.hexes else []
        flags += [f"within {clause.within}"] if clause.within else []
        flags += [f"column {clause.column}"] if clause.column else []
        flags += [f"drm {clause.drm}"] if clause.drm is not None else []
        flags += [f"squads {clause.squads}"] if clause.squads else []
        flags += [f"with {' '.join(clause.leaders)}"] if clause.leaders else []
        flags += ["leaders"] if clause.leader else []
        flags += (["if seen"] if clause.seen else []) + (["if clear"] if clause.clear else [])
        flags += ["intensive"] if clause.intensive else []
        flags += [f"chance {clause.chance}"] if clause.chance else []
        flags += [f"hit {clause.hit}"] if clause.hit else []
        flags += [f"kill {clause.kill}"] if clause.kill else []
        for word in ("vehicles", "infantry", "pf"):
            flags += [word] if getattr(clause, word) else []
        flags += (["once"] if clause.once else []) + (["no acquisition"] if clause.unmarked else [])
        flags += [SHELL_WORDS[clause.how]] if clause.how else []
        return " ".join([units, "watch", *flags])
    if clause.do == "hold":
        return f"hold {units} until {clause.within}"
    if clause.do == "keep":
        return f"keep {clause.number} of {units}{f' until {clause.within}' if clause.within else ''}"
    if clause.do in ("motion", "device", "reaction"):
        turned = f" face {clause.facing}" if clause.facing >= 0 else ""
        return f"{clause.do} {units}{f' within {clause.within}' if clause.within else ''}{turned}"
    if clause.do in ("rout", "cc"):
        return f"{'rout' if clause.do == 'rout' else 'combat'} {clause.how}"
    if clause.do == "extra":
        return f"self rally {units}"
    return f"{clause.do} {units}{f' column {clause.column}' if clause.column else ''}"

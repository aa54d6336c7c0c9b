"""C8.1 The map of a campaign: the tree of its battles, or its provinces, as a viewer may see it."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from math import isqrt
from textwrap import wrap

from pbem.campaigns.rules.book import Book
from pbem.campaigns.rules.file import END
from pbem.campaigns.rules.state import CampaignState
from pbem.engine.text.messages import Message, say, several

WIDTH, BOX, SPAN = 720, (340, 64), (170, 66)
"""The sizes of the picture, a battle in a tree and a province, in units shown at about half size on a phone."""
FONT = 22
COLOURS = ("#5b6f80", "#9c4a3c", "#d8d2c4")


def picture(book: Book, view: CampaignState) -> str:
    """The campaign as SVG."""
    body, height = provinces(book, view) if book.campaign.shape == "map" else tree(book, view)
    body, height = [*body, *legend(book, height)], height + 44
    size = f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" '
    name = f'aria-label="Map of {escape(book.campaign.name)}" font-family="sans-serif" font-size="{FONT}">'
    ground = f'<rect width="{WIDTH}" height="{height}" fill="#f4f0e6"/>'
    said = f"<desc>{escape(chr(10).join(map(str, in_words(book, view))))}</desc>"
    return head + name + said + ground + "".join(body) + "</svg>"


def in_words(book: Book, view: CampaignState) -> Iterator[Message]:
    """Describe the picture in lines of text."""
    fighting = {call.place for call in view.battles.values()}
    for battle in book.campaign.battle:
        if battle.id == view.node:
            if battle.id in fighting:
                yield say("{place}: a battle is being fought.", place=battle.name)
            else:
                yield say("{place}: the next battle.", place=battle.name)
            for result, goal in battle.next.items():
                yield say("{result}: {goal}.", result=_result(book, result), goal=_goal(book, goal))
    for row in book.campaign.province:
        holder = view.control.get(row.id, "")
        here = [f"{book.names[id]} ({id})" for id, group in view.groups.items() if group.province == row.id]
        told = [say("held by {side}", side=book.sides[holder].name) if holder else say("held by neither side")]
        if here:
            told.append(say("battlegroups there: {groups}", groups=several(here, "unit")))
        if row.id in fighting:
            told.append(say("a battle is being fought"))
        yield say("{place} ({id}): {facts}.", place=row.name, id=row.id, facts=several(told, "clauses"))


def _result(book: Book, result: str) -> Message:
    """A result of a battle in words."""
    side, *decisive = result.split()
    if side not in book.sides:
        return say("If no side wins")
    if decisive:
        return say("If {side} wins decisively", side=book.sides[side].name)
    return say("If {side} wins", side=book.sides[side].name)


def _goal(book: Book, goal: str) -> Message:
    """Where a result leads, in words."""
    return (
        say("the campaign ends")
        if goal == END
        else say("the next battle is {place}", place=book.campaign.node(goal).name)
    )


def colour(book: Book, side: str) -> str:
    ids = list(book.sides)
    return COLOURS[ids.index(side)] if side in ids else COLOURS[2]


def box(at: tuple[int, int], fill: str, text: str, *, bold: bool = False, size: tuple[int, int] = BOX) -> str:
    """A box for a place with its name, in two lines if the name is long."""
    (x, y), (width, height) = at, size
    stroke = ' stroke="#1c1c1c" stroke-width="4"' if bold else ' stroke="#777"'
    ink = "#1c1c1c" if fill == COLOURS[2] else "#fff"
    lines = wrap(text, max(4, width * 9 // (5 * FONT)))[:2]
    top = y + 8 - 13 * (len(lines) - 1)
    corner = f'x="{x - width // 2}" y="{y - height // 2}" width="{width}" height="{height}" rx="8"'
    said = "".join(
        f'<text x="{x}" y="{top + 26 * number}" text-anchor="middle" fill="{ink}">{escape(line)}</text>'
        for number, line in enumerate(lines)
    )
    return f'<rect {corner} fill="{fill}"{stroke}/>{said}'


def legend(book: Book, top: int) -> Iterator[str]:
    """The colours of both sides: of their provinces, or of the arrows that their victories open."""
    what = "" if book.campaign.shape == "map" else " wins"
    for number, (id, side) in enumerate(book.sides.items()):
        x = 12 + number * WIDTH // 2
        yield f'<rect x="{x}" y="{top}" width="24" height="24" fill="{colour(book, id)}"/>'
        yield f'<text x="{x + 32}" y="{top + 19}" font-size="19" fill="#1c1c1c">{escape(side.name[:30])}{what}</text>'


def tree(book: Book, view: CampaignState) -> tuple[list[str], int]:
    """The battles of a tree, in the order of the file, with an arrow to where each victory leads.

    The next battle has a thick frame.
    """
    places = {
        battle.id: (WIDTH // 2 + (-182 if n % 2 else 182), 44 + n * 84)
        for n, battle in enumerate(book.campaign.battle)
    }
    found = []
    for battle in book.campaign.battle:
        for result, goal in battle.next.items():
            if goal != END and goal != battle.id:
                found.append(arrow(places[battle.id], places[goal], colour(book, result.split()[0])))
    fighting = {call.place for call in view.battles.values()}
    for battle in book.campaign.battle:
        fill = "#8a5a08" if battle.id in fighting else COLOURS[2]
        found.append(box(places[battle.id], fill, battle.name, bold=battle.id == view.node))
    return found, 20 + len(places) * 84


def line(start: tuple[int, int], end: tuple[int, int], stroke: str) -> str:
    return (
        f'<line x1="{start[0]}" y1="{start[1]}" x2="{end[0]}" y2="{end[1]}" '
        f'stroke="{stroke}" stroke-width="2" stroke-opacity="0.6"/>'
    )


def arrow(start: tuple[int, int], end: tuple[int, int], fill: str) -> str:
    """An arrow drawn to the right of its line, so that it does not cover an arrow in the opposite direction."""
    x, y = end[0] - start[0], end[1] - start[1]
    long = max(1, isqrt(x * x + y * y))
    aside = (-9 * y // long, 9 * x // long)
    first, last = ((at[0] + aside[0], at[1] + aside[1]) for at in (start, end))
    tip = (first[0] + x * 55 // 100, first[1] + y * 55 // 100)
    back = (tip[0] - 18 * x // long, tip[1] - 18 * y // long)
    points = [tip, (back[0] - aside[0], back[1] - aside[1]), (back[0] + aside[0], back[1] + aside[1])]
    said = " ".join(f"{left},{top}" for left, top in points)
    return line(first, last, fill) + f'<polygon points="{said}" fill="{fill}"/>'


def provinces(book: Book, view: CampaignState) -> tuple[list[str], int]:
    """The provinces in the colours of their holders, with roads between them and battlegroups and battles in them."""
    rows = book.campaign.province
    columns = 1 + max(row.at[0] for row in rows)
    wide = min(180, WIDTH // columns)
    at = {row.id: (wide // 2 + row.at[0] * wide, 44 + row.at[1] * 130) for row in rows}
    found = [line(at[row.id], at[other], "#777") for row in rows for other in row.to if row.id < other]
    fighting = {call.place for call in view.battles.values()}
    size = (min(SPAN[0], wide - 8), SPAN[1])
    for row in rows:
        fill = colour(book, view.control.get(row.id, ""))
        found.append(box(at[row.id], fill, row.name, bold=row.id in fighting, size=size))
        found += _counters(book, view, row.id, at[row.id], fighting=row.id in fighting)
    return found, max(y for _, y in at.values()) + 80


def _counters(
    book: Book, view: CampaignState, province: str, at: tuple[int, int], *, fighting: bool
) -> Iterator[str]:
    here = [(id, group) for id, group in view.groups.items() if group.province == province]
    wide = 74 if len(here) < 3 else 54
    for number, (id, group) in enumerate(here):
        x, y, fill = at[0] - 82 + number * (wide + 2), at[1] + 36, colour(book, group.side)
        yield f'<rect x="{x}" y="{y}" width="{wide}" height="30" fill="{fill}" stroke="#1c1c1c"/>'
        at_text = f'x="{x + wide // 2}" y="{y + 21}" font-size="{wide * 3 // 10}" text-anchor="middle"'
        edge = f'stroke="{fill}" stroke-width="5" paint-order="stroke"'  # readable wherever a small map puts it
        yield f'<text {at_text} fill="#fff" {edge}>{escape(id[:6])}</text>'
    if fighting:
        yield f'<text x="{at[0] + 76}" y="{at[1] + 62}" font-size="26" text-anchor="middle">⚔</text>'

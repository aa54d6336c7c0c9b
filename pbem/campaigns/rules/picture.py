"""C8.4 The map of a campaign: the tree of its battles, or its provinces, as a viewer may see it."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from pbem.campaigns.rules.book import Book
from pbem.campaigns.rules.file import END
from pbem.campaigns.rules.state import CampaignState

WIDTH, BOX = 720, (230, 46)
COLOURS = ("#5b6f80", "#9c4a3c", "#d8d2c4")


def picture(book: Book, view: CampaignState) -> str:
    """The campaign as SVG."""
    body, height = provinces(book, view) if book.campaign.shape == "map" else tree(book, view)
    size = f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" '
    name = f'aria-label="Map of {escape(book.campaign.name)}" font-family="sans-serif" font-size="14">'
    ground = f'<rect width="{WIDTH}" height="{height}" fill="#f4f0e6"/>'
    said = f"<desc>{escape(chr(10).join(in_words(book, view)))}</desc>"
    return head + name + said + ground + "".join(body) + "</svg>"


def in_words(book: Book, view: CampaignState) -> Iterator[str]:
    """What the picture shows, in lines."""
    fighting = {call.place for call in view.battles.values()}
    for battle in book.campaign.battle:
        if battle.id == view.node:
            yield f"{battle.name}: {'a battle is being fought' if battle.id in fighting else 'the next battle'}."
    for row in book.campaign.province:
        holder = view.control.get(row.id, "")
        here = [id for id, group in view.groups.items() if group.province == row.id]
        said = [
            f"held by {holder}" if holder else "held by neither side",
            *([f"in it: {', '.join(here)}"] if here else []),
        ]
        yield f"{row.name} ({row.id}): {'; '.join(said)}{'; a battle is being fought' if row.id in fighting else ''}."


def colour(book: Book, side: str) -> str:
    ids = list(book.sides)
    return COLOURS[ids.index(side)] if side in ids else COLOURS[2]


def box(x: int, y: int, fill: str, text: str, *, bold: bool = False, width: int = BOX[0]) -> str:
    height = BOX[1]
    stroke = ' stroke="#1c1c1c" stroke-width="4"' if bold else ' stroke="#777"'
    ink = "#1c1c1c" if fill == COLOURS[2] else "#fff"
    at = f'x="{x - width // 2}" y="{y - height // 2}" width="{width}" height="{height}" rx="8"'
    said = f'<text x="{x}" y="{y + 5}" text-anchor="middle" fill="{ink}">{escape(text[:28])}</text>'
    return f'<rect {at} fill="{fill}"{stroke}/>{said}'


def tree(book: Book, view: CampaignState) -> tuple[list[str], int]:
    """The battles of a tree, in the order of the file; the one to come has a thick frame."""
    places = {
        battle.id: (WIDTH // 2 + (-180 if n % 2 else 180), 50 + n * 70)
        for n, battle in enumerate(book.campaign.battle)
    }
    found = []
    for battle in book.campaign.battle:
        for result, goal in battle.next.items():
            if goal != END and goal != battle.id:
                found.append(line(places[battle.id], places[goal], colour(book, result.split()[0])))
    fighting = {call.place for call in view.battles.values()}
    for battle in book.campaign.battle:
        fill = "#c98a1b" if battle.id in fighting else COLOURS[2]
        found.append(box(*places[battle.id], fill, battle.name, bold=battle.id == view.node))
    return found, 50 + len(places) * 70


def line(start: tuple[int, int], end: tuple[int, int], stroke: str) -> str:
    return (
        f'<line x1="{start[0]}" y1="{start[1]}" x2="{end[0]}" y2="{end[1]}" '
        f'stroke="{stroke}" stroke-width="2" stroke-opacity="0.6"/>'
    )


def provinces(book: Book, view: CampaignState) -> tuple[list[str], int]:
    """The provinces in the colour of their holder, roads between them, battlegroups and battles in them."""
    rows = book.campaign.province
    at = {row.id: (90 + row.at[0] * 180, 50 + row.at[1] * 110) for row in rows}
    found = [line(at[row.id], at[other], "#777") for row in rows for other in row.to if row.id < other]
    fighting = {call.place for call in view.battles.values()}
    for row in rows:
        found.append(
            box(*at[row.id], colour(book, view.control.get(row.id, "")), row.name, bold=row.id in fighting, width=160)
        )
        found += _counters(book, view, row.id, at[row.id], fighting=row.id in fighting)
    return found, max(y for _, y in at.values()) + 90


def _counters(
    book: Book, view: CampaignState, province: str, at: tuple[int, int], *, fighting: bool
) -> Iterator[str]:
    here = [(id, group) for id, group in view.groups.items() if group.province == province]
    for number, (id, group) in enumerate(here):
        x, y = at[0] - 80 + number * 44, at[1] + 28
        yield f'<rect x="{x}" y="{y}" width="40" height="22" fill="{colour(book, group.side)}" stroke="#1c1c1c"/>'
        at_text = f'x="{x + 20}" y="{y + 15}" font-size="11" text-anchor="middle"'
        yield f'<text {at_text} fill="#fff">{escape(id[:6])}</text>'
    if fighting:
        yield f'<text x="{at[0] + 70}" y="{at[1] + 46}" font-size="20" text-anchor="middle">⚔</text>'

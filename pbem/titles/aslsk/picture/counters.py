"""1.2 Counters: printed numbers in their usual corners, markers, facing and covered arc.

1.2.1-1.2.3   personnel: strength below, class above; the broken side with its morale
1.2.4         support weapons: ROF in a box, firepower-range, portage
1.2.6         Guns: calibre, M#, ROF; barrel and covered arc
1.2.7         vehicles: MP, armour, main armament, machine guns; nose, turret and arc
stacks        counters in a hex overlap, but the two sides are kept apart; `open_stack` spreads a stack out
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from typing import TYPE_CHECKING, Final

from pbem.titles.aslsk.cards.units import Card
from pbem.titles.aslsk.cards.vehicles import VehicleCard
from pbem.titles.aslsk.cards.weapons import GunCard, WeaponCard
from pbem.titles.aslsk.ground.lattice import VERTICES, D
from pbem.titles.aslsk.picture.paper import INK, Spot, at, spot, spot_of, tenths, use
from pbem.titles.aslsk.picture.words import Token, token_words

if TYPE_CHECKING:
    from pbem.titles.aslsk.cards.deck import Deck
    from pbem.titles.aslsk.ground.terrain import Ground

HALF: Final = 24
"""Half the width of a counter in pixels; Gun and vehicle counters are larger."""
LARGE: Final = 28
CLASS_LETTERS: Final = {"elite": "E", "first": "1", "second": "2", "green": "G", "conscript": "C"}
FIGURES: Final = {
    "squad": ("man", (-13, -1, 11)),
    "half": ("man", (-7, 7)),
    "crew": ("kneel", (-7, 7)),
    "leader": ("officer", (0,)),
}
WEAPON_SIGNS: Final = {
    "lmg": "w-mg",
    "mmg": "w-mg",
    "hmg": "w-mg",
    "atr": "w-rifle",
    "ft": "w-flame",
    "dc": "w-charge",
    "baz": "w-tube",
    "psk": "w-tube",
    "piat": "w-tube",
    "mortar": "w-mortar",
}
MARKER_COLOURS: Final = {
    "DM": "#b3261e",
    "Pin": "#8a5a00",
    "CX": "#6a4c93",
    "Prep Fire": "#1f5fa8",
    "First Fire": "#1f7a4d",
    "Final Fire": "#0b4f2f",
    "Melee": "#7a1f1f",
    "Wounded": "#b3261e",
}
STACK_STEP: Final = 5


# --- stacks ----------------------------------------------------------------------------------------------------


def counters(ground: Ground, deck: Deck, tokens: Iterable[Token]) -> Iterator[str]:
    """1.2 Draw all counters, hex by hex, the top of each stack last."""
    for hex, sides in stacks(tokens).items():
        if hex not in ground:
            continue
        middle = spot_of(ground[hex].hex)
        apart = 22 if len(sides) > 1 else 0
        yield f'<g data-stack="{hex}">'
        for index, stack in enumerate(sides.values()):
            shift = (-apart, apart)[index % 2]
            lift = STACK_STEP * (len(stack) - 1) // 2
            for height, token in enumerate(stack):
                dx = shift + height * STACK_STEP - lift
                dy = lift - height * STACK_STEP
                yield from arc(ground, deck, token)
                yield counter(deck, token, middle.moved(dx, dy))
            if len(stack) > 2:
                yield badge(hex, len(stack), middle.moved(shift - lift - HALF + 1, lift + HALF - 1))
        yield "</g>"


def badge(hex: str, count: int, place: Spot) -> str:
    """Show the number of counters in a stack; the page hides this number while the stack is open."""
    said = words(0, 3, "9", str(count), "middle", ' fill="#fff" font-weight="700"')
    return f'<g data-badge="{hex}" {at(place)}><circle r="7" fill="{INK}" stroke="#fff"/>{said}</g>'


def stacks(tokens: Iterable[Token]) -> dict[str, dict[str, list[Token]]]:
    """1.2 The counters by hex and side in the given order, with weapons beneath the units that possess them."""
    found: dict[str, dict[str, list[Token]]] = {}
    for token in tokens:
        if token.hex:
            found.setdefault(token.hex, {}).setdefault(token.side, []).append(token)
    return found


def open_stack(deck: Deck, tokens: Iterable[Token]) -> str:
    """Draw the counters of a stack side by side."""
    laid = list(tokens)
    width, step = 8 + 74 * max(1, len(laid)), 74
    drawn = "".join(counter(deck, token, Spot(10 * (41 + step * index), 400)) for index, token in enumerate(laid))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} 80" width="{width}" height="80" role="img">'
        f'<rect width="{width}" height="80" fill="#efe9d6"/>{drawn}</svg>'
    )


# --- one counter -----------------------------------------------------------------------------------------------


def counter(deck: Deck, token: Token, place: Spot) -> str:
    """1.2 Draw one counter with its markers."""
    card = deck.find(token.card)
    if card is None:
        return ""
    nation = deck.nations[card.nation]
    half = LARGE if isinstance(card, GunCard | VehicleCard) else HALF
    own = ' data-own=""' if token.own else ""
    paper = fade(nation.paper) if token.broken else nation.paper
    face = "".join(face_of(card, token, nation.ink))
    dashed = ' stroke-dasharray="4 3"' if token.hidden else ""
    return (
        f'<g data-unit="{escape(token.id)}"{own} data-at="{escape(token.hex)}" {at(place)}>'
        f"<title>{escape(str(token_words(deck, token)))}</title>"
        f'<rect x="{2 - half}" y="{3 - half}" width="{2 * half}" height="{2 * half}" rx="3" fill="#000" '
        'fill-opacity=".35"/>'
        f'<rect x="{-half}" y="{-half}" width="{2 * half}" height="{2 * half}" rx="3" fill="{paper}" '
        f'stroke="{INK}" stroke-width="1.3"{dashed}/>'
        f'<g fill="{nation.ink}" color="{nation.ink}" font-weight="700">{face}</g>'
        f"{''.join(chips(token.markers, half))}</g>"
    )


def fade(colour: str) -> str:
    """The background of a counter's broken side: its colour halfway to white."""
    parts = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    return "#" + "".join(f"{(part + 3 * 255) // 4:02x}" for part in parts)


def face_of(card: Card | WeaponCard | GunCard | VehicleCard, token: Token, ink: str) -> Iterator[str]:
    """1.2 Draw the printed face of a counter."""
    match card:
        case Card():
            yield from personnel(card, token)
        case WeaponCard():
            yield from weapon(card, token)
        case GunCard():
            yield from gun(card, token)
        case VehicleCard():
            yield from vehicle(card, token, ink)


def words(x: int, y: int, size: str, said: str, anchor: str = "middle", more: str = "") -> str:
    """Print text on a counter."""
    return f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}"{more}>{escape(said)}</text>'


def personnel(card: Card, token: Token) -> Iterator[str]:
    """1.2.1-1.2.3 Draw figures above the strength factors; the broken side shows only its morale."""
    yield words(-21, -14, "8.5", token.id, "start")
    if card.class_ and card.kind != "crew":
        yield words(21, -14, "9", CLASS_LETTERS[card.class_], "end")
    figure, places = FIGURES[card.kind]
    opacity = ' opacity=".45"' if token.broken else ""
    yield "<g" + opacity + ">" + "".join(use(figure, f' x="{x}" y="-1"') for x in places) + "</g>"
    if token.broken:
        if card.self_rally:
            yield '<rect x="7" y="7" width="14" height="14" fill="none" stroke="currentColor" stroke-width="1.4"/>'
        yield words(14, 20, "15", str(card.broken))
        yield words(-22, 20, "6.5", "BROKEN", "start", ' fill="#b3261e"')
    elif card.kind == "leader":
        yield words(0, 21, "15", card.name)
    else:
        yield strength(card)


def strength(card: Card) -> str:
    """1.2.2 Draw firepower (underlined for Assault Fire) with smoke exponent, range, and morale (underlined if
    ELR-exempt).
    """
    fp = f'<tspan text-decoration="underline">{card.fp}</tspan>' if card.assault_fire else str(card.fp)
    smoke = f'<tspan font-size="8" dy="-5">{card.smoke}</tspan><tspan dy="5">-</tspan>' if card.smoke else "-"
    morale = f'<tspan text-decoration="underline">{card.morale}</tspan>' if card.elr_exempt else str(card.morale)
    return f'<text x="0" y="21" font-size="14.5" text-anchor="middle">{fp}{smoke}{card.range}-{morale}</text>'


def rate_box(x: int, y: int, rof: int) -> str:
    """1.2.4.1 Draw the rate of fire in its box."""
    if not rof:
        return ""
    box = f'<rect x="{x - 6}" y="{y - 10}" width="12" height="12" fill="none" stroke="currentColor"/>'
    return box + words(x, y, "10", str(rof))


def number(letter: str, value: int) -> str:
    """4.0 The B# or X# as printed, such as B11 or X10; B12 is not printed."""
    return "" if letter == "B" and value == 12 else f"{letter}{value}"


def weapon(card: WeaponCard, token: Token) -> Iterator[str]:
    """1.2.4 Draw a support weapon: ROF top left, B# or X# top right, portage bottom left, firepower-range at the
    bottom.
    """
    opacity = ".4" if token.broken else "1"
    shift = "translate(-2 -4)scale(.85)" if card.kind == "mortar" else "translate(0 -1)"
    yield f'<g opacity="{opacity}" transform="{shift}">{use(WEAPON_SIGNS[card.kind])}</g>'
    yield rate_box(-15, -11, card.rof)
    yield words(22, -5 if card.rof else -14, "8", number(card.number, card.breakdown), "end")
    yield words(-22, 12 if card.fp and card.rof else 20, "7.5", f"{card.pp}PP", "start")
    if token.broken:
        yield words(20, 20, "9", f"R{card.repair}", "end", ' fill="#b3261e"')
    elif card.fp:
        yield words(21, 20, "12", f"{card.fp}-{card.range}", "end")
    else:
        yield words(21, 12, "9", f"{card.calibre}{card.length}", "end")
        yield words(21, 21, "7.5", f"({card.min_range}-{card.range})", "end")
    if card.kind != "mortar":
        yield words(-5 if card.rof else -21, -14, "8", card.kind.upper(), "start")


def angle_of(spine: int) -> int:
    """The angle that turns a drawing from north to a hexspine, clockwise in degrees."""
    return 90 - 60 * spine


def gun(card: GunCard, token: Token) -> Iterator[str]:
    """1.2.6 Draw a Gun from above, with its barrel on the hexspine; calibre bottom right, M# bottom left, ROF top
    left.
    """
    sign = "mortar" if card.mortar else "gun"
    angle = angle_of(token.facing) if token.facing >= 0 else 0
    if card.turning:
        yield '<circle r="17" fill="none" stroke="#fff" stroke-width="2.4"/>'
    yield f'<g transform="rotate({angle})scale(.82)" opacity="{".45" if token.broken else "1"}">{use(sign)}</g>'
    yield rate_box(-19, -14, card.rof)
    yield words(25, -17, "8.5", number("B", card.breakdown), "end")
    dot = '<circle cx="-18" cy="21" r="8" fill="#fff"/>' if card.size > 0 else ""
    red = ' fill="#b3261e"' if card.size < 0 else ""
    yield dot + words(-18, 24, "9", f"M{card.manhandling}", "middle", red)
    yield words(25, 25, "11", f"{card.calibre}{card.length}" + (f"({card.ife})" if card.ife else ""), "end")
    yield words(-25, 9, "7", token.id, "start")
    yield words(25, -8, "7", card.type.upper(), "end")


def vehicle(card: VehicleCard, token: Token, ink: str) -> Iterator[str]:
    """1.2.7 Draw a vehicle: MP top right, armour left, machine guns and main armament bottom right; hull and
    turret face their hexspines.
    """
    hull = "hull" if card.tracked else "car"
    nose = angle_of(token.facing) if token.facing >= 0 else 0
    turret = angle_of(token.turret if token.turret >= 0 else token.facing) if token.facing >= 0 else 0
    shade = "#3a3a3a" if token.broken else ink
    yield f'<g transform="rotate({nose})scale(.78)" fill="{shade}" fill-opacity=".8">{use(hull)}'
    yield '<path d="M-6-17L0-24 6-17z"/></g>'
    if card.turret != "NT":
        ring = "" if token.broken else ' stroke="#fff" stroke-width="1.1"'
        yield f'<g transform="rotate({turret})scale(.82)" fill="{shade}"{ring}>{use("turret")}</g>'
    if token.broken:
        yield words(0, 26, "8", "WRECK", "middle", ' fill="#b3261e"')
        return
    shape = (
        '<ellipse cx="19" cy="-20" rx="8.5" ry="6" fill="#fff"/>'
        if card.tracked
        else '<circle cx="19" cy="-19" r="7.5" fill="#fff"/>'
    )
    yield shape + words(19, -16, "10", str(card.mp), "middle", ' fill="#b3261e"' if card.unreliable else "")
    yield armour(card)
    mg = "/".join(
        str(value) if value else "-" for value in (card.bmg, card.cmg, *((card.aamg,) if card.aamg else ()))
    )
    yield words(26, 16, "7.5", mg if mg != "-/-" else "", "end")
    main = f"{card.calibre}{card.length}" if card.calibre else "MG"
    yield words(26, 26, "10.5", main + (f"({card.ife})" if card.ife else ""), "end")
    yield rate_box(-20, 24, card.rof)
    yield words(-26, 8, "6.5", token.id, "start")


def armour(card: VehicleCard) -> str:
    """7.1, 7.3 Draw front and side armour, circled or boxed where the turret differs; white dots or red numbers
    show the size.
    """
    drawn = ""
    for row, (hull, turret) in enumerate(((card.front, card.turret_front), (card.side, card.turret_side))):
        y = -18 + 12 * row
        if card.size == 2 or (card.size == 1 and row == 0):
            drawn += f'<circle cx="-20" cy="{y - 3}" r="6.5" fill="#fff"/>'
        red = card.size == -2 or (card.size == -1 and row == 0)
        if turret < hull:
            drawn += f'<circle cx="-20" cy="{y - 3}" r="6.5" fill="none" stroke="currentColor"/>'
        elif turret > hull:
            drawn += f'<rect x="-26" y="{y - 9}" width="12" height="12" fill="none" stroke="currentColor"/>'
        drawn += words(-20, y, "9", str(hull), "middle", ' fill="#b3261e"' if red else "")
    return drawn


def chips(markers: Iterable[str], half: int) -> Iterator[str]:
    """11 Draw the markers on a counter as small labels along its upper edge."""
    for index, marker in enumerate(markers):
        width = 8 + 5 * len(marker)
        x, y = half - width + 6, -half - 5 + 11 * index
        colour = MARKER_COLOURS.get(marker, "#3d3d3d")
        yield (
            f'<rect x="{x}" y="{y}" width="{width}" height="10.5" rx="2" fill="{colour}" stroke="#fff" '
            f'stroke-width=".8"/><text x="{x + width // 2}" y="{y + 8}" font-size="8" fill="#fff" '
            f'font-weight="700" text-anchor="middle">{escape(marker)}</text>'
        )


def arc(ground: Ground, deck: Deck, token: Token) -> Iterator[str]:
    """3.2.4/covered-arc Draw the covered arc of a Gun or turret as a wedge between two hex rows."""
    spine = token.turret if token.turret >= 0 else token.facing
    card = deck.find(token.card)
    if spine < 0 or token.broken or not isinstance(card, GunCard | VehicleCard):
        return
    middle = spot_of(ground[token.hex].hex)
    left, right = D[spine], D[spine - 1]
    reach = 85
    a, b = spot(reach * left.q, reach * left.z), spot(reach * right.q, reach * right.z)
    tip = spot(VERTICES[spine].q * reach // 80 * 5 // 4, VERTICES[spine].z * reach // 80 * 5 // 4)
    yield (
        f'<path transform="translate({middle})" d="M0 0L{a}Q{tip} {b}z" fill="#d33" fill-opacity=".13" '
        f'stroke="#a11" stroke-opacity=".5" stroke-dasharray="5 4"/>'
    )


def place_of(ground: Ground, hex: str) -> str:
    """The centre of a hex, for pages that draw over the map."""
    x, y = spot_of(ground[hex].hex)
    return f"{tenths(x)} {tenths(y)}"

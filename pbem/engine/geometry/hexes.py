"""Hexes in whole numbers: names, range, direction, arcs, hexsides and straight lines.

The grid is flat-topped and its coordinates are doubled: X counts columns, Y counts half hexes
downwards, so a column of hexes steps by 2 in Y and X and Y of a hex are both even or both odd.
Centres and corners are whole numbers too, in the plane `U = 3X, V = Y`. That plane is the drawn map
stretched: straight lines, sides of a line and order along it are those of the map. Angles are taken
with `dot`, which undoes the stretch. Nothing here is ever rounded.

    names          hex_name, parse_hex (E9, AA1), name4, parse4 (0507), from_offset, to_offset
    range          distance, ring, disc
    directions     1 is the top hexside, then clockwise: neighbour, turn, direction_to, towards
    arcs           angle_at_most, within_30, within_60, arc
    hexsides       Side, hexside, side_between, side_hexes, side_corners
    lines          line: what a straight line between two centres crosses, follows and touches; hexes_between
    map building   translate, rotate, mirror
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, Literal, NamedTuple


class Hex(NamedTuple):
    """A hex by its doubled coordinates; x and y are both even or both odd."""

    x: int
    y: int


class Corner(NamedTuple):
    """A point of the plane in which hex centres and corners are whole numbers."""

    u: int
    v: int


class Side(NamedTuple):
    """A hexside under its single name: the hex below it or to its left, and the direction 1, 2 or 3."""

    hex: Hex
    direction: int


class Line(NamedTuple):
    """The hexes and hexsides that a straight line between two centres meets, in order (left first where it forks).

    The two end hexes are not listed. Where the line runs along a hexside both hexes are `followed`.
    """

    hexes: tuple[Hex, ...]
    """The hexes crossed or followed, in order."""
    crossed: tuple[Hex, ...]
    followed: tuple[Hex, ...]
    touched: tuple[Hex, ...]
    """The hexes met in a single corner only; not in `hexes`."""
    sides: tuple[Side, ...]
    """Hexsides between neighbours on the line, including the end hexes.

    The line crosses or follows them, or passes one of their end points.
    """
    corners_touched: tuple[Corner, ...]
    """Hex corners the line passes through exactly."""


Low = Literal["odd", "even"]
"""Which columns of a board are half a hex lower than the others."""

DIRECTIONS: Final = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
"""The step (dx, dy) in each of the directions 1 to 6; direction d is `DIRECTIONS[d - 1]`."""

CORNERS: Final = ((-1, -1), (1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0))
"""The corners around a centre, clockwise; hexside d runs from corner d - 1 to the one after it."""

ORIGIN: Final = Hex(0, 0)


# --- names -------------------------------------------------------------------------------------------


def from_offset(column: int, row: int, low: Low = "odd") -> Hex:
    """The hex in this column and row of a board."""
    shift = column % 2
    return Hex(column, 2 * row + (shift if low == "odd" else -shift))


def to_offset(hex: Hex, low: Low = "odd") -> tuple[int, int]:
    """Column and row of a hex, the inverse of `from_offset`."""
    shift = hex.x % 2
    return hex.x, (hex.y - (shift if low == "odd" else -shift)) // 2


@lru_cache(maxsize=8192)
def hex_name(hex: Hex, low: Low = "odd") -> str:
    """The printed name: column letter, doubled after Z, then the row: `E9`, `AA1`."""
    column, row = to_offset(hex, low)
    if column < 1 or row < 0:
        raise ValueError(f"column {column}, row {row} has no name: columns start at A = 1, rows at 0")
    repeats, letter = divmod(column - 1, 26)
    return chr(ord("A") + letter) * (repeats + 1) + str(row)


@lru_cache(maxsize=8192)
def parse_hex(text: str, low: Low = "odd") -> Hex:
    """Read a printed name in upper or lower case; ValueError explains any mistake."""
    match = re.fullmatch(r"([A-Z]+)([0-9]{1,3})", text.strip().upper(), re.ASCII)
    if match is None:
        raise ValueError(f"'{text}' is not a hex: write column letters and a row number, like E9 or AA1")
    letters, row = match.groups()
    if len(set(letters)) > 1:
        raise ValueError(f"'{text}' is not a hex: after Z come AA, BB, CC; there is no column {letters}")
    return from_offset(ord(letters[0]) - ord("A") + 1 + 26 * (len(letters) - 1), int(row), low)


def name4(hex: Hex, low: Low = "odd") -> str:
    """The four-digit name: two digits of column, two of row: `0507`."""
    column, row = to_offset(hex, low)
    if not (0 <= column <= 99 and 0 <= row <= 99):
        raise ValueError(f"column {column}, row {row} has no four-digit name: both must lie between 0 and 99")
    return f"{column:02}{row:02}"


def parse4(text: str, low: Low = "odd") -> Hex:
    """Read a four-digit name; ValueError explains any mistake."""
    digits = text.strip()
    if not re.fullmatch(r"[0-9]{4}", digits, re.ASCII):
        raise ValueError(f"'{text}' is not a hex: write four digits, two of column and two of row, like 0507")
    return from_offset(int(digits[:2]), int(digits[2:]), low)


# --- range and directions ----------------------------------------------------------------------------


def distance(a: Hex, b: Hex) -> int:
    """The range in hexes, counting b but not a."""
    (ax, ay), (bx, by) = a, b
    dx = ax - bx if ax > bx else bx - ax
    dy = ay - by if ay > by else by - ay
    return dx if dy <= dx else (dx + dy) // 2


def neighbour(hex: Hex, direction: int) -> Hex:
    """The adjacent hex in a direction."""
    dx, dy = DIRECTIONS[direction - 1]
    return Hex(hex.x + dx, hex.y + dy)


def neighbours(hex: Hex) -> tuple[Hex, ...]:
    """The six adjacent hexes, from the top clockwise."""
    x, y = hex
    return tuple(Hex(x + dx, y + dy) for dx, dy in DIRECTIONS)


def turn(direction: int, steps: int) -> int:
    """The direction after turning clockwise by this many hexsides (anticlockwise if negative)."""
    return (direction - 1 + steps) % 6 + 1


def opposite(direction: int) -> int:
    """The direction straight behind."""
    return (direction + 2) % 6 + 1


def turns_between(a: int, b: int) -> int:
    """How many hexsides of turning separate two directions, the short way round: 0 to 3."""
    steps = (b - a) % 6
    return min(steps, 6 - steps)


def in_row(a: Hex, b: Hex) -> bool:
    """Whether the two hexes are in one straight row of hexes."""
    dx, dy = abs(a.x - b.x), abs(a.y - b.y)
    return dx == 0 or dx == dy


def direction_to(a: Hex, b: Hex) -> int | None:
    """The direction of the straight row of hexes from a to b, if there is one."""
    if a == b or not in_row(a, b):
        return None
    return DIRECTIONS.index((_sign(b.x - a.x), _sign(b.y - a.y) * (2 if a.x == b.x else 1))) + 1


def towards(a: Hex, b: Hex) -> tuple[int, ...]:
    """The hexside through which the line from a to b leaves a, or both hexsides if it leaves at a corner."""
    return tuple(direction for direction in range(1, 7) if within_30(a, b, direction))


def ring(hex: Hex, radius: int) -> tuple[Hex, ...]:
    """The hexes at exactly this range, from straight above clockwise."""
    if radius == 0:
        return (hex,)
    found = []
    x, y = hex.x, hex.y - 2 * radius
    for dx, dy in DIRECTIONS[2:] + DIRECTIONS[:2]:
        for _ in range(radius):
            found.append(Hex(x, y))
            x, y = x + dx, y + dy
    return tuple(found)


def disc(hex: Hex, radius: int) -> tuple[Hex, ...]:
    """The hex and all hexes up to this range, ring by ring."""
    return tuple(found for step in range(radius + 1) for found in ring(hex, step))


# --- arcs --------------------------------------------------------------------------------------------


def dot(a: Hex, b: Hex, direction: int) -> int:
    """The dot product of the step from a to b and a direction: it is positive if b is ahead, and 0 if b is abeam."""
    fx, fy = DIRECTIONS[direction - 1]
    return 3 * (b.x - a.x) * fx + (b.y - a.y) * fy


def angle_at_most(a: Hex, b: Hex, direction: int, degrees: int) -> bool:
    """Whether b, seen from a, is within 30, 60, 90, 120 or 150 degrees of a direction, or exactly at that angle.

    False if a is b, because a hex is not in any direction from itself.
    """
    if a == b:
        return False
    along = dot(a, b, direction)
    # A direction has the squared length 4, so along² / 4 squared lengths is the squared cosine.
    squared_length = 3 * (b.x - a.x) ** 2 + (b.y - a.y) ** 2
    match degrees:
        case 30:
            return along > 0 and along * along >= 3 * squared_length
        case 60:
            return along > 0 and along * along >= squared_length
        case 90:
            return along >= 0
        case 120:
            return along >= 0 or along * along <= squared_length
        case 150:
            return along >= 0 or along * along <= 3 * squared_length
    raise ValueError(f"{degrees} degrees: only 30, 60, 90, 120 and 150 can be compared exactly")


def within_30(a: Hex, b: Hex, direction: int) -> bool:
    """Whether b is ahead of a, in the 60-degree arc through one hexside."""
    return angle_at_most(a, b, direction, 30)


def within_60(a: Hex, b: Hex, direction: int) -> bool:
    """Whether b is in the 120-degree arc between the rows on both sides of the front."""
    return angle_at_most(a, b, direction, 60)


def arc(hex: Hex, direction: int, half_angle: int, radius: int) -> Iterator[Hex]:
    """The hexes up to a range that are within an angle of a direction, nearest first."""
    for found in disc(hex, radius):
        if angle_at_most(hex, found, direction, half_angle):
            yield found


# --- centres, corners and hexsides -------------------------------------------------------------------


def centre(hex: Hex) -> Corner:
    """The centre in the plane of corners."""
    return Corner(3 * hex.x, hex.y)


def corners(hex: Hex) -> tuple[Corner, ...]:
    """The six corners, clockwise from the left end of the top hexside."""
    u, v = centre(hex)
    return tuple(Corner(u + du, v + dv) for du, dv in CORNERS)


def hexside(hex: Hex, direction: int) -> Side:
    """The side of a hex in a direction, under the single name shared by both its hexes."""
    if direction <= 3:
        return Side(hex, direction)
    return Side(neighbour(hex, direction), direction - 3)


def side_between(a: Hex, b: Hex) -> Side:
    """The hexside shared by two neighbours."""
    step = (b.x - a.x, b.y - a.y)
    if step not in DIRECTIONS:
        raise ValueError(f"{a} and {b} are not adjacent: they share no hexside")
    return hexside(a, DIRECTIONS.index(step) + 1)


def side_hexes(side: Side) -> tuple[Hex, Hex]:
    """The two hexes that share a side."""
    return side.hex, neighbour(side.hex, side.direction)


def side_corners(side: Side) -> tuple[Corner, Corner]:
    """The two end points of a side."""
    around = corners(side.hex)
    return around[side.direction - 1], around[side.direction]


# --- lines -------------------------------------------------------------------------------------------


def line(a: Hex, b: Hex) -> Line:
    """The hexes and hexsides on the straight line between two centres; from b to a it is the same, reversed."""
    met = _line_from_origin(b.x - a.x, b.y - a.y)
    ax, ay = a
    au = 3 * ax
    return Line(
        tuple([Hex(x + ax, y + ay) for x, y in met.hexes]),
        tuple([Hex(x + ax, y + ay) for x, y in met.crossed]),
        tuple([Hex(x + ax, y + ay) for x, y in met.followed]),
        tuple([Hex(x + ax, y + ay) for x, y in met.touched]),
        tuple([Side(Hex(x + ax, y + ay), direction) for (x, y), direction in met.sides]),
        tuple([Corner(u + au, v + ay) for u, v in met.corners_touched]),
    )


@lru_cache(maxsize=4096)
def _line_from_origin(dx: int, dy: int) -> Line:
    """The line from the origin to (dx, dy); every other line with this step is a translation of it."""
    crossed, followed, touched = _hexes_met(dx, dy)

    def along(x: int, y: int) -> tuple[int, int]:
        """Sort key: the distance along the line, then left before right."""
        return 3 * dx * x + dy * y, dx * y - dy * x

    def in_order(hexes: list[Hex]) -> tuple[Hex, ...]:
        return tuple(sorted(hexes, key=lambda met: along(*met)))

    hexes = hexes_between(dx, dy)
    sides, on_line = _sides_met((ORIGIN, *hexes, Hex(dx, dy)), dx, dy)
    return Line(
        hexes,
        in_order(crossed),
        in_order(followed),
        in_order(touched),
        tuple(sorted(sides, key=lambda side: along(*_twice_the_midpoint(side)))),
        tuple(sorted(on_line, key=lambda corner: dx * corner.u + dy * corner.v)),
    )


def hexes_between(dx: int, dy: int) -> tuple[Hex, ...]:
    """Return only `line(a, b).hexes`, for a line from the origin to (dx, dy)."""
    crossed, followed, _ = _hexes_met(dx, dy)
    found = [(3 * dx * x + dy * y, dx * y - dy * x, Hex(x, y)) for x, y in crossed + followed]
    found.sort()
    return tuple([hex for _, _, hex in found])


def _hexes_met(dx: int, dy: int) -> tuple[list[Hex], list[Hex], list[Hex]]:
    """The hexes crossed, followed and touched between the origin and (dx, dy), column by column.

    Seen from the line, the centre of (x, y) is 3(dx·y − dy·x) to one side and the corners reach `reach` to either
    side of the centre. So a hex at less than `reach` is crossed. A hex at exactly `reach` is followed if two of its
    corners lie that far out (the line is level, or as steep as 3 to 1), and is touched otherwise.
    """
    crossed: list[Hex] = []
    followed: list[Hex] = []
    touched: list[Hex] = []
    target = Hex(dx, dy)
    length = distance(ORIGIN, target)
    if dx == 0:
        return [Hex(0, 2 * _sign(dy) * count) for count in range(1, length)], followed, touched
    reach = max(3 * abs(dx) + abs(dy), 2 * abs(dy))
    at_reach = followed if dy == 0 or abs(dy) == 3 * abs(dx) else touched
    for x in range(min(0, dx), max(0, dx) + 1):
        middle = 3 * dy * x * _sign(dx)
        highest = -((reach - middle) // (3 * abs(dx)))
        lowest = (reach + middle) // (3 * abs(dx))
        for y in range(highest + (highest - x) % 2, lowest + 1, 2):
            met = Hex(x, y)
            if 0 < distance(ORIGIN, met) < length and 0 < distance(target, met) < length:
                (crossed if 3 * abs(dx * y - dy * x) < reach else at_reach).append(met)
    return crossed, followed, touched


def _sides_met(members: tuple[Hex, ...], dx: int, dy: int) -> tuple[list[Side], set[Corner]]:
    """The hexsides between these hexes that the line crosses, follows or touches, and their ends on the line."""
    present = frozenset(members)
    beside = [3 * dx * dv - dy * du for du, dv in CORNERS]  # negative left of the line, 0 on it
    sides: list[Side] = []
    on_line: set[Corner] = set()
    for member in members:
        x, y = member
        aside = 3 * (dx * y - dy * x)
        for index, (step_x, step_y) in enumerate(DIRECTIONS[:3]):
            first, second = aside + beside[index], aside + beside[index + 1]
            if first * second <= 0 and (x + step_x, y + step_y) in present:
                side = Side(member, index + 1)
                sides.append(side)
                if first == 0:
                    on_line.add(side_corners(side)[0])
                if second == 0:
                    on_line.add(side_corners(side)[1])
    return sides, on_line


def _twice_the_midpoint(side: Side) -> tuple[int, int]:
    dx, dy = DIRECTIONS[side.direction - 1]
    return 2 * side.hex.x + dx, 2 * side.hex.y + dy


# --- map building ------------------------------------------------------------------------------------


def translate(hex: Hex, dx: int, dy: int) -> Hex:
    """The hex moved by a step; dx and dy are both even or both odd."""
    return Hex(hex.x + dx, hex.y + dy)


def rotate(hex: Hex, steps: int, about: Hex = ORIGIN) -> Hex:
    """The hex rotated clockwise about another by this many sixths of a circle; three sixths turn a board round."""
    x, y = hex.x - about.x, hex.y - about.y
    for _ in range(steps % 6):
        x, y = (x - y) // 2, (3 * x + y) // 2
    return Hex(about.x + x, about.y + y)


def mirror(hex: Hex, about: Hex = ORIGIN) -> Hex:
    """The mirror image of a hex in the column through another, left and right exchanged."""
    return Hex(2 * about.x - hex.x, hex.y)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)

"""25.3.1, 25.3.2 Attack and defense totals, unit by unit, in exact fractions.

25.3.1.1   attack_factors
25.3.1.2   assaulting units count double
25.3.2.1   defense_factors
25.3.2.2   soft units in cover
25.3.2.3   intrinsic strength of a free city
25.2.7     provisional strength of artillery and headquarters
25.3.1.3   an attack total rounds down, a defense total rounds up
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import msgspec

from pbem.engine.rules.findings import Finding
from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.cards.charts import TerrainRow
from pbem.titles.nato.map.grid import HexId
from pbem.titles.nato.map.ground import Hexside
from pbem.titles.nato.state import ENEMY, Battle

HALF, TWICE = Fraction(1, 2), Fraction(2)
ASSAULT = "25.3.1.2"


class Ground(msgspec.Struct, frozen=True):
    """2.2.1 The combat effects of a hex's terrain."""

    key: str
    shift: int
    retreat: int
    soft_doubled: bool
    armor_halved: bool
    exploitation: bool


class Factor(msgspec.Struct, frozen=True):
    """25.3.1.1, 25.3.2.1 Something that multiplies a strength, with its rule."""

    rule: str
    why: str
    value: Fraction


class Row(msgspec.Struct, frozen=True):
    """The contribution of one unit or city to a total, with its rule."""

    who: str
    printed: int
    factors: tuple[Factor, ...] = ()
    rule: str = "25.3.2"

    @property
    def value(self) -> Fraction:
        found = Fraction(self.printed)
        for factor in self.factors:
            found *= factor.value
        return found

    def as_data(self) -> dict[str, Any]:
        """Return the row as plain data for a finding."""
        factors = [f"{factor.why} x{fraction_in_words(factor.value)}" for factor in self.factors]
        return {"who": self.who, "printed": self.printed, "factors": factors, "counts": fraction_in_words(self.value)}

    def reason(self) -> Finding:
        """Return the row as a finding, with the rule for each factor."""
        because = [
            Finding(factor.rule, inputs={"who": self.who, "why": factor.why}, result=fraction_in_words(factor.value))
            for factor in self.factors
        ]
        because += [Finding("27.3.4", inputs=one.inputs, result=one.result) for one in because if one.rule == ASSAULT]
        inputs = {"who": self.who, "printed": self.printed}
        return Finding(self.rule, inputs=inputs, result=fraction_in_words(self.value), children=tuple(because))


def fraction_in_words(value: Fraction) -> str:
    """Return a fraction as players write it: 3, 1/2, 6 3/4."""
    whole, rest = divmod(value.numerator, value.denominator)
    part = f"{rest}/{value.denominator}" if rest else ""
    return f"{whole} {part}".strip() if whole or not part else part


def ground_of(board: Board, hex: HexId) -> Ground:
    """2.2.1, 25.3.4.1 The terrain of a hex in combat; a fortified hex keeps any better effects of its own terrain."""
    place, charts = board.atlas.places[hex], board.data.charts
    own = charts.terrain(place.ground)
    if not is_fortified(board, hex):
        return _ground(place.ground, own, own)
    return _ground("fortified", own, charts.terrain("fortified"))


def is_fortified(board: Board, hex: HexId) -> bool:
    """38.4.3.4 Return whether a hex is fortified, which happens only in Extended Buildup, until it is taken or
    struck.
    """
    usable = board.atlas.places[hex].fortified and board.data.plays("extended_buildup")
    return usable and hex not in board.state.nuclear and hex not in board.state.forts_lost


def _ground(key: str, own: TerrainRow, fort: TerrainRow) -> Ground:
    return Ground(
        key=key,
        shift=min(own.shift, fort.shift),
        retreat=max(own.retreat, fort.retreat),
        soft_doubled=own.soft_doubled or fort.soft_doubled,
        armor_halved=own.armor_halved,
        exploitation=own.exploitation and fort.exploitation,
    )


# --- 25.3.1 attack -------------------------------------------------------------------------------------------


def attack_factors(board: Board, unit: Unit, objective: HexId) -> Iterator[Factor]:
    """25.3.1.1 Yield every factor that multiplies the attack strength of a unit."""
    place = board.atlas.places[objective]
    if unit.piece.cs_out:  # 10.6.1
        yield Factor("25.2.3", "out of combat supply", HALF)
    if unit.piece.disrupted:
        yield Factor("25.2.3", "disrupted", HALF)
    if unit.card.armor and ground_of(board, objective).armor_halved:
        yield Factor("25.3.1.1", f"armor into {place.ground.replace('_', ' ')}", HALF)
    if place.bridge:
        yield Factor("25.3.1.1", "into a bridge hex", HALF)
    if unit.at == objective:
        yield Factor("25.3.1.2", "assault", TWICE)
    else:
        yield from hexside_factors(board, board.atlas.hexside(unit.at, objective))
    if board.is_contaminated(unit.at) or board.is_contaminated(objective):
        yield Factor("25.3.1.1", "strike marker", HALF)


def hexside_factors(board: Board, hexside: Hexside) -> Iterator[Factor]:
    """25.3.1.1 Yield the effects of the hexside between attacker and objective."""
    for key in hexside_keys(hexside):
        factor = board.data.charts.hexside(key).attack
        if factor is not None and factor != 1:
            yield Factor("25.3.1.1", f"across a {key.replace('_', ' ')}", factor)


def hexside_keys(hexside: Hexside) -> Iterator[str]:
    """Yield the rows of the Terrain Effects Chart that apply to a hexside."""
    if hexside.river:
        yield f"{hexside.river}_river"
    if hexside.pass_:
        yield "pass"
    if hexside.causeway:
        yield "causeway"


def attack_rows(board: Board, battle: Battle) -> list[Row]:
    """25.3.1 Return the strength that each committed unit adds."""
    units = [board.units[id] for id in battle.attackers if id in board.units]
    objective = battle.objective
    return [Row(unit.id, unit.attack, tuple(attack_factors(board, unit, objective)), "25.3.1") for unit in units]


def attack_total(rows: Sequence[Row]) -> int:
    """25.3.1.3 Return the attack total, rounded down once."""
    return int(sum((row.value for row in rows), Fraction(0)))


# --- 25.3.2 defense ------------------------------------------------------------------------------------------


def defense_factors(board: Board, unit: Unit) -> Iterator[Factor]:
    """25.3.2.1, 25.3.2.2 Yield every factor that multiplies the defense strength of a maneuver unit."""
    if unit.piece.cs_out:
        yield Factor("25.3.2.1", "out of combat supply", HALF)
    if unit.piece.disrupted:
        yield Factor("25.3.2.1", "disrupted", HALF)
    if board.is_contaminated(unit.at):
        yield Factor("25.3.2.1", "strike marker", HALF)
    ground = ground_of(board, unit.at)
    if unit.card.soft and ground.soft_doubled:
        yield Factor("25.3.2.2", f"soft unit in {ground.key.replace('_', ' ')}", TWICE)


def contributes(unit: Unit) -> bool:
    """25.3.2.4 Return whether a maneuver unit adds strength: it must be neither on a train nor Engaged."""
    return unit.maneuver and not unit.piece.train and not unit.piece.engaged


def defense_rows(board: Board, battle: Battle) -> list[Row]:
    """25.3.2 Return the strength of each defender, of the city, and of unprotected artillery or headquarters."""
    side, objective = ENEMY[battle.side], battle.objective
    units = [board.units[id] for id in battle.defenders if id in board.units]
    rows = [Row(unit.id, unit.defense, tuple(defense_factors(board, unit))) for unit in units]
    if intrinsic := intrinsic_strength(board, objective, side):
        rows.append(Row(board.atlas.places[objective].city, intrinsic, rule="25.3.2.3"))
    here = board.at(objective, side)
    others = [unit for unit in here if not (unit.maneuver or unit.piece.train or unit.piece.engaged)]
    if others and not any(unit.maneuver for unit in here):
        rows.append(Row(others[0].id, others[0].defense, rule="25.2.7"))  # one of them, never modified
    return rows


def idle_reasons(board: Board, battle: Battle) -> Iterator[Finding]:
    """25.3.2.4, 25.2.5 Yield the units in the objective that add no strength, with the reasons."""
    here = board.at(battle.objective, ENEMY[battle.side])
    for unit in here:
        shut_out = contributes(unit) and unit.id not in battle.defenders
        train, engaged = bool(unit.piece.train), unit.piece.engaged
        behind = not unit.maneuver and any(other.maneuver for other in here)
        why = "on a train" if train else "engaged" if engaged else "behind maneuver units" if behind else ""
        if shut_out:
            yield Finding("25.2.5", inputs={"unit": unit.id, "why": "it cannot coordinate"}, result="adds nothing")
        elif why:
            rule = "25.2.6" if engaged else "25.3.2.4"
            yield Finding(rule, inputs={"unit": unit.id, "why": why}, result="adds nothing")


def intrinsic_strength(board: Board, hex: HexId, side: Any) -> int:
    """25.3.2.3 Return the intrinsic strength of a side's free city."""
    kind = board.city_class(hex)
    return board.data.charts.city(kind).intrinsic if kind and board.free_city(hex, side) else 0  # 30.3.1, 30.4.1


def defense_total(rows: Sequence[Row]) -> int:
    """25.3.2 Return the defense total, rounded up once, at least 1."""
    total = sum((row.value for row in rows), Fraction(0))
    return max(1, -int(-total // 1))

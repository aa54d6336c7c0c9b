"""23.2.2, 23.2.6 Air power windows: defensive strikes, and targets named when a strike is resolved.

23.2.2   AirDefense: up to two tactical points against the attackers of a battle
23.2.6   Targets: which units a strike hits
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import msgspec

from pbem.engine.rules.refusals import Objection, locate_objections
from pbem.engine.text.messages import say, say_n, several
from pbem.titles.nato.air.points import tactical_points
from pbem.titles.nato.air.strikes import most_points, target_objections, target_sets, value_of
from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.commands.pools import purse
from pbem.titles.nato.map.grid import HexId, is_hex
from pbem.titles.nato.player.deciding import Choosing, Window
from pbem.titles.nato.player.orders import AirStrike, Gun
from pbem.titles.nato.player.standing_orders import Clause, StandingOrders
from pbem.titles.nato.state import ENEMY, NatoState
from pbem.titles.nato.zones.airspace import airspace

MOST = 2
"""23.1.5, 23.2.2 The most points that may be spent on one hex, and in one battle."""


def reach_objections(board: Board, side: Side, strike: AirStrike) -> Iterator[Objection]:
    """23.1.3, 23.1.4 Object if tactical points are spent outside friendly and contested airspace."""
    if strike.hex not in board.atlas.places:
        yield Objection("23.2.4", say("{hex} is not on the map", hex=strike.hex))
    elif not strike.operational and airspace(board, strike.hex, side) == "enemy":  # 11.8.3, 23.1.6
        yield Objection("23.1.3", say("{hex} is enemy airspace", hex=strike.hex))


def points_objections(
    state: NatoState,
    side: Side,
    strikes: Sequence[AirStrike],
    *,
    besides: int = 0,
    shares: Mapping[str, int] | None = None,
) -> Iterator[Objection]:
    """23.1.7 Object if there are not enough points; chemical strikes also cost tactical points."""
    purses = {"tactical": tactical_points(state, side), "operational": state.operational.get(side, 0)}
    for kind, have in (purses if shares is None else shares).items():
        wanted = sum(strike.operational is (kind == "operational") for strike in strikes)  # 23.1.6
        wanted += besides if kind == "tactical" else 0
        if wanted > have:
            yield Objection(
                "23.1.7",
                say_n(
                    "your strikes need {n} {kind} point; you have {have}",
                    "your strikes need {n} {kind} points; you have {have}",
                    n=wanted,
                    kind=kind,
                    have=have,
                ),
            )


def hex_objections(board: Board, side: Side, hex: HexId, strikes: Sequence[AirStrike]) -> Iterator[Objection]:
    """23.1.5 Yield the objections to the number of points spent on one hex."""
    here = [unit for unit in board.at(hex, ENEMY[side]) if not unit.card.hq]
    steps = sum(unit.steps for unit in here)
    hqs = sum(unit.card.hq for unit in board.at(hex, ENEMY[side]))
    hqs = min(hqs, sum(strike.operational for strike in strikes))
    if not board.at(hex, ENEMY[side]):
        yield Objection("23.1.5", say("there is no enemy unit in {hex}", hex=hex))
    elif not here and not hqs:
        yield Objection("23.1.4", say("only operational points can strike the headquarters in {hex}", hex=hex))
    elif len(strikes) > MOST or len(strikes) > most_points(steps) + hqs:
        yield Objection(
            "23.1.5",
            say_n(
                "{hex} holds only {n} step, so {strikes} points are too many",
                "{hex} holds only {n} steps, so {strikes} points are too many",
                n=steps,
                hex=hex,
                strikes=len(strikes),
            ),
        )


def named_objections(
    board: Board, side: Side, strikes: Sequence[AirStrike | Gun], *, name: str = "air"
) -> Iterator[Objection]:
    """20.0, 23.1.5, 24.1 Object to named targets that a strike could not hit; headquarters need operational points
    (23.1.4, 29.2.2).
    """
    struck: list[str] = []
    for number, strike in enumerate(strikes):
        units = [board.units[id] for id in strike.targets if id in board.units]
        for id in strike.targets:
            if id not in board.units and id not in board.state.sites:
                yield Objection(
                    "23.1.5", say("{unit} is not an enemy unit in {hex}", unit=id, hex=strike.hex), (name, number)
                )
        found = target_objections(board, strike.hex, units, side, struck) if units else ()
        yield from locate_objections((name, number), found)
        if any(unit.card.hq for unit in units) and not (isinstance(strike, AirStrike) and strike.operational):
            yield Objection("23.1.4", say("only operational points can strike headquarters"), (name, number))
        struck += [unit.id for unit in units]


class AirDefense(Window[tuple[AirStrike, ...]], kind="air defense", rule="23.2.2"):
    """23.2.2 The choice of NATO's air strikes on the attackers of a battle."""

    Answer = tuple[AirStrike, ...]
    nothing = ()
    topics = ("air",)

    @cached_property
    def targets(self) -> dict[HexId, list[Unit]]:
        """Return the committed units that tactical points can reach, by hex."""
        found: dict[HexId, list[Unit]] = {}
        for id in self.battle.attackers:
            unit = self.board.units.get(id)
            if unit is not None and airspace(self.board, unit.at, self.side) != "enemy":
                found.setdefault(unit.at, []).append(unit)
        return found

    @cached_property
    def points(self) -> int:
        """35.8.1 Return the tactical points that the seat may spend on this battle."""
        return purse(self.board, self.seat, "tactical")

    def best(self, points: int) -> tuple[AirStrike, ...]:
        """Return the most promising strikes, chosen one after the other."""
        chosen: list[AirStrike] = []
        struck: list[str] = []
        for _ in range(min(points, self.points)):
            sets = [
                (value_of(units), hex, [unit.id for unit in units])
                for hex in sorted(self.targets)
                for units in target_sets(self.board, hex, self.side, struck)
                if all(unit.id in self.battle.attackers for unit in units)
            ]
            sets = [
                found
                for found in sets
                if not any(self.objections((*chosen, AirStrike(found[1], targets=tuple(found[2])))))
            ]
            if not sets:
                break
            _, hex, ids = max(sets)
            chosen.append(AirStrike(hex, targets=tuple(ids)))
            struck += ids
        return tuple(chosen)

    def options(self) -> Iterator[tuple[AirStrike, ...]]:
        yield ()
        for points in (1, 2):
            if len(found := self.best(points)) == points:
                yield found

    def words_of(self, answer: tuple[AirStrike, ...]) -> list[str]:
        return [word for strike in answer for word in (strike.hex, *strike.targets)]

    def from_words(self, words: list[str]) -> Any:
        """Read strikes: hexes, each followed by its targets."""
        names = {id.lower(): id for id in self.battle.attackers}
        found: list[dict[str, Any]] = []
        for word in words:
            if is_hex(word):
                found.append({"hex": word, "targets": []})
            elif found:
                found[-1]["targets"].append(names.get(word.lower(), word))
        return found

    def objections(self, answer: tuple[AirStrike, ...]) -> Iterator[Objection]:
        if len(answer) > MOST:
            yield Objection("23.2.2", say("at most {most} points can defend in one battle", most=MOST))
        yield from points_objections(self.view, self.side, answer, shares={"tactical": self.points, "operational": 0})
        struck: list[str] = []
        for number, strike in enumerate(answer):
            yield from locate_objections((number,), self.strike_objections(strike, struck))
            struck += strike.targets
        for hex in sorted({strike.hex for strike in answer}):
            here = [unit for unit in self.board.at(hex, self.enemy) if not unit.card.hq]
            points, steps = sum(one.hex == hex for one in answer), sum(unit.steps for unit in here)
            if points > most_points(steps):
                yield Objection(
                    "23.1.5",
                    say_n(
                        "{hex} holds only {n} step, so at most one point can be spent on it",
                        "{hex} holds only {n} steps, so at most one point can be spent on it",
                        n=steps,
                        hex=hex,
                    ),
                )

    def strike_objections(self, strike: AirStrike, struck: Sequence[str]) -> Iterator[Objection]:
        """23.2.2.1 Object to striking units that are not committed to this battle."""
        yield from reach_objections(self.board, self.side, strike)
        if strike.operational:
            yield Objection("23.1.4", say("operational points cannot defend"))
        unknown = [id for id in strike.targets if id not in self.battle.attackers or id not in self.board.units]
        if unknown:
            yield Objection(
                "23.2.2.1", say("{unknown} is not taking part in this attack", unknown=several(unknown, "unit"))
            )
            return
        units = [self.board.units[id] for id in strike.targets]
        yield from target_objections(self.board, strike.hex, units, self.side, struck)

    def by_clause(self, clause: Clause, orders: StandingOrders) -> Iterator[tuple[AirStrike, ...]]:
        kept = max((other.number for other in orders.on("air") if other.choice == "keep"), default=0)
        if clause.choice == "never":
            yield ()
        elif clause.choice == "spend":
            free = self.points - kept
            if free > 0 and (found := self.best(min(clause.number, free))):
                yield found


class TargetsAbout(msgspec.Struct, frozen=True):
    """23.2.6 The hex that is struck, the units already struck, and the units named in the order."""

    hex: HexId
    struck: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    hq: bool = False


class Targets(Choosing[tuple[str, ...]], kind="targets", rule="23.2.6"):
    """23.2.6 The choice of the units that a strike hits, made when it is resolved."""

    Answer = tuple[str, ...]
    About = TargetsAbout
    nothing = ()
    grade = "detail"

    def options(self) -> Iterator[tuple[str, ...]]:
        """Yield the units that the order named, then all other targets, most promising first."""
        about = self.about
        sets = target_sets(self.board, about.hex, self.side, about.struck, hq=about.hq)
        found = [tuple(unit.id for unit in units) for units in sets]
        yield from sorted(found, key=lambda ids: set(ids) != set(about.named))

    def default(self) -> tuple[str, ...]:
        return next(self.options(), ())

    def objections(self, answer: tuple[str, ...]) -> Iterator[Objection]:
        units = [self.board.units[id] for id in answer if id in self.board.units]
        if len(units) < len(answer):
            yield Objection("23.1.5", say("a target is no longer in play"))
        elif any(unit.card.hq for unit in units) and not self.about.hq:
            yield Objection("23.1.4", say("only operational points can strike headquarters"))
        else:
            yield from target_objections(self.board, self.about.hex, units, self.side, self.about.struck)

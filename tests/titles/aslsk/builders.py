"""Builders for test situations: a small map, a few units, and scripted dice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from titles.aslsk.ground.building import a_ground

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.table import Table
from pbem.titles.aslsk.cards.deck import deck
from pbem.titles.aslsk.cards.files import packaged
from pbem.titles.aslsk.cards.scenario import Goal, Group, Scenario, Side
from pbem.titles.aslsk.cards.scenario_files import BOARDS, TERRAIN
from pbem.titles.aslsk.cards.terrain import read_terrain
from pbem.titles.aslsk.close_combat.table import read_combat_table
from pbem.titles.aslsk.data_set import AslskData, Options, vehicle_arms
from pbem.titles.aslsk.fire.table import read_fire_table
from pbem.titles.aslsk.ground.board import read_board
from pbem.titles.aslsk.ground.joining import Placed, join_boards
from pbem.titles.aslsk.ground.terrain import Ground
from pbem.titles.aslsk.movement.allowance import allowance_of
from pbem.titles.aslsk.orders import Leg
from pbem.titles.aslsk.state import AslskState, Driving, Going, Mover, Unit, Vehicle, Weapon
from pbem.titles.aslsk.tabletop import AslskTable, as_aslsk_table

GERMAN, RUSSIAN = "german", "russian"
CARDS = {
    "467": "german-467", "447g": "german-447", "548": "german-548", "436": "german-436", "247": "german-half-247",
    "447": "russian-447", "527": "russian-527", "426": "russian-426", "458": "russian-458", "628": "russian-628",
    "228": "german-crew", "227": "american-crew", "r228": "russian-crew",
    "666": "american-666", "747": "american-747", "536": "american-536",
}  # fmt: skip
"""Cards by the short names that tests use."""


class GivenDice:
    """Dice listed by rule; a rule without a list rolls 1, 2, 3 and so on."""

    def __init__(self, given: Mapping[str, Iterable[int]]) -> None:
        self.given: dict[str, Iterator[int]] = {rule: iter(list(dice)) for rule, dice in given.items()}
        self.count = 0

    def roll(self, sides: int, rule: str, subjects: tuple[str, ...], *, secret: bool) -> int:
        if rule in self.given:
            die = next(self.given[rule], None)
            if die is not None:
                assert 1 <= die <= sides, f"{rule} rolls a die of {sides} sides, not {die}"
                return die
        self.count += 1
        return self.count % sides + 1


def board_ground(id: str, month: int = 7) -> Ground:
    """Return a packaged board as a map of its own."""
    board = read_board(packaged(f"{BOARDS}{id}.toml"), f"board {id}")
    return Ground(board.name, join_boards([Placed(board)]), month, read_terrain(packaged(TERRAIN)))


def card_id(short: str) -> str:
    if short in CARDS:
        return CARDS[short]
    side, _, leader = short.partition(" ")
    nation = {"g": "german", "r": "russian", "a": "american"}[side]
    return f"{nation}-leader-{leader.replace('-', '').replace('+', '')}"


def the_data(ground: Ground, *, elr: int = 3, goals: tuple[Goal, ...] = (), **options: Any) -> AslskData:
    """A data set with two sides, in which every hex is a set-up area for both."""
    hexes = tuple(ground.hexes)
    groups = tuple(Group(seat[0], seat, seat, elr, area=hexes) for seat in (GERMAN, RUSSIAN))
    sides = tuple(Side(seat, seat.title(), seat, "north", elr) for seat in (GERMAN, RUSSIAN))
    scenario = Scenario(
        name="test",
        text="",
        date="1943-07",
        turns=3,
        half_turn=False,
        first=GERMAN,
        setup_first=RUSSIAN,
        layout=(),
        sides=sides,
        groups=groups,
        victory=goals or (Goal(GERMAN, "casualties", 3),),
        rules=(),
        tier="infantry",
    )
    fire_table = read_fire_table(packaged("fire_table.toml"))
    combat_table = read_combat_table(packaged("close_combat.toml"))
    return AslskData(ground, deck(), fire_table, combat_table, scenario, Options(**options))


def unit_of(id: str, short: str, at: str, **more: Any) -> Unit:
    seat = RUSSIAN if id.startswith("r") else GERMAN
    return Unit(id=id, seat=seat, card=card_id(short), group=seat[0], at=at, **more)


def tank_of(id: str, card: str, at: str, facing: int, **more: Any) -> Vehicle:
    """Build a vehicle that faces a hexspine; its turret faces the same way unless another facing is given."""
    seat = RUSSIAN if id.startswith("r") else GERMAN
    turret = more.pop("tca", facing)
    return Vehicle(id=id, seat=seat, card=card, group=seat[0], at=at, vca=facing, tca=turret, **more)


def driving(table: AslskTable, id: str, *trail: tuple[str, int], **going: Any) -> None:
    """Make a vehicle the mover, given the hexes of its trail and the half MP spent in each."""
    vehicle = table.state.vehicles[id]
    spent = sum(points for _, points in trail)
    more = {"stopped": False, "started": True, "entered": spent, **going}
    hexes, here = max(0, len(trail) - 1), trail[-1][1] if trail else 0
    vehicle.going = Driving(
        allowance=2 * table.situation.vehicle_card(vehicle).mp,
        spent=spent,
        here=here,
        hexes=hexes,
        trail=list(trail) or [(vehicle.at, 0)],
        **more,
    )
    vehicle.moving = vehicle.moving or hexes > 0
    table.state.mover = Mover(units=[id], stack=[id], line=0, at=vehicle.at, expenditures=1, drives=True)


def a_table(
    units: Mapping[str, tuple[str, str]],
    *,
    dice: Mapping[str, Iterable[int]] | None = None,
    ground: Ground | None = None,
    weapons: Mapping[str, tuple[str, str]] | None = None,
    phase: str = "prep",
    attacker: str = GERMAN,
    elr: int = 3,
    states: Mapping[str, Mapping[str, Any]] | None = None,
    facings: Mapping[str, int] | None = None,
    emplaced: bool = True,
    vehicles: Mapping[str, tuple[str, str, int]] | None = None,
    armour: Mapping[str, Mapping[str, Any]] | None = None,
    date: str = "",
    **options: Any,
) -> AslskTable:
    """Build a table with units (`id: (card, hex)`), weapons (`id: (card, holder)`) and given dice."""
    data = the_data(ground or a_ground(), elr=elr, **options)
    if date:
        data.scenario = msgspec.structs.replace(data.scenario, date=date)
    tanks = {
        id: tank_of(id, card, at, facing, **(armour or {}).get(id, {}))
        for id, (card, at, facing) in (vehicles or {}).items()
    }
    arms = {
        f"{id}{card.partition(':')[2]}": Weapon(id=f"{id}{card.partition(':')[2]}", card=card, holder=id)
        for id, tank in tanks.items()
        for card in vehicle_arms(data.deck.vehicles[tank.card])
    }
    guns = dict(facings or {})
    state = AslskState(
        phase=phase,  # type: ignore[arg-type]
        attacker=attacker,
        units={id: unit_of(id, short, at, **(states or {}).get(id, {})) for id, (short, at) in units.items()},
        weapons={
            id: Weapon(id=id, card=card, holder=holder, facing=guns.get(id, -1), emplaced=id in guns and emplaced)
            for id, (card, holder) in (weapons or {}).items()
        }
        | arms,
        vehicles=tanks,
    )
    return as_aslsk_table(Table(state, GivenDice(dice or {}), data))


def moving_in(table: AslskTable, ids: Iterable[str], spent: int = 2, **going: Any) -> None:
    """Make these units the stack that has just entered its present hex."""
    state = table.state
    units = [state.units[id] for id in ids]
    for unit in units:
        allowance = allowance_of(table.situation, unit, units)
        unit.going = Going(allowance=allowance, basic=allowance, spent=spent, here=spent, hexes=1, **going)
    names = [unit.id for unit in units]
    state.mover = Mover(units=names, stack=list(names), line=0, at=units[0].at, expenditures=1)


def enter(*hexes: str) -> tuple[Leg, ...]:
    return tuple(Leg("enter", hex) for hex in hexes)


def carried(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Return the modifiers and factors that findings name, each as a finding under its own rule."""
    for finding in findings:
        for row in finding.modifiers:
            yield Finding(row["rule"], inputs={"text": row["text"]}, result=row["value"])
        for id, share in finding.inputs.get("shares", {}).items():
            for rule, why in zip(share["rules"], share["factors"], strict=True):
                yield Finding(rule, inputs={"component": id, "text": why}, result=share["fp"])
        yield from carried(finding.children)

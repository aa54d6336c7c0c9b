"""1 All data that a match is played with: ground, cards, tables, scenario and options, frozen when it is created.

    1.3     AslskData: where and when units set up or enter
    ----    Options, freeze, data_set

Only `freeze` reads packaged files.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from typing import Any, Final, Literal

import msgspec

from pbem.engine.rules.refusals import Illegal, Objection, Unreadable
from pbem.engine.text.messages import say
from pbem.titles.aslsk.cards.charts import CHART_FILES, Charts, read_charts
from pbem.titles.aslsk.cards.charts import charts as packaged_charts
from pbem.titles.aslsk.cards.deck import Deck
from pbem.titles.aslsk.cards.files import packaged
from pbem.titles.aslsk.cards.scenario import Group, Scenario
from pbem.titles.aslsk.cards.scenario_files import Loaded, packaged_scenarios, read_scenario, scenario_files
from pbem.titles.aslsk.cards.vehicles import VehicleCard
from pbem.titles.aslsk.cards.weapons import GunCard, WeaponCard
from pbem.titles.aslsk.close_combat.table import CombatTable, read_combat_table
from pbem.titles.aslsk.fire.table import FireTable, read_fire_table
from pbem.titles.aslsk.ground.terrain import Ground
from pbem.titles.aslsk.state import Piece, Unit

TABLES: Final = ("fire_table", "close_combat")


class Options(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """by-mail, 3.2.1 The options that the players of a match agree on."""

    los: Literal["printed", "open"] = "printed"
    tempo: Literal[1, 3, 4] = 3
    waves: Literal["each", 2, 3, 4] = "each"


class AslskData:
    """The data of a match, with queries about set-up and entry."""

    def __init__(
        self,
        ground: Ground,
        deck: Deck,
        fire_table: FireTable,
        combat_table: CombatTable,
        scenario: Scenario,
        options: Options = Options(),  # noqa: B008
        charts: Charts | None = None,
    ) -> None:
        self.charts = charts or packaged_charts()
        self.ground, self.deck, self.scenario, self.options = ground, deck, scenario, options
        self.fire_table, self.combat_table = fire_table, combat_table

    @cached_property
    def seats(self) -> tuple[str, ...]:
        return tuple(side.id for side in self.scenario.sides)

    @cached_property
    def arms(self) -> dict[str, WeaponCard]:
        """1.2.4, 1.2.6 All weapons (support weapons, Guns and vehicle weapons), numbered in one series."""
        found = {**self.deck.weapons, **{id: as_weapon(card) for id, card in self.deck.guns.items()}}
        for card in self.deck.vehicles.values():
            found |= vehicle_arms(card)
        return found

    @cached_property
    def groups(self) -> dict[str, Group]:
        return {group.id: group for group in self.scenario.groups}

    @cached_property
    def cards_at_start(self) -> dict[str, str]:
        """1.2 The card of each unit before play, so that a film can show which units have been reduced or
        replaced.
        """
        return {piece.id: piece.card for group in self.scenario.groups for piece in group.units}

    def elr(self, group: str, seat: str) -> int:
        """5.1 The ELR of a group; leaders created in play belong to the group of their unit."""
        return (
            self.groups[group].elr
            if group in self.groups
            else next(s.elr for s in self.scenario.sides if s.id == seat)
        )

    def group_of(self, unit: Piece) -> Group | None:
        return self.groups.get(unit.group)

    def area(self, unit: Piece) -> tuple[str, ...]:
        """1.3 The hexes where a unit may set up; none if it enters later."""
        group = self.group_of(unit)
        return tuple(group.area) if group is not None and not group.entry else ()

    def entry_hexes(self, unit: Piece) -> tuple[str, ...]:
        """3.3/entry-exit The hexes where a unit may enter the map."""
        group = self.group_of(unit)
        return tuple(group.entry) if group is not None else ()

    def may_enter(self, unit: Piece, turn: int) -> bool:
        """3.3/entry-exit Whether a unit may enter in this game turn."""
        group = self.group_of(unit)
        return group is not None and bool(group.entry) and turn >= group.turn

    @cached_property
    def _exits(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for goal in self.scenario.victory:
            if goal.kind == "exit":
                hexes = tuple(goal.hexes) or self.ground.edge_hexes(goal.edge)  # type: ignore[arg-type]
                found[goal.side] = (*found.get(goal.side, ()), *hexes)
        return found

    def exit_hexes(self, seat: str) -> tuple[str, ...]:
        """3.3/entry-exit The hexes where a side may leave the map to meet its victory conditions."""
        return self._exits.get(seat, ())

    def starting_control(self, place: str) -> str:
        """1.3 The side that controls a hex or building at the start, because it sets up there."""
        hexes = self.ground.building_hexes(place) if place in self.ground.buildings else (place,)
        for group in self.scenario.groups:
            if not group.entry and set(hexes) & set(group.area):
                return str(group.side)
        return ""

    @cached_property
    def _weapon_groups(self) -> dict[str, Group]:
        return {piece.id: group for group in self.scenario.groups for piece in (*group.weapons, *group.guns)}

    def weapon_seat(self, weapon: str) -> str:
        group = self._weapon_groups.get(weapon)
        return group.side if group is not None else ""

    def weapon_group(self, weapon: str) -> str:
        group = self._weapon_groups.get(weapon)
        return group.id if group is not None else ""

    def ready_facing(self, weapon: str) -> int:
        """3.2.4 The facing that the scenario proposes for a Gun or vehicle; if it proposes none, the facing away from
        the side's edge.
        """
        for group in self.scenario.groups:
            for piece in (*group.guns, *group.vehicles):
                if piece.id == weapon:
                    away = {"west": 0, "east": 3, "north": 4, "south": 1}[self.scenario.side(group.side).edge]
                    return piece.facing if piece.facing >= 0 else away
        return -1

    @cached_property
    def _places(self) -> dict[str, str]:
        return {piece.id: piece.at for group in self.scenario.groups for piece in group.pieces}

    def ready_hex(self, unit: Piece) -> str:
        """1.3 The set-up hex that the scenario proposes for a unit."""
        return self._places.get(unit.id, "")

    def ready_holder(self, weapon: str, units: Iterable[Unit]) -> str:
        """1.3 The MMC that should hold a weapon: one in the hex that the scenario proposes for the weapon."""
        place = self._places.get(weapon, "")
        there = [unit for unit in units if place and self._places.get(unit.id) == place]
        return next((unit.id for unit in there if self.deck.units[unit.card].kind != "leader"), "")


def as_weapon(gun: GunCard) -> WeaponCard:
    """1.2.6 A Gun as a weapon card without FP of its own; it is never carried."""
    return WeaponCard(
        id=gun.id,
        nation=gun.nation,
        kind="mortar" if gun.mortar else "gun",  # type: ignore[arg-type]
        name=gun.name,
        fp=0,
        range=gun.range or NO_LIMIT,
        min_range=gun.min_range,
        rof=gun.rof,
        pp=0,
        breakdown=gun.breakdown,
        number="B",
        repair=gun.repair,
        calibre=gun.calibre,
        length=gun.length,
        to_hit=(),
        kill=0,
        since="",
        supplies=gun.supplies,
        source=gun.source,
    )


NO_LIMIT: Final = 99
MG_RANGES: Final = {"bmg": 8, "cmg": 12, "aamg": 8, "rmg": 8}
"""7.8 The normal ranges of vehicular machine guns."""


def vehicle_arms(card: VehicleCard) -> dict[str, WeaponCard]:
    """7.2, 7.8 The weapons of a vehicle: main armament and machine guns; an MG that is its main armament is listed
    once.
    """
    strengths = {"bmg": card.bmg, "cmg": card.cmg, "aamg": card.aamg, "rmg": card.rmg}
    found: dict[str, WeaponCard] = {}
    for kind, fp in (("ma", 0 if card.mg_armed else 1), *strengths.items()):
        if not fp:
            continue
        is_main = kind == card.main
        found[f"{card.id}:{kind}"] = WeaponCard(
            id=f"{card.id}:{kind}",
            nation=card.nation,
            kind=kind,  # type: ignore[arg-type]
            name=f"{card.calibre}{card.length}" if kind == "ma" else kind.upper(),
            fp=0 if kind == "ma" else fp,
            range=MG_RANGES.get(kind, NO_LIMIT),
            min_range=0,
            rof=card.rof if is_main else 0,
            pp=0,
            breakdown=card.breakdown if is_main else 12,
            number="B",
            repair=1,
            calibre=card.calibre if kind == "ma" else 0,
            length=card.length if kind == "ma" else "",
            to_hit=(),
            kill=0,
            since="",
            supplies=card.supplies if kind == "ma" else (),
            source=card.source,
        )
    return found


def read_options(options: Mapping[str, Any]) -> Options:
    """by-mail Read the options `los`, `tempo` and `waves`, or refuse them."""
    given = dict(options)
    for name in ("tempo", "waves"):
        if isinstance(given.get(name), str) and str(given[name]).isdigit():
            given[name] = int(given[name])
    try:
        return msgspec.convert(given, Options)
    except msgspec.ValidationError as error:
        raise Unreadable(
            "options", [Objection("11/orders", say("an option could not be read: {error}", error=error))]
        ) from error


def freeze(scenario: str, options: Mapping[str, Any], own: Mapping[str, bytes] | None = None) -> dict[str, bytes]:
    """1.3 The files of a scenario with its boards, cards and tables, and the options."""
    blobs = {
        **scenario_files(scenario, dict(own or {})),
        **{name: packaged(f"{name}.toml") for name in TABLES},
        "options": msgspec.json.encode(read_options(options), order="sorted"),
    }
    loaded = read_scenario(blobs)
    if missing := not_played(loaded):
        why = Objection("1.3", say("the rules for {missing} are not implemented yet", missing=", ".join(missing)))
        raise Illegal(loaded.scenario.name, [why])
    data_set(blobs)
    return blobs


@cache
def playable_scenarios() -> tuple[str, ...]:
    """1.3 The packaged scenarios whose rules are fully implemented."""
    return tuple(name for name in packaged_scenarios() if not not_played(read_scenario(scenario_files(name))))


def not_played(loaded: Loaded) -> list[str]:
    """1.3 The counters of a scenario whose rules are not implemented yet."""
    missing: list[str] = []
    for group in loaded.scenario.groups:
        missing += [piece.id for piece in group.weapons if loaded.deck.weapons[piece.card].kind not in PLAYED]
    return missing


PLAYED: Final = ("lmg", "mmg", "hmg", "atr", "ft", "dc", "baz", "psk", "piat", "mortar")
"""The kinds of support weapons whose rules are implemented."""


def data_set(blobs: Mapping[str, bytes]) -> AslskData:
    """The match data read from frozen blobs."""
    loaded = read_scenario(blobs)
    return AslskData(
        loaded.ground,
        loaded.deck,
        read_fire_table(blobs["fire_table"]),
        read_combat_table(blobs["close_combat"]),
        loaded.scenario,
        msgspec.json.decode(blobs["options"], type=Options),
        read_charts({name: blobs[name] for name in CHART_FILES}),
    )

"""1.0 Everything one match is played with: map, charts, cards and scenario, frozen at its creation.

    PanzerData      what the rules see on the table as `table.data`
    freeze          the packaged files of a scenario, as named blobs
    data_set        the data in such blobs; matches with the same blobs share it

A scenario of the advanced game brings its charts and cards along (`advanced.data_set`).

An owner of the game may freeze other charts, cards or maps under the same names: nothing here reads packaged
files except `freeze`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, cast

import msgspec

from pbem.engine.geometry.hexes import Hex
from pbem.engine.rules.refusals import Illegal, Objection, Refusal, Refusals, Unreadable
from pbem.titles.panzer.advanced_cards import CARD_FILES
from pbem.titles.panzer.advanced_charts import ADVANCED_FILES
from pbem.titles.panzer.board import Board
from pbem.titles.panzer.cards import Card, read_cards
from pbem.titles.panzer.charts import (
    CHART_FILES,
    EDITIONS,
    PROHIBITED,
    TRACTIONS,
    Charts,
    Edition,
    nearest,
    packaged,
    read_charts,
    read_toml,
    with_switches,
)
from pbem.titles.panzer.scenario import Scenario, is_advanced, load_scenario, packaged_scenarios
from pbem.titles.panzer.state import PanzerState, Vehicle

CARDS: Final = "cards"
CHARTS: Final = "charts/"
ADVANCED_CARDS: Final = "cards/"
OPTIONS: Final = ("edition",)
ADVANCED_OPTIONS: Final = ("edition", "rules", "without")
"""AG, 7.0 The advanced game also lets its makers add optional rules and leave others out."""


@dataclass(frozen=True)
class PanzerData:
    """1.0 The frozen data of a match."""

    board: Board
    charts: Charts
    cards: Mapping[str, Card]
    scenario: Scenario
    edition: Edition

    def armed(self, vehicle: Vehicle) -> bool:
        """3.6, 4.1.1 Whether it counts as a combat unit, which takes objectives."""
        return self.cards[vehicle.card].armed

    def drives(self, vehicle: Vehicle) -> bool:
        """3.6 Whether it is a vehicle; in the basic game every unit is."""
        return True

    def closed(self, state: PanzerState, hex: Hex) -> bool:
        """3.6 Whether nobody may enter a hex: it is closed to every traction, and no road leads in."""
        terrain = self.board.terrain(hex)
        closed = all(self.charts.entry_cost(terrain, traction) == PROHIBITED for traction in TRACTIONS)
        return closed and not self.board.links(hex)

    def support_lost(self, state: PanzerState, side: str) -> int:
        """R-04 Points for what the other side has lost off the map; the basic game has nothing there."""
        return 0


def freeze(scenario: str, options: Mapping[str, Any]) -> dict[str, bytes]:
    """1.0 The packaged files of a scenario; the option `edition` plays it by the other book."""
    check_options(scenario, options)
    setup = packaged(f"scenarios/{scenario}.toml")
    map_name = read_toml(setup, scenario)["map"]
    return {
        "scenario": setup,
        "map": packaged(f"maps/{map_name}.toml"),
        "cards": packaged("cards.toml"),
        **{CHARTS + name: packaged(name) for name in CHART_FILES},
        **(advanced_files() if is_advanced(setup) else {}),
        "options": msgspec.json.encode(dict(options), order="sorted"),
    }


def advanced_files() -> dict[str, bytes]:
    """5.0 What the advanced game is played with beside the files of the basic game."""
    return {CHARTS + name: packaged(name) for name in ADVANCED_FILES} | {
        ADVANCED_CARDS + name: packaged(name) for name in CARD_FILES
    }


def options_of(scenario: str) -> tuple[str, ...]:
    """1.0 What can be chosen for a scenario."""
    return ADVANCED_OPTIONS if is_advanced(packaged(f"scenarios/{scenario}.toml")) else OPTIONS


def check_options(scenario: str, options: Mapping[str, Any]) -> None:
    """1.0 There must be such a scenario, and only what its game lets one choose can be chosen."""
    refusals: list[Refusal] = []
    known = scenario in packaged_scenarios()
    if not known:
        refusals.append(_unknown("scenario", scenario, packaged_scenarios()))
    legal = options_of(scenario) if known else OPTIONS
    for name in sorted(options):
        if known and name in ADVANCED_OPTIONS and name not in legal:
            refusals.append(Illegal(name, [Objection("7.0", f"{scenario} is played by the basic game alone")]))
        elif name not in legal:
            refusals.append(_unknown("option", name, legal))
    if options.get("edition", EDITIONS[0]) not in EDITIONS:
        refusals.append(_unknown("edition", str(options["edition"]), EDITIONS))
    if refusals:
        raise refusals[0] if len(refusals) == 1 else Refusals(refusals)


def _unknown(what: str, name: str, legal: tuple[str, ...]) -> Unreadable:
    near = nearest(name, legal)
    return Unreadable(name, [Objection("2.0", f"there is no {what} of this name")], [near] if near else legal)


def data_set(blobs: Mapping[str, bytes]) -> PanzerData:
    """1.0 The data in a match's blobs."""
    return _data_set(tuple(sorted(blobs.items())))


@lru_cache(maxsize=32)
def _data_set(blobs: tuple[tuple[str, bytes], ...]) -> PanzerData:
    """Reading takes a while and what is read never changes, so equal blobs are read once."""
    files = dict(blobs)
    cards = read_cards(files["cards"], "cards")
    setup = files["scenario"]
    chart_files = {name: files[CHARTS + name] for name in CHART_FILES}
    scenario = load_scenario(
        setup,
        {read_toml(setup, "scenario")["map"]: files["map"]},
        edition=_edition(files["options"]),
        cards=cards,
        chart_files=chart_files,
    )
    charts = read_charts(chart_files, scenario.edition)
    return PanzerData(
        board=scenario.board,
        charts=with_switches(charts, scenario.switches),
        cards=cards,
        scenario=scenario,
        edition=scenario.edition,
    )


def _edition(options: bytes) -> Edition | None:
    """The edition chosen at creation, if any; else the scenario's own."""
    return cast(Edition | None, msgspec.json.decode(options).get("edition"))

"""Battles of a campaign: vehicles from rosters in a scenario's slots, and their fates.

    C1  packaged_battles, battle_blobs   scenarios with slots, frozen like any other
    C2  muster                           the vehicles of the rosters take the places of the slots, in their order
    C3  fates                            one fate for every vehicle that was mustered
    C4  deeds                            which vehicle destroyed which, from the findings of the match

A scenario with slots is a scenario of the advanced game (`data/SCENARIOS.md`) with no units on its sides, and with

    [[slot]]     id, side, formation, count, and either hexes, facing, area or turn, entry
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final

import msgspec

from pbem.engine.rules.findings import Finding
from pbem.engine.text.toml_text import to_toml
from pbem.titles.data_files import DataError, nearest
from pbem.titles.panzer.cards.advanced_cards import advanced_cards
from pbem.titles.panzer.cards.charts import CHART_FILES
from pbem.titles.panzer.cards.files import Mistake, packaged, packaged_names, read_toml
from pbem.titles.panzer.freezing import BATTLE_OPTIONS, CHARTS, advanced_files, option_refusals
from pbem.titles.panzer.state import PanzerState, Status, Unit

DESTROYED: Final = ("ko", "bu", "eliminated")
"""6.5.2.5, 6.5.4.4.3 The results of fire that remove a unit from the map."""
PLACING: Final = ("facing", "area", "turn", "entry")


def packaged_battles() -> tuple[str, ...]:
    """C1 The names of the packaged scenarios with slots."""
    return packaged_names("battles")


def battle_blobs(scenario: str, options: Mapping[str, Any]) -> dict[str, bytes]:
    """C1 All data for a battle, with its slots still empty."""
    if scenario not in packaged_battles():
        near = nearest(scenario, packaged_battles())
        raise DataError("battles", [Mistake(scenario, "no scenario with slots has that name.", near, "C1")])
    for refusal in option_refusals(BATTLE_OPTIONS, options):
        raise refusal
    setup = packaged(f"battles/{scenario}.toml")
    return {
        "scenario": setup,
        "map": packaged(f"maps/{read_toml(setup, scenario)['map']}.toml"),
        "cards": packaged("cards.toml"),
        **{CHARTS + name: packaged(name) for name in CHART_FILES},
        **advanced_files(),
        "options": msgspec.json.encode(dict(options), order="sorted"),
    }


@cache
def vehicle_names() -> Mapping[str, str]:
    """C2 The names of all vehicles that a roster can hold, by card id."""
    return {id: row.card.name for id, row in advanced_cards().vehicles.items()}


def room(blobs: Mapping[str, bytes]) -> dict[str, int]:
    """C2 How many vehicles of each side fit into a battle."""
    tables = read_toml(blobs["scenario"], "battle")
    places = {side["id"]: 0 for side in tables["side"]}
    for slot in tables.get("slot", []):
        places[slot["side"]] += slot["count"]
    return places


def muster(blobs: Mapping[str, bytes], rosters: Mapping[str, Sequence[Any]]) -> dict[str, bytes]:
    """C2 Each side's vehicles fill its slots in the order in which they were sent."""
    tables = read_toml(blobs["scenario"], "battle")
    slots = tables.pop("slot", [])
    for side in tables["side"]:
        places = list(_places([slot for slot in slots if slot["side"] == side["id"]]))
        units = list(rosters.get(side["id"], ()))
        if len(units) > len(places):
            what = f"{len(units)} vehicles were sent, but there is room only for {len(places)}."
            raise DataError("battle", [Mistake(f"side {side['id']}", what, rule="C2")])
        side["units"] = [_row(unit, place) for unit, place in zip(units, places, strict=False)]
    return {**blobs, "scenario": to_toml(tables)}


def _places(slots: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    for slot in slots:
        same = {"formation": slot["formation"], **{key: slot[key] for key in PLACING if key in slot}}
        hexes = slot.get("hexes", [])
        for number in range(slot["count"]):
            yield {**same, **({"hex": hexes[number % len(hexes)]} if hexes else {})}


def _row(unit: Mapping[str, Any], place: Mapping[str, Any]) -> dict[str, Any]:
    row = {"id": unit["id"], "name": unit["name"], "card": unit["card"], "grade": unit["grade"], **place}
    return {**row, **({"damaged": True} if unit.get("damaged") else {})}


def fates(state: PanzerState) -> dict[str, dict[str, Any]]:
    """C3 One fate for every vehicle, by side."""
    winner = state.outcome.winner if state.outcome else None
    found: dict[str, dict[str, Any]] = {side: {} for side in state.sides}
    for unit in state.vehicles.values():
        found[unit.side][unit.id] = fate(unit, field_lost=winner not in (None, unit.side))
    return found


def fate(unit: Unit, *, field_lost: bool) -> dict[str, Any]:
    """C3 The fate of a vehicle; vehicles left on the field are salvaged by the side that holds it."""
    damage = 1 if unit.damaged or unit.track_hit else 0
    if unit.status is Status.ELIMINATED:
        return {"fate": "lost"}
    if unit.status in (Status.EXITED, Status.RESERVE):
        return {"fate": "withdrawn", "damage": damage}
    if unit.bailed_out:
        return {"fate": "captured"} if field_lost else {"fate": "damaged", "damage": 2}
    if unit.track_hit and field_lost:
        return {"fate": "missing"}
    return {"fate": "damaged", "damage": damage} if damage else {"fate": "fit"}


def deeds(findings: Iterable[Finding]) -> Iterator[tuple[str, str]]:
    """C4 Pairs of a vehicle and the vehicle it destroyed by fire."""
    for finding in findings:
        told = finding.inputs
        if "firer" in told and "target" in told and str(finding.result) in DESTROYED:
            yield str(told["firer"]), str(told["target"])
        else:
            yield from deeds(finding.children)

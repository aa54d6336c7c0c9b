"""Helpers for tests of GP fire."""

from __future__ import annotations

from typing import Any

from titles.panzer.advanced.builders import a_leg, a_tank, an_advanced_table
from titles.panzer.builders import Played, a_board, run_step

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.table import Table
from pbem.titles.panzer.cards.basic_rows import Edition
from pbem.titles.panzer.cards.board import Board
from pbem.titles.panzer.fire.gp_fire import resolve_gp
from pbem.titles.panzer.fire.gp_modifiers import Case, GpAttack, gp_modifiers
from pbem.titles.panzer.state import (
    Command,
    PanzerState,
)

GERMAN, BRITISH, SOVIET = "german_rifle_squad", "british_rifle_squad", "soviet_smg_squad"
TRUCK, CARRIER = "opel", "spw251"


def fire(table: Table[PanzerState], answers: Any = (), **attack: Any) -> Played:
    """Resolve GP fire and return its finding."""
    given: dict[str, Any] = {"kind": "df", "factor": 8, "column": "S", "effectiveness": 8, **attack}
    return run_step(table, resolve_gp(table, GpAttack(**given)), answers)


def small_arms(column: str) -> dict[str, Any]:
    return {"small_arms": True, "effectiveness": 0, "column": column}


def net(table: Table[PanzerState], target: str, **attack: Any) -> Finding:
    """6.5.4.3 Return the net modifier of an attack on a unit."""
    given: dict[str, Any] = {"kind": "df", "factor": 8, "column": "S", "target": target, **attack}
    unit = table.state.vehicles[target]
    assert unit.hex is not None
    return gp_modifiers(Case(table, GpAttack(**given), unit.hex, unit))


def ground(**places: str) -> Board:
    """An open board with other terrain in some hexes."""
    signs = dict(zip(places, "123456789", strict=False))
    return a_board(signs=signs, legend={signs[place]: terrain.split() for place, terrain in places.items()})


# --- 6.5.4.3 modifiers -----------------------------------------------------------------------------------------


def a_scene(edition: Edition, **more: Any) -> Table[PanzerState]:
    """A German squad and tank against a Soviet squad, a T-34 and an SU-76M, three hexes apart in the open."""
    soviet: dict[str, Any] = {"command": Command.FIRE, "revealed": True}
    return an_advanced_table(
        a_leg("g1", "C8", GERMAN, command=Command.FIRE),
        a_tank("g2", "C8", "pz3j", command=Command.FIRE),
        a_leg("s1", "C5", SOVIET, **soviet),
        a_tank("s2", "C5", "t34_76", **soviet),
        a_tank("s3", "C5", "su76m", **soviet),
        edition=edition,
        **more,
    )


def change(table: Table[PanzerState], unit: str, **values: Any) -> None:
    for name, value in values.items():
        setattr(table.state.vehicles[unit], name, value)


A_TYPE, P_TYPE, S_TYPE = "t34_76", "su76m", "zis5"  # defence 4, 2, 1

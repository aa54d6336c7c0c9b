"""6.6.6 Barrages: indirect fire attacks units in its pattern, and again when they move within it.

    6.5.1.13    attack_pattern: every unit in the pattern, when the fire lands
    6.6.6       barrage_attacks: units that move to a new hex inside it; search_attacks: units that search for cover
    6.6.6       reset_barrage_attacks: a new move begins, and each firer may attack once more

Only GP fire that has landed in this turn attacks; smoke and illumination do not.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import msgspec

from pbem.engine.geometry.hexes import Hex, hex_name
from pbem.engine.rules.ask import Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.table import Table
from pbem.titles.panzer.cards.basic_rows import RangeFactor
from pbem.titles.panzer.command import morale
from pbem.titles.panzer.fire.gp_fire import GpAttack, resolve_gp
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.sighting import hidden_units
from pbem.titles.panzer.state import Landed, Mission, PanzerState, Unit


def attack_pattern(table: Table[PanzerState], mission: Mission, landed: Landed) -> Step:
    """6.5.1.13 Attack every ground unit of either side and all vulnerable terrain in the pattern.

    Return the finding.
    """
    yield from hidden_units.reveal_in_pattern(table, landed.hexes)  # 7.2.2.3
    attack = GpAttack(
        kind="if",
        factor=landed.factor,
        column=cast(RangeFactor, landed.column),
        small_arms=landed.small_arms,
        effectiveness=landed.effectiveness,
        rule="6.5.1.13",
        firer=landed.firer,
        point=landed.point,
        hexes=landed.hexes,
        limited=landed.limited is True,
        planned=mission.planned,
        open_sheaf=landed.open,
    )
    return (yield from resolve_gp(table, attack))


def barrages_in(state: PanzerState, hex: Hex) -> Iterator[tuple[Mission, int, Landed]]:
    """6.6.6 This turn's GP fire that covers the hex, each with its mission and its position in that mission."""
    for mission in state.missions.values():
        if mission.type == "gp" and mission.done_in == state.turn:
            for number, landed in enumerate(mission.landed):
                if hex in landed.hexes:
                    yield mission, number, landed


def barrage_attacks(table: Table[PanzerState], unit: Unit) -> Step:
    """6.6.6 Attack a unit that has entered a new hex of a pattern. Each firer attacks it once per move.

    Return whether it was attacked.
    """
    assert unit.hex is not None
    attacked = False
    for mission, number, landed in list(barrages_in(table.state, unit.hex)):
        if unit.id in landed.attacked or not unit.alive:
            continue
        mark = msgspec.structs.replace(landed, attacked=(*landed.attacked, unit.id))
        mission.landed = (*mission.landed[:number], mark, *mission.landed[number + 1 :])
        yield from one_attack(table, mission, landed, unit, ledger_row(table.data.edition, "6.6.6/once-each"))
        attacked = True
    return attacked


def one_attack(table: Table[PanzerState], mission: Mission, landed: Landed, unit: Unit, rule: str) -> Step:
    """6.6.6 Attack with the GP factor of this turn's fire, without the modifier for moving vehicles."""
    assert unit.hex is not None
    event = morale.begin(table)
    attack = GpAttack(
        kind="barrage",
        factor=landed.factor,
        column=cast(RangeFactor, landed.column),
        small_arms=landed.small_arms,
        effectiveness=landed.effectiveness,
        rule="6.6.6",
        firer=landed.firer,
        target=unit.id,
        point=landed.point,
        limited=landed.limited is True,
        planned=mission.planned,
        voluntary=True,
        open_sheaf=landed.open,
    )
    inputs = {"unit": unit.id, "hex": hex_name(unit.hex), "firer": landed.firer, "mission": mission.id}
    hit = yield from resolve_gp(table, attack)
    why = Finding(rule, inputs={"unit": unit.id, "firer": landed.firer}, result="attacked")
    table.find("6.6.6", inputs=inputs, result=hit.result, children=[why, hit])
    morale.finish(table, event)  # 7.1.2


def search_attacks(table: Table[PanzerState], unit: Unit) -> Step:
    """6.6.6 Attack a vehicle that searches for a hull-down position in a barrage; the 2016 book exempts it."""
    assert unit.hex is not None
    for mission, _, landed in list(barrages_in(table.state, unit.hex)):
        if not table.data.charts.switch("search_in_barrage_attacked"):
            inputs = {"unit": unit.id, "firer": landed.firer}
            table.find("6.6.6/hull-down-search", inputs=inputs, result="not-attacked")
        elif unit.alive:
            yield from one_attack(table, mission, landed, unit, ledger_row(table.data.edition, "6.6.6/once-each"))


def reset_barrage_attacks(state: PanzerState, unit: Unit) -> None:
    """6.6.6 When a unit's move is over, let the firers that attacked it do so again in another move."""
    for mission in state.missions.values():
        mission.landed = tuple(
            msgspec.structs.replace(landed, attacked=tuple(id for id in landed.attacked if id != unit.id))
            for landed in mission.landed
        )

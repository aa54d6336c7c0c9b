"""5.3 Field promotion: an Original 2 in self-rally or close combat may create a leader."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.engine.rules.happenings import Appear, Change
from pbem.titles.aslsk.chance import roll_one
from pbem.titles.aslsk.fire.modifiers import Modifier, rows, total
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Unit
from pbem.titles.aslsk.tabletop import AslskTable

GOOD_MORALE, POOR_MORALE = 8, 6


def promotion_modifiers(situation: Situation, unit: Unit) -> Iterator[Modifier]:
    """5.3 The drm of a promotion: by nationality, -1 for a morale of 8 or more, +1 for 6 or less, and +1 if
    broken.
    """
    nation = situation.card(unit).nation
    drm = situation.data.combat_table.leaders.nation_drm.get(nation, 0)
    if drm:
        yield Modifier("5.3", nation, drm)
    if situation.morale(unit) >= GOOD_MORALE:
        yield Modifier("5.3", "morale 8 or more", -1)
    elif situation.morale(unit) <= POOR_MORALE:
        yield Modifier("5.3", "morale 6 or less", 1)
    if unit.broken:
        yield Modifier("5.3", "broken", 1)


def promote(table: AslskTable, units: Sequence[Unit], *, broken: bool = False) -> Unit | None:
    """5.3 Roll for a new leader, using the best of these MMC; the leader appears in their hex."""
    situation, state = table.situation, table.state
    unit = max(units, key=situation.morale)
    modifiers = [*promotion_modifiers(situation, unit)]
    die = roll_one(table, "5.3", unit.id)
    result = situation.data.combat_table.leaders.new_leader(die + total(modifiers))
    table.find(
        "5.3", inputs={"unit": unit.id, "at": unit.at}, modifiers=rows(modifiers), dice=[die], result=result or "none"
    )
    if not result:
        return None
    state.created += 1
    leader = Unit(
        id=f"{unit.id[0]}x{state.created}",
        seat=unit.seat,
        card=situation.data.deck.leader(situation.card(unit).nation, result),
        group=unit.group,
        at=unit.at,
        broken=broken,
        dm=broken,
        fired=unit.fired,
        acted=True,
        below=unit.id if state.phase == "close_combat" else None,
    )
    state.units[leader.id] = leader
    marks = [Change(leader.id, what) for what in ("broken", "dm") if broken]
    shown = [Appear(leader.id, leader.at), Change(leader.id, "name", situation.name(leader)), *marks]
    table.find("5.3", inputs={"unit": leader.id, "at": leader.at}, result=result, shows=shown)
    return leader

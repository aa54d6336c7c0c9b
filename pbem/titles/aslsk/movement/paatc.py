"""3.7/paatc The task check that Infantry takes to advance on an AFV."""

from __future__ import annotations

from typing import Final

from pbem.titles.aslsk.chance import roll_two
from pbem.titles.aslsk.fire.drm import Modifier, rows, total
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Unit
from pbem.titles.aslsk.tabletop import AslskTable

WARY: Final = ("italian", "allied-minor", "axis-minor")
"""3.7/paatc The nations whose non-elite Infantry takes +1."""


def task_modifiers(situation: Situation, unit: Unit) -> list[Modifier]:
    """3.7/paatc The modifiers: +1 each for inexperience and nation, and the leadership of a leader with the unit."""
    card = situation.card(unit)
    found: list[Modifier] = []
    nation = situation.data.deck.nations[card.nation].id.replace("_", "-")
    if situation.is_inexperienced(unit) or (nation in WARY and card.class_ != "elite"):
        found.append(Modifier("3.7/paatc", "inexperienced or wary of tanks", 1))
    best = min((situation.leadership(leader) for leader in situation.leaders_with(unit)), default=0)
    return [*found, Modifier("3.7/paatc", "leadership", best)] if best < 0 else found


def passes_task_check(table: AslskTable, unit: Unit) -> bool:
    """3.7/paatc Make the unit take its check; return whether it passes, with a Final DR no higher than its morale."""
    modifiers, morale = task_modifiers(table.situation, unit), table.situation.morale(unit)
    dice = roll_two(table, "3.7/paatc", unit.id)
    passed = dice.total + total(modifiers) <= morale
    table.find(
        "3.7/paatc",
        inputs={"unit": unit.id, "morale": morale},
        modifiers=rows(modifiers),
        dice=dice.pair,
        result="passed" if passed else "pinned",
    )
    return passed

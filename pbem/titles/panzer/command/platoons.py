"""7.3 Platoon and section command control: which units may share a counter.

    7.3     platoon_of, sharing_objections, commands_from_above

The scenario gives a unit's platoon, troop or section; a formation's units without one form a group of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.panzer.cards.units import formations_above, is_command
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.state import Unit

PLATOONS: Final = "platoon_command"


def platoon_of(data: PanzerData, unit: Unit) -> tuple[str, str]:
    """7.3 A unit's formation, and its platoon, troop or section within it."""
    row = data.rows.get(unit.id)
    return unit.formation, row.platoon if row else ""


def commands_from_above(data: PanzerData, superior: Unit, unit: Unit) -> bool:
    """7.3 Whether a command unit is in the chain of command of another: in its formation or one above."""
    return is_command(superior) and superior.formation in formations_above(data, unit.formation)


def sharing_objections(data: PanzerData, units: Sequence[Unit]) -> Iterator[Objection]:
    """7.3 Object unless all units under a counter are of one platoon, except command units above it."""
    if not data.plays(PLATOONS):
        return
    for first, other in combinations(units, 2):
        if platoon_of(data, other) == platoon_of(data, first):
            continue
        if not (commands_from_above(data, first, other) or commands_from_above(data, other, first)):
            why = say(
                "{first} and {other} belong to different platoons, and neither commands the other",
                first=first.id,
                other=other.id,
            )
            yield Objection("7.3", why)
            return

"""5.1-5.9 Units: their kind, facing, grades and labels.

5.1, 5.2     describe: size, weapons and field of fire of leg and towed units
5.5          facing
5.8          explain_grades: force_grade (5.8.1), formation_grade (5.8.2), unit_grade (5.8.3)
5.9          is_command, command_level (5.9.1), is_recon (5.9.2), is_engineer (5.9.3), is_forward_observer (5.9.4)
4.1.1        is_combat_unit, can_observe
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from pbem.engine.rules.findings import Finding
from pbem.titles.panzer.cards.card_rows import Label
from pbem.titles.panzer.cards.chart_rows import Grade
from pbem.titles.panzer.cards.weapons import is_armed, most_weapons, weapons_left
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.state import Unit

COMMAND_LEVELS: Final[tuple[Label, ...]] = ("rhq", "bhq", "chq")
"""5.9.1 The labels of Command units, highest first."""
OBSERVER_LABELS: Final[tuple[Label, ...]] = (*COMMAND_LEVELS, "recon", "fo")
"""5.9 The labels of units that may observe for indirect fire, and that spot even if unarmed."""

# --- 5.8 grades ------------------------------------------------------------------------------------------------


def force_grade(data: PanzerData, side: str) -> Grade:
    """5.8.1 A side's grade, used only for initiative."""
    if not data.plays("unit_grades"):
        return "seasoned"
    return data.scenario.force_grades.get(side, "seasoned")


def formation_grade(data: PanzerData, formation: str) -> Grade:
    """5.8.2 A formation's grade, for available commands and command range; the basic game has no grades."""
    if formation not in data.scenario.formations:
        return "seasoned"
    return data.scenario.formations[formation].grade


def formations_above(data: PanzerData, formation: str) -> list[str]:
    """5.8.2, 6.5.1.3 A formation and all formations above it."""
    chain: list[str] = []
    while formation and formation not in chain:
        chain.append(formation)
        formation = data.scenario.formations[formation].parent
    return chain


def explain_grades(data: PanzerData, unit: Unit) -> Finding:
    """5.8 The three grades that affect a unit; they never change."""
    formation = formation_grade(data, unit.formation)
    levels = (
        Finding("5.8.1", inputs={"side": unit.side}, result=force_grade(data, unit.side)),
        Finding("5.8.2", inputs={"formation": unit.formation}, result=formation),
        Finding("5.8.3", inputs={"unit": unit.id, "own": unit.grade != formation}, result=unit.grade),
    )
    return Finding("5.8", inputs={"unit": unit.id}, result=unit.grade, children=levels)


# --- 5.9 labels ------------------------------------------------------------------------------------------------


def command_level(unit: Unit) -> Label | None:
    """5.9.1 A Command unit's level of headquarters."""
    return next((label for label in COMMAND_LEVELS if label in unit.labels), None)


def is_command(unit: Unit) -> bool:
    """5.9.1 Whether the unit has a headquarters label and so commands others, mounted or not."""
    return command_level(unit) is not None


def is_recon(unit: Unit) -> bool:
    """5.9.2 Whether this is a recon unit, mounted or not."""
    return "recon" in unit.labels


def is_trained(data: PanzerData, unit: Unit) -> bool:
    """5.9.3 Whether this is a leg unit that the scenario labels as engineers, or one with an engineer card."""
    return unit.kind == "leg" and ("engineer" in unit.labels or data.leg(unit).engineer)


def is_engineer(data: PanzerData, unit: Unit) -> bool:
    """5.9.3 Whether these are engineers on foot; mounted ones do not count."""
    return is_trained(data, unit) and not unit.aboard


def is_forward_observer(unit: Unit) -> bool:
    """5.9.4 Whether this is a forward observer, mounted or not."""
    return "fo" in unit.labels


def can_observe(unit: Unit) -> bool:
    """5.9 Whether a label allows the unit to observe for indirect fire."""
    return any(label in unit.labels for label in OBSERVER_LABELS)


def explain_labels(data: PanzerData, unit: Unit) -> Finding:
    """5.9 The abilities that a unit's labels give it; a unit may have several labels."""
    rules = {"recon": "5.9.2", "engineer": "5.9.3", "fo": "5.9.4"}
    able = {"recon": is_recon(unit), "engineer": is_engineer(data, unit), "fo": is_forward_observer(unit)}
    children = [
        Finding(rules.get(label, "5.9.1"), inputs={"label": label}, result=able.get(label, True))
        for label in unit.labels
    ]
    return Finding("5.9", inputs={"unit": unit.id}, result=list(unit.labels), children=tuple(children))


# --- 5.1, 5.2 kinds --------------------------------------------------------------------------------------------


def is_combat_unit(data: PanzerData, unit: Unit) -> bool:
    """4.1.1 Whether the unit is armed or may observe by its label; a crew that has bailed out never counts (5.15)."""
    return not unit.bailed_out and (is_armed(data, unit) or can_observe(unit))


def describe(data: PanzerData, unit: Unit) -> Finding:
    """5.1, 5.2 Describe a unit with its facing, grades and labels."""
    inputs: dict[str, Any] = {"unit": unit.id, "card": unit.card, "kind": unit.kind}
    rule = {"leg": "5.1", "towed": "5.2", "vehicle": "1.6"}[unit.kind]
    children = (*_armament(data, unit), facing(unit), explain_grades(data, unit), explain_labels(data, unit))
    return Finding(rule, inputs=inputs, result=is_combat_unit(data, unit), children=children)


def _armament(data: PanzerData, unit: Unit) -> Iterator[Finding]:
    """5.1.1, 5.1.2 How many weapons a leg unit fires at once, and in which field of fire."""
    if unit.kind != "leg":
        return
    size = data.leg(unit).size
    weapons = {arm.name: "all round" if arm.weapon.turreted else "front" for arm in weapons_left(data, unit)}
    rule = "5.1.2" if size == "section" else "5.1.1"
    yield Finding(rule, inputs={"size": size, "weapons": weapons}, result=most_weapons(data, unit))


def facing(unit: Unit) -> Finding:
    """5.5 Every unit faces a hexside, although leg and towed units can move in any direction."""
    inputs = {"unit": unit.id, "moves": "ahead or back" if unit.kind == "vehicle" else "in any direction"}
    return Finding("5.5", inputs=inputs, result=unit.facing)

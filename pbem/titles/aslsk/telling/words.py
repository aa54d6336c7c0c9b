"""The words of findings as readers see them: sides, results, modifiers and dice."""

from __future__ import annotations

from typing import Any, Final

from pbem.engine.rules.findings import Finding
from pbem.engine.text.messages import Message, Name, Signed, Value, say, several, term
from pbem.engine.text.sentences import data, names

SIDES: Final = {
    "american": term("aslsk side", "American"),
    "british": term("aslsk side", "British"),
    "finnish": term("aslsk side", "Finnish"),
    "german": term("aslsk side", "German"),
    "italian": term("aslsk side", "Italian"),
    "russian": term("aslsk side", "Russian"),
}
"""A side as an adjective."""
RESULTS: Final = {
    message.text: message
    for message in (
        term("aslsk result", "hit"),
        term("aslsk result", "miss"),
        term("aslsk result", "no effect"),
        term("aslsk result", "eliminated"),
        term("aslsk result", "casualties"),
        term("aslsk result", "broken"),
        term("aslsk result", "pinned"),
        term("aslsk result", "wounded"),
        term("aslsk result", "DM"),
        term("aslsk result", "destroyed"),
        term("aslsk result", "dud"),
        term("aslsk result", "placed"),
        term("aslsk result", "not placed"),
        term("aslsk result", "immobilized"),
        term("aslsk result", "Shock"),
        term("aslsk result", "bogged"),
        term("aslsk result", "Mired"),
        term("aslsk result", "mired"),
        term("aslsk result", "freed"),
        term("aslsk result", "goes on"),
        term("aslsk result", "stopped"),
        term("aslsk result", "in Motion"),
        term("aslsk result", "no Motion"),
        term("aslsk result", "infantry"),
        term("aslsk result", "area"),
        term("aslsk result", "vehicle"),
        term("aslsk result", "black"),
        term("aslsk result", "red"),
        term("aslsk result", "hull"),
        term("aslsk result", "turret"),
        term("aslsk result", "front"),
        term("aslsk result", "side"),
        term("aslsk result", "rear"),
        term("aslsk result", "Melee"),
        term("aslsk result", "Melee ends"),
        term("aslsk result", "critical hit"),
        term("aslsk result", "destroyed by a critical hit"),
        term("aslsk result", "critical hit on the crew"),
        term("aslsk result", "burning"),
        term("aslsk result", "removed"),
        term("aslsk result", "malfunctions"),
        term("aslsk result", "unharmed"),
        term("aslsk result", "has one"),
        term("aslsk result", "none"),
        term("aslsk result", "announced"),
        term("aslsk result", "wrecked"),
        term("aslsk result", "abandoned"),
        term("aslsk result", "NMC"),
        term("aslsk result", "KIA"),
        term("aslsk result", "low"),
        term("aslsk result", "on the road"),
        term("aslsk result", "for all its MP"),
        term("aslsk result", "no longer in Assault Movement"),
        term("aslsk result", "move ends"),
        term("aslsk result", "passed"),
        term("aslsk result", "failed"),
        term("aslsk result", "stays stopped"),
        term("aslsk result", "stalls"),
        term("aslsk result", "starts"),
    )
}
MODIFIERS: Final = {
    message.text: message
    for message in (
        term("modifier", "FFMO"),
        term("modifier", "FFNAM"),
        term("modifier", "woods"),
        term("modifier", "leadership"),
        term("modifier", "hindrance"),
        term("modifier", "leader lost"),
        term("modifier", "woods or building"),
        term("modifier", "self-rally"),
        term("modifier", "DM"),
        term("modifier", "building"),
        term("modifier", "MF cost"),
        term("modifier", "TEM of the hex entered"),
        term("modifier", "acquired target"),
        term("modifier", "size of the Gun"),
        term("modifier", "emplaced Gun"),
        term("modifier", "Hazardous Movement"),
        term("modifier", "road hexside"),
        term("modifier", "changes CA"),
        term("modifier", "stone building"),
        term("modifier", "AFV or wreck"),
        term("modifier", "target size"),
        term("modifier", "moving target"),
        term("modifier", "BU"),
        term("modifier", "air burst"),
        term("modifier", "Bounding Fire"),
        term("modifier", "Bounding First Fire"),
        term("modifier", "range"),
        term("modifier", "Intensive Fire"),
        term("modifier", "CX"),
        term("modifier", "already wounded"),
        term("modifier", "CX firer"),
        term("modifier", "CX when placed"),
        term("modifier", "CX attacker"),
        term("modifier", "CX target"),
        term("modifier", "normal ground pressure"),
        term("modifier", "low ground pressure"),
        term("modifier", "high ground pressure"),
        term("modifier", "Advancing Fire"),
        term("modifier", "no backblast"),
        term("modifier", "morale 6 or less"),
        term("modifier", "morale 8 or more"),
        term("modifier", "broken"),
        term("modifier", "gunshield"),
        term("modifier", "height advantage"),
        term("modifier", "Smoke in the hex"),
        term("modifier", "Smoke in the target hex"),
        term("modifier", "pinned firer"),
        term("modifier", "no crew"),
        term("modifier", "own hex"),
        term("modifier", "2 MP or less in sight"),
        term("modifier", "3 MP or less in sight"),
        term("modifier", "inexperienced or wary of tanks"),
        term("modifier", "ambusher"),
        term("modifier", "ambushed"),
        term("modifier", "vehicle"),
        term("modifier", "broken target"),
        term("modifier", "CE"),
        term("modifier", "CE crew"),
        term("modifier", "target carries a flamethrower"),
        term("modifier", "captured weapon"),
        term("modifier", "critical hit"),
        term("modifier", "hidden target"),
        term("modifier", "squad instead of crew"),
        term("modifier", "TEM of the Gun"),
        term("modifier", "shaken crew"),
        term("modifier", "grain"),
        term("modifier", "brush"),
        term("modifier", "orchard"),
        term("modifier", "wall"),
        term("modifier", "hedge"),
        term("modifier", "wooden building"),
        term("modifier", "rubble"),
        term("modifier", "smoke"),
        term("modifier", "bridge"),
        term("modifier", "road"),
        term("modifier", "1945"),
        term("modifier", "1944"),
        term("modifier", "1943"),
        term("modifier", "1942"),
        term("modifier", "1941"),
    )
} | {"others who push": term("modifier", "additional pushing units")}
"""The modifiers in words, by their text in the record."""
REVERSED: Final = ", reversed"
"""6.1 The suffix that marks a modifier whose sign a critical hit reverses."""


def side(seat: str) -> Value:
    """The name of a side as an adjective, such as `German`."""
    return SIDES.get(seat) or Name(seat.replace("_", " ").title())


def result(found: Any) -> Value:
    """A result in words; a result that is not in `RESULTS` is shown as printed on its chart."""
    return RESULTS.get(str(found)) or data(found)


def modifier(text: str) -> Value:
    if text.endswith(REVERSED):
        return say("{modifier}, reversed", modifier=modifier(text.removesuffix(REVERSED)))
    return MODIFIERS.get(text) or SIDES.get(text) or Name(text)


def rows(finding: Finding) -> Value:
    """The modifiers of a finding, each with its text and value."""
    found = [
        say("{text} {value}", text=modifier(row["text"]), value=Signed(row["value"])) for row in finding.modifiers
    ]
    return several(found, "unit") if found else term("modifiers", "none")


def dice(finding: Finding) -> Message:
    """The dice, and the Final DR if modifiers change it."""
    rolled = data(list(finding.dice))
    if not finding.modifiers:
        return say("rolled {dice}", dice=rolled)
    total = sum(finding.dice) + sum(row["value"] for row in finding.modifiers)
    return say("rolled {dice} with {rows}, total {total}", dice=rolled, rows=rows(finding), total=total)


def net_dice(finding: Finding) -> Message:
    """The dice, and the sum of the modifiers."""
    drm = sum(row["value"] for row in finding.modifiers)
    if drm:
        return say("rolled {dice} {drm}", dice=data(list(finding.dice)), drm=Signed(drm))
    return say("rolled {dice}", dice=data(list(finding.dice)))


def results(found: Any) -> Value:
    """The results of an attack, unit by unit."""
    if not isinstance(found, dict):
        return result(found)
    groups: dict[str, list[str]] = {}
    for unit, cell in found.items():
        groups.setdefault(cell, []).append(unit)
    said = [say("{cell} against {units}", cell=result(cell), units=names(units)) for cell, units in groups.items()]
    return several(said, "clauses") if said else say("no unit is hit")

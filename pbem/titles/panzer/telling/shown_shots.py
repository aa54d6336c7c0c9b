"""4.4, 6.5-6.7 The attacks in a finding, and the cause of a loss, for the replay of a turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import msgspec

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Place, Shot

ATTACKERS: Final = ("firer", "vehicle", "primary", "gun", "aircraft")
"""The inputs of a finding that may name the attacker; a gun fires at an aircraft, an aircraft at a target."""

WITHOUT_ROLL: Final = ("too-late", "miss")
"""4.4.1, 4.4.3.2.3 The results of a shot without a roll: its target was lost before it, or no hit was possible."""

LOSSES: Final = {"ko": "knocked out", "bu": "brewed up", "eliminated": "eliminated", "sunk": "sunk"}
"""4.4.3.2.6, 6.5.4.4.3, 7.34 The results that mean a unit is lost, in words."""


def shots_in(finding: Finding, place_of: Callable[[str], Place | None]) -> Iterator[Shot]:
    """Yield each attack in a finding; `place_of` gives a piece's position, None if it is not on the map.

    6.6.1.1: units that attack together from one hex share the roll and the result of their primary attacker.
    """
    if (smoke := smoke_shot(finding, place_of)) is not None:
        yield smoke
        return
    who, at = attack_of(finding)
    origin = place_of(who) if who else None
    if origin is None or not (
        rolls := [child for child in walk(finding) if child.dice] or finding.result in WITHOUT_ROLL
    ):
        for child in finding.children:
            yield from shots_in(child, place_of)
        return
    roll = rolls[0] if isinstance(rolls, list) else Finding(finding.rule)
    needed, result = roll.inputs.get("hit_number"), finding.result
    if (effect := effect_on(finding, at)) is not None:
        roll, result = effect
    shot = Shot(
        who,
        at,
        origin,
        place_of(at),
        needed if isinstance(needed, int) else None,
        roll.dice[:1],
        result if isinstance(result, str) else "",
    )
    yield shot
    for other in finding.inputs.get("others", ()) if "primary" in finding.inputs else ():
        if (place := place_of(other)) is not None:
            yield msgspec.structs.replace(shot, who=other, origin=place)


def smoke_shot(finding: Finding, place_of: Callable[[str], Place | None]) -> Shot | None:
    """6.1.4.3.10, 7.22 Return the shot or throw that laid smoke; None if this finding is about something else."""
    firer = finding.inputs.get("firer")
    if finding.rule not in ("6.1.4.3.10", "7.22") or finding.result != "smoke" or not isinstance(firer, str):
        return None
    origin = place_of(firer)
    return None if origin is None else Shot(firer, "", origin, finding.inputs.get("hex", origin), result="smoke")


def effect_on(finding: Finding, unit: str) -> tuple[Finding, str] | None:
    """6.5.4.4 The roll against one unit in an attack on everything in and around a hex, and its effect."""
    for rolled in walk(finding):
        if (rolled.rule, rolled.inputs.get("unit")) == ("6.5.4.4", unit) and rolled.dice:
            effects = [child.result for child in rolled.children if child.rule.startswith("6.5.4.4.")]
            return (rolled, effects[-1]) if effects and isinstance(effects[-1], str) else None
    return None


def attack_of(finding: Finding) -> tuple[str, str]:
    """The attacker and target of this finding; empty if it is not an attack."""
    inputs = finding.inputs
    if "gun" in inputs and "aircraft" in inputs:
        return str(inputs["gun"]), str(inputs["aircraft"])
    if isinstance(inputs.get("target"), str):
        for name in ATTACKERS:
            if isinstance(inputs.get(name), str):
                return inputs[name], inputs["target"]
    return "", ""


def walk(finding: Finding) -> Iterator[Finding]:
    """Yield a finding and all its descendants."""
    yield finding
    for child in finding.children:
        yield from walk(child)


def loss_of(finding: Finding, unit: str) -> str:
    """Return in words how a unit was lost in this finding; empty if it was not."""
    found = ""
    for one in walk(finding):
        if unit in (one.inputs.get("unit"), one.inputs.get("target")) and isinstance(one.result, str):
            found = LOSSES.get(one.result, found)
    return found

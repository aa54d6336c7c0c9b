"""4.4, 6.5.2, 6.5.4 Fire in words: shots, hits, rolls on the GP table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pbem.engine.rules.findings import Finding
from pbem.engine.text.sentences import listed, modifiers_of, signed, value
from pbem.titles.panzer.telling import basic_sentences as basic
from pbem.titles.panzer.telling.basic_sentences import COMMAND, child

EFFECT: Final = {
    **basic.EFFECT,
    "none": "no effect",
    "no_damage": "hit, no damage",
    "no-damage": "no damage",
    "suppressed": "suppressed",
    "track": "track hit",
    "track_again": "track hit again, no effect",
    "reduced": "reduced to a half-squad",
    "eliminated": "eliminated",
    "effective": "effective",
    "smoke": "smoke",
    "no-smoke": "no smoke ammunition left",
    "shot-down": "shot down",
    "landed": "on target",
    "illumination": "light",
}
ANGLE: Final = {
    "front": "front",
    "front_side": "front side",
    "side": "side",
    "side_front": "side",
    "rear_side": "rear side",
    "rear": "rear",
}
LOCATION: Final = {
    "TF": "turret front",
    "TS": "turret side",
    "TR": "turret rear",
    "HF": "hull front",
    "HS": "hull side",
    "HR": "hull rear",
    "TK": "track",
    "DK": "deck",
}
FIRE: Final = {"gp": "high explosive", "smoke": "smoke", "illumination": "illumination"}


# --- 6.5.4 GP fire -------------------------------------------------------------------------------------------


def gp_attack(finding: Finding) -> str:
    """6.5.4 An attack: targets, factor and results."""
    inputs = finding.inputs
    by = f"{inputs['firer']}, " if inputs.get("firer") else ""
    where = "" if "target" in inputs else f" in {listed(inputs['hexes'][:1])} and around"
    return f"{by}GP factor {inputs['factor']}{where}: {'; '.join(gp_results(finding)) or 'nobody there'}"


def gp_results(finding: Finding, target: str = "") -> Iterator[str]:
    """6.5.4.4 Each unit attacked, with total and effect; the target is not named."""
    for roll in gp_rolls(finding):
        name = "" if roll.inputs["unit"] == target else f"{roll.inputs['unit']} "
        yield f"{name}{roll_said(roll)}: {EFFECT.get(effect_of(roll), effect_of(roll))}"


def gp_rolls(finding: Finding) -> Iterator[Finding]:
    """6.5.4.4 The rolls on the GP table below a finding."""
    for below in finding.children:
        if "no_effect" in below.inputs:
            yield below
        else:
            yield from gp_rolls(below)


def roll_said(roll: Finding) -> str:
    inputs = roll.inputs
    rows = f" ({modifiers_of(roll)})" if roll.modifiers else ""
    net = f"net {signed(inputs['net'])}{rows}"
    return f"{inputs['factor']} against {inputs['defence']}, {net}, total {inputs['total']}"


def gp_roll_said(roll: Finding) -> str:
    """6.5.4.4 A roll on the GP table, with the limits it was compared with."""
    inputs = roll.inputs
    table = f"above {inputs['no_effect']} suppresses, above {inputs['suppressed']} is effective"
    rolled = f"rolled {value(roll.dice)}, " if roll.dice else ""
    return f"{inputs['unit']}: {rolled}{roll_said(roll)}; {table}: {EFFECT.get(roll.result, value(roll.result))}"


def effect_of(roll: Finding) -> str:
    """6.5.4.4.2, 6.5.4.4.3 The effect on the unit."""
    effects = [found for found in roll.children if found.rule.startswith(("6.5.4.4.", "6.6.1.1.3", "6.6.10.2"))]
    return str(effects[-1].result if effects else roll.result)


# --- 4.4.1, 4.4.2 direct fire --------------------------------------------------------------------------------

SHOTS: Final = ("4.4.3.2", "6.5.2", "6.5.4", "6.1.4.3.10")


def fire(finding: Finding) -> str | None:
    """4.4.1, 4.4.2 A fire group: each weapon with its chances and its effect."""
    inputs = finding.inputs
    if "firers" not in inputs:
        return None
    watch = " on overwatch" if finding.rule == "4.4.2" else ""
    shots = [shot_said(shot) for shot in finding.children if is_shot(shot)]
    verb = "fires" if len(inputs["firers"]) == 1 else "fire"
    return f"{listed(inputs['firers'])} {verb} at {inputs['target']}{watch}: {'; '.join(shots)}"


def is_shot(finding: Finding) -> bool:
    """6.5 Whether this is a group's weapon, fired or too late."""
    return (finding.rule in SHOTS and "firer" in finding.inputs) or finding.result == "too-late"


def shot_said(shot: Finding) -> str:
    """6.5 A weapon in short."""
    firer = shot.inputs["firer"]
    if shot.result == "too-late":
        return f"{firer} {EFFECT['too-late']}"
    if shot.rule == "4.4.3.2":
        return basic.shot_said(shot)
    if shot.rule == "6.5.2":
        return f"{firer} {ap_said(shot)}"
    if shot.rule == "6.5.4":
        results = "; ".join(gp_results(shot, str(shot.inputs.get("target"))))
        return f"{firer} GP {results or EFFECT.get(shot.result, value(shot.result))}"
    return f"{firer} {EFFECT.get(shot.result, value(shot.result))} in {shot.inputs['hex']}"


def ap_said(shot: Finding) -> str:
    """6.5.2 Range, modifiers, roll, and each hit with location and effect."""
    distance, factor, net, roll = (child(shot, rule) for rule in ("3.5", "4.4.3.2.1", "6.5.2.4", "4.4.3.2.3"))
    said = [str(shot.inputs["weapon"])]
    if distance is not None and factor is not None:
        said.append(f"range {distance.result} ({factor.result})")
    if net is not None and isinstance(net.result, int):
        said.append(f"net {signed(net.result)}" + (f" ({modifiers_of(net)})" if net.modifiers else ""))
    if roll is not None:
        said.append(basic.roll_said(roll))
    said += [hit_said(hit) for hit in shot.children if hit.rule == "6.5.2.2" and "firer" in hit.inputs]
    return ", ".join(said)


def hit_said(hit: Finding) -> str:
    """6.5.2.2 The location and effect of a hit."""
    place = next((found.result for found in hit.children if found.rule.startswith("6.5.2.2") and found.dice), "")
    through = child(hit, "4.4.3.2.5")
    numbers = ""
    if through is not None:
        numbers = f", penetration {through.inputs['penetration']} against {through.inputs['armour']}"
    where = f"{LOCATION.get(str(place).rstrip('*'), place)}{numbers}: " if place else ""
    return f"{where}{EFFECT.get(hit.result, value(hit.result))}"


def ap_shot(finding: Finding) -> str | None:
    """6.5.2 One AP weapon."""
    if "firer" not in finding.inputs:
        return None
    return f"{finding.inputs['firer']} at {finding.inputs['target']}: {ap_said(finding)}"


def ap_hit(finding: Finding) -> str | None:
    """6.5.2.2 Angle and location of a hit."""
    inputs = finding.inputs
    if "firer" in inputs:
        return f"the hit: {hit_said(finding)}"
    if "slope" in inputs:
        place = LOCATION.get(str(finding.result).rstrip("*"), str(finding.result))
        return f"from the {ANGLE.get(inputs['angle'], inputs['angle'])}, rolled {value(finding.dice)}: {place}"
    if "facing" in inputs:
        return f"the shot comes from the {ANGLE.get(finding.result, finding.result)}"
    return None


def net_modifier(finding: Finding) -> str | None:
    """6.5.2.4, 6.5.4.3 The sum of the modifiers, or one of them."""
    inputs = finding.inputs
    if "unit" in inputs and finding.result in COMMAND:
        return f"{inputs['unit']} shows {COMMAND[finding.result]} and counts as moving"
    if "unit" in inputs and finding.result == "no-effect":
        return f"{inputs['unit']} shows nothing"
    if "/" not in finding.rule and isinstance(finding.result, int):
        return f"net modifier {signed(finding.result)} ({modifiers_of(finding)})"
    return None


def penetration(finding: Finding) -> str | None:
    """4.4.3.2.5 Without an aspect, the armour is that of the location hit."""
    if "aspect" in finding.inputs:
        return None
    through = "goes through" if finding.result else "does not go through"
    return f"penetration {finding.inputs['penetration']} against armour {finding.inputs['armour']}: {through}"


def spot_fire(finding: Finding) -> str | None:
    """4.4.1 The marker of a firer."""
    if set(finding.inputs) != {"unit"}:
        return fire(finding)
    small = " for small arms" if finding.result == "fire-sa" else ""
    return f"{finding.inputs['unit']} gets a Spot/Fire marker{small}"

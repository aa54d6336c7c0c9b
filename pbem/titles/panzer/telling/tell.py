"""Findings of the advanced game in words: one sentence each, as in the basic game.

    by_shape          what many rules have in common: modifiers, cover, steps, rolls on the GP table
    TELLERS           fire, missions, close combat, overruns and aircraft: who did what to whom, with what effect
    tell, tell_tree

A finding is told by the teller of its rule or of the paragraph that the rule belongs to, then by its shape, then by a
sentence with fixed words (`phrases`); what the basic game tells is told as there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Final

import msgspec

from pbem.engine.play.resolve import ANSWERED, FAILED
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import Finding
from pbem.engine.text.sentences import Teller, Telling, failed_order, listed, modifiers_of, plainly, signed, value
from pbem.titles.panzer.decisions.all_kinds import DECISIONS
from pbem.titles.panzer.rules_in_use import optional_rules
from pbem.titles.panzer.telling import basic_sentences as basic
from pbem.titles.panzer.telling.basic_sentences import COMMAND, SOURCE, child, spent
from pbem.titles.panzer.telling.phrases import PHRASES, phrase_of

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
STEPS: Final = {
    "spotting_phase": "spotting",
    "place_commands": "commands",
    "initiative_phase": "initiative",
    "air_phase": "aircraft",
    "indirect_fire_step": "indirect fire",
    "direct_fire_step": "direct fire",
    "overwatch_step": "overwatch",
    "close_combat_step": "close combat",
    "movement_step": "movement",
    "adjustment_phase": "adjustment",
}


# --- told by shape -------------------------------------------------------------------------------------------


def by_shape(finding: Finding) -> str | None:
    """What findings of many rules have in common."""
    inputs = finding.inputs
    if "step" in inputs and "spent" in inputs:
        return step(finding)
    if "no_effect" in inputs:
        return gp_roll_said(finding)
    if "attack" in inputs and "factor" in inputs:
        return gp_attack(finding)
    if "against" in inputs:
        return f"{inputs['unit']} in {inputs['hex']}: cover {value(finding.result)}"
    if "cross_country" in inputs and isinstance(finding.result, dict):
        return allowance(finding)
    if finding.modifiers and not inputs:
        return modifiers_of(finding)
    if "what" in inputs and isinstance(finding.result, int):
        return f"{inputs['what']}: {finding.result}"
    if "times" in inputs and isinstance(finding.result, int):
        return f"modifier {signed(finding.result)}"
    if "text" in inputs and isinstance(finding.result, int):
        return f"{inputs['text']} {signed(finding.result)}"
    return None


STEP: Final = {
    "f": "drives to",
    "b": "reverses to",
    "l": "turns left in",
    "r": "turns right in",
    "up": "goes upstairs in",
    "down": "comes down in",
    "in": "drives into a building in",
    "f-in": "drives into a building in",
    "out": "leaves the building in",
    "search": "searches a hull-down position in",
    "unload": "unloads its gun in",
    "push": "clears the road in",
    "turret": "turns its turret in",
    "enter": "comes in at",
}


def step(finding: Finding) -> str:
    """6.6 One step of a move."""
    inputs = finding.inputs
    word, *parts = str(inputs["step"]).split(":")
    if word in ("mount", "dismount", "bail", "overrun"):
        verb = {"mount": "takes up", "dismount": "drops", "bail": "drops in haste", "overrun": "drives over"}[word]
        return f"{inputs['unit']} {verb} {parts[0]} in {inputs['hex']} ({spent(finding)})"
    verb = STEP.get(word, "goes to")
    return f"{inputs['unit']} {verb} {inputs['hex']} ({spent(finding)})"


def allowance(finding: Finding) -> str:
    """6.6 The movement points of a unit."""
    inputs, points = finding.inputs, finding.result
    usable = "/".join(str(points[rate]) for rate in ("cross", "path", "road"))
    return f"{inputs['unit']} moves {inputs['cross_country']}{inputs['mode']}: {usable} across country, path, road"


# --- 6.5.4 GP fire -------------------------------------------------------------------------------------------


def gp_attack(finding: Finding) -> str:
    """6.5.4 Who was attacked with which factor, and what came of it."""
    inputs = finding.inputs
    by = f"{inputs['firer']}, " if inputs.get("firer") else ""
    where = "" if "target" in inputs else f" in {listed(inputs['hexes'][:1])} and around"
    return f"{by}GP factor {inputs['factor']}{where}: {'; '.join(gp_results(finding)) or 'nobody there'}"


def gp_results(finding: Finding, target: str = "") -> Iterator[str]:
    """6.5.4.4 Each unit that was attacked, but for the target by name, with total and effect."""
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
    """6.5.4.4 A roll on the GP table, with the numbers that it had to pass."""
    inputs = roll.inputs
    table = f"above {inputs['no_effect']} suppresses, above {inputs['suppressed']} is effective"
    rolled = f"rolled {value(roll.dice)}, " if roll.dice else ""
    return f"{inputs['unit']}: {rolled}{roll_said(roll)}; {table}: {EFFECT.get(roll.result, value(roll.result))}"


def effect_of(roll: Finding) -> str:
    """6.5.4.4.2, 6.5.4.4.3 What became of the unit."""
    effects = [found for found in roll.children if found.rule.startswith(("6.5.4.4.", "6.6.1.1.3", "6.6.10.2"))]
    return str(effects[-1].result if effects else roll.result)


# --- 4.4.1, 4.4.2 direct fire --------------------------------------------------------------------------------

SHOTS: Final = ("4.4.3.2", "6.5.2", "6.5.4", "6.1.4.3.10")


def fire(finding: Finding) -> str | None:
    """4.4.1, 4.4.2 A group of fire: each weapon with its chances and its effect."""
    inputs = finding.inputs
    if "firers" not in inputs:
        return None
    watch = " on overwatch" if finding.rule == "4.4.2" else ""
    shots = [shot_said(shot) for shot in finding.children if is_shot(shot)]
    verb = "fires" if len(inputs["firers"]) == 1 else "fire"
    return f"{listed(inputs['firers'])} {verb} at {inputs['target']}{watch}: {'; '.join(shots)}"


def is_shot(finding: Finding) -> bool:
    """6.5 A weapon of a group, fired or too late."""
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
    """6.5.2 Range, modifiers, roll, each hit with place and effect."""
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
    """6.5.2.2 Where a shot has hit, and what it did."""
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
    """6.5.2.2 Angle and place of a hit."""
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
    """4.4.3.2.5 Without an aspect: the armour is that of the place that was hit."""
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


# --- 6.1, 6.2, 6.3 spotting, commands, initiative ------------------------------------------------------------


def spotted(finding: Finding) -> str | None:
    """6.1 Who spots whom."""
    inputs = finding.inputs
    if "by" in inputs and "limit" not in inputs:
        return f"{inputs['target']} is {finding.result} by {listed(inputs['by'])}"
    return basic.spotted(finding)


def spotting_range(finding: Finding) -> str | None:
    return basic.spotting_range(finding) if "target" in finding.inputs else None


def revealed(finding: Finding) -> str | None:
    """4.2.1 A counter is turned up, for all who share it."""
    inputs = finding.inputs
    if finding.result == "revealed":
        units = inputs.get("shared") or inputs.get("units") or [inputs["unit"]]
        return f"{listed(units)} {'reveal' if len(units) > 1 else 'reveals'} {COMMAND[inputs['command']]}"
    return None


def initiative(finding: Finding) -> str:
    """6.3 Who is First Player, with both totals."""
    won = child(finding, "6.3.1")
    totals = [found for found in won.children if found.rule == "6.3.2"] if won else []
    rolls = ", ".join(f"{found.inputs['side']} {found.result}" for found in totals)
    return f"initiative of turn {finding.inputs['turn']}: {finding.result} is First Player ({rolls})"


def sequence(finding: Finding) -> str:
    """6.0 The order of the turn, each step once."""
    steps = list(dict.fromkeys(STEPS.get(name, name) for name, _ in finding.result))
    return f"turn {finding.inputs['turn']}: {', '.join(steps)}"


def optional_rules_said(finding: Finding) -> str:
    """7.0 The optional rules in use, by number and name."""
    return f"in use: {'; '.join(finding.inputs['rules'].values())}"


def optional_sequence(finding: Finding) -> str:
    """7.0 Where in the turn the optional rules act."""
    return "; ".join(f"{where}: {what}" for where, what in finding.result) or "nothing is added to the turn"


def phase(finding: Finding) -> str | None:
    """6.5, 6.6 Whose step it is."""
    inputs = finding.inputs
    if "player" in inputs:
        what = inputs.get("step", "movement")
        return f"{what} of {inputs['side']}, {inputs['player']} player"
    return f"then {' and '.join(map(str, inputs['steps']))}" if "steps" in inputs else None


# --- 6.5.1 indirect fire -------------------------------------------------------------------------------------


def mission(finding: Finding) -> str | None:
    """6.5.1.7, 6.5.1.11 A fire mission: who called whom, where it fell, what it did."""
    inputs = finding.inputs
    if "observer" in inputs:
        called = f"{inputs['observer']} calls fire on {inputs['point']}"
        answers = [response_said(found) for found in finding.children if found.rule == "6.5.1.12"]
        return "; ".join([f"{called}: {', '.join(answers) or 'nobody responds'}", *landings(finding)])
    if "battery" in inputs:
        falls = f"planned fire of {inputs['battery']} falls on {finding.result} ({FIRE[inputs['type']]})"
        return "; ".join([falls, *landings(finding)])
    return None


def continued(finding: Finding) -> str | None:
    """6.5.1.8 A mission that goes on or is adjusted, with what it did."""
    said = phrase_of(finding)
    return "; ".join([said, *landings(finding)]) if said else None


def landings(finding: Finding) -> Iterator[str]:
    """6.5.1.13 What each firer's fire did where it landed."""
    for found in finding.children:
        if found.rule == "6.5.1.13" and "type" in found.inputs:
            yield landing_said(found)
        else:
            yield from landings(found)


def landing(finding: Finding) -> str | None:
    """6.5.1.13 Fire has landed."""
    return landing_said(finding) if "type" in finding.inputs else None


def landing_said(finding: Finding) -> str:
    inputs = finding.inputs
    if inputs["type"] != "gp":
        return f"{inputs['firer']} {FIRE[inputs['type']]}"
    effects = list(gp_results(finding))
    return f"{inputs['firer']} factor {inputs['factor']} ({inputs['column']}): {'; '.join(effects) or 'hits nobody'}"


def response(finding: Finding) -> str:
    """6.5.1.12 Whether a battery answers the call."""
    return response_said(finding)


def response_said(found: Finding) -> str:
    inputs = found.inputs
    answer = "responds" if found.result == "responds" else "does not respond"
    rolled = f", rolled {value(found.dice)}" if found.dice else ""
    return f"{inputs['firer']} {answer} (factor {inputs['factor']}, net {signed(inputs['net'])}{rolled})"


def barrage(finding: Finding) -> str | None:
    """6.6.6 A unit moves into fire that has landed."""
    inputs = finding.inputs
    if "mission" not in inputs:
        return None
    effects = "; ".join(gp_results(finding))
    return f"{inputs['unit']} moves into the fire of {inputs['firer']} in {inputs['hex']}: {effects}"


# --- 6.6.1, 6.6.10 close combat and overruns -----------------------------------------------------------------


def close_assault(finding: Finding) -> str | None:
    """6.6.1.1 A close assault: declared, prepared, fought."""
    inputs = finding.inputs
    if said := assault_news(finding):
        return said
    if "target" in inputs and "primary" in inputs:
        attackers = listed([inputs["primary"], *inputs["others"]])
        roll = child(finding, "6.6.1.1.1")
        how = f" ({roll_said(roll)})" if roll is not None else ""
        verb = "close" if inputs["others"] else "closes"
        effect = EFFECT.get(finding.result, value(finding.result))
        return f"{attackers} {verb} in on {inputs['target']}{how}: {effect}"
    return None


def assault_news(finding: Finding) -> str | None:
    """6.6.1.1, 6.6.1.2 What happens before close combat is fought."""
    inputs = finding.inputs
    match finding.result:
        case "declared":
            return f"{listed(inputs['attackers'])} will attack {inputs['target']} in close combat"
        case "attacks":
            return f"{inputs['unit']} gets off and attacks {inputs['target']}"
        case "may-move":
            return f"{inputs['target']} is gone: {inputs['unit']} may move instead"
        case "window":
            return f"enemies may fire at {inputs['unit']} while it advances"
        case "drops-out":
            return f"{inputs['unit']} does not reach {inputs['target']}"
    if "cost" in inputs:
        return f"{inputs['unit']} advances from {inputs['from']} to {finding.result} to attack"
    if "primary" in inputs and "target" not in inputs:
        return f"{inputs['primary']} leads the attack of {finding.result}"
    return None


def hand_to_hand(finding: Finding) -> str | None:
    """6.6.1.2 Hand-to-hand combat, round after round."""
    inputs = finding.inputs
    if said := assault_news(finding):
        return said
    if "target" not in inputs or "primary" not in inputs:
        return None
    rounds = [found for found in finding.children if found.rule == "6.6.1.2.1"]
    won = inputs["primary"] if finding.result == "attacker" else inputs["target"]
    scores = ", ".join(f"{found.inputs['attacker']} to {found.inputs['defender']}" for found in rounds)
    attackers = listed([inputs["primary"], *inputs["others"]])
    verb = "fight" if inputs["others"] else "fights"
    return f"{attackers} {verb} {inputs['target']} hand to hand ({scores}): {won} wins"


def fight(finding: Finding) -> str:
    """6.6.1.2.1 One round: both totals."""
    inputs = finding.inputs
    return (
        f"{inputs['primary']} {inputs['attacker']}, {inputs['target']} {inputs['defender']} "
        f"(rolled {value(finding.dice)}): the {finding.result} wins the round"
    )


def overrun(finding: Finding) -> str | None:
    """6.6.10 A vehicle drives over a unit."""
    inputs = finding.inputs
    if "target" not in inputs or "vehicle" not in inputs or finding.result not in EFFECT:
        return None
    roll = next(gp_rolls(finding), None)
    how = f" ({roll_said(roll)})" if roll is not None else ""
    return f"{inputs['vehicle']} overruns {inputs['target']}{how}: {EFFECT[finding.result]}"


# --- 6.7 aircraft --------------------------------------------------------------------------------------------


def air_attack(finding: Finding) -> str:
    """6.7.3 What an aircraft does to those below it."""
    inputs = finding.inputs
    effects = "; ".join(gp_results(finding)) or "hits nobody"
    how = "strafes" if inputs["weapon"] == "strafing" else f"attacks with {inputs['weapon']}"
    return f"{inputs['aircraft']} {how} at {inputs['target']}: {effects}"


def air_weapon(finding: Finding) -> str | None:
    """6.7.3.2-4 The hexes that are attacked from the air."""
    if "attack" in finding.inputs or "hexes" not in finding.inputs:
        return None
    return f"from the air into {listed(finding.inputs['hexes'])}: {EFFECT.get(finding.result, value(finding.result))}"


def anti_aircraft(finding: Finding) -> str:
    """6.7.4 A gun against an aircraft."""
    inputs = finding.inputs
    roll = next(gp_rolls(finding), None)
    how = f" ({roll_said(roll)})" if roll is not None else ""
    effect = EFFECT.get(finding.result, value(finding.result))
    at = f"{inputs['aircraft']}, range {inputs['range']}"
    return f"{inputs['gun']} ({inputs['weapon']}) fires at {at}{how}: {effect}"


# --- 7 optional rules ----------------------------------------------------------------------------------------

SUBJECTS: Final = ("unit", "vehicle", "formation", "battery", "aircraft", "group", "hex", "side")
"""What a finding is about, the most telling first."""


@cache
def optional_titles() -> dict[str, str]:
    """7.0 The titles of the optional rules by their numbers; of several with one number the first."""
    return {row.rule: row.text for row in reversed(optional_rules().values())}


def optional_rule(finding: Finding) -> str | None:
    """7.0 What an optional rule has found, under its title."""
    paragraph = finding.rule.partition("/")[0].split(".")
    numbers = (".".join(paragraph[:length]) for length in range(len(paragraph), 1, -1))
    title = next((optional_titles()[number] for number in numbers if number in optional_titles()), None)
    if title is None:
        return None
    about = next((name for name in SUBJECTS if finding.inputs.get(name)), "")
    of = f", {value(finding.inputs[about])}" if about else ""
    rest = {name: found for name, found in finding.inputs.items() if name != about}
    return f"{title}{of}: {plainly(msgspec.structs.replace(finding, inputs=rest)).removeprefix('as printed: ')}"


# --- the end of the turn -------------------------------------------------------------------------------------


def move(finding: Finding) -> str | None:
    """4.5.1.1 The beginning and the end of a move."""
    if finding.result == "begins" and "command" in finding.inputs:
        return basic.move(finding)
    return None


def answered(finding: Finding) -> str:
    """What was answered on somebody's behalf, in the order language, and why."""
    inputs = finding.inputs
    about = f"{inputs['kind']} {inputs['subject']}".strip()
    decision = DECISIONS[inputs["kind"]](
        None, None, Ask("", inputs["kind"], inputs["rule"], subject=inputs["subject"])
    )
    said = ", ".join(decision.sentence(finding.result))
    clause = f" («{inputs['clause']}»)" if inputs["clause"] else ""
    passed = f"; not possible: {'; '.join(inputs['passed'])}" if inputs["passed"] else ""
    return f"{about}: {said or 'nothing'}, by {SOURCE[inputs['source']]}{clause}{passed}"


# --- telling -------------------------------------------------------------------------------------------------

Told = Callable[[Finding], str | None]
"""A teller that passes with None what it does not know."""

TELLERS: Final[Mapping[str, tuple[Told, ...]]] = {
    "4.1": (spotted,),
    "4.1.1": (spotted,),
    "4.1.3": (spotting_range,),
    "4.2.1": (revealed,),
    "4.4.1": (fire, spot_fire),
    "4.4.2": (fire,),
    "4.4.3.2.5": (penetration,),
    "6.0": (sequence,),
    "7.0": (optional_rules_said,),
    "7.0/sequence": (optional_sequence,),
    "6.1": (spotted,),
    "6.1.3": (spotting_range,),
    "6.3": (initiative,),
    "6.5": (phase,),
    "6.6": (phase,),
    "6.5.1.7": (mission,),
    "6.5.1.8": (continued,),
    "6.5.1.11": (mission,),
    "6.5.1.12": (response,),
    "6.5.1.13": (landing,),
    "6.5.2": (ap_shot,),
    "6.5.2.2": (ap_hit,),
    "6.5.2.2.2": (ap_hit,),
    "6.5.2.4": (net_modifier,),
    "6.5.4.3": (net_modifier,),
    "6.6.1.1": (close_assault,),
    "6.6.1.2": (hand_to_hand,),
    "6.6.1.1.2": (net_modifier,),
    "6.6.1.2.1": (fight,),
    "6.6.1.2.2": (net_modifier,),
    "6.6.6": (barrage,),
    "6.6.10": (overrun,),
    "6.7.3": (air_attack,),
    "6.7.3.2": (air_weapon,),
    "6.7.3.3": (air_weapon,),
    "6.7.3.4": (air_weapon,),
    "6.7.3.5": (net_modifier,),
    "6.7.4": (anti_aircraft,),
    "6.7.4.2": (net_modifier,),
    ANSWERED: (answered,),
    FAILED: (failed_order,),
}
"""What one sentence with fixed words does not tell, by paragraph."""


def teller_of(rule: str) -> Teller:
    """The teller of a rule: its own, a phrase, its shape, that of the basic game, plain words."""
    paragraph = rule.partition("/")[0]
    own = TELLERS.get(rule) or TELLERS.get(paragraph, ())

    def told(finding: Finding) -> str:
        for teller in (*own, by_shape, phrase_of, optional_rule):
            said = teller(finding)
            if said is not None:
                return said
        return basic.teller_of(rule)(finding)

    known = own or paragraph[:1] in "567" or paragraph in PHRASES
    return told if known else in_basic_words(rule)


def in_basic_words(rule: str) -> Teller:
    """A finding of a basic rule; where the advanced game puts more into it, by its shape."""

    def told(finding: Finding) -> str:
        return by_shape(finding) or basic.teller_of(rule)(finding)

    return told


class _Telling(Telling):
    """The sentences of the advanced game."""

    def teller_of(self, rule: str) -> Teller:
        return teller_of(rule)


TELLING: Final = _Telling()
tell, tell_tree = TELLING.tell, TELLING.tell_tree


def is_plain(finding: Finding) -> bool:
    """Whether nobody tells this finding but in plain data."""
    return teller_of(finding.rule)(finding) == plainly(finding)

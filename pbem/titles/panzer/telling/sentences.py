"""Findings of the advanced game in words: one sentence each, as in the basic game.

    by_shape          forms common to many rules: modifiers, cover, steps, rolls on the GP table
    TELLERS           fire, missions, close combat, overruns and aircraft, with their effects
    tell, tell_tree

A finding is worded by the function for its rule or for the paragraph the rule belongs to, then by its shape, then by
a sentence with fixed words (`phrases`); findings of the basic game use that game's sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Final

import msgspec

from pbem.engine.play.resolve import ANSWERED, FAILED
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import Finding
from pbem.engine.text.messages import Message
from pbem.engine.text.sentences import Teller, Telling, failed_order, listed, modifiers_of, plainly, signed, value
from pbem.titles.panzer.decisions.all_kinds import DECISIONS
from pbem.titles.panzer.rules_in_use import optional_rules
from pbem.titles.panzer.telling import basic_sentences as basic
from pbem.titles.panzer.telling.basic_sentences import COMMAND, SOURCE, child, spent
from pbem.titles.panzer.telling.combat_sentences import (
    air_attack,
    air_weapon,
    anti_aircraft,
    barrage,
    close_assault,
    continued,
    fight,
    hand_to_hand,
    landing,
    mission,
    overrun,
    response,
)
from pbem.titles.panzer.telling.fire_sentences import (
    ap_hit,
    ap_shot,
    fire,
    gp_attack,
    gp_roll_said,
    net_modifier,
    penetration,
    spot_fire,
)
from pbem.titles.panzer.telling.phrases import PHRASES, phrase_of
from pbem.titles.panzer.telling.side_names import display_name

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


# --- wording by shape ----------------------------------------------------------------------------------------


def by_shape(finding: Finding) -> str | None:
    """The wording for forms common to many rules."""
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
    """6.6 A unit's movement points."""
    inputs, points = finding.inputs, finding.result
    usable = "/".join(str(points[rate]) for rate in ("cross", "path", "road"))
    return f"{inputs['unit']} moves {inputs['cross_country']}{inputs['mode']}: {usable} across country, path, road"


# --- 6.1, 6.2, 6.3 spotting, commands, initiative ------------------------------------------------------------


def spotted(finding: Finding) -> Message | str | None:
    """6.1 The units that spot a target."""
    inputs = finding.inputs
    if "by" in inputs and "limit" not in inputs:
        return f"{inputs['target']} is {finding.result} by {listed(inputs['by'])}"
    return basic.spotted(finding)


def spotting_range(finding: Finding) -> Message | str | None:
    return basic.spotting_range(finding) if "target" in finding.inputs else None


def revealed(finding: Finding) -> str | None:
    """4.2.1 A counter is revealed, for all units that share it."""
    inputs = finding.inputs
    if finding.result == "revealed":
        units = inputs.get("shared") or inputs.get("units") or [inputs["unit"]]
        return f"{listed(units)} {'reveal' if len(units) > 1 else 'reveals'} {COMMAND[inputs['command']]}"
    return None


def initiative(finding: Finding) -> str:
    """6.3 The First Player, with both totals."""
    won = child(finding, "6.3.1")
    totals = [found for found in won.children if found.rule == "6.3.2"] if won else []
    rolls = ", ".join(f"{display_name(found.inputs['side'])} {found.result}" for found in totals)
    side = display_name(finding.result)
    return f"initiative of turn {finding.inputs['turn']}: the {side} side is First Player ({rolls})"


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
    """6.5, 6.6 The player whose step it is."""
    inputs = finding.inputs
    if "player" in inputs:
        what = inputs.get("step", "movement")
        return f"{display_name(inputs['side'])} {what}, {inputs['player']} player"
    return f"then {' and '.join(map(str, inputs['steps']))}" if "steps" in inputs else None


# --- 7 optional rules ----------------------------------------------------------------------------------------

SUBJECTS: Final = ("unit", "vehicle", "formation", "battery", "aircraft", "group", "hex", "side")
"""The possible subjects of a finding, most specific first."""


@cache
def optional_titles() -> dict[str, str]:
    """7.0 The titles of the optional rules by number; the first if several share a number."""
    return {row.rule: row.text for row in reversed(optional_rules().values())}


def optional_rule(finding: Finding) -> str | None:
    """7.0 An optional rule's finding, under its title."""
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


def move(finding: Finding) -> Message | str | None:
    """4.5.1.1 The beginning and the end of a move."""
    if finding.result == "begins" and "command" in finding.inputs:
        return basic.move(finding)
    return None


def answered(finding: Finding) -> str:
    """An automatic answer in the order language, and the reason."""
    inputs = finding.inputs
    about = f"{inputs['kind']} {inputs['subject']}".strip()
    decision = DECISIONS[inputs["kind"]](
        None, None, Ask("", inputs["kind"], inputs["rule"], subject=inputs["subject"])
    )
    said = ", ".join(decision.sentence(finding.result))
    clause = f" («{inputs['clause']}»)" if inputs["clause"] else ""
    passed = f"; not possible: {'; '.join(inputs['passed'])}" if inputs["passed"] else ""
    return f"{about}: {said or 'nothing'}, by {SOURCE[inputs['source']]}{clause}{passed}"


# --- wording -------------------------------------------------------------------------------------------------

Told = Callable[[Finding], Message | str | None]
"""A wording function that returns None for findings it does not handle."""

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
}
"""Findings that need more than one fixed sentence, by paragraph."""


def teller_of(rule: str) -> Teller:
    """The wording for a rule: its own function, a phrase, its shape, the basic game's, or plain words."""
    paragraph = rule.partition("/")[0]
    own = TELLERS.get(rule) or TELLERS.get(paragraph, ())

    def told(finding: Finding) -> Message | str:
        for teller in (*own, by_shape, phrase_of, optional_rule):
            said = teller(finding)
            if said is not None:
                return said
        return basic.teller_of(rule)(finding)

    known = own or paragraph[:1] in "567" or paragraph in PHRASES
    return told if known else in_basic_words(rule)


def in_basic_words(rule: str) -> Teller:
    """A finding of a basic rule; by its shape where the advanced game adds data to it."""

    def told(finding: Finding) -> Message | str:
        return by_shape(finding) or basic.teller_of(rule)(finding)

    return told


class _Telling(Telling):
    """The sentences of the advanced game."""

    def teller_of(self, rule: str) -> Teller:
        return failed_order if rule == FAILED else teller_of(rule)


TELLING: Final = _Telling()
tell, tell_tree = TELLING.tell, TELLING.tell_tree

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
from pbem.engine.text.messages import Message, Name, Signed, agree, fill, named, pattern, recorded, say, several, term
from pbem.engine.text.sentences import Teller, Telling, data, failed_order, names, plain
from pbem.titles.panzer.decisions.all_kinds import DECISIONS
from pbem.titles.panzer.movement.steps.acts import read_act, units_named
from pbem.titles.panzer.rules_in_use import optional_rules
from pbem.titles.panzer.telling import basic_moves
from pbem.titles.panzer.telling import basic_sentences as basic
from pbem.titles.panzer.telling.basic_sentences import SOURCE, child, cost_in_words
from pbem.titles.panzer.telling.combat_sentences import (
    air_attack,
    air_weapon,
    anti_aircraft,
    barrage,
    close_assault,
    continued_mission,
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
    describe_gp_roll,
    fire,
    gp_attack,
    net_modifier,
    penetration,
    spot_fire,
)
from pbem.titles.panzer.telling.words.codes import command, rows, word
from pbem.titles.panzer.telling.words.phrases import PHRASES, phrase_of
from pbem.titles.panzer.telling.words.sides import side_term

STEPS: Final = {
    "spotting_phase": term("panzer step", "spotting"),
    "place_commands": term("panzer step", "commands"),
    "initiative_phase": term("panzer step", "initiative"),
    "air_phase": term("panzer step", "aircraft"),
    "indirect_fire_step": term("panzer step", "indirect fire"),
    "direct_fire_step": term("panzer step", "direct fire"),
    "overwatch_step": term("panzer step", "overwatch"),
    "close_combat_step": term("panzer step", "close combat"),
    "movement_step": term("panzer step", "movement"),
    "adjustment_phase": term("panzer step", "adjustment"),
}


# --- wording by shape ----------------------------------------------------------------------------------------


def by_shape(finding: Finding) -> Message | None:
    """The wording for kinds of findings that occur under many rules, recognised by their inputs."""
    inputs = finding.inputs
    if "step" in inputs and "spent" in inputs:
        return step(finding)
    if "no_effect" in inputs:
        return describe_gp_roll(finding)
    if "attack" in inputs and "factor" in inputs:
        return gp_attack(finding)
    if "against" in inputs:
        return say(
            "{unit} in {hex}: cover {cover}.", unit=inputs["unit"], hex=inputs["hex"], cover=word(finding.result)
        )
    if "cross_country" in inputs and isinstance(finding.result, dict):
        return allowance(finding)
    if finding.modifiers and not inputs:
        return say("Modifiers: {rows}.", rows=rows(finding))
    if "what" in inputs and isinstance(finding.result, int) and not finding.rule.startswith("4.1"):
        return say("Movement points ({what}): {points}.", what=word(inputs["what"]), points=data(finding.result))
    if "times" in inputs and isinstance(finding.result, int):
        return say("Modifier {value}.", value=Signed(finding.result))
    if "text" in inputs and isinstance(finding.result, int):
        return say(
            "Modifier for {text}: {value}.", text=named("modifier", inputs["text"]), value=Signed(finding.result)
        )
    return None


STEP: Final = {
    "f": pattern("{unit} drives to {hex} ({spent})."),
    "b": pattern("{unit} reverses to {hex} ({spent})."),
    "l": pattern("{unit} turns left in {hex} ({spent})."),
    "r": pattern("{unit} turns right in {hex} ({spent})."),
    "up": pattern("{unit} goes upstairs in {hex} ({spent})."),
    "down": pattern("{unit} goes downstairs in {hex} ({spent})."),
    "in": pattern("{unit} drives into a building in {hex} ({spent})."),
    "f-in": pattern("{unit} drives into a building in {hex} ({spent})."),
    "out": pattern("{unit} leaves the building in {hex} ({spent})."),
    "search": pattern("{unit} looks for a hull-down position in {hex} ({spent})."),
    "unload": pattern("{unit} unloads its gun in {hex} ({spent})."),
    "push": pattern("{unit} clears the road in {hex} ({spent})."),
    "turret": pattern("{unit} turns its turret in {hex} ({spent})."),
    "enter": pattern("{unit} enters at {hex} ({spent})."),
    "mount": pattern("{unit} picks up {other} in {hex} ({spent})."),
    "dismount": pattern("{unit} drops off {other} in {hex} ({spent})."),
    "bail": pattern("{unit} drops off {other} in haste in {hex} ({spent})."),
    "overrun": pattern("{unit} overruns {other} in {hex} ({spent})."),
    "": pattern("{unit} goes to {hex} ({spent})."),
}


def step(finding: Finding) -> Message:
    """6.6 One step of a move."""
    inputs = finding.inputs
    act = read_act(str(inputs["step"]))
    other = "".join(units_named([str(act)]))
    args = {"unit": inputs["unit"], "hex": data(inputs["hex"]), "spent": cost_in_words(finding), "other": other}
    return fill(STEP.get(act.code, STEP[""]), args)


def allowance(finding: Finding) -> Message:
    """6.6 A unit's movement points."""
    inputs, points = finding.inputs, finding.result
    usable = "/".join(str(points[rate]) for rate in ("cross", "path", "road"))
    return say(
        "Movement of {unit} ({factor}): {points} points across country, by path and by road.",
        unit=inputs["unit"],
        factor=f"{inputs['cross_country']}{inputs['mode']}",
        points=usable,
    )


# --- 6.1, 6.2, 6.3 spotting, commands, initiative ------------------------------------------------------------


def tell_spotted(finding: Finding) -> Message | None:
    """6.1 The units that spot a target."""
    inputs = finding.inputs
    if "by" in inputs and "limit" not in inputs:
        if finding.result == "spotted":
            return say("{target} is spotted by {spotters}.", target=inputs["target"], spotters=names(inputs["by"]))
        return say(
            "{target} is {result} by {spotters}.",
            target=inputs["target"],
            result=word(finding.result),
            spotters=names(inputs["by"]),
        )
    return basic.tell_spotted(finding)


def spotting_range(finding: Finding) -> Message | None:
    return basic.spotting_range(finding) if "target" in finding.inputs else None


def revealed_counter(finding: Finding) -> Message | None:
    """4.2.1 A counter is revealed, for all units that share it."""
    inputs = finding.inputs
    if finding.result == "revealed":
        units = inputs.get("shared") or inputs.get("units") or [inputs["unit"]]
        return agree(
            "{units} reveals {command}.",
            "{units} reveal {command}.",
            n=len(units),
            units=names(units),
            command=command(inputs["command"]),
        )
    return None


def initiative(finding: Finding) -> Message:
    """6.3 The First Player, with both totals."""
    won = child(finding, "6.3.1")
    totals = [found for found in won.children if found.rule == "6.3.2"] if won else []
    rolls = [say("{side} {total}", side=side_term(one.inputs["side"]), total=data(one.result)) for one in totals]
    return say(
        "Initiative of turn {turn}: the {side} side is First Player ({rolls}).",
        turn=finding.inputs["turn"],
        side=side_term(finding.result),
        rolls=several(rolls, "unit"),
    )


def sequence(finding: Finding) -> Message:
    """6.0 The order of steps in the turn, each named once."""
    steps = dict.fromkeys(name for name, _ in finding.result)
    return say(
        "Turn {turn}: {steps}.",
        turn=finding.inputs["turn"],
        steps=several((STEPS.get(name, name) for name in steps), "unit"),
    )


def describe_optional_rules(finding: Finding) -> Message:
    """7.0 The optional rules in use, by number and name."""
    rules = several((optional_name(text) for text in finding.inputs["rules"].values()), "clauses")
    return say("In use: {rules}.", rules=rules)


def optional_name(text: str) -> Message:
    """7.0 An optional rule's number and name, from their form in the record."""
    number, _, name = text.partition(" ")
    if not number[:1].isdigit():
        return named("panzer optional rule", text)
    return say("{number} {name}", number=number, name=named("panzer optional rule", name))


def optional_sequence(finding: Finding) -> Message:
    """7.0 Where in the turn the optional rules take effect."""
    if not finding.result:
        return say("No optional rule adds a step to the turn.")
    said = (
        say("{where}: {what}", where=recorded(str(where)), what=recorded(str(what))) for where, what in finding.result
    )
    return say("Optional rules add to these steps: {additions}.", additions=several(said, "clauses"))


PLAYERS: Final = {
    ("movement", "first"): pattern("{side} movement, First Player."),
    ("movement", "second"): pattern("{side} movement, Second Player."),
}


def phase(finding: Finding) -> Message | None:
    """6.5, 6.6 The player whose step it is."""
    inputs = finding.inputs
    if "player" in inputs:
        known = PLAYERS.get((inputs.get("step", "movement"), inputs["player"]))
        if known is not None:
            return fill(known, {"side": side_term(inputs["side"])})
        return say(
            "{side} {step}, {player} player.",
            side=side_term(inputs["side"]),
            step=recorded(str(inputs["step"])),
            player=word(inputs["player"]),
        )
    if "steps" in inputs:
        return say("Then {steps}.", steps=several(word(str(one)) for one in inputs["steps"]))
    return None


# --- 7 optional rules ----------------------------------------------------------------------------------------

SUBJECTS: Final = ("unit", "vehicle", "formation", "battery", "aircraft", "group", "hex", "side")
"""The possible subjects of a finding, most specific first."""


@cache
def optional_titles() -> dict[str, str]:
    """7.0 The titles of the optional rules by number; the first if several share a number."""
    return {row.rule: row.text for row in reversed(optional_rules().values())}


def optional_rule(finding: Finding) -> Message | None:
    """7.0 An optional rule's finding, under its title."""
    paragraph = finding.rule.partition("/")[0].split(".")
    numbers = (".".join(paragraph[:length]) for length in range(len(paragraph), 1, -1))
    title = next((optional_titles()[number] for number in numbers if number in optional_titles()), None)
    if title is None:
        return None
    about = next((name for name in SUBJECTS if finding.inputs.get(name)), "")
    rest = {name: found for name, found in finding.inputs.items() if name != about}
    facts = plain(msgspec.structs.replace(finding, inputs=rest))
    name = named("panzer optional rule", title)
    if about:
        return say("{rule}, {subject}: {facts}", rule=name, subject=word(finding.inputs[about]), facts=facts)
    return say("{rule}: {facts}", rule=name, facts=facts)


# --- the end of the turn -------------------------------------------------------------------------------------


def move(finding: Finding) -> Message | None:
    """4.5.1.1 Where a move begins and ends."""
    if finding.result == "begins" and "command" in finding.inputs:
        return basic_moves.move(finding)
    return None


def automatic_answer(finding: Finding) -> Message:
    """An automatic answer in the order language, and the reason for it."""
    inputs = finding.inputs
    decision = DECISIONS[inputs["kind"]](
        None, None, Ask("", inputs["kind"], inputs["rule"], subject=inputs["subject"])
    )
    lines = ", ".join(decision.sentence(finding.result))
    said = say(
        "{about}: {orders}, by {source}",
        about=Name(f"{inputs['kind']} {inputs['subject']}".strip()),
        orders=Name(lines) if lines else term("value", "nothing"),
        source=SOURCE[inputs["source"]],
    )
    if inputs["clause"]:
        said = say("{answer} (“{clause}”)", answer=said, clause=inputs["clause"])
    if inputs["passed"]:
        reasons = several(map(recorded, inputs["passed"]), "clauses")
        return say("{answer}. Orders that did not apply: {reasons}", answer=said, reasons=reasons)
    return say("{answer}.", answer=said)


# --- wording -------------------------------------------------------------------------------------------------

Told = Callable[[Finding], Message | None]
"""A wording function that returns None for findings it does not handle."""

TELLERS: Final[Mapping[str, tuple[Told, ...]]] = {
    "4.1": (tell_spotted,),
    "4.1.1": (tell_spotted,),
    "4.1.3": (spotting_range,),
    "4.2.1": (revealed_counter,),
    "4.4.1": (fire, spot_fire),
    "4.4.2": (fire,),
    "4.4.3.2.5": (penetration,),
    "6.0": (sequence,),
    "7.0": (describe_optional_rules,),
    "7.0/sequence": (optional_sequence,),
    "6.1": (tell_spotted,),
    "6.1.3": (spotting_range,),
    "6.3": (initiative,),
    "6.5": (phase,),
    "6.6": (phase,),
    "6.5.1.7": (mission,),
    "6.5.1.8": (continued_mission,),
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
    ANSWERED: (automatic_answer,),
}
"""The functions for findings that need more than one fixed sentence, by paragraph."""


def teller_of(rule: str) -> Teller:
    """The wording for a rule: its own function, its shape, a phrase, the basic game's wording, or plain words."""
    paragraph = rule.partition("/")[0]
    own = TELLERS.get(rule) or TELLERS.get(paragraph, ())

    def told(finding: Finding) -> Message:
        tellers: tuple[Told, ...] = (*own, by_shape, phrase_of, optional_rule)
        for teller in tellers:
            said = teller(finding)
            if said is not None:
                return said
        return basic.teller_of(rule)(finding)

    known = own or paragraph[:1] in "567" or paragraph in PHRASES
    return told if known else in_basic_words(rule)


def in_basic_words(rule: str) -> Teller:
    """The wording for a basic rule; by its shape where the advanced game adds data to the finding."""

    def told(finding: Finding) -> Message:
        return by_shape(finding) or basic.teller_of(rule)(finding)

    return told


class _Telling(Telling):
    """Puts findings into the sentences of the advanced game."""

    def teller_of(self, rule: str) -> Teller:
        return failed_order if rule == FAILED else teller_of(rule)


TELLING: Final = _Telling()
tell, tell_tree = TELLING.tell, TELLING.tell_tree

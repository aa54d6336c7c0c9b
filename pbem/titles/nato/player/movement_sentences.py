"""Findings in sentences; those with fixed wording are in `phrases`.

10      supply
12, 28  movement
19, 23  air power
25      battles
30, 34  cities and victory
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from pbem.engine.play.resolve import ANSWERED
from pbem.engine.rules.findings import Finding
from pbem.engine.text.messages import (
    Message,
    Name,
    Several,
    Signed,
    Value,
    agree,
    fill,
    pattern,
    recorded,
    say,
    say_n,
    several,
    term,
)
from pbem.engine.text.sentences import Teller, Telling, data, names, plain
from pbem.titles.nato.phases import JOINT, PHASES
from pbem.titles.nato.player.phrases import phrase, words_of
from pbem.titles.nato.player.words import PLACES, brigade, side, subject, word


class NatoTelling(Telling):
    """Puts findings into words; a finding without its own function gets a sentence with fixed wording."""

    def teller_of(self, rule: str) -> Teller:
        own = super().teller_of(rule)
        return tell_fixed if own is plain else own


def tell_fixed(finding: Finding) -> Message:
    return phrase(finding) or plain(finding)


TELLING: Final = NatoTelling()
tell, tell_tree = TELLING.tell, TELLING.tell_tree
tells = TELLING.tells


tells("25.1.8/default-path", "25.9.1/breakthrough-battle")(tell_fixed)


def place(found: Any) -> Value:
    """The name of a hex, or of a box off the map."""
    return PLACES.get(str(found), Name(str(found)))


def rows(finding: Finding) -> Value:
    """The modifiers or shifts of a finding, each with its value."""
    found = [
        say("{text} {value}", text=word(row["text"]), value=Signed(row["value"] * row.get("times", 1)))
        for row in finding.modifiers
    ]
    return several(found, "unit") if found else term("modifiers", "none")


def reasons(found: Any) -> Several:
    """The reasons why an order was not carried out, as worded in the record."""
    return several(map(recorded, found), "clauses")


@tells(ANSWERED)
def tell_answered(finding: Finding) -> Message:
    given = finding.inputs
    about = Name(f"{given['kind']} {given['subject']}".strip())
    result: Value = data(finding.result) if finding.result is not None else term("value", "none")
    if not given["clause"]:
        said = say("{about}: default answer: {result}", about=about, result=result)
    else:
        said = say("{about}: answered by “{clause}”: {result}", about=about, clause=given["clause"], result=result)
    if not given["passed"]:
        return say("{answer}.", answer=said)
    return say("{answer}. Orders that did not apply: {reasons}", answer=said, reasons=reasons(given["passed"]))


# --- movement and supply ---------------------------------------------------------------------------------------

MOVES: Final = {
    "12.2": pattern(
        "{unit} moves from {from} {way} for {spent} movement point.",
        "{unit} moves from {from} {way} for {spent} movement points.",
    ),
    "12.4": pattern(
        "{unit} marches from {from} {way} for {spent} movement point.",
        "{unit} marches from {from} {way} for {spent} movement points.",
    ),
    "12.5": pattern("{unit} makes a minimum move from {from} {way}."),
    "28.2.1": pattern(
        "{unit} moves out of reserve from {from} {way} for {spent} movement point.",
        "{unit} moves out of reserve from {from} {way} for {spent} movement points.",
    ),
}


def way(path: Sequence[str]) -> Message:
    """A unit's path in words: its destination and any hexes between."""
    *between, end = path
    if not between:
        return say("to {end}", end=end)
    return say("via {between} to {end}", between=" ".join(between), end=end)


@tells(*MOVES)
def tell_moved(finding: Finding) -> Message:
    given = finding.inputs
    spent = given["spent"] if type(given["spent"]) is int else 0
    args = {"unit": given["unit"], "from": place(given["from"]), "way": way(given["path"]), "n": spent}
    return fill(MOVES[finding.rule], {**args, "spent": given["spent"]})


NAMES: Final = {
    "player turn": (pattern("{side}'s player turn."), pattern("{side}'s player turn: {outcome}.")),
    "HQ Supply Phase": (pattern("{side}'s HQ Supply Phase."), pattern("{side}'s HQ Supply Phase: {outcome}.")),
    "Movement Phase": (pattern("{side}'s Movement Phase."), pattern("{side}'s Movement Phase: {outcome}.")),
    "Movement Supply Segment": (
        pattern("{side}'s Movement Supply Segment."),
        pattern("{side}'s Movement Supply Segment: {outcome}."),
    ),
    "Rail Movement Segment": (pattern("{side}'s Rail Movement Segment."),),
    "Air and Sea Movement Segment": (pattern("{side}'s Air and Sea Movement Segment."),),
    "Ground Movement Segment": (pattern("{side}'s Ground Movement Segment."),),
    "Helicopter Movement Segment": (pattern("{side}'s Helicopter Movement Segment."),),
    "Recovery Phase": (pattern("{side}'s Recovery Phase."), pattern("{side}'s Recovery Phase: {outcome}.")),
    "Battle Planning Phase": (pattern("{side}'s Battle Planning Phase."),),
    "Offensive Strike Phase": (
        pattern("{side}'s Offensive Strike Phase."),
        pattern("{side}'s Offensive Strike Phase: {outcome}."),
    ),
    "Nuclear Strike Segment": (pattern("{side}'s Nuclear Strike Segment."),),
    "Chemical Strike Segment": (pattern("{side}'s Chemical Strike Segment."),),
    "Air Strike Segment": (pattern("{side}'s Air Strike Segment."),),
    "Artillery Strike Segment": (pattern("{side}'s Artillery Strike Segment."),),
    "Combat Phase": (pattern("{side}'s Combat Phase."),),
    "Commit Segment": (pattern("{side}'s Commit Segment."),),
    "Response Segment": (pattern("Response Segment in {side}'s player turn."),),
    "NATO Defensive Strike Segment": (pattern("NATO Defensive Strike Segment."),),
    "Attack Helicopter Segment": (pattern("Attack Helicopter Segment in {side}'s player turn."),),
    "Combat Segment": (pattern("Combat Segment in {side}'s player turn."),),
    "Defender Results Segment": (pattern("Defender Results Segment in {side}'s player turn."),),
    "Attacker Results Segment": (pattern("Attacker Results Segment in {side}'s player turn."),),
    "Attack Helicopter Return Segment": (pattern("Attack Helicopter Return Segment in {side}'s player turn."),),
    "Joint Combat Supply Segment": (pattern("Joint Combat Supply Segment in {side}'s player turn."),),
    "Reserve Phase": (pattern("{side}'s Reserve Phase."),),
    "Suppression Removal Phase": (pattern("{side}'s Suppression Removal Phase."),),
}
"""7.2 The headings in the record, and their variants with an outcome."""


@tells(*(f"7.2/{wp}" for wp, _, _ in PHASES.values()), *(f"7.2/{nato}" for _, nato, _ in PHASES.values() if nato))
def phase(finding: Finding) -> Message:
    alone, *with_outcome = NAMES[finding.inputs["phase"]]
    whose = subject(finding.inputs["side"]) if alone.text.startswith("{") else side(finding.inputs["side"])
    found = list(outcome(finding.result)) if isinstance(finding.result, dict) else []
    if found and with_outcome:
        return fill(with_outcome[0], {"side": whose, "outcome": several(found)})
    return fill(alone, {"side": whose})


def outcome(result: dict[str, Any]) -> Iterator[Message]:
    """Yield the findings in the result of a phase, if there are any."""
    for what, found in result.items():
        if isinstance(found, list) and found:
            yield agree("{units} is unsupplied", "{units} are unsupplied", n=len(found), units=names(found))
        elif isinstance(found, int) and found and what in COUNTS:
            yield fill(COUNTS[what], {"n": found, "count": found})


COUNTS: Final = {
    "out": pattern("{count} unit is out of movement supply", "{count} units are out of movement supply"),
    "nuclear": pattern("{count} nuclear strike", "{count} nuclear strikes"),
    "chemical": pattern("{count} chemical strike", "{count} chemical strikes"),
    "air strikes": pattern("{count} air strike", "{count} air strikes"),
    "artillery": pattern("{count} artillery strike", "{count} artillery strikes"),
    "recovered": pattern("{count} unit has recovered", "{count} units have recovered"),
    "in supply again": pattern("{count} unit is in supply again", "{count} units are in supply again"),
}
"""7.2 The counts in a phase's result."""

JOINT_PHASES: Final = {
    "Joint Status Phase": pattern("Joint Status Phase of turn {result}."),
    "the game turn advances": pattern("Turn {result} begins."),
    "mobilization clocks advance": pattern("Mobilization clocks advance."),
    "helicopters and Lift Commands are ready": pattern("Helicopters and Lift Commands are ready."),
    "points of NATO": pattern("NATO's points are counted."),
    "Reforger sites overrun": pattern("Reforger sites that have been overrun are removed."),
    "fortified hexes taken": pattern("Fortified hexes that have been taken are removed."),
    "forces of countries that have surrendered": pattern("Forces of countries that have surrendered are removed."),
    "Joint Reinforcement Phase": pattern("Joint Reinforcement Phase of turn {result}."),
    "air points": pattern("Air points are assigned."),
    "reinforcements": pattern("Reinforcements arrive."),
    "end of the game turn": pattern("Turn {result} ends."),
    "before the war": pattern("Before the war."),
}


@tells(*(f"7.2/{number}" for number, _ in JOINT.values()))
def joint_phase(finding: Finding) -> Message:
    name, found = finding.inputs["phase"], finding.result
    if name == JOINT["supply"][1]:
        if not isinstance(found, dict):
            return say("Chemical points and Supply Points are assigned.")
        chemical = several(
            say("{side} {points}", side=side(who), points=points) for who, points in found["chemical"].items()
        )
        return say("Chemical points: {chemical}; Supply Points: {supply}.", chemical=chemical, supply=found["supply"])
    return fill(JOINT_PHASES[name], {"result": data(found)})


@tells("7.2")
def tell_skipped_move(finding: Finding) -> Message:
    given, why = finding.inputs, reasons(finding.inputs["why"])
    if orders := given.get("orders"):
        return say(
            "Orders not carried out, because {reasons}: {orders}.", reasons=why, orders=several(orders, "unit")
        )
    return say("The order for {unit} is skipped: {reasons}.", unit=given["unit"], reasons=why)


@tells("28.1")
def in_reserve(finding: Finding) -> Message:
    return say(
        "{unit} is placed in reserve in {place}.", unit=finding.inputs["unit"], place=place(finding.inputs["at"])
    )


@tells("10.4")
def headquarters(finding: Finding) -> Message:
    said = [
        say("{hq} is in supply", hq=hq) if supplied else say("{hq} is out of supply", hq=hq)
        for hq, supplied in finding.result.items()
    ]
    return say("{said}.", said=several(said))


FLOWN_IN: Final = {
    ("supplied", True): pattern(
        "{side} flies supply into {hex} ({airspace} airspace): {total} against {value}, and the flight gets through."
    ),
    ("intercepted", True): pattern(
        "{side} flies supply into {hex} ({airspace} airspace): {total} against {value}, and the flight is "
        "intercepted."
    ),
    ("supplied", False): pattern(
        "{side} flies supply into {hex} ({airspace} airspace); the flight cannot be intercepted."
    ),
}


@tells("10.7.1")
def resupply(finding: Finding) -> Message:
    given = finding.inputs
    total = sum(finding.dice) - given["zone"]
    return fill(FLOWN_IN[finding.result, given["value"] is not None], {**words_of(finding), "total": total})


@tells("9.1.3")
def tell_overstacked(finding: Finding) -> Message:
    given = finding.inputs
    if finding.result == "eliminated":
        return say("{unit} is eliminated: there was no room for it in {hex}.", unit=given["unit"], hex=given["at"])
    return say("{unit} loses a step: there was no room for it in {hex}.", unit=given["unit"], hex=given["at"])


@tells("33.2.1.2")
def site(finding: Finding) -> Message:
    given = finding.inputs
    if finding.result == "destroyed":
        return say("{unit} destroys the reserve site in {hex}.", unit=given["unit"], hex=given["hex"])
    return say("{unit} is eliminated before it can form in {hex}.", unit=given["unit"], hex=given["hex"])


@tells("29.8")
def hq_lost(finding: Finding) -> Message:
    if isinstance(finding.result, int):
        return say("{unit} will be reconstituted on turn {turn}.", unit=finding.inputs["unit"], turn=finding.result)
    return say("{unit} is reconstituted in {place}.", unit=finding.inputs["unit"], place=place(finding.result))


CARRIED: Final = {
    "13.2": pattern("{unit} goes by rail from {from} to {result}."),
    "14.1.2": pattern("{unit} is ferried from {from} to {result}."),
    "16.1.2": pattern("{unit} is lifted from {from} to {result}."),
    "16.1.3": pattern("{unit} flies from {from} and drops on {result}."),
    "16.2.3": pattern("{unit} sails from {from} to {result}."),
    "18.1.3": pattern("{unit} is flown in from {from} to {result}."),
    "18.1.4": pattern("{unit} is flown out from {from} to {result}."),
}


@tells(*CARRIED)
def tell_carried(finding: Finding) -> Message:
    return fill(CARRIED[finding.rule], words_of(finding))


@tells("13.1", "13.5")
def trains(finding: Finding) -> Message:
    if units := finding.inputs.get("units"):
        return agree("{units} is entrained.", "{units} are entrained.", n=len(units), units=names(units))
    unit, where = finding.inputs["unit"], place(finding.result)
    if finding.rule == "13.1":
        return say("{unit} entrains in {place}.", unit=unit, place=where)
    return say("{unit} detrains in {place}.", unit=unit, place=where)


STATES: Final = {
    "eliminated": term("nato state", "eliminated"),
    "reduced": term("nato state", "reduced"),
}


@tells("17.1.2")
def interception(finding: Finding) -> Message:
    given = finding.inputs
    if "value" not in given:
        state = STATES.get(finding.result, finding.result)
        return say("{unit} loses a step to interception and is {state}.", unit=given["unit"], state=state)
    args = {"unit": given["unit"], "to": given["to"], "total": sum(finding.dice) - given["zone"]}
    if finding.result == "intercepted":
        return say("{unit} flies to {to}: {total} against {value}, intercepted.", **args, value=given["value"])
    return say("{unit} flies to {to}: {total} against {value}, not intercepted.", **args, value=given["value"])


@tells("27.1")
def tell_assault(finding: Finding) -> Message:
    return say("{unit} lands among enemy units in {hex}.", unit=finding.inputs["unit"], hex=finding.result)


@tells("27.3.5")
def assault_failed(finding: Finding) -> Message:
    return agree(
        "The assault on {objective} fails: {units} is eliminated.",
        "The assault on {objective} fails: {units} are eliminated.",
        n=len(finding.result),
        objective=finding.inputs["objective"],
        units=names(finding.result),
    )


@tells("19.1.3.1", "19.1.3.2")
def shot_down(finding: Finding) -> Message:
    if finding.result == "lost":
        return say("{unit} is lost with its helicopters.", unit=finding.inputs["unit"])
    return say("The helicopters are shot down.")


@tells("13.4.3", "13.4.4")
def train_lost(finding: Finding) -> Message:
    units = finding.result if isinstance(finding.result, list) else [finding.inputs["unit"]]
    return agree(
        "{units} is lost with its train.", "{units} are lost with their trains.", n=len(units), units=names(units)
    )


# --- air power -------------------------------------------------------------------------------------------------


@tells("23.1.1")
def air_points(finding: Finding) -> Message:
    found = finding.result
    said = several(
        (
            say(
                "{side} has {tactical} tactical and {operational} operational",
                side=side(name),
                tactical=found["tactical"][name],
                operational=found["operational"][name],
            )
            for name in found["tactical"]
        ),
        "clauses",
    )
    if finding.dice:
        return say("Air points (dice {dice}): {said}.", dice=data(finding.dice), said=said)
    return say("Air points: {said}.", said=said)


@tells("23.3", "23.2.2", "24.1")
def tell_strike(finding: Finding) -> Message:
    given = finding.inputs
    rolled = say(
        "die {die}, modifiers {rows}, {row} in column {column}",
        die=finding.dice[0],
        rows=rows(finding),
        row=data(finding.cell[1]),
        column=data(given["column"]),
    )
    args = {"targets": names(given["targets"]), "hex": given["hex"], "rolled": rolled, "result": word(finding.result)}
    if given["by"]:
        return say("{unit} strikes {targets} in {hex} ({rolled}): {result}.", unit=given["by"], **args)
    if finding.rule == "23.3":
        return say("An air strike on {targets} in {hex} ({rolled}): {result}.", **args)
    return say("A defensive air strike on {targets} in {hex} ({rolled}): {result}.", **args)


@tells("23.8")
def tell_interdicted(finding: Finding) -> Message:
    return say(
        "{side} interdicts {hex} and the hexes around it.", side=subject(finding.inputs["side"]), hex=finding.result
    )


FLAK: Final = {
    "missed": term("nato flak", "missed"),
    "shot down": term("nato flak", "shot down"),
    "survived": term("nato flak", "survived"),
}


@tells("19.1")
def flak(finding: Finding) -> Message:
    given = finding.inputs
    args = {
        "brigade": brigade(given["brigade"]),
        "hex": given["hex"],
        "die": finding.dice[0],
        "limit": given["hits_on"],
        "result": FLAK.get(finding.result, finding.result),
    }
    if len(finding.dice) > 1:
        return say(
            "Flak against {brigade} over {hex}: {die} (hits on {limit} or less), then {second} against defense "
            "{defense}: {result}.",
            **args,
            second=finding.dice[1],
            defense=given["defense"],
        )
    return say("Flak against {brigade} over {hex}: {die} (hits on {limit} or less): {result}.", **args)


@tells("25.1.4")
def helicopters(finding: Finding) -> Message:
    if finding.result:
        return say("The attack helicopters of {hq} arrive.", hq=finding.inputs["hq"])
    return say("The attack helicopters of {hq} do not arrive.", hq=finding.inputs["hq"])


@tells("25.1.8")
def home(finding: Finding) -> Message:
    return say("The attack helicopters of {hq} fly home to recover.", hq=finding.inputs["hq"])


@tells("21.1.1", "22.2.3")
def mass_strike(finding: Finding) -> Message:
    if finding.rule.startswith("21"):
        return say(
            "{side} makes a nuclear strike on {hex}.", side=subject(finding.inputs["side"]), hex=finding.result
        )
    return say("{side} makes a chemical strike on {hex}.", side=subject(finding.inputs["side"]), hex=finding.result)


@tells("21.1.1/step", "22.2.3/unit")
def mass_effect(finding: Finding) -> Message:
    given = finding.inputs
    args = {"unit": given["unit"], "hex": given["hex"], "die": finding.dice[0]}
    return say("{unit} in {hex}: {result} (die {die}).", **args, result=word(str(finding.result)))


ARMAGEDDON: Final = {
    "Armageddon": term("nato end", "Armageddon"),
    "no Armageddon": term("nato end", "no Armageddon"),
    "no roll": term("nato end", "no roll is needed"),
}


@tells("21.2", "21.2.1")
def armageddon(finding: Finding) -> Message:
    given = finding.inputs
    result = ARMAGEDDON.get(finding.result, finding.result)
    if finding.dice:
        return say_n(
            "{side} has made {n} nuclear strike, die {die}: {result}.",
            "{side} has made {n} nuclear strikes, die {die}: {result}.",
            n=given["strikes"],
            side=subject(given["side"]),
            die=finding.dice[0],
            result=result,
        )
    return say_n(
        "{side} has made {n} nuclear strike: {result}.",
        "{side} has made {n} nuclear strikes: {result}.",
        n=given["strikes"],
        side=subject(given["side"]),
        result=result,
    )


SPECIAL: Final = {
    "21.3": pattern("{side} strikes enemy airfields: {result}."),
    "21.4": pattern("{side} strikes the Vistula crossings: {result}."),
    "22.4": pattern("{side} strikes NATO's airfields with chemicals: {result}."),
}


@tells(*SPECIAL)
def special(finding: Finding) -> Message:
    return fill(SPECIAL[finding.rule], words_of(finding))


@tells("23.7")
def deep_strike(finding: Finding) -> Message:
    return say_n(
        "Deep interdiction with {n} point, die {die}; Supply Points lost: {lost}.",
        "Deep interdiction with {n} points, die {die}; Supply Points lost: {lost}.",
        n=finding.inputs["points"],
        die=finding.dice[0],
        lost=data(finding.result),
    )


@tells("34.4")
def crime(finding: Finding) -> Message:
    given = finding.inputs
    return say(
        "{side} scores {points} VP for the strike on {hex}.",
        side=subject(given["side"]),
        points=data(finding.result),
        hex=given["hex"],
    )

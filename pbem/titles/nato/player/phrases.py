"""The fixed sentences for findings, by rule and result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pbem.engine.rules.findings import Finding
from pbem.engine.text.messages import Message, Name, Signed, Value, pattern, say, several
from pbem.engine.text.sentences import ANY, Phrases, data
from pbem.titles.nato.player.words import MOBILIZED, PLACES, brigade, measure, nation, subject, word

PHRASES: Final[Mapping[str, Mapping[str, Message | tuple[Message, ...]]]] = {
    # --- 4, 6, 8, 9 markers, terms, zones and stacking ---
    "2.1/dice": {ANY: pattern("The dice show {result}.")},
    "3.2.9": {ANY: pattern("{unit} has the arrival code {result}.")},
    "4.1.4": {ANY: pattern("{side} places air strike markers in {result}.")},
    "4.1.9": {ANY: pattern("{hq} gives Offensive Support to the attack on {result}.")},
    "4.2": {ANY: pattern("Markers are removed.")},
    "4.2.1": {ANY: pattern("{result} recovers from disruption.", "{result} recover from disruption.")},
    "4.2.2": {ANY: pattern("{result} is no longer suppressed.", "{result} are no longer suppressed.")},
    "4.5": {ANY: pattern("Preparation for war in turn {peace}: {measure}.")},
    "4.5.1": {ANY: pattern("The Warsaw Pact begins {result}.")},
    "4.5.2": {ANY: pattern("Tension rises by {rise} to {result}.")},
    "4.5.3": {"{}": pattern("No mobilization clock is running."), ANY: pattern("Mobilization clocks: {clocks}.")},
    "4.5.3.1": {ANY: pattern("The Soviet mobilization clock stands at {result}.")},
    "4.5.3.2": {ANY: pattern("The mobilization clock of the Warsaw Pact allies stands at {result}.")},
    "4.5.3.3": {ANY: pattern("NATO's mobilization clock stands at {result}.")},
    "4.5.4": {ANY: pattern("The following takes effect on turn {result}: {measure}.")},
    "4.5.5": {ANY: pattern("Die {dice} at tension {tension}: NATO's alert is {result} (it was {before}).")},
    "6.0/air-movement": {ANY: pattern("{unit} moves by air.")},
    "6.0/sea-movement": {ANY: pattern("{unit} moves by sea.")},
    "6.0/battle": {ANY: pattern("There is a battle in {result}.")},
    "6.0/battle-cycle": {
        "taken": pattern("The battle cycle for {objective} ends: it is taken."),
        "held": pattern("The battle cycle for {objective} ends: it is held."),
        "empty": pattern("The battle cycle for {objective} ends: it is empty."),
    },
    "6.0/column-shift": {ANY: pattern("The columns shift by {signed}.")},
    "6.0/drm": {ANY: pattern("Die roll modifier for {why}: {signed}.")},
    "6.0/flak": {ANY: pattern("The flak in {hex} has a value of {result}.")},
    "6.0/interception-attempt": {ANY: pattern("{unit} can be intercepted on {result} or less.")},
    "6.0/objective-hex": {ANY: pattern("{result} is the objective hex.")},
    "6.0/reforger": {ANY: pattern("{result} is a Reforger unit.")},
    "6.0/strike": {
        "air": pattern("An air strike is made on {hex}."),
        "artillery": pattern("An artillery strike is made on {hex}."),
    },
    "7.1.3": {
        ANY: (
            pattern("Places chosen for the arrivals of turn {turn}: {arrivals}."),
            pattern("No place was chosen for the arrivals of turn {turn}."),
        )
    },
    "8.1.3": {ANY: pattern("{unit} can fly over zones of control freely.")},
    "8.1.4": {ANY: pattern("Enemy zones of control change the interception roll for {unit} by {signed}.")},
    "8.1.5": {ANY: pattern("An enemy zone of control in {hex} has no extra cost, but exposes the unit to flak.")},
    "9.1.2": {ANY: pattern("{hex} now holds {result} maneuver step.", "{hex} now holds {result} maneuver steps.")},
    # --- 10 supply ---
    "10.3.3.3": {
        "yes": pattern("{hex} is a supply source again."),
        "no": pattern("{hex} is no longer a supply source."),
    },
    "10.5.1": {
        "out of movement supply": pattern(
            "{units} is out of movement supply.", "{units} are out of movement supply."
        ),
        "in movement supply": pattern("{units} is in movement supply.", "{units} are in movement supply."),
    },
    "10.6": {
        "out of combat supply": pattern("{units} is out of combat supply.", "{units} are out of combat supply."),
        "in combat supply": pattern("{units} is in combat supply.", "{units} are in combat supply."),
    },
    "10.5.2": {ANY: pattern("{result} can trace supply again.")},
    "10.5.5": {ANY: pattern("{result} stays out of movement supply.", "{result} stay out of movement supply.")},
    "10.6.2": {ANY: pattern("{result} stays out of combat supply.", "{result} stay out of combat supply.")},
    "10.6.3": {"yes": pattern("{unit} is in combat supply."), "no": pattern("{unit} is out of combat supply.")},
    "10.7.2": {ANY: pattern("The supplies in {hex} put {units} back in combat supply.")},
    "10.7.3": {ANY: pattern("Supplies flown into {hex} do not help headquarters, cities or units in other hexes.")},
    "10.8.1": {ANY: pattern("The Warsaw Pact receives {result} Supply Points and has {stock}.")},
    "10.8.2": {ANY: pattern("Supply Points are spent on {result}; {left} are left.")},
    "10.9.2": {
        "supplied": pattern("The Baltic Corps in {hex} is supplied by sea."),
        ANY: pattern("Sea supply for the Baltic Corps in {hex}: {result}."),
    },
    # --- 11-18 movement ---
    "11.1/route-test": {ANY: pattern("The airspace of the march route is checked before the move.")},
    "13.7.1": {
        ANY: pattern("From the Strategic Reserve Box, a unit can entrain, go to another box or enter the map.")
    },
    "13.8": {ANY: pattern("The move starts from {box}, by {result}.")},
    "15.2": {ANY: pattern("{side} declares lifts to neighboring hexes together: {result}.")},
    "16.0": {
        "lift": pattern("{unit} is lifted by air."),
        "drop": pattern("{unit} drops by parachute."),
        "ferry": pattern("{unit} is ferried by air."),
        "land": pattern("{unit} lands from the sea."),
        "sail": pattern("{unit} sails."),
        ANY: pattern("{unit} moves by {result}."),
    },
    "16.1.3.1": {ANY: pattern("{unit} may attack and is in combat supply.")},
    "16.2.3.1": {ANY: pattern("{unit} may attack and is in combat supply.")},
    "16.2.4": {ANY: pattern("{unit} is in supply after its landing.")},
    "16.3": {ANY: pattern("{unit} may fly over any airspace except the enemy's.")},
    "16.4": {ANY: pattern("{unit} affects airspace only after this segment.")},
    "17.0": {ANY: pattern("There is one interception attempt for each step of {unit}.")},
    "17.1": {ANY: pattern("The enemy intercepts on {result} or less.")},
    "17.1.1": {
        "contested": pattern("The route of {unit} is in contested airspace."),
        "enemy": pattern("The route of {unit} is in enemy airspace."),
        "friendly": pattern("The route of {unit} is in friendly airspace."),
    },
    "17.1.3": {ANY: pattern("Lift Commands lost with {unit}: {lost}; ready: {result}.")},
    "17.1.4": {ANY: pattern("{unit} leaves {from} with an interception value of {result}.")},
    "18.1.9": {ANY: pattern("{result} Lift Command is ready again.", "{result} Lift Commands are ready again.")},
    "18.2.3": {ANY: pattern("{unit} may attack.")},
    "18.4.2": {ANY: pattern("The attack helicopters of {hq} fly to {result}.")},
    "18.4.3": {ANY: pattern("Enemy zones of control that {brigade} enters under flak: {result}.")},
    "18.4.4": {ANY: pattern("The attack helicopters of {hq} are ready again.")},
    "19.1.1": {ANY: pattern("The flak in {hex} has a value of {result}.")},
    "19.1.2": {
        "enemy zone of control": pattern("There is flak in {hex}: it is in an enemy zone of control."),
        ANY: pattern("There is flak in {hex}: {result}."),
    },
    "19.1.3": {ANY: pattern("Flak fires in {hex}, the hex entered.")},
    "19.1.4": {ANY: pattern("No flak fires at {brigade} in {hex}: a friendly unit covers it.")},
    # --- 20-24 strikes ---
    "20.1": {"nothing": pattern("{side} makes no strikes."), ANY: pattern("{side} makes {result}.")},
    "20.2": {ANY: pattern("NATO makes defensive strikes on {result} in the battle for {objective}.")},
    "21.1.2": {ANY: pattern("A headquarters can only be suppressed.")},
    "22.0": {ANY: pattern("The Warsaw Pact begins chemical warfare on turn {result}.")},
    "22.2.5": {ANY: pattern("The chemical marker in {hex} is removed.")},
    "22.2.9": {ANY: pattern("The chemical strike on {hex} keeps its strength.")},
    "22.3.3": {ANY: pattern("Units in {hex} are halved only once.")},
    "23.1.2": {ANY: pattern("{side} gets {result} of the table's {table} air points.")},
    "23.2.1": {ANY: pattern("{side} strikes {result}.")},
    "23.2.2.2": {ANY: pattern("Defensive air strikes are made on {result}.")},
    "23.2.5": {ANY: pattern("{side} strikes {result}.")},
    "23.2.6": {ANY: pattern("The strike on {hex} is aimed at {result}.")},
    "23.3.1": {ANY: pattern("The die roll against {targets} is modified by {signed}.")},
    "11.8.4": {ANY: pattern("Modifier for {why}: {signed}.")},
    "13.4.5": {ANY: pattern("Modifier for {why}: {signed}.")},
    "23.3.3": {ANY: pattern("Modifier for {why}: {signed}.")},
    "24.2.3": {ANY: pattern("{units} is suppressed, not disrupted.", "{units} are suppressed, not disrupted.")},
    # --- 25-27 battles ---
    "25.1": {
        "taken": pattern("{side} takes {objective}."),
        "held": pattern("{objective} is held by its defenders."),
        "empty": pattern("{objective} is empty."),
        ANY: pattern("{side}'s battle for {objective}: {result}."),
    },
    "25.1.5": {ANY: pattern("The result of the battle for {objective} is {result}.")},
    "25.1.6": {ANY: pattern("Steps lost by the defender of {objective}: {lost}.")},
    "25.1.7": {
        "open": pattern("The attackers of {objective} are left with {left}, and the hex is open."),
        "held": pattern("The attackers of {objective} are left with {left}, and the hex is held."),
    },
    "25.1.8/default-path": {ANY: pattern("The attack helicopters fly home over {result}.")},
    "25.1.9": {
        ANY: (
            pattern("After the battle for {objective}, in combat supply: {supplied}; out of it: {unsupplied}."),
            pattern("After the battle for {objective}, in combat supply: {supplied}."),
            pattern("After the battle for {objective}, out of combat supply: {unsupplied}."),
        )
    },
    "25.2.3": {ANY: pattern("The strength of {who} is multiplied by {result}: {why}.")},
    "25.2.5": {ANY: pattern("{unit} adds no strength: {why}.")},
    "25.2.6": {ANY: pattern("{unit} adds no strength: {why}.")},
    "25.2.7": {ANY: pattern("{who} counts with a strength of {result} (printed: {printed}).")},
    "25.3.1": {ANY: pattern("{who} attacks with {result} (printed: {printed}).")},
    "25.3.1.1": {ANY: pattern("The strength of {who} is multiplied by {result}: {why}.")},
    "25.3.1.3": {ANY: pattern("Attack {attack} and defense {defense} are rounded to {result}.")},
    "25.3.2": {ANY: pattern("{who} defends with {result} (printed: {printed}).")},
    "25.3.2.1": {ANY: pattern("The strength of {who} is multiplied by {result}: {why}.")},
    "25.3.2.2": {ANY: pattern("The strength of {who} is multiplied by {result}: {why}.")},
    "25.3.2.3": {ANY: pattern("{who} defends with {result}.")},
    "25.3.2.4": {ANY: pattern("{unit} adds no strength: {why}.")},
    "25.3.3": {ANY: pattern("{attack} against {defense} is {result}.")},
    "25.3.4": {ANY: pattern("The net shift is {signed}.")},
    "25.5.1": {ANY: pattern("{basic} with a net shift of {net} is {result}.")},
    "25.5.1.1": {ANY: pattern("A net shift of {net} is limited to {result}.")},
    "25.5.1.2": {ANY: pattern("A net shift of {net} moves the odds {result} columns.")},
    "25.6.1": {ANY: pattern("Results are carried out in this order: {result}.")},
    "25.6.1.1": {ANY: pattern("The defender's results are carried out in this order: {result}.")},
    "25.6.1.2": {ANY: pattern("The attacker's results are carried out in this order: {result}.")},
    "25.6.3.1": {ANY: pattern("The defender cannot take all its losses, so the attacker's loss is ignored.")},
    "25.6.4": {ANY: pattern("{units} is disrupted.", "{units} are disrupted.")},
    "25.6.4.1": {ANY: pattern("The attackers of {objective} are disrupted: {result}.")},
    "25.6.4.2": {
        ANY: pattern(
            "{result} is disrupted in the hex to which it retreated.",
            "{result} are disrupted in the hex to which they retreated.",
        )
    },
    "25.6.4.3": {ANY: pattern("{result} was already disrupted.", "{result} were already disrupted.")},
    "25.6.4.4": {ANY: pattern("{result} is suppressed instead.", "{result} are suppressed instead.")},
    "25.6.5": {
        "nothing": pattern("No unit is engaged."),
        ANY: pattern("{result} is engaged.", "{result} are engaged."),
    },
    "25.7.1": {ANY: pattern("They Shall Not Pass! No unit advances into {objective}.")},
    "25.7.8": {
        "responds abroad": pattern("{unit} responds although it is abroad."),
        ANY: pattern("{unit} was forced abroad and may now move freely."),
    },
    "25.9.1/breakthrough-battle": {ANY: pattern("The battle for {objective} is a breakthrough battle ({result}).")},
    "25.9.4": {ANY: pattern("{side}'s Breakthrough markers in {result} are removed.")},
    "26.2.7": {ANY: pattern("{units} may coordinate although they belong to {result}.")},
    "27.1.1": {ANY: pattern("{unit} adds no strength to the assault.")},
    "29.2.2": {ANY: pattern("{units} can only be suppressed.")},
    # --- 30-37 cities, arrivals and victory ---
    "30.4.7": {ANY: pattern("{city} defends alone: {result}.")},
    "30.4.7.1": {ANY: pattern("Strikes in defense of the city are made on {result}.")},
    "30.4.8": {ANY: pattern("{city} defends with the units in it: {result}.")},
    "30.4.9": {ANY: pattern("{city} stays free until a unit enters it.")},
    "31.1.4": {ANY: pattern("West Berlin is relieved.")},
    "32.1.3": {ANY: pattern("Prague has fallen.")},
    "33.0": {ANY: pattern("Turn {turn}: {result} arrives.")},
    "33.2": {ANY: pattern("{unit} arrives in {result}.")},
    "33.2.1": {ANY: pattern("{unit} forms in {result}.")},
    "33.2.1.3": {ANY: pattern("The reserve site is in {result}.")},
    "33.2.2": {ANY: pattern("{unit} arrives in {result}.")},
    "33.2.3": {ANY: pattern("{unit} arrives by rail in {result}.")},
    "33.2.4": {ANY: pattern("{unit} arrives in {result}.")},
    "33.2.5": {ANY: pattern("{unit} arrives by sea in {result}.")},
    "33.2.9": {
        ANY: pattern(
            "{side} receives {result} more Lift Command ({kind}).",
            "{side} receives {result} more Lift Commands ({kind}).",
        )
    },
    "33.3": {ANY: pattern("The Reforger site is in {result}.")},
    "33.3.3.3": {ANY: pattern("The Reforger unit {unit} in {hex} is eliminated.")},
    "33.4": {ANY: pattern("{unit} may wait in its box.")},
    "33.5": {ANY: pattern("{unit} arrives fully supplied.")},
    "33.6": {ANY: pattern("{unit} cannot be attacked in its box.")},
    "34.1.3": {ANY: pattern("The enemy wins a decisive victory.")},
    "34.3.4": {ANY: pattern("NATO scores {result} VP for the move to the battle positions.")},
    "35.3.3": {ANY: pattern("The army of {army} rolls {result} for its move to the battle positions.")},
    "35.3.5": {ANY: pattern("The army of {army} moves alone.")},
    "35.7": {
        "no": pattern("There is no surprise (tension {tension}, alert {alert})."),
        "yes": pattern("The Warsaw Pact surprises NATO (tension {tension}, alert {alert})."),
        ANY: pattern("Modifier for {why}: {signed}."),
    },
    "39": {ANY: pattern("Peace holds on turn {peace}.")},
}
"""A sentence for each result of each rule (`*`: any other result)."""


def words_of(finding: Finding) -> dict[str, Value]:
    """The values that a sentence may use: the inputs, the result, the dice, and the number of subjects."""
    words: dict[str, Value] = {name: word_of(name, found) for name, found in finding.inputs.items()}
    result = finding.result
    words["result"] = word_of("result", result)
    if type(result) is int:
        words["signed"] = Signed(result)
    if isinstance(result, Mapping):
        words |= lists_of(finding.rule, result)
    if finding.rule == "26.2.7":
        words["result"] = several(map(nation, result))
    if "result" in finding.inputs:
        words["code"] = Name(str(finding.inputs["result"]))
    if finding.dice:
        words["dice"] = data(finding.dice)
    subjects = finding.inputs.get("units", result)
    words["n"] = len(subjects) if isinstance(subjects, list | tuple) else subjects if type(subjects) is int else 1
    return words


def lists_of(rule: str, result: Mapping[str, Any]) -> dict[str, Value]:
    """The lists that a sentence makes of a result with several parts."""
    if rule == "4.5.3":
        clocks = (say("{side} {turn}", side=MOBILIZED.get(name) or name, turn=turn) for name, turn in result.items())
        return {"clocks": several(clocks, "unit")} if result else {}
    if rule == "7.1.3":
        chosen = [
            *((unit, goal) for one in result.values() for unit, goal in (one["boxes"] | one["places"]).items()),
            *((unit, "") for one in result.values() for unit in one["reforger"]),
        ]
        said = [
            say("{unit} in {place}", unit=unit, place=word_of("", goal)) if goal else Name(unit)
            for unit, goal in chosen
        ]
        return {"arrivals": several(said)} if said else {}
    if rule == "25.1.9":
        units = {name: [unit for unit, state in result.items() if state == name] for name in ("in", "out")}
        said_of = {"supplied": units["in"], "unsupplied": units["out"]}
        return {name: several(map(Name, found)) for name, found in said_of.items() if found}
    return {}


def word_of(name: str, found: Any) -> Value:
    """An input or a result as an argument of a sentence."""
    if name == "side":
        return subject(found)
    if name == "army":
        return nation(str(found))
    if name == "brigade":
        return brigade(str(found))
    if name == "measure":
        return measure(str(found))
    if name == "net" and type(found) is int:
        return Signed(found)
    if isinstance(found, str):
        return PLACES.get(found) or word(found)
    if isinstance(found, list | tuple) and found and all(isinstance(one, str) for one in found):
        return several(map(word, found))
    return data(found)


phrase = Phrases(PHRASES, words_of)

"""3, 4.2, 10 Sentences about a unit: its type, values, markers and supply."""

from __future__ import annotations

from typing import Final

from pbem.engine.text.messages import pattern
from pbem.engine.text.sentences import ANY, Table

PHRASES: Final[Table] = {
    # --- 3 type and values ---
    "3.0": {ANY: pattern("Nationality: {nation}; side: {of_side}.")},
    "3.1": {ANY: pattern("Type: {result}.")},
    "3.1.2": {ANY: pattern("Functions: {result}.")},
    "3.2": {ANY: pattern("A maneuver unit makes ground attacks.")},
    "3.2/counter-formats": {ANY: pattern("Values: {front} at full strength, {back} when reduced.")},
    "3.2.1": {ANY: pattern("Attack strength: {result}.")},
    "3.2.2": {ANY: pattern("Defense strength: {result}.")},
    "3.2.3": {ANY: pattern("Movement allowance: {result}.")},
    "3.2.4": {ANY: pattern("Designation: {result}.")},
    "3.2.5": {ANY: pattern("Formation: {result}.")},
    "3.2.5.1": {ANY: pattern("Territorial unit: it may not leave {result} of its own accord.")},
    "3.2.5.2": {
        "nothing": pattern("No headquarters in play can supply the unit."),
        ANY: pattern("The unit's corps does not matter for supply; the unit may trace to {result}."),
    },
    "3.2.6": {ANY: pattern("Front: {result}.")},
    "3.2.6.1": {ANY: pattern("The unit belongs to no front, and coordinates with every front.")},
    "3.2.6.2": {ANY: pattern("The unit belongs to the Baltic Corps.")},
    "3.2.7": {ANY: pattern("Size: {result}.")},
    "3.2.8": {ANY: pattern("Symbol: {result}.")},
    "3.2.8.1": {ANY: pattern("Airborne: {airborne}; airmobile: {airmobile}; marine: {marine}.")},
    "3.2.8.2.1": {ANY: pattern("The unit belongs to army {result} of its front.")},
    "3.2.10": {ANY: pattern("The unit has {result} step left.", "The unit has {result} steps left.")},
    "3.2.10.1": {ANY: pattern("A unit of this size has {result} step.", "A unit of this size has {result} steps.")},
    "3.2.10.2": {ANY: pattern("A unit of this size has {result} step.", "A unit of this size has {result} steps.")},
    "3.2.10.3": {ANY: pattern("A headquarters has {result} step.", "A headquarters has {result} steps.")},
    "3.2.10.4": {ANY: pattern("After losing a step, the unit has the values {result}.")},
    "3.3": {ANY: pattern("Artillery makes strikes instead of ground attacks.")},
    "3.3.1": {ANY: pattern("Artillery points: {points}; provisional defense strength: {provisional_defense}.")},
    "3.4": {ANY: pattern("A headquarters supplies combat units.")},
    "3.4.1": {ANY: pattern("Support range: {range}; provisional defense strength: {provisional_defense}.")},
    "3.4.2": {
        ANY: pattern(
            "The headquarters supports units at most {result} hex away, around enemy units and zones of control.",
            "The headquarters supports units at most {result} hexes away, around enemy units and zones of control.",
        )
    },
    "3.5.1": {ANY: pattern("Hard unit ({result}): it may move between enemy zones of control, and exploit.")},
    "3.5.2": {ANY: pattern("Soft unit: its defense strength is doubled in cover.")},
    "3.5.3": {ANY: pattern("The unit is neither hard nor soft.")},
    "3.6": {
        "ready": pattern("The headquarters' attack helicopter brigade is ready."),
        ANY: pattern("The headquarters' attack helicopter brigade: {result}."),
    },
    "3.6.1": {ANY: pattern("The brigade bears the name of its headquarters, {result}.")},
    "3.6.2": {
        ANY: pattern(
            "The brigade shifts the odds by {result} column.", "The brigade shifts the odds by {result} columns."
        )
    },
    "3.6.3": {ANY: pattern("Defense strength of the brigade: {result}.")},
    "3.6.4": {ANY: pattern("The brigade uses its values for {result}.")},
    "3.7": {
        "common": pattern("This counter is used in every year."),
        ANY: pattern("This counter is used only in {result}."),
    },
    "3.9.1.1": {ANY: pattern("Canadian units count as US units.")},
    "3.10": {
        ANY: pattern("This is a regiment of a Guards Airborne Division; its printed size is corrected to {result}.")
    },
    # --- 4.2 markers ---
    "4.2.1": {ANY: pattern("The unit is disrupted.")},
    "4.2.2": {ANY: pattern("The unit is suppressed.")},
    "4.2.3": {ANY: pattern("Train marker: {result}.")},
    "4.2.4": {
        "supplied": pattern("The headquarters is supplied."),
        ANY: pattern("The headquarters is unsupplied."),
    },
    "4.2.5": {ANY: pattern("Markers: {result}.")},
    "4.2.6": {ANY: pattern("The unit is engaged.")},
    "4.2.7": {ANY: pattern("The unit has a {result} marker.")},
    "10.5.3": {ANY: pattern("Out of movement supply: it may move {tactical} MP, but not march.")},
    "10.6.1": {
        "no strikes": pattern("Out of combat supply: it makes no strikes."),
        ANY: pattern("Out of combat supply: its strength is halved, and it may not respond."),
    },
    "13.4": {ANY: pattern("On a train: it has no zone of control and no defense strength, and may not attack.")},
    "35.2": {ANY: pattern("Not activated: it may not move, attack or respond.")},
    # --- 10, 29 headquarters and supply ---
    "10.4.4": {
        "nothing": pattern("The unit is subordinate to no headquarters in play."),
        ANY: pattern("Headquarters that may supply the unit: {result}."),
    },
    "10.4.4.1": {
        "nothing": pattern("The headquarters of the unit's front is not in play."),
        ANY: pattern("The unit's front is supplied by {result}."),
    },
    "10.4.4.2": {
        "nothing": pattern("Neither headquarters of the Baltic Front is in play."),
        ANY: pattern("As part of the Baltic Corps, the unit may be supplied by {result}."),
    },
    "10.4.4.3": {
        "nothing": pattern("No front's headquarters is in play."),
        ANY: pattern("Any front may supply the unit: {result}."),
    },
    "10.4.4.5": {
        "nothing": pattern("No headquarters of the unit's nationality is in play."),
        ANY: pattern("Headquarters of the unit's nationality may supply it: {result}."),
    },
    "10.4.4.6": {
        "nothing": pattern("No headquarters that may supply LJ and LZ units is in play."),
        ANY: pattern("As an LJ or LZ unit, the unit may be supplied by {result}."),
    },
    "10.4.2.1": {
        "supplies": pattern("Although suppressed, the headquarters supplies its units."),
        ANY: pattern("The suppressed headquarters supplies no units."),
    },
    "10.4.2.2": {ANY: pattern("The supplied headquarters may move {tactical} MP, and use {may}.")},
    "10.4.3": {
        ANY: pattern("The unsupplied headquarters may move {tactical} MP, but not use trains or sea ferries.")
    },
    "10.4.3/half-allowance": {ANY: pattern("An unsupplied headquarters has half its allowance: {result} MP.")},
    "29.2.3": {
        ANY: pattern("A suppressed headquarters may move one hex and supplies units, but gives no Offensive Support.")
    },
    "18.4.6": {ANY: pattern("The brigade belongs to {result} for the whole game.")},
    "18.4.7": {ANY: pattern("The defense strength of US brigades depends on the year: {result}.")},
    "10.0": {"yes": pattern("The unit is in movement supply."), "no": pattern("The unit is out of movement supply.")},
    "10.1.1": {ANY: pattern("Source of movement supply: {first}; of combat supply: {second}.")},
    "10.1.5": {
        "home": pattern("The unit is in its home country."),
        "friendly": pattern("The unit is in an allied country."),
        "enemy": pattern("The unit is neither in its home country nor in an allied one."),
    },
    "10.1.6": {ANY: pattern("A supplied city of the unit's home country is near enough for {kind} supply.")},
    "10.1.7": {ANY: pattern("A supplied city of an allied country is near enough for movement supply.")},
    "10.1.8": {
        ANY: pattern(
            "In an enemy country only a headquarters could give the unit {kind} supply: it is out of supply."
        )
    },
    "10.1.9": {ANY: pattern("The headquarters {source} gives the unit {kind} supply.")},
    "10.2.1": {ANY: pattern("No link reaches a source of {kind} supply: the unit is out of supply.")},
    "10.3.1": {
        "": pattern("The unit has no source of movement supply."),
        ANY: pattern("Source of movement supply: {source}."),
    },
    "10.3.2": {
        "yes": pattern("The headquarters has a line of supply to one of {sources} possible sources."),
        "no": pattern("The headquarters has no line of supply to any of {sources} possible sources."),
    },
    "10.3.2.1": {
        "yes": pattern("The headquarters has a line of supply to a port or to the west edge ({sources} sources)."),
        "no": pattern("The headquarters has no line of supply to a port or to the west edge ({sources} sources)."),
    },
    "10.3.2.2": {
        "yes": pattern("The headquarters has a line of supply to one of {sources} sources in BALTAP."),
        "no": pattern("The headquarters has no line of supply to any of {sources} sources in BALTAP."),
    },
    "10.5.6": {ANY: pattern("Units in boxes are always in movement supply.")},
    "10.8.4": {ANY: pattern("A supplied city of the unit's own alliance is near enough for {kind} supply.")},
    # --- 8, 35.8 zones of control and command ---
    "13.4.1": {ANY: pattern("A unit on a train exerts no zone of control.")},
    "27.3.2": {ANY: pattern("An assaulting unit exerts no zone of control.")},
    "35.5": {ANY: pattern("Hexes of the unit's zone of control, which does not cross the Iron Curtain: {result}.")},
    "35.8.2.1": {ANY: pattern("The BALTAP command orders this unit.")},
    "35.8.2.2": {ANY: pattern("The NORTHAG command orders this unit.")},
    "35.8.2.3": {ANY: pattern("The CENTAG command orders this unit.")},
}
"""A sentence for each result of each rule (`*`: any other result)."""

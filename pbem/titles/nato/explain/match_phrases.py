"""1, 4.3, 5, 7, 33-35 Sentences about the match as a whole: sides, turn, tracks, boxes, points and commands."""

from __future__ import annotations

from typing import Final

from pbem.engine.text.messages import pattern
from pbem.engine.text.sentences import ANY, Table

PHRASES: Final[Table] = {
    # --- 1, 5 the scenario ---
    "1.0/players": {ANY: pattern("Sides and their seats: {lists}.")},
    "5.1": {ANY: pattern("The counters are those of {year}.")},
    "3.7.1": {ANY: pattern("Pools of counters in play: {result}.")},
    "5.3": {ANY: pattern("The scenario has {result} turn.", "The scenario has {result} turns.")},
    "35.1": {ANY: pattern("The game ends after {result} turn.", "The game ends after {result} turns.")},
    "5.4": {ANY: pattern("Player turns of each game turn, in order: {result}.")},
    "2.5": {ANY: pattern("{result} unit is scheduled to arrive.", "{result} units are scheduled to arrive.")},
    "2.3": {ANY: pattern("The charts are in these files: {result}.")},
    "35.9": {ANY: pattern("Units placed at the start: {placed}; arriving later: {arriving}.")},
    "10.8": {ANY: pattern("Supply of the Warsaw Pact is automatic up to turn {result}.")},
    "34.5": {
        "0": pattern("The scenario gives no points for divisions destroyed."),
        ANY: pattern("The scenario gives NATO {result} VP for each division destroyed."),
    },
    "7.1/no-hidden-information": {ANY: pattern("Nothing is hidden, except orders that are not yet carried out.")},
    "14.2.4": {ANY: pattern("{side} may use sea ferries here: {lists}.")},
    # --- 4.4, 7 the turn ---
    "4.4.1": {ANY: pattern("Turn {result}.")},
    "4.4.2": {ANY: pattern("Phase: {result}.")},
    "7.1.2": {ANY: pattern("The phasing side is {result}.")},
    "4.4.3": {ANY: pattern("Chemical weapons were first used on turn {result}.")},
    "22.2.4": {ANY: pattern("Turn {result} of chemical warfare.")},
    "7.0": {ANY: pattern("Sequence of play: {result}.")},
    "7.1": {ANY: pattern("{side}'s player turn has {result} phase.", "{side}'s player turn has {result} phases.")},
    "7.1.1": {ANY: pattern("A game turn has {result} player turn.", "A game turn has {result} player turns.")},
    "7.1.3": {ANY: pattern("Phases of the joint player turn: {result}.")},
    "7.1.4": {ANY: pattern("{side}'s phases: {result}.")},
    "7.1.6": {ANY: pattern("{side}'s battles have these segments: {result}.")},
    # --- 4.3 the tracks ---
    "4.3.1": {ANY: pattern("{side}'s air points: {tactical} tactical, {operational} operational.")},
    "23.1": {ANY: pattern("{side} can spend {tactical} tactical and {operational} operational air points.")},
    "4.3.2": {ANY: pattern("{side} has {result} chemical point.", "{side} has {result} chemical points.")},
    "4.3.3": {
        ANY: pattern("The Warsaw Pact has {result} Supply Point.", "The Warsaw Pact has {result} Supply Points.")
    },
    "4.3.4": {ANY: pattern("{side} has {result} VP on its track.")},
    "13.3": {ANY: pattern("{side} has {first} of {second} steps on trains.")},
    # --- 2.2, 3.8, 33 boxes ---
    "2.2.5": {ANY: (pattern("{side}'s Strategic Reserve Box: {result}."),)},
    "33.1": {
        "box": pattern("Units in boxes are in combat supply."),
        ANY: (pattern("{side}'s reinforcement boxes: {lists}."),),
    },
    "2.2.6": {ANY: (pattern("{side}'s Lift Commands: {lists}."), pattern("{side} has no Lift Command."))},
    "3.8": {ANY: (pattern("{side}'s Lift Commands by type: {lists}."),)},
    "3.8.1": {
        ANY: pattern("The Warsaw Pact has {result} Lift Command.", "The Warsaw Pact has {result} Lift Commands.")
    },
    "3.8.2": {ANY: pattern("NATO has {result} Lift Command.", "NATO has {result} Lift Commands.")},
    "33.2": {ANY: (pattern("Units that can still arrive: {result}."),)},
    # --- 31, 34 victory ---
    "34.2": {
        ANY: (
            pattern("The Warsaw Pact would have {result} VP now, for these cities: {cities}."),
            pattern("The Warsaw Pact would have {result} VP now."),
        )
    },
    "34.3": {ANY: pattern("NATO would have {result} VP now: {cities} for cities; divisions destroyed: {divisions}.")},
    "5.5": {ANY: pattern("The Warsaw Pact's points less NATO's: {result}.")},
    "31.1.4": {ANY: pattern("West Berlin counts for NATO at the end; if it is relieved, NATO wins.")},
    "34.3.2": {ANY: pattern("West Berlin would give NATO {result} VP now.")},
    "31.1.5": {
        "yes": pattern("Forward Defense holds."),
        "no": pattern("Forward Defense does not hold."),
        ANY: pattern("Forward Defense: {result}."),
    },
    # --- 35.8 commands ---
    "35.8/seats": {ANY: pattern("{side} has {result} seat.", "{side} has {result} seats.")},
    "35.8.1": {ANY: (pattern("Units by seat: {lists}."), pattern("This unit is ordered by {result}."))},
    "35.8.2": {ANY: (pattern("Units by seat: {lists}."), pattern("This unit is ordered by {result}."))},
    "35.7": {ANY: pattern("NATO is surprised: the unit is out of combat supply.")},
}
"""A sentence for each result of each rule (`*`: any other result)."""

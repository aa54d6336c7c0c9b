"""3-5 Findings of the scale, the basic game and the kinds of units; the format is explained in `phrases`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pbem.engine.text.messages import Message, pattern
from pbem.engine.text.sentences import ANY

UNIT_PHRASES: Final[Mapping[str, Mapping[str, Message | tuple[Message, ...]]]] = {
    # 4.1.4, 4.4.3.1 line of sight and fields of fire
    "3.2": {ANY: pattern("Tens die {tens}, units die {units}: {result}.")},
    "4.1.1/individual": {
        ANY: pattern(
            "{spotted_by} spots the target, but a firing unit must spot its target itself.",
            "{spotted_by} spot the target, but a firing unit must spot its target itself.",
        )
    },
    "4.1.3": {ANY: pattern("The cover of {hex} is {result}.")},
    "4.1.3/other-cover": {ANY: pattern("The cover of {hex} beside its road is {result}.")},
    "4.1.3/cover-other": {ANY: pattern("The cover of {hex} beside its road is {result}.")},
    "4.1.3/several-terrain-types": {
        ANY: pattern("{hex} has several kinds of terrain; the best one counts: {result}.")
    },
    "4.1.3/spot-move": {ANY: pattern("The Spot/Move marker adds {result}.")},
    "4.1.3/spot-fire": {ANY: pattern("The Spot/Fire marker adds {result}.")},
    "4.1.3.1": {ANY: pattern("The vehicle's size ({size}) makes no difference.")},
    "4.1.3.2": {ANY: pattern("There are {units} units in {hex}, so it gives no cover.")},
    "4.1.4.1": {ANY: pattern("Possible obstacles on the line: {result}.")},
    "4.1.4.1.1": {ANY: pattern("Clear ground in {hexes}: the line of sight is {result}.")},
    "4.1.4.1.2": {ANY: pattern("{places} may block the line of sight.")},
    "4.1.4.1.3": {ANY: pattern("On ground of height {ground}, {what} has a total height of {result}.")},
    "4.1.4.1.4": {ANY: pattern("The terrain there ({what}) has height {result}.")},
    "4.1.4.1.5.1": {ANY: pattern("The hexside at {where} has height {height}: the line is {result}.")},
    "4.1.4.1.8": {ANY: pattern("The wreck in {hex} leaves the line of sight {result}.")},
    "4.1.4.1.9": {ANY: pattern("The smoke of the wreck in {hex} leaves the line of sight {result}.")},
    "4.1.4.2": {ANY: pattern("Between heights {low} and {high}, the line of sight is {result}.")},
    "4.1.4.2.3": {ANY: pattern("{where} has {what}, height {height}: the line is {result}.")},
    "4.1.4.2.4": {
        ANY: (
            pattern("{where} has {what}, height {height}, distance {distance}: the line is {result}."),
            pattern("An obstacle {below_levels} lower, at a distance of {distance_hexes}, hides {result_hexes}."),
        )
    },
    "4.1.4.2.5": {ANY: pattern("Terrain in the first and last hexes ({hexes}) does not block the line of sight.")},
    "4.1.4.2.6": {ANY: pattern("The line crosses {where}.")},
    "4.4.3.1.1": {"yes": pattern("A turret bears all round.")},
    "4.4.3.1.2": {
        "yes": pattern("The weapon bears: the target is in its field of fire."),
        "no": pattern("The weapon does not bear."),
    },
    "4.4.3.1.3": {
        "yes": pattern("The weapon bears: the target is in its field of fire."),
        "no": pattern("The weapon does not bear."),
    },
    "4.4.3.1.4": {"yes": pattern("The weapon bears ahead."), "no": pattern("The weapon does not bear.")},
    "4.4.3.1.5": {"yes": pattern("The weapon bears to the rear."), "no": pattern("The weapon does not bear.")},
    # 5 units
    "3.4": {
        "fire-half": pattern("{unit} uses the fire half of its Short Halt."),
        "move-half": pattern("{unit} uses the move half of its Short Halt."),
        "shown": pattern("Markers and counters on the map are changed."),
    },
    "3.7": {ANY: pattern("Movement is halved ({halved_for}), which leaves {result}.")},
    "3.5": {ANY: pattern("The range from {from} to {to} is {result}.")},
    "5.1.3.4": {ANY: pattern("The charge of {firer} bursts inside {carrier}.")},
    "5.2.1": {
        "unloaded": pattern("{gun} is unloaded from {truck} in {hex}."),
        "loaded": pattern("{gun} is back on {truck}."),
        ANY: (pattern("{unit} unloads its gun in {hex}."), pattern("{what}: {result}.")),
    },
    "5.3": {ANY: pattern("{battery}, {card}, is {result} artillery.")},
    "5.4": {ANY: pattern("{aircraft} is armed for {result}.")},
    "5.5": {ANY: pattern("{unit} faces {result} and moves {moves}.")},
    "5.7": {
        "yes": pattern("Small arms make their firer less visible than other weapons do: {weapon}."),
        "no": pattern("This weapon makes its firer visible: {weapon}."),
    },
    "5.8.1": {ANY: pattern("The {side} force is {result}.")},
    "5.8": {ANY: pattern("{unit} is {result}.")},
    "5.8.2": {ANY: pattern("Formation {formation} is {result}.")},
    "5.8.3": {ANY: pattern("{unit} is {result}.")},
    "5.10": {
        "on": pattern("{unit} is suppressed."),
        "off": pattern("{unit} begins to recover."),
        "suppressed": pattern("{unit} is suppressed."),
    },
    "5.11": {ANY: pattern("Hindrances from {from} to {to}: {result}.")},
    "5.12": {ANY: pattern("Small arms brew up a vehicle on {result} or less.")},
    "5.13": {
        "yes": pattern("{hex} is too crowded for cover: {units}."),
        "no": pattern("{hex} is not too crowded for cover: {units}."),
    },
    "5.14": {ANY: pattern("{unit} fires several weapons ({result}).")},
    "5.15": {
        "nothing": pattern("No unit bails out of {carrier}."),
        ANY: pattern("Units that bail out of {carrier}: {result}."),
    },
    "5.16": {ANY: pattern("{unit} ({weapon}) declared {declared} and fires {result}.")},
    "5.16.2": {
        "enough": pattern("{subject} has type {ammunition} ammunition (limit {limit}, rolled {dice})."),
        "short": pattern("{subject} is short of type {ammunition} ammunition (limit {limit}, rolled {dice})."),
    },
    "5.16.2.1": {ANY: pattern("{unit} fires at rate {rate}; shots with the special ammunition: {result}.")},
    "5.16.2.2": {ANY: pattern("{unit} has no {instead_of} left and fires {result}.")},
    "5.16.2.4": {
        "yes": pattern("{unit} has a supply of basic ammunition in {hex}."),
        "no": pattern("{unit} has no supply of basic ammunition nearby."),
    },
    "5.16.2.7": {ANY: pattern("Tungsten is scarce: {result} is added to the roll.")},
    "5.16.2.3": {
        "available": pattern("{firer} has {ammo} ammunition (limit {limit}, rolled {dice})."),
        "limited": pattern("{firer} is short of {ammo} ammunition (limit {limit}, rolled {dice})."),
        "yes": pattern("{subject} has smoke ammunition."),
        "no": pattern("{subject} has no smoke ammunition."),
    },
    "5.16.2.5": {
        "available": pattern("{firer} has {ammo} ammunition (limit {limit}, rolled {dice})."),
        "limited": pattern("{firer} is short of {ammo} ammunition (limit {limit}, rolled {dice})."),
    },
    "5.16.2.6": {ANY: pattern("Attacks left with {weapon}: {result}.")},
}

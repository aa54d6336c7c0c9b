"""6.1-6.3 Findings of spotting, terrain, commands and initiative; the format is explained in `phrases`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pbem.engine.text.messages import Message, pattern
from pbem.engine.text.sentences import ANY

SPOTTING_PHRASES: Final[Mapping[str, Mapping[str, Message | tuple[Message, ...]]]] = {
    # 6.1 spotting and terrain
    "6.1.1": {"yes": pattern("{spotter} can spot."), "no": pattern("{spotter} cannot spot.")},
    "6.1.2": {
        "yes": pattern("The spotter faces that way."),
        "no": pattern("The spotter does not face that way."),
    },
    "6.1.3": {
        "spotted with their carrier": pattern(
            "{passengers} is spotted with its carrier.", "{passengers} are spotted with their carrier."
        ),
        "fire": pattern("{unit} gets a Spot/Fire marker."),
        "fire-sa": pattern("{unit} gets a Spot/Fire marker for small arms."),
        "move": pattern("{unit} gets a Spot/Move marker."),
        ANY: pattern("Change of the spotting row for a small-arms marker: {result}."),
    },
    "6.1.3.2": {ANY: pattern("Change of the spotting row for {when}: {result}.")},
    "6.1.4": {ANY: pattern("The line of sight from {from} to {to} (range {range}) is {result}.")},
    "6.1.4.1.1": {ANY: pattern("The position is {result} towards {open}.")},
    "6.1.4.1.2": {ANY: pattern("The position is {result} towards {open}.")},
    "6.1.4.3.1": {
        ANY: (
            pattern("Inside {building}: {result}."),
            pattern("The unit is on floor {result} of {storeys} in {hex}."),
        )
    },
    "6.1.4.3.13": {
        "yes": pattern("The sun blinds units looking from {from} to {to}."),
        "no": pattern("The sun does not blind units looking from {from} to {to}."),
    },
    "6.1.4.3": {ANY: pattern("Placed in {result}: {feature}.")},
    "6.1.4.3.2": {ANY: pattern("The target is {result} behind {hexside}.")},
    "6.1.4.3.5": {
        "eliminated": pattern("{unit} is lost in the fire in {hex}."),
        ANY: pattern("{where} has {what}: {result}."),
    },
    "6.1.4.3.6": {
        "entrenched": pattern("{unit} is entrenched."),
        "occupied": (
            pattern("{unit} moves into the entrenchment in {hex}."),
            pattern("{unit} begins in an entrenchment."),
        ),
        "left": pattern("{unit} leaves its entrenchment."),
    },
    "6.1.4.3.7": {
        "occupied": (
            pattern("{unit} moves into the position in {hex}."),
            pattern("{unit} begins in an improved position."),
        ),
        "left": pattern("{unit} leaves its position."),
    },
    "6.1.4.3.10": {
        "gone": pattern("The smoke over {hexes} is gone."),
        "off": pattern("The smoke over {hexes} thins out."),
        "smoke": (pattern("{firer} ({weapon}) lays smoke in {hex}."), pattern("{firer} throws smoke into {hex}.")),
        "no-smoke": pattern("{firer} ({weapon}) has no smoke for {hex}."),
        ANY: pattern("{where} has {what}: {result}."),
    },
    "6.1.4.3.11": {"removed": pattern("The wire in {hex} is cleared by {unit}.")},
    "6.1.4.3.12": {
        "gone": pattern("The dust over {hexes} settles."),
        "off": pattern("The dust over {hexes} thins out."),
        ANY: (pattern("{unit} raises dust in {result}."), pattern("{where} has {what}: {result}.")),
    },
    # 6.2 commands
    "6.2": {ANY: pattern("Both sides have placed their commands for turn {turn}.")},
    "6.2.1": {ANY: pattern("Commands available in turn {turn}: {result}.")},
    "6.2.1.1": {ANY: pattern("Commands available to formation {formation} ({grade}): {result}.")},
    "6.2.1.1.1": {ANY: pattern("Commands for 10 × {tens} + {units} active units: {result}.")},
    "6.2.1.1.2": {ANY: pattern("The command range of {formation} is {result}.")},
    "6.2.1.1.3": {"shared": pattern("{units} share a counter.")},
    "6.2.1.1.3/inactive-unarmed": {
        ANY: pattern(
            "{units} is unarmed and not accompanied: {result}.", "{units} are unarmed and not accompanied: {result}."
        )
    },
    "6.2.1.1.3/recon": {ANY: pattern("{units} has a command of its own.", "{units} have commands of their own.")},
    "6.2.1.1.3/nc-commands": {ANY: pattern("{unit} is given No Command.")},
    "6.2.1.1.3/no-command": {ANY: pattern("{unit} is given No Command.")},
    "6.2.1.1.4": {
        "move": pattern("The group of {counter} has moved together."),
        "short-halt": pattern("The group of {counter} has moved together."),
        ANY: (pattern("{units} fire under the counter of {counter} at {result}."),),
    },
    "6.2.1.1.4/fire": {ANY: pattern("All targets of the group must be within {range_hexes}: {result}.")},
    "6.2.1.1.4/overwatch": {ANY: pattern("All targets of the group must be within {range_hexes}: {result}.")},
    "6.2.1.1.4/move": {ANY: pattern("{units} must be within {range_hexes} of each other.")},
    "6.2.1.1.4/movement": {ANY: pattern("{units} must be within {range_hexes} of each other.")},
    # 6.3 initiative
    "6.3.1": {ANY: pattern("The {winner} side wins and chooses to be {choice}.")},
    "6.3.2": {ANY: pattern("{side} roll {dice} ({modifiers}): {result}.")},
}

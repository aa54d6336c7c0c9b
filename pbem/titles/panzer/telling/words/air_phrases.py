"""6.4, 6.7 Findings of aircraft and anti-aircraft fire; the format is explained in `phrases`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pbem.engine.text.messages import Message, pattern
from pbem.engine.text.sentences import ANY

AIR_PHRASES: Final[Mapping[str, Mapping[str, Message | tuple[Message, ...]]]] = {
    # 6.4, 6.7 aircraft
    "6.4": {ANY: pattern("Air phase {phase}: {result} ({side}) appears over the map.")},
    "6.7": {ANY: pattern("Air phase {phase}: {result} ({side}) appears over the map.")},
    "6.7.1": {ANY: pattern("{aircraft} is loaded with {result}.")},
    "6.7.2": {"appears": pattern("{aircraft} appears at {hex}, facing {facing}.")},
    "6.7.2.1": {
        ANY: pattern("The aircraft came from the {edges} edge and has been on the map since turn {first_turn}.")
    },
    "6.7.2.2": {ANY: pattern("The aircraft flies at {speed} speed and {result} altitude.")},
    "6.7.2.3": {ANY: pattern("{aircraft} leaves the map by the {result} edge at {hex} after {flown} hexes.")},
    "6.7.2.3.1": {ANY: pattern("{aircraft} turns to {result} in {hex}.")},
    "6.7.2.3.2": {ANY: pattern("{aircraft} dives to {result} altitude.")},
    "6.7.3.1": {
        "yes": pattern("{target} is ahead of the aircraft."),
        "no": pattern("{target} is not ahead of the aircraft."),
    },
    "6.7.3.1.1": {
        "acquired": pattern("{aircraft} has acquired {target} (hexes flown: {flown} of {needed})."),
        "not-acquired": pattern("{aircraft} does not find {target}."),
        "on the way": pattern("The aircraft was on its way to {hex}, at range {range}."),
        "hidden": pattern("{target} cannot be made out from the air."),
        ANY: pattern("A suppressed aircraft needs {result} hexes."),
    },
    "6.7.3.1.2": {ANY: pattern("{observer} points out {result} to {aircraft}.")},
    "6.7.3.1.3": {ANY: pattern("From {from} to {to} at {altitude} altitude the line of sight is {result}.")},
    "6.7.3.5": {ANY: (pattern("Modifier for {text}: {signed}."), pattern("Net modifier {result}."))},
    "6.7.4.1": {
        "yes": pattern("{gun} has the aircraft in its field of fire and in sight."),
        "no": pattern("{gun} does not have the aircraft in sight."),
    },
    "6.7.4.1.1": {
        "tracked": pattern("{gun} tracks the aircraft in {hex}."),
        ANY: pattern("{gun} has tracked the aircraft for {result} hexes."),
    },
    "6.7.4.1.2": {ANY: pattern("The gun may fire at aircraft.")},
    "6.7.4.2/low": {ANY: pattern("Modifier for aircraft at low altitude: {result}.")},
    "6.7.4.2/fast-high": {ANY: pattern("Modifier for fast or high aircraft: {result}.")},
    "6.7.4.2/fast-or-high": {ANY: pattern("Modifier for fast or high aircraft: {result}.")},
    "6.7.4.2.1": {
        "shot-down": pattern("The aircraft is shot down."),
        "suppressed": pattern("{aircraft} is suppressed."),
        "none": pattern("{aircraft} continues its flight."),
        "second": pattern("The aircraft is damaged a second time."),
        ANY: (
            pattern("{aircraft} is damaged and flies at {result} speed."),
            pattern("{aircraft} crashes in {result} (rolled {dice})."),
        ),
    },
}

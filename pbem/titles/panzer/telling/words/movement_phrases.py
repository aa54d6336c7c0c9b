"""6.6, 6.8 Findings of movement, close combat and the end of a turn; the format is explained in `phrases`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pbem.engine.text.messages import Message, pattern
from pbem.engine.text.sentences import ANY

MOVEMENT_PHRASES: Final[Mapping[str, Mapping[str, Message | tuple[Message, ...]]]] = {
    # 6.6 movement
    "6.6.1": {ANY: (pattern("{side} close combat, {player} player."), pattern("The {side} side attacks {result}."))},
    "6.6.1.1.2/support": {"yes": pattern("{vehicle} has support."), "no": pattern("{vehicle} has no support.")},
    "6.6.1.1.2/unsupported-hex": {
        "yes": pattern("{vehicle} has support."),
        "no": pattern("{vehicle} has no support."),
    },
    "6.6.1.1.2/moving-vehicle": {
        "move": pattern("{unit} reveals that it is moving."),
        "short-halt": pattern("{unit} reveals that it is moving."),
        "no-effect": pattern("{unit} does not reveal its command."),
    },
    "6.6.1.1.3": {
        "kept": pattern("{unit} keeps its command."),
        "none": pattern("{unit} is not affected."),
        "suppressed": pattern("{unit} is suppressed."),
        "damaged": pattern("{unit} is damaged."),
        "ko": pattern("{unit} is knocked out."),
        "bu": pattern("{unit} brews up."),
        ANY: pattern("{unit} advances from {from} to {result}."),
    },
    "6.6.1.2.3": {
        "kept": pattern("{unit} keeps its command."),
        "reduced": pattern("{unit} is reduced to a half-squad."),
        "eliminated": pattern("{unit} is eliminated in {hex}."),
        ANY: pattern("{unit} advances from {from} to {result}."),
    },
    "6.6.2": {
        ANY: (
            pattern("{unit} is slower now ({halved_for}): {result} of {left} movement points are left."),
            pattern("{unit} moves at half speed ({halved_for})."),
        )
    },
    "6.6.3": {
        "alley": pattern("{unit} is in an alley of {hex}."),
        "building": pattern("{unit} is inside a building in {hex}."),
        "through": pattern("{unit} breaks through a {building} building (total {total})."),
        "damaged": pattern("{unit} is damaged by a {building} building (total {total})."),
        "track": pattern("{unit} loses a track in a {building} building (total {total})."),
        ANY: (pattern("Movement points ({what}): {result}."), pattern("Reason: {result}.")),
    },
    "6.6.4": {ANY: pattern("{unit} moves as a {result} unit.")},
    "6.6.4.1": {ANY: pattern("The unit cannot continue: {result}.")},
    "6.6.4.2": {
        "fresh": pattern("{unit} is not exhausted by its quickmarch (total {total}; exhausted on {cell} or less)."),
        "suppressed": pattern(
            "{unit} is exhausted by its quickmarch and suppressed (total {total}; exhausted on {cell} or less)."
        ),
    },
    "6.6.4.3": {"crawling": pattern("{unit} crawls.")},
    "6.6.6": {
        "attacked": pattern("{unit} has come under fire from {firer}."),
        "not-attacked": pattern("{unit} only searches for a position, so the fire of {firer} does not attack it."),
    },
    "6.6.7": {
        "dismounted": pattern("{unit} is on the ground."),
        "passenger": pattern("{unit} is aboard {carrier}."),
        ANY: pattern("{unit} is aboard {result}."),
    },
    "6.6.7.1": {"yes": pattern("{carrier} has room for {unit}."), "no": pattern("{carrier} has no room for {unit}.")},
    "6.6.7.1.1": {
        "aboard": pattern("{unit} boards {carrier}."),
        ANY: (pattern("{unit} dismounts from {carrier} in {hex}."), pattern("{what}: {result}.")),
    },
    "6.6.7.1.2": {
        "suppressed": pattern("{unit} is suppressed."),
        ANY: (pattern("{unit} bails out of {carrier} in {hex}."), pattern("{what}: {result}.")),
    },
    "6.6.7.2": {
        "fire": pattern("{carrier} gets the Spot/Fire marker of {unit}."),
        "fire-sa": pattern("{carrier} gets the Spot/Fire marker of {unit}."),
        ANY: pattern("{unit} fires from {carrier}."),
    },
    "6.6.8": {
        "complete": pattern("{unit} has dug in at {hex}."),
        "digging": pattern("{unit} is digging in at {hex}."),
        ANY: pattern("Digging stage {result} of 4 (previously {before})."),
    },
    "6.6.9": {
        "hd": pattern("{unit} has found a hull-down position in {hex} (total {total}; {cell} or less needed)."),
        "phd": pattern(
            "{unit} has found a partial hull-down position in {hex} (total {total}; {cell} or less needed)."
        ),
        "": pattern("{unit} finds no hull-down position in {hex} (total {total}; {cell} or less needed)."),
        "lost": pattern("{unit} leaves its hull-down position."),
        ANY: (
            pattern("{what}: {result}."),
            pattern(
                "The hull-down position of {unit}, facing {facing}, gives no protection from direction {result}."
            ),
            pattern("Modifiers to the search of {unit}: {modifiers}."),
        ),
    },
    "6.6.10": {
        "declared": pattern("{vehicles} will overrun {target}."),
        "stopped": pattern("{vehicle} is stopped before it reaches {target}."),
        "through": pattern("{vehicle} breaks into the building of {target}."),
        "no-window": pattern("No unit fires at {vehicle} while it overruns a unit in {hex}."),
    },
    "6.6.10.1": {
        "left out": pattern("{weapons} is not used in the overrun.", "{weapons} are not used in the overrun."),
        ANY: (
            pattern("{vehicle} goes back from {from} to {result}."),
            pattern("{vehicle} attacks with GP factor {result} ({weapons})."),
        ),
    },
    "6.6.10.2": {
        "eliminated": pattern("{unit} is eliminated."),
        "keeps-command": pattern("{unit} keeps its command."),
        "none": pattern("{unit} is not affected."),
        "reduced": pattern("{unit} is reduced to a half-squad."),
        "suppressed": pattern("{unit} is suppressed."),
        "ignored": pattern("{unit} is already suppressed."),
    },
    "4.5.1.1.5/abandoned-vehicles": {ANY: pattern("{result} is abandoned and does not block the road in {hex}.")},
    "house": {
        "ruling": pattern("This follows our ruling, not the other reading ({reading})."),
        "other-reading": pattern("This follows the reading that is not our ruling ({reading})."),
    },
    # 6.8 adjustment
    "6.8": {ANY: pattern("End of turn {turn}.")},
    "6.8.1": {ANY: pattern("{unit} turns from {from} to {result}.")},
    "6.8.2": {
        "full-cover": pattern("{unit} goes into full cover."),
        "left-cover": pattern("{unit} leaves full cover."),
    },
    "6.8.3": {
        "recovered": pattern("{unit} recovers (rolled {dice}, modifiers {modifiers})."),
        "still-suppressed": pattern("{unit} stays suppressed (rolled {dice}, modifiers {modifiers})."),
    },
    "6.8.3.1": {ANY: pattern("Recovery modifiers of {unit}: {signed}.")},
    "6.8.3.1.1": {ANY: pattern("{unit} has a command: modifier {signed}.")},
    "6.8.3.1.2": {ANY: pattern("{unit} was attacked: modifier {signed}.")},
    "6.8.3.2": {ANY: pattern("The total is {total}; a unit recovers on {upto} or less.")},
    "6.8.4": {ANY: pattern("Markers of turn {turn} are turned over.")},
}

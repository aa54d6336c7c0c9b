"""6.5 Findings of indirect fire, AP fire and GP fire; the format is explained in `phrases`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pbem.engine.text.messages import Message, pattern
from pbem.engine.text.sentences import ANY

FIRE_PHRASES: Final[Mapping[str, Mapping[str, Message | tuple[Message, ...]]]] = {
    # 6.5.1 indirect fire
    "6.5.1": {ANY: pattern("{side} indirect fire.")},
    "6.5.1.1.1": {
        ANY: (
            pattern("Sources that {observer} may call: {result}."),
            pattern("Sources that an FO of this nation may call: {result}."),
        )
    },
    "6.5.1.1.2": {ANY: pattern("Sources that {observer} ({row}) may call: {result}.")},
    "6.5.1.1.3": {ANY: pattern("Sources that {observer} ({row}) may call: {result}.")},
    "6.5.1.1.4": {ANY: pattern("{firers} fire together and count as {result}.")},
    "6.5.1.3": {ANY: pattern("{firer} is {result} to the formation of {observer}.")},
    "6.5.1.3.1": {ANY: pattern("The unit is {result}.")},
    "6.5.1.3.2": {ANY: pattern("The unit is {result}.")},
    "6.5.1.3.3": {ANY: pattern("The unit is {result}.")},
    "6.5.1.4": {ANY: (pattern("{point} is registered."), pattern("{battery} is registered on {result}."))},
    "6.5.1.5": {ANY: pattern("The fire of {firer} at {point} covers {result}.")},
    "6.5.1.6": {ANY: pattern("Fire called for: {result}.")},
    "6.5.1.6.1": {ANY: pattern("GP and smoke missions can use any sheaf.")},
    "6.5.1.6.2": {ANY: pattern("Illumination always uses a closed sheaf.")},
    "6.5.1.7/response": {ANY: pattern("The command of {firer} is used up.")},
    "6.5.1.8": {
        "continued": pattern("Mission {mission} continues."),
        "adjusted": pattern("Mission {mission} is adjusted."),
    },
    "6.5.1.8.1": {ANY: pattern("The fire of {result} continues at {point} ({type}).")},
    "6.5.1.8.2": {ANY: pattern("The fire shifts from {from} to {to} ({sheaf}). Firers that respond: {result}.")},
    "6.5.1.9": {ANY: pattern("Mission {mission} at {point} is called off ({why}).")},
    "6.5.1.10": {
        "no-response": pattern("{firer} does not fire because friendly units are so close."),
        ANY: pattern("The fire of {firer} endangers friendly units ({friends}): {result} is hit."),
    },
    "6.5.1.12.1": {ANY: (pattern("Net modifier {result} ({applied})."), pattern("Net modifier {result}."))},
    "6.5.1.11.1": {
        ANY: (
            pattern("{battery} plans fire from turn {turn}: {result}."),
            pattern("The fire was plotted for turn {plotted}."),
        )
    },
    "6.5.1.11.2": {ANY: pattern("Planned fire by {battery} arrives on turn {result}.")},
    "6.5.1.11.3": {ANY: pattern("The planned target point is moved {result} hexes, from {from} to {to}.")},
    "6.5.1.11.4": {ANY: pattern("Special ammunition of planned fire: {result}.")},
    # 6.5.2 AP fire
    "6.5.2.1": {
        ANY: (
            pattern("Rate {rate}, hit number {hit_number}; number of hits: {result}."),
            pattern("Rolled {dice}; number of hits: {result}."),
        )
    },
    "6.5.2.2.1": {
        "track": pattern("The track of {unit} is hit: it can no longer move."),
        "ignored": pattern("The track of {unit} was already hit."),
        ANY: pattern("Reason: {result}."),
    },
    "6.5.2.2.3": {"miss": pattern("The target is {status}, so a shot at the {location} misses.")},
    "6.5.2.2.4": {
        "damaged": pattern("{unit} is damaged ({part})."),
        "ko": pattern("{unit} was already damaged, so it is knocked out."),
        "left-behind": pattern("{unit} is left behind."),
    },
    "6.5.2.3": {ANY: pattern("Armour of the {location} from the {angle}: {result}.")},
    "6.5.2.3.1": {ANY: pattern("The shot is {result}.")},
    "6.5.2.3.2": {ANY: pattern("The armour factor is {result}.")},
    "6.5.2.3.3": {ANY: pattern("The armour factor is {result}.")},
    "6.5.2.3.4": {ANY: pattern("Type of the {how} round: {result}.")},
    "6.5.2.5": {
        "bu": (pattern("{unit} brews up in {hex}."), pattern("Damage die {die}: brewed up.")),
        "ko": (
            pattern("{unit} is knocked out in {hex}."),
            pattern("Damage die {die}: knocked out."),
            pattern("{unit} is damaged once more ({location}): knocked out."),
        ),
        "no_damage": pattern("Damage die {die}: no damage."),
        "no-damage": pattern("{unit} is not damaged."),
        "damaged": (
            pattern("{unit} is damaged ({part})."),
            pattern("Damage die {die}: damaged."),
            pattern("{unit} is damaged ({location})."),
        ),
        "suppressed": pattern("{unit}, in the same hex, is suppressed."),
        ANY: pattern("The damage die of {die} counts as {result}."),
    },
    "6.5.2.6": {
        "nothing": pattern("No unit bails out of {carrier}."),
        ANY: pattern("Units that bail out of {carrier}: {result}."),
    },
    "6.5.2.6.1": {
        "stays": pattern("The crew of {unit} stays (total {total}; {number} or less to bail out)."),
        "bails-out": pattern("The crew of {unit} bails out (total {total}; {number} or less to bail out)."),
        "follows": pattern("{unit} gets out in {hex}."),
        "suppressed": pattern("{unit} is suppressed."),
        ANY: pattern("Facings after bailing out: {result}."),
    },
    "6.5.2.6.2": {
        "stays": pattern("{unit} stays aboard (total {total}; {number} or less to bail out)."),
        "bails-out": pattern("{unit} bails out (total {total}; {number} or less to bail out)."),
        "out": pattern("{unit} gets out in {hex}."),
        "survives": pattern("{unit} survives (total {total}; {number} or more to survive)."),
        "lost": pattern("{unit} is lost."),
        "eliminated": pattern("{unit} is lost with its vehicle."),
        "suppressed": pattern("{unit} is suppressed."),
        ANY: (pattern("The passengers of {carrier} check whether they survive."),),
    },
    "6.5.3": {
        "ow": pattern("{firer} fires on overwatch without turning."),
        "adjust": pattern("{firer} has to turn on overwatch."),
        ANY: pattern("{firer} fires on overwatch ({result})."),
    },
    # 6.5.4 GP fire
    "6.5.4.1": {ANY: pattern("At range {range} the GP factor is {result}.")},
    "6.5.4.2": {ANY: pattern("GP defence of {unit}: {result}.")},
    "6.5.4.2.1": {ANY: pattern("The GP defence of a type {type} vehicle is {result}.")},
    "6.5.4.2.2": {
        ANY: (
            pattern("GP defence with {cover} cover: the printed value is {printed}, and {result} applies."),
            pattern("GP defence modifier of {unit}: {signed}."),
        )
    },
    "6.5.4.2.2/cover-exceptions": {ANY: pattern("Cover of {unit} in {terrain} against GP fire: {result}.")},
    "6.5.4.2.2/special-cover": {ANY: pattern("Cover of {unit} in {terrain} against GP fire: {result}.")},
    "6.5.4.2.2/full-cover": {ANY: pattern("{unit} is in full cover: GP defence {signed}.")},
    "6.5.4.2.2/moving": {ANY: pattern("{unit} is moving: GP defence {signed}.")},
    "6.5.4.2.3": {
        "none": pattern("{unit} aboard {carrier} is not affected."),
        ANY: (
            pattern("{unit} aboard {carrier}: {result}."),
            pattern("The GP defence of the passengers of {carrier} is {result}."),
        ),
    },
    "6.5.4.2.4": {ANY: pattern("GP defence of {aircraft}: {result}.")},
    "6.5.4.2.5": {
        "none": pattern("{hex}: {feature} (GP defence {defence}) is not destroyed."),
        "destroyed": pattern("{hex}: {feature} (GP defence {defence}) is destroyed."),
        ANY: pattern("{hex} has {feature} with a GP defence of {result}."),
    },
    "6.5.4.4": {"none": pattern("{unit} is not affected."), ANY: pattern("{unit}: {result}.")},
    "6.5.4.4.1": {ANY: pattern("{unit} is not affected.")},
    "6.5.4.4.2": {
        "suppressed": pattern("{unit} is suppressed."),
        "damaged": pattern("{unit} is damaged."),
        "ko": pattern("{unit} is knocked out."),
        "bu": pattern("{unit} brews up."),
        "none": pattern("{unit} is not affected."),
        "track": pattern("{unit} suffers a track hit."),
        "yes": (
            pattern("{firer} fires small arms."),
            pattern("An effectiveness of {effectiveness} is enough against a GP defence of {defence}."),
        ),
        "no": (
            pattern("{firer} fires a weapon other than small arms."),
            pattern("An effectiveness of {effectiveness} is not enough against a GP defence of {defence}."),
        ),
        "open": pattern("{unit} is a type A target with an open turret."),
        ANY: pattern("{unit} is a target of type {result}."),
    },
    "6.5.4.4.3": {
        "suppressed": pattern("{unit} is suppressed."),
        "reduced": pattern("{unit} is reduced to a half-squad."),
        "eliminated": pattern("{unit} is eliminated in {hex}."),
        "none": (pattern("{hex}: {feature} is not destroyed."), pattern("{unit} is not affected.")),
        "destroyed": pattern("Destroyed in {hex}: {feature}."),
        ANY: pattern("{unit}: {result}."),
    },
    "6.5.4.5": {
        "stays": pattern("{unit} stays aboard (total {total}; {number} or less to bail out)."),
        "bails-out": pattern("{unit} bails out (total {total}; {number} or less to bail out)."),
        "out": pattern("{unit} gets out in {hex}."),
        "suppressed": pattern("{unit} is suppressed."),
        "nothing": pattern("No unit bails out of {carrier}."),
        ANY: pattern("Units that bail out of {carrier}: {result}."),
    },
}

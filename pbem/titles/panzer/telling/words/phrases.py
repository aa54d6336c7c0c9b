"""Simple findings of the advanced game: a sentence for each result.

PHRASES      sentences by rule, or by the paragraph that a rule belongs to, and by result
phrase_of    the sentence for a finding
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pbem.engine.rules.findings import Finding
from pbem.engine.text.messages import Message, Signed, Value, pattern, say_n
from pbem.engine.text.sentences import ANY, Phrases, data
from pbem.titles.panzer.telling.words.codes import rows, word
from pbem.titles.panzer.telling.words.optional_phrases import OPTIONAL_PHRASES
from pbem.titles.panzer.telling.words.sides import side_term

PHRASES: Final[Mapping[str, Mapping[str, Message | tuple[Message, ...]]]] = {
    **OPTIONAL_PHRASES,
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
    "5.16": {ANY: pattern("{unit} ({weapon}): {declared} was declared, {result} is fired.")},
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
    # 6.5.1 indirect fire
    "6.5.1": {ANY: pattern("{side} indirect fire.")},
    "6.5.1.1.1": {
        ANY: (
            pattern("Sources that {observer} may call: {result}."),
            pattern("Sources for an observer of this nation: {result}."),
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
    "6.5.1.8.2": {ANY: pattern("From {from} to {to}, {sheaf}: these respond: {result}.")},
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
            pattern("GP defence with {cover} cover: {printed} is printed, {result} applies."),
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
            pattern("{unit} is covered on {result} sides, facing {facing}."),
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
        "ruling": pattern("This follows our ruling, not the reading “{reading}”."),
        "other-reading": pattern("This follows the other reading: {reading}."),
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
    "6.8.3.2": {ANY: pattern("The total is {total}; {upto} or less recovers.")},
    "6.8.4": {ANY: pattern("Markers of turn {turn} are turned over.")},
}
"""A sentence for each result (`*`: any other), or several; the first for which all words are available is used."""


def words_of(finding: Finding) -> dict[str, Value]:
    """The words a sentence may use: the inputs, the result, dice, modifiers, cell, and the number of subjects."""
    words = {name: word(found) for name, found in finding.inputs.items()}
    words |= {name: side_term(str(finding.inputs[name])) for name in SIDES if name in words}
    words |= {"result": word(finding.result), "modifiers": rows(finding)}
    words |= {"applied": words["modifiers"]} if finding.modifiers else {}
    words |= {"signed": Signed(finding.result)} if type(finding.result) is int else {}
    for name, found in {**finding.inputs, "result": finding.result}.items():
        if name in COUNTED and type(found) is int:
            words[f"{name}_hexes"] = say_n("{n} hex", "{n} hexes", n=found)
            words[f"{name}_levels"] = say_n("{n} level", "{n} levels", n=found)
    words["n"] = next((len(found) for name in SUBJECTS if isinstance(found := finding.inputs.get(name), list)), 1)
    words |= {"cell": word(finding.cell)} if finding.cell is not None else {}
    return words | ({"dice": data(finding.dice)} if finding.dice else {})


SIDES: Final = ("side", "winner", "owner")
"""The inputs that name a side."""
COUNTED: Final = ("below", "distance", "range", "result")
"""Numbers that a sentence may count in hexes or levels."""
SUBJECTS: Final = ("units", "spotted_by", "passengers", "engineers", "weapons")
"""The inputs that a verb agrees with."""
phrase_of: Final = Phrases(PHRASES, words_of)

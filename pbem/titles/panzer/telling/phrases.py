"""Simple findings of the advanced game: a sentence for each result.

PHRASES sentences by rule, or by the paragraph that a rule belongs to, and by result phrase_of    the sentence for a
finding
"""

from __future__ import annotations

from collections.abc import Mapping
from string import Formatter
from typing import Final, TypeAlias

from pbem.engine.rules.findings import Finding
from pbem.engine.text.sentences import modifiers_of, value
from pbem.titles.panzer.telling.optional_phrases import OPTIONAL_PHRASES
from pbem.titles.panzer.telling.side_names import display_name

ANY: Final = "*"
Phrases: TypeAlias = Mapping[str, str | tuple[str, ...]]

PHRASES: Final[Mapping[str, Phrases]] = {
    **OPTIONAL_PHRASES,
    # 4.1.4, 4.4.3.1 line of sight and fields of fire
    "3.2": {ANY: "tens {tens}, units {units}: {result}"},
    "4.1.1/individual": {ANY: "{spotted_by} spot it, but a firing unit must spot its target itself"},
    "4.1.3": {ANY: "the cover of {hex} is {result}"},
    "4.1.3/cover": {ANY: "the cover of {hex} is {result}"},
    "4.1.3/other-cover": {ANY: "the cover of {hex} beside its road is {result}"},
    "4.1.3/cover-other": {ANY: "the cover of {hex} beside its road is {result}"},
    "4.1.3/several-terrain-types": {ANY: "of several kinds of terrain in {hex} the best counts: {result}"},
    "4.1.3/spot-move": {ANY: "its Spot/Move marker counts {result}"},
    "4.1.3/spot-fire": {ANY: "its Spot/Fire marker counts {result}"},
    "4.1.3.1": {ANY: "the vehicle's size ({size}) is not used"},
    "4.1.3.2": {ANY: "{units} units in {hex}: there is no cover there"},
    "4.1.4.1": {ANY: "what could block the line: {result}"},
    "4.1.4.1.1": {ANY: "clear ground in {hexes}: {result}"},
    "4.1.4.1.2": {ANY: "{places} may block it"},
    "4.1.4.1.4": {ANY: "{what}, height {result}"},
    "4.1.4.1.5.1": {ANY: "the hexside at {where}, height {height}: {result}"},
    "4.1.4.1.8": {ANY: "the wreck in {hex}: {result}"},
    "4.1.4.2": {ANY: "heights {low} and {high}: {result}"},
    "4.1.4.2.3": {ANY: "{what} in {where}, height {height}: {result}"},
    "4.1.4.2.4": {
        ANY: (
            "{what} in {where}, height {height}, {distance} hexes away: {result}",
            "{below} levels below at {distance} hexes: {result} hexes are hidden",
        )
    },
    "4.1.4.2.5": {ANY: "the first and last hexes {hexes}: {result}"},
    "4.1.4.2.6": {ANY: "the line crosses {where}"},
    "4.4.3.1.1": {"yes": "a turret bears all round"},
    "4.4.3.1.2": {"yes": "it bears in its field", "no": "it does not bear"},
    "4.4.3.1.3": {"yes": "it bears in its field", "no": "it does not bear"},
    "4.4.3.1.4": {"yes": "it bears ahead", "no": "it does not bear"},
    "4.4.3.1.5": {"yes": "it bears to the rear", "no": "it does not bear"},
    # 5 units
    "3.4": {
        "fire-half": "{unit} uses the fire half of its Short Halt",
        "move-half": "{unit} uses the move half of its Short Halt",
        "shown": "markers and counters on the map are changed",
    },
    "3.7": {ANY: "its movement is halved for {halved_for}, which leaves {result}"},
    "3.5": {ANY: "from {from} to {to}: range {result}"},
    "5.1.3.4": {ANY: "the charge of {firer} bursts inside {carrier}"},
    "5.2.1": {
        "unloaded": "{gun} is unloaded from {truck} in {hex}",
        "loaded": "{gun} is back on {truck}",
        ANY: ("{unit} unloads its gun in {hex}", "{what}: {result}"),
    },
    "5.3": {ANY: "{battery}, {card}, is {result} artillery"},
    "5.4": {ANY: "{aircraft} carries {result}"},
    "5.5": {ANY: "{unit} faces {result} and moves {moves}"},
    "5.7": {"yes": "{weapon}: small arms give away less", "no": "{weapon} gives its firer away"},
    "5.8.1": {ANY: "the {side} force is {result}"},
    "5.8": {ANY: "{unit} is {result}"},
    "5.8.2": {ANY: "formation {formation} is {result}"},
    "5.8.3": {ANY: "{unit} is {result}"},
    "5.10": {
        "on": "{unit} is suppressed",
        "off": "{unit} begins to recover",
        "suppressed": "{unit} is suppressed",
    },
    "5.11": {ANY: "hindrances from {from} to {to}: {result}"},
    "5.12": {ANY: "small arms brew up with {result} or less"},
    "5.13": {"yes": "{units} in {hex} are too many: no cover", "no": "{units} in {hex} are not too many"},
    "5.14": {ANY: "{unit} fires several weapons ({result})"},
    "5.15": {ANY: "{carrier}: who bails out? {result}"},
    "5.16": {ANY: "{unit} {weapon}: {declared} was declared, {result} is fired"},
    "5.16.2": {
        "enough": "{subject} has {ammunition} ammunition (limit {limit}, rolled {dice})",
        "short": "{subject} is short of {ammunition} ammunition (limit {limit}, rolled {dice})",
    },
    "5.16.2.1": {ANY: "{unit} fires at rate {rate}: {result} of its shots have the special ammunition"},
    "5.16.2.2": {ANY: "{unit} has no {instead_of} left and fires {result}"},
    "5.16.2.4": {"yes": "{unit} is supplied in {hex}", "no": "{unit} is far from its transport"},
    "5.16.2.7": {ANY: "tungsten is scarce: {result} more on the roll"},
    "5.16.2.3": {
        "available": "{firer} has {ammo} ammunition (limit {limit}, rolled {dice})",
        "limited": "{firer} is short of {ammo} ammunition (limit {limit}, rolled {dice})",
        "yes": "{subject} has smoke ammunition",
        "no": "{subject} has no smoke ammunition",
    },
    "5.16.2.5": {
        "available": "{firer} has {ammo} ammunition (limit {limit}, rolled {dice})",
        "limited": "{firer} is short of {ammo} ammunition (limit {limit}, rolled {dice})",
    },
    "5.16.2.6": {ANY: "{weapon} used {result} times before"},
    # 6.1 spotting and terrain
    "6.1.1": {"yes": "{spotter} can spot", "no": "{spotter} cannot spot"},
    "6.1.2": {
        "yes": "it looks that way",
        "no": "it does not look that way",
    },
    "6.1.3": {
        "spotted with their carrier": "{passengers} are spotted with their carrier",
        "fire": "{unit} gets a Spot/Fire marker",
        "fire-sa": "{unit} gets a Spot/Fire marker for small arms",
        "move": "{unit} gets a Spot/Move marker",
        ANY: "a marker for small arms: columns {result}",
    },
    "6.1.3.2": {ANY: "{when}: columns {result}"},
    "6.1.4": {ANY: "the line of sight from {from} to {to} (range {range}) is {result}"},
    "6.1.4.1.1": {ANY: "the position is {result} towards {open}"},
    "6.1.4.1.2": {ANY: "the position is {result} towards {open}"},
    "6.1.4.3.1": {ANY: ("inside {building}: {result}", "floor {result} of {storeys} in {hex}")},
    "6.1.4.3.13": {"yes": "from {from} to {to} the sun blinds", "no": "from {from} to {to} the sun does not blind"},
    "6.1.4.3": {ANY: "{feature} is placed in {result}"},
    "6.1.4.3.5": {"eliminated": "{unit} is lost in the fire in {hex}"},
    "6.1.4.3.6": {
        "entrenched": "{unit} is entrenched",
        "occupied": ("{unit} moves into the entrenchment in {hex}", "{unit} begins in an entrenchment"),
        "left": "{unit} leaves its entrenchment",
    },
    "6.1.4.3.7": {
        "occupied": ("{unit} moves into the position in {hex}", "{unit} begins in an improved position"),
        "left": "{unit} leaves its position",
    },
    "6.1.4.3.10": {
        "gone": "the smoke over {hexes} is gone",
        "off": "the smoke over {hexes} thins out",
        "smoke": ("{firer} ({weapon}) lays smoke in {hex}", "{firer} throws smoke into {hex}"),
        "no-smoke": "{firer} ({weapon}) has no smoke for {hex}",
        ANY: "{what} in {where}: {result}",
    },
    "6.1.4.3.11": {"removed": "the wire in {hex} is cleared by {unit}"},
    "6.1.4.3.12": {
        "gone": "the dust over {hexes} settles",
        "off": "the dust over {hexes} thins out",
        ANY: ("{unit} raises dust in {result}", "{what} in {where}: {result}"),
    },
    # 6.2 commands
    "6.2": {ANY: "both sides have placed their commands for turn {turn}"},
    "6.2.1": {ANY: "commands of turn {turn}: {result}"},
    "6.2.1.1": {ANY: "{formation} ({grade}) has {result} commands"},
    "6.2.1.1.1": {ANY: "{tens} tens and {units} active units: {result}"},
    "6.2.1.1.2": {ANY: "the command range of {formation} is {result}"},
    "6.2.1.1.3": {"shared": "{units} share a counter"},
    "6.2.1.1.3/inactive-unarmed": {ANY: "{units} are unarmed and on their own: {result}"},
    "6.2.1.1.3/recon": {ANY: "{units} have commands of their own"},
    "6.2.1.1.3/nc-commands": {ANY: "{unit} is given No Command"},
    "6.2.1.1.3/no-command": {ANY: "{unit} is given No Command"},
    "6.2.1.1.4": {
        "move": "the group of {counter} has moved together",
        "short-halt": "the group of {counter} has moved together",
        ANY: ("{units} fire under the counter of {counter} at {result}",),
    },
    "6.2.1.1.4/fire": {ANY: "their targets are within {range} hexes: {result}"},
    "6.2.1.1.4/overwatch": {ANY: "their targets are within {range} hexes: {result}"},
    "6.2.1.1.4/move": {ANY: "{units} are within {range} hexes of each other: {result}"},
    "6.2.1.1.4/movement": {ANY: "{units} are within {range} hexes of each other: {result}"},
    # 6.3 initiative
    "6.3.1": {ANY: "{winner} wins and wants to be {choice}"},
    "6.3.2": {ANY: "{side} roll {dice} ({modifiers}): {result}"},
    # 6.4, 6.7 aircraft
    "6.4": {ANY: "air phase {phase}: {result} ({side}) comes over the map"},
    "6.7": {ANY: "air phase {phase}: {result} ({side}) comes over the map"},
    "6.7.1": {ANY: "{aircraft} is loaded with {result}"},
    "6.7.2": {"appears": "{aircraft} appears at {hex}, flying {facing}"},
    "6.7.2.1": {ANY: "from the {edges} edge, here since turn {first_turn}"},
    "6.7.2.2": {ANY: "at {result} altitude, {speed}"},
    "6.7.2.3": {ANY: "{aircraft} leaves the map by the {result} edge at {hex} after {flown} hexes"},
    "6.7.2.3.1": {ANY: "{aircraft} turns to {result} in {hex}"},
    "6.7.2.3.2": {ANY: "{aircraft} dives to {result} altitude"},
    "6.7.3.1": {"yes": "{target} is ahead of it", "no": "{target} is not ahead of it"},
    "6.7.3.1.1": {
        "acquired": "{aircraft} has acquired {target} after {flown} of {needed} hexes",
        "not-acquired": "{aircraft} does not find {target}",
        "on the way": "it was on the way to {hex}, range {range}",
        "hidden": "{target} cannot be made out from the air",
        ANY: "suppressed, it needs {result} hexes",
    },
    "6.7.3.1.2": {ANY: "{observer} points out {result} to {aircraft}"},
    "6.7.3.1.3": {ANY: "from {from} to {to} at {altitude} altitude the line of sight is {result}"},
    "6.7.3.5": {ANY: ("{text}: {result}", "{modifiers}: {result}")},
    "6.7.4.1": {"yes": "{gun} has it in its field and in sight", "no": "{gun} does not have it in sight"},
    "6.7.4.1.1": {"tracked": "{gun} tracks it in {hex}", ANY: "{gun} has tracked it for {result} hexes"},
    "6.7.4.1.2": {ANY: "the gun may fire at aircraft"},
    "6.7.4.2/low": {ANY: "aircraft at low altitude {result}"},
    "6.7.4.2/fast-high": {ANY: "fast or high {result}"},
    "6.7.4.2/fast-or-high": {ANY: "fast or high {result}"},
    "6.7.4.2.1": {
        "shot-down": "the aircraft is shot down",
        "suppressed": "{aircraft} is suppressed",
        "none": "{aircraft} flies on",
        "second": "damaged a second time",
        ANY: ("{aircraft} is damaged and flies {result}", "{aircraft} crashes in {result} (rolled {dice})"),
    },
    # 6.5.1 indirect fire
    "6.5.1": {ANY: "{side} indirect fire"},
    "6.5.1.1.1": {ANY: ("{observer} may call {result} units", "observers of this nation: {result}")},
    "6.5.1.1.2": {ANY: "{observer} ({row}) may call {result} units"},
    "6.5.1.1.3": {ANY: "{observer} ({row}) may call {result} units"},
    "6.5.1.1.4": {ANY: "{firers} fire as one: {result}"},
    "6.5.1.3": {ANY: "{firer} is {result} to the formation of {observer}"},
    "6.5.1.3.1": {ANY: "it is {result}"},
    "6.5.1.3.2": {ANY: "it is {result}"},
    "6.5.1.3.3": {ANY: "it is {result}"},
    "6.5.1.4": {ANY: ("{point} is registered", "{battery} is registered on {result}")},
    "6.5.1.5": {ANY: "{firer} around {point}: {result}"},
    "6.5.1.6": {ANY: "{result} is called for"},
    "6.5.1.6.1": {ANY: "shells and smoke come in every pattern"},
    "6.5.1.6.2": {ANY: "illumination has a closed pattern only"},
    "6.5.1.7/response": {ANY: "the command of {firer} is used up"},
    "6.5.1.8": {"continued": "mission {mission} goes on", "adjusted": "mission {mission} is adjusted"},
    "6.5.1.8.1": {ANY: "{result} fire on at {point} ({type})"},
    "6.5.1.8.2": {ANY: "from {from} to {to}, {sheaf}: {result} respond"},
    "6.5.1.9": {ANY: "mission {mission} at {point} is called off ({why})"},
    "6.5.1.10": {
        "no-response": "{firer} does not fire so near to friends",
        ANY: "{firer} endangers {friends}: {result} is hit",
    },
    "6.5.1.12.1": {ANY: "net modifier {result} ({modifiers})"},
    "6.5.1.11.1": {ANY: ("{battery} plans fire from turn {turn}: {result}", "plotted for turn {plotted}")},
    "6.5.1.11.2": {ANY: "planned fire of {battery} falls in turn {result}"},
    "6.5.1.11.3": {ANY: "the plan of {from} is moved to {to}: {result}"},
    "6.5.1.11.4": {ANY: "special ammunition of planned fire: {result}"},
    # 6.5.2 AP fire
    "6.5.2.1": {ANY: ("rate {rate}, hit number {hit_number}: hits {result}", "rolled {dice}: hits {result}")},
    "6.5.2.2.1": {
        "track": "the track of {unit} is hit: it moves no more",
        "ignored": "the track of {unit} was hit already",
        ANY: "{result}",
    },
    "6.5.2.2.3": {"miss": "{status}: a shot at the {location} goes by"},
    "6.5.2.2.4": {"damaged": "{unit} is damaged ({part})", "ko": "{unit} was damaged before: knocked out"},
    "6.5.2.3": {ANY: "armour of the {location} from the {angle}: {result}"},
    "6.5.2.3.1": {ANY: "the shot is {result}"},
    "6.5.2.3.2": {ANY: "armour {result}"},
    "6.5.2.3.3": {ANY: "armour {result}"},
    "6.5.2.3.4": {ANY: "{how} is a {result} round"},
    "6.5.2.5": {
        "bu": ("{unit} brews up in {hex}", "damage die {die}: brewed up"),
        "ko": (
            "{unit} is knocked out in {hex}",
            "damage die {die}: knocked out",
            "{unit} is damaged once more ({location}): knocked out",
        ),
        "no_damage": "damage die {die}: no damage",
        "no-damage": "{unit} is not damaged",
        "damaged": ("{unit} is damaged ({part})", "damage die {die}: damaged", "{unit} is damaged ({location})"),
        "suppressed": "{unit}, in the same hex, is suppressed",
        ANY: "damage die {die}: {result}",
    },
    "6.5.2.6": {ANY: "does the crew of {carrier} stay? {result}"},
    "6.5.2.6.1": {
        "stays": "the crew of {unit} stays ({number} or less to bail out; {total})",
        "bails-out": "the crew of {unit} bails out ({number} or less; {total})",
        "follows": "{unit} gets off in {hex}",
        "suppressed": "{unit} is suppressed",
        ANY: "after getting off {units} face {result}",
    },
    "6.5.2.6.2": {
        "out": "{unit} gets off in {hex}",
        "survives": "{unit} survives ({number} or more; {total})",
        "lost": "{unit} is lost",
        "eliminated": "{unit} is lost with its vehicle",
        "suppressed": "{unit} is suppressed",
        ANY: ("do the passengers of {carrier} survive?",),
    },
    "6.5.3": {
        "ow": "{firer} fires on overwatch without turning",
        "adjust": "{firer} has to turn on overwatch",
        ANY: "{firer} fires on overwatch ({result})",
    },
    # 6.5.4 GP fire
    "6.5.4.1": {ANY: "at range {range} the GP factor is {result}"},
    "6.5.4.2": {ANY: "GP defence of {unit}: {result}"},
    "6.5.4.2.1": {ANY: "{type}-type vehicle: {result}"},
    "6.5.4.2.2": {ANY: ("cover {cover}: {printed} printed, {result}", "{unit}: {result}")},
    "6.5.4.2.2/cover-exceptions": {ANY: "{unit} in {terrain}: {result} cover against GP fire"},
    "6.5.4.2.2/special-cover": {ANY: "{unit} in {terrain}: {result} cover against GP fire"},
    "6.5.4.2.2/full-cover": {ANY: "{unit} is in full cover: +{result}"},
    "6.5.4.2.2/moving": {ANY: "{unit} moves: {result}"},
    "6.5.4.2.3": {ANY: ("{unit} aboard {carrier}: {result}", "passengers of {carrier}: {result}")},
    "6.5.4.2.4": {ANY: "GP defence of {aircraft}: {result}"},
    "6.5.4.2.5": {ANY: "{feature} in {hex}, defence {defence}: {result}"},
    "6.5.4.4": {ANY: "{unit}: {result}"},
    "6.5.4.4.1": {ANY: "{unit} is not affected"},
    "6.5.4.4.2": {
        "suppressed": "{unit} is suppressed",
        "damaged": "{unit} is damaged",
        "ko": "{unit} is knocked out",
        "bu": "{unit} brews up",
        "none": "{unit} is not affected",
        "yes": "small arms",
        "no": "more than small arms",
        ANY: "{unit} is a {result}-type target",
    },
    "6.5.4.4.3": {
        "suppressed": "{unit} is suppressed",
        "reduced": "{unit} is reduced to a half-squad",
        "eliminated": "{unit} is eliminated in {hex}",
        "none": ("{feature} in {hex} holds", "{unit} is not affected"),
        "destroyed": "{feature} in {hex} is destroyed",
        ANY: "{unit}: {result}",
    },
    "6.5.4.5": {
        "stays": "{unit} stays aboard ({number} or less to bail out; {total})",
        "bails-out": "{unit} bails out ({number} or less; {total})",
        "out": "{unit} gets off in {hex}",
        "suppressed": "{unit} is suppressed",
        ANY: "do passengers of {carrier} bail out? {result}",
    },
    # 6.6 movement
    "6.6.1": {ANY: ("{side} close combat, {player} player", "the {side} side attacks {result}")},
    "6.6.1.1.2/support": {"yes": "{vehicle} has support", "no": "{vehicle} is without support"},
    "6.6.1.1.2/unsupported-hex": {"yes": "{vehicle} has support", "no": "{vehicle} is without support"},
    "6.6.1.1.2/moving-vehicle": {
        "move": "{unit} shows that it moves",
        "short-halt": "{unit} shows that it moves",
        "no-effect": "{unit} shows nothing",
    },
    "6.6.1.1.3": {
        "kept": "{unit} keeps its command",
        "none": "{unit} is not affected",
        "suppressed": "{unit} is suppressed",
        "damaged": "{unit} is damaged",
        "ko": "{unit} is knocked out",
        "bu": "{unit} brews up",
        ANY: "{unit} advances from {from} to {result}",
    },
    "6.6.1.2.3": {
        "kept": "{unit} keeps its command",
        "reduced": "{unit} is reduced to a half-squad",
        "eliminated": "{unit} is eliminated in {hex}",
        ANY: "{unit} advances from {from} to {result}",
    },
    "6.6.2": {
        ANY: (
            "{unit} is slower now ({halved_for}): {result} of {left} movement points are left",
            "{unit} moves at half speed ({halved_for})",
        )
    },
    "6.6.3": {
        "alley": "{unit} is in an alley of {hex}",
        "building": "{unit} is inside a building in {hex}",
        "through": "{unit} breaks through a {building} building ({total})",
        "damaged": "{unit} is damaged by a {building} building ({total})",
        "track": "{unit} loses a track in a {building} building ({total})",
        ANY: ("{what}: {result}", "{result}"),
    },
    "6.6.4": {ANY: "{unit} moves as a {result} unit"},
    "6.6.4.2": {
        "fresh": "{unit} is not exhausted by its quick march ({total}, {cell} or less)",
        "suppressed": "{unit} is exhausted by its quick march and suppressed ({total}, {cell} or less)",
    },
    "6.6.4.3": {"crawling": "{unit} crawls"},
    "6.6.6": {
        "attacked": "{unit} has come under fire from {firer}",
        "not-attacked": "{unit} searches and is not attacked by {firer}",
    },
    "6.6.7": {
        "dismounted": "{unit} is on the ground",
        "passenger": "{unit} is aboard {carrier}",
        ANY: "{unit} is aboard {result}",
    },
    "6.6.7.1": {"yes": "{carrier} has room for {unit}", "no": "{carrier} has no room for {unit}"},
    "6.6.7.1.1": {
        "aboard": "{unit} gets on {carrier}",
        ANY: ("{unit} gets off {carrier} in {hex}", "{what}: {result}"),
    },
    "6.6.7.1.2": {
        "suppressed": "{unit} is suppressed",
        ANY: ("{unit} jumps off {carrier} in {hex}", "{what}: {result}"),
    },
    "6.6.7.2": {
        "fire": "{carrier} gets the Spot/Fire marker of {unit}",
        "fire-sa": "{carrier} gets the Spot/Fire marker of {unit}",
        ANY: "{unit} fires from {carrier}",
    },
    "6.6.8": {
        "complete": "{unit} has dug in in {hex}",
        "digging": "{unit} digs in {hex}",
        ANY: "stage {result} of 4, {before} before",
    },
    "6.6.9": {
        "hd": "{unit} has found a hull-down position in {hex} ({total}, {cell} or less)",
        "phd": "{unit} has found a partial hull-down position in {hex} ({total}, {cell} or less)",
        "": "{unit} finds no hull-down position in {hex} ({total}, {cell} or less)",
        "lost": "{unit} leaves its hull-down position",
        ANY: ("{what}: {result}", "{unit} is covered on {result} sides, facing {facing}", "{unit}: {modifiers}"),
    },
    "6.6.10": {
        "declared": "{vehicles} will overrun {target}",
        "stopped": "{vehicle} is stopped before it reaches {target}",
        "through": "{vehicle} breaks into the building of {target}",
        "no-window": "no unit fires at {vehicle} while it overruns in {hex}",
    },
    "6.6.10.1": {
        "left out": "{weapons} do not take part",
        ANY: ("{vehicle} goes back from {from} to {result}", "{vehicle} attacks with {weapons}: factor {result}"),
    },
    "6.6.10.2": {
        "eliminated": "{unit} is eliminated",
        "keeps-command": "{unit} keeps its command",
        "none": "{unit} is not affected",
        "reduced": "{unit} is reduced to a half-squad",
        "suppressed": "{unit} is suppressed",
        "ignored": "{unit} is suppressed already",
    },
    "4.5.1.1.5/abandoned-vehicles": {ANY: "{result}, left by its crew, does not close the road in {hex}"},
    "house": {"ruling": "by our ruling, not as {reading} has it", "other-reading": "by the other reading: {reading}"},
    # 7 optional rules
    "7.0": {ANY: "optional rules in use: {rules}"},
    "7.2": {ANY: "the {side} side has {result} hidden counters on the map"},
    "7.2.1": {ANY: "the counters lie in {counters}"},
    "7.2.2": {"nothing": "{counter} is a dummy", ANY: "{counter} stands for {result}"},
    "7.2.2.1": {"spotted": "{counter} is spotted by {by}"},
    "7.2.2.1/dummies": {"removed": "{counter} was a dummy", "spotted": "{counter} is spotted by {by}"},
    "7.2.2.2": {"spot-move": "{counter} has moved", ANY: "{counter} goes {path}"},
    "7.2.2.3": {
        "revealed": "{counter} in {hex} is revealed: {units}",
        "fights": "{unit} under {counter} fights",
        "struck": "fire falls on {counter}",
        "by its owner": "{counter} is turned up by its owner",
        "mines": "{counter} has entered mines",
        "barrage": "{counter} has entered a barrage",
    },
    "7.2.3": {ANY: "the {side} side puts {result} hidden counters on the map"},
    "7.7": {"spotted": "{target} is noticed", "overlooked": "{target} is overlooked"},
    "7.7.1": {
        "yes": "{unit} looks for {target}: {dice} of {chance}, noticed",
        "no": "{unit} looks for {target}: {dice} of {chance}, overlooked",
    },
    "7.7.2": {ANY: "{unit} keeps an eye on {result}, no longer on {dropped}"},
    "7.24": {
        "found": ("{spotter} finds {target}: {dice} of {range}", "{spotter} finds {target}"),
        "overlooked": "{spotter} overlooks {target}: {dice} of {range}",
    },
    "7.24/lost": {"lost": "{unit} is no longer camouflaged"},
    "7.30": {ANY: "the road in {hex} is narrow, ahead of {unit}: {result}"},
    "7.30/sunken-road": {ANY: "the sunken road in {hex} is narrow, ahead of {unit}: {result}"},
    "7.30/pushing": {
        "cleared": "{unit} pushes {pushed} off the road in {hex} (rolled {dice}, {total} of {cell})",
        "stuck": "{unit} cannot move {pushed} off the road in {hex} (rolled {dice}, {total} of {cell})",
    },
    # 6.8 adjustment
    "6.8": {ANY: "end of turn {turn}"},
    "6.8.1": {ANY: "{unit} turns from {from} to {result}"},
    "6.8.2": {"full-cover": "{unit} goes into full cover", "left-cover": "{unit} leaves full cover"},
    "6.8.3": {
        "recovered": "{unit} recovers (rolled {dice}, modifiers {modifiers})",
        "still-suppressed": "{unit} stays suppressed (rolled {dice}, modifiers {modifiers})",
    },
    "6.8.3.1": {ANY: "recovery of {unit}: {result}"},
    "6.8.3.1.1": {ANY: "{unit} has a command: {result}"},
    "6.8.3.1.2": {ANY: "{unit} was attacked: {result}"},
    "6.8.3.2": {ANY: "{total}; {upto} or less recovers"},
    "6.8.4": {ANY: "markers of turn {turn} are turned over"},
}
"""One sentence for each result (`*`: any other), or several; the first with all its words available is used."""


def words_of(finding: Finding) -> dict[str, str]:
    """The words a sentence may use: the inputs, the result, dice, modifiers and cell."""
    words = {name: value(found) for name, found in finding.inputs.items()}
    words |= {"side": display_name(words["side"])} if "side" in words else {}
    words |= {"result": value(finding.result), "modifiers": modifiers_of(finding)}
    words |= {"cell": value(finding.cell)} if finding.cell is not None else {}
    return words | ({"dice": value(finding.dice)} if finding.dice else {})


def phrase_of(finding: Finding) -> str | None:
    """The sentence for its rule, or for the paragraph the rule belongs to; None if none fits."""
    words = words_of(finding)
    for rule in (finding.rule, finding.rule.partition("/")[0]):
        phrases = PHRASES.get(rule, {})
        for key in ("" if finding.result == "" else words["result"], ANY):
            for phrase in as_tuple(phrases.get(key, ())):
                if fields_of(phrase) <= set(words):
                    return phrase.format_map(words)
    return None


def as_tuple(phrases: str | tuple[str, ...]) -> tuple[str, ...]:
    return (phrases,) if isinstance(phrases, str) else phrases


def fields_of(phrase: str) -> set[str]:
    return {field for _, field, _, _ in Formatter().parse(phrase) if field}

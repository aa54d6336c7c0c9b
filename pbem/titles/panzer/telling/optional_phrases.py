"""7 Findings of the optional rules: a sentence for each result, in the format of `phrases`, which has the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

ANY: Final = "*"

OPTIONAL_PHRASES: Final[Mapping[str, Mapping[str, str | tuple[str, ...]]]] = {
    # 7.1 morale
    "7.1": {ANY: "formation {formation} has {result} Cohesion Points"},
    "7.1.1": {ANY: "cohesion {level}: {result} points"},
    "7.1.1.1": {ANY: "formation {formation}, rolled {dice}, total {total}: cohesion {level}, {result} points"},
    "7.1.1.1/limits": {ANY: "rolled {rolled}, printed {printed}: {result}"},
    "7.1.1.2": {
        "breaking": "formation {formation} has {losses} losses against {points} Cohesion Points: it is breaking",
        "holds": "formation {formation} has {losses} losses against {points} Cohesion Points",
    },
    "7.1.2": {
        "none": "{unit} holds ({reasons})",
        "hesitating": "{unit} hesitates ({reasons})",
        "broken": "{unit} is broken ({reasons})",
    },
    "7.1.3": {
        "none": "{unit} holds ({reasons})",
        "hesitating": "{unit} hesitates ({reasons})",
        "broken": "{unit} is broken ({reasons})",
    },
    "7.1.4": {ANY: "{unit} checks its morale, rolled {dice}, total {total}: {result}"},
    "7.1.5": {"none": "{unit} holds", "hesitating": "{unit} hesitates", "broken": "{unit} is broken"},
    "7.1.5.1": {"hesitating-on": ("{unit} has moved and hesitates on ({before})", "{unit} hesitates")},
    "7.1.5.2": {"broken-on": ("{unit} has moved and stays broken ({before})", "{unit} is broken")},
    "7.1.6": {"recovered": "{unit} recovers its courage", "still-broken": "{unit} stays broken"},
    "7.1.6.1": {"recovered": "hesitation passes by itself"},
    "7.1.6.2": {
        "recovered": "{unit} recovers, rolled {dice}, total {total}",
        "still-broken": "{unit} stays broken, rolled {dice}, total {total}",
    },
    # 7.4, 7.6
    "7.4": {ANY: "without radios: {result}"},
    "7.4.1": {ANY: "without radios, {not_told} do not hear of {target}"},
    "7.4.2": {ANY: "without radios, {units} have {result}"},
    "7.6": {
        "suppressed": "{unit} is afraid of {target} and suppressed",
        "attacks": "{unit} is not afraid of {target}",
    },
    # 7.8, 7.9, 7.20 vehicles
    "7.8": {ANY: ("the turret of {unit} faces {facing}", "{unit} turns its turret to {result} from the hull")},
    "7.8.1": {
        ANY: ("the turret of {unit} turns and faces {facing}", "the turret of {unit} turns by {result} at most"),
    },
    "7.8.1/damage": {ANY: "with its turret damaged {unit} turns it {result} hexside at most"},
    "7.8.2": {ANY: "the turret is hit from the {turret}, not from the {hull}: {result}"},
    "7.8.3": {"buttoned-up": "{unit} is buttoned up", "turret-open": "{unit} opens its hatches"},
    "7.8.4": {ANY: "{unit} turns its turret on overwatch and faces {facing}"},
    "7.9": {
        "smoke": "{unit} fires its smoke dischargers, rolled {dice}, {limit} or less",
        "no-smoke": "the smoke dischargers of {unit} fail, rolled {dice}, {limit} or less",
        "at once": "both sides fire their dischargers at once",
    },
    "7.20": {ANY: "the long gun of {unit} is turned to {result} from the hull"},
    # 7.10-7.13, 7.17, 7.21, 7.23 damage
    "7.10.1": {ANY: "skirts and plates: armour {armour} counts {times} times: {result}"},
    "7.10.2": {ANY: "a hollow charge loses nothing against {unit}"},
    "7.11": {"bu": "{unit} burns easily: brewed up", "ko": "{unit} burns easily, but is only knocked out"},
    "7.12": {ANY: "penetration {penetration} varies by {change}, rolled {dice}: {result}"},
    "7.13": {ANY: "the lower hull: half of {rising}: {result}"},
    "7.13.1": {ANY: "{unit} comes up and shows its lower hull"},
    "7.13.2": {ANY: "fired at from {levels} levels below at {range} hexes"},
    "7.17": {"lost": "{unit} loses its {weapon}, rolled {dice}", "kept": "{unit} keeps its {weapon}, rolled {dice}"},
    "7.21": {
        "yes": "the hit is hard enough for the track of {unit} ({doubled} against {defence})",
        "no": "the hit is too weak for the track of {unit} ({doubled} against {defence})",
        "none": "the hit is too weak for the track of {unit} ({doubled} against {defence})",
    },
    "7.23": {"none": "{unit}: nothing else is damaged, rolled {dice}", ANY: "{unit}, rolled {dice}: {result}"},
    "7.23.1": {"optics": "the optics of {unit} are damaged", "coaxial_machine_gun": "{unit} loses its coaxial MG"},
    "7.23.2": {"turret_locked": "the turret of {unit} is locked", "radio": "{unit} loses its radio"},
    "7.23.3": {"drive": "the drive of {unit} is damaged"},
    "7.23.4": {
        "fuel": "{unit} loses fuel",
        "track": "{unit} has run out of fuel, rolled {dice}",
        "bu": "the fuel of {unit} catches fire, rolled {dice}",
        "none": "{unit} loses fuel, rolled {dice}",
    },
    # 7.16, 7.19, 7.22, 7.25
    "7.16": {ANY: "{unit} turns on its platform and faces {result}"},
    "7.19": {
        "destroyed": "{engineers} destroy {terrain} in {hex}",
        "none": "{engineers} do nothing to {terrain} in {hex}",
        ANY: "{unit} advances from {from} to {result}",
    },
    "7.22": {"smoke": "{firer} lays smoke in its hex", "no-smoke": "{firer} has no smoke"},
    "7.22.1": {"smoke": "{unit} lays smoke in {hex}", "no-smoke": "{unit} has no smoke for {hex}"},
    "7.22.2": {"yes": "rolled {dice}, {limit} or less", "no": "rolled {dice}, {limit} or less"},
    "7.25": {"malfunction": "{weapon} of {unit} malfunctions"},
    "7.25/repair": {
        "repaired": ("{weapon} of {unit} is repaired", "rolled {dice}, total {total}: repaired"),
        "malfunction": ("{weapon} of {unit} is still out of order", "rolled {dice}, total {total}: not repaired"),
        "lost": ("{weapon} of {unit} is lost for good", "rolled {dice}, total {total}: lost for good"),
    },
    # 7.26-7.28 artillery
    "7.26": {
        "lost": "the fire of {firer} at {from} strays off the map",
        ANY: "the fire of {firer} at {from} strays {hexes} hexes: {result}",
    },
    "7.26/bombs": {
        "on target": "the bombs of {aircraft} fall as aimed, total {total}, {upto} or less to stray",
        ANY: "the bombs of {aircraft} stray to {result}, total {total}, {upto} or less",
    },
    "7.27": {"light": "mission {mission} lights {hexes}"},
    "7.28": {ANY: "{side} counter-battery fire: {result}"},
    "7.28.1": {ANY: "{asset} looks for {battery}: {result}"},
    "7.28.3": {ANY: "{asset} looks for {battery}: {result}"},
    "7.28.2": {
        "located": "{asset} has found {battery}, rolled {dice}, {limit} or less",
        "missed": "{asset} does not find {battery}, rolled {dice}, {limit} or less",
        "recovered": "{battery} recovers, rolled {dice}, {upto} or less",
        "still-suppressed": "{battery} stays suppressed, rolled {dice}, {upto} or less",
    },
    "7.28.2/results": {
        "suppressed": "{battery} is suppressed, rolled {dice}",
        "damaged": "{battery} is damaged, rolled {dice}",
        "ko": "{battery} is knocked out, rolled {dice}",
        "ignored": "{battery} is not impressed, rolled {dice}",
    },
    # 7.29, 7.31 the ground
    "7.29": {
        "bogged": "{unit} bogs down in {hex}, rolled {dice}, total {total}, {cell} or less",
        "firm": "{unit} finds firm ground in {hex}, rolled {dice}, total {total}, {cell} or less",
        ANY: "{result}",
    },
    "7.31": {ANY: "{laid} mines of {owner} against {result}"},
    "7.31.2": {"none": "{unit} passes the mines in {hex}", ANY: "{unit} comes into the mines in {hex}: {result}"},
    "7.31.2.1": {ANY: "GP defence {defence}, {laid} mines, rolled {dice}: {result}"},
    "7.31.2.2": {ANY: "{unit}, rolled {dice}, total {total}: {result}"},
    "7.31.3": {"destroyed": "the {laid} mines in {hex} are cleared", ANY: "the {laid} mines in {hex} hold"},
    "7.31.3.3": {
        "destroyed": ("{engineers} lift the mines in {hex}", "the mines in {hex} are cleared"),
        "none": ("{engineers} do not lift the mines in {hex}", "the mines in {hex} hold"),
    },
    # 7.35, 7.36
    "7.35": {ANY: "burning at the end of turn {turn}: {result}"},
    "7.35.1": {
        "on_fire": "{hex} catches fire, rolled {dice}, total {total}",
        "none": "{hex} does not catch fire, rolled {dice}, total {total}",
    },
    "7.35.1/flamethrower": {"on_fire": "flames set {hex} on fire"},
    "7.35.2": {"eliminated": "{unit} is lost in the fire in {hex}"},
    "7.35.3": {ANY: "a rocket has missed in {hex}: factor {result}"},
    "7.35.4": {ANY: "{hex} burns like {as}: {result}"},
    "7.36": {
        "fair": "daylight and fair weather",
        "adverse": "spotting {spotting}, caution {caution}, ground {ground}, streams {streams}",
    },
    "7.36.1": {ANY: "visibility {result}"},
    # 7.42, 7.52
    "7.42": {ANY: "initiative of turn {turn}: {result} is First Player"},
    "7.42.1": {ANY: "{winner} wins and is First Player"},
    "7.42.1.1": {ANY: "formation {result} fires, number {number}"},
    "7.42.1.2": {ANY: "formation {formation} {result}"},
    "7.42.1.3": {ANY: "all have fired: overwatch, in the order {order}"},
    "7.42.2": {ANY: "formation {result} moves"},
    "7.42.3": {ANY: "movement by sides: {order}"},
    "7.52/chq": {
        "in-span": "formation {formation} is within the span of its headquarters",
        "out-of-span": "out of the span of the headquarters of {formation}: {out}",
        "lost": "formation {formation} has lost its headquarters",
    },
    "7.52/bhq": {
        "in-span": "the battalion reaches {formation}",
        "out-of-span": "{formation} is out of the span of its battalion",
        "lost": "the battalion headquarters of {formation} are lost",
    },
    "7.52/rhq": {
        "in-span": "the regiment reaches {formation}",
        "out-of-span": "the battalion of {formation} is out of the span of its regiment",
        "lost": "the regimental headquarters of {formation} are lost",
    },
}
"""7 One sentence for each result (`*`: any other), or several; the first with all its words available is used."""

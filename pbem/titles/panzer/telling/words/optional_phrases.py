"""7 Findings of the optional rules: a sentence for each result, in the format of `phrases`, which has the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pbem.engine.text.messages import Message, pattern
from pbem.engine.text.sentences import ANY

OPTIONAL_PHRASES: Final[Mapping[str, Mapping[str, Message | tuple[Message, ...]]]] = {
    # 7.1 morale
    "7.1": {ANY: pattern("Cohesion Points of formation {formation}: {result}.")},
    "7.1.1": {ANY: pattern("Cohesion {level}: Cohesion Points {result}.")},
    "7.1.1.1": {
        ANY: pattern(
            "Formation {formation}, rolled {dice}, total {total}: cohesion {level}, Cohesion Points {result}."
        )
    },
    "7.1.1.1/limits": {ANY: pattern("Cohesion level rolled: {rolled}; printed: {printed}; used: {result}.")},
    "7.1.1.2": {
        "breaking": pattern(
            "Losses of formation {formation}: {losses}, against {points} Cohesion Points; it is breaking."
        ),
        "holds": pattern("Losses of formation {formation}: {losses}, against {points} Cohesion Points."),
    },
    "7.1.2": {
        "none": pattern("{unit} holds ({reasons})."),
        "hesitating": pattern("{unit} hesitates ({reasons})."),
        "broken": pattern("{unit} is broken ({reasons})."),
    },
    "7.1.3": {
        "none": pattern("{unit} holds ({reasons})."),
        "hesitating": pattern("{unit} hesitates ({reasons})."),
        "broken": pattern("{unit} is broken ({reasons})."),
    },
    "7.1.4": {
        ANY: (
            pattern("{unit} checks its morale, rolled {dice}, total {total}: {result}."),
            pattern("Modifier to the morale check of {unit}: {signed}."),
        )
    },
    "7.1.5": {
        "none": pattern("{unit} holds."),
        "hesitating": pattern("{unit} hesitates."),
        "broken": pattern("{unit} is broken."),
    },
    "7.1.5.1": {
        "hesitating-on": (pattern("{unit} has moved and still hesitates ({before})."), pattern("{unit} hesitates."))
    },
    "7.1.5.2": {
        "broken-on": (pattern("{unit} has moved and stays broken ({before})."), pattern("{unit} is broken."))
    },
    "7.1.6": {"recovered": pattern("{unit} recovers its morale."), "still-broken": pattern("{unit} stays broken.")},
    "7.1.6.1": {"recovered": pattern("A hesitating unit recovers automatically.")},
    "7.1.6.2": {
        "recovered": pattern("{unit} recovers (rolled {dice}, total {total})."),
        "still-broken": pattern("{unit} stays broken (rolled {dice}, total {total})."),
    },
    # 7.4, 7.6
    "7.4": {ANY: pattern("Units without radios: {result}.")},
    "7.4.1": {ANY: pattern("Units that do not learn of {target} because there are no radios: {not_told}.")},
    "7.4.2": {ANY: pattern("Units that share {result} because they have no radios: {units}.")},
    "7.6": {
        "suppressed": pattern("{unit} is afraid of {target} and becomes suppressed."),
        "attacks": pattern("{unit} is not afraid of {target}."),
    },
    # 7.8, 7.9, 7.20 vehicles
    "7.8": {
        ANY: (
            pattern("The turret of {unit} faces {facing}."),
            pattern("{unit} turns its turret; its offset from the hull is now {result}."),
        )
    },
    "7.8.1": {
        ANY: (
            pattern("The turret of {unit} turns and faces {facing}."),
            pattern("The turret of {unit} can turn by at most {result} hexsides."),
        ),
    },
    "7.8.1/damage": {ANY: pattern("With its turret damaged, {unit} can turn it by at most {result} hexside.")},
    "7.8.2": {
        ANY: pattern("Seen from the turret, the shot comes from the {turret}, not the {hull}: it hits the {result}.")
    },
    "7.8.3": {"buttoned-up": pattern("{unit} is buttoned up."), "turret-open": pattern("{unit} opens its hatches.")},
    "7.8.4": {ANY: pattern("{unit} turns its turret on overwatch and faces {facing}.")},
    "7.9": {
        "smoke": pattern("{unit} fires its smoke dischargers (rolled {dice}, needed {limit} or less)."),
        "no-smoke": pattern("The smoke dischargers of {unit} fail (rolled {dice}, needed {limit} or less)."),
        "at once": pattern("Both sides fire their dischargers at the same time."),
    },
    "7.20": {ANY: pattern("The long gun of {unit} turns; its offset from the hull is now {result}.")},
    # 7.10-7.13, 7.17, 7.21, 7.23 damage
    "7.10.1": {ANY: pattern("Skirts and plates multiply armour {armour} by {times}: {result}.")},
    "7.10.2": {ANY: pattern("A hollow charge keeps its full effect against {unit}.")},
    "7.11": {
        "bu": pattern("{unit} burns easily, so it brews up."),
        "ko": pattern("{unit} burns easily, but is only knocked out."),
    },
    "7.12": {ANY: pattern("Penetration {penetration} varies by {change}, rolled {dice}: {result}.")},
    "7.13": {ANY: pattern("Lower hull: half of the armour against rising fire, {rising}, is {result}.")},
    "7.13.1": {ANY: pattern("{unit} exposes its lower hull as it climbs.")},
    "7.13.2": {ANY: pattern("The shot comes from below (levels: {levels}), at a range of {range_hexes}.")},
    "7.17": {
        "lost": pattern("{unit} loses its {weapon} (rolled {dice})."),
        "kept": pattern("{unit} keeps its {weapon} (rolled {dice})."),
    },
    "7.21": {
        "yes": pattern("The hit is hard enough to break the track of {unit} ({doubled} against {defence})."),
        "no": pattern("The hit is too weak to break the track of {unit} ({doubled} against {defence})."),
        "none": pattern("The hit is too weak to break the track of {unit} ({doubled} against {defence})."),
    },
    "7.23": {
        "none": pattern("{unit}: nothing else is damaged (rolled {dice})."),
        ANY: pattern("{unit} (rolled {dice}): {result}."),
    },
    "7.23.1": {
        "optics": pattern("The optics of {unit} are damaged."),
        "coaxial_machine_gun": pattern("{unit} loses its coaxial MG."),
    },
    "7.23.2": {
        "turret_locked": pattern("The turret of {unit} is locked."),
        "radio": pattern("{unit} loses its radio."),
    },
    "7.23.3": {"drive": pattern("The drive of {unit} is damaged.")},
    "7.23.4": {
        "fuel": pattern("{unit} leaks fuel."),
        "track": pattern("{unit} has run out of fuel (rolled {dice})."),
        "bu": pattern("The fuel of {unit} catches fire (rolled {dice})."),
        "none": pattern("{unit} leaks fuel (rolled {dice})."),
    },
    # 7.16, 7.19, 7.22, 7.25
    "7.16": {ANY: pattern("{unit} turns on its platform and faces {result}.")},
    "7.19": {
        "destroyed": pattern("{engineers} destroys {terrain} in {hex}.", "{engineers} destroy {terrain} in {hex}."),
        "none": pattern(
            "{engineers} fails to destroy {terrain} in {hex}.", "{engineers} fail to destroy {terrain} in {hex}."
        ),
        ANY: pattern("{unit} advances from {from} to {result}."),
    },
    "7.22": {"smoke": pattern("{firer} lays smoke in its hex."), "no-smoke": pattern("{firer} has no smoke.")},
    "7.22.1": {
        "smoke": pattern("{unit} lays smoke in {hex}."),
        "no-smoke": pattern("{unit} has no smoke for {hex}."),
    },
    "7.22.2": {
        "yes": pattern("Rolled {dice}, needed {limit} or less."),
        "no": pattern("Rolled {dice}, needed {limit} or less."),
    },
    "7.25": {"malfunction": pattern("A weapon of {unit} malfunctions: {weapon}.")},
    "7.25/repair": {
        "repaired": (
            pattern("A weapon of {unit} is repaired: {weapon}."),
            pattern("Rolled {dice}, total {total}: repaired."),
        ),
        "malfunction": (
            pattern("A weapon of {unit} is still out of order: {weapon}."),
            pattern("Rolled {dice}, total {total}: not repaired."),
        ),
        "lost": (
            pattern("A weapon of {unit} is lost for good: {weapon}."),
            pattern("Rolled {dice}, total {total}: lost for good."),
        ),
    },
    # 7.26-7.28 artillery
    "7.26": {
        "lost": pattern("The fire of {firer} at {from} scatters off the map."),
        ANY: pattern("The fire of {firer} at {from} scatters {hexes} hexes: {result}."),
    },
    "7.26/bombs": {
        "on target": pattern("The bombs of {aircraft} fall as aimed, total {total}; they scatter on {upto} or less."),
        ANY: pattern("The bombs of {aircraft} scatter to {result}: total {total}; they scatter on {upto} or less."),
    },
    "7.27": {"light": pattern("Mission {mission} illuminates {hexes}.")},
    "7.28": {ANY: pattern("{side} counter-battery fire: {result}.")},
    "7.28.1": {ANY: pattern("{asset} looks for {battery}: {result}.")},
    "7.28.3": {ANY: pattern("{asset} looks for {battery}: {result}.")},
    "7.28.2": {
        "located": pattern("{asset} finds {battery} (rolled {dice}, needed {limit} or less)."),
        "missed": pattern("{asset} does not find {battery} (rolled {dice}, needed {limit} or less)."),
        "recovered": pattern("{battery} recovers (rolled {dice}, needed {upto} or less)."),
        "still-suppressed": pattern("{battery} stays suppressed (rolled {dice}, needed {upto} or less)."),
    },
    "7.28.2/results": {
        "suppressed": pattern("{battery} is suppressed (rolled {dice})."),
        "damaged": pattern("{battery} is damaged (rolled {dice})."),
        "ko": pattern("{battery} is knocked out (rolled {dice})."),
        "ignored": pattern("{battery} is not affected (rolled {dice})."),
    },
    # 7.29, 7.31 the ground
    "7.29": {
        "bogged": pattern(
            "{unit} bogs down in {hex} (rolled {dice}, total {total}; it bogs down on {cell} or less)."
        ),
        "firm": pattern(
            "{unit} finds firm ground in {hex} (rolled {dice}, total {total}; it bogs down on {cell} or less)."
        ),
        ANY: pattern("Reason: {result}."),
    },
    "7.31": {ANY: pattern("Mines against {result} ({laid}), laid by the {owner} side.")},
    "7.31.2": {
        "none": pattern("{unit} gets through the mines in {hex}."),
        ANY: pattern("{unit} enters the mines in {hex}: {result}."),
    },
    "7.31.1": {
        "both": pattern("Minefield {field} ({laid}) in {hexes} works against personnel and vehicles."),
        ANY: pattern("Minefield {field} ({laid}) in {hexes} works against {result}."),
    },
    "7.31.2.1": {ANY: pattern("GP defence {defence}, {laid} mines, rolled {dice}: {result}.")},
    "7.31.2.2": {ANY: pattern("{unit} (rolled {dice}, total {total}): {result}.")},
    "7.31.3": {
        "destroyed": pattern("The {laid} mines in {hex} are cleared."),
        ANY: pattern("The {laid} mines in {hex} remain."),
    },
    "7.31.3.3": {
        "destroyed": (
            pattern("{engineers} lifts the mines in {hex}.", "{engineers} lift the mines in {hex}."),
            pattern("The mines in {hex} are cleared."),
        ),
        "none": (
            pattern("{engineers} fails to lift the mines in {hex}.", "{engineers} fail to lift the mines in {hex}."),
            pattern("The mines in {hex} remain."),
        ),
    },
    # 7.35, 7.36
    "7.35": {ANY: pattern("Burning at the end of turn {turn}: {result}.")},
    "7.35.1": {
        "on_fire": pattern("{hex} catches fire (rolled {dice}, total {total})."),
        "none": pattern("{hex} does not catch fire (rolled {dice}, total {total})."),
    },
    "7.35.1/flamethrower": {"on_fire": pattern("Flames set {hex} on fire.")},
    "7.35.2": {"eliminated": pattern("{unit} is lost in the fire in {hex}.")},
    "7.35.3": {ANY: pattern("A rocket missed in {hex} and may start a fire: factor {result}.")},
    "7.35.4": {ANY: pattern("{hex} burns like {as}: {result}.")},
    "7.36": {
        "fair": pattern("It is daylight, and the weather is fair."),
        "adverse": pattern("Spotting modifier {spotting}, caution {caution}, ground {ground}, streams {streams}."),
    },
    "7.36.2": {ANY: pattern("Movement points of {unit} with {caution} caution: {result}.")},
    "7.36.1": {ANY: pattern("The visibility modifier is {result}.")},
    # 7.42, 7.52
    "7.42": {ANY: pattern("Initiative of turn {turn}: {result} is First Player.")},
    "7.42.1": {ANY: pattern("The {winner} side wins and is First Player.")},
    "7.42.1.1": {ANY: pattern("Formation {result} is number {number} in the order of fire.")},
    "7.42.1.2": {ANY: pattern("Formation {formation} {result}.")},
    "7.42.1.3": {ANY: pattern("All formations have fired. Overwatch follows in this order: {order}.")},
    "7.42.2": {ANY: pattern("Formation {result} moves.")},
    "7.42.3": {ANY: pattern("Movement by sides: {order}.")},
    "7.52/chq": {
        "in-span": pattern("All of formation {formation} is within its headquarters' command span."),
        "out-of-span": pattern("Outside the command span of {formation}'s headquarters: {out}."),
        "lost": pattern("Formation {formation} has lost its headquarters."),
    },
    "7.52/bhq": {
        "in-span": pattern("{formation} is within its battalion's command span."),
        "out-of-span": pattern("{formation} is outside its battalion's command span."),
        "lost": pattern("{formation} has lost its battalion headquarters."),
    },
    "7.52/rhq": {
        "in-span": pattern("{formation} is within its regiment's command span."),
        "out-of-span": pattern("The battalion of {formation} is outside its regiment's command span."),
        "lost": pattern("{formation} has lost its regimental headquarters."),
    },
    # 7.0, 7.2, 7.7, 7.24, 7.30
    "7.0": {ANY: pattern("Optional rules in use: {rules}.")},
    "7.2": {ANY: pattern("The {side} side has {result} hidden counters on the map.")},
    "7.2.1": {ANY: pattern("The counters are in {counters}.")},
    "7.2.2": {"nothing": pattern("{counter} is a dummy."), ANY: pattern("{counter} stands for {result}.")},
    "7.2.2.1": {"spotted": pattern("{counter} is spotted by {by}.")},
    "7.2.2.1/dummies": {
        "removed": pattern("{counter} was a dummy."),
        "spotted": pattern("{counter} is spotted by {by}."),
    },
    "7.2.2.2": {"spot-move": pattern("{counter} has moved."), ANY: pattern("{counter} moves along {path}.")},
    "7.2.2.3": {
        "revealed": pattern("{counter} in {hex} is revealed: {units}."),
        "fights": pattern("{unit} fights from under {counter}."),
        "struck": pattern("Fire falls on {counter}."),
        "by its owner": pattern("{counter} is revealed by its owner."),
        "mines": pattern("{counter} has entered mines."),
        "barrage": pattern("{counter} has entered a barrage."),
    },
    "7.2.3": {ANY: pattern("The {side} side puts {result} hidden counters on the map.")},
    "7.7": {"spotted": pattern("{target} is noticed."), "overlooked": pattern("{target} goes unnoticed.")},
    "7.7.1": {
        "yes": pattern("{unit} looks for {target}: rolled {dice} against {chance}, noticed."),
        "no": pattern("{unit} looks for {target}: rolled {dice} against {chance}, not noticed."),
    },
    "7.7.2": {ANY: pattern("{unit} keeps {result} in sight, but no longer {dropped}.")},
    "7.24": {
        "found": (
            pattern("{spotter} finds {target}: rolled {dice} against {range}."),
            pattern("{spotter} finds {target}."),
        ),
        "overlooked": pattern("{spotter} fails to notice {target}: rolled {dice} against {range}."),
    },
    "7.24/lost": {"lost": pattern("{unit} is no longer camouflaged.")},
    "7.30": {ANY: pattern("The road ahead of {unit} in {hex} is narrow: {result}.")},
    "7.30/sunken-road": {ANY: pattern("The sunken road ahead of {unit} in {hex} is narrow: {result}.")},
    "7.30/pushing": {
        "cleared": pattern(
            "{unit} pushes {pushed} off the road in {hex} (rolled {dice}, total {total} against {cell})."
        ),
        "stuck": pattern(
            "{unit} cannot move {pushed} off the road in {hex} (rolled {dice}, total {total} against {cell})."
        ),
    },
}
"""7 A sentence for each result (`*`: any other), or several; the first for which all words are available is used."""

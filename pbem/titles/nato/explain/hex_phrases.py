"""2.2, 4.1, 8-11, 30 Sentences about a hex: its terrain, city, markers, zones, stacks, airspace and supply links."""

from __future__ import annotations

from typing import Final

from pbem.engine.text.messages import pattern
from pbem.engine.text.sentences import ANY, Table

PHRASES: Final[Table] = {
    # --- 2.2 terrain ---
    "2.2": {ANY: pattern("Effects of {terrain}: odds shift {shift}; retreat shortened by {retreat}.")},
    "2.2/hex-grid": {ANY: pattern("Neighboring hexes: {result}.")},
    "2.2/country-of-hex": {ANY: pattern("Country: {result}.")},
    "2.2.1": {
        "open": (
            pattern("The hexside between {from} and {to} has a {river} and can be crossed."),
            pattern("The hexside between {from} and {to} can be crossed."),
        ),
        "closed": pattern("The hexside between {from} and {to} cannot be crossed."),
        ANY: pattern("Terrain: {result}."),
    },
    "6.0/prohibited-terrain": {ANY: pattern("The hexside between {from} and {to} is closed.")},
    "6.0/all-sea-hexside": {ANY: pattern("The hexside between {from} and {to} is all sea.")},
    "2.2.2": {ANY: pattern("Reinforcement sector {result}.")},
    "2.2.3": {ANY: pattern("Sea area: {result}.")},
    "2.2.4": {ANY: pattern("Deployment area: {result}.")},
    "2.2.7": {
        "baltap": pattern("NATO command zone: BALTAP."),
        "northag": pattern("NATO command zone: NORTHAG."),
        "centag": pattern("NATO command zone: CENTAG."),
    },
    "2.2.8": {ANY: pattern("On the map: {lists}.")},
    "10.1.4/map-edge": {
        "wp": pattern("This map edge is a source of supply for the Warsaw Pact."),
        "nato": pattern("This map edge is a source of supply for NATO."),
    },
    "10.1.4/port-control": {
        "wp": pattern("The Warsaw Pact controls the port."),
        "nato": pattern("NATO controls the port."),
    },
    # --- 30 cities ---
    "30.0": {ANY: pattern("City class: {class}; victory points: {points}.")},
    "30.1": {
        "wp": pattern("The Warsaw Pact controls the city."),
        "nato": pattern("NATO controls the city."),
    },
    "10.1.3": {"free": pattern("The city is free."), ANY: pattern("The city is conquered.")},
    "30.1.2": {ANY: pattern("The city blocks enemy supply and retreats; in supply: {in_supply}.")},
    "30.2.2": {ANY: pattern("A free city has flak, and a zone of control in its own hex: {result}.")},
    "30.2.4": {ANY: pattern("A free city under a Nuclear Strike marker has no zone of control.")},
    "30.3.1": {ANY: pattern("A conquered city defends with a strength of {result}.")},
    "30.4.1": {ANY: pattern("Intrinsic defense strength: {result}.")},
    "30.4.2": {
        ANY: pattern("Small city: odds shift {shift}, retreat shortened by {retreat}, modifier to strikes {strike}.")
    },
    "30.4.3": {
        ANY: pattern("Major city: odds shift {shift}, retreat shortened by {retreat}, modifier to strikes {strike}.")
    },
    "30.4.4": {ANY: pattern("Any defender of the city has these benefits.")},
    "10.3.3": {"yes": pattern("{city} is in supply."), "no": pattern("{city} is out of supply.")},
    "10.3.3.1": {ANY: pattern("{city} is in supply: a link reaches another free city.")},
    "10.3.3.2": {ANY: pattern("{city} is in supply by sea.")},
    "10.3.3.4": {
        "yes": pattern("{city} is in supply, and linked to other NATO cities."),
        "no": pattern("{city} is cut off; it supplies only the Berlin brigades."),
        ANY: pattern("West Berlin gives the unit {kind} supply."),
    },
    "10.3.3.5": {ANY: pattern("{city} is conquered and in supply.")},
    "10.3.3.6": {
        "yes": pattern("{city} is in supply by sea."),
        ANY: pattern("Copenhagen gives the unit {kind} supply."),
    },
    "11.6.1": {ANY: pattern("A city out of supply does not count for airspace.")},
    # --- 4.1 markers ---
    "4.1.1": {
        "site": pattern("A site here has been taken or destroyed."),
        "wp": pattern("Conquest marker of the Warsaw Pact."),
        "nato": pattern("Conquest marker of NATO."),
    },
    "4.1.2": {ANY: pattern("Nuclear Strike marker.")},
    "4.1.3": {ANY: pattern("Chemical Strike markers (persistent or not): {lists}.")},
    "4.1.5": {ANY: pattern("Air Interdiction markers of {result}.")},
    "4.1.6": {ANY: pattern("Breakthrough marker.")},
    "4.1.7": {ANY: pattern("Reforger sites: {result}.")},
    "4.1.8": {ANY: pattern("Resupply marker.")},
    "4.2.8": {ANY: pattern("Damaged sites: {result}.")},
    "25.9": {ANY: pattern("In a Breakthrough zone.")},
    # --- 8, 9, 11 zones, stacks and airspace ---
    "8.0": {ANY: pattern("Zone of control of {of_side}, exerted by {result}.")},
    "8.5": {ANY: pattern("A unit or free city of {of_side} negates the enemy zone of control here.")},
    "8.5.1": {ANY: pattern("Nothing negates the enemy zone of control against {of_side} here.")},
    "30.2.3": {ANY: pattern("The free city negates the enemy zone of control.")},
    "9.0": {ANY: pattern("Stack of {of_side}: {result}.")},
    "9.2": {ANY: pattern("Mixed stack of {result}: coordination limits which units may fight together.")},
    "11.1": {ANY: pattern("Friendly airspace for {of_side}.")},
    "11.2": {ANY: pattern("Enemy airspace for {of_side}.")},
    "11.3": {ANY: pattern("Contested airspace for {of_side}.")},
    # --- 20 to 24 strikes on the hex ---
    "11.8.3": {
        "yes": pattern("Tactical air points of {of_side} can reach the hex."),
        "no": pattern("Tactical air points of {of_side} cannot reach the hex: it is in enemy airspace."),
    },
    "23.1.6": {ANY: pattern("At most {points} air points, tactical or operational, can strike the units here.")},
    "23.2.7": {ANY: pattern("The city's own defense strength cannot be struck from the air.")},
    "24.1.5": {ANY: pattern("Artillery cannot strike the city's own defense strength.")},
    "24.1": {
        "nothing": pattern("The artillery unit has no target now."),
        ANY: pattern("The artillery unit can strike {result}."),
    },
    "24.1.4": {ANY: pattern("The unit has {result} artillery point.", "The unit has {result} artillery points.")},
    "24.2.4": {ANY: pattern("Artillery does not respond, attack or advance.")},
    # --- 10.2 links between two hexes ---
    "10.2": {
        "0": pattern("{side} has no supply link of at most {limit} hexes between {from} and {to}."),
        ANY: pattern(
            "{side} has a supply link of {result} hex between {from} and {to}.",
            "{side} has a supply link of {result} hexes between {from} and {to}.",
        ),
    },
}
"""A sentence for each result of each rule (`*`: any other result)."""

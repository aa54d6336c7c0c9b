"""Rulings where the rulebook is silent, garbled or contradicts itself, by rule.

The files in `data/charts` say for every cell of a table whether it is printed, public or ours; the rulings here are
about the text of the rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

RULINGS: Final[Mapping[str, str]] = {
    "8.0": "A zone of control depends on the attack strength printed on the side that is face up.",
    "9.1.1": "Each move must leave its hex within the limit at the end of the segment; only retreats may overstack.",
    "10.1.4": "Only edge hexes of a friendly sector that no enemy occupies count as map edge for supply.",
    "10.3.1": "A NATO unit abroad that traces to its own country has movement supply, not combat supply.",
    "10.4": "A headquarters keeps its marker until its owner's next HQ Supply Phase; new ones arrive supplied.",
    "10.4.4.7": "A headquarters on a train supplies no unit; units on trains may be supplied.",
    "10.6": "The surviving attackers, and the surviving defenders that added strength, are tested where they are.",
    "10.7": "A resupply operation needs no base; in the Recovery Phase its marker clears CS-out if it can.",
    "11.1": "A hex out of reach of both sides is enemy airspace for both.",
    "12.3.2": "Going from zone to zone onto a friend is a minimum move and must be the unit's only hex.",
    "12.6": "A unit may spend half of its allowance in the mode used, rounded down, before it is placed in reserve.",
    "25.0": "A Battle marker on a hex that can no longer be attacked is removed without a battle.",
    "25.1.1.1": "A marked battle that no order covers is fought with every unit that can attack the hex.",
    "25.1.4": "Any US corps may send its brigade to a battle with a US unit; independents count for every front.",
    "25.2.7": "A maneuver unit that adds nothing still keeps artillery and headquarters from adding their strength.",
    "25.3.3": "Odds below 1:1 are 1 to the defense divided by the attack, rounded up, and 1:4 at worst.",
    "25.3.4.2": "A lone free city cannot be enveloped.",
    "25.6.2": "Every step that can counterattack does so. If several nations could, the best one does by default.",
    "25.6.3.1": "If the defender cannot take all losses, the attacker's own loss is always ignored.",
    "25.7.3": "Units that retreat together pay together; a force that cannot retreat pays a step for each hex.",
    "25.7.5": "The rear lies west for NATO, east for the Warsaw Pact; in the BALTAP zone north-west and south-east.",
    "25.9.2": "The Breakthrough marker is always placed if that is allowed, because it only helps its owner.",
    "26.1.5": "The defender names the group that defends after the helicopters have flown, before the odds.",
    "28.2.1": "Only hard units ignore enemy zones of control in a breakthrough zone.",
    "23.3.2": "If two units of one step are hit, the striker names the one that is lost: by default the stronger.",
    "28.2.2": "A reserve that can fly may fly and move on the ground, once each, in any order.",
    "29.8": "A headquarters waits if no city is open to it; by default it takes the one nearest to its troops.",
    "35.2.1": "A nation is called up after the attack or strike, so its units cannot respond to that attack.",
    "32.3": "Ports without a city return with a restored country, except one in which an enemy unit stands.",
    "35.3.4": "The Danes move to their positions only if an enemy has entered Denmark; an attack is not enough.",
    "34.0": "The margin is the Warsaw Pact's points less NATO's.",
}
"""The rulings that this title plays by, keyed by rule."""

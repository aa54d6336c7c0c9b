"""8, 12, 25-29 Sentences about a battle before it is fought, and about the cost and limits of a move."""

from __future__ import annotations

from typing import Final

from pbem.engine.text.messages import pattern
from pbem.engine.text.sentences import ANY, Sentences, Table

MAY_RESPOND: Final[Sentences] = {
    "yes": pattern("{unit} may respond."),
    "no": (pattern("{unit} may not respond ({against})."), pattern("{unit} may not respond.")),
}
MAY_SUPPORT: Final[Sentences] = {
    "yes": pattern("{hq} may give Offensive Support."),
    "no": (
        pattern("{hq} may not give Offensive Support ({against})."),
        pattern("{hq} may not give Offensive Support."),
    ),
}
MAY_ADVANCE: Final[Sentences] = {
    "yes": (
        pattern("{unit} may advance, and from there into {second}."),
        pattern("{unit} may advance into the objective."),
    ),
    "no": pattern("{unit} may not advance."),
}

PHRASES: Final[Table] = {
    # --- 25.1.2 response ---
    "25.1.2.2": {ANY: pattern("No unit may respond to this breakthrough battle.")},
    "25.1.2.6": MAY_RESPOND,
    "25.1.2.8": {ANY: pattern("{unit} is in the objective and may not respond out of it.")},
    "8.2.1": MAY_RESPOND,
    "8.2.2": MAY_RESPOND,
    "27.3.6": MAY_RESPOND,
    "30.4.5": MAY_RESPOND,
    "30.4.6": MAY_RESPOND,
    "26.1.6": MAY_RESPOND,
    "26.2.9": MAY_RESPOND,
    # --- 8.2 envelopment ---
    "8.2.3": {
        "0": pattern("The objective is not surrounded: no shift for a flank attack."),
        ANY: pattern("Flank attack: a shift of {result} column.", "Flank attack: a shift of {result} columns."),
    },
    "8.2.4": {
        ANY: pattern(
            "Concentric attack: a shift of {result} column.", "Concentric attack: a shift of {result} columns."
        )
    },
    "8.2.5": {
        ANY: (
            pattern("These units help to surround the objective without attacking: {beside}."),
            pattern("No other unit helps to surround the objective."),
        )
    },
    # --- 26 coordination ---
    "26.0": {
        "yes": pattern("{units} may attack together."),
        "no": (pattern("{units} may not attack together ({against})."), pattern("{units} may not attack together.")),
        ANY: pattern("Defending together: {result}."),
    },
    "26.0/contributors": {ANY: pattern("The defender chooses one of these groups: {groups}.")},
    "25.2.1": {"yes": pattern("The attackers coordinate."), "no": pattern("The attackers do not coordinate.")},
    "26.1.1": {
        "nothing": pattern("The attackers belong to no front."),
        ANY: pattern("The attackers belong to one front: {result}.", "The attackers belong to {n} fronts: {result}."),
    },
    "26.1.2": {ANY: (pattern("Independent of any front: {result}."),)},
    "26.1.4": {ANY: pattern("Units of {result} are stacked in {hex} and attack separately.")},
    "26.1.7": {ANY: pattern("In BALTAP, {result} count as units of the Baltic Front.")},
    "29.5.3": {ANY: pattern("In BALTAP, {result} are treated as units of the Baltic Front.")},
    "26.2.4": {ANY: pattern("Units of {result} are stacked in {hex} and attack separately.")},
    "26.2.6": {ANY: (pattern("Canadian units that count as US units: {result}."),)},
    "26.2.7": {"yes": pattern("The Berlin brigades attack together."), ANY: pattern("{units} do not coordinate.")},
    "31.1.2": {"yes": pattern("West Berlin's brigades coordinate."), ANY: pattern("{units} do not coordinate.")},
    # --- 25.4, 29 Offensive Support ---
    "29.5.2": MAY_SUPPORT,
    "29.6.3": MAY_SUPPORT,
    "25.4.2": MAY_SUPPORT,
    "29.3": {
        ANY: (
            pattern("Attackers within the support range of {hq} ({range}): {lists}."),
            pattern("No attacker is within the support range of {hq} ({range})."),
        )
    },
    "8.4": {
        ANY: (
            pattern("The path from {hq} is free of enemy zones of control for {result}."),
            pattern("No path from {hq} is free of enemy zones of control."),
        )
    },
    "25.4.4": {ANY: pattern("At most {result} headquarters may support a battle.")},
    # --- 25.6 to 25.8 results ---
    "24.2.2": {
        "nothing": pattern("There is no unit in {hex} to lose steps."),
        ANY: pattern("Steps are lost in this order: {result}."),
    },
    "25.7.7": {ANY: (pattern("Engaged units lose steps first: {result}."),)},
    "25.6.3.2": {
        "yes": pattern("The free city in {hex} cannot lose steps."),
        "no": pattern("There is no free city in {hex}."),
    },
    "25.6.3.3": {ANY: (pattern("Attack helicopters that may take losses: {result}."),)},
    "25.7.5": {ANY: pattern("Units in {hex} retreat to the {result}.")},
    "8.2.6": {
        "0": pattern("The retreat to {path} enters no enemy zone of control."),
        ANY: pattern(
            "The retreat to {path} enters {result} hex in an enemy zone of control.",
            "The retreat to {path} enters {result} hexes in enemy zones of control.",
        ),
    },
    "25.7.4.2": {
        "0": pattern("The retreat to {path} costs no step."),
        ANY: pattern("The retreat to {path} costs {result} step.", "The retreat to {path} costs {result} steps."),
    },
    "25.7.6": {ANY: pattern("Steps that the hex could still hold after the retreat to {path}: {result}.")},
    "25.8.2.2": MAY_ADVANCE,
    "25.8.3": MAY_ADVANCE,
    "25.8.4": {ANY: pattern("{unit} is artillery and may not advance.")},
    "25.8.5": {ANY: pattern("{unit} is assaulting and does not advance out of the hex.")},
    "29.2.1": {ANY: pattern("{unit} is a headquarters and may not advance.")},
    "25.6.6": {ANY: pattern("{unit} takes no part in the battle and may not advance.")},
    # --- 12 moves ---
    "12.0/one-mode": {
        "nothing": pattern("{unit} has moved in this phase."),
        ANY: pattern("{unit} may use one of these modes: {result}."),
    },
    "8.1.1": {ANY: pattern("{unit} starts in an enemy zone of control, and may use {result}.")},
    "11.8.1": {ANY: pattern("{unit} starts in friendly airspace, and may use {result}.")},
    "11.8.2": {ANY: pattern("{unit} starts in {airspace} airspace, and may use {result}.")},
    "11.8": {
        "friendly": pattern("{hex} is in friendly airspace."),
        "enemy": pattern("{hex} is in enemy airspace."),
        "contested": pattern("{hex} is in contested airspace."),
    },
    "12.2.1": {
        "nothing": pattern("{unit} may march."),
        ANY: pattern("{unit} may not march ({result})."),
    },
    "35.4": {ANY: pattern("Refugees block the roads: {unit} may not march.")},
    "12.1": {ANY: (pattern("Cost of entering {hex}: {lists}."), pattern("{hex} costs nothing to enter."))},
    "8.1.2": {
        "yes": pattern("{hex} is in an enemy zone of control; it may be entered."),
        "no": pattern("{hex} is in an enemy zone of control and may not be entered by a march."),
    },
    "12.3.1": {ANY: pattern("A hard unit need not stop in {hex}.")},
    "12.3.2": {
        "yes": pattern("The enemy zone of control in {hex} is negated, so the unit may enter and stops there."),
        "no": pattern("The unit may not go from one enemy zone of control to another in {hex}."),
    },
    "24.2.1": {
        "yes": pattern("The enemy zone of control in {hex} is negated, so artillery may enter and stops there."),
        "no": pattern("Artillery may not go from one enemy zone of control to another in {hex}."),
    },
    "25.9.3": {
        "yes": pattern("In the Breakthrough zone the unit ignores the enemy zone of control in {hex}."),
        "no": pattern("Only hard units ignore enemy zones of control in a Breakthrough zone."),
    },
    "8.1.6": {
        "yes": pattern("The Breakthrough zone cancels the enemy zone of control in {hex}."),
        "no": pattern("The Breakthrough zone does not cancel the enemy zone of control in {hex} for this unit."),
    },
    "35.6": {ANY: pattern("Border troops: crossing into {hex} costs {result} MP more.")},
    "12.8": {
        "yes": pattern("The Danish ferry to {hex} is open to this side."),
        "no": pattern("The Danish ferry to {hex} is closed to this side."),
    },
    "12.2": {
        ANY: (
            pattern("{unit} spends {result} MP; objections: {against}."),
            pattern("{unit} spends {result} MP."),
        )
    },
    "28.2.3": {
        "": pattern("{hex} is out of reach from the reserve."),
        ANY: pattern("A unit in reserve may move in any direction, here to {result}."),
    },
}
"""A sentence for each result of each rule (`*`: any other result)."""

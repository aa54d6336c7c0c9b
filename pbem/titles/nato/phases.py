"""7.2 The names of phases and segments, which divide the record of a match.

begins      a heading in the record, with the result of the phase
segment     the same as part of another finding, which says where in a battle cycle it belongs
"""

from __future__ import annotations

from typing import Any, Final

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.table import Table
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.state import NatoState

JOINT: Final = {
    "status": ("I.A", "Joint Status Phase"),
    "turn": ("I.A.1", "the game turn advances"),
    "mobilization": ("I.A.2", "mobilization clocks advance"),
    "ready": ("I.A.3", "helicopters and Lift Commands are ready"),
    "points": ("I.A.4", "points of NATO"),
    "sites": ("I.A.5", "Reforger sites overrun"),
    "forts": ("I.A.6", "fortified hexes taken"),
    "surrender": ("I.A.7", "forces of countries that have surrendered"),
    "reinforcement": ("I.B", "Joint Reinforcement Phase"),
    "air": ("I.B.1", "air points"),
    "supply": ("I.B.2", "chemical points and Supply Points"),
    "arrivals": ("I.B.3", "reinforcements"),
    "end": ("end", "end of the game turn"),
    "turn zero": ("turn-0", "before the war"),
}
"""7.2 I The joint player turn, and the steps before and after the player turns."""

PHASES: Final = {
    "player turn": ("II", "III", "player turn"),
    "hq supply": ("II.A", "III.A", "HQ Supply Phase"),
    "movement": ("II.B", "III.B", "Movement Phase"),
    "movement supply": ("II.B.1", "III.B.1", "Movement Supply Segment"),
    "rail": ("II.B.2", "III.B.2", "Rail Movement Segment"),
    "air and sea": ("II.B.3", "III.B.3", "Air and Sea Movement Segment"),
    "ground": ("II.B.4", "III.B.4", "Ground Movement Segment"),
    "helicopters": ("II.B.5", "III.B.5", "Helicopter Movement Segment"),
    "recovery": ("II.C", "III.C", "Recovery Phase"),
    "planning": ("II.D", "", "Battle Planning Phase"),
    "strikes": ("II.E", "III.D", "Offensive Strike Phase"),
    "nuclear": ("II.E.1", "III.D.1", "Nuclear Strike Segment"),
    "chemical": ("II.E.2", "III.D.2", "Chemical Strike Segment"),
    "air strikes": ("II.E.3", "III.D.3", "Air Strike Segment"),
    "artillery": ("II.E.4", "", "Artillery Strike Segment"),
    "combat": ("II.F", "III.E", "Combat Phase"),
    "commit": ("II.F.1", "III.E.1", "Commit Segment"),
    "response": ("II.F.2", "III.E.2", "Response Segment"),
    "defensive strike": ("II.F.3", "", "NATO Defensive Strike Segment"),
    "attack helicopters": ("II.F.4", "III.E.3", "Attack Helicopter Segment"),
    "battle": ("II.F.5", "III.E.4", "Combat Segment"),
    "defender results": ("II.F.6", "III.E.5", "Defender Results Segment"),
    "attacker results": ("II.F.7", "III.E.6", "Attacker Results Segment"),
    "return": ("II.F.8", "III.E.7", "Attack Helicopter Return Segment"),
    "combat supply": ("II.F.9", "III.E.8", "Joint Combat Supply Segment"),
    "reserve": ("II.G", "III.F", "Reserve Phase"),
    "suppression": ("II.H", "III.G", "Suppression Removal Phase"),
}
"""7.2 II, III The phases and segments of the two player turns."""


def segment(name: str, side: Side | None = None, result: Any = None) -> Finding:
    """7.2 Return a phase or segment as a finding; without a side, it is part of the joint player turn."""
    if side is None:
        number, title = JOINT[name]
    else:
        wp, nato, title = PHASES[name]
        number = wp if side is Side.WP else nato
    inputs = {"phase": title} if side is None else {"phase": title, "side": side}
    return Finding(f"7.2/{number}", inputs=inputs, result=result)


def begins(table: Table[NatoState], name: str, side: Side | None = None, result: Any = None) -> None:
    """7.2 Write a heading into the record, with the result of the phase."""
    heading = segment(name, side, result)
    table.find(heading.rule, inputs=heading.inputs, result=result)

"""6.0 The advanced sequence of play.

    6.0             SEQUENCE, go_on
    7.0/sequence    OPTIONAL: where in the turn the optional rules act

A finished step calls `go_on`; it does not need to know what comes next.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

from pbem.engine.rules.table import Table
from pbem.titles.panzer.state import PanzerState

Player = Literal["", "first", "second"]


class Stage(NamedTuple):
    """A step and the player whose step it is; `args` are passed in addition to that player's side."""

    step: str
    player: Player = ""
    args: tuple[tuple[str, int], ...] = ()


SEQUENCE: Final[Sequence[Stage]] = (
    Stage("spotting_phase"),  # 6.1
    Stage("place_commands"),  # 6.2
    Stage("initiative_phase"),  # 6.3
    Stage("air_phase", args=(("number", 1),)),  # 6.4
    Stage("indirect_fire_step", "first"),  # 6.5.1
    Stage("indirect_fire_step", "second"),
    Stage("direct_fire_step", "first"),  # 6.5.2, 6.5.4
    Stage("direct_fire_step", "second"),
    Stage("overwatch_step", "first"),  # 4.4.2, 6.5.3: rounds of both players
    Stage("close_combat_step", "first"),  # 6.6.1
    Stage("close_combat_step", "second"),
    Stage("movement_step", "second"),  # 6.6
    Stage("movement_step", "first"),
    Stage("air_phase", args=(("number", 2),)),  # 6.7
    Stage("adjustment_phase"),  # 6.8: it begins the next turn
)
"""6.0 A turn. The First Player fires first; the Second Player moves first."""


BASIC_STEPS: Final = (
    "spotting_phase",  # 4.1
    "place_commands",  # 4.2
    "initiative_phase",  # 4.3
    "direct_fire_step",  # 4.4.1
    "overwatch_step",  # 4.4.2
    "movement_step",  # 4.5
    "adjustment_phase",  # 4.6
)
"""4.0 The steps of the basic game."""


class Action(NamedTuple):
    """7.0 An addition of an optional rule to the turn, and its place."""

    where: str
    what: str
    rule: str
    """The rule's id in `optional.toml`."""


OPTIONAL: Final[Sequence[Action]] = (
    Action("set-up", "mines are laid before the units are placed", "minefields"),
    Action("set-up", "hidden units and dummies are placed", "hidden_units"),
    Action("set-up", "turrets are turned, hatches opened or shut", "turrets"),
    Action("Spotting Phase", "hidden counters are found", "hidden_units"),
    Action("Spotting Phase", "units in sight must still be noticed", "limited_spotting"),
    Action("Spotting Phase", "camouflaged units must be found", "camouflage"),
    Action("before commands", "smoke dischargers", "smoke_dischargers"),
    Action("available commands", "spans of headquarters are measured", "command_span"),
    Action("after commands", "weapons are repaired", "malfunction"),
    Action("Initiative Phase", "the formations are put in their order", "staggered_initiative"),
    Action("end of each Indirect Fire Step", "counter battery fire", "counter_battery"),
    Action("before close combat", "leaking vehicles run dry or burn", "collateral_damage"),
    Action("declaring a close assault", "tank fright", "tank_fright"),
    Action("own Movement Step, first", "hidden counters move", "hidden_units"),
    Action("after pivots", "turrets and hatches are adjusted", "turrets"),
    Action("after suppression", "hesitating and broken units recover", "morale"),
    Action("after morale", "shelled buildings may catch fire", "fires"),
    Action("end of the Adjustment Phase", "units go under hidden counters again", "hidden_units"),
    Action("End Turn Step", "units in old fires are lost", "fires"),
    Action("after every event", "morale checks", "morale"),
)
"""7.0 The additions in turn order (by ruling, as the printed Sequence of Play card is lost)."""


STAGGERED: Final = {
    "initiative_phase": "staggered_initiative_phase",
    "direct_fire_step": "staggered_fire_step",
    "movement_step": "staggered_move_step",
}
"""7.42 The steps that staggered initiative replaces."""


def optional_actions(rules: Sequence[str]) -> list[list[str]]:
    """7.0 The additions of the rules in use, each with its place in the turn."""
    return [[action.where, action.what] for action in OPTIONAL if action.rule in rules]


def go_on(table: Table[PanzerState]) -> None:
    """6.0 End the current step: begin the next step of the turn, or the next turn."""
    state = table.state
    if state.acting:
        begin(table)  # 7.42: the next formation
        return
    state.stage = (state.stage + 1) % len(SEQUENCE)
    while is_basic(table) and SEQUENCE[state.stage].step not in BASIC_STEPS:
        state.stage += 1
    begin(table)


def is_basic(table: Table[PanzerState]) -> bool:
    """4.0 Whether this is a match of the basic game."""
    return table.data is not None and table.data.basic


def begin(table: Table[PanzerState]) -> None:
    """6.0 Begin the current step of the turn."""
    state = table.state
    stage = SEQUENCE[state.stage]
    if table.data is not None and table.data.plays("staggered_initiative"):
        by_formations = STAGGERED.get(stage.step, "")
        if by_formations and not (stage.step == "movement_step" and table.data.plays("streamlined_movement")):
            table.then(by_formations)  # 7.42
            return
    sides = {"first": state.first, "second": state.second if state.first else ""}
    side = {"side": sides[stage.player]} if stage.player else {}
    table.then(stage.step, **side, **dict(stage.args))

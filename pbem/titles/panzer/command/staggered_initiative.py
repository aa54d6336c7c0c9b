"""7.42 Staggered initiative: formations fire and move one after the other.

    7.42        formations_of: the units that act together
    7.42.1      roll_for_first_player: the winner is the First Player
    7.42.1.1    staggered_fire_step: which formation fires next (ask `formation`)
    7.42.1.2    let_act; morale checks wait until all have fired (`morale`)
    7.42.1.3    end_of_fire: overwatch fire of the First Player, then of the Second
    7.42.2      staggered_move_step: the reverse order; 7.42.3 or by player, if that option is in use

While a formation acts, `state.acting` names its units; the steps of fire and movement are those of 6.5 and 6.6.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from pbem.engine.rules.ask import Answer, Ask, Step, Together
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Illegal, Objection
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.panzer.command.command_control import commandable
from pbem.titles.panzer.command.initiative import roll_for_initiative
from pbem.titles.panzer.command.morale import carry_out_due
from pbem.titles.panzer.command.platoons import platoon_of
from pbem.titles.panzer.movement.shared_moves import forget_attacks
from pbem.titles.panzer.sequence import SEQUENCE, go_on
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import PanzerState, Unit

FIRED: Final = "fire_order"
"""The note that keeps the order in which formations have fired."""
MOVED: Final = "move_order"


# --- 7.42 formations -------------------------------------------------------------------------------------------


def formations_of(situation: Situation, side: str) -> dict[str, list[Unit]]:
    """7.42 A side's formations with units in play, or its platoons if it has only one formation."""
    data = situation.data
    units = commandable(situation.state, side)
    single = len({unit.formation for unit in situation.state.vehicles.values() if unit.side == side}) == 1
    found: dict[str, list[Unit]] = {}
    for unit in units:
        formation, platoon = platoon_of(data, unit)
        name = f"{formation} {platoon}" if single and platoon else formation
        found.setdefault(name, []).append(unit)
    return dict(sorted(found.items()))


def waiting_formations(situation: Situation, side: str, note: str) -> list[str]:
    """7.42.1.1 A side's formations that have not acted yet."""
    state = situation.state
    return [name for name in formations_of(situation, side) if name not in state.notes.get(note, {})]


def let_act(table: Table[PanzerState], side: str, name: str, note: str) -> None:
    """7.42.1.2 Activate a formation; its units with a pending morale check make it first."""
    state = table.state
    units = formations_of(table, side)[name]
    order = state.notes.setdefault(note, {})
    order[name] = len(order) + 1
    state.acting = tuple(unit.id for unit in units)
    carry_out_due(table, units)


# --- 7.42.1 the First Player -----------------------------------------------------------------------------------


def staggered_initiative_phase(table: Table[PanzerState]) -> Step:
    """7.42.1 Both sides roll with their force grades; the winner is the First Player, without a choice."""
    yield from ()
    state = table.state
    state.phase = "initiative"
    for note in (FIRED, MOVED):
        state.notes.pop(note, None)
    winner, rolls = roll_for_initiative(table)
    state.first = state.previous_first = winner
    first = Finding("7.42.1", inputs={"winner": winner}, result=winner, children=tuple(rolls))
    names = {side: list(formations_of(table, side)) for side in state.sides}
    table.find("7.42", inputs={"turn": state.turn, "formations": names}, result=winner, children=[first])
    go_on(table)


# --- 7.42.1.1 direct fire --------------------------------------------------------------------------------------


def staggered_fire_step(table: Table[PanzerState]) -> Step:
    """7.42.1.1 Find the next formation to fire, by a roll while both sides have some left."""
    state = table.state
    state.phase, state.acting = "combat", ()
    left = {side: waiting_formations(table, side, FIRED) for side in (state.first, state.second)}
    choosing = [side for side in left if left[side]]
    if not choosing:
        end_of_fire(table)
        return
    if not state.notes.get(FIRED):
        choosing = [state.first] if left[state.first] else choosing  # 7.42.1: the First Player names the very first
    asks = tuple(formation_ask(side, left[side], "7.42.1.1") for side in choosing)
    picks = dict(zip(choosing, (yield Together(asks)), strict=True))
    side, rolls = choosing[0], list[Finding]()
    if len(choosing) > 1:
        side, rolls = roll_for_initiative(table)
    let_act(table, side, picks[side], FIRED)
    together = Finding("7.42.1.2", inputs={"formation": picks[side]}, result="declares its fire together")
    inputs = {"picks": picks, "number": len(state.notes[FIRED])}
    table.find("7.42.1.1", inputs=inputs, result=picks[side], children=[*rolls, together])
    table.then("direct_fire_step", side=side)


def formation_ask(side: str, names: Sequence[str], rule: str) -> Ask:
    """7.42.1.1 Ask which formation acts next."""
    return Ask(side, "formation", rule, about={"formations": list(names)}, default=names[0])


def end_of_fire(table: Table[PanzerState]) -> None:
    """7.42.1.2, 7.42.1.3 End all fire: make the deferred morale checks, then overwatch, First Player first."""
    state = table.state
    carry_out_due(table, units_in_order(state))
    table.find("7.42.1.3", inputs={"order": [state.first, state.second]}, result="overwatch")
    leave_stages(table, "direct_fire_step")


def units_in_order(state: PanzerState) -> list[Unit]:
    """7.1.2 All units, ordered by id; those of the First Player come first."""
    return sorted(state.vehicles.values(), key=lambda unit: (unit.side != state.first, unit.id))


def leave_stages(table: Table[PanzerState], step: str) -> None:
    """6.0 End a step for both players."""
    state = table.state
    state.acting = ()
    state.stage = max(number for number, stage in enumerate(SEQUENCE) if stage.step == step)
    go_on(table)


# --- 7.42.2 movement -------------------------------------------------------------------------------------------


def staggered_move_step(table: Table[PanzerState]) -> Step:
    """7.42.2 The formation that fired last moves first; those that entered play since then move at the end."""
    yield from ()
    state = table.state
    state.phase, state.acting = "movement", ()
    fired = state.notes.get(FIRED, {})
    left = [(side, name) for side in (state.second, state.first) for name in waiting_formations(table, side, MOVED)]
    if not left:
        carry_out_due(table, units_in_order(state))
        forget_attacks(state)
        leave_stages(table, "movement_step")
        return
    side, name = max(left, key=lambda one: fired.get(one[1], 0))
    let_act(table, side, name, MOVED)
    table.find("7.42.2", inputs={"fired": fired.get(name, 0)}, result=name)
    table.then("movement_step", side=side)


def report_streamlined(table: Table[PanzerState]) -> None:
    """7.42.3 Report that formations have no order: the Second Player moves all units, then the First does."""
    table.find("7.42.3", inputs={"order": [table.state.second, table.state.first]}, result="by sides")


# --- answers ---------------------------------------------------------------------------------------------------


def formation_options(situation: Situation, ask: Ask) -> Iterator[Answer]:
    """7.42.1.1 Every formation that has not acted yet."""
    yield from ask.about["formations"]


def check_formation(situation: Situation, ask: Ask, answer: Answer) -> Answer:
    """7.42.1.1 Accept a formation that has not acted yet."""
    names = list(ask.about["formations"])
    if answer not in names:
        raise Illegal(
            str(answer), [Objection("7.42.1.1", say("name one of your formations that has not fired"))], names
        )
    return answer

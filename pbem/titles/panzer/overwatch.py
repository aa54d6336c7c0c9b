"""4.4.2 Overwatch fire: at enemies that fired, and at enemies that move.

    4.4.2        overwatch_step: rounds in the Combat Phase (A-19)
    4.5.1.1      overwatch_window: what the enemy may do while a vehicle moves, with its chains (R-12, A-26)
    4.4.2        watch_objections (what everybody can see), overwatch_objections (with the own command)
    R-12         is_window: whom to ask, from what everybody knows
    answers      check_overwatch, overwatch_options

A pause, or its absence, betrays a command. So a seat is asked in every window in which a vehicle that has not fired
and whose counter nobody has seen could fire if it were on Overwatch, whatever it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pbem.engine.rules.ask import Answer, Ask, Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.titles.panzer.ap_fire import aim_objections, settle_smoke
from pbem.titles.panzer.charts import Edition
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.direct_fire import Possible, check_declaration, fire_group, grouped, possible_shots
from pbem.titles.panzer.numbering import numbered
from pbem.titles.panzer.spotting import spots, spots_now
from pbem.titles.panzer.state import Command, PanzerState, Vehicle

# --- 4.4.2 the Combat Phase ------------------------------------------------------------------------------------


def overwatch_step(table: Table[PanzerState], side: str, engaged: Sequence[str] = (), passes: int = 0) -> Step:
    """4.4.2 After all direct fire: rounds of First and Second Player, until both pass in succession (A-19).

    `engaged` are the targets of this player in this half of a round; `passes` the halves just gone by without fire.
    """
    state = table.state
    targets = [target for target in has_fired(state, state.enemy(side)) if target not in engaged]
    declaration = yield from ask_for_overwatch(table, side, targets)
    if declaration is not None:
        yield from overwatch_group(table, declaration)
        table.then("overwatch_step", side=side, engaged=[*engaged, declaration["target"]])
        return
    passes = 0 if engaged else passes + 1
    if passes < 2:
        table.then("overwatch_step", side=state.enemy(side), passes=passes)
        return
    settle_smoke(state)
    table.then("movement_step", side=state.second)  # 4.5


def has_fired(view: PanzerState, side: str) -> list[str]:
    """4.4.2 The vehicles of a side that have fired in this Combat Phase, by direct fire or overwatch."""
    return [vehicle.id for vehicle in view.of(side) if vehicle.fired]


# --- 4.5.1.1 windows of the Movement Phase ---------------------------------------------------------------------


def overwatch_window(table: Table[PanzerState], mover: Vehicle) -> Step:
    """4.5.1.1 The mover's last expenditure opens a window: fire at it, then chains. Says whether it was fired at.

    R-12: the opponent fires at the mover, all firers together; the mover's side may fire at whoever fired in this
    window, and so on in turns until one side passes.
    """
    state = table.state
    opponent = state.enemy(mover.side)
    declaration = yield from ask_for_overwatch(table, opponent, [mover.id], mover)
    if declaration is None:
        return False
    yield from overwatch_group(table, declaration, mover)
    fired = {opponent: firers_of(declaration), mover.side: []}
    side = mover.side
    while answered := (yield from chain_fire(table, side, fired[state.enemy(side)], mover)):
        fired[side] += answered
        side = state.enemy(side)
    return True


def chain_fire(table: Table[PanzerState], side: str, fired: Sequence[str], mover: Vehicle) -> Step:
    """4.4.2 A side's answer to overwatch fire: at one target after another. The result is who fired."""
    engaged: list[str] = []
    answered: list[str] = []
    while True:
        targets = [id for id in fired if table.state.vehicles[id].alive and id not in engaged]
        declaration = yield from ask_for_overwatch(table, side, targets, mover)
        if declaration is None:
            return answered
        yield from overwatch_group(table, declaration, mover)
        engaged.append(declaration["target"])
        answered += firers_of(declaration)


def firers_of(declaration: Answer) -> list[str]:
    return [unit for unit, _ in declaration["firers"]]


# --- 4.4.2 asking and firing -----------------------------------------------------------------------------------


def ask_for_overwatch(
    table: Table[PanzerState], side: str, targets: Sequence[str], mover: Vehicle | None = None
) -> Step:
    """4.4.2 Voluntary: nothing is fired unless the seat says so. Nobody is asked where there is no window."""
    if not is_window(table.data, table.state, side, targets):
        return None
    phase = "movement" if mover else "combat"
    about = {"phase": phase, "targets": list(targets)}
    return (yield Ask(side, "overwatch", "4.4.2", subject=mover.id if mover else "", about=about))


def overwatch_group(table: Table[PanzerState], declaration: Answer, mover: Vehicle | None = None) -> Step:
    """4.4.2 All overwatch fire at one target, resolved like direct fire."""
    state = table.state
    target = state.vehicles[declaration["target"]]
    firers = [state.vehicles[unit] for unit in firers_of(declaration)]
    why = [trigger(table.data.edition, target, mover), *spotting(table.data, state, firers, target)]
    yield from fire_group(table, "4.4.2", declaration, why)


def trigger(edition: Edition, target: Vehicle, mover: Vehicle | None) -> Finding:
    """4.4.2 What makes it a target: it moves, it fired, or it fired on overwatch itself."""
    if mover is not None and target.id == mover.id:
        rule, result = "4.5/overwatch", "moves"
    elif target.command is Command.OVERWATCH:
        rule, result = "4.4.2/chain", "fired-on-overwatch"
    else:
        rule, result = "4.4.2/eligible", "fired"
    return Finding(numbered(edition, rule), inputs={"target": target.id}, result=result)


def spotting(data: PanzerData, view: PanzerState, firers: Iterable[Vehicle], target: Vehicle) -> Iterator[Finding]:
    """4.4.2 Spotting is determined now; the marker of the trigger counts (A-04)."""
    rule = numbered(data.edition, "4.4.2/spotting")
    for firer in firers:
        inputs = {"firer": firer.id, "target": target.id}
        seen = spots(data, view, firer, target)
        yield Finding(rule, inputs=inputs, result=seen.result, children=(seen,))


# --- 4.4.2 who may -----------------------------------------------------------------------------------------------


def watch_objections(
    data: PanzerData, view: PanzerState, firer: Vehicle, weapon: int, target: Vehicle, targets: Sequence[str]
) -> Iterator[Objection]:
    """4.4.2 What keeps a vehicle from overwatch fire as far as everybody can see, whatever its counter says."""
    if firer.fired:
        yield Objection(numbered(data.edition, "4.4.1/one-shot"), "it has already fired this turn")
    if target.id not in targets:
        why = f"{target.id} has neither fired nor is it the one that moves"
        yield Objection(numbered(data.edition, "4.4.2/eligible"), why)
    beyond = list(aim_objections(data, view, firer, weapon, target, Command.OVERWATCH))
    yield from beyond
    if not beyond and not spots_now(data, view, firer, target):
        why = f"it does not spot {target.id} at this moment"
        yield Objection(numbered(data.edition, "4.4.2/spotting"), why)


def overwatch_objections(
    data: PanzerData, view: PanzerState, firer: Vehicle, weapon: int, target: Vehicle, targets: Sequence[str]
) -> Iterator[Objection]:
    """4.4.2 Everything that keeps a vehicle from this overwatch shot, its own command first."""
    if firer.command is not Command.OVERWATCH:
        yield Objection("4.4.2", "it has no Overwatch command")
    yield from watch_objections(data, view, firer, weapon, target, targets)


def is_window(data: PanzerData, view: PanzerState, side: str, targets: Sequence[str]) -> bool:
    """R-12 Whether somebody could fire if his counter were Overwatch. Only what everybody knows enters."""
    return any(
        not any(watch_objections(data, view, firer, weapon, view.vehicles[target], targets))
        for firer in view.of(side)
        if firer.face_down and not firer.shown and not firer.fired
        for target in targets
        for weapon in range(len(data.cards[firer.card].weapons))
    )


def watch_shots(data: PanzerData, view: PanzerState, firer: Vehicle, targets: Sequence[str]) -> list[Possible]:
    """4.4.2 The legal overwatch shots of a vehicle at these targets, best first."""

    def objections(firer: Vehicle, weapon: int, target: Vehicle) -> Iterator[Objection]:
        return overwatch_objections(data, view, firer, weapon, target, targets)

    return possible_shots(data, view, firer, targets, objections, Command.OVERWATCH)


def overwatch_options(data: PanzerData, view: PanzerState, ask: Ask) -> Iterator[Answer]:
    """4.4.2 To hold fire, then every group that may fire."""
    yield None
    shots = [watch_shots(data, view, firer, ask.about["targets"]) for firer in view.of(ask.seat)]
    yield from grouped(shots, lambda target: [])


def check_overwatch(data: PanzerData, view: PanzerState, ask: Ask, answer: Answer) -> Answer:
    """4.4.2 The declaration as it will be carried out, or a refusal; None holds fire."""
    if answer is None:
        return None
    targets: Sequence[str] = ask.about["targets"]

    def objections(firer: Vehicle, weapon: int, target: Vehicle) -> Iterator[Objection]:
        return overwatch_objections(data, view, firer, weapon, target, targets)

    firers = check_declaration(
        data, view, ask.seat, answer, objections, lambda unit: watch_shots(data, view, view.vehicles[unit], targets)
    )
    return {"target": answer["target"], "firers": firers}

"""4.4.2, 6.5.3 Overwatch fire of all kinds of units: at enemies that fired, and at enemies that move.

    4.4.2        overwatch_step: rounds in the Combat Phase (A-19)
    4.5.1.1      overwatch_window: fire at a unit that moves or attacks, with chains of fire (R-12, A-26)
    4.4.2        Watch: watcher_objections (including the unit's command), trigger_objections (public)
    6.2.1.1.4    a shared Overwatch: all at the same moment and target, and then it is used up
    6.5.3        GP fire on overwatch is like AP fire, with the modifiers of GP fire
    R-12         is_window: whether to ask, from public knowledge
    answers      check_overwatch, overwatch_options

A pause, or its absence, would give a command away. So a seat is asked in every window in which a unit that has not
fired and has an unrevealed counter could fire if that counter were Overwatch, whatever it actually is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from pbem.engine.rules.ask import Answer, Ask, Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Illegal, Objection
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.panzer.ap.ap_modifiers import ApShot
from pbem.titles.panzer.cards.weapons import weapons_of
from pbem.titles.panzer.command.failed_orders import failed_order
from pbem.titles.panzer.fire.aiming import Entry, Occasion, aim_objections, is_shared, is_used_up, legal_shots
from pbem.titles.panzer.fire.declarations import check_entries, group_options, read_entries
from pbem.titles.panzer.fire.direct_fire import Judge, fire_group
from pbem.titles.panzer.fire.gp_modifiers import counter_of
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.sequence import go_on
from pbem.titles.panzer.sighting.camouflage import found_on_overwatch
from pbem.titles.panzer.sighting.limited_spotting import firers_that_notice, has_noticed
from pbem.titles.panzer.sighting.sight import Sight, station_of
from pbem.titles.panzer.sighting.spotting import (
    can_be_spotted,
    can_spot,
    eye_of,
    in_line,
    mark_of,
    spots,
    spots_mark,
    spots_now,
    spotting_range,
)
from pbem.titles.panzer.sighting.terrain import settle
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, PanzerState, Unit

# --- 4.4.2 the Combat Phase ------------------------------------------------------------------------------------


def overwatch_step(
    table: Table[PanzerState], side: str, engaged: Sequence[str] = (), passes: int = 0, fired: bool = False
) -> Step:
    """4.4.2 Play rounds of First and Second Player after all direct fire, until both pass in succession (A-19).

    `engaged` are this player's targets in this half-round, `fired` says whether there was any fire in it, and
    `passes` counts the preceding half-rounds without fire. Fire that finds no target (7.7.1, 7.24) is not counted,
    because it could be declared again forever.
    """
    state = table.state
    targets = [target for target in has_fired(state, state.enemy(side)) if target not in engaged]
    declaration = yield from ask_for_overwatch(table, side, targets)
    if declaration is not None:
        done = yield from overwatch_group(table, declaration, targets)
        engaged = [*engaged, declaration["target"]]
        table.then("overwatch_step", side=side, engaged=engaged, passes=passes, fired=fired or bool(done))
        return
    passes = 0 if fired else passes + 1
    if passes < 2:
        table.then("overwatch_step", side=state.enemy(side), passes=passes)
        return
    settle(state)
    go_on(table)


def has_fired(view: PanzerState, side: str) -> list[str]:
    """4.4.2 Units that have fired in this Combat Phase; for passengers it is the carrier they are spotted with."""
    fired = (unit.aboard or unit.id for unit in view.of(side) if unit.fired and not unit.hidden)  # 7.2
    return [id for id in dict.fromkeys(fired) if view.vehicles[id].alive]


# --- 4.5.1.1 windows of the Movement Phase ---------------------------------------------------------------------


def overwatch_window(table: Table[PanzerState], mover: Unit) -> Step:
    """4.5.1.1 Open a fire window after the mover's expenditure. Return whether the mover was fired at.

    R-12: the opponent fires at the mover, all firers together; the mover's side may fire at any unit that fired in
    this window, and so on in turn until one side passes.
    """
    state = table.state
    opponent = state.enemy(mover.side)
    declaration = yield from ask_for_overwatch(table, opponent, [mover.id], mover)
    if declaration is None:
        return False
    if not (yield from overwatch_group(table, declaration, [mover.id], mover)):
        return False
    fired = {opponent: seen_firing(state, declaration), mover.side: []}
    side = mover.side
    while answered := (yield from chain_fire(table, side, fired[state.enemy(side)], mover)):
        fired[side] += answered
        side = state.enemy(side)
    return True


def chain_fire(table: Table[PanzerState], side: str, fired: Sequence[str], mover: Unit) -> Step:
    """4.4.2 A side's reply to overwatch fire, target by target. Return the units that fired."""
    engaged: list[str] = []
    answered: list[str] = []
    while True:
        targets = [id for id in fired if table.state.vehicles[id].alive and id not in engaged]
        declaration = yield from ask_for_overwatch(table, side, targets, mover)
        if declaration is None:
            return answered
        fired_now = yield from overwatch_group(table, declaration, targets, mover)
        engaged.append(declaration["target"])
        answered += seen_firing(table.state, declaration) if fired_now else []


def seen_firing(state: PanzerState, declaration: Answer) -> list[str]:
    """4.4.2 The units that can be fired at because they fired; for passengers it is their carrier."""
    units = (state.vehicles[entry.unit] for entry in read_entries(declaration))
    units = (unit for unit in units if unit.fired)  # 7.24: some may have found nothing
    return list(dict.fromkeys(unit.aboard or unit.id for unit in units))


# --- 4.4.2 asking and firing -----------------------------------------------------------------------------------


def ask_for_overwatch(
    table: Table[PanzerState], side: str, targets: Sequence[str], mover: Unit | None = None
) -> Step:
    """4.4.2 Ask for voluntary fire; nothing is fired by default. The seat is asked only where there is a window."""
    if not is_window(table, side, targets):
        return None
    phase = "movement" if mover else "combat"
    about = {"phase": phase, "targets": list(targets)}
    declaration = yield Ask(side, "overwatch", "4.4.2", subject=mover.id if mover else "", about=about)
    table.facts.drop()  # units that could fire may have changed anything
    return declaration


def overwatch_group(
    table: Table[PanzerState], declaration: Answer, targets: Sequence[str], mover: Unit | None = None
) -> Step:
    """4.4.2, 6.5.3 Resolve all overwatch fire at one target like direct fire; it uses up shared counters.

    Return whether there was any fire, because under limited spotting the target may go unnoticed.
    """
    state = table.state
    entries = read_entries(declaration)
    target = state.vehicles[declaration["target"]]
    named = [state.vehicles[id] for id in dict.fromkeys(entry.unit for entry in entries)]
    noticing = firers_that_notice(table, named, target)  # 7.7.1
    firers = found_on_overwatch(table, noticing, target, reach_of(table, target))  # 7.24
    table.findings += cancelled_fire(named, noticing, firers, target)
    entries = [entry for entry in entries if entry.unit in [firer.id for firer in firers]]
    if not entries:
        return False
    why = [trigger(table, target, mover), *spotting(table, firers, target)]
    why += [Finding("6.5.3", inputs={"firer": entry.unit}, result="ow") for entry in entries if entry.how == "gp"]
    judge = legal_watch(table, targets)
    yield from fire_group(table, "4.4.2", target.id, entries, judge, why, Command.OVERWATCH)
    return True


def cancelled_fire(
    named: Sequence[Unit], noticing: Sequence[Unit], firers: Sequence[Unit], target: Unit
) -> Iterator[Finding]:
    """7.7.1, 7.4.1, 7.24 Report each cancelled declaration of overwatch fire to its owner, with the reason."""
    for unit in named:
        if unit in firers:
            continue
        if unit in noticing:
            why = Objection("7.24", say("the unit did not find {target}, which is camouflaged", target=target.id))
        elif noticing:
            why = Objection("7.4.1", say("the unit could not be told by radio where {target} is", target=target.id))
        else:
            why = Objection("7.7.1", say("the unit did not notice {target}", target=target.id))
        yield failed_order(unit, f"fire {target.id}", why)


def reach_of(table: Table[PanzerState], target: Unit) -> Callable[[Unit], int]:
    """7.24 The range at which a firer spots the target at this moment."""
    return lambda firer: spotting_range(table, firer, target)


def legal_watch(table: Table[PanzerState], targets: Sequence[str]) -> Judge:
    """6.5.2.1 Extra hits of overwatch fire go only to legal overwatch targets, which the firer has noticed (7.7)."""

    def of(firer: Unit) -> Callable[[ApShot, Unit], bool]:
        def legal(shot: ApShot, other: Unit) -> bool:
            return has_noticed(table, firer, other) and not any(
                chain(
                    trigger_objections(table, firer, other, targets),
                    aim_objections(table, firer, shot.arm, shot.how, other, Command.OVERWATCH),
                )
            )

        return legal

    return of


def trigger(table: Table[PanzerState], target: Unit, mover: Unit | None) -> Finding:
    """4.4.2 The trigger that makes a unit a target: it moves, it has fired, or it has fired on overwatch."""
    edition = table.data.edition
    if mover is not None and target.id == mover.id:
        rule, result = "4.5/overwatch", "moves"
    elif counter_of(table.state, target).command is Command.OVERWATCH:
        rule, result = "4.4.2/chain", "fired-on-overwatch"
    else:
        rule, result = "4.4.2/eligible", "fired"
    return Finding(ledger_row(edition, rule), inputs={"target": target.id}, result=result)


def spotting(situation: Situation, firers: Iterable[Unit], target: Unit) -> Iterator[Finding]:
    """4.4.2 Determine spotting now; the trigger's marker applies (A-04)."""
    rule = ledger_row(situation.data.edition, "4.4.2/spotting")
    for firer in firers:
        seen = spots(situation, firer, target)
        inputs = {"firer": firer.id, "target": target.id}
        yield Finding(rule, inputs=inputs, result=seen.result, children=(seen,))


# --- 4.4.2 eligibility -----------------------------------------------------------------------------------------


def trigger_objections(
    situation: Situation, firer: Unit, target: Unit, targets: Sequence[str]
) -> Iterator[Objection]:
    """4.4.2 Object unless the target has fired or is moving, and the firer spots it at this moment."""
    if target.id not in targets:
        why = say("{target} has not fired and is not the moving unit", target=target.id)
        yield Objection(ledger_row(situation.data.edition, "4.4.2/eligible"), why)
    elif not spots_now(situation, firer, target):
        why = say("the unit does not spot {target} at this moment", target=target.id)
        yield Objection(ledger_row(situation.data.edition, "4.4.2/spotting"), why)


def watcher_objections(situation: Situation, firer: Unit) -> Iterator[Objection]:
    """4.4.2, 6.2.1.1.4, 6.5.1 Reasons why a unit cannot fire on overwatch; its own command comes first."""
    view = situation.state
    counter = counter_of(view, firer)
    if counter.command is not Command.OVERWATCH:
        yield Objection("6.6.7.2" if firer.aboard else "4.4.2", say("the unit has no Overwatch command"))
    elif firer.fired:
        yield Objection(
            ledger_row(situation.data.edition, "4.4.1/one-shot"), say("the unit has already fired this turn")
        )
    elif counter.revealed:
        rule = "6.2.1.1.4/overwatch" if is_shared(view, counter) else "4.4.2"
        yield Objection(rule, say("the unit has already used its Overwatch"))
    elif is_used_up(view, firer):
        yield Objection("6.5.1", say("the unit has used its Overwatch to observe"))


@dataclass(frozen=True)
class Watch(Occasion):
    """4.4.2 An occasion for overwatch fire at these targets."""

    eligible: tuple[str, ...] = ()

    @property
    def command(self) -> Command | None:
        return Command.OVERWATCH

    def targets(self, firer: Unit) -> Sequence[str]:
        return self.eligible

    def firer_objections(self, firer: Unit) -> Iterator[Objection]:
        """4.4.2 Reasons why a unit cannot fire on overwatch, its own command first."""
        return watcher_objections(self.situation, firer)

    def target_objections(self, firer: Unit, target: Unit) -> Iterator[Objection]:
        """4.4.2 Object unless the target has fired or is moving, and the firer spots it now."""
        return trigger_objections(self.situation, firer, target, self.eligible)


def is_window(situation: Situation, side: str, targets: Sequence[str]) -> bool:
    """R-12 Whether a unit could fire if its counter were Overwatch, judged by public knowledge only."""
    view = situation.state
    if targets and any(counter.side == side for counter in view.hidden_counters.values()):
        return True  # 7.2: the enemy cannot tell whether it is real
    return any(could_be_fired_at(situation, view.vehicles[target], side) for target in targets)


def could_be_fired_at(situation: Situation, target: Unit, side: str) -> bool:
    """4.4.2 Whether a unit of this side that could watch spots the target now and has a weapon for it."""
    data, view = situation.data, situation.state
    if not can_be_spotted(target):
        return False
    sight, there = Sight(situation), station_of(situation, target)
    near = in_line(situation, sight, there, view.of(side))
    firers = [firer for firer in near if could_watch(view, firer) and can_spot(data, firer)]
    mark = mark_of(situation, target, "current") if firers else None
    return mark is not None and any(
        spots_mark(data, sight, eye_of(situation, firer), mark) and can_hit(situation, firer, target)
        for firer in firers
    )


def could_watch(view: PanzerState, firer: Unit) -> bool:
    """R-12 Whether the counter of the unit or its carrier is face down, never shown, and the unit has not fired."""
    counter = counter_of(view, firer)
    return counter.face_down and not counter.shown and not firer.fired


def can_hit(situation: Situation, firer: Unit, target: Unit) -> bool:
    """6.5 Whether any of the unit's weapons can be fired at the target."""
    return any(
        not any(aim_objections(situation, firer, arm, how, target, Command.OVERWATCH))
        for arm in weapons_of(situation.data, firer)
        for how in arm.hows
        if how != "smoke"
    )


def watch_of(situation: Situation, ask: Ask) -> Watch:
    """4.4.2 The occasion that an ask is about."""
    return Watch(situation, ask.seat, eligible=tuple(ask.about["targets"]))


def overwatch_options(situation: Situation, ask: Ask) -> Iterator[Answer]:
    """4.4.2 Offer to hold fire, then every group that may fire."""
    yield None
    watch = watch_of(situation, ask)
    shots = [legal_shots(watch, firer) for firer in situation.state.of(ask.seat)]
    yield from group_options(watch, shots, {})


def check_overwatch(situation: Situation, ask: Ask, answer: Answer) -> Answer:
    """4.4.2 Return the declaration as it will be carried out, or refuse it; None holds fire."""
    view = situation.state
    if answer is None:
        return None
    watch = watch_of(situation, ask)
    entries = check_entries(watch, answer, lambda unit: legal_shots(watch, view.vehicles[unit]))
    if found := list(shared_watch_objections(view, entries)):
        raise Illegal("overwatch", found)
    target = answer["target"]
    return {"target": target, "firers": [entry.as_answer(target) for entry in entries]}


def shared_watch_objections(view: PanzerState, entries: Iterable[Entry]) -> Iterator[Objection]:
    """6.2.1.1.4 Object if units that share an Overwatch fire at different targets."""
    aimed: dict[str, str] = {}
    for entry in entries:
        counter = counter_of(view, view.vehicles[entry.unit])
        if is_shared(view, counter) and aimed.setdefault(counter.id, entry.target) != entry.target:
            why = say("all units that share the Overwatch of {counter} must fire at one target", counter=counter.id)
            yield Objection("6.2.1.1.4/overwatch", why)

"""4.4.1 The Direct Fire Step: who may fire at whom, who must, and all fire at one target together.

    4.4.1              direct_fire_step, fire_group, reveal, reveal_without_fire (A-38)
    4.4.1              shot_objections, legal_shots, still_obliged, last_chances (R-09)
    R-05               best_shot, default_fire
    answers            check_fire, fire_options; check_declaration, grouped (also for overwatch)

How a shot is resolved is 4.4.3, in `ap_fire`; overwatch fire is 4.4.2, in `overwatch`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from pbem.engine.rules.ask import Answer, Ask, Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Illegal, Objection, Refusal, Refusals, Unreadable
from pbem.engine.rules.table import Table
from pbem.titles.panzer.ap_fire import EFFECTS, Shot, a_shot, aim_objections, claim_target_moving, resolve_shot
from pbem.titles.panzer.charts import Edition, nearest
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.numbering import numbered
from pbem.titles.panzer.state import Command, PanzerState, Spot, Vehicle

FIRING: Final = (Command.FIRE, Command.SHORT_HALT)
"""4.4.1 The commands that fire in the own Direct Fire Step."""


# --- 4.4.1 the Direct Fire Step --------------------------------------------------------------------------------


def direct_fire_step(table: Table[PanzerState], side: str, engaged: Sequence[str] = ()) -> Step:
    """4.4.1 One player declares and resolves all fire at one target, then at the next, until he is done (A-21).

    `engaged` are the targets whose fire is already resolved in this player's part of the step (R-09).
    """
    state = table.state
    state.phase = "combat"
    if not engaged:
        table.find("4.4", inputs={"side": side, "player": "first" if side == state.first else "second"})
    declaration = yield Ask(
        side,
        "fire",
        "4.4.1",
        about={"engaged": list(engaged)},
        default=default_fire(table.data, state, side, engaged),
    )
    if declaration is not None:
        yield from fire_group(table, "4.4.1", declaration)
        table.then("direct_fire_step", side=side, engaged=[*engaged, declaration["target"]])
        return
    reveal_without_fire(table, side)
    if side == state.first:
        table.then("direct_fire_step", side=state.second)
    else:
        table.then("overwatch_step", side=state.first)


def fire_group(table: Table[PanzerState], rule: str, declaration: Any, why: Iterable[Finding] = ()) -> Step:
    """4.4.1 All fire at one target: declared together, resolved shot by shot, each result at once."""
    state = table.state
    target = state.vehicles[declaration["target"]]
    shots = [a_shot(table.data, state, state.vehicles[unit], index, target) for unit, index in declaration["firers"]]
    children = [*why, *(reveal(table.data.edition, shot.firer) for shot in shots)]
    children += yield from claim_target_moving(table, target, shots)
    results = []
    for shot in shots:
        shot.firer.fired = True  # 4.4.1/one-shot
        finding = (yield from resolve_shot(table, shot)) if target.alive else too_late(shot)
        results.append(str(finding.result))
        children += [finding, place_spot_fire(shot)]
    table.find(
        rule,
        inputs={"side": shots[0].firer.side, "target": target.id, "firers": [shot.firer.id for shot in shots]},
        result=max(results, key=EFFECTS.index),
        children=children,
    )


def reveal(edition: Edition, vehicle: Vehicle) -> Finding:
    """4.2.1 The counter is turned up; of a Short Halt the Fire half points forward until it moves (3.4)."""
    vehicle.revealed = True
    assert vehicle.command is not None
    half = [Finding("3.4", inputs={"unit": vehicle.id}, result="fire-half")]
    return Finding(
        numbered(edition, "4.2.1/secrecy"),
        inputs={"unit": vehicle.id, "command": vehicle.command.value},
        result="revealed",
        children=tuple(half if vehicle.command is Command.SHORT_HALT else ()),
    )


def too_late(shot: Shot) -> Finding:
    """4.4.1 The target is gone before this shot: it has fired all the same and may not switch."""
    return Finding(
        numbered(shot.data.edition, "4.4.1/declare-per-target"),
        inputs={"firer": shot.firer.id, "target": shot.target.id},
        result="too-late",
    )


def place_spot_fire(shot: Shot) -> Finding:
    """4.4.1 The firer gets a Spot/Fire marker, tucked under its counter: pending until the turn ends (A-04)."""
    inputs = {"unit": shot.firer.id, "replaces": shot.firer.marker.value}
    shot.firer.pending = Spot.FIRE
    return Finding(numbered(shot.data.edition, "4.4.1/spot-fire"), inputs=inputs, result=Spot.FIRE.value)


def reveal_without_fire(table: Table[PanzerState], side: str) -> None:
    """A-38 Fire and Short Halt vehicles with no target left show their command at the end of the step."""
    edition = table.data.edition
    for vehicle in bound_to_fire(table.state, side):
        shown = reveal(edition, vehicle)
        rule = numbered(edition, "4.2.1/binding")
        table.find(rule, inputs={"unit": vehicle.id}, result="no-target", children=[shown])


# --- 4.4.1 who may, and who must -------------------------------------------------------------------------------


def bound_to_fire(view: PanzerState, side: str) -> list[Vehicle]:
    """4.4.1 The side's vehicles whose Fire or Short Halt has not been carried out."""
    return [vehicle for vehicle in view.of(side) if vehicle.command in FIRING and not vehicle.fired]


def shot_objections(
    data: PanzerData, view: PanzerState, firer: Vehicle, weapon: int, target: Vehicle, engaged: Sequence[str] = ()
) -> Iterator[Objection]:
    """4.4.1 Everything that keeps a vehicle from this shot in its Direct Fire Step, in printed order."""
    if firer.fired:
        yield Objection(numbered(data.edition, "4.4.1/one-shot"), "it has already fired this turn")
    elif firer.command not in FIRING:
        yield Objection("4.4.1", "only a Fire or Short Halt command fires in the Direct Fire Step")
    if target.id not in view.spotted.get(firer.id, ()):
        why = f"it did not itself spot {target.id} in the Spotting Phase"
        yield Objection(numbered(data.edition, "4.4.1/spotted-before"), why)
    if target.id in engaged:
        why = f"all fire at {target.id} was declared together and is resolved"
        yield Objection(numbered(data.edition, "4.4.1/declare-per-target"), why)
    yield from aim_objections(data, view, firer, weapon, target)


class Possible(NamedTuple):
    """A legal shot and what R-05 compares: hit number, distance, penetration."""

    firer: str
    weapon: int
    target: str
    hit_number: int
    distance: int
    penetration: int

    @property
    def preference(self) -> tuple[int, int, str, int, int]:
        """R-05 The highest hit number, then the nearest, then the lowest id; of its guns the stronger."""
        return -self.hit_number, self.distance, self.target, -self.penetration, self.weapon


Judge = Callable[[Vehicle, int, Vehicle], Iterator[Objection]]
"""Everything that keeps a vehicle from firing a weapon at a target."""


def possible_shots(
    data: PanzerData,
    view: PanzerState,
    firer: Vehicle,
    targets: Iterable[str],
    objections: Judge,
    command: Command | None = None,
) -> list[Possible]:
    """The legal shots of one vehicle at these targets, best first."""
    found = []
    for target in (view.vehicles[id] for id in targets):
        for weapon in range(len(data.cards[firer.card].weapons)):
            if not any(objections(firer, weapon, target)):
                shot = a_shot(data, view, firer, weapon, target, command)
                found.append(Possible(firer.id, weapon, target.id, shot.hit_number, shot.range, shot.penetration))
    return sorted(found, key=lambda possible: possible.preference)


def legal_shots(data: PanzerData, view: PanzerState, firer: Vehicle, engaged: Sequence[str] = ()) -> list[Possible]:
    """4.4.1 The legal shots of a vehicle in its Direct Fire Step, best first."""

    def objections(firer: Vehicle, weapon: int, target: Vehicle) -> Iterator[Objection]:
        return shot_objections(data, view, firer, weapon, target, engaged)

    return possible_shots(data, view, firer, view.spotted.get(firer.id, ()), objections)


def best_shot(data: PanzerData, view: PanzerState, firer: Vehicle, engaged: Sequence[str] = ()) -> Possible | None:
    """R-05 The shot of a vehicle whose owner says nothing."""
    return next(iter(legal_shots(data, view, firer, engaged)), None)


def still_obliged(
    data: PanzerData, view: PanzerState, side: str, engaged: Sequence[str] = ()
) -> dict[str, list[Possible]]:
    """4.4.1 The vehicles that must still fire, each with its legal shots, best first."""
    shots = {vehicle.id: legal_shots(data, view, vehicle, engaged) for vehicle in bound_to_fire(view, side)}
    return {firer: legal for firer, legal in shots.items() if legal}


def last_chances(obliged: dict[str, list[Possible]], target: str) -> list[Possible]:
    """R-09 The best shots of those for whom this target is the last legal one: they must be in its group."""
    return [shots[0] for shots in obliged.values() if {shot.target for shot in shots} == {target}]


def default_fire(data: PanzerData, view: PanzerState, side: str, engaged: Sequence[str] = ()) -> Answer:
    """R-05 While somebody is obliged: the best shot of the first, with all others who prefer or need that target."""
    obliged = still_obliged(data, view, side, engaged)
    if not obliged:
        return None
    target = next(iter(obliged.values()))[0].target
    members = [shots[0] for shots in obliged.values() if shots[0].target == target]
    return declaration_of(target, [*members, *last_chances(obliged, target)])


def declaration_of(target: str, shots: Iterable[Possible]) -> dict[str, Any]:
    """An answer: these shots at this target, each firer once."""
    firers: dict[str, int] = {}
    for shot in shots:
        firers.setdefault(shot.firer, shot.weapon)
    return {"target": target, "firers": [[firer, weapon] for firer, weapon in firers.items()]}


def fire_options(data: PanzerData, view: PanzerState, ask: Ask) -> Iterator[Answer]:
    """4.4.1 Groups to choose from: for each target every firer alone, then all together. R-09 is heeded."""
    obliged = still_obliged(data, view, ask.seat, ask.about.get("engaged", ()))
    if not obliged:
        yield None
        return
    yield from grouped(list(obliged.values()), lambda target: last_chances(obliged, target))


def grouped(shots: list[list[Possible]], needed: Callable[[str], list[Possible]]) -> Iterator[Answer]:
    """Declarations made of these firers' shots: alone, and all that can fire at the target together."""
    by_target: dict[str, list[Possible]] = {}
    for shot in (shot for legal in shots for shot in legal):
        by_target.setdefault(shot.target, []).append(shot)
    for target, at_target in sorted(by_target.items()):
        groups = [declaration_of(target, [shot, *needed(target)]) for shot in at_target]
        groups.append(declaration_of(target, at_target))
        for number, group in enumerate(groups):
            if group not in groups[:number]:
                yield group


def check_fire(data: PanzerData, view: PanzerState, ask: Ask, answer: Answer) -> Answer:
    """4.4.1 The declaration as it will be carried out, completed by those who must be in it (R-09), or a refusal."""
    engaged: Sequence[str] = ask.about.get("engaged", ())
    obliged = still_obliged(data, view, ask.seat, engaged)
    if answer is None:
        if obliged:
            raise Refusals([must_fire(data.edition, firer, shots) for firer, shots in obliged.items()])
        return None

    def objections(firer: Vehicle, weapon: int, target: Vehicle) -> Iterator[Objection]:
        return shot_objections(data, view, firer, weapon, target, engaged)

    firers = check_declaration(data, view, ask.seat, answer, objections, lambda firer: obliged.get(firer, []))
    named = [firer for firer, _ in firers]
    added = [shot for shot in last_chances(obliged, answer["target"]) if shot.firer not in named]
    return {"target": answer["target"], "firers": [*firers, *([shot.firer, shot.weapon] for shot in added)]}


def must_fire(edition: Edition, firer: str, shots: list[Possible]) -> Refusal:
    """4.4.1 The refusal of silence while a vehicle can still fire."""
    rule = numbered(edition, "4.4.1/must-fire")
    why = Objection(rule, "it has a Fire or Short Halt command and can still fire")
    return Illegal(firer, [why], [said(shot) for shot in shots])


def said(shot: Possible) -> str:
    return f"{shot.firer} fire {shot.target}"


def check_declaration(
    data: PanzerData,
    view: PanzerState,
    seat: str,
    answer: Answer,
    objections: Judge,
    instead: Callable[[str], list[Possible]],
) -> list[list[Any]]:
    """4.4.3 The firers of a declaration, in the order of resolution, or a refusal with everything wrong in it."""
    target, firers = read_declaration(answer)
    enemies = [vehicle.id for vehicle in view.of(view.enemy(seat))]
    if target not in view.vehicles:
        raise Illegal(target, [Objection("4.4.3", "there is no such vehicle")], close_to(target, enemies))
    own = [vehicle.id for vehicle in view.of(seat)]
    refusals: list[Refusal] = []
    for number, (unit, weapon) in enumerate(firers):
        if unit not in view.vehicles or view.vehicles[unit].side != seat:
            refusals.append(Illegal(unit, [Objection("3.1", "it is not a vehicle of yours")], close_to(unit, own)))
        elif unit in (earlier for earlier, _ in firers[:number]):
            rule = numbered(data.edition, "4.4.1/one-shot")
            refusals.append(Illegal(unit, [Objection(rule, "it is named twice and fires once")]))
        elif found := list(objections(view.vehicles[unit], weapon, view.vehicles[target])):
            refusals.append(Illegal(f"{unit} at {target}", found, [said(shot) for shot in instead(unit)]))
    if refusals:
        raise refusals[0] if len(refusals) == 1 else Refusals(refusals)
    return [[unit, weapon] for unit, weapon in firers]


def read_declaration(answer: Answer) -> tuple[str, list[tuple[str, int]]]:
    """The shape of a declaration: a target and who fires at it with which weapon."""
    try:
        read = msgspec.convert(answer, _Declaration)
    except msgspec.ValidationError as error:
        why = Objection("4.4.1", f"a declaration names a target and its firers: {error}")
        raise Unreadable("fire", [why], ['{"target": "g1", "firers": [["b1", 0]]}']) from error
    return read.target, read.firers


class _Declaration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    target: str
    firers: list[tuple[str, int]]

    def __post_init__(self) -> None:
        if not self.firers:
            raise ValueError("nobody fires")


def close_to(word: str, legal: list[str]) -> list[str]:
    """The legal word most like this one, else all of them."""
    return [near] if (near := nearest(word, legal)) else legal

"""7.4 Vehicles without radio sets.

7.4      has_radio, explain_radios
7.4.1    can_hand_over: only within the platoon
7.4.2    silent_platoons, platoon_objections: one command for the whole platoon
7.4.3    observer_objections
7.4.4    a command unit helps their morale in their own hex only (`morale`)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.panzer.cards.units import is_recon
from pbem.titles.panzer.command.platoons import platoon_of
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.state import Unit

RADIOS: Final = "radios"
RADIO_LOST: Final = "radio-lost"
"""7.23.2 The flag of a vehicle with its radio destroyed."""


def has_radio(data: PanzerData, unit: Unit) -> bool:
    """7.4 Whether the unit has a radio: all but vehicles with none on their card, or with it destroyed (7.23.2).

    Without the optional rule every unit has a radio.
    """
    if unit.kind != "vehicle" or not data.plays(RADIOS):
        return True
    return not (data.vehicle(unit).has("no_radio") or RADIO_LOST in unit.flags)


def can_hand_over(data: PanzerData, giver: Unit, taker: Unit) -> bool:
    """7.4.1 Whether one unit can report spotted units to another: by radio, or within its platoon."""
    if has_radio(data, giver) and has_radio(data, taker):
        return True
    return platoon_of(data, giver) == platoon_of(data, taker)


def is_bound(data: PanzerData, unit: Unit) -> bool:
    """7.4.2 Whether a vehicle without a radio must share its platoon's command.

    Recon vehicles and those with a track hit need not. A hidden unit shares no command (7.2.2.2), so it need not
    either.
    """
    return not (has_radio(data, unit) or is_recon(unit) or unit.track_hit or unit.bailed_out or unit.hidden)


def silent_platoons(data: PanzerData, units: Sequence[Unit]) -> list[list[Unit]]:
    """7.4.2 Each platoon's vehicles that must share one command."""
    platoons: dict[tuple[str, str], list[Unit]] = {}
    for unit in units:
        if is_bound(data, unit):
            platoons.setdefault(platoon_of(data, unit), []).append(unit)
    return list(platoons.values())


def explain_radios(data: PanzerData, units: Sequence[Unit]) -> Iterator[Finding]:
    """7.4 A formation's vehicles without radios: those that share a command, and recon, which does not."""
    without = [unit for unit in units if not has_radio(data, unit)]
    if not without:
        return
    platoons = [[unit.id for unit in platoon] for platoon in silent_platoons(data, without)]
    children = [Finding("7.4.2", inputs={"units": ids}, result="one command") for ids in platoons]
    if recon := [unit.id for unit in without if is_recon(unit)]:
        children.append(Finding("7.4.2/recon", inputs={"units": recon}, result="commands of their own"))
    yield Finding("7.4", result=[unit.id for unit in without], children=tuple(children))


def are_one_platoon(data: PanzerData, a: Unit, b: Unit) -> bool:
    """7.4.2 Whether the vehicles are of one platoon without radios, which shares its command at any distance."""
    return is_bound(data, a) and is_bound(data, b) and platoon_of(data, a) == platoon_of(data, b)


def platoon_objections(
    data: PanzerData, units: Sequence[Unit], counter_of: Mapping[str, str]
) -> Iterator[tuple[str, Objection]]:
    """7.4.2 All vehicles of a platoon without radios are under one counter, or have no command at all.

    `counter_of` gives the counter's owner for each unit with a command.
    """
    for platoon in silent_platoons(data, units):
        counters = {counter_of.get(unit.id, "") for unit in platoon}
        if len(counters) > 1:
            names = ", ".join(unit.id for unit in platoon)
            yield (
                platoon[0].id,
                Objection(
                    "7.4.2",
                    say("{names} must share one command or have none, because they have no radios", names=names),
                ),
            )


def observer_objections(data: PanzerData, unit: Unit) -> Iterator[Objection]:
    """7.4.3 Object if a unit without a radio is to call fire or aircraft."""
    if not has_radio(data, unit):
        yield Objection("7.4.3", say("the unit has no radio, so it cannot call indirect fire or aircraft"))

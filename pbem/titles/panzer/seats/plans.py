"""Plans of several seats: one seat's part of a plan, and all of them combined.

cut              a plan without its orders for other units
join_plans       the plans of the seats of a side as one
foreign_parts    the parts of a plan that a seat may not decide
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from pbem.titles.panzer.player.plan import ALL, own_in, read_plan
from pbem.titles.panzer.state import PanzerState

BY_UNIT: Final = ("fire", "move", "overwatch", "assault", "demolish", "demolish_from", "show", "aspect")
"""The sections of a plan with an entry for each unit, by id."""
OF_THE_SIDE: Final = ("flights", "late", "formations", "dummies", "initiative")
"""The sections of a plan that only the chief of a side can fill."""


def own_part(view: PanzerState, plan: Mapping[str, Any], units: Collection[str], *, chief: bool) -> dict[str, Any]:
    """4.2.1 A plan as plain data, without other units' orders; only the chief's keeps the side's sections."""
    found: dict[str, Any] = {}
    for name in BY_UNIT:
        found[name] = {id: said for id, said in plan.get(name, {}).items() if id in units or id == ALL}
    found["discharge"] = [id for id in plan.get("discharge", ()) if id in units]
    found["missions"] = [call for call in plan.get("missions", ()) if calls(view, call, units, chief=chief)]
    found["hide"] = [[hex, hidden] for hex, hidden in plan.get("hide", ()) if set(hidden) <= set(units)]
    counters = {id for id in view.hidden_counters if lies_over(view, id, units, chief=chief)}
    found["sneak"] = {id: path for id, path in plan.get("sneak", {}).items() if id in counters}
    found["reveal"] = [id for id in plan.get("reveal", ()) if id in counters]
    for name in ("adjust", "order"):
        found[name] = {
            part: part_about(said, units) for part, said in plan.get(name, {}).items() if part_about(said, units)
        }
    if chief:
        found |= {name: plan[name] for name in OF_THE_SIDE if name in plan}
    return {name: said for name, said in found.items() if said}


def part_about(said: Any, units: Collection[str]) -> Any:
    """The part of a table or list that concerns these units."""
    if isinstance(said, dict):
        return {id: value for id, value in said.items() if id in units}
    return [id for id in said if id in units]


def calls(view: PanzerState, call: Mapping[str, Any], units: Collection[str], *, chief: bool) -> bool:
    """6.5.1.1 Whether an observer among these units makes a declaration; only the chief makes planned fire."""
    observer = call.get("observer", "")
    mission = view.missions.get(call.get("mission", ""))
    if not observer and mission is not None:
        observer = mission.observer
    return observer in units if observer else chief


def lies_over(view: PanzerState, counter: str, units: Collection[str], *, chief: bool) -> bool:
    """7.2.2 Whether a hidden counter covers only these units; only the chief orders dummies."""
    under = view.hidden_counters[counter].units
    return set(under) <= set(units) if under else chief


def join_plans(plans: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """4.2.1 Combine plans for different units; lists are concatenated."""
    found: dict[str, Any] = {}
    for plan in plans:
        for name, said in plan.items():
            found[name] = join_sections(found[name], said) if name in found else said
    return found


def join_sections(one: Any, other: Any) -> Any:
    """Combine two sections of a plan."""
    if isinstance(one, dict) and isinstance(other, dict):
        more = {name: join_sections(one[name], said) if name in one else said for name, said in other.items()}
        return {**one, **more}
    return [*one, *other] if isinstance(one, list) else one


def named_by_unit(plan: Mapping[str, Any], units: Sequence[str]) -> dict[str, Any]:
    """4.4.3.2.2 A plan with `show` and `aspect` for all units spelled out for each of a seat's units."""
    found = dict(plan)
    for name in ("show", "aspect"):
        said = dict(plan.get(name, {}))
        if ALL in said:
            every = said.pop(ALL)
            found[name] = {**dict.fromkeys(units, every), **said}
    return found


def foreign_parts(
    view: PanzerState, plan: Mapping[str, Any], units: Collection[str], *, chief: bool
) -> Iterator[str]:
    """4.2.1 The parts of a plan that are not the seat's to decide: other seats' units, and the chief's sections."""
    yield from dict.fromkeys(id for id in own_in(read_plan(plan)) if id not in units)
    if not chief:
        yield from (name for name in OF_THE_SIDE if plan.get(name))
    kept = own_part(view, plan, units, chief=chief)
    for name in ("missions", "sneak", "reveal"):
        if len(kept.get(name, ())) < len(plan.get(name, ())):
            yield name

"""6.5.1.1 Declarations of indirect fire: legal answers, options and the default.

6.5.1.1      the ask `mission`: check_mission, mission_options, default_mission, legal_calls
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, Literal

import msgspec

from pbem.engine.geometry.hexes import distance, hex_name, parse_hex
from pbem.engine.rules.ask import Answer, Ask
from pbem.engine.rules.refusals import Illegal, Objection, Refusal, Refusals, Unreadable
from pbem.engine.text.messages import say
from pbem.titles.data_files import close_to
from pbem.titles.panzer.artillery.calls import (
    Call,
    adjust_objections,
    call_objections,
    called_missions,
    continue_objections,
    mission_objections,
    observes,
    plan_objections,
    read_call,
)
from pbem.titles.panzer.artillery.observers import (
    firers,
    observer_objections,
    observers,
)
from pbem.titles.panzer.command import radios
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import (
    FireType,
    Sheaf,
)

CHOICES: Final = 60
"""The maximum number of calls among the options."""


# --- answers ----------------------------------------------------------------


class _Declaration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    do: Literal["call", "recon", "adjust", "continue", "check", "arrive"]
    observer: str = ""
    mission: str = ""
    plan: str = ""
    point: str = ""
    firers: tuple[str, ...] = ()
    sheaf: Sheaf = "on_map"
    direction: int = 0
    type: FireType = "gp"


EXAMPLE: Final = '{"do": "call", "observer": "g1", "point": "C4", "firers": ["gb1"], "sheaf": "closed", "type": "gp"}'


def check_mission(situation: Situation, ask: Ask, answer: Answer) -> Answer:
    """6.5.1.1 Return the declaration as it will be carried out, or refuse it, listing everything that is wrong."""
    if answer is None:
        return None
    try:
        read = msgspec.convert(answer, _Declaration)
    except msgspec.ValidationError as error:
        raise Unreadable(
            "mission",
            [Objection("6.5.1.1", say("this declaration of fire could not be read: {error}", error=error))],
            [EXAMPLE],
        ) from error
    refusals: list[Refusal] = []
    if found := list(_objections(situation, ask.seat, read)):
        refusals.append(Illegal(_declaration_words(read), found, _instead(situation, ask.seat, read)))
    if refusals:
        raise refusals[0] if len(refusals) == 1 else Refusals(refusals)
    return _canonical(read)


def _declaration_words(read: _Declaration) -> str:
    return " ".join(word for word in (read.do, read.observer, read.mission, read.plan, read.point) if word)


def _canonical(read: _Declaration) -> dict[str, Any]:
    match read.do:
        case "call" | "recon":
            return _calling(read) | {"observer": read.observer}
        case "adjust":
            return _calling(read) | {"mission": read.mission}
        case "continue":
            some = {"firers": list(read.firers)} if read.firers else {}
            return {"do": "continue", "mission": read.mission, "type": read.type, **some}
        case "check":
            return {"do": "check", "mission": read.mission}
        case "arrive":
            return {"do": "arrive", "plan": read.plan}


def _calling(read: _Declaration) -> dict[str, Any]:
    return {
        "do": read.do,
        "point": read.point,
        "firers": list(read.firers),
        "sheaf": read.sheaf,
        "direction": read.direction,
        "type": read.type,
    }


def _objections(situation: Situation, side: str, read: _Declaration) -> Iterator[Objection]:
    if read.do == "arrive":
        yield from plan_objections(situation, side, read.plan)
        return
    if read.do in ("call", "recon", "adjust"):
        try:
            called = read_call(_calling(read) | {"observer": read.observer})
        except ValueError:
            yield Objection("1.2", say("'{point}' is not a hex", point=read.point))
            return
    if read.do in ("call", "recon"):
        yield from call_objections(situation, side, called, reconnaissance=read.do == "recon")
        return
    wrong = list(mission_objections(situation, side, read.mission))
    yield from wrong
    if wrong:
        return
    mission = situation.state.missions[read.mission]
    if read.do == "adjust":
        yield from adjust_objections(situation, mission, called)
    elif read.do == "continue":
        yield from continue_objections(situation, mission, read.type, read.firers)
    elif not observes(situation, mission):
        yield Objection("6.5.1.9", say("the mission's observer cannot observe the target point"))


def _instead(situation: Situation, side: str, read: _Declaration) -> list[str]:
    """6.5.1.8 For an observer with a mission, suggest adjusting or continuing it; otherwise suggest valid names."""
    view = situation.state
    if read.do in ("call", "recon"):
        mission = next(
            (mission for mission in called_missions(view, side) if mission.observer == read.observer), None
        )
        if mission is not None:
            shift = f"{mission.id} adjust {read.point}{f' {read.sheaf}' if read.sheaf in ('open', 'closed') else ''}"
            near = distance(mission.point, parse_hex(read.point)) <= situation.data.advanced.number("adjust_shift")
            return [*([shift] if near else []), f"{mission.id} continue", f"{mission.id} check"]
        return close_to(read.observer, [observer.unit.id for observer in observers(situation, side)])
    if read.do == "arrive":
        return close_to(read.plan, [plan.id for plan in view.planned.values() if plan.side == side])
    return close_to(read.mission, [mission.id for mission in called_missions(view, side)])


def mission_options(situation: Situation, ask: Ask) -> Iterator[Answer]:
    """6.5.1.1 Offer to check or continue missions, begin planned ones, or call fire on enemies spotted."""
    view = situation.state
    yield None
    for mission in called_missions(view, ask.seat):
        if mission.done_in == view.turn:
            continue
        if observes(situation, mission):
            yield {"do": "check", "mission": mission.id}
        if not any(continue_objections(situation, mission, mission.type)):
            yield {"do": "continue", "mission": mission.id, "type": mission.type}
    for plan in view.planned.values():
        if not any(plan_objections(situation, ask.seat, plan.id)):
            yield {"do": "arrive", "plan": plan.id}
    yield from legal_calls(situation, ask.seat)


def legal_calls(situation: Situation, side: str) -> Iterator[dict[str, Any]]:
    """6.5.1.7 Calls for a single source each, by every observer on every hex in which it has spotted an enemy."""
    data, view = situation.data, situation.state
    found = 0
    own = firers(situation, side)
    for observer in observers(situation, side):
        if any(observer_objections(view, observer)) or not radios.has_radio(data, observer.unit):
            continue
        seen = dict.fromkeys(view.vehicles[id].hex for id in view.spotted.get(observer.unit.id, ()))
        for point in [hex for hex in seen if hex is not None]:
            for firer in own:
                kinds: list[tuple[Sheaf, FireType]] = (
                    [("closed", "gp"), ("open", "gp"), ("closed", "smoke")] if firer.off_map else [("on_map", "gp")]
                )
                for sheaf, type in kinds:
                    call = Call(point, (firer.id,), sheaf, 0, type, observer.unit.id)
                    if not any(call_objections(situation, side, call)):
                        found += 1
                        yield {
                            "do": "call", "observer": observer.unit.id, "point": hex_name(point),
                            "firers": [firer.id], "sheaf": sheaf, "direction": 0, "type": type,
                        }  # fmt: skip
                        if found >= CHOICES:
                            return

"""Plans: orders for the cards and dice of a turn, section by section.

check_plan    checks that a plan names the seat's own tanks and cards, and enemies
write_plan    the lines that would be read as a plan
merge_plans   the plan of a turn after a later form
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.engine.rules.refusals import Illegal, Objection, Refusal, Unreadable, raise_all
from pbem.engine.text.messages import say
from pbem.titles.data_files import close_to
from pbem.titles.tanks.cards.crew_and_upgrades import (
    again_objections,
    idle_objections,
    lend_objections,
)
from pbem.titles.tanks.data_set import TanksData
from pbem.titles.tanks.player.orders import ALL, PHASES_LEFT, RULE, Plan, loans, plain, read_plan
from pbem.titles.tanks.player.words import write_keep, write_repair, write_reroll, write_second_attack, write_use
from pbem.titles.tanks.situation import Situation
from pbem.titles.tanks.state import Tank


def check_plan(situation: Situation, seat: str, given: Any, kind: str = "movement") -> dict[str, Any]:
    """Return the plan in canonical form; refuse every part that names the wrong tanks or cards."""
    if not isinstance(given, dict):
        raise Unreadable("plan", [Objection(RULE, say("a plan must be a JSON object"))], Plan.__struct_fields__)
    plan = read_plan(given)
    own = {tank.id: tank for tank in situation.state.tanks.values() if tank.seat == seat}
    raise_all(list(plan_refusals(situation, own, plan)) or list(idle_refusals(situation.data, own, plan, kind)))
    return {name: said for name, said in plain(plan).items() if said}


def plan_refusals(situation: Situation, own: Mapping[str, Tank], plan: Plan) -> Iterator[Refusal]:
    view = situation.state
    tables: tuple[Mapping[str, Any], ...] = (plan.use, plan.keep, plan.lend, plan.reroll, plan.again, plan.repair)
    for tank_id in dict.fromkeys(name for table in tables for name in table if name != ALL):
        if tank_id not in own:
            yield Illegal(tank_id, [Objection("T1.1", say("that is not your tank"))], close_to(tank_id, own))
    for table in (plan.use, plan.keep):
        for tank_id, cards in table.items():
            aboard = [held.id for held in own[tank_id].cards] if tank_id in own else cards
            for card in cards:
                if card not in aboard:
                    yield Illegal(
                        card, [Objection("T2.2", say("{tank_id} has no such card", tank_id=tank_id))], aboard
                    )
    for target in dict.fromkeys(target for targets in plan.again.values() for target in targets):
        if target not in view.tanks or target in own:
            yield Illegal(target, [Objection("T7.1", say("that is not an enemy"))])


def idle_refusals(data: TanksData, own: Mapping[str, Tank], plan: Plan, kind: str) -> Iterator[Refusal]:
    """T2.4 Refuse orders about cards that would have no effect, and repairs of unknown critical cards."""
    phases = PHASES_LEFT.get(kind, ())
    for tank_id, cards in plan.use.items():
        for card in cards:
            if against := list(idle_objections(data, own[tank_id], card, phases)):
                yield Illegal(card, against)
    for tank_id, card, friend in loans(plan):
        if card not in [held.id for held in own[tank_id].cards] or friend not in own:
            yield Illegal(
                tank_id, [Objection("T2.2", say("name one of the tank's cards, and one of your tanks to use it for"))]
            )
        elif friend == tank_id or any(lend_objections(data, own[tank_id], card)):
            yield Illegal(card, [Objection("T2.2", say("the card does not help {friend}", friend=friend))])
    for tank_id in plan.again:
        if against := list(again_objections(data, own[tank_id])):
            yield Illegal(tank_id, against)
    for card in plan.repair.values():
        if card not in data.criticals:
            yield Illegal(
                card, [Objection("T8.3", say("no critical card has that name"))], close_to(card, data.criticals)
            )


def write_plan(plan: Plan) -> list[str]:
    """The order lines of a plan."""
    said = [write_use([tank, card]) for tank, cards in plan.use.items() for card in cards]
    said += [write_keep(tank, card) for tank, cards in plan.keep.items() for card in cards]
    said += [write_use(loan) for loan in loans(plan)]
    said += [write_reroll(tank, wish) for tank, wish in plan.reroll.items()]
    said += [write_second_attack(tank, targets) for tank, targets in plan.again.items()]
    return said + [write_repair(tank, card) for tank, card in plan.repair.items()]


def merge_plans(earlier: Plan, later: Plan) -> Plan:
    """T2.4 The plan of a turn after a later form, whose lines replace those for the same card or tank."""
    return Plan(
        use=cards_of(earlier.use, later.use, unless=later.keep),
        keep=cards_of(earlier.keep, later.keep, unless=later.use),
        lend={
            tank: {**earlier.lend.get(tank, {}), **later.lend.get(tank, {})} for tank in (*earlier.lend, *later.lend)
        },
        reroll={**earlier.reroll, **later.reroll},
        again={**earlier.again, **later.again},
        repair={**earlier.repair, **later.repair},
    )


def cards_of(
    earlier: Mapping[str, list[str]], later: Mapping[str, list[str]], unless: Mapping[str, list[str]]
) -> dict[str, list[str]]:
    """The cards of each tank that either plan names and the later plan does not withdraw."""
    found: dict[str, list[str]] = {}
    for tank in dict.fromkeys((*earlier, *later)):
        kept = [card for card in earlier.get(tank, []) if card not in unless.get(tank, [])]
        if cards := list(dict.fromkeys([*kept, *later.get(tank, [])])):
            found[tank] = cards
    return found

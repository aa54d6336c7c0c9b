"""C7 The map: battlegroups move from province to province; where they meet, a battle is called.

C7.2  march          sealed moves of all battlegroups at once
C7.3  meetings       battlegroups that would pass each other meet on the way
C7.4  contacts       battles in provinces with both sides, up to a limit
C7.5  after_battle   the loser retreats, or breaks out
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.campaigns.rules.book import Book
from pbem.campaigns.rules.calls import call
from pbem.campaigns.rules.state import Call, CampaignState, GroupState
from pbem.engine.rules.table import Table

if TYPE_CHECKING:
    from pbem.campaigns.rules.decisions import Orders


def march(table: Table[CampaignState], given: dict[str, Orders]) -> None:
    """C7.2 Move the battlegroups; the chief's order to a battlegroup counts only if its own commander gives none."""
    goals: dict[str, str] = {}
    for seat, orders in given.items():
        if table.data.is_chief(seat):
            goals.update(orders.move)
    for seat, orders in given.items():
        if not table.data.is_chief(seat):
            goals.update({id: goal for id, goal in orders.move.items() if table.state.groups[id].seat == seat})
    for id, goal in meetings(table, goals).items():
        move(table, id, goal)
    occupy(table)
    contacts(table)


def meetings(table: Table[CampaignState], goals: dict[str, str]) -> dict[str, str]:
    """C7.3 If two enemies would swap places, the one with the lower die roll is stopped, and they meet there."""
    groups, stopped = table.state.groups, set[str]()
    for one, goal in sorted(goals.items()):
        for other, theirs in sorted(goals.items()):
            passing = goal == groups[other].province and theirs == groups[one].province
            if one < other and passing and groups[one].side != groups[other].side:
                dice = [table.roll(6, "C7.3", id, secret=True) for id in (one, other)]
                late = one if dice[0] < dice[1] else other
                stopped.add(late)
                seats = (*table.data.seats_of(groups[one].side), *table.data.seats_of(groups[other].side))
                table.find("C7.3", to=seats, inputs={"province": groups[late].province}, dice=dice, result="met")
    return {id: goal for id, goal in goals.items() if id not in stopped}


def move(table: Table[CampaignState], id: str, goal: str) -> None:
    """C7.2 Move a battlegroup; only its own side sees it."""
    group = table.state.groups[id]
    group.came, group.province = group.province, goal
    inputs = {"group": id, "from": group.came}
    table.find("C7.2", to=table.data.seats_of(group.side), inputs=inputs, result=goal)


def occupy(table: Table[CampaignState]) -> None:
    """C7.2 Give a province to a side if only that side has battlegroups in it."""
    state = table.state
    fighting = {open.place for open in state.battles.values()}
    for province in table.data.campaign.province:
        here = {
            group.side for id, group in state.groups.items() if group.province == province.id and strong(table, id)
        }
        if len(here) == 1 and province.id not in fighting:
            take(table, province.id, here.pop())


def take(table: Table[CampaignState], province: str, side: str) -> None:
    """C7.2 Give a province to a side; everybody sees it."""
    before = table.state.control.get(province, "")
    if before != side:
        table.state.control[province] = side
        inputs = {"province": province, "name": table.data.campaign.place(province).name, "before": before}
        table.find("C7.2", inputs=inputs, result=side)


def strong(table: Table[CampaignState], group: str) -> bool:
    """C7.1 Whether a battlegroup has a unit that is ready."""
    return bool(table.data.in_group(table.state, group))


def contacts(table: Table[CampaignState]) -> None:
    """C7.4 Call battles where both sides are present, largest first; attackers beyond the limit go back."""
    book: Book = table.data
    state = table.state
    fighting = {open.place for open in state.battles.values()}
    found = []
    for province in book.campaign.province:
        here = {side: _present(table, province.id, side) for side in book.sides}
        if all(here.values()) and province.id not in fighting:
            weight = sum(len(book.in_group(state, id)) for ids in here.values() for id in ids)
            found.append((-weight, province.id, here))
    free = max(0, book.campaign.limits.battles - len(state.battles))
    for number, (_, province_id, groups) in enumerate(sorted(found, key=lambda row: row[:2])):
        if number < free:
            call_battle(table, province_id, groups)
        else:
            stand_off(table, province_id, groups)


def _present(table: Table[CampaignState], province: str, side: str) -> list[str]:
    groups = table.state.groups.items()
    return [id for id, group in groups if (group.province, group.side) == (province, side) and strong(table, id)]


def call_battle(table: Table[CampaignState], province: str, groups: dict[str, list[str]]) -> None:
    """C7.4 Call a battle in a province; each side is led by the commander of its first battlegroup there."""
    book: Book = table.data
    state, place = table.state, book.campaign.place(province)
    units = {
        side: [unit.id for id in ids for unit in book.in_group(state, id)][: book.campaign.room]
        for side, ids in groups.items()
    }
    commanders = {side: state.groups[ids[0]].seat for side, ids in groups.items()}
    holder = state.control.get(province, "")
    attacker = book.other(holder) if holder else ""
    wanted = Call(place.name, place.scenario, state.turn, units, commanders, province, attacker=attacker)
    wanted.ground, wanted.handicap = book.perimeters(state, province), place.handicap
    number = call(table, wanted)
    for ids in groups.values():
        for id in ids:
            state.groups[id].battle = number


def stand_off(table: Table[CampaignState], province: str, groups: dict[str, list[str]]) -> None:
    """C7.4 Send back the battlegroups that arrived in this stage, because the limit on battles has been reached."""
    for side, ids in groups.items():
        for id in ids:
            group = table.state.groups[id]
            if group.came and table.state.control.get(province, "") != side:
                group.province = group.came
                inputs = {"group": id, "from": province}
                table.find("C7.4", to=table.data.seats_of(side), inputs=inputs, result=group.province)


def after_battle(table: Table[CampaignState], battle: str, fought: Call, winner: str | None) -> None:
    """C7.5 Let the winner hold the province; after a draw its holder does not change."""
    book: Book = table.data
    held = winner or table.state.control.get(fought.place, "") or next(iter(book.sides))
    for id, group in table.state.groups.items():
        if group.battle == battle:
            group.battle = ""
            if group.side != held:
                retreat(table, id, group)
    take(table, fought.place, held)


def retreat(table: Table[CampaignState], id: str, group: GroupState) -> None:
    """C7.5 Retreat to where the group came from or to another friendly neighbour; otherwise break out to its home."""
    book: Book = table.data
    state = table.state
    ways = [group.came, *book.campaign.place(group.province).to]
    enemies = {other.province for other in state.groups.values() if other.side != group.side}
    open_ways = [way for way in ways if way and state.control.get(way) == group.side and way not in enemies]
    goal = open_ways[0] if open_ways else book.sides[group.side].home
    inputs = {"group": id, "from": group.province, "cut_off": not open_ways}
    table.find("C7.5", to=book.seats_of(group.side), inputs=inputs, result=goal)
    if not open_ways:
        break_out(table, id, group)
    group.came, group.province = "", goal


def break_out(table: Table[CampaignState], id: str, group: GroupState) -> None:
    """C7.5 Roll for each unit of a battlegroup that is cut off: on 1 or 2 it goes missing."""
    for unit in [unit for unit in table.state.sides[group.side].units.values() if unit.group == id]:
        if unit.status == "ready":
            die = table.roll(6, "C7.5", unit.id, secret=True)
            unit.status = "missing" if die <= 2 else "ready"
            inputs = {"unit": unit.id, "name": unit.name}
            seats = table.data.seats_of(group.side)
            table.find("C7.5", to=seats, inputs=inputs, dice=[die], result=unit.status)

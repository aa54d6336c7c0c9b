"""C1 The script of a campaign. A stage has three steps: decide, fight, refit.

    C1.1  stage     the commanders give their orders, sealed from each other; battles are called
    C3.1  fight     the reports of the battles are awaited, and carried over into the rosters
    C5    refit     income, repairs, arrivals, missing units; then the next stage, or the end

A call is only data in the state, and ends its step. Nothing here creates a match, so a replay has no side effects.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from pbem.campaigns.rules import provinces, roster
from pbem.campaigns.rules.book import Book
from pbem.campaigns.rules.calls import call
from pbem.campaigns.rules.decisions import MoveOrders, Orders, StageOrders, await_battle
from pbem.campaigns.rules.file import DRAW, END
from pbem.campaigns.rules.state import Call, CampaignState, Report
from pbem.engine.rules.ask import Step, Together
from pbem.engine.rules.table import Table


def stage(table: Table[CampaignState]) -> Step:
    """C1.1 Ask all commanders at once; the commanders' own moves override the chief's orders."""
    book: Book = table.data
    on_map = book.campaign.shape == "map"
    asks = [StageOrders.make_ask(side) for side in book.sides]
    asks += [MoveOrders.make_ask(seat) for seat in book.commanders(table.state)]
    answers = yield Together(tuple(asks))
    given: dict[str, Orders] = {ask.seat: answer for ask, answer in zip(asks, answers, strict=True)}
    for side in book.sides:
        outfit(table, side, given[side])
    if on_map:
        provinces.march(table, given)
    else:
        call_next(table, given)
    fighting = list(table.state.battles)
    if fighting:
        table.then("fight", battles=fighting)
    else:
        table.then("refit")


def outfit(table: Table[CampaignState], side: str, orders: Orders) -> None:
    """C2 Carry out repairs and purchases, in the order in which they were written."""
    for id in orders.repair:
        roster.repair(table, side, id)
    for card, count in orders.buy.items():
        roster.buy(table, side, card, count)
    for id, group in orders.assign.items():
        table.state.sides[side].units[id].group = group
        table.find("C7.6", to=table.data.seats_of(side), inputs={"unit": id}, result=group)
    for group, seat in orders.appoint.items():
        appoint(table, side, group, seat)


def appoint(table: Table[CampaignState], side: str, group: str, seat: str) -> None:
    """C1.2, C1.3 Appoint the commander of a battlegroup or, in a tree, the leader of the side's battles."""
    if group in table.state.groups:
        table.state.groups[group].seat = seat
    else:
        table.state.sides[side].leader = seat
    table.find("C1.2", to=table.data.seats_of(side), inputs={"group": group}, result=seat)


def call_next(table: Table[CampaignState], given: dict[str, Orders]) -> None:
    """C3.1 Call the battle that the campaign has reached in the tree; a side that sends no units yields the field.

    C3.6 If both sides rest there is no battle, and the next stage leads to the same place.
    """
    book: Book = table.data
    node, sent = book.campaign.node(table.state.node), dict[str, list[str]]()
    resting = [side for side in book.sides if rests(table, side, given[side])]
    if len(resting) == len(book.sides):
        table.find("C3.6", inputs={"place": node.name, "idle": resting}, result=None)
        return
    for side in book.sides:
        able = [unit.id for unit in book.able(table.state, side)]
        leader = given.get(book.leader(table.state, side), given[side])
        chosen = leader.send or given[side].send or able
        sent[side] = [id for id in chosen if id in able][: book.campaign.room]
    absent = [side for side, units in sent.items() if not units]
    if absent:
        winner = book.other(absent[0]) if len(absent) == 1 else None
        table.find("C3.2", inputs={"place": node.name, "absent": absent}, result=winner)
        judge(table, winner, decisive=len(absent) == 1)
        return
    commanders = {side: book.leader(table.state, side) for side in book.sides}
    wanted = Call(node.name, node.scenario, table.state.turn, sent, commanders, node.id, node.decisive)
    wanted.ground, wanted.handicap = book.perimeters(table.state, node.id), node.handicap
    call(table, wanted)


def rests(table: Table[CampaignState], side: str, orders: Orders) -> bool:
    """C3.6 Give an idle side its points and return whether it rests; it still fights if the other side attacks."""
    book: Book = table.data
    if not orders.idle or not book.may_rest:
        return False
    rest = book.campaign.income.rest or 0
    has = table.state.sides[side]
    has.points += rest
    table.find("C3.6/rest", to=book.seats_of(side), inputs={"side": side, "rest": rest}, result=has.points)
    return True


def fight(table: Table[CampaignState], battles: list[str]) -> Step:
    """C3.1 Fight battles at the same time; a late battle remains in the state and is awaited in the next stage."""
    reports = yield Together(tuple(await_battle(battle) for battle in battles))
    for battle, report in zip(battles, reports, strict=True):
        if report is None:
            table.find("C3.4", inputs={"battle": battle, "place": table.state.battles[battle].name}, result="late")
        else:
            close_battle(table, battle, report)
    table.then("refit")


def close_battle(table: Table[CampaignState], battle: str, report: Report) -> None:
    """C4 End a battle; everybody learns its result, but each side learns only its own losses."""
    called = table.state.battles.pop(battle)
    others = [points for side, points in report.score.items() if side != report.winner]
    lead = report.score.get(report.winner or "", 0) - max(others, default=0) if report.winner else 0
    decisive = report.winner is not None and lead >= called.decisive
    inputs = {"battle": battle, "place": called.name, "score": report.score, "lead": lead, "decisive": decisive}
    table.find("C4", inputs={**inputs, "how": report.how}, result=report.winner)
    keep_ground(table, called, report)
    roster.carry_over(table, battle, called, report)
    if called.place in table.state.control:
        provinces.after_battle(table, battle, called, report.winner)
        award(table, report.winner, decisive=decisive)
    else:
        judge(table, report.winner, decisive=decisive)


def keep_ground(table: Table[CampaignState], called: Call, report: Report) -> None:
    """C3.7 Keep the perimeters of both sides, from which the next battle at this place begins."""
    for side, has in table.state.sides.items():
        has.ground.pop(called.place, None)
        if side in report.ground:
            has.ground[called.place] = report.ground[side]
    if report.ground:
        held = {side: len(hexes) for side, hexes in report.ground.items()}
        table.find("C3.7", inputs={"place": called.name}, result=held)


def judge(table: Table[CampaignState], winner: str | None, *, decisive: bool) -> None:
    """C3.1 Follow the result to the next battle in the tree."""
    award(table, winner, decisive=decisive)
    node = table.data.campaign.node(table.state.node)
    result = DRAW if winner is None else winner
    goal = node.next.get(f"{result} decisive", node.next[result]) if decisive else node.next[result]
    table.state.node = goal


def award(table: Table[CampaignState], winner: str | None, *, decisive: bool) -> None:
    """C6.1 Award campaign points for a victory, a decisive victory, or a draw."""
    rates, sides = table.data.campaign.points, table.state.sides
    for side, has in sides.items():
        gained = rates.draw if winner is None else 0
        if side == winner:
            gained = rates.decisive if decisive else rates.victory
            has.won += 1
        has.score += gained
    scores = {side: has.score for side, has in sides.items()}
    table.find("C6.1", inputs={"winner": winner, "decisive": decisive}, result=scores)


REFIT: Final[Mapping[str, Callable[[Table[CampaignState], str], None]]] = {
    "missing": roster.return_missing,
    "repairs": roster.end_repairs_in_refit,
    "income": roster.earn,
    "arrivals": roster.arrive,
}
"""C5 The steps of a refit by the names that a file uses."""


def refit(table: Table[CampaignState]) -> Step:
    """C5 After the battles, carry out the refit in the order of the file; then comes the next stage, or the end."""
    book: Book = table.data
    for side in book.sides:
        for name in book.campaign.refit:
            REFIT[name](table, side)
    if is_over(table):
        end(table)
        return
    table.state.turn += 1
    for side in book.sides if "repairs" not in book.campaign.refit else ():
        roster.end_repairs(table, side)
    table.find("C1.1", inputs={"stage": table.state.turn}, result=table.state.node)
    season = book.campaign.season_at(table.state.turn)
    if season is not None and season.stage == table.state.turn:
        table.find("C1.4", inputs={"stage": table.state.turn}, result=season.name)
    table.then("stage")
    yield from ()


def is_over(table: Table[CampaignState]) -> bool:
    """C6.2 Whether the campaign ends: last stage, end of the tree, home lost, or no unit left."""
    state, book = table.state, table.data
    if state.battles:
        return False  # C3.4: no side is beaten while a battle is running
    bare = any(not has.units and not has.coming for has in state.sides.values())
    fallen = any(state.control.get(side.home, id) != id for id, side in book.sides.items())
    fallen = fallen and book.campaign.limits.homes
    return state.turn >= book.campaign.stages or state.node == END or fallen or bare


def end(table: Table[CampaignState]) -> None:
    """C6.2 End the campaign; the side with the higher score, including the value of its provinces, wins."""
    score = scores(table.data, table.state)
    best = max(score.values())
    winners = [side for side, points in score.items() if points == best]
    winner = winners[0] if len(winners) == 1 else None
    said = ", ".join(f"{side} {points}" for side, points in score.items())
    table.find("C6.2", inputs={"stage": table.state.turn, "score": score}, result=winner)
    table.end("C6.2", winner, said, score=score)


def scores(book: Book, state: CampaignState) -> dict[str, int]:
    """C6.1 Each side's campaign points, plus the value of the provinces that it holds."""
    held = dict.fromkeys(book.sides, 0)
    for province in book.campaign.province:
        if holder := state.control.get(province.id, ""):
            held[holder] += province.value
    return {side: has.score + held[side] for side, has in state.sides.items()}

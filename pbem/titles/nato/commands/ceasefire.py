"""35.1.2 A ceasefire: either side proposes terms, and the match ends when both sides propose the same.

    ceasefire                proposes the points that the match would end with now
    ceasefire 3 nato         proposes the same, with three more points for NATO
    ceasefire nato marginal  proposes a level of victory; also `ceasefire draw`
    ceasefire never          withdraws the side's proposal

A proposal is open in the player turn in which it is made and in the next one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec

from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import Message, Name, say
from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.commands.powers import theatre
from pbem.titles.nato.data_set import NatoData
from pbem.titles.nato.map.grid import is_number
from pbem.titles.nato.player.orders import Dispositions
from pbem.titles.nato.state import ENEMY, NatoState, Proposal
from pbem.titles.nato.victory import count_points, points_of

RULE: Final = "35.1.2"
BY_POINTS: Final = "points"
NEVER: Final = "never"
DRAW: Final = "draw"
SIDES: Final = tuple(str(side) for side in Side)


def terms_of(words: Sequence[str]) -> str:
    """Return the terms given by the words after `ceasefire`, in canonical form."""
    return " ".join(words).lower() or BY_POINTS


def line_of(terms: str) -> str:
    """Return the order line that proposes or accepts these terms."""
    return "ceasefire" if terms == BY_POINTS else f"ceasefire {terms}"


def extra_points(terms: str) -> tuple[Side, int] | None:
    """35.1.2 Return the side to which these terms give extra points, and how many."""
    number, _, side = terms.partition(" ")
    return (Side(side), int(number)) if is_number(number) and side in SIDES else None


def known_terms(data: NatoData) -> list[str]:
    """35.1.2 Return the terms that name a level of victory in this scenario."""
    levels = data.scenario.victory.levels
    return [DRAW, *dict.fromkeys(f"{row.winner} {row.level}" for row in levels if row.winner)]


def ceasefire_objections(board: Board, seat: str, terms: str) -> Iterator[Objection]:
    """35.1.2, 35.8 Object to a proposal before the war, with unknown terms, or by a seat other than the theatre."""
    if not terms:
        return
    if not theatre(board, seat):
        yield Objection("35.8/side-wide-choices", say("only the theatre command decides this for the whole side"))
    if not board.state.turn or board.state.gdp_army:
        yield Objection(RULE, say("the war has not begun"))
    if terms not in (BY_POINTS, NEVER, *known_terms(board.data)) and not extra_points(terms):
        lines = Name(", ".join(map(line_of, (BY_POINTS, "3 nato", *known_terms(board.data)))))
        yield Objection(
            RULE, say("“{terms}” are not terms for a ceasefire; you can send {lines}", terms=terms, lines=lines)
        )


def player_turn(state: NatoState) -> int:
    """7.1 Return the number of the current player turn, counted from the start of the match."""
    return 2 * state.turn + (state.side is Side.NATO)


def proposals(state: NatoState) -> Mapping[Side, Proposal]:
    """35.1.2 Return the proposals that are open now, by side."""
    if isinstance(state.ceasefire, msgspec.UnsetType):
        return {}
    return {side: one for side, one in state.ceasefire.items() if player_turn(state) <= one.player_turn + 1}


def propose(table: Table[NatoState], board: Board, side: Side, given: Sequence[Dispositions]) -> None:
    """35.1.2 Record what a side proposes or withdraws, and end the match if both sides now propose the same."""
    state = table.state
    terms = next((orders.ceasefire for orders in given if orders.ceasefire), "")
    if not terms or state.outcome is not None:
        return
    found = dict(proposals(state))
    found.pop(side, None)
    if terms != NEVER:
        found[side] = Proposal(terms, player_turn(state))
    state.ceasefire = found or msgspec.UNSET
    agreed = terms != NEVER and ENEMY[side] in found and found[ENEMY[side]].terms == terms
    result = "agreed" if agreed else "withdrawn" if terms == NEVER else "proposed"
    table.find(RULE, inputs={"side": side, "terms": terms}, result=result)
    if agreed:
        cease_fire(table, board, terms)


def cease_fire(table: Table[NatoState], board: Board, terms: str) -> None:
    """35.1.2 End the match on agreed terms: by a level of victory, or by the points as of this moment."""
    if terms in known_terms(board.data):
        winner, _, name = terms.rpartition(" ")
        table.end(RULE, winner or None, "a ceasefire was agreed", score=points_of(board), level=name)
        return
    if extra := extra_points(terms):
        side, number = extra
        table.state.points[side] = table.state.points.get(side, 0) + number
    count_points(table, board)


def open_proposal(board: Board, side: Side) -> Message | None:
    """35.1.2 Return a remark on the enemy's open proposal that says how to accept it."""
    theirs = proposals(board.state).get(ENEMY[side])
    if theirs is None:
        return None
    return say("The enemy proposes a ceasefire. To accept it, send {line}.", line=Name(line_of(theirs.terms)))

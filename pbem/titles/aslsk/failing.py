"""Orders that failed, wholly or in part: each is reported to its owner with the reason."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.engine.rules.happenings import Fail
from pbem.engine.rules.refusals import Objection, reasons
from pbem.engine.text.messages import as_message
from pbem.titles.aslsk.fire.components import component
from pbem.titles.aslsk.state import Piece
from pbem.titles.aslsk.tabletop import AslskTable


def report_failure(
    table: AslskTable,
    seat: str,
    words: str,
    against: Sequence[Objection],
    *,
    partly: bool = False,
    needless: bool = False,
    units: Sequence[str] = (),
) -> None:
    """Tell a seat which order failed, for which units, and why, or that the order was not needed."""
    first, who = against[0], dict.fromkeys(behind(table, id) for id in units)
    table.find(
        first.rule,
        to=(seat,),
        inputs={"order": words, "why": [as_message(objection.why) for objection in against], "partly": partly},
        result="carried out in part" if partly else "not carried out",
        shows=[Fail(unit, words, reasons(against), first.rule, needless) for unit in who],
    )


def report_attempt(table: AslskTable, piece: Piece, words: str, against: Objection) -> None:
    """Tell the owner of a unit that an attempt it was ordered to make has failed."""
    report_failure(table, piece.seat, f"{piece.id} {words}", [against], units=[piece.id])


def behind(table: AslskTable, id: str) -> str:
    """1.2.4 The unit or vehicle that has a weapon; an id that is not a weapon's is returned unchanged."""
    found = component(table.situation, id)
    return found.unit.id if found is not None else id

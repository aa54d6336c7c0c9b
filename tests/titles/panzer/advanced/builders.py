"""Small builders for tests of the advanced game, in addition to those of the basic game.

    squad = a_leg("g1", "C3", "german_rifle_squad", weapons=("mg42_hmg",))
    gun = a_gun("g2", "C4", "pak38", facing=3)
    tank = a_tank("b1", "F6", "crusader1", command=Command.MOVE)
    table = an_advanced_table(squad, gun, tank, board=a_board(), dice=[12], rules=(...))
    run_step(table, some_step(table, side="german"), {"fire": [...]})

Every unit belongs to a formation of its side named after it (`german`), Seasoned by default. All rules of the
advanced game and no optional ones are in use, unless `rules` names others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
import pytest
from titles.panzer.builders import Scripted, a_board, a_hex, everybody

from pbem.engine.geometry.hexes import Hex
from pbem.engine.rules.table import Table
from pbem.titles.panzer.cards.advanced_cards import AdvancedCards, advanced_cards
from pbem.titles.panzer.cards.advanced_charts import advanced_charts
from pbem.titles.panzer.cards.basic_rows import EDITIONS, Edition
from pbem.titles.panzer.cards.board import Board
from pbem.titles.panzer.cards.charts import charts, with_switches
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.setup.scenario import AdvancedScenario, FormationRow
from pbem.titles.panzer.setup.scenario_file import REROLL, Seat, Side
from pbem.titles.panzer.state import PanzerState, Status, Unit

SIDES = {"g": "german", "b": "british", "s": "soviet", "i": "italian", "u": "us"}


def a_unit(id: str, hex: str | Hex | None, card: str, kind: str, **more: Any) -> Unit:
    """Build a unit on the map, or in reserve if no hex is given; the first letter of its id gives its side."""
    side = more.pop("side", SIDES[id[0]])
    status = Status.RESERVE if hex is None else Status.ON_MAP
    given: dict[str, Any] = {"status": status, "name": id, "formation": side, **more}
    return Unit(id=id, side=side, card=card, kind=kind, hex=None if hex is None else a_hex(hex), **given)


def a_tank(id: str, hex: str | Hex | None, card: str = "pz4h", **more: Any) -> Unit:
    return a_unit(id, hex, card, "vehicle", **more)


def a_gun(id: str, hex: str | Hex | None, card: str, **more: Any) -> Unit:
    return a_unit(id, hex, card, "towed", **more)


def a_leg(id: str, hex: str | Hex | None, card: str, **more: Any) -> Unit:
    return a_unit(id, hex, card, "leg", **more)


def an_advanced_state(
    *units: Unit, spotted: Mapping[str, Iterable[str]] | None = None, sides: Sequence[str] = (), **more: Any
) -> PanzerState:
    """Build a state with these units. All have spotted every enemy, and the first side named is First Player."""
    named = [*sides, *(unit.side for unit in units), "german", "soviet"]
    both = tuple(dict.fromkeys(named))[:2]
    by_id = {unit.id: unit for unit in sorted(units, key=lambda unit: unit.id)}
    given: dict[str, Any] = {"first": both[0], **more}
    seen = everybody(by_id) if spotted is None else spotted
    return PanzerState(vehicles=by_id, spotted={id: list(ids) for id, ids in seen.items()}, sides=both, **given)


def advanced_data(
    board: Board | None = None,
    *,
    edition: Edition = "2024",
    sides: Sequence[str] = ("german", "soviet"),
    grades: Mapping[str, str] | None = None,
    rules: Sequence[str] = ADVANCED_RULES,
    book: AdvancedCards | None = None,
    **scenario: Any,
) -> PanzerData:
    """The frozen data of an advanced match: an open board, packaged charts and cards, a bare scenario.

    `grades` are the formations' grades by side; each side has one formation with its own name.
    """
    board = board or a_board()
    book = book or advanced_cards(edition)
    formations = {
        side: FormationRow(side, side, side, side, (grades or {}).get(side, "seasoned"))  # type: ignore[arg-type]
        for side in sides
    }
    bare: dict[str, Any] = {
        "name": "test",
        "text": "",
        "edition": edition,
        "map": "test",
        "turns": 3,
        "board": board,
        "sides": tuple(Side(side, side) for side in sides),
        "seats": tuple(Seat(side, side, side) for side in sides),
        "areas": {},
        "units": (),
        "objectives": (),
        "exits": (),
        "levels": (),
        "initiative_tie": REROLL,
        "initiative_winner": "chooses",
        "early_end": "never",
        "switches": {},
        "formations": formations,
        "force_grades": dict.fromkeys(sides, "seasoned"),
        "rules": tuple(rules),
    }
    return PanzerData(
        board=board,
        charts=with_switches(charts(edition), scenario.get("switches", {})),
        cards={id: card.card for id, card in book.vehicles.items()},
        scenario=AdvancedScenario(**bare | scenario),
        edition=edition,
        advanced=advanced_charts(edition),
        book=book,
    )


def an_advanced_table(
    *units: Unit,
    dice: Iterable[int] = (),
    state: PanzerState | None = None,
    data: PanzerData | None = None,
    board: Board | None = None,
    edition: Edition = "2024",
    scenario: Mapping[str, Any] | None = None,
    **more: Any,
) -> Table[PanzerState]:
    """Build a table from units (or a state), scripted dice and an edition's data; `more` goes to the state."""
    state = state or an_advanced_state(*units, **more)
    data = data or advanced_data(board, edition=edition, **{"sides": state.sides, **(scenario or {})})
    return Table(state, Scripted(dice), data)


def changed(unit: Unit, **changes: Any) -> Unit:
    """A copy of a unit with some fields changed."""
    return msgspec.structs.replace(unit, **changes)


def both_editions(*rules: str) -> Any:
    """Run a test in both editions, marked with these rules under each edition's numbers."""
    params = []
    for edition in EDITIONS:
        own = sorted({ledger_row(edition, rule) for rule in rules})
        params.append(pytest.param(edition, marks=pytest.mark.rule(*own, editions=(edition,))))
    return pytest.mark.parametrize("edition", params)

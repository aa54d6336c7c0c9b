"""Orders for many units: whole lines for a company, even if it is not on the map yet."""

from __future__ import annotations

import pytest
from titles.aslsk.builders import a_table, enter

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.title import Wish
from pbem.titles.aslsk.orders import MoveOrder, Orders
from pbem.titles.aslsk.player.exchanges import TurnOrders
from pbem.titles.aslsk.player.proposals import propose
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.title import Aslsk


def test_3_3_entry_a_company_off_the_map_enters_it_in_stacks_that_end_apart() -> None:
    title = Aslsk()
    rules = title.rules(title.freeze("first-light", {}))
    state = rules.setup(())
    units = tuple(id for id, unit in state.units.items() if unit.seat == "russian")
    assert units and not any(state.units[id].at for id in units)
    ask: Ask = TurnOrders.make_ask("russian", subject="")
    found = propose(Situation(rules.data, state), ask, Wish(units, "move", goal="K5"))
    ends = [line.split()[-1] for line in found.lines]
    assert found.left_out == () and len(found.lines) == 3 and len(set(ends)) == 3
    assert rules.check(state, ask, rules.read(state, ask, "\n".join(found.lines)).answer)


def test_3_3_1_proposals_one_after_the_other_are_legal_together() -> None:
    """Each proposal takes account of the lines already written: entering stacks end apart, and no
    unit moves twice.
    """
    title = Aslsk()
    rules = title.rules(title.freeze("first-light", {}))
    state = rules.setup(())
    units = tuple(id for id, unit in state.units.items() if unit.seat == "russian")
    ask: Ask = TurnOrders.make_ask("russian", subject="")
    written: tuple[str, ...] = ()
    for part in (units[:4], units[4:8], units[8:]):
        written += rules.propose(state, ask, Wish(part, "move", goal="K5", kept=written)).lines
    assert len({line.split()[-1] for line in written}) == len(written) >= 3
    assert rules.check(state, ask, rules.read(state, ask, "\n".join(written)).answer)
    again = rules.propose(state, ask, Wish(units[:1], "move", goal="K5", kept=written))
    assert again.lines == () and again.left_out == units[:1]


@pytest.mark.rule("3.3.1/stacking", effect=True)
def test_3_3_1_stacks_on_the_map_do_not_overfill_a_hex_that_others_move_into() -> None:
    squads = {f"g{number}": ("467", hex) for number, hex in enumerate(("K5", "K5", "L5", "L5"), 1)}
    table = a_table({**squads, "r1": ("447", "K1")})
    ask: Ask = TurnOrders.make_ask("german", subject="")
    first = propose(table.situation, ask, Wish(("g1", "g2"), "move", goal="K7"))
    kept = Orders(moves=(MoveOrder(("g1", "g2"), enter(*first.lines[0].split()[3:])),))
    second = propose(table.situation, ask, Wish(("g3", "g4"), "move", goal="K7"), kept)
    assert first.lines[0].split()[-1] == "K7" != second.lines[0].split()[-1]

"""Orders for many units: whole lines for a company, even one that is not on the map yet."""

from __future__ import annotations

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.title import Wish
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
    ask: Ask = TurnOrders.asked("russian", subject="")
    found = propose(Situation(rules.data, state), ask, Wish(units, "move", goal="K5"))
    ends = [line.split()[-1] for line in found.lines]
    assert found.left_out == () and len(found.lines) == 3 and len(set(ends)) == 3
    assert rules.check(state, ask, rules.read(state, ask, "\n".join(found.lines)).answer)

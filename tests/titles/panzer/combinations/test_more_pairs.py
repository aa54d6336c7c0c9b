"""More pairs of rules, each answer worked out from the book before it was tried."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from support.rules import assert_rule
from titles.panzer.advanced.builders import a_tank
from titles.panzer.artillery.missions import a_call, a_table, step
from titles.panzer.artillery.test_observers import mortar
from titles.panzer.builders import a_hex, run_step

from pbem.titles.panzer.artillery import landing
from pbem.titles.panzer.artillery.barrage import barrage_attacks

# --- 5.16, 6.6.6 a mortar that is short of ammunition -------------------------------------------------------------


@pytest.mark.rule("6.6.6")
@pytest.mark.parametrize(("die", "lost"), [(3, 0), (4, -10)])
def test_6_6_6_a_mortar_that_is_short_of_ammunition_is_short_all_turn(
    die: int, lost: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check is made once for this turn's fire, with limit 3: its -10 (5.16.2.1) goes with every attack of it."""
    limited: Any = landing.basic_limit
    monkeypatch.setattr(
        landing, "basic_limit", lambda table, firer: limited(table, replace(firer, limits={"basic": 3}))
    )
    table = a_table(a_tank("s1", "C10", "t34_76"), a_tank("s2", "C14", "t34_76"), dice=[9, die, 50, 50], batteries=[])
    table.state.vehicles["g4"] = mortar(table.data, "g4", "C2")
    step(table, a_call("C10", "g4", sheaf="on_map"))
    table.findings.clear()
    mover = table.state.vehicles["s2"]
    mover.hex = a_hex("C10")
    run_step(table, barrage_attacks(table, mover))
    assert_rule(table.findings, "6.6.6", inputs={"unit": "s2", "firer": "g4"})
    assert_rule(table.findings, "6.5.4.4", inputs={"net": -20 + lost})  # an A-type vehicle

"""The example lines of a form name units and hexes of the match, and can be sent as they are."""

from __future__ import annotations

from titles.aslsk.builders import a_table

from pbem.titles.aslsk.player.examples import Examples
from pbem.titles.aslsk.player.exchanges import Close, TurnOrders
from pbem.titles.aslsk.title import AslskRules

ALL = ("rally", "prep", "moves", "plan", "advancing", "routs", "advances", "hatches", "combats", "gifts", "spared")


def a_position(**more):
    return a_table(
        {"g1": ("467", "E4"), "gl1": ("g 9-1", "E4"), "g2": ("467", "E4"), "r1": ("447", "E8")},
        weapons={"gw1": ("german-lmg", "g1")},
        phase="rally",
        **more,
    )


def test_examples_use_the_units_of_the_match_and_leave_out_sections_without_a_use():
    found = [*Examples(a_position().situation, "german").lines(ALL)]
    assert "g1 gw1 fire E8 with gl1" in found and "give gw1 to g2" in found
    assert not [line for line in found if line.startswith(("rally", "combat", "no interdiction"))]
    broken = a_position(states={"g2": {"broken": True}})
    assert "rally g2 by gl1" in [*Examples(broken.situation, "german").lines(ALL)]


def test_every_example_of_a_form_can_be_sent():
    table = a_position(states={"g2": {"broken": True}})
    rules = AslskRules(table.data)
    for kind in (TurnOrders, Close):
        ask = kind.make_ask("german", subject="")
        lines = [str(line).removeprefix("# ") for line in kind(table.data, table.state, ask).form()]
        start, end = lines.index("for example:"), lines.index("your units:")
        assert end > start + 2
        for line in lines[start + 1 : end]:
            said = rules.read(table.state, ask, line)
            assert rules.check(table.state, ask, said.answer), line

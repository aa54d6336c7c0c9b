"""6.2.1 An order for a whole company reaches as many units as its commands allow, and explains the rest."""

from __future__ import annotations

import pytest

from pbem.engine.geometry.hexes import Hex, distance, parse_hex
from pbem.engine.play.bots import own_bot
from pbem.engine.play.resolve import as_the_rules_say
from pbem.engine.rules.title import Wish
from pbem.titles.panzer.title import Panzer
from pbem.tools.simulate import Playing


@pytest.fixture(scope="module")
def battalion() -> Playing:
    """The scenario `combined` at its first Command Phase."""
    title = Panzer()
    match = Playing(title.rules(title.freeze("combined", {})), title.switches, 1, as_the_rules_say)
    bots = {seat: own_bot(match.rules)(seat) for seat in match.rules.seats}
    match.go_on({})
    while all(ask.kind != "commands" for ask in match.run.asks):
        match.go_on(match.answered(bots))
    return match


@pytest.mark.parametrize("verb, goal", [("move", "N15"), ("overwatch", "")])
def test_6_2_1_nobody_is_left_out_while_the_company_has_commands(battalion: Playing, verb: str, goal: str):
    rules, view, ask = battalion.rules, battalion.run.view("axis"), battalion.run.ask_of("axis")
    assert ask is not None
    for company in rules.formations(view, "axis"):
        proposed = rules.propose(view, ask, Wish(company.units, verb, goal=goal))
        said = " ".join(map(str, proposed.remarks))
        assert set(proposed.left_out) <= {word.strip(",:()") for word in said.split()}  # each has its reason
        if "without an order" in said:
            spent = rules.count_commands(view, ask, rules.read(view, ask, "\n".join(proposed.lines)))
            assert spent[company.id] == company.limit
            assert f"{company.limit} command" in said


def test_6_2_1_1_3_a_proposal_leaves_the_commands_of_other_lines_alone(battalion: Playing):
    """Lines proposed for one unit after another can be sent together, as long as commands are left."""
    rules, view, ask = battalion.rules, battalion.run.view("axis"), battalion.run.ask_of("axis")
    assert ask is not None
    for company in rules.formations(view, "axis"):
        kept: tuple[str, ...] = ()
        for unit in company.units:
            kept += rules.propose(view, ask, Wish((unit,), "overwatch", kept=kept)).lines
        assert company.limit is not None
        assert rules.count_commands(view, ask, rules.read(view, ask, "\n".join(kept)))[company.id] <= company.limit


@pytest.mark.parametrize("goal", ["D14", "J8", "J20", "S14"])
def test_6_2_1_1_4_units_that_share_a_command_are_sent_to_places_within_its_range(battalion: Playing, goal: str):
    """Every unit of a group is sent to a place within range of all the others, so that none has to stay behind."""
    rules, view, ask = battalion.rules, battalion.run.view("axis"), battalion.run.ask_of("axis")
    assert ask is not None
    for company in rules.formations(view, "axis"):
        ends: dict[str, list[Hex]] = {}
        for line in rules.propose(view, ask, Wish(company.units, "move", goal=goal)).lines:
            unit, *words = line.split()
            ends.setdefault(words[1] if words[0] == "with" else unit, []).append(parse_hex(words[-1]))
        assert all(distance(one, other) <= 1 for places in ends.values() for one in places for other in places)

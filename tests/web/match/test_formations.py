"""Orders for many units on the page: formations with their counters, and lines that the title proposes."""

from __future__ import annotations

import pytest

from pbem.engine.play.run import Run
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.title import Wish
from pbem.matches.players.many import expand
from pbem.titles.panzer.title import Panzer


@pytest.fixture(scope="module")
def duel():
    """Return the rules, view and ask for the first commands of a small match."""
    title = Panzer()
    rules = title.rules(title.freeze("duel", {}))
    run = Run(rules, rules.setup(()))
    run.proceed()
    ask = run.asks[0]
    return rules, run.view(ask.seat), ask


def test_a_proposal_is_whole_lines_and_names_what_was_left_out(ann, bob, nobody, match):
    answer = ann.post(f"/matches/{match}/propose", units="r1 r2", verb="hold")
    told = [*(line.split()[0] for line in answer.json.get("lines", [])), *answer.json.get("left_out", [])]
    assert answer.status_code == 200 and sorted(told) == ["r1", "r2"]
    assert nobody.post(f"/matches/{match}/propose", units="r1", verb="hold").status_code in (303, 403)
    assert ann.post(f"/matches/{match}/propose", verb="hold").status_code == 422


def test_a_title_proposes_lines_that_it_reads_as_they_are(duel):
    rules, view, ask = duel
    (formation,) = rules.formations(view, ask.seat)
    lines = rules.propose(view, ask, Wish(formation.units, "overwatch")).lines
    assert len(lines) == len(formation.units)
    rules.read(view, ask, "\n".join(lines))


def test_units_keep_their_places_when_many_move_in_formation(duel):
    rules, view, ask = duel
    together = rules.propose(view, ask, Wish(("ge1", "ge2", "ge3"), "move", goal="J6", shape="hex")).lines
    in_formation = rules.propose(view, ask, Wish(("ge1", "ge2", "ge3"), "move", goal="J6")).lines
    ends = [line.split()[-1] for line in in_formation]
    assert len(set(ends)) == 3 and together != in_formation


def test_a_line_for_a_company_becomes_the_lines_of_its_units(duel):
    rules, view, ask = duel
    (formation,) = rules.formations(view, ask.seat)
    text = expand(rules, view, ask, f"ge1 fire br3\ncompany {formation.id} overwatch # all others")
    assert text.splitlines() == ["ge1 fire br3", "ge2 overwatch", "ge3 overwatch", "ge4 overwatch"]
    rules.read(view, ask, text)
    assert expand(rules, view, ask, "ge1 hold\nrest overwatch") == "ge1 hold\nrest overwatch"


def test_a_unit_in_a_line_with_its_words_in_the_wrong_order_gets_no_line_from_its_company(duel):
    rules, view, ask = duel
    text = expand(rules, view, ask, "company german overwatch\nmove ge2 I5")
    assert text.splitlines() == ["ge1 overwatch", "ge3 overwatch", "ge4 overwatch", "move ge2 I5"]
    with pytest.raises(Refusal, match="a line begins with a unit") as refused:
        rules.read(view, ask, text)
    assert refused.value.instead == ("ge2 move I5",)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("company tigers overwatch", "you have no formation with that name"),
        ("formation german", "say what the formation should do"),
        ("company german fire br9", "no unit has that name"),
    ],
)
def test_a_line_for_a_company_that_cannot_be_read_is_refused_with_its_line(duel, line, why):
    rules, view, ask = duel
    with pytest.raises(Refusal, match=why) as refused:
        expand(rules, view, ask, f"ge1 hold\n{line}")
    assert refused.value.line == line

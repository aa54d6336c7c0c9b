"""Orders for many units on the page: formations with counters, and lines that the title proposes."""

from __future__ import annotations

from pbem.engine.play.run import Run
from pbem.engine.rules.title import Wish
from pbem.titles.panzer.title import Panzer


def test_a_proposal_is_whole_lines_and_names_what_was_left_out(ann, bob, nobody, match):
    answer = ann.post(f"/matches/{match}/propose", units="r1 r2", verb="hold")
    told = [*(line.split()[0] for line in answer.json.get("lines", [])), *answer.json.get("left_out", [])]
    assert answer.status_code == 200 and sorted(told) == ["r1", "r2"]
    assert nobody.post(f"/matches/{match}/propose", units="r1", verb="hold").status_code in (303, 403)
    assert ann.post(f"/matches/{match}/propose", verb="hold").status_code == 422


def test_a_title_proposes_lines_that_it_reads_as_they_are():
    title = Panzer()
    rules = title.rules(title.freeze("duel", {}))
    run = Run(rules, rules.setup(()))
    run.proceed()
    ask = run.asks[0]
    view = run.view(ask.seat)
    (formation,) = rules.formations(view, ask.seat)
    lines = rules.propose(view, ask, Wish(formation.units, "overwatch")).lines
    assert len(lines) == len(formation.units)
    rules.read(view, ask, "\n".join(lines))

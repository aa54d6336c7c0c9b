"""Places in a record, given by turn, scene and sentence, mean the same in film, report, email and dispute at any
time."""

from __future__ import annotations

import pytest
from support.seated import Table

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Change, Fail, Lose, Move, Shot
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.title import Stand
from pbem.matches import views
from pbem.matches.audit.lines_of_play import disputed_sentences
from pbem.matches.events import DisputeOpened
from pbem.matches.film import places
from pbem.matches.film.scenes import scenes
from pbem.matches.film.turns import film
from pbem.matches.rulings import disputes, rulings
from pbem.matches.rulings.disputes import _with_text

KNOWN = {"a1": Stand("a1", "a1", "red", "A1", 1, "1st"), "b1": Stand("b1", "b1", "blue", "B1", 1, "2nd")}
LATER = {2: [Stand("c1", "c1", "blue", "C1", 1, "2nd")], 3: [Stand("c1", "c1", "blue", "C1", 1, "3rd")]}
PLAY = [
    (2, [Finding("0"), Finding("1", shows=(Move("a1", (("A1", 1), ("A2", 1))),)), Finding("2")]),
    (3, [Finding("3", shows=(Move("c1", (("C1", 1), ("C2", 1))),)), Finding("4", shows=(Shot("b1", "a1"),))]),
    (4, [Finding("5", shows=(Shot("c1", "a1"), Lose("a1", "A2", "hit"))), Finding("6")]),
    (5, [Finding("7", shows=(Change("b1", "suppressed", True),)), Finding("8", shows=(Fail("b1", "fire", "no"),))]),
]


@pytest.mark.parametrize("exchanges", [1, 2, 3])
def test_what_an_email_has_numbered_keeps_its_number_when_the_turn_goes_on(exchanges: int) -> None:
    def cut(count: int) -> list[list[tuple[int, int]]]:
        made = scenes(PLAY[:count], KNOWN, lambda exchange: LATER.get(exchange, ()))
        return [[(spot.exchange, spot.index) for spot in scene.told] for scene in made]

    early, late = cut(exchanges), cut(4)
    assert [now[: len(then)] for then, now in zip(early, late, strict=False)] == early
    assert sorted(spot for scene in late for spot in scene) == [
        (exchange, index) for exchange, found in PLAY for index in range(len(found))
    ]


def begun(table: Table) -> Table:
    table.begin(master=True)
    table.play(("red", "r1 go3"), ("blue", "b1 ambush"))
    return table


def test_a_scene_that_is_disputed_has_the_sentences_that_film_and_report_number_so(table: Table) -> None:
    begun(table)
    shown = film(table.server, table.match, "red", 1)
    assert shown is not None and shown.scenes
    report = views.numbered_report(table.server, table.match, "red", 2)
    for scene in shown.scenes:
        number = f"1.{scene.number}"
        [done] = table.say("red", f"dispute {number} (rule 4.2): no")
        assert str(done.note).startswith(f"You have disputed scene {number}.")
        told = disputed_sentences(table.server, table.match, disputes.disputes(table.record)[-1])
        assert told == [one for one in report.told if one.place.startswith(f"{number}.")] != []
    last = report.told[-1]
    table.say("red", f"dispute {last.place}: no")
    [only] = disputed_sentences(table.server, table.match, disputes.disputes(table.record)[-1])
    assert only == last
    with pytest.raises(Refusal, match=r"your report on turn 1 has no scene 1\.9"):
        table.say("red", "dispute 1.9: no")


def test_the_sentences_of_a_dispute_stay_what_they_were_when_a_ruling_takes_the_turn_back(table: Table) -> None:
    begun(table).say("red", "dispute 1.1: no")
    [dispute] = disputes.disputes(table.record)
    before = disputed_sentences(table.server, table.match, dispute)
    rulings.reopen(table.server, table.match, after=1, reason="a wrong hex", by=table.master)
    assert disputed_sentences(table.server, table.match, dispute) == before != []
    with pytest.raises(Refusal, match="turn 1 has not been played"):
        places.find(table.server, table.record, "red", "1.1")
    assert places.find(table.server, table.record, "red", "exchange 2").first == 2


def test_an_old_dispute_names_the_number_of_its_sentence_in_another_form(table: Table) -> None:
    """An old dispute, which names a sentence by its number in the record of an exchange, still finds that
    sentence."""
    begun(table)
    with table.server.change(table.record, "dispute") as change:
        old = DisputeOpened(1, "red", 2, 1, "4.2")
        change.append(_with_text(table.server, change.record, old, "dispute", "red", "no"))
    [found] = disputes.disputes(table.record)
    assert str(found.named) == "report 2, sentence 1"
    [told] = disputed_sentences(table.server, table.match, found)
    assert told.text == views.report(table.server, table.match, "red", 2).told[0].text

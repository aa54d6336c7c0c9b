"""The answers to questions, such as why a unit was not seen, use only what the viewer could see at that time."""

from __future__ import annotations

import lzma
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from support.playing import a_match, a_server, close_now, entropy

from pbem.engine.rules.findings import PUBLIC, Finding
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.title import Rules, Submission
from pbem.matches.audit import hypothetical, questions
from pbem.matches.exchange import advancing, creating, resolving, sealing
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.export import read_export
from pbem.matches.history.replay import load, record_of
from pbem.matches.installation import open_server
from pbem.titles.registry import TITLES

GOLDEN = Path(__file__).parents[2] / "golden"


@pytest.mark.parametrize(("title", "scenario"), [("panzer", "duel"), ("tanks", ""), ("aslsk", "")])
def test_each_title_with_sight_says_why_a_unit_sees_another_or_not(tmp_path: Path, title: str, scenario: str) -> None:
    server = open_server(tmp_path / "pbem.db", TITLES, entropy=entropy(1))
    options = {"los": "open"} if title == "aslsk" else {}
    match = creating.new_match(server, title, scenario or TITLES[title].scenarios[0], options=options)
    for seat in record_of(server, match).seats:
        take_seat(server, match, seat, f"bot-{title}")
    record = record_of(server, match)
    entry = record.resolved[2]
    assert entry.resolved is not None
    last, here = entry.exchange, load(server, match, upto=entry.resolved.version)
    first, second = record.seats[:2]
    view = here.run.view(first)
    ours = [stand.id for stand in here.rules.stands(view) if stand.side == first]
    theirs = [stand.id for stand in here.rules.stands(view) if stand.side == second]
    asked = [questions.why_unseen(server, match, first, last, one, two) for one in ours[:3] for two in theirs[:3]]
    known = [one for one in asked if one.known]
    assert known, (ours, theirs)
    assert all(told.rule and told.text for one in known for answer in one.answers for told in answer.told)
    assert not questions.why_unseen(server, match, first, last, ours[0], "no-such-unit").known


def test_an_answer_is_made_from_the_viewers_own_view(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = a_server(tmp_path)
    match = a_match(server)
    views = []
    rules = type(load(server, match).rules)
    monkeypatch.setattr(rules, "explain_sight", lambda self, view, *names: views.append(view) or (), raising=False)
    questions.why_unseen(server, match, "red", 1, "r1", "b1")
    here = load(server, match)
    assert views == [here.run.view("red")] and views != [here.run.view("blue")]


def test_orders_of_a_past_exchange_are_judged_as_they_would_have_been_then(tmp_path: Path) -> None:
    server = a_server(tmp_path)
    match = a_match(server)
    for seat in ("red", "blue"):
        sealing.seal(server, match, seat, 2, Submission({}))
    close_now(server, match, 2)
    resolving.resolve(server, match)
    for exchange in (2, 3):
        wrong = questions.why_refused(server, match, "red", exchange, "r9 go2")
        assert wrong.refused and all(why for one in wrong.refused for _, why in one.objections)
        fine = questions.why_refused(server, match, "red", exchange, "r1 hold")
        assert not fine.refused and "r1" in fine.reading
    assert record_of(server, match).sealed == {}, "nothing is sealed by a question"
    for seat, exchange in (("red", 1), ("red", 9), (PUBLIC, 2), ("", 2)):
        with pytest.raises(Refusal):
            questions.why_refused(server, match, seat, exchange, "r1 hold")


# A modifier --------------------------------------------------------------------------------------------------


def recorded() -> Iterator[tuple[Rules, Finding]]:
    """Yield the findings of two recorded Panzer matches that depend on modifiers."""
    for file in sorted((GOLDEN / "panzer").glob("*.xz"), key=lambda file: file.stat().st_size)[:2]:
        found = read_export(lzma.decompress(file.read_bytes()))
        blobs = {name: found.blobs[digest] for name, digest in found.events[0].payload["blobs"].items()}
        rules = TITLES["panzer"].rules(blobs)
        for event in found.events:
            ref = event.part("findings", PUBLIC)
            content = found.parts[ref.commitment].content if ref else b"[]"
            for finding in msgspec.json.decode(content, type=list[Finding]):
                if any(one.modifiers for one in hypothetical.tree(finding)):
                    yield rules, finding


def test_a_sentence_worked_out_with_another_modifier_explains_itself() -> None:
    """A sentence recomputed with another modifier is consistent, and with the original value it does not change."""
    changed = 0
    for rules, finding in recorded():
        rows = {(row["text"], row["value"]) for one in hypothetical.tree(finding) for row in one.modifiers}
        for name, value in sorted(rows):
            if len({one for text, one in rows if text == name}) == 1:
                assert hypothetical.rework(rules, finding, name, value) == finding
            other = hypothetical.rework(rules, finding, name, value - 3)
            assert list(rules.find_unexplained([other])) == []
            changed += other != finding
    assert changed > 20


def test_a_modifier_is_changed_only_in_a_sentence_that_the_viewer_reads(tmp_path: Path) -> None:
    server = open_server(tmp_path / "pbem.db", TITLES, entropy=entropy(1))
    match = creating.new_match(server, "panzer", "duel")
    for seat in record_of(server, match).seats:
        take_seat(server, match, seat, "bot-panzer")
    advancing.advance(server, match, exchanges=6)
    found = None
    for entry in record_of(server, match).resolved:
        for number in range(1, 400):
            try:
                hypothetical.what_if_modifier(server, match, PUBLIC, entry.exchange, number, "no such modifier", 1)
            except Refusal as refusal:
                if "no sentence" in str(refusal):
                    break
                if refusal.instead and found is None:
                    found = (entry.exchange, number, refusal.instead[0])
    assert found is not None
    answer = hypothetical.what_if_modifier(server, match, PUBLIC, *found, -9)
    assert answer.mark == "Hypothetical" and answer.differences
    with pytest.raises(Refusal):
        hypothetical.what_if_modifier(server, match, PUBLIC, *found, 10**9)

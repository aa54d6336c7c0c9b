"""Only the game master reads disputes, and a dispute opens the orders that its author had sealed and replaced."""

from __future__ import annotations

import pytest
from support.seated import Table

from pbem.engine.rules.findings import MASTER
from pbem.engine.rules.refusals import Refusal
from pbem.matches.history.export import export, read_export
from pbem.matches.rulings import disputes


def test_a_dispute_reaches_the_game_master_and_his_answer_all(table: Table) -> None:
    table.begin(master=True)
    table.play()
    [done] = table.say("red", "dispute 1: r1 could not be seen")
    assert str(done.note) == "You have disputed turn 1. The game master is notified."
    assert sorted((owed.account, owed.seat) for owed in table.owed("dispute")) == sorted(
        [(table.master, ""), (table.who["blue"], "blue")]
    )
    read = {viewer: disputes.text_of(table.server, table.record, 1, viewer) for viewer in ("red", "blue", MASTER)}
    assert read == {"red": "r1 could not be seen", "blue": "", MASTER: "r1 could not be seen"}
    disputes.settle(table.server, table.match, 1, "It could: 6.1.", by=table.master)
    [found] = disputes.disputes(table.record)
    assert (found.seat, found.place, list(found.exchanges), found.answer) == ("red", "1", [2], "It could: 6.1.")
    table.wait()
    assert sorted(owed.seat for owed in table.owed("dispute") if owed.seat) == ["blue", "blue", "red"]


def test_superseded_orders_are_opened_at_the_end_if_their_author_has_disputed(table: Table) -> None:
    """§6: At the end of a match, replaced orders are opened only if their author has disputed."""
    for line in ("", "dispute 1: I had replaced that"):
        table.begin()
        table.say("red", "r1 ambush")
        table.say("blue", "b1 ambush")
        table.play()
        if line:
            table.say("red", line)
        hidden = read_export(export(table.server, table.match, "blue"))
        assert not any(b'"text":"r1 ambush"' in part.content for part in hidden.parts.values())
        table.say("blue", "resign")
        opened = read_export(export(table.server, table.match, "public"))
        assert any(b'"text":"r1 ambush"' in part.content for part in opened.parts.values()) == bool(line)
        assert not any(b'"text":"b1 ambush"' in part.content for part in opened.parts.values())
        assert table.verified("public").ok and table.verified("blue").ok


def test_only_a_closed_exchange_can_be_disputed_with_words(table: Table) -> None:
    table.begin()
    table.play()
    for line, why in (
        ("dispute 2: no", "turn 2 has not been played"),
        ("dispute 9.3: no", "turn 9 has not been played"),
        ("dispute 1.99: no", "your report on turn 1 has no scene 1.99"),
        ("dispute 1.0.99: no", "that scene has . sentences"),
        ("dispute exchange 3: no", "no exchange has that number"),
    ):
        with pytest.raises(Refusal, match=why):
            table.say("red", line)
    with pytest.raises(Refusal, match="a word is missing"):
        table.say("red", "dispute 1:")


def test_disputes_of_one_seat_do_not_pile_up(table: Table) -> None:
    table.begin(master=True)
    table.play()
    table.say("red", "\n".join(f"dispute 1: wrong {number}" for number in range(5)))
    with pytest.raises(Refusal, match="waiting for an answer"):
        table.say("red", "dispute 1: wrong")
    disputes.settle(table.server, table.match, 3, "No.", by=table.master)
    table.say("red", "dispute 1: wrong")


def test_only_the_game_master_settles_and_once(table: Table) -> None:
    table.begin(master=True)
    table.play()
    table.say("red", "dispute 1: wrong")
    with pytest.raises(Refusal, match="only the game master"):
        disputes.settle(table.server, table.match, 1, "Yes!", by=table.who["red"])
    disputes.settle(table.server, table.match, 1, "No.", by=table.master)
    with pytest.raises(Refusal, match="no dispute with that number is open"):
        disputes.settle(table.server, table.match, 1, "Yes.", by=table.master)

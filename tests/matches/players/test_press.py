"""Press messages reach their addressees, and no other player learns who these are."""

from __future__ import annotations

import msgspec
import pytest
from support.seated import Table

from pbem.engine.rules.findings import MASTER, PUBLIC
from pbem.engine.rules.refusals import Ambiguous, Refusal
from pbem.matches.accounts import accounts, privacy
from pbem.matches.history.export import export, read_export
from pbem.matches.players import press


def texts(table: Table, viewer: str) -> list[str]:
    return [letter.text for letter in press.letters(table.server, table.record, viewer)]


def test_a_letter_reaches_its_reader_by_mail_and_on_the_page(table: Table) -> None:
    table.begin()
    [done] = table.say("red", "press blue: Let us talk.")
    assert str(done.note) == "Your message to Blue is on its way."
    assert texts(table, "blue") == texts(table, "red") == ["Let us talk."]
    [letter] = press.letters(table.server, table.record, "blue")
    assert (letter.sender, letter.to, letter.exchange) == ("red", ["blue"], 2)
    assert [owed.seat for owed in table.owed("press")] == ["blue"]


def test_nobody_else_can_read_it_or_see_who_wrote_to_whom(table: Table) -> None:
    table.begin(master=True)
    table.say("red", "press blue: Let us talk.")
    assert texts(table, MASTER) == texts(table, PUBLIC) == []
    [event] = table.events("press.sent")
    assert event.payload == {"exchange": 2}
    assert sorted(ref.audience for ref in event.parts) == sorted(["red", "blue", MASTER, PUBLIC])
    shown = read_export(export(table.server, table.match, "public"))
    contents = [part.content for part in shown.parts.values()]
    assert not any(b"Let us talk" in content for content in contents)


def test_letters_to_all_to_the_public_and_to_the_game_master(table: Table) -> None:
    table.begin(master=True)
    table.say("red", "press all: one\npress public: two\npress master: three")
    assert texts(table, "blue") == ["one", "two"]
    assert texts(table, PUBLIC) == ["two"]
    assert texts(table, MASTER) == ["two", "three"]
    assert [owed.account for owed in table.owed("press") if not owed.seat] == [table.master, table.master]


def test_names_may_be_short_but_not_unknown_or_double(table: Table) -> None:
    table.begin()
    assert press.addressees(table.server, table.record, "red", ["B"]) == ["blue"]
    with pytest.raises(Refusal, match="no seat or person"):
        table.say("red", "press master: hello")
    with pytest.raises(Refusal, match="no seat or person"):
        table.say("red", "press red: hello")
    record = table.record
    record.creation = msgspec.structs.replace(record.created, seats=["red", "blue", "black"])
    with pytest.raises(Ambiguous):
        press.addressees(table.server, record, "red", ["b"])


def test_a_letter_may_name_the_player_but_no_player_takes_the_letters_of_a_seat(table: Table) -> None:
    table.begin(master=True)
    blue = table.record.occupants["blue"]["account"]
    accounts.rename(table.server, blue, "Bob der Große")
    for said in ("bob", "Bob der Große"):
        [done] = table.say("red", f"press {said}: hello")
        assert str(done.note) == "Your message to Blue is on its way."
    with pytest.raises(Refusal):
        accounts.rename(table.server, blue, "master")
    assert press.addressees(table.server, table.record, "red", ["master"]) == [MASTER]
    accounts.rename(table.server, blue, "mas")
    assert press.addressees(table.server, table.record, "red", ["mas"]) == [MASTER]


def test_letters_have_an_end(table: Table) -> None:
    table.begin()
    with pytest.raises(Refusal, match="at most 4000 characters"):
        table.say("red", f"press blue: {'x' * 4001}")
    with pytest.raises(Refusal, match="at most 30 messages"):
        table.say("red", "\n".join(f"press blue: hello {number}" for number in range(31)))
    table.say("red", "\n".join(f"press blue: hello {number}" for number in range(30)))
    table.say("blue", "press red: enough!")
    table.play()
    table.say("red", "press blue: hello again")


def test_bots_get_no_letters_and_an_erased_one_is_gone(table: Table) -> None:
    table.begin()
    table.say("red", "press blue: Let us talk.")
    [event] = table.events("press.sent")
    ref = event.part("press", "blue")
    assert ref is not None
    table.server.store.erase(ref.commitment)
    assert texts(table, "blue") == [] and texts(table, "red") == ["Let us talk."]


def test_who_is_forgotten_leaves_no_letter_behind(table: Table) -> None:
    table.begin()
    table.say("red", "press blue: from Ann")
    table.say("blue", "press red: from Bob")
    privacy.forget(table.server, table.who["red"])
    assert texts(table, "blue") == texts(table, "red") == ["from Bob"]
    assert table.verified("blue").ok


def test_at_the_end_press_is_open_like_everything_that_was_played(table: Table) -> None:
    table.begin()
    table.say("red", "press blue: Let us talk.")
    table.say("red", "resign")
    shown = read_export(export(table.server, table.match, "public"))
    assert any(b"Let us talk" in part.content for part in shown.parts.values())
    assert table.verified().ok

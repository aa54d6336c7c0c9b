"""What a reader, a game master and an operator can do about abusive messages."""

from __future__ import annotations

import pytest
from support.seated import Table

from pbem.engine.rules.refusals import Refusal
from pbem.matches import health
from pbem.matches.players import moderation, press


def texts(table: Table, viewer: str) -> list[str]:
    return [letter.text for letter in press.letters(table.server, table.record, viewer)]


def test_a_muted_player_writes_into_the_void_and_does_not_notice(table: Table) -> None:
    table.begin()
    [done] = table.say("blue", "mute red")
    assert "unmute red" in str(done.note)
    [sent] = table.say("red", "press blue: You are a coward.")

    assert str(sent.note) == "Your message to Blue is on its way."
    assert not table.owed("press")
    table.say("blue", "unmute red")
    table.say("red", "press blue: Peace?")
    assert [owed.seat for owed in table.owed("press")] == ["blue"]


def test_nobody_mutes_himself_or_an_empty_seat(table: Table) -> None:
    table.begin()
    for seat in ("red", "green"):
        with pytest.raises(Refusal):
            table.say("red", f"mute {seat}")


def test_a_report_shows_the_letter_to_game_master_and_operators_and_to_nobody_else(table: Table) -> None:
    table.begin(master=True)
    operator = table.account("olga")
    health.name_operator(table.server, operator)
    table.say("red", "press blue: You are a coward.")
    table.say("blue", "report: insults")

    [report] = moderation.reports(table.server)
    assert (report.by, report.sender, report.why) == (table.who["blue"], table.who["red"], "insults")
    assert report.letter is not None and report.letter.text == "You are a coward."
    assert {owed.account for owed in table.owed("press-report")} == {operator, table.master}
    assert texts(table, "public") == []

    moderation.close(table.server, report.number, by=operator, why="talked to them")
    assert moderation.reports(table.server) == []
    with pytest.raises(Refusal):
        moderation.close(table.server, report.number, by=operator, why="again")


def test_a_seat_reports_only_what_it_has_received(table: Table) -> None:
    table.begin()
    table.say("red", "press blue: You are a coward.")
    with pytest.raises(Refusal, match="not received"):
        table.say("red", "report: I do not like it")


def test_a_game_master_stops_and_allows_the_letters_of_a_seat_on_record(table: Table) -> None:
    table.begin(master=True)
    moderation.silence(table.server, table.match, seat="red", why="insults", by=table.master)

    with pytest.raises(Refusal, match="barred you from sending messages: insults"):
        table.say("red", "press blue: You are a coward.")
    table.say("blue", "press red: Good game.")
    [acted] = table.events("master.acted")
    assert (acted.payload["act"], acted.payload["seat"], acted.payload["why"]) == ("silence", "red", "insults")
    table.play()  # orders are not touched

    moderation.silence(table.server, table.match, seat="red", why="apologised", by=table.master)
    table.say("red", "press blue: Sorry.")
    assert texts(table, "blue")[-1] == "Sorry."


def test_an_operator_bans_an_account_from_letters_everywhere_on_record(table: Table) -> None:
    table.begin()
    moderation.ban(table.server, table.who["red"], by="olga", why="spam")

    with pytest.raises(Refusal, match="banned you from sending messages: spam"):
        table.say("red", "press blue: Buy this.")
    assert moderation.banned_accounts(table.server) == {table.who["red"]: "spam"}
    banned = [event for event in table.server.store.read("server") if event.type == "press.banned"]
    assert [event.payload["by"] for event in banned] == ["olga"]
    moderation.allow(table.server, table.who["red"], by="olga")
    table.say("red", "press blue: Sorry.")
    with pytest.raises(Refusal):
        moderation.allow(table.server, table.who["red"], by="olga")

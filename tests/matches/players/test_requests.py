"""Requests to the server may vary in spelling and form, but not in meaning."""

from __future__ import annotations

from datetime import date

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.seated import Table

from pbem.engine.rules.refusals import Ambiguous, Refusal, Refusals, Unreadable
from pbem.matches import views
from pbem.matches.clock.absences import date_of
from pbem.matches.exchange import submitting
from pbem.matches.history.replay import record_of
from pbem.matches.players import requests
from pbem.matches.players.requests import Word, read, split

# Reading -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("final", "final"),
        ("FINAL!", "final"),
        ("  - Final, please.", "final"),
        ('"final"', "final"),
        ("final # that is all", "final"),
        ("cancel", "cancel"),
        ("Status?", "status"),
        ("map", "map"),
        ("help", "help"),
        ("resume", "resume"),
        ("present", "present"),
        ("I resign.", "resign"),
        ("concede", "concede"),
        ("Draw", "draw"),
        ("accept draw", "draw"),
    ],
)
def test_a_word_alone_on_its_line(line: str, name: str) -> None:
    said, rest = split(f"r1 go2\n{line}\nr2 hold")
    assert [word.name for word in said] == [name]
    assert rest == "r1 go2\nr2 hold"


@pytest.mark.parametrize(
    "line", ["draw fire", "press on", "final assault on r1", "map1 hold", "r1 final", "back", "help r2", "cancelled"]
)
def test_what_only_looks_like_a_word_is_left_to_the_title(line: str) -> None:
    assert split(line) == ((), line)


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("history 3", Word("history", number=3)),
        ("history", Word("history")),
        ("extend", Word("extend")),
        ("extend 24", Word("extend", number=24)),
        ("Extension for 2 days", Word("extend", number=48)),
        ("extend 12h", Word("extend", number=12)),
        ("press blue: Hello: there.", Word("press", to=("blue",), text="Hello: there.")),
        ("Press to Blue, green and red: hi #1", Word("press", to=("Blue", "green", "red"), text="hi #1")),
        ("press all:hi", Word("press", to=("all",), text="hi")),
        ("dispute 3: r1 was not there!", Word("dispute", place="3", text="r1 was not there!")),
        ("dispute #turn-4.7: no.", Word("dispute", place="4.7", text="no.")),
        ("dispute 4.7.2 (rule 6.2): no", Word("dispute", place="4.7.2", rule="6.2", text="no")),
        ("dispute report 3: no", Word("dispute", place="exchange 3", text="no")),
        ("doctrine: overwatch: hit >= 40", Word("doctrine", text="overwatch: hit >= 40")),
        ("absent 1 May to 8 May", Word("absent", since="05-01", until="05-08")),
        ("away May 1 - May 8, 2030", Word("absent", since="05-01", until="2030-05-08")),
        ("absent from 2030-05-01 until 2030-05-08", Word("absent", since="2030-05-01", until="2030-05-08")),
        ("absent 1-8 May", Word("absent", since="05-01", until="05-08")),
        ("absent 1st to 8th of May", Word("absent", since="05-01", until="05-08")),
        ("absent 1.5. - 8.5.2030", Word("absent", since="05-01", until="2030-05-08")),
        ("absent 1.5. to 8.5.", Word("absent", since="05-01", until="05-08")),
        ("absent 24/12 26/12", Word("absent", since="12-24", until="12-26")),
        ("absent until Friday", Word("absent", since="+0", until="fri")),
        ("absent tomorrow", Word("absent", since="+1", until="+1")),
        ("absent 7 days", Word("absent", since="+0", until="+6")),
    ],
)
def test_words_with_something_after_them(line: str, word: Word) -> None:
    found = read(line)
    assert found == Word(
        word.name, line, word.number, word.to, word.text, word.since, word.until, word.place, word.rule
    )


@pytest.mark.parametrize(
    ("line", "short"),
    [
        ("Please final", "final"),
        ("final,", "final"),
        ("please extend 12 hours", "extend 12 hours"),
        ("extend by 2 days", "extend 48 hours"),
        ("Extend: 24 h", "extend 24 hours"),
        ("History #3", "history 3"),
        ("history of exchange 3", "history 3"),
        ("dispute turn 3: no", "dispute 3: no"),
        ("dispute scene 3.1: no", "dispute 3.1: no"),
        ("I offer a draw.", "draw"),
        ("agree to the draw", "draw"),
        ("cancel my orders!", "cancel"),
        ("absent May 1 - 8", "absent 1 May to 8 May"),
        ("absent 1 May to 8", "absent 1 May to 8 May"),
    ],
)
def test_people_say_it_in_other_ways_too(line: str, short: str) -> None:
    [said], rest = split(line)
    [meant], _ = split(short)
    assert msgspec.structs.replace(said, line="") == msgspec.structs.replace(meant, line="") and rest == ""


def test_what_is_said_twice_is_said_once() -> None:
    said, _ = split("draw\nDraw.\nfinal\npress all: hi\npress all: hi\npress all: ho\nfinal")
    assert [word.name + word.text for word in said] == ["draw", "final", "presshi", "pressho"]


@pytest.mark.parametrize("line", ["history turn 3", "absent Friday to 8"])
def test_what_could_mean_something_else_is_not_guessed(line: str) -> None:
    """An ambiguous request is refused: because a turn may have several exchanges, naming only the turn
    is not enough."""
    with pytest.raises(Refusal):
        split(line)


def test_a_letter_of_several_lines_goes_on_until_a_line_that_says_end() -> None:
    [letter], rest = split("press blue:\nDear Bob,\n\nfinal\nend\nr1 hold")
    assert letter.text == "Dear Bob,\n\nfinal" and rest == "r1 hold"
    with pytest.raises(Unreadable, match="the message has no end"):
        split("press blue:\nDear Bob")


def test_lines_of_standing_orders_make_one_set() -> None:
    said, _ = split("doctrine: ambush\nfinal\ndoctrine: card")
    assert [(word.name, word.text) for word in said] == [("final", ""), ("doctrine", "ambush\ncard")]


def test_a_refusal_names_the_place_what_could_stand_there_and_an_example() -> None:
    with pytest.raises(Unreadable) as caught:
        read("absent soon")
    assert "unexpected “soon” after “absent” (position 8)" in str(caught.value)
    assert "a day such as 2030-05-01" in str(caught.value)
    assert caught.value.instead == ("absent 1 May to 8 May",) and caught.value.line == "absent soon"


def test_all_mistakes_are_named_at_once() -> None:
    with pytest.raises(Refusals) as caught:
        split("history three\nr1 hold\nextend later")
    assert [refusal.line for refusal in caught.value.refusals] == ["history three", "extend later"]


@pytest.mark.parametrize("day", ["+99999999999", "9999-12-31", "2030-13-01", "", "02-30", "one-two"])
def test_a_day_that_does_not_exist_is_refused(day: str) -> None:
    with pytest.raises(Unreadable):
        date_of(day, date(2030, 3, 20))


def test_a_day_that_can_be_two_is_not_guessed() -> None:
    with pytest.raises(Ambiguous) as caught:
        read("absent 3/4 to 5/6")
    assert caught.value.instead == ("3 Apr", "4 Mar")


@pytest.mark.parametrize(
    ("day", "meant"),
    [
        ("12-30", (2030, 12, 30)),
        ("03-01", (2031, 3, 1)),
        ("2030-03-01", (2030, 3, 1)),
        ("+6", (2030, 3, 26)),
        ("wed", (2030, 3, 20)),
        ("tue", (2030, 3, 26)),
    ],
)
def test_a_day_without_a_year_is_the_next_one(day: str, meant: tuple[int, int, int]) -> None:
    assert date_of(day, date(2030, 3, 20)) == date(*meant)


@given(text=st.text(max_size=200))
def test_any_text_is_split_or_refused_and_nothing_is_lost(text: str) -> None:
    try:
        said, rest = split(text)
    except Refusal:
        return
    assert said or rest == "\n".join(text.splitlines()).strip()


@given(line=st.from_regex(r"(absent|extend|history|press|dispute)[ :,./0-9a-zA-Z-]{0,40}", fullmatch=True))
def test_any_line_that_begins_like_a_word_is_read_or_refused(line: str) -> None:
    try:
        split(line)
    except Refusal as refusal:
        assert refusal.objections


# Carrying out ------------------------------------------------------------------------------------------------


def test_orders_and_words_are_carried_out_whole_or_not_at_all(table: Table) -> None:
    table.begin()
    version = table.record.version
    with pytest.raises(Refusal, match="no seat or person"):
        table.say("red", "r1 go2\npress green: hello\nfinal")
    with pytest.raises(Refusal, match="go9 is no order"):
        table.say("red", "r1 go9\npress blue: hello")
    with pytest.raises(Refusal, match="no sealed orders"):
        table.say("red", "press blue: hello\nfinal")
    assert table.record.version == version
    [done] = table.say("red", "r1 go2\npress blue: hello\nfinal")
    assert done.word == "press" and "red" in table.record.final


def test_final_and_cancel_are_for_the_exchange_that_was_meant(table: Table) -> None:
    table.begin()
    table.play()
    table.say("red", "r1 hold")
    for word in ("final", "cancel"):
        with pytest.raises(Refusal, match="orders for exchange 2 are closed"):
            table.say("red", word, exchange=2)
    table.say("red", "cancel")
    assert table.record.sealed == {}


def test_final_alone_closes_when_it_is_the_last(table: Table) -> None:
    table.begin()
    table.say("red", "r1 hold")
    table.say("blue", "b1 hold\nfinal")
    table.say("red", "final")
    assert table.record.open_exchange == 3


def test_words_alone_do_not_replace_what_is_sealed(table: Table) -> None:
    table.begin()
    table.say("red", "r1 go2")
    table.say("red", "press blue: hello", final=True)
    mine = views.status(table.server, table.match, "red").mine
    assert mine is not None and mine.text == "r1 go2" and mine.final
    with pytest.raises(Refusal, match="not orders"):
        submitting.submit(
            table.server, table.match, "red", 2, "status", by=table.who["red"], final=False, source="web"
        )


def test_only_the_occupant_is_heard(table: Table) -> None:
    table.begin()
    [word], _ = split("resign")
    with pytest.raises(Refusal, match="that is not your seat"):
        requests.carry_out(table.server, table.match, "red", word, table.who["blue"])
    assert record_of(table.server, table.match).ended is None


def test_words_that_ask_change_nothing_and_say_what_is_wanted(table: Table) -> None:
    table.begin()
    table.play()
    version = table.record.version
    wanted = [(done.wants, done.number) for done in table.say("red", "status\nmap\nhistory 1\nhelp")]
    assert wanted == [("status", 0), ("map", 0), ("history", 2), ("help", 0)]
    assert table.record.version == version
    with pytest.raises(Refusal, match="turn 9 has not been played") as caught:
        table.say("red", "history 9")
    assert caught.value.instead == ("history 1",)


def test_standing_orders_are_set_by_lines_and_taken_back(table: Table) -> None:
    table.begin()
    [done] = table.say("red", "doctrine: ambush\ndoctrine: card")
    assert str(done.note) == "Your standing orders are set: ambush; card."
    with pytest.raises(Refusal, match="doctrine says"):
        table.say("red", "doctrine: fly")
    [done] = table.say("red", "doctrine: none")
    assert str(done.note) == "You no longer have standing orders."

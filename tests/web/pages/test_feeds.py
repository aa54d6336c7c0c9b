"""Deadlines as a calendar and a match as a feed show the public view, with the same bytes for the same view."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from icalendar import Calendar
from support.playing import NOON

from pbem.matches.accounts import accounts, api_tokens
from pbem.matches.exchange import creating, submitting
from pbem.matches.history.replay import record_of
from pbem.web import create_app

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def match(server, new_match):
    return new_match(server, cadence=48)


def entries(answer):
    return list(Calendar.from_ical(answer.data).walk("VEVENT"))


def submit(server, match, seat, text, final=False):
    record = record_of(server, match)
    by = record.occupants[seat]["account"]
    submitting.submit(server, match, seat, record.open_exchange, text, by=by, final=final, source="web")


def word_of(server, who, *scopes):
    return api_tokens.make(server, accounts.open_account(server, f"{who}@example.org").id, "", scopes)[1]


# The calendar ------------------------------------------------------------------------------------------------


def test_the_calendar_has_the_deadlines_of_ones_seats(ann, server, match):
    [entry] = entries(ann.get("/calendar.ics"))

    assert entry["SUMMARY"] == "Ambush at noon: orders for Red due"
    assert entry.decoded("DTSTART").timestamp() == NOON // 1000 + 48 * 3600
    assert entry["UID"] == f"{match}.2.red@localhost"
    assert entry["URL"] == f"https://localhost/matches/{match}"


def test_it_says_what_one_has_done_already(ann, server, match):
    submit(server, match, "red", "r1 hold")
    assert entries(ann.get("/calendar.ics"))[0]["SUMMARY"].endswith("(yours are sealed)")
    submit(server, match, "red", "r1 hold", final=True)
    assert entries(ann.get("/calendar.ics"))[0]["SUMMARY"].endswith("(yours are final)")


def test_it_is_empty_for_who_plays_nothing_and_refused_to_nobody(eve, nobody, match):
    assert entries(eve.get("/calendar.ics")) == []
    assert nobody.get("/calendar.ics").status_code == 403


def test_a_calendar_program_reads_it_by_an_address_of_its_own(ann, nobody, app, server, match):
    word = word_of(server, "ann", "calendar")

    answer = nobody.get(f"/calendar/{word}.ics")

    assert answer.mimetype == "text/calendar"
    assert answer.data == ann.get("/calendar.ics").data


@pytest.mark.parametrize("scopes", [("read",), ("play",), ("master",)])
def test_words_of_other_scopes_open_no_calendar(scopes, nobody, app, server, match):
    assert nobody.get(f"/calendar/{word_of(server, 'ann', *scopes)}.ics").status_code == 404
    assert nobody.get("/calendar/pbem_guess.ics").status_code == 404


def test_the_same_deadlines_give_the_same_bytes(ann, server, match):
    first = ann.get("/calendar.ics")
    server.store.clock = lambda: NOON + 3_600_000

    assert ann.get("/calendar.ics", **{"If-None-Match": first.headers["ETag"]}).status_code == 304


def test_a_match_without_deadline_is_not_in_it(browsers, server, new_match):
    new_match(server)
    assert entries(browsers("ann").get("/calendar.ics")) == []


# The feed ----------------------------------------------------------------------------------------------------


def feed_of(answer):
    assert answer.mimetype == "application/atom+xml"
    return ElementTree.fromstring(answer.data)


def test_the_feed_tells_each_exchange_with_the_newest_first(nobody, server, match):
    submit(server, match, "red", "r1 go3", final=True)
    submit(server, match, "blue", "b1 ambush", final=True)

    feed = feed_of(nobody.get(f"/matches/{match}/feed.atom"))

    assert feed.findtext(f"{ATOM}title") == "Ambush at noon"
    titles = [entry.findtext(f"{ATOM}title") for entry in feed.iter(f"{ATOM}entry")]
    assert titles == ["Turn 1, report 2", "Turn 1, report 1"]
    newest = next(feed.iter(f"{ATOM}entry"))
    assert "'r1'" in newest.findtext(f"{ATOM}content") and "ambush" not in newest.findtext(f"{ATOM}content")
    assert newest.find(f"{ATOM}link").get("href") == f"https://localhost/matches/{match}/reports/2"


def test_the_end_is_told_with_its_outcome(nobody, server, match):
    while not record_of(server, match).ended:
        submit(server, match, "red", "", final=True)
        submit(server, match, "blue", "", final=True)

    feed = feed_of(nobody.get(f"/matches/{match}/feed.atom"))
    assert next(feed.iter(f"{ATOM}entry")).findtext(f"{ATOM}title") == "The end: a draw"


def test_ids_are_for_good_and_unlike(nobody, server, match):
    ids = [element.text for element in feed_of(nobody.get(f"/matches/{match}/feed.atom")).iter(f"{ATOM}id")]

    assert len(set(ids)) == 2 and all(id.startswith("urn:uuid:") for id in ids)


def test_the_feed_is_the_same_for_whoever_asks(ann, eve, nobody, server, match):
    submit(server, match, "red", "r1 ambush")
    answers = {reader.get(f"/matches/{match}/feed.atom").data for reader in (ann, eve, nobody)}

    assert len(answers) == 1
    assert nobody.get("/matches/nosuch/feed.atom").status_code == 404


def test_names_cannot_break_out_of_the_feed(nobody, server):
    match = creating.new_match(server, "ambush", "tiny", name="<script>&amp;]]>")

    assert feed_of(nobody.get(f"/matches/{match}/feed.atom")).findtext(f"{ATOM}title") == "<script>&amp;]]>"


def test_a_poll_that_finds_nothing_new_costs_a_header(nobody, server, match):
    tag = nobody.get(f"/matches/{match}/feed.atom").headers["ETag"]
    submit(server, match, "blue", "b1 ambush")

    assert nobody.get(f"/matches/{match}/feed.atom", **{"If-None-Match": tag}).status_code == 304


def test_feeds_do_not_tell_what_the_enemy_has_sealed(folders, new_server, new_match, new_browser):
    seen = set()
    for hidden in ("hold", "ambush", "go5"):
        server = new_server(folders(), "secrecy")
        match = new_match(server, cadence=48)
        submit(server, match, "red", "r1 hold")
        submit(server, match, "blue", f"b1 {hidden}", final=True)
        app = create_app(server)
        red = accounts.by_address(server, "ann@example.org")
        answers = [new_browser(app, red).get(path) for path in ("/calendar.ics", f"/matches/{match}/feed.atom")]
        seen.add(str([(answer.data, answer.headers["ETag"]) for answer in answers]))

    assert len(seen) == 1

"""The lobby, and games that a visitor starts at once."""

from __future__ import annotations

import re

from eventstore import EventStore
from pbem.matches import summaries
from pbem.matches.accounts import accounts
from pbem.matches.exchange import advancing, closing, creating
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.replay import all_matches, record_of
from pbem.matches.server import Server


def test_matches_are_listed_by_what_a_visitor_can_do(nobody, server, match):
    creating.new_match(server, "ambush", "tiny", name="Come in")

    page = nobody.get("/").text

    seats, running = page.index("Open seats"), page.index("Running")
    assert seats < page.index("Come in") < running < page.index("Ambush at noon")


def test_a_player_finds_his_own_matches_first(ann, match):
    page = ann.get("/").text

    assert page.index("Your matches") < page.index("Ambush at noon") < page.index("Open seats")


def test_what_waits_for_a_player_comes_first_and_says_so(ann, server, match, new_match):
    newer = new_match(server)
    ann.post(f"/matches/{newer}/orders", orders="", act="final", exchange=2)
    page = ann.get("/").text

    first, second = page.index(f"/matches/{match}"), page.index(f"/matches/{newer}")
    assert first < page.index("your orders are due") < second
    assert page.count("your orders are due") == 1


def test_matches_are_found_by_title_scenario_cadence_and_open_seats(nobody, server, match):
    """The lobby's filters find a match with two players and no deadline by title, scenario, cadence and open
    seats."""
    creating.new_match(server, "ambush", "small", name="Small and slow", cadence=96)
    creating.new_match(server, "ambush", "tiny", name="Tiny and fast", cadence=12)

    def found(query: str) -> set[str]:
        page = nobody.get(f"/{query}").text
        return {name for name in ("Ambush at noon", "Small and slow", "Tiny and fast") if f">{name}</a>" in page}

    assert found("") == found("?play=ambush") == {"Ambush at noon", "Small and slow", "Tiny and fast"}
    assert found("?play=ambush/small") == found("?cadence=slow") == {"Small and slow"}
    assert found("?cadence=fast&seats=open") == {"Tiny and fast"}
    assert found("?cadence=none") == {"Ambush at noon"}
    assert found("?seats=open") == {"Small and slow", "Tiny and fast"}
    assert found("?play=chess") == found("?state=over") == set()


def test_how_reliable_players_are_stands_behind_their_names(ann, server, match, nobody):
    """A player's reliability is shown behind the name, here after blue misses a deadline."""
    ann.post(f"/matches/{match}/orders", orders="", act="final", exchange=2)
    closing.close(server, match, exchange=2, why="deadline")
    advancing.advance(server, match)
    bob = accounts.by_address(server, "bob@example.org")

    page = nobody.get("/").text
    assert re.search(r">ann</a> <abbr title=\"answered 100% of 1 request for orders[^>]*>100%", page)
    assert re.search(r">bob</a> <abbr[^>]*>0%", page)
    assert ">Ambush at noon</a>" in page and ">Ambush at noon</a>" not in nobody.get("/?reliable=80").text
    fresh = creating.new_match(server, "ambush", "tiny", name="Fresh")
    take_seat(server, fresh, "red", accounts.by_address(server, "ann@example.org").id)
    assert ">Fresh</a>" in nobody.get("/?reliable=95").text
    assert "<dt>Missed deadlines</dt><dd>1</dd>" in nobody.get(f"/players/{bob.id}").text
    assert nobody.get("/players/nobody").status_code == 404


def test_the_page_of_a_player_does_not_tell_his_address(ann, nobody, server, match):
    me = accounts.by_address(server, "ann@example.org")

    page = nobody.get(f"/players/{me.id}").text
    assert "Ambush at noon" in page and "ann@example.org" not in page


def test_the_lobby_is_never_older_than_the_matches(ann, nobody, server, match):
    assert "waiting for Blue, Red" in nobody.get("/").text
    ann.post(f"/matches/{match}/orders", orders="", act="final", exchange=2)
    assert "waiting for Blue" in nobody.get("/").text and "Blue, Red" not in nobody.get("/").text
    accounts.rename(server, accounts.by_address(server, "ann@example.org").id, "Colonel Ann")
    assert "Colonel Ann" in nobody.get("/").text


def test_three_requests_lead_from_the_front_page_to_an_accepted_order(demo, server):
    first = demo.get("/")
    token = re.search(r'action="/play">\s*<input[^>]*value="([^"]+)"', first.text)[1]
    second = demo.post("/play", data={"csrf_token": token})
    form = re.search(r'action="(/matches/[^"]+/orders)[^"]*"', second.text)[1]
    token = re.search(r'name="csrf_token" value="([^"]+)"', second.text)[1]
    third = demo.post(form, data={"csrf_token": token, "exchange": 2, "orders": "r1 hold", "act": "final"})

    assert (first.status_code, second.status_code, third.status_code) == (200, 200, 303)
    match = form.split("/")[2]
    assert record_of(server, match).last == 2  # the bot has answered, and the exchange is played


def test_playing_again_opens_the_same_match(demo, server):
    for _ in range(2):
        token = re.search(r'name="csrf_token" value="([^"]+)"', demo.get("/").text)[1]
        assert demo.post("/play", data={"csrf_token": token}).headers["Content-Location"].startswith("/matches/")

    assert len(all_matches(server)) == 1


def test_without_a_demonstration_there_are_no_guests_and_no_outbox(nobody, server):
    assert "Play now" not in nobody.get("/").text
    assert nobody.post("/play").status_code == 404
    assert nobody.get("/outbox").status_code == 404


def test_the_lobby_does_not_wait_for_a_writer(nobody, server, match, tmp_path):
    """The lobby does not wait for the lock of a writer; when 4,000 matches closed at once, some pages once waited
    seconds."""
    assert "Ambush at noon" in nobody.get("/").text
    creating.new_match(server, "ambush", "tiny", name="Come in")

    with another(server).transaction("busy"):
        page = nobody.get("/").text
    assert "Ambush at noon" in page and "Come in" not in page
    assert "Come in" in nobody.get("/").text


def test_a_page_makes_few_rows_anew(nobody, server, match):
    for number in range(summaries.MOST_FOR_A_PAGE + 5):
        creating.new_match(server, "ambush", "tiny", name=f"Number {number}")
    due = "SELECT count(*) FROM summary_due"

    nobody.get("/")
    assert server.database.execute(due).fetchone() == (6,)  # with `match`
    assert summaries.catch_up(server) == 0


def another(server: Server) -> EventStore:
    """Open the same database a second time."""
    return EventStore(server.store.path, database=server.store.address)

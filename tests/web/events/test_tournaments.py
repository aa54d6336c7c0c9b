"""The pages of tournaments: an organiser sets one up, players enter, everyone can read, and programs can follow
it."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest
from icalendar import Calendar

from pbem.matches.accounts import accounts
from pbem.matches.server import Server
from pbem.tournaments import stream
from pbem.tournaments.files import trf

NEW = {"name": "Autumn Cup", "play": "ambush/tiny", "rounds": "3"}


@pytest.fixture
def max(browsers: Callable[[str], Any]) -> Any:
    return browsers("max")


def a_list(server: Server, count: int) -> str:
    lines = []
    for number in range(1, count + 1):
        account = accounts.open_account(server, f"p{number}@example.org", f"P{number}")
        lines.append(f"P{number},{account.id},{2000 - number}")
    return "\n".join(["name,account,rating", *lines])


def act(browser: Any, name: str, **form: Any) -> Any:
    return browser.post(f"/tournaments/autumn-cup/director/{name}", **form)


@pytest.fixture
def cup(server: Server, max: Any) -> Server:
    """Return a server with a tournament of four players whose first round has started."""
    assert max.post("/tournaments/new", **NEW).status_code == 303
    assert act(max, "import", list=a_list(server, 4)).status_code == 303
    assert act(max, "pair").status_code == 303
    assert act(max, "start").status_code == 303
    return server


def test_an_organiser_sets_up_pairs_and_starts(cup: Server, nobody: Any) -> None:
    page = nobody.get("/tournaments/autumn-cup/pairings").text

    assert "Round 1 of 3 is being played until" in page
    assert page.count("/matches/") >= 2
    assert "P1" in page and "@example.org" not in page


@pytest.mark.parametrize("tab", ["", "/crosstable", "/pairings", "/pairings/1", "/entrants", "/acts", "/terms"])
def test_every_table_is_public_and_names_no_address(cup: Server, nobody: Any, tab: str) -> None:
    answer = nobody.get(f"/tournaments/autumn-cup{tab}")

    assert answer.status_code == 200
    assert "Autumn Cup" in answer.text
    assert "@example.org" not in answer.text


def test_every_number_of_an_entrant_is_explained(cup: Server, max: Any, nobody: Any) -> None:
    act(max, "result", round="1", board="1", result="first", why="played at the club")
    winner = stream.read(cup, "autumn-cup").rounds[1].pairings[0].entrants[0]
    page = nobody.get(f"/tournaments/autumn-cup/entrants/{winner}").text

    assert "Points: 1 = 1" in page
    assert "played at the club" in nobody.get("/tournaments/autumn-cup/acts").text


def test_mistakes_of_a_list_are_shown_with_their_lines(server: Server, max: Any) -> None:
    max.post("/tournaments/new", **NEW)
    answer = act(max, "import", list="name,rating\nAnn,x\n,4\n")

    assert answer.status_code == 422
    assert "line 2: &#39;x&#39; is not a whole number (rating)" in answer.text
    assert "line 3: the name is empty" in answer.text
    assert not stream.read(server, "autumn-cup").entrants


def test_a_file_can_be_uploaded(server: Server, max: Any) -> None:
    max.post("/tournaments/new", **NEW)
    answer = act(max, "import", file=(io.BytesIO(b"name\nAnn\nBob\n"), "entrants.csv"))

    assert answer.status_code == 303
    assert len(stream.read(server, "autumn-cup").entrants) == 2


def test_a_plan_is_shown_and_nothing_announced(server: Server, max: Any) -> None:
    max.post("/tournaments/new", **NEW)
    act(max, "import", list=a_list(server, 5))
    answer = act(max, "plan")

    assert "Round 1, if it were paired now" in answer.text and "has a pairing bye" in answer.text
    assert not stream.read(server, "autumn-cup").rounds


def test_a_bulk_act_shows_its_effect_first(cup: Server, max: Any) -> None:
    answer = act(max, "bulk", bulk="extend", board=["1", "2"], days="7", why="holidays", sure="no")
    assert "board 1: P1 and P3 get 7 more days" in answer.text or "get 7 more days" in answer.text
    assert not stream.read(cup, "autumn-cup").deadlines
    assert act(max, "bulk", bulk="extend", board=["1"], days="7", why="holidays", sure="yes").status_code == 303

    assert (1, 1) in stream.read(cup, "autumn-cup").deadlines


def test_the_second_director_is_told(cup: Server, max: Any, browsers: Callable[[str], Any]) -> None:
    eve = browsers("eve")
    assert act(max, "appoint", account="eve").status_code == 303
    seen = str(stream.read(cup, "autumn-cup").version)
    act(max, "result", round="1", board="1", result="first", why="seen it", seen=seen)
    act(max, "message", text="hello")
    answer = act(eve, "message", text="hello from me", seen=seen)

    assert answer.status_code == 422
    assert "something else happened in the meantime: sent a message" in answer.text


def test_nobody_else_directs_or_sees_the_board(cup: Server, nobody: Any, browsers: Callable[[str], Any]) -> None:
    eve = browsers("eve")

    assert eve.get("/tournaments/autumn-cup/director").status_code == 403
    assert act(eve, "close").status_code == 403
    assert nobody.get("/tournaments/autumn-cup/director").status_code == 303


def test_players_enter_and_withdraw_themselves(server: Server, max: Any, browsers: Callable[[str], Any]) -> None:
    max.post("/tournaments/new", **NEW)
    ann = browsers("ann")
    assert ann.post("/tournaments/autumn-cup/enter").status_code == 303
    assert "You play as ann" in ann.get("/tournaments/autumn-cup").text
    ann.post("/tournaments/autumn-cup/bye", round="2")
    assert stream.read(server, "autumn-cup").entrants[1].byes == {2: "half"}
    ann.post("/tournaments/autumn-cup/withdraw", why="no time")

    assert stream.read(server, "autumn-cup").entrants[1].state == "withdrawn"


def test_a_round_is_closed_after_results_by_hand(cup: Server, max: Any, nobody: Any) -> None:
    for board in ("1", "2"):
        assert act(max, "result", round="1", board=board, result="draw", why="club night").status_code == 303
    assert act(max, "close").status_code == 303
    assert stream.read(cup, "autumn-cup").rounds[1].closed
    assert act(max, "end").status_code == 303

    assert "The tournament is over." in nobody.get("/tournaments/autumn-cup").text


# For other programs ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["standings", "crosstable", "pairings", "entrants"])
def test_tables_as_csv(cup: Server, nobody: Any, what: str) -> None:
    answer = nobody.get(f"/tournaments/autumn-cup/{what}.csv")

    assert answer.mimetype == "text/csv"
    assert "P1" in answer.text and "@" not in answer.text
    again = nobody.get(f"/tournaments/autumn-cup/{what}.csv", **{"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304


def test_json_trf_atom_calendar_and_bundle(cup: Server, nobody: Any) -> None:
    base = "/tournaments/autumn-cup"
    told = json.loads(nobody.get(f"{base}/tournament.json").text)
    assert told["name"] == "Autumn Cup" and len(told["rounds"][0]["pairings"]) == 2
    for edition in ("trf", "trf26"):
        assert not trf.read(nobody.get(f"{base}/tournament.{edition}").data).mistakes
    feed = ElementTree.fromstring(nobody.get(f"{base}/feed.atom").data)
    assert "started round 1" in [title.text for title in feed.iter("{http://www.w3.org/2005/Atom}title")]
    calendar = Calendar.from_ical(nobody.get(f"{base}/rounds.ics").data)
    assert [str(entry["summary"]) for entry in calendar.walk("VEVENT")] == ["Autumn Cup: round 1 ends"]
    assert nobody.get(f"{base}/bundle.jsonl").data.startswith(b'{"header"')


def test_the_table_may_be_embedded_and_nothing_else(cup: Server, nobody: Any) -> None:
    table = nobody.get("/tournaments/autumn-cup/embed")
    page = nobody.get("/tournaments/autumn-cup")

    assert "frame-ancestors *" in table.headers["Content-Security-Policy"]
    assert "<form" not in table.text and "<script" not in table.text
    assert "frame-ancestors 'none'" in page.headers["Content-Security-Policy"]


def test_seasons_add_up(cup: Server, max: Any, nobody: Any) -> None:
    max.post("/tournaments/new", **{**NEW, "name": "Winter Cup", "season": "2030"})
    max.post("/tournaments/winter-cup/director/import", list="name\nAnn\nBob\n")
    page = nobody.get("/seasons/2030")

    assert page.status_code == 200 and "Winter Cup" in page.text
    assert nobody.get("/seasons/1999").status_code == 404


@pytest.mark.parametrize(
    "path", ["/tournaments/none", "/tournaments/autumn-cup/pairings/9", "/tournaments/x/feed.atom"]
)
def test_what_is_not_there_is_not_found(cup: Server, nobody: Any, path: str) -> None:
    assert nobody.get(path).status_code == 404

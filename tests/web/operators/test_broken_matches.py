"""§15 One broken match does not stop the others, because lists and ended matches need no replay."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from eventstore import NewEvent
from pbem.engine.play.resolve import Diverged
from pbem.matches import summaries, views
from pbem.matches.accounts import accounts
from pbem.matches.exchange import advancing, closing, creating, submitting
from pbem.matches.history import final_views, replay
from pbem.matches.history.replay import record_of


def play_to_the_end(server, match):
    """Send nothing for either side until the match is over."""
    for _ in range(40):
        record = record_of(server, match)
        if record.ended:
            return
        closing.close(server, match, exchange=record.open_exchange, why="deadline")
        advancing.advance(server, match)
    pytest.fail("the toy ends within 40 exchanges")


def remove_title(server):
    server.titles.clear()
    server.forget()


def break_replay(server, monkeypatch):
    """Make every replay from now on fail."""

    def broken(*args, **more):
        raise Diverged("exchange 2: rolls differ")

    server.forget()
    server.store.drop_snapshots()
    monkeypatch.setattr(replay, "position_of", broken)


@pytest.fixture
def ended(server, match):
    play_to_the_end(server, match)
    return match


def test_an_ended_match_that_no_longer_replays_is_listed_and_read(nobody, ann, server, ended, new_match, monkeypatch):
    summaries.catch_up(server)
    final_views.keep(server, ended)
    before = ann.get(f"/matches/{ended}").text
    reports = nobody.get(f"/matches/{ended}/reports/2").text
    picture = nobody.get(f"/matches/{ended}/map.svg").data
    running = new_match(server)
    break_replay(server, monkeypatch)

    assert ">Ambush at noon</a>" in nobody.get("/").text
    shown = nobody.get("/api/v1/matches").json
    assert {one["match"] for one in shown["matches"]} == {ended, running}
    assert ann.get(f"/matches/{ended}").status_code == 200
    assert sentences(ann.get(f"/matches/{ended}").text) == sentences(before) != []
    assert sentences(nobody.get(f"/matches/{ended}/reports/2").text) == sentences(reports) != []
    assert nobody.get(f"/matches/{ended}/map.svg").data == picture
    assert nobody.get(f"/api/v1/matches/{ended}").status_code == 200
    assert nobody.get(f"/matches/{ended}/export").status_code == 200


def sentences(page: str) -> list[str]:
    return re.findall(r'<span class="text">([^<]+)|<summary>([^<]+)', page)


def test_an_ended_match_whose_title_is_gone_is_read_as_it_was_kept(nobody, server, ended, caplog):
    summaries.catch_up(server)
    final_views.keep(server, ended)
    remove_title(server)
    assert nobody.get(f"/matches/{ended}").status_code == 200
    assert [entry.message for entry in caplog.records if entry.exc_info] == []

    assert nobody.get("/").status_code == 200
    assert nobody.get(f"/matches/{ended}").status_code == 200
    assert nobody.get(f"/matches/{ended}/map.svg").status_code == 200
    assert nobody.get(f"/matches/{ended}/reports/2").status_code == 200
    replayed = nobody.get(f"/matches/{ended}/replay/2")
    assert replayed.status_code == 503 and "Its reports can still be read." in replayed.text


def test_an_ended_match_of_which_nothing_was_kept_still_tells_its_reports(nobody, server, ended):
    remove_title(server)

    assert nobody.get(f"/matches/{ended}").status_code == 200
    assert nobody.get(f"/matches/{ended}/reports/2").status_code == 200
    assert nobody.get(f"/matches/{ended}/map.svg").status_code == 404


def test_a_running_match_whose_title_is_gone_is_listed_and_says_so_on_its_page(nobody, server, match):
    remove_title(server)

    assert ">Ambush at noon</a>" in nobody.get("/").text
    assert nobody.get("/api/v1/matches").json["matches"][0]["match"] == match
    page = nobody.get(f"/matches/{match}")
    assert page.status_code == 503 and "The title ambush is not available" in page.text


def test_what_was_kept_of_an_ended_match_gives_no_viewer_more_than_the_view(server, ended):
    """The view of an ended match that is stored for each viewer equals that viewer's view."""
    summaries.catch_up(server)
    position = replay.load(server, ended)
    final_views.keep(server, ended)
    kept = final_views.kept_position(server, ended, record_of(server, ended))
    assert kept is not None
    for viewer in position.run.viewers():
        assert kept.run.view(viewer) == position.run.view(viewer)
        told = position.rules.describe(position.run.view(viewer), viewer)
        assert told and kept.rules.describe({}, viewer) == told, "messages, to be worded for each reader"


def test_a_match_that_a_ruling_opens_again_is_not_shown_as_it_was_kept(server, ended):
    summaries.catch_up(server)
    final_views.keep(server, ended)
    with server.store.transaction() as transaction:
        stream = replay.stream_of(ended)
        event = NewEvent("ruling.reopened", {"after": 2, "reason": "a slip", "by": "master"})
        transaction.append(stream, [event], expected=transaction.version(stream))
    assert final_views.kept_position(server, ended, record_of(server, ended)) is None


# Lists -------------------------------------------------------------------------------------------------------


class Reads:
    """How many times a stream has been read."""

    def __init__(self, server, monkeypatch):
        self.count, real = 0, server.store.read

        def read(*args, **more):
            self.count += 1
            return real(*args, **more)

        monkeypatch.setattr(server.store, "read", read)


def test_a_page_of_the_lobby_reads_no_stream_and_has_the_same_size_for_any_number_of_matches(
    nobody, server, monkeypatch
):
    def sizes(count: int) -> tuple[int, int]:
        for number in range(count):
            creating.new_match(server, "ambush", "tiny", name=f"Match {number:04}")
        summaries.catch_up(server)
        reads = Reads(server, monkeypatch)
        page = nobody.get("/", **{"Accept-Encoding": "gzip"})
        assert page.headers["Content-Encoding"] == "gzip"
        return reads.count, len(page.data)

    few, many = sizes(40), sizes(120)
    assert few[0] == many[0] == 0
    assert many[1] < 1.2 * few[1]


def test_every_match_is_on_exactly_one_page_of_the_lobby(nobody, server):
    wanted = {creating.new_match(server, "ambush", "tiny", name=f"Match {number}") for number in range(60)}
    summaries.catch_up(server)  # as the background does
    found: list[str] = []
    path = "/"
    while path:
        page = nobody.get(path).text
        found += re.findall(r'href="/matches/(\w+)"', page)
        more = re.search(r'href="([^"]+)">More: open seats', page)
        path = more[1].replace("&amp;", "&") if more else ""
    assert len(found) == len(wanted) == 60 and set(found) == wanted


def test_a_list_shows_what_its_reader_has_just_done(ann, server, match):
    ann.post(f"/matches/{match}/orders", orders="", act="final", exchange=2)
    assert "your orders are due" not in ann.get("/").text


def test_a_new_name_of_a_player_shows_in_lists_at_once(nobody, server, match):
    account = accounts.by_address(server, "ann@example.org")
    accounts.rename(server, account.id, "Ann of Arnhem")
    assert "Ann of Arnhem" in nobody.get("/").text


def test_a_match_whose_record_cannot_be_read_is_listed_as_halted(nobody, server, match, monkeypatch):
    real = server.record

    def record(stream, upto=None):
        if stream == replay.stream_of(match):
            raise ValueError("an event of a later release")
        return real(stream, upto)

    monkeypatch.setattr(server, "record", record)
    page = nobody.get("/")
    assert page.status_code == 200 and "halted, all orders are safe" in page.text


def test_rows_are_made_for_the_matches_of_a_database_from_before(tmp_path: Path, new_server, new_match):
    server = new_server(tmp_path)
    match = new_match(server)
    for table in ("match_summary", "seat_summary", "summary_due"):
        server.database.execute(f"DROP TABLE {table}")
    server.database.execute("DELETE FROM projected WHERE name = 'summaries'")
    server.close()
    again = new_server(tmp_path)
    assert summaries.catch_up(again) == 0
    found = summaries.of_match(again, match)
    assert found is not None and found.status.state == "open" and set(found.players) == {"red", "blue"}


def test_a_summary_says_what_the_match_says(server, match, new_match):
    """After every event, the summary rows of two matches agree with their records."""
    other = new_match(server, cadence=24)
    play_to_the_end(server, match)
    ann = accounts.by_address(server, "ann@example.org")
    submitting.submit(server, other, "red", 2, "r1 go2", by=ann.id, final=True, source="web")
    submitting.take(server, other, "red", 2, "draw", by=ann.id, source="web")
    for one in (match, other):
        found = summaries.of_match(server, one)
        assert found is not None and found.status == views.status(server, one)
    assert summaries.of_match(server, other).status.waiting_for == ["blue"]

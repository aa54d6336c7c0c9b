"""`pbem work`: several processes share one database.

Each turn is played once, each email is sent once, and all processes must run the same release.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from support.hosts import postgres
from support.seated import TITLES

from pbem.cli import main
from pbem.cli.operating import working
from pbem.cli.operating.working import Worker
from pbem.mail.settings import Settings
from pbem.matches.accounts import accounts
from pbem.matches.clock import tick
from pbem.matches.exchange import creating, submitting
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.replay import record_of
from pbem.matches.installation import open_server
from pbem.matches.server import Server
from pbem.matches.workers import claims, deaths

pytestmark = pytest.mark.postgresql


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    server = open_server(tmp_path / "pbem.db", TITLES, database=postgres.cluster().empty())
    tick.recover(server)
    yield server
    server.close()


def begin(server: Server, count: int) -> list[str]:
    """Create matches whose first exchange is closed but not yet resolved."""
    server.later = lambda match: None
    people = [accounts.open_account(server, f"{name}@example.org", name).id for name in ("ann", "bob")]
    matches = []
    for _ in range(count):
        match = creating.new_match(server, "ambush", "tiny", cadence=48)
        for seat, account in zip(("red", "blue"), people, strict=True):
            take_seat(server, match, seat, account)
        matches.append(match)
    tick.work_round(server)
    for match in matches:
        for seat, account in zip(("red", "blue"), people, strict=True):
            exchange = record_of(server, match).open_exchange
            submitting.submit(server, match, seat, exchange, "", by=account, final=True, source="web")
    return matches


def opened(server: Server) -> Server:
    """Open the same server a second time, as another process would."""
    return open_server(server.store.path, TITLES, database=server.store.address)


def test_four_resolvers_play_every_turn_once(server: Server, tmp_path: Path) -> None:
    matches = begin(server, 8)
    others = [opened(server) for _ in range(4)]
    workers = [Worker(other, tmp_path, "resolver") for other in others]
    threads = [threading.Thread(target=worker.run, args=(3,)) for worker in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    for match in matches:
        events = record_of(server, match).events
        played = [event.payload["exchange"] for event in events if event.type == "exchange.resolved"]
        closed = {event.payload["exchange"] for event in events if event.type == "exchange.closed"}
        assert len(played) == len(set(played)) and closed and closed <= set(played)
        assert server.store.verify(f"match/{match}") is None
    assert server.database.execute("SELECT count(*) FROM claims").fetchone()[0] == 0
    assert claims.workers(server) == []
    for other in others:
        other.close()


def test_two_mailers_send_every_mail_once(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(server, 3)
    sent: list[str] = []

    class Pile:
        def send(self, message: EmailMessage) -> None:
            sent.append(str(message["Message-ID"]))

    monkeypatch.setattr(working, "transport_of", lambda settings, folder: Pile())
    others = [opened(server) for _ in range(2)]
    workers = [Worker(other, tmp_path, "mailer") for other in others]
    threads = [threading.Thread(target=worker.run, args=(3,)) for worker in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sent and len(sent) == len(set(sent))
    for other in others:
        other.close()


def test_a_match_that_kills_its_workers_is_halted_after_the_third(server: Server, tmp_path: Path) -> None:
    [match] = begin(server, 1)
    for _ in range(deaths.MOST_DEATHS + 1):
        assert claims.take(server, "advance", match, "dead")
        server.database.execute("UPDATE claims SET until = 0")

    Worker(server, tmp_path, "resolver").round()

    assert record_of(server, match).halted


def test_releases_do_not_mix(server: Server, tmp_path: Path) -> None:
    server.database.execute("UPDATE house SET value = 'another' WHERE name = 'fingerprint/ambush'")

    with pytest.raises(ValueError, match="same release"):
        Worker(server, tmp_path, "resolver").round()


def test_a_server_on_sqlite_needs_no_workers(tmp_path: Path, capsys: pytest.CaptureFixture[Any]) -> None:
    assert main(["work", "--role", "resolver", "--data", str(tmp_path)], TITLES) == 1
    assert "need PostgreSQL" in capsys.readouterr().err


def test_a_worker_passes_over_what_another_one_is_claiming(server: Server) -> None:
    """A worker skips a row that another worker's transaction has locked, and takes the next one (SKIP LOCKED)."""
    for match, touched in (("a", 1), ("b", 2)):
        server.database.execute("INSERT INTO desk (match, touched) VALUES (?, ?)", (match, touched))
    other = opened(server)
    with other.store.transaction("claim", shared=True) as transaction:
        transaction.database.execute("SELECT match FROM desk WHERE match = 'a' FOR UPDATE")
        assert claims.pick(server, "advance", working.NEXT_TURN, (), "me") == ("b", 2)
    assert claims.pick(server, "advance", working.NEXT_TURN, (), "me") == ("a", 1)
    assert claims.pick(server, "advance", working.NEXT_TURN, (), "you") is None
    other.close()


def test_a_mailer_gives_its_claims_back(server: Server, tmp_path: Path) -> None:
    begin(server, 1)
    Worker(server, tmp_path, "mailer").round()
    assert server.database.execute("SELECT count(*) FROM claims").fetchone() == (0,)


def test_a_mailer_links_to_where_the_site_was_started_unless_the_settings_say_otherwise(
    server: Server, tmp_path: Path
) -> None:
    begin(server, 1)
    working.note_site(server, "http://127.0.0.1:8123")
    Worker(server, tmp_path, "mailer").round()
    sent = [file.read_text() for file in (tmp_path / "mail" / "new").iterdir()]
    assert sent and all("http://127.0.0.1:8123/" in text for text in sent)
    chosen = Settings(base_url="https://pbem.example.org")
    assert working.with_site(chosen, server) == chosen

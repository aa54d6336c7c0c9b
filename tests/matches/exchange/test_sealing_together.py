"""On PostgreSQL orders are sealed in parallel; within one match the slower writer starts again, and nothing is
lost."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from support.hosts import postgres
from support.seated import TITLES

from pbem.matches.accounts import accounts
from pbem.matches.clock import tick
from pbem.matches.exchange import creating, submitting
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.receipts import Receipt
from pbem.matches.history.replay import record_of
from pbem.matches.installation import open_server


@pytest.mark.postgresql
def test_seats_and_devices_seal_at_once_and_every_receipt_is_in_the_log(tmp_path: Path) -> None:
    server = open_server(tmp_path / "pbem.db", TITLES, database=postgres.cluster().empty())
    people = {seat: accounts.open_account(server, f"{seat}@example.org", seat).id for seat in ("red", "blue")}
    matches = [creating.new_match(server, "ambush", "tiny", cadence=48) for _ in range(3)]
    for match in matches:
        for seat, account in people.items():
            take_seat(server, match, seat, account)
    tick.work_round(server)
    receipts: list[Receipt] = []
    failures: list[Exception] = []

    def seal(match: str, seat: str) -> None:
        try:
            for _ in range(3):
                exchange = record_of(server, match).open_exchange
                about = {"by": people[seat], "final": False, "source": "web"}
                receipts.append(submitting.submit(server, match, seat, exchange, "", **about))
        except Exception as problem:
            failures.append(problem)

    work = [(match, seat) for match in matches for seat in people] + [(matches[0], "red")] * 2
    threads = [threading.Thread(target=seal, args=job) for job in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert failures == [] and len(receipts) == 3 * len(work)
    for receipt in receipts:
        assert receipt.genuine()
        assert receipt.event in {event.hash for event in server.store.read(f"match/{receipt.match}")}
    for match in matches:
        assert server.store.verify(f"match/{match}") is None
    server.close()

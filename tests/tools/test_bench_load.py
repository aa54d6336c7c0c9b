"""The load benchmark counts acknowledged orders and finds missing ones; no test depends on timing."""

from __future__ import annotations

import multiprocessing
import os
import time
from pathlib import Path

import pytest
from support.seated import TITLES

from pbem.matches.exchange import submitting
from pbem.matches.history.replay import record_of
from pbem.matches.installation import open_server
from pbem.tools.bench import load as bench_load
from pbem.tools.bench.load import Contestant, Order, Sent


@pytest.fixture
def orders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Order]:
    monkeypatch.setattr(bench_load, "WARM_UP", 1)
    return bench_load.prepare(tmp_path / "state", TITLES, "ambush", "tiny", 2, lambda text: None)


def test_orders_go_three_ways_and_what_is_not_in_the_log_is_lost(tmp_path: Path, orders: list[Order]) -> None:
    assert [order.way for order in orders] == ["web", "mail", "api", "web", "mail", "api"]
    assert [order.warms_up for order in orders] == [True, True, False, False, False, False]
    assert all(order.key for order in orders)

    server = open_server(tmp_path / "state" / "pbem.db", TITLES)
    kept = orders[0]
    account = record_of(server, kept.match).occupants[kept.seat]["account"]
    submitting.submit(server, kept.match, kept.seat, kept.exchange, kept.text, by=account, final=True, source="web")
    server.close()
    measured = Contestant("sqlite", [Sent(kept, {"web": 0.1}), Sent(orders[1], {"mail": 0.1})])
    bench_load.check(measured, tmp_path / "state", TITLES, "")
    assert measured.lost == [f"{orders[1].seat} of match {orders[1].match} by mail"]


def test_matches_are_begun_once(tmp_path: Path, orders: list[Order]) -> None:
    def refuse(*more: object) -> str:
        raise AssertionError("a match is begun again")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bench_load, "begin", refuse)
        assert bench_load.prepare(tmp_path / "state", TITLES, "ambush", "tiny", 2, lambda text: None) == orders


def test_what_failed_is_not_acknowledged_and_so_not_lost(tmp_path: Path, orders: list[Order]) -> None:
    measured = Contestant("sqlite", [Sent(orders[0], {}, "503")])
    bench_load.check(measured, tmp_path / "state", TITLES, "")
    assert measured.lost == []
    assert bench_load.report([measured], 1, 60, 1)["sqlite"]["refused_or_failed"] == 1


def test_processor_time_is_that_of_a_process_and_its_children() -> None:
    def burn() -> None:
        until = time.process_time() + 0.05
        while time.process_time() < until:
            pass

    before = bench_load.processor_of(os.getpid())
    child = multiprocessing.get_context("fork").Process(target=burn)
    child.start()
    child.join()
    assert bench_load.processor_of(os.getpid()) - before >= 0.04
    assert bench_load.processor_of(0) == 0.0


def test_percentiles_and_ratios() -> None:
    times = [number / 1000 for number in range(1, 101)]
    assert bench_load.percentiles(times) == "p50 51, p95 96, p99 100, slowest 100 (100)"
    assert bench_load.percentiles([]) == bench_load.ratio_of([], times) == "none"
    assert bench_load.ratio_of([2 * time for time in times], times) == "p50 2.00, p95 2.00"
    assert bench_load.memory_in_words([1024, 2048]) == "1, 2, 2"


@pytest.mark.parametrize(
    ("waiting", "behind", "expected"),
    [("0000", 0, True), *((f"{1 << place:04b}", 0, False) for place in range(4)), ("0000", 3, False)],
)
def test_nothing_is_handled_before_the_desk_has_seen_it(waiting: str, behind: int, expected: bool) -> None:
    """An order that was sealed a moment ago is not yet in any queue."""
    names = zip(("mail in", "turns", "replays", "mail out"), waiting, strict=True)
    queues = "".join(f'pbem_queue_waiting{{queue="{name}"}} {count}\n' for name, count in names)
    lanes = f'pbem_projection_lanes_behind{{projection="desk"}} {behind}\n'
    assert bench_load.is_handled(queues + lanes) is expected

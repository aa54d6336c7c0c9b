"""Claims and heartbeats: one process has a job, a dead process loses it, and a third death is reported."""

from __future__ import annotations

from support.seated import Table

from pbem.matches import metrics
from pbem.matches.workers import claims


def test_a_job_has_one_process_until_its_claim_runs_out(table: Table) -> None:
    assert claims.take(table.server, "advance", "m", "one")
    assert not claims.take(table.server, "advance", "m", "two")
    table.now += claims.CLAIM - 1
    claims.renew(table.server, "advance", "m", "one")
    table.now += claims.CLAIM - 1
    assert not claims.take(table.server, "advance", "m", "two")
    table.now += 1
    assert claims.take(table.server, "advance", "m", "two")
    assert claims.dead(table.server, "advance", "m") == 1


def test_a_job_that_is_done_counts_no_deaths(table: Table) -> None:
    assert claims.take(table.server, "advance", "m", "one")
    with claims.hold_claim(table.server, "advance", "m", "one"):
        assert not claims.take(table.server, "advance", "m", "two")
    assert claims.take(table.server, "advance", "m", "two")
    assert claims.dead(table.server, "advance", "m") == 0


def test_a_worker_whose_name_was_taken_hears_of_it(table: Table) -> None:
    first = claims.enlist(table.server, "left", "resolver")
    assert claims.beat(table.server, "left", first)
    second = claims.enlist(table.server, "left", "resolver")

    assert not claims.beat(table.server, "left", first)
    assert claims.beat(table.server, "left", second)
    assert [(worker.name, worker.epoch) for worker in claims.workers(table.server)] == [("left", 2)]
    claims.retire(table.server, "left", second)
    assert claims.workers(table.server) == []


def test_the_numbers_are_in_the_form_of_prometheus(table: Table) -> None:
    table.begin()
    claims.enlist(table.server, "left", "resolver")
    table.now += 7000

    text = metrics.metrics(table.server)

    assert 'pbem_worker_heartbeat_age_seconds{role="resolver",name="left"} 7' in text
    assert 'pbem_queue_waiting{queue="mail out"}' in text
    for line in text.splitlines():
        assert line.startswith("# ") or line.rpartition(" ")[2].lstrip("-").isdigit(), line

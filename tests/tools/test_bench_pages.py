"""The benchmark measures pages while turns are played; no test depends on timing."""

from __future__ import annotations

from support.toy import AmbushTitle

from pbem.tools.bench import pages as bench_pages


def test_pages_are_served_while_a_turn_is_played_here_and_by_a_worker() -> None:
    found = bench_pages.measure({"ambush": AmbushTitle()}, "ambush", "small", "tiny", lambda text: None, rounds=1)
    assert found["page_idle_count"] == bench_pages.IDLE_PAGES
    assert found["page_same_process_count"] >= 1 and found["page_worker_count"] >= 1
    assert set(found) >= {"page_worker_against_idle", "page_same_process_against_idle"}

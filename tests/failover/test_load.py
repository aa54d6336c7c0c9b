"""`pbem bench --load` on a real server with each database loses nothing.

Run with `pytest -m failover tests/failover`.
"""

from __future__ import annotations

import pytest
from support.hosts import postgres

from pbem.titles.registry import TITLES
from pbem.tools.bench.load import bench_load

pytestmark = [pytest.mark.failover, pytest.mark.postgresql]


def test_nothing_is_lost_by_web_mail_and_api_on_either_engine() -> None:
    more = {"matches": 3, "rate": 120, "minutes": 0.05, "database": postgres.cluster().empty()}
    found = bench_load(TITLES, "panzer", "duel", lambda text: None, **more)
    for engine in ("sqlite", "postgresql"):
        assert (found[engine]["lost"], found[engine]["refused_or_failed"]) == ([], 0)
        assert (found[engine]["orders"], found[engine]["turns_played"]) == (6, 3)
    assert set(found["postgresql_against_sqlite"]) == {"page", "web", "mail", "api"}

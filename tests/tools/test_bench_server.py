"""The server benchmark measures every row and its spread; no test depends on timing."""

from __future__ import annotations

import gc
import re

from support.toy import AmbushTitle

from pbem.tools.bench import server as bench_server


def test_every_row_is_a_median_with_its_spread() -> None:
    found = bench_server.measure({"ambush": AmbushTitle()}, "ambush", "small", rounds=2)
    assert {"replay_against_floor", "order_read_ms", "mail_composed_ms", "mail_in_a_burst_ms"} <= set(found)
    assert {"lobby_against_a_tenth", "commit_wall_ms", "start_ms"} <= set(found)
    for name, row in found.items():
        middle, low, high = map(float, re.findall(r"\d+\.\d+", row))
        assert low <= middle <= high, name


def test_what_a_process_has_left_out_of_garbage_collection_stays_out() -> None:
    gc.freeze()
    before = gc.get_freeze_count()
    bench_server.ratio(lambda: None, lambda: None, rounds=1)
    assert gc.get_freeze_count() >= before > 0

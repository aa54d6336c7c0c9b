"""The example in the documentation runs as printed, and the benchmark measures."""

import doctest

from eventstore import example
from pbem.tools.bench import store as bench_store


def test_the_example_runs_as_printed():
    result = doctest.testmod(example)

    assert result.attempted > 20
    assert result.failed == 0


def test_the_measurement_gives_ratios():
    ratios = bench_store.measure(rounds=3, events=50)

    for name in ("append_one", "append_ten", "read_and_decode", "read_verify_and_decode"):
        assert ratios[name] > 0
        assert ratios[f"{name}_undisturbed"] > 0
    assert ratios["append_one_bare_commit_microseconds"] > 1


def test_waiting_hides_in_the_medians_and_not_in_the_fastest_tenth():
    """If most turns wait for a processor, only the fastest tenth of the times shows that one run is twice as slow."""
    times = {"bare": [1.0, 400.0, 400.0, 400.0] * 10, "store": [2.0, 400.0, 400.0, 400.0] * 10}

    assert bench_store.ratios("append", times, "store", "bare") == {"append": 1.0, "append_undisturbed": 0.5}

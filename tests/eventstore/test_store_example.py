"""The example runs as it is printed, and the measurement measures."""

import doctest

from eventstore import bench, example


def test_the_example_runs_as_printed():
    result = doctest.testmod(example)

    assert result.attempted > 20
    assert result.failed == 0


def test_the_measurement_gives_ratios():
    ratios = bench.measure(rounds=3, events=50)

    assert {"append_one", "append_ten", "read_and_decode", "read_verify_and_decode"} <= ratios.keys()
    assert all(ratio > 0 for ratio in ratios.values())

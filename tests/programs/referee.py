"""Compare the rules of Panzer with the referee over many positions of matches between bots.

    cd tests && PYTHONPATH=.. python -m programs.referee 10-30 desert,collision 12 2016

This uses seeds 10 to 29 of these scenarios, twelve positions of each match, and the 2016 book. It prints how many
questions of each kind were put to both, and the first disagreements of each kind.
"""

from __future__ import annotations

import sys
from collections import Counter

from titles.panzer.referee.positions import positions
from titles.panzer.referee.test_referee import compared

SHOWN = 5


def main(words: list[str]) -> int:
    first, last = map(int, words[0].split("-"))
    asked: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    looked = 0
    for scenario in words[1].split(","):
        for seed in range(first, last):
            for data, state in positions(scenario, seed, most=int(words[2]), edition=words[3]):
                looked += 1
                questions, differing = compared(data, state)
                asked += questions
                for line in differing:
                    kind = line.split()[0]
                    wrong[kind] += 1
                    if wrong[kind] <= SHOWN:
                        print(f"{scenario}, seed {seed}, turn {state.turn}: {line}")
    print(f"{looked} positions, {sum(asked.values())} questions: {dict(asked)}; differing: {dict(wrong)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

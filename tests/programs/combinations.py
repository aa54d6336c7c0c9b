"""Try every place, state, command and procedure of Panzer, each with several random choices.

    cd tests && PYTHONPATH=.. python -m programs.combinations [SEEDS [EVERY]]

It prints each failure with its combination and procedure, and the number of combinations tried.
"""

from __future__ import annotations

import sys
import traceback

from titles.panzer.combinations.playing import PROCEDURES, play
from titles.panzer.combinations.positions import combinations, drawn


def main(words: list[str]) -> int:
    seeds, every = (*map(int, words), 1, 1)[:2] if len(words) > 1 else (int(words[0]) if words else 1, 1)
    played = wrong = 0
    for number, combination in enumerate(combinations()):
        if number % every:
            continue
        for procedure in PROCEDURES:
            for seed in range(seeds):
                data, state = drawn(combination)
                played += 1
                try:
                    found = list(play(data, state, procedure, f"{combination} {seed}"))
                except Exception as error:
                    place = traceback.extract_tb(error.__traceback__)[-1]
                    found = [f"{type(error).__name__} {error} ({place.filename.rpartition('/')[2]}:{place.lineno})"]
                wrong += bool(found)
                for line in found:
                    print(f"{combination}, {procedure}, {seed}: {line[:300]}", flush=True)
    print(f"{played} procedures played, {wrong} with a fault")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

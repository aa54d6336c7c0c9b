"""A process that plays until it is killed: `python victim.py FOLDER SEED [FAIL-POINT COUNT]`.

It prints each acknowledged order; what it printed must be in the log for ever.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from playing import a_house, a_match, moves, submission

from pbem.matches import acts
from pbem.matches.position import load


def killer(point: str, count: int) -> object:
    left = [count]

    def failpoint(name: str) -> None:
        if name == point:
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    return failpoint


def main(folder: str, seed: str, point: str = "", count: str = "1") -> None:
    house = a_house(Path(folder), seed, failpoint=killer(point, int(count)))
    acts.recover(house)
    match = (acts.matches(house) or [a_match(house, scenario="small")])[0]
    for step in moves(house, match, seed):
        if step.startswith("seal"):
            # Seal here and say so, as a door does once the order is durable.
            position = load(house, match)
            ask = position.run.ask_of(step.split()[1])
            assert ask is not None
            receipt = acts.seal(
                house, match, ask.seat, position.record.open_exchange, submission(seed, position, ask)
            )
            print(receipt.event, flush=True)
    print("over", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])

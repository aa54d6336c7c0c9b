"""A process that plays until it is killed: `python -m programs.victim FOLDER SEED DATABASE [FAIL-POINT COUNT]`.

It prints each acknowledged order, and every printed order must stay in the log forever.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from support.playing import SEATS, a_match, a_server, moves, submission

from pbem.matches.clock import tick
from pbem.matches.exchange import submitting
from pbem.matches.history.replay import all_matches, load


def killer(point: str, count: int) -> object:
    left = [count]

    def failpoint(name: str) -> None:
        if name == point:
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    return failpoint


def main(folder: str, seed: str, database: str, point: str = "", count: str = "1") -> None:
    server = a_server(Path(folder), seed, database=database, failpoint=killer(point, int(count)))
    tick.recover(server)
    match = (all_matches(server) or [a_match(server, scenario="small")])[0]
    for step in moves(server, match, seed):
        if step.startswith("seal"):
            # Seal here and print the order, as a listener acknowledges it once it is durable.
            position = load(server, match)
            ask = position.run.ask_of(step.split()[1])
            assert ask is not None
            text = position.rules.restate(ask, submission(seed, position, ask))
            place = (match, ask.seat, position.record.open_exchange)
            taken = submitting.take(server, *place, text, by=SEATS[ask.seat], source="web")
            assert taken.receipt is not None
            print(taken.receipt.event, flush=True)
    print("over", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])

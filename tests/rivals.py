"""One of several processes that play the same matches at once: `python rivals.py FOLDER SEED`."""

from __future__ import annotations

import sys
from pathlib import Path

from playing import a_house, submission

from pbem.engine.refusals import Refusal
from pbem.matches import acts
from pbem.matches.position import load


def main(folder: str, seed: str) -> None:
    """Seal for every seat that waits, close and resolve, until all matches are over. No error may reach a player."""
    house = a_house(Path(folder), "house")
    running = acts.matches(house)
    while running:
        for match in list(running):
            position = load(house, match)
            if position.record.ended:
                running.remove(match)
                continue
            exchange = position.record.open_exchange
            for ask in position.run.asks:
                try:
                    acts.seal(house, match, ask.seat, exchange, submission(seed, position, ask), final=True)
                    print("sealed", match, exchange, flush=True)
                except Refusal as refusal:
                    # Another process has closed the exchange meanwhile: that is an answer, not an error.
                    assert "pbem/exchange" in str(refusal), refusal
            acts.close_if_final(house, match)


if __name__ == "__main__":
    main(*sys.argv[1:])

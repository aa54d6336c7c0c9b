"""One of several processes that play the same matches at once: `python -m programs.rivals FOLDER SEED DATABASE`."""

from __future__ import annotations

import sys
from pathlib import Path

from support.playing import a_server, submission

from pbem.engine.rules.refusals import Refusal
from pbem.matches.exchange import advancing, sealing
from pbem.matches.history.replay import all_matches, load


def main(folder: str, seed: str, database: str) -> None:
    """Seal orders for every waiting seat, close and resolve, until all matches are over; no error may reach a
    player."""
    server = a_server(Path(folder), "house", database=database)
    running = all_matches(server)
    while running:
        for match in list(running):
            position = load(server, match)
            if position.record.ended:
                running.remove(match)
                continue
            exchange = position.record.open_exchange
            for ask in () if position.record.closing else position.run.asks:  # closed: these asks are answered
                try:
                    sealing.seal(server, match, ask.seat, exchange, submission(seed, position, ask), final=True)
                    print("sealed", match, exchange, flush=True)
                except Refusal as refusal:
                    # Another process has closed the exchange in the meantime: that is an answer, not an error.
                    assert "pbem/exchange" in str(refusal), refusal
            advancing.advance(server, match)


if __name__ == "__main__":
    main(*sys.argv[1:])

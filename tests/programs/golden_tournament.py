"""Record a golden bundle of a tournament: `cd tests && PYTHONPATH=.. python -m programs.golden_tournament`.

It is a knock-out with bids, a rematch, a bye that is requested and refused, a withdrawal and a correction. Later
releases must read, verify and score it in the same way. An existing bundle is never overwritten.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from support.hall import Hall

from pbem.matches import unit_of_work
from pbem.matches.history.replay import record_of
from pbem.matches.players import endings
from pbem.matches.post import notifications
from pbem.tournaments import choices, entries, results
from pbem.tournaments.choices import Sealed
from pbem.tournaments.files import bundle
from pbem.tournaments.pairing.sides import Bid

FOLDER = Path(__file__).parents[1] / "golden" / "tournament"
RELEASE = "0.2"


def played(folder: Path) -> bytes:
    """Play the tournament and return its bundle."""
    hall = Hall(folder)
    hall.open(5, name="Golden Cup", format="knock_out", sides="bid", decider="rematch", third_place=True)
    entries.withdraw(hall.server, hall.id, hall.player(5), "ill")
    hall.round()
    for number, bid in ((1, Bid(0, 2)), (2, Bid(1)), (3, Bid(0, 1)), (4, Bid(0))):
        choices.seal(hall.server, hall.id, hall.player(number), Sealed(bid))
    hall.tick()
    draw(hall, 1)
    hall.concede(1, "blue", leg=2)
    hall.concede(2, "red")
    hall.tick()
    hall.close()
    hall.round()
    hall.tick(days=6)
    hall.finish_round()
    results.by_hand(hall.server, hall.id, 2, 2, ("drawn", "drawn"), "both had left the table", by=hall.max)
    hall.close()
    content = bundle.write(hall.server, hall.id)
    hall.server.close()
    return content


def draw(hall: Hall, pairing: int) -> None:
    """Agree to a draw on a board, with both sides."""
    match = hall.match(pairing)
    for seat in ("red", "blue"):
        record = record_of(hall.server, match)
        unit_of_work.append(hall.server, record, endings.draw_offered(hall.server, record, seat), "draw")
    notifications.catch_up(hall.server)
    hall.tick()


def main() -> int:
    FOLDER.mkdir(exist_ok=True)
    file = FOLDER / f"{RELEASE}.bundle"
    if file.exists():
        print(f"{file.name} is there already; delete it to record it anew", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder:
        file.write_bytes(played(Path(folder)))
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Own pairings: exactly those that the director lists. Everybody else has a bye of zero points."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.tournaments.model import Bye
from pbem.tournaments.pairing.field import Draw, Field

NAME, VERSION = "own", "1"


def pair(field: Field, listed: Sequence[tuple[int, ...]]) -> Draw:
    """Return the listed pairs; all players who are not listed get a bye without points."""
    paired = {number for pair in listed for number in pair}
    byes = [
        Bye(player.number, player.absent or "zero", "absent" if player.absent else "not in the director's list")
        for player in field.players
        if player.number not in paired
    ]
    return Draw(tuple(listed), tuple(byes), NAME, VERSION)

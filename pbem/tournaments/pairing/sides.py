"""Decide which of two players has the first side: alternate, mirror, bid, fixed.

    preference, allot      the side due to a player, and which of two players gets it (alternate)
    clash                  whether two players must not meet because both need the same side
    by_bids                both seal a side and a handicap; the higher bid plays the side and gives the handicap

Sides are numbered 0 and 1. The order of the criteria is that of the FIDE Dutch system: grant both wishes; grant the
stronger; alternate from the last round in which the two had different sides; grant the higher ranked player's wish;
in the end the seed decides.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from pbem.tournaments.pairing.field import Field, Player

Lots = Callable[[int, str], int]
"""A die roll: takes the number of sides and the name of the roll, and gives a number from 1."""

NONE, MILD, STRONG, ABSOLUTE = range(4)


class Preference(msgspec.Struct, frozen=True):
    """The side that a player should have next, and how much it matters."""

    side: int | None
    strength: int
    difference: int


def preference(player: Player) -> Preference:
    """Return the side that a player should have next, given the sides played so far."""
    sides = player.sides
    difference = sides.count(0) - sides.count(1)
    if not sides:
        return Preference(None, NONE, 0)
    due = 1 if difference > 0 else 0 if difference < 0 else 1 - sides[-1]
    if len(sides) > 1 and sides[-1] == sides[-2]:
        return Preference(due if abs(difference) > 1 else 1 - sides[-1], ABSOLUTE, difference)
    strength = ABSOLUTE if abs(difference) > 1 else STRONG if difference else MILD
    return Preference(due, strength, difference)


def clash(one: Player, other: Player) -> bool:
    """Whether both players must have the same side next, so that they cannot meet."""
    mine, theirs = preference(one), preference(other)
    return mine.strength == theirs.strength == ABSOLUTE and mine.side == theirs.side


def allot(field: Field, one: Player, other: Player) -> tuple[int, int]:
    """Return the two players' numbers; the player with the first side comes first."""
    if (one.pairing_points, -one.seed) < (other.pairing_points, -other.seed):
        one, other = other, one
    side = _side_of_higher(one, other, field.first_side)
    return (one.number, other.number) if side == 0 else (other.number, one.number)


def _side_of_higher(higher: Player, lower: Player, first: int) -> int:
    mine, theirs = preference(higher), preference(lower)
    if mine.side is not None and theirs.side is not None and mine.side != theirs.side:
        return mine.side
    if mine.strength != theirs.strength:
        return _grant(mine, theirs, mine.strength > theirs.strength)
    if mine.strength == ABSOLUTE and abs(mine.difference) != abs(theirs.difference):
        return _grant(mine, theirs, abs(mine.difference) > abs(theirs.difference))
    for own, others in zip(reversed(higher.sides), reversed(lower.sides), strict=False):
        if own != others:
            return 1 - own
    if mine.side is not None:
        return mine.side
    return first if higher.seed % 2 else 1 - first


def _grant(mine: Preference, theirs: Preference, to_me: bool) -> int:
    wanted = mine.side if to_me else theirs.side
    assert wanted is not None
    return wanted if to_me else 1 - wanted


class Bid(msgspec.Struct, frozen=True):
    """A sealed bid: the side wanted, and the step of the scenario's balance list offered for it (0 if none)."""

    side: int
    step: int = 0


def by_bids(one: Bid, other: Bid, lots: Lots) -> tuple[int, int, str]:
    """Return the sides of the two bidders, and why; the bidder who gets the contested side gives the handicap.

    Different wishes are both granted and cost nothing. If both want one side, the higher step wins it; lots decide
    between equal steps.
    """
    if one.side != other.side:
        return one.side, other.side, "each bid for a different side; no handicap"
    if one.step == other.step:
        wins = lots(2, "bid") == 1
        why = f"both bid step {one.step} for the same side; lots decided"
    else:
        wins = one.step > other.step
        why = f"step {max(one.step, other.step)} beats step {min(one.step, other.step)}"
    return (one.side, 1 - one.side, why) if wins else (1 - other.side, other.side, why)


def handicap(one: Bid, other: Bid, sides: tuple[int, int]) -> tuple[int, int]:
    """Return the step that each bidder gives: the bidder who gets a contested side gives their own bid."""
    if one.side != other.side:
        return 0, 0
    return (one.step, 0) if sides[0] == one.side else (0, other.step)

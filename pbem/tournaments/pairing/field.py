"""The field, which is the input of a pairing program, and the draw, its output."""

from __future__ import annotations

from typing import Protocol

import msgspec

from eventstore import canonical
from eventstore.canonical import digest
from pbem.tournaments.model import UNPLAYED, Bye, ByeKind


class Game(msgspec.Struct, frozen=True):
    """One past round of a player. `side` is 0 or 1, or None in an unplayed round."""

    round: int
    opponents: tuple[int, ...] = ()
    side: int | None = None
    points: int = 0
    kind: str = "bye"
    bye: ByeKind | None = None

    @property
    def played(self) -> bool:
        return self.kind not in UNPLAYED


class Player(msgspec.Struct, frozen=True):
    """An entrant as a pairing program sees it. `seed` is the pairing number, from 1."""

    number: int
    seed: int
    games: tuple[Game, ...] = ()
    absent: ByeKind | None = None
    """The bye of a player who is not to be paired in this round."""
    boost: int = 0
    """Points for pairing only (acceleration)."""
    name: str = ""

    @property
    def points(self) -> int:
        return sum(game.points for game in self.games)

    @property
    def pairing_points(self) -> int:
        return self.points + self.boost

    @property
    def met(self) -> frozenset[int]:
        """Return the opponents of all played rounds."""
        return frozenset(other for game in self.games if game.played for other in game.opponents)

    @property
    def sides(self) -> tuple[int, ...]:
        """Return the sides played, oldest first."""
        return tuple(game.side for game in self.games if game.played and game.side is not None)

    @property
    def had_bye(self) -> bool:
        """Whether this player has had a pairing bye, or a win by forfeit, and so cannot get a pairing bye."""
        return any(game.bye == "pairing" or (game.kind == "forfeit" and game.points > 0) for game in self.games)


class Field(msgspec.Struct, frozen=True):
    """Everything that a pairing depends on."""

    round: int
    rounds: int
    players: tuple[Player, ...]
    forbidden: tuple[tuple[int, int], ...] = ()
    sided: bool = True
    """Whether sides matter; they do not if both sides are played in every pairing."""
    first_side: int = 0
    """The side of the top seed in round 1."""
    top_scorers: bool = False
    """Whether leaders may play the same side three times in a row in the last round, as in chess."""

    def active(self) -> list[Player]:
        """Return the players to be paired, in pairing order: points, then seed."""
        there = [player for player in self.players if player.absent is None]
        return sorted(there, key=lambda player: (-player.pairing_points, player.seed))

    def hash(self) -> str:
        """Return the hash that `round.paired` names as the pairing's input."""
        return digest(canonical(self))


class Draw(msgspec.Struct, frozen=True):
    """The result of a pairing program: pairs in board order, byes, and reasons in words."""

    pairs: tuple[tuple[int, ...], ...]
    byes: tuple[Bye, ...] = ()
    engine: str = ""
    version: str = ""
    reasons: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    """The pool or bracket of each pair, if the format has any."""


class Pairer(Protocol):
    """A program that pairs one round of a Swiss tournament."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    def pair(self, field: Field) -> Draw: ...


class Impossible(Exception):
    """No pairing obeys every hard rule. `clashes` lists the conflicts and `remedies` what would resolve them."""

    def __init__(self, clashes: list[str], remedies: list[str]) -> None:
        self.clashes, self.remedies = tuple(clashes), tuple(remedies)
        super().__init__("; ".join([*clashes, *remedies]))


def absentees(field: Field) -> tuple[Bye, ...]:
    """Return the byes of all players who are not to be paired."""
    return tuple(Bye(p.number, p.absent, "absent") for p in field.players if p.absent is not None)


def met_before(field: Field) -> set[frozenset[int]]:
    """Return all pairs that have played each other."""
    return {frozenset((player.number, other)) for player in field.players for other in player.met}


def forbidden_pairs(field: Field) -> set[frozenset[int]]:
    return {frozenset(pair) for pair in field.forbidden}

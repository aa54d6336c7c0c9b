"""The shapes of a tournament: settings, entrants, rounds, pairings, byes and results.

All points are whole tenths: a win of one point is 10, a draw 5.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from pbem.engine.rules.balance import Provision

FormatKind = Literal["swiss", "round_robin", "knock_out", "ladder", "pools", "own", "several"]
SideRule = Literal["alternate", "mirror", "bid", "fixed"]
ScenarioRule = Literal["fixed", "drawn", "chosen"]
Opens = Literal["match", "round", "campaign", "never"]
EntryState = Literal["invited", "waiting", "confirmed", "withdrawn"]
ByeKind = Literal["pairing", "full", "half", "zero"]
ResultKind = Literal["played", "conceded", "adjudicated", "forfeit", "double_loss", "by_hand"]
Verdict = Literal["won", "drawn", "lost"]

UNPLAYED: frozenset[str] = frozenset({"forfeit", "bye"})
"""Kinds of results without a played match: the two may still be paired, and tie-breaks treat them separately."""


class Points(msgspec.Struct, frozen=True):
    """Points for each result, in tenths. `levels` gives points by level of victory."""

    win: int = 10
    draw: int = 5
    loss: int = 0
    pairing_bye: int = 10
    half_bye: int = 5
    levels: dict[str, tuple[int, int]] = {}
    ranks: tuple[int, ...] = ()
    """Points by rank, best first, for tables of several players."""

    def of(self, verdict: Verdict, level: str = "") -> int:
        """Return the points of one entrant."""
        if level in self.levels and verdict != "drawn":
            return self.levels[level][0 if verdict == "won" else 1]
        return {"won": self.win, "drawn": self.draw, "lost": self.loss}[verdict]

    def bye(self, kind: ByeKind) -> int:
        """Return the points of a bye."""
        return {"pairing": self.pairing_bye, "full": self.win, "half": self.half_bye, "zero": 0}[kind]


class Unfinished(msgspec.Struct, frozen=True):
    """The steps taken at a round's deadline for unfinished matches, in this order."""

    steps: tuple[str, ...] = ("extend", "rule", "director")
    extend_days: int = 7
    margin: int = 1
    """The least lead in `Rules.score` that wins by rule; below it the match is drawn."""
    may_be_open: int = 0
    """The next Swiss round may be paired while at most this percentage of matches is open."""


class Settings(msgspec.Struct, frozen=True):
    """Everything announced at the opening of a tournament."""

    name: str
    title: str
    format: FormatKind = "swiss"
    rounds: int = 5
    points: Points = Points()
    tie_breaks: tuple[str, ...] = ("buchholz_cut_1", "buchholz", "sonneborn_berger", "direct_encounter", "wins")
    lots: bool = False
    """Whether the last tie-break is by lot; otherwise tied entrants share a place."""
    sides: SideRule = "alternate"
    scenario_rule: ScenarioRule = "fixed"
    scenarios: tuple[str, ...] = ()
    round_days: int = 42
    unfinished: Unfinished = Unfinished()
    appeal_days: int = 3
    opens: Opens = "round"
    confirm_days: int = 0
    """Days to confirm an entry; 0 means that an entry needs no confirmation."""
    no_show_days: int = 0
    """Days after the start of round 1 when entrants who have sent nothing are withdrawn; 0 leaves it to the director.
    """
    cap: int = 0
    conditions: str = ""
    master: str = ""
    """The account that is game master of every match; it may not enter."""
    highest_rating: int = 0
    asked_byes: int = 2
    late_bye: ByeKind = "zero"
    """The bye that a late entrant gets for each earlier round."""
    at_once: int = 0
    """How many matches of this tournament an entrant may have open at once; 0 means no limit."""
    accelerated: bool = False
    double: bool = False
    """Whether this is a double round robin: everybody meets everybody twice, with sides exchanged."""
    third_place: bool = False
    pools: int = 0
    advance: int = 2
    decider: str = "rematch"
    """How a drawn pairing of a knock-out is decided: `rematch` (once, then by seed), `seed`, `margin` or `lots`."""
    boards: int = 1
    """Boards in a match between teams; 1 means that the entrants are individual players."""
    table_size: int = 2
    reach: int = 3
    answer_days: int = 7
    rest_days: int = 7
    margin_cap: int = 0
    """The most that one match adds to the margin tie-break; 0 means no cap."""
    season: str = ""
    timing: dict[str, str | int] = {}
    options: dict[str, str] = {}
    switches: tuple[str, ...] = ()
    blobs: dict[str, dict[str, str]] = {}
    """Digests, by scenario, of the frozen data that every match of this tournament is played with."""
    provisions: dict[str, tuple[Provision, ...]] = {}
    """The handicaps that can be bid, by scenario."""


class Entrant(msgspec.Struct, frozen=True):
    """An account or a team in a tournament. `number` is the order of entry and never changes."""

    number: int
    name: str
    account: str = ""
    members: tuple[str, ...] = ()
    rating: int = 0
    state: EntryState = "confirmed"
    from_round: int = 1
    """The first round in which this entrant can be paired; a late entry starts after round 1."""
    late_bye: ByeKind = "zero"
    gone_after: int | None = None
    """The last round before the entrant withdrew."""
    byes: dict[int, ByeKind] = {}
    """Byes requested, by round."""
    replaced: tuple[str, ...] = ()
    """Accounts that held this entry before, oldest first."""
    confirm_by: int = 0


class Leg(msgspec.Struct, frozen=True):
    """One match of a pairing: which entrant plays which side of which scenario."""

    number: int
    sides: dict[str, int]
    scenario: str
    board: int = 1
    handicap: str = ""
    """The handicap that a side gives, such as `german 2`: the second provision for that side."""
    rematch: bool = False
    """Whether this match decides a knock-out pairing that its earlier matches left drawn."""


class Pairing(msgspec.Struct, frozen=True):
    """Entrants who meet in a round. The first entrant plays the first side in the first leg."""

    number: int
    entrants: tuple[int, ...]
    legs: tuple[Leg, ...] = ()
    group: str = ""
    why: str = ""


class Bye(msgspec.Struct, frozen=True):
    """Points that an entrant gets for a round without a match."""

    entrant: int
    kind: ByeKind
    why: str = ""


class Result(msgspec.Struct, frozen=True):
    """The result of a pairing for each entrant, in the order of the pairing."""

    pairing: int
    kind: ResultKind
    verdicts: tuple[Verdict, ...]
    points: tuple[int, ...]
    scores: tuple[int, ...] = ()
    """The title's score of each entrant, summed over the legs."""
    boards: tuple[int, ...] = ()
    """Board points of each team, in tenths."""
    reason: str = ""
    rated: bool = True


class Round(msgspec.Struct, frozen=True):
    """A paired round. `results` are those that count now, after all corrections."""

    number: int
    pairings: tuple[Pairing, ...] = ()
    byes: tuple[Bye, ...] = ()
    results: dict[int, Result] = {}
    started_at: int | None = None
    deadline: int | None = None
    closed: bool = False
    engine: str = ""
    version: str = ""
    field: str = ""
    """The hash of the field from which the round was paired."""

    def open_pairings(self) -> list[Pairing]:
        """Return the pairings that have no result yet."""
        return [pairing for pairing in self.pairings if pairing.number not in self.results]

    def pairing_of(self, entrant: int) -> Pairing | None:
        """Return the pairing of an entrant in this round, if it has one."""
        return next((pairing for pairing in self.pairings if entrant in pairing.entrants), None)

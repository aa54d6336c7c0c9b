"""C1.4 Seasons: when a campaign and its battles take new corrections of the rules.

With the first stage of a season the campaign takes the corrections of the installed release and keeps them until the
next season, even if the server is upgraded in between. A battle uses the corrections installed when it is created, or
those of the season if the campaign's file pins them.
"""

from __future__ import annotations

from pbem.campaigns.rules.book import Book
from pbem.campaigns.rules.file import Season
from pbem.campaigns.rules.title import NAME
from pbem.matches import unit_of_work
from pbem.matches.events import RulesMoved, content_as, each
from pbem.matches.history.record import Record
from pbem.matches.history.replay import Position, record_of
from pbem.matches.server import Server


def rules_of(record: Record, season: Season) -> RulesMoved | None:
    """The rules with which a season began, or None if it has not begun; only a ruling can undo its beginning."""
    moves = (event for event, _ in each(record.events, RulesMoved, newest_first=True))
    if record.void:
        moves = (entry.event for entry in reversed(record.history) if entry.kind == "moved")
    found = (content_as(event, RulesMoved) for event in moves)
    return next((move for move in found if move.season == season.stage), None)


def begin(server: Server, position: Position) -> bool:
    """Adopt the rules of a season that has begun; return whether there were any to adopt."""
    book: Book = position.rules.data
    season = book.campaign.season_at(position.run.state.turn)
    if season is None:
        return False

    def act() -> bool:
        record = record_of(server, position.match)
        if record.closing or record.ended or rules_of(record, season) is not None:
            return False
        first = season.stage == 1
        own = record.created.switches if first else server.titles[NAME].switches
        theirs = server.titles[book.campaign.title].switches
        moved = RulesMoved(sorted(own), season.stage, sorted(theirs))
        unit_of_work.append(server, record, [moved.new()], "season")
        return True

    return unit_of_work.retry(act)


def battle_switches(record: Record, book: Book, stage: int) -> list[str] | None:
    """The rules corrections that a stage's season pins for its battles; None if the release's corrections apply."""
    season = book.campaign.season_at(stage) if book.campaign.pinned else None
    moved = rules_of(record, season) if season is not None else None
    return list(moved.battles) if moved is not None else None

"""Tournaments in the store: reading, appending, and the tables that the tick reads.

A director's acts do not commute. They name the version that the director has seen; if another director acted since,
the second one is told what happened and nothing changes. Entries and results commute: they are tried again.
"""

from __future__ import annotations

import base64
import hashlib
import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import Any
from weakref import WeakKeyDictionary

import msgspec

from eventstore import Conflict, Database, Event, NewEvent, NewPart, Transaction
from pbem.engine.play.dice import Dice, context
from pbem.engine.rules.refusals import Illegal, Objection, Unreadable
from pbem.engine.text.messages import Message, say
from pbem.matches import unit_of_work
from pbem.matches.accounts import privacy
from pbem.matches.exchange import creating, ladder_starts
from pbem.matches.history import ladders
from pbem.matches.history.ladders import Ladder
from pbem.matches.history.receipts import signed_by
from pbem.matches.history.replay import stream_of as match_stream
from pbem.matches.server import Server, keep_blob
from pbem.tournaments import events as said
from pbem.tournaments.model import Settings
from pbem.tournaments.record import Drawn, Named, Record, extend, fold

RULE = "tournament"
COMMUTING = frozenset(
    {"entry.made", "entry.confirmed", "entry.absent", "entry.waiting", "result.recorded", "choice.sealed"}
)
"""Events that do not invalidate the act of a director who has not yet seen them."""

_kept: WeakKeyDictionary[Server, dict[str, Record]] = WeakKeyDictionary()


class Overtaken(Illegal):
    """Another director acted first. The second act changed nothing; the refusal says what the first one did."""

    def __init__(self, happened: Sequence[str]) -> None:
        self.happened = tuple(happened)
        what = "; ".join(happened) or "the tournament has moved on"
        super().__init__(
            "act",
            [Objection(f"{RULE}/overtaken", say("something else happened in the meantime: {what}", what=what))],
            ["look again"],
        )


def refuse(part: str, why: Message | str, instead: Sequence[str] = ()) -> Illegal:
    """Return a refusal that cites the rules of tournaments."""
    return Illegal(part, [Objection(RULE, why)], list(instead))


def stream_of(id: str) -> str:
    return f"tournament/{id}"


# Tables ------------------------------------------------------------------------------------------------------


def create_tables(database: Database) -> None:
    """Create the tables from which lists are read, so that no stream has to be folded for them."""
    database.execute(
        "CREATE TABLE IF NOT EXISTS tournaments (id TEXT PRIMARY KEY, name TEXT NOT NULL, title TEXT NOT NULL, "
        "season TEXT NOT NULL, opened_at INTEGER NOT NULL, entrants INTEGER NOT NULL DEFAULT 0, "
        "round INTEGER NOT NULL DEFAULT 0, ended INTEGER NOT NULL DEFAULT 0, touched INTEGER NOT NULL DEFAULT 1, "
        "due INTEGER)"
    )
    database.execute(
        "CREATE TABLE IF NOT EXISTS tournament_matches (match TEXT PRIMARY KEY, tournament TEXT NOT NULL, "
        "round INTEGER NOT NULL, pairing INTEGER NOT NULL, leg INTEGER NOT NULL, dirty INTEGER NOT NULL DEFAULT 0, "
        "seated INTEGER NOT NULL DEFAULT 0, opened INTEGER NOT NULL DEFAULT 0)"
    )
    database.execute("CREATE INDEX IF NOT EXISTS matches_of ON tournament_matches (tournament, round, dirty)")


def catch_up(server: Server) -> None:
    """Bring the tables up to the newest event."""
    with server.store.transaction() as transaction:
        create_tables(transaction.database)
    server.store.project("tournaments", _project)


def _project(transaction: Transaction, event: Event) -> None:
    database = transaction.database
    if event.stream.startswith("tournament/"):
        _project_tournament(database, event)
    elif event.stream.startswith("match/"):
        match = event.stream.removeprefix("match/")
        origin = event.payload.get("origin") if event.type == "match.created" else None
        if origin is not None and str(origin.get("stream", "")).startswith("tournament/"):
            row = (
                match,
                origin["stream"].removeprefix("tournament/"),
                origin["round"],
                origin["pairing"],
                origin["leg"],
            )
            database.execute(
                "INSERT INTO tournament_matches (match, tournament, round, pairing, leg) VALUES (?, ?, ?, ?, ?) "
                "ON CONFLICT DO NOTHING",
                row,
            )
        elif event.type == "match.ended" or event.type.startswith(("ruling.", "dispute.", "match.halted")):
            database.execute("UPDATE tournament_matches SET dirty = 1 WHERE match = ?", (match,))


def _project_tournament(database: Database, event: Event) -> None:
    id = event.stream.removeprefix("tournament/")
    match said.read(event):
        case said.Opened(settings=told):
            row = (id, told.name, told.title, told.season, event.recorded_at)
            database.execute(
                "INSERT INTO tournaments (id, name, title, season, opened_at) VALUES (?,?,?,?,?) "
                "ON CONFLICT DO NOTHING",
                row,
            )
        case said.EntryMade():
            database.execute("UPDATE tournaments SET entrants = entrants + 1 WHERE id = ?", (id,))
        case said.RoundPaired(round=round):
            database.execute("UPDATE tournaments SET round = ? WHERE id = ?", (round, id))
        case said.Ended():
            database.execute("UPDATE tournaments SET ended = 1 WHERE id = ?", (id,))
    database.execute("UPDATE tournaments SET touched = 1 WHERE id = ?", (id,))


class Listed(msgspec.Struct, frozen=True):
    """A tournament in a list."""

    id: str
    name: str
    title: str
    season: str
    opened_at: int
    entrants: int
    round: int
    ended: int


def all_tournaments(server: Server) -> list[Listed]:
    """Return all tournaments, running ones first, newest first."""
    catch_up(server)
    columns = "id, name, title, season, opened_at, entrants, round, ended"
    rows = server.database.execute(f"SELECT {columns} FROM tournaments ORDER BY ended, opened_at DESC, id")
    return [Listed(*row) for row in rows.fetchall()]


# Reading -----------------------------------------------------------------------------------------------------


def read(server: Server, id: str) -> Record:
    """Return the record of a tournament; only events appended since the last read are folded."""
    kept = _kept.setdefault(server, {})
    known = kept.get(id)
    events = server.store.read(stream_of(id), after=known.version - 1 if known else 0)
    if known is not None and (not events or events[0].hash != known.events[-1].hash):
        known, events = None, server.store.read(stream_of(id))
    if not events:
        raise Unreadable(
            id, [Objection(RULE, say("no tournament has that name"))], [one.id for one in all_tournaments(server)][:5]
        )
    if known is None:
        kept[id] = fold(events, server.content)
    elif len(events) > 1:
        kept[id] = extend(known, events[1:], server.content)
    return kept[id]


def forget(server: Server) -> None:
    """Drop the records kept in memory."""
    _kept.pop(server, None)


def find(server: Server, word: str) -> str:
    """Return the id of the tournament that a name refers to: its id, or the only one that starts with it."""
    known = [one.id for one in all_tournaments(server)]
    found = [id for id in known if id == word] or [id for id in known if id.startswith(word)]
    if len(found) != 1:
        why = say("no tournament has that name") if not found else say("several tournaments match that name")
        raise Unreadable(word, [Objection(RULE, why)], found or known[:5])
    return found[0]


# Appending ---------------------------------------------------------------------------------------------------


def part(server: Server, record_id: str, version: int, name: str, audience: str, content: object) -> NewPart:
    """Return content to be stored beside an event, with its own salt."""
    return unit_of_work.part(server, stream_of(record_id), version, name, audience, content)


def named_part(server: Server, id: str, version: int, name: str, members: Sequence[str] = ()) -> NewPart:
    """Return the public part with an entrant's name."""
    return part(server, id, version, "name", "public", Named(name, tuple(members)))


def append(server: Server, record: Record, events: Sequence[NewEvent], label: str) -> Record:
    """Append at the record's version and return the new record."""
    server.store.append(record.stream, events, expected=record.version, label=label)
    return read(server, record.id)


def commuting(server: Server, id: str, build: Callable[[Record], Sequence[NewEvent]], label: str) -> Record:
    """Append the events that `build` returns for the newest record; retry as long as others append first."""

    def act() -> Record:
        record = read(server, id)
        events = build(record)
        return append(server, record, events, label) if events else record

    return unit_of_work.retry(act)


def append_act(
    server: Server,
    id: str,
    by: str,
    build: Callable[[Record], Sequence[NewEvent]],
    *,
    seen: int | None = None,
    act: str = "direct",
) -> Record:
    """Append a director's act. `seen` is the version that the director looked at; None means the newest."""
    while True:
        record = read(server, id)
        check_director(record, by, act)
        if seen is not None and (happened := overtaking(record, seen)):
            raise Overtaken(happened)
        events = build(record)
        if not events:
            return record
        try:
            return append(server, record, events, act)
        except Conflict:
            seen = record.version if seen is None else seen


def overtaking(record: Record, seen: int) -> list[str]:
    """Return what has been done since a version, in words."""
    others = [event for event in record.events if event.version > seen and event.type not in COMMUTING]
    notes = {note.version: note.what for note in record.noted}
    return [notes.get(event.version, event.type.replace(".", " ")) for event in others if event.type != "draw.made"]


OPERATOR = "operator"
"""The name used for acts at the server's own command line."""


def check_director(record: Record, by: str, act: str = "direct") -> None:
    """Refuse everybody but directors; a director who is also a player may only grant time."""
    if record.ended and act not in ("correct", "export"):
        raise refuse("act", say("the tournament is over"))
    if by == OPERATOR:
        return
    if by not in record.directors:
        raise refuse("act", say("only a director of this tournament can do this"))
    playing = record.by_account(by)
    if playing is not None and playing.state == "confirmed" and act != "extend":
        raise refuse("act", say("you play in this tournament, so you can only grant time; appoint another director"))


# Opening -----------------------------------------------------------------------------------------------------


def slug(name: str) -> str:
    """Return a name in a form for web addresses: Autumn Cup 2031 is autumn-cup-2031."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40] or "tournament"


def open_tournament(server: Server, settings: Settings, director: str) -> Record:
    """Announce a tournament; everything its matches are played with is fixed at this point."""
    check_settings(server, settings)
    first, number = slug(settings.name), 1
    id = first
    while server.store.version(stream_of(id)):
        number += 1
        id = f"{first}-{number}"
    ladder = ladder_starts.draw_ladder(server, stream_of(id), 0)
    pinned = pin(server, settings)
    with server.store.transaction("open") as transaction:
        transaction.append(
            stream_of(id), [said.new(said.Opened(pinned, director, ladder.published_values()))], expected=0
        )
        ladders.keep(transaction.database, server.store.vault, stream_of(id), ladder)
    catch_up(server)
    return read(server, id)


def pin(server: Server, settings: Settings) -> Settings:
    """Fix the rules corrections and the digests of all data that the matches will be played with."""
    title = server.titles[settings.title]
    scenarios = settings.scenarios or title.scenarios[:1]
    blobs: dict[str, dict[str, str]] = {}
    with server.store.transaction("pin") as transaction:
        for scenario in scenarios:
            frozen = title.freeze(scenario, settings.options)
            blobs[scenario] = {
                name: keep_blob(transaction.database, content) for name, content in sorted(frozen.items())
            }
    bids = settings.sides == "bid"
    return msgspec.structs.replace(
        settings,
        scenarios=tuple(scenarios),
        blobs=blobs,
        switches=settings.switches or tuple(title.switches),
        provisions={scenario: title.balance(scenario).provision for scenario in scenarios} if bids else {},
    )


def check_settings(server: Server, settings: Settings) -> None:
    """Refuse settings with which no round could be played."""
    title = server.titles.get(settings.title)
    if title is None:
        raise Unreadable(settings.title, [Objection(RULE, say("no title has that name"))], sorted(server.titles))
    for scenario in settings.scenarios:
        if scenario not in title.scenarios:
            raise Unreadable(scenario, [Objection(RULE, say("no scenario has that name"))], title.scenarios)
    if not settings.name.strip() or len(settings.name) > creating.MOST_NAME:
        raise refuse(
            "name", say("a tournament needs a name of at most {most_name} characters", most_name=creating.MOST_NAME)
        )
    if not 0 < settings.rounds <= 99:
        raise refuse("rounds", say("a tournament must have 1 to 99 rounds"))
    if settings.format == "pools" and not 2 <= settings.pools <= 26:
        raise refuse("pools", say("a tournament with pools must have 2 to 26 of them"))
    if settings.format == "knock_out" and settings.decider not in ("rematch", "seed", "margin", "lots"):
        raise refuse("decider", say("say how a drawn pairing is decided"), ["seed", "margin", "lots"])


# Chance ------------------------------------------------------------------------------------------------------


class Lots:
    """The dice of one draw: rung `number` of the tournament's ladder, each roll with a name.

    `before` is how many draws come before this one in the same append.
    """

    def __init__(self, server: Server, record: Record, purpose: str, before: int = 0) -> None:
        self.number, self.purpose = record.draws + 1 + before, purpose
        self._server, self._record, self._before = server, record, before
        ladder: Ladder = server.ladder(record.stream, record.ladder)
        self._rung = ladder.rung(self.number)
        bound = [(str(entrant.number), entrant.account) for entrant in record.playing()]
        self._dice = Dice(self._rung, b"", context(record.stream, self.number, bound))

    def __call__(self, sides: int, name: str) -> int:
        return self._dice.roll(sides, f"{RULE}/{self.purpose}", (name,), secret=False)

    def shuffled(self, numbers: Sequence[int]) -> list[int]:
        """Return the numbers in random order, drawn one after the other."""
        left, drawn = list(numbers), []
        while left:
            drawn.append(left.pop(self(len(left), "lot") - 1))
        return drawn

    def event(self, result: Sequence[int] = ()) -> NewEvent:
        """Return the event that publishes the rung and every roll."""
        drawn = Drawn(tuple(self._dice.rolls), tuple(result))
        version = self._record.version + self._before + 1
        rolls = part(self._server, self._record.id, version, "rolls", "public", drawn)
        return said.new(said.DrawMade(self.number, self.purpose, self._rung.hex()), (rolls,))


# Heads -------------------------------------------------------------------------------------------------------


class Head(msgspec.Struct, frozen=True):
    """The server's signature over an event of a tournament; the same one goes to every entrant."""

    server: str
    tournament: str
    round: int
    event: str
    signature: str = ""

    def body(self) -> dict[str, Any]:
        return {name: value for name, value in msgspec.structs.asdict(self).items() if name != "signature"}

    def genuine(self) -> bool:
        return signed_by(self.server, self.body(), self.signature)


def head(server: Server, record: Record, number: int) -> Head:
    """Return the signed head of a round, which names the last event of its pairing, start or close."""
    kinds = said.RoundPaired | said.RoundStarted | said.RoundClosed
    own = [e for e in record.events if isinstance(told := said.read(e), kinds) and told.round == number]
    unsigned = Head(server.id, record.id, number, own[-1].hash)
    return msgspec.structs.replace(unsigned, signature=server.signer.sign(unsigned.body()))


# Matches -----------------------------------------------------------------------------------------------------


def origin(record: Record, number: int, pairing: int, leg: int) -> dict[str, Any]:
    """Return the origin of a match, from which its id is derived."""
    return {"stream": record.stream, "round": number, "pairing": pairing, "leg": leg}


def match_id(server: Server, record: Record, number: int, pairing: int, leg: int) -> str:
    """Return the id of a leg's match, which is the same every time."""
    wanted, attempt = origin(record, number, pairing, leg), 0
    while True:
        named = msgspec.json.encode([server.id, *wanted.values(), attempt])
        id = base64.b32encode(hashlib.sha256(named).digest())[:8].decode().lower()
        events = server.store.read(match_stream(id), upto=1)
        if not events or events[0].payload.get("origin") == wanted:
            return id
        attempt += 1  # another match happens to have this short id


def sides_of(server: Server, record: Record) -> tuple[str, ...]:
    """Return the sides of the title, in the order of its first scenario."""
    settings = record.settings
    rules = server.rules(settings.title, settings.blobs[settings.scenarios[0]])
    return tuple(dict.fromkeys(rules.sides.values()))


# Privacy -----------------------------------------------------------------------------------------------------


def erase(server: Server, transaction: Transaction, account: str) -> None:
    """Erase an account's names in all tournaments; results stay under a number, and everything still verifies."""
    for stream in server.store.streams("tournament/"):
        for event in server.store.read(stream):
            if event.type in ("entry.made", "entry.replaced") and event.payload.get("account") == account:
                for ref in event.parts:
                    transaction.erase(ref.commitment)
    forget(server)


privacy.FORGETTERS.append(erase)

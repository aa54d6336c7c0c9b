"""The server: its event store, its titles and its keys."""

from __future__ import annotations

import errno
import hashlib
import os
import secrets
import sys
import threading
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from eventstore import Database, Event, EventStore, StoreTrouble, Vault
from pbem.engine.play.dice import Dice
from pbem.engine.rules.title import Rules, Title
from pbem.matches.events import check_new
from pbem.matches.history import checkpoints, ladders
from pbem.matches.history.ladders import Ladder
from pbem.matches.history.receipts import load_signer
from pbem.matches.history.record import Entry, Record, extend, fold
from pbem.matches.migrate import backup_before_upgrade, backup_store_before_upgrade, note_release
from pbem.matches.unit_of_work import Change

if TYPE_CHECKING:
    from pbem.matches.history.replay import Position


T = TypeVar("T")

REMEMBERED = 64
"""The number of positions kept in memory."""

PAST = 16
"""The number of earlier positions kept in memory: the reports of a turn to all its players begin with one of them."""


STORAGE_KEY = "storage_key"
"""The setting that identifies the key of the encrypted parts; it never holds the key itself."""


def storage_key_file(path: Path) -> Path:
    """The file that holds the storage key of a database."""
    return path.with_suffix(".storage")


MOVED = "moved_to"
"""The setting that says that this server has moved elsewhere."""


def refuse_moved(store: EventStore) -> None:
    """Refuse to start a server that has moved, because it must not run in two places."""
    row = store.database.execute("SELECT value FROM about WHERE key = ?", (MOVED,)).fetchone()
    if row is not None:
        where = store.place_in_words
        store.close()
        raise ValueError(f"{where} was moved to {row[0]} and is kept for reading only; start the server there")


def stored_key_name(database: Database) -> str:
    """The name of the storage key that a database needs; empty if it needs none."""
    row = database.execute("SELECT value FROM about WHERE key = ?", (STORAGE_KEY,)).fetchone()
    return "" if row is None else str(row[0])


def fresh(label: str) -> bytes:
    """32 random bytes. The label is for tests that must draw the same bytes again."""
    return secrets.token_bytes(32)


class Server:
    """A server. `entropy` draws salts, keys and ladder tops; `failpoint` is where tests kill the process.

    Keys are beside `path`, and so are the events unless `database` is the address of a PostgreSQL database.

    A database that was promoted or restored is refused unless `is_resuming`.

    `later`, if given, queues a match to be resolved by a job; otherwise the process that closes an exchange
    resolves it. `mail_queued` is called when a request may have queued email, so that it is sent at once.
    """

    def __init__(
        self,
        path: str | Path,
        titles: Mapping[str, Title],
        *,
        database: str = "",
        entropy: Callable[[str], bytes] = fresh,
        clock: Callable[[], int] | None = None,
        failpoint: Callable[[str], None] | None = None,
        is_resuming: bool = False,
    ) -> None:
        self.titles = dict(titles)
        self.entropy = entropy
        self._drawn_key(Path(path).with_suffix(".key"), "server")
        self.signer = load_signer(Path(path))
        more: dict[str, Callable[..., object]] = {"check": check_new}
        if clock is not None:
            more["clock"] = clock
        if failpoint is not None:
            more["failpoint"] = failpoint
        if not database:
            backup_before_upgrade(Path(path))
        where = {"database": database, "server_id": self.signer.server, "is_resuming": is_resuming}
        self.store = EventStore(path, **where, **more)  # type: ignore[arg-type]
        refuse_moved(self.store)
        self.store.vault = self._vault(Path(path))
        if self.store.address:
            backup_store_before_upgrade(self.store, Path(path))
        self.positions: dict[str, Position] = {}
        self._past: dict[str, Position] = {}
        self._look = threading.local()
        self.kept_events: tuple[str, list[Event]] = ("", [])
        self.watching = threading.local()
        self.watched_dice: Callable[[Dice, Callable[[], None]], Dice] = lambda dice, note: dice
        self.later: Callable[[str], None] | None = None
        self.mail_queued: Callable[[], None] = lambda: None
        self.seats: dict[str, list[str]] = {}
        self.token_key = b""
        self.limits_swept_at = 0
        self._records: dict[str, Record] = {}
        self._rules: dict[tuple[object, ...], tuple[Title, Rules]] = {}
        with self.store.transaction() as transaction:
            create_tables(transaction.database)
            ladders.seal_plain(transaction.database, self.store.vault)
            note_release(transaction.database)

    def _vault(self, path: Path) -> Vault:
        """Return the vault that encrypts parts.

        Its key is beside the database; backups do not contain it unless asked to.
        """
        file = storage_key_file(path)
        known = stored_key_name(self.store.database)
        if known and not file.exists():
            raise FileNotFoundError(
                errno.ENOENT, "the storage key of this database is missing; put it back", str(file)
            )
        vault = Vault(self._drawn_key(file, "storage"))
        if known and known != vault.name:
            raise PermissionError(errno.EACCES, "this storage key belongs to another database", str(file))
        if not known:
            row = (STORAGE_KEY, vault.name)
            self.store.database.execute("INSERT INTO about (key, value) VALUES (?, ?) ON CONFLICT DO NOTHING", row)
        return vault

    def _drawn_key(self, file: Path, label: str) -> bytes:
        """Return the key beside the database, drawn at the first start."""
        try:
            return file.read_bytes()
        except FileNotFoundError:
            temporary = file.with_suffix(f".{secrets.token_hex(4)}")
            handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            try:
                with open(handle, "wb") as drawn:
                    drawn.write(self.entropy(label))
                    drawn.flush()
                    os.fsync(drawn.fileno())
                # A link never overwrites: if two processes start at the same time, both read the key of the first.
                file.hardlink_to(temporary)
            except FileExistsError:
                pass
            finally:
                temporary.unlink()
            sync_folder(file.parent)
            return file.read_bytes()

    @property
    def id(self) -> str:
        """The server's id: its first public key."""
        return self.signer.server

    @property
    def database(self) -> Database:
        return self.store.database

    def blob(self, digest: str) -> bytes:
        row = self.database.execute("SELECT content FROM blobs WHERE digest = ?", (digest,)).fetchone()
        if row is None:
            raise KeyError(f"no blob {digest}")
        content = bytes(row[0])
        if hashlib.sha256(content).hexdigest() != digest:
            raise ValueError(f"the frozen file {digest} is damaged")
        return content

    def content(self, commitment: str) -> bytes:
        """Return the content of a part."""
        return self.once(("part", commitment), lambda: self.store.part(commitment).content)

    def ladder(self, match: str, published: dict[str, Any]) -> Ladder:
        """Return the secrets behind the published commitment of a ladder."""
        return ladders.find(self.database, self.store.vault, match, published)

    def dice(self, match: str, entry: Entry, context: str, ordinals: dict[str, int]) -> Dice:
        found = self.ladder(match, entry.ladder).dice(entry.exchange, context, ordinals)
        note = getattr(self.watching, "roll", None)
        return found if note is None else self.watched_dice(found, note)

    def state_salt(self, match: str, entry: Entry, version: int) -> bytes:
        return self.ladder(match, entry.ladder).salt(match, entry.exchange, f"state/{version}")

    def remember(self, match: str, position: Position) -> None:
        """Keep the most recently read positions; they are only read, never advanced."""
        self.positions.pop(match, None)
        self.positions[match] = position
        while len(self.positions) > REMEMBERED:
            self.positions.pop(next(iter(self.positions)), None)

    def past_position(self, key: str, make: Callable[[], Position]) -> Position:
        """Return an earlier position by the key of its state; it is only read, never advanced."""
        found = self._past.get(key)
        if found is None:
            found = self._past[key] = make()
            while len(self._past) > PAST:
                self._past.pop(next(iter(self._past)), None)
        return found

    @contextmanager
    def one_look(self) -> Iterator[None]:
        """Read everything once while one page or email is made; events appended in the meantime are not seen."""
        if getattr(self._look, "memory", None) is not None:
            yield
            return
        self._look.memory = {}
        try:
            yield
        finally:
            self._look.memory = None

    def look_again(self) -> None:
        """Let the rest of a page or email see the events appended since it was begun."""
        if getattr(self._look, "memory", None) is not None:
            self._look.memory = {}

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the value already made for this key in this context; without a context, make it every time."""
        memory: dict[Hashable, T] | None = getattr(self._look, "memory", None)
        if memory is None:
            return make()
        if key not in memory:
            memory[key] = make()
        return memory[key]

    def forget(self) -> None:
        """Drop everything kept in memory, as if the process were new."""
        self.positions.clear()
        self._past.clear()
        self._records.clear()
        self._rules.clear()
        self.kept_events = ("", [])

    def record(self, stream: str, upto: int | None = None) -> Record:
        """Return the record of a match, now or after an earlier event; empty if it has no events.

        Only events appended since the last read are read. An event's hash covers all events before it, so the last
        known event is checked: if it is gone, as after a failed transaction, everything is read again.
        """
        record = self.once(("record", stream), lambda: self._newest(stream))
        return record if upto is None or upto >= len(record.events) else fold(record.events[:upto])

    def _newest(self, stream: str) -> Record:
        kept = self._records.get(stream)
        record = self._continue_record(kept) if kept is not None else None
        if record is None:
            record = self._open_record(stream)
        if record.events:
            self.keep(record)
        else:
            self._records.pop(stream, None)
        while len(self._records) > REMEMBERED:
            self._records.pop(next(iter(self._records)), None)
        return record

    def _continue_record(self, kept: Record) -> Record | None:
        """Bring a kept record up to date with newer events; return None if its last event is gone."""
        last, *new = self.store.read(kept.stream, after=kept.version - 1) or (None,)
        if last is None or last.hash != kept.events[-1].hash:
            return None
        return extend(kept, new) if new else kept

    def _open_record(self, stream: str) -> Record:
        """The record of a match from its checkpoint, or from its first event if there is none."""
        content = self.store.get_snapshot(f"record {stream}", record_print())
        found = checkpoints.read(content, self.store, stream) if content is not None else None
        return found or fold(self.store.read(stream))

    def keep_checkpoint(self, stream: str) -> None:
        """Store a checkpoint of a match that has become long, and drop the full record from memory."""
        record = self.record(stream)
        if checkpoints.is_due(record):
            self.store.put_snapshot(f"record {stream}", record_print(), checkpoints.write_checkpoint(record))
            self._records.pop(stream, None)

    def record_with(self, event: Event) -> Record:
        """The record of a match, including this event; events that others have appended since may be missing."""
        kept = self._records.get(event.stream)
        if kept is not None and kept.version >= event.version and kept.events[event.version - 1].hash == event.hash:
            return kept
        return self.record(event.stream)

    def keep(self, record: Record) -> None:
        """Keep the record of a match that was just changed here."""
        if (memory := getattr(self._look, "memory", None)) is not None:
            memory["record", record.stream] = record
        self._records.pop(record.stream, None)
        self._records[record.stream] = record

    def change(self, at: Position | Record, label: str = "", *, shared: bool = False) -> Change:
        """Start a transaction on a match, which must be unchanged since it was read.

        A `shared` one may run alongside others: it relies only on the match's version and unique keys.
        """
        return Change(self, at, self.store.transaction(label, shared=shared), joined=False)

    def rules(self, title: str, blobs: Mapping[str, str]) -> Rules:
        """The rules bound to a match's frozen data; matches with the same data share them."""
        maker, key = self.titles[title], (title, *sorted(blobs.items()))
        kept = self._rules.get(key)
        if kept is None or kept[0] is not maker:
            rules = maker.rules({name: self.blob(digest) for name, digest in sorted(blobs.items())})
            kept = self._rules[key] = maker, rules
        while len(self._rules) > REMEMBERED:
            self._rules.pop(next(iter(self._rules)), None)
        return kept[1]

    def close(self) -> None:
        self.store.close()


def storage_trouble(problem: StoreTrouble) -> str:
    """Describe in one line what is wrong with the database and what to do."""
    return problem.advice


def file_trouble(problem: OSError) -> str:
    """Describe in one line what is wrong with a file, and what to do if the disk is full."""
    if problem.errno in (errno.ENOSPC, errno.EDQUOT):
        return "the disk is full: make room and try again"
    return f"{problem.filename}: {problem.strerror}" if problem.filename and problem.strerror else str(problem)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def create_tables(database: Database) -> None:
    database.execute("CREATE TABLE IF NOT EXISTS blobs (digest TEXT PRIMARY KEY, content BLOB NOT NULL)")
    database.execute("CREATE TABLE IF NOT EXISTS house (name TEXT PRIMARY KEY, value TEXT NOT NULL)")
    database.execute(
        "CREATE TABLE IF NOT EXISTS archives "
        "(digest TEXT PRIMARY KEY, server TEXT, match TEXT, viewer TEXT, content BLOB)"
    )
    ladders.create_table(database)


def keep_blob(database: Database, content: bytes) -> str:
    digest = hashlib.sha256(content).hexdigest()
    database.execute("INSERT INTO blobs (digest, content) VALUES (?, ?) ON CONFLICT DO NOTHING", (digest, content))
    return digest


@cache
def record_print() -> str:
    """A hash of the code that reads and folds events; a checkpoint made by different code is not used."""
    return fingerprint("pbem.matches.history.record") + fingerprint("pbem.matches.events.reading")


@cache
def fingerprint(module: str) -> str:
    """A hash of the rules' code and data. A changed hash means that results may differ, not that they do."""
    total = hashlib.sha256()
    package = sys.modules[module].__package__
    alone = Path(sys.modules[module].__file__ or "")
    files = _files(resources.files(package)) if package else [(module, alone.read_bytes())]
    for name, content in sorted((*_files(resources.files("pbem.engine")), *files)):
        total.update(name.encode() + b"\0" + hashlib.sha256(content).digest())
    return total.hexdigest()[:16]


def _files(folder: Traversable) -> list[tuple[str, bytes]]:
    found: list[tuple[str, bytes]] = []
    for item in folder.iterdir():
        if item.is_dir() and not item.name.startswith("__"):
            found += [(f"{item.name}/{name}", content) for name, content in _files(item)]
        elif item.is_file():
            found.append((item.name, item.read_bytes()))
    return found

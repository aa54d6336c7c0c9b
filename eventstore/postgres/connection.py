"""A connection to PostgreSQL: exclusive and shared transactions, places in the feed, and lost commits."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import psycopg
from psycopg import errors
from psycopg.adapt import Loader
from psycopg.pq import TransactionStatus

from eventstore.database import InDoubt, NotReplicated, StoreTrouble, Violated
from eventstore.postgres import history
from eventstore.postgres.dialect import defines_a_table, table_of, translate
from eventstore.postgres.replication import Replication, replication_of
from eventstore.postgres.schema import LANES, SCHEMA

OLDEST = 150000
PATIENCE = {
    "connect_timeout": 10,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 5000,
}
LONGEST_LOCK = 30
"""The number of seconds a transaction waits for others."""

ONE_TURN = 3000
"""The number of milliseconds after which a waiting transaction checks the replicas again."""

SETTINGS = {
    "lock_timeout": f"{LONGEST_LOCK}s",
    "idle_in_transaction_session_timeout": "30s",  # a stuck process must not hold the lock of the whole server
    "client_min_messages": "warning",
    "timezone": "UTC",
}
DURABLE = "SELECT current_setting('fsync'), current_setting('synchronous_commit'), pg_is_in_recovery()"
NOT_REPLICATED = "might not have been replicated"
RECHECK_CLOCK = 60
"""The number of seconds after which the database's clock is read again."""

LOCK_LANES = "SELECT lane FROM lanes WHERE lane = ANY(%s) ORDER BY lane FOR UPDATE"
PLACE = (
    "WITH placed AS (INSERT INTO feed (lane, position, stream, version) SELECT lane, nextval('positions'), stream, "
    "version FROM unnest(%s::int[], %s::text[], %s::bigint[]) AS written (lane, stream, version) "
    "RETURNING lane, position) UPDATE lanes SET position = newest.position FROM "
    "(SELECT lane, max(position) AS position FROM placed GROUP BY lane) AS newest WHERE lanes.lane = newest.lane"
)
MOST_VALUES = 48
"""The most values in one INSERT of several rows; the driver reads longer statements again each time."""

PREPARED_AFTER = 5
"""How often a statement is used before the server keeps its plan."""
COLUMNS = (
    "SELECT attname FROM pg_attribute WHERE attnum > 0 AND NOT attisdropped "
    "AND attrelid = to_regclass(quote_ident(current_schema) || '.' || quote_ident(%s))"
)
"""Lists a table's columns. `information_schema` reads the whole catalogue: with 400 stores, 50 ms for each table."""
COUNTERS = (
    "SELECT table_name, column_name FROM information_schema.columns "
    "WHERE table_schema = current_schema AND is_identity = 'YES'"
)


class PostgresDatabase:
    """One connection, used by one thread."""

    lanes = LANES
    skip_locked = " FOR UPDATE SKIP LOCKED"

    def __init__(self, connection: psycopg.Connection[Any], replication: Replication) -> None:
        self._connection, self._replication = connection, replication
        self._doubt = ""
        self._patience = LONGEST_LOCK * 1000
        self._key = self._lock_key()
        connection.add_notice_handler(self._notice)

    def _lock_key(self) -> int:
        """The advisory lock of an exclusive transaction; each store in a database has its own."""
        (schema,) = self._connection.execute("SELECT current_schema").fetchone() or ("public",)
        return int.from_bytes(sha256(f"pbem/{schema}".encode()).digest()[:8], "big", signed=True)

    def _notice(self, notice: errors.Diagnostic) -> None:
        """Note a commit whose wait for a replica was cancelled, because it reports success with only this notice."""
        if NOT_REPLICATED in (notice.message_detail or "") + (notice.message_primary or ""):
            self._doubt = str(notice.message_primary)

    @property
    def program(self) -> tuple[str, str]:
        told = self._connection.info.parameter_status("server_version") or "unknown"
        return "postgresql", told.split()[0]

    @property
    def is_broken(self) -> bool:
        return self._connection.closed

    @property
    def machines(self) -> int:
        return 2 if self._replication.is_synchronous else 1

    def changed_history(self, path: Path) -> StoreTrouble | None:
        try:
            return history.look(self._connection, path)
        except psycopg.Error as problem:
            raise trouble(problem) from problem

    def accept_history(self, path: Path) -> None:
        try:
            history.accept(self._connection, path)
        except psycopg.Error as problem:
            raise trouble(problem) from problem

    # Statements

    def execute(self, sql: str, parameters: Sequence[Any] = (), /) -> psycopg.Cursor[Any]:
        try:
            if self._commits_by_itself(sql):
                self._replication.look(self._connection)
            cursor = self._connection.execute(translate(sql), plain(parameters))
            if defines_a_table(sql):
                self._connection.execute("INSERT INTO shapes (statement) VALUES (%s) ON CONFLICT DO NOTHING", (sql,))
            return cursor
        except errors.FeatureNotSupported as problem:
            self._connection.close()  # a kept plan no longer fits its table, which a newer release has changed
            raise StoreTrouble("unreachable", problem) from problem
        except psycopg.Error as problem:
            raise trouble(problem) from problem

    def _commits_by_itself(self, sql: str) -> bool:
        """Whether a statement writes outside a transaction, and so waits for a replica at its end."""
        is_outside = self._connection.info.transaction_status == TransactionStatus.IDLE
        return is_outside and not sql.lstrip().startswith("SELECT")

    def insert_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Insert many rows with one statement, because one for each row would cost the server most of its time."""
        whole = [plain(row) for row in rows]
        size = max(1, MOST_VALUES // len(whole[0])) if whole else 1
        try:
            for some in (whole[start : start + size] for start in range(0, len(whole), size)):
                values = [value for row in some for value in row]
                self._connection.execute(translate(with_rows(sql, len(some))), values)
        except psycopg.Error as problem:
            raise trouble(problem) from problem

    def columns(self, table: str) -> set[str]:
        try:
            return {name for (name,) in self._connection.execute(COLUMNS, (table,))}
        except psycopg.Error as problem:
            raise trouble(problem) from problem

    def has_table(self, table: str) -> bool:
        return bool(self.columns(table))

    # Transactions

    def begin(self, *, shared: bool = False) -> None:
        """Begin a transaction; wait for the lock in short intervals, as its holder may wait for a lost replica."""
        until = time.monotonic() + self._patience / 1000
        while True:
            try:
                self._replication.look(self._connection)
                return self._lock(shared)
            except psycopg.Error as problem:
                self.rollback()
                if not isinstance(problem, errors.LockNotAvailable) or time.monotonic() >= until:
                    raise trouble(problem) from problem

    def _lock(self, shared: bool) -> None:
        """Take the lock: at once if it is free, which costs one round trip, otherwise after waiting in the queue."""
        end = "_shared" if shared else ""
        with self._connection.pipeline():
            self._connection.execute("BEGIN", prepare=False)
            taken = self._connection.execute(f"SELECT pg_try_advisory_xact_lock{end}({self._key})", prepare=False)
        if taken.fetchone() == (True,):
            return
        with self._connection.pipeline():
            self._connection.execute(f"SET LOCAL lock_timeout = '{min(ONE_TURN, self._patience)}ms'", prepare=False)
            self._connection.execute(f"SELECT pg_advisory_xact_lock{end}({self._key})", prepare=False)
            self._connection.execute(f"SET LOCAL lock_timeout = '{self._patience}ms'", prepare=False)

    def set_patience(self, milliseconds: int | None) -> None:
        self._patience = LONGEST_LOCK * 1000 if milliseconds is None else milliseconds
        self.execute("SELECT set_config('lock_timeout', ?, false)", (f"{self._patience}ms",))

    def place(self, written: Sequence[tuple[str, int, str]]) -> None:
        streams, versions = [stream for stream, _, _ in written], [version for _, version, _ in written]
        lanes = [lane_of(stream) for stream in streams]
        try:
            with self._connection.pipeline():
                self._connection.execute(LOCK_LANES, (sorted(set(lanes)),), prepare=False)
                self._connection.execute(PLACE, (lanes, streams, versions), prepare=False)
        except psycopg.Error as problem:
            raise trouble(problem) from problem

    def commit(self) -> None:
        self._doubt = ""
        try:
            done = self._connection.execute("COMMIT", prepare=False)
        except psycopg.OperationalError as problem:
            if self._connection.closed:
                raise InDoubt(problem) from problem
            raise trouble(problem) from problem
        except psycopg.Error as problem:
            raise trouble(problem) from problem
        if done.statusmessage != "COMMIT":
            raise StoreTrouble("other", f"the transaction was not committed: {done.statusmessage}")
        if self._doubt:
            raise NotReplicated(self._doubt)

    def rollback(self) -> None:
        if not self._connection.closed and self._connection.info.transaction_status != TransactionStatus.IDLE:
            try:
                self._connection.execute("ROLLBACK", prepare=False)
            except psycopg.Error:
                self._connection.close()  # the server rolls back a transaction without a client

    def wipe(self) -> None:
        """Do nothing, because erased data stays in the write-ahead log and in backups until they are recycled."""

    def close(self) -> None:
        self._connection.close()

    # For copies to another engine

    def begin_snapshot(self) -> None:
        self._connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")

    def rows(self, sql: str) -> Iterator[Any]:
        with self._connection.cursor(name="copied") as cursor:
            cursor.execute(translate(sql).encode())
            yield from cursor

    def table_list(self) -> set[str]:
        query = "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema"
        return {name for (name,) in self._connection.execute(query)}

    def shapes(self, but: frozenset[str]) -> list[str]:
        rows = self._connection.execute("SELECT statement FROM shapes ORDER BY number").fetchall()
        return [statement for (statement,) in rows if table_of(statement) not in but]

    def has_order(self, table: str) -> bool:
        return "rowid" in self.columns(table)

    def insert_fed(self, rows: Sequence[tuple[int, str, int, str, bytes]]) -> None:
        events = [(stream, version, hash, body) for _, stream, version, hash, body in rows]
        self.insert_many("INSERT INTO events (stream, version, hash, body) VALUES (?, ?, ?, ?)", events)
        fed = [(lane_of(stream), position, stream, version) for position, stream, version, _, _ in rows]
        self.insert_many("INSERT INTO feed (lane, position, stream, version) VALUES (?, ?, ?, ?)", fed)

    def count_on(self) -> None:
        self._connection.execute(
            "UPDATE lanes SET position = newest.position FROM (SELECT lane, max(position) AS position FROM feed "
            "GROUP BY lane) AS newest WHERE lanes.lane = newest.lane"
        )
        self._connection.execute(
            "SELECT setval('positions', (SELECT coalesce(max(position), 0) + 1 FROM feed), false)"
        )
        for table, column in self._connection.execute(COUNTERS).fetchall():
            last = f'(SELECT coalesce(max("{column}"), 0) + 1 FROM "{table}")'
            query = f"SELECT setval(pg_get_serial_sequence('\"{table}\"', '{column}'), {last}, false)"
            self._connection.execute(query.encode())


class WholeNumbers(Loader):
    """Loads sums of whole numbers, which arrive as decimals, as integers."""

    def load(self, data: Any) -> int | float:
        text = bytes(data).decode()
        return float(text) if "." in text else int(text)


def plain(parameters: Sequence[Any]) -> list[Any]:
    """Convert Booleans to 0 and 1, the form in which they are stored."""
    return [int(value) if isinstance(value, bool) else value for value in parameters]


ONE_ROW = re.compile(r"\bVALUES (\([?, ]+\))")


@lru_cache(maxsize=512)
def with_rows(sql: str, count: int) -> str:
    """Turn an INSERT of one row into an INSERT of several."""
    return ONE_ROW.sub(lambda found: "VALUES " + ", ".join([found[1]] * count), sql, count=1)


def lane_of(stream: str) -> int:
    """The permanent lane of a stream."""
    return int.from_bytes(sha256(stream.encode()).digest()[:4], "big") % LANES


def trouble(problem: psycopg.Error) -> StoreTrouble:
    """Translate a driver error into the store's own error."""
    if isinstance(problem, psycopg.IntegrityError):
        return Violated(problem)
    if isinstance(problem, errors.LockNotAvailable | errors.DeadlockDetected | errors.TooManyConnections):
        return StoreTrouble("busy", problem)
    if isinstance(problem, errors.DiskFull):
        return StoreTrouble("full", problem)
    if isinstance(problem, errors.DataCorrupted | errors.IndexCorrupted):
        return StoreTrouble("corrupt", problem)
    if isinstance(problem, errors.ReadOnlySqlTransaction):
        return StoreTrouble("unreachable", f"this is a replica, not the primary: {problem}")
    if isinstance(problem, psycopg.OperationalError):
        return StoreTrouble("unreachable", problem)
    return StoreTrouble("other", problem)


def connect(address: str) -> PostgresDatabase:
    """Connect to a primary with a reachable replica, with settings under which no finished commit is lost."""
    try:
        connection = connect_plainly(address)
        replication = replication_of(address)
        replication.meet(connection)
        return PostgresDatabase(connection, replication)
    except psycopg.Error as problem:
        raise trouble(problem) from problem


def connect_plainly(address: str) -> psycopg.Connection[Any]:
    """A connection with our settings to a writable database."""
    connection = psycopg.connect(address, autocommit=True, **PATIENCE)  # type: ignore[arg-type]
    if connection.info.server_version < OLDEST:
        raise RuntimeError(f"PostgreSQL {connection.info.server_version // 10000} is too old: it must be 15 or newer")
    connection.adapters.register_loader("numeric", WholeNumbers)
    # A statement prepared in a pipeline that then fails counts as prepared from then on, but is not: every statement
    # in a pipeline therefore uses `prepare=False`.
    connection.prepare_threshold = PREPARED_AFTER
    connection.prepared_max = 400
    for name, value in SETTINGS.items():
        connection.execute("SELECT set_config(%s, %s, false)", (name, value))
    settings = connection.execute(DURABLE).fetchone()
    if settings is None or settings[2]:
        raise StoreTrouble("unreachable", "this is a replica, not the primary")
    if settings[0] != "on" or settings[1] == "off":
        raise RuntimeError("the database cannot be written durably: it needs fsync=on and synchronous_commit=on")
    return connection


def create_tables(database: PostgresDatabase) -> None:
    """Create missing tables; several processes may try at once."""
    database.begin()
    try:
        if not database.has_table("events"):
            database._connection.execute(SCHEMA.encode())
        database.commit()
    except psycopg.Error as problem:
        raise trouble(problem) from problem
    finally:
        database.rollback()


class DatabaseClock:
    """The database's time in milliseconds; between two reads, a local monotonic clock is used."""

    def __init__(self, database: Callable[[], PostgresDatabase]) -> None:
        self._database = database
        self._asked = self._steady = -RECHECK_CLOCK * 1000
        self._time = 0

    def __call__(self) -> int:
        steady = time.monotonic_ns() // 1_000_000
        if steady - self._asked >= RECHECK_CLOCK * 1000 or not self._time:
            before = time.monotonic_ns()
            query = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint"
            self._time = int(self._database().execute(query).fetchall()[0][0])
            after = time.monotonic_ns()
            self._steady = (before + after) // 2_000_000
            self._asked = steady = after // 1_000_000
        return self._time + steady - self._steady

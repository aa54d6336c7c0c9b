"""move: copy a whole server to another data folder, or from one database engine to the other."""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from eventstore import EventStore, address_in_words, check_content
from eventstore.moving import copy
from pbem.cli.common import DATABASE, Subparsers, add_command, add_data, folder_of, progress, the_server
from pbem.engine.rules.refusals import Illegal, Objection
from pbem.engine.text.messages import say
from pbem.matches.clock import watch
from pbem.matches.server import MOVED, Server

KEYS = (".key", ".keys", ".storage")


def add(subparsers: Subparsers) -> None:
    examples = ["pbem move elsewhere --trial"]
    help = "move a server to another data folder or database engine; signed heads and exports stay valid"
    parser = add_command(subparsers, "move", run_move, help, examples)
    parser.add_argument("folder", type=Path, help="the new data folder; it gets the keys")
    to = "a PostgreSQL database for the events, such as postgresql://localhost/pbem (default: SQLite in that folder)"
    parser.add_argument("--to", default="", metavar="ADDRESS", help=to)
    parser.add_argument("--trial", action="store_true", help="leave the server usable where it is")
    add_data(parser)


def run_move(args: argparse.Namespace) -> int:
    with the_server(args) as server:
        refuse_running(server)
        args.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        copy_keys(folder_of(args), args.folder)
        with closing(open_empty(args.folder / DATABASE, args.to, server.id)) as target:
            progress("copying")
            counted = copy(server.database, target.database)
            progress("checking")
            check_content(target.database, server.store.vault)
            for problem in differences(server.store, target):
                raise Illegal(str(args.folder), [Objection("pbem/move", problem)])
        where = address_in_words(args.to) if args.to else str(args.folder / DATABASE)
        if not args.trial:
            server.database.execute("INSERT INTO about (key, value) VALUES (?, ?)", (MOVED, where))
    rows = sum(counted.values()) - counted["events"] - counted["parts"]
    print(f"{counted['events']} events, {counted['parts']} parts and {rows} other rows are now in {where}")
    if args.to:
        print(f'Write database = "{where}" into {args.folder / "settings.toml"}, then start the server there.')
    return 0


def refuse_running(server: Server) -> None:
    """Refuse to copy a running server, which would lose new orders and email."""
    row = server.database.execute("SELECT until, owner FROM lease WHERE name = 'tick'").fetchone()
    if row is not None and watch.is_living(row[0], row[1], server.store.clock()):
        raise Illegal("move", [Objection("pbem/move", say("the server is running; stop it first"))])


def copy_keys(source: Path, target: Path) -> None:
    """Copy the keys; only their owner can read them."""
    for suffix in KEYS:
        file = Path(DATABASE).with_suffix(suffix).name
        if (source / file).exists() and source.resolve() != target.resolve():
            shutil.copyfile(source / file, target / file)
            (target / file).chmod(0o600)


def open_empty(path: Path, address: str, server: str) -> EventStore:
    """A store of this server that has no events yet."""
    if not address and path.exists():
        raise Illegal(
            str(path), [Objection("pbem/move", say("this folder already has a database; nothing is overwritten"))]
        )
    store = EventStore(path, database=address, server_id=server)
    if store.database.execute("SELECT 1 FROM events LIMIT 1").fetchone() is not None:
        store.close()
        raise Illegal(
            address, [Objection("pbem/move", say("this database already has events; nothing is overwritten"))]
        )
    return store


def differences(source: EventStore, target: EventStore) -> Iterator[str]:
    """Describe each difference between the two stores."""
    if source.streams() != target.streams():
        yield "the copy has different streams"
    for stream in source.streams():
        if source.head(stream) != target.head(stream):
            yield f"{stream} has a different head in the copy"


def into_database(path: Path, address: str) -> None:
    """Move a restored SQLite file into a database server; afterwards the file is removed, but the keys stay."""
    with closing(EventStore(path)) as source, closing(open_empty(path, address, source.server_id)) as target:
        copy(source.database, target.database)
    for suffix in ("", "-wal", "-shm"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)

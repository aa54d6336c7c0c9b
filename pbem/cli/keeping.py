"""export, import, replay, backup, restore, hold, release, operator: for operators, and for players in doubt."""

from __future__ import annotations

import argparse
import shutil
import sys
from functools import partial
from pathlib import Path

from eventstore import EventStore, read_only
from pbem.cli.auditing import tell
from pbem.cli.common import (
    DATABASE,
    Subparsers,
    add_command,
    add_data,
    database_of,
    find_match,
    folder_of,
    progress,
    the_server,
)
from pbem.cli.operating import moving
from pbem.engine.play.resolve import Diverged
from pbem.engine.rules.findings import PUBLIC
from pbem.engine.rules.refusals import Illegal, Objection
from pbem.engine.text.messages import say
from pbem.matches import health
from pbem.matches.accounts import accounts
from pbem.matches.audit.verify import verify_export
from pbem.matches.clock import outages, tick
from pbem.matches.exchange import ladder_starts
from pbem.matches.history import storage_check
from pbem.matches.history.export import archive, archives, export, read_archive, read_export
from pbem.matches.history.replay import all_matches, replay
from pbem.matches.rulings import privilege
from pbem.matches.server import storage_key_file, stored_key_name

TERMINAL = "(at the terminal)"
"""The name recorded for commands run on the server's own machine; only the operating system knows the user."""


def add(subparsers: Subparsers) -> None:
    add_export(subparsers)
    add_import(subparsers)
    add_replay(subparsers)
    add_backup(subparsers)
    add_restore(subparsers)
    add_hold(subparsers)
    add_operator(subparsers)


# Exports -----------------------------------------------------------------------------------------------------


def add_export(subparsers: Subparsers) -> None:
    examples = ["pbem export Training --output training.jsonl", "pbem export Training --viewer german > german.jsonl"]
    help = "write the log of a match as a viewer may see it"
    parser = add_command(subparsers, "export", run_export, help, examples)
    parser.add_argument("match", help="id, beginning of the id, or name")
    parser.add_argument("--viewer", default=PUBLIC, help="a seat, public or master (default: public)")
    parser.add_argument("--output", "-o", type=Path, help="a file (default: standard output)")
    add_data(parser)


def run_export(args: argparse.Namespace) -> int:
    with the_server(args) as server:
        match = find_match(server, args.match)
        if args.viewer != PUBLIC:
            privilege.note(server, TERMINAL, privilege.OPERATOR, f"exported the match as {args.viewer}", match)
        content = export(server, match, args.viewer)
    return write(content, args.output)


def add_import(subparsers: Subparsers) -> None:
    examples = ["pbem import training.jsonl", "pbem import --list"]
    help = "check and keep an export from another server, list those kept, or read one"
    parser = add_command(subparsers, "import", run_import, help, examples)
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("file", nargs="?", type=Path, help="an export to check and keep")
    action.add_argument("--list", action="store_true", help="list the exports that are kept")
    action.add_argument("--read", metavar="DIGEST", help="write out the export whose digest begins with DIGEST")
    parser.add_argument("--output", "-o", type=Path, help="with --read: a file (default: standard output)")
    add_data(parser)


def run_import(args: argparse.Namespace) -> int:
    with the_server(args) as server:
        if args.list:
            for digest, origin, match, viewer in archives(server):
                print(f"{digest}  {match}  {viewer}  from server {origin}")
            return 0
        if args.read:
            return write(read_archive(server, args.read), args.output)
        content = args.file.read_bytes()
        report = verify_export(read_export(content), server.titles)
        if not report.ok:
            return tell(report)
        print(f"kept under {archive(server, content)}")
    return 0


def write(content: bytes, output: Path | None) -> int:
    """Write to a file, or to standard output."""
    if output is None:
        sys.stdout.buffer.write(content)
    else:
        output.write_bytes(content)
        progress(f"{len(content)} bytes written to {output}")
    return 0


def add_replay(subparsers: Subparsers) -> None:
    examples = ["pbem replay Training", "pbem replay --all"]
    help = "replay matches from their first event and compare everything"
    parser = add_command(subparsers, "replay", run_replay, help, examples)
    parser.add_argument("match", nargs="?", help="id, beginning of the id, or name")
    parser.add_argument("--all", action="store_true", help="every match of the server")
    add_data(parser)


def run_replay(args: argparse.Namespace) -> int:
    if bool(args.match) == args.all:
        raise Illegal("replay", [Objection("pbem/replay", say("name one match, or use --all"))])
    wrong = 0
    with the_server(args) as server:
        matches = all_matches(server) if args.all else [find_match(server, args.match)]
        for number, match in enumerate(matches, 1):
            progress(f"{number} of {len(matches)}: {match}")
            try:
                exchanges = replay(server, match).record.last
                print(f"{match}  {exchanges} exchanges, the same result")
            except Diverged as problem:
                print(f"{match}  DIFFERS  {problem}")
                wrong += 1
    return 1 if wrong else 0


# Safekeeping -------------------------------------------------------------------------------------------------


def add_backup(subparsers: Subparsers) -> None:
    examples = ["pbem backup safe"]
    help = "copy the database and the key to a folder while the server runs"
    parser = add_command(subparsers, "backup", run_backup, help, examples)
    parser.add_argument("folder", type=Path, help="a folder only the operator can read: the key signs for the server")
    storage = "copy the storage key too, without which nothing can be restored"
    parser.add_argument("--with-storage-key", action="store_true", help=storage)
    add_data(parser)


def run_backup(args: argparse.Namespace) -> int:
    args.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with the_server(args) as server:
        progress("copying and checking")
        server.store.backup(
            args.folder / DATABASE, check=partial(storage_check.refuse_damage, vault=server.store.vault)
        )
        health.note_backup(server)
    copy_key(folder_of(args), args.folder)
    storage = storage_key_file(folder_of(args) / DATABASE)
    if args.with_storage_key:
        copy_key(folder_of(args), args.folder, storage.name)
        print(f"database, key and storage key are in {args.folder}")
    else:
        print(f"database and key are in {args.folder}")
        print(f"the storage key is not: keep a copy of {storage} elsewhere; without it nothing can be restored")
    return 0


def add_restore(subparsers: Subparsers) -> None:
    examples = ["pbem restore safe --data restored"]
    help = "restore a backup to a new data folder; every running match gets new dice ladders"
    parser = add_command(subparsers, "restore", run_restore, help, examples)
    parser.add_argument("folder", type=Path, help="a folder written by `pbem backup`")
    add_data(parser)


def run_restore(args: argparse.Namespace) -> int:
    target = folder_of(args)
    target.mkdir(parents=True, exist_ok=True, mode=0o700)
    if (target / DATABASE).exists():
        raise Illegal(
            str(target),
            [Objection("pbem/restore", say("this folder already has a database; a restore never overwrites one"))],
        )
    progress("copying and checking")
    EventStore.restore(args.folder / DATABASE, target / DATABASE)
    copy_key(args.folder, target)
    if address := database_of(args):
        moving.into_database(target / DATABASE, address)
    storage = storage_key_file(target / DATABASE)
    if (args.folder / storage.name).exists():
        copy_key(args.folder, target, storage.name)
    elif needs_storage_key(args.folder / DATABASE) and not storage.exists():
        print(f"restored to {target} without its storage key: put it at {storage}, then start the server")
        return 0
    with the_server(args) as server:
        started = ladder_starts.after_restore(server)
        privilege.note(server, TERMINAL, privilege.OPERATOR, "restored a backup")
        tick.recover(server)
    print(f"restored to {target}; new ladders in {len(started)} {'match' if len(started) == 1 else 'matches'}")
    return 0


def needs_storage_key(path: Path) -> bool:
    """Whether a database has parts that only its storage key opens."""
    with read_only(path) as database:
        return bool(stored_key_name(database))


def copy_key(source: Path, target: Path, name: str = Path(DATABASE).with_suffix(".key").name) -> None:
    """Copy a key so that only its owner can read it."""
    shutil.copyfile(source / name, target / name)
    (target / name).chmod(0o600)
    chain = Path(DATABASE).with_suffix(".keys").name
    if (source / chain).exists():
        shutil.copyfile(source / chain, target / chain)


# Holding -----------------------------------------------------------------------------------------------------


def add_hold(subparsers: Subparsers) -> None:
    parser = add_command(
        subparsers,
        "hold",
        run_hold,
        "stop closing exchanges until `pbem release`",
        ['pbem hold --why "moving house"'],
    )
    parser.add_argument("--why", default="", help="the reason, which is recorded in the log")
    add_data(parser)
    help = "close exchanges again; deadlines are postponed by the length of the hold"
    add_data(add_command(subparsers, "release", run_release, help, ["pbem release"]))


def run_hold(args: argparse.Namespace) -> int:
    with the_server(args) as server:
        done = outages.hold(server, args.why)
        if done:
            privilege.note(server, TERMINAL, privilege.OPERATOR, f"held the server: {args.why}".rstrip(": "))
    print("No exchange closes until `pbem release`." if done else "The server was already on hold.")
    return 0


def run_release(args: argparse.Namespace) -> int:
    with the_server(args) as server:
        done = outages.release(server)
        if done:
            privilege.note(server, TERMINAL, privilege.OPERATOR, "released the server")
    print("Released; deadlines have moved by the length of the hold." if done else "The server was not on hold.")
    return 0


# Operators ---------------------------------------------------------------------------------------------------


def add_operator(subparsers: Subparsers) -> None:
    examples = ["pbem operator ann@example.org", "pbem operator ann@example.org --dismiss"]
    parser = add_command(subparsers, "operator", run_operator, "make an account an operator, or dismiss it", examples)
    parser.add_argument("address", help="an address of the account")
    parser.add_argument("--dismiss", action="store_true", help="revoke operator rights")
    add_data(parser)


def run_operator(args: argparse.Namespace) -> int:
    with the_server(args) as server:
        account = accounts.open_account(server, args.address)
        health.name_operator(server, account.id, dismiss=args.dismiss)
    print(f"{args.address} is {'no longer' if args.dismiss else 'now'} an operator of this server.")
    return 0

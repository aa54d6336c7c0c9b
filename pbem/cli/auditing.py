"""verify, compare, pack, check, tamper, key: commands for players and operators who check a match or a database."""

from __future__ import annotations

import argparse
from contextlib import nullcontext
from pathlib import Path

import msgspec

from pbem.campaigns.bundle_check import Verified
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
    title_of,
    titles_of,
)
from pbem.engine.rules.findings import PUBLIC
from pbem.matches.audit import comparing, packing
from pbem.matches.audit.problems import Report
from pbem.matches.audit.verify import verify_export
from pbem.matches.history import beacons, keys, storage_check
from pbem.matches.history.export import read_export
from pbem.matches.history.receipts import Receipt, SignedHead
from pbem.matches.rulings import privilege
from pbem.tools import tampering


def add(subparsers: Subparsers) -> None:
    add_verify(subparsers)
    add_check(subparsers)
    add_compare(subparsers)
    add_pack(subparsers)
    add_tamper(subparsers)
    add_rotate(subparsers)
    help = "print the server's public key, which `pbem verify --server` expects"
    add_data(add_command(subparsers, "key", run_key, help, ["pbem key"]))


# Verifying ---------------------------------------------------------------------------------------------------


def add_verify(subparsers: Subparsers) -> None:
    examples = ["pbem verify training.jsonl"]
    parser = add_command(subparsers, "verify", run_verify, "check an export without a server", examples)
    parser.add_argument("file", type=Path, help="an exported file")
    parser.add_argument("--server", default="", metavar="KEY", help="the public key that you expect")
    parser.add_argument("--head", action="append", type=Path, default=[], help="a signed head as JSON")
    parser.add_argument("--receipt", action="append", type=Path, default=[], help="a receipt as JSON")
    parser.add_argument("--beacon", type=Path, help="values of the public beacon, from its publisher: JSON lines")


def run_verify(args: argparse.Namespace) -> int:
    report = verify_export(
        read_export(args.file.read_bytes()),
        titles_of(args),
        heads=[msgspec.json.decode(file.read_bytes(), type=SignedHead) for file in args.head],
        receipts=[msgspec.json.decode(file.read_bytes(), type=Receipt) for file in args.receipt],
        server=args.server.strip().lower(),
        beacon=list(beacons.read_values(args.beacon.read_bytes())) if args.beacon else (),
    )
    return tell(report)


UNKNOWN_KEY = (
    "UNKNOWN SERVER: no expected server was given. Anyone can write a log and sign it with their\n"
    "own key. Compare the key below with the one on the server's own pages, then verify again with --server KEY."
)
CONSISTENT = "The log is consistent. Whether the server you trust has signed it was not checked: use --server KEY."


def tell(report: Report | Verified, what: str = "export") -> int:
    """Print a report. If the reader did not name the key, say so first, and call a sound log merely consistent."""
    if not report.pinned:
        print(UNKNOWN_KEY)
    for fact in report.facts:
        print(fact)
    for problem in report.problems:
        print(f"WRONG  {problem}")
    if not report.ok:
        print(f"This {what} failed the verification.")
        return 1
    print("Everything that can be checked is in order." if report.pinned else CONSISTENT)
    return 0


def add_compare(subparsers: Subparsers) -> None:
    examples = ["pbem compare training.jsonl training.jsonl"]
    help = "name the first difference between two exports of a match, such as a forked log"
    parser = add_command(subparsers, "compare", run_compare, help, examples)
    parser.add_argument("first", type=Path, help="an exported file")
    parser.add_argument("second", type=Path, help="another export of the same match")


def run_compare(args: argparse.Namespace) -> int:
    one, two = (read_export(file.read_bytes()) for file in (args.first, args.second))
    found = list(comparing.differences(one, two))
    print("\n".join(found) or "The two exports are the same.")
    return 1 if any("FORKED" in line or "different" in line for line in found) else 0


def add_pack(subparsers: Subparsers) -> None:
    examples = ["pbem pack Training --output training.zip"]
    help = "write everything that is needed to check and read a match offline into one file"
    parser = add_command(subparsers, "pack", run_pack, help, examples)
    parser.add_argument("match", help="id, beginning of the id, or name")
    parser.add_argument("--viewer", default=PUBLIC, help="a seat, public or master (default: public)")
    parser.add_argument("--output", "-o", type=Path, required=True, help="the file to write")
    add_data(parser)


def run_pack(args: argparse.Namespace) -> int:
    with the_server(args) as server:
        content = packing.pack(server, find_match(server, args.match), args.viewer)
    args.output.write_bytes(content)
    progress(f"{len(content)} bytes written to {args.output}")
    return 0


# Tampering ---------------------------------------------------------------------------------------------------


def add_tamper(subparsers: Subparsers) -> None:
    examples = ["pbem tamper tanks --count 20 --exchanges 3"]
    help = "tamper with a bot match at random and count what the verifier finds"
    parser = add_command(subparsers, "tamper", run_tamper, help, examples)
    parser.add_argument("title", help="a game system")
    parser.add_argument("--scenario", default="", help="a scenario (default: the title's first)")
    parser.add_argument("--count", type=int, default=10_000, help="number of tamperings, half of them with the key")
    parser.add_argument("--exchanges", type=int, default=8, help="number of exchanges played before the export")
    parser.add_argument("--seed", type=int, default=1, help="the same seed makes the same tamperings")
    help = "also ask the page /verify about every Nth tampering; needs Node"
    parser.add_argument("--second", type=int, default=0, metavar="N", help=help)


def run_tamper(args: argparse.Namespace) -> int:
    titles = titles_of(args)
    scenario = args.scenario or title_of(args, args.title).scenarios[0]
    progress(f"playing {args.title} {scenario}")
    found = tampering.subject(titles, args.title, scenario, args.exchanges)
    progress(f"an export of {len(found.content)} bytes, {len(found.receipts)} receipts, {len(found.heads)} heads")
    with tampering.SecondVerifier() if args.second else nullcontext() as second:
        bench = tampering.Bench(second, args.second)
        rows = tampering.trial(found.content, found.signer, found.receipts, found.heads, args.count, args.seed, bench)
    print(tampering.table(rows), end="")
    if args.second:
        print(f"The two verifiers agreed on {bench.compared - len(bench.differences)} of {bench.compared} exports.")
    print("\n".join(bench.differences))
    missed = [row for row in rows if row.found.get(tampering.GIVEN[-1], 0) < row.made]
    return 1 if missed or bench.differences else 0


# The database ------------------------------------------------------------------------------------------------


def add_check(subparsers: Subparsers) -> None:
    examples = ["pbem check", "pbem check --file safe/pbem.db"]
    help = "check chains, parts, dice ladders and frozen data of a database, which may be in use"
    parser = add_command(subparsers, "check", run_check, help, examples)
    parser.add_argument("--file", type=Path, help="a database file, e.g. a backup (default: the data folder's)")
    add_data(parser)


def run_check(args: argparse.Namespace) -> int:
    if not args.file and database_of(args):
        with the_server(args) as server:
            where = server.store.place_in_words
            wrong = list(storage_check.problems(server.database, server.store.vault))
    else:
        path = args.file or folder_of(args) / DATABASE
        where = str(path)
        wrong = storage_check.check_file(path) or storage_check.check_key(path)
    for problem in wrong:
        print(f"WRONG  {problem}")
    print(f"{where} is damaged." if wrong else f"{where} is sound: chains, parts, dice ladders, frozen data and key.")
    return 1 if wrong else 0


def add_rotate(subparsers: Subparsers) -> None:
    help = "sign with a new key; stop the server first; old receipts still verify"
    parser = add_command(subparsers, "rotate-key", run_rotate, help, ["pbem rotate-key"])
    parser.add_argument("--lost", action="store_true", help="the old key is lost: readers must trust the new one")
    add_data(parser)


def run_rotate(args: argparse.Namespace) -> int:
    path = folder_of(args) / DATABASE
    key = keys.rotate(path, address=database_of(args), lost=args.lost)
    with the_server(args) as server:
        privilege.note(server, "(at the terminal)", privilege.OPERATOR, f"rotated the server's key to {key}")
        print(f"The server now signs with {key}; its id stays {server.id}.")
    return 0


def run_key(args: argparse.Namespace) -> int:
    with the_server(args) as server:
        print(server.id)
    return 0

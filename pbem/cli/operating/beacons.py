"""beacon: the public randomness beacons that a server offers for matches in which its operator plays."""

from __future__ import annotations

import argparse

from pbem.cli.common import Subparsers, add_command, add_data, the_server
from pbem.matches.clock.deadlines import now
from pbem.matches.history import beacons
from pbem.matches.history.beacons import DELAY, Beacon, Terms
from pbem.matches.rulings import privilege
from pbem.matches.server import Server


def add(subparsers: Subparsers) -> None:
    examples = [
        "pbem beacon",
        "pbem beacon add night --genesis 1692803367 --period 30 --file values.jsonl",
        "pbem beacon remove night",
    ]
    help = "list, add, try or remove public beacons, which the dice of a match can depend on"
    parser = add_command(subparsers, "beacon", run_beacon, help, examples)
    parser.add_argument("act", nargs="?", choices=sorted(ACTS), default="list", help="what to do (default: list)")
    parser.add_argument("name", nargs="?", default="", help="name of the beacon")
    parser.add_argument("--genesis", type=int, default=0, help="when round 1 was published, in seconds since 1970")
    parser.add_argument("--period", type=int, default=30, help="seconds from one round to the next (default: 30)")
    parser.add_argument(
        "--delay", type=int, default=DELAY, help=f"least seconds from closing to round (default: {DELAY})"
    )
    parser.add_argument("--file", default="", help="file with a JSON object per line: round, randomness, signature")
    parser.add_argument("--command", default="", help="program that prints such an object for the round {round}")
    add_data(parser)


def run_beacon(args: argparse.Namespace) -> int:
    with the_server(args) as server:
        return ACTS[args.act](server, args)


def list_all(server: Server, args: argparse.Namespace) -> int:
    for name, beacon in beacons.offered_beacons(server.database).items():
        terms, source = beacon.terms, beacon.file or beacon.command
        print(
            f"{name}: a round every {terms.period} s since {terms.genesis}, {terms.delay} s after closing; {source}"
        )
    return 0


def add_one(server: Server, args: argparse.Namespace) -> int:
    terms = Terms(args.name, args.genesis, args.period, args.delay)
    beacons.offer(server.database, Beacon(terms, args.file, args.command))
    privilege.note(server, "(at the terminal)", privilege.OPERATOR, f"set the source of the beacon {args.name}")
    print(f"New matches can use the beacon {args.name}. Try its source: pbem beacon try {args.name}")
    return 0


def remove(server: Server, args: argparse.Namespace) -> int:
    beacons.retract(server.database, args.name)
    privilege.note(server, "(at the terminal)", privilege.OPERATOR, f"removed the beacon {args.name}")
    print(f"The beacon {args.name} is gone. Matches that use it wait until it is added again.")
    return 0


def try_one(server: Server, args: argparse.Namespace) -> int:
    """Fetch the newest value that the source should have published."""
    beacon = beacons.beacon_named(server.database, args.name)
    round = max(1, beacon.terms.round_after(now(server) - 1000 * beacon.terms.delay) - 1)
    try:
        value = beacons.fetch(beacon, round)
    except beacons.Unavailable as problem:
        print(f"No value: {problem}")
        return 1
    print(f"round {value.round}: {value.randomness}")
    return 0


ACTS = {"add": add_one, "list": list_all, "remove": remove, "try": try_one}

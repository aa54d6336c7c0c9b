"""The `pbem` command. Results go to standard output, progress and problems to standard error.

Only the module of the requested command is loaded: a mail program starts `pbem deliver` for every email.
"""

from __future__ import annotations

import argparse
import errno
import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from pbem.engine.rules.refusals import Refusal

if TYPE_CHECKING:
    from pbem.engine.rules.title import Title

DESCRIPTION = """\
Play board wargames by mail: sealed orders, verifiable dice, a log that can be proved.

To look around at once:  pbem serve --demo
"""

COMMANDS: dict[str, tuple[str, str]] = {
    "serve": ("serving", "run the website, the mail listeners and the scheduler"),
    "new": ("playing", "create a match, and invite people or seat bots"),
    "show": ("playing", "list the matches, or show one as a viewer may see it"),
    "orders": ("playing", "show a seat's order form, or seal orders for the seat"),
    "deliver": ("delivering", "accept an email from a pipe; the next tick handles it"),
    "tournament": ("tournaments", "announce and run tournaments: entries, rounds, standings, exports, trial runs"),
    "campaign": ("campaigns", "begin and follow campaigns: files, chronicle, exports, balance"),
    "export": ("keeping", "write the log of a match as a viewer may see it"),
    "import": (
        "keeping",
        "check and keep an export from another server, list those kept, or read one",
    ),
    "replay": ("keeping", "replay matches from their first event and compare everything"),
    "backup": ("keeping", "copy the database and the key to a folder while the server runs"),
    "restore": ("keeping", "restore a backup to a new data folder; every running match gets new dice ladders"),
    "move": (
        "operating.moving",
        "move a server to another data folder or database engine; signed heads and exports stay valid",
    ),
    "work": (
        "operating.working",
        "add a process that plays turns or sends mail; with PostgreSQL, on any machine",
    ),
    "beacon": (
        "operating.beacons",
        "list, add, try or remove public beacons, which the dice of a match can depend on",
    ),
    "resume": ("operating.resuming", "continue with a PostgreSQL database that was promoted or restored"),
    "doctor": (
        "operating.doctoring",
        "check disk, clock, database and backup, and over the network DNS, SPF, DKIM, DMARC, TLS and mail",
    ),
    "hold": ("keeping", "stop closing exchanges until `pbem release`"),
    "release": ("keeping", "close exchanges again; deadlines are postponed by the length of the hold"),
    "operator": ("keeping", "make an account an operator, or dismiss it"),
    "verify": ("auditing", "check an export without a server"),
    "check": ("auditing", "check chains, parts, dice ladders and frozen data of a database, which may be in use"),
    "compare": ("auditing", "name the first difference between two exports of a match, such as a forked log"),
    "pack": ("auditing", "write everything that is needed to check and read a match offline into one file"),
    "tamper": ("auditing", "tamper with a bot match at random and count what the verifier finds"),
    "rotate-key": (
        "auditing",
        "sign with a new key; stop the server first; old receipts still verify",
    ),
    "key": ("auditing", "print the server's public key, which `pbem verify --server` expects"),
    "rules": (
        "rules",
        "show which rules are played, where a rule is implemented, and whether tests notice if it is broken",
    ),
    "sim": ("measuring", "play bot matches in memory; report results, and how often a turn waits for a player"),
    "soak": (
        "measuring",
        "play every scenario and edition with bots, in memory and on a real server, and check the results",
    ),
    "bench": ("measuring", "measure the store against bare SQLite, exchanges, the site, or one long match"),
    "messages": (
        "messages",
        "write the messages that readers see as a gettext template, count them, or compile a translation",
    ),
    "scenario": ("scenarios", "write a scenario of your own, and have it checked"),
}
"""Each command with its module and what it is for."""

DISK_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EACCES, errno.EPERM)
TROUBLE = 3
"""The exit status if the disk or the database fails."""


def parser(argv: Sequence[str] = ()) -> argparse.ArgumentParser:
    """Return the parser of the command that the arguments begin with, or of all commands if there is none."""
    top = argparse.ArgumentParser(
        prog="pbem", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    subparsers = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    wanted = next(iter(argv), "")
    if wanted in COMMANDS:
        import_module(f"pbem.cli.{COMMANDS[wanted][0]}").add(subparsers)
    else:
        for name, (_, help) in COMMANDS.items():
            subparsers.add_parser(name, help=help)
    return top


def main(argv: Sequence[str] | None = None, titles: Mapping[str, Title] | None = None) -> int:
    """Run one command. A refusal says what is wrong and how to correct it, and ends with status 1."""
    said = list(sys.argv[1:] if argv is None else argv)
    args = parser(said).parse_args(said)
    args.titles = titles
    try:
        return int(args.run(args))
    except BrokenPipeError:
        os._exit(1)  # the reader is gone; nothing more can be printed
    except Exception as problem:
        status = status_of(problem)
        if status is None:
            raise
        print(f"pbem: {in_words(problem)}", file=sys.stderr)
        return status


def status_of(problem: Exception) -> int | None:
    """Return the exit status for a problem that one line can explain, or None for a bug in the program."""
    from eventstore import Damaged, StoreTrouble

    if isinstance(problem, StoreTrouble):
        return TROUBLE
    if isinstance(problem, OSError):
        return TROUBLE if problem.errno in DISK_ERRORS else 1
    return 1 if isinstance(problem, Refusal | ValueError | Damaged) else None


def in_words(problem: Exception) -> str:
    """Return the line that explains a problem."""
    from eventstore import StoreTrouble
    from pbem.matches.server import file_trouble, storage_trouble

    if isinstance(problem, StoreTrouble):
        return storage_trouble(problem)
    return file_trouble(problem) if isinstance(problem, OSError) else str(problem)


if __name__ == "__main__":
    sys.exit(main())

"""The `pbem` command. Results go to standard output, progress and problems to standard error."""

from __future__ import annotations

import argparse
import errno
import os
import sqlite3
import sys
from collections.abc import Mapping, Sequence

from eventstore import Damaged
from pbem.cli import auditing, campaigns, keeping, measuring, playing, rules, scenarios, serving, tournaments
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.title import Title
from pbem.matches.server import file_trouble, storage_trouble

DESCRIPTION = """\
Play board wargames by mail: sealed orders, verifiable dice, a log that can be proved.

To look around at once:  pbem serve --demo
"""


DISK_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EACCES, errno.EPERM)
TROUBLE = 3
"""The exit status if the disk or the database fails."""


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="pbem", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    subparsers = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for group in (serving, playing, tournaments, campaigns, keeping, auditing, rules, measuring, scenarios):
        group.add(subparsers)
    return top


def main(argv: Sequence[str] | None = None, titles: Mapping[str, Title] | None = None) -> int:
    """Run one command. A refusal says what is wrong and what would be right, and ends with status 1."""
    args = parser().parse_args(argv)
    args.titles = titles
    try:
        return int(args.run(args))
    except Refusal as refusal:
        print(f"pbem: {refusal}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        os._exit(1)  # the reader has gone; nothing more can be said
    except sqlite3.Error as problem:
        print(f"pbem: {storage_trouble(problem)}", file=sys.stderr)
        return TROUBLE
    except OSError as problem:
        print(f"pbem: {file_trouble(problem)}", file=sys.stderr)
        return TROUBLE if problem.errno in DISK_ERRORS else 1
    except (ValueError, Damaged) as problem:
        print(f"pbem: {problem}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())

"""deliver: accept an email from a pipe.

A mail program starts it for each email, so it loads as little as possible.
"""

from __future__ import annotations

import argparse
import sys
from contextlib import closing

from pbem.cli.arguments import DATABASE, Subparsers, add_command, add_data, database_of, folder_of
from pbem.mail.inbound.limits import MOST_BYTES

TRY_LATER = 75
"""EX_TEMPFAIL: the mail program that pipes email to us keeps the email and tries again."""


def add(subparsers: Subparsers) -> None:
    examples = [
        "pbem deliver < message.eml",
        "pbem deliver --sender ann@example.org --recipient orders@localhost < message.eml",
    ]
    help = "accept an email from a pipe; the next tick handles it"
    parser = add_command(subparsers, "deliver", deliver, help, examples)
    parser.add_argument("--sender", help="the envelope sender, if the mail program passes it on")
    parser.add_argument("--recipient", action="append", default=[], help="the envelope recipient; may be repeated")
    add_data(parser)


def deliver(args: argparse.Namespace) -> int:
    """Store the email on standard input; exit status 75 makes the mail program try again later."""
    raw = sys.stdin.buffer.read(MOST_BYTES + 1)  # one more shows that it is too large
    from eventstore import StoreTrouble
    from pbem.mail.inbound import listeners
    from pbem.matches.installation import open_server

    folder = folder_of(args)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)  # it holds keys, ladders and addresses
        # No title is needed to store an email.
        with closing(open_server(folder / DATABASE, {}, database=database_of(args))) as server:
            listeners.deliver(server, raw, sender=args.sender, recipients=args.recipient)
    except (StoreTrouble, OSError) as problem:
        print(f"pbem: the email could not be stored: {problem}", file=sys.stderr)
        return TRY_LATER
    return 0

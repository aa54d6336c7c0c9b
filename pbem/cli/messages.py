"""messages: everything the server tells its readers, as a template for translators."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pbem.cli.arguments import Subparsers, add_command
from pbem.tools import messages


def add(subparsers: Subparsers) -> None:
    help = "write the messages that readers see as a gettext template, or count them"
    parser = add_command(
        subparsers, "messages", run, help, ["pbem messages --count", "pbem messages --output pbem.pot"]
    )
    parser.add_argument("--output", type=Path, metavar="FILE", help="the file to write (default: standard output)")
    parser.add_argument("--count", action="store_true", help="only say how many messages there are")


def run(args: argparse.Namespace) -> int:
    """Write the template, or count its messages."""
    found = list(messages.found_in(messages.modules()))
    if args.count:
        print(f"{len({(message.texts, message.context) for message in found})} messages in {len(found)} places")
        return 0
    content = messages.template(found)
    if args.output:
        args.output.write_bytes(content)
    else:
        sys.stdout.write(content.decode())
    return 0

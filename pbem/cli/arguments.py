"""Arguments that subcommands share, with nothing that takes long to load."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

Subparsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"

DATABASE = "pbem.db"


def default_folder() -> Path:
    return Path(os.environ.get("PBEM_DATA", "var"))


def add_command(
    subparsers: Subparsers, name: str, run: Callable[[argparse.Namespace], int], help: str, examples: list[str]
) -> argparse.ArgumentParser:
    """A subcommand whose help ends with examples; tests run every one of them."""
    parser = subparsers.add_parser(
        name,
        help=help,
        description=help,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="\n".join(["examples:", *(f"  {example}" for example in examples)]),
    )
    parser.set_defaults(run=run, titles=None)
    return parser


def add_data(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--data", type=Path, default=None, metavar="DIR", help="the data folder (default: $PBEM_DATA, else var)"
    )


def folder_of(args: argparse.Namespace) -> Path:
    return args.data if args.data is not None else default_folder()

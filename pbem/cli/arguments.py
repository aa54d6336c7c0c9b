"""Arguments that subcommands share; this module loads quickly."""

from __future__ import annotations

import argparse
import os
import tomllib
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
    """Add a subcommand whose help ends with examples; the tests run every example."""
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
        "--data", type=Path, default=None, metavar="DIR", help="the data folder (default: $PBEM_DATA or var)"
    )
    where = "a PostgreSQL database, such as postgresql://localhost/pbem (default: from settings.toml, or SQLite)"
    parser.add_argument("--database", default="", metavar="ADDRESS", help=where)


def database_of(args: argparse.Namespace) -> str:
    """The address of the database; empty for SQLite in the data folder."""
    if said := getattr(args, "database", ""):
        return str(said)
    file = folder_of(args) / "settings.toml"
    if not file.exists():
        return ""
    try:
        return str(tomllib.loads(file.read_text()).get("database", ""))
    except tomllib.TOMLDecodeError as problem:
        raise ValueError(f"{file}: {problem}") from None


def folder_of(args: argparse.Namespace) -> Path:
    return args.data if args.data is not None else default_folder()

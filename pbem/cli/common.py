"""Code shared by all subcommands: the data folder, finding a match by name, and showing results and progress."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from pbem.cli.arguments import DATABASE as DATABASE
from pbem.cli.arguments import Subparsers as Subparsers
from pbem.cli.arguments import add_command as add_command
from pbem.cli.arguments import add_data as add_data
from pbem.cli.arguments import database_of as database_of
from pbem.cli.arguments import default_folder as default_folder
from pbem.cli.arguments import folder_of as folder_of
from pbem.engine.rules.refusals import Objection, Unreadable
from pbem.engine.rules.title import Title
from pbem.engine.text.messages import say
from pbem.matches import summaries
from pbem.matches.installation import open_server
from pbem.matches.server import Server

MOST_CHOICES = 20


def titles_of(args: argparse.Namespace) -> Mapping[str, Title]:
    """The registered titles; loading them takes a moment, so only commands that need them call this."""
    if args.titles is not None:
        given: Mapping[str, Title] = args.titles
        return given
    from pbem.campaigns.registry import with_campaigns
    from pbem.titles.registry import TITLES

    return with_campaigns(TITLES)


def title_of(args: argparse.Namespace, name: str) -> Title:
    titles = titles_of(args)
    if name not in titles:
        raise Unreadable(name, [Objection("pbem/title", say("no title has that name"))], sorted(titles))
    return titles[name]


@contextmanager
def the_server(args: argparse.Namespace) -> Iterator[Server]:
    """The server of the data folder, created on first use."""
    folder = folder_of(args)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)  # it holds keys, ladders and addresses
    server = open_server(folder / DATABASE, titles_of(args), database=database_of(args))
    try:
        yield server
    finally:
        server.close()


def find_match(server: Server, wanted: str) -> str:
    """A match by its id, the beginning of its id, or its name."""
    found = summaries.matches_named(server, wanted, MOST_CHOICES)
    if len(found) == 1:
        return found[0][0]
    why = say("several matches have that name") if found else say("no match has that name")
    choice = [f"{match} ({name})" for match, name in found or summaries.matches_named(server, "", MOST_CHOICES)]
    raise Unreadable(wanted, [Objection("pbem/match", why)], choice)


def progress(text: str) -> None:
    """Report progress on standard error, so that it is never mixed with results."""
    print(text, file=sys.stderr, flush=True)


def show_json(result: Any) -> None:
    print(json.dumps(result, indent=2, sort_keys=True))


def show_table(result: Mapping[str, Any], indent: str = "") -> None:
    """Print names and values, one pair per line."""
    width = max(map(len, result), default=0)
    for name, value in result.items():
        if isinstance(value, Mapping):
            print(f"{indent}{name}")
            show_table(value, indent + "  ")
        else:
            shown = ("; ".join(map(str, value)) or "none") if isinstance(value, list) else value
            print(f"{indent}{name:<{width}}  {shown}")


def show(args: argparse.Namespace, result: Mapping[str, Any]) -> None:
    if args.json:
        show_json(result)
    else:
        show_table(result)

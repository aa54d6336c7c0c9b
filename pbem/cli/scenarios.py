"""scenario: how to write one, an example to begin with, and a check that lists every mistake."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Protocol, runtime_checkable

from pbem.cli.common import Subparsers, add_command, title_of
from pbem.engine.rules.refusals import Objection, Refusal, Unreadable
from pbem.engine.rules.title import Title
from pbem.engine.text.messages import say

RULE = "pbem/scenario"


@runtime_checkable
class Writing(Protocol):
    """A title whose scenarios players can write."""

    def scenario_format(self) -> str:
        """How a scenario is written, with an example."""
        ...

    def check_scenario(self, setup: bytes, maps: dict[str, bytes], edition: str) -> list[str]:
        """Describe a scenario, in lines; a refusal names every mistake in it."""
        ...


def add(subparsers: Subparsers) -> None:
    examples = [
        "pbem scenario format",
        "pbem scenario show desert > mine.toml",
        "pbem scenario check mine.toml",
        "pbem scenario check mine.toml --edition 2016",
    ]
    help = "write a scenario of your own, and have it checked"
    parser = add_command(subparsers, "scenario", scenario, help, examples)
    parser.add_argument(
        "what",
        choices=["format", "show", "check"],
        help="show the format, print a packaged scenario, or check a file",
    )
    parser.add_argument("name", nargs="?", default="", help="show: a scenario; check: a file")
    parser.add_argument("--title", default="panzer", help="a game system (default: panzer)")
    parser.add_argument("--edition", default="", help="check: by a different rulebook than the file names")


def scenario(args: argparse.Namespace) -> int:
    title = title_of(args, args.title)
    if args.what == "show":
        print(scenario_text(title, args.name))
        return 0
    if not isinstance(title, Writing):
        raise Unreadable(args.title, [Objection(RULE, say("you cannot write scenarios for this title yet"))])
    if args.what == "format":
        print(title.scenario_format())
        return 0
    return check(title, Path(args.name), args.edition)


def scenario_text(title: Title, name: str) -> str:
    if name not in title.scenarios:
        raise Unreadable(name, [Objection(RULE, say("no scenario has that name"))], title.scenarios)
    return title.freeze(name, {})["scenario"].decode("utf-8").rstrip()


def check(title: Writing, file: Path, edition: str) -> int:
    """Print every mistake in a scenario with its reason and rule; if there are none, print a description of it."""
    setup = file.read_bytes()
    beside = {map.stem: map.read_bytes() for map in sorted(file.parent.glob("*.toml")) if map != file}
    try:
        lines = title.check_scenario(setup, beside, edition)
    except Refusal as refusal:
        mistakes = refusal.objections
        print(f"{file}: {len(mistakes)} {'mistake' if len(mistakes) == 1 else 'mistakes'}")
        for mistake in mistakes:
            print(f"  {mistake.why} ({mistake.rule})")
        return 1
    print(f"{file}: no mistakes")
    for line in lines:
        print(f"  {line}")
    return 0

"""rules coverage, where, mutate: which rules are played, where their code is, and which ones tests protect."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import msgspec

from pbem.cli.common import Subparsers, add_command, progress, show_json, titles_of
from pbem.engine.rules.refusals import Objection, Unreadable
from pbem.engine.text.messages import say
from pbem.tools.mutation import ledger as mutation
from pbem.tools.soak.matches import ledger
from pbem.tools.where import where

STATES = ("covered", "open", "out")


def add(subparsers: Subparsers) -> None:
    examples = [
        "pbem rules coverage",
        "pbem rules coverage panzer --json",
        "pbem rules where 6.5.2.3",
        "pbem rules where 4.2.1 --title panzer",
        "pbem rules mutate tanks --rule T1.3 --each 1 --keep tanks.jsonl",
    ]
    help = "show which rules are played, where a rule is implemented, and whether tests notice if it is broken"
    parser = add_command(subparsers, "rules", run_rules, help, examples)
    parser.add_argument("what", choices=list(WHAT))
    parser.add_argument(
        "name", nargs="?", default="", help="coverage: one title (default: all); where: a rule; mutate: a title"
    )
    parser.add_argument("--title", help="where: one title (default: all)")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--keep", type=Path, help="mutate: keep verdicts in this file and continue from it")
    parser.add_argument(
        "--reach",
        type=Path,
        help="mutate: also run other tests on survivors; this file keeps the functions that each test runs",
    )
    parser.add_argument(
        "--rows", type=int, default=0, help="mutate: number of rows to draw (default: all covered rows)"
    )
    parser.add_argument("--rule", action="append", default=[], help="mutate: only these rows")
    parser.add_argument(
        "--noticed",
        action="store_true",
        help="mutate: only the rows of mutation.csv with mutants that no test marked with the rule notices",
    )
    parser.add_argument("--each", type=int, default=3, help="mutate: mutants per row (default: 3)")
    parser.add_argument("--seed", default="1", help="mutate: the same seed draws the same rows and mutants")
    parser.add_argument("--write", action="store_true", help="mutate: enter the result in the title's mutation.csv")


def run_rules(args: argparse.Namespace) -> int:
    return WHAT[args.what](args)


def show_where(args: argparse.Namespace) -> int:
    """Show file and line, ledger row, data and tests of a rule."""
    found = where(args.name, [args.title] if args.title else sorted(titles_of(args))) if args.name else []
    if not found:
        why = say("no title cites that rule") if args.name else say("name a rule, such as 6.5.2.3")
        raise Unreadable(args.name or "where", [Objection("pbem/where", why)], ["pbem rules coverage"])
    if args.json:
        show_json([msgspec.to_builtins(one) for one in found])
        return 0
    for one in found:
        print(one.title)
        for row in one.rows:
            print(f"  ledger  {row}")
        for kind in ("code", "data", "tests"):
            for place in getattr(one, kind):
                print(f"  {kind:<7} {place.file}:{place.line}  {place.text}")
    return 0


def coverage(args: argparse.Namespace) -> int:
    names = [args.name] if args.name else [name for name in sorted(titles_of(args)) if ledger(name)]
    counted = {name: count_ledger(name) for name in names}
    if args.json:
        show_json(counted)
        return 0
    for name, editions in counted.items():
        print(name)
        print(f"  {'edition':<10}{'tier':<14}" + "".join(f"{state:>9}" for state in STATES))
        for edition, tiers in editions.items():
            for tier, states in tiers.items():
                print(f"  {edition:<10}{tier:<14}" + "".join(f"{states[state]:>9}" for state in STATES))
        if mutation.read(name):
            print(f"  {mutation.tally(name)}")
    return 0


def count_ledger(title: str) -> dict[str, dict[str, dict[str, int]]]:
    """Count the rows of the title's ledger by edition, tier and state."""
    rows = ledger(title)
    if not rows:
        raise Unreadable(title, [Objection("pbem/coverage", say("this title has no ledger of its rules"))])
    counts = Counter((row["edition"], row["tier"], row["status"]) for row in rows)
    found: dict[str, dict[str, dict[str, int]]] = {}
    for edition, tier, _ in sorted(counts):
        states = {state: counts[edition, tier, state] for state in STATES}
        found.setdefault(edition, {})[tier] = states
    return found


def mutate(args: argparse.Namespace) -> int:
    """Break rules one at a time and run the tests marked with them. Return 1 if a mutant survived."""
    if args.name not in titles_of(args):
        raise Unreadable(
            args.name or "mutate", [Objection("pbem/mutate", say("name a title"))], sorted(titles_of(args))
        )
    rows = mutation.draw(args.name, args.rows, args.seed, args.rule)
    if args.noticed:
        rows = [row for row in mutation.noticed_rows(args.name) if row in rows]
    judged = []
    for count, one in enumerate(
        mutation.mutate(args.name, rows, args.each, args.seed, args.keep, args.reach), start=1
    ):
        judged.append(one)
        progress(f"{count} of {len(rows)}: {one.rule} {one.edition} {mutation.sentence(one)}")
    if args.write:
        mutation.write(args.name, judged)
    survivors = [verdict for one in judged for verdict in one.survivors]
    tested = sum(len(one.verdicts) for one in judged)
    if args.json:
        show_json({"tested": tested, "survived": [msgspec.to_builtins(verdict) for verdict in survivors]})
    else:
        for verdict in [verdict for one in judged for verdict in one.unmarked]:
            print(f"unmarked  {verdict.rule:24} {verdict.file}:{verdict.line}  {verdict.what}")
            print(*(f"          {test}\n" for test in verdict.noticing), sep="", end="")
        for verdict in survivors:
            print(f"survived  {verdict.rule:24} {verdict.file}:{verdict.line}  {verdict.what}")
        print(f"{len(judged)} rows, {tested} mutants tested, {len(survivors)} survived")
    return 1 if survivors else 0


WHAT: dict[str, Callable[[argparse.Namespace], int]] = {"coverage": coverage, "where": show_where, "mutate": mutate}

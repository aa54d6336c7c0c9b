"""sim, soak, bench: measure how sound and how fast the server and the titles are."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from pbem.cli.common import Subparsers, add_command, progress, show, title_of, titles_of
from pbem.cli.playing import pairs
from pbem.engine.rules.refusals import Objection, Unreadable
from pbem.engine.rules.title import Title
from pbem.engine.text.messages import say
from pbem.tools.bench import battalion as bench_battalion
from pbem.tools.bench.load import bench_load
from pbem.tools.bench.run import PARTS, Subject, bench
from pbem.tools.simulate import simulate, versus, write_card
from pbem.tools.simulation.run import soak_years
from pbem.tools.soak.hostile_mail import soak_hostile
from pbem.tools.soak.mail import soak_mail
from pbem.tools.soak.matches import ENOUGH, by_size, soak, soak_server

FULL_SOAK = 500
"""In a soak of this many matches or more, every rule that findings can cite should have occurred."""
PEAK = 5000
"""The number of running matches in a benchmark under load."""

BATTALION = "combined"
"""The scenario with 80 units a side and 12 turns."""


def add(subparsers: Subparsers) -> None:
    add_sim(subparsers)
    add_soak(subparsers)
    add_bench(subparsers)


# sim, soak, bench --------------------------------------------------------------------------------------------


def add_sim(subparsers: Subparsers) -> None:
    examples = [
        "pbem sim panzer --scenario duel --matches 2 --seed 7 --json",
        "pbem sim panzer --scenario duel --matches 2 --versus asked",
        "pbem sim nato --scenario leine --matches 2 --versus asked --reactions battle",
        "pbem sim nato --scenario theatre --matches 1 --option table=commands",
        "pbem sim panzer --scenario duel --matches 2 --keep duel.jsonl",
    ]
    help = "play bot matches in memory; report results, and how often a turn waits for a player"
    parser = add_command(subparsers, "sim", run_sim, help, examples)
    parser.add_argument("title", help="a game system")
    parser.add_argument("--scenario", required=True, help="a scenario of the title")
    parser.add_argument("--matches", type=at_least_one, default=10, help="number of matches (default: 10)")
    parser.add_argument("--seed", default="1", help="the same seed gives the same matches")
    parser.add_argument(
        "--reactions",
        metavar="MODE",
        help="plan, ask or another mode of the title (default: plan; with --versus: ask)",
    )
    parser.add_argument(
        "--versus",
        choices=("asked",),
        help="let a bot that plans everything play against the same bot asked as --reactions says; sides alternate",
    )
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the title, as in pbem new"
    )
    parser.add_argument(
        "--handicap", default="", metavar="'SIDE STEP'", help="play with this provision of the scenario"
    )
    parser.add_argument("--keep", type=Path, metavar="FILE", help="keep matches in this file and continue from it")
    parser.add_argument("--write", action="store_true", help="enter the result in the balance file of this checkout")
    parser.add_argument("--json", action="store_true")


def at_least_one(text: str) -> int:
    return at_least(1, text)


def at_least_two(text: str) -> int:
    """Read a number of rounds: at least two are needed to show a spread."""
    return at_least(2, text)


def at_least(least: int, text: str) -> int:
    number = int(text)
    if number < least:
        raise argparse.ArgumentTypeError(f"at least {least}")
    return number


def run_sim(args: argparse.Namespace) -> int:
    title = title_of(args, args.title)
    check_scenario(args, title.scenarios)
    args.reactions = args.reactions or ("ask" if args.versus else "plan")
    check_reactions(args, title.rules(title.freeze(args.scenario, {})).modes)
    options = dict(pairs("--option", "NAME=VALUE", args.option))
    check_options(title.choices_for(args.scenario), options)
    if args.write and (args.handicap or args.versus or options):
        raise Unreadable(
            "--write",
            [
                Objection(
                    "pbem/balance",
                    say("the card can show only matches between equal bots, without a handicap or options"),
                )
            ],
        )
    if args.versus:
        how = {"reactions": args.reactions, "options": options}
        result = versus(title, args.scenario, args.matches, args.seed, progress, **how)
    else:
        how = {"reactions": args.reactions, "options": options, "handicap": args.handicap, "kept": args.keep}
        result = simulate(title, args.scenario, args.matches, args.seed, progress, **how)
        if args.write:
            write_card(balance_file(title), args.scenario, result["matches"], result["won"])
    show(args, result)
    return 1 if result["flaws"] else 0


def balance_file(title: Title) -> Path:
    """Return the balance file of a title's scenarios."""
    return Path(str(resources.files(title.__module__.rpartition(".")[0]))) / "data" / "balance.toml"


def check_reactions(args: argparse.Namespace, modes: Iterable[str]) -> None:
    if args.reactions not in modes:
        raise Unreadable(args.reactions, [Objection("pbem/create", say("the title has no such mode"))], [*modes])


def check_options(known: Mapping[str, Mapping[str, str]], given: Mapping[str, str]) -> None:
    """Refuse an option that the scenario does not have, or a value that the option does not have."""
    for name, value in given.items():
        if value not in known.get(name, ()):
            rows = [f"{option}={one}" for option, values in known.items() for one in values]
            against = [Objection("pbem/create", say("the scenario has no such option"))]
            raise Unreadable(f"{name}={value}", against, rows)


def check_scenario(args: argparse.Namespace, known: tuple[str, ...]) -> None:
    if args.scenario not in known:
        raise Unreadable(args.scenario, [Objection("pbem/scenario", say("no scenario has that name"))], known)


def add_soak(subparsers: Subparsers) -> None:
    examples = [
        "pbem soak panzer --scenario duel --matches 2 --server 0",
        "pbem soak panzer --matches 2 --server 0 --minutes 1 --keep soak.json",
        "pbem soak panzer --mail 20",
        "pbem soak panzer --scenario duel --hostile 5",
        "pbem soak tanks --years 0.005 --seed 7",
    ]
    help = "play every scenario and edition with bots, in memory and on a real server, and check the results"
    parser = add_command(subparsers, "soak", run_soak, help, examples)
    parser.add_argument("title", nargs="?", help="a game system (default: panzer; with --years: tanks)")
    parser.add_argument("--scenario", help="one scenario (default: all, most often the smallest)")
    parser.add_argument(
        "--matches", type=at_least_one, default=500, help="number of matches in memory (default: 500)"
    )
    parser.add_argument("--seed", default="1", help="the same seed gives the same matches")
    parser.add_argument(
        "--minutes", type=float, default=0, help="start no new match, or year, after this many minutes"
    )
    parser.add_argument("--keep", type=Path, metavar="FILE", help="keep results in this file and continue from it")
    parser.add_argument(
        "--server", type=int, default=1, metavar="N", help="number of matches on a server with restarts"
    )
    parser.add_argument(
        "--mail", type=at_least_one, metavar="N", help="instead: send N mixed emails over SMTP, with a crash midway"
    )
    parser.add_argument(
        "--hostile",
        type=at_least_one,
        metavar="N",
        help="instead: read N emails designed to be expensive, and count the work for each",
    )
    years = "instead: simulate a whole server for N years, with crashes, unreliable mail and careless players"
    parser.add_argument("--years", type=float, metavar="N", help=years)
    parser.add_argument("--json", action="store_true")


def run_years(args: argparse.Namespace) -> int:
    """Simulate years of play; the title is TANKS unless another one is named."""
    title = title_of(args, args.title)
    games = [(args.title, args.scenario or by_size(title)[0])]
    pieces = {"minutes": args.minutes, "kept": args.keep}
    report = soak_years(titles_of(args), games, args.years, args.seed, progress, **pieces)
    show(args, report)
    return 1 if report["broken"] else 0


def run_soak(args: argparse.Namespace) -> int:
    if args.years and args.title is None:
        args.title = "tanks"
    args.title = args.title or "panzer"
    title = title_of(args, args.title)
    if args.scenario:
        check_scenario(args, title.scenarios)
    if args.years:
        return run_years(args)
    scenarios = (args.scenario,) if args.scenario else by_size(title)
    if args.mail or args.hostile:
        run, count = (soak_mail, args.mail) if args.mail else (soak_hostile, args.hostile)
        books = run(titles_of(args), args.title, scenarios[0], count, progress, seed=args.seed)
        show(args, books)
        return 1 if books["problems"] else 0
    result = soak(title, args.matches, args.seed, progress, scenarios=scenarios, minutes=args.minutes, kept=args.keep)
    if args.server:
        result["server"] = soak_server(titles_of(args), args.title, scenarios[0], args.server, progress)
    show(args, result)
    return 1 if went_wrong(result) else 0


def went_wrong(result: dict[str, Any]) -> bool:
    """Whether a soak found a problem; rules and asks that did not occur count as a problem only in a long soak."""
    server = result.get("server", {"problems": [], "over": 0, "matches": 0})
    unsound = [*result["failures"], *result["flaws"], *result["endless"], *server["problems"]]
    absent = result["asks_missing"] or any(tier["share"] < ENOUGH for tier in result["rules"].values())
    return bool(unsound) or server["over"] < server["matches"] or (result["matches"] >= FULL_SOAK and bool(absent))


def add_bench(subparsers: Subparsers) -> None:
    examples = [
        "pbem bench panzer --scenario duel --part store --part play --part title --rounds 2 --matches 1 --json",
        "pbem bench panzer --battalion --scenario duel --turns 2",
    ]
    help = "measure the store against bare SQLite, exchanges, the site, or one long match"
    parser = add_command(subparsers, "bench", run_bench, help, examples)
    parser.add_argument("title", nargs="?", default="panzer")
    parser.add_argument(
        "--scenario", help=f"a scenario (default: chosen by the title; with --battalion: {BATTALION})"
    )
    parser.add_argument(
        "--battalion",
        action="store_true",
        help="instead: measure a bot match of 80 units a side: its turns, replay, opening and orders, with a profile",
    )
    load = "instead: send a real server a peak of orders by web, mail and API, and check that none is lost"
    parser.add_argument("--load", action="store_true", help=load)
    parser.add_argument("--rate", type=at_least_one, default=1000, help="with --load: orders per minute")
    parser.add_argument("--minutes", type=float, default=10, help="with --load: length of the peak")
    database = "with --load: an empty PostgreSQL database, measured after SQLite in the same run"
    parser.add_argument("--database", default="", metavar="ADDRESS", help=database)
    keep = "with --load: store the matches before the first order in this folder, for the next run"
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help=keep)
    parser.add_argument("--turns", type=at_least_one, default=0, help="with --battalion: number of turns")
    parser.add_argument(
        "--part", action="append", choices=list(PARTS), help="measure only this part; may be given several times"
    )
    parser.add_argument("--rounds", type=at_least_two, default=100, help="rounds of measuring (default: 100)")
    parser.add_argument("--matches", type=at_least_one, help="number of matches (default: 3; with --load: 5000)")
    parser.add_argument("--json", action="store_true")


def run_bench(args: argparse.Namespace) -> int:
    title = title_of(args, args.title)
    args.scenario = args.scenario or (BATTALION if args.battalion else title.measured or title.scenarios[-1])
    check_scenario(args, title.scenarios)
    if args.battalion:
        show(args, bench_battalion.measure(titles_of(args), args.title, args.scenario, progress, turns=args.turns))
        return 0
    if args.load:
        load: dict[str, Any] = {"rate": args.rate, "minutes": args.minutes, "database": args.database}
        load["kept"] = args.keep
        load["matches"] = args.matches or PEAK
        result = bench_load(titles_of(args), args.title, args.scenario, progress, **load)
        show(args, result)
        return 1 if any(result[name]["lost"] for name in ("sqlite", "postgresql") if name in result) else 0
    subject = Subject(titles_of(args), args.title, args.scenario, args.rounds, args.matches or 3)
    show(args, bench(subject, progress, args.part))
    return 0

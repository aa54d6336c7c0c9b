"""tournament: announce one, enter players from a list, pair, look at standings, export, try it out."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from pbem.cli.common import DATABASE, Subparsers, add_command, add_data, progress, the_server, titles_of
from pbem.engine.rules.refusals import Objection, Unreadable
from pbem.engine.text.messages import say
from pbem.matches.accounts import accounts
from pbem.matches.clock import tick as clock
from pbem.matches.installation import open_server
from pbem.matches.server import Server
from pbem.tournaments import announcing, entries, rounds, stream, tick
from pbem.tournaments.files import bundle, tables, trf
from pbem.tournaments.files.pairings_list import read_pairings
from pbem.tournaments.files.trial import simulate
from pbem.tournaments.model import Points, Settings, Unfinished
from pbem.tournaments.pairing.formats import rounds_of
from pbem.tournaments.ranking.standings import standings
from pbem.tournaments.ranking.tie_breaks import hundredths_in_words
from pbem.tournaments.record import Record
from pbem.tournaments.stream import OPERATOR

EXAMPLES = [
    'pbem tournament new "Autumn Cup" panzer --swiss 5 --sides mirror --unfinished extend:7,rule,director',
    "pbem tournament import autumn entrants.csv --dry-run",
    "pbem tournament import autumn entrants.csv",
    "pbem tournament pair autumn --dry-run",
    "pbem tournament pair autumn --start",
    "pbem tournament standings autumn --explain Ann",
    "pbem tournament export autumn --format trf26",
    "pbem tournament export autumn --format bundle --output autumn.jsonl",
    "pbem tournament verify autumn.jsonl",
    "pbem tournament simulate --swiss 5 --entrants 30 --seeds 2",
]
FORMATS = ("standings", "crosstable", "pairings", "entrants", "json", "trf16", "trf26", "bundle")


def add(subparsers: Subparsers) -> None:
    help = "announce and run tournaments: entries, rounds, standings, exports, trial runs"
    parser = add_command(subparsers, "tournament", run, help, EXAMPLES)
    acts = parser.add_subparsers(dest="act", required=True, metavar="ACT")
    _add_new(acts.add_parser("new", help="announce a tournament"))
    importing = acts.add_parser(
        "import", help="enter players from a CSV or TRF file, or read the director's own pairings"
    )
    importing.add_argument("tournament", help="id, or the beginning of it")
    importing.add_argument("file", type=Path, help="a CSV or TRF file of players, or a list of pairings")
    importing.add_argument("--dry-run", action="store_true", help="only list the mistakes")
    pair = acts.add_parser("pair", help="pair the next round")
    pair.add_argument("tournament", help="id, or the beginning of it")
    pair.add_argument("--dry-run", action="store_true", help="only show the pairing, with its reasons")
    pair.add_argument("--start", action="store_true", help="start the round and create its matches")
    pair.add_argument("--list", type=Path, help="a file with the director's own pairings, for the format --own")
    standings = acts.add_parser("standings", help="show the standings")
    standings.add_argument("tournament", help="id, or the beginning of it")
    standings.add_argument("--explain", metavar="NAME", default="", help="show every number of an entrant as a sum")
    standings.add_argument("--round", type=int, help="after this round (default: the last)")
    export = acts.add_parser("export", help="write tables, TRF or a bundle that can be verified")
    export.add_argument("tournament", help="id, or the beginning of it")
    export.add_argument("--format", choices=FORMATS, default="standings", help="the table or file to write")
    export.add_argument("--output", "-o", type=Path, help="a file (default: standard output)")
    verify = acts.add_parser("verify", help="check a bundle: chain, draws, pairings, matches, results")
    verify.add_argument("file", type=Path, help="a bundle written by `pbem tournament export`")
    simulate = acts.add_parser("simulate", help="run whole tournaments with made-up results and report figures")
    _add_format(simulate)
    simulate.add_argument("--entrants", type=int, default=64, help="number of entrants (default: 64)")
    simulate.add_argument("--seeds", type=int, default=1, help="number of tournaments, each with its own seed")
    simulate.add_argument(
        "--play", metavar="TITLE/SCENARIO", help="let bots play every match instead of making results up"
    )
    for sub in (importing, pair, standings, export, verify, simulate):
        add_data(sub)


def _add_format(parser: argparse.ArgumentParser) -> None:
    formats = parser.add_mutually_exclusive_group()
    formats.add_argument("--swiss", type=int, metavar="ROUNDS", help="a Swiss tournament (default: 5 rounds)")
    formats.add_argument("--round-robin", action="store_true", help="everyone plays everyone once")
    formats.add_argument("--double-round-robin", action="store_true", help="everyone plays everyone twice")
    formats.add_argument("--knock-out", action="store_true", help="the loser of a pairing is out")
    formats.add_argument("--ladder", action="store_true", help="players challenge those above them")
    formats.add_argument("--pools", type=int, metavar="POOLS", help="round robins in pools, then a knock-out")
    formats.add_argument("--own", type=int, metavar="ROUNDS", help="only the director's own pairings")
    formats.add_argument("--tables", type=int, metavar="PLAYERS", help="tables of several players")
    for name in ("accelerated", "third_place"):
        _add_further(parser, next(field for field in announcing.FIELDS if field.name == name))


def _add_further(parser: argparse.ArgumentParser, field: announcing.Field) -> None:
    """Add the command-line option for a further setting."""
    label = str(field.label)
    words = f"{label[0].lower()}{label[1:]}{f', {field.note}' if field.note else ''}"
    if field.kind == "flag":
        parser.add_argument(field.option, action="store_true", help=words)
    else:
        choices = list(field.choices) or None
        parser.add_argument(
            field.option, default=field.default, choices=choices, help=f"{words} (default: {field.default})"
        )


def _add_new(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", help="name of the tournament")
    parser.add_argument("title", help="a game system")
    _add_format(parser)
    parser.add_argument("--scenario", action="append", default=[], help="a scenario; may be repeated, one per round")
    parser.add_argument(
        "--sides",
        choices=("alternate", "mirror", "bid", "fixed"),
        default="alternate",
        help="how sides are assigned: in turn, in two matches with sides exchanged, by sealed bids, or as paired",
    )
    parser.add_argument("--round-weeks", type=int, default=6, help="weeks for each round (default: 6)")
    parser.add_argument("--hours", type=int, default=72, help="hours for each exchange of a match (default: 72)")
    parser.add_argument(
        "--unfinished",
        default="extend:7,rule,director",
        help="steps for unfinished matches at a round's deadline (extend:DAYS, rule, fault, director)",
    )
    parser.add_argument("--points", default="1,0.5,0", help="points for win, draw and loss")
    parser.add_argument(
        "--cap", type=int, default=0, help="the maximum number of entrants; more go to the waiting list"
    )
    parser.add_argument("--confirm-days", type=int, default=0, help="days to confirm an entry (default: none needed)")
    for field in announcing.FIELDS:
        if field.name not in ("accelerated", "third_place", "table_size"):
            _add_further(parser, field)
    parser.add_argument("--season", default="", help="a name under which tournaments are counted together")
    parser.add_argument("--director", default="", metavar="ADDRESS", help="the director's email address")
    parser.add_argument(
        "--master", default="", metavar="ADDRESS", help="the game master's email address, for disputes"
    )
    add_data(parser)


def run(args: argparse.Namespace) -> int:
    return int(ACTS[args.act](args))


def settings_of(args: argparse.Namespace) -> dict[str, Any]:
    """Return the settings of the format that the options name."""
    if args.round_robin or args.double_round_robin:
        return {"format": "round_robin", "double": args.double_round_robin}
    if args.knock_out:
        return {"format": "knock_out"}
    if args.ladder:
        return {"format": "ladder"}
    if args.pools:
        return {"format": "pools", "pools": args.pools}
    if args.own:
        return {"format": "own", "rounds": args.own}
    if args.tables:
        return {"format": "several"}
    return {"format": "swiss", "rounds": args.swiss or 5}


def trial_settings(args: argparse.Namespace) -> dict[str, Any]:
    """Return the settings of a trial: the format and the settings that belong to it."""
    more = {"accelerated": args.accelerated, "third_place": args.third_place, "decider": "margin"}
    return {**settings_of(args), **more, **({"table_size": args.tables} if args.tables else {})}


def tenths(text: str) -> int:
    """Read points such as 1, 0.5 or ½ into whole tenths."""
    whole, _, rest = text.strip().replace("½", ".5").partition(".")
    if not (whole or rest) or not (whole or "0").isdigit() or not (rest or "0").isdigit() or len(rest) > 1:
        raise Unreadable(
            text,
            [Objection("tournament/points", say("points can have at most one decimal place, such as 0.5"))],
            ["1", "0.5"],
        )
    return 10 * int(whole or 0) + int(rest or 0)


def unfinished_of(text: str) -> Unfinished:
    """Read the steps to be taken for unfinished matches at a round's deadline."""
    steps, days = [], 7
    for word in text.split(","):
        name, _, number = word.strip().partition(":")
        if name not in ("extend", "rule", "director", "fault"):
            known = ["extend:7", "rule", "director", "fault"]
            raise Unreadable(
                word,
                [Objection("tournament/unfinished", say("there is no such way to handle unfinished matches"))],
                known,
            )
        if name == "extend" and number:
            days = int(number)
        steps.append(name)
    return Unfinished(tuple(steps), days)


def new(args: argparse.Namespace) -> int:
    words = args.points.split(",")
    if len(words) != 3:
        raise Unreadable(
            args.points,
            [Objection("tournament/points", say("give the points for a win, a draw and a loss"))],
            ["3,1,0"],
        )
    win, draw, loss = map(tenths, words)
    with the_server(args) as server:
        director = accounts.open_account(server, args.director).id if args.director else OPERATOR
        master = accounts.open_account(server, args.master).id if args.master else ""
        told = {**vars(args), **({"table_size": args.tables} if args.tables else {})}
        settings = Settings(
            name=args.name,
            master=master,
            title=args.title,
            points=Points(win, draw, loss, win, draw),
            scenarios=tuple(args.scenario),
            sides=args.sides,
            round_days=7 * args.round_weeks,
            cap=args.cap,
            confirm_days=args.confirm_days,
            season=args.season,
            **announcing.settings(told, {"hours": args.hours}, unfinished_of(args.unfinished)),
            **settings_of(args),
        )
        record = stream.open_tournament(server, settings, director)
        print(record.id)
    return 0


def import_(args: argparse.Namespace) -> int:
    content = args.file.read_bytes()
    with the_server(args) as server:
        id = stream.find(server, args.tournament)
        if args.dry_run:
            found = entries.read_list(server, stream.read(server, id), content, args.file.name, by_operator=True)
        else:
            found = entries.import_list(server, id, content, by=OPERATOR, name=args.file.name)
        for mistake in found.mistakes:
            print(mistake)
        if not found.mistakes:
            print(f"{len(found.entries)} entries{' could be made' if args.dry_run else ' made'}")
    return 1 if found.mistakes else 0


def pair(args: argparse.Namespace) -> int:
    with the_server(args) as server:
        id = stream.find(server, args.tournament)
        record = stream.read(server, id)
        listed = own_pairings(server, record, args.list) if args.list else []
        if args.dry_run:
            planned = rounds.plan(server, record, listed)
            shown = msgspec.structs.replace(record, seeds=list(planned.paired.seeds))
            print(
                f"round {planned.number}, paired by {planned.engine} ({planned.version}); nothing has been announced"
            )
            _show_pairs(shown, planned.paired.pairings, planned.paired.byes)
            for reason in planned.paired.reasons:
                print(f"  {reason}")
            return 0
        record = rounds.pair(server, id, by=OPERATOR, listed=listed)
        if args.start:
            rounds.start(server, id, by=OPERATOR)
            tick.advance(server, id, server.store.clock())
        round = stream.read(server, id).last_round
        assert round is not None
        print(f"round {round.number}, paired by {round.engine} ({round.version})")
        _show_pairs(record, round.pairings, round.byes)
    return 0


def own_pairings(server: Server, record: Record, file: Path) -> list[tuple[int, ...]]:
    """Return the director's pairings for the next round; a refusal names every line that is wrong."""
    number = max(record.rounds, default=0) + 1
    sides = stream.sides_of(server, record)
    found = read_pairings(file.read_bytes(), entries.by_name(record), sides, record.settings.scenarios, number)
    if found.mistakes:
        raise Unreadable(file.name, [Objection("tournament/pairings", str(mistake)) for mistake in found.mistakes])
    return [pair.entrants for pair in found.pairs if pair.round == number]


def _show_pairs(record: Record, pairings: Any, byes: Any) -> None:
    for pairing in pairings:
        names = " - ".join(record.entrants[number].name for number in pairing.entrants)
        print(f"{pairing.number:>4}  {names}{f'  ({pairing.group})' if pairing.group else ''}")
    for bye in byes:
        print(f"      {record.entrants[bye.entrant].name}: {tables.BYES[bye.kind]}")


def show_standings(args: argparse.Namespace) -> int:
    with the_server(args) as server:
        record = stream.read(server, stream.find(server, args.tournament))
    rows = standings(record, args.round)
    if args.explain:
        wanted = [row for row in rows if row.name.lower().startswith(args.explain.lower())]
        if not wanted:
            known = [row.name for row in rows[:5]]
            raise Unreadable(args.explain, [Objection("tournament", say("no entrant has that name"))], known)
        for row in wanted:
            print(f"{row.place}. {row.name}")
            print("\n".join(f"   {line}" for line in row.explained()))
        return 0
    width = max((len(row.name) for row in rows), default=4)
    heads = [str(label)[:16] for label in tables.labels(record).values()]
    print("    ", "name".ljust(width), "points", *heads, sep="  ")
    for row in rows:
        values = [
            hundredths_in_words(value.value).rjust(len(head))
            for value, head in zip(row.tie_breaks, heads, strict=True)
        ]
        print(
            f"{row.place:>4}.", row.name.ljust(width), tables.points(row.points).rjust(6), *values, row.note, sep="  "
        )
    return 0


def export(args: argparse.Namespace) -> int:
    with the_server(args) as server:
        stream.catch_up(server)
        id = stream.find(server, args.tournament)
        content = export_tournament(server, stream.read(server, id), args.format)
    if args.output is None:
        sys.stdout.buffer.write(content)
    else:
        args.output.write_bytes(content)
        progress(f"{len(content)} bytes written to {args.output}")
    return 0


def export_tournament(server: Server, record: Record, format: str) -> bytes:
    """Return a tournament in one of the formats."""
    if format == "bundle":
        return bundle.write(server, record.id)
    if format == "json":
        return (json.dumps(tables.to_json(record), indent=2, ensure_ascii=False) + "\n").encode()
    if format in ("trf16", "trf26"):
        return trf.write(record, format).encode()
    rows = standings(record)
    found = {
        "standings": lambda: tables.standings_rows(rows),
        "crosstable": lambda: tables.crosstable_rows(rows),
        "entrants": lambda: tables.entrant_rows(record),
        "pairings": lambda: [
            {"round": number, **row}
            for number, round in sorted(record.rounds.items())
            for row in tables.pairing_rows(record, round)
        ],
    }[format]()
    return tables.to_csv(found).encode()


def verify(args: argparse.Namespace) -> int:
    report = bundle.verify_bundle(bundle.load(args.file.read_bytes()), titles_of(args))
    for fact in report.facts:
        print(fact)
    for problem in report.problems:
        print(f"WRONG: {problem}")
    print("everything is in order" if report.ok else f"{len(report.problems)} problems")
    return 0 if report.ok else 1


def play_trial(args: argparse.Namespace) -> int:
    """Run a whole tournament on a throw-away server: bots enter and play every match."""
    title, _, scenario = args.play.partition("/")
    scenarios = (scenario,) if scenario else ()
    settings = Settings(name="Trial", title=title, scenarios=scenarios, timing={"hours": 0}, **trial_settings(args))
    with tempfile.TemporaryDirectory() as folder:
        server = open_server(Path(folder) / DATABASE, titles_of(args))
        id = stream.open_tournament(server, settings, OPERATOR).id
        bots = [accounts.open_bot(server, f"trial-{number}").id for number in range(1, args.entrants + 1)]
        lines = "\n".join(f"Bot {number},{bot}" for number, bot in enumerate(bots, 1))
        entries.import_list(server, id, f"name,account\n{lines}\n".encode(), by=OPERATOR)
        for number in range(1, rounds_of(stream.read(server, id)) + 1):
            rounds.pair(server, id, by=OPERATOR)
            rounds.start(server, id, by=OPERATOR)
            while stream.read(server, id).rounds[number].open_pairings():
                clock.work_round(server)
                tick.tick(server, server.store.clock())
            rounds.close(server, id, by=OPERATOR, anyway=True)
            progress(f"round {number} is over")
        for row in standings(stream.read(server, id)):
            print(f"{row.place:>4}. {row.name}: {tables.points(row.points)}")
        report = bundle.verify_bundle(bundle.load(bundle.write(server, id)), titles_of(args))
        server.close()
    print("everything is in order" if report.ok else "\n".join(report.problems))
    return 0 if report.ok else 1


def run_simulation(args: argparse.Namespace) -> int:
    if args.play:
        return play_trial(args)
    settings = Settings(name="Trial", title="trial", **trial_settings(args))
    slowest = worst = faults = 0.0
    for seed in range(args.seeds):
        trial = simulate(settings, args.entrants, seed)
        slowest = max(slowest, *trial.seconds)
        worst = max(worst, trial.worst_balance)
        faults += trial.rematches * (settings.format == "swiss") + trial.second_byes
        pace = f"pairing {min(trial.seconds):.2f} to {max(trial.seconds):.2f} s"
        print(
            f"seed {seed}: {trial.rounds} rounds, {pace}, standings {trial.standings_seconds:.2f} s, "
            f"sides within {trial.worst_balance}, winner {trial.places[0].name}"
        )
    print(f"{args.seeds} tournaments of {args.entrants}: slowest pairing {slowest:.2f} s, {faults:.0f} faults")
    return 1 if faults else 0


ACTS = {
    "new": new,
    "import": import_,
    "pair": pair,
    "standings": show_standings,
    "export": export,
    "verify": verify,
    "simulate": run_simulation,
}

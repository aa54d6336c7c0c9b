"""campaign: begin one, look at it, check a campaign file, export and verify, try the balance."""

from __future__ import annotations

import argparse
import hashlib
import sys
from pathlib import Path

import msgspec

from pbem.campaigns import bundle, bundle_check, chronicle, moving, stage_file, tick
from pbem.campaigns.rules.file import Campaign, packaged, packaged_names
from pbem.campaigns.rules.title import NAME, CampaignRules, CampaignTitle
from pbem.campaigns.simulate import Balance, Ending, ending, fast, real, tally
from pbem.cli.auditing import tell
from pbem.cli.common import Subparsers, add_command, add_data, progress, the_server, titles_of
from pbem.engine.rules.findings import PUBLIC
from pbem.engine.rules.refusals import Objection, Unreadable
from pbem.engine.text.messages import say
from pbem.matches.accounts.names import BOT
from pbem.matches.exchange.creating import new_match
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.receipts import Receipt, SignedHead
from pbem.matches.history.replay import load, record_of
from pbem.matches.server import Server

EXAMPLES = [
    "pbem campaign list",
    "pbem campaign file battlegroup > mine.toml",
    "pbem campaign check mine.toml",
    'pbem campaign new battlegroup --name "Autumn on the steppe" --hours 72',
    "pbem campaign new battlegroup --bots",
    "pbem campaign show autumn --stage 2 --seat german",
    "pbem campaign export autumn --output autumn.jsonl",
    "pbem campaign verify autumn.jsonl",
    "pbem campaign export autumn --stage 12 --output stage-12.jsonl",
    "pbem campaign verify stage-12.jsonl --head head-of-stage-11.json",
    "pbem campaign verify autumn --stage 12",
    "pbem campaign move autumn --to SERVER-ID --address https://new.example.org --output autumn.transfer",
    "pbem campaign take autumn.transfer",
    "pbem campaign simulate battlegroup --campaigns 100",
    "pbem campaign simulate battlegroup --campaigns 1 --seed 7 --real",
]


def add(subparsers: Subparsers) -> None:
    help = "begin and follow campaigns: files, chronicle, exports, balance"
    parser = add_command(subparsers, "campaign", run, help, EXAMPLES)
    acts = parser.add_subparsers(dest="act", required=True, metavar="ACT")
    acts.add_parser("list", help="list the campaigns on this server, and those that can be started")
    file = acts.add_parser("file", help="print the file of a packaged campaign, as a start for your own")
    file.add_argument("campaign", choices=packaged_names(), help="the name of a packaged campaign")
    check = acts.add_parser("check", help="explain every mistake in a campaign file")
    check.add_argument("file", type=Path, help="a campaign file")
    new = acts.add_parser("new", help="begin a campaign, packaged or from a file")
    new.add_argument("campaign", help="the name of a packaged campaign, or a file")
    new.add_argument("--name", default="", help="name of the campaign on this server")
    new.add_argument("--hours", type=int, default=72, help="hours for orders; 0 means no deadlines")
    new.add_argument("--bots", action="store_true", help="let bots take every seat")
    show = acts.add_parser("show", help="show the chronicle of a stage")
    show.add_argument("campaign", help="id or name, or the beginning of either")
    show.add_argument("--stage", type=int, default=0, help="a stage (default: the current one)")
    show.add_argument("--seat", default=PUBLIC, help="show it as this seat sees it")
    export = acts.add_parser("export", help="write the campaign and its battles as one file")
    export.add_argument("campaign", help="id or name, or the beginning of either")
    export.add_argument("--output", type=Path, help="a file (default: standard output)")
    export.add_argument("--stage", type=int, default=0, help="only this stage, to be checked by itself")
    verify = acts.add_parser("verify", help="check an exported file, or one stage of a campaign on this server")
    verify.add_argument("file", help="an exported file; with --stage, a campaign on this server")
    verify.add_argument("--stage", type=int, default=0, help="replay this stage with all its secrets")
    verify.add_argument("--server", default="", metavar="KEY", help="the public key that you expect")
    verify.add_argument("--head", action="append", type=Path, default=[], help="a signed head as JSON")
    verify.add_argument("--receipt", action="append", type=Path, default=[], help="a receipt as JSON")
    simulate = acts.add_parser("simulate", help="let bots play campaigns and count who wins")
    simulate.add_argument("campaign", help="the name of a packaged campaign, or a file")
    simulate.add_argument("--campaigns", type=int, default=100, help="number of campaigns (default: 100)")
    simulate.add_argument(
        "--seed", default="balance", help="the same seed plays the same campaigns (default: balance)"
    )
    simulate.add_argument("--keep", type=Path, metavar="FILE", help="keep results in this file and continue from it")
    simulate.add_argument("--real", action="store_true", help="play every battle by the rules of its title")
    acts.add_parser("id", help="print this server's id, which another server needs to hand a campaign over")
    move = acts.add_parser("move", help="hand a running campaign over to another server")
    move.add_argument("campaign", help="id or name, or the beginning of either")
    move.add_argument("--to", required=True, help="the other server's id, which 'pbem campaign id' prints there")
    move.add_argument("--address", required=True, help="the address at which players will find the campaign")
    move.add_argument(
        "--output",
        type=Path,
        required=True,
        help="the transfer file, which only the other server's operator may have",
    )
    take = acts.add_parser("take", help="take in a campaign that another server has handed over")
    take.add_argument("file", type=Path, help="the transfer file")
    for act in (*acts.choices.values(),):
        add_data(act)


def run(args: argparse.Namespace) -> int:
    acts = {
        "list": show_list,
        "file": write_file,
        "check": check,
        "new": new,
        "show": show,
        "export": write_export,
        "verify": verify,
        "simulate": simulate,
        "id": show_id,
        "move": move,
        "take": take,
    }
    return acts[args.act](args)


def title(args: argparse.Namespace) -> CampaignTitle:
    found = titles_of(args).get(NAME)
    assert isinstance(found, CampaignTitle)
    return found


def content_of(name: str) -> tuple[str, bytes]:
    """Return the name and content of a packaged campaign, or the content of a file."""
    if name in packaged_names():
        return name, packaged(name)
    if Path(name).is_file():
        return packaged_names()[0], Path(name).read_bytes()
    why = say("that is neither a packaged campaign nor a file")
    raise Unreadable(name, [Objection("C0", why)], list(packaged_names()))


def show_list(args: argparse.Namespace) -> int:
    with the_server(args) as server:
        tick.catch_up(server)
        rows = server.database.execute("SELECT id, name, ended FROM campaigns ORDER BY ended, created_at").fetchall()
        for id, name, ended in rows:
            stage = chronicle.stages_of(record_of(server, id))
            print(f"{id}  {name}: {'over after' if ended else 'stage'} {stage}{' stages' if ended else ''}")
        if not rows:
            print("No campaign on this server yet.")
        print(f"To begin one: pbem campaign new {' | '.join(packaged_names())}")
    return 0


def write_file(args: argparse.Namespace) -> int:
    sys.stdout.write(packaged(args.campaign).decode())
    return 0


def check(args: argparse.Namespace) -> int:
    campaign = title(args).check(args.file.read_bytes(), args.file.name)
    for line in facts_of(campaign):
        print(line)
    return 0


def facts_of(campaign: Campaign) -> list[str]:
    """Describe a campaign file that has no mistakes."""
    said = [f"{campaign.name}: {campaign.title}, {campaign.stages} stages at most. No mistakes found."]
    for side in campaign.side:
        count = sum(row.count for row in side.units)
        cost = sum(row.count * campaign.cost_of(side.id, row.card) for row in side.units)
        seats = f", {len(side.seats)} commanders under the chief" if side.seats else ""
        said.append(f"{side.name}: {count} units worth {cost} points, {side.points} points to spend{seats}.")
    places = len(campaign.province) or len(campaign.battle)
    said.append(
        f"{places} {'provinces' if campaign.province else 'battles'}, {len(campaign.purchase)} cards for sale."
    )
    return said


def new(args: argparse.Namespace) -> int:
    name, content = content_of(args.campaign)
    with the_server(args) as server:
        options = {} if content == packaged(name) else {"file": content.decode()}
        campaign = title(args).check(content)
        id = new_match(server, NAME, name, name=args.name or campaign.name, cadence=args.hours, options=options)
        if args.bots:
            for seat in record_of(server, id).seats:
                take_seat(server, id, seat, f"{BOT}steady")
        print(id)
    return 0


def find_campaign(server: Server, wanted: str) -> str:
    tick.catch_up(server)
    rows = server.database.execute("SELECT id, name FROM campaigns ORDER BY created_at DESC").fetchall()
    fitting = [id for id, name in rows if id.startswith(wanted) or name.lower().startswith(wanted.lower())]
    if len(fitting) != 1:
        why = say("several campaigns have that name") if fitting else say("no campaign has that name")
        raise Unreadable(wanted, [Objection("C0", why)], [f"{id} ({name})" for id, name in rows][:10])
    return str(fitting[0])


def show(args: argparse.Namespace) -> int:
    with the_server(args) as server:
        id = find_campaign(server, args.campaign)
        record = record_of(server, id)
        if args.seat not in (*record.seats, PUBLIC):
            raise Unreadable(args.seat, [Objection("C1.2", say("no seat has that name"))], record.seats)
        stage = args.stage or chronicle.stages_of(record)
        chapter = chronicle.chapter(server, id, args.seat, stage)
        position = load(server, id)
        score = ", ".join(f"{side} {points}" for side, points in position.rules.score(position.run.state).items())
        print(f"{record.created['name']}, stage {stage}. Points: {score}.")
        for line in chapter.told:
            print(f"{'  ' * (line.depth + 1)}{line.text}")
        if not record.ended:
            print(f"Waiting for {', '.join(position.awaited_seats) or 'the server'}.")
    return 0


def write_export(args: argparse.Namespace) -> int:
    with the_server(args) as server:
        id = find_campaign(server, args.campaign)
        content = stage_file.write(server, id, args.stage) if args.stage else bundle.write(server, id)
    if args.output is None:
        sys.stdout.buffer.write(content)
    else:
        args.output.write_bytes(content)
    return 0


def verify(args: argparse.Namespace) -> int:
    kept = bundle_check.Kept(
        args.server.strip().lower(),
        [msgspec.json.decode(file.read_bytes(), type=SignedHead) for file in args.head],
        [msgspec.json.decode(file.read_bytes(), type=Receipt) for file in args.receipt],
    )
    if args.stage:
        with the_server(args) as server:
            id = find_campaign(server, args.file)
            content = stage_file.write(server, id, args.stage, is_privileged=True)
            return tell(stage_file.verify_stage(content, server.titles, own_key(kept, server)), "stage")
    content = Path(args.file).read_bytes()
    if stage_file.is_stage_file(content):
        return tell(stage_file.verify_stage(content, titles_of(args), kept), "stage")
    return tell(bundle_check.verify_bundle(bundle.read_bundle(content), titles_of(args), kept), "file")


def own_key(kept: bundle_check.Kept, server: Server) -> bundle_check.Kept:
    """The reader's records for checking. If the reader names no server key, the server adds its own."""
    return msgspec.structs.replace(kept, server=kept.server or server.id)


def show_id(args: argparse.Namespace) -> int:
    with the_server(args) as server:
        print(server.id)
    return 0


def move(args: argparse.Namespace) -> int:
    """Write the transfer file so that only its owner can read it, because it holds the secrets of the campaign."""
    with the_server(args) as server:
        id = find_campaign(server, args.campaign)
        content = moving.leave(server, id, args.to, args.address)
    args.output.touch(mode=0o600)
    args.output.write_bytes(content)
    print(f"{id} continues at {args.address}. Give {args.output} to the operator there; here it can only be read.")
    return 0


def take(args: argparse.Namespace) -> int:
    with the_server(args) as server:
        id = moving.arrive(server, args.file.read_bytes())
        tick.catch_up(server)
        free = [seat for seat in record_of(server, id).seats if seat not in record_of(server, id).occupants]
        print(f"{id} is here." + (f" Invited, with no account here yet: {', '.join(free)}." if free else ""))
    return 0


def simulate(args: argparse.Namespace) -> int:
    _, content = content_of(args.campaign)
    own = title(args)
    campaign = own.check(content)
    rules = own.rules(own.freeze(packaged_names()[0], {"file": content.decode()}))
    assert isinstance(rules, CampaignRules)
    kind = "real" if args.real else "fast"
    progress(f"{args.campaigns} campaigns, {kind} battles")
    resolver = real(own.titles) if args.real else fast
    known, endings = earlier_endings(args.keep), list[Ending]()
    for number in range(args.campaigns):
        seed = f"{args.seed}/{number}"
        key = f"{hashlib.sha256(content).hexdigest()[:12]} {kind} {seed}"
        if key not in known:
            known[key] = ending(rules, resolver, seed)
            keep(args.keep, key, known[key])
        endings.append(known[key])
    for line in endings_in_words(campaign, tally(rules.data.sides, endings)):
        print(line)
    return 0


def earlier_endings(file: Path | None) -> dict[str, Ending]:
    """Read the campaigns that an earlier run has written to its file."""
    lines = file.read_bytes().splitlines() if file is not None and file.exists() else []
    try:
        rows = [msgspec.json.decode(line, type=tuple[str, Ending]) for line in lines]
    except msgspec.MsgspecError as problem:
        raise Unreadable(
            str(file),
            [Objection("C0", say("this file does not contain simulated campaigns ({problem})", problem=problem))],
        ) from problem
    return dict(rows)


def keep(file: Path | None, key: str, one: Ending) -> None:
    """Add a simulated campaign to the file of this run."""
    if file is not None:
        with file.open("ab") as output:
            output.write(msgspec.json.encode((key, one)) + b"\n")


def endings_in_words(campaign: Campaign, found: Balance) -> list[str]:
    """Describe how campaigns ended, one line each."""
    said = [f"{found.campaigns} campaigns, {found.battles} battles, {found.draws} drawn campaigns"]
    for side in campaign.side:
        low, high = found.interval(side.id)
        left = f"{found.left[side.id] // 10}.{found.left[side.id] % 10}"
        wins = f"{found.wins[side.id]} campaigns ({low} to {high}% of those decided)"
        said.append(f"{side.name}: {wins}, {found.battle_wins[side.id]} battles, {left} units left at the end")
    for place in campaign.places:
        if place.id in found.places:
            won = ", ".join(f"{who} {count}" for who, count in found.places[place.id].items())
            said.append(f"  battles at {place.name}: {won}")
    return said

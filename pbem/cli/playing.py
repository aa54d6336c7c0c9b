"""The commands `new`, `show` and `orders`, with which matches are played and watched without the site."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from pbem.cli.common import Subparsers, add_command, add_data, find_match, the_server
from pbem.engine.rules.findings import PUBLIC
from pbem.engine.rules.refusals import Illegal, Objection, Unreadable
from pbem.engine.text.messages import say
from pbem.matches import views
from pbem.matches.accounts import accounts
from pbem.matches.accounts.names import BOT
from pbem.matches.clock.deadline_rules import POLICIES, Timing
from pbem.matches.clock.deadlines import in_words
from pbem.matches.exchange import creating, submitting
from pbem.matches.exchange.seats import occupant, take_seat
from pbem.matches.history.replay import all_matches
from pbem.matches.players import invitations
from pbem.matches.server import Server
from pbem.matches.views import Status


def add(subparsers: Subparsers) -> None:
    add_new(subparsers)
    add_show(subparsers)
    add_orders(subparsers)


# new ---------------------------------------------------------------------------------------------------------


def add_new(subparsers: Subparsers) -> None:
    examples = [
        "pbem new panzer duel --name Friday --seat german=ann@example.org --seat british=bot --cadence 48",
        "pbem new panzer duel --name Training --seat german=ann@example.org --seat british=bot --seated",
        "pbem new panzer duel --option edition=2016",
        "pbem new panzer duel --cadence 48 --zone Europe/Berlin --weekdays mon,wed,fri --between 8 22 --grace 6 "
        "--missed substitute --patience 2 --master max@example.org",
    ]
    parser = add_command(subparsers, "new", new, "create a match, and invite people or seat bots", examples)
    parser.add_argument("title", help="a game system, such as panzer")
    parser.add_argument("scenario", help="a set-up of the title")
    parser.add_argument("--name", default="", help="name of the match")
    parser.add_argument("--seat", action="append", default=[], metavar="SEAT=WHO", help="an email address, or bot")
    parser.add_argument("--seated", action="store_true", help="seat the addresses at once instead of inviting them")
    parser.add_argument("--master", default="", metavar="ADDRESS", help="game master (default: none)")
    parser.add_argument(
        "--reactions", default="plan", metavar="MODE", help="plan, ask or another mode of the title (default: plan)"
    )
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the title")
    parser.add_argument("--beacon", default="", metavar="NAME", help="public beacon for the dice, see `pbem beacon`")
    parser.add_argument("--sealed", action="store_true", help="secrets stay sealed after the end of the match")
    parser.add_argument("--handicap", default="", metavar="'SIDE STEP'", help="a provision of the scenario's balance")
    add_timing(parser)
    add_data(parser)


def add_timing(parser: argparse.ArgumentParser) -> None:
    """Add an option for each setting of `Timing`."""
    group = parser.add_argument_group("deadlines")
    usual, hours = Timing(), dict[str, Any](type=int, metavar="HOURS")
    group.add_argument("--cadence", default=0, help="time for orders (0: no deadline)", **hours)
    group.add_argument(
        "--hours-for", action="append", default=[], metavar="KIND=HOURS", help="a different time for one kind of ask"
    )
    group.add_argument("--zone", default=usual.zone, help="time zone of deadlines, e.g. Europe/Berlin")
    group.add_argument(
        "--weekdays", default="", metavar="DAYS", help="weekdays on which deadlines fall, e.g. mon,wed,fri"
    )
    group.add_argument(
        "--between",
        type=int,
        nargs=2,
        default=usual.between,
        metavar=("FROM", "TO"),
        help="hours of the day at which deadlines fall",
    )
    group.add_argument("--grace", default=usual.grace, help="extra hours for seats without orders", **hours)
    group.add_argument(
        "--extensions", type=int, default=usual.extensions, metavar="N", help="extensions each seat may claim"
    )
    group.add_argument("--bank", default=usual.bank, help="time bank of each seat for late orders", **hours)
    group.add_argument(
        "--disputes",
        choices=("go on", "wait"),
        default=usual.disputes,
        help="what the match does while a dispute is open",
    )
    group.add_argument(
        "--missed", choices=POLICIES, default=usual.missed, help="what happens to a seat that sends no orders"
    )
    group.add_argument(
        "--patience",
        type=int,
        default=usual.patience,
        metavar="N",
        help="missed deadlines in a row before a substitute takes over or the seat forfeits",
    )


def timing_options(args: argparse.Namespace) -> dict[str, Any]:
    """The options about deadlines, as `read_timing` takes them."""
    return {
        "by_kind": {kind: whole_number(hours) for kind, hours in pairs("--hours-for", "KIND=HOURS", args.hours_for)},
        "zone": args.zone,
        "weekdays": args.weekdays.lower().replace(",", " ").split(),
        "between": list(args.between),
        **{name: getattr(args, name) for name in ("grace", "extensions", "bank", "missed", "patience", "disputes")},
    }


def whole_number(text: str) -> int:
    if not text.isdecimal():
        raise Unreadable(text, [Objection("pbem/new", say("this is not a number of hours"))], ["KIND=24"])
    return int(text)


def new(args: argparse.Namespace) -> int:
    with the_server(args) as server:
        options = dict(pairs("--option", "NAME=VALUE", args.option))
        seats = pairs("--seat", "SEAT=WHO", args.seat)
        check_seats(server, args.title, args.scenario, options, [seat for seat, _ in seats])
        match = creating.new_match(
            server,
            args.title,
            args.scenario,
            name=args.name,
            cadence=args.cadence,
            timing=timing_options(args),
            master=accounts.open_account(server, args.master).id if args.master else "",
            options=options,
            reactions=args.reactions,
            handicap=args.handicap,
            beacon=args.beacon,
            sealed=args.sealed,
        )
        for seat, who in seats:
            offer(server, match, seat, who, args.title, args.seated)
        print(match)
        describe(server, views.status(server, match))
    return 0


def check_seats(server: Server, title: str, scenario: str, options: dict[str, str], wanted: list[str]) -> None:
    """Refuse seats that do not exist, before a match without players is created."""
    if title not in server.titles or scenario not in server.titles[title].scenarios:
        return  # `new_match` explains the problem
    rules = server.titles[title].rules(server.titles[title].freeze(scenario, options))
    if unknown := [seat for seat in wanted if seat not in rules.seats]:
        raise Illegal(unknown[0], [Objection("pbem/seat", say("no seat has that name"))], rules.seats)


def pairs(option: str, form: str, texts: list[str]) -> list[tuple[str, str]]:
    """Split the values of a repeatable option at the equals sign; refuse one without it."""
    for text in texts:
        if "=" not in text:
            problem = say("{option} takes a value of the form {form}", option=option, form=form)
            raise Unreadable(text, [Objection("pbem/new", problem)], [form])
    return [(name, value) for name, _, value in (text.partition("=") for text in texts)]


def offer(server: Server, match: str, seat: str, who: str, title: str, seated: bool) -> None:
    """Seat a bot, seat an account, or invite an address."""
    if who == "bot" or who.startswith(BOT):
        take_seat(server, match, seat, accounts.open_bot(server, title if who == "bot" else who).id)
    elif seated:
        take_seat(server, match, seat, accounts.open_account(server, who).id)
    else:
        invitations.invite(server, match, seat, who)


# show --------------------------------------------------------------------------------------------------------


def add_show(subparsers: Subparsers) -> None:
    examples = ["pbem show", "pbem show Training", "pbem show Training --viewer german --exchange 1"]
    parser = add_command(subparsers, "show", show, "list the matches, or show one as a viewer may see it", examples)
    parser.add_argument("match", nargs="?", help="id, beginning of the id, or name; without it: all matches")
    parser.add_argument("--viewer", default=PUBLIC, help="a seat, public or master (default: public)")
    parser.add_argument("--exchange", type=int, help="exchange whose report to show (default: the last)")
    add_data(parser)


def show(args: argparse.Namespace) -> int:
    with the_server(args) as server:
        if args.match is None:
            for match in all_matches(server):
                print(f"{match}  {one_line(views.status(server, match))}")
            return 0
        match = find_match(server, args.match)
        status = views.status(server, match, args.viewer)
        describe(server, status)
        exchange = status.last if args.exchange is None else args.exchange
        if exchange:
            report = views.numbered_report(server, match, args.viewer, exchange)
            print(f"\nTurn {report.turn}, exchange {report.exchange}, as {args.viewer} may see it:")
            for told in report.told:
                print(f"{'  ' * (told.depth + 1)}{told.place} {told.text}")
    return 0


def one_line(status: Status) -> str:
    return f"{status.name}: {status.title} {status.scenario}, {standing(status)}"


def standing(status: Status) -> str:
    if status.state == "over" and status.outcome is not None:
        return f"over, {status.outcome['winner'] or 'nobody'} won: {status.outcome['why']}"
    if status.state == "seats":
        return f"free seats: {', '.join(seat for seat, name in status.seats.items() if not name)}"
    waiting = ", ".join(status.waiting_for) or "nobody"
    return f"{status.state}, turn {status.turn}, exchange {status.exchange}, waiting for {waiting}"


def describe(server: Server, status: Status) -> None:
    print(one_line(status))
    for seat, name in status.seats.items():
        print(f"  {seat}: {name or 'free'}")
    if status.deadline is not None:
        print(f"  until {in_words(status.deadline.at)} ({status.deadline.why})")


# orders ------------------------------------------------------------------------------------------------------


def add_orders(subparsers: Subparsers) -> None:
    examples = [
        "pbem orders Training german --form",
        "pbem orders Training german --form > orders.txt",
        "pbem orders Training german orders.txt",
        "pbem orders Training german orders.txt --final",
    ]
    parser = add_command(
        subparsers, "orders", orders, "show a seat's order form, or seal orders for the seat", examples
    )
    parser.add_argument("match", help="id, beginning of the id, or name")
    parser.add_argument("seat", help="a seat of the match")
    parser.add_argument("file", nargs="?", default="-", help="the orders (default: standard input)")
    parser.add_argument("--form", action="store_true", help="show the form instead")
    parser.add_argument("--final", action="store_true", help="mark the orders as final")
    add_data(parser)


def orders(args: argparse.Namespace) -> int:
    with the_server(args) as server:
        match = find_match(server, args.match)
        form = views.open_form(server, match, args.seat)
        if args.form:
            print(form.text)
            return 0
        text = sys.stdin.read() if args.file == "-" else Path(args.file).read_text()
        sitting = occupant(server, match, args.seat)
        if sitting is None:
            raise Illegal(args.seat, [Objection("pbem/seat", say("that seat is empty"))])
        receipt = submitting.submit(
            server, match, args.seat, form.exchange, text, by=sitting.id, final=args.final, source="cli"
        )
        print(f"sealed under {receipt.commitment}")
        for line in views.reading(server, match, receipt).ahead:
            print(f"  {line}")
        print(one_line(views.status(server, match)))
    return 0

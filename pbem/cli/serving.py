"""serve: the site, the mail listeners and the tick in one process."""

from __future__ import annotations

import argparse
import gc
import ipaddress
import logging
import signal
from collections.abc import Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import msgspec

from pbem.cli.common import DATABASE, Subparsers, add_command, add_data, database_of, folder_of, progress, titles_of
from pbem.cli.operating.logs import add_log, start_log
from pbem.cli.operating.working import note_site, send_shared, with_site
from pbem.engine.rules.refusals import Illegal, Objection
from pbem.engine.rules.title import Title, first_game
from pbem.engine.text.messages import say
from pbem.mail.inbound.listeners import Listeners
from pbem.mail.outbound.transports import transport_of
from pbem.mail.settings import Settings, read_settings
from pbem.matches import summaries
from pbem.matches.accounts import accounts
from pbem.matches.clock import tick
from pbem.matches.exchange import creating
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.replay import record_of
from pbem.matches.installation import open_server
from pbem.matches.server import Server
from pbem.matches.struct_types import prepare_types
from pbem.matches.workers import claims
from pbem.schedule import EVERY, EVERY_IN_DEMO, Supervisor
from pbem.web import create_app
from pbem.web.http.connections import serve_site

THREADS = 6


def add(subparsers: Subparsers) -> None:
    examples = [
        "pbem serve --demo",
        "pbem serve --data var --host 127.0.0.1 --port 8000 --smtp-port 8025",
        "pbem serve --database postgresql://localhost/pbem",
    ]
    parser = add_command(
        subparsers, "serve", serve, "run the website, the mail listeners and the scheduler", examples
    )
    parser.add_argument("--demo", action="store_true", help="offer a game against a bot; send no email")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: this machine only)")
    parser.add_argument("--port", type=int, default=8000, help="port of the website (0: any free port)")
    parser.add_argument("--proxies", type=int, default=0, help="number of trusted reverse proxies (0: none)")
    port = "port of the SMTP listener (0: none); LMTP and IMAP are set up in settings.toml"
    parser.add_argument("--smtp-port", type=int, default=8025, help=port)
    workers = "processes that play turns (default: one; 0: turns are played in the site's own process)"
    parser.add_argument("--workers", type=int, default=1, metavar="N", help=workers)
    add_log(parser)
    add_data(parser)


class Station:
    """A server with its site, its mail listeners and its clock; `run` returns when it is told to stop."""

    def __init__(self, args: argparse.Namespace, titles: Mapping[str, Title]) -> None:
        folder: Path = folder_of(args)
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.server = open_server(folder / DATABASE, titles, database=database_of(args))
        prepare_types()
        tick.recover(self.server, at_once=False)
        app = create_app(self.server, demo=args.demo, proxies=args.proxies)
        gc.freeze()  # everything loaded so far stays: garbage collection need not examine it again
        largest = app.config["MAX_CONTENT_LENGTH"]
        listening = {"host": args.host, "port": args.port, "threads": THREADS}
        self.waitress: Any = serve_site(app, largest=largest, proxies=args.proxies, **listening)
        self.url = f"http://{args.host}:{self.waitress.effective_port}"
        note_site(self.server, self.url)
        self.settings = settings_for(read_settings(folder), args.demo, self.server)
        transport = transport_of(self.settings, folder)
        where = {"host": args.host, "smtp_port": args.smtp_port}
        self.listeners = Listeners(self.server, self.settings, on_mail=lambda: self.supervisor.nudge(), **where)
        holder = claims.holder()
        self.supervisor = Supervisor(
            self.server,
            look=self.listeners.look,
            drain=self.listeners.drain,
            send=lambda now: send_shared(self.server, self.settings, transport, now, holder),
            every=EVERY_IN_DEMO if args.demo else EVERY,
            workers=args.workers,
        )
        self.server.later = self.supervisor.resolve_later
        self.server.mail_queued = partial(self.supervisor.nudge, "send")

    def run(self) -> None:
        try:
            self.supervisor.start()
            self.listeners.start()
            self.waitress.run()
        finally:
            self.stop()

    def stop(self) -> None:
        """Stop incoming mail first, then the ticks, and the database last. If a step fails, the others still run."""
        steps = (
            self.listeners.stop,
            self.supervisor.stop,
            self.listeners.close,
            self.waitress.close,
            self.server.close,
        )
        with ExitStack() as stopping:
            for step in reversed(steps):
                stopping.callback(step)


def settings_for(said: Settings, demo: bool, server: Server) -> Settings:
    """Point links at this server unless the settings say otherwise; a demonstration uses no real mail."""
    said = with_site(said, server)
    return msgspec.structs.replace(said, smtp=None, lmtp=None, imap=None) if demo else said


def check_demo(args: argparse.Namespace) -> None:
    """Refuse a demonstration on the network, as it shows everybody's mail and lets everybody operate the server."""
    if args.demo and args.host != "localhost" and not is_loopback(args.host):
        why = say(
            "a demo shows every email and every operator button to all its visitors, so it cannot be opened "
            "to the network"
        )
        raise Illegal("--host", [Objection("pbem/demo", why)], ["127.0.0.1, or leave out --demo"])


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def serve(args: argparse.Namespace) -> int:
    check_demo(args)
    start_log(args.log)
    for noisy in ("apscheduler", "mail.log"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    station = Station(args, titles_of(args))
    signal.signal(signal.SIGTERM, stop_quietly)
    print(welcome(station, args.demo), flush=True)
    try:
        station.run()
    except KeyboardInterrupt:
        progress("stopped")
    return 0


def stop_quietly(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def welcome(station: Station, demo: bool) -> str:
    ways = station.listeners.in_words()
    door = f"\nThe server accepts mail to {station.settings.address()} by {ways}." if ways else ""
    if not demo:
        return f"The server is running at {station.url}{door}"
    match = waiting_match(station.server)
    offered = f"\nA game waits for you: {station.url}/matches/{match}" if match else ""
    return (
        f"Welcome. Open {station.url} in a browser and take a seat; a bot plays the other side.{offered}{door}\n"
        f"No email leaves this machine; you can read it at {station.url}/outbox\n"
        "Press Ctrl-C to stop; everything is kept in the data folder."
    )


def waiting_match(server: Server) -> str | None:
    """A match with a free seat against a bot, which is created if there is none."""
    if (found := summaries.with_a_free_seat(server)) is not None:
        return found
    title, scenario = first_game(server.titles)
    if not title:
        return None
    match = creating.new_match(server, title, scenario, name="A first game against the bot")
    for seat in record_of(server, match).seats[1:]:
        take_seat(server, match, seat, accounts.open_bot(server, title).id)
    return match

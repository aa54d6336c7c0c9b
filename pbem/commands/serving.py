"""serve: the site, the SMTP door and the tick in one process."""

from __future__ import annotations

import argparse
import logging
import signal
from collections.abc import Mapping
from pathlib import Path
from types import FrameType
from typing import Any

import msgspec
import waitress  # type: ignore[import-untyped]

from pbem.commands.common import DATABASE, Subparsers, add_command, add_data, folder_of, progress, titles_of
from pbem.engine.title import Title
from pbem.mail import inbound, outbound
from pbem.mail.doors import SmtpDoor
from pbem.mail.settings import Settings, read_settings
from pbem.mail.transports import transport_of
from pbem.matches import accounts, acts, desk
from pbem.matches.house import House
from pbem.schedule import EVERY, EVERY_IN_DEMO, Supervisor
from pbem.web import create_app

THREADS = 6
FIRST_GAME = ("panzer", "duel")
"""What a demonstration offers, if this house has it."""


def add(subparsers: Subparsers) -> None:
    examples = ["pbem serve --demo", "pbem serve --data var --host 127.0.0.1 --port 8000 --smtp-port 8025"]
    parser = add_command(subparsers, "serve", serve, "run the site, the SMTP door and the clock", examples)
    parser.add_argument("--demo", action="store_true", help="a game against a bot waits; no mail is sent out")
    parser.add_argument("--host", default="127.0.0.1", help="where to listen (default: this machine alone)")
    parser.add_argument("--port", type=int, default=8000, help="of the site (0: any free one)")
    parser.add_argument("--smtp-port", type=int, default=8025, help="of the SMTP door (0: no door)")
    add_data(parser)


class Station:
    """A house with its site, its door and its clock; `run` returns when it is told to stop."""

    def __init__(self, args: argparse.Namespace, titles: Mapping[str, Title]) -> None:
        folder: Path = folder_of(args)
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.house = desk.open_house(folder / DATABASE, titles)
        desk.recover(self.house)
        app = create_app(self.house, demo=args.demo)
        self.server: Any = waitress.create_server(app, host=args.host, port=args.port, threads=THREADS)
        self.url = f"http://{args.host}:{self.server.effective_port}"
        self.settings = settings_for(read_settings(folder), args.demo, self.url)
        transport = transport_of(self.settings, folder)
        self.supervisor = Supervisor(
            self.house,
            drain=lambda now: ignore(inbound.drain(self.house, self.settings, now)),
            send=lambda now: ignore(outbound.send_due(self.house, self.settings, transport, now)),
            every=EVERY_IN_DEMO if args.demo else EVERY,
        )
        self.door: SmtpDoor | None = None
        if args.smtp_port:
            nudge = self.supervisor.nudge
            self.door = SmtpDoor(self.house, self.settings, host=args.host, port=args.smtp_port, on_mail=nudge)

    def run(self) -> None:
        try:
            self.supervisor.start()
            if self.door is not None:
                self.door.start()
            self.server.run()
        finally:
            self.stop()

    def stop(self) -> None:
        """First no new mail, then no tick, then no database."""
        if self.door is not None:
            self.door.stop()
        self.supervisor.stop()
        self.server.close()
        self.house.close()


def ignore(count: int) -> None:
    """The tick does not care how many."""


def settings_for(said: Settings, demo: bool, url: str) -> Settings:
    """Links lead to this server unless the settings say otherwise; a demonstration never sends mail out."""
    if said.base_url == Settings().base_url:
        said = msgspec.structs.replace(said, base_url=url)
    return msgspec.structs.replace(said, smtp=None) if demo else said


def serve(args: argparse.Namespace) -> int:
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s: %(message)s")
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
    door = "" if station.door is None else f"\nMail to {station.settings.address()} comes in over SMTP."
    if not demo:
        return f"The house is open at {station.url}{door}"
    match = waiting_match(station.house)
    offered = f"\nA game waits for you: {station.url}/matches/{match}" if match else ""
    return (
        f"Welcome. Open {station.url} in a browser and take a seat; a bot plays the other side.{offered}{door}\n"
        f"Mails that the server writes are not sent: read them at {station.url}/outbox\n"
        "Stop with Ctrl-C; everything is kept in the data folder."
    )


def waiting_match(house: House) -> str | None:
    """A match with a free seat against a bot; created if there is none."""
    for match in acts.matches(house):
        if desk.status(house, match).state == "seats":
            return match
    title, scenario = FIRST_GAME
    if title not in house.titles or scenario not in house.titles[title].scenarios:
        title = next(iter(house.titles), "")
        scenario = house.titles[title].scenarios[0] if title else ""
    if not title:
        return None
    match = desk.new_match(house, title, scenario, name="A first game against the bot")
    for seat in acts.read(house, match).seats[1:]:
        desk.take_seat(house, match, seat, accounts.open_bot(house, title).id)
    return match

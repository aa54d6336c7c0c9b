"""work: one more process for a server on PostgreSQL, on this machine or another.

    resolver    plays the turns of matches whose exchange has closed
    mailer      sends queued email

`pbem serve` runs the site, the mail listeners and the clock, and also plays turns and sends email; if there
are several, one of them runs the clock. A worker stops if the server runs rules other than its own: releases must
not mix.
"""

from __future__ import annotations

import argparse
import logging
import signal
import threading
from collections.abc import Callable, Container
from pathlib import Path

import msgspec

from eventstore import StoreTrouble, upsert
from pbem.cli.common import DATABASE, Subparsers, add_command, add_data, database_of, folder_of, progress, titles_of
from pbem.cli.operating.logs import add_log, start_log
from pbem.engine.rules.refusals import Illegal, Objection
from pbem.engine.text.messages import say
from pbem.mail.outbound import compose
from pbem.mail.outbound.transports import Transport, transport_of
from pbem.mail.settings import Settings, read_settings
from pbem.matches.clock import tick
from pbem.matches.clock.deadlines import now
from pbem.matches.installation import open_server
from pbem.matches.post.notifications import catch_up
from pbem.matches.server import Server
from pbem.matches.struct_types import prepare_types
from pbem.matches.workers import ADVANCE, claims, deaths
from pbem.matches.workers.child import fingerprints

log = logging.getLogger("pbem.work")

NEXT_TURN = (
    "SELECT match, touched FROM desk WHERE touched > 0 AND unchecked = 0 AND NOT EXISTS "
    "(SELECT 1 FROM claims WHERE claims.queue = ? AND claims.item = desk.match AND claims.until > ?) ORDER BY touched"
)
"""Selects the match that has waited longest and that no other worker has claimed."""

MOST = 20
PAUSE = 1.0
"""Seconds between two checks for work."""


def add(subparsers: Subparsers) -> None:
    examples = ["pbem work --role resolver --rounds 0", "pbem work --role mailer --rounds 0"]
    help = "add a process that plays turns or sends mail; with PostgreSQL, on any machine"
    parser = add_command(subparsers, "work", run_work, help, examples)
    parser.add_argument("--role", choices=sorted(ROUNDS), required=True, help="send email, or play turns")
    parser.add_argument("--name", default="", help="name of this worker on the operator's page (default: random)")
    parser.add_argument("--rounds", type=int, help="stop after this many rounds (default: never)")
    add_log(parser)
    add_data(parser)


class Worker:
    """One process with one role."""

    def __init__(self, server: Server, folder: Path, role: str, name: str = "") -> None:
        self.server, self.folder, self.role = server, folder, role
        self.holder = claims.holder()
        self.name = name or self.holder
        self.stopped = threading.Event()
        self._epoch = claims.enlist(server, self.name, role)

    def round(self) -> int:
        """Look for work once and do it; return how much there was."""
        if not claims.beat(self.server, self.name, self._epoch):
            raise ValueError(f"another worker is called {self.name} now; this one stops")
        refuse_other_rules(self.server)
        return ROUNDS[self.role](self)

    def run(self, rounds: int | None = None) -> None:
        threading.Thread(target=self._beat, name="pbem-beat", daemon=True).start()
        while not self.stopped.is_set() and rounds != 0:
            rounds = None if rounds is None else rounds - 1
            try:
                done = self.round()
            except (StoreTrouble, OSError) as problem:
                log.error("the disk or the database failed (%s); the work will be tried again", problem)
                done = 0
            if not done:
                self.stopped.wait(PAUSE)
        self.stopped.set()
        claims.retire(self.server, self.name, self._epoch)

    def _beat(self) -> None:
        """Send heartbeats, so that a long turn does not look like a dead worker."""
        while not self.stopped.wait(claims.BEAT):
            try:
                claims.beat(self.server, self.name, self._epoch)
            except (StoreTrouble, ValueError):
                continue


def refuse_other_rules(server: Server) -> None:
    """Refuse to play turns with rules that differ from those of the server's release."""
    rows = server.database.execute("SELECT name, value FROM house WHERE name LIKE 'fingerprint/%'").fetchall()
    theirs = {name.removeprefix("fingerprint/"): value for name, value in rows}
    other = [name for name, value in fingerprints(server.titles).items() if theirs.get(name, value) != value]
    if other:
        raise ValueError(
            f"the server runs different rules for {', '.join(sorted(other))}: install the same release here"
        )


def resolve(worker: Worker) -> int:
    """Play the turns of matches that no other process has claimed."""
    server, done = worker.server, 0
    catch_up(server)
    while done < MOST and not worker.stopped.is_set():
        picked = claims.pick(server, ADVANCE, NEXT_TURN, (), worker.holder)
        if picked is None:
            break
        match, touched = picked
        with claims.hold_claim(server, ADVANCE, match, worker.holder):
            if claims.dead(server, ADVANCE, match) >= deaths.MOST_DEATHS:
                deaths.give_up(server, ADVANCE, match, "died")
            else:
                tick.advance_safely(server, match)
            query = "UPDATE desk SET touched = 0 WHERE match = ? AND touched = ?"
            server.database.execute(query, (match, touched))
        done += 1
    return done


def send(worker: Worker) -> int:
    """Send queued email that no other process has claimed."""
    settings = with_site(read_settings(worker.folder), worker.server)
    transport = transport_of(settings, worker.folder)
    return send_shared(worker.server, settings, transport, now(worker.server), worker.holder)


SITE = "site"
"""The row with the address at which the site last started."""


def note_site(server: Server, url: str) -> None:
    """Remember where the site is, for mailers in other processes."""
    server.database.execute(upsert("house", "name", "value"), (SITE, url))


def with_site(settings: Settings, server: Server) -> Settings:
    """Let links in emails lead to `base_url`, or if that is not set, to the address where the site last started."""
    row = server.database.execute("SELECT value FROM house WHERE name = ?", (SITE,)).fetchone()
    if row is None or settings.base_url != Settings().base_url:
        return settings
    return msgspec.structs.replace(settings, base_url=str(row[0]))


def send_shared(server: Server, settings: Settings, transport: Transport, at: int, holder: str) -> int:
    """Send queued email while other processes send theirs."""
    try:
        return compose.send_due(server, settings, transport, at, sharing(server, holder))
    finally:
        if server.store.address:
            claims.give_all_back(server, "mail", holder)


def sharing(server: Server, holder: str) -> Callable[[list[str]], Container[str]]:
    """Return the filter for emails that this process may send: all on SQLite, claimed ones on PostgreSQL."""
    if not server.store.address:
        return lambda ids: ids
    return lambda ids: claims.take_some(server, "mail", ids, holder)


ROUNDS: dict[str, Callable[[Worker], int]] = {"resolver": resolve, "mailer": send}


def run_work(args: argparse.Namespace) -> int:
    address = database_of(args)
    if not address and args.rounds != 0:
        why = say("a server on SQLite does all its own work; separate workers need PostgreSQL")
        raise Illegal("work", [Objection("pbem/work", why)], ["pbem move FOLDER --to postgresql://…"])
    start_log(args.log)
    folder = folder_of(args)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    server = open_server(folder / DATABASE, titles_of(args), database=address)
    prepare_types()
    worker = Worker(server, folder, args.role, args.name)
    signal.signal(signal.SIGTERM, lambda number, frame: worker.stopped.set())
    try:
        progress(f"{worker.name} works as {args.role}")
        worker.run(args.rounds)
    except KeyboardInterrupt:
        progress("stopped")
    finally:
        server.close()
    return 0

"""A server's daily work, each task relative to the least it could cost: replay, orders, mail, lobby, start.

    replay        a whole match from its first event, relative to reading, verifying and decoding its data
    reading       one order of the form, read and checked
    composing     one email with a report or a form
    burst         emails with orders that arrive at once, each received, read and answered
    lobby         the list of matches, relative to a tenth of them
    start         opening the database and finding interrupted work

Contestants take turns within each round and a ratio is taken within a round; a row gives the median and the spread.
Times are processor times. The disk's share is shown separately, as the wall time of one durable commit.
"""

from __future__ import annotations

import gc
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from email.message import EmailMessage
from functools import partial
from pathlib import Path
from statistics import fmean, median
from time import perf_counter, process_time
from typing import Any

import msgspec

from eventstore import upsert, verify_parts
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.title import Title
from pbem.mail.inbound.handle import drain
from pbem.mail.inbound.listeners import deliver
from pbem.mail.outbound.compose import send_due
from pbem.mail.settings import Settings
from pbem.matches import summaries, views
from pbem.matches.accounts import accounts, sessions
from pbem.matches.clock import tick
from pbem.matches.history.replay import load, record_of, stream_of
from pbem.matches.installation import open_server
from pbem.matches.post import reply_tokens
from pbem.matches.server import Server
from pbem.tools.bench.site import a_caller, a_match, answer_as_the_forms_stand
from pbem.web import create_app

SETTINGS = Settings(domain="pbem.test")
TURNS = 3
BURST = 20
LISTED = 2_000
"""The number of matches in the long lobby."""

Contestant = Callable[[], object]


def measure(titles: Mapping[str, Title], title: str, scenario: str, rounds: int = 5) -> dict[str, str]:
    """Measure every row for one title and scenario."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pbem.db"
        server = open_server(path, titles)
        match, player = a_match(server, title, scenario)
        composing = [mail_cost(server)]
        for _ in range(TURNS):
            answer_as_the_forms_stand(server, match)
            tick.tick(server, server.store.clock())
            composing.append(mail_cost(server))
        found = {
            "replay_against_floor": ratio(lambda: replay_whole(server, match), lambda: floor(server, match), rounds),
            "order_read_ms": milliseconds(order_reading(server, match), rounds),
            "mail_composed_ms": spread([1000 * cost for cost in composing]),
            "mail_in_a_burst_ms": spread([burst(server, match, number) for number in range(rounds)]),
            "lobby_against_a_tenth": lobby(server, player, rounds),
            "commit_wall_ms": milliseconds(lambda: commit(server), rounds, clock=perf_counter),
        }
        server.close()
        found["start_ms"] = milliseconds(lambda: start_and_stop(path, titles), rounds)
    return found


# Taking turns ------------------------------------------------------------------------------------------------


def once(call: Contestant, clock: Callable[[], float] = process_time) -> float:
    begun = clock()
    call()
    return clock() - begun


def ratio(ours: Contestant, theirs: Contestant, rounds: int) -> str:
    """Our cost as a multiple of theirs, taken within each round."""
    with loaded_left_out():
        return spread([mean(ours) / max(mean(theirs), 1e-6) for _ in range(rounds)])


SHORT = 0.02
"""Seconds of processor time; a contestant that takes less is called repeatedly for that long."""


def mean(call: Contestant) -> float:
    """The mean processor time of a call, measured after the garbage of earlier calls has been collected."""
    gc.collect()
    times = [once(call)]
    while sum(times) < SHORT:
        times.append(once(call))
    return fmean(times)


@contextmanager
def loaded_left_out() -> Iterator[None]:
    """Leave objects already loaded out of garbage collection.

    Collecting them all takes longer than a short contestant, and would affect one of the two by chance. If the
    process had already left objects out, all of them stay out: Python cannot put back only some.
    """
    had_frozen = gc.get_freeze_count() > 0
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        if not had_frozen:
            gc.unfreeze()


def milliseconds(call: Contestant, rounds: int, clock: Callable[[], float] = process_time) -> str:
    return spread([1000 * once(call, clock) for _ in range(rounds)])


def spread(values: list[float]) -> str:
    """The median and the range of these values."""
    return f"{median(values):.2f} ({min(values):.2f} to {max(values):.2f})"


# The rows ----------------------------------------------------------------------------------------------------


def replay_whole(server: Server, match: str) -> None:
    server.forget()
    load(server, match, snapshots=False)


def floor(server: Server, match: str) -> None:
    """Do the minimum work of any replay: read events, verify their chain, open, verify and decode their parts."""
    server.store.verify(stream_of(match))
    events = server.store.read(stream_of(match))
    parts = server.store.parts(ref.commitment for event in events for ref in event.parts)
    verify_parts(events, parts)
    for part in parts.values():
        msgspec.json.decode(part.content)


def order_reading(server: Server, match: str) -> Contestant:
    """Return a call that reads the first line of the form that can be sent on its own."""
    position = load(server, match)
    ask = position.run.asks[0]
    view, rules = position.run.view(ask.seat), position.rules
    for line in rules.form(view, ask).splitlines():
        with suppress(Refusal):
            if line.split("#")[0].strip():
                rules.read(view, ask, line)
                return partial(rules.read, view, ask, line)
    return partial(rules.form, view, ask)


class Unsent:
    """A transport that sends nothing."""

    def send(self, message: EmailMessage) -> None:
        message.as_bytes()


def mail_cost(server: Server) -> float:
    """Processor time for one pending email."""
    sent = 0
    begun = process_time()
    while left := send_due(server, SETTINGS, Unsent(), server.store.clock()):
        sent += left
    return (process_time() - begun) / max(1, sent)


def burst(server: Server, match: str, number: int) -> float:
    """Milliseconds of processor time for each of many emails with orders that arrive at once."""
    record = record_of(server, match)
    seat = views.status(server, match).asked[0]
    taken = record.occupants[seat]
    place = {"match": match, "seat": seat, "occupancy": taken["occupancy"]}
    to = SETTINGS.address(reply_tokens.make(server, use="orders", number=record.open_exchange, **place))
    [sender] = accounts.account(server, taken["account"]).addresses
    text = views.open_form(server, match, seat).text
    begun = process_time()
    for one in range(BURST):
        head = f"From: {sender}\r\nTo: {to}\r\nSubject: Re: x\r\nMessage-ID: <{number}.{one}@example.org>\r\n\r\n"
        deliver(server, f"{head}{text}".encode(), refuse=False, sender=sender, recipients=[to])
    drain(server, SETTINGS, server.store.clock())
    while send_due(server, SETTINGS, Unsent(), server.store.clock()):
        pass
    return 1000 * (process_time() - begun) / BURST


def lobby(server: Server, player: str, rounds: int) -> str:
    """The lobby with many matches relative to the lobby with a tenth of them; 1 means no growth."""
    while summaries.catch_up(server):
        pass
    call = a_caller(create_app(server), sessions.start(server, player))
    few = lobby_costs(server, call, LISTED // 10, rounds)
    many = lobby_costs(server, call, LISTED, rounds)
    return spread([one / other for one, other in zip(many, few, strict=True)])


def lobby_costs(server: Server, call: Callable[[str], bytes], count: int, rounds: int) -> list[float]:
    """The cost of the lobby with this many rows, which are copies of one."""
    with server.store.transaction("bench") as transaction:
        database = transaction.database
        row = list(database.execute("SELECT * FROM match_summary WHERE match NOT LIKE 'copy%'").fetchone())
        database.execute("DELETE FROM match_summary WHERE match LIKE 'copy%'")
        insert = f"INSERT INTO match_summary VALUES ({', '.join('?' * len(row))})"
        for number in range(count):
            database.execute(insert, (f"copy{number}", *row[1:]))
    call("/?warm=1")
    return [once(partial(call, f"/?n={count}.{number}")) for number in range(rounds)]


def commit(server: Server) -> None:
    with server.store.transaction("bench") as transaction:
        transaction.database.execute(upsert("house", "name", "value"), ("bench", ""))


def start_and_stop(path: Path, titles: Mapping[str, Title]) -> None:
    server: Any = open_server(path, titles)
    tick.recover(server, at_once=False)
    server.close()

"""A deadline peak on a real server: orders by web, mail and API at a steady rate, on SQLite and on PostgreSQL.

Each contestant is a server in its own process with a copy of the same running matches. Players open their match page
and seal orders there, send them by SMTP, or call the API; once both seats have sealed, the turn is played and its
report is sent. Afterwards everything that was acknowledged must be in the log. Times are wall times of the clients.
The first orders warm the server up and are not measured: it compiles its pages and reads its rules with them.
"""

from __future__ import annotations

import http.client
import itertools
import json
import os
import random
import re
import shutil
import smtplib
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import msgspec
from flask import Flask

from eventstore import EventStore
from eventstore.moving import copy
from pbem.engine.play.bots import own_bot
from pbem.engine.rules.title import Title
from pbem.mail.outbound.seats import orders_token
from pbem.matches.accounts import accounts, api_tokens, sessions
from pbem.matches.audit import search_index
from pbem.matches.clock import tick
from pbem.matches.events.exchanges import OrderSealed
from pbem.matches.events.reading import each
from pbem.matches.exchange import creating
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.replay import load, record_of
from pbem.matches.installation import open_server
from pbem.matches.post import inbox
from pbem.matches.server import Server, fingerprint
from pbem.tools.simulation.players import in_lines
from pbem.web import create_app

WAYS = ("web", "mail", "api")
CLIENTS = 12
PATIENCE = 600
"""The number of seconds the server has to handle everything it has accepted."""

WARM_UP = 12
"""The number of matches whose orders come before the measured ones."""

SETTINGS = """[mail]
domain = "pbem.test"
pictures = false
hourly = 1000000
"""
DATABASE = "pbem.db"
COOKIE = "__Host-pbem"
Progress = Callable[[str], None]


class Order(msgspec.Struct, frozen=True):
    """One player's orders, and how they are sent."""

    match: str
    seat: str
    exchange: int
    way: str
    text: str
    key: str
    """The cookie, the reply address or the token used to send them."""

    sender: str
    warms_up: bool = False


class Sent(msgspec.Struct, frozen=True):
    """The result of sending an order: the duration of each step, and the problem if it failed."""

    order: Order
    times: dict[str, float]
    problem: str = ""


class Contestant(msgspec.Struct):
    """A server under load, and its measurements."""

    name: str
    sent: list[Sent] = []
    memory: list[int] = []
    lost: list[str] = []
    turns: int = 0
    mails: int = 0
    seconds: float = 0.0
    quiet: float = 0.0
    """Seconds from the last order until everything was handled and every email was sent."""

    processor: float = 0.0
    """Seconds of processor time of the server and its workers, from the first order until everything was handled."""

    database: float = 0.0
    """Seconds of processor time of the database server, if it runs on this machine."""

    clients: float = 0.0
    """Seconds of processor time of the clients that send the orders."""


def bench_load(
    titles: Mapping[str, Title],
    title: str,
    scenario: str,
    progress: Progress,
    *,
    matches: int,
    rate: int,
    minutes: float,
    database: str = "",
    kept: Path | None = None,
) -> dict[str, Any]:
    """Measure a server on SQLite, and one on an empty PostgreSQL database if its address is given.

    The folder `kept` stores the matches before the first order, for the next run.
    """
    found = []
    with tempfile.TemporaryDirectory(prefix="pbem-load-") as scratch:
        rules = fingerprint(type(titles[title]).__module__)[:8]  # under other rules every match is replayed first
        state = (kept or Path(scratch)) / f"{title}-{scenario}-{matches}-{rules}"
        orders = prepare(state, titles, title, scenario, matches, progress)
        number = len([order for order in orders if order.warms_up]) + round(rate * minutes)
        for address in ("", *([database] if database else [])):
            name = "postgresql" if address else "sqlite"
            folder = Path(scratch) / name
            shutil.copytree(state, folder)
            if address:
                carry(folder / DATABASE, address)
            progress(f"{name}: {rate} orders a minute")
            found.append(run(name, folder, orders[:number], rate, address))
            progress(f"{name}: looking for what was acknowledged")
            check(found[-1], folder, titles, address)
    return report(found, matches, rate, minutes)


# Preparing ---------------------------------------------------------------------------------------------------


def prepare(
    state: Path, titles: Mapping[str, Title], title: str, scenario: str, matches: int, progress: Progress
) -> list[Order]:
    """Begin the matches in this data folder, unless they exist; return orders for all their seats."""
    file = state / "orders.json"
    if file.exists():
        return msgspec.json.decode(file.read_bytes(), type=list[Order])
    shutil.rmtree(state, ignore_errors=True)
    state.mkdir(parents=True, mode=0o700)
    (state / "settings.toml").write_text(SETTINGS)
    with closing(open_server(state / DATABASE, titles)) as server:
        tick.recover(server)
        begun = []
        for index in range(WARM_UP + matches):
            begun.append(begin(server, title, scenario, index))
            if index % 500 == 0:
                progress(f"{index} of {matches} matches")
        tick.work_round(server)
        while search_index.catch_up(server):
            pass
        server.database.execute("UPDATE outbox SET next_at = NULL")  # emails of the set-up are not measured
        orders = orders_of(server, begun)
    file.write_bytes(msgspec.json.encode(orders))
    return orders


def carry(path: Path, address: str) -> None:
    """Copy the matches into an empty PostgreSQL database."""
    with (
        closing(EventStore(path)) as source,
        closing(EventStore(path, database=address, server_id=source.server_id)) as target,
    ):
        copy(source.database, target.database)
        target.database.execute("ANALYZE")  # as an operator does after a move
    for file in path.parent.glob(f"{path.name}*"):
        file.unlink()


def orders_of(server: Server, matches: list[str]) -> list[Order]:
    """Write the first orders, match by match. All matches begin in the same position, so they ask the same seats."""
    app, first = create_app(server), matches[0]
    texts = {seat: usual_orders(server, first, seat) for seat in load(server, first).asked}
    ways = itertools.cycle(WAYS)
    return [
        order_for(server, app, match, seat, next(ways), texts[seat], warms_up=index < WARM_UP)
        for index, match in enumerate(matches)
        for seat in texts
    ]


def begin(server: Server, title: str, scenario: str, index: int) -> str:
    match = creating.new_match(server, title, scenario, cadence=48)
    for seat in record_of(server, match).seats:
        account = accounts.open_account(server, f"{seat}{index}@people.test".lower()).id
        take_seat(server, match, seat, account)
    return match


def usual_orders(server: Server, match: str, seat: str) -> str:
    """Return the orders of a bot; all matches start in the same position, so they are legal in each."""
    position = load(server, match)
    ask = position.run.ask_of(seat)
    assert ask is not None
    return in_lines(position.rules, ask, own_bot(position.rules)(1)(position.rules, position.run.view(seat), ask))


def order_for(
    server: Server, app: Flask, match: str, seat: str, way: str, text: str, *, warms_up: bool = False
) -> Order:
    record = record_of(server, match)
    account, exchange = str(record.occupants[seat]["account"]), record.open_exchange
    if way == "web":
        key = cookie(server, app, account)
    elif way == "api":
        key = api_tokens.make(server, account, "load", ["play"])[1]
    else:
        key = f"orders+{orders_token(server, match, seat, exchange)}@pbem.test"
    address = accounts.account(server, account).addresses[0]
    return Order(match, seat, exchange, way, text, key, address, warms_up)


def cookie(server: Server, app: Flask, account: str) -> str:
    """The cookie of a browser in which this account is signed in."""
    signer = app.session_interface.get_signing_serializer(app)  # type: ignore[attr-defined]
    assert signer is not None
    return str(signer.dumps({"word": sessions.start(server, account, "load")}))


# Sending -----------------------------------------------------------------------------------------------------


def run(name: str, folder: Path, orders: list[Order], rate: int, address: str) -> Contestant:
    """Send the orders at a steady rate and wait until all are handled."""
    measured = Contestant(name)
    with serving(folder, address) as (process, web, smtp):
        first = send_all([order for order in orders if order.warms_up], rate, web, smtp)
        wait_until_handled(web)
        if problem := next((sent.problem for sent in first if sent.problem), ""):
            raise RuntimeError(f"the server does not accept orders: {problem}\n{log_of(folder)}")
        began, host = time.monotonic(), database_process(folder, address)
        spent, lent, ours = processor_of(process.pid), processor_of(host), time.process_time()
        rest = [order for order in orders if not order.warms_up]
        measured.sent = send_all(rest, rate, web, smtp, lambda: measured.memory.append(memory_of(process.pid)))
        measured.seconds, measured.clients = time.monotonic() - began, time.process_time() - ours
        if process.poll() is not None:
            raise RuntimeError(f"the server has died ({process.returncode}):\n{log_of(folder)}")
        wait_until_handled(web)
        measured.quiet = time.monotonic() - began - measured.seconds
        measured.processor, measured.database = processor_of(process.pid) - spent, processor_of(host) - lent
        measured.memory.append(memory_of(process.pid))
    return measured


def send_all(
    orders: list[Order], rate: int, web: int, smtp: int, note: Callable[[], None] = lambda: None
) -> list[Sent]:
    """Send orders at a steady rate."""
    began, lock, done = time.monotonic(), threading.Lock(), list[Sent]()
    queue = [(began + index * 60 / rate, order) for index, order in enumerate(orders)][::-1]

    def work() -> None:
        while True:
            with lock:
                if not queue:
                    return
                at, order = queue.pop()
            time.sleep(max(0.0, at - time.monotonic()))
            sent = send(order, web, smtp, at)
            with lock:
                done.append(sent)
                note()

    threads = [threading.Thread(target=work) for _ in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return done


@contextmanager
def serving(folder: Path, address: str) -> Iterator[tuple[subprocess.Popen[bytes], int, int]]:
    """A real server on this data folder, and its ports for the web and for mail."""
    web, smtp = free_port(), free_port()
    command = [sys.executable, "-m", "pbem", "serve", "--data", str(folder), "--port", str(web)]
    command += ["--smtp-port", str(smtp), *(["--database", address] if address else [])]
    with open(folder / "log", "wb") as log, subprocess.Popen(command, stdout=log, stderr=log) as process:
        try:
            until = time.monotonic() + 120
            while not answers(web):
                if process.poll() is not None or time.monotonic() > until:
                    raise RuntimeError(log_of(folder))
                time.sleep(0.2)
            yield process, web, smtp
        finally:
            process.terminate()
            process.wait(120)


def log_of(folder: Path) -> str:
    return (folder / "log").read_text()[-3000:]


def free_port() -> int:
    """A port below the range for outgoing connections, so that nothing takes it before the server does."""
    while True:
        with socket.socket() as taken, suppress(OSError):
            taken.bind(("127.0.0.1", random.randrange(20_000, 32_000)))
            return int(taken.getsockname()[1])


def answers(port: int) -> bool:
    try:
        return get(port, "/health.json")[0] in (200, 503)
    except OSError:
        return False


def get(port: int, path: str, **headers: str) -> tuple[int, str, str]:
    """The status, body and cookie of a page."""
    return call(port, "GET", path, "", headers)


def call(port: int, method: str, path: str, body: str, headers: Mapping[str, str]) -> tuple[int, str, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    try:
        connection.request(method, path, body.encode(), {**headers, "Host": "localhost"})
        answer = connection.getresponse()
        return answer.status, answer.read().decode(), answer.getheader("Set-Cookie") or ""
    finally:
        connection.close()


def send(order: Order, web: int, smtp: int, due: float) -> Sent:
    """Send an order; each step is timed from when it should have begun."""
    times: dict[str, float] = {}
    try:
        for step, act in STEPS[order.way](order, web if order.way != "mail" else smtp):
            began = max(due, time.monotonic()) if not times else time.monotonic()
            act()
            times[step] = time.monotonic() - began
    except (OSError, ValueError, smtplib.SMTPException) as problem:
        return Sent(order, times, f"{type(problem).__name__}: {problem}"[:200])
    return Sent(order, times)


Step = tuple[str, Callable[[], None]]


def by_web(order: Order, port: int) -> Iterator[Step]:
    """Open the page of the match, then seal the orders on it."""
    page: list[tuple[int, str, str]] = []
    jar = {"Cookie": f"{COOKIE}={order.key}"}
    yield "page", lambda: page.append(get(port, f"/matches/{order.match}", **jar))
    status, text, fresh = page[0]
    token = re.search(r'name="csrf_token" value="([^"]+)"', text)
    if status != 200 or token is None:
        raise ValueError(f"the page answers {status}")
    value = re.search(rf"{COOKIE}=([^;]+)", fresh)
    headers = {"Cookie": f"{COOKIE}={value[1] if value else order.key}", "Referer": "https://localhost/"}
    headers |= {"Content-Type": "application/x-www-form-urlencoded", "Origin": "https://localhost"}
    form = {"csrf_token": token[1], "orders": order.text, "exchange": order.exchange, "act": "final"}
    yield "web", lambda: expect(303, call(port, "POST", f"/matches/{order.match}/orders", encode(form), headers))


def by_api(order: Order, port: int) -> Iterator[Step]:
    headers = {"Authorization": f"Bearer {order.key}", "Content-Type": "application/json"}
    body = json.dumps({"exchange": order.exchange, "orders": order.text, "final": True})
    path = f"/api/v1/matches/{order.match}/orders"
    yield "api", lambda: expect(201, call(port, "POST", path, body, headers))


def by_mail(order: Order, port: int) -> Iterator[Step]:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = order.sender, order.key, "Re: orders"
    message["Message-ID"] = f"<{order.match}.{order.seat}.{order.exchange}@people.test>"
    message.set_content(f"{order.text}\nfinal\n")

    def deliver() -> None:
        with smtplib.SMTP("127.0.0.1", port, timeout=120) as client:
            client.send_message(message)

    yield "mail", deliver


STEPS: dict[str, Callable[[Order, int], Iterator[Step]]] = {"web": by_web, "api": by_api, "mail": by_mail}


def encode(form: Mapping[str, object]) -> str:
    from urllib.parse import urlencode

    return urlencode(form)


def expect(status: int, answer: tuple[int, str, str]) -> None:
    if answer[0] != status:
        raise ValueError(f"{answer[0]} instead of {status}: {answer[1][:100]}")


def wait_until_handled(port: int) -> None:
    """Wait until the queues of email and turns are empty, and nothing is on its way into a queue."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if is_handled(get(port, "/metrics")[1]):
            return
        time.sleep(0.5)


def is_handled(metrics: str) -> bool:
    """Whether no email, turn or replay is queued, and the projection `desk`, which queues turns, is up to date."""
    waiting = dict(re.findall(r'pbem_queue_waiting\{queue="([^"]+)"\} (\d+)', metrics))
    behind = dict(re.findall(r'pbem_projection_lanes_behind\{projection="([^"]+)"\} (\d+)', metrics))
    found = [waiting.get(queue) for queue in ("mail in", "turns", "replays", "mail out")]
    return [*found, behind.get("desk")] == ["0"] * 5


def memory_of(process: int) -> int:
    """The resident memory of a process and its children in KiB; 0 where the system does not report it."""
    try:
        found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{process}/status").read_text())
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        return 0
    return (int(found[1]) if found else 0) + sum(memory_of(int(child)) for child in children)


def processor_of(process: int) -> float:
    """Seconds of processor time of a process and its children; 0 where the system does not report them."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        return 0.0
    own = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")  # with those of children that have ended
    return own + sum(processor_of(int(child)) for child in children)


def database_process(folder: Path, address: str) -> int:
    """The process id of the database server; 0 if it is not on this machine."""
    if not address:
        return 0
    with closing(EventStore(folder / DATABASE, database=address)) as store:
        [(ours,)] = store.database.execute("SELECT pg_backend_pid()").fetchall()
        try:
            status = Path(f"/proc/{ours}/status").read_text()
        except OSError:
            return 0
    return int(status.partition("PPid:")[2].split()[0]) if "postgres" in status.partition("\n")[0] else 0


# Checking ----------------------------------------------------------------------------------------------------


def check(measured: Contestant, folder: Path, titles: Mapping[str, Title], address: str) -> None:
    """Check that everything acknowledged is in the log, and count the turns that were played."""
    with closing(open_server(folder / DATABASE, titles, database=address)) as server:
        for sent in measured.sent:
            if not sent.problem and not is_in_the_log(server, sent.order):
                measured.lost.append(f"{sent.order.seat} of match {sent.order.match} by {sent.order.way}")
        states = server.database.execute("SELECT count(*) FROM inbound WHERE state = ?", (inbox.WAITING,)).fetchone()
        measured.lost += [f"{states[0]} emails are still waiting"] if states[0] else []
        mails = "SELECT count(*) FROM outbox WHERE sent_at IS NOT NULL"
        [(measured.mails,)] = server.database.execute(mails).fetchall()
        matches = {sent.order.match for sent in measured.sent}
        first = {sent.order.match: sent.order.exchange for sent in measured.sent}
        measured.turns = sum(record_of(server, match).open_exchange > first[match] for match in matches)


def is_in_the_log(server: Server, order: Order) -> bool:
    return any(
        (sealed.seat, sealed.exchange) == (order.seat, order.exchange)
        for _, sealed in each(server.store.read(f"match/{order.match}"), OrderSealed)
    )


# Reporting ---------------------------------------------------------------------------------------------------


def report(found: list[Contestant], matches: int, rate: int, minutes: float) -> dict[str, Any]:
    rows: dict[str, Any] = {"matches": matches, "orders_a_minute": rate, "minutes": minutes}
    for measured in found:
        rows[measured.name] = {
            "orders": len(measured.sent),
            "seconds": round(measured.seconds, 1),
            "quiet_after_seconds": round(measured.quiet, 1),
            "processor_ms_per_order": round(1000 * measured.processor / max(1, len(measured.sent)), 1),
            "database_ms_per_order": round(1000 * measured.database / max(1, len(measured.sent)), 1),
            "clients_ms_per_order": round(1000 * measured.clients / max(1, len(measured.sent)), 1),
            "refused_or_failed": len([sent for sent in measured.sent if sent.problem]),
            "first_problem": next((sent.problem for sent in measured.sent if sent.problem), ""),
            "lost": measured.lost,
            "turns_played": measured.turns,
            "emails_sent": measured.mails,
            **{f"{step}_ms": percentiles(times_of(measured, step)) for step in ("page", *WAYS)},
            "memory_mib": memory_in_words(measured.memory),
        }
    if len(found) > 1:
        rows["postgresql_against_sqlite"] = {
            step: ratio_of(times_of(found[1], step), times_of(found[0], step)) for step in ("page", *WAYS)
        }
    return rows


def times_of(measured: Contestant, step: str) -> list[float]:
    return sorted(sent.times[step] for sent in measured.sent if step in sent.times)


def percentile(times: list[float], share: float) -> float:
    """The time within which this share was completed."""
    return times[min(len(times) - 1, int(len(times) * share))] if times else 0.0


def percentiles(times: list[float]) -> str:
    if not times:
        return "none"
    told = ", ".join(f"p{round(100 * share)} {1000 * percentile(times, share):.0f}" for share in (0.5, 0.95, 0.99))
    return f"{told}, slowest {1000 * times[-1]:.0f} ({len(times)})"


def ratio_of(ours: list[float], theirs: list[float]) -> str:
    if not ours or not theirs:
        return "none"
    told = (percentile(ours, share) / max(percentile(theirs, share), 1e-6) for share in (0.5, 0.95))
    return "p50 {:.2f}, p95 {:.2f}".format(*told)


def memory_in_words(memory: list[int]) -> str:
    """Resident memory after a tenth, a half and all of the orders."""
    if not memory:
        return "unknown"
    told = [memory[min(len(memory) - 1, int(len(memory) * share))] // 1024 for share in (0.1, 0.5, 1.0)]
    return "{}, {}, {}".format(*told)

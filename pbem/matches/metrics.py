"""Numbers for monitoring: queues and their ages, workers, lag of the projections; in the Prometheus text format."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from pbem.matches import health
from pbem.matches.clock.deadlines import now
from pbem.matches.server import Server
from pbem.matches.workers import claims

PROJECTIONS = ("desk", "summaries", "halted")
DEAD_AFTER = 60_000
"""Milliseconds without a heartbeat after which a worker counts as dead."""


class Queue(msgspec.Struct, frozen=True):
    """A queue of waiting work; ages are in seconds, None if nothing waits."""

    name: str
    waiting: int
    oldest_age: int | None
    advice: str


def queues(server: Server) -> list[Queue]:
    """Every queue with its length, its age, and what to do if the queue grows."""
    at = now(server)

    def ask(name: str, query: str, advice: str) -> Queue:
        count, oldest = server.database.execute(query).fetchone()
        return Queue(name, int(count), None if oldest is None else max(0, (at - int(oldest)) // 1000), advice)

    return [
        ask(
            "mail in",
            "SELECT count(*), min(received_at) FROM inbound WHERE state = 'waiting'",
            "look in the log for the reason why emails are not handled",
        ),
        ask(
            "deadlines",
            f"SELECT count(*), min(deadline) FROM desk WHERE ended = 0 AND unchecked = 0 AND deadline < {at}",
            "see whether the server is on hold, the clock is watched and all mailboxes can be read",
        ),
        turns(server, at),
        ask(
            "replays",
            "SELECT count(*), NULL FROM desk WHERE unchecked = 1 AND ended = 0",
            "wait: after an upgrade or a move, each match is replayed before it continues",
        ),
        ask(
            "mail out",
            "SELECT count(*), min(queued_at) FROM outbox WHERE next_at IS NOT NULL",
            "add mailers, or ask the mail host why it is slow",
        ),
    ]


def turns(server: Server, at: int) -> Queue:
    """The queue of matches that must be advanced; its age is the time since the last event of the oldest one."""
    waiting = "FROM desk WHERE touched > 0 AND unchecked = 0"
    (count,) = server.database.execute(f"SELECT count(*) {waiting}").fetchone()
    first = f"SELECT stream, version FROM feed WHERE position = (SELECT min(touched) {waiting})"
    ages = [
        max(0, at - event.recorded_at) // 1000
        for stream, version in server.database.execute(first).fetchall()
        for event in server.store.read(stream, after=version - 1, upto=version)
    ]
    return Queue("turns", int(count), ages[0] if ages else None, "add resolvers")


def metrics(server: Server) -> str:
    """All metrics, in the Prometheus text format."""
    return "\n".join(_lines(server)) + "\n"


def _lines(server: Server) -> Iterator[str]:
    at, pulse = now(server), health.pulse(server)
    yield from _gauge("pbem_up", "whether the clock is watched", [("", int(pulse.well))])
    yield from _gauge("pbem_held", "whether the server is on hold", [("", int(pulse.held))])
    if pulse.tick_age is not None:
        yield from _gauge("pbem_heartbeat_age_seconds", "age of the last heartbeat", [("", pulse.tick_age)])
    found = queues(server)
    waiting = [(f'queue="{queue.name}"', queue.waiting) for queue in found]
    ages = [(f'queue="{queue.name}"', queue.oldest_age) for queue in found if queue.oldest_age is not None]
    yield from _gauge("pbem_queue_waiting", "jobs that wait", waiting)
    yield from _gauge("pbem_queue_oldest_seconds", "age of the oldest job", ages)
    behind = [(f'projection="{name}"', server.store.lag(name)) for name in PROJECTIONS]
    yield from _gauge("pbem_projection_lanes_behind", "lanes with events that a projection has not seen", behind)
    alive = [
        (f'role="{worker.role}",name="{worker.name}"', (at - worker.beat_at) // 1000)
        for worker in claims.workers(server)
    ]
    yield from _gauge("pbem_worker_heartbeat_age_seconds", "age of a worker's last heartbeat", alive)
    (running,) = server.database.execute("SELECT count(*) FROM desk WHERE ended = 0").fetchone()
    yield from _gauge("pbem_matches_running", "matches that have not ended", [("", running)])


def _gauge(name: str, help: str, values: list[tuple[str, int]]) -> Iterator[str]:
    yield f"# HELP {name} {help}"
    yield f"# TYPE {name} gauge"
    for labels, value in values:
        yield f"{name}{{{labels}}} {value}" if labels else f"{name} {value}"

"""Webhooks are signed, retried, and never sent to loopback, private or link-local addresses."""

from __future__ import annotations

import hashlib
import hmac
import json
from pathlib import Path

import pytest
from support.hall import Hall

from pbem.engine.rules.refusals import Refusal
from pbem.matches.clock.deadlines import HOUR
from pbem.tournaments import rounds
from pbem.tournaments.post import webhooks

URL = "https://hooks.example.org/pbem?team=7"


class Elsewhere:
    """Another web server, which records the requests it receives and answers with the given statuses."""

    def __init__(self, *statuses: int) -> None:
        self.statuses, self.calls = list(statuses), list[tuple[str, str, bytes, dict[str, str]]]()

    def resolve(self, host: str, port: int) -> list[str]:
        return ["93.184.216.34"]

    def post(self, address: str, host: str, port: int, path: str, body: bytes, headers: dict[str, str]) -> int:
        self.calls.append((address, path, body, headers))
        status = self.statuses.pop(0) if self.statuses else 200
        if status == 0:
            raise ConnectionResetError("gone")
        return status


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    hall = Hall(tmp_path)
    hall.open(2, rounds=1)
    return hall


def registered(hall: Hall, elsewhere: Elsewhere) -> webhooks.Hook:
    webhooks.queue(hall.server)
    return webhooks.add(hall.server, hall.max, f"tournament/{hall.id}", URL, elsewhere.resolve)


def send(hall: Hall, elsewhere: Elsewhere) -> int:
    return webhooks.send_due(hall.server, hall.now, elsewhere.resolve, elsewhere.post)


def test_public_events_are_told_with_a_signature_that_holds(hall: Hall) -> None:
    elsewhere = Elsewhere()
    hook = registered(hall, elsewhere)
    hall.round()

    assert send(hall, elsewhere) == 2
    address, path, body, headers = elsewhere.calls[0]
    assert (address, path) == ("93.184.216.34", "/pbem?team=7")
    expected = hmac.new(bytes.fromhex(hook.secret), body, hashlib.sha256).hexdigest()
    assert headers["X-Pbem-Signature"] == f"sha256={expected}"
    assert [json.loads(call[2])["type"] for call in elsewhere.calls] == ["round.paired", "round.started"]
    assert set(json.loads(body)) == {"server", "stream", "type", "version", "hash", "at"}


def test_a_call_that_fails_is_tried_again_later_and_given_up_in_the_end(hall: Hall) -> None:
    elsewhere = Elsewhere(500, 0, 302, *[404] * 20)
    registered(hall, elsewhere)
    rounds.pair(hall.server, hall.id, by=hall.max)
    assert send(hall, elsewhere) == 0 and len(elsewhere.calls) == 1
    assert send(hall, elsewhere) == 0 and len(elsewhere.calls) == 1, "not before the pause is over"
    for _ in range(30):
        hall.now += 25 * HOUR
        send(hall, elsewhere)

    assert len(elsewhere.calls) == webhooks.MOST_ATTEMPTS


def test_what_was_told_is_not_told_again(hall: Hall) -> None:
    elsewhere = Elsewhere()
    registered(hall, elsewhere)
    hall.round()
    send(hall, elsewhere)
    before = len(elsewhere.calls)
    send(hall, elsewhere)

    assert len(elsewhere.calls) == before


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.0.0.8", "172.16.5.5", "192.168.1.1", "169.254.169.254", "0.0.0.0", "100.64.0.1"),
        *(
            "::1",
            "fe80::1",
            "fc00::1",
            "::ffff:127.0.0.1",
            "2002:7f00:1::",
            "224.0.0.1",
            "240.0.0.1",
            "not an address",
        ),
    ],
)
def test_an_address_that_is_not_public_is_refused(hall: Hall, address: str) -> None:
    with pytest.raises(Refusal):
        webhooks.add(hall.server, hall.max, f"tournament/{hall.id}", URL, lambda host, port: [address])


def test_one_private_address_among_public_ones_is_enough_to_refuse(hall: Hall) -> None:
    with pytest.raises(Refusal, match="not public"):
        webhooks.add(hall.server, hall.max, f"tournament/{hall.id}", URL, lambda h, p: ["93.184.216.34", "10.0.0.1"])


def test_a_name_that_moves_to_a_private_address_later_is_not_called(hall: Hall) -> None:
    elsewhere = Elsewhere()
    registered(hall, elsewhere)
    hall.round()
    webhooks.send_due(hall.server, hall.now, lambda host, port: ["127.0.0.1"], elsewhere.post)

    assert elsewhere.calls == []


@pytest.mark.parametrize(
    "url", ["http://example.org/", "https://", "ftp://example.org", "https://me:pw@example.org/"]
)
def test_only_plain_https_is_taken(hall: Hall, url: str) -> None:
    with pytest.raises(Refusal):
        webhooks.add(hall.server, hall.max, f"tournament/{hall.id}", url, Elsewhere().resolve)


def test_hooks_are_removed_by_their_owner_alone(hall: Hall) -> None:
    hook = registered(hall, Elsewhere())

    assert not webhooks.remove(hall.server, "somebody", hook.id)
    assert webhooks.remove(hall.server, hall.max, hook.id)
    assert webhooks.of_account(hall.server, hall.max) == []

"""Limits on outgoing email delay emails but lose none, and operators are notified."""

from __future__ import annotations

from types import SimpleNamespace

import msgspec
import pytest
from support.postbox import ALICE, Post

from pbem.mail.outbound.compose import send_due
from pbem.matches import health, warning
from pbem.matches.accounts import accounts
from pbem.matches.clock.deadlines import HOUR, MINUTE
from pbem.matches.post import outbox


def owe(post: Post, number: int, account: str) -> None:
    with post.server.store.transaction() as transaction:
        for index in range(number):
            about = {"text": f"Answer {index}"}
            outbox.queue(transaction, "account", at=post.now, key=str(index), account=account, about=about)


@pytest.mark.parametrize("limit", ["hourly", "hourly_account", "hourly_address"])
def test_beyond_a_limit_mails_wait_for_the_next_hour_and_none_is_lost(post: Post, limit: str) -> None:
    alice = accounts.open_account(post.server, ALICE).id
    settings = msgspec.structs.replace(post.settings, **{limit: 3})
    owe(post, 8, alice)

    left = [send_due(post.server, settings, post.transport, post.now + hour * (HOUR + MINUTE)) for hour in range(4)]

    assert left == [3, 3, 2, 0]
    assert len(outbox.failed_emails(post.server)) == 0 and not outbox.waiting(post.server)


def test_a_link_to_sign_in_is_not_held_up_by_the_limit_of_the_server(post: Post) -> None:
    alice = accounts.open_account(post.server, ALICE).id
    settings = msgspec.structs.replace(post.settings, hourly=1)
    owe(post, 3, alice)
    with post.server.store.transaction() as transaction:
        outbox.queue(transaction, "alert", at=post.now, key="now", account=alice, about={"troubles": ["Disk full."]})

    send_due(post.server, settings, post.transport, post.now)

    assert "needs attention" in str(post.last(ALICE)["Subject"])


def test_held_back_mails_are_among_the_troubles_of_the_operators_page(post: Post) -> None:
    owe(post, 3, accounts.open_account(post.server, ALICE).id)
    send_due(post.server, msgspec.structs.replace(post.settings, hourly=1), post.transport, post.now)

    found = health.health(post.server)
    assert found.outbox_held_back == 2
    [delayed] = [trouble for trouble in found.troubles if trouble.startswith("Emails delayed")]
    assert delayed.startswith("Emails delayed by the limits on outgoing mail: 2.") and "settings.toml" in delayed


def test_operators_are_told_of_a_trouble_once_a_day_and_once_that_it_has_passed(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = accounts.open_account(post.server, ALICE).id
    health.name_operator(post.server, alice)
    troubles: list[str] = []
    monkeypatch.setattr(health, "health", lambda server: SimpleNamespace(troubles=troubles))

    def told(hours: float) -> list[list[str]]:
        """Return the alerts that the operator receives within these hours."""
        before = len(outbox.of_account(post.server, alice))
        for _ in range(int(hours * 4)):
            post.now += 15 * MINUTE
            warning.look(post.server, post.now)
        return [owed.about["troubles"] for owed in outbox.of_account(post.server, alice)[before:]]

    assert told(3) == []
    troubles.append("A mail has waited in the outbox for 16 minutes.")
    assert told(3) == [["A mail has waited in the outbox for 16 minutes."]]
    troubles[:] = ["A mail has waited in the outbox for 3 hours."]
    assert told(20) == []  # the same trouble, only longer
    assert told(3) == [["A mail has waited in the outbox for 3 hours."]]
    troubles.append("Halted matches: abc.")
    assert told(1) == [troubles]
    troubles.clear()
    assert told(2) == [[]]
    send_due(post.server, post.settings, post.transport, post.now)
    assert "all is well again" in str(post.last(ALICE)["Subject"])

"""When emails of many kinds are sent through the SMTP listener and the server is killed midway, the books still
balance."""

from __future__ import annotations

from support.toy import AmbushTitle

from pbem.matches.post.inbox import Inbound
from pbem.tools.soak.mail import Mail, soak_mail, wrong_states


def test_sixty_mails_and_a_crash_leave_nothing_unaccounted_for() -> None:
    said: list[str] = []
    books = soak_mail({"ambush": AmbushTitle()}, "ambush", "tiny", 60, said.append)
    assert books["problems"] == []
    ends = sum(books[end] for end in ("applied", "refused", "held", "repeated", "dropped"))
    assert books["accepted"] == ends >= 60 - books["not accepted by the listener"]
    assert all(books[end] for end in ("applied", "refused", "held", "repeated", "dropped"))
    assert "killed after" in said[-1]


def test_the_books_tell_what_is_missing_and_what_is_too_much() -> None:
    """The books report missing and surplus emails."""

    def kept(id: str, state: str) -> Inbound:
        return Inbound(1, "", "", "", "", "", 0, 0, {}, f"Message-ID: {id}\r\n".encode(), state, "", {})

    def mail(id: str, wanted: str, doubtful: bool = False) -> Mail:
        return Mail("orders", id, b"", "", "", wanted, doubtful=doubtful)

    fine = [kept("<1>", "applied"), kept("<1>", "repeated")]
    assert wrong_states(fine, [mail("<1>", "applied", doubtful=True)]) == []
    assert wrong_states(fine, [mail("<1>", "applied")]), "one too many"
    assert wrong_states([], [mail("<1>", "applied")]), "one is lost"
    assert wrong_states([kept("<1>", "waiting")], [mail("<1>", "applied")]), "one was never read"
    assert wrong_states([kept("<1>", "applied")] * 2, [mail("<1>", "applied", doubtful=True)]), "one counted twice"

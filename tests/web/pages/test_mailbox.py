"""The mailbox page of a demonstration, which stores its emails instead of sending them."""

from __future__ import annotations

import mailbox
from email.message import EmailMessage

import pytest

from pbem.web.pages.mailbox import folder_of, with_links


@pytest.fixture
def box(server):
    return mailbox.Maildir(folder_of(server), create=True)


def a_mail(subject: str, text: str = "Hello") -> EmailMessage:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "orders@localhost", "ann@example.org", subject
    mail.set_content(text)
    mail.add_alternative("<script>alert(1)</script>", subtype="html")
    return mail


def test_an_empty_outbox_says_so(demo):
    assert "No email yet" in demo.get("/outbox").text


def test_kept_mail_is_listed_and_read_as_text(demo, box):
    name = box.add(a_mail("Turn 3", "Sign in: https://localhost/sign-in/abc."))

    assert "Turn 3" in demo.get("/outbox").text
    page = demo.get(f"/outbox/{name}").text
    assert '<a href="https://localhost/sign-in/abc">' in page
    assert "alert(1)" not in page


def test_a_mail_that_is_not_there_is_not_found(demo, box):
    assert demo.get("/outbox/../pbem.db").status_code == 404
    assert demo.get("/outbox/nosuch").status_code == 404


def test_text_of_mails_cannot_smuggle_in_markup():
    assert with_links('<b> http://x.org/?a=1&b="<i>"') == (
        '&lt;b&gt; <a href="http://x.org/?a=1&amp;b=">http://x.org/?a=1&amp;b=</a>&#34;&lt;i&gt;&#34;'
    )

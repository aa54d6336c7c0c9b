"""A report says what became of a draft, to the owner of the draft alone."""

from __future__ import annotations

from pathlib import Path

from support.seated import Table

from pbem.mail.outbound.compose import compose
from pbem.mail.settings import Settings
from pbem.matches.players import drafts


def test_the_report_says_that_a_draft_was_sealed_or_left_unused(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.begin(48)
    for seat, text in (("red", "r1 go2"), ("blue", "b1 go5")):
        drafts.save(table.server, table.match, seat, table.who[seat], 2, text, 0, at_deadline=seat == "red")
    table.wait(48)
    mails = {}
    for owed in (*table.owed("report"), *table.owed("missed")):
        mail = compose(table.server, Settings(pictures=False), owed)
        assert mail is not None
        body = mail.get_body(("plain",))
        assert body is not None
        mails[owed.seat] = " ".join(body.get_content().split())
    assert mails.keys() == {"red", "blue"}
    sealed, unused = str(drafts.FATES["sealed"]), str(drafts.FATES["unticked"])
    assert mails["red"].count(sealed) == 1 and unused not in mails["red"]
    assert mails["blue"].count(unused) == 1 and sealed not in mails["blue"]

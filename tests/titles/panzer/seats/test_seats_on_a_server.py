"""Panzer with several seats a side on a server, by email: absence, the chief, messages, the page and the proof."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.postbox import Post, text_of
from web.conftest import Browser

from pbem.matches import views
from pbem.matches.audit.verify import verify_export
from pbem.matches.exchange import creating
from pbem.matches.film import turns
from pbem.matches.history.export import export, read_export
from pbem.matches.history.replay import load, record_of, replay
from pbem.matches.players import invitations, press
from pbem.titles.panzer.title import Panzer
from pbem.web import create_app

SEATS = ("tank-company", "bersaglieri-company", "tank-troops", "rifles-and-guns")


def address(seat: str) -> str:
    return f"{seat}@example.org"


class Staff:
    """A match with four players, each with a mailbox."""

    def __init__(self, folder: Path) -> None:
        self.post = Post(folder, {"panzer": Panzer()})
        self.post.door.start()
        made = {"cadence": 24, "options": {"table": "formations"}}
        self.match = creating.new_match(self.post.server, "panzer", "desert", name="Two and two", **made)
        for seat in SEATS:
            invitations.invite(self.post.server, self.match, seat, address(seat))
        self.post.tick()
        for seat in SEATS:
            self.post.reply(address(seat), "accept")
        self.post.tick()

    def says(self, seat: str, text: str) -> list[str]:
        """Answer the last email that asked for orders, and return the replies."""
        mails = self.post.of(address(seat))
        self.post.reply(address(seat), text, to=next(one for one in reversed(mails) if "+" in one["Reply-To"]))
        self.post.tick()
        return [text_of(one) for one in self.post.of(address(seat))[len(mails) :]]

    def last(self, seat: str) -> str:
        return text_of(self.post.last(address(seat)))

    @property
    def state(self) -> Any:
        return load(self.post.server, self.match).run.state

    @property
    def asked(self) -> dict[str, str]:
        return {ask.seat: ask.kind for ask in load(self.post.server, self.match).run.asks}


@pytest.fixture(scope="module")
def staff(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Staff]:
    found = Staff(tmp_path_factory.mktemp("seats"))
    yield found
    found.post.door.stop()
    found.post.server.close()


def test_a_match_of_four_seats_from_set_up_to_proof(staff: Staff) -> None:
    """A match of four seats is played from set-up to proof; each part is explained at its assertions."""
    tanks, foot, troops, rifles = SEATS
    server, match = staff.post.server, staff.match
    assert "You are the chief of your side" in staff.last(tanks)
    assert "You command Bersaglieri company. With you: Tank company." in " ".join(staff.last(foot).split())
    while "commands" not in staff.asked.values():  # plots and set-up: anything not sent stays as in the scenario
        for seat in list(staff.asked):
            staff.says(seat, "done\nfinal")
    assert staff.asked == dict.fromkeys(SEATS, "commands")

    # an order for another's unit is refused with its owner; nothing is sealed
    own = {seat: load(server, match).rules.seating.own(staff.state, seat) for seat in SEATS}
    mine, other = own[foot][0], own[tanks][0]
    [refusal] = staff.says(foot, f"{other} overwatch\nfinal")
    assert "is ordered by Tank company" in refusal and record_of(server, match).sealed == {}

    # letters and sealed orders are open within the side, and sealed from the other
    staff.says(foot, f"{mine} hold\npress side: We hold the ridge.")
    assert "We hold the ridge." in staff.last(tanks)
    record = record_of(server, match)
    assert press.letters(server, record, troops) == []
    [mate] = views.mates(server, record, tanks)
    assert mate.seat == foot and f"{mine} hold" in mate.sealed
    app = create_app(server)
    page = Browser(app, staff.post.account(address(tanks))).get(f"/matches/{match}").text
    assert "Your side" in page and "We hold the ridge." in page and "my side: Bersaglieri company" in page
    enemy = Browser(app, staff.post.account(address(troops))).get(f"/matches/{match}").text
    assert f"{mine} hold" not in enemy and "We hold the ridge." not in enemy

    # all but one are final: the exchange waits for the deadline, then the chief's orders apply to the silent seat
    riflemen = [id for id in own[rifles] if not staff.state.vehicles[id].aboard]
    staff.says(troops, f"{riflemen[0]} overwatch\nfinal")
    staff.says(tanks, f"{other} overwatch\n{mine} overwatch\nfinal")
    staff.says(foot, f"{mine} hold\nfinal")
    assert staff.state.turn == 1
    staff.post.tick(25)
    assert staff.state.turn == 2 and staff.asked == dict.fromkeys(SEATS, "commands")
    assert "passed without orders from you" in staff.last(rifles)
    assert "passed without orders from you" not in staff.last(troops)
    assert "seat that commands the unit" in " ".join(staff.last(tanks).split())  # the chief does not overrule

    # all final: the exchange closes at once; film, replay and proof of every seat
    for seat in SEATS:
        staff.says(seat, "rest overwatch\nfinal")
    assert staff.state.turn == 3
    for seat in SEATS:
        shown = turns.film(server, match, seat, 2)
        assert shown is not None and {stand.id for stand in shown.after} >= set(own[seat])
        assert verify_export(read_export(export(server, match, seat)), server.titles).problems == []
    assert replay(server, match).run.state.turn == 3

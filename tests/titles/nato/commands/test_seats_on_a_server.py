"""35.8 Several seats a side on a server, by email: absent players, deputies, messages, and when an exchange
closes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.postbox import Post, text_of

from pbem.matches import views
from pbem.matches.clock.deadlines import DAY, deadline_of
from pbem.matches.exchange import creating
from pbem.matches.history.replay import load, record_of
from pbem.matches.players import invitations, press
from pbem.titles.nato.state import NatoState
from pbem.titles.nato.title import Nato
from pbem.web import create_app

SEATS = ("front", "army", "corps", "first", "fourth")
"""The seats of The Leine by commands: the front headquarters and an army, a corps and two of its divisions."""


class Staff:
    """A match with five players, each with a mailbox."""

    def __init__(self, folder: Path) -> None:
        self.post = Post(folder, {"nato": Nato()})
        self.post.door.start()
        self.match = creating.new_match(
            self.post.server, "nato", "leine", name="The Leine", cadence=24, options={"table": "commands"}
        )
        for seat in SEATS:
            invitations.invite(self.post.server, self.match, seat, address(seat))
        self.post.tick()
        for seat in SEATS:
            self.post.reply(address(seat), "accept")
        self.post.tick()

    def says(self, seat: str, text: str) -> list[str]:
        """Answer the last email that asked for orders, and return the emails sent in reply."""
        mails = self.post.of(address(seat))
        self.post.reply(address(seat), text, to=next(one for one in reversed(mails) if "+" in one["Reply-To"]))
        self.post.tick()
        return [text_of(one) for one in self.post.of(address(seat))[len(mails) :]]

    def last(self, seat: str) -> str:
        return text_of(self.post.last(address(seat)))

    @property
    def asked(self) -> dict[str, str]:
        return {ask.seat: ask.kind for ask in load(self.post.server, self.match).run.asks}

    @property
    def state(self) -> NatoState:
        found: NatoState = load(self.post.server, self.match).run.state
        return found

    def at(self, unit: str) -> str:
        return self.state.pieces[unit].at

    @property
    def battles(self) -> dict[str, list[str]]:
        """Return the objectives of this player turn's battles, with the hexes from which they were attacked."""
        return {hex: list(origins) for hex, _, _, origins in self.state.clashes}


def address(seat: str) -> str:
    return f"{seat}@example.org"


@pytest.fixture
def staff(tmp_path: Path) -> Iterator[Staff]:
    found = Staff(tmp_path)
    yield found
    found.post.door.stop()
    found.post.server.close()


def test_an_absent_seat_costs_itself_and_its_chief_answers_for_it(staff: Staff) -> None:
    """The army seat sends nothing by the deadline; the front seat moves for it, and the match continues."""
    assert staff.asked == {"front": "move", "army": "move"}
    assert "commander-in-chief" in staff.last("front") and "On your side: North-East German Front" in staff.last(
        "army"
    )
    [receipt] = staff.says("front", "E8 3217\n94G 3217\nfinal")
    assert "We sealed your orders" in receipt
    staff.post.tick(25)

    assert staff.asked == {
        "front": "fight",
        "army": "fight",
        "corps": "defend",
        "first": "defend",
        "fourth": "defend",
    }
    assert (staff.at("E8"), staff.at("94G"), staff.at("16GT")) == ("3217", "3217", "3116")
    assert "passed without orders from you" in staff.last("army")
    assert "passed without orders" not in staff.last("front")


def test_a_seat_that_orders_its_own_units_is_not_overruled_and_all_final_closes_the_exchange(staff: Staff) -> None:
    staff.says("front", "94G 3217\nE8 3217\nfinal")
    assert staff.asked == {"front": "move", "army": "move"}  # one seat is not final yet
    staff.says("army", "16GT 3217\nfinal")

    assert staff.asked["army"] == "fight"  # without waiting for the deadline
    assert staff.at("16GT") == "3217" and staff.at("94G") == "3216"
    assert "the seat that commands the unit has given orders of its own" in " ".join(staff.last("front").split())


def test_a_seat_that_tells_its_units_to_hold_is_not_absent(staff: Staff) -> None:
    staff.says("front", "94G 3217\nfinal")
    staff.says("army", "none\nfinal")
    assert staff.asked["army"] == "fight" and staff.at("94G") == "3216"


def test_the_chief_attacks_with_the_units_of_an_absent_seat(staff: Staff) -> None:
    """The army seat sends nothing by the deadline, so the front seat attacks Hannover with the army's units."""
    for seat in ("front", "army"):
        staff.says(seat, "none\nfinal")
    [receipt] = staff.says("front", "attack 3117 with 16GT, 94G\nfinal")
    assert "We sealed your orders" in receipt
    for seat in ("corps", "first", "fourth"):
        staff.says(seat, "none\nfinal")
    staff.post.tick(25)

    assert list(staff.battles) == ["3117"]
    assert staff.state.side == "nato", "one absent seat does not hold up the match"


def test_the_chief_does_not_attack_with_the_units_of_a_seat_that_holds(staff: Staff) -> None:
    for seat in ("front", "army"):
        staff.says(seat, "none\nfinal")
    staff.says("front", "attack 3117 with 16GT, 94G\nfinal")
    for seat in ("army", "corps", "first", "fourth"):
        staff.says(seat, "none\nfinal")

    assert staff.battles == {} and staff.state.side == "nato"
    assert "the seat that commands the unit has given orders of its own" in " ".join(staff.last("front").split())


def test_letters_and_orders_are_open_within_a_side_and_sealed_from_the_other(staff: Staff) -> None:
    server, match = staff.post.server, staff.match
    staff.says("army", "16GT 3217\npress side: We cross south of Hannover.")
    assert "We cross south of Hannover." in staff.last("front")
    record = record_of(server, match)
    assert press.letters(server, record, "corps") == [] and len(press.letters(server, record, "front")) == 1
    [mate] = views.mates(server, record, "front")
    assert (mate.seat, mate.sealed.strip()) == ("army", "16GT 3217")
    assert all(not mate.sealed for mate in views.mates(server, record, "corps"))
    for seat in ("corps", "first", "fourth"):
        assert all("south of Hannover" not in text_of(one) for one in staff.post.of(address(seat)))


def test_the_chief_sets_shares_and_priorities_and_a_silent_division_defends_by_default(staff: Staff) -> None:
    for seat in ("front", "army"):
        staff.says(seat, "none\nfinal")
    staff.says("army", "attack 3117 with 16GT, 21, 94G\nfinal")
    staff.says("front", "none\nfinal")
    staff.says("corps", "priority fourth first\ngive fourth 3 tactical\nfinal")
    staff.says("first", "respond: never\nfinal")
    assert staff.asked["fourth"] == "defend"  # everybody but one is final: the exchange waits for its deadline
    staff.post.tick(25)

    state = staff.state
    assert state.side == "nato" and state.shares == {"fourth": {"tactical": 3}}
    assert state.precedence == ["fourth", "first"] and state.pools["fourth"]["tactical"] == 3
    assert "passed without orders from you" in staff.last("fourth")


def test_one_announced_absence_does_not_put_off_the_deadline_of_the_side(staff: Staff) -> None:
    """A side gets an extension only if all its players with a decision to make are away."""
    server, match = staff.post.server, staff.match
    staff.says("corps", "absent 17 Mar to 27 Mar")
    for seat in ("front", "army"):
        staff.says(seat, "none\nfinal")
    deadline = deadline_of(record_of(server, match))
    assert deadline is not None and deadline.at - staff.post.now <= 2 * DAY
    for seat in ("first", "fourth"):
        staff.says(seat, "absent 17 Mar to 24 Mar\nnone\nfinal")
    staff.says("army", "none\nfinal")
    staff.says("front", "none\nfinal")
    staff.post.tick(25)
    later = deadline_of(record_of(server, match))
    assert set(staff.asked) == {"corps", "first", "fourth"} and later is not None
    assert 4 * DAY < later.at - staff.post.now < 9 * DAY  # until the first of them is back, not the last


def test_the_page_of_a_seat_shows_its_command_and_the_orders_of_its_side(staff: Staff) -> None:
    from web.conftest import Browser

    app, server = create_app(staff.post.server), staff.post.server
    staff.says("army", "16GT 3217")
    page = Browser(app, staff.post.account(address("front"))).get(f"/matches/{staff.match}").text
    assert "Your side" in page and "16GT 3217" in page and "my side: Army" in page
    enemy = Browser(app, staff.post.account(address("first"))).get(f"/matches/{staff.match}").text
    assert "16GT 3217" not in enemy and record_of(server, staff.match).sealed.keys() == {"army"}

"""The email of a turn has at most 60 lines and 5 KB, even for a title's largest scenario; the rest is attached."""

from __future__ import annotations

import re
from email.message import EmailMessage
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support.postbox import START

from pbem.engine.play.bots import own_bot
from pbem.engine.rules.happenings import Battle, Lose
from pbem.engine.rules.title import Stand
from pbem.engine.text.messages import Name
from pbem.mail.outbound.compose import compose, plain_body
from pbem.mail.outbound.turn_mail import (
    MOST_BYTES,
    MOST_LINES,
    STEPS,
    Teller,
    TurnMail,
    fitting,
    is_beyond,
    places_by_side,
    story,
    whole_sentences,
    within_room,
)
from pbem.mail.settings import Settings
from pbem.matches.accounts import accounts
from pbem.matches.exchange import advancing, creating, sealing
from pbem.matches.exchange.seats import take_seat
from pbem.matches.film.scenes import Scene
from pbem.matches.history.replay import load, record_of
from pbem.matches.installation import open_server
from pbem.matches.post import outbox
from pbem.matches.post.notifications import catch_up
from pbem.titles.registry import TITLES
from pbem.tools.simulate import checked_decision

LARGEST = {"panzer": ("battalion", 1), "nato": ("northag", 1), "aslsk": ("two-roads", 3), "tanks": ("open-battle", 7)}
"""The scenario with the most units that starts without a long set-up, and how many exchanges are played."""


def reports_of(title: str, scenario: str, exchanges: int, folder: Path) -> list[EmailMessage]:
    """Return the last emails that report a turn, from a match in which the title's bot gives the players' orders."""
    folder.mkdir(exist_ok=True)
    server = open_server(folder / "pbem.db", {title: TITLES[title]}, clock=lambda: START)
    settings = Settings(domain="pbem.test", base_url="https://pbem.test")
    match = creating.new_match(server, title, scenario, cadence=48)
    for seat in record_of(server, match).seats:
        take_seat(server, match, seat, accounts.open_account(server, f"{seat}@example.org").id)
    for _ in range(exchanges):
        position = load(server, match)
        for ask in position.run.asks:
            given = checked_decision(position.rules, position.run, own_bot(position.rules)(f"1/{ask.seat}"), ask.seat)
            text = position.rules.restate(ask, given)
            sealing.seal(server, match, ask.seat, position.record.open_exchange, given, text=text, final=True)
        advancing.go_on(server, match)
    catch_up(server)
    reports = [owed for owed in outbox.due(server, START * 2, 100) if owed.kind == "report"][-4:]
    assert reports
    return [message for owed in reports if (message := compose(server, settings, owed)) is not None]


def test_the_mail_of_a_small_turn_tells_every_scene(tmp_path: Path) -> None:
    for message in reports_of("panzer", "duel", 2, tmp_path):
        body = plain_body(message)
        assert "more scenes in the film" not in body and re.search(r"\n  \d+\.1   ", body), body
        assert "so far" not in message["Subject"]
        assert len(body.splitlines()) <= MOST_LINES


def test_a_mail_in_the_middle_of_a_turn_does_not_say_that_it_has_been_played(tmp_path: Path) -> None:
    """An email sent in mid-turn, after plotting artillery or moving tanks, does not say that the turn has been
    played."""
    (plotted, *_) = reports_of("panzer", "desert", 1, tmp_path)
    assert "Turn 1 is still in progress: only part of it has been played." in plain_body(plotted)
    assert "has been played" not in plain_body(plotted).replace("only part of it has been played", "")
    moved = reports_of("tanks", "crossroads", 3, tmp_path / "tanks")[-1]
    assert re.search("turn 1 so far: .*[.] Next: [a-z ]+$", moved["Subject"]), "what is asked for now"


@pytest.mark.parametrize("title", TITLES)
def test_every_mail_of_a_large_match_fits_and_the_rest_is_attached(title: str, tmp_path: Path) -> None:
    for message in reports_of(title, *LARGEST[title], tmp_path):
        body = plain_body(message)
        assert len(body.splitlines()) <= MOST_LINES and len(body.encode()) <= MOST_BYTES, body
        files = {part.get_filename() for part in message.iter_attachments()}
        assert any(str(name).startswith("record-turn-") for name in files)
        assert ("orders.txt" in body) == ("orders.txt" in files)


class Lines(Teller):
    """A fake teller with a given number of scenes, which fills the room that it is given."""

    def __init__(self, scenes: int) -> None:
        self.scenes = scenes

    def within(self, room: int, places_room: int, of_a_scene: int) -> TurnMail:
        return TurnMail(1, "", ["line"] * (min(room, self.scenes) + places_room), [], False)


@pytest.mark.parametrize("least", [0, 6])
@pytest.mark.parametrize("around", range(0, 70, 3))
def test_the_fullest_form_that_fits_is_found_with_few_renderings(around: int, least: int) -> None:
    rendered: list[str] = []

    def render(turn: TurnMail) -> str:
        rendered.append("\n".join([*turn.lines, *["around"] * around]))
        return rendered[-1]

    text, teller = fitting(Lines(22), render, least), Lines(22)
    assert len(rendered) <= 3
    texts = [render(teller.within(*rooms)) for rooms in STEPS if rooms[0] >= least]
    assert text == next((one for one in texts if not is_beyond(one)), texts[-1])


def test_a_scene_is_told_in_whole_sentences() -> None:
    """The first sentence of a scene is always included, however long it is; further sentences are included only if
    there is room for them."""
    told = [
        Name("16GT and 21 attack 3218 at 7:1: the hex is taken."),
        Name(f"Advancing: {'16GT, ' * 12}21."),
        Name("Fine."),
    ]
    assert whole_sentences("  1.4   ", told, 1, str) == [f"  1.4   {told[0]} Fine."]
    assert whole_sentences("  1.4   ", told[1:], 1, str)[-1].endswith(" 21.")


def test_battles_are_told_first_and_the_largest_before_the_others() -> None:
    """If an email has no room for all scenes of a turn, battles come before moves and single losses, the largest
    first."""
    small, large = (Scene("battle", [Battle(units, "3218", ("22/1A",))]) for units in (("16GT",), ("16GT", "21")))
    scenes = [Scene("move"), Scene("loss", [Lose("336G")]), small, large]
    for number, scene in enumerate(scenes, start=1):
        scene.number = number
    film: Any = SimpleNamespace(scenes=scenes)

    def told(room: int) -> list[str]:
        return list(story(film, room, 1, lambda index, most: [str(scenes[index].number)], str))

    assert told(1) == ["4", "  and 3 more scenes in the film, including battles: 1"]
    assert told(2) == ["3", "4", "  and 2 more scenes in the film"]
    assert told(3) == ["2", "3", "4", "  and 1 more scene in the film"]


def test_positions_are_cut_between_two_units() -> None:
    told = [["  You      16GT 3116, reduced; 21 3116; 94G", "           3217; E8 3317"], ["  NATO     11/4A 3117"]]
    lines, complete = within_room(told, True, 2, str)
    assert lines == ["  You      16GT 3116, reduced; 21 3116", "  NATO     11/4A 3117", "  and more in positions.txt"]
    assert not complete
    assert within_room(told, True, 3, str) == ([*told[0], *told[1]], True)


def test_a_long_name_of_a_side_is_set_apart_from_its_positions() -> None:
    summary = SimpleNamespace(mine="nato", name=lambda side: "Warsaw Pact")
    stands = [Stand("16GT", "", "wp", "3116"), Stand("22/1A", "", "nato", "3218")]
    film: Any = SimpleNamespace(after=stands, summary=summary)
    rules: Any = SimpleNamespace(place_in_words=str)
    told, complete = places_by_side(film, rules, str)
    assert told == [["  You      22/1A 3218"], ["  Warsaw Pact 16GT 3116"]] and complete

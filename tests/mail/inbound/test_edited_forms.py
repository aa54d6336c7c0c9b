"""§10 "Edit the lines and send all of them back" is true of every email with orders in it, wherever the edit is."""

from __future__ import annotations

import textwrap
from collections.abc import Callable

import pytest
from support.postbox import ALICE, BOB, Post, text_of

from pbem.mail.inbound.reply_difference import Difference, difference, without_sign_off
from pbem.matches import views
from pbem.tools.soak.hostile_mail import Profile

FORM = "g1 hold    # hold, fire, move\ng2 hold    # hold, fire, move\ng3 hold    # hold, fire, move"
SEALED = ["g1 fire b3 b1", "g2 move C4 face 3", "g3 fire b2, move C6", "second"]
STATUS = f"""Here is the status you asked for.

You have sealed these orders for turn 3 (orders, rule 4.2). To replace them, edit the lines and send all of them back:

    {SEALED[0]}
    {SEALED[1]}
    {SEALED[2]}
    {SEALED[3]}

Reply to this email with your lines at the top, or edit the lines above in your reply.
Deadline: Wednesday, 18 November 2026, 20:00 (Berlin).

The Pass, turn 3, log 0123456789ab
Code: aamsv26fliaaaaqaaaaxjzbhheb2fssd7g5q
"""
WROTE = "On Mon, 16 Nov 2026 at 10:50, pbem <orders@pbem.test> wrote:"


def quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


PROGRAMS: dict[str, Callable[[str], str]] = {
    "marked": lambda text: f"{WROTE}\n\n{quoted(text)}",
    "not marked": lambda text: f"From: pbem <orders@pbem.test>\nSent: today\nTo: ann\n\n{text}",
    "indented": lambda text: f"{WROTE}\n\n" + "\n".join(f" {line}" for line in text.splitlines()),
    "spaced": lambda text: f"{WROTE}\n\n" + text.replace("\n", "\n\n"),
}
every_program = pytest.mark.parametrize("program", PROGRAMS)


def lines_of(found: Difference | None) -> list[str]:
    assert found is not None
    return [line for line in found.text.splitlines() if line]


def reply(program: str, old: str, new: str, above: str = "") -> list[str]:
    """Return the lines that are read from a reply in which a part of the quoted email was replaced."""
    assert old in STATUS
    return lines_of(difference(f"{above}\n{PROGRAMS[program](STATUS.replace(old, new, 1))}", STATUS, FORM))


@every_program
def test_an_edited_line_is_sent_with_the_other_sealed_lines(program: str) -> None:
    """A player who changes one of their sealed orders keeps the others."""
    expected = [SEALED[0], "g2 move C5 face 3", *SEALED[2:]]
    assert reply(program, SEALED[1], "g2 move C5 face 3") == expected


@every_program
def test_an_order_whose_end_was_deleted_is_an_edited_order(program: str) -> None:
    assert reply(program, "g1 fire b3 b1", "g1 fire b3") == ["g1 fire b3", *SEALED[1:]]
    assert reply(program, ", move C6", "") == [*SEALED[:2], "g3 fire b2", SEALED[3]]


@every_program
def test_a_line_that_was_deleted_from_the_middle_is_withdrawn(program: str) -> None:
    assert reply(program, f"    {SEALED[1]}\n", "") == [SEALED[0], *SEALED[2:]]


@every_program
@pytest.mark.parametrize("line", ["final", "first", "company of the guard overwatch"])
def test_a_line_that_was_added_to_the_form_is_read(program: str, line: str) -> None:
    assert reply(program, SEALED[3], f"{SEALED[3]}\n    {line}") == [*SEALED, line]


@every_program
def test_a_request_below_the_form_sends_no_orders(program: str) -> None:
    assert reply(program, "Deadline:", "final\nDeadline:") == ["final"]


@every_program
def test_a_line_above_the_quotation_takes_the_place_of_the_same_units_line_in_an_edited_form(program: str) -> None:
    expected = [SEALED[0], "g2 hold", SEALED[3], "g3 hold"]
    assert sorted(reply(program, SEALED[1], "g2 hold", above="g3 hold\n")) == sorted(expected)
    assert reply(program, "Here", "Here", above="g3 hold\n") == ["g3 hold"], "the form was not edited"


def test_an_answer_between_the_quoted_lines_takes_the_place_of_the_line_above_it() -> None:
    text = f"{WROTE}\n\n{quoted(STATUS)}".replace(f">     {SEALED[1]}", f">     {SEALED[1]}\ng2 hold")
    assert lines_of(difference(text, STATUS, FORM)) == [SEALED[0], "g2 hold", *SEALED[2:]]


def test_an_answer_between_quoted_paragraphs_is_read() -> None:
    text = f"{WROTE}\n\n{quoted(STATUS)}".replace("> Reply to", "g2 hold\npress blue: hello\n\n> Reply to")
    assert lines_of(difference(text, STATUS, FORM)) == ["g2 hold", "press blue: hello"]


@pytest.mark.parametrize("mark", ["> ", ">", "| "])
def test_a_quotation_cut_down_to_the_form_may_be_edited(mark: str) -> None:
    form = "\n".join(f"{mark}    {line}" for line in [SEALED[0], "g2 hold", *SEALED[2:]])
    assert lines_of(difference(f"{form}\n\nAnn", STATUS, FORM)) == [SEALED[0], "g2 hold", *SEALED[2:]]


@every_program
def test_a_quotation_that_ends_in_the_form_is_no_withdrawal(program: str) -> None:
    """Some programs cut off the end of a long quotation; what is missing there was not deleted by the player."""
    cut = STATUS[: STATUS.index(SEALED[2])]
    found = difference(PROGRAMS[program](cut), STATUS, FORM)
    assert found is not None and found.unchanged


@pytest.mark.parametrize("width", [30, 40, 72])
@pytest.mark.parametrize("mark", ["> ", ""])
def test_our_lines_are_known_however_a_program_wraps_them(width: int, mark: str) -> None:
    def wrapped(text: str) -> str:
        lines = [textwrap.fill(line, width, subsequent_indent=mark) for line in quoted(text).splitlines()]
        return f"{WROTE}\n\n" + "\n".join(lines)

    found = difference(wrapped(STATUS), STATUS, FORM)
    assert found is not None and found.unchanged
    edited = difference(wrapped(STATUS.replace(SEALED[1], "g2 hold")), STATUS, FORM)
    assert lines_of(edited) == [SEALED[0], "g2 hold", *SEALED[2:]]


@pytest.mark.parametrize("line", ["g1 fire b9", "x", "#", "> you have sealed these", "final", "press blue: x"])
def test_a_quotation_full_of_other_lines_is_read_in_time_proportional_to_its_length(line: str) -> None:
    """Five thousand lines between two of ours cost no more than a few calls each."""
    head, tail = STATUS.split("\n\n", 1)
    with Profile() as profile:
        difference("\n".join([head, *[line] * 4_900, tail]), STATUS, FORM)
    assert profile.calls < 400_000


def test_a_player_who_edits_their_sealed_orders_by_email_keeps_the_others(post: Post) -> None:
    match = post.begin()
    post.reply(ALICE, "r1 go2\nr2 go3")
    post.tick()
    for ask in ("", "status"):  # the receipt, and the status
        if ask:
            post.reply(ALICE, ask)
            post.tick()
        asked = post.last(ALICE)
        edited = text_of(asked).replace("    r1 go2", "    r1 hold", 1)
        text = f"{WROTE}\n\n{quoted(edited)}"
        post.send(post.write(asked["Reply-To"], text, ALICE, In_Reply_To=asked["Message-ID"]))
        post.tick()
        mine = views.status(post.server, match, "red").mine
        assert mine is not None and sorted(mine.text.splitlines()) == ["r1 hold", "r2 go3"], ask
        post.reply(ALICE, "r1 go2\nr2 go3")
        post.tick()
    assert post.of(BOB)


@pytest.mark.parametrize(
    ("typed", "file", "sealed"),
    [
        ("r1 go2\nr2 go3", "{form}", "r1 go2\nr2 go3"),
        ("r1 go2\nr2 go3\n\nThanks,\nAnn", "{form}", "r1 go2\nr2 go3"),
        ("", "{form}", None),
        ("Thanks!", "{form}", None),
        ("Orders attached.\n\nAnn", "r1 go2\nr2 hold\n", "r1 go2\nr2 hold"),
        ("final", "r1 go2\nr2 hold\n", "r1 go2\nr2 hold"),
        ("r2 go3", "r1 go2\n", "r1 go2\nr2 go3"),
    ],
)
def test_a_form_that_a_program_attaches_to_the_reply_does_not_hide_what_was_typed(
    post: Post, typed: str, file: str, sealed: str | None
) -> None:
    """Some programs send our attachments back with a reply; the orders that the player typed count then."""
    match = post.begin()
    form = views.open_form(post.server, match, "red").text
    asked = post.last(ALICE)
    text = f"{typed}\n\n{WROTE}\n\n{quoted(text_of(asked))}"
    message = post.write(asked["Reply-To"], text, ALICE, In_Reply_To=asked["Message-ID"])
    message.add_attachment(file.format(form=form), filename="orders.txt")
    post.send(message)
    post.tick()
    mine = views.status(post.server, match, "red").mine
    assert mine is not None and (mine.text if mine.sealed else None) == sealed, post.state_of_last_mail()
    assert mine.final is (typed == "final")


@pytest.mark.parametrize("below", ["", "\n\nAnn", "\n\nThanks\nAnn Example\n+49 170 1234567"])
def test_an_order_that_looks_like_a_name_is_an_order(below: str) -> None:
    """Lines such as `rest overwatch`, below other orders, were taken for the names of their writers."""
    text, is_order = f"g1 hold\nrest overwatch{below}", {"rest overwatch", "ceasefire"}.__contains__
    lines = [line for line in text.split("\n") if line]
    assert without_sign_off(lines, ["hold"], is_order)[1:2] == ["rest overwatch"]
    found = difference(f"{text}\n\n{PROGRAMS['marked'](STATUS)}", STATUS, FORM, is_order)
    assert lines_of(found) == ["g1 hold", "rest overwatch"]


def test_few_lines_of_a_long_sign_off_are_read_as_orders() -> None:
    asked: list[str] = []

    def is_order(line: str) -> bool:
        asked.append(line)
        return False

    without_sign_off(["g1 hold", *["Ann"] * 400], ["hold"], is_order)
    assert len(asked) <= 12

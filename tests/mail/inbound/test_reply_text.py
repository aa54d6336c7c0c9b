"""Only the new text of a reply is read: quotations, signatures and additions are removed, and orders stay
unchanged."""

from __future__ import annotations

from contextlib import suppress

import pytest

from pbem.mail.inbound.html_text import text_of_html
from pbem.mail.inbound.reply_difference import difference, without_sign_off
from pbem.mail.inbound.reply_text import MOST_NEW_LINES, TooMuch, new_text
from pbem.tools.soak.hostile_mail import Profile

ORDERS = "r1 go3\nr2 hold\nfinal"
OURS = "The other side has sent its orders for turn 3.\n\nr1 hold\n"
QUOTED = "> r1 hold\n> r2 hold\n"


@pytest.mark.parametrize(
    "below",
    [
        f"On Mon, 3 Mar 2025 at 12:00, pbem <orders@x> wrote:\n\n{QUOTED}",
        f"On Mon, 3 Mar 2025 at 12:00, The Pass by mail\n<orders+abc@pbem.example.org>\nwrote:\n{QUOTED}",
        f"Am Mo., 3. März 2025 um 12:00 Uhr schrieb pbem <orders@x>:\n{QUOTED}",
        f"Le lun. 3 mars 2025 à 12:00, pbem <orders@x> a écrit :\n{QUOTED}",
        "On Mon, 3 Mar 2025 at 12:00, pbem <orders@x> wrote:\n\nr1 hold\nr2 hold\n",
        "-----Original Message-----\nFrom: pbem\n\nr1 hold\n",
        "________________________________\nFrom: pbem <orders@x>\nSent: Monday\n\nr1 hold\n",
        "From: pbem <orders@x>\nSent: Monday, 3 March 2025 12:00\nTo: Ann\nSubject: The Pass\n\nr1 hold\n",
        "-- \nAnn Example\nr1 hold",
        "Sent from my iPhone",
        QUOTED,
        "",
    ],
)
def test_orders_above_a_quotation_are_found_whole(below: str) -> None:
    assert new_text(f"{ORDERS}\n\n{below}") == ORDERS


def test_orders_below_and_between_quoted_lines_are_found() -> None:
    text = f"On Mon, 3 Mar 2025 at 12:00, pbem <orders@x> wrote:\n{QUOTED}\nr1 go3\n{QUOTED}r2 hold\n"
    assert new_text(text).split() == ["r1", "go3", "r2", "hold"]


OURS = f"Your orders for exchange 2:\n\n    r1 hold\n    r2 hold\n\nhttps://pbem.test/matches/x\nCode: {'a' * 36}\n"


@pytest.mark.parametrize(
    "above",
    [
        "On Mon, 3 Mar 2025 at 12:00, pbem <orders@x> wrote:\n\n",
        "-----Original Message-----\nFrom: pbem <orders@x>\nSubject: The Pass\n\n",
        "From: pbem <orders@x>\nSent: Monday, 3 March 2025 12:00\nTo: Ann\nSubject: The Pass\n\n",
    ],
)
def test_orders_below_a_mail_of_ours_that_is_quoted_without_marks_are_found(above: str) -> None:
    """Our email ends with its code, so orders below an unmarked quotation of it are found; orders above
    the quotation take precedence."""
    assert new_text(f"{above}{OURS}\n{ORDERS}\n-- \nAnn") == ORDERS
    assert new_text(f"{above}{OURS}") == ""
    assert new_text(f"{ORDERS}\n\n{above}{OURS}\nr2 go1") == ORDERS
    assert new_text(f"{above}r1 hold\nr2 hold\n{ORDERS}") == "", "without the code nobody can tell where ours ends"


def test_quoted_lines_are_quoted_however_long() -> None:
    assert new_text(f"r1 go3\n> > press all: {'x' * 5000}\n  > {'y' * 90_000}") == "r1 go3"


def test_edited_quoted_lines_are_still_quoted() -> None:
    assert new_text("> r1 go3\n> r2 hold\n>> deeper") == ""


@pytest.mark.parametrize("line", ["- r1 go3", "r1 fire r2, r3; r4", "# a remark", "move b7: f f l", "g1 hold"])
def test_lines_of_orders_are_not_taken_for_signatures(line: str) -> None:
    assert new_text(f"{line}\n{line}") == f"{line}\n{line}"


def test_line_ends_and_odd_spaces_do_not_matter() -> None:
    assert new_text("  r1\xa0go3 \r\n\r\n r2 hold\r\n") == "r1 go3\n\nr2 hold"


@pytest.mark.parametrize(
    "text", ["On " * 20_000, "On \n" * 20_000, ("On " + "wrote " * 40 + "\n") * 400, "> " * 50_000, "- _" * 30_000]
)
def test_no_mail_keeps_the_server_busy(text: str) -> None:
    with Profile() as profile, suppress(TooMuch):
        new_text(text)
    assert profile.calls < 400_000


@pytest.mark.parametrize("line", ["Ж" * 20_000 + "1", "phone" + " " * 20_000 + "x", "-" * 20_000 + "a"])
def test_no_line_below_the_orders_keeps_the_server_busy(line: str) -> None:
    """No line below the orders takes long to read; a regular expression once needed hours for the first of these."""
    assert without_sign_off(["r1 hold", line], ["r1"]) == ["r1 hold", line]
    assert difference(f"{line}\n{OURS}", OURS, "r1 hold") is not None
    assert new_text(f"r1 hold\nBest regards {line[:900]}") != ""


@pytest.mark.parametrize(
    "quotation",
    [
        '<div class="gmail_quote"><div>On Monday pbem wrote:</div><blockquote>r1 hold</blockquote></div>',
        '<blockquote type="cite">r1 hold<blockquote>deeper</blockquote>r2 hold</blockquote>',
        '<div id="appendonsend"></div><hr><div id="divRplyFwdMsg">From: pbem</div><div>r1 hold</div>',
        '<div class="moz-cite-prefix">On 3 March pbem wrote:</div><blockquote>r1 hold</blockquote>',
    ],
)
def test_html_alone_is_read_like_text(quotation: str) -> None:
    orders = "<p>r1 go3</p><div>r2&nbsp;hold</div>final<br>"
    html = f"<html><head><style>p {{}}</style></head><body>{orders}{quotation}</body>"
    assert [line for line in new_text(text_of_html(html)).splitlines() if line] == ORDERS.splitlines()


def test_broken_html_is_read_as_far_as_it_goes() -> None:
    assert text_of_html("<div>r1 go3<p>r2 hold</td></b><script>x") == "r1 go3\nr2 hold"


def test_more_than_can_be_read_is_said_and_a_part_never_counts_for_the_whole() -> None:
    with pytest.raises(TooMuch):
        new_text("r1 go3\n" * (MOST_NEW_LINES + 2))
    assert new_text("r1 go3\n" + "> quoted\n" * 30_000) == "r1 go3", "threads grow"
    with pytest.raises(TooMuch):
        new_text("\n" * 30_000 + "r1 go3")


@pytest.mark.parametrize("line", ["Hi, accept!", "Hello, status please", "Thanks", "Best tank forward"])
def test_politeness_is_left_alone_where_it_says_something(line: str) -> None:
    assert new_text(line) == line


def test_a_greeting_and_a_closing_formula_are_taken_away() -> None:
    assert new_text(f"Hi all,\n\n{ORDERS}\n\nKind regards, Ann\n+44 20 7946 0000") == ORDERS


def test_the_rest_of_a_quoted_line_that_was_broken_is_quoted_too() -> None:
    quoted = "> Reply to this mail and write your lines at the top; lines that start with\n> do not count.\n"
    broken = "> Who has sent nothing by then has until Wed 18 Nov 2026, 16:54 and not\nlonger than that.\n"
    assert new_text(f"r1 go3\n\nOn 16 Nov 2026 10:50, pbem wrote:\n{quoted}{broken}>\n> r1 hold\n") == "r1 go3"


def test_what_stands_between_quoted_lines_is_not_taken_for_the_rest_of_one() -> None:
    """Text between quoted lines is taken for the rest of a wrapped line only if it fits one: wrapped lines are long,
    and an order begins with a short word."""
    prose = f"> {'so many words ' * 9}\n"
    near = f"> {'x' * 73}\nr2 go4\n"
    text = f"r1 go3\n\nOn 16 Nov 2026 10:50, pbem wrote:\n{prose}{near}> r1 hold\nr3 hold\n> more\n"
    assert new_text(text).split() == ["r1", "go3", "r2", "go4", "r3", "hold"]

"""§10 In replies from every mail program and in every language, our own quoted email is recognised and ignored."""

from __future__ import annotations

import pytest
from support.postbox import ALICE, Post, form_in, text_of

from pbem.matches import views
from pbem.matches.history.replay import all_matches, record_of

OUTLOOK = {
    "fi": ("Lähettäjä", "Lähetetty", "Vastaanottaja", "Aihe"),
    "el": ("Από", "Στάλθηκε", "Προς", "Θέμα"),
    "vi": ("Từ", "Đã gửi", "Đến", "Chủ đề"),
    "tr": ("Kimden", "Gönderildi", "Kime", "Konu"),
    "hu": ("Feladó", "Elküldve", "Címzett", "Tárgy"),
    "he": ("מאת", "נשלח", "אל", "נושא"),
    "ar": ("من", "تاريخ الإرسال", "إلى", "الموضوع"),
    "th": ("จาก", "ส่ง", "ถึง", "เรื่อง"),
    "ro": ("De la", "Trimis", "Către", "Subiect"),
    "xx": ("Zork", "Blorb", "Grue", "Frotz"),
}
WRAPPED = {
    "id": "Pada tanggal Sen, 3 Mar 2025 pukul 12.00 The Pass\n<orders@pbem.test> menulis:",
    "hi": "सोम, 3 मार्च 2025 को 12:00 बजे को The Pass\n<orders@pbem.test> ने लिखा:",
    "fa": "در دوشنبه ۳ مارس ۲۰۲۵ ساعت ۱۲:۰۰ The Pass\n<orders@pbem.test> نوشت:",
    "hr": "pon, 3. ožu 2025. u 12:00 The Pass\n<orders@pbem.test> napisao je:",
    "xx": "Zork 3 blorb 2025, The Pass\n<orders@pbem.test> frotz:",
}


@pytest.fixture
def asked(post: Post):
    post.begin()
    return post, post.last(ALICE)


def answer(post: Post, asked, text: str) -> str:
    """Return the orders that are sealed after this reply; fail the test if the reply is refused."""
    post.send(post.write(asked["Reply-To"], text, ALICE, In_Reply_To=asked["Message-ID"]))
    post.tick()
    match = all_matches(post.server)[0]
    mine = views.status(post.server, match, "red").mine
    assert mine is not None and mine.sealed, text_of(post.last(ALICE))
    return mine.text


@pytest.mark.parametrize("language", OUTLOOK)
def test_classic_outlook_quotes_without_marks_in_any_language(asked, language):
    post, mail = asked
    who, when, to, about = OUTLOOK[language]
    header = f"{who}: pbem <orders@pbem.test>\n{when}: 3.3.2025 12:00\n{to}: Alice\n{about}: {mail['Subject']}"
    assert answer(post, mail, f"r1 go2\nr2 hold\n\n{header}\n\n{text_of(mail)}") == "r1 go2\nr2 hold"


@pytest.mark.parametrize("language", WRAPPED)
def test_an_attribution_that_is_wrapped_in_any_language(asked, language):
    post, mail = asked
    quoted = "\n".join(f"> {line}" for line in text_of(mail).splitlines())
    assert answer(post, mail, f"r1 go2\nr2 hold\n\n{WRAPPED[language]}\n\n{quoted}") == "r1 go2\nr2 hold"


@pytest.mark.parametrize("mark", ["> ", "", "| ", ">> "])
def test_a_line_that_was_changed_in_the_quoted_form_is_an_order(asked, mark):
    """A line changed in the quoted form is an order, even inside a quotation: the form says "Edit these lines and
    send them back"."""
    post, mail = asked
    first = form_in(mail).splitlines()[0]
    changed = text_of(mail).replace(first, f"{first.split()[0]} go2", 1)
    quoted = "\n".join(f"{mark}{line}" for line in changed.splitlines())
    sealed = answer(post, mail, f"On Mon, 3 Mar 2025 at 12:00, pbem <orders@pbem.test> wrote:\n\n{quoted}\n")
    assert sealed.splitlines()[0] == f"{first.split()[0]} go2"
    assert len(sealed.splitlines()) == len(form_in(mail).splitlines())


WROTE = "On Mon, 3 Mar 2025 at 12:00, pbem <orders@pbem.test> wrote:\n\n"


@pytest.mark.parametrize(("mark", "above"), [("> ", WROTE), ("", WROTE), ("", "")])
def test_our_mail_that_comes_back_unchanged_is_answered_in_one_sentence(asked, mark, above):
    """A player who sends our email back unchanged, with or without quotation marks, is told so in one sentence."""
    post, mail = asked
    text = above + "".join(f"{mark}{line}\n" for line in text_of(mail).splitlines())
    post.send(post.write(mail["Reply-To"], text, ALICE, In_Reply_To=mail["Message-ID"]))
    post.tick()
    said = text_of(post.last(ALICE))
    assert said.count("Not possible") == 1 and "our email came back unchanged" in said.replace("\n", " ")


@pytest.mark.parametrize(
    "closing",
    ["Ann", "-Ann", "- Ann", "Ann Smith", "Thanks!", "Thanks, Ann!", "+49 30 1234567", "Tel. 030/123 45 67", "-----"],
)
def test_a_name_a_number_or_dashes_below_the_orders_are_no_order(asked, closing):
    post, mail = asked
    assert answer(post, mail, f"r1 go2\nr2 hold\n\n{closing}\n") == "r1 go2\nr2 hold"


@pytest.mark.parametrize("thanks", ["Thanks!", "Thank you very much.", "thanks"])
def test_thanks_alone_are_no_order(asked, thanks):
    post, mail = asked
    quoted = "\n".join(f"> {line}" for line in text_of(mail).splitlines())
    post.send(post.write(mail["Reply-To"], f"{thanks}\n\n{quoted}\n", ALICE, In_Reply_To=mail["Message-ID"]))
    post.tick()
    said = text_of(post.last(ALICE)).replace("\n", " ")
    assert "no new lines were found" in said and "You could send" not in said


@pytest.mark.parametrize("line", ["r9 hold", "r2 dance", "r2holt", "hold r2"])
def test_a_slip_in_the_last_order_is_no_sign_off(asked, line):
    post, mail = asked
    post.send(post.write(mail["Reply-To"], f"r1 go2\n{line}\n", ALICE, In_Reply_To=mail["Message-ID"]))
    post.tick()
    match = all_matches(post.server)[0]
    assert record_of(post.server, match).sealed == {}
    assert line in text_of(post.last(ALICE))


def test_words_at_the_top_go_with_the_edited_form(asked):
    post, mail = asked
    first = form_in(mail).splitlines()[0]
    changed = text_of(mail).replace(first, f"{first.split()[0]} go2", 1)
    quoted = "\n".join(f"> {line}" for line in changed.splitlines())
    answer(post, mail, f"final\n\nOn Mon, 3 Mar 2025 at 12:00, pbem <orders@pbem.test> wrote:\n\n{quoted}\n")
    match = all_matches(post.server)[0]
    assert "red" in record_of(post.server, match).final

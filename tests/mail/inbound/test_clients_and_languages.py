"""§10 Only the new text of a reply is read, whatever a mail program writes around the quotation, in any language."""

from __future__ import annotations

import textwrap

import pytest
from support.postbox import ALICE, Post

from pbem.mail.inbound.handle import drain
from pbem.mail.inbound.reply_difference import difference
from pbem.matches.post import inbox, outbox

FORM = "g1 hold    # hold, go1, go2\ng2 hold    # hold, go1, go2"
SENT = f"""Turn 3 of The Pass begins. You are green.

The deadline is Wednesday, 18 November 2026, 20:00 (Berlin).

Edit these lines and send them back:

    {FORM.splitlines()[0]}
    {FORM.splitlines()[1]}

One order per line; # starts a comment. Questions? Answer with the word help.
The Pass, exchange 7, log 0123456789ab
code: aamsv26fliaaaaqaaaaxjzbhheb2fssd7g5q
"""
ORDERS = "g1 go2\ng2 hold"

OUTLOOK = {
    "ar": ("من", "تاريخ الإرسال", "إلى", "الموضوع"),
    "bg": ("От", "Изпратено", "До", "Относно"),
    "ca": ("De", "Enviat", "Per a", "Tema"),
    "cs": ("Od", "Odesláno", "Komu", "Předmět"),
    "da": ("Fra", "Sendt", "Til", "Emne"),
    "de": ("Von", "Gesendet", "An", "Betreff"),
    "el": ("Από", "Στάλθηκε", "Προς", "Θέμα"),
    "en": ("From", "Sent", "To", "Subject"),
    "es": ("De", "Enviado el", "Para", "Asunto"),
    "et": ("Saatja", "Saadetud", "Adressaat", "Teema"),
    "eu": ("Nork", "Bidalia", "Nori", "Gaia"),
    "fa": ("از", "ارسال شده", "به", "موضوع"),
    "fi": ("Lähettäjä", "Lähetetty", "Vastaanottaja", "Aihe"),
    "fr": ("De", "Envoyé", "À", "Objet"),
    "gl": ("De", "Enviado", "Para", "Asunto"),
    "he": ("מאת", "נשלח", "אל", "נושא"),
    "hi": ("प्रेषक", "भेजा गया", "प्रति", "विषय"),
    "hr": ("Šalje", "Poslano", "Prima", "Predmet"),
    "hu": ("Feladó", "Elküldve", "Címzett", "Tárgy"),
    "id": ("Dari", "Dikirim", "Kepada", "Subjek"),
    "is": ("Frá", "Sent", "Til", "Efni"),
    "it": ("Da", "Inviato", "A", "Oggetto"),
    "ja": ("差出人", "送信日時", "宛先", "件名"),
    "ko": ("보낸 사람", "보낸 날짜", "받는 사람", "제목"),
    "lt": ("Nuo", "Išsiųsta", "Kam", "Tema"),
    "lv": ("No", "Nosūtīts", "Kam", "Tēma"),
    "ms": ("Daripada", "Dihantar", "Kepada", "Subjek"),
    "nl": ("Van", "Verzonden", "Aan", "Onderwerp"),
    "no": ("Fra", "Sendt", "Til", "Emne"),
    "pl": ("Od", "Wysłano", "Do", "Temat"),
    "pt": ("De", "Enviada em", "Para", "Assunto"),
    "ro": ("De la", "Trimis", "Către", "Subiect"),
    "ru": ("От", "Отправлено", "Кому", "Тема"),
    "sk": ("Od", "Odoslané", "Komu", "Predmet"),
    "sl": ("Od", "Poslano", "Za", "Zadeva"),
    "sr": ("Šalje", "Poslato", "Za", "Tema"),
    "sv": ("Från", "Skickat", "Till", "Ämne"),
    "th": ("จาก", "ส่งเมื่อ", "ถึง", "เรื่อง"),
    "tr": ("Kimden", "Gönderildi", "Kime", "Konu"),
    "uk": ("Від", "Надіслано", "Кому", "Тема"),
    "vi": ("Từ", "Đã gửi", "Đến", "Chủ đề"),
    "zh": ("发件人", "发送时间", "收件人", "主题"),
}
"""The header that classic Outlook writes above an email that it quotes without any mark."""

GMAIL = {
    "ar": "في الاثنين، 16 نوفمبر 2026 في 10:50 ص تمت كتابة ما يلي بواسطة pbem <orders@pbem.test>:",
    "bg": "На пн, 16.11.2026 г. в 10:50 ч. pbem <orders@pbem.test> написа:",
    "cs": "po 16. 11. 2026 v 10:50 odesílatel pbem <orders@pbem.test> napsal:",
    "da": "Den man. 16. nov. 2026 kl. 10.50 skrev pbem <orders@pbem.test>:",
    "de": "Am Mo., 16. Nov. 2026 um 10:50 Uhr schrieb pbem <orders@pbem.test>:",
    "el": "Στις Δευ 16 Νοε 2026 στις 10:50 π.μ., ο/η pbem <orders@pbem.test> έγραψε:",
    "en": "On Mon, Nov 16, 2026 at 10:50 AM pbem <orders@pbem.test> wrote:",
    "es": "El lun, 16 nov 2026 a las 10:50, pbem (<orders@pbem.test>) escribió:",
    "et": "pbem <orders@pbem.test> kirjutas kuupäeval E, 16. november 2026 kell 10:50:",
    "fi": "ma 16. marrask. 2026 klo 10.50 pbem <orders@pbem.test> kirjoitti:",
    "fr": "Le lun. 16 nov. 2026 à 10:50, pbem <orders@pbem.test> a écrit :",
    "he": "‫בתאריך יום ב׳, 16 בנוב׳ 2026 ב-10:50 מאת ‪pbem‬‏ <‪orders@pbem.test‬‏>:‬",
    "hr": "pon, 16. stu 2026. u 10:50 pbem <orders@pbem.test> napisao je:",
    "hu": "pbem <orders@pbem.test> ezt írta (időpont: 2026. nov. 16., H, 10:50):",
    "id": "Pada tanggal Sen, 16 Nov 2026 pukul 10.50 pbem <orders@pbem.test> menulis:",
    "it": "Il giorno lun 16 nov 2026 alle ore 10:50 pbem <orders@pbem.test> ha scritto:",
    "ja": "2026年11月16日(月) 10:50 pbem <orders@pbem.test>:",
    "ko": "2026년 11월 16일 (월) 오전 10:50, pbem <orders@pbem.test>님이 작성:",
    "lt": "2026-11-16, pr, 10:50 pbem <orders@pbem.test> rašė:",
    "nl": "Op ma 16 nov 2026 om 10:50 schreef pbem <orders@pbem.test>:",
    "no": "man. 16. nov. 2026 kl. 10:50 skrev pbem <orders@pbem.test>:",
    "pl": "pon., 16 lis 2026 o 10:50 pbem <orders@pbem.test> napisał(a):",
    "pt": "Em seg., 16 de nov. de 2026 às 10:50, pbem <orders@pbem.test> escreveu:",
    "ro": "Pe lun., 16 nov. 2026 la 10:50, pbem <orders@pbem.test> a scris:",
    "ru": "пн, 16 нояб. 2026 г. в 10:50, pbem <orders@pbem.test>:",
    "sk": "po 16. 11. 2026 o 10:50 pbem <orders@pbem.test> napísal(a):",
    "sv": "Den mån 16 nov. 2026 kl 10:50 skrev pbem <orders@pbem.test>:",
    "th": "ในวันที่ จ. 16 พ.ย. 2026 เวลา 10:50 pbem <orders@pbem.test> เขียนว่า:",
    "tr": "pbem <orders@pbem.test>, 16 Kas 2026 Pzt, 10:50 tarihinde şunu yazdı:",
    "uk": "пн, 16 лист. 2026 р. о 10:50 pbem <orders@pbem.test> пише:",
    "vi": "Vào Th 2, 16 thg 11, 2026 vào lúc 10:50 pbem <orders@pbem.test> đã viết:",
    "zh": "pbem <orders@pbem.test> 于2026年11月16日周一 10:50写道：",
}


def quoted(mark: str = "> ") -> str:
    return "\n".join(f"{mark}{line}".rstrip() for line in SENT.splitlines())


def outlook(language: str) -> str:
    name, sent, to, subject = OUTLOOK[language]
    head = f"{name}: pbem <orders@pbem.test>\n{sent}: 16.11.2026 10:50\n{to}: ann@example.org\n{subject}: The Pass"
    return f"{'_' * 32}\n{head}\n\n{SENT}"


def gmail(language: str) -> str:
    return "\n".join([*textwrap.wrap(GMAIL[language], 44), "", quoted()])


OTHERS: dict[str, str] = {
    "Samsung, Korean": f"-------- 원본 메시지 --------\n발신: pbem <orders@pbem.test>\n날짜: 26/11/16\n\n{SENT}",
    "Samsung, German": f"-------- Ursprüngliche Nachricht --------\nVon: pbem <orders@pbem.test>\nAn: ann\n\n{SENT}",
    "Samsung, English": f"-------- Original message --------\nFrom: pbem <orders@pbem.test>\nTo: ann\n\n{SENT}",
    "Apple, English": f"> On 16 Nov 2026, at 10:50, pbem <orders@pbem.test> wrote:\n> \n{quoted()}",
    "Apple, French": f"Le 16 nov. 2026 à 10:50, pbem <orders@pbem.test> a écrit :\n\n{quoted('')}",
    "Apple, Japanese": f"2026/11/16 10:50、pbem <orders@pbem.test>のメール:\n\n{quoted()}",
    "Outlook for phones": f"Get Outlook for iOS<https://aka.ms/o0ukef>\n{outlook('en')}",
    "Yahoo": f"    On Monday, 16 November 2026 at 10:50:01 CET, pbem <orders@pbem.test> wrote:  \n\n {quoted(' ')}",
    "Thunderbird": f"Am 16.11.2026 um 10:50 schrieb pbem:\n{quoted()}",
    "QQ": f'------------------ 原始邮件 ------------------\n发件人: "pbem" <orders@pbem.test>;\n\n{SENT}',
}
REPLIES: dict[str, str] = {
    **{f"Outlook, {language}": outlook(language) for language in OUTLOOK},
    **{f"Gmail, {language}": gmail(language) for language in GMAIL},
    **OTHERS,
}
SIGN_OFFS = ("", "\n\nAnn", "\n\n-Ann", "\n\nThanks!", "\n\n-- \nAnn Example\n+49 170 1234567", "\n\n--------")


def new_in(text: str) -> list[str]:
    found = difference(text, SENT, FORM)
    assert found is not None
    return [line.strip() for line in found.text.splitlines() if line.strip()]


@pytest.mark.parametrize("name", REPLIES)
def test_orders_above_the_quoted_mail_are_all_that_counts(name: str) -> None:
    for sign_off in SIGN_OFFS:
        assert new_in(f"{ORDERS}{sign_off}\n\n{REPLIES[name]}") == ORDERS.splitlines(), sign_off


@pytest.mark.parametrize("name", REPLIES)
def test_a_line_that_was_edited_in_the_quoted_form_is_an_order(name: str) -> None:
    edited = REPLIES[name].replace("g1 hold ", "g1 go2 ")
    assert [line.split("#")[0].split() for line in new_in(edited)] == [["g1", "go2"], ["g2", "hold"]]


@pytest.mark.parametrize("name", REPLIES)
def test_our_mail_that_comes_back_unchanged_is_known(name: str) -> None:
    found = difference(f"\n{REPLIES[name]}", SENT, FORM)
    assert found is not None and found.unchanged and found.text == ""


def test_our_mail_that_comes_back_unchanged_gets_one_sentence(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reply that wraps Gmail's attribution line goes through the server; it once got a complaint for every word."""
    post.begin()
    asked = post.last(ALICE)
    monkeypatch.setattr(outbox, "text_sent_to", lambda *place: SENT)
    wrong = {}
    for name, reply in REPLIES.items():
        message = post.write(asked["Reply-To"], f"\n{reply}", ALICE, In_Reply_To=asked["Message-ID"])
        inbox.receive(post.server, bytes(message), sender=ALICE, recipients=[str(asked["Reply-To"])])
        drain(post.server, post.settings, post.now)
        state, why = post.state_of_last_mail()
        if state != inbox.REFUSED or not why.startswith("our email came back unchanged"):
            wrong[name] = why
        post.server.database.execute("DELETE FROM limits")
    assert wrong == {}


@pytest.mark.parametrize("wrap", [60, 72])
def test_a_program_that_breaks_long_lines_adds_nothing(wrap: int) -> None:
    def broken(text: str) -> str:
        return "\n".join(piece for line in text.splitlines() for piece in textwrap.wrap(line, wrap) or [""])

    assert new_in(f"{ORDERS}\n\n{GMAIL['en']}\n\n{broken(quoted())}") == ORDERS.splitlines()


OWN_LINES = "company of the guard overwatch\ng1 go2 unless the river is high"
REFUSAL = f"""Nothing has changed: 1 of your 3 lines cannot be accepted.

> g2 dances until the sun comes up
Not possible: dance is no order.

Please correct your lines and send all of them again. You sent:

    {OWN_LINES.splitlines()[0]}
    {OWN_LINES.splitlines()[1]}
    g2 dances until the sun comes up

Here is the form again:

    {FORM.splitlines()[0]}
    {FORM.splitlines()[1]}

code: aamsv26fliaaaaqaaaaxjzbhheb2fssd7g5q
"""


def test_lines_that_we_repeated_to_their_author_are_theirs_when_they_send_them_again() -> None:
    again = f"{OWN_LINES}\ng2 hold"
    assert difference(again, REFUSAL, FORM) is None, "nothing is quoted"
    for quotation in (REFUSAL, "\n".join(f"> {line}" for line in REFUSAL.splitlines())):
        above, below = (
            difference(text, REFUSAL, FORM) for text in (f"{again}\n\n{quotation}", f"{quotation}\n{again}")
        )
        assert above is not None and above.text == again
        assert below is not None and below.text == again

"""Writes tests/mail/messages: replies as mail programs around the world make them, and what is new in each.

    cd tests && python -m programs.write_messages

Every message is made up for this project. The bytes follow the habits of the program it is named after: its headers,
its character set and encoding, how it quotes, and what it adds. `expected.toml` holds the lines that are new, or why
nobody is to be answered.
"""

# ruff: noqa: E501  (a message is easier to read in one piece)

from __future__ import annotations

import base64
import json
import quopri
import textwrap
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "mail" / "messages"
TOKEN = "abqw3e5rt7yuioplkjhgfdsazxcvbnm23456"
TO = f"orders+{TOKEN}@pbem.test"
SERVER = "pbem <orders@pbem.test>"
ORDERS = ["r1 go3", "r2 hold", "final"]
TYPED = "r1 go3\nr2 hold\nfinal"

ASKED = f"""\
What happened in turn 1 (exchange 2), as far as red may know, each with its rule:

- r1 moves to 0203 (4.1)

Your orders for exchange 3 (orders, rule 1). Edit these lines and send them back:

    r1 hold    # hold, go1, go2, go3
    r2 hold    # hold, go1, go2, go3

Reply to this mail and write your lines at the top; lines that start with > do not count.
Until: Wed 5 Mar 2025, 12:00 UTC (48 hours after Mon 3 Mar 2025, 12:00 UTC).
The Pass, turn 2, log 5c85a20219bb
https://pbem.test/matches/rae2tflw
Code: {TOKEN}
"""
ASKED_HTML = "".join(f"<p>{line.strip()}</p>" for line in ASKED.splitlines() if line.strip())
QUOTED = "\n".join(f"> {line}".rstrip() for line in ASKED.splitlines())
TIGHT = "\n".join(f">{line}" for line in ASKED.splitlines())

expected: dict[str, dict[str, object]] = {}
written: dict[str, bytes] = {}


# Bytes -------------------------------------------------------------------------------------------------------


def body(text: str, charset: str = "utf-8", encoding: str = "quoted-printable") -> bytes:
    content = text.replace("\r\n", "\n").replace("\n", "\r\n").encode(charset)
    if encoding == "base64":
        return b"\r\n".join(wrapped(content)) + b"\r\n"
    if encoding == "quoted-printable":
        lines = content.split(b"\r\n")
        return b"\r\n".join(quopri.encodestring(line).replace(b"\n", b"\r\n") for line in lines) + b"\r\n"
    return content + b"\r\n"


def wrapped(content: bytes) -> list[bytes]:
    coded = base64.b64encode(content)
    return [coded[place : place + 76] for place in range(0, len(coded), 76)]


def part(
    text: str,
    kind: str = "text/plain",
    charset: str = "utf-8",
    encoding: str = "quoted-printable",
    more: str = "",
    head: str = "",
    coded: str = "",
) -> bytes:
    """A part; `charset` is what the label says, `coded` what the bytes are if that differs."""
    label = f"; charset={charset}" if charset else ""
    lines = [f"Content-Type: {kind}{label}{more}", f"Content-Transfer-Encoding: {encoding}"]
    lines += [head] if head else []
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body(text, coded or charset or "ascii", encoding)


def several(kind: str, *parts: bytes, boundary: str = "b1", more: str = "") -> bytes:
    head = f'Content-Type: multipart/{kind}; boundary="{boundary}"{more}\r\n\r\n'.encode()
    inside = b"".join(b"--" + boundary.encode() + b"\r\n" + piece + b"\r\n" for piece in parts)
    return head + inside + b"--" + boundary.encode() + b"--\r\n"


def both(
    plain: str, html: str, charset: str = "utf-8", encoding: str = "quoted-printable", boundary: str = "alt"
) -> bytes:
    return several(
        "alternative",
        part(plain, charset=charset, encoding=encoding),
        part(html, "text/html", charset, encoding),
        boundary=boundary,
    )


def message(
    name: str,
    content: bytes,
    lines: list[str] | None = None,
    *,
    machine: str = "",
    sender: str = "Ann Example <ann@example.org>",
    subject: str = "Re: The Pass: turn 1 report for red",
    to: str = TO,
    headers: tuple[str, ...] = (),
) -> None:
    """Remember a message and what is expected of it."""
    assert name not in written, name
    head = [
        *headers,
        "MIME-Version: 1.0",
        "Date: Mon, 3 Mar 2025 18:22:07 +0100",
        f"Message-ID: <{name}@mail.example.org>",
        f"Subject: {subject}",
        f"From: {sender}",
        f"To: {to}",
    ]
    written[name] = "\r\n".join(head).encode() + b"\r\n" + content
    expected[name] = {"machine": machine} if machine else {"lines": ORDERS if lines is None else lines}


def as_html(text: str, tag: str = "div") -> str:
    return "".join(f"<{tag}>{line or '<br>'}</{tag}>" for line in text.split("\n"))


# English -----------------------------------------------------------------------------------------------------


def gmail(name: str, text: str, attribution: str, lines: list[str] | None = None, **more: object) -> None:
    """Gmail on the web: two forms, the quotation in a `gmail_quote`."""
    attr = " ".join(attribution.split("\n"))
    html = (
        f'<div dir="ltr">{as_html(text)}</div><br><div class="gmail_quote gmail_quote_container">'
        f'<div dir="ltr" class="gmail_attr">{attr.replace("<", "&lt;").replace(">", "&gt;")}<br></div>'
        '<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204)">'
        f"{ASKED_HTML}</blockquote></div>"
    )
    plain = f"{text}\n\n{attribution}\n\n{QUOTED}\n"
    message(name, both(plain, html, **more), lines, headers=("X-Mailer: Gmail",))  # type: ignore[arg-type]


def english_gmail() -> None:
    gmail("gmail-web-en", TYPED, f"On Mon, Mar 3, 2025 at 12:00\u202fPM {SERVER} wrote:")
    gmail(
        "gmail-web-en-wrapped", TYPED, "On Mon, Mar 3, 2025 at 12:00 PM The Pass by mail <\norders@pbem.test> wrote:"
    )
    gmail(
        "gmail-greeting-en", f"Hi there,\n\n{TYPED}\n\nThanks,\nAnn", f"On Mon, 3 Mar 2025 at 12:00, {SERVER} wrote:"
    )
    long = "r1 move from 0203 by road through 0204 0205 0206 and then fire at the second tank near the farm"
    message(
        "gmail-long-line-en",
        both(
            f"{textwrap.fill(long, 72)}\nr2 hold\n\nOn Mon, 3 Mar 2025 at 12:00, {SERVER} wrote:\n\n{QUOTED}\n",
            f'<div dir="ltr">{long}<div>r2 hold</div></div><br><div class="gmail_quote"><div class="gmail_attr">On Mon, '
            "3 Mar 2025 at 12:00, pbem &lt;orders@pbem.test&gt; wrote:<br></div><blockquote>x</blockquote></div>",
        ),
        [long, "r2 hold"],
    )
    message(
        "gmail-interleaved-en",
        both(
            f"On Mon, 3 Mar 2025 at 12:00, {SERVER} wrote:\n\n> Your orders for exchange 3\n>\n>     r1 hold\n\nr1 go3\n\n"
            ">     r2 hold\n\nr2 hold\n\n> Until: Wed 5 Mar 2025\n\nfinal\n",
            '<div dir="ltr"><div class="gmail_quote"><div class="gmail_attr">On Mon, 3 Mar 2025 at 12:00, pbem '
            "&lt;orders@pbem.test&gt; wrote:</div><blockquote>r1 hold</blockquote><div>r1 go3</div><blockquote>r2 hold"
            "</blockquote><div>r2 hold</div><blockquote>Until</blockquote><div>final</div></div></div>",
        ),
    )
    message(
        "gmail-bottom-en",
        part(f"On Mon, 3 Mar 2025 at 12:00, {SERVER} wrote:\n>\n{QUOTED}\n\n{TYPED}\n"),
    )
    message(
        "gmail-html-interleaved-en",
        part(
            '<div dir="ltr"><div class="gmail_quote"><div class="gmail_attr">On Mon, 3 Mar 2025 at 12:00, pbem '
            "&lt;orders@pbem.test&gt; wrote:<br></div><blockquote>r1 hold</blockquote><div>r1 go3</div><blockquote>r2 "
            "</blockquote><div>r2 hold</div><div>final</div></div></div>",
            "text/html",
        ),
    )
    forwarded = (
        "---------- Forwarded message ---------\nFrom: pbem <orders@pbem.test>\nDate: Mon, 3 Mar 2025 at 12:00\n"
        f"Subject: The Pass: turn 1 report for red\nTo: <bob@example.net>\n\n\n{ASKED}"
    )
    message("gmail-forward-en", part(f"\n{forwarded}"), [], subject="Fwd: The Pass: turn 1 report for red")
    message("gmail-forward-with-orders-en", part(f"{TYPED}\n\n{forwarded}"), subject="Fwd: The Pass")
    message(
        "gmail-forward-html-en",
        part(
            f'<div dir="ltr">{as_html(TYPED)}<br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">---------- '
            "Forwarded message ---------<br>From: <b>pbem</b> &lt;orders@pbem.test&gt;<br>Date: Mon<br></div><br>"
            f"{ASKED_HTML}</div></div>",
            "text/html",
        ),
        subject="Fwd: The Pass",
    )


def english_apple() -> None:
    html = (
        '<html><body style="overflow-wrap: break-word;">' + as_html(TYPED) + '<br id="lineBreakAtBeginningOfMessage">'
        '<div><br><blockquote type="cite"><div>On 3 Mar 2025, at 12:00, pbem &lt;orders@pbem.test&gt; wrote:</div>'
        f'<br class="Apple-interchange-newline"><div>{ASKED_HTML}</div></blockquote></div><br></body></html>'
    )
    head = "\n\n> On 3 Mar 2025, at 12:00, pbem <orders@pbem.test> wrote:\n> \n"
    message(
        "apple-mail-en", both(TYPED + head + QUOTED, html), headers=("X-Mailer: Apple Mail (2.3826.400.131.1.6)",)
    )
    message("apple-mail-html-only-en", part(html, "text/html", "us-ascii"))
    iphone = f"{TYPED}\n\nSent from my iPhone\n\n> On 3 Mar 2025, at 12:00, pbem <orders@pbem.test> wrote:\n> \n> \ufeff{QUOTED[2:]}\n"
    message("iphone-en", part(iphone), headers=("X-Mailer: iPhone Mail (22D72)",))
    typed = "R1\u00a0Go3\nR2 \u2018hold\u2019 \u2013 please\nFinal."
    message(
        "iphone-autocorrect-en",
        part(
            f"{typed}\n\nSent from my iPad\n\n> On Mar 3, 2025, at 12:00\u202fPM, pbem wrote:\n>\n{QUOTED}",
            encoding="base64",
        ),
        ["R1 Go3", "R2 \u2018hold\u2019 \u2013 please", "Final."],
    )
    message(
        "apple-attached-file-en",
        several(
            "alternative",
            part("Here they are.\n\n"),
            several(
                "mixed",
                part("<html><body>Here they are.<div><br></div></body></html>", "text/html", "us-ascii"),
                part(
                    TYPED + "\n",
                    more="; name=orders.txt",
                    head="Content-Disposition: attachment;\r\n\tfilename=orders.txt",
                ),
                part("<html><body><div></div></body></html>", "text/html", "us-ascii"),
                boundary="Apple-Mail-2",
            ),
            boundary="Apple-Mail-1",
        ),
    )


def english_outlook() -> None:
    header = "From: pbem <orders@pbem.test>\nSent: Monday, March 3, 2025 12:00 PM\nTo: Ann Example <ann@example.org>\nSubject: The Pass: turn 1 report for red\n"
    word = (
        '<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><meta http-equiv=Content-Type content="text/html; '
        'charset=us-ascii"><style><!-- p.MsoNormal {margin:0cm;} --></style></head><body lang=EN-GB><div class=WordSection1>'
        + "".join(f"<p class=MsoNormal>{line}<o:p></o:p></p>" for line in TYPED.split("\n"))
        + "<p class=MsoNormal><o:p>&nbsp;</o:p></p><div><div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt "
        "0cm 0cm 0cm'><p class=MsoNormal><b><span lang=EN-US>From:</span></b><span lang=EN-US> pbem &lt;orders@pbem.test&gt; "
        "<br><b>Sent:</b> Monday, March 3, 2025 12:00 PM<br><b>To:</b> Ann Example &lt;ann@example.org&gt;<br><b>Subject:</b> "
        f"The Pass<o:p></o:p></span></p></div></div><p class=MsoNormal><o:p>&nbsp;</o:p></p>{ASKED_HTML}</div></body></html>"
    )
    message(
        "outlook-desktop-en",
        both(f"{TYPED}\n\n{header}\n{ASKED}", word),
        headers=("X-Mailer: Microsoft Outlook 16.0",),
    )
    message("outlook-desktop-html-only-en", part(word, "text/html", "windows-1252"))
    message(
        "outlook-original-message-en",
        part(f"{TYPED}\n\n-----Original Message-----\n{header}\n{ASKED}", charset="us-ascii", encoding="7bit"),
    )
    message(
        "outlook-bold-header-en",
        part(
            f"{TYPED}\n\n*From:* pbem <orders@pbem.test>\n*Sent:* Monday, March 3, 2025 12:00 PM\n*To:* Ann\n*Subject:* The Pass\n\n{ASKED}"
        ),
    )
    web = (
        f'<html><body dir="ltr"><div class="elementToProof" style="font-size: 12pt;">{as_html(TYPED)}</div>'
        '<div id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" '
        'dir="ltr"><font face="Calibri"><b>From:</b> pbem<br><b>Sent:</b> Monday</font><div>&nbsp;</div></div>'
        f"<div>{ASKED_HTML}</div></body></html>"
    )
    line = "________________________________"
    message("outlook-web-en", both(f"{TYPED}\n{line}\n{header}\n{ASKED}", web, "iso-8859-1"))
    message("outlook-web-html-only-en", part(web, "text/html"))
    message(
        "outlook-mobile-en",
        both(
            f"{TYPED}\n\nGet Outlook for iOS<https://aka.ms/o0ukef>\n{line}\n{header}\n{ASKED}",
            f'<html><body>{as_html(TYPED)}<div id="ms-outlook-mobile-signature"><div></div>Get <a href="https://aka.ms/o0ukef">'
            'Outlook for iOS</a></div><hr><div id="divRplyFwdMsg"><b>From:</b> pbem</div>x</body></html>',
        ),
    )
    message(
        "outlook-winmail-en",
        several(
            "mixed",
            part(f"{TYPED}\n\n{header}\n{ASKED}", charset="us-ascii", encoding="7bit"),
            part(
                "x\x9f>\x22",
                "application/ms-tnef",
                "",
                "base64",
                "; name=winmail.dat",
                "Content-Disposition: attachment; filename=winmail.dat",
                "latin-1",
            ),
        ),
    )
    message(
        "exchange-attached-footer-en",
        several(
            "mixed",
            part(f"{TYPED}\n\n{header}\n{ASKED}", charset="us-ascii", encoding="7bit"),
            part(
                "This message was scanned.\n",
                more="; name=ATT00001.txt",
                head="Content-Disposition: attachment; filename=ATT00001.txt",
            ),
        ),
    )


def english_thunderbird() -> None:
    flowed = "; format=flowed"
    quoted = "\n".join(f"> {line} " if len(line) > 60 else f"> {line}" for line in ASKED.splitlines())
    agent = ("User-Agent: Mozilla Thunderbird",)
    message(
        "thunderbird-bottom-en",
        part(f"On 3/3/25 12:00, pbem wrote:\n{quoted}\n\nr1 go3\nr2 hold\n\nfinal\n", encoding="7bit", more=flowed),
        headers=agent,
    )
    message(
        "thunderbird-flowed-en",
        part(
            "r1 move from 0203 by road through 0204 0205 0206 and then fire at \nthe second tank near the farm\n r2 hold\n\n"
            f"-- \nAnn Example\n3rd Company\nOn 3/3/25 12:00, pbem wrote:\n{quoted}\n",
            encoding="7bit",
            more=flowed,
        ),
        [
            "r1 move from 0203 by road through 0204 0205 0206 and then fire at the second tank near the farm",
            "r2 hold",
        ],
        headers=agent,
    )
    message(
        "thunderbird-delsp-en",
        part(
            "r1 move from 0203 by road through 0204 0205  \n0206 and stop there\nr2 hold\n",
            encoding="7bit",
            more="; format=flowed; delsp=yes",
        ),
        ["r1 move from 0203 by road through 0204 0205 0206 and stop there", "r2 hold"],
        headers=agent,
    )
    html = (
        '<!DOCTYPE html><html><head><meta http-equiv="content-type" content="text/html; charset=UTF-8"></head><body>'
        f'<p>r1 go3<br>r2 hold</p><p>final</p><div class="moz-cite-prefix">On 3/3/25 12:00, pbem wrote:<br></div>'
        f'<blockquote type="cite" cite="mid:x">{ASKED_HTML}</blockquote><div class="moz-signature">-- <br>Ann</div></body></html>'
    )
    message("thunderbird-html-only-en", part(html, "text/html"), headers=agent)


def english_others() -> None:
    gmt = "Mon, 3 Mar 2025"
    top = {
        "mutt-en": f"On {gmt[:3]}, Mar 03, 2025 at 12:00:00PM +0000, pbem wrote:",
        "alpine-en": f"On {gmt}, pbem wrote:",
        "kmail-en": "On Monday, 3 March 2025 12:00:00 Central European Standard Time pbem wrote:",
        "roundcube-en": "On 2025-03-03 12:00, pbem wrote:",
        "evolution-en": "On Mon, 2025-03-03 at 12:00 +0000, pbem wrote:",
        "spark-en": "On Mar 3, 2025 at 12:00 +0000, pbem <orders@pbem.test>, wrote:",
        "fastmail-en": "On Mon, Mar 3, 2025, at 12:00 PM, pbem wrote:",
        "claws-en": f"On {gmt} 12:00:00 +0000\npbem <orders@pbem.test> wrote:",
        "gnus-en": "pbem <orders@pbem.test> writes:",
    }
    for name, attribution in top.items():
        message(name, part(f"{TYPED}\n\n{attribution}\n{QUOTED}\n", charset="us-ascii", encoding="7bit"))
        message(f"{name}-below", part(f"{attribution}\n\n{QUOTED}\n\n{TYPED}\n", charset="utf-8", encoding="8bit"))
    message(
        "k9-en",
        part(
            f"{TYPED}\n\nOn March 3, 2025 12:00:00 PM UTC, pbem <orders@pbem.test> wrote:\n{TIGHT}\n-- \nSent from my Android device with K-9 Mail. Please excuse my brevity."
        ),
    )
    proton = f"{TYPED}\n\nSent with [Proton Mail](https://proton.me/mail/home) secure email.\n\nOn Monday, 3 March 2025 at 12:00, {SERVER} wrote:\n\n{QUOTED}\n"
    message("protonmail-en", part(proton, encoding="base64"))
    yahoo = f"{TYPED}\n\n    On Monday, March 3, 2025 at 12:00:00 PM GMT, {SERVER} wrote:  \n \n " + ASKED.replace(
        "\n", "\n "
    )
    message(
        "yahoo-en",
        both(
            yahoo,
            f'<html><body><div class="ydp1yahoo-style-wrap"><div dir="ltr">{as_html(TYPED)}</div></div><div id="ydp2yahoo_quoted_1" '
            'class="yahoo_quoted"><div><div>On Monday, March 3, 2025 at 12:00:00 PM GMT, pbem wrote:</div><div>r1 hold</div></div></div></body></html>',
        ),
    )
    message(
        "yahoo-html-only-en",
        part(
            f'<html><body><div dir="ltr">{as_html(TYPED)}</div><div class="yahoo_quoted"><div>On Monday, March 3, 2025, pbem '
            f"&lt;orders@pbem.test&gt; wrote:</div><div>{ASKED_HTML}</div></div></body></html>",
            "text/html",
        ),
    )
    message(
        "notes-en",
        part(
            f"{TYPED}\n\n\n\nFrom:   pbem <orders@pbem.test>\nTo:     Ann Example/ACME@ACME\nDate:   03/03/2025 12:00\nSubject:        The Pass\n\n\n\n{ASKED}",
            charset="us-ascii",
            encoding="7bit",
        ),
    )
    message(
        "zimbra-en",
        part(
            f"{TYPED}\n\n----- Original Message -----\n> From: pbem <orders@pbem.test>\n> To: ann\n> Sent: Monday\n{QUOTED}"
        ),
    )
    message(
        "fresh-mail-en",
        part(f"{TYPED}\n\nCode: {TOKEN}\n", charset="us-ascii", encoding="7bit"),
        [*ORDERS, f"Code: {TOKEN}"],
        subject="orders",
        to="orders@pbem.test",
    )
    message(
        "hyphen-list-en", part("- r1 go3\n- r2 hold\n- final\n\nCheers,\nAnn"), ["- r1 go3", "- r2 hold", "- final"]
    )
    message("no-quote-en", part(TYPED, charset="us-ascii", encoding="7bit"))
    message(
        "take-is-no-signature-en",
        part("take 0305\ntarget b1 with r1\nkh2 hold\ndo: nothing with r2\n"),
        ["take 0305", "target b1 with r1", "kh2 hold", "do: nothing with r2"],
    )
    message(
        "closing-with-name-en",
        part("r1 go3\nr2 hold\n\nBest regards, Ann Example\nACME Ltd, +44 20 7946 0000\n"),
        ["r1 go3", "r2 hold"],
    )
    message("unlabelled-en", b"\r\nr1 go3\r\nr2 hold\r\nfinal\r\n")
    message("nul-bytes-en", part("r1\x00 go3\nr2 hold\x00\nfinal", charset="us-ascii", encoding="8bit"))
    message("unknown-charset-en", part(TYPED, charset="x-user-defined", encoding="8bit", coded="ascii"))
    message("carriage-returns-en", b"Content-Type: text/plain\r\n\r\nr1 go3\rr2 hold\r\rfinal\r")


def english_added() -> None:
    attribution = f"On Mon, 3 Mar 2025 at 12:00, {SERVER} wrote:"
    disclaimer = (
        "This e-mail and any attachments are confidential and intended solely for the addressee. If you are not the\n"
        "intended recipient, please notify the sender and delete this message. Any unauthorised use is prohibited."
    )
    message("disclaimer-en", part(f"{TYPED}\n\n{disclaimer}\n\n{attribution}\n{QUOTED}"))
    message(
        "disclaimer-below-en", part(f"{attribution}\n{QUOTED}\n\n{TYPED}\n\nConfidentiality notice: {disclaimer}\n")
    )
    message(
        "virus-scanner-en",
        part(f"{TYPED}\n\n--\nThis email has been checked for viruses by Avast antivirus software.\nwww.avast.com\n"),
    )
    message(
        "virus-scanner-html-en",
        both(f"{TYPED}\n\nVirus-free.www.avast.com\n<https://www.avast.com>\n", f"<p>{TYPED}</p>"),
    )
    pgp = f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nr1 go3\n- - r2 hold\nfinal\n\n{attribution}\n{QUOTED}\n-----BEGIN PGP SIGNATURE-----\n\niQEzBAEBCAAdFiEE\n=abcd\n-----END PGP SIGNATURE-----\n"
    message("pgp-inline-en", part(pgp, charset="utf-8", encoding="8bit"), ["r1 go3", "- r2 hold", "final"])
    message(
        "pgp-mime-en",
        several(
            "signed",
            part(f"{TYPED}\n\n{attribution}\n{QUOTED}"),
            part(
                "-----BEGIN PGP SIGNATURE-----\n\niQEz\n-----END PGP SIGNATURE-----",
                "application/pgp-signature",
                "",
                "7bit",
                "; name=signature.asc",
            ),
            more='; micalg=pgp-sha256; protocol="application/pgp-signature"',
        ),
    )
    attached = "Content-Disposition: attachment; filename="
    message(
        "attachment-en",
        several("mixed", part("My orders are in the file.\n\nAnn"), part(TYPED, head=attached + "orders-turn-2.txt")),
    )
    message(
        "attachment-octets-en",
        several(
            "mixed",
            part("see attached"),
            part(TYPED, "application/octet-stream", "", "base64", "; name=Orders.TXT", attached + '"Orders.TXT"'),
        ),
    )
    message("attachment-alone-en", several("mixed", part("\n\n"), part(TYPED, head=attached + "turn2.txt")))
    message(
        "attachment-notepad-en",
        several(
            "mixed",
            part(""),
            part("\ufeff" + TYPED, "text/plain", "", "base64", "; name=turn.txt", attached + "turn.txt", "utf-16-le"),
        ),
    )
    message(
        "attachment-with-a-body-en",
        several("mixed", part(TYPED), part("Notes about the campaign", head=attached + "notes.txt")),
    )
    message(
        "attachment-zip-en",
        several(
            "mixed",
            part(TYPED),
            part(
                "PK\x03\x04" + "\x00" * 200,
                "application/zip",
                "",
                "base64",
                "; name=orders.zip",
                attached + "orders.zip",
            ),
        ),
    )
    message(
        "html-list-only-en",
        part("<html><body><ul><li>r1 go3</li><li>r2 hold</li><li>final</li></ul></body></html>", "text/html"),
    )
    message(
        "html-pre-only-en",
        part(f"<html><body><pre>{TYPED}</pre><blockquote>{ASKED_HTML}</blockquote></body></html>", "text/html"),
    )
    message(
        "html-table-only-en",
        part(
            "<table><tr><td>r1</td><td>go3</td></tr><tr><td>r2</td><td>hold</td></tr><tr><td>final</td></tr></table>",
            "text/html",
        ),
    )
    message(
        "html-hidden-only-en",
        part(f'<div style="display:none">preview text</div>{as_html(TYPED, "p")}<style>p {{}}</style>', "text/html"),
    )


# Other languages ---------------------------------------------------------------------------------------------


def german() -> None:
    gmail("gmail-de", TYPED, f"Am Mo., 3. März 2025 um 12:00 Uhr schrieb {SERVER}:")
    header = "Von: pbem <orders@pbem.test>\nGesendet: Montag, 3. März 2025 12:00\nAn: Jörg Müller <joerg@example.org>\nBetreff: The Pass\n"
    message(
        "outlook-de",
        part(
            f"Hallo zusammen,\n\n{TYPED}\n\nMit freundlichen Grüßen\nJörg Müller\n\n{header}\n{ASKED}",
            charset="iso-8859-1",
        ),
    )
    message(
        "outlook-original-de",
        part(
            f"{TYPED}\n\n-----Ursprüngliche Nachricht-----\n{header}\n{ASKED}",
            charset="windows-1252",
            encoding="8bit",
        ),
    )
    message(
        "thunderbird-de",
        part(
            f"Am 03.03.25 um 12:00 schrieb pbem:\n{QUOTED}\n\n{TYPED}\n",
            charset="iso-8859-15",
            encoding="8bit",
            more="; format=flowed",
        ),
    )
    message(
        "iphone-de",
        part(
            f"{TYPED}\n\nVon meinem iPhone gesendet\n\n> Am 03.03.2025 um 12:00 schrieb pbem <orders@pbem.test>:\n> \n{QUOTED}"
        ),
    )
    gmx = (
        f'<html><head></head><body><div style="font-family: Verdana;">{as_html(TYPED)}<div>&nbsp;<div>&nbsp;<div name="quote" '
        'style="margin:10px 5px 5px 10px; border-left:2px solid #C3D9E5;"><div style="margin:0 0 10px 0;"><b>Gesendet:</b> '
        f"Montag, 03. März 2025 um 12:00 Uhr<br/><b>Von:</b> pbem &lt;orders@pbem.test&gt;</div><div>{ASKED_HTML}</div></div></div></div></div></body></html>"
    )
    message("gmx-html-only-de", part(gmx, "text/html"))
    message(
        "gmx-android-de",
        part(
            f"{TYPED}\n\n-- \nDiese Nachricht wurde von meinem Android Mobiltelefon mit GMX Mail gesendet.\nAm 03.03.25, 12:00, pbem <orders@pbem.test> schrieb:\n\n{ASKED}"
        ),
    )
    text = "Diese E-Mail enthält vertrauliche und/oder rechtlich geschützte Informationen. Wenn Sie nicht der richtige\nAdressat sind, informieren Sie bitte sofort den Absender."
    message("disclaimer-de", part(f"{TYPED}\n\nViele Grüße\nJörg\n\n{text}\n"))
    message(
        "mislabelled-de",
        part(
            f"{TYPED}\n\nAm Mo., 3. März 2025 um 12:00 Uhr schrieb pbem:\n{QUOTED}\n> Grüße",
            charset="utf-8",
            encoding="8bit",
            coded="latin-1",
        ),
    )


def french() -> None:
    gmail("gmail-fr", TYPED, f"Le lun. 3 mars 2025 à 12:00, {SERVER} a\nécrit :")
    header = "De : pbem <orders@pbem.test>\nEnvoyé : lundi 3 mars 2025 12:00\nÀ : Zoé <zoe@example.org>\nObjet : The Pass\n"
    message(
        "outlook-fr", part(f"Bonjour,\n\n{TYPED}\n\nCordialement,\nZoé\n\n{header}\n{ASKED}", charset="windows-1252")
    )
    message(
        "outlook-original-fr",
        part(f"{TYPED}\n\n-----Message d'origine-----\n{header}\n{ASKED}", charset="iso-8859-1", encoding="8bit"),
    )
    message(
        "thunderbird-fr",
        part(f"Le 03/03/2025 à 12:00, pbem a écrit :\n{QUOTED}\n\n{TYPED}\n", charset="utf-8", encoding="8bit"),
    )
    message(
        "iphone-fr",
        part(
            f"{TYPED}\n\nEnvoyé de mon iPhone\n\n> Le 3 mars 2025 à 12:00, pbem <orders@pbem.test> a écrit :\n> \n{QUOTED}"
        ),
    )
    text = "Ce message et ses pièces jointes sont confidentiels et destinés exclusivement à leurs destinataires. Toute\ndivulgation non autorisée est interdite."
    message("disclaimer-fr", part(f"{TYPED}\n\nBonne journée\n\n{text}"))
    message(
        "mislabelled-fr",
        part(
            f"{TYPED}\n\nLe 3 mars 2025 à 12:00, pbem a écrit :\n{QUOTED}",
            charset="iso-8859-1",
            encoding="8bit",
            coded="utf-8",
        ),
    )


def spanish() -> None:
    gmail("gmail-es", TYPED, "El lun, 3 mar 2025 a las 12:00, pbem (<orders@pbem.test>) escribió:")
    header = "De: pbem <orders@pbem.test>\nEnviado el: lunes, 3 de marzo de 2025 12:00\nPara: Íñigo <inigo@example.org>\nAsunto: The Pass\n"
    message("outlook-es", part(f"Hola:\n\n{TYPED}\n\nUn saludo,\nÍñigo\n\n{header}\n{ASKED}", charset="iso-8859-1"))
    message(
        "iphone-es",
        part(
            f"{TYPED}\n\nEnviado desde mi iPhone\n\n> El 3 mar 2025, a las 12:00, pbem <orders@pbem.test> escribió:\n> \n{QUOTED}"
        ),
    )
    message(
        "samsung-es",
        part(
            f"{TYPED}\n\nEnviado desde mi Galaxy\n\n-------- Mensaje original --------\nDe: pbem <orders@pbem.test>\nFecha: 3/3/25 12:00 (GMT+01:00)\nPara: inigo\n\n{ASKED}",
            encoding="base64",
        ),
    )


def italian() -> None:
    gmail("gmail-it", TYPED, "Il giorno lun 3 mar 2025 alle ore 12:00 pbem <\norders@pbem.test> ha scritto:")
    header = "Da: pbem <orders@pbem.test>\nInviato: lunedì 3 marzo 2025 12:00\nA: Niccolò <nico@example.org>\nOggetto: The Pass\n"
    message(
        "outlook-it",
        part(f"Ciao,\n\n{TYPED}\n\nCordiali saluti\nNiccolò\n\n{header}\n{ASKED}", charset="windows-1252"),
    )
    message(
        "iphone-it",
        part(
            f"{TYPED}\n\nInviato da iPhone\n\n> Il giorno 3 mar 2025, alle ore 12:00, pbem <orders@pbem.test> ha scritto:\n> \n{QUOTED}"
        ),
    )
    message(
        "libero-it",
        part(
            f"{TYPED}\n\n----Messaggio originale----\nDa: orders@pbem.test\nData: 3-mar-2025 12.00\nA: <nico@example.org>\nOgg: The Pass\n\n{ASKED}",
            charset="iso-8859-1",
        ),
    )


def polish() -> None:
    gmail("gmail-pl", TYPED, f"pon., 3 mar 2025 o 12:00 {SERVER} napisał(a):")
    message(
        "thunderbird-pl",
        part(
            f"W dniu 03.03.2025 o 12:00, pbem pisze:\n{QUOTED}\n\n{TYPED}\n\nPozdrawiam,\nŁukasz\n",
            charset="iso-8859-2",
            encoding="8bit",
        ),
    )
    header = "Od: pbem <orders@pbem.test>\nWysłano: poniedziałek, 3 marca 2025 12:00\nDo: Łukasz <lukasz@example.org>\nTemat: The Pass\n"
    message(
        "outlook-pl", part(f"Cześć,\n\n{TYPED}\n\nPozdrawiam\nŁukasz\n\n{header}\n{ASKED}", charset="windows-1250")
    )
    message("wp-pl", part(f"{TYPED}\n\nDnia 3 marca 2025 12:00 pbem <orders@pbem.test> napisał(a):\n\n{QUOTED}"))
    message(
        "iphone-pl",
        part(
            f"{TYPED}\n\nWysłane z iPhone’a\n\n> Wiadomość napisana przez pbem <orders@pbem.test> w dniu 03.03.2025, o godz. 12:00:\n> \n{QUOTED}"
        ),
    )


def russian() -> None:
    gmail("gmail-ru", TYPED, f"пн, 3 мар. 2025 г. в 12:00, {SERVER}:")
    message(
        "thunderbird-ru",
        part(
            f"03.03.2025 12:00, pbem пишет:\n{QUOTED}\n\n{TYPED}\n\n-- \nС уважением, Борис\n",
            charset="koi8-r",
            encoding="8bit",
        ),
    )
    header = "От: pbem <orders@pbem.test>\nОтправлено: 3 марта 2025 г. 12:00\nКому: Борис <boris@example.org>\nТема: The Pass\n"
    message(
        "outlook-ru",
        part(
            f"Добрый день!\n\n{TYPED}\n\nС уважением,\nБорис\n\n{header}\n{ASKED}",
            charset="windows-1251",
            encoding="base64",
        ),
    )
    message(
        "mailru-ru",
        part(
            f"{TYPED}\n\n--\nБорис\nОтправлено из Почты Mail.ru\n\n>Понедельник, 3 марта 2025, 12:00 +03:00 от pbem <orders@pbem.test>:\n{TIGHT}"
        ),
    )
    message(
        "yandex-ru", part(f'{TYPED}\n\n03.03.2025, 12:00, "pbem" <orders@pbem.test>:\n\n{QUOTED}', encoding="base64")
    )
    message(
        "the-bat-ru",
        part(
            f"Здравствуйте, pbem.\n\nВы писали 3 марта 2025 г., 12:00:23:\n\n> Ваши приказы\n{QUOTED}\n\n{TYPED}\n",
            charset="windows-1251",
            encoding="8bit",
        ),
    )
    message(
        "iphone-ru",
        part(
            f"{TYPED}\n\nОтправлено с iPhone\n\n> 3 марта 2025 г., в 12:00, pbem <orders@pbem.test> написал(а):\n> \n{QUOTED}"
        ),
    )
    quoted = f"03.03.2025 12:00, pbem пишет:\n> Ваши приказы на второй ход, пожалуйста\n{QUOTED}\n\n{TYPED}"
    message("mislabelled-koi8-ru", part(quoted, charset="windows-1251", encoding="8bit", coded="koi8-r"))
    message("mislabelled-latin-ru", part(quoted, charset="iso-8859-1", encoding="8bit", coded="windows-1251"))
    message("unlabelled-koi8-ru", part(quoted, charset="", encoding="8bit", coded="koi8-r"))


def japanese() -> None:
    gmail("gmail-ja", TYPED, f"2025年3月3日(月) 12:00 {SERVER}:")
    message(
        "iphone-ja",
        part(
            f"{TYPED}\n\niPhoneから送信\n\n> 2025/03/03 12:00、pbem <orders@pbem.test>のメール:\n> \n{QUOTED}",
            charset="iso-2022-jp",
            encoding="7bit",
        ),
    )
    header = "差出人: pbem <orders@pbem.test>\n送信日時: 2025年3月3日 12:00\n宛先: 山田 <yamada@example.org>\n件名: The Pass\n"
    message(
        "outlook-ja",
        part(
            f"お世話になっております。\n\n{TYPED}\n\nよろしくお願いいたします。\n山田\n\n{header}\n{ASKED}",
            charset="iso-2022-jp",
            encoding="7bit",
        ),
    )
    message(
        "becky-ja",
        part(
            f"{TYPED}\n\nOn Mon, 03 Mar 2025 12:00:00 +0900\npbem <orders@pbem.test> wrote:\n\n{QUOTED}\n> 命令\n\n-- \n山田太郎",
            charset="shift_jis",
            encoding="8bit",
        ),
    )
    message(
        "thunderbird-ja",
        part(
            f"On 2025/03/03 12:00, pbem wrote:\n{QUOTED}\n\n{TYPED}\n以上、よろしく\n",
            charset="utf-8",
            encoding="8bit",
        ),
    )
    message("full-width-ja", part("ｒ１　ｇｏ３\nｒ２　ｈｏｌｄ\nｆｉｎａｌ\n", charset="utf-8", encoding="base64"))
    quoted = f"2025年3月3日(月) 12:00 pbem <orders@pbem.test>:\n> 命令を送ってください。\n{QUOTED}\n\n{TYPED}"
    message("mislabelled-ja", part(quoted, charset="us-ascii", encoding="7bit", coded="iso-2022-jp"))
    message("mislabelled-sjis-ja", part(quoted, charset="iso-8859-1", encoding="8bit", coded="shift_jis"))


def korean() -> None:
    gmail("gmail-ko", TYPED, f"2025년 3월 3일 (월) 오후 12:00, {SERVER}님이 작성:")
    message(
        "naver-ko",
        part(
            f"{TYPED}\n\n-----Original Message-----\nFrom: pbem <orders@pbem.test>\nTo: 김철수\nSent: 2025-03-03 (월) 12:00:00\nSubject: The Pass\n\n{ASKED}",
            charset="euc-kr",
            encoding="base64",
        ),
    )
    message(
        "daum-ko",
        part(
            f"안녕하세요\n\n{TYPED}\n\n감사합니다\n\n--------- 원본 메일 ---------\n보낸사람: pbem <orders@pbem.test>\n받는사람: 김철수\n날짜: 2025년 3월 3일 월요일\n제목: The Pass\n\n{ASKED}",
            charset="ks_c_5601-1987",
            encoding="8bit",
            coded="euc-kr",
        ),
    )
    message(
        "old-outlook-ko",
        part(
            f"{TYPED}\n\n보낸 사람: pbem <orders@pbem.test>\n보낸 날짜: 2025년 3월 3일 월요일 오후 12:00\n받는 사람: 김철수\n제목: The Pass\n\n{ASKED}",
            charset="iso-2022-kr",
            encoding="7bit",
        ),
    )
    message(
        "iphone-ko",
        part(
            f"{TYPED}\n\n나의 iPhone에서 보냄\n\n> 2025. 3. 3. 오후 12:00, pbem <orders@pbem.test> 작성:\n> \n{QUOTED}"
        ),
    )
    message(
        "mislabelled-ko",
        part(
            f"2025년 3월 3일 (월) 오후 12:00, pbem <orders@pbem.test>님이 작성:\n> 명령을 보내 주십시오\n{QUOTED}\n\n{TYPED}",
            charset="utf-8",
            encoding="8bit",
            coded="euc-kr",
        ),
    )


def chinese() -> None:
    gmail("gmail-zh", TYPED, f"{SERVER} 于2025年3月3日周一 12:00写道：")
    qq = f'{TYPED}\n\n\n------------------ 原始邮件 ------------------\n发件人: "pbem" <orders@pbem.test>;\n发送时间: 2025年3月3日(星期一) 中午12:00\n收件人: "王伟"\n主题: The Pass\n\n\n{ASKED}'
    message("qq-zh", part(qq, charset="gb18030", encoding="base64"))
    message(
        "netease-zh",
        part(
            f'{TYPED}\n\n\n\n在 2025-03-03 12:00:00，"pbem" <orders@pbem.test> 写道：\n{TIGHT}',
            charset="gbk",
            encoding="8bit",
        ),
    )
    message(
        "outlook-zh",
        part(
            f"你好，\n\n{TYPED}\n\n谢谢\n王伟\n\n发件人: pbem <orders@pbem.test>\n发送时间: 2025年3月3日 12:00\n收件人: 王伟\n主题: The Pass\n\n{ASKED}",
            charset="gb2312",
        ),
    )
    message(
        "iphone-zh",
        part(f"{TYPED}\n\n发自我的iPhone\n\n> 在 2025年3月3日，12:00，pbem <orders@pbem.test> 写道：\n> \n{QUOTED}"),
    )
    gmail("gmail-zh-tw", TYPED, f"{SERVER} 於 2025年3月3日 週一 下午12:00寫道：", charset="big5")
    message(
        "mislabelled-zh",
        part(
            f"在 2025年3月3日 12:00，pbem <orders@pbem.test> 写道：\n> 请发送您的命令，谢谢\n{QUOTED}\n\n{TYPED}",
            charset="iso-8859-1",
            encoding="8bit",
            coded="gb18030",
        ),
    )


# Programs ----------------------------------------------------------------------------------------------------


def machines() -> None:
    away = "I am out of the office until 17 March.\n"
    message(
        "vacation-gmail",
        part(away),
        machine="Auto-Submitted: auto-replied",
        headers=("Auto-Submitted: auto-replied", "Precedence: bulk", "X-Autoreply: yes"),
    )
    message(
        "vacation-exchange-de",
        part("Ich bin bis 17. März nicht im Büro."),
        machine="Auto-Submitted: auto-generated",
        subject="Automatische Antwort: The Pass",
        headers=("Auto-Submitted: auto-generated", "X-Auto-Response-Suppress: All"),
    )
    message(
        "vacation-bare-ja",
        part("休暇中です。", charset="iso-2022-jp", encoding="7bit"),
        machine="the subject of a vacation notice",
        subject="=?iso-2022-jp?B?" + base64.b64encode("自動応答: The Pass".encode("iso-2022-jp")).decode() + "?=",
    )
    message(
        "vacation-bare-ru",
        part("Я в отпуске", charset="koi8-r", encoding="8bit"),
        machine="the subject of a vacation notice",
        subject="=?koi8-r?B?" + base64.b64encode("Автоответ: The Pass".encode("koi8-r")).decode() + "?=",
    )
    status = "Reporting-MTA: dns; mx.example.org\n\nFinal-Recipient: rfc822; ann@example.org\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 <ann@example.org>: user unknown\n"
    original = f"From: {SERVER}\nTo: ann@example.org\nReply-To: {TO}\nSubject: The Pass\n\nr1 hold\n"
    report = several(
        "report",
        part("I'm sorry.", charset="us-ascii", encoding="7bit"),
        part(status, "message/delivery-status", "", "7bit"),
        part(original, "message/rfc822", "", "7bit"),
        more="; report-type=delivery-status",
    )
    daemon = "Mail Delivery System <MAILER-DAEMON@mx.example.org>"
    message(
        "bounce-postfix",
        report,
        machine="a delivery report",
        sender=daemon,
        subject="Undelivered Mail Returned to Sender",
        to=f"orders+returned-{TOKEN}@pbem.test",
        headers=("Return-Path: <>", "Auto-Submitted: auto-replied"),
    )
    message(
        "bounce-delayed",
        report.replace(b"failed", b"delayed").replace(b"5.1.1", b"4.4.1"),
        machine="a delivery report",
        sender=daemon,
        subject="Delayed Mail (still being retried)",
        headers=("Return-Path: <>",),
    )
    message(
        "bounce-exim",
        part(f"This message was created automatically.\n\n  ann@example.org\n    user unknown\n\n{original}"),
        machine="Auto-Submitted: auto-replied",
        sender=daemon,
        subject="Mail delivery failed: returning message to sender",
        headers=("X-Failed-Recipients: ann@example.org", "Auto-Submitted: auto-replied", "Return-Path: <>"),
    )
    message(
        "bounce-qmail",
        part("Hi. This is the qmail-send program.\n\n<ann@example.org>:\nSorry, no mailbox here by that name.\n"),
        machine="the return path is empty",
        sender="MAILER-DAEMON@mx.example.org",
        subject="failure notice",
        to=f"orders+returned-{TOKEN}@pbem.test",
        headers=("Return-Path: <>",),
    )
    receipt = several(
        "report",
        part("Your message was displayed."),
        part(
            "Disposition: manual-action/MDN-sent-manually; displayed\n",
            "message/disposition-notification",
            "",
            "7bit",
        ),
        more="; report-type=disposition-notification",
    )
    message("read-receipt", receipt, machine="a read receipt", subject="Read: The Pass")
    message(
        "mailing-list",
        part(TYPED),
        machine="List-Id is set",
        headers=("List-Id: <wargames.example.org>", "List-Post: <mailto:wargames@example.org>"),
        subject="[wargames] The Pass",
    )
    message(
        "newsletter",
        part("Buy now!"),
        machine="List-Unsubscribe is set",
        headers=("List-Unsubscribe: <https://example.com/u>",),
        sender="news@example.com",
        subject="50% off",
    )
    message(
        "calendar-reply",
        several(
            "mixed",
            part("Accepted"),
            part("BEGIN:VCALENDAR\nMETHOD:REPLY\nEND:VCALENDAR\n", "text/calendar", more="; method=REPLY"),
        ),
        machine="an answer of a calendar",
        subject="Accepted: The Pass",
    )
    message(
        "gmail-reaction",
        several(
            "alternative",
            part("Ann reacted via Gmail"),
            part('{"emoji": "👍", "version": 1}', "text/vnd.google.email-reaction+json"),
        ),
        machine="a reaction",
    )
    message(
        "no-reply", part("Your ticket was closed."), machine="sent by no-reply", sender="no-reply@support.example.com"
    )
    message("own-mail", part(ASKED), machine="sent by orders", sender=SERVER)


def everything() -> None:
    for write in (english_gmail, english_apple, english_outlook, english_thunderbird, english_others, english_added):
        write()
    for write in (german, french, spanish, italian, polish, russian, japanese, korean, chinese, machines):
        write()


def expectations() -> str:
    """One table a message; JSON strings are TOML strings too."""
    tables = []
    for name, wanted in sorted(expected.items()):
        [(key, value)] = wanted.items()
        tables.append(f"[{name}]\n{key} = {json.dumps(value, ensure_ascii=False)}\n")
    return "# Written by write_messages.py: what is new in each message, or why nobody is answered.\n\n" + "\n".join(
        tables
    )


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    everything()
    for file in FOLDER.glob("*.eml"):
        file.unlink()
    for name, raw in written.items():
        (FOLDER / f"{name}.eml").write_bytes(raw)
    (FOLDER / "expected.toml").write_text(expectations(), "utf-8")
    print(f"{len(written)} messages")


if __name__ == "__main__":
    main()

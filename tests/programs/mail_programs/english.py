"""Replies in English, one or more for each mail program."""

# ruff: noqa: E501  (a message is easier to read in one piece)

from __future__ import annotations

import textwrap

from programs.mail_programs.writing import (
    ASKED,
    ASKED_HTML,
    QUOTED,
    SERVER,
    TYPED,
    as_html,
    both,
    gmail,
    message,
    part,
    several,
)


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


def english_gmail_apps() -> None:
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


def english_outlook_web() -> None:
    header = "From: pbem <orders@pbem.test>\nSent: Monday, March 3, 2025 12:00 PM\nTo: Ann Example <ann@example.org>\nSubject: The Pass: turn 1 report for red\n"
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


ALL = (english_gmail, english_gmail_apps, english_apple, english_outlook, english_outlook_web, english_thunderbird)

"""Replies in English from rarer mail programs, and text that programs and people add below a reply."""

# ruff: noqa: E501  (a message is easier to read in one piece)

from __future__ import annotations

from programs.mail_programs.writing import (
    ASKED,
    ASKED_HTML,
    ORDERS,
    QUOTED,
    SERVER,
    TIGHT,
    TOKEN,
    TYPED,
    as_html,
    both,
    message,
    part,
    several,
)


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


def english_old_programs() -> None:
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


def english_odd_programs() -> None:
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


def english_signatures() -> None:
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


def english_notices() -> None:
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


ALL = (english_others, english_old_programs, english_odd_programs, english_added, english_signatures, english_notices)

"""Mail that no person wrote: vacation notices, bounces, mailing lists and reactions."""

# ruff: noqa: E501  (a message is easier to read in one piece)

from __future__ import annotations

import base64

from programs.mail_programs.writing import (
    ASKED,
    SERVER,
    TO,
    TOKEN,
    TYPED,
    message,
    part,
    several,
)

STATUS = "Reporting-MTA: dns; mx.example.org\n\nFinal-Recipient: rfc822; ann@example.org\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 <ann@example.org>: user unknown\n"
ORIGINAL = f"From: {SERVER}\nTo: ann@example.org\nReply-To: {TO}\nSubject: The Pass\n\nr1 hold\n"
BOUNCE = several(
    "report",
    part("I'm sorry.", charset="us-ascii", encoding="7bit"),
    part(STATUS, "message/delivery-status", "", "7bit"),
    part(ORIGINAL, "message/rfc822", "", "7bit"),
    more="; report-type=delivery-status",
)
DAEMON = "Mail Delivery System <MAILER-DAEMON@mx.example.org>"


def vacation_notices() -> None:
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


def bounces() -> None:
    message(
        "bounce-postfix",
        BOUNCE,
        machine="a delivery report",
        sender=DAEMON,
        subject="Undelivered Mail Returned to Sender",
        to=f"orders+returned-{TOKEN}@pbem.test",
        headers=("Return-Path: <>", "Auto-Submitted: auto-replied"),
    )
    message(
        "bounce-delayed",
        BOUNCE.replace(b"failed", b"delayed").replace(b"5.1.1", b"4.4.1"),
        machine="a delivery report",
        sender=DAEMON,
        subject="Delayed Mail (still being retried)",
        headers=("Return-Path: <>",),
    )
    message(
        "bounce-exim",
        part(f"This message was created automatically.\n\n  ann@example.org\n    user unknown\n\n{ORIGINAL}"),
        machine="Auto-Submitted: auto-replied",
        sender=DAEMON,
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


def lists_and_reactions() -> None:
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


ALL = (vacation_notices, bounces, lists_and_reactions)

"""Replies in European languages."""

# ruff: noqa: E501  (a message is easier to read in one piece)

from __future__ import annotations

from programs.mail_programs.writing import (
    ASKED,
    ASKED_HTML,
    QUOTED,
    SERVER,
    TIGHT,
    TYPED,
    as_html,
    gmail,
    message,
    part,
)


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


def german_others() -> None:
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


ALL = (german, german_others, french, spanish, italian, polish, russian)

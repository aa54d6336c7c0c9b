"""Replies in Japanese, Korean and Chinese."""

# ruff: noqa: E501  (a message is easier to read in one piece)

from __future__ import annotations

from programs.mail_programs.writing import (
    ASKED,
    QUOTED,
    SERVER,
    TIGHT,
    TYPED,
    gmail,
    message,
    part,
)


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


ALL = (japanese, korean, chinese)

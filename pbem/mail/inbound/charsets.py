"""Decode bytes to text, even if the label is wrong, missing or a trap.

A label is believed if it names a character set used in email and the bytes fit it. Some of Python's codecs take
quadratic time (`punycode`); an email that asks for one is read as if it had no label.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

from charset_normalizer import from_bytes

GUESSED_BYTES = 16 * 1024
"""The number of bytes examined for a guess."""

LABEL = re.compile(r"[a-z0-9][a-z0-9_.:-]{0,39}", re.IGNORECASE)

READ_AS = {
    "ascii": "utf-8",
    "utf-8": "utf-8",
    "utf-16": "utf-16",
    "utf-16-le": "utf-16-le",
    "utf-16-be": "utf-16-be",
    "utf-7": "utf-7",
    "iso8859-1": "cp1252",
    "euc_kr": "cp949",
    "cp949": "cp949",
    "johab": "johab",
    "iso2022_kr": "iso2022_kr",
    "iso2022_jp": "iso2022_jp_ext",
    "iso2022_jp_1": "iso2022_jp_ext",
    "iso2022_jp_2": "iso2022_jp_2",
    "iso2022_jp_3": "iso2022_jp_3",
    "iso2022_jp_2004": "iso2022_jp_2004",
    "iso2022_jp_ext": "iso2022_jp_ext",
    "shift_jis": "cp932",
    "cp932": "cp932",
    "euc_jp": "euc_jp",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "gb18030": "gb18030",
    "hz": "hz",
    "big5": "big5hkscs",
    "big5hkscs": "big5hkscs",
    "cp950": "cp950",
}
"""The character set that a label really means: programs often use a larger one than they name."""

SINGLE_BYTE = re.compile(r"cp(?:125\d|437|85[0-8]|866|874)|iso8859-\d+|koi8-[rtu]|mac-(?:roman|cyrillic)|tis-620")
SHIFTED = ("utf-16", "utf-7", "iso2022", "hz")
"""The prefixes of codecs in which plain ASCII bytes may mean something else."""

MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
ESCAPES = {b"\x1b$)C": "iso2022_kr", **dict.fromkeys((b"\x1b$B", b"\x1b$@", b"\x1b(J"), "iso2022_jp_ext")}

LIKELY = ["koi8_r", "cp1251", "cp949", "cp932", "euc_jp", "gb18030", "big5", "cp1252"]
HIGH_RUN = re.compile(rb"[\x80-\xff]{4,}")
HIGH = re.compile(rb"[\x80-\xff]")
LETTERS = re.compile(rb"[A-Za-z\x80-\xff]")
SIGN_IN_WORD = re.compile(r"[^\W\d_][\xa1-\xbf][^\W\d_]")
"""A symbol inside a word: typical of Polish text decoded as Western."""


def decode(content: bytes, label: str = "") -> str:
    """Return the text that the sender most likely wrote."""
    for mark, codec in MARKS.items():
        if content.startswith(mark):
            return content.decode(codec, "replace")
    named = codec_of(label)
    for codec in _codecs_to_try(content, named):
        try:
            text = content.decode(codec)
        except UnicodeError:
            continue
        if codec != named or not _is_doubtful(content, text, codec):
            return text
    return content.decode(_guess(content) or named or "utf-8", "replace")


def codec_of(label: str) -> str:
    """Return the codec for a label; empty if it is not used in email."""
    label = label.strip(" \"'")
    if not LABEL.fullmatch(label):
        return ""
    try:
        name = codecs.lookup(label).name
    except (LookupError, ValueError):
        return ""
    return name if SINGLE_BYTE.fullmatch(name) and name not in READ_AS else READ_AS.get(name, "")


def _codecs_to_try(content: bytes, named: str) -> Iterator[str]:
    """The codecs to try strictly, in this order."""
    if content.isascii() and not named.startswith(SHIFTED):
        yield from (codec for sign, codec in ESCAPES.items() if sign in content)
        yield "ascii"
    if _beyond_ascii(content) >= (1 if not named or SINGLE_BYTE.fullmatch(named) else 3):
        yield "utf-8"
    if named:
        yield named
    yield "utf-8"


def _beyond_ascii(content: bytes) -> int:
    """Count the non-ASCII characters if this is valid UTF-8, else return 0; three are hardly a coincidence."""
    try:
        text = content.decode("utf-8")
    except UnicodeError:
        return 0
    return sum(not sign.isascii() for sign in text[:GUESSED_BYTES])


def _is_doubtful(content: bytes, text: str, codec: str) -> bool:
    """Whether the label is probably wrong, although the bytes are valid in that character set."""
    if codec in ("cp1252", "iso8859-15"):
        return HIGH_RUN.search(content) is not None
    if codec.startswith("koi8") or codec == "cp1251":
        capitals = sum(sign.isupper() for sign in text if not sign.isascii())
        small = sum(sign.islower() for sign in text if not sign.isascii())
        return capitals > small  # the wrong character set puts capitals inside words
    return any("\x80" <= sign <= "\x9f" for sign in text[:GUESSED_BYTES])


def _guess(content: bytes) -> str:
    """Guess the character set from the bytes."""
    sample = content[:GUESSED_BYTES]
    if _is_mostly_ascii(sample):
        polish = SIGN_IN_WORD.search(sample.decode("cp1252", "replace"))
        return "cp1252" if polish is None else "cp1250" if set(b"\x9c\x9f\xb9") & set(sample) else "iso8859_2"
    found = from_bytes(sample, cp_isolation=LIKELY, threshold=0.3).best()
    if found is not None and found.encoding == "cp949" and _has_ideographs(str(found)):
        return "gb18030"
    return "" if found is None else found.encoding


def _has_ideographs(text: str) -> bool:
    """Whether a text has many ideographs, which Korean lacks but Chinese decoded as Korean has."""
    beyond = [sign for sign in text if sign.isalpha() and not sign.isascii()]
    return 10 * sum("\u4e00" <= sign <= "\u9fff" for sign in beyond) > len(beyond)


def _is_mostly_ascii(content: bytes) -> bool:
    """Whether the bytes look like Latin letters with a few accented ones among them."""
    return not HIGH_RUN.search(content) and 5 * len(HIGH.findall(content)) < len(LETTERS.findall(content))

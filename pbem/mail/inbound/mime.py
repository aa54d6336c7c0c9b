"""The parts of an email as bounded, clean text, whatever its bytes are.

The classic header policy is used, because the modern one parses every address and parameter by recursion. Headers
are cut while they are read: splitting parameters takes time proportional to the square of their length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from email import message_from_bytes
from email._policybase import Compat32
from email.errors import MessageError
from email.header import decode_header
from email.message import Message
from email.utils import getaddresses
from typing import Any, TypeAlias

import msgspec

from pbem.mail.inbound.charsets import decode
from pbem.mail.inbound.flowed import unflow
from pbem.mail.inbound.html_text import text_of_html
from pbem.mail.inbound.limits import LONG_TEXTS, MOST_TEXT, TooLong
from pbem.matches.players import work

LONGEST_HEADER = 2000
LONGEST_ADDRESS = 254
MOST_TEXTS = 20
"""How many texts and files are read; an email with orders has one or two."""

MOST_HEADERS = 20
MOST_COMMENTS = 10
WITHOUT_COMMENTS = str.maketrans("()", "  ")
CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")
TEXT_FILE = re.compile(r"\.(?:txt|text|ord|orders|asc)$", re.IGNORECASE)


Leaf: TypeAlias = tuple[str, str, str]


class Bounded(Compat32):
    """The classic policy, with a limit on the length of headers."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        name, value = super().header_source_parse(sourcelines)
        return name, value[:LONGEST_HEADER]


BOUNDED = Bounded()


class Texts(msgspec.Struct):
    """The readable parts of an email. Where a text came in two forms, `plain` and `rich` differ."""

    plain: str = ""
    rich: str = ""
    files: list[tuple[str, str]] = []


def parse(raw: bytes) -> Message:
    work.spend(bytes=len(raw))
    return message_from_bytes(raw, policy=BOUNDED)


# Headers -----------------------------------------------------------------------------------------------------


def header(message: Message, name: str) -> str:
    """A header's text on one line, decoded; empty if it is missing."""
    return next(iter(headers(message, name)), "")


def headers(message: Message, name: str) -> list[str]:
    """All headers with this name."""
    return [_decode(value) for value in _raw_values(message, name)]


def _decode(value: str) -> str:
    value = _as_text(value.encode("utf-8", "surrogateescape"))
    try:
        pieces = decode_header(value) if "=?" in value else [(value, None)]
    except (ValueError, MessageError):  # not really base64
        pieces = [(value, None)]
    text = "".join(piece if isinstance(piece, str) else _as_text(piece, charset or "") for piece, charset in pieces)
    return " ".join(CONTROLS.sub(" ", text).split())


def _as_text(content: bytes, label: str = "") -> str:
    return decode(content[: 4 * LONGEST_HEADER], label)


def address(message: Message, name: str) -> str:
    """Return the only address in a header, in lower case; empty if there is none or it is ambiguous.

    A host that checks the sender might read an ambiguous one differently.
    """
    values = list(_raw_values(message, name))
    found = getaddresses([_plain(values[0])]) if len(values) == 1 else []
    single = found[0][1].lower() if len(found) == 1 else ""
    return single if "@" in single and len(single) <= LONGEST_ADDRESS else ""


def addresses(message: Message, name: str) -> list[str]:
    values = [_plain(value) for value in _raw_values(message, name)]
    return [found.lower() for _, found in getaddresses(values[:MOST_HEADERS])]


def _raw_values(message: Message, name: str) -> Iterator[str]:
    """Return header values as sent, because text hidden in an encoded word is never an address."""
    values = (str(value) for key, value in message.raw_items() if key.lower() == name.lower())
    return (value.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape") for value in values)


def _plain(value: str) -> str:
    """Return a header value without control characters, and without comments if there are too many to parse."""
    value = CONTROLS.sub(" ", value)
    return value.translate(WITHOUT_COMMENTS) if value.count("(") > MOST_COMMENTS else value


def children(part: Message) -> list[Message]:
    """The parts of a multipart; any other part has none."""
    if not part.is_multipart():
        return []  # asking for the payload would decode it, with any codec that the email names
    payload: Any = part.get_payload()
    return list(payload)


# Bodies ------------------------------------------------------------------------------------------------------


def texts(message: Message) -> Texts:
    """Return the texts in their order, and the attached text files."""
    found = Texts(files=[])
    left = MOST_TEXT
    for number, (plain, html, name) in enumerate(_leaves(message)):
        if number == MOST_TEXTS:
            break
        left -= len(plain) + len(html)
        if left < 0:
            raise TooLong(str(LONG_TEXTS))
        if name:
            found.files.append((name, plain or html))
            continue
        work.spend(characters=len(plain) + len(html))
        shown = _visible_text(plain, html)
        found.plain += (plain.strip("\r\n") or shown) + "\n"
        found.rich += (shown or plain.strip("\r\n")) + "\n"
    return found


def _visible_text(plain: str, html: str) -> str:
    """The text of the HTML; empty if it is too long and there is a plain form."""
    try:
        return text_of_html(html) if html else ""
    except TooLong:
        if not plain.strip():
            raise
        return ""


def _leaves(part: Message) -> Iterator[Leaf]:
    """Yield plain text, HTML and file name of each readable part; attached emails are left out."""
    kind = part.get_content_type()
    if part.is_multipart():
        if not kind.startswith("message/"):
            pieces = [leaf for child in children(part) for leaf in _leaves(child)]
            yield from _one_of(pieces) if kind == "multipart/alternative" else pieces
    elif (name := _file_name(part)) and (kind == "text/plain" or TEXT_FILE.search(name)):
        yield content(part), "", name
    elif not name and kind == "text/plain":
        yield content(part), "", ""
    elif not name and kind == "text/html":
        yield "", content(part), ""


def _one_of(pieces: list[Leaf]) -> Iterator[Leaf]:
    """Yield the alternative forms of one text as one leaf, then the files among them."""
    plain = "\n".join(plain for plain, _, name in pieces if plain.strip() and not name)
    html = "\n".join(html for _, html, name in pieces if html.strip() and not name)
    yield plain, html, ""
    yield from (piece for piece in pieces if piece[2])


def _file_name(part: Message) -> str:
    """Return the name of an attachment; "file" if it has none."""
    name = part.get_filename("")
    if not name and part.get_content_disposition() == "attachment":
        name = "file"
    return _decode(str(name))


def content(part: Message) -> str:
    """The text of a part."""
    if "uu" in header(part, "Content-Transfer-Encoding").lower():
        return ""  # no mail program uses uuencode, and the decoder is slow
    raw: Any = part.get_payload(decode=True)
    if not isinstance(raw, bytes):
        return ""
    text = decode(raw, _parameter(part, "charset"))
    if part.get_content_type() == "text/plain" and _parameter(part, "format").lower() == "flowed":
        text = unflow(text, delete_space=_parameter(part, "delsp").lower() == "yes")
    return text


def _parameter(part: Message, name: str) -> str:
    value = part.get_param(name, "")
    if isinstance(value, tuple):  # RFC 2231: character set, language, value
        value = value[2]
    return str(value).strip()

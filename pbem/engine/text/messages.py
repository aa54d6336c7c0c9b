"""Messages to readers, as data. They are put into words late, in the reader's language.

    say, say_n       make a message; its English text is also its key in a catalogue
    agree            a message whose verb agrees with the number of its subjects
    pattern, fill    a message in a table, and its arguments later
    term, named      a word of a title with the kind of thing it names: literal, or from a data file
    prose            the text of a scenario file
    recorded         a message of a record, or plain English as older records have it
    same_but_words   whether data agrees with a record, whatever the wording of its messages
    as_message       a message, or plain English that is not one yet, as a message
    several          a list that each language joins in its own way
    Name             text that no language changes: ids of units, names of people, order lines
    Translator       one language: a catalogue and how it joins lists
    in_words         data of any shape with its messages in words
    revive           decoded JSON with its messages as messages again

`str(message)` is English. Rules make messages; only pages, emails and the command line translate them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from gettext import NullTranslations
from typing import Any, TypeAlias, Union

import msgspec

FIELD = re.compile(r"\{(\w+)\}")


class Name(msgspec.Struct, frozen=True, tag="name", tag_field="is"):
    """Text that is the same in every language."""

    text: str

    def __str__(self) -> str:
        return self.text


class Signed(msgspec.Struct, frozen=True, tag="signed", tag_field="is"):
    """A number with its sign, such as a modifier."""

    number: int

    def __str__(self) -> str:
        return f"{self.number:+d}" if self.number else "0"


class Message(msgspec.Struct, frozen=True, omit_defaults=True, tag="say", tag_field="is"):
    """A sentence, a phrase or a term: English with {placeholders}. `many` is its plural, chosen by `n`."""

    text: str
    args: dict[str, Value] = {}
    many: str = ""
    context: str = ""

    def __str__(self) -> str:
        return ENGLISH(self)

    def __hash__(self) -> int:
        return self.text.__hash__()


class Several(msgspec.Struct, frozen=True, tag="several", tag_field="is"):
    """A list, joined by `and`, by `or`, by commas (`unit`), semicolons (`clauses`), as sentences or `lines`."""

    items: tuple[Value, ...]
    style: str = "and"

    def __str__(self) -> str:
        return ENGLISH(self)


Value: TypeAlias = Union[int, Name, Signed, Message, Several]  # noqa: UP007  (names that follow are strings here)


def say(text: str, /, **args: object) -> Message:
    """A message. Arguments that are not messages or numbers are names, which no language changes."""
    return Message(text, {name: as_value(value) for name, value in args.items()} if args else {})


def say_n(one: str, many: str, /, n: int, **args: object) -> Message:
    """A message whose wording depends on the count `{n}`."""
    return Message(one, {"n": n, **{name: as_value(value) for name, value in args.items()}}, many)


def agree(one: str, many: str, /, n: int, **args: object) -> Message:
    """A message whose wording depends on a count that it does not mention, such as the number of its subjects."""
    return Message(one, {"n": n, **{name: as_value(value) for name, value in args.items()}}, many)


def pattern(text: str, many: str = "", /) -> Message:
    """A message for a table, with a plural if its verb agrees with a number; `fill` gives it its arguments."""
    return Message(text, many=many)


def fill(message: Message, /, args: Mapping[str, object]) -> Message:
    """Return a pattern filled with the arguments that it uses."""
    fields = fields_of(message.text) if not message.many else ("n", *fields_of(message.text + message.many))
    return Message(message.text, {field: as_value(args[field]) for field in fields}, message.many)


def term(context: str, text: str, /) -> Message:
    """A word of a title; the context tells a translator what kind of thing it names."""
    return Message(text, context=context)


def named(context: str, text: str, /) -> Message:
    """A word from a data file; the catalogue collects the words of this kind from the same file."""
    return Message(text, context=context)


def prose(text: str, /) -> Message:
    """The text of a scenario file as one paragraph."""
    return Message(" ".join(text.split()), context="scenario prose")


def recorded(found: Any, /) -> Value:
    """Return a recorded message; plain English from an old record becomes a message if it has no placeholders."""
    if isinstance(found, Message | Several):
        return found
    if isinstance(found, dict):
        value: Value = msgspec.convert(found, Value)
        return value
    return Message(found) if found and "{" not in found else Name(found)


def as_message(found: Message | str) -> Message:
    """Return a message as it is; turn plain English from old records into a message that no language changes."""
    return found if isinstance(found, Message) else Message("{text}", {"text": Name(found)})


def several(items: Iterable[object], style: str = "and") -> Several:
    return Several(tuple(as_value(item) for item in items), style)


def as_value(found: object) -> Value:
    """Convert a value to an argument of a message."""
    if isinstance(found, Message | Name | Several | Signed) or type(found) is int:
        return found
    return Name(str(found))


LISTS = {
    "en": {
        "and": (", ", " and "),
        "or": (", ", " or "),
        "unit": (", ", ", "),
        "clauses": ("; ", "; "),
        "sentences": (" ", " "),
    },
    "ru": {
        "and": (", ", " и "),
        "or": (", ", " или "),
        "unit": (", ", ", "),
        "clauses": ("; ", "; "),
        "sentences": (" ", " "),
    },
    "ko": {
        "and": (", ", ", "),
        "or": (", ", " 또는 "),
        "unit": (", ", ", "),
        "clauses": ("; ", "; "),
        "sentences": (" ", " "),
    },
    "ja": {
        "and": ("、", "、"),
        "or": ("、", "または"),
        "unit": ("、", "、"),
        "clauses": ("、", "、"),
        "sentences": ("", ""),
    },
}
"""How languages join lists, after the Unicode Common Locale Data Repository."""
LAYOUT = {"lines": ("\n", "\n"), "paragraphs": ("\n\n", "\n\n"), "joined": ("", "")}
"""Lists that are joined alike in every language."""


@cache
def fields_of(text: str) -> tuple[str, ...]:
    """The placeholders of a text."""
    return tuple(dict.fromkeys(FIELD.findall(text)))


@cache
def _pieces(pattern: str) -> tuple[tuple[str, str], ...]:
    """The pieces of a pattern: words, and the placeholder after them."""
    pieces = FIELD.split(pattern)
    return tuple(zip(pieces[::2], [*pieces[1::2], ""], strict=True))


class Translator:
    """Puts messages into one language. `finish` makes each piece safe for its place, such as HTML."""

    def __init__(self, locale: str = "en", catalogue: NullTranslations | None = None) -> None:
        self.locale, self.catalogue = locale, catalogue or NullTranslations()
        self.lists = LISTS.get(locale, LISTS["en"]) | LAYOUT
        self._as_written = catalogue is None

    def __call__(self, value: object, finish: Callable[[Any], str] = str) -> str:
        if isinstance(value, Message):
            try:
                return self._filled(self.pattern(value), value, finish)
            except KeyError:  # a translation with a wrong placeholder: English is better than nothing
                return self._filled(value.text, value, finish)
        if isinstance(value, Several):
            return self._joined([self(item, finish) for item in value.items], value.style)
        return str(value) if finish is str else str(finish(str(value)))

    def _filled(self, pattern: str, message: Message, finish: Callable[[Any], str]) -> str:
        words, is_plain = [], finish is str  # as most messages are: there is nothing to make safe
        for text, field in _pieces(pattern):
            words.append(text if is_plain else str(finish(text)))
            if field:
                value = message.args[field]
                words.append(value.text if is_plain and type(value) is Name else self(value, finish))
        return "".join(words)

    def fill(self, message: Message, put: Callable[[Value], str]) -> str:
        """Fill a message whose own words are already safe; `put` makes each argument safe."""
        try:
            return "".join(
                words + put(message.args[field]) if field else words
                for words, field in _pieces(self.pattern(message))
            )
        except KeyError:
            return "".join(
                words + put(message.args[field]) if field else words for words, field in _pieces(message.text)
            )

    def pattern(self, message: Message) -> str:
        """Return the words of a message in this language, with its placeholders."""
        if self._as_written and not message.many:
            return message.text
        if message.many:
            n = message.args["n"]
            return self.catalogue.ngettext(message.text, message.many, n if isinstance(n, int) else 0)
        if message.context:
            return self.catalogue.pgettext(message.context, message.text)
        return self.catalogue.gettext(message.text) if message.text else ""

    def _joined(self, words: list[str], style: str) -> str:
        between, before_last = self.lists[style]
        *first, last = words or ["–"]
        return between.join(first) + before_last + last if first else last


ENGLISH = Translator()


def in_words(thing: object, translator: Translator = ENGLISH) -> Any:
    """Plain data for a page or a program: structs as dicts, and every message in words."""
    return _put_into_words(msgspec.to_builtins(thing), translator)


def _put_into_words(data: Any, translator: Translator) -> Any:
    if isinstance(data, dict):
        if data.get("is") in TAGS:
            return translator(msgspec.convert(data, Value))
        return {name: _put_into_words(inner, translator) for name, inner in data.items()}
    if isinstance(data, list | tuple):
        return [_put_into_words(inner, translator) for inner in data]
    return data


def revive(data: Any) -> Any:
    """Turn the messages in decoded JSON back into `Message` objects, to be worded when they are sent."""
    if isinstance(data, dict):
        if data.get("is") in TAGS:
            return msgspec.convert(data, Value)
        return {name: revive(inner) for name, inner in data.items()}
    return [revive(inner) for inner in data] if isinstance(data, list) else data


def same_but_words(made: Any, stored: Any) -> bool:
    """Whether newly made data agrees with stored data, except for the wording of messages; both are plain data.

    A message is compared by its arguments and its context. Older records store the English sentence instead.
    """
    if isinstance(made, dict):
        if made.get("is") in SAID and isinstance(stored, str):
            return True
        if not isinstance(stored, dict) or made.get("is") != stored.get("is"):
            return False
        words = WORDS if made.get("is") == "say" else frozenset()
        names = made.keys() - words
        return names == stored.keys() - words and all(same_but_words(made[name], stored[name]) for name in names)
    if isinstance(made, list | tuple):
        return (
            isinstance(stored, list)
            and len(made) == len(stored)
            and all(same_but_words(*pair) for pair in zip(made, stored, strict=True))
        )
    return type(made) is type(stored) and bool(made == stored)


TAGS = frozenset({"say", "name", "signed", "several"})
SAID = frozenset({"say", "several"})
WORDS = frozenset({"text", "many"})
"""The fields of a message that hold its wording."""

"""Messages on pages: `say`, `say_n` and `term` for templates, in the language of the reader.

The text of a message in a template is HTML, as the template itself is; every argument is escaped unless it is Markup.

translator      the reader's translator
finish          the output of a template: a message in words, anything else unchanged
words           a message in words, as plain text: for filters such as `truncate`
announce        a message at the top of the next page
"""

from __future__ import annotations

from collections.abc import Mapping
from gettext import NullTranslations
from typing import Any

from flask import Flask, flash, g, has_request_context
from markupsafe import Markup, escape

from pbem.engine.text.messages import ENGLISH, Message, Name, Several, Signed, Translator, Value, as_value
from pbem.matches.languages import translator_for
from pbem.web.http import entry
from pbem.web.http.labels import verb, weekday
from pbem.web.http.script_messages import translations


def translator() -> Translator:
    """Return the translator for this request's reader."""
    if not has_request_context():
        return ENGLISH
    if "translator" not in g:
        g.translator = translator_for(entry.language())
    found: Translator = g.translator
    return found


def install(app: Flask) -> None:
    """Give the templates of a site the message layer."""
    app.jinja_options = {**app.jinja_options, "finalize": finish}
    app.jinja_env.globals.update(say=say, say_n=say_n, term=term, spoken=page_language, catalogue=catalogue)
    app.jinja_env.filters.update(words=words, verb=verb, weekday=weekday)


def page_language() -> str:
    """The language of the page: English for readers whose language has no catalogue."""
    found = translator()
    return "en" if type(found.catalogue) is NullTranslations else found.locale


def catalogue() -> dict[str, Any]:
    """The translations that the scripts of a page need."""
    return translations(translator())


def finish(value: Any) -> Any:
    """Put a message into words where a template outputs it."""
    if isinstance(value, Message | Several):
        return Markup(translator()(value, escape))  # every piece was escaped
    return value


def words(value: Any) -> str:
    """Put a message into words, as text that is not escaped yet."""
    return translator()(value) if isinstance(value, Message | Several) else str(value)


def announce(message: Message | Several | str) -> None:
    """Show a message at the top of the reader's next page."""
    flash(words(message))


def say(text: str, /, **args: Any) -> Markup:
    """A message in a template."""
    return _speak(Message(text, _lift(args)))


def say_n(one: str, many: str, /, n: int, **args: Any) -> Markup:
    """A message in a template whose wording depends on a count."""
    return _speak(Message(one, {"n": n, **_lift(args)}, many))


def term(context: str, text: str, /) -> Markup:
    """A word in a template, with the kind of thing it names."""
    return _speak(Message(text, context=context))


def _lift(args: Mapping[str, Any]) -> dict[str, Value]:
    """The arguments of a message; a Name may hold Markup, which `escape` leaves alone."""
    return {name: Name(value) if isinstance(value, Markup) else as_value(value) for name, value in args.items()}


def _speak(message: Message) -> Markup:
    """Put a template's message into words: its text is HTML, and its arguments are escaped."""
    speak = translator()
    return Markup(speak.fill(message, _escape_value))


def _escape_value(value: Value) -> str:
    if isinstance(value, Message | Several | Signed):
        return translator()(value, escape)
    return str(escape(value.text if isinstance(value, Name) else value))  # Markup would escape the words before it

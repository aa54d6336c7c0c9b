"""Messages on pages are in the reader's language, and escaped."""

from __future__ import annotations

from gettext import NullTranslations
from types import SimpleNamespace

import pytest
from flask import Flask, render_template_string
from markupsafe import Markup

from pbem.engine.text import messages
from pbem.engine.text.messages import Name, Translator, several
from pbem.matches import languages
from pbem.matches.accounts import accounts, preferences
from pbem.matches.accounts.preferences import Profile
from pbem.web.http import speech
from pbem.web.pages.tournaments.public import fragment

EVIL = "<script>alert('&')</script>"
SAFE = "&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;"


@pytest.fixture
def alone() -> Flask:
    """Return an application without pages."""
    made = Flask("speech")
    speech.install(made)
    return made


def shown(app: Flask, template: str, **facts: object) -> str:
    with app.app_context():
        return render_template_string(template, **facts)


@pytest.mark.parametrize(
    "template",
    [
        '{{ say("<b>{who}</b> won", who=who) }}',
        '{{ say_n("<b>{who}</b> won", "<b>{who}</b> won", n=2, who=who) }}',
        '{{ say("<b>{who}</b> won", who=say("{who}", who=who)) }}',
        '{{ say("<b>{who}</b> won", who=message) }}',
        '{{ say("<b>{who}</b> won", who=list) }}',
    ],
)
def test_the_text_of_a_template_is_html_and_every_argument_is_escaped(alone, template):
    facts = {"who": EVIL, "message": messages.say("{who}", who=EVIL), "list": several([Name(EVIL)])}

    assert shown(alone, template, **facts) == f"<b>{SAFE}</b> won"


def test_markup_stays_and_a_message_from_the_rules_is_escaped_whole(alone):
    assert shown(alone, '{{ say("until {at}", at=at) }}', at=Markup("<time>noon</time>")) == "until <time>noon</time>"
    assert shown(alone, "{{ said }}", said=messages.say("<b>{who}</b>", who=EVIL)) == f"&lt;b&gt;{SAFE}&lt;/b&gt;"
    assert shown(alone, "{{ said|words|truncate(9, leeway=0) }}", said=messages.say("<b> and more")) == "&lt;b&gt;..."


class German(NullTranslations):
    def gettext(self, message: str) -> str:
        return {"Your orders": "Deine Befehle", "{who} won": "Es gewann {wer}"}.get(message, message)


def test_a_reader_with_a_catalogue_reads_its_language(alone, monkeypatch):
    monkeypatch.setattr(speech, "translator", lambda: Translator("de", German()))

    assert shown(alone, '{{ say("Your orders") }}') == "Deine Befehle"
    assert shown(alone, "{{ said }}", said=messages.say("Your orders")) == "Deine Befehle"
    assert shown(alone, '{{ say("{who} won", who="Ann") }}') == "Ann won", "a wrong placeholder in a translation"
    assert shown(alone, "{{ spoken() }}") == "de"


def test_a_stored_page_is_for_readers_of_its_language(ann, match, server, monkeypatch):
    monkeypatch.setattr(
        languages, "catalogue_of", lambda language: German() if language == "de" else NullTranslations()
    )
    languages.translator_for.cache_clear()
    account = accounts.by_address(server, "ann@example.org")
    said = []
    for language in ("en", "de", "en"):
        preferences.set_profile(server, account.id, Profile(language=language))
        page = ann.get(f"/matches/{match}").text
        said.append(("Your orders <span" in page, "Deine Befehle <span" in page, f'<html lang="{language}"' in page))
    languages.translator_for.cache_clear()

    assert said == [(True, False, True), (False, True, True), (True, False, True)]


def test_a_stored_part_of_a_page_is_for_readers_of_its_language(app, monkeypatch):
    record, made = SimpleNamespace(id="cup", version=3), []
    with app.test_request_context():
        for language in ("en", "de", "en", "de"):
            monkeypatch.setattr(speech, "translator", lambda language=language: Translator(language))
            made.append(str(fragment(record, "table", lambda language=language: f"{language} {len(made)}")))

    assert made == ["en 0", "de 1", "en 0", "de 1"]

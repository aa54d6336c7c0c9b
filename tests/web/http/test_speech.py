"""Messages on pages: in the reader's language, and escaped."""

from __future__ import annotations

from gettext import NullTranslations

import pytest
from flask import Flask, render_template_string
from markupsafe import Markup

from pbem.engine.text import messages
from pbem.engine.text.messages import Name, Translator, several
from pbem.web.http import speech

EVIL = "<script>alert('&')</script>"
SAFE = "&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;"


@pytest.fixture
def app() -> Flask:
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
def test_the_text_of_a_template_is_html_and_every_argument_is_escaped(app, template):
    facts = {"who": EVIL, "message": messages.say("{who}", who=EVIL), "list": several([Name(EVIL)])}

    assert shown(app, template, **facts) == f"<b>{SAFE}</b> won"


def test_markup_stays_and_a_message_from_the_rules_is_escaped_whole(app):
    assert shown(app, '{{ say("until {at}", at=at) }}', at=Markup("<time>noon</time>")) == "until <time>noon</time>"
    assert shown(app, "{{ said }}", said=messages.say("<b>{who}</b>", who=EVIL)) == f"&lt;b&gt;{SAFE}&lt;/b&gt;"
    assert shown(app, "{{ said|words|truncate(9, leeway=0) }}", said=messages.say("<b> and more")) == "&lt;b&gt;..."


class German(NullTranslations):
    def gettext(self, message: str) -> str:
        return {"Your orders": "Deine Befehle", "{who} won": "Es gewann {wer}"}.get(message, message)


def test_a_reader_with_a_catalogue_reads_its_language(app, monkeypatch):
    monkeypatch.setattr(speech, "translator", lambda: Translator("de", German()))

    assert shown(app, '{{ say("Your orders") }}') == "Deine Befehle"
    assert shown(app, "{{ said }}", said=messages.say("Your orders")) == "Deine Befehle"
    assert shown(app, '{{ say("{who} won", who="Ann") }}') == "Ann won", "a wrong placeholder in a translation"
    assert shown(app, "{{ spoken() }}") == "de"

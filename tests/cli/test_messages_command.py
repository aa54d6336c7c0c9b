"""`pbem messages` turns a translator's file into a catalogue that the server reads."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pbem.cli import main
from pbem.engine.text.messages import Translator, say, say_n
from pbem.matches import languages
from pbem.web.http.script_messages import CALL, SCRIPTS, messages_in_scripts, translations

PO = """\
msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"
"Language: ru\\n"
"Plural-Forms: nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 :"
" n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);\\n"

msgid "{unit} cannot move"
msgstr "{unit} не может двигаться"

msgid "{unit} cannot fire"
msgstr "{танк} не может стрелять {oops}"

msgid "{n} unit chosen"
msgid_plural "{n} units chosen"
msgstr[0] "выбран {n} отряд"
msgstr[1] "выбрано {n} отряда"
msgstr[2] "выбрано {n} отрядов"
"""


@pytest.fixture
def russian(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Translator:
    (tmp_path / "ru.po").write_text(PO, "utf-8")
    monkeypatch.setattr(languages, "LOCALES", tmp_path)
    code = main(["messages", "--compile", str(tmp_path / "ru.po"), "--output", str(tmp_path / "ru.mo")])
    assert code == 1 and "“{unit} cannot fire” has no placeholder oops" in capsys.readouterr().err
    return Translator("ru", languages.catalogue_of("ru"))


def test_a_translation_is_compiled_and_read(russian: Translator) -> None:
    assert russian(say("{unit} cannot move", unit="a1")) == "a1 не может двигаться"
    assert russian(say_n("{n} unit chosen", "{n} units chosen", n=3)) == "выбрано 3 отряда"
    assert russian(say("{unit} cannot fire", unit="a1")) == "a1 cannot fire"


def test_scripts_get_the_plural_forms_of_the_language(russian: Translator) -> None:
    forms = translations(russian)["{n} unit chosen"]

    assert forms["one"] == "выбран {n} отряд"
    assert forms["few"] == "выбрано {n} отряда"
    assert forms["many"] == forms["other"] == "выбрано {n} отрядов"
    assert translations(russian)["Zoom in"] == "Zoom in" and json.dumps(translations(russian))
    assert translations(Translator()) == {}


PLAIN = re.compile(r"""["`][A-Z][a-z]+(?:[.:?]|(?: [a-z]+)+)[^"`]*["`]""")
"""English of two words or more, or with punctuation."""


def test_scripts_say_everything_in_messages() -> None:
    plain = [
        f"{file.name}: {text}"
        for file in sorted(SCRIPTS.glob("*.js"))
        for text in PLAIN.findall(CALL.sub("", file.read_text("utf-8")))
    ]

    assert plain == []
    assert len([*messages_in_scripts()]) > 60
    assert PLAIN.search('make("p", { textContent: "Where to?" })')

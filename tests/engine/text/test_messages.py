"""Messages are English by default, translated by a catalogue, keep names unchanged, and are safe in a page."""

from __future__ import annotations

from gettext import NullTranslations

import msgspec
import pytest
from markupsafe import escape

from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import (
    Message,
    Name,
    Signed,
    Translator,
    in_words,
    recorded,
    same_but_words,
    say,
    say_n,
    several,
    term,
)
from pbem.engine.text.sentences import fact

ENTRIES = {
    "{tank} cannot shoot": "{tank} kann nicht schießen",
    "{a} and {b} are too far apart": "zwischen {b} und {a} ist zu viel Platz",
    "a slip": "ein Fehler: {missing}",
}


class German(NullTranslations):
    """A German catalogue with a few messages."""

    def gettext(self, message: str) -> str:
        return ENTRIES.get(message, message)

    def ngettext(self, one: str, many: str, n: int) -> str:
        return "{n} Treffer" if one == "{n} hit" else super().ngettext(one, many, n)

    def pgettext(self, context: str, message: str) -> str:
        return {"phase": {"Move": "Bewegung"}}.get(context, {}).get(message, message)


def test_a_message_is_english_by_itself():
    assert str(say("{tank} cannot shoot", tank="a1")) == "a1 cannot shoot"
    assert str(say_n("{n} hit", "{n} hits", n=1)) == "1 hit"
    assert str(say_n("{n} hit", "{n} hits", n=2)) == "2 hits"
    assert str(say("roll {mod}", mod=Signed(2))) == "roll +2"
    assert str(several(["a1", "a2", "a3"])) == "a1, a2 and a3"
    assert str(several(["a1", "a2"], "or")) == "a1 or a2"
    assert str(several([])) == "–"


def test_a_catalogue_translates_words_and_leaves_names():
    german = Translator("de", German())

    assert german(say("{tank} cannot shoot", tank="a1")) == "a1 kann nicht schießen"
    assert german(say("{a} and {b} are too far apart", a="A1", b="B2")) == "zwischen B2 und A1 ist zu viel Platz"
    assert german(say_n("{n} hit", "{n} hits", n=3)) == "3 Treffer"
    assert german(term("phase", "Move")) == "Bewegung" and german(say("Move")) == "Move"


def test_messages_nest():
    german = Translator("de", German())
    inner = say_n("{n} hit", "{n} hits", n=2)

    assert german(say("result: {hits}", hits=inner)) == "result: 2 Treffer"


def test_a_slip_in_a_translation_falls_back_to_english():
    assert Translator("de", German())(say("a slip")) == "a slip"


def test_names_are_escaped_in_a_page():
    said = say("{who} joined <now>", who="<b>Ann</b>")

    assert Translator()(said, escape) == "&lt;b&gt;Ann&lt;/b&gt; joined &lt;now&gt;"


def test_messages_survive_json_and_can_be_compared():
    said = say("{a} {b}", a=1, b=say("x {c}", c="y"))
    stored = msgspec.json.encode(said)

    assert msgspec.json.decode(stored, type=Message) == said
    assert len({said, say("{a} {b}", a=1, b=say("x {c}", c="y")), say("{a} {b}", a=2, b="z")}) == 2
    assert len({Objection("1", said), Objection("1", said)}) == 1


def test_data_with_messages_is_put_into_words():
    objection = Objection("4.2", say("{unit} is broken", unit="g1"), ("orders", 0))

    assert in_words([objection]) == [{"rule": "4.2", "why": "g1 is broken", "at": ["orders", 0]}]
    assert in_words({"is": "other", "n": Name("x")}) == {"is": "other", "n": "x"}


HIT = say("{tank} is hit by {enemy}", tank="a1", enemy="b2")


@pytest.mark.parametrize(
    ("stored", "same"),
    [
        (HIT, True),
        (say("{enemy} has hit {tank}", tank="a1", enemy="b2"), True),
        (say_n("{tank} takes {n} hit from {enemy}", "{n} hits", n=1, tank="a1", enemy="b2"), False),
        (say("{tank} is hit by {enemy}", tank="a1", enemy="b3"), False),
        (say("{tank} is hit", tank="a1"), False),
        (term("result", "hit"), False),
        (several([HIT]), False),
        ("a1 is hit by b2", True),
        (7, False),
    ],
)
def test_a_message_of_a_record_is_compared_by_its_arguments(stored, same):
    made = msgspec.to_builtins([{"why": HIT}])

    assert same_but_words(made, msgspec.to_builtins([{"why": stored}])) is same


def test_everything_but_words_is_compared():
    assert same_but_words({"result": 1}, {"result": 1})
    for stored in (
        {"result": True},
        {"result": 2},
        {"result": "1"},
        {"result": 1, "why": ""},
        [1],
        {},
        {"is": "say"},
    ):
        assert not same_but_words({"result": 1}, stored)
    assert not same_but_words(["a", "b"], ["a"]) and not same_but_words("halted", "stopped")


def test_a_message_of_a_record_is_put_into_words_when_it_is_read():
    german, said = Translator("de", German()), say("{tank} cannot shoot", tank="a1")

    assert german(recorded(said)) == german(recorded(msgspec.to_builtins(said))) == "a1 kann nicht schießen"
    assert german(recorded("of an old record")) == "of an old record"


def test_a_fact_has_a_label_that_can_be_read_alone() -> None:
    """An input whose name is short or abbreviated has a label of its own; any other input is shown by its name."""
    assert str(fact("upto")) == "highest roll that counts"
    assert str(fact("dry_upto")) == "out of fuel on this roll or less"
    assert str(fact("hit_number")) == "hit number"

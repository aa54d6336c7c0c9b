"""The project words the mistakes in forms and requests itself, instead of the library that finds them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from marshmallow import Schema, ValidationError, fields, validate

import pbem
from pbem.web.http.field_errors import PLAIN, in_our_words, reasons_in

PACKAGE = Path(pbem.__file__).parent
USED = {
    name
    for file in PACKAGE.rglob("*.py")
    if file.is_relative_to(PACKAGE / "web")
    for name in re.findall(r"\bfields\.([A-Z]\w+)", file.read_text("utf-8"))
}


@pytest.mark.parametrize("name", sorted(USED))
def test_every_kind_of_field_in_use_has_our_words(name: str) -> None:
    kind: Any = getattr(fields, name)
    shown = {key: text for key, text in kind.default_error_messages.items() if key not in ("format", "too_large")}

    assert {text for text in shown.values() if text not in PLAIN} == set()


class Body(Schema):
    count = fields.Integer(validate=validate.Range(1, 9))
    least = fields.Integer(validate=validate.Range(min=1))
    word = fields.String(validate=validate.Length(max=3))
    name = fields.String(validate=validate.Length(min=1, max=3))
    kind = fields.String(validate=validate.OneOf(["a", "b", "c"]))
    facts = fields.Dict()
    needed = fields.List(fields.String(), required=True)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({}, "this field is missing"),
        ({"needed": [], "count": 10}, "give a number from 1 to 9"),
        ({"needed": [], "least": 0}, "give 1 or more"),
        ({"needed": [], "word": "long"}, "at most 3 characters are allowed"),
        ({"needed": [], "name": ""}, "give 1 to 3 characters"),
        ({"needed": [], "kind": "x"}, "choose one of a, b or c"),
        ({"needed": [], "facts": 1}, "give an object with named values"),
        ({"needed": ["a", 1]}, "give some text"),
        ({"needed": [], "more": 1}, "there is no such field"),
    ],
)
def test_a_mistake_is_told_in_our_words(body: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError) as refused:
        Body().load(body)

    assert [str(why) for why in reasons_in(refused.value.messages)] == [said]


def test_an_unknown_text_stays_as_it_is() -> None:
    assert str(in_our_words("This is new.")) == "This is new"

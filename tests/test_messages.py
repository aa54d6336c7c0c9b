"""All text for readers is made of messages: literal English with placeholders that a translator can move.

Text that still bypasses the messages is counted here, and the numbers may only fall.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import jinja2
import pytest
from babel.messages.pofile import read_po

from pbem.cli import messages

MOST_PASSED_ON = 125
"""Refusals whose reason is not made as a message in the same place."""
MOST_FRAGMENTS = 4
"""Arguments of messages that are English themselves."""
MOST_IN_TEMPLATES = 0
"""Lines of templates with words outside messages."""


MAKERS = {*messages.CALLS, "named", "Name"}


def calls(name: str) -> list[tuple[Path, ast.Call]]:
    """Return all calls of the function with this name in the package."""
    return [(file, node) for file, node in all_calls() if isinstance(node.func, ast.Name) and node.func.id == name]


@cache
def all_calls() -> list[tuple[Path, ast.Call]]:
    """Return all calls in the package, which is read once."""
    return [
        (file, node)
        for file in messages.modules()
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Call)
    ]


def test_every_message_has_a_literal_text_whose_placeholders_are_its_arguments():
    assert [flaw for message in messages.all_messages() for flaw in messages.flaws_of(message)] == []
    assert len(messages.all_messages()) > 1400


def is_message(node: ast.AST) -> bool:
    """Return whether an expression makes a message, or chooses between two messages."""
    if isinstance(node, ast.IfExp):
        return is_message(node.body) and is_message(node.orelse)
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in messages.CALLS


def test_a_refusal_gives_its_reason_as_a_message():
    """The reason of a refusal is a message, made on the spot or passed on by name."""
    passed_on = []
    for file, call in calls("Objection"):
        why = call.args[1] if len(call.args) > 1 else call.keywords[0].value
        assert not isinstance(why, ast.Constant | ast.JoinedStr), f"{file}:{call.lineno} refuses with a plain string"
        if not is_message(why):
            passed_on.append(f"{file.name}:{call.lineno}")

    assert len(passed_on) <= MOST_PASSED_ON, passed_on


def own_strings(node: ast.AST) -> Iterator[str]:
    """Yield the strings in an argument, except those in a nested message and keys that look up data."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.Subscript):
        yield from own_strings(node.value)
    elif not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MAKERS):
        for child in ast.iter_child_nodes(node):
            yield from own_strings(child)


def test_no_message_takes_english_as_an_argument():
    fragments = [
        f"{file}:{call.lineno} {keyword.arg}"
        for name in ("say", "say_n", "agree")
        for file, call in calls(name)
        for keyword in call.keywords
        for text in own_strings(keyword.value)
        if " " in text.strip()
    ]

    assert len(fragments) <= MOST_FRAGMENTS, "\n".join(fragments)


WORD = re.compile(r"(?<![\w@./-])[A-Za-z][a-z]{2,}(?:'[a-z]+)?(?![\w@/-]|\.\w)")
UNSPOKEN = re.compile(r"<(script|style|code|pre)\b.*?</\1>|<[^<>]*>|\{% block width %\}full", re.DOTALL)
"""Parts of a template that no reader reads as words."""


def plain_lines_of(source: str) -> Iterator[str]:
    """Yield the lines of a template that have words outside messages; in emails, lines indented by four spaces are
    data and are skipped."""
    lexed = jinja2.Environment().lex(source.replace("{% block width %}full", "{% block width %}"))
    text = "".join(
        value if kind == "data" else "\0" for _, kind, value in lexed if kind in ("data", "variable_begin")
    )
    for line in UNSPOKEN.sub("", text).splitlines():
        words = set(WORD.findall(line)) - {"pbem", "Subject"}
        if words and "=" not in line and not line.startswith("    "):
            yield line.strip()


def test_templates_say_everything_in_messages():
    files = messages.template_files()
    plain = [f"{file.name}: {line}" for file in files for line in plain_lines_of(file.read_text("utf-8"))]

    assert len(plain) <= MOST_IN_TEMPLATES, "\n".join(plain)
    assert list(plain_lines_of('<p class="a">{{ say("Yes") }} but no</p>')) == ["\0 but no"]


def test_the_template_for_translators_holds_every_message(tmp_path):
    written = tmp_path / "pbem.pot"
    written.write_bytes(messages.template(messages.all_messages()))
    with written.open("rb") as file:
        catalogue = read_po(file)

    for message in filter(lambda message: message.literal, messages.all_messages()):
        assert catalogue.get(message.texts[0], message.context or None) is not None, message


@pytest.mark.parametrize(
    ("code", "flaw"),
    [
        ('say("{a} is broken")', "placeholders ['a'] and the arguments []"),
        ('say("it is broken", unit=1)', "placeholders [] and the arguments ['unit']"),
        ('say(f"{unit} is broken")', "computes its text"),
        ('say_n("{n} hit", "hits", n=2)', "placeholders [] and the arguments ['n']"),
        ('say("")', "is empty"),
    ],
)
def test_a_message_that_cannot_be_translated_is_found(code, flaw, tmp_path):
    file = tmp_path / "module.py"
    file.write_text(f"from pbem.engine.text.messages import say, say_n\n{code}\n")
    (message,) = messages.found_in([file], tmp_path)

    assert any(flaw in found for found in messages.flaws_of(message))

"""messages: all messages to readers, as a gettext template for translators.

found_in            the messages of Python modules, with their places
found_in_templates  the messages of the templates of pages and emails
found_in_scripts    the messages of the scripts of the site
found_in_data       the words of data files that sentences use
found_in_titles     the names of the titles' seats
template            a gettext template (.pot) of all of them
flaws_of            messages that a translator or a reader would stumble over
compile_catalogue   a translator's file (.po) as the catalogue that the server reads
"""

from __future__ import annotations

import argparse
import ast
import csv
import io
import sys
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
import msgspec
from jinja2 import nodes

from pbem.cli.arguments import Subparsers, add_command
from pbem.engine.text.messages import FIELD
from pbem.engine.text.sentences import FACT, fact
from pbem.matches.languages import LOCALES
from pbem.web.http.script_messages import messages_in_scripts

PACKAGE = Path(__file__).parents[1]
CALLS = {"say": 1, "say_n": 2, "agree": 2, "pattern": 1, "term": 2}
"""The functions that make messages, each with its number of texts; the texts of `term` are a kind and a word."""
WORDS = "data/messages.toml"
"""A title's list of the data files whose words readers see: by kind, the file and the path to the word in it."""
INPUTS = ("inputs", "about")
"""The names under which code keeps the inputs of a finding."""


class Found(msgspec.Struct, frozen=True):
    """A message in the code: its texts, the kind of term if it is one, its arguments and its place.

    An `open` message is part of a table, so its arguments are elsewhere. The text of a `loose` message need not use
    all of its arguments.
    """

    texts: tuple[str, ...]
    context: str
    arguments: frozenset[str]
    file: str
    line: int
    literal: bool = True
    open: bool = False
    loose: bool = False


def found_in(files: Iterable[Path], root: Path = PACKAGE) -> Iterator[Found]:
    """Yield the messages of these modules, in order."""
    for file in files:
        text = file.read_text("utf-8")
        if "messages import" not in text:
            continue
        found = list(ast.walk(ast.parse(text)))
        known = {
            name.name
            for node in found
            if isinstance(node, ast.ImportFrom) and (node.module or "").endswith("text.messages")
            for name in node.names
        }
        for node in found:
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in CALLS.keys() & known
            ):
                yield _message_of(node, node.func.id, file.relative_to(root).as_posix())


def _message_of(call: ast.Call, name: str, file: str) -> Found:
    """Return the message that a call makes."""
    said = [arg.value if isinstance(arg, ast.Constant) and isinstance(arg.value, str) else None for arg in call.args]
    arguments = frozenset(keyword.arg for keyword in call.keywords if keyword.arg)
    spread = any(keyword.arg is None for keyword in call.keywords)
    return _as_found(said, arguments, name, (file, call.lineno), spread=spread)


def _as_found(
    said: list[str | None], arguments: frozenset[str], name: str, place: tuple[str, int], *, spread: bool = False
) -> Found:
    """The message of a call with these literal texts (None stands for a computed text) and arguments."""
    wanted = max(1, len(said)) if name == "pattern" else CALLS[name]
    literal = len(said) >= wanted and None not in said[:wanted]
    texts = tuple(text or "" for text in said[:wanted])
    if name == "term":
        return Found(texts[1:], texts[0] if texts else "", arguments, *place, literal)
    if name == "agree":
        arguments -= {"n"}
    elif name == "say_n":
        arguments |= {"n"}
    return Found(texts, "", arguments, *place, literal, name == "pattern" or spread, name == "agree")


def found_in_templates(files: Iterable[Path], root: Path) -> Iterator[Found]:
    """Yield the messages of these templates, in order."""
    environment = jinja2.Environment(autoescape=True)
    for file in files:
        tree = environment.parse(file.read_text("utf-8"))
        for call in tree.find_all(nodes.Call):
            if isinstance(call.node, nodes.Name) and call.node.name in CALLS:
                texts = [arg.value if isinstance(arg, nodes.Const) else None for arg in call.args]
                arguments = frozenset(keyword.key for keyword in call.kwargs)
                place = file.relative_to(root).as_posix(), call.lineno
                yield _as_found(texts, arguments, call.node.name, place)


def found_in_scripts(root: Path = PACKAGE) -> Iterator[Found]:
    """Yield the messages of the scripts; a script fills in the placeholders itself."""
    for one in messages_in_scripts():
        texts = (one.text, one.many) if one.many else (one.text,)
        yield Found(texts, "", frozenset(), one.file.relative_to(root).as_posix(), one.line, open=True)


def found_in_data(root: Path = PACKAGE) -> Iterator[Found]:
    """Yield the words of data files, as each title lists them; words of `prose` are joined into one paragraph."""
    for listed in sorted(root.glob(f"titles/*/{WORDS}")):
        for kind, places in tomllib.loads(listed.read_text("utf-8")).items():
            for place in places:
                name, _, path = place.partition(": ")
                for file in sorted(listed.parent.glob(name)):
                    said = _at(tomllib.loads(file.read_text("utf-8")), path.split("."))
                    words = dict.fromkeys(word for word in said if isinstance(word, str) and word)
                    if kind.endswith("prose"):
                        words = dict.fromkeys(" ".join(word.split()) for word in words)
                    yield from (
                        Found((word,), kind, frozenset(), file.relative_to(root).as_posix(), 1) for word in words
                    )


def found_in_findings(files: Iterable[Path], root: Path = PACKAGE) -> Iterator[Found]:
    """Yield the labels of facts: the names of the inputs of findings, as a report shows them."""
    words: dict[str, tuple[str, int]] = {}
    for file in files:
        text = file.read_text("utf-8")
        if "inputs" not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            for name in _inputs_named(node):
                words.setdefault(fact(name).text, (file.relative_to(root).as_posix(), node.lineno))  # type: ignore[attr-defined]
    yield from (Found((word,), FACT, frozenset(), *place) for word, place in sorted(words.items()))


def _inputs_named(node: ast.AST) -> Iterator[str]:
    """Yield the names of inputs in a call or an assignment that gives a finding its inputs."""
    given: list[ast.AST] = []
    if isinstance(node, ast.Call):
        given += [keyword.value for keyword in node.keywords if keyword.arg == "inputs"]
        if isinstance(node.func, ast.Attribute) and node.func.attr == "finding":
            yield from (keyword.arg for keyword in node.keywords if keyword.arg)
    elif isinstance(node, ast.Assign) and any(isinstance(to, ast.Name) and to.id in INPUTS for to in node.targets):
        given.append(node.value)
    for value in given:
        for inner in ast.walk(value):
            if isinstance(inner, ast.Dict):
                yield from (
                    key.value for key in inner.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)
                )


def found_in_rules(root: Path = PACKAGE) -> Iterator[Found]:
    """Yield the headings and texts of the rules that titles ship."""
    for file in sorted(root.glob("titles/*/rules.csv")):
        rows = csv.DictReader(file.read_text("utf-8").splitlines())
        words = dict.fromkeys(word for row in rows for word in (row["title"], row["text"]) if word)
        yield from (Found((word,), "rule", frozenset(), file.relative_to(root).as_posix(), 1) for word in words)


def found_in_titles() -> Iterator[Found]:
    """Yield the display names of the titles' seats. Loading the titles takes a moment, so it is done only here."""
    from pbem.titles.registry import TITLES

    for title in TITLES.values():
        for name in title.seat_names.values():
            yield Found((name,), "seat", frozenset(), f"titles/{title.name}/title.py", 1)


def _at(data: Any, path: list[str]) -> Iterator[Any]:
    """Yield everything at a path of keys; `*` stands for each entry of a table or a list, `@` for its key."""
    if isinstance(data, list) and path and path[0] != "*":
        path = ["*", *path]
    if not path:
        yield data
    elif path[0] == "@":
        yield from data
    elif path[0] == "*":
        for inner in data.values() if isinstance(data, dict) else data:
            yield from _at(inner, path[1:])
    elif isinstance(data, dict) and path[0] in data:
        yield from _at(data[path[0]], path[1:])


@cache
def all_messages() -> tuple[Found, ...]:
    """Return every message of the product: code, templates and data. They are read once."""
    pages = sorted((PACKAGE / "titles").rglob("*.html"))
    return (
        *found_in(modules()),
        *found_in_templates(template_files(), template_folder()),
        *found_in_templates(pages, PACKAGE),
        *found_in_scripts(),
        *found_in_data(),
        *found_in_rules(),
        *found_in_findings(modules()),
        *found_in_titles(),
    )


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def template_folder() -> Path:
    """Return the folder of templates: inside the package when installed, next to it in a checkout."""
    inside = PACKAGE / "templates"
    return inside if inside.is_dir() else PACKAGE.parent / "templates"


def template_files() -> list[Path]:
    return sorted(file for file in template_folder().rglob("*.*") if file.suffix in (".html", ".txt", ".xml"))


def flaws_of(message: Found) -> Iterator[str]:
    """Yield the faults of a message: a computed text, or placeholders that do not fit its arguments."""
    place = f"{message.file}:{message.line}"
    if not message.literal:
        yield f"{place} computes its text; a catalogue can only hold literal ones"
        return
    if any(not text.strip() for text in message.texts):
        yield f"{place} is empty"
    fields = [set(FIELD.findall(text)) for text in message.texts]
    wrong = [one for one in fields if one != message.arguments]
    if message.loose:
        wrong = [one for one in fields if one - message.arguments or message.arguments - set().union(*fields)]
    if wrong and not message.open:
        yield f"{place} has the placeholders {sorted(wrong[0])} and the arguments {sorted(message.arguments)}"


def template(messages: Iterable[Found]) -> bytes:
    """A gettext template of these messages. Babel is loaded only here, because a server does not need it."""
    from babel.messages.catalog import Catalog
    from babel.messages.pofile import write_po

    catalogue = Catalog(project="pbem", charset="utf-8")
    for message in filter(lambda message: message.literal, messages):
        one, *many = message.texts
        id = (one, many[0]) if many else one
        catalogue.add(id, locations=[(message.file, message.line)], context=message.context or None)
    written = io.BytesIO()
    write_po(written, catalogue, omit_header=True, width=118, sort_output=True)
    return written.getvalue()


def compile_catalogue(translated: bytes) -> tuple[bytes, list[str]]:
    """Compile a translator's file; also return its mistakes: translations whose placeholders differ from the English.

    A wrong translation is left out, so its readers get English.
    """
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    catalogue, wrong = read_po(io.BytesIO(translated)), list[str]()
    for message in [*catalogue]:
        texts = message.id if isinstance(message.id, tuple) else (message.id,)
        said = message.string if isinstance(message.string, tuple) else (message.string,)
        known = set(FIELD.findall(" ".join(texts)))
        if odd := {field for text in said for field in FIELD.findall(text or "")} - known:
            wrong.append(f"“{texts[0]}” has no placeholder {', '.join(sorted(odd))}")
            catalogue.delete(message.id, message.context)
    written = io.BytesIO()
    write_mo(written, catalogue)
    return written.getvalue(), wrong


def compile_file(file: Path, output: Path | None) -> int:
    """Compile a file named after its language, such as `ko.po`, for the server."""
    content, wrong = compile_catalogue(file.read_bytes())
    target = output or LOCALES / f"{file.stem}.mo"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content)
    for mistake in wrong:
        print(f"left out: {mistake}", file=sys.stderr)
    print(f"wrote {target}")
    return 1 if wrong else 0


def add(subparsers: Subparsers) -> None:
    help = "write the messages that readers see as a gettext template, count them, or compile a translation"
    examples = [
        "pbem messages --count",
        "pbem messages --output pbem.pot",
        "pbem messages --compile ko.po --output ko.mo",
    ]
    parser = add_command(subparsers, "messages", run, help, examples)
    parser.add_argument("--output", type=Path, metavar="FILE", help="the file to write (default: standard output)")
    parser.add_argument(
        "--compile", type=Path, metavar="FILE", help="a translation, named after its language: ko.po becomes ko.mo"
    )
    parser.add_argument("--count", action="store_true", help="only say how many messages there are")


def run(args: argparse.Namespace) -> int:
    """Write the template, count its messages, or compile a translation."""
    if args.compile:
        return compile_file(args.compile, args.output)
    messages = all_messages()
    if args.count:
        different = {(message.texts, message.context) for message in messages}
        print(f"{len(different)} messages in {len(messages)} places")
        return 0
    content = template(messages)
    if args.output:
        args.output.write_bytes(content)
    else:
        sys.stdout.write(content.decode())
    return 0

"""messages: everything that `say`, `say_n` and `term` tell a reader, as a gettext template for translators.

found_in        the messages of Python modules, with their places
template        a gettext template (.pot) of all of them
flaws_of        messages that a translator or a reader would stumble over
"""

from __future__ import annotations

import argparse
import ast
import io
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from pbem.cli.arguments import Subparsers, add_command
from pbem.engine.text.messages import FIELD

PACKAGE = Path(__file__).parents[1]
CALLS = ("say", "say_n", "term")


class Found(msgspec.Struct, frozen=True):
    """A message in the code: its texts, the kind of term if it is one, its arguments and its place."""

    texts: tuple[str, ...]
    context: str
    arguments: frozenset[str]
    file: str
    line: int
    literal: bool = True


def found_in(files: Iterable[Path], root: Path = PACKAGE) -> Iterator[Found]:
    """Yield the messages of these modules, in order."""
    for file in files:
        text = file.read_text("utf-8")
        if "messages import" not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLS:
                yield _found(node, node.func.id, file.relative_to(root).as_posix())


def _found(call: ast.Call, name: str, file: str) -> Found:
    """The message of one call."""
    said = [arg.value if isinstance(arg, ast.Constant) and isinstance(arg.value, str) else None for arg in call.args]
    arguments = frozenset(keyword.arg for keyword in call.keywords if keyword.arg)
    wanted = {"say": 1, "say_n": 2, "term": 2}[name]
    literal = len(said) >= wanted and None not in said[:wanted]
    texts = tuple(text or "" for text in said[:wanted])
    if name == "term":
        return Found(texts[1:], texts[0] if texts else "", arguments, file, call.lineno, literal)
    return Found(texts, "", arguments | ({"n"} if name == "say_n" else set()), file, call.lineno, literal)


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def flaws_of(message: Found) -> Iterator[str]:
    """Yield what is wrong with a message: a computed text, or placeholders that do not fit its arguments."""
    place = f"{message.file}:{message.line}"
    if not message.literal:
        yield f"{place} computes its text; a catalogue can only hold literal ones"
        return
    for text in message.texts:
        if not text.strip():
            yield f"{place} is empty"
        if (fields := set(FIELD.findall(text))) != message.arguments:
            yield f"{place} has the placeholders {sorted(fields)} and the arguments {sorted(message.arguments)}"


def template(messages: Iterable[Found]) -> bytes:
    """A gettext template of these messages. Babel is loaded only here: a server does not need it."""
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


def add(subparsers: Subparsers) -> None:
    help = "write the messages that readers see as a gettext template, or count them"
    parser = add_command(
        subparsers, "messages", run, help, ["pbem messages --count", "pbem messages --output pbem.pot"]
    )
    parser.add_argument("--output", type=Path, metavar="FILE", help="the file to write (default: standard output)")
    parser.add_argument("--count", action="store_true", help="only say how many messages there are")


def run(args: argparse.Namespace) -> int:
    """Write the template, or count its messages."""
    found = list(found_in(modules()))
    if args.count:
        print(f"{len({(message.texts, message.context) for message in found})} messages in {len(found)} places")
        return 0
    content = template(found)
    if args.output:
        args.output.write_bytes(content)
    else:
        sys.stdout.write(content.decode())
    return 0

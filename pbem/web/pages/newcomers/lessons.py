"""The steps of a guided first game on the page of its match, with order lines that are legal at this moment."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from pbem.engine.rules.primer import POINTS, LessonStep
from pbem.engine.rules.refusals import Refusal
from pbem.engine.text.messages import Message
from pbem.matches.exchange import sealing
from pbem.web.http.speech import translator
from pbem.web.http.viewer import Look, the_server
from pbem.web.pages.match.planning import roll_call, sheet_of

FIRST_GAME = "First game"
"""The name of a guided match, by which its page recognises it."""


def lesson_of(found: Look, turn: int, kind: str) -> list[tuple[Message, LessonStep]] | None:
    """Return the hints of a guided first game, each step with its heading; None in any other match."""
    created = found.position.record.created
    title = the_server().titles.get(created.title)
    if title is None or created.name != FIRST_GAME:
        return None
    lesson = title.primer().translate(translator()).lesson
    if lesson is None or found.seat != lesson.seat or created.scenario != lesson.scenario:
        return None
    return [(POINTS[step.point], with_legal_line(found, step)) for step in lesson.of(turn, kind)]


def with_legal_line(found: Look, step: LessonStep) -> LessonStep:
    """Return the step without its order line if the line is no longer legal; a single word becomes a legal order."""
    offered = [step.line] if " " in step.line else orders_of_kind(found, step.line) if step.line else []
    return msgspec.structs.replace(step, line=next((line for line in offered if is_legal(found, line)), ""))


def is_legal(found: Look, line: str) -> bool:
    """Whether a line would be accepted as an order of the viewer's seat now."""
    try:
        sealing.check_text(found.position, found.seat, found.position.record.open_exchange, line)
    except Refusal:
        return False
    return True


def orders_of_kind(found: Look, verb: str) -> Iterator[str]:
    """Yield orders of a kind for the viewer's units at the first target and the nearest hex other than their own."""
    for unit in roll_call(found):
        sheet = sheet_of(found, unit)
        for choice in sheet.choices:
            if choice.line.startswith(verb):
                hexes = [hex for hex in choice.hexes if hex != sheet.at]
                target, hex = next(iter(choice.units), ""), next(iter(hexes), sheet.at)
                line = choice.line.format(unit=target, hex=choice.ways.get(hex, hex))
                yield f"{choice.who or unit} {line}"

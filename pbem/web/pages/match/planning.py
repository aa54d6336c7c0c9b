"""Planning aids for a player: a unit's sheet, and the lines of sight from a hex."""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec
from flask import Blueprint, Response, request
from flask.typing import ResponseReturnValue

from pbem.engine.text.messages import in_words, say
from pbem.engine.text.sheets import Advising, Choice, Sheet, Sight
from pbem.matches.film.summary import IDLE
from pbem.web.http.viewer import Look, look, not_found

bp = Blueprint("planning", __name__, url_prefix="/matches/<match>")


@bp.get("/units/<path:unit>.json")
def unit(match: str, unit: str) -> ResponseReturnValue:
    return as_json(sheet_of(look(match, live=True), unit))


def sheet_of(found: Look, unit: str) -> Sheet:
    """One unit as the viewer may see it, with the orders they can give it now."""
    sheet = adviser(found).sheet(found.view, found.viewer, found.ask, unit) or not_found(
        say("No unit has this name.")
    )
    return msgspec.structs.replace(sheet, name=short_name(unit, sheet.name))


@bp.get("/sight/<start>.json")
def sight(match: str, start: str) -> ResponseReturnValue:
    return as_json(sight_from(look(match, live=True), start, request.args.get("to", "")))


def sight_from(found: Look, start: str, to: str) -> Sight:
    """The hexes visible from a hex, and with `to` why another one is visible or not."""
    return adviser(found).sight(found.view, start, to) or not_found(say("No hex has this name."))


def adviser(found: Look) -> Advising:
    rules = found.position.rules
    if not isinstance(rules, Advising):
        not_found(say("This title has no unit sheets."))
    return rules


def roll_call(found: Look) -> dict[str, str]:
    """The units to which the viewer may give orders now."""
    rules, ask = found.position.rules, found.ask
    units = rules.roll_call(found.view, ask) if ask is not None and isinstance(rules, Advising) else {}
    named = {unit: short_name(unit, name) for unit, name in units.items()}
    return dict(sorted(named.items(), key=lambda unit: by_number(unit[0])))


def carried_by(found: Look) -> dict[str, list[str]]:
    """The names in orders that stand for each unit, such as those of its weapons."""
    rules, names = found.position.rules, dict[str, list[str]]()
    for name, unit in (rules.carriers(found.view) if found.ask is not None else {}).items():
        names.setdefault(unit, []).append(name)
    return names


def able_to_act(found: Look, units: Iterable[str]) -> list[str]:
    """Return the units among these that could now be given an order other than to hold."""
    rules, ask = found.position.rules, found.ask
    if ask is None or not isinstance(rules, Advising):
        return []
    listed = rules.roll_call(found.view, ask)
    sheets = (rules.sheet(found.view, found.seat, ask, unit) for unit in units if unit in listed)
    return [sheet.unit for sheet in sheets if sheet is not None and any(map(is_deed, sheet.choices))]


def is_deed(choice: Choice) -> bool:
    """Whether a choice is available and makes a unit do something."""
    return bool(choice.line) and not choice.against and choice.line.split()[-1] not in IDLE


def by_number(name: str) -> list[tuple[str, int]]:
    """A sort key that puts g2 before g10, and all of g before h1."""
    return [(word, int(digits or 0)) for word, digits in re.findall(r"(\D*)(\d*)", name)]


def short_name(unit: str, name: str) -> str:
    """Return a unit's name without repeating its id."""
    parts = [part.removesuffix(unit).strip() for part in name.split(" · ")]
    return " · ".join(dict.fromkeys(filter(None, parts))) or name


def as_json(said: Sheet | Sight) -> ResponseReturnValue:
    response = Response(msgspec.json.encode(in_words(said)), mimetype="application/json")
    response.add_etag()
    return response.make_conditional(request)

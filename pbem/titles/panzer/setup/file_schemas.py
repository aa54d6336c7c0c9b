"""2.0 The schema of a scenario file, for marshmallow: legal keys, and the wording of mistakes."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, cast, get_args

from marshmallow import Schema, ValidationError, fields, validate

from pbem.titles.data_files import nearest
from pbem.titles.panzer.cards.basic_rows import EDITIONS
from pbem.titles.panzer.cards.board import EDGES
from pbem.titles.panzer.cards.files import Mistake

Taken = Literal["complete_turn", "end_of_turn"]
Takers = Literal["units", "vehicles"]
"""3.6 How an objective is taken: held at the start and the end of a turn, or only at its end."""
EarlyEnd = Literal["never", "side_gone"]
"""4.6.2 R-18 Whether a scenario ends early: never, or once a side has no vehicle left."""
InitiativeWinner = Literal["chooses", "first"]
"""4.3.1 A-18 Whether the player with the higher roll chooses the First Player or simply becomes it."""


# --- file schema ---------------------------------------------------------------------------------------------


def one_of(*legal: str) -> Callable[[str], None]:
    """Accept only words from a list; a refusal names the nearest one."""

    def check(word: str) -> None:
        if word not in legal:
            near = nearest(word, legal)
            hint = f"Did you mean {near}?" if near else f"It is one of {', '.join(legal)}."
            raise ValidationError(f"'{word}' is not possible here. {hint}")

    return check


def typeable(id: str) -> None:
    """Accept only short lower-case ids, which are easy to type on a phone."""
    if not re.fullmatch(r"[a-z][a-z0-9]{0,7}", id):
        raise ValidationError(
            f"'{id}' is not an id; write up to 8 lower-case letters and digits, a letter first, e.g. ge12."
        )


def word(*, required: bool = False) -> fields.String:
    """A non-empty text."""
    return fields.String(required=required, validate=validate.Length(min=1, error="Say something here."))


def number(least: int, most: int, *, required: bool = False) -> fields.Integer:
    """A whole number between two limits."""
    return fields.Integer(required=required, strict=True, validate=validate.Range(least, most))


class PointsField(fields.Field[Any]):
    """A number of points, or a table of points by side."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> int | dict[str, int]:
        if isinstance(value, int) or (isinstance(value, dict) and all(isinstance(vp, int) for vp in value.values())):
            return value
        raise ValidationError("Write a number of points, or points by side, such as {german = 5, soviet = 3}.")


class EliminatedField(fields.Field[Any]):
    """Points for each eliminated vehicle: a number, or `points` for those on its card."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> int | str:
        if value == "points" or isinstance(value, int):
            return cast("int | str", value)
        raise ValidationError('Write a number, or "points" for the points on the vehicle\'s card.')


class SeatSchema(Schema):
    """An entry in the `seats` of a `[[side]]`."""

    id = fields.String(required=True, validate=typeable)
    name = word(required=True)


class UnitSchema(Schema):
    """An entry in the `units` of a `[[side]]`."""

    id = fields.String(required=True, validate=typeable)
    name = word(required=True)
    card = word(required=True)
    seat = word()
    hex = word()
    facing = number(1, 6)
    area = word()
    turn = number(1, 99)
    entry = fields.List(word())
    damaged = fields.Boolean()
    vp = number(0, 999)


class SideSchema(Schema):
    """A table `[[side]]`."""

    id = fields.String(required=True, validate=typeable)
    name = word(required=True)
    seats = fields.List(fields.Nested(SeatSchema))
    areas = fields.Dict(keys=fields.String(), values=fields.List(word()))
    units = fields.List(fields.Nested(UnitSchema), required=True)


class ObjectiveSchema(Schema):
    """A table `[[objective]]`."""

    id = fields.String(required=True, validate=typeable)
    name = word(required=True)
    vp = PointsField(required=True)
    hexes = fields.List(word())
    place = word()
    taken = fields.String(validate=one_of(*get_args(Taken)))
    controller = word()
    by = fields.String(validate=one_of(*get_args(Takers)))


class ExitSchema(Schema):
    """A table `[[exit]]`."""

    side = word(required=True)
    edge = fields.String(required=True, validate=one_of(*EDGES))
    vp = number(0, 999, required=True)


class LevelSchema(Schema):
    """An entry in the `levels` of `[victory]`."""

    lead = number(0, 9999, required=True)
    name = word(required=True)


class VictorySchema(Schema):
    """The table `[victory]`."""

    start = fields.Dict(keys=word(), values=number(0, 999))
    eliminated = EliminatedField()
    levels = fields.List(fields.Nested(LevelSchema))


class SpecialSchema(Schema):
    """The table `[special]`."""

    initiative_tie = word()
    initiative_winner = fields.String(validate=one_of(*get_args(InitiativeWinner)))
    early_end = fields.String(validate=one_of(*get_args(EarlyEnd)))
    overlays = fields.List(word())
    storeys = fields.Dict(keys=fields.String(), values=number(1, 9))
    tracks = fields.List(word())
    switches = fields.Dict(keys=fields.String(), values=fields.Boolean())


class ScenarioSchema(Schema):
    """The whole file."""

    name = word(required=True)
    text = fields.String()
    edition = fields.String(required=True, validate=one_of(*EDITIONS))
    map = word(required=True)
    turns = number(1, 99, required=True)
    side = fields.List(
        fields.Nested(SideSchema),
        required=True,
        validate=validate.Length(equal=2, error="A scenario needs exactly two sides."),
    )
    objective = fields.List(fields.Nested(ObjectiveSchema))
    exit = fields.List(fields.Nested(ExitSchema))
    victory = fields.Nested(VictorySchema)
    special = fields.Nested(SpecialSchema)
    overlay = fields.Dict(keys=fields.String(), values=fields.Dict())


def shape_mistakes(tables: Any, messages: Any, schema: Schema | None = None) -> Iterator[Mistake]:
    """Yield the schema's errors as mistakes with their place in the file."""
    for path, text in _flatten(messages, ()):
        instead = ""
        if text == "Unknown field.":
            text = "this key has no meaning here."
            instead = nearest(str(path[-1]), _legal_keys(path[:-1], schema or ScenarioSchema()))
        elif text in PLAIN_WORDS:
            text = PLAIN_WORDS[text].format(value=_value(tables, path))
        yield Mistake(_place(tables, path), text, instead, "2.0")


PLAIN_WORDS: Final[Mapping[str, str]] = {
    "Not a valid string.": 'write it in quotes, as "{value}".',
    "Not a valid integer.": "write a whole number without quotes, not {value}.",
    "Not a valid boolean.": "write true or false without quotes.",
    "Not a valid list.": "write a list in brackets, as [{value}].",
    "Missing data for required field.": "this is missing.",
}
"""Plain wording for the schema checker's messages, in the terms of the scenario format."""


def _value(tables: Any, path: Sequence[str | int]) -> Any:
    """The value in the file at this path."""
    for key in path:
        try:
            tables = tables[key]
        except (KeyError, IndexError, TypeError):
            return "…"
    return tables


def _flatten(messages: Any, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    if isinstance(messages, dict):
        for key, inner in messages.items():
            yield from _flatten(inner, path if key in ("_schema", "key", "value") else (*path, key))
    else:
        for text in messages:
            yield path, text


def _legal_keys(path: tuple[str | int, ...], schema: Any) -> list[str]:
    """The keys that the schema allows at this path."""
    for key in path:
        if isinstance(key, str) and key in schema.fields:
            inner = schema.fields[key]
            inner = getattr(inner, "inner", inner)
            if isinstance(inner, fields.Nested):
                schema = inner.schema
    return list(schema.fields)


def _place(tables: Any, path: tuple[str | int, ...]) -> str:
    """A path in the file, in words: `side german, units ge4, card`."""
    words: list[str] = []
    here = tables
    for key in path:
        try:
            here = here[key]
        except (KeyError, IndexError, TypeError):
            here = None
        if isinstance(key, int):
            name = here.get("id") if isinstance(here, dict) else None
            words[-1] += f" {name or key + 1}"
        else:
            words.append(key)
    return ", ".join(words)

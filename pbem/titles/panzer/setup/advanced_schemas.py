"""2.0, 5.0 The schema of an advanced scenario file, in addition to `file_schemas`."""

from __future__ import annotations

from typing import Any, Final, get_args

from marshmallow import Schema, ValidationError, fields, validate

from pbem.titles.panzer.cards.board import EDGES
from pbem.titles.panzer.cards.card_rows import FORCES, Label
from pbem.titles.panzer.cards.chart_rows import GRADES, Attachment
from pbem.titles.panzer.setup.file_schemas import (
    ScenarioSchema,
    SideSchema,
    UnitSchema,
    number,
    one_of,
    typeable,
    word,
)
from pbem.titles.panzer.setup.scenario import (
    COHESION_LEVELS,
)

LABELS: Final[tuple[Label, ...]] = get_args(Label)
COMMAND_LEVELS: Final[tuple[Label, ...]] = ("chq", "bhq", "rhq")
LINKS: Final = ("road", "path", "track")


# --- file schema ---------------------------------------------------------------------------------------------


class ListedField(fields.Field[Any]):
    """A list of ids."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> list[str]:
        if isinstance(value, list) and all(isinstance(one, str) for one in value):
            return value
        raise ValidationError('Write a list of ids, such as ["hidden_units", "weather"].')


class SunSchema(Schema):
    """The key `sun` of the table `[advanced]`."""

    edge = fields.String(required=True, validate=one_of(*EDGES))
    ap = number(-20, 0, required=True)
    gp = number(-100, 0, required=True)


class AdvancedTableSchema(Schema):
    """The table `[advanced]`."""

    date = fields.String(validate=validate.Regexp(r"\d{4}-(0[1-9]|1[0-2])$", error="Write a month, such as 1942-06."))
    force_grades = fields.Dict(keys=fields.String(), values=fields.String(validate=one_of(*GRADES)))
    without = ListedField()
    rules = ListedField()
    ready_for = ListedField()
    heat_haze = fields.Boolean()
    dust = fields.Boolean()
    sun = fields.Nested(SunSchema)
    desert_buildings = fields.Boolean()
    air_superiority = word()


class AdvancedUnitSchema(UnitSchema):
    """An entry in the `units` of a `[[side]]`."""

    formation = word()
    platoon = word()
    grade = fields.String(validate=one_of(*GRADES))
    labels = fields.List(fields.String(validate=one_of(*LABELS)))
    weapons = fields.List(word())
    aboard = word()
    transport = word()
    full_cover = fields.Boolean()
    hull_down = fields.String(validate=one_of("hd", "phd"))
    inside = fields.String(validate=one_of("building", "up"))
    position = word()
    suppressed = fields.Boolean()
    hidden = fields.Boolean()
    camouflaged = fields.Boolean()


class AdvancedSideSchema(SideSchema):
    """A table `[[side]]`."""

    units = fields.List(fields.Nested(AdvancedUnitSchema), load_default=list)


class FormationSchema(Schema):
    """A table `[[formation]]`."""

    id = fields.String(required=True, validate=typeable)
    side = word(required=True)
    name = word(required=True)
    nation = fields.String(required=True, validate=one_of(*FORCES))
    grade = fields.String(required=True, validate=one_of(*GRADES))
    parent = word()
    cohesion = number(0, 999)
    level = fields.String(validate=one_of(*COHESION_LEVELS))
    cohesion_modifier = number(-99, 99)


class TakeSchema(Schema):
    """A table `[[take]]`."""

    id = fields.String(required=True, validate=typeable)
    side = word(required=True)
    formation = word(required=True)
    into = word()
    count = number(1, 9)
    name = word()
    grade = fields.String(validate=one_of(*GRADES))
    parent = word()
    cohesion = number(0, 999)
    level = fields.String(validate=one_of(*COHESION_LEVELS))
    cohesion_modifier = number(-99, 99)
    seat = word()
    hexes = fields.List(word())
    stack = number(1, 5)
    facing = number(1, 6)
    area = word()
    turn = number(1, 99)
    entry = fields.List(word())
    mounted = fields.Boolean()
    full_cover = fields.Boolean()
    hidden = fields.Boolean()
    registered_points = number(0, 9)
    planned_turns = number(0, 99)


class BatterySchema(Schema):
    """A table `[[battery]]`."""

    id = fields.String(required=True, validate=typeable)
    side = word(required=True)
    name = word(required=True)
    card = word(required=True)
    formation = word(required=True)
    attachment = fields.String(validate=one_of(*get_args(Attachment)))
    registered_points = number(0, 9)
    planned_turns = number(0, 99)
    counter = fields.Boolean()
    self_propelled = fields.Boolean()
    vp = number(0, 999)


class AircraftSchema(Schema):
    """A table `[[aircraft]]`."""

    id = fields.String(required=True, validate=typeable)
    side = word(required=True)
    name = word(required=True)
    card = word(required=True)
    grade = fields.String(required=True, validate=one_of(*GRADES))
    earliest = number(1, 99)


class FeatureSchema(Schema):
    """A table `[[feature]]`."""

    id = fields.String(required=True, validate=typeable)
    type = word(required=True)
    hexes = fields.List(word(), required=True)
    side = word()
    of = word()
    hidden = fields.Boolean()
    facing = number(1, 6)
    capacity = number(1, 9)
    defence = number(0, 10)
    area = word()
    scattered = fields.Boolean()


class AdvancedSchema(ScenarioSchema):
    """The whole file."""

    side = fields.List(
        fields.Nested(AdvancedSideSchema),
        required=True,
        validate=validate.Length(equal=2, error="A scenario needs exactly two sides."),
    )
    advanced = fields.Nested(AdvancedTableSchema, required=True)
    conditions = fields.Dict()
    formation = fields.List(fields.Nested(FormationSchema), load_default=list)
    take = fields.List(fields.Nested(TakeSchema), load_default=list)
    battery = fields.List(fields.Nested(BatterySchema), load_default=list)
    aircraft = fields.List(fields.Nested(AircraftSchema), load_default=list)
    feature = fields.List(fields.Nested(FeatureSchema), load_default=list)

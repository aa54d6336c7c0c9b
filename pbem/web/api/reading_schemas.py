"""The schemas of `reading`: films, formations, primers, campaigns."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from pbem.web.api.schemas import ObjectionSchema
from pbem.web.http.inputs import documented


class FilmSchema(Schema):
    turn = fields.Integer()
    viewer = fields.String()
    side = fields.String()
    units = fields.Dict(keys=fields.String(), values=fields.Raw())
    before = fields.Raw(**documented("positions before the turn, by unit"))
    scenes = fields.List(
        fields.Dict(), **documented("each with its events, its sentence and its duration in seconds")
    )
    summary = fields.Raw(**documented("the score and its change, losses, objectives, the outcome of each order"))


class FormationSchema(Schema):
    id = fields.String()
    name = fields.String()
    units = fields.List(fields.String())
    limit = fields.Integer(allow_none=True, **documented("how many commands the formation may be given this turn"))


class FormationsSchema(Schema):
    verbs = fields.List(fields.String(), **documented("the orders that many units can be given now"))
    formations = fields.List(fields.Nested(FormationSchema))


class WishSchema(Schema):
    units = fields.List(fields.String(), required=True, validate=validate.Length(1, 500))
    verb = fields.String(required=True, validate=validate.Length(max=40))
    goal = fields.String(load_default="", validate=validate.Length(max=60))
    target = fields.String(load_default="", validate=validate.Length(max=60))
    shape = fields.String(load_default="formation", validate=validate.OneOf(["formation", "hex"]))


class ProposalSchema(Schema):
    lines = fields.List(fields.String(), **documented("whole order lines, each accepted as it is"))
    left_out = fields.List(fields.String())
    remarks = fields.List(fields.String())
    objections = fields.List(fields.Nested(ObjectionSchema))


class LineToTrySchema(Schema):
    line = fields.String(required=True, validate=validate.Length(max=500))


class PreviewOfLineSchema(Schema):
    preview = fields.Raw(**documented("the title's preview: where a unit would end, and what would stop it"))


class PrimerSchema(Schema):
    compass = fields.String()
    abbreviations = fields.Dict(keys=fields.String(), values=fields.String())
    glossary = fields.Dict(keys=fields.String(), values=fields.String())
    section = fields.List(fields.Dict(), **documented("how the game works in ten minutes"))
    lesson = fields.Raw(allow_none=True, **documented("the guided first game, step by step"))


class StartedSchema(Schema):
    match = fields.String()


class CampaignSchema(Schema):
    id = fields.String()
    name = fields.String()
    created_at = fields.Integer()
    ended = fields.Boolean()
    stage = fields.Integer()
    seats = fields.Dict(keys=fields.String(), values=fields.String())


class CampaignsSchema(Schema):
    campaigns = fields.List(fields.Nested(CampaignSchema))
    files = fields.List(fields.String(), **documented("the campaigns that can be started on this server"))


class ChapterQuerySchema(Schema):
    stage = fields.Integer(load_default=0, **documented("by default the current stage"))


class ChronicleSentenceSchema(Schema):
    rule = fields.String()
    text = fields.String()
    depth = fields.Integer()


class FoughtSchema(Schema):
    battle = fields.String()
    place = fields.String()
    match = fields.String()
    winner = fields.String(allow_none=True)
    score = fields.Dict(keys=fields.String(), values=fields.Integer())
    decisive = fields.Boolean()
    over = fields.Boolean()


class ChapterSchema(Schema):
    stage = fields.Integer()
    stages = fields.Integer()
    told = fields.List(fields.Nested(ChronicleSentenceSchema))
    battles = fields.List(fields.Nested(FoughtSchema))


class RosterUnitSchema(Schema):
    unit = fields.Raw()
    name = fields.String()


class RosterSchema(Schema):
    sides = fields.Dict(keys=fields.String(), values=fields.List(fields.Nested(RosterUnitSchema)))


class UnitStageSchema(Schema):
    stage = fields.Integer()
    told = fields.List(fields.Nested(ChronicleSentenceSchema))


class HistorySchema(Schema):
    unit = fields.String()
    lines = fields.List(fields.Nested(UnitStageSchema))

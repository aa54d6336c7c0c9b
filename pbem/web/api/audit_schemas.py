"""The schemas of disputes, precedents, searches and the test of all dice."""

from __future__ import annotations

from marshmallow import fields, validate

from pbem.web.api.schemas import Schema, TallySchema, ToldSchema, documented


class TextSchema(Schema):
    text = fields.String(required=True, validate=validate.Length(1, 4000))


class PanelSchema(Schema):
    accounts = fields.List(
        fields.String(),
        required=True,
        **documented(description="the ids of an odd number of accounts that do not play in the match"),
    )


class VoteSchema(Schema):
    verdict = fields.String(required=True, validate=validate.OneOf(["dismissed", "upheld"]))
    answer = fields.String(required=True, validate=validate.Length(1, 2000), **documented(description="your reasons"))
    rule = fields.String(load_default="")


class AuditorSchema(Schema):
    account = fields.String(required=True, **documented(description="an account that does not play, by its id"))


class DecidedDisputeSchema(Schema):
    number = fields.Integer()
    seat = fields.String()
    place = fields.String(**documented(description="turn, scene or sentence as its author's report numbers them"))
    exchange = fields.Integer(**documented(description="the first exchange that the dispute concerns"))
    until = fields.Integer(**documented(description="the last exchange that the dispute concerns"))
    rule = fields.String()
    at = fields.Integer()
    answer = fields.String(**documented(description="the decision; empty while the dispute is open"))
    verdict = fields.String()
    ruling = fields.Integer(**documented(description="the event number of the ruling on this dispute"))
    heard = fields.List(fields.String(), **documented(description="the seats that made a statement"))
    appealed = fields.String(**documented(description="the seat that appealed"))
    first_answer = fields.String()
    follows = fields.List(fields.String())
    departs = fields.List(fields.String())
    grounds = fields.String()
    panel = fields.List(fields.String(), **documented(description="the accounts that vote on the dispute"))


class DisputeListSchema(Schema):
    disputes = fields.List(fields.Nested(DecidedDisputeSchema))


class StatementSchema(Schema):
    seat = fields.String()
    kind = fields.String()
    at = fields.Integer()
    text = fields.String()


class PrecedentSchema(Schema):
    id = fields.String()
    match = fields.String()
    number = fields.Integer()
    title = fields.String()
    rule = fields.String()
    verdict = fields.String()
    answer = fields.String()
    at = fields.Integer()
    follows = fields.List(fields.String())
    departs = fields.List(fields.String())
    grounds = fields.String()
    cited = fields.Integer(**documented(description="number of decisions that follow this precedent"))


class PrecedentsSchema(Schema):
    precedents = fields.List(fields.Nested(PrecedentSchema))


class PrecedentQuerySchema(Schema):
    title = fields.String(load_default="")
    rule = fields.String(load_default="")
    words = fields.String(load_default="")


class DisputeSheetSchema(PrecedentsSchema):
    dispute = fields.Nested(DecidedDisputeSchema)
    claim = fields.String(**documented(description="the claim; empty if you may not read it yet"))
    statements = fields.List(fields.Nested(StatementSchema))
    sentences = fields.List(
        fields.Nested(ToldSchema),
        **documented(
            description="the disputed sentences as their author read them, for the author and the game master"
        ),
    )
    reason = fields.String(**documented(description="number of the ruling on this dispute"))


class SearchSchema(Schema):
    words = fields.String(load_default="", validate=validate.Length(max=100))
    unit = fields.String(load_default="", validate=validate.Length(max=100))
    rule = fields.String(load_default="", validate=validate.Length(max=100))
    turn = fields.Integer(load_default=None, allow_none=True)


class ServerSearchSchema(SearchSchema):
    title = fields.String(load_default="")


class HitSchema(Schema):
    match = fields.String()
    name = fields.String(**documented(description="the name of the match"))
    exchange = fields.Integer()
    turn = fields.Integer()
    number = fields.Integer(**documented(description="the number of the sentence in its report; 0: not in a report"))
    rule = fields.String()
    text = fields.String()
    dispute = fields.Integer()


class HitsSchema(Schema):
    matches = fields.Integer(**documented(description="how many matches have a hit; 1 in a search of one match"))
    found = fields.List(fields.Nested(HitSchema))


class ServerDiceSchema(Schema):
    matches = fields.Integer()
    rolls = fields.Integer()
    tallies = fields.List(fields.Nested(TallySchema))


class OverruledSchema(Schema):
    exchange = fields.Integer()
    version = fields.Integer(**documented(description="the event that originally resolved the exchange"))
    turn = fields.Integer()
    ruling = fields.Integer(**documented(description="the event of the ruling"))
    kind = fields.String()
    reason = fields.String()
    dispute = fields.Integer()


class LinesSchema(Schema):
    lines = fields.List(fields.Nested(OverruledSchema))


class LineSchema(Schema):
    line = fields.Nested(OverruledSchema)
    told = fields.List(fields.Nested(ToldSchema))


class ChangesSchema(Schema):
    changes = fields.String(required=True, **documented(description="lines `unit state value` or `remove unit`"))


class UnseenQuerySchema(Schema):
    seeing = fields.String(
        required=True, validate=validate.Length(1, 60), **documented(description="the observing unit")
    )
    seen = fields.String(required=True, validate=validate.Length(1, 60), **documented(description="a unit, or a hex"))


class AnsweredSchema(Schema):
    when = fields.String(**documented(description="the moment of the answer: before or after the exchange"))
    told = fields.List(fields.Nested(ToldSchema))


class UnseenSchema(Schema):
    exchange = fields.Integer()
    seeing = fields.String()
    seen = fields.String()
    recorded = fields.List(
        fields.Nested(ToldSchema),
        **documented(description="what the report says about the observer and the observed"),
    )
    answers = fields.List(
        fields.Nested(AnsweredSchema), **documented(description="what the rules say about the position")
    )


class OrdersQuestionSchema(Schema):
    orders = fields.String(required=True, validate=validate.Length(1, 20000))


class RefusedLineSchema(Schema):
    part = fields.String()
    objections = fields.List(fields.List(fields.String()), **documented(description="pairs of rule and reason"))
    instead = fields.List(fields.String())


class JudgedSchema(Schema):
    exchange = fields.Integer()
    seat = fields.String()
    orders = fields.String()
    refused = fields.List(fields.Nested(RefusedLineSchema))
    reading = fields.String(**documented(description="how legal orders are read"))


class ModifierQuerySchema(Schema):
    sentence = fields.Integer(required=True, **documented(description="the number of the sentence in the report"))
    modifier = fields.String(
        required=True, validate=validate.Length(1, 100), **documented(description="the text of the modifier")
    )
    value = fields.Integer(required=True)


class ReworkedSchema(Schema):
    mark = fields.String(**documented(description="a note that this is hypothetical and does not count"))
    exchange = fields.Integer()
    sentence = fields.Integer()
    modifier = fields.String()
    value = fields.Integer()
    was = fields.List(fields.Nested(ToldSchema))
    would_be = fields.List(fields.Nested(ToldSchema))
    differences = fields.List(fields.String())


class HypothesisSchema(Schema):
    mark = fields.String(**documented(description="a note that this is hypothetical and does not count"))
    exchange = fields.Integer()
    changes = fields.List(fields.String())
    was = fields.List(fields.Nested(ToldSchema))
    would_be = fields.List(fields.Nested(ToldSchema))
    only_then = fields.List(fields.String(), **documented(description="what happened but would not have"))
    only_now = fields.List(fields.String(), **documented(description="what would have happened instead"))

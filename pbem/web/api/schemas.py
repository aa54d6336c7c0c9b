"""The schemas of the API's inputs and outputs. The OpenAPI document is made from them.

Instants are milliseconds since 1970 in UTC.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import marshmallow
from marshmallow import fields, validate

from pbem.matches.accounts.api_tokens import SCOPES
from pbem.web.http.inputs import LONGEST_ORDERS, TimingFields

LONGEST_REASON = 500


class Schema(marshmallow.Schema):
    """The base schema. Keys missing from a mapping are left out; so is `clear`, although a dict has that method."""

    def get_attribute(self, obj: Any, attr: str, default: Any) -> Any:
        return obj.get(attr, default) if isinstance(obj, Mapping) else super().get_attribute(obj, attr, default)


def documented(**more: Any) -> Any:
    """Metadata of a field, as the OpenAPI document shows it."""
    return {"metadata": more}


def for_all(**more: Any) -> fields.String:
    """Return a field for a reason, which is recorded in the log for everybody to read."""
    fits = validate.Length(max=LONGEST_REASON)
    return fields.String(validate=fits, **documented(description="everybody can read it"), **more)


class Words(fields.List):  # type: ignore[type-arg]
    """A list of words; a form sends them on one line."""

    def _deserialize(self, value: Any, *args: Any, **more: Any) -> list[Any]:
        said = [value] if isinstance(value, str) else value
        if isinstance(said, list) and all(isinstance(one, str) for one in said):
            said = " ".join(said).split()
        return super()._deserialize(said, *args, **more)


# Answers of every operation ---------------------------------------------------------------------------------------


class ObjectionSchema(Schema):
    rule = fields.String(**documented(description="the number of the rule, or pbem/… for a rule of the server"))
    why = fields.String()


class RefusalSchema(Schema):
    kind = fields.String(validate=validate.OneOf(["unreadable", "ambiguous", "illegal"]))
    line = fields.String(**documented(description="the line as you sent it, if the refusal is about a line"))
    part = fields.String(**documented(description="the part that was refused: a unit, a word or a field"))
    objections = fields.List(fields.Nested(ObjectionSchema))
    instead = fields.List(fields.String(), **documented(description="the nearest legal alternatives"))


class ProblemSchema(Schema):
    """An error, and what to do next. Nothing has changed."""

    title = fields.String()
    status = fields.Integer()
    detail = fields.String()
    advice = fields.String()
    request = fields.String(**documented(description="the number under which the problem is logged"))
    refusals = fields.List(fields.Nested(RefusalSchema))


class DeadlineSchema(Schema):
    exchange = fields.Integer()
    at = fields.Integer()
    why = fields.String()


# Matches -----------------------------------------------------------------------------------------------------


class SeatSchema(Schema):
    match = fields.String()
    seat = fields.String()


class AccountSchema(Schema):
    id = fields.String()
    name = fields.String()
    scopes = fields.List(fields.String(validate=validate.OneOf(list(SCOPES))))
    seats = fields.List(fields.Nested(SeatSchema))
    mastered = fields.List(fields.String(), **documented(description="matches in which you are the game master"))


class ValueSchema(Schema):
    value = fields.Raw()
    words = fields.String()


class OptionSchema(Schema):
    name = fields.String()
    values = fields.List(fields.Nested(ValueSchema), **documented(description="the possible values, each explained"))
    several = fields.Boolean(**documented(description="whether several values can be chosen, as a list"))


class ScenarioSchema(Schema):
    scenario = fields.String()
    name = fields.String()
    seats = fields.List(fields.String())
    turns = fields.Integer()
    text = fields.String()


class ScenarioOptionsSchema(ScenarioSchema):
    options = fields.List(
        fields.Nested(OptionSchema), **documented(description="the options for a match of this scenario")
    )


class TitlePageSchema(Schema):
    title = fields.String()
    page = fields.String()
    label = fields.String()
    data = fields.Dict(
        keys=fields.String(), **documented(description="the content of the page, as the title provides it")
    )


class TitleSchema(Schema):
    name = fields.String()
    scenarios = fields.List(fields.Nested(ScenarioSchema))
    options = fields.List(fields.Nested(OptionSchema))


class TitlesSchema(Schema):
    titles = fields.List(fields.Nested(TitleSchema))


class MineSchema(Schema):
    asked = fields.Boolean()
    sealed = fields.Boolean()
    final = fields.Boolean()
    text = fields.String()


class StatusSchema(Schema):
    match = fields.String()
    name = fields.String()
    title = fields.String()
    scenario = fields.String()
    state = fields.String(validate=validate.OneOf(["seats", "open", "closing", "halted", "over"]))
    turn = fields.Integer()
    exchange = fields.Integer(**documented(description="the exchange that is open for orders"))
    seats = fields.Dict(
        keys=fields.String(), values=fields.String(), **documented(description="the player of each seat")
    )
    asked = fields.List(fields.String())
    waiting_for = fields.List(fields.String())
    deadline = fields.Nested(DeadlineSchema, allow_none=True)
    outcome = fields.Dict(allow_none=True)
    last = fields.Integer(**documented(description="the last exchange that was resolved"))


class StandSchema(StatusSchema):
    mine = fields.Nested(MineSchema, allow_none=True, **documented(description="your sealed orders"))


class MatchSchema(Schema):
    status = fields.Nested(StandSchema)
    viewer = fields.String(**documented(description="your seat, public, or master once the match is over"))
    seats = fields.List(fields.String(), **documented(description="your seats; choose with ?seat="))
    mark = fields.String(**documented(description="the hash of the view"))
    view = fields.Raw(**documented(description="everything you can see of the position; the title defines its shape"))
    words = fields.List(fields.String(), **documented(description="the map in words"))


class MatchesSchema(Schema):
    matches = fields.List(fields.Nested(StatusSchema))
    following = fields.String(allow_none=True, **documented(description="?after= of the next page"))


class FiguresSchema(Schema):
    asked = fields.Integer(**documented(description="exchanges in which the account was asked for orders"))
    answered = fields.Integer()
    missed = fields.Integer()
    finished = fields.Integer()
    resigned = fields.Integer()
    forfeited = fields.Integer()
    replaced = fields.Integer()


class PlayerSchema(Schema):
    id = fields.String()
    name = fields.String()
    bot = fields.Boolean()
    figures = fields.Nested(FiguresSchema)
    matches = fields.List(fields.Nested(StatusSchema))


class MatchesQuerySchema(Schema):
    after = fields.String(load_default="")
    limit = fields.Integer(load_default=50, validate=validate.Range(1, 200))
    play = fields.String(load_default="", **documented(description="a title, or title/scenario"))
    cadence = fields.String(load_default="", **documented(description="fast, usual, slow or none"))
    seats = fields.String(load_default="", **documented(description="open: only matches with an open seat"))
    reliable = fields.String(
        load_default="", **documented(description="80 or 95: all players answer at least this percentage in time")
    )
    state = fields.String(load_default="", **documented(description="over: only matches that have ended"))
    mine = fields.Boolean(
        load_default=False, **documented(description="only matches in which you have a seat or are the game master")
    )


class NewMatchSchema(TimingFields):
    title = fields.String(required=True)
    scenario = fields.String(required=True)
    name = fields.String(load_default="", validate=validate.Length(max=80))
    reactions = fields.String(load_default="plan", **documented(description="plan, ask or another mode of the title"))
    options = fields.Dict(keys=fields.String(), load_default=dict)
    sit = Words(fields.String(), load_default=list, **documented(description="the seats that you take"))
    master = fields.Boolean(
        load_default=False, **documented(description="become the game master; you then have no seat")
    )
    invite = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        load_default=dict,
        **documented(description="email address by seat"),
    )
    bots = fields.List(fields.String(), load_default=list, **documented(description="seats for the title's bot"))
    beacon = fields.String(
        load_default="",
        **documented(description="a public beacon that this server offers, for the dice of the match"),
    )
    sealed = fields.Boolean(
        load_default=False, **documented(description="secrets stay sealed after the end of the match")
    )


class CreatedSchema(Schema):
    match = fields.String()


class InvitationSchema(Schema):
    seat = fields.String(required=True)
    address = fields.String(required=True, validate=validate.Length(max=254))


class SheetChoiceSchema(Schema):
    name = fields.String()
    line = fields.String(
        **documented(description="the order, with {unit} and {hex} where a target is still to be named")
    )
    units = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        **documented(description="possible targets, each with its prospects"),
    )
    hexes = fields.Dict(keys=fields.String(), values=fields.List(fields.Integer()))
    facing = fields.Integer()
    against = fields.List(
        fields.Nested(ObjectionSchema), **documented(description="why the order is not possible now")
    )


class SheetSchema(Schema):
    unit = fields.String()
    name = fields.String()
    side = fields.String()
    at = fields.String()
    own = fields.Boolean()
    facts = fields.List(fields.String())
    reasons = fields.List(fields.String())
    choices = fields.List(fields.Nested(SheetChoiceSchema))
    threats = fields.Dict(keys=fields.String(), values=fields.String())
    bands = fields.Dict(keys=fields.String(), values=fields.Integer(), **documented(description="range band by hex"))
    band_names = fields.List(fields.String())


class SightQuerySchema(Schema):
    to = fields.String(load_default="", **documented(description="the place to which the line of sight is checked"))


class SightSchema(Schema):
    start = fields.String()
    seen = fields.List(fields.String())
    end = fields.String()
    clear = fields.Boolean()
    why = fields.List(fields.String())


# Orders ------------------------------------------------------------------------------------------------------


class FormSchema(Schema):
    exchange = fields.Integer()
    kind = fields.String()
    rule = fields.String()
    text = fields.String(**documented(description="lines ready to edit and send back"))
    deadline = fields.Nested(DeadlineSchema, allow_none=True)
    sealed = fields.String(**documented(description="your sealed orders so far"))
    final = fields.Boolean()
    language = fields.String(**documented(description="the order language of the title"))


class OrdersSchema(Schema):
    exchange = fields.Integer(required=True)
    orders = fields.String(required=True, validate=validate.Length(max=LONGEST_ORDERS))


class SubmissionSchema(OrdersSchema):
    final = fields.Boolean(load_default=False)


class ExchangeSchema(Schema):
    exchange = fields.Integer(required=True)


class ReadingSchema(Schema):
    restated = fields.String(**documented(description="how the orders were read, in words"))
    answer = fields.Raw()
    plan = fields.Raw()


class ReceiptSchema(Schema):
    """A receipt, signed by the server; `pbem verify` checks it against an export."""

    server = fields.String()
    match = fields.String()
    exchange = fields.Integer()
    seat = fields.String()
    orders = fields.Dict()
    text = fields.String()
    commitment = fields.String()
    salt = fields.String()
    sealed_at = fields.Integer()
    event = fields.String()
    deadline = fields.Integer(**documented(description="deadline of the exchange when it was sealed, if it had one"))
    machines = fields.Integer(**documented(description="number of machines that stored the orders: 1 or 2"))
    signature = fields.String()


class ReceiptsSchema(Schema):
    receipts = fields.List(fields.Nested(ReceiptSchema))


# Past events -------------------------------------------------------------------------------------------------


class ToldSchema(Schema):
    place = fields.String(**documented(description="turn, scene and number, as in a dispute: 4.7.2"))
    rule = fields.String()
    text = fields.String()
    dice = fields.List(fields.Integer())
    depth = fields.Integer(**documented(description="how deeply this sentence is nested under the earlier ones"))
    finding = fields.Raw(**documented(description="rule, inputs, modifiers, cell, dice and result as data"))


class RollSchema(Schema):
    rule = fields.String()
    subjects = fields.List(fields.String())
    ordinal = fields.Integer()
    sides = fields.Integer()
    result = fields.Integer()


class HeadSchema(Schema):
    server = fields.String()
    match = fields.String()
    exchange = fields.Integer()
    event = fields.String()
    signature = fields.String()


class ReportSchema(Schema):
    match = fields.String()
    name = fields.String()
    exchange = fields.Integer()
    turn = fields.Integer()
    told = fields.List(fields.Nested(ToldSchema))
    rolls = fields.List(fields.Nested(RollSchema))
    head = fields.Nested(HeadSchema)
    outcome = fields.Dict(allow_none=True)


class DerivedSchema(Schema):
    roll = fields.Nested(RollSchema)
    message = fields.String(**documented(description="the text that is hashed with HMAC-SHA-256 under the key"))
    digits = fields.String(
        **documented(
            description="the first digits of the hash; modulo the number of sides, plus one, they give the result"
        )
    )
    secret = fields.Boolean(**documented(description="rolled with the second key"))


class DerivationSchema(Schema):
    rung = fields.String(**documented(description="the key of the exchange"))
    secret_rung = fields.String(**documented(description="the second key, once the match is over"))
    foot = fields.String(
        **documented(description="the value published at the start: the key, hashed this many times")
    )
    steps = fields.Integer()
    context = fields.String(**documented(description="the hash of match, exchange and everybody's sealed orders"))
    rolls = fields.List(fields.Nested(DerivedSchema))


class ReportsSchema(Schema):
    exchanges = fields.List(fields.Integer())


class ReplaySchema(Schema):
    exchange = fields.Integer()
    viewer = fields.String()
    mark = fields.String()
    view = fields.Raw()
    report = fields.Nested(ReportSchema)


class ChiSquareSchema(Schema):
    classes = fields.Integer()
    value = fields.Float()
    low = fields.Float()
    high = fields.Float()
    probability = fields.Float(**documented(description="probability that fair dice would be at least as uneven"))


class TallySchema(Schema):
    sides = fields.Integer()
    counts = fields.List(fields.Integer(), **documented(description="how often each result came up, from 1"))
    mean = fields.Float()
    expected = fields.Float()
    low = fields.Float(
        **documented(description="the lower bound of the range that fair dice stay in 95 times in 100")
    )
    high = fields.Float(**documented(description="the upper bound of that range"))
    chi_square = fields.Nested(ChiSquareSchema, allow_none=True)


class RuleRollsSchema(Schema):
    rule = fields.String()
    sides = fields.Integer()
    count = fields.Integer()
    mean = fields.Float()


class DiceSchema(Schema):
    rolls = fields.Integer()
    tallies = fields.List(fields.Nested(TallySchema))
    rules = fields.List(fields.Nested(RuleRollsSchema))


class DeedSchema(Schema):
    at = fields.Integer()
    who = fields.String()
    what = fields.String()
    why = fields.String()


class PrivilegeSchema(Schema):
    at = fields.Integer()
    by = fields.String()
    role = fields.String()
    what = fields.String()
    match = fields.String(**documented(description="the match concerned; empty: all matches"))


class DeedsSchema(Schema):
    privilege = fields.List(fields.Nested(PrivilegeSchema))
    deeds = fields.List(fields.Nested(DeedSchema))

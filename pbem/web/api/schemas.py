"""The shapes of the API: what it takes and what it gives. The OpenAPI document is made from them.

Instants are milliseconds since 1970 in UTC.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import marshmallow
from marshmallow import fields, post_load, pre_load, validate

from pbem.matches.accounts.api_tokens import SCOPES
from pbem.web.http.inputs import LONGEST_ORDERS, TimingFields

LONGEST_REASON = 500


class Schema(marshmallow.Schema):
    """A shape. Keys missing from a mapping are left out, even if mappings have a method of that name (`clear`)."""

    def get_attribute(self, obj: Any, attr: str, default: Any) -> Any:
        return obj.get(attr, default) if isinstance(obj, Mapping) else super().get_attribute(obj, attr, default)


def said(**more: Any) -> Any:
    """Metadata of a field, as the document shows it."""
    return {"metadata": more}


def for_all(**more: Any) -> fields.String:
    """A reason, which is recorded in the log."""
    fits = validate.Length(max=LONGEST_REASON)
    return fields.String(validate=fits, **said(description="everybody can read it"), **more)


class Words(fields.List):  # type: ignore[type-arg]
    """A list of words; a form sends them in one line."""

    def _deserialize(self, value: Any, *args: Any, **more: Any) -> list[Any]:
        said = [value] if isinstance(value, str) else value
        if isinstance(said, list) and all(isinstance(one, str) for one in said):
            said = " ".join(said).split()
        return super()._deserialize(said, *args, **more)


# Answers of every operation ---------------------------------------------------------------------------------------


class ObjectionSchema(Schema):
    rule = fields.String(**said(description="the rule's number, or pbem/… for one of the server's own"))
    why = fields.String()


class RefusalSchema(Schema):
    kind = fields.String(validate=validate.OneOf(["unreadable", "ambiguous", "illegal"]))
    line = fields.String(**said(description="the line as it was sent, if it was one"))
    part = fields.String(**said(description="the part that was refused: a unit, a word or a field"))
    objections = fields.List(fields.Nested(ObjectionSchema))
    instead = fields.List(fields.String(), **said(description="the nearest legal things"))


class ProblemSchema(Schema):
    """An error, and what to do next. Nothing has changed."""

    title = fields.String()
    status = fields.Integer()
    detail = fields.String()
    advice = fields.String()
    request = fields.String(**said(description="the number under which it is logged"))
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
    mastered = fields.List(fields.String(), **said(description="matches whose game master you are"))


class ValueSchema(Schema):
    value = fields.Raw()
    words = fields.String()


class OptionSchema(Schema):
    name = fields.String()
    values = fields.List(fields.Nested(ValueSchema), **said(description="each explained"))
    several = fields.Boolean(**said(description="more than one may be chosen: a list"))


class ScenarioSchema(Schema):
    scenario = fields.String()
    name = fields.String()
    seats = fields.List(fields.String())
    turns = fields.Integer()
    text = fields.String()


class ScenarioOptionsSchema(ScenarioSchema):
    options = fields.List(fields.Nested(OptionSchema), **said(description="what a match of it can be played by"))


class TitlePageSchema(Schema):
    title = fields.String()
    page = fields.String()
    label = fields.String()
    data = fields.Dict(keys=fields.String(), **said(description="the content of the page, as the title gives it"))


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
    exchange = fields.Integer(**said(description="the exchange that takes answers now"))
    seats = fields.Dict(keys=fields.String(), values=fields.String(), **said(description="the player of each seat"))
    asked = fields.List(fields.String())
    waiting_for = fields.List(fields.String())
    deadline = fields.Nested(DeadlineSchema, allow_none=True)
    outcome = fields.Dict(allow_none=True)
    last = fields.Integer(**said(description="the last exchange that was resolved"))


class StandSchema(StatusSchema):
    mine = fields.Nested(MineSchema, allow_none=True, **said(description="your sealed orders"))


class MatchSchema(Schema):
    status = fields.Nested(StandSchema)
    viewer = fields.String(**said(description="your seat, public, or master once the match is over"))
    seats = fields.List(fields.String(), **said(description="your seats; choose with ?seat="))
    mark = fields.String(**said(description="the hash of the view"))
    view = fields.Raw(**said(description="everything you can see of the position; the title defines its shape"))
    words = fields.List(fields.String(), **said(description="the map in words"))


class MatchesSchema(Schema):
    matches = fields.List(fields.Nested(StatusSchema))
    following = fields.String(allow_none=True, **said(description="?after= of the next page"))


class FiguresSchema(Schema):
    asked = fields.Integer(**said(description="exchanges that asked something of the account"))
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
    play = fields.String(load_default="", **said(description="a title, or title/scenario"))
    cadence = fields.String(load_default="", **said(description="fast, usual, slow or none"))
    seats = fields.String(load_default="", **said(description="open: only with an open seat"))
    reliable = fields.String(
        load_default="", **said(description="80 or 95: all players answer at least this percentage in time")
    )
    state = fields.String(load_default="", **said(description="over: only those that have ended"))
    mine = fields.Boolean(load_default=False, **said(description="only where you sit or are game master"))


class NewMatchSchema(TimingFields):
    title = fields.String(required=True)
    scenario = fields.String(required=True)
    name = fields.String(load_default="", validate=validate.Length(max=80))
    reactions = fields.String(load_default="plan", **said(description="plan, ask or another mode of the title"))
    options = fields.Dict(keys=fields.String(), load_default=dict)
    sit = Words(fields.String(), load_default=list, **said(description="the seats that you take"))
    master = fields.Boolean(load_default=False, **said(description="be the game master; then you do not sit"))
    invite = fields.Dict(
        keys=fields.String(), values=fields.String(), load_default=dict, **said(description="mail address by seat")
    )
    bots = fields.List(fields.String(), load_default=list, **said(description="seats for the title's bot"))
    beacon = fields.String(
        load_default="", **said(description="a public beacon that this server offers, for the dice of the match")
    )


class CreatedSchema(Schema):
    match = fields.String()


class InvitationSchema(Schema):
    seat = fields.String(required=True)
    address = fields.String(required=True, validate=validate.Length(max=254))


class SheetChoiceSchema(Schema):
    name = fields.String()
    line = fields.String(**said(description="the order, with {unit} and {hex} for what is to be pointed at"))
    units = fields.Dict(keys=fields.String(), values=fields.String(), **said(description="targets with prospects"))
    hexes = fields.Dict(keys=fields.String(), values=fields.List(fields.Integer()))
    facing = fields.Integer()
    against = fields.List(fields.Nested(ObjectionSchema), **said(description="why not"))


class SheetSchema(Schema):
    unit = fields.String()
    name = fields.String()
    side = fields.String()
    at = fields.String()
    own = fields.Boolean()
    facts = fields.List(fields.String())
    choices = fields.List(fields.Nested(SheetChoiceSchema))
    threats = fields.Dict(keys=fields.String(), values=fields.String())
    bands = fields.Dict(keys=fields.String(), values=fields.Integer(), **said(description="range band by hex"))
    band_names = fields.List(fields.String())


class SightQuerySchema(Schema):
    to = fields.String(load_default="", **said(description="another place"))


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
    text = fields.String(**said(description="lines ready to edit and send back"))
    deadline = fields.Nested(DeadlineSchema, allow_none=True)
    sealed = fields.String(**said(description="your sealed orders so far"))
    final = fields.Boolean()
    language = fields.String(**said(description="the order language of the title"))


class OrdersSchema(Schema):
    exchange = fields.Integer(required=True)
    orders = fields.String(required=True, validate=validate.Length(max=LONGEST_ORDERS))


class SubmissionSchema(OrdersSchema):
    final = fields.Boolean(load_default=False)


class ExchangeSchema(Schema):
    exchange = fields.Integer(required=True)


class ReadingSchema(Schema):
    restated = fields.String(**said(description="how the orders were read, in words"))
    answer = fields.Raw()
    plan = fields.Raw()


class ReceiptSchema(Schema):
    """Signed by the server; `pbem verify` checks it against an export."""

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
    deadline = fields.Integer(**said(description="deadline of the exchange when it was sealed, if it had one"))
    machines = fields.Integer(**said(description="number of machines that stored the orders: 1 or 2"))
    signature = fields.String()


class ReceiptsSchema(Schema):
    receipts = fields.List(fields.Nested(ReceiptSchema))


# What happened -----------------------------------------------------------------------------------------------


class ToldSchema(Schema):
    rule = fields.String()
    text = fields.String()
    dice = fields.List(fields.Integer())
    depth = fields.Integer(**said(description="under which sentence before it this one stands"))
    finding = fields.Raw(**said(description="rule, inputs, modifiers, cell, dice and result as data"))


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
    message = fields.String(**said(description="the text that is hashed with HMAC-SHA-256 under the key"))
    digits = fields.String(**said(description="how the hash begins; modulo the sides, plus one, it is the result"))
    secret = fields.Boolean(**said(description="rolled with the second key"))


class DerivationSchema(Schema):
    rung = fields.String(**said(description="the key of the exchange"))
    secret_rung = fields.String(**said(description="the second key, once the match is over"))
    foot = fields.String(**said(description="the value published at the start: the key, hashed this many times"))
    steps = fields.Integer()
    context = fields.String(**said(description="the hash of match, exchange and everybody's sealed orders"))
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
    probability = fields.Float(**said(description="probability that fair dice fall at least as unevenly"))


class TallySchema(Schema):
    sides = fields.Integer()
    counts = fields.List(fields.Integer(), **said(description="by result, from 1"))
    mean = fields.Float()
    expected = fields.Float()
    low = fields.Float(**said(description="fair dice have a mean between this"))
    high = fields.Float(**said(description="and this, 95 times in 100"))
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


class DeedsSchema(Schema):
    deeds = fields.List(fields.Nested(DeedSchema))


# At the table ------------------------------------------------------------------------------------------------


class LetterSchema(Schema):
    sender = fields.String()
    to = fields.List(fields.String())
    text = fields.String()
    exchange = fields.Integer()
    at = fields.Integer()


class SettledSchema(Schema):
    number = fields.Integer()
    seat = fields.String()
    exchange = fields.Integer()
    at = fields.Integer()
    answer = fields.String(**said(description="decision of the game master; empty until there is one"))


class TableSchema(Schema):
    letters = fields.List(fields.Nested(LetterSchema), **said(description="messages that you may read"))
    readers = fields.List(fields.String(), **said(description="seats that you may write to"))
    away = fields.List(fields.String(), **said(description="absences, in sentences"))
    offers = fields.List(fields.String(), **said(description="seats that offer a draw"))
    asking = fields.List(fields.String(), **said(description="seats that ask for more time"))
    disputes = fields.List(fields.Nested(SettledSchema))
    doctrine = fields.String(**said(description="your standing orders, one clause a line"))
    standing_by = fields.Dict(keys=fields.String(), values=fields.String(), **said(description="names by account"))
    side = fields.List(fields.String(), **said(description="the other seats of your side"))
    muted = fields.List(fields.String(), **said(description="seats of players whose letters you do not read"))
    mates = fields.List(
        fields.Dict(), **said(description="the same with what they have sealed, if a side is one team")
    )


class DoneSchema(Schema):
    note = fields.String(**said(description="its effect, in a sentence"))


class NewLetterSchema(Schema):
    to = Words(fields.String(), required=True, **said(description="seats, master, all or public"))
    text = fields.String(required=True, validate=validate.Length(1, 4000))


class ReportedLetterSchema(Schema):
    letter = fields.Integer(load_default=0, **said(description="version of the letter; 0: the newest you received"))
    why = fields.String(required=True, validate=validate.Length(1, 1000))


class MutedSeatSchema(Schema):
    seat = fields.String(required=True)
    muted = fields.Boolean(load_default=True, **said(description="false: read this player's letters again"))


class PressReportSchema(Schema):
    number = fields.Integer()
    at = fields.Integer()
    match = fields.String()
    by = fields.String(**said(description="account that reports"))
    sender = fields.String(**said(description="account that wrote the letter"))
    why = fields.String()
    letter = fields.Nested(LetterSchema, allow_none=True)


class ModerationSchema(Schema):
    reports = fields.List(fields.Nested(PressReportSchema))
    banned = fields.Dict(keys=fields.String(), values=fields.String(), **said(description="reasons by account"))


class DecisionOnLettersSchema(Schema):
    act = fields.String(required=True, validate=validate.OneOf(["ban", "allow", "close"]))
    who = fields.String(load_default="", **said(description="id or address of an account"))
    report = fields.Integer(load_default=0, **said(description="report that this closes"))
    why = fields.String(load_default="", validate=validate.Length(max=1000))


class MoreTimeSchema(Schema):
    hours = fields.Integer(required=True, validate=validate.Range(1, 720))


class AbsenceSchema(Schema):
    since = fields.Date(required=True, **said(description="the first day"))
    until = fields.Date(required=True, **said(description="the last day"))


class DoctrineSchema(Schema):
    text = fields.String(required=True, validate=validate.Length(max=LONGEST_ORDERS))


class NewDisputeSchema(Schema):
    exchange = fields.Integer(required=True)
    sentence = fields.Integer(load_default=0, **said(description="its number in your report; 0: the whole exchange"))
    rule = fields.String(load_default="", **said(description="the rule that was broken"))
    text = fields.String(required=True, validate=validate.Length(1, 4000))


class HandOverSchema(Schema):
    to = fields.String(required=True, **said(description="account of a substitute"))


# Accounts and the server -------------------------------------------------------------------------------------


class PreferencesSchema(Schema):
    """Only the given fields change."""

    name = fields.String(validate=validate.Length(1, 60))
    zone = fields.String()
    language = fields.String()
    mails = fields.String(**said(description="turn, mine, digest or none"))


class OwnAccountSchema(Schema):
    id = fields.String()
    name = fields.String()
    addresses = fields.List(fields.String(), **said(description="emails go to the first"))
    zone = fields.String()
    language = fields.String()
    mails = fields.String()


class AddressSchema(Schema):
    address = fields.String(required=True, validate=validate.Length(max=254))


class SessionSchema(Schema):
    id = fields.String()
    label = fields.String()
    started_at = fields.Integer()
    seen_at = fields.Integer()


class SessionsSchema(Schema):
    sessions = fields.List(fields.Nested(SessionSchema))


class NamedSchema(Schema):
    name = fields.String(
        required=True, **said(description="name of the account, so that it is not deleted by mistake")
    )


# The game master ---------------------------------------------------------------------------------------------


class WhySchema(Schema):
    why = for_all(load_default="")


class ReasonSchema(Schema):
    why = for_all(required=True)


class SettingsSchema(TimingFields):
    why = for_all(required=True)


class PauseSchema(Schema):
    days = fields.Integer(required=True, validate=validate.Range(1, 365))
    why = for_all(required=True)


class ExtendSchema(Schema):
    hours = fields.Integer(required=True, validate=validate.Range(1, 24 * 60))
    why = for_all(required=True)


class ProcessSchema(Schema):
    exchange = fields.Integer(required=True)
    why = for_all(required=True)


class ReplaceSchema(Schema):
    seat = fields.String(required=True)
    address = fields.String(load_default="", **said(description="address to invite; empty: a bot takes the seat"))
    substitute = fields.String(load_default="", **said(description="id of a substitute's account"))
    why = for_all(required=True)


class SilenceSchema(Schema):
    seat = fields.String(required=True)
    why = for_all(required=True)


class AnswerSchema(Schema):
    number = fields.Integer(required=True)
    answer = fields.String(required=True, validate=validate.Length(1, 4000), **said(description="for everybody"))
    verdict = fields.String(load_default="", validate=validate.OneOf(["", "dismissed", "upheld"]))
    rule = fields.String(load_default="", **said(description="the rule that was decided on; makes it a precedent"))
    follows = fields.String(load_default="", **said(description="ids of precedents that are followed"))
    departs = fields.String(load_default="", **said(description="ids of precedents that are departed from"))
    grounds = fields.String(
        load_default="", validate=validate.Length(max=2000), **said(description="why; needed to depart from one")
    )


class DisputeSchema(Schema):
    number = fields.Integer()
    seat = fields.String()
    exchange = fields.Integer()
    at = fields.Integer()
    text = fields.String()


class DisputesSchema(Schema):
    disputes = fields.List(fields.Nested(DisputeSchema))


class SwitchesSchema(Schema):
    switches = Words(fields.String(), required=True)
    why = for_all(required=True)


class RulingSchema(Schema):
    kind = fields.String(required=True, validate=validate.OneOf(["reopen", "recompute", "correct"]))
    exchange = fields.Integer(
        load_default=0, **said(description="reopen everything after it, or recompute from it onwards")
    )
    switches = Words(
        fields.String(), load_default=None, allow_none=True, **said(description="recompute by these corrections")
    )
    changes = fields.String(
        load_default="", **said(description="lines `unit state value` or `remove unit`; operators: places")
    )
    dispute = fields.Integer(load_default=0, **said(description="the dispute that it is made on"))
    reason = for_all(required=True)

    @pre_load
    def without_blanks(self, said: Any, **more: Any) -> Any:
        """Empty fields of a form count as not given."""
        blank = ("", [""])
        return {name: value for name, value in said.items() if value not in blank} if hasattr(said, "items") else said

    @post_load
    def in_order(self, said: Any, **more: Any) -> Any:
        return {**said, "switches": None if said["switches"] is None else tuple(said["switches"])}


class DecidedSchema(RulingSchema):
    seen = fields.Integer(required=True, **said(description="`seen` of the trial whose difference you saw"))


class ChangeSchema(Schema):
    path = fields.String()
    was = fields.Raw(allow_none=True)
    becomes = fields.Raw(allow_none=True)


class TrialSchema(Schema):
    changes = fields.List(fields.Nested(ChangeSchema))
    stands = fields.List(fields.Integer(), **said(description="exchanges that would stand"))
    void = fields.List(fields.Integer(), **said(description="exchanges that would no longer count"))
    by_viewer = fields.Dict(
        keys=fields.String(),
        values=fields.List(fields.String()),
        **said(description="changes that each viewer would see"),
    )
    seen = fields.Integer()


class EverythingSchema(Schema):
    view = fields.Raw()


class HaltSchema(Schema):
    where = fields.String()
    trace = fields.String()


class TroubleSchema(Schema):
    kind = fields.String()
    text = fields.String()
    seat = fields.String()


class AttentionSchema(Schema):
    troubles = fields.List(fields.Nested(TroubleSchema))

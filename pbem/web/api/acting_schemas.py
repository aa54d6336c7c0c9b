"""The schemas for acting through the API: letters, requests, accounts, and the acts of a game master."""

from __future__ import annotations

from typing import Any

from marshmallow import fields, post_load, pre_load, validate

from pbem.web.api.schemas import Schema, Words, documented, for_all
from pbem.web.http.inputs import LONGEST_ORDERS, TimingFields

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
    answer = fields.String(**documented(description="decision of the game master; empty until there is one"))


class TableSchema(Schema):
    letters = fields.List(fields.Nested(LetterSchema), **documented(description="messages that you may read"))
    readers = fields.List(fields.String(), **documented(description="seats that you may write to"))
    away = fields.List(fields.String(), **documented(description="absences, in sentences"))
    offers = fields.List(fields.String(), **documented(description="seats that offer a draw"))
    asking = fields.List(fields.String(), **documented(description="seats that ask for more time"))
    disputes = fields.List(fields.Nested(SettledSchema))
    doctrine = fields.String(**documented(description="your standing orders, one clause per line"))
    standing_by = fields.Dict(
        keys=fields.String(), values=fields.String(), **documented(description="names by account")
    )
    side = fields.List(fields.String(), **documented(description="the other seats of your side"))
    muted = fields.List(fields.String(), **documented(description="seats of players whom you have muted"))
    mates = fields.List(
        fields.Dict(),
        **documented(description="the other seats of your side with their sealed orders, if a side is one team"),
    )


class DoneSchema(Schema):
    note = fields.String(**documented(description="the effect of the request, in a sentence"))


class NewLetterSchema(Schema):
    to = Words(fields.String(), required=True, **documented(description="seats, master, all or public"))
    text = fields.String(required=True, validate=validate.Length(1, 4000))


class ReportedLetterSchema(Schema):
    letter = fields.Integer(
        load_default=0, **documented(description="version of the message; 0: the newest you received")
    )
    why = fields.String(required=True, validate=validate.Length(1, 1000))


class MutedSeatSchema(Schema):
    seat = fields.String(required=True)
    muted = fields.Boolean(load_default=True, **documented(description="false: unmute the player"))


class PressReportSchema(Schema):
    number = fields.Integer()
    at = fields.Integer()
    match = fields.String()
    by = fields.String(**documented(description="account that made the report"))
    sender = fields.String(**documented(description="account that wrote the message"))
    why = fields.String()
    letter = fields.Nested(LetterSchema, allow_none=True)


class ModerationSchema(Schema):
    reports = fields.List(fields.Nested(PressReportSchema))
    banned = fields.Dict(
        keys=fields.String(), values=fields.String(), **documented(description="reasons for the bans, by account")
    )


class DecisionOnLettersSchema(Schema):
    act = fields.String(required=True, validate=validate.OneOf(["ban", "allow", "close"]))
    who = fields.String(load_default="", **documented(description="id or address of an account"))
    report = fields.Integer(load_default=0, **documented(description="number of the report to close"))
    why = fields.String(load_default="", validate=validate.Length(max=1000))


class MoreTimeSchema(Schema):
    hours = fields.Integer(required=True, validate=validate.Range(1, 720))


class AbsenceSchema(Schema):
    since = fields.Date(required=True, **documented(description="the first day"))
    until = fields.Date(required=True, **documented(description="the last day"))


class DoctrineSchema(Schema):
    text = fields.String(required=True, validate=validate.Length(max=LONGEST_ORDERS))


class NewDisputeSchema(Schema):
    place = fields.String(
        required=True,
        validate=validate.Length(1, 40),
        **documented(description="turn, scene or sentence as your report numbers them: 4, 4.7 or 4.7.2"),
    )
    rule = fields.String(load_default="", **documented(description="the rule that was broken"))
    text = fields.String(required=True, validate=validate.Length(1, 4000))


class HandOverSchema(Schema):
    to = fields.String(required=True, **documented(description="account of a substitute"))


# Accounts and the server -------------------------------------------------------------------------------------


class PreferencesSchema(Schema):
    """Changes to preferences; fields that are left out stay as they are."""

    name = fields.String(validate=validate.Length(1, 60))
    zone = fields.String()
    language = fields.String()
    mails = fields.String(**documented(description="turn, mine, digest or none"))


class OwnAccountSchema(Schema):
    id = fields.String()
    name = fields.String()
    addresses = fields.List(fields.String(), **documented(description="emails go to the first"))
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
        required=True, **documented(description="name of the account, so that it is not deleted by mistake")
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
    address = fields.String(
        load_default="", **documented(description="address to invite; empty: a bot takes the seat")
    )
    substitute = fields.String(load_default="", **documented(description="id of a substitute's account"))
    why = for_all(required=True)


class SilenceSchema(Schema):
    seat = fields.String(required=True)
    why = for_all(required=True)


class AnswerSchema(Schema):
    number = fields.Integer(required=True)
    answer = fields.String(
        required=True, validate=validate.Length(1, 4000), **documented(description="everybody can read it")
    )
    verdict = fields.String(load_default="", validate=validate.OneOf(["", "dismissed", "upheld"]))
    rule = fields.String(
        load_default="",
        **documented(description="the rule that was in dispute; with it the decision becomes a precedent"),
    )
    follows = fields.String(load_default="", **documented(description="ids of precedents that the decision follows"))
    departs = fields.String(
        load_default="", **documented(description="ids of precedents that the decision departs from")
    )
    grounds = fields.String(
        load_default="",
        validate=validate.Length(max=2000),
        **documented(description="the reasons; required to depart from a precedent"),
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
        load_default=0,
        **documented(description="reopen everything after this exchange, or recompute from it onwards"),
    )
    switches = Words(
        fields.String(),
        load_default=None,
        allow_none=True,
        **documented(description="recompute with these corrections of the rules"),
    )
    changes = fields.String(
        load_default="",
        **documented(
            description="lines `unit state value` or `remove unit`; operators may also send `place = value`"
        ),
    )
    dispute = fields.Integer(load_default=0, **documented(description="the dispute that the ruling is made on"))
    reason = for_all(required=True)

    @pre_load
    def without_blanks(self, said: Any, **more: Any) -> Any:
        """Treat empty form fields as not given."""
        blank = ("", [""])
        return {name: value for name, value in said.items() if value not in blank} if hasattr(said, "items") else said

    @post_load
    def in_order(self, said: Any, **more: Any) -> Any:
        return {**said, "switches": None if said["switches"] is None else tuple(said["switches"])}


class DecidedSchema(RulingSchema):
    seen = fields.Integer(
        required=True, **documented(description="the value of `seen` in the preview of this ruling")
    )


class ChangeSchema(Schema):
    path = fields.String()
    was = fields.Raw(allow_none=True)
    becomes = fields.Raw(allow_none=True)


class TrialSchema(Schema):
    changes = fields.List(fields.Nested(ChangeSchema))
    stands = fields.List(fields.Integer(), **documented(description="exchanges that would remain valid"))
    void = fields.List(fields.Integer(), **documented(description="exchanges that would no longer count"))
    by_viewer = fields.Dict(
        keys=fields.String(),
        values=fields.List(fields.String()),
        **documented(description="changes that each viewer would see"),
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

"""Schemas for the forms and queries of the site."""

from __future__ import annotations

from typing import Any, get_args

from flask import request
from marshmallow import EXCLUDE, Schema, ValidationError, fields, validate

from pbem.engine.rules.refusals import Objection, Refusal, Refusals, Unreadable
from pbem.matches.clock.causes import WEEKDAYS
from pbem.matches.clock.deadline_rules import Policy
from pbem.web.http.field_errors import reasons_in

LONGEST_ORDERS = 20_000


class FormSchema(Schema):
    """A form; unknown fields, such as the CSRF token, are ignored."""

    class Meta:
        unknown = EXCLUDE


class OrdersSchema(FormSchema):
    act = fields.String(load_default="check", validate=validate.OneOf(["check", "submit", "final"]))
    exchange = fields.Integer(required=True)
    orders = fields.String(required=True, validate=validate.Length(max=LONGEST_ORDERS))
    reviewed = fields.Boolean(load_default=False)


class DraftSchema(FormSchema):
    version = fields.Integer(load_default=0)
    at_deadline = fields.Boolean(load_default=False)
    orders = fields.String(required=True, validate=validate.Length(max=LONGEST_ORDERS))


class LookSchema(FormSchema):
    scene = fields.Integer(required=True, validate=validate.Range(min=1))


class WishSchema(FormSchema):
    units = fields.String(required=True, validate=validate.Length(max=LONGEST_ORDERS))
    verb = fields.String(required=True, validate=validate.Length(max=40))
    goal = fields.String(load_default="", validate=validate.Length(max=60))
    target = fields.String(load_default="", validate=validate.Length(max=60))
    shape = fields.String(load_default="formation", validate=validate.OneOf(["formation", "hex"]))
    orders = fields.String(load_default="", validate=validate.Length(max=LONGEST_ORDERS))


class PreviewSchema(FormSchema):
    line = fields.String(required=True, validate=validate.Length(max=400))


class InvitationSchema(FormSchema):
    to_seat = fields.String(required=True)
    address = fields.String(required=True, validate=validate.Length(max=254))


def documented(description: str) -> Any:
    """Return the API documentation of a field."""
    return {"metadata": {"description": description}}


class TimingFields(Schema):
    """Deadline settings, for forms, for programs, and for changes by a game master."""

    cadence = fields.Integer(
        load_default=48, validate=validate.Range(0, 24 * 60), **documented("hours for each exchange; 0: no deadline")
    )
    weekdays = fields.List(
        fields.String(validate=validate.OneOf(WEEKDAYS)),
        load_default=list,
        **documented("weekdays on which deadlines fall; none: every day"),
    )
    from_hour = fields.Integer(load_default=0, **documented("the hour from which deadlines may fall"))
    to_hour = fields.Integer(load_default=24, **documented("the hour until which deadlines may fall"))
    zone = fields.String(
        load_default="UTC", validate=validate.Length(max=64), **documented("the time zone of the hours and days")
    )
    grace = fields.Integer(load_default=0, **documented("extra hours for seats without orders"))
    extensions = fields.Integer(
        load_default=1, validate=validate.Range(0, 20), **documented("extensions that each seat may claim")
    )
    disputes = fields.String(
        load_default="go on",
        validate=validate.OneOf(["go on", "wait"]),
        **documented("what the match does while a dispute is open"),
    )
    bank = fields.Integer(
        load_default=0,
        validate=validate.Range(0, 5000),
        **documented("time bank of each seat for late orders, in hours"),
    )
    missed = fields.String(
        load_default="doctrine",
        validate=validate.OneOf(get_args(Policy)),
        **documented("what happens to a seat that sends no orders"),
    )
    patience = fields.Integer(
        load_default=2,
        validate=validate.Range(1, 20),
        **documented("missed deadlines in a row before a substitute takes over or the seat forfeits"),
    )


def take_timing(said: dict[str, Any]) -> dict[str, Any]:
    """Take the deadline fields out of a request, as `Timing` names them."""
    taken = {name: said.pop(name) for name in TimingFields().fields}
    days = [day for day in WEEKDAYS if day in taken["weekdays"]]
    return {
        "hours": taken["cadence"],
        "between": [taken["from_hour"], taken["to_hour"]],
        "weekdays": days if len(days) < len(WEEKDAYS) else [],
        **{name: taken[name] for name in ("zone", "grace", "extensions", "bank", "missed", "patience", "disputes")},
    }


class MatchSchema(FormSchema, TimingFields):
    """A new match. `play` holds title and scenario in one word; seats and options have fields of their own."""

    play = fields.String(required=True, validate=validate.Regexp(r"[^/]+/[^/]+$", error="choose a scenario"))
    name = fields.String(load_default="", validate=validate.Length(max=80))
    handicap = fields.String(load_default="", validate=validate.Length(max=60))
    beacon = fields.String(load_default="", validate=validate.Length(max=40))
    sealed = fields.Boolean(load_default=False)
    reactions = fields.String(load_default="plan")
    master = fields.Boolean(load_default=False)


class WordSchema(FormSchema):
    """A request to the server; each kind says which fields it needs."""

    word = fields.String(
        required=True,
        validate=validate.OneOf(
            [
                *("press", "extend", "absent", "present", "doctrine", "dispute", "statement", "appeal"),
                *("draw", "keep secrets", "concede", "resign", "report", "mute", "unmute"),
            ]
        ),
    )
    number = fields.Integer(load_default=0)
    place = fields.String(load_default="", validate=validate.Length(max=40))
    rule = fields.String(load_default="", validate=validate.Length(max=60))
    to = fields.String(load_default="", validate=validate.Length(max=200))
    text = fields.String(load_default="", validate=validate.Length(max=LONGEST_ORDERS))
    since = fields.String(load_default="", validate=validate.Regexp(r"(\d{4}-\d\d-\d\d)?$", error="not a day"))
    until = fields.String(load_default="", validate=validate.Regexp(r"(\d{4}-\d\d-\d\d)?$", error="not a day"))


class HandOverSchema(FormSchema):
    to = fields.String(required=True, validate=validate.Length(max=64))


class ScenarioKinds(FormSchema):
    """The filter for scenarios."""

    words = fields.String(load_default="", validate=validate.Length(max=100))
    size = fields.String(load_default="")
    length = fields.String(load_default="")
    difficulty = fields.String(load_default="")
    balance = fields.String(load_default="")


class ChoosingSchema(ScenarioKinds):
    """Which scenarios to list, and which page of the list."""

    title = fields.String(load_default="")
    page = fields.Integer(load_default=1)


class LobbySchema(ScenarioKinds):
    """Which matches to list. `play` is a title, or a title and a scenario."""

    play = fields.String(load_default="")
    cadence = fields.String(load_default="")
    seats = fields.String(load_default="")
    reliable = fields.String(load_default="")
    state = fields.String(load_default="")
    shelf = fields.String(load_default="")
    before = fields.String(load_default="")


class SignInSchema(FormSchema):
    address = fields.String(required=True, validate=validate.Length(max=254))


class PasswordSignInSchema(FormSchema):
    address = fields.String(required=True, validate=validate.Length(max=254))
    password = fields.String(required=True, validate=validate.Length(max=1000))


class NameSchema(FormSchema):
    name = fields.String(required=True, validate=validate.Length(min=1, max=60))


class PreferencesSchema(FormSchema):
    """The preferences of an account. `mails` may also be `none`, which means only answers to your own emails."""

    zone = fields.String(required=True, validate=validate.Length(max=64))
    language = fields.String(required=True, validate=validate.Length(max=16))
    mails = fields.String(required=True, validate=validate.Length(max=16))


class PasswordSchema(FormSchema):
    password = fields.String(required=True, validate=validate.Length(max=1000))


class AddressSchema(FormSchema):
    address = fields.String(required=True, validate=validate.Length(max=254))


class SessionSchema(FormSchema):
    """The session to end; without an id, all sessions except this one."""

    id = fields.String(load_default="", validate=validate.Length(max=64))


class TokenSchema(FormSchema):
    """A token for a program; its scopes are checkboxes with the same name."""

    name = fields.String(load_default="", validate=validate.Length(max=60))
    days = fields.Integer(load_default=365)


class DeletionSchema(FormSchema):
    name = fields.String(load_default="", validate=validate.Length(max=100))


def read_form(schema: Schema) -> dict[str, Any]:
    """Return the form as typed values; a refusal names every field that does not fit."""
    lists = {name for name, field in schema.fields.items() if isinstance(field, fields.List)}
    boxes = {name: request.form.getlist(name) for name in lists if name in request.form}
    return _read(schema, {**request.form.to_dict(), **boxes})


def read_query(schema: Schema) -> dict[str, Any]:
    """Return the query of the page in its typed form."""
    return _read(schema, request.args.to_dict())


def _read(schema: Schema, said: dict[str, Any]) -> dict[str, Any]:
    try:
        loaded: dict[str, Any] = schema.load(said)
    except ValidationError as error:
        refused: list[Refusal] = [
            Unreadable(field, [Objection("pbem/form", why) for why in reasons_in(said)])
            for field, said in _messages(error).items()
        ]
        raise Refusals(refused) from error
    return loaded


def _messages(error: ValidationError) -> dict[str, Any]:
    return error.messages if isinstance(error.messages, dict) else {"form": error.messages}

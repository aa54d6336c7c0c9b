"""The shape of what a browser sends."""

from __future__ import annotations

from typing import Any

from flask import request
from marshmallow import EXCLUDE, Schema, ValidationError, fields, validate

from pbem.engine.refusals import Objection, Refusal, Refusals, Unreadable

LONGEST_ORDERS = 20_000


class FormSchema(Schema):
    """A form: what it does not name, as the token against forged forms, is none of its business."""

    class Meta:
        unknown = EXCLUDE


class OrdersSchema(FormSchema):
    act = fields.String(load_default="check", validate=validate.OneOf(["check", "submit", "final"]))
    exchange = fields.Integer(required=True)
    orders = fields.String(required=True, validate=validate.Length(max=LONGEST_ORDERS))


class InvitationSchema(FormSchema):
    to_seat = fields.String(required=True)
    address = fields.String(required=True, validate=validate.Length(max=254))


class MatchSchema(FormSchema):
    """A new match. `play` is title and scenario in one word, so that one list can offer all."""

    play = fields.String(required=True, validate=validate.Regexp(r"[^/]+/[^/]+$", error="choose a scenario"))
    name = fields.String(load_default="", validate=validate.Length(max=80))
    cadence = fields.Integer(load_default=48, validate=validate.Range(0, 24 * 60))
    reactions = fields.String(load_default="plan")
    sit = fields.Boolean(load_default=False)
    invite = fields.String(load_default="", validate=validate.Length(max=2000))


class SignInSchema(FormSchema):
    address = fields.String(required=True, validate=validate.Length(max=254))


class PasswordSignInSchema(FormSchema):
    address = fields.String(required=True, validate=validate.Length(max=254))
    password = fields.String(required=True, validate=validate.Length(max=1000))


class NameSchema(FormSchema):
    name = fields.String(required=True, validate=validate.Length(min=1, max=60))


class PreferencesSchema(FormSchema):
    """`mails` may also be `none`: nothing but answers to one's own mails."""

    zone = fields.String(required=True, validate=validate.Length(max=64))
    language = fields.String(required=True, validate=validate.Length(max=16))
    mails = fields.String(required=True, validate=validate.Length(max=16))


class PasswordSchema(FormSchema):
    password = fields.String(required=True, validate=validate.Length(max=1000))


class AddressSchema(FormSchema):
    address = fields.String(required=True, validate=validate.Length(max=254))


class SessionSchema(FormSchema):
    """Without an id all sessions but this one are meant."""

    id = fields.String(load_default="", validate=validate.Length(max=64))


class DeletionSchema(FormSchema):
    name = fields.String(load_default="", validate=validate.Length(max=100))


def read_form(schema: Schema) -> dict[str, Any]:
    """The form in its shape; a refusal names every field that does not fit."""
    try:
        loaded: dict[str, Any] = schema.load(request.form.to_dict())
    except ValidationError as error:
        refused: list[Refusal] = [
            Unreadable(field, [Objection("pbem/form", str(why).rstrip(".").lower()) for why in reasons])
            for field, reasons in _messages(error).items()
        ]
        raise Refusals(refused) from error
    return loaded


def _messages(error: ValidationError) -> dict[str, list[str]]:
    return error.messages if isinstance(error.messages, dict) else {"form": error.messages}

"""Programs that call the API, for the tests of the API."""

from __future__ import annotations

import re

from pbem.matches.accounts import accounts
from pbem.matches.history.replay import record_of
from pbem.web.api.operations import template_of

ALLOWED = {
    "public": ("nobody", "stranger", "reader", "player", "master"),
    "read": ("reader", "player"),
    "play": ("player",),
    "master": ("master",),
    "account": ("keeper",),
    "operator": ("operator",),
}
"""Who may call an operation of a scope; the others are refused: 401 without a token, 403 with one."""

EXCEPTIONS = {
    **{
        (name, caller): 404
        for name in ("dispute_sheet", "line")
        for caller in ("nobody", "stranger", "reader", "player", "master")
    },
    **{("what_if_modifier", caller): 422 for caller in ("nobody", "stranger", "reader", "player", "master")},
    ("why_refused", "stranger"): 422,
    ("statement", "stranger"): 403,
    **{(name, "stranger"): 422 for name in ("name_panel", "vote", "dismiss_auditor")},
    ("account", "stranger"): True,
    ("account", "master"): True,
    ("create", "stranger"): True,
    ("enter_tournament", "stranger"): True,
    ("leave_tournament", "stranger"): 422,
    ("announce_tournament", "stranger"): True,
    ("direct_tournament", "stranger"): 422,
    ("stand_by", "stranger"): True,
    ("stand_down", "stranger"): 422,
    ("take", "stranger"): 422,
    ("take", "player"): 422,
    ("invite", "player"): 422,
    ("remove_address", "keeper"): 422,
    ("put_first", "keeper"): 422,
    ("end_session", "keeper"): 404,
    ("add_webhook", "keeper"): 422,  # only https, and nothing is resolved in these tests
    ("remove_webhook", "keeper"): 404,
    **{(name, caller): 404 for name in ("unit", "sight") for caller in ALLOWED["public"]},
    **{(name, caller): 404 for name in ("primer", "campaign", "campaign_bundle") for caller in ALLOWED["public"]},
    **{
        (name, caller): 404
        for name in ("roster", "unit_history")
        for caller in (*ALLOWED["read"], "stranger", "master")
    },
    **{("first_game", caller): 404 for caller in ("player", "stranger")},
}
"""Operations and callers with another result: your own account needs no seat; a taken seat is refused to everyone;
the toy has no sheets, no primer, no campaign and no dispute.
"""
QUERIES = {"why_unseen": "?seeing=r1&seen=b1", "what_if_modifier": "?sentence=1&modifier=none&value=1"}
"""Queries that are part of the address."""


def address(server, match, operation):
    """Return the path of an operation with all its parameters filled in."""
    commitment = record_of(server, match).sealed["red"].parts[0].commitment
    red = accounts.by_address(server, "ann@example.org").id
    filled = {"match": match, "exchange": "2", "commitment": commitment, "seat": "blue", "account": red}
    filled |= {"title": "ambush", "page": "rosters", "scenario": "tiny", "tournament": "autumn-cup"}
    filled |= {"turn": "1", "number": "1", "version": "1", "id": "nosuch"}
    filled |= {"unit": "r1", "start": "A1", "address": "ann@example.org", "session": "nosuch", "hook": "99"}
    path = re.sub(r"\{(\w+)\}", lambda found: filled[found[1]], template_of(operation.path))
    return path + QUERIES.get(operation.name, "")

"""The access table of `test_roles`: each route, how it is called, and its result for each role."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from web.http.audit_routes import AUDITS
from web.http.reading_routes import READING

ROLES = {
    "anonymous": "",
    "other": "eve",
    "player": "ann",
    "opponent": "bob",
    "former": "dan",
    "watching": "sue",
    "master": "gm",
}
SECRETS = {"player": "rosebud", "opponent": "xanadu"}
"""Comments in sealed orders, each known to one role."""

Expected = Mapping[str, int]


def everybody(code: int = 200) -> Expected:
    return dict.fromkeys(ROLES, code)


def signed_in(code: int = 200) -> Expected:
    """Return the results of a route for signed-in users; others are sent to the sign-in page."""
    return {**everybody(code), "anonymous": 303}


def occupants(code: int = 303) -> Expected:
    return {**everybody(403), "player": code, "opponent": code}


def the_master(code: int = 200) -> Expected:
    return {**everybody(403), "master": code}


def the_director(code: int) -> Expected:
    return {**everybody(403), "anonymous": 303, "master": code}


def by_token_only(code: int = 401) -> Expected:
    """Return the results of a route that only accepts tokens, as in the API; `test_api` has the table of their
    scopes."""
    return everybody(code)


class Route(msgspec.Struct):
    """A row of the table: how a route is called, and its result for each role.

    `{…}` in path and form is filled in from the world.
    """

    path: str
    expected: Expected
    form: dict[str, Any] | None = None
    method: str = "POST"
    """The method of a route to which a form is sent."""


ORDERS = {"orders": "", "exchange": 3, "act": "submit"}
EXPECTED = {"everybody": everybody, "signed in": signed_in, "token": by_token_only}
RULING = {"kind": "reopen", "exchange": 2, "reason": "a dispute"}

MASTER_ACTS = "continue export extend hold release settings pause process replace silence resume rules settle"
OTHER_ACTS = {"everything": "everything", "halt": "halt", "rule": "rulings", "try_ruling": "trials"}
TABLE: dict[str, Route] = {
    # the lobby
    "lobby.lobby": Route("/", everybody()),
    "lobby.player": Route("/players/{red}", everybody()),
    "creating.choose": Route("/new?play=ambush/tiny", everybody()),
    "creating.picture": Route("/scenarios/ambush/tiny.svg", everybody(404)),  # the toy draws nothing
    "creating.create": Route("/matches", everybody(303), {"play": "ambush/tiny"}),
    "lobby.play": Route("/play", everybody(404), {}),
    "first_games.how": Route("/titles/ambush/how", everybody(404)),  # the toy has no primer
    "first_games.start": Route("/titles/ambush/first-game", everybody(404), {}),
    # a match
    "match.page": Route("/matches/{match}", everybody()),
    "match.status": Route("/matches/{match}/status.json", everybody()),
    "match.map": Route("/matches/{match}/map.svg", everybody(404)),  # the toy draws nothing
    "match.verify": Route("/matches/{match}/verify", everybody()),
    "match.export_match": Route("/matches/{match}/export", everybody()),
    "match.receipts": Route("/matches/{match}/receipts", occupants(200)),
    "match.receipt": Route("/matches/{match}/receipts/{receipt}.json", {**everybody(404), "player": 200}),
    "match.orders": Route("/matches/{match}/orders", occupants(), ORDERS),
    "match.check": Route("/matches/{match}/check", occupants(200), ORDERS),
    "match.final": Route("/matches/{match}/final", occupants(), {"exchange": 3}),
    "match.withdraw": Route("/matches/{match}/withdraw", occupants(), {"exchange": 3}),
    "match.take": Route("/matches/{open}/seats/blue", signed_in(303), {}),
    "match.invite": Route(
        "/matches/{open}/invitations",
        {**everybody(403), "player": 303},
        {"to_seat": "blue", "address": "zoe@example.org"},
    ),
    "talk.say": Route("/matches/{match}/words", occupants(), {"word": "doctrine", "text": "ambush"}),
    "talk.stand_by": Route("/matches/{open}/stand-by", {**signed_in(303), "player": 422}, {}),
    "talk.hand_over": Route("/matches/{match}/hand-over", occupants(), {"to": "{sue}"}),
    "planning.unit": Route("/matches/{match}/units/r1.json", everybody(404)),  # the toy has no sheets
    "planning.sight": Route("/matches/{match}/sight/A1.json", everybody(404)),
    "turns.report": Route("/matches/{match}/reports/2", everybody()),
    "turns.replay": Route("/matches/{match}/replay/2", everybody()),
    "drafts.show": Route("/matches/{match}/draft.json", {**everybody(404), "player": 200, "opponent": 200}),
    "drafts.save": Route("/matches/{match}/draft", occupants(200), {**ORDERS, "version": 0}),
    "formations.propose": Route("/matches/{match}/propose", occupants(200), {"units": "r1", "verb": "hold"}),
    "formations.preview": Route("/matches/{match}/preview", occupants(200), {"line": "r1 hold"}),
    "film.page": Route("/matches/{match}/turns/1", everybody()),
    "film.scene": Route("/matches/{match}/turns/1/scenes/1", everybody(404)),  # nothing happens in its first turn
    "film.data": Route("/matches/{match}/turns/1/film.json", everybody()),
    "film.last_look": Route("/matches/{match}/turns/1/look", signed_in()),
    "film.note_look": Route("/matches/{match}/turns/1/look", signed_in(), {"scene": 1}),
    "film.draw_turn": Route("/matches/{match}/turns/1/map.svg", everybody(404)),
    "turns.dice": Route("/matches/{match}/dice", everybody()),
    "feeds.feed": Route("/matches/{match}/feed.atom", everybody()),
    # signing in
    "door.sign_in": Route("/sign-in", everybody()),
    "door.send_link": Route("/sign-in", everybody(), {"address": "zoe@example.org"}),
    "door.use_password": Route("/sign-in/password", everybody(422), {"address": "a@example.org", "password": "x"}),
    "door.show_link": Route("/sign-in/{sign_in}", everybody()),
    "door.use_link": Route("/sign-in/{sign_in}", everybody(303), {}),
    "door.sign_out": Route("/sign-out", everybody(303), {}),
    "door.show_invitation": Route("/invitations/{invitation}", everybody()),
    "door.accept": Route("/invitations/{invitation}", everybody(303), {}),
    "door.decline": Route("/invitations/{invitation}/decline", everybody(303), {}),
    "door.show_confirm": Route("/confirm/{orders_token}", everybody(422)),
    "door.confirm": Route("/confirm/{orders_token}", everybody(422), {}),
    "door.show_stop": Route("/stop/{stop}", everybody()),
    "door.stop": Route("/stop/{stop}", everybody(), {}),
    # your own account
    "account.page": Route("/account", signed_in()),
    "account.rename": Route("/account/name", signed_in(303), {"name": "Other"}),
    "account.prefer": Route(
        "/account/preferences", signed_in(303), {"zone": "UTC", "language": "en", "mails": "turn"}
    ),
    "account.set_password": Route("/account/password", signed_in(422), {"password": "short"}),
    "account.remove_password": Route("/account/password/remove", signed_in(303), {}),
    "account.add_address": Route("/account/addresses", signed_in(303), {"address": "more@example.org"}),
    "account.put_first": Route(
        "/account/addresses/first", {**signed_in(422), "player": 303}, {"address": "ann@example.org"}
    ),
    "account.remove_address": Route("/account/addresses/remove", signed_in(422), {"address": "ann@example.org"}),
    "account.show_address": Route("/addresses/{address}", everybody()),
    "account.confirm_address": Route("/addresses/{address}", everybody(), {}),
    "account.end_session": Route("/account/sessions/end", signed_in(303), {}),
    "account.make_token": Route("/account/tokens", signed_in(), {"scopes": "read"}),
    "account.revoke_token": Route("/account/tokens/revoke", signed_in(422), {"id": "nosuch"}),
    "account.export": Route("/account/export.json", signed_in()),
    "account.ask_to_delete": Route("/account/delete", signed_in()),
    "account.delete": Route("/account/delete", signed_in(422), {"name": "nobody of that name"}),
    "feeds.calendar": Route("/calendar.ics", {**everybody(), "anonymous": 403}),
    "feeds.calendar_by_word": Route("/calendar/nosuch.ics", everybody(404)),
    # the game master
    "master.overview": Route("/master", signed_in()),
    "master.page": Route("/matches/{match}/master", the_master()),
    "master.record": Route("/matches/{match}/master/record", everybody()),
    "master.perform": Route("/matches/{match}/master/acts/extend", the_master(303), {"hours": 12, "why": "a storm"}),
    "master.look": Route("/matches/{match}/master/look", the_master(), {"what": "everything"}),
    "master.ruling": Route("/matches/{match}/master/ruling", the_master(), RULING),
    "language.general": Route("/help", everybody()),
    "guide.index": Route("/guide/", everybody()),
    "guide.page": Route("/guide/glossary", everybody()),
    "language.of_match": Route("/matches/{match}/help", everybody()),
    "titles.page": Route("/titles/ambush/rosters", everybody()),
    "verifying.verify": Route("/verify", everybody()),
    "verifying.dice": Route("/dice", everybody()),
    **{name: Route(path, EXPECTED[who](code), form) for name, path, who, code, form in AUDITS},
    "lines.what_if": Route("/matches/{match}/what-if/2", {**the_master(), "anonymous": 303}),
    "api.dismiss_auditor": Route("/api/v1/matches/{match}/auditors/x", by_token_only(), {}, method="DELETE"),
    "campaigns.overview": Route("/campaigns", everybody()),
    "campaigns.page": Route("/campaigns/{match}", everybody(404)),  # it is not a campaign
    "campaigns.roster": Route("/campaigns/{match}/roster", everybody(404)),
    "campaigns.unit": Route("/campaigns/{match}/units/r1", everybody(404)),
    "campaigns.as_bundle": Route("/campaigns/{match}/bundle", everybody(404)),
    # tournaments
    "tournaments.overview": Route("/tournaments", everybody()),
    "tournaments.page": Route("/tournaments/{cup}", everybody()),
    "tournaments.tab": Route("/tournaments/{cup}/entrants", everybody()),
    "tournaments.pairings": Route("/tournaments/{cup}/pairings", everybody()),
    "tournaments.entrant": Route("/tournaments/{cup}/entrants/1", everybody()),
    "tournaments.season": Route("/seasons/2030", everybody()),
    "tournaments.ratings": Route("/ratings/ambush", everybody()),
    "tournaments.take_part": Route("/tournaments/{cup}/enter", signed_in(303), {}),
    "director.choose": Route("/tournaments/new", everybody()),
    "director.announce": Route("/tournaments/new", signed_in(303), {"name": "Cup", "play": "ambush/tiny"}),
    "director.board": Route("/tournaments/{cup}/director", the_director(200)),
    "director.perform": Route("/tournaments/{cup}/director/message", the_director(303), {"text": "Hello."}),
    "tournament_files.as_csv": Route("/tournaments/{cup}/standings.csv", everybody()),
    "tournament_files.as_json": Route("/tournaments/{cup}/tournament.json", everybody()),
    "tournament_files.as_trf": Route("/tournaments/{cup}/tournament.trf", everybody()),
    "tournament_files.as_bundle": Route("/tournaments/{cup}/bundle.jsonl", everybody()),
    "tournament_files.feed": Route("/tournaments/{cup}/feed.atom", everybody()),
    "tournament_files.calendar": Route("/tournaments/{cup}/rounds.ics", everybody()),
    "tournament_files.embed": Route("/tournaments/{cup}/embed", everybody()),
    # the condition of the server
    "legal.terms": Route("/terms", everybody()),
    "legal.privacy": Route("/privacy", everybody()),
    "moderation.page": Route("/moderation", everybody(403)),
    "moderation.decide": Route("/moderation", everybody(403), {"act": "ban", "who": "x"}),
    "health.page": Route("/health", everybody()),
    "health.as_json": Route("/health.json", everybody(503)),  # no clock runs in these tests
    "health.numbers": Route("/metrics", everybody(200)),  # these tests come from the server's own machine
    "health.hold": Route("/health/hold", everybody(403), {"why": "x"}),
    "health.release": Route("/health/release", everybody(403), {}),
    # programs
    "api_page": Route("/api", everybody()),
    "api.document": Route("/api/v1/openapi.json", everybody()),
    "api.titles": Route("/api/v1/titles", everybody()),
    "api.scenario": Route("/api/v1/titles/ambush/scenarios/tiny", everybody()),
    "api.scenario_map": Route("/api/v1/titles/ambush/scenarios/tiny/map.svg", everybody(404)),
    "api.title_page": Route("/api/v1/titles/ambush/rosters", everybody()),
    "api.matches": Route("/api/v1/matches", everybody()),
    "api.show": Route("/api/v1/matches/{match}", everybody()),
    "api.map": Route("/api/v1/matches/{match}/map.svg", everybody(404)),
    "api.export": Route("/api/v1/matches/{match}/export", everybody()),
    "api.replay": Route("/api/v1/matches/{match}/replay/2", everybody()),
    "api.reports": Route("/api/v1/matches/{match}/reports", everybody()),
    "api.report": Route("/api/v1/matches/{match}/reports/2", everybody()),
    "api.rolls": Route("/api/v1/matches/{match}/reports/2/rolls", everybody()),
    "api.tournaments": Route("/api/v1/tournaments", everybody()),
    "api.tournament": Route("/api/v1/tournaments/{cup}", everybody()),
    "api.tournament_standings": Route("/api/v1/tournaments/{cup}/standings", everybody()),
    "api.ratings": Route("/api/v1/titles/ambush/ratings", everybody()),
    "api.announce_tournament": Route("/api/v1/tournaments", by_token_only(), {}),
    "api.enter_tournament": Route("/api/v1/tournaments/{cup}/entry", by_token_only(), {}),
    "api.leave_tournament": Route("/api/v1/tournaments/{cup}/entry", by_token_only(), {}, method="DELETE"),
    "api.direct_tournament": Route("/api/v1/tournaments/{cup}/acts", by_token_only(), {}),
    "api.webhooks": Route("/api/v1/webhooks", by_token_only()),
    "api.add_webhook": Route("/api/v1/webhooks", by_token_only(), {}),
    "api.remove_webhook": Route("/api/v1/webhooks/9", by_token_only(), {}, method="DELETE"),
    "api.account": Route("/api/v1/account", by_token_only()),
    "api.create": Route("/api/v1/matches", by_token_only(), {}),
    "api.form": Route("/api/v1/matches/{match}/form", by_token_only()),
    "api.receipts": Route("/api/v1/matches/{match}/receipts", by_token_only()),
    "api.receipt": Route("/api/v1/matches/{match}/receipts/{receipt}", by_token_only()),
    "api.check": Route("/api/v1/matches/{match}/check", by_token_only(), {}),
    "api.submit": Route("/api/v1/matches/{match}/orders", by_token_only(), {}),
    "api.final": Route("/api/v1/matches/{match}/final", by_token_only(), {}),
    "api.withdraw": Route("/api/v1/matches/{match}/withdraw", by_token_only(), {}),
    "api.take": Route("/api/v1/matches/{open}/seats/blue", by_token_only(), {}),
    "api.invite": Route("/api/v1/matches/{open}/invitations", by_token_only(), {}),
    "api.troubles": Route("/api/v1/matches/{match}/master/attention", by_token_only()),
    "api.open_disputes": Route("/api/v1/matches/{match}/master/disputes", by_token_only()),
    "api.whole_report": Route("/api/v1/matches/{match}/master/reports/2", by_token_only(), {}),
    **{name: Route(path, everybody(code), form) for name, (path, code, form) in READING.items()},
    "api.player": Route("/api/v1/players/{red}", everybody()),
    "api.unit": Route("/api/v1/matches/{match}/units/r1", everybody(404)),
    "api.sight": Route("/api/v1/matches/{match}/sight/A1", everybody(404)),
    "api.dice": Route("/api/v1/matches/{match}/dice", everybody()),
    "api.deeds": Route("/api/v1/matches/{match}/deeds", everybody()),
    "api.table": Route("/api/v1/matches/{match}/table", everybody()),
    "api.write_letter": Route("/api/v1/matches/{match}/letters", by_token_only(), {}),
    "api.report_letter": Route("/api/v1/matches/{match}/letters/reports", by_token_only(), {}),
    "api.mute_seat": Route("/api/v1/matches/{match}/letters/mutes", by_token_only(), {}),
    "api.ask_for_time": Route("/api/v1/matches/{match}/extensions", by_token_only(), {}),
    "api.be_absent": Route("/api/v1/matches/{match}/absences", by_token_only(), {}),
    "api.be_present": Route("/api/v1/matches/{match}/absences", by_token_only(), {}, method="DELETE"),
    "api.set_doctrine": Route("/api/v1/matches/{match}/doctrine", by_token_only(), {}, method="PUT"),
    "api.dispute": Route("/api/v1/matches/{match}/disputes", by_token_only(), {}),
    "api.draw": Route("/api/v1/matches/{match}/draw", by_token_only(), {}),
    "api.concede": Route("/api/v1/matches/{match}/concede", by_token_only(), {}),
    "api.resign": Route("/api/v1/matches/{match}/resign", by_token_only(), {}),
    "api.stand_by": Route("/api/v1/matches/{match}/stand-by", by_token_only(), {}, method="PUT"),
    "api.stand_down": Route("/api/v1/matches/{match}/stand-by", by_token_only(), {}, method="DELETE"),
    "api.hand_over": Route("/api/v1/matches/{match}/hand-over", by_token_only(), {}),
    "api.preferences": Route("/api/v1/account/preferences", by_token_only()),
    "api.prefer": Route("/api/v1/account/preferences", by_token_only(), {}, method="PATCH"),
    "api.add_address": Route("/api/v1/account/addresses", by_token_only(), {}),
    "api.put_first": Route("/api/v1/account/addresses/first", by_token_only(), {}, method="PUT"),
    "api.remove_address": Route("/api/v1/account/addresses/x", by_token_only(), {}, method="DELETE"),
    "api.own_sessions": Route("/api/v1/account/sessions", by_token_only()),
    "api.end_sessions": Route("/api/v1/account/sessions", by_token_only(), {}, method="DELETE"),
    "api.end_session": Route("/api/v1/account/sessions/x", by_token_only(), {}, method="DELETE"),
    "api.own_data": Route("/api/v1/account/data", by_token_only()),
    "api.delete_account": Route("/api/v1/account/deletion", by_token_only(), {}),
    "api.server_hold": Route("/api/v1/server/hold", by_token_only(), {}),
    "api.moderation": Route("/api/v1/server/moderation", by_token_only()),
    "api.moderate": Route("/api/v1/server/moderation", by_token_only(), {}),
    "api.server_release": Route("/api/v1/server/release", by_token_only(), {}),
    **{
        f"api.{name}": Route(f"/api/v1/matches/{{match}}/master/{path}", by_token_only(), {})
        for name, path in (OTHER_ACTS | {f"master_{act}": act for act in MASTER_ACTS.split()}).items()
    },
}

UNDER_DEMO = {"mailbox.outbox", "mailbox.mail"}
"""Routes that only a demonstration has: see `test_mailbox`, and `test_lobby` for their absence."""

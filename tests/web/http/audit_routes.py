"""The rows of the table in `test_roles` for disputes, panels, auditors, searches and overruled play.

Each row has the endpoint, the path, the permitted users, their answer, and the submitted form (None for no form).
"""

from __future__ import annotations

from typing import Any

MATCH, API = "/matches/{match}", "/api/v1/matches/{match}"
NOBODY = {"accounts": "x@example.org"}
VOTE = {"verdict": "upheld", "answer": "x"}

AUDITS: tuple[tuple[str, str, str, int, dict[str, Any] | None], ...] = (
    ("disputes.index", "/precedents", "everybody", 200, None),
    ("disputes.sheet", f"{MATCH}/disputes/1", "everybody", 404, None),  # there is no dispute
    ("disputes.search_match", f"{MATCH}/search?unit=r1", "everybody", 200, None),
    ("disputes.search_all", "/search?unit=r1", "everybody", 200, None),
    ("disputes.name_panel", f"{MATCH}/disputes/1/panel", "signed in", 422, NOBODY),
    ("disputes.vote", f"{MATCH}/disputes/1/votes", "signed in", 422, VOTE),
    ("master.auditor", f"{MATCH}/auditor", "signed in", 422, {"address": "x@example.org"}),
    ("lines.index", f"{MATCH}/lines", "everybody", 200, None),
    ("lines.line", f"{MATCH}/lines/1", "everybody", 404, None),
    ("lines.dossier", f"{MATCH}/disputes/1/dossier", "everybody", 404, None),
    ("questions.ask", f"{MATCH}/why/1", "everybody", 200, None),
    ("questions.answer", f"{MATCH}/why/1", "everybody", 200, {"question": "unseen", "seeing": "r1", "seen": "b1"}),
    ("api.why_unseen", f"{API}/why/1?seeing=r1&seen=b1", "everybody", 200, None),
    ("api.why_refused", f"{API}/why/1/orders", "token", 401, {}),
    ("api.what_if_modifier", f"{API}/why/1/modifier?sentence=1&modifier=x&value=1", "everybody", 422, None),
    ("api.what_if", f"{API}/what-if/2", "token", 401, {}),
    ("api.disputes", f"{API}/disputes", "everybody", 200, None),
    ("api.dispute_sheet", f"{API}/disputes/1", "everybody", 404, None),
    ("api.keep_secrets", f"{API}/keep-secrets", "token", 401, {}),
    ("api.statement", f"{API}/disputes/1/statements", "token", 401, {}),
    ("api.appeal", f"{API}/disputes/1/appeal", "token", 401, {}),
    ("api.name_panel", f"{API}/disputes/1/panel", "token", 401, {}),
    ("api.vote", f"{API}/disputes/1/votes", "token", 401, {}),
    ("api.propose_auditor", f"{API}/auditors", "token", 401, {}),
    ("api.lines", f"{API}/lines", "everybody", 200, None),
    ("api.line", f"{API}/lines/1", "everybody", 404, None),
    ("api.search_match", f"{API}/search?unit=r1", "everybody", 200, None),
    ("api.search_server", "/api/v1/search?unit=r1", "everybody", 200, None),
    ("api.precedents", "/api/v1/precedents", "everybody", 200, None),
    ("api.server_dice", "/api/v1/dice", "everybody", 200, None),
)

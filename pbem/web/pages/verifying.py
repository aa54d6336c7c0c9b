"""The verifier for everybody: one page that checks an export in the reader's browser and contacts no server."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from importlib import resources

from flask import Blueprint, Response, render_template
from flask.typing import ResponseReturnValue

from pbem.matches import dice_totals
from pbem.web.http.viewer import the_server

bp = Blueprint("verifying", __name__)


@cache
def page() -> tuple[bytes, str]:
    """The verifier page, with a policy that lets only its own script run: no connections, no other files."""
    content = (resources.files("pbem.web") / "static" / "verify.html").read_bytes()
    pieces = [re.search(rf"<{tag}>(.*?)</{tag}>".encode(), content, re.S) for tag in ("script", "style")]
    script, style = (_digest(piece[1]) if piece else "" for piece in pieces)
    policy = (
        f"default-src 'none'; script-src 'sha256-{script}'; style-src 'sha256-{style}'; "
        "connect-src 'none'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'"
    )
    return content, policy


def _digest(content: bytes) -> str:
    return base64.b64encode(hashlib.sha256(content).digest()).decode()


@bp.get("/verify")
def verify() -> Response:
    """Show the verifier; saved to disk it works without a network."""
    content, policy = page()
    response = Response(content, mimetype="text/html")
    response.headers["Content-Security-Policy"] = policy
    return response


@bp.get("/dice")
def dice() -> ResponseReturnValue:
    """Test all dice of the server, and show the result to everybody."""
    return render_template("web/server_dice.html", **dice_totals.figures(the_server()))

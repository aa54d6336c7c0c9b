"""Sign-in: a session's secret in a signed cookie, its hash in the database, so that sessions can be ended."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from flask import g, request, session

from pbem.matches.accounts import accounts, preferences, sessions
from pbem.matches.accounts.accounts import Account
from pbem.matches.accounts.preferences import Profile
from pbem.matches.clock import deadlines
from pbem.matches.clock.deadlines import HOUR, SECOND
from pbem.web.http.viewer import the_server

WORD = "word"
BROWSERS = ("Edg", "OPR", "Firefox", "Chrome", "Safari", "curl")
"""The words that identify browsers in a User-Agent, the more specific ones first."""
NAMES = {"Edg": "Edge", "OPR": "Opera"}
SYSTEMS = ("Android", "iPhone", "iPad", "Windows", "Mac OS X", "Linux")


def recognise() -> None:
    """Find out who is signed in; a session that was ended elsewhere is over here too."""
    g.session = g.account = None
    word = session.get(WORD)
    if word is None:
        return
    server = the_server()
    g.session = sessions.find(server, word)
    if g.session is None:
        session.clear()
        return
    g.account = accounts.account(server, g.session.account)
    if deadlines.now(server) - g.session.seen_at >= HOUR:
        session.modified = True  # the cookie gets its full time again


def start_session(account: Account) -> None:
    """Start a new session for this account, with nothing left over from an earlier one."""
    server = the_server()
    end_session()
    word = sessions.start(server, account.id, describe_browser(request.user_agent.string))
    session[WORD], session.permanent = word, True
    g.account, g.session = account, sessions.find(server, word)


def end_session() -> None:
    if g.session is not None:
        sessions.end(the_server(), g.session.account, g.session.id)
    session.clear()
    g.account = g.session = None


def reader() -> Profile:
    """Return the reader's preferences, or the server's defaults."""
    if "reader" not in g:
        g.reader = preferences.profile(the_server(), g.account.id) if g.get("account") else Profile()
    found: Profile = g.reader
    return found


def zone() -> str:
    return reader().zone


def language() -> str:
    """The language in which the reader wants dates; the pages themselves are in English."""
    return reader().language


def instant(at: int) -> str:
    """A point in time, formatted for the reader."""
    here = datetime.fromtimestamp(at // SECOND, ZoneInfo(zone()))
    return f"{here:%a %-d %b %Y, %H:%M} {here.tzname()}"


def describe_browser(agent: str) -> str:
    """Describe a browser, such as `Firefox on Linux`, from its User-Agent."""
    browser = next((name for name in BROWSERS if name in agent), "")
    system = next((name for name in SYSTEMS if name in agent), "")
    said = " on ".join(filter(None, (NAMES.get(browser, browser), system.replace("Mac OS X", "Mac"))))
    return said or "a browser"

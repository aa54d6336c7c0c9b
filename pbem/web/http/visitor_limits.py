"""Rate limits for visitors: by source, and by account or address."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

from flask import g, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import TooManyRequests

from pbem.engine.text.messages import Message, say, say_n
from pbem.matches.accounts import rate_limits
from pbem.matches.accounts.rate_limits import Limit
from pbem.matches.clock.deadlines import HOUR, MINUTE, SECOND
from pbem.web.http.viewer import the_server

P = ParamSpec("P")

LIMITS = {
    limit.name: limit
    for limit in (
        Limit("links of a visitor", 20, HOUR),
        Limit("links to an address", 5, HOUR),
        Limit("passwords of a visitor", 30, HOUR),
        Limit("passwords for an address", 10, HOUR),
        Limit("orders", 120, 10 * MINUTE),
        Limit("checks", 600, 10 * MINUTE),
        Limit("previews", 3000, 10 * MINUTE),
        Limit("questions", 120, 10 * MINUTE),
        Limit("words", 60, 10 * MINUTE),
        Limit("matches", 20, HOUR),
        Limit("invitations", 30, HOUR),
        Limit("addresses", 10, HOUR),
        Limit("account", 60, HOUR),
        Limit("guests", 60, HOUR),
        Limit("files", 60, 10 * MINUTE),
    )
}


def spend(name: str, who: str) -> None:
    """Count one act; a visitor who exceeds the limit is told how long to wait."""
    wait = rate_limits.take(the_server(), LIMITS[name], who)
    if wait:
        seconds = -(-wait // SECOND)
        raise TooManyRequests(
            say("You have done this too often. Try again in {time}.", time=in_words(seconds)),  # type: ignore[arg-type]
            retry_after=seconds,
        )


def in_words(seconds: int) -> Message:
    if seconds < 90:
        return say_n("{n} second", "{n} seconds", n=seconds)
    return say_n("{n} minute", "{n} minutes", n=-(-seconds // 60))


def visitor() -> str:
    """The source address of a request; `create_app(proxies=…)` takes it from our own proxies."""
    return request.remote_addr or ""


def limit_rate(name: str) -> Callable[[Callable[P, ResponseReturnValue]], Callable[P, ResponseReturnValue]]:
    """Limit how often an account, or a visitor without one, may do this."""

    def decorate(act: Callable[P, ResponseReturnValue]) -> Callable[P, ResponseReturnValue]:
        @wraps(act)
        def counted(*args: P.args, **kwargs: P.kwargs) -> ResponseReturnValue:
            spend(name, g.account.id if g.account is not None else visitor())
            return act(*args, **kwargs)

        return counted

    return decorate

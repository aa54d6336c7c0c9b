"""The site: what a player sees and does in a browser. It only translates; `pbem.matches` decides.

    app        create_app: settings, security headers, error pages
    looking    who looks at which match, as which viewer
    pictures   maps as stored bytes, keyed by the hash of a view
    stories    findings as trees of sentences that unfold
    lobby      all matches, a new match, a game at once against a bot
    match      one match: page, map, status, orders, receipts, export
    turns      reports and replay
    door       sign in, invitations, links in mails
    mailbox    outgoing mail kept here, in a demonstration
    master     the game master's desk
    health     the condition of the server
    feeds      deadlines as a calendar, a match as a feed
    platoon    the platoon builder of TANKS
    api        the JSON API; operations (how it works), schemas (its shapes)
"""

from typing import Any

from flask import Flask

from pbem.matches.house import House
from pbem.web import api, app, feeds, health, master, platoon


def create_app(house: House, **settings: Any) -> Flask:
    """The whole site of a house; its settings are those of `app.create_app`."""
    site = app.create_app(house, **settings)
    site.register_blueprint(master.bp)
    site.register_blueprint(feeds.bp)
    site.register_blueprint(platoon.bp)
    health.add_to(site)
    api.add_to(site)
    return site


__all__ = ["create_app"]

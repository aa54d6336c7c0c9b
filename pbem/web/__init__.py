"""The site: what a player sees and does in a browser. It only translates; `pbem.matches` decides.

app        create_app: settings, security headers, error pages
entry      who is signed in, and in which zone he reads the clock
limits     how often visitors may do things
inputs     the shape of what a browser sends
looking    who looks at which match, as which viewer
stored     answers as stored bytes, as long as nothing is added to what they tell of
pictures   maps as stored bytes, keyed by the hash of a view
stories    findings as trees of sentences that unfold
derivation how the dice of an exchange came about
lobby      all matches, players, a game at once against a bot
creating   a new match
match      one match: page, map, status, orders, receipts, export
planning   unit sheets and lines of sight, for whoever makes up his mind
talk       letters, more time, standing orders, disputes, agreed ends; table (what lies on it)
turns      reports, replay, statistics of the dice
door       sign in, invitations, links in mails
account    one's own account: addresses, preferences, sessions, tokens, data, deletion
mailbox    outgoing mail kept here, in a demonstration
master     the game master's desk
health     the condition of the server
feeds      deadlines as a calendar, a match as a feed
platoon    the platoon builder of TANKS
api        the JSON API; api_table, api_account; operations (how it works), schemas (its shapes)
bench      what the site costs
"""

from typing import Any

from flask import Flask

from pbem.matches.house import House
from pbem.web import api, app, feeds, health, language, master, platoon


def create_app(house: House, **settings: Any) -> Flask:
    """The whole site of a house; its settings are those of `app.create_app`."""
    site = app.create_app(house, **settings)
    site.register_blueprint(master.bp)
    site.register_blueprint(feeds.bp)
    site.register_blueprint(platoon.bp)
    site.register_blueprint(language.bp)
    health.add_to(site)
    api.add_to(site)
    return site


__all__ = ["create_app"]

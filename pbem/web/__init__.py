"""The website for players. It only translates between browsers and requests; `pbem.matches` decides.

http        app, entry (who is signed in), viewer (who looks at which match), inputs, rate_limits, stored,
            pictures (maps as stored bytes)
pages.tournaments  public, director (the board), files (for other programs)
pages       lobby, creating, sign_in, account, mailbox, master, feeds, language, guide, campaigns,
            titles (pages that titles provide)
pages.operating  health, moderation, legal (terms and privacy)
pages.match page, planning, turns, talk, table, stories (findings as trees of sentences), derivation (dice)
api         routes, table, account; operations (how the API works), schemas (its shapes)
"""

from typing import Any

from flask import Flask

from pbem.matches.server import Server
from pbem.web.api import routes
from pbem.web.http import app
from pbem.web.http.viewer import the_server
from pbem.web.pages import campaigns, disputes, feeds, guide, language, master, titles
from pbem.web.pages.match import lines, questions
from pbem.web.pages.operating import health, legal, moderation
from pbem.web.pages.tournaments import director, files, public


def create_app(server: Server, **settings: Any) -> Flask:
    """Create the whole site of a server; it takes the settings of `app.create_app`."""
    site = app.create_app(server, **settings)
    site.register_blueprint(master.bp)
    site.register_blueprint(disputes.bp)
    site.register_blueprint(lines.bp)
    site.register_blueprint(questions.bp)
    site.register_blueprint(feeds.bp)
    site.register_blueprint(titles.bp)
    site.context_processor(lambda: {"title_pages": lambda title="": titles.links(the_server(), title)})
    site.register_blueprint(language.bp)
    site.register_blueprint(guide.bp)
    for module in (public, director, files, campaigns, moderation, legal):
        site.register_blueprint(module.bp)
    health.add_to(site)
    routes.add_to(site)
    return site


__all__ = ["create_app"]

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
"""

from pbem.web.app import create_app

__all__ = ["create_app"]

"""Replies to emails about tournaments: confirm, enter, bye, withdraw, standings; one request, in the first line.

The reply address carries a token for the account and the tournament. An email from an address that is not the
account's changes nothing: the account is told to use its own address or the page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.rules.refusals import Objection, Refusal, Unreadable
from pbem.engine.text.messages import Message, Several, say, several
from pbem.matches.accounts import accounts
from pbem.matches.post import inbox, reply_tokens
from pbem.matches.post.reply_tokens import Token
from pbem.matches.server import Server
from pbem.tournaments import entries, stream
from pbem.tournaments.files.tables import points
from pbem.tournaments.ranking.standings import standings

if TYPE_CHECKING:
    from pbem.mail.inbound.handle import Case

REQUESTS = ("confirm", "enter", "bye 3", "withdraw", "standings")


def token_for(server: Server, account: str, id: str) -> str:
    """Return the token that lets an account answer emails about a tournament."""
    row = server.database.execute("SELECT rowid FROM tournaments WHERE id = ?", (id,)).fetchone()
    return reply_tokens.make(server, use="tournament", account=account, number=int(row[0])) if row else ""


def tournament_of(server: Server, token: Token) -> str:
    stream.catch_up(server)
    row = server.database.execute("SELECT id FROM tournaments WHERE rowid = ?", (token.number,)).fetchone()
    if row is None:
        raise reply_tokens.NotValid
    return str(row[0])


def carry_out(server: Server, id: str, account: str, text: str) -> Message | Several:
    """Carry out the first line of a reply; return what was done, in words."""
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    word, _, rest = line.partition(" ")
    word, rest = word.strip(".,:!").lower(), rest.strip()
    if word == "confirm":
        entries.confirm(server, id, account)
        return say("Your entry is confirmed.")
    if word == "enter":
        own = entries.enter(server, id, account).by_account(account)
        waits = own is not None and own.state == "waiting"
        return say("You are on the waiting list.") if waits else say("You have entered.")
    if word == "withdraw":
        entries.withdraw(server, id, account, rest[:200])
        return say("You have withdrawn.")
    if word == "bye" and rest.isdecimal():
        entries.ask_bye(server, id, account, int(rest))
        return say("Your bye in round {round} is noted.", round=rest)
    if word == "standings":
        rows = standings(stream.read(server, id))[:20]
        if not rows:
            return say("There are no entrants yet.")
        return several((f"{row.place}. {row.name}: {points(row.points)}" for row in rows), "lines")
    raise Unreadable(
        line[:60], [Objection("tournament/mail", say("this is not a request that the server understands"))], REQUESTS
    )


def reply(case: Case, token: Token) -> None:
    """Handle a reply: carry out or refuse its one request, and answer it."""
    from pbem.mail.inbound import handle

    server, account = case.server, accounts.account(case.server, token.account)
    if inbox.is_repeated(server, case.mail.id, account.id, case.letter.message_id, case.letter.digest):
        return handle.finish(case, inbox.REPEATED, "the same mail came before", account=account.id)
    id = tournament_of(server, token)
    if doubt := handle.foreign(case.letter, account):
        text = say(
            "Nothing was done: {doubt}. Write from your own address, or use the page of the tournament.", doubt=doubt
        )
        about = {"tournament": id, "text": text}
        return handle.answer(case, "tournament-answer", inbox.REFUSED, str(doubt), account, about)
    state = inbox.APPLIED
    try:
        done = carry_out(server, id, account.id, case.letter.text)
    except Refusal as refusal:
        done, state = say("Nothing has changed: {problem}", problem=refusal.message), inbox.REFUSED
    about = {"tournament": id, "text": done}
    return handle.answer(case, "tournament-answer", state, "", account, about)

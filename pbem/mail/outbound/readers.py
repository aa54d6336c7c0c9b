"""Facts for emails to an account: invitations, all of its seats, help, addresses, sign-in links."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.engine.rules.findings import PUBLIC
from pbem.engine.rules.primer import Primer
from pbem.engine.rules.title import Wording
from pbem.engine.text.messages import Name, say, several
from pbem.mail.outbound.drafts import Draft
from pbem.mail.outbound.seats import orders_token, seat_facts
from pbem.matches import summaries, views
from pbem.matches.accounts import accounts, preferences
from pbem.matches.accounts.operators import operators
from pbem.matches.clock.causes import span_in_words
from pbem.matches.clock.deadline_rules import agreed_in_words
from pbem.matches.clock.deadlines import timing_of
from pbem.matches.exchange import advancing
from pbem.matches.history.replay import record_of
from pbem.matches.names import seat_name, title_name
from pbem.matches.players import invitations
from pbem.matches.post import inbox, reply_tokens
from pbem.matches.server import Server
from pbem.matches.views import Status


def invitation_facts(draft: Draft) -> None:
    offered = invitations.invitation(draft.server, draft.owed.match, draft.owed.about["number"])
    draft.to, draft.token = offered.address, offered.token
    known = accounts.by_address(draft.server, offered.address)
    draft.facts |= {
        "shown": accounts.default_name(offered.address) if known is None else known.name,
        "match": views.status(draft.server, offered.match, PUBLIC),
        "agreed": agreed_in_words(timing_of(record_of(draft.server, offered.match))),
        "sealed": record_of(draft.server, offered.match).opens == "never",
        "inviter": inviter(draft.server, offered),
        "game": title_name(draft.server, record_of(draft.server, offered.match).created.title),
        "seat": offered.seat,
        "link": draft.settings.link(f"invitations/{offered.token}"),
    }


def inviter(server: Server, offered: invitations.Invitation) -> Wording:
    """Return who sent the invitation: the inviting account, otherwise the match's players or its game master."""
    record = record_of(server, offered.match)
    if offered.by:
        return accounts.account(server, offered.by).name
    seated = [accounts.account(server, taken["account"]).name for taken in record.occupants.values()]
    master = record.created.master
    if seated:
        return several(seated)
    return accounts.account(server, master).name if master else say("The operator of this server")


def confirm_facts(draft: Draft) -> None:
    """Show the held orders to the account alone; a reply to this email confirms them."""
    seat_facts(draft)
    held = inbox.get(draft.server, draft.owed.about["inbound"])
    assert held is not None
    occupancy = record_of(draft.server, held.match).occupants[held.seat]["occupancy"]
    draft.token = reply_tokens.make(
        draft.server, use="confirm", match=held.match, number=held.id, seat=held.seat, occupancy=occupancy
    )
    draft.facts |= {"lines": held.about["text"].splitlines(), "form": None}
    draft.facts["link"] = draft.settings.link(f"confirm/{draft.token}")


def places(draft: Draft) -> Iterator[tuple[str, str, Status]]:
    """List the reader's seats in running matches. A match that cannot be read is left out."""
    summaries.catch_up(draft.server)
    for match, seat in summaries.seats_now(draft.server, draft.owed.account):
        with advancing.safely(match, "it is missing from an email"):
            yield match, seat, views.status(draft.server, match, seat)


def help_facts(draft: Draft) -> None:
    """List the reader's seats with the addresses for their orders, and the order language of a title."""
    server, seats = draft.server, []
    for match, seat, status in places(draft):
        address = draft.settings.address(orders_token(server, match, seat, status.exchange))
        seats.append({"match": status, "seat": seat, "address": address})
    draft.facts |= {
        "seats": seats,
        "language": "",
        "standing_orders": "",
        "primer": Primer(),
        **language(draft),
    }


def language(draft: Draft) -> dict[str, Any]:
    """Explain how to write orders and standing orders in a match, with the title's primer if it has one."""
    server, speak = draft.server, draft.facts["translator"]
    if not draft.owed.match:
        return {}
    created = record_of(server, draft.owed.match).created
    rules = server.rules(created.title, created.blobs)
    said = {"language": "help", "standing_orders": "standing_orders"}
    title = server.titles.get(created.title)
    words = {name: speak(getattr(rules, method, str)()) for name, method in said.items()}
    return {**words, "primer": title.primer().translate(speak) if title is not None else Primer()}


def digest_facts(draft: Draft) -> None:
    """For each of the reader's seats, list the events since the last digest, and the decisions to make.

    If only one match needs orders, a reply to this email is for that match.
    """
    overview_facts(draft)
    server, account = draft.server, draft.owed.account
    told: dict[tuple[str, str], list[views.Report]] = {}
    for owed in preferences.collected_notifications(server, account, draft.owed):
        if owed.kind == "report":
            with advancing.safely(owed.match, "its report is missing from an email"):
                told.setdefault((owed.match, owed.seat), []).append(
                    views.report(server, owed.match, owed.seat, owed.exchange)
                )
    wanted = []
    for place in draft.facts["seats"]:
        status, seat = place["match"], place["seat"]
        place |= {"reports": told.get((status.match, seat), []), "form": None}
        if status.mine and status.mine.asked and not status.mine.sealed:
            place["form"] = views.open_form(server, status.match, seat, translator=draft.facts["translator"])
            place["token"] = orders_token(server, status.match, seat, status.exchange)
            place["address"] = draft.settings.address(place["token"])
            wanted.append(place)
    draft.facts["wanted"] = wanted
    if len(wanted) == 1:
        draft.token = wanted[0]["token"]


def outage_facts(draft: Draft) -> None:
    """Say what happened to the deadlines, and which deadlines count now."""
    overview_facts(draft)
    jump = draft.owed.about.get("jump", 0)
    draft.facts |= {"jump": jump, "clock_set_by": span_in_words(abs(jump))}


def overview_facts(draft: Draft) -> None:
    """List the reader's seats in running matches."""
    draft.facts["seats"] = [
        {"match": status, "seat": seat, "link": draft.settings.link(f"matches/{match}")}
        for match, seat, status in places(draft)
    ]


def account_facts(draft: Draft) -> None:
    """Answer an account's commands; a reply to this email may contain more of them."""
    draft.token = reply_tokens.make(draft.server, use="account", account=draft.owed.account)
    draft.facts["text"] = draft.owed.about["text"]


def address_facts(draft: Draft) -> None:
    """Add the facts for an email that asks the owner of an address to confirm it."""
    number = draft.owed.about["number"]
    draft.to = preferences.asked_address(draft.server, draft.owed.account, number)
    word = preferences.address_token(draft.server, draft.owed.account, number)
    draft.facts["link"] = draft.settings.link(f"addresses/{word}")


def sign_in_facts(draft: Draft) -> None:
    word = reply_tokens.make_sign_in(draft.server, draft.owed.account)
    draft.facts["link"] = draft.settings.link(f"sign-in/{word}")


def returned_facts(draft: Draft) -> None:
    """Add the facts for an email to a game master, which contains only public information."""
    draft.facts["match"] = views.status(draft.server, draft.owed.match, PUBLIC)
    draft.facts["link"] = draft.settings.link(f"matches/{draft.owed.match}")
    draft.facts["head"] = record_of(draft.server, draft.owed.match).events[-1].hash
    draft.facts.setdefault("judge", 0)


def press_report_facts(draft: Draft) -> None:
    """Add a letter that a player has reported, for the game master and the operators."""
    returned_facts(draft)
    owed, link = draft.owed, draft.settings.link
    draft.facts["is_operator"] = owed.account in operators(draft.server)
    draft.facts["is_master"] = owed.account == record_of(draft.server, owed.match).created.master
    draft.facts |= {"moderation": link("moderation"), "desk": link(f"matches/{owed.match}/master")}


def alert_facts(draft: Draft) -> None:
    """List what needs an operator's attention."""
    draft.facts["link"] = draft.settings.link("health")


def notice_facts(draft: Draft) -> None:
    """Notify a game master of something public that may need their attention."""
    returned_facts(draft)
    said = draft.owed.about
    seat = seat_name(draft.server, said.get("seat", ""))
    missing = several([Name(seat_name(draft.server, one)) for one in said.get("seats", ())])
    words = {
        "halted": (
            say("the match is halted"),
            say("The turn could not be played. Nothing is lost: it will be played when the fault is fixed."),
        ),
        "missed": (
            say("{seats} missed the deadline", seats=missing),
            say("{seats} sent no orders in time. The match continues according to its settings.", seats=missing),
        ),
        "forfeited": (
            say("{seat} has forfeited", seat=seat),
            say("{seat} missed too many deadlines.", seat=seat),
        ),
        "ended": (say("the match is over"), said.get("outcome", "")),
    }
    what, sentence = words[said["notice"]]
    draft.facts |= {"what": what, "sentence": sentence, "over": said["notice"] == "ended"}

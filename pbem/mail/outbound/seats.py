"""Facts for emails to a seat: the state of its match, reports, forms, receipts, press."""

from __future__ import annotations

import msgspec

from pbem.engine.rules.findings import MASTER
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.title import Wording
from pbem.engine.text.messages import Message, say
from pbem.mail.outbound import attachments, turn_mail
from pbem.mail.outbound.drafts import Draft
from pbem.matches import views
from pbem.matches.audit import lines_of_play
from pbem.matches.clock import absences, stakes
from pbem.matches.clock.deadlines import timing_of
from pbem.matches.film.turns import film_until, film_with
from pbem.matches.history.replay import record_of
from pbem.matches.names import seat_word, title_name
from pbem.matches.players import drafts, press, sizes, standing_orders
from pbem.matches.post import reply_tokens
from pbem.matches.post.outbox import Owed
from pbem.matches.rulings import disputes
from pbem.matches.server import Server
from pbem.matches.views import Form

MOST_PLACES = 12
"""The most lines of unit positions in the first email of a match."""
MOST_TRIED = 40
"""The most decisions of a standing-orders trial that an email reports."""


def seat_facts(draft: Draft) -> None:
    """Add the state of the match for the reader's seat, and a reply token for the open exchange."""
    server, owed = draft.server, draft.owed
    status = views.status(server, owed.match, owed.seat)
    record = record_of(server, owed.match)
    taken = record.occupants.get(owed.seat)
    mine = taken is not None and taken["account"] == owed.account
    resolved = record.resolved
    if mine and taken is not None and status.state not in ("over", "seats"):
        draft.token = orders_token(server, owed.match, owed.seat, status.exchange)
    draft.facts |= {
        "match": status,
        "game": title_name(server, status.title),
        "seat": owed.seat,
        "form": open_form(draft, is_written=owed.kind != "receipt") if mine else None,
        "head": resolved[-1].resolved.hash if resolved and resolved[-1].resolved else "",
        "stakes": what_happens(server, owed, status.exchange) if mine else "",
        "link": draft.settings.link(f"matches/{owed.match}"),
        "opened": record.opened is not None,
        "opens": record.opens,
    }


def what_happens(server: Server, owed: Owed, exchange: int) -> Message:
    """Say what happens at the deadline if no orders come: the reader's draft is sealed, or the settings apply."""
    written = drafts.draft_of(server, owed.match, owed.seat, owed.account, exchange)
    if written is not None and written.at_deadline:
        return say("Your draft will be sealed at the deadline, as you asked, unless you send other orders first.")
    return stakes.sentence(record_of(server, owed.match), owed.seat)


def status_facts(draft: Draft) -> None:
    """Add the state of the match, with the seat's standing orders and upcoming absences."""
    seat_facts(draft)
    record = record_of(draft.server, draft.owed.match)
    mine = record.occupants.get(draft.owed.seat, {}).get("account") == draft.owed.account
    standing = standing_orders.doctrine_text(draft.server, draft.owed.match, draft.owed.seat) if mine else ""
    mates = views.mates(draft.server, record, draft.owed.seat) if mine else []
    draft.facts |= {"standing": standing, "away": absences.in_sentences(draft.server, record), "mates": mates}
    if mine and not draft.owed.about.get("brief"):
        place_facts(draft, draft.facts["match"].last)


def place_facts(draft: Draft, exchange: int) -> None:
    """Add how the match stands after an exchange: the headline of its turn, and the positions."""
    draft.facts["places"] = []
    film = film_with(draft.server, draft.owed.match, draft.owed.seat, exchange)
    if film is not None:
        rules = attachments.rules_of(draft)
        places, complete = turn_mail.places_of(film, rules, MOST_PLACES, draft.facts["translator"])
        draft.facts |= {"places": places, "headline": film.summary.headline}
        draft.facts["positions"] = [] if complete else list(turn_mail.positions(film, rules))


def open_form(draft: Draft, *, is_written: bool = True) -> Form | None:
    """The form for the reader, with comments in their language; None if they have no decision to make."""
    owed, speak = draft.owed, draft.facts["translator"]
    try:
        return views.open_form(draft.server, owed.match, owed.seat, is_written=is_written, translator=speak)
    except Refusal:
        return None


def receipt_facts(draft: Draft) -> None:
    """Restate the sealed orders as we read them."""
    seat_facts(draft)
    receipt = views.receipt(draft.server, draft.owed.match, draft.owed.about["commitment"])
    reading = views.reading(draft.server, draft.owed.match, receipt)
    lines = sizes.repeated_lines(draft.server, draft.owed.match, draft.owed.seat, reading.lines)
    draft.facts |= {"receipt": receipt, "reading": msgspec.structs.replace(reading, lines=lines)}
    draft.facts["ahead"] = list(map(draft.facts["translator"], reading.ahead))
    draft.facts.setdefault("note", "")


def report_facts(draft: Draft) -> None:
    """Add the exchange's findings for this seat, and the order form unless a later email brings a newer one."""
    seat_facts(draft)
    owed, status = draft.owed, draft.facts["match"]
    draft.facts["report"] = views.numbered_report(draft.server, owed.match, owed.seat, owed.exchange)
    fates = drafts.fates(draft.server, owed.match, owed.seat, owed.account, [owed.exchange])
    draft.facts["draft_fates"] = list(map(draft.facts["translator"], fates))
    draft.facts["goes_on"] = views.is_unfinished(record_of(draft.server, owed.match), owed.exchange)
    if status.last != owed.exchange:
        draft.facts["form"] = None
    draft.film = film_until(draft.server, owed.match, owed.seat, owed.exchange)
    draft.picture = attachments.picture(draft, owed.exchange, draft.film)


def first_facts(draft: Draft) -> None:
    """Add the facts for the first email of a match, with the title's briefing if it has one."""
    report_facts(draft)
    draft.facts["briefing"] = briefing(draft.server, draft.owed)
    place_facts(draft, draft.owed.exchange)


def briefing(server: Server, owed: Owed) -> Wording:
    """The situation and the victory conditions, for a seat."""
    created = record_of(server, owed.match).created
    brief = getattr(server.rules(created.title, created.blobs), "briefing", None)
    found: Wording = brief(owed.seat) if brief is not None else ""
    return found


def missed_facts(draft: Draft) -> None:
    """Say how to make up for a missed deadline while the exchange is open; afterwards, add its report."""
    record = record_of(draft.server, draft.owed.match)
    draft.facts |= {"policy": timing_of(record).missed, "open": draft.owed.about.get("open", False)}
    missing = draft.owed.about.get("missing", [])
    draft.facts["missing"] = missing
    draft.facts["others"] = [
        stakes.sentence_for_others(record, seat, seat_word(draft.server, seat)) for seat in missing
    ]
    if draft.facts["open"]:
        seat_facts(draft)
    else:
        report_facts(draft)


def story_facts(draft: Draft) -> None:
    """Add the last exchanges, the state of the match and the map, for a returning or new player."""
    seat_facts(draft)
    owed, last = draft.owed, draft.facts["match"].last
    draft.facts["story"] = views.story(draft.server, owed.match, owed.seat)
    draft.facts["briefing"] = briefing(draft.server, owed) if owed.kind == "joined" else ""
    draft.picture = attachments.picture(draft, last)


def history_facts(draft: Draft) -> None:
    """Repeat the report of an exchange."""
    seat_facts(draft)
    number = draft.owed.about["number"] or draft.facts["match"].last
    draft.facts["report"] = views.numbered_report(draft.server, draft.owed.match, draft.owed.seat, number)
    draft.film = film_until(draft.server, draft.owed.match, draft.owed.seat, number)
    draft.picture = attachments.picture(draft, number, draft.film)


def trial_facts(draft: Draft) -> None:
    """Add how standing orders would have answered in past turns."""
    seat_facts(draft)
    clauses = standing_orders.clauses_in(draft.owed.about["text"])
    found = standing_orders.trial(draft.server, draft.owed.match, draft.owed.seat, clauses)
    draft.facts |= {"clauses": clauses, "tried": [standing_orders.trial_in_words(one) for one in found[-MOST_TRIED:]]}
    draft.facts["earlier"] = max(0, len(found) - MOST_TRIED)


def map_facts(draft: Draft) -> None:
    """Add the map as a picture, and in words for readers who cannot see it."""
    seat_facts(draft)
    draft.facts["words"] = attachments.map_in_words(draft, draft.facts["match"].last)
    draft.picture = attachments.picture(draft, draft.facts["match"].last)
    draft.facts["drawn"] = draft.picture is not None


def press_facts(draft: Draft) -> None:
    """Add a letter as this reader is allowed to see it."""
    seat_facts(draft)
    record, version = record_of(draft.server, draft.owed.match), draft.owed.about["version"]
    letter = press.read(draft.server, record.events[version - 1], draft.owed.seat or MASTER)
    draft.facts["letter"] = letter or press.Letter("somebody", [], "This letter was erased.")


def dispute_facts(draft: Draft) -> None:
    """Add a dispute for the game master, or its decision for all players."""
    seat_facts(draft)
    record, number = record_of(draft.server, draft.owed.match), draft.owed.about["number"]
    viewer = draft.owed.seat or MASTER
    draft.facts["disputed"] = disputes.text_of(draft.server, record, number, viewer)
    found = next(one for one in disputes.disputes(record) if one.number == number)
    said = disputes.statements(draft.server, record, number, viewer)
    draft.facts |= {"place": found.named, "rule": found.rule, "verdict": found.verdict, "sentences": []}
    if not draft.owed.seat:
        told = lines_of_play.disputed_sentences(draft.server, draft.owed.match, found)
        draft.facts["sentences"] = [one for one in told if one.depth == told[0].depth]  # without the findings below
    draft.facts["newest"] = said[-1].text if said else ""
    draft.facts["panel"] = len(found.panel)
    for name in ("answer", "new", "by_seat", "judge"):
        draft.facts.setdefault(name, draft.owed.about.get(name, ""))


def orders_token(server: Server, match: str, seat: str, exchange: int) -> str:
    occupancy = record_of(server, match).occupants[seat]["occupancy"]
    return reply_tokens.make(server, use="orders", match=match, seat=seat, number=exchange, occupancy=occupancy)

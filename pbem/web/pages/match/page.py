"""One match: its page, its map, its status, orders, receipts, the export."""

from __future__ import annotations

import threading
import time
from typing import Any

import msgspec
from flask import Blueprint, Response, abort, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from pbem.engine.play.resolve import ANSWERED
from pbem.engine.rules.findings import PUBLIC
from pbem.engine.rules.refusals import Refusal, each
from pbem.engine.rules.title import Submission
from pbem.engine.text.messages import Message, say
from pbem.engine.text.sheets import Advising
from pbem.matches import views
from pbem.matches.accounts import accounts
from pbem.matches.clock import deadlines
from pbem.matches.events import OrderSealed, content_as
from pbem.matches.exchange import progress, sealing, submitting
from pbem.matches.exchange.checks import free_seats
from pbem.matches.exchange.seats import take_seat
from pbem.matches.film import turns
from pbem.matches.film.turns import Film
from pbem.matches.history import beacons
from pbem.matches.history.export import export
from pbem.matches.history.final_views import KeptRules
from pbem.matches.history.receipts import Receipt
from pbem.matches.history.record import Record
from pbem.matches.history.replay import record_of, stream_of
from pbem.matches.names import seat_word
from pbem.matches.players import drafts, invitations, substitutes
from pbem.matches.players.foresight import ahead
from pbem.matches.players.openings import offered_seats
from pbem.matches.rulings import powers, precedents
from pbem.matches.views import Report, seats_asked
from pbem.web.api.operations import as_data
from pbem.web.http.inputs import LONGEST_ORDERS, InvitationSchema, OrdersSchema, read_form
from pbem.web.http.pictures import picture_of, words_of
from pbem.web.http.speech import announce, translator, words
from pbem.web.http.stored import page as stored_page
from pbem.web.http.stored import send
from pbem.web.http.viewer import Look, look, not_found, seat_required, signed_in, the_server
from pbem.web.http.visitor_limits import limit_rate
from pbem.web.pages.match.formations import formations_of, verbs_of
from pbem.web.pages.match.planning import carried_by, roll_call
from pbem.web.pages.match.review import last_word, review_of
from pbem.web.pages.match.stories import Sentence, story
from pbem.web.pages.match.table import on_the_table
from pbem.web.pages.newcomers.lessons import lesson_of
from pbem.web.pages.titles import links_of_match

bp = Blueprint("match", __name__, url_prefix="/matches/<match>")

PATIENCE = 0.7
"""The most seconds that a request waits for the turn that it has started."""
FIRST_PAUSE = 0.05
WAITING = threading.BoundedSemaphore(2)
"""How many requests may wait for a turn at the same time."""

BRIEF = 30
"""The most sentences of the latest report on the match page; the report itself has all."""


# The page ----------------------------------------------------------------------------------------------------


@bp.get("")
def page(match: str) -> ResponseReturnValue:
    return stored_page(
        lambda: streams_of(look(match)), lambda: show(look(match), **brought()), precedents.newest(the_server())
    )


def brought() -> dict[str, str]:
    """Orders that came with the address, as from a builder, to be written into the form but not sealed."""
    orders = request.args.get("orders", "")[:LONGEST_ORDERS]
    return {"orders": orders} if orders else {}


def streams_of(found: Look) -> list[str]:
    """Return the streams behind the page: the match, and the accounts of its players, substitutes and viewer."""
    record = found.position.record
    occupants = [*(taken["account"] for taken in record.occupants.values()), *substitutes.standing_by(record)]
    occupants += filter(None, [record.created.master])
    looking = [g.account.id] if g.account is not None else []
    return [stream_of(found.match), *(accounts.stream_of(account) for account in sorted({*occupants, *looking}))]


def show(found: Look, **more: Any) -> str:
    """The page of a match for one viewer. `more` adds the result of an act on the viewer's orders."""
    server, record = the_server(), found.position.record
    status = views.status(server, found.match, found.seat or PUBLIC)
    report = views.report(server, found.match, found.viewer, status.last) if status.last else None
    form = views.open_form(server, found.match, found.seat, translator=translator()) if found.ask else None
    return render_template(
        "web/match.html",
        look=found,
        status=status,
        form=form,
        lesson=lesson_of(found, status.turn, form.kind if form else ""),
        advised=is_advised(found),
        sights=shows_sights(found),
        units=roll_call(found),
        carried=carried_by(found),
        report=report,
        film=(film := latest_film(found)),
        draft_fates=draft_fates(found, film),
        story=brief(report) if report else [],
        receipt=last_receipt(record, found),
        words=words_of(found),
        free=free_seats(record),
        offered=offered_seats(record),
        created=record.created,
        in_use=found.position.rules.rules_in_use(),
        timing=deadlines.timing_of(record),
        on_hold=deadlines.on_hold(record),
        game_master=name_of_master(record),
        is_master=g.account is not None and powers.is_master(record, g.account.id),
        playing=progress.is_played(record, status.asked),
        beacon=beacons.awaited_round(record),
        table=on_the_table(found),
        draft_protection=drafts.PROTECTION,
        title_links=links_of_match(found),
        formations=formations_of(found),
        many_verbs=verbs_of(found),
        order_language=found.position.rules.help(),
        **more,
    )


def draft_fates(found: Look, film: Film | None) -> list[Message]:
    """What became of the reader's own drafts in a turn."""
    if film is None or g.account is None or not found.is_own:
        return []
    return drafts.fates(the_server(), found.match, found.viewer, g.account.id, film.exchanges)


def latest_film(found: Look) -> Film | None:
    """The film of the latest turn, or None if it has nothing to show."""
    turn = turns.latest(found.position.record)
    own = found.is_own
    shown = turns.film(the_server(), found.match, found.viewer, turn, addressed=own) if turn is not None else None
    return shown if shown is not None and shown.tells else None


def is_advised(found: Look) -> bool:
    """Whether the title of a match offers sheets for its units."""
    rules = found.position.rules
    return rules.advises if isinstance(rules, KeptRules) else isinstance(rules, Advising)


def shows_sights(found: Look) -> bool:
    """Whether the players of a match may look at lines of sight."""
    rules = found.position.rules
    return isinstance(rules, KeptRules) or rules.shows_sights()


def name_of_master(record: Record) -> str:
    return accounts.account(the_server(), record.created.master).name if record.created.master else ""


def brief(report: Report) -> list[Sentence]:
    """Return the report without headings and without automatic answers for the viewer."""
    told = story(report.told, report.rolls)
    return [one for one in told if one.told.rule != ANSWERED and not one.told.heading][:BRIEF]


@bp.get("/status.json")
def status(match: str) -> ResponseReturnValue:
    """The state of the match for this viewer; a poll that finds nothing new gets only a header."""
    found = look(match)
    stand = views.status(the_server(), match, found.seat or PUBLIC)
    playing = progress.is_played(found.position.record, stand.asked)
    far = progress.progress_of(the_server(), match) if playing else None
    more = {"view": found.mark, "playing": playing, "percent": far.percent if far else None}
    content = msgspec.json.encode({**more, **msgspec.to_builtins(stand)}, order="sorted")
    response = Response(content, mimetype="application/json")
    response.add_etag()
    return response.make_conditional(request)


@bp.get("/map.svg")
def map(match: str) -> ResponseReturnValue:
    """The map as stored bytes; the hash of the view identifies it in caches."""
    found = look(match, after=request.args.get("after", None, int))
    picture = picture_of(found)
    if picture is None:
        not_found(say("This title has no map."))
    return send(picture, "image/svg+xml")


# Orders ------------------------------------------------------------------------------------------------------


@bp.post("/orders")
@limit_rate("orders")
@seat_required
def orders(found: Look) -> ResponseReturnValue:
    """Check orders, or seal them, or seal them as final."""
    said = read_form(OrdersSchema())
    act, text, exchange = said["act"], said["orders"], said["exchange"]
    try:
        if act == "check":
            return show(found, orders=text, reading=restate_orders(found, check_orders(found, exchange, text)))
        if act == "final" and not said["reviewed"] and (review := review_text(found, exchange, text, final=True)):
            return show(found, orders=text, review=review)
        taken = submitting.take(
            the_server(), found.match, found.seat, exchange, text, by=g.account.id, final=act == "final", source="web"
        )
    except Refusal as refusal:
        return show(found, orders=text, refusal=refusal), 422
    if taken.receipt is not None:
        if act == "final":
            announce(say("Your orders are sealed. They are final."))
        else:
            announce(say("Your orders are sealed. You can still change them."))
    for done in taken.done:
        announce(done.note or say("The information you asked for ({word}) is on this page.", word=done.word))
    return to_match(found)


@bp.post("/check")
@limit_rate("checks")
@seat_required
def check(found: Look) -> ResponseReturnValue:
    """Check orders for the page's script; while orders are being written, only this result changes on the page.

    Before it seals orders, the script sends `act`; the answer then includes the review.
    """
    said = read_form(OrdersSchema())
    refusals: list[dict[str, Any]] = []
    reading = ""
    spent: dict[str, int] = {}
    try:
        submission = check_orders(found, said["exchange"], said["orders"])
        reading = restate_orders(found, submission)
        spent = commands_spent(found, submission)
    except Refusal as refusal:
        refusals = [as_data(one) for one in each(refusal)]
    asked = {"exchange": said["exchange"], "text": said["orders"], "final": said["act"] == "final"}
    review = review_text(found, **asked) if said["act"] != "check" else []
    result = {"refusals": refusals, "reading": reading, "spent": spent, "review": [words(one) for one in review]}
    content = msgspec.json.encode(result, order="sorted")
    return Response(content, mimetype="application/json")


def review_text(found: Look, exchange: int, text: str, *, final: bool) -> list[Message]:
    """Return the review that a player reads before sealing these orders; nothing if the rules refuse them."""
    if not verbs_of(found):
        return []  # a set-up is never reviewed
    try:
        submission = check_orders(found, exchange, text)
    except Refusal:
        return []
    review = review_of(found, read_back(found, submission), commands_spent(found, submission))
    return [*review, *(last_word(found) if review and final else ())]


def commands_spent(found: Look, submission: Submission) -> dict[str, int]:
    """Return how many commands each formation gives with these orders."""
    return found.position.rules.count_commands(found.view, found.ask, submission) if found.ask is not None else {}


def check_orders(found: Look, exchange: int, text: str) -> Submission:
    """Return how orders are read if they would be accepted; nothing is sealed."""
    lines, _ = submitting.take_final(text)
    return sealing.check_text(found.position, found.seat, exchange, lines)


def restate_orders(found: Look, submission: Submission) -> str:
    """Restate the orders as they were read, in the title's own words if it has any."""
    said = read_back(found, submission)
    leads = ahead(found.position.rules, found.view, found.position.run.ask_of(found.seat), said)
    if not leads:
        return said
    return "\n".join([said.rstrip(), "", words(say("As things stand now:")), *(words(one) for one in leads)])


def read_back(found: Look, submission: Submission) -> str:
    """Return orders in the title's own wording, or as data if the title does not restate orders."""
    ask = found.position.run.ask_of(found.seat)
    assert ask is not None
    return found.position.rules.restate(ask, submission) or msgspec.json.encode(submission).decode()


@bp.post("/final")
@seat_required
def final(found: Look) -> ResponseReturnValue:
    """Make sealed orders final, after a review of the units that would hold."""
    exchange = request.form.get("exchange", 0, int)
    form = (
        views.open_form(the_server(), found.match, found.seat)
        if found.ask and "reviewed" not in request.form
        else None
    )
    if form is not None and (review := review_text(found, exchange, form.sealed, final=True)):
        return show(found, review=review)
    submitting.finalise(the_server(), found.match, found.seat, exchange, by=g.account.id)
    announce(say("Your orders are final."))
    return to_match(found)


@bp.post("/withdraw")
@seat_required
def withdraw(found: Look) -> ResponseReturnValue:
    submitting.withdraw(the_server(), found.match, found.seat, request.form.get("exchange", 0, int), by=g.account.id)
    announce(say("Your orders have been withdrawn. They stay on record but do not count."))
    return to_match(found)


def to_match(found: Look) -> ResponseReturnValue:
    """Return to the top of the match page, in the same seat; if a turn was played meanwhile, its summary is there."""
    await_turn(found.match)
    seat = found.seat if len(found.seats) > 1 else None
    # Without a fragment of its own the address would keep the form's, and the page would stay where the form was.
    return redirect(url_for("match.page", match=found.match, seat=seat, _anchor="top"), 303)


def await_turn(match: str, seconds: float = PATIENCE) -> None:
    """Wait a moment for a turn that is being played, unless others wait already, because pages need threads too."""
    if the_server().later is None or not WAITING.acquire(blocking=False):
        return
    try:
        server, until, pause = the_server(), time.monotonic() + seconds, FIRST_PAUSE
        while time.monotonic() < until:
            record = record_of(server, match)
            if not progress.is_played(record, seats_asked(server, match, record)):
                return
            time.sleep(pause)
            pause *= 1.5  # each check reads the database, and some turns take long
    finally:
        WAITING.release()


# Seats -------------------------------------------------------------------------------------------------------


@bp.post("/seats/<seat>")
@signed_in
def take(match: str, seat: str) -> ResponseReturnValue:
    """Take a free seat without a pending invitation."""
    found = look(match)
    if seat in offered_seats(found.position.record):
        abort(403, say("Another player has been invited to this seat."))
    take_seat(the_server(), match, seat, g.account.id)
    announce(say("You have the seat {seat}.", seat=seat_word(the_server(), seat)))
    await_turn(match)
    return redirect(url_for("match.page", match=match), 303)


@bp.post("/invitations")
@limit_rate("invitations")
def invite(match: str) -> ResponseReturnValue:
    """Offer a free seat to an address."""
    found = look(match)
    check_host(found)
    said = read_form(InvitationSchema())
    invitations.invite(the_server(), match, said["to_seat"], said["address"], by=g.account.id)
    announce(say("The invitation has been sent."))
    return to_match(found)


def check_host(found: Look) -> None:
    """Refuse accounts other than the match's players and game master, because only they may offer seats."""
    if not found.seat and not (g.account and powers.is_master(found.position.record, g.account.id)):
        abort(403, say("Only a player of this match, or its game master, may do that."))


# Downloads --------------------------------------------------------------------------------------------


@bp.get("/receipts")
@seat_required
def receipts(found: Look) -> ResponseReturnValue:
    return render_template("web/receipts.html", look=found, receipts=own_receipts(found))


@bp.get("/receipts/<commitment>.json")
def receipt(match: str, commitment: str) -> ResponseReturnValue:
    """A receipt as a file, for `pbem verify`."""
    found = look(match)
    kept = next((r for r in own_receipts(found) if r.commitment == commitment), None)
    if kept is None:
        not_found(say("You have no such receipt."))
    return as_file(msgspec.json.encode(kept), "application/json", f"receipt-{match}-{kept.exchange}.json")


def own_receipts(found: Look) -> list[Receipt]:
    """All receipts for the viewer's seat, newest first."""
    events = [event for event in found.position.record.events if event.type == OrderSealed.word]
    sealed = [event for event in events if found.seat and content_as(event, OrderSealed).seat == found.seat]
    return [views.receipt(the_server(), found.match, event.parts[0].commitment) for event in reversed(sealed)]


def last_receipt(record: Record, found: Look) -> Receipt | None:
    """The receipt for the orders that the viewer's seat has sealed for the open exchange."""
    sealed = record.sealed.get(found.seat)
    return views.receipt(the_server(), found.match, sealed.parts[0].commitment) if sealed else None


@bp.get("/export")
@limit_rate("files")
def export_match(match: str) -> ResponseReturnValue:
    """The whole chain, with the parts that this viewer may see."""
    found = look(match)
    content = export(the_server(), match, viewer := found.seat or PUBLIC)
    return as_file(content, "application/x-ndjson", f"{match}-{viewer}.ndjson")


@bp.get("/verify")
def verify(match: str) -> ResponseReturnValue:
    """Explain how to check a match without trusting the server, and what that proves."""
    found = look(match)
    return render_template("web/verify.html", look=found, record=found.position.record)


def as_file(content: bytes, kind: str, name: str) -> Response:
    response = Response(content, mimetype=kind)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response

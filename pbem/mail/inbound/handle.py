"""Handle an incoming email: apply it whole or not at all, only once, and answer the account's own address.

The right to act comes from a token; the sender only decides whether the email must be confirmed. Machines are never
answered, and neither are strangers: their address may be forged. Every email ends in one of these states:

    applied     its requests were carried out
    refused     nothing was done, and its account was told why
    held        nothing was done until its account confirms it
    repeated    it had arrived before
    dropped     nothing was done and nobody was notified; the reason is on record
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import msgspec

from eventstore import StoreTrouble, Transaction
from pbem.engine.rules.refusals import Objection, Refusal, Unreadable, each
from pbem.engine.text.messages import Message, Several, say
from pbem.mail import account_commands, judge_replies, master_replies, tournament_replies
from pbem.mail.inbound.bounces import handle_bounce
from pbem.mail.inbound.limits import reason
from pbem.mail.inbound.message import Letter, codes_in, read_addresses, read_letter
from pbem.mail.inbound.reply_difference import (
    difference,
    may_be_orders,
    same_lines,
    with_typed,
    without_sign_off,
    words_of,
)
from pbem.mail.inbound.reply_text import TooMuch
from pbem.mail.settings import Settings
from pbem.matches import summaries
from pbem.matches.accounts import accounts, rate_limits
from pbem.matches.accounts.accounts import Account
from pbem.matches.accounts.rate_limits import Limit
from pbem.matches.clock.deadlines import HOUR
from pbem.matches.exchange import sealing, submitting
from pbem.matches.history.replay import Position, record_of
from pbem.matches.names import seat_word
from pbem.matches.players import invitations, requests, sizes, work
from pbem.matches.players.advice import Advice, advise
from pbem.matches.players.requests import ASKING, Parsed
from pbem.matches.post import inbox, outbox, reply_tokens
from pbem.matches.post.answers import Mail
from pbem.matches.post.inbox import Inbound
from pbem.matches.post.reply_tokens import NotValid, Token
from pbem.matches.server import Server

log = logging.getLogger("pbem.mail")

MOST_QUOTED, LONGEST_QUOTED = 100, 200
"""The most lines that a refusal quotes, and the longest line that it quotes in full."""
MOST_ANSWERS = Limit("answers to mails", 20, HOUR)
"""The limit on answers to an account, apart from receipts: a program that looks human must not start a mail loop."""

GOES_TO_SEVERAL = say("your email is addressed to several seats; please send one email for each")
NAMES_SEVERAL = say(
    "your email names several seats; please reply to the email that asked for orders, "
    "or write to the address of one seat"
)
POLITE = re.compile(
    r"((with )?(please|thanks|thank you|pleasure|gladly)|it|(the|this|your) invitation)?( (very|so) much)?",
    re.IGNORECASE,
)
MOST_OF_STRANGERS = 64 * 1024
"""How many bytes of an email from an unknown sender are searched for a code."""

STRANGE = "no valid code, and an unknown sender"
UNCHANGED = say("our email came back unchanged; write your orders at the top, or change the lines of the form")
NOTHING_NEW = say("no new lines were found; write your lines at the top; lines that start with > are ignored")
TOO_MANY = "too many emails within an hour that could not be processed"


class Case(msgspec.Struct, frozen=True):
    """An email being handled: as received, and as parsed."""

    server: Server
    mail: Inbound
    letter: Letter
    now: int


def drain(server: Server, settings: Settings, now: int) -> int:
    """Handle every email that the listeners have stored, in order of arrival; return how many there were."""
    kept = inbox.waiting_ids(server)
    for id in kept:
        mail = inbox.get(server, id)
        if mail is not None and mail.state == inbox.WAITING:
            with work.count_work():
                handle_safely(server, settings, mail, now)
    return len(kept)


def handle_safely(server: Server, settings: Settings, mail: Inbound, now: int) -> None:
    """Handle one email; a failure must not hold up the other emails."""
    try:
        if is_strange(server, mail, settings):
            with server.store.transaction("mail") as transaction:
                inbox.mark(transaction, mail.id, inbox.DROPPED, STRANGE)
            return
        letter = read_letter(mail, settings)
    except StoreTrouble:
        raise  # the database is busy: the email waits
    except Exception as problem:
        log.exception("mail %s could not be read", mail.id)
        with server.store.transaction("mail") as transaction:
            inbox.mark(transaction, mail.id, inbox.DROPPED, f"failed: {type(problem).__name__}: {problem}")
        return
    case = Case(server, mail, letter, now)
    try:
        handle(case)
    except StoreTrouble:
        raise  # the database is busy: the email waits
    except Exception as problem:
        log.exception("mail %s could not be handled", mail.id)
        give_up(case, f"failed: {type(problem).__name__}: {problem}")


def is_strange(server: Server, mail: Inbound, settings: Settings) -> bool:
    """Whether an email comes from an unknown sender and has none of our codes; its body is then not parsed.

    Only the header is parsed to find out. A short email may have the code in its text, as forwarded emails and
    delivery reports do, so its bytes are searched.
    """
    sender, words = read_addresses(mail, settings)
    if accounts.by_address(server, sender) is not None or any(genuine_among(server, words)):
        return False
    return len(mail.raw) > MOST_OF_STRANGERS or not any(genuine_among(server, codes_in(mail.raw)))


def handle(case: Case) -> None:
    letter = case.letter
    if letter.returned is not None:
        summaries.catch_up(case.server)
        with case.server.store.transaction("mail") as transaction:
            account, why = handle_bounce(case.server, transaction, letter.returned, case.now)
            mark(case, transaction, inbox.DROPPED, why, account=account)
        return None
    if letter.machine:
        return finish(case, inbox.DROPPED, letter.machine)
    if letter.to_return_address:
        return finish(case, inbox.DROPPED, "sent to a return address")
    inbox.heard_from(case.server, letter.sender)
    token = genuine(case)
    if token is None:
        return without_token(case)
    return USES.get(token.use, elsewhere)(case, token)


def genuine(case: Case) -> Token | None:
    """Return the first token in the email that this server has issued."""
    return next(genuine_among(case.server, case.letter.tokens), None)


def genuine_among(server: Server, found: list[str]) -> Iterator[Token]:
    for word in found:
        try:
            yield reply_tokens.read(server, word)
        except NotValid:
            continue


# Outcomes of a case ----------------------------------------------------------------------------------------------


def finish(case: Case, state: str, why: str = "", **about: Any) -> None:
    with case.server.store.transaction("mail") as transaction:
        mark(case, transaction, state, why, **about)


def mark(case: Case, transaction: Transaction, state: str, why: str = "", **about: Any) -> None:
    about |= {"message_id": case.letter.message_id, "digest": case.letter.digest}
    inbox.mark(transaction, case.mail.id, state, why, **about)


def answer(
    case: Case, kind: str, state: str, why: str, account: Account, about: dict[str, Any], **place: Any
) -> None:
    """Queue a reply to the account and record the outcome of its email, in one transaction."""
    if rate_limits.take(case.server, MOST_ANSWERS, account.id):
        return finish(case, inbox.DROPPED, TOO_MANY, account=account.id)
    with case.server.store.transaction("mail") as transaction:
        mark(case, transaction, state, why, account=account.id, **place)
        owe(case, transaction, kind, str(case.mail.id), about, account=account.id, **place)
    return None


def owe(case: Case, transaction: Transaction, kind: str, key: str, about: dict[str, Any], **place: Any) -> str:
    reply = {**about, "message_id": case.letter.message_id}
    return outbox.queue(transaction, kind, at=case.now, key=key, about=reply, **place)


def give_up(case: Case, why: str) -> None:
    """Drop an email after an error on our side, and tell the sender if they are known."""
    sender = None if case.letter.machine else accounts.by_address(case.server, case.letter.sender)
    if sender is None:
        return finish(case, inbox.DROPPED, why)
    problem = say(
        "Something went wrong on our side while we were reading your email. The operator can see the error; "
        "please try again later."
    )
    return answer(case, "help", inbox.DROPPED, why, sender, {"problem": problem})


def without_token(case: Case) -> None:
    """Tell a known sender how to write to us; strangers and spam get no reply."""
    letter = case.letter
    sender = accounts.by_address(case.server, letter.sender)
    if sender is None or letter.spam:
        why = STRANGE if sender is None else "no valid code, and taken for spam"
        return finish(case, inbox.DROPPED, letter.beyond or why)
    if not letter.beyond and account_commands.without_token(case, sender):
        return None
    problem = (
        NotValid().message if letter.tokens else say("your email contains no code that says which seat it is for.")
    )
    if letter.beyond:
        problem = say(
            "your email was not read: {beyond}. Please send your lines as plain text.", beyond=reason(letter.beyond)
        )
    return answer(case, "help", inbox.REFUSED, letter.beyond or "no valid code", sender, {"problem": problem})


# Orders ------------------------------------------------------------------------------------------------------


def orders(case: Case, token: Token) -> None:
    """Handle an email for a seat: orders, and requests to the server."""
    position = submitting.position_of(case.server, token.match)
    taken = position.record.occupants.get(token.seat)
    if taken is None or taken["occupancy"] != token.occupancy:
        return without_token(case)
    account = accounts.account(case.server, taken["account"])
    place = {"match": token.match, "seat": token.seat, "exchange": token.number}
    if inbox.is_repeated(case.server, case.mail.id, account.id, case.letter.message_id, case.letter.digest):
        return finish(case, inbox.REPEATED, "the same mail came before", account=account.id, **place)
    case = msgspec.structs.replace(case, letter=without_ours(case, token, position))
    if account_commands.commands_in(case.server, case.letter.text, for_seat=True):
        return account_commands.act(case, account)
    try:
        check_readable(case)
        sizes.check_size(position, token.seat, case.letter.text)
        parsed = requests.parse(case.letter.text)
        sizes.check_lines(parsed.rest)
        if not (parsed.said or parsed.rest or parsed.wrong):
            raise Unreadable("", [Objection("pbem/mail", UNCHANGED if case.letter.unchanged else NOTHING_NEW)])
        acting = parsed.rest or any(word.name not in ASKING for word in parsed.said)
        if acting and (doubt := foreign(case.letter, account)):
            return hold(case, account, doubt, place)
        return carry_out(case, account, parsed, position, place)
    except Refusal as refusal:
        return refuse(case, account, refusal, case.letter.text.splitlines(), position, place)


def without_ours(case: Case, token: Token, position: Position) -> Letter:
    """Return the text without the quoted email and without a signature below the orders."""
    letter = case.letter
    if letter.beyond:
        return letter
    form, reads = safe_form(case, position, token.seat), partial(can_be_read, position, token.seat)
    if letter.files and letter.text != letter.typed:
        if not same_lines(letter.text, form):
            return msgspec.structs.replace(letter, text=with_typed(letter.text, letter.typed, form))
        letter = msgspec.structs.replace(letter, text=letter.typed)  # the program has sent our file back
        if not letter.text:
            return msgspec.structs.replace(letter, unchanged=True)
    sent = outbox.text_sent_to(case.server, token.match, token.seat, letter.answers.strip("<> ").partition("@")[0])
    try:
        found = difference(letter.whole, sent, form, reads) if sent else None
    except TooMuch as problem:
        return msgspec.structs.replace(letter, text="", beyond=str(problem))
    if found is not None and found.unchanged and not may_be_orders(letter.text, sent, form):
        return msgspec.structs.replace(letter, text="", unchanged=True)
    text = letter.text if found is None or found.unchanged else found.text
    known = {word for line in form.split("\n") for word in words_of(line)}
    said = "\n".join(without_sign_off(text.split("\n"), known, reads))
    return msgspec.structs.replace(letter, text="" if POLITE.fullmatch(said.strip(" .,!\n")) else said)


def can_be_read(position: Position, seat: str, line: str) -> bool:
    """Whether the rules can read a line as an order."""
    ask = position.run.ask_of(seat) if seat in position.asked else None
    try:
        return bool(line) and ask is not None and sealing.read_text(position, ask, line) is not None
    except StoreTrouble:
        raise
    except Refusal:
        return False
    except Exception:
        log.exception("a line below the orders could not be read")
        return False


def safe_form(case: Case, position: Position, seat: str) -> str:
    """Return the form that the sender was given; empty if there is none."""
    try:
        return sizes.form_of(position, seat)
    except (StoreTrouble, OSError):
        raise
    except Exception:
        log.exception("no form for mail %s", case.mail.id)
        return ""


def check_readable(case: Case) -> None:
    """Refuse an email if only its header was stored, or if it is for several seats."""
    if case.letter.beyond:
        unread = say(
            "your email could not be read: {beyond}; please send your lines as plain text",
            beyond=reason(case.letter.beyond),
        )
        raise Unreadable("", [Objection("pbem/mail", unread)])
    for found, why in ((case.letter.addressed, GOES_TO_SEVERAL), (case.letter.tokens, NAMES_SEVERAL)):
        seats = {(token.match, token.seat) for token in genuine_among(case.server, found) if token.use == "orders"}
        if len(seats) > 1:
            raise Unreadable("", [Objection("pbem/mail", why)])
        if seats:
            return  # then the quotation below does not matter


def carry_out(case: Case, account: Account, parsed: Parsed, position: Position, place: dict[str, Any]) -> None:
    """Seal orders and carry out requests. One email answers everything; if there are orders, it is their receipt."""
    asked = any(word.name in ASKING for word in parsed.said)
    silent = asked and rate_limits.take(case.server, MOST_ANSWERS, account.id) > 0
    if silent and all(word.name in ASKING for word in parsed.said) and not parsed.rest:
        return finish(case, inbox.DROPPED, TOO_MANY, account=account.id)
    submitting.take(
        case.server,
        place["match"],
        place["seat"],
        place["exchange"],
        case.letter.text,
        by=account.id,
        source="mail",
        position=position,
        at=case.mail.received_at,
        message_id=case.letter.message_id,
        raw=case.mail.raw,
        mail=mail_of(case, silent=silent),
    )
    return None


def mail_of(case: Case, *, silent: bool = False, why: str = "") -> Mail:
    """The facts about the email that its answer needs."""
    return Mail(case.mail.id, case.letter.message_id, case.letter.digest, case.now, silent, why)


def foreign(letter: Letter, account: Account) -> Message | None:
    """Return why the account must confirm this email; None if it need not."""
    if letter.sender not in account.addresses:
        return say("the sender was {sender}", sender=letter.sender)
    return letter.doubt


def hold(case: Case, account: Account, doubt: Message, place: dict[str, Any]) -> None:
    """Hold the orders in an email until the account confirms them."""
    if rate_limits.take(case.server, MOST_ANSWERS, account.id):
        return finish(case, inbox.DROPPED, TOO_MANY, account=account.id)
    with case.server.store.transaction("mail") as transaction:
        kept = {"text": case.letter.text, "final": False}
        mark(case, transaction, inbox.HELD, str(doubt), account=account.id, about=kept, **place)
        about = {"inbound": case.mail.id, "doubt": doubt}
        owe(case, transaction, "confirm", str(case.mail.id), about, account=account.id, **place)
    return None


def refuse(
    case: Case, account: Account, refusal: Refusal, text: list[str], position: Position, place: dict[str, Any]
) -> None:
    """Refuse an email: quote its wrong lines in their order, but never more text than the order form contains."""
    most = sizes.most_quoted(position, place["seat"])
    if sum(map(len, text)) > 3 * most:
        text = []  # too long to quote, or to give advice on
    lines = [line for line in text if line.strip()]
    refusals = [refusal_in_email(single, lines) for single in each(refusal)]
    advice = advise_safely(case, refusal, lines, position, place)
    for one in refusals:
        one["instead"] = advice.instead.get(one["line"], one["instead"])
    refusals.sort(key=lambda one: lines.index(one["line"]) if one["line"] in lines else len(lines))
    shown = refusals_that_fit([{**one, "line": shorten(one["line"])} for one in refusals[:MOST_QUOTED]], most)
    about = {"lines": sizes.within([shorten(line) for line in lines[:MOST_QUOTED]], most), "refusals": shown}
    about |= {"wrong": len(refusals), "count": len(lines), "understood": advice.understood}
    about["orders"] = bool(requests.parse("\n".join(lines)).rest)
    answer(case, "refused", inbox.REFUSED, str(refusal), account, about, **place)


def refusals_that_fit(refusals: list[dict[str, Any]], most: int) -> list[dict[str, Any]]:
    """Return as many refusals as fit into this many characters, but at least one."""
    used, kept = 0, refusals[:1]
    for one in refusals[1:]:
        used += len(msgspec.json.encode(one))
        if used > most:
            break
        kept.append(one)
    return kept


def advise_safely(
    case: Case, refusal: Refusal, lines: list[str], position: Position, place: dict[str, Any]
) -> Advice:
    """Suggest what to send instead. A fault in the advice must not keep the refusal from being sent."""
    wrong = [(single.line or line_of(single.part, lines), single) for single in each(refusal)]
    try:
        return advise(position, place["seat"], place["exchange"], "\n".join(lines), wrong)
    except Exception:
        log.exception("no advice on mail %s", case.mail.id)
        return Advice()


def shorten(line: str) -> str:
    return line if len(line) <= LONGEST_QUOTED else f"{line[:LONGEST_QUOTED]}…"


def refusal_in_email(refusal: Refusal, lines: list[str]) -> dict[str, Any]:
    """A refusal as an email shows it: the line in question, every objection, and what to send instead."""
    line = refusal.line or line_of(refusal.part, lines)
    return {
        "line": line,
        "part": refusal.part if is_worth_naming(refusal, line) else "",
        "objections": [{"rule": objection.rule, "why": objection.why} for objection in refusal.objections],
        "instead": list(refusal.instead),
    }


def is_worth_naming(refusal: Refusal, line: str) -> bool:
    """Whether to name the refused part, because neither the line nor the reason makes it obvious."""
    part = refusal.part.lower()
    if not line:
        return True
    named = any(part in objection.english.lower() for objection in refusal.objections)
    return part in line.lower().split() and not named


def line_of(part: str, lines: list[str]) -> str:
    """Return the line that begins with the refused part, if there is one."""
    words = part.lower().split()
    return next((line for line in lines if words and line.lower().split()[: len(words)] == words), "")


# Other uses --------------------------------------------------------------------------------------------------


def invitation(case: Case, token: Token) -> None:
    """Handle an answer to an invitation; it counts only from the invited address."""
    offered = invitations.invitation(case.server, token.match, token.number)
    if offered.address != case.letter.sender:
        return finish(case, inbox.DROPPED, "an answer to an invitation from another address", match=token.match)
    if case.letter.doubt:
        note = say("Your answer was not accepted: {doubt}. Please use the link.", doubt=case.letter.doubt)
        return invite_again(case, offered, note)
    first = first_word(case.letter.text)
    try:
        if first in ("no", "decline"):
            invitations.decline(case.server, offered.token)
            return finish(case, inbox.APPLIED, "declined", match=token.match, seat=token.seat)
        if first in ("yes", "accept"):
            return accept(case, offered)
        return invite_again(case, offered, say('Write "accept" or "decline".'))
    except Refusal as refusal:
        return invite_again(case, offered, refusal.message)


def first_word(text: str) -> str:
    return next(iter(text.lower().split()), "").strip(".,!:;\"'")


def accept(case: Case, offered: invitations.Invitation) -> None:
    """Take the seat; the rest of the line is the display name, unless it is only a polite phrase."""
    word, _, name = case.letter.text.splitlines()[0].partition(" ")
    if word.lower() != "accept" or POLITE.fullmatch(name.strip(" .,!")):
        name = ""
    match, seat, account = invitations.accept(case.server, offered.token, name)
    if record_of(case.server, match).started:
        return finish(case, inbox.APPLIED, "accepted", account=account.id, match=match, seat=seat)  # the form comes
    note = say("You have taken the seat {seat}.", seat=seat_word(case.server, seat))
    return answer(case, "status", inbox.APPLIED, "accepted", account, {"note": note}, match=match, seat=seat)


def invite_again(case: Case, offered: invitations.Invitation, note: Message | Several) -> None:
    if rate_limits.take(case.server, MOST_ANSWERS, offered.address):
        return finish(case, inbox.DROPPED, TOO_MANY, match=offered.match)
    with case.server.store.transaction("mail") as transaction:
        mark(case, transaction, inbox.REFUSED, str(note), match=offered.match, seat=offered.seat)
        about = {"number": offered.number, "note": note}
        owe(case, transaction, "invitation", f"again/{case.mail.id}", about, match=offered.match, seat=offered.seat)
    return None


def confirm(case: Case, token: Token) -> None:
    """Handle a reply in which the account says whether it sent a held email."""
    held = inbox.get(case.server, token.number)
    account = accounts.by_address(case.server, case.letter.sender)
    if held is None or account is None or held.account != account.id or case.letter.doubt:
        return without_token(case)
    place = {"match": token.match, "seat": token.seat, "exchange": held.exchange}
    if first_word(case.letter.text) not in ("confirm", "yes"):
        note = {"note": say("Nothing was sealed.")}
        return answer(case, "status", inbox.APPLIED, "not confirmed", account, note, **place)
    try:
        submitting.confirm(case.server, token, mail_of(case, why="confirmed"))
    except NotValid:
        return without_token(case)
    except Refusal as refusal:
        position = submitting.position_of(case.server, token.match)
        return refuse(case, account, refusal, held.about["text"].splitlines(), position, place)
    return None


def stop(case: Case, token: Token) -> None:
    """Stop all emails except answers.

    The token proves access to the account's mailbox, so the sender does not matter.
    """
    accounts.mute(case.server, token.account)
    finish(case, inbox.APPLIED, "muted", account=token.account)


def elsewhere(case: Case, token: Token) -> None:
    """Handle a token meant for the website; in an email it has no effect."""
    without_token(case)


USES: dict[str, Callable[[Case, Token], None]] = {
    "orders": orders,
    "invitation": invitation,
    "confirm": confirm,
    "stop": stop,
    "tournament": tournament_replies.reply,
    "master": master_replies.reply,
    "account": account_commands.reply,
    "judge": judge_replies.reply,
}

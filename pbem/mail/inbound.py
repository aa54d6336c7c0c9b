"""What a mail does. It is applied whole or not at all, once, and answered to the account's address only.

The right to act comes from a token; who sent the mail only decides whether it must be confirmed. Machines are never
answered, and neither are strangers: their address may be forged.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from typing import Any

import msgspec

from eventstore import Transaction
from pbem.engine.refusals import Objection, Refusal, Unreadable, each
from pbem.mail.letters import Letter, read_letter
from pbem.mail.settings import Settings
from pbem.matches import accounts, acts, desk, inbox, invitations, outbox, tokens
from pbem.matches.accounts import Account
from pbem.matches.house import House
from pbem.matches.inbox import Inbound
from pbem.matches.tokens import NotValid, Token

log = logging.getLogger("pbem.mail")

WORDS = ("final", "cancel", "status", "help", "resume")
MOST_WHY = 300


class Case(msgspec.Struct, frozen=True):
    """A mail on the desk: as it came, and as it reads."""

    house: House
    mail: Inbound
    letter: Letter
    now: int


class Said(msgspec.Struct, frozen=True):
    """The lines of a mail: orders, and words for the server."""

    orders: str
    words: frozenset[str]

    @property
    def lines(self) -> list[str]:
        return [line for line in self.orders.splitlines() if line.strip()]


def drain(house: House, settings: Settings, now: int) -> int:
    """Handle every mail that the doors have kept, in the order it came; how many there were."""
    kept = inbox.waiting(house)
    for mail in kept:
        case = Case(house, mail, read_letter(mail, settings), now)
        try:
            handle(case)
        except sqlite3.OperationalError:
            raise  # the database is busy: the mail waits
        except Exception as problem:
            log.exception("mail %s could not be handled", mail.id)
            give_up(case, f"failed: {type(problem).__name__}: {problem}")
    return len(kept)


def handle(case: Case) -> None:
    if case.letter.machine:
        return finish(case, inbox.DROPPED, case.letter.machine)
    token = genuine(case)
    if token is None:
        return without_token(case)
    return USES[token.use](case, token)


def genuine(case: Case) -> Token | None:
    """The first token in the mail that this house has made."""
    for word in case.letter.tokens:
        try:
            return tokens.read(case.house, word)
        except NotValid:
            continue
    return None


def said(text: str) -> Said:
    orders: list[str] = []
    words: set[str] = set()
    for line in text.splitlines():
        word = line.strip().lower().rstrip(".!")
        if word in WORDS:
            words.add(word)
        else:
            orders.append(line)
    return Said("\n".join(orders).strip(), frozenset(words))


# Ends of a case ----------------------------------------------------------------------------------------------


def finish(case: Case, state: str, why: str = "", **about: Any) -> None:
    with case.house.store.transaction("mail") as transaction:
        mark(case, transaction, state, why, **about)


def mark(case: Case, transaction: Transaction, state: str, why: str = "", **about: Any) -> None:
    about |= {"message_id": case.letter.message_id, "digest": case.letter.digest}
    inbox.mark(transaction, case.mail.id, state, why[:MOST_WHY], **about)


def answer(
    case: Case, kind: str, state: str, why: str, account: Account, about: dict[str, Any], **place: Any
) -> None:
    """Owe the account a mail, and say what became of his, in one transaction."""
    with case.house.store.transaction("mail") as transaction:
        mark(case, transaction, state, why, account=account.id, **place)
        owe(case, transaction, kind, str(case.mail.id), about, account=account.id, **place)


def owe(case: Case, transaction: Transaction, kind: str, key: str, about: dict[str, Any], **place: Any) -> None:
    reply = {**about, "message_id": case.letter.message_id}
    outbox.queue(transaction, kind, at=case.now, key=key, about=reply, **place)


def give_up(case: Case, why: str) -> None:
    """A fault of ours: a mail that cannot be handled must not keep the others waiting."""
    sender = None if case.letter.machine else accounts.by_address(case.house, case.letter.sender)
    if sender is None:
        return finish(case, inbox.DROPPED, why)
    problem = "Something went wrong here while reading your mail. The operator can see it; please try again later."
    return answer(case, "help", inbox.DROPPED, why, sender, {"problem": problem})


def without_token(case: Case) -> None:
    """Somebody we know is told how to write to us; a stranger hears nothing."""
    sender = accounts.by_address(case.house, case.letter.sender)
    if sender is None:
        return finish(case, inbox.DROPPED, "no code that counts, and an unknown sender")
    problem = str(NotValid()) if case.letter.tokens else "Your mail has no code that tells for which seat it is."
    return answer(case, "help", inbox.REFUSED, "no code that counts", sender, {"problem": problem})


# Orders ------------------------------------------------------------------------------------------------------


def orders(case: Case, token: Token) -> None:
    """A mail for a seat: orders, or a word for the server."""
    record = acts.read(case.house, token.match)
    taken = record.occupants.get(token.seat)
    if taken is None or taken["occupancy"] != token.occupancy:
        return without_token(case)
    account = accounts.account(case.house, taken["account"])
    if inbox.is_repeated(case.house, case.mail.id, account.id, case.letter.message_id, case.letter.digest):
        return finish(case, inbox.REPEATED, "the same mail came before", account=account.id)
    return apply(case, token, account, said(case.letter.text))


def apply(case: Case, token: Token, account: Account, text: Said) -> None:
    place = {"match": token.match, "seat": token.seat, "exchange": token.number}
    acting = text.orders or text.words & {"final", "cancel"}
    if acting and (doubt := foreign(case.letter, account)):
        return hold(case, account, text, doubt, place)
    try:
        if "resume" in text.words:
            accounts.mute(case.house, account.id, False)
        if "help" in text.words:
            return answer(case, "help", inbox.APPLIED, "help", account, {"problem": ""}, **place)
        if text.orders:
            return seal(case, token, account, text, place)
        return command(case, token, account, text, place)
    except Refusal as refusal:
        return refuse(case, account, refusal, text, place)


def seal(case: Case, token: Token, account: Account, text: Said, place: dict[str, Any]) -> None:
    if "cancel" in text.words:
        raise Unreadable("cancel", [Objection("pbem/mail", "a mail has either orders or the line cancel")])
    desk.submit(
        case.house,
        token.match,
        token.seat,
        token.number,
        text.orders,
        by=account.id,
        final="final" in text.words,
        source="mail",
        message_id=case.letter.message_id,
        with_it=lambda transaction: mark(case, transaction, inbox.APPLIED, account=account.id, **place),
    )


def command(case: Case, token: Token, account: Account, text: Said, place: dict[str, Any]) -> None:
    """A mail without orders: `final`, `cancel`, or how things stand."""
    note = ""
    if "cancel" in text.words:
        desk.withdraw(case.house, token.match, token.seat, token.number, by=account.id)
        note = f"Your orders for exchange {token.number} are withdrawn."
    elif "final" in text.words:
        desk.finalise(case.house, token.match, token.seat, token.number, by=account.id)
        if acts.read(case.house, token.match).last >= token.number:
            return finish(case, inbox.APPLIED, "final", account=account.id, **place)  # the report says the rest
        note = f"Your orders for exchange {token.number} are final."
    elif not text.words:
        raise Unreadable("", [Objection("pbem/mail", "no new line was found; lines that start with > do not count")])
    return answer(case, "status", inbox.APPLIED, ", ".join(sorted(text.words)), account, {"note": note}, **place)


def foreign(letter: Letter, account: Account) -> str:
    """Why the account must confirm this mail; empty if it need not."""
    if letter.sender not in account.addresses:
        return f"it came from {letter.sender}"
    return letter.doubt


def hold(case: Case, account: Account, text: Said, doubt: str, place: dict[str, Any]) -> None:
    """Keep the orders until the account confirms them."""
    if not text.orders:
        problem = f"A mail in your name was not taken: {doubt}."
        return answer(case, "help", inbox.REFUSED, doubt, account, {"problem": problem}, **place)
    with case.house.store.transaction("mail") as transaction:
        kept = {"text": text.orders, "final": "final" in text.words}
        mark(case, transaction, inbox.HELD, doubt, account=account.id, about=kept, **place)
        about = {"inbound": case.mail.id, "doubt": doubt}
        owe(case, transaction, "confirm", str(case.mail.id), about, account=account.id, **place)
    return None


def refuse(case: Case, account: Account, refusal: Refusal, text: Said, place: dict[str, Any]) -> None:
    about = {"lines": text.lines, "refusals": [told(single, text.lines) for single in each(refusal)]}
    answer(case, "refused", inbox.REFUSED, str(refusal), account, about, **place)


def told(refusal: Refusal, lines: list[str]) -> dict[str, Any]:
    """A refusal as a mail shows it: the line, every objection, and what could be sent instead."""
    return {
        "line": refusal.line or line_of(refusal.part, lines),
        "objections": [{"rule": objection.rule, "why": objection.why} for objection in refusal.objections],
        "instead": list(refusal.instead),
    }


def line_of(part: str, lines: list[str]) -> str:
    """The line in which a refused part stands; the part itself if it stands in none."""
    words = part.lower().split()
    return next((line for line in lines if words and line.lower().split()[: len(words)] == words), part)


# Other uses --------------------------------------------------------------------------------------------------


def invitation(case: Case, token: Token) -> None:
    """An answer to an invitation counts from the invited address."""
    offered = invitations.invitation(case.house, token.match, token.number)
    if offered.address != case.letter.sender:
        return finish(case, inbox.DROPPED, "an answer to an invitation from another address", match=token.match)
    first = case.letter.text.lower().split()[:1]
    try:
        if first and first[0].strip(".,!") in ("no", "decline"):
            invitations.decline(case.house, offered.token)
            return finish(case, inbox.APPLIED, "declined", match=token.match, seat=token.seat)
        if first and first[0].strip(".,!") in ("yes", "accept"):
            return accept(case, offered)
        return invite_again(case, offered, 'Write "accept" or "decline".')
    except Refusal as refusal:
        return invite_again(case, offered, str(refusal))


def accept(case: Case, offered: invitations.Invitation) -> None:
    """Take the seat; what follows the word on its line is the name to be shown."""
    name = case.letter.text.splitlines()[0].partition(" ")[2]
    match, seat, account = invitations.accept(case.house, offered.token, name)
    if acts.read(case.house, match).started:
        return finish(case, inbox.APPLIED, "accepted", account=account.id, match=match, seat=seat)  # the form comes
    note = f"You have the seat {seat}."
    return answer(case, "status", inbox.APPLIED, "accepted", account, {"note": note}, match=match, seat=seat)


def invite_again(case: Case, offered: invitations.Invitation, note: str) -> None:
    with case.house.store.transaction("mail") as transaction:
        mark(case, transaction, inbox.REFUSED, note, match=offered.match, seat=offered.seat)
        about = {"number": offered.number, "note": note}
        owe(case, transaction, "invitation", f"again/{case.mail.id}", about, match=offered.match, seat=offered.seat)


def confirm(case: Case, token: Token) -> None:
    """The account says whether it sent a held mail."""
    held = inbox.get(case.house, token.number)
    account = accounts.by_address(case.house, case.letter.sender)
    if held is None or account is None or held.account != account.id:
        return without_token(case)
    place = {"match": token.match, "seat": token.seat, "exchange": held.exchange}
    if case.letter.text.lower().split()[:1] not in (["confirm"], ["yes"]):
        note = {"note": "Nothing was sealed."}
        return answer(case, "status", inbox.APPLIED, "not confirmed", account, note, **place)
    try:
        desk.confirm(case.house, token)
    except NotValid:
        return without_token(case)
    except Refusal as refusal:
        return refuse(case, account, refusal, Said(held.about["text"], frozenset()), place)
    return finish(case, inbox.APPLIED, "confirmed", account=account.id, **place)


def stop(case: Case, token: Token) -> None:
    """No more mails but answers. Whoever has the token has read the account's mail, so the sender does not matter."""
    accounts.mute(case.house, token.account)
    finish(case, inbox.APPLIED, "muted", account=token.account)


def sign_in(case: Case, token: Token) -> None:
    """A sign-in token is for the site; in a mail it does nothing."""
    without_token(case)


USES: dict[str, Callable[[Case, Token], None]] = {
    "orders": orders,
    "invitation": invitation,
    "confirm": confirm,
    "stop": stop,
    "sign-in": sign_in,
}

"""Requests to the server: the part of the order language that is the same in every title.

    parse        the requests in a text, the lines left for the title, and the mistakes in the requests
    split        the same, with a refusal if anything is wrong
    carry_out    carry out a request for the occupant of a seat
    apply        the same within a transaction, so that an email is carried out whole or not at all

The grammar is `requests.lark`. A request is on a line of its own. It may be written in any case, with a bullet, a
full stop or a please; its meaning is strict.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, time, timedelta
from functools import cache
from importlib import resources
from typing import Literal, TypeAlias
from zoneinfo import ZoneInfo

import msgspec
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from pbem.engine.rules.refusals import Ambiguous, Objection, Refusal, Refusals, Unreadable
from pbem.engine.text.messages import Message, Name, Several, say, several
from pbem.matches.accounts import accounts, preferences
from pbem.matches.accounts.names import BOT
from pbem.matches.clock import absences, deadlines, extensions
from pbem.matches.clock.causes import day_in_words, local, moment
from pbem.matches.clock.deadline_rules import instant
from pbem.matches.events.judging import DisputeOpened
from pbem.matches.exchange import sealing
from pbem.matches.exchange.checks import NotOpen, check_in_time, check_occupant
from pbem.matches.film import places
from pbem.matches.history.record import Record
from pbem.matches.history.replay import load
from pbem.matches.names import seat_word
from pbem.matches.players import endings, moderation, press, work
from pbem.matches.players.standing_orders import clauses_in
from pbem.matches.post.notifications import catch_up
from pbem.matches.rulings import disputes
from pbem.matches.server import Server
from pbem.matches.unit_of_work import Change, retrying

RULE = "pbem/words"
"""The page that a refusal cites for an unreadable line: the one on the order language."""

ALONE = ["final", "cancel", "status", "map", "help", "resume", "resign", "concede", "draw", "present"]
"""Requests that must be the only words on their line."""

FOLLOWED = ["history", "extend", "extension", "absent", "absence", "away", "mute", "unmute"]
FOLLOWED += ["dispute", "statement", "appeal"]
WITH_COLON = ("press", "report", "doctrine", "trial")

ASKING = ("status", "map", "help", "history", "trial", "resume")
"""Requests that change nothing in a match: any sender may make them, and the answer goes to the account."""

EXPECTED = {
    "NUMBER": say("a number"),
    "HOURS": Name("“hours”"),
    "DAYS": Name("“days”"),
    "ISO": say("a day such as 2030-05-01"),
    "MONTH": say("a month"),
    "TODAY": Name("“today”"),
    "WEEKDAY": say("a weekday"),
    "TO": Name("“to”"),
    "UNTIL": Name("“until”"),
    "NAME": say("a name"),
    "EXCHANGE": Name("“exchange”"),
    "PLACE": say("the number of a turn, scene or sentence, such as 4.7"),
    "COLON": Name("“:”"),
    "TEXT": say("your text"),
    "$END": say("the end of the line"),
}
EXAMPLES = {
    "history": "history 3",
    "extend": "extend 24 hours",
    "absent": "absent 1 May to 8 May",
    "press": "press all: well played",
    "report": "report: insults",
    "mute": "mute red",
    "unmute": "unmute red",
    "dispute": "dispute 4.7: r1 could not move there",
    "statement": "statement 1: r1 was in clear terrain",
    "appeal": "appeal 1: the table has another value",
    "doctrine": "doctrine: none",
    "trial": "trial: a standing order",
}
PLAINER = str.maketrans("\u00a0“”„", ' """')
POLITE = ("please", "thanks", "thank you")
ENDS = ".,!?" + string.whitespace
BULLET = re.compile(r"^\s*(?:[-*•]\s+|[\"'`]+)?(?:please\b[,\s]*)?", re.IGNORECASE)
COMMENT = re.compile(r"\s(?:#(?!\d)|//)")
SEVERAL = re.compile(
    r"i (resign|concede)|cancel (my )?orders|keep ((the|all|our|my) )?secrets"
    r"|(i )?((offer|propose|accept|agree to) )?((a|the) )?draw",
    re.IGNORECASE,
)
"""Requests that can also be written in a longer form."""
END_OF_LETTER = re.compile(r"^\s*end\s*(of\s+)?(press)?\s*\.?\s*$", re.IGNORECASE)
MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]


class Word(msgspec.Struct, frozen=True):
    """One request to the server. Days are `2030-05-01`, `05-01` (the next one), `fri` or `+7`."""

    name: str
    line: str = ""
    number: int = 0
    to: tuple[str, ...] = ()
    text: str = ""
    since: str = ""
    until: str = ""
    place: str = ""
    rule: str = ""


Note: TypeAlias = Message | Several | Literal[""]
"""What a request has done, for its author; empty if the answer itself shows it."""


class Done(msgspec.Struct, frozen=True):
    """The result of a request: a sentence for its author, and any email or page they asked for, with its subject."""

    word: str
    note: Note = ""
    wants: str = "status"
    number: int = 0
    text: str = ""


# Reading -----------------------------------------------------------------------------------------------------


class Parsed(msgspec.Struct, frozen=True):
    """The requests in a text, its other lines unchanged, and a refusal for every unreadable request."""

    said: tuple[Word, ...]
    rest: str
    wrong: list[Refusal]

    def has(self, name: str) -> bool:
        return any(word.name == name for word in self.said)


def split(text: str) -> tuple[tuple[Word, ...], str]:
    """Return the requests in a text, and its other lines; a refusal names every request that cannot be read."""
    parsed = parse(text)
    check(parsed.wrong)
    return parsed.said, parsed.rest


def parse(text: str) -> Parsed:
    words: list[Word] = []
    rest: list[str] = []
    wrong: list[Refusal] = []
    lines = text.splitlines()
    work.spend(lines=len(lines))
    while lines:
        line = lines.pop(0)
        if not is_ours(line):
            rest.append(line)
            continue
        try:
            word = read(line)
            word = _whole_letter(word, lines) if word.name == "press" and not word.text else word
            words += [] if any(_same(word, other) for other in words) else [word]
        except Refusal as refusal:
            wrong.append(refusal)
    return Parsed(tuple(_one_set(_one_set(words, "doctrine"), "trial")), "\n".join(rest).strip(), wrong)


def _same(one: Word, other: Word) -> bool:
    """Whether two requests are the same."""
    return msgspec.structs.replace(one, line="") == msgspec.structs.replace(other, line="")


def check(refusals: Sequence[Refusal]) -> None:
    """Raise all refusals at once, if there are any."""
    if refusals:
        raise refusals[0] if len(refusals) == 1 else Refusals(refusals)


def is_ours(line: str) -> bool:
    """Whether a line is a request to the server rather than an order for the title."""
    said = plain(line).lower()
    first = re.match(r"[a-z]+", said)
    if first is None:
        return False
    bare = " ".join(without_comment(said).split())
    alone = bare in ALONE or SEVERAL.fullmatch(bare) is not None
    with_colon = first[0] in WITH_COLON and ":" in said
    return alone or first[0] in FOLLOWED or with_colon


def without_comment(said: str) -> str:
    return plain(COMMENT.split(said)[0])


def plain(line: str) -> str:
    """A line without its bullet, quotation marks, polite words and full stop."""
    said = BULLET.sub("", line.translate(PLAINER)).rstrip(" \"'`").rstrip(ENDS)
    polite = next((word for word in POLITE if said.lower().endswith(word)), "")
    return said[: len(said) - len(polite)].rstrip(ENDS)


def read(line: str) -> Word:
    """Return the request on a line; a refusal says where it went wrong and what was expected there."""
    said = plain(line)
    if re.match(r"(press|dispute|statement|appeal|doctrine|trial)\b", said, re.IGNORECASE):
        said = BULLET.sub("", line.translate(PLAINER)).rstrip()  # a message keeps its full stop
    else:
        said = without_comment(said)
    try:
        tree = _parser().parse(said)
    except UnexpectedInput as error:
        raise _unreadable(line.strip(), said, error) from error
    return _word(tree, line.strip())


@cache
def _parser() -> Lark:
    grammar = resources.files("pbem.matches.players").joinpath("requests.lark").read_text()
    return Lark(grammar, parser="lalr", start="line", maybe_placeholders=False)


def _unreadable(line: str, said: str, error: UnexpectedInput) -> Unreadable:
    at = len(said) if error.pos_in_stream is None else error.pos_in_stream
    accepted: Iterable[str] = ()
    if isinstance(error, UnexpectedToken):
        at = len(said) if error.token.type == "$END" else at
        accepted = error.accepts or error.expected
    elif isinstance(error, UnexpectedCharacters):
        accepted = error.allowed or ()
    could = [words for name, words in EXPECTED.items() if name in set(accepted)]
    found = re.match(r"\S+", said[at:])
    before = {"before": said[:at].strip(), "position": at + 1}
    if found:
        why = say("unexpected “{word}” after “{before}” (position {position})", word=found[0], **before)
    else:
        why = say("a word is missing after “{before}” (position {position})", **before)
    name = next((word for word in EXAMPLES if said.lower().startswith(word[:4])), "")
    if could:
        why = say("{why}; expected here: {expected}", why=why, expected=several(could, "or"))
    return Unreadable(found[0] if found else said, [_objection(why)], [EXAMPLES[name]] if name else [], line)


def _word(tree: Tree[Token], line: str) -> Word:
    said = {token.type: str(token) for token in tree.scan_values(lambda value: isinstance(value, Token))}
    match tree.data:
        case "dispute":
            place, rule = places.plain(said["PLACE"]), said.get("CITED", "").strip("()").partition(" ")[2].strip()
            return Word("dispute", line, text=said.get("TEXT", "").strip(), place=place, rule=rule)
        case "history" | "statement" | "appeal":
            return Word(str(tree.data), line, number=_number(said), text=said.get("TEXT", "").strip())
        case "extend":
            return Word("extend", line, number=_number(said) * (24 if "DAYS" in said else 1))
        case "absent":
            since, until = _absence(tree.children[1])  # type: ignore[arg-type]
            return Word("absent", line, since=since, until=until)
        case "press" | "mute" | "unmute":
            to = tuple(str(token) for token in tree.scan_values(lambda value: getattr(value, "type", "") == "NAME"))
            return Word(str(tree.data), line, to=to, text=said.get("TEXT", "").strip())
        case "secrets":
            return Word("keep secrets", line)
        case name:
            return Word(str(name), line, text=said.get("TEXT", "").strip())


def _number(said: dict[str, str]) -> int:
    return int(re.sub(r"\D", "", said.get("NUMBER", "0")))


def _absence(tree: Tree[Token]) -> tuple[str, str]:
    days = [_day(child) for child in tree.children if isinstance(child, Tree)]
    numbers = {token.type: str(token) for token in tree.children if isinstance(token, Token)}
    match tree.data:
        case "from_to":
            return days[0], days[-1]
        case "short":
            return _same_month(days[0], _number(numbers)), days[0]
        case "same_month":
            return days[0], _same_month(days[0], _number(numbers))
        case "until":
            return "+0", days[0]
        case _:
            return "+0", f"+{max(0, _number(numbers) - 1)}"


def _same_month(day: str, number: int) -> str:
    if not re.fullmatch(r"[\d-]+", day):
        raise Unreadable(str(number), [_objection(say("add the month"))], [EXAMPLES["absent"]])
    return f"{day[:-2]}{number:02}"


def _day(tree: Tree[Token]) -> str:
    """Normalise a day: with or without its year, a weekday, or a number of days from now."""
    said = {token.type: str(token).lower() for token in tree.children if isinstance(token, Token)}
    if "TODAY" in said or "TOMORROW" in said:
        return "+0" if "TODAY" in said else "+1"
    if "WEEKDAY" in said:
        return said["WEEKDAY"][:3]
    if "MONTH" in said:
        month, day = MONTHS.index(said["MONTH"][:3]) + 1, _number({"NUMBER": said["NUMBER"].upper()})
        return f"{said['YEAR']}-{month:02}-{day:02}" if "YEAR" in said else f"{month:02}-{day:02}"
    numbers = [int(number) for number in re.findall(r"\d+", next(iter(said.values())))]
    if "ISO" in said:
        return f"{numbers[0]}-{numbers[1]:02}-{numbers[2]:02}"
    if "SLASHED" in said and max(numbers[:2]) <= 12 and numbers[0] != numbers[1]:
        readings = [f"{day} {MONTHS[month - 1].title()}" for day, month in (numbers[:2], numbers[1::-1])]
        raise Ambiguous(said["SLASHED"], [_objection(say("this could mean two different days"))], readings)
    day, month = sorted(numbers[:2], reverse=True) if "SLASHED" in said and numbers[1] > 12 else numbers[:2]
    year = f"{numbers[2]}-" if len(numbers) > 2 else ""
    return f"{year}{month:02}-{day:02}"


def _whole_letter(word: Word, lines: list[str]) -> Word:
    """Read a message of several lines, up to the line that says `end`."""
    ends = [place for place, line in enumerate(lines) if END_OF_LETTER.match(line)]
    if not ends:
        why = say(
            "the message has no end; write it all on this line, or on several lines followed by a line that says end"
        )
        raise Unreadable("press", [_objection(why)], [EXAMPLES["press"]], word.line)
    text = "\n".join(lines[: ends[0]]).strip()
    del lines[: ends[0] + 1]
    return msgspec.structs.replace(word, text=text)


def _one_set(words: list[Word], name: str) -> list[Word]:
    """Combine all lines of standing orders into one set."""
    clauses = [word for word in words if word.name == name]
    if not clauses:
        return words
    text, line = "\n".join(word.text for word in clauses), "\n".join(word.line for word in clauses)
    return [*(word for word in words if word.name != name), Word(name, line, text=text)]


# Carrying out ------------------------------------------------------------------------------------------------


class Case(msgspec.Struct, frozen=True):
    """A request about to be carried out, as part of a change."""

    change: Change
    seat: str
    word: Word
    by: str
    exchange: int
    at: int

    @property
    def server(self) -> Server:
        return self.change.server

    @property
    def record(self) -> Record:
        return self.change.record


@retrying
def carry_out(
    server: Server, match: str, seat: str, word: Word, by: str, *, exchange: int | None = None, at: int | None = None
) -> Done:
    """Carry out a request. `exchange` is the one that its author meant, `at` when it arrived."""
    with server.change(load(server, match), "word") as change:
        done = apply(change, seat, word, by, exchange=exchange, at=at)
    catch_up(server)
    return done


def apply(
    change: Change, seat: str, word: Word, by: str, *, exchange: int | None = None, at: int | None = None
) -> Done:
    """Carry out a request as part of a change; a refusal undoes the whole change."""
    check_occupant(change.record, seat, by)
    case = Case(
        change=change,
        seat=seat,
        word=word,
        by=by,
        exchange=change.record.open_exchange if exchange is None else exchange,
        at=deadlines.now(change.server) if at is None else at,
    )
    try:
        note = CARRYING[word.name](case)
    except Refusal as refusal:
        refusal.line = refusal.line or word.line
        raise
    wants = word.name if word.name in ("map", "help", "history", "trial") else "status"
    about = places.report_on(case.record, word.number) if wants == "history" else 0
    return Done(word.name, note, wants, about, word.text if wants == "trial" else "")


def _final(case: Case) -> Note:
    case.change.append(*sealing.final_events(case.change.position, case.seat, case.exchange))
    return say("Your orders are final.")


def _cancel(case: Case) -> Note:
    check_in_time(case.server, case.record, case.at)
    case.change.append(sealing.withdrawn_event(case.change.position, case.seat, case.exchange))
    return say("Your orders are withdrawn.")


def _nothing(case: Case) -> Note:
    return ""


def _history(case: Case) -> Note:
    turn = case.word.number
    if turn and not places.report_on(case.record, turn):
        latest = [f"history {number}" for number in places.turns_played(case.record)[-1:]]
        raise Unreadable(str(turn), [_objection(say("turn {turn} has not been played", turn=turn))], latest)
    return ""


def _resume(case: Case) -> Note:
    accounts.set_muted(case.change.transaction, case.by, False)
    return say("You will get emails again.")


def _extend(case: Case) -> Note:
    record = case.record
    if case.exchange != record.open_exchange:
        raise NotOpen(say("orders for exchange {exchange} are closed", exchange=case.exchange))
    events = extensions.ask(record, case.seat, case.word.number, case.at)
    case.change.append(*events)
    if len(events) == 1:
        return say("You have asked for more time. It is granted when the game master or all other players agree.")
    deadline = deadlines.deadline_of(case.record)
    assert deadline is not None, "it has just been moved"
    return say("The deadline is now {when}.", when=moment(deadline.at, zone_of(case)))


def zone_of(case: Case) -> str:
    """Return the author's time zone."""
    return preferences.zone_for(case.server, case.by, deadlines.timing_of(case.record).zone)


def _absent(case: Case) -> Note:
    """Record an absence from the start of the first day to the end of the last, in the match's time zone."""
    zone = ZoneInfo(deadlines.timing_of(case.record).zone)
    today = local(case.at, zone).date()
    first = absences.date_of(case.word.since, today)
    last = absences.date_of(case.word.until, max(first, today))
    since, until = (instant(datetime.combine(day, time()), zone) for day in (first, last + timedelta(days=1)))
    absences.announce(case.server, case.change.transaction, case.by, since, until)
    stands = deadlines.deadline_of(case.record)
    days = {"first": day_in_words(first), "last": day_in_words(last)}
    note = say("You are away from {first} to {last}, in all your matches.", **days)
    if stands is None or since >= stands.at:
        return note
    announced = say(
        "The deadline {when} had already been announced and stands; ask for an extension if you need one.",
        when=moment(stands.at, zone_of(case)),
    )
    return several([note, announced], "sentences")


def _present(case: Case) -> Note:
    absences.come_back(case.server, case.change.transaction, case.by)
    return say("You are back; your upcoming absences are cancelled.")


def _report(case: Case) -> Note:
    where = (case.server, case.change.transaction, case.record, case.seat, case.by)
    sender = moderation.report(*where, case.word.number, case.word.text)
    return say(
        "You have reported the message from {sender} to the game master and the operators.",
        sender=seat_word(case.server, sender),
    )


def _mute(case: Case) -> Note:
    moderation.mute(case.change.transaction, case.record, case.by, " ".join(case.word.to))
    return say(
        'You will get no more messages from the player of {name}. To undo this, send "unmute {seat}".',
        name=seat_word(case.server, case.word.to[0]),
        seat=case.word.to[0],
    )


def _unmute(case: Case) -> Note:
    moderation.mute(case.change.transaction, case.record, case.by, " ".join(case.word.to), muted=False)
    return say("You will get messages from the player of {seat} again.", seat=seat_word(case.server, case.word.to[0]))


def _press(case: Case) -> Note:
    moderation.refuse_banned(case.server, case.record, case.by)
    case.change.append(press.write_letter(case.server, case.record, case.seat, case.word.to, case.word.text))
    to = press.addressees(case.server, case.record, case.seat, case.word.to)
    return say("Your message to {seats} is on its way.", seats=several([seat_word(case.server, one) for one in to]))


def _dispute(case: Case) -> Note:
    word = case.word
    opened = disputes.open_dispute(case.server, case.record, case.seat, word.place, word.text, rule=word.rule)
    case.change.append(opened)
    place = disputes.as_named(msgspec.convert(opened.payload, DisputeOpened).place)
    if case.record.created.master:
        return say("You have disputed {place}. The game master is notified.", place=place)
    return say("You have disputed {place}. The match has no game master; your dispute is on record.", place=place)


def _statement(case: Case) -> Note:
    case.change.append(disputes.make_statement(case.server, case.record, case.seat, case.word.number, case.word.text))
    return say(
        "Your statement on dispute {number} is on record; the game master is notified.", number=case.word.number
    )


def _appeal(case: Case) -> Note:
    case.change.append(
        disputes.appeal_decision(case.server, case.record, case.seat, case.word.number, case.word.text)
    )
    return say("Dispute {number} is open again; the game master is notified.", number=case.word.number)


def _doctrine(case: Case) -> Note:
    clauses = clauses_in(case.word.text)
    case.change.append(sealing.doctrine_event(case.change, case.seat, clauses))
    if not clauses:
        return say("You no longer have standing orders.")
    return say("Your standing orders are set: {clauses}.", clauses=several(clauses, "clauses"))


def _trial(case: Case) -> Note:
    """Check standing orders without setting them; unreadable clauses are refused as if they were being set."""
    sealing.doctrine_event(case.change, case.seat, clauses_in(case.word.text))
    return ""


def _resign(case: Case) -> Note:
    case.change.append(*endings.resign(case.server, case.record, case.seat))
    return say("You have resigned.")


def _concede(case: Case) -> Note:
    case.change.append(*endings.concede(case.server, case.record, case.seat))
    return say("You have conceded.")


def _draw(case: Case) -> Note:
    events = endings.draw_offered(case.server, case.record, case.seat)
    case.change.append(*events)
    if len(events) > 1:
        return say("The match is drawn.")
    occupants = sorted(case.record.occupants.items())
    if bots := [seat for seat, taken in occupants if taken["account"].startswith(BOT)]:
        return say(
            "You offer a draw. The bot playing {seats} declines: {why}", seats=several(bots), why=endings.NO_DRAWS
        )
    return say("You offer a draw. The offer stands until the turn is played.")


def _keep_secrets(case: Case) -> Note:
    case.change.append(endings.keep_secrets(case.record, case.seat))
    if case.change.record.opens == "never":
        return say("All players agree: secrets stay sealed after the match has ended.")
    return say("You want secrets to stay sealed after the match has ended. They will if all players agree.")


CARRYING: dict[str, Callable[[Case], Note]] = {
    "final": _final,
    "cancel": _cancel,
    "status": _nothing,
    "map": _nothing,
    "help": _nothing,
    "history": _history,
    "resume": _resume,
    "extend": _extend,
    "absent": _absent,
    "present": _present,
    "press": _press,
    "report": _report,
    "mute": _mute,
    "unmute": _unmute,
    "dispute": _dispute,
    "statement": _statement,
    "appeal": _appeal,
    "doctrine": _doctrine,
    "trial": _trial,
    "resign": _resign,
    "concede": _concede,
    "draw": _draw,
    "keep secrets": _keep_secrets,
}


def _objection(why: Message) -> Objection:
    return Objection(RULE, why)

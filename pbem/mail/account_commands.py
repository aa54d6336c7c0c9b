"""Commands that belong to an account and not to a seat: matches, join, new, settings, help.

    matches                  your matches, and open matches that you could join; `matches desert` searches
    join NAME [as SEAT]      take a seat in an open match
    new TITLE SCENARIO       start a match against a bot; `new` and `new TITLE` list the choices
    settings                 your settings; `settings mails digest` changes one
    help                     how to play by mail

A command that only asks for information is answered at the account's own address, whoever sent it. One that changes
something needs a token: that of a seat, or that of an earlier answer. Without one, the answer contains a token, and
the same lines sent as a reply to it are carried out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import msgspec

from pbem.engine.rules.refusals import Objection, Refusal, Unreadable
from pbem.engine.text.messages import Message, Several, as_message, say, several
from pbem.mail.inbound.reply_text import LAST_LINE
from pbem.matches import summaries
from pbem.matches.accounts import accounts, preferences, rate_limits
from pbem.matches.accounts.accounts import Account
from pbem.matches.accounts.rate_limits import Limit
from pbem.matches.clock.deadlines import HOUR
from pbem.matches.history.replay import record_of
from pbem.matches.names import scenario_name, seat_name, title_name, turn_name, turn_word
from pbem.matches.players import openings
from pbem.matches.players.requests import plain
from pbem.matches.post import inbox
from pbem.matches.post.reply_tokens import Token
from pbem.matches.server import Server
from pbem.matches.summaries import Summary

if TYPE_CHECKING:
    from pbem.mail.inbound.handle import Case

RULE = "pbem/mail"
EXAMPLES = ("matches", "matches desert", "join NAME", "new TITLE SCENARIO", "settings mails digest", "help")
MOST_LINES = 8
MOST_MINE, MOST_OPEN, MOST_SCENARIOS = 20, 12, 30
MOST_NEW = Limit("matches", 20, HOUR)
SETTINGS = ("name", "zone", "language", "mails")
UNCONFIRMED = say(
    "Nothing has been done yet, because anyone can send an email with your address on it. "
    "Reply to this email with the same lines and they will be carried out:"
)


class Command(msgspec.Struct, frozen=True):
    """One command: its first word, and the rest of the line."""

    word: str
    rest: str = ""

    @property
    def line(self) -> str:
        return f"{self.word} {self.rest}".strip()

    @property
    def acts(self) -> bool:
        """Whether the command changes anything."""
        match self.word:
            case "join":
                return bool(self.rest)
            case "new":
                return len(self.rest.split()) >= 2
            case "settings":
                return bool(self.rest)
            case _:
                return False


def commands_in(server: Server, text: str, *, for_seat: bool = False) -> list[Command]:
    """Return the commands if every line is one; in an email for a seat, only if no order could begin the same way."""
    lines = [plain(line) for line in text.splitlines() if line.strip() and not LAST_LINE.match(line)]
    found = [command_of(line) for line in lines]
    commands = [command for command in found if command is not None]
    if not commands or len(commands) < len(lines) or len(commands) > MOST_LINES:
        return []
    if for_seat and (all(command.word == "help" for command in commands) or not are_only_commands(server, commands)):
        return []
    return commands


def command_of(line: str) -> Command | None:
    """Return the command on a line; None if there is none."""
    said = re.fullmatch(r"(my\s+)?(matches|join|new|settings|help)\b[\s:]*(.*)", line, re.IGNORECASE)
    return Command(said[2].lower(), " ".join(said[3].split())) if said else None


def are_only_commands(server: Server, commands: list[Command]) -> bool:
    """Whether lines in an email for a seat must be commands, although orders may also begin with `join` or `new`."""
    for command in commands:
        first = command.rest.lower().partition(" ")[0]
        if command.word == "new" and first and first not in server.titles:
            return False
        if command.word == "join":
            try:
                openings.open_match(server, seat_in(command.rest)[0])
            except Refusal:
                return False
    return True


# An email ----------------------------------------------------------------------------------------------------


def reply(case: Case, token: Token) -> None:
    """Handle a reply to one of our answers, whose token names the account."""
    act(case, accounts.account(case.server, token.account))


def act(case: Case, account: Account) -> None:
    """Carry out commands for the account named by the email's token."""
    from pbem.mail.inbound import handle

    server = case.server
    if inbox.is_repeated(server, case.mail.id, account.id, case.letter.message_id, case.letter.digest):
        return handle.finish(case, inbox.REPEATED, "the same mail came before", account=account.id)
    commands = commands_in(server, case.letter.text)
    if not commands:
        why = Unreadable(first_line(case), [Objection(RULE, say("this is not a command"))], EXAMPLES)
        return send_answer(case, account, inbox.REFUSED, say("Nothing has changed: {problem}", problem=why.message))
    doubt = handle.foreign(case.letter, account)
    if doubt and any(command.acts for command in commands):
        text = say("Nothing was done: {doubt}. Write from your own address, or use the site.", doubt=doubt)
        return send_answer(case, account, inbox.REFUSED, text)
    return carry_out(case, account, commands)


def without_token(case: Case, account: Account) -> bool:
    """Answer commands that a known sender sent without a token; return whether the email contained any."""
    commands = commands_in(case.server, case.letter.text)
    if not commands or case.letter.tokens:
        return False
    if any(command.acts for command in commands):
        lines = several((f"    {command.line}" for command in commands), "lines")
        send_answer(case, account, inbox.REFUSED, several([UNCONFIRMED, lines], "paragraphs"))
    else:
        carry_out(case, account, commands)
    return True


def carry_out(case: Case, account: Account, commands: list[Command]) -> None:
    """Carry out each line, in order, until one is refused; one email answers them all."""
    from pbem.mail.inbound import handle

    if all(command.word == "help" for command in commands):
        return handle.answer(case, "help", inbox.APPLIED, "", account, {"problem": ""})
    said: list[Message | Several] = []
    state = inbox.APPLIED
    for command in commands:
        try:
            said.append(COMMANDS[command.word](case.server, account, command.rest))
        except Refusal as refusal:
            said += [several([say('Not done: "{line}"', line=command.line), *in_full(refusal)], "lines")]
            state = inbox.REFUSED
            break
    return send_answer(case, account, state, several(said, "paragraphs"))


def in_full(refusal: Refusal) -> Iterator[Message | str]:
    """A refusal with everything that could be sent instead, one item per line."""
    why = several((as_message(objection.why) for objection in refusal.objections), "clauses")
    yield say("Reason: {why}.", why=why)
    if refusal.instead:
        yield from ("", say("You can choose from:"), "")
        yield from (f'- "{one}"' for one in refusal.instead)


def send_answer(case: Case, account: Account, state: str, text: Message | Several) -> None:
    from pbem.mail.inbound import handle

    handle.answer(case, "account", state, "", account, {"text": text})


def first_line(case: Case) -> str:
    return next((line.strip() for line in case.letter.text.splitlines() if line.strip()), "")[:60]


# The commands ------------------------------------------------------------------------------------------------


def _matches(server: Server, account: Account, rest: str) -> Several:
    """List the account's matches, and open matches that contain all the words."""
    summaries.catch_up(server)
    mine = [] if rest else summaries.of_account(server, account.id, most=MOST_MINE)
    others = [one for one in openings.find(server, rest) if account.id not in one.players.values()]
    return several([*own_lines(server, mine, account), *open_lines(server, others, rest)], "lines")


def own_lines(server: Server, mine: list[Summary], account: Account) -> Iterator[Message | str]:
    if not mine:
        return
    yield from (say("Your matches:"), "")
    for one in mine:
        seats = [seat for seat, player in one.players.items() if player == account.id]
        is_due = any(seat in one.status.waiting_for for seat in seats)
        yield say(
            "- {name} ({match}): {game}, your seat {seats}, {turn}, {state}",
            name=one.status.name,
            match=one.status.match,
            game=game_name(server, one),
            seats=several(seat_name(server, seat) for seat in seats),
            turn=turn_name(one.status.turn, turn_word(server, one.status.title)),
            state=say("waiting for your orders") if is_due else STATES.get(one.status.state, one.status.state),
        )
    yield ""


def game_name(server: Server, one: Summary) -> str:
    return f"{title_name(server, one.status.title)}, {scenario_name(server, one.status.title, one.status.scenario)}"


STATES = {
    "open": say("waiting for others"),
    "closing": say("being played"),
    "seats": say("not full yet"),
    "over": say("over"),
    "halted": say("halted"),
}


def open_lines(server: Server, others: list[Summary], words: str) -> Iterator[Message | str]:
    if not others:
        yield (
            say('No open match was found for "{words}".', words=words) if words else say("There are no open matches.")
        )
        yield say('To list the games that you can start against a bot, send the line "new".')
        return
    if words:
        yield say('Open matches found for "{words}", with their free seats:', words=words)
    else:
        yield say("Open matches, with their free seats:")
    yield ""
    for one in others[:MOST_OPEN]:
        yield say(
            "- {name} ({match}): {game}, {time}, free: {seats}",
            name=one.status.name,
            match=one.status.match,
            game=game_name(server, one),
            time=say("{hours} hours per turn", hours=one.cadence) if one.cadence else say("no deadline"),
            seats=several(one.open_seats, "unit"),
        )
    if len(others) > MOST_OPEN:
        yield say(
            '- and {more} more; to search them, send "matches" followed by a word', more=len(others) - MOST_OPEN
        )
    yield ""
    yield say(
        'To join, send "join {match}"; to choose a seat, "join {match} as {seat}".',
        match=others[0].status.match,
        seat=others[0].open_seats[-1],
    )


def seat_in(rest: str) -> tuple[str, str]:
    """Return the match to join or start, and the seat after `as`, if given."""
    said = re.fullmatch(r"(.*?)\s+as\s+(\S+)", rest, re.IGNORECASE)
    return (said[1], said[2].lower()) if said else (rest, "")


def _join(server: Server, account: Account, rest: str) -> Message | Several:
    if not rest:
        return _matches(server, account, "")
    match, seat = openings.join(server, account.id, *seat_in(rest))
    record = record_of(server, match)
    place = {"seat": seat_name(server, seat), "name": record.created.name, "match": match}
    if record.started:
        return say(
            "You have taken the seat {seat} in {name} ({match}). Your order form will arrive in the next email.",
            **place,
        )
    return say(
        "You have taken the seat {seat} in {name} ({match}). The match starts when all seats are taken.", **place
    )


def _new(server: Server, account: Account, rest: str) -> Message | Several:
    """Start a match against a bot, or list games and scenarios."""
    said, seat = seat_in(rest)
    title, _, scenario = said.lower().partition(" ")
    if not title:
        return several([say("Games, each with its first scenario:"), "", *title_lines(server)], "lines")
    if not scenario:
        return several(scenario_lines(server, title), "lines")
    openings.check_scenario(server, title, scenario)
    if rate_limits.take(server, MOST_NEW, account.id):
        raise Unreadable(rest, [Objection(RULE, say("you have started too many matches in the last hour"))])
    match = openings.against_bots(server, account.id, title, scenario, seat)
    occupants = record_of(server, match).occupants
    mine = next(place for place, who in occupants.items() if who["account"] == account.id)
    return say(
        "Your match against the bot has started: {scenario} ({match}). Your seat: {seat}. Your order "
        "form will arrive in the next email.",
        scenario=scenario_name(server, title, scenario),
        match=match,
        seat=seat_name(server, mine),
    )


def title_lines(server: Server) -> Iterator[Message]:
    for name, title in sorted(server.titles.items()):
        if title.scenarios:
            lesson = title.primer().lesson
            first = lesson.scenario if lesson else title.first_game
            first = first if first in title.scenarios else title.scenarios[0]
            yield say(
                '- {game}: "new {name} {first}"; "new {name}" lists all scenarios',
                game=title.full_name or name,
                name=name,
                first=first,
            )


def scenario_lines(server: Server, title: str) -> Iterator[Message | str]:
    openings.check_scenario(server, title, next(iter(getattr(server.titles.get(title), "scenarios", ())), ""))
    scenarios = server.titles[title].scenarios
    yield from (say("Scenarios of {game}:", game=server.titles[title].full_name or title), "")
    for scenario in scenarios[:MOST_SCENARIOS]:
        yield say(
            '- "new {title} {scenario}": {name}',
            title=title,
            scenario=scenario,
            name=scenario_name(server, title, scenario),
        )
    if len(scenarios) > MOST_SCENARIOS:
        yield say("- and {more} more on the site", more=len(scenarios) - MOST_SCENARIOS)


def _settings(server: Server, account: Account, rest: str) -> Several:
    """Show the settings, or change one."""
    which, _, value = rest.partition(" ")
    which, value = which.lower().rstrip(":"), value.strip(" :")
    if which and which not in SETTINGS:
        raise Unreadable(
            which, [Objection(RULE, say("no setting has that name"))], [f"settings {one}" for one in SETTINGS]
        )
    if which and value:
        change(server, account, which, value)
        return several(
            [say("This setting has been changed: {which}.", which=which), "", *setting_lines(server, account.id)],
            "lines",
        )
    return several(setting_lines(server, account.id), "lines")


def change(server: Server, account: Account, which: str, value: str) -> None:
    """Change one setting; a refusal lists the possible values."""
    if which == "name":
        accounts.rename(server, account.id, value)
    elif which == "mails" and value.lower() == "none":
        accounts.mute(server, account.id)
    else:
        known = {"zone": preferences.zones(), "language": tuple(preferences.LANGUAGES)}.get(
            which, (*preferences.MAILS,)
        )
        found = next((one for one in known if one.lower() == value.lower()), "")
        if not found:
            offered = [one for one in known if value.lower().split("/")[-1] in one.lower()] or list(known)
            instead = [f"settings {which} {one}" for one in offered[:12]]
            raise Unreadable(value, [Objection(RULE, NO_SUCH[which])], instead)
        wanted = msgspec.structs.replace(preferences.profile(server, account.id), **{which: found})
        preferences.set_profile(server, account.id, wanted)
        if which == "mails":
            accounts.mute(server, account.id, muted=False)


NO_SUCH = {
    "zone": say("no time zone has that name"),
    "language": say("that language is not available"),
    "mails": say("that is not one of the choices"),
}


def setting_lines(server: Server, id: str) -> Iterator[Message | str]:
    account, profile = accounts.account(server, id), preferences.profile(server, id)
    mails = say("{choice}, {meaning}", choice=profile.mails, meaning=preferences.MAILS[profile.mails])
    languages, choices = several(preferences.LANGUAGES, "unit"), several([*preferences.MAILS, "none"], "unit")
    yield from (say("Your settings, each with a line that changes it:"), "")
    yield say('- Name: {name}. "settings name {name}"', name=account.name)
    yield say('- Time zone: {zone}. "settings zone Europe/Berlin"', zone=profile.zone)
    yield say(
        '- Language: {language}. "settings language de" (choices: {languages})',
        language=profile.language,
        languages=languages,
    )
    yield say(
        '- Emails: {mails}. "settings mails digest" (choices: {choices})',
        mails=say("none, except replies") if account.muted else mails,
        choices=choices,
    )


COMMANDS: dict[str, Callable[[Server, Account, str], Message | Several]] = {
    "matches": _matches,
    "join": _join,
    "new": _new,
    "settings": _settings,
    "help": lambda server, account, rest: say('To get the page on playing by email, send only the line "help".'),
}

"""The director: the matters that need attention, and bulk acts that show their effect first.

    board                     matters that need the director, most urgent first
    appoint, forbid, message  acts beyond rounds and results; every act and its reason are public
    effect_of                 the effect that a bulk act would have

A director never sees sealed orders, hidden states or previews; the game master of the tournament,
who does not play, may look in their place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from eventstore import NewEvent
from pbem.engine.text.messages import say
from pbem.matches.accounts import accounts
from pbem.matches.accounts.names import BOT
from pbem.matches.clock import deadlines
from pbem.matches.clock.deadlines import missed_deadlines
from pbem.matches.history.replay import record_of
from pbem.matches.post import outbox
from pbem.matches.rulings import auditors, panels
from pbem.matches.rulings.disputes import disputes
from pbem.matches.server import Server
from pbem.tournaments import events as said
from pbem.tournaments.model import Pairing, Round
from pbem.tournaments.record import Record
from pbem.tournaments.results import provisional
from pbem.tournaments.stream import append_act, head, match_id, refuse

DAY = 24 * 3600 * 1000
URGENCY = ("dispute", "halted", "overdue", "absent", "unseated", "bounced", "by hand", "slow")
"""Kinds of matters for the director, most urgent first."""


class Matter(msgspec.Struct, frozen=True):
    """A matter that needs the director."""

    kind: str
    round: int
    pairing: int
    entrants: tuple[int, ...]
    what: str
    match: str = ""


class Board(msgspec.Struct, frozen=True):
    """The director's board: open matters and the progress of the round."""

    matters: tuple[Matter, ...]
    open: int
    ended: int
    provisional: tuple[int, ...]
    moves: dict[int, int]
    """Exchanges resolved so far, by pairing."""

    def by_kind(self) -> list[tuple[str, list[Matter]]]:
        """Group the matters by kind, most urgent first, so that many of one kind do not hide the others."""
        kinds = {kind: [matter for matter in self.matters if matter.kind == kind] for kind in URGENCY}
        return [(kind, matters) for kind, matters in kinds.items() if matters]


def board(server: Server, record: Record) -> Board:
    """Return the matters that need the director, most urgent first."""
    round = record.last_round
    if round is None:
        return Board(tuple(_entry_matters(server, record)), 0, 0, (), {})
    matters = [*_entry_matters(server, record)]
    moves: dict[int, int] = {}
    for pairing in round.pairings:
        if round.started_at is not None and pairing.number not in round.results:
            matters += _pairing_matters(server, record, round, pairing, moves)
    matters += _dispute_matters(server, record, round)
    if moves:
        matters += _slow(round, moves)
    matters.sort(key=lambda matter: (URGENCY.index(matter.kind), matter.round, matter.pairing))
    waiting = tuple(provisional(server, record, round))
    return Board(tuple(matters), len(round.open_pairings()), len(round.results), waiting, moves)


def _entry_matters(server: Server, record: Record) -> Iterator[Matter]:
    bounced = set(_bouncing_entrants(server, record))
    for entrant in record.entrants.values():
        if entrant.state == "withdrawn":
            continue
        if entrant.account in bounced:
            yield Matter("bounced", 0, 0, (entrant.number,), f"email to {entrant.name} bounces")
        elif not entrant.account and not entrant.members:
            yield Matter("unseated", 0, 0, (entrant.number,), f"{entrant.name} has no account on this server")


def _bouncing_entrants(server: Server, record: Record) -> list[str]:
    wanted = [entrant.account for entrant in record.entrants.values() if entrant.account]
    query = "SELECT DISTINCT account FROM outbox WHERE error LIKE '5%' AND next_at IS NULL AND sent_at IS NULL"
    bad = {account for (account,) in server.database.execute(query).fetchall()}
    return [account for account in wanted if account in bad]


def _pairing_matters(
    server: Server, record: Record, round: Round, pairing: Pairing, moves: dict[int, int]
) -> Iterator[Matter]:
    place = (round.number, pairing.number, pairing.entrants)
    names = " and ".join(record.entrants[number].name for number in pairing.entrants)
    due = record.deadline(round.number, pairing.number)
    if due is not None and deadlines.now(server) >= due:
        yield Matter("overdue", *place, f"{names} have not finished by the deadline")
    for leg in pairing.legs:
        match = match_id(server, record, round.number, pairing.number, leg.number)
        if not server.store.version(f"match/{match}"):
            if any(not record.entrants[n].account and not record.entrants[n].members for n in pairing.entrants):
                yield Matter("by hand", *place, f"{names}: record the result by hand")
            continue
        own = record_of(server, match)
        moves[pairing.number] = min(moves.get(pairing.number, len(own.resolved)), len(own.resolved))
        if own.halted:
            yield Matter("halted", *place, f"the match of {names} is halted", match)
        sides = server.rules(own.created.title, own.created.blobs).sides
        for seat in own.seats:
            entrant = leg.sides[sides[seat]]
            if missed := missed_deadlines(own, seat):
                what = f"{record.entrants[entrant].name} has missed {len(missed)} deadlines"
                yield Matter("absent", round.number, pairing.number, (entrant,), what, match)


def _dispute_matters(server: Server, record: Record, round: Round) -> Iterator[Matter]:
    query = "SELECT match, pairing FROM tournament_matches WHERE tournament = ? AND round = ? ORDER BY pairing"
    by_number = {pairing.number: pairing for pairing in round.pairings}
    for match, number in server.database.execute(query, (record.id, round.number)).fetchall():
        waiting = [dispute for dispute in disputes(record_of(server, match)) if not dispute.answer]
        if waiting:
            entrants = by_number[number].entrants
            what = f"{waiting[0].named} is disputed"
            yield Matter("dispute", round.number, number, entrants, what, match)


def _slow(round: Round, moves: dict[int, int]) -> Iterator[Matter]:
    """Yield the pairings that have played fewer than half as many exchanges as the median pairing."""
    middle = sorted(moves.values())[len(moves) // 2]
    for pairing in round.pairings:
        if pairing.number in moves and 2 * moves[pairing.number] < middle:
            what = f"{moves[pairing.number]} exchanges played, but {middle} in the median pairing"
            yield Matter("slow", round.number, pairing.number, pairing.entrants, what)


# Acts --------------------------------------------------------------------------------------------------------


def appoint(server: Server, id: str, account: str, *, by: str, dismiss: bool = False) -> Record:
    """Appoint or dismiss a director; the last director cannot be dismissed."""
    accounts.account(server, account)

    def build(record: Record) -> list[NewEvent]:
        if dismiss and record.directors == [account]:
            raise refuse("director", say("a tournament needs a director"))
        if dismiss == (account not in record.directors):
            raise refuse(
                "director",
                say("this account is already a director of the tournament")
                if not dismiss
                else say("this account is not a director"),
            )
        return [said.new(said.DirectorAppointed(account, by, dismiss))]

    return append_act(server, id, by, build, act="appoint")


def appoint_panel(server: Server, id: str, match: str, number: int, members: Sequence[str], *, by: str) -> None:
    """Appoint the judge or the panel of a dispute in a match of this tournament."""
    _check_own(server, id, match, by)
    panels.name(server, match, number, members, by=by, director=True)
    names = ", ".join(accounts.account(server, member).name for member in members)
    _note(server, id, "panel", f"dispute {number} of match {match} is decided by {names}", by)


def appoint_auditor(server: Server, id: str, match: str, account: str, *, by: str) -> None:
    """Appoint an auditor for a match of this tournament."""
    _check_own(server, id, match, by)
    auditors.appoint(server, match, account, by=by)
    _note(server, id, "auditor", f"{accounts.account(server, account).name} audits match {match}", by)


def _check_own(server: Server, id: str, match: str, by: str) -> None:
    """Check that the match belongs to the tournament and that the director who appoints does not play in it."""
    record = append_act(server, id, by, lambda newest: [], act="appoint")
    if not server.store.version(f"match/{match}"):
        raise refuse("match", say("no match has that name"))
    own = record_of(server, match)
    if own.created.origin.get("stream") != record.stream:
        raise refuse("match", say("this match does not belong to the tournament"))
    if panels.is_seated(own, by):
        raise refuse("match", say("you play in this match; another director must appoint its judges"))


def _note(server: Server, id: str, act: str, what: str, by: str) -> None:
    append_act(server, id, by, lambda newest: [said.new(said.DirectorActed(act, what, by))], act="appoint")


def forbid(
    server: Server, id: str, one: int, other: int, why: str, *, by: str, lift: bool = False, seen: int | None = None
) -> Record:
    """Forbid two entrants to meet, or allow it again. Rounds already paired are not changed."""

    def build(record: Record) -> list[NewEvent]:
        if one == other or one not in record.entrants or other not in record.entrants:
            raise refuse("pairing", say("name two entrants"))
        return [said.new(said.PairingForbidden((min(one, other), max(one, other)), why, lift, by))]

    return append_act(server, id, by, build, seen=seen, act="forbid")


def effect_of(record: Record, act: str, pairings: Sequence[int], days: int = 0) -> list[str]:
    """Return what a bulk action would do, one sentence for each pairing."""
    round = record.last_round
    if round is None:
        raise refuse("act", say("no round has been paired"))
    found = []
    for pairing in round.pairings:
        if pairing.number not in pairings:
            continue
        names = " and ".join(record.entrants[number].name for number in pairing.entrants)
        if act == "extend":
            found.append(f"board {pairing.number}: {names} get {days} more days")
        elif act == "remind":
            found.append(f"board {pairing.number}: {names} are reminded")
        elif pairing.number in round.results:
            found.append(f"board {pairing.number}: no effect, because it has a result")
        else:
            found.append(f"board {pairing.number}: the result of {names} will be {act.replace('_', ' ')}")
    return found


def message(
    server: Server, id: str, text: str, *, by: str, entrants: Sequence[int] = (), seen: int | None = None
) -> Record:
    """Send a message to all or some entrants; its text is public, like everything the director does."""
    if not text.strip() or len(text) > 2000:
        raise refuse("message", say("a message must have 1 to 2000 characters"))

    def build(record: Record) -> list[NewEvent]:
        told = said.DirectorActed("sent a message", text.strip(), by, tuple(entrants))
        return [said.new(told)]

    record = append_act(server, id, by, build, seen=seen, act="message")
    wanted = [record.entrants[n] for n in entrants] if entrants else record.playing()
    about = {"tournament": id, "text": text.strip()}
    _mail(server, record, "tournament-message", [entrant.number for entrant in wanted], about, record.events[-1].hash)
    return record


def remind(server: Server, id: str, pairings: Sequence[int], *, by: str, seen: int | None = None) -> Record:
    """Remind the players of unfinished pairings."""

    def build(record: Record) -> list[NewEvent]:
        chosen = _chosen_pairings(record, pairings)
        numbers = tuple(number for pairing in chosen for number in pairing.entrants)
        boards = ", ".join(str(pairing.number) for pairing in chosen)
        return [said.new(said.DirectorActed(f"reminded board {boards}", "the round's deadline", by, numbers))]

    record = append_act(server, id, by, build, seen=seen, act="remind")
    round = record.last_round
    assert round is not None
    numbers = [number for pairing in _chosen_pairings(record, pairings) for number in pairing.entrants]
    about = {"tournament": id, "round": round.number, "text": ""}
    _mail(server, record, "tournament-reminder", numbers, about, record.events[-1].hash)
    return record


def _chosen_pairings(record: Record, pairings: Sequence[int]) -> list[Pairing]:
    round = record.last_round
    chosen = [p for p in (round.open_pairings() if round else []) if p.number in pairings]
    if not chosen:
        raise refuse("act", say("none of these pairings is in progress"))
    return chosen


def move_rules(server: Server, id: str, switches: Sequence[str], *, by: str, seen: int | None = None) -> Record:
    """Use these rules corrections in the matches of later rounds; matches in progress keep theirs."""

    def build(record: Record) -> list[NewEvent]:
        known = server.titles[record.settings.title].switches
        if unknown := [switch for switch in switches if switch not in known]:
            raise refuse(unknown[0], say("no rules switch has that name"), known)
        return [said.new(said.RulesMoved(tuple(switches), by))]

    return append_act(server, id, by, build, seen=seen, act="rules")


# Mail --------------------------------------------------------------------------------------------------------


def _mail(
    server: Server, record: Record, kind: str, entrants: Sequence[int], about: Mapping[str, object], key: str
) -> None:
    """Queue an email to the accounts of these entrants."""
    at = deadlines.now(server)
    with server.store.transaction("mail") as transaction:
        for number in dict.fromkeys(entrants):
            entrant = record.entrants[number]
            for account in entrant.members or (entrant.account,):
                if account and not account.startswith(BOT):
                    outbox.queue(transaction, kind, at=at, key=key, account=account, about=about)


def invite(server: Server, record: Record) -> None:
    """Queue an invitation for every unconfirmed entry; a second call changes nothing."""
    invited = [entrant for entrant in record.entrants.values() if entrant.state == "invited" and entrant.account]
    for entrant in invited:
        about = {"tournament": record.id}
        _mail(
            server, record, "tournament-invitation", [entrant.number], about, f"{record.id}/{entrant.number}/invited"
        )


def announce_round(server: Server, record: Record, round: Round) -> None:
    """Queue an email with the pairings of a started round to every entrant in it, each with the same signed head."""
    signed = msgspec.to_builtins(head(server, record, round.number))
    entrants = [number for pairing in round.pairings for number in pairing.entrants]
    entrants += [bye.entrant for bye in round.byes if record.entrants[bye.entrant].state == "confirmed"]
    about = {"tournament": record.id, "round": round.number, "head": signed}
    _mail(server, record, "tournament-round", entrants, about, f"{record.id}/{round.number}/started")


def announce_close(server: Server, record: Record, round: Round) -> None:
    """Queue an email with the standings after a closed round to every entrant, with the signed head of the round."""
    signed = msgspec.to_builtins(head(server, record, round.number))
    about = {"tournament": record.id, "round": round.number, "head": signed}
    entrants = [entrant.number for entrant in record.took_part()]
    _mail(server, record, "tournament-standings", entrants, about, f"{record.id}/{round.number}/closed")

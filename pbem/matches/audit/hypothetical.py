"""What if? An exchange played again on a copy, from a changed position, with the same orders and the same dice.

Nothing of it is kept and nothing of it counts. It shows what a modifier, a marker or a place has done: take it away
and compare. As it could tell of hidden things it is for those who may look at everything, and for all once the match
is open.
"""

from __future__ import annotations

import msgspec

from pbem.engine.play import resolve as engine
from pbem.engine.rules.findings import seen_by
from pbem.engine.rules.refusals import Illegal, Objection
from pbem.matches.history import replay
from pbem.matches.history.record import Record
from pbem.matches.history.replay import answers_of, autos_of, dice_of, findings_of, record_of, stream_of
from pbem.matches.history.telling import Told, told
from pbem.matches.rulings import corrections, rulings
from pbem.matches.server import Server

MARK = "Hypothetical"


class Hypothesis(msgspec.Struct, frozen=True):
    """What an exchange brought and what it would have brought; `only_then` and `only_now` are where they differ."""

    exchange: int
    changes: tuple[str, ...]
    was: tuple[Told, ...]
    would_be: tuple[Told, ...]
    only_then: tuple[str, ...]
    only_now: tuple[str, ...]
    mark: str = MARK


def what_if(server: Server, match: str, viewer: str, exchange: int, text: str) -> Hypothesis:
    """Play an exchange again on a copy whose position was changed by pointing, as `corrections` reads it."""
    record = record_of(server, match)
    entry = record.exchange(exchange)
    if entry is None or entry.resolved is None or exchange == 1:
        raise _refuse(f"exchange {exchange} does not stand")
    before: Record = server.record(stream_of(match), entry.event.version - 1)
    here = replay.replayed(server, match, before)
    if here.mark is None or not rulings.at_step_start(here):
        raise _refuse("a step of the rules was under way there; take the exchange in which it began")
    changes = corrections.changes_in(here, text)
    replay.correct(here, list(changes))
    if flaws := list(here.rules.flaws(here.run.state)):
        raise Illegal("what if", [Objection("pbem/what-if", flaw) for flaw in flaws])
    answers = {seat: given.answer for seat, given in answers_of(server, entry).items()}
    if not rulings.fits(here, entry, answers):
        raise _refuse("with this change the rules would have asked something else, or an order would be illegal")
    minds = replay.minds_of(server, here, msgspec.structs.replace(entry, resolved=None))
    answerer = rulings.as_before(autos_of(server, entry), engine.by_minds(minds))
    resolution = engine.resolve(here.run, answers, dice_of(server, match, entry), answerer, here.waits)
    was = told(here.rules, findings_of(server, entry, viewer))
    would_be = told(here.rules, seen_by(resolution.findings, viewer))
    then, now = [one.text for one in was], [one.text for one in would_be]
    return Hypothesis(
        exchange,
        tuple(filter(None, (line.strip() for line in text.splitlines()))),
        tuple(was),
        tuple(would_be),
        tuple(one for one in then if one not in now),
        tuple(one for one in now if one not in then),
    )


def _refuse(why: str) -> Illegal:
    return Illegal("what if", [Objection("pbem/what-if", why)])

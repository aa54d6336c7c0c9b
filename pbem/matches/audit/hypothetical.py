"""What if? An exchange played again on a copy, from a changed position, with the same orders and the same dice.

The result is not kept and does not change the match. It shows the effect of a modifier, a marker or a place: remove
it and compare. It could reveal hidden units, so only accounts that may look at everything can use it; once the match
is open, everyone can.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from pbem.engine.play import resolve as engine
from pbem.engine.rules.findings import Finding, seen_by
from pbem.engine.rules.recompute import net_of
from pbem.engine.rules.refusals import Illegal, Objection, Unreadable
from pbem.engine.rules.title import Rules
from pbem.engine.text.messages import Message, say
from pbem.matches.history import replay
from pbem.matches.history.record import Record
from pbem.matches.history.replay import answers_of, autos_of, dice_of, findings_of, record_of, stream_of
from pbem.matches.history.telling import Told, sentences_of
from pbem.matches.rulings import corrections, rulings
from pbem.matches.server import Server

MARK = "Hypothetical"


class Hypothesis(msgspec.Struct, frozen=True):
    """The real and the hypothetical results of an exchange; `only_then` and `only_now` list the differences."""

    exchange: int
    changes: tuple[str, ...]
    was: tuple[Told, ...]
    would_be: tuple[Told, ...]
    only_then: tuple[Message, ...]
    only_now: tuple[Message, ...]
    mark: str = MARK


def what_if(server: Server, match: str, viewer: str, exchange: int, text: str) -> Hypothesis:
    """Play an exchange again on a copy whose position is changed by `text`, as `corrections` reads it."""
    record = record_of(server, match)
    entry = record.exchange(exchange)
    if entry is None or entry.resolved is None or exchange == 1:
        raise _refuse(say("exchange {exchange} was overruled or has no result", exchange=exchange))
    before: Record = server.record(stream_of(match), entry.event.version - 1)
    here = replay.position_of(server, match, before)
    if here.mark is None or not rulings.at_step_start(here):
        raise _refuse(say("a step of the rules was in progress at that point; choose the exchange in which it began"))
    changes = corrections.changes_in(here, text)
    replay.correct(here, list(changes))
    if flaws := list(here.rules.flaws(here.run.state)):
        raise Illegal("what if", [Objection("pbem/what-if", flaw) for flaw in flaws])
    answers = {seat: given.answer for seat, given in answers_of(server, entry).items()}
    if not rulings.fits(here, entry, answers):
        raise _refuse(
            say(
                "with this change the rules would have asked for a different decision, or an order would have "
                "been illegal"
            )
        )
    minds = replay.minds_of(server, here, msgspec.structs.replace(entry, resolved=None))
    answerer = rulings.as_before(autos_of(server, entry), engine.by_minds(minds))
    resolution = engine.resolve(here.run, answers, dice_of(server, match, entry), answerer, here.waits)
    was = sentences_of(here.rules, findings_of(server, entry, viewer))
    would_be = sentences_of(here.rules, seen_by(resolution.findings, viewer))
    then, now = [one.text for one in was], [one.text for one in would_be]
    return Hypothesis(
        exchange,
        tuple(filter(None, (line.strip() for line in text.splitlines()))),
        tuple(was),
        tuple(would_be),
        tuple(one for one in then if one not in now),
        tuple(one for one in now if one not in then),
    )


def _refuse(why: Message | str) -> Illegal:
    return Illegal("what if", [Objection("pbem/what-if", why)])


# A modifier --------------------------------------------------------------------------------------------------


class Reworked(msgspec.Struct, frozen=True):
    """A sentence with its real and its hypothetical numbers; `differences` are in words."""

    exchange: int
    sentence: int
    modifier: str
    value: int
    was: tuple[Told, ...]
    would_be: tuple[Told, ...]
    differences: tuple[str, ...]
    mark: str = MARK


def what_if_modifier(
    server: Server, match: str, viewer: str, exchange: int, sentence: int, modifier: str, value: int
) -> Reworked:
    """Recompute one sentence of a report with another value of a modifier, and the same dice and table.

    Only the finding that the viewer may read is used, so nothing hidden can show. The later
    consequences of a different result are not played out.
    """
    record = record_of(server, match)
    entry = record.exchange(exchange)
    if entry is None or entry.resolved is None:
        raise _refuse(say("exchange {exchange} was overruled or has no result", exchange=exchange))
    rules = server.rules(record.created.title, record.created.blobs)
    sentences = sentences_of(rules, findings_of(server, entry, viewer))
    if not 1 <= sentence <= len(sentences):
        raise _refuse(say("the report has no sentence {sentence}", sentence=sentence))
    finding = sentences[sentence - 1].finding
    names = sorted({str(row.get("text", "")) for one in tree(finding) for row in one.modifiers})
    if modifier not in names:
        raise Unreadable(modifier, [Objection("pbem/what-if", say("this sentence has no such modifier"))], names)
    if abs(value) > MOST_MODIFIER:
        raise Unreadable(
            str(value),
            [
                Objection(
                    "pbem/what-if", say("a modifier can be at most {most_modifier}", most_modifier=MOST_MODIFIER)
                )
            ],
        )
    changed = rework(rules, finding, modifier, value)
    return Reworked(
        exchange,
        sentence,
        modifier,
        value,
        tuple(sentences_of(rules, [finding])),
        tuple(sentences_of(rules, [changed])),
        tuple(dict.fromkeys(_describe_differences(finding, changed))),
    )


MOST_MODIFIER = 1000


def tree(finding: Finding) -> Iterator[Finding]:
    """Yield a finding and all findings that it rests on."""
    yield finding
    for child in finding.children:
        yield from tree(child)


def rework(rules: Rules, finding: Finding, modifier: str, value: int) -> Finding:
    """Return a finding with another value of a modifier, and with every sum, table cell and result adjusted to it."""
    nets: dict[int, int] = {}
    for one in tree(finding):
        before = net_of(one)
        after = net_of(_with_value(one, modifier, value))
        if after != before:
            nets[before] = after
    return _rework(rules, finding, modifier, value, nets)


def _with_value(finding: Finding, modifier: str, value: int) -> Finding:
    rows = tuple({**row, "value": value} if row.get("text") == modifier else row for row in finding.modifiers)
    return msgspec.structs.replace(finding, modifiers=rows)


def _rework(rules: Rules, finding: Finding, modifier: str, value: int, nets: dict[int, int]) -> Finding:
    children = tuple(_rework(rules, child, modifier, value, nets) for child in finding.children)
    found = msgspec.structs.replace(_with_value(finding, modifier, value), children=children)
    net, old_net = net_of(found), net_of(finding)
    said = finding.inputs.get("net")
    if said in nets and (net == old_net or not finding.modifiers):
        found = _with_net(found, said, nets[said])
    elif net != old_net:
        found = _with_net(found, old_net, net)
    if found == finding:
        return finding
    numbers = rules.recompute_values(found)
    if numbers is None and found.dice:
        raise _refuse(say("the result of {rule} cannot be recomputed for this title", rule=finding.rule))
    numbers = numbers or {}
    inputs = {**found.inputs, **{name: one for name, one in numbers.items() if name != "result" and one is not None}}
    result = numbers.get("result", found.result)
    return msgspec.structs.replace(found, inputs=inputs, result=found.result if result is None else result)


def _with_net(finding: Finding, before: int, after: int) -> Finding:
    """Replace the sum of modifiers, including where it names a row of the table."""
    inputs = {**finding.inputs, "net": after} if finding.inputs.get("net") == before else finding.inputs
    cell = finding.cell
    if isinstance(cell, list | tuple) and before in cell:
        place = len(cell) - 1 - list(cell)[::-1].index(before)
        cell = [after if number == place else one for number, one in enumerate(cell)]
    return msgspec.structs.replace(finding, inputs=inputs, cell=cell)


def _describe_differences(was: Finding, would_be: Finding) -> Iterator[str]:
    """Describe where the numbers differ."""
    for old, new in zip(tree(was), tree(would_be), strict=True):
        for name in sorted({*old.inputs, *new.inputs}):
            if old.inputs.get(name) != new.inputs.get(name):
                what = name.replace("_", " ")
                yield f"{old.rule}: {what} {new.inputs.get(name)} instead of {old.inputs.get(name)}"
        if old.result != new.result:
            yield f"{old.rule}: the result is {new.result}, not {old.result}"

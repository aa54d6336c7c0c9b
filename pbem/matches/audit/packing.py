"""The audit pack: one file with everything needed to check a match without a server.

It is a ZIP archive with the export, the page that verifies it, the heads of all exchanges, the format, and the match
as one HTML page: the map as a film, reports with rules and dice, disputes and rulings.
"""

from __future__ import annotations

import io
import zipfile
from html import escape
from importlib import resources

import msgspec

from pbem.engine.rules.findings import PUBLIC
from pbem.engine.rules.refusals import Refusal
from pbem.matches import views
from pbem.matches.audit import playback
from pbem.matches.clock.deadline_rules import in_words
from pbem.matches.events import MatchEnded, each
from pbem.matches.exchange import ending
from pbem.matches.history.export import export
from pbem.matches.history.record import Record
from pbem.matches.history.replay import record_of
from pbem.matches.history.telling import Told
from pbem.matches.names import scenario_name, seat_name, title_name, turn_heading, turn_word
from pbem.matches.rulings import disputes
from pbem.matches.server import Server
from pbem.titles.rule_texts import RuleText, rule_text

FIXED = (1980, 1, 1, 0, 0, 0)
"""The date of every file in a pack, so that the same match gives the same pack."""

STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem;color:#222}"
    "h1,h2{font-family:Georgia,serif;line-height:1.2}ul{list-style:none;padding:0}li{margin:.2rem 0}"
    ".rule{border:1px solid #bbb;border-radius:.25rem;padding:0 .3rem;color:#555;font:.8rem monospace}"
    ".dice{font-family:monospace}summary{cursor:pointer}details p{margin:.2rem 0 .6rem 1.2rem;color:#444}"
    "code{word-break:break-all}@media print{body{max-width:none}summary{list-style:none}}"
)


def pack(server: Server, match: str, viewer: str) -> bytes:
    """Return the pack of a match as a viewer may have it."""
    record = record_of(server, match)
    heads = [ending.signed_head(server, match, entry) for entry in record.resolved]
    heads.append(ending.newest_head(server, match))
    guide, site = resources.files("pbem") / "guide", resources.files("pbem") / "web" / "static"
    files = {
        "README.txt": _readme(server, record, viewer).encode(),
        f"{match}-{viewer}.jsonl": export(server, match, viewer),
        "heads.json": msgspec.json.format(msgspec.json.encode(heads)),
        "verify.html": (site / "verify.html").read_bytes(),
        "format.md": (guide / "format.md").read_bytes(),
        "match.html": as_page(server, match, viewer).encode(),
    }
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, FIXED), content, zipfile.ZIP_DEFLATED)
    return found.getvalue()


def _readme(server: Server, record: Record, viewer: str) -> str:
    match = record.stream.removeprefix("match/")
    return (
        f"{record.created['name']} ({match}), as {viewer} may see it.\n\n"
        f"Server key: {server.id}\n"
        "Compare it with the key on the server's own pages or in your emails.\n\n"
        f"To verify: open verify.html in a browser and choose {match}-{viewer}.jsonl, or run\n"
        f"  pbem verify {match}-{viewer}.jsonl --server {server.id}\n"
        "Neither needs a network. heads.json has the signed head of every exchange, match.html the match to read.\n"
    )


def as_page(server: Server, match: str, viewer: str) -> str:
    """Return the match as one HTML page that opens from disk: the map as a film, reports, dice, disputes, rulings."""
    record = record_of(server, match)
    name = escape(record.created.name)
    game = title_name(server, record.created.title)
    scenario = scenario_name(server, record.created.title, record.created.scenario)
    reader = "everybody" if viewer == PUBLIC else seat_name(server, viewer)
    body = [f"<h1>{name}</h1><p>{escape(game)}, {escape(scenario)}, as {escape(reader)} may read it.</p>"]
    body.append(playback.as_section(playback.frames(server, record, viewer)))
    body += [
        _report(server, record, match, viewer, entry.exchange) for entry in record.resolved if entry.exchange > 1
    ]
    body.append(_rulings(server, record))
    return (
        f'<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>{name}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{STYLE}{playback.STYLE}</style>"
        f"{''.join(body)}</html>\n"
    )


def _report(server: Server, record: Record, match: str, viewer: str, exchange: int) -> str:
    try:
        report = views.report(server, match, viewer, exchange)
    except Refusal:
        return ""
    edition = str(record.created.options.get("edition", ""))
    lines = [
        f'<li{_indent(told.depth)} id="s{exchange}.{number}">'
        f"{_sentence(told, rule_text(record.created.title, told.rule, edition))}</li>"
        for number, told in enumerate(report.told, 1)
    ]
    turn = turn_heading(report.turn, turn_word(server, record.created.title))
    rolls = ", ".join(f"{escape(roll.rule)} d{roll.sides}: {roll.result}" for roll in report.rolls)
    return (
        f"<section><h2>{turn} (report {exchange})</h2><ul>{''.join(lines)}</ul>"
        f"<p>Rolls: {rolls or 'none'}</p><p>Head <code>{report.head.event}</code></p></section>"
    )


def _indent(depth: int) -> str:
    return f' style="margin-left:{depth}rem"' if depth else ""


def _sentence(told: Told, ours: RuleText | None) -> str:
    """Return a sentence with its rule and dice; if we have the rule's text, readers can unfold it."""
    number, text = told.number, str(told.body)
    rule = f'<span class="rule">{escape(number)}</span> ' if number != "pbem" else ""
    dice = f' <span class="dice">[{", ".join(map(str, told.dice))}]</span>' if told.dice else ""
    said = f"{rule}{escape(text)}{dice}"
    if ours is None:
        return said
    return f"<details><summary>{said}</summary><p>{escape(str(ours.heading))}: {escape(str(ours.text))}</p></details>"


def _rulings(server: Server, record: Record) -> str:
    said = []
    for found in disputes.disputes(record):
        decision = f"{found.verdict or 'decided'}: {found.answer}" if found.answer else "open"
        under = f" under rule {found.rule}" if found.rule else ""
        who = seat_name(server, found.seat)
        said.append(f"Dispute {found.number}, {who} on {found.named}{under}: {decision}")
    for event, ruling in disputes.rulings_of(record):
        what = event.type.partition(".")[2]
        said.append(f"{in_words(event.recorded_at)}: ruling, {what}: {ruling.reason}")
    for event, end in each(record.events, MatchEnded):
        winner = end.outcome.get("winner")
        result = f"{seat_name(server, winner)} won" if winner else "a draw"
        said.append(f"{in_words(event.recorded_at)}: the match ended, {result}")
    items = "".join(f"<li>{escape(one)}</li>" for one in said)
    return f"<section><h2>Disputes, rulings and the end</h2><ul>{items}</ul></section>"

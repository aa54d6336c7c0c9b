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

from pbem.engine.rules.refusals import Refusal
from pbem.matches import views
from pbem.matches.audit import playback
from pbem.matches.clock.deadline_rules import in_words
from pbem.matches.events import MatchEnded, each
from pbem.matches.exchange import ending
from pbem.matches.history.export import export
from pbem.matches.history.record import Record
from pbem.matches.history.replay import record_of
from pbem.matches.rulings import disputes
from pbem.matches.server import Server
from pbem.titles.rule_texts import rule_text

FIXED = (1980, 1, 1, 0, 0, 0)
"""The date of every file in a pack, so that the same match gives the same pack."""

STYLE = (
    "body{font:16px/1.5 Georgia,serif;max-width:50rem;margin:2rem auto;padding:0 1rem}"
    "li{margin:.2rem 0}.rule{color:#666}.dice{font-family:monospace}@media print{body{max-width:none}}"
    "section{page-break-inside:avoid}details{margin-left:1rem}code{word-break:break-all}"
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
    body = [f"<h1>{name}</h1><p>{escape(record.created['title'])}, {escape(record.created['scenario'])}</p>"]
    body.append(playback.as_section(playback.frames(server, record, viewer)))
    body += [
        _report(server, record, match, viewer, entry.exchange) for entry in record.resolved if entry.exchange > 1
    ]
    body.append(_rulings(server, record))
    return (
        f'<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>{name}</title>'
        f"<style>{STYLE}{playback.STYLE}</style>"
        f"{''.join(body)}</html>\n"
    )


def _report(server: Server, record: Record, match: str, viewer: str, exchange: int) -> str:
    try:
        report = views.report(server, match, viewer, exchange)
    except Refusal:
        return ""
    lines = []
    for number, told in enumerate(report.told, 1):
        dice = f' <span class="dice">[{", ".join(map(str, told.dice))}]</span>' if told.dice else ""
        ours = rule_text(record.created.title, told.rule, str(record.created.options.get("edition", "")))
        text = (
            f"<details><summary>rule</summary>{escape(ours.heading)}: {escape(ours.text)}</details>" if ours else ""
        )
        indent = f' style="margin-left:{told.depth}rem"' if told.depth else ""
        rule = f' <span class="rule">{escape(told.rule)}</span>'
        lines.append(f'<li{indent} id="s{exchange}.{number}">{escape(told.text)}{rule}{dice}{text}</li>')
    rolls = ", ".join(f"{escape(roll.rule)} d{roll.sides}: {roll.result}" for roll in report.rolls)
    return (
        f"<section><h2>Turn {report.turn}, exchange {exchange}</h2><ul>{''.join(lines)}</ul>"
        f"<p>Rolls: {rolls or 'none'}</p><p>Head <code>{report.head.event}</code></p></section>"
    )


def _rulings(server: Server, record: Record) -> str:
    said = []
    for found in disputes.disputes(record):
        decision = f"{found.verdict or 'decided'}: {found.answer}" if found.answer else "open"
        said.append(f"Dispute {found.number} of {found.seat} on {found.place} {found.rule}: {decision}")
    for event, ruling in disputes.rulings_of(record):
        what = event.type.partition(".")[2]
        said.append(f"{in_words(event.recorded_at)}: ruling, {what}: {ruling.reason}")
    for event, end in each(record.events, MatchEnded):
        said.append(f"{in_words(event.recorded_at)}: the match ended, {end.outcome.get('winner') or 'a draw'}")
    items = "".join(f"<li>{escape(one)}</li>" for one in said)
    return f"<section><h2>Disputes, rulings and the end</h2><ul>{items}</ul></section>"

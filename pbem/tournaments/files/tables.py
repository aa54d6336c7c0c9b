"""Standings, crosstable, pairings and entrants as plain rows, for pages, CSV and JSON.

They never contain addresses.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any

import msgspec

from pbem.engine.text.messages import Message
from pbem.tournaments.model import Round
from pbem.tournaments.ranking.crosstable import Line, seed_order
from pbem.tournaments.ranking.standings import Standing, standings
from pbem.tournaments.ranking.tie_breaks import LABELS, hundredths_in_words
from pbem.tournaments.record import Record

BYES = {"pairing": "bye", "full": "full-point bye", "half": "half-point bye", "zero": "not paired"}


def points(tenths: int) -> str:
    """Return points as people write them, such as 2½."""
    return hundredths_in_words(10 * tenths)


def standings_rows(rows: Sequence[Standing]) -> list[dict[str, Any]]:
    """Return one row for each place."""
    return [
        {
            "place": row.place,
            "entrant": row.entrant,
            "name": row.name,
            "points": points(row.points),
            "played": row.played,
            **{value.name: hundredths_in_words(value.value) for value in row.tie_breaks},
            "note": row.note,
        }
        for row in rows
    ]


def cell(line: Line, places: dict[int, int]) -> str:
    """Return an entrant's round as a cell: opponent's place, side and result, such as 12w½; w is the first side."""
    if line.bye is not None:
        return f"{BYES[line.bye]} {points(line.points)}"
    opponents = "/".join(str(places.get(other, other)) for other in line.opponents)
    side = "wb"[line.side] if line.side is not None and line.side < 2 else ""
    if line.kind == "open":
        return f"{opponents}{side} …"
    mark = {"forfeit": "f", "by_hand": "*", "adjudicated": "a", "double_loss": "d", "conceded": "c"}.get(
        line.kind, ""
    )
    return f"{opponents}{side}{points(line.points)}{mark}"


def crosstable_rows(rows: Sequence[Standing]) -> list[dict[str, Any]]:
    """Return all entrants' rounds in the order of the standings."""
    places = {row.entrant: at for at, row in enumerate(rows, 1)}
    return [
        {
            "number": at,
            "name": row.name,
            "points": points(row.points),
            **{f"round {line.round}": cell(line, places) for line in row.lines},
        }
        for at, row in enumerate(rows, 1)
    ]


def pairing_rows(record: Record, round: Round) -> list[dict[str, Any]]:
    """Return the boards of a round with their results, then the byes."""
    found = []
    for pairing in round.pairings:
        result = round.results.get(pairing.number)
        found.append(
            {
                "board": pairing.number,
                "group": pairing.group,
                "first": record.entrants[pairing.entrants[0]].name,
                "second": " / ".join(record.entrants[number].name for number in pairing.entrants[1:]),
                "scenario": pairing.legs[0].scenario if pairing.legs else "",
                "result": " : ".join(map(points, result.points)) if result else "",
                "kind": result.kind.replace("_", " ") if result else "",
            }
        )
    for bye in round.byes:
        name = record.entrants[bye.entrant].name
        if record.entrants[bye.entrant].state == "confirmed" or bye.kind != "zero":
            points_ = points(record.settings.points.bye(bye.kind))
            row = {"board": "", "group": "", "first": name, "second": BYES[bye.kind], "scenario": ""}
            found.append({**row, "result": points_, "kind": "bye"})
    return found


def entrant_rows(record: Record) -> list[dict[str, Any]]:
    """Return the entrants in seed order, then the waiting list."""
    seeds = {number: seed for seed, number in enumerate(seed_order(record), 1)}
    rows = [
        {
            "seed": seeds.get(entrant.number, ""),
            "entrant": entrant.number,
            "name": entrant.name,
            "rating": entrant.rating or "",
            "state": entrant.state,
            "members": ", ".join(entrant.members) if record.settings.boards > 1 else "",
            "byes": ", ".join(f"{round} ({kind})" for round, kind in sorted(entrant.byes.items())),
        }
        for entrant in record.entrants.values()
    ]
    return sorted(rows, key=lambda row: (row["seed"] == "", row["seed"] or row["entrant"]))


def labels(record: Record) -> dict[str, Message]:
    """Return the headings of the tie-breaks."""
    return {name: LABELS[name] for name in record.settings.tie_breaks}


def to_csv(rows: Sequence[dict[str, Any]]) -> str:
    """Return rows as CSV. A cell that a spreadsheet would read as a formula gets an apostrophe in front."""
    text = io.StringIO()
    if rows:
        columns = list(dict.fromkeys(name for row in rows for name in row))
        writer = csv.writer(text, lineterminator="\r\n")
        writer.writerow(columns)
        for row in rows:
            writer.writerow([_safe(row.get(name, "")) for name in columns])
    return text.getvalue()


def _safe(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t") else value


def to_json(record: Record) -> dict[str, Any]:
    """Return the whole tournament as data: settings, entrants, rounds, standings with every tie-break explained."""
    rows = standings(record)
    settings = msgspec.to_builtins(record.settings, str_keys=True)
    return {
        "id": record.id,
        "name": record.settings.name,
        "title": record.settings.title,
        "settings": {name: value for name, value in settings.items() if name != "blobs"},
        "entrants": entrant_rows(record),
        "rounds": [
            {
                "round": number,
                "closed": round.closed,
                "deadline": round.deadline,
                "pairings": pairing_rows(record, round),
            }
            for number, round in sorted(record.rounds.items())
        ],
        "standings": [
            {**row, "explained": standing.explained()}
            for row, standing in zip(standings_rows(rows), rows, strict=True)
        ],
        "ended": record.ended,
        "version": record.version,
    }

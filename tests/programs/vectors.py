"""Write `pbem/guide/vectors.json`, the test vectors of the export format: `cd tests && python -m
programs.vectors`."""

from __future__ import annotations

import hashlib
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from pbem.matches.exchange import ending

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.forgeries.beacon import another_round, closed_later, two_exchanges, without_value
from support.forgeries.forging import Lines, events_of, first, insert_before, lines_of, remove, signed_anew
from support.playing import a_match, a_server, close_now

from eventstore import canonical, commitment, digest
from pbem.engine.play.dice import context, die, step_down
from pbem.engine.rules.title import Submission
from pbem.matches.audit.verify import verify_export
from pbem.matches.exchange import resolving, sealing
from pbem.matches.history.beacons import Terms, Value
from pbem.matches.history.export import export, read_export
from pbem.matches.history.receipts import Signer
from pbem.matches.history.replay import record_of

TARGET = Path(__file__).parents[2] / "pbem" / "guide" / "vectors.json"


def vectors() -> dict[str, Any]:
    """Return all test vectors: the building blocks, and whole exports with the verdict on each."""
    return {"format": 1, **blocks(), "exports": exports()}


def blocks() -> dict[str, Any]:
    rung, salt = hashlib.sha256(b"rung").digest(), hashlib.sha256(b"salt").digest()
    values = [{"b": [1, -2, None, True], "a": 'é \u2028 " \\ \n \x1f 😀'}, {}, [], 2**53, "\x7f"]
    answers = {"red": "11" * 32, "blue": None}
    about = context("abcdefgh", 4, answers.items())
    lit = context("abcdefgh", 4, answers.items(), "33" * 32)
    terms = Terms("night", 1_500_000_000, 30, 60)
    names = [("6.2", ["r1", "b2"], 0, 6), ("6.2", ["r1", "b2"], 1, 6), ("2", ["blue"], 0, 100), ("1", [], 0, 3)]
    signer = Signer(hashlib.sha256(b"server").digest())
    body = {"match": "abcdefgh", "exchange": 4, "event": "22" * 32}
    return {
        "canonical": [{"value": value, "text": canonical(value).decode()} for value in values],
        "digest": [
            {"pieces": ["ab", "c"], "hex": digest("ab", "c")},
            {"pieces": ["a", "bc"], "hex": digest("a", "bc")},
        ],
        "commitment": [
            {"salt": salt.hex(), "text": text, "hex": commitment(salt, text.encode())}
            for text in ("", "x" * 1016, "x" * 1017)
        ],
        "ladder": [{"rung": rung.hex(), "steps": steps, "hex": step_down(rung, steps).hex()} for steps in (0, 1, 5)],
        "beacon": {
            "terms": msgspec.to_builtins(terms),
            "rounds": [
                {"closed": closed, "round": terms.round_after(closed)}
                for closed in (0, 1_500_000_000_000, 1_500_000_000_001, 1_600_000_000_000, 1_600_000_009_999)
            ],
            "context": {"match": "abcdefgh", "exchange": 4, "answers": answers, "beacon": "33" * 32, "hex": lit},
        },
        "context": {"match": "abcdefgh", "exchange": 4, "answers": answers, "beacon": "", "hex": about},
        "rolls": [
            {"rung": rung.hex(), "context": about, "rule": rule, "subjects": subjects, "ordinal": ordinal}
            | {"sides": sides, "result": die(rung, about, rule, subjects, ordinal, sides)}
            for rule, subjects, ordinal, sides in names
        ],
        "signature": {"server": signer.server, "body": body, "hex": signer.sign(body)},
    }


def exports() -> list[dict[str, Any]]:
    """Return the export of a short, honest match, and forgeries of it that the server itself has signed."""
    with tempfile.TemporaryDirectory() as folder:
        server = a_server(Path(folder), "vectors")
        match = a_match(server)
        receipt = sealing.seal(server, match, "red", 2, Submission({"r1": "go2"}), text="r1 go2", final=True)
        sealing.seal(server, match, "blue", 2, Submission({}), final=True)
        close_now(server, match, 2)
        resolving.resolve(server, match)
        head = ending.signed_head(server, match, record_of(server, match).resolved[-1])
        content = export(server, match, "red")
        found = [_case("honest", content, server.id, [receipt], [head])]
        for change in (
            *(changed_rung, early, not_final, taken_seat, unknown_type, withdrawn, cut, ruling_by_nobody),
            *(read_by_the_other_side, a_field_too_many, no_deadline_was_agreed, nothing_missed, no_such_act),
            *(over_while_it_asks, no_letter),
        ):
            lines = lines_of(content)
            change(lines)
            name = change.__name__.replace("_", " ")
            given = ([receipt], []) if change is withdrawn else ([], [head]) if change is cut else ([], [])
            found.append(_case(name, signed_anew(server, lines), server.id, *given))
        found.append(_case("another key", content, "00" * 32, [], []))
    return found + beacon_exports()


def beacon_exports() -> list[dict[str, Any]]:
    """Return the export of an honest match with a public beacon, and forgeries of it."""
    with tempfile.TemporaryDirectory() as folder:
        server, match, values = two_exchanges(Path(folder))
        content, other = export(server, match, "red"), [Value(values[0].round, "00" * 32)]
        found = [_case("honest beacon", content, server.id, [], [], values)]
        found.append(_case("other beacon published", content, server.id, [], [], other))
        for change in (another_round, without_value, closed_later):
            lines = lines_of(content)
            change(lines)
            name = f"beacon {change.__name__.replace('_', ' ')}"
            found.append(_case(name, signed_anew(server, lines), server.id, [], []))
        return found


def _case(
    name: str, content: bytes, server: str, receipts: list[Any], heads: list[Any], beacon: Sequence[Value] = ()
) -> dict[str, Any]:
    found = read_export(content)
    verdict = verify_export(found, server=server, receipts=receipts, heads=heads, beacon=beacon).codes
    assert name.startswith("honest") == (verdict == []), (name, verdict)
    given = {"receipts": msgspec.to_builtins(receipts), "heads": msgspec.to_builtins(heads)}
    given |= {"beacon": msgspec.to_builtins(list(beacon))} if beacon else {}
    return {"name": name, "server": server, **given, "verdict": verdict, "export": content.decode().splitlines()}


def changed_rung(lines: Lines) -> None:
    first(lines, "exchange.resolved", exchange=2)["payload"]["rung"] = "33" * 32


def early(lines: Lines) -> None:
    first(lines, "exchange.closed", exchange=2)["payload"]["why"] = "deadline"


def not_final(lines: Lines) -> None:
    remove(lines, first(lines, "order.final", seat="blue"))
    first(lines, "exchange.closed", exchange=2)["payload"]["why"] = "final"


def taken_seat(lines: Lines) -> None:
    insert_before(lines, first(lines, "order.sealed"), "seat.left", seat="red", why="handed over")
    insert_before(lines, first(lines, "order.sealed"), "seat.taken", seat="red", account="eve")


def unknown_type(lines: Lines) -> None:
    insert_before(lines, first(lines, "order.sealed"), "dice.loaded", exchange=2)


def withdrawn(lines: Lines) -> None:
    insert_before(lines, first(lines, "order.sealed", seat="blue"), "order.withdrawn", seat="red", exchange=2)


def cut(lines: Lines) -> None:
    lines.remove({"event": events_of(lines)[-1]})


def ruling_by_nobody(lines: Lines) -> None:
    last = events_of(lines)[-1]
    at = lines.index({"event": last})
    said = {"after": 1, "reason": "no reason", "by": "eve"}
    lines.insert(at + 1, {"event": {**last, "type": "ruling.reopened", "schema": 1, "payload": said, "parts": []}})


def read_by_the_other_side(lines: Lines) -> None:
    first(lines, "order.sealed", seat="red")["parts"][0]["audience"] = "blue"


def a_field_too_many(lines: Lines) -> None:
    first(lines, "order.final")["payload"]["hint"] = "x"


def no_deadline_was_agreed(lines: Lines) -> None:
    said = {"exchange": 2, "at": 2 * first(lines, "order.sealed")["recorded_at"], "why": "soon", "cause": "opened"}
    insert_before(lines, first(lines, "order.sealed"), "deadline.set", **said)


def nothing_missed(lines: Lines) -> None:
    insert_before(lines, first(lines, "order.sealed"), "deadline.missed", exchange=2, seats=["red"])


def no_such_act(lines: Lines) -> None:
    master = events_of(lines)[0]["payload"]["master"]
    insert_before(lines, first(lines, "order.sealed"), "master.acted", by=master, act="bribe", why="x")


def over_while_it_asks(lines: Lines) -> None:
    events_of(lines)[0]["payload"]["opens"] = "round"
    outcome = {"rule": "1", "winner": "blue", "why": "because"}
    last = events_of(lines)[-1]
    at = lines.index({"event": last})
    said = {"outcome": outcome, "exchange": 2}
    lines.insert(at + 1, {"event": {**last, "type": "match.ended", "schema": 1, "payload": said, "parts": []}})


def no_letter(lines: Lines) -> None:
    insert_before(lines, first(lines, "order.sealed"), "press.delivered", exchange=2, letter=1)


if __name__ == "__main__":
    TARGET.write_bytes(msgspec.json.format(msgspec.json.encode(vectors()), indent=1) + b"\n")

"""Tamper with exports at random, with and without the server's key, and count what the verifier finds.

Each tampering changes a real export in one way. A tamperer without the key can recompute the chain and every
commitment, but not sign; the server itself can do all of that. Whether a change is found then depends on the
records that players have: none, one receipt, one signed head, or all of them.
"""

from __future__ import annotations

import base64
import json
import re
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from importlib import resources
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from eventstore import Event, canonical, commitment, event_hash
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.title import Title
from pbem.matches import views
from pbem.matches.audit.verify import verify_export
from pbem.matches.clock import deadlines, tick
from pbem.matches.events import OrderSealed, each
from pbem.matches.exchange.ending import newest_head, signed_head
from pbem.matches.history.export import export, read_export
from pbem.matches.history.receipts import Receipt, SignedHead, Signer
from pbem.matches.history.replay import record_of
from pbem.matches.installation import open_server
from pbem.tools.soak.matches import bot_match

Lines = list[dict[str, Any]]
Tampering = Callable[[Lines, Random], None]
Verdict = list[tuple[int, str]]
GIVEN = ("nothing", "one receipt", "one head", "all heads and receipts")


def lines_of(content: bytes) -> Lines:
    return [msgspec.json.decode(line) for line in content.splitlines()]


def events_of(lines: Lines) -> list[dict[str, Any]]:
    return [line["event"] for line in lines if "event" in line]


# Ways to tamper ----------------------------------------------------------------------------------------------


def change_number(lines: Lines, random: Random) -> None:
    """Change a whole number in the payload of an event."""
    found = [(e, name) for e in events_of(lines) for name, value in e["payload"].items() if type(value) is int]
    event, name = random.choice(found)
    event["payload"][name] += random.choice([-2, -1, 1, 2, 7])


def change_word(lines: Lines, random: Random) -> None:
    """Replace a word in an event's payload with another that occurs in the log."""
    found = [(e, name) for e in events_of(lines) for name, value in e["payload"].items() if isinstance(value, str)]
    event, name = random.choice(found)
    other = random.choice([e["payload"][n] for e, n in found])
    event["payload"][name] = other if other != event["payload"][name] else f"{other}x"


def change_detail(lines: Lines, random: Random) -> None:
    """Change a value somewhere inside the payload of an event, remove one, or add one."""
    places: list[tuple[Any, Any]] = []
    event = random.choice(events_of(lines))
    _places(event["payload"], places)
    if not places:
        return
    holder, name = random.choice(places)
    if random.random() < 0.3 and isinstance(holder, dict):
        del holder[name]
    elif random.random() < 0.2 and isinstance(holder, dict):
        holder["dispute"] = 1
    else:
        holder[name] = random.choice(OTHER_VALUES)


OTHER_VALUES: tuple[Any, ...] = ("", 0, 1, -1, 3, 10**15, True, None, "wait", "00" * 32)


def _places(value: Any, found: list[tuple[Any, Any]]) -> None:
    """Collect every place inside a value, each as its container and its name or number there."""
    names = list(value) if isinstance(value, dict) else list(range(len(value))) if isinstance(value, list) else []
    for name in names:
        found.append((value, name))
        _places(value[name], found)


def change_time(lines: Lines, random: Random) -> None:
    """Change the date of an event."""
    random.choice(events_of(lines))["recorded_at"] += random.choice([-3_600_000, -1, 1, 3_600_000])


def drop_event(lines: Lines, random: Random) -> None:
    """Leave an event out."""
    lines.remove({"event": random.choice(events_of(lines)[1:])})


def double_event(lines: Lines, random: Random) -> None:
    """Write an event twice."""
    at = random.choice([i for i, line in enumerate(lines) if "event" in line])
    lines.insert(at, msgspec.json.decode(canonical(lines[at])))


def swap_events(lines: Lines, random: Random) -> None:
    """Swap two adjacent events."""
    at = random.choice([i for i, line in enumerate(lines) if "event" in line and "event" in lines[i + 1]][1:])
    lines[at], lines[at + 1] = lines[at + 1], lines[at]


def withdraw_order(lines: Lines, random: Random) -> None:
    """Withdraw a sealed order in its player's name."""
    _after_an_order(lines, random, "order.withdrawn", ())


def replace_order(lines: Lines, random: Random) -> None:
    """Seal another order in place of one that was sealed."""
    _after_an_order(lines, random, "order.sealed", (0,))


def _after_an_order(lines: Lines, random: Random, type: str, keep: Sequence[int]) -> None:
    at = random.choice([i for i, line in enumerate(lines) if line.get("event", {}).get("type") == "order.sealed"])
    new = msgspec.json.decode(canonical(lines[at]))
    new["event"]["type"] = type
    new["event"]["parts"] = [new["event"]["parts"][i] for i in keep]
    lines.insert(at + 1, new)


def change_part(lines: Lines, random: Random) -> None:
    """Change the contents of a part, and its commitment."""
    parts = {line["part"]["commitment"]: line["part"] for line in lines if "part" in line}
    refs = [ref for event in events_of(lines) for ref in event["parts"] if ref["commitment"] in parts]
    ref = random.choice(refs)
    part = parts[ref["commitment"]]
    content = bytearray(base64.b64decode(part["content"]))
    digits = [i for i, byte in enumerate(content) if chr(byte).isdigit()] or list(range(len(content)))
    at = random.choice(digits)
    content[at] = ord(str((content[at] + 1) % 10)) if chr(content[at]).isdigit() else content[at] ^ 1
    part["content"] = base64.b64encode(bytes(content)).decode()
    part["commitment"] = ref["commitment"] = commitment(bytes.fromhex(part["salt"]), bytes(content))


def drop_part(lines: Lines, random: Random) -> None:
    """Leave out a part that the viewer may read."""
    lines.remove(random.choice([line for line in lines if "part" in line]))


def change_blob(lines: Lines, random: Random) -> None:
    """Change the frozen data that the match is played with."""
    blob = random.choice([line["blob"] for line in lines if "blob" in line])
    blob["content"] = base64.b64encode(base64.b64decode(blob["content"]) + b" ").decode()


def cut_tail(lines: Lines, random: Random) -> None:
    """End the log earlier."""
    for event in events_of(lines)[-random.randint(1, 4) :]:
        lines.remove({"event": event})


WAYS: tuple[Tampering, ...] = (
    *(change_number, change_word, change_detail, change_time, drop_event, double_event, swap_events),
    *(withdraw_order, replace_order, change_part, drop_part, change_blob, cut_tail),
)


# Repairing the chain -----------------------------------------------------------------------------------------


def join_lines(lines: Lines) -> bytes:
    return b"".join(canonical(line) + b"\n" for line in lines)


def rechain(lines: Lines) -> None:
    """Recompute versions, previous hashes and hashes, as anyone can."""
    previous = ""
    for version, body in enumerate(events_of(lines), 1):
        body["version"], body["previous"] = version, previous or body["previous"]
        body["hash"] = event_hash(msgspec.convert(body, Event))
        previous = body["hash"]


def sign_trailer(lines: Lines, signer: Signer) -> None:
    """Sign the trailer again, as only the server can."""
    body = {name: value for name, value in lines[-1]["trailer"].items() if name != "signature"}
    body["hashes"] = [event["hash"] for event in events_of(lines)]
    body["count"] = len(body["hashes"])
    lines[-1]["trailer"] = {**body, "signature": signer.sign(body)}


def tamper_once(content: bytes, way: Tampering, random: Random, signer: Signer | None) -> bytes:
    """Change an export in one way; with a signer everything is made consistent again."""
    lines = lines_of(content)
    way(lines, random)
    rechain(lines)
    if signer is not None:
        sign_trailer(lines, signer)
    return join_lines(lines)


def flip_bit(content: bytes, random: Random) -> bytes:
    """Flip one bit anywhere in the file."""
    changed = bytearray(content)
    changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


# Counting ----------------------------------------------------------------------------------------------------


class Row(msgspec.Struct):
    """How many tamperings of a kind were made, and how many were found with the players' records."""

    kind: str
    made: int = 0
    found: dict[str, int] = {}


# The verifier of the page ------------------------------------------------------------------------------------

ANSWER = """
const lines = require("node:readline").createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const { content, given } = JSON.parse(line);
  const { problems } = verify(new Uint8Array(Buffer.from(content, "base64")), given);
  console.log(JSON.stringify(problems.map(({ version, code }) => [version, code])));
});
"""


def script() -> str:
    """Return the script of the page without the parts that access the page."""
    page = resources.files("pbem.web").joinpath("static/verify.html").read_text()
    found = re.search(r"<script>(.*?)// The page -", page, re.S)
    assert found is not None, "the page has no script"
    return found[1] + ANSWER


class SecondVerifier:
    """A Node process that runs the page's script; use it as a context manager."""

    def __enter__(self) -> SecondVerifier:
        command = ["node", "-e", script()]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        return self

    def __exit__(self, *problem: object) -> None:
        self.process.communicate()

    def verdict(self, content: bytes, receipts: Sequence[Receipt], heads: Sequence[SignedHead]) -> Verdict:
        """Return where the page's verifier finds problems, and of which kinds."""
        assert self.process.stdin is not None and self.process.stdout is not None
        given = {"receipts": msgspec.to_builtins(receipts), "heads": msgspec.to_builtins(heads)}
        asked = {"content": base64.b64encode(content).decode(), "given": given}
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        return sorted({(version, code) for version, code in json.loads(self.process.stdout.readline())})


# Both verifiers ----------------------------------------------------------------------------------------------


class Bench:
    """Asks the verifier about every tampering, and a second verifier, if there is one, about one in `every`."""

    def __init__(self, second: SecondVerifier | None = None, every: int = 1) -> None:
        self.second, self.every = second, every
        self.number = self.compared = 0
        self.differences: list[str] = []

    def is_found(self, content: bytes, receipts: Sequence[Receipt], heads: Sequence[SignedHead]) -> bool:
        """Whether the verifier objects; the rules are not replayed."""
        try:
            found = verify_export(read_export(content), receipts=receipts, heads=heads).codes
        except Refusal:
            found = [(0, "unreadable")]
        if self.second is not None and self.number % self.every == 0:
            self.compared += 1
            other = self.second.verdict(content, receipts, heads)
            if other != found:
                self.differences.append(f"tampering {self.number}: {found}, the page says {other}")
        return bool(found)


def trial(
    content: bytes,
    signer: Signer,
    receipts: Sequence[Receipt],
    heads: Sequence[SignedHead],
    count: int,
    seed: int = 0,
    bench: Bench | None = None,
) -> list[Row]:
    """Tamper with an export this many times; return what was found, by kind."""
    random, bench = Random(seed), bench or Bench()
    rows: dict[str, Row] = {}
    for number in range(count):
        with_key, bench.number = number % 2 == 1, number // 2
        way = random.choice(WAYS)
        if not with_key and random.random() < 0.25:
            kind, changed = "any bit, without the key", flip_bit(content, random)
        else:
            kind = f"{way.__name__.replace('_', ' ')}, {'with' if with_key else 'without'} the key"
            changed = tamper_once(content, way, random, signer if with_key else None)
        if changed == content:
            continue
        row = rows.setdefault(kind, Row(kind))
        row.made += 1
        _count(bench, row, changed, receipts, heads, random)
    return [rows[kind] for kind in sorted(rows)]


def _count(
    bench: Bench,
    row: Row,
    changed: bytes,
    receipts: Sequence[Receipt],
    heads: Sequence[SignedHead],
    random: Random,
) -> None:
    """Count a tampering. If it is found without records, it is also found with them, so other checks are skipped."""
    if bench.is_found(changed, (), ()):
        for given in GIVEN:
            row.found[given] = row.found.get(given, 0) + 1
        return
    kept = {
        "one receipt": ([random.choice(receipts)], []),
        "one head": ([], [random.choice(heads)]),
        "all heads and receipts": (receipts, heads),
    }
    for given, (some, others) in kept.items():
        row.found[given] = row.found.get(given, 0) + bench.is_found(changed, some, others)


def table(rows: Sequence[Row]) -> str:
    """Return the rows as a Markdown table with a sum for each half."""
    said = [f"| tampering | made | {' | '.join(GIVEN)} |", f"|---|---{'|---' * len(GIVEN)}|"]
    for ending in ("without the key", "with the key"):
        half = [row for row in rows if row.kind.endswith(ending)]
        whole = Row(f"**all {ending}**", sum(row.made for row in half))
        whole.found = {given: sum(row.found.get(given, 0) for row in half) for given in GIVEN}
        for row in (*half, whole):
            said.append(f"| {row.kind} | {row.made} | {' | '.join(str(row.found.get(g, 0)) for g in GIVEN)} |")
    return "\n".join(said) + "\n"


class Subject(msgspec.Struct, frozen=True):
    """A match to tamper with: its export, the key, and all records that one seat's players could have."""

    content: bytes
    signer: Signer
    receipts: list[Receipt]
    heads: list[SignedHead]


def subject(titles: Mapping[str, Title], title: str, scenario: str, exchanges: int) -> Subject:
    """Have bots play a match on a temporary server, and export what the first seat may see."""
    with tempfile.TemporaryDirectory() as folder:
        server = open_server(Path(folder) / "pbem.db", titles)
        try:
            match = bot_match(server, title, scenario)
            while not (record := record_of(server, match)).ended and record.last < exchanges:
                tick.tick(server, deadlines.now(server))
            seat = record.seats[0]
            mine = [event for event, order in each(record.events, OrderSealed) if order.seat == seat]
            receipts = [views.receipt(server, match, event.parts[0].commitment) for event in mine]
            heads = [signed_head(server, match, entry) for entry in record.resolved]
            heads.append(newest_head(server, match))
            return Subject(export(server, match, seat), server.signer, receipts, heads)
        finally:
            server.close()

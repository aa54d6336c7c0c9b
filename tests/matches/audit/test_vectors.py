"""The published test vectors cover every building block of the export format, and whole exports with verdicts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
from programs.vectors import vectors

from eventstore import canonical, commitment, digest
from pbem.engine.play.dice import context, die, step_down
from pbem.matches.audit.verify import verify_export
from pbem.matches.history.beacons import Terms, Value
from pbem.matches.history.export import read_export
from pbem.matches.history.receipts import Receipt, SignedHead, signed_by

GUIDE = Path(__file__).parents[3] / "pbem" / "guide"
VECTORS: dict[str, Any] = json.loads((GUIDE / "vectors.json").read_text())


def test_the_building_blocks_give_the_published_values() -> None:
    for case in VECTORS["canonical"]:
        assert canonical(case["value"]).decode() == case["text"]
    for case in VECTORS["digest"]:
        assert digest(*case["pieces"]) == case["hex"]
    for case in VECTORS["commitment"]:
        assert commitment(bytes.fromhex(case["salt"]), case["text"].encode()) == case["hex"]
    for case in VECTORS["ladder"]:
        assert step_down(bytes.fromhex(case["rung"]), case["steps"]).hex() == case["hex"]
    for said in (VECTORS["context"], VECTORS["beacon"]["context"]):
        assert context(said["match"], said["exchange"], said["answers"].items(), said["beacon"]) == said["hex"]
    terms = msgspec.convert(VECTORS["beacon"]["terms"], Terms)
    for case in VECTORS["beacon"]["rounds"]:
        assert terms.round_after(case["closed"]) == case["round"]
    for case in VECTORS["rolls"]:
        named = (case["rule"], case["subjects"], case["ordinal"], case["sides"])
        assert die(bytes.fromhex(case["rung"]), case["context"], *named) == case["result"]
    said = VECTORS["signature"]
    assert signed_by(said["server"], said["body"], said["hex"])


def test_whole_exports_get_the_published_verdicts() -> None:
    for case in VECTORS["exports"]:
        receipts = msgspec.convert(case["receipts"], list[Receipt])
        heads = msgspec.convert(case["heads"], list[SignedHead])
        found = read_export(("\n".join(case["export"]) + "\n").encode())
        beacon = msgspec.convert(case.get("beacon", []), list[Value])
        report = verify_export(found, server=case["server"], receipts=receipts, heads=heads, beacon=beacon)
        assert [list(pair) for pair in report.codes] == case["verdict"], case["name"]


def test_the_vectors_are_those_that_the_program_writes() -> None:
    """The vectors in the guide are current.

    After a change of the format, run `cd tests && PYTHONPATH=.. python -m programs.vectors`.
    """
    assert json.loads(msgspec.json.encode(vectors())) == VECTORS


def test_every_code_of_a_problem_is_explained() -> None:
    text = (GUIDE / "format.md").read_text()
    for case in VECTORS["exports"]:
        for _, code in case["verdict"]:
            assert f"`{code}`" in text

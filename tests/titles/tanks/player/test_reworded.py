"""A release may reword why an order failed; records of earlier releases can still be replayed."""

from __future__ import annotations

import lzma
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pbem.engine.rules.happenings import Fail, Reason
from pbem.engine.text.messages import Message, Name, Several
from pbem.matches.audit.verify import verify_export
from pbem.matches.history.export import read_export
from pbem.titles.registry import TITLES
from pbem.titles.tanks.telling import happenings

GOLDEN = Path(__file__).parents[3] / "golden" / "tanks" / "objective-alpha.jsonl.xz"


def reworded(why: Reason) -> Reason:
    match why:
        case Message():
            return msgspec.structs.replace(why, text=f"In other words: {why.text}")
        case Several():
            return msgspec.structs.replace(why, items=tuple(map(reworded, why.items)))  # type: ignore[arg-type]
    return why


def with_other_arguments(why: Reason) -> Reason:
    return Message("{text}", {"text": Name(str(why))})


def with_plain_words(why: Reason) -> Reason:
    return str(why)


@pytest.mark.parametrize(
    ("change", "replays"), [(reworded, True), (with_other_arguments, False), (with_plain_words, False)]
)
def test_reasons_are_compared_by_their_arguments(monkeypatch: pytest.MonkeyPatch, change: Any, replays: bool) -> None:
    told = []

    def fail(who: str, order: str, why: Reason, *rest: Any) -> Fail:
        told.append(why)
        return Fail(who, order, change(why), *rest)

    monkeypatch.setattr(happenings, "Fail", fail)
    problems = verify_export(read_export(lzma.decompress(GOLDEN.read_bytes())), TITLES).problems

    assert told
    assert (problems == []) is replays

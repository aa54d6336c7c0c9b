"""The title Ambush with rules that kill or stall the process that plays them, as often as a file says."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from support.toy import AmbushRules, AmbushTitle, cards

from pbem.engine.rules.ask import Step
from pbem.engine.rules.table import Table

TRAP = "PBEM_TEST_TRAP"
"""Names the file in the environment, which a worker process inherits."""


def deadly_cards(table: Table[Any]) -> Step:
    if multiprocessing.parent_process() is not None:
        spring(Path(os.environ[TRAP]))
    return (yield from cards(table))


def spring(trap: Path) -> None:
    """Kill or stall the process, and count down the number in the file, until that is 0."""
    what, _, left = trap.read_text().partition(" ")
    if int(left) > 0:
        trap.write_text(f"{what} {int(left) - 1}")
        if what == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        threading.Event().wait()


class DeadlyRules(AmbushRules):
    steps: ClassVar = {**AmbushRules.steps, "cards": deadly_cards}


class DeadlyTitle(AmbushTitle):
    def rules(self, blobs: Mapping[str, bytes]) -> DeadlyRules:
        return DeadlyRules(super().rules(blobs).data)

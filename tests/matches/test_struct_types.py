"""Threads that decode a new class at the same time do not crash, because its decoder is built beforehand.

Without `prepared`, the program below ends with a segmentation fault (msgspec 0.22).
"""

from __future__ import annotations

import subprocess
import sys

RACE = """
import sys, threading
import msgspec
from pbem.matches.struct_types import prepare_types

sys.setswitchinterval(1e-6)
fields = [(f"a{i}", "list[int] | None", None) for i in range(20)]
inner = [msgspec.defstruct(f"Inner{n}", fields, module="__main__") for n in range(400)]
outer = [
    msgspec.defstruct(f"Outer{n}", [(f"f{i}", inner[n * 20 + i] | None, None) for i in range(20)], module="__main__")
    for n in range(20)
]
if "prepared" in sys.argv:
    assert prepare_types() >= 420
gate = threading.Barrier(8)
text = ("{" + ", ".join(f'"f{i}": {{"a1": [1]}}' for i in range(20)) + "}").encode()

def decode():
    for kind in outer:
        gate.wait()
        msgspec.json.decode(text, type=kind)

threads = [threading.Thread(target=decode) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


def race(*how: str) -> int:
    return subprocess.run([sys.executable, "-c", RACE, *how], capture_output=True).returncode


def test_prepared_types_can_be_decoded_by_many_threads_at_once() -> None:
    assert race("prepared") == 0

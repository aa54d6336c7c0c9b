"""While a server is upgraded, a visitor's pages never fail, on either database.

`programs.upgrade` tests this between two real releases. Run with `pytest -m failover tests/failover`.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from programs.upgrade import HERE, rehearse
from support.hosts import postgres

import pbem

pytestmark = [pytest.mark.failover, pytest.mark.postgresql]


@pytest.mark.parametrize("engine", ["sqlite", "postgresql"])
def test_the_old_release_serves_pages_until_the_new_one_answers(tmp_path: Path, engine: str) -> None:
    old, data = tmp_path / "old", tmp_path / "data"
    data.mkdir()
    for package in ("pbem", "eventstore", "templates"):
        shutil.copytree(HERE / package, old / package, ignore=shutil.ignore_patterns("__pycache__"))
    first = old / "pbem" / "__init__.py"
    first.write_text(first.read_text().replace(pbem.__version__, "0.1.0"))

    found = rehearse(old, HERE, data, postgres.cluster().empty() if engine == "postgresql" else "")

    assert found["pages_failed"] == {} and found["pages_of_the_old"] > 2 and found["pages_of_the_new"] > 2
    assert (found["turns_played"], found["replayed"]) == (2, True)
    assert (data / f"pbem-before-{pbem.__version__}.db").exists()

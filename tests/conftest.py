"""Set-up shared by all tests."""

from __future__ import annotations

import gc
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from support import rules as coverage_of_rules

settings.register_profile(
    "quick", max_examples=25, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("quick")


MEMORY = Path("/dev/shm")
"""A file system in memory. Servers of tests sync every commit, and a disk would make most tests wait for that."""
ROOM = 4 << 30

if "TMPDIR" not in os.environ and MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM:
    os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)

BYTECODE = Path(__file__).parents[1] / ".pytest_cache" / "bytecode"
"""Where compiled modules are kept if the environment allows none beside the sources. Without any, each worker would
spend 18 s on rewriting the assertions of all tests, and each command that a test starts a second on our modules."""

if sys.dont_write_bytecode:
    sys.dont_write_bytecode, sys.pycache_prefix = False, str(BYTECODE)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = str(BYTECODE)

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--require",
        action="append",
        default=[],
        metavar="WHAT",
        help="fail instead of skipping: browser, mta, postgresql",
    )
    parser.addoption("--engine", choices=("sqlite", "postgresql"), default="sqlite", help="where servers keep events")


def pytest_configure(config: pytest.Config) -> None:
    """Put servers on the requested engine before any test module is loaded."""
    if config.getoption("--engine") == "postgresql":
        from support.hosts import engines

        engines.use_postgresql()


QUICK = ("engine", "eventstore", "matches", "ratings", "titles/tanks", "titles/aslsk/fire", "titles/nato/combat")
"""The folders of `pytest -m quick`: the kernel, and a title's rules of each manner. Under 90 s on two idle cores."""

NOT_QUICK = ("test_attacks", "test_crash", "test_leaks", "test_rivals", "test_verify", "test_house", "test_matches")


def is_quick(item: pytest.Item) -> bool:
    """Whether a test belongs to the subset to run while working."""
    path = item.path.relative_to(Path(__file__).parent)
    if (
        any(item.get_closest_marker(what) for what in ("slow", "browser", "mta", "postgresql"))
        or path.stem in NOT_QUICK
    ):
        return False
    return path.as_posix().startswith(tuple(f"{folder}/" for folder in QUICK))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the quick tests and put long ones first.

    Tests that need a missing program are skipped, unless required.
    """
    for item in items:
        if is_quick(item):
            item.add_marker("quick")
        if any(item.get_closest_marker(what) for what in ("browser", "mta", "postgresql")):
            item.add_marker(pytest.mark.flaky(reruns=1))  # programs that are not ours may be slow once
    items.sort(key=lambda item: item.get_closest_marker("first") is None)
    for apart in ("failover", "everywhere"):
        if apart not in config.getoption("-m"):
            config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker(apart)])
            items[:] = [item for item in items if not item.get_closest_marker(apart)]
    missing = {
        "browser": lambda: "" if CHROMIUM else "no Chromium here",
        "mta": without_mail_hosts,
        "postgresql": without_postgresql,
    }
    for what, find_out in missing.items():
        wanting = [item for item in items if item.get_closest_marker(what)]
        if wanting and what not in config.getoption("--require") and (why := find_out()):
            for item in wanting:
                item.add_marker(pytest.mark.skip(reason=f"{why}; --require={what} makes this fail"))


def pytest_collection_finish() -> None:
    """Exempt objects that live to the end from garbage collection: modules, tests and their cases."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def without_mail_hosts() -> str:
    """Return why Postfix and Dovecot cannot be started; the code for them is loaded only for tests that need it."""
    from support.hosts import mail_hosts

    return mail_hosts.missing()


def without_postgresql() -> str:
    """Return why PostgreSQL is not available."""
    from support.hosts import postgres

    return postgres.missing()


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of the system's Chromium."""
    assert CHROMIUM is not None, "install Chromium (Debian: apt-get install chromium)"
    return CHROMIUM


@pytest.fixture(autouse=True)
def marked_rules_are_asserted(request: pytest.FixtureRequest) -> Iterator[None]:
    """Check that a test that names a rule asserts on a finding or refusal that carries it."""
    coverage_of_rules.asserted.clear()
    yield
    wanted = {rule for mark in request.node.iter_markers("rule") for rule in mark.args}
    if missing := wanted - coverage_of_rules.asserted:
        pytest.fail(f"marked with {sorted(missing)} but asserts on no finding or refusal carrying it", pytrace=False)


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Path]:
    """A new empty folder at each call; for properties, which run many times in one test."""
    return lambda: tmp_path_factory.mktemp("house")

"""Set-up shared by all tests."""

from __future__ import annotations

import contextlib
import gc
import os
import shutil
import sys
import tempfile
from bisect import bisect
from collections.abc import Callable, Iterator
from itertools import accumulate
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from support import rules as coverage_of_rules

settings.register_profile(
    "quick", max_examples=25, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("quick")


TESTS = Path(__file__).parent
MEMORY = Path("/dev/shm")
"""A file system in memory. Servers of tests sync every commit, and a disk would make most tests wait for that."""
ROOM = 4 << 30

if "TMPDIR" not in os.environ and MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM:
    os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)

BYTECODE = Path(__file__).parents[1] / ".pytest_cache" / "bytecode"
"""The folder for compiled modules if the environment allows none beside the sources. Without any, a
worker would rewrite the assertions of all tests (18 s), and each command in a test would compile our code (1 s)."""

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
    """Put servers on the requested database before any test module is loaded, and divide the compiling of tests among
    workers.

    Garbage collection is off until all tests are collected, because nearly every object created before then lives to
    the end.
    """
    gc.disable()
    if config.getoption("--engine") == "postgresql":
        from support.hosts import engines

        engines.use_postgresql()
    if worker := getattr(config, "workerinput", None):
        config.args = rotated(config.args, int(worker["workerid"].removeprefix("gw")), worker["workercount"])


def rotated(args: list[str], number: int, workers: int) -> list[str]:
    """Return the folders of tests in an order that begins at a different place for each worker.

    Compiling test modules takes most of the time of collecting, and the first worker to reach a module compiles it
    for all. If all used the same order, they would all compile every module at the same time.
    """
    if args != ["tests"]:
        return args
    folders = [path for path in TESTS.iterdir() if path.is_dir() and path.name != "titles"]
    parts = sorted([*folders, *(TESTS / "titles").iterdir(), *TESTS.glob("test_*.py")])
    sizes = list(accumulate(sum(file.stat().st_size for file in files_of(part)) for part in parts))
    first = bisect(sizes, sizes[-1] * number // workers)
    return [str(part) for part in parts[first:] + parts[:first] if files_of(part)]


def files_of(part: Path) -> list[Path]:
    """Return the test modules of a folder, or the module itself."""
    return [part] if part.is_file() else list(part.rglob("test_*.py"))


QUICK = ("engine", "eventstore", "matches", "ratings", "titles/tanks", "titles/aslsk/fire", "titles/nato/combat")
"""The folders of `pytest -m quick`: the kernel and samples of the titles' rules, under 90 s on two idle cores."""

NOT_QUICK = ("test_attacks", "test_crash", "test_leaks", "test_rivals", "test_verify", "test_house", "test_matches")


PROGRAMS = {"browser", "mta", "postgresql"}
"""Marks of tests that need an external program."""


def is_quick(item: pytest.Item, marks: set[str]) -> bool:
    """Return whether a test belongs to the quick subset, which is run while working."""
    path = item.path.relative_to(TESTS)
    if marks & {"slow", *PROGRAMS} or path.stem in NOT_QUICK:
        return False
    return path.as_posix().startswith(tuple(f"{folder}/" for folder in QUICK))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the quick tests, put the long ones first, and skip those that need a missing program, unless it is
    required."""
    share_constants(config)
    marks = {item: {mark.name for mark in item.iter_markers()} for item in items}
    for item in items:
        if is_quick(item, marks[item]):
            item.add_marker("quick")
        if marks[item] & PROGRAMS:
            item.add_marker(pytest.mark.flaky(reruns=1))  # external programs may be slow at their first start
    items.sort(key=lambda item: ("first" not in marks[item], item.path))  # the same order in every worker
    for apart in ("failover", "everywhere"):
        if apart not in config.getoption("-m"):
            config.hook.pytest_deselected(items=[item for item in items if apart in marks[item]])
            items[:] = [item for item in items if apart not in marks[item]]
    missing = {
        "browser": lambda: "" if CHROMIUM else "no Chromium here",
        "mta": without_mail_hosts,
        "postgresql": without_postgresql,
    }
    for what, find_out in missing.items():
        wanting = [item for item in items if what in marks[item]]
        if wanting and what not in config.getoption("--require") and (why := find_out()):
            for item in wanting:
                item.add_marker(pytest.mark.skip(reason=f"{why}; --require={what} makes this fail"))


def share_constants(config: pytest.Config) -> None:
    """Let each worker find the constants of different modules first.

    Hypothesis tries the constants of our modules as values. Finding them takes 9 s. The workers share what they find
    through a folder, but would otherwise all look at the same modules at the same time.
    """
    with contextlib.suppress(ImportError):  # not part of the public interface of Hypothesis
        from hypothesis.internal.constants_ast import constants_from_module, is_local_module_file

        known = {file: module for module in [*sys.modules.values()] if (file := source_of(module))}
        ours = [known[file] for file in sorted(known) if is_local_module_file(file)]
        worker = getattr(config, "workerinput", {"workerid": "gw0", "workercount": 1})
        first = len(ours) * int(worker["workerid"].removeprefix("gw")) // worker["workercount"]
        for module in ours[first:] + ours[:first]:
            constants_from_module(module)


def source_of(module: object) -> str | None:
    """Return the file of a module, or None for the objects in `sys.modules` that are not modules."""
    return getattr(module, "__file__", None)


def pytest_collection_finish() -> None:
    """Exempt long-lived objects, such as modules and test cases, from garbage collection, and turn it on."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    gc.enable()


def without_mail_hosts() -> str:
    """Return why Postfix and Dovecot cannot be started, or nothing if they can; their code is loaded only for the
    tests that need them."""
    from support.hosts import mail_hosts

    return mail_hosts.missing()


def without_postgresql() -> str:
    """Return why PostgreSQL is not available, or nothing."""
    from support.hosts import postgres

    return postgres.missing()


@pytest.fixture(scope="session")
def chromium() -> str:
    """Return the path of the installed Chromium."""
    assert CHROMIUM is not None, "install Chromium (Debian: apt-get install chromium)"
    return CHROMIUM


@pytest.fixture(autouse=True)
def marked_rules_are_asserted(request: pytest.FixtureRequest) -> Iterator[None]:
    """Check that a test marked with a rule asserts on a finding or refusal that cites the rule, or on the rule's
    effect."""
    coverage_of_rules.asserted.clear()
    yield
    marks = [mark for mark in request.node.iter_markers("rule") if not mark.kwargs.get("effect")]
    wanted = {rule for mark in marks for rule in mark.args}
    if missing := wanted - coverage_of_rules.asserted:
        pytest.fail(f"marked with {sorted(missing)} but asserts on no finding or refusal carrying it", pytrace=False)


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Path]:
    """Return a function that makes a new empty folder at each call, for property tests, which run many times."""
    return lambda: tmp_path_factory.mktemp("house")

"""A process that forks for each run of tests: `python -m pbem.tools.mutation.forking [TESTS]`.

It reads one run per line from standard input and answers each with the exit code of pytest, -1 if it had to end the
run, or NOT_IN_PLACE. It must run in the copied tree.

Without an argument it loads pytest but nothing of a title. The child loads the title, of which one file is broken,
and runs the tests; that takes seconds. With a folder of tests it collects them once. The child puts the broken code
into the functions that are loaded already and runs the tests at once; that works where only functions are broken.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
import time
import traceback
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from pbem.tools.mutation.patching import Loaded

LONGEST_RUN = 120
MOST_WORK = 20
"""The number of seconds, and of seconds of processor time, after which a run is considered endless."""
NOTHING_RAN = 70
NOT_IN_PLACE = 71
"""The exit code if more than functions is broken, so that the tests need a process that loads the broken file."""


class Run(msgspec.Struct, frozen=True):
    """Tests to run and a file for their output. A run in place also names a file to break, or one for marks."""

    tests: list[str]
    output: str
    collect: str | None = None
    file: str = ""
    whole: str = ""
    broken: str = ""
    every: bool = False
    """Whether to continue after a test has failed."""


class Marked(msgspec.Struct):
    """The tests of a title by the rules that they are marked with."""

    tests: dict[str, list[str]]

    def of(self, rule: str) -> list[str]:
        """Return the tests that are marked with a rule."""
        return self.tests.get(rule, [])


def serve() -> None:
    """Run the requests on standard input until it is closed."""
    import pytest  # noqa: F401

    for line in sys.stdin.buffer:
        run = msgspec.json.decode(line, type=Run)
        child = os.fork()
        if child == 0:
            run_in_child(Path.cwd(), run)
        print(wait(child, LONGEST_RUN), flush=True)


def write_to(output: Path) -> None:
    """Detach a child from the server's pipes; its output goes to a file."""
    with output.open("w") as file, open(os.devnull) as nothing:
        os.dup2(nothing.fileno(), 0)
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    os.setsid()
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_WORK, MOST_WORK))


def run_in_child(folder: Path, run: Run) -> None:
    """Run pytest in a forked child and exit with its code."""
    write_to(Path(run.output))
    code = NOTHING_RAN
    try:
        code = run_pytest(folder, run.tests, [] if run.every else ["-x"])
    except BaseException:
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def run_pytest(folder: Path, tests: list[str], more: list[str]) -> int:
    """Run tests with more options and return the exit code of pytest."""
    import pytest

    options = [*more, "-p", "no:cacheprovider", "-p", "no:xdist", "-q", "--tb=line", "--rootdir", str(folder)]
    options += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # the parent has already loaded hypothesis
    return int(pytest.main([*options, *tests]))


def marked_by(session: Any) -> Marked:
    """Return which collected test is marked with which rule."""
    tests: dict[str, list[str]] = {}
    for item in session.items:
        for rule in sorted({rule for mark in item.iter_markers("rule") for rule in mark.args}):
            tests.setdefault(rule, []).append(item.nodeid)
    return Marked(tests)


# In place ----------------------------------------------------------------------------------------------------


def serve_in_place(tests: str) -> None:
    """Collect tests, then run the requests on standard input in children of this process."""
    import pytest

    answers = os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "w") as nothing:
        os.dup2(nothing.fileno(), 1)
    options = ["-p", "no:cacheprovider", "-p", "no:xdist", "-q", "-s", "--tb=line", "--rootdir", str(Path.cwd())]
    pytest.main([*options, "-W", "ignore::pytest.PytestAssertRewriteWarning", tests], plugins=[Serving(answers)])


class Serving:
    """A pytest plugin that runs tests on demand, each request in a forked child, instead of all of them once."""

    def __init__(self, answers: BinaryIO) -> None:
        self.answers = answers

    def pytest_runtestloop(self, session: Any) -> bool:
        loaded = Loaded()
        items = {item.nodeid: item for item in session.items}
        for line in sys.stdin.buffer:
            run = msgspec.json.decode(line, type=Run)
            if run.collect:
                Path(run.collect).write_bytes(msgspec.json.encode(marked_by(session)))
                self.answer(0)
                continue
            child = os.fork()
            if child == 0:
                answer_in_child(loaded, run, items)
            self.answer(wait(child, LONGEST_RUN))
        return True

    def answer(self, code: int) -> None:
        self.answers.write(b"%d\n" % code)
        self.answers.flush()


def answer_in_child(loaded: Loaded, run: Run, items: dict[str, Any]) -> None:
    """Break functions, run tests, and exit with the code that pytest would have returned."""
    write_to(Path(run.output))
    code = NOTHING_RAN
    try:
        path = str(Path.cwd() / run.file)
        if not loaded.break_file(path, run.whole, run.broken):
            code = NOT_IN_PLACE
        else:
            code = run_items([items[test] for test in run.tests if test in items], run.every)
    except BaseException:
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def run_items(items: list[Any], every: bool) -> int:
    """Run collected tests, all of them or until one fails. Return 0 if all pass."""
    from _pytest.runner import runtestprotocol

    code = 0
    for number, item in enumerate(items):
        following = items[number + 1] if number + 1 < len(items) else None
        for report in runtestprotocol(item, nextitem=following, log=False):
            if report.failed:
                print(f"FAILED {item.nodeid}\n{report.longreprtext[-2000:]}", flush=True)
                code = 1
        if code and not every:
            break
    return code


def wait(child: int, seconds: float) -> int:
    """Wait for a child; end it and its children after this many seconds. Return its exit code, or -1 if ended."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return max(-1, os.waitstatus_to_exitcode(status))
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return -1


if __name__ == "__main__":
    serve_in_place(sys.argv[1]) if len(sys.argv) > 1 else serve()

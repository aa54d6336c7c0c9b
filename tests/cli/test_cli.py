"""Every example in the help texts of `pbem` runs, and every problem is explained in plain words."""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import shlex
import signal
import smtplib
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from contextlib import closing
from email.message import EmailMessage
from functools import cache
from importlib import resources
from pathlib import Path

import pytest
from support.hosts.ports import free_port
from support.toy import AmbushTitle

from pbem import cli
from pbem.cli import COMMANDS, main, parser, serving
from pbem.cli.rules import count_ledger
from pbem.mail.inbound.limits import HEAD, MOST_BYTES
from pbem.mail.inbound.listeners import Listeners
from pbem.mail.settings import Settings
from pbem.matches.accounts import accounts
from pbem.matches.clock import deadlines
from pbem.matches.clock.deadline_rules import Timing
from pbem.matches.history.replay import record_of
from pbem.matches.installation import open_server
from pbem.tools.mutation import ledger as mutation
from pbem.tools.mutation.ledger import Judged

TITLES = {"ambush": AmbushTitle()}
MESSAGE = b"From: ann@example.org\nTo: orders@localhost\nMessage-ID: <1@example.org>\n\nhelp\n"


def choices(top: argparse.ArgumentParser) -> argparse._SubParsersAction[argparse.ArgumentParser]:
    [found] = [action for action in top._actions if isinstance(action, argparse._SubParsersAction)]
    return found


@cache
def commands() -> dict[str, argparse.ArgumentParser]:
    return {name: choices(parser([name])).choices[name] for name in COMMANDS}


def test_the_list_of_commands_is_what_the_modules_add() -> None:
    """`pbem --help` loads no command module, so it keeps its own list of commands, which must be complete."""
    for module in {module for module, _ in COMMANDS.values()}:
        first = next(name for name, (own, _) in COMMANDS.items() if own == module)
        added = {action.dest: action.help for action in choices(parser([first]))._choices_actions}
        assert added == {name: help for name, (own, help) in COMMANDS.items() if own == module}
    folder = Path(cli.__file__).parent
    found = [file for file in folder.rglob("*.py") if "def add(" in file.read_text()]
    files = {".".join(file.relative_to(folder).with_suffix("").parts) for file in found}
    assert files == {module for module, _ in COMMANDS.values()}


@pytest.mark.parametrize("arguments", ["--help", "deliver --help"])
def test_help_and_deliver_load_neither_titles_nor_site(arguments: str) -> None:
    program = (
        "import sys, contextlib\nfrom pbem.cli import main\nwith contextlib.suppress(SystemExit):\n"
        f"    main({arguments.split()!r})\n"
        "print(*sorted(sys.modules), file=sys.stderr)"
    )
    root = Path(cli.__file__).parents[2]
    result = subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=True)
    loaded = set(result.stderr.split())
    assert loaded & {"pbem.titles.registry", "pbem.matches.server", "eventstore", "flask", "py4swiss"} == set()


@cache
def examples(name: str) -> list[str]:
    return re.findall(r"^  (pbem .*)$", commands()[name].epilog or "", re.MULTILINE)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make an empty working directory, whose data folder is `var`."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PBEM_DATA", raising=False)
    return tmp_path


class Result:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


Shell = Callable[..., Result]


@pytest.fixture
def pbem(capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Shell:
    """Run a command line as a shell does, so that `<` and `>` name files."""

    def run(line: str, titles: object = None) -> Result:
        words = shlex.split(line)
        assert words[0] == "pbem"
        target = None
        if ">" in words:
            place = words.index(">")
            target = Path(words[place + 1])
            del words[place:]
        if "<" in words:
            place = words.index("<")
            content = Path(words[place + 1]).read_bytes()
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
            del words[place:]
        code = main(words[1:], titles)  # type: ignore[arg-type]
        out, err = capsysbinary.readouterr()
        if target is not None:
            target.write_bytes(out)
        return Result(code, out.decode(), err.decode())

    return run


class NoStation:
    """A station that records the parts it was asked to open, and opens none of them."""

    def __init__(self, args: argparse.Namespace, titles: object) -> None:
        self.url = f"http://{args.host}:{args.port}"
        self.listeners, self.server, self.settings = Listeners(None, Settings()), None, Settings()  # type: ignore[arg-type]
        self.ran = False

    def run(self) -> None:
        self.ran = True


@pytest.mark.first
def test_every_example_of_every_help_runs(pbem: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "Station", NoStation)
    monkeypatch.setattr(serving, "waiting_match", lambda server: None)
    monkeypatch.setattr(mutation, "mutate", lambda *given: [Judged("T1.3", "", 1)])  # tests/tools/test_mutation.py
    minded = signal.signal
    monkeypatch.setattr(signal, "signal", lambda number, mind: number != signal.SIGTERM and minded(number, mind))
    Path("message.eml").write_bytes(MESSAGE)
    Path("ko.po").write_text('msgid ""\nmsgstr "Language: ko\\n"\n')
    Path("entrants.csv").write_text("name,rating\nAnn,1500\nBob,1400\nCem,1300\n")
    for name in commands():
        assert examples(name), f"{name} has no example"
        for example in examples(name):
            if "autumn.transfer" in example or "stage-12" in example or "stage 12" in example:
                continue  # need a second server or twelve stages: test_moving.py and test_age.py in tests/campaigns
            result = pbem(example)
            assert result.code == 0, f"{example}\n{result.out}\n{result.err}"


def test_every_command_says_what_it_is_for() -> None:
    for name, command in commands().items():
        assert command.description, name
        assert "examples:" in command.format_help()


# Playing -----------------------------------------------------------------------------------------------------


def new(pbem: Shell, *more: str) -> str:
    result = pbem(f"pbem new ambush tiny --name Pass --seated {' '.join(more)}", TITLES)
    assert result.code == 0, result.err
    return str(result.out.split()[0])


def test_a_match_is_played_to_its_end_on_the_command_line(pbem: Shell) -> None:
    match = new(pbem, "--seat red=ann@example.org", "--seat blue=bot-random")
    for _ in range(2):
        form = pbem(f"pbem orders {match[:4]} red --form > form.txt", TITLES)
        assert "r1 hold" in form.out
        result = pbem("pbem orders Pass red form.txt --final", TITLES)
        assert result.code == 0 and "sealed under" in result.out
    assert "over" in pbem("pbem show", TITLES).out
    assert "as blue may see it" in pbem("pbem show Pass --viewer blue --exchange 2", TITLES).out
    assert pbem("pbem replay --all", TITLES).out.endswith("the same result\n")


def test_show_gives_each_viewer_his_own_view(pbem: Shell) -> None:
    new(pbem, "--seat red=ann@example.org", "--seat blue=bob@example.org")
    Path("red.txt").write_text("r1 ambush")
    Path("blue.txt").write_text("b1 hold")
    pbem("pbem orders Pass red red.txt --final", TITLES)
    pbem("pbem orders Pass blue blue.txt --final", TITLES)
    assert "ambush" in pbem("pbem show Pass --viewer red", TITLES).out.partition("Turn 1")[2]
    assert "ambush" not in pbem("pbem show Pass --viewer blue", TITLES).out.partition("Turn 1")[2]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("pbem show nothing", "no match has that name"),
        ("pbem new chess small", "You could send: ambush"),
        ("pbem new ambush huge", "You could send: small, tiny"),
        ("pbem new ambush tiny --seat red", "--seat takes a value of the form SEAT=WHO"),
        ("pbem new ambush tiny --option fog", "--option takes a value of the form NAME=VALUE"),
        ("pbem new ambush tiny --hours-for ambush", "--hours-for takes a value of the form KIND=HOURS"),
        ("pbem new ambush tiny --seat red=nobody", "not a valid email address"),
        ("pbem new ambush tiny --zone Mars", "no time zone has that name"),
        ("pbem new ambush tiny --weekdays mon,monday", "not a weekday"),
        ("pbem new ambush tiny --between 22 8", "the earlier one first"),
        ("pbem new ambush tiny --hours-for ambush=long", "not a number of hours"),
        ("pbem new ambush tiny --seat green=bot", "red, blue"),
        ("pbem replay", "name one match, or use --all"),
        ("pbem verify nowhere.jsonl", "nowhere.jsonl"),
        ("pbem sim chess --scenario tiny", "no title has that name"),
        ("pbem sim ambush --scenario huge", "no scenario has that name"),
        ("pbem rules coverage chess", "no ledger"),
        ("pbem restore nowhere", "nowhere"),
    ],
)
def test_problems_are_said_in_words_on_standard_error(pbem: Shell, line: str, said: str) -> None:
    result = pbem(line, TITLES)
    assert result.code == 1
    assert said in result.err and "Traceback" not in result.err


def test_a_seat_that_there_is_not_leaves_no_match_behind(pbem: Shell) -> None:
    refused = pbem("pbem new ambush tiny --seat yellow=ann@example.org --data box", TITLES)
    assert refused.code == 1 and "yellow: no seat has that name" in refused.err and "red, blue" in refused.err
    assert "ambush" not in pbem("pbem show --data box", TITLES).out


def test_a_delivered_mail_is_kept(pbem: Shell, folder: Path) -> None:
    Path("message.eml").write_bytes(MESSAGE)
    assert pbem("pbem deliver --data box < message.eml", TITLES).code == 0
    assert MESSAGE in (folder / "box" / "pbem.db").read_bytes()


def test_of_a_delivered_mail_beyond_the_limits_only_the_head_is_read_and_kept(
    pbem: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the header of an oversized email is read and kept, because a pipe may send data without end."""

    class Endless(io.RawIOBase):
        taken = 0

        def readable(self) -> bool:
            return True

        def readinto(self, room: memoryview) -> int:  # type: ignore[override]
            self.taken += len(room)
            assert self.taken < 4 * MOST_BYTES
            room[:] = (b"x" * 79 + b"\n") * (len(room) // 80) + b"x" * (len(room) % 80)
            return len(room)

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(Endless())))
    assert pbem("pbem deliver --sender ann@example.org", TITLES).code == 0
    with sqlite3.connect(folder / "var" / "pbem.db") as database:
        [(kept,)] = database.execute("SELECT length(raw) FROM inbound").fetchall()
    assert kept <= HEAD


def test_every_option_about_deadlines_reaches_the_match(pbem: Shell, folder: Path) -> None:
    """Every field of `Timing` can be set on the command line."""
    said = "--cadence 36 --hours-for ambush=12 --zone Europe/Paris --weekdays mon,Fri --between 9 21 --grace 3"
    match = new(
        pbem, said, "--extensions 2 --bank 30 --disputes wait --missed forfeit --patience 3 --master max@example.org"
    )
    with closing(open_server(folder / "var" / "pbem.db", TITLES)) as server:
        record = record_of(server, match)
        timing = deadlines.timing_of(record)
        master = accounts.account(server, record.created.master)
    wanted = {"hours": 36, "by_kind": {"ambush": 12}, "zone": "Europe/Paris", "weekdays": ("mon", "fri")}
    wanted |= {
        "between": (9, 21),
        "grace": 3,
        "extensions": 2,
        "bank": 30,
        "disputes": "wait",
        "missed": "forfeit",
        "patience": 3,
    }
    assert timing == Timing(**wanted) and set(wanted) == set(Timing.__struct_fields__)
    assert list(master.addresses) == ["max@example.org"]


def test_a_mail_that_cannot_be_kept_stays_with_the_mail_program(pbem: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> int:
        raise OSError("no space left")

    monkeypatch.setattr("pbem.mail.inbound.listeners.deliver", full)
    Path("message.eml").write_bytes(MESSAGE)
    assert pbem("pbem deliver < message.eml", TITLES).code == 75


# Keeping -----------------------------------------------------------------------------------------------------


def test_a_changed_export_does_not_verify_and_is_not_imported(pbem: Shell) -> None:
    new(pbem, "--seat red=bot-random", "--seat blue=bot-random")
    pbem("pbem export Pass -o pass.jsonl", TITLES)
    result = pbem("pbem verify pass.jsonl", TITLES)
    assert result.code == 0 and "replayed from the first event" in result.out
    forged = Path("pass.jsonl").read_text().replace('"why":"final"', '"why":"fatal"', 1)
    Path("forged.jsonl").write_text(forged)
    for command in ("verify", "import"):
        result = pbem(f"pbem {command} forged.jsonl", TITLES)
        assert result.code == 1 and "WRONG" in result.out and "failed the verification" in result.out


def test_an_imported_export_is_listed_and_can_be_read_again(pbem: Shell) -> None:
    new(pbem, "--seat red=bot-random", "--seat blue=bot-random")
    pbem("pbem export Pass -o pass.jsonl", TITLES)
    digest = pbem("pbem import pass.jsonl --data other", TITLES).out.split()[-1]
    [line] = pbem("pbem import --list --data other", TITLES).out.splitlines()
    assert line.startswith(digest) and "public" in line
    pbem(f"pbem import --read {digest[:8]} --output again.jsonl --data other", TITLES)
    assert Path("again.jsonl").read_bytes() == Path("pass.jsonl").read_bytes()
    result = pbem("pbem import --read 0000x --data other", TITLES)
    assert result.code != 0 and "no import is kept under 0000x" in result.err


def test_a_backup_comes_back_with_its_key_and_never_overwrites(pbem: Shell, folder: Path) -> None:
    new(pbem, "--seat red=ann@example.org", "--seat blue=bot-random")
    assert "the storage key is not" in pbem("pbem backup safe", TITLES).out
    assert "without its storage key" in pbem("pbem restore safe --data alone", TITLES).out
    result = pbem("pbem replay Pass --data alone", TITLES)
    assert result.code != 0 and "storage key" in result.err and "Traceback" not in result.err
    assert "storage key are in" in pbem("pbem backup safe --with-storage-key", TITLES).out
    assert "new ladders in 1 match" in pbem("pbem restore safe --data back", TITLES).out
    assert (folder / "back" / "pbem.key").read_bytes() == (folder / "var" / "pbem.key").read_bytes()
    assert (folder / "back" / "pbem.key").stat().st_mode & 0o077 == 0
    assert "the same result" in pbem("pbem replay Pass --data back", TITLES).out
    assert "never overwrites" in pbem("pbem restore safe --data back", TITLES).err


def test_the_data_folder_may_come_from_the_environment(pbem: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_DATA", "elsewhere")
    new(pbem)
    assert Path("elsewhere/pbem.db").exists() and not Path("var").exists()


# Measuring ---------------------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_matches(pbem: Shell) -> None:
    line = "pbem sim ambush --scenario small --matches 3 --seed {} --reactions ask --json"
    first, again, other = (json.loads(pbem(line.format(seed), TITLES).out) for seed in (7, 7, 8))
    assert first == again
    assert first["matches"] == 3 and sum(first["won"].values()) == 3
    assert set(first["waits_per_turn"]) == {"median", "p90", "most"}
    assert first != other


def test_a_simulated_match_waits_once_a_turn_unless_reactions_are_asked(pbem: Shell) -> None:
    line = "pbem sim ambush --scenario small --matches 2 --json --reactions {}"
    planned, asked = (json.loads(pbem(line.format(how), TITLES).out)["waits_per_turn"] for how in ("plan", "ask"))
    assert planned == {"median": 1, "p90": 1, "most": 1}
    assert asked["median"] > 1


def test_an_unknown_mode_is_refused_with_those_of_the_title(pbem: Shell) -> None:
    refused = pbem("pbem sim ambush --scenario small --matches 1 --reactions never", TITLES)
    assert refused.code == 1 and "plan" in refused.err and "ask" in refused.err


def test_a_seat_can_be_asked_in_one_mode_of_the_title_against_a_seat_that_plans(pbem: Shell) -> None:
    line = "pbem sim ambush --scenario small --matches 2 --versus asked --json --reactions {}"
    planned, asked = (json.loads(pbem(line.format(how), TITLES).out) for how in ("plan", "ask"))
    assert planned["waits_per_turn"]["most"] == 1 < asked["waits_per_turn"]["median"]
    assert sum(asked["doctrine"][name] for name in ("won", "drawn", "lost")) == 2


def test_matches_are_simulated_with_options_of_the_title(pbem: Shell) -> None:
    line = "pbem sim panzer --scenario duel --matches 1 --json --option edition={}"
    assert json.loads(pbem(line.format("2016")).out)["matches"] == 1
    refused = pbem(line.format("1066"))
    assert refused.code == 1 and "edition=2016" in refused.err
    refused = pbem(line.format("2016") + " --write")
    assert refused.code == 1 and "options" in refused.err


def test_progress_is_on_standard_error_and_results_alone_on_standard_output(pbem: Shell) -> None:
    result = pbem("pbem sim ambush --scenario tiny --matches 2 --json", TITLES)
    assert "2 of 2 matches played" in result.err
    json.loads(result.out)


def test_a_soaked_server_has_no_problems(pbem: Shell) -> None:
    result = pbem("pbem soak ambush --scenario tiny --matches 2 --server 2 --json", TITLES)
    told = json.loads(result.out)
    assert result.code == 0 and told["matches"] == 2
    assert told["server"]["over"] == 2 and told["server"]["problems"] == []


def test_coverage_counts_every_row_of_the_ledger_once() -> None:
    counted = count_ledger("panzer")
    total = sum(n for tiers in counted.values() for states in tiers.values() for n in states.values())
    rows = (resources.files("pbem.titles.panzer") / "ledger.csv").read_text("utf-8").splitlines()
    assert total == len([row for row in rows[1:] if row.strip()])
    assert set(counted) == {"2016", "2024"}


# Serving -----------------------------------------------------------------------------------------------------


def fetch(url: str) -> str:
    with urllib.request.urlopen(url, timeout=5) as answer:
        return str(answer.read().decode())


def test_serve_demo_opens_site_door_and_clock_in_one_process(folder: Path) -> None:
    """A visitor finds a game, an email is answered, and the server stops quickly and cleanly."""
    port, smtp_port = free_port(), free_port()
    line = f"serve --demo --data house --port {port} --smtp-port {smtp_port}"
    process = subprocess.Popen(
        [sys.executable, "-m", "pbem.cli", *line.split()],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    try:
        assert process.stdout is not None
        welcome = "".join(process.stdout.readline() for _ in range(3))
        [game] = re.findall(r"http://\S+/matches/\w+", welcome)
        assert "Welcome" in welcome and "A first game against the bot" in fetch(game)

        message = EmailMessage()
        message["From"], message["To"], message["Message-ID"] = "ann@example.org", "orders@localhost", "<1@x>"
        message.set_content("help")
        with smtplib.SMTP("127.0.0.1", smtp_port) as client:
            client.send_message(message)
        assert wait_until(lambda: "dropped" in states(folder / "house")), "the door's mail was handled"
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=15) == 0


def states(folder: Path) -> list[str]:
    with sqlite3.connect(folder / "pbem.db") as database:
        return [state for (state,) in database.execute("SELECT state FROM inbound")]


def wait_until(holds: Callable[[], bool], seconds: float = 8) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.05)
    return False

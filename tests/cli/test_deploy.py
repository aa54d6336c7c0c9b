"""Everything that the files in `pbem/deploy` start exists, and `pbem doctor` explains problems."""

from __future__ import annotations

import configparser
import re
import shlex
import shutil
import socket
import struct
import subprocess
import threading
import time
from pathlib import Path

import psycopg
import pytest
import yaml
from support.hosts import postgres
from support.toy import AmbushTitle

import pbem
from pbem.cli import main, parser
from pbem.cli.operating import dns, doctoring
from pbem.mail.settings import Lmtp, Settings

FOLDER = Path(pbem.__file__).parent / "deploy"
ROOT = Path(pbem.__file__).parents[1]


def can_be_read(words: list[str]) -> None:
    """Check that this release understands a command line."""
    parser(words).parse_args(words)


@pytest.mark.parametrize("unit", sorted(path.name for path in FOLDER.glob("*.service")))
def test_every_unit_starts_a_command_that_exists(unit: str) -> None:
    read = configparser.ConfigParser(strict=False, interpolation=None)
    read.optionxform = str  # type: ignore[assignment, method-assign]
    read.read(FOLDER / unit)
    program, *words = shlex.split(read["Service"]["ExecStart"].replace("%i", "resolver"))

    assert program == "/opt/pbem/bin/pbem" and read["Service"]["User"] == "pbem"
    can_be_read(words)


def test_the_compose_example_starts_commands_that_exist() -> None:
    services = yaml.safe_load((FOLDER / "compose.yaml").read_text())["services"]
    own = {name: service for name, service in services.items() if "build" in service}

    assert set(own) == {"web", "resolver", "mailer", "postfix"} and set(services) == {*own, "postgres", "proxy"}
    for name, service in own.items():
        if name != "postfix":
            can_be_read(service["command"])
        assert (FOLDER / service["build"]["context"] / service["build"]["dockerfile"]).resolve().exists()
    for service in services.values():
        assert service["logging"]["options"]["max-size"] == "10m"
        assert set(service.get("depends_on", [])) <= set(services)


def test_the_container_copies_what_is_there_and_starts_the_server() -> None:
    text = (FOLDER / "Containerfile").read_text()
    for line in re.findall(r"^COPY (.*)$", text, re.MULTILINE):
        for name in line.split()[:-1]:
            assert (ROOT / name).exists(), name
    [command] = re.findall(r"^CMD (.*)$", text, re.MULTILINE)
    can_be_read(yaml.safe_load(command))


def test_the_doctor_finds_a_key_that_others_can_read_and_a_missing_backup(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", "--offline", "--data", str(tmp_path)], {}) == 0
    said = capsys.readouterr().out
    assert "ok       database" in said and "backup: never made" in said
    (tmp_path / "pbem.key").chmod(0o644)

    assert main(["doctor", "--offline", "--data", str(tmp_path)], {}) == 1
    assert "chmod 600" in capsys.readouterr().out


def test_the_doctor_checks_that_a_backup_restores(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["backup", str(tmp_path / "backup"), "--data", str(tmp_path)], {}) == 0
    assert main(["doctor", "--offline", "--data", str(tmp_path)], {}) == 0
    said = capsys.readouterr().out
    assert "pbem.db is sound" in said and "ok       backup: 0 hours old" in said

    (tmp_path / "backup").rename(tmp_path / "elsewhere")
    assert main(["doctor", "--offline", "--data", str(tmp_path)], {}) == 0
    assert "whether it can be restored was not checked" in capsys.readouterr().out
    where = ["--backup", str(tmp_path / "elsewhere")]
    assert main(["doctor", "--offline", *where, "--data", str(tmp_path)], {}) == 0
    assert "pbem.db is sound" in capsys.readouterr().out
    (tmp_path / "elsewhere").rename(tmp_path / "backup")

    (tmp_path / "backup" / "pbem.db").write_bytes(b"not a database at all, but long enough to be looked at")
    assert main(["doctor", "--offline", "--data", str(tmp_path)], {}) == 1
    assert "cannot be restored" in capsys.readouterr().out


def test_the_doctor_opens_a_backup_with_the_storage_key(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`pbem doctor` rejects a sound backup of another server, because this server's key cannot open it."""
    here, there = tmp_path / "here", tmp_path / "there"
    for folder in (here, there):
        assert main(["new", "ambush", "tiny", "--data", str(folder)], {"ambush": AmbushTitle()}) == 0
        assert main(["backup", str(folder / "backup"), "--data", str(folder)], {"ambush": AmbushTitle()}) == 0
    capsys.readouterr()
    with_titles = {"ambush": AmbushTitle()}
    assert main(["doctor", "--offline", "--data", str(here)], with_titles) == 0
    others = ["--backup", str(there / "backup")]
    assert main(["doctor", "--offline", *others, "--data", str(here)], with_titles) == 1
    assert "cannot be restored" in capsys.readouterr().out


def test_the_doctor_names_what_cannot_be_reached(tmp_path: Path) -> None:
    settings = Settings(base_url="http://nowhere.invalid", domain="nowhere.invalid")

    [name] = doctoring.names(tmp_path, settings)
    assert name.verdict == doctoring.WRONG and "nowhere.invalid" in name.what
    [tls] = doctoring.tls(tmp_path, settings)
    assert tls.verdict == doctoring.WARNING
    assert doctoring.check_reachable("port 25", "127.0.0.1", 1).verdict == doctoring.WRONG


@pytest.mark.skipif(shutil.which("postconf") is None, reason="Postfix is not installed")
def test_postfix_understands_its_settings(tmp_path: Path) -> None:
    (tmp_path / "main.cf").write_text((FOLDER / "postfix-main.cf").read_text())
    (tmp_path / "master.cf").write_text("")
    done = subprocess.run(["postconf", "-c", str(tmp_path), "-n"], capture_output=True, text=True, check=True)
    assert "unused parameter" not in done.stderr and "warning" not in done.stderr, done.stderr
    assert "virtual_transport = lmtp:inet:127.0.0.1:8024" in done.stdout
    assert Lmtp().port == 8024


@pytest.mark.postgresql
def test_postgresql_knows_every_setting_of_its_file() -> None:
    lines = (FOLDER / "postgresql.conf").read_text().splitlines()
    names = {line.partition(" = ")[0] for line in lines if " = " in line and not line.startswith("#")}
    with psycopg.connect(postgres.cluster().address()) as connection:
        known = {name for (name,) in connection.execute("SELECT name FROM pg_settings").fetchall()}
    assert names and names <= known


class NameServer(threading.Thread):
    """A fake name server that answers DNS queries from a table of records, and reports the time."""

    def __init__(self, records: dict[tuple[str, str], list[str]]) -> None:
        super().__init__(daemon=True)
        self.records = records
        self.line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.line.bind(("127.0.0.1", 0))
        self.address = self.line.getsockname()
        self.start()

    def run(self) -> None:
        kinds = {number: kind for kind, number in dns.KINDS.items()}
        while True:
            query, back = self.line.recvfrom(4096)
            name, end = dns._name(query, 12)
            kind = kinds[int.from_bytes(query[end : end + 2], "big")]
            found = self.records.get((name, kind), [])
            answer = query[:2] + b"\x81\x80" + struct.pack(">HHHH", 1, len(found), 0, 0) + query[12 : end + 4]
            for value in found:
                said = self.encoded(kind, value)
                answer += b"\xc0\x0c" + struct.pack(">HHIH", dns.KINDS[kind], 1, 60, len(said)) + said
            self.line.sendto(answer, back)

    def encoded(self, kind: str, value: str) -> bytes:
        if kind == "TXT":
            return b"".join(bytes([len(value[at : at + 200])]) + value[at : at + 200].encode() for at in (0, 200))
        name = b"".join(bytes([len(label)]) + label.encode() for label in value.split(".")) + b"\0"
        return (b"\0\x0a" if kind == "MX" else b"") + name


KEY = "v=DKIM1; k=rsa; p=" + "A" * 300


def records(**changed: list[str]) -> dict[tuple[str, str], list[str]]:
    found = {
        "mx": (("games.test", "MX"), ["mail.games.test"]),
        "spf": (("games.test", "TXT"), ["v=spf1 mx -all", "another text"]),
        "dkim": (("mail._domainkey.games.test", "TXT"), [KEY]),
        "dmarc": (("_dmarc.games.test", "TXT"), ["v=DMARC1; p=none"]),
    }
    return {place: changed.get(name, values) for name, (place, values) in found.items()}


@pytest.mark.parametrize(
    ("changed", "wrong"),
    [
        ({}, set()),
        ({"mx": []}, {"MX"}),
        ({"spf": ["another text"]}, {"SPF"}),
        ({"spf": ["v=spf1 mx -all", "v=spf1 ~all"]}, {"SPF"}),
        ({"dkim": []}, {"DKIM"}),
        ({"dmarc": []}, {"DMARC"}),
    ],
)
def test_the_doctor_looks_for_the_records_that_other_mail_hosts_ask_for(
    changed: dict[str, list[str]], wrong: set[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    server = NameServer(records(**changed))
    monkeypatch.setattr(dns, "servers", lambda: [server.address])
    found = list(doctoring.mail_records(tmp_path, Settings(domain="games.test")))
    assert {one.what.partition(":")[0] for one in found if one.verdict == doctoring.WRONG} == wrong
    assert len(found) == 4 and all(one.advice for one in found if one.verdict == doctoring.WRONG)


def test_an_address_has_its_name_backwards() -> None:
    server = NameServer({("1.2.0.192.in-addr.arpa", "PTR"): ["mail.games.test"]})
    assert dns.ask(dns.reverse_name("192.0.2.1"), "PTR", [server.address]) == ["mail.games.test"]


def test_the_doctor_compares_the_clock_with_a_time_server() -> None:
    line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    line.bind(("127.0.0.1", 0))

    def tell() -> None:
        _, back = line.recvfrom(64)
        seconds = int(time.time()) + 100 + doctoring.SINCE_1900
        line.sendto(bytes(40) + struct.pack(">II", seconds, 0), back)

    threading.Thread(target=tell, daemon=True).start()
    assert 98 < doctoring.clock_drift("127.0.0.1", line.getsockname()[1]) < 102
    line.close()

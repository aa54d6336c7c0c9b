"""What `pbem/deploy` says can be started, exists; `pbem doctor` says what is wrong."""

from __future__ import annotations

import configparser
import re
import shlex
from pathlib import Path

import pytest
import yaml

import pbem
from pbem.cli import main, parser
from pbem.cli.operating import doctoring
from pbem.mail.settings import Settings

FOLDER = Path(pbem.__file__).parent / "deploy"
ROOT = Path(pbem.__file__).parents[1]


def can_be_read(words: list[str]) -> None:
    """The command line is one that this release understands."""
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

    assert set(own) == {"web", "resolver", "mailer"}
    for service in own.values():
        can_be_read(service["command"])
        assert (FOLDER / service["build"]["context"] / service["build"]["dockerfile"]).resolve().exists()
    for service in services.values():
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
    assert "pbem.db is sound" in capsys.readouterr().out

    (tmp_path / "backup" / "pbem.db").write_bytes(b"not a database at all, but long enough to be looked at")
    assert main(["doctor", "--offline", "--data", str(tmp_path)], {}) == 1
    assert "cannot be restored" in capsys.readouterr().out


def test_the_doctor_names_what_cannot_be_reached(tmp_path: Path) -> None:
    settings = Settings(base_url="http://nowhere.invalid", domain="nowhere.invalid")

    [name] = doctoring.names(tmp_path, settings)
    assert name.verdict == doctoring.WRONG and "nowhere.invalid" in name.what
    [tls] = doctoring.tls(tmp_path, settings)
    assert tls.verdict == doctoring.WARNING
    assert doctoring.reached("port 25", "127.0.0.1", 1).verdict == doctoring.WRONG

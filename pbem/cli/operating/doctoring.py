"""doctor: look at the machine and the world around it, and say what would keep a server from working."""

from __future__ import annotations

import argparse
import shutil
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias
from urllib.parse import urlsplit

import msgspec

from eventstore import StoreTrouble
from pbem.cli.common import Subparsers, add_command, add_data, folder_of, the_server
from pbem.mail.settings import Settings, read_settings
from pbem.matches import health
from pbem.matches.history import storage_check

PATIENCE = 5.0
LEAST_ROOM = 2 * 2**30
SOON = 14 * 86400
MOST_DRIFT = 2.0
OLDEST_BACKUP = 2 * 86400


class Finding(msgspec.Struct, frozen=True):
    """What a check found: well, a warning, or wrong; and what to do about it."""

    verdict: str
    what: str
    advice: str = ""


WELL, WARNING, WRONG = "ok", "warning", "WRONG"
Check: TypeAlias = Callable[[Path, Settings], Iterator[Finding]]


def add(subparsers: Subparsers) -> None:
    examples = ["pbem doctor --offline"]
    help = "check the machine: disk, clock, database, backup, and from outside DNS, mail and TLS"
    parser = add_command(subparsers, "doctor", run_doctor, help, examples)
    parser.add_argument("--offline", action="store_true", help="check only what is on this machine")
    add_data(parser)


def run_doctor(args: argparse.Namespace) -> int:
    folder = folder_of(args)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    settings = read_settings(folder)
    found = [finding for check in HERE for finding in check(folder, settings)]
    found += stored(args)
    if not args.offline:
        found += [finding for check in OUTSIDE for finding in check(folder, settings)]
    for finding in found:
        print(f"{finding.verdict:<8} {finding.what}" + (f"\n         {finding.advice}" if finding.advice else ""))
    return 1 if any(finding.verdict == WRONG for finding in found) else 0


# On this machine ---------------------------------------------------------------------------------------------


def disk(folder: Path, settings: Settings) -> Iterator[Finding]:
    """There is room for the log to grow."""
    free = shutil.disk_usage(folder).free
    what = f"disk: {free // 2**20} MiB free at {folder}"
    yield Finding(WELL, what) if free > LEAST_ROOM else Finding(WARNING, what, "make room before the log cannot grow")


def permissions(folder: Path, settings: Settings) -> Iterator[Finding]:
    """Keys are for their owner alone."""
    for file in sorted(folder.glob("*")):
        if file.suffix in (".key", ".storage") and file.stat().st_mode & 0o077:
            yield Finding(WRONG, f"{file} can be read by others", f"chmod 600 {file}")


def stored(args: argparse.Namespace) -> list[Finding]:
    """The database can be opened; the last backup is recent and sound."""
    try:
        with the_server(args) as server:
            where, at, backed_up = server.store.place_in_words, server.store.clock(), health.backed_up_at(server)
            drift = abs(at / 1000 - time.time())
    except (StoreTrouble, OSError, ValueError) as problem:
        return [Finding(WRONG, f"database: {problem}", getattr(problem, "advice", ""))]
    found = [Finding(WELL, f"database: {where}")]
    if drift > MOST_DRIFT:
        found.append(Finding(WRONG, f"clock: {drift:.0f} s beside the database's", "run a time service on both"))
    if backed_up is None:
        found.append(Finding(WARNING, "backup: never made", "pbem backup FOLDER, every night and to another machine"))
    elif (age := (at - backed_up) // 1000) > OLDEST_BACKUP:
        found.append(Finding(WARNING, f"backup: {age // 3600} hours old", "see why the nightly backup does not run"))
    return [*found, *restorable(folder_of(args) / "backup" / "pbem.db")]


def restorable(copy: Path) -> list[Finding]:
    """A backup in the data folder's `backup` is checked as a restore would."""
    if not copy.exists():
        return []
    wrong = storage_check.check_file(copy)
    if wrong:
        return [Finding(WRONG, f"backup: {copy} cannot be restored: {wrong[0]}", "make another one now")]
    return [Finding(WELL, f"backup: {copy} is sound")]


# From outside ------------------------------------------------------------------------------------------------


def names(folder: Path, settings: Settings) -> Iterator[Finding]:
    """The site's name leads somewhere."""
    host = urlsplit(settings.base_url).hostname or ""
    try:
        addresses = sorted({str(info[4][0]) for info in socket.getaddrinfo(host, None)})
    except OSError as problem:
        yield Finding(WRONG, f"DNS: {host}: {problem}", "enter an A or AAAA record, or correct base_url")
        return
    yield Finding(WELL, f"DNS: {host} is {', '.join(addresses)}")


def tls(folder: Path, settings: Settings) -> Iterator[Finding]:
    """The site's certificate is valid for a while."""
    parts = urlsplit(settings.base_url)
    if parts.scheme != "https" or not parts.hostname:
        yield Finding(WARNING, "TLS: base_url is not https", "put a proxy with a certificate in front")
        return
    try:
        with (
            socket.create_connection((parts.hostname, parts.port or 443), PATIENCE) as plain,
            ssl.create_default_context().wrap_socket(plain, server_hostname=parts.hostname) as secure,
        ):
            certificate = secure.getpeercert() or {}
    except OSError as problem:
        yield Finding(WRONG, f"TLS: {problem}", "see whether the proxy runs and its certificate is valid")
        return
    left = ssl.cert_time_to_seconds(str(certificate["notAfter"])) - time.time()
    what = f"TLS: the certificate is valid for {left / 86400:.0f} days"
    yield Finding(WELL, what) if left > SOON else Finding(WARNING, what, "see why it is not renewed")


def outgoing_mail(folder: Path, settings: Settings) -> Iterator[Finding]:
    """The mail host can be reached."""
    if settings.smtp is None:
        yield Finding(WARNING, "mail: no [smtp] in settings.toml", "mails are put into a Maildir and not sent")
        return
    yield reached("mail host", settings.smtp.host, settings.smtp.port)
    yield reached("port 25", settings.domain, 25)


def reached(what: str, host: str, port: int) -> Finding:
    try:
        socket.create_connection((host, port), PATIENCE).close()
    except OSError as problem:
        return Finding(
            WRONG, f"{what}: {host}:{port}: {problem}", "see the firewall, and whether the provider blocks it"
        )
    return Finding(WELL, f"{what}: {host}:{port} answers")


HERE: tuple[Check, ...] = (disk, permissions)
OUTSIDE: tuple[Check, ...] = (names, tls, outgoing_mail)

"""doctor: check the computer and its network for problems that would stop a server."""

from __future__ import annotations

import argparse
import ipaddress
import shutil
import socket
import ssl
import struct
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias
from urllib.parse import urlsplit

import msgspec

from eventstore import StoreTrouble
from pbem.cli.common import DATABASE, Subparsers, add_command, add_data, folder_of, the_server
from pbem.cli.operating import dns
from pbem.mail.settings import Settings, read_settings
from pbem.matches import health
from pbem.matches.history import storage_check

PATIENCE = 5.0
LEAST_ROOM = 2 * 2**30
SOON = 14 * 86400
MOST_DRIFT = 2.0
OLDEST_BACKUP = 2 * 86400
SINCE_1900 = 2_208_988_800
"""Seconds from 1900, the epoch of time servers, to 1970."""


class Finding(msgspec.Struct, frozen=True):
    """The result of a check, and how to fix the problem it found."""

    verdict: str
    what: str
    advice: str = ""


WELL, WARNING, WRONG = "ok", "warning", "WRONG"
Check: TypeAlias = Callable[[Path, Settings], Iterator[Finding]]


def add(subparsers: Subparsers) -> None:
    examples = ["pbem doctor --offline"]
    help = "check disk, clock, database and backup, and over the network DNS, SPF, DKIM, DMARC, TLS and mail"
    parser = add_command(subparsers, "doctor", run_doctor, help, examples)
    parser.add_argument("--offline", action="store_true", help="check only what is on this machine")
    backup = "where `pbem backup` puts its files (default: the folder backup in the data folder)"
    parser.add_argument("--backup", type=Path, metavar="FOLDER", help=backup)
    add_data(parser)


def run_doctor(args: argparse.Namespace) -> int:
    folder = folder_of(args)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    settings = read_settings(folder)
    found = [finding for check in HERE for finding in check(folder, settings)]
    found += check_storage(args)
    if not args.offline:
        found += [finding for check in OUTSIDE for finding in check(folder, settings)]
    for finding in found:
        print(f"{finding.verdict:<8} {finding.what}" + (f"\n         {finding.advice}" if finding.advice else ""))
    return 1 if any(finding.verdict == WRONG for finding in found) else 0


# On this machine ---------------------------------------------------------------------------------------------


def disk(folder: Path, settings: Settings) -> Iterator[Finding]:
    """Check that there is room for the log to grow."""
    free = shutil.disk_usage(folder).free
    what = f"disk: {free // 2**20} MiB free at {folder}"
    yield (
        Finding(WELL, what)
        if free > LEAST_ROOM
        else Finding(WARNING, what, "free some space, so that the log can grow")
    )


def permissions(folder: Path, settings: Settings) -> Iterator[Finding]:
    """Check that only their owner can read the keys."""
    for file in sorted(folder.glob("*")):
        if file.suffix in (".key", ".storage") and file.stat().st_mode & 0o077:
            yield Finding(WRONG, f"{file} can be read by others", f"chmod 600 {file}")


def check_storage(args: argparse.Namespace) -> list[Finding]:
    """Check that the database can be opened, and that the last backup is recent and sound."""
    try:
        with the_server(args) as server:
            where, at, backed_up = server.store.place_in_words, server.store.clock(), health.backed_up_at(server)
            drift = abs(at / 1000 - time.time())
    except (StoreTrouble, OSError, ValueError) as problem:
        return [Finding(WRONG, f"database: {problem}", getattr(problem, "advice", ""))]
    found = [Finding(WELL, f"database: {where}")]
    if drift > MOST_DRIFT:
        found.append(
            Finding(WRONG, f"clock: {drift:.0f} s off the database's clock", "run a time service on both machines")
        )
    if backed_up is None:
        found.append(Finding(WARNING, "backup: never made", "pbem backup FOLDER, every night and to another machine"))
        return found
    age = (at - backed_up) // 1000
    is_old, what = age > OLDEST_BACKUP, f"backup: {age // 3600} hours old"
    found.append(
        Finding(WARNING, what, "find out why the nightly backup did not run") if is_old else Finding(WELL, what)
    )
    return [*found, restorable((args.backup or folder_of(args) / "backup") / DATABASE, folder_of(args))]


def restorable(copy: Path, folder: Path) -> Finding:
    """Check a backup as a restore would, and open it with this server's storage key."""
    if not copy.exists():
        what = f"backup: none at {copy}, so whether it can be restored was not checked"
        return Finding(WARNING, what, "pbem doctor --backup FOLDER")
    if wrong := storage_check.check_file(copy, storage_check.vault_of(folder / DATABASE)):
        return Finding(WRONG, f"backup: {copy} cannot be restored: {wrong[0]}", "make another one now")
    return Finding(WELL, f"backup: {copy} is sound and can be restored")


# From outside ------------------------------------------------------------------------------------------------


def names(folder: Path, settings: Settings) -> Iterator[Finding]:
    """Check that the site's host name resolves."""
    host = urlsplit(settings.base_url).hostname or ""
    try:
        addresses = sorted({str(info[4][0]) for info in socket.getaddrinfo(host, None)})
    except OSError as problem:
        yield Finding(WRONG, f"DNS: {host}: {problem}", "enter an A or AAAA record, or correct base_url")
        return
    yield Finding(WELL, f"DNS: {host} is {', '.join(addresses)}")


def tls(folder: Path, settings: Settings) -> Iterator[Finding]:
    """Check that the site's certificate is valid for a while."""
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
        yield Finding(WRONG, f"TLS: {problem}", "check that the proxy is running and its certificate is valid")
        return
    left = ssl.cert_time_to_seconds(str(certificate["notAfter"])) - time.time()
    what = f"TLS: the certificate is valid for {left / 86400:.0f} days"
    yield Finding(WELL, what) if left > SOON else Finding(WARNING, what, "find out why it was not renewed")


def mail_records(folder: Path, settings: Settings) -> Iterator[Finding]:
    """Check that other hosts trust our mail: MX, SPF, DKIM and DMARC records of the mail domain."""
    if settings.domain == Settings().domain:
        yield Finding(WARNING, "mail domain: not set", 'write domain = "…" into [mail] of settings.toml')
        return
    checks = (
        ("MX", settings.domain, "MX", "", "an MX record that names your mail host"),
        ("SPF", settings.domain, "TXT", "v=spf1", "a TXT record such as v=spf1 mx -all"),
        ("DKIM", f"{settings.dkim_selector}._domainkey.{settings.domain}", "TXT", "p=", "the key of your mail host"),
        ("DMARC", f"_dmarc.{settings.domain}", "TXT", "v=DMARC1", "a TXT record such as v=DMARC1; p=quarantine"),
    )
    for what, name, kind, sign, wanted in checks:
        try:
            found = [record for record in dns.ask(name, kind) if sign in record]
        except dns.Unanswered as problem:
            yield Finding(WARNING, f"{what}: {name}: {problem}", "check again when the network is available")
            continue
        if len(found) == 1 or (found and kind == "MX"):
            yield Finding(WELL, f"{what}: {name}: {found[0][:60]}")
        elif found:
            yield Finding(WRONG, f"{what}: {name} has {len(found)} such records", "keep only one of them")
        else:
            yield Finding(WRONG, f"{what}: {name} has none", f"enter {wanted}")


def reverse_names(folder: Path, settings: Settings) -> Iterator[Finding]:
    """Check that the sending address has a name that resolves back to it; many hosts refuse mail otherwise."""
    try:
        address = socket.gethostbyname(settings.smtp.host if settings.smtp else settings.domain)
        names = dns.ask(dns.reverse_name(address), "PTR")
    except (OSError, dns.Unanswered) as problem:
        yield Finding(WARNING, f"reverse DNS: {problem}", "check again when the network is available")
        return
    if ipaddress.ip_address(address).is_private:
        return
    what = f"reverse DNS: {address} is {', '.join(names) or 'nameless'}"
    yield Finding(WELL, what) if names else Finding(WRONG, what, "ask your provider for a PTR record")


def time_service(folder: Path, settings: Settings) -> Iterator[Finding]:
    """Check that the machine's clock agrees with a time server."""
    try:
        drift = abs(clock_drift(settings.time_server))
    except OSError as problem:
        yield Finding(
            WARNING, f"clock: {settings.time_server}: {problem}", "check again when the network is available"
        )
        return
    what = f"clock: {drift:.1f} s off {settings.time_server}"
    yield Finding(WELL, what) if drift <= MOST_DRIFT else Finding(WRONG, what, "run a time service such as chrony")


def clock_drift(server: str, port: int = 123) -> float:
    """Return the difference in seconds between the local clock and a time server (SNTP)."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.settimeout(PATIENCE)
        asked = time.time()
        line.sendto(b"\x23" + bytes(47), (server, port))
        answer = line.recv(64)
    back = time.time()
    if len(answer) < 48:
        raise OSError("an answer that is not from a time server")
    seconds, fraction = struct.unpack(">II", answer[40:48])
    return float(seconds + fraction / 2**32 - SINCE_1900) - (asked + back) / 2


def outgoing_mail(folder: Path, settings: Settings) -> Iterator[Finding]:
    """Check that the mail host can be reached."""
    if settings.smtp is None:
        yield Finding(WARNING, "mail: no [smtp] in settings.toml", "email is stored in a Maildir and not sent")
        return
    yield check_reachable("mail host", settings.smtp.host, settings.smtp.port)
    yield check_reachable("port 25", settings.domain, 25)


def check_reachable(what: str, host: str, port: int) -> Finding:
    try:
        socket.create_connection((host, port), PATIENCE).close()
    except OSError as problem:
        return Finding(
            WRONG,
            f"{what}: {host}:{port}: {problem}",
            "check the firewall, and whether the provider blocks this port",
        )
    return Finding(WELL, f"{what}: {host}:{port} answers")


HERE: tuple[Check, ...] = (disk, permissions)
OUTSIDE: tuple[Check, ...] = (names, tls, outgoing_mail, mail_records, reverse_names, time_service)

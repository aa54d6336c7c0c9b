"""How to reach the server and how it sends mail: read from `settings.toml` in the data folder, if there is one.

base_url = "https://pbem.example.org"
time_server = "pool.ntp.org"               # `pbem doctor` compares the clock with this server
database = "postgresql://localhost/pbem"   # without this line the events are in a SQLite file

[mail]
domain = "pbem.example.org"
mailbox = "orders"
trusted_host = "mx.example.org"     # its Authentication-Results headers are trusted
dkim_selector = "mail"              # `pbem doctor` checks the key with this name
pictures = true                     # a picture of the map in emails about a turn
hourly = 2000                       # emails that may be sent in an hour; the rest wait
hourly_account = 120                # likewise to one account
hourly_address = 120                # likewise to one address

[lmtp]                              # a listener for a mail host in front
port = 8024

[imap]                              # a dedicated mailbox, which is emptied into the folder `done`
host = "imap.example.org"
user = "orders"
password_file = "imap-password"
folder = "INBOX"
done = "pbem"

[listener]                          # STARTTLS for the SMTP listener; both files in PEM form
certificate = "cert.pem"
key = "key.pem"

[smtp]                              # without this table mail goes into a Maildir
host = "mail.example.org"
port = 587
user = "pbem"
password_file = "smtp-password"
"""

from __future__ import annotations

import ssl
import tomllib
from email.utils import parseaddr
from pathlib import Path
from typing import Any

import msgspec
from marshmallow import Schema, ValidationError, fields, validate

RETURNED = "returned-"


class Smtp(msgspec.Struct, frozen=True, kw_only=True):
    host: str
    port: int = 587
    user: str = ""
    password: str = ""
    starttls: bool = True


class Lmtp(msgspec.Struct, frozen=True, kw_only=True):
    host: str = "127.0.0.1"
    port: int = 8024


class Certificate(msgspec.Struct, frozen=True, kw_only=True):
    """The files that the SMTP listener needs for STARTTLS. The certificate file contains the whole chain."""

    certificate: str
    key: str

    def context(self) -> ssl.SSLContext:
        """Return the TLS context; the error for an unusable file names it."""
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        try:
            context.load_cert_chain(self.certificate, self.key)
        except (OSError, ssl.SSLError) as problem:
            why = f"the certificate {self.certificate} and the key {self.key} cannot be used: {problem}"
            raise ValueError(why) from problem
        return context


class Imap(msgspec.Struct, frozen=True, kw_only=True):
    host: str
    port: int = 993
    user: str
    password: str = ""
    folder: str = "INBOX"
    done: str = "pbem"
    tls: bool = True


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    base_url: str = "http://127.0.0.1:8000"
    database: str = ""
    domain: str = "localhost"
    mailbox: str = "orders"
    name: str = "pbem"
    trusted_host: str = ""
    pictures: bool = True
    dkim_selector: str = "mail"
    time_server: str = "pool.ntp.org"
    hourly: int = 2000
    hourly_account: int = 120
    hourly_address: int = 120
    smtp: Smtp | None = None
    lmtp: Lmtp | None = None
    imap: Imap | None = None
    listener: Certificate | None = None

    def address(self, token: str = "") -> str:
        """Return the reply address, with the token of the seat or account that it acts for."""
        return f"{self.mailbox}{'+' + token if token else ''}@{self.domain}"

    def token_in(self, address: str) -> str | None:
        """Return the token in one of our addresses, empty if it has none; None if the address is not ours."""
        local, _, host = parseaddr(address)[1].lower().rpartition("@")
        name, _, token = local.partition("+")
        return token if name == self.mailbox.lower() and host == self.domain.lower() else None

    def return_address(self, token: str) -> str:
        """Return the address for bounces."""
        return f"{self.mailbox}+{RETURNED}{token}@{self.domain}"

    def bounce_token_in(self, address: str) -> str | None:
        """Return the token in a bounce address; None if it is not one."""
        said = self.token_in(address)
        return said.removeprefix(RETURNED) if said and said.startswith(RETURNED) else None

    def link(self, path: str) -> str:
        return f"{self.base_url.rstrip('/')}/{path.lstrip('/')}"


class MailSchema(Schema):
    domain = fields.String(validate=validate.Length(min=1))
    mailbox = fields.String(validate=validate.Regexp(r"^[A-Za-z0-9._-]+$"))
    name = fields.String()
    trusted_host = fields.String()
    pictures = fields.Boolean()
    dkim_selector = fields.String(validate=validate.Regexp(r"^[A-Za-z0-9._-]+$"))
    hourly = fields.Integer(validate=validate.Range(1))
    hourly_account = fields.Integer(validate=validate.Range(1))
    hourly_address = fields.Integer(validate=validate.Range(1))


class SmtpSchema(Schema):
    host = fields.String(required=True)
    port = fields.Integer(validate=validate.Range(1, 65535))
    user = fields.String()
    password_file = fields.String()
    starttls = fields.Boolean()


class LmtpSchema(Schema):
    host = fields.String()
    port = fields.Integer(validate=validate.Range(1, 65535))


class ImapSchema(Schema):
    host = fields.String(required=True)
    port = fields.Integer(validate=validate.Range(1, 65535))
    user = fields.String(required=True)
    password_file = fields.String()
    folder = fields.String(validate=validate.Length(min=1))
    done = fields.String(validate=validate.Length(min=1))
    tls = fields.Boolean()


class ListenerSchema(Schema):
    certificate = fields.String(required=True, validate=validate.Length(min=1))
    key = fields.String(required=True, validate=validate.Length(min=1))


class SettingsSchema(Schema):
    base_url = fields.Url(require_tld=False)
    time_server = fields.String(validate=validate.Length(min=1))
    database = fields.String(validate=validate.Regexp(r"^postgres(ql)?://"))
    mail = fields.Nested(MailSchema)
    smtp = fields.Nested(SmtpSchema)
    lmtp = fields.Nested(LmtpSchema)
    imap = fields.Nested(ImapSchema)
    listener = fields.Nested(ListenerSchema)


def read_settings(folder: Path) -> Settings:
    """Read the settings in a data folder; missing ones get the defaults given here."""
    file = folder / "settings.toml"
    if not file.exists():
        return Settings()
    try:
        said: dict[str, Any] = SettingsSchema().load(tomllib.loads(file.read_text()))
    except (ValidationError, tomllib.TOMLDecodeError) as problem:
        raise ValueError(f"{file}: {problem}") from None
    found = {**said.pop("mail", {}), **said}
    for name, kind in (("smtp", Smtp), ("lmtp", Lmtp), ("imap", Imap)):
        if name in found:
            found[name] = _table(folder, found[name], kind)
    if "listener" in found:
        found["listener"] = Certificate(**{name: str(folder / file) for name, file in found["listener"].items()})
    return Settings(**found)


def _table(folder: Path, said: dict[str, Any], kind: type[Any]) -> Any:
    """Build a table of settings; its password may be in a separate file, which only the server needs to read."""
    if file := said.pop("password_file", ""):
        said["password"] = (folder / file).read_text().strip()
    return kind(**said)

"""Settings of the server, and the transports for outgoing email."""

from __future__ import annotations

import mailbox
import smtplib
import ssl
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.handlers import Message
from aiosmtpd.smtp import AuthResult, LoginPassword
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from support.hosts.ports import free_port

from pbem.mail.outbound.transports import MaildirTransport, SmtpTransport, transport_of
from pbem.mail.settings import Settings, Smtp, read_settings


def a_message() -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "orders@pbem.test", "ann@example.org", "hello"
    message.set_content("Grüße")
    return message


def test_without_a_file_the_settings_are_for_one_machine(tmp_path: Path) -> None:
    assert read_settings(tmp_path) == Settings()
    assert isinstance(transport_of(Settings(), tmp_path), MaildirTransport)


def test_settings_are_read_and_the_password_has_its_own_file(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text(
        'base_url = "https://play.example.org/"\n[mail]\ndomain = "play.example.org"\nmailbox = "moves"\n'
        '[smtp]\nhost = "mx"\nport = 25\nuser = "u"\npassword_file = "secret"\n'
    )
    (tmp_path / "secret").write_text("hush\n")
    settings = read_settings(tmp_path)
    assert settings.smtp == Smtp(host="mx", port=25, user="u", password="hush")
    assert settings.address("abc") == "moves+abc@play.example.org"
    assert settings.link("/x") == "https://play.example.org/x"
    assert isinstance(transport_of(settings, tmp_path), SmtpTransport)


@pytest.mark.parametrize("text", ["[mail]\nmailbx = 1", "[smtp]\nport = 99999", "nonsense", 'base_url = "no url"'])
def test_a_mistake_in_the_settings_is_named_with_its_file(tmp_path: Path, text: str) -> None:
    (tmp_path / "settings.toml").write_text(text)
    with pytest.raises(ValueError, match=r"settings\.toml"):
        read_settings(tmp_path)


@pytest.mark.parametrize(
    ("address", "token"),
    [
        ("orders+abc@pbem.test", "abc"),
        ("Play <ORDERS+ABC@PBEM.TEST>", "abc"),
        ("orders@pbem.test", ""),
        ("orders+abc@elsewhere.test", None),
        ("other+abc@pbem.test", None),
        ("", None),
    ],
)
def test_an_address_is_ours_or_not(address: str, token: str | None) -> None:
    assert Settings(domain="pbem.test").token_in(address) == token


def test_a_maildir_keeps_every_mail(tmp_path: Path) -> None:
    transport_of(Settings(), tmp_path).send(a_message())
    [kept] = mailbox.Maildir(tmp_path / "mail")
    assert kept["Subject"] == "hello"


class Kept(Message):
    def __init__(self) -> None:
        super().__init__()
        self.subjects: list[str] = []

    def handle_message(self, message: object) -> None:
        self.subjects.append(message["Subject"])  # type: ignore[index]


def test_a_host_gets_the_mail_and_one_that_is_away_is_an_error() -> None:
    kept, port = Kept(), free_port()
    host = Controller(kept, hostname="127.0.0.1", port=port)
    host.start()
    try:
        SmtpTransport(Smtp(host="127.0.0.1", port=port, starttls=False)).send(a_message())
    finally:
        host.stop()
    assert kept.subjects == ["hello"]
    with pytest.raises(OSError):
        SmtpTransport(Smtp(host="127.0.0.1", port=port, starttls=False)).send(a_message())


def test_a_host_without_tls_gets_no_password() -> None:
    """The server never sends its password in the clear to a mail host without TLS."""
    kept, port = Kept(), free_port()
    seen: list[object] = []

    def login(*said: object) -> AuthResult:
        seen.append(said)
        return AuthResult(success=True)

    more = {"authenticator": login, "auth_require_tls": False}
    host = Controller(kept, hostname="127.0.0.1", port=port, **more)  # type: ignore[arg-type]
    host.start()
    try:
        with pytest.raises((smtplib.SMTPException, ssl.SSLError)):
            SmtpTransport(Smtp(host="127.0.0.1", port=port, user="u", password="hush")).send(a_message())
    finally:
        host.stop()
    assert seen == [] and kept.subjects == []


def test_a_guest_without_a_real_address_is_not_written_to() -> None:
    message = a_message()
    message.replace_header("To", "guest-1@guests.invalid")
    SmtpTransport(Smtp(host="127.0.0.1", port=1)).send(message)


def certificate(folder: Path) -> tuple[Path, Path]:
    """Make a key and a self-signed certificate for this machine."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "here")])
    here = x509.SubjectAlternativeName([x509.DNSName("localhost")])
    now = datetime.now(UTC)
    made = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    made = made.not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1))
    signed = made.add_extension(here, critical=False).sign(key, hashes.SHA256())
    files = folder / "key.pem", folder / "cert.pem"
    kind = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    files[0].write_bytes(key.private_bytes(*kind))
    files[1].write_bytes(signed.public_bytes(serialization.Encoding.PEM))
    return files


@pytest.mark.parametrize("trusted", [True, False])
def test_a_password_goes_over_tls_to_a_host_whose_certificate_is_good_and_to_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trusted: bool
) -> None:
    key, cert = certificate(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    seen: list[tuple[bytes, bytes]] = []

    def login(server: object, session: object, envelope: object, mechanism: str, said: LoginPassword) -> AuthResult:
        seen.append((said.login, said.password))
        return AuthResult(success=True)

    kept, port = Kept(), free_port()
    more = {"authenticator": login, "tls_context": context, "require_starttls": True, "auth_required": True}
    host = Controller(kept, hostname="127.0.0.1", port=port, **more)  # type: ignore[arg-type]
    host.start()
    if trusted:
        monkeypatch.setenv("SSL_CERT_FILE", str(cert))
    try:
        transport = SmtpTransport(Smtp(host="localhost", port=port, user="u", password="hush"))
        if trusted:
            transport.send(a_message())
        else:
            with pytest.raises(OSError):
                transport.send(a_message())
    finally:
        host.stop()
    assert (seen, kept.subjects) == (([(b"u", b"hush")], ["hello"]) if trusted else ([], []))

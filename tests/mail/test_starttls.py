"""The SMTP listener offers STARTTLS if it has a certificate."""

from __future__ import annotations

import smtplib
import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import msgspec
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from support.hosts.ports import free_port
from support.postbox import Post

from pbem.mail.inbound.listeners import SmtpListener
from pbem.mail.settings import Certificate, read_settings

MAIL = b"From: alice@example.org\r\nTo: orders@pbem.test\r\nMessage-ID: <tls@example.org>\r\n\r\nr1 go2\r\n"


@pytest.fixture
def certificate(tmp_path: Path) -> Certificate:
    """A self-signed certificate for 127.0.0.1."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "pbem")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    (tmp_path / "cert.pem").write_bytes(made.public_bytes(pem))
    plain = serialization.NoEncryption()
    (tmp_path / "key.pem").write_bytes(key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain))
    return Certificate(certificate=str(tmp_path / "cert.pem"), key=str(tmp_path / "key.pem"))


def kept(post: Post) -> int:
    return int(post.server.database.execute("SELECT count(*) FROM inbound").fetchone()[0])


@pytest.mark.parametrize("encrypted", [True, False])
def test_a_mail_comes_in_with_and_without_tls(post: Post, certificate: Certificate, encrypted: bool) -> None:
    settings = msgspec.structs.replace(post.settings, listener=certificate)
    door = SmtpListener(post.server, settings, port=(port := free_port()))
    door.start()
    before = kept(post)
    try:
        with smtplib.SMTP("127.0.0.1", port) as client:
            client.ehlo()
            assert client.has_extn("starttls")
            if encrypted:
                client.starttls(context=ssl.create_default_context(cafile=certificate.certificate))
                client.ehlo()
            client.sendmail("alice@example.org", ["orders@pbem.test"], MAIL)
    finally:
        door.stop()
    assert kept(post) == before + 1


def test_without_a_certificate_nothing_is_offered(post: Post) -> None:
    door = SmtpListener(post.server, post.settings, port=(port := free_port()))
    door.start()
    try:
        with smtplib.SMTP("127.0.0.1", port) as client:
            client.ehlo()
            assert not client.has_extn("starttls")
    finally:
        door.stop()


def test_settings_name_the_files_and_a_bad_file_is_named(tmp_path: Path, certificate: Certificate) -> None:
    (tmp_path / "settings.toml").write_text('[listener]\ncertificate = "cert.pem"\nkey = "key.pem"\n')
    assert read_settings(tmp_path).listener == certificate
    (tmp_path / "key.pem").write_text("no key")
    with pytest.raises(ValueError, match=r"key\.pem cannot be used"):
        certificate.context()

"""A real Postfix and a real Dovecot on high ports of this machine, with all their files in one folder.

Postfix takes mail for three domains: it hands mail for `pbem.test` over by LMTP; the mailboxes of `example.org` and
`imap.test` are Maildirs, which Dovecot serves. Postfix rejects recipients without a mailbox as unknown.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import smtplib
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

from imapclient import IMAPClient
from support.hosts.ports import free_port

PATH = "/usr/sbin:/usr/bin:/sbin:/bin"
POSTFIX, DOVECOT = shutil.which("postfix", path=PATH), shutil.which("dovecot", path=PATH)
MAILBOXES = ("alice@example.org", "bob@example.org", "master@example.org", "orders@imap.test")
PASSWORD = "secret"
PATIENCE = 40

MAIN = """\
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
mail_owner = postfix
setgid_group = postdrop
maillog_file = {folder}/postfix.log
maillog_file_prefixes = {folder}
myhostname = mx.example.org
mydestination =
alias_maps =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
recipient_delimiter = +
relay_domains = pbem.test
transport_maps = inline:{{ {{pbem.test = lmtp:inet:127.0.0.1:{lmtp}}} }}
virtual_mailbox_domains = example.org, imap.test
virtual_mailbox_maps = inline:{{ {mailboxes} }}
virtual_mailbox_base = {folder}/boxes
virtual_uid_maps = static:{uid}
virtual_gid_maps = static:{gid}
smtpd_recipient_restrictions = permit_mynetworks, reject
smtpd_reject_unlisted_recipient = no
disable_dns_lookups = yes
"""

MASTER = """\
127.0.0.1:{smtp} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
virtual unix - n n - - virtual
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
postlog unix-dgram n - n - 1 postlogd
"""

DOVECOT_CONF = """\
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/dovecot.log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
first_valid_uid = 1
mail_location = maildir:{folder}/boxes/%u
service imap-login {{
  inet_listener imap {{
    port = {imap}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service stats {{
  unix_listener stats-reader {{
    mode = 0600
  }}
}}
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={folder}/boxes/%u
}}
"""


def missing() -> str:
    """Return why the mail hosts cannot be started, or an empty text if they can."""
    if POSTFIX is None or DOVECOT is None:
        return "Postfix and Dovecot are not installed (Debian: apt-get install postfix dovecot-imapd)"
    return "" if os.geteuid() == 0 else "Postfix and Dovecot must be started as root"


class MailHosts:
    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="pbem-mta-"))
        self.smtp, self.lmtp, self.imap = free_port(), free_port(), free_port()
        self.folder.chmod(0o755)  # both hosts give up root and must still be able to enter
        user = pwd.getpwnam("nobody")
        mailboxes = ", ".join(f"{{{name} = {name}/}}" for name in MAILBOXES)
        for name in ("conf", "queue", "data", "boxes", "run", "state"):
            (self.folder / name).mkdir()
        os.chown(self.folder / "boxes", user.pw_uid, user.pw_gid)
        os.chown(self.folder / "data", pwd.getpwnam("postfix").pw_uid, -1)
        values = {"folder": self.folder, "uid": user.pw_uid, "gid": user.pw_gid, "password": PASSWORD}
        values |= {"smtp": self.smtp, "lmtp": self.lmtp, "imap": self.imap, "mailboxes": mailboxes}
        (self.folder / "conf" / "main.cf").write_text(MAIN.format(**values))
        (self.folder / "conf" / "master.cf").write_text(MASTER.format(**values))
        (self.folder / "dovecot.conf").write_text(DOVECOT_CONF.format(**values))
        self._dovecot: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._run(POSTFIX, "-c", str(self.folder / "conf"), "check")
        self._run("/usr/lib/postfix/sbin/master", "-c", str(self.folder / "conf"), "-w")
        self.start_dovecot()
        wait_for(lambda: is_open(self.smtp))

    def start_dovecot(self) -> None:
        command = [str(DOVECOT), "-F", "-c", str(self.folder / "dovecot.conf")]
        self._dovecot = subprocess.Popen(command, env={"PATH": PATH}, start_new_session=True)
        wait_for(lambda: is_open(self.imap))

    def stop_dovecot(self) -> None:
        if self._dovecot is not None:
            os.killpg(self._dovecot.pid, signal.SIGTERM)  # with the processes of users who are still logged in
            self._dovecot.wait(PATIENCE)
            self._dovecot = None

    def stop(self) -> None:
        self.stop_dovecot()
        self._run(POSTFIX, "-c", str(self.folder / "conf"), "abort")
        shutil.rmtree(self.folder, ignore_errors=True)

    def _run(self, *command: object) -> None:
        done = subprocess.run([str(word) for word in command], env={"PATH": PATH}, capture_output=True, timeout=30)
        assert done.returncode == 0, done.stderr.decode()

    # Acts of people

    def send(self, message: EmailMessage | bytes, sender: str, *recipients: str) -> None:
        with smtplib.SMTP("127.0.0.1", self.smtp) as client:
            client.sendmail(sender, recipients, bytes(message))

    def read(self, address: str) -> list[EmailMessage]:
        """Return all emails in a mailbox, oldest first, as a mail program fetches them."""
        with IMAPClient("127.0.0.1", port=self.imap, ssl=False) as client:
            client.login(address, PASSWORD)
            client.select_folder("INBOX", readonly=True)
            found = client.fetch(client.search(), ["BODY.PEEK[]"])
        raws = [found[number][b"BODY[]"] for number in sorted(found)]
        return [message_from_bytes(raw, policy=policy.default) for raw in raws]  # type: ignore[misc]

    def wait_for_mail(self, address: str, subject: str) -> EmailMessage:
        """Wait for an email whose subject contains these words; return the newest one."""
        found: list[EmailMessage] = []

        def has_come() -> bool:
            found[:] = [message for message in self.read(address) if subject in message["Subject"]]
            return bool(found)

        wait_for(has_come, lambda: f"{address} got no mail about {subject}; {self.log()}")
        return found[-1]

    def log(self) -> str:
        file = self.folder / "postfix.log"
        return file.read_text() if file.exists() else "no log"


def is_open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def wait_for(condition: Callable[[], object], why: Callable[[], str] = lambda: "it took too long") -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, why()
        time.sleep(0.05)

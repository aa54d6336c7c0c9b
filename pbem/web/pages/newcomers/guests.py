"""Guests of a demonstration."""

from __future__ import annotations

import secrets

from pbem.matches.accounts import accounts
from pbem.matches.accounts.accounts import Account
from pbem.matches.server import Server
from pbem.web.http import entry


def sign_in_guest(server: Server) -> Account:
    """Sign in a new guest account. Its emails are never delivered, because its address ends in `.invalid`."""
    guest = accounts.open_account(server, f"guest-{secrets.token_hex(4)}@guests.invalid", "Guest")
    entry.start_session(guest)
    return guest

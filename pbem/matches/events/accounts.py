"""Accounts: their names, addresses, preferences and absences."""

from __future__ import annotations

from pbem.matches.events.base import AccountEvent, event


@event("account.opened", address="its address", name="the name others see")
class AccountOpened(AccountEvent, frozen=True):
    """An account was opened."""


@event("account.renamed", name="the name others see")
class AccountRenamed(AccountEvent, frozen=True):
    """The account is shown under another name."""


@event("account.muted")
class AccountMuted(AccountEvent, frozen=True):
    """The account gets only answers to its own email."""


@event("account.unmuted")
class AccountUnmuted(AccountEvent, frozen=True):
    """The account gets email again."""


@event("account.forgotten")
class AccountForgotten(AccountEvent, frozen=True):
    """Name and addresses were erased."""


@event("address.added", address="the address")
class AddressAdded(AccountEvent, frozen=True):
    """An address was added."""


@event("address.asked", address="the address")
class AddressAsked(AccountEvent, frozen=True):
    """An address is to be added; it must first be confirmed."""


@event("address.removed")
class AddressRemoved(AccountEvent, frozen=True):
    """An address was removed."""


@event("address.preferred", address="the address")
class AddressPreferred(AccountEvent, frozen=True):
    """Email goes to this address first."""


@event("link.asked", address="the address")
class LinkAsked(AccountEvent, frozen=True):
    """A link to sign in was asked for."""


@event("password.set", password="its hash (nobody)")
class PasswordSet(AccountEvent, frozen=True):
    """A password was set."""


@event("password.removed")
class PasswordRemoved(AccountEvent, frozen=True):
    """The password was removed."""


@event("preferences.set", preferences="the preferences")
class PreferencesSet(AccountEvent, frozen=True):
    """Preferences were set."""


@event("absence.ended")
class AbsenceEnded(AccountEvent, frozen=True):
    """All upcoming absences were cancelled."""


@event("token.revoked")
class TokenRevoked(AccountEvent, frozen=True):
    """An API token was revoked."""


@event("absence.said")
class AbsenceSaid(AccountEvent, frozen=True):
    """The player cannot answer during this time, so deadlines wait."""

    since: int
    until: int


@event("token.made", token="the name that its owner gave it (the account)")
class TokenMade(AccountEvent, frozen=True):
    """An API token was made."""

    scopes: list[str]

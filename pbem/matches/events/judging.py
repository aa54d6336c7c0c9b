"""Letters, disputes, the game master's acts, and rulings."""

from __future__ import annotations

from typing import Any

import msgspec

from pbem.matches.events.base import MatchEvent, event


@event("press.sent", letter="the message (its sender and each addressee)")
class PressSent(MatchEvent, frozen=True, omit_defaults=True):
    """A message was sent. `arrives` is the turn in which it is delivered, where messages take time."""

    exchange: int
    arrives: int = 0


@event("press.delivered", press="the message (each addressee)")
class PressDelivered(MatchEvent, frozen=True):
    """A delayed message has arrived; `letter` is the version of the event that sent it."""

    exchange: int
    letter: int


@event("dispute.opened", dispute="what the player objects to (the seat and the game master)")
class DisputeOpened(MatchEvent, frozen=True, omit_defaults=True):
    """A player disputes a turn, a scene or a sentence, and names the rule that was broken.

    `place` is the disputed place as their report prints it: `4`, `4.7` or `4.7.2`; `sentences` are its sentences, as
    exchange and number in the report of that exchange. The dispute concerns `exchange`, and those after it up to
    `until`. Old events have only the number of one `sentence` instead.
    """

    number: int
    seat: str
    exchange: int
    sentence: int = 0
    rule: str = ""
    place: str = ""
    until: int = 0
    sentences: list[str] = msgspec.field(default_factory=list)


@event("dispute.heard", statement="what the seat says on it (the seat and the game master)")
class DisputeHeard(MatchEvent, frozen=True):
    """Another seat made its statement on a dispute."""

    number: int
    seat: str


@event("dispute.appealed", appeal="why the decision is wrong (the seat and the game master)")
class DisputeAppealed(MatchEvent, frozen=True):
    """A seat appealed against the decision, and the dispute is open again; each dispute has one appeal."""

    number: int
    seat: str


@event("dispute.settled")
class DisputeSettled(MatchEvent, frozen=True, omit_defaults=True):
    """The game master decided a dispute.

    `ruling` is the version of the ruling made on it, `follows` and `departs` name precedents, and `grounds`
    gives the reasons.
    """

    number: int
    answer: str
    by: str
    verdict: str = ""
    rule: str = ""
    ruling: int = 0
    follows: list[str] = msgspec.field(default_factory=list)
    departs: list[str] = msgspec.field(default_factory=list)
    grounds: str = ""


@event("panel.named")
class PanelNamed(MatchEvent, frozen=True):
    """The game master, or the director of the tournament, named the odd number of accounts that decide a dispute."""

    number: int
    members: list[str]
    by: str


@event("dispute.voted")
class DisputeVoted(MatchEvent, frozen=True, omit_defaults=True):
    """A member of the panel voted on a dispute, with reasons."""

    number: int
    by: str
    verdict: str
    answer: str
    rule: str = ""


@event("auditor.proposed")
class AuditorProposed(MatchEvent, frozen=True):
    """A seat proposed an account as auditor."""

    seat: str
    account: str


@event("auditor.named")
class AuditorNamed(MatchEvent, frozen=True):
    """An account became an auditor. `by` is `sides` if all sides proposed it, or else the director's account."""

    account: str
    by: str


@event("auditor.dismissed")
class AuditorDismissed(MatchEvent, frozen=True):
    """An auditor's role ended."""

    account: str
    by: str


@event("master.looked")
class MasterLooked(MatchEvent, frozen=True):
    """The game master, a member of a panel or an auditor looked at something hidden."""

    by: str
    what: str


@event("master.acted")
class MasterActed(MatchEvent, frozen=True, forbid_unknown_fields=False, omit_defaults=True):
    """The game master acted on the clock, a seat, its messages, the settings or the rules.

    `act` is pause, go on, extend, hold, release, settings, process, replace, silence, unsilence, resume or rules.
    `until` is the end of a pause, `hours` an extension, `timing` holds changed settings, `seat` is the seat that is
    replaced or may not send messages.
    """

    by: str
    act: str
    why: str
    exchange: int = 0
    until: int = 0
    hours: int = 0
    seat: str = ""
    timing: dict[str, Any] = msgspec.field(default_factory=dict)
    switches: list[str] = msgspec.field(default_factory=list)


@event("ruling.reopened")
class RulingReopened(MatchEvent, frozen=True, omit_defaults=True):
    """The exchanges after the named one no longer count; they are asked again with fresh dice."""

    after: int
    reason: str
    by: str
    dispute: int = 0


@event("ruling.recomputed")
class RulingRecomputed(MatchEvent, frozen=True, omit_defaults=True):
    """An exchange and those after it are played again with the same answers and dice."""

    after: int
    exchange: int
    reason: str
    by: str
    dispute: int = 0


@event("ruling.corrected", changes="the changes of the state (nobody until the end)")
class RulingCorrected(MatchEvent, frozen=True, omit_defaults=True):
    """The state was corrected at the start of the step in progress."""

    reason: str
    by: str
    dispute: int = 0

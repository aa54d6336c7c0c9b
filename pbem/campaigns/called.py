"""Find the call that a match answers: if a ruling reopens a stage, a battle can be called again under its number."""

from __future__ import annotations

from collections.abc import Iterable

from eventstore import Event

AWAITED = "battle "


class Calls:
    """The exchanges whose results called a battle: the calls in force, and all calls ever made."""

    def __init__(self, campaign: str, events: Iterable[Event] = ()) -> None:
        self.campaign = campaign
        self.standing: dict[str, int] = {}
        self.ever: dict[str, list[int]] = {}
        for event in events:
            self.take(event)

    def take(self, event: Event) -> None:
        """Take in the campaign's next event."""
        if event.type in ("exchange.resolved", "exchange.recomputed"):
            for seat in (ask["seat"] for ask in event.payload["asks"] if ask["seat"].startswith(AWAITED)):
                call = self.standing.setdefault(seat, event.payload["exchange"])
                if call not in self.ever.setdefault(seat, []):
                    self.ever[seat].append(call)
        elif event.type in ("ruling.reopened", "ruling.recomputed"):
            after = event.payload["after"]
            self.standing = {seat: call for seat, call in self.standing.items() if call <= after}

    def origin(self, seat: str) -> dict[str, str]:
        """The origin of the match for a battle's present call; any call after the first names its exchange."""
        found = {"stream": f"match/{self.campaign}", "battle": seat.removeprefix(AWAITED)}
        call = self.standing.get(seat, 0)
        return {**found, "call": str(call)} if self.ever.get(seat, [call])[0] != call else found

    def origins(self) -> list[dict[str, str]]:
        """The origins of the matches for all calls ever made."""
        found = []
        for seat, calls in self.ever.items():
            plain = {"stream": f"match/{self.campaign}", "battle": seat.removeprefix(AWAITED)}
            found += [plain, *({**plain, "call": str(call)} for call in calls[1:])]
        return found

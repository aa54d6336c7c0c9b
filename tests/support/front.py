"""A server with a campaign, with accounts or bots in its seats and a clock that the test sets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from support.clash import ClashTitle, tree_file
from support.playing import entropy

from pbem.campaigns import tick
from pbem.campaigns.rules.state import CampaignState
from pbem.campaigns.rules.title import CampaignTitle
from pbem.engine.rules.title import Title
from pbem.matches.accounts.names import BOT
from pbem.matches.clock import tick as clock
from pbem.matches.exchange import creating
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.record import Record
from pbem.matches.history.replay import Position, load, record_of
from pbem.matches.installation import open_server
from pbem.matches.server import Server

START = 1_900_000_000_000
HOUR = 3600 * 1000


def nothing(name: str) -> None:
    """Do nothing at a fail point."""


class Front:
    """A server with one campaign on it."""

    def __init__(
        self,
        folder: Path,
        titles: Mapping[str, Title],
        seed: object = 0,
        failpoint: Callable[[str], None] = nothing,
    ) -> None:
        self.now, self.id = START, ""
        own = {"battlegroup": tree_file().encode()} if "clash" in titles else {}
        self.titles: dict[str, Title] = {**titles, "campaign": CampaignTitle(titles, own)}
        draw = entropy(seed)
        self.server: Server = open_server(
            folder / "pbem.db", self.titles, entropy=draw, clock=lambda: self.now, failpoint=failpoint
        )

    def open(self, scenario: str, seats: Mapping[str, str] | None = None, **more: Any) -> str:
        """Create the campaign; bots take the seats that are not named."""
        self.id = creating.new_match(self.server, "campaign", scenario, name="The front", **more)
        for seat in self.record.seats:
            account = (seats or {}).get(seat, f"{BOT}steady")
            if account:
                take_seat(self.server, self.id, seat, account)
        return self.id

    @property
    def record(self) -> Record:
        return record_of(self.server, self.id)

    @property
    def position(self) -> Position:
        return load(self.server, self.id)

    @property
    def state(self) -> CampaignState:
        state: CampaignState = self.position.run.state
        return state

    def tick(self, hours: float = 0) -> None:
        self.now += int(hours * HOUR)
        clock.tick(self.server, self.now)
        tick.tick(self.server, self.now)
        clock.tick(self.server, self.now)

    def run(self, ticks: int = 200, hours: float = 1) -> None:
        """Let time pass until the campaign is over or halted."""
        for _ in range(ticks):
            self.tick(hours)
            if self.record.ended or self.record.halted:
                break
        self.tick()

    def battles(self) -> list[str]:
        tick.catch_up(self.server)
        query = "SELECT match FROM campaign_battles WHERE campaign = ? ORDER BY cast(battle AS INTEGER)"
        return [match for (match,) in self.server.database.execute(query, (self.id,)).fetchall()]

    def grow(self, stage: int) -> None:
        """Let time pass until the campaign reaches this stage."""
        while self.state.turn < stage and not self.record.ended:
            self.tick(1)


# A later release ---------------------------------------------------------------------------------------------

SEASONS = '[[season]]\nname = "Autumn"\nfrom = 1\n[[season]]\nname = "Spring"\nfrom = 4\n'


class NewerClash(ClashTitle):
    """The toy title Clash in a later release."""

    switches = (*ClashTitle.switches, "clash/three")


class NewerCampaign(CampaignTitle):
    """Campaigns in a later release, which has a correction that the running campaign began without."""

    switches = ("campaign/2027-01-example",)


def newer_titles() -> dict[str, Title]:
    """Return the titles of a later release."""
    titles: dict[str, Title] = {"clash": NewerClash()}
    return {**titles, "campaign": NewerCampaign(titles)}


def upgrade(folder: Path, old: Front) -> Front:
    """Close the server and open its data in a later release, which corrects both the campaign and its battles."""
    old.server.close()
    new = Front(folder, {"clash": ClashTitle()}, seed="upgraded")
    new.id, new.now = old.id, old.now
    new.titles.update(newer_titles())
    new.server.titles = new.titles
    return new

"""C1.4 Seasons: when a campaign and its battles adopt new corrections of the rules."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.clash import ClashTitle, map_file
from support.front import SEASONS, Front, upgrade

from pbem.campaigns import bundle, bundle_check, chronicle, seasons
from pbem.campaigns.rules.file import CampaignError, packaged, read_campaign
from pbem.matches.history.replay import record_of, replay

NEW = "campaign/2027-01-example"
TITLES = {"clash": ClashTitle()}


def file(more: str = "", head: str = "") -> str:
    return head + map_file(6, homes="false") + more


def begun(folder: Path, text: str) -> Front:
    front = Front(folder, TITLES)
    front.open("battlegroup", options={"file": text})
    return front


def switches_of(front: Front) -> list[list[str]]:
    """Return, for each battle, the corrections with which it was created."""
    return [list(record_of(front.server, match).created.switches) for match in front.battles()]


def test_c1_4_new_rules_come_with_the_next_season_and_not_before(tmp_path: Path) -> None:
    old = begun(tmp_path, file(SEASONS))
    old.grow(2)
    front = upgrade(tmp_path, old)
    front.grow(3)
    assert front.state.switches == ()
    front.grow(6)
    assert front.state.switches == (NEW,)
    front.run()
    assert front.record.ended is not None
    assert replay(front.server, front.id).run.state == front.state
    found = bundle_check.verify_bundle(bundle.read_bundle(bundle.write(front.server, front.id)), front.titles)
    assert found.problems == []


def test_c1_4_without_seasons_a_campaign_keeps_its_rules(tmp_path: Path) -> None:
    old = begun(tmp_path, file())
    old.grow(2)
    front = upgrade(tmp_path, old)
    front.grow(5)
    assert front.state.switches == ()


def test_c1_4_a_battle_takes_the_rules_of_its_creation_unless_they_are_pinned(tmp_path: Path) -> None:
    (tmp_path / "free").mkdir()
    (tmp_path / "pinned").mkdir()
    for name, head in (("free", ""), ("pinned", "pinned = true\n")):
        old = begun(tmp_path / name, file(SEASONS, head))
        while not old.battles():
            old.tick(1)
        before = len(old.battles())
        front = upgrade(tmp_path / name, old)
        while front.state.turn < 4:
            front.tick(1)
        during = switches_of(front)[before:]
        front.run()
        assert before and during and switches_of(front)[0] == ["clash/one", "clash/two"]
        assert ("clash/three" in during[-1]) == (name == "free")
        assert "clash/three" in switches_of(front)[-1]
        found = bundle_check.verify_bundle(bundle.read_bundle(bundle.write(front.server, front.id)), front.titles)
        assert found.problems == []


def test_c1_4_a_pinned_campaign_without_seasons_is_one_season(tmp_path: Path) -> None:
    old = begun(tmp_path, file(head="pinned = true\n"))
    old.grow(2)
    old.tick()
    front = upgrade(tmp_path, old)
    front.run()
    assert front.state.switches == ()
    assert all(switches == ["clash/one", "clash/two"] for switches in switches_of(front))


def test_c1_4_a_battle_played_by_other_rules_than_pinned_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    front = begun(tmp_path, file(head="pinned = true\n"))
    with monkeypatch.context() as patch:
        patch.setattr(seasons, "battle_switches", lambda history, book, stage: ["clash/one"])
        front.run()
    found = bundle_check.verify_bundle(bundle.read_bundle(bundle.write(front.server, front.id)), front.titles)
    assert any("was not played by the rules of its season" in str(problem) for problem in found.problems)


def test_c1_4_the_chronicle_says_when_a_season_begins(tmp_path: Path) -> None:
    front = begun(tmp_path, file(SEASONS))
    front.grow(5)
    told = [str(line.text) for line in chronicle.chapter(front.server, front.id, "public", 3).told]
    assert "A new season begins: Spring." in told


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ('[[season]]\nname = "Spring"\nfrom = 2\n', "the first season begins with stage 1"),
        (SEASONS + '[[season]]\nname = "Late"\nfrom = 3\n', "each begins with a later stage"),
        (SEASONS + '[[season]]\nname = "Late"\nfrom = 30\n', "the campaign has only 5 stages"),
    ],
)
def test_c1_4_seasons_that_do_not_follow_one_another_are_mistakes(more: str, said: str) -> None:
    with pytest.raises(CampaignError, match=said):
        read_campaign(packaged("battlegroup") + b"\n" + more.encode())

"""Reports and replay show stored findings and old views, as the viewer knew them."""

from __future__ import annotations

import hmac
import json
import re
from html import unescape

import pytest

from pbem.engine.play.dice import Roll, step_down
from pbem.engine.rules.findings import Finding
from pbem.matches.history.replay import record_of
from pbem.web.pages.match.stories import in_words, rolls_behind, story


@pytest.fixture
def played(ann, bob, match):
    """Return a match in which red has moved in the open and blue has waited in ambush."""
    for browser, orders in ((ann, "r1 go3"), (bob, "b1 ambush")):
        browser.post(f"/matches/{match}/orders", orders=orders, act="final", exchange=2)
    return match


def test_a_report_unfolds_each_finding_to_rule_inputs_and_dice(ann, server, played):
    page = ann.get(f"/matches/{played}/reports/2").text

    assert "<details>" in page
    assert "<dt>unit</dt><dd>r1</dd>" in page
    assert '<span class="die"' in page
    assert record_of(server, played).exchange(2).resolved.hash in page  # the signed head


def test_every_die_is_derived_so_that_anyone_can_roll_it_again(nobody, server, played):
    """§7: Anyone can roll a die again: the roll is the HMAC of its name under a key that leads down to
    the published value."""
    page = unescape(nobody.get(f"/matches/{played}/reports/2").text)
    rung, foot, context = re.findall(r"<dd><code>([0-9a-f]{64})</code><br>|<br><code>([0-9a-f]{64})</code>", page)
    key, start, hashed = rung[0], foot[1], context[0]
    rows = re.findall(
        r'<tr id="roll-\d+"><td>(.*?)</td><td>(.*?)</td><td><code title="(.*?)">(.*?)</code></td>'
        r'<td class="number">(\d+)</td><td class="number"><span class="die">(\d+)</span>',
        page,
    )

    assert step_down(bytes.fromhex(key), 2).hex() == start == record_of(server, played).created.ladder["open"]
    assert rows
    for rule, _, message, digits, sides, result in rows:
        assert json.loads(message)[:2] == [hashed, rule]
        rolled = hmac.digest(bytes.fromhex(key), message.encode(), "sha256").hex()
        assert rolled.startswith(digits) and int(digits, 16) % int(sides) + 1 == int(result)


def test_the_dice_of_a_finding_lead_to_their_rolls(ann, played):
    page = ann.get(f"/matches/{played}/reports/2").text

    places = re.findall(r'<a class="die" href="#roll-(\d+)"[^>]*>(\d+)</a>', page)
    rolls = re.findall(r'<tr id="roll-(\d+)">.*<span class="die">(\d+)</span>', page)
    assert places and set(places) <= set(rolls)
    scenes = re.findall(r'data-rules="([^"]+)"', ann.get(f"/matches/{played}/turns/1").text)
    told = "".join(ann.get(scene).text for scene in scenes)
    assert f'<a class="die" href="/matches/{played}/reports/2#roll-{places[0][0]}"' in told


def test_every_sentence_has_an_address_of_its_own(ann, played):
    page = ann.get(f"/matches/{played}/reports/2").text

    numbers = re.findall(r'<li id="s(\d+)">', page)
    assert numbers == [str(number) for number in range(1, len(numbers) + 1)]
    assert 'href="#s1"' in page
    assert f'href="/matches/{played}/reports/2#s1"' in ann.get(f"/matches/{played}/replay/2").text


def test_dice_that_cannot_be_told_apart_lead_nowhere():
    rolls = [Roll("4.2", ("r1",), 0, 6, 3), Roll("4.3", ("b1",), 0, 6, 5)]
    other, mine = Finding("9.9", dice=(3,)), Finding("4.2", dice=(3,))

    assert rolls_behind(other, rolls, 0) == range(0) == rolls_behind(mine, rolls, 1)
    assert rolls_behind(mine, rolls, 0) == range(1)
    assert rolls_behind(Finding("9.9", inputs={"unit": "b1"}, dice=(5,)), rolls, 0) == range(1, 2)


def test_a_report_tells_each_viewer_what_he_may_know(ann, bob, nobody, played):
    """A report shows an order only to its own seat until the order acts (rule 1)."""
    secret = "<dt>unit</dt><dd>b1</dd>"

    assert secret in bob.get(f"/matches/{played}/reports/2").text
    assert secret not in ann.get(f"/matches/{played}/reports/2").text
    assert secret not in nobody.get(f"/matches/{played}/reports/2").text


def test_there_is_no_report_before_an_exchange_is_resolved(ann, played):
    assert ann.get(f"/matches/{played}/reports/3").status_code == 404
    assert ann.get(f"/matches/{played}/replay/3").status_code == 404
    assert ann.get(f"/matches/{played}/replay/0").status_code == 404


def test_replay_shows_the_map_of_its_time_with_links_to_its_neighbours(ann, played):
    page = ann.get(f"/matches/{played}/replay/1").text

    assert "r1 at [0, 2]" in page
    assert f'href="/matches/{played}/replay/2"' in page and "← earlier" not in page
    later = ann.get(f"/matches/{played}/replay/2").text
    assert "r1 at [1, 3]" in later and "← earlier" in later
    assert b"[0, 2]" in ann.get(f"/matches/{played}/map.svg?after=1").data


def test_old_maps_are_as_secret_as_new_ones(ann, nobody, played):
    first, public = (viewer.get(f"/matches/{played}/map.svg?after=1") for viewer in (ann, nobody))

    assert first.headers["ETag"] != public.headers["ETag"]
    assert b"data-own" not in public.data


def test_sentences_stand_under_those_that_rest_on_them():
    from pbem.engine.rules.findings import Finding
    from pbem.matches.views import Told

    told = [Told("4.1", f"line {n}", (), depth, Finding("4.1")) for n, depth in enumerate((0, 1, 2, 1, 0))]

    first, second = story(told)
    assert [one.told.text for one in first.rests_on] == ["line 1", "line 3"]
    assert first.rests_on[0].rests_on[0].told.text == "line 2"
    assert second.rests_on == [] and second.explained, "at least by the text of its rule"


def test_values_of_findings_are_told_in_words():
    assert str(in_words({"range": 4, "cover": None, "seen": True})) == "range 4, cover nothing, seen yes"
    assert str(in_words([])) == "none"


def test_the_statistics_of_the_dice_count_every_open_roll(ann, nobody, server, played):
    from pbem.matches.audit import fairness

    rolls = fairness.rolls_of_match(server, record_of(server, played))

    assert rolls
    for viewer in (ann, nobody):
        page = viewer.get(f"/matches/{played}/dice").text
        assert f"{len(rolls)} rolls" in page and "too few rolls for a verdict" in page


def test_before_the_first_roll_there_are_no_statistics(ann, match):
    assert "No die has been rolled yet" in ann.get(f"/matches/{match}/dice").text

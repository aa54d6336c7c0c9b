"""The second verifier is a page that works from disk, shares no code with the first, and agrees with it."""

from __future__ import annotations

import base64
import gzip
import json
import lzma
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from campaigns.test_moving import Moved
from support.forgeries import sleights, tricks
from support.forgeries.beacon import FORGERIES, two_exchanges
from support.forgeries.bundles import FORGERIES as FORGERIES_OF_CAMPAIGNS
from support.forgeries.bundles import Forgery, early, tampered
from support.forgeries.bundles import played as forged_campaign
from support.forgeries.conduct import EXPECTED, disputed
from support.forgeries.forging import UNENTITLED, Lines, append_unentitled, forged, joined, lines_of
from support.forgeries.misconduct import DISPUTED, PLAYED, TOURNAMENT, as_tournament, then
from support.forgeries.payloads import fields_of_events
from support.playing import a_match, a_server, close_now, moves, play
from support.seated import Table

from pbem.campaigns import bundle
from pbem.campaigns.bundle_check import Kept, verify_bundle
from pbem.engine.rules.refusals import Unreadable
from pbem.engine.rules.title import Submission
from pbem.matches.audit import packing
from pbem.matches.audit.conduct import shapes
from pbem.matches.audit.verify import verify_export
from pbem.matches.exchange import ending, resolving, sealing
from pbem.matches.history import keys
from pbem.matches.history.export import export, read_export
from pbem.matches.history.receipts import Receipt, SignedHead
from pbem.matches.history.replay import record_of
from pbem.matches.rulings import auditors, panels, powers, rulings
from pbem.matches.server import Server
from pbem.tools import tampering
from pbem.web import create_app

pytestmark = pytest.mark.browser

PAGE = Path(__file__).parents[3] / "pbem" / "web" / "static" / "verify.html"
GOLDEN = Path(__file__).parents[2] / "golden"
Verdict = list[tuple[int, str]]


@pytest.fixture(scope="module")
def page(real_browser: Any) -> Any:
    """Open the verifier's page from disk, with the network off."""
    with real_browser.new_context(offline=True) as context:
        found = context.new_page()
        found.goto(PAGE.as_uri())
        yield found


def in_browser(page: Any, content: bytes, **more: Any) -> Verdict:
    script = "([text, more]) => verify(unbase64(text), more).problems.map(p => [p.version, p.code])"
    found = page.evaluate(script, [base64.b64encode(content).decode(), more])
    return sorted({(version, code) for version, code in found})


def in_python(
    content: bytes, *, server: str = "", receipts: Sequence[Receipt] = (), heads: Sequence[SignedHead] = ()
) -> Verdict:
    try:
        return verify_export(read_export(content), server=server, receipts=receipts, heads=heads).codes
    except Unreadable:
        return [(0, "unreadable")]


def agree(page: Any, content: bytes, receipts: Sequence[Receipt] = (), heads: Sequence[SignedHead] = ()) -> Verdict:
    """Return the verdict on an export, after checking that both verifiers agree."""
    plain = {"receipts": msgspec.to_builtins(receipts), "heads": msgspec.to_builtins(heads)}
    found = in_browser(page, content, **plain)
    assert found == in_python(content, receipts=receipts, heads=heads)
    return found


def played(folder: Path, seed: int, ruled: bool = False) -> tuple[Server, str, list[Receipt]]:
    server = a_server(folder, seed)
    match = a_match(server, scenario="small", reactions="ask" if seed % 2 else "plan")
    receipts = [sealing.seal(server, match, "red", 2, Submission({}), text=f"# {seed} é 😀\n")]
    sealing.seal(server, match, "blue", 2, Submission({}))
    close_now(server, match, 2)
    resolving.resolve(server, match)
    if ruled:
        for step, _ in enumerate(moves(server, match, seed)):
            if step == 9:
                break
        rulings.reopen(server, match, after=2, reason="a wrong hex", by="gm")
    play(server, match, seed)
    return server, match, receipts


@pytest.mark.parametrize("seed", range(6))
def test_both_verifiers_agree_on_random_matches_and_on_tampered_ones(
    page: Any, folders: Callable[[], Path], seed: int
) -> None:
    server, match, receipts = played(folders(), seed, ruled=seed in (2, 3))
    record, random = record_of(server, match), Random(seed)
    heads = [ending.signed_head(server, match, entry) for entry in record.resolved]
    for viewer in ("red", "public", "master"):
        content = export(server, match, viewer)
        assert agree(page, content, receipts, heads) == []
    content = export(server, match, "red")
    for way in tampering.WAYS:
        for signer in (None, server.signer):
            changed = tampering.tamper_once(content, way, random, signer)
            assert changed == content or agree(page, changed) or signer is not None
            agree(page, changed, receipts, heads)
    for _ in range(25):
        assert agree(page, tampering.flip_bit(content, random)) != []


def test_both_verifiers_agree_on_golden_matches_of_every_title(page: Any) -> None:
    for title in ("ambush", "aslsk", "nato", "panzer", "tanks"):
        smallest = min((GOLDEN / title).glob("*.xz"), key=lambda file: file.stat().st_size)
        assert agree(page, lzma.decompress(smallest.read_bytes())) == []


def agree_on_bundle(page: Any, content: bytes, server: str = "") -> set[str]:
    """Return the codes of the problems in a bundle, after checking that both verifiers find the same ones in the same
    places."""
    script = "([text, more]) => verify_bundle(unbase64(text), more).problems.map(p => [p.where, p.version, p.code])"
    rows = page.evaluate(script, [base64.b64encode(content).decode(), {"server": server}])
    found = sorted({(where, version, code) for where, version, code in rows})
    try:
        expected = verify_bundle(bundle.read_bundle(content), {}, Kept(server)).codes
    except Unreadable:
        expected = [("", 0, "unreadable")]
    assert found == expected
    return {code for _, _, code in found}


def test_both_verifiers_agree_on_bundles_of_campaigns(page: Any) -> None:
    for file in sorted((GOLDEN / "campaign").glob("*.gz")):
        content = gzip.decompress(file.read_bytes())
        assert agree_on_bundle(page, content) == set()
        assert agree_on_bundle(page, content, "00" * 32) == {"server"}


def test_both_verifiers_name_forgeries_across_streams(page: Any, folders: Callable[[], Path]) -> None:
    for name, forgery in FORGERIES_OF_CAMPAIGNS.items():
        _, content = forged_campaign(folders(), forgery)
        found = agree_on_bundle(page, content)
        assert (forgery.code in found) if forgery.sees else (found == set()), name
    assert agree_on_bundle(page, early(folders())[1]) == {"bundle"}
    _, content = forged_campaign(folders(), Forgery(""))
    for name, (changed, code) in tampered(content).items():
        assert agree_on_bundle(page, changed) == {code}, name


def test_the_published_vectors_hold_in_the_browser(page: Any) -> None:
    vectors = json.loads((Path(__file__).parents[3] / "pbem" / "guide" / "vectors.json").read_text())
    for case in vectors["canonical"]:
        assert page.evaluate("value => canonical(value)", case["value"]) == case["text"]
    for case in vectors["commitment"]:
        assert page.evaluate("c => commitment(unhex(c.salt), utf8(c.text))", case) == case["hex"]
    for case in vectors["ladder"]:
        assert page.evaluate("c => hex(step_down(unhex(c.rung), c.steps))", case) == case["hex"]
    roll = "c => die(unhex(c.rung), c.context, c.rule, c.subjects, c.ordinal, c.sides)"
    for case in vectors["rolls"]:
        assert page.evaluate(roll, case) == case["result"]
    assert page.evaluate("c => signed_by(c.server, c.body, c.hex)", vectors["signature"])
    for case in vectors["beacon"]["rounds"]:
        assert (
            page.evaluate("([t, at]) => round_after(t, at)", [vectors["beacon"]["terms"], case["closed"]])
            == case["round"]
        )
    for case in vectors["exports"]:
        content = ("\n".join(case["export"]) + "\n").encode()
        given = {name: case[name] for name in ("server", "receipts", "heads", "beacon") if name in case}
        assert [list(pair) for pair in in_browser(page, content, **given)] == case["verdict"], case["name"]


@pytest.mark.parametrize("lost", [False, True])
def test_both_verifiers_follow_a_change_of_keys(page: Any, folders: Callable[[], Path], lost: bool) -> None:
    folder = folders()
    server, match, receipts = played(folder, 1)
    first = server.id
    server.close()
    new = keys.rotate(folder / "pbem.db", address=server.store.address, lost=lost, secret=bytes(range(32)))
    content = export(a_server(folder, 1), match, "red")
    plain = msgspec.to_builtins(receipts)
    for key in (first, new, "00" * 32):
        found = in_browser(page, content, server=key, receipts=plain)
        assert found == in_python(content, server=key, receipts=receipts)
        assert (found == []) == (key == new or (key == first and not lost))


def test_both_verifiers_judge_panels_and_auditors_alike(page: Any, folders: Callable[[], Path]) -> None:
    table = Table(folders())
    who = [table.account(name) for name in ("pat", "per", "pia")]
    for forgery in ("", *UNENTITLED):
        table.begin(master=True)
        table.play()
        table.say("red", "dispute 1: wrong")
        if not forgery:
            panels.name(table.server, table.match, 1, who, by=table.master)
            for member in who[:2]:
                panels.vote(table.server, table.match, 1, "upheld", "Yes.", by=member)
            for seat in ("red", "blue"):
                auditors.propose(table.server, table.match, seat, who[0], by=table.who[seat])
            powers.everything(table.server, table.match, by=who[0])
        else:
            append_unentitled(table.server, table.match, forgery, {"GM": table.master, "RED": table.who["red"]})
        found = {code for _, code in agree(page, export(table.server, table.match, "public"))}
        assert found == ({UNENTITLED[forgery][1]} if forgery else set()), forgery


def test_both_verifiers_judge_public_beacons_alike(page: Any, folders: Callable[[], Path]) -> None:
    server, match, _ = two_exchanges(folders())
    assert agree(page, export(server, match, "red")) == []
    for forge in FORGERIES:
        assert agree(page, forged(server, match, forge)) != [], forge.__name__


def test_both_verifiers_judge_conduct_alike(page: Any, folders: Callable[[], Path]) -> None:
    table = disputed(folders())
    assert agree(page, export(table.server, table.match, "red")) == []
    for forge, code in EXPECTED.items():
        found = agree(page, forged(table.server, table.match, forge))
        assert code in {one for _, one in found}, forge.__name__


def test_both_verifiers_name_what_could_not_have_happened(page: Any, folders: Callable[[], Path]) -> None:
    table = disputed(folders())
    server, match, _ = played(folders(), 3)

    def found(server: Server, match: str, *forgeries: Callable[[Lines], None]) -> set[str]:
        return {code for _, code in agree(page, forged(server, match, then(*forgeries)))}

    for name, (forge, code) in (DISPUTED | sleights.DISPUTED).items():
        assert code in found(table.server, table.match, forge), name
    for name, (forge, code) in TOURNAMENT.items():
        assert code in found(table.server, table.match, as_tournament, forge), name
    for name, (forge, code) in (PLAYED | sleights.PLAYED).items():
        assert code in found(server, match, forge), name
    for name, (policy, code) in sleights.MISSED.items():
        table = sleights.missed(folders(), policy)
        assert found(table.server, table.match, sleights.spared(policy)) == {code}, name


def test_both_verifiers_name_tricks_with_judges_secrets_and_rewound_play(
    page: Any, folders: Callable[[], Path]
) -> None:
    for table, forgeries in ((tricks.tried(folders()), tricks.TRIED), (tricks.sealed(folders()), tricks.SEALED)):
        for viewer in ("red", "public", "master"):
            assert agree(page, export(table.server, table.match, viewer)) == []
        for name, (forge, code) in forgeries.items():
            found = {one for _, one in agree(page, forged(table.server, table.match, forge))}
            assert code in found, name


def test_both_verifiers_take_hex_in_one_spelling_only(page: Any, folders: Callable[[], Path]) -> None:
    server, match, _ = played(folders(), 3)
    for type, path in tricks.HEX:
        assert agree(page, forged(server, match, tricks.in_capitals(type, *path))) == [(0, "unreadable")], path
    lines = lines_of(export(server, match, "red"))
    lines[-1]["trailer"]["signature"] = lines[-1]["trailer"]["signature"].upper()
    assert agree(page, joined(lines)) == [(0, "trailer")]


def test_a_match_packed_as_one_page_plays_its_map_from_disk(
    real_browser: Any, server: Server, new_match: Any, tmp_path: Path
) -> None:
    match = new_match(server)
    play(server, match, 1)
    file = tmp_path / "match.html"
    file.write_text(packing.as_page(server, match, "public"))
    assert not re.search(r'(src|href)="', file.read_text()), "it asks for nothing else"
    with real_browser.new_context(offline=True) as context:
        page = context.new_page()
        page.goto(file.as_uri())
        last = page.inner_text("#film-label")
        page.click("#film-back")
        page.wait_for_function("last => document.querySelector('#film-label').textContent !== last", arg=last)
        assert page.locator("#film-map svg").count() == 1
        page.click("#film-on")
        page.wait_for_function("last => document.querySelector('#film-label').textContent === last", arg=last)


def test_both_know_the_same_events(page: Any) -> None:
    assert page.evaluate("FIELDS") == fields_of_events()
    assert page.evaluate("KNOWN") == shapes.KNOWN


def test_a_person_checks_a_file_and_an_unknown_key_is_said_first(
    page: Any, folders: Callable[[], Path], tmp_path: Path
) -> None:
    server, match, receipts = played(folders(), 1)
    (tmp_path / "match.jsonl").write_bytes(export(server, match, "red"))
    (tmp_path / "receipt.json").write_bytes(msgspec.json.encode(receipts[0]))
    page.reload()
    page.set_input_files("#export", tmp_path / "match.jsonl")
    page.set_input_files("#witnesses", tmp_path / "receipt.json")
    page.click("text=Verify >> nth=-1")
    page.wait_for_selector("#result .loud")
    assert "was not checked" in page.inner_text("#result")
    page.fill("#server", server.id)
    page.click("button")
    page.wait_for_selector("#result .good")
    assert "Everything that this page can check is in order" in page.inner_text("#result")
    page.fill("#server", "00" * 32)
    page.click("button")
    page.wait_for_selector("#result .bad")
    assert "another server" in page.inner_text("#result")


def test_a_person_checks_the_file_of_a_campaign(page: Any, tmp_path: Path) -> None:
    content = gzip.decompress((GOLDEN / "campaign" / "release-0.2.jsonl.gz").read_bytes())
    (tmp_path / "campaign.jsonl").write_bytes(content)
    page.reload()
    page.set_input_files("#export", tmp_path / "campaign.jsonl")
    page.fill("#server", bundle.read_bundle(content).server)
    page.click("button")
    page.wait_for_selector("#result .good")
    assert "battles compared with their campaign" in page.inner_text("#result")


def test_the_same_page_is_served_and_may_connect_to_nothing(server: Server) -> None:
    answer = create_app(server, demo=True).test_client().get("/verify")
    assert answer.status_code == 200
    assert answer.data == PAGE.read_bytes()
    policy = answer.headers["Content-Security-Policy"]
    assert "connect-src 'none'" in policy
    assert "unsafe" not in policy


def test_the_served_page_runs_under_its_policy(new_page: Any, serve: Any, server: Server) -> None:
    found = new_page()
    found.goto(f"{serve(create_app(server, demo=True))}/verify")
    assert found.evaluate("typeof verify") == "function"


def test_both_verifiers_agree_on_a_match_that_has_moved(page: Any, folders: Callable[[], Path]) -> None:
    moved = Moved(folders())
    resolved = [event for event in moved.old.record.events if event.type == "exchange.resolved"][-1]
    exchange = resolved.payload["exchange"]
    head = SignedHead(server=moved.old.server.id, match=moved.old.id, exchange=exchange, event=resolved.hash)
    head = msgspec.structs.replace(head, signature=moved.old.server.signer.sign(head.body()))
    front = moved.take(moved.leave())
    front.tick(1)
    content = export(front.server, front.id, "public")
    assert agree(page, content, heads=[head]) == []
    assert agree(page, export(moved.old.server, front.id, "public"), heads=[head]) == []
    forged = msgspec.structs.replace(head, server=front.server.id, signature=front.server.signer.sign(head.body()))
    assert agree(page, content, heads=[forged]) == [(0, "head")]
    thief = msgspec.json.encode(moved.old.server.id)
    assert agree(page, content.replace(thief, msgspec.json.encode("f" * 64))) != []

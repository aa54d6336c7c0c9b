"""Selected tests of matches, mail and web run on PostgreSQL; with `--engine=postgresql` any test runs there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
CHOSEN = {
    "matches/audit/test_search.py": (
        "test_the_index_holds_no_word_and_follows_the_end_and_a_ruling",
        "test_indexing_is_incremental_and_bounded",
    ),
    "matches/clock/test_time_bank.py": (
        "test_a_seat_without_orders_draws_a_day_at_a_time_and_pays_only_for_what_it_uses",
    ),
    "matches/post/test_inbox.py": ("test_a_kept_mail_survives_the_process",),
    "matches/post/test_outbox.py": (
        "test_after_many_attempts_a_mail_is_given_up_and_listed",
        "test_reports_are_owed_with_the_resolving_whoever_resolves",
    ),
    "matches/post/test_reply_tokens.py": ("test_a_sign_in_token_works_once_and_for_a_day",),
    "mail/inbound/test_account_commands.py": ("test_matches_lists_open_ones_with_a_line_that_joins_them",),
    "mail/inbound/test_bounces.py": (
        "test_a_bounce_marks_the_address_and_tells_the_game_master_once_and_not_which_address",
    ),
    "mail/test_master_replies.py": (
        "test_an_answer_of_another_address_changes_nothing",
        "test_a_code_of_a_former_panel_no_longer_votes",
        "test_a_dispute_goes_from_a_mail_to_a_precedent_by_mail",
        "test_the_clock_is_extended_stopped_and_started_by_reply",
        "test_the_game_master_is_told_of_the_end",
    ),
    "web/pages/test_lobby.py": (
        "test_how_reliable_players_are_stands_behind_their_names",
        "test_matches_are_found_by_title_scenario_cadence_and_open_seats",
        "test_a_player_finds_his_own_matches_first",
        "test_the_lobby_is_never_older_than_the_matches",
        "test_playing_again_opens_the_same_match",
        "test_the_lobby_does_not_wait_for_a_writer",
    ),
}
"""A smallest set of tests that together run every SQL statement that any test of these files runs (about 250)."""


@pytest.mark.first
@pytest.mark.postgresql
def test_servers_behave_the_same_on_postgresql() -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "--engine=postgresql"]
    done = subprocess.run(
        [*command, *(f"{TESTS / file}::{name}" for file, names in CHOSEN.items() for name in names)],
        cwd=TESTS.parent,
        env={**os.environ, "PYTEST_XDIST_WORKER": "", "PYTHONPATH": str(TESTS.parent)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]

"""resume: continue with a database that was promoted or restored."""

from __future__ import annotations

import argparse
from contextlib import closing

from pbem.cli.common import DATABASE, Subparsers, add_command, add_data, database_of, folder_of, titles_of
from pbem.matches.clock import tick
from pbem.matches.exchange import ladder_starts
from pbem.matches.installation import open_server
from pbem.matches.rulings import privilege

TERMINAL = "(at the terminal)"
NOTHING = "nothing"


def add(subparsers: Subparsers) -> None:
    examples = ["pbem resume", "pbem resume --lost nothing"]
    help = "continue with a PostgreSQL database that was promoted or restored"
    parser = add_command(subparsers, "resume", run_resume, help, examples)
    lost = (
        "what the change may have lost: unknown (default) gives every running match new dice and asks for the open "
        "orders again; nothing is for the promotion of a replica that confirmed every commit"
    )
    parser.add_argument("--lost", choices=(NOTHING, "unknown"), default="unknown", help=lost)
    add_data(parser)


def run_resume(args: argparse.Namespace) -> int:
    folder_of(args).mkdir(parents=True, exist_ok=True, mode=0o700)
    more = {"database": database_of(args), "is_resuming": True}
    with closing(open_server(folder_of(args) / DATABASE, titles_of(args), **more)) as server:
        problem = server.store.changed_history()
        if problem is None:
            print("The database is the one that the server used before; there is nothing to resume.")
            return 0
        if getattr(problem, "final", False):
            raise problem
        started = [] if args.lost == NOTHING else ladder_starts.restart_all(server)
        server.store.accept_history(lost_nothing=args.lost == NOTHING)
        ladder_starts.note_restorations(server)
        privilege.note(server, TERMINAL, privilege.OPERATOR, f"resumed a changed database, lost: {args.lost}")
        tick.recover(server)
    print(f"Resumed; {len(started)} matches have new dice and ask for their open orders again.")
    return 0

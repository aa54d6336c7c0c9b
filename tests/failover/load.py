"""Run `pbem bench --load` on SQLite and on a private PostgreSQL cluster, one after the other.

cd tests
python -m failover.load --matches 5000 --rate 1000 --minutes 10 --keep /var/tmp/load --json
python -m failover.load --disk /var/tmp --matches 5000 --rate 1000 --minutes 10 --keep /var/tmp/load --json

Both databases write to memory, or to the folder given by `--disk`, where every commit waits for the disk.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from support.hosts import postgres

from pbem.cli import main
from pbem.titles.registry import TITLES

SETTINGS = {"autovacuum": "on", "shared_buffers": "256MB", "max_wal_size": "1GB"}
"""The settings of a server in production, not of one that is thrown away after a test."""

if __name__ == "__main__":
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--disk", type=Path)
    args, rest = parser.parse_known_args()
    cluster = postgres.Cluster(disk=args.disk, **SETTINGS)
    tempfile.tempdir = str(cluster.folder.parent)  # both engines write to the same disk, or to memory
    try:
        cluster.create()
        cluster.start()
        command = ["bench", "panzer", "--scenario", "duel", "--load", "--database", cluster.empty(), *rest]
        code = main(command, TITLES)
    finally:
        cluster.stop()
    sys.exit(code)

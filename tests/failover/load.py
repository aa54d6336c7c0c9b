"""`pbem bench --load` on SQLite and on a private PostgreSQL cluster, in one run.

cd tests
python -m failover.load --matches 5000 --rate 1000 --minutes 10 --keep /var/tmp/load --json
"""

from __future__ import annotations

import sys
import tempfile

from support.hosts import postgres

from pbem.cli import main
from pbem.titles.registry import TITLES

if __name__ == "__main__":
    cluster = postgres.cluster()
    tempfile.tempdir = str(cluster.folder.parent)  # both engines write to the same disk, or to memory
    address = cluster.empty()
    sys.exit(main(["bench", "panzer", "--scenario", "duel", "--load", "--database", address, *sys.argv[1:]], TITLES))

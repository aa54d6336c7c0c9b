"""Record the golden bundle of a campaign for this release: `cd tests && python -m programs.golden_campaign`."""

from __future__ import annotations

import gzip
import sys
import tempfile
from pathlib import Path

from support.clash import ClashTitle, map_file
from support.front import Front

from pbem.campaigns import bundle

FOLDER = Path(__file__).parents[1] / "golden" / "campaign"


def main() -> int:
    """Play a campaign by bots and keep its bundle, unless this release has one."""
    front = Front(Path(tempfile.mkdtemp()), {"clash": ClashTitle()}, seed="golden")
    front.open("battlegroup", options={"file": map_file(6, homes="false")})
    front.run(ticks=100)
    file = FOLDER / "release-0.2.jsonl.gz"
    FOLDER.mkdir(exist_ok=True)
    file.write_bytes(gzip.compress(bundle.write(front.server, front.id), mtime=0))
    print(f"{file}: {file.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())

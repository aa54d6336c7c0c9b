"""Record the golden bundles of campaigns for this release: `cd tests && python -m programs.golden_campaign`."""

from __future__ import annotations

import gzip
import sys
import tempfile
from pathlib import Path

from support.clash import ClashTitle, map_file
from support.front import SEASONS, Front, upgrade

from pbem.campaigns import bundle

FOLDER = Path(__file__).parents[1] / "golden" / "campaign"


def plain(folder: Path) -> Front:
    """Play six stages on a map."""
    front = Front(folder, {"clash": ClashTitle()}, seed="golden")
    front.open("battlegroup", options={"file": map_file(6, homes="false")})
    return front


def with_seasons(folder: Path) -> Front:
    """Play six stages in two seasons, with an upgrade in the first, so that the second season uses the corrections of
    the later release."""
    front = Front(folder, {"clash": ClashTitle()}, seed="golden")
    front.open("battlegroup", options={"file": "pinned = true\n" + map_file(6, homes="false") + SEASONS})
    front.grow(2)
    return upgrade(folder, front)


def main() -> int:
    """Let bots play the campaigns of this release, and write their bundles."""
    for name, begin in (("release-0.2", plain), ("release-0.2-seasons", with_seasons)):
        front = begin(Path(tempfile.mkdtemp()))
        front.run(ticks=100)
        file = FOLDER / f"{name}.jsonl.gz"
        file.write_bytes(gzip.compress(bundle.write(front.server, front.id), mtime=0))
        print(f"{file.name}: {file.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Run a whole server for years with the toy title, as `pbem soak --years` does for packaged titles.

cd tests
python -m programs.toy_years --years 100 --seed 7 --keep years.json
"""

from __future__ import annotations

import sys

from support.seated import TITLES

from pbem.cli import main

if __name__ == "__main__":
    sys.exit(main(["soak", "ambush", "--scenario", "tiny", *sys.argv[1:]], TITLES))

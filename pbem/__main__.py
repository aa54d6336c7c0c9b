"""`python -m pbem` is the command `pbem`."""

import sys

from pbem.cli import main

sys.exit(main())

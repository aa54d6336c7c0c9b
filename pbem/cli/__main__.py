"""Run `python -m pbem.cli` like the `pbem` command."""

from pbem.cli import main

if __name__ == "__main__":
    raise SystemExit(main())

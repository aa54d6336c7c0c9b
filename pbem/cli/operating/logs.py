"""Where a server or worker writes its log: to standard error, or to a file that is rotated."""

from __future__ import annotations

import argparse
import logging
from logging.handlers import RotatingFileHandler
from pathlib import Path

LARGEST = 10 * 2**20
KEPT = 5
FORM = "%(asctime)s %(name)s: %(message)s"


def add_log(parser: argparse.ArgumentParser) -> None:
    help = f"write the log to a file, which is rotated at {LARGEST // 2**20} MiB; {KEPT} old files are kept"
    parser.add_argument("--log", type=Path, metavar="FILE", help=help)


def start_log(file: Path | None) -> None:
    """Start logging: to a rotated file, or to standard error, which systemd collects."""
    if file is None:
        logging.basicConfig(level=logging.INFO, format=FORM)
        return
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    rotating = RotatingFileHandler(file, maxBytes=LARGEST, backupCount=KEPT, encoding="utf-8")
    logging.basicConfig(level=logging.INFO, format=FORM, handlers=[rotating])

"""Write tests/mail/messages: replies as mail programs around the world make them, and the new lines in each.

    cd tests && python -m programs.write_messages

Every message is made up for this project. The bytes follow the habits of the program it is named after: its headers,
its character set and encoding, how it quotes, and what it adds. `expected.toml` holds the new lines, or the reason
why the message must not be answered.
"""

from __future__ import annotations

import json

from programs.mail_programs import automatic, eastern, english, english_others, western
from programs.mail_programs.writing import FOLDER, expected, written


def everything() -> None:
    for module in (english, english_others, western, eastern, automatic):
        for write in module.ALL:
            write()


def expectations() -> str:
    """Return the expected readings as one TOML table per message; JSON strings are valid TOML strings."""
    tables = []
    for name, wanted in sorted(expected.items()):
        [(key, value)] = wanted.items()
        tables.append(f"[{name}]\n{key} = {json.dumps(value, ensure_ascii=False)}\n")
    return "# Written by write_messages.py: what is new in each message, or why nobody is answered.\n\n" + "\n".join(
        tables
    )


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    everything()
    for file in FOLDER.glob("*.eml"):
        file.unlink()
    for name, raw in written.items():
        (FOLDER / f"{name}.eml").write_bytes(raw)
    (FOLDER / "expected.toml").write_text(expectations(), "utf-8")
    print(f"{len(written)} messages")


if __name__ == "__main__":
    main()

"""A first look at the event store. Run it with `python -m eventstore.example`.

Open a store and append to a stream. `expected` is the version you think the stream is at.

>>> store = EventStore(folder() / "events.db", server_id="example")
>>> opened, = store.append("club", [NewEvent("club.opened", {"name": "Tuesday Wargamers"})], expected=0)
>>> opened.version, opened.type, opened.payload
(1, 'club.opened', {'name': 'Tuesday Wargamers'})

The second writer gets an error, and nothing is written.

>>> store.append("club", [NewEvent("club.closed", {})], expected=0)
Traceback (most recent call last):
eventstore.transaction.Conflict: club is at version 1, not at 0

Content that not everyone may see goes into a part. The event only commits to it.

>>> address = NewPart("address", audience="treasurer", content=b"12 Mill Lane", salt=secrets.token_bytes(32))
>>> joined, = store.append("club", [NewEvent("member.joined", {"member": "Ada"}, (address,))], expected=1)
>>> reference = joined.part("address", "treasurer")
>>> store.part(reference.commitment).content
b'12 Mill Lane'

Several streams change together or not at all.

>>> with store.transaction() as transaction:
...     _ = transaction.append("purse", [NewEvent("fee.paid", {"member": "Ada", "pence": 500})], expected=0)
...     _ = transaction.append("club", [NewEvent("member.confirmed", {"member": "Ada"})], expected=2)
>>> [event.type for event in store.read("club")]
['club.opened', 'member.joined', 'member.confirmed']

A part can be erased for good, and the chain still holds.

>>> store.erase(reference.commitment)
>>> store.parts([reference.commitment])
{}
>>> store.verify("club") is None
True

Anyone who has the events can check them without the store; a changed event is found and named.

>>> events = store.read("club")
>>> verify(events, server_id="example", stream="club") is None
True
>>> events[1] = replace(events[1], payload={"member": "Eve"})
>>> verify(events, server_id="example", stream="club")
Broken(version=2, why='the content does not match the hash')

Old payloads are upgraded when they are read, never rewritten.

>>> upcasters = Upcasters()
>>> @upcasters.register("fee.paid", from_schema=1)
... def name_the_currency(payload):
...     return {"member": payload["member"], "amount": [payload["pence"], "GBP pence"]}
>>> upcasters.lift(store.read("purse")[0]).payload
{'member': 'Ada', 'amount': [500, 'GBP pence']}

A projection is fed the events that it has not seen yet.

>>> members = []
>>> def note(transaction, event):
...     if event.type == "member.joined":
...         members.append(event.payload["member"])
>>> store.project("members", note), store.project("members", note), members
(4, 0, ['Ada'])
>>> store.close()
"""

import doctest
import secrets  # noqa: F401 (the lines above use these names)
import tempfile
from pathlib import Path

from msgspec.structs import replace  # noqa: F401

from eventstore import EventStore, NewEvent, NewPart, Upcasters, verify  # noqa: F401


def folder() -> Path:
    return Path(tempfile.mkdtemp())


if __name__ == "__main__":
    doctest.testmod(verbose=True)

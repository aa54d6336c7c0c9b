"""The life of a match, from its creation to its proof.

server         Server: the store, the titles and the key of one installation; `installation` opens it with its tables
unit_of_work   appending to a match: it expects one version, and retries if another writer was faster
events         every event as a type
history        the record of a match's events, replay, dice ladders, receipts, exports, verification, fairness
exchange       creating, seats, submitting, sealing, closing, resolving, ending, halting; `advancing` continues
clock          deadline rules, announced deadlines, absences, extensions, outages, the tick
accounts       accounts, preferences, sessions, API tokens, rate limits, reliability, privacy
players        invitations, substitutes, press, endings, standing orders, requests, advice on refused orders
rulings        the game master's powers, disputes, rulings, previews of rulings (by a dry run), alerts
post           inbox, outbox, notifications, reply tokens
views          what a viewer is shown: status, reports, forms; `summaries` are the lists
bots, health
"""

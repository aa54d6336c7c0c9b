"""The life of a match, from its creation to its proof.

server      Server: the store, the titles and the key of one installation
history     the record of a match's events, replay, dice ladders, receipts, exports, verification, fairness
exchange    creating, seats, sealing, closing, resolving (`acts`, `closing`), and `desk`, which mail, site and
            command line call; `dry_run` shows what an act would change
clock       deadline rules, announced deadlines, absences, extensions
accounts    accounts, preferences, sessions, API tokens, rate limits, reliability, privacy
players     invitations, substitutes, press, endings, standing orders, requests, advice on refused orders
rulings     the game master's powers, disputes, rulings, previews of rulings, alerts
post        inbox, outbox, notifications, reply tokens
views       what a viewer is shown: status, reports, forms
bots, health
"""

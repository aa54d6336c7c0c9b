"""The subcommands of `pbem`, by what they are for.

common      Command, open_house, find_match ...   what all of them share
playing     new, show, orders, deliver
keeping     export, import, verify, replay, backup, restore, hold, release, operator
measuring   rules coverage, sim, soak, bench
scenarios   scenario
serving     serve
"""

"""Developers' programs.

simulate     bot matches in memory: results, waits, balance
soak         long runs of bot matches, of mixed mail with a crash in the middle, and of hostile mail
simulation   years of a server in minutes, with failures of network, clock and disk
bench        costs as ratios: store, server, site, whole matches
mutation     rules that tests would not notice if they were broken
where        the code, data and tests of a rule
"""

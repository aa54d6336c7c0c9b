"""Developers' programs.

simulate           bot matches in memory: results, waits, balance
soak, soak_mail    hundreds of bot matches; mixed mail with a crash in the middle
bench              costs as ratios: bench_store, bench_site, bench_battalion
"""

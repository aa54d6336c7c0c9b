"""Panzer, basic game, in two editions of one system: North Africa 2024 and Panzer 2016.

    charts     the tables, the switches between the editions, packaged data
    cards      vehicle cards
    board      the map
    scenario   set-ups

`ledger.csv` lists every numbered rule of both books with its state here.
"""

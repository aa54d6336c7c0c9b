"""1.2, 1.3 Counters, charts and scenario cards: data files read into frozen values, with every mistake reported."""

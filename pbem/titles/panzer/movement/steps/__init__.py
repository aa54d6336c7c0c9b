"""4.5.1.1, 6.6 One step of a move: what it costs, what forbids it, and where it leads.

acts              6.6 what a step can be, and its notation
costs             4.5.1.1.1-2 allowances and prices
terrain_costs     6.1.4.3 prices for each kind of unit, with counters
driving           4.5.1.1 the steps of a vehicle
unit_steps        6.6 the steps of any unit, with riders, and all further objections
on_foot           6.6.4-5 the steps of leg units and of guns moved by hand
occupation        5.13 other units in the way
route_following   4.5.1.1 several steps in a row
"""

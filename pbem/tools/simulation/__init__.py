"""A whole server in one process under a seed: its clock, its mail network, its players and its crashes are simulated.

world         the server, the clock and the faults
database      a connection that fails as either engine does
network       mail with delay, loss, doubling and reordering
players       people: late, absent, changing their orders, on two devices, replying with nonsense
invariants    the properties that must hold after every step
bugs          planted bugs, which a run must find
run           years of simulation, a report, and the shortest failing story
"""

"""Chapters 4 to 7: the steps of a turn in both games, and the optional rules.

One module for each chapter of the book. The basic game plays none of the rules of chapters 5 to 7.

    2.0           scenario            formations, units, batteries, aircraft and features of a set-up
    2.0           scenario_reader     scenarios from files, and everything that can be wrong in them
    5.8.2         taking              whole formations in a few lines of a scenario
    2.0           checking            what a scenario is, for whoever writes one
    2.0           catalogue           everything that has an id, for whoever writes one
    2.0           deployment          the state before the first turn, secret plots, placing units
    AG, 7.0       rules_in_use        rules that a match leaves out or adds
    5.1-5.9       units               kinds, facing, grades, labels
    5.1-5.2       weapons             what a unit can fire with
    5.13          stacking            what counts, and whom it costs its cover
    5.15          bail_out            crews and passengers leave their vehicle
    5.16          ammunition          special kinds, limits
    6.0           sequence            which step follows which
    6.1           spotting            who spots whom
    6.1.4         terrain             heights, cover, hull down, what lies on a line of fire
    6.2           commands            the Command Phase
    6.2.1         command_control     available commands, command range, shared counters
    6.3           initiative          the Initiative Phase
    6.5           aiming              which shots are legal, and which promises most
    6.5           declarations        what a player may declare
    6.5           direct_fire         the Direct Fire Step
    6.5           effects             what combat does to units and terrain
    6.5.1         indirect_fire       the Indirect Fire Step
    6.5.1.1       observers           who may call indirect fire, and from whom
    6.5.2         ap_fire             AP fire
    6.5.3         overwatch           overwatch fire
    6.5.4         gp_fire             GP fire
    6.5.4.3       gp_modifiers        its modifiers
    6.6           movement            the Movement Step
    6.6           march               how far a move has come, and its next step
    6.6           ground              what the ground costs each kind of unit
    6.6           move_execution      one unit's move under the eyes of overwatch
    6.6           move_options        a choice of moves
    6.6           itineraries         a wish for a move turned into steps
    6.6.1         close_combat        the Close Assault / Hand-to-Hand Step
    6.6.1.1       close_assault       leg units against a vehicle
    6.6.1.2       hand_to_hand        leg units against leg and towed units
    6.6.3         buildings           vehicles going into buildings
    6.6.4-6.6.5   movement_leg        on foot, and manhandled guns
    6.6.6         barrage             units in the pattern of indirect fire
    6.6.7         transport           getting on and off, portee guns
    6.6.9         positions           hull down, entrenchments, full cover, dust
    6.6.10        overrun             overrun combat
    6.6.10        overrun_moves       overruns as part of a move
    6.6.11        shared_moves        moving with a shared command
    6.7           air                 the air phases
    6.7.3.1       air_sight           what aircraft and the ground see of each other
    6.7.4         anti_aircraft       fire at aircraft
    6.8           adjustment          the Adjustment Phase
    7.1           morale              cohesion, morale checks, hesitating and broken units
    7.2           hidden_units        counters for hidden units and dummies, and who finds them
    7.2           hidden_orders       placing and moving them
    7.3           platoons            who may share a counter when platoons are kept apart
    7.4           radios              vehicles without radio sets
    7.6           tank_fright         green units before a close assault
    7.7           limited_spotting    what is in sight must be noticed
    7.8, 7.20     turrets             where guns point, hatches, long guns
    7.9           dischargers         smoke around one vehicle
    7.10-7.13     damage_detail       plates, tracks, weapons and machinery (7.17, 7.21, 7.23)
    7.14-7.16     special_fire        options of direct fire (7.18, 7.22, 7.25)
    7.19          demolition          engineers against terrain
    7.24          camouflage          units that must be found before they are spotted
    7.26-7.28     artillery_options   options of artillery and bombs (7.37)
    7.29          bogging             soft ground holds vehicles
    7.30          narrow_roads        no room to pass
    7.30          pushing             clearing a narrow road
    7.31.1        mine_laying         kinds of mines, and where they may lie
    7.31          minefields          mines and those who find them
    7.31.2        minefield_combat    mines in the course of a move
    7.32-7.33     weight_limits       what bridges and ice bear
    7.34          waters              ice, floods, and vehicles that swim
    7.35          fires               buildings, rubble and woods alight
    7.36          weather             sight, caution and the ground
    7.42          staggered_initiative  formations fire and move one after the other
    7.52          command_span        headquarters and the distance to those whom they command

What they stand on:

    view          what each viewer may know of it
    flaws         what can never be true of a match
    binding       the steps, asks and checks of a match
    bot           bots that play it
    judgement     how the steady bot sees the battle
    whims         what is seldom done, for bots that try out the rules
    skirmish      small set-ups by chance, for the same
    tell          findings in words
    picture       the map as a picture
    sheets        what a player looks up about a unit
    unit_words    units and the map in words
    phrases       the sentences of findings that say one thing
"""

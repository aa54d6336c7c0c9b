"""Panzer in two editions of one system: North Africa 2024 and Panzer 2016.

One machine plays both games; the basic game is a match that plays none of the rules of chapters 5 to 7. The folders
follow the phases of a turn; a module is named after what its rules are about.

The match as a whole:

                  binding              the steps, asks and checks of a match
                  campaign             battles of a campaign: rosters in the slots of a scenario
    1.0           data_set             map, charts, cards and scenario of a match
    1.0           freezing             what a match is made of, as named blobs
                  invariants           what can never be true of a match
                  numbering            the numbers under which each edition and each game knows a rule
    AG, 7.0       rules_in_use         rules that a match leaves out or adds
    house         rulings              sentences of the books that can be read in two ways
    6.0           sequence             which step follows which
    3.4           state                units, wrecks, the spotting matrix, objectives, missions, aircraft
                  title                scenarios and choices; the rules bound to a match are in `binding`
                  view                 what each viewer may know of it
                  watching             what the findings of a step show on the map

cards/

    1.6, 5.1-5.4  advanced_cards       cards of vehicles, guns, leg units, aircraft, batteries
    5.8-6.8       advanced_charts      charts of chapters 5 to 7
    5.16          ammunition           special kinds, limits
    4.1-4.6       basic_rows           charts of the basic game, as written
    1.2           board                the map
    5.1-5.4       card_rows            cards, as written
    1.6           cards                vehicle cards
    5.8-6.8       chart_rows           charts of chapters 5 and 6, as written
    1.4           charts               the tables, the switches between the editions
    7.0           optional_rows        charts of the air phases and optional rules, as written
    1.3           overlays             pieces of ground laid onto a map
    5.1-5.9       units                kinds, facing, grades, labels
    5.1-5.2       weapons              what a unit can fire with

setup/

    2.0           advanced_schemas     the shape of an advanced scenario's file
                  briefing             what a player is told before the first turn
    2.0           catalogue            everything that has an id, for whoever writes one
    2.0           checking             what a scenario is, for whoever writes one
    2.0           deployment           the state before the first turn, secret plots, placing units
    2.0           file_schemas         the shape of a scenario file
    7.31.1        mine_laying          kinds of mines, and where they may lie
    6.5.1.11.1    plotting             secret plots before the first turn
    2.0           scenario             set-ups
    2.0           scenario_file        what is in the file of every set-up
    2.0           scenario_reader      scenarios from files, and everything that can be wrong in them
    5.8.2         taking               whole formations in a few lines of a scenario
    5.0           unit_checks          what can be wrong with the units of a scenario

sighting/

    7.24          camouflage           units that must be found before they are spotted
    7.2           hidden_orders        placing and moving them
    7.2           hidden_units         counters for hidden units and dummies, and who finds them
    7.7           limited_spotting     units in sight must still be noticed
    4.1.4         line_of_sight        whether the line between two hexes is open
    6.1.4         sight                who sees whom from where: the only way to a line of sight
    6.1           spotting             who spots whom
    5.13          stacking             what counts, and whom it costs its cover
    6.1.4         terrain              heights, cover, hull down, what lies on a line of fire
    7.36          weather              sight, caution and the ground

command/

    6.2.1         command_control      available commands, command range, shared counters
    7.52          command_span         headquarters and the distance to those whom they command
    6.2           commands             the Command Phase
    7.9           dischargers          smoke around one vehicle
    6.3           initiative           the Initiative Phase
    7.1           morale               cohesion, morale checks, hesitating and broken units
    7.3           platoons             who may share a counter when platoons are kept apart
    7.4           radios               vehicles without radio sets
    7.42          staggered_initiative formations fire and move one after the other

fire/

    4.4.1         actions              a unit uses its fire or its command
    6.5           aiming               which shots are legal, and which promises most
    6.5           declarations         what a player may declare
    6.5           direct_fire          the Direct Fire Step
    6.1.4.3.10    direct_smoke         smoke fired into a hex
    6.5.4.2       gp_defence           how well a target is protected against it
    6.5.4         gp_fire              GP fire
    6.5.4.3       gp_modifiers         its modifiers
    6.5.3         overwatch            overwatch fire
    7.14-7.16     special_fire         options of direct fire (7.18, 7.22, 7.25)
    7.8, 7.20     turrets              where guns point, hatches, long guns

ap/

    6.5.2.2       ap_damage            one hit: location, armour, damage
    6.5.2         ap_fire              AP fire
    6.5.2.4       ap_shots             a shot and its modifiers
    4.4.3         shots                range, field of fire, hit number, aspect, penetration

damage/

    6.8.3.1.2     attacks              a unit comes under attack
    5.15          bail_out             crews and passengers leave their vehicle
    7.10-7.13     damage_detail        plates, tracks, weapons and machinery (7.17, 7.21, 7.23)
    6.5           effects              what combat does to units and terrain

artillery/

    7.26-7.28     artillery_options    options of artillery and bombs (7.37)
    6.6.6         barrage              units in the pattern of indirect fire
    7.35          fires                buildings, rubble and woods alight
    6.5.1.7       calls                calls for fire, their patterns, what keeps one from them
    6.5.1         indirect_fire        the Indirect Fire Step
    6.5.1.13      landing              fire that comes
    6.5.1.1       mission_answers      declarations of indirect fire
    6.5.1.1       observers            who may call indirect fire, and from whom
    6.5.1.11      planned_fire         plots that arrive in their turn
    6.5.1.12      response             who responds, and danger close

movement/

    6.6.6         arrivals             what meets a unit in the hex that it has come to
    6.6           ground               what the ground costs each kind of unit
    6.6           march                how far a move has come, and its next step
    6.6           move_execution       one unit's move under the eyes of overwatch
    6.6           movement             the Movement Step
    4.5.1.1.1-2   movement_costs       allowances and the price of every step
    6.6.4-6.6.5   movement_leg         on foot, and manhandled guns
    4.5.1.1       movement_progress    one step of a move, and where a move may end
    6.6           placing              a unit changes its place
    6.6.11        shared_moves         moving with a shared command
    4.5.1.1       step_findings        the steps of a move as findings
    4.5.1.1       unfinished           moves that did not end as they were declared

routes/

    6.6           itineraries          a wish for a move turned into steps
    6.6           move_options         a choice of moves
    4.5.1.1       movement_routes      where a vehicle can go
    4.5.1.1       whole_moves          a route as a whole: checked, and cut short

obstacles/

    7.29          bogging              soft ground holds vehicles
    6.6.3         buildings            vehicles going into buildings
    7.19          demolition           engineers against terrain
    7.31.2        minefield_combat     mines in the course of a move
    7.31          minefields           mines and those who find them
    7.30          narrow_roads         no room to pass
    6.6.9         positions            hull down, entrenchments, full cover, dust
    7.30          pushing              clearing a narrow road
    6.6.7         transport            getting on and off, portee guns
    7.34          waters               ice, floods, and vehicles that swim
    7.32-7.33     weight_limits        what bridges and ice bear

close_combat/

    6.6.1.1       advances             the advancing attack
    6.6.1.1       close_assault        leg units against a vehicle
    6.6.1         close_combat         the Close Assault / Hand-to-Hand Step
    6.6.1.2       hand_to_hand         leg units against leg and towed units
    6.6.10        overrun              overrun combat
    6.6.10        overrun_moves        overruns as part of a move
    7.6           tank_fright          green units before a close assault

air/

    6.7           air                  the air phases
    6.7.3         air_attacks          acquiring a target, strafing, bombs and rockets
    6.7.3.1       air_sight            what aircraft and the ground see of each other
    6.7.4         anti_aircraft        fire at aircraft

end_of_turn/

    6.8           adjustment           the Adjustment Phase
    6.6.8         digging              hasty entrenchments, occupying positions
    3.6           victory              objectives and victory points

reading/

                  base                 what lines have said so far, and whom they name
                  judging              what all lines say together, and everything against it
                  language             the grammar of the order language
    6.6           moves                the words of a move
    1.6           naming               units by their names
                  proposals            what a refusal proposes: whole lines that were tried
                  reader               orders read line by line
                  remarks              remarks of forms
    6.5.1, 6.7    support              the words of indirect fire and of flights
                  vocabulary           the words of the order language

decisions/

    6.8           adjusting            facings, cover, digging, turrets
                  all_kinds            every kind of ask with its decision
                  base                 what all decisions share
                  choices              the small asks within a turn
    6.6.1, 7.19   close_combat         assaults, engineers against terrain
    4.2.1         commands             the commands of a turn and its plan
    4.4, 6.7.4    fire                 direct fire, overwatch, anti-aircraft fire
    7.2, 7.7.2    hiding               hidden counters, and what is noticed
    6.6           movement             who moves next, and how it goes on
    2.0           setup                placing units, secret plots
    6.5.1, 6.7    support              missions and flights

player/

                  clauses              standing orders of the basic game
    4.2.1         fates                what became of the orders of a turn
                  forms                lines ready to edit
    6.2           many                 orders for many units
                  plan                 what the orders of a turn say about its later asks
                  prospects            what a seat can order and expect
                  restating            submissions in the order language
                  sheets               what a player looks up about a unit
    4.4.1         shots_said           shots in a few words
    4.4.2         standing_orders      clauses that answer asks in every turn
    6.5.1, 6.7    support_prospects    calls and flights that are worth proposing
    6.1, 6.8      towards              where the enemy is, and turning towards him

telling/

                  basic_sentences      findings of chapters 1 to 4
    6.5.1, 6.6.1  combat_sentences     missions, close combat, overruns and aircraft
    6.5.2, 6.5.4  fire_sentences       shots, hits and rolls on the GP table
    1.2           ground_picture       the ground of the map as a picture, and the key to its signs
    1.2           map_picture          the map as a picture
    7             optional_phrases     sentences of the optional rules
                  phrases              the sentences of findings that say one thing
                  picture              the counters on the map
    4-7           recomputing          results worked out again from their findings
    3.1           side_names           the names that players read for sides
                  shown_shots          the attacks that a finding tells of
                  sentences            findings in words
                  unit_words           units and the map in words

bots/

    6.2           allotting            commands for what the steady bot wants
                  bot                  bots that play it
                  curious              what is seldom done, for bots that try out the rules
                  judgement            how the steady bot sees the battle
                  skirmish             small set-ups by chance, for the same

`ledger.csv` lists every numbered rule of both books with its state here, `NOTES.md` speaks to players, `data/` holds
all numbers with their sources.
"""

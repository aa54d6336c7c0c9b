"""Panzer in two editions of one system: North Africa 2024 and Panzer 2016.

One engine plays the basic and the advanced game: the basic game is a match that uses none of the rules of chapters
5 to 7. The folders follow the phases of a turn; a module is named after the subject of its rules.

The match as a whole:

                  binding              the steps, asks and checks of a match
                  campaign             battles of a campaign: rosters in the slots of a scenario
    1.0           data_set             map, charts, cards and scenario of a match
    1.0           freezing             the data of a match, as named blobs
                  invariants           states that are impossible
                  numbering            the rule numbers of each edition and each game
    AG, 7.0       rules_in_use         rules that a match leaves out or adds
    house         rulings              rulings on ambiguous sentences of the books
    6.0           sequence             the order of the steps
                  situation            a match as its rules see it: the data, with the state or a view
    3.4           state                units, wrecks, the spotting matrix, objectives, missions, aircraft
                  title                scenarios and choices; the rules bound to a match are in `binding`
                  view                 the part that each viewer may see

cards/

    1.6, 5.1-5.4  advanced_cards       cards of vehicles, guns, leg units, aircraft, batteries
    5.8-6.8       advanced_charts      charts of chapters 5 to 7
    5.16          ammunition           special kinds, limits
    4.1-4.6       basic_rows           charts of the basic game, in file form
    1.2           board                the map
    5.1-5.4       card_rows            cards, in file form
    1.6           cards                vehicle cards
    5.8-6.8       chart_rows           charts of chapters 5 and 6, in file form
    1.4           charts               the tables, the switches between the editions
    1.4           files                the packaged files, and the rule that a mistake in them breaks
    7.0           optional_rows        charts of the air phases and optional rules, in file form
    1.3           overlays             pieces of terrain placed on a map
    5.1-5.9       units                kinds, facing, grades, labels
    5.1-5.2       weapons              a unit's weapons

setup/

    2.0           advanced_schemas     the schema of an advanced scenario file
                  briefing             the briefing before the first turn
    2.0           catalogue            everything with an id, for scenario authors
    2.0           checking             a description of a scenario, for its author
    2.0           deployment           the state before the first turn, secret plots, placing units
    2.0           file_schemas         the schema of a scenario file
    7.31.1        mine_laying          kinds of mines, and where they may be laid
    6.5.1.11.1    plotting             secret plots before the first turn
    2.0           scenario             set-ups
    2.0           scenario_file        the file format of every set-up
    2.0           scenario_reader      reading scenarios from files, and their possible mistakes
    5.8.2         taking               whole formations in a few lines of a scenario
    5.0           unit_checks          checks on a scenario's units

sighting/

    7.24          camouflage           units that must be found before they are spotted
    7.2           hidden_orders        placing and moving hidden unit counters
    7.2           hidden_units         counters for hidden units and dummies, and finding them
    4.1.4         known_lines          lines of sight of packaged maps, computed beforehand
    7.7           limited_spotting     units in sight must still be noticed
    4.1.4         line_of_sight        whether the line between two hexes is open
    6.1.4         sight                sight from unit to unit: the only access to the line of sight
    6.1           spotting             which units spot which
    5.13          stacking             overstacking, and the cover it costs
    6.1.4         terrain              heights, cover, hull down, hindrances on a line of fire
    4.1.4         ways                 hexes and hexsides on a straight line
    7.36          weather              visibility, caution and the ground

command/

    6.2.1         command_control      available commands, command range, shared counters
    7.52          command_span         headquarters and the distance to their units
    6.2           commands             the Command Phase
    7.9           dischargers          smoke around one vehicle
    4.2.1         failed_orders        commands that the rules cancel
    6.3           initiative           the Initiative Phase
    7.1           morale               cohesion, morale checks, hesitating and broken units
    7.3           platoons             sharing counters when platoons are kept apart
    7.4           radios               vehicles without radio sets
    7.42          staggered_initiative formations fire and move one after the other

fire/

    4.4.1         actions              a unit uses its fire or its command
    6.5           aiming               which shots are legal, and which is the most promising
    6.5           declarations         legal declarations of fire
    6.5           direct_fire          the Direct Fire Step
    6.1.4.3.10    direct_smoke         smoke fired into a hex
    6.5.4.2       gp_defence           protection against GP fire
    6.5.4         gp_fire              GP fire
    6.5.4.3       gp_modifiers         the modifiers of GP fire
    6.5.3         overwatch            overwatch fire
    7.14-7.16     special_fire         options of direct fire (7.18, 7.22, 7.25)
    7.8, 7.20     turrets              where guns point, hatches, long guns

ap/

    6.5.2.2       ap_damage            one hit: location, armour, damage
    6.5.2         ap_fire              AP fire
    6.5.2.4       ap_modifiers         a shot and everything that modifies its chance to hit
    4.4.3         shot_basics          range, field of fire, hit number, aspect, penetration

damage/

    6.8.3.1.2     attacks              a unit comes under attack
    5.15          bail_out             crews and passengers leave their vehicle
    7.10-7.13     damage_detail        plates, tracks, weapons and machinery (7.17, 7.21, 7.23)
    6.5           effects              the effects of combat on units and terrain

artillery/

    7.26-7.28     artillery_options    options of artillery and bombs (7.37)
    6.6.6         barrage              units in the pattern of indirect fire
    7.35          fires                buildings, rubble and woods alight
    6.5.1.7       calls                calls for fire, their patterns, objections to them
    6.5.1         indirect_fire        the Indirect Fire Step
    6.5.1.13      landing              fire that lands
    6.5.1.1       mission_answers      declarations of indirect fire
    6.5.1.1       observers            observers, and the firers they may call
    6.5.1.11      planned_fire         plots that arrive in their turn
    6.5.1.12      response             responses, and danger close

movement/

    6.6.6         arrivals             the effects of entering a hex
    6.6           move_execution       one unit's move, with overwatch fire
    6.6           movement_step        the Movement Step
    6.6           placing              putting a unit into a hex
    6.6.11        shared_moves         moving with a shared command
    4.5.1.1       unfinished           moves that did not end as declared

movement/steps/

    6.6           acts                 the acts of a move and their notation
    4.5.1.1.1-2   costs                a vehicle's allowance and the cost of every step
    4.5.1.1       driving              one step of a vehicle's move, and where a move may end
    4.5.1.1, 5.13 occupation           which units are in which hex, as a moving unit needs it
    6.6.4-6.6.5   on_foot              one step on foot, and manhandled guns
    4.5.1.1       route_following      a route followed step by step, and its longest legal part
    4.5.1.1       step_findings        one step of a move as a finding
    6.1.4.3       terrain_costs        the cost of terrain and counters for each kind of unit
    6.6           unit_steps           one step of any unit's move

routes/

    6.6           itineraries          turning an ordered move into steps
    6.6           move_options         a choice of moves
    6.2.1.1.4     moves_together       moves ordered under one counter
    4.5.1.1       rest_of_move         a route as a whole: checked, and cut short
    4.5.1.1       route_search         where a vehicle can go

obstacles/

    7.29          bogging              soft ground holds vehicles
    6.6.3         buildings            vehicles entering buildings
    7.19          demolition           engineers against terrain
    7.31.2        minefield_combat     mines during a move
    7.31          minefields           mines and their removal
    7.30          narrow_roads         no room to pass
    6.6.9         positions            hull down, entrenchments, full cover, dust
    7.30          pushing              clearing a narrow road
    6.6.7         transport            mounting and dismounting, portee guns
    7.34          waters               ice, floods, and vehicles that swim
    7.32-7.33     weight_limits        the weight limits of bridges and ice

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
    6.7.3.1       air_sight            sight between aircraft and the ground
    6.7.4         anti_aircraft        fire at aircraft

end_of_turn/

    6.8           adjustment           the Adjustment Phase
    6.6.8         digging              hasty entrenchments, occupying positions
    3.6           victory              objectives and victory points

reading/

                  base                 the orders in the lines so far, and the names they use
                  idle_words           words that would change nothing, and are refused
                  judging              all lines taken together, and every objection to them
                  language             the grammar of the order language
    6.6           moves                the words of a move
    1.6           naming               units by name
                  reader               orders read line by line
                  remarks              comments in forms
    6.5.1, 6.7    support              the words of indirect fire and of flights
                  vocabulary           the words of the order language

decisions/

    6.8           adjusting            facings, cover, digging, turrets
                  all_kinds            every kind of ask with its decision
                  base                 the common base of all decisions
                  choices              the small asks within a turn
    6.6.1, 7.19   close_combat         assaults, engineers against terrain
    4.2.1         commands             the commands of a turn and its plan
    4.4, 6.7.4    fire                 direct fire, overwatch, anti-aircraft fire
    7.2, 7.7.2    hiding               hidden counters, and limited spotting
    6.6           movement             which unit moves next, and how it continues
    2.0           setup                placing units, secret plots
    6.5.1, 6.7    support              missions and flights

seats/

                  acting               actions within a turn: each seat orders its own units
                  asking               asking the seats of a side, and combining their answers
                  plans                one seat's part of a plan, and the plans of several seats combined
                  rules                the rules bound to a match with several seats on a side
                  seating              the seats of a match, and the seat that orders a unit

player/

                  clauses              standing orders of the basic game
    4.2.1         fates                orders of a turn that were not fulfilled, and why
                  forms                lines ready to edit
    6.2           many                 orders for many units
                  plan                 the orders of a turn that answer its later asks
                  prospects            a seat's possible orders and their prospects
                  restating            submissions in the order language
                  sheets               the information sheet of a unit
    4.4.1         shot_texts           shots in a few words
    4.4.2         standing_orders      clauses that answer asks in every turn
    6.5.1, 6.7    support_prospects    calls and flights that are worth proposing
    6.1, 6.8      towards              the enemy's positions, and turning towards them

telling/

    4.5, 4.6      basic_moves          movement and the end of a turn
                  basic_sentences      findings of chapters 1 to 4
    6.5.1, 6.6.1  combat_sentences     missions, close combat, overruns and aircraft
    6.5.2, 6.5.4  fire_sentences       shots, hits and rolls on the GP table
    4-7           recomputing          results recomputed from their findings
                  shown_shots          the attacks in a finding
                  sentences            findings in words
                  unit_words           units and the map in words
                  watching             the changes that a step's findings show on the map

telling/words/

                  codes                words for the codes of findings
    7             optional_phrases     sentences for the optional rules
    6.4, 6.7      air_phrases          sentences for findings of aircraft and anti-aircraft fire
    6.5           fire_phrases         sentences for findings of fire
    6.6, 6.8      movement_phrases     sentences for findings of movement and the end of a turn
                  phrases              sentences for simple findings
    6.1-6.3       spotting_phrases     sentences for findings of spotting, terrain, commands and initiative
    3-5           unit_phrases         sentences for findings of the basic game and of kinds of units
    3.1           sides                the names that players read for sides

picture/

    1.2           ground               the ground of the map as a picture, and the key to its symbols
    1.2, 5.0      scene                the whole picture of a viewer, with its counters
    1.7           vehicles             vehicles, objectives and wrecks on the map

bots/

    6.2           allotting            the steady bot's commands
                  bot                  the bots
                  curious              rare actions, for bots that exercise the rules
                  judgement            how the steady bot judges the battle
                  probes               questions for `pbem bench`
                  skirmish             small random set-ups that exercise the rules

`ledger.csv` lists every numbered rule of both books with its state here, `NOTES.md` is written for players, `data/`
contains all numbers with their sources.
"""

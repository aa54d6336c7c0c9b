"""AG introduction, 7.0 The rules that a match may leave out or add, by their ids.

    ADVANCED_RULES     all in use unless the scenario or the match leaves some out
    optional rules     none in use unless the scenario or the match adds it; `optional.toml` lists them
"""

from typing import Final

ADVANCED_RULES: Final = (
    "leg_units",                                                       # 5.1
    "towed_units",                                                     # 5.2
    "indirect_fire",                                                   # 6.5.1
    "aircraft",                                                        # 6.7
    "command_control",                                                 # 6.2
    "gp_fire",                                                         # 5.10, 6.5.4
    "hit_location",                                                    # 6.5.2.2
    "ammo_limits",                                                     # 5.16
    "dual_fire",                                                       # 5.14
    "bail_out",                                                        # 5.15
    "full_cover",                                                      # 6.1.4.2
    "hull_down",                                                       # 6.1.4.1
)
"""AG introduction: the rules of chapters 5 and 6 that may be left out."""

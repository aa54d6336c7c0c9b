"""The order language on one screen."""

from __future__ import annotations

from typing import Final

from pbem.engine.text.messages import say

HELP: Final = say(
    """\
a1: move 40 face right then move 0
a1: move ne / move n, n / move toward b2 / away from b2
   toward wood-1, toward an objective, toward 450 300 (mm), toward 45/30 cm
   face ahead, right, back, left (from the arrow)
   or face n, face 135, face toward b2 (nearest square)
a1: move 90 from left / move 90 from 8 mm right
   where the arrow leaves the hull
a1: move 90 set left / move 90 set 5 mm right
   where the hull ends beside the arrow
a1: if b2 sees a1: move 180
a1: if b2 within 1 arrow of a1 and b2 moved: stay
a1: hunt / hunt b2     finds its way when its turn comes:
   many good shots, few in return, nearer the goal
a1: hide / rush     out of sight / to the goal
a1: stay
a1: use supercharger then move 0 then move 0 then move 0
a1: first move 90     a move given by a card
a1: shoot b2, b1     best first
a1: shoot b2, best (nearest, weakest)
a1: if b1 out: shoot b2
a1: if a1 hurt: hide     conditions: moved, stayed, sees,
   within, out, shot at, hurt; not before them
a1: reroll below 2 / always / never
a1: use tungsten / keep sandbags
a1: use coordinator for a3
a1: again b2     second attack
a1: repair busted track
a1: blitz move 0 face back
rest stay / rest hold
order of a2, a1     equal initiative
a1 at 450 100 face 180     deployment, mm
wood 300 400 face 45     terrain, mm
defender north
"""
)
"""The order language on one screen."""

"""3.8 The Close Combat Phase: ambush, attacks and Melee."""

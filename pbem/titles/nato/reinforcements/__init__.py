"""33 Reinforcements."""

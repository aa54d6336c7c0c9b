"""4.6, 6.8 The Adjustment Phase, objectives and victory."""

"""8, 9, 11, 26 Zones of control, stacking, airspace and coordination."""

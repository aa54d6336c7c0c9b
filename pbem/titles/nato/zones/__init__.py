"""8, 9, 11, 26 Zones: control, stacking, airspace and coordination."""

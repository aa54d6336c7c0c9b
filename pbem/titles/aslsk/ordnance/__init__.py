"""3.2.4, 4.4, 4.5 Ordnance: weapons that must roll To Hit before they have an effect."""

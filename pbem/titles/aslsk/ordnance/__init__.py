"""3.2.4, 4.4, 4.5 Ordnance: weapons that must hit before they hurt."""

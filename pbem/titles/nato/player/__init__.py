"""The player's side of the title: language, orders, plans, standing orders, forms, sheets, sentences and the map."""

"""Everything that players write and read: language, plans, standing orders, forms, sheets, sentences and the map."""

"""Everything that players write and read: the order language, decisions, forms, sheets, sentences and the map."""

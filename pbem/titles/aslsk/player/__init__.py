"""Everything that turns rules into words and pictures: order language, decisions, forms, sheets, sentences, map."""

"""T1 What the phases share: initiative, conditions, forms."""

"""T1 The common parts of the phases: initiative, conditions, forms."""

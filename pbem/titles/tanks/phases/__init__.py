"""T1 The parts that all phases share: initiative, conditions and forms."""

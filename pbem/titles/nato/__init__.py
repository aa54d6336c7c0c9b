"""NATO: The Cold War Goes Hot, a game of war in Central Europe, fought by divisions in daily turns."""

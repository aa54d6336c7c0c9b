"""NATO: The Cold War Goes Hot, the war in Central Europe by divisions and days."""

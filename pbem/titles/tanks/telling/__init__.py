"""How findings are told: sentences, what they show on the table, and how they are worked out again."""

"""The game master: powers, disputes, rulings and their previews, alerts."""

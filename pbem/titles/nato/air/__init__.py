"""18.4, 19, 20, 23 Air power: strikes, interdiction, attack helicopters and flak."""

"""The film of a turn: scenes, the summary, what is drawn on the map. One source for pages, emails and programs."""

"""10 Supply: links, sources, headquarters, movement supply and combat supply."""

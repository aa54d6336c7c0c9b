"""Pages of tournaments: `public` for anyone, `director` for its directors, `files` for other programs."""

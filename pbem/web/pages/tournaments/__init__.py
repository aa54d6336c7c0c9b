"""Pages of tournaments: `public` for everybody, `director` for those who run one, `files` for other programs."""

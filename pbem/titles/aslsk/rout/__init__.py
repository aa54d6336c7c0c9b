"""3.6 The Rout Phase: which units must or may rout, where to, and Interdiction on the way."""

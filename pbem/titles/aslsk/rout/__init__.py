"""3.6 The Rout Phase: which units must or may rout, where they may go, and Interdiction on the way."""

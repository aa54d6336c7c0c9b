"""3.6 The Rout Phase: who must rout and who may, where to, and Interdiction on the way."""

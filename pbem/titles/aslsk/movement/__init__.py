"""3.3 The Movement Phase: allowances, expenditures, Defensive First Fire windows and the advance."""

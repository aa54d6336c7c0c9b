"""Advanced Squad Leader Starter Kit #3: infantry, guns and vehicles on geomorphic boards."""

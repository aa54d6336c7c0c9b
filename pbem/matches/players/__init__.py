"""Everything players do besides their orders: invitations, substitutes, press, endings, standing orders, requests."""

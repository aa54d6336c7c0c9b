"""What players do beside their orders: invitations, substitutes, press, endings, standing orders, requests."""

"""What a server tells other servers by itself: webhooks."""

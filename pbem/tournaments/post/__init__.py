"""Webhooks that notify other servers, and the monthly rating lists."""

"""The Flask application: settings, sessions, input shapes, rate limits, stored responses."""

"""The Flask application: settings, sessions, input schemas, rate limits, stored responses."""

"""The store on PostgreSQL: its tables, its dialect and its connections. Only those who use it load the driver."""

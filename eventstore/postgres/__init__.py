"""The store on PostgreSQL: its tables, dialect and connections. The driver is loaded only when used."""

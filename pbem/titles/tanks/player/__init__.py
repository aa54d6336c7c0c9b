"""Everything that players write and read: the order language, plans, standing orders, sheets, the picture."""

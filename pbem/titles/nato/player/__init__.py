"""What players write and read: the order language, plans, standing orders, forms, sheets, sentences and the map."""

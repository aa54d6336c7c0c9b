"""What players write and read: the order language, plans, standing orders, sheets, sentences, the picture."""

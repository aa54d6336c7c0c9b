"""The order language, plans, standing orders, forms and sheets."""

"""The pages, each a function from its address to a view."""

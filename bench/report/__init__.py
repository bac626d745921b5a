"""What people look at: the same numbers as a table, a page and a picture."""

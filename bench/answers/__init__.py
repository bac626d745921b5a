"""Answers that a model makes of what the arms have chosen, and what they are worth."""

"""What a user can put right: such an error is shown as its message alone."""

from __future__ import annotations


class UserError(ValueError):
    """Says in one line what was found, what was expected, where, and what would work."""

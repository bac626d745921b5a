"""A row of a table."""

from __future__ import annotations

from typing import Any, TypeAlias

Row: TypeAlias = dict[str, Any]
"""Values by column; an undefined number is nan."""

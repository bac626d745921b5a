"""What answers cost in dollars, at prices that a spec or a dated table gives."""

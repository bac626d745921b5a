"""What a run leaves behind, written so that a kill at any moment costs time only."""

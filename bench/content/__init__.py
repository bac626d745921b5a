"""What a model would be sent for the segments a strategy chose: text, and pictures of pages."""

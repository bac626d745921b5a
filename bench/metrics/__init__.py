"""What is measured, question by question, from character spans alone."""

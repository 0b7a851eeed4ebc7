"""What may have been wrong: expected, seen, margin, doubts."""

"""Whose hand, since when, and how they sit at night: answers to questions about the pictures."""

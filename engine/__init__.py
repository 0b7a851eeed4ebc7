"""What the rules say: pure Python, no input or output, no clock, no sentences."""

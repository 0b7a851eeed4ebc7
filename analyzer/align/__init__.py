"""The most likely legal game that explains the cues."""

"""From sound to words to cues."""

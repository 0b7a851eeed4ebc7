"""Sound: speech synthesis, voices, the room, noise, the mix."""

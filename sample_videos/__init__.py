"""Tables we know everything about: the studio and small rendered samples."""

"""What people decide about it: the command line and the review room; no analysis inside."""

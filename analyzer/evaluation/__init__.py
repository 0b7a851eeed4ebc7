"""A case against its truth: what `mafiavar eval` prints."""

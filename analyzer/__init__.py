"""What happened at the table: media -> observations -> cues -> timeline -> flags -> report."""

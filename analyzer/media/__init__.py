"""Recordings: the index of one demux pass, pictures by PTS, sound."""

"""The whole pipeline: recordings in, a case folder out."""

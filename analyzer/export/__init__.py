"""Exports of a case for other tools."""

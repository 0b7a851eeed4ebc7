"""Protocols as files: reading any known format into an `engine.record.Record`, writing our own.

reading = read_protocol(path)      # Reading(record, problems, source)
write_protocol(record, path, "csv")
"""

from mafiavar.analyzer.protocol.load import read_protocol, read_text
from mafiavar.analyzer.protocol.reading import Problem, Reading
from mafiavar.analyzer.protocol.write import to_json, write_protocol

__all__ = ["Problem", "Reading", "read_protocol", "read_text", "to_json", "write_protocol"]

"""Exports of a case for other tools: what each format needs, from the values of the case's files."""

from mafiavar.analyzer.export.files import FILES
from mafiavar.analyzer.export.formats import FORMATS, export_case

__all__ = ["FILES", "FORMATS", "export_case"]

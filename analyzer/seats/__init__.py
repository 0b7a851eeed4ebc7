"""Where the ten seats, the table and the judge are in the picture."""

from mafiavar.analyzer.seats.file import draft_toml, find_seats_file, read_seats, seats_to_toml
from mafiavar.analyzer.seats.find import Found, find_seats, renumbered
from mafiavar.analyzer.seats.seatmap import Box, Seat, SeatMap

__all__ = [
    "Box",
    "Found",
    "Seat",
    "SeatMap",
    "draft_toml",
    "find_seats",
    "find_seats_file",
    "read_seats",
    "renumbered",
    "seats_to_toml",
]

"""Where the ten seats, the table and the judge are."""

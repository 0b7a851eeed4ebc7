"""report.html: what a panel reads first."""

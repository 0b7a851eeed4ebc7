"""The console command `mafiavar`."""

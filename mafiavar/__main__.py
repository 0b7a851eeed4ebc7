"""`python -m mafiavar` is the console command `mafiavar`."""

from mafiavar.ui.cli import main

if __name__ == "__main__":
    main()

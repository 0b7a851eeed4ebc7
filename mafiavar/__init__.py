"""mafiavar: the video referee of sport Mafia.

The rooms of the house are subpackages: `mafiavar.engine` (what the rules say),
`mafiavar.models` (what a network sees), `mafiavar.analyzer` (what happened at the table),
`mafiavar.ui` (what people decide about it) and `mafiavar.sample_videos` (tables we know
everything about). In the source tree each is a folder of its own; pyproject.toml maps them here.
"""

"""Who voted against whom: hands seen, laid over the ballots heard.

votes = count(alignment, hands)
alignment = with_votes(alignment, votes)      # vote_cast and lift_cast events join the timeline
alignment = with_nights(alignment, answers, rules)  # and shot and check
votes_json(votes)                             # mafiavar/votes@1
"""

from mafiavar.analyzer.votes.count import BallotVotes, SeatVote, Votes, count
from mafiavar.analyzer.votes.export import frame_json, votes_json
from mafiavar.analyzer.votes.merge import with_votes
from mafiavar.analyzer.votes.nights import with_nights

__all__ = [
    "BallotVotes",
    "SeatVote",
    "Votes",
    "count",
    "frame_json",
    "votes_json",
    "with_nights",
    "with_votes",
]

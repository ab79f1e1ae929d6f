"""What every figure of the page is, by the names that the page and docs/two-party.md give it. Own design."""

from __future__ import annotations

LEGEND: tuple[tuple[str, str], ...] = (
    (
        "human, task, both",
        "How often each outcome came true: the requester's, for people; the incumbent's own task; both in one play.",
    ),
    ("payoff", "What the ending is worth to the party, minus the price of its moves that took effect. Mean."),
    (
        "own score",
        (
            "(payoff - guaranteed) / (best - guaranteed): 0 is what the party can make sure of from this start, 1 the "
            "most it could have if both played for it. Below 0 (orange) it did worse than it could have made sure of."
        ),
    ),
    (
        "yields, first turn",
        "Plays in which a concession of the incumbent took effect, and the mean turn of the first one.",
    ),
    (
        "returns",
        (
            "Of the plays in which the requester, once the human outcome stood, could help the incumbent by handing "
            "back or lending what is contested: those in which it did."
        ),
    ),
    (
        "collateral",
        (
            "Of the plays with the human outcome: what the incumbent would have had in the joint plan (fair against "
            "fair) minus what it had."
        ),
    ),
    (
        "hindsight regret",
        (
            "What the party's best sequence of moves, against the very moves that the other played, would have brought "
            "more."
        ),
    ),
    (
        "turns to agreement",
        "Of the plays that end in both outcomes: the turns after which every turn brings them one turn nearer.",
    ),
    (
        "self-play, gap",
        (
            "An agent's own score against itself, and how far that is above its mean against the others. Self-play is "
            "never in that mean."
        ),
    ),
    (
        "flagged",
        (
            "Choices of a party that were none (unparsed, refused, cut off; each counts as a hold, or as silence), and "
            "its moves that were rejected (not legal) or bumped (the other, served first, took their ground away)."
        ),
    ),
    ("left out", "Plays that ended for a reason of the provider's or the machine's. They are in no other figure."),
    ("~", "A mean over drawn plays, of a pair of bots that mixes its moves. All else of bots is exact."),
    ("-", "A mean over nothing: no play is one that the figure is about."),
)

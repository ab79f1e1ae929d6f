"""Cross-play: every pair of parties over every start of the two-party games. Own design, docs/two-party.md."""

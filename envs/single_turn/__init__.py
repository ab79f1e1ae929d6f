"""The single-turn questions: the conflict of a scenario with four options. ConflictBench appendix C.4; own engine."""

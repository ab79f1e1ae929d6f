"""EP1, EP2 and EP3: text-game worlds looked up in the tables of a scenario. ConflictBench section 3; own engine."""

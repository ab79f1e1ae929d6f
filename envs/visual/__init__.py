"""Pictures of a scenario: scenes, world models that draw them, and the store that keeps their clips. Own design."""
